/*
 * Recomputes step_loss and step_sigma of data/calibration.csv from published training steps, and
 * shows how well groups are predicted that were left out of the fit.
 * usage: step_check MEASURED.csv
 *
 * A row's loss is what the step takes beyond the model without loss. step_loss of an architecture
 * and precision class is the median of its sources' median losses, not below 0; of a vendor and of
 * everything, the median of the groups'. step_sigma is the 80 % quantile of
 * |ln(measured/predicted)| of left-out rows over that of a standard normal: without the row's
 * source (calibrated), architecture (transferred), vendor (extrapolated). Rows that their source
 * calls untuned take no part: a prediction is the reachable optimum. Exit: 0 the table agrees, 1 it
 * does not, 2 input.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/dist.h"
#include "assay/score.h"
#include "assay/text.h"

#define TABLE_BYTES ((size_t)64 << 20)
#define TOLERANCE 0.01
#define SHARE 0.8
#define GROUPS_MAX 64

typedef enum { CLASS_16, CLASS_8, CLASS_4, CLASS_N } class_t;
static const assay_dtype_t class_dtype[CLASS_N] = {ASSAY_DT_BF16, ASSAY_DT_FP8, ASSAY_DT_FP4};

typedef struct {
    const char *source;
    const assay_accelerator_t *part;
    class_t class;
    double loss; /* ln of step over modelled step without loss */
} sample_t;

typedef struct {
    const char *arch, *vendor;
    class_t class;
} group_t;

typedef struct {
    sample_t *sample;
    uint32_t n;
    group_t group[GROUPS_MAX];
    uint32_t n_group;
    double *scratch; /* (n) */
} study_t;

/* What a fit may not see; NULL: everything. */
typedef struct {
    const char *source, *arch, *vendor;
} left_out_t;

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *value, uint32_t n, double share) {
    qsort(value, n, sizeof *value, ascending);
    const assay_dist_t dist = {.kind = ASSAY_DIST_EMPIRICAL, .sample = value, .n = n};
    return assay_dist_quantile(&dist, share);
}

static bool is(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

static bool in_group(const sample_t *sample, const group_t *group) {
    return sample->class == group->class && is(sample->part->arch, group->arch);
}

static bool hidden(const sample_t *sample, const left_out_t *out) {
    return is(sample->source, out->source) || is(sample->part->arch, out->arch) ||
           is(sample->part->vendor, out->vendor);
}

/* ---- reading ---- */

static bool class_of(const char *precision, class_t *out) {
    assay_dtype_t dtype;
    if (!precision || !assay_dtype_parse(precision, &dtype)) {
        return false;
    }
    *out = dtype == ASSAY_DT_FP8 ? CLASS_8 : dtype == ASSAY_DT_FP4 ? CLASS_4 : CLASS_16;
    return dtype == ASSAY_DT_FP8 || dtype == ASSAY_DT_FP4 || dtype == ASSAY_DT_BF16 ||
           dtype == ASSAY_DT_FP16;
}

static void add_group(study_t *study, const sample_t *sample) {
    for (uint32_t i = 0; i < study->n_group; i++) {
        if (in_group(sample, &study->group[i])) {
            return;
        }
    }
    if (study->n_group < GROUPS_MAX) {
        study->group[study->n_group++] =
            (group_t){sample->part->arch, sample->part->vendor, sample->class};
    }
}

/* The loss that the prediction contains already. */
static double stored_loss(const assay_calibration_t *calibration, const assay_accelerator_t *part,
                          assay_dtype_t dtype) {
    const char *const scope[] = {part->id, part->arch, part->vendor, "*", NULL};
    return assay_calibration_get(calibration, ASSAY_CALIB_STEP_LOSS, scope, dtype).v;
}

static assay_status_t collect(assay_arena_t *arena, const assay_catalog_t *catalog,
                              const assay_calibration_t *calibration, const assay_csv_t *table,
                              const assay_score_t *score, study_t *out, assay_error_t *err) {
    const int notes = assay_csv_column(table, "notes");
    out->sample = assay_arena_array(arena, score->n_item, sizeof *out->sample);
    out->scratch = assay_arena_array(arena, score->n_item, sizeof *out->scratch);
    if (!out->sample || !out->scratch) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < score->n_item; i++) {
        const assay_score_item_t *item = &score->item[i];
        sample_t *sample = &out->sample[out->n];
        if (item->skipped || strstr(assay_csv_cell(table, i, notes), "not tuned") ||
            !class_of(item->precision, &sample->class) ||
            assay_catalog_accelerator(catalog, item->group_accelerator, NULL, &sample->part,
                                      NULL)) {
            continue;
        }
        const double ratio =
            item->predicted_tokens_per_s_per_device / item->tokens_per_s_per_device;
        sample->source = item->source;
        sample->loss =
            log(ratio) + log1p(stored_loss(calibration, sample->part, class_dtype[sample->class]));
        add_group(out, sample);
        out->n++;
    }
    return ASSAY_OK;
}

