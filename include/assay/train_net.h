/**
 * A network of operations (assay/image_ops.h) as it is trained: which of them learn, how often each
 * passes over its elements, what is kept until its backward, where its blocks end. A sample is an
 * image or a sequence of words. Const after it is made.
 *
 * A pipeline that makes images out of words trains its denoiser; its encoders of text and of the
 * image stand still and only look forward, unless what they say was kept before the run.
 *
 * Source of passes, optimizers and objectives: data/train_passes.csv, data/train_nets.csv.
 * Test: tests/unit/test_train_net.c. Thread-safe: yes.
 */
#ifndef ASSAY_TRAIN_NET_H
#define ASSAY_TRAIN_NET_H

#include "assay/catalog.h"
#include "assay/image_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    assay_image_op_t op;
    double forward, backward; /* passes over the elements of a stream; products: 0 */
    bool kept;                /* its output stands until backward */
    bool ends_block;          /* full recompute keeps what comes out here */
} assay_train_net_op_t;

typedef struct {
    const char *id, *source, *recipe_source, *sigma_source; /* id: of the model asked for */
    const char *sample;    /* "image", "sequence"; NULL: no network, a decoder */
    uint8_t optimizer;     /* assay_optimizer_t that its recipe uses */
    double sigma;          /* of ln(true/predicted) besides that of the software: how well networks
                              of the kind are known; 0 = measured runs say it */
    uint32_t global_batch; /* the recipe's, in samples; 0 = not known */
    bool keeps_latents;    /* it has frozen encoders, whether they run or not */
    const assay_train_net_op_t *op;
    uint32_t n_op, n_trained; /* those that learn come first */
    uint32_t blocks;          /* of the trained ones */
    uint32_t width, height;   /* pixels; of words: tokens, 1 */
    double params, frozen_params;
    double forward_flops, frozen_flops; /* of one sample, trained and frozen operations */
} assay_train_net_t;

typedef struct {
    const char *model;                /* a pipeline or a network of the catalog, or shape's name */
    const assay_image_shape_t *shape; /* of a file; NULL: the catalog's */
    uint32_t width, height;           /* 0: as it was made for */
    bool tunes;   /* fine-tuning: no words are guessed, and another optimizer's recipe */
    bool latents; /* what frozen encoders say was kept: they do not run */
} assay_train_net_ask_t;

/**
 * Errors: ASSAY_NOT_FOUND (neither pipeline nor network, with the nearest), ASSAY_INPUT (a size
 * that does not divide; a network whose training data/train_nets.csv does not describe),
 * ASSAY_LIMIT.
 */
assay_status_t assay_train_net_make(assay_arena_t *arena, const assay_catalog_t *catalog,
                                    const assay_train_net_ask_t *ask, assay_train_net_t *out,
                                    assay_error_t *err);
/** FLOPs of training on one sample: three times forward, once what is frozen. */
static inline double assay_train_net_flops(const assay_train_net_t *net) {
    return 3 * net->forward_flops + net->frozen_flops;
}

#ifdef __cplusplus
}
#endif
#endif
