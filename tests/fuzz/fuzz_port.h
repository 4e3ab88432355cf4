/* One reader over one text, for the fuzz targets of port. The tables are read once and kept. */
#ifndef FUZZ_PORT_H
#define FUZZ_PORT_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "port/lexer.h"
#include "port/port_sink.h"

static assay_arena_t *fuzz_port_arena;

__attribute__((destructor)) static void fuzz_port_release(void) {
    assay_arena_destroy(fuzz_port_arena);
}

static inline const port_tables_t *fuzz_port_tables(void) {
    static const port_tables_t *tables;
    if (!tables) {
        fuzz_port_arena = assay_arena_create((size_t)64 << 20);
        assert(fuzz_port_arena &&
               port_tables_load(fuzz_port_arena, ASSAY_LANG_EN, &tables, NULL) == ASSAY_OK);
    }
    return tables;
}

/** Runs reader and checks that every finding stands within the text. */
static inline void fuzz_port_read(void (*reader)(port_sink_t *, const port_text_t *),
                                  assay_port_language_t language, const char *path,
                                  const uint8_t *data, size_t size) {
    const assay_port_options_t options = {.rocm = 604, .target = "gfx942"};
    assay_arena_t *arena = assay_arena_create((size_t)16 << 20);
    port_strings_t *strings = port_strings_create(arena);
    port_sink_t *sink = port_sink_create(fuzz_port_tables(), strings, &options);
    const port_text_t text = {.path = path,
                              .data = (const char *)data,
                              .size = size,
                              .language = (uint8_t)language,
                              .line = 1};
    assay_port_file_t file = {.path = path};
    uint32_t n_lines = 1;
    for (size_t i = 0; i < size; i++) {
        n_lines += data[i] == '\n';
    }
    port_sink_begin(sink, &file);
    reader(sink, &text);
    const uint32_t n = port_sink_count(sink);
    assay_port_finding_t *finding = calloc(n + 1, sizeof *finding);
    port_sink_copy(sink, finding);
    for (uint32_t i = 0; i < n; i++) {
        assert(finding[i].at.line >= 1 && finding[i].at.line <= n_lines);
        assert(finding[i].rule && finding[i].source[0]);
    }
    free(finding);
    port_sink_destroy(sink);
    port_strings_destroy(strings);
    assay_arena_destroy(arena);
}

#endif
