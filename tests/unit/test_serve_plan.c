#include "resolve_fixture.h"

#include "assay/serve_plan.h"

static assay_resolved_t *resolved;

/* One H100 node and one MI300X node; rate and limits are set by each test. */
static const char job_text[] = "assay: 1\n"
                               "workload:\n"
                               "  serve:\n"
                               "    model: llama-3.1-8b\n"
                               "    input_tokens: 1024\n"
                               "    output_tokens: 256\n"
                               "    rate: 40\n"
                               "    max_model_len: 8192\n"
                               "    engine: vllm-0.10\n"
                               "candidates:\n"
                               "  - {system: hgx-h100-8, usd_per_h: 20 USD/h}\n"
                               "  - {system: 8x-mi300x-oam, usd_per_h: 20 USD/h}\n";

static int set_up(void **state) {
    if (tables_set_up(state)) {
        return -1;
    }
    resolved = resolve_ok(job_text);
    return 0;
}

static assay_serve_fleets_t fleets_of(uint32_t machine, const assay_serving_t *serving) {
    assay_serve_fleets_t out;
    const assay_layout_pin_t pin = {0};
    assert_int_equal(
        assay_serve_fleet_search(&resolved->machine[machine], serving, &pin, &out, NULL), ASSAY_OK);
    return out;
}

static void a_fleet_has_the_replicas_that_its_rate_needs(void **state) {
    (void)state;
    for (uint32_t m = 0; m < 2; m++) {
        const assay_serve_fleets_t fleets = fleets_of(m, &resolved->serving[m]);
        assert_true(fleets.n_fleet >= 4); /* 1, 2, 4 and 8 ranks */
        for (uint32_t i = 0; i < fleets.n_fleet; i++) {
            const assay_serve_fleet_t *f = &fleets.fleet[i];
            assert_int_equal(f->verdict, ASSAY_SERVE_FLEET_FITS);
            if (f->prefill_replicas > 0) {
                continue;
            }
            assert_true(f->simulated);
            assert_int_equal(f->devices, f->replicas * f->way.layout.tp * f->way.layout.pp);
            /* as many as needed, and not one more */
            assert_true(f->replicas * f->rate_per_s >= 40 * (1 - 1e-9));
            assert_true((f->replicas - 1) * f->rate_per_s < 40);
            assert_int_equal(f->nodes, (f->devices + 7) / 8);
            /* no limit is given: nine tenths of what it can */
            assay_test_close(f->rate_per_s, .9 * f->saturation_per_s, 1e-12, 0, "usual load");
            assay_test_close(f->output_tokens_per_s, 40 * 256, 1e-12, 0, "tokens");
            assert_true(f->busy > 0 && f->busy <= 1);
            assert_true(f->ttft.p50_s <= f->ttft.p90_s && f->ttft.p90_s <= f->ttft.p99_s);
        }
    }
}

static void limits_are_kept_and_cost_devices(void **state) {
    (void)state;
    assay_serving_t serving = resolved->serving[0];
    serving.ttft_p99_s = 0.2;
    serving.tpot_p99_s = 0.02;
    const assay_serve_fleets_t strict = fleets_of(0, &serving),
                               free = fleets_of(0, &resolved->serving[0]);
    assert_int_equal(strict.fleet[0].verdict, ASSAY_SERVE_FLEET_FITS);
    assert_true(strict.fleet[0].devices >= free.fleet[0].devices);
    for (uint32_t i = 0; i < strict.n_fleet; i++) {
        if (strict.fleet[i].verdict == ASSAY_SERVE_FLEET_FITS) {
            assert_true(strict.fleet[i].ttft.p99_s <= 0.2 * 1.05);
            assert_true(strict.fleet[i].tpot.p99_s <= 0.02 * 1.05);
        }
    }
    serving.tpot_p99_s = 1e-4; /* no step is that short */
    const assay_serve_fleets_t none = fleets_of(0, &serving);
    for (uint32_t i = 0; i < none.n_fleet; i++) {
        assert_int_equal(none.fleet[i].verdict, ASSAY_SERVE_FLEET_LIMITS);
    }
}

static void nodes_bound_a_fleet_where_the_job_names_them(void **state) {
    (void)state;
    assay_serving_t serving = resolved->serving[0];
    serving.rate_per_s = 100000;
    serving.open_nodes = false;
    const assay_serve_fleets_t bound = fleets_of(0, &serving);
    assert_int_equal(bound.fleet[0].verdict, ASSAY_SERVE_FLEET_NODES);
    assert_true(bound.fleet[0].nodes > resolved->machine[0].nodes);
}

