/* Traffic of a job, simulated on a fleet. */
#include "plan/serve_traffic.h"

#include <math.h>

#include "assay/physics.h"

#define TICKS_PER_NS ((double)ASSAY_TICKS_PER_NS)
#define MAX_TOKENS (1u << 24)

/* Times stretched so that the mean rate is that of the load. */
static assay_status_t take_trace(assay_arena_t *arena, const assay_request_trace_t *trace,
                                 assay_sim_load_t *io, assay_error_t *err) {
    const double own_per_s = trace->span_s > 0 ? (double)trace->n / trace->span_s : 0;
    const double stretch = own_per_s > 0 && io->rate_per_s > 0 ? own_per_s / io->rate_per_s : 1;
    io->requests = io->requests == 0 || io->requests > trace->n ? trace->n : io->requests;
    assay_sim_request_t *request = assay_arena_array(arena, io->requests, sizeof *request);
    if (!request) {
        return assay_error_memory(err, NULL);
    }
    for (uint64_t i = 0; i < io->requests; i++) {
        const assay_request_t *from = &trace->request[i];
        const double ticks = (double)from->arrival_ns * stretch * TICKS_PER_NS;
        request[i] = (assay_sim_request_t){.arrival_ticks = (int64_t)floor(ticks + 0.5),
                                           .input_tokens = from->input_tokens,
                                           .output_tokens = from->output_tokens,
                                           .first_hash = from->first_hash,
                                           .n_hash = from->n_hash};
    }
    io->trace = request;
    io->hash = trace->hash;
    io->hash_tokens = trace->hash_tokens;
    return ASSAY_OK;
}

assay_status_t serve_traffic(assay_arena_t *arena, const assay_serving_t *serving,
                             assay_sim_options_t *io, assay_error_t *err) {
    const assay_serve_traffic_t *traffic = &serving->traffic;
    assay_sim_load_t *load = &io->load;
    const bool alike =
        traffic->input.kind == ASSAY_DIST_FIXED && traffic->output.kind == ASSAY_DIST_FIXED;
    io->router = (assay_router_t)traffic->router;
    io->prefix_caching = traffic->prefix_caching;
    io->static_batches = traffic->static_batches;
    io->timeout_s = traffic->timeout_s;
    io->loss = (assay_sim_loss_t){traffic->loss_at_s, traffic->loss_replica, traffic->loss_back_s};
    load->arrival = (assay_arrival_t)traffic->arrival;
    load->cv = traffic->cv;
    load->prefix_share = traffic->prefix_share;
    load->prefixes = traffic->prefixes;
    load->input = traffic->input;
    load->output = traffic->output;
    if (!alike || traffic->trace) {
        load->max_tokens =
            serving->max_model_len < MAX_TOKENS ? serving->max_model_len : MAX_TOKENS;
    }
    return traffic->trace ? take_trace(arena, traffic->trace, load, err) : ASSAY_OK;
}

/* ---- the largest rate ---- */

#define ARENA_BYTES ((size_t)4 << 30) /* a limit; it grows as it is used */
#define RATE_STEP 1.01
#define MOST_DOUBLINGS 40
/* MLPerf's server scenario runs for 600 s at least; no more requests than that for it. */
#define LEAST_RUN_S 600.0
#define MOST_REQUESTS 4e6

typedef struct {
    assay_arena_t *arena;
    const assay_machine_t *machine;
    const assay_serving_t *serving;
    const assay_serve_fleet_t *fleet;
    assay_serve_run_t run;
    uint64_t asked; /* requests of a run */
    assay_serve_rate_t *out;
    assay_sim_result_t *result, *best;
} find_t;

