/* Times and sizes of one micro-batch in one layer, the embedding and the head. */
#include <math.h>

#include "assay/dist.h"
#include "train/parts.h"

/* C (M,N) = A (M,K) B (K,N): dA = dC B^T, dB = A^T dC; dB is added to the gradient kept so far, or
   not computed where none is kept (below 0). */
static double gemm_backward_s(const assay_device_t *device, const assay_gemm_t *gemm,
                              double grad_bytes, double *out_weight_s) {
    const assay_gemm_t grad_a = {gemm->m,     gemm->k,       gemm->n,       gemm->batch,
                                 gemm->dtype, gemm->bytes_a, gemm->bytes_b, gemm->bytes_c};
    const assay_gemm_t grad_b = {gemm->k,     gemm->n,       gemm->m,       gemm->batch,
                                 gemm->dtype, gemm->bytes_a, gemm->bytes_b, 2 * grad_bytes};
    *out_weight_s = grad_bytes < 0 ? 0 : assay_gemm_s(device, &grad_b);
    return assay_gemm_s(device, &grad_a) + *out_weight_s;
}

static double stream_s(const assay_device_t *device, double bytes, double kernels) {
    return kernels * assay_stream_s(device, bytes / kernels);
}

static double forward_s(const assay_device_t *device, train_run_t run, const train_op_t *op) {
    switch (op->kind) {
    case TRAIN_GEMM:
        return run.gemm * assay_gemm_s(device, &op->gemm);
    case TRAIN_ATTENTION:
        return run.attention * op->kernels * assay_attention_forward_s(device, &op->attention);
    default:
        return run.stream * stream_s(device, op->forward_bytes, op->kernels);
    }
}

static double backward_s(const assay_device_t *device, train_run_t run, const train_op_t *op,
                         double grad_bytes, double *out_weight_s) {
    *out_weight_s = 0;
    switch (op->kind) {
    case TRAIN_GEMM: {
        const double alone_s =
            gemm_backward_s(device, &op->gemm, op->frozen ? -1 : grad_bytes, out_weight_s);
        *out_weight_s *= run.gemm;
        return run.gemm * alone_s;
    }
    case TRAIN_ATTENTION:
        return run.attention * op->kernels * assay_attention_backward_s(device, &op->attention);
    default:
        return run.stream * stream_s(device, op->backward_bytes, op->kernels);
    }
}

/* Seconds by place and part, before recompute. */
typedef struct {
    double forward_s[TRAIN_PLACE_N][ASSAY_TIME_N], backward_s[TRAIN_PLACE_N][ASSAY_TIME_N];
    double weight_s[TRAIN_PLACE_N]; /* of backward: gradients of weights */
    double cheap_s;                 /* forward of what selective recompute drops */
    double last_s; /* forward of a layer's last GEMMs: a dense and an expert's, by their share */
} compute_t;

/* What shows of keys and values that go round behind the turns that score them, and of their
   gradients with them; or of heads that are shared out and come back. */
static void add_cp_traffic(const assay_machine_t *machine, const assay_layout_t *layout,
                           const train_op_t *op, double forward_s, double backward_s,
                           compute_t *io) {
    const assay_attention_t *a = &op->attention;
    const double cp = layout->cp, width = assay_dtype_bytes(a->dtype);
    const double rows = a->batch * a->sequence;
    const double kv_bytes = rows * a->kv_heads * (a->head_dim + a->v_head_dim) * width;
    double there_s, back_s;
    if (layout->cp_comm == ASSAY_CP_RING) {
        const double turn_s = assay_collective_s(machine, ASSAY_COLL_ALL_GATHER, cp * kv_bytes,
                                                 layout->cp, layout->tp) /
                              (cp - 1);
        there_s = (cp - 1) * fmax(0, turn_s - forward_s / cp);
        back_s = (cp - 1) * fmax(0, 2 * turn_s - backward_s / cp);
    } else {
        const double in_bytes = rows * a->heads * a->head_dim * width + kv_bytes;
        const double out_bytes = rows * a->heads * a->v_head_dim * width;
        there_s = back_s =
            assay_collective_s(machine, ASSAY_COLL_ALL_TO_ALL, in_bytes, layout->cp, layout->tp) +
            assay_collective_s(machine, ASSAY_COLL_ALL_TO_ALL, out_bytes, layout->cp, layout->tp);
    }
    io->forward_s[TRAIN_LAYER][ASSAY_TIME_CP_COMM] += op->share * there_s;
    io->backward_s[TRAIN_LAYER][ASSAY_TIME_CP_COMM] += op->share * back_s;
}

