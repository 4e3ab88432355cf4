/* The operations of a decoder layer, its embedding and its head, as one list that times, roofline
   and recompute all read. */
#include <assert.h>

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

double train_kv_heads(const assay_model_t *model, uint32_t tp) {
    return model->kv_heads > tp ? (double)model->kv_heads / tp : 1;
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

uint32_t train_op_list(const assay_workload_t *work, const assay_layout_t *layout,
                       train_op_t out_op[ASSAY_OP_MAX]) {
    const assay_model_t *model = &work->model;
    const train_dtype_t *type = train_dtype(work->dtype);
    const double tp = layout->tp, batch = layout->micro_batch;
    const double tokens = batch * work->sequence;
    const double local = layout->sequence_parallel ? tokens / tp : tokens; /* outside TP regions */
    const double h = model->hidden, d = model->head_dim;
    const double heads = model->heads / tp, kv_heads = train_kv_heads(model, layout->tp);
    const double ffn = model->ffn / tp, up = model->gated ? 2 * ffn : ffn;
    const double columns = (heads + 2 * kv_heads) * d, vocab = model->vocab / tp;
    const double act = type->act_bytes;
    list_t list = {out_op, 0};

    /* Passes: physics of memory-bound kernels, one read or write of a tensor each. FLOPs of an
       element as Calculon counts them (norm 9, GeLU 8, softmax 5). */
    add_stream(&list, "embedding", TRAIN_EMBED, tokens * h, 2 * act, act + 2 * type->grad_bytes, 0);

    add_stream(&list, "attention_norm", TRAIN_LAYER, local * h * act, 2, 3, 9 * local * h)->cheap =
        true;
    add_gemm(&list, "qkv", TRAIN_LAYER, tokens, columns, h, work->dtype);
    const double rotated = tokens * (heads + kv_heads) * d;
    if (model->qk_norm) {
        add_stream(&list, "qk_norm", TRAIN_LAYER, rotated * act, 2, 3, 9 * rotated);
    }
    if (!model->learned_positions) {
        add_stream(&list, "rotary", TRAIN_LAYER, rotated * act, 2, 2, 3 * rotated);
    }
    add(&list, "attention", TRAIN_ATTENTION, TRAIN_LAYER)->attention =
        (assay_attention_t){.batch = batch,
                            .sequence = work->sequence,
                            .heads = heads,
                            .kv_heads = kv_heads,
                            .head_dim = d,
                            .v_head_dim = d,
                            .causal = true,
                            .fused = !work->unfused_attention,
                            .dtype = type->wide};
    add_gemm(&list, "attention_out", TRAIN_LAYER, tokens, h, heads * d, work->dtype);
    add_stream(&list, "attention_residual", TRAIN_LAYER, local * h * act, 3, 3, local * h);

    add_stream(&list, "mlp_norm", TRAIN_LAYER, local * h * act, 2, 3, 9 * local * h)->cheap = true;
    add_gemm(&list, "mlp_up", TRAIN_LAYER, tokens, up, h, work->dtype);
    add_stream(&list, "activation", TRAIN_LAYER, tokens * ffn * act, model->gated ? 3 : 2,
               model->gated ? 5 : 3, (model->gated ? 9 : 8) * tokens * ffn)
        ->cheap = true;
    add_gemm(&list, "mlp_down", TRAIN_LAYER, tokens, h, ffn, work->dtype);
    add_stream(&list, "mlp_residual", TRAIN_LAYER, local * h * act, 3, 3, local * h);

    if (type->operand_bytes < act) {
        /* Narrow operands are made from bf16 tensors: one read, two copies (plain and transposed)
           of the four inputs, in backward of the four output gradients. */
        const double each = act + 2 * type->operand_bytes;
        train_op_t *op = add_stream(&list, "quantize", TRAIN_LAYER, tokens * each,
                                    2 * h + heads * d + ffn, columns + 2 * h + up, 0);
        op->kernels = 4;
    }

    add_stream(&list, "final_norm", TRAIN_HEAD, local * h * act, 2, 3, 9 * local * h);
    add_gemm(&list, "head", TRAIN_HEAD, tokens, vocab, h, type->wide);
    /* softmax and cross entropy in fp32, whatever the activations are */
    add_stream(&list, "loss", TRAIN_HEAD, 4 * tokens * vocab, 2, 1, 5 * tokens * vocab);
    return list.n;
}
