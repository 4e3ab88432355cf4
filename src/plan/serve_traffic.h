/** Inside plan: the traffic of a job as options of the simulator. */
#ifndef ASSAY_PLAN_SERVE_TRAFFIC_H
#define ASSAY_PLAN_SERVE_TRAFFIC_H

#include "assay/serve_plan.h"

/**
 * io: load.rate_per_s and load.requests are those that are asked for (requests 0: all of the
 * trace). Errors: ASSAY_MEMORY.
 */
assay_status_t serve_traffic(assay_arena_t *arena, const assay_serving_t *serving,
                             assay_sim_options_t *io, assay_error_t *err);

#endif
