/**
 * Number formats of weights, by name (data/weight_formats.csv): what a parameter takes, which parts
 * stay wide, and what the parts that do not are multiplied in.
 */
#ifndef ASSAY_WEIGHT_FORMAT_H
#define ASSAY_WEIGHT_FORMAT_H

#include "assay/catalog.h"
#include "assay/model_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    double bytes_per_param;   /* with the scales of groups */
    bool wide[ASSAY_PART_N];  /* kept in 16 bit */
    assay_dtype_t multiplied; /* of the GEMMs on a part that has `needs`; else ASSAY_DT_BF16 */
    assay_dtype_t needs;
} assay_weight_format_t;

/** Errors: ASSAY_INPUT with file:line, ASSAY_IO, ASSAY_MEMORY. */
assay_status_t assay_weight_formats_load(assay_arena_t *arena, const assay_catalog_t *catalog,
                                         const assay_weight_format_t **out_format,
                                         uint32_t *out_n_format, assay_error_t *err);
/** By name, in any case. NULL: none. */
const assay_weight_format_t *assay_weight_format_find(const assay_weight_format_t *format,
                                                      uint32_t n_format, const char *name);

#ifdef __cplusplus
}
#endif
#endif
