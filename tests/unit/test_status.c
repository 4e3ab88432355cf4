#include "assay/fact.h"
#include "assay/status.h"
#include "assay_test.h"

static void test_names_and_exit_codes(void **state) {
    (void)state;
    assert_string_equal(assay_status_name(ASSAY_OK), "ok");
    assert_string_equal(assay_status_name(ASSAY_NOT_FOUND), "not_found");
    assert_int_equal(assay_status_exit_code(ASSAY_OK), 0);
    assert_int_equal(assay_status_exit_code(ASSAY_NO_FIT), 1);
    assert_int_equal(assay_status_exit_code(ASSAY_INPUT), 2);
    assert_int_equal(assay_status_exit_code(ASSAY_UNAVAILABLE), 3);
    assert_int_equal(assay_status_exit_code(ASSAY_INTERNAL), 4);
}

static void test_every_status_is_complete(void **state) {
    (void)state;
    for (int i = 0; i < ASSAY_STATUS_N; i++) {
        const char *name = assay_status_name((assay_status_t)i);
        const char *sentence = assay_status_sentence((assay_status_t)i);
        assert_true(name[0] != '\0' && strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name));
        assert_true(sentence[0] != '\0' && sentence[strlen(sentence) - 1] != '.');
        assert_in_range(assay_status_exit_code((assay_status_t)i), 0, 4);
    }
}

static void test_a_number_outside_the_list_is_internal(void **state) {
    (void)state;
    assert_string_equal(assay_status_name(ASSAY_STATUS_N), "internal");
    assert_int_equal(assay_status_exit_code(ASSAY_STATUS_N), 4);
}

static void test_basis_names(void **state) {
    (void)state;
    assert_string_equal(assay_basis_name(ASSAY_BASIS_MEASURED), "measured");
    assert_string_equal(assay_basis_name(ASSAY_BASIS_CALIBRATED), "calibrated");
    assert_string_equal(assay_basis_name(ASSAY_BASIS_TRANSFERRED), "transferred");
    assert_string_equal(assay_basis_name(ASSAY_BASIS_EXTRAPOLATED), "extrapolated");
    assert_string_equal(assay_basis_name(ASSAY_BASIS_N), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_exit_codes),
        cmocka_unit_test(test_every_status_is_complete),
        cmocka_unit_test(test_a_number_outside_the_list_is_internal),
        cmocka_unit_test(test_basis_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
