#include "assay/csv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay_test.h"

static int setup(void **state) {
    *state = assay_arena_create(64 << 20);
    return *state ? 0 : -1;
}

static int teardown(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static assay_csv_t parse(void *arena, const char *text, size_t n) {
    assay_csv_t csv;
    assay_error_t err;
    char line[1024];
    if (assay_csv_parse(arena, "t.csv", text, n, &csv, &err) != ASSAY_OK) {
        fail_msg("%s", assay_error_line(&err, line, sizeof line));
    }
    return csv;
}

static void test_plain_table(void **state) {
    static const char text[] = "id,name,gb\na,A100,80\nb,,128\n";
    const assay_csv_t csv = parse(*state, text, sizeof text - 1);
    assert_int_equal(csv.n_columns, 3);
    assert_int_equal(csv.n_rows, 2);
    assert_string_equal(csv.file, "t.csv");
    assert_string_equal(csv.header[2], "gb");
    assert_int_equal(assay_csv_column(&csv, "name"), 1);
    assert_int_equal(assay_csv_column(&csv, "Name"), -1);
    assert_string_equal(assay_csv_cell(&csv, 0, 1), "A100");
    assert_string_equal(assay_csv_cell(&csv, 1, 1), "");
    assert_string_equal(assay_csv_cell(&csv, 1, 2), "128");
    assert_string_equal(assay_csv_cell(&csv, 1, -1), "");
}

static void test_quotes_commas_and_line_ends(void **state) {
    static const char text[] = "\xef\xbb\xbf\"a\",b,c\r\n"
                               "\"x, y\",\"say \"\"hi\"\"\",\"two\r\nlines\"\r\n"
                               "\"\",\"\"\"\"\"\",\"end\"\r\n"
                               " p , q ,\xe6\xa8\xa1";
    const assay_csv_t csv = parse(*state, text, sizeof text - 1);
    assert_int_equal(csv.n_rows, 3);
    assert_string_equal(csv.header[0], "a");
    assert_string_equal(assay_csv_cell(&csv, 0, 0), "x, y");
    assert_string_equal(assay_csv_cell(&csv, 0, 1), "say \"hi\"");
    assert_string_equal(assay_csv_cell(&csv, 0, 2), "two\r\nlines");
    assert_string_equal(assay_csv_cell(&csv, 1, 0), "");
    assert_string_equal(assay_csv_cell(&csv, 1, 1), "\"\"");
    assert_string_equal(assay_csv_cell(&csv, 1, 2), "end");
    assert_string_equal(assay_csv_cell(&csv, 2, 0), " p "); /* spaces are part of a field */
    assert_string_equal(assay_csv_cell(&csv, 2, 2), "\xe6\xa8\xa1");
    assert_int_equal(csv.line[0], 2);
    assert_int_equal(csv.line[1], 4);
    assert_int_equal(csv.line[2], 5);
}

static void test_last_row_with_and_without_line_end(void **state) {
    assert_int_equal(parse(*state, "a,b\n1,2\n", 8).n_rows, 1);
    assert_int_equal(parse(*state, "a,b\n1,2", 7).n_rows, 1);
    assert_int_equal(parse(*state, "a,b\n1,", 6).n_rows, 1);
    assert_int_equal(parse(*state, "a,b\n", 4).n_rows, 0);
    assert_int_equal(parse(*state, "a,b", 3).n_rows, 0);
    const assay_csv_t one = parse(*state, "a\n\nx\n\"\"", 7); /* one column: blank is empty */
    assert_int_equal(one.n_rows, 3);
    assert_string_equal(assay_csv_cell(&one, 0, 0), "");
    assert_string_equal(assay_csv_cell(&one, 1, 0), "x");
}

static void test_data_is_copied(void **state) {
    char text[] = "a,b\n1,2\n";
    const assay_csv_t csv = parse(*state, text, sizeof text - 1);
    memset(text, 'z', sizeof text);
    assert_string_equal(csv.header[1], "b");
    assert_string_equal(assay_csv_cell(&csv, 0, 0), "1");
}

static void test_errors_name_the_place(void **state) {
    static const struct {
        const char *text;
        size_t n;
        uint32_t line, column;
        const char *what;
    } row[] = {
#define ROW(text, line, column, what) {text, sizeof text - 1, line, column, what}
        ROW("", 1, 1, "empty"),
        ROW("\xef\xbb\xbf", 1, 1, "empty"),
        ROW("\n1\n", 1, 1, "without a name"),
        ROW("a,,c\n", 1, 3, "without a name"),
        ROW("a,b,a\n", 1, 5, "was there before"),
        ROW("a,b\n1,2\n1\n", 3, 1, "1 fields, while the header has 2"),
        ROW("a,b\n\"x\ny\",2\n\"p\nq\"\n", 4, 1, "1 fields, while the header has 2"),
        ROW("a,b\n1,2,3\n", 2, 5, "more fields than the header's 2"),
        ROW("a,b\n1,2\n\n3,4\n", 3, 1, "blank line"),
        ROW("a,b\n1,x\"y\n", 2, 4, "not quoted"),
        ROW("a,b\n\"x\"y,2\n", 2, 4, "after a closing quote"),
        ROW("a,b\n\"two\nlines\" ,2\n", 3, 7, "after a closing quote"),
        ROW("a,b\n1,\"x\n2,3\n", 2, 3, "never closed"),
        ROW("a,b\n1,\"", 2, 3, "never closed"),
        ROW("a,b\n1,\"x\"\"", 2, 3, "never closed"),
        ROW("a,b\r1,2\r", 1, 4, "carriage return"),
        ROW("a,b\n1,2\r", 2, 4, "carriage return"),
        ROW("a,b\n1,\"2\"\r", 2, 6, "after a closing quote"),
        ROW("a,b\n1,\0\n", 2, 3, "NUL"),
        ROW("a,b\n1,2\nx,\xff\n", 3, 3, "not UTF-8"),
        ROW("a,b\n\xff,\0\n", 2, 1, "not UTF-8"),
        ROW("a,b\n\0,\xff\n", 2, 1, "NUL"),
        ROW("a,b\n1,\x1b[31m\n", 2, 3, "U+001B"),
        ROW("a,b\n1,x\xc2\x9b\n", 2, 4, "U+009B"),
        ROW("a,b\n\xe6\xa8\xa1\xe2\x80\xae,2\n", 2, 4, "U+202E"),
#undef ROW
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_csv_t csv = {.n_rows = 4711};
        assay_error_t err = {0};
        assert_int_equal(assay_csv_parse(*state, "t.csv", row[i].text, row[i].n, &csv, &err),
                         ASSAY_INPUT);
        if (err.line != row[i].line || err.column != row[i].column ||
            !strstr(err.what, row[i].what)) {
            char line[1024];
            fail_msg("case %zu: %s", i, assay_error_line(&err, line, sizeof line));
        }
        assert_string_equal(err.file, "t.csv");
        assert_true(err.next[0] != '\0');
        assert_int_equal(csv.n_rows, 4711); /* nothing written on failure */
        assert_int_equal(assay_csv_parse(*state, "t.csv", row[i].text, row[i].n, &csv, NULL),
                         ASSAY_INPUT);
    }
}

static void check_limit(void *arena, const char *text, size_t n, const char *what) {
    assay_csv_t csv;
    assay_error_t err;
    assert_int_equal(assay_csv_parse(arena, "t.csv", text, n, &csv, &err), ASSAY_LIMIT);
    assert_non_null(strstr(err.what, what));
}

static void test_limit_of_columns(void **state) {
    char *text = test_malloc(6 * 4097 + 8);
    size_t n = 0;
    for (int i = 0; i < 4097; i++) {
        n += (size_t)snprintf(text + n, 8, "%sc%d", i ? "," : "", i);
        if (i == 4095) {
            assert_int_equal(parse(*state, text, n).n_columns, 4096);
        }
    }
    check_limit(*state, text, n, "4096 columns");
    test_free(text);
}

static void test_limit_of_field_bytes(void **state) {
    const size_t most = 1 << 20;
    char *text = test_malloc(most + 16);
    memset(text, 'x', most + 16);
    memcpy(text, "a\n", 2);
    const assay_csv_t csv = parse(*state, text, most + 2);
    assert_int_equal(strlen(assay_csv_cell(&csv, 0, 0)), most);
    check_limit(*state, text, most + 3, "1048576 bytes");
    test_free(text);
}

static void test_limit_of_rows(void **state) {
    (void)state;
    assay_arena_t *arena = assay_arena_create((size_t)128 << 20);
    const size_t most = 4 << 20;
    char *text = test_malloc(most + 3);
    memset(text, '\n', most + 3);
    text[0] = 'a';
    assert_int_equal(parse(arena, text, most + 2).n_rows, most);
    assay_arena_reset(arena);
    check_limit(arena, text, most + 3, "4194304 rows");
    test_free(text);
    assay_arena_destroy(arena);
}

/* A wide header above many blank lines must not reserve columns times lines. */
static void test_memory_stays_in_proportion_to_the_text(void **state) {
    (void)state;
    assay_arena_t *arena = assay_arena_create(2 << 20);
    static char text[100000];
    memset(text, '\n', sizeof text);
    size_t n = 0;
    for (int i = 0; i < 4000; i++) {
        n += (size_t)snprintf(text + n, 8, "%sc%d", i ? "," : "", i);
    }
    text[n] = '\n';
    assay_csv_t csv;
    assay_error_t err;
    assert_int_equal(assay_csv_parse(arena, "t.csv", text, sizeof text, &csv, &err), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "blank line"));
    assay_arena_destroy(arena);
    arena = assay_arena_create(1 << 10);
    check_limit(arena, text, sizeof text, "memory");
    assay_arena_destroy(arena);
}

