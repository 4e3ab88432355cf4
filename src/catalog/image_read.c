/* config.json of diffusers, of ViT and of BERT: keys are tables, one a kind of network. */
#include <stdio.h>
#include <string.h>

#include "assay/image_ops.h"
#include "assay/text.h"
#include "catalog/model_config.h"

#include "base/banned.h"

typedef enum { ONE, EACH_LEVEL } span_t;

typedef struct {
    const char *key;
    size_t offset;
    span_t span; /* EACH_LEVEL: a list, or one number for all */
    uint32_t max;
    uint32_t absent; /* REQUIRED: there is no default */
} image_key_t;
#define REQUIRED UINT32_MAX
#define FIELD(key, field, span, max, absent) \
    { key, offsetof(assay_image_shape_t, field), span, max, absent }

/* Defaults: the signatures of diffusers' and transformers' classes of that name. */
static const image_key_t unet_keys[] = {
    FIELD("in_channels", in_channels, ONE, 4096, 4),
    FIELD("out_channels", out_channels, ONE, 4096, 4),
    FIELD("block_out_channels", channels, EACH_LEVEL, 1 << 16, REQUIRED),
    FIELD("layers_per_block", blocks, EACH_LEVEL, 16, 2),
    FIELD("transformer_layers_per_block", depth_down, EACH_LEVEL, 64, 1),
    FIELD("cross_attention_dim", text_dim, ONE, 1 << 16, 1280),
    FIELD("projection_class_embeddings_input_dim", added_dim, ONE, 1 << 16, 0),
    FIELD("sample_size", width, ONE, 4096, 64),
};
static const image_key_t flux_keys[] = {
    FIELD("in_channels", in_channels, ONE, 4096, 64),
    FIELD("out_channels", out_channels, ONE, 4096, 0),
    FIELD("num_layers", layers, ONE, 512, 19),
    FIELD("num_single_layers", single_layers, ONE, 512, 38),
    FIELD("num_attention_heads", heads, ONE, 1024, 24),
    FIELD("attention_head_dim", head_dim[0], ONE, 1024, 128),
    FIELD("joint_attention_dim", text_dim, ONE, 1 << 16, 4096),
    FIELD("pooled_projection_dim", pooled_dim, ONE, 1 << 16, 768),
};
static const image_key_t vae_keys[] = {
    FIELD("in_channels", in_channels, ONE, 64, 3),
    FIELD("out_channels", out_channels, ONE, 64, 3),
    FIELD("block_out_channels", channels, EACH_LEVEL, 1 << 16, REQUIRED),
    FIELD("layers_per_block", blocks, EACH_LEVEL, 16, 1),
    FIELD("latent_channels", hidden, ONE, 1024, 4),
    FIELD("sample_size", width, ONE, 8192, 512),
};
static const image_key_t vit_keys[] = {
    FIELD("num_channels", in_channels, ONE, 64, 3),
    FIELD("hidden_size", hidden, ONE, 1 << 16, 768),
    FIELD("num_hidden_layers", layers, ONE, 256, 12),
    FIELD("num_attention_heads", heads, ONE, 1024, 12),
    FIELD("intermediate_size", ffn, ONE, 1 << 20, 3072),
    FIELD("image_size", width, ONE, 8192, 224),
    FIELD("patch_size", patch, ONE, 1024, 16),
};
static const image_key_t bert_keys[] = {
    FIELD("hidden_size", hidden, ONE, 1 << 16, 768),
    FIELD("num_hidden_layers", layers, ONE, 256, 12),
    FIELD("num_attention_heads", heads, ONE, 1024, 12),
    FIELD("intermediate_size", ffn, ONE, 1 << 20, 3072),
    FIELD("vocab_size", vocab, ONE, 1 << 24, 30522),
    FIELD("max_position_embeddings", max_position, ONE, 1 << 20, 512),
    FIELD("type_vocab_size", classes, ONE, 4096, 2),
};

typedef struct {
    assay_arena_t *arena;
    assay_error_t *err;
    assay_place_t at;
    const json_t *root;
} image_file_t;

static assay_status_t refuse(const image_file_t *file, const char *key, const char *what) {
    return assay_error_set(file->err, ASSAY_INPUT, &file->at, "key '%s': expected %s", key, what);
}

static assay_status_t number(const image_file_t *file, const char *key, const json_t *value,
                             uint32_t max, uint32_t *out) {
    if (!json_is_integer(value) || json_integer_value(value) < 1 ||
        json_integer_value(value) > max) {
        char what[64];
        snprintf(what, sizeof what, "a whole number from 1 to %u", max);
        return refuse(file, key, what);
    }
    *out = (uint32_t)json_integer_value(value);
    return ASSAY_OK;
}

