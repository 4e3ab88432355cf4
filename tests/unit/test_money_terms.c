/* Terms that a job asks for, payments over the years, and many samples at once. The cluster is that
   of test_money.c: 4 nodes at 100,000 USD, two a rack, 2 years at 10 %, used half of the time, 1000
   h of work, 5 kW a node (6 kW nameplate), 8 accelerators and 8 ports each. a = 1/1.1 + 1/1.21
   = 1.735537190; the job is 1000/4383 = 0.228154232 years of use. */
#include "assay_test.h"

#include "assay/goodput.h"
#include "assay/money.h"
#include "assay/rng.h"

static assay_money_case_t plain_case(void) {
    assay_money_case_t c = {.owned = true,
                            .nodes = 4.0,
                            .racks = 2.0,
                            .packages = 32.0,
                            .ports = 32.0,
                            .job_h = 1000.0,
                            .epochs = 1.0,
                            .node_w = 5000.0,
                            .node_max_w = 6000.0,
                            .capex_usd = 100000.0,
                            .residual = 0.2,
                            .years = 2.0,
                            .rate = 0.10,
                            .utilisation = 0.5,
                            .labour_usd_per_day = 800.0,
                            .training_days = 30.0,
                            .debt_days_per_year = 15.0,
                            .engineers = 3.0};
    for (int d = 0; d <= ASSAY_DRAW_RESIDUAL; d++) {
        c.central[d] = 1.0;
    }
    c.central[ASSAY_DRAW_ELECTRICITY] = 0.10;
    c.central[ASSAY_DRAW_PUE] = 1.2;
    c.central[ASSAY_DRAW_LEVEL_1] = 10.0;
    c.central[ASSAY_DRAW_LEVEL_2] = 15.0;
    c.central[ASSAY_DRAW_LEVEL_3] = 30.0;
    c.central[ASSAY_DRAW_CONTINGENCY] = 0.06;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        c.draw[d] = assay_dist_fixed(c.central[d]);
    }
    return c;
}

static void set_option(assay_money_case_t *c, int draw, double value) {
    c->central[draw] = value;
    c->draw[draw] = assay_dist_fixed(value);
}

static assay_money_result_t eval(const assay_money_case_t *c) {
    assay_money_result_t result;
    assay_money_eval(c, NULL, &result);
    return result;
}

