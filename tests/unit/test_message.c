#include "assay/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/catalog.h"
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

/** Which of {0}..{9} a sentence has, as bits. */
static unsigned placeholders(const char *sentence) {
    unsigned bits = 0;
    size_t number;
    for (const char *at = sentence; (at = assay_message_placeholder(at, &number)); at += 3) {
        bits |= 1u << number;
    }
    return bits;
}

static const char *const id_name[] = {
#define ASSAY_MESSAGE(id, english) #id,
#include "assay/message_list.h"
#undef ASSAY_MESSAGE
};

/* Every sentence is there in Chinese, with the same placeholders; all that lack are listed. */
static void test_chinese_is_complete(void **state) {
    (void)state;
    uint32_t bad = 0;
    for (int id = 0; id < ASSAY_MSG_N; id++) {
        const char *english = assay_message(ASSAY_LANG_EN, (assay_message_t)id);
        const char *chinese = assay_message_in(ASSAY_LANG_ZH, (assay_message_t)id);
        if (!chinese) {
            print_error("no Chinese: ASSAY_MESSAGE(%s, \"%s\")\n", id_name[id], english);
            bad++;
        } else if (assay_text_utf8_bad(chinese, strlen(chinese)) != strlen(chinese) ||
                   placeholders(chinese) != placeholders(english)) {
            print_error("placeholders differ: ASSAY_MESSAGE(%s, \"%s\")\n", id_name[id], chinese);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

/* The texts of data/ that reports show have a phrase in Chinese. */
static void test_tables_have_phrases(void **state) {
    (void)state;
    static const struct {
        const char *file, *column;
    } text[] = {
        {"rules.csv", "text"},        {"rules.csv", "remark"},      {"rules.csv", "source"},
        {"decide.csv", "source"},     {"defaults.csv", "source"},   {"measurements.csv", "how"},
        {"claim_checks.csv", "what"}, {"claim_checks.csv", "open"}, {"money_terms.csv", "why_not"}};
    uint32_t bad = 0;
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        assay_arena_t *arena = assay_arena_create(1u << 22);
        const char *path = assay_arena_printf(arena, ASSAY_SOURCE_DIR "/data/%s", text[i].file);
        char *data;
        size_t n;
        assay_csv_t csv;
        assert_int_equal(assay_file_read(arena, path, 1u << 20, &data, &n, NULL), ASSAY_OK);
        assert_int_equal(assay_csv_parse(arena, path, data, n, &csv, NULL), ASSAY_OK);
        for (uint32_t row = 0; row < csv.n_rows; row++) {
            const char *cell = assay_csv_cell(&csv, row, assay_csv_column(&csv, text[i].column));
            if (*cell && assay_phrase(ASSAY_LANG_ZH, cell) == cell) {
                print_error("no Chinese: %s of %s: \"%s\"\n", text[i].column, text[i].file, cell);
                bad++;
            }
        }
        assay_arena_destroy(arena);
    }
    assert_int_equal(bad, 0);
}

/* A table whose texts stand in NAME_zh.csv has each of its rows there, with the same places to
   fill, and no text is English. */
static void test_tables_have_siblings(void **state) {
    (void)state;
    static const char *const names[] = {"checks",       "env_advice",    "env_checks",
                                        "env_commands", "env_conflicts", "port_frameworks",
                                        "port_rules",   "xids"};
    uint32_t bad = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assay_arena_t *arena = assay_arena_create(1u << 23);
        assay_csv_t base, words, said;
        const char *name = assay_arena_printf(arena, "%s.csv", names[i]);
        const char *zh = assay_arena_printf(arena, "%s_zh.csv", names[i]);
        assert_int_equal(assay_data_table_keyed(arena, name, NULL, 0, &base, NULL), ASSAY_OK);
        assert_int_equal(assay_data_table_keyed(arena, zh, NULL, 0, &words, NULL), ASSAY_OK);
        assert_int_equal(assay_data_table_said(arena, ASSAY_LANG_ZH, name, NULL, 0, &said, NULL),
                         ASSAY_OK);
        assert_int_equal(words.n_rows, base.n_rows);
        for (uint32_t row = 0; row < base.n_rows; row++) {
            for (uint32_t c = 1; c + 1 < words.n_columns; c++) { /* the last is the source */
                const int column = assay_csv_column(&base, words.header[c]);
                assert_true(column > 0);
                const char *english = assay_csv_cell(&base, row, column);
                const char *chinese = assay_csv_cell(&said, row, column);
                size_t n_english = 0, n_chinese = 0;
                for (const char *at = english; (at = strchr(at, '{')); at++) {
                    n_english++;
                }
                for (const char *at = chinese; (at = strchr(at, '{')); at++) {
                    n_chinese++;
                }
                /* what is a path, a command or a name is the same in both */
                const bool english_words = strstr(english, " the ") || strstr(english, " is ") ||
                                           strstr(english, " of ") || strstr(english, " and ");
                if (n_english != n_chinese || (*english != '\0') != (*chinese != '\0') ||
                    (english_words && strcmp(english, chinese) == 0)) {
                    print_error("%s of %s in %s: \"%s\"\n", words.header[c],
                                assay_csv_cell(&base, row, 0), zh, chinese);
                    bad++;
                }
            }
        }
        assay_arena_destroy(arena);
    }
    assert_int_equal(bad, 0);
}

/* What is said of a variable: rows that a check speaks against, and those that are gone. */
static void test_variables_have_words(void **state) {
    (void)state;
    assay_arena_t *arena = assay_arena_create(1u << 23);
    assay_csv_t base, said;
    assert_int_equal(assay_data_table(arena, "envvars.csv", NULL, 0, &base, NULL), ASSAY_OK);
    assert_int_equal(
        assay_data_table_said(arena, ASSAY_LANG_ZH, "envvars.csv", NULL, 0, &said, NULL), ASSAY_OK);
    const int meaning = assay_csv_column(&base, "meaning"),
              effect = assay_csv_column(&base, "effect"), check = assay_csv_column(&base, "check"),
              gone = assay_csv_column(&base, "gone");
    for (uint32_t row = 0; row < base.n_rows; row++) {
        const char *told = assay_csv_cell(&base, row, effect);
        if ((*assay_csv_cell(&base, row, check) || *assay_csv_cell(&base, row, gone)) &&
            (strcmp(assay_csv_cell(&base, row, meaning), assay_csv_cell(&said, row, meaning)) ==
                 0 ||
             (strchr(told, ' ') && strcmp(told, assay_csv_cell(&said, row, effect)) == 0))) {
            fail_msg("no Chinese of %s in envvars_zh.csv", assay_csv_cell(&base, row, 0));
        }
    }
    assay_arena_destroy(arena);
}

static void test_a_users_words_stay(void **state) {
    (void)state;
    char dir[] = "/tmp/assay_words_XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/xids.csv", dir);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs("xid,severity,meaning,action,source\n13,error,ours,mend it,us\n", file) > 0);
    assert_int_equal(fclose(file), 0);
    assay_arena_t *arena = assay_arena_create(1u << 22);
    const char *const dirs[] = {dir};
    assay_csv_t said;
    assert_int_equal(assay_data_table_said(arena, ASSAY_LANG_ZH, "xids.csv", dirs, 1, &said, NULL),
                     ASSAY_OK);
    const int xid = assay_csv_column(&said, "xid"), meaning = assay_csv_column(&said, "meaning");
    for (uint32_t row = 0; row < said.n_rows; row++) {
        const bool own = strcmp(assay_csv_cell(&said, row, xid), "13") == 0;
        assert_true((strcmp(assay_csv_cell(&said, row, meaning), "ours") == 0) == own);
        if (strcmp(assay_csv_cell(&said, row, xid), "79") == 0) {
            assert_string_equal(assay_csv_cell(&said, row, meaning), "从总线上掉线");
        }
    }
    assay_arena_destroy(arena);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(dir), 0);
}

