/**
 * What runs networks on images, as data (data/image_engines.csv).
 */
#ifndef ASSAY_IMAGE_ENGINE_H
#define ASSAY_IMAGE_ENGINE_H

#include "assay/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *id;                        /* scope of its constants in data/calibration.csv */
    const char *name;                      /* "tensorrt" */
    const char *from_version, *to_version; /* from <= version < to; "" open */
    const char *vendor;                    /* "*" or the only one that it runs on */
    bool captured;                         /* launched as a whole, not operation by operation */
    bool fused_attention;                  /* no scores in memory */
    const char *source, *note;
} assay_image_engine_t;

/** Errors: ASSAY_INPUT with file:line, ASSAY_IO. */
assay_status_t assay_image_engines_load(assay_arena_t *arena, const assay_catalog_t *catalog,
                                        const assay_image_engine_t **out_engine,
                                        uint32_t *out_n_engine, assay_error_t *err);
/** By id. NULL: none. */
const assay_image_engine_t *assay_image_engine_find(const assay_image_engine_t *engine,
                                                    uint32_t n_engine, const char *id);

#ifdef __cplusplus
}
#endif
#endif
