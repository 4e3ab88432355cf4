#include "arena_fixture.h"
#include "assay_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/rng.h"
#include "assay/simulate.h"
#include "machine_fixture.h"
#include "sim_reference.h"

/* Of GCC 12 at -O0; clang, -O2 and sanitizers must give it too. */
#define SIMULATED_DIGEST 0xa57efd746e82fc21u

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

/* ---- against the simulator that takes every step ---- */

typedef struct {
    const ref_request_t *request;
    uint64_t n, tokens;
    const assay_sim_options_t *options;
} expected_t;

static void check_request(void *ctx, const assay_sim_done_t *done) {
    expected_t *expected = ctx;
    const ref_request_t *q = &expected->request[done->id];
    assert_true(q->done);
    assert_int_equal(done->arrival_ticks, q->arrival);
    assert_int_equal(done->scheduled_ticks, q->scheduled);
    assert_int_equal(done->first_token_ticks, q->first);
    assert_int_equal(done->last_token_ticks, q->last);
    expected->n++;
    expected->tokens += q->output;
}

/* The blocks in use never exceed those that there are. */
static void check_step(void *ctx, const assay_sim_event_t *event) {
    const expected_t *expected = ctx;
    const assay_sim_options_t *options = expected->options;
    const assay_sim_policy_t *policy =
        event->replica < options->replicas ? &options->policy : &options->prefill.policy;
    assert_true(event->blocks <= policy->kv_blocks);
    assert_true(event->ticks > 0 && event->steps > 0);
    assert_true(event->decode + event->prefill_tokens > 0);
}

static uint32_t pick(uint64_t seed, uint64_t what, uint32_t low, uint32_t high) {
    return low + (uint32_t)(assay_rng_uniform(seed, 77, what) * (high - low + 1));
}

/* What a random workload may have besides. */
typedef struct {
    bool prefix, draft, apart, fixed, timeout, loss, fleet;
} features_t;

enum { HASH_TOKENS = 48, HASHES = 16 };

/* Prompts of few texts: hash i of text t is t while they are the same, its own from then on. */
static void draw_hashes(uint64_t seed, uint32_t i, assay_sim_request_t *io, uint32_t *out_hash) {
    const uint32_t text = pick(seed, 5000 + i, 0, 3), same = pick(seed, 6000 + i, 0, 8);
    io->first_hash = i * HASHES;
    io->n_hash = (io->input_tokens + HASH_TOKENS - 1) / HASH_TOKENS;
    for (uint32_t h = 0; h < io->n_hash; h++) {
        out_hash[io->first_hash + h] = h < same ? 100 * text + h : 1000 + 1000 * text + 16 * i + h;
    }
}

static void make_trace(uint64_t seed, const features_t *has, ref_t *ref, assay_sim_request_t *trace,
                       uint32_t *hash) {
    int64_t at = 0;
    for (uint32_t i = 0; i < REF_REQUESTS; i++) {
        const uint32_t gap_us = pick(seed, 10 + 3 * i, 0, 3) ? pick(seed, 1000 + i, 0, 30000) : 0;
        at += (int64_t)gap_us * 1000 * ASSAY_TICKS_PER_NS;
        trace[i] = (assay_sim_request_t){.arrival_ticks = at,
                                         .input_tokens = pick(seed, 11 + 3 * i, 1, 400),
                                         .output_tokens = pick(seed, 12 + 3 * i, 1, 120)};
        if (has->prefix && seed % 2) {
            draw_hashes(seed, i, &trace[i], hash);
        }
        ref->request[i] = (ref_request_t){.arrival = at,
                                          .scheduled = -1,
                                          .first = -1,
                                          .last = -1,
                                          .input = trace[i].input_tokens,
                                          .output = trace[i].output_tokens,
                                          .first_hash = trace[i].first_hash,
                                          .n_hash = trace[i].n_hash,
                                          .known = trace[i].input_tokens};
    }
}

