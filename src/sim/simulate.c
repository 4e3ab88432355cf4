/* Arrivals, router and replicas. */
#include "assay/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "sim/sim_parts.h"

#include "base/banned.h"

#define MAX_REPLICAS 65536u
#define MAX_TOKENS (1u << 24)
#define TELL_EVERY 65536u

static assay_status_t check(const assay_sim_cost_t *cost, const assay_sim_options_t *options,
                            assay_error_t *err) {
    const assay_sim_policy_t *policy = &options->policy;
    if (policy->max_sequences == 0 || policy->max_sequences > cost->max_sequences) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "%u sequences at a time, expected 1 to %u",
                               policy->max_sequences, cost->max_sequences);
    }
    if (policy->token_budget < policy->max_sequences) {
        assay_error_set(err, ASSAY_LIMIT, NULL,
                        "a step of %u tokens cannot hold %u sequences that decode",
                        policy->token_budget, policy->max_sequences);
        assay_error_next(err, "give max_batch_tokens at least max_num_seqs, as engines demand");
        return ASSAY_LIMIT;
    }
    if (policy->block_tokens == 0 || policy->kv_blocks == 0 || options->replicas == 0 ||
        options->replicas > MAX_REPLICAS || options->load.max_tokens < 2 ||
        options->load.max_tokens > MAX_TOKENS) {
        return assay_error_set(err, ASSAY_LIMIT, NULL,
                               "blocks, replicas (1 to %u) or tokens of a request (2 to %u) are "
                               "out of range",
                               MAX_REPLICAS, MAX_TOKENS);
    }
    return ASSAY_OK;
}

typedef struct {
    const assay_sim_options_t *options;
    sim_replica_t *replica;
    assay_sim_result_t *result; /* (replicas) */
    int64_t last_token;
} fleet_t;

static uint64_t outstanding(const sim_replica_t *replica) {
    return replica->n_waiting + replica->n_running;
}

static uint32_t route(fleet_t *fleet, uint64_t i, int64_t at) {
    const uint32_t n = fleet->options->replicas;
    switch (fleet->options->router) {
    case ASSAY_ROUTER_RANDOM:
        return sim_route_random(&fleet->options->load, i, n);
    case ASSAY_ROUTER_LEAST_REQUESTS: {
        uint32_t best = 0;
        for (uint32_t k = 0; k < n; k++) {
            sim_replica_run(&fleet->replica[k], at);
            best = outstanding(&fleet->replica[k]) < outstanding(&fleet->replica[best]) ? k : best;
        }
        return best;
    }
    default:
        return (uint32_t)(i % n);
    }
}

static bool tell(const assay_hooks_t *hooks, uint64_t done, uint64_t total) {
    if (hooks && hooks->progress) {
        hooks->progress(hooks->ctx, "simulate", done, total);
    }
    return hooks && hooks->cancelled && hooks->cancelled(hooks->ctx);
}

/* Every replica has its own clients; what one does is no matter to another. */
static void start_clients(fleet_t *fleet) {
    const assay_sim_load_t *load = &fleet->options->load;
    const uint32_t replicas = fleet->options->replicas;
    for (uint32_t k = 0; k < replicas; k++) {
        sim_replica_t *replica = &fleet->replica[k];
        const uint64_t first = load->requests / replicas * k;
        replica->next_id = first;
        replica->last_id = first + load->requests / replicas;
        for (uint32_t c = 0; c < load->clients && replica->next_id < replica->last_id; c++) {
            int64_t gap;
            assay_sim_request_t request = {
                .arrival_ticks =
                    (int64_t)(load->spread_s * (double)ASSAY_TICKS_PER_S * c / load->clients)};
            assay_sim_draw(load, replica->next_id, &gap, &request.input_tokens,
                           &request.output_tokens);
            sim_replica_run(replica, request.arrival_ticks);
            sim_replica_add(replica, replica->next_id++, &request);
        }
    }
}

