/* Chunks of one streamed answer with the time of each, one JSON object a line: {"t": 1.25,
   "delta": {"content": "..."}}, or a chunk of the OpenAI API with a time beside its choices. Times
   are seconds since the request was sent, unless a line gives {"request_start": T}. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "bench/bench_parts.h"

#include "base/banned.h"

#define EPOCH_S 1e8 /* a time since 1970, not since the request */

typedef struct {
    double start, first, first_content, last, before;
    double *gap; /* between chunks with text */
    uint32_t n_gap, n_chunk;
    double tokens; /* as the server counts them; NAN: not said */
    bool done;
} stream_t;

static double time_of(const json_t *object) {
    static const char *const name[] = {"t", "time", "timestamp"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        const json_t *value = json_object_get(object, name[i]);
        if (json_is_number(value)) {
            return json_number_value(value);
        }
    }
    return NAN;
}

static bool has_text(const json_t *delta, const char *key) {
    const char *text = json_string_value(json_object_get(delta, key));
    return text && *text;
}

/* Whether the chunk carries a token of any kind, and one of the answer itself. A first chunk that
   only names the role carries none. */
static bool carries(const json_t *object, bool *out_content) {
    const json_t *choice = json_array_get(json_object_get(object, "choices"), 0);
    const json_t *delta = json_object_get(choice ? choice : object, "delta");
    *out_content = has_text(delta, "content") || has_text(choice, "text");
    return *out_content || has_text(delta, "reasoning") || has_text(delta, "reasoning_content") ||
           json_array_size(json_object_get(delta, "tool_calls")) > 0;
}

static int compare(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Between the two nearest of n sorted values, as numpy does. */
static double quantile(const double *sorted, uint32_t n, double share) {
    const double at = share * (n - 1);
    const uint32_t i = (uint32_t)at;
    return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

static void fill(assay_bench_result_t *result, stream_t *stream) {
    assay_bench_figure_t *itl = result->latency_s[ASSAY_BENCH_ITL];
    const double window = stream->last - stream->first;
    bench_set(&result->figure[ASSAY_BENCH_REQUESTS], 1);
    bench_set(&result->figure[ASSAY_BENCH_CONCURRENCY], 1);
    bench_set(&result->figure[ASSAY_BENCH_DECODE_WINDOW_S], window);
    const double tokens = isfinite(stream->tokens) ? stream->tokens : stream->n_chunk;
    bench_set(&result->figure[ASSAY_BENCH_OUTPUT_LENGTH], tokens);
    if (tokens > 1) {
        bench_set(&result->latency_s[ASSAY_BENCH_TPOT][ASSAY_BENCH_MEAN], window / (tokens - 1));
    }
    if (!(stream->start > 0) && stream->first > EPOCH_S) {
        return; /* nobody says when the request was sent */
    }
    bench_set(&result->latency_s[ASSAY_BENCH_TTFT][ASSAY_BENCH_MEAN],
              stream->first - stream->start);
    bench_set(&result->figure[ASSAY_BENCH_FIRST_CONTENT_S], stream->first_content - stream->start);
    bench_set(&result->latency_s[ASSAY_BENCH_E2E][ASSAY_BENCH_MEAN], stream->last - stream->start);
    bench_set(&result->figure[ASSAY_BENCH_DURATION_S], stream->last - stream->start);
    if (stream->n_gap > 0) {
        double sum = 0;
        qsort(stream->gap, stream->n_gap, sizeof *stream->gap, compare);
        for (uint32_t i = 0; i < stream->n_gap; i++) {
            sum += stream->gap[i];
        }
        bench_set(&itl[ASSAY_BENCH_MEAN], sum / stream->n_gap);
        bench_set(&itl[ASSAY_BENCH_P50], quantile(stream->gap, stream->n_gap, 0.5));
        bench_set(&itl[ASSAY_BENCH_P99], quantile(stream->gap, stream->n_gap, 0.99));
        bench_set(&itl[ASSAY_BENCH_MAX], stream->gap[stream->n_gap - 1]);
    }
}

static void take_chunk(stream_t *stream, const json_t *object) {
    const json_t *start = json_object_get(object, "request_start");
    const json_t *usage = json_object_get(object, "usage");
    const json_t *tokens = json_object_get(usage, "completion_tokens");
    const double at = time_of(object);
    bool content;
    if (json_is_number(start)) {
        stream->start = json_number_value(start);
    }
    if (json_is_number(tokens)) {
        stream->tokens = json_number_value(tokens);
    }
    if (!carries(object, &content) || !isfinite(at)) {
        return;
    }
    if (stream->n_chunk++ == 0) {
        stream->first = at;
    } else {
        stream->gap[stream->n_gap++] = at - stream->before;
    }
    if (content && !isfinite(stream->first_content)) {
        stream->first_content = at;
    }
    stream->before = stream->last = at;
}

static size_t count_lines(const bench_t *bench) {
    size_t n = 1;
    for (const char *at = bench->data, *end = at + bench->size;
         (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        n++;
    }
    return n;
}

assay_status_t bench_read_stream(bench_t *bench) {
    const char *text = bench->data, *line;
    size_t left = bench->size, n;
    stream_t stream = {.tokens = NAN, .first_content = NAN};
    stream.gap = assay_arena_array(bench->arena, count_lines(bench), sizeof *stream.gap);
    if (!stream.gap) {
        return assay_error_memory(bench->err, NULL);
    }
    for (uint32_t at = 1; bench_line(&text, &left, &line, &n); at++) {
        const char *brace = memchr(line, '{', n);
        json_error_t error;
        if (!brace) {
            continue;
        }
        n -= (size_t)(brace - line);
        json_t *object = json_loadb(brace, n, JSON_DECODE_INT_AS_REAL, &error);
        if (!object) {
            const assay_place_t place = {bench->file, at, 0};
            return assay_error_set(bench->err, ASSAY_INPUT, &place, "broken JSON: %s", error.text);
        }
        take_chunk(&stream, object);
        json_decref(object);
    }
    if (stream.n_chunk == 0) {
        return ASSAY_OK;
    }
    assay_bench_result_t *result = bench_add(bench, ASSAY_BENCH_STREAM, 1);
    if (!result) {
        return ASSAY_LIMIT;
    }
    fill(result, &stream);
    return ASSAY_OK;
}
