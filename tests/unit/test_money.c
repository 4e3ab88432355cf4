/* Money against hand calculations. Every expected figure is worked out in the comment beside it. */
#include "assay_test.h"

#include "assay/money.h"

static const assay_money_spread_t no_spread = {0.5, 1.0, 1.0};

/* A cluster whose figures are easy by hand: 4 nodes at 100,000 USD, 3 a rack, 2 years at 10 %, used
   half of the time, 1000 h of work, 5 kW a node. */
static assay_money_case_t pinned_case(void) {
    assay_money_case_t c = {.owned = true,
                            .moves = true,
                            .nodes = 4.0,
                            .racks = 2.0,
                            .job_h = 1000.0,
                            .epochs = 2.0,
                            .node_w = 5000.0,
                            .capex_usd = 100000.0,
                            .residual = 0.2,
                            .years = 2.0,
                            .rate = 0.10,
                            .utilisation = 0.5,
                            .labour_usd_per_day = 800.0,
                            .training_days = 30.0,
                            .debt_days_per_year = 15.0,
                            .formula = ASSAY_TCO_CASH_FLOW};
    const double central[ASSAY_DRAW_N] = {
        [ASSAY_DRAW_STEP_COMMON] = 1.0,    [ASSAY_DRAW_STEP_OWN] = 1.0,
        [ASSAY_DRAW_PRICE] = 1.0,          [ASSAY_DRAW_POWER] = 1.0,
        [ASSAY_DRAW_LABOUR] = 1.0,         [ASSAY_DRAW_RESIDUAL] = 1.0,
        [ASSAY_DRAW_ELECTRICITY] = 0.10,   [ASSAY_DRAW_PUE] = 1.2,
        [ASSAY_DRAW_OPERATIONS] = 43830.0, [ASSAY_DRAW_LEVEL_1] = 10.0,
        [ASSAY_DRAW_LEVEL_2] = 15.0,       [ASSAY_DRAW_LEVEL_3] = 30.0,
        [ASSAY_DRAW_RETROFIT] = 6000.0,    [ASSAY_DRAW_CONTINGENCY] = 0.06};
    for (int k = 0; k < ASSAY_DRAW_N; k++) {
        c.central[k] = central[k];
        c.draw[k] = assay_dist_fixed(central[k]);
    }
    return c;
}

static assay_money_result_t eval(const assay_money_case_t *c) {
    assay_money_result_t result;
    assay_money_eval(c, NULL, &result);
    return result;
}

static double sum(const double term[ASSAY_TERM_N]) {
    double s = 0.0;
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        s += term[k];
    }
    return s;
}

/* factor a = 1/1.1 + 1/1.21 = 1.735537190; end 1/1.21 = 0.826446281; used 8766 x 0.5 = 4383 h a
   year; the job is 1000/4383 = 0.228154232 years of use. */
static void test_job_terms_by_hand(void **state) {
    (void)state;
    const assay_money_case_t c = pinned_case();
    const assay_money_result_t r = eval(&c);
    const double expected[ASSAY_TERM_N] = {
        [ASSAY_TERM_CAPEX] = 52584.118292537,    /* 400,000/a x 0.228154232 */
        [ASSAY_TERM_RESIDUAL] = -8691.589800419, /* -0.2 x 400,000 x end/a x 0.228154232 */
        [ASSAY_TERM_RETROFIT] = 1577.523548776,  /* 2 racks x 6000/a x 0.228154232 */
        [ASSAY_TERM_ENERGY] = 2400.0,            /* 5 kW x 1.2 x 0.10 x 4 nodes x 1000 h */
        [ASSAY_TERM_OPERATIONS] = 10000.0,       /* 43,830 x 1000/4383 */
        [ASSAY_TERM_MIGRATION_1] = 8000.0,       /* 10 x 800 */
        [ASSAY_TERM_MIGRATION_2] = 12000.0,      /* 15 x 800 */
        [ASSAY_TERM_MIGRATION_3] = 24000.0,      /* 30 x 800 */
        [ASSAY_TERM_TRAINING] = 24000.0,         /* 30 x 800 */
        [ASSAY_TERM_DEBT] = 12000.0,             /* 15 x 800, a year although the run is shorter */
        [ASSAY_TERM_CONTINGENCY] = 4080.0,       /* 0.06 x (8000 + 12,000 + 24,000 + 24,000) */
    };
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        assay_test_close(r.job_term_usd[k], expected[k], 1e-9, 1e-9,
                         assay_term_name((assay_term_t)k));
    }
    assay_test_close(r.job_usd, 141950.052040894, 1e-12, 0.0, "job"); /* their sum */
    assay_test_close(r.per_epoch_usd, 70975.026020447, 1e-12, 0.0, "per epoch");
    /* 8000 + 12,000 + 24,000 + 24,000 + 4080 + 12,000 */
    assay_test_close(r.one_time_usd, 84080.0, 1e-12, 0.0, "one time");
    /* (141,950.052 - 84,080)/1000 h, and again by 4 nodes */
    assay_test_close(r.rate_usd_per_h, 57.870052041, 1e-9, 0.0, "rate");
    assay_test_close(r.node_h_usd, 14.467513010, 1e-9, 0.0, "node-hour");
    assay_test_close(r.energy_kwh, 24000.0, 1e-12, 0.0, "kWh"); /* 5 x 1.2 x 4 x 1000 */
    assay_test_close(r.days, 1000.0 / 24.0, 1e-15, 0.0, "days");
}