static void test_terms_by_hand(void **state) {
    (void)state;
    const struct {
        assay_term_t term;
        int draw[3];
        double value[3];
        double job_usd, tco_usd;
    } row[] = {
        /* 400,000 x 0.19/0.81 as capital */
        {ASSAY_TERM_NETWORK, {ASSAY_DRAW_OF(NETWORK_SHARE)}, {0.19}, 12334.546266, 93827.160494},
        /* 2 racks */
        {ASSAY_TERM_RACK, {ASSAY_DRAW_OF(RACK)}, {3000}, 788.761774, 6000},
        {ASSAY_TERM_DUTY, {ASSAY_DRAW_OF(DUTY)}, {0.1}, 5258.411829, 40000},
        /* 24 kW of nameplate x 10,000, spread over 15 years at 10 %: /7.606079506 a year */
        {ASSAY_TERM_FACILITY,
         {ASSAY_DRAW_OF(FACILITY), ASSAY_DRAW_OF(FACILITY_YEARS)},
         {10000, 15},
         7199.111671,
         54762.631034},
        /* 24 kW x 190 x 12 a year */
        {ASSAY_TERM_COLOCATION, {ASSAY_DRAW_OF(COLOCATION)}, {190}, 12484.599589, 94968.595041},
        /* 24 kW x PUE 1.2 x 15 x 12 a year */
        {ASSAY_TERM_DEMAND, {ASSAY_DRAW_OF(DEMAND)}, {15}, 1182.751540, 8997.024793},
        /* 0.05 x 400,000 a year */
        {ASSAY_TERM_SUPPORT, {ASSAY_DRAW_OF(SUPPORT)}, {0.05}, 4563.084645, 34710.743802},
        /* kept: 400,000 x 0.11 x 30/365.25; exchanged: 32 x 0.11 x 500 a year */
        {ASSAY_TERM_SPARES,
         {ASSAY_DRAW_OF(FAILURES), ASSAY_DRAW_OF(SPARE_LEAD), ASSAY_DRAW_OF(RMA)},
         {0.11, 30, 500},
         876.644099,
         6668.508494},
        {ASSAY_TERM_LICENCE, {ASSAY_DRAW_OF(LICENCE)}, {4500}, 32854.209446, 249917.355372},
        {ASSAY_TERM_PROPERTY_TAX, {ASSAY_DRAW_OF(PROPERTY_TAX)}, {0.01}, 912.616929, 6942.148760},
        /* 100 TB x 40 x 12 a year */
        {ASSAY_TERM_STORAGE,
         {ASSAY_DRAW_OF(STORAGE), ASSAY_DRAW_OF(STORED)},
         {40, 1e14},
         10951.403149,
         83305.785124},
        /* 20 kW x 1.2 x 400 g x 80 USD/t: 0.768 USD an hour */
        {ASSAY_TERM_CARBON,
         {ASSAY_DRAW_OF(CARBON_PRICE), ASSAY_DRAW_OF(INTENSITY)},
         {80, 400},
         768.0,
         5842.068099},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        assay_money_case_t c = plain_case();
        c.licensed = true;
        const assay_money_result_t without = eval(&c);
        for (int k = 0; k < 3; k++) {
            if (row[r].draw[k]) {
                set_option(&c, row[r].draw[k], row[r].value[k]);
            }
        }
        const assay_money_result_t with = eval(&c);
        const char *name = assay_term_name(row[r].term);
        assay_test_close(without.job_term_usd[row[r].term], 0.0, 0.0, 0.0, name);
        assay_test_close(with.job_term_usd[row[r].term], row[r].job_usd, 1e-8, 0.0, name);
        assay_test_close(with.tco_term_usd[row[r].term], row[r].tco_usd, 1e-8, 0.0, name);
        assay_test_close(with.job_usd - without.job_usd, row[r].job_usd, 1e-8, 0.0, "nothing else");
        assay_test_close(with.tco_usd - without.tco_usd, row[r].tco_usd, 1e-8, 0.0, "nothing else");
    }
}

static void test_network_by_port(void **state) {
    (void)state;
    assay_money_case_t c = plain_case();
    set_option(&c, ASSAY_DRAW_OF(NETWORK_PORT), 1000);
    set_option(&c, ASSAY_DRAW_OF(SWITCH_PORT), 500);
    set_option(&c, ASSAY_DRAW_OF(SWITCH_RADIX), 64);
    /* 32 ports fit one switch: 32 x (1000 + 500) */
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_NETWORK], 48000, 1e-12, 0.0, "one switch");
    c.ports = 2048; /* 64^2/2: two levels, 3 ports of switches each */
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_NETWORK], 2048 * (1000 + 3 * 500.0), 1e-12,
                     0.0, "two levels");
    c.ports = 2049;
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_NETWORK], 2049 * (1000 + 5 * 500.0), 1e-12,
                     0.0, "three levels");
}

static void test_years_that_differ(void **state) {
    (void)state;
    assay_money_case_t c = plain_case();
    set_option(&c, ASSAY_DRAW_OPERATIONS, 43830);
    set_option(&c, ASSAY_DRAW_OF(INFLATION), 0.05);
    /* 43,830 (1/1.1 + 1.05/1.21) */
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_OPERATIONS], 77879.752066116, 1e-12, 0.0,
                     "inflation");
    c = plain_case();
    set_option(&c, ASSAY_DRAW_OF(GROWTH), 0.5);
    /* 2.4 USD/h x 8766 h x (0.5/1.1 + 0.75/1.21) */
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_ENERGY], 22603.239669421, 1e-12, 0.0,
                     "growth");
    set_option(&c, ASSAY_DRAW_OF(GROWTH), 9.0); /* an owned machine stops at all hours */
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_ENERGY], 2.4 * 8766 * (0.5 / 1.1 + 1 / 1.21),
                     1e-12, 0.0, "at most all hours");
}

