/**
 * Predictions against measurements. Reads the layouts of data/measured/training.csv, predicts each
 * row or skips it with a reason, never looks at the measured value to predict.
 *
 * What a row says in words (accelerator, network, precision, sharding, recompute) is read by the
 * rules of data/score_rules.csv. What it does not say (recompute, sharding, micro-batch, layout)
 * the search chooses, because published rows are tuned. A layout that the row gives and that the
 * memory model refuses is predicted all the same, for it ran; such rows are counted.
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
    const char *id, *source, *accelerator; /* as written */
    const char *group_accelerator;         /* catalog id; NULL: none */
    const char *model_family;              /* as written */
    const char *precision;                 /* dtype's name; NULL: not known */
    const char *stack;                     /* software, as the rules name it */
    uint32_t devices;                      /* 0: not known */
    bool searched;                         /* the row left tp, pp or micro-batch open */
    bool does_not_fit;                     /* says the memory model of a row that ran */
    const char *metric, *unit;             /* what is scored; NULL: nothing can be */
    double measured;                       /* in `unit`; NAN: not a number */
    double predicted, p10, p90;            /* in `unit`; 0 when skipped */
    double rel_error;                      /* predicted/measured - 1 */
    uint8_t basis;
    const char *skipped;     /* one of a fixed set of reasons, or NULL when predicted */
    const char *skip_detail; /* what of the row is behind it, may be "" */
    /* equal work, for the ranking; NULL when the row is skipped */
    const char *work_key;
    double tokens_per_s_per_device, predicted_tokens_per_s_per_device, peak_bf16_flops;
    bool is_amd, is_nvidia;
} assay_score_item_t;

/* by: source (letters of the id), accelerator, model_family, precision, framework (the stack),
   basis, devices (a range), layout (given, searched) */
typedef struct {
    const char *by, *key;
    uint32_t n;
    double median_abs_rel_error, p90_abs_rel_error, bias, interval_coverage;
} assay_score_group_t;

typedef struct {
    const char *reason;
    uint32_t n;
} assay_score_skip_t;

/**
 * Of two rows of equal work on different accelerators, measured within a factor of 2 of each other:
 * how often the faster one is predicted to be faster. Equal work: the same layers, widths, heads,
 * sequence and precision class (16, 8, 4 bits), and tokens a device and step within the same power
 * of 4. Baseline: the part with the higher bf16 peak wins. A tie counts one half.
 */
typedef struct {
    uint32_t pairs;
    double accuracy, baseline_accuracy; /* 0 when there are no pairs; of "all": mean over the
                                           pairs of accelerators */
    const char *key;                    /* "all", "AMD-NVIDIA" or the accelerator pair */
} assay_score_ranking_t;

typedef struct {
    uint32_t rows, predicted, skipped;
    uint32_t does_not_fit; /* predicted rows that the memory model refuses */
    /* bias: median of ln(predicted/measured), of rates (> 0: too fast); macro: mean of the sources'
       medians, and of their 90th percentiles */
    double median_abs_rel_error, p90_abs_rel_error, macro_median_by_source, macro_p90_by_source;
    double bias;
    /* Gneiting and Raftery 2007, of ln, 80 % interval; constant: of bands of one width, that which
       holds 80 % of the same rows */
    double interval_coverage, interval_score, interval_score_constant;
    assay_score_ranking_t ranking, ranking_amd_nvidia;
    assay_score_ranking_t *ranking_pair;
    uint32_t n_ranking_pair;
    assay_score_group_t *group; /* by, then largest first */
    uint32_t n_group;
    assay_score_skip_t *skip; /* most frequent first */
    uint32_t n_skip;
    assay_score_item_t *item; /* (rows), in the table's order */
    uint32_t n_item;
} assay_score_t;

/**
 * Errors: ASSAY_INPUT (not a known measurement table: names the column that is missing; a rule that
 * cannot be read), ASSAY_LIMIT, ASSAY_CANCELLED. The result does not depend on the number of
 * threads.
 */
assay_status_t assay_score(assay_arena_t *arena, const assay_catalog_t *catalog,
                           const assay_calibration_t *calibration, const assay_csv_t *data,
                           const assay_hooks_t *hooks, assay_score_t **out_score,
                           assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
