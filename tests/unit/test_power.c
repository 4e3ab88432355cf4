#include "assay_test.h"
#include "physics_fixture.h"

/* 500 W, idle 100 W; full GEMM rate takes 0.9 of the difference, full HBM rate 0.4 */
static assay_machine_t package(void) {
    assay_machine_t m = fixture_machine();
    m.package_cap_w = assay_fact_exact(500, "test");
    m.package_idle_w = assay_fact_exact(100, "test");
    fixture_set(&m.device, ASSAY_CALIB_POWER_COMPUTE, 0.9);
    fixture_set(&m.device, ASSAY_CALIB_POWER_MEMORY, 0.4);
    fixture_set(&m.device, ASSAY_CALIB_IDLE_SHARE, 0.15);
    return m;
}

static double watts(const assay_machine_t *m, double matrix, double memory) {
    return assay_package_w(m, matrix, memory, ASSAY_DT_BF16);
}

static void test_load(void **state) {
    (void)state;
    const assay_machine_t m = package();
    assay_test_close(watts(&m, 0, 0), 100, 1e-12, 0, "idle");
    assay_test_close(watts(&m, 1, 0), 100 + 400 * 0.9, 1e-12, 0, "GEMM");
    assay_test_close(watts(&m, 0.5, 0.25), 100 + 400 * (0.45 + 0.1), 1e-12, 0, "both");
    assay_test_close(watts(&m, 1, 1), 500, 1e-12, 0, "capped");
    assay_test_close(watts(&m, 7, -1), 460, 1e-12, 0, "utilisations are within 0..1");
}

static void test_idle_unknown(void **state) {
    (void)state;
    assay_machine_t m = package();
    m.package_idle_w = assay_fact_unknown();
    assay_test_close(watts(&m, 0, 0), 75, 1e-12, 0, "share of the cap");
}

static void test_cap_below_idle(void **state) {
    (void)state;
    assay_machine_t m = package();
    m.package_cap_w = assay_fact_exact(80, "test");
    assay_test_close(watts(&m, 0, 0), 80, 1e-12, 0, "never above the cap");
    assay_test_close(watts(&m, 1, 1), 80, 1e-12, 0, "never above the cap");
}

static void test_monotone(void **state) {
    (void)state;
    const assay_machine_t m = package();
    for (double u = 0; u < 1; u += 0.125) {
        assert_true(watts(&m, u + 0.125, 0.3) >= watts(&m, u, 0.3));
        assert_true(watts(&m, 0.3, u + 0.125) >= watts(&m, 0.3, u));
    }
}

/* Exponent 2 down to a clock of .8: .9^2 = .81; .8^2 = .64; below it in proportion: half of the
   knee's clock, half of .64. */
static void test_clock(void **state) {
    (void)state;
    assay_machine_t m = package();
    m.clock_exponent = assay_fact_exact(2, "test");
    fixture_set(&m.device, ASSAY_CALIB_POWER_KNEE, 0.8);
    const double clock[] = {1, 0.9, 0.8, 0.4}, power[] = {1, 0.81, 0.64, 0.32};
    for (int i = 0; i < 4; i++) {
        assay_test_close(assay_clock_power(&m.device, clock[i], 2), power[i], 1e-12, 0, "power");
        assay_test_close(assay_power_clock(&m.device, power[i], 2), clock[i], 1e-12, 0, "clock");
        /* 100 W idle, .9 of 400 W for GEMM that follow the clock, .4 for memory that does not */
        assay_test_close(assay_package_at_clock_w(&m, 0.5, 0.25, ASSAY_DT_BF16, clock[i]),
                         100 + 400 * (0.45 * power[i] + 0.1), 1e-12, 0, "watts");
    }
    assay_test_close(assay_package_at_clock_w(&m, 0.5, 0.25, ASSAY_DT_BF16, 1), watts(&m, .5, .25),
                     0, 0, "the usual clock");
}

/* BERT-base fine-tuned on a V100 under caps (ml-energy/zeus, trace/summary_power_v100.csv of
   zeus_nsdi23): medians over batches of 12 and more of the rate over that at 250 W, and the mean
   draw. What is assumed: 40 W idle, and that three quarters of the time follow the clock. */
static void test_published_caps(void **state) {
    (void)state;
    static const struct {
        double cap_w, draw_w, rate;
    } v100[] = {{200, 187, 0.937},
                {175, 168, 0.891},
                {150, 146, 0.83},
                {125, 122, 0.692},
                {100, 100, 0.53}};
    assay_device_t device = fixture_device();
    fixture_set(&device, ASSAY_CALIB_POWER_KNEE, 0.8); /* as calibration.csv has it for any part */
    for (size_t i = 0; i < sizeof v100 / sizeof v100[0]; i++) {
        const double power = (v100[i].draw_w - 40) / (226 - 40);
        const double clock = assay_power_clock(&device, power, 2.5);
        assay_test_close(1 / (0.75 / clock + 0.25), v100[i].rate, 0.03, 0, "rate");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),           cmocka_unit_test(test_idle_unknown),
        cmocka_unit_test(test_cap_below_idle), cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_clock),          cmocka_unit_test(test_published_caps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