static void test_tco_terms_by_hand(void **state) {
    (void)state;
    const assay_money_case_t c = pinned_case();
    const assay_money_result_t r = eval(&c);
    const double expected[ASSAY_TERM_N] = {
        [ASSAY_TERM_CAPEX] = 400000.0,
        [ASSAY_TERM_RESIDUAL] = -66115.702479339,  /* -0.2 x 400,000/1.21 */
        [ASSAY_TERM_RETROFIT] = 12000.0,           /* 2 x 6000 */
        [ASSAY_TERM_ENERGY] = 18256.462809917,     /* 2.4 USD/h x 4383 h x a */
        [ASSAY_TERM_OPERATIONS] = 76068.595041322, /* 43,830 x a */
        [ASSAY_TERM_MIGRATION_1] = 8000.0,
        [ASSAY_TERM_MIGRATION_2] = 12000.0,
        [ASSAY_TERM_MIGRATION_3] = 24000.0,
        [ASSAY_TERM_TRAINING] = 24000.0,
        [ASSAY_TERM_DEBT] = 20826.446280992, /* 12,000 x a */
        [ASSAY_TERM_CONTINGENCY] = 4080.0,
    };
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        assay_test_close(r.tco_term_usd[k], expected[k], 1e-9, 1e-9,
                         assay_term_name((assay_term_t)k));
    }
    assay_test_close(r.tco_cash_flow_usd, 533115.801652893, 1e-12, 0.0, "cash flow");
    assay_test_close(r.tco_usd, r.tco_cash_flow_usd, 0.0, 0.0, "by the case's formula");
    /* the same with 400,000/1.21 = 330,578.512 for the servers */
    assay_test_close(r.tco_article_usd, 463694.314049587, 1e-12, 0.0, "article");
}

static void test_article_formula_discounts_servers_only(void **state) {
    (void)state;
    assay_money_case_t c = pinned_case();
    const assay_money_result_t cash = eval(&c);
    c.formula = ASSAY_TCO_ARTICLE;
    const assay_money_result_t article = eval(&c);
    assay_test_close(article.tco_term_usd[ASSAY_TERM_CAPEX], 400000.0 / 1.21, 1e-14, 0.0, "capex");
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        if (k != ASSAY_TERM_CAPEX) {
            assay_test_close(article.tco_term_usd[k], cash.tco_term_usd[k], 0.0, 0.0,
                             assay_term_name((assay_term_t)k));
        }
    }
    assay_test_close(article.tco_usd, cash.tco_article_usd, 0.0, 0.0, "article");
    assay_test_close(article.tco_cash_flow_usd, cash.tco_cash_flow_usd, 0.0, 0.0, "cash flow");
    assay_test_close(article.job_usd, cash.job_usd, 0.0, 0.0, "the job does not know the formula");
}

