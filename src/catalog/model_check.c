/* Limits of a model's shape: behind them nothing that counts it can fail. */
#include "assay/model.h"

#include "base/banned.h"

/* What a decoder must say, and the most that is believed. */
static const struct {
    const char *name;
    size_t offset;
    uint32_t min, max;
} limits[] = {
#define LIMIT(field, min, max) \
    { #field, offsetof(assay_model_t, field), min, max }
    LIMIT(layers, 1, 4096),
    LIMIT(hidden, 1, 1 << 20),
    LIMIT(heads, 1, 4096),
    LIMIT(kv_heads, 1, 4096),
    LIMIT(head_dim, 1, 4096),
    LIMIT(ffn, 1, 1 << 24),
    LIMIT(vocab, 1, 1 << 24),
    LIMIT(max_position, 0, 1 << 30),
    LIMIT(norms_per_layer, 0, 8),
    LIMIT(full_layers, 0, 4096),
    LIMIT(experts, 0, 65536),
    LIMIT(expert_ffn, 0, 1 << 24),
    LIMIT(shared_experts, 0, 1024),
    LIMIT(shared_ffn, 0, 1 << 24),
    LIMIT(first_dense_layers, 0, 4096),
    LIMIT(moe_layer_step, 0, 4096),
    LIMIT(q_lora, 0, 1 << 20),
    LIMIT(kv_lora, 0, 1 << 20),
    LIMIT(qk_nope, 0, 4096),
    LIMIT(qk_rope, 0, 4096),
    LIMIT(v_head_dim, 0, 4096),
    LIMIT(linear_key_heads, 0, 4096),
    LIMIT(linear_value_heads, 0, 4096),
    LIMIT(linear_key_dim, 0, 4096),
    LIMIT(linear_value_dim, 0, 4096),
    LIMIT(linear_conv, 0, 64),
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
    if (model->full_layers > model->layers) {
        return assay_error_set(err, ASSAY_INPUT, at, "model '%s': %u full_layers of %u layers",
                               model->id, model->full_layers, model->layers);
    }
    if (model->linear_value_heads > 0 &&
        (model->linear_key_heads == 0 || model->linear_key_dim == 0 ||
         model->linear_value_dim == 0)) {
        return assay_error_set(
            err, ASSAY_INPUT, at,
            "model '%s': linear attention needs the heads and widths of its keys "
            "and values",
            model->id);
    }
    if (model->kv_lora > 0 &&
        (model->qk_nope == 0 || model->qk_rope == 0 || model->v_head_dim == 0)) {
        return assay_error_set(err, ASSAY_INPUT, at,
                               "model '%s': kv_lora needs qk_nope, qk_rope and v_head_dim",
                               model->id);
    }
    return ASSAY_OK;
}
