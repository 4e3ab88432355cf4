/* What the fit of training says: constants as rows of the calibration, the spread of the errors,
   and the errors of what was left out. */
#include <math.h>
#include <string.h>

#include "base/det_math.h"
#include "score/calibrate_parts.h"
#include "score/calibrate_training.h"

#include "base/banned.h"

/* A part without measured kernels differs by this besides (a design default, one sigma). */
#define UNKNOWN_KERNELS 0.25
/* 80 % of a normal distribution lie within so many standard deviations. */
#define INTERVAL 1.28
/* Rows of all groups that a group's own spread is weighed against. */
#define SPREAD_PRIOR 5.0

static const char *const left_name[TRAINING_LEFT_N] = {
    [TRAINING_LEFT_NOTHING] = "nothing",
    [TRAINING_LEFT_MODEL] = "model",
    [TRAINING_LEFT_SOURCE] = "source",
    [TRAINING_LEFT_ARCH] = "architecture",
};

/* ---- constants ---- */

static const char fitted[] =
    "least soft-L1 error of ln(measured/predicted): prior, architecture, software and both";

static assay_dtype_t dtype_of(uint8_t width) {
    return width == STEP_8_BIT ? ASSAY_DT_FP8 : width == STEP_4_BIT ? ASSAY_DT_FP4 : ASSAY_DT_N;
}

static bool add_row(assay_calibrate_t *io, assay_calibrate_row_t row) {
    if (!row.scope) {
        return false;
    }
    row.p10 = fmin(row.p10, row.value);
    row.p90 = fmax(row.p90, row.value);
    io->row[io->n_row++] = row;
    return true;
}

/* The constants of one scope. host: only where there is something of it to say. */
static bool add_constants(const training_study_t *study, assay_calibrate_t *io, const char *scope,
                          const char *software, const char *arch, const uint32_t at[3],
                          assay_dtype_t dtype, assay_basis_t basis, uint32_t rows,
                          const char *method) {
    const step_model_t model = {study->node, study->n_node, study->x};
    double constant[STEP_FIT_N];
    step_constants(&model, software, arch, at, constant);
    for (int id = 0; id < STEP_FIT_N; id++) {
        const bool silent = id == STEP_HOST && software && step_is_tuned(software);
        if (!silent &&
            !add_row(io, (assay_calibrate_row_t){.scope = scope,
                                                 .dtype = dtype,
                                                 .constant = step_constant_id((step_fit_id_t)id),
                                                 .value = constant[id],
                                                 .p10 = constant[id],
                                                 .p90 = constant[id],
                                                 .basis = basis,
                                                 .rows = rows,
                                                 .method = method})) {
            return false;
        }
    }
    return true;
}

static bool is_first_of_part(const training_study_t *study, uint32_t row, uint32_t node,
                             int level) {
    for (uint32_t i = 0; i < row; i++) {
        if (study->row[i].at[level] == node && study->row[i].part == study->row[row].part) {
            return false;
        }
    }
    return study->row[row].at[level] == node;
}