static assay_status_t each_level(const image_file_t *file, const image_key_t *key,
                                 const json_t *value, uint32_t *levels, uint32_t *out) {
    const uint32_t n = (uint32_t)json_array_size(value);
    assay_status_t status = ASSAY_OK;
    if (json_is_array(value) && (n == 0 || n > ASSAY_LEVEL_MAX || (*levels && n != *levels))) {
        return refuse(file, key->key, "one number for each level, at most 8");
    }
    *levels = json_is_array(value) ? n : *levels;
    for (uint32_t i = 0; status == ASSAY_OK && i < *levels; i++) {
        const json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
        status = number(file, key->key, one, key->max, &out[i]);
    }
    return status;
}

static assay_status_t read_keys(const image_file_t *file, const image_key_t *keys, uint32_t n,
                                assay_image_shape_t *shape) {
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; status == ASSAY_OK && i < n; i++) {
        const json_t *value = json_object_get(file->root, keys[i].key);
        uint32_t *out = (uint32_t *)(void *)((char *)shape + keys[i].offset);
        if (value && !json_is_null(value)) {
            status = keys[i].span == EACH_LEVEL
                         ? each_level(file, &keys[i], value, &shape->levels, out)
                         : number(file, keys[i].key, value, keys[i].max, out);
            continue;
        }
        if (keys[i].absent == REQUIRED) {
            return assay_error_set(file->err, ASSAY_INPUT, &file->at, "key '%s' is missing",
                                   keys[i].key);
        }
        for (uint32_t k = 0; k < (keys[i].span == EACH_LEVEL ? shape->levels : 1); k++) {
            out[k] = keys[i].absent;
        }
    }
    return status;
}

/* Levels whose block has attention, by the name of the block. going_up: listed from the coarsest.
 */
static assay_status_t blocks_attend(const image_file_t *file, const char *key, bool going_up,
                                    const assay_image_shape_t *shape, bool out[ASSAY_LEVEL_MAX]) {
    const json_t *list = json_object_get(file->root, key);
    if (json_array_size(list) != shape->levels) {
        return refuse(file, key, "one block for each level");
    }
    for (uint32_t i = 0; i < shape->levels; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        const bool cross = name && strncmp(name, "CrossAttn", 9) == 0;
        if (!name ||
            !(cross || strcmp(name, "DownBlock2D") == 0 || strcmp(name, "UpBlock2D") == 0)) {
            return refuse(file, key,
                          "blocks DownBlock2D, CrossAttnDownBlock2D, UpBlock2D or "
                          "CrossAttnUpBlock2D");
        }
        out[going_up ? shape->levels - 1 - i : i] = cross;
    }
    return ASSAY_OK;
}

