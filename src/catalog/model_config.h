/* The parts of reading a config.json. */
#ifndef CATALOG_MODEL_CONFIG_H
#define CATALOG_MODEL_CONFIG_H

#include "assay/image_ops.h"
#include "catalog/model_keys.h"

/** The JSON object of a file, to be released with json_decref. */
assay_status_t model_json_load(const char *file, const char *data, size_t size, json_t **out_root,
                               assay_error_t *err);
assay_status_t model_config_shape(keys_t *keys, const json_t *root, assay_model_t *out_model);
/** Bytes by part, as dtype and quantization_config say. */
assay_status_t model_config_checkpoint(const keys_t *keys, const json_t *root,
                                       const assay_model_t *model, assay_checkpoint_t *out);

/** Is it a field that a row of data/model_families.csv can fill in? */
bool model_config_field(const char *name);
/** As assay_model_config_read. */
assay_status_t model_config_from_json(assay_arena_t *arena, const char *file, const json_t *root,
                                      assay_model_file_t *out, assay_error_t *err);
/** Is it a config.json of diffusers, or of another network of assay/image_ops.h? */
bool image_is_known(const json_t *root);
assay_status_t image_from_json(assay_arena_t *arena, const char *path, const json_t *root,
                               assay_image_shape_t *out_shape, assay_error_t *err);

#endif
