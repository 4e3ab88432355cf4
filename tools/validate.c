/*
 * Holds the score of a table of measurements to ceilings, so that accuracy does not slip unnoticed.
 * usage: validate MEASURED.csv CEILINGS.csv
 *
 * Ceilings: metric, ceiling, note. A metric is one of the list below, of all rows; or NAME@BY=KEY,
 * of one group of the score ("median_abs_rel_error@accelerator=amd-mi250x-128g"). Also what
 * the fit says of itself: NAME@left_out=KIND, and, of serving, worst_NAME of the groups of engine
 * and accelerator with at least LEAST_ROWS rows. Exit codes: 0 every metric is at or below its
 * ceiling, 1 one is above, 2 the tables are wrong.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/calibrate.h"
#include "assay/score.h"
#include "assay/text.h"

#define TABLE_BYTES ((size_t)64 << 20)
#define MANY_ROWS 20 /* an accelerator of so many is held to the ceiling by itself */

/* Each falls when predictions get better. */
typedef enum {
    MEDIAN_ABS_REL_ERROR,
    P90_ABS_REL_ERROR,
    MACRO_MEDIAN_BY_SOURCE,
    MACRO_P90_BY_SOURCE,
    WORST_ACCELERATOR, /* largest median of an accelerator with many rows */
    ABS_BIAS,
    COVERAGE_GAP, /* of the 80 % interval: |coverage - 0.8| */
    INTERVAL_SCORE,
    INTERVAL_OVER_CONSTANT, /* that score over the one of bands of one width */
    SKIPPED_SHARE,
    RANKING_LOSS,          /* 1 - accuracy */
    RANKING_OVER_BASELINE, /* baseline's accuracy - accuracy: below 0 is better than the peak */
    RANKING_LOSS_AMD_NVIDIA,
    METRIC_N
} metric_t;
static const char *const metric_name[METRIC_N] = {
    [MEDIAN_ABS_REL_ERROR] = "median_abs_rel_error",
    [P90_ABS_REL_ERROR] = "p90_abs_rel_error",
    [MACRO_MEDIAN_BY_SOURCE] = "macro_median_by_source",
    [MACRO_P90_BY_SOURCE] = "macro_p90_by_source",
    [WORST_ACCELERATOR] = "worst_accelerator_median",
    [ABS_BIAS] = "abs_bias",
    [COVERAGE_GAP] = "coverage_gap",
    [INTERVAL_SCORE] = "interval_score",
    [INTERVAL_OVER_CONSTANT] = "interval_over_constant",
    [SKIPPED_SHARE] = "skipped_share",
    [RANKING_LOSS] = "ranking_loss",
    [RANKING_OVER_BASELINE] = "ranking_over_baseline",
    [RANKING_LOSS_AMD_NVIDIA] = "ranking_loss_amd_nvidia",
};

static double worst_accelerator(const assay_score_t *score) {
    double worst = 0;
    for (uint32_t i = 0; i < score->n_group; i++) {
        const assay_score_group_t *group = &score->group[i];
        if (strcmp(group->by, "accelerator") == 0 && group->n >= MANY_ROWS) {
            worst = fmax(worst, group->median_abs_rel_error);
        }
    }
    return worst;
}

static void metrics_of_all(const assay_score_t *score, double out[METRIC_N]) {
    out[MEDIAN_ABS_REL_ERROR] = score->median_abs_rel_error;
    out[P90_ABS_REL_ERROR] = score->p90_abs_rel_error;
    out[MACRO_MEDIAN_BY_SOURCE] = score->macro_median_by_source;
    out[MACRO_P90_BY_SOURCE] = score->macro_p90_by_source;
    out[WORST_ACCELERATOR] = worst_accelerator(score);
    out[ABS_BIAS] = fabs(score->bias);
    out[COVERAGE_GAP] = fabs(score->interval_coverage - 0.8);
    out[INTERVAL_SCORE] = score->interval_score;
    out[INTERVAL_OVER_CONSTANT] = score->interval_score / score->interval_score_constant;
    out[SKIPPED_SHARE] = (double)score->skipped / (double)score->rows;
    out[RANKING_LOSS] = 1.0 - score->ranking.accuracy;
    out[RANKING_OVER_BASELINE] = score->ranking.baseline_accuracy - score->ranking.accuracy;
    out[RANKING_LOSS_AMD_NVIDIA] = 1.0 - score->ranking_amd_nvidia.accuracy;
}

static void metrics_of_group(const assay_score_group_t *group, double out[METRIC_N]) {
    out[MEDIAN_ABS_REL_ERROR] = group->median_abs_rel_error;
    out[P90_ABS_REL_ERROR] = group->p90_abs_rel_error;
    out[ABS_BIAS] = fabs(group->bias);
    out[COVERAGE_GAP] = fabs(group->interval_coverage - 0.8);
}

