#include "arena_fixture.h"
#include "assay_test.h"

#include <stdio.h>

#include "assay/query.h"

/* A table: vendor, version, memory in GiB, a plain count, watts. */
static const assay_query_column_t columns[] = {
    {"vendor", false, "", 1}, {"version", false, "", 1}, {"mem_gib", true, "GiB", 1073741824.0},
    {"count", true, "", 1},   {"tdp_w", true, "W", 1},
};
typedef struct {
    const char *vendor, *version;
    double mem_gib, count, tdp_w; /* below 0: unknown */
} row_t;

static assay_query_value_t read_row(const void *at, uint32_t column) {
    const row_t *row = at;
    const char *text = column == 0 ? row->vendor : row->version;
    const double v = column == 2 ? row->mem_gib : column == 3 ? row->count : row->tdp_w;
    if (column < 2) {
        return (assay_query_value_t){.known = text != NULL, .text = text};
    }
    return (assay_query_value_t){.known = v >= 0.0, .is_number = true, .v = v};
}

static bool holds(const char *text, const row_t *row) {
    const assay_query_t *query = NULL;
    assay_error_t err = {0};
    if (assay_query_parse(arena, text, columns, 5, &query, &err) != ASSAY_OK) {
        fail_msg("%s: %s", text, err.what);
    }
    return assay_query_holds(query, read_row, row);
}

static const row_t mi300x = {"AMD", "7.14.0", 192, 304, 750};
static const row_t nothing = {NULL, NULL, -1, -1, -1};

static void tests_compare_numbers_and_texts(void **state) {
    (void)state;
    assert_true(holds("mem_gib>=192", &mi300x));
    assert_false(holds("mem_gib>192", &mi300x));
    assert_true(holds("mem_gib = 192 GiB", &mi300x));
    assert_true(holds("mem_gib < 207 GB and mem_gib > 206 GB", &mi300x)); /* 206.158 GB */
    assert_true(holds("tdp_w <= 0.75 kW and tdp_w > 749 W", &mi300x));    /* watts, no weeks */
    assert_true(holds("vendor=amd", &mi300x));
    assert_true(holds("vendor != NVIDIA", &mi300x));
    assert_true(holds("vendor ~ M", &mi300x));
    assert_true(holds("vendor !~ nv", &mi300x));
    assert_true(holds("VENDOR = \"AMD\"", &mi300x));
}

/* 7.14 follows 7.9, and 10.0 both, although no 8 and no 9 exist. */
static void versions_are_ordered_part_by_part(void **state) {
    (void)state;
    assert_true(holds("version > 7.9", &mi300x));
    assert_true(holds("version < 10.0", &mi300x));
    assert_true(assay_text_order("7.2.4", "7.9.0") < 0);
    assert_true(assay_text_order("7.14.0", "10.0.0") < 0);
    assert_true(assay_text_order("a100", "A100") == 0);
    assert_true(assay_text_order("2025-03", "2025-11") < 0);
    assert_true(assay_text_order("x", "x1") < 0);
}

static void and_binds_tighter_than_or(void **state) {
    (void)state;
    assert_true(holds("vendor=AMD or vendor=Intel and mem_gib>1000", &mi300x));
    assert_false(holds("(vendor=AMD or vendor=Intel) and mem_gib>1000", &mi300x));
    assert_true(holds("not (vendor=NVIDIA)", &mi300x));
    assert_true(holds("not vendor=NVIDIA and count=304", &mi300x));
}

/* Neither a test nor its opposite holds of a figure that nobody knows. */
static void unknown_is_neither_true_nor_false(void **state) {
    (void)state;
    assert_false(holds("mem_gib>=0", &nothing));
    assert_false(holds("not mem_gib>=0", &nothing));
    assert_false(holds("vendor!=AMD", &nothing));
    assert_true(holds("mem_gib=unknown", &nothing));
    assert_true(holds("mem_gib!=unknown", &mi300x));
    assert_false(holds("mem_gib=unknown", &mi300x));
    assert_true(holds("mem_gib>1 or vendor=unknown", &nothing));
}

static const struct {
    const char *text, *what, *next;
    uint32_t column;
} wrong[] = {
    {"", "ends here", "mem_gb>=128", 1},
    {"vendor", "comparison", "one of", 7},
    {"vendor=", "value is missing", "vendor=AMD", 8},
    {"vndor=AMD", "no column 'vndor'", "'vendor'", 1},
    {"mem_gib>=3 W", "expected a size", "", 10},
    {"count>many", "'many' is no number", "plain number", 7},
    {"count~3", "column of numbers", "= < or >", 1},
    {"(vendor=AMD", "never closed", "close it", 1},
    {"vendor=\"AMD", "never closed", "close it", 8},
    {"vendor=AMD)", "goes on", "quote", 11},
    {"vendor>unknown", "neither more nor less", "= unknown", 8},
    {"vendor=AMD and", "ends here", "mem_gb", 15},
};

static void a_mistake_is_named_with_its_place(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const assay_query_t *query;
        assay_error_t err = {0};
        assert_int_equal(assay_query_parse(arena, wrong[i].text, columns, 5, &query, &err),
                         ASSAY_USAGE);
        assert_int_equal(err.status, ASSAY_USAGE);
        if (!strstr(err.what, wrong[i].what) || !strstr(err.next, wrong[i].next) ||
            err.column != wrong[i].column) {
            fail_msg("%s: %u: %s; %s", wrong[i].text, err.column, err.what, err.next);
        }
    }
}

static void depth_length_and_number_of_tests_are_bounded(void **state) {
    (void)state;
    char text[8192];
    const assay_query_t *query;
    memset(text, '(', 40);
    text[40] = '\0';
    assert_int_equal(assay_query_parse(arena, text, columns, 5, &query, NULL), ASSAY_USAGE);
    memset(text, ' ', 5000);
    text[5000] = '\0';
    assert_int_equal(assay_query_parse(arena, text, columns, 5, &query, NULL), ASSAY_LIMIT);
    size_t n = 0;
    for (int i = 0; i < 257; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%scount=1", i ? " or " : "");
    }
    assert_int_equal(assay_query_parse(arena, text, columns, 5, &query, NULL), ASSAY_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_compare_numbers_and_texts),
        cmocka_unit_test(versions_are_ordered_part_by_part),
        cmocka_unit_test(and_binds_tighter_than_or),
        cmocka_unit_test(unknown_is_neither_true_nor_false),
        cmocka_unit_test(a_mistake_is_named_with_its_place),
        cmocka_unit_test(depth_length_and_number_of_tests_are_bounded),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
