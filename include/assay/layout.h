/** How a training job lies on the devices, and what is predicted for that. */
#ifndef ASSAY_LAYOUT_H
#define ASSAY_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/dist.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint16_t tp, pp, vpp; /* tensor, pipeline, interleave (1 = plain 1F1B) */
    uint16_t cp;          /* devices that share out a sequence; 0 and 1: none */
    uint16_t ep;          /* devices that share out the experts; 0 and 1: none */
    uint16_t etp;         /* tensor parallelism of the experts; 0: as tp */
    uint32_t dp, micro_batch, n_micro;
    uint32_t shard;    /* ZeRO: devices that share out one copy of the state (hybrid); 0: dp x cp */
    uint8_t zero;      /* 0..3 */
    uint8_t recompute; /* assay_recompute_t */
    uint8_t cp_comm;   /* assay_cp_comm_t */
    uint8_t schedule;  /* assay_schedule_t */
    bool sequence_parallel;
} assay_layout_t;

/** A search constraint; 0 or -1 = free. */
typedef struct {
    uint16_t tp, pp, vpp, cp, ep, etp;
    uint32_t dp, micro_batch, shard;
    int8_t zero, recompute, sequence_parallel, cp_comm, schedule; /* -1 = free */
} assay_layout_pin_t;

/**
 * Interleaved: micro-batches that run through one chunk before the next one's turn, the fewest that
 * leave the last group none or at least stages, as Megatron-Core asks (its
 * pipeline_parallel/schedules.py, microbatch_group_size_per_vp_stage).
 */
uint32_t assay_layout_group(uint32_t stages, uint32_t micro);

/**
 * How a model's layers lie in the chunks of a pipeline, stages x interleave of them: all hold as
 * many, but the first and the last, beside which the embedding and the head are.
 *   - the layers divide: all alike
 *   - two more than them would: embedding and head take the place of one layer each
 *     (Megatron-Core's account_for_embedding_in_pipeline_split and its twin for the loss; DeepSpeed
 *     by "transformer|embedding"): 126 layers lie on 8 stages as 15, 16 x 6, 15
 *   - else chunks of as many layers as it takes, of which the last has what is left, and the first
 *     goes without what the last has not (NVIDIA-NeMo/Megatron-Bridge, layouts of 61 layers: 4 x
 *     15, 1 on 16 chunks; 1, 2 x 30, 0 on 32)
 * false: no such split.
 */
typedef struct {
    uint32_t layers;                /* of a chunk between the two */
    uint32_t first_less, last_less; /* than that */
} assay_split_t;
bool assay_layout_split(uint32_t layers, uint32_t chunks, assay_split_t *out);

/* Parts of the step time, exposed seconds; they sum to the step. */
#define ASSAY_TIME_LIST(X)          \
    X(GEMM, "gemm")                 \
    X(ATTENTION, "attention")       \
    X(MEMORY_BOUND, "memory_bound") \
    X(RECOMPUTE, "recompute")       \
    X(TP_COMM, "tp_comm")           \
    X(CP_COMM, "cp_comm")           \
    X(EP_COMM, "ep_comm")           \
    X(PP_BUBBLE, "pp_bubble")       \
    X(PP_COMM, "pp_comm")           \
    X(DP_COMM, "dp_comm")           \
    X(OPTIMIZER, "optimizer")       \
    X(OFFLOAD, "offload")           \
    X(HOST, "host")
typedef enum {
#define ASSAY_TIME_ENUM(code, name) ASSAY_TIME_##code,
    ASSAY_TIME_LIST(ASSAY_TIME_ENUM)
#undef ASSAY_TIME_ENUM
        ASSAY_TIME_N
} assay_time_part_t;
const char *assay_time_part_name(assay_time_part_t part);

/* Parts of a device's memory, bytes of the fullest device; they sum to the total. */
#define ASSAY_MEMORY_LIST(X)            \
    X(WEIGHTS, "weights")               \
    X(GRADIENTS, "gradients")           \
    X(OPTIMIZER, "optimizer_state")     \
    X(ACTIVATIONS, "activations")       \
    X(LOGITS, "logits")                 \
    X(GATHERED, "gathered_layers")      \
    X(CONTEXT, "context_and_libraries") \
    X(FRAGMENTATION, "fragmentation")
