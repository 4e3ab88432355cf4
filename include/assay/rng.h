/**
 * Counter-based random numbers (Philox4x32-10; Salmon et al., SC 2011): number i of stream s under
 * seed k is a pure function of (k, s, i), the same on every thread, compiler and machine.
 */
#ifndef ASSAY_RNG_H
#define ASSAY_RNG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The four 32-bit words of one block; known answers: Random123 kat_vectors. */
void assay_rng_block(uint64_t seed, uint64_t stream, uint64_t counter, uint32_t out_word[4]);
/** Uniform in (0,1), never 0 or 1, 53 bits. */
double assay_rng_uniform(uint64_t seed, uint64_t stream, uint64_t counter);

#ifdef __cplusplus
}
#endif
#endif