static void make_reference(const assay_sim_options_t *options, const assay_sim_cost_t *cost,
                           ref_t *ref) {
    ref->options = options;
    ref->n = REF_REQUESTS;
    ref->n_decode = options->replicas;
    ref->n_replica = options->replicas + options->prefill.replicas;
    ref->lost_at = options->loss.at_s > 0 ? sim_ticks_of(options->loss.at_s) : -1;
    ref->back_at = options->loss.at_s > 0 && options->loss.back_s > 0
                       ? sim_ticks_of(options->loss.back_s)
                       : -1;
    for (uint32_t k = 0; k < ref->n_replica; k++) {
        ref_replica_t *p = &ref->replica[k];
        p->prefill_only = k >= ref->n_decode;
        p->cost = p->prefill_only ? options->prefill.cost : cost;
        p->policy = p->prefill_only ? &options->prefill.policy : &options->policy;
        p->caching = options->prefix_caching && !options->static_batches &&
                     (p->prefill_only || ref->n_replica == ref->n_decode);
        ref_clear(p);
    }
}

/* 600 tokens hold any request alone; 6000 hold them all. */
static assay_sim_policy_t draw_policy(uint64_t seed, uint32_t draft) {
    assay_sim_policy_t policy = {.max_sequences = pick(seed, 0, 1, 40),
                                 .block_tokens = 1u << pick(seed, 2, 0, 6),
                                 .kv_blocks = 0};
    policy.token_budget = pick(seed, 1, 40 * (draft + 1), 700);
    policy.kv_blocks = pick(seed, 3, 600, 6000) / policy.block_tokens + 1;
    return policy;
}

static void compare(const ref_t *ref, const expected_t *seen, const assay_sim_result_t *result) {
    uint64_t tokens = 0, prompts = 0;
    for (uint32_t i = 0; i < ref->n; i++) {
        const ref_request_t *q = &ref->request[i];
        tokens += q->done ? q->output : 0;
        prompts += q->done ? q->input : 0;
    }
    assert_int_equal(seen->n, result->requests);
    assert_int_equal(result->requests + result->abandoned + result->refused + result->lost, ref->n);
    assert_int_equal(result->abandoned, ref->abandoned);
    assert_int_equal(result->refused, ref->refused);
    assert_int_equal(result->lost, ref->lost);
    assert_int_equal(result->moved, ref->moved);
    assert_int_equal(result->steps, ref->steps);
    assert_int_equal(result->preemptions, ref->preemptions);
    assert_int_equal(result->itl.n, ref->itl_n);
    assay_test_close(result->itl.sum_s, (double)ref->itl_sum / (double)ASSAY_TICKS_PER_S, 1e-9, 0,
                     "sum of inter-token latencies");
    /* every token is accounted for */
    assert_int_equal(result->output_tokens, tokens);
    assert_int_equal(result->input_tokens, prompts);
    assert_int_equal(result->generated_tokens, ref->generated);
    assert_int_equal(result->wasted_tokens, ref->wasted);
    assert_int_equal(result->generated_tokens, result->output_tokens + result->wasted_tokens);
    assert_int_equal(result->prefilled_tokens, ref->prefilled);
    assert_int_equal(result->cached_tokens, ref->cached);
    assert_int_equal(result->accepted_tokens, ref->accepted);
}

