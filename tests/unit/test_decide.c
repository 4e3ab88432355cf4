/* The decision on hand-filled candidates; the last tests search for real on small machines. */
#include "decide_fixture.h"
#include "machine_fixture.h"

static void test_cheapest_is_chosen(void **state) {
    world_t *w = *state;
    add_rented(w, "dear", 30.0);
    add_rented(w, "cheap", 20.0);
    const assay_decision_t *d = decide(w);
    assert_int_equal(d->choice, 1);
    assert_int_equal(d->runner_up, 0);
    assay_test_close(w->candidate[1].point.job_usd, 200000.0, 1e-12, 0.0, "20 x 10 x 1000");
    assay_test_close(d->probability, 1.0, 0.0, 0.0, "nothing is uncertain");
    assay_test_close(d->regret_usd, 0.0, 0.0, 0.0, "nothing to regret");
    assert_non_null(strstr(d->sentence, "Choose cheap"));
    assert_non_null(strstr(d->sentence, "more than 99 % sure")); /* never "100 %" */
}

/* Two candidates of 100 and 110 a unit, both with sigma 0.2 in ln(step time). If the error is all
   their own, ln(cost ratio) is normal with sd 0.2 sqrt 2 and P(first is cheaper) =
   Phi(ln 1.1/(0.2 sqrt 2)) = Phi(0.33697) = 0.63193. If it is all common, the ratio is certain.
   Half of the variance: Phi(ln 1.1/0.2) = Phi(0.47655) = 0.68316. Standard error at 20,000 samples:
   0.0034. */
static void test_shared_error_does_not_blur_the_choice(void **state) {
    world_t *w = *state;
    add_rented(w, "a", 20.0);
    add_rented(w, "b", 22.0);
    set_step_error(w, 0, 0.2);
    set_step_error(w, 1, 0.2);
    const struct {
        double common_share, p_best;
    } row[] = {{0.0, 0.63193}, {0.5, 0.68316}, {1.0, 1.0}};
    double regret_before = INFINITY;
    for (int k = 0; k < 3; k++) {
        memset(w->candidate, 0, sizeof w->candidate);
        w->n = 0;
        add_rented(w, "a", 20.0);
        add_rented(w, "b", 22.0);
        set_step_error(w, 0, 0.2);
        set_step_error(w, 1, 0.2);
        w->ctx.settings.common_share.v = row[k].common_share;
        const assay_decision_t *d = decide(w);
        assert_int_equal(d->choice, 0);
        assay_test_close(d->probability, row[k].p_best, 0.0, k == 2 ? 0.0 : 0.012, "P(best)");
        assay_test_close(w->candidate[0].p_best + w->candidate[1].p_best, 1.0, 1e-12, 0.0, "sum");
        assert_true(d->regret_usd < regret_before || k == 0);
        regret_before = d->regret_usd;
        /* each alone is as uncertain as before: p90/p50 = exp(1.28155 x 0.2) = 1.2922 */
        assay_test_close(w->candidate[0].job_usd.p90 / w->candidate[0].job_usd.p50, 1.2922, 0.015,
                         0.0, "spread");
    }
}

static void test_ties_are_shared(void **state) {
    world_t *w = *state;
    add_rented(w, "a", 20.0);
    add_rented(w, "b", 20.0);
    const assay_decision_t *d = decide(w);
    assert_int_equal(d->choice, 0);
    assay_test_close(d->probability, 0.5, 0.0, 0.0, "a tie is no win");
    assert_non_null(strstr(d->sentence, "Too close to call"));
}

/* 0.01 % is 0 % in print, as are the prices at which the other is the cheaper one. */
static void test_the_same_cost_is_called_the_same(void **state) {
    world_t *w = *state;
    add_rented(w, "a", 20.0);
    add_rented(w, "b", 20.002);
    set_step_error(w, 0, 0.1);
    set_step_error(w, 1, 0.1);
    const assay_decision_t *d = decide(w);
    assert_non_null(strstr(d->sentence, "a and b cost the same"));
    assert_null(strstr(d->sentence, "cheaper"));
    assert_non_null(strstr(flip(d, "usd_per_h", "a")->sentence, "the least change makes b"));
}