static void test_rented_by_hand(void **state) {
    (void)state;
    assay_money_case_t c = pinned_case();
    c.owned = false;
    c.moves = false;
    c.usd_per_h = 20.0;
    const assay_money_result_t r = eval(&c);
    /* 20 x 4 x 1000 h; staff for 1000 of 8766 hours: 43,830/8.766 = 5000 */
    assay_test_close(r.job_term_usd[ASSAY_TERM_RENT], 80000.0, 1e-12, 0.0, "rent");
    assay_test_close(r.job_term_usd[ASSAY_TERM_OPERATIONS], 5000.0, 1e-12, 0.0, "operations");
    assay_test_close(r.job_usd, 85000.0, 1e-12, 0.0, "nothing else");
    assay_test_close(r.one_time_usd, 0.0, 0.0, 0.0, "does not move");
    assay_test_close(r.energy_kwh, 24000.0, 1e-12, 0.0, "energy is used, if not paid apart");
    /* 80 USD/h x 4383 h x 1.735537190 + 76,068.595 */
    assay_test_close(r.tco_usd, 80.0 * 4383.0 * (1 / 1.1 + 1 / 1.21) + 76068.595041322, 1e-12, 0.0,
                     "tco");
    assay_test_close(r.tco_article_usd, r.tco_usd, 0.0, 0.0, "no hardware, no difference");
}

static void test_debt_grows_with_the_years_of_a_long_run(void **state) {
    (void)state;
    assay_money_case_t c = pinned_case();
    c.job_h = 2.5 * ASSAY_HOURS_PER_YEAR;
    const assay_money_result_t r = eval(&c);
    assay_test_close(r.job_term_usd[ASSAY_TERM_DEBT], 30000.0, 1e-12, 0.0, "2.5 x 12,000");
    assay_test_close(r.one_time_usd, 84080.0, 1e-12, 0.0, "holds the first year's debt");
    assay_test_close(r.one_time_usd + r.rate_usd_per_h * r.hours, r.job_usd, 1e-12, 0.0, "whole");
}

static void test_annuity(void **state) {
    (void)state;
    /* 1/1.1 + 1/1.21 + 0.5/1.1^2.5 with 1.1^2.5 = 1.269059 */
    assay_test_close(assay_money_annuity_factor(0.1, 2.5), 2.129529996, 1e-9, 0.0, "partial year");
    assay_test_close(assay_money_annuity_factor(0.1, 0.5), 0.476731295, 1e-9, 0.0, "half a year");
    assay_test_close(assay_money_annuity_factor(0.0, 4.25), 4.25, 1e-15, 0.0, "r = 0");
    /* (100,000 - 20,000)/4 */
    assay_test_close(assay_money_annuity(100000.0, 20000.0, 0.0, 4.0), 20000.0, 1e-15, 0.0,
                     "straight line");
    assay_test_close(assay_money_annuity(1e5, 2e4, 1e-10, 4.0),
                     assay_money_annuity(1e5, 2e4, 0.0, 4.0), 1e-9, 0.0, "limit r to 0");
    /* closed form for whole years: (C - S v) r/(1 - v), v = 1.08^-5 = 0.680583197 */
    const double v = 1.0 / (1.08 * 1.08 * 1.08 * 1.08 * 1.08);
    assay_test_close(assay_money_annuity(128000.0, 12800.0, 0.08, 5.0),
                     (128000.0 - 12800.0 * v) * 0.08 / (1.0 - v), 1e-13, 0.0, "closed form");
    for (double years = 0.25; years <= ASSAY_YEARS_MAX; years += 0.75) {
        assay_test_close(assay_money_annuity(1e6, 0.0, 0.09, years) *
                             assay_money_annuity_factor(0.09, years),
                         1e6, 1e-13, 0.0, "payments are worth the capital");
    }
}

/* A published-price check, worked out apart from this program: 5 years, 8 %, 10 % residual, used
   75 %, PUE 1.3, 0.10 USD/kWh; an 8 x A100 node draws 75 % of 3.6 kW, an 8 x MI250X node 75 %
   of 5.7. For 128,000 USD: residual's present value 12,800/1.469328 = 8711.5; (128,000 - 8711.5) x
   0.2504565 = 29,876.6 a year; /6574.5 h = 4.544; energy 2.7 x 1.3 x 0.1 = 0.351; together 4.895.
 */
