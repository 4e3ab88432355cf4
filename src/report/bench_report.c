#include <string.h>

#include "report/bench_view.h"

#include "base/banned.h"

const char *assay_bench_warning(assay_view_t *view, const assay_bench_warning_t *warning) {
    return assay_view_sentence(view, warning->id, warning->arg, warning->n_arg);
}

const char *assay_bench_definitions(assay_view_t *view, const assay_bench_result_t *result) {
    static const assay_message_t message[ASSAY_BENCH_TOOL_N] = {
#define DEFINES(code, name) [ASSAY_BENCH_##code] = ASSAY_MSG_BENCH_DEFINES_##code,
        ASSAY_BENCH_TOOL_LIST(DEFINES)
#undef DEFINES
    };
    return assay_view_message(view, message[result->tool]);
}

static const char *cell(assay_view_t *view, const assay_bench_figure_t *figure) {
    return figure->known ? assay_view_quantity(view, figure->v, ASSAY_DIM_TIME)
           : figure->bounded
               ? SAY(view, BENCH_BETWEEN, assay_view_quantity(view, figure->low, ASSAY_DIM_TIME),
                     assay_view_quantity(view, figure->high, ASSAY_DIM_TIME))
               : "";
}

static void write_latencies(assay_view_t *view, const assay_bench_result_t *result) {
    static const char *const metric[ASSAY_BENCH_METRIC_N] = {"TTFT", "TPOT", "ITL", "E2E"};
    static const char *const stat[ASSAY_BENCH_STAT_N] = {
#define STAT_NAME(code, text) [ASSAY_BENCH_##code] = text,
        ASSAY_BENCH_STAT_LIST(STAT_NAME)
#undef STAT_NAME
    };
    assay_table_t *table = assay_view_table(view, 1 + ASSAY_BENCH_STAT_N);
    bool any = false;
    assay_table_column(table, 0, assay_view_message(view, ASSAY_MSG_SIMULATE_COLUMN_WHAT), "",
                       false);
    for (uint32_t s = 0; s < ASSAY_BENCH_STAT_N; s++) {
        assay_table_column(table, 1 + s,
                           s == ASSAY_BENCH_MEAN
                               ? assay_view_message(view, ASSAY_MSG_SIMULATE_COLUMN_MEAN)
                           : s == ASSAY_BENCH_MIN ? assay_view_message(view, ASSAY_MSG_HEAD_MIN)
                           : s == ASSAY_BENCH_MAX ? assay_view_message(view, ASSAY_MSG_HEAD_MAX)
                                                  : stat[s],
                           "", true);
    }
    for (int m = 0; m < ASSAY_BENCH_METRIC_N; m++) {
        const assay_bench_figure_t *row = result->latency_s[m];
        bool known = false;
        for (int s = 0; s < ASSAY_BENCH_STAT_N; s++) {
            known = known || row[s].known || row[s].bounded;
        }
        if (known) {
            assay_table_row(table);
            assay_table_cell(table, 0, metric[m]);
            for (uint32_t s = 0; s < ASSAY_BENCH_STAT_N; s++) {
                assay_table_cell(table, 1 + s, cell(view, &row[s]));
            }
        }
        any = any || known;
    }
    if (any) {
        assay_text_table(view, table, 0);
    }
}

/* "4 requests/s, 1000 tokens/s out, ...": those that are known. */
static const char *rates_text(assay_view_t *view, const assay_bench_result_t *result) {
    const struct {
        assay_message_t message;
        const assay_bench_figure_t *figure;
    } row[] = {
        {ASSAY_MSG_BENCH_RATE_REQUESTS, &result->requests_per_s},
        {ASSAY_MSG_BENCH_RATE_IN, &result->input_tokens_per_s},
        {ASSAY_MSG_BENCH_RATE_OUT, &result->output_tokens_per_s},
        {ASSAY_MSG_BENCH_RATE_TOTAL, &result->total_tokens_per_s},
        {ASSAY_MSG_BENCH_IN_FLIGHT, &result->concurrency},
    };
    const char *text = "";
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (row[i].figure->known) {
            const char *value = assay_view_number(view, row[i].figure->v);
            const char *part = assay_view_sentence(view, row[i].message, &value, 1);
            text = *text ? assay_view_format(view, "%s, %s", text, part) : part;
        }
    }
    return text;
}

