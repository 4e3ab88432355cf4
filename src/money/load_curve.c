/* Screening curves over a load-duration curve. */
#include "assay/load_curve.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/banned.h"

/* A year's cost is a straight line over the hours in use; two points of it. */
#define HALF 0.5
#define ROUNDING 1e-12

/* What is left of a difference of costs: nothing where it is below their last digits. */
static double beyond_rounding(double usd, double whole) {
    return usd > ROUNDING * whole ? usd : 0.0;
}

static double usd_per_year(assay_money_case_t *c, double utilisation, double *out_goodput) {
    assay_money_result_t result;
    c->utilisation = utilisation;
    assay_money_eval(c, NULL, &result);
    *out_goodput = result.goodput;
    return result.tco_cash_flow_usd / assay_money_annuity_factor(c->rate, c->years);
}

assay_supply_cost_t assay_load_cost(const assay_money_case_t *money_case, bool every_hour) {
    assay_money_case_t c = *money_case;
    double goodput;
    c.moves = false;
    c.committed = every_hour ? 1.0 : 0.0;
    c.central[ASSAY_DRAW_OF(GROWTH)] = 0.0;
    const double half = usd_per_year(&c, HALF, &goodput);
    const double whole = usd_per_year(&c, 1.0, &goodput);
    const double used = beyond_rounding((whole - half) / (1.0 - HALF), whole);
    const double nodes = c.nodes * goodput;
    return (assay_supply_cost_t){true, beyond_rounding(whole - used, whole) / nodes,
                                 used / ASSAY_HOURS_PER_YEAR / nodes};
}

double assay_load_even_h(const assay_supply_cost_t *a, const assay_supply_cost_t *b) {
    const double more = a->usd_per_year - b->usd_per_year;
    const double less = b->usd_per_h - a->usd_per_h;
    if (more <= 0.0) {
        /* no dearer to have; it is ahead from the start, unless it falls behind within the year */
        return more <= less * ASSAY_HOURS_PER_YEAR ? 0.0 : (double)NAN;
    }
    const double h = less > 0.0 ? more / less : (double)INFINITY;
    return h < ASSAY_HOURS_PER_YEAR ? h : (double)NAN;
}

static double cost_at(const assay_supply_cost_t *cost, double hours) {
    return cost->usd_per_year + cost->usd_per_h * hours;
}

static int cheapest(const assay_supply_cost_t cost[ASSAY_SUPPLY_N], double hours) {
    int best = -1;
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        if (cost[k].known && (best < 0 || cost_at(&cost[k], hours) < cost_at(&cost[best], hours))) {
            best = k;
        }
    }
    assert(best >= 0);
    return best;
}

/* From the cheapest to have, along the lower envelope: next is the line that is met first. */
static void set_ranges(const assay_supply_cost_t cost[ASSAY_SUPPLY_N], assay_load_mix_t *out) {
    int at = cheapest(cost, 0.0);
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) { /* of those that cost the same to have */
        if (cost[k].known && cost[k].usd_per_year <= cost[at].usd_per_year &&
            cost[k].usd_per_h < cost[at].usd_per_h) {
            at = k;
        }
    }
    double from_h = 0.0;
    while (at >= 0) {
        out->range[out->n_range++] = (assay_supply_range_t){at, from_h};
        int next = -1;
        double next_h = ASSAY_HOURS_PER_YEAR;
        for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
            if (!cost[k].known || !(cost[k].usd_per_h < cost[at].usd_per_h)) {
                continue;
            }
            const double h = assay_load_even_h(&cost[k], &cost[at]);
            if (h < next_h ||
                (next >= 0 && h <= next_h && cost[k].usd_per_h < cost[next].usd_per_h)) {
                next = k;
                next_h = h;
            }
        }
        at = next;
        from_h = next_h;
    }
}

/* Capacity between the load of step i and the next one's. io_hours: those of the steps before.
   false: none, or a level that lasts no time. */
static bool slice_of(const assay_supply_cost_t cost[ASSAY_SUPPLY_N], const assay_load_step_t *load,
                     uint32_t n, uint32_t i, double nodes, double *io_hours,
                     assay_load_slice_t *out) {
    const double below = i + 1 < n ? load[i + 1].load : 0.0;
    assert(load[i].load >= below);
    *io_hours = fmin(ASSAY_HOURS_PER_YEAR, *io_hours + load[i].share * ASSAY_HOURS_PER_YEAR);
    *out = (assay_load_slice_t){-1, (load[i].load - below) * nodes, *io_hours};
    if (!(out->nodes > 0.0) || !(out->hours > 0.0)) {
        return false;
    }
    out->supply = cheapest(cost, out->hours);
    return true;
}

void assay_load_mix(const assay_supply_cost_t cost[ASSAY_SUPPLY_N], const assay_load_step_t *load,
                    uint32_t n, double nodes, assay_load_mix_t *out) {
    assert(nodes > 0.0);
    memset(out, 0, sizeof *out);
    double hours = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        assay_load_slice_t slice;
        if (!slice_of(cost, load, n, i, nodes, &hours, &slice)) {
            continue;
        }
        const int k = slice.supply;
        out->nodes[k] += slice.nodes;
        out->node_h_of[k] += slice.nodes * slice.hours;
        out->usd_of[k] += slice.nodes * cost_at(&cost[k], slice.hours);
        out->peak_nodes += slice.nodes;
        out->node_h += slice.nodes * slice.hours;
    }
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        out->usd += out->usd_of[k];
        out->alone_usd[k] =
            cost[k].known ? out->peak_nodes * cost[k].usd_per_year + out->node_h * cost[k].usd_per_h
                          : (double)NAN;
    }
    set_ranges(cost, out);
}

/* Two neighbours of one way hold more than 1/WANTED of the nodes: 2 WANTED + ASSAY_SUPPLY_N at
 * most. */
#define WANTED 20.0

uint32_t assay_load_slices(const assay_supply_cost_t cost[ASSAY_SUPPLY_N],
                           const assay_load_step_t *load, uint32_t n, double nodes,
                           assay_load_slice_t out[ASSAY_LOAD_SLICES]) {
    const double most = n > 0 ? load[0].load * nodes / WANTED : 0.0;
    double hours = 0.0;
    uint32_t n_out = 0;
    for (uint32_t i = 0; i < n; i++) {
        assay_load_slice_t slice;
        if (!slice_of(cost, load, n, i, nodes, &hours, &slice)) {
            continue;
        }
        assay_load_slice_t *last = n_out > 0 ? &out[n_out - 1] : NULL;
        if (!last || last->supply != slice.supply || last->nodes + slice.nodes > most) {
            assert(n_out < ASSAY_LOAD_SLICES);
            out[n_out++] = slice;
            continue;
        }
        const double whole = last->nodes + slice.nodes;
        last->hours = (last->nodes * last->hours + slice.nodes * slice.hours) / whole;
        last->nodes = whole;
    }
    return n_out;
}
