/* Times and sizes of one micro-batch in one layer, the embedding and the head. */
#include <assert.h>

#include "assay/dist.h"
#include "train/parts.h"

/* C (M,N) = A (M,K) B (K,N): dA = dC B^T, dB = A^T dC; dB is added to the gradient kept so far. */
static double gemm_backward_s(const assay_device_t *device, const assay_gemm_t *gemm,
                              double grad_bytes) {
    const assay_gemm_t grad_a = {gemm->m,     gemm->k,       gemm->n,       1,
                                 gemm->dtype, gemm->bytes_a, gemm->bytes_b, gemm->bytes_c};
    const assay_gemm_t grad_b = {gemm->k,     gemm->n,       gemm->m,       1,
                                 gemm->dtype, gemm->bytes_a, gemm->bytes_b, 2 * grad_bytes};
    return assay_gemm_s(device, &grad_a) + assay_gemm_s(device, &grad_b);
}

static double stream_s(const assay_device_t *device, double bytes, double kernels) {
    return kernels * assay_stream_s(device, bytes / kernels);
}

static double forward_s(const assay_device_t *device, const train_op_t *op) {
    switch (op->kind) {
    case TRAIN_GEMM:
        return assay_gemm_s(device, &op->gemm);
    case TRAIN_ATTENTION:
        return assay_attention_forward_s(device, &op->attention);
    default:
        return stream_s(device, op->forward_bytes, op->kernels);
    }
}

static double backward_s(const assay_device_t *device, const train_op_t *op, double grad_bytes) {
    switch (op->kind) {
    case TRAIN_GEMM:
        return gemm_backward_s(device, &op->gemm, grad_bytes);
    case TRAIN_ATTENTION:
        return assay_attention_backward_s(device, &op->attention);
    default:
        return stream_s(device, op->backward_bytes, op->kernels);
    }
}

/* Seconds by place and part, before recompute. */
typedef struct {
    double forward_s[TRAIN_PLACE_N][ASSAY_TIME_N], backward_s[TRAIN_PLACE_N][ASSAY_TIME_N];
    double cheap_s; /* forward of what selective recompute drops */
} compute_t;

static void compute_times(const assay_device_t *device, const assay_workload_t *work,
                          const assay_layout_t *layout, compute_t *out) {
    static const assay_time_part_t part_of[] = {[TRAIN_GEMM] = ASSAY_TIME_GEMM,
                                                [TRAIN_ATTENTION] = ASSAY_TIME_ATTENTION,
                                                [TRAIN_STREAM] = ASSAY_TIME_MEMORY_BOUND};
    const double grad_bytes = train_state(work).grad_bytes;
    train_op_t op[ASSAY_OP_MAX];
    const uint32_t n = train_op_list(work, layout, op);

    *out = (compute_t){0};
    for (uint32_t i = 0; i < n; i++) {
        const double op_s = forward_s(device, &op[i]);
        out->forward_s[op[i].place][part_of[op[i].kind]] += op_s;
        out->backward_s[op[i].place][part_of[op[i].kind]] += backward_s(device, &op[i], grad_bytes);
        if (op[i].cheap) {
            out->cheap_s += op_s;
        }
    }
}

/* Traffic hides behind GEMMs of the same pass, as far as the calibration says. */
static double tp_exposed_s(double traffic_s, double gemm_s, double overlap) {
    const double hidden_s = overlap * traffic_s;
    return traffic_s - (hidden_s < gemm_s ? hidden_s : gemm_s);
}

static void add_tp_traffic(const assay_machine_t *machine, const assay_workload_t *work,
                           const assay_layout_t *layout, compute_t *io) {
    const train_dtype_t *type = train_dtype(work->dtype);
    const double tokens = (double)layout->micro_batch * work->sequence;
    const double bytes = tokens * work->model.hidden * type->act_bytes;
    const double overlap = machine->device.calib[ASSAY_CALIB_OVERLAP_TP][work->dtype];
    const uint32_t tp = layout->tp;
    double there_s[TRAIN_PLACE_N], back_s[TRAIN_PLACE_N]; /* forward, backward */

    if (layout->sequence_parallel) {
        /* Attention and MLP each gather their input and scatter their sum, and the reverse in
           backward, where the gathered input, which was not kept, is gathered once more. */
        const double gather_s = assay_collective_s(machine, ASSAY_COLL_ALL_GATHER, bytes, tp, 1);
        const double scatter_s =
            assay_collective_s(machine, ASSAY_COLL_REDUCE_SCATTER, bytes, tp, 1);
        there_s[TRAIN_LAYER] = 2 * gather_s + 2 * scatter_s;
        back_s[TRAIN_LAYER] = 4 * gather_s + 2 * scatter_s;
        there_s[TRAIN_EMBED] = scatter_s;
        back_s[TRAIN_EMBED] = gather_s;
        there_s[TRAIN_HEAD] = gather_s;
        back_s[TRAIN_HEAD] = gather_s + scatter_s;
    } else {
        const double reduce_s = assay_collective_s(machine, ASSAY_COLL_ALL_REDUCE, bytes, tp, 1);
        there_s[TRAIN_LAYER] = back_s[TRAIN_LAYER] = 2 * reduce_s;
        there_s[TRAIN_EMBED] = reduce_s;
        back_s[TRAIN_EMBED] = 0;
        there_s[TRAIN_HEAD] = 0;
        back_s[TRAIN_HEAD] = reduce_s;
    }
    for (int place = 0; place < TRAIN_PLACE_N; place++) {
        io->forward_s[place][ASSAY_TIME_TP_COMM] =
            tp_exposed_s(there_s[place], io->forward_s[place][ASSAY_TIME_GEMM], overlap);
        io->backward_s[place][ASSAY_TIME_TP_COMM] =
            tp_exposed_s(back_s[place], io->backward_s[place][ASSAY_TIME_GEMM], overlap);
    }
    /* Cross entropy over vocabulary shards: maximum, target logit, sum of exponentials, in fp32. */
    io->forward_s[TRAIN_HEAD][ASSAY_TIME_TP_COMM] +=
        3 * assay_collective_s(machine, ASSAY_COLL_ALL_REDUCE, 4 * tokens, tp, 1);
}

