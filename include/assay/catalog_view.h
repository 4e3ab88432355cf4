/**
 * Every table of the catalog as rows and columns, so that one loop lists, filters, sorts, compares
 * and writes all of them. The main tables show the catalog's figures in SI under the names that the
 * JSON uses; any other table of data/ shows its cells as they are.
 */
#ifndef ASSAY_CATALOG_VIEW_H
#define ASSAY_CATALOG_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/catalog.h"
#include "assay/query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ASSAY_CELL_TEXT, /* const char * */
    ASSAY_CELL_TEXT_OR_NONE,
    ASSAY_CELL_PLAIN, /* const char *: a number where it reads as one */
    ASSAY_CELL_COUNT, /* uint32_t; 0 = unknown */
    ASSAY_CELL_COUNT_OR_NONE,
    ASSAY_CELL_FACT,       /* assay_fact_t */
    ASSAY_CELL_NUMBER,     /* double; 0 = unknown */
    ASSAY_CELL_BOOL,       /* bool */
    ASSAY_CELL_CONFIDENCE, /* uint8_t */
    ASSAY_CELL_PART,       /* const assay_accelerator_t *: its id */
    ASSAY_CELL_FABRIC,     /* const assay_fabric_t *: its id */
    ASSAY_CELL_DERIVED,    /* what derive says of the row */
} assay_cell_kind_t;

/** One cell as read from a row. */
typedef struct {
    bool known;
    bool is_number, is_bool;
    const char *text;  /* when it is neither number nor bool */
    double v;          /* number, SI; bool 0 or 1 */
    assay_fact_t fact; /* FACT: with range, basis and source */
} assay_cell_t;

typedef enum { ASSAY_SHOW_MAIN, ASSAY_SHOW_VALUE, ASSAY_SHOW_REST } assay_show_t;

typedef struct assay_column {
    const char *key;   /* in JSON and CSV, where values are SI */
    const char *name;  /* as data/ calls it, in the unit of people ("tdp_w"); NULL = as key */
    const char *title; /* as text; NULL = only in the other outputs */
    const char *unit;  /* in text; "" = none */
    double scale;      /* SI value of one such unit; 0 = no number */
    uint8_t kind;      /* assay_cell_kind_t */
    uint8_t show;      /* assay_show_t: among the main columns (with a title), or the value view */
    size_t offset;
    assay_cell_t (*derive)(const struct assay_column *column, const void *row);
} assay_column_t;

typedef struct {
    const char *name, *what;
    const assay_column_t *column; /* the first one is the id */
    uint32_t n_column;
    const void *rows;
    size_t row_size;
    uint32_t n_rows;
    const char *alias_kind; /* for assay_catalog_note; NULL = has no aliases */
    bool is_main;           /* its columns are chosen for people; else all of a file's */
} assay_catalog_view_t;

typedef struct {
    const char *name, *what; /* what "" = data/README.md says it */
    bool is_main;
} assay_table_name_t;
/** All tables, the main ones first. Errors: ASSAY_LIMIT. */
assay_status_t assay_catalog_view_names(assay_arena_t *arena, const assay_table_name_t **out_name,
                                        uint32_t *out_n, assay_error_t *err);
/**
 * A table of the catalog, or of data/ with the catalog's folders laid over. Errors: NOT_FOUND with
 * the nearest name; what reading a file says.
 */
assay_status_t assay_catalog_view_open(assay_arena_t *arena, const assay_catalog_t *catalog,
                                       const char *name, assay_catalog_view_t *out_view,
                                       assay_error_t *err);

const void *assay_catalog_view_row(const assay_catalog_view_t *view, uint32_t row);
const char *assay_catalog_view_id(const assay_catalog_view_t *view, const void *row);
assay_cell_t assay_catalog_view_cell(const assay_column_t *column, const void *row);
/** What a number is divided by under the column's key: 1, but for a key that names a unit of
 * people. */
double assay_catalog_view_key_scale(const assay_column_t *column);
/** Column by key or name, case-insensitive; NULL: none. */
const assay_column_t *assay_catalog_view_column(const assay_catalog_view_t *view, const char *name);

/**
 * Numbers of the rows that the condition where (NULL: all) lets through, in the order of sort
 * (NULL: as in the table): column names joined by commas, '-' before one for descending; unknown
 * figures stand last. Conditions and orders know every column by its key, in SI, and by its name.
 * Errors: ASSAY_USAGE, see assay/query.h.
 */
assay_status_t assay_catalog_view_select(assay_arena_t *arena, const assay_catalog_view_t *view,
                                         const char *where, const char *sort,
                                         const uint32_t **out_row, uint32_t *out_n,
                                         assay_error_t *err);

typedef struct {
    const char *table, *id;
    const char *text; /* where the words stand: a name, a note, another spelling */
    uint32_t score;   /* higher is nearer */
} assay_hit_t;
/**
 * Rows of all main tables and aliases that hold every one of the words, nearest first: words in the
 * id count more than words in a name, and those more than words in other text.
 */
assay_status_t assay_catalog_view_search(assay_arena_t *arena, const assay_catalog_t *catalog,
                                         const char *const *word, uint32_t n_word,
                                         assay_hit_t **out_hit, uint32_t *out_n,
                                         assay_error_t *err);
/** The row that an id, or another spelling of it, names in any main table; *out_row NULL: none. */
assay_status_t assay_catalog_view_find(assay_arena_t *arena, const assay_catalog_t *catalog,
                                       const char *id, assay_catalog_view_t *out_view,
                                       const void **out_row, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
