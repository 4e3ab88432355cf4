/* Constants of training: reads measured steps, settles their layouts, fits (step_fit.h), and fits
   again without one source, architecture or model after the other, to tell what a prediction can
   expect. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/calibrate.h"
#include "assay/dist.h"
#include "assay/pool.h"
#include "base/det_math.h"
#include "score/step_fit.h"

#include "base/banned.h"

#define MAX_NODES 256
#define MAX_TASKS 512
#define LEAST_ROWS 3 /* of a software on an architecture: fewer derive nothing of their own */
#define OTHER "other"
#define SCRATCH_BYTES ((size_t)64 << 20)
#define SEARCH_BYTES ((size_t)256 << 20)
/* A part without measured kernels differs by this besides (a design default, one sigma). */
#define UNKNOWN_KERNELS 0.25
/* 80 % of a normal distribution lie within so many standard deviations. */
#define INTERVAL 1.28
/* Rows of all groups that a group's own spread is weighed against. */
#define SPREAD_PRIOR 5.0

typedef enum { LEFT_NOTHING, LEFT_MODEL, LEFT_SOURCE, LEFT_ARCH, LEFT_N } left_t;
static const char *const left_name[LEFT_N] = {
    [LEFT_NOTHING] = "nothing",
    [LEFT_MODEL] = "model",
    [LEFT_SOURCE] = "source",
    [LEFT_ARCH] = "architecture",
};

typedef struct {
    step_row_t *row;
    const char **model; /* (n) */
    uint32_t n;
    step_node_t node[MAX_NODES];
    uint32_t n_node;
    double *x;          /* (n_node x STEP_FIT_N) of everything */
    double *ln[LEFT_N]; /* (n) errors; without what the row shares with those left out */
    struct {
        left_t left;
        const char *key;
    } task[MAX_TASKS];
    uint32_t n_task;
} study_t;

/* ---- rows ---- */

static const char *key_of(const study_t *study, uint32_t row, left_t left) {
    switch (left) {
    case LEFT_MODEL:
        return study->model[row];
    case LEFT_SOURCE:
        return study->row[row].source;
    default:
        return study->row[row].part->arch;
    }
}

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The node of that level, made where it is new; MAX_NODES when there are too many. */
static uint32_t node_of(study_t *study, step_node_t node) {
    for (uint32_t i = 0; i < study->n_node; i++) {
        const step_node_t *at = &study->node[i];
        if (at->level == node.level && at->width == node.width && same(at->arch, node.arch) &&
            same(at->software, node.software)) {
            study->node[i].rows++;
            return i;
        }
    }
    if (study->n_node < MAX_NODES) {
        node.rows = 1;
        study->node[study->n_node++] = node;
        return study->n_node - 1;
    }
    return MAX_NODES;
}

static bool place(study_t *study, step_row_t *row) {
    const uint8_t width = (uint8_t)step_class(row->work.dtype);
    const char *arch = row->part->arch, *software = row->software;
    row->at[STEP_LEVEL_ARCH] =
        node_of(study, (step_node_t){.level = STEP_LEVEL_ARCH,
                                     .width = width,
                                     .arch = arch,
                                     .software = step_is_tuned(software) ? NULL : software});
    row->at[STEP_LEVEL_SOFTWARE] =
        node_of(study, (step_node_t){.level = STEP_LEVEL_SOFTWARE, .software = software});
    row->at[STEP_LEVEL_BOTH] = node_of(
        study, (step_node_t){
                   .level = STEP_LEVEL_BOTH, .width = width, .arch = arch, .software = software});
    return row->at[0] < MAX_NODES && row->at[1] < MAX_NODES && row->at[2] < MAX_NODES;
}

/* A row that is predicted and measured; its layout is the row's own, or the search's. */
static bool read_row(const score_context_t *context, const assay_csv_t *data,
                     const score_columns_t *columns, uint32_t index, assay_arena_t *search,
                     step_row_t *out) {
    score_row_t text;
    score_measured_t measured;
    score_case_t of = {0};
    score_skip_t skip = {0};
    assay_estimate_t estimate;
    assay_score_item_t item = {0};
    assay_arena_reset(search);
    score_row_read(data, columns, index, &text);
    if (!score_case_make(context, &text, &of, &skip) ||
        !score_predict(search, &of, &estimate, &skip)) {
        return false;
    }
    score_measured_read(data, columns, index, &measured);
    if (!score_join(context, &text, &measured, &of, &estimate, &item, &skip)) {
        return false;
    }
    *out = (step_row_t){
        .machine = of.machine,
        .work = of.work,
        .layout = estimate.layout,
        .part = of.machine.accelerator,
        .software = of.software ? of.software : OTHER,
        .open = of.searched,
        .measured_s =
            estimate.step_s * item.predicted_tokens_per_s_per_device / item.tokens_per_s_per_device,
    };
    return true;
}