static void compute_times(const assay_machine_t *machine, const assay_workload_t *work,
                          const assay_layout_t *layout, compute_t *out) {
    const assay_device_t *device = &machine->device;
    static const assay_time_part_t part_of[] = {[TRAIN_GEMM] = ASSAY_TIME_GEMM,
                                                [TRAIN_ATTENTION] = ASSAY_TIME_ATTENTION,
                                                [TRAIN_STREAM] = ASSAY_TIME_MEMORY_BOUND};
    const double grad_bytes = train_state(work).grad_bytes;
    const train_run_t run = train_run(device, work->dtype);
    train_op_t op[ASSAY_OP_MAX];
    const uint32_t n = train_op_list(work, layout, op);

    *out = (compute_t){0};
    for (uint32_t i = 0; i < n; i++) {
        const double there_s = forward_s(device, run, &op[i]);
        double weight_s;
        const double back_s = backward_s(device, run, &op[i], grad_bytes, &weight_s);
        out->weight_s[op[i].place] += op[i].share * weight_s;
        out->forward_s[op[i].place][part_of[op[i].kind]] += op[i].share * there_s;
        out->backward_s[op[i].place][part_of[op[i].kind]] += op[i].share * back_s;
        if (op[i].cheap) {
            out->cheap_s += op[i].share * there_s;
        }
        if (op[i].last) {
            out->last_s += op[i].share * there_s;
        }
        if (op[i].kind == TRAIN_ATTENTION && layout->cp > 1) {
            add_cp_traffic(machine, layout, &op[i], there_s, back_s, out);
        }
    }
}

/* Traffic hides behind GEMMs of the same pass, as far as the calibration says. */
static double tp_exposed_s(double traffic_s, double gemm_s, double overlap) {
    const double hidden_s = overlap * traffic_s;
    return traffic_s - (hidden_s < gemm_s ? hidden_s : gemm_s);
}

/* Of what latent attention's down projections leave, and of the input where queries have none. */
static double latent_width(const assay_model_t *model) {
    return (model->q_lora ? model->q_lora : model->hidden) + (double)model->kv_lora +
           model->qk_rope;
}

