/* One replica: who waits, who runs, and what becomes of them. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_parts.h"

#include "base/banned.h"

/* ---- lists ---- */

void sim_list_append(sim_replica_t *r, sim_list_t *list, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    s->next = SIM_NONE;
    s->previous = list->last;
    if (list->last == SIM_NONE) {
        list->first = at;
    } else {
        r->sequence[list->last].next = at;
    }
    list->last = at;
}

void sim_list_prepend(sim_replica_t *r, sim_list_t *list, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    s->previous = SIM_NONE;
    s->next = list->first;
    if (list->first == SIM_NONE) {
        list->last = at;
    } else {
        r->sequence[list->first].previous = at;
    }
    list->first = at;
}

void sim_list_remove(sim_replica_t *r, sim_list_t *list, uint32_t at) {
    const sim_sequence_t *s = &r->sequence[at];
    if (s->previous == SIM_NONE) {
        list->first = s->next;
    } else {
        r->sequence[s->previous].next = s->next;
    }
    if (s->next == SIM_NONE) {
        list->last = s->previous;
    } else {
        r->sequence[s->next].previous = s->previous;
    }
}

static bool is_older(const sim_sequence_t *a, const sim_sequence_t *b) {
    return a->q.arrival < b->q.arrival || (a->q.arrival == b->q.arrival && a->q.id < b->q.id);
}

/* Oldest first; all but those that come from a lost replica are the youngest. */
static void age_insert(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    s->older = r->ages.last;
    s->younger = SIM_NONE;
    while (s->older != SIM_NONE && is_older(s, &r->sequence[s->older])) {
        s->younger = s->older;
        s->older = r->sequence[s->older].older;
    }
    *(s->older == SIM_NONE ? &r->ages.first : &r->sequence[s->older].younger) = at;
    *(s->younger == SIM_NONE ? &r->ages.last : &r->sequence[s->younger].older) = at;
}

static void age_remove(sim_replica_t *r, uint32_t at) {
    const sim_sequence_t *s = &r->sequence[at];
    *(s->older == SIM_NONE ? &r->ages.first : &r->sequence[s->older].younger) = s->younger;
    *(s->younger == SIM_NONE ? &r->ages.last : &r->sequence[s->younger].older) = s->older;
}

/* ---- pool ---- */

static bool pool_grow(sim_replica_t *r) {
    const uint32_t n = r->n_pool ? 2 * r->n_pool : 1024;
    sim_sequence_t *more = n > r->n_pool ? realloc(r->sequence, (size_t)n * sizeof *more) : NULL;
    if (!more) {
        r->failed = true;
        return false;
    }
    r->sequence = more;
    for (uint32_t i = n; i-- > r->n_pool;) {
        more[i].held = NULL;
        more[i].next = r->free_first;
        r->free_first = i;
    }
    r->n_pool = n;
    return true;
}

static void pool_return(sim_replica_t *r, uint32_t at) {
    r->sequence[at].next = r->free_first;
    r->free_first = at;
}

/* Nobody is here, nothing is in the cache. */
static bool make_empty(sim_replica_t *r) {
    const sim_list_t none = {SIM_NONE, SIM_NONE};
    r->waiting = r->running = r->ages = r->sending = none;
    r->n_running = r->n_decoding = r->n_prefilling = 0;
    r->n_waiting = r->parked = r->prefilling_tokens = 0;
    r->context = 0;
    memset(r->finish, 0xff, (size_t)r->ring * sizeof *r->finish); /* SIM_NONE */
    memset(r->finish_bits, 0, r->ring / 64 * sizeof *r->finish_bits);
    memset(r->residue, 0, r->policy->block_tokens * sizeof *r->residue);
    const assay_sim_options_t *options = r->options;
    const bool decodes_only =
        options->prefill.replicas > 0 && r->policy != &options->prefill.policy;
    return sim_cache_init(&r->cache, r->policy->kv_blocks,
                          options->prefix_caching && !options->static_batches && !decodes_only);
}

bool sim_replica_init(sim_replica_t *r, uint32_t index, const assay_sim_cost_t *cost,
                      const assay_sim_policy_t *policy, const assay_sim_options_t *options,
                      assay_sim_result_t *result) {
    uint32_t ring = 64;
    while (ring <= options->load.max_tokens) {
        ring *= 2;
    }
    *r = (sim_replica_t){.index = index,
                         .cost = cost,
                         .policy = policy,
                         .options = options,
                         .free_first = SIM_NONE,
                         .timeout = sim_ticks_of(options->timeout_s),
                         .dies = INT64_MAX,
                         .ring = ring,
                         .result = result};
    r->finish = malloc((size_t)ring * sizeof *r->finish);
    r->finish_bits = malloc(ring / 64 * sizeof *r->finish_bits);
    r->residue = malloc(policy->block_tokens * sizeof *r->residue);
    return r->finish && r->finish_bits && r->residue && pool_grow(r) && make_empty(r);
}

