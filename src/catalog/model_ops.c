/* The tensors and operations of a decoder, layer kind by layer kind, in the order they run. */
#include "assay/model_ops.h"

#include <assert.h>
#include <string.h>

#include "base/banned.h"

const char *assay_part_name(assay_part_t part) {
    static const char *const names[ASSAY_PART_N] = {
        [ASSAY_PART_EMBEDDING] = "embedding",
        [ASSAY_PART_ATTENTION] = "attention",
        [ASSAY_PART_MLP] = "mlp",
        [ASSAY_PART_EXPERT] = "experts",
        [ASSAY_PART_SHARED_EXPERT] = "shared experts",
        [ASSAY_PART_ROUTER] = "router",
        [ASSAY_PART_NORM] = "norms",
        [ASSAY_PART_HEAD] = "head",
        [ASSAY_PART_VISION] = "vision",
        [ASSAY_PART_OTHER] = "other",
    };
    assert((unsigned)part < ASSAY_PART_N);
    return names[part];
}

/* Layer i (from 0) is a MoE layer when it is past the first dense ones and ends a step. */
static bool layer_is_moe(const assay_model_t *model, uint32_t i) {
    const uint32_t step = model->moe_layer_step ? model->moe_layer_step : 1;
    return model->experts > 0 && i >= model->first_dense_layers && (i + 1) % step == 0;
}

static bool layer_is_full(const assay_model_t *model, uint32_t i) {
    const uint64_t full = model->full_layers, layers = model->layers;
    return (i + 1) * full / layers != i * full / layers;
}

static uint32_t count_moe_layers(const assay_model_t *model) {
    const uint32_t step = model->moe_layer_step ? model->moe_layer_step : 1;
    return model->experts == 0 || model->first_dense_layers >= model->layers
               ? 0
               : model->layers / step - model->first_dense_layers / step;
}

static assay_layer_kind_t kind_of(const assay_model_t *model, uint32_t layers, bool full,
                                  bool moe) {
    const bool linear = model->linear_value_heads > 0;
    return (assay_layer_kind_t){.layers = layers,
                                .window = full || linear ? 0 : model->sliding_window,
                                .moe = moe,
                                .linear = !full && linear};
}

/* Layers differ in both ways: they are looked at one by one. */
static uint32_t sort_layers(const assay_model_t *model,
                            assay_layer_kind_t out_kind[ASSAY_LAYER_KIND_MAX]) {
    uint32_t n = 0, seen[4] = {0}; /* place of a kind, from 1 */
    for (uint32_t i = 0; i < model->layers; i++) {
        const bool full = layer_is_full(model, i), moe = layer_is_moe(model, i);
        uint32_t *at = &seen[2 * full + moe];
        if (*at == 0) {
            out_kind[n++] = kind_of(model, 0, full, moe);
            *at = n;
        }
        out_kind[*at - 1].layers++;
    }
    return n;
}

uint32_t assay_model_layer_kinds(const assay_model_t *model,
                                 assay_layer_kind_t out_kind[ASSAY_LAYER_KIND_MAX]) {
    const bool mixed = model->linear_value_heads > 0 || model->sliding_window > 0;
    const uint32_t layers = model->layers, moe = count_moe_layers(model);
    const uint32_t full = mixed ? model->full_layers : layers;
    if (moe > 0 && moe < layers && full > 0 && full < layers) {
        return sort_layers(model, out_kind);
    }
    uint32_t n = 0;
    if (moe > 0 && moe < layers) { /* dense ones come first, and so do those with a window */
        out_kind[n++] = kind_of(model, layers - moe, full > 0, false);
        out_kind[n++] = kind_of(model, moe, full > 0, true);
        return n;
    }
    if (full < layers) {
        out_kind[n++] = kind_of(model, layers - full, false, moe > 0);
    }
    if (full > 0) {
        out_kind[n++] = kind_of(model, full, true, moe > 0);
    }
    return n;
}

double assay_model_kv_heads(const assay_model_t *model, uint32_t tp) {
    return model->kv_heads > tp ? (double)((model->kv_heads + tp - 1) / tp) : 1.0;
}

