/** What the parts of the topology share. */
#ifndef HOST_TOPOLOGY_BUILD_H
#define HOST_TOPOLOGY_BUILD_H

#include "assay/topology.h"

typedef struct {
    assay_arena_t *arena;
    const assay_host_t *host;
    const assay_catalog_t *catalog;
    assay_topology_t *topology;
    assay_lang_t lang;
    assay_error_t *err;
} topology_build_t;

static inline assay_topology_link_t *topology_link(const assay_topology_t *t, uint32_t a,
                                                   uint32_t b) {
    return &t->link[(size_t)a * t->n_device + b];
}

/* topology_expect.c */
/** Recognises the accelerator and the system, and fills what the catalog alone knows. */
assay_status_t topology_recognise(topology_build_t *build, const char *system);
/** Lists in what the host differs from the system. */
assay_status_t topology_compare(topology_build_t *build);
/** CPUs by the catalog's table where the host does not tell them. */
assay_status_t topology_bind(topology_build_t *build);

#endif
