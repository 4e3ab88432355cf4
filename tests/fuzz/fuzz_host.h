/* One parser of the host module under hostile text: FUZZ_HOST("lspci", "lspci.txt") is a whole
   target. The text is made clean first, as it always is; then the doctor looks at what came of it.
 */
#ifndef FUZZ_HOST_H
#define FUZZ_HOST_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay/doctor.h"
#include "host/host_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline const assay_host_rules_t *fuzz_host_rules(void) {
    static const assay_host_rules_t *rules;
    static assay_arena_t
        *volatile arena; /* to the end; a plain one, never read, is optimised out */
    if (!rules) {
        arena = assay_arena_create((size_t)16 << 20);
        if (!arena ||
            assay_host_rules_load(arena, NULL, 0, ASSAY_LANG_EN, &rules, NULL) != ASSAY_OK) {
            abort();
        }
    }
    return rules;
}

static inline const host_parse_row_t *fuzz_host_parser(const char *name) {
    for (uint32_t i = 0; i < host_parse_table_n; i++) {
        if (strcmp(host_parse_table[i].name, name) == 0) {
            return &host_parse_table[i];
        }
    }
    abort();
}

static inline void fuzz_host_run(assay_arena_t *arena, assay_arena_t *scratch,
                                 const host_parse_row_t *row, const char *file, const uint8_t *data,
                                 size_t size) {
    size_t n = 0;
    const char *text = host_clean(scratch, (const char *)data, size, &n);
    assay_host_t *host = assay_arena_alloc(arena, sizeof *host);
    assay_host_source_t source = {.file = file};
    if (!text || !host || strlen(text) != n) {
        abort();
    }
    host_parse_t parse = {.arena = arena,
                          .scratch = scratch,
                          .rules = fuzz_host_rules(),
                          .host = host,
                          .file = file,
                          .name = file,
                          .source = &source,
                          .rest = {text, n}};
    host->name = file;
    row->parse(&parse);
    host_gpu_settle(host);
    const assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_WARNING};
    assay_diagnosis_t *diagnosis;
    assay_error_t err = {0};
    /* All checks take a hundred times as long as one parser: they see one text of eight. */
    if (size % 8 == 0 && !parse.full &&
        assay_doctor(arena, parse.rules, host, &options, &diagnosis, &err) &&
        err.status != ASSAY_LIMIT) {
        abort();
    }
}

#define FUZZ_HOST(parser, file)                                                        \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {                     \
        assay_arena_t *arena = assay_arena_create((size_t)64 << 20),                   \
                      *scratch = assay_arena_create((size_t)64 << 20);                 \
        if (arena && scratch) {                                                        \
            fuzz_host_run(arena, scratch, fuzz_host_parser(parser), file, data, size); \
        }                                                                              \
        assay_arena_destroy(scratch);                                                  \
        assay_arena_destroy(arena);                                                    \
        return 0;                                                                      \
    }

#endif
