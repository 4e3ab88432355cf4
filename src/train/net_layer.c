/* A network of operations: times and sizes of its mean block, and what frozen encoders add. */
#include <math.h>
#include <string.h>

#include "train/parts.h"

/* Where heads are not told: the width that most have. */
#define HEAD_DIM 64.0
/* Operations of a decoder layer's list, for the host's time: it issues a block in as many parts of
   a layer's time as the block has operations. */
#define LAYER_OPS 11.0
/* The gradient of a weight sums over all positions: its K is long and its output small, so kernels
   split it over the units (cuDNN, cuBLAS) and sum what they get. */
#define SPLIT_STEP 4.0
#define SPLIT_MAX 256.0
#define PARTIAL_BYTES 4.0 /* fp32 */

/* What all operations of a micro-batch share. */
typedef struct {
    const assay_device_t *device;
    const assay_workload_t *work;
    const train_dtype_t *type;
    train_run_t run;
    double samples, grad_bytes;
} net_t;

static net_t net_of(const assay_machine_t *machine, const assay_workload_t *work,
                    const assay_layout_t *layout) {
    return (net_t){.device = &machine->device,
                   .work = work,
                   .type = train_dtype(work->dtype),
                   .run = train_run(&machine->device, work->dtype),
                   .samples = layout->micro_batch,
                   .grad_bytes = train_state(work).grad_bytes};
}

/* Forward; a window of the input is read once, not once for each position that sees it. */
static assay_gemm_t product(const net_t *net, const assay_image_op_t *op) {
    return (assay_gemm_t){.m = net->samples * op->positions,
                          .n = op->n,
                          .k = op->k,
                          .batch = op->groups,
                          .dtype = net->work->dtype,
                          .bytes_a = net->type->operand_bytes / op->window,
                          .bytes_b = net->type->operand_bytes,
                          .bytes_c = net->type->act_bytes};
}

/* dX = dY W^T, again a convolution: each position of the input sees a window of the output. */
static double input_gradient_s(const net_t *net, const assay_image_op_t *op) {
    assay_gemm_t gemm = product(net, op);
    gemm.n = op->k / op->window;
    gemm.k = op->n * op->window;
    return assay_gemm_s(net->device, &gemm);
}

/* dW = X^T dY, added to the gradient kept so far. */
static double weight_gradient_s(const net_t *net, const assay_image_op_t *op) {
    const double rows = net->samples * op->positions, sum_bytes = 2 * net->grad_bytes;
    const double weights = op->k * op->n * op->groups;
    assay_gemm_t gemm = product(net, op);
    gemm.m = op->k;
    double best_s = HUGE_VAL;
    for (double split = 1; split <= SPLIT_MAX && (split < 2 || rows / split >= op->n);
         split *= SPLIT_STEP) {
        gemm.k = rows / split;
        gemm.batch = op->groups * split;
        gemm.bytes_c = split > 1 ? PARTIAL_BYTES : sum_bytes;
        const double sum_s =
            split > 1 ? assay_stream_s(net->device, weights * (split * PARTIAL_BYTES + sum_bytes))
                      : 0;
        best_s = fmin(best_s, assay_gemm_s(net->device, &gemm) + sum_s);
    }
    return best_s;
}

/* Queries of all positions, keys of op->k: as many pairs as that many sequences of the keys. */
static assay_attention_t attention(const net_t *net, const assay_image_op_t *op) {
    const double heads = op->heads > 0 ? op->heads : fmax(1, floor(op->n / HEAD_DIM));
    return (assay_attention_t){.batch = net->samples * op->positions / op->k,
                               .sequence = op->k,
                               .heads = heads,
                               .kv_heads = heads * op->k / op->positions,
                               .head_dim = op->n / heads,
                               .fused = !net->work->unfused_attention,
                               .dtype = net->type->wide};
}

typedef struct {
    assay_time_part_t part;
    double forward_s, backward_s, weight_s; /* weight: of backward */
} op_time_t;

