/* Reads image_engines.csv. */
#include "assay/image_engine.h"

#include <stddef.h>
#include <string.h>

#include "assay/csv.h"

#include "base/banned.h"

#define TABLE "image_engines.csv"

typedef enum { TEXT, TEXT_OR_EMPTY, YES_NO } cell_kind_t;

static const struct {
    const char *name;
    size_t offset;
    cell_kind_t kind;
} columns[] = {
#define COLUMN(field, kind) \
    { #field, offsetof(assay_image_engine_t, field), kind }
    COLUMN(id, TEXT),
    COLUMN(name, TEXT),
    COLUMN(from_version, TEXT_OR_EMPTY),
    COLUMN(to_version, TEXT_OR_EMPTY),
    COLUMN(vendor, TEXT),
    COLUMN(captured, YES_NO),
    COLUMN(fused_attention, YES_NO),
    COLUMN(source, TEXT),
    COLUMN(note, TEXT_OR_EMPTY),
#undef COLUMN
};

/* What was expected instead, or NULL. */
static const char *read_cell(cell_kind_t kind, const char *text, void *out) {
    if (kind == YES_NO) {
        *(bool *)out = strcmp(text, "yes") == 0;
        return *(bool *)out || strcmp(text, "no") == 0 ? NULL : "yes or no";
    }
    *(const char **)out = text;
    return text[0] || kind == TEXT_OR_EMPTY ? NULL : "a text";
}

assay_status_t assay_image_engines_load(assay_arena_t *arena, const assay_catalog_t *catalog,
                                        const assay_image_engine_t **out_engine,
                                        uint32_t *out_n_engine, assay_error_t *err) {
    assay_csv_t csv;
    const assay_status_t status =
        assay_data_table_keyed(arena, TABLE, catalog->dir, catalog->n_dir, &csv, err);
    if (status) {
        return status;
    }
    assay_image_engine_t *engine = assay_arena_array(arena, csv.n_rows, sizeof *engine);
    if (!engine) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            const char *text = assay_csv_cell(&csv, row, assay_csv_column(&csv, columns[i].name));
            const char *expected =
                read_cell(columns[i].kind, text, (char *)&engine[row] + columns[i].offset);
            if (expected) {
                const assay_place_t at = assay_csv_place(&csv, row);
                assay_error_set(err, ASSAY_INPUT, &at, "%s is '%s', expected %s", columns[i].name,
                                text, expected);
                assay_error_next(err, "correct the row; data/README.md describes the table");
                return ASSAY_INPUT;
            }
        }
    }
    *out_engine = engine;
    *out_n_engine = csv.n_rows;
    return ASSAY_OK;
}

const assay_image_engine_t *assay_image_engine_find(const assay_image_engine_t *engine,
                                                    uint32_t n_engine, const char *id) {
    for (uint32_t i = 0; i < n_engine; i++) {
        if (strcmp(engine[i].id, id) == 0) {
            return &engine[i];
        }
    }
    return NULL;
}
