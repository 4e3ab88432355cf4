#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static assay_query_value_t read_cell(const void *row, uint32_t column) {
    const char *text = row;
    return column == 0 ? (assay_query_value_t){.known = true, .text = text}
                       : (assay_query_value_t){column < 2, true, 80.0, NULL};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const assay_query_column_t column[] = {
        {"vendor", false, "", 1}, {"mem_gib", true, "GiB", 1073741824.0}, {"price", true, "", 1}};
    assay_arena_t *arena = assay_arena_create(1u << 20);
    char *text = arena ? assay_arena_strndup(arena, (const char *)data, size) : NULL;
    const assay_query_t *query;
    assay_error_t err = {0};
    if (text) {
        const assay_status_t status = assay_query_parse(arena, text, column, 3, &query, &err);
        if (status == ASSAY_OK) {
            (void)assay_query_holds(query, read_cell, text);
        } else if (err.status != status) {
            abort();
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
