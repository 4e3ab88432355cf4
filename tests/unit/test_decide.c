/* The decision on hand-filled candidates; the last tests search for real on small machines. */
#include "assay_test.h"
#include "machine_fixture.h"

#include "decide/decision.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SEED 20240601u

typedef struct {
    assay_arena_t *arena;
    assay_resolved_t resolved;
    assay_machine_t machine[3];
    assay_candidate_t candidate[3];
    uint32_t n;
    assay_decide_ctx_t ctx;
    assay_decision_t *decision;
} world_t;

/* Rented, 10 nodes, 1000 h, no uncertainty: costs usd_per_h x 10,000. */
static void add_rented(world_t *w, const char *id, double usd_per_h) {
    assay_machine_t *machine = &w->machine[w->n];
    *machine = (assay_machine_t){.id = id,
                                 .nodes = 10,
                                 .devices_per_node = 8,
                                 .host_w = assay_fact_exact(500.0, "test"),
                                 .usd_per_h = assay_fact_exact(usd_per_h, "test")};
    w->candidate[w->n].plan.found = true;
    w->candidate[w->n].plan.best = (assay_estimate_t){.step_s = 1.0,
                                                      .tokens_per_s = 1e6,
                                                      .device_w = 300.0,
                                                      .mfu = 0.45,
                                                      .compute_share = 0.8,
                                                      .rel_p10 = 1.0,
                                                      .rel_p90 = 1.0,
                                                      .basis = ASSAY_BASIS_CALIBRATED};
    w->n++;
}

static void add_owned(world_t *w, const char *id, double capex_usd, bool moves) {
    add_rented(w, id, 0.0);
    assay_machine_t *machine = &w->machine[w->n - 1];
    machine->usd_per_h = assay_fact_unknown();
    machine->capex_usd = assay_fact_exact(capex_usd, "test");
    machine->needs_migration = moves;
}

static void set_step_error(world_t *w, uint32_t c, double sigma) {
    w->candidate[c].plan.best.rel_p10 = exp(-1.2815515655446004 * sigma);
    w->candidate[c].plan.best.rel_p90 = exp(1.2815515655446004 * sigma);
}

static void answer(world_t *w, assay_answer_id_t id, double v) {
    w->resolved.answers.a[id] = (assay_answer_t){v, true};
}

static int setup(void **state) {
    world_t *w = test_calloc(1, sizeof *w);
    w->arena = assay_arena_create(8u << 20);
    w->resolved = (assay_resolved_t){
        .workload = {.tokens = 3.6e12, .epochs = 1.0},
        .money = {.currency = "USD",
                  .years = 3.0,
                  .discount_rate = 0.0,
                  .utilisation = 0.5,
                  .electricity_usd_per_kwh = assay_fact_exact(0.1, "test"),
                  .pue = assay_fact_exact(1.0, "test"),
                  .ops_usd_per_year = assay_fact_exact(0.0, "test"),
                  .contingency = assay_fact_exact(0.0, "test"),
                  .level_days = {assay_fact_exact(10.0, "test"), assay_fact_exact(20.0, "test"),
                                 assay_fact_exact(30.0, "test")},
                  .labour_usd_per_day = 500.0},
        .samples = 20000,
        .seed = SEED};
    w->ctx = (assay_decide_ctx_t){.arena = w->arena, .resolved = &w->resolved};
    assert_int_equal(assay_decide_settings(w->arena, NULL, 0, &w->ctx.settings, NULL), ASSAY_OK);
    w->ctx.settings.power_p10.v = w->ctx.settings.power_p90.v = 1.0;
    *state = w;
    return 0;
}

static int teardown(void **state) {
    world_t *w = *state;
    assay_arena_destroy(w->arena);
    test_free(w);
    return 0;
}

static const assay_decision_t *decide_with(world_t *w, uint32_t threads) {
    w->resolved.machine = w->machine;
    w->resolved.n_machine = w->n;
    for (uint32_t c = 0; c < w->n; c++) {
        w->candidate[c].machine = &w->machine[c];
    }
    assay_error_t err;
    const assay_status_t status =
        assay_decide_settle(&w->ctx, w->candidate, w->n, threads, &w->decision, &err);
    if (status) {
        fail_msg("%s", err.what);
    }
    return w->decision;
}

static const assay_decision_t *decide(world_t *w) {
    return decide_with(w, 1);
}

static const assay_rule_t *rule(const assay_decision_t *d, const char *id) {
    for (uint32_t k = 0; k < d->n_rule; k++) {
        if (strcmp(d->rule[k].id, id) == 0) {
            return &d->rule[k];
        }
    }
    fail_msg("no rule %s", id);
    return NULL;
}

