/**
 * A simulator that takes every step, for tests. Written apart from the library, after
 * vllm-project/vllm v1/core/sched/scheduler.py and v1/core/block_pool.py: lists are arrays, every
 * sequence is visited in every step, every block is an object, whatever is next in time happens
 * next. Shared with the library are the time of one step and the random draws.
 */
#ifndef SIM_REFERENCE_H
#define SIM_REFERENCE_H

#include <stdlib.h>
#include <string.h>

#include "assay_test.h"
#include "sim/sim_parts.h"

enum {
    REF_REQUESTS = 60,
    REF_REPLICAS = 5,
    REF_BLOCKS = 8192,
    REF_TOKENS = 600,
    REF_PLACES = 4096
};

typedef struct {
    int64_t arrival, scheduled, first, last; /* ticks; -1: not yet */
    uint32_t input, output, first_hash, n_hash;
    uint32_t known, computed, generated;
    uint32_t n_block, n_cached;
    uint16_t block[REF_TOKENS + 64];
    bool decoding; /* its last step gave a token */
    bool filled;   /* its keys and values came with it */
    bool done, abandoned, refused;
} ref_request_t;

typedef struct {
    uint32_t id[REF_REQUESTS], n;
} ref_list_t;

typedef struct {
    uint64_t hash; /* 0: none */
    uint32_t uses;
    uint64_t stamp; /* when it got the hash */
    int32_t next;   /* of the same place */
} ref_block_t;

/* A prompt on its way to where it is decoded, and the blocks that it still has here. */
typedef struct {
    uint32_t id;
    int64_t at;
    bool arrived;
    ref_request_t held;
} ref_sent_t;

typedef struct {
    const assay_sim_cost_t *cost;
    const assay_sim_policy_t *policy;
    bool caching, prefill_only, down;
    ref_list_t waiting, running;
    ref_sent_t sent[REF_REQUESTS];
    uint32_t n_sent;
    ref_block_t block[REF_BLOCKS];
    int32_t place[REF_PLACES];
    uint16_t queue[REF_BLOCKS]; /* free, the next to be taken first */
    uint32_t n_free, parked;
    uint32_t batch;  /* of a static batch: sequences that began to decode */
    int64_t context; /* ... and all their tokens */
    int64_t now, link_free;
} ref_replica_t;

typedef struct {
    const assay_sim_options_t *options;
    ref_request_t request[REF_REQUESTS];
    ref_replica_t replica[REF_REPLICAS];
    uint32_t n, n_replica, n_decode;
    uint64_t turn[2], stamp;
    int64_t lost_at, back_at;
    uint64_t preemptions, steps, abandoned, refused, moved, lost, prefilled, cached, generated,
        wasted;
    uint64_t itl_n, accepted;
    int64_t itl_sum;
} ref_t;

static void ref_remove(ref_list_t *list, uint32_t at) {
    memmove(list->id + at, list->id + at + 1, (list->n - at - 1) * sizeof *list->id);
    list->n--;
}

static void ref_remove_id(ref_list_t *list, uint32_t id) {
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->id[i] == id) {
            ref_remove(list, i);
            return;
        }
    }
}

static void ref_push_front(ref_list_t *list, uint32_t id) {
    memmove(list->id + 1, list->id, list->n * sizeof *list->id);
    list->id[0] = id;
    list->n++;
}

static uint32_t ref_blocks(const ref_replica_t *p, uint32_t tokens) {
    return (tokens + p->policy->block_tokens - 1) / p->policy->block_tokens;
}

/* ---- blocks ---- */

/* What block j of a request holds, as a number that others have only for the same text. */
static uint64_t ref_hash(const ref_t *ref, const ref_replica_t *p, uint32_t id, uint32_t j) {
    const ref_request_t *q = &ref->request[id];
    const assay_sim_load_t *load = &ref->options->load;
    const uint32_t each = p->policy->block_tokens, end = (j + 1) * each;
    if (q->n_hash > 0 && end <= q->input && end <= q->n_hash * load->hash_tokens) {
        const uint32_t of = (end - 1) / load->hash_tokens;
        return 1000000000u + (uint64_t)load->hash[q->first_hash + of] * 100000 + end;
    }
    if (q->n_hash == 0 && end <= (uint32_t)(load->prefix_share * q->input)) {
        return 1 + (uint64_t)sim_draw_prefix(load, id) * 100000 + j;
    }
    return (uint64_t)(id + 1) * 1000000000000u + j;
}