static assay_status_t finish_unet(const image_file_t *file, assay_image_shape_t *shape) {
    bool down[ASSAY_LEVEL_MAX], up[ASSAY_LEVEL_MAX];
    assay_status_t status = blocks_attend(file, "down_block_types", false, shape, down);
    if (status == ASSAY_OK) {
        status = blocks_attend(file, "up_block_types", true, shape, up);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    /* the middle always attends, as deep as the coarsest level says */
    shape->depth_middle = shape->depth_down[shape->levels - 1];
    for (uint32_t i = 0; i < shape->levels; i++) {
        const uint32_t depth = shape->depth_down[i];
        shape->depth_down[i] = down[i] ? depth : 0;
        shape->depth_up[i] = up[i] ? depth : 0;
    }
    shape->linear_projection = json_is_true(json_object_get(file->root, "use_linear_projection"));
    shape->reduction = 8; /* an autoencoder of four levels makes the latent */
    shape->width *= shape->reduction;
    shape->height = shape->width;
    shape->text_tokens = 77; /* CLIP's */
    return ASSAY_OK;
}

static assay_status_t finish_flux(const image_file_t *file, assay_image_shape_t *shape) {
    shape->guidance = json_is_true(json_object_get(file->root, "guidance_embeds"));
    shape->hidden = shape->heads * shape->head_dim[0];
    shape->ffn = 4 * shape->hidden;
    shape->out_channels = shape->out_channels ? shape->out_channels : shape->in_channels;
    shape->reduction = 8;
    shape->patch = 2; /* four channels of the latent's 16 make one position */
    shape->width = shape->height = 1024;
    shape->text_tokens = 512;
    return ASSAY_OK;
}

static assay_status_t finish_vae(const image_file_t *file, assay_image_shape_t *shape) {
    const json_t *quantise = json_object_get(file->root, "use_quant_conv");
    shape->linear_projection = !quantise || json_is_true(quantise);
    shape->reduction = 1;
    shape->height = shape->width;
    return ASSAY_OK;
}

static assay_status_t finish_vit(const image_file_t *file, assay_image_shape_t *shape) {
    const json_t *labels = json_object_get(file->root, "id2label");
    const size_t n = json_object_size(labels);
    shape->classes = n > 0 && n < 1 << 20 ? (uint32_t)n : 0;
    shape->reduction = 1;
    shape->height = shape->width;
    if (shape->patch > shape->width) {
        return refuse(file, "patch_size", "at most image_size");
    }
    return ASSAY_OK;
}

static assay_status_t finish_bert(const image_file_t *file, assay_image_shape_t *shape) {
    (void)file;
    shape->reduction = 1;
    shape->width = shape->max_position;
    shape->height = 1;
    return ASSAY_OK;
}

#define KEYS(keys) keys, (uint32_t)(sizeof(keys) / sizeof(keys)[0])
static const struct {
    const char *name; /* _class_name or model_type */
    assay_net_t net;
    const image_key_t *keys;
    uint32_t n_keys;
    assay_status_t (*finish)(const image_file_t *file, assay_image_shape_t *shape);
} kinds[] = {
    {"UNet2DConditionModel", ASSAY_NET_UNET, KEYS(unet_keys), finish_unet},
    {"FluxTransformer2DModel", ASSAY_NET_FLUX, KEYS(flux_keys), finish_flux},
    {"AutoencoderKL", ASSAY_NET_VAE, KEYS(vae_keys), finish_vae},
    {"vit", ASSAY_NET_VIT, KEYS(vit_keys), finish_vit},
    {"bert", ASSAY_NET_BERT, KEYS(bert_keys), finish_bert},
};
#define N_KINDS (sizeof kinds / sizeof kinds[0])

static const char *name_of(const json_t *root) {
    const char *name = json_string_value(json_object_get(root, "_class_name"));
    return name ? name : json_string_value(json_object_get(root, "model_type"));
}

bool image_is_known(const json_t *root) {
    const char *name = name_of(root);
    for (size_t i = 0; name && i < N_KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return true;
        }
    }
    return json_object_get(root, "_class_name") != NULL;
}

static assay_status_t refuse_kind(const image_file_t *file, const char *name) {
    const char *names[N_KINDS];
    for (size_t i = 0; i < N_KINDS; i++) {
        names[i] = kinds[i].name;
    }
    const char *near = name ? assay_text_nearest(name, names, N_KINDS) : NULL;
    assay_error_set(file->err, ASSAY_INPUT, &file->at,
                    "'%s' is not supported, only UNet2DConditionModel, FluxTransformer2DModel, "
                    "AutoencoderKL, vit and bert",
                    name ? name : "a file without _class_name and model_type");
    if (near) {
        assay_error_next(file->err, "did you mean '%s'?", near);
    } else {
        assay_error_next(file->err, "give the config.json of one of these");
    }
    return ASSAY_INPUT;
}

assay_status_t image_from_json(assay_arena_t *arena, const char *path, const json_t *root,
                               assay_image_shape_t *out_shape, assay_error_t *err) {
    const image_file_t file = {arena, err, {path, 0, 0}, root};
    const char *name = name_of(root);
    size_t i = 0;
    while (name && i < N_KINDS && strcmp(kinds[i].name, name) != 0) {
        i++;
    }
    if (!name || i == N_KINDS) {
        return refuse_kind(&file, name);
    }
    assay_image_shape_t shape = {.net = (uint8_t)kinds[i].net};
    assay_status_t status = read_keys(&file, kinds[i].keys, kinds[i].n_keys, &shape);
    if (status == ASSAY_OK) {
        status = kinds[i].finish(&file, &shape);
    }
    shape.id = shape.source = assay_arena_strdup(arena, path);
    if (status == ASSAY_OK && !shape.id) {
        status = assay_error_memory(err, &file.at);
    }
    if (status == ASSAY_OK) {
        *out_shape = shape;
    }
    return status;
}

assay_status_t assay_image_read(assay_arena_t *arena, const char *file, const char *data,
                                size_t size, assay_image_shape_t *out_shape, assay_error_t *err) {
    json_t *root;
    assay_status_t status = model_json_load(file, data, size, &root, err);
    if (status == ASSAY_OK) {
        status = image_from_json(arena, file, root, out_shape, err);
        json_decref(root);
    }
    return status;
}
