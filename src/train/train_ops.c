/* The operations of a decoder layer, its embedding and its head, as one list that times, roofline
   and recompute all read: the model's own, sized for one device and one micro-batch. */
#include <assert.h>

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
};

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
    const double weight_passes = type.master_bytes > 0 ? 1 : 2;
    type.update_bytes = 4 * type.grad_bytes + 2 * (type.master_bytes + type.moment_bytes) +
                        weight_passes * type.weight_bytes;
    return type;
}

void assay_train_state(const assay_workload_t *work, double *out_weight, double *out_master,
                       double *out_gradient, double *out_moments) {
    const train_dtype_t type = train_state(work);
    const bool full = work->recipe.method == ASSAY_METHOD_FULL;
    *out_weight = full ? type.weight_bytes : 4; /* adapters: fp32 without a copy */
    *out_master = full ? type.master_bytes : 0;
    *out_gradient = type.grad_bytes;
    *out_moments = type.moment_bytes;
}

typedef struct {
    train_op_t *op;
    uint32_t n;
} list_t;

static train_op_t *add(list_t *list, const char *name, train_op_kind_t kind, train_place_t place) {
    assert(list->n < ASSAY_OP_MAX);
    train_op_t *op = &list->op[list->n++];
    *op = (train_op_t){.name = name, .kind = (uint8_t)kind, .place = (uint8_t)place, .kernels = 1};
    return op;
}

static void add_gemm(list_t *list, const char *name, train_place_t place, double m, double n,
                     double k, assay_dtype_t dtype) {
    const train_dtype_t *type = train_dtype(dtype);
    add(list, name, TRAIN_GEMM, place)->gemm = (assay_gemm_t){
        m, n, k, 1, dtype, type->operand_bytes, type->operand_bytes, type->act_bytes};
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

static void add_attention(list_t *list, const assay_workload_t *work,
                          const assay_layout_t *layout) {
    const assay_model_t *model = &work->model;
    add(list, "attention", TRAIN_ATTENTION, TRAIN_LAYER)->attention =
        (assay_attention_t){.batch = layout->micro_batch,
                            .sequence = work->sequence,
                            .heads = (double)model->heads / layout->tp,
                            .kv_heads = assay_model_kv_heads(model, layout->tp),
                            .head_dim = model->head_dim,
                            .v_head_dim = model->head_dim,
                            .causal = true,
                            .fused = !work->unfused_attention,
                            .dtype = train_dtype(work->dtype)->wide};
}

/* Narrow operands are made from bf16 tensors: one read, two copies (plain and transposed) of the
   inputs of a layer's GEMMs, in backward of their output gradients. */
static void add_quantize(list_t *list, const assay_workload_t *work, double tokens) {
    const train_dtype_t *type = train_dtype(work->dtype);
    double inputs = 0, outputs = 0, kernels = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->op[i].kind == TRAIN_GEMM && list->op[i].place == TRAIN_LAYER) {
            inputs += list->op[i].gemm.k;
            outputs += list->op[i].gemm.n;
            kernels++;
        }
    }
    if (type->operand_bytes < type->act_bytes) {
        add_stream(list, "quantize", TRAIN_LAYER,
                   tokens * (type->act_bytes + 2 * type->operand_bytes), inputs, outputs, 0)
            ->kernels = kernels;
    }
}

uint32_t train_op_list(const assay_workload_t *work, const assay_layout_t *layout,
                       train_op_t out_op[ASSAY_OP_MAX]) {
    const assay_model_t *model = &work->model;
    const train_dtype_t *type = train_dtype(work->dtype);
    const double tokens = (double)layout->micro_batch * work->sequence;
    /* outside the regions of tensor parallelism */
    const double local = layout->sequence_parallel ? tokens / layout->tp : tokens;
    const double act = type->act_bytes, vocab = (double)model->vocab / layout->tp;
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    const uint32_t n_op = assay_model_ops(model, op);
    list_t list = {out_op, 0};

    for (uint32_t i = 0; i < n_op; i++) {
        const train_place_t place = place_of(&op[i]);
        double k, n;
        assay_model_op_shape(model, &op[i], layout->tp, &k, &n);
        if (op[i].kind == ASSAY_OP_GEMM) {
            add_gemm(&list, op[i].name, place, tokens, n, k,
                     place == TRAIN_HEAD ? type->wide : work->dtype);
        } else if (op[i].kind == ASSAY_OP_ATTENTION) {
            add_attention(&list, work, layout);
        } else if (op[i].kind == ASSAY_OP_GATHER) {
            add_stream(&list, op[i].name, place, tokens * n, 2 * act, act + 2 * type->grad_bytes,
                       0);
        } else {
            const passes_t passes = passes_of(model, op[i].kind);
            const double elements = (op[i].shard == ASSAY_SHARD_NONE ? local : tokens) * n;
            add_stream(&list, op[i].name, place, elements * act, passes.forward, passes.backward,
                       passes.flops * elements)
                ->cheap = place == TRAIN_LAYER &&
                          (op[i].part == ASSAY_PART_NORM || op[i].kind == ASSAY_OP_ACTIVATION);
        }
    }
    add_quantize(&list, work, tokens);
    /* softmax and cross entropy in fp32, whatever the activations are */
    add_stream(&list, "loss", TRAIN_HEAD, 4 * tokens * vocab, 2, 1, 5 * tokens * vocab);
    return list.n;
}
