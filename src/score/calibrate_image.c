/* Constants of what runs networks on images: one fit per engine and accelerator, medians for those
   without rows, and the errors of what was left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/dist.h"
#include "assay/text.h"
#include "base/det_math.h"
#include "score/calibrate_parts.h"
#include "score/score_parts.h"

#include "base/banned.h"

#define MAX_GROUPS 128u
#define LEAST_ROWS 2u /* fewer tell nothing to others */
#define NOISE 0.1     /* of ln(measured): what no model of few constants can know */
#define FIRST_STEP 0.5
#define LAST_STEP 1e-4

/* What is fitted. The rate of the GEMMs is one constant per width of their type. */
typedef enum { FIT_GEMM_16, FIT_GEMM_8, FIT_STREAM, FIT_OP_S, FIT_N } fit_t;
static const struct {
    assay_calib_id_t constant;
    assay_dtype_t dtype;
    double prior, spread, least, most; /* spread: of its logarithm */
} fits[FIT_N] = {
    [FIT_GEMM_16] = {ASSAY_CALIB_IMAGE_GEMM, ASSAY_DT_N, 0.7, 0.4, 0.05, 3.0},
    [FIT_GEMM_8] = {ASSAY_CALIB_IMAGE_GEMM, ASSAY_DT_FP8, 0.7, 0.4, 0.05, 3.0},
    [FIT_STREAM] = {ASSAY_CALIB_IMAGE_STREAM, ASSAY_DT_N, 1.5, 0.6, 0.1, 15.0},
    [FIT_OP_S] = {ASSAY_CALIB_IMAGE_OP_S, ASSAY_DT_N, 4e-5, 0.7, 1e-7, 1e-3},
};
#define CAPTURED_OP_S 6e-6 /* prior of a launch, where no host stands between */

typedef struct {
    double ln[FIT_N];
    double spread[FIT_N];
} constants_t;

typedef struct {
    score_image_t of;
    double per_s; /* measured, of one device */
} image_row_t;

typedef struct {
    calibrate_pair_t pair;
    bool captured;
    const image_row_t **row;
    uint32_t n;
    bool has[FIT_N];
    constants_t fit;
    double *ln_own, *ln_family, *ln_part, *ln_roofline; /* (n) errors */
} group_t;

typedef struct {
    group_t group[MAX_GROUPS];
    uint32_t n_group, n_row;
    image_row_t *row;
} run_t;

static fit_t gemm_of(const image_row_t *row) {
    return assay_dtype_bytes(row->of.work.dtype) < 2 ? FIT_GEMM_8 : FIT_GEMM_16;
}

static double prior_of(fit_t id, bool captured) {
    return assay_det_log(id == FIT_OP_S && captured ? CAPTURED_OP_S : fits[id].prior);
}

/* ln(predicted/measured); > 0 is too fast */
static double ln_error(const image_row_t *row, const double ln[FIT_N]) {
    const assay_image_constants_t constants = {.gemm = assay_det_exp(ln[gemm_of(row)]),
                                               .stream = assay_det_exp(ln[FIT_STREAM]),
                                               .op_s = assay_det_exp(ln[FIT_OP_S])};
    return assay_det_log(score_image_per_s(&row->of, &constants) / row->per_s);
}

/* ---- fit ---- */

static double loss(const image_row_t *const *row, uint32_t n, bool captured,
                   const double ln[FIT_N]) {
    double sum = 0;
    for (int i = 0; i < FIT_N; i++) {
        const double off = (ln[i] - prior_of((fit_t)i, captured)) / fits[i].spread;
        sum += off * off;
    }
    for (uint32_t i = 0; i < n; i++) {
        const double off = ln_error(row[i], ln) / NOISE;
        sum += 2 * (sqrt(1 + off * off) - 1); /* soft L1 */
    }
    return sum;
}

/* Pattern search (Hooke and Jeeves 1961): four smooth constants, and it needs no derivative where
   the host begins to matter. */
