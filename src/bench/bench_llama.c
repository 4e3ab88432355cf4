/* llama-bench: one test a row, one sequence at a time. */
#include <string.h>

#include "assay/text.h"
#include "bench/bench_parts.h"

#include "base/banned.h"

void bench_llama(const bench_t *bench, assay_bench_result_t *result, double prompt, double gen,
                 double tokens_per_s) {
    const char *test = prompt > 0 && gen > 0
                           ? assay_arena_printf(bench->arena, "pp%.0f+tg%.0f", prompt, gen)
                       : gen > 0 ? assay_arena_printf(bench->arena, "tg%.0f", gen)
                                 : assay_arena_printf(bench->arena, "pp%.0f", prompt);
    result->test = test ? test : "";
    bench_set(&result->figure[ASSAY_BENCH_INPUT_LENGTH], prompt);
    bench_set(&result->figure[ASSAY_BENCH_OUTPUT_LENGTH], gen);
    bench_set(&result->figure[ASSAY_BENCH_CONCURRENCY], 1);
    if (!(tokens_per_s > 0)) {
        return;
    }
    if (prompt > 0 && gen > 0) {
        bench_set(&result->figure[ASSAY_BENCH_TOTAL_TOKENS_PER_S], tokens_per_s);
    } else if (gen > 0) {
        bench_set(&result->figure[ASSAY_BENCH_OUTPUT_TOKENS_PER_S], tokens_per_s);
        bench_set(&result->latency_s[ASSAY_BENCH_TPOT][ASSAY_BENCH_MEAN], 1 / tokens_per_s);
    } else {
        bench_set(&result->figure[ASSAY_BENCH_INPUT_TOKENS_PER_S], tokens_per_s);
        bench_set(&result->latency_s[ASSAY_BENCH_TTFT][ASSAY_BENCH_MEAN], prompt / tokens_per_s);
    }
}

static double number(const char *text) {
    double value;
    return assay_text_to_double(text, strlen(text), &value) ? value : 0;
}

assay_status_t bench_read_llama_csv(bench_t *bench) {
    assay_csv_t csv;
    const assay_status_t status =
        assay_csv_parse(bench->arena, bench->file, bench->data, bench->size, &csv, bench->err);
    if (status != ASSAY_OK) {
        return status;
    }
    const int rate = assay_csv_column(&csv, "avg_ts");
    for (uint32_t row = 0; rate >= 0 && row < csv.n_rows; row++) {
        assay_bench_result_t *result = bench_add(bench, ASSAY_BENCH_LLAMA, csv.line[row]);
        if (!result) {
            return ASSAY_LIMIT;
        }
        result->model = assay_csv_cell(&csv, row, assay_csv_column(&csv, "model_type"));
        bench_llama(bench, result,
                    number(assay_csv_cell(&csv, row, assay_csv_column(&csv, "n_prompt"))),
                    number(assay_csv_cell(&csv, row, assay_csv_column(&csv, "n_gen"))),
                    number(assay_csv_cell(&csv, row, rate)));
    }
    return ASSAY_OK;
}

/* "pp512", "tg128", "pp512+tg128", "tg128 @ d4096". */
static void read_test(const char *text, size_t n, double *prompt, double *gen) {
    *prompt = *gen = 0;
    for (size_t i = 0; i + 2 < n; i++) {
        double *out = memcmp(text + i, "pp", 2) == 0   ? prompt
                      : memcmp(text + i, "tg", 2) == 0 ? gen
                                                       : NULL;
        size_t k = i + 2;
        while (out && k < n && text[k] >= '0' && text[k] <= '9') {
            k++;
        }
        double value;
        if (out && assay_text_to_double(text + i + 2, k - i - 2, &value)) {
            *out = value;
        }
    }
}

#define CELLS 24

/* Cells of "| a | b |", without their spaces. */
static uint32_t split_row(const char *line, size_t n, const char *cell[CELLS],
                          size_t length[CELLS]) {
    uint32_t count = 0;
    const char *end = line + n;
    for (const char *bar = memchr(line, '|', n); bar && count < CELLS;) {
        const char *next = memchr(bar + 1, '|', (size_t)(end - bar - 1));
        if (!next) {
            break;
        }
        const char *first = bar + 1, *last = next;
        while (first < last && *first == ' ') {
            first++;
        }
        while (last > first && last[-1] == ' ') {
            last--;
        }
        cell[count] = first;
        length[count++] = (size_t)(last - first);
        bar = next;
    }
    return count;
}

static bool is_cell(const char *cell, size_t n, const char *text) {
    return n == strlen(text) && memcmp(cell, text, n) == 0;
}

assay_status_t bench_read_llama_markdown(bench_t *bench) {
    const char *text = bench->data, *line, *cell[CELLS];
    size_t left = bench->size, n, length[CELLS];
    int model = -1, test = -1, rate = -1;
    for (uint32_t at = 1; bench_line(&text, &left, &line, &n); at++) {
        const uint32_t count = split_row(line, n, cell, length);
        bool is_heading = false;
        for (uint32_t i = 0; i < count; i++) {
            is_heading = is_heading || is_cell(cell[i], length[i], "t/s");
        }
        for (uint32_t i = 0; is_heading && i < count; i++) {
            model = is_cell(cell[i], length[i], "model") ? (int)i : model;
            test = is_cell(cell[i], length[i], "test") ? (int)i : test;
            rate = is_cell(cell[i], length[i], "t/s") ? (int)i : rate;
        }
        if (is_heading || rate < 0 || test < 0 || (int)count <= rate || (int)count <= test) {
            continue;
        }
        const char *space = memchr(cell[rate], ' ', length[rate]);
        const size_t n_rate = space ? (size_t)(space - cell[rate]) : length[rate];
        double value, prompt, gen;
        read_test(cell[test], length[test], &prompt, &gen);
        if (!assay_text_to_double(cell[rate], n_rate, &value) || !(prompt + gen > 0)) {
            continue;
        }
        assay_bench_result_t *result = bench_add(bench, ASSAY_BENCH_LLAMA, at);
        if (!result) {
            return ASSAY_LIMIT;
        }
        const char *name =
            model >= 0 ? assay_arena_strndup(bench->arena, cell[model], length[model]) : "";
        result->model = name ? name : "";
        bench_llama(bench, result, prompt, gen, value);
    }
    return ASSAY_OK;
}
