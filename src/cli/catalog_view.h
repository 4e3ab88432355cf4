/**
 * The catalog's tables as rows and columns, so that one loop lists, shows and writes all of them.
 */
#ifndef CLI_CATALOG_VIEW_H
#define CLI_CATALOG_VIEW_H

#include <stdint.h>

#include "assay/catalog.h"

typedef enum {
    CLI_CELL_TEXT, /* const char * */
    CLI_CELL_TEXT_OR_NONE,
    CLI_CELL_COUNT, /* uint32_t; 0 = unknown */
    CLI_CELL_COUNT_OR_NONE,
    CLI_CELL_FACT,       /* assay_fact_t */
    CLI_CELL_NUMBER,     /* double; 0 = unknown */
    CLI_CELL_BOOL,       /* bool */
    CLI_CELL_CONFIDENCE, /* uint8_t */
    CLI_CELL_PART,       /* const assay_accelerator_t *: its id */
    CLI_CELL_FABRIC,     /* const assay_fabric_t *: its id */
    CLI_CELL_CLAIM,      /* the value of an assay_claim_t; offset is not used */
    CLI_CELL_PARAMETERS  /* counted from the model's shape; offset is not used */
} cli_cell_kind_t;

typedef struct {
    const char *key;   /* in JSON and CSV, where values are SI */
    const char *title; /* in `catalog list` as text; NULL = only in the other outputs */
    const char *unit;  /* in text; "" = none */
    double scale;      /* SI value of one such unit; 0 = 1 */
    uint8_t kind;      /* cli_cell_kind_t */
    size_t offset;
} cli_column_t;

typedef struct {
    const char *name, *what;
    const cli_column_t *column; /* the first one is the id */
    uint32_t n_column;
    size_t row_size, rows_offset, n_offset; /* in assay_catalog_t */
    const char *alias_kind;                 /* for assay_catalog_note; NULL = has no aliases */
} cli_table_t;

extern const cli_table_t cli_tables[];
extern const uint32_t cli_n_tables;

uint32_t cli_table_n_rows(const cli_table_t *table, const assay_catalog_t *catalog);
const void *cli_table_row(const cli_table_t *table, const assay_catalog_t *catalog, uint32_t row);
const char *cli_row_id(const cli_table_t *table, const void *row);

/** One value as read from a row. */
typedef struct {
    bool known;
    bool is_number, is_bool;
    const char *text;  /* when it is neither number nor bool */
    double v;          /* number, SI; bool 0 or 1 */
    assay_fact_t fact; /* FACT: with range, basis and source */
} cli_value_t;
cli_value_t cli_row_value(const cli_column_t *column, const void *row);

#endif
