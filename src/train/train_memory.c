/* Memory of the fullest device: between steps (steady) and at the worst moment of one (peak). */
#include <math.h>
#include <string.h>

#include "assay/model_ops.h"
#include "train/parts.h"
#include "train/pipeline.h"

/* Of one logit while the loss and its gradient are taken. In fp32 both stand beside each other; in
   place, the 16-bit logits and one fp32 copy that becomes the gradient; fused, both in 16 bit;
   chunked, an eighth of fp32. */
static const double logit_bytes[ASSAY_LOSS_N] = {[ASSAY_LOSS_FP32] = 2 * 4,
                                                 [ASSAY_LOSS_IN_PLACE] = 2 + 4,
                                                 [ASSAY_LOSS_FUSED] = 2 * 2,
                                                 [ASSAY_LOSS_CHUNKED] = 2 * 4 / 8.0};

/* Layers whose activations are on the device where they wait in the host: see train_offload.c. */
#define HOST_BUFFERS 2

/* Elements of a token, on one of tp devices: queries, keys, values, output. */
static double attention_elements(const assay_model_t *model, double tp, double kv_heads) {
    const double heads = model->heads / tp, d = model->head_dim;
    if (model->kv_lora > 0) { /* compressed, and expanded for every head */
        const double qk = model->qk_nope + model->qk_rope, v = model->v_head_dim;
        return model->q_lora + model->kv_lora + model->qk_rope + heads * (2 * qk + 2 * v);
    }
    return (heads + 2 * kv_heads) * d + heads * d + (model->qk_norm ? (heads + kv_heads) * d : 0);
}

static double shared_width(const assay_model_t *model) {
    return model->shared_ffn ? model->shared_ffn
                             : (double)model->shared_experts * model->expert_ffn;
}

typedef struct {
    double up, product; /* input and output of the activation function, mean over the layers */
} mlp_t;

/* A token's copies that travel to its experts and come back stand with the input. */
static mlp_t mlp_elements(const assay_workload_t *work, const assay_layout_t *layout) {
    const assay_model_t *model = &work->model;
    const assay_model_count_t *count = &work->count;
    const double tp = layout->tp;
    const double layers = model->layers, gates = model->gated ? 2 : 1;
    const double dense = count->dense_layers / layers * model->ffn / tp;
    /* on the busiest device; an expert's ranks hold all that comes to it */
    const double visits = count->moe_layers / layers * model->top_k * (1 + work->expert_overload);
    const double copies = visits * train_etp(layout) / tp;
    const double routed = visits * model->expert_ffn / tp;
    const double shared = count->moe_layers / layers * shared_width(model) / tp;
    return (mlp_t){.up = gates * (dense + routed + shared) + 2 * copies * model->hidden,
                   .product = dense + routed + shared};
}

