/* Uncertainty: every candidate is evaluated at the same draws of the common causes. */
#include "decide/decision.h"

#include "assay/pool.h"
#include "assay/rng.h"

#include <assert.h>
#include <stdlib.h>

#include "base/banned.h"

#define SAMPLES_PER_ITEM 256u

/* Every array is (samples); what sample i is depends on (seed, i) alone. */
typedef struct {
    double *job_usd, *tco_usd, *hours;
} sample_row_t;

typedef struct {
    const assay_decide_ctx_t *ctx;
    sample_row_t *row; /* (n_candidate); job_usd NULL when the candidate does not fit */
} sample_job_t;

/* Streams: one per common draw, then one per draw and candidate. */
static uint64_t stream_of(assay_draw_t draw, uint32_t candidate) {
    return assay_draw_is_common(draw) ? (uint64_t)draw
                                      : (uint64_t)ASSAY_DRAW_N * (1u + candidate) + draw;
}

void assay_decide_draw(uint64_t seed, uint32_t candidate, uint32_t sample,
                       double out_u[ASSAY_DRAW_N]) {
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        out_u[d] = assay_rng_uniform(seed, stream_of((assay_draw_t)d, candidate), sample);
    }
}

static void sample_some(void *job_ctx, size_t item, uint32_t worker) {
    (void)worker;
    const sample_job_t *job = job_ctx;
    const assay_resolved_t *resolved = job->ctx->resolved;
    const assay_decision_t *decision = job->ctx->out;
    const uint32_t first = (uint32_t)item * SAMPLES_PER_ITEM;
    const uint32_t left = resolved->samples - first;
    const uint32_t end = first + (left < SAMPLES_PER_ITEM ? left : SAMPLES_PER_ITEM);
    for (uint32_t i = first; i < end; i++) {
        double u[ASSAY_DRAW_N];
        bool common_drawn = false;
        for (uint32_t c = 0; c < decision->n_candidate; c++) {
            if (!job->row[c].job_usd) {
                continue;
            }
            for (int d = 0; d < ASSAY_DRAW_N; d++) {
                if (!common_drawn || !assay_draw_is_common((assay_draw_t)d)) {
                    u[d] = assay_rng_uniform(resolved->seed, stream_of((assay_draw_t)d, c), i);
                }
            }
            common_drawn = true;
            assay_money_result_t result;
            assay_money_eval(&decision->candidate[c].money_case, u, &result);
            job->row[c].job_usd[i] = result.job_usd;
            job->row[c].tco_usd[i] = result.tco_usd;
            job->row[c].hours[i] = result.hours;
        }
    }
}

/* P(best) among the eligible, ties shared; the regret of the choice; P(deadline) of all that fit.
 */
static void count(assay_decide_ctx_t *ctx, const sample_row_t *row) {
    assay_decision_t *decision = ctx->out;
    const uint32_t samples = ctx->resolved->samples;
    double regret = 0.0;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        decision->candidate[c].p_best = decision->candidate[c].p_deadline = 0.0;
    }
    for (uint32_t i = 0; i < samples; i++) {
        double best = 0.0;
        uint32_t n_best = 0;
        for (uint32_t c = 0; c < decision->n_candidate; c++) {
            assay_candidate_t *candidate = &decision->candidate[c];
            if (candidate->fits && assay_decide_meets_deadline(ctx, row[c].hours[i])) {
                candidate->p_deadline += 1.0;
            }
            if (!candidate->eligible) {
                continue;
            }
            const double usd = row[c].job_usd[i];
            if (n_best == 0 || usd < best) {
                best = usd;
                n_best = 1;
            } else if (!(usd > best)) {
                n_best++;
            }
        }
        for (uint32_t c = 0; c < decision->n_candidate && n_best > 0; c++) {
            if (decision->candidate[c].eligible && !(row[c].job_usd[i] > best)) {
                decision->candidate[c].p_best += 1.0 / n_best;
            }
        }
        if (decision->choice >= 0) {
            regret += row[decision->choice].job_usd[i] - best;
        }
    }
    decision->regret_usd = regret / samples;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        decision->candidate[c].p_best /= samples;
        decision->candidate[c].p_deadline /= samples;
    }
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Linear between order statistics: at 0 the smallest, at 1 the largest. */
static double quantile_of_sorted(const double *x, uint32_t n, double p) {
    const double at = p * (double)(n - 1);
    const uint32_t k = (uint32_t)at;
    return k + 1 < n ? x[k] + (at - k) * (x[k + 1] - x[k]) : x[n - 1];
}

/* Sorts x. */
static assay_spread_t spread_of(double *x, uint32_t n) {
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        sum += x[i];
    }
    qsort(x, n, sizeof *x, compare_doubles);
    return (assay_spread_t){quantile_of_sorted(x, n, 0.1), quantile_of_sorted(x, n, 0.5),
                            quantile_of_sorted(x, n, 0.9), sum / n};
}

static assay_status_t sample_with(assay_decide_ctx_t *ctx, assay_arena_t *scratch,
                                  uint32_t threads) {
    assay_decision_t *decision = ctx->out;
    const uint32_t samples = ctx->resolved->samples;
    sample_job_t job = {ctx, assay_arena_array(scratch, decision->n_candidate, sizeof *job.row)};
    if (!job.row) {
        return ASSAY_MEMORY;
    }
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (!decision->candidate[c].fits) {
            continue;
        }
        double *x = assay_arena_array(scratch, 3 * (size_t)samples, sizeof *x);
        if (!x) {
            return ASSAY_MEMORY;
        }
        job.row[c] = (sample_row_t){x, x + samples, x + 2 * (size_t)samples};
    }
    const size_t items = (samples + (size_t)SAMPLES_PER_ITEM - 1) / SAMPLES_PER_ITEM;
    const assay_status_t status = assay_pool_for(threads, items, sample_some, &job, ctx->hooks);
    if (status) {
        return status;
    }
    count(ctx, job.row);
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        assay_candidate_t *candidate = &decision->candidate[c];
        if (candidate->fits) {
            candidate->job_usd = spread_of(job.row[c].job_usd, samples);
            candidate->tco_usd = spread_of(job.row[c].tco_usd, samples);
            candidate->hours = spread_of(job.row[c].hours, samples);
        }
    }
    return ASSAY_OK;
}

assay_status_t assay_decide_sample(assay_decide_ctx_t *ctx, uint32_t threads, assay_error_t *err) {
    assert(ctx->resolved->samples > 0);
    /* The samples outlive nothing: they have an arena of their own, exactly large enough. */
    const size_t n = ctx->out->n_candidate;
    const size_t each = sizeof(sample_row_t) + 3 * sizeof(double) * ctx->resolved->samples + 64;
    assay_arena_t *scratch = assay_arena_create(n * each + 4096);
    const assay_status_t status = scratch ? sample_with(ctx, scratch, threads) : ASSAY_MEMORY;
    assay_arena_destroy(scratch);
    if (status == ASSAY_MEMORY) {
        assay_error_set(err, status, NULL, "%u samples of %zu candidates do not fit into memory",
                        (unsigned)ctx->resolved->samples, n);
        assay_error_next(err, "give a smaller analysis.samples");
    } else if (status == ASSAY_CANCELLED) {
        assay_error_set(err, status, NULL, "stopped while sampling the uncertainty");
    }
    return status;
}