/* Rent holds the electricity, and nobody pays for idle hours or for a port. */
static void test_what_costs_nothing_is_not_told(void **state) {
    world_t *w = *state;
    static const char *const unused[] = {"money.electricity_usd_kwh", "money.residual",
                                         "migration.level1", "money.contingency"};
    assay_note_t note[4];
    for (int i = 0; i < 4; i++) {
        note[i] = (assay_note_t){ASSAY_NOTE_ASSUMPTION, unused[i], "1", "test", NULL};
    }
    w->resolved.note = note;
    w->resolved.n_note = 4;
    add_rented(w, "a", 20.0);
    add_rented(w, "b", 30.0);
    const assay_decision_t *d = decide(w);
    for (uint32_t k = 0; k < d->n_flip; k++) {
        assert_string_not_equal(d->flip[k].variable, "electricity_usd_kwh");
        assert_string_not_equal(d->flip[k].variable, "utilisation");
        assert_string_not_equal(d->flip[k].variable, "migration_days");
    }
    for (uint32_t k = 0; k < d->n_note; k++) {
        for (int i = 0; i < 4; i++) {
            assert_string_not_equal(d->note[k].subject, unused[i]);
        }
    }
    assert_null(strstr(d->rules_sentence, "Conditions that hold"));
}

static void test_same_seed_same_decision_on_any_threads(void **state) {
    world_t *w = *state;
    assay_spread_t spread[3];
    double p[3];
    static const struct {
        uint32_t threads;
        uint64_t seed;
    } run[] = {{1, SEED}, {4, SEED}, {1, SEED + 1}};
    for (int k = 0; k < 3; k++) {
        memset(w->candidate, 0, sizeof w->candidate);
        w->n = 0;
        w->resolved.seed = run[k].seed;
        w->resolved.samples = 5000;
        add_rented(w, "a", 20.0);
        add_rented(w, "b", 22.0);
        set_step_error(w, 0, 0.2);
        set_step_error(w, 1, 0.1);
        p[k] = decide_with(w, run[k].threads)->probability;
        spread[k] = w->candidate[0].job_usd;
    }
    assert_memory_equal(&p[0], &p[1], sizeof p[0]);
    assert_memory_equal(&spread[0], &spread[1], sizeof spread[0]);
    assert_memory_not_equal(&spread[0], &spread[2], sizeof spread[0]);
}

static void test_nothing_fits(void **state) {
    world_t *w = *state;
    add_rented(w, "small", 20.0);
    assay_plan_t *plan = &w->candidate[0].plan;
    plan->found = false;
    plan->refused[ASSAY_REJECT_HEADS].count = 7;
    plan->refused[ASSAY_REJECT_MEMORY].count = 3;
    plan->refused[ASSAY_REJECT_MEMORY].nearest.need = 90 * 1073741824.0;
    plan->refused[ASSAY_REJECT_MEMORY].nearest.have = 80 * 1073741824.0;
    const assay_decision_t *d = decide(w);
    assert_int_equal(d->choice, -1);
    assert_int_equal(d->runner_up, -1);
    assert_int_equal(d->n_flip, 0);
    assay_test_close(d->probability, 0.0, 0.0, 0.0, "no choice");
    assert_non_null(strstr(d->sentence, "90 GiB"));
    assert_non_null(strstr(d->sentence, "80 GiB"));
    assert_int_equal(rule(d, "utilisation")->state, ASSAY_RULE_UNKNOWN);
    assert_false(d->rules_decided);
}

static void test_only_one_fits(void **state) {
    world_t *w = *state;
    add_rented(w, "fits", 20.0);
    add_rented(w, "small", 10.0);
    w->candidate[1].plan.found = false;
    const assay_decision_t *d = decide(w);
    assert_int_equal(d->choice, 0);
    assert_int_equal(d->runner_up, -1);
    assay_test_close(d->probability, 1.0, 0.0, 0.0, "no rival");
    assert_non_null(strstr(d->sentence, "the only candidate"));
}

/* 1000 h are 41.7 days; the cheap one is half as fast. */
static void test_deadline_is_a_hard_constraint(void **state) {
    world_t *w = *state;
    add_rented(w, "cheap-slow", 5.0);
    add_rented(w, "dear-fast", 20.0);
    w->candidate[0].plan.best.tokens_per_s /= 2.0;
    set_step_error(w, 1, 0.1);
    w->resolved.workload.deadline_s = 1050.0 * 3600.0;
    const assay_decision_t *d = decide(w);
    assert_int_equal(d->choice, 1);
    assert_false(w->candidate[0].meets_deadline);
    assay_test_close(w->candidate[0].p_deadline, 0.0, 0.0, 0.0, "never");
    /* P(ln t < ln 1.05) = Phi(0.04879/0.1) = Phi(0.4879) = 0.6872 */
    assay_test_close(w->candidate[1].p_deadline, 0.6872, 0.0, 0.012, "P(deadline)");
    assay_test_close(w->candidate[0].p_best, 0.0, 0.0, 0.0, "not eligible, not best");

    w->resolved.workload.deadline_s = 900.0 * 3600.0;
    d = decide(w);
    assert_int_equal(d->choice, -1);
    assert_non_null(strstr(d->sentence, "No candidate meets the deadline"));
    assert_non_null(strstr(d->sentence, "dear-fast"));
}

