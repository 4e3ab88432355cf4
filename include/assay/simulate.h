/**
 * Discrete-event simulation of a fleet of serving replicas on the step model of assay/serve_step.h:
 * requests arrive, a router gives each to a replica, every replica batches continuously as vLLM's
 * V1 scheduler does: a token budget shared by decoding and chunked prefill, first come first
 * served, paged KV blocks, preemption of the youngest by recomputation.
 *
 * Time is an integer: ticks of 1/1024 ns. As the time of a decode step is affine in the contexts,
 * all steps between two changes of the batch are taken at once, with the same integer result as one
 * by one. The same seed gives the same bytes on any compiler, optimisation and number of threads.
 *
 * Source of the policy: vllm-project/vllm v1/core/sched/scheduler.py. Test:
 * tests/unit/test_simulate.c holds it against a simulator that takes every step. Thread-safe: yes.
 */
#ifndef ASSAY_SIMULATE_H
#define ASSAY_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/dist.h"
#include "assay/error.h"
#include "assay/hooks.h"
#include "assay/serve_step.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_TICKS_PER_NS 1024
#define ASSAY_TICKS_PER_S (1024 * (int64_t)1000000000)

/* ---- cost of a step in ticks ---- */

#define ASSAY_SIM_MAX_SEQUENCES 65536u

typedef struct {
    const assay_serve_step_t *step;
    uint32_t max_sequences;
    int64_t *decode; /* (max_sequences + 1) of n decoding sequences without their contexts */
    int64_t *full;   /* (max_sequences + 1) per token of context, layers that attend to all of it */
    int64_t *window_ticks; /* (n_window, max_sequences + 1) the same, of layers with a window */
    double window[ASSAY_LAYER_KIND_MAX];
    uint32_t n_window;
} assay_sim_cost_t;

/** Errors: ASSAY_LIMIT (max_sequences, arena). */
assay_status_t assay_sim_cost_init(assay_arena_t *arena, const assay_serve_step_t *step,
                                   uint32_t max_sequences, assay_sim_cost_t *out,
                                   assay_error_t *err);
/** Ticks of one step; decode and decode_context are whole numbers. */
int64_t assay_sim_step_ticks(const assay_sim_cost_t *cost, const assay_serve_batch_t *batch);

/* ---- what is simulated ---- */

typedef struct {
    uint32_t max_sequences, token_budget; /* of one step */
    uint32_t block_tokens;
    uint64_t kv_blocks; /* of one replica */
} assay_sim_policy_t;

typedef enum { ASSAY_ARRIVAL_POISSON, ASSAY_ARRIVAL_GAMMA, ASSAY_ARRIVAL_CONSTANT } assay_arrival_t;

typedef struct {
    int64_t arrival_ticks;
    uint32_t input_tokens, output_tokens;
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
} assay_sim_load_t;

typedef enum {
    ASSAY_ROUTER_ROUND_ROBIN,
    ASSAY_ROUTER_RANDOM,
    ASSAY_ROUTER_LEAST_REQUESTS /* the fewest that wait or run */
} assay_router_t;

typedef struct {
    double ttft_s, tpot_s, e2e_s; /* of each request; 0: no limit */
} assay_sim_slo_t;

typedef struct {
    assay_sim_policy_t policy;
    assay_sim_load_t load;
    assay_sim_slo_t slo;
    assay_router_t router;
    uint32_t replicas;
    const assay_hooks_t *hooks;
    /** Told of every request that ends, in no particular order between replicas; may be NULL. */
    void (*finished)(void *ctx, uint64_t request, int64_t arrival, int64_t first_token,
                     int64_t last_token);
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

typedef struct {
    assay_sim_histogram_t ttft, tpot, itl, e2e, queue; /* queue: until first scheduled */
    uint64_t requests, output_tokens, input_tokens;
    uint64_t good;                        /* requests within the limits */
    uint64_t preemptions, steps, refused; /* refused: longer than the cache */
    double duration_s, busy_s;            /* until the last token; summed over replicas */
    double kv_token_s;                    /* integral of tokens in the caches */
} assay_sim_result_t;

/** Errors: ASSAY_LIMIT, ASSAY_MEMORY, ASSAY_CANCELLED. */
assay_status_t assay_simulate(assay_arena_t *arena, const assay_sim_cost_t *cost,
                              const assay_sim_options_t *options, assay_sim_result_t *out,
                              assay_error_t *err);

/** Request i of a load that is drawn: its gap to the one before, and lengths. Pure. */
void assay_sim_draw(const assay_sim_load_t *load, uint64_t i, int64_t *out_gap_ticks,
                    uint32_t *out_input_tokens, uint32_t *out_output_tokens);

#ifdef __cplusplus
}
#endif
#endif
