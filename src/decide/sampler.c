#include "decide/sampler.h"

#include <assert.h>
#include <string.h>

#include "assay/rng.h"
#include "decide/decide_rows.h"

#include "base/banned.h"

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

static uint32_t owner_of(const assay_draw_member_t *member) {
    return member->candidate < 0 ? 0 : (uint32_t)member->candidate;
}

static void member_streams(uint64_t seed, const assay_correlations_t *correlations,
                           assay_draw_stream_t out[][ASSAY_COPULA_MAX]) {
    for (uint32_t g = 0; correlations && g < correlations->n; g++) {
        for (uint32_t k = 0; k < correlations->group[g].copula.n; k++) {
            const assay_draw_member_t *member = &correlations->group[g].member[k];
            decide_stream(seed, (assay_draw_t)member->draw, owner_of(member), &out[g][k]);
        }
    }
}

void assay_decide_draws(uint64_t seed, const assay_correlations_t *correlations, uint32_t candidate,
                        assay_draws_t *out_draws) {
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        decide_stream(seed, (assay_draw_t)d, candidate, &out_draws->stream[d]);
    }
    out_draws->correlations = correlations;
    out_draws->candidate = candidate;
    member_streams(seed, correlations, out_draws->member);
}

void assay_decide_draw_of(const assay_draws_t *draws, uint32_t sample, double out_u[ASSAY_DRAW_N]) {
    const assay_correlations_t *correlations = draws->correlations;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        out_u[d] = decide_stream_at(&draws->stream[d], sample);
    }
    for (uint32_t g = 0; correlations && g < correlations->n; g++) {
        const assay_copula_t *copula = &correlations->group[g].copula;
        double z[ASSAY_COPULA_MAX];
        for (uint32_t k = 0; k < copula->n; k++) {
            z[k] = assay_normal_quantile(decide_stream_at(&draws->member[g][k], sample));
        }
        assay_copula_apply(copula, z);
        for (uint32_t k = 0; k < copula->n; k++) {
            const assay_draw_member_t *member = &correlations->group[g].member[k];
            if (member->candidate < 0 || (uint32_t)member->candidate == draws->candidate) {
                out_u[member->draw] = assay_normal_cdf(z[k]);
            }
        }
    }
}

void assay_decide_draw(uint64_t seed, const assay_correlations_t *correlations, uint32_t candidate,
                       uint32_t sample, double out_u[ASSAY_DRAW_N]) {
    assay_draws_t draws;
    assay_decide_draws(seed, correlations, candidate, &draws);
    assay_decide_draw_of(&draws, sample, out_u);
}

/* Where an input is in the groups. */
static bool find_member(const assay_correlations_t *correlations, assay_draw_t draw, int32_t owner,
                        uint32_t *out_group, uint32_t *out_member) {
    for (uint32_t g = 0; correlations && g < correlations->n; g++) {
        for (uint32_t k = 0; k < correlations->group[g].copula.n; k++) {
            const assay_draw_member_t *member = &correlations->group[g].member[k];
            if (member->draw == draw && member->candidate == owner) {
                *out_group = g;
                *out_member = k;
                return true;
            }
        }
    }
    return false;
}

void decide_scores(const assay_resolved_t *resolved, assay_draw_t draw, int32_t owner, uint32_t n,
                   double *out_z) {
    const assay_correlations_t *correlations = resolved->money.correlations;
    uint32_t g, m;
    assay_draw_stream_t stream;
    if (!find_member(correlations, draw, owner, &g, &m)) {
        decide_stream(resolved->seed, draw, owner < 0 ? 0 : (uint32_t)owner, &stream);
        for (uint32_t i = 0; i < n; i++) {
            out_z[i] = assay_normal_quantile(decide_stream_at(&stream, i));
        }
        return;
    }
    memset(out_z, 0, n * sizeof *out_z);
    for (uint32_t k = 0; k <= m; k++) { /* a row of the lower triangle */
        const assay_draw_member_t *member = &correlations->group[g].member[k];
        decide_stream(resolved->seed, (assay_draw_t)member->draw, owner_of(member), &stream);
        for (uint32_t i = 0; i < n; i++) {
            out_z[i] += correlations->group[g].copula.factor[m][k] *
                        assay_normal_quantile(decide_stream_at(&stream, i));
        }
    }
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
    lane[*io_n].group = lane[*io_n].member = -1;
    decide_stream(seed, draw, candidate, &lane[(*io_n)++].stream);
}

static bool is_drawn(const assay_money_case_t *money_case, int draw) {
    return money_case && money_case->draw[draw].kind != ASSAY_DIST_FIXED;
}

/* A group of which a candidate draws is drawn whole, so that a sample does not depend on who fits.
 */
