/* Fleets of replicas that keep a demand: what deciding about them needs of each candidate, and what
   it finds. Serving and images fill it. */
#ifndef ASSAY_DECIDE_FLEET_MONEY_H
#define ASSAY_DECIDE_FLEET_MONEY_H

#include "assay/decide_image.h"
#include "decide/decision.h"

#define ASSAY_HOURS_PER_MONTH (ASSAY_HOURS_PER_YEAR / 12)

/** Replicas of one size. */
typedef struct {
    double needed;  /* of each copy at the predicted speed, before rounding up */
    double copies;  /* each has replicas of its own: models apart */
    double devices; /* of a replica; nodes are filled with whole ones */
} fleet_part_t;
#define FLEET_PARTS 2 /* for answers, or both; for prompts alone */

typedef struct {
    const assay_machine_t *machine;
    bool fits;
    double nodes, device_w;             /* that are paid for; mean of one device */
    double rel_p10, rel_p90;            /* interval of (true time)/(predicted time) */
    assay_dist_t step_common, step_own; /* its error: what all share, and the rest */
    fleet_part_t part[FLEET_PARTS];
    uint32_t n_part;
    assay_money_case_t money_case; /* a month of 24 x 7 */
    assay_money_result_t point;    /* at central values */
    assay_spread_t tco_usd, month_usd;
    double p_best;
} fleet_t;

/**
 * count: whole replicas of a copy that a plan asks for; exact: the same before rounding up. Where
 * the plan searched for the count, exact is not what was rounded up (NAN: unknown): what is needed
 * then lies within the last replica, half of which is counted.
 */
fleet_part_t fleet_part(uint32_t count, double exact, double copies, double devices);
/** Nodes where steps take so many times as long: at 1 those of the plan, never fewer for more. */
double fleet_nodes_at(const fleet_t *fleet, double slower);
/** Fills step_common and step_own of one that fits. */
void fleet_errors(const assay_decide_ctx_t *ctx, fleet_t *io);
/** Fills money_case and point of one that fits. */
void fleet_price(const assay_decide_ctx_t *ctx, fleet_t *io);
/** What a decision about fleets comes to. */
typedef struct {
    int32_t choice, runner_up; /* least TCO at central values, and the next; -1: none */
    double regret_usd;         /* of the choice, on average against knowing better */
    const assay_sensitivity_t *sensitivity; /* NULL: nothing fits */
    assay_flip_t *flip;
    uint32_t n_flip;
} fleet_verdict_t;
/**
 * The choice, from the drawn uncertain inputs how sure it is, what that rests on, and where it
 * flips. Steps that are slower than predicted need more replicas: their number follows the drawn
 * error. Fills tco_usd, month_usd and p_best of every fleet. serving: (n) the candidates; NULL:
 * they make images. Errors: ASSAY_INPUT (a user's table, a map), ASSAY_MEMORY, ASSAY_LIMIT.
 */
assay_status_t fleet_decide(assay_decide_ctx_t *ctx, fleet_t *fleet, uint32_t n,
                            const assay_serving_candidate_t *serving, fleet_verdict_t *out,
                            assay_error_t *err);

/** What deciding needs of a candidate that serves; of one that makes images. */
fleet_t fleet_of_serving(const assay_serving_candidate_t *candidate);
fleet_t fleet_of_image(const assay_image_candidate_t *candidate);

#endif
