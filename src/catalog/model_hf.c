#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/model.h"
#include "assay/text.h"

#include "base/banned.h"

#define CONFIG_BYTES_MAX ((size_t)4 << 20)

/* Whether a family has something: settled, or as a key says with the family's own default. */
typedef enum { NEVER, ALWAYS, KEY_OR_NO, KEY_OR_YES } rule_t;

/* Defaults are those of the families' configuration classes in huggingface/transformers,
   src/transformers/models/NAME/configuration_NAME.py. */
typedef struct {
    const char *model_type;
    uint32_t kv_heads;  /* when the key is absent; 0 = as many as heads */
    uint32_t head_dim;  /* when the key is absent; 0 = hidden / heads */
    uint32_t positions; /* when the key is absent */
    uint32_t window;    /* sliding window when the key is absent */
    rule_t tied, qkv_bias, out_bias, mlp_bias, window_used;
    bool gated, layer_norm, learned_positions, qk_norm;
    bool ffn_is_4h; /* where the key is absent or null */
    bool moe;
} family_t;

static const family_t families[] = {
    {.model_type = "llama",
     .positions = 2048,
     .tied = KEY_OR_NO,
     .qkv_bias = KEY_OR_NO,
     .out_bias = KEY_OR_NO,
     .mlp_bias = KEY_OR_NO,
     .gated = true},
    {.model_type = "mistral",
     .kv_heads = 8,
     .positions = 131072,
     .window = 4096,
     .tied = KEY_OR_NO,
     .window_used = ALWAYS,
     .gated = true},
    {.model_type = "mixtral",
     .kv_heads = 8,
     .positions = 131072,
     .tied = KEY_OR_NO,
     .window_used = ALWAYS,
     .gated = true,
     .moe = true},
    {.model_type = "qwen2",
     .kv_heads = 32,
     .positions = 32768,
     .window = 4096,
     .tied = KEY_OR_NO,
     .qkv_bias = ALWAYS,
     .window_used = KEY_OR_NO,
     .gated = true},
    {.model_type = "qwen3",
     .kv_heads = 32,
     .head_dim = 128,
     .positions = 32768,
     .window = 4096,
     .tied = KEY_OR_NO,
     .qkv_bias = KEY_OR_NO,
     .out_bias = KEY_OR_NO,
     .window_used = KEY_OR_NO,
     .gated = true,
     .qk_norm = true},
    {.model_type = "gpt2",
     .positions = 1024,
     .tied = KEY_OR_YES,
     .qkv_bias = ALWAYS,
     .out_bias = ALWAYS,
     .mlp_bias = ALWAYS,
     .layer_norm = true,
     .learned_positions = true,
     .ffn_is_4h = true},
    {.model_type = "gpt_neox",
     .positions = 2048,
     .tied = KEY_OR_NO,
     .qkv_bias = KEY_OR_YES,
     .out_bias = KEY_OR_YES,
     .mlp_bias = ALWAYS,
     .layer_norm = true},
};
#define N_FAMILY (sizeof families / sizeof families[0])

typedef struct {
    const char *name, *synonym; /* synonym NULL: none */
    size_t offset;
    uint32_t max;
    bool required, moe; /* moe: only where the family has experts */
} key_row_t;

#define OFFSET(field) offsetof(assay_model_t, field)
static const key_row_t keys[] = {
    {"num_hidden_layers", "n_layer", OFFSET(layers), 4096, true, false},
    {"hidden_size", "n_embd", OFFSET(hidden), 1 << 20, true, false},
    {"num_attention_heads", "n_head", OFFSET(heads), 4096, true, false},
    {"vocab_size", NULL, OFFSET(vocab), 1 << 24, true, false},
    {"intermediate_size", "n_inner", OFFSET(ffn), 1 << 24, false, false},
    {"num_key_value_heads", NULL, OFFSET(kv_heads), 4096, false, false},
    {"head_dim", NULL, OFFSET(head_dim), 4096, false, false},
    {"max_position_embeddings", "n_positions", OFFSET(max_position), 1 << 30, false, false},
    {"sliding_window", NULL, OFFSET(sliding_window), 1 << 30, false, false},
    {"num_local_experts", "num_experts", OFFSET(experts), 65536, true, true},
    {"num_experts_per_tok", NULL, OFFSET(top_k), 65536, true, true},
};

typedef struct {
    const json_t *root;
    assay_place_t at; /* the file; JSON values do not know their line */
    assay_error_t *err;
} config_t;

