/** The tables that the catalog reads into structs, for catalog_view. Private to catalog. */
#ifndef CATALOG_CATALOG_COLUMNS_H
#define CATALOG_CATALOG_COLUMNS_H

#include "assay/catalog_view.h"

typedef struct {
    const char *name, *what;
    const assay_column_t *column;
    uint32_t n_column;
    size_t row_size, rows_offset, n_offset; /* in assay_catalog_t */
    const char *alias_kind;
} catalog_main_table_t;

extern const catalog_main_table_t catalog_main_tables[];
extern const uint32_t catalog_n_main_tables;

#endif