void sim_replica_destroy(sim_replica_t *r) {
    for (uint32_t i = 0; i < r->n_pool; i++) {
        free(r->sequence[i].held);
    }
    free(r->sequence);
    free(r->finish);
    free(r->finish_bits);
    free(r->residue);
    sim_cache_done(&r->cache);
}

/* ---- ends ---- */

/* A client of a closed loop asks again. */
static void send_next(sim_replica_t *r) {
    bool sent = false;
    while (!sent && !r->failed && r->next_id < r->last_id) {
        int64_t gap;
        sim_request_t request = {.id = r->next_id++,
                                 .arrival = r->now,
                                 .scheduled = -1,
                                 .first_token = -1,
                                 .last_token = -1};
        assay_sim_draw(&r->options->load, request.id, &gap, &request.input, &request.output);
        request.known = request.input;
        sent = sim_replica_add(r, &request, r->now);
    }
}

static void drop(sim_replica_t *r, uint32_t at) {
    if (r->timeout > 0) {
        age_remove(r, at);
    }
    pool_return(r, at);
}

/* Out of those that run. */
static void leave_running(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    if (r->options->static_batches) {
        r->parked += s->blocks;
    } else {
        sim_release(r, s, false);
    }
    if (s->decoding) {
        sim_end_decoding(r, at);
    }
    sim_list_remove(r, &r->running, at);
    r->n_running--;
    if (r->options->static_batches && r->n_running == 0) {
        sim_cache_give(&r->cache, r->parked);
        r->parked = 0;
        r->n_decoding = 0;
        r->context = 0;
    }
}

static void note_part(sim_replica_t *r, const sim_sequence_t *s, int64_t ttft) {
    const uint64_t n = r->options->load.requests;
    const uint64_t part = (uint64_t)((double)s->q.id / (double)n * ASSAY_SIM_PARTS);
    const uint64_t i = part < ASSAY_SIM_PARTS ? part : ASSAY_SIM_PARTS - 1;
    const double ttft_s = (double)ttft / (double)ASSAY_TICKS_PER_S;
    r->result->parts.sum_s[i] += ttft_s;
    r->result->parts.square_s2[i] += ttft_s * ttft_s;
    r->result->parts.n[i]++;
}

static void note_done(sim_replica_t *r, sim_sequence_t *s) {
    assay_sim_result_t *result = r->result;
    const assay_sim_slo_t *slo = &r->options->slo;
    const int64_t ttft = s->q.first_token - s->q.arrival, e2e = r->now - s->q.arrival;
    const int64_t tpot = s->q.output > 1 ? (r->now - s->q.first_token) / (s->q.output - 1) : 0;
    s->q.last_token = r->now;
    result->requests++;
    result->output_tokens += s->q.output;
    result->input_tokens += s->q.input;
    sim_histogram_add(&result->ttft, ttft, 1);
    sim_histogram_add(&result->e2e, e2e, 1);
    if (s->q.output > 1) {
        sim_histogram_add(&result->tpot, tpot, 1);
    }
    note_part(r, s, ttft);
    const double second = (double)ASSAY_TICKS_PER_S;
    const bool late_first = slo->ttft_s > 0 && (double)ttft > slo->ttft_s * second;
    const bool slow = slo->tpot_s > 0 && (double)tpot > slo->tpot_s * second;
    const bool late = slo->e2e_s > 0 && (double)e2e > slo->e2e_s * second;
    result->over_ttft += late_first;
    result->over_tpot += slow;
    result->over_e2e += late;
    result->good += !late_first && !slow && !late;
    if (r->options->finished) {
        const assay_sim_done_t done = {s->q.id,        r->index,         s->q.arrival,
                                       s->q.scheduled, s->q.first_token, s->q.last_token,
                                       s->q.input,     s->q.output};
        r->options->finished(r->options->ctx, &done);
    }
}

static void note_abandoned(sim_replica_t *r, const sim_sequence_t *s) {
    r->result->abandoned++;
    r->result->wasted_tokens += sim_known_now(r, s) - s->q.input;
}

void sim_finish(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    leave_running(r, at);
    if (r->timeout > 0 && r->now - s->q.arrival > r->timeout) {
        note_abandoned(r, s);
    } else {
        note_done(r, s);
    }
    drop(r, at);
    send_next(r);
}

/* Clients whose patience is over. */
static void abandon_late(sim_replica_t *r) {
    while (r->ages.first != SIM_NONE &&
           r->now - r->sequence[r->ages.first].q.arrival >= r->timeout) {
        const uint32_t at = r->ages.first;
        sim_sequence_t *s = &r->sequence[at];
        note_abandoned(r, s);
        if (s->runs) {
            if (s->prefilling) {
                r->n_prefilling--;
                r->prefilling_tokens -= s->computed;
            }
            leave_running(r, at);
        } else {
            sim_list_remove(r, &r->waiting, at);
            r->n_waiting--;
        }
        drop(r, at);
        send_next(r);
    }
}

/* Of a static batch all begin to decode when its prompts are done. */
static void begin_batch(sim_replica_t *r) {
    r->fresh = true;
    for (uint32_t at = r->running.first; at != SIM_NONE; at = r->sequence[at].next) {
        sim_begin_decoding(r, at);
    }
}