/* 128 at a time: Little's law holds between what is there, the rate and the time of one. */
static void a_closed_loop_keeps_its_clients_busy(void **state) {
    (void)state;
    assay_serving_t serving = resolved->serving[0];
    serving.rate_per_s = 0;
    serving.concurrency = 128;
    const assay_serve_fleets_t fleets = fleets_of(0, &serving);
    for (uint32_t i = 0; i < fleets.n_fleet; i++) {
        const assay_serve_fleet_t *f = &fleets.fleet[i];
        assert_int_equal(f->verdict, ASSAY_SERVE_FLEET_FITS);
        assert_int_equal(f->replicas, 1); /* no limit, and the cache holds them */
        assay_test_close(f->rate_per_s * f->e2e.p50_s, 128, 0.1, 0, "Little");
    }
    serving.tpot_p99_s = fleets.fleet[0].tpot.p99_s * 0.6;
    const assay_serve_fleets_t strict = fleets_of(0, &serving);
    for (uint32_t i = 0; i < strict.n_fleet; i++) {
        if (strict.fleet[i].way.layout.tp == fleets.fleet[0].way.layout.tp) {
            assert_true(strict.fleet[i].replicas > 1);
            assert_true(strict.fleet[i].tpot.p99_s <= serving.tpot_p99_s);
        }
    }
}

static void a_simulated_fleet_serves_what_arrives(void **state) {
    (void)state;
    const assay_serve_fleets_t fleets = fleets_of(1, &resolved->serving[1]);
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    const assay_serve_run_t run = {.requests = 20000};
    assert_int_equal(assay_serve_fleet_simulate(arena, &resolved->machine[1], &resolved->serving[1],
                                                &fleets.fleet[0], &run, result, NULL),
                     ASSAY_OK);
    assert_int_equal(result->requests, 20000);
    assert_int_equal(result->output_tokens, 20000ull * 256);
    /* 20000 Poisson gaps at 40/s: within four standard errors of 500 s, and the tail of the last */
    assert_true(result->duration_s > 500 * (1 - 4 / 141.4) &&
                result->duration_s < 500 * (1 + 4 / 141.4) + 60);
}

/* The closed form of a finalist beside its simulation, at the same rate: tokens within 10 %, the
   first one within 40 %, its p99 within a factor of 2. */
static void the_closed_form_is_near_the_simulation(void **state) {
    (void)state;
    assay_serve_fleets_t estimated;
    const assay_layout_pin_t pin = {.tp = 1, .pp = 1};
    assay_serving_t serving = resolved->serving[0];
    serving.open_budget = serving.open_sequences = serving.split = false;
    serving.rate_per_s = 0; /* one replica at its usual load */
    assay_serve_fleet_estimate(&resolved->machine[0], &serving, &pin, &estimated);
    assay_serve_fleets_t simulated;
    assert_int_equal(
        assay_serve_fleet_search(&resolved->machine[0], &serving, &pin, &simulated, NULL),
        ASSAY_OK);
    const assay_serve_fleet_t *e = &estimated.fleet[0], *s = &simulated.fleet[0];
    assert_true(!e->simulated && s->simulated);
    assay_test_close(e->rate_per_s, s->rate_per_s, .05, 0, "rate");
    assay_test_close(e->tpot.p50_s, s->tpot.p50_s, .10, 0, "time of a token");
    assay_test_close(e->ttft.p50_s, s->ttft.p50_s, .40, 0, "first token");
    assert_true(e->ttft.p99_s < 2 * s->ttft.p99_s && e->ttft.p99_s > .5 * s->ttft.p99_s);
}

/* Nothing on the front is beaten in both; ends are one sequence and the engine's bound. */
static void nothing_beats_the_front(void **state) {
    (void)state;
    const assay_serve_fleets_t fleets = fleets_of(0, &resolved->serving[0]);
    assert_true(fleets.n_pareto > 4 && fleets.n_ways > 20);
    for (uint32_t i = 1; i < fleets.n_pareto; i++) {
        const assay_serve_pareto_t *a = &fleets.pareto[i - 1], *b = &fleets.pareto[i];
        assert_true(a->tokens_per_s_per_user > b->tokens_per_s_per_user);
        assert_true(a->tokens_per_s_per_device < b->tokens_per_s_per_device);
    }
}

/* Rates of both sides are matched: .90 of what prompts reach, .92 of what answers do. */
static void split_replicas_are_matched(void **state) {
    (void)state;
    const assay_serve_fleets_t fleets = fleets_of(0, &resolved->serving[0]);
    const assay_serve_fleet_t *split = NULL;
    for (uint32_t i = 0; i < fleets.n_fleet; i++) {
        split = fleets.fleet[i].prefill_replicas > 0 ? &fleets.fleet[i] : split;
    }
    assert_non_null(split);
    assert_true(split->rate_per_s * split->replicas >= 40 * (1 - 1e-9));
    assert_true(split->rate_per_s <= .92 * split->saturation_per_s * (1 + 1e-9));
    assert_int_equal(split->devices, split->replicas * split->way.layout.tp * split->way.layout.pp +
                                         split->prefill_replicas * split->prefill_way.layout.tp *
                                             split->prefill_way.layout.pp);
    assert_true(split->transfer_s > 0 && split->transfer_s < split->ttft.p50_s);
}

