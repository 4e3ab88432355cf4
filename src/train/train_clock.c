/* A package that must draw less than it is built for lowers its clock. */
#include <math.h>

#include "assay/dist.h"
#include "train/parts.h"

#define CLOCK_LEAST 0.01 /* of the usual one; a limit of so little is refused before */
#define POWER_SLACK 1e-7 /* of the limit, that may be left unused */
#define ROUNDS_MAX 60

/* What follows the clock: the rates of matrix products and of attention, not memory. The constants
   are of the clock under the usual cap, so that a lower clock counts relative to that. */
static void set_clock(const assay_machine_t *machine, double clock, assay_machine_t *out) {
    static const assay_calib_id_t follows[] = {
        ASSAY_CALIB_GEMM_EFFICIENCY, ASSAY_CALIB_ATTENTION_FORWARD, ASSAY_CALIB_ATTENTION_BACKWARD};
    for (size_t i = 0; i < sizeof follows / sizeof follows[0]; i++) {
        for (int type = 0; type < ASSAY_DT_N; type++) {
            out->device.calib[follows[i]][type] = machine->device.calib[follows[i]][type] * clock;
        }
    }
}

static void at_clock(const assay_machine_t *machine, const assay_workload_t *work,
                     const assay_layout_t *layout, double clock, assay_machine_t *scratch,
                     assay_estimate_t *out) {
    assay_train_layer_t layer;
    set_clock(machine, clock, scratch);
    assay_train_layer(scratch, work, layout, &layer);
    train_estimate_at(scratch, work, layout, &layer, clock, out);
}

/* The step at a clock that another exponent of power asks for, over the step as it is. */
static double step_with(const assay_machine_t *machine, const assay_workload_t *work,
                        const assay_layout_t *layout, double exponent, assay_machine_t *scratch,
                        const assay_estimate_t *at) {
    const double power = assay_clock_power(&machine->device, at->clock, machine->clock_exponent.v);
    assay_estimate_t other;
    at_clock(machine, work, layout, assay_power_clock(&machine->device, power, exponent), scratch,
             &other);
    return other.step_s / at->step_s;
}

/* Draw rises with the clock: the highest that keeps to the limit, between a clock that does and one
   that does not (regula falsi in the form called Illinois, which halves the weight of an end that
   stays). */
void train_lower_clock(const assay_machine_t *machine, const assay_workload_t *work,
                       const assay_layout_t *layout, assay_estimate_t *io) {
    const double limit_w = machine->package_limit_w / machine->devices_per_package;
    assay_machine_t scratch = *machine;
    assay_estimate_t low, at;
    double high = 1, above_w = io->device_w - limit_w;
    at_clock(machine, work, layout, CLOCK_LEAST, &scratch, &low);
    double below_w = low.device_w - limit_w;
    int stays = 0; /* -1, 1: the lower, the upper end stayed last time */
    for (int i = 0; i < ROUNDS_MAX && low.device_w < limit_w * (1 - POWER_SLACK); i++) {
        const double clock = low.clock - below_w * (high - low.clock) / (above_w - below_w);
        at_clock(machine, work, layout, clock, &scratch, &at);
        if (at.device_w > limit_w) {
            high = clock;
            above_w = at.device_w - limit_w;
            below_w *= stays < 0 ? 0.5 : 1;
            stays = -1;
        } else {
            low = at;
            below_w = at.device_w - limit_w;
            above_w *= stays > 0 ? 0.5 : 1;
            stays = 1;
        }
    }
    const assay_fact_t *exponent = &machine->clock_exponent;
    *io = low;
    io->rel_p10 *= fmin(1, step_with(machine, work, layout, exponent->p90, &scratch, &low));
    io->rel_p90 *= fmax(1, step_with(machine, work, layout, exponent->p10, &scratch, &low));
    io->basis = ASSAY_BASIS_EXTRAPOLATED;
}