static void add_groups(sampler_t *s, const assay_money_case_t *const *money_case, uint64_t seed) {
    const assay_correlations_t *correlations = s->correlations;
    member_streams(seed, correlations, s->member);
    for (uint32_t g = 0; correlations && g < correlations->n; g++) {
        const uint32_t n = correlations->group[g].copula.n;
        const assay_draw_member_t *member = correlations->group[g].member;
        for (uint32_t k = 0; k < n; k++) {
            for (uint32_t c = 0; c < s->n_candidate; c++) {
                s->moves_together[g] |=
                    (member[k].candidate < 0 || (uint32_t)member[k].candidate == c) &&
                    is_drawn(money_case[c], member[k].draw);
            }
        }
        for (uint32_t k = 0; k < n && s->moves_together[g]; k++) {
            if (member[k].candidate < 0) {
                add_lane(s->lane, &s->n_lane, (assay_draw_t)member[k].draw, seed, 0);
            }
        }
    }
}

assay_status_t sampler_create(assay_arena_t *arena, const assay_money_case_t *const *money_case,
                              uint32_t n_candidate, uint64_t seed,
                              const assay_correlations_t *correlations, sampler_t **out_sampler,
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
    s->correlations = correlations;
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
            uint32_t g, k;
            if (!is_drawn(money_case[c], d)) {
                continue;
            }
            if (assay_draw_is_common(draw)) {
                add_lane(s->lane, &s->n_lane, draw, seed, 0);
                continue;
            }
            add_lane(candidate->lane, &candidate->n_lane, draw, seed, c);
            if (find_member(correlations, draw, (int32_t)c, &g, &k)) {
                candidate->lane[candidate->n_lane - 1].group = (int8_t)g;
                candidate->lane[candidate->n_lane - 1].member = (int8_t)k;
            }
        }
    }
    add_groups(s, money_case, seed);
    *out_sampler = s;
    return ASSAY_OK;
}

/* Uniform numbers and normal scores of one input. */
static void fill(const assay_draw_stream_t *stream, uint32_t first, uint32_t n, double *u,
                 double *z) {
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
    assay_normal_quantiles(u, n, z);
}

static void correlate(const sampler_t *s, uint32_t g, uint32_t first, uint32_t n,
                      sampler_block_t *block) {
    const assay_copula_t *copula = &s->correlations->group[g].copula;
    double *u[ASSAY_COPULA_MAX], *z[ASSAY_COPULA_MAX];
    for (uint32_t k = 0; k < copula->n; k++) {
        const assay_draw_member_t *member = &s->correlations->group[g].member[k];
        const bool common = member->candidate < 0;
        u[k] = common ? block->u[member->draw] : block->own_u[g][k];
        z[k] = common ? block->z[member->draw] : block->own_z[g][k];
        if (!common) {
            fill(&s->member[g][k], first, n, u[k], z[k]);
        }
    }
    for (uint32_t k = copula->n; k-- > 0;) { /* from the end: what is read is not yet written */
        const double *factor = copula->factor[k];
        for (uint32_t i = 0; i < n; i++) {
            z[k][i] *= factor[k];
        }
        for (uint32_t j = 0; j < k; j++) {
            for (uint32_t i = 0; i < n; i++) {
                z[k][i] += factor[j] * z[j][i];
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            u[k][i] = assay_normal_cdf(z[k][i]);
        }
    }
}

void sampler_common(const sampler_t *sampler, uint32_t first, uint32_t n, sampler_block_t *block) {
    assert(n <= ASSAY_BATCH);
    for (uint32_t k = 0; k < sampler->n_lane; k++) {
        const sampler_lane_t *lane = &sampler->lane[k];
        fill(&lane->stream, first, n, block->u[lane->draw], block->z[lane->draw]);
    }
    for (uint32_t g = 0; sampler->correlations && g < sampler->correlations->n; g++) {
        if (sampler->moves_together[g]) {
            correlate(sampler, g, first, n, block);
        }
    }
}

static void value_lane(const assay_money_case_t *c, assay_draw_t draw, const double *u,
                       const double *z, uint32_t n, sampler_block_t *block, const double **out_x) {
    if (c->draw[draw].kind == ASSAY_DIST_FIXED) {
        return;
    }
    double *value = block->value[draw];
    assay_dist_quantiles(&c->draw[draw], u, z, n, value);
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
        const uint8_t draw = sampler->lane[k].draw;
        value_lane(c, (assay_draw_t)draw, block->u[draw], block->z[draw], n, block, x);
    }
    for (uint32_t k = 0; k < own->n_lane; k++) {
        const sampler_lane_t *lane = &own->lane[k];
        const double *u = block->u[lane->draw], *z = block->z[lane->draw];
        if (lane->group >= 0) {
            u = block->own_u[lane->group][lane->member];
            z = block->own_z[lane->group][lane->member];
        } else {
            fill(&lane->stream, first, n, block->u[lane->draw], block->z[lane->draw]);
        }
        value_lane(c, (assay_draw_t)lane->draw, u, z, n, block, x);
    }
    assay_money_batch(&own->flows, x, n, out_job_usd, out_tco_usd, out_hours);
}
