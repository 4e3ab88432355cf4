#include "assay/rng.h"

#include "base/banned.h"

/* Multipliers and Weyl constants: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
   SC 2011, section 3.2; Random123 philox.h. */
#define MULTIPLIER_0 UINT64_C(0xd2511f53)
#define MULTIPLIER_1 UINT64_C(0xcd9e8d57)
#define WEYL_0 UINT32_C(0x9e3779b9)
#define WEYL_1 UINT32_C(0xbb67ae85)
#define ROUNDS 10

/* Key: seed, low word first. Counter block: counter, then stream, low words first. */
void assay_rng_block(uint64_t seed, uint64_t stream, uint64_t counter, uint32_t out_word[4]) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t word[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), (uint32_t)stream,
                        (uint32_t)(stream >> 32)};
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t product_0 = MULTIPLIER_0 * word[0], product_1 = MULTIPLIER_1 * word[2];
        word[0] = (uint32_t)(product_1 >> 32) ^ word[1] ^ key[0];
        word[1] = (uint32_t)product_1;
        word[2] = (uint32_t)(product_0 >> 32) ^ word[3] ^ key[1];
        word[3] = (uint32_t)product_0;
        key[0] += WEYL_0;
        key[1] += WEYL_1;
    }
    for (int i = 0; i < 4; i++) {
        out_word[i] = word[i];
    }
}

double assay_rng_uniform(uint64_t seed, uint64_t stream, uint64_t counter) {
    uint32_t word[4];
    assay_rng_block(seed, stream, counter, word);
    const uint64_t bits = (uint64_t)word[1] << 32 | word[0];
    return (double)(bits >> 11 | 1) * 0x1p-53; /* odd multiples of 2^-53: never 0 or 1, exact */
}
