/* Memory of the fullest device: between steps (steady) and at the worst moment of one (peak). */
#include <math.h>
#include <string.h>

#include "assay/model_ops.h"
#include "train/parts.h"

void train_layer_memory(const assay_workload_t *work, const assay_layout_t *layout,
                        assay_train_layer_t *out) {
    const assay_model_t *model = &work->model;
    const assay_model_count_t *count = &work->count;
    const train_dtype_t *type = train_dtype(work->dtype);
    const double tp = layout->tp, h = model->hidden, d = model->head_dim, ffn = model->ffn / tp;
    const double heads = model->heads / tp, kv_heads = assay_model_kv_heads(model, layout->tp);
    const double up = model->gated ? 2 * ffn : ffn, vocab = model->vocab / tp;
    const double tokens = (double)layout->micro_batch * work->sequence;
    const double local = layout->sequence_parallel ? tokens / tp : tokens;

    /* Matrices are cut by tp, norms and positions are not; KV heads are copied where tp > KV. */
    out->layer_params = (count->attention_layer + count->mlp_layer) / tp + count->norm_layer +
                        2 * h * d * (kv_heads - model->kv_heads / tp);
    const double positions = count->embedding - (double)model->vocab * h;
    out->embed_params = vocab * h + positions;
    out->table_params = vocab * h;
    out->head_params = (model->layer_norm ? 2 * h : h) + count->head / tp; /* final norm first */

    /* Elements kept for backward (arXiv 2205.05198 without dropout masks):
       inputs of both norms; their outputs; q, k, v; attention output; input and output of the
       activation function. */
    const double inputs = 2 * local * h, normed = 2 * local * h, product = tokens * ffn;
    const double inner = tokens * ((heads + 2 * kv_heads) * d + heads * d + up +
                                   (model->qk_norm ? (heads + kv_heads) * d : 0));
    /* a fused kernel keeps the log-sum-exp of each row, the others the softmax itself */
    const double score_bytes =
        tokens * heads * (work->unfused_attention ? work->sequence * type->act_bytes : 4);
    const double all_bytes = (inputs + normed + inner + product) * type->act_bytes + score_bytes;
    const double stored_bytes[ASSAY_RECOMPUTE_N] = {
        [ASSAY_RECOMPUTE_NONE] = all_bytes,
        [ASSAY_RECOMPUTE_SELECTIVE] = (inputs + inner) * type->act_bytes + score_bytes,
        [ASSAY_RECOMPUTE_FULL] = local * h * type->act_bytes};
    out->stored_bytes = stored_bytes[layout->recompute];
    /* What was dropped comes back for one layer; beside it the gradient of the widest tensor, the
       gathered input of the MLP and its gradient. */
    out->working_bytes = all_bytes - out->stored_bytes + tokens * (up + 2 * h) * type->act_bytes;

    const double gathered = layout->sequence_parallel ? tokens * h : 0;
    out->head_bytes = (2 * local * h + gathered) * type->act_bytes;
    out->logits_bytes = 2 * 4 * tokens * vocab; /* fp32, and their gradient */
    out->boundary_bytes = tokens * h * type->act_bytes / tp;
}

/* Layers x micro-batches whose activations a stage holds at most: warm-up of 1F1B or of the
   interleaved schedule, plus the one that runs. */
static double layers_in_flight(const assay_workload_t *work, const assay_layout_t *layout,
                               uint32_t n_micro, uint32_t stage) {
    const double chunk_layers = train_stage_layers(work, layout, stage) / layout->vpp;
    const double later = layout->pp - 1 - stage; /* stages after this one */
    const double chunks =
        layout->vpp == 1 ? later + 1 : (layout->vpp - 1.0) * layout->pp + 2 * later + 1;
    const double most = (double)n_micro * layout->vpp;
    return chunk_layers * (chunks < most ? chunks : most);
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
    io_bytes[ASSAY_MEMORY_CONTEXT] = device->calib[ASSAY_CALIB_MEMORY_CONTEXT_BYTES][dtype];
    io_bytes[ASSAY_MEMORY_FRAGMENTATION] =
        allocated * device->calib[ASSAY_CALIB_MEMORY_FRAGMENTATION][dtype];
    return allocated + io_bytes[ASSAY_MEMORY_CONTEXT] + io_bytes[ASSAY_MEMORY_FRAGMENTATION];
}

