/* What the fits of serving and of images share: whose rows speak for whom, and their errors. */
#ifndef SCORE_CALIBRATE_PARTS_H
#define SCORE_CALIBRATE_PARTS_H

#include "assay/calibrate.h"

/* From a group of rows outward. */
typedef enum {
    CALIBRATE_PART,
    CALIBRATE_ARCH,
    CALIBRATE_ENGINE_VENDOR,
    CALIBRATE_ENGINE,
    CALIBRATE_VENDOR,
    CALIBRATE_ALL,
    CALIBRATE_LEVEL_N
} calibrate_level_t;

/* An engine on an accelerator. */
typedef struct {
    const char *engine;
    const assay_accelerator_t *part;
} calibrate_pair_t;

/** Do the rows of one pair speak for another on this level? */
bool calibrate_speaks(calibrate_level_t level, calibrate_pair_t from, calibrate_pair_t to);
/** Scope of data/calibration.csv. NULL: no memory. */
const char *calibrate_scope(assay_arena_t *arena, calibrate_level_t level, calibrate_pair_t of);
const char *calibrate_method(calibrate_level_t level);
assay_basis_t calibrate_basis(calibrate_level_t level);

/** Sorts value[0..n). n > 0 */
double calibrate_quantile(double *value, uint32_t n, double share);
/** Spread of the errors that a prediction can expect: 80 % lie within ASSAY_Z90 of it. */
double calibrate_sigma(double *scratch, const double *ln, uint32_t n);
/** How many of the errors lie inside the 80 % interval of this sigma. */
uint32_t calibrate_inside(const double *ln, uint32_t n, double sigma);
/** false: row.scope is NULL. A row that is there already stays as it is. */
bool calibrate_add_row(assay_calibrate_t *io, assay_calibrate_row_t row);
void calibrate_add_error(assay_calibrate_t *io, const char *left_out, const char *engine,
                         const char *accelerator, const double *ln, const double *ln_roofline,
                         uint32_t n, uint32_t n_inside, double *scratch);
/** By what was left out, largest first. */
void calibrate_sort_errors(assay_calibrate_t *io);

#endif
