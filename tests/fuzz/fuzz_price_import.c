#include <stdint.h>
#include <stdlib.h>

#include "assay/price_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every format, with what files leave out given. The catalog is read once and lives on. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static assay_arena_t *kept;
    static assay_catalog_t *catalog;
    if (!kept) {
        kept = assay_arena_create((size_t)256 << 20);
        if (!kept || assay_catalog_load(kept, NULL, 0, &catalog, NULL) != ASSAY_OK) {
            abort();
        }
    }
    const assay_price_import_options_t options = {"provider", "2026-01-01", "fuzz"};
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    assay_price_import_t found;
    assay_error_t err = {0};
    if (arena) {
        const assay_status_t status = assay_price_import(arena, catalog, "fuzz", (const char *)data,
                                                         size, &options, &found, &err);
        if (status != ASSAY_OK && err.status != status) {
            abort();
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