static void write_result(assay_view_t *view, const assay_bench_result_t *result) {
    const char *what = assay_view_format(
        view, "%s:%u: %s%s%s%s%s", result->at.file, result->at.line,
        assay_bench_tool_name((assay_bench_tool_t)result->tool), *result->model ? ", " : "",
        result->model, *result->test ? ", " : "", result->test);
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", what);
    const char *rates = rates_text(view, result);
    if (*rates) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", rates);
    }
    if (result->e2e_at_limit_s.known &&
        !result->latency_s[ASSAY_BENCH_E2E][ASSAY_BENCH_MEAN].known) {
        assay_text_wrap(
            view, ASSAY_STYLE_PLAIN, "  ",
            SAY(view, BENCH_AT_LIMIT,
                assay_view_quantity(view, result->e2e_at_limit_s.v, ASSAY_DIM_TIME),
                result->tpot_at_limit_s.known
                    ? assay_view_quantity(view, result->tpot_at_limit_s.v, ASSAY_DIM_TIME)
                    : assay_view_message(view, ASSAY_MSG_REPORT_UNKNOWN)));
    }
    write_latencies(view, result);
    for (uint32_t i = 0; i < result->n_check; i++) {
        const assay_bench_check_t *check = &result->check[i];
        if (!check->agrees) {
            assay_text_wrap(view, ASSAY_STYLE_WARN, "  ",
                            SAY(view, BENCH_DISAGREES, check->what,
                                assay_view_number(view, check->printed),
                                assay_view_number(view, check->computed)));
        }
    }
    for (uint32_t i = 0; i < result->n_warning; i++) {
        assay_text_wrap(view, ASSAY_STYLE_WARN, "  ",
                        assay_bench_warning(view, &result->warning[i]));
    }
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", assay_bench_definitions(view, result));
}

/* In the words of nccl-tests. */
static void write_collectives(assay_view_t *view, const assay_bench_t *bench) {
    static const assay_message_t name[] = {
        ASSAY_MSG_HEAD_OPERATION, ASSAY_MSG_HEAD_RANKS,     ASSAY_MSG_HEAD_SIZE,
        ASSAY_MSG_HEAD_TIME,      ASSAY_MSG_HEAD_ALGBW,     ASSAY_MSG_HEAD_BUSBW,
        ASSAY_MSG_HEAD_ALGO,      ASSAY_MSG_HEAD_PREDICTED, ASSAY_MSG_HEAD_PREDICTED_BUSBW};
    enum { N = sizeof name / sizeof name[0], MEASURED = 6 };
    bool predicted = false;
    for (uint32_t i = 0; i < bench->n_collective; i++) {
        predicted |= bench->collective[i].algorithm != NULL;
    }
    const uint32_t n = predicted ? N : MEASURED;
    assay_table_t *table = assay_view_table(view, n);
    for (uint32_t c = 0; c < n; c++) {
        assay_table_column(table, c, assay_view_message(view, name[c]), "", c > 0 && c != MEASURED);
    }
    for (uint32_t i = 0; i < bench->n_collective; i++) {
        const assay_bench_collective_t *row = &bench->collective[i];
        const char *cells[N] = {
            row->operation,
            row->ranks > 0 ? assay_view_count(view, row->ranks) : "",
            assay_view_quantity(view, row->bytes, ASSAY_DIM_MEMORY),
            assay_view_quantity(view, row->time_s, ASSAY_DIM_TIME),
            assay_view_quantity(view, row->algorithm_bytes_per_s, ASSAY_DIM_BYTES_PER_S),
            assay_view_quantity(view, row->bus_bytes_per_s, ASSAY_DIM_BYTES_PER_S),
            "",
            "",
            ""};
        if (row->algorithm) {
            const char *way =
                assay_arena_printf(view->arena, "%s %s", row->algorithm, row->protocol);
            view->failed |= !way;
            cells[6] = way ? way : "";
            cells[7] = assay_view_quantity(view, row->predicted_s, ASSAY_DIM_TIME);
            cells[8] =
                assay_view_quantity(view, row->predicted_bus_bytes_per_s, ASSAY_DIM_BYTES_PER_S);
        }
        assay_table_row(table);
        for (uint32_t c = 0; c < n; c++) {
            assay_table_cell(table, c, cells[c]);
        }
    }
    assay_text_table(view, table, 0);
}

void assay_bench_write_text(assay_view_t *view, const assay_bench_view_t *of) {
    for (uint32_t i = 0; i < of->bench->n_result; i++) {
        if (i > 0) {
            assay_text_line(view);
        }
        write_result(view, &of->bench->result[i]);
    }
    if (of->bench->n_collective > 0) {
        if (of->bench->n_result > 0) {
            assay_text_line(view);
        }
        write_collectives(view, of->bench);
    }
}

/* ---- rows of measurements ---- */

static const char *const columns[] = {"id",
                                      "source",
                                      "source_ref",
                                      "year",
                                      "accelerator",
                                      "accel_variant",
                                      "count",
                                      "model",
                                      "n_params_b",
                                      "weight_dtype",
                                      "kv_dtype",
                                      "engine",
                                      "engine_version",
                                      "tp",
                                      "pp",
                                      "dp",
                                      "ep",
                                      "scenario",
                                      "input_len",
                                      "output_len",
                                      "batch_or_concurrency",
                                      "request_rate",
                                      "metric_name",
                                      "metric_value",
                                      "per_gpu_value",
                                      "notes"};
