/* Blocks of prompts: which of them others may use, and what a request finds when it begins. */
#include <stdlib.h>

#include "sim/sim_parts.h"

/* ---- keys ---- */

/* Fields of a key: what it is of, which one, and a number below 2^24 within it. */
#define KEY_SHIFT 24
#define KEY_OWN ((uint64_t)1 << 63)
#define KEY_PREFIX ((uint64_t)1 << 62)

/* Leading tokens of a prompt that others may have as well. */
static uint32_t shared_tokens(const assay_sim_load_t *load, const sim_request_t *q) {
    if (q->n_hash > 0) {
        const uint64_t hashed = (uint64_t)q->n_hash * load->hash_tokens;
        return hashed < q->input ? (uint32_t)hashed : q->input;
    }
    return (uint32_t)(load->prefix_share * q->input);
}

/* Block j: its content and all before it. */
static uint64_t key_of(const sim_replica_t *r, const sim_request_t *q, uint32_t j, bool shared) {
    const assay_sim_load_t *load = &r->options->load;
    if (!shared) {
        return KEY_OWN | q->id << KEY_SHIFT | j;
    }
    if (q->n_hash > 0) {
        const uint64_t last = (uint64_t)(j + 1) * r->policy->block_tokens - 1;
        const uint64_t hash = load->hash[q->first_hash + last / load->hash_tokens];
        return (hash + 1) << KEY_SHIFT | last % load->hash_tokens;
    }
    return KEY_PREFIX | (uint64_t)sim_draw_prefix(load, q->id) << KEY_SHIFT | j;
}

static uint32_t shared_blocks(const sim_replica_t *r, const sim_request_t *q) {
    return shared_tokens(&r->options->load, q) / r->policy->block_tokens;
}

uint32_t sim_replica_prefix(const sim_replica_t *r, const sim_request_t *q) {
    const uint32_t n = r->cache.caching ? shared_blocks(r, q) : 0;
    uint32_t found = 0;
    while (found < n && sim_cache_find(&r->cache, key_of(r, q, found, true)) != SIM_NONE) {
        found++;
    }
    return found;
}

/* ---- beginning ---- */

/* At least one token is computed, even when all are in the cache. */
static void find_blocks(const sim_replica_t *r, const sim_sequence_t *s, sim_start_t *out) {
    const uint32_t shared = shared_blocks(r, &s->q);
    uint32_t most = (s->q.known - 1) / r->policy->block_tokens;
    if (!s->preempted && most > shared) {
        most = shared; /* what is its own it has not computed here yet */
    }
    while (out->found < most) {
        const uint32_t at =
            sim_cache_find(&r->cache, key_of(r, &s->q, out->found, out->found < shared));
        if (at == SIM_NONE) {
            break;
        }
        out->revived += r->cache.block[at].uses == 0;
        out->found++;
    }
}

bool sim_can_start(const sim_replica_t *r, const sim_sequence_t *s, uint32_t budget,
                   sim_start_t *out) {
    *out = (sim_start_t){0};
    if (r->n_running >= r->policy->max_sequences || budget == 0) {
        return false;
    }
    if (s->q.filled) {
        const uint32_t step = 1 + r->cost->draft_tokens;
        out->tokens = step;
        out->taken = sim_blocks_for(r, s->q.known + step - 1);
        return budget >= step && out->taken <= r->cache.free;
    }
    if (r->cache.caching) {
        find_blocks(r, s, out);
    }
    const uint32_t there = out->found * r->policy->block_tokens, left = s->q.known - there;
    out->tokens = left < budget ? left : budget;
    out->taken = sim_blocks_for(r, there + out->tokens) - out->found;
    return (uint64_t)out->taken + out->revived <= r->cache.free;
}

void sim_start(sim_replica_t *r, sim_sequence_t *s, const sim_start_t *start) {
    const uint32_t shared = r->cache.caching ? shared_blocks(r, &s->q) : 0;
    s->blocks = start->found + start->taken;
    s->n_held = 0;
    if (shared > 0 && !s->q.filled) {
        s->held = malloc(shared * sizeof *s->held);
        r->failed = r->failed || !s->held;
    }
    for (uint32_t j = 0; j < start->found; j++) {
        const uint32_t at = sim_cache_find(&r->cache, key_of(r, &s->q, j, j < shared));
        if (j >= shared) {
            sim_cache_use_unnamed(&r->cache, at);
        } else if (s->held) {
            sim_cache_use(&r->cache, at);
            s->held[s->n_held++] = at;
        }
    }
    sim_cache_take(&r->cache, start->taken);
    s->computed = start->found * r->policy->block_tokens;
    r->result->cached_tokens += s->computed;
    r->prefilling_tokens += s->q.filled ? 0 : s->computed;
}

void sim_hold(sim_replica_t *r, sim_sequence_t *s) {
    if (!s->held) {
        return;
    }
    const uint32_t shared = shared_blocks(r, &s->q), full = s->computed / r->policy->block_tokens;
    while (s->n_held < shared && s->n_held < full) {
        const uint32_t at = sim_cache_name(&r->cache, key_of(r, &s->q, s->n_held, true));
        if (at == SIM_NONE) {
            return;
        }
        s->held[s->n_held++] = at;
    }
}

/* The last block is freed first, so that it is taken first. */
void sim_release(sim_replica_t *r, sim_sequence_t *s, bool comes_back) {
    const uint32_t blocks = sim_blocks_now(r, s);
    uint32_t named = s->n_held;
    if (r->cache.caching && comes_back) {
        /* blocks get their keys when a step is planned, so that what drafts gave in the last step
           has none yet */
        const bool plain = s->decoding && r->cost->draft_tokens == 0;
        const uint32_t computed = plain ? sim_known_now(r, s) - 1 : s->computed;
        named = computed / r->policy->block_tokens;
    }
    sim_cache_give(&r->cache, blocks - named);
    while (named > s->n_held) {
        sim_cache_give_named(&r->cache, key_of(r, &s->q, --named, false));
    }
    while (named > 0) {
        sim_cache_leave(&r->cache, s->held[--named]);
    }
    free(s->held);
    s->held = NULL;
    s->n_held = s->blocks = 0;
}
