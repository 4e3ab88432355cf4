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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_idle_unknown),
        cmocka_unit_test(test_cap_below_idle),
        cmocka_unit_test(test_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
