/** Resolved money inputs and the facts that rules ask about. Const after resolve. */
#ifndef ASSAY_MONEY_INPUT_H
#define ASSAY_MONEY_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/dist.h"
#include "assay/fact.h"
#include "assay/money_draw.h"
#include "assay/money_option.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ASSAY_TCO_CASH_FLOW, ASSAY_TCO_ARTICLE } assay_tco_formula_t;

/** Part of a load-duration curve: so many of the nodes are needed in this share of the hours. */
typedef struct {
    double share, load; /* both 0..1 */
} assay_load_step_t;

typedef struct {
    const char *currency; /* of texts; amounts are in USD */
    double currency_per_usd;
    const char *fx_date, *fx_source; /* NULL: the currency is USD */
    double years, discount_rate, utilisation, residual;
    double residual_p10, residual_p90; /* 0: no range */
    const assay_dist_t *residual_dist; /* NULL: by the range */
    bool residual_given;               /* by the job: it holds over any number of years */
    assay_fact_t electricity_usd_per_kwh, pue;
    assay_fact_t ops_usd_per_year; /* for the whole cluster */
    assay_fact_t contingency; /* share of the labour of moving, A15: 5-8 % of budget; see money.h */
    uint8_t tco_formula;
    /* migration; person-days */
    assay_fact_t level_days[3];
    double labour_usd_per_day;
    double labour_p10, labour_p90;   /* of labour_usd_per_day; 0: no range */
    const assay_dist_t *labour_dist; /* a week; NULL: by the range */
    double training_h_per_engineer, engineers;
    double debt_days_per_year;
    assay_fact_t option[ASSAY_OPTION_N]; /* unknown: not asked for */
    uint8_t depreciation;                /* assay_depreciation_t */
    double value_share[51]; /* of the price after so many years, by the market's or plateau's table;
                               all 0: not asked for */
    double reference_fit;   /* hip_fit that level_days are of; see migration.reference_fit */
    bool machines_wait;     /* owned machines stand idle until the move is done */
    const assay_load_step_t *load; /* (n_load) falling load; NULL: no curve is asked about */
    uint32_t n_load;
    const assay_correlations_t *correlations; /* NULL: none */
} assay_money_input_t;

typedef struct {
    double v; /* number; bool as 0/1 */
    bool known;
} assay_answer_t;

/* name in rules.csv; what */
#define ASSAY_ANSWER_LIST(X)                      \
    X(ROCM_DEBUGGERS, "rocm_debuggers")           \
    X(HIP_CI, "hip_ci")                           \
    X(CUDA_ONLY_SHARE, "cuda_only_share")         \
    X(HIP_FIT, "hip_fit")                         \
    X(RAW_BYTES, "raw_bytes")                     \
    X(NOTEBOOKS, "notebook_prototyping")          \
    X(NEEDS_TENSORRT, "needs_tensorrt")           \
    X(HARDWARE_BUDGET_USD, "hardware_budget_usd") \
    X(COMPUTE_SHARE, "compute_share")             \
    X(RUN_DAYS, "run_days")                       \
    X(MFU, "mfu")                                 \
    X(MIGRATION_OVER_SAVING, "migration_over_saving")
typedef enum {
#define ASSAY_ANSWER_ENUM(code, name) ASSAY_ANSWER_##code,
    ASSAY_ANSWER_LIST(ASSAY_ANSWER_ENUM)
#undef ASSAY_ANSWER_ENUM
        ASSAY_ANSWER_N
} assay_answer_id_t;
/** From the job; the last ones are filled by decide from the prediction and the money. */
typedef struct {
    assay_answer_t a[ASSAY_ANSWER_N];
} assay_answers_t;

#ifdef __cplusplus
}
#endif
#endif