typedef enum {
#define ASSAY_MEMORY_ENUM(code, name) ASSAY_MEMORY_##code,
    ASSAY_MEMORY_LIST(ASSAY_MEMORY_ENUM)
#undef ASSAY_MEMORY_ENUM
        ASSAY_MEMORY_N
} assay_memory_part_t;
const char *assay_memory_part_name(assay_memory_part_t part);

/* Why a layout is refused. {need} and {have} are in estimate.need / have. */
#define ASSAY_REJECT_LIST(X)                                                                     \
    X(NONE, "none", "fits")                                                                      \
    X(DEVICES, "devices", "tp x cp x pp x dp must equal the number of devices")                  \
    X(HEADS, "heads", "tp must divide the attention heads (and the KV heads or their multiple)") \
    X(WIDTH, "width", "tp must divide the FFN width")                                            \
    X(LAYERS, "layers",                                                                          \
      "pp x interleave must leave all stages but the first and the last as many layers")         \
    X(BATCH, "batch", "dp x micro-batch must divide the global batch")                           \
    X(INTERLEAVE, "interleave", "interleaving needs pp > 1 and at least pp micro-batches")       \
    X(SCHEDULE, "schedule",                                                                      \
      "zero bubble and DualPipe need pp > 1, no interleave, and many micro-batches")             \
    X(ZERO, "zero", "ZeRO 2 and 3 do not combine with a pipeline")                               \
    X(SHARD, "shard", "shards of ZeRO must divide the devices that hold the same weights")       \
    X(TP_NODE, "tp_node", "tp must stay inside one scale-up domain")                             \
    X(SEQUENCE, "sequence", "sequence parallelism needs tp > 1 and tp dividing the sequence")    \
    X(CONTEXT, "context", "2 x cp must divide the sequence, all-to-all needs tp x cp heads")     \
    X(WINDOW, "window", "keys that go round a ring do not combine with attention windows")       \
    X(EXPERTS, "experts", "ep must divide the experts, ep x etp the devices of a stage")         \
    X(ROUTING, "routing", "experts with tp > 1 need sequence parallelism, etp at most tp")       \
    X(NETWORK, "network", "networks of operations are not split: tp, pp, cp and ep must be 1")   \
    X(HOST_MEMORY, "host_memory", "what waits in the host exceeds its memory")                   \
    X(MEMORY, "memory", "peak memory exceeds the device's")
typedef enum {
#define ASSAY_REJECT_ENUM(code, name, sentence) ASSAY_REJECT_##code,
    ASSAY_REJECT_LIST(ASSAY_REJECT_ENUM)
#undef ASSAY_REJECT_ENUM
        ASSAY_REJECT_N
} assay_reject_t;
/** Whether need and have are bytes; else they are counts. */
static inline bool assay_reject_is_memory(assay_reject_t reject) {
    return reject == ASSAY_REJECT_HOST_MEMORY || reject == ASSAY_REJECT_MEMORY;
}
const char *assay_reject_name(assay_reject_t reject);
const char *assay_reject_sentence(assay_reject_t reject);

typedef struct {
    assay_layout_t layout;
    uint8_t reject;    /* assay_reject_t; when not NONE (or MEMORY) the times are 0 */
    double need, have; /* the two numbers that decided */
    double step_s;
    double time_s[ASSAY_TIME_N];
    double steady_bytes[ASSAY_MEMORY_N], peak_bytes[ASSAY_MEMORY_N];
    double steady_total_bytes, peak_total_bytes;
    double tokens_per_s; /* of the whole job */
    const char *sample;  /* what is counted instead of tokens: "image", "sequence"; NULL: tokens */
    /* Model FLOPs (hfu: and those of recompute) over the dense peak at the job's dtype. Attention
       is counted causal, as it runs, so that neither can exceed 1; PaLM's figure, which counts all
       of it, is mfu x model_flops_per_token / causal_flops_per_token. */
    double mfu, hfu;
    double compute_share;    /* A2's density: GEMM + attention share of the time the device is busy,
                                which is all but bubble, offload and host */
    double device_w;         /* mean per device while training; the loss in "host" counts as busy */
    double clock;            /* of the matrix units over that at the usual power cap; 1 = no lower
                                cap binds */
    double rel_p10, rel_p90; /* interval of (true step)/(predicted step) */
    uint8_t basis;
} assay_estimate_t;

#ifdef __cplusplus
}
#endif
#endif
