/* Which kind of model a path is, and what lies beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/text.h"
#include "catalog/model_config.h"
#include "catalog/model_weights.h"

#include "base/banned.h"

#define CONFIG_BYTES_MAX ((size_t)4 << 20)
#define GGUF_HEADER_MAX ((size_t)256 << 20)
#define GGUF_FILES_MAX 1024

typedef struct {
    assay_arena_t *arena;
    assay_error_t *err;
} open_t;

static bool is_directory(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path) {
    struct stat st;
    return path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool ends(const char *text, const char *suffix) {
    const size_t n = strlen(text), k = strlen(suffix);
    return n >= k && strcmp(text + n - k, suffix) == 0;
}

bool assay_model_is_path(const char *text) {
    return strchr(text, '/') || strcmp(text, ".") == 0 || ends(text, ".json") ||
           ends(text, ".gguf") || ends(text, ".safetensors");
}

bool assay_model_is_weights(const char *path) {
    return is_directory(path) || ends(path, ".gguf") || ends(path, ".safetensors") ||
           ends(path, ".safetensors.index.json");
}

static const char *join(const open_t *open, const char *directory, const char *name) {
    return assay_arena_printf(open->arena, "%s/%s", directory, name);
}

static const char *directory_of(const open_t *open, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? assay_arena_strndup(open->arena, path, (size_t)(slash - path))
                 : assay_arena_strdup(open->arena, ".");
}

static assay_status_t note(const open_t *open, assay_notes_t *notes, const char *text) {
    if (!text) {
        return assay_error_memory(open->err, NULL);
    }
    if (notes->n < ASSAY_NOTES_MAX) {
        notes->text[notes->n++] = text;
    }
    return ASSAY_OK;
}

/* Bytes of what lies beside a config. Parameters stay those of the shape: quantised weights are
   packed, tied ones stored again. */
static assay_status_t measure(const open_t *open, const char *directory, assay_model_file_t *io) {
    const char *path = directory ? safetensors_find(open->arena, directory) : NULL;
    weights_t weights;
    if (!path) {
        return ASSAY_OK;
    }
    assay_status_t status = safetensors_read(path, &weights, open->err);
    if (status != ASSAY_OK) {
        return status;
    }
    double held = 0, counted = 0, params[ASSAY_PART_N];
    for (int part = 0; part < ASSAY_PART_N; part++) {
        params[part] = io->decoder ? io->checkpoint.part_params[part] : weights.part_params[part];
        held += weights.part_params[part];
        counted += params[part];
    }
    safetensors_checkpoint(&weights, &io->checkpoint);
    memcpy(io->checkpoint.part_params, params, sizeof params);
    if (weights.packed < 1 && (held > counted || held < counted)) {
        return note(open, &io->notes,
                    assay_arena_printf(open->arena,
                                       "the files hold %.0f parameters, the shape has %.0f", held,
                                       counted));
    }
    return ASSAY_OK;
}

static assay_status_t load_json(const open_t *open, const char *path, json_t **out_root) {
    char *data;
    size_t size;
    assay_status_t status =
        assay_file_read(open->arena, path, CONFIG_BYTES_MAX, &data, &size, open->err);
    if (status == ASSAY_OK) {
        status = model_json_load(path, data, size, out_root, open->err);
    }
    return status;
}

/* Older exports of NVIDIA's optimizer say their quantisation in a file of its own. */
static assay_status_t add_quantization(const open_t *open, const char *directory, json_t *root) {
    const char *path = directory ? join(open, directory, "hf_quant_config.json") : NULL;
    json_t *quant;
    if (!is_file(path) || json_object_get(root, "quantization_config")) {
        return ASSAY_OK;
    }
    const assay_status_t status = load_json(open, path, &quant);
    if (status == ASSAY_OK) {
        json_object_set(root, "quantization_config", json_object_get(quant, "quantization"));
        json_decref(quant);
    }
    return status;
}

