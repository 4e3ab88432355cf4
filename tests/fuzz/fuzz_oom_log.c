/* Pasted logs: any bytes. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/oom_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)8 << 20);
    assay_oom_t oom;
    assay_error_t err = {0};
    const assay_status_t status =
        assay_oom_read(arena, NULL, 0, (const char *)data, size, &oom, &err);
    assert(status == ASSAY_OK || status == ASSAY_NOT_FOUND || status == ASSAY_LIMIT);
    assert(status != ASSAY_OK || (oom.part[0] && oom.n_fix > 0 && oom.line > 0));
    assay_arena_destroy(arena);
    return 0;
}
