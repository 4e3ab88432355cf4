/* What the files of this module share: how a dtype is kept in memory, the operations, memory. */
#ifndef TRAIN_PARTS_H
#define TRAIN_PARTS_H

#include "assay/job.h" /* assay_recompute_t */
#include "assay/physics.h"
#include "assay/train.h"

/**
 * Mixed-precision training as Megatron does it: weights in the activations' type, gradients
 * accumulated in fp32, Adam with an fp32 master copy and two moments. Types below 16 bit are used
 * inside the linear layers only: weights, activations, attention and the head stay in bf16.
 * Full-precision types are their own master copy.
 */
typedef struct {
    /* per parameter; master: the fp32 copy of a narrower weight; moments: Adam's two */
    double weight_bytes, master_bytes, grad_bytes, moment_bytes;
    double act_bytes;     /* of one stored activation */
    double operand_bytes; /* of one operand of a linear layer's GEMM */
    double update_bytes; /* moved by one Adam update of one parameter, zeroing the gradient aside */
    assay_dtype_t wide;  /* of attention and head */
    double reduce_bytes; /* of a gradient that is sent */
    double state_bytes;  /* of update_bytes: weight, master copy and moments */
} train_dtype_t;
const train_dtype_t *train_dtype(assay_dtype_t dtype);
/** The same as the job's recipe keeps it: master copy, gradients, moments, where they are. */
train_dtype_t train_state(const assay_workload_t *work);

typedef enum { TRAIN_GEMM, TRAIN_ATTENTION, TRAIN_STREAM } train_op_kind_t;
typedef enum { TRAIN_EMBED, TRAIN_LAYER, TRAIN_HEAD, TRAIN_PLACE_N } train_place_t;

/* One operation on one device for one micro-batch. */
typedef struct {
    const char *name;
    uint8_t kind, place;
    bool cheap;        /* output dropped and computed again when selective */
    bool frozen;       /* no gradient of its weight */
    bool expert;       /* its weights are those of experts */
    bool last;         /* the last GEMM of its layer */
    assay_gemm_t gemm; /* forward */
    assay_attention_t attention;
    double forward_bytes, backward_bytes; /* streams */
    double flops;                         /* forward, streams; about */
    double kernels; /* streams: the bytes are split evenly over so many; attention: so many alike */
    double share;   /* of the model's layers, those that have it; 1 outside the layers */
} train_op_t;

/* 0 and 1 mean the same in a layout; experts are cut by as many as the rest unless it says so. */
static inline uint32_t train_cp(const assay_layout_t *layout) {
    return layout->cp > 1 ? layout->cp : 1;
}
static inline uint32_t train_ep(const assay_layout_t *layout) {
    return layout->ep > 1 ? layout->ep : 1;
}
static inline uint32_t train_etp(const assay_layout_t *layout) {
    return layout->etp ? layout->etp : layout->tp;
}
/** Pieces that a stage's layers are cut into. */
static inline uint32_t train_pieces(const assay_layout_t *layout) {
    return layout->schedule == ASSAY_SCHEDULE_DUALPIPEV ? 2 : layout->vpp;
}
/** Stages that a device of a pipeline holds, its own and, of DualPipe, that of its mirror image. */
static inline uint32_t train_stages_held(const assay_layout_t *layout) {
    return layout->schedule == ASSAY_SCHEDULE_DUALPIPE ? 2 : 1;
}
/** Do both ends of the model lie on the same device? */
static inline bool train_ends_meet(const assay_layout_t *layout) {
    return layout->pp == 1 || layout->schedule == ASSAY_SCHEDULE_DUALPIPE ||
           layout->schedule == ASSAY_SCHEDULE_DUALPIPEV;
}
/** Devices of one place in the pipeline besides tp. */
static inline uint32_t train_ranks(const assay_layout_t *layout) {
    return layout->dp * train_cp(layout);
}
/** Devices that hold the same part of what is not an expert, and of an expert. */
static inline uint32_t train_copies(const assay_layout_t *layout) {
    return train_ranks(layout) * train_stages_held(layout);
}
static inline uint32_t train_expert_copies(const assay_layout_t *layout) {
    const uint32_t copies =
        train_copies(layout) * layout->tp / (train_ep(layout) * train_etp(layout));
    return copies ? copies : 1;
}
static inline uint32_t train_expert_stride(const assay_layout_t *layout) {
    return train_ep(layout) * train_etp(layout);
}
/** Of these, how many share out one copy of what ZeRO shards. */
static inline uint32_t train_shards(const assay_layout_t *layout) {
    return layout->shard ? layout->shard : train_copies(layout);
}
static inline uint32_t train_expert_shards(const assay_layout_t *layout) {
    const uint32_t copies = train_expert_copies(layout);
    return layout->shard && layout->shard < copies ? layout->shard : copies;
}
/** Tokens that attend to each other: of one packed sample, or the sequence. */
static inline double train_sample(const assay_workload_t *work) {
    return work->sample > 0 && work->sample < work->sequence ? work->sample : work->sequence;
}

