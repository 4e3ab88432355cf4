/* Watts from utilisation, and what a clock below the usual one makes of them. Constants and where
   they are from: data/calibration.csv (power_compute to power_knee). */
#include <math.h>

#include "assay/physics.h"

#include "physics/constants.h"

static double share(double x) {
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

double assay_clock_power(const assay_device_t *device, double clock, double exponent) {
    const double knee = constant(device, ASSAY_CALIB_POWER_KNEE);
    return clock >= knee ? pow(clock, exponent) : pow(knee, exponent) * clock / knee;
}

double assay_power_clock(const assay_device_t *device, double power, double exponent) {
    const double knee = constant(device, ASSAY_CALIB_POWER_KNEE), at_knee = pow(knee, exponent);
    return power >= at_knee ? pow(power, 1.0 / exponent) : knee * power / at_knee;
}

double assay_package_at_clock_w(const assay_machine_t *machine, double matrix_utilisation,
                                double memory_utilisation, assay_dtype_t dtype, double clock) {
    const assay_device_t *device = &machine->device;
    const double cap_w = machine->package_cap_w.v;
    const double idle_w = machine->package_idle_w.known
                              ? machine->package_idle_w.v
                              : cap_w * constant(device, ASSAY_CALIB_IDLE_SHARE);
    const double matrix =
        constant_of(device, ASSAY_CALIB_POWER_COMPUTE, dtype) * share(matrix_utilisation);
    const double load =
        (clock < 1.0 ? matrix * assay_clock_power(device, clock, machine->clock_exponent.v)
                     : matrix) +
        constant_of(device, ASSAY_CALIB_POWER_MEMORY, dtype) * share(memory_utilisation);
    return idle_w < cap_w ? idle_w + (cap_w - idle_w) * share(load) : cap_w;
}

double assay_package_w(const assay_machine_t *machine, double matrix_utilisation,
                       double memory_utilisation, assay_dtype_t dtype) {
    return assay_package_at_clock_w(machine, matrix_utilisation, memory_utilisation, dtype, 1.0);
}
