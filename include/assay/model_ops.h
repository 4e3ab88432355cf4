/**
 * The one list of what a model consists of: its tensors and the operations that use them, by kind
 * of layer. Counting parameters, bytes, FLOPs and KV bytes, the step models of training and
 * serving, and memory all walk this list, so that they cannot disagree.
 *
 * Letters as in assay/model.h. Units: parameters, bytes, FLOPs; FLOPs count 2 per multiply-add.
 */
#ifndef ASSAY_MODEL_OPS_H
#define ASSAY_MODEL_OPS_H

#include "assay/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Layers that are alike; a model has few kinds (dense and MoE, full and window). */
typedef struct {
    uint32_t layers; /* of this kind */
    uint32_t window; /* 0: attends to all that came before */
    bool moe;
    bool linear; /* linear attention or state space: constant state instead of KV */
} assay_layer_kind_t;
#define ASSAY_LAYER_KIND_MAX 8
/** Returns the number written; their layers sum to the model's. */
uint32_t assay_model_layer_kinds(const assay_model_t *model,
                                 assay_layer_kind_t out_kind[ASSAY_LAYER_KIND_MAX]);

/* What an operation does; the streams differ in how often they pass over their n elements. */
typedef enum {
    ASSAY_OP_GEMM,      /* tokens x k times k x n */
    ASSAY_OP_GROUPED,   /* the same per expert, on the tokens that visit it */
    ASSAY_OP_ATTENTION, /* scores and values */
    ASSAY_OP_LINEAR,    /* linear attention: short convolution and recurrence of the state */
    ASSAY_OP_GATHER,    /* embedding look-up */
    ASSAY_OP_NORM,      /* streams from here on */
    ASSAY_OP_ROTARY,
    ASSAY_OP_ACTIVATION, /* with its gate where the model has one: n is its output */
    ASSAY_OP_RESIDUAL
} assay_op_kind_t;

/* How tensor parallelism (experts: expert parallelism, then tensor) divides an operation. */
typedef enum {
    ASSAY_SHARD_NONE, /* every rank holds and computes it: norms, router, MLA's down projections */
    ASSAY_SHARD_COLUMN, /* n is divided, its KV heads as far as there are any */
    ASSAY_SHARD_ROW,    /* k is divided; its output is summed over the ranks */
    ASSAY_SHARD_VOCAB,  /* n of the head, k of the table */
    ASSAY_SHARD_EXPERT
} assay_shard_t;

/* Which part of a checkpoint; quantisation schemes keep some of them in 16 bit. */
typedef enum {
    ASSAY_PART_EMBEDDING,
    ASSAY_PART_ATTENTION,
    ASSAY_PART_MLP,
    ASSAY_PART_EXPERT,
    ASSAY_PART_SHARED_EXPERT,
    ASSAY_PART_ROUTER,
    ASSAY_PART_NORM,
    ASSAY_PART_HEAD,
    ASSAY_PART_VISION, /* tower and projector of a multimodal model */
    ASSAY_PART_OTHER,
    ASSAY_PART_N
} assay_part_t;
const char *assay_part_name(assay_part_t part);

typedef struct {
    const char *name; /* "qkv", "kv_down", "mlp_up", "attention_norm" */
    uint8_t kind, shard, part;
    uint8_t layer_kind; /* index into the layer kinds; ASSAY_OP_ONCE: outside the layers */
    double k, n;        /* GEMM: of one matrix; streams: n elements wide, k 0 */
    double n_kv;        /* of n: that of KV heads, which repeat where ranks exceed them */
    double matrices;    /* alike, in one layer: 1, or the experts */
    double visited;     /* of them, by one token: 1, or top_k */
    double params;      /* in one layer, biases included; 0 where there are none or they are tied */
} assay_model_op_t;
#define ASSAY_OP_ONCE 0xff
#define ASSAY_MODEL_OP_MAX 160
/** Operations of one layer of each kind, then those outside. Returns the number written. */
uint32_t assay_model_ops(const assay_model_t *model, assay_model_op_t out_op[ASSAY_MODEL_OP_MAX]);

/** k and n of one matrix (n of a stream) on one of tp ranks. */
void assay_model_op_shape(const assay_model_t *model, const assay_model_op_t *op, uint32_t tp,
                          double *out_k, double *out_n);
/** KV heads that one of tp ranks holds: at least one, so they are copied where tp exceeds them. */
double assay_model_kv_heads(const assay_model_t *model, uint32_t tp);

/** Parameters by part; their sum is assay_model_count's total. */
void assay_model_part_params(const assay_model_t *model, double out_params[ASSAY_PART_N]);

/** What a checkpoint really holds. Filled from safetensors or GGUF, or from dtype and quantisation.
 */
typedef struct {
    double part_bytes[ASSAY_PART_N], part_params[ASSAY_PART_N];
    double total_bytes;
    const char *dtype;  /* of most bytes: "bf16", "fp8", "q4_k" */
    const char *source; /* "safetensors headers", "config.json quantization_config", "given" */
    bool measured;      /* read from the files themselves, not derived */
} assay_checkpoint_t;

/**
 * Key and value elements of one token in one layer of that kind, as one of tp ranks holds them: GQA
 * 2 ceil(KV/tp) d; MLA lora + rope on every rank; linear 0.
 */
double assay_model_kv_elements(const assay_model_t *model, const assay_layer_kind_t *kind,
                               uint32_t tp);
/**
 * KV bytes of a sequence of `tokens` on one of tp ranks, all layers: windows are cut, states added
 * (fp32, as the kernels of flash-linear-attention keep them; the short convolution's last inputs
 * in bytes_each).
 */
double assay_model_kv_bytes(const assay_model_t *model, double tokens, double bytes_each,
                            uint32_t tp);

#ifdef __cplusplus
}
#endif
#endif
