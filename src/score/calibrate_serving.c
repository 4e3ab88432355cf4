/* Constants of serving engines: one fit per engine and accelerator, medians for those without rows,
   and the errors of what was left out. */
#include "assay/calibrate.h"

#include <math.h>
#include <string.h>

#include "assay/pool.h"
#include "assay/text.h"
#include "base/det_math.h"
#include "score/calibrate_fit.h"
#include "score/calibrate_parts.h"

#include "base/banned.h"

#define MAX_GROUPS 256u
#define MAX_FAMILIES 64u
#define LEAST_ROWS 4u /* fewer tell nothing about a group */

typedef struct {
    const char *engine;
    const assay_accelerator_t *part;
    const fit_row_t **row;
    uint32_t n;
    bool has[FIT_N]; /* the rows can tell it: GEMM types, ranks, the kernel per head */
    fit_constants_t fit;
    const char *family[MAX_FAMILIES];
    uint32_t n_family;
    double *ln_own, *ln_family, *ln_part, *ln_roofline; /* (n) errors: fitted, family or part left
                                                           out, every constant at its limit */
} group_t;

typedef struct {
    group_t *group;
    uint32_t n_group;
    fit_constants_t prior;
    struct {
        uint32_t group, family; /* family UINT32_MAX: nothing is left out */
        const fit_row_t **kept; /* (group's n), scratch */
    } * task;
    uint32_t n_task;
} run_t;

/* ---- rows and groups ---- */

static assay_status_t read_rows(assay_arena_t *arena, const score_context_t *context,
                                const assay_csv_t *data, const score_columns_t *columns,
                                fit_row_t **out_row, uint32_t *out_n, assay_error_t *err) {
    fit_row_t *row = assay_arena_array(arena, data->n_rows, sizeof *row);
    uint32_t n = 0;
    if (!row) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < data->n_rows; i++) {
        score_row_t text;
        score_measured_t measured;
        score_skip_t skip;
        fit_row_t *at = &row[n];
        memset(at, 0, sizeof *at);
        score_row_read(data, columns, i, &text);
        score_measured_read(data, columns, i, &measured);
        const char *value = measured.text[SCORE_COLUMN_VALUE - SCORE_COLUMN_N];
        /* what comes at a rate tests the simulator, and is not fitted */
        if (score_serving_make(context, &text, &at->of, &skip) &&
            at->of.regime != SCORE_REGIME_OPEN) {
            at->measure = score_serving_measure(context, &text, &measured, &skip);
            n += at->measure != SCORE_MEASURE_NONE &&
                 assay_text_to_double(value, strlen(value), &at->measured) && at->measured > 0;
        }
    }
    *out_row = row;
    *out_n = n;
    return ASSAY_OK;
}

static group_t *group_of(run_t *run, const fit_row_t *row) {
    for (uint32_t i = 0; i < run->n_group; i++) {
        if (run->group[i].part == row->of.machine.accelerator &&
            strcmp(run->group[i].engine, row->of.engine->id) == 0) {
            return &run->group[i];
        }
    }
    if (run->n_group == MAX_GROUPS) {
        return NULL;
    }
    group_t *group = &run->group[run->n_group++];
    group->engine = row->of.engine->id;
    group->part = row->of.machine.accelerator;
    return group;
}

static uint32_t family_of(const group_t *group, const fit_row_t *row) {
    uint32_t i = 0;
    while (i < group->n_family && strcmp(group->family[i], row->of.setup.model.family) != 0) {
        i++;
    }
    return i;
}

static void note_row(group_t *group, const fit_row_t *row) {
    group->row[group->n++] = row;
    group->has[fit_gemm_of(row->of.setup.dtype)] = true;
    group->has[FIT_EXPERT] |= row->of.setup.model.experts > 0;
    group->has[FIT_MOE_LAYER_S] |= row->of.setup.model.experts > 0;
    group->has[FIT_REDUCE_S] |= row->of.setup.tp > 1;
    group->has[FIT_HEAD_STREAM] |= row->of.setup.head_stream_above > 0;
    group->has[FIT_WEIGHT_STREAM] = group->has[FIT_KV_STREAM] = true;
    group->has[FIT_LAYER_S] = group->has[FIT_SEQUENCE_S] = true;
    const uint32_t family = family_of(group, row);
    if (family == group->n_family && group->n_family < MAX_FAMILIES) {
        group->family[group->n_family++] = row->of.setup.model.family;
    }
}