/* data: the input of the operation is what the network looks at, which needs no gradient. */
static op_time_t op_time(const net_t *net, const assay_train_net_op_t *of, bool data) {
    const assay_image_op_t *op = &of->op;
    if (op->kind == ASSAY_IMAGE_CONV || op->kind == ASSAY_IMAGE_GEMM) {
        const assay_gemm_t gemm = product(net, op);
        const double weight_s = net->run.gemm * weight_gradient_s(net, op);
        const double input_s = data ? 0 : net->run.gemm * input_gradient_s(net, op);
        return (op_time_t){ASSAY_TIME_GEMM, net->run.gemm * assay_gemm_s(net->device, &gemm),
                           input_s + weight_s, weight_s};
    }
    if (op->kind == ASSAY_IMAGE_SELF || op->kind == ASSAY_IMAGE_CROSS) {
        const assay_attention_t a = attention(net, op);
        return (op_time_t){ASSAY_TIME_ATTENTION,
                           net->run.attention * assay_attention_forward_s(net->device, &a),
                           net->run.attention * assay_attention_backward_s(net->device, &a), 0};
    }
    const double bytes = net->samples * op->positions * op->n * net->type->act_bytes;
    return (op_time_t){ASSAY_TIME_MEMORY_BOUND,
                       net->run.stream * assay_stream_s(net->device, of->forward * bytes),
                       net->run.stream * assay_stream_s(net->device, of->backward * bytes), 0};
}

/* Cheap to compute again: dropped when selective. */
static bool is_cheap(const assay_train_net_op_t *op) {
    return op->op.kind == ASSAY_IMAGE_NORM || op->op.kind == ASSAY_IMAGE_ACTIVATION;
}

void net_layer_times(const assay_machine_t *machine, const assay_workload_t *work,
                     const assay_layout_t *layout, assay_train_layer_t *out) {
    const assay_train_net_t *of = &work->net;
    const net_t net = net_of(machine, work, layout);
    const double each = 1.0 / of->blocks;
    double forward_s[ASSAY_TIME_N] = {0}, backward_s[ASSAY_TIME_N] = {0}, cheap_s = 0;
    for (uint32_t i = 0; i < of->n_trained; i++) {
        const op_time_t time = op_time(&net, &of->op[i], i == 0);
        forward_s[time.part] += time.forward_s;
        backward_s[time.part] += time.backward_s;
        out->layer_weight_s += each * time.weight_s;
        cheap_s += is_cheap(&of->op[i]) ? time.forward_s : 0;
    }
    if (layout->recompute == ASSAY_RECOMPUTE_SELECTIVE) {
        backward_s[ASSAY_TIME_RECOMPUTE] = cheap_s;
        out->recompute_stream_s = each * cheap_s;
    } else if (layout->recompute == ASSAY_RECOMPUTE_FULL) {
        out->recompute_matrix_s =
            each * (forward_s[ASSAY_TIME_GEMM] + forward_s[ASSAY_TIME_ATTENTION]);
        out->recompute_stream_s = each * forward_s[ASSAY_TIME_MEMORY_BOUND];
        backward_s[ASSAY_TIME_RECOMPUTE] =
            of->blocks * (out->recompute_matrix_s + out->recompute_stream_s);
    }
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        out->layer_s[i] = each * (forward_s[i] + backward_s[i]);
        out->layer_forward_s += each * forward_s[i];
        out->layer_backward_s += each * backward_s[i];
    }
    for (uint32_t i = of->n_trained; i < of->n_op; i++) { /* frozen: before the first block */
        const op_time_t time = op_time(&net, &of->op[i], false);
        out->embed_s[time.part] += time.forward_s;
        out->embed_forward_s += time.forward_s;
    }
    out->host_layers = each * of->n_op / LAYER_OPS;
}

/* Bytes of what an operation puts out; attention beside it keeps the log-sum-exp of each row, or
   the softmax itself. */
