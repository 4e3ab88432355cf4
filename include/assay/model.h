/**
 * A model's shape and what follows from it alone: parameters, FLOPs per token, KV bytes per token.
 * Letters: L layers, H hidden, A heads, KV kv_heads, V vocabulary, E experts.
 */
#ifndef ASSAY_MODEL_H
#define ASSAY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *id, *family, *source;
    const char *hf_id; /* name on Hugging Face, "" = none */
    const char *kind;  /* decoder-LLM, encoder, vision-transformer, diffusion-unet, cnn ... */
    uint32_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab;
    bool gated;           /* gate, up and down matrices instead of two */
    bool tied_embeddings; /* one matrix for input and output */
    bool attn_bias;       /* of query, key, value */
    bool out_bias;        /* of the output projection of attention */
    bool mlp_bias;        /* of the MLP and its router */
    bool qk_norm, learned_positions;
    bool layer_norm;          /* LayerNorm (scale and shift) instead of RMSNorm */
    uint32_t norms_per_layer; /* 0 = the usual 2; 1 where attention and MLP share one, 4 with
                                 post-norms */
    uint32_t max_position;
    uint32_t sliding_window; /* 0 = no layer has one */
    /* Beside windows or linear attention: layers that attend to all that came before, spread evenly
       and ending each stretch; 0 = none. Without either, every layer does. */
    uint32_t full_layers;
    /* linear attention (gated delta rule) in the layers that are not full; value heads 0 = none */
    uint32_t linear_key_heads, linear_value_heads, linear_key_dim, linear_value_dim, linear_conv;
    bool query_gate;     /* queries come with a gate as wide on the output of attention */
    bool sinks;          /* one learned logit a head */
    bool wide_qk_norm;   /* qk_norm spans all heads of a projection, not one head */
    bool embedding_norm; /* a norm behind the input table */
    bool head_bias;      /* of the output matrix */
    bool shared_gate;    /* the shared expert is weighted by a projection to one number */
    bool router_bias;    /* one correction an expert */
    /* mixture of experts; experts 0 = dense */
    uint32_t experts, top_k, expert_ffn, shared_experts, shared_ffn, first_dense_layers,
        moe_layer_step;
    /* multi-head latent attention; kv_lora 0 = none */
    uint32_t q_lora, kv_lora, qk_nope, qk_rope, v_head_dim;
    double params_extra;     /* parameters that the rest does not tell */
    double params_vision;    /* vision tower and projector; 0 = text only */
    double params_published; /* 0 = not published */
    /* Number format that the weights are published in, of weight_formats.csv; NULL or "" = not
       known from the catalog. */
    const char *weight_format;
} assay_model_t;

/** Counted from the shape, in parameters. */
typedef struct {
    double total, active;         /* active: without the experts a token does not visit */
    double embedding;             /* input table (and positions) */
    double head;                  /* output matrix, 0 when tied */
    double attention_layer;       /* one layer of the first kind */
    double mlp_layer, norm_layer; /* one dense layer; 0 where there is none */
    double moe_layer, moe_layer_active, expert; /* one MoE layer; one routed expert */
    uint32_t dense_layers, moe_layers;
} assay_model_count_t;

void assay_model_count(const assay_model_t *model, assay_model_count_t *out);
/**
 * Model FLOPs of training one token (forward + backward), PaLM convention:
 * 6 N_active(non-embedding) + 6 H V + 12 L A d s; causal = true counts what the mask leaves (half).
 * Windows bound s; linear attention counts its state instead. The vision tower is left out.
 */
double assay_model_train_flops_per_token(const assay_model_t *model, double sequence, bool causal);
/**
 * FLOPs of one forward pass of one token that attends to `context` tokens: 2 per multiply-add of
 * every matrix it visits (the head included), scores and values.
 */
double assay_model_forward_flops_per_token(const assay_model_t *model, double context);
/** Key and value bytes of one token over all layers, windows aside. bytes_each: of one element. */
double assay_model_kv_bytes_per_token(const assay_model_t *model, double bytes_each);

/**
 * Reads a Hugging Face config.json of a family in data/model_families.csv; the text model of one
 * that sees images, whose tower is counted in params_vision.
 * Errors: ASSAY_INPUT with file and key: not JSON, missing or out-of-range key, unknown model_type
 * (names the supported ones), heads that do not divide.
 */
assay_status_t assay_model_read_hf(assay_arena_t *arena, const char *file, const char *data,
                                   size_t size, assay_model_t *out_model, assay_error_t *err);
/** Shape is usable: every count > 0 and within limits. Errors: ASSAY_INPUT naming the field. */
assay_status_t assay_model_check(const assay_model_t *model, const assay_place_t *at,
                                 assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
