#include "port/effort.h"

#include <math.h>

#include "assay/dist.h"
#include "assay/rng.h"

#include "base/det_math.h"

#include "base/banned.h"

#define N_SAMPLE 8192u
#define SEED 7u

enum { STREAM_COMMON, STREAM_LEVEL, STREAM_TRAINING = STREAM_LEVEL + 3, STREAM_CONTINGENCY };

typedef struct {
    double median, sigma; /* median 0: nothing to do */
} level_t;

/*
 * Prior and scan in ln(person-days), each weighted by its precision. Where the scan finds nothing
 * the prior, which speaks of trees with such work, has no part either.
 */
static level_t combine(const effort_table_t *t, const effort_features_t *f,
                       const effort_range_t *prior, double scan_days) {
    if (scan_days <= 0.0) {
        return (level_t){0.0, 0.0};
    }
    const double prior_mean =
        assay_det_log(f->credit) + 0.5 * (assay_det_log(prior->low) + assay_det_log(prior->high));
    const double prior_sigma =
        (assay_det_log(prior->high) - assay_det_log(prior->low)) / (2 * ASSAY_Z90);
    const double scan_mean = assay_det_log(scan_days);
    double prior_weight = 1.0 / (prior_sigma * prior_sigma);
    const double scan_weight = 1.0 / (t->scan_sigma * t->scan_sigma);
    const bool small = (double)f->cuda_lines < t->tree_small_lines;
    if (small || ((double)f->cuda_lines > t->tree_large_lines && scan_mean > prior_mean)) {
        prior_weight = 0.0; /* it speaks of a code base of ordinary size */
    }
    const double weight = prior_weight + scan_weight;
    level_t level = {
        assay_det_exp((prior_weight * prior_mean + scan_weight * scan_mean) / weight),
        sqrt(1.0 / weight),
    };
    if (small && level.median > f->credit * prior->low) {
        level.median = f->credit * prior->low;
    }
    return level;
}

static double draw(uint64_t stream, uint32_t i) {
    return assay_normal_quantile(assay_rng_uniform(SEED, stream, i));
}

static assay_port_days_t level_days(const level_t *level) {
    const double factor = assay_det_exp(ASSAY_Z90 * level->sigma);
    return (assay_port_days_t){level->median / factor, level->median, level->median * factor};
}

static assay_port_days_t scaled(assay_port_days_t days, double factor) {
    return (assay_port_days_t){days.p10_days * factor, days.p50_days * factor,
                               days.p90_days * factor};
}

/* Of sorted sample[0..N_SAMPLE), nearest rank. */
static double quantile(const double *sample, double u) {
    return sample[(uint32_t)(u * (N_SAMPLE - 1) + 0.5)];
}

static assay_port_days_t summary(double *sample) {
    (void)assay_dist_of_sample(sample, N_SAMPLE);
    return (assay_port_days_t){quantile(sample, 0.1), quantile(sample, 0.5), quantile(sample, 0.9)};
}

/* Totals by Monte Carlo: levels share a part of their error, the rest is their own. */
static assay_status_t sample_totals(assay_arena_t *arena, const effort_table_t *t,
                                    const level_t level[3], double juniors,
                                    assay_port_effort_t *out, assay_error_t *err) {
    const assay_dist_t training = assay_dist_lognormal_p10_p50_p90(
        t->training_days.low, t->training_days.value, t->training_days.high);
    const assay_dist_t share = assay_dist_lognormal_p10_p50_p90(
        t->contingency_share.low, t->contingency_share.value, t->contingency_share.high);
    const double common = sqrt(t->total_correlation), own = sqrt(1.0 - t->total_correlation);
    double *budget = assay_arena_array(arena, 4 * (size_t)N_SAMPLE, sizeof *budget);
    if (!budget) {
        return assay_error_memory(err, NULL);
    }
    double *trained = budget + N_SAMPLE, *reserve = trained + N_SAMPLE, *all = reserve + N_SAMPLE;
    for (uint32_t i = 0; i < N_SAMPLE; i++) {
        const double z = draw(STREAM_COMMON, i);
        trained[i] =
            juniors * assay_dist_quantile(&training, assay_rng_uniform(SEED, STREAM_TRAINING, i));
        budget[i] = trained[i];
        for (uint32_t k = 0; k < 3; k++) {
            const double error = common * z + own * draw(STREAM_LEVEL + k, i);
            budget[i] += level[k].median * assay_det_exp(level[k].sigma * error);
        }
        reserve[i] =
            budget[i] * assay_dist_quantile(&share, assay_rng_uniform(SEED, STREAM_CONTINGENCY, i));
        all[i] = budget[i] + reserve[i];
    }
    out->training = summary(trained);
    out->contingency = summary(reserve);
    out->total = summary(all);
    const double limit = summary(budget).p50_days + out->contingency.p50_days;
    uint32_t within = 0;
    while (within < N_SAMPLE && budget[within] <= limit) {
        within++;
    }
    out->covered_share = (double)within / N_SAMPLE;
    out->tail_p95_days = quantile(budget, 0.95);
    out->tail_p99_days = quantile(budget, 0.99);
    return ASSAY_OK;
}

static void set_debt(const effort_table_t *t, const level_t level[3], assay_port_effort_t *out) {
    const double again =
        t->debt_share_per_major * t->debt_majors_per_year * (level[0].median + level[1].median);
    out->debt_days_per_year = fmax(t->debt_shared_days, again);
    out->debt_fork_days_per_year = fmax(t->debt_fork_days, again);
}

assay_status_t port_effort(assay_arena_t *arena, assay_port_scan_t *scan, assay_error_t *err) {
    effort_table_t t;
    effort_features_t f;
    assay_port_effort_t *out = &scan->effort;
    *out = (assay_port_effort_t){.hip_fit = -1.0, .cuda_only_share = -1.0, .ported_share = -1.0};
    assay_status_t status = port_effort_table(arena, &t, err);
    if (!status) {
        if (scan->replaced_by) {
            port_effort_replace(&t);
        }
        status = port_effort_features(arena, &t, scan, &f, err);
    }
    if (status) {
        return status;
    }
    out->assumption = t.note;
    out->n_assumption = t.n_note;
    out->experience = scan->options.experienced ? t.credit_experience : 1.0;
    out->cuda_lines = f.cuda_lines;
    out->residual_lines = f.residual_lines;
    if (f.references > 0.0) {
        out->hip_fit = (f.ready + f.ported) / f.references;
        out->cuda_only_share = f.cuda_only / f.references;
        out->ported_share = f.names > 0.0 ? f.names_ported / f.names : 0.0;
    }
    const effort_range_t *const prior[3] = {&t.level1_prior_days, &t.level2_prior_days,
                                            &t.level3_prior_days};
    level_t level[3];
    bool work = false;
    for (uint32_t k = 0; k < 3; k++) {
        level[k] = combine(&t, &f, prior[k], f.level_days[k]);
        level[k].median *= out->experience;
        out->level[k] = level_days(&level[k]);
        work = work || level[k].median > 0.0;
    }
    if (!work) {
        return ASSAY_OK;
    }
    const double team = scan->options.team > 0 ? scan->options.team : t.calendar_team;
    status = sample_totals(arena, &t, level, team * t.team_junior_share, out, err);
    if (status) {
        return status;
    }
    out->calendar =
        scaled(out->total, t.calendar_days_per_work_day / (team * t.calendar_productive_share));
    out->review_wait = (assay_port_days_t){t.review_wait_days.low, t.review_wait_days.value,
                                           t.review_wait_days.high};
    set_debt(&t, level, out);
    return ASSAY_OK;
}
