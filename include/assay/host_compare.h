/**
 * What differs between two hosts, or between one host under two trees of software: drivers,
 * firmware, versions, settings, what the doctor finds, and what was measured on both.
 */
#ifndef ASSAY_HOST_COMPARE_H
#define ASSAY_HOST_COMPARE_H

#include "assay/doctor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ASSAY_COMPARE_MEASURED, /* collectives, profiles: change is B over A, minus 1 */
    ASSAY_COMPARE_FINDING,  /* what the doctor finds on one side alone */
    ASSAY_COMPARE_HARDWARE, /* of the host and of its accelerators */
    ASSAY_COMPARE_DRIVER,   /* kernel, modules, firmware */
    ASSAY_COMPARE_VERSION,  /* of ROCm, CUDA, libraries, packages */
    ASSAY_COMPARE_SETTING,  /* of the kernel, the accelerators, the environment */
    ASSAY_COMPARE_N
} assay_compare_group_t;
const char *assay_compare_group_name(assay_compare_group_t group);

typedef struct {
    uint8_t group;            /* assay_compare_group_t */
    const char *what;         /* "kernel", "env NCCL_DEBUG", "all_reduce on 8, 1 GiB" */
    const char *a, *b;        /* "" on the side that has none */
    assay_place_t at_a, at_b; /* file NULL on the side that has none */
    double change;            /* of a measured one; NAN */
    bool worse;               /* by more than the threshold */
} assay_difference_t;

typedef struct {
    const char *a, *b;                    /* names of the two */
    const assay_difference_t *difference; /* by group, then by what */
    uint32_t n_difference;
    uint32_t n_same;     /* facts that both have, and that are equal */
    uint32_t n_one_side; /* facts that one side does not know: no difference */
    uint32_t n_worse;
} assay_comparison_t;

/**
 * Facts that one side does not know are not differences, except entries of a list that both sides
 * have. Errors: ASSAY_LIMIT.
 */
assay_status_t assay_host_compare(assay_arena_t *arena, const assay_host_rules_t *rules,
                                  const assay_host_t *a, const assay_host_t *b,
                                  assay_comparison_t **out_comparison, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