static int32_t *ref_place(ref_replica_t *p, uint64_t hash) {
    return &p->place[hash * 2654435761u % REF_PLACES];
}

/* The block that has had the hash the longest. */
static int32_t ref_find(ref_replica_t *p, uint64_t hash) {
    int32_t best = -1;
    for (int32_t b = *ref_place(p, hash); b >= 0; b = p->block[b].next) {
        if (p->block[b].hash == hash && (best < 0 || p->block[b].stamp < p->block[best].stamp)) {
            best = b;
        }
    }
    return best;
}

static void ref_unname(ref_replica_t *p, uint32_t b) {
    if (p->block[b].hash) {
        int32_t *link = ref_place(p, p->block[b].hash);
        while (*link != (int32_t)b) {
            link = &p->block[*link].next;
        }
        *link = p->block[b].next;
        p->block[b].hash = 0;
    }
}

static void ref_take(ref_replica_t *p, ref_request_t *q, uint32_t n) {
    assert_true(n <= p->n_free);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t b = p->queue[i];
        ref_unname(p, b);
        p->block[b].uses = 1;
        q->block[q->n_block++] = (uint16_t)b;
    }
    p->n_free -= n;
    memmove(p->queue, p->queue + n, p->n_free * sizeof *p->queue);
}

static void ref_touch(ref_replica_t *p, ref_request_t *q, uint32_t b) {
    if (p->block[b].uses++ == 0) {
        uint32_t i = 0;
        while (p->queue[i] != b) {
            i++;
        }
        p->n_free--;
        memmove(p->queue + i, p->queue + i + 1, (p->n_free - i) * sizeof *p->queue);
    }
    q->block[q->n_block++] = (uint16_t)b;
}

static void ref_free(ref_replica_t *p, ref_request_t *q) {
    while (q->n_block > 0) {
        const uint32_t b = q->block[--q->n_block];
        if (--p->block[b].uses == 0) {
            p->queue[p->n_free++] = (uint16_t)b;
        }
    }
    q->n_cached = 0;
}

static void ref_cache(ref_t *ref, ref_replica_t *p, uint32_t id, uint32_t computed) {
    ref_request_t *q = &ref->request[id];
    for (; p->caching && (q->n_cached + 1) * p->policy->block_tokens <= computed; q->n_cached++) {
        ref_block_t *block = &p->block[q->block[q->n_cached]];
        if (!block->hash) {
            block->hash = ref_hash(ref, p, id, q->n_cached);
            block->stamp = ++ref->stamp;
            int32_t *place = ref_place(p, block->hash);
            block->next = *place;
            *place = (int32_t)(block - p->block);
        }
    }
}

static void ref_clear(ref_replica_t *p) {
    p->n_free = (uint32_t)p->policy->kv_blocks;
    assert_true(p->n_free <= REF_BLOCKS);
    for (uint32_t b = 0; b < p->n_free; b++) {
        p->block[b] = (ref_block_t){0};
        p->queue[b] = (uint16_t)b;
    }
    memset(p->place, 0xff, sizeof p->place);
    p->waiting.n = p->running.n = 0;
}

/* ---- ends ---- */

static void ref_end(ref_t *ref, ref_replica_t *p, uint32_t id) {
    ref_request_t *q = &ref->request[id];
    const int64_t timeout = sim_ticks_of(ref->options->timeout_s);
    if (ref->options->static_batches) {
        p->parked += q->n_block;
        q->n_block = 0;
    } else {
        ref_free(p, q);
    }
    ref_remove_id(&p->running, id);
    if (timeout > 0 && p->now - q->arrival > timeout) {
        q->abandoned = true;
        ref->abandoned++;
        ref->wasted += q->generated;
    } else {
        q->done = true;
    }
}

