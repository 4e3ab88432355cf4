#include "assay/memory.h"

#include <stdarg.h>

#include "memory/memory_parts.h"

void memory_fix(assay_arena_t *arena, assay_memory_candidate_t *io, const char *key,
                const char *cost, const char *value, ...) {
    va_list args;
    va_start(args, value);
    const char *text = assay_arena_vprintf(arena, value, args);
    va_end(args);
    if (text && key && io->n_fix < ASSAY_MEMORY_FIX_MAX) {
        io->fix[io->n_fix++] = (assay_memory_fix_t){key, text, cost};
    }
}

uint32_t memory_next_devices(uint32_t devices, uint32_t per_node) {
    if (devices < per_node) {
        return devices * 2 < per_node ? devices * 2 : per_node;
    }
    /* beyond 64 nodes in steps of a sixteenth, so that the range is walked in a few hundred steps
     */
    const uint32_t nodes = devices / per_node, step = nodes < 64 ? 1 : nodes / 16;
    const uint64_t next = (uint64_t)(nodes + step) * per_node;
    return next <= MEMORY_DEVICES_MAX ? (uint32_t)next : 0;
}

assay_status_t assay_memory(assay_arena_t *arena, const assay_resolved_t *resolved,
                            assay_memory_t **out_memory, assay_error_t *err) {
    assay_memory_t *memory = assay_arena_alloc(arena, sizeof *memory);
    const uint32_t n = resolved->n_machine ? resolved->n_machine : 1;
    if (!memory) {
        return assay_error_memory(err, NULL);
    }
    *memory = (assay_memory_t){.resolved = resolved, .n_candidate = n};
    memory->candidate = assay_arena_array(arena, n, sizeof *memory->candidate);
    if (!memory->candidate) {
        return assay_error_memory(err, NULL);
    }
    static const assay_layout_pin_t free_pin = {
        .zero = -1, .recompute = -1, .sequence_parallel = -1};
    const bool serve = resolved->kind == ASSAY_WORK_SERVE;
    const char *kind = resolved->kind == ASSAY_WORK_FINETUNE ? "finetune" : "train";
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; i < n && status == ASSAY_OK; i++) {
        const assay_machine_t *machine = resolved->n_machine ? &resolved->machine[i] : NULL;
        const assay_layout_pin_t *pin = machine ? &resolved->pin[i] : &free_pin;
        assay_memory_candidate_t *candidate = &memory->candidate[i];
        candidate->machine = machine;
        status = serve
                     ? memory_serve(arena, machine, &resolved->serving[i], pin, candidate, err)
                     : memory_train(arena, machine, &resolved->workload, pin, kind, candidate, err);
        memory->fits = memory->fits || candidate->fits || !candidate->known;
    }
    if (status == ASSAY_OK) {
        *out_memory = memory;
    }
    return status;
}
