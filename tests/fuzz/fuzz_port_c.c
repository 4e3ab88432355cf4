/* The C and PTX readers on any bytes: no crash, no read beyond the end, offsets within the text. */
#include <stdlib.h>
#include <string.h>

#include "port/port_sink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const port_tables_t *tables_once(void) {
    static assay_arena_t *arena; /* reached from here, so it is no leak */
    static const port_tables_t *tables;
    if (!arena) {
        arena = assay_arena_create((size_t)64 << 20);
        if (!arena || port_tables_load(arena, &tables, NULL) != ASSAY_OK) {
            abort();
        }
    }
    return tables;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)16 << 20);
    const assay_port_options_t options = {.rocm = 604, .target = "gfx942"};
    port_strings_t *strings = arena ? port_strings_create(arena) : NULL;
    port_sink_t *sink = strings ? port_sink_create(tables_once(), strings, &options) : NULL;
    if (sink) {
        assay_port_file_t file = {.path = "fuzz.cu"};
        const port_text_t text = {.path = file.path,
                                  .data = (const char *)data,
                                  .size = size,
                                  .language = ASSAY_PORT_CUDA,
                                  .line = 1};
        port_sink_begin(sink, &file);
        port_read_c(sink, &text);
        port_read_ptx(sink, &text);
    }
    port_sink_destroy(sink);
    port_strings_destroy(strings);
    assay_arena_destroy(arena);
    return 0;
}
