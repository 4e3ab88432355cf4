/* The fit of one group of serving rows. */
#ifndef SCORE_CALIBRATE_FIT_H
#define SCORE_CALIBRATE_FIT_H

#include "score/score_parts.h"

/* What is fitted. The rate of the GEMMs is one constant per width of their type. X(code, constant,
   prior, spread of its logarithm, least, most) */
#define FIT_LIST(X)                                              \
    X(GEMM_16, SERVE_GEMM, 0.55, 0.35, 0.03, 1.0)                \
    X(GEMM_8, SERVE_GEMM, 0.45, 0.35, 0.03, 1.0)                 \
    X(GEMM_4, SERVE_GEMM, 0.35, 0.35, 0.03, 1.0)                 \
    X(EXPERT, SERVE_EXPERT, 0.8, 0.3, 0.1, 1.2)                  \
    X(WEIGHT_STREAM, SERVE_WEIGHT_STREAM, 1.0, 0.15, 0.05, 1.25) \
    X(KV_STREAM, SERVE_KV_STREAM, 0.9, 0.25, 0.1, 1.25)          \
    X(HEAD_STREAM, SERVE_HEAD_STREAM, 0.35, 0.4, 0.02, 4.0)      \
    X(LAYER_S, SERVE_LAYER_S, 6e-5, 0.7, 1e-7, 2e-3)             \
    X(MOE_LAYER_S, SERVE_MOE_LAYER_S, 5e-5, 0.7, 1e-7, 5e-3)     \
    X(SEQUENCE_S, SERVE_SEQUENCE_S, 2e-5, 1.2, 1e-8, 1e-3)       \
    X(REDUCE_S, SERVE_REDUCE_S, 2e-5, 0.7, 1e-6, 1e-3)
typedef enum {
#define FIT_ENUM(code, constant, prior, spread, least, most) FIT_##code,
    FIT_LIST(FIT_ENUM)
#undef FIT_ENUM
        FIT_N
} fit_id_t;

/* One measurement that can be predicted. */
typedef struct {
    score_serving_t of;
    score_measure_t measure;
    double measured;
} fit_row_t;

typedef struct {
    double value[FIT_N];
    double spread[FIT_N]; /* of the logarithm, after the fit: how well the rows tell it */
} fit_constants_t;

fit_constants_t fit_priors(void);
assay_calib_id_t fit_constant(fit_id_t id);
/** Within what a machine can be. */
double fit_clamp(fit_id_t id, double value);
/** ln(predicted/measured); > 0 is too much, whether the metric is a rate or a time. */
double fit_ln_error(const fit_row_t *row, const fit_constants_t *constants);
/** row: (n) pointers. Starts from and is drawn towards *prior. Pure. */
void fit_group(const fit_row_t *const *row, uint32_t n, const fit_constants_t *prior,
               fit_constants_t *out);
/** The constants as those of a step of this GEMM type. */
assay_serve_constants_t fit_apply(const fit_constants_t *constants, assay_dtype_t dtype);
/** Which of the three GEMM constants speaks for a type. */
fit_id_t fit_gemm_of(assay_dtype_t dtype);

#endif
