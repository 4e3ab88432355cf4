/**
 * Fits constants of data/calibration.csv to a table of measurements: of serving engines (rows
 * serve_*), or of training (run_*, overlap_cost, step_loss, step_sigma), whichever the table is of.
 * Few constants per engine and accelerator, with priors shared by all: what the rows do not tell
 * stays near the prior. Rows are left out only for the reasons of assay_score, which do not look at
 * the error.
 *
 * Least (soft-L1) error of ln(predicted/measured) by Levenberg-Marquardt (serving) or Gauss-Newton
 * (training) in the logarithm of the constants (Nocedal and Wright, Numerical Optimization, 2nd
 * ed., 10.3). Training: a constant is a prior, corrected by architecture and width of the type, by
 * software, and by both together, each with its own spread.
 */
#ifndef ASSAY_CALIBRATE_H
#define ASSAY_CALIBRATE_H

#include "assay/calibration.h"
#include "assay/csv.h"
#include "assay/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of data/calibration.csv. */
typedef struct {
    const char *scope; /* "vllm-2024/amd-mi300x-192g", "vllm-2024/CDNA3", "vllm-2024", "AMD", "*" */
    assay_dtype_t dtype; /* ASSAY_DT_N: any */
    assay_calib_id_t constant;
    double value, p10, p90;
    assay_basis_t basis;
    uint32_t rows; /* measurements behind it */
    const char *method;
} assay_calibrate_row_t;

/* Errors of what was left out of the fit, median and p90 of |predicted/measured - 1|. */
typedef struct {
    const char *left_out; /* "nothing", "model family", "source" ... */
    const char *engine;   /* of training: the source, letters of the rows' ids */
    const char *accelerator;
    uint32_t rows;
    double median, p90;
    double roofline_median; /* every constant at its physical limit */
    double coverage; /* share of rows inside the 80 % interval; its width comes from other families,
                        other accelerators where those are left out */
} assay_calibrate_error_t;

typedef struct {
    assay_calibrate_row_t *row;
    assay_calibrate_error_t *error; /* by left_out, then largest group first; "all" sums them up */
    uint32_t n_row, n_error;
    const char *file; /* of the measurements */
} assay_calibrate_t;

/** Errors: ASSAY_INPUT (no row can be predicted), ASSAY_LIMIT, ASSAY_CANCELLED. */
assay_status_t assay_calibrate_training(assay_arena_t *arena, const assay_catalog_t *catalog,
                                        const assay_calibration_t *calibration,
                                        const assay_csv_t *data, const assay_hooks_t *hooks,
                                        assay_calibrate_t **out, assay_error_t *err);
/** Errors: ASSAY_INPUT (no table of serving measurements), ASSAY_LIMIT, ASSAY_CANCELLED. */
assay_status_t assay_calibrate_serving(assay_arena_t *arena, const assay_catalog_t *catalog,
                                       const assay_calibration_t *calibration,
                                       const assay_csv_t *data, const assay_hooks_t *hooks,
                                       assay_calibrate_t **out, assay_error_t *err);

/**
 * The same for networks on images (rows image_*): a pattern search over four constants. Errors: as
 * above.
 */
assay_status_t assay_calibrate_images(assay_arena_t *arena, const assay_catalog_t *catalog,
                                      const assay_calibration_t *calibration,
                                      const assay_csv_t *data, assay_calibrate_t **out,
                                      assay_error_t *err);
/** By what the table is of: one that names engines is of serving, and of images with it. */
assay_status_t assay_calibrate(assay_arena_t *arena, const assay_catalog_t *catalog,
                               const assay_calibration_t *calibration, const assay_csv_t *data,
                               const assay_hooks_t *hooks, assay_calibrate_t **out,
                               assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
