/**
 * Figures of an expression that are no claim and stand in no catalog: what assay predicts for the
 * jobs of claim_jobs.csv, what it assumes where nothing is said, how machines deviate from their
 * peaks. Plain numbers, in SI and USD; the unit is written behind them. Private to audit.
 *
 *   predict:JOB:CANDIDATE:per_epoch_usd | tokens_per_s | mfu       training
 *   predict:JOB:CANDIDATE:request_s                                images, 10 to 90 %
 *   predict:JOB:CANDIDATE:all_reduce_s:BYTES                       all devices of one node
 *   predict:JOB:VARIABLE                                           where its verdict flips
 *   default:KEY                                                    low to high of defaults.csv
 *   calibration:SCOPE:CONSTANT                                     low to high of calibration.csv
 */
#ifndef AUDIT_PREDICTIONS_H
#define AUDIT_PREDICTIONS_H

#include "assay/catalog.h"

typedef struct audit_predictions audit_predictions_t;

/** Reads no table yet: that is done when the first figure is asked for. NULL: no memory. */
audit_predictions_t *audit_predictions_create(assay_arena_t *arena, const assay_catalog_t *catalog,
                                              const char *const *dir, uint32_t n_dir);
bool audit_prediction_is(const char *figure);
/**
 * *out_missing is NULL, or says why there is no such figure: the verdict does not flip, the
 * candidate does not fit. Errors: ASSAY_INPUT at `at` (no such figure), what the job's own are.
 */
assay_status_t audit_prediction(audit_predictions_t *predictions, const char *figure,
                                const assay_place_t *at, double *out_low, double *out_high,
                                const char **out_missing, assay_error_t *err);

#endif
