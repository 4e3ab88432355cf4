/* One step of a replica: the scheduler of vLLM V1, and one for static batches. */
#include "sim/sim_parts.h"

/* What one step holds. */
typedef struct {
    uint32_t budget; /* tokens that are left */
    assay_serve_batch_t batch;
    uint32_t filled; /* sequences that began to decode in it */
    bool preempted;
} turn_t;

void sim_note_step(sim_replica_t *r, const assay_serve_batch_t *batch, int64_t ticks, int64_t steps,
                   double compute_s, double stream_s) {
    assay_sim_result_t *result = r->result;
    const uint64_t used = r->policy->kv_blocks - r->cache.free;
    result->steps += (uint64_t)steps;
    result->busy_s += (double)ticks / (double)ASSAY_TICKS_PER_S;
    result->compute_s += compute_s;
    result->stream_s += stream_s;
    result->peak_blocks = used > result->peak_blocks ? used : result->peak_blocks;
    if (r->options->stepped) {
        const assay_sim_event_t event = {.replica = r->index,
                                         .start_ticks = r->now,
                                         .ticks = ticks,
                                         .steps = (uint64_t)steps,
                                         .decode = (uint32_t)batch->decode,
                                         .prefill_tokens = (uint32_t)batch->prefill_tokens,
                                         .waiting = r->n_waiting,
                                         .blocks = used};
        r->options->stepped(r->options->ctx, &event);
    }
}

/* ---- preemption ---- */

static void preempt(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    sim_release(r, s, true);
    if (s->decoding) {
        sim_end_decoding(r, at);
        s->q.last_token = r->cost->draft_tokens ? s->q.last_token : r->now;
    } else {
        r->n_prefilling--;
        r->prefilling_tokens -= s->computed;
    }
    s->computed = 0;
    s->runs = s->prefilling = s->q.filled = false;
    s->preempted = true;
    sim_list_remove(r, &r->running, at);
    r->n_running--;
    sim_list_prepend(r, &r->waiting, at);
    r->n_waiting++;
    r->result->preemptions++;
}

/* Blocks for a sequence; preempts the youngest until there are. false: it was itself preempted. */
static bool make_room(sim_replica_t *r, uint32_t at, uint32_t need, bool *io_preempted) {
    while (need > r->cache.free) {
        const uint32_t youngest = r->running.last;
        *io_preempted = true;
        preempt(r, youngest);
        if (youngest == at) {
            return false;
        }
    }
    sim_cache_take(&r->cache, need);
    return true;
}

/* ---- those that run ---- */

static void schedule_prefill(sim_replica_t *r, sim_sequence_t *s, uint32_t tokens, turn_t *io) {
    io->budget -= tokens;
    io->batch.prefill_tokens += tokens;
    io->batch.prefill_pairs += tokens * (s->computed + 0.5 * tokens);
    s->computed += tokens;
    io->batch.sampled += s->computed == s->q.known;
    r->prefilling_tokens += tokens;
    r->result->prefilled_tokens += tokens;
    sim_hold(r, s);
}

/* The prompt that an earlier step has begun; it is the youngest. */
static void schedule_partial(sim_replica_t *r, turn_t *io) {
    const uint32_t at = r->running.last;
    sim_sequence_t *s = &r->sequence[at];
    const uint32_t left = s->q.known - s->computed;
    const uint32_t tokens = left < io->budget ? left : io->budget;
    const uint32_t total = sim_blocks_for(r, s->computed + tokens);
    if (tokens > 0 && make_room(r, at, total - s->blocks, &io->preempted)) {
        s->blocks = total;
        schedule_prefill(r, s, tokens, io);
    }
}

/* Decoding sequences one by one, as admitted: blocks run out in this step, or drafts want each its
   own number of them. */
static void schedule_each(sim_replica_t *r, turn_t *io) {
    const uint32_t draft = r->cost->draft_tokens;
    uint32_t at = r->running.first;
    while (at != SIM_NONE && r->sequence[at].decoding) {
        sim_sequence_t *s = &r->sequence[at];
        const uint32_t known = sim_known_now(r, s);
        const uint32_t total = sim_blocks_for(r, known + draft);
        const uint32_t held = draft ? s->blocks : sim_blocks_for(r, known - 1);
        if (total > held && !make_room(r, at, total - held, &io->preempted)) {
            return;
        }
        s->blocks = total > held ? total : held;
        at = s->next;
    }
}

