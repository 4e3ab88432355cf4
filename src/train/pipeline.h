/**
 * How long a pipeline takes for all micro-batches of a step, in closed form. Stages are of three
 * kinds: the first, the last, and those between, which are alike.
 *
 * 1F1B: exact for any three kinds and any number of micro-batches, the longest path through the
 * schedule's graph of order and data.
 *
 * Interleaved: p v pieces of which the first and the last differ, run in the groups of n that
 * assay_layout_group says. Equal pieces take m v x + (p - 1) x, x = F + B of one, exact for any m
 * of at least p (arXiv 2104.04473). Besides, of the paths that can be the longest, the one through
 * the last stage: n E + m H, what first and last piece take more than the others of a stage
 * between: n E - x through the first stage, which waits for the first micro-batch's way down and
 * back otherwise: (m - n) E + n H - x or m E - Ef - 2 (p - 1) F + H where an end that is shorter
 * counts once. With embedding and head within 0.5 %; with ends of fewer layers within 1.3 %, of two
 * stages 5 % too short at most.
 *
 * ZB-H1: backward in two, gradient of the input (B) and of the weight (W), the latter put off by as
 * many micro-batches as there are stages before. Equal stages wait (p - 1) max(F + B - W, F, B):
 * exact; the published (p - 1)(F + B - W) holds while W is the shortest (arXiv 2401.10241, table
 * 1). Others: at most 5 % too long.
 *
 * ZB-H2: twice the warm-up, W put off twice as far; the next step begins where this one ends, stage
 * by stage, so that what counts is the longest stage from its begin to its end:
 * (p - 1) max(F + B - 2W, B - F, 0). Others: at most 10 % too long.
 *
 * DualPipe: micro-batches enter at both ends, a device holds stages k and p - 1 - k, and a forward
 * beside a backward takes S less than both (deepseek-ai/DualPipe dualpipe.py, arXiv 2412.19437).
 * Here B is all of backward, W of it the gradients of weights, and h = p/2 devices see a
 * micro-batch first. Equal stages: m (F + B - S) + (h + 2) S + the longer of (h - 1)(2F + max(B -
 * 2W, 0)) and (h - 1)(F + max(B - W, 2B - 3W)) - F, exact while S is not above F. With 2B - 3W it
 * is the published bubble, (h - 1)(F&B + B - 3W), less F + (h - 2) S. Others: at most 13 % too
 * long.
 *
 * DualPipeV: the same with h = p. The model goes there and back over the devices in pieces of half
 * a stage (dualpipev.py), so that all but m (F + B - S) counts half.
 *
 * Test: tests/unit/test_train_pipeline.c runs the schedules event by event.
 */
#ifndef TRAIN_PIPELINE_H
#define TRAIN_PIPELINE_H

#include <stdint.h>

#include "assay/job.h" /* assay_schedule_t */
#include "assay/layout.h"

/* One micro-batch. backward_s: all of it, weight_s: of that, the gradients of weights; hidden_s:
   what is saved where its forward runs beside another's backward. */
typedef struct {
    double forward_s, backward_s, weight_s, hidden_s;
} train_stage_s_t;

typedef struct {
    uint32_t stages, interleave, micro;
    uint8_t schedule;                    /* assay_schedule_t */
    train_stage_s_t first, middle, last; /* one stage: first; two: first and last. Where a device
                                            has both ends, what it does for the mean micro-batch. */
    train_stage_s_t piece;               /* interleaved: a chunk of a stage that has neither end */
} train_pipeline_t;

double train_pipeline_s(const train_pipeline_t *pipeline);

/** Micro-batches that the first device runs forward beside the backward of another. */
double train_pipeline_pairs(const train_pipeline_t *pipeline);

/** Micro-batches whose activations a stage holds at most, in chunks of a stage's layers. */
double train_pipeline_chunks(const assay_layout_t *layout, uint32_t micro, uint32_t stage);

#endif
