/** Inside the search: prompts and answers on replicas of their own. */
#ifndef ASSAY_PLAN_SERVE_SPLIT_H
#define ASSAY_PLAN_SERVE_SPLIT_H

#include "plan/serve_case.h"

#define SERVE_SPLIT_SIDES 32
/** What a layout does with prompts alone and with answers alone. */
typedef struct {
    serve_case_t of;
    assay_serve_way_t way;
    double prompts_per_s, prompt_s;       /* of one replica that only prefills */
    double running, answers_per_s, p99_s; /* of one that only decodes: within the limits */
} serve_side_t;

typedef struct {
    serve_side_t *side; /* (SERVE_SPLIT_SIDES) */
    uint32_t n;
} serve_split_t;

/** Rate and latency of the way of keys and values from replicas for prompts to the others. */
void serve_split_link(const assay_machine_t *machine, const assay_serve_fleet_t *fleet,
                      double *out_bytes_per_s, double *out_latency_s);
/** Takes down a layout whose own way serves. */
void serve_split_add(const serve_case_t *of, const assay_serve_way_t *way, serve_split_t *io);
/** The pair with the fewest nodes, then devices, for the demanded rate, of one format. False: no
 * pair keeps the limits. */
bool serve_split_best(const assay_machine_t *machine, const serve_split_t *split, uint32_t format,
                      assay_serve_fleet_t *out);

#endif
