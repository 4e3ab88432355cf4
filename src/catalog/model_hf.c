/* config.json of Hugging Face: which keys a family has is data/model_families.csv; here is what
   those keys mean together. */
#include <assert.h>
#include <string.h>

#include "assay/text.h"
#include "catalog/model_config.h"

#include "base/banned.h"

#define CONFIG_BYTES_MAX ((size_t)4 << 20)

/* A model, and what a file says that decides its shape without being part of it. */
typedef struct {
    assay_model_t model;
    uint32_t ffn_ratio, full_every, embedding_width, parallel_norms;
    uint32_t unwindowed; /* the first layers attend to all */
    uint32_t cross_layers, mtp_layers, index_heads, index_dim;
    bool window_used, multi_query, new_decoder, parallel;
} shape_t;

#define MODEL(kind, field, min, max) \
    { #field, offsetof(shape_t, model.field), kind, min, max, false }
#define SHAPE(kind, field, min, max) \
    { #field, offsetof(shape_t, field), kind, min, max, false }
static const keys_field_t shape_fields[] = {
    MODEL(KEYS_COUNT, layers, 1, 4096),
    MODEL(KEYS_COUNT, hidden, 1, 1 << 20),
    MODEL(KEYS_COUNT, heads, 1, 4096),
    MODEL(KEYS_COUNT, kv_heads, 1, 4096),
    MODEL(KEYS_COUNT, q_lora, 0, 1 << 20),
    MODEL(KEYS_COUNT, kv_lora, 0, 1 << 20),
    MODEL(KEYS_COUNT, qk_nope, 0, 4096),
    MODEL(KEYS_COUNT, qk_rope, 0, 4096),
    MODEL(KEYS_COUNT, v_head_dim, 0, 4096),
    MODEL(KEYS_COUNT, head_dim, 1, 4096),
    SHAPE(KEYS_COUNT, ffn_ratio, 1, 64),
    MODEL(KEYS_COUNT, ffn, 1, 1 << 24),
    MODEL(KEYS_COUNT, vocab, 1, 1 << 24),
    MODEL(KEYS_COUNT, max_position, 0, 1 << 30),
    MODEL(KEYS_COUNT, norms_per_layer, 1, 8),
    MODEL(KEYS_COUNT, experts, 0, 65536),
    MODEL(KEYS_COUNT, top_k, 0, 65536),
    MODEL(KEYS_COUNT, expert_ffn, 0, 1 << 24),
    MODEL(KEYS_COUNT, shared_experts, 0, 1024),
    MODEL(KEYS_COUNT, shared_ffn, 0, 1 << 24),
    MODEL(KEYS_COUNT, first_dense_layers, 0, 4096),
    MODEL(KEYS_COUNT, moe_layer_step, 1, 4096),
    MODEL(KEYS_COUNT, sliding_window, 0, 1 << 30),
    SHAPE(KEYS_BOOL, window_used, 0, 1),
    {"unwindowed", offsetof(shape_t, unwindowed), KEYS_COUNT, 0, 4096, true}, /* mostly unused */
    SHAPE(KEYS_COUNT, full_every, 1, 4096),
    MODEL(KEYS_COUNT, linear_key_heads, 0, 4096),
    MODEL(KEYS_COUNT, linear_value_heads, 0, 4096),
    MODEL(KEYS_COUNT, linear_key_dim, 0, 4096),
    MODEL(KEYS_COUNT, linear_value_dim, 0, 4096),
    MODEL(KEYS_COUNT, linear_conv, 0, 64),
    MODEL(KEYS_BOOL, gated, 0, 1),
    MODEL(KEYS_BOOL, tied_embeddings, 0, 1),
    MODEL(KEYS_BOOL, attn_bias, 0, 1),
    MODEL(KEYS_BOOL, out_bias, 0, 1),
    MODEL(KEYS_BOOL, mlp_bias, 0, 1),
    MODEL(KEYS_BOOL, qk_norm, 0, 1),
    MODEL(KEYS_BOOL, wide_qk_norm, 0, 1),
    MODEL(KEYS_BOOL, layer_norm, 0, 1),
    MODEL(KEYS_BOOL, learned_positions, 0, 1),
    MODEL(KEYS_BOOL, query_gate, 0, 1),
    MODEL(KEYS_BOOL, sinks, 0, 1),
    MODEL(KEYS_BOOL, embedding_norm, 0, 1),
    MODEL(KEYS_BOOL, head_bias, 0, 1),
    MODEL(KEYS_BOOL, shared_gate, 0, 1),
    MODEL(KEYS_BOOL, router_bias, 0, 1),
    SHAPE(KEYS_BOOL, multi_query, 0, 1),
    SHAPE(KEYS_BOOL, new_decoder, 0, 1),
    SHAPE(KEYS_BOOL, parallel, 0, 1),
    SHAPE(KEYS_COUNT, parallel_norms, 0, 8),
    SHAPE(KEYS_COUNT, embedding_width, 1, 1 << 20),
    SHAPE(KEYS_LENGTH, cross_layers, 0, 4096),
    SHAPE(KEYS_COUNT, mtp_layers, 0, 4096),
    SHAPE(KEYS_COUNT, index_heads, 0, 4096),
    SHAPE(KEYS_COUNT, index_dim, 0, 4096),
    MODEL(KEYS_NUMBER, params_extra, 0, 0),
};

/* A vision tower; its expressions are in the table too. */
typedef struct {
    uint32_t layers, hidden, ffn_ratio, ffn, image, patch, channels, temporal, merge, grid;
    uint32_t positions, stacks, global_layers, tiles, between, wide, text, merged;
    double layer_params, stem_params, projector_params;
} tower_t;

#define TOWER(kind, field, min, max) \
    { #field, offsetof(tower_t, field), kind, min, max, false }
static const keys_field_t tower_fields[] = {
    TOWER(KEYS_COUNT, text, 0, 0), /* set before: the width of the text model */
    TOWER(KEYS_COUNT, layers, 1, 4096),    TOWER(KEYS_COUNT, hidden, 1, 1 << 20),
    TOWER(KEYS_COUNT, ffn_ratio, 1, 64),   TOWER(KEYS_COUNT, ffn, 1, 1 << 24),
    TOWER(KEYS_COUNT, image, 1, 65536),    TOWER(KEYS_COUNT, patch, 1, 4096),
    TOWER(KEYS_COUNT, channels, 1, 64),    TOWER(KEYS_COUNT, temporal, 1, 64),
    TOWER(KEYS_COUNT, merge, 1, 64),       TOWER(KEYS_COUNT, merged, 0, 0),
    TOWER(KEYS_COUNT, grid, 0, 4096),      TOWER(KEYS_COUNT, positions, 1, 1 << 24),
    TOWER(KEYS_LENGTH, stacks, 0, 4096),   TOWER(KEYS_COUNT, global_layers, 0, 4096),
    TOWER(KEYS_COUNT, tiles, 1, 64),       TOWER(KEYS_COUNT, between, 1, 1 << 20),
    TOWER(KEYS_COUNT, wide, 1, 1 << 20),   TOWER(KEYS_NUMBER, layer_params, 0, 0),
    TOWER(KEYS_NUMBER, stem_params, 0, 0), TOWER(KEYS_NUMBER, projector_params, 0, 0),
};
#define N_OF(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

bool model_config_field(const char *name) {
    static const char *const texts[] = {"like", "text", "tower"};
    bool found = false;
    for (uint32_t i = 0; i < N_OF(shape_fields); i++) {
        found = found || strcmp(shape_fields[i].name, name) == 0;
    }
    for (uint32_t i = 0; i < N_OF(tower_fields); i++) {
        found = found || strcmp(tower_fields[i].name, name) == 0;
    }
    for (uint32_t i = 0; i < N_OF(texts); i++) {
        found = found || strcmp(texts[i], name) == 0;
    }
    return found;
}

static assay_status_t refuse_family(const keys_t *keys, const char *model_type) {
    uint32_t n;
    const char **names = keys_families(keys, &n);
    if (!names) {
        return assay_error_memory(keys->err, &keys->at);
    }
    assay_buf_t list;
    assay_buf_init(&list, 4096);
    for (uint32_t i = 0; i < n; i++) {
        assay_buf_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *near = assay_text_nearest(model_type, names, n);
    assay_error_set(keys->err, ASSAY_INPUT, &keys->at, "key 'model_type': '%s' is not supported",
                    model_type);
    if (near) {
        assay_error_next(keys->err, "did you mean '%s'?", near);
    } else {
        assay_error_next(keys->err, "describe the shape in the job instead; supported are %s",
                         list.n > 0 ? list.data : "none");
    }
    assay_buf_done(&list);
    return ASSAY_INPUT;
}

/* How many layers of a kind a list names; -1: none of them begins so. */
typedef struct {
    uint32_t full, window, linear;
} layer_types_t;

static assay_status_t count_types(const keys_t *keys, const json_t *list, uint32_t layers,
                                  layer_types_t *out) {
    *out = (layer_types_t){0};
    if (!json_is_array(list) || json_array_size(list) != layers) {
        return assay_error_set(keys->err, ASSAY_INPUT, &keys->at,
                               "key 'layer_types': expected a list of %u, one for each layer",
                               layers);
    }
    for (uint32_t i = 0; i < layers; i++) {
        const char *type = json_string_value(json_array_get(list, i));
        const struct {
            const char *name;
            uint32_t *count;
        } known[] = {{"full_attention", &out->full},
                     {"deepseek_sparse_attention", &out->full}, /* keeps everything */
                     {"sliding_attention", &out->window},
                     {"chunked_attention", &out->window},
                     {"linear_attention", &out->linear}};
        uint32_t k = 0;
        while (k < N_OF(known) && !(type && strcmp(type, known[k].name) == 0)) {
            k++;
        }
        if (k == N_OF(known)) {
            return assay_error_set(keys->err, ASSAY_INPUT, &keys->at,
                                   "key 'layer_types': layer %u is '%s', expected full_attention, "
                                   "sliding_attention, chunked_attention or linear_attention",
                                   i, type ? type : "no text");
        }
        ++*known[k].count;
    }
    return ASSAY_OK;
}

/* Which layers attend to everything, a window, or a state. */
static assay_status_t settle_attention(const keys_t *keys, shape_t *shape) {
    assay_model_t *model = &shape->model;
    const json_t *list = json_object_get(keys->root, "layer_types");
    if (!shape->window_used) {
        model->sliding_window = 0;
    }
    const bool mixed = model->sliding_window > 0 || model->linear_value_heads > 0;
    model->full_layers = !mixed                              ? 0
                         : shape->full_every > 0             ? model->layers / shape->full_every
                         : shape->unwindowed < model->layers ? shape->unwindowed
                                                             : model->layers;
    if (list && !json_is_null(list)) {
        layer_types_t types;
        const assay_status_t status = count_types(keys, list, model->layers, &types);
        if (status != ASSAY_OK) {
            return status;
        }
        if ((types.window > 0 && model->sliding_window == 0) ||
            (types.linear > 0 && (model->linear_value_heads == 0 || types.window > 0))) {
            return assay_error_set(keys->err, ASSAY_INPUT, &keys->at,
                                   "key 'layer_types' does not fit the windows and the linear "
                                   "attention of the other keys");
        }
        model->full_layers = types.full;
    }
    if (model->full_layers == model->layers) {
        model->full_layers = model->sliding_window = model->linear_value_heads = 0;
    }
    return ASSAY_OK;
}

/* Dense layers that a list names: only the first ones can be told apart. */
static assay_status_t settle_experts(const keys_t *keys, assay_model_t *model) {
    const json_t *freq = json_object_get(keys->root, "moe_layer_freq");
    const json_t *dense = json_object_get(keys->root, "mlp_only_layers");
    const size_t n = json_is_array(freq) ? json_array_size(freq) : json_array_size(dense);
    bool first = true;
    uint32_t n_dense = 0;
    if (model->experts == 0) {
        model->top_k = model->expert_ffn = model->shared_experts = model->shared_ffn = 0;
        model->first_dense_layers = model->moe_layer_step = 0;
        return ASSAY_OK;
    }
    for (size_t i = 0; i < n; i++) {
        if (json_is_array(freq)) {
            const bool is_dense = json_integer_value(json_array_get(freq, i)) == 0;
            first = first && (!is_dense || n_dense == i);
            n_dense += is_dense;
        } else {
            first = first && json_integer_value(json_array_get(dense, i)) == (json_int_t)i;
            n_dense++;
        }
    }
    if (!first) {
        assay_error_set(keys->err, ASSAY_INPUT, &keys->at,
                        "the dense layers among those with experts are not the first ones");
        assay_error_next(keys->err, "describe the shape in the job instead");
        return ASSAY_INPUT;
    }
    model->first_dense_layers = n_dense > 0 ? n_dense : model->first_dense_layers;
    const json_int_t step = json_integer_value(freq);
    model->moe_layer_step = step > 1 && step <= 4096 ? (uint32_t)step : model->moe_layer_step;
    return ASSAY_OK;
}

static assay_status_t settle_shape(const keys_t *keys, shape_t *shape) {
    assay_model_t *model = &shape->model;
    if (shape->embedding_width > 0 && shape->embedding_width != model->hidden) {
        return assay_error_set(keys->err, ASSAY_INPUT, &keys->at,
                               "an embedding of another width (%u) than the layers (%u) is not "
                               "supported",
                               shape->embedding_width, model->hidden);
    }
    if (shape->multi_query && !shape->new_decoder) {
        model->kv_heads = 1;
    }
    if (shape->parallel || shape->new_decoder) {
        model->norms_per_layer = shape->new_decoder ? shape->parallel_norms : 1;
    }
    assay_status_t status = settle_attention(keys, shape);
    if (status == ASSAY_OK) {
        status = settle_experts(keys, model);
    }
    if (status == ASSAY_OK && shape->mtp_layers > 0) {
        status = keys_note(keys, "layers that draft tokens are not counted: %u", shape->mtp_layers);
    }
    return status;
}

/* The object that describes the text model: the file itself or a part of it. */
static const json_t *text_object(const json_t *root) {
    static const char *const names[] = {"text_config", "llm_config", "language_config"};
    for (uint32_t i = 0; i < N_OF(names); i++) {
        const json_t *text = json_object_get(root, names[i]);
        if (json_is_object(text)) {
            return text;
        }
    }
    return root;
}

static assay_status_t read_tower(keys_t *keys, const char *wrapper, const json_t *root,
                                 assay_model_t *model) {
    static const json_t *const none = NULL;
    const json_t *vision = json_object_get(root, "vision_config");
    const char *type = json_string_value(json_object_get(vision, "model_type"));
    const char *own =
        type ? assay_arena_printf(keys->scratch, "%.32s_%.32s_tower", wrapper, type) : "";
    tower_t tower = {.text = model->hidden};
    if (!own) {
        return assay_error_memory(keys->err, &keys->at);
    }
    if (!json_is_object(vision)) {
        return ASSAY_OK;
    }
    if (!*own || !keys_choose(keys, own)) {
        const char *usual = keys_choose(keys, wrapper) ? keys_text(keys, "tower") : "";
        if (!*usual || !keys_choose(keys, usual)) {
            return keys_note(keys, "the vision tower of %.40s is not counted", wrapper);
        }
    }
    keys->root = vision;
    keys->outer = none;
    const assay_status_t status = keys_read(keys, tower_fields, N_OF(tower_fields), &tower);
    model->params_vision =
        tower.layers * tower.layer_params + tower.stem_params + tower.projector_params;
    return status;
}

static assay_status_t read_text(keys_t *keys, const char *family, assay_model_t *out_model) {
    shape_t shape = {.model = {.kind = "decoder-LLM", .hf_id = "", .norms_per_layer = 2},
                     .window_used = true};
    if (!keys_choose(keys, family)) {
        return refuse_family(keys, family);
    }
    assay_status_t status = keys_read(keys, shape_fields, N_OF(shape_fields), &shape);
    if (status == ASSAY_OK) {
        status = settle_shape(keys, &shape);
    }
    *out_model = shape.model;
    out_model->family = assay_arena_strdup(keys->arena, family);
    out_model->id = out_model->source = assay_arena_strdup(keys->arena, keys->at.file);
    if (status == ASSAY_OK && (!out_model->family || !out_model->id)) {
        status = assay_error_memory(keys->err, &keys->at);
    }
    return status;
}

static assay_status_t model_type_of(const keys_t *keys, const json_t *object, bool required,
                                    const char **out_type) {
    const json_t *value = json_object_get(object, "model_type");
    *out_type = json_string_value(value);
    if (!value && required) {
        return keys_refuse_missing(keys, "model_type");
    }
    if (value && !*out_type) {
        return assay_error_set(keys->err, ASSAY_INPUT, &keys->at,
                               "key 'model_type': expected a string");
    }
    return ASSAY_OK;
}

assay_status_t model_config_shape(keys_t *keys, const json_t *root, assay_model_t *out_model) {
    const json_t *text = text_object(root);
    const char *outer_type, *type;
    keys->root = root;
    keys->outer = NULL;
    assay_status_t status = model_type_of(keys, root, true, &outer_type);
    if (status == ASSAY_OK) {
        status = model_type_of(keys, text, false, &type);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    const char *inner = keys_choose(keys, outer_type) ? keys_text(keys, "text") : "";
    if (*inner && (text == root || !type || !keys_choose(keys, type))) {
        type = inner; /* a wrapper's usual text model */
    }
    keys->root = text;
    keys->outer = text == root ? NULL : root;
    assay_model_t model;
    status = read_text(keys, type ? type : outer_type, &model);
    if (status == ASSAY_OK) {
        status = read_tower(keys, outer_type, root, &model);
    }
    if (status == ASSAY_OK) {
        status = assay_model_check(&model, &keys->at, keys->err);
    }
    if (status == ASSAY_OK) {
        *out_model = model;
    }
    return status;
}

assay_status_t model_json_load(const char *file, const char *data, size_t size, json_t **out_root,
                               assay_error_t *err) {
    json_error_t error;
    const assay_place_t at = {file, 0, 0};
    if (size > CONFIG_BYTES_MAX) {
        return assay_error_set(err, ASSAY_LIMIT, &at,
                               "a config.json of %zu bytes, at most %zu are read", size,
                               CONFIG_BYTES_MAX);
    }
    *out_root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    if (!*out_root) {
        const assay_place_t place = {file, error.line > 0 ? (uint32_t)error.line : 0,
                                     error.column > 0 ? (uint32_t)error.column : 0};
        assay_error_set(err, ASSAY_INPUT, &place, "not JSON: %s", error.text);
        assay_error_next(err, "give a Hugging Face config.json");
        return ASSAY_INPUT;
    }
    if (!json_is_object(*out_root)) {
        json_decref(*out_root);
        return assay_error_set(err, ASSAY_INPUT, &at,
                               "expected a JSON object, the config.json of a model");
    }
    return ASSAY_OK;
}

static assay_status_t read_decoder(assay_arena_t *arena, const char *file, const json_t *root,
                                   assay_model_file_t *out, assay_error_t *err) {
    keys_t keys = {.arena = arena, .err = err, .at = {file, 0, 0}, .notes = &out->notes};
    assay_status_t status = keys_open(&keys);
    if (status == ASSAY_OK) {
        status = model_config_shape(&keys, root, &out->model);
    }
    if (status == ASSAY_OK) {
        status = model_config_checkpoint(&keys, root, &out->model, &out->checkpoint);
    }
    out->decoder = true;
    keys_close(&keys);
    return status;
}

static assay_status_t read_network(assay_arena_t *arena, const char *file, const json_t *root,
                                   assay_model_file_t *out, assay_error_t *err) {
    static const char *const kinds[ASSAY_NET_N] = {"diffusion-unet",     "diffusion-transformer",
                                                   "autoencoder",        "cnn",
                                                   "vision-transformer", "encoder"};
    assay_component_t *component = &out->component[0];
    const assay_status_t status = image_from_json(arena, file, root, &component->image, err);
    if (status == ASSAY_OK) {
        component->name = "";
        component->kind = kinds[component->image.net];
        component->laid_out = true;
        out->n_component = 1;
        out->model.id = out->model.source = component->image.id;
        out->model.kind = component->kind;
    }
    return status;
}

assay_status_t model_config_from_json(assay_arena_t *arena, const char *file, const json_t *root,
                                      assay_model_file_t *out, assay_error_t *err) {
    assay_model_file_t read = {.format = "Hugging Face config"};
    const assay_status_t status = image_is_known(root)
                                      ? read_network(arena, file, root, &read, err)
                                      : read_decoder(arena, file, root, &read, err);
    if (status == ASSAY_OK) {
        *out = read;
    }
    return status;
}

assay_status_t assay_model_config_read(assay_arena_t *arena, const char *file, const char *data,
                                       size_t size, assay_model_file_t *out, assay_error_t *err) {
    json_t *root;
    assay_status_t status = model_json_load(file, data, size, &root, err);
    if (status == ASSAY_OK) {
        status = model_config_from_json(arena, file, root, out, err);
        json_decref(root);
    }
    return status;
}

assay_status_t assay_model_read_hf(assay_arena_t *arena, const char *file, const char *data,
                                   size_t size, assay_model_t *out_model, assay_error_t *err) {
    assay_model_file_t read;
    const assay_status_t status = assay_model_config_read(arena, file, data, size, &read, err);
    if (status == ASSAY_OK && !read.decoder) {
        const assay_place_t at = {file, 0, 0};
        return assay_error_set(err, ASSAY_INPUT, &at, "a network of kind '%s', not a decoder",
                               read.model.kind);
    }
    if (status == ASSAY_OK) {
        *out_model = read.model;
    }
    return status;
}
