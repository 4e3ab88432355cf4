/* The figures that every report draws with, on plain numbers: what is drawn, where, and that the
   table holds the same. */
#include <math.h>

#include "assay_test.h"
#include "report/charts.h"

typedef struct {
    assay_view_t view;
    assay_buf_t out;
} page_t;

static page_t page;

static int begin(void **state) {
    (void)state;
    assay_buf_init(&page.out, 1u << 20);
    page.view = (assay_view_t){.arena = assay_arena_create(1u << 22), .out = &page.out};
    return 0;
}

static int end(void **state) {
    (void)state;
    assert_false(page.view.failed || page.out.failed);
    assay_arena_destroy(page.view.arena);
    assay_buf_done(&page.out);
    return 0;
}

static uint32_t count(const char *what) {
    uint32_t n = 0;
    for (const char *at = page.out.data; (at = strstr(at, what)); at++) {
        n++;
    }
    return n;
}

static void check_has(const char *what) {
    if (!strstr(page.out.data, what)) {
        fail_msg("not there: %s\n%s", what, page.out.data);
    }
}

#define CHART \
    { "c", "A <title>", "what to see" }

static void bars_show_parts_range_and_limit(void **state) {
    (void)state;
    static const char *const name[] = {"a", "b"};
    static const double one[] = {2e6, 1e6}, two[] = {4e6, -1e6};
    const assay_chart_bar_t bar[] = {{"x", one, NULL, 2.5e6, 3.5e6, NAN},
                                     {"y", two, NULL, NAN, NAN, 5e6}};
    const assay_chart_bars_t bars = {.chart = CHART,
                                     .axis = {"cost", ASSAY_SCALE_MONEY, NULL, false},
                                     .part_name = name,
                                     .n_part = 2,
                                     .bar = bar,
                                     .n_bar = 2};
    assay_chart_bars(&page.view, &bars);
    check_has("A &lt;title&gt;");
    check_has("role=\"img\"");
    check_has("cost [MUSD]</text>");
    check_has("3.00 MUSD (2.50-3.50)");
    check_has("3.00 of 5.00 MUSD");
    assert_int_equal(count("class=\"bar p0\""), 3); /* two bars and the legend */
    check_has("<th scope=\"row\">total</th><td class=\"n\">3.00</td><td class=\"n\">3.00</td>");
}

/* y from 0 to 100 % on pixels 286 to 26: 50 % is at 156. */
static void lines_share_a_scale(void **state) {
    (void)state;
    static const double a[] = {1e3, 2e3, 3e3}, b[] = {2e3, 3e3, 4e3}, y[] = {25, 50, 75};
    const assay_chart_line_t line[] = {{"A", a, y, NULL, NULL, 3}, {"B", b, y, NULL, NULL, 3}};
    const assay_chart_mark_t mark[] = {{"here", 2e3, 50}, {"beyond", 9e3, 50}};
    const assay_chart_lines_t lines = {.chart = CHART,
                                       .x = {"cost", ASSAY_SCALE_MONEY, NULL, false},
                                       .y = {"share", ASSAY_SCALE_PLAIN, "%", false},
                                       .y_max = 100.0,
                                       .line = line,
                                       .n_line = 2,
                                       .mark = mark,
                                       .n_mark = 2};
    assay_chart_lines(&page.view, &lines);
    check_has("share [%]");
    check_has("156 L");
    check_has(">here</text>");
    assert_int_equal(count("beyond"), 0); /* outside of the scale */
    /* they share y: the table goes by it, 2 kUSD and 3 kUSD at 50 % */
    check_has("<th scope=\"row\">50</th><td class=\"n\">2.00</td><td class=\"n\">3.00</td>");
}

static void a_line_of_one_point_is_drawn(void **state) {
    (void)state;
    static const double x[] = {0.0}, y[] = {0.0};
    const assay_chart_line_t line = {"A", x, y, NULL, NULL, 1};
    const assay_chart_lines_t lines = {.chart = CHART,
                                       .x = {"x", ASSAY_SCALE_PLAIN, NULL, false},
                                       .y = {"y", ASSAY_SCALE_PLAIN, NULL, false},
                                       .line = &line,
                                       .n_line = 1};
    assay_chart_lines(&page.view, &lines);
    assert_int_equal(count("nan"), 0);
    assert_int_equal(count("inf"), 0);
}

static void points_join_their_front(void **state) {
    (void)state;
    static const char *const series[] = {"A"};
    static const assay_chart_point_t point[] = {{"slow", 1.0, 3.0, 0, true, false},
                                                {"fast", 3.0, 1.0, 0, true, true},
                                                {"bad", 3.0, 3.0, 0, false, false},
                                                {"lost", NAN, 1.0, 0, true, false}};
    const assay_chart_points_t points = {.chart = CHART,
                                         .x = {"x", ASSAY_SCALE_PLAIN, "s", false},
                                         .y = {"y", ASSAY_SCALE_PLAIN, "s", true},
                                         .series = series,
                                         .n_series = 1,
                                         .point = point,
                                         .n_point = 4};
    assay_chart_points(&page.view, &points);
    assert_int_equal(count("class=\"line thin k0\""), 1);
    assert_int_equal(count("class=\"mark k0 pale\""), 1);
    assert_int_equal(count("class=\"mark k0\""), 3); /* two and the legend */
    check_has("A, fast: 3 s, 1 s");
    check_has(">fast</text>");
}

