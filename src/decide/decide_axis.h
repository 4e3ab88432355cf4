/** Inside decide: the inputs that can be moved, of any kind of work: one table for flips, for "why
    not" and for maps. */
#ifndef ASSAY_DECIDE_DECIDE_AXIS_H
#define ASSAY_DECIDE_DECIDE_AXIS_H

#include "decide/decide_rows.h"

typedef struct decide_world decide_world_t;

/** How far a flip is searched. now: where the input stands. */
typedef enum {
    DECIDE_RANGE_UP,       /* 0 .. now x flip_factor */
    DECIDE_RANGE_AROUND,   /* now / flip_factor .. now x flip_factor */
    DECIDE_RANGE_WIDE,     /* the same with flip_factor_wide */
    DECIDE_RANGE_USE,      /* now / flip_factor .. 1 */
    DECIDE_RANGE_SERVED,   /* a hundredth .. 1 */
    DECIDE_RANGE_YEARS,    /* as AROUND, within what a job can ask for */
    DECIDE_RANGE_SHARE,    /* 0 .. 1 */
    DECIDE_RANGE_PRICE_OF, /* as UP; where now is 0: up to flip_zero_usd_per_kwh */
    DECIDE_RANGE_DAYS      /* 0 .. now x flip_factor_wide; where now is 0: up to flip_zero_days */
} decide_range_t;

typedef struct {
    const char *variable;
    uint8_t work;   /* bits: of which kinds of work */
    bool own;       /* it is of one candidate */
    bool listed;    /* among the flips that every decision shows; else when it is asked for */
    bool other_job; /* x asks of another job, whose deadline is as far away as this one's */
    assay_dim_t dim;
    const char *unit; /* NULL: the SI unit of dim */
    assay_message_t label;
    uint8_t range; /* decide_range_t */
    /* of a map: ends of the axis, times now where relative; what a user may ask for */
    double low, high, least, most;
    bool relative, log;
    double (*now)(const decide_game_t *game, int32_t candidate);
    void (*set)(decide_world_t *world, int32_t candidate, double x);
    /* whether it moves no cost; NULL: it always does */
    bool (*idle)(const decide_game_t *game, int32_t candidate);
} decide_axis_t;

/** What is being changed: scratch. */
struct decide_world {
    const decide_game_t *game;
    decide_side_t *side;          /* (game->n) */
    assay_serve_fleets_t *fleets; /* of serving */
};
/** false: the arena is full. */
bool decide_world_create(assay_arena_t *arena, const decide_game_t *game, decide_world_t *out);
/** Everything as it stands. */
void decide_world_reset(decide_world_t *world);

/**
 * "VARIABLE" or "VARIABLE:CANDIDATE" in text[0..n). about: whose it is where the text names nobody.
 * Errors: ASSAY_NOT_FOUND (no such variable of this work, no such candidate, did you mean),
 * ASSAY_INPUT (it moves nothing here), ASSAY_MEMORY.
 */
assay_status_t decide_axis_find(const decide_game_t *game, const char *text, size_t n,
                                int32_t about, const decide_axis_t **out, int32_t *out_candidate,
                                assay_error_t *err);
extern const decide_axis_t decide_axis_table[];
extern const uint32_t decide_axis_n;
/** Between which values a flip is searched. */
void decide_axis_range(const assay_decide_settings_t *settings, const decide_axis_t *axis,
                       double now, double *out_low, double *out_high);
/** As printed: "hourly price of one h100". */
const char *decide_axis_label(const decide_game_t *game, const decide_axis_t *axis,
                              int32_t candidate);

/**
 * Where the verdict flips, one input at a time: the listed ones. wanted: where it becomes that
 * player, which fits; -1: any other. None where there is nothing to compare. Errors: ASSAY_MEMORY.
 */
assay_status_t decide_flips(const decide_game_t *game, int32_t wanted, assay_flip_t **out_flip,
                            uint32_t *out_n, assay_error_t *err);

#endif