/* An architecture's constants stand for it and for each of its parts that was measured. */
static bool add_node(assay_arena_t *arena, const training_study_t *study, uint32_t at,
                     assay_calibrate_t *io) {
    const step_node_t *node = &study->node[at];
    const int level = node->level;
    const bool own = level == STEP_LEVEL_BOTH;
    uint32_t nodes[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    if (level == STEP_LEVEL_ARCH && node->software) {
        return true; /* of scripts: nobody else's */
    }
    if (own && node->rows < TRAINING_LEAST_ROWS) {
        return true;
    }
    for (uint32_t i = 0; i < study->n && own; i++) {
        if (study->row[i].at[level] == at) {
            memcpy(nodes, study->row[i].at, sizeof nodes);
        }
    }
    nodes[level] = at;
    const char *scope = level == STEP_LEVEL_SOFTWARE ? node->software
                        : own ? assay_arena_printf(arena, "%s/%s", node->software, node->arch)
                              : node->arch;
    if (!add_constants(study, io, scope, node->software, node->arch, nodes,
                       level == STEP_LEVEL_SOFTWARE ? ASSAY_DT_N : dtype_of(node->width),
                       level == STEP_LEVEL_SOFTWARE ? ASSAY_BASIS_TRANSFERRED
                                                    : ASSAY_BASIS_CALIBRATED,
                       node->rows, fitted)) {
        return false;
    }
    for (uint32_t i = 0; i < study->n && level != STEP_LEVEL_SOFTWARE; i++) {
        if (!is_first_of_part(study, i, at, level)) {
            continue;
        }
        const char *id = study->row[i].part->id;
        const char *part = own ? assay_arena_printf(arena, "%s/%s", node->software, id) : id;
        if (!add_constants(study, io, part, node->software, node->arch, nodes,
                           dtype_of(node->width), ASSAY_BASIS_CALIBRATED, node->rows, fitted)) {
            return false;
        }
    }
    return true;
}

/* ---- intervals ---- */

/* Rows whose layout is as open
   as asked; node UINT32_MAX: of all groups. 0: no rows. */
static double sigma_of(const training_study_t *study, training_left_t left, bool open,
                       uint32_t node, double *scratch) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < study->n; i++) {
        if (study->row[i].open == open &&
            (node == UINT32_MAX || study->row[i].at[STEP_LEVEL_BOTH] == node)) {
            scratch[n++] = fabs(study->ln[left][i]);
        }
    }
    return n > 0 ? calibrate_quantile(scratch, n, 0.8) / INTERVAL : 0;
}

/* Each architecture left out counts the same, however many rows it has: the mean of their own. */
static double sigma_of_architectures(const training_study_t *study, double *scratch) {
    double sum = 0;
    uint32_t n_arch = 0;
    for (uint32_t first = 0; first < study->n; first++) {
        const char *arch = study->row[first].part->arch;
        uint32_t n = 0;
        bool seen = study->row[first].open;
        for (uint32_t i = 0; i < study->n && !seen; i++) {
            if (!study->row[i].open && strcmp(study->row[i].part->arch, arch) == 0) {
                seen = i < first;
                scratch[n++] = fabs(study->ln[TRAINING_LEFT_ARCH][i]);
            }
        }
        if (!seen) {
            sum += calibrate_quantile(scratch, n, 0.8) / INTERVAL;
            n_arch++;
        }
    }
    return n_arch > 0 ? sum / n_arch : 0;
}

/* Of a software on an architecture, drawn towards that of all groups. */
static double sigma_of_group(const training_study_t *study, uint32_t at, double of_models,
                             double *scratch) {
    const double rows = study->node[at].rows;
    const double own = sigma_of(study, TRAINING_LEFT_MODEL, false, at, scratch);
    return (rows * own + SPREAD_PRIOR * of_models) / (rows + SPREAD_PRIOR);
}

/* What an open layout scatters besides. */
static double sigma_besides(const training_study_t *study, double of_models, double *scratch) {
    const double open = sigma_of(study, TRAINING_LEFT_MODEL, true, UINT32_MAX, scratch);
    return sqrt(fmax(0, open * open - of_models * of_models));
}

/* The width that each row's interval has, or would have without what is left out. */
static void sigmas_of_rows(const training_study_t *study, training_left_t left, double *scratch,
                           double *out) {
    const double of_models = sigma_of(study, TRAINING_LEFT_MODEL, false, UINT32_MAX, scratch);
    const double besides = sigma_besides(study, of_models, scratch);
    const double unknown = left == TRAINING_LEFT_ARCH
                               ? sigma_of_architectures(study, scratch)
                               : sigma_of(study, TRAINING_LEFT_SOURCE, false, UINT32_MAX, scratch);
    double of_node[TRAINING_NODES] = {0};
    for (uint32_t at = 0; at < study->n_node; at++) {
        of_node[at] = study->node[at].level == STEP_LEVEL_BOTH
                          ? sigma_of_group(study, at, of_models, scratch)
                          : unknown;
    }
    for (uint32_t i = 0; i < study->n; i++) {
        const uint32_t at = study->row[i].at[STEP_LEVEL_BOTH];
        const bool known = left <= TRAINING_LEFT_MODEL && at != UINT32_MAX;
        out[i] = hypot(known ? of_node[at] : unknown, study->row[i].open ? besides : 0);
    }
}