static void one_random_workload(uint64_t seed, const assay_serve_step_t *step,
                                const features_t *has) {
    static ref_t ref;
    static assay_sim_request_t trace[REF_REQUESTS];
    static uint32_t hash[REF_REQUESTS * HASHES];
    assay_sim_cost_t cost, prefill_cost;
    const assay_serve_draft_t draft = {.tokens = has->draft ? pick(seed, 20, 1, 5) : 0,
                                       .acceptance = 0.1 * pick(seed, 21, 0, 9),
                                       .step_share = 0.03};
    assay_sim_options_t options = {.policy = draw_policy(seed, (uint32_t)draft.tokens),
                                   .replicas = 1};
    ref = (ref_t){0};
    make_trace(seed, has, &ref, trace, hash);
    if (has->fleet || has->loss) {
        options.replicas = pick(seed, 22, has->loss ? 1 : 2, 3);
        options.router = (assay_router_t)pick(seed, 23, 0, ASSAY_ROUTER_N - 1);
    }
    options.load = (assay_sim_load_t){.requests = REF_REQUESTS,
                                      .seed = seed,
                                      .max_tokens = 600,
                                      .trace = trace,
                                      .hash = hash,
                                      .hash_tokens = HASH_TOKENS,
                                      .prefix_share = has->prefix ? 0.1 * pick(seed, 24, 0, 9) : 0,
                                      .prefixes = pick(seed, 25, 1, 3)};
    options.prefix_caching = has->prefix;
    options.static_batches = has->fixed;
    options.timeout_s = has->timeout ? 0.01 * pick(seed, 26, 10, 300) : 0;
    if (has->loss) {
        options.loss = (assay_sim_loss_t){.at_s = 0.001 * pick(seed, 27, 1, 900),
                                          .replica = pick(seed, 28, 0, options.replicas - 1)};
        options.loss.back_s =
            pick(seed, 29, 0, 2) ? options.loss.at_s + 0.001 * pick(seed, 30, 1, 900) : 0;
    }
    if (has->apart) {
        options.prefill = (assay_sim_prefill_t){.replicas = pick(seed, 31, 1, 2),
                                                .cost = &prefill_cost,
                                                .policy = draw_policy(seed + 100000, 0),
                                                .kv_bytes_per_token = 131072,
                                                .link_bytes_per_s = 1e9 * pick(seed, 32, 1, 20),
                                                .latency_s = 1e-4,
                                                .overlap = 0.1 * pick(seed, 33, 0, 5)};
        assert_int_equal(assay_sim_cost_init(arena, step, options.prefill.policy.max_sequences,
                                             &prefill_cost, NULL),
                         ASSAY_OK);
    }
    assert_int_equal(
        assay_sim_cost_speculate(arena, step, options.policy.max_sequences, &draft, &cost, NULL),
        ASSAY_OK);
    make_reference(&options, &cost, &ref);
    uint32_t arrived = 0;
    while (ref_next(&ref, &arrived)) {
    }

    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    expected_t expected = {.request = ref.request, .options = &options};
    options.finished = check_request;
    options.stepped = check_step;
    options.ctx = &expected;
    assert_int_equal(assay_simulate(arena, &cost, &options, result, NULL), ASSAY_OK);
    compare(&ref, &expected, result);
}

static void random_workloads(const features_t *has, uint64_t first, uint64_t n) {
    assay_serve_step_t full, windowed;
    make_step(0, &full);
    make_step(128, &windowed);
    for (uint64_t seed = first; seed < first + n; seed++) {
        assay_arena_reset(arena);
        one_random_workload(seed, seed % 3 == 0 ? &windowed : &full, has);
    }
}

/* Small caches, so that blocks run out; budgets that split prompts; bursts and gaps. */
static void skipping_steps_changes_no_token(void **state) {
    (void)state;
    const features_t none = {0};
    random_workloads(&none, 1, 1000);
}

