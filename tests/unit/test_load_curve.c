/* Screening curves: by hand, against every split of the nodes, and at the limits. */
#include "assay_test.h"

#include "assay/load_curve.h"
#include "assay/rng.h"

#define PEAKER ASSAY_PRICING_ON_DEMAND
#define MIDDLE ASSAY_PRICING_RESERVED_1Y
#define BASE ASSAY_SUPPLY_OWNED

#define assert_near(actual, expected, rtol) \
    assay_test_close((actual), (expected), (rtol), (rtol), #actual)

static assay_load_mix_t mix_of(const assay_supply_cost_t *cost, const assay_load_step_t *load,
                               uint32_t n, double nodes) {
    assay_load_mix_t mix;
    assay_load_mix(cost, load, n, nodes, &mix);
    return mix;
}

/* 10 nodes; half of them all year, all in a fifth of it: 1753.2 h. Owning costs 43,100 USD a year,
   renting 10 USD an hour: even at 4,310 h. So 5 nodes are rented for 1753.2 h, 87,660 USD, and 5
   owned, 215,500 USD. Renting all: 5 x 10,519.2 h x 10 USD; owning all: 10 x 43,100 USD. */
static void test_two_ways_by_hand(void **state) {
    (void)state;
    assay_supply_cost_t cost[ASSAY_SUPPLY_N] = {0};
    cost[PEAKER] = (assay_supply_cost_t){true, 0.0, 10.0};
    cost[BASE] = (assay_supply_cost_t){true, 43100.0, 0.0};
    const assay_load_step_t load[] = {{0.2, 1.0}, {0.8, 0.5}};
    const assay_load_mix_t mix = mix_of(cost, load, 2, 10.0);
    assert_near(mix.nodes[PEAKER], 5.0, 1e-12);
    assert_near(mix.nodes[BASE], 5.0, 1e-12);
    assert_near(mix.usd_of[PEAKER], 87660.0, 1e-12);
    assert_near(mix.usd_of[BASE], 215500.0, 1e-12);
    assert_near(mix.usd, 303160.0, 1e-12);
    assert_near(mix.alone_usd[PEAKER], 525960.0, 1e-12);
    assert_near(mix.alone_usd[BASE], 431000.0, 1e-12);
    assert_true(isnan(mix.alone_usd[MIDDLE]));
    assert_int_equal(mix.n_range, 2);
    assert_int_equal(mix.range[0].supply, PEAKER);
    assert_int_equal(mix.range[1].supply, BASE);
    assert_near(mix.range[1].from_h, 4310.0, 1e-12);
    assert_near(assay_load_even_h(&cost[BASE], &cost[PEAKER]), 4310.0, 1e-12);
    assert_true(isnan(assay_load_even_h(&cost[PEAKER], &cost[BASE])));
}

/* 10 nodes; all in a tenth of the year, 6 in six tenths more, 3 in the rest. Peaker 0 + 10 h,
   middle 10,000 + 5 h, base 43,100 + h: they meet at 2,000 h and 33,100/4 = 8,275 h. 4 nodes for
   876.6 h: 35,064 USD; 3 for 6,136.2 h: 3 x 40,681; 3 for 8,766 h: 3 x 51,866. */
static void test_three_ways_by_hand(void **state) {
    (void)state;
    assay_supply_cost_t cost[ASSAY_SUPPLY_N] = {0};
    cost[PEAKER] = (assay_supply_cost_t){true, 0.0, 10.0};
    cost[MIDDLE] = (assay_supply_cost_t){true, 10000.0, 5.0};
    cost[BASE] = (assay_supply_cost_t){true, 43100.0, 1.0};
    const assay_load_step_t load[] = {{0.1, 1.0}, {0.6, 0.6}, {0.3, 0.3}};
    const assay_load_mix_t mix = mix_of(cost, load, 3, 10.0);
    assert_near(mix.usd_of[PEAKER], 35064.0, 1e-12);
    assert_near(mix.usd_of[MIDDLE], 122043.0, 1e-12);
    assert_near(mix.usd_of[BASE], 155598.0, 1e-12);
    assert_int_equal(mix.n_range, 3);
    assert_near(mix.range[1].from_h, 2000.0, 1e-12);
    assert_near(mix.range[2].from_h, 8275.0, 1e-12);
}

static void test_limits(void **state) {
    (void)state;
    assay_supply_cost_t cost[ASSAY_SUPPLY_N] = {0};
    cost[PEAKER] = (assay_supply_cost_t){true, 0.0, 10.0};
    cost[BASE] = (assay_supply_cost_t){true, 43100.0, 1.0};
    /* flat: one way, whichever is cheaper at those hours */
    const assay_load_step_t flat[] = {{1.0, 1.0}}, seldom[] = {{0.1, 1.0}}, none[] = {{0.0, 1.0}};
    assert_near(mix_of(cost, flat, 1, 4.0).nodes[BASE], 4.0, 1e-12);
    assert_near(mix_of(cost, seldom, 1, 4.0).nodes[PEAKER], 4.0, 1e-12);
    /* in use no time: nothing is needed */
    assert_near(mix_of(cost, none, 1, 4.0).usd, 0.0, 1e-12);
    /* no cost of use on either side: the cheaper to have, at any hours */
    cost[PEAKER] = (assay_supply_cost_t){true, 50000.0, 0.0};
    cost[BASE].usd_per_h = 0.0;
    const assay_load_mix_t mix = mix_of(cost, seldom, 1, 4.0);
    assert_near(mix.usd, 4.0 * 43100.0, 1e-12);
    assert_int_equal(mix.n_range, 1);
    assert_near(assay_load_even_h(&cost[BASE], &cost[PEAKER]), 0.0, 1e-12);
    assert_true(isnan(assay_load_even_h(&cost[PEAKER], &cost[BASE])));
}

/* ---- every split of the nodes ---- */

#define LEVELS 4

typedef struct {
    const assay_supply_cost_t *cost;
    int order[ASSAY_SUPPLY_N]; /* cheapest to use first */
    double hours[LEVELS];      /* at 1, 2, ... nodes */
    int capacity[ASSAY_SUPPLY_N];
    double best;
} split_t;

/* Nodes that are there are used cheapest first, level by level. */
static double cost_of(const split_t *s) {
    double usd = 0.0;
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        usd += s->capacity[k] * s->cost[k].usd_per_year;
    }
    for (int level = 1; level <= LEVELS; level++) {
        int left = level;
        for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
            const int at = s->order[k];
            const int used = left < s->capacity[at] ? left : s->capacity[at];
            usd += used * s->hours[level - 1] * s->cost[at].usd_per_h;
            left -= used;
        }
    }
    return usd;
}

