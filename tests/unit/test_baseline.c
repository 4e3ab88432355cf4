/* Baselines: what stays the same when code around a finding moves, and what does not. */
#include "assay_test.h"

#include "assay/port.h"

static int make_arena(void **state) {
    *state = assay_arena_create((size_t)4 << 20);
    return *state ? 0 : -1;
}
static int drop_arena(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static assay_port_finding_t at(const char *file, uint32_t line, const char *rule,
                               const char *text) {
    return (assay_port_finding_t){.rule = rule, .api = "", .text = text, .at = {file, line, 1}};
}

static const uint64_t *prints(void *arena, assay_port_finding_t *finding, uint32_t n) {
    const assay_port_scan_t scan = {.finding = finding, .n_finding = n};
    const uint64_t *print;
    assert_int_equal(assay_port_fingerprints(arena, &scan, &print, NULL), ASSAY_OK);
    return print;
}

static void test_lines_and_spaces_do_not_matter(void **state) {
    assay_port_finding_t one[] = {at("a.cu", 3, "r", "x = __shfl(v, 1);")};
    assay_port_finding_t two[] = {at("a.cu", 90, "r", "x  =\t__shfl(v, 1);  ")};
    assert_true(prints(*state, one, 1)[0] == prints(*state, two, 1)[0]);
}

static void test_rule_file_and_text_matter(void **state) {
    assay_port_finding_t four[] = {at("a.cu", 3, "r", "x y"), at("b.cu", 3, "r", "x y"),
                                   at("a.cu", 3, "s", "x y"), at("a.cu", 3, "r", "xy")};
    const uint64_t *print = prints(*state, four, 4);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < i; k++) {
            assert_true(print[i] != print[k]);
        }
    }
}

/* The second of two equal lines is another finding; a third one added above takes the last place.
 */
static void test_equal_lines_are_counted(void **state) {
    assay_port_finding_t two[] = {at("a.cu", 3, "r", "x"), at("a.cu", 9, "r", "x")};
    assay_port_finding_t three[] = {at("a.cu", 1, "r", "x"), at("a.cu", 4, "r", "x"),
                                    at("a.cu", 10, "r", "x")};
    const uint64_t *before = prints(*state, two, 2), *after = prints(*state, three, 3);
    assert_true(before[0] != before[1]);
    assert_true(before[0] == after[0] && before[1] == after[1]);
    assert_true(after[2] != after[1] && after[2] != after[0]);
}

static void test_a_baseline_knows_what_it_was_written_from(void **state) {
    assay_port_finding_t two[] = {at("a\n.cu", 3, "r", "x"), at("b.cu", 9, "r", "y")};
    assay_port_finding_t later[] = {at("a\n.cu", 5, "r", "x"), at("b.cu", 9, "r", "z")};
    assay_port_scan_t scan = {.finding = two, .n_finding = 2};
    assay_port_scan_t next = {.finding = later, .n_finding = 2};
    assay_buf_t out;
    assay_buf_init(&out, 4096);
    assay_port_baseline_write(&scan, prints(*state, two, 2), &out);
    assert_false(out.failed);
    assert_int_equal(assay_port_baseline_apply(*state, "base", out.data, out.n,
                                               prints(*state, later, 2), &next, NULL),
                     ASSAY_OK);
    assert_true(later[0].known);
    assert_false(later[1].known);
    assay_buf_done(&out);
}

static void test_what_is_no_baseline_is_refused(void **state) {
    static const char *const bad[] = {"",
                                      "assay-baseline 2\n",
                                      "assay-baseline 1\nzz r f\n",
                                      "assay-baseline 1\n0123456789abcde r f\n",
                                      "assay-baseline 1\n0123456789ABCDEF r f\n",
                                      "assay-baseline 1\n0123456789abcdef"};
    assay_port_scan_t scan = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assay_error_t err;
        assert_int_equal(
            assay_port_baseline_apply(*state, "base", bad[i], strlen(bad[i]), NULL, &scan, &err),
            ASSAY_INPUT);
        assert_string_equal(err.file, "base");
        assert_int_equal(err.line, i < 2 ? 1 : 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_and_spaces_do_not_matter),
        cmocka_unit_test(test_rule_file_and_text_matter),
        cmocka_unit_test(test_equal_lines_are_counted),
        cmocka_unit_test(test_a_baseline_knows_what_it_was_written_from),
        cmocka_unit_test(test_what_is_no_baseline_is_refused),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
