/**
 * A figure that knows where it is from, and how far it can be trusted.
 */
#ifndef ASSAY_FACT_H
#define ASSAY_FACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/dist.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a prediction or a constant is backed, best first. */
typedef enum {
    ASSAY_BASIS_MEASURED,     /* this very thing was measured */
    ASSAY_BASIS_CALIBRATED,   /* device, dtype and software family have measurements */
    ASSAY_BASIS_TRANSFERRED,  /* taken from a sibling */
    ASSAY_BASIS_EXTRAPOLATED, /* a general prior */
    ASSAY_BASIS_N
} assay_basis_t;

typedef struct {
    double v, p10, p90; /* p10 = p90 = v when no range is known */
    const char *source; /* where it is from; NULL only when !known */
    uint8_t basis;
    bool known;
    const assay_dist_t *dist; /* of v, where more is known than v, p10 and p90; else NULL */
} assay_fact_t;

const char *assay_basis_name(assay_basis_t basis);
static inline assay_fact_t assay_fact_unknown(void) {
    assay_fact_t f = {0};
    return f;
}
static inline assay_fact_t assay_fact_exact(double v, const char *source) {
    assay_fact_t f = {v, v, v, source, ASSAY_BASIS_MEASURED, true, NULL};
    return f;
}
/** Median, p10 and p90 of a distribution that outlives the fact. */
static inline assay_fact_t assay_fact_of_dist(const assay_dist_t *dist, const char *source) {
    assay_fact_t f = {assay_dist_quantile(dist, 0.5),
                      assay_dist_quantile(dist, 0.1),
                      assay_dist_quantile(dist, 0.9),
                      source,
                      ASSAY_BASIS_MEASURED,
                      true,
                      dist};
    return f;
}

#ifdef __cplusplus
}
#endif
#endif