void train_layer_memory(const assay_workload_t *work, const assay_layout_t *layout,
                        assay_train_layer_t *out) {
    if (train_is_net(work)) {
        net_layer_memory(work, layout, out);
        return;
    }
    const assay_model_t *model = &work->model;
    const assay_model_count_t *count = &work->count;
    const train_dtype_t *type = train_dtype(work->dtype);
    const double tp = layout->tp, h = model->hidden, vocab = model->vocab / tp;
    const double heads = model->heads / tp, kv_heads = assay_model_kv_heads(model, layout->tp);
    const double tokens = (double)layout->micro_batch * work->sequence / train_cp(layout);
    const double local = layout->sequence_parallel ? tokens / tp : tokens;
    const mlp_t mlp = mlp_elements(work, layout);

    /* Matrices are cut by tp, norms and positions are not; KV heads are copied where tp > KV;
       experts lie on ep devices as well. */
    const double layers = model->layers;
    out->expert_params = count->moe_layers / layers * model->experts * count->expert /
                         ((double)train_etp(layout) * train_ep(layout));
    const double moe_rest = count->moe_layer - model->experts * count->expert;
    out->layer_params =
        count->attention_layer / tp + count->norm_layer + out->expert_params +
        (count->dense_layers * count->mlp_layer + count->moe_layers * moe_rest) / layers / tp;
    if (model->kv_lora == 0) {
        out->layer_params += 2 * h * model->head_dim * (kv_heads - model->kv_heads / tp);
    }
    if (train_tunes_adapters(work)) {
        out->adapter_params = train_adapter_params(work, layout);
    }
    const double positions = count->embedding - (double)model->vocab * h;
    out->embed_params = vocab * h + positions + model->params_extra + model->params_vision;
    out->table_params = vocab * h;
    out->head_params = (model->layer_norm ? 2 * h : h) + count->head / tp; /* final norm first */

    /* Elements kept for backward (arXiv 2205.05198 without dropout masks):
       inputs of both norms; their outputs; q, k, v; attention output; input and output of the
       activation function. */
    const double inputs = 2 * local * h, normed = 2 * local * h, product = tokens * mlp.product;
    const double inner = tokens * (attention_elements(model, tp, kv_heads) + mlp.up);
    /* a fused kernel keeps the log-sum-exp of each row, the others the softmax itself */
    const double score_bytes =
        tokens * heads * (work->unfused_attention ? work->sequence * type->act_bytes : 4);
    const double all_bytes = (inputs + normed + inner + product) * type->act_bytes + score_bytes;
    const double stored_bytes[ASSAY_RECOMPUTE_N] = {
        [ASSAY_RECOMPUTE_NONE] = all_bytes,
        [ASSAY_RECOMPUTE_SELECTIVE] = (inputs + inner) * type->act_bytes + score_bytes,
        [ASSAY_RECOMPUTE_FULL] =
            all_bytes + train_recompute_share(work) * (local * h * type->act_bytes - all_bytes)};
    out->stored_bytes = stored_bytes[layout->recompute];
    /* What was dropped comes back for one layer; beside it the gradient of the widest tensor, the
       gathered input of the MLP and its gradient. */
    out->working_bytes =
        all_bytes - out->stored_bytes + tokens * (mlp.up + 2 * h) * type->act_bytes;

    const double gathered = layout->sequence_parallel ? tokens * h : 0;
    out->head_bytes = (2 * local * h + gathered) * type->act_bytes;
    out->logits_bytes = logit_bytes[work->recipe.loss] * tokens * vocab;
    out->boundary_bytes = tokens * h * type->act_bytes / tp;
}

/* Layers x micro-batches whose activations a stage holds at most. */
static double layers_in_flight(const assay_workload_t *work, const assay_layout_t *layout,
                               uint32_t n_micro, uint32_t stage) {
    const double chunk_layers = train_stage_layers(work, layout, stage) / layout->vpp;
    return chunk_layers * train_pipeline_chunks(layout, n_micro, stage);
}

typedef struct {
    double steady_bytes[ASSAY_MEMORY_N], peak_bytes[ASSAY_MEMORY_N];
    double steady_total_bytes, peak_total_bytes;
} memory_t;

/* Adds what every process carries; returns the total. */
static double close_total(const assay_device_t *device, assay_dtype_t dtype,
                          double io_bytes[ASSAY_MEMORY_N]) {
    double allocated = 0;
    for (int i = 0; i < ASSAY_MEMORY_CONTEXT; i++) {
        allocated += io_bytes[i];
    }
    if (!device) {
        return allocated;
    }
    io_bytes[ASSAY_MEMORY_CONTEXT] = device->calib[ASSAY_CALIB_MEMORY_CONTEXT_BYTES][dtype];
    io_bytes[ASSAY_MEMORY_FRAGMENTATION] =
        allocated * device->calib[ASSAY_CALIB_MEMORY_FRAGMENTATION][dtype];
    return allocated + io_bytes[ASSAY_MEMORY_CONTEXT] + io_bytes[ASSAY_MEMORY_FRAGMENTATION];
}

/* What is trained and what stands still, on one device of a stage; bytes each of the latter. */
typedef struct {
    double trained, experts; /* experts: of the trained */
    double tables;           /* of the trained: outside the layers */
    double frozen_bytes;
} split_t;

static split_t split_params(const assay_workload_t *work, const assay_layout_t *layout,
                            const assay_train_layer_t *layer, const train_dtype_t *type,
                            uint32_t stage) {
    const double params = train_stage_params(work, layout, layer, stage);
    const double layers = train_layers_held(work, layout, stage);
    if (!train_tunes_adapters(work)) {
        return (split_t){.trained = params,
                         .experts = layer->expert_params * layers,
                         .tables = params - layer->layer_params * layers};
    }
    const double matrices = layer->layer_params * layers;
    const double each = train_frozen_bytes(work, type);
    return (split_t){.trained = layer->adapter_params * layers,
                     .frozen_bytes = matrices * each + (params - matrices) * type->weight_bytes};
}

/* Parameters after they are shared out over the devices of one copy; an expert has fewer of those.
 */
