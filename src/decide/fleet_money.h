/* Fleets of replicas that keep a demand: what deciding about them needs of each candidate, and what
   it finds. Serving and images fill it. */
#ifndef ASSAY_DECIDE_FLEET_MONEY_H
#define ASSAY_DECIDE_FLEET_MONEY_H

#include "decide/decision.h"

#define ASSAY_HOURS_PER_MONTH (ASSAY_HOURS_PER_YEAR / 12)

typedef struct {
    const assay_machine_t *machine;
    bool fits;
    double nodes, device_w;        /* that are paid for; mean of one device */
    double rel_p10, rel_p90;       /* interval of (true time)/(predicted time) */
    double needed;                 /* replicas at the predicted speed, before rounding up */
    double devices_per_replica;    /* which fill nodes whole */
    assay_money_case_t money_case; /* a month of 24 x 7 */
    assay_money_result_t point;    /* at central values */
    assay_spread_t tco_usd, month_usd;
    double p_best;
} fleet_t;

/** Nodes for so many replicas. */
double fleet_nodes_for(const fleet_t *fleet, double replicas);
/** Fills money_case and point of one that fits. */
void fleet_price(const assay_decide_ctx_t *ctx, fleet_t *io);
/** Least TCO at central values, and the next; -1: none. */
void fleet_choose(const fleet_t *fleet, uint32_t n, int32_t *out_choice, int32_t *out_runner_up);
/**
 * Draws the uncertain inputs. Steps that are slower than predicted need more replicas: their number
 * follows the drawn error. Fills tco_usd, month_usd and p_best; regret: what the choice costs on
 * average against knowing better. Errors: ASSAY_MEMORY.
 */
assay_status_t fleet_sample(const assay_decide_ctx_t *ctx, fleet_t *fleet, uint32_t n,
                            int32_t choice, double *out_regret_usd, assay_error_t *err);

/** What deciding needs of a candidate that serves. */
fleet_t fleet_of_serving(const assay_serving_candidate_t *candidate);

#endif