static void test_node_hour_table(void **state) {
    (void)state;
    const struct {
        double capex_usd, node_w, node_h_usd;
    } row[] = {{128e3, 2700.0, 4.90},
               {166e3, 2700.0, 6.24},
               {93e3, 4275.0, 3.86},
               {150e3, 4275.0, 5.88},
               {190e3, 4275.0, 7.30}};
    double cost[5];
    for (int k = 0; k < 5; k++) {
        assay_money_case_t c = pinned_case();
        c.moves = false;
        c.racks = 0.0;
        c.central[ASSAY_DRAW_OPERATIONS] = 0.0;
        c.central[ASSAY_DRAW_PUE] = 1.3;
        c.years = 5.0;
        c.rate = 0.08;
        c.residual = 0.1;
        c.utilisation = 0.75;
        c.capex_usd = row[k].capex_usd;
        c.node_w = row[k].node_w;
        const assay_money_result_t r = eval(&c);
        assay_test_close(r.node_h_usd, row[k].node_h_usd, 0.0, 0.005, "node-hour");
        cost[k] = r.job_usd;
    }
    /* cost of the same work at 0.8, 0.9 and 1.0 of the A100 node's speed: job hours / speed */
    const struct {
        int a100, mi250x;
        double change[3];
    } pair[] = {{0, 2, {-0.015, -0.12, -0.21}},
                {1, 2, {-0.23, -0.31, -0.38}},
                {0, 3, {0.50, 0.33, 0.20}},
                {1, 4, {0.46, 0.30, 0.17}}};
    const double speed[3] = {0.8, 0.9, 1.0};
    for (int k = 0; k < 4; k++) {
        for (int s = 0; s < 3; s++) {
            assay_test_close(cost[pair[k].mi250x] / cost[pair[k].a100] / speed[s] - 1.0,
                             pair[k].change[s], 0.0, 0.005, "cost per epoch against A100");
        }
    }
}

static assay_machine_t test_machine(void) {
    return (assay_machine_t){.id = "node",
                             .nodes = 10,
                             .packages_per_node = 8,
                             .devices_per_package = 2,
                             .devices_per_node = 16,
                             .devices = 160,
                             .host_w = assay_fact_exact(1000.0, "test"),
                             .capex_usd = {93e3, 80e3, 110e3, "test", 0, true},
                             .nodes_per_rack = 3.0,
                             .retrofit_usd_per_rack = {6500.0, 5000.0, 8000.0, "test", 0, true},
                             .needs_migration = true};
}

static assay_money_input_t test_money_input(void) {
    return (assay_money_input_t){.currency = "USD",
                                 .years = 3.0,
                                 .discount_rate = 0.09,
                                 .utilisation = 0.75,
                                 .residual = 0.1,
                                 .electricity_usd_per_kwh = assay_fact_exact(0.1, "test"),
                                 .pue = assay_fact_exact(1.3, "test"),
                                 .contingency = {0.065, 0.05, 0.08, "A15", 0, true},
                                 .level_days = {{10.0, 5.0, 15.0, "A6", 0, true},
                                                {15.0, 10.0, 20.0, "A6", 0, true},
                                                {30.0, 20.0, 40.0, "A6", 0, true}},
                                 .labour_usd_per_day = 800.0,
                                 .training_h_per_engineer = 80.0,
                                 .engineers = 3.0,
                                 .debt_days_per_year = 15.0};
}

static const assay_workload_t test_work = {.tokens = 3.6e9, .epochs = 2.0};
static const assay_estimate_t test_estimate = {
    .step_s = 1.0, .tokens_per_s = 1e4, .device_w = 250.0, .rel_p10 = 0.9, .rel_p90 = 1.2};

static void test_case_from_what_resolve_gives(void **state) {
    (void)state;
    assay_machine_t machine = test_machine();
    const assay_money_input_t money = test_money_input();
    assay_money_case_t c;
    assay_money_case(&money, &machine, &test_work, &test_estimate, &no_spread, &c);
    assert_true(c.owned && c.moves);
    assay_test_close(c.job_h, 100.0, 1e-15, 0.0, "3.6e9/1e4/3600");
    assay_test_close(c.node_w, 5000.0, 1e-15, 0.0, "16 x 250 + 1000");
    assay_test_close(c.racks, 4.0, 0.0, 0.0, "10 nodes, 3 a rack, whole racks");
    assay_test_close(c.training_days, 30.0, 1e-15, 0.0, "80 h x 3 / 8");
    assay_test_close(c.central[ASSAY_DRAW_RETROFIT], 6500.0, 0.0, 0.0, "retrofit");
    assert_int_equal(c.draw[ASSAY_DRAW_POWER].kind, ASSAY_DIST_FIXED);
    assay_test_close(c.central[ASSAY_DRAW_OPERATIONS], 0.0, 0.0, 0.0, "unknown costs nothing");
    /* quantiles of the relative price: 80/93 and 110/93 around 1 */
    assay_test_close(assay_dist_quantile(&c.draw[ASSAY_DRAW_PRICE], 0.1), 80.0 / 93.0, 1e-9, 0.0,
                     "p10");
    assay_test_close(assay_dist_quantile(&c.draw[ASSAY_DRAW_PRICE], 0.5), 1.0, 1e-9, 0.0, "p50");
    assay_test_close(assay_dist_quantile(&c.draw[ASSAY_DRAW_PRICE], 0.9), 110.0 / 93.0, 1e-9, 0.0,
                     "p90");

    machine.node_nameplate_w = assay_fact_exact(4200.0, "test");
    machine.nodes_per_rack = 0.0;
    assay_money_case(&money, &machine, &test_work, &test_estimate, &no_spread, &c);
    assay_test_close(c.node_w, 4200.0, 0.0, 0.0, "at most the nameplate");
    assay_test_close(c.racks, 10.0, 0.0, 0.0, "a rack of unknown size holds one node");

    /* 4,000 W by the model: 25 % more would be 5,000, but the nameplate is 4,200 */
    c.node_w = 4000.0;
    c.draw[ASSAY_DRAW_POWER] = assay_dist_fixed(1.25);
    double u[ASSAY_DRAW_N];
    for (int k = 0; k < ASSAY_DRAW_N; k++) {
        u[k] = 0.5;
    }
    assay_money_result_t middle, drawn;
    assay_money_eval(&c, NULL, &middle);
    assay_money_eval(&c, u, &drawn);
    assay_test_close(drawn.energy_kwh / drawn.hours / (middle.energy_kwh / middle.hours),
                     4200.0 / 4000.0, 1e-9, 0.0, "nor in any sample");
}