static void schedule_running(sim_replica_t *r, turn_t *io) {
    const uint32_t draft = r->cost->draft_tokens;
    uint64_t taken = 0;
    if (r->n_decoding > 0 && (draft > 0 || sim_steps_in_blocks(r, 1, &taken) == 0)) {
        schedule_each(r, io);
    } else {
        sim_cache_take(&r->cache, taken);
    }
    io->batch.decode = r->n_decoding;
    io->batch.decode_context = (double)r->context;
    io->budget -= r->n_decoding * (draft + 1);
    if (r->n_prefilling > 0) {
        schedule_partial(r, io);
    }
}

/* ---- those that wait ---- */

static void move_to_running(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    sim_list_remove(r, &r->waiting, at);
    r->n_waiting--;
    sim_list_append(r, &r->running, at);
    r->n_running++;
    s->runs = true;
    s->turn = r->admitted++;
    if (s->q.scheduled < 0) {
        s->q.scheduled = r->now;
        sim_histogram_add(&r->result->queue, r->now - s->q.arrival, 1);
    }
}

static void schedule_waiting(sim_replica_t *r, turn_t *io) {
    sim_start_t start;
    while (r->waiting.first != SIM_NONE &&
           sim_can_start(r, &r->sequence[r->waiting.first], io->budget, &start)) {
        const uint32_t at = r->waiting.first;
        sim_sequence_t *s = &r->sequence[at];
        move_to_running(r, at);
        sim_start(r, s, &start);
        if (s->q.filled) {
            io->budget -= start.tokens;
            io->batch.decode++;
            io->batch.decode_context += s->q.known;
            io->filled++;
            sim_begin_decoding(r, at);
        } else {
            s->prefilling = true;
            r->n_prefilling++;
            schedule_prefill(r, s, start.tokens, io);
        }
    }
}

/* A batch is made when there is none, with room for the whole of every answer; then its prompts are
   worked on. */
static void schedule_static(sim_replica_t *r, turn_t *io) {
    const bool none = r->n_running == 0;
    while (none && r->waiting.first != SIM_NONE && r->n_running < r->policy->max_sequences) {
        const uint32_t at = r->waiting.first;
        sim_sequence_t *s = &r->sequence[at];
        const uint32_t blocks = sim_blocks_for(r, s->q.input + s->q.output);
        if (blocks > r->cache.free) {
            break;
        }
        move_to_running(r, at);
        sim_cache_take(&r->cache, blocks);
        s->blocks = blocks;
        s->prefilling = true;
        r->n_prefilling++;
    }
    for (uint32_t at = r->running.first; at != SIM_NONE && io->budget > 0;
         at = r->sequence[at].next) {
        sim_sequence_t *s = &r->sequence[at];
        const uint32_t left = s->prefilling ? s->q.known - s->computed : 0;
        if (left > 0) {
            schedule_prefill(r, s, left < io->budget ? left : io->budget, io);
        }
    }
}

/* ---- what a step gives ---- */

/* Keys and values go to a replica that decodes, one prompt after another; the blocks are held until
   they are there. */
static void hand_off(sim_replica_t *r, uint32_t at) {
    const assay_sim_prefill_t *link = &r->options->prefill;
    sim_sequence_t *s = &r->sequence[at];
    const double bytes = link->kv_bytes_per_token * (double)s->computed * (1 - link->overlap);
    const int64_t start = r->link_free > r->now ? r->link_free : r->now;
    r->link_free = start + sim_ticks_of(bytes / link->link_bytes_per_s);
    s->sent = r->link_free + sim_ticks_of(link->latency_s);
    r->result->transfer_s += (double)(s->sent - r->now) / (double)ASSAY_TICKS_PER_S;
    sim_request_t request = s->q;
    request.first_token = request.last_token = s->sent;
    request.filled = true;
    sim_send(r, at);
    r->hand_off(r->ctx, &request, s->sent);
}