static void test_rented_terms(void **state) {
    (void)state;
    assay_money_case_t c = plain_case();
    c.owned = false;
    c.usd_per_h = 20.0;
    set_option(&c, ASSAY_DRAW_OF(PRICE_DECLINE), 0.2);
    /* 80 USD/h x 4383 h x (1/1.1 + 0.8/1.21) */
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_RENT], 550591.735537190, 1e-12, 0.0, "falls");
    c = plain_case();
    c.owned = false;
    c.usd_per_h = 20.0;
    c.committed = 1.0; /* twice the hours that are used are paid */
    assay_test_close(eval(&c).job_term_usd[ASSAY_TERM_RENT], 160000.0, 1e-12, 0.0, "committed");
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_RENT], 1217097.520661157, 1e-12, 0.0, "all");
    c.committed = 0.3; /* less than is used: binds nobody */
    assay_test_close(eval(&c).job_term_usd[ASSAY_TERM_RENT], 80000.0, 1e-12, 0.0, "partial");
    c.committed = 0.0;
    set_option(&c, ASSAY_DRAW_OF(EGRESS), 0.09);
    set_option(&c, ASSAY_DRAW_OF(EGRESS_BYTES), 5e12);
    /* 5000 GB x 0.09, and 4.383 runs a year */
    assay_test_close(eval(&c).job_term_usd[ASSAY_TERM_EGRESS], 450.0, 1e-12, 0.0, "a run");
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_EGRESS], 450 * 4.383 * 1.735537190, 1e-9, 0.0,
                     "every run");
}

static void test_move_that_waits(void **state) {
    (void)state;
    assay_money_case_t c = plain_case();
    c.moves = c.machines_wait = true;
    set_option(&c, ASSAY_DRAW_OF(REVIEW_WAIT), 5);
    /* (55/3 + 5) working days x 7/5 x 400,000/a/365.25 */
    assay_test_close(eval(&c).job_term_usd[ASSAY_TERM_WAIT], 20612.974370675, 1e-12, 0.0, "wait");
    assay_test_close(eval(&c).move_days, (55.0 / 3 + 5) * 1.4, 1e-12, 0.0, "calendar");
    c = plain_case();
    c.moves = true;
    set_option(&c, ASSAY_DRAW_OF(DEBT_SHARE), 0.2); /* of 55 days */
    assay_test_close(eval(&c).job_term_usd[ASSAY_TERM_DEBT], 0.2 * 55 * 800, 1e-12, 0.0, "share");
}

/* 25 %: operating costs and residual at once, capital as a straight line over 2 years writes it
   off: (1/1.1 + 1/1.21)/2 = 0.867768595. */
static void test_income_tax(void **state) {
    (void)state;
    assay_money_case_t c = plain_case();
    c.depreciation_pv = 0.8677685950413223;
    const assay_money_result_t before = eval(&c);
    set_option(&c, ASSAY_DRAW_OF(INCOME_TAX), 0.25);
    const assay_money_result_t after = eval(&c);
    const double energy = before.tco_term_usd[ASSAY_TERM_ENERGY];
    const double residual = before.tco_term_usd[ASSAY_TERM_RESIDUAL];
    assay_test_close(after.tco_term_usd[ASSAY_TERM_TAX],
                     -0.25 * (400000 * 0.8677685950413223 + energy + residual), 1e-12, 0.0, "tax");
    assay_test_close(after.tco_usd, before.tco_usd + after.tco_term_usd[ASSAY_TERM_TAX], 1e-12, 0.0,
                     "sum");
}

/* 4 nodes x 5 kW x PUE 1.2 x 1000 h = 24 MWh for 1e9 tokens: 86.4 J each, .8 of it before PUE in
   the accelerators, 57.6 J. Power within .8 and 1.15, the step within .9 and 1.2 in 8 of 10 cases.
 */