void assay_model_op_shape(const assay_model_t *model, const assay_model_op_t *op, uint32_t tp,
                          double *out_k, double *out_n) {
    *out_k = op->shard == ASSAY_SHARD_ROW ? op->k / tp : op->k;
    *out_n = op->n;
    if (op->shard == ASSAY_SHARD_COLUMN) {
        const double kv = op->n_kv > 0 ? op->n_kv / model->kv_heads : 0;
        *out_n = (op->n - op->n_kv) / tp + kv * assay_model_kv_heads(model, tp);
    } else if (op->shard == ASSAY_SHARD_VOCAB && op->kind == ASSAY_OP_GATHER) {
        *out_k = op->k / tp;
    } else if (op->shard == ASSAY_SHARD_VOCAB) {
        *out_n = op->n / tp;
    }
}

typedef struct {
    const assay_model_t *model;
    assay_model_op_t *op;
    uint32_t n;
    uint8_t layer_kind;
} list_t;

static assay_model_op_t *add(list_t *list, const char *name, assay_op_kind_t kind,
                             assay_part_t part, assay_shard_t shard) {
    assert(list->n < ASSAY_MODEL_OP_MAX);
    assay_model_op_t *op = &list->op[list->n++];
    *op = (assay_model_op_t){.name = name,
                             .kind = (uint8_t)kind,
                             .part = (uint8_t)part,
                             .shard = (uint8_t)shard,
                             .layer_kind = list->layer_kind,
                             .matrices = 1,
                             .visited = 1};
    return op;
}

static assay_model_op_t *add_gemm(list_t *list, const char *name, assay_part_t part,
                                  assay_shard_t shard, double k, double n, bool bias) {
    assay_model_op_t *op = add(list, name, ASSAY_OP_GEMM, part, shard);
    op->k = k;
    op->n = n;
    op->params = k * n + (bias ? n : 0);
    return op;
}

static assay_model_op_t *add_stream(list_t *list, const char *name, assay_op_kind_t kind,
                                    assay_part_t part, assay_shard_t shard, double n) {
    assay_model_op_t *op = add(list, name, kind, part, shard);
    op->n = n;
    return op;
}

static void add_norm(list_t *list, const char *name, assay_part_t part) {
    const double h = list->model->hidden;
    add_stream(list, name, ASSAY_OP_NORM, part, ASSAY_SHARD_NONE, h)->params =
        list->model->layer_norm ? 2 * h : h;
}

/* Multi-head latent attention: key and value come from a latent that is all the cache keeps. */
static void add_latent(list_t *list) {
    const assay_model_t *model = list->model;
    const assay_part_t part = ASSAY_PART_ATTENTION;
    const double h = model->hidden, heads = model->heads, rope = model->qk_rope;
    const double key = model->qk_nope + rope, latent = model->kv_lora, rank = model->q_lora;
    if (rank > 0) {
        add_gemm(list, "q_down", part, ASSAY_SHARD_NONE, h, rank, model->attn_bias);
        add_stream(list, "q_norm", ASSAY_OP_NORM, part, ASSAY_SHARD_NONE, rank)->params = rank;
        add_gemm(list, "q_up", part, ASSAY_SHARD_COLUMN, rank, heads * key, false);
    } else {
        add_gemm(list, "q", part, ASSAY_SHARD_COLUMN, h, heads * key, false);
    }
    add_gemm(list, "kv_down", part, ASSAY_SHARD_NONE, h, latent + rope, model->attn_bias);
    add_stream(list, "kv_norm", ASSAY_OP_NORM, part, ASSAY_SHARD_NONE, latent)->params = latent;
    add_gemm(list, "kv_up", part, ASSAY_SHARD_COLUMN, latent,
             heads * (model->qk_nope + (double)model->v_head_dim), false);
    add_stream(list, "rotary", ASSAY_OP_ROTARY, part, ASSAY_SHARD_COLUMN, (heads + 1) * rope);
    add(list, "attention", ASSAY_OP_ATTENTION, part, ASSAY_SHARD_COLUMN)->n =
        heads * model->v_head_dim;
    add_gemm(list, "attention_out", part, ASSAY_SHARD_ROW, heads * model->v_head_dim, h,
             model->out_bias);
}

