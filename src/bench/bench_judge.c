/* What follows from the printed figures, whether they agree, and what to mind. */
#include <math.h>
#include <string.h>

#include "assay/text.h"
#include "bench/bench_parts.h"

#include "base/banned.h"

#define PRINTED 0.005     /* two decimals of a rate above 1 */
#define HUNDREDTH 0.006   /* and of one below: half a hundredth, and what the duration rounds */
#define SUM_OF_MEANS 0.15 /* means of products are not products of means */
#define SHOWS 0.001
#define SAMPLES_P99 100
#define WAVES 3
#define CHUNKED 0.1 /* of TPOT: median gaps so short that several tokens share a chunk */

static const assay_bench_figure_t *printed(const assay_bench_result_t *result,
                                           assay_bench_figure_id_t id) {
    return &result->figure[id];
}

static bool both(const assay_bench_figure_t *a, const assay_bench_figure_t *b) {
    return a->known && b->known;
}

static void set_ratio(assay_bench_figure_t *out, const assay_bench_figure_t *of,
                      const assay_bench_figure_t *over) {
    if (both(of, over) && over->v > 0) {
        bench_set(out, of->v / over->v);
    }
}

static void check(assay_bench_result_t *result, const char *what,
                  const assay_bench_figure_t *claimed, const assay_bench_figure_t *computed,
                  double share, double plus) {
    if (!both(claimed, computed) || result->n_check == ASSAY_BENCH_CHECKS) {
        return;
    }
    result->check[result->n_check++] = (assay_bench_check_t){
        .what = what,
        .printed = claimed->v,
        .computed = computed->v,
        .agrees = fabs(claimed->v - computed->v) <= share * fabs(computed->v) + plus,
    };
}

static void warn(assay_arena_t *arena, assay_bench_result_t *result, assay_message_t id,
                 const double *arg, uint32_t n_arg) {
    if (result->n_warning == ASSAY_BENCH_WARNINGS) {
        return;
    }
    assay_bench_warning_t *warning = &result->warning[result->n_warning++];
    *warning = (assay_bench_warning_t){.id = id, .n_arg = n_arg};
    for (uint32_t i = 0; i < n_arg; i++) {
        char text[32];
        assay_text_from_double_short(text, arg[i], 3);
        const char *copy = assay_arena_strdup(arena, text);
        warning->arg[i] = copy ? copy : "";
    }
}

/* Counts over the duration, else what is printed. */
static void derive_rates(assay_bench_result_t *result) {
    const assay_bench_figure_t *duration = printed(result, ASSAY_BENCH_DURATION_S);
    const assay_bench_figure_t *in = printed(result, ASSAY_BENCH_INPUT_TOKENS);
    const assay_bench_figure_t *out = printed(result, ASSAY_BENCH_OUTPUT_TOKENS);
    assay_bench_figure_t all = {.v = in->v + out->v, .known = both(in, out)};
    const struct {
        assay_bench_figure_t *rate;
        const assay_bench_figure_t *count, *otherwise;
    } row[] = {
        {&result->requests_per_s, printed(result, ASSAY_BENCH_REQUESTS),
         printed(result, ASSAY_BENCH_REQUESTS_PER_S)},
        {&result->input_tokens_per_s, in, printed(result, ASSAY_BENCH_INPUT_TOKENS_PER_S)},
        {&result->output_tokens_per_s, out, printed(result, ASSAY_BENCH_OUTPUT_TOKENS_PER_S)},
        {&result->output_tokens_per_s_retokenized,
         printed(result, ASSAY_BENCH_OUTPUT_TOKENS_RETOKENIZED), NULL},
        {&result->total_tokens_per_s, &all, printed(result, ASSAY_BENCH_TOTAL_TOKENS_PER_S)},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        set_ratio(row[i].rate, row[i].count, duration);
        if (!row[i].rate->known && row[i].otherwise) {
            *row[i].rate = *row[i].otherwise;
        }
    }
    if (!result->output_tokens_per_s.known && result->tool == ASSAY_BENCH_STREAM) {
        set_ratio(&result->output_tokens_per_s, printed(result, ASSAY_BENCH_OUTPUT_LENGTH),
                  duration);
    }
}

