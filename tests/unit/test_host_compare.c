#include "assay/host_compare.h"

#include <stdio.h>

#include "host_facts.h"

static const assay_comparison_t *compare(void **state, const char *a, const char *b) {
    const host_fixture_t *fixture = *state;
    assay_comparison_t *comparison = NULL;
    assert_int_equal(assay_host_compare(fixture->arena, fixture->rules,
                                        host_of_facts(fixture->arena, a),
                                        host_of_facts(fixture->arena, b), &comparison, NULL),
                     ASSAY_OK);
    return comparison;
}

static const assay_difference_t *difference(const assay_comparison_t *comparison,
                                            const char *what) {
    for (uint32_t i = 0; i < comparison->n_difference; i++) {
        if (strcmp(comparison->difference[i].what, what) == 0) {
            return &comparison->difference[i];
        }
    }
    fail_msg("no difference in %s", what);
    return NULL;
}

static void test_versions_and_settings(void **state) {
    const assay_comparison_t *comparison =
        compare(state, "host rocm=6.3.1 kernel=6.8.0\nenv name=X value=1\nenv name=Y value=2",
                "host rocm=7.0.2 kernel=6.8.0 thp=always\nenv name=X value=3\nenv name=Z value=4");
    assert_int_equal(comparison->n_difference, 4); /* rocm, X, Y, Z */
    assert_int_equal(comparison->n_same, 1);       /* kernel */
    assert_int_equal(comparison->n_one_side, 1);   /* thp */
    assert_string_equal(difference(comparison, "rocm")->b, "7.0.2");
    assert_string_equal(difference(comparison, "env Z")->a, "");
    assert_int_equal(comparison->n_worse, 0);
}

/* 5 % of 300 GB/s is 15: 285 is just not worse, 284 is. */
static void test_slower_collective(void **state) {
    static const char form[] =
        "collective operation=all_reduce ranks=8 bytes=1024 bus_bytes_per_s=";
    char a[128], b[128];
    snprintf(a, sizeof a, "%s300e9", form);
    snprintf(b, sizeof b, "%s285.1e9", form);
    assert_int_equal(compare(state, a, b)->n_worse, 0);
    snprintf(b, sizeof b, "%s284e9", form);
    const assay_comparison_t *comparison = compare(state, a, b);
    assert_int_equal(comparison->n_worse, 1);
    assay_test_close(comparison->difference[0].change, 284.0 / 300 - 1, 1e-12, 0, "change");
    assert_int_equal(compare(state, b, a)->n_worse, 0); /* faster is not worse */
}

/* What one side could not check is no difference; what it found to be good is. */
static void test_findings(void **state) {
    static const char gpu[] = "gpu vendor=AMD bdf=0000:05:00.0\nhost numa_balancing=";
    char good[128], bad[128];
    snprintf(good, sizeof good, "%s0", gpu);
    snprintf(bad, sizeof bad, "%s1", gpu);
    const assay_comparison_t *comparison = compare(state, good, bad);
    assert_int_equal(difference(comparison, "KRN-006")->worse, true);
    assert_int_equal(compare(state, bad, good)->n_worse, 0);
    assert_int_equal(compare(state, "gpu vendor=AMD bdf=0000:05:00.0", bad)->n_worse, 0);
}

static void test_accelerators_meet_by_address(void **state) {
    const assay_comparison_t *comparison = compare(
        state, "gpu vendor=AMD bdf=0000:05:00.0 vbios=1\ngpu vendor=AMD bdf=0000:15:00.0 vbios=2",
        "gpu vendor=AMD bdf=0000:15:00.0 vbios=2\ngpu vendor=AMD bdf=0000:05:00.0 vbios=3");
    assert_string_equal(difference(comparison, "0000:05:00.0 vbios")->b, "3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions_and_settings),
        cmocka_unit_test(test_slower_collective),
        cmocka_unit_test(test_findings),
        cmocka_unit_test(test_accelerators_meet_by_address),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