static void try_all(split_t *s, int way, int left) {
    if (way == ASSAY_SUPPLY_N - 1) {
        s->capacity[way] = left;
        s->best = fmin(s->best, cost_of(s));
        return;
    }
    for (int nodes = 0; nodes <= left; nodes++) {
        s->capacity[way] = nodes;
        try_all(s, way + 1, left - nodes);
    }
}

static void test_no_split_costs_less(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 1000; round++) {
        assay_supply_cost_t cost[ASSAY_SUPPLY_N];
        split_t s = {.cost = cost, .best = (double)INFINITY};
        assay_load_step_t load[LEVELS];
        double rest = 1.0, area = 0.0;
        for (uint64_t k = 0; k < ASSAY_SUPPLY_N; k++) {
            cost[k] = (assay_supply_cost_t){true, 60000.0 * assay_rng_uniform(1, round, 2 * k),
                                            10.0 * assay_rng_uniform(1, round, 2 * k + 1)};
            int at = (int)k;
            for (; at > 0 && cost[s.order[at - 1]].usd_per_h > cost[k].usd_per_h; at--) {
                s.order[at] = s.order[at - 1];
            }
            s.order[at] = (int)k;
        }
        for (int level = LEVELS; level > 0; level--) {
            const double share = rest * assay_rng_uniform(2, round, (uint64_t)level);
            load[LEVELS - level] = (assay_load_step_t){share, (double)level / LEVELS};
            s.hours[level - 1] = share * ASSAY_HOURS_PER_YEAR;
            area += level * s.hours[level - 1];
            rest -= share;
        }
        try_all(&s, 0, LEVELS);
        const assay_load_mix_t mix = mix_of(cost, load, LEVELS, LEVELS);
        assert_near(mix.usd, s.best, 1e-9);
        /* what is served is the area of the curve, by exactly the nodes of its peak */
        double node_h = 0.0, nodes = 0.0, usd = 0.0;
        for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
            node_h += mix.node_h_of[k];
            nodes += mix.nodes[k];
            usd += mix.usd_of[k];
            assert_true(mix.usd <= mix.alone_usd[k] * (1.0 + 1e-12));
        }
        assert_near(node_h, area, 1e-9);
        assert_near(mix.node_h, area, 1e-9);
        assert_near(nodes, LEVELS, 1e-12);
        assert_near(usd, mix.usd, 1e-12);
        /* within a range no other way costs less */
        for (uint32_t r = 0; r < mix.n_range; r++) {
            const double end = r + 1 < mix.n_range ? mix.range[r + 1].from_h : ASSAY_HOURS_PER_YEAR;
            const double h = 0.5 * (mix.range[r].from_h + end);
            const assay_supply_cost_t *own = &cost[mix.range[r].supply];
            for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
                assert_true(own->usd_per_year + own->usd_per_h * h <=
                            (cost[k].usd_per_year + cost[k].usd_per_h * h) * (1.0 + 1e-12));
            }
        }
    }
}

/* 8760 hours with loads of their own: the few slices, taken for a curve, ask for the same nodes of
   each way, for the same hours and money, as all hours do. A slice is had in the way that is
   cheapest at its hours. */
