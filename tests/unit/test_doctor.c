#include "assay/doctor.h"

#include <stdlib.h>

#include "host_fixture.h"

static void test_numa_balancing(void **state) {
    const assay_host_t *host = HOST(state, "proc_sys_kernel_numa_balancing.txt", "1\n");
    const assay_doctor_finding_t *finding = host_finding(state, host, "krn-006");
    assert_int_equal(finding->status, ASSAY_CHECK_BAD);
    assert_int_equal(finding->severity, ASSAY_SEVERITY_WARNING);
    assert_string_equal(finding->evidence,
                        "proc_sys_kernel_numa_balancing.txt:1: kernel.numa_balancing = 1");
    assert_non_null(strstr(finding->fix, "kernel.numa_balancing=0"));
    host = HOST(state, "numa_balancing", "0\n");
    assert_int_equal(host_status(state, host, "KRN-006"), ASSAY_CHECK_GOOD);
    host = HOST(state, "proc_cmdline", "BOOT_IMAGE=/vmlinuz ro\n");
    assert_int_equal(host_status(state, host, "KRN-006"), ASSAY_CHECK_NOT_CHECKED);
}

static void test_unknown_check_is_refused(void **state) {
    const host_fixture_t *fixture = *state;
    static const char *const only[] = {"KRN-999"};
    const assay_doctor_options_t options = {.only = only, .n_only = 1};
    assay_diagnosis_t *diagnosis = NULL;
    assay_error_t err;
    assert_int_equal(assay_doctor(fixture->arena, fixture->rules, HOST(state, "a", ""), &options,
                                  &diagnosis, &err),
                     ASSAY_NOT_FOUND);
    assert_non_null(strstr(err.what, "KRN-999"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numa_balancing),
        cmocka_unit_test(test_unknown_check_is_refused),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
