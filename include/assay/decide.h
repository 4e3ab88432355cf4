/**
 * Which candidate, how sure, where it flips, and why. Hard constraints first (does not fit, misses
 * the deadline), then money with uncertainty. Rules explain; money decides.
 *
 * The choice is the eligible candidate whose job costs least at central values (medians), so that
 * verdict, table and flips speak of the same figures; probability says in how many samples it is
 * cheapest, regret what choosing it costs on average against knowing better.
 */
#ifndef ASSAY_DECIDE_H
#define ASSAY_DECIDE_H

#include "assay/hooks.h"
#include "assay/load_curve.h"
#include "assay/money.h"
#include "assay/plan.h"
#include "assay/resolve.h"
#include "assay/sensitivity.h"
#include "assay/serve_plan.h"
#include "assay/sobol.h"
#include "assay/train.h"
#include "assay/units.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double p10, p50, p90, mean;
} assay_spread_t;

typedef struct {
    const assay_machine_t *machine;
    assay_plan_t plan;
    bool fits, meets_deadline, eligible; /* eligible: neither hard constraint failed */
    double days;                         /* at the predicted step time */
    assay_money_case_t money_case;
    assay_money_result_t point; /* at central values */
    assay_spread_t job_usd, tco_usd, hours;
    double p_best;               /* among the eligible; ties are shared */
    double p_deadline;           /* 1 when there is none */
    assay_op_t op[ASSAY_OP_MAX]; /* for the roofline */
    uint32_t n_op;
} assay_candidate_t;

typedef enum { ASSAY_RULE_YES, ASSAY_RULE_NO, ASSAY_RULE_UNKNOWN } assay_rule_state_t;

/** One row of data/rules.csv, asked of this job. Favours: the migration target or the incumbent. */
typedef struct {
    const char *id, *group; /* group: condition, interaction (A2), recommended, defer (A7) */
    const char *text;       /* what the rule says, with its threshold */
    const char *source;
    uint8_t state;
    double value, threshold; /* of a rule with one condition, in the units of its answer */
    bool has_value;
    const char *evidence; /* what was looked at, as printed; "unknown: give team.hip_ci" */
    bool favours_move;    /* when state is YES */
} assay_rule_t;

/**
 * A variable, where it stands and where the verdict flips, the others at their central values;
 * NAN-free: has_flip says whether it does. flip is the first value on the far side.
 * variable: buy_usd, usd_per_h (of a candidate's node), run_length (of the choice, all tokens
 * scaled), years, electricity_usd_kwh, utilisation, step_time_factor (of the mover), migration_days
 * (levels 1-3).
 */
typedef struct {
    const char *variable, *candidate; /* candidate NULL = common */
    assay_dim_t dim;
    const char *unit; /* NULL: the SI unit of dim */
    double now, flip;
    bool has_flip;
    const char *sentence;
} assay_flip_t;

typedef struct {
    const char *text;
    double usd; /* what it moves, choice against runner-up; 0 = not money */
} assay_reason_t;

/** How to have a candidate's nodes over the year, where the job gives a load curve. */
typedef struct {
    const assay_machine_t *machine;
    assay_supply_cost_t cost[ASSAY_SUPPLY_N];
    assay_load_mix_t mix;
    assay_load_slice_t slice[ASSAY_LOAD_SLICES];
    uint32_t n_slice;
} assay_mix_t;

typedef struct {
    const assay_resolved_t *resolved;
    assay_candidate_t *candidate;
    uint32_t n_candidate;
    int32_t choice, runner_up; /* index or -1 */
    double probability, regret_usd;
    const char *sentence; /* the verdict in one sentence */
    assay_flip_t *flip;
    uint32_t n_flip;
    assay_reason_t *reason;
    uint32_t n_reason;
    assay_rule_t *rule;
    uint32_t n_rule;
    /* What the verdict rests on; NULL: nothing fits. */
    const assay_sensitivity_t *sensitivity;
    assay_mix_t *mix; /* one of every system and number of nodes that fits */
    uint32_t n_mix;
    const char *rules_sentence; /* do the rules agree with the money? */
    bool rules_agree, rules_decided;
    assay_note_t *note;
    uint32_t n_note; /* resolve's and decide's: assumptions, warnings */
} assay_decision_t;

/**
 * data_dir: where a user's rules.csv and decide.csv may lie (rows replace ours by first column).
 * Errors: ASSAY_CANCELLED, ASSAY_LIMIT (the arena), ASSAY_MEMORY, ASSAY_INPUT (in those tables;
 * the job does not say how many tokens to train on).
 * Nothing fits is no error: choice is -1. Deterministic in (resolved, seed), on any number of
 * threads.
 */