static const assay_flip_t *flip(const assay_decision_t *d, const char *variable,
                                const char *candidate) {
    for (uint32_t k = 0; k < d->n_flip; k++) {
        const assay_flip_t *f = &d->flip[k];
        if (strcmp(f->variable, variable) == 0 &&
            (!candidate || (f->candidate && strcmp(f->candidate, candidate) == 0))) {
            return f;
        }
    }
    fail_msg("no flip %s", variable);
    return NULL;
}

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

/* Node-hours of 3 years used half of the time: 13,149. The incumbent costs 131,490 USD a node, so
   10 USD an hour and 0.29 for energy (2.9 kW x 0.1); the mover 65,745, so 5 and 0.29, and moving
   costs 60 days x 500 = 30,000. 10 nodes, 1000 h: 102,900 against 52,900 + 30,000 = 82,900. */
static void add_pair(world_t *w) {
    add_owned(w, "incumbent", 131490.0, false);
    add_owned(w, "mover", 65745.0, true);
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

static void test_rules_yes_no_unknown(void **state) {
    world_t *w = *state;
    add_pair(w);
    answer(w, ASSAY_ANSWER_ROCM_DEBUGGERS, 1.0);
    answer(w, ASSAY_ANSWER_HIP_CI, 1.0);
    answer(w, ASSAY_ANSWER_RAW_BYTES, 100e12);
    answer(w, ASSAY_ANSWER_HIP_FIT, 0.85);
    answer(w, ASSAY_ANSWER_NOTEBOOKS, 0.0);
    const assay_decision_t *d = decide(w);
    const struct {
        const char *id;
        assay_rule_state_t state;
        const char *evidence; /* part of it */
    } row[] = {
        {"compute_dense", ASSAY_RULE_YES, "80 %"}, /* 0.8 > 0.7 */
        {"hip_ready", ASSAY_RULE_NO, "85 %"},      /* 0.85 < 0.95 */
        {"long_run", ASSAY_RULE_YES, "41.7 d"},    /* 41.7 d > 10 d */
        {"interaction", ASSAY_RULE_YES, "85 %"},   /* 80 %, 41.7 d, 85 % */
        {"utilisation", ASSAY_RULE_NO, "45 %"},    /* 0.45 < 0.65 */
        {"raw_data", ASSAY_RULE_YES, "100 TB"},    /* >= */
        {"debuggers", ASSAY_RULE_NO, "1 (from the job)"},
        {"cuda_only", ASSAY_RULE_UNKNOWN, "give migration.cuda_only_share"},
        {"hip_ci", ASSAY_RULE_YES, "yes"},
        {"small_budget", ASSAY_RULE_NO, "mover"}, /* 657,450 USD for the cheaper one */
        {"payback", ASSAY_RULE_YES, "30"},        /* 30,000 < 657,450 */
        {"notebooks", ASSAY_RULE_NO, "no"},
        {"tensorrt", ASSAY_RULE_UNKNOWN, "give team.needs"},
    };
    assert_int_equal(d->n_rule, sizeof row / sizeof *row);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const assay_rule_t *r = rule(d, row[k].id);
        if (r->state != row[k].state || !strstr(r->evidence, row[k].evidence)) {
            fail_msg("%s: state %d, evidence %s", r->id, r->state, r->evidence);
        }
    }
    assay_test_close(rule(d, "payback")->value, 30000.0 / 657450.0, 1e-12, 0.0, "ratio");
    assay_test_close(rule(d, "long_run")->threshold, 10.0, 1e-12, 0.0, "days");
    assay_test_close(rule(d, "raw_data")->threshold, 100e12, 1e-12, 0.0, "bytes");
    /* one condition fails, the interaction makes up for it, nothing defers: move; so does the money
     */
    assert_true(d->rules_decided && d->rules_agree);
    /* the rule that hardly any run meets is told */
    assert_non_null(strstr(d->rules_sentence, "37.5 %"));
}

static void test_rules_against_the_money(void **state) {
    world_t *w = *state;
    add_pair(w);
    answer(w, ASSAY_ANSWER_NEEDS_TENSORRT, 1.0);
    const assay_decision_t *d = decide(w);
    assert_true(d->rules_decided);
    assert_false(d->rules_agree);
    assert_non_null(strstr(d->rules_sentence, "TensorRT"));
    assert_non_null(strstr(d->rules_sentence, "Money decides"));
    assert_int_equal(d->choice, 1);
}

static void test_rules_stay_open_on_the_unknown(void **state) {
    world_t *w = *state;
    add_pair(w);
    const assay_decision_t *d = decide(w);
    assert_false(d->rules_decided);
    assert_non_null(strstr(d->rules_sentence, "leave it open"));
    assert_non_null(strstr(d->rules_sentence, "already runs on HIP"));
    /* of several conditions only the unknown one is asked for */
    const char *evidence = rule(d, "interaction")->evidence;
    assert_non_null(strstr(evidence, "give migration.hip_fit"));
    assert_null(strstr(evidence, "give workload.train.dataset_tokens"));
}

