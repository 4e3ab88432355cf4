/* Uncertainty: every candidate is evaluated at the same draws of the common causes. */
#include "decide/decide_rows.h"
#include "decide/decision.h"
#include "decide/sampler.h"

#include "assay/pool.h"

#include <assert.h>
#include <pthread.h>

#include "base/banned.h"

#define SAMPLES_PER_ITEM ASSAY_BATCH
#define SAMPLES_BETWEEN_QUESTIONS 65536u /* whether to stop */
#define SCRATCH_BYTES ((size_t)2 << 30)  /* 64 candidates and a million samples fit */

typedef struct {
    const assay_decide_ctx_t *ctx;
    decide_rows_t *row; /* (n_candidate); job_usd NULL when the candidate does not fit */
    const sampler_t *sampler;
    sampler_block_t *block; /* (threads) */
    pthread_mutex_t lock;   /* over progress */
    uint64_t n_done;        /* samples */
} sample_job_t;

static void tell_progress(sample_job_t *job, uint32_t n) {
    const assay_hooks_t *hooks = job->ctx->hooks;
    if (!hooks || !hooks->progress) {
        return;
    }
    pthread_mutex_lock(&job->lock);
    job->n_done += n;
    hooks->progress(hooks->ctx, "samples", job->n_done, job->ctx->resolved->samples);
    pthread_mutex_unlock(&job->lock);
}

static void sample_some(void *job_ctx, size_t item, uint32_t worker) {
    sample_job_t *job = job_ctx;
    const uint32_t first = (uint32_t)item * SAMPLES_PER_ITEM;
    const uint32_t left = job->ctx->resolved->samples - first;
    const uint32_t n = left < SAMPLES_PER_ITEM ? left : SAMPLES_PER_ITEM;
    sampler_block_t *block = &job->block[worker];
    sampler_common(job->sampler, first, n, block);
    for (uint32_t c = 0; c < job->sampler->n_candidate; c++) {
        const decide_rows_t *row = &job->row[c];
        if (row->job_usd) {
            sampler_evaluate(job->sampler, c, first, n, block, &row->job_usd[first],
                             &row->tco_usd[first], &row->hours[first]);
        }
    }
    tell_progress(job, n);
}

static bool is_cancelled(const assay_decide_ctx_t *ctx) {
    return ctx->hooks && ctx->hooks->cancelled && ctx->hooks->cancelled(ctx->hooks->ctx);
}

/* P(best) among the eligible, ties shared; the regret of the choice; P(deadline) of all that fit.
 */
static assay_status_t count(assay_decide_ctx_t *ctx, const decide_rows_t *row) {
    assay_decision_t *decision = ctx->out;
    const uint32_t samples = ctx->resolved->samples;
    double regret = 0.0;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        decision->candidate[c].p_best = decision->candidate[c].p_deadline = 0.0;
    }
    for (uint32_t i = 0; i < samples; i++) {
        if (i % SAMPLES_BETWEEN_QUESTIONS == 0 && is_cancelled(ctx)) {
            return ASSAY_CANCELLED;
        }
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
    return ASSAY_OK;
}

static void swap(double *a, double *b) {
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves the k-th smallest to x[k], none larger before it, none smaller behind it (Hoare, Algorithm
   65, 1961); linear, where sorting ten million samples takes seconds. */
static void select_smallest(double *x, uint32_t n, uint32_t k) {
    int64_t first = 0, last = (int64_t)n - 1;
    while (first < last) {
        const double pivot = x[first + (last - first) / 2];
        int64_t left = first, right = last;
        while (left <= right) {
            while (x[left] < pivot) {
                left++;
            }
            while (x[right] > pivot) {
                right--;
            }
            if (left <= right) {
                swap(&x[left++], &x[right--]);
            }
        }
        if (k > right && k < left) {
            return;
        }
        *(k <= right ? &last : &first) = k <= right ? right : left;
    }
}

/* Linear between order statistics: at 0 the smallest, at 1 the largest. Changes x's order. */
static double quantile(double *x, uint32_t n, double p) {
    const double at = p * (double)(n - 1);
    const uint32_t k = (uint32_t)at;
    select_smallest(x, n, k);
    if (k + 1 == n) {
        return x[k];
    }
    double next = x[k + 1];
    for (uint32_t i = k + 2; i < n; i++) {
        next = x[i] < next ? x[i] : next;
    }
    return x[k] + (at - k) * (next - x[k]);
}

static assay_spread_t spread_of(double *x, uint32_t n) {
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        sum += x[i];
    }
    const assay_spread_t spread = {quantile(x, n, 0.1), quantile(x, n, 0.5), quantile(x, n, 0.9),
                                   sum / n};
    return spread;
}

