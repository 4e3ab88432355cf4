/**
 * Inside sim: replicas that are alike behind one router.
 */
#ifndef SIM_FLEET_H
#define SIM_FLEET_H

#include "sim/sim_parts.h"

typedef struct {
    sim_replica_t *replica; /* (n) */
    uint32_t n, n_down;     /* down: the first of them is `down` */
    uint32_t down;
    uint64_t turn; /* of round robin */
} sim_pool_t;

static inline bool sim_pool_is_down(const sim_pool_t *pool, uint32_t k) {
    return pool->n_down > 0 && pool->down == k;
}

/** Runs all of the pool until then where the router looks at them. NULL: none is up. */
sim_replica_t *sim_route(sim_pool_t *pool, const assay_sim_options_t *options,
                         const sim_request_t *request, int64_t at);

#endif