static double shared_out(const split_t *split, const assay_layout_t *layout) {
    return (split->trained - split->experts) / train_shards(layout) +
           split->experts / train_expert_shards(layout);
}

double train_stage_weight_bytes(const assay_workload_t *work, const assay_layout_t *layout,
                                const assay_train_layer_t *layer, uint32_t stage) {
    const train_dtype_t type = train_state(work);
    const split_t split = split_params(work, layout, layer, &type, stage);
    const double each = train_tuned_state(work).weight_bytes;
    return layout->zero == 3
               ? shared_out(&split, layout) * each + split.frozen_bytes / train_shards(layout)
               : split.trained * each + split.frozen_bytes;
}

/* Of the optimizer: its moments, and beside Muon's Adam's second one for what is outside the
   layers. shared: as ZeRO shares state out. */
static double moments_bytes(const assay_workload_t *work, const assay_layout_t *layout,
                            const split_t *split, double moment_bytes, bool shared) {
    const double matrices = shared ? shared_out(split, layout) : split->trained;
    const double tables = split->tables / (shared ? train_shards(layout) : 1);
    return moment_bytes *
           (matrices + (work->recipe.optimizer == ASSAY_OPTIMIZER_MUON ? tables : 0));
}

/* Weights, gradients, optimizer state between steps. */
static void state_bytes(const assay_workload_t *work, const assay_layout_t *layout,
                        const split_t *split, double *steady) {
    const train_dtype_t type = train_tuned_state(work);
    const double whole = split->trained, shared = shared_out(split, layout);
    const double moments = moments_bytes(work, layout, split, type.moment_bytes, layout->zero >= 1);
    const bool host_state = work->recipe.offload != ASSAY_OFFLOAD_NONE;
    const bool host_weights = work->recipe.offload == ASSAY_OFFLOAD_ALL;
    const double frozen = split->frozen_bytes / (layout->zero == 3 ? train_shards(layout) : 1);
    if (layout->zero == 3) { /* the master copy is the only one; what is gathered is cast from it */
        steady[ASSAY_MEMORY_WEIGHTS] = shared * fmax(type.weight_bytes, type.master_bytes);
        steady[ASSAY_MEMORY_OPTIMIZER] = moments;
    } else {
        steady[ASSAY_MEMORY_WEIGHTS] = whole * type.weight_bytes;
        steady[ASSAY_MEMORY_OPTIMIZER] =
            (layout->zero >= 1 ? shared : whole) * type.master_bytes + moments;
    }
    steady[ASSAY_MEMORY_WEIGHTS] = host_weights ? 0 : steady[ASSAY_MEMORY_WEIGHTS] + frozen;
    steady[ASSAY_MEMORY_WEIGHTS] += work->net.frozen_params * type.weight_bytes; /* encoders */
    steady[ASSAY_MEMORY_OPTIMIZER] = host_state ? 0 : steady[ASSAY_MEMORY_OPTIMIZER];
    steady[ASSAY_MEMORY_GRADIENTS] = (layout->zero >= 2 ? shared : whole) * type.grad_bytes;
}

/* Gathered weights and unreduced gradients beside the shards. */
static double gathered_bytes(const assay_workload_t *work, const assay_layout_t *layout,
                             const assay_train_layer_t *layer, const train_dtype_t *type,
                             const split_t *split) {
    if (layout->zero == 3) { /* this layer and the next, embedding and head, one gradient */
        const bool full = !train_tunes_adapters(work);
        return (2 * layer->layer_params + layer->embed_params + layer->head_params) *
                   type->weight_bytes +
               (full ? layer->layer_params * type->grad_bytes : 0);
    }
    if (layout->zero == 2) {
        return fmin(train_bucket(work, layout, type->grad_bytes), split->trained) *
               type->grad_bytes;
    }
    return 0;
}

