/* Baseline files are what somebody's CI hands in. */
#include <stddef.h>
#include <stdint.h>

#include "assay/port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create(1u << 20);
    if (!arena) {
        return 0;
    }
    assay_port_finding_t finding = {.rule = "r", .api = "", .at = {"f", 1, 1}};
    assay_port_scan_t scan = {.finding = &finding, .n_finding = 1};
    const uint64_t *print;
    if (!assay_port_fingerprints(arena, &scan, &print, NULL)) {
        (void)assay_port_baseline_apply(arena, "f", (const char *)data, size, print, &scan, NULL);
    }
    assay_arena_destroy(arena);
    return 0;
}
