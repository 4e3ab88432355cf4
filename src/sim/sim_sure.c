/* How much simulated requests say. */
#include <math.h>

#include "assay/simulate.h"

/* ln n! */
static double ln_factorial(double n) {
    int sign;
    return lgamma_r(n + 1, &sign);
}

double assay_sim_odds(uint64_t n, uint64_t over, double share) {
    if (over >= n) {
        return 1;
    }
    /* from the largest term down: each is x p / ((n - x + 1) q) of the one above it */
    const double p = share, q = 1 - share, all = (double)n, most = (double)over;
    const double ln_top = ln_factorial(all) - ln_factorial(most) - ln_factorial(all - most) +
                          most * log(q) + (all - most) * log(p);
    double sum = 1, term = 1;
    for (double x = most; x >= 1 && term > 1e-17 * sum; x--) {
        term *= x * p / ((all - x + 1) * q);
        sum += term;
    }
    return fmin(1, exp(ln_top + log(sum)));
}

uint64_t assay_sim_most_over(uint64_t n, double share, double confidence) {
    uint64_t low = 0, high = (uint64_t)((double)n * (1 - share)) + 1;
    if (assay_sim_odds(n, 0, share) > 1 - confidence) {
        return UINT64_MAX;
    }
    while (high - low > 1) { /* low passes, high does not */
        const uint64_t middle = low + (high - low) / 2;
        *(assay_sim_odds(n, middle, share) <= 1 - confidence ? &low : &high) = middle;
    }
    return low;
}

double assay_sim_independent(const assay_sim_result_t *result) {
    const assay_sim_parts_t *parts = &result->parts;
    double n = 0, sum_s = 0, square_s2 = 0, between_s2 = 0;
    for (int i = 1; i < ASSAY_SIM_PARTS; i++) {
        n += (double)parts->n[i];
        sum_s += parts->sum_s[i];
        square_s2 += parts->square_s2[i];
    }
    if (n < 2) {
        return n;
    }
    const double mean_s = sum_s / n, variance_s2 = fmax(0, square_s2 / n - mean_s * mean_s);
    for (int i = 1; i < ASSAY_SIM_PARTS; i++) {
        if (parts->n[i] > 0) {
            const double d = parts->sum_s[i] / (double)parts->n[i] - mean_s;
            between_s2 += (double)parts->n[i] * d * d;
        }
    }
    /* of independent requests a part's mean varies by the variance over its number */
    const double ratio = between_s2 / (ASSAY_SIM_PARTS - 2);
    return ratio > variance_s2 ? n * variance_s2 / ratio : n;
}
