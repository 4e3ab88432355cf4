#include <assert.h>
#include <string.h>

#include "assay/model_ops.h"

#include "base/banned.h"

/* How often an operation is there: in every layer of its kind, or once. */
static double op_layers(const assay_model_op_t *op, const assay_layer_kind_t *kind) {
    return op->layer_kind == ASSAY_OP_ONCE ? 1.0 : kind[op->layer_kind].layers;
}

void assay_model_part_params(const assay_model_t *model, double out_params[ASSAY_PART_N]) {
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    assay_model_layer_kinds(model, kind);
    const uint32_t n = assay_model_ops(model, op);
    memset(out_params, 0, ASSAY_PART_N * sizeof *out_params);
    for (uint32_t i = 0; i < n; i++) {
        out_params[op[i].part] += op_layers(&op[i], kind) * op[i].params;
    }
    out_params[ASSAY_PART_VISION] += model->params_vision;
    out_params[ASSAY_PART_OTHER] += model->params_extra;
}

/* One layer of a kind, by part. */
static void layer_params(const assay_model_op_t *op, uint32_t n, uint32_t kind,
                         double out_params[ASSAY_PART_N]) {
    memset(out_params, 0, ASSAY_PART_N * sizeof *out_params);
    for (uint32_t i = 0; i < n; i++) {
        if (op[i].layer_kind == kind) {
            out_params[op[i].part] += op[i].params;
        }
    }
}

void assay_model_count(const assay_model_t *model, assay_model_count_t *out) {
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    const uint32_t n_kind = assay_model_layer_kinds(model, kind);
    const uint32_t n = assay_model_ops(model, op);
    memset(out, 0, sizeof *out);
    out->total = out->active = model->params_extra + model->params_vision;
    for (uint32_t i = 0; i < n; i++) {
        const double params = op_layers(&op[i], kind) * op[i].params;
        out->total += params;
        out->active += params / op[i].matrices * op[i].visited;
        out->embedding += op[i].part == ASSAY_PART_EMBEDDING ? op[i].params : 0;
        out->head += op[i].part == ASSAY_PART_HEAD ? op[i].params : 0;
    }
    for (uint32_t i = n_kind; i-- > 0;) { /* the first kind comes last and stays */
        double part[ASSAY_PART_N];
        layer_params(op, n, i, part);
        out->attention_layer = part[ASSAY_PART_ATTENTION];
        out->norm_layer = part[ASSAY_PART_NORM];
        if (kind[i].moe) {
            const double always = part[ASSAY_PART_ROUTER] + part[ASSAY_PART_SHARED_EXPERT];
            out->moe_layers += kind[i].layers;
            out->expert = part[ASSAY_PART_EXPERT] / model->experts;
            out->moe_layer = always + part[ASSAY_PART_EXPERT];
            out->moe_layer_active = always + model->top_k * out->expert;
        } else {
            out->dense_layers += kind[i].layers;
            out->mlp_layer = part[ASSAY_PART_MLP];
        }
    }
}

/* Query-key and value widths of one head; they differ with latent attention only. */
static double attention_width(const assay_model_t *model) {
    return model->kv_lora > 0 ? 0.5 * ((double)model->qk_nope + model->qk_rope + model->v_head_dim)
                              : (double)model->head_dim;
}

/* Multiply-adds of the delta rule on one token: what the state says of the key, its update, what it
   says of the query. */
static double linear_macs(const assay_model_t *model) {
    return 3.0 * model->linear_value_heads * model->linear_key_dim * model->linear_value_dim;
}

/* Multiply-adds of scores and values of one token over all layers, when a layer without a window
   attends to `context` tokens and one with to window_context of them. */
static double attention_macs(const assay_model_t *model, double context,
                             double (*window_context)(double context, double window)) {
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    const uint32_t n = assay_model_layer_kinds(model, kind);
    double macs = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double seen = kind[i].window > 0 ? window_context(context, kind[i].window) : context;
        macs +=
            kind[i].layers * (kind[i].linear ? linear_macs(model)
                                             : 2.0 * model->heads * attention_width(model) * seen);
    }
    return macs;
}

static double window_bound(double context, double window) {
    return context < window ? context : window;
}

/* Mean over a causal sequence, of which `context` is half: the first tokens see less. */
static double window_causal(double context, double window) {
    const double sequence = 2.0 * context;
    return sequence <= window ? context : window - 0.5 * window * window / sequence;
}

double assay_model_train_flops_per_token(const assay_model_t *model, double sequence, bool causal) {
    assay_model_count_t count;
    assay_model_count(model, &count);
    const double body = count.active - count.embedding - count.head - model->params_vision;
    const double macs = causal ? attention_macs(model, 0.5 * sequence, window_causal)
                               : attention_macs(model, sequence, window_bound);
    return 6.0 * body + 6.0 * model->hidden * (double)model->vocab + 6.0 * macs;
}

double assay_model_forward_flops_per_token(const assay_model_t *model, double context) {
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    assay_model_layer_kinds(model, kind);
    const uint32_t n = assay_model_ops(model, op);
    double macs = attention_macs(model, context, window_bound);
    for (uint32_t i = 0; i < n; i++) {
        if (op[i].kind == ASSAY_OP_GEMM || op[i].kind == ASSAY_OP_GROUPED) {
            macs += op_layers(&op[i], kind) * op[i].visited * op[i].k * op[i].n;
        }
    }
    return 2.0 * macs;
}

double assay_model_kv_elements(const assay_model_t *model, const assay_layer_kind_t *kind,
                               uint32_t tp) {
    return kind->linear         ? 0
           : model->kv_lora > 0 ? (double)model->kv_lora + model->qk_rope
                                : 2.0 * assay_model_kv_heads(model, tp) * model->head_dim;
}

/* State of linear attention, bytes of one sequence in one layer on one of tp ranks. */
static double state_bytes(const assay_model_t *model, double bytes_each, uint32_t tp) {
    const double key = (double)model->linear_key_heads * model->linear_key_dim;
    const double value = (double)model->linear_value_heads * model->linear_value_dim;
    const double last = model->linear_conv > 0 ? model->linear_conv - 1.0 : 0;
    return (4.0 * value * model->linear_key_dim + last * (2 * key + value) * bytes_each) / tp;
}

double assay_model_kv_bytes(const assay_model_t *model, double tokens, double bytes_each,
                            uint32_t tp) {
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    const uint32_t n = assay_model_layer_kinds(model, kind);
    double bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double kept = kind[i].window > 0 ? window_bound(tokens, kind[i].window) : tokens;
        bytes +=
            kind[i].layers *
            (kind[i].linear ? state_bytes(model, bytes_each, tp)
                            : kept * bytes_each * assay_model_kv_elements(model, &kind[i], tp));
    }
    return bytes;
}

double assay_model_kv_bytes_per_token(const assay_model_t *model, double bytes_each) {
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    const uint32_t n = assay_model_layer_kinds(model, kind);
    double bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        bytes += kind[i].layers * bytes_each * assay_model_kv_elements(model, &kind[i], 1);
    }
    return bytes;
}