/** Is only a small part trained beside weights that stand still? */
/* Of the layers, those that full recompute repeats. */
static inline double train_recompute_share(const assay_workload_t *work) {
    const double layers = work->recipe.recompute_layers, all = work->model.layers;
    return layers > 0 && layers < all ? layers / all : 1;
}

static inline bool train_tunes_adapters(const assay_workload_t *work) {
    return work->recipe.method != ASSAY_METHOD_FULL;
}
/* 4 bit and 0.127 bit of doubly quantised scales: QLoRA, arXiv 2305.14314, section 3. */
#define NF4_BYTES ((4 + 0.127) / 8)
/** Of a frozen weight of a matrix. What is never updated needs no copy beside the one that the
 * 8-bit products read (NVIDIA/TransformerEngine fp8_model_init; MLPerf's Llama 2 70B LoRA holds 70
 * GB). */
static inline double train_frozen_bytes(const assay_workload_t *work, const train_dtype_t *type) {
    return work->recipe.method == ASSAY_METHOD_QLORA ? NF4_BYTES
           : assay_dtype_bytes(work->dtype) <= 1     ? 1
                                                     : type->weight_bytes;
}
/** What the optimizer steps: bytes of adapters in fp32 without a master copy
 * (huggingface/peft autocast_adapter_dtype), else as train_state. */
train_dtype_t train_tuned_state(const assay_workload_t *work);
/** Parameters of adapters beside the matrices of a mean layer, on one device. */
double train_adapter_params(const assay_workload_t *work, const assay_layout_t *layout);

/** Is it a network of operations, not a decoder? */
static inline bool train_is_net(const assay_workload_t *work) {
    return work->net.sample != NULL;
}

/* In a run an operation takes so many times as long as alone. */
typedef struct {
    double gemm, attention, stream;
} train_run_t;
static inline train_run_t train_run(const assay_device_t *device, assay_dtype_t dtype) {
    return (train_run_t){.gemm = 1 + device->calib[ASSAY_CALIB_RUN_GEMM][dtype],
                         .attention = 1 + device->calib[ASSAY_CALIB_RUN_ATTENTION][dtype],
                         .stream = 1 + device->calib[ASSAY_CALIB_RUN_STREAM][dtype]};
}

/** As assay_train_layer, train_layer_memory and assay_train_ops, of a network. */
void net_layer_times(const assay_machine_t *machine, const assay_workload_t *work,
                     const assay_layout_t *layout, assay_train_layer_t *out);
void net_layer_memory(const assay_workload_t *work, const assay_layout_t *layout,
                      assay_train_layer_t *out);
uint32_t net_ops(const assay_machine_t *machine, const assay_workload_t *work,
                 const assay_layout_t *layout, assay_op_t out_op[ASSAY_OP_MAX]);

/** All operations of the embedding, one layer of each kind and the head. Returns their number. */
uint32_t train_op_list(const assay_workload_t *work, const assay_layout_t *layout,
                       train_op_t out_op[ASSAY_OP_MAX]);

/** Of one device, what waits in the memory of its host; the fullest stage's. */
double train_host_bytes(const assay_workload_t *work, const assay_layout_t *layout,
                        const assay_train_layer_t *layer, uint32_t n_micro);
/** Fills the memory part of out (steady and peak) for the fullest stage. device NULL: without what
 * every process carries. */
void train_memory(const assay_device_t *device, const assay_workload_t *work,
                  const assay_layout_t *layout, const assay_train_layer_t *layer,
                  assay_estimate_t *out);

/** How its layers lie in the pieces of a pipeline; the layout is legal. */
static inline assay_split_t train_split(const assay_workload_t *work,
                                        const assay_layout_t *layout) {
    assay_split_t split;
    (void)assay_layout_split(work->model.layers, layout->pp * train_pieces(layout), &split);
    return split;
}

/** Of the model's ends, how many does a micro-batch meet on the device of a stage, on average? Of
 * DualPipe half of them come to each end first. */
static inline double train_embed_share(const assay_layout_t *layout, uint32_t stage) {
    const bool first = stage == 0, last = stage == layout->pp - 1u;
    return layout->schedule == ASSAY_SCHEDULE_DUALPIPE && (first || last) ? .5 : first;
}
static inline double train_head_share(const assay_layout_t *layout, uint32_t stage) {
    return train_ends_meet(layout) ? train_embed_share(layout, stage) : stage == layout->pp - 1u;
}

