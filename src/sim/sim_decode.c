/* Sequences that decode: what they hold, when they end, and many of their steps at once. */
#include <math.h>

#include "sim/sim_parts.h"

static bool has_draft(const sim_replica_t *r) {
    return r->cost->draft_tokens > 0;
}

/* ---- blocks ---- */

uint32_t sim_blocks_for(const sim_replica_t *r, uint32_t tokens) {
    const uint32_t each = r->policy->block_tokens;
    return tokens / each + (tokens % each != 0);
}

uint32_t sim_known_now(const sim_replica_t *r, const sim_sequence_t *s) {
    return s->decoding && !has_draft(r) ? s->q.known + (uint32_t)(r->decode_steps - s->began)
                                        : s->q.known;
}

/* A decode step computes the last known token, so all but that one are in blocks already. */
uint32_t sim_blocks_now(const sim_replica_t *r, const sim_sequence_t *s) {
    return s->decoding && !has_draft(r) && !r->options->static_batches
               ? sim_blocks_for(r, sim_known_now(r, s) - 1)
               : s->blocks;
}

/* The step count, modulo the block, at which a decoding sequence needs a new block. */
static uint32_t residue_of(const sim_replica_t *r, const sim_sequence_t *s) {
    const uint32_t each = r->policy->block_tokens;
    /* in step j it holds known - 1 + (j - began) tokens and needs one more place */
    const uint64_t full = (uint64_t)(s->q.known - 1) % each;
    return (uint32_t)((s->began + each - full) % each);
}

/* ---- the sums over those that decode ---- */

/* Those of one slot are in the order of their admission, as they are freed; the first knows the
   last as its previous. */
static void file_by_end(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    const uint32_t left = s->q.input + s->q.output - s->q.known;
    const uint32_t slot = (uint32_t)((r->decode_steps + left) & (r->ring - 1));
    const uint32_t first = r->finish[slot];
    r->finish_bits[slot / 64] |= (uint64_t)1 << (slot % 64);
    s->finish_next = SIM_NONE;
    s->finish_previous = at;
    if (first == SIM_NONE) {
        r->finish[slot] = at;
        return;
    }
    uint32_t before = r->sequence[first].finish_previous;
    while (before != SIM_NONE && r->sequence[before].turn > s->turn) {
        s->finish_next = before;
        before = before == first ? SIM_NONE : r->sequence[before].finish_previous;
    }
    if (before == SIM_NONE) {
        r->finish[slot] = at;
        s->finish_previous = r->sequence[first].finish_previous;
    } else {
        r->sequence[before].finish_next = at;
        s->finish_previous = before;
    }
    r->sequence[s->finish_next == SIM_NONE ? r->finish[slot] : s->finish_next].finish_previous = at;
}

static void unfile(sim_replica_t *r, uint32_t at) {
    const sim_sequence_t *s = &r->sequence[at];
    const uint32_t slot =
        (uint32_t)((s->began + (s->q.input + s->q.output - s->q.known)) & (r->ring - 1));
    const bool is_first = r->finish[slot] == at, is_last = s->finish_next == SIM_NONE;
    if (is_first) {
        r->finish[slot] = s->finish_next;
    } else {
        r->sequence[s->finish_previous].finish_next = s->finish_next;
    }
    if (r->finish[slot] == SIM_NONE) {
        r->finish_bits[slot / 64] &= ~((uint64_t)1 << (slot % 64));
    } else {
        r->sequence[is_last ? r->finish[slot] : s->finish_next].finish_previous =
            s->finish_previous;
    }
}

void sim_begin_decoding(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    s->decoding = true;
    s->began = r->decode_steps;
    r->n_decoding++;
    r->context += s->q.known;
    if (!has_draft(r)) {
        r->residue[residue_of(r, s)]++;
        file_by_end(r, at);
    }
}

void sim_end_decoding(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    const uint32_t known = sim_known_now(r, s);
    if (!has_draft(r)) {
        r->residue[residue_of(r, s)]--;
        unfile(r, at);
    }
    s->q.known = known;
    s->decoding = false;
    if (!r->options->static_batches) { /* there the batch goes on as wide as it was */
        r->context -= known;
        r->n_decoding--;
    }
}

int64_t sim_steps_to_finish(const sim_replica_t *r) {
    const uint32_t words = r->ring / 64;
    const uint32_t start = (uint32_t)((r->decode_steps + 1) & (r->ring - 1));
    uint32_t word = start / 64;
    uint64_t bits = r->finish_bits[word] & (~(uint64_t)0 << (start % 64));
    while (bits == 0) {
        word = word + 1 == words ? 0 : word + 1;
        bits = r->finish_bits[word];
    }
    const uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
    return (int64_t)((slot - start) & (r->ring - 1)) + 1;
}