static void complete_prompt(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    s->prefilling = false;
    r->n_prefilling--;
    r->prefilling_tokens -= s->computed;
    r->result->generated_tokens++;
    if (s->q.first_token < 0) {
        s->q.first_token = r->now;
    } else {
        sim_histogram_add(&r->result->itl, r->now - s->q.last_token, 1);
    }
    s->q.last_token = r->now;
    s->q.known++;
    if (s->q.known == s->q.input + s->q.output) {
        sim_finish(r, at);
    } else if (r->hand_off) {
        hand_off(r, at);
    } else if (!r->options->static_batches) {
        sim_begin_decoding(r, at);
    }
}

/* Prompts that this step has completed get a token and decode from now on. */
static void sample_prefilled(sim_replica_t *r) {
    uint32_t left = r->n_prefilling, at = r->running.last;
    for (uint32_t before = left; before > 0; at = r->sequence[at].previous) {
        before -= r->sequence[at].prefilling;
        if (before == 0) {
            break;
        }
    }
    while (left > 0) {
        const uint32_t next = r->sequence[at].next;
        if (r->sequence[at].prefilling) {
            left--;
            if (r->sequence[at].computed == r->sequence[at].q.known) {
                complete_prompt(r, at);
            }
        }
        at = next;
    }
}

/* Of each sequence as many drafted tokens as the model agrees with, and one of its own. The tokens
   of a step come together; the gap before them is theirs in equal parts. */
static void accept_drafts(sim_replica_t *r) {
    const assay_serve_draft_t *draft = &r->cost->draft;
    for (uint32_t at = r->running.first; at != SIM_NONE;) {
        sim_sequence_t *s = &r->sequence[at];
        const uint32_t next = s->next;
        if (s->decoding) {
            const uint32_t left = s->q.input + s->q.output - s->q.known;
            uint32_t given = 1 + sim_draw_accepted(&r->options->load, draft, s->q.id, s->q.known);
            given = given < left ? given : left;
            sim_histogram_add(&r->result->itl, (r->now - s->q.last_token) / given, given);
            r->result->drafted_tokens += r->cost->draft_tokens;
            r->result->accepted_tokens += given - 1;
            r->result->generated_tokens += given;
            s->q.last_token = r->now;
            s->computed = s->q.known;
            s->q.known += given;
            s->q.filled = false;
            r->context += given;
            if (given == left) {
                sim_finish(r, at);
            }
        }
        at = next;
    }
}

/* Those whose keys and values came from elsewhere waited longer than a step. */
static void note_filled(sim_replica_t *r, uint32_t filled) {
    for (uint32_t at = r->running.last; filled > 0; at = r->sequence[at].previous) {
        sim_sequence_t *s = &r->sequence[at];
        if (s->q.filled) {
            s->q.filled = false;
            sim_histogram_add(&r->result->itl, r->now - s->q.last_token, 1);
            filled--;
        }
    }
}

bool sim_take_turn(sim_replica_t *r) {
    turn_t turn = {.budget = r->policy->token_budget};
    double compute_s, stream_s;
    if (r->options->static_batches) {
        schedule_static(r, &turn);
    } else {
        schedule_running(r, &turn);
        if (!turn.preempted) {
            schedule_waiting(r, &turn);
        }
    }
    if (turn.batch.decode <= 0 && turn.batch.prefill_tokens <= 0) {
        return false;
    }
    const int64_t ticks = sim_step_ticks(r->cost, &turn.batch, &compute_s, &stream_s);
    if (r->dies != INT64_MAX && ticks > r->dies - r->now) {
        r->now = r->dies;
        return true;
    }
    const uint32_t decode = (uint32_t)turn.batch.decode;
    r->result->kv_token_s += (turn.batch.decode_context + (double)r->prefilling_tokens) *
                             ((double)ticks / (double)ASSAY_TICKS_PER_S);
    sim_note_step(r, &turn.batch, ticks, 1, compute_s, stream_s);
    r->now += ticks;
    r->ended = r->now;
    if (r->cost->draft_tokens > 0) {
        accept_drafts(r);
    } else {
        if (decode > turn.filled) {
            sim_histogram_add(&r->result->itl, ticks, decode - turn.filled);
        }
        note_filled(r, turn.filled);
        r->result->generated_tokens += decode;
        r->decode_steps++;
        r->context += decode;
        sim_finish_due(r);
    }
    sample_prefilled(r);
    return true;
}
