/**
 * Discrete-event simulation of a fleet of serving replicas on the step model of assay/serve_step.h:
 * requests arrive, a router gives each to a replica, every replica batches continuously as vLLM's
 * V1 scheduler does: a token budget shared by decoding and chunked prefill, first come first
 * served, paged KV blocks, preemption of the youngest by recomputation; on demand blocks found
 * again by the hash of their prefix, drafted tokens, prefill on replicas of its own, static
 * batches, clients that give up, a replica that is lost.
 *
 * Time is an integer: ticks of 1/1024 ns. As the time of a decode step is affine in the contexts,
 * all steps between two changes of the batch are taken at once, with the same integer result as one
 * by one. The same seed gives the same bytes on any compiler, optimisation and number of threads.
 *
 * What is 0 in the options does not happen.
 *
 * Source of the policy: vllm-project/vllm v1/core/sched/scheduler.py and v1/core/block_pool.py.
 * Test: tests/unit/test_simulate.c holds it against a simulator that takes every step. Thread-safe:
 * yes.
 */
#ifndef ASSAY_SIMULATE_H
#define ASSAY_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/dist.h"
#include "assay/error.h"
#include "assay/hooks.h"
#include "assay/request_trace.h"
#include "assay/serve_step.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_TICKS_PER_NS 1024
#define ASSAY_TICKS_PER_S (1024 * (int64_t)1000000000)

/* ---- cost of a step in ticks ---- */

#define ASSAY_SIM_MAX_SEQUENCES 65536u
#define ASSAY_SIM_MAX_DRAFT 32u

typedef struct {
    const assay_serve_step_t *step;
    assay_serve_draft_t draft; /* a whole number of tokens */
    uint32_t draft_tokens;
    uint32_t max_sequences;
    int64_t *decode; /* (max_sequences + 1) of n decoding sequences without their contexts */
    int64_t *full;   /* (max_sequences + 1) per token of context, layers that attend to all of it */
    int64_t *window_ticks; /* (n_window, max_sequences + 1) the same, of layers with a window */
    double *stream_s;      /* (max_sequences + 1) of decode: in which memory is read */
    double window[ASSAY_LAYER_KIND_MAX];
    uint32_t n_window;
    double token_compute_s; /* of matrix units at their rate, of a decoding sequence */
} assay_sim_cost_t;

/** Errors: ASSAY_LIMIT (max_sequences, arena). */
assay_status_t assay_sim_cost_init(assay_arena_t *arena, const assay_serve_step_t *step,
                                   uint32_t max_sequences, assay_sim_cost_t *out,
                                   assay_error_t *err);
/**
 * The same with a draft: every sequence that decodes brings draft->tokens + 1 tokens to the step,
 * and the draft has made as many steps. Errors: ASSAY_LIMIT.
 */
assay_status_t assay_sim_cost_speculate(assay_arena_t *arena, const assay_serve_step_t *step,
                                        uint32_t max_sequences, const assay_serve_draft_t *draft,
                                        assay_sim_cost_t *out, assay_error_t *err);
/** Ticks of one step; decode and decode_context are whole numbers. */
int64_t assay_sim_step_ticks(const assay_sim_cost_t *cost, const assay_serve_batch_t *batch);
/* ---- what is simulated ---- */

typedef struct {
    uint32_t max_sequences, token_budget; /* of one step */
    uint32_t block_tokens;
    uint64_t kv_blocks; /* of one replica */
} assay_sim_policy_t;

typedef struct {
    int64_t arrival_ticks;
    uint32_t input_tokens, output_tokens;
    uint32_t first_hash, n_hash; /* of its prompt, in load.hash; of a trace only */
} assay_sim_request_t;

typedef struct {
    uint64_t requests, seed;
    assay_arrival_t arrival;
    double rate_per_s, cv; /* cv: of gaps; gamma only */
    /* A closed loop, when > 0: so many clients on each replica, each of which sends the next
       request when the last is answered; they begin one after another over spread_s. */
    uint32_t clients;
    double spread_s;
    assay_dist_t input, output;       /* tokens; rounded, at least 1 */
    uint32_t max_tokens;              /* longest input + output; longer draws are cut */
    const assay_sim_request_t *trace; /* (requests), by arrival; NULL: drawn */
    /* Of prompts: hash[i] stands for hash_tokens tokens and all before them, so that prompts with
       equal leading ones share that much (as Mooncake's hash_ids). */
    const uint32_t *hash;
    uint32_t hash_tokens;
    /* Of drawn prompts: the leading share is one of so many texts that all requests have. */
    double prefix_share;
    uint32_t prefixes; /* 0 is 1 */
} assay_sim_load_t;

typedef struct {
    double ttft_s, tpot_s, e2e_s; /* of each request; 0: no limit */
} assay_sim_slo_t;

/* Prompts are worked on by replicas of their own, which send keys and values to those that decode
   (options.replicas of them) over one link each, one prompt after another. A client sees its first
   token when they have arrived. Needs an open load. */
typedef struct {
    uint32_t replicas; /* 0: every replica does both */
    const assay_sim_cost_t *cost;
    assay_sim_policy_t policy;
    double kv_bytes_per_token, link_bytes_per_s, latency_s;
    double overlap; /* share that is sent while later layers still compute */
} assay_sim_prefill_t;