/* The nearest of the file's own keys, for one that is missing. */
static const char *nearest_key(const json_t *root, const char *name) {
    const char *best = NULL;
    for (void *i = json_object_iter((json_t *)root); i;
         i = json_object_iter_next((json_t *)root, i)) {
        const char *const pair[] = {best, json_object_iter_key(i)};
        best = assay_text_nearest(name, pair, 2);
    }
    return best;
}

static assay_status_t refuse_missing(const config_t *config, const char *name) {
    const char *near = nearest_key(config->root, name);
    assay_error_set(config->err, ASSAY_INPUT, &config->at, "key '%s' is missing", name);
    if (near) {
        assay_error_next(config->err, "is '%s' a misspelling of it?", near);
    } else {
        assay_error_next(config->err, "give the config.json that belongs to the weights");
    }
    return ASSAY_INPUT;
}

/* *out_value: NULL when neither name is there, a JSON null as such. */
static assay_status_t find_key(const config_t *config, const key_row_t *key,
                               const json_t **out_value) {
    const json_t *value = json_object_get(config->root, key->name);
    const json_t *other = key->synonym ? json_object_get(config->root, key->synonym) : NULL;
    if (value && other && !json_equal(value, other)) {
        assay_error_set(config->err, ASSAY_INPUT, &config->at, "keys '%s' and '%s' differ",
                        key->name, key->synonym);
        assay_error_next(config->err, "they mean the same; keep one");
        return ASSAY_INPUT;
    }
    *out_value = value ? value : other;
    return ASSAY_OK;
}

static assay_status_t read_count(const config_t *config, const key_row_t *key,
                                 assay_model_t *model) {
    const json_t *value;
    const assay_status_t status = find_key(config, key, &value);
    if (status != ASSAY_OK) {
        return status;
    }
    if (!value || json_is_null(value)) {
        return key->required ? refuse_missing(config, key->name) : ASSAY_OK;
    }
    if (!json_is_integer(value) || json_integer_value(value) < 1 ||
        json_integer_value(value) > key->max) {
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        assay_error_set(config->err, ASSAY_INPUT, &config->at,
                        "key '%s': expected a whole number from 1 to %u, found %.40s", key->name,
                        key->max, text ? text : "something else");
        free(text);
        return ASSAY_INPUT;
    }
    *(uint32_t *)((char *)model + key->offset) = (uint32_t)json_integer_value(value);
    return ASSAY_OK;
}

static assay_status_t read_rule(const config_t *config, const char *name, rule_t rule,
                                bool *out_value) {
    const json_t *value = json_object_get(config->root, name);
    *out_value = rule == ALWAYS || rule == KEY_OR_YES;
    if (rule == NEVER || rule == ALWAYS || !value || json_is_null(value)) {
        return ASSAY_OK;
    }
    if (!json_is_boolean(value)) {
        return assay_error_set(config->err, ASSAY_INPUT, &config->at,
                               "key '%s': expected true or false", name);
    }
    *out_value = json_is_true(value);
    return ASSAY_OK;
}