/* ---- fitting ---- */

/* Median of the sources' medians of a group. false: nothing of it is left. */
static bool fit_group(const study_t *study, const group_t *group, const left_out_t *left_out,
                      double *out) {
    const char *source[GROUPS_MAX];
    double median[GROUPS_MAX];
    uint32_t n_source = 0;
    for (uint32_t i = 0; i < study->n; i++) {
        const sample_t *first = &study->sample[i];
        bool known = !in_group(first, group) || hidden(first, left_out);
        for (uint32_t k = 0; k < n_source && !known; k++) {
            known = is(source[k], first->source);
        }
        if (known || n_source == GROUPS_MAX) {
            continue;
        }
        uint32_t n = 0;
        for (uint32_t j = i; j < study->n; j++) {
            if (in_group(&study->sample[j], group) && is(study->sample[j].source, first->source) &&
                !hidden(&study->sample[j], left_out)) {
                study->scratch[n++] = study->sample[j].loss;
            }
        }
        source[n_source] = first->source;
        median[n_source++] = quantile(study->scratch, n, 0.5);
    }
    if (n_source > 0) {
        *out = quantile(median, n_source, 0.5);
    }
    return n_source > 0;
}

/* Median over the groups of an architecture, of a vendor (arch NULL), or of all (both NULL). */
static bool fit_wider(const study_t *study, const char *arch, const char *vendor,
                      const left_out_t *left_out, double *out) {
    double value[GROUPS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < study->n_group; i++) {
        const group_t *group = &study->group[i];
        if ((!arch || is(arch, group->arch)) && (!vendor || is(vendor, group->vendor))) {
            n += fit_group(study, group, left_out, &value[n]);
        }
    }
    if (n > 0) {
        *out = quantile(value, n, 0.5);
    }
    return n > 0;
}

/* As the calibration looks a constant up: the group, its architecture, its vendor, everything. */
static double fit(const study_t *study, const sample_t *sample, const left_out_t *left_out) {
    const group_t group = {sample->part->arch, sample->part->vendor, sample->class};
    double value = 0;
    if (!fit_group(study, &group, left_out, &value) &&
        !fit_wider(study, group.arch, group.vendor, left_out, &value) &&
        !fit_wider(study, NULL, group.vendor, left_out, &value) &&
        !fit_wider(study, NULL, NULL, left_out, &value)) {
        return 0;
    }
    return fmax(0, value);
}

/* ---- comparing with the table ---- */

static bool agrees(const char *constant, const char *scope, const char *dtype, double stored,
                   double derived, uint32_t rows) {
    const bool same = fabs(stored - derived) <= TOLERANCE;
    printf("%-10s %-16s %-4s %5u rows  stored %6.3f  recomputed %6.3f%s\n", constant, scope, dtype,
           rows, stored, derived, same ? "" : "  DIFFERS");
    return same;
}

static uint32_t check_losses(const study_t *study, const assay_calibration_t *calibration) {
    static const left_out_t nothing = {NULL, NULL, NULL};
    uint32_t wrong = 0;
    double value;
    for (uint32_t i = 0; i < study->n_group; i++) {
        const group_t *group = &study->group[i];
        const char *const scope[] = {group->arch, NULL};
        const assay_dtype_t dtype = class_dtype[group->class];
        uint32_t n = 0;
        for (uint32_t j = 0; j < study->n; j++) {
            n += in_group(&study->sample[j], group);
        }
        if (fit_group(study, group, &nothing, &value)) {
            wrong += !agrees(
                "step_loss", group->arch, group->class == CLASS_16 ? "*" : assay_dtype_name(dtype),
                assay_calibration_get(calibration, ASSAY_CALIB_STEP_LOSS, scope, dtype).v,
                fmax(0, expm1(value)), n);
        }
    }
    static const char *const vendor[] = {"NVIDIA", "AMD", NULL};
    for (int i = 0; i < 3; i++) {
        const char *const scope[] = {vendor[i] ? vendor[i] : "*", NULL};
        if (fit_wider(study, NULL, vendor[i], &nothing, &value)) {
            wrong += !agrees(
                "step_loss", scope[0], "*",
                assay_calibration_get(calibration, ASSAY_CALIB_STEP_LOSS, scope, ASSAY_DT_BF16).v,
                fmax(0, expm1(value)), study->n);
        }
    }
    return wrong;
}

/* ---- left-out groups ---- */

/* ln(measured/predicted step) of rows when what they share is left out, into scratch. */
static uint32_t residuals(const study_t *study, assay_basis_t level, const char *only_source,
                          double *out) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < study->n; i++) {
        const sample_t *sample = &study->sample[i];
        if (only_source && !is(only_source, sample->source)) {
            continue;
        }
        const left_out_t left_out = {
            level == ASSAY_BASIS_CALIBRATED ? sample->source : NULL,
            level == ASSAY_BASIS_TRANSFERRED ? sample->part->arch : NULL,
            level == ASSAY_BASIS_EXTRAPOLATED ? sample->part->vendor : NULL,
        };
        const group_t group = {sample->part->arch, sample->part->vendor, sample->class};
        double value;
        if (level == ASSAY_BASIS_CALIBRATED && !fit_group(study, &group, &left_out, &value)) {
            continue; /* the only source of its group: that is a transfer */
        }
        out[n++] = sample->loss - fit(study, sample, &left_out);
    }
    return n;
}

