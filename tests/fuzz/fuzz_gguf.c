/* GGUF: whatever is accepted must be countable. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "assay/model_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)1 << 20);
    assay_model_file_t file;
    assay_error_t err;
    if (assay_gguf_read(arena, "x.gguf", (const char *)data, size, (uint64_t)1 << 40, &file,
                        &err) == ASSAY_OK) {
        assay_model_count_t count;
        assay_model_count(&file.model, &count);
        if (!(count.total > 0) || !isfinite(count.total) || count.active > count.total ||
            !isfinite(file.checkpoint.total_bytes)) {
            abort();
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