/** The value of "NAME" or "NAME@BY=KEY"; NAN when the score has no such metric or group. */
static double find_metric(const assay_score_t *score, const char *name) {
    double value[METRIC_N];
    for (int i = 0; i < METRIC_N; i++) {
        value[i] = (double)NAN;
    }
    size_t length = strcspn(name, "@");
    const char *by = name[length] ? name + length + 1 : NULL;
    if (!by) {
        metrics_of_all(score, value);
    }
    for (uint32_t i = 0; by && i < score->n_group; i++) {
        const assay_score_group_t *group = &score->group[i];
        size_t n_by = strlen(group->by);
        if (strncmp(by, group->by, n_by) == 0 && by[n_by] == '=' &&
            strcmp(by + n_by + 1, group->key) == 0) {
            metrics_of_group(group, value);
        }
    }
    for (int i = 0; i < METRIC_N; i++) {
        if (strlen(metric_name[i]) == length && memcmp(metric_name[i], name, length) == 0) {
            return value[i];
        }
    }
    return (double)NAN;
}

#define LEFT_OUT "@left_out="
#define LEAST_ROWS 50u

/** What the fit of constants says of itself; NAN when it says nothing of that name. */
static double find_fit_metric(const assay_calibrate_t *fit, const char *name) {
    const char *kind = strstr(name, LEFT_OUT);
    double worst_median = 0, worst_p90 = 0;
    for (uint32_t i = 0; i < fit->n_error; i++) {
        const assay_calibrate_error_t *error = &fit->error[i];
        const bool all = strcmp(error->engine, "all") == 0;
        if (kind && all && strcmp(kind + strlen(LEFT_OUT), error->left_out) == 0) {
            return strncmp(name, "median@", 7) == 0          ? error->median
                   : strncmp(name, "coverage_gap@", 13) == 0 ? fabs(error->coverage - 0.8)
                   : strncmp(name, "over_roofline@", 14) == 0
                       ? error->median / error->roofline_median
                       : (double)NAN;
        }
        if (!all && error->rows >= LEAST_ROWS && strcmp(error->left_out, "nothing") == 0) {
            worst_median = fmax(worst_median, error->median);
            worst_p90 = fmax(worst_p90, error->p90);
        }
    }
    return strcmp(name, "worst_median") == 0 ? worst_median
           : strcmp(name, "worst_p90") == 0  ? worst_p90
                                             : (double)NAN;
}

static assay_status_t read_table(assay_arena_t *arena, const char *path, assay_csv_t *out_table,
                                 assay_error_t *err) {
    char *data;
    size_t size;
    assay_status_t status = assay_file_read(arena, path, TABLE_BYTES, &data, &size, err);
    return status ? status : assay_csv_parse(arena, path, data, size, out_table, err);
}

/** Prints one line a ceiling; *out_above: how many were exceeded. */
static assay_status_t compare(const assay_score_t *score, const assay_calibrate_t *fit,
                              const assay_csv_t *ceilings, uint32_t *out_above,
                              assay_error_t *err) {
    const int name = assay_csv_column(ceilings, "metric");
    const int limit = assay_csv_column(ceilings, "ceiling");
    *out_above = 0;
    printf("%-52s %10s %10s\n", "metric", "value", "ceiling");
    for (uint32_t i = 0; i < ceilings->n_rows; i++) {
        const assay_place_t at = {ceilings->file, ceilings->line[i], 1};
        const char *metric = assay_csv_cell(ceilings, i, name);
        const char *text = assay_csv_cell(ceilings, i, limit);
        double value = find_metric(score, metric);
        if (isnan(value) && fit) {
            value = find_fit_metric(fit, metric);
        }
        double ceiling;
        if (!assay_text_to_double(text, strlen(text), &ceiling)) {
            return assay_error_set(err, ASSAY_INPUT, &at, "ceiling \"%s\" is not a number", text);
        }
        if (isnan(value)) {
            return assay_error_set(err, ASSAY_INPUT, &at, "the score has no metric \"%s\"", metric);
        }
        const bool above = value > ceiling;
        *out_above += above;
        printf("%-52s %10.4f %10.4f%s\n", metric, value, ceiling, above ? "  ABOVE" : "");
    }
    return ASSAY_OK;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: validate MEASURED.csv CEILINGS.csv\n", stderr);
        return 2;
    }
    assay_arena_t *arena = assay_arena_create((size_t)1 << 30);
    if (!arena) {
        fputs("validate: out of memory\n", stderr);
        return assay_status_exit_code(ASSAY_MEMORY);
    }
    assay_error_t err = {0};
    assay_csv_t measured, ceilings;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_score_t *score;
    assay_calibrate_t *fit = NULL;
    uint32_t above = 0;
    assay_status_t status = read_table(arena, argv[1], &measured, &err);
    if (!status) {
        status = read_table(arena, argv[2], &ceilings, &err);
    }
    if (!status) {
        status = assay_catalog_load(arena, NULL, 0, &catalog, &err);
    }
    if (!status) {
        status = assay_calibration_load(arena, NULL, 0, &calibration, &err);
    }
    if (!status) {
        status = assay_score(arena, catalog, calibration, &measured, NULL, &score, &err);
    }
    if (!status) {
        status = assay_calibrate(arena, catalog, calibration, &measured, NULL, &fit, &err);
    }
    if (!status) {
        printf("%u rows: %u predicted, %u skipped with a reason\n\n", score->rows, score->predicted,
               score->skipped);
        status = compare(score, fit, &ceilings, &above, &err);
    }
    if (status) {
        char line[1200];
        fprintf(stderr, "validate: %s\n", assay_error_line(&err, line, sizeof line));
    }
    assay_arena_destroy(arena);
    return status ? assay_status_exit_code(status) : above > 0;
}