static void test_token_energy(void **state) {
    (void)state;
    assay_money_case_t c = plain_case();
    assay_token_energy_t e;
    assert_false(assay_money_token_energy(&c, &(assay_money_result_t){0}, &e)); /* no tokens */
    c.tokens = 1e9;
    c.packages_w = 4000;
    c.draw[ASSAY_DRAW_POWER] = assay_dist_lognormal_p10_p50_p90(0.8, 1.0, 1.15);
    c.draw[ASSAY_DRAW_STEP_OWN] = assay_dist_lognormal_p10_p50_p90(0.9, 1.0, 1.2);
    const assay_money_result_t point = eval(&c);
    assert_true(assay_money_token_energy(&c, &point, &e));
    assay_test_close(e.v, 86.4, 1e-12, 0.0, "at the meter");
    assay_test_close(e.v * c.tokens, point.energy_kwh * 3.6e6, 1e-12, 0.0, "all tokens");
    assay_test_close(e.packages, 57.6, 1e-12, 0.0, "accelerators");
    assay_test_close(e.host_share, 0.2, 1e-12, 0.0, "hosts");
    assay_test_close(log(e.p10 / e.v), -hypot(log(0.8), log(0.9)), 1e-6, 0.0, "p10");
    assay_test_close(log(e.p90 / e.v), hypot(log(1.15), log(1.2)), 1e-6, 0.0, "p90");
}

/* Daly's expected wall time at 16,384 devices, 50,700 h each, checkpoints of 60 s, restarts of 600
   s, computed apart from this program (Python, math.exp): interval 1116.5537 s, useful 0.8525924.
 */
static void test_goodput(void **state) {
    (void)state;
    assay_goodput_t parts;
    assay_test_close(assay_goodput(16384 / 50700.0, 60, 600, &parts), 0.8525924113481055, 1e-9, 0.0,
                     "Daly");
    assay_test_close(parts.interval_s, 1116.5537280806889, 1e-9, 0.0, "interval");
    /* of an hour .85259 x 60/1116.55 is writing; the rest of what is lost falls on .3232 stops */
    assay_test_close(parts.checkpoint_share, 0.8525924113481055 * 60 / 1116.5537280806889, 1e-9,
                     0.0, "writing");
    assay_test_close(parts.stop_s * 16384 / 50700.0 / 3600 + parts.checkpoint_share,
                     1 - 0.8525924113481055, 1e-9, 0.0, "what is lost");
    /* the restart and half of an interval, about */
    assay_test_close(parts.stop_s, 600 + 1116.55 / 2, 0.05, 0.0, "a stop");
    assay_test_close(assay_goodput(0, 60, 600, &parts), 1.0, 0.0, 0.0, "no stops");
    assert_true(isinf(parts.interval_s));
    /* Young: few stops lose sqrt(2 delta/M) + R/M = 0.00577 + 0.000167 */
    assay_test_close(1 - assay_goodput(0.001, 60, 600, NULL), 0.00577350 + 0.000166667, 0.01, 0.0,
                     "Young");
    const double hopeless = assay_goodput(1e6, 1e5, 1e6, NULL);
    assert_true(hopeless > 0.0 && hopeless < 1e-100);
    assay_money_case_t c = plain_case();
    set_option(&c, ASSAY_DRAW_OF(MTBF), 32 * 50700.0 / 16384);
    set_option(&c, ASSAY_DRAW_OF(CHECKPOINT), 60);
    set_option(&c, ASSAY_DRAW_OF(RESTART), 600);
    const assay_money_result_t stopped = eval(&c);
    assay_test_close(stopped.hours, 1000 / 0.8525924113481055, 1e-9, 0.0, "hours");
    assay_test_close(stopped.stops, stopped.hours * 16384 / 50700.0, 1e-9, 0.0, "stops");
}

/* ---- over the years ---- */