static uint64_t most_of(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Whoever got no answer was not served within a limit. */
static assay_status_t try_rate(find_t *find, double rate_per_s, bool *out_keeps,
                               assay_error_t *err) {
    assay_sim_result_t *r = find->result;
    const double least = fmin(MOST_REQUESTS, ceil(LEAST_RUN_S * rate_per_s));
    find->run.rate_per_s = rate_per_s;
    if (!find->serving->traffic.trace) {
        find->run.requests = most_of(find->asked, (uint64_t)least);
    }
    find->out->runs++;
    assay_arena_reset(find->arena);
    const assay_status_t status = assay_serve_fleet_simulate(
        find->arena, find->machine, find->serving, find->fleet, &find->run, r, err);
    if (status) {
        return status;
    }
    const uint64_t failed = r->abandoned + r->lost + r->refused;
    const uint64_t n = r->requests + failed;
    const uint64_t over = failed + most_of(r->over_ttft, most_of(r->over_tpot, r->over_e2e));
    const uint64_t allowed =
        assay_sim_most_over(n, ASSAY_SERVE_RATE_SHARE, ASSAY_SERVE_RATE_CONFIDENCE);
    if (allowed == UINT64_MAX) {
        assay_error_set(err, ASSAY_INPUT, NULL, "%llu requests say nothing of 99 in 100",
                        (unsigned long long)n);
        assay_error_next(err, "simulate 459 or more");
        return ASSAY_INPUT;
    }
    *out_keeps = over <= allowed;
    if (*out_keeps) {
        find->out->found = true;
        find->out->rate_per_s = rate_per_s;
        find->out->requests = n;
        find->out->allowed = allowed;
        find->out->over = over;
        find->out->independent = assay_sim_independent(r);
        *find->best = *r;
    } else {
        find->out->too_high_per_s = rate_per_s;
    }
    return ASSAY_OK;
}

static assay_status_t search_rate(find_t *find, double start_per_s, assay_error_t *err) {
    double low = 0, high = 0, rate = start_per_s;
    assay_status_t status = ASSAY_OK;
    /* a rate that keeps them and one that does not */
    for (int i = 0; i < MOST_DOUBLINGS && !status && (low <= 0 || high <= 0); i++) {
        bool keeps = false;
        status = try_rate(find, rate, &keeps, err);
        *(keeps ? &low : &high) = rate;
        rate = keeps ? 2 * rate : 0.5 * rate;
    }
    while (!status && low > 0 && high > RATE_STEP * low) {
        bool keeps = false;
        const double middle = sqrt(low * high);
        status = try_rate(find, middle, &keeps, err);
        *(keeps ? &low : &high) = middle;
    }
    find->out->too_high_per_s = high;
    return status;
}

assay_status_t assay_serve_fleet_find_rate(const assay_machine_t *machine,
                                           const assay_serving_t *serving,
                                           const assay_serve_fleet_t *fleet,
                                           const assay_serve_run_t *run, assay_serve_rate_t *out,
                                           assay_sim_result_t *out_result, assay_error_t *err) {
    *out = (assay_serve_rate_t){0};
    if (serving->ttft_p99_s <= 0 && serving->tpot_p99_s <= 0 && serving->e2e_p99_s <= 0) {
        assay_error_set(err, ASSAY_INPUT, NULL, "no limit says which rate is too high");
        assay_error_next(err, "give workload.serve.slo: ttft_p99, tpot_p99 or e2e_p99");
        return ASSAY_INPUT;
    }
    find_t find = {.machine = machine,
                   .serving = serving,
                   .fleet = fleet,
                   .run = *run,
                   .asked = run->requests,
                   .out = out,
                   .best = out_result,
                   .arena = assay_arena_create(ARENA_BYTES)};
    assay_arena_t *arena = assay_arena_create(2 * sizeof *find.result);
    find.result = arena ? assay_arena_alloc(arena, sizeof *find.result) : NULL;
    const assay_status_t status = find.arena && find.result
                                      ? search_rate(&find, fleet->rate_per_s * fleet->replicas, err)
                                      : assay_error_memory(err, NULL);
    assay_arena_destroy(arena);
    assay_arena_destroy(find.arena);
    return status;
}

double assay_serve_simulated_w(const assay_machine_t *machine, const assay_serving_t *serving,
                               const assay_serve_fleet_t *fleet, const assay_sim_result_t *result) {
    const double engines = (double)fleet->replicas * fleet->way.layout.pp;
    const double all_s = engines * result->duration_s;
    const double compute = all_s > 0 ? result->compute_s / all_s : 0;
    const double stream = all_s > 0 ? result->stream_s / all_s : 0;
    return assay_package_w(machine, compute, stream, serving->gemm_dtype) /
           machine->devices_per_package;
}
