/* Constants of training: reads measured steps, settles their layouts, fits (step_fit.h), and fits
   again without one source, architecture or model after the other, to tell what a prediction can
   expect. */
#include <math.h>
#include <string.h>

#include "assay/calibrate.h"
#include "assay/pool.h"
#include "score/calibrate_training.h"

#include "base/banned.h"

#define OTHER "other"
/* Fits with open layouts searched in between; after these few change, and little. */
#define ROUNDS 3
#define SCRATCH_BYTES ((size_t)64 << 20)
#define SEARCH_BYTES ((size_t)256 << 20)

/* ---- rows ---- */

static const char *key_of(const training_study_t *study, uint32_t row, training_left_t left) {
    switch (left) {
    case TRAINING_LEFT_MODEL:
        return study->model[row];
    case TRAINING_LEFT_SOURCE:
        return study->row[row].source;
    default:
        return study->row[row].part->arch;
    }
}

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The node of that level, made where it is new; TRAINING_NODES when there are too many. */
static uint32_t node_of(training_study_t *study, step_node_t node) {
    for (uint32_t i = 0; i < study->n_node; i++) {
        const step_node_t *at = &study->node[i];
        if (at->level == node.level && at->width == node.width && same(at->arch, node.arch) &&
            same(at->software, node.software)) {
            study->node[i].rows++;
            return i;
        }
    }
    if (study->n_node < TRAINING_NODES) {
        node.rows = 1;
        study->node[study->n_node++] = node;
        return study->n_node - 1;
    }
    return TRAINING_NODES;
}

static bool place(training_study_t *study, step_row_t *row) {
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
    return row->at[0] < TRAINING_NODES && row->at[1] < TRAINING_NODES &&
           row->at[2] < TRAINING_NODES;
}

/* What a row leaves open of its layout is searched with the priors first: a fit depends on the rows
   alone, not on the constants that an earlier one left in the calibration. */
static void set_priors(const char *software, score_case_t *io) {
    static const uint32_t none[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    double constant[STEP_FIT_N];
    step_constants(NULL, software, io->machine.accelerator->arch, none, constant);
    step_constants_set(constant, io->work.dtype, &io->machine.device);
}

/* A row that is predicted and measured; its layout is the row's own, or the search's. */
static bool read_row(const score_context_t *context, const assay_csv_t *data,
                     const score_columns_t *columns, uint32_t index, assay_arena_t *keep,
                     assay_arena_t *search, step_row_t *out) {
    score_row_t text;
    score_measured_t measured;
    score_case_t of = {0};
    score_skip_t skip = {0};
    assay_estimate_t estimate;
    assay_score_item_t item = {0};
    assay_arena_reset(search);
    score_row_read(data, columns, index, &text);
    if (!score_case_make(keep, context, &text, &of, &skip)) {
        return false;
    }
    const char *software = of.software ? of.software : OTHER;
    set_priors(software, &of);
    if (!score_predict(search, &of, &estimate, &skip)) {
        return false;
    }
    score_measured_read(data, columns, index, &measured);
    if (!score_join(context, &text, &measured, &of, &estimate, &item, &skip)) {
        return false;
    }
    *out = (step_row_t){
        .machine = of.machine,
        .work = of.work,
        .pin = of.pin,
        .layout = estimate.layout,
        .part = of.machine.accelerator,
        .software = software,
        .open = of.searched,
        .measured_s =
            estimate.step_s * item.predicted_tokens_per_s_per_device / item.tokens_per_s_per_device,
    };
    return true;
}

/* A publication of many rows speaks louder than one of few, but not by as much: their errors have
   much in common. */
static void weigh(training_study_t *study) {
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
                                training_study_t *out, assay_error_t *err) {
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
        if (!read_row(context, data, columns, i, arena, search, row)) {
            continue;
        }
        row->source = assay_arena_strndup(arena, name, strcspn(name, "-"));
        out->model[out->n++] = assay_csv_cell(data, i, model);
        if (!row->source) {
            status = assay_error_memory(err, NULL);
        } else if (!place(out, row)) {
            status = assay_error_set(err, ASSAY_LIMIT, NULL, "more than %u groups of rows",
                                     TRAINING_NODES);
        }
    }
    assay_arena_destroy(search);
    for (uint32_t i = 0; i < out->n; i++) {
        uint32_t *both = &out->row[i].at[STEP_LEVEL_BOTH];
        if (out->node[*both].rows < TRAINING_LEAST_ROWS) {
            *both = UINT32_MAX;
        }
    }
    weigh(out);
    return status;
}

/* ---- fits ---- */

static double error_of(const training_study_t *study, const double *x, step_row_t *row) {
    const step_model_t model = {study->node, study->n_node, (double *)x};
    double constant[STEP_FIT_N];
    step_constants(&model, row->software, row->part->arch, row->at, constant);
    return step_error(row, constant);
}