/* A publication of many rows speaks louder than one of few, but not by as much: their errors have
   much in common. */
static void weigh(study_t *study) {
    for (uint32_t i = 0; i < study->n; i++) {
        uint32_t rows = 0;
        for (uint32_t j = 0; j < study->n; j++) {
            rows += strcmp(study->row[i].source, study->row[j].source) == 0;
        }
        study->row[i].weight = fmin(1, 4 / sqrt(rows));
    }
}

static assay_status_t read_rows(assay_arena_t *arena, const score_context_t *context,
                                const assay_csv_t *data, const score_columns_t *columns,
                                study_t *out, assay_error_t *err) {
    assay_arena_t *search = assay_arena_create(SEARCH_BYTES);
    const int id = columns->column[SCORE_COLUMN_ID], model = columns->column[SCORE_COLUMN_MODEL];
    assay_status_t status = ASSAY_OK;
    out->row = assay_arena_array(arena, data->n_rows, sizeof *out->row);
    out->model = assay_arena_array(arena, data->n_rows, sizeof *out->model);
    if (!search || !out->row || !out->model) {
        status = assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < data->n_rows && !status; i++) {
        step_row_t *row = &out->row[out->n];
        const char *name = assay_csv_cell(data, i, id);
        if (!read_row(context, data, columns, i, search, row)) {
            continue;
        }
        row->source = assay_arena_strndup(arena, name, strcspn(name, "-"));
        out->model[out->n++] = assay_csv_cell(data, i, model);
        if (!row->source) {
            status = assay_error_memory(err, NULL);
        } else if (!place(out, row)) {
            status =
                assay_error_set(err, ASSAY_LIMIT, NULL, "more than %u groups of rows", MAX_NODES);
        }
    }
    assay_arena_destroy(search);
    for (uint32_t i = 0; i < out->n; i++) {
        uint32_t *both = &out->row[i].at[STEP_LEVEL_BOTH];
        if (out->node[*both].rows < LEAST_ROWS) {
            *both = UINT32_MAX;
        }
    }
    weigh(out);
    return status;
}

/* ---- fits ---- */

static double error_of(const study_t *study, const double *x, step_row_t *row) {
    const step_model_t model = {study->node, study->n_node, (double *)x};
    double constant[STEP_FIT_N];
    step_constants(&model, row->software, row->part->arch, row->at, constant);
    return step_error(row, constant);
}

/* Fits without the rows of a key, predicts these. Works on copies: rows are shared by threads. */
static void run_task(void *ctx, size_t index, uint32_t worker) {
    study_t *study = ctx;
    const left_t left = study->task[index].left;
    const char *key = study->task[index].key;
    const size_t n_x = (size_t)study->n_node * STEP_FIT_N;
    assay_arena_t *arena = assay_arena_create(SCRATCH_BYTES);
    (void)worker;
    double *x = arena ? assay_arena_array(arena, n_x, sizeof *x) : NULL;
    bool *use = x ? assay_arena_array(arena, study->n, sizeof *use) : NULL;
    step_row_t *row = use ? assay_arena_array(arena, study->n, sizeof *row) : NULL;
    if (row) {
        memcpy(row, study->row, study->n * sizeof *row);
        memcpy(x, study->x, n_x * sizeof *x);
        for (uint32_t i = 0; i < study->n; i++) {
            use[i] = strcmp(key_of(study, i, left), key) != 0;
        }
        step_model_t model = {study->node, study->n_node, x};
        const bool fitted = step_fit(arena, row, study->n, use, &model);
        for (uint32_t i = 0; i < study->n && fitted; i++) {
            if (!use[i]) {
                study->ln[left][i] = error_of(study, x, &row[i]);
            }
        }
    }
    assay_arena_destroy(arena); /* without memory errors stay NAN, and the fit says so */
}

static assay_status_t add_tasks(study_t *study, assay_error_t *err) {
    for (left_t left = LEFT_MODEL; left < LEFT_N; left++) {
        const uint32_t first = study->n_task;
        for (uint32_t i = 0; i < study->n; i++) {
            const char *key = key_of(study, i, left);
            uint32_t at = first;
            while (at < study->n_task && strcmp(study->task[at].key, key) != 0) {
                at++;
            }
            if (at == MAX_TASKS) {
                return assay_error_set(err, ASSAY_LIMIT, NULL, "more than %u groups to leave out",
                                       MAX_TASKS);
            }
            if (at == study->n_task) {
                study->task[at].left = left;
                study->task[study->n_task++].key = key;
            }
        }
    }
    return ASSAY_OK;
}

