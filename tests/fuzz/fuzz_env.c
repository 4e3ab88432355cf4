/* The lint of environment settings under hostile text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay/env.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static assay_arena_t *volatile kept;
    static const assay_env_rules_t *rules;
    if (!rules) {
        kept = assay_arena_create((size_t)16 << 20);
        if (!kept || assay_env_rules_load(kept, NULL, 0, ASSAY_LANG_EN, &rules, NULL)) {
            abort();
        }
    }
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    const assay_host_file_t file = {"input", (const char *)data, size};
    const assay_env_options_t options = {.target = "gfx942",
                                         .part = "MI300X",
                                         .rocm = "7.13",
                                         .engine = "vllm",
                                         .threshold = ASSAY_SEVERITY_INFO};
    assay_diagnosis_t *diagnosis;
    assay_error_t err = {0};
    if (arena &&
        assay_env_lint(arena, rules, "input", &file, 1, NULL, &options, &diagnosis, &err) &&
        err.status != ASSAY_LIMIT) {
        abort();
    }
    assay_arena_destroy(arena);
    return 0;
}
