/**
 * One training step in closed form: operations of a layer, tensor, pipeline and data parallelism,
 * recompute, optimizer, memory, power. Pure; no allocation.
 */
#ifndef ASSAY_TRAIN_H
#define ASSAY_TRAIN_H

#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Refuses illegal layouts and those that do not fit (out->reject with need and have), else fills out. */
void assay_train_estimate(const assay_machine_t *machine, const assay_workload_t *work,
                          const assay_layout_t *layout, assay_estimate_t *out);

/* One operation of a layer, for the roofline: what it computes, moves, and how long it takes. */
typedef struct {
    const char *name; /* "qkv", "attention", "mlp_up" ... */
    double flops, bytes, time_s; /* forward, one micro-batch, one device */
} assay_op_t;
#define ASSAY_OP_MAX 24
/** Operations of one layer and the head. Returns the number written. */
uint32_t assay_train_ops(const assay_machine_t *machine, const assay_workload_t *work,
                         const assay_layout_t *layout, assay_op_t out_op[ASSAY_OP_MAX]);

/**
 * What does not change between layouts that share tp, micro-batch, recompute and sequence
 * parallelism: layer and head times. The search fills it once per such key.
 */
typedef struct assay_train_layer {
    double forward_s[ASSAY_TIME_N], backward_s[ASSAY_TIME_N]; /* one layer, one micro-batch */
    double head_forward_s[ASSAY_TIME_N], head_backward_s[ASSAY_TIME_N];
    double embed_forward_s, embed_backward_s;
} assay_train_layer_t;
void assay_train_layer(const assay_machine_t *machine, const assay_workload_t *work,
                       const assay_layout_t *layout, assay_train_layer_t *out);
/** As assay_train_estimate, with the layer times at hand: bit-equal result. */
void assay_train_estimate_with(const assay_machine_t *machine, const assay_workload_t *work,
                               const assay_layout_t *layout, const assay_train_layer_t *layer,
                               assay_estimate_t *out);

#ifdef __cplusplus
}
#endif
#endif
