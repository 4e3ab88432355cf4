/**
 * Models that people have as files: a Hugging Face config.json and its safetensors, a GGUF file, a
 * pipeline of diffusers. Of files of weights only the headers are read, never the data.
 */
#ifndef ASSAY_MODEL_FILE_H
#define ASSAY_MODEL_FILE_H

#include "assay/image_ops.h"
#include "assay/model_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What was assumed, in the order it came up. */
#define ASSAY_NOTES_MAX 48
typedef struct {
    const char *text[ASSAY_NOTES_MAX];
    uint32_t n;
} assay_notes_t;

/* One part of a pipeline, or the network that is no decoder. */
typedef struct {
    const char *name; /* "unet", "text_encoder"; of a single network "" */
    const char *kind; /* its class */
    bool laid_out;    /* image says its shape */
    assay_image_shape_t image;
    double bytes, params; /* of its files; 0 = there are none to read */
} assay_component_t;
#define ASSAY_COMPONENT_MAX 8

typedef struct {
    const char *format; /* "Hugging Face config", "GGUF", "diffusers", "safetensors" */
    bool decoder;       /* model says a shape */
    assay_model_t model;
    assay_component_t component[ASSAY_COMPONENT_MAX];
    uint32_t n_component;
    assay_checkpoint_t checkpoint;
    assay_notes_t notes;
} assay_model_file_t;

/** Does a model's name mean a file or directory: a '/', ".", or one of the endings read here? */
bool assay_model_is_path(const char *text);
/** Is it a model and nothing else: a directory, GGUF, safetensors? A .json may be a job as well. */
bool assay_model_is_weights(const char *path);
/**
 * Reads a file or a directory: config.json with the safetensors beside it, model_index.json of
 * diffusers with its folders, GGUF, safetensors or their index alone.
 * Errors: ASSAY_INPUT, ASSAY_LIMIT or ASSAY_IO with the file, the key or the tensor.
 */
assay_status_t assay_model_file_read(assay_arena_t *arena, const char *path,
                                     assay_model_file_t *out, assay_error_t *err);
/**
 * As assay_model_read_hf, with what was assumed and the bytes that dtype and quantization_config
 * say; networks that are no decoders as a component.
 */
assay_status_t assay_model_config_read(assay_arena_t *arena, const char *file, const char *data,
                                       size_t size, assay_model_file_t *out, assay_error_t *err);
/**
 * Safetensors: a file, or an index and the files beside it.
 * Refused: headers beyond the file or 100 MB, tensors that overlap, leave holes or have another
 * size than their shape and dtype, indexes of more than 4096 files or with names that are paths.
 */
assay_status_t assay_safetensors_read(const char *path, assay_checkpoint_t *out,
                                      assay_error_t *err);
/**
 * GGUF (versions 2 and 3): shape from the metadata and from which tensors there are, bytes from the
 * tensor infos. data: the first bytes of the file, as many as metadata and infos take (else
 * ASSAY_LIMIT). file_size: of the whole file.
 */
assay_status_t assay_gguf_read(assay_arena_t *arena, const char *file, const char *data,
                               size_t size, uint64_t file_size, assay_model_file_t *out,
                               assay_error_t *err);
/** The part of a checkpoint that a tensor of this name belongs to. */
assay_part_t assay_part_of_tensor(const char *name);

#ifdef __cplusplus
}
#endif
#endif
