/**
 * How requests come, and traces of requests that others published or that a service logged: when
 * each came, how long its prompt and its answer were, and where given which text its prompt begins
 * with.
 *
 * Formats, known by their columns:
 *   Azure LLM inference 2023, 2024   TIMESTAMP, ContextTokens, GeneratedTokens (dates)
 *   BurstGPT                         Timestamp (s), Request tokens, Response tokens
 *   Mooncake                         JSON lines: timestamp (ms), input_length, output_length,
 *                                    hash_ids, each of 512 tokens
 *   Vidur                            num_prefill_tokens, num_decode_tokens; arrived_at (s) may be
 *   assay                            arrival_s, input_tokens, output_tokens; arrival_s may be
 * absent
 *
 * Source: README and first lines of Azure/AzurePublicDataset, HPMLL/BurstGPT, kvcache-ai/Mooncake
 * FAST25-release, microsoft/vidur. Test: tests/unit/test_request_trace.c. Thread-safe: yes.
 */
#ifndef ASSAY_REQUEST_TRACE_H
#define ASSAY_REQUEST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ASSAY_ARRIVAL_POISSON, ASSAY_ARRIVAL_GAMMA, ASSAY_ARRIVAL_CONSTANT } assay_arrival_t;

typedef enum {
    ASSAY_ROUTER_ROUND_ROBIN,
    ASSAY_ROUTER_RANDOM,
    ASSAY_ROUTER_LEAST_REQUESTS, /* the fewest that wait or run */
    ASSAY_ROUTER_LEAST_KV,       /* the smallest share of blocks in use, then the fewest requests */
    ASSAY_ROUTER_PREFIX          /* the most of the prompt in its cache, unless loads differ much */
} assay_router_t;
#define ASSAY_ROUTER_N 5

#define ASSAY_REQUEST_TRACE_MAX_BYTES ((size_t)1 << 30)
#define ASSAY_REQUEST_TRACE_MAX_TOKENS (1u << 23) /* of a prompt, of an answer */

typedef struct {
    int64_t arrival_ns; /* since the first */
    uint32_t input_tokens, output_tokens;
    uint32_t first_hash, n_hash; /* in hash */
} assay_request_t;

typedef struct {
    const char *file, *format; /* "Azure", "BurstGPT", "Mooncake", "Vidur", "assay" */
    assay_request_t *request;  /* by arrival */
    uint64_t n, failed;        /* failed: rows without an answer, left out */
    uint32_t *hash;            /* equal leading ones: equal texts */
    uint32_t n_hash, hash_tokens;
    bool timed;    /* it says when requests came */
    double span_s; /* from the first to the last */
    double input_mean, output_mean;
} assay_request_trace_t;

/**
 * Errors (ASSAY_INPUT with file:line:column and a next step): no known columns, a number or date
 * that is none or out of range, a row earlier than
 * the one above, no request; ASSAY_MEMORY.
 */
assay_status_t assay_request_trace_parse(assay_arena_t *arena, const char *file, const char *data,
                                         size_t size, assay_request_trace_t *out,
                                         assay_error_t *err);
/** Reads the file. Besides: what assay_file_read refuses. */
assay_status_t assay_request_trace_read(assay_arena_t *arena, const char *path,
                                        assay_request_trace_t *out, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