static void test_reasons_add_up(void **state) {
    world_t *w = *state;
    add_pair(w);
    w->resolved.money.residual = 0.2;
    const assay_decision_t *d = decide(w);
    /* the three largest: capex less residual 0.8 x 50,000 less, level 3 15,000 more, level 2 10,000
     * more */
    assert_true(d->n_reason >= 3);
    assay_test_close(d->reason[0].usd, 40000.0, 1e-12, 0.0, "hardware");
    assay_test_close(d->reason[1].usd, -15000.0, 1e-12, 0.0, "level 3");
    assay_test_close(d->reason[2].usd, -10000.0, 1e-12, 0.0, "level 2");
}

static void test_notes_are_passed_on_and_added(void **state) {
    world_t *w = *state;
    add_pair(w);
    assay_note_t given = {ASSAY_NOTE_ASSUMPTION, "money.pue", "1.0", "test", NULL};
    w->resolved.note = &given;
    w->resolved.n_note = 1;
    w->resolved.money.contingency = assay_fact_exact(0.06, "test");
    w->candidate[1].plan.best.basis = ASSAY_BASIS_EXTRAPOLATED;
    const assay_decision_t *d = decide(w);
    assert_string_equal(d->note[0].subject, "money.pue");
    bool common = false, basis = false, contingency = false;
    for (uint32_t k = 1; k < d->n_note; k++) {
        const assay_note_t *note = &d->note[k];
        common |= strcmp(note->subject, "decide.common_share") == 0;
        contingency |= strcmp(note->subject, "money.contingency") == 0;
        basis |= strcmp(note->subject, "mover") == 0 && note->kind == ASSAY_NOTE_WARNING;
    }
    assert_true(common && basis && contingency);
}

/* The runs take 1000 h. Machines that are used half of the time work 8766/2 h a year: 876.6 h in a
   fifth of it, 1095.75 h in a quarter. */
static void test_a_run_outlives_its_machines(void **state) {
    world_t *w = *state;
    add_pair(w);
    for (int i = 0; i < 2; i++) {
        w->resolved.money.years = i == 0 ? 0.2 : 0.25;
        const assay_decision_t *d = decide(w);
        uint32_t n = 0;
        for (uint32_t k = 0; k < d->n_note; k++) {
            n += d->note[k].text && strstr(d->note[k].text, "bought again") != NULL;
        }
        assert_int_equal(n, i == 0 ? 2 : 0);
    }
}

static bool always(void *ctx) {
    (void)ctx;
    return true;
}

static void test_cancel(void **state) {
    world_t *w = *state;
    const assay_hooks_t hooks = {.cancelled = always};
    add_pair(w);
    w->ctx.hooks = &hooks;
    for (uint32_t c = 0; c < w->n; c++) {
        w->candidate[c].machine = &w->machine[c];
    }
    assay_error_t err = {0};
    assert_int_equal(assay_decide_settle(&w->ctx, w->candidate, w->n, 1, &w->decision, &err),
                     ASSAY_CANCELLED);
    assert_null(w->decision);
    assert_true(err.what[0] != '\0');
}

typedef struct {
    uint32_t n, stop_at; /* questions so far; the one that is answered with yes */
} patience_t;

static bool runs_out(void *ctx) {
    patience_t *patience = ctx;
    return ++patience->n >= patience->stop_at;
}

/* Sampling is one item; then counting and the six spreads of two candidates ask as well. */
static void test_cancel_at_any_point(void **state) {
    world_t *w = *state;
    patience_t patience = {0};
    const assay_hooks_t hooks = {.ctx = &patience, .cancelled = runs_out};
    add_pair(w);
    w->resolved.samples = 100;
    w->ctx.hooks = &hooks;
    for (uint32_t c = 0; c < w->n; c++) {
        w->candidate[c].machine = &w->machine[c];
    }
    for (uint32_t stop_at = 1; stop_at <= 8; stop_at++) {
        patience = (patience_t){.stop_at = stop_at};
        assert_int_equal(assay_decide_settle(&w->ctx, w->candidate, w->n, 1, &w->decision, NULL),
                         ASSAY_CANCELLED);
        assert_null(w->decision);
    }
    patience = (patience_t){.stop_at = 1000};
    decide(w);
    assert_int_equal(patience.n, 8);
}

