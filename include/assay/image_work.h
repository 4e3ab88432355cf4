/**
 * Resolved work on images: the networks that one request runs, laid out for its size. Const after
 * it is made.
 */
#ifndef ASSAY_IMAGE_WORK_H
#define ASSAY_IMAGE_WORK_H

#include "assay/catalog.h"
#include "assay/image_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One network of a request. */
typedef struct {
    const char *name; /* "text", "denoise", "decode", or of the network */
    const assay_image_op_t *op;
    uint32_t n_op;
    double passes; /* one after the other: steps */
    double copies; /* of each image in a pass: 2 where guidance looks twice */
    double params;
    bool narrow; /* its GEMMs are in the work's dtype; else in 16 bit at least */
} assay_image_stage_t;

#define ASSAY_IMAGE_STAGE_MAX 6
typedef struct {
    assay_image_stage_t stage[ASSAY_IMAGE_STAGE_MAX];
    uint32_t n_stage;
    assay_dtype_t dtype; /* of the GEMMs */
    bool unfused;        /* attention keeps its scores in memory */
    bool captured;       /* launched as a whole, not operation by operation */
} assay_image_work_t;

/* What is asked of it; 0 (guided: below 0): as the pipeline's row says. */
typedef struct {
    const char *model; /* of data/image_pipelines.csv, or one network of data/image_models.csv */
    uint32_t width, height, steps;
    int guided;
    assay_dtype_t dtype;
} assay_image_ask_t;

/* As it was taken. */
typedef struct {
    const char *name, *source;
    uint32_t width, height, steps;
    bool pipeline, guided; /* one network: one pass, no guidance */
} assay_image_taken_t;

/* What is asked of images on one machine. */
typedef struct {
    assay_image_work_t work;
    assay_image_taken_t taken;
    const char *engine;             /* row of data/image_engines.csv */
    double images;                  /* of one request */
    double rate_per_s, concurrency; /* requests; one of the two is 0 */
    double latency_p99_s;           /* limit; 0 = none */
    bool open_nodes;                /* the job does not say how many there are */
    /* what an article says that a request takes; NULL: nothing */
    const char *claim, *claim_source;
    double claim_s;
} assay_image_demand_t;

/**
 * Lays out the stages of a request. Errors: ASSAY_NOT_FOUND (no such model, with the nearest),
 * ASSAY_INPUT (a size that does not divide, guidance of a network without), ASSAY_LIMIT.
 */
assay_status_t assay_image_work_make(assay_arena_t *arena, const assay_catalog_t *catalog,
                                     const assay_image_ask_t *ask, assay_image_work_t *out,
                                     assay_image_taken_t *out_taken, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
