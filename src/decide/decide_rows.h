/** Inside decide: what the uncertainty rests on, from the samples that were taken. */
#ifndef ASSAY_DECIDE_DECIDE_ROWS_H
#define ASSAY_DECIDE_DECIDE_ROWS_H

#include "decide/decide_game.h"

/* Every array is (samples); what sample i is depends on (seed, i) alone. */
typedef struct {
    double *job_usd, *tco_usd, *hours; /* NULL: the candidate does not fit */
} decide_rows_t;

/** The numbers of one input, as the samples took them. */
void decide_stream(uint64_t seed, assay_draw_t draw, uint32_t candidate, assay_draw_stream_t *out);
double decide_stream_at(const assay_draw_stream_t *stream, uint32_t sample);
/** Normal scores of one input (owner -1: that all share) in samples 0..n, correlated as they were
    drawn. */
void decide_scores(const assay_resolved_t *resolved, assay_draw_t draw, int32_t owner, uint32_t n,
                   double *out_z);

/** Of a game whose players are sampled: what its verdict rests on, and the map that the job asks
   for; NULL: nothing fits. Errors: ASSAY_INPUT (a user's table, a map), ASSAY_MEMORY. */
assay_status_t assay_decide_sensitivity(decide_game_t *game, assay_arena_t *scratch,
                                        const assay_sensitivity_t **out, assay_error_t *err);
/** Its part over the years: curves, crossing, investment, budget of the move. */
assay_status_t assay_decide_finance(const decide_game_t *game, assay_arena_t *scratch,
                                    assay_sensitivity_t *io, assay_error_t *err);

/** The map that the job asks for. Errors: ASSAY_INPUT (no such variable, nothing to compare). */
assay_status_t assay_decide_map(const decide_game_t *game, assay_arena_t *scratch,
                                assay_sensitivity_t *io, assay_error_t *err);

#endif