static bool add_sigma(assay_calibrate_t *io, const char *scope, assay_dtype_t dtype,
                      assay_calib_id_t constant, double sigma, uint32_t rows, const char *method) {
    return add_row(io, (assay_calibrate_row_t){.scope = scope,
                                               .dtype = dtype,
                                               .constant = constant,
                                               .value = sigma,
                                               .p10 = sigma,
                                               .p90 = sigma,
                                               .basis = ASSAY_BASIS_CALIBRATED,
                                               .rows = rows,
                                               .method = method});
}

/* Of a known software on a known part what models that were left out scatter; where the software is
   not known what sources do, where the part is not what architectures do. */
static bool add_sigmas(assay_arena_t *arena, const training_study_t *study, assay_calibrate_t *io) {
    double *scratch = assay_arena_array(arena, study->n + 1, sizeof *scratch);
    if (!scratch) {
        return false;
    }
    const double of_models = sigma_of(study, TRAINING_LEFT_MODEL, false, UINT32_MAX, scratch);
    const double of_sources = sigma_of(study, TRAINING_LEFT_SOURCE, false, UINT32_MAX, scratch);
    const double of_archs = fmax(of_sources, sigma_of_architectures(study, scratch));
    const double besides = sigma_besides(study, of_models, scratch);
    const double wide = sqrt(of_archs * of_archs + UNKNOWN_KERNELS * UNKNOWN_KERNELS);
    static const char of_group[] =
        "80 % quantile of |ln(measured/predicted)| over 1.28, each model "
        "predicted from the others; drawn towards that of all groups";
    static const char by_source[] = "80 % quantile of |ln(measured/predicted)| over 1.28, each row "
                                    "predicted without its source";
    static const char by_arch[] =
        "the same without its architecture, the mean of architectures, if "
        "that is more";
    static const char unknown[] =
        "without its architecture, and .25 for kernels that nobody measured, a design default";
    static const char searched[] =
        "what rows whose layout is open scatter beyond those that give it, each model predicted "
        "from the others";
    bool done =
        add_sigma(io, "*", ASSAY_DT_N, ASSAY_CALIB_STEP_SIGMA_OPEN, besides, study->n, searched) &&
        add_sigma(io, "measured", ASSAY_DT_N, ASSAY_CALIB_STEP_SIGMA, of_sources, study->n,
                  by_source) &&
        add_sigma(io, "calibrated", ASSAY_DT_N, ASSAY_CALIB_STEP_SIGMA, of_sources, study->n,
                  by_source) &&
        add_sigma(io, "transferred", ASSAY_DT_N, ASSAY_CALIB_STEP_SIGMA, of_archs, study->n,
                  by_arch) &&
        add_sigma(io, "extrapolated", ASSAY_DT_N, ASSAY_CALIB_STEP_SIGMA, wide, study->n,
                  unknown) &&
        add_sigma(io, "*", ASSAY_DT_N, ASSAY_CALIB_STEP_SIGMA, wide, study->n, unknown);
    for (uint32_t at = 0; at < study->n_node && done; at++) {
        const step_node_t *node = &study->node[at];
        if (node->level != STEP_LEVEL_BOTH || node->rows < TRAINING_LEAST_ROWS) {
            continue;
        }
        const double sigma = sigma_of_group(study, at, of_models, scratch);
        for (uint32_t i = 0; i < study->n && done; i++) {
            if (is_first_of_part(study, i, at, STEP_LEVEL_BOTH)) {
                done = add_sigma(
                    io, assay_arena_printf(arena, "%s/%s", node->software, study->row[i].part->id),
                    dtype_of(node->width), ASSAY_CALIB_STEP_SIGMA, sigma, node->rows, of_group);
            }
        }
    }
    return done;
}

/* ---- errors ---- */

