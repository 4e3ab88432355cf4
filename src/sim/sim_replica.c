/* One replica: the scheduler of vLLM V1 and, between two changes of the batch, many steps at once.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/sim_parts.h"

#include "base/banned.h"

#define FOREVER INT64_MAX

/* ---- lists ---- */

static void list_append(sim_replica_t *r, sim_list_t *list, uint32_t at) {
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

static void list_prepend(sim_replica_t *r, sim_list_t *list, uint32_t at) {
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

static void list_remove(sim_replica_t *r, sim_list_t *list, uint32_t at) {
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
        more[i].next = r->free_first;
        r->free_first = i;
    }
    r->n_pool = n;
    return true;
}

bool sim_replica_init(sim_replica_t *r, const assay_sim_cost_t *cost,
                      const assay_sim_options_t *options, assay_sim_result_t *result) {
    uint32_t ring = 64;
    while (ring <= options->load.max_tokens) {
        ring *= 2;
    }
    *r = (sim_replica_t){.cost = cost,
                         .options = options,
                         .free_first = SIM_NONE,
                         .waiting = {SIM_NONE, SIM_NONE},
                         .running = {SIM_NONE, SIM_NONE},
                         .free_blocks = options->policy.kv_blocks,
                         .ring = ring,
                         .result = result};
    r->finish = malloc((size_t)ring * sizeof *r->finish);
    r->finish_bits = calloc(ring / 64, sizeof *r->finish_bits);
    r->residue = calloc(options->policy.block_tokens, sizeof *r->residue);
    if (!r->finish || !r->finish_bits || !r->residue || !pool_grow(r)) {
        return false;
    }
    memset(r->finish, 0xff, (size_t)ring * sizeof *r->finish); /* SIM_NONE */
    return true;
}

void sim_replica_destroy(sim_replica_t *r) {
    free(r->sequence);
    free(r->finish);
    free(r->finish_bits);
    free(r->residue);
}

/* ---- blocks ---- */

static uint32_t blocks_for(const sim_replica_t *r, uint32_t tokens) {
    const uint32_t each = r->options->policy.block_tokens;
    return tokens / each + (tokens % each != 0);
}

/* Tokens that a decoding sequence knows now. */
static uint32_t known_now(const sim_replica_t *r, const sim_sequence_t *s) {
    return s->known + (uint32_t)(r->decode_steps - s->began);
}

/* A decode step computes the last known token, so all but that one are in blocks already. */
static uint32_t blocks_now(const sim_replica_t *r, const sim_sequence_t *s) {
    return s->decoding ? blocks_for(r, known_now(r, s) - 1) : s->blocks;
}

/* The step count, modulo the block, at which a decoding sequence needs a new block. */
static uint32_t residue_of(const sim_replica_t *r, const sim_sequence_t *s) {
    const uint32_t each = r->options->policy.block_tokens;
    /* in step j it holds known - 1 + (j - began) tokens and needs one more place */
    const uint64_t full = (uint64_t)(s->known - 1) % each;
    return (uint32_t)((s->began + each - full) % each);
}

/* ---- decoding ---- */

static void begin_decoding(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    s->decoding = true;
    s->began = r->decode_steps;
    r->n_decoding++;
    r->context += s->known;
    r->residue[residue_of(r, s)]++;
    const uint32_t left = s->input + s->output - s->known;
    const uint32_t slot = (uint32_t)((r->decode_steps + left) & (r->ring - 1));
    s->finish_previous = SIM_NONE;
    s->finish_next = r->finish[slot];
    if (s->finish_next != SIM_NONE) {
        r->sequence[s->finish_next].finish_previous = at;
    }
    r->finish[slot] = at;
    r->finish_bits[slot / 64] |= (uint64_t)1 << (slot % 64);
}

/* Leaves the sums; s->known becomes what it is. */
static void end_decoding(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    const uint32_t slot =
        (uint32_t)((s->began + (s->input + s->output - s->known)) & (r->ring - 1));
    r->residue[residue_of(r, s)]--;
    s->known = known_now(r, s);
    r->context -= s->known;
    r->n_decoding--;
    s->decoding = false;
    if (s->finish_previous == SIM_NONE) {
        r->finish[slot] = s->finish_next;
    } else {
        r->sequence[s->finish_previous].finish_next = s->finish_next;
    }
    if (s->finish_next != SIM_NONE) {
        r->sequence[s->finish_next].finish_previous = s->finish_previous;
    }
    if (r->finish[slot] == SIM_NONE) {
        r->finish_bits[slot / 64] &= ~((uint64_t)1 << (slot % 64));
    }
}

/* Decode steps until the next sequence ends; there is one. */
static int64_t steps_to_finish(const sim_replica_t *r) {
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

/* Decode steps for which there are blocks, at most `most`; *out_taken: blocks that they take. */
static int64_t steps_in_blocks(const sim_replica_t *r, int64_t most, uint64_t *out_taken) {
    const uint32_t each = r->options->policy.block_tokens;
    /* whole turns of the block take one block of every sequence */
    int64_t steps = 0;
    uint64_t taken = 0;
    const int64_t turns_by_blocks = (int64_t)(r->free_blocks / r->n_decoding);
    const int64_t turns_by_steps = most / each;
    const int64_t turns = turns_by_blocks < turns_by_steps ? turns_by_blocks : turns_by_steps;
    steps = turns * each;
    taken = (uint64_t)turns * r->n_decoding;
    for (; steps < most; steps++) {
        const uint32_t need = r->residue[(r->decode_steps + (uint64_t)steps) % each];
        if (taken + need > r->free_blocks) {
            break;
        }
        taken += need;
    }
    *out_taken = taken;
    return steps;
}

/* ---- ends ---- */

static void note_step(sim_replica_t *r, int64_t ticks, int64_t steps) {
    r->result->steps += (uint64_t)steps;
    r->result->busy_s += (double)ticks / (double)ASSAY_TICKS_PER_S;
}

/* A client of a closed loop has its answer and asks again. */
static void send_next(sim_replica_t *r) {
    if (r->next_id < r->last_id) {
        int64_t gap;
        assay_sim_request_t request = {.arrival_ticks = r->now};
        assay_sim_draw(&r->options->load, r->next_id, &gap, &request.input_tokens,
                       &request.output_tokens);
        sim_replica_add(r, r->next_id++, &request);
    }
}

static void finish(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    assay_sim_result_t *result = r->result;
    const assay_sim_slo_t *slo = &r->options->slo;
    const int64_t ttft = s->first_token - s->arrival, e2e = r->now - s->arrival;
    const int64_t tpot = s->output > 1 ? (r->now - s->first_token) / (s->output - 1) : 0;
    s->last_token = r->now;
    result->requests++;
    result->output_tokens += s->output;
    result->input_tokens += s->input;
    sim_histogram_add(&result->ttft, ttft, 1);
    sim_histogram_add(&result->e2e, e2e, 1);
    if (s->output > 1) {
        sim_histogram_add(&result->tpot, tpot, 1);
    }
    const double second = (double)ASSAY_TICKS_PER_S;
    result->good += (slo->ttft_s <= 0 || (double)ttft <= slo->ttft_s * second) &&
                    (slo->tpot_s <= 0 || (double)tpot <= slo->tpot_s * second) &&
                    (slo->e2e_s <= 0 || (double)e2e <= slo->e2e_s * second);
    if (r->options->finished) {
        r->options->finished(r->options->ctx, s->id, s->arrival, s->first_token, s->last_token);
    }
    list_remove(r, &r->running, at);
    r->n_running--;
    s->next = r->free_first;
    r->free_first = at;
    send_next(r);
}

static void finish_all(sim_replica_t *r) {
    const uint32_t slot = (uint32_t)(r->decode_steps & (r->ring - 1));
    while (r->finish[slot] != SIM_NONE) {
        const uint32_t at = r->finish[slot];
        r->free_blocks += blocks_now(r, &r->sequence[at]);
        end_decoding(r, at);
        finish(r, at);
    }
}

/* ---- many decode steps at once ---- */

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

static void decode_many(sim_replica_t *r, int64_t most, uint64_t blocks, int64_t until) {
    const uint32_t n = r->n_decoding;
    const assay_serve_batch_t batch = {.decode = n, .decode_context = (double)r->context};
    const int64_t first = assay_sim_step_ticks(r->cost, &batch);
    int64_t steps = most;
    const int64_t each = growth(r, &steps);
    if (until != FOREVER && ticks_of_steps(first, each, steps) >= until - r->now) {
        steps = steps_to_span(first, each, until - r->now, steps);
    }
    if (steps < most) {
        (void)steps_in_blocks(r, steps, &blocks);
    }
    const int64_t ticks = ticks_of_steps(first, each, steps);
    sim_histogram_add_row(&r->result->itl, first, each, steps, n);
    const double second = (double)ASSAY_TICKS_PER_S;
    r->result->kv_token_s +=
        ((double)r->context + 0.5 * (double)n * (double)(steps - 1)) * ((double)ticks / second);
    note_step(r, ticks, steps);
    r->free_blocks -= blocks;
    r->now += ticks;
    r->decode_steps += (uint64_t)steps;
    r->context += steps * n;
    finish_all(r);
}

/* ---- one step with prefill or preemption ---- */

static void preempt(sim_replica_t *r, uint32_t at) {
    sim_sequence_t *s = &r->sequence[at];
    r->free_blocks += blocks_now(r, s);
    if (s->decoding) {
        end_decoding(r, at);
        s->last_token = r->now;
    } else {
        r->n_prefilling--;
    }
    s->computed = s->blocks = 0;
    list_remove(r, &r->running, at);
    r->n_running--;
    list_prepend(r, &r->waiting, at);
    r->n_waiting++;
    r->result->preemptions++;
}

/* Blocks for `tokens` more of a sequence; preempts the youngest until there are. false: it was
   itself preempted. */
static bool make_room(sim_replica_t *r, uint32_t at, uint32_t need, bool *io_preempted) {
    while (need > r->free_blocks) {
        const uint32_t youngest = r->running.last;
        *io_preempted = true;
        preempt(r, youngest);
        if (youngest == at) {
            return false;
        }
    }
    r->free_blocks -= need;
    return true;
}

/* What one step holds. */
typedef struct {
    uint32_t budget; /* tokens that are left */
    assay_serve_batch_t batch;
    bool preempted;
} turn_t;

static void schedule_prefill(sim_sequence_t *s, uint32_t tokens, turn_t *io) {
    io->budget -= tokens;
    io->batch.prefill_tokens += tokens;
    io->batch.prefill_pairs += tokens * (s->computed + 0.5 * tokens);
    s->computed += tokens;
    io->batch.sampled += s->computed == s->known;
}

/* The prompt that an earlier step has begun; it is the youngest. */
static void schedule_partial(sim_replica_t *r, turn_t *io) {
    const uint32_t at = r->running.last;
    sim_sequence_t *s = &r->sequence[at];
    const uint32_t left = s->known - s->computed;
    const uint32_t tokens = left < io->budget ? left : io->budget;
    const uint32_t total = blocks_for(r, s->computed + tokens);
    if (tokens > 0 && make_room(r, at, total - s->blocks, &io->preempted)) {
        s->blocks = total;
        schedule_prefill(s, tokens, io);
    }
}

/* Decoding sequences one by one, as admitted: blocks run out in this step. */
static void schedule_scarce(sim_replica_t *r, turn_t *io) {
    uint32_t at = r->running.first;
    while (at != SIM_NONE && r->sequence[at].decoding) {
        const sim_sequence_t *s = &r->sequence[at];
        const uint32_t known = known_now(r, s);
        const uint32_t need = blocks_for(r, known) - blocks_for(r, known - 1);
        if (!make_room(r, at, need, &io->preempted)) {
            return;
        }
        at = r->sequence[at].next;
    }
}

static void schedule_running(sim_replica_t *r, turn_t *io) {
    uint64_t taken = 0;
    if (r->n_decoding > 0 && steps_in_blocks(r, 1, &taken) == 0) {
        schedule_scarce(r, io);
    } else {
        r->free_blocks -= taken;
    }
    io->batch.decode = r->n_decoding;
    io->batch.decode_context = (double)r->context;
    io->budget -= r->n_decoding;
    if (r->n_prefilling > 0) {
        schedule_partial(r, io);
    }
}

static bool can_admit(const sim_replica_t *r, const sim_sequence_t *s, uint32_t budget) {
    const uint32_t tokens = s->known < budget ? s->known : budget;
    return r->n_running < r->options->policy.max_sequences && budget > 0 &&
           blocks_for(r, tokens) <= r->free_blocks;
}

static void schedule_waiting(sim_replica_t *r, turn_t *io) {
    while (r->waiting.first != SIM_NONE) {
        const uint32_t at = r->waiting.first;
        sim_sequence_t *s = &r->sequence[at];
        if (!can_admit(r, s, io->budget)) {
            break;
        }
        const uint32_t tokens = s->known < io->budget ? s->known : io->budget;
        list_remove(r, &r->waiting, at);
        r->n_waiting--;
        list_append(r, &r->running, at);
        r->n_running++;
        r->n_prefilling++;
        s->blocks = blocks_for(r, tokens);
        r->free_blocks -= s->blocks;
        if (!s->scheduled) {
            s->scheduled = true;
            sim_histogram_add(&r->result->queue, r->now - s->arrival, 1);
        }
        schedule_prefill(s, tokens, io);
    }
}

/* Prompts that this step has completed get a token and decode from now on. Those that do not decode
   are the youngest. */
static void sample_prefilled(sim_replica_t *r) {
    uint32_t at = r->running.last;
    while (at != SIM_NONE && !r->sequence[at].decoding) {
        sim_sequence_t *s = &r->sequence[at];
        const uint32_t previous = s->previous;
        if (s->computed == s->known) {
            r->n_prefilling--;
            if (s->first_token < 0) {
                s->first_token = r->now;
            } else {
                sim_histogram_add(&r->result->itl, r->now - s->last_token, 1);
            }
            s->known++;
            if (s->known == s->input + s->output) {
                r->free_blocks += s->blocks;
                finish(r, at);
            } else {
                begin_decoding(r, at);
            }
        }
        at = previous;
    }
}

/* false: nothing can run, which a cache that holds every request alone does not let happen. */
static bool take_turn(sim_replica_t *r) {
    turn_t turn = {.budget = r->options->policy.token_budget};
    schedule_running(r, &turn);
    if (!turn.preempted) {
        schedule_waiting(r, &turn);
    }
    if (turn.batch.decode <= 0 && turn.batch.prefill_tokens <= 0) {
        return false;
    }
    const int64_t ticks = assay_sim_step_ticks(r->cost, &turn.batch);
    if (r->n_decoding > 0) {
        sim_histogram_add(&r->result->itl, ticks, r->n_decoding);
    }
    r->result->kv_token_s += turn.batch.decode_context * (double)ticks / (double)ASSAY_TICKS_PER_S;
    note_step(r, ticks, 1);
    r->now += ticks;
    r->decode_steps++;
    r->context += r->n_decoding;
    finish_all(r);
    sample_prefilled(r);
    return true;
}

/* Nothing but decoding until a sequence ends: how many steps the blocks allow. 0: there is more. */
static int64_t quiet_steps(const sim_replica_t *r, uint64_t *out_blocks) {
    if (r->n_prefilling > 0 || r->n_decoding == 0) {
        return 0;
    }
    if (r->waiting.first != SIM_NONE &&
        can_admit(r, &r->sequence[r->waiting.first],
                  r->options->policy.token_budget - r->n_decoding)) {
        return 0;
    }
    return steps_in_blocks(r, steps_to_finish(r), out_blocks);
}

void sim_replica_run(sim_replica_t *r, int64_t until) {
    while (r->now < until && (r->n_running > 0 || r->waiting.first != SIM_NONE)) {
        uint64_t blocks = 0;
        const int64_t steps = quiet_steps(r, &blocks);
        if (steps > 0) {
            decode_many(r, steps, blocks, until);
        } else if (!take_turn(r)) {
            return;
        }
    }
}

void sim_replica_add(sim_replica_t *r, uint64_t id, const assay_sim_request_t *request) {
    const uint32_t tokens = request->input_tokens + request->output_tokens;
    if (tokens > r->options->load.max_tokens ||
        blocks_for(r, tokens) > r->options->policy.kv_blocks) {
        r->result->refused++;
        return;
    }
    if (r->free_first == SIM_NONE && !pool_grow(r)) {
        return;
    }
    const uint32_t at = r->free_first;
    sim_sequence_t *s = &r->sequence[at];
    r->free_first = s->next;
    *s = (sim_sequence_t){.id = id,
                          .arrival = request->arrival_ticks,
                          .first_token = -1,
                          .input = request->input_tokens,
                          .output = request->output_tokens,
                          .known = request->input_tokens};
    list_append(r, &r->waiting, at);
    r->n_waiting++;
    if (r->n_running == 0 && r->waiting.first == at && r->now < request->arrival_ticks) {
        r->now = request->arrival_ticks;
    }
}