static double sigma_of(const assay_calibration_t *calibration, assay_basis_t level) {
    const char *const scope[] = {assay_basis_name(level), NULL};
    return assay_calibration_get(calibration, ASSAY_CALIB_STEP_SIGMA, scope, ASSAY_DT_BF16).v;
}

/* value: residuals; sorted and made absolute. */
static void print_residuals(const char *what, double *value, uint32_t n, double sigma) {
    const double z = assay_normal_quantile(0.5 + SHARE / 2);
    uint32_t covered = 0;
    const double bias = quantile(value, n, 0.5);
    for (uint32_t i = 0; i < n; i++) {
        value[i] = fabs(value[i]);
        covered += value[i] <= z * sigma;
    }
    printf("%-14s %5u rows  bias %+.3f  median |ln| %.3f  covered %3.0f %%\n", what, n, bias,
           quantile(value, n, 0.5), 100.0 * covered / n);
}

static uint32_t check_left_out(const study_t *study, const assay_calibration_t *calibration,
                               double *value) {
    static const struct {
        const char *what;
        assay_basis_t level;
    } level[] = {{"source", ASSAY_BASIS_CALIBRATED},
                 {"architecture", ASSAY_BASIS_TRANSFERRED},
                 {"vendor", ASSAY_BASIS_EXTRAPOLATED}};
    uint32_t wrong = 0;
    printf("\nleft out of the fit:\n");
    for (size_t i = 0; i < sizeof level / sizeof level[0]; i++) {
        const double sigma = sigma_of(calibration, level[i].level);
        const uint32_t n = residuals(study, level[i].level, NULL, value);
        if (n > 0) {
            print_residuals(level[i].what, value, n, sigma);
            const double derived =
                quantile(value, n, SHARE) / assay_normal_quantile(0.5 + SHARE / 2);
            /* Parts without measured kernels vary more than a vendor that is left out. */
            const bool wider = level[i].level == ASSAY_BASIS_EXTRAPOLATED && sigma >= derived;
            wrong += !agrees("step_sigma", assay_basis_name(level[i].level), "*", sigma,
                             wider ? sigma : derived, n);
        }
    }
    printf("\nsources, each left out:\n");
    for (uint32_t i = 0; i < study->n; i++) {
        const char *source = study->sample[i].source;
        bool seen = false;
        for (uint32_t j = 0; j < i && !seen; j++) {
            seen = is(source, study->sample[j].source);
        }
        const uint32_t n = seen ? 0 : residuals(study, ASSAY_BASIS_CALIBRATED, source, value);
        if (n > 0) {
            print_residuals(source, value, n, sigma_of(calibration, ASSAY_BASIS_CALIBRATED));
        }
    }
    return wrong;
}

static assay_status_t run(assay_arena_t *arena, const char *path, uint32_t *out_wrong,
                          assay_error_t *err) {
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_score_t *score;
    assay_csv_t table;
    study_t study = {0};
    char *data;
    size_t size;
    assay_status_t status = assay_file_read(arena, path, TABLE_BYTES, &data, &size, err);
    if (!status) {
        status = assay_csv_parse(arena, path, data, size, &table, err);
    }
    if (!status) {
        status = assay_catalog_load(arena, NULL, 0, &catalog, err);
    }
    if (!status) {
        status = assay_calibration_load(arena, NULL, 0, &calibration, err);
    }
    if (!status) {
        status = assay_score(arena, catalog, calibration, &table, NULL, &score, err);
    }
    if (!status) {
        status = collect(arena, catalog, calibration, &table, score, &study, err);
    }
    double *value = assay_arena_array(arena, study.n, sizeof *value);
    if (!status && !value) {
        status = assay_error_memory(err, NULL);
    }
    if (!status) {
        *out_wrong = check_losses(&study, calibration);
        *out_wrong += check_left_out(&study, calibration, value);
    }
    return status;
}

int main(int argc, char **argv) {
    assay_arena_t *arena = assay_arena_create((size_t)1 << 30);
    assay_error_t err = {0};
    uint32_t wrong = 0;
    if (argc != 2 || !arena) {
        fputs(argc != 2 ? "usage: step_check MEASURED.csv\n" : "step_check: out of memory\n",
              stderr);
        assay_arena_destroy(arena);
        return 2;
    }
    const assay_status_t status = run(arena, argv[1], &wrong, &err);
    if (status) {
        char line[1200];
        fprintf(stderr, "step_check: %s\n", assay_error_line(&err, line, sizeof line));
    }
    assay_arena_destroy(arena);
    return status ? assay_status_exit_code(status) : wrong > 0;
}