static assay_status_t read_rules(const config_t *config, const family_t *family,
                                 assay_model_t *model) {
    bool window_used;
    const struct {
        const char *name;
        rule_t rule;
        bool *out;
    } rules[] = {
        {"tie_word_embeddings", family->tied, &model->tied_embeddings},
        {"attention_bias", family->qkv_bias, &model->attn_bias},
        {"attention_bias", family->out_bias, &model->out_bias},
        {"mlp_bias", family->mlp_bias, &model->mlp_bias},
        {"use_sliding_window", family->window_used, &window_used},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const assay_status_t status = read_rule(config, rules[i].name, rules[i].rule, rules[i].out);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    if (!window_used) {
        model->sliding_window = 0;
    }
    return ASSAY_OK;
}

/* What the file leaves out, as the family's class would fill it in. */
static assay_status_t fill_defaults(const config_t *config, const family_t *family,
                                    assay_model_t *model) {
    if (model->kv_heads == 0) {
        const bool absent = !json_object_get(config->root, "num_key_value_heads");
        model->kv_heads = absent && family->kv_heads ? family->kv_heads : model->heads;
    }
    if (model->head_dim == 0 && family->head_dim == 0 && model->hidden % model->heads != 0) {
        assay_error_set(config->err, ASSAY_INPUT, &config->at,
                        "key 'hidden_size': %u does not divide among %u num_attention_heads",
                        model->hidden, model->heads);
        assay_error_next(config->err,
                         "give head_dim if the heads are not hidden_size wide together");
        return ASSAY_INPUT;
    }
    if (model->head_dim == 0) {
        model->head_dim = family->head_dim ? family->head_dim : model->hidden / model->heads;
    }
    if (model->ffn == 0 && !family->ffn_is_4h) {
        return refuse_missing(config, "intermediate_size");
    }
    model->ffn = model->ffn ? model->ffn : 4 * model->hidden;
    model->max_position = model->max_position ? model->max_position : family->positions;
    if (!json_object_get(config->root, "sliding_window")) {
        model->sliding_window = family->window;
    }
    if (family->moe) {
        model->expert_ffn = model->ffn;
    }
    return ASSAY_OK;
}

static assay_status_t refuse_family(const config_t *config, const char *model_type) {
    const char *names[N_FAMILY];
    char list[128] = "";
    size_t used = 0;
    for (size_t i = 0; i < N_FAMILY; i++) {
        names[i] = families[i].model_type;
        const int n =
            snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
        assert(n > 0 && (size_t)n < sizeof list - used);
        used += (size_t)n;
    }
    const char *near = assay_text_nearest(model_type, names, N_FAMILY);
    assay_error_set(config->err, ASSAY_INPUT, &config->at,
                    "key 'model_type': '%s' is not supported, only %s", model_type, list);
    if (near) {
        assay_error_next(config->err, "did you mean '%s'?", near);
    } else {
        assay_error_next(config->err, "describe the shape in the job instead");
    }
    return ASSAY_INPUT;
}

static assay_status_t find_family(const config_t *config, const family_t **out_family) {
    const json_t *value = json_object_get(config->root, "model_type");
    if (!value) {
        return refuse_missing(config, "model_type");
    }
    const char *model_type = json_string_value(value);
    if (!model_type) {
        return assay_error_set(config->err, ASSAY_INPUT, &config->at,
                               "key 'model_type': expected a string");
    }
    for (size_t i = 0; i < N_FAMILY; i++) {
        if (strcmp(families[i].model_type, model_type) == 0) {
            *out_family = &families[i];
            return ASSAY_OK;
        }
    }
    return refuse_family(config, model_type);
}

static assay_status_t read_config(assay_arena_t *arena, const config_t *config,
                                  assay_model_t *out_model) {
    const family_t *family = NULL;
    assay_model_t model = {.kind = "decoder-LLM", .hf_id = "", .norms_per_layer = 2};
    assay_status_t status = find_family(config, &family);
    for (size_t i = 0; status == ASSAY_OK && i < sizeof keys / sizeof keys[0]; i++) {
        if (!keys[i].moe || family->moe) {
            status = read_count(config, &keys[i], &model);
        }
    }
    if (status == ASSAY_OK) {
        status = fill_defaults(config, family, &model);
    }
    if (status == ASSAY_OK) {
        status = read_rules(config, family, &model);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    model.family = family->model_type;
    model.gated = family->gated;
    model.layer_norm = family->layer_norm;
    model.learned_positions = family->learned_positions;
    model.qk_norm = family->qk_norm;
    model.id = model.source = assay_arena_strdup(arena, config->at.file);
    if (!model.id) {
        return assay_error_memory(config->err, &config->at);
    }
    status = assay_model_check(&model, &config->at, config->err);
    if (status == ASSAY_OK) {
        *out_model = model;
    }
    return status;
}

assay_status_t assay_model_read_hf(assay_arena_t *arena, const char *file, const char *data,
                                   size_t size, assay_model_t *out_model, assay_error_t *err) {
    json_error_t error;
    config_t config = {NULL, {file, 0, 0}, err};
    if (size > CONFIG_BYTES_MAX) {
        return assay_error_set(err, ASSAY_LIMIT, &config.at,
                               "a config.json of %zu bytes, at most %zu are read", size,
                               CONFIG_BYTES_MAX);
    }
    json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        const assay_place_t at = {file, error.line > 0 ? (uint32_t)error.line : 0,
                                  error.column > 0 ? (uint32_t)error.column : 0};
        assay_error_set(err, ASSAY_INPUT, &at, "not JSON: %s", error.text);
        assay_error_next(err, "give a Hugging Face config.json");
        return ASSAY_INPUT;
    }
    assay_status_t status;
    config.root = root;
    if (json_is_object(root)) {
        status = read_config(arena, &config, out_model);
    } else {
        status = assay_error_set(err, ASSAY_INPUT, &config.at,
                                 "expected a JSON object, the config.json of a model");
    }
    json_decref(root);
    return status;
}