static assay_status_t fit_all(assay_arena_t *arena, study_t *study, const assay_hooks_t *hooks,
                              assay_error_t *err) {
    const size_t n_x = (size_t)study->n_node * STEP_FIT_N;
    bool *use = assay_arena_array(arena, study->n + 1, sizeof *use);
    study->x = assay_arena_array(arena, n_x + 1, sizeof *study->x);
    bool memory = use && study->x;
    for (int left = 0; left < LEFT_N && memory; left++) {
        study->ln[left] = assay_arena_array(arena, study->n + 1, sizeof *study->ln[left]);
        memory = study->ln[left] != NULL;
    }
    if (!memory) {
        return assay_error_memory(err, NULL);
    }
    memset(study->x, 0, n_x * sizeof *study->x);
    for (uint32_t i = 0; i < study->n; i++) {
        use[i] = true;
        for (int left = 0; left < LEFT_N; left++) {
            study->ln[left][i] = (double)NAN;
        }
    }
    step_model_t model = {study->node, study->n_node, study->x};
    if (!step_fit(arena, study->row, study->n, use, &model)) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < study->n; i++) {
        study->ln[LEFT_NOTHING][i] = error_of(study, study->x, &study->row[i]);
    }
    assay_status_t status = add_tasks(study, err);
    if (status) {
        return status;
    }
    status = assay_pool_for(assay_pool_threads(), study->n_task, run_task, study, hooks);
    if (status) {
        return assay_error_set(err, status, NULL, "calibration was stopped");
    }
    for (uint32_t i = 0; i < study->n; i++) {
        for (int left = 0; left < LEFT_N; left++) {
            if (isnan(study->ln[left][i])) {
                return assay_error_memory(err, NULL);
            }
        }
    }
    return ASSAY_OK;
}

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
static bool add_constants(const study_t *study, assay_calibrate_t *io, const char *scope,
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

static bool is_first_of_part(const study_t *study, uint32_t row, uint32_t node, int level) {
    for (uint32_t i = 0; i < row; i++) {
        if (study->row[i].at[level] == node && study->row[i].part == study->row[row].part) {
            return false;
        }
    }
    return study->row[row].at[level] == node;
}

/* An architecture's constants stand for it and for each of its parts that was measured. */
static bool add_node(assay_arena_t *arena, const study_t *study, uint32_t at,
                     assay_calibrate_t *io) {
    const step_node_t *node = &study->node[at];
    const int level = node->level;
    const bool own = level == STEP_LEVEL_BOTH;
    uint32_t nodes[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    if (level == STEP_LEVEL_ARCH && node->software) {
        return true; /* of scripts: nobody else's */
    }
    if (own && node->rows < LEAST_ROWS) {
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

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *value, uint32_t n, double share) {
    qsort(value, n, sizeof *value, compare_doubles);
    const assay_dist_t dist = {.kind = ASSAY_DIST_EMPIRICAL, .sample = value, .n = n};
    return assay_dist_quantile(&dist, share);
}

/* Rows whose layout is as open
   as asked; node UINT32_MAX: of all groups. 0: no rows. */
static double sigma_of(const study_t *study, left_t left, bool open, uint32_t node,
                       double *scratch) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < study->n; i++) {
        if (study->row[i].open == open &&
            (node == UINT32_MAX || study->row[i].at[STEP_LEVEL_BOTH] == node)) {
            scratch[n++] = fabs(study->ln[left][i]);
        }
    }
    return n > 0 ? quantile(scratch, n, 0.8) / INTERVAL : 0;
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
static bool add_sigmas(assay_arena_t *arena, const study_t *study, assay_calibrate_t *io) {
    double *scratch = assay_arena_array(arena, study->n + 1, sizeof *scratch);
    if (!scratch) {
        return false;
    }
    const double of_models = sigma_of(study, LEFT_MODEL, false, UINT32_MAX, scratch);
    const double of_sources = sigma_of(study, LEFT_SOURCE, false, UINT32_MAX, scratch);
    const double of_archs =
        fmax(of_sources, sigma_of(study, LEFT_ARCH, false, UINT32_MAX, scratch));
    const double open = sigma_of(study, LEFT_MODEL, true, UINT32_MAX, scratch);
    const double besides = sqrt(fmax(0, open * open - of_models * of_models));
    const double wide = sqrt(of_archs * of_archs + UNKNOWN_KERNELS * UNKNOWN_KERNELS);
    static const char of_group[] =
        "80 % quantile of |ln(measured/predicted)| over 1.28, each model "
        "predicted from the others; drawn towards that of all groups";
    static const char by_source[] = "80 % quantile of |ln(measured/predicted)| over 1.28, each row "
                                    "predicted without its source";
    static const char by_arch[] = "the same without its architecture, if that is more";
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
        if (node->level != STEP_LEVEL_BOTH || node->rows < LEAST_ROWS) {
            continue;
        }
        const double own = sigma_of(study, LEFT_MODEL, false, at, scratch);
        const double sigma =
            (node->rows * own + SPREAD_PRIOR * of_models) / (node->rows + SPREAD_PRIOR);
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
static void add_error(const study_t *study, left_t left, const char *source, const char *part,
                      double sigma, double *scratch, assay_calibrate_t *io) {
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
                error->coverage += !roofline && fabs(ln) <= INTERVAL * sigma;
                scratch[n++] = fabs(assay_det_exp(-ln) - 1); /* of the rate, as score has it */
            }
        }
        error->rows = n;
        if (roofline) {
            error->roofline_median = quantile(scratch, n, 0.5);
        } else {
            error->median = quantile(scratch, n, 0.5);
            error->p90 = quantile(scratch, n, 0.9);
            error->coverage /= n;
        }
    }
}

