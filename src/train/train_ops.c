/* The operations of a decoder layer, its embedding and its head, as one list that times, roofline
   and recompute all read: the model's own, sized for one device and one micro-batch. */
#include <assert.h>
#include <math.h>

#include "assay/model_ops.h"
#include "train/parts.h"

/* weight, master, gradient, moments, activation, operand, update, wide.
   Update: norm and clip read the gradient three times in all and write it once, Adam reads it and
   reads and writes its state and the weight copy (the list of passes of SimuMax's optimizer). */
static const train_dtype_t dtypes[ASSAY_DT_N] = {
    [ASSAY_DT_FP64] = {8, 0, 8, 16, 8, 8, 4 * 8 + 2 * 16 + 2 * 8, ASSAY_DT_FP64},
    [ASSAY_DT_FP32] = {4, 0, 4, 8, 4, 4, 4 * 4 + 2 * 8 + 2 * 4, ASSAY_DT_FP32},
    [ASSAY_DT_TF32] = {4, 0, 4, 8, 4, 4, 4 * 4 + 2 * 8 + 2 * 4, ASSAY_DT_TF32},
    [ASSAY_DT_FP16] = {2, 4, 4, 8, 2, 2, 4 * 4 + 2 * 12 + 2, ASSAY_DT_FP16},
    [ASSAY_DT_BF16] = {2, 4, 4, 8, 2, 2, 4 * 4 + 2 * 12 + 2, ASSAY_DT_BF16},
    [ASSAY_DT_FP8] = {2, 4, 4, 8, 2, 1, 4 * 4 + 2 * 12 + 2, ASSAY_DT_BF16},
    [ASSAY_DT_FP6] = {2, 4, 4, 8, 2, .75, 4 * 4 + 2 * 12 + 2, ASSAY_DT_BF16},
    [ASSAY_DT_FP4] = {2, 4, 4, 8, 2, .5, 4 * 4 + 2 * 12 + 2, ASSAY_DT_BF16},
    [ASSAY_DT_INT8] = {2, 4, 4, 8, 2, 1, 4 * 4 + 2 * 12 + 2, ASSAY_DT_BF16},
};

const train_dtype_t *train_dtype(assay_dtype_t dtype) {
    assert((unsigned)dtype < ASSAY_DT_N);
    return &dtypes[dtype];
}

/* Bytes of optimizer state beside the master copy, in fp32 and in bf16. 8 bit: a byte a moment and
   a scale for each 256 (bitsandbytes functional.py, blockwise). Paged: in managed memory, which
   leaves for the host when the device is full (bitsandbytes docs, optimizers). Adafactor: a row and
   a column (arXiv 1804.04235). Muon: one momentum. */
static const double moment_bytes[ASSAY_OPTIMIZER_N][2] = {
    [ASSAY_OPTIMIZER_ADAM] = {8, 4},
    [ASSAY_OPTIMIZER_ADAM8BIT] = {2 + 2 * 4.0 / 256, 2 + 2 * 4.0 / 256},
    [ASSAY_OPTIMIZER_PAGED] = {0, 0},
    [ASSAY_OPTIMIZER_ADAFACTOR] = {0, 0},
    [ASSAY_OPTIMIZER_MUON] = {4, 2},
    [ASSAY_OPTIMIZER_SGD] = {0, 0},
    [ASSAY_OPTIMIZER_MOMENTUM] = {4, 2},
    [ASSAY_OPTIMIZER_LAMB] = {8, 4},
};
/* LAMB writes its step before it takes it: the step and the weights are read for their norms, then
   for the update, in fp32 (NVIDIA/apex csrc/multi_tensor_lamb.cu, stages 1 and 2). */
#define LAMB_BYTES (5 * 4.0)