static void fit_rows(const image_row_t *const *row, uint32_t n, bool captured, constants_t *out) {
    double *ln = out->ln;
    for (int i = 0; i < FIT_N; i++) {
        ln[i] = prior_of((fit_t)i, captured);
    }
    double best = loss(row, n, captured, ln);
    for (double step = FIRST_STEP; step > LAST_STEP;) {
        bool moved = false;
        for (int i = 0; i < FIT_N; i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                const double before = ln[i];
                ln[i] = fmin(fmax(before + sign * step, assay_det_log(fits[i].least)),
                             assay_det_log(fits[i].most));
                const double now = loss(row, n, captured, ln);
                moved |= now < best;
                ln[i] = now < best ? ln[i] : before;
                best = fmin(now, best);
            }
        }
        step = moved ? step : step / 2;
    }
    /* 1 / curvature of half the loss: a variance */
    for (int i = 0; i < FIT_N; i++) {
        const double at = ln[i], h = 0.05;
        ln[i] = at + h;
        const double above = loss(row, n, captured, ln);
        ln[i] = at - h;
        const double below = loss(row, n, captured, ln);
        ln[i] = at;
        const double curvature = (above + below - 2 * best) / (2 * h * h);
        out->spread[i] = curvature > 0 ? fmin(1 / sqrt(curvature), fits[i].spread) : fits[i].spread;
    }
}

/* ---- rows and groups ---- */

static assay_status_t read_rows(assay_arena_t *arena, const score_context_t *context,
                                const assay_csv_t *data, const score_columns_t *columns, run_t *out,
                                assay_error_t *err) {
    out->row = assay_arena_array(arena, data->n_rows, sizeof *out->row);
    if (!out->row) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < data->n_rows; i++) {
        score_row_t text;
        score_measured_t measured;
        score_skip_t skip;
        assay_score_item_t item = {0};
        image_row_t *at = &out->row[out->n_row];
        memset(at, 0, sizeof *at);
        score_row_read(data, columns, i, &text);
        if (score_is_image(context, &text) &&
            score_image_make(arena, context, &text, &at->of, &skip)) {
            score_measured_read(data, columns, i, &measured);
            if (score_image_measured(context, &text, &measured, &item, &skip)) {
                at->per_s = item.measured / at->of.devices;
                out->n_row++;
            }
        }
    }
    return ASSAY_OK;
}

static group_t *group_of(run_t *run, const image_row_t *row) {
    const calibrate_pair_t pair = {row->of.engine->id, row->of.machine.accelerator};
    for (uint32_t i = 0; i < run->n_group; i++) {
        if (calibrate_speaks(CALIBRATE_PART, run->group[i].pair, pair)) {
            return &run->group[i];
        }
    }
    if (run->n_group == MAX_GROUPS) {
        return NULL;
    }
    group_t *group = &run->group[run->n_group++];
    *group = (group_t){.pair = pair, .captured = row->of.engine->captured};
    return group;
}

