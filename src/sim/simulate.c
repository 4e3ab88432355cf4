/* Arrivals, router and replicas. */
#include "assay/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "sim/sim_fleet.h"

#include "base/banned.h"

#define MAX_REPLICAS 65536u
#define MAX_TOKENS (1u << 24)
#define MAX_BLOCK_TOKENS (1u << 16)
#define TELL_EVERY 65536u

/* ---- what is refused ---- */

static assay_status_t check_policy(const assay_sim_cost_t *cost, const assay_sim_policy_t *policy,
                                   uint32_t replicas, assay_error_t *err) {
    const uint64_t each = cost->draft_tokens + 1;
    if (policy->max_sequences == 0 || policy->max_sequences > cost->max_sequences) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "%u sequences at a time, expected 1 to %u",
                               policy->max_sequences, cost->max_sequences);
    }
    if (policy->token_budget < policy->max_sequences * each) {
        assay_error_set(err, ASSAY_LIMIT, NULL,
                        "a step of %u tokens cannot hold %u sequences that decode",
                        policy->token_budget, policy->max_sequences);
        assay_error_next(err, "give max_batch_tokens at least max_num_seqs, as engines demand%s",
                         each > 1 ? ", times one more than the drafted tokens" : "");
        return ASSAY_LIMIT;
    }
    if (policy->block_tokens == 0 || policy->block_tokens > MAX_BLOCK_TOKENS ||
        policy->kv_blocks == 0 || replicas == 0 || replicas > MAX_REPLICAS) {
        return assay_error_set(err, ASSAY_LIMIT, NULL,
                               "blocks, their tokens (1 to %u) or replicas (1 to %u) are out of "
                               "range",
                               MAX_BLOCK_TOKENS, MAX_REPLICAS);
    }
    return ASSAY_OK;
}

/* What is not simulated together. */
static assay_status_t check_together(const assay_sim_cost_t *cost,
                                     const assay_sim_options_t *options, assay_error_t *err) {
    const bool apart = options->prefill.replicas > 0, loss = options->loss.at_s > 0;
    const struct {
        bool both;
        const char *what;
    } not_both[] = {
        {options->load.clients > 0 && apart, "a closed loop and prefill apart"},
        {options->load.clients > 0 && loss, "a closed loop and the loss of a replica"},
        {options->load.clients > 0 && options->load.trace, "a closed loop and a trace"},
        {apart && loss, "prefill apart and the loss of a replica"},
        {options->static_batches && apart, "static batches and prefill apart"},
        {options->static_batches && cost->draft_tokens > 0, "static batches and a draft"},
        {options->static_batches && loss, "static batches and the loss of a replica"},
    };
    for (size_t i = 0; i < sizeof not_both / sizeof not_both[0]; i++) {
        if (not_both[i].both) {
            assay_error_set(err, ASSAY_LIMIT, NULL, "%s are not simulated together",
                            not_both[i].what);
            assay_error_next(err, "leave one of them out");
            return ASSAY_LIMIT;
        }
    }
    return ASSAY_OK;
}

static assay_status_t check(const assay_sim_cost_t *cost, const assay_sim_options_t *options,
                            assay_error_t *err) {
    const assay_sim_prefill_t *prefill = &options->prefill;
    assay_status_t status = check_policy(cost, &options->policy, options->replicas, err);
    if (!status && prefill->replicas > 0) {
        status = check_policy(prefill->cost, &prefill->policy, prefill->replicas, err);
    }
    status = status ? status : check_together(cost, options, err);
    if (status) {
        return status;
    }
    if (options->load.max_tokens < 2 || options->load.max_tokens > MAX_TOKENS) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "requests of %u tokens, expected 2 to %u",
                               options->load.max_tokens, MAX_TOKENS);
    }
    if (prefill->replicas > 0 && !(prefill->link_bytes_per_s > 0 && prefill->overlap >= 0 &&
                                   prefill->overlap <= 1 && prefill->latency_s >= 0)) {
        return assay_error_set(err, ASSAY_LIMIT, NULL,
                               "the link of prefill replicas carries nothing");
    }
    if (options->loss.at_s > 0 && options->loss.replica >= options->replicas) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "replica %u is lost, there are %u",
                               options->loss.replica, options->replicas);
    }
    return ASSAY_OK;
}

/* ---- prompts on their way to a replica that decodes ---- */

typedef struct {
    int64_t at;
    sim_request_t request;
} sent_t;

typedef struct {
    sent_t *sent; /* a heap, the earliest first */
    size_t n, capacity;
    bool failed;
} heap_t;

