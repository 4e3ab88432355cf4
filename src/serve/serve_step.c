/* One step of a serving engine in closed form. */
#include "assay/serve_step.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "assay/physics.h"
#include "base/det_math.h"

/* Embedding and head stay in 16 bit whatever the layers' weights are. */
#define HEAD_BYTES 2.0
#define ATTENTION_BYTES 2.0 /* of a weight of attention that stays wide */
/* An all-reduce of this size shows the fabric's rate; small ones are charged reduce_s. */
#define LARGE_REDUCE_BYTES 256e6
/* Activations between ranks are in 16 bit. */
#define ACTIVATION_BYTES 2.0

const char *assay_serve_part_name(assay_serve_part_t part) {
    static const char *const name[ASSAY_SERVE_PART_N] = {
        "linear", "stream", "decode_attention", "prefill_attention", "communication", "host"};
    return name[part];
}

/* Which group of linear operations one belongs to: they overlap within a group, not across. */
typedef enum { GROUP_ATTENTION, GROUP_DENSE, GROUP_MOE, GROUP_N } group_t;
static_assert(GROUP_N <= ASSAY_SERVE_LINEAR_MAX, "groups have their places");

static group_t group_of(const assay_model_op_t *op) {
    switch (op->part) {
    case ASSAY_PART_ATTENTION:
        return GROUP_ATTENTION;
    case ASSAY_PART_EXPERT:
    case ASSAY_PART_SHARED_EXPERT:
    case ASSAY_PART_ROUTER:
        return GROUP_MOE;
    default:
        return GROUP_DENSE;
    }
}

static void add_linear(const assay_device_t *device, const assay_serve_setup_t *setup,
                       const assay_model_op_t *op, double layers, assay_serve_step_t *out) {
    assay_serve_linear_t *linear = &out->linear[group_of(op)];
    double k, n;
    if (op->kind == ASSAY_OP_GROUPED) {
        const double ranks = setup->ep > 1 ? setup->ep : setup->tp;
        linear->expert_bytes += layers * op->params * setup->weight_bytes / ranks;
        linear->expert_flops += 2 * layers * op->k * op->n * op->visited / ranks;
        const bool some = !setup->same_routing && op->visited < op->matrices;
        linear->experts = some ? op->matrices : 0;
        linear->ln_missed = some ? assay_det_log(1 - op->visited / op->matrices) : 0;
        linear->imbalance = setup->ep > 1 ? fmax(1, setup->imbalance) : 1;
        if (!some) {
            linear->bytes +=
                layers * op->params * setup->weight_bytes / ranks * op->visited / op->matrices;
        }
        return;
    }
    const bool whole = setup->attention_dp;                  /* all but experts is on each rank */
    const double tokens_share = whole ? 1.0 / setup->tp : 1; /* of a step, on this rank */
    assay_model_op_shape(&setup->model, op, whole ? 1 : setup->tp, &k, &n);
    const bool wide = setup->wide_attention && op->part == ASSAY_PART_ATTENTION;
    const double slower =
        wide ? device->peak_flops[setup->dtype] / device->peak_flops[ASSAY_DT_BF16] : 1;
    linear->bytes += layers * k * n * op->matrices * (wide ? ATTENTION_BYTES : setup->weight_bytes);
    linear->flops += 2 * layers * k * n * op->visited * tokens_share * slower;
}

/* Passes over the elements of an operation that only moves them (physics of a fused kernel: a norm
   reads and writes, a gate reads two and writes one, a residual reads two and writes one). */
static double passes_of(assay_op_kind_t kind) {
    switch (kind) {
    case ASSAY_OP_NORM:
    case ASSAY_OP_ROTARY:
        return 2;
    case ASSAY_OP_ACTIVATION:
    case ASSAY_OP_RESIDUAL:
        return 3;
    default:
        return 0;
    }
}

