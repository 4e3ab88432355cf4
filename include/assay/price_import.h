/**
 * Price lists of other programs as rows of data/prices.csv: SkyPilot's vms.csv, gpuhunt's catalog
 * (CSV or JSON), cost and usage rows of FOCUS (CSV or JSON), and our own columns.
 */
#ifndef ASSAY_PRICE_IMPORT_H
#define ASSAY_PRICE_IMPORT_H

#include "assay/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *provider; /* for files that do not name it; NULL: not given */
    const char *date;   /* when the prices were seen, for files that do not say; NULL: not given */
    const char *source; /* where the file is from; NULL: its format and name */
} assay_price_import_options_t;

typedef struct {
    const char *name; /* as the file writes it */
    uint32_t rows;
} assay_price_unknown_t;

typedef struct {
    const char *format; /* "SkyPilot", "gpuhunt", "FOCUS", "assay" */
    assay_csv_t rows;   /* the columns of assay_ledger_price_columns; line: of the file, or the
                           number of the object in a JSON array */
    uint32_t n_read;    /* rows of the file */
    uint32_t n_without; /* of them, without an accelerator or without a price an hour */
    uint32_t n_family;  /* taken, and of no single board: "A100 80 GB" */
    const assay_price_unknown_t *unknown; /* accelerators that the catalog does not know */
    uint32_t n_unknown, n_unknown_rows;
} assay_price_import_t;

/**
 * Reads data[0..size), format recognised by its columns. Rows of one instance in one region are one
 * offer: its lowest prices (zones, spot and on demand), or the mean over the hours of FOCUS. An
 * instance whose accelerator has several boards is read as the board that the catalog knows this
 * very instance with. Nothing is checked here: see assay_catalog_check.
 * Errors: ASSAY_INPUT (no known format, a cell that is no number, a currency that is not USD, no
 * provider or date), ASSAY_LIMIT.
 */
assay_status_t assay_price_import(assay_arena_t *arena, const assay_catalog_t *catalog,
                                  const char *file, const char *data, size_t size,
                                  const assay_price_import_options_t *options,
                                  assay_price_import_t *out_import, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
