/* Where one input of a decision turns it, against the decision made again there. */
#include "decide_fixture.h"

/* The verdict with one input at x, worked out anew through the public functions. */
static int32_t choice_with(world_t *w, void (*set)(world_t *w, double x), double x) {
    const assay_money_input_t money = w->resolved.money;
    const assay_workload_t work = w->resolved.workload;
    assay_machine_t machine[3];
    assay_candidate_t *candidate = test_calloc(3, sizeof *candidate);
    memcpy(machine, w->machine, sizeof machine);
    memcpy(candidate, w->candidate, 3 * sizeof *candidate);
    set(w, x);
    const int32_t choice = decide(w)->choice;
    w->resolved.money = money;
    w->resolved.workload = work;
    memcpy(w->machine, machine, sizeof machine);
    memcpy(w->candidate, candidate, 3 * sizeof *candidate);
    test_free(candidate);
    return choice;
}

static void set_capex_0(world_t *w, double x) {
    w->machine[0].capex_usd = assay_fact_exact(x, "test");
}

static void set_capex_1(world_t *w, double x) {
    w->machine[1].capex_usd = assay_fact_exact(x, "test");
}

static void set_run_s(world_t *w, double x) {
    w->resolved.workload.tokens = x * 1e6;
}

static void set_usd_per_kwh(world_t *w, double x) {
    w->resolved.money.electricity_usd_per_kwh = assay_fact_exact(x, "test");
}

static void set_utilisation(world_t *w, double x) {
    w->resolved.money.utilisation = x;
}

static void set_mover_step(world_t *w, double x) {
    w->candidate[1].plan.best.tokens_per_s /= x;
}

static void set_migration(world_t *w, double x) {
    for (int k = 0; k < 3; k++) {
        w->resolved.money.level_days[k] =
            assay_fact_exact(w->resolved.money.level_days[k].v * x / 60.0, "test");
    }
}

static void test_flips_by_hand_and_by_evaluating_again(void **state) {
    world_t *w = *state;
    add_pair(w);
    const struct {
        const char *variable, *candidate;
        double flip;
        void (*set)(world_t *w, double x);
    } row[] = {
        /* the incumbent wins when its node-hour costs 2 USD less: 8 x 13,149 */
        {"buy_usd", "incumbent", 105192.0, set_capex_0},
        /* the mover loses when its node-hour costs 2 USD more: 7 x 13,149 */
        {"buy_usd", "mover", 92043.0, set_capex_1},
        /* 5 USD x 10 nodes x h = 30,000: 600 h */
        {"run_length", NULL, 600.0 * 3600.0, set_run_s},
        /* purchase saves 50,000 x 0.5/u: 30,000 at u = 0.8333 */
        {"utilisation", NULL, 0.5 * 50.0 / 30.0, set_utilisation},
        /* 52,900 x = 72,900 */
        {"step_time_factor", "mover", 72900.0 / 52900.0, set_mover_step},
        /* 50,000/500 */
        {"migration_days", NULL, 100.0, set_migration},
    };
    assay_flip_t found[6];
    const assay_decision_t *d = decide(w);
    assert_int_equal(d->choice, 1);
    assay_test_close(w->candidate[0].point.job_usd, 102900.0, 1e-12, 0.0, "incumbent");
    assay_test_close(w->candidate[1].point.job_usd, 82900.0, 1e-12, 0.0, "mover");
    for (int k = 0; k < 6; k++) {
        found[k] = *flip(d, row[k].variable, row[k].candidate);
        assert_true(found[k].has_flip);
        assay_test_close(found[k].flip, row[k].flip, 1e-9, 0.0, row[k].variable);
        assert_non_null(strstr(found[k].sentence, "incumbent"));
    }
    assert_false(flip(d, "electricity_usd_kwh", NULL)->has_flip); /* both draw the same */
    for (int k = 0; k < 6; k++) {
        const double sign = found[k].flip > found[k].now ? 1.0 : -1.0;
        assert_int_equal(choice_with(w, row[k].set, found[k].flip * (1.0 + sign * 1e-7)), 0);
        assert_int_equal(choice_with(w, row[k].set, found[k].flip * (1.0 - sign * 1e-7)), 1);
    }
}

/* The mover takes 1000 h of 1050: it may be 1.05 times slower, although the money would
   allow 1.378. The length of the run is another job's question: its flip is the money's, 600 h. */
static void test_flips_know_the_deadline(void **state) {
    world_t *w = *state;
    add_pair(w);
    w->resolved.workload.deadline_s = 1050.0 * 3600.0;
    const assay_decision_t *d = decide(w);
    const assay_flip_t *step = flip(d, "step_time_factor", "mover");
    assert_true(step->has_flip);
    assay_test_close(step->flip, 1.05, 1e-9, 0.0, "deadline");
    assay_test_close(flip(d, "run_length", NULL)->flip, 600.0 * 3600.0, 1e-9, 0.0, "money");
}

/* The mover's devices draw three times as much: 2.9 and 7.7 kW. 10,000 node-hours: purchase and
   moving leave 20,000 of advantage at equal energy; 4.8 kW x 10,000 h x price = 20,000 at 0.41667.
 */
static void test_electricity_flip(void **state) {
    world_t *w = *state;
    add_pair(w);
    w->candidate[1].plan.best.device_w = 900.0;
    const assay_flip_t f = *flip(decide(w), "electricity_usd_kwh", NULL);
    assert_true(f.has_flip);
    assay_test_close(f.flip, 20000.0 / 48000.0, 1e-9, 0.0, "flip");
    assert_int_equal(choice_with(w, set_usd_per_kwh, f.flip * 1.0001), 0);
    assert_int_equal(choice_with(w, set_usd_per_kwh, f.flip * 0.9999), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DECIDE_TEST(test_flips_by_hand_and_by_evaluating_again),
        DECIDE_TEST(test_flips_know_the_deadline),
        DECIDE_TEST(test_electricity_flip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
