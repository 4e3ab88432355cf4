/**
 * CSV as RFC 4180: quoted fields, doubled quotes, embedded newlines, LF or CRLF, header row.
 */
#ifndef ASSAY_CSV_H
#define ASSAY_CSV_H

#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *file; /* name for messages */
    uint32_t n_columns, n_rows;
    const char **header;   /* (n_columns) */
    const char **cell;     /* (n_rows, n_columns), never NULL, empty = "" */
    uint32_t *line;        /* (n_rows) first line of each row, from 1 */
    const char **row_file; /* (n_rows) where rows of several files were joined; NULL: all of file */
} assay_csv_t;

/**
 * data[0..size) must be UTF-8 (a BOM is skipped). Errors (ASSAY_INPUT with file:line:column): no
 * header, empty or duplicate column name, row with another number of fields, stray or unclosed
 * quote, NUL byte, bad UTF-8. Limits: 4096 columns, 4 Mi rows, 1 MiB a field.
 */
assay_status_t assay_csv_parse(assay_arena_t *arena, const char *file, const char *data,
                               size_t size, assay_csv_t *out_csv, assay_error_t *err);
/** The same with another separator than a comma; line: number of its first line. */
assay_status_t assay_csv_parse_as(assay_arena_t *arena, const char *file, const char *data,
                                  size_t size, char separator, uint32_t line, assay_csv_t *out_csv,
                                  assay_error_t *err);
/** Column index or -1. */
int assay_csv_column(const assay_csv_t *csv, const char *name);
/** Cell by row and column index; "" when column is -1. */
const char *assay_csv_cell(const assay_csv_t *csv, uint32_t row, int column);
/**
 * ASSAY_INPUT with "COLUMN is 'CELL', expected EXPECTED" at the row of a data table.
 */
assay_status_t assay_csv_refuse(const assay_csv_t *csv, uint32_t row, const char *column,
                                const char *expected, assay_error_t *err);
/** Where a row is, for messages. */
static inline assay_place_t assay_csv_place(const assay_csv_t *csv, uint32_t row) {
    assay_place_t at = {csv->row_file ? csv->row_file[row] : csv->file, csv->line[row], 0};
    return at;
}

#ifdef __cplusplus
}
#endif
#endif