/* Tokens of an answer on average. */
static assay_bench_figure_t output_length(const assay_bench_result_t *result) {
    assay_bench_figure_t length = *printed(result, ASSAY_BENCH_OUTPUT_LENGTH);
    if (!length.known) {
        set_ratio(&length, printed(result, ASSAY_BENCH_OUTPUT_TOKENS),
                  printed(result, ASSAY_BENCH_REQUESTS));
    }
    if (!length.known) {
        set_ratio(&length, &result->output_tokens_per_s, &result->requests_per_s);
    }
    return length;
}

static void derive_concurrency(assay_bench_result_t *result, const assay_bench_figure_t *length) {
    const assay_bench_figure_t *e2e = &result->latency_s[ASSAY_BENCH_E2E][ASSAY_BENCH_MEAN];
    const assay_bench_figure_t *limit = printed(result, ASSAY_BENCH_LIMIT);
    if (both(&result->requests_per_s, e2e)) {
        bench_set(&result->concurrency, result->requests_per_s.v * e2e->v);
    } else {
        result->concurrency = *printed(result, ASSAY_BENCH_CONCURRENCY);
    }
    set_ratio(&result->e2e_at_limit_s, limit, &result->requests_per_s);
    set_ratio(&result->tpot_at_limit_s, &result->e2e_at_limit_s, length);
}

static void check_all(assay_bench_result_t *result, const assay_bench_figure_t *length) {
    const assay_bench_figure_t *duration = printed(result, ASSAY_BENCH_DURATION_S);
    const struct {
        const char *what;
        assay_bench_figure_id_t id;
        const assay_bench_figure_t *computed;
    } row[] = {
        {"requests_per_s", ASSAY_BENCH_REQUESTS_PER_S, &result->requests_per_s},
        {"input_tokens_per_s", ASSAY_BENCH_INPUT_TOKENS_PER_S, &result->input_tokens_per_s},
        {"output_tokens_per_s", ASSAY_BENCH_OUTPUT_TOKENS_PER_S, &result->output_tokens_per_s},
        {"total_tokens_per_s", ASSAY_BENCH_TOTAL_TOKENS_PER_S, &result->total_tokens_per_s},
    };
    for (size_t i = 0; duration->known && i < sizeof row / sizeof row[0]; i++) {
        check(result, row[i].what, printed(result, row[i].id), row[i].computed, PRINTED, HUNDREDTH);
    }
    assay_bench_figure_t sum = {0};
    const assay_bench_figure_t *mean = &result->latency_s[ASSAY_BENCH_E2E][ASSAY_BENCH_MEAN];
    const assay_bench_figure_t *ttft = &result->latency_s[ASSAY_BENCH_TTFT][ASSAY_BENCH_MEAN];
    const assay_bench_figure_t *tpot = &result->latency_s[ASSAY_BENCH_TPOT][ASSAY_BENCH_MEAN];
    if (mean->known) {
        check(result, "concurrency", printed(result, ASSAY_BENCH_CONCURRENCY), &result->concurrency,
              2 * PRINTED, HUNDREDTH);
    }
    if (both(ttft, tpot) && length->known && length->v >= 1) {
        bench_set(&sum, ttft->v + tpot->v * (length->v - 1));
        check(result, "e2e_mean", mean, &sum, SUM_OF_MEANS, 0);
    }
}

