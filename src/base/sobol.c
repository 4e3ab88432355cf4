#include "assay/sobol.h"

#include <assert.h>
#include <stddef.h>

#include "base/sobol_table.h"

#include "base/banned.h"

void assay_sobol_directions(const assay_sobol_poly_t *poly, uint32_t out_v[ASSAY_SOBOL_BITS]) {
    const uint32_t degree = poly ? poly->degree : 0;
    for (uint32_t i = 0; i < ASSAY_SOBOL_BITS; i++) {
        if (!poly || i < degree) {
            out_v[i] = (poly ? (uint32_t)poly->m[i] : 1u) << (31 - i);
            continue;
        }
        out_v[i] = out_v[i - degree] ^ (out_v[i - degree] >> degree);
        for (uint32_t k = 1; k < degree; k++) {
            if (poly->inner >> (degree - 1 - k) & 1) {
                out_v[i] ^= out_v[i - k];
            }
        }
    }
}

void assay_sobol_dimension(uint32_t dim, uint32_t out_v[ASSAY_SOBOL_BITS]) {
    assert(dim < ASSAY_SOBOL_DIMS);
    assay_sobol_directions(dim == 0 ? NULL : &joe_kuo[dim - 1], out_v);
}

uint32_t assay_sobol_point(const uint32_t v[ASSAY_SOBOL_BITS], uint32_t i) {
    uint32_t point = 0;
    for (uint32_t gray = i ^ i >> 1, bit = 0; gray != 0; gray >>= 1, bit++) {
        point ^= gray & 1 ? v[bit] : 0;
    }
    return point;
}