/* numpy_financial.irr([-100, 39, 59, 55, 20]) = 0.28095, its documentation; by bisection of the sum
   in Python: 0.2809484211599612. */
static void test_irr(void **state) {
    (void)state;
    const assay_series_t a = {{0, 1, 2, 3, 4}, {100, 0, 0, 0, 0}, 5};
    const assay_series_t b = {{0, 1, 2, 3, 4}, {0, 39, 59, 55, 20}, 5};
    double rate;
    assert_true(assay_money_irr(&a, &b, &rate));
    assay_test_close(rate, 0.2809484211599612, 1e-12, 0.0, "irr");
    assay_test_close(assay_money_present(&a, rate), assay_money_present(&b, rate), 1e-12, 0.0,
                     "worth nothing at it");
    const assay_series_t never = {{0, 1}, {100, 1}, 2}, nothing = {{0, 1}, {0, 0}, 2};
    assert_false(assay_money_irr(&never, &nothing, &rate));
    const assay_series_t twice = {{0, 1, 2}, {100, -230, 132}, 3}; /* 10 % and 20 % */
    const assay_series_t zero = {{0, 1, 2}, {0, 0, 0}, 3};
    assert_false(assay_money_irr(&twice, &zero, &rate));
}

static double uniform(uint32_t *n) {
    return assay_rng_uniform(7, 1, (*n)++);
}

static assay_money_case_t random_case(uint32_t *n) {
    assay_money_case_t c = plain_case();
    c.owned = uniform(n) < 0.6;
    c.moves = uniform(n) < 0.5;
    c.licensed = uniform(n) < 0.5;
    c.machines_wait = uniform(n) < 0.5;
    c.spot = !c.owned && uniform(n) < 0.5;
    c.usd_per_h = 30 * uniform(n);
    c.years = 0.5 + 6 * uniform(n);
    c.rate = uniform(n) < 0.2 ? 0.0 : 0.3 * uniform(n);
    c.utilisation = 0.05 + 0.95 * uniform(n);
    c.committed = uniform(n);
    c.depreciation_pv = uniform(n);
    c.formula = uniform(n) < 0.5 ? ASSAY_TCO_ARTICLE : ASSAY_TCO_CASH_FLOW;
    static const double most[ASSAY_OPTION_N] = {
        [ASSAY_OPTION_NETWORK_SHARE] = 0.4, [ASSAY_OPTION_STORAGE] = 50,
        [ASSAY_OPTION_STORED] = 1e14,       [ASSAY_OPTION_RACK] = 5000,
        [ASSAY_OPTION_FACILITY] = 12000,    [ASSAY_OPTION_COLOCATION] = 200,
        [ASSAY_OPTION_DEMAND] = 20,         [ASSAY_OPTION_SUPPORT] = 0.1,
        [ASSAY_OPTION_FAILURES] = 0.2,      [ASSAY_OPTION_SPARE_LEAD] = 60,
        [ASSAY_OPTION_RMA] = 900,           [ASSAY_OPTION_LICENCE] = 4500,
        [ASSAY_OPTION_DUTY] = 0.2,          [ASSAY_OPTION_PROPERTY_TAX] = 0.02,
        [ASSAY_OPTION_INCOME_TAX] = 0.3,    [ASSAY_OPTION_EGRESS] = 0.1,
        [ASSAY_OPTION_EGRESS_BYTES] = 1e13, [ASSAY_OPTION_CARBON_PRICE] = 90,
        [ASSAY_OPTION_INTENSITY] = 500,     [ASSAY_OPTION_INFLATION] = 0.1,
        [ASSAY_OPTION_PRICE_DECLINE] = 0.4, [ASSAY_OPTION_GROWTH] = 0.5,
        [ASSAY_OPTION_REVIEW_WAIT] = 20,    [ASSAY_OPTION_DEBT_SHARE] = 0.5,
    };
    for (int k = 0; k < ASSAY_OPTION_N; k++) {
        if (most[k] > 0.0 && uniform(n) < 0.6) {
            set_option(&c, ASSAY_DRAW_OPTION + k, most[k] * uniform(n));
        }
    }
    set_option(&c, ASSAY_DRAW_OF(FACILITY_YEARS), 15);
    set_option(&c, ASSAY_DRAW_OF(MTBF), 1e3 + 1e5 * uniform(n));
    set_option(&c, ASSAY_DRAW_OF(PREEMPTIONS), 0.2 * uniform(n));
    set_option(&c, ASSAY_DRAW_OF(SPOT_WAIT), 0.4 * uniform(n));
    set_option(&c, ASSAY_DRAW_OF(CHECKPOINT), 30);
    set_option(&c, ASSAY_DRAW_OF(RESTART), 300);
    return c;
}