int64_t sim_steps_in_blocks(const sim_replica_t *r, int64_t most, uint64_t *out_taken) {
    const uint32_t each = r->policy->block_tokens;
    *out_taken = 0;
    if (r->options->static_batches) { /* they took all at their start */
        return most;
    }
    /* whole turns of the block take one block of every sequence */
    const int64_t turns_by_blocks = (int64_t)(r->cache.free / r->n_decoding);
    const int64_t turns_by_steps = most / each;
    const int64_t turns = turns_by_blocks < turns_by_steps ? turns_by_blocks : turns_by_steps;
    int64_t steps = turns * each;
    uint64_t taken = (uint64_t)turns * r->n_decoding;
    for (; steps < most; steps++) {
        const uint32_t need = r->residue[(r->decode_steps + (uint64_t)steps) % each];
        if (taken + need > r->cache.free) {
            break;
        }
        taken += need;
    }
    *out_taken = taken;
    return steps;
}

void sim_finish_due(sim_replica_t *r) {
    const uint32_t slot = (uint32_t)(r->decode_steps & (r->ring - 1));
    while (r->finish[slot] != SIM_NONE) {
        sim_finish(r, r->finish[slot]);
    }
}

/* ---- many steps at once ---- */

/* Ticks of k steps whose first takes `first` and each following one `each` more. */
static int64_t ticks_of_steps(int64_t first, int64_t each, int64_t k) {
    return k * first + each * (k * (k - 1) / 2);
}

/* The fewest steps, at most `most`, that last until `span` or longer. */
static int64_t steps_to_span(int64_t first, int64_t each, int64_t span, int64_t most) {
    int64_t low = 1, high = most; /* the answer is in low..high */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ticks_of_steps(first, each, middle) >= span) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* How the time of a step grows from one to the next, and for how many steps it does so. */
static int64_t growth(const sim_replica_t *r, int64_t *io_most) {
    const assay_sim_cost_t *cost = r->cost;
    const uint32_t n = r->n_decoding;
    int64_t each = cost->full[n] * n;
    for (uint32_t w = 0; w < cost->n_window; w++) {
        const int64_t most = (int64_t)(n * cost->window[w]);
        if (r->context < most) {
            /* the last step of this slope starts below the limit, and its successor may be cut */
            const int64_t steps = (most - r->context) / n;
            each += cost->window_ticks[w * ((size_t)cost->max_sequences + 1) + n] * n;
            *io_most = steps + 1 < *io_most ? steps + 1 : *io_most;
        }
    }
    return each;
}

static void note_gaps(sim_replica_t *r, int64_t first, int64_t each, int64_t steps) {
    /* sequences of a static batch that have ended take part and give nothing */
    const uint32_t active = r->n_running;
    int64_t noted = 0;
    if (r->fresh) { /* they also waited for each other's prompts */
        for (uint32_t at = r->running.first; at != SIM_NONE; at = r->sequence[at].next) {
            const int64_t gap = r->now + first - r->sequence[at].q.last_token;
            sim_histogram_add(&r->result->itl, gap, 1);
        }
        r->fresh = false;
        noted = 1;
    }
    if (steps > noted) {
        sim_histogram_add_row(&r->result->itl, first + each * noted, each, steps - noted, active);
    }
    r->result->generated_tokens += (uint64_t)steps * active;
}

void sim_decode_many(sim_replica_t *r, int64_t most, uint64_t blocks, int64_t until) {
    const uint32_t n = r->n_decoding;
    const assay_serve_batch_t batch = {.decode = n, .decode_context = (double)r->context};
    const int64_t first = assay_sim_step_ticks(r->cost, &batch);
    int64_t steps = most;
    const int64_t each = growth(r, &steps);
    if (until != INT64_MAX && ticks_of_steps(first, each, steps) >= until - r->now) {
        steps = steps_to_span(first, each, until - r->now, steps);
    }
    if (r->dies != INT64_MAX && ticks_of_steps(first, each, steps) > r->dies - r->now) {
        steps = steps_to_span(first, each, r->dies - r->now + 1, steps) - 1;
        if (steps == 0) {
            r->now = r->dies;
            return;
        }
    }
    if (steps < most) {
        (void)sim_steps_in_blocks(r, steps, &blocks);
    }
    const int64_t ticks = ticks_of_steps(first, each, steps);
    const double step_stream_s = r->cost->stream_s[n];
    const double contexts_s =
        (double)(ticks - steps * r->cost->decode[n]) / (double)ASSAY_TICKS_PER_S;
    note_gaps(r, first, each, steps);
    r->result->kv_token_s += ((double)r->context + 0.5 * (double)n * (double)(steps - 1)) *
                             ((double)ticks / (double)ASSAY_TICKS_PER_S);
    sim_cache_take(&r->cache, blocks);
    sim_note_step(r, &batch, ticks, steps, (double)steps * n * r->cost->token_compute_s,
                  (double)steps * step_stream_s + contexts_s);
    r->now += ticks;
    r->ended = r->now;
    r->decode_steps += (uint64_t)steps;
    r->context += steps * n;
    sim_finish_due(r);
}