static assay_status_t read_config(const open_t *open, const char *path, assay_model_file_t *out) {
    json_t *root;
    assay_status_t status = load_json(open, path, &root);
    if (status != ASSAY_OK) {
        return status;
    }
    if (ends(path, "config.json")) {
        status = add_quantization(open, directory_of(open, path), root);
    }
    if (status == ASSAY_OK) {
        status = model_config_from_json(open->arena, path, root, out, open->err);
    }
    json_decref(root);
    return status;
}

/* A component's folder: its network, where the class is known, and its weights. */
static assay_status_t read_component(const open_t *open, const char *directory, const char *name,
                                     const char *kind, assay_model_file_t *io) {
    const char *folder = join(open, directory, name);
    const char *config = folder ? join(open, folder, "config.json") : NULL;
    assay_component_t *component = &io->component[io->n_component];
    weights_t weights;
    *component = (assay_component_t){.name = assay_arena_strdup(open->arena, name),
                                     .kind = assay_arena_strdup(open->arena, kind)};
    if (!folder || !config || !component->name || !component->kind) {
        return assay_error_memory(open->err, NULL);
    }
    if (!is_file(config)) {
        return ASSAY_OK; /* a scheduler, a tokenizer */
    }
    io->n_component++;
    json_t *root = NULL;
    assay_status_t status = load_json(open, config, &root);
    if (status == ASSAY_OK && image_is_known(root)) {
        status = image_from_json(open->arena, config, root, &component->image, open->err);
        component->laid_out = status == ASSAY_OK;
    }
    json_decref(root);
    const char *path = status == ASSAY_OK ? safetensors_find(open->arena, folder) : NULL;
    if (path) {
        status = safetensors_read(path, &weights, open->err);
    }
    for (int part = 0; path && status == ASSAY_OK && part < ASSAY_PART_N; part++) {
        component->bytes += weights.part_bytes[part];
        component->params += weights.part_params[part];
    }
    return status;
}

/* {"_class_name": "...Pipeline", "unet": ["diffusers", "UNet2DConditionModel"], ...} */
static assay_status_t read_pipeline(const open_t *open, const char *path, assay_model_file_t *out) {
    json_t *root = NULL;
    const char *directory = directory_of(open, path);
    if (!directory) {
        return assay_error_memory(open->err, NULL);
    }
    assay_status_t status = load_json(open, path, &root);
    *out = (assay_model_file_t){.format = "diffusers"};
    out->model.kind = "pipeline";
    out->model.id = out->model.source = assay_arena_strdup(open->arena, directory);
    const char *name;
    json_t *value;
    json_object_foreach(root, name, value) {
        const char *kind = json_string_value(json_array_get(value, 1));
        const bool plain = !strchr(name, '/') && *name != '.';
        if (status == ASSAY_OK && kind && plain && out->n_component < ASSAY_COMPONENT_MAX) {
            status = read_component(open, directory, name, kind, out);
        }
    }
    json_decref(root);
    const assay_place_t at = {path, 0, 0};
    if (status == ASSAY_OK && out->n_component == 0) {
        status =
            assay_error_set(open->err, ASSAY_INPUT, &at, "names no component whose folder is here");
    }
    return status;
}

static assay_status_t add_gguf(const open_t *open, struct gguf *gguf, const char *path) {
    assay_status_t status = ASSAY_OK;
    bool more = true;
    for (size_t size = 1 << 20; status == ASSAY_OK && more; size *= 4) {
        const assay_place_t at = {path, 0, 0};
        size_t n;
        uint64_t file_size;
        char *data = size <= GGUF_HEADER_MAX ? malloc(size) : NULL;
        if (!data) {
            return size <= GGUF_HEADER_MAX ? assay_error_memory(open->err, &at)
                                           : assay_error_set(open->err, ASSAY_LIMIT, &at,
                                                             "metadata of more than 256 MiB");
        }
        status = assay_file_read_part(path, 0, size, data, &n, &file_size, open->err);
        if (status == ASSAY_OK) {
            status = gguf_add(gguf, path, data, n, file_size, &more);
        }
        free(data);
    }
    return status;
}

