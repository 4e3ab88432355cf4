/**
 * Predictions against measurements. Reads the layouts of data/measured/training.csv, predicts each
 * row or skips it with a reason, never looks at the measured value to predict.
 */
#ifndef ASSAY_SCORE_H
#define ASSAY_SCORE_H

#include "assay/calibration.h"
#include "assay/catalog.h"
#include "assay/csv.h"
#include "assay/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *id, *source, *accelerator, *group_accelerator; /* as written; catalog id */
    const char *model_family;
    const char *metric, *unit;
    double measured, predicted, p10, p90; /* in `unit` */
    double rel_error;                     /* predicted/measured - 1 */
    uint8_t basis;
    const char *skipped;                  /* reason, or NULL when predicted */
    /* equal work, for the ranking; NULL when the row does not say enough */
    const char *work_key;
    double tokens_per_s_per_device, predicted_tokens_per_s_per_device, peak_bf16_flops;
    bool is_amd, is_nvidia;
} assay_score_item_t;

typedef struct {
    const char *by, *key;
    uint32_t n;
    double median_abs_rel_error, p90_abs_rel_error, bias, interval_coverage;
} assay_score_group_t;

typedef struct {
    uint32_t pairs;
    double accuracy, baseline_accuracy;
    const char *key; /* "all", "AMD-NVIDIA" or the accelerator pair */
} assay_score_ranking_t;

typedef struct {
    uint32_t rows, predicted, skipped;
    double median_abs_rel_error, p90_abs_rel_error, macro_median_by_source, bias;
    double interval_coverage, interval_score; /* Gneiting and Raftery 2007, of ln, 80 % interval */
    assay_score_ranking_t ranking, ranking_amd_nvidia;
    assay_score_ranking_t *ranking_pair; uint32_t n_ranking_pair;
    assay_score_group_t *group; uint32_t n_group;
    assay_score_item_t *item; uint32_t n_item;
} assay_score_t;

/** Errors: ASSAY_INPUT (not a known measurement table: names the columns expected), ASSAY_CANCELLED. */
assay_status_t assay_score(assay_arena_t *arena, const assay_catalog_t *catalog,
                           const assay_calibration_t *calibration, const assay_csv_t *data,
                           const assay_hooks_t *hooks, assay_score_t **out_score,
                           assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