static void ref_give_up(ref_t *ref, ref_replica_t *p) {
    const int64_t timeout = sim_ticks_of(ref->options->timeout_s);
    for (uint32_t id = 0; id < ref->n && timeout > 0; id++) {
        ref_request_t *q = &ref->request[id];
        bool here = false;
        for (uint32_t i = 0; i < p->waiting.n; i++) {
            here = here || p->waiting.id[i] == id;
        }
        for (uint32_t i = 0; i < p->running.n; i++) {
            here = here || p->running.id[i] == id;
        }
        if (here && p->now - q->arrival >= timeout) {
            if (ref->options->static_batches) {
                p->parked += q->n_block;
                q->n_block = 0;
            } else {
                ref_free(p, q);
            }
            ref_remove_id(&p->running, id);
            ref_remove_id(&p->waiting, id);
            q->abandoned = true;
            ref->abandoned++;
            ref->wasted += q->generated;
        }
    }
}

/* ---- one step ---- */

typedef struct {
    uint32_t id[512], tokens[512], n, budget;
    bool preempted;
} ref_turn_t;

static void ref_schedule(ref_turn_t *turn, uint32_t id, uint32_t tokens) {
    turn->id[turn->n] = id;
    turn->tokens[turn->n++] = tokens;
    turn->budget -= tokens;
}

static void ref_schedule_running(ref_t *ref, ref_replica_t *p, ref_turn_t *turn) {
    const uint32_t draft = p->cost->draft_tokens;
    for (uint32_t i = 0; i < p->running.n && turn->budget > 0; i++) {
        const uint32_t id = p->running.id[i];
        ref_request_t *q = &ref->request[id];
        uint32_t tokens = q->known - q->computed + (q->decoding ? draft : 0);
        tokens = tokens < turn->budget ? tokens : turn->budget;
        const uint32_t total = ref_blocks(p, q->computed + tokens);
        bool room = true;
        while (room && total > q->n_block && total - q->n_block > p->n_free) {
            const uint32_t victim = p->running.id[p->running.n - 1];
            ref_request_t *v = &ref->request[victim];
            ref_free(p, v);
            v->computed = 0;
            v->decoding = v->filled = false;
            p->running.n--;
            ref_push_front(&p->waiting, victim);
            ref->preemptions++;
            turn->preempted = true;
            room = victim != id;
        }
        if (!room) {
            break;
        }
        ref_take(p, q, total > q->n_block ? total - q->n_block : 0);
        ref_cache(ref, p, id, q->computed + tokens < q->known ? q->computed + tokens : q->known);
        ref_schedule(turn, id, tokens);
    }
}

static void ref_schedule_waiting(ref_t *ref, ref_replica_t *p, ref_turn_t *turn) {
    while (!turn->preempted && p->waiting.n > 0 && turn->budget > 0 &&
           p->running.n < p->policy->max_sequences) {
        const uint32_t id = p->waiting.id[0], each = p->policy->block_tokens;
        ref_request_t *q = &ref->request[id];
        uint32_t found = 0, unused = 0, tokens;
        if (q->filled) {
            tokens = 1 + p->cost->draft_tokens;
            if (turn->budget < tokens) {
                break;
            }
            q->computed = q->known - 1;
        } else {
            while (p->caching && (found + 1) * each <= q->known - 1) {
                const int32_t b = ref_find(p, ref_hash(ref, p, id, found));
                if (b < 0) {
                    break;
                }
                unused += p->block[b].uses == 0;
                found++;
            }
            tokens = q->known - found * each;
            tokens = tokens < turn->budget ? tokens : turn->budget;
        }
        const uint32_t there = q->filled ? q->computed : found * each;
        const uint32_t take = ref_blocks(p, there + tokens) - found;
        if (take + unused > p->n_free) {
            break;
        }
        ref_remove(&p->waiting, 0);
        p->running.id[p->running.n++] = id;
        for (uint32_t j = 0; j < found; j++) {
            ref_touch(p, q, (uint32_t)ref_find(p, ref_hash(ref, p, id, j)));
        }
        q->n_cached = found;
        q->computed = there;
        ref->cached += found * each;
        ref_take(p, q, take);
        ref_cache(ref, p, id, there + tokens < q->known ? there + tokens : q->known);
        q->decoding = q->filled;
        ref_schedule(turn, id, tokens);
        q->scheduled = q->scheduled < 0 ? p->now : q->scheduled;
    }
}