static void test_conserved_in_every_view(void **state) {
    (void)state;
    uint32_t n = 0;
    for (int i = 0; i < 2000; i++) {
        const assay_money_case_t c = random_case(&n);
        const assay_money_result_t r = eval(&c);
        double job = 0.0, tco = 0.0;
        for (int k = 0; k < ASSAY_TERM_N; k++) {
            job += r.job_term_usd[k];
            tco += r.tco_term_usd[k];
            assert_true(isfinite(r.job_term_usd[k]) && isfinite(r.tco_term_usd[k]));
        }
        assay_test_close(job, r.job_usd, 0.0, 0.0, "job");
        assay_test_close(tco, r.tco_usd, 0.0, 0.0, "tco");
        assay_test_close(r.one_time_usd + r.rate_usd_per_h * r.hours, r.job_usd, 1e-11, 0.0,
                         "one time and rate");
        /* the payments by year are worth the tco, and what is paid by the end is it too */
        assay_money_flows_t flows;
        assay_series_t series;
        double x[ASSAY_DRAW_N];
        assay_money_flows(&c, &flows);
        assay_money_draw(&c, NULL, x);
        assay_money_series(&flows, x, &series);
        assay_test_close(assay_money_present(&series, c.rate), r.tco_cash_flow_usd, 1e-9, 1e-6,
                         "series");
    }
}

static void test_batch_is_the_scalar(void **state) {
    (void)state;
    uint32_t n = 90000;
    for (int i = 0; i < 300; i++) {
        assay_money_case_t c = random_case(&n);
        c.draw[ASSAY_DRAW_STEP_COMMON] = assay_dist_lognormal(1.0, 0.2);
        c.draw[ASSAY_DRAW_POWER] = assay_dist_uniform(0.5, 2.0);
        c.draw[ASSAY_DRAW_LEVEL_2] = assay_dist_triangular(5, 10, 40);
        c.draw[ASSAY_DRAW_OF(MTBF)] = assay_dist_uniform(1e3, 1e5);
        double u[ASSAY_DRAW_N], value[ASSAY_DRAW_N], job, tco, hours;
        const double *x[ASSAY_DRAW_N] = {NULL};
        for (int d = 0; d < ASSAY_DRAW_N; d++) {
            u[d] = uniform(&n);
        }
        assay_money_draw(&c, u, value);
        for (int d = 0; d < ASSAY_DRAW_N; d++) {
            x[d] = c.draw[d].kind == ASSAY_DIST_FIXED ? NULL : &value[d];
        }
        assay_money_flows_t flows;
        assay_money_result_t r;
        assay_money_flows(&c, &flows);
        assay_money_eval(&c, u, &r);
        assay_money_batch(&flows, x, 1, &job, &tco, &hours);
        assay_test_close(job, r.job_usd, 1e-12, 1e-9, "job");
        assay_test_close(tco, r.tco_usd, 1e-12, 1e-6, "tco");
        assay_test_close(hours, r.hours, 1e-13, 0.0, "hours");
    }
}

