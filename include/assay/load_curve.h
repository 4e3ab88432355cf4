/**
 * Buy, reserve, rent or spot, and how much of each: capacity planning by screening curves. A way to
 * have a node costs so much a year and so much an hour in use; of a load-duration curve, each slice
 * of capacity is in use as many hours as the load is above it, and the way that costs least at that
 * many hours serves it. So the base goes to what is dear to have and cheap to use, the peak to the
 * reverse, and the ways meet where their costs are equal:
 * F_a + V_a h = F_b + V_b h at h = (F_a - F_b)/(V_b - V_a).
 * Source: e.g. S. Stoft, Power System Economics (2002), chapter 2-2, screening and load-duration
 * curves. Capacity is divisible: shares of nodes are not rounded.
 */
#ifndef ASSAY_LOAD_CURVE_H
#define ASSAY_LOAD_CURVE_H

#include "assay/money.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One way to have a node that works all the time it is asked to: where stops, preemptions or waits
    leave a share of the hours, it is what one node costs over that share. */
typedef struct {
    bool known;          /* it has a price */
    double usd_per_year; /* used or not */
    double usd_per_h;    /* of every hour in use */
} assay_supply_cost_t;

typedef struct {
    int supply;    /* assay_pricing_t or ASSAY_SUPPLY_OWNED */
    double from_h; /* costs least from so many hours a year in use, up to the next one's */
} assay_supply_range_t;

typedef struct {
    double peak_nodes, node_h; /* of the curve; the sums of the next two */
    double nodes[ASSAY_SUPPLY_N], node_h_of[ASSAY_SUPPLY_N];
    double usd_of[ASSAY_SUPPLY_N], usd;         /* a year; usd is their sum */
    double alone_usd[ASSAY_SUPPLY_N];           /* one way for all of it; NAN where unknown */
    assay_supply_range_t range[ASSAY_SUPPLY_N]; /* rising hours, from 0 to those of a year */
    uint32_t n_range;
} assay_load_mix_t;

/**
 * What one node costs by the year and by the hour, from a case with prices of that way of having
 * it (owned, capex_usd, usd_per_h, spot). Its utilisation, growth of the work and cost of moving do
 * not count; running costs are levelled over the case's years. every_hour: all hours are paid for.
 */
assay_supply_cost_t assay_load_cost(const assay_money_case_t *money_case, bool every_hour);

/**
 * load: (n) steps of falling load, shares sum to <= 1, the rest is idle. nodes: at load 1, > 0.
 * At least one cost is known. Ties go to the first. Allocates: no.
 */
void assay_load_mix(const assay_supply_cost_t cost[ASSAY_SUPPLY_N], const assay_load_step_t *load,
                    uint32_t n, double nodes, assay_load_mix_t *out);

#define ASSAY_LOAD_SLICES 48u
/** Some of the nodes, in use the same hours, had in one way. */
typedef struct {
    int supply;
    double nodes, hours; /* a year */
} assay_load_slice_t;
/**
 * The mix of the same arguments as slices, the peak first: neighbours that are had in one way are
 * joined, with the mean of their hours, so that the edges of slices lie where another way is
 * cheaper. Nodes, node-hours and costs of each way are those of all steps. Returns their number.
 */
uint32_t assay_load_slices(const assay_supply_cost_t cost[ASSAY_SUPPLY_N],
                           const assay_load_step_t *load, uint32_t n, double nodes,
                           assay_load_slice_t out[ASSAY_LOAD_SLICES]);

/** Hours a year in use from which a costs less than b: 0 = always, NAN = never within a year. */
double assay_load_even_h(const assay_supply_cost_t *a, const assay_supply_cost_t *b);

#ifdef __cplusplus
}
#endif
#endif
