/* How the parts of physics read a calibration constant. */
#ifndef PHYSICS_CONSTANTS_H
#define PHYSICS_CONSTANTS_H

#include "assay/machine.h"

/* A constant that does not depend on the dtype has the same value in every column. */
static inline double constant(const assay_device_t *device, assay_calib_id_t id) {
    return device->calib[id][ASSAY_DT_BF16];
}

static inline double constant_of(const assay_device_t *device, assay_calib_id_t id,
                                 assay_dtype_t dtype) {
    return device->calib[id][dtype];
}

/* Seconds to move bytes through HBM, without the launch. The half size makes the rate grow with
   the size, e(Q) = e Q/(Q + Q_half); divided out that is an affine function. */
static inline double hbm_s(const assay_device_t *device, double bytes) {
    return (bytes + constant(device, ASSAY_CALIB_HBM_HALF_BYTES)) /
           (device->hbm_bytes_per_s * constant(device, ASSAY_CALIB_HBM_EFFICIENCY));
}

#endif
