/**
 * The layouts that a search goes through: keys, whose layouts share their layer times, times
 * shapes.
 */
#ifndef PLAN_SPACE_H
#define PLAN_SPACE_H

#include "assay/plan.h"

typedef struct {
    uint16_t tp, cp, ep, etp;
    uint32_t micro_batch;
    uint8_t recompute, cp_comm;
    bool sequence_parallel;
} plan_key_t;

typedef struct {
    uint16_t pp, vpp;
    uint8_t zero, schedule;
    uint32_t groups; /* of ZeRO's shards, each with a copy of its own; 1: as pinned */
} plan_shape_t;

typedef struct {
    assay_arena_t *arena;
    const assay_workload_t *work;
    const assay_layout_pin_t *pin;
    uint32_t devices;
    bool whole; /* as assay_plan_options_t */
    plan_key_t *key;
    plan_shape_t *shape;
    uint32_t n_key, n_shape;
} plan_space_t;

/** false: no memory. */
bool plan_space_make(assay_arena_t *arena, const assay_machine_t *machine,
                     const assay_workload_t *work, const assay_plan_options_t *options,
                     plan_space_t *out);
/** Where the shards do not divide the devices, the layout would need more of them. */
assay_layout_t plan_space_layout(const plan_space_t *space, const plan_key_t *key,
                                 const plan_shape_t *shape);

#endif
