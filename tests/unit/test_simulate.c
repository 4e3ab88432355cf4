#include "assay_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/rng.h"
#include "assay/simulate.h"
#include "machine_fixture.h"

#define ARENA_BYTES ((size_t)64 << 20)

/* ---- a simulator that takes every step ----

   Written apart from the library, after vllm-project/vllm v1/core/sched/scheduler.py: lists are
   arrays, every sequence is visited in every step. Only the time of one step is shared. */

typedef struct {
    int64_t arrival, first, last; /* ticks; -1: not yet */
    uint32_t input, output;
    uint32_t known, computed, blocks, generated;
    bool decoding; /* its last step gave a token */
} ref_request_t;

typedef struct {
    uint32_t *id, n;
} ref_list_t;

typedef struct {
    const assay_sim_cost_t *cost;
    assay_sim_policy_t policy;
    ref_request_t *request;
    ref_list_t waiting, running;
    uint64_t free_blocks, preemptions, steps, itl_n;
    int64_t now, itl_sum;
} ref_t;

static void ref_remove(ref_list_t *list, uint32_t at) {
    memmove(list->id + at, list->id + at + 1, (list->n - at - 1) * sizeof *list->id);
    list->n--;
}

static void ref_push_front(ref_list_t *list, uint32_t id) {
    memmove(list->id + 1, list->id, list->n * sizeof *list->id);
    list->id[0] = id;
    list->n++;
}

static uint64_t ref_blocks(const ref_t *ref, uint32_t tokens) {
    return (tokens + ref->policy.block_tokens - 1) / ref->policy.block_tokens;
}

/* One step. false: nothing to do. */
static bool ref_step(ref_t *ref) {
    uint32_t budget = ref->policy.token_budget, scheduled[512], taken[512], n = 0;
    bool preempted = false;
    assay_serve_batch_t batch = {0};
    for (uint32_t i = 0; i < ref->running.n && budget > 0; i++) {
        const uint32_t id = ref->running.id[i];
        ref_request_t *q = &ref->request[id];
        uint32_t tokens = q->known - q->computed;
        tokens = tokens < budget ? tokens : budget;
        bool room = true;
        while (room && ref_blocks(ref, q->computed + tokens) - q->blocks > ref->free_blocks) {
            const uint32_t victim = ref->running.id[ref->running.n - 1];
            ref_request_t *v = &ref->request[victim];
            ref->free_blocks += v->blocks;
            v->blocks = v->computed = 0;
            v->decoding = false;
            ref->running.n--;
            ref_push_front(&ref->waiting, victim);
            ref->preemptions++;
            preempted = true;
            room = victim != id;
        }
        if (!room) {
            break;
        }
        ref->free_blocks -= ref_blocks(ref, q->computed + tokens) - q->blocks;
        q->blocks = (uint32_t)ref_blocks(ref, q->computed + tokens);
        budget -= tokens;
        scheduled[n] = id;
        taken[n++] = tokens;
    }
    while (!preempted && ref->waiting.n > 0 && budget > 0 &&
           ref->running.n < ref->policy.max_sequences) {
        const uint32_t id = ref->waiting.id[0];
        ref_request_t *q = &ref->request[id];
        const uint32_t tokens = q->known < budget ? q->known : budget;
        if (ref_blocks(ref, tokens) > ref->free_blocks) {
            break;
        }
        ref_remove(&ref->waiting, 0);
        ref->running.id[ref->running.n++] = id;
        q->blocks = (uint32_t)ref_blocks(ref, tokens);
        ref->free_blocks -= q->blocks;
        budget -= tokens;
        scheduled[n] = id;
        taken[n++] = tokens;
    }
    if (n == 0) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const ref_request_t *q = &ref->request[scheduled[i]];
        if (q->decoding) {
            batch.decode += 1;
            batch.decode_context += q->known;
        } else {
            batch.prefill_tokens += taken[i];
            batch.prefill_pairs += taken[i] * (q->computed + 0.5 * taken[i]);
            batch.sampled += q->computed + taken[i] == q->known;
        }
    }
    ref->now += assay_sim_step_ticks(ref->cost, &batch);
    ref->steps++;
    for (uint32_t i = 0; i < n; i++) {
        ref_request_t *q = &ref->request[scheduled[i]];
        q->computed += taken[i];
        if (q->computed < q->known) {
            continue;
        }
        if (q->first < 0) {
            q->first = ref->now;
        } else {
            ref->itl_sum += ref->now - q->last;
            ref->itl_n++;
        }
        q->last = ref->now;
        q->known++;
        q->generated++;
        q->decoding = true;
        if (q->generated == q->output) {
            ref->free_blocks += q->blocks;
            for (uint32_t k = 0; k < ref->running.n; k++) {
                if (ref->running.id[k] == scheduled[i]) {
                    ref_remove(&ref->running, k);
                    break;
                }
            }
        }
    }
    return true;
}

