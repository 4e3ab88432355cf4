/* Scales, ticks and labels of the charts, by hand; escaping; the JSON writer. */
#include <math.h>
#include <stdlib.h>

#include "assay/json.h"
#include "assay_test.h"
#include "report/svg.h"

static void check_ticks(double min, double max, bool log_scale, const double *expected,
                        uint32_t n_expected) {
    double tick[ASSAY_SVG_TICKS];
    const uint32_t n = assay_svg_ticks(min, max, log_scale, 5, tick);
    assert_int_equal(n, n_expected);
    for (uint32_t i = 0; i < n; i++) {
        assay_test_close(tick[i], expected[i], 1e-12, 1e-12, "tick");
    }
}

static void ticks_are_round(void **state) {
    (void)state;
    /* span 10 in 5 steps: 2 */
    check_ticks(0.0, 10.0, false, (const double[]){0, 2, 4, 6, 8, 10}, 6);
    /* span 0.7 in 5 steps: 0.14, next round is 0.2 */
    check_ticks(0.1, 0.8, false, (const double[]){0.2, 0.4, 0.6, 0.8}, 4);
    /* span 2.3 in 5 steps: 0.46, next round is 0.5; negatives count from 0 */
    check_ticks(-0.3, 2.0, false, (const double[]){0, 0.5, 1, 1.5, 2}, 5);
    /* span 3e6 in 5 steps: 6e5, next round is 1e6 */
    check_ticks(0.0, 3e6, false, (const double[]){0, 1e6, 2e6, 3e6}, 4);
}

static void log_ticks_are_powers(void **state) {
    (void)state;
    check_ticks(0.5, 2000.0, true, (const double[]){1, 10, 100, 1000}, 4);
    /* two powers only: 2 and 5 in between */
    check_ticks(30.0, 700.0, true, (const double[]){50, 100, 200, 500}, 4);
    check_ticks(1.0, 10.0, true, (const double[]){1, 2, 5, 10}, 4);
    /* 60 powers do not fit into 24 ticks: every third is left */
    double tick[ASSAY_SVG_TICKS];
    const uint32_t n = assay_svg_ticks(1e-30, 1e30, true, 5, tick);
    assert_true(n > 10 && n <= ASSAY_SVG_TICKS);
    assay_test_close(tick[1] / tick[0], 1000.0, 1e-12, 0.0, "stride of the powers");
}

static void nice_ends_are_ticks(void **state) {
    (void)state;
    double min = 0.0, max = 2.3; /* step 0.5 */
    assay_svg_nice(&min, &max, false, 5);
    assay_test_close(min, 0.0, 0.0, 1e-12, "min");
    assay_test_close(max, 2.5, 1e-12, 0.0, "max");
    min = -0.2;
    max = 10.0; /* step 5: 10.2 / 5 = 2.04 */
    assay_svg_nice(&min, &max, false, 5);
    assay_test_close(min, -5.0, 1e-12, 0.0, "min");
    assay_test_close(max, 10.0, 1e-12, 0.0, "max");
    min = 0.5;
    max = 200.0;
    assay_svg_nice(&min, &max, true, 5);
    assay_test_close(min, 0.1, 1e-12, 0.0, "min");
    assay_test_close(max, 1000.0, 1e-12, 0.0, "max");
}

static void scales_map(void **state) {
    (void)state;
    const assay_svg_scale_t linear = {false, 10.0, 20.0, 100.0, 300.0};
    assay_test_close(assay_svg_map(&linear, 15.0), 200.0, 1e-12, 0.0, "middle");
    assay_test_close(assay_svg_map(&linear, 10.0), 100.0, 1e-12, 0.0, "start");
    /* downwards, as the y axis of a picture */
    const assay_svg_scale_t down = {false, 0.0, 4.0, 250.0, 50.0};
    assay_test_close(assay_svg_map(&down, 1.0), 200.0, 1e-12, 0.0, "a quarter up");
    /* log10(100) of 4 powers from 0.1 to 1000 is at 3/4 */
    const assay_svg_scale_t power = {true, 0.1, 1000.0, 0.0, 400.0};
    assay_test_close(assay_svg_map(&power, 100.0), 300.0, 1e-12, 0.0, "three quarters");
}

static void unseen_characters_are_shown(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 1000);
    assay_html_escape(&buf, "a\nb\x1b\xc2\x9b\xe2\x80\xae\xff\xe6\xa8\xa1<");
    assert_string_equal(buf.data, "a b ???\xe6\xa8\xa1&lt;");
    assay_buf_done(&buf);
}

