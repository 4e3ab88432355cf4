#include "assay/table.h"

#include "assay/csv.h"
#include "assay_test.h"

static int setup(void **state) {
    *state = assay_arena_create(1 << 20);
    return *state ? 0 : -1;
}

static int teardown(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static void check(const assay_table_t *table, assay_table_format_t format, uint32_t width,
                  const char *expected) {
    assay_buf_t out;
    assay_buf_init(&out, 1 << 16);
    assay_table_print(table, format, width, &out);
    assert_false(out.failed);
    assert_string_equal(out.data, expected);
    assay_buf_done(&out);
}

static assay_table_t *two_rows(assay_arena_t *arena) {
    assay_table_t *table = assay_table_create(arena, 3);
    assay_table_column(table, 0, "id", "", false);
    assay_table_column(table, 1, "memory", "GB", true);
    assay_table_column(table, 2, "note", "", false);
    assay_table_row(table);
    assay_table_cell(table, 0, "a100");
    assay_table_cellf(table, 1, "%d", 80);
    assay_table_cell(table, 2, "half | of it");
    assay_table_row(table);
    assay_table_cell(table, 0, "mi250x");
    assay_table_cell(table, 1, "128");
    assay_table_cell(table, 2, NULL);
    return table;
}

static void test_text_is_aligned(void **state) {
    check(two_rows(*state), ASSAY_TABLE_TEXT, 0,
          "id      memory [GB]  note\n"
          "------  -----------  ------------\n"
          "a100             80  half | of it\n"
          "mi250x          128\n");
}

static void test_csv(void **state) {
    check(two_rows(*state), ASSAY_TABLE_CSV, 10,
          "id,memory [GB],note\n"
          "a100,80,half | of it\n"
          "mi250x,128,\n");
}

static void test_markdown(void **state) {
    check(two_rows(*state), ASSAY_TABLE_MARKDOWN, 10,
          "| id | memory [GB] | note |\n"
          "| --- | ---: | --- |\n"
          "| a100 | 80 | half \\| of it |\n"
          "| mi250x | 128 |  |\n");
}

static assay_table_t *one_row(assay_arena_t *arena, const char *left, const char *middle,
                              const char *right) {
    assay_table_t *table = assay_table_create(arena, 3);
    assay_table_column(table, 0, "a", "", false);
    assay_table_column(table, 1, "b", "", false);
    assay_table_column(table, 2, "n", "", true);
    assay_table_row(table);
    assay_table_cell(table, 0, left);
    assay_table_cell(table, 1, middle);
    assay_table_cell(table, 2, right);
    return table;
}

/* 20 + 2 + 10 + 2 + 3 = 37 columns; 30 leave 13 to the first. */
static void test_the_widest_left_column_is_cut(void **state) {
    check(one_row(*state, "abcdefghijklmnopqrst", "0123456789", "100"), ASSAY_TABLE_TEXT, 30,
          "a              b             n\n"
          "-------------  ----------  ---\n"
          "abcdefghij...  0123456789  100\n");
}

/* 12 + 2 + 12 + 2 + 3 = 31; 28 leave 21 to two equal ones. */
static void test_equals_are_cut_alike(void **state) {
    check(one_row(*state, "abcdefghijkl", "ABCDEFGHIJKL", "100"), ASSAY_TABLE_TEXT, 28,
          "a           b              n\n"
          "----------  -----------  ---\n"
          "abcdefg...  ABCDEFGH...  100\n");
}

static void test_numbers_are_never_cut(void **state) {
    check(one_row(*state, "abcdefghijkl", "x", "12345678901234567890"), ASSAY_TABLE_TEXT, 10,
          "a         b                     n\n"
          "--------  -  --------------------\n"
          "abcde...  x  12345678901234567890\n");
}

/* 20 + 2 + 10 + 2 + 3 = 37; the first stays, so 30 leave LEAST_WIDTH to the second, and 35 in all.
 */
static void test_a_whole_column_is_not_cut(void **state) {
    assay_table_t *table = one_row(*state, "abcdefghijklmnopqrst", "0123456789", "100");
    assay_table_whole(table, 0);
    check(table, ASSAY_TABLE_TEXT, 30,
          "a                     b           n\n"
          "--------------------  --------  ---\n"
          "abcdefghijklmnopqrst  01234...  100\n");
}

/* Han characters take two columns; a cut through one leaves a space. */
static void test_wide_characters(void **state) {
    check(one_row(*state, "\xe6\xa8\xa1\xe5\x9e\x8b", "x", "1"), ASSAY_TABLE_TEXT, 0,
          "a     b  n\n"
          "----  -  -\n"
          "\xe6\xa8\xa1\xe5\x9e\x8b  x  1\n");
    check(one_row(*state,
                  "\xe6\xa8\xa1\xe5\x9e\x8b\xe6\xa8\xa1\xe5\x9e\x8b\xe6\xa8\xa1\xe5\x9e\x8b", "x",
                  "1"),
          ASSAY_TABLE_TEXT, 16,
          "a           b  n\n"
          "----------  -  -\n"
          "\xe6\xa8\xa1\xe5\x9e\x8b\xe6\xa8\xa1...   x  1\n");
}

static void test_a_cell_cannot_break_the_table(void **state) {
    const assay_table_t *table = one_row(*state, "a\nb\x1b[1m", "x\xffy", "1");
    check(table, ASSAY_TABLE_TEXT, 0,
          "a        b    n\n"
          "-------  ---  -\n"
          "a b [1m  x?y  1\n");
    table = one_row(*state, "a\n\\|<b>", "*x* `y` snake_case", "1");
    check(table, ASSAY_TABLE_MARKDOWN, 0,
          "| a | b | n |\n"
          "| --- | --- | ---: |\n"
          "| a \\\\\\|\\<b> | \\*x\\* \\`y\\` snake_case | 1 |\n");
}

/* Spreadsheets take = + - @ for formulas; numbers keep their sign. */
static void test_csv_holds_no_formula(void **state) {
    static const char *const cell[] = {"=1+1", "+1", "-2.5e3", "-x", "@SUM(A1)", "-", "a=b"};
    assay_table_t *table = assay_table_create(*state, 7);
    assay_buf_t out;
    assay_buf_init(&out, 1000);
    assay_table_row(table);
    for (uint32_t i = 0; i < 7; i++) {
        assay_table_column(table, i, "x", "", false);
        assay_table_cell(table, i, cell[i]);
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, &out);
    assert_string_equal(out.data, "x,x,x,x,x,x,x\n'=1+1,+1,-2.5e3,'-x,'@SUM(A1),-,a=b\n");
    assay_buf_done(&out);
}

/* An escape sequence as one byte of C1, a right-to-left override, a link. */
static void test_hostile_text_in_every_format(void **state) {
    static const struct {
        assay_table_format_t format;
        const char *out;
    } row[] = {{ASSAY_TABLE_TEXT, "x\n------------------\n?31m?[a](http://b)\n"},
               {ASSAY_TABLE_CSV, "x\n?31m?[a](http://b)\n"},
               {ASSAY_TABLE_MARKDOWN, "| x |\n| --- |\n| ?31m?[a\\](http://b) |\n"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_table_t *table = assay_table_create(*state, 1);
        assay_buf_t out;
        assay_buf_init(&out, 1000);
        assay_table_column(table, 0, "x", "", false);
        assay_table_row(table);
        assay_table_cell(table, 0, "\xc2\x9b\x33\x31m\xe2\x80\xae[a](http://b)");
        assay_table_print(table, row[i].format, 0, &out);
        assert_string_equal(out.data, row[i].out);
        assay_buf_done(&out);
    }
}

static void test_csv_reads_back(void **state) {
    static const char *const cell[3] = {"a,\"b\"\r\nc", "", "\""};
    assay_buf_t out;
    assay_buf_init(&out, 1 << 16);
    assay_table_print(one_row(*state, cell[0], cell[1], cell[2]), ASSAY_TABLE_CSV, 0, &out);
    assay_csv_t csv;
    assay_error_t err;
    assert_int_equal(assay_csv_parse(*state, "out", out.data, out.n, &csv, &err), ASSAY_OK);
    assert_int_equal(csv.n_rows, 1);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(assay_csv_cell(&csv, 0, i), cell[i]);
    }
    assay_buf_done(&out);
}

static void test_empty_cells_and_no_rows(void **state) {
    assay_table_t *table = assay_table_create(*state, 2);
    assay_table_column(table, 0, "a", "", false);
    assay_table_column(table, 1, "b", "", false);
    check(table, ASSAY_TABLE_TEXT, 80, "a  b\n-  -\n");
    assay_table_row(table); /* no cell set */
    check(table, ASSAY_TABLE_TEXT, 80, "a  b\n-  -\n\n");
    check(table, ASSAY_TABLE_CSV, 80, "a,b\n,\n");
}

static void test_a_full_arena_fails_the_print_not_the_program(void **state) {
    (void)state;
    /* table 48, columns 32, title 16, and 20 rows of 32 + 32 + 16 bytes */
    const size_t need = 1696;
    for (size_t limit = 16; limit <= need; limit += 16) {
        assay_arena_t *arena = assay_arena_create(limit);
        assay_table_t *table = assay_table_create(arena, 2);
        assay_table_column(table, 0, "name", "unit", false);
        for (int i = 0; i < 20; i++) {
            assay_table_row(table);
            assay_table_cell(table, 0, "some text that takes its bytes");
            assay_table_cellf(table, 1, "%d", i);
        }
        assay_buf_t out;
        assay_buf_init(&out, 1 << 16);
        assay_table_print(table, ASSAY_TABLE_TEXT, 0, &out);
        assert_int_equal(out.failed, limit < need);
        assert_int_equal(out.n == 0, limit < need);
        assay_buf_done(&out);
        assay_arena_destroy(arena);
    }
}

#define TABLE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(test_text_is_aligned),
        TABLE_TEST(test_csv),
        TABLE_TEST(test_markdown),
        TABLE_TEST(test_the_widest_left_column_is_cut),
        TABLE_TEST(test_equals_are_cut_alike),
        TABLE_TEST(test_numbers_are_never_cut),
        TABLE_TEST(test_a_whole_column_is_not_cut),
        TABLE_TEST(test_wide_characters),
        TABLE_TEST(test_a_cell_cannot_break_the_table),
        TABLE_TEST(test_csv_reads_back),
        TABLE_TEST(test_csv_holds_no_formula),
        TABLE_TEST(test_hostile_text_in_every_format),
        TABLE_TEST(test_empty_cells_and_no_rows),
        TABLE_TEST(test_a_full_arena_fails_the_print_not_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
