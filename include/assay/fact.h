/**
 * A figure that knows where it is from, and how far it can be trusted.
 */
#ifndef ASSAY_FACT_H
#define ASSAY_FACT_H

#include <stdbool.h>
#include <stdint.h>

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
} assay_fact_t;

const char *assay_basis_name(assay_basis_t basis);
static inline assay_fact_t assay_fact_unknown(void) {
    assay_fact_t f = {0};
    return f;
}
static inline assay_fact_t assay_fact_exact(double v, const char *source) {
    assay_fact_t f = {v, v, v, source, ASSAY_BASIS_MEASURED, true};
    return f;
}

#ifdef __cplusplus
}
#endif
#endif
