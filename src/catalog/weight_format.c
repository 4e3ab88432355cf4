/* Reads weight_formats.csv. */
#include "assay/weight_format.h"

#include <string.h>

#include "assay/csv.h"
#include "assay/text.h"

#include "base/banned.h"

#define TABLE "weight_formats.csv"

/* Parts, with blanks between. */
static bool read_parts(const char *list, bool out_part[ASSAY_PART_N]) {
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        int part = 0;
        while (part < ASSAY_PART_N &&
               (strlen(assay_part_name((assay_part_t)part)) != length ||
                memcmp(at, assay_part_name((assay_part_t)part), length) != 0)) {
            part++;
        }
        if (part == ASSAY_PART_N) {
            return false;
        }
        out_part[part] = true;
        at += length;
    }
    return true;
}

static assay_status_t read_row(const assay_csv_t *csv, uint32_t row, assay_weight_format_t *out,
                               assay_error_t *err) {
    const char *bytes = assay_csv_cell(csv, row, assay_csv_column(csv, "bytes_per_param"));
    const char *wide = assay_csv_cell(csv, row, assay_csv_column(csv, "wide_parts"));
    const char *multiplied = assay_csv_cell(csv, row, assay_csv_column(csv, "multiplied_in"));
    const char *needs = assay_csv_cell(csv, row, assay_csv_column(csv, "on_parts_with"));
    *out = (assay_weight_format_t){.name = assay_csv_cell(csv, row, 0)};
    if (!assay_text_to_double(bytes, strlen(bytes), &out->bytes_per_param) ||
        !(out->bytes_per_param > 0 && out->bytes_per_param <= 16)) {
        return assay_csv_refuse(csv, row, "bytes_per_param", "a number from 0 to 16", err);
    }
    if (!read_parts(wide, out->wide)) {
        return assay_csv_refuse(csv, row, "wide_parts", "parts of a model, with blanks between",
                                err);
    }
    if (!assay_dtype_parse(multiplied, &out->multiplied)) {
        return assay_csv_refuse(csv, row, "multiplied_in", "a dtype such as bf16", err);
    }
    out->needs = out->multiplied;
    if (needs[0] != '\0' && !assay_dtype_parse(needs, &out->needs)) {
        return assay_csv_refuse(csv, row, "on_parts_with", "a dtype such as fp4, or nothing", err);
    }
    return ASSAY_OK;
}

assay_status_t assay_weight_formats_load(assay_arena_t *arena, const assay_catalog_t *catalog,
                                         const assay_weight_format_t **out_format,
                                         uint32_t *out_n_format, assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status =
        assay_data_table_keyed(arena, TABLE, catalog->dir, catalog->n_dir, &csv, err);
    if (status) {
        return status;
    }
    assay_weight_format_t *format = assay_arena_array(arena, csv.n_rows, sizeof *format);
    if (!format) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < csv.n_rows && !status; row++) {
        status = read_row(&csv, row, &format[row], err);
    }
    *out_format = format;
    *out_n_format = csv.n_rows;
    return status;
}

const assay_weight_format_t *assay_weight_format_find(const assay_weight_format_t *format,
                                                      uint32_t n_format, const char *name) {
    for (uint32_t i = 0; i < n_format; i++) {
        if (assay_text_equal_fold(format[i].name, name)) {
            return &format[i];
        }
    }
    return NULL;
}