/* Gathered weights and unreduced gradients beside the shards. */
static double gathered_bytes(const assay_layout_t *layout, const assay_train_layer_t *layer,
                             const train_dtype_t *type, double stage_params) {
    if (layout->zero == 3) { /* this layer and the next, embedding and head, one gradient */
        return (2 * layer->layer_params + layer->embed_params + layer->head_params) *
                   type->weight_bytes +
               layer->layer_params * type->grad_bytes;
    }
    if (layout->zero == 2) {
        return fmin(train_bucket(layout->dp), stage_params) * type->grad_bytes;
    }
    return 0;
}

static memory_t stage_memory(const assay_machine_t *machine, const assay_workload_t *work,
                             const assay_layout_t *layout, const assay_train_layer_t *layer,
                             uint32_t stage, uint32_t n_micro) {
    const train_dtype_t *type = train_dtype(work->dtype);
    const double dp = layout->dp, params = train_stage_params(work, layout, layer, stage);
    memory_t out = {0};
    double *steady = out.steady_bytes, *peak = out.peak_bytes;

    if (layout->zero == 3) { /* the master copy is the only one; what is gathered is cast from it */
        steady[ASSAY_MEMORY_WEIGHTS] = params * fmax(type->weight_bytes, type->master_bytes) / dp;
        steady[ASSAY_MEMORY_OPTIMIZER] = params * type->moment_bytes / dp;
    } else {
        steady[ASSAY_MEMORY_WEIGHTS] = params * type->weight_bytes;
        steady[ASSAY_MEMORY_OPTIMIZER] =
            params * (type->master_bytes + type->moment_bytes) / (layout->zero >= 1 ? dp : 1);
    }
    steady[ASSAY_MEMORY_GRADIENTS] = params * type->grad_bytes / (layout->zero >= 2 ? dp : 1);
    memcpy(peak, steady, sizeof(out.peak_bytes));
    peak[ASSAY_MEMORY_GATHERED] = gathered_bytes(layout, layer, type, params);

    /* Two moments: the loss, when the logits stand beside all that is stored, and the first layer
       backward, when the logits are gone and the layer needs room to work. */
    const double stored = layers_in_flight(work, layout, n_micro, stage) * layer->stored_bytes;
    const bool has_head = stage == layout->pp - 1u;
    if (has_head && layer->head_bytes + layer->logits_bytes > layer->working_bytes) {
        peak[ASSAY_MEMORY_ACTIVATIONS] = stored + layer->head_bytes;
        peak[ASSAY_MEMORY_LOGITS] = layer->logits_bytes;
    } else {
        peak[ASSAY_MEMORY_ACTIVATIONS] = stored + layer->working_bytes;
    }
    out.steady_total_bytes = close_total(&machine->device, work->dtype, steady);
    out.peak_total_bytes = close_total(&machine->device, work->dtype, peak);
    return out;
}

void train_memory(const assay_machine_t *machine, const assay_workload_t *work,
                  const assay_layout_t *layout, const assay_train_layer_t *layer,
                  assay_estimate_t *out) {
    uint32_t extreme[3];
    const uint32_t n_extreme = train_extreme_stages(work, layout, extreme);
    memory_t fullest = stage_memory(machine, work, layout, layer, 0, out->layout.n_micro);
    for (uint32_t i = 1; i < n_extreme; i++) {
        const memory_t other =
            stage_memory(machine, work, layout, layer, extreme[i], out->layout.n_micro);
        if (other.peak_total_bytes > fullest.peak_total_bytes) {
            fullest = other;
        }
    }
    memcpy(out->steady_bytes, fullest.steady_bytes, sizeof(out->steady_bytes));
    memcpy(out->peak_bytes, fullest.peak_bytes, sizeof(out->peak_bytes));
    out->steady_total_bytes = fullest.steady_total_bytes;
    out->peak_total_bytes = fullest.peak_total_bytes;
}