static void warn_counts(assay_arena_t *arena, assay_bench_result_t *result) {
    const assay_bench_figure_t *requests = printed(result, ASSAY_BENCH_REQUESTS);
    const assay_bench_figure_t *failed = printed(result, ASSAY_BENCH_FAILED);
    const assay_bench_figure_t *limit = printed(result, ASSAY_BENCH_LIMIT);
    const assay_bench_figure_t *server = printed(result, ASSAY_BENCH_OUTPUT_TOKENS);
    const assay_bench_figure_t *again = printed(result, ASSAY_BENCH_OUTPUT_TOKENS_RETOKENIZED);
    if (failed->known && failed->v > 0) {
        warn(arena, result, ASSAY_MSG_BENCH_FAILED, &failed->v, 1);
    }
    if (both(server, again) && server->v > 0 && fabs(again->v / server->v - 1) > SHOWS) {
        const double percent = 100 * fabs(again->v / server->v - 1);
        warn(arena, result,
             again->v < server->v ? ASSAY_MSG_BENCH_RETOKENIZED_LESS
                                  : ASSAY_MSG_BENCH_RETOKENIZED_MORE,
             &percent, 1);
    }
    bool has_p99 = false;
    for (int m = 0; m < ASSAY_BENCH_METRIC_N; m++) {
        has_p99 = has_p99 || (m != ASSAY_BENCH_ITL && result->latency_s[m][ASSAY_BENCH_P99].known);
    }
    if (requests->known && requests->v < SAMPLES_P99 && has_p99) {
        warn(arena, result, ASSAY_MSG_BENCH_FEW_FOR_P99, &requests->v, 1);
    }
    if (both(requests, limit) && limit->v > 1 && requests->v < WAVES * limit->v) {
        const double waves[] = {requests->v, limit->v};
        warn(arena, result, ASSAY_MSG_BENCH_FEW_WAVES, waves, 2);
    }
    if (both(&result->concurrency, limit) && result->concurrency.v > 1.02 * limit->v + 0.5) {
        const double pair[] = {result->concurrency.v, limit->v};
        warn(arena, result, ASSAY_MSG_BENCH_OVER_LIMIT, pair, 2);
    }
}

static void warn_latencies(assay_arena_t *arena, assay_bench_result_t *result) {
    const assay_bench_figure_t *itl = &result->latency_s[ASSAY_BENCH_ITL][ASSAY_BENCH_P50];
    const assay_bench_figure_t *tpot = &result->latency_s[ASSAY_BENCH_TPOT][ASSAY_BENCH_P50];
    const assay_bench_figure_t *content = printed(result, ASSAY_BENCH_FIRST_CONTENT_S);
    const assay_bench_figure_t *ttft = &result->latency_s[ASSAY_BENCH_TTFT][ASSAY_BENCH_MEAN];
    if (both(itl, tpot) && itl->v < CHUNKED * tpot->v) {
        const double ms[] = {1e3 * itl->v, 1e3 * tpot->v};
        warn(arena, result, ASSAY_MSG_BENCH_CHUNKED, ms, 2);
    }
    if (both(content, ttft) && content->v > ttft->v * (1 + SHOWS)) {
        const double s[] = {ttft->v, content->v};
        warn(arena, result, ASSAY_MSG_BENCH_REASONING, s, 2);
    }
    if (result->tool == ASSAY_BENCH_STREAM && !ttft->known) {
        warn(arena, result, ASSAY_MSG_BENCH_NO_START, NULL, 0);
    }
    for (int m = 0; m < ASSAY_BENCH_METRIC_N; m++) {
        const assay_bench_figure_t *p99 = &result->latency_s[m][ASSAY_BENCH_P99];
        if (p99->bounded && !(p99->low > 0)) {
            const double ms = 1e3 * p99->high;
            warn(arena, result, ASSAY_MSG_BENCH_FIRST_BUCKET, &ms, 1);
        }
    }
}

void bench_judge(assay_arena_t *arena, assay_bench_result_t *result) {
    derive_rates(result);
    const assay_bench_figure_t length = output_length(result);
    derive_concurrency(result, &length);
    check_all(result, &length);
    warn_counts(arena, result);
    warn_latencies(arena, result);
}
