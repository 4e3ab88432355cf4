/* State in the host and a lower cap of power, by hand. */
#include "assay_test.h"

#include <math.h>

#include "assay/job.h"
#include "assay/train.h"
#include "machine_fixture.h"

/* 16 layers of 3 + 6 ms, 1e8 parameters each. */
static assay_train_layer_t plain_layer(void) {
    return (assay_train_layer_t){.layer_s = {[ASSAY_TIME_GEMM] = 9e-3},
                                 .layer_forward_s = 3e-3,
                                 .layer_backward_s = 6e-3,
                                 .layer_params = 1e8,
                                 .stored_bytes = 50e6,
                                 .rel_p10 = .9,
                                 .rel_p90 = 1.1};
}

/* 8 devices, 10 GB/s to each, 100 GB/s in which the node's processors update. */
static assay_machine_t hosted(void) {
    assay_machine_t m = fixture_a100(1);
    m.host_link_bytes_per_s = assay_fact_exact(10e9, "test");
    m.host_update_bytes_per_s = assay_fact_exact(100e9, "test");
    return m;
}

static assay_estimate_t with_recipe(const assay_machine_t *machine, assay_recipe_t recipe,
                                    uint8_t zero) {
    assay_workload_t work = fixture_gpt(16, 32); /* 4 micro-batches on each of 8 */
    const assay_layout_t l = {.tp = 1, .pp = 1, .vpp = 1, .dp = 8, .micro_batch = 1, .zero = zero};
    const assay_train_layer_t layer = plain_layer();
    assay_estimate_t e;
    work.recipe = recipe;
    assay_train_estimate_with(machine, &work, &l, &layer, &e);
    return e;
}

static assay_estimate_t offloaded(const assay_machine_t *machine, uint8_t offload, uint8_t zero) {
    return with_recipe(machine, (assay_recipe_t){.offload = offload}, zero);
}

/* Adam with an fp32 copy: of a parameter 4 B of gradient leave, 2 B of weight come; the update
   moves 4 + 2 x (4 + 8) + 2 = 30 B. ZeRO-2: each device has 1.6e9/8 = 2e8 of them updated.
   Gradients: .08 s, hidden by a backward of 16 x 6 = 96 ms but for the last of 16 pieces, 5 ms.
   Update: 8 x 2e8 x 30 B at 100 GB/s = .48 s, longer than the weights' way back, .04 s. */
static void the_optimizer_in_the_host(void **state) {
    (void)state;
    const assay_machine_t m = hosted();
    const assay_estimate_t e = offloaded(&m, ASSAY_OFFLOAD_OPTIMIZER, 2);
    assay_test_close(e.time_s[ASSAY_TIME_OFFLOAD], .005 + .48, 1e-12, 0, "ZeRO-2");
    /* the device only zeroes its gradients */
    assay_test_close(e.time_s[ASSAY_TIME_OPTIMIZER],
                     2e8 * 4 / (2039e9 * .85) + 2e6 / (2039e9 * .85) + 3e-6, 1e-12, 0, "device");
    /* without ZeRO each device has all 1.6e9 updated: .64 s of gradients show .544, 3.84 s */
    const assay_estimate_t whole = offloaded(&m, ASSAY_OFFLOAD_OPTIMIZER, 0);
    assay_test_close(whole.time_s[ASSAY_TIME_OFFLOAD], .64 - .096 + 3.84, 1e-12, 0, "whole");
    /* a host of ten times the memory: the way back of .04 s counts, not the update's .048 */
    assay_machine_t fast = hosted();
    fast.host_update_bytes_per_s = assay_fact_exact(10e12, "test");
    const assay_estimate_t back = offloaded(&fast, ASSAY_OFFLOAD_OPTIMIZER, 2);
    assay_test_close(back.time_s[ASSAY_TIME_OFFLOAD], .005 + .04, 1e-12, 0, "way back");
}

/* Weights come for each pass: 1.6e9 x 2 B at 10 GB/s = .32 s, less 48 ms of forward and 96 ms of
   backward, in 4 micro-batches; they need no way back. ZeRO-3: an eighth, .04 s, hidden but for a
   sixteenth, 2.5 ms. */
