/* The constants that resolve put into a device. */
#include "assay/dist.h"
#include "assay/serve_step.h"

void assay_serve_constants(const assay_device_t *device, assay_dtype_t dtype,
                           assay_serve_constants_t *out) {
    const assay_dist_t error =
        assay_dist_lognormal(1, device->calib[ASSAY_CALIB_SERVE_SIGMA][dtype]);
    *out = (assay_serve_constants_t){
        .gemm = device->calib[ASSAY_CALIB_SERVE_GEMM][dtype],
        .expert = device->calib[ASSAY_CALIB_SERVE_EXPERT][dtype],
        .weight_stream = device->calib[ASSAY_CALIB_SERVE_WEIGHT_STREAM][dtype],
        .kv_stream = device->calib[ASSAY_CALIB_SERVE_KV_STREAM][dtype],
        .head_stream = device->calib[ASSAY_CALIB_SERVE_HEAD_STREAM][dtype],
        .layer_s = device->calib[ASSAY_CALIB_SERVE_LAYER_S][dtype],
        .moe_layer_s = device->calib[ASSAY_CALIB_SERVE_MOE_LAYER_S][dtype],
        .sequence_s = device->calib[ASSAY_CALIB_SERVE_SEQUENCE_S][dtype],
        .reduce_s = device->calib[ASSAY_CALIB_SERVE_REDUCE_S][dtype],
        .rel_p10 = assay_dist_quantile(&error, .1),
        .rel_p90 = assay_dist_quantile(&error, .9),
        .basis = device->serve_basis[dtype],
    };
}
