/**
 * Models that people have as files: a Hugging Face config.json.
 */
#ifndef ASSAY_MODEL_FILE_H
#define ASSAY_MODEL_FILE_H

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

typedef struct {
    const char *format; /* "Hugging Face config" */
    assay_model_t model;
    assay_checkpoint_t checkpoint;
    assay_notes_t notes;
} assay_model_file_t;

/** As assay_model_read_hf, with what was assumed and the checkpoint that quantization_config says.
 */
assay_status_t assay_model_config_read(assay_arena_t *arena, const char *file, const char *data,
                                       size_t size, assay_model_file_t *out, assay_error_t *err);
/** The part of a checkpoint that a tensor of this name belongs to. */
assay_part_t assay_part_of_tensor(const char *name);

#ifdef __cplusplus
}
#endif
#endif