static void weights_in_the_host_come_for_every_pass(void **state) {
    (void)state;
    const assay_machine_t m = hosted();
    const assay_estimate_t e = offloaded(&m, ASSAY_OFFLOAD_ALL, 2);
    assay_test_close(e.time_s[ASSAY_TIME_OFFLOAD], .005 + .48 + 4 * (.32 - .048 + .32 - .096),
                     1e-12, 0, "ZeRO-2");
    const assay_estimate_t shared = offloaded(&m, ASSAY_OFFLOAD_ALL, 3);
    assay_test_close(shared.time_s[ASSAY_TIME_OFFLOAD], .005 + .48 + 4 * 2 * .0025, 1e-12, 0,
                     "ZeRO-3");
}

/* A micro-batch keeps 16 x 50 MB: .08 s each way. Forward takes 48 ms: .032 s of it show; backward
   takes 96 ms: a sixteenth shows, 5 ms. Beside weights that come for every pass, .32 s: forward is
   the other direction, backward the same one. */
static void activations_wait_in_the_host(void **state) {
    (void)state;
    const assay_machine_t m = hosted();
    const assay_estimate_t e = with_recipe(&m, (assay_recipe_t){.host_activations = true}, 2);
    assay_test_close(e.time_s[ASSAY_TIME_OFFLOAD], 4 * (.032 + .005), 1e-12, 0, "alone");
    /* the device updates, as without */
    const assay_estimate_t here = offloaded(&m, ASSAY_OFFLOAD_NONE, 2);
    assay_test_close(e.time_s[ASSAY_TIME_OPTIMIZER], here.time_s[ASSAY_TIME_OPTIMIZER], 0, 0,
                     "update");
    /* two layers of 16 stay */
    assay_test_close(here.peak_bytes[ASSAY_MEMORY_ACTIVATIONS] -
                         e.peak_bytes[ASSAY_MEMORY_ACTIVATIONS],
                     14 * 50e6, 1e-12, 0, "memory");
    const assay_estimate_t all = with_recipe(
        &m, (assay_recipe_t){.offload = ASSAY_OFFLOAD_ALL, .host_activations = true}, 2);
    assay_test_close(all.time_s[ASSAY_TIME_OFFLOAD],
                     .005 + .48 + 4 * (.32 - .048 + .32 + .08 - .096), 1e-12, 0, "with weights");
}

/* 8 devices keep 14 x 50 MB there: 5.6 GB. With all state, ZeRO-2 over 8: 2e8 parameters of 4 + 8 B
   and a gradient of 4 B, and 1.6e9 weights of 2 B, are 8 x 6.4 GB more. */
static void the_host_has_room_or_not(void **state) {
    (void)state;
    static const struct {
        assay_recipe_t recipe;
        double bytes;
    } row[] = {
        {{.host_activations = true}, 5.6e9},
        {{.offload = ASSAY_OFFLOAD_OPTIMIZER}, 8 * 3.2e9},
        {{.offload = ASSAY_OFFLOAD_ALL, .host_activations = true}, 5.6e9 + 8 * 6.4e9},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_machine_t m = hosted();
        m.host_bytes = assay_fact_exact(row[i].bytes * 1.001, "test");
        assert_int_equal(with_recipe(&m, row[i].recipe, 2).reject, ASSAY_REJECT_NONE);
        m.host_bytes.v = row[i].bytes * .999;
        const assay_estimate_t e = with_recipe(&m, row[i].recipe, 2);
        assert_int_equal(e.reject, ASSAY_REJECT_HOST_MEMORY);
        assay_test_close(e.need, row[i].bytes, 1e-12, 0, "need");
        assay_test_close(e.have, row[i].bytes * .999, 1e-12, 0, "have");
    }
}

/* Memory that may be half as fast or twice: the update takes .24 to .96 s. The rest of the step is
   within .9 and 1.1. */
static void the_interval_knows_the_host(void **state) {
    (void)state;
    assay_machine_t m = hosted();
    m.host_update_bytes_per_s.p10 = 50e9;
    m.host_update_bytes_per_s.p90 = 200e9;
    const assay_estimate_t e = offloaded(&m, ASSAY_OFFLOAD_OPTIMIZER, 2);
    const double rest_s = e.step_s - .485;
    assay_test_close(e.rel_p10 * e.step_s, .9 * rest_s + .005 + .24, 1e-12, 0, "p10");
    assay_test_close(e.rel_p90 * e.step_s, 1.1 * rest_s + .005 + .96, 1e-12, 0, "p90");
    assert_int_equal(e.basis, ASSAY_BASIS_EXTRAPOLATED);
}