static void test_no_saving_is_no_payback(void **state) {
    world_t *w = *state;
    add_owned(w, "incumbent", 65745.0, false);
    add_owned(w, "mover", 131490.0, true);
    const assay_decision_t *d = decide(w);
    const assay_rule_t *r = rule(d, "payback");
    assert_int_equal(r->state, ASSAY_RULE_NO);
    assert_false(r->has_value);
    assert_non_null(strstr(r->evidence, "more"));
    assert_int_equal(d->choice, 0);
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

/* A user's tables: one with rows of its own, the others wrong in one place each. */
static void test_users_tables(void **state) {
    world_t *w = *state;
    static const struct {
        const char *name, *text, *what; /* what NULL: fine */
    } file[] = {
        {"decide.csv", "key,value,source,note\nclose_call,0.9,me,\n", NULL},
        {"decide.csv", "key,value,source,note\ncommon_share,1.5,me,\n", "common_share"},
        {"decide.csv", "key,value,source,note\npower_p90,much,me,\n", "power_p90"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "utilisation,recommended,x,mfu,>,30,%,move,,,me\n",
         NULL},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,moon_phase,>,30,%,move,,,me\n",
         "moon_phase"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,mfu,~,30,%,move,,,me\n",
         "\"~\""},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,mfu,>,30,TB,move,,,me\n",
         "TB"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,mfu;hip_fit,>,30,%,move,,,me\n",
         "as many parts"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,maybe,x,mfu,>,30,%,move,,,me\n",
         "maybe"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,mfu,>,30,%,wait,,,me\n",
         "wait"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,hip_ci,=,perhaps,,move,,,me\n",
         "perhaps"},
    };
    char dir[] = "/tmp/assay-test-decide-XXXXXX";
    assert_non_null(mkdtemp(dir));
    const char *const data_dir[] = {dir};
    w->resolved.samples = 10;
    for (size_t k = 0; k < sizeof file / sizeof *file; k++) {
        char *path = assay_arena_printf(w->arena, "%s/%s", dir, file[k].name);
        assert_int_equal(assay_file_write(path, file[k].text, strlen(file[k].text), NULL), 0);
        memset(w->candidate, 0, sizeof w->candidate);
        w->n = 0;
        add_pair(w);
        w->resolved.machine = w->machine;
        for (uint32_t c = 0; c < w->n; c++) {
            w->candidate[c].machine = &w->machine[c];
        }
        w->ctx.data_dir = data_dir;
        w->ctx.n_data_dir = 1;
        assay_error_t err = {0};
        assay_status_t status =
            assay_decide_settings(w->arena, data_dir, 1, &w->ctx.settings, &err);
        if (status == ASSAY_OK) {
            status = assay_decide_settle(&w->ctx, w->candidate, w->n, 1, &w->decision, &err);
        }
        (void)unlink(path);
        if (!file[k].what) {
            assert_int_equal(status, ASSAY_OK);
        } else if (status != ASSAY_INPUT || !strstr(err.what, file[k].what) || err.line != 2) {
            fail_msg("file %zu: status %d, line %u, %s", k, (int)status, err.line, err.what);
        }
        if (k == 0) {
            assay_test_close(w->ctx.settings.close_call.v, 0.9, 0.0, 0.0, "laid over ours");
        } else if (k == 3) {
            assert_int_equal(rule(w->decision, "utilisation")->state, ASSAY_RULE_YES);
            assert_string_equal(rule(w->decision, "utilisation")->source, "me");
        }
    }
    (void)rmdir(dir);
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
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_cheapest_is_chosen),
        TEST(test_shared_error_does_not_blur_the_choice),
        TEST(test_ties_are_shared),
        TEST(test_the_same_cost_is_called_the_same),
        TEST(test_what_costs_nothing_is_not_told),
        TEST(test_same_seed_same_decision_on_any_threads),
        TEST(test_nothing_fits),
        TEST(test_only_one_fits),
        TEST(test_deadline_is_a_hard_constraint),
        TEST(test_flips_by_hand_and_by_evaluating_again),
        TEST(test_flips_know_the_deadline),
        TEST(test_electricity_flip),
        TEST(test_rules_yes_no_unknown),
        TEST(test_rules_against_the_money),
        TEST(test_rules_stay_open_on_the_unknown),
        TEST(test_no_saving_is_no_payback),
        TEST(test_reasons_add_up),
        TEST(test_notes_are_passed_on_and_added),
        TEST(test_a_run_outlives_its_machines),
        TEST(test_users_tables),
        TEST(test_cancel),
        TEST(test_cancel_at_any_point),
        TEST(test_samples_have_a_limit),
        TEST(test_search_to_verdict),
        TEST(test_search_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