static assay_status_t run(fleet_t *fleet, assay_error_t *err) {
    const assay_sim_load_t *load = &fleet->options->load;
    if (load->clients > 0) {
        start_clients(fleet);
    }
    int64_t now = 0;
    for (uint64_t i = 0; i < load->requests && load->clients == 0; i++) {
        assay_sim_request_t request;
        if (load->trace) {
            request = load->trace[i];
        } else {
            int64_t gap;
            assay_sim_draw(load, i, &gap, &request.input_tokens, &request.output_tokens);
            now += gap;
            request.arrival_ticks = now;
        }
        sim_replica_t *replica = &fleet->replica[route(fleet, i, request.arrival_ticks)];
        sim_replica_run(replica, request.arrival_ticks);
        sim_replica_add(replica, i, &request);
        if (i % TELL_EVERY == TELL_EVERY - 1 &&
            tell(fleet->options->hooks, i + 1, load->requests)) {
            return assay_error_set(err, ASSAY_CANCELLED, NULL, "the simulation was stopped");
        }
    }
    for (uint32_t k = 0; k < fleet->options->replicas; k++) {
        sim_replica_run(&fleet->replica[k], INT64_MAX);
        if (fleet->replica[k].failed) {
            return assay_error_set(err, ASSAY_MEMORY, NULL, "no memory for the requests that wait");
        }
        fleet->last_token =
            fleet->replica[k].now > fleet->last_token ? fleet->replica[k].now : fleet->last_token;
    }
    return ASSAY_OK;
}

static void merge(const fleet_t *fleet, assay_sim_result_t *out) {
    *out = (assay_sim_result_t){0};
    for (uint32_t k = 0; k < fleet->options->replicas; k++) {
        const assay_sim_result_t *from = &fleet->result[k];
        sim_histogram_merge(&out->ttft, &from->ttft);
        sim_histogram_merge(&out->tpot, &from->tpot);
        sim_histogram_merge(&out->itl, &from->itl);
        sim_histogram_merge(&out->e2e, &from->e2e);
        sim_histogram_merge(&out->queue, &from->queue);
        out->requests += from->requests;
        out->output_tokens += from->output_tokens;
        out->input_tokens += from->input_tokens;
        out->good += from->good;
        out->preemptions += from->preemptions;
        out->steps += from->steps;
        out->refused += from->refused;
        out->busy_s += from->busy_s;
        out->kv_token_s += from->kv_token_s;
    }
    out->duration_s = (double)fleet->last_token / (double)ASSAY_TICKS_PER_S;
}

assay_status_t assay_simulate(assay_arena_t *arena, const assay_sim_cost_t *cost,
                              const assay_sim_options_t *options, assay_sim_result_t *out,
                              assay_error_t *err) {
    assay_status_t status = check(cost, options, err);
    if (status) {
        return status;
    }
    fleet_t fleet = {.options = options};
    fleet.replica = assay_arena_array(arena, options->replicas, sizeof *fleet.replica);
    fleet.result = assay_arena_array(arena, options->replicas, sizeof *fleet.result);
    if (!fleet.replica || !fleet.result) {
        return assay_error_memory(err, NULL);
    }
    memset(fleet.result, 0, options->replicas * sizeof *fleet.result);
    uint32_t n = 0;
    while (n < options->replicas &&
           sim_replica_init(&fleet.replica[n], cost, options, &fleet.result[n])) {
        n++;
    }
    if (n == options->replicas) {
        status = run(&fleet, err);
    } else {
        status = assay_error_set(err, ASSAY_MEMORY, NULL, "no memory for %u replicas",
                                 options->replicas);
        sim_replica_destroy(&fleet.replica[n]);
    }
    while (n > 0) {
        sim_replica_destroy(&fleet.replica[--n]);
    }
    if (!status) {
        merge(&fleet, out);
    }
    return status;
}