/* Half of each prompt is found in the cache: more requests on the same machine. */
static void a_shared_prefix_saves_replicas(void **state) {
    (void)state;
    assay_serving_t serving = resolved->serving[0];
    const assay_serve_fleets_t plain = fleets_of(0, &serving);
    serving.cached_tokens = 512;
    const assay_serve_fleets_t shared = fleets_of(0, &serving);
    assert_true(shared.fleet[0].saturation_per_s > 1.1 * plain.fleet[0].saturation_per_s);
    assert_true(shared.fleet[0].devices <= plain.fleet[0].devices);
    /* 512 x 512 more pairs for attention, of 512 tokens that pass all matrices besides */
    assert_true(shared.fleet[0].cached_share > 0 && shared.fleet[0].cached_share < .1);
    assay_test_close(plain.fleet[0].cached_share, 0, 0, 1e-12, "nothing is cached");
}

/* Three models with a small demand each: one device holds them in turns, or each has its own. */
static void several_models_take_turns(void **state) {
    (void)state;
    assay_serving_t serving = resolved->serving[1];
    serving.rate_per_s = 1;
    serving.models_per_host = 3;
    const assay_serve_fleets_t fleets = fleets_of(1, &serving);
    const assay_serve_fleet_t *f = &fleets.fleet[0];
    assert_true(f->way.shared);
    assert_int_equal(f->devices, 1);
    assay_test_close(f->output_tokens_per_s, 3 * 256, 1e-9, 0, "tokens of all three");
    bool apart = false;
    for (uint32_t i = 0; i < fleets.n_fleet; i++) {
        if (!fleets.fleet[i].way.shared && fleets.fleet[i].way.layout.tp == 1) {
            assert_int_equal(fleets.fleet[i].devices, 3);
            apart = true;
        }
    }
    assert_true(apart);
}

/* Of several number formats the search takes what needs the fewest devices. */
static void a_job_may_leave_the_format_open(void **state) {
    (void)state;
    assay_serving_t serving = resolved->serving[0];
    assay_serve_format_t format[2] = {serving.format[0], serving.format[0]};
    format[1].weights = "fp8";
    format[1].gemm_dtype = ASSAY_DT_FP8;
    for (int i = 0; i < ASSAY_PART_N; i++) {
        format[1].checkpoint.part_bytes[i] /= 2;
    }
    format[1].checkpoint.total_bytes /= 2;
    const assay_serve_fleets_t wide = fleets_of(0, &serving);
    serving.format = format;
    serving.n_format = 2;
    const assay_serve_fleets_t both = fleets_of(0, &serving);
    assert_int_equal(both.fleet[0].way.format, 1);
    assert_true(both.fleet[0].devices <= wide.fleet[0].devices);
}

/* A larger rate never takes fewer devices, a stricter limit neither, more bandwidth never more. */
static void demands_and_machines_are_ordered(void **state) {
    (void)state;
    assay_serving_t serving = resolved->serving[0];
    uint32_t before = 0;
    for (double rate_per_s = 5; rate_per_s < 1000; rate_per_s *= 2.7) {
        serving.rate_per_s = rate_per_s;
        const assay_serve_fleets_t fleets = fleets_of(0, &serving);
        assert_true(fleets.fleet[0].devices >= before);
        before = fleets.fleet[0].devices;
    }
    serving.rate_per_s = 100;
    before = 0;
    for (double limit_s = .08; limit_s > .01; limit_s *= .7) {
        serving.tpot_p99_s = limit_s;
        const assay_serve_fleets_t fleets = fleets_of(0, &serving);
        if (fleets.fleet[0].verdict == ASSAY_SERVE_FLEET_FITS) {
            assert_true(fleets.fleet[0].devices >= before);
            before = fleets.fleet[0].devices;
        }
    }
    serving.tpot_p99_s = 0;
    const assay_layout_pin_t pin = {0};
    assay_serve_fleets_t slow, fast;
    assay_machine_t machine = resolved->machine[0];
    assay_serve_fleet_estimate(&machine, &serving, &pin, &slow);
    machine.device.hbm_bytes_per_s *= 1.5;
    assay_serve_fleet_estimate(&machine, &serving, &pin, &fast);
    assert_true(fast.fleet[0].devices <= slow.fleet[0].devices);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fleet_has_the_replicas_that_its_rate_needs),
        cmocka_unit_test(limits_are_kept_and_cost_devices),
        cmocka_unit_test(nodes_bound_a_fleet_where_the_job_names_them),
        cmocka_unit_test(a_closed_loop_keeps_its_clients_busy),
        cmocka_unit_test(a_simulated_fleet_serves_what_arrives),
        cmocka_unit_test(the_closed_form_is_near_the_simulation),
        cmocka_unit_test(nothing_beats_the_front),
        cmocka_unit_test(split_replicas_are_matched),
        cmocka_unit_test(a_shared_prefix_saves_replicas),
        cmocka_unit_test(several_models_take_turns),
        cmocka_unit_test(a_job_may_leave_the_format_open),
        cmocka_unit_test(demands_and_machines_are_ordered),
    };
    return cmocka_run_group_tests(tests, set_up, arena_tear_down);
}
