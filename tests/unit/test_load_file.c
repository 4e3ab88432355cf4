/* Loads over time as monitoring exports them. */
#include "arena_fixture.h"
#include "assay_test.h"

#include "assay/load_file.h"

#include <math.h>
#include <string.h>

static assay_error_t err;

static const assay_load_word_t words[] = {{"%", ASSAY_LOAD_PERCENT},
                                          {"percent", ASSAY_LOAD_PERCENT},
                                          {"percentunit", ASSAY_LOAD_FRACTION},
                                          {"_ratio", ASSAY_LOAD_FRACTION},
                                          {"DCGM_FI_DEV_GPU_UTIL", ASSAY_LOAD_PERCENT}};
static const assay_load_ask_t by_name = {.word = words, .n_word = 5};

static assay_status_t parse(const char *text, const assay_load_ask_t *ask, assay_load_file_t *out) {
    return assay_load_file_parse(arena, "load.csv", text, strlen(text), ask, out, &err);
}

static assay_load_file_t read(const char *text, const assay_load_ask_t *ask) {
    assay_load_file_t out;
    if (parse(text, ask, &out)) {
        fail_msg("%s; %s", err.what, err.next);
    }
    return out;
}

static void check(const assay_load_file_t *file, const double *load, uint32_t n) {
    assert_int_equal(file->n, n);
    for (uint32_t i = 0; i < n; i++) {
        assay_test_close(file->load[i], load[i], 1e-12, 1e-12, "load");
    }
}

/* The same three hours as Grafana, a spreadsheet and a query write them. */
static void every_form_says_the_same(void **state) {
    (void)state;
    static const char *const text[] = {
        "\"Time\",\"DCGM_FI_DEV_GPU_UTIL{gpu=\"\"0\"\"}\"\r\n1704067200000,25\r\n"
        "1704070800000,100\r\n1704074400000,50\r\n\r\n",
        "sep=;\nload [%];Time\n25;2024-01-01 00:00:00\n100;2024-01-01 01:00:00\n"
        "50;2024-01-01 02:00:00\n",
        "\xef\xbb\xbftimestamp;utilisation percent\n2024-01-01T01:00:00+01:00;25 %\n"
        "2024-01-01T02:00:00+01:00;100%\n2024-01-01T03:00:00+01:00;50\n",
        "at,gpu_ratio\n1704067200,0.25\n1704074400,0.5\n1704070800,1.0\n",
        "Time,busy\n2024-01-01T00:00Z,25%\n2024-01-01T01:00Z,100.0 %\n2024-01-01T02:00Z,50%"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        const assay_load_file_t file = read(text[i], &by_name);
        check(&file, (const double[]){1, 0.5, 0.25}, 3);
        assay_test_close(file.step_s, 3600, 1e-12, 0, "step");
        assay_test_close(file.first_s, 1704067200, 0, 1e-6, "first");
        assay_test_close(file.last_s, 1704074400, 0, 1e-6, "last");
        assay_test_close(file.mean, 1.75 / 3, 1e-12, 0, "mean");
        assert_int_equal(file.n_step, 3);
        assert_int_equal(file.missing, 0);
    }
}

/* Two columns of percent: means 0.3 and, where one is missing, 0.4 of the other. Amounts: 96 of
   128, and an hour without one of the two is left out. */
static void columns_are_joined(void **state) {
    (void)state;
    static const char two[] = "Time,a %,b %\n1704067200,20,40\n1704070800,40,\n1704074400,,NaN\n"
                              "1704078000,0,null\n";
    const assay_load_file_t mean = read(two, &by_name);
    check(&mean, (const double[]){0.4, 0.3, 0}, 3);
    assert_int_equal(mean.n_step, 4);
    assert_int_equal(mean.cells, 8);
    assert_int_equal(mean.missing, 4);
    static const char amounts[] = "Time,node1,node2\n1704067200,64,32\n1704070800,8,\n"
                                  "1704074400,0,0\n";
    const assay_load_ask_t full = {.unit = ASSAY_LOAD_AMOUNT, .full = 128};
    const assay_load_file_t sum = read(amounts, &full);
    check(&sum, (const double[]){0.75, 0}, 2);
    const char *const one[] = {"node1"};
    const assay_load_ask_t first = {
        .unit = ASSAY_LOAD_AMOUNT, .full = 64, .column = one, .n_column = 1};
    const assay_load_file_t alone = read(amounts, &first);
    check(&alone, (const double[]){1, 0.125, 0}, 3);
}

/* Every quarter of an hour: hours take their mean, and the hour without a row is missing. Once a
   day: each row stands for a day, and two of five are missing. */
