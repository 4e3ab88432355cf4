#include "assay_test.h"

#include <jansson.h>
#include <string.h>

#include "assay/report_simulate.h"

/* Two steps and one request, read back by another reader of JSON. */
static void a_trace_is_json_that_names_steps_and_requests(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_chrome_trace_t trace;
    assay_buf_init(&buf, 1u << 20);
    assay_chrome_trace_begin(&trace, &buf);
    assay_chrome_trace_fleet(&trace, "a \"name\"", 2);
    const assay_sim_event_t step = {.replica = 1,
                                    .start_ticks = 1500 * ASSAY_TICKS_PER_NS,
                                    .ticks = 2250 * ASSAY_TICKS_PER_NS,
                                    .steps = 3,
                                    .decode = 7};
    const assay_sim_done_t done = {.id = 4,
                                   .replica = 1,
                                   .scheduled_ticks = ASSAY_TICKS_PER_NS,
                                   .first_token_ticks = 2 * ASSAY_TICKS_PER_NS,
                                   .last_token_ticks = 3 * ASSAY_TICKS_PER_NS};
    assay_chrome_trace_stepped(&trace, &step);
    assay_chrome_trace_finished(&trace, &done);
    assay_chrome_trace_end(&trace);
    json_t *root = json_loadb(buf.data, buf.n, 0, NULL);
    assert_non_null(root);
    const json_t *events = json_object_get(root, "traceEvents");
    /* the program, two replicas, a slice and its counters, four spans of two ends */
    assert_int_equal(json_array_size(events), 1 + 2 + 2 + 8);
    const json_t *slice = json_array_get(events, 3);
    assert_string_equal(json_string_value(json_object_get(slice, "name")), "decode");
    assert_int_equal(json_integer_value(json_object_get(slice, "pid")), 2);
    assay_test_close(json_number_value(json_object_get(slice, "ts")), 1.5, 1e-12, 0, "us");
    assay_test_close(json_number_value(json_object_get(slice, "dur")), 2.25, 1e-12, 0, "us");
    json_decref(root);
    assay_buf_done(&buf);
}

static void what_is_too_much_is_counted(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_chrome_trace_t trace;
    assay_buf_init(&buf, (size_t)128 << 20);
    assay_chrome_trace_begin(&trace, &buf);
    assay_chrome_trace_fleet(&trace, "x", 1);
    const assay_sim_event_t step = {.ticks = 1, .steps = 1, .decode = 1};
    for (uint32_t i = 0; i < ASSAY_CHROME_TRACE_EVENTS / 2 + 5; i++) {
        assay_chrome_trace_stepped(&trace, &step);
    }
    assay_chrome_trace_end(&trace);
    assert_false(buf.failed);
    assert_int_equal(trace.events, ASSAY_CHROME_TRACE_EVENTS);
    assert_int_equal(trace.left_out, 10);
    assert_non_null(strstr(buf.data + buf.n - 64, "\"events_left_out\": 10"));
    assay_buf_done(&buf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_is_json_that_names_steps_and_requests),
        cmocka_unit_test(what_is_too_much_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