static void markup_in_data_is_escaped(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 4096);
    assay_html_printf(&buf, "<b>%s</b> 100 %%", "<script>&\"'");
    assert_string_equal(buf.data, "<b>&lt;script&gt;&amp;&quot;&#39;</b> 100 %");
    assay_buf_done(&buf);
}

static void labels_do_not_overlap(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 1 << 16);
    assay_svg_t svg;
    assay_svg_begin(&svg, &buf, "x", 200.0, 100.0, "t", "d");
    /* "abcd" is 26 px wide. Right of (100, 50) is free, then left, above, below; the corners
       between them are too close to these. */
    for (int i = 0; i < 4; i++) {
        assert_true(assay_svg_label(&svg, 100.0, 50.0, "note", "abcd"));
    }
    assert_false(assay_svg_label(&svg, 100.0, 50.0, "note", "abcd"));
    assert_int_equal(svg.n_box, 4);
    for (uint32_t i = 0; i < svg.n_box; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const assay_svg_box_t *a = &svg.box[i], *b = &svg.box[k];
            assert_true(a->x1 <= b->x0 || b->x1 <= a->x0 || a->y1 <= b->y0 || b->y1 <= a->y0);
        }
    }
    /* at the right edge only the left side is inside */
    assert_true(assay_svg_label(&svg, 195.0, 10.0, "note", "abcd"));
    assert_true(svg.box[4].x1 < 195.0);
    assay_svg_end(&svg);
    assert_non_null(strstr(buf.data, "role=\"img\" aria-labelledby=\"x-title x-desc\""));
    assay_buf_done(&buf);
}

static void legend_breaks_lines(void **state) {
    (void)state;
    /* each key: 14 + 6.6 x 4 + 12 = 52.4 px; two of them in 110 px */
    const assay_svg_key_t key[] = {{"aaaa", "p0", ASSAY_SVG_KEY_SQUARE},
                                   {"bbbb", "p1", ASSAY_SVG_KEY_SQUARE},
                                   {"cccc", "p2", ASSAY_SVG_KEY_SQUARE}};
    assay_test_close(assay_svg_legend(NULL, 0.0, 0.0, 110.0, key, 2), 16.0, 0.0, 1e-12, "one line");
    assay_test_close(assay_svg_legend(NULL, 0.0, 0.0, 110.0, key, 3), 32.0, 0.0, 1e-12,
                     "two lines");
    assay_test_close(assay_svg_legend(NULL, 0.0, 0.0, 110.0, key, 0), 0.0, 0.0, 0.0, "empty");
}

static void json_is_written_in_order(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 4096);
    assay_json_t json;
    assay_json_init(&json, &buf);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "text", "a\"b\\c\n\xff");
    assay_json_number(&json, "tenth", 0.1);
    assay_json_number(&json, "nan", (double)NAN);
    assay_json_number(&json, "inf", (double)-INFINITY);
    assay_json_number_if(&json, "absent", false, 1.0);
    assay_json_begin_array(&json, "list");
    assay_json_bool(&json, NULL, true);
    assay_json_count(&json, NULL, UINT64_MAX);
    assay_json_string(&json, NULL, NULL);
    assay_json_end(&json);
    assay_json_begin_array(&json, "empty");
    assay_json_end(&json);
    assay_json_end(&json);
    assert_false(buf.failed);
    assert_string_equal(buf.data, "{\n"
                                  "  \"text\": \"a\\\"b\\\\c\\u000a\\ufffd\",\n"
                                  "  \"tenth\": 0.1,\n"
                                  "  \"nan\": null,\n"
                                  "  \"inf\": null,\n"
                                  "  \"absent\": null,\n"
                                  "  \"list\": [\n"
                                  "    true,\n"
                                  "    18446744073709551615,\n"
                                  "    null\n"
                                  "  ],\n"
                                  "  \"empty\": []\n"
                                  "}\n");
    assay_buf_done(&buf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(log_ticks_are_powers),
        cmocka_unit_test(nice_ends_are_ticks),
        cmocka_unit_test(scales_map),
        cmocka_unit_test(unseen_characters_are_shown),
        cmocka_unit_test(markup_in_data_is_escaped),
        cmocka_unit_test(labels_do_not_overlap),
        cmocka_unit_test(legend_breaks_lines),
        cmocka_unit_test(json_is_written_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