/* A whole batch, or the next chunks of its prompts, or a step of all that began to decode. */
static void ref_schedule_static(ref_t *ref, ref_replica_t *p, ref_turn_t *turn) {
    if (p->running.n == 0) {
        p->batch = 0;
        p->context = 0;
        while (p->waiting.n > 0 && p->running.n < p->policy->max_sequences) {
            ref_request_t *q = &ref->request[p->waiting.id[0]];
            const uint32_t blocks = ref_blocks(p, q->input + q->output);
            if (blocks > p->n_free) {
                break;
            }
            ref_take(p, q, blocks);
            q->scheduled = p->now;
            p->running.id[p->running.n++] = p->waiting.id[0];
            ref_remove(&p->waiting, 0);
        }
    }
    for (uint32_t i = 0; i < p->running.n && turn->budget > 0; i++) {
        ref_request_t *q = &ref->request[p->running.id[i]];
        const uint32_t left = q->generated == 0 ? q->known - q->computed : 0;
        if (left > 0) {
            ref_schedule(turn, p->running.id[i], left < turn->budget ? left : turn->budget);
        }
    }
    if (turn->n == 0) { /* no prompt is left */
        for (uint32_t i = 0; i < p->running.n; i++) {
            ref_request_t *q = &ref->request[p->running.id[i]];
            if (!q->decoding) {
                q->decoding = true;
                p->batch++;
                p->context += q->known;
            }
            ref_schedule(turn, p->running.id[i], 1);
        }
    }
}

static void ref_hand_off(ref_t *ref, ref_replica_t *p, uint32_t id) {
    const assay_sim_prefill_t *link = &ref->options->prefill;
    ref_request_t *q = &ref->request[id];
    const int64_t start = p->link_free > p->now ? p->link_free : p->now;
    p->link_free = start + sim_ticks_of(link->kv_bytes_per_token * (double)q->computed *
                                        (1 - link->overlap) / link->link_bytes_per_s);
    const int64_t at = p->link_free + sim_ticks_of(link->latency_s);
    p->sent[p->n_sent++] = (ref_sent_t){id, at, false, *q};
    q->first = q->last = at;
    q->filled = true;
    q->n_block = q->n_cached = 0;
    ref_remove_id(&p->running, id);
}

static void ref_token(ref_t *ref, ref_replica_t *p, uint32_t id, uint32_t given) {
    ref_request_t *q = &ref->request[id];
    if (q->first < 0) {
        q->first = p->now;
    } else {
        ref->itl_sum += (p->now - q->last) / given * given;
        ref->itl_n += given;
    }
    q->last = p->now;
    q->known += given;
    q->generated += given;
    ref->generated += given;
    q->filled = false;
    if (q->generated == q->output) {
        ref_end(ref, p, id);
    } else if (p->prefill_only) {
        ref_hand_off(ref, p, id);
    } else {
        q->decoding = !ref->options->static_batches || q->decoding;
    }
}

/* false: nothing to do. */
static bool ref_step(ref_t *ref, ref_replica_t *p) {
    const uint32_t draft = p->cost->draft_tokens;
    ref_turn_t turn = {.budget = p->policy->token_budget};
    assay_serve_batch_t batch = {0};
    if (ref->options->static_batches) {
        ref_schedule_static(ref, p, &turn);
    } else {
        ref_schedule_running(ref, p, &turn);
        ref_schedule_waiting(ref, p, &turn);
    }
    if (turn.n == 0) {
        return false;
    }
    for (uint32_t i = 0; i < turn.n; i++) {
        const ref_request_t *q = &ref->request[turn.id[i]];
        if (q->decoding) {
            batch.decode += 1;
            batch.decode_context += q->known;
        } else {
            batch.prefill_tokens += turn.tokens[i];
            batch.prefill_pairs += turn.tokens[i] * (q->computed + 0.5 * turn.tokens[i]);
            batch.sampled += q->computed + turn.tokens[i] == q->known;
            ref->prefilled += turn.tokens[i];
        }
    }
    if (ref->options->static_batches && batch.decode > 0) {
        batch.decode = p->batch;
        batch.decode_context = (double)p->context;
        p->context += p->batch;
    }
    const int64_t ticks = assay_sim_step_ticks(p->cost, &batch);
    if (p == &ref->replica[ref->options->loss.replica] && ref->lost_at >= 0 &&
        p->now + ticks > ref->lost_at) {
        p->now = ref->lost_at;
        return true;
    }
    p->now += ticks;
    ref->steps++;
    for (uint32_t i = 0; i < turn.n; i++) {
        ref_request_t *q = &ref->request[turn.id[i]];
        const uint32_t left = q->input + q->output - q->known;
        uint32_t given = 1;
        if (q->decoding && draft > 0) {
            given += sim_draw_accepted(&ref->options->load, &p->cost->draft, turn.id[i], q->known);
            given = given < left ? given : left;
            ref->accepted += given - 1;
        }
        if (q->decoding) {
            q->computed = q->known + given - 1;
        } else {
            q->computed += turn.tokens[i];
        }
        if (q->computed >= q->known) {
            ref_token(ref, p, turn.id[i], given);
        }
    }
    if (ref->options->static_batches && p->running.n == 0) {
        p->n_free += p->parked; /* which block it was does not matter there */
        p->parked = 0;
    }
    return true;
}

