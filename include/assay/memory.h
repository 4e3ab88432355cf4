/**
 * "Does it fit": what a device holds at each stage of a job of any kind, which part is too much,
 * the largest that fits, the fewest devices, and what to change.
 *
 * Layout values that are not pinned: serving takes the least tensor parallelism with which it fits
 * (then pipeline stages); training the first that fits of little tensor and pipeline parallelism,
 * no recompute before some, ZeRO 0 before 3, one sequence a micro-batch. Where nothing fits, the
 * layout that comes nearest.
 *
 * Test: tests/unit/test_memory.c. Thread-safe: yes.
 */
#ifndef ASSAY_MEMORY_H
#define ASSAY_MEMORY_H

#include "assay/arena.h"
#include "assay/resolve.h"
#include "assay/serve_memory.h"
#include "assay/train.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What would make it fit: one value of the job, tried alone, cheapest first. */
typedef struct {
    const char *key;   /* "workload.serve.max_model_len" */
    const char *value; /* as the job file takes it */
    const char *cost;  /* what it costs: "shorter sequences" */
} assay_memory_fix_t;
#define ASSAY_MEMORY_FIX_MAX 12

typedef struct {
    const assay_machine_t *machine; /* NULL: no device is given */
    assay_layout_t layout;
    double memory_bytes;  /* of one device, that can be allocated; 0 = no device */
    bool known, fits;     /* at every stage; known: fits says something */
    bool steady_fits;     /* once it runs */
    const char *limiting; /* the first part that finds no room; "" where all do */
    assay_serve_memory_t serve;
    assay_estimate_t train; /* training, fine-tuning */
    /* one device: while weights are loaded, wrapped, in the first step, and between steps */
    double load_bytes, wrap_bytes, first_step_bytes, steady_bytes;
    double state_bytes;       /* weights, gradients, optimizer state on one device */
    double state_model_bytes; /* of all devices of one copy of the model */
    /* Training: bytes of each trained parameter, by what they are for. */
    double weight_each, master_each, gradient_each, moment_each;
    double reserved_bytes; /* between steps, with what the allocator wastes; no context */
    uint32_t largest_micro_batch, largest_sequence; /* 0 = not even one */
    uint32_t fewest_devices;                        /* 0 = none found, or no device is given */
    assay_layout_t fewest_layout;
    assay_memory_fix_t fix[ASSAY_MEMORY_FIX_MAX];
    uint32_t n_fix;
} assay_memory_candidate_t;

typedef struct {
    const assay_resolved_t *resolved;
    assay_memory_candidate_t *candidate; /* (n_candidate): one for each machine, or one */
    uint32_t n_candidate;
    bool fits; /* some candidate, or nothing says that it does not */
} assay_memory_t;

/** Errors: ASSAY_LIMIT (memory), ASSAY_INPUT (a pinned layout that cannot be). */
assay_status_t assay_memory(assay_arena_t *arena, const assay_resolved_t *resolved,
                            assay_memory_t **out_memory, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
