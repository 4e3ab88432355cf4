/* The study of training rows that a fit and its errors share. */
#ifndef SCORE_CALIBRATE_TRAINING_H
#define SCORE_CALIBRATE_TRAINING_H

#include "assay/calibrate.h"
#include "score/step_fit.h"

#define TRAINING_NODES 256
#define TRAINING_TASKS 512
/* Of a software on an architecture: fewer derive nothing of their own. */
#define TRAINING_LEAST_ROWS 3

typedef enum {
    TRAINING_LEFT_NOTHING,
    TRAINING_LEFT_MODEL,
    TRAINING_LEFT_SOURCE,
    TRAINING_LEFT_ARCH,
    TRAINING_LEFT_N
} training_left_t;
typedef struct {
    step_row_t *row;
    const char **model; /* (n) */
    uint32_t n;
    step_node_t node[TRAINING_NODES];
    uint32_t n_node;
    double *x;                   /* (n_node x STEP_FIT_N) of everything */
    double *ln[TRAINING_LEFT_N]; /* (n) errors; without what the row shares with those left out */
    struct {
        training_left_t left;
        const char *key;
    } task[TRAINING_TASKS];
    uint32_t n_task;
} training_study_t;

/** The constants as rows of the calibration, the intervals, and the errors. */
assay_status_t training_write_out(assay_arena_t *arena, const training_study_t *study,
                                  assay_calibrate_t *out, assay_error_t *err);

#endif
