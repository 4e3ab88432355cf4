/**
 * One training step in closed form: operations of a layer, tensor, pipeline and data parallelism,
 * recompute, optimizer, memory, power. Pure; no allocation.
 *
 * Valid for decoder models with softmax attention: dense or experts, grouped KV heads, latent
 * attention, windows, packed samples (resolve refuses linear attention); flash attention or, where
 * the workload says so, scores in memory. Layers of several kinds are counted at their mean.
 *
 * Device order is Megatron's tp-cp-dp-pp: tensor-parallel groups are neighbours (stride 1), those
 * that share out a sequence tp apart, the data-parallel ranks of one shard tp x cp apart, pipeline
 * neighbours tp x cp x dp apart: what comes first lies inside a node. Experts are cut by etp
 * (stride 1), shared out over ep (etp apart) and held by the rest of tp x cp x dp.
 *
 * Where the layers do not divide evenly over the pipeline and two more would, embedding and head
 * take the place of one layer each (126 layers on 8 stages: 15, 16 x 6, 15).
 *
 * Recompute, with an attention kernel that never stores its scores:
 *   none       every input that backward needs is kept
 *   selective  what is cheap to compute again is not kept: outputs of the norms and of the
 *              activation function (Megatron-Core's "layernorm" and "mlp/moe_act" modules; its
 *              "core_attn" would save nothing here)
 *   full       only each layer's input is kept
 *
 * ZeRO 1 shards the optimizer state, 2 the gradients too (so they are reduced every micro-batch), 3
 * the weights too (FSDP: one fp32 copy, cast and gathered layer by layer, the next one while this
 * one computes).
 *
 * Networks of operations (assay/train_net.h) are trained whole: data parallelism and ZeRO alone.
 * Their blocks take the place of layers, at their mean; products of a convolution are implicit
 * GEMMs, backward one for the input and one for the weight.
 *
 * Source: Megatron-LM (arXiv 2104.04473: schedules; 2205.05198: sequence parallelism, activation
 * bytes), ZeRO (arXiv 1910.02054). Test: tests/unit/test_train.c, test_train_experts.c,
 * test_train_net.c.
 * Thread-safe: yes.
 */
#ifndef ASSAY_TRAIN_H
#define ASSAY_TRAIN_H

#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Refuses illegal layouts and those that do not fit (out->reject with need and have), else fills
 * out. layout->n_micro is not read: out->layout.n_micro is the one that follows from the batch.
 */
void assay_train_estimate(const assay_machine_t *machine, const assay_workload_t *work,
                          const assay_layout_t *layout, assay_estimate_t *out);

/**
 * Is the layout legal, memory aside? ASSAY_REJECT_NONE or the first reason against it, with the two
 * numbers that decide: what the layout asks for and what there is (for a divisor: of what).
 */
assay_reject_t assay_train_check(const assay_machine_t *machine, const assay_workload_t *work,
                                 const assay_layout_t *layout, double *out_need, double *out_have);

/* One operation of a layer, for the roofline: what it computes, moves, and how long it takes. */
typedef struct {
    const char *name;            /* "qkv", "attention", "mlp_up" ... */
    double flops, bytes, time_s; /* forward, one micro-batch, one device */
    bool gemm;
    double measured;                   /* share of its time that rests on measured shapes, 0..1 */
    const assay_gemm_shape_t *nearest; /* of those; NULL: none is near */
    uint8_t basis;                     /* assay_basis_t: measured where most of it is */
} assay_op_t;
#define ASSAY_OP_MAX 192
/** Operations of one layer and the head. The layout must be legal. Returns the number written. */
uint32_t assay_train_ops(const assay_machine_t *machine, const assay_workload_t *work,
                         const assay_layout_t *layout, assay_op_t out_op[ASSAY_OP_MAX]);

/**
 * What does not change between layouts that share tp, micro-batch, recompute and sequence
 * parallelism: one micro-batch on one device. The search fills it once per such key.
 */
typedef struct assay_train_layer {
    /* exposed seconds, forward + backward; recompute is a part of its own and runs in backward */
    double layer_s[ASSAY_TIME_N], head_s[ASSAY_TIME_N], embed_s[ASSAY_TIME_N];
    /* the same, summed over parts */
    double layer_forward_s, layer_backward_s;
    double layer_weight_s, head_weight_s; /* of backward: gradients of weights */
    double layer_hidden_s; /* of ep_comm: what fits beside another micro-batch's computing */
    double head_forward_s, head_backward_s, embed_forward_s, embed_backward_s;
    /* of a layer's recompute: GEMM and attention; memory-bound */
    double recompute_matrix_s, recompute_stream_s;
    /* parameters on one device; table: of embed the token table */
    double layer_params, embed_params, head_params, table_params;
    double expert_params;  /* of layer_params: the experts */
    double adapter_params; /* beside a layer; 0 where all weights are trained */
    double stored_bytes;   /* kept of one layer until its backward */
    double working_bytes;  /* needed besides while one layer runs backward */
    double head_bytes;     /* inputs kept for the head's backward */
    double logits_bytes;   /* and their gradient */
    /* of an optimizer that multiplies matrices (Muon), bf16, all of a layer's; experts: of them;
       longest: of one matrix */
    double update_s, expert_update_s, longest_update_s;
    double host_layers; /* for the host's time, a layer counts as so many decoder layers */
    /* a device sends its share to the next stage, where it may have to be gathered */
    double boundary_bytes, boundary_gather_s;
    double rel_p10, rel_p90;
} assay_train_layer_t;
/** The layout must be legal as far as these four fields go. */
void assay_train_layer(const assay_machine_t *machine, const assay_workload_t *work,
                       const assay_layout_t *layout, assay_train_layer_t *out);
/** As assay_train_estimate, with the layer times at hand: bit-equal result. */
void assay_train_estimate_with(const assay_machine_t *machine, const assay_workload_t *work,
                               const assay_layout_t *layout, const assay_train_layer_t *layer,
                               assay_estimate_t *out);

/**
 * Memory alone, of any decoder: experts, latent attention and adapters too. out: layout, steady and
 * peak bytes, reject MEMORY with need and have. machine NULL: no device, only what the run itself
 * holds. global_batch 0: as many micro-batches as stages. The layout need not use all devices.
 */
void assay_train_memory(const assay_machine_t *machine, const assay_workload_t *work,
                        const assay_layout_t *layout, assay_estimate_t *out);
/** The recipe: bytes of each trained parameter, by what they are for. With ZeRO 3 the master copy
 * is the weights. */
void assay_train_state(const assay_workload_t *work, double *out_weight, double *out_master,
                       double *out_gradient, double *out_moments);

/** Bytes of a checkpoint of the run: weights that are trained, master copy, moments. */
double assay_train_checkpoint_bytes(const assay_workload_t *work);

#ifdef __cplusplus
}
#endif
#endif
