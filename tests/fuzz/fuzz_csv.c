#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create(1u << 20);
    if (!arena) {
        return 0;
    }
    assay_csv_t csv;
    assay_error_t err;
    const assay_status_t status =
        assay_csv_parse(arena, "fuzz.csv", (const char *)data, size, &csv, &err);
    if (status == ASSAY_OK) {
        size_t n = 0; /* every cell is there and ends within the text */
        for (uint32_t row = 0; row < csv.n_rows; row++) {
            for (uint32_t column = 0; column < csv.n_columns; column++) {
                n += strlen(assay_csv_cell(&csv, row, (int)column));
            }
        }
        if (n > size || assay_csv_column(&csv, csv.header[0]) != 0) {
            abort();
        }
    } else if (err.status != status || !err.what[0]) {
        abort();
    }
    assay_arena_destroy(arena);
    return 0;
}