/* ---- router ---- */

static uint32_t ref_longest(ref_t *ref, ref_replica_t *p, uint32_t id) {
    const ref_request_t *q = &ref->request[id];
    const uint32_t hashed = q->n_hash * ref->options->load.hash_tokens;
    const uint32_t shared = q->n_hash == 0 ? (uint32_t)(ref->options->load.prefix_share * q->input)
                            : hashed < q->input ? hashed
                                                : q->input;
    uint32_t found = 0;
    while (p->caching && (found + 1) * p->policy->block_tokens <= shared &&
           ref_find(p, ref_hash(ref, p, id, found)) >= 0) {
        found++;
    }
    return found;
}

static ref_replica_t *ref_least(ref_replica_t *from, uint32_t n, bool by_kv) {
    ref_replica_t *best = NULL;
    for (uint32_t k = 0; k < n; k++) {
        ref_replica_t *p = &from[k];
        if (p->down) {
            continue;
        }
        const uint32_t load = p->waiting.n + p->running.n;
        const double used = by_kv ? 1 - (double)p->n_free / (double)p->policy->kv_blocks : 0;
        if (best) {
            const uint32_t best_load = best->waiting.n + best->running.n;
            const double best_used =
                by_kv ? 1 - (double)best->n_free / (double)best->policy->kv_blocks : 0;
            if (used > best_used || (used >= best_used && load >= best_load)) {
                continue;
            }
        }
        best = p;
    }
    return best;
}

static ref_replica_t *ref_route(ref_t *ref, ref_replica_t *from, uint32_t n, uint32_t pool,
                                uint32_t id) {
    uint32_t up = 0, most = 0, least = UINT32_MAX, longest = 0;
    ref_replica_t *order[REF_REPLICAS], *best = NULL;
    for (uint32_t k = 0; k < n; k++) {
        if (!from[k].down) {
            const uint32_t load = from[k].waiting.n + from[k].running.n;
            const uint32_t found = ref_longest(ref, &from[k], id);
            order[up++] = &from[k];
            most = load > most ? load : most;
            least = load < least ? load : least;
            if (found > longest) {
                longest = found;
                best = &from[k];
            }
        }
    }
    switch (up ? ref->options->router : ASSAY_ROUTER_N) {
    case ASSAY_ROUTER_RANDOM:
        return order[sim_draw_replica(&ref->options->load, id, up)];
    case ASSAY_ROUTER_LEAST_REQUESTS:
        return ref_least(from, n, false);
    case ASSAY_ROUTER_LEAST_KV:
        return ref_least(from, n, true);
    case ASSAY_ROUTER_PREFIX:
        if (most - least > 32) {
            return ref_least(from, n, false);
        }
        return best && longest * best->policy->block_tokens > 0.5 * ref->request[id].input
                   ? best
                   : ref_least(from, n, true);
    case ASSAY_ROUTER_ROUND_ROBIN:
        return order[ref->turn[pool]++ % up];
    default:
        return NULL;
    }
}

/* ---- the fleet ---- */

