/**
 * Inside decide: one context that its steps share. Each step fills its part of the decision; a full
 * arena is remembered in `failed` and reported once, at the end.
 */
#ifndef ASSAY_DECIDE_DECISION_H
#define ASSAY_DECIDE_DECISION_H

#include "assay/decide.h"
#include "assay/message.h"

typedef struct {
    double v;
    const char *source;
} assay_decide_setting_t;

/** data/decide.csv. */
typedef struct {
    assay_decide_setting_t common_share, power_p10, power_p90; /* see assay_money_spread_t */
    assay_decide_setting_t close_call; /* a probability below it is too close to call */
    assay_decide_setting_t flip_factor,
        flip_factor_wide; /* how far flips are searched, times now */
    assay_decide_setting_t flip_zero_usd_per_kwh, flip_zero_days; /* how far where now is 0 */
} assay_decide_settings_t;

typedef struct {
    assay_arena_t *arena;
    const assay_resolved_t *resolved;
    const char *const *data_dir;
    uint32_t n_data_dir;
    const assay_hooks_t *hooks;
    assay_decide_settings_t settings;
    assay_decision_t *out;
    /* Of the candidates that fit, the cheapest that moves and the cheapest that stays; -1 = none.
     */
    int32_t mover, incumbent;
    bool failed; /* the arena is full */
} assay_decide_ctx_t;

/** Errors: ASSAY_INPUT (a user's table), ASSAY_MEMORY. */
assay_status_t assay_decide_settings(assay_arena_t *arena, const char *const *data_dir,
                                     uint32_t n_data_dir, assay_decide_settings_t *out,
                                     assay_error_t *err);
/**
 * All that follows the search: candidate[] has machine, plan and op filled in, ctx its inputs.
 * Errors: as assay_decide. threads 0 = all.
 */
assay_status_t assay_decide_settle(assay_decide_ctx_t *ctx, assay_candidate_t *candidate,
                                   uint32_t n, uint32_t threads, assay_decision_t **out_decision,
                                   assay_error_t *err);

/** Fills mover and incumbent of a decision whose candidates are priced. */
void assay_decide_sides(assay_decide_ctx_t *ctx);

/* Steps of assay_decide_settle, in order. */
assay_status_t assay_decide_sample(assay_decide_ctx_t *ctx, uint32_t threads, assay_error_t *err);
assay_status_t assay_decide_rules(assay_decide_ctx_t *ctx, assay_error_t *err);
void assay_decide_mix(assay_decide_ctx_t *ctx);
void assay_decide_reasons(assay_decide_ctx_t *ctx);
void assay_decide_verdict(assay_decide_ctx_t *ctx);
void assay_decide_notes(assay_decide_ctx_t *ctx);

/** The line that starts a replica of a candidate's fleet. Errors: ASSAY_INPUT (a user's table). */
assay_status_t assay_decide_launch(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                   const assay_serving_candidate_t *candidate,
                                   const char **out_line, assay_error_t *err);

/** What an article says, beside the prediction. Errors: ASSAY_INPUT (a user's table). */
assay_status_t assay_decide_serving_claims(const assay_decide_ctx_t *ctx,
                                           assay_serving_decision_t *io, assay_error_t *err);

bool assay_decide_meets_deadline(const assay_decide_ctx_t *ctx, double hours);
static inline const char *assay_decide_id(const assay_decide_ctx_t *ctx, int32_t candidate) {
    return ctx->out->candidate[candidate].machine->id;
}

/* Text: all in the arena, "" when it is full. */
const char *assay_decide_say(assay_decide_ctx_t *ctx, assay_message_t id, const char *const *arg,
                             size_t n_arg);
#define SAY0(ctx, id) assay_decide_say((ctx), ASSAY_MSG_##id, NULL, 0)
#define SAY(ctx, id, ...)                                                       \
    assay_decide_say((ctx), ASSAY_MSG_##id, (const char *const[]){__VA_ARGS__}, \
                     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
/** A phrase of a table in the job's language. */
static inline const char *assay_decide_phrase(const assay_decide_ctx_t *ctx, const char *english) {
    return assay_phrase(ctx->resolved->locale.lang, english);
}
const char *assay_decide_format(assay_decide_ctx_t *ctx, double value, assay_dim_t dim);
/** As a percentage; never 0 or 100. */
const char *assay_decide_probability(assay_decide_ctx_t *ctx, double p);
/** Why a candidate does not fit. */
const char *assay_decide_refusal(assay_decide_ctx_t *ctx, const assay_candidate_t *candidate);

#endif
