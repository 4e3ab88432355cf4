/**
 * Inside decide: draws the uncertain inputs of all candidates and evaluates them, a block of
 * samples at a time. What a block holds depends on (seed, first sample) alone.
 *
 * An input that all candidates share has one Sobol dimension, one of a single candidate its own;
 * each is shifted by a word of (seed, stream). Candidates whose dimensions are used up get
 * counter-based numbers of the same stream.
 */
#ifndef ASSAY_DECIDE_SAMPLER_H
#define ASSAY_DECIDE_SAMPLER_H

#include "assay/arena.h"
#include "assay/decide.h"

typedef struct {
    uint8_t draw;
    int8_t group, member; /* of a candidate's own input that is correlated; else -1 */
    assay_draw_stream_t stream;
} sampler_lane_t;

typedef struct {
    bool used;
    assay_money_flows_t flows;
    sampler_lane_t lane[ASSAY_DRAW_N]; /* of this candidate alone */
    uint32_t n_lane;
} sampler_candidate_t;

typedef struct {
    uint32_t n_candidate;
    sampler_candidate_t *candidate;
    sampler_lane_t lane[ASSAY_DRAW_N]; /* that any candidate shares */
    uint32_t n_lane;
    const assay_correlations_t *correlations;      /* NULL: none */
    bool moves_together[ASSAY_CORRELATION_GROUPS]; /* that any candidate draws of */
    assay_draw_stream_t member[ASSAY_CORRELATION_GROUPS][ASSAY_COPULA_MAX]; /* of candidates' own */
} sampler_t;

/** Values of one block; every worker has its own. */
typedef struct {
    double u[ASSAY_DRAW_N][ASSAY_BATCH], z[ASSAY_DRAW_N][ASSAY_BATCH];
    double value[ASSAY_DRAW_N][ASSAY_BATCH];
    /* of candidates' own inputs that are correlated */
    double own_u[ASSAY_CORRELATION_GROUPS][ASSAY_COPULA_MAX][ASSAY_BATCH];
    double own_z[ASSAY_CORRELATION_GROUPS][ASSAY_COPULA_MAX][ASSAY_BATCH];
} sampler_block_t;

/** money_case: (n_candidate), NULL = does not fit; they and the correlations (NULL: none) outlive
    the sampler. */
assay_status_t sampler_create(assay_arena_t *arena, const assay_money_case_t *const *money_case,
                              uint32_t n_candidate, uint64_t seed,
                              const assay_correlations_t *correlations, sampler_t **out_sampler,
                              assay_error_t *err);
/** Draws what candidates share: n <= ASSAY_BATCH samples from `first` on. */
void sampler_common(const sampler_t *sampler, uint32_t first, uint32_t n, sampler_block_t *block);
/** Then each candidate in any order. out: (n) each. */
void sampler_evaluate(const sampler_t *sampler, uint32_t candidate, uint32_t first, uint32_t n,
                      sampler_block_t *block, double *out_job_usd, double *out_tco_usd,
                      double *out_hours);

#endif