/* 2^32 - 1 samples of one candidate, 3 x 8 bytes each, are 103 GB. */
static void test_samples_have_a_limit(void **state) {
    world_t *w = *state;
    assay_error_t err = {0};
    add_pair(w);
    w->resolved.samples = UINT32_MAX;
    for (uint32_t c = 0; c < w->n; c++) {
        w->candidate[c].machine = &w->machine[c];
    }
    assert_int_equal(assay_decide_settle(&w->ctx, w->candidate, w->n, 1, &w->decision, &err),
                     ASSAY_LIMIT);
    assert_non_null(strstr(err.what, "4294967295 samples of 2 candidates"));
}

/* Search, sampling and sentences together: LLaMA-65B on 8 nodes fits, on one it does not. */
static void fill_search(world_t *w, uint32_t nodes, assay_layout_pin_t pin[2]) {
    const assay_layout_pin_t free_pin = {.zero = -1, .recompute = -1, .sequence_parallel = -1};
    w->machine[0] = fixture_a100(nodes);
    w->machine[1] = fixture_mi250x(nodes);
    w->machine[1].needs_migration = true;
    for (int c = 0; c < 2; c++) {
        w->machine[c].host_w = assay_fact_exact(1000.0, "test");
        w->machine[c].capex_usd = assay_fact_exact(c == 0 ? 150e3 : 90e3, "test");
        pin[c] = free_pin;
    }
    w->resolved.workload = fixture_llama_65b(512);
    w->resolved.workload.tokens = 1e11;
    w->resolved.machine = w->machine;
    w->resolved.n_machine = 2;
    w->resolved.pin = pin;
    w->resolved.samples = 2000;
}

static void count_progress(void *ctx, const char *step, uint64_t done, uint64_t total) {
    if (strcmp(step, "candidates") == 0) {
        assert_int_equal(total, 2);
        *(uint64_t *)ctx += done;
    }
}

static void test_search_to_verdict(void **state) {
    world_t *w = *state;
    assay_layout_pin_t pin[2];
    uint64_t progress = 0;
    const assay_hooks_t hooks = {.ctx = &progress, .progress = count_progress};
    assay_decision_t *d = NULL;
    fill_search(w, 8, pin);
    assert_int_equal(assay_decide(w->arena, &w->resolved, NULL, 0, &hooks, &d, NULL), ASSAY_OK);
    assert_int_equal(progress, 1 + 2);
    assert_true(d->choice >= 0 && d->runner_up == 1 - d->choice);
    for (int c = 0; c < 2; c++) {
        const assay_candidate_t *candidate = &d->candidate[c];
        assert_true(candidate->fits && candidate->n_op > 0);
        assay_test_close(candidate->point.hours, 1e11 / candidate->plan.best.tokens_per_s / 3600.0,
                         1e-12, 0.0, "hours");
        assert_true(candidate->job_usd.p10 < candidate->job_usd.p90);
    }
    assert_true(d->n_flip == 9 && d->n_rule > 0 && d->n_note > 0 && d->n_reason > 0);
}

static void test_search_finds_nothing(void **state) {
    world_t *w = *state;
    assay_layout_pin_t pin[2];
    assay_decision_t *d = NULL;
    fill_search(w, 1, pin);
    assert_int_equal(assay_decide(w->arena, &w->resolved, NULL, 0, NULL, &d, NULL), ASSAY_OK);
    assert_int_equal(d->choice, -1);
    assert_non_null(strstr(d->sentence, "No candidate fits"));
    assert_non_null(strstr(d->sentence, "GiB")); /* of the device */
    assert_int_equal(d->n_reason, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DECIDE_TEST(test_cheapest_is_chosen),
        DECIDE_TEST(test_shared_error_does_not_blur_the_choice),
        DECIDE_TEST(test_ties_are_shared),
        DECIDE_TEST(test_the_same_cost_is_called_the_same),
        DECIDE_TEST(test_what_costs_nothing_is_not_told),
        DECIDE_TEST(test_same_seed_same_decision_on_any_threads),
        DECIDE_TEST(test_nothing_fits),
        DECIDE_TEST(test_only_one_fits),
        DECIDE_TEST(test_deadline_is_a_hard_constraint),
        DECIDE_TEST(test_reasons_add_up),
        DECIDE_TEST(test_notes_are_passed_on_and_added),
        DECIDE_TEST(test_a_run_outlives_its_machines),
        DECIDE_TEST(test_cancel),
        DECIDE_TEST(test_cancel_at_any_point),
        DECIDE_TEST(test_samples_have_a_limit),
        DECIDE_TEST(test_search_to_verdict),
        DECIDE_TEST(test_search_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
