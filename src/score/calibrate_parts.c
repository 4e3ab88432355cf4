#include "score/calibrate_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/dist.h"
#include "base/det_math.h"

#include "base/banned.h"

bool calibrate_speaks(calibrate_level_t level, calibrate_pair_t from, calibrate_pair_t to) {
    const bool engine = strcmp(from.engine, to.engine) == 0;
    const bool vendor = strcmp(from.part->vendor, to.part->vendor) == 0;
    switch (level) {
    case CALIBRATE_PART:
        return engine && from.part == to.part;
    case CALIBRATE_ARCH:
        return engine && strcmp(from.part->arch, to.part->arch) == 0;
    case CALIBRATE_ENGINE_VENDOR:
        return engine && vendor;
    case CALIBRATE_ENGINE:
        return engine;
    case CALIBRATE_VENDOR:
        return vendor;
    default:
        return true;
    }
}

const char *calibrate_scope(assay_arena_t *arena, calibrate_level_t level, calibrate_pair_t of) {
    switch (level) {
    case CALIBRATE_PART:
        return assay_arena_printf(arena, "%s/%s", of.engine, of.part->id);
    case CALIBRATE_ARCH:
        return assay_arena_printf(arena, "%s/%s", of.engine, of.part->arch);
    case CALIBRATE_ENGINE_VENDOR:
        return assay_arena_printf(arena, "%s/%s", of.engine, of.part->vendor);
    case CALIBRATE_ENGINE:
        return of.engine;
    case CALIBRATE_VENDOR:
        return of.part->vendor;
    default:
        return "*";
    }
}

const char *calibrate_method(calibrate_level_t level) {
    static const char *const method[CALIBRATE_LEVEL_N] = {
        [CALIBRATE_PART] =
            "least soft-L1 error of ln(measured/predicted), priors shared by all groups",
        [CALIBRATE_ARCH] = "median of the engine's parts of this architecture",
        [CALIBRATE_ENGINE_VENDOR] = "median of the engine's parts of this vendor",
        [CALIBRATE_ENGINE] = "median of the engine's parts",
        [CALIBRATE_VENDOR] = "median of the vendor's parts and engines",
        [CALIBRATE_ALL] = "median of all parts and engines"};
    return method[level];
}

assay_basis_t calibrate_basis(calibrate_level_t level) {
    return level <= CALIBRATE_ARCH     ? ASSAY_BASIS_CALIBRATED
           : level <= CALIBRATE_VENDOR ? ASSAY_BASIS_TRANSFERRED
                                       : ASSAY_BASIS_EXTRAPOLATED;
}

double calibrate_quantile(double *value, uint32_t n, double share) {
    const assay_dist_t dist = assay_dist_of_sample(value, n);
    return assay_dist_quantile(&dist, share);
}

double calibrate_sigma(double *scratch, const double *ln, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        scratch[i] = fabs(ln[i]);
    }
    return fmax(calibrate_quantile(scratch, n, 0.8) / ASSAY_Z90, 0.03);
}

uint32_t calibrate_inside(const double *ln, uint32_t n, double sigma) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        found += fabs(ln[i]) <= ASSAY_Z90 * sigma;
    }
    return found;
}

bool calibrate_add_row(assay_calibrate_t *io, assay_calibrate_row_t row) {
    if (!row.scope) {
        return false;
    }
    for (uint32_t i = 0; i < io->n_row; i++) {
        if (io->row[i].constant == row.constant && io->row[i].dtype == row.dtype &&
            strcmp(io->row[i].scope, row.scope) == 0) {
            return true; /* another group has said it */
        }
    }
    io->row[io->n_row++] = row;
    return true;
}

void calibrate_add_error(assay_calibrate_t *io, const char *left_out, const char *engine,
                         const char *accelerator, const double *ln, const double *ln_roofline,
                         uint32_t n, uint32_t n_inside, double *scratch) {
    assay_calibrate_error_t *error = &io->error[io->n_error++];
    *error = (assay_calibrate_error_t){.left_out = left_out,
                                       .engine = engine,
                                       .accelerator = accelerator,
                                       .rows = n,
                                       .coverage = (double)n_inside / n};
    for (uint32_t i = 0; i < n; i++) {
        scratch[i] = fabs(assay_det_exp(ln[i]) - 1);
    }
    error->median = calibrate_quantile(scratch, n, 0.5);
    error->p90 = calibrate_quantile(scratch, n, 0.9);
    for (uint32_t i = 0; i < n; i++) {
        scratch[i] = fabs(assay_det_exp(ln_roofline[i]) - 1);
    }
    error->roofline_median = calibrate_quantile(scratch, n, 0.5);
}

static int compare_errors(const void *a, const void *b) {
    const assay_calibrate_error_t *x = a, *y = b;
    const int by = strcmp(x->left_out, y->left_out);
    return by ? by : (x->rows < y->rows) - (x->rows > y->rows);
}

void calibrate_sort_errors(assay_calibrate_t *io) {
    qsort(io->error, io->n_error, sizeof *io->error, compare_errors);
}

assay_status_t assay_calibrate(assay_arena_t *arena, const assay_catalog_t *catalog,
                               const assay_calibration_t *calibration, const assay_csv_t *data,
                               const assay_hooks_t *hooks, assay_calibrate_t **out,
                               assay_error_t *err) {
    assay_calibrate_t *serving, *images;
    if (assay_csv_column(data, "engine") < 0) {
        return assay_calibrate_training(arena, catalog, calibration, data, hooks, out, err);
    }
    assay_status_t status =
        assay_calibrate_serving(arena, catalog, calibration, data, hooks, &serving, err);
    status =
        status ? status : assay_calibrate_images(arena, catalog, calibration, data, &images, err);
    if (status) {
        return status;
    }
    assay_calibrate_t *both = assay_arena_alloc(arena, sizeof *both);
    const uint32_t n_row = serving->n_row + images->n_row;
    const uint32_t n_error = serving->n_error + images->n_error;
    if (!both || !(both->row = assay_arena_array(arena, n_row + 1, sizeof *both->row)) ||
        !(both->error = assay_arena_array(arena, n_error + 1, sizeof *both->error))) {
        return assay_error_memory(err, NULL);
    }
    memcpy(both->row, serving->row, serving->n_row * sizeof *both->row);
    memcpy(both->row + serving->n_row, images->row, images->n_row * sizeof *both->row);
    memcpy(both->error, serving->error, serving->n_error * sizeof *both->error);
    memcpy(both->error + serving->n_error, images->error, images->n_error * sizeof *both->error);
    both->n_row = n_row;
    both->n_error = n_error;
    both->file = data->file;
    calibrate_sort_errors(both);
    *out = both;
    return ASSAY_OK;
}
