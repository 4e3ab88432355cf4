#include "assay/error.h"
#include "assay_test.h"

static void check_line(const assay_error_t *err, const char *expected) {
    char line[1200];
    assert_string_equal(assay_error_line(err, line, sizeof line), expected);
}

static void test_line_names_place_cause_and_next_step(void **state) {
    (void)state;
    assay_error_t err;
    const assay_place_t at = {.file = "job.yaml", .line = 12, .column = 5};
    assert_int_equal(assay_error_set(&err, ASSAY_INPUT, &at, "unknown key \"%s\"", "epoch"),
                     ASSAY_INPUT);
    check_line(&err, "job.yaml:12:5: unknown key \"epoch\"");
    assay_error_next(&err, "did you mean %s", "epochs");
    check_line(&err, "job.yaml:12:5: unknown key \"epoch\"; did you mean epochs");
}

static void test_line_leaves_out_what_is_not_known(void **state) {
    (void)state;
    assay_error_t err;
    (void)assay_error_set(&err, ASSAY_USAGE, NULL, "no verb");
    check_line(&err, "no verb");
    (void)assay_error_set(&err, ASSAY_IO, &(assay_place_t){.file = "a.csv"}, "gone");
    check_line(&err, "a.csv: gone");
    (void)assay_error_set(&err, ASSAY_IO, &(assay_place_t){.file = "a.csv", .line = 3}, "bad");
    check_line(&err, "a.csv:3: bad");
    (void)assay_error_set(&err, ASSAY_IO, &(assay_place_t){.line = 3}, "bad");
    check_line(&err, "bad");
    (void)assay_error_set(&err, ASSAY_CANCELLED, NULL, "%s", "");
    check_line(&err, "stopped before the end");
    check_line(&(assay_error_t){0}, "");
    check_line(NULL, "");
}

static void test_null_error_only_returns_the_status(void **state) {
    (void)state;
    assert_int_equal(assay_error_set(NULL, ASSAY_LIMIT, NULL, "%d", 1), ASSAY_LIMIT);
    assay_error_next(NULL, "nothing");
    assert_int_equal(assay_error_memory(NULL, NULL), ASSAY_LIMIT);
}

static void test_setting_again_forgets_the_old_error(void **state) {
    (void)state;
    assay_error_t err;
    (void)assay_error_set(&err, ASSAY_INPUT, &(assay_place_t){"a", 1, 1}, "first");
    assay_error_next(&err, "step");
    (void)assay_error_set(&err, ASSAY_IO, NULL, "second");
    check_line(&err, "second");
    assert_int_equal(err.status, ASSAY_IO);
}

static void test_arguments_may_be_parts_of_the_error(void **state) {
    (void)state;
    assay_error_t err;
    (void)assay_error_set(&err, ASSAY_INPUT, &(assay_place_t){"a", 1, 1}, "cause");
    (void)assay_error_set(&err, ASSAY_INPUT, &(assay_place_t){err.file, 2, 0}, "row: %s", err.what);
    check_line(&err, "a:2: row: cause");
}

static void test_user_text_stays_one_printable_line(void **state) {
    (void)state;
    assay_error_t err;
    /* control characters, DEL, C1 (NEL), U+2028, a right-to-left override, bytes that are no UTF-8
     */
    (void)assay_error_set(&err, ASSAY_INPUT, &(assay_place_t){"a\nb", 1, 1}, "%s",
                          "x\n\t\x1b[31m\x7f|\xc2\x85|\xe2\x80\xa8|\xe2\x80\xae|\xff|\xc0\xaf|"
                          "\xe4\xb8");
    check_line(&err, "a?b:1:1: x???[31m?|?|?|?|?|??|??");
    (void)assay_error_set(&err, ASSAY_INPUT, NULL, "%s", "\xe6\xa8\xa1\xe5\x9e\x8b \xc3\xa9");
    check_line(&err, "\xe6\xa8\xa1\xe5\x9e\x8b \xc3\xa9");
}

static void test_long_text_is_cut_between_characters(void **state) {
    (void)state;
    for (size_t lead = 0; lead < 3; lead++) { /* the cut falls on each byte of a character */
        char text[1000] = "";
        size_t n = lead;
        memset(text, 'a', lead);
        for (; n + 3 < sizeof text; n += 3) {
            memcpy(text + n, "\xe6\xa8\xa1", 3);
        }
        text[n] = '\0';
        assay_error_t err;
        (void)assay_error_set(&err, ASSAY_INPUT, &(assay_place_t){text, 1, 1}, "%s", text);
        assay_error_next(&err, "%s", text);
        assert_int_equal(strlen(err.what), lead + (sizeof err.what - 1 - lead) / 3 * 3);
        assert_int_equal(strlen(err.file), lead + (sizeof err.file - 1 - lead) / 3 * 3);
        assert_int_equal(strlen(err.next), lead + (sizeof err.next - 1 - lead) / 3 * 3);
        assert_null(strchr(err.what, '?'));
        char line[10];
        assert_int_equal(strlen(assay_error_line(&err, line, sizeof line)),
                         lead + (9 - lead) / 3 * 3);
        char none[1] = {'x'};
        assay_error_line(&err, none, 0);
        assert_int_equal(none[0], 'x');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_names_place_cause_and_next_step),
        cmocka_unit_test(test_line_leaves_out_what_is_not_known),
        cmocka_unit_test(test_null_error_only_returns_the_status),
        cmocka_unit_test(test_setting_again_forgets_the_old_error),
        cmocka_unit_test(test_arguments_may_be_parts_of_the_error),
        cmocka_unit_test(test_user_text_stays_one_printable_line),
        cmocka_unit_test(test_long_text_is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