train_dtype_t train_state(const assay_workload_t *work) {
    const assay_recipe_t *recipe = &work->recipe;
    train_dtype_t type = *train_dtype(work->dtype);
    if (recipe->no_master) {
        type.master_bytes = 0;
    }
    if (recipe->bf16_gradients) {
        type.grad_bytes = 2;
    }
    if (work->dtype != ASSAY_DT_FP64) {
        type.moment_bytes = moment_bytes[recipe->optimizer][recipe->bf16_moments];
    }
    type.reduce_bytes = recipe->bf16_reduce && type.grad_bytes > 2 ? 2 : type.grad_bytes;
    const double weight_passes = type.master_bytes > 0 ? 1 : 2;
    type.state_bytes = 2 * (type.master_bytes + type.moment_bytes) +
                       weight_passes * type.weight_bytes +
                       (recipe->optimizer == ASSAY_OPTIMIZER_LAMB ? LAMB_BYTES : 0);
    type.update_bytes = 4 * type.grad_bytes + type.state_bytes;
    return type;
}

train_dtype_t train_tuned_state(const assay_workload_t *work) {
    train_dtype_t type = train_state(work);
    if (train_tunes_adapters(work)) {
        type.weight_bytes = 4;
        type.master_bytes = 0;
        type.state_bytes = 2 * type.moment_bytes + 2 * type.weight_bytes;
        type.update_bytes = 4 * type.grad_bytes + type.state_bytes;
    }
    return type;
}

void assay_train_state(const assay_workload_t *work, double *out_weight, double *out_master,
                       double *out_gradient, double *out_moments) {
    const train_dtype_t type = train_tuned_state(work);
    *out_weight = type.weight_bytes;
    *out_master = type.master_bytes;
    *out_gradient = type.grad_bytes;
    *out_moments = type.moment_bytes;
}

typedef struct {
    train_op_t *op;
    uint32_t n;
    double share; /* of the model's layers: those of the kind that is being listed */
    const assay_workload_t *work;
} list_t;

/* Of an operand of a GEMM: a number format's, scales of groups among them, else its plain type's.
 */
static double operand_bytes(const assay_workload_t *work, assay_dtype_t dtype) {
    const double format = dtype == work->dtype ? work->recipe.operand_bytes : 0;
    return format > 0 ? format : train_dtype(dtype)->operand_bytes;
}

static train_op_t *add(list_t *list, const char *name, train_op_kind_t kind, train_place_t place) {
    assert(list->n < ASSAY_OP_MAX);
    train_op_t *op = &list->op[list->n++];
    *op = (train_op_t){.name = name,
                       .kind = (uint8_t)kind,
                       .place = (uint8_t)place,
                       .kernels = 1,
                       .share = list->share};
    return op;
}

static train_op_t *add_gemm(list_t *list, const char *name, train_place_t place, double m, double n,
                            double k, double batch, assay_dtype_t dtype) {
    const double operand = operand_bytes(list->work, dtype);
    train_op_t *op = add(list, name, TRAIN_GEMM, place);
    op->gemm =
        (assay_gemm_t){m, n, k, batch, dtype, operand, operand, train_dtype(dtype)->act_bytes};
    return op;
}

/* A memory-bound kernel: passes over so many bytes, forward and backward. */
static train_op_t *add_stream(list_t *list, const char *name, train_place_t place, double bytes,
                              double forward, double backward, double flops) {
    train_op_t *op = add(list, name, TRAIN_STREAM, place);
    op->forward_bytes = forward * bytes;
    op->backward_bytes = backward * bytes;
    op->flops = flops;
    return op;
}

/* Passes of memory-bound kernels, one read or write of a tensor each, and FLOPs of an element as
   Calculon counts them (norm 9, GeLU 8, softmax 5). */
typedef struct {
    double forward, backward, flops;
} passes_t;

static passes_t passes_of(const assay_model_t *model, assay_op_kind_t kind) {
    switch (kind) {
    case ASSAY_OP_NORM:
        return (passes_t){2, 3, 9};
    case ASSAY_OP_ROTARY:
        return (passes_t){2, 2, 3};
    case ASSAY_OP_ACTIVATION:
        return model->gated ? (passes_t){3, 5, 9} : (passes_t){2, 3, 8};
    default:
        assert(kind == ASSAY_OP_RESIDUAL);
        return (passes_t){3, 3, 1};
    }
}

static train_place_t place_of(const assay_model_op_t *op) {
    return op->layer_kind != ASSAY_OP_ONCE    ? TRAIN_LAYER
           : op->part == ASSAY_PART_EMBEDDING ? TRAIN_EMBED
                                              : TRAIN_HEAD;
}

