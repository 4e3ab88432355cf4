#include "assay/message.h"

#include "assay_test.h"
#include "base/message_expand.h"

static void check(const char *sentence, const char *const *arg, size_t n_arg,
                  const char *expected) {
    assay_buf_t out;
    assay_buf_init(&out, 1000);
    assay_buf_puts(&out, ">");
    assay_message_expand(&out, sentence, arg, n_arg);
    assert_string_equal(out.data, expected);
    assay_buf_done(&out);
}

static void test_placeholders_are_replaced_in_any_order(void **state) {
    (void)state;
    const char *const arg[] = {"A100", "MI250X", NULL};
    check("{0} before {1}", arg, 2, ">A100 before MI250X");
    check("{1}, not {0}; {1}", arg, 2, ">MI250X, not A100; MI250X");
    check("[{2}]", arg, 3, ">[]");
    check("nothing", NULL, 0, ">nothing");
    check("", NULL, 0, ">");
}

static void test_other_braces_are_text(void **state) {
    (void)state;
    const char *const arg[] = {"{1}"};
    check("{ {} {x} {10} {", NULL, 0, ">{ {} {x} {10} {");
    check("{0}{", arg, 1, ">{1}{"); /* arguments are not expanded again */
    check("{{0}}", arg, 1, ">{{1}}");
}

/* Every sentence of the list: UTF-8, one line, trimmed, placeholders 0..n without a gap. */
static void test_the_list_is_well_formed(void **state) {
    (void)state;
    for (int id = 0; id < ASSAY_MSG_N; id++) {
        const char *sentence = assay_message(ASSAY_LANG_EN, (assay_message_t)id);
        const size_t n = strlen(sentence);
        if (n == 0 || assay_text_utf8_bad(sentence, n) != n || strpbrk(sentence, "\n\r\t") ||
            sentence[0] == ' ' || sentence[n - 1] == ' ') {
            fail_msg("message %d: \"%s\"", id, sentence);
        }
        bool used[10] = {false};
        size_t number, most = 0;
        for (const char *at = sentence; (at = assay_message_placeholder(at, &number)); at += 3) {
            used[number] = true;
            most = number + 1 > most ? number + 1 : most;
        }
        for (size_t i = 0; i < most; i++) {
            if (!used[i]) {
                fail_msg("message %d lacks {%zu}: \"%s\"", id, i, sentence);
            }
        }
    }
}

static void test_add_takes_the_sentence_of_the_id(void **state) {
    (void)state;
    static const char *const arg[10] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (int id = 0; id < ASSAY_MSG_N; id++) {
        assay_buf_t added, expanded;
        assay_buf_init(&added, 10000);
        assay_buf_init(&expanded, 10000);
        assay_message_add(&added, ASSAY_LANG_EN, (assay_message_t)id, arg, 10);
        assay_message_expand(&expanded, assay_message(ASSAY_LANG_EN, (assay_message_t)id), arg, 10);
        assert_string_equal(added.data, expanded.data);
        assay_buf_done(&added);
        assay_buf_done(&expanded);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placeholders_are_replaced_in_any_order),
        cmocka_unit_test(test_other_braces_are_text),
        cmocka_unit_test(test_the_list_is_well_formed),
        cmocka_unit_test(test_add_takes_the_sentence_of_the_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
