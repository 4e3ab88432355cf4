/* The header of a file of safetensors, and an index of several: what is accepted adds up. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/model_weights.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    assay_arena_t *arena = assay_arena_create((size_t)1 << 20);
    weights_t weights = {0};
    const char **names;
    uint32_t n;
    assay_error_t err;
    /* the data of the files of the corpus is 140 bytes long */
    if (safetensors_header("x.safetensors", text, size, 140, &weights, &err) == ASSAY_OK) {
        double bytes = 0;
        for (int part = 0; part < ASSAY_PART_N; part++) {
            bytes += weights.part_bytes[part];
        }
        if (fabs(bytes - 140) > 0) {
            abort();
        }
    }
    if (safetensors_index(arena, "x.json", text, size, &names, &n, &err) == ASSAY_OK) {
        for (uint32_t i = 0; i < n; i++) {
            if (strchr(names[i], '/')) {
                abort();
            }
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