static double sum(const double part_s[ASSAY_TIME_N]) {
    double total_s = 0;
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        total_s += part_s[i];
    }
    return total_s;
}

static void join(const compute_t *compute, train_place_t place, double out_s[ASSAY_TIME_N],
                 double *out_forward_s, double *out_backward_s) {
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        out_s[i] = compute->forward_s[place][i] + compute->backward_s[place][i];
    }
    *out_forward_s = sum(compute->forward_s[place]);
    *out_backward_s = sum(compute->backward_s[place]);
}

void assay_train_layer(const assay_machine_t *machine, const assay_workload_t *work,
                       const assay_layout_t *layout, assay_train_layer_t *out) {
    assert(!work->model.experts && !work->model.kv_lora && !work->model.sliding_window);
    compute_t compute;
    compute_times(&machine->device, work, layout, &compute);
    if (layout->tp > 1) {
        add_tp_traffic(machine, work, layout, &compute);
    }

    *out = (assay_train_layer_t){0};
    const double *first_s = compute.forward_s[TRAIN_LAYER]; /* the pass that full repeats */
    if (layout->recompute == ASSAY_RECOMPUTE_SELECTIVE) {
        compute.backward_s[TRAIN_LAYER][ASSAY_TIME_RECOMPUTE] = compute.cheap_s;
        out->recompute_stream_s = compute.cheap_s;
    } else if (layout->recompute == ASSAY_RECOMPUTE_FULL) {
        compute.backward_s[TRAIN_LAYER][ASSAY_TIME_RECOMPUTE] = sum(first_s);
        out->recompute_matrix_s = first_s[ASSAY_TIME_GEMM] + first_s[ASSAY_TIME_ATTENTION];
        out->recompute_stream_s = first_s[ASSAY_TIME_MEMORY_BOUND];
    }
    join(&compute, TRAIN_LAYER, out->layer_s, &out->layer_forward_s, &out->layer_backward_s);
    join(&compute, TRAIN_HEAD, out->head_s, &out->head_forward_s, &out->head_backward_s);
    join(&compute, TRAIN_EMBED, out->embed_s, &out->embed_forward_s, &out->embed_backward_s);

    train_layer_memory(work, layout, out);
    if (!layout->sequence_parallel) {
        /* Megatron's scatter/gather: tensor-parallel ranks hold the same and each sends a part */
        out->boundary_gather_s = assay_collective_s(
            machine, ASSAY_COLL_ALL_GATHER, out->boundary_bytes * layout->tp, layout->tp, 1);
    }

    const assay_dist_t error =
        assay_dist_lognormal(1, machine->device.calib[ASSAY_CALIB_STEP_SIGMA][work->dtype]);
    out->rel_p10 = assay_dist_quantile(&error, .1);
    out->rel_p90 = assay_dist_quantile(&error, .9);
}

uint32_t assay_train_ops(const assay_machine_t *machine, const assay_workload_t *work,
                         const assay_layout_t *layout, assay_op_t out_op[ASSAY_OP_MAX]) {
    train_op_t op[ASSAY_OP_MAX];
    const uint32_t n = train_op_list(work, layout, op);
    uint32_t n_out = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (op[i].place == TRAIN_EMBED) {
            continue;
        }
        const assay_gemm_t *g = &op[i].gemm;
        const assay_attention_t *a = &op[i].attention;
        assay_op_t *out = &out_op[n_out++];
        *out = (assay_op_t){.name = op[i].name, .time_s = forward_s(&machine->device, &op[i])};
        switch (op[i].kind) {
        case TRAIN_GEMM:
            out->flops = 2 * g->m * g->n * g->k;
            out->bytes =
                g->bytes_a * g->m * g->k + g->bytes_b * g->k * g->n + g->bytes_c * g->m * g->n;
            break;
        case TRAIN_ATTENTION:
            out->flops = assay_attention_forward_flops(a);
            /* q, k, v and the output once each, and 4 bytes of log-sum-exp a head and token */
            out->bytes = a->batch * a->sequence *
                         (2 * (a->heads + a->kv_heads) * a->head_dim * assay_dtype_bytes(a->dtype) +
                          4 * a->heads);
            break;
        default:
            out->flops = op[i].flops;
            out->bytes = op[i].forward_bytes;
            break;
        }
    }
    return n_out;
}