static void add_tp_traffic(const assay_machine_t *machine, const assay_workload_t *work,
                           const assay_layout_t *layout, compute_t *io) {
    const train_dtype_t *type = train_dtype(work->dtype);
    const assay_model_t *model = &work->model;
    const double tokens = (double)layout->micro_batch * work->sequence / train_cp(layout);
    const double row = tokens * type->act_bytes, bytes = row * model->hidden;
    /* Blocks that gather and sum: attention, and a dense or shared MLP; what goes to experts does
       so from each device on its own. */
    const double mlps = model->experts && !model->shared_experts && !model->shared_ffn
                            ? (double)work->count.dense_layers / model->layers
                            : 1;
    const double overlap = machine->device.calib[ASSAY_CALIB_OVERLAP_TP][work->dtype];
    const uint32_t tp = layout->tp;
    double there_s[TRAIN_PLACE_N], back_s[TRAIN_PLACE_N]; /* forward, backward */

    if (layout->sequence_parallel) {
        /* Attention and MLP each gather their input and scatter their sum, and the reverse in
           backward, where the gathered input, which was not kept, is gathered once more. */
        const double gather_s = assay_collective_s(machine, ASSAY_COLL_ALL_GATHER, bytes, tp, 1);
        const double scatter_s =
            assay_collective_s(machine, ASSAY_COLL_REDUCE_SCATTER, bytes, tp, 1);
        /* Latent attention gathers the latents that the down projections left. */
        const double latent_bytes = row * latent_width(model);
        const double in_s =
            model->kv_lora ? assay_collective_s(machine, ASSAY_COLL_ALL_GATHER, latent_bytes, tp, 1)
                           : gather_s;
        const double out_s = model->kv_lora ? assay_collective_s(machine, ASSAY_COLL_REDUCE_SCATTER,
                                                                 latent_bytes, tp, 1)
                                            : scatter_s;
        there_s[TRAIN_LAYER] = in_s + scatter_s + mlps * (gather_s + scatter_s);
        back_s[TRAIN_LAYER] = gather_s + in_s + out_s + mlps * (2 * gather_s + scatter_s);
        there_s[TRAIN_EMBED] = scatter_s;
        back_s[TRAIN_EMBED] = gather_s;
        there_s[TRAIN_HEAD] = gather_s;
        back_s[TRAIN_HEAD] = gather_s + scatter_s;
    } else {
        const double reduce_s = assay_collective_s(machine, ASSAY_COLL_ALL_REDUCE, bytes, tp, 1);
        there_s[TRAIN_LAYER] = back_s[TRAIN_LAYER] = (1 + mlps) * reduce_s;
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

/* One all-to-all of tokens. Sent once to each node (deepseek-ai/DeepEP, internode kernels), the
   copies for a node's experts are made there: of N nodes a token with K experts anywhere reaches
   N (1 - (1 - 1/N)^K). */
static double exchange_s(const assay_machine_t *machine, const assay_workload_t *work,
                         const assay_layout_t *layout, double bytes) {
    const uint32_t ep = train_ep(layout), etp = train_etp(layout);
    const uint32_t domain = machine->links.domain;
    const uint32_t fit = etp < domain ? domain / etp : 1, members = ep < fit ? ep : fit;
    const double plain_s = assay_collective_s(machine, ASSAY_COLL_ALL_TO_ALL, bytes, ep, etp);
    if (!work->expert_once || ep <= members) {
        return plain_s;
    }
    const double nodes = (double)ep / members, top_k = work->model.top_k;
    const double reached = nodes * (1 - pow(1 - 1 / nodes, top_k));
    return fmin(
        plain_s,
        fmax(assay_collective_s(machine, ASSAY_COLL_ALL_TO_ALL, bytes * reached / top_k, ep, etp),
             assay_collective_s(machine, ASSAY_COLL_ALL_TO_ALL, bytes, members, etp)));
}

/* Tokens go to the devices of their experts and come back; where an expert is cut, its ranks gather
   what arrives and sum what leaves. Gradients take the same ways. */
static void add_ep_traffic(const assay_machine_t *machine, const assay_workload_t *work,
                           const assay_layout_t *layout, compute_t *io) {
    const assay_model_t *model = &work->model;
    const uint32_t etp = train_etp(layout);
    const double own = (double)layout->micro_batch * work->sequence / train_cp(layout) / layout->tp;
    const double bytes = own * model->top_k * model->hidden * train_dtype(work->dtype)->act_bytes *
                         (1 + work->expert_overload);
    const double way_s =
        2 * exchange_s(machine, work, layout, bytes) +
        assay_collective_s(machine, ASSAY_COLL_ALL_GATHER, etp * bytes, etp, 1) +
        assay_collective_s(machine, ASSAY_COLL_REDUCE_SCATTER, etp * bytes, etp, 1);
    const double both_s = way_s * work->count.moe_layers / model->layers;
    const double there_s = sum(io->forward_s[TRAIN_LAYER]);
    const double back_s = sum(io->backward_s[TRAIN_LAYER]);
    /* One micro-batch's tokens travel while another computes in the other direction. */
    io->forward_s[TRAIN_LAYER][ASSAY_TIME_EP_COMM] =
        work->expert_overlap ? fmax(0, both_s - back_s) : both_s;
    io->backward_s[TRAIN_LAYER][ASSAY_TIME_EP_COMM] =
        work->expert_overlap ? fmax(0, both_s - there_s) : both_s;
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
    const double sigma =
        hypot(machine->device.calib[ASSAY_CALIB_STEP_SIGMA][work->dtype], work->net.sigma);
    const assay_dist_t error = assay_dist_lognormal(1, sigma);
    *out = (assay_train_layer_t){.host_layers = 1,
                                 .rel_p10 = assay_dist_quantile(&error, .1),
                                 .rel_p90 = assay_dist_quantile(&error, .9)};
    if (train_is_net(work)) {
        net_layer_times(machine, work, layout, out);
        net_layer_memory(work, layout, out);
        return;
    }
    compute_t compute;
    compute_times(machine, work, layout, &compute);
    if (layout->tp > 1) {
        add_tp_traffic(machine, work, layout, &compute);
    }
    if (work->count.moe_layers) {
        add_ep_traffic(machine, work, layout, &compute);
    }

    const double *first_s = compute.forward_s[TRAIN_LAYER]; /* the pass that full repeats */
    if (layout->recompute == ASSAY_RECOMPUTE_SELECTIVE) {
        compute.backward_s[TRAIN_LAYER][ASSAY_TIME_RECOMPUTE] = compute.cheap_s;
        out->recompute_stream_s = compute.cheap_s;
    } else if (layout->recompute == ASSAY_RECOMPUTE_FULL) {
        /* Tokens travel once more, behind another's forward where they do so at all. */
        const double again_s = work->expert_overlap
                                   ? compute.backward_s[TRAIN_LAYER][ASSAY_TIME_EP_COMM]
                                   : first_s[ASSAY_TIME_EP_COMM];
        const double left_s = work->recipe.recompute_stops ? compute.last_s : 0;
        const double share = train_recompute_share(work);
        compute.backward_s[TRAIN_LAYER][ASSAY_TIME_RECOMPUTE] =
            share * (sum(first_s) - first_s[ASSAY_TIME_EP_COMM] + again_s - left_s);
        out->recompute_matrix_s =
            share * (first_s[ASSAY_TIME_GEMM] + first_s[ASSAY_TIME_ATTENTION] - left_s);
        out->recompute_stream_s = share * first_s[ASSAY_TIME_MEMORY_BOUND];
    }
    /* One micro-batch's tokens can travel while another computes in the other direction. */
    const double there_s = first_s[ASSAY_TIME_EP_COMM];
    const double back_s = compute.backward_s[TRAIN_LAYER][ASSAY_TIME_EP_COMM];
    out->layer_hidden_s = fmin(there_s, sum(compute.backward_s[TRAIN_LAYER]) - back_s) +
                          fmin(back_s, sum(first_s) - there_s);
    out->layer_weight_s = compute.weight_s[TRAIN_LAYER];
    out->head_weight_s = compute.weight_s[TRAIN_HEAD];
    join(&compute, TRAIN_LAYER, out->layer_s, &out->layer_forward_s, &out->layer_backward_s);
    join(&compute, TRAIN_HEAD, out->head_s, &out->head_forward_s, &out->head_backward_s);
    join(&compute, TRAIN_EMBED, out->embed_s, &out->embed_forward_s, &out->embed_backward_s);

    train_layer_memory(work, layout, out);
    if (work->recipe.optimizer == ASSAY_OPTIMIZER_MUON && !train_tunes_adapters(work)) {
        train_muon_layer(machine, work, layout, out);
    }
    if (!layout->sequence_parallel) {
        /* Megatron's scatter/gather: tensor-parallel ranks hold the same and each sends a part */
        out->boundary_gather_s = assay_collective_s(
            machine, ASSAY_COLL_ALL_GATHER, out->boundary_bytes * layout->tp, layout->tp, 1);
    }
}

uint32_t assay_train_ops(const assay_machine_t *machine, const assay_workload_t *work,
                         const assay_layout_t *layout, assay_op_t out_op[ASSAY_OP_MAX]) {
    if (train_is_net(work)) {
        return net_ops(machine, work, layout, out_op);
    }
    train_op_t op[ASSAY_OP_MAX];
    const uint32_t n = train_op_list(work, layout, op);
    const train_run_t run = train_run(&machine->device, work->dtype);
    uint32_t n_out = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (op[i].place == TRAIN_EMBED) {
            continue;
        }
        const assay_gemm_t *g = &op[i].gemm;
        const assay_attention_t *a = &op[i].attention;
        assay_op_t *out = &out_op[n_out++];
        *out = (assay_op_t){.name = op[i].name, .time_s = forward_s(&machine->device, run, &op[i])};
        out->basis = machine->device.basis;
        switch (op[i].kind) {
        case TRAIN_GEMM:
            out->gemm = true;
            out->measured = assay_gemm_support(&machine->device, g, &out->nearest);
            out->basis = out->measured > 0.5 ? (uint8_t)ASSAY_BASIS_MEASURED : out->basis;
            out->flops = 2 * g->batch * g->m * g->n * g->k;
            out->bytes = g->batch * (g->bytes_a * g->m * g->k + g->bytes_b * g->k * g->n +
                                     g->bytes_c * g->m * g->n);
            break;
        case TRAIN_ATTENTION:
            out->flops = op[i].kernels * assay_attention_forward_flops(a);
            /* q, k, v and the output once each, and 4 bytes of log-sum-exp a head and token */
            out->bytes = op[i].kernels * a->batch * a->sequence *
                         ((a->heads + a->kv_heads) * (a->head_dim + a->v_head_dim) *
                              assay_dtype_bytes(a->dtype) +
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