/* Bytes of one token; what is sharded is divided. Tokens are copied to their experts and back. */
static double stream_bytes(const assay_serve_setup_t *setup, const assay_model_op_t *op) {
    double k, n;
    if (op->kind == ASSAY_OP_GROUPED) {
        /* once in, once out, counted at the matrix that leads back to the hidden width */
        const bool last = op->n < op->k || op->n == setup->model.hidden;
        return last ? 2 * 2 * op->visited * setup->model.hidden * ACTIVATION_BYTES / setup->tp : 0;
    }
    const bool whole = setup->attention_dp || setup->attention_on_one;
    assay_model_op_shape(&setup->model, op, whole ? 1 : setup->tp, &k, &n);
    return passes_of((assay_op_kind_t)op->kind) * n * fmax(op->visited, 1) * ACTIVATION_BYTES /
           (setup->attention_dp ? setup->tp : 1);
}

/* Decode attention of one token of context: GQA multiplies every query head with its key and value;
   absorbed MLA every head with the shared latent, twice. */
static double decode_flops(const assay_model_t *model, double heads) {
    return model->kv_lora ? 2 * heads * (2.0 * model->kv_lora + model->qk_rope)
                          : 4 * heads * model->head_dim;
}

/* Prefill attention: scores and values, 2 x 2 FLOPs per pair, head and element of its width. */
static double attention_flops_per_pair(const assay_model_t *model, double heads) {
    const double width = model->kv_lora
                             ? 0.5 * ((double)model->qk_nope + model->qk_rope + model->v_head_dim)
                             : model->head_dim;
    return 4 * heads * width;
}

static void add_kv(const assay_machine_t *machine, const assay_serve_setup_t *setup,
                   double memory_rate, const assay_layer_kind_t *kind, assay_serve_step_t *out) {
    const double attention_flops_per_s =
        machine->device.peak_flops[ASSAY_DT_BF16] *
        machine->device.calib[ASSAY_CALIB_ATTENTION_FORWARD][ASSAY_DT_BF16];
    const double pair_s =
        attention_flops_per_pair(&setup->model, out->query_heads) / attention_flops_per_s;
    /* with attention_dp a rank holds all heads of its share of the sequences */
    const double bytes =
        kind->layers * setup->kv_bytes *
        (setup->attention_dp ? assay_model_kv_elements(&setup->model, kind, 1) / setup->tp
                             : assay_model_kv_elements(&setup->model, kind,
                                                       setup->attention_on_one ? 1 : setup->tp));
    if (bytes > 0) {
        const double by_head =
            kind->layers * 2 * out->query_heads * setup->model.head_dim * setup->kv_bytes;
        out->kv[out->n_kv++] = (assay_serve_kv_t){
            .read_s = bytes / memory_rate,
            .head_read_s = by_head / machine->device.hbm_bytes_per_s,
            .compute_s = kind->layers *
                         decode_flops(&setup->model, setup->attention_dp
                                                         ? (double)setup->model.heads / setup->tp
                                                         : out->query_heads) /
                         attention_flops_per_s,
            .pair_s = kind->window > 0 ? kind->layers * pair_s : 0,
            .window = kind->window,
        };
        out->kv_bytes_per_token += bytes / setup->pp;
        out->attention_s_per_pair += kind->window > 0 ? 0 : kind->layers * pair_s;
    }
}

/* Attention and MLP end in an all-reduce each. Where each rank attends to its own sequences only
   experts are shared: they get each token K times and send it back. */
