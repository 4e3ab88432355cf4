/* Job files: bytes -> node tree -> job, within an arena of 4 MiB. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const assay_job_flag_t flag[] = {{"candidates[].nodes", "2", "--nodes"},
                                            {"money.pue", "1.2", "--pue"}};
    assay_arena_t *arena = assay_arena_create((size_t)4 << 20);
    assay_job_t *job = NULL;
    assay_error_t err = {0};
    const assay_status_t status =
        assay_job_read(arena, "job.yaml", (const char *)data, size, flag, 2, &job, &err);
    /* Every refusal is the input's fault and says so at a place; success gives a job. */
    assert(status == ASSAY_OK || status == ASSAY_INPUT || status == ASSAY_LIMIT);
    assert((status == ASSAY_OK) == (job != NULL));
    assert(err.status == status && (status == ASSAY_OK || err.what[0]));
    assay_arena_destroy(arena);
    return 0;
}
