#include "assay_test.h"

#include "assay/resolve.h"
#include "assay/serve_plan.h"

#define ARENA_BYTES ((size_t)256 << 20)

static assay_arena_t *arena;
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
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_job_t *job;
    assay_error_t err;
    (void)state;
    arena = assay_arena_create(ARENA_BYTES);
    return !arena || assay_catalog_load(arena, NULL, 0, &catalog, &err) ||
           assay_calibration_load(arena, NULL, 0, &calibration, &err) ||
           assay_job_read(arena, "job.yaml", job_text, sizeof job_text - 1, NULL, 0, &job, &err) ||
           assay_resolve(arena, job, catalog, calibration, &resolved, &err);
}

static int tear_down(void **state) {
    (void)state;
    assay_arena_destroy(arena);
    return 0;
}

static assay_serve_fleets_t fleets_of(uint32_t machine, const assay_serving_t *serving) {
    assay_serve_fleets_t out;
    const assay_layout_pin_t pin = {0};
    assert_int_equal(
        assay_serve_fleet_search(arena, &resolved->machine[machine], serving, &pin, &out, NULL),
        ASSAY_OK);
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
            assert_int_equal(f->devices, f->replicas * f->layout.tp * f->layout.pp);
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
        if (strict.fleet[i].layout.tp == fleets.fleet[0].layout.tp) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fleet_has_the_replicas_that_its_rate_needs),
        cmocka_unit_test(limits_are_kept_and_cost_devices),
        cmocka_unit_test(nodes_bound_a_fleet_where_the_job_names_them),
        cmocka_unit_test(a_closed_loop_keeps_its_clients_busy),
        cmocka_unit_test(a_simulated_fleet_serves_what_arrives),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