assay_status_t assay_decide(assay_arena_t *arena, const assay_resolved_t *resolved,
                            const char *const *data_dir, uint32_t n_data_dir,
                            const assay_hooks_t *hooks, assay_decision_t **out_decision,
                            assay_error_t *err);

/* ---- serving ---- */

typedef struct {
    const assay_machine_t *machine;
    const assay_serving_t *serving;
    assay_serve_fleets_t fleets;
    const assay_serve_fleet_t *fleet; /* the one that is paid for; NULL: none fits */
    assay_money_case_t money_case;
    assay_money_result_t point; /* at central values; the job is a month of 24 x 7 */
    double month_usd;           /* running: hardware or rent, energy, operations */
    /* of a million tokens: of output, all cost on it; of input, of input that was found in the
       cache and of output, cost by the time that each takes */
    double usd_per_million_output, usd_per_million_input_apart, usd_per_million_cached_apart,
        usd_per_million_output_apart;
    bool has_cached;           /* some of the input is found in the cache */
    double tokens_per_s_per_w; /* output, at the wall with PUE */
    assay_spread_t tco_usd, month_usd_spread;
    double p_best;
    const char *launch; /* the line that starts one replica; NULL: of no engine that is known */
} assay_serving_candidate_t;

/** What an article says of a candidate's part, and what is predicted. */
typedef struct {
    const assay_claim_t *claim;
    const char *candidate;
    double predicted; /* in the claim's unit */
    double factor;    /* claimed over predicted */
    const char *source;
} assay_serving_claim_t;

typedef struct {
    const assay_resolved_t *resolved;
    assay_serving_candidate_t *candidate;
    uint32_t n_candidate;
    int32_t choice, runner_up; /* index or -1 */
    double probability, regret_usd;
    const char *sentence;
    assay_serving_claim_t
        *claim; /* (n_claim) of data/claim_serving.csv, of sets that the job names */
    uint32_t n_claim;
    /* of rate (all requests scaled), usd_per_h or buy_usd of a node, step_time_factor of the
       choice, electricity_usd_kwh and utilisation (hours served) where nodes are owned, years where
       something is paid at the start,
       output_tokens, migration_days, hip_fit */
    assay_flip_t *flip;
    uint32_t n_flip;
    const assay_sensitivity_t *sensitivity; /* of the TCO */
    assay_note_t *note;
    uint32_t n_note;
} assay_serving_decision_t;

/**
 * Which machine serves the demand at the least cost over money.years, all hours of it. Of a
 * candidate's fleets that serve it, the cheapest is paid for: whole nodes, then energy. A step that
 * is slower than predicted needs more replicas: their number follows the drawn error in every
 * sample. Errors: as assay_decide. Nothing fits is no error: choice is -1.
 */
assay_status_t assay_decide_serving(assay_arena_t *arena, const assay_resolved_t *resolved,
                                    const char *const *data_dir, uint32_t n_data_dir,
                                    const assay_hooks_t *hooks,
                                    assay_serving_decision_t **out_decision, assay_error_t *err);

/** Numbers of one input: Sobol points, or where dimensions are used up counter-based numbers. */
typedef struct {
    uint64_t seed, stream;
    uint32_t v[ASSAY_SOBOL_BITS], shift;
    bool sobol;
} assay_draw_stream_t;
typedef struct {
    assay_draw_stream_t stream[ASSAY_DRAW_N];
    const assay_correlations_t *correlations; /* and the streams of their members */
    assay_draw_stream_t member[ASSAY_CORRELATION_GROUPS][ASSAY_COPULA_MAX];
    uint32_t candidate;
} assay_draws_t;
/** What a candidate (index) draws, made ready; then the uniform numbers of any sample, as
    assay_decide draws them, for assay_money_eval. correlations NULL: none; they outlive the draws.
 */
void assay_decide_draws(uint64_t seed, const assay_correlations_t *correlations, uint32_t candidate,
                        assay_draws_t *out_draws);
void assay_decide_draw_of(const assay_draws_t *draws, uint32_t sample, double out_u[ASSAY_DRAW_N]);
/** The same for one sample alone; slow. */
void assay_decide_draw(uint64_t seed, const assay_correlations_t *correlations, uint32_t candidate,
                       uint32_t sample, double out_u[ASSAY_DRAW_N]);

#ifdef __cplusplus
}
#endif
#endif