static void steps_are_hours_or_longer(void **state) {
    (void)state;
    const assay_load_file_t quarter = read("Time,x_ratio\n1704067200,0\n1704068100,1\n"
                                           "1704069000,1\n1704069900,1\n1704074400,0.5\n",
                                           &by_name);
    check(&quarter, (const double[]){0.75, 0.5}, 2);
    assert_int_equal(quarter.n_step, 3);
    assay_test_close(quarter.step_s, 3600, 1e-12, 0, "hours");
    const assay_load_file_t daily = read("Time,x_ratio\n2024-01-01,0.5\n2024-01-02,0.25\n"
                                         "2024-01-05,1\n",
                                         &by_name);
    check(&daily, (const double[]){1, 0.5, 0.25}, 3);
    assert_int_equal(daily.n_step, 5);
    assay_test_close(daily.step_s, 86400, 1e-12, 0, "days");
}

/* What a job asks for counts before what a name says. */
static void the_unit_is_never_guessed(void **state) {
    (void)state;
    static const char said[] = "Time,busy\n1704067200,1\n1704070800,0.5\n";
    static const char both[] = "Time,x percentunit\n1704067200,1\n1704070800,0.5\n";
    assay_load_file_t out;
    assert_int_equal(parse(said, &by_name, &out), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "does not say whether 1 is 1 % or all"));
    assert_int_equal(err.line, 1);
    assert_int_equal(parse(both, &by_name, &out), ASSAY_INPUT);
    const assay_load_ask_t percent = {.word = words, .n_word = 5, .unit = ASSAY_LOAD_PERCENT};
    const assay_load_ask_t fraction = {.word = words, .n_word = 5, .unit = ASSAY_LOAD_FRACTION};
    out = read(said, &percent);
    check(&out, (const double[]){0.01, 0.005}, 2);
    assert_null(out.said_by);
    out = read(both, &fraction);
    check(&out, (const double[]){1, 0.5}, 2);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
        uint32_t line;
    } wrong[] = {
        {"", "empty", 1},
        {"Time\n1704067200\n", "only column", 1},
        {"Time,a %\n1704067200,1\n", "two rows", 0},
        {"Time,a %\n1704067200,\n1704070800,\n", "no row has a load", 0},
        {"Time,a %\n1704067200,1\n1704070800,101\n", "above 100 %", 3},
        {"Time,a_ratio\n1704067200,1\n1704070800,50\n", "above 1", 3},
        {"Time,a %\n1704067200,-1\n1704070800,1\n", "below 0", 2},
        {"Time,a %\n1704067200,9223372036854775794\n1704070800,1\n", "above 100 %", 2},
        {"Time,a %\n1704067200,12 W\n1704070800,1\n", "no number", 2},
        {"Time,a %\n1704067200,1\nyesterday,1\n", "no time", 3},
        {"Time,a %\n1704067200,1\n17,1\n", "no time", 3},
        {"Time,a %\n1704067200,1\n1704070800,1\n1704067200,2\n", "the time of another row", 4},
        {"Time,a %\n2024-01-01,1\n2024-02-01,1\n2024-03-01,1\n", "rows are", 0},
        {"Time,a %\n1704067200,1\n1704067200000000,1,2\n", "more fields", 3},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assay_load_file_t out;
        if (!parse(wrong[i].text, &by_name, &out) || !strstr(err.what, wrong[i].what) ||
            err.line != wrong[i].line || !err.next[0]) {
            fail_msg("%zu: line %u: %s", i, err.line, err.what);
        }
        assert_string_equal(err.file, "load.csv");
    }
    const char *const column[] = {"busi"};
    const assay_load_ask_t named = {.unit = ASSAY_LOAD_PERCENT, .column = column, .n_column = 1};
    const assay_load_ask_t small = {.unit = ASSAY_LOAD_AMOUNT, .full = 10};
    assay_load_file_t out;
    assert_int_equal(parse("Time,busy\n1704067200,1\n1704070800,1\n", &named, &out), ASSAY_INPUT);
    assert_non_null(strstr(err.next, "'busy'"));
    assert_int_equal(parse("Time,a,b\n1704067200,5,6\n1704070800,1,1\n", &small, &out),
                     ASSAY_INPUT);
    assert_non_null(strstr(err.what, "11 is more than the 10"));
    assert_int_equal(err.line, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_says_the_same),  cmocka_unit_test(columns_are_joined),
        cmocka_unit_test(steps_are_hours_or_longer), cmocka_unit_test(the_unit_is_never_guessed),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
