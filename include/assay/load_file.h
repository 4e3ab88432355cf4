/**
 * Load over time, as monitoring exports it: a CSV of times and one or more columns of loads, such
 * as Grafana's "Download CSV" of a panel, to a load-duration curve.
 *
 * Times: a column named time, timestamp or date, else the first: ISO 8601, or seconds, milli-,
 * micro- or nanoseconds since 1970, told apart by their size (all are within 2000 to 2100). Rows
 * may come in any order. Loads: percent or fractions, of which the mean over the columns counts, or
 * amounts (GPUs in use) of which the sum is held against the amount that means all. What a column
 * is in must be said: by its name (the caller's words), by a % behind its values, or by who asks.
 *
 * Rows that follow each other within half an hour are averaged to hours; else each row stands for
 * the usual step. A cell that is empty, NaN or null is missing: it is left out, and counted.
 *
 * Limits: 256 MiB, what assay_csv_parse holds, 20 years. Test: tests/unit/test_load_file.c.
 * Thread-safe: yes. Source of the format: grafana/grafana packages/grafana-data/src/utils/csv.ts.
 */
#ifndef ASSAY_LOAD_FILE_H
#define ASSAY_LOAD_FILE_H

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_LOAD_FILE_MAX_BYTES ((size_t)256 << 20)

typedef enum {
    ASSAY_LOAD_UNSAID,
    ASSAY_LOAD_PERCENT,
    ASSAY_LOAD_FRACTION,
    ASSAY_LOAD_AMOUNT
} assay_load_unit_t;

/** What is in a column whose name contains this, in letters of either case. */
typedef struct {
    const char *contains;
    uint8_t unit; /* ASSAY_LOAD_PERCENT or ASSAY_LOAD_FRACTION */
} assay_load_word_t;

typedef struct {
    const assay_load_word_t *word; /* (n_word) */
    uint32_t n_word;
    uint8_t unit;              /* of all columns, whatever their names say; UNSAID: by name */
    double full;               /* of AMOUNT: the sum that means all, > 0 */
    const char *const *column; /* (n_column) those that are read; 0: all but the time */
    uint32_t n_column;
} assay_load_ask_t;

typedef struct {
    const char *file;
    double *load; /* (n) falling, 0..1; each of step_s */
    uint32_t n;
    double step_s;           /* 3600, or the usual step of the rows where that is longer */
    uint32_t n_step;         /* from the first to the last; n_step - n are missing */
    uint64_t cells, missing; /* read; of them without a value */
    uint32_t columns;
    uint8_t unit;           /* of the first column */
    const char *said_by;    /* "NAME": its name; NULL: its values or who asks */
    double first_s, last_s; /* unix time of the first and the last row */
    double mean;
} assay_load_file_t;

/**
 * Errors (ASSAY_INPUT with file, line and a next step): no such column, none, a time or load that
 * is none, a load below 0 or above all, two rows of one time, rows further apart than a day, fewer
 * than two, a column that does not say what it is in; ASSAY_LIMIT, ASSAY_MEMORY.
 */
assay_status_t assay_load_file_parse(assay_arena_t *arena, const char *file, const char *data,
                                     size_t size, const assay_load_ask_t *ask,
                                     assay_load_file_t *out, assay_error_t *err);
/** Reads the file. Besides: what assay_file_read refuses. */
assay_status_t assay_load_file_read(assay_arena_t *arena, const char *path,
                                    const assay_load_ask_t *ask, assay_load_file_t *out,
                                    assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
