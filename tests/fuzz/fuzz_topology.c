/* A topology that replaces the catalog's links. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay/resolve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char job_text[] =
    "workload: {train: {model: llama-7b, dataset_tokens: 1e9, sequence: 2048, global_batch: 64, "
    "precision: bf16}}\n"
    "candidates: [{system: 8x-mi300x-oam}, {system: dgx-a100-80g}, {system: frontier-node}]\n"
    "topology: found.json\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static assay_arena_t *volatile kept;
    static assay_catalog_t *catalog;
    static assay_calibration_t *calibration;
    if (!kept) {
        kept = assay_arena_create((size_t)64 << 20);
        if (!kept || assay_catalog_load(kept, NULL, 0, &catalog, NULL) ||
            assay_calibration_load(kept, NULL, 0, &calibration, NULL)) {
            abort();
        }
    }
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    assay_job_t *job = NULL;
    assay_resolved_t *resolved = NULL;
    assay_error_t err = {0};
    if (arena && assay_job_read(arena, "job.yaml", job_text, sizeof job_text - 1, NULL, 0, &job,
                                &err) == ASSAY_OK) {
        job->topology_text = assay_arena_strndup(arena, (const char *)data, size);
        const assay_status_t status =
            assay_resolve(arena, job, catalog, calibration, &resolved, &err);
        if (status != ASSAY_OK && status != ASSAY_INPUT && status != ASSAY_LIMIT) {
            abort();
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
