/* The table of measured matrix products as a user may write it. */
#include <stdint.h>
#include <stdlib.h>

#include "assay/gemm_shapes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create(16u << 20);
    assay_csv_t csv;
    assay_error_t err = {0};
    const assay_gemm_shapes_t *group;
    uint32_t n;
    if (!arena ||
        assay_csv_parse(arena, "fuzz.csv", (const char *)data, size, &csv, &err) != ASSAY_OK) {
        assay_arena_destroy(arena);
        return 0;
    }
    const assay_status_t status = assay_gemm_shapes_read(arena, &csv, &group, &n, &err);
    if (status != ASSAY_OK && (err.status != status || !err.what[0])) {
        abort();
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < n; i++) {
        const uint32_t cubes = group[i].n_cube[0] * group[i].n_cube[1] * group[i].n_cube[2];
        if (group[i].n_shape == 0 || cubes == 0 || group[i].first[0] != 0) {
            abort();
        }
        for (uint32_t b = 0; b < group[i].first[cubes]; b++) {
            for (int lane = 0; lane < ASSAY_GEMM_BLOCK; lane++) {
                if (group[i].near[b].shape[lane] >= group[i].n_shape) {
                    abort();
                }
            }
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
