/**
 * The ledger: a file (SQLite) that keeps what a team has gathered. So far: prices that were
 * imported, each with its date; of one offer the newest counts, the older ones stay.
 */
#ifndef ASSAY_LEDGER_H
#define ASSAY_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/csv.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_ledger assay_ledger_t;

/**
 * Opens the ledger in file path. create: makes the file, and the folders above it, when it is not
 * there. Errors: ASSAY_NOT_FOUND (not there, create false), ASSAY_INPUT (the file is no ledger, or
 * of a newer assay), ASSAY_IO.
 */
assay_status_t assay_ledger_open(const char *path, bool create, assay_ledger_t **out_ledger,
                                 assay_error_t *err);
/** NULL allowed. */
void assay_ledger_close(assay_ledger_t *ledger);

/**
 * Adds rows with the columns of data/prices.csv; a row with the id and the date of one that is
 * there replaces it. All or nothing. Rows are taken as they are: who imports has checked them.
 */
assay_status_t assay_ledger_add_prices(assay_ledger_t *ledger, const assay_csv_t *rows,
                                       assay_error_t *err);
/** The newest row of every id, as a table with the columns of data/prices.csv, in order of id. */
assay_status_t assay_ledger_prices(assay_ledger_t *ledger, assay_arena_t *arena,
                                   assay_csv_t *out_rows, assay_error_t *err);

/** Columns of data/prices.csv that imports fill, as the ledger names them; NULL ends the list. */
extern const char *const assay_ledger_price_columns[];

#ifdef __cplusplus
}
#endif
#endif