static void test_slices_choose_as_all_hours(void **state) {
    (void)state;
    enum { HOURS = 8760 };
    static assay_load_step_t all[HOURS];
    uint32_t most = 0;
    for (uint64_t round = 0; round < 200; round++) {
        assay_supply_cost_t cost[ASSAY_SUPPLY_N] = {{0}};
        for (uint64_t k = 0; k < ASSAY_SUPPLY_N; k++) { /* dear to have is cheap to use */
            const double u = assay_rng_uniform(3, round, 2 * k);
            cost[k] = (assay_supply_cost_t){
                true, 60000.0 * u, 12.0 * (1.0 - u) * assay_rng_uniform(3, round, 2 * k + 1)};
        }
        double load = 1.0;
        for (uint64_t h = 0; h < HOURS; h++) { /* falling, with steps and plateaus */
            const double u = assay_rng_uniform(4, round, h);
            all[h] = (assay_load_step_t){1.0 / HOURS, load};
            load -= u < 0.5 ? 0.0 : (u > 0.999 ? 0.1 : 1.5e-4 * u) * load;
        }
        assay_load_slice_t slice[ASSAY_LOAD_SLICES];
        const uint32_t n = assay_load_slices(cost, all, HOURS, 100.0, slice);
        const assay_load_mix_t mix = mix_of(cost, all, HOURS, 100.0);
        assay_load_step_t few[ASSAY_LOAD_SLICES];
        double left = mix.peak_nodes, before_h = 0.0;
        for (uint32_t k = 0; k < n; k++) {
            few[k] = (assay_load_step_t){(slice[k].hours - before_h) / ASSAY_HOURS_PER_YEAR,
                                         left / mix.peak_nodes};
            assert_true(slice[k].hours >= before_h);
            before_h = slice[k].hours;
            left = fmax(0.0, left - slice[k].nodes);
        }
        const assay_load_mix_t again = mix_of(cost, few, n, mix.peak_nodes);
        for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
            assay_test_close(again.nodes[k], mix.nodes[k], 1e-9, 1e-9, "nodes");
            assay_test_close(again.node_h_of[k], mix.node_h_of[k], 1e-9, 1e-6, "node-hours");
            assay_test_close(again.usd_of[k], mix.usd_of[k], 1e-9, 1e-6, "money");
        }
        most = n > most ? n : most;
    }
    assert_true(most > 20 && most <= ASSAY_LOAD_SLICES);
}

/* A node of 100,000 USD of which a fifth is left after 2 years at 10 %: (121,000 - 20,000)/2.1 =
   48,095.238 USD a year; 5 kW x 1.2 x 0.10 USD/kWh = 0.60 USD an hour. Rented at 10 USD/h; all
   hours of a year are 87,660 USD; on spot that waits a fifth of the time 12.50 USD/h. */
static void test_cost_by_hand(void **state) {
    (void)state;
    assay_money_case_t c = {.owned = true,
                            .moves = true,
                            .nodes = 4.0,
                            .racks = 2.0,
                            .job_h = 1000.0,
                            .epochs = 1.0,
                            .node_w = 5000.0,
                            .capex_usd = 100000.0,
                            .residual = 0.2,
                            .years = 2.0,
                            .rate = 0.10,
                            .utilisation = 0.3,
                            .labour_usd_per_day = 800.0,
                            .training_days = 30.0};
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        c.central[d] = d <= ASSAY_DRAW_RESIDUAL ? 1.0 : 0.0;
    }
    c.central[ASSAY_DRAW_ELECTRICITY] = 0.10;
    c.central[ASSAY_DRAW_PUE] = 1.2;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        c.draw[d] = assay_dist_fixed(c.central[d]);
    }
    const assay_supply_cost_t owned = assay_load_cost(&c, false);
    assert_near(owned.usd_per_year, 101000.0 / 2.1, 1e-9);
    assert_near(owned.usd_per_h, 0.60, 1e-9);
    c.owned = false;
    c.usd_per_h = 10.0;
    const assay_supply_cost_t rented = assay_load_cost(&c, false);
    assert_true(fabs(rented.usd_per_year) < 1e-6);
    assert_near(rented.usd_per_h, 10.0, 1e-9);
    const assay_supply_cost_t reserved = assay_load_cost(&c, true);
    assert_near(reserved.usd_per_year, 87660.0, 1e-9);
    assert_true(fabs(reserved.usd_per_h) < 1e-9);
    c.spot = true;
    c.central[ASSAY_DRAW_OF(SPOT_WAIT)] = 0.2;
    c.draw[ASSAY_DRAW_OF(SPOT_WAIT)] = assay_dist_fixed(0.2);
    assert_near(assay_load_cost(&c, false).usd_per_h, 12.5, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_ways_by_hand),
        cmocka_unit_test(test_three_ways_by_hand),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_no_split_costs_less),
        cmocka_unit_test(test_slices_choose_as_all_hours),
        cmocka_unit_test(test_cost_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