static void add_attention(list_t *list) {
    const assay_model_t *model = list->model;
    const assay_part_t part = ASSAY_PART_ATTENTION;
    const double h = model->hidden, d = model->head_dim;
    const double query = model->heads * d, kv = model->kv_heads * d;
    add_gemm(list, "qkv", part, ASSAY_SHARD_COLUMN, h, (model->query_gate ? 2 : 1) * query + 2 * kv,
             model->attn_bias)
        ->n_kv = 2 * kv;
    if (model->qk_norm) {
        assay_model_op_t *op =
            add_stream(list, "qk_norm", ASSAY_OP_NORM, part, ASSAY_SHARD_COLUMN, query + kv);
        op->n_kv = kv;
        op->params = model->wide_qk_norm ? query + kv : 2 * d;
    }
    if (!model->learned_positions) {
        add_stream(list, "rotary", ASSAY_OP_ROTARY, part, ASSAY_SHARD_COLUMN, query + kv)->n_kv =
            kv;
    }
    assay_model_op_t *op = add(list, "attention", ASSAY_OP_ATTENTION, part, ASSAY_SHARD_COLUMN);
    op->n = query;
    op->params = model->sinks ? model->heads : 0;
    if (model->query_gate) {
        add_stream(list, "attention_gate", ASSAY_OP_ACTIVATION, part, ASSAY_SHARD_COLUMN, query);
    }
    add_gemm(list, "attention_out", part, ASSAY_SHARD_ROW, query, h, model->out_bias);
}

/* Gated delta rule as Qwen3-Next has it (transformers, modeling_qwen3_next.py,
   Qwen3NextGatedDeltaNet): query, key, value and output gate; decay and update rate of each value
   head; a short convolution over query, key and value; a norm of one head. */
static void add_linear(list_t *list) {
    const assay_model_t *model = list->model;
    const assay_part_t part = ASSAY_PART_ATTENTION;
    const double h = model->hidden, heads = model->linear_value_heads;
    const double key = (double)model->linear_key_heads * model->linear_key_dim;
    const double value = heads * model->linear_value_dim;
    add_gemm(list, "linear_qkvz", part, ASSAY_SHARD_COLUMN, h, 2 * key + 2 * value, false);
    add_gemm(list, "linear_rates", part, ASSAY_SHARD_COLUMN, h, 2 * heads, false);
    assay_model_op_t *op = add(list, "linear_attention", ASSAY_OP_LINEAR, part, ASSAY_SHARD_COLUMN);
    op->n = value;
    op->params = (2 * key + value) * model->linear_conv + 2 * heads; /* and a bias, a log decay */
    add_stream(list, "linear_norm", ASSAY_OP_NORM, part, ASSAY_SHARD_COLUMN, value)->params =
        model->linear_value_dim;
    add_gemm(list, "attention_out", part, ASSAY_SHARD_ROW, value, h, false);
}

typedef struct {
    const char *up, *activation, *down;
} mlp_names_t;

static void add_mlp(list_t *list, const mlp_names_t *name, assay_part_t part, double ffn) {
    const assay_model_t *model = list->model;
    const double h = model->hidden;
    add_gemm(list, name->up, part, ASSAY_SHARD_COLUMN, h, model->gated ? 2 * ffn : ffn,
             model->mlp_bias);
    add_stream(list, name->activation, ASSAY_OP_ACTIVATION, part, ASSAY_SHARD_COLUMN, ffn);
    add_gemm(list, name->down, part, ASSAY_SHARD_ROW, ffn, h, model->mlp_bias);
}

