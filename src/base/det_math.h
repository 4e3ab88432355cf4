/**
 * exp and log that give the same bits on every machine, compiler and C library: additions,
 * multiplications, divisions only, and no contraction (see CMakeLists.txt). Private to the library.
 */
#ifndef ASSAY_BASE_DET_MATH_H
#define ASSAY_BASE_DET_MATH_H

#include <stdint.h>

/** e^x. Error < 1 ulp in the normal range. Overflow gives +inf, underflow 0; NaN stays. */
double assay_det_exp(double x);
/** ln x. Error < 1 ulp. 0 gives -inf, x < 0 NaN, +inf stays; NaN stays. */
double assay_det_log(double x);
/** e^x of each of n, in place; the same bits as assay_det_exp. */
void assay_det_exps(double *x, uint32_t n);

#endif