/* The device waits meanwhile: it draws less, and the host's time is no time that it is busy. */
static void the_device_waits_for_the_host(void **state) {
    (void)state;
    const assay_machine_t m = hosted();
    const assay_estimate_t here = offloaded(&m, ASSAY_OFFLOAD_NONE, 2);
    const assay_estimate_t e = offloaded(&m, ASSAY_OFFLOAD_OPTIMIZER, 2);
    const double gemm_s = 4 * 16 * 9e-3, busy_s = e.step_s - e.time_s[ASSAY_TIME_HOST] - .485;
    assay_test_close(e.compute_share, gemm_s / busy_s, 1e-12, 0, "compute share");
    assert_true(e.device_w < here.device_w);
}

/* Memory, launches and all else free: only matrix products take time, all of it. 400 W as built,
   60 W idle, .8 x 340 W of load: 332 W. */
static assay_machine_t matrix_only(void) {
    assay_machine_t m = fixture_a100(1);
    static const assay_calib_id_t none[] = {ASSAY_CALIB_GEMM_SERIAL, ASSAY_CALIB_LAUNCH_S,
                                            ASSAY_CALIB_HBM_HALF_BYTES, ASSAY_CALIB_STEP_LOSS};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        for (int type = 0; type < ASSAY_DT_N; type++) {
            m.device.calib[none[i]][type] = 0;
        }
    }
    m.device.hbm_bytes_per_s = 1e30;
    m.clock_exponent = (assay_fact_t){.v = 2, .p10 = 2, .p90 = 4, .known = true, .source = "test"};
    m.devices = m.devices_per_node = m.packages_per_node = 1;
    return m;
}

/* At 60 + .64 x 272 = 234.08 W the load is .64 of what it was: with an exponent of 2 a clock of .8,
   and a step of 1/.8. Half of that load: half the clock. Were the exponent 4, the clock for .64
   would be .64^(1/4) = .894 (above the knee of .8: .8^4 = .41). */
static void a_lower_cap_by_hand(void **state) {
    (void)state;
    assay_machine_t m = matrix_only();
    const assay_workload_t work = fixture_gpt(16, 4);
    const assay_layout_t l = {.tp = 1, .pp = 1, .vpp = 1, .dp = 1, .micro_batch = 1};
    assay_estimate_t free, e;
    assay_train_estimate(&m, &work, &l, &free);
    assay_test_close(free.device_w, 60 + .8 * 340, 1e-9, 0, "as it is built");
    assay_test_close(free.clock, 1, 0, 0, "the usual clock");
    m.package_limit_w = 60 + .64 * 272;
    assay_train_estimate(&m, &work, &l, &e);
    assay_test_close(e.clock, .8, 1e-6, 0, "clock");
    assay_test_close(e.step_s, free.step_s / .8, 1e-6, 0, "step");
    assay_test_close(e.device_w, m.package_limit_w, 1e-6, 0, "draw");
    assay_test_close(e.rel_p10 / free.rel_p10, .8 / pow(.64, .25), 1e-6, 0, "were it steeper");
    assay_test_close(e.rel_p90, free.rel_p90, 0, 0, "it is no flatter");
    m.package_limit_w = 60 + .32 * 272;
    assay_train_estimate(&m, &work, &l, &e);
    assay_test_close(e.step_s, free.step_s / .4, 1e-6, 0, "below the knee");
    /* a cap that the draw does not reach changes nothing */
    m.package_limit_w = 332.1;
    assay_train_estimate(&m, &work, &l, &e);
    assert_memory_equal(&e, &free, sizeof(e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_optimizer_in_the_host),
        cmocka_unit_test(weights_in_the_host_come_for_every_pass),
        cmocka_unit_test(activations_wait_in_the_host),
        cmocka_unit_test(the_host_has_room_or_not),
        cmocka_unit_test(the_interval_knows_the_host),
        cmocka_unit_test(the_device_waits_for_the_host),
        cmocka_unit_test(a_lower_cap_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