/** Layers that a micro-batch goes through on the device of a stage (0 .. pp - 1). */
static inline double train_stage_layers(const assay_workload_t *work, const assay_layout_t *layout,
                                        uint32_t stage) {
    const assay_split_t split = train_split(work, layout);
    return (double)split.layers * train_pieces(layout) -
           split.first_less * train_embed_share(layout, stage) -
           split.last_less * train_head_share(layout, stage);
}
/** Layers that it holds. */
static inline double train_layers_held(const assay_workload_t *work, const assay_layout_t *layout,
                                       uint32_t stage) {
    return train_stages_held(layout) * train_stage_layers(work, layout, stage);
}

/**
 * The stages among which are the slowest and the fullest: the first (it holds most micro-batches,
 * and the table), the last (the head), and, where the ends have fewer layers, the
 * second.
 */
static inline uint32_t train_extreme_stages(const assay_workload_t *work,
                                            const assay_layout_t *layout, uint32_t out_stage[3]) {
    uint32_t n = 0;
    out_stage[n++] = 0;
    if (layout->pp > 2 && train_split(work, layout).last_less > 0) {
        out_stage[n++] = 1;
    }
    if (layout->pp > 1) {
        out_stage[n++] = layout->pp - 1u;
    }
    return n;
}

/** Parameters on one device of a stage (0 .. pp - 1). */
static inline double train_stage_params(const assay_workload_t *work, const assay_layout_t *layout,
                                        const assay_train_layer_t *layer, uint32_t stage) {
    const uint32_t last = layout->pp - 1u;
    double params = layer->layer_params * train_layers_held(work, layout, stage);
    if (train_embed_share(layout, stage) > 0) {
        params += layer->embed_params;
    }
    if (train_head_share(layout, stage) > 0) {
        params += layer->head_params;
    }
    if (stage == last && !train_ends_meet(layout) && work->model.tied_embeddings) {
        params += layer->table_params; /* the last stage's copy */
    }
    return params;
}

/** Those of them that are trained. */
static inline double train_stage_trained(const assay_workload_t *work, const assay_layout_t *layout,
                                         const assay_train_layer_t *layer, uint32_t stage) {
    return train_tunes_adapters(work)
               ? layer->adapter_params * train_layers_held(work, layout, stage)
               : train_stage_params(work, layout, layer, stage);
}

/** Bytes of the weights on one device of a stage, with those that stand still. */
double train_stage_weight_bytes(const assay_workload_t *work, const assay_layout_t *layout,
                                const assay_train_layer_t *layer, uint32_t stage);

/* PyTorch's DistributedDataParallel, which trains networks: bucket_cap_mb (torch/nn/parallel). */
#define TRAIN_DDP_BUCKET_BYTES (25.0 * 1048576)
/** Gradients travel in buckets of this many elements: the job's, or as many as Megatron's
 * DistributedDataParallel takes, so large that their latency does not count. */
static inline double train_bucket(const assay_workload_t *work, const assay_layout_t *layout,
                                  double bytes_each) {
    const double copies = train_copies(layout);
    return work->recipe.bucket_bytes > 0 ? work->recipe.bucket_bytes / bytes_each
           : train_is_net(work)          ? TRAIN_DDP_BUCKET_BYTES / bytes_each
           : copies > 40                 ? 1e6 * copies
                                         : 40e6;
}

/* What a stage has to do with the host in a step, and what that may hide behind. */
typedef struct {
    double updated;      /* parameters that the host updates for this device */
    double weight_bytes; /* of the weights that come from the host for a pass; 0: they stay here */
    double activation_bytes; /* that leave in a forward pass and come back in its backward pass */
    double layers;           /* of the stage: the last of a pass has nothing to hide behind */
    double n_micro;
    double forward_s, backward_s; /* of one micro-batch */
} train_offload_t;
/** Does a step have anything to do with the host? */
static inline bool train_offloads(const assay_workload_t *work) {
    return work->recipe.offload != ASSAY_OFFLOAD_NONE || work->recipe.host_activations;
}
/** Seconds that show of it; link, update: over the central rates of machine. */
double train_offload_s(const assay_machine_t *machine, const assay_workload_t *work,
                       const train_offload_t *offload, double link, double update);

/** Under a lower cap of the package: the layout again, at the clock that draws no more than it. */
void train_lower_clock(const assay_machine_t *machine, const assay_workload_t *work,
                       const assay_layout_t *layout, assay_estimate_t *io);
/** The estimate where the matrix units run at `clock`; machine and layer are of that clock. */
void train_estimate_at(const assay_machine_t *machine, const assay_workload_t *work,
                       const assay_layout_t *layout, const assay_train_layer_t *layer, double clock,
                       assay_estimate_t *out);

/** Muon's products over the matrices of a mean layer. */
void train_muon_layer(const assay_machine_t *machine, const assay_workload_t *work,
                      const assay_layout_t *layout, assay_train_layer_t *io);

/** Fills the memory figures of a layer: parameters and activation bytes. */
void train_layer_memory(const assay_workload_t *work, const assay_layout_t *layout,
                        assay_train_layer_t *out);

#endif
