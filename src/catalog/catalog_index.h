/** Rows by the spelling of their ids, so that a look-up does not walk a table. Private to catalog.
 */
#ifndef CATALOG_CATALOG_INDEX_H
#define CATALOG_CATALOG_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"

/** Ids that are reached the same way: n structs, stride bytes apart, the id's offset in each. */
typedef struct {
    const void *row;
    uint32_t n;
    size_t stride, id;
} catalog_ids_t;

typedef struct catalog_ids_index {
    catalog_ids_t ids;
    uint32_t *slot; /* row + 1, 0 = free; n_slot is a power of two, at least twice n */
    uint32_t n_slot;
} catalog_ids_index_t;

/** Two ids are one spelling when they differ in case, '-', '_' and spaces alone. false: no memory.
 */
bool catalog_index_build(assay_arena_t *arena, const catalog_ids_t *ids,
                         catalog_ids_index_t *out_index);
/**
 * The next row with the spelling of id, in the order of the table; *inout_step 0 starts. NULL: no
 * more, or the index is not built yet.
 */
const void *catalog_index_next(const catalog_ids_index_t *index, const char *id,
                               uint32_t *inout_step);
/** text is name but for case and separators, or name begins so (whole false). */
bool catalog_spelled_like(const char *name, const char *text, bool whole);

/** Of one catalog; filled table by table while it is loaded. */
struct catalog_index {
    catalog_ids_index_t accelerator, fabric, system, model, model_hf, alias;
};

#endif
