/**
 * How long a pipeline takes for all micro-batches of a step, in closed form. Stages are of three
 * kinds: the first, the last, and those between, which are alike.
 *
 *   1F1B         exact for any three kinds and any number of micro-batches: the longest path
 * through the schedule's graph of order and data interleaved  m slowest + (the others)/v: exact for
 * equal stages (arXiv 2104.04473), within 5 % for others ZB-H1        backward in two: gradient of
 * the input (B), of the weight (W), the latter put off by as many micro-batches as there are stages
 * before. Equal stages wait (p - 1) max(F + B - W, F, B): exact; the published (p - 1)(F + B - W)
 * holds while W is the shortest (arXiv 2401.10241, table 1). Others: at most 5 % too long ZB-H2
 * twice the warm-up, W put off twice as far; the next step begins where this one ends, stage by
 * stage, so that what counts is the longest stage from its begin to its end: (p - 1) max(F + B -
 * 2W, B - F, 0). Others: at most 10 % too long
 *
 * Test: tests/unit/test_train_pipeline.c runs the schedules event by event.
 */
#ifndef TRAIN_PIPELINE_H
#define TRAIN_PIPELINE_H

#include <stdint.h>

#include "assay/job.h" /* assay_schedule_t */
#include "assay/layout.h"

/* One micro-batch. backward_s: all of it, weight_s: of that, the gradients of weights. */
typedef struct {
    double forward_s, backward_s, weight_s;
} train_stage_s_t;

typedef struct {
    uint32_t stages, interleave, micro;
    uint8_t schedule;                    /* assay_schedule_t */
    train_stage_s_t first, middle, last; /* one stage: first; two: first and last */
} train_pipeline_t;

double train_pipeline_s(const train_pipeline_t *pipeline);

/** Micro-batches whose activations a stage holds at most, in chunks of a stage's layers. */
double train_pipeline_chunks(const assay_layout_t *layout, uint32_t micro, uint32_t stage);

#endif
