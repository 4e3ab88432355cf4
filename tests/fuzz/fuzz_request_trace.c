#include <stdint.h>
#include <stdlib.h>

#include "assay/request_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create(8u << 20);
    if (!arena) {
        return 0;
    }
    assay_request_trace_t trace;
    assay_error_t err;
    const assay_status_t status =
        assay_request_trace_parse(arena, "fuzz", (const char *)data, size, &trace, &err);
    if (status == ASSAY_OK) {
        int64_t before = 0;
        for (uint64_t i = 0; i < trace.n; i++) { /* by arrival, within bounds */
            const assay_request_t *q = &trace.request[i];
            if (q->arrival_ns < before || q->input_tokens < 1 || q->output_tokens < 1 ||
                (uint64_t)q->first_hash + q->n_hash > trace.n_hash) {
                abort();
            }
            before = q->arrival_ns;
        }
    } else if (err.status != status || !err.what[0]) {
        abort();
    }
    assay_arena_destroy(arena);
    return 0;
}
