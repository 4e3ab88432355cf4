/**
 * A condition on the rows of a table, as people type it: mem_gb>=128 and vendor=AMD.
 *
 *   condition  any { or any }          any   one { and one }       one  [not] ( condition ) | test
 *   test       COLUMN OP VALUE         OP    = == != < <= > >= ~ !~
 *   VALUE      a number, a quantity in any unit of the column's kind (80 GB), a word or several,
 *              "quoted text", or unknown (with = and !=)
 *
 * ~ looks for a part of the text. Texts are compared without regard to case; < and > take the
 * numbers in them as numbers, so that version 7.2 stands before 7.14 and 10.0. A test of a figure
 * that is not known is neither true nor false: not makes no row of it appear.
 */
#ifndef ASSAY_QUERY_H
#define ASSAY_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    bool is_number;
    const char *unit; /* what the column's numbers count ("GiB"); "" = plain */
    double scale;     /* SI value of one of them */
} assay_query_column_t;

/** A cell; v counts the column's unit. */
typedef struct {
    bool known, is_number;
    double v;
    const char *text; /* when it is no number */
} assay_query_value_t;

typedef struct assay_query assay_query_t;

/**
 * Parses text against n columns. Errors: ASSAY_USAGE with the column of text that is wrong, what
 * was expected, and the nearest name; ASSAY_LIMIT beyond 4096 bytes, 256 tests or 32 levels.
 */
assay_status_t assay_query_parse(assay_arena_t *arena, const char *text,
                                 const assay_query_column_t *column, uint32_t n_column,
                                 const assay_query_t **out_query, assay_error_t *err);
/** Whether the condition holds; read gives the cell of a column. Thread-safe, allocates nothing. */
bool assay_query_holds(const assay_query_t *query,
                       assay_query_value_t (*read)(const void *row, uint32_t column),
                       const void *row);

/** Order of two texts: ASCII letters without case, runs of digits as numbers. */
int assay_text_order(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
