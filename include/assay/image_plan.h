/**
 * How many devices make the images that are asked for, within a limit, on one kind of machine.
 *
 * Each device holds the whole pipeline and works on one request at a time. At a rate requests wait
 * in one queue (M/D/c); so many at a time are a closed loop, in which each waits for those before
 * it. Without a limit a rate gets devices that are busy ASSAY_IMAGE_USUAL_LOAD of the time, and a
 * closed loop a device for each request. Whole nodes are paid for, and all their devices work.
 *
 * Test: tests/unit/test_image_plan.c. Thread-safe: yes.
 */
#ifndef ASSAY_IMAGE_PLAN_H
#define ASSAY_IMAGE_PLAN_H

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/image_step.h"
#include "assay/machine.h"
#include "assay/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_IMAGE_USUAL_LOAD 0.8

typedef enum {
    ASSAY_IMAGE_FLEET_FITS,
    ASSAY_IMAGE_FLEET_MEMORY, /* weights and activations find no room */
    ASSAY_IMAGE_FLEET_LIMITS, /* a lone request is slower than the limit */
    ASSAY_IMAGE_FLEET_NODES   /* more nodes than the candidate has */
} assay_image_fleet_verdict_t;

typedef struct {
    uint8_t verdict; /* assay_image_fleet_verdict_t; beyond LIMITS all below is filled */
    double weight_bytes, activation_bytes, context_bytes, has_bytes;   /* of one device */
    double request_s;                                                  /* of a lone one */
    double part_s[ASSAY_IMAGE_PART_N], stage_s[ASSAY_IMAGE_STAGE_MAX]; /* each sums to it */
    double flops_share;     /* FLOPs of a request over what the device's peak does meanwhile */
    uint32_t needed, nodes; /* devices; nodes that hold them */
    uint32_t devices;       /* of those nodes */
    double load;            /* share of the time that a device is busy */
    assay_queue_t latency;
    double images_per_s;            /* that the fleet makes */
    double images_per_s_per_device; /* that one busy device makes */
    double device_w;                /* mean, at that load */
    double rel_p10, rel_p90;        /* interval of (true time)/(predicted time) */
    uint8_t basis;
} assay_image_fleet_t;

/**
 * machine: its nodes are the most that there are, unless demand->open_nodes.
 * Errors: ASSAY_MEMORY, ASSAY_LIMIT (more than a million devices).
 */
assay_status_t assay_image_fleet(assay_arena_t *arena, const assay_machine_t *machine,
                                 const assay_image_demand_t *demand, assay_image_fleet_t *out,
                                 assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