/* sigma^2 = sigma_common^2 + sigma_own^2 on either side of the median. */
static void test_step_error_splits_by_variance(void **state) {
    (void)state;
    const assay_machine_t machine = test_machine();
    const assay_money_input_t money = test_money_input();
    const assay_money_spread_t spread = {0.36, 1.0, 1.0};
    assay_money_case_t c;
    assay_money_case(&money, &machine, &test_work, &test_estimate, &spread, &c);
    const double u[2] = {0.1, 0.9};
    const double whole[2] = {log(0.9), log(1.2)};
    for (int k = 0; k < 2; k++) {
        const double common = log(assay_dist_quantile(&c.draw[ASSAY_DRAW_STEP_COMMON], u[k]));
        const double own = log(assay_dist_quantile(&c.draw[ASSAY_DRAW_STEP_OWN], u[k]));
        assay_test_close(common, 0.6 * whole[k], 1e-8, 0.0, "sqrt(0.36)");
        assay_test_close(own, 0.8 * whole[k], 1e-8, 0.0, "sqrt(1 - 0.36)");
    }
    /* a biased prediction: the interval leaves 1 out, its middle goes to the machine's own error */
    assay_estimate_t biased = test_estimate;
    biased.rel_p10 = 1.1;
    biased.rel_p90 = 1.6;
    assay_money_case(&money, &machine, &test_work, &biased, &spread, &c);
    assay_test_close(assay_dist_quantile(&c.draw[ASSAY_DRAW_STEP_COMMON], 0.5), 1.0, 1e-9, 0.0,
                     "common");
    assay_test_close(assay_dist_quantile(&c.draw[ASSAY_DRAW_STEP_OWN], 0.5), sqrt(1.1 * 1.6), 1e-9,
                     0.0, "own");
}

static void test_medians_give_the_central_result(void **state) {
    (void)state;
    const assay_machine_t machine = test_machine();
    const assay_money_input_t money = test_money_input();
    const assay_money_spread_t spread = {0.5, 0.8, 1.2};
    assay_money_case_t c;
    assay_money_case(&money, &machine, &test_work, &test_estimate, &spread, &c);
    double u[ASSAY_DRAW_N];
    for (int k = 0; k < ASSAY_DRAW_N; k++) {
        u[k] = 0.5;
    }
    assay_money_result_t at_medians;
    assay_money_eval(&c, u, &at_medians);
    const assay_money_result_t central = eval(&c);
    assay_test_close(at_medians.job_usd, central.job_usd, 1e-9, 0.0, "job");
    assay_test_close(at_medians.tco_usd, central.tco_usd, 1e-9, 0.0, "tco");
}

/* A small linear congruential generator: the properties below hold for any case. */
static double next_uniform(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed + 0.5) / 4294967296.0;
}

