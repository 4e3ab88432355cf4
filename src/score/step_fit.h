/* The fit of the constants of training steps: what a run takes beyond its operations alone. */
#ifndef SCORE_STEP_FIT_H
#define SCORE_STEP_FIT_H

#include "score/score_parts.h"

/* What is fitted. Without corrections a constant is its prior. X(code, constant, prior, spread of
   the correction by architecture, by software, by both) */
#define STEP_FIT_LIST(X)                               \
    X(GEMM, RUN_GEMM, 0.15, 0.20, 0.10, 0.12)          \
    X(ATTENTION, RUN_ATTENTION, 0.00, 0.15, 0.30, 0.2) \
    X(STREAM, RUN_STREAM, 0.30, 0.15, 0.30, 0.20)      \
    X(OVERLAP, OVERLAP_COST, 0.10, 0.03, 0.10, 0.05)   \
    X(LOSS, STEP_LOSS, 0.02, 0.00, 0.05, 0.03)         \
    X(HOST, RUN_HOST_S, 0.00, 0.00, 0.30, 0.30)
typedef enum {
#define STEP_FIT_ENUM(code, constant, prior, arch, software, both) STEP_##code,
    STEP_FIT_LIST(STEP_FIT_ENUM)
#undef STEP_FIT_ENUM
        STEP_FIT_N
} step_fit_id_t;

/* Types of one width are fitted together. */
typedef enum { STEP_16_BIT, STEP_8_BIT, STEP_4_BIT, STEP_CLASS_N } step_class_t;
step_class_t step_class(assay_dtype_t dtype);

/* One measured step whose layout is settled. */
typedef struct {
    assay_machine_t machine;
    assay_workload_t work;
    assay_layout_pin_t pin; /* what the row says of the layout */
    assay_layout_t layout;
    const assay_accelerator_t *part;
    const char *source, *software;
    bool open; /* the row left the layout open: it is the search's */
    double measured_s;
    double weight;
    uint32_t at[3]; /* node of its architecture and class, its software, both; UINT32_MAX: none */
} step_row_t;

typedef enum { STEP_LEVEL_ARCH, STEP_LEVEL_SOFTWARE, STEP_LEVEL_BOTH } step_level_t;
/* A node carries one correction a constant: ln of (1 + constant) over that of its prior, of
   run_host_s ln of the constant over its prior. */
typedef struct {
    uint8_t level;        /* step_level_t */
    uint8_t width;        /* step_class_t; of a software alone: of any */
    const char *arch;     /* NULL: of a software alone */
    const char *software; /* NULL: of an architecture alone */
    uint32_t rows;
} step_node_t;

typedef struct {
    const step_node_t *node;
    uint32_t n_node;
    double *x; /* (n_node x STEP_FIT_N) */
} step_model_t;

/** Scripts that nobody tuned tell nothing of what a part can do. */
bool step_is_tuned(const char *software);
/** The prior of a constant for a software on an architecture; either may be NULL. */
double step_prior(step_fit_id_t id, const char *software, const char *arch);
/** Prior and corrections of up to three nodes; UINT32_MAX: none. Without any, model may be NULL. */
void step_constants(const step_model_t *model, const char *software, const char *arch,
                    const uint32_t at[3], double out[STEP_FIT_N]);
/** Makes them the device's own, for one type. */
void step_constants_set(const double constant[STEP_FIT_N], assay_dtype_t dtype,
                        assay_device_t *io_device);
/** ln(predicted/measured) of the step's time with these constants. */
double step_error(step_row_t *row, const double constant[STEP_FIT_N]);
/**
 * Least (soft-L1) error of the rows that use[] marks, starting from model->x. scratch: the arena
 * takes what the normal equations need. false: no memory.
 */
bool step_fit(assay_arena_t *scratch, step_row_t *row, uint32_t n, const bool *use,
              step_model_t *model);
assay_calib_id_t step_constant_id(step_fit_id_t id);

#endif
