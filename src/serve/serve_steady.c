/* Steady states of a serving engine from its step. */
#include <math.h>

#include "assay/serve_step.h"

double assay_serve_concurrency(const assay_serve_load_t *load, double wanted) {
    /* Midway through its output a sequence holds its prompt and half of what it will write. */
    const double held = load->reserves_whole ? 1 : 0.5;
    const double each = load->input_tokens - load->cached_tokens + held * load->output_tokens;
    const double most = (load->kv_tokens - load->cached_tokens) / each;
    return fmax(1, fmin(wanted, most));
}

double assay_serve_prefill_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                             double n) {
    const double fresh = load->input_tokens - load->cached_tokens;
    const double tokens = n * fresh;
    const double chunks = fmax(1, ceil(tokens / load->token_budget));
    const assay_serve_batch_t chunk = {
        .prefill_tokens = tokens / chunks,
        .prefill_pairs = tokens / chunks * (load->cached_tokens + 0.5 * fresh),
        .sampled = n / chunks,
    };
    return chunks * assay_serve_step_s(step, &chunk, NULL);
}

double assay_serve_draft_gain(const assay_serve_draft_t *draft) {
    double gain = 1, kept = 1;
    for (uint32_t i = 0; i < (uint32_t)draft->tokens; i++) {
        kept *= draft->acceptance;
        gain += kept;
    }
    return gain;
}

/* The mean of all steps, for the time is affine in the context. With a pipeline n/p sequences are
   in each stage, and a token of all of them takes one turn through the stages; fewer sequences than
   stages leave some idle. Drafted tokens are verified like those of a prompt: they attend to the
   context, and keys are read once for all. */
double assay_serve_decode_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                            double n) {
    const assay_serve_draft_t *draft = &load->draft;
    const double each = fmax(1, n / step->pipeline), drafted = each * draft->tokens;
    const double context = load->input_tokens + 0.5 * load->output_tokens;
    assay_serve_batch_t batch = {.decode = each, .decode_context = each * context};
    const double plain_s = assay_serve_step_s(step, &batch, NULL);
    if (drafted <= 0) {
        return plain_s;
    }
    batch.prefill_tokens = batch.sampled = drafted;
    batch.prefill_pairs = drafted * context;
    return (assay_serve_step_s(step, &batch, NULL) + draft->tokens * draft->step_share * plain_s) /
           assay_serve_draft_gain(draft);
}

double assay_serve_static_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                            double n) {
    const double running = assay_serve_concurrency(load, n);
    return assay_serve_prefill_s(step, load, n) / step->pipeline +
           (load->output_tokens - 1) * n / running * assay_serve_decode_s(step, load, running);
}

double assay_serve_closed_loop_per_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                                     double n) {
    const double running = assay_serve_concurrency(load, n);
    return running / (assay_serve_prefill_s(step, load, running) / step->pipeline +
                      (load->output_tokens - 1) * assay_serve_decode_s(step, load, running));
}

double assay_serve_offline_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                             double requests, double n) {
    const double running = assay_serve_concurrency(load, fmin(n, requests));
    const double waves = floor(requests / running), rest = requests - waves * running;
    return assay_serve_prefill_s(step, load, requests) / step->pipeline +
           (load->output_tokens - 1) * (waves * assay_serve_decode_s(step, load, running) +
                                        (rest > 0 ? assay_serve_decode_s(step, load, rest) : 0));
}