static assay_money_case_t random_case(uint32_t *seed) {
    assay_money_case_t c = pinned_case();
    c.owned = next_uniform(seed) < 0.7;
    c.moves = next_uniform(seed) < 0.5;
    c.nodes = 1.0 + floor(300.0 * next_uniform(seed));
    c.racks = ceil(c.nodes / 4.0);
    c.job_h = 20000.0 * next_uniform(seed);
    c.node_w = 8000.0 * next_uniform(seed);
    c.capex_usd = 3e5 * next_uniform(seed);
    c.usd_per_h = 100.0 * next_uniform(seed);
    c.residual = 0.9 * next_uniform(seed);
    c.years = 0.5 + 7.0 * next_uniform(seed);
    c.rate = 0.3 * next_uniform(seed);
    c.utilisation = 0.05 + 0.95 * next_uniform(seed);
    c.formula = next_uniform(seed) < 0.5 ? ASSAY_TCO_ARTICLE : ASSAY_TCO_CASH_FLOW;
    return c;
}

static void test_dollars_are_conserved(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        const assay_money_case_t c = random_case(&seed);
        const assay_money_result_t r = eval(&c);
        assay_test_close(sum(r.job_term_usd), r.job_usd, 0.0, 0.0, "job terms");
        assay_test_close(sum(r.tco_term_usd), r.tco_usd, 0.0, 0.0, "tco terms");
        assay_test_close(r.one_time_usd + r.rate_usd_per_h * r.hours, r.job_usd, 1e-12, 0.0,
                         "one time and rate");
        if (!c.moves) {
            assay_test_close(r.one_time_usd, 0.0, 0.0, 0.0, "only movers pay for moving");
            assay_test_close(r.node_h_usd * c.nodes * r.hours, r.job_usd, 1e-12, 0.0, "node-hours");
        }
        assert_true(r.tco_article_usd <= r.tco_cash_flow_usd);
    }
}

static void test_dearer_is_never_cheaper(void **state) {
    (void)state;
    static const assay_draw_t draw[] = {
        ASSAY_DRAW_STEP_COMMON, ASSAY_DRAW_STEP_OWN, ASSAY_DRAW_PRICE,      ASSAY_DRAW_POWER,
        ASSAY_DRAW_ELECTRICITY, ASSAY_DRAW_PUE,      ASSAY_DRAW_OPERATIONS, ASSAY_DRAW_LEVEL_1,
        ASSAY_DRAW_LEVEL_2,     ASSAY_DRAW_LEVEL_3,  ASSAY_DRAW_RETROFIT,   ASSAY_DRAW_CONTINGENCY};
    uint32_t seed = 2;
    for (int i = 0; i < 500; i++) {
        const assay_money_case_t c = random_case(&seed);
        const assay_money_result_t before = eval(&c);
        for (size_t k = 0; k < sizeof draw / sizeof *draw; k++) {
            assay_money_case_t dearer = c;
            dearer.central[draw[k]] *= 1.3;
            const assay_money_result_t after = eval(&dearer);
            assert_true(after.job_usd >= before.job_usd);
            assert_true(after.tco_usd >= before.tco_usd);
        }
        assay_money_case_t idle = c; /* the same hardware, used less: the job's share grows */
        idle.utilisation *= 0.5;
        assert_true(eval(&idle).job_usd >= before.job_usd);
    }
}

static void test_scales_with_nodes_and_currency(void **state) {
    (void)state;
    assay_money_case_t c = pinned_case();
    c.moves = false;
    c.central[ASSAY_DRAW_OPERATIONS] = 0.0;
    const assay_money_result_t one = eval(&c);
    c.nodes *= 3.0;
    c.racks *= 3.0;
    assay_test_close(eval(&c).job_usd, 3.0 * one.job_usd, 1e-13, 0.0, "three times the cluster");
    c.job_h /= 3.0;
    assay_test_close(eval(&c).job_usd, one.job_usd, 1e-13, 0.0, "the same node-hours");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_job_terms_by_hand),
        cmocka_unit_test(test_tco_terms_by_hand),
        cmocka_unit_test(test_article_formula_discounts_servers_only),
        cmocka_unit_test(test_rented_by_hand),
        cmocka_unit_test(test_debt_grows_with_the_years_of_a_long_run),
        cmocka_unit_test(test_annuity),
        cmocka_unit_test(test_node_hour_table),
        cmocka_unit_test(test_case_from_what_resolve_gives),
        cmocka_unit_test(test_step_error_splits_by_variance),
        cmocka_unit_test(test_medians_give_the_central_result),
        cmocka_unit_test(test_dollars_are_conserved),
        cmocka_unit_test(test_dearer_is_never_cheaper),
        cmocka_unit_test(test_scales_with_nodes_and_currency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
