/* What the files of this module share. */
#ifndef MEMORY_MEMORY_PARTS_H
#define MEMORY_MEMORY_PARTS_H

#include "assay/memory.h"

#define MEMORY_DEVICES_MAX (1u << 15)

/** Serving on one machine (NULL: none) with these pins. */
assay_status_t memory_serve(assay_arena_t *arena, const assay_machine_t *machine,
                            const assay_serving_t *work, const assay_layout_pin_t *pin,
                            assay_memory_candidate_t *out, assay_error_t *err);
assay_status_t memory_train(assay_arena_t *arena, const assay_machine_t *machine,
                            const assay_workload_t *work, const assay_layout_pin_t *pin,
                            const char *kind, assay_memory_candidate_t *out, assay_error_t *err);
/** Adds what is worth a try; beyond the limit it is dropped. value: printf. */
void memory_fix(assay_arena_t *arena, assay_memory_candidate_t *io, const char *key,
                const char *cost, const char *value, ...) __attribute__((format(printf, 5, 6)));
/** Device counts that a user can get: 1, 2, 4 ... of a node, then whole nodes. 0: no more. */
uint32_t memory_next_devices(uint32_t devices, uint32_t per_node);

#endif
