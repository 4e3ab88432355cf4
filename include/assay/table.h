/**
 * One table, several outputs: aligned text (fits a width), CSV, Markdown. Cells are text that the
 * caller has formatted; numbers align right.
 */
#ifndef ASSAY_TABLE_H
#define ASSAY_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ASSAY_TABLE_TEXT, ASSAY_TABLE_CSV, ASSAY_TABLE_MARKDOWN } assay_table_format_t;

typedef struct assay_table assay_table_t;

/**
 * Lives in the arena. n_columns 1..256. NULL beyond the limit; the functions below accept that,
 *     and printing it marks out failed, as for a table that is.
 */
assay_table_t *assay_table_create(assay_arena_t *arena, uint32_t n_columns);
/** unit "" = none; printed in the header as "name [unit]". right: align right. */
void assay_table_column(assay_table_t *table, uint32_t column, const char *name, const char *unit,
                        bool right);
/** The column is never cut, whatever the width: its cells are to be typed again, as ids are. */
void assay_table_whole(assay_table_t *table, uint32_t column);
/** Starts a row; cells not set print as "". */
void assay_table_row(assay_table_t *table);
/** Copies text (NULL = ""). Beyond the arena's limit the table is marked failed. */
void assay_table_cell(assay_table_t *table, uint32_t column, const char *text);
void assay_table_cellf(assay_table_t *table, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/**
 * width: most columns of text output (0 = no limit); the widest left-aligned column is cut with
 * "...".
 */
void assay_table_print(const assay_table_t *table, assay_table_format_t format, uint32_t width,
                       assay_buf_t *out);
/** Every cell by rows, row 0 the titles, for formats that base does not know. */
typedef void (*assay_table_cell_fn)(void *ctx, uint32_t row, uint32_t column, bool right,
                                    const char *text);
void assay_table_each(const assay_table_t *table, assay_table_cell_fn cell, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
