/** An array of flat JSON objects as a table. Private to ledger. */
#ifndef LEDGER_JSON_TABLE_H
#define LEDGER_JSON_TABLE_H

#include "assay/csv.h"

/**
 * data[0..size) is an array of objects, or an object with one such array. Columns are the keys of
 * all of them; nested objects become their JSON text, null and absent ones "". line: number of the
 * object, from 1. Errors: ASSAY_INPUT, ASSAY_LIMIT (256 columns, 1 Mi objects).
 */
assay_status_t ledger_json_table(assay_arena_t *arena, const char *file, const char *data,
                                 size_t size, assay_csv_t *out_csv, assay_error_t *err);

#endif