/* What the operations are sized for. */
typedef struct {
    const assay_workload_t *work;
    const assay_layout_t *layout;
    const train_dtype_t *type;
    double tokens; /* that a tensor-parallel group works on */
    double local;  /* of a device outside the regions of tensor parallelism */
    double own;    /* of a device, none of them another's too: what it sends to experts */
} sizes_t;

/**
 * Packed samples attend to themselves alone: shorter sequences, more of them. Context parallelism:
 *   ring        keys and values go round; each device has one piece from the front and its mirror
 *               from the back (zig-zag), so that each of the cp turns scores as many pairs as one
 *               causal piece of sequence/cp has
 *   all-to-all  heads are shared out instead, each with its whole sequence
 */
static void add_attention(list_t *list, const sizes_t *size, uint32_t window) {
    const assay_model_t *model = &size->work->model;
    const assay_layout_t *layout = size->layout;
    const bool latent = model->kv_lora > 0;
    const double whole = train_sample(size->work);
    const uint32_t cp = train_cp(layout), tp = layout->tp;
    const bool ring = layout->cp_comm == ASSAY_CP_RING;
    const double heads = (double)model->heads / tp;
    const double kv_heads = latent ? heads : assay_model_kv_heads(model, tp);
    train_op_t *op = add(list, "attention", TRAIN_ATTENTION, TRAIN_LAYER);
    op->kernels = ring ? cp : 1;
    op->attention = (assay_attention_t){
        .batch = layout->micro_batch * (size->work->sequence / whole),
        .sequence = ring ? whole / cp : whole,
        .heads = ring ? heads : heads / cp,
        .kv_heads = ring ? kv_heads : fmax(1, kv_heads / cp),
        .head_dim = latent ? (double)model->qk_nope + model->qk_rope : model->head_dim,
        .v_head_dim = latent ? model->v_head_dim : model->head_dim,
        .window = window,
        .causal = true,
        .fused = !size->work->unfused_attention,
        .dtype = size->type->wide};
}

/* Tokens of one device's experts, all visits counted, on the busiest device. */
static double expert_rows(const sizes_t *size, double visited) {
    return train_etp(size->layout) * size->own * visited * (1 + size->work->expert_overload);
}

/* Gate and up of one MLP or expert, which one product computes. */
static bool leads_up(const assay_model_t *model, const assay_model_op_t *op) {
    const double ffn = op->part == ASSAY_PART_EXPERT          ? model->expert_ffn
                       : op->part != ASSAY_PART_SHARED_EXPERT ? model->ffn
                       : model->shared_ffn                    ? model->shared_ffn
                                           : (double)model->shared_experts * model->expert_ffn;
    return (uint32_t)op->k == model->hidden &&
           (uint32_t)op->n == (uint32_t)(ffn * (model->gated ? 2 : 1));
}

/* An adapter has two thin matrices for each of the matrices that one product joins: query, key and
   value; gate and up. */
static double joined_matrices(const assay_model_t *model, const assay_model_op_t *op) {
    if (op->part == ASSAY_PART_ATTENTION) {
        return op->n_kv > 0 ? 3 : 1;
    }
    return model->gated && leads_up(model, op) ? 2 : 1;
}

static bool has_adapter(const assay_workload_t *work, const assay_model_op_t *op) {
    switch (op->part) {
    case ASSAY_PART_ATTENTION:
        return work->recipe.lora_attention;
    case ASSAY_PART_MLP:
    case ASSAY_PART_EXPERT:
    case ASSAY_PART_SHARED_EXPERT:
        return work->recipe.lora_mlp;
    default:
        return false;
    }
}

/* A product whose weight stands still: in 4 bit it is written out in 16 for each use (bitsandbytes,
   dequantize_4bit). Beside it x A B: what comes of that is scaled (2 passes) and added (3); the
   gradient of the input likewise (huggingface/peft tuners/lora/layer.py, Linear.forward). */