/* A replica stops at a moment: the step under way is lost, its requests go to others, which compute
   prompt and answer so far again. Needs an open load and no prefill apart. */
typedef struct {
    double at_s; /* > 0: it happens */
    uint32_t replica;
    double back_s; /* when it serves again, with an empty cache; 0: never */
} assay_sim_loss_t;

/* Steps that were taken at once. */
typedef struct {
    uint32_t replica; /* those of prefill come after those that decode */
    int64_t start_ticks, ticks;
    uint64_t steps;
    uint32_t decode, prefill_tokens;
    uint64_t waiting, blocks; /* requests; in use */
} assay_sim_event_t;

typedef struct {
    uint64_t id;
    uint32_t replica;
    int64_t arrival_ticks, scheduled_ticks, first_token_ticks, last_token_ticks;
    uint32_t input_tokens, output_tokens;
} assay_sim_done_t;

typedef struct {
    assay_sim_policy_t policy;
    assay_sim_load_t load;
    assay_sim_slo_t slo;
    assay_router_t router;
    uint32_t replicas;
    bool prefix_caching;
    bool
        static_batches; /* a batch is made when the last is done; whoever ends waits for the rest */
    double timeout_s;   /* a client without its whole answer by then gives up; 0: none does */
    assay_sim_prefill_t prefill;
    assay_sim_loss_t loss;
    const assay_hooks_t *hooks;
    /* Told of every request that ends, and of all steps, in no particular order between replicas;
       may be NULL. */
    void (*finished)(void *ctx, const assay_sim_done_t *request);
    void (*stepped)(void *ctx, const assay_sim_event_t *event);
    void *ctx;
} assay_sim_options_t;

/* ---- what comes out ---- */

/* Counts by value, each bucket 1/128 wide: percentiles are right to 0.4 %. */
#define ASSAY_SIM_BUCKETS 8192u
typedef struct {
    uint64_t count[ASSAY_SIM_BUCKETS], n;
    double sum_s;
} assay_sim_histogram_t;
double assay_sim_quantile_s(const assay_sim_histogram_t *histogram, double share);
double assay_sim_mean_s(const assay_sim_histogram_t *histogram);

/* TTFT of successive parts of the load: how much requests of a queue depend on each other. */
#define ASSAY_SIM_PARTS 32
typedef struct {
    double sum_s[ASSAY_SIM_PARTS], square_s2[ASSAY_SIM_PARTS];
    uint64_t n[ASSAY_SIM_PARTS];
} assay_sim_parts_t;

typedef struct {
    /* of requests that were answered; queue: until first scheduled */
    assay_sim_histogram_t ttft, tpot, itl, e2e, queue;
    uint64_t requests, output_tokens, input_tokens; /* answered */
    uint64_t good;                                  /* requests within the limits */
    uint64_t over_ttft, over_tpot, over_e2e;        /* not within one of them */
    uint64_t preemptions, steps, refused;           /* refused: longer than the cache */
    uint64_t abandoned, lost;                       /* their clients gave up; no replica was left */
    uint64_t moved;                                 /* were on the lost replica */
    /* every token: what steps computed of prompts and again after preemption or loss, what was
       found in the cache, what steps gave, and of that what nobody waited for */
    uint64_t prefilled_tokens, cached_tokens, generated_tokens, wasted_tokens;
    uint64_t drafted_tokens, accepted_tokens;
    uint64_t evicted_blocks, peak_blocks; /* peak: of the fullest replica */
    double duration_s, busy_s;            /* until the last token; summed over replicas */
    double prefill_busy_s;                /* of that, on replicas of prefill alone */
    double down_s;                        /* summed over replicas */
    double kv_token_s;                    /* integral of tokens in the caches */
    double compute_s,
        stream_s;      /* of busy_s, in which matrix units, memory would be at their rate */
    double transfer_s; /* summed over prompts: until the keys and values arrived */
    assay_sim_parts_t parts;
} assay_sim_result_t;

/** Errors: ASSAY_LIMIT, ASSAY_MEMORY, ASSAY_CANCELLED. */
assay_status_t assay_simulate(assay_arena_t *arena, const assay_sim_cost_t *cost,
                              const assay_sim_options_t *options, assay_sim_result_t *out,
                              assay_error_t *err);

/* ---- how sure ---- */

/**
 * Probability that of n requests no more than `over` are slower than a limit when a share `share`
 * of all keep it: the binomial rule with which MLPerf ends a run early. Source: mlcommons/inference
 * loadgen/early_stopping.cc, with tolerance 0.
 */
double assay_sim_odds(uint64_t n, uint64_t over, double share);
/**
 * The most that may be slower so that at this confidence the share keeps the limit; UINT64_MAX: n
 * is too small for any.
 */
uint64_t assay_sim_most_over(uint64_t n, double share, double confidence);
/**
 * How many independent requests the TTFT of these is worth: those of a queue wait together. From
 * the spread of the means of successive parts but the first, in which the fleet fills.
 */
double assay_sim_independent(const assay_sim_result_t *result);

/** Request i of a load that is drawn: its gap to the one before, and lengths. Pure. */
void assay_sim_draw(const assay_sim_load_t *load, uint64_t i, int64_t *out_gap_ticks,
                    uint32_t *out_input_tokens, uint32_t *out_output_tokens);

#ifdef __cplusplus
}
#endif
#endif