static void ref_run(ref_t *ref, uint32_t n) {
    uint32_t next = 0;
    while (next < n || ref->running.n > 0 || ref->waiting.n > 0) {
        if (ref->running.n == 0 && ref->waiting.n == 0 && ref->now < ref->request[next].arrival) {
            ref->now = ref->request[next].arrival;
        }
        for (; next < n && ref->request[next].arrival <= ref->now; next++) {
            ref->waiting.id[ref->waiting.n++] = next;
        }
        assert_true(ref_step(ref));
    }
}

/* ---- */

static assay_arena_t *arena;

static int set_up(void **state) {
    (void)state;
    arena = assay_arena_create(ARENA_BYTES);
    return arena == NULL;
}

static int tear_down(void **state) {
    (void)state;
    assay_arena_destroy(arena);
    return 0;
}

static void make_step(uint32_t window, assay_serve_step_t *out) {
    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_setup_t setup = {.model = {.id = "small",
                                                 .family = "test",
                                                 .layers = 32,
                                                 .hidden = 4096,
                                                 .heads = 32,
                                                 .kv_heads = 8,
                                                 .head_dim = 128,
                                                 .ffn = 14336,
                                                 .vocab = 128256,
                                                 .gated = true,
                                                 .sliding_window = window},
                                       .dtype = ASSAY_DT_BF16,
                                       .weight_bytes = 2,
                                       .kv_bytes = 2,
                                       .tp = 1,
                                       .pp = 1,
                                       .ep = 1};
    const assay_serve_constants_t constants = {.gemm = .6,
                                               .expert = 1,
                                               .weight_stream = 1,
                                               .kv_stream = .9,
                                               .head_stream = .3,
                                               .layer_s = 5e-5,
                                               .sequence_s = 2e-5,
                                               .reduce_s = 1e-5};
    assay_serve_prepare(&machine, &setup, &constants, out);
}

typedef struct {
    const ref_request_t *request;
    uint64_t n;
} expected_t;

static void check_request(void *ctx, uint64_t id, int64_t arrival, int64_t first, int64_t last) {
    expected_t *expected = ctx;
    assert_int_equal(arrival, expected->request[id].arrival);
    assert_int_equal(first, expected->request[id].first);
    assert_int_equal(last, expected->request[id].last);
    expected->n++;
}

static uint32_t pick(uint64_t seed, uint64_t what, uint32_t low, uint32_t high) {
    return low + (uint32_t)(assay_rng_uniform(seed, 77, what) * (high - low + 1));
}