static void test_languages_are_read(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool known;
        assay_lang_t lang;
    } row[] = {{"zh", true, ASSAY_LANG_ZH},      {"zh_CN.UTF-8", true, ASSAY_LANG_ZH},
               {"zh-Hans", true, ASSAY_LANG_ZH}, {"en_GB", true, ASSAY_LANG_EN},
               {"C.UTF-8", true, ASSAY_LANG_EN}, {"POSIX", true, ASSAY_LANG_EN},
               {"fr_FR", false, ASSAY_LANG_EN},  {"", false, ASSAY_LANG_EN},
               {"zhong", false, ASSAY_LANG_EN}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_lang_t lang = ASSAY_LANG_EN;
        assert_int_equal(assay_lang_read(row[i].name, &lang), row[i].known);
        assert_int_equal(lang, row[i].lang);
    }
    assert_null(assay_phrase(ASSAY_LANG_ZH, NULL));
    assert_string_equal(assay_phrase(ASSAY_LANG_ZH, "no phrase of ours"), "no phrase of ours");
    assert_string_equal(assay_phrase(ASSAY_LANG_EN, "measured"), "measured");
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
        cmocka_unit_test(test_chinese_is_complete),
        cmocka_unit_test(test_tables_have_phrases),
        cmocka_unit_test(test_tables_have_siblings),
        cmocka_unit_test(test_variables_have_words),
        cmocka_unit_test(test_a_users_words_stay),
        cmocka_unit_test(test_languages_are_read),
        cmocka_unit_test(test_add_takes_the_sentence_of_the_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
