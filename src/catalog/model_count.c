#include <string.h>

#include "assay/model.h"

#include "base/banned.h"

/* Layer i (from 0) is a MoE layer when it is past the first dense ones and ends a step. */
static uint32_t count_moe_layers(const assay_model_t *model) {
    const uint32_t step = model->moe_layer_step ? model->moe_layer_step : 1;
    if (model->experts == 0 || model->first_dense_layers >= model->layers) {
        return 0;
    }
    return model->layers / step - model->first_dense_layers / step;
}

static double attention_params(const assay_model_t *model) {
    const double H = model->hidden, A = model->heads, KV = model->kv_heads, d = model->head_dim;
    if (model->kv_lora > 0) {
        const double key = (double)model->qk_nope + model->qk_rope, value = model->v_head_dim;
        const double query = model->q_lora > 0
                                 ? H * model->q_lora + model->q_lora + model->q_lora * A * key
                                 : H * A * key;
        const double latent = H * (model->kv_lora + model->qk_rope) + model->kv_lora;
        return query + latent + model->kv_lora * A * (model->qk_nope + value) + A * value * H;
    }
    double n = 2.0 * H * A * d + 2.0 * H * KV * d;
    n += model->attn_bias ? A * d + 2.0 * KV * d : 0.0;
    n += model->out_bias ? H : 0.0;
    n += model->qk_norm ? 2.0 * d : 0.0;
    return n;
}

static double mlp_params(const assay_model_t *model, double ffn) {
    const double up = model->gated ? 2.0 : 1.0;
    return (up + 1.0) * model->hidden * ffn + (model->mlp_bias ? up * ffn + model->hidden : 0.0);
}

void assay_model_count(const assay_model_t *model, assay_model_count_t *out) {
    const double H = model->hidden, V = model->vocab, E = model->experts;
    const double norm = model->layer_norm ? 2.0 * H : H;
    memset(out, 0, sizeof *out);
    out->moe_layers = count_moe_layers(model);
    out->dense_layers = model->layers - out->moe_layers;
    out->embedding = V * H + (model->learned_positions ? model->max_position * H : 0.0);
    out->head = model->tied_embeddings ? 0.0 : V * H;
    out->attention_layer = attention_params(model);
    out->mlp_layer = mlp_params(model, model->ffn);
    out->norm_layer = norm * (model->norms_per_layer ? model->norms_per_layer : 2);
    if (out->moe_layers > 0) {
        const double shared_ffn = model->shared_ffn
                                      ? (double)model->shared_ffn
                                      : (double)model->shared_experts * model->expert_ffn;
        const double router = H * E + (model->mlp_bias ? E : 0.0);
        const double always = router + (shared_ffn > 0.0 ? mlp_params(model, shared_ffn) : 0.0);
        out->expert = mlp_params(model, model->expert_ffn);
        out->moe_layer = always + E * out->expert;
        out->moe_layer_active = always + model->top_k * out->expert;
    }
    const double common = out->embedding + out->head + norm + model->params_extra +
                          model->layers * (out->attention_layer + out->norm_layer) +
                          out->dense_layers * out->mlp_layer;
    out->total = common + out->moe_layers * out->moe_layer;
    out->active = common + out->moe_layers * out->moe_layer_active;
}

/* Query-key and value widths of one head; they differ with latent attention only. */
static double attention_width(const assay_model_t *model) {
    return model->kv_lora > 0 ? 0.5 * ((double)model->qk_nope + model->qk_rope + model->v_head_dim)
                              : (double)model->head_dim;
}

double assay_model_train_flops_per_token(const assay_model_t *model, double sequence, bool causal) {
    assay_model_count_t count;
    assay_model_count(model, &count);
    const double body = count.active - count.embedding - count.head;
    const double attention =
        (causal ? 6.0 : 12.0) * model->layers * model->heads * attention_width(model) * sequence;
    return 6.0 * body + 6.0 * model->hidden * (double)model->vocab + attention;
}

double assay_model_kv_bytes_per_token(const assay_model_t *model, double bytes_each) {
    const double width = model->kv_lora > 0 ? (double)model->kv_lora + model->qk_rope
                                            : 2.0 * model->kv_heads * (double)model->head_dim;
    return model->layers * width * bytes_each;
}

/* What a decoder must say, and the most that is believed. */
static const struct {
    const char *name;
    size_t offset;
    uint32_t min, max;
} limits[] = {
#define LIMIT(field, min, max) \
    { #field, offsetof(assay_model_t, field), min, max }
    LIMIT(layers, 1, 4096),         LIMIT(hidden, 1, 1 << 20),
    LIMIT(heads, 1, 4096),          LIMIT(kv_heads, 1, 4096),
    LIMIT(head_dim, 1, 4096),       LIMIT(ffn, 1, 1 << 24),
    LIMIT(vocab, 1, 1 << 24),       LIMIT(max_position, 0, 1 << 30),
    LIMIT(norms_per_layer, 0, 8),   LIMIT(experts, 0, 65536),
    LIMIT(expert_ffn, 0, 1 << 24),  LIMIT(shared_experts, 0, 1024),
    LIMIT(shared_ffn, 0, 1 << 24),  LIMIT(first_dense_layers, 0, 4096),
    LIMIT(moe_layer_step, 0, 4096), LIMIT(q_lora, 0, 1 << 20),
    LIMIT(kv_lora, 0, 1 << 20),     LIMIT(qk_nope, 0, 4096),
    LIMIT(qk_rope, 0, 4096),        LIMIT(v_head_dim, 0, 4096),
#undef LIMIT
};

assay_status_t assay_model_check(const assay_model_t *model, const assay_place_t *at,
                                 assay_error_t *err) {
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const uint32_t v = *(const uint32_t *)((const char *)model + limits[i].offset);
        if (v < limits[i].min || v > limits[i].max) {
            return assay_error_set(err, ASSAY_INPUT, at, "model '%s': %s is %u, expected %u to %u",
                                   model->id, limits[i].name, v, limits[i].min, limits[i].max);
        }
    }
    if (model->heads % model->kv_heads != 0) {
        assay_error_set(err, ASSAY_INPUT, at,
                        "model '%s': %u heads do not divide among %u kv_heads", model->id,
                        model->heads, model->kv_heads);
        assay_error_next(err, "kv_heads must divide heads; equal for plain multi-head attention");
        return ASSAY_INPUT;
    }
    if (model->learned_positions && model->max_position == 0) {
        return assay_error_set(err, ASSAY_INPUT, at,
                               "model '%s': learned positions need max_position", model->id);
    }
    if (model->experts > 0 &&
        (model->top_k == 0 || model->top_k > model->experts || model->expert_ffn == 0)) {
        return assay_error_set(err, ASSAY_INPUT, at,
                               "model '%s': %u experts need expert_ffn and top_k of 1 to %u",
                               model->id, model->experts, model->experts);
    }
    if (model->kv_lora > 0 &&
        (model->qk_nope == 0 || model->qk_rope == 0 || model->v_head_dim == 0)) {
        return assay_error_set(err, ASSAY_INPUT, at,
                               "model '%s': kv_lora needs qk_nope, qk_rope and v_head_dim",
                               model->id);
    }
    return ASSAY_OK;
}