static double comm_s_per_token(const assay_machine_t *machine, const assay_serve_setup_t *setup,
                               const assay_layer_kind_t *kind, uint32_t n_kind) {
    const double ranks = setup->tp, others = (ranks - 1) / ranks;
    const double token_bytes = setup->model.hidden * ACTIVATION_BYTES;
    const double reduce_s = 2 * others * token_bytes /
                            assay_collective_bus_bytes_per_s(machine, ASSAY_COLL_ALL_REDUCE,
                                                             LARGE_REDUCE_BYTES, setup->tp, 1);
    const double exchange_s = 2 * others * token_bytes * setup->model.top_k / ranks /
                              assay_collective_bus_bytes_per_s(machine, ASSAY_COLL_ALL_TO_ALL,
                                                               LARGE_REDUCE_BYTES, setup->tp, 1);
    double total_s = 0;
    for (uint32_t i = 0; i < n_kind; i++) {
        total_s += kind[i].layers * (!setup->attention_dp ? 2 * reduce_s
                                     : kind[i].moe        ? exchange_s
                                                          : 0);
    }
    return total_s;
}

/* Hidden states go from stage to stage, each rank of a stage to its like. */
static void add_hops(const assay_machine_t *machine, const assay_serve_setup_t *setup,
                     assay_serve_step_t *out) {
    if (setup->pp > 1) {
        const double hops = setup->pp - 1.0;
        const double token_bytes = setup->model.hidden * ACTIVATION_BYTES;
        const double one_s = assay_p2p_s(machine, token_bytes, setup->tp);
        const double many_s = assay_p2p_s(machine, LARGE_REDUCE_BYTES, setup->tp);
        const double per_byte_s = (many_s - one_s) / (LARGE_REDUCE_BYTES - token_bytes);
        out->comm_s_per_token += hops * token_bytes * per_byte_s;
        out->hop_s = hops * (one_s - token_bytes * per_byte_s);
    }
}

/* A step reads the state of every sequence and writes it back. */
static void add_state(const assay_serve_setup_t *setup, double memory_rate,
                      assay_serve_step_t *out) {
    const bool whole = setup->attention_dp || setup->attention_on_one;
    const double bytes =
        assay_model_kv_bytes(&setup->model, 0, setup->kv_bytes, whole ? 1 : setup->tp);
    out->state_s = 2 * bytes / memory_rate / (setup->attention_dp ? setup->tp : 1);
}

/* Kernels of a step: residuals are fused into norms, attention also fills its cache, experts sort
   their tokens and bring them back. */
static double kernels_of(const assay_layer_kind_t *kind, const assay_model_op_t *op,
                         uint32_t n_op) {
    static const double kernels[] = {
        [ASSAY_OP_GEMM] = 1,   [ASSAY_OP_GROUPED] = 2,    [ASSAY_OP_ATTENTION] = 2,
        [ASSAY_OP_LINEAR] = 2, [ASSAY_OP_GATHER] = 1,     [ASSAY_OP_NORM] = 1,
        [ASSAY_OP_ROTARY] = 1, [ASSAY_OP_ACTIVATION] = 1, [ASSAY_OP_RESIDUAL] = 0};
    double total = 0;
    for (uint32_t i = 0; i < n_op; i++) {
        const double layers = op[i].layer_kind == ASSAY_OP_ONCE ? 1 : kind[op[i].layer_kind].layers;
        total += layers * kernels[op[i].kind];
    }
    return total;
}

