/**
 * Many hosts at once: what the doctor says of each, and which of them are not like the others.
 */
#ifndef ASSAY_FLEET_H
#define ASSAY_FLEET_H

#include "assay/doctor.h"
#include "assay/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_FLEET_MAX_HOSTS 65536u

typedef struct {
    const char *name;                      /* of its folder or archive */
    const char *unread;                    /* why it could not be read; NULL: it was */
    uint32_t n_severity[ASSAY_SEVERITY_N]; /* bad findings */
    uint32_t n_gpu;
    const assay_check_t *first; /* what to mend first; NULL: nothing above a remark */
    bool reached;               /* a finding at or above the threshold */
} assay_fleet_host_t;

/* A host in which a fact is not what most of the hosts that know it say. */
typedef struct {
    uint32_t host;             /* index */
    const char *what;          /* "kernel", "accelerators" */
    const char *value, *usual; /* its own; that of more than half */
    uint32_t n_usual, n_known;
} assay_fleet_outlier_t;

typedef struct {
    const char *name;
    const assay_fleet_host_t *host; /* worst first, then by name */
    uint32_t n_host, n_reached, n_unread;
    const assay_fleet_outlier_t *outlier; /* by what, then by value and host */
    uint32_t n_outlier;
    assay_severity_t threshold;
} assay_fleet_t;

/**
 * path is a folder of hosts: two folders or archives or more, fewer other files than these, and no
 * copy of a root.
 */
bool assay_fleet_is(const char *path);
/**
 * Reads and checks every host of the folder on several threads (0: all cores). A host that cannot
 * be read is told as such. Errors: ASSAY_NOT_FOUND for only and skip, ASSAY_IO, ASSAY_LIMIT,
 * ASSAY_CANCELLED.
 */
assay_status_t assay_fleet_read(assay_arena_t *arena, const assay_host_rules_t *rules,
                                const char *path, const assay_doctor_options_t *options,
                                uint32_t threads, const assay_hooks_t *hooks,
                                const assay_fleet_t **out_fleet, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