static assay_status_t make_groups(assay_arena_t *arena, run_t *run, const fit_row_t *row,
                                  uint32_t n, assay_error_t *err) {
    run->group = assay_arena_array(arena, MAX_GROUPS, sizeof *run->group);
    if (!run->group) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n; i++) {
        group_t *group = group_of(run, &row[i]);
        if (!group) {
            return assay_error_set(err, ASSAY_LIMIT, NULL, "more than %u engines and accelerators",
                                   MAX_GROUPS);
        }
        group->n++;
    }
    for (uint32_t g = 0; g < run->n_group; g++) {
        group_t *group = &run->group[g];
        group->row = assay_arena_array(arena, group->n, sizeof *group->row);
        double *error = assay_arena_array(arena, (size_t)4 * group->n, sizeof *error);
        if (!group->row || !error) {
            return assay_error_memory(err, NULL);
        }
        group->ln_own = error;
        group->ln_family = error + group->n;
        group->ln_part = error + (size_t)2 * group->n;
        group->ln_roofline = error + (size_t)3 * group->n;
        group->n = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        note_row(group_of(run, &row[i]), &row[i]);
    }
    return ASSAY_OK;
}

/* ---- fits ---- */

static void run_task(void *ctx, size_t index, uint32_t worker) {
    run_t *run = ctx;
    (void)worker;
    group_t *group = &run->group[run->task[index].group];
    const uint32_t left_out = run->task[index].family;
    if (left_out == UINT32_MAX) {
        fit_group(group->row, group->n, &run->prior, &group->fit);
        for (uint32_t i = 0; i < group->n; i++) {
            group->ln_own[i] = fit_ln_error(group->row[i], &group->fit);
        }
        return;
    }
    const fit_row_t **kept = run->task[index].kept;
    uint32_t n = 0;
    for (uint32_t i = 0; i < group->n; i++) {
        if (family_of(group, group->row[i]) != left_out) {
            kept[n++] = group->row[i];
        }
    }
    fit_constants_t fit;
    fit_group(kept, n, &run->prior, &fit);
    for (uint32_t i = 0; i < group->n; i++) {
        if (family_of(group, group->row[i]) == left_out) {
            group->ln_family[i] = fit_ln_error(group->row[i], &fit);
        }
    }
}

static assay_status_t run_tasks(assay_arena_t *arena, run_t *run, const assay_hooks_t *hooks,
                                assay_error_t *err) {
    uint32_t n = 0;
    for (uint32_t g = 0; g < run->n_group; g++) {
        n += 1 + run->group[g].n_family;
    }
    run->task = assay_arena_array(arena, n, sizeof *run->task);
    if (!run->task) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t g = 0; g < run->n_group; g++) {
        for (uint32_t f = 0; f <= run->group[g].n_family; f++) {
            const uint32_t n_row = run->group[g].n;
            const fit_row_t **kept = assay_arena_array(arena, n_row, sizeof *kept);
            if (!kept) {
                return assay_error_memory(err, NULL);
            }
            run->task[run->n_task].group = g;
            run->task[run->n_task].kept = kept;
            run->task[run->n_task++].family = f < run->group[g].n_family ? f : UINT32_MAX;
        }
    }
    const assay_status_t status =
        assay_pool_for(assay_pool_threads(), run->n_task, run_task, run, hooks);
    return status ? assay_error_set(err, status, NULL, "calibration was stopped") : ASSAY_OK;
}

/* ---- constants for those without rows ---- */

static calibrate_pair_t pair_of(const group_t *group) {
    return (calibrate_pair_t){group->engine, group->part};
}

/* Median over the groups that speak, one voice each; without: never that accelerator. 0: none. */
static uint32_t median_of(const run_t *run, calibrate_level_t level, const group_t *to, fit_id_t id,
                          const assay_accelerator_t *without, double *out, double *out_p10,
                          double *out_p90) {
    double value[MAX_GROUPS];
    uint32_t n = 0, rows = 0;
    for (uint32_t g = 0; g < run->n_group; g++) {
        const group_t *from = &run->group[g];
        if (from->has[id] && from->n >= LEAST_ROWS && from->part != without &&
            calibrate_speaks(level, pair_of(from), pair_of(to))) {
            value[n++] = from->fit.value[id];
            rows += from->n;
        }
    }
    if (n > 0) {
        *out = calibrate_quantile(value, n, 0.5);
        *out_p10 = value[0];
        *out_p90 = value[n - 1];
    }
    return rows;
}