/* ---- prompts whose keys and values have arrived elsewhere ---- */

void sim_send(sim_replica_t *r, uint32_t at) {
    if (r->timeout > 0) {
        age_remove(r, at);
    }
    sim_list_remove(r, &r->running, at);
    r->n_running--;
    sim_list_append(r, &r->sending, at);
}

static void release_sent(sim_replica_t *r, int64_t until) {
    while (r->sending.first != SIM_NONE && r->sequence[r->sending.first].sent <= until) {
        const uint32_t at = r->sending.first;
        sim_release(r, &r->sequence[at], false);
        sim_list_remove(r, &r->sending, at);
        pool_return(r, at);
    }
}

/* ---- run ---- */

/* Nothing but decoding until a sequence ends: how many steps the blocks allow. 0: there is more. */
static int64_t quiet_steps(const sim_replica_t *r, uint64_t *out_blocks) {
    sim_start_t start;
    if (r->n_prefilling > 0 || r->n_decoding == 0 || r->cost->draft_tokens > 0) {
        return 0;
    }
    if (!r->options->static_batches && r->waiting.first != SIM_NONE &&
        sim_can_start(r, &r->sequence[r->waiting.first], r->policy->token_budget - r->n_decoding,
                      &start)) {
        return 0;
    }
    return sim_steps_in_blocks(r, sim_steps_to_finish(r), out_blocks);
}

static bool is_idle(const sim_replica_t *r) {
    return r->n_running == 0 && r->waiting.first == SIM_NONE;
}

void sim_replica_run(sim_replica_t *r, int64_t until) {
    while (r->now < until && r->now < r->dies && !is_idle(r) && !r->failed && !r->cache.failed) {
        uint64_t blocks = 0;
        int64_t limit = until;
        release_sent(r, r->now);
        if (r->timeout > 0) {
            abandon_late(r);
            if (is_idle(r)) {
                break;
            }
            const int64_t deadline = r->sequence[r->ages.first].q.arrival + r->timeout;
            limit = deadline < until ? deadline : until;
        }
        if (r->options->static_batches && r->n_prefilling == 0 && r->n_decoding == 0) {
            begin_batch(r);
        }
        const int64_t steps = quiet_steps(r, &blocks);
        if (steps > 0) {
            sim_decode_many(r, steps, blocks, limit);
        } else if (!sim_take_turn(r)) {
            if (r->sending.first == SIM_NONE) {
                break; /* a cache that holds every request alone does not let that happen */
            }
            r->now = r->sequence[r->sending.first].sent; /* which gives blocks back */
        }
    }
    if (until == INT64_MAX && is_idle(r)) {
        release_sent(r, INT64_MAX);
        assert(r->cache.failed || r->failed || r->cache.free == r->policy->kv_blocks);
    }
}

bool sim_replica_add(sim_replica_t *r, const sim_request_t *request, int64_t now) {
    const uint32_t tokens = request->input + request->output;
    if (tokens > r->options->load.max_tokens ||
        sim_blocks_for(r, tokens + r->cost->draft_tokens) > r->policy->kv_blocks) {
        r->result->refused++;
        return false;
    }
    if (r->free_first == SIM_NONE && !pool_grow(r)) {
        return false;
    }
    const uint32_t at = r->free_first;
    sim_sequence_t *s = &r->sequence[at];
    const bool was_idle = is_idle(r);
    r->free_first = s->next;
    *s = (sim_sequence_t){.q = *request};
    sim_list_append(r, &r->waiting, at);
    r->n_waiting++;
    if (r->timeout > 0) {
        age_insert(r, at);
    }
    if (was_idle && r->now < now) {
        r->now = now;
    }
    return true;
}

static void take_all(sim_replica_t *r, const sim_list_t *list,
                     void (*take)(void *ctx, const sim_request_t *request), void *ctx) {
    for (uint32_t at = list->first; at != SIM_NONE;) {
        sim_sequence_t *s = &r->sequence[at];
        sim_request_t request = s->q;
        const uint32_t next = s->next;
        request.known = sim_known_now(r, s);
        if (s->decoding && r->cost->draft_tokens == 0) {
            request.last_token = r->ended; /* all of them took part in the last step */
        }
        request.filled = false;
        free(s->held);
        s->held = NULL;
        pool_return(r, at);
        take(ctx, &request);
        at = next;
    }
}

void sim_replica_lose(sim_replica_t *r, int64_t back,
                      void (*take)(void *ctx, const sim_request_t *request), void *ctx) {
    const sim_list_t running = r->running, waiting = r->waiting;
    const uint64_t evicted = r->cache.evicted;
    take_all(r, &running, take, ctx);
    take_all(r, &waiting, take, ctx);
    sim_cache_done(&r->cache);
    r->failed = !make_empty(r) || r->failed;
    r->cache.evicted = evicted;
    r->dies = INT64_MAX;
    r->now = back;
}
