/* The blocks that vLLM and SGLang print: "Mean TTFT (ms):      7279.56". */
#include <string.h>

#include "assay/text.h"
#include "bench/bench_parts.h"

#include "base/banned.h"

static bool is_text(const char *text, size_t n, const char *is) {
    char copy[64];
    if (n >= sizeof copy) {
        return false;
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    return assay_text_equal_fold(copy, is);
}

/* "Mean TTFT (ms)", "P99 E2E Latency (ms)": the statistic and the metric. */
static bool read_latency(const bench_t *bench, assay_bench_result_t *result, const char *label,
                         size_t n, double value) {
    static const char unit[] = " (ms)";
    const char *space = memchr(label, ' ', n);
    const size_t n_unit = sizeof unit - 1;
    if (!space || n <= n_unit || memcmp(label + n - n_unit, unit, n_unit) != 0) {
        return false;
    }
    const int stat = bench_stat(label, (size_t)(space - label));
    const char *metric = space + 1;
    const size_t before = (size_t)(metric - label);
    for (uint32_t i = 0; stat >= 0 && i < bench->n_key; i++) {
        const bench_key_t *key = &bench->key[i];
        if (key->metric >= 0 && strcmp(key->tool, "text") == 0 && before < n - n_unit &&
            is_text(metric, n - n_unit - before, key->key)) {
            bench_set(&result->latency_s[key->metric][stat], value * key->scale);
            return true;
        }
    }
    return false;
}

static bool read_figure(const bench_t *bench, assay_bench_result_t *result, const char *label,
                        size_t n, double value) {
    for (uint32_t i = 0; i < bench->n_key; i++) {
        const bench_key_t *key = &bench->key[i];
        if (key->figure >= 0 && strcmp(key->tool, "text") == 0 && is_text(label, n, key->key)) {
            bench_set(&result->figure[key->figure], value * key->scale);
            return true;
        }
    }
    return false;
}

/* "LABEL:   VALUE": a value that is no number ("inf", "not set") is not known. */
static bool split(const char *line, size_t n, const char **out_label, size_t *out_n,
                  double *out_value) {
    while (n > 0 && strchr(" \t#|", *line)) { /* pasted into a comment or a table */
        line++;
        n--;
    }
    const char *colon = memchr(line, ':', n);
    if (!colon) {
        return false;
    }
    const char *value = colon + 1, *end = line + n;
    while (value < end && (*value == ' ' || *value == '\t')) {
        value++;
    }
    const char *stop = value;
    while (stop < end && *stop != ' ' && *stop != '\t') {
        stop++;
    }
    *out_label = line;
    *out_n = (size_t)(colon - line);
    return assay_text_to_double(value, (size_t)(stop - value), out_value);
}

static bool starts_block(const char *line, size_t n) {
    static const char title[] = "Serving Benchmark Result ===";
    return memmem(line, n, title, sizeof title - 1) != NULL;
}

assay_status_t bench_read_text(bench_t *bench) {
    const char *text = bench->data, *line;
    size_t left = bench->size, n;
    assay_bench_result_t *result = NULL;
    for (uint32_t at = 1; bench_line(&text, &left, &line, &n); at++) {
        const char *label;
        size_t n_label;
        double value;
        const bool fresh = starts_block(line, n);
        const bool pair = !fresh && split(line, n, &label, &n_label, &value);
        if (fresh || (pair && !result && is_text(label, n_label, "Successful requests"))) {
            result = bench_add(bench, ASSAY_BENCH_VLLM, at);
            if (!result) {
                return ASSAY_LIMIT;
            }
        }
        if (!result || fresh) {
            continue;
        }
        if (memmem(line, n, "Backend:", 8) || memmem(line, n, "retokenized", 11) ||
            memmem(line, n, "E2E Latency", 11)) {
            result->tool = ASSAY_BENCH_SGLANG;
        }
        if (pair && !read_latency(bench, result, label, n_label, value)) {
            (void)read_figure(bench, result, label, n_label, value);
        }
    }
    return ASSAY_OK;
}