static void ref_enter(ref_t *ref, uint32_t pool, uint32_t id, int64_t at) {
    ref_replica_t *from = pool ? ref->replica + ref->n_decode : ref->replica;
    ref_request_t *q = &ref->request[id];
    ref_replica_t *p =
        ref_route(ref, from, pool ? ref->n_replica - ref->n_decode : ref->n_decode, pool, id);
    if (!p && ref->back_at >= 0) {
        p = &ref->replica[ref->options->loss.replica];
    }
    if (!p) {
        ref->lost++;
        ref->wasted += q->generated;
    } else if (ref_blocks(p, q->input + q->output + p->cost->draft_tokens) > p->policy->kv_blocks) {
        ref->refused++;
        q->refused = true;
    } else {
        if (p->running.n == 0 && p->waiting.n == 0 && p->now < at) {
            p->now = at;
        }
        p->waiting.id[p->waiting.n++] = id;
    }
}

static void ref_lose(ref_t *ref) {
    ref_replica_t *p = &ref->replica[ref->options->loss.replica];
    ref_list_t all = p->running;
    const int64_t at = ref->lost_at;
    for (uint32_t i = 0; i < p->waiting.n; i++) {
        all.id[all.n++] = p->waiting.id[i];
    }
    p->down = true;
    ref_clear(p);
    p->now = ref->back_at >= 0 ? ref->back_at : INT64_MAX;
    ref->lost_at = -1;
    for (uint32_t i = 0; i < all.n; i++) {
        ref_request_t *q = &ref->request[all.id[i]];
        q->n_block = q->n_cached = q->computed = 0;
        q->decoding = false;
        ref->moved++;
        ref_enter(ref, 0, all.id[i], at);
    }
}

/* Whatever is next: a loss, a return, a prompt that has been sent, an arrival, a step. */
static bool ref_next(ref_t *ref, uint32_t *io_arrived) {
    enum { NOTHING, LOSS, RETURN, SENT, ARRIVAL, STEP } what = NOTHING;
    int64_t at = INT64_MAX;
    uint32_t which = 0;
    if (ref->lost_at >= 0) {
        what = LOSS;
        at = ref->lost_at;
    }
    if (ref->lost_at < 0 && ref->back_at >= 0 && ref->replica[ref->options->loss.replica].down &&
        ref->back_at < at) {
        what = RETURN;
        at = ref->back_at;
    }
    ref_sent_t *sent = NULL;
    for (uint32_t k = 0; k < ref->n_replica; k++) {
        for (uint32_t i = 0; i < ref->replica[k].n_sent; i++) {
            ref_sent_t *one = &ref->replica[k].sent[i];
            if (!one->arrived && (one->at < at || (one->at == at && sent && one->id < sent->id))) {
                what = SENT;
                at = one->at;
                sent = one;
            }
        }
    }
    if (*io_arrived < ref->n && ref->request[*io_arrived].arrival < at) {
        what = ARRIVAL;
        at = ref->request[*io_arrived].arrival;
    }
    for (uint32_t k = 0; k < ref->n_replica; k++) {
        const ref_replica_t *p = &ref->replica[k];
        if (p->now < at && (p->running.n > 0 || p->waiting.n > 0)) {
            what = STEP;
            at = p->now;
            which = k;
        }
    }
    switch (what) {
    case LOSS:
        ref_lose(ref);
        return true;
    case RETURN:
        ref->replica[ref->options->loss.replica].down = false;
        return true;
    case SENT:
        sent->arrived = true;
        ref_enter(ref, 0, sent->id, at);
        return true;
    case ARRIVAL:
        ref_enter(ref, ref->n_replica > ref->n_decode, (*io_arrived)++, at);
        return true;
    case STEP: {
        ref_replica_t *p = &ref->replica[which];
        while (p->n_sent > 0 && p->sent[0].at <= p->now) { /* its blocks are needed no more */
            ref_free(p, &p->sent[0].held);
            memmove(p->sent, p->sent + 1, --p->n_sent * sizeof *p->sent);
        }
        ref_give_up(ref, p);
        if (ref->options->static_batches && p->running.n == 0) {
            p->n_free += p->parked;
            p->parked = 0;
        }
        if (p->running.n + p->waiting.n > 0 && !ref_step(ref, p)) {
            /* only what is being sent holds the blocks that it waits for */
            assert_true(p->n_sent > 0);
            p->now = p->sent[0].at;
        }
        return true;
    }
    default:
        return false;
    }
}

#endif
