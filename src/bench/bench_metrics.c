/* Histograms of an engine in Prometheus text: what a mean needs is there, a percentile is only
   known to lie in a bucket. */
#include <math.h>
#include <string.h>

#include "assay/text.h"
#include "bench/bench_parts.h"

#include "base/banned.h"

#define BUCKETS 64

/* One metric, all its label sets together. */
typedef struct {
    double most[BUCKETS], count[BUCKETS]; /* up to most, cumulative */
    uint32_t n;
    double sum, total;
    bool any;
} histogram_t;

/* The value of label le in NAME{...} as a number; +Inf is HUGE_VAL. */
static bool read_le(const char *labels, size_t n, double *out) {
    const char *at = memmem(labels, n, "le=\"", 4);
    if (!at) {
        return false;
    }
    at += 4;
    const char *end = memchr(at, '"', n - (size_t)(at - labels));
    if (!end) {
        return false;
    }
    if ((size_t)(end - at) == 4 && memcmp(at, "+Inf", 4) == 0) {
        *out = HUGE_VAL;
        return true;
    }
    return assay_text_to_double(at, (size_t)(end - at), out) && *out >= 0;
}

static void add_bucket(histogram_t *histogram, double most, double count) {
    uint32_t i = 0;
    while (i < histogram->n && histogram->most[i] < most) {
        i++;
    }
    if (i < histogram->n && !(histogram->most[i] > most)) {
        histogram->count[i] += count;
        return;
    }
    if (histogram->n == BUCKETS) {
        return;
    }
    memmove(&histogram->most[i + 1], &histogram->most[i], (histogram->n - i) * sizeof(double));
    memmove(&histogram->count[i + 1], &histogram->count[i], (histogram->n - i) * sizeof(double));
    histogram->most[i] = most;
    histogram->count[i] = count;
    histogram->n++;
}

/* NAME_bucket{...} VALUE, NAME_sum, NAME_count */
static void take_line(histogram_t *histogram, const char *name, const char *line, size_t n) {
    const size_t n_name = strlen(name);
    if (n <= n_name || memcmp(line, name, n_name) != 0) {
        return;
    }
    const char *rest = line + n_name, *end = line + n;
    const size_t word = strcspn(rest, "{ \t");
    if (word >= (size_t)(end - rest)) {
        return;
    }
    const char *labels = rest + word, *value = labels;
    if (*labels == '{') {
        const char *close = memchr(labels, '}', (size_t)(end - labels));
        if (!close) {
            return;
        }
        value = close + 1;
    }
    while (value < end && (*value == ' ' || *value == '\t')) {
        value++;
    }
    const char *stop = value;
    while (stop < end && *stop != ' ' && *stop != '\t') {
        stop++;
    }
    double number, most;
    if (!assay_text_to_double(value, (size_t)(stop - value), &number) || number < 0) {
        return;
    }
    if (word == 7 && memcmp(rest, "_bucket", 7) == 0 &&
        read_le(labels, (size_t)(value - labels), &most)) {
        add_bucket(histogram, most, number);
    } else if (word == 4 && memcmp(rest, "_sum", 4) == 0) {
        histogram->sum += number;
        histogram->any = true;
    } else if (word == 6 && memcmp(rest, "_count", 6) == 0) {
        histogram->total += number;
        histogram->any = true;
    }
}

/* The bucket that a share of the samples falls into. */
static void bound(const histogram_t *histogram, double share, double scale,
                  assay_bench_figure_t *out) {
    const double rank = share * histogram->total;
    for (uint32_t i = 0; i < histogram->n; i++) {
        if (histogram->count[i] >= rank) {
            *out = (assay_bench_figure_t){.low = i > 0 ? histogram->most[i - 1] * scale : 0,
                                          .high = histogram->most[i] * scale,
                                          .bounded = isfinite(histogram->most[i])};
            return;
        }
    }
}

static void fill(assay_bench_result_t *result, const bench_key_t *key,
                 const histogram_t *histogram) {
    static const struct {
        assay_bench_stat_t stat;
        double share;
    } row[] = {{ASSAY_BENCH_P50, 0.5},
               {ASSAY_BENCH_P90, 0.9},
               {ASSAY_BENCH_P95, 0.95},
               {ASSAY_BENCH_P99, 0.99}};
    assay_bench_figure_t *latency = result->latency_s[key->metric];
    bench_set(&latency[ASSAY_BENCH_MEAN], histogram->sum / histogram->total * key->scale);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        bound(histogram, row[i].share, key->scale, &latency[row[i].stat]);
    }
    if (key->metric == ASSAY_BENCH_E2E) {
        bench_set(&result->figure[ASSAY_BENCH_REQUESTS], histogram->total);
    }
}

assay_status_t bench_read_prometheus(bench_t *bench) {
    assay_bench_result_t *result = NULL;
    for (uint32_t i = 0; i < bench->n_key; i++) {
        const bench_key_t *key = &bench->key[i];
        if (strcmp(key->tool, "prometheus") != 0) {
            continue;
        }
        histogram_t histogram = {0};
        const char *text = bench->data, *line;
        size_t left = bench->size, n;
        while (bench_line(&text, &left, &line, &n)) {
            take_line(&histogram, key->key, line, n);
        }
        if (!histogram.any || !(histogram.total > 0)) {
            continue;
        }
        result = result ? result : bench_add(bench, ASSAY_BENCH_PROMETHEUS, 1);
        if (!result) {
            return ASSAY_LIMIT;
        }
        fill(result, key, &histogram);
    }
    return ASSAY_OK;
}
