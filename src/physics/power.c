#include "assay/physics.h"

#include "physics/constants.h"

static double share(double x) {
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

double assay_package_w(const assay_machine_t *machine, double matrix_utilisation,
                       double memory_utilisation, assay_dtype_t dtype) {
    const assay_device_t *device = &machine->device;
    const double cap_w = machine->package_cap_w.v;
    const double idle_w = machine->package_idle_w.known
                              ? machine->package_idle_w.v
                              : cap_w * constant(device, ASSAY_CALIB_IDLE_SHARE);
    const double load =
        constant_of(device, ASSAY_CALIB_POWER_COMPUTE, dtype) * share(matrix_utilisation) +
        constant_of(device, ASSAY_CALIB_POWER_MEMORY, dtype) * share(memory_utilisation);
    return idle_w < cap_w ? idle_w + (cap_w - idle_w) * share(load) : cap_w;
}
