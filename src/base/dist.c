#include "assay/dist.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/det_math.h"

#include "base/banned.h"

assay_dist_t assay_dist_fixed(double value) {
    return (assay_dist_t){.kind = ASSAY_DIST_FIXED, .par = {value}};
}

assay_dist_t assay_dist_triangular(double low, double mode, double high) {
    assert(low <= mode && mode <= high);
    return (assay_dist_t){.kind = ASSAY_DIST_TRIANGULAR, .par = {low, mode, high}};
}

assay_dist_t assay_dist_uniform(double low, double high) {
    assert(low <= high);
    return (assay_dist_t){.kind = ASSAY_DIST_UNIFORM, .par = {low, high}};
}

assay_dist_t assay_dist_lognormal(double median, double sigma) {
    assert(median > 0 && sigma >= 0);
    return (assay_dist_t){.kind = ASSAY_DIST_LOGNORMAL, .par = {median, sigma}};
}

/* ln p90 - ln p10 = 2 z90 sigma */
assay_dist_t assay_dist_lognormal_p10_p90(double p10, double p90) {
    assert(0 < p10 && p10 <= p90);
    return assay_dist_lognormal(sqrt(p10) * sqrt(p90), assay_det_log(p90 / p10) / (2 * ASSAY_Z90));
}

assay_dist_t assay_dist_lognormal_p10_p50_p90(double p10, double median, double p90) {
    assert(0 < p10 && p10 <= median && median <= p90);
    return (assay_dist_t){.kind = ASSAY_DIST_SPLIT_LOGNORMAL,
                          .par = {median, assay_det_log(median / p10) / ASSAY_Z90,
                                  assay_det_log(p90 / median) / ASSAY_Z90}};
}

static double triangular_quantile(double low, double mode, double high, double u) {
    const double width = high - low;
    if (u * width <= mode - low) {
        return low + sqrt(u * width * (mode - low));
    }
    return high - sqrt((1 - u) * width * (high - mode));
}

/* Order statistic i of n stands at u = i/(n-1). */
static double empirical_quantile(const assay_dist_t *dist, double u) {
    const double *sample = dist->sample;
    const double scale = dist->par[0] > 0.0 ? dist->par[0] : 1.0;
    const double at = u * (dist->n - 1);
    const uint32_t i = (uint32_t)at;
    if (i + 1 >= dist->n) {
        return scale * sample[dist->n - 1];
    }
    return scale * (sample[i] + (at - i) * (sample[i + 1] - sample[i]));
}

double assay_dist_quantile(const assay_dist_t *dist, double u) {
    const double *par = dist->par;
    switch ((assay_dist_kind_t)dist->kind) {
    case ASSAY_DIST_FIXED:
        return par[0];
    case ASSAY_DIST_UNIFORM:
        return par[0] + u * (par[1] - par[0]);
    case ASSAY_DIST_TRIANGULAR:
        return triangular_quantile(par[0], par[1], par[2], u);
    case ASSAY_DIST_LOGNORMAL:
        return par[0] * assay_det_exp(par[1] * assay_normal_quantile(u));
    case ASSAY_DIST_SPLIT_LOGNORMAL: {
        const double z = assay_normal_quantile(u);
        return par[0] * assay_det_exp((z < 0 ? par[1] : par[2]) * z);
    }
    case ASSAY_DIST_EMPIRICAL:
        assert(dist->n > 0);
        return empirical_quantile(dist, u);
    }
    assert(false && "a distribution of no known kind");
    return (double)NAN;
}

bool assay_dist_is_lognormal(const assay_dist_t *dist) {
    return dist->kind == ASSAY_DIST_LOGNORMAL || dist->kind == ASSAY_DIST_SPLIT_LOGNORMAL;
}

void assay_dist_quantiles(const assay_dist_t *dist, const double *u, const double *z, uint32_t n,
                          double *out) {
    if (!assay_dist_is_lognormal(dist)) {
        for (uint32_t i = 0; i < n; i++) {
            out[i] = assay_dist_quantile(dist, u[i]);
        }
        return;
    }
    const double median = dist->par[0], below = dist->par[1];
    const double above = dist->kind == ASSAY_DIST_LOGNORMAL ? below : dist->par[2];
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (z[i] < 0 ? below : above) * z[i];
    }
    assay_det_exps(out, n);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = median * out[i];
    }
}