/* Mean over the sources, so that one that published much does not decide. */
static void add_macro(assay_calibrate_t *io, left_t left, uint32_t first) {
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

static void add_errors(const study_t *study, double *scratch, assay_calibrate_t *io) {
    for (left_t left = 0; left < LEFT_N; left++) {
        const uint32_t first = io->n_error;
        const double sigma =
            sigma_of(study, left == LEFT_NOTHING ? LEFT_MODEL : left, false, UINT32_MAX, scratch);
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

static assay_status_t write_out(assay_arena_t *arena, const study_t *study, assay_calibrate_t *out,
                                assay_error_t *err) {
    static const uint32_t none[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    /* a node, and each part of one, has STEP_FIT_N constants and a sigma */
    const size_t rows = ((size_t)study->n_node * 2 + study->n) * (STEP_FIT_N + 1) + 16;
    double *scratch = assay_arena_array(arena, study->n + 1, sizeof *scratch);
    out->row = assay_arena_array(arena, rows, sizeof *out->row);
    out->error = assay_arena_array(arena, (size_t)LEFT_N * (study->n + 3), sizeof *out->error);
    bool memory =
        scratch && out->row && out->error &&
        add_constants(study, out, "*", NULL, NULL, none, ASSAY_DT_N, ASSAY_BASIS_EXTRAPOLATED,
                      study->n, "prior that all architectures and software are drawn to");
    for (uint32_t at = 0; at < study->n_node && memory; at++) {
        memory = add_node(arena, study, at, out);
    }
    if (!memory || !add_sigmas(arena, study, out)) {
        return assay_error_memory(err, NULL);
    }
    add_errors(study, scratch, out);
    return ASSAY_OK;
}

assay_status_t assay_calibrate_training(assay_arena_t *arena, const assay_catalog_t *catalog,
                                        const assay_calibration_t *calibration,
                                        const assay_csv_t *data, const assay_hooks_t *hooks,
                                        assay_calibrate_t **out, assay_error_t *err) {
    score_context_t context = {.catalog = catalog, .calibration = calibration};
    score_columns_t columns;
    assay_calibrate_t *calibrate = assay_arena_alloc(arena, sizeof *calibrate);
    study_t *study = assay_arena_alloc(arena, sizeof *study);
    if (!calibrate || !study) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = score_columns_find(data, &columns, err);
    if (status ||
        (status = score_rules_load(arena, catalog, SCORE_TRAINING_RULES, &context.rules, err)) ||
        (status = read_rows(arena, &context, data, &columns, study, err))) {
        return status;
    }
    if (study->n == 0) {
        const assay_place_t at = {data->file, 1, 0};
        return assay_error_set(err, ASSAY_INPUT, &at, "no row of the table can be predicted");
    }
    if ((status = fit_all(arena, study, hooks, err)) ||
        (status = write_out(arena, study, calibrate, err))) {
        return status;
    }
    calibrate->file = data->file;
    *out = calibrate;
    return ASSAY_OK;
}

assay_status_t assay_calibrate(assay_arena_t *arena, const assay_catalog_t *catalog,
                               const assay_calibration_t *calibration, const assay_csv_t *data,
                               const assay_hooks_t *hooks, assay_calibrate_t **out,
                               assay_error_t *err) {
    score_columns_t columns;
    const assay_status_t status = score_columns_find(data, &columns, err);
    if (status) {
        return status;
    }
    return score_is_serving(&columns)
               ? assay_calibrate_serving(arena, catalog, calibration, data, hooks, out, err)
               : assay_calibrate_training(arena, catalog, calibration, data, hooks, out, err);
}
