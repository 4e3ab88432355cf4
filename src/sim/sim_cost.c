/* Times of steps in ticks. Everything after this file is integer. */
#include <math.h>
#include <string.h>

#include "sim/sim_parts.h"

#include "base/banned.h"

int64_t sim_ticks_of(double s) {
    return (int64_t)floor(s * (double)ASSAY_TICKS_PER_S + 0.5);
}

/* Ticks of one token of context in the layers of one kind, with n sequences. Drafted tokens read it
   together with the sequence's own and compute with it each; the draft's steps read its own. */
static int64_t context_ticks(const assay_sim_cost_t *cost, const assay_serve_kv_t *kv, double n) {
    const assay_serve_step_t *step = cost->step;
    const assay_serve_draft_t *draft = &cost->draft;
    const bool by_head =
        step->head_stream_above > 0 && n * step->query_heads > step->head_stream_above;
    const double read_s = by_head ? fmax(kv->head_read_s, kv->read_s) : kv->read_s;
    return sim_ticks_of(fmax(read_s, kv->compute_s * (draft->tokens + 1)) +
                        draft->tokens * draft->step_share * fmax(read_s, kv->compute_s));
}

/* The batch with the tokens that drafts propose; seconds without contexts of what decodes, and in
   which memory is read at its rate. */
static double step_s(const assay_sim_cost_t *cost, const assay_serve_batch_t *batch,
                     double *out_stream_s) {
    const assay_serve_draft_t *draft = &cost->draft;
    double part_s[ASSAY_SERVE_PART_N];
    assay_serve_batch_t all = *batch;
    all.decode_context = 0;
    all.prefill_tokens += batch->decode * draft->tokens;
    all.sampled += batch->decode * draft->tokens;
    double total_s = assay_serve_step_s(cost->step, &all, part_s);
    *out_stream_s = fmin(part_s[ASSAY_SERVE_LINEAR],
                         cost->step->weight_bytes / cost->step->weight_bytes_per_s) +
                    part_s[ASSAY_SERVE_STREAM];
    if (draft->tokens > 0 && batch->decode > 0) {
        const assay_serve_batch_t plain = {.decode = batch->decode};
        total_s += draft->tokens * draft->step_share * assay_serve_step_s(cost->step, &plain, NULL);
    }
    return total_s;
}

assay_status_t assay_sim_cost_init(assay_arena_t *arena, const assay_serve_step_t *step,
                                   uint32_t max_sequences, assay_sim_cost_t *out,
                                   assay_error_t *err) {
    const assay_serve_draft_t none = {0};
    return assay_sim_cost_speculate(arena, step, max_sequences, &none, out, err);
}

assay_status_t assay_sim_cost_speculate(assay_arena_t *arena, const assay_serve_step_t *step,
                                        uint32_t max_sequences, const assay_serve_draft_t *draft,
                                        assay_sim_cost_t *out, assay_error_t *err) {
    if (max_sequences == 0 || max_sequences > ASSAY_SIM_MAX_SEQUENCES) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "%u sequences at a time, expected 1 to %u",
                               max_sequences, ASSAY_SIM_MAX_SEQUENCES);
    }
    if (!(draft->tokens >= 0 && draft->tokens <= ASSAY_SIM_MAX_DRAFT && draft->acceptance >= 0 &&
          draft->acceptance <= 1 && draft->step_share >= 0)) {
        return assay_error_set(err, ASSAY_LIMIT, NULL,
                               "a draft of more than %u tokens, or an acceptance outside 0 to 1",
                               ASSAY_SIM_MAX_DRAFT);
    }
    *out = (assay_sim_cost_t){.step = step,
                              .draft = *draft,
                              .draft_tokens = (uint32_t)draft->tokens,
                              .max_sequences = max_sequences};
    for (uint32_t i = 0; i < step->n_linear; i++) {
        out->token_compute_s +=
            (step->linear[i].flops + step->linear[i].expert_flops) / step->flops_per_s;
    }
    out->token_compute_s *= draft->tokens + 1;
    for (uint32_t k = 0; k < step->n_kv; k++) {
        if (step->kv[k].window > 0) {
            out->window[out->n_window++] = step->kv[k].window;
        }
    }
    const size_t n = (size_t)max_sequences + 1;
    out->decode = assay_arena_array(arena, n, sizeof *out->decode);
    out->full = assay_arena_array(arena, n, sizeof *out->full);
    out->window_ticks = assay_arena_array(arena, n * (out->n_window + 1), sizeof *out->full);
    out->stream_s = assay_arena_array(arena, n, sizeof *out->stream_s);
    if (!out->decode || !out->full || !out->window_ticks || !out->stream_s) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i <= max_sequences; i++) {
        const assay_serve_batch_t batch = {.decode = i};
        uint32_t w = 0;
        out->decode[i] = sim_ticks_of(step_s(out, &batch, &out->stream_s[i]));
        out->full[i] = 0;
        for (uint32_t k = 0; k < step->n_kv; k++) {
            const int64_t ticks = context_ticks(out, &step->kv[k], i);
            if (step->kv[k].window > 0) {
                out->window_ticks[w++ * n + i] = ticks;
            } else {
                out->full[i] += ticks;
            }
        }
    }
    return ASSAY_OK;
}

int64_t sim_step_ticks(const assay_sim_cost_t *cost, const assay_serve_batch_t *batch,
                       double *out_compute_s, double *out_stream_s) {
    const uint32_t n = (uint32_t)batch->decode;
    const int64_t context = (int64_t)batch->decode_context;
    int64_t ticks = cost->decode[n], contexts = cost->full[n] * context;
    *out_stream_s = cost->stream_s[n];
    if (batch->prefill_tokens > 0) {
        ticks = sim_ticks_of(step_s(cost, batch, out_stream_s));
    }
    for (uint32_t w = 0; w < cost->n_window; w++) {
        const int64_t most = (int64_t)(n * cost->window[w]);
        contexts += cost->window_ticks[w * ((size_t)cost->max_sequences + 1) + n] *
                    (context < most ? context : most);
    }
    *out_compute_s = batch->decode * cost->token_compute_s +
                     batch->prefill_tokens * cost->token_compute_s / (cost->draft_tokens + 1) +
                     batch->prefill_pairs * cost->step->attention_s_per_pair;
    *out_stream_s += (double)contexts / (double)ASSAY_TICKS_PER_S;
    return ticks + contexts;
}

int64_t assay_sim_step_ticks(const assay_sim_cost_t *cost, const assay_serve_batch_t *batch) {
    double compute_s, stream_s;
    return sim_step_ticks(cost, batch, &compute_s, &stream_s);
}