static void spread_one(void *job_ctx, size_t item, uint32_t worker) {
    (void)worker;
    const sample_job_t *job = job_ctx;
    const uint32_t samples = job->ctx->resolved->samples;
    assay_candidate_t *candidate = &job->ctx->out->candidate[item / 3];
    const decide_rows_t *row = &job->row[item / 3];
    if (!candidate->fits) {
        return;
    }
    switch (item % 3) {
    case 0:
        candidate->job_usd = spread_of(row->job_usd, samples);
        break;
    case 1:
        candidate->tco_usd = spread_of(row->tco_usd, samples);
        break;
    default:
        candidate->hours = spread_of(row->hours, samples);
        break;
    }
}

/* The sampler of the candidates that fit, and a block for each worker. */
static assay_status_t set_up(sample_job_t *job, assay_arena_t *scratch, uint32_t threads) {
    const assay_decision_t *decision = job->ctx->out;
    const uint32_t n = decision->n_candidate;
    const assay_money_case_t **money_case = assay_arena_array(scratch, n, sizeof(void *));
    sampler_t *sampler;
    job->row = assay_arena_array(scratch, n, sizeof *job->row);
    job->block =
        assay_arena_array(scratch, threads ? threads : assay_pool_threads(), sizeof *job->block);
    if (!money_case || !job->row || !job->block) {
        return ASSAY_LIMIT;
    }
    for (uint32_t c = 0; c < n; c++) {
        const assay_candidate_t *candidate = &decision->candidate[c];
        money_case[c] = candidate->fits ? &candidate->money_case : NULL;
    }
    if (sampler_create(scratch, money_case, n, job->ctx->resolved->seed,
                       job->ctx->resolved->money.correlations, &sampler, NULL)) {
        return ASSAY_LIMIT;
    }
    job->sampler = sampler;
    return ASSAY_OK;
}

static assay_status_t study(assay_decide_ctx_t *ctx, assay_arena_t *scratch,
                            const decide_rows_t *row, assay_error_t *err) {
    decide_game_t game;
    const assay_status_t status = decide_game_of_training(ctx, ctx->out, &game, err);
    for (uint32_t c = 0; c < game.n && !status; c++) {
        game.player[c].usd = row[c].job_usd;
    }
    return status ? status : assay_decide_sensitivity(&game, scratch, &ctx->out->sensitivity, err);
}

static assay_status_t sample_with(assay_decide_ctx_t *ctx, assay_arena_t *scratch, uint32_t threads,
                                  assay_error_t *err) {
    assay_decision_t *decision = ctx->out;
    const uint32_t samples = ctx->resolved->samples;
    sample_job_t job = {.ctx = ctx};
    if (set_up(&job, scratch, threads)) {
        return ASSAY_LIMIT;
    }
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (!decision->candidate[c].fits) {
            continue;
        }
        double *x = assay_arena_array(scratch, 3 * (size_t)samples, sizeof *x);
        if (!x) {
            return ASSAY_LIMIT;
        }
        job.row[c] = (decide_rows_t){x, x + samples, x + 2 * (size_t)samples};
    }
    const size_t items = (samples + (size_t)SAMPLES_PER_ITEM - 1) / SAMPLES_PER_ITEM;
    pthread_mutex_init(&job.lock, NULL);
    assay_status_t status = assay_pool_for(threads, items, sample_some, &job, ctx->hooks);
    if (!status) {
        status = count(ctx, job.row);
    }
    if (!status) { /* before the rows lose their order */
        status = study(ctx, scratch, job.row, err);
    }
    if (!status) {
        const size_t n_spread = 3 * (size_t)decision->n_candidate;
        status = assay_pool_for(threads, n_spread, spread_one, &job, ctx->hooks);
    }
    pthread_mutex_destroy(&job.lock);
    return status;
}

assay_status_t assay_decide_sample(assay_decide_ctx_t *ctx, uint32_t threads, assay_error_t *err) {
    assert(ctx->resolved->samples > 0);
    /* The samples outlive nothing: they have an arena of their own. */
    assay_arena_t *scratch = assay_arena_create(SCRATCH_BYTES);
    const assay_status_t status = scratch ? sample_with(ctx, scratch, threads, err) : ASSAY_LIMIT;
    assay_arena_destroy(scratch);
    if (status == ASSAY_LIMIT) {
        assay_error_set(err, status, NULL, "%u samples of %u candidates do not fit into memory",
                        ctx->resolved->samples, ctx->out->n_candidate);
        assay_error_next(err, "give a smaller analysis.samples");
    } else if (status == ASSAY_CANCELLED) {
        assay_error_set(err, status, NULL, "stopped while sampling the uncertainty");
    }
    return status;
}