static void prepare_unit(const assay_machine_t *machine, const assay_serve_setup_t *setup,
                         assay_serve_step_t *out) {
    const assay_device_t *device = &machine->device;
    const assay_model_t *model = &setup->model;
    const double tp = setup->tp, L = model->layers,
                 heads = ceil(model->heads / (setup->attention_on_one ? 1 : tp));
    const double memory_rate =
        device->hbm_bytes_per_s * device->calib[ASSAY_CALIB_HBM_EFFICIENCY][setup->dtype];
    *out = (assay_serve_step_t){
        .n_linear = GROUP_N,
        .weight_bytes_per_s = memory_rate,
        .flops_per_s = device->peak_flops[setup->dtype],
        .serial = device->calib[ASSAY_CALIB_GEMM_SERIAL][setup->dtype],
        .head_flops_per_s = device->peak_flops[ASSAY_DT_BF16],
        .query_heads = heads,
        .head_stream_above = setup->head_stream_above,
        .layers = L,
        .reduces = setup->tp > 1 ? 2 * L : 0,
        .pipeline = setup->pp,
        .schedulers = setup->attention_dp ? tp : 1,
    };

    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    const uint32_t n_kind = assay_model_layer_kinds(model, kind);
    const uint32_t n_op = assay_model_ops(model, op);
    const double head_ranks = setup->attention_dp ? 1 : tp;
    double embedding_bytes = 0;
    for (uint32_t i = 0; i < n_op; i++) {
        const double layers = op[i].layer_kind == ASSAY_OP_ONCE ? 1 : kind[op[i].layer_kind].layers;
        out->stream_s_per_token += layers * stream_bytes(setup, &op[i]) / memory_rate;
        if (op[i].part == ASSAY_PART_HEAD) {
            /* a tied head has no parameters of its own and is read all the same */
            out->head_bytes = op[i].k * op[i].n / head_ranks * HEAD_BYTES;
            out->head_flops = 2 * op[i].k * op[i].n / tp;
            embedding_bytes += op[i].params / head_ranks * HEAD_BYTES;
        } else if (op[i].kind == ASSAY_OP_GATHER) {
            embedding_bytes += op[i].params / head_ranks * HEAD_BYTES;
        } else if (op[i].kind == ASSAY_OP_GEMM || op[i].kind == ASSAY_OP_GROUPED) {
            add_linear(device, setup, &op[i], layers, out);
        }
    }
    for (uint32_t i = 0; i < n_kind; i++) {
        add_kv(machine, setup, memory_rate, &kind[i], out);
        out->moe_layers += kind[i].moe ? kind[i].layers : 0;
    }
    if (setup->tp > 1) {
        out->comm_s_per_token = comm_s_per_token(machine, setup, kind, n_kind);
    }
    add_hops(machine, setup, out);
    add_state(setup, memory_rate, out);
    out->issue_s = setup->issue_s * kernels_of(kind, op, n_op);
    for (uint32_t i = 0; i < out->n_linear; i++) {
        out->weight_bytes += (out->linear[i].bytes + out->linear[i].expert_bytes) / setup->pp;
    }
    out->weight_bytes += embedding_bytes;
}

assay_serve_constants_t assay_serve_unit(void) {
    return (assay_serve_constants_t){.gemm = 1,
                                     .expert = 1,
                                     .weight_stream = 1,
                                     .kv_stream = 1,
                                     .head_stream = 1,
                                     .rel_p10 = 1,
                                     .rel_p90 = 1};
}

void assay_serve_scale(const assay_serve_step_t *unit, const assay_serve_constants_t *constants,
                       assay_serve_step_t *out) {
    *out = *unit;
    out->weight_bytes_per_s *= constants->weight_stream;
    out->flops_per_s *= constants->gemm;
    out->expert_share = constants->expert;
    out->head_flops_per_s *= constants->gemm;
    for (uint32_t i = 0; i < out->n_kv; i++) {
        out->kv[i].read_s /= constants->kv_stream;
        out->kv[i].head_read_s /= constants->head_stream;
    }
    out->reduce_s = out->reduces * constants->reduce_s;
    out->layer_s = out->layers * constants->layer_s + out->moe_layers * constants->moe_layer_s;
    out->sequence_s = constants->sequence_s / out->schedulers;
}

void assay_serve_prepare(const assay_machine_t *machine, const assay_serve_setup_t *setup,
                         const assay_serve_constants_t *constants, assay_serve_step_t *out) {
    assay_serve_step_t unit;
    prepare_unit(machine, setup, &unit);
    assay_serve_scale(&unit, constants, out);
}

/* The longer of two that overlap, and the share of the shorter one that does not. */
static double overlapped_s(double a_s, double b_s, double serial) {
    return a_s > b_s ? a_s + serial * b_s : b_s + serial * a_s;
}