static void nor_does_it_with_more(void **state) {
    (void)state;
    static const features_t has[] = {
        {.prefix = true},
        {.draft = true},
        {.apart = true},
        {.fixed = true},
        {.timeout = true},
        {.loss = true},
        {.fleet = true},
        {.prefix = true, .fleet = true, .timeout = true},
        {.prefix = true, .draft = true, .loss = true, .timeout = true},
        {.prefix = true, .draft = true, .apart = true, .fleet = true, .timeout = true},
        {.fixed = true, .fleet = true, .timeout = true},
    };
    for (size_t i = 0; i < sizeof has / sizeof has[0]; i++) {
        random_workloads(&has[i], 2000 + 1000 * i, 60);
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
    const assay_sim_request_t trace = {
        .arrival_ticks = 5 * ASSAY_TICKS_PER_S, .input_tokens = 1000, .output_tokens = 11};
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

/* One sequence at a time on each of three replicas, the shortest queue first, would be M/M/3 with a
   common queue only if nobody ever waited behind the wrong one. With one token a request, service
   is its prompt's; prompts of exponential length have exponential service, and as a replica takes
   one at a time, fewest first is at least Erlang's C of a common queue and at most three queues of
   their own (M/M/1). */
static void three_replicas_lie_between_a_common_queue_and_three(void **state) {
    (void)state;
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    enum { N = 4096, C = 3 };
    static double sample[N];
    make_step(0, &step);
    step.attention_s_per_pair = 0; /* service grows with the tokens alone */
    for (uint32_t k = 0; k < step.n_kv; k++) {
        step.kv[k].pair_s = 0;
    }
    assay_arena_reset(arena);
    assert_int_equal(assay_sim_cost_init(arena, &step, 1, &cost, NULL), ASSAY_OK);
    for (int i = 0; i < N; i++) {
        sample[i] = 4000 - 800 * log(1 - (i + 0.5) / N); /* beyond where weights are read longer */
    }
    double service_s = 0, square_s2 = 0;
    for (int i = 0; i < N; i++) {
        const assay_serve_batch_t prompt = {.prefill_tokens = floor(sample[i] + 0.5), .sampled = 1};
        const double s = assay_serve_step_s(&step, &prompt, NULL);
        service_s += s / N;
        square_s2 += s * s / N;
    }
    const double rho = 0.8, rate = C * rho / service_s;
    const assay_sim_options_t options = {
        .policy = {1, 65536, 16, 100000},
        .load = {.requests = 300000,
                 .seed = 11,
                 .arrival = ASSAY_ARRIVAL_POISSON,
                 .rate_per_s = rate,
                 .input = {.kind = ASSAY_DIST_EMPIRICAL, .sample = sample, .n = N},
                 .output = assay_dist_fixed(1),
                 .max_tokens = 65536},
        .router = ASSAY_ROUTER_LEAST_REQUESTS,
        .replicas = C};
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    assert_int_equal(assay_simulate(arena, &cost, &options, result, NULL), ASSAY_OK);
    /* Erlang: C = P(all busy); a common queue waits C s / (c (1 - rho)) with exponential service,
       and (1 + cv^2) / 2 of that with other service (Lee and Longton), exact at c = 1 */
    const double a = C * rho, b = a * a * a / 6 / (1 - rho);
    const double busy = b / (1 + a + a * a / 2 + b);
    const double shape = 0.5 * square_s2 / (service_s * service_s);
    const double common_s = shape * busy * service_s / (C * (1 - rho));
    const double apart_s = shape * rho * service_s / (1 - rho); /* Pollaczek and Khinchine */
    assert_true(assay_sim_mean_s(&result->queue) > 0.97 * common_s);
    assert_true(assay_sim_mean_s(&result->queue) < apart_s);
    assay_test_close(result->busy_s / (C * result->duration_s), rho, 0.01, 0, "utilisation");
}

/* A batch of c sequences that decode is c servers: where a step takes as long for one as for all,
   a request of geometric output occupies its place for a geometric number of steps, which is close
   to exponential, and requests wait as in M/M/c (Erlang's C). */
static void places_of_a_batch_are_servers_of_mmc(void **state) {
    (void)state;
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    enum { N = 16384, C = 4 };
    static double sample[N];
    make_step(0, &step);
    /* nothing but a constant time a step */
    step = (assay_serve_step_t){.layers = step.layers,
                                .layer_s = 1e-3,
                                .pipeline = 1,
                                .weight_bytes_per_s = 1,
                                .flops_per_s = 1,
                                .head_flops_per_s = 1};
    assay_arena_reset(arena);
    assert_int_equal(assay_sim_cost_init(arena, &step, C, &cost, NULL), ASSAY_OK);
    const double mean = 400, rho = 0.75;
    double steps = 0;
    for (int i = 0; i < N; i++) {
        sample[i] = 1 - mean * log(1 - (i + 0.5) / N);
        steps += floor(sample[i] + 0.5) / N;
    }
    const double service_s = 1e-3 * steps;
    const assay_sim_options_t options = {
        .policy = {C, 64, 16, 100000},
        .load = {.requests = 400000,
                 .seed = 5,
                 .arrival = ASSAY_ARRIVAL_POISSON,
                 .rate_per_s = C * rho / service_s,
                 .input = assay_dist_fixed(1),
                 .output = {.kind = ASSAY_DIST_EMPIRICAL, .sample = sample, .n = N},
                 .max_tokens = 65536},
        .replicas = 1};
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    assert_int_equal(assay_simulate(arena, &cost, &options, result, NULL), ASSAY_OK);
    const double a = C * rho, b = a * a * a * a / 24 / (1 - rho);
    const double busy = b / (1 + a + a * a / 2 + a * a * a / 6 + b);
    /* and half a step until the next one begins, where none has just ended */
    const double wait_s = busy * service_s / (C * (1 - rho)) + 0.5e-3;
    assay_test_close(assay_sim_mean_s(&result->queue), wait_s, 0.03, 0, "mean wait");
}

/* 0.99^459 = 0.0099; with one slow request 662 (mlcommons/inference_policies, early stopping). */
static void few_slow_requests_are_allowed(void **state) {
    (void)state;
    assay_test_close(assay_sim_odds(2, 1, 0.5), 0.75, 1e-12, 0, "at most one of two coins");
    assay_test_close(assay_sim_odds(5, 2, 0.9), 0.99144, 1e-9, 0, "10 x 0.9^3 x 0.1^2 and so on");
    assert_true(assay_sim_most_over(458, .99, .99) == UINT64_MAX);
    assert_int_equal(assay_sim_most_over(459, .99, .99), 0);
    assert_int_equal(assay_sim_most_over(661, .99, .99), 0);
    assert_int_equal(assay_sim_most_over(662, .99, .99), 1);
    /* normal approximation: 2700 - 2.326 sqrt(2673) - 0.5, within 2 */
    const uint64_t most = assay_sim_most_over(270000, .99, .99);
    assert_true(most > 2576 && most < 2582);
}

/* A trap for a build whose rounding or random numbers differ: one digest on all of them. */
static void digest(void *ctx, const assay_sim_done_t *done) {
    uint64_t *sum = ctx;
    *sum = (*sum ^ (uint64_t)done->last_token_ticks) * 0x100000001b3u;
}

static void every_build_gives_the_same_ticks(void **state) {
    (void)state;
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    make_step(0, &step);
    assay_arena_reset(arena);
    assert_int_equal(assay_sim_cost_init(arena, &step, 64, &cost, NULL), ASSAY_OK);
    uint64_t sum = 0xcbf29ce484222325u;
    const assay_sim_options_t options = {.policy = {64, 2048, 16, 4000},
                                         .load = {.requests = 3000,
                                                  .seed = 1,
                                                  .arrival = ASSAY_ARRIVAL_GAMMA,
                                                  .cv = 1.5,
                                                  .rate_per_s = 8,
                                                  .input = assay_dist_lognormal(400, 1),
                                                  .output = assay_dist_lognormal(100, 1),
                                                  .max_tokens = 8192,
                                                  .prefix_share = 0.3},
                                         .router = ASSAY_ROUTER_LEAST_KV,
                                         .prefix_caching = true,
                                         .replicas = 2,
                                         .finished = digest,
                                         .ctx = &sum};
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    assert_int_equal(assay_simulate(arena, &cost, &options, result, NULL), ASSAY_OK);
    print_message("digest 0x%llx\n", (unsigned long long)sum);
    assert_int_equal(sum, SIMULATED_DIGEST);
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
        cmocka_unit_test(nor_does_it_with_more),
        cmocka_unit_test(a_lone_request_takes_its_steps),
        cmocka_unit_test(a_queue_of_constant_service_is_md1),
        cmocka_unit_test(routing_to_the_least_loaded_waits_less_than_round_robin),
        cmocka_unit_test(gamma_gaps_have_their_moments),
        cmocka_unit_test(three_replicas_lie_between_a_common_queue_and_three),
        cmocka_unit_test(places_of_a_batch_are_servers_of_mmc),
        cmocka_unit_test(few_slow_requests_are_allowed),
        cmocka_unit_test(every_build_gives_the_same_ticks),
        cmocka_unit_test(quantiles_of_a_histogram),
        cmocka_unit_test(impossible_policies_are_refused),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