static double output_bytes(const assay_workload_t *work, const assay_train_net_op_t *of,
                           double samples, double act_bytes) {
    const assay_image_op_t *op = &of->op;
    const double rows = samples * op->positions;
    const bool attends = op->kind == ASSAY_IMAGE_SELF || op->kind == ASSAY_IMAGE_CROSS;
    const double heads = op->heads > 0 ? op->heads : fmax(1, floor(op->n / HEAD_DIM));
    const double scores = work->unfused_attention ? op->k * act_bytes : 4;
    return rows * op->n * op->groups * act_bytes + (attends ? rows * heads * scores : 0);
}

/*
 * Kept is what comes out of the operations whose input backward needs. Full keeps what comes out of
 * each block; the fullest block comes back while it runs backward. Beside it stand the gradients of
 * an operation's output and input.
 */
void net_layer_memory(const assay_workload_t *work, const assay_layout_t *layout,
                      assay_train_layer_t *out) {
    const assay_train_net_t *of = &work->net;
    const double act = train_dtype(work->dtype)->act_bytes, samples = layout->micro_batch;
    double kept = 0, dear = 0, borders = 0, widest = 0;
    double block = 0, block_cheap = 0, most = 0, most_cheap = 0;
    for (uint32_t i = 0; i < of->n_trained; i++) {
        const assay_train_net_op_t *op = &of->op[i];
        const double bytes = output_bytes(work, op, samples, act);
        widest = fmax(widest, bytes);
        if (op->kept) {
            kept += bytes;
            block += bytes;
            dear += is_cheap(op) ? 0 : bytes;
            block_cheap += is_cheap(op) ? bytes : 0;
        }
        most = fmax(most, block);
        most_cheap = fmax(most_cheap, block_cheap);
        if (op->ends_block) {
            borders += bytes;
            block = block_cheap = 0;
        }
    }
    const double stored[ASSAY_RECOMPUTE_N] = {[ASSAY_RECOMPUTE_NONE] = kept,
                                              [ASSAY_RECOMPUTE_SELECTIVE] = dear,
                                              [ASSAY_RECOMPUTE_FULL] = fmin(borders, kept)};
    const double again[ASSAY_RECOMPUTE_N] = {
        [ASSAY_RECOMPUTE_SELECTIVE] = most_cheap, [ASSAY_RECOMPUTE_FULL] = most};
    out->layer_params = of->params / of->blocks;
    out->stored_bytes = stored[layout->recompute] / of->blocks;
    out->working_bytes = again[layout->recompute] + 2 * widest;
}

static void count_forward(const net_t *net, const assay_train_net_op_t *of, assay_op_t *io) {
    const assay_image_op_t *op = &of->op;
    io->time_s += op_time(net, of, false).forward_s;
    io->flops += net->samples * assay_image_op_flops(op);
    if (op->kind == ASSAY_IMAGE_CONV || op->kind == ASSAY_IMAGE_GEMM) {
        const assay_gemm_t g = product(net, op);
        io->bytes +=
            g.batch * (g.bytes_a * g.m * g.k + g.bytes_b * g.k * g.n + g.bytes_c * g.m * g.n);
    } else if (op->kind == ASSAY_IMAGE_SELF || op->kind == ASSAY_IMAGE_CROSS) {
        io->bytes += 2 * net->samples * op->n * (op->positions + op->k) * net->type->act_bytes;
    } else {
        io->bytes += of->forward * net->samples * op->positions * op->n * net->type->act_bytes;
    }
}

/* Operations of one name are one row: a network has thousands. */
uint32_t net_ops(const assay_machine_t *machine, const assay_workload_t *work,
                 const assay_layout_t *layout, assay_op_t out_op[ASSAY_OP_MAX]) {
    const assay_train_net_t *of = &work->net;
    const net_t net = net_of(machine, work, layout);
    uint32_t n = 0;
    for (uint32_t i = 0; i < of->n_trained; i++) {
        uint32_t at = 0;
        while (at < n && strcmp(out_op[at].name, of->op[i].op.name) != 0) {
            at++;
        }
        if (at == n && n < ASSAY_OP_MAX) {
            out_op[n++] = (assay_op_t){.name = of->op[i].op.name};
        }
        if (at < n) {
            count_forward(&net, &of->op[i], &out_op[at]);
        }
    }
    return n;
}
