#include "assay/physics.h"

#include "physics/constants.h"

double assay_stream_s(const assay_device_t *device, double bytes) {
    if (!(bytes > 0.0)) {
        return 0.0;
    }
    return hbm_s(device, bytes) + constant(device, ASSAY_CALIB_LAUNCH_S);
}
