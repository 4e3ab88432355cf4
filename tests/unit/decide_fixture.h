/* A decision on candidates that are filled by hand: what they cost, and what is decided on them. */
#ifndef DECIDE_FIXTURE_H
#define DECIDE_FIXTURE_H

#include "assay_test.h"
#include "decide/decision.h"

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
static inline void add_rented(world_t *w, const char *id, double usd_per_h) {
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

static inline void add_owned(world_t *w, const char *id, double capex_usd, bool moves) {
    add_rented(w, id, 0.0);
    assay_machine_t *machine = &w->machine[w->n - 1];
    machine->usd_per_h = assay_fact_unknown();
    machine->capex_usd = assay_fact_exact(capex_usd, "test");
    machine->needs_migration = moves;
}

static inline void set_step_error(world_t *w, uint32_t c, double sigma) {
    w->candidate[c].plan.best.rel_p10 = exp(-1.2815515655446004 * sigma);
    w->candidate[c].plan.best.rel_p90 = exp(1.2815515655446004 * sigma);
}

static inline void answer(world_t *w, assay_answer_id_t id, double v) {
    w->resolved.answers.a[id] = (assay_answer_t){v, true};
}

static inline int setup(void **state) {
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

static inline int teardown(void **state) {
    world_t *w = *state;
    assay_arena_destroy(w->arena);
    test_free(w);
    return 0;
}

static inline const assay_decision_t *decide_with(world_t *w, uint32_t threads) {
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

static inline const assay_decision_t *decide(world_t *w) {
    return decide_with(w, 1);
}

/* Node-hours of 3 years used half of the time: 13,149. The incumbent costs 131,490 USD a node, so
   10 USD an hour and 0.29 for energy (2.9 kW x 0.1); the mover 65,745, so 5 and 0.29, and moving
   costs 60 days x 500 = 30,000. 10 nodes, 1000 h: 102,900 against 52,900 + 30,000 = 82,900. */
static inline void add_pair(world_t *w) {
    add_owned(w, "incumbent", 131490.0, false);
    add_owned(w, "mover", 65745.0, true);
}

static inline const assay_rule_t *rule(const assay_decision_t *d, const char *id) {
    for (uint32_t k = 0; k < d->n_rule; k++) {
        if (strcmp(d->rule[k].id, id) == 0) {
            return &d->rule[k];
        }
    }
    fail_msg("no rule %s", id);
    return NULL;
}

static inline const assay_flip_t *flip(const assay_decision_t *d, const char *variable,
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

#define DECIDE_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