bool assay_copula_set(assay_copula_t *copula, uint32_t n,
                      double correlation[ASSAY_COPULA_MAX][ASSAY_COPULA_MAX]) {
    assert(n <= ASSAY_COPULA_MAX);
    copula->n = n;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            double left = correlation[i][j];
            for (uint32_t k = 0; k < j; k++) {
                left -= copula->factor[i][k] * copula->factor[j][k];
            }
            if (i == j && !(left > 0.0)) {
                return false;
            }
            copula->factor[i][j] = i == j ? sqrt(left) : left / copula->factor[j][j];
        }
    }
    return true;
}

void assay_copula_apply(const assay_copula_t *copula, double *z) {
    for (uint32_t i = copula->n; i-- > 0;) { /* from the end: what is read is not yet written */
        double sum = 0.0;
        for (uint32_t k = 0; k <= i; k++) {
            sum += copula->factor[i][k] * z[k];
        }
        z[i] = sum;
    }
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

assay_dist_t assay_dist_of_sample(double *sample, uint32_t n) {
    qsort(sample, n, sizeof *sample, compare_doubles);
    return (assay_dist_t){.kind = ASSAY_DIST_EMPIRICAL, .sample = sample, .n = n};
}

assay_dist_t assay_dist_scaled(const assay_dist_t *dist, double factor) {
    assay_dist_t out = *dist;
    assert(factor > 0.0);
    switch ((assay_dist_kind_t)dist->kind) {
    case ASSAY_DIST_FIXED:
    case ASSAY_DIST_LOGNORMAL: /* its median; sigma is of the logarithm */
    case ASSAY_DIST_SPLIT_LOGNORMAL:
        out.par[0] *= factor;
        break;
    case ASSAY_DIST_UNIFORM:
    case ASSAY_DIST_TRIANGULAR:
        for (int k = 0; k < 3; k++) {
            out.par[k] *= factor;
        }
        break;
    case ASSAY_DIST_EMPIRICAL:
        out.par[0] = dist->par[0] > 0.0 ? dist->par[0] * factor : factor;
        break;
    }
    return out;
}

/* The mean of what assay_dist_quantile samples, so for EMPIRICAL the trapezoid sum. */
static double empirical_mean(const assay_dist_t *dist) {
    const double *sample = dist->sample;
    const double scale = dist->par[0] > 0.0 ? dist->par[0] : 1.0;
    const uint32_t n = dist->n;
    if (n == 1) {
        return scale * sample[0];
    }
    double sum = 0.5 * (sample[0] + sample[n - 1]);
    for (uint32_t i = 1; i + 1 < n; i++) {
        sum += sample[i];
    }
    return scale * sum / (n - 1);
}

double assay_dist_mean(const assay_dist_t *dist) {
    const double *par = dist->par;
    switch ((assay_dist_kind_t)dist->kind) {
    case ASSAY_DIST_FIXED:
        return par[0];
    case ASSAY_DIST_UNIFORM:
        return 0.5 * (par[0] + par[1]);
    case ASSAY_DIST_TRIANGULAR:
        return (par[0] + par[1] + par[2]) / 3;
    case ASSAY_DIST_LOGNORMAL:
        return par[0] * assay_det_exp(0.5 * par[1] * par[1]);
    case ASSAY_DIST_SPLIT_LOGNORMAL:
        /* E[exp(s z)] over the lower half is exp(s^2/2) Phi(-s), over the upper exp(s^2/2) Phi(s).
         */
        return par[0] * (assay_det_exp(0.5 * par[1] * par[1]) * assay_normal_cdf(-par[1]) +
                         assay_det_exp(0.5 * par[2] * par[2]) * assay_normal_cdf(par[2]));
    case ASSAY_DIST_EMPIRICAL:
        assert(dist->n > 0);
        return empirical_mean(dist);
    }
    assert(false && "a distribution of no known kind");
    return (double)NAN;
}