/* Small caches, so that blocks run out; budgets that split prompts; bursts and gaps. */
static void one_random_workload(uint64_t seed, const assay_serve_step_t *step) {
    enum { REQUESTS = 60 };
    static ref_request_t request[REQUESTS];
    static uint32_t waiting[REQUESTS], running[REQUESTS];
    assay_sim_request_t trace[REQUESTS];
    assay_sim_cost_t cost;
    const assay_sim_policy_t policy = {.max_sequences = pick(seed, 0, 1, 40),
                                       .token_budget = pick(seed, 1, 40, 700),
                                       .block_tokens = 1u << pick(seed, 2, 0, 6),
                                       .kv_blocks = 0};
    assay_sim_options_t options = {.policy = policy, .replicas = 1};
    int64_t at = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint32_t gap_us = pick(seed, 10 + 3 * i, 0, 3) ? pick(seed, 1000 + i, 0, 30000) : 0;
        at += (int64_t)gap_us * 1000 * ASSAY_TICKS_PER_NS;
        trace[i] = (assay_sim_request_t){at, pick(seed, 11 + 3 * i, 1, 400),
                                         pick(seed, 12 + 3 * i, 1, 120)};
        request[i] = (ref_request_t){.arrival = at,
                                     .first = -1,
                                     .last = -1,
                                     .input = trace[i].input_tokens,
                                     .output = trace[i].output_tokens,
                                     .known = trace[i].input_tokens};
    }
    /* 600 tokens hold any request alone; 6000 hold them all */
    options.policy.kv_blocks = pick(seed, 3, 600, 6000) / policy.block_tokens + 1;
    options.load = (assay_sim_load_t){.requests = REQUESTS, .max_tokens = 600, .trace = trace};

    assert_int_equal(assay_sim_cost_init(arena, step, policy.max_sequences, &cost, NULL), ASSAY_OK);
    ref_t ref = {.cost = &cost,
                 .policy = options.policy,
                 .request = request,
                 .waiting = {waiting, 0},
                 .running = {running, 0},
                 .free_blocks = options.policy.kv_blocks};
    ref_run(&ref, REQUESTS);

    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    expected_t expected = {.request = request};
    options.finished = check_request;
    options.ctx = &expected;
    assert_int_equal(assay_simulate(arena, &cost, &options, result, NULL), ASSAY_OK);
    assert_int_equal(expected.n, REQUESTS);
    assert_int_equal(result->requests, REQUESTS);
    assert_int_equal(result->steps, ref.steps);
    assert_int_equal(result->preemptions, ref.preemptions);
    assert_int_equal(result->itl.n, ref.itl_n);
    assay_test_close(result->itl.sum_s, (double)ref.itl_sum / (double)ASSAY_TICKS_PER_S, 1e-9, 0,
                     "sum of inter-token latencies");
    uint64_t tokens = 0;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        tokens += trace[i].output_tokens;
    }
    assert_int_equal(result->output_tokens, tokens); /* every token is accounted for */
}

static void skipping_steps_changes_no_token(void **state) {
    (void)state;
    assay_serve_step_t full, windowed;
    make_step(0, &full);
    make_step(128, &windowed);
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        assay_arena_reset(arena);
        one_random_workload(seed, seed % 3 == 0 ? &windowed : &full);
    }
}

/* One request alone: prefill, then output - 1 steps. */
static void a_lone_request_takes_its_steps(void **state) {
    (void)state;
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    make_step(0, &step);
    assay_arena_reset(arena);
    assert_int_equal(assay_sim_cost_init(arena, &step, 8, &cost, NULL), ASSAY_OK);
    const assay_sim_request_t trace = {5 * ASSAY_TICKS_PER_S, 1000, 11};
    const assay_sim_options_t options = {
        .policy = {8, 2048, 16, 1000},
        .load = {.requests = 1, .max_tokens = 4096, .trace = &trace},
        .replicas = 1};
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    assert_int_equal(assay_simulate(arena, &cost, &options, result, NULL), ASSAY_OK);
    const assay_serve_batch_t prefill = {
        .prefill_tokens = 1000, .prefill_pairs = 1000 * 500.0, .sampled = 1};
    double total_s = assay_serve_step_s(&step, &prefill, NULL);
    assay_test_close(assay_sim_mean_s(&result->ttft), total_s, 1e-9, 0, "TTFT");
    for (int i = 0; i < 10; i++) {
        const assay_serve_batch_t decode = {.decode = 1, .decode_context = 1001.0 + i};
        total_s += assay_serve_step_s(&step, &decode, NULL);
    }
    assay_test_close(assay_sim_mean_s(&result->e2e), total_s, 1e-6, 0, "until the last token");
    assay_test_close(result->duration_s, 5 + total_s, 1e-6, 0, "the clock");
}

/* One sequence at a time, one token each, constant service: M/D/1. Mean wait rho s / 2 (1 - rho)
   (Pollaczek and Khinchine). */
static void a_queue_of_constant_service_is_md1(void **state) {
    (void)state;
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    make_step(0, &step);
    assay_arena_reset(arena);
    assert_int_equal(assay_sim_cost_init(arena, &step, 1, &cost, NULL), ASSAY_OK);
    const assay_serve_batch_t prefill = {
        .prefill_tokens = 512, .prefill_pairs = 512 * 256.0, .sampled = 1};
    const double service_s = assay_serve_step_s(&step, &prefill, NULL), rho = 0.7;
    const assay_sim_options_t options = {.policy = {1, 512, 16, 1000},
                                         .load = {.requests = 400000,
                                                  .seed = 7,
                                                  .arrival = ASSAY_ARRIVAL_POISSON,
                                                  .rate_per_s = rho / service_s,
                                                  .input = assay_dist_fixed(512),
                                                  .output = assay_dist_fixed(1),
                                                  .max_tokens = 1024},
                                         .replicas = 1};
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    assert_int_equal(assay_simulate(arena, &cost, &options, result, NULL), ASSAY_OK);
    assay_test_close(assay_sim_mean_s(&result->queue), rho * service_s / (2 * (1 - rho)), 0.02, 0,
                     "mean wait");
    assay_test_close(result->busy_s / result->duration_s, rho, 0.01, 0, "utilisation");
}

