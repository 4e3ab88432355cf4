/**
 * What load generators print about a serving endpoint, normalised: the same words mean different
 * numbers in different tools, and printed figures do not always agree among themselves.
 *
 * Read by content: vLLM bench serve and SGLang bench_serving (text blocks, JSON, one object a
 * line), AIPerf and GenAI-Perf JSON, GuideLLM JSON, llama-bench (JSON, a line each, CSV, Markdown),
 * streams of chunks with times (one JSON object a line), Prometheus text of an engine.
 *
 * Keys are rows of data/bench_keys.csv and data/bench_latencies.csv. Test:
 * tests/unit/test_bench_result.c. Thread-safe: yes.
 */
#ifndef ASSAY_BENCH_RESULT_H
#define ASSAY_BENCH_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_BENCH_TOOL_LIST(X) \
    X(VLLM, "vllm")              \
    X(SGLANG, "sglang")          \
    X(AIPERF, "aiperf")          \
    X(GUIDELLM, "guidellm")      \
    X(LLAMA, "llama-bench")      \
    X(STREAM, "stream")          \
    X(PROMETHEUS, "prometheus")
typedef enum {
#define ASSAY_BENCH_TOOL_ENUM(code, name) ASSAY_BENCH_##code,
    ASSAY_BENCH_TOOL_LIST(ASSAY_BENCH_TOOL_ENUM)
#undef ASSAY_BENCH_TOOL_ENUM
        ASSAY_BENCH_TOOL_N
} assay_bench_tool_t;
const char *assay_bench_tool_name(assay_bench_tool_t tool);

/* As the tool prints them. X(code, name) */
#define ASSAY_BENCH_FIGURE_LIST(X)                            \
    X(REQUESTS, "requests")                                   \
    X(FAILED, "failed")                                       \
    X(DURATION_S, "duration_s")                               \
    X(INPUT_TOKENS, "input_tokens")                           \
    X(OUTPUT_TOKENS, "output_tokens")                         \
    X(OUTPUT_TOKENS_RETOKENIZED, "output_tokens_retokenized") \
    X(INPUT_LENGTH, "input_length")                           \
    X(OUTPUT_LENGTH, "output_length")                         \
    X(LIMIT, "limit")                                         \
    X(OFFERED_PER_S, "offered_per_s")                         \
    X(REQUESTS_PER_S, "requests_per_s")                       \
    X(INPUT_TOKENS_PER_S, "input_tokens_per_s")               \
    X(OUTPUT_TOKENS_PER_S, "output_tokens_per_s")             \
    X(TOTAL_TOKENS_PER_S, "total_tokens_per_s")               \
    X(CONCURRENCY, "concurrency")                             \
    X(ACCEPT_LENGTH, "accept_length")                         \
    X(FIRST_CONTENT_S, "first_content_s")                     \
    X(DECODE_WINDOW_S, "decode_window_s")
typedef enum {
#define ASSAY_BENCH_FIGURE_ENUM(code, name) ASSAY_BENCH_##code,
    ASSAY_BENCH_FIGURE_LIST(ASSAY_BENCH_FIGURE_ENUM)
#undef ASSAY_BENCH_FIGURE_ENUM
        ASSAY_BENCH_FIGURE_N
} assay_bench_figure_id_t;

#define ASSAY_BENCH_METRIC_LIST(X) \
    X(TTFT, "ttft")                \
    X(TPOT, "tpot")                \
    X(ITL, "itl")                  \
    X(E2E, "e2e")
typedef enum {
#define ASSAY_BENCH_METRIC_ENUM(code, name) ASSAY_BENCH_##code,
    ASSAY_BENCH_METRIC_LIST(ASSAY_BENCH_METRIC_ENUM)
#undef ASSAY_BENCH_METRIC_ENUM
        ASSAY_BENCH_METRIC_N
} assay_bench_metric_t;

#define ASSAY_BENCH_STAT_LIST(X) \
    X(MEAN, "mean")              \
    X(MIN, "min")                \
    X(P50, "p50")                \
    X(P90, "p90")                \
    X(P95, "p95")                \
    X(P99, "p99")                \
    X(MAX, "max")
typedef enum {
#define ASSAY_BENCH_STAT_ENUM(code, name) ASSAY_BENCH_##code,
    ASSAY_BENCH_STAT_LIST(ASSAY_BENCH_STAT_ENUM)
#undef ASSAY_BENCH_STAT_ENUM
        ASSAY_BENCH_STAT_N
} assay_bench_stat_t;

/** Known; or not known but within low and high (a bucket of a histogram); or neither. */
typedef struct {
    double v, low, high;
    bool known, bounded;
} assay_bench_figure_t;

/** A printed figure beside what the other printed figures give. */
typedef struct {
    const char *what; /* name of the figure */
    double printed, computed;
    bool agrees;
} assay_bench_check_t;

#define ASSAY_BENCH_CHECKS 8
#define ASSAY_BENCH_WARNINGS 10

typedef struct {
    assay_message_t id;
    const char *arg[3];
    uint32_t n_arg;
} assay_bench_warning_t;

typedef struct {
    uint8_t tool;
    const char *model, *test; /* "" = not said; test: of llama-bench, "tg128" */
    assay_place_t at;
    assay_bench_figure_t figure[ASSAY_BENCH_FIGURE_N];
    assay_bench_figure_t latency_s[ASSAY_BENCH_METRIC_N][ASSAY_BENCH_STAT_N];
    /* What follows from them, by counts over the duration where both are there. */
    assay_bench_figure_t requests_per_s, input_tokens_per_s, output_tokens_per_s,
        output_tokens_per_s_retokenized, total_tokens_per_s;
    assay_bench_figure_t concurrency; /* Little's law: requests a second times mean E2E */
    /* With a limit on the concurrency: mean E2E and time per output token if it was always full. */
    assay_bench_figure_t e2e_at_limit_s, tpot_at_limit_s;
    assay_bench_check_t check[ASSAY_BENCH_CHECKS];
    uint32_t n_check;
    assay_bench_warning_t warning[ASSAY_BENCH_WARNINGS];
    uint32_t n_warning;
} assay_bench_result_t;

/** A row of nccl-tests or rccl-tests; the reader is assay/host.h's. */
typedef struct {
    const char *operation; /* all_reduce */
    uint32_t ranks;        /* 0: not known */
    double bytes, time_s, algorithm_bytes_per_s, bus_bytes_per_s;
    /* The prediction, as NCCL_DEBUG=INFO names them; algorithm NULL: none. */
    double predicted_s, predicted_bus_bytes_per_s;
    const char *algorithm, *protocol;
    assay_place_t at;
} assay_bench_collective_t;

typedef struct {
    assay_bench_result_t *result;
    uint32_t n_result;
    const assay_bench_collective_t *collective; /* assay_bench_read leaves it empty */
    uint32_t n_collective;
} assay_bench_t;

/** Whether data is of nccl-tests or rccl-tests, which assay_bench_read refuses. */
bool assay_bench_is_collective(const char *data, size_t size);

#define ASSAY_BENCH_BYTES ((size_t)256 << 20) /* of a file */
#define ASSAY_BENCH_RESULTS 10000

/**
 * data: any bytes, NUL behind them. file names them in messages. dir: folders with a user's tables.
 * Errors: ASSAY_INPUT (no result of a known tool, broken JSON), ASSAY_LIMIT.
 */
assay_status_t assay_bench_read(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                const char *file, const char *data, size_t size, assay_bench_t *out,
                                assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