static void test_dearer_is_never_cheaper(void **state) {
    (void)state;
    uint32_t n = 500000;
    for (int i = 0; i < 300; i++) {
        assay_money_case_t c = random_case(&n);
        set_option(&c, ASSAY_DRAW_OF(INCOME_TAX), 0.0);
        const assay_money_result_t before = eval(&c);
        for (int k = 0; k < ASSAY_OPTION_N; k++) {
            switch (k) {
            case ASSAY_OPTION_FACILITY_YEARS: /* a longer life, fewer stops, cheaper rents */
            case ASSAY_OPTION_MTBF:
            case ASSAY_OPTION_PRICE_DECLINE:
            case ASSAY_OPTION_INCOME_TAX:
            case ASSAY_OPTION_SPOT_WAIT:
            case ASSAY_OPTION_PREEMPTIONS:
            case ASSAY_OPTION_CHECKPOINT:
            case ASSAY_OPTION_RESTART: /* fewer runs a year carry less out */
                continue;
            default:
                break;
            }
            assay_money_case_t dearer = c;
            dearer.central[ASSAY_DRAW_OPTION + k] *= 1.3;
            const assay_money_result_t after = eval(&dearer);
            assert_true(after.job_usd >= before.job_usd);
            assert_true(after.tco_usd >= before.tco_usd * (1 - 1e-15));
        }
    }
}

static void test_limits(void **state) {
    (void)state;
    /* r = 0: payments are the capital; a building that lasts for ever costs its interest */
    assay_money_case_t c = plain_case();
    set_option(&c, ASSAY_DRAW_OF(FACILITY), 1000);
    set_option(&c, ASSAY_DRAW_OF(FACILITY_YEARS), 50);
    assay_test_close(eval(&c).tco_term_usd[ASSAY_TERM_FACILITY], 24000 * 0.1 * 1.735537190, 0.01,
                     0.0, "interest");
    c.rate = 0.0;
    c.residual = 0.0;
    assay_test_close(eval(&c).job_term_usd[ASSAY_TERM_CAPEX], 400000.0 * 1000 / (2 * 4383), 1e-12,
                     0.0, "straight line");
    /* hardly any use: owning costs all the same, and renting next to nothing */
    c.utilisation = 1e-6;
    assert_true(eval(&c).tco_usd > 400000.0);
    c.owned = false;
    c.usd_per_h = 20.0;
    assert_true(eval(&c).tco_usd < 5.0);
}

/* Present value of what is paid: rises month by month, and at the end is the tco but for what comes
   back. */
static void test_paid_by_month(void **state) {
    (void)state;
    assay_money_case_t c = plain_case(), until;
    c.moves = true;
    assay_money_flows_t flows;
    assay_money_result_t result;
    double x[ASSAY_DRAW_N], before = 0.0;
    assay_money_draw(&c, NULL, x);
    for (uint32_t month = 0; month <= 24; month++) {
        assay_money_paid(&c, month, &until, &flows);
        assay_money_sum(&flows, x, &result);
        assert_true(result.tco_cash_flow_usd > before);
        before = result.tco_cash_flow_usd;
        if (month == 0) { /* servers, 68,000 of labour and training + 6 % */
            assay_test_close(before, 400000 + 68000 * 1.06, 1e-12, 0.0, "at the start");
        }
    }
    const assay_money_result_t whole = eval(&c);
    assay_test_close(before, whole.tco_cash_flow_usd - whole.tco_term_usd[ASSAY_TERM_RESIDUAL],
                     1e-12, 0.0, "at the end");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms_by_hand),
        cmocka_unit_test(test_network_by_port),
        cmocka_unit_test(test_years_that_differ),
        cmocka_unit_test(test_rented_terms),
        cmocka_unit_test(test_move_that_waits),
        cmocka_unit_test(test_income_tax),
        cmocka_unit_test(test_token_energy),
        cmocka_unit_test(test_goodput),
        cmocka_unit_test(test_irr),
        cmocka_unit_test(test_conserved_in_every_view),
        cmocka_unit_test(test_batch_is_the_scalar),
        cmocka_unit_test(test_dearer_is_never_cheaper),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_paid_by_month),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
