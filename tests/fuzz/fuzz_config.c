/* config.json of Hugging Face: whatever is accepted must be countable. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "assay/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)1 << 20);
    assay_model_t model;
    assay_error_t err;
    if (assay_model_read_hf(arena, "config.json", (const char *)data, size, &model, &err) ==
        ASSAY_OK) {
        assay_model_count_t count;
        assay_model_count(&model, &count);
        const double flops = assay_model_train_flops_per_token(&model, 4096, true);
        if (!(count.total > 0.0) || !isfinite(count.total) || count.active > count.total ||
            !(flops > 0.0) || !isfinite(flops)) {
            abort();
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
