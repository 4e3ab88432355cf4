/**
 * Named distributions. A value that is not certain is a distribution; a certain one is FIXED.
 * Sampling is by inverse CDF, so that one uniform number gives one sample and candidates that share
 * a cause (same common id) can share the number.
 */
#ifndef ASSAY_DIST_H
#define ASSAY_DIST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Phi^-1(0.9): p10 and p90 of a normal distribution are this many sigmas from its median. */
#define ASSAY_Z90 1.2815515655446004

typedef enum {
    ASSAY_DIST_FIXED,           /* par[0] */
    ASSAY_DIST_UNIFORM,         /* par[0] low, par[1] high */
    ASSAY_DIST_TRIANGULAR,      /* par[0] low, par[1] mode, par[2] high */
    ASSAY_DIST_LOGNORMAL,       /* par[0] median, par[1] sigma of ln */
    ASSAY_DIST_SPLIT_LOGNORMAL, /* par[0] median, par[1] and par[2] sigma of ln below and above it
                                 */
    ASSAY_DIST_EMPIRICAL        /* sample[0..n) ascending, linear between order statistics, times
                                   par[0] (0: as they are) */
} assay_dist_kind_t;

typedef struct {
    uint8_t kind;
    double par[3];
    const double *sample;
    uint32_t n;
    uint32_t common; /* same id != 0: same cause, sampled once for all candidates */
} assay_dist_t;

assay_dist_t assay_dist_fixed(double value);
assay_dist_t assay_dist_triangular(double low, double mode, double high);
assay_dist_t assay_dist_uniform(double low, double high);
/** From p10 and p90 (both > 0): median = sqrt(p10 p90). */
assay_dist_t assay_dist_lognormal_p10_p90(double p10, double p90);
/** Split lognormal that keeps all three: 0 < p10 <= median <= p90. */
assay_dist_t assay_dist_lognormal_p10_p50_p90(double p10, double median, double p90);
assay_dist_t assay_dist_lognormal(double median, double sigma);
/** EMPIRICAL: sorts sample[0..n), n > 0, and refers to it. */
assay_dist_t assay_dist_of_sample(double *sample, uint32_t n);
/** Of factor x a value, factor > 0. */
assay_dist_t assay_dist_scaled(const assay_dist_t *dist, double factor);
/** Quantile at u in (0,1). */
double assay_dist_quantile(const assay_dist_t *dist, double u);
/** Whether the quantile is a function of the normal quantile alone: both LOGNORMAL kinds. */
bool assay_dist_is_lognormal(const assay_dist_t *dist);
/** n quantiles at once, the same bits: u (n), and for a lognormal z (n) = assay_normal_quantile(u),
    u unread. */
void assay_dist_quantiles(const assay_dist_t *dist, const double *u, const double *z, uint32_t n,
                          double *out);
double assay_dist_mean(const assay_dist_t *dist);
/**
 * Inverse of the standard normal CDF, u in (0,1); absolute error < 1e-9. Deterministic: own
 * exp/log.
 */
double assay_normal_quantile(double u);
double assay_normal_cdf(double z);
/** n at once, the same bits. */
void assay_normal_quantiles(const double *u, uint32_t n, double *out_z);

#define ASSAY_COPULA_MAX 8
/** A Gaussian copula: how normal scores move together. Lower triangle of the Cholesky factor. */
typedef struct {
    uint32_t n;
    double factor[ASSAY_COPULA_MAX][ASSAY_COPULA_MAX];
} assay_copula_t;
/** correlation: (n,n), symmetric, ones on the diagonal. False: it is not positive definite. */
bool assay_copula_set(assay_copula_t *copula, uint32_t n,
                      double correlation[ASSAY_COPULA_MAX][ASSAY_COPULA_MAX]);
/** n independent normal scores -> n correlated ones, in place. */
void assay_copula_apply(const assay_copula_t *copula, double *z);

#ifdef __cplusplus
}
#endif
#endif
