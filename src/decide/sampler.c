#include "decide/sampler.h"

#include <assert.h>
#include <string.h>

#include "assay/rng.h"
#include "decide/decide_rows.h"

#include "base/banned.h"

#define LEVELS 3u

/* Streams: one per common draw, then one per draw and candidate. */
static uint64_t stream_of(assay_draw_t draw, uint32_t candidate) {
    return assay_draw_is_common(draw) ? (uint64_t)draw
                                      : (uint64_t)ASSAY_DRAW_N * (1u + candidate) + draw;
}

/* Dimensions: those that candidates share come first, in their order, then each candidate's own. */
static uint32_t dimension_of(assay_draw_t draw, uint32_t candidate) {
    uint32_t n_common = 0, n_own = 0, before = 0;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        const bool common = assay_draw_is_common((assay_draw_t)d);
        before += d < (int)draw && common == assay_draw_is_common(draw);
        *(common ? &n_common : &n_own) += 1;
    }
    return assay_draw_is_common(draw)     ? before
           : candidate < ASSAY_SOBOL_DIMS ? n_common + candidate * n_own + before
                                          : ASSAY_SOBOL_DIMS;
}

void decide_stream(uint64_t seed, assay_draw_t draw, uint32_t candidate, assay_draw_stream_t *out) {
    uint32_t word[4];
    const uint32_t dimension = dimension_of(draw, candidate);
    *out = (assay_draw_stream_t){.seed = seed, .stream = stream_of(draw, candidate)};
    out->sobol = dimension < ASSAY_SOBOL_DIMS;
    if (out->sobol) {
        assay_rng_block(seed, out->stream, 0, word);
        out->shift = word[0];
        assay_sobol_dimension(dimension, out->v);
    }
}

double decide_stream_at(const assay_draw_stream_t *stream, uint32_t sample) {
    return stream->sobol ? assay_sobol_uniform(assay_sobol_point(stream->v, sample), stream->shift)
                         : assay_rng_uniform(stream->seed, stream->stream, sample);
}

void assay_decide_draws(uint64_t seed, uint32_t candidate, assay_draws_t *out_draws) {
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        decide_stream(seed, (assay_draw_t)d, candidate, &out_draws->stream[d]);
    }
}

void assay_decide_draw_of(const assay_draws_t *draws, uint32_t sample, double out_u[ASSAY_DRAW_N]) {
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        out_u[d] = decide_stream_at(&draws->stream[d], sample);
    }
}

void assay_decide_draw(uint64_t seed, uint32_t candidate, uint32_t sample,
                       double out_u[ASSAY_DRAW_N]) {
    assay_draws_t draws;
    assay_decide_draws(seed, candidate, &draws);
    assay_decide_draw_of(&draws, sample, out_u);
}

/* ---- blocks ---- */

static void add_lane(sampler_lane_t *lane, uint32_t *io_n, assay_draw_t draw, uint64_t seed,
                     uint32_t candidate) {
    for (uint32_t k = 0; k < *io_n; k++) {
        if (lane[k].draw == draw) {
            return;
        }
    }
    lane[*io_n].draw = (uint8_t)draw;
    decide_stream(seed, draw, candidate, &lane[(*io_n)++].stream);
}

assay_status_t sampler_create(assay_arena_t *arena, const assay_money_case_t *const *money_case,
                              uint32_t n_candidate, uint64_t seed, sampler_t **out_sampler,
                              assay_error_t *err) {
    sampler_t *s = assay_arena_alloc(arena, sizeof *s);
    if (s) {
        memset(s, 0, sizeof *s);
        s->candidate = assay_arena_array(arena, n_candidate, sizeof *s->candidate);
    }
    if (!s || !s->candidate) {
        return assay_error_memory(err, NULL);
    }
    s->n_candidate = n_candidate;
    double correlation = 0.0;
    uint32_t n_level = 0;
    for (uint32_t c = 0; c < n_candidate; c++) {
        sampler_candidate_t *candidate = &s->candidate[c];
        candidate->used = money_case[c] != NULL;
        candidate->n_lane = 0;
        if (!candidate->used) {
            continue;
        }
        assay_money_flows(money_case[c], &candidate->flows);
        for (int d = 0; d < ASSAY_DRAW_N; d++) {
            const assay_draw_t draw = (assay_draw_t)d;
            if (money_case[c]->draw[d].kind == ASSAY_DIST_FIXED) {
                continue;
            }
            if (assay_draw_is_common(draw)) {
                add_lane(s->lane, &s->n_lane, draw, seed, 0);
            } else {
                add_lane(candidate->lane, &candidate->n_lane, draw, seed, c);
            }
        }
        correlation = money_case[c]->level_correlation;
    }
    for (uint32_t k = 0; k < s->n_lane; k++) {
        n_level += s->lane[k].draw >= ASSAY_DRAW_LEVEL_1 && s->lane[k].draw <= ASSAY_DRAW_LEVEL_3;
    }
    s->correlated =
        n_level == LEVELS && correlation > 0.0 && assay_money_levels(correlation, &s->levels);
    *out_sampler = s;
    return ASSAY_OK;
}