/* Searches again, with the fitted constants, for what a row leaves open. */
static void search_row(void *ctx, size_t index, uint32_t worker) {
    training_study_t *study = ctx;
    step_row_t *row = &study->row[index];
    score_case_t of = {
        .machine = row->machine, .work = row->work, .pin = row->pin, .searched = row->open};
    const step_model_t model = {study->node, study->n_node, study->x};
    double constant[STEP_FIT_N];
    assay_estimate_t estimate;
    score_skip_t skip;
    assay_arena_t *arena = assay_arena_create(SEARCH_BYTES);
    (void)worker;
    step_constants(&model, row->software, row->part->arch, row->at, constant);
    step_constants_set(constant, row->work.dtype, &of.machine.device);
    if (arena && score_predict(arena, &of, &estimate, &skip)) {
        row->layout = estimate.layout; /* without memory the one before stays */
    }
    assay_arena_destroy(arena);
}

/* Layouts that rows leave open and constants depend on each other: one after the other. */
static assay_status_t fit_layouts(assay_arena_t *arena, training_study_t *study, const bool *use,
                                  const assay_hooks_t *hooks, assay_error_t *err) {
    step_model_t model = {study->node, study->n_node, study->x};
    for (int round = 0; round < ROUNDS; round++) {
        if (!step_fit(arena, study->row, study->n, use, &model)) {
            return assay_error_memory(err, NULL);
        }
        const assay_status_t status =
            assay_pool_for(assay_pool_threads(), study->n, search_row, study, hooks);
        if (status) {
            return assay_error_set(err, status, NULL, "calibration was stopped");
        }
    }
    return step_fit(arena, study->row, study->n, use, &model) ? ASSAY_OK
                                                              : assay_error_memory(err, NULL);
}

/* Fits without the rows of a key, predicts these. Works on copies: rows are shared by threads. */
static void run_task(void *ctx, size_t index, uint32_t worker) {
    training_study_t *study = ctx;
    const training_left_t left = study->task[index].left;
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

static assay_status_t add_tasks(training_study_t *study, assay_error_t *err) {
    for (training_left_t left = TRAINING_LEFT_MODEL; left < TRAINING_LEFT_N; left++) {
        const uint32_t first = study->n_task;
        for (uint32_t i = 0; i < study->n; i++) {
            const char *key = key_of(study, i, left);
            uint32_t at = first;
            while (at < study->n_task && strcmp(study->task[at].key, key) != 0) {
                at++;
            }
            if (at == TRAINING_TASKS) {
                return assay_error_set(err, ASSAY_LIMIT, NULL, "more than %u groups to leave out",
                                       TRAINING_TASKS);
            }
            if (at == study->n_task) {
                study->task[at].left = left;
                study->task[study->n_task++].key = key;
            }
        }
    }
    return ASSAY_OK;
}

static assay_status_t fit_all(assay_arena_t *arena, training_study_t *study,
                              const assay_hooks_t *hooks, assay_error_t *err) {
    const size_t n_x = (size_t)study->n_node * STEP_FIT_N;
    bool *use = assay_arena_array(arena, study->n + 1, sizeof *use);
    study->x = assay_arena_array(arena, n_x + 1, sizeof *study->x);
    bool memory = use && study->x;
    for (int left = 0; left < TRAINING_LEFT_N && memory; left++) {
        study->ln[left] = assay_arena_array(arena, study->n + 1, sizeof *study->ln[left]);
        memory = study->ln[left] != NULL;
    }
    if (!memory) {
        return assay_error_memory(err, NULL);
    }
    memset(study->x, 0, n_x * sizeof *study->x);
    for (uint32_t i = 0; i < study->n; i++) {
        use[i] = true;
        for (int left = 0; left < TRAINING_LEFT_N; left++) {
            study->ln[left][i] = (double)NAN;
        }
    }
    assay_status_t status = fit_layouts(arena, study, use, hooks, err);
    if (status) {
        return status;
    }
    for (uint32_t i = 0; i < study->n; i++) {
        study->ln[TRAINING_LEFT_NOTHING][i] = error_of(study, study->x, &study->row[i]);
    }
    status = add_tasks(study, err);
    if (status) {
        return status;
    }
    status = assay_pool_for(assay_pool_threads(), study->n_task, run_task, study, hooks);
    if (status) {
        return assay_error_set(err, status, NULL, "calibration was stopped");
    }
    for (uint32_t i = 0; i < study->n; i++) {
        for (int left = 0; left < TRAINING_LEFT_N; left++) {
            if (isnan(study->ln[left][i])) {
                return assay_error_memory(err, NULL);
            }
        }
    }
    return ASSAY_OK;
}

assay_status_t assay_calibrate_training(assay_arena_t *arena, const assay_catalog_t *catalog,
                                        const assay_calibration_t *calibration,
                                        const assay_csv_t *data, const assay_hooks_t *hooks,
                                        assay_calibrate_t **out, assay_error_t *err) {
    score_context_t context = {.catalog = catalog, .calibration = calibration};
    score_columns_t columns;
    assay_calibrate_t *calibrate = assay_arena_alloc(arena, sizeof *calibrate);
    training_study_t *study = assay_arena_alloc(arena, sizeof *study);
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
        (status = training_write_out(arena, study, calibrate, err))) {
        return status;
    }
    calibrate->file = data->file;
    *out = calibrate;
    return ASSAY_OK;
}
