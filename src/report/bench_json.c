#include "report/bench_view.h"

#include "base/banned.h"

static void put(assay_json_t *json, const char *key, const assay_bench_figure_t *figure) {
    assay_json_number_if(json, key, figure->known, figure->v);
}

static void put_latency(assay_view_t *view, assay_json_t *json, const assay_bench_result_t *result,
                        assay_bench_metric_t metric, const char *name) {
    static const char *const stat[ASSAY_BENCH_STAT_N] = {
#define STAT_NAME(code, text) [ASSAY_BENCH_##code] = text,
        ASSAY_BENCH_STAT_LIST(STAT_NAME)
#undef STAT_NAME
    };
    assay_json_begin_object(json, name);
    for (int s = 0; s < ASSAY_BENCH_STAT_N; s++) {
        put(json, assay_view_format(view, "%s_s", stat[s]), &result->latency_s[metric][s]);
    }
    assay_json_begin_object(json, "bounds_s"); /* of what is not known but bounded */
    for (int s = 0; s < ASSAY_BENCH_STAT_N; s++) {
        const assay_bench_figure_t *figure = &result->latency_s[metric][s];
        if (figure->bounded) {
            assay_json_begin_array(json, stat[s]);
            assay_json_number(json, NULL, figure->low);
            assay_json_number(json, NULL, figure->high);
            assay_json_end(json);
        }
    }
    assay_json_end(json);
    assay_json_end(json);
}

static void put_counts(assay_json_t *json, const assay_bench_result_t *result) {
    static const struct {
        const char *key;
        assay_bench_figure_id_t id;
    } row[] = {
        {"requests", ASSAY_BENCH_REQUESTS},
        {"failed", ASSAY_BENCH_FAILED},
        {"duration_s", ASSAY_BENCH_DURATION_S},
        {"input_tokens", ASSAY_BENCH_INPUT_TOKENS},
        {"output_tokens", ASSAY_BENCH_OUTPUT_TOKENS},
        {"output_tokens_retokenized", ASSAY_BENCH_OUTPUT_TOKENS_RETOKENIZED},
        {"concurrency_limit", ASSAY_BENCH_LIMIT},
        {"offered_requests_per_s", ASSAY_BENCH_OFFERED_PER_S},
        {"accept_length", ASSAY_BENCH_ACCEPT_LENGTH},
        {"time_to_first_content_s", ASSAY_BENCH_FIRST_CONTENT_S},
        {"decode_window_s", ASSAY_BENCH_DECODE_WINDOW_S},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        put(json, row[i].key, &result->figure[row[i].id]);
    }
    const assay_bench_figure_t *window = &result->figure[ASSAY_BENCH_DECODE_WINDOW_S];
    const assay_bench_figure_t *whole = &result->figure[ASSAY_BENCH_DURATION_S];
    assay_json_number_if(json, "decode_window_share", window->known && whole->known && whole->v > 0,
                         window->v / whole->v);
}

static void put_checks(assay_json_t *json, const assay_bench_result_t *result) {
    bool agree = true;
    assay_json_begin_array(json, "checks");
    for (uint32_t i = 0; i < result->n_check; i++) {
        const assay_bench_check_t *check = &result->check[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "what", check->what);
        assay_json_number(json, "printed", check->printed);
        assay_json_number(json, "computed", check->computed);
        assay_json_bool(json, "agrees", check->agrees);
        assay_json_end(json);
        agree = agree && check->agrees;
    }
    assay_json_end(json);
    assay_json_bool(json, "agrees", agree);
}

static void put_result(assay_view_t *view, assay_json_t *json, const assay_bench_result_t *result) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "file", result->at.file);
    assay_json_count(json, "line", result->at.line);
    assay_json_string(json, "tool", assay_bench_tool_name((assay_bench_tool_t)result->tool));
    assay_json_string(json, "model", result->model);
    assay_json_string(json, "test", result->test);
    put_counts(json, result);
    put(json, "requests_per_s", &result->requests_per_s);
    put(json, "input_tokens_per_s", &result->input_tokens_per_s);
    put(json, "output_tokens_per_s", &result->output_tokens_per_s);
    put(json, "output_tokens_per_s_retokenized", &result->output_tokens_per_s_retokenized);
    put(json, "total_tokens_per_s", &result->total_tokens_per_s);
    put(json, "mean_concurrency", &result->concurrency);
    put(json, "e2e_at_limit_s", &result->e2e_at_limit_s);
    put(json, "tpot_at_limit_s", &result->tpot_at_limit_s);
#define PUT_LATENCY(code, name) put_latency(view, json, result, ASSAY_BENCH_##code, name);
    ASSAY_BENCH_METRIC_LIST(PUT_LATENCY)
#undef PUT_LATENCY
    assay_json_string(json, "definitions", assay_bench_definitions(view, result));
    put_checks(json, result);
    assay_json_begin_array(json, "warnings");
    for (uint32_t i = 0; i < result->n_warning; i++) {
        assay_json_string(json, NULL, assay_bench_warning(view, &result->warning[i]));
    }
    assay_json_end(json);
    assay_json_end(json);
}

void assay_bench_write_json(assay_view_t *view, const assay_bench_view_t *of) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "results");
    for (uint32_t i = 0; i < of->bench->n_result; i++) {
        put_result(view, &json, &of->bench->result[i]);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "collectives");
    for (uint32_t i = 0; i < of->bench->n_collective; i++) {
        const assay_bench_collective_t *row = &of->bench->collective[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "file", row->at.file);
        assay_json_count(&json, "line", row->at.line);
        assay_json_string(&json, "operation", row->operation);
        assay_json_number_if(&json, "ranks", row->ranks > 0, row->ranks);
        assay_json_number(&json, "bytes", row->bytes);
        assay_json_number(&json, "time_s", row->time_s);
        assay_json_number(&json, "algorithm_bytes_per_s", row->algorithm_bytes_per_s);
        assay_json_number(&json, "bus_bytes_per_s", row->bus_bytes_per_s);
        if (row->algorithm) {
            assay_json_number(&json, "predicted_s", row->predicted_s);
            assay_json_number(&json, "predicted_bus_bytes_per_s", row->predicted_bus_bytes_per_s);
            assay_json_string(&json, "algorithm", row->algorithm);
            assay_json_string(&json, "protocol", row->protocol);
        }
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}