static double linear_s(const assay_serve_step_t *step, double tokens) {
    double total_s = 0;
    for (uint32_t i = 0; i < step->n_linear; i++) {
        const assay_serve_linear_t *linear = &step->linear[i];
        double bytes = linear->bytes;
        if (linear->experts > 0) {
            const double touched = 1 - assay_det_exp(tokens * linear->ln_missed);
            bytes += linear->expert_bytes * fmin(1, linear->imbalance * touched);
        }
        const double expert_flops = linear->imbalance * linear->expert_flops / step->expert_share;
        total_s +=
            overlapped_s(bytes / step->weight_bytes_per_s,
                         (linear->flops + expert_flops) * tokens / step->flops_per_s, step->serial);
    }
    return total_s;
}

/* In a window a token attends to no more tokens than that. */
static double prefill_attention_s(const assay_serve_step_t *step,
                                  const assay_serve_batch_t *batch) {
    double total_s = batch->prefill_pairs * step->attention_s_per_pair;
    for (uint32_t i = 0; i < step->n_kv; i++) {
        const assay_serve_kv_t *kv = &step->kv[i];
        total_s += kv->window > 0
                       ? fmin(batch->prefill_pairs, batch->prefill_tokens * kv->window) * kv->pair_s
                       : 0;
    }
    return total_s;
}

static double decode_attention_s(const assay_serve_step_t *step, const assay_serve_batch_t *batch) {
    const bool by_head =
        step->head_stream_above > 0 && batch->decode * step->query_heads > step->head_stream_above;
    double total_s = 0;
    for (uint32_t i = 0; i < step->n_kv; i++) {
        const assay_serve_kv_t *kv = &step->kv[i];
        const double in_window = batch->decode * kv->window;
        const double context =
            kv->window > 0 && in_window < batch->decode_context ? in_window : batch->decode_context;
        const double read_s = by_head ? fmax(kv->head_read_s, kv->read_s) : kv->read_s;
        total_s += context * fmax(read_s, kv->compute_s);
    }
    return total_s;
}

double assay_serve_step_s(const assay_serve_step_t *step, const assay_serve_batch_t *batch,
                          double part_s[ASSAY_SERVE_PART_N]) {
    double part[ASSAY_SERVE_PART_N];
    const double tokens = batch->prefill_tokens + batch->decode;
    const double sampled = batch->sampled + batch->decode;

    part[ASSAY_SERVE_LINEAR] =
        linear_s(step, tokens) +
        overlapped_s(sampled > 0 ? step->head_bytes / step->weight_bytes_per_s : 0,
                     sampled * step->head_flops / step->head_flops_per_s, step->serial);
    part[ASSAY_SERVE_STREAM] = tokens * step->stream_s_per_token + batch->decode * step->state_s;
    part[ASSAY_SERVE_DECODE_ATTENTION] = decode_attention_s(step, batch);
    part[ASSAY_SERVE_PREFILL_ATTENTION] = prefill_attention_s(step, batch);
    part[ASSAY_SERVE_COMM] = step->reduce_s + step->hop_s + tokens * step->comm_s_per_token;
    part[ASSAY_SERVE_HOST] = step->layer_s + sampled * step->sequence_s;
    /* Kernels are issued ahead while those before them run; attention is not counted among these,
       so that the time stays affine in the context. */
    const double running_s = part[ASSAY_SERVE_LINEAR] + part[ASSAY_SERVE_STREAM] +
                             part[ASSAY_SERVE_COMM] + step->layer_s;
    part[ASSAY_SERVE_HOST] += fmax(0, step->issue_s - running_s);

    double total_s = 0;
    for (int i = 0; i < ASSAY_SERVE_PART_N; i++) {
        total_s += part[i];
    }
    if (part_s) {
        memcpy(part_s, part, sizeof part);
    }
    return total_s;
}