static void add_experts(list_t *list) {
    static const mlp_names_t routed = {"expert_up", "expert_activation", "expert_down"};
    static const mlp_names_t shared = {"shared_up", "shared_activation", "shared_down"};
    const assay_model_t *model = list->model;
    const double experts = model->experts, h = model->hidden;
    assay_model_op_t *router =
        add_gemm(list, "router", ASSAY_PART_ROUTER, ASSAY_SHARD_NONE, h, experts, model->mlp_bias);
    router->params += model->router_bias ? experts : 0;

    const uint32_t first = list->n;
    add_mlp(list, &routed, ASSAY_PART_EXPERT, model->expert_ffn);
    for (uint32_t i = first; i < list->n; i++) {
        assay_model_op_t *op = &list->op[i];
        op->kind = op->kind == ASSAY_OP_GEMM ? ASSAY_OP_GROUPED : op->kind;
        op->shard = ASSAY_SHARD_EXPERT;
        op->matrices = experts;
        op->visited = model->top_k;
        op->params *= experts;
    }
    const double shared_ffn = model->shared_ffn ? (double)model->shared_ffn
                                                : (double)model->shared_experts * model->expert_ffn;
    if (shared_ffn > 0) {
        add_mlp(list, &shared, ASSAY_PART_SHARED_EXPERT, shared_ffn);
    }
    if (shared_ffn > 0 && model->shared_gate) {
        add_gemm(list, "shared_gate", ASSAY_PART_SHARED_EXPERT, ASSAY_SHARD_NONE, h, 1, false);
    }
}

static void add_layer(list_t *list, const assay_layer_kind_t *kind) {
    static const mlp_names_t dense = {"mlp_up", "activation", "mlp_down"};
    const assay_model_t *model = list->model;
    const uint32_t norms = model->norms_per_layer ? model->norms_per_layer : 2;
    add_norm(list, "attention_norm", ASSAY_PART_NORM);
    if (kind->linear) {
        add_linear(list);
    } else if (model->kv_lora > 0) {
        add_latent(list);
    } else {
        add_attention(list);
    }
    if (norms > 2) {
        add_norm(list, "attention_post_norm", ASSAY_PART_NORM);
    }
    add_stream(list, "attention_residual", ASSAY_OP_RESIDUAL, ASSAY_PART_ATTENTION,
               ASSAY_SHARD_NONE, model->hidden);
    if (norms > 1) {
        add_norm(list, "mlp_norm", ASSAY_PART_NORM);
    }
    if (kind->moe) {
        add_experts(list);
    } else {
        add_mlp(list, &dense, ASSAY_PART_MLP, model->ffn);
    }
    for (uint32_t i = 3; i < norms; i++) {
        add_norm(list, "mlp_post_norm", ASSAY_PART_NORM);
    }
    add_stream(list, "mlp_residual", ASSAY_OP_RESIDUAL, ASSAY_PART_MLP, ASSAY_SHARD_NONE,
               model->hidden);
}

uint32_t assay_model_ops(const assay_model_t *model, assay_model_op_t out_op[ASSAY_MODEL_OP_MAX]) {
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    const uint32_t n_kind = assay_model_layer_kinds(model, kind);
    const double h = model->hidden, vocab = model->vocab;
    list_t list = {model, out_op, 0, 0};
    for (uint32_t i = 0; i < n_kind; i++) {
        list.layer_kind = (uint8_t)i;
        add_layer(&list, &kind[i]);
    }
    list.layer_kind = ASSAY_OP_ONCE;
    assay_model_op_t *table =
        add(&list, "embedding", ASSAY_OP_GATHER, ASSAY_PART_EMBEDDING, ASSAY_SHARD_VOCAB);
    table->k = vocab;
    table->n = h;
    table->params = vocab * h + (model->learned_positions ? model->max_position * h : 0);
    if (model->embedding_norm) {
        add_norm(&list, "embedding_norm", ASSAY_PART_EMBEDDING);
    }
    add_norm(&list, "final_norm", ASSAY_PART_NORM);
    assay_model_op_t *head =
        add_gemm(&list, "head", ASSAY_PART_HEAD, ASSAY_SHARD_VOCAB, h, vocab, model->head_bias);
    head->params -= model->tied_embeddings ? vocab * h : 0;
    return list.n;
}