/* source NULL: of all rows. */
static void add_error(const training_study_t *study, training_left_t left, const char *source,
                      const char *part, const double *sigma, double *scratch,
                      assay_calibrate_t *io) {
    assay_calibrate_error_t *error = &io->error[io->n_error++];
    *error = (assay_calibrate_error_t){.left_out = left_name[left],
                                       .engine = source ? source : "all",
                                       .accelerator = part ? part : "all"};
    static const double nothing[STEP_FIT_N];
    for (int roofline = 1; roofline >= 0; roofline--) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < study->n; i++) {
            step_row_t *row = &study->row[i];
            if ((!source || strcmp(source, row->source) == 0) &&
                (!part || strcmp(part, row->part->id) == 0)) {
                const double ln = roofline ? step_error(row, nothing) : study->ln[left][i];
                error->coverage += !roofline && fabs(ln) <= INTERVAL * sigma[i];
                scratch[n++] = fabs(assay_det_exp(-ln) - 1); /* of the rate, as score has it */
            }
        }
        error->rows = n;
        if (roofline) {
            error->roofline_median = calibrate_quantile(scratch, n, 0.5);
        } else {
            error->median = calibrate_quantile(scratch, n, 0.5);
            error->p90 = calibrate_quantile(scratch, n, 0.9);
            error->coverage /= n;
        }
    }
}

/* Mean over the sources, so that one that published much does not decide. */
static void add_macro(assay_calibrate_t *io, training_left_t left, uint32_t first) {
    assay_calibrate_error_t mean = {
        .left_out = left_name[left], .engine = "mean of sources", .accelerator = "all"};
    uint32_t n = 0;
    for (uint32_t i = first; i < io->n_error; i++) {
        const assay_calibrate_error_t *error = &io->error[i];
        if (strcmp(error->accelerator, "all") == 0 && strcmp(error->engine, "all") != 0) {
            mean.rows += error->rows;
            mean.median += error->median;
            mean.p90 += error->p90;
            mean.coverage += error->coverage;
            mean.roofline_median += error->roofline_median;
            n++;
        }
    }
    mean.median /= n;
    mean.p90 /= n;
    mean.coverage /= n;
    mean.roofline_median /= n;
    io->error[io->n_error++] = mean;
}

/* scratch: (n + 1), sigma: (n). */
static void add_errors(const training_study_t *study, double *scratch, double *sigma,
                       assay_calibrate_t *io) {
    for (training_left_t left = 0; left < TRAINING_LEFT_N; left++) {
        const uint32_t first = io->n_error;
        sigmas_of_rows(study, left, scratch, sigma);
        add_error(study, left, NULL, NULL, sigma, scratch, io);
        for (uint32_t i = 0; i < study->n; i++) {
            bool seen = false;
            for (uint32_t j = 0; j < i && !seen; j++) {
                seen = strcmp(study->row[i].source, study->row[j].source) == 0;
            }
            if (!seen) {
                add_error(study, left, study->row[i].source, NULL, sigma, scratch, io);
            }
        }
        add_macro(io, left, first);
    }
}

assay_status_t training_write_out(assay_arena_t *arena, const training_study_t *study,
                                  assay_calibrate_t *out, assay_error_t *err) {
    static const uint32_t none[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    /* a node, and each part of one, has STEP_FIT_N constants and a sigma */
    const size_t rows = ((size_t)study->n_node * 2 + study->n) * (STEP_FIT_N + 1) + 16;
    double *scratch = assay_arena_array(arena, study->n + 1, sizeof *scratch);
    double *sigma = assay_arena_array(arena, study->n + 1, sizeof *sigma);
    out->row = assay_arena_array(arena, rows, sizeof *out->row);
    out->error =
        assay_arena_array(arena, (size_t)TRAINING_LEFT_N * (study->n + 3), sizeof *out->error);
    bool memory =
        scratch && sigma && out->row && out->error &&
        add_constants(study, out, "*", NULL, NULL, none, ASSAY_DT_N, ASSAY_BASIS_EXTRAPOLATED,
                      study->n, "prior that all architectures and software are drawn to");
    for (uint32_t at = 0; at < study->n_node && memory; at++) {
        memory = add_node(arena, study, at, out);
    }
    if (!memory || !add_sigmas(arena, study, out)) {
        return assay_error_memory(err, NULL);
    }
    add_errors(study, scratch, sigma, out);
    return ASSAY_OK;
}