/* Wherever the arena ends: an error, and never half a table. */
static void test_any_limit_of_the_arena(void **state) {
    (void)state;
    static const char text[] = "a,b,c\n1,2,3\n4,5,6\n7,8,9\n";
    bool fitted = false;
    for (size_t limit = 16; limit < 1000; limit += 16) {
        assay_arena_t *arena = assay_arena_create(limit);
        assay_csv_t csv = {0};
        assay_error_t err = {0};
        const assay_status_t status =
            assay_csv_parse(arena, "t.csv", text, sizeof text - 1, &csv, &err);
        assert_true(status == ASSAY_OK || (status == ASSAY_LIMIT && !fitted));
        assert_int_equal(csv.n_rows, status == ASSAY_OK ? 3 : 0);
        assert_int_equal(err.status, status);
        fitted = status == ASSAY_OK;
        assay_arena_destroy(arena);
    }
    assert_true(fitted);
}

#define CSV_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CSV_TEST(test_plain_table),
        CSV_TEST(test_quotes_commas_and_line_ends),
        CSV_TEST(test_last_row_with_and_without_line_end),
        CSV_TEST(test_data_is_copied),
        CSV_TEST(test_errors_name_the_place),
        CSV_TEST(test_limit_of_columns),
        CSV_TEST(test_limit_of_field_bytes),
        CSV_TEST(test_limit_of_rows),
        CSV_TEST(test_memory_stays_in_proportion_to_the_text),
        CSV_TEST(test_any_limit_of_the_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