static void add_tuned(list_t *list, const sizes_t *size, const assay_model_op_t *op,
                      assay_gemm_t base) {
    const assay_workload_t *work = size->work;
    const double act = size->type->act_bytes;
    list->op[list->n - 1].frozen = true;
    if (work->recipe.method == ASSAY_METHOD_QLORA && op->layer_kind != ASSAY_OP_ONCE) {
        add_stream(list, "dequantize", TRAIN_LAYER, base.k * base.n * base.batch, NF4_BYTES + act,
                   NF4_BYTES + act, base.k * base.n * base.batch);
    }
    if (!has_adapter(work, op)) {
        return;
    }
    const double joined = joined_matrices(&work->model, op), rank = work->recipe.lora_rank;
    const double rows = base.m * base.batch;
    add_gemm(list, "adapter_down", TRAIN_LAYER, base.m, rank, base.k, base.batch * joined,
             size->type->wide);
    add_gemm(list, "adapter_up", TRAIN_LAYER, base.m, base.n / joined, rank, base.batch * joined,
             size->type->wide);
    add_stream(list, "adapter_sum", TRAIN_LAYER, rows * base.n * act, 5, 2 + 3 * base.k / base.n,
               2 * rows * base.n);
}

static void add_grouped(list_t *list, const sizes_t *size, const assay_model_op_t *op) {
    const double etp = train_etp(size->layout);
    const double experts = op->matrices / train_ep(size->layout);
    const bool up = leads_up(&size->work->model, op);
    train_op_t *product =
        add_gemm(list, op->name, TRAIN_LAYER, expert_rows(size, op->visited) / experts,
                 up ? op->n / etp : op->n, up ? op->k : op->k / etp, experts, size->work->dtype);
    product->expert = true;
    if (train_tunes_adapters(size->work)) {
        add_tuned(list, size, op, product->gemm);
    }
}

/* Tokens are copied for each expert that they visit and, where a device has several, sorted by
   expert when they arrive; back the same (Megatron-Core, moe/token_dispatcher.py). Choosing the
   experts passes over the router's fp32 logits: softmax and top-k, 2 reads and 2 writes. */
static void add_dispatch(list_t *list, const sizes_t *size) {
    const assay_model_t *model = &size->work->model;
    const double row = model->hidden * size->type->act_bytes;
    const double sent = size->own * model->top_k * row;
    const double rows = expert_rows(size, model->top_k) * row;
    const bool sorted = train_ep(size->layout) > 1 && model->experts > train_ep(size->layout);
    const double bytes = size->own * row + sent + (sorted ? 2 * rows : 0);
    static const char *const name[] = {"expert_permute", "expert_unpermute"};
    add_stream(list, "router_top_k", TRAIN_LAYER, 4 * size->own * model->experts, 4, 4,
               5 * size->own * model->experts);
    for (int i = 0; i < 2; i++) {
        add_stream(list, name[i], TRAIN_LAYER, bytes, 1, 1,
                   size->own * model->top_k * model->hidden)
            ->kernels = sorted ? 2 : 1;
    }
}

/* Narrow operands are made from bf16 tensors: one read, two copies (plain and transposed) of the
   inputs of a layer's GEMMs, in backward of their output gradients. */
static void add_quantize(list_t *list, uint32_t from, const train_dtype_t *type) {
    double inputs = 0, outputs = 0, kernels = 0;
    for (uint32_t i = from; i < list->n; i++) {
        if (list->op[i].kind == TRAIN_GEMM && list->op[i].place == TRAIN_LAYER) {
            const assay_gemm_t *gemm = &list->op[i].gemm;
            inputs += gemm->m * gemm->batch * gemm->k;
            outputs += gemm->m * gemm->batch * gemm->n;
            kernels++;
        }
    }
    const double operand = operand_bytes(list->work, list->work->dtype);
    if (kernels > 0 && operand < type->act_bytes) {
        add_stream(list, "quantize", TRAIN_LAYER, type->act_bytes + 2 * operand, inputs, outputs, 0)
            ->kernels = kernels;
    }
}

