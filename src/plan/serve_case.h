/**
 * Inside the search for fleets: one way to serve on one replica, made ready, and what it does in
 * closed form when so many sequences are under way.
 */
#ifndef ASSAY_PLAN_SERVE_CASE_H
#define ASSAY_PLAN_SERVE_CASE_H

#include "assay/serve_plan.h"

#define SERVE_USUAL_LOAD 0.9 /* of saturation, where no limit says less */

typedef struct {
    assay_serving_t serving;     /* with the format and limits of this way */
    assay_machine_t replica;     /* its devices alone */
    assay_serve_memory_t memory; /* tokens: of all its ranks */
    assay_serve_step_t step;
    assay_serve_load_t load;
    assay_serve_constants_t constants;
    double limit; /* sequences at the same time: the engine's bound, or what the cache holds */
} serve_case_t;

/** What does not depend on how many tokens and sequences a step may have. */
uint8_t serve_case_prepare(const assay_machine_t *machine, const assay_serving_t *serving,
                           const assay_serve_way_t *way, serve_case_t *out);
/** The rest. Both return an assay_serve_fleet_verdict_t. */
uint8_t serve_case_bound(const assay_machine_t *machine, const assay_serve_way_t *way,
                         serve_case_t *io);

/* Closed-form latencies of requests that arrive at rate_per_s, of which `running` are under way. */
typedef struct {
    double running, rate_per_s;
    assay_percentiles_t ttft, tpot, itl, e2e;
} serve_point_t;

void serve_case_at(const serve_case_t *of, double running, serve_point_t *out);
/** The point at which so many requests/s arrive, none more than at `most`. */
void serve_case_at_rate(const serve_case_t *of, const serve_point_t *most, double rate_per_s,
                        serve_point_t *out);
/** The point of the largest rate up to SERVE_USUAL_LOAD of saturation that keeps the limits. */
bool serve_case_best(const serve_case_t *of, serve_point_t *out);
bool serve_keeps(const assay_serving_t *serving, const serve_point_t *point);
/** Requests/s of the replica when sequences never run out. */
double serve_case_saturation_per_s(const serve_case_t *of);

/* ---- requests of a queue ---- */

/** Time that `share` of all wait: one server, Poisson arrivals, each takes service_s (M/D/1). */
double serve_wait_s(double busy, double service_s, double share);

#endif
