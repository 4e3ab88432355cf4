/* Results of load generators. The samples of tests/fuzz/corpus/bench_result are one run in the
   words of each tool: 200 requests in 50 s, 1000 tokens in and 250 out each. */
#include "arena_fixture.h"
#include "assay_test.h"

#include "assay/bench_result.h"
#include "assay/text.h"

#include <string.h>

#include "base/banned.h"

static assay_bench_t read_text(const char *text) {
    assay_bench_t bench;
    assay_error_t err = {0};
    if (assay_bench_read(arena, NULL, 0, "result", text, strlen(text), &bench, &err) != ASSAY_OK) {
        fail_msg("%u: %s", err.line, err.what);
    }
    return bench;
}

static assay_bench_t read_sample(const char *name) {
    char *data;
    size_t size;
    const char *path =
        assay_arena_printf(arena, ASSAY_SOURCE_DIR "/tests/fuzz/corpus/bench_result/%s", name);
    assert_int_equal(assay_file_read(arena, path, 1u << 20, &data, &size, NULL), ASSAY_OK);
    return read_text(data);
}

static void near(const assay_bench_figure_t *figure, double expected, const char *what) {
    assert_true(figure->known);
    assay_test_close(figure->v, expected, 1e-9, 0, what);
}

#define LATENCY(result, metric, stat) \
    (&(result)->latency_s[ASSAY_BENCH_##metric][ASSAY_BENCH_##stat])

static bool warns(const assay_bench_result_t *result, assay_message_t id) {
    for (uint32_t i = 0; i < result->n_warning; i++) {
        if (result->warning[i].id == id) {
            return true;
        }
    }
    return false;
}

static const assay_bench_check_t *find_check(const assay_bench_result_t *result, const char *what) {
    for (uint32_t i = 0; i < result->n_check; i++) {
        if (strcmp(result->check[i].what, what) == 0) {
            return &result->check[i];
        }
    }
    return NULL;
}

static void every_tool_says_the_same_run(void **state) {
    static const struct {
        const char *sample;
        assay_bench_tool_t tool;
    } row[] = {{"vllm.json", ASSAY_BENCH_VLLM},
               {"sglang.jsonl", ASSAY_BENCH_SGLANG},
               {"aiperf.json", ASSAY_BENCH_AIPERF},
               {"guidellm.json", ASSAY_BENCH_GUIDELLM}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_bench_t bench = read_sample(row[i].sample);
        const assay_bench_result_t *result = &bench.result[0];
        assert_int_equal(result->tool, row[i].tool);
        near(&result->requests_per_s, 4, row[i].sample);
        near(&result->output_tokens_per_s, 1000, row[i].sample);
        near(LATENCY(result, TTFT, MEAN), 0.5, row[i].sample);
        near(LATENCY(result, TTFT, P50), 0.45, row[i].sample);
        near(LATENCY(result, TTFT, P99), 0.9, row[i].sample);
        near(LATENCY(result, TPOT, P50), 0.03, row[i].sample);
        for (uint32_t k = 0; k < result->n_check; k++) {
            if (!result->check[k].agrees) {
                fail_msg("%s: %s does not agree", row[i].sample, result->check[k].what);
            }
        }
    }
}

static void little_gives_the_concurrency(void **state) {
    (void)state;
    assay_bench_t bench = read_sample("vllm.json");
    near(&bench.result[0].concurrency, 4 * 7.97, "4 a second, 7.97 s each");
    bench = read_sample("case_73");
    near(&bench.result[0].e2e_at_limit_s, 32 / (100 / 26.65), "limit over rate");
    near(&bench.result[0].tpot_at_limit_s, 32 / (100 / 26.65) / 1024, "over 1024 tokens");
    assert_false(bench.result[0].concurrency.known);
}

static void figures_that_do_not_agree_are_told(void **state) {
    (void)state;
    /* the second run took 100 s, not the 50 s that its rates stand for */
    const assay_bench_t bench = read_sample("sglang.jsonl");
    assert_int_equal(bench.n_result, 2);
    const assay_bench_check_t *check = find_check(&bench.result[1], "output_tokens_per_s");
    assert_non_null(check);
    assert_false(check->agrees);
    assay_test_close(check->computed, 500, 1e-12, 0, "50000 tokens in 100 s");
    assert_false(find_check(&bench.result[1], "concurrency")->agrees); /* 2 x 8 s, not 32 */
}

static void chunks_of_several_tokens_are_told(void **state) {
    (void)state;
    const assay_bench_t bench = read_sample("sglang.jsonl");
    assert_true(warns(&bench.result[0], ASSAY_MSG_BENCH_CHUNKED)); /* 1.5 ms beside 30 ms */
    assert_true(warns(&bench.result[0], ASSAY_MSG_BENCH_RETOKENIZED_LESS)); /* 1 % */
    assert_false(warns(&bench.result[1], ASSAY_MSG_BENCH_RETOKENIZED_LESS));
}

static void small_runs_are_told(void **state) {
    (void)state;
    const assay_bench_t bench = read_text("Successful requests: 40\n"
                                          "Failed requests: 3\n"
                                          "Maximum request concurrency: 32\n"
                                          "Benchmark duration (s): 10.00\n"
                                          "P99 TTFT (ms): 900.00\n");
    assert_true(warns(&bench.result[0], ASSAY_MSG_BENCH_FAILED));
    assert_true(warns(&bench.result[0], ASSAY_MSG_BENCH_FEW_FOR_P99));
    assert_true(warns(&bench.result[0], ASSAY_MSG_BENCH_FEW_WAVES));
    near(LATENCY(&bench.result[0], TTFT, P99), 0.9, "p99");
}

static void two_blocks_are_two_results(void **state) {
    (void)state;
    const assay_bench_t bench = read_text("INFO started\n"
                                          "============ Serving Benchmark Result ============\n"
                                          "Successful requests:       10\n"
                                          "Benchmark duration (s):    5.00\n"
                                          "Traffic request rate:      inf\r\n"
                                          "# ============ Serving Benchmark Result ============\n"
                                          "# Successful requests:     20\n"
                                          "# Benchmark duration (s):  5.00\n"
                                          "# Mean E2E Latency (ms):   1000.00\n");
    assert_int_equal(bench.n_result, 2);
    near(&bench.result[0].requests_per_s, 2, "first");
    near(&bench.result[1].requests_per_s, 4, "second");
    assert_int_equal(bench.result[0].tool, ASSAY_BENCH_VLLM);
    assert_int_equal(bench.result[1].tool, ASSAY_BENCH_SGLANG);
    assert_false(bench.result[0].figure[ASSAY_BENCH_OFFERED_PER_S].known); /* inf is no rate */
}

static void llama_bench_is_read_in_three_formats(void **state) {
    static const char *const sample[] = {"llama.json", "llama.csv", "llama.md"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const assay_bench_t bench = read_sample(sample[i]);
        assert_int_equal(bench.n_result, 2);
        assert_string_equal(bench.result[0].test, "pp512");
        assert_string_equal(bench.result[1].test, "tg128");
        assert_string_equal(bench.result[1].model, "llama 8B Q4_K - Medium");
        near(&bench.result[0].input_tokens_per_s, 2048, sample[i]);
        near(LATENCY(&bench.result[0], TTFT, MEAN), 0.25, sample[i]); /* 512 at 2048 a second */
        near(&bench.result[1].output_tokens_per_s, 64, sample[i]);
        near(LATENCY(&bench.result[1], TPOT, MEAN), 1.0 / 64, sample[i]);
    }
}

static void a_stream_counts_from_the_request(void **state) {
    (void)state;
    assay_bench_t bench = read_sample("chunks.jsonl");
    const assay_bench_result_t *result = &bench.result[0];
    /* the first chunk names a role only; 6 tokens by the server in 3 chunks */
    assay_test_close(LATENCY(result, TTFT, MEAN)->v, 0.5, 0, 1e-6, "ttft");
    assay_test_close(LATENCY(result, E2E, MEAN)->v, 0.8, 0, 1e-6, "e2e");
    assay_test_close(LATENCY(result, TPOT, MEAN)->v, 0.3 / 5, 0, 1e-6, "tpot");
    assay_test_close(LATENCY(result, ITL, MEAN)->v, 0.15, 0, 1e-6, "gaps of 0.1 and 0.2");
    bench = read_text("{\"t\": 1785585600.5, \"delta\": {\"content\": \"a\"}}\n");
    assert_false(LATENCY(&bench.result[0], TTFT, MEAN)->known);
    assert_true(warns(&bench.result[0], ASSAY_MSG_BENCH_NO_START));
}

static void a_histogram_bounds_its_percentiles(void **state) {
    (void)state;
    const assay_bench_t bench = read_sample("engine.prom");
    const assay_bench_result_t *result = &bench.result[0];
    near(LATENCY(result, TTFT, MEAN), 24.0 / 200, "sum over count of both engines");
    const assay_bench_figure_t *p50 = LATENCY(result, TTFT, P50), *p99 = LATENCY(result, TTFT, P99);
    /* 100 of 200 up to 0.1 s, 198 up to 0.25 s */
    assert_true(!p50->known && p50->bounded && !p99->known && p99->bounded);
    assay_test_close(p50->high, 0.1, 1e-12, 0, "p50");
    assay_test_close(p99->low, 0.1, 1e-12, 0, "p99 from");
    assay_test_close(p99->high, 0.25, 1e-12, 0, "p99 to");
}

static void what_is_no_result_is_refused(void **state) {
    static const struct {
        const char *text, *part;
    } row[] = {{"", "no result"},
               {"hello\n", "no result"},
               {"{\"a\": 1}\n", "no result"},
               {"#  size  count  type  time  algbw  busbw\n", "no result"},
               {"{\"duration\": 1,\n \"completed\": }", "broken JSON"},
               {"{\"t\": 1, \"delta\": {}", "broken JSON"}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_bench_t bench;
        assay_error_t err = {0};
        assert_int_equal(assay_bench_read(arena, NULL, 0, "result", row[i].text,
                                          strlen(row[i].text), &bench, &err),
                         ASSAY_INPUT);
        if (!strstr(err.what, row[i].part)) {
            fail_msg("%s: %s", row[i].text, err.what);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tool_says_the_same_run),
        cmocka_unit_test(little_gives_the_concurrency),
        cmocka_unit_test(figures_that_do_not_agree_are_told),
        cmocka_unit_test(chunks_of_several_tokens_are_told),
        cmocka_unit_test(small_runs_are_told),
        cmocka_unit_test(two_blocks_are_two_results),
        cmocka_unit_test(llama_bench_is_read_in_three_formats),
        cmocka_unit_test(a_stream_counts_from_the_request),
        cmocka_unit_test(a_histogram_bounds_its_percentiles),
        cmocka_unit_test(what_is_no_result_is_refused),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