static memory_t stage_memory(const assay_device_t *device, const assay_workload_t *work,
                             const assay_layout_t *layout, const assay_train_layer_t *layer,
                             uint32_t stage, uint32_t n_micro) {
    const train_dtype_t type = train_state(work);
    const split_t split = split_params(work, layout, layer, &type, stage);
    memory_t out = {0};
    double *steady = out.steady_bytes, *peak = out.peak_bytes;

    state_bytes(work, layout, &split, steady);
    memcpy(peak, steady, sizeof(out.peak_bytes));
    peak[ASSAY_MEMORY_GATHERED] = gathered_bytes(work, layout, layer, &type, &split);

    /* Two moments: the loss, when the logits stand beside all that is stored, and the first layer
       backward, when the logits are gone and the layer needs room to work. */
    const double in_flight = layers_in_flight(work, layout, n_micro, stage);
    const double held = work->recipe.host_activations ? fmin(in_flight, HOST_BUFFERS) : in_flight;
    const double stored = held * layer->stored_bytes;
    const bool has_head = train_head_share(layout, stage) > 0;
    if (has_head && layer->head_bytes + layer->logits_bytes > layer->working_bytes) {
        peak[ASSAY_MEMORY_ACTIVATIONS] = stored + layer->head_bytes;
        peak[ASSAY_MEMORY_LOGITS] = layer->logits_bytes;
    } else {
        peak[ASSAY_MEMORY_ACTIVATIONS] = stored + layer->working_bytes;
    }
    out.steady_total_bytes = close_total(device, work->dtype, steady);
    out.peak_total_bytes = close_total(device, work->dtype, peak);
    return out;
}

void train_memory(const assay_device_t *device, const assay_workload_t *work,
                  const assay_layout_t *layout, const assay_train_layer_t *layer,
                  assay_estimate_t *out) {
    uint32_t extreme[3];
    const uint32_t n_extreme = train_extreme_stages(work, layout, extreme);
    memory_t fullest = stage_memory(device, work, layout, layer, 0, out->layout.n_micro);
    for (uint32_t i = 1; i < n_extreme; i++) {
        const memory_t other =
            stage_memory(device, work, layout, layer, extreme[i], out->layout.n_micro);
        if (other.peak_total_bytes > fullest.peak_total_bytes) {
            fullest = other;
        }
    }
    memcpy(out->steady_bytes, fullest.steady_bytes, sizeof(out->steady_bytes));
    memcpy(out->peak_bytes, fullest.peak_bytes, sizeof(out->peak_bytes));
    out->steady_total_bytes = fullest.steady_total_bytes;
    out->peak_total_bytes = fullest.peak_total_bytes;
}

double train_host_bytes(const assay_workload_t *work, const assay_layout_t *layout,
                        const assay_train_layer_t *layer, uint32_t n_micro) {
    const train_dtype_t type = train_state(work), tuned = train_tuned_state(work);
    const split_t split = split_params(work, layout, layer, &type, 0);
    const double updated = layout->zero >= 1 ? shared_out(&split, layout) : split.trained;
    double bytes = 0;
    if (work->recipe.offload != ASSAY_OFFLOAD_NONE) {
        bytes += updated * (tuned.master_bytes + tuned.reduce_bytes) +
                 moments_bytes(work, layout, &split, tuned.moment_bytes, layout->zero >= 1);
    }
    if (work->recipe.offload == ASSAY_OFFLOAD_ALL) {
        bytes += train_stage_weight_bytes(work, layout, layer, 0);
    }
    if (work->recipe.host_activations) {
        const double in_flight = layers_in_flight(work, layout, n_micro, 0);
        bytes += fmax(0, in_flight - HOST_BUFFERS) * layer->stored_bytes;
    }
    return bytes;
}

void assay_train_memory(const assay_machine_t *machine, const assay_workload_t *work,
                        const assay_layout_t *layout, assay_estimate_t *out) {
    assay_train_layer_t layer = {0};
    const uint64_t batch = (uint64_t)layout->dp * layout->micro_batch;
    const uint64_t n_micro = work->global_batch ? work->global_batch / batch : layout->pp;
    *out = (assay_estimate_t){.layout = *layout, .sample = work->net.sample};
    out->layout.n_micro = (uint32_t)(n_micro > 0 ? n_micro : 1);
    train_layer_memory(work, layout, &layer);
    train_memory(machine ? &machine->device : NULL, work, layout, &layer, out);
    if (machine) {
        out->need = out->peak_total_bytes;
        out->have = machine->device.hbm_bytes;
        out->reject = out->need > out->have ? ASSAY_REJECT_MEMORY : ASSAY_REJECT_NONE;
    }
}

double assay_train_checkpoint_bytes(const assay_workload_t *work) {
    const assay_layout_t one = {.tp = 1, .pp = 1, .vpp = 1, .dp = 1, .micro_batch = 1};
    const train_dtype_t type = train_tuned_state(work);
    assay_train_layer_t layer = {0};
    train_layer_memory(work, &one, &layer);
    const split_t split = split_params(work, &one, &layer, &type, 0);
    return split.trained * (type.weight_bytes + type.master_bytes) +
           moments_bytes(work, &one, &split, type.moment_bytes, false);
}
