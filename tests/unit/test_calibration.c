#include "resolve_fixture.h"

#define HEADER "scope,dtype,constant,value,p10,p90,basis,rows,unit,source,method\n"

static assay_calibration_t *own; /* what ships, and rows laid over it */
static assay_error_t err;

static assay_status_t load_over(const char *text) {
    return calibration_over("calibration.csv", text, &own, &err);
}

static void test_builtin(void **state) {
    (void)state;
    const char *const nothing[] = {NULL};
    for (int id = 0; id < ASSAY_CALIB_N; id++) {
        for (int dtype = 0; dtype <= ASSAY_DT_N; dtype++) {
            const assay_fact_t fact = assay_calibration_get(calibration, (assay_calib_id_t)id,
                                                            nothing, (assay_dtype_t)dtype);
            assert_true(fact.known);
            assert_non_null(fact.source);
            assert_true(fact.p10 <= fact.v && fact.v <= fact.p90);
        }
    }
}

/* Parts of one vendor and generation differ, so the table must know the common ones by name. */
static void test_builtin_knows_the_common_parts(void **state) {
    (void)state;
    static const char *const part[] = {"nvidia-a100-sxm4-80g", "nvidia-a100-pcie-80g",
                                       "nvidia-h100-sxm5-80g", "nvidia-b200-sxm-180g",
                                       "amd-mi250x-128g",      "amd-mi300x-192g"};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const char *const scope[] = {part[i], NULL};
        const assay_fact_t fact =
            assay_calibration_get(calibration, ASSAY_CALIB_GEMM_EFFICIENCY, scope, ASSAY_DT_BF16);
        assert_true(fact.basis <= ASSAY_BASIS_TRANSFERRED);
        assert_true(fact.v > 0.3 && fact.v < 1.0);
    }
}

static void test_most_specific_row(void **state) {
    (void)state;
    assert_int_equal(load_over(HEADER
                               "part-x,bf16,launch_s,1e-6,1e-6,1e-6,calibrated,9,s,log,median\n"
                               "part-x,*,launch_s,2e-6,2e-6,2e-6,calibrated,9,s,log,median\n"
                               "ARCH,*,launch_s,3e-6,2e-6,4e-6,calibrated,9,s,log,median\n"),
                     ASSAY_OK);
    const char *const part[] = {"part-x", "ARCH", NULL}, *const arch[] = {"part-y", "ARCH", NULL};
    assay_fact_t fact = assay_calibration_get(own, ASSAY_CALIB_LAUNCH_S, part, ASSAY_DT_BF16);
    assay_test_close(fact.v, 1e-6, 0, 0, "scope and dtype");
    assert_int_equal(fact.basis, ASSAY_BASIS_CALIBRATED);
    fact = assay_calibration_get(own, ASSAY_CALIB_LAUNCH_S, part, ASSAY_DT_FP8);
    assay_test_close(fact.v, 2e-6, 0, 0, "any dtype of the scope");
    fact = assay_calibration_get(own, ASSAY_CALIB_LAUNCH_S, arch, ASSAY_DT_BF16);
    assay_test_close(fact.v, 3e-6, 0, 0, "wider scope");
    assay_test_close(fact.p90, 4e-6, 0, 0, "with its range");
    assert_int_equal(fact.basis, ASSAY_BASIS_TRANSFERRED);
    const char *const unheard[] = {"part-z", NULL};
    fact = assay_calibration_get(own, ASSAY_CALIB_LAUNCH_S, unheard, ASSAY_DT_BF16);
    assert_true(fact.known);
    assert_int_equal(fact.basis, ASSAY_BASIS_EXTRAPOLATED);
}

static void test_overlay_replaces_one_constant(void **state) {
    (void)state;
    const char *const scope[] = {"*", NULL};
    const double k0 =
        assay_calibration_get(calibration, ASSAY_CALIB_GEMM_K0, scope, ASSAY_DT_BF16).v;
    assert_int_equal(load_over(HEADER "*,*,launch_s,7e-6,7e-6,7e-6,extrapolated,0,s,mine,guess\n"),
                     ASSAY_OK);
    assay_test_close(assay_calibration_get(own, ASSAY_CALIB_LAUNCH_S, scope, ASSAY_DT_BF16).v, 7e-6,
                     0, 0, "replaced");
    assay_test_close(assay_calibration_get(own, ASSAY_CALIB_GEMM_K0, scope, ASSAY_DT_BF16).v, k0, 0,
                     0, "the rest stays");
}

static void test_refused_rows(void **state) {
    (void)state;
    static const bad_rows_t bad[] = {
        {"*,*,launch,1e-6,1e-6,1e-6,calibrated,1,s,a,b\n", "no constant is called 'launch'"},
        {"*,bf17,launch_s,1e-6,1e-6,1e-6,calibrated,1,s,a,b\n", "dtype is 'bf17'"},
        {"*,*,launch_s,1 us,1e-6,1e-6,calibrated,1,s,a,b\n", "value is '1 us'"},
        {"*,*,launch_s,nan,1e-6,1e-6,calibrated,1,s,a,b\n", "value is 'nan'"},
        {"*,*,launch_s,2e-6,3e-6,4e-6,calibrated,1,s,a,b\n", "p10 <= value <= p90"},
        {"*,*,launch_s,1,1,1,calibrated,1,s,a,b\n", "expected 0..0.01"},
        {"*,*,hbm_efficiency,0,0,0.5,calibrated,1,1,a,b\n", "expected 0.01..1.2"},
        {"*,*,launch_s,1e-6,1e-6,1e-6,guessed,1,s,a,b\n", "basis is 'guessed'"},
        {"*,*,launch_s,1e-6,1e-6,1e-6,calibrated,1,us,a,b\n", "unit is 'us'"},
        {"*,*,launch_s,1e-6,1e-6,1e-6,calibrated,1,s,,b\n", "source is ''"},
        {"*,*,launch_s,1e-6,1e-6,1e-6,calibrated,1,s,a,\n", "method is ''"},
        {",*,launch_s,1e-6,1e-6,1e-6,calibrated,1,s,a,b\n", "scope is ''"},
        {"X,*,launch_s,1e-6,1e-6,1e-6,calibrated,1,s,a,b\n"
         "X,*,launch_s,1e-6,1e-6,1e-6,calibrated,1,s,a,b\n",
         "given twice"},
    };
    calibration_refuses("calibration.csv", HEADER, bad, sizeof bad / sizeof *bad);
    assert_int_equal(load_over("scope,dtype,constant\n"), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "'value' is missing"));
}

static void test_near_name(void **state) {
    (void)state;
    assert_int_equal(load_over(HEADER "*,*,lunch_s,1e-6,1e-6,1e-6,calibrated,1,s,a,b\n"),
                     ASSAY_INPUT);
    assert_non_null(strstr(err.next, "launch_s"));
}

static void test_directory_without_the_table(void **state) {
    (void)state;
    const char *const dir[] = {"/usr"};
    assert_int_equal(assay_calibration_load(arena, dir, 1, &own, &err), ASSAY_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtin),
        cmocka_unit_test(test_builtin_knows_the_common_parts),
        cmocka_unit_test(test_most_specific_row),
        cmocka_unit_test(test_overlay_replaces_one_constant),
        cmocka_unit_test(test_refused_rows),
        cmocka_unit_test(test_near_name),
        cmocka_unit_test(test_directory_without_the_table),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