/* Uniform numbers and normal scores of one lane. */
static void fill(const sampler_lane_t *lane, uint32_t first, uint32_t n, sampler_block_t *block) {
    double *u = block->u[lane->draw];
    const assay_draw_stream_t *stream = &lane->stream;
    if (stream->sobol) {
        uint32_t point = assay_sobol_point(stream->v, first);
        for (uint32_t i = 0; i < n; i++) {
            u[i] = assay_sobol_uniform(point, stream->shift);
            point ^= stream->v[(uint32_t)__builtin_ctz(first + i + 1) & 31];
        }
    } else {
        for (uint32_t i = 0; i < n; i++) {
            u[i] = decide_stream_at(stream, first + i);
        }
    }
    assay_normal_quantiles(u, n, block->z[lane->draw]);
}

static void correlate(const sampler_t *s, uint32_t n, sampler_block_t *block) {
    for (uint32_t i = 0; i < n; i++) {
        double z[LEVELS];
        for (uint32_t k = 0; k < LEVELS; k++) {
            z[k] = block->z[ASSAY_DRAW_LEVEL_1 + k][i];
        }
        assay_copula_apply(&s->levels, z);
        for (uint32_t k = 0; k < LEVELS; k++) {
            block->z[ASSAY_DRAW_LEVEL_1 + k][i] = z[k];
            block->u[ASSAY_DRAW_LEVEL_1 + k][i] = assay_normal_cdf(z[k]);
        }
    }
}

void sampler_common(const sampler_t *sampler, uint32_t first, uint32_t n, sampler_block_t *block) {
    assert(n <= ASSAY_BATCH);
    for (uint32_t k = 0; k < sampler->n_lane; k++) {
        fill(&sampler->lane[k], first, n, block);
    }
    if (sampler->correlated) {
        correlate(sampler, n, block);
    }
}

static void value_lane(const assay_money_case_t *c, assay_draw_t draw, uint32_t n,
                       sampler_block_t *block, const double **out_x) {
    if (c->draw[draw].kind == ASSAY_DIST_FIXED) {
        return;
    }
    double *value = block->value[draw];
    assay_dist_quantiles(&c->draw[draw], block->u[draw], block->z[draw], n, value);
    for (uint32_t i = 0; i < n && assay_money_is_kept(draw); i++) {
        value[i] = assay_money_keep_one(c, draw, value[i]);
    }
    out_x[draw] = value;
}

void sampler_evaluate(const sampler_t *sampler, uint32_t candidate, uint32_t first, uint32_t n,
                      sampler_block_t *block, double *out_job_usd, double *out_tco_usd,
                      double *out_hours) {
    const sampler_candidate_t *own = &sampler->candidate[candidate];
    const assay_money_case_t *c = own->flows.money_case;
    const double *x[ASSAY_DRAW_N] = {NULL};
    for (uint32_t k = 0; k < sampler->n_lane; k++) {
        value_lane(c, (assay_draw_t)sampler->lane[k].draw, n, block, x);
    }
    for (uint32_t k = 0; k < own->n_lane; k++) {
        fill(&own->lane[k], first, n, block);
        value_lane(c, (assay_draw_t)own->lane[k].draw, n, block, x);
    }
    assay_money_batch(&own->flows, x, n, out_job_usd, out_tco_usd, out_hours);
}
