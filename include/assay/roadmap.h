/**
 * The move to another platform as a plan: phases with dates, effort by role, cost, gates that are
 * measured, and how to go back at each of them.
 *
 * The phases and their weeks are the seed article's (A16); a phase is as long as its weeks, or as
 * its work takes the team, whichever is longer. Which share of the levels of work (A6) falls into
 * which phase is data (data/roadmap.csv), and so are the gates (data/roadmap_gates.csv). Durations
 * and effort are drawn from their ranges; dates are p10, p50 and p90 of the draws.
 *
 * Test: tests/unit/test_roadmap.c. Thread-safe: yes.
 */
#ifndef ASSAY_ROADMAP_H
#define ASSAY_ROADMAP_H

#include "assay/day.h"
#include "assay/resolve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ASSAY_ROLE_APPLICATION, /* interfaces: level 1 */
    ASSAY_ROLE_KERNELS,     /* level 2 */
    ASSAY_ROLE_PLATFORM,    /* libraries, profilers, communication: level 3 */
    ASSAY_ROLE_ALL,         /* training */
    ASSAY_ROLE_N
} assay_role_t;
const char *assay_role_name(assay_role_t role);

typedef struct {
    double p10, p50, p90;
} assay_range_t;

typedef struct {
    const char *id, *text; /* what is measured, and how much of it is asked */
    bool has_value;
    double value; /* the figure to reach, of the text's {value}; unknown: what a job must bring */
} assay_gate_t;
#define ASSAY_GATE_MAX 8

typedef struct {
    const char *id, *name, *rollback, *source;
    assay_range_t weeks, days[ASSAY_ROLE_N], total_days; /* person-days by role */
    assay_range_t end;                                   /* days after the start of the plan */
    double start;                                        /* p50, days after the start */
    double usd;                                          /* of its work at p50 */
    bool endless;                                        /* goes on: figures are of a year */
    assay_gate_t gate[ASSAY_GATE_MAX];
    uint32_t n_gate;
} assay_phase_t;
#define ASSAY_PHASE_MAX 16

/* Who moves, and what it is held against. */
typedef struct {
    const assay_resolved_t *resolved;
    const assay_machine_t *target, *reference; /* reference NULL: none among the candidates */
    double target_per_s, reference_per_s; /* predicted work of a card, all its dies; 0 unknown */
    const char *unit;                     /* "tokens/s" */
    assay_day_t start;
    uint32_t team; /* people who port */
    uint64_t seed;
} assay_roadmap_case_t;

typedef struct {
    assay_roadmap_case_t of;
    assay_phase_t phase[ASSAY_PHASE_MAX];
    uint32_t n_phase;
    assay_range_t weeks, days; /* until the last phase that ends */
    double usd;                /* of those, without contingency */
    double contingency_usd;
    double debt_usd_per_year; /* of the endless phase */
} assay_roadmap_t;

/**
 * dir: folders with a user's tables. Errors: ASSAY_INPUT (a user's table, with file:line),
 * ASSAY_MEMORY. Deterministic in (case, seed).
 */
assay_status_t assay_roadmap(assay_arena_t *arena, const assay_roadmap_case_t *of,
                             const char *const *dir, uint32_t n_dir, assay_roadmap_t **out,
                             assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