static bool is_earlier(const sent_t *a, const sent_t *b) {
    return a->at < b->at || (a->at == b->at && a->request.id < b->request.id);
}

static void heap_push(void *ctx, const sim_request_t *request, int64_t at) {
    heap_t *heap = ctx;
    if (heap->n == heap->capacity) {
        const size_t capacity = heap->capacity ? 2 * heap->capacity : 256;
        sent_t *more = realloc(heap->sent, capacity * sizeof *more);
        if (!more) {
            heap->failed = true;
            return;
        }
        heap->sent = more;
        heap->capacity = capacity;
    }
    const sent_t item = {at, *request};
    size_t i = heap->n++;
    while (i > 0 && is_earlier(&item, &heap->sent[(i - 1) / 2])) {
        heap->sent[i] = heap->sent[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->sent[i] = item;
}

static sent_t heap_pop(heap_t *heap) {
    const sent_t first = heap->sent[0], item = heap->sent[--heap->n];
    size_t i = 0;
    for (size_t child = 1; child < heap->n; child = 2 * i + 1) {
        child += child + 1 < heap->n && is_earlier(&heap->sent[child + 1], &heap->sent[child]);
        if (!is_earlier(&heap->sent[child], &item)) {
            break;
        }
        heap->sent[i] = heap->sent[child];
        i = child;
    }
    heap->sent[i] = item;
    return first;
}

/* ---- the fleet ---- */

typedef struct {
    const assay_sim_options_t *options;
    sim_pool_t decode, prefill; /* prefill.n 0: decode does both */
    assay_sim_result_t *result; /* (replicas of both) */
    heap_t heap;
    int64_t lost_at, back_at; /* INT64_MAX: not any more; never */
    uint64_t lost, moved, wasted_tokens;
} fleet_t;

static void give(fleet_t *fleet, sim_pool_t *pool, const sim_request_t *request, int64_t at) {
    sim_replica_t *r = sim_route(pool, fleet->options, request, at);
    if (!r && fleet->back_at != INT64_MAX) {
        r = &pool->replica[pool->down]; /* the only one, which comes back */
    }
    if (r) {
        sim_replica_run(r, at);
        (void)sim_replica_add(r, request, at);
    } else {
        fleet->lost++;
        fleet->wasted_tokens += request->known - request->input;
    }
}

/* What has been sent until then arrives. */
static void deliver(fleet_t *fleet, int64_t until) {
    for (uint32_t k = 0; k < fleet->prefill.n; k++) {
        sim_replica_run(&fleet->prefill.replica[k], until);
    }
    while (fleet->heap.n > 0 && fleet->heap.sent[0].at <= until) {
        const sent_t sent = heap_pop(&fleet->heap);
        give(fleet, &fleet->decode, &sent.request, sent.at);
    }
}

static void arrive(fleet_t *fleet, const sim_request_t *request) {
    if (fleet->prefill.n > 0) {
        deliver(fleet, request->arrival);
        give(fleet, &fleet->prefill, request, request->arrival);
    } else {
        give(fleet, &fleet->decode, request, request->arrival);
    }
}

/* ---- loss of a replica ---- */

static void keep(void *ctx, const sim_request_t *request) {
    heap_t *kept = ctx;
    heap_push(kept, request, (int64_t)kept->n); /* in their order */
}

static void lose(fleet_t *fleet) {
    sim_pool_t *pool = &fleet->decode;
    sim_replica_t *r = &pool->replica[fleet->options->loss.replica];
    const int64_t at = fleet->lost_at;
    heap_t kept = {0};
    for (uint32_t k = 0; k < pool->n; k++) {
        sim_replica_run(&pool->replica[k], at);
    }
    fleet->lost_at = INT64_MAX;
    pool->n_down = 1;
    pool->down = r->index;
    sim_replica_lose(r, fleet->back_at, keep, &kept);
    while (kept.n > 0) {
        const sent_t moved = heap_pop(&kept);
        fleet->moved++;
        give(fleet, pool, &moved.request, at);
    }
    fleet->heap.failed = fleet->heap.failed || kept.failed;
    free(kept.sent);
}

/* Losses and returns until then. */
static void pass(fleet_t *fleet, int64_t until) {
    if (fleet->lost_at <= until) {
        lose(fleet);
    }
    if (fleet->decode.n_down > 0 && fleet->back_at <= until) {
        fleet->decode.n_down = 0;
    }
}

static void plan_loss(fleet_t *fleet) {
    const assay_sim_loss_t *loss = &fleet->options->loss;
    fleet->lost_at = fleet->back_at = INT64_MAX;
    if (loss->at_s > 0) {
        fleet->lost_at = sim_ticks_of(loss->at_s);
        if (loss->back_s > loss->at_s) {
            fleet->back_at = sim_ticks_of(loss->back_s);
        }
        fleet->decode.replica[loss->replica].dies = fleet->lost_at;
    }
}

/* ---- loads ---- */

static bool tell(const assay_hooks_t *hooks, uint64_t done, uint64_t total) {
    if (hooks && hooks->progress) {
        hooks->progress(hooks->ctx, "simulate", done, total);
    }
    return hooks && hooks->cancelled && hooks->cancelled(hooks->ctx);
}

static sim_request_t new_request(uint64_t id, int64_t arrival) {
    return (sim_request_t){
        .id = id, .arrival = arrival, .scheduled = -1, .first_token = -1, .last_token = -1};
}

/* Every replica has its own clients; what one does is no matter to another. */
static void start_clients(fleet_t *fleet) {
    const assay_sim_load_t *load = &fleet->options->load;
    const uint32_t replicas = fleet->options->replicas;
    for (uint32_t k = 0; k < replicas; k++) {
        sim_replica_t *replica = &fleet->decode.replica[k];
        const uint64_t first = load->requests / replicas * k;
        replica->next_id = first;
        replica->last_id = first + load->requests / replicas;
        for (uint32_t c = 0; c < load->clients && replica->next_id < replica->last_id; c++) {
            int64_t gap;
            sim_request_t request = new_request(
                replica->next_id++,
                (int64_t)(load->spread_s * (double)ASSAY_TICKS_PER_S * c / load->clients));
            assay_sim_draw(load, request.id, &gap, &request.input, &request.output);
            request.known = request.input;
            sim_replica_run(replica, request.arrival);
            (void)sim_replica_add(replica, &request, request.arrival);
        }
    }
}

static sim_request_t next_request(const assay_sim_load_t *load, uint64_t i, int64_t before) {
    sim_request_t request = new_request(i, before);
    if (load->trace) {
        const assay_sim_request_t *from = &load->trace[i];
        request.arrival = from->arrival_ticks;
        request.input = from->input_tokens;
        request.output = from->output_tokens;
        request.first_hash = from->first_hash;
        request.n_hash = from->n_hash;
    } else {
        int64_t gap;
        assay_sim_draw(load, i, &gap, &request.input, &request.output);
        request.arrival += gap;
    }
    request.known = request.input;
    return request;
}

static assay_status_t run(fleet_t *fleet, assay_error_t *err) {
    const assay_sim_load_t *load = &fleet->options->load;
    if (load->clients > 0) {
        start_clients(fleet);
    }
    int64_t now = 0;
    for (uint64_t i = 0; i < load->requests && load->clients == 0; i++) {
        const sim_request_t request = next_request(load, i, now);
        now = request.arrival;
        pass(fleet, now);
        arrive(fleet, &request);
        if (i % TELL_EVERY == TELL_EVERY - 1 &&
            tell(fleet->options->hooks, i + 1, load->requests)) {
            return assay_error_set(err, ASSAY_CANCELLED, NULL, "the simulation was stopped");
        }
    }
    pass(fleet, INT64_MAX - 1);
    deliver(fleet, INT64_MAX);
    bool failed = fleet->heap.failed;
    for (uint32_t k = 0; k < fleet->decode.n; k++) {
        sim_replica_run(&fleet->decode.replica[k], INT64_MAX);
    }
    for (uint32_t k = 0; k < fleet->decode.n + fleet->prefill.n; k++) {
        failed = failed || fleet->decode.replica[k].failed || fleet->decode.replica[k].cache.failed;
    }
    return failed ? assay_error_set(err, ASSAY_MEMORY, NULL, "no memory for the requests that wait")
                  : ASSAY_OK;
}

/* ---- results ---- */

static void merge_one(const assay_sim_result_t *from, assay_sim_result_t *io) {
    sim_histogram_merge(&io->ttft, &from->ttft);
    sim_histogram_merge(&io->tpot, &from->tpot);
    sim_histogram_merge(&io->itl, &from->itl);
    sim_histogram_merge(&io->e2e, &from->e2e);
    sim_histogram_merge(&io->queue, &from->queue);
    io->requests += from->requests;
    io->output_tokens += from->output_tokens;
    io->input_tokens += from->input_tokens;
    io->good += from->good;
    io->over_ttft += from->over_ttft;
    io->over_tpot += from->over_tpot;
    io->over_e2e += from->over_e2e;
    io->preemptions += from->preemptions;
    io->steps += from->steps;
    io->refused += from->refused;
    io->abandoned += from->abandoned;
    io->prefilled_tokens += from->prefilled_tokens;
    io->cached_tokens += from->cached_tokens;
    io->generated_tokens += from->generated_tokens;
    io->wasted_tokens += from->wasted_tokens;
    io->drafted_tokens += from->drafted_tokens;
    io->accepted_tokens += from->accepted_tokens;
    io->peak_blocks = from->peak_blocks > io->peak_blocks ? from->peak_blocks : io->peak_blocks;
    io->busy_s += from->busy_s;
    io->kv_token_s += from->kv_token_s;
    io->compute_s += from->compute_s;
    io->stream_s += from->stream_s;
    io->transfer_s += from->transfer_s;
    for (int i = 0; i < ASSAY_SIM_PARTS; i++) {
        io->parts.sum_s[i] += from->parts.sum_s[i];
        io->parts.square_s2[i] += from->parts.square_s2[i];
        io->parts.n[i] += from->parts.n[i];
    }
}

static void merge(const fleet_t *fleet, assay_sim_result_t *out) {
    const assay_sim_loss_t *loss = &fleet->options->loss;
    int64_t ended = 0;
    *out = (assay_sim_result_t){
        .lost = fleet->lost, .moved = fleet->moved, .wasted_tokens = fleet->wasted_tokens};
    for (uint32_t k = 0; k < fleet->decode.n + fleet->prefill.n; k++) {
        const sim_replica_t *r = &fleet->decode.replica[k];
        merge_one(r->result, out);
        out->evicted_blocks += r->cache.evicted;
        out->prefill_busy_s += k < fleet->decode.n ? 0 : r->result->busy_s;
        ended = r->ended > ended ? r->ended : ended;
    }
    out->duration_s = (double)ended / (double)ASSAY_TICKS_PER_S;
    if (loss->at_s > 0 && loss->at_s < out->duration_s) {
        const bool back = loss->back_s > loss->at_s && loss->back_s < out->duration_s;
        out->down_s = (back ? loss->back_s : out->duration_s) - loss->at_s;
    }
}

/* false: no memory. *out_n: those to destroy. */
static bool make_replicas(fleet_t *fleet, const assay_sim_cost_t *cost, uint32_t *out_n) {
    const assay_sim_options_t *options = fleet->options;
    const uint32_t total = options->replicas + options->prefill.replicas;
    bool made = true;
    for (uint32_t k = 0; k < total && made; k++) {
        const bool prefill = k >= options->replicas;
        sim_replica_t *r = &fleet->decode.replica[k];
        made = sim_replica_init(r, k, prefill ? options->prefill.cost : cost,
                                prefill ? &options->prefill.policy : &options->policy, options,
                                &fleet->result[k]);
        if (prefill) {
            r->hand_off = heap_push;
            r->ctx = &fleet->heap;
        }
        *out_n = k + 1;
    }
    return made;
}

assay_status_t assay_simulate(assay_arena_t *arena, const assay_sim_cost_t *cost,
                              const assay_sim_options_t *options, assay_sim_result_t *out,
                              assay_error_t *err) {
    assay_status_t status = check(cost, options, err);
    if (status) {
        return status;
    }
    const uint32_t total = options->replicas + options->prefill.replicas;
    fleet_t fleet = {.options = options};
    fleet.decode.n = options->replicas;
    fleet.prefill.n = options->prefill.replicas;
    fleet.decode.replica = assay_arena_array(arena, total, sizeof *fleet.decode.replica);
    fleet.result = assay_arena_array(arena, total, sizeof *fleet.result);
    if (!fleet.decode.replica || !fleet.result) {
        return assay_error_memory(err, NULL);
    }
    fleet.prefill.replica = fleet.decode.replica + options->replicas;
    memset(fleet.result, 0, total * sizeof *fleet.result);
    uint32_t n = 0;
    if (make_replicas(&fleet, cost, &n)) {
        plan_loss(&fleet);
        status = run(&fleet, err);
    } else {
        status = assay_error_set(err, ASSAY_MEMORY, NULL, "no memory for %u replicas", total);
    }
    if (!status) {
        merge(&fleet, out);
    }
    while (n > 0) {
        sim_replica_destroy(&fleet.decode.replica[--n]);
    }
    free(fleet.heap.sent);
    return status;
}
