/* Power of a node: nameplate, what of it the host takes, and a lower cap of the packages. */
#include <math.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

/* Below idle and so much of what is above it, no clock keeps to the limit. */
#define LEAST_SHARE 0.05

/* host = nameplate - packages at their cap; a nameplate below its own packages is a contradiction.
 */
assay_status_t resolve_power(resolve_context_t *context, const assay_job_candidate_t *candidate,
                             const assay_system_t *system, assay_machine_t *machine) {
    const double packages_w = machine->package_cap_w.v * machine->packages_per_node;
    assay_fact_t nameplate = assay_fact_unknown();
    if (candidate->node_power_w.origin == ASSAY_GIVEN) {
        nameplate = assay_fact_exact(candidate->node_power_w.v, "job");
    } else if (system->node_w.known) {
        nameplate = system->node_w;
    } else {
        assay_fact_t factor;
        const assay_status_t status = resolve_default(context, "power.node_over_tdp", &factor);
        if (status != ASSAY_OK) {
            return status;
        }
        if (!factor.known) {
            assay_error_set(context->err, ASSAY_INPUT, &candidate->system.at,
                            "the power of one node of %s is unknown", machine->id);
            assay_error_next(context->err, "give node_power_w");
            return ASSAY_INPUT;
        }
        nameplate = factor;
        nameplate.v *= packages_w;
        nameplate.p10 *= packages_w;
        nameplate.p90 *= packages_w;
    }
    machine->node_nameplate_w = nameplate;
    machine->host_w = nameplate;
    machine->host_w.v = fmax(0.0, nameplate.v - packages_w);
    machine->host_w.p10 = fmax(0.0, nameplate.p10 - packages_w);
    machine->host_w.p90 = fmax(0.0, nameplate.p90 - packages_w);
    const char *node = resolve_amount(context, nameplate.v, ASSAY_DIM_POWER);
    if (nameplate.v < packages_w) {
        const char *text = RESOLVE_SAY(context, NODE_POWER_LOW, node,
                                       resolve_amount(context, packages_w, ASSAY_DIM_POWER));
        return text ? resolve_note(context, ASSAY_NOTE_WARNING, machine->id, NULL, nameplate.source,
                                   text)
                    : resolve_no_memory(context);
    }
    if (candidate->node_power_w.origin == ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    const char *subject = RESOLVE_SAY(context, NODE_POWER, machine->id);
    if (!subject || !node) {
        return resolve_no_memory(context);
    }
    return resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, node, nameplate.source, NULL);
}

assay_status_t resolve_power_limit(resolve_context_t *context,
                                   const assay_job_candidate_t *candidate,
                                   assay_machine_t *machine) {
    const assay_number_t *limit = &candidate->power_cap_w;
    const double cap_w = machine->package_cap_w.v, idle_w = machine->package_idle_w.v;
    const double least_w = idle_w + LEAST_SHARE * (cap_w - idle_w);
    if (limit->origin != ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    if (context->job->workload.serve.present || context->job->workload.image.present) {
        assay_error_set(context->err, ASSAY_UNAVAILABLE, &limit->at,
                        "what a lower cap of power does to serving is not predicted by this "
                        "version");
        assay_error_next(context->err, "leave power_cap_w out");
        return ASSAY_UNAVAILABLE;
    }
    if (!(limit->v >= least_w && limit->v <= cap_w)) {
        assay_error_set(context->err, ASSAY_INPUT, &limit->at,
                        "power_cap_w of %s is %g W, expected %g W (little above idle) to %g W (as "
                        "it is built)",
                        machine->id, limit->v, ceil(least_w), cap_w);
        assay_error_next(context->err, "it is of one package, not of a node");
        return ASSAY_INPUT;
    }
    const char *const scope[] = {machine->accelerator->id, machine->accelerator->arch,
                                 machine->accelerator->vendor, "*", NULL};
    machine->clock_exponent =
        assay_calibration_get(context->calibration, ASSAY_CALIB_POWER_EXPONENT, scope, ASSAY_DT_N);
    machine->package_limit_w = limit->v < cap_w ? limit->v : 0.0;
    return ASSAY_OK;
}
