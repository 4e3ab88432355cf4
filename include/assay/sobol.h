/**
 * Sobol points (Sobol 1967) with the direction numbers of Joe and Kuo (SIAM J. Sci. Comput. 30,
 * 2635-2654, 2008; file new-joe-kuo-6.21201), in the Gray-code order of Antonov and Saleev. Point
 * i of a dimension is a pure function of (dimension, i), so that threads need no shared state.
 */
#ifndef ASSAY_SOBOL_H
#define ASSAY_SOBOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_SOBOL_DIMS 128
#define ASSAY_SOBOL_BITS 32
#define ASSAY_SOBOL_DEGREE_MAX 10

/** A primitive polynomial x^degree + ... + 1 with inner coefficients `inner` (one bit each, highest
    power first) and the first direction numbers m_1..m_degree, odd and m_k < 2^k. */
typedef struct {
    uint8_t degree, inner;
    uint16_t m[ASSAY_SOBOL_DEGREE_MAX];
} assay_sobol_poly_t;

/** Direction numbers by the recurrence of Bratley and Fox (ACM TOMS 14, 88-100, 1988). NULL = the
    first dimension, which needs no polynomial. */
void assay_sobol_directions(const assay_sobol_poly_t *poly, uint32_t out_v[ASSAY_SOBOL_BITS]);
/** Of dimension 0 <= dim < ASSAY_SOBOL_DIMS of Joe and Kuo's table. */
void assay_sobol_dimension(uint32_t dim, uint32_t out_v[ASSAY_SOBOL_BITS]);
/** Point i as a 32-bit fraction; point 0 is 0. */
uint32_t assay_sobol_point(const uint32_t v[ASSAY_SOBOL_BITS], uint32_t i);
/** A digital shift of a point, in (0,1): never 0 or 1. */
static inline double assay_sobol_uniform(uint32_t point, uint32_t shift) {
    return ((double)(point ^ shift) + 0.5) * 0x1p-32;
}

#ifdef __cplusplus
}
#endif
#endif
