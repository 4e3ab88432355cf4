/* Files of weights: what their headers say, added up over the files of one checkpoint. */
#ifndef CATALOG_MODEL_WEIGHTS_H
#define CATALOG_MODEL_WEIGHTS_H

#include "assay/model_file.h"

#define WEIGHTS_DTYPE_MAX 48
typedef struct {
    double part_bytes[ASSAY_PART_N], part_params[ASSAY_PART_N];
    double dtype_bytes[WEIGHTS_DTYPE_MAX]; /* by row of the table of dtypes */
    double packed;                         /* elements that hold several weights each */
    uint64_t n_tensor;
} weights_t;

/**
 * One header of safetensors as it lies in a file: the JSON behind its length. data_size: bytes
 * behind it. Refuses ranges that overlap, leave holes or do not fit dtype and shape.
 */
assay_status_t safetensors_header(const char *file, const char *json, size_t size,
                                  uint64_t data_size, weights_t *io, assay_error_t *err);
/** Whether a directory or file is a checkpoint of safetensors, and the files it has. */
assay_status_t safetensors_read(const char *path, weights_t *out, assay_error_t *err);
/** The file of a directory that safetensors_read takes. NULL: none. */
const char *safetensors_find(assay_arena_t *arena, const char *directory);
/** Distinct file names in the weight_map of an index, in the arena. */
assay_status_t safetensors_index(assay_arena_t *arena, const char *file, const char *json,
                                 size_t size, const char ***out_names, uint32_t *out_n,
                                 assay_error_t *err);
void safetensors_checkpoint(const weights_t *weights, assay_checkpoint_t *out);

/* GGUF, of one file or several. */
struct gguf;
assay_status_t gguf_begin(assay_arena_t *arena, struct gguf **out_gguf, assay_error_t *err);
/** Adds a file; *out_more: the data ends before the tensor infos do, and the file goes on. */
assay_status_t gguf_add(struct gguf *gguf, const char *file, const char *data, size_t size,
                        uint64_t file_size, bool *out_more);
/** How many files the model has, as the first one says. */
uint64_t gguf_files(const struct gguf *gguf);
assay_status_t gguf_finish(struct gguf *gguf, assay_model_file_t *out);

#endif