enum {
    ID = 0,
    SOURCE = 1,
    SOURCE_REF = 2,
    ACCELERATOR = 4,
    MODEL = 7,
    ENGINE = 11,
    SCENARIO = 17,
    INPUT = 18,
    OUTPUT = 19,
    CONCURRENCY = 20,
    RATE = 21,
    METRIC = 22,
    VALUE = 23,
    COLUMN_N = sizeof columns / sizeof columns[0]
};

static const char *plain(assay_view_t *view, double value) {
    char text[32];
    assay_text_from_double(text, value);
    return assay_view_format(view, "%s", text);
}

/* A count a request: as printed, else all of them over the requests. */
static const char *length(assay_view_t *view, const assay_bench_result_t *result,
                          assay_bench_figure_id_t mean, assay_bench_figure_id_t all) {
    const assay_bench_figure_t *one = &result->figure[mean], *sum = &result->figure[all];
    const assay_bench_figure_t *requests = &result->figure[ASSAY_BENCH_REQUESTS];
    return one->known ? plain(view, one->v)
           : sum->known && requests->known && requests->v > 0
               ? assay_view_format(view, "%.0f", sum->v / requests->v)
               : "";
}

/* As data/measured has it; "": it is not known how the requests came. */
static const char *scenario(const assay_bench_result_t *result) {
    return result->tool == ASSAY_BENCH_LLAMA || result->tool == ASSAY_BENCH_STREAM ? "batch1"
           : result->figure[ASSAY_BENCH_OFFERED_PER_S].known                       ? "server"
           : result->figure[ASSAY_BENCH_LIMIT].known ? "fixed-concurrency"
                                                     : "";
}

static void add_row(assay_view_t *view, assay_table_t *table, const assay_bench_view_t *of,
                    uint32_t i, const char *metric, const assay_bench_figure_t *value,
                    double scale) {
    const assay_bench_result_t *result = &of->bench->result[i];
    const assay_bench_figure_t *limit = &result->figure[ASSAY_BENCH_LIMIT];
    const assay_bench_figure_t *offered = &result->figure[ASSAY_BENCH_OFFERED_PER_S];
    if (!value->known) {
        return;
    }
    assay_table_row(table);
    assay_table_cell(table, ID, assay_view_format(view, "OWN-%04u-%s", i + 1, metric));
    assay_table_cell(table, SOURCE, assay_bench_tool_name((assay_bench_tool_t)result->tool));
    assay_table_cell(table, SOURCE_REF,
                     assay_view_format(view, "%s:%u", result->at.file, result->at.line));
    assay_table_cell(table, ACCELERATOR, assay_view_or_empty(of->run->accelerator));
    assay_table_cell(table, MODEL, result->model);
    assay_table_cell(table, ENGINE,
                     of->run->engine                     ? of->run->engine
                     : result->tool == ASSAY_BENCH_LLAMA ? "llama.cpp"
                                                         : "");
    assay_table_cell(table, SCENARIO, scenario(result));
    assay_table_cell(table, INPUT,
                     length(view, result, ASSAY_BENCH_INPUT_LENGTH, ASSAY_BENCH_INPUT_TOKENS));
    assay_table_cell(table, OUTPUT,
                     length(view, result, ASSAY_BENCH_OUTPUT_LENGTH, ASSAY_BENCH_OUTPUT_TOKENS));
    assay_table_cell(table, CONCURRENCY,
                     limit->known                ? plain(view, limit->v)
                     : result->concurrency.known ? plain(view, result->concurrency.v)
                                                 : "");
    assay_table_cell(table, RATE, offered->known ? plain(view, offered->v) : "");
    assay_table_cell(table, METRIC, metric);
    assay_table_cell(table, VALUE, plain(view, value->v * scale));
}

void assay_bench_write_csv(assay_view_t *view, const assay_bench_view_t *of) {
    assay_table_t *table = assay_view_table(view, COLUMN_N);
    for (uint32_t c = 0; c < COLUMN_N; c++) {
        assay_table_column(table, c, columns[c], "", false);
    }
    for (uint32_t i = 0; i < of->bench->n_result; i++) {
        const assay_bench_result_t *result = &of->bench->result[i];
        add_row(view, table, of, i, "output_tok_s_total", &result->output_tokens_per_s, 1);
        add_row(view, table, of, i, "req_s", &result->requests_per_s, 1);
        add_row(view, table, of, i, "ttft_ms_mean",
                &result->latency_s[ASSAY_BENCH_TTFT][ASSAY_BENCH_MEAN], 1e3);
        add_row(view, table, of, i, "itl_ms_mean",
                &result->latency_s[ASSAY_BENCH_TPOT][ASSAY_BENCH_MEAN], 1e3);
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}
