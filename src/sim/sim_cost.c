/* Times of steps in ticks. Everything after this file is integer. */
#include <math.h>
#include <string.h>

#include "assay/simulate.h"

#include "base/banned.h"

static int64_t ticks_of(double s) {
    return (int64_t)floor(s * (double)ASSAY_TICKS_PER_S + 0.5);
}

/* Ticks of one token of context in the layers of one kind, with n sequences. */
static int64_t context_ticks(const assay_serve_step_t *step, const assay_serve_kv_t *kv, double n) {
    const bool by_head =
        step->head_stream_above > 0 && n * step->query_heads > step->head_stream_above;
    const double read_s = by_head ? fmax(kv->head_read_s, kv->read_s) : kv->read_s;
    return ticks_of(fmax(read_s, kv->compute_s));
}

assay_status_t assay_sim_cost_init(assay_arena_t *arena, const assay_serve_step_t *step,
                                   uint32_t max_sequences, assay_sim_cost_t *out,
                                   assay_error_t *err) {
    if (max_sequences == 0 || max_sequences > ASSAY_SIM_MAX_SEQUENCES) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "%u sequences at a time, expected 1 to %u",
                               max_sequences, ASSAY_SIM_MAX_SEQUENCES);
    }
    *out = (assay_sim_cost_t){.step = step, .max_sequences = max_sequences};
    for (uint32_t k = 0; k < step->n_kv; k++) {
        if (step->kv[k].window > 0) {
            out->window[out->n_window++] = step->kv[k].window;
        }
    }
    const size_t n = (size_t)max_sequences + 1;
    out->decode = assay_arena_array(arena, n, sizeof *out->decode);
    out->full = assay_arena_array(arena, n, sizeof *out->full);
    out->window_ticks = assay_arena_array(arena, n * (out->n_window + 1), sizeof *out->full);
    if (!out->decode || !out->full || !out->window_ticks) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i <= max_sequences; i++) {
        const assay_serve_batch_t batch = {.decode = i};
        uint32_t w = 0;
        out->decode[i] = ticks_of(assay_serve_step_s(step, &batch, NULL));
        out->full[i] = 0;
        for (uint32_t k = 0; k < step->n_kv; k++) {
            const int64_t ticks = context_ticks(step, &step->kv[k], i);
            if (step->kv[k].window > 0) {
                out->window_ticks[w++ * n + i] = ticks;
            } else {
                out->full[i] += ticks;
            }
        }
    }
    return ASSAY_OK;
}

int64_t assay_sim_step_ticks(const assay_sim_cost_t *cost, const assay_serve_batch_t *batch) {
    const uint32_t n = (uint32_t)batch->decode;
    const int64_t context = (int64_t)batch->decode_context;
    int64_t ticks = cost->decode[n];
    if (batch->prefill_tokens > 0) {
        assay_serve_batch_t apart = *batch;
        apart.decode_context = 0;
        ticks = ticks_of(assay_serve_step_s(cost->step, &apart, NULL));
    }
    ticks += cost->full[n] * context;
    for (uint32_t w = 0; w < cost->n_window; w++) {
        const int64_t most = (int64_t)(n * cost->window[w]);
        ticks += cost->window_ticks[w * ((size_t)cost->max_sequences + 1) + n] *
                 (context < most ? context : most);
    }
    return ticks;
}