/* Spread of what was predicted of the other accelerators without them. scratch: of all rows. */
static double sigma_without_part(const run_t *run, const group_t *group, double *scratch) {
    uint32_t n = 0;
    for (uint32_t g = 0; g < run->n_group; g++) {
        const group_t *other = &run->group[g];
        for (uint32_t i = 0; i < other->n && other->part != group->part; i++) {
            scratch[n++] = fabs(other->ln_part[i]);
        }
    }
    return n > 0 ? calibrate_quantile(scratch, n, 0.8) / ASSAY_Z90 : 0;
}

/* How many rows of a group lie inside, each family by the spread of the others. */
static uint32_t inside_of_families(const group_t *group, double *scratch) {
    uint32_t found = 0;
    for (uint32_t f = 0; f < group->n_family; f++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < group->n; i++) {
            if (family_of(group, group->row[i]) != f) {
                scratch[n++] = fabs(group->ln_family[i]);
            }
        }
        const double sigma = n > 0 ? calibrate_quantile(scratch, n, 0.8) / ASSAY_Z90 : 0;
        for (uint32_t i = 0; i < group->n; i++) {
            found += family_of(group, group->row[i]) == f &&
                     fabs(group->ln_family[i]) <= ASSAY_Z90 * sigma;
        }
    }
    return found;
}

static void predict_without_part(const run_t *run, group_t *group) {
    fit_constants_t constants = run->prior;
    double low, high;
    for (int id = 0; id < FIT_N; id++) {
        for (int level = CALIBRATE_ARCH; level < CALIBRATE_LEVEL_N; level++) {
            if (median_of(run, (calibrate_level_t)level, group, (fit_id_t)id, group->part,
                          &constants.value[id], &low, &high)) {
                break;
            }
        }
    }
    fit_constants_t limit;
    for (int id = 0; id < FIT_N; id++) {
        limit.value[id] = id < FIT_LAYER_S ? 1 : 0;
    }
    for (uint32_t i = 0; i < group->n; i++) {
        group->ln_part[i] = fit_ln_error(group->row[i], &constants);
        group->ln_roofline[i] = fit_ln_error(group->row[i], &limit);
    }
}

/* ---- output ---- */

static assay_dtype_t dtype_of(fit_id_t id) {
    return id == FIT_GEMM_8 ? ASSAY_DT_FP8 : id == FIT_GEMM_4 ? ASSAY_DT_FP4 : ASSAY_DT_N;
}

static bool add_group_rows(assay_arena_t *arena, const run_t *run, const group_t *group,
                           assay_calibrate_t *io) {
    for (int level = 0; level < CALIBRATE_LEVEL_N; level++) {
        for (int id = 0; id < FIT_N; id++) {
            assay_calibrate_row_t row = {
                .scope = calibrate_scope(arena, (calibrate_level_t)level, pair_of(group)),
                .dtype = dtype_of((fit_id_t)id),
                .constant = fit_constant((fit_id_t)id),
                .basis = calibrate_basis((calibrate_level_t)level),
                .method = calibrate_method((calibrate_level_t)level)};
            row.rows = median_of(run, (calibrate_level_t)level, group, (fit_id_t)id, NULL,
                                 &row.value, &row.p10, &row.p90);
            if (level == CALIBRATE_PART && row.rows) {
                /* 80 % of a normal distribution lie within ASSAY_Z90 standard deviations */
                const double reach = exp(ASSAY_Z90 * group->fit.spread[id]);
                row.p10 = fit_clamp((fit_id_t)id, row.value / reach);
                row.p90 = fit_clamp((fit_id_t)id, row.value * reach);
            }
            if (row.rows && !calibrate_add_row(io, row)) {
                return false;
            }
        }
    }
    return true;
}