static assay_status_t make_groups(assay_arena_t *arena, run_t *run, assay_error_t *err) {
    for (uint32_t i = 0; i < run->n_row; i++) {
        group_t *group = group_of(run, &run->row[i]);
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
    for (uint32_t i = 0; i < run->n_row; i++) {
        group_t *group = group_of(run, &run->row[i]);
        group->row[group->n++] = &run->row[i];
        group->has[gemm_of(&run->row[i])] = true;
        group->has[FIT_STREAM] = group->has[FIT_OP_S] = true;
    }
    return ASSAY_OK;
}

/* Each model predicted from the group's others. */
static void predict_without_family(group_t *group, const image_row_t **kept) {
    for (uint32_t i = 0; i < group->n; i++) {
        const char *family = group->row[i]->of.taken.name;
        constants_t fit;
        uint32_t n = 0;
        for (uint32_t j = 0; j < group->n; j++) {
            if (strcmp(group->row[j]->of.taken.name, family) != 0) {
                kept[n++] = group->row[j];
            }
        }
        fit_rows(kept, n, group->captured, &fit);
        group->ln_family[i] = ln_error(group->row[i], fit.ln);
    }
}

/* ---- constants for those without rows ---- */

/* Median over the groups that speak, one voice each; without: never that accelerator. 0: none. */
static uint32_t median_of(const run_t *run, calibrate_level_t level, const group_t *to, fit_t id,
                          const assay_accelerator_t *without, double *out, double *out_p10,
                          double *out_p90) {
    double value[MAX_GROUPS];
    uint32_t n = 0, rows = 0;
    for (uint32_t g = 0; g < run->n_group; g++) {
        const group_t *from = &run->group[g];
        if (from->has[id] && from->n >= LEAST_ROWS && from->pair.part != without &&
            calibrate_speaks(level, from->pair, to->pair)) {
            value[n++] = from->fit.ln[id];
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

static void predict_without_part(const run_t *run, group_t *group) {
    double ln[FIT_N], low, high;
    const double limit[FIT_N] = {0, 0, 0, assay_det_log(fits[FIT_OP_S].least)};
    for (int id = 0; id < FIT_N; id++) {
        ln[id] = prior_of((fit_t)id, group->captured);
        for (int level = CALIBRATE_ARCH; level < CALIBRATE_LEVEL_N; level++) {
            if (median_of(run, (calibrate_level_t)level, group, (fit_t)id, group->pair.part,
                          &ln[id], &low, &high)) {
                break;
            }
        }
    }
    for (uint32_t i = 0; i < group->n; i++) {
        group->ln_part[i] = ln_error(group->row[i], ln);
        group->ln_roofline[i] = ln_error(group->row[i], limit);
    }
}

/* ---- output ---- */

static bool add_group_rows(assay_arena_t *arena, const run_t *run, const group_t *group,
                           assay_calibrate_t *io) {
    for (int level = 0; level < CALIBRATE_LEVEL_N; level++) {
        for (int id = 0; id < FIT_N; id++) {
            double value, low, high;
            const uint32_t rows = median_of(run, (calibrate_level_t)level, group, (fit_t)id, NULL,
                                            &value, &low, &high);
            if (rows && level == CALIBRATE_PART) {
                low = value - ASSAY_Z90 * group->fit.spread[id]; /* 80 % of a normal distribution */
                high = value + ASSAY_Z90 * group->fit.spread[id];
            }
            if (rows &&
                !calibrate_add_row(
                    io, (assay_calibrate_row_t){
                            .scope = calibrate_scope(arena, (calibrate_level_t)level, group->pair),
                            .dtype = fits[id].dtype,
                            .constant = fits[id].constant,
                            .value = assay_det_exp(value),
                            .p10 = fmax(assay_det_exp(low), fits[id].least),
                            .p90 = fmin(assay_det_exp(high), fits[id].most),
                            .basis = calibrate_basis((calibrate_level_t)level),
                            .rows = rows,
                            .method = calibrate_method((calibrate_level_t)level)})) {
                return false;
            }
        }
    }
    return true;
}

static assay_calibrate_row_t sigma_row(const char *scope, double sigma, uint32_t rows,
                                       const char *method) {
    return (assay_calibrate_row_t){.scope = scope,
                                   .dtype = ASSAY_DT_N,
                                   .constant = ASSAY_CALIB_IMAGE_SIGMA,
                                   .value = sigma,
                                   .p10 = sigma,
                                   .p90 = sigma,
                                   .basis = ASSAY_BASIS_CALIBRATED,
                                   .rows = rows,
                                   .method = method};
}

static assay_status_t write_out(assay_arena_t *arena, run_t *run, assay_calibrate_t *out,
                                assay_error_t *err) {
    static const char *const left_out[] = {"nothing", "model family", "accelerator"};
    static const char *const far[] = {"transferred", "extrapolated", "*"};
    const uint32_t n = run->n_row;
    double *all = assay_arena_array(arena, (size_t)5 * n + 1, sizeof *all), *scratch;
    out->row = assay_arena_array(arena, (size_t)run->n_group * (CALIBRATE_LEVEL_N * FIT_N + 1) + 3,
                                 sizeof *out->row);
    out->error = assay_arena_array(arena, (size_t)3 * (run->n_group + 1), sizeof *out->error);
    if (!all || !out->row || !out->error) {
        return assay_error_memory(err, NULL);
    }
    scratch = all + (size_t)4 * n;
    uint32_t at = 0, n_inside[3] = {0};
    for (uint32_t g = 0; g < run->n_group; g++) {
        group_t *group = &run->group[g];
        const double *const ln[] = {group->ln_own, group->ln_family, group->ln_part,
                                    group->ln_roofline};
        predict_without_part(run, group);
        for (int i = 0; i < 4; i++) {
            memcpy(all + (size_t)i * n + at, ln[i], group->n * sizeof *all);
        }
        at += group->n;
    }
    const double far_sigma = n > 0 ? calibrate_sigma(scratch, all + (size_t)2 * n, n) : 0;
    for (uint32_t g = 0; g < run->n_group; g++) {
        group_t *group = &run->group[g];
        const double sigma = fmax(calibrate_sigma(scratch, group->ln_own, group->n), NOISE);
        const double *const ln[] = {group->ln_own, group->ln_family, group->ln_part};
        if (!add_group_rows(arena, run, group, out) ||
            (group->n >= LEAST_ROWS &&
             !calibrate_add_row(
                 out,
                 sigma_row(calibrate_scope(arena, CALIBRATE_PART, group->pair), sigma, group->n,
                           "80 % quantile of |ln(measured/predicted)| over 1.2816, at "
                           "least 0.1")))) {
            return assay_error_memory(err, NULL);
        }
        for (int i = 0; i < 3; i++) {
            const uint32_t in = calibrate_inside(ln[i], group->n, i < 2 ? sigma : far_sigma);
            n_inside[i] += in;
            calibrate_add_error(out, left_out[i], group->pair.engine, group->pair.part->id, ln[i],
                                group->ln_roofline, group->n, in, scratch);
        }
    }
    for (int i = 0; i < 3 && n > 0; i++) {
        calibrate_add_error(out, left_out[i], "all", "images", all + (size_t)i * n,
                            all + (size_t)3 * n, n, n_inside[i], scratch);
        calibrate_add_row(out, sigma_row(far[i], far_sigma, n,
                                         "the same, each accelerator predicted from the others"));
    }
    calibrate_sort_errors(out);
    return ASSAY_OK;
}

assay_status_t assay_calibrate_images(assay_arena_t *arena, const assay_catalog_t *catalog,
                                      const assay_calibration_t *calibration,
                                      const assay_csv_t *data, assay_calibrate_t **out,
                                      assay_error_t *err) {
    score_context_t context = {.catalog = catalog, .calibration = calibration};
    score_columns_t columns;
    run_t *run = assay_arena_alloc(arena, sizeof *run);
    assay_calibrate_t *calibrate = assay_arena_alloc(arena, sizeof *calibrate);
    assay_status_t status =
        run && calibrate ? score_columns_find(data, &columns, err) : assay_error_memory(err, NULL);
    if (status || (status = score_images_load(arena, &context, err)) ||
        (status = read_rows(arena, &context, data, &columns, run, err)) ||
        (status = make_groups(arena, run, err))) {
        return status;
    }
    const image_row_t **kept = assay_arena_array(arena, run->n_row + 1, sizeof *kept);
    if (!kept) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t g = 0; g < run->n_group; g++) {
        group_t *group = &run->group[g];
        fit_rows(group->row, group->n, group->captured, &group->fit);
        for (uint32_t i = 0; i < group->n; i++) {
            group->ln_own[i] = ln_error(group->row[i], group->fit.ln);
        }
        predict_without_family(group, kept);
    }
    status = write_out(arena, run, calibrate, err);
    calibrate->file = data->file;
    *out = calibrate;
    return status;
}
