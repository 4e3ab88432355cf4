/* Claims files: any bytes. What is judged has a verdict and evidence, and every figure is finite.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "assay/audit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static assay_catalog_t *catalog;
    static assay_arena_t *keep;
    if (!keep) {
        keep = assay_arena_create((size_t)256 << 20);
        assert(assay_catalog_load(keep, NULL, 0, &catalog, NULL) == ASSAY_OK);
    }
    assay_arena_t *arena = assay_arena_create((size_t)16 << 20);
    assay_audit_t *audit;
    assay_error_t err = {0};
    const assay_status_t status = assay_audit_file(arena, catalog, NULL, 0, "claims.yaml",
                                                   (const char *)data, size, &audit, &err);
    assert(status == ASSAY_OK || err.status == status);
    for (uint32_t i = 0; status == ASSAY_OK && i < audit->n_claim; i++) {
        const assay_audited_t *claim = &audit->claim[i];
        assert(claim->verdict < ASSAY_VERDICT_N && claim->n_evidence > 0);
        assert(!claim->has_factor || isfinite(claim->factor));
        assert(isfinite(claim->claimed_low) && isfinite(claim->claimed_high));
        assert(!claim->has_computed ||
               (isfinite(claim->computed_low) && isfinite(claim->computed_high)));
    }
    assay_arena_destroy(arena);
    return 0;
}