static void add_op(list_t *list, const sizes_t *size, const assay_model_op_t *op,
                   const assay_layer_kind_t *kind) {
    const assay_model_t *model = &size->work->model;
    const train_place_t place = place_of(op);
    const double act = size->type->act_bytes;
    double k, n;
    assay_model_op_shape(model, op, size->layout->tp, &k, &n);
    if (op->kind == ASSAY_OP_GEMM) {
        add_gemm(list, op->name, place, op->shard == ASSAY_SHARD_NONE ? size->local : size->tokens,
                 n, k, 1, place == TRAIN_HEAD ? size->type->wide : size->work->dtype);
        if (train_tunes_adapters(size->work)) {
            add_tuned(list, size, op, list->op[list->n - 1].gemm);
        }
        if (op->part == ASSAY_PART_ROUTER) {
            add_dispatch(list, size);
        }
    } else if (op->kind == ASSAY_OP_GROUPED) {
        add_grouped(list, size, op);
    } else if (op->kind == ASSAY_OP_ATTENTION) {
        add_attention(list, size, kind->window);
    } else if (op->kind == ASSAY_OP_GATHER) {
        add_stream(list, op->name, place, size->tokens * n, 2 * act,
                   train_tunes_adapters(size->work) ? 0 : act + 2 * size->type->grad_bytes, 0);
    } else {
        const passes_t passes = passes_of(model, (assay_op_kind_t)op->kind);
        const double rows = op->shard == ASSAY_SHARD_EXPERT
                                ? expert_rows(size, op->visited) / train_etp(size->layout)
                            : op->shard == ASSAY_SHARD_NONE ? size->local
                                                            : size->tokens;
        const double elements = rows * n;
        add_stream(list, op->name, place, elements * act, passes.forward, passes.backward,
                   passes.flops * elements)
            ->cheap = place == TRAIN_LAYER &&
                      (op->part == ASSAY_PART_NORM || op->kind == ASSAY_OP_ACTIVATION);
    }
}

double train_adapter_params(const assay_workload_t *work, const assay_layout_t *layout) {
    const assay_model_t *model = &work->model;
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    const uint32_t n_op = assay_model_ops(model, op);
    double params = 0;
    (void)assay_model_layer_kinds(model, kind);
    for (uint32_t i = 0; i < n_op; i++) {
        const bool matrix = op[i].kind == ASSAY_OP_GEMM || op[i].kind == ASSAY_OP_GROUPED;
        if (matrix && op[i].layer_kind != ASSAY_OP_ONCE && has_adapter(work, &op[i])) {
            const double ways = op[i].kind == ASSAY_OP_GROUPED
                                    ? (double)train_ep(layout) * train_etp(layout)
                                    : layout->tp;
            const double thin = joined_matrices(model, &op[i]) * op[i].k + op[i].n;
            params += thin * op[i].matrices / ways * kind[op[i].layer_kind].layers / model->layers;
        }
    }
    return work->recipe.lora_rank * params;
}

uint32_t train_op_list(const assay_workload_t *work, const assay_layout_t *layout,
                       train_op_t out_op[ASSAY_OP_MAX]) {
    const assay_model_t *model = &work->model;
    const double tokens = (double)layout->micro_batch * work->sequence / train_cp(layout);
    const double own = tokens / layout->tp;
    const sizes_t size = {
        work, layout, train_dtype(work->dtype), tokens, layout->sequence_parallel ? own : tokens,
        own};
    const double vocab = (double)model->vocab / layout->tp;
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    const uint32_t n_op = assay_model_ops(model, op);
    (void)assay_model_layer_kinds(model, kind);
    list_t list = {out_op, 0, 1, work};

    for (uint32_t i = 0; i < n_op;) {
        const uint8_t of = op[i].layer_kind;
        const uint32_t first = list.n;
        const bool once = of == ASSAY_OP_ONCE;
        list.share = once ? 1 : (double)kind[of].layers / model->layers;
        for (; i < n_op && op[i].layer_kind == of; i++) {
            add_op(&list, &size, &op[i], once ? NULL : &kind[of]);
        }
        for (uint32_t last = list.n; last-- > first && !once;) {
            if (out_op[last].kind == TRAIN_GEMM) {
                out_op[last].last = true;
                break;
            }
        }
        add_quantize(&list, first, size.type);
    }
    /* softmax and cross entropy in fp32, whatever the activations are */
    add_stream(&list, "loss", TRAIN_HEAD, 4 * tokens * vocab, 2, 1, 5 * tokens * vocab);
    return list.n;
}