/* NAME-00001-of-00003.gguf: the first one has the metadata, all have tensors. */
static assay_status_t read_gguf(const open_t *open, const char *path, assay_model_file_t *out) {
    struct gguf *gguf;
    const assay_place_t at = {path, 0, 0};
    const char *number = strstr(path, "-00001-of-");
    assay_status_t status = gguf_begin(open->arena, &gguf, open->err);
    if (status == ASSAY_OK) {
        status = add_gguf(open, gguf, path);
    }
    const uint64_t files = status == ASSAY_OK ? gguf_files(gguf) : 1;
    if (files > GGUF_FILES_MAX || (files > 1 && !number)) {
        assay_error_set(open->err, ASSAY_INPUT, &at, "is one of %llu files, not the first",
                        (unsigned long long)files);
        assay_error_next(open->err, "give the file whose name says 00001-of-");
        return ASSAY_INPUT;
    }
    for (uint64_t i = 2; status == ASSAY_OK && i <= files; i++) {
        const char *next = assay_arena_printf(open->arena, "%.*s-%05u-of-%s", (int)(number - path),
                                              path, (unsigned)i, number + strlen("-00001-of-"));
        status = next ? add_gguf(open, gguf, next) : assay_error_memory(open->err, &at);
    }
    return status == ASSAY_OK ? gguf_finish(gguf, out) : status;
}

assay_status_t assay_safetensors_read(const char *path, assay_checkpoint_t *out,
                                      assay_error_t *err) {
    weights_t weights;
    const assay_status_t status = safetensors_read(path, &weights, err);
    if (status == ASSAY_OK) {
        safetensors_checkpoint(&weights, out);
    }
    return status;
}

/* Weights alone: what they take, but no shape. */
static assay_status_t read_weights(const open_t *open, const char *path, assay_model_file_t *out) {
    *out = (assay_model_file_t){.format = "safetensors"};
    out->model.kind = "weights";
    out->model.id = out->model.source = assay_arena_strdup(open->arena, path);
    const assay_status_t status = assay_safetensors_read(path, &out->checkpoint, open->err);
    if (status == ASSAY_OK) {
        return note(open, &out->notes,
                    "no config.json beside the weights: their shape is not known");
    }
    return status;
}

static assay_status_t read_with_weights(const open_t *open, const char *config,
                                        assay_model_file_t *out) {
    assay_status_t status = read_config(open, config, out);
    if (status == ASSAY_OK && ends(config, "config.json")) {
        status = measure(open, directory_of(open, config), out);
    }
    return status;
}

static assay_status_t read_directory(const open_t *open, const char *path,
                                     assay_model_file_t *out) {
    static const struct {
        const char *name;
        assay_status_t (*read)(const open_t *open, const char *path, assay_model_file_t *out);
    } known[] = {{"model_index.json", read_pipeline}, {"config.json", read_with_weights}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *file = join(open, path, known[i].name);
        if (is_file(file)) {
            return known[i].read(open, file, out);
        }
    }
    const char *weights = safetensors_find(open->arena, path);
    if (weights) {
        return read_weights(open, weights, out);
    }
    const assay_place_t at = {path, 0, 0};
    assay_error_set(open->err, ASSAY_INPUT, &at,
                    "a directory without config.json, model_index.json and safetensors");
    assay_error_next(open->err, "name a model's directory, or a GGUF file in it");
    return ASSAY_INPUT;
}

assay_status_t assay_model_file_read(assay_arena_t *arena, const char *path,
                                     assay_model_file_t *out, assay_error_t *err) {
    const open_t open = {arena, err};
    if (is_directory(path)) {
        return read_directory(&open, path, out);
    }
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (ends(name, ".gguf")) {
        return read_gguf(&open, path, out);
    }
    if (strcmp(name, "model_index.json") == 0) {
        return read_pipeline(&open, path, out);
    }
    if (ends(name, ".safetensors") || ends(name, ".safetensors.index.json")) {
        return read_weights(&open, path, out);
    }
    return read_with_weights(&open, path, out);
}