/* From 80 to 140 around 100: the scale is 80 to 140 on 16 to 454, so the base is at 162. */
static void tornado_stands_on_its_base(void **state) {
    (void)state;
    static const assay_chart_swing_t swing[] = {{"price", "1 USD", "3 USD", 80.0, 140.0},
                                                {"speed", "1", "2", 110.0, 95.0}};
    const assay_chart_tornado_t tornado = {.chart = CHART,
                                           .axis = {"cost", ASSAY_SCALE_MONEY, NULL, false},
                                           .base = 100.0,
                                           .swing = swing,
                                           .n_swing = 2};
    assay_chart_tornado(&page.view, &tornado);
    check_has("1 USD to 3 USD");
    check_has("<line x1=\"162\" y1=\"15\" x2=\"162\"");
    check_has("<rect x=\"16\" y=\"17\" width=\"146\""); /* 80 to 100 */
}

/* Boundary of two columns at y = 15, between the rows 10 and 20: the middle of the map. */
static void map_draws_cells_and_boundary(void **state) {
    (void)state;
    static const double x[] = {1, 2}, y[] = {10, 20}, cell[] = {-5, -1, 1, 5}, edge[] = {15, 15};
    const assay_chart_map_t map = {.chart = CHART,
                                   .x = {"days", ASSAY_SCALE_PLAIN, "d", false},
                                   .y = {"fit", ASSAY_SCALE_PLAIN, "%", false},
                                   .value = {"saved", ASSAY_SCALE_MONEY, NULL, false},
                                   .n_x = 2,
                                   .n_y = 2,
                                   .x_value = x,
                                   .y_value = y,
                                   .cell = cell,
                                   .positive = "A wins",
                                   .negative = "B wins",
                                   .edge = edge,
                                   .edge_low = edge,
                                   .edge_high = edge,
                                   .now_x = 1.0,
                                   .now_y = 10.0};
    assay_chart_map(&page.view, &map);
    assert_int_equal(count("class=\"cell u"), 2);
    assert_int_equal(count("class=\"cell v"), 2);
    check_has("B wins: -5 USD");
    check_has("M155 156 L361 156"); /* columns of 206 px from 52; (26 + 286) / 2 */
    check_has("this job");
}

/* Where one alone can do the work, or none, no amount and no 0 stands: a hatched cell, its words in
   the legend, the tooltip and the table. */
static void map_hatches_what_cannot_be_compared(void **state) {
    (void)state;
    static const double x[] = {1, 2}, y[] = {10, 20},
                        cell[] = {3, (double)INFINITY, -(double)INFINITY, (double)NAN};
    const assay_chart_map_t map = {.chart = CHART,
                                   .x = {"days", ASSAY_SCALE_PLAIN, "d", false},
                                   .y = {"fit", ASSAY_SCALE_PLAIN, "%", false},
                                   .value = {"saved", ASSAY_SCALE_MONEY, NULL, false},
                                   .n_x = 2,
                                   .n_y = 2,
                                   .x_value = x,
                                   .y_value = y,
                                   .cell = cell,
                                   .positive = "A wins",
                                   .negative = "B wins",
                                   .positive_alone = "only A",
                                   .negative_alone = "only B",
                                   .neither = "nobody",
                                   .now_x = (double)NAN,
                                   .now_y = (double)NAN};
    assay_chart_map(&page.view, &map);
    assert_int_equal(count("class=\"cell u4\""), 1); /* the largest amount that there is */
    assert_int_equal(count("class=\"cell u1\""), 1);
    assert_int_equal(count("class=\"cell v1\""), 1);
    assert_int_equal(count("class=\"cell out\""), 1);
    assert_int_equal(count("class=\"hatch\""), 6); /* three cells, three keys */
    assert_int_equal(count("only A"), 3);          /* tooltip, legend, table */
    assert_int_equal(count("nobody"), 3);
    assert_int_equal(count("inf") + count("nan"), 0);
}

static void units_and_words_are_of_the_language(void **state) {
    (void)state;
    page.view.lang = ASSAY_LANG_ZH;
    page.view.locale = (assay_locale_t){ASSAY_LANG_ZH, "CNY", 7.0};
    const char *title;
    const assay_chart_axis_t axis = {"成本", ASSAY_SCALE_MONEY, NULL, false};
    const assay_scale_t scale = assay_chart_unit(&page.view, &axis, 3e6, &title);
    /* 21 million yuan are 2100 ten thousands */
    assay_test_close(3e6 / scale.one, 2100.0, 1e-12, 0.0, "ten thousand yuan");
    assert_string_equal(scale.unit, "万元");
    assert_string_equal(title, "成本（万元）");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        CASE(bars_show_parts_range_and_limit), CASE(lines_share_a_scale),
        CASE(a_line_of_one_point_is_drawn),    CASE(points_join_their_front),
        CASE(tornado_stands_on_its_base),      CASE(map_hatches_what_cannot_be_compared),
        CASE(map_draws_cells_and_boundary),    CASE(units_and_words_are_of_the_language)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