static assay_status_t write_out(assay_arena_t *arena, run_t *run, assay_calibrate_t *out,
                                assay_error_t *err) {
    static const char *const left_out[] = {"nothing", "model family", "accelerator"};
    uint32_t n = 0;
    for (uint32_t g = 0; g < run->n_group; g++) {
        n += run->group[g].n;
    }
    double *all = assay_arena_array(arena, (size_t)5 * n, sizeof *all);
    double *scratch = all ? all + (size_t)4 * n : NULL;
    out->row = assay_arena_array(arena, (size_t)run->n_group * (CALIBRATE_LEVEL_N * FIT_N + 1) + 3,
                                 sizeof *out->row);
    out->error = assay_arena_array(arena, (size_t)3 * (run->n_group + 1), sizeof *out->error);
    if (!all || !out->row || !out->error) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t g = 0; g < run->n_group; g++) {
        predict_without_part(run, &run->group[g]);
    }
    uint32_t at = 0, n_inside[3] = {0};
    for (uint32_t g = 0; g < run->n_group; g++) {
        group_t *group = &run->group[g];
        const double *const ln[] = {group->ln_own, group->ln_family, group->ln_part};
        if (!add_group_rows(arena, run, group, out)) {
            return assay_error_memory(err, NULL);
        }
        const double sigma = calibrate_sigma(
            scratch, group->n_family > 1 ? group->ln_family : group->ln_own, group->n);
        if (group->n >= LEAST_ROWS) {
            calibrate_add_row(
                out, (assay_calibrate_row_t){
                         .scope = calibrate_scope(arena, CALIBRATE_PART, pair_of(group)),
                         .dtype = ASSAY_DT_N,
                         .constant = ASSAY_CALIB_SERVE_SIGMA,
                         .value = sigma,
                         .p10 = sigma,
                         .p90 = sigma,
                         .basis = ASSAY_BASIS_CALIBRATED,
                         .rows = group->n,
                         .method = "80 % quantile of |ln(measured/predicted)| over 1.2816, each "
                                   "model family predicted from the others"});
        }
        const uint32_t in[] = {
            calibrate_inside(group->ln_own, group->n, sigma), inside_of_families(group, scratch),
            calibrate_inside(group->ln_part, group->n, sigma_without_part(run, group, scratch))};
        for (int i = 0; i < 3; i++) {
            n_inside[i] += in[i];
            calibrate_add_error(out, left_out[i], group->engine, group->part->id, ln[i],
                                group->ln_roofline, group->n, in[i], scratch);
            memcpy(all + (size_t)i * n + at, ln[i], group->n * sizeof *all);
        }
        memcpy(all + (size_t)3 * n + at, group->ln_roofline, group->n * sizeof *all);
        at += group->n;
    }
    for (int i = 0; i < 3 && n > 0; i++) {
        calibrate_add_error(out, left_out[i], "all", "all", all + (size_t)i * n,
                            all + (size_t)3 * n, n, n_inside[i], scratch);
    }
    static const char *const far[] = {"transferred", "extrapolated", "*"};
    for (int i = 0; i < 3 && n > 0; i++) {
        const double sigma = calibrate_sigma(scratch, all + (size_t)2 * n, n);
        calibrate_add_row(out,
                          (assay_calibrate_row_t){
                              .scope = far[i],
                              .dtype = ASSAY_DT_N,
                              .constant = ASSAY_CALIB_SERVE_SIGMA,
                              .value = sigma,
                              .p10 = sigma,
                              .p90 = sigma,
                              .basis = ASSAY_BASIS_CALIBRATED,
                              .rows = n,
                              .method = "the same, each accelerator predicted from the others"});
    }
    calibrate_sort_errors(out);
    return ASSAY_OK;
}

assay_status_t assay_calibrate_serving(assay_arena_t *arena, const assay_catalog_t *catalog,
                                       const assay_calibration_t *calibration,
                                       const assay_csv_t *data, const assay_hooks_t *hooks,
                                       assay_calibrate_t **out, assay_error_t *err) {
    score_context_t context = {.catalog = catalog, .calibration = calibration};
    score_columns_t columns;
    fit_row_t *row = NULL;
    uint32_t n = 0;
    run_t run = {.prior = fit_priors()};
    assay_calibrate_t *calibrate = assay_arena_alloc(arena, sizeof *calibrate);
    assay_status_t status =
        calibrate ? score_columns_find(data, &columns, err) : assay_error_memory(err, NULL);
    if (!status && !score_is_serving(&columns)) {
        const assay_place_t at = {data->file, 1, 0};
        status =
            assay_error_set(err, ASSAY_INPUT, &at,
                            "no table of serving measurements: the column 'engine' is missing");
    }
    if (status || (status = score_serving_tables(arena, &context, err)) ||
        (status = read_rows(arena, &context, data, &columns, &row, &n, err)) ||
        (status = make_groups(arena, &run, row, n, err)) ||
        (status = run_tasks(arena, &run, hooks, err)) ||
        (status = write_out(arena, &run, calibrate, err))) {
        return status;
    }
    calibrate->file = data->file;
    *out = calibrate;
    return ASSAY_OK;
}
