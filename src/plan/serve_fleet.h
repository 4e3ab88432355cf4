/**
 * Inside the search: how many replicas of one way a demand takes, by the closed form or by
 * simulation, and what the fleet then shows.
 */
#ifndef ASSAY_PLAN_SERVE_FLEET_H
#define ASSAY_PLAN_SERVE_FLEET_H

#include "plan/serve_case.h"

/** Fills io from the best point of its way; io->way, memory and case agree. serving: of all models;
    the case is of one of them where they have devices of their own. */
void serve_fleet_estimate(const assay_machine_t *machine, const assay_serving_t *serving,
                          const serve_case_t *of, const serve_point_t *best,
                          assay_serve_fleet_t *io);
/** Simulates replicas of io->way. Errors: ASSAY_LIMIT, ASSAY_MEMORY. */
assay_status_t serve_fleet_judge(assay_arena_t *arena, const assay_machine_t *machine,
                                 const assay_serving_t *serving, assay_serve_fleet_t *io,
                                 assay_error_t *err);
/** Devices, nodes, token rates of io->replicas at rate_per_s in all; verdict NODES beyond the
 * machine's. */
void serve_fleet_count(const assay_machine_t *machine, const assay_serving_t *serving,
                       double rate_per_s, assay_serve_fleet_t *io);
/** Mean watts of a device that steps for `busy` of the time with `decode` sequences. */
double serve_fleet_device_w(const assay_machine_t *machine, const serve_case_t *of, double busy,
                            double decode);

#endif