/* Three replicas, one at a time each, fewest requests first; exponential service by output lengths
   would be M/M/c, constant service lies below it and above M/D/1 of a server thrice as fast. */
static void routing_to_the_least_loaded_waits_less_than_round_robin(void **state) {
    (void)state;
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    make_step(0, &step);
    double wait_s[2];
    for (int i = 0; i < 2; i++) {
        assay_arena_reset(arena);
        assert_int_equal(assay_sim_cost_init(arena, &step, 1, &cost, NULL), ASSAY_OK);
        const assay_sim_options_t options = {.policy = {1, 4096, 16, 1000},
                                             .load = {.requests = 20000,
                                                      .seed = 3,
                                                      .arrival = ASSAY_ARRIVAL_GAMMA,
                                                      .cv = 2,
                                                      .rate_per_s = 3,
                                                      .input = assay_dist_fixed(512),
                                                      .output = assay_dist_lognormal(40, 1),
                                                      .max_tokens = 4096},
                                             .router = i ? ASSAY_ROUTER_LEAST_REQUESTS
                                                         : ASSAY_ROUTER_ROUND_ROBIN,
                                             .replicas = 3};
        assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
        assert_int_equal(assay_simulate(arena, &cost, &options, result, NULL), ASSAY_OK);
        assert_int_equal(result->requests, 20000);
        wait_s[i] = assay_sim_mean_s(&result->queue);
    }
    assert_true(wait_s[1] < wait_s[0]);
}

/* Gamma gaps of variation 2: mean 1, variance 4, within four standard errors of 200000 draws. */
static void gamma_gaps_have_their_moments(void **state) {
    (void)state;
    const assay_sim_load_t load = {.seed = 5,
                                   .arrival = ASSAY_ARRIVAL_GAMMA,
                                   .cv = 2,
                                   .rate_per_s = 1,
                                   .input = assay_dist_fixed(1),
                                   .output = assay_dist_fixed(1),
                                   .max_tokens = 16};
    double sum = 0, square = 0;
    const int n = 200000;
    for (int i = 0; i < n; i++) {
        int64_t gap;
        uint32_t input, output;
        assay_sim_draw(&load, (uint64_t)i, &gap, &input, &output);
        const double s = (double)gap / (double)ASSAY_TICKS_PER_S;
        sum += s;
        square += s * s;
    }
    const double mean = sum / n;
    assay_test_close(mean, 1, 4 * 2 / sqrt(n), 0, "mean");
    /* kurtosis of gamma of shape 1/4 is 3 + 6/k = 27: variance of the variance 26 x 16 / n */
    assay_test_close(square / n - mean * mean, 4, 4 * sqrt(26 * 16.0 / n) / 4, 0, "variance");
}

static void quantiles_of_a_histogram(void **state) {
    (void)state;
    assay_sim_histogram_t *h = calloc(1, sizeof *h);
    assert_non_null(h);
    assert_true(assay_sim_quantile_s(h, .5) <= 0);
    free(h);
}

static void impossible_policies_are_refused(void **state) {
    (void)state;
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    assay_error_t err;
    make_step(0, &step);
    assay_arena_reset(arena);
    assert_int_equal(assay_sim_cost_init(arena, &step, 0, &cost, &err), ASSAY_LIMIT);
    assert_int_equal(assay_sim_cost_init(arena, &step, 8, &cost, &err), ASSAY_OK);
    assay_sim_options_t options = {
        .policy = {8, 4, 16, 100}, .load = {.requests = 1, .max_tokens = 10}, .replicas = 1};
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    assert_int_equal(assay_simulate(arena, &cost, &options, result, &err), ASSAY_LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_steps_changes_no_token),
        cmocka_unit_test(a_lone_request_takes_its_steps),
        cmocka_unit_test(a_queue_of_constant_service_is_md1),
        cmocka_unit_test(routing_to_the_least_loaded_waits_less_than_round_robin),
        cmocka_unit_test(gamma_gaps_have_their_moments),
        cmocka_unit_test(quantiles_of_a_histogram),
        cmocka_unit_test(impossible_policies_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
