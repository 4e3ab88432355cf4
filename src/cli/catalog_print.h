/** What the verbs of the catalog share. */
#ifndef CLI_CATALOG_PRINT_H
#define CLI_CATALOG_PRINT_H

#include "assay/catalog_view.h"
#include "assay/json.h"
#include "assay/table.h"
#include "cli/cli.h"

/** A cell for people, in the column's unit; "" when it is unknown. text: at least 32 bytes. */
const char *cli_cell_text(const assay_column_t *column, const assay_cell_t *cell, char text[32]);
/** A cell for programs: in SI, or in the unit that the column's key names. */
const char *cli_cell_raw(const assay_column_t *column, const assay_cell_t *cell, char text[32]);
void cli_cell_json(assay_json_t *json, const assay_column_t *column, const assay_cell_t *cell);
/** The catalog with the folders of a user's tables laid over. */
assay_status_t cli_catalog_load(cli_t *cli, assay_catalog_t **out_catalog);
assay_table_format_t cli_table_format(assay_report_format_t format);
/** What a user's tables changed, below a text output. */
void cli_catalog_overlays(cli_t *cli, const assay_catalog_t *catalog);
/** The row that id names; the error says what was meant. */
assay_status_t cli_catalog_find(cli_t *cli, const assay_catalog_t *catalog, const char *id,
                                assay_catalog_view_t *out_view, const void **out_row);

#endif
