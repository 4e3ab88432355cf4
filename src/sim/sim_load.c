/* Requests that are drawn: gaps and lengths, each a pure function of its number. */
#include <math.h>

#include "assay/rng.h"
#include "base/det_math.h"
#include "sim/sim_parts.h"

enum { STREAM_GAP, STREAM_INPUT, STREAM_OUTPUT, STREAM_ROUTE, STREAM_PREFIX, STREAM_ACCEPT };

/* Marsaglia and Tsang, ACM TOMS 26 (2000): gamma of shape k, mean k; below 1 by their boost. */
static double gamma_draw(double shape, uint64_t seed, uint64_t i) {
    const double k = shape < 1 ? shape + 1 : shape;
    const double d = k - 1.0 / 3, c = 1 / sqrt(9 * d);
    double value = d;
    for (uint64_t trial = 0; trial < 64; trial++) { /* accepts 19 of 20 */
        const uint64_t counter = i * 256 + trial * 2;
        const double z = assay_normal_quantile(assay_rng_uniform(seed, STREAM_GAP, counter));
        const double v = (1 + c * z) * (1 + c * z) * (1 + c * z);
        const double u = assay_rng_uniform(seed, STREAM_GAP, counter + 1);
        if (v > 0 && assay_det_log(u) < 0.5 * z * z + d - d * v + d * assay_det_log(v)) {
            value = d * v;
            break;
        }
    }
    if (shape < 1) {
        const double u = assay_rng_uniform(seed, STREAM_GAP, i * 256 + 255);
        value *= assay_det_exp(assay_det_log(u) / shape);
    }
    return value;
}

/* In units of the mean gap. */
static double gap_draw(const assay_sim_load_t *load, uint64_t i) {
    switch (load->arrival) {
    case ASSAY_ARRIVAL_CONSTANT:
        return 1;
    case ASSAY_ARRIVAL_GAMMA: {
        const double shape = 1 / (load->cv * load->cv);
        return gamma_draw(shape, load->seed, i) / shape;
    }
    default:
        return -assay_det_log(assay_rng_uniform(load->seed, STREAM_GAP, i));
    }
}

static uint32_t length_draw(const assay_dist_t *dist, uint64_t seed, uint64_t stream, uint64_t i,
                            uint32_t most) {
    const double tokens =
        floor(assay_dist_quantile(dist, assay_rng_uniform(seed, stream, i)) + 0.5);
    return tokens < 1 ? 1 : tokens > most ? most : (uint32_t)tokens;
}

void assay_sim_draw(const assay_sim_load_t *load, uint64_t i, int64_t *out_gap_ticks,
                    uint32_t *out_input_tokens, uint32_t *out_output_tokens) {
    *out_gap_ticks = 0;
    if (load->clients == 0) {
        const double mean_ticks = (double)ASSAY_TICKS_PER_S / load->rate_per_s;
        *out_gap_ticks = (int64_t)floor(gap_draw(load, i) * mean_ticks + 0.5);
    }
    *out_input_tokens =
        length_draw(&load->input, load->seed, STREAM_INPUT, i, load->max_tokens - 1);
    *out_output_tokens = length_draw(&load->output, load->seed, STREAM_OUTPUT, i,
                                     load->max_tokens - *out_input_tokens);
}

uint32_t sim_draw_replica(const assay_sim_load_t *load, uint64_t i, uint32_t n) {
    return (uint32_t)(assay_rng_uniform(load->seed, STREAM_ROUTE, i) * n);
}

uint32_t sim_draw_prefix(const assay_sim_load_t *load, uint64_t i) {
    return load->prefixes < 2
               ? 0
               : (uint32_t)(assay_rng_uniform(load->seed, STREAM_PREFIX, i) * load->prefixes);
}

uint32_t sim_draw_accepted(const assay_sim_load_t *load, const assay_serve_draft_t *draft,
                           uint64_t i, uint32_t known) {
    const double u = assay_rng_uniform(load->seed, STREAM_ACCEPT, i << 24 | known);
    double all = draft->acceptance; /* that so many are accepted */
    uint32_t n = 0;
    while (n < draft->tokens && u < all) {
        all *= draft->acceptance;
        n++;
    }
    return n;
}
