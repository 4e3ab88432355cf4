/* Scaled dot-product attention. Fused: FlashAttention-2 (arXiv 2307.08691), counted as its
   benchmark does: backward 2.5 x forward because it recomputes the scores. Not fused: two matrix
   products with the scores in HBM, backward 2 x forward. */
#include "assay/physics.h"

#include "physics/constants.h"

#define FUSED_BACKWARD 2.5
#define LSE_BYTES 4.0 /* log-sum-exp of a row of scores, fp32 */
/* Passes over the scores between the two products: scale and mask in place (2), softmax (2). */
#define SCORE_PASSES 4.0

static double v_dim(const assay_attention_t *a) {
    return a->v_head_dim > 0.0 ? a->v_head_dim : a->head_dim;
}

/* (query, key) pairs of one head and one sequence that are scored. */
static double scored_pairs(const assay_attention_t *a) {
    const double s = a->sequence, w = a->window;
    if (w > 0.0 && w < s) {
        return a->causal ? s * w - 0.5 * w * w : s * w;
    }
    return a->causal ? 0.5 * s * s : s * s;
}

double assay_attention_forward_flops(const assay_attention_t *a) {
    return 2.0 * a->batch * a->heads * scored_pairs(a) * (a->head_dim + v_dim(a));
}

/* queries: tensors of the queries' shape that are moved (forward q, o; backward q, o, dq, do),
   keys: pairs of tensors of the keys' and values' shape */
static double fused_s(const assay_device_t *device, const assay_attention_t *a, double flops,
                      double efficiency, double queries, double keys) {
    const double s = a->sequence;
    if (!(flops > 0.0)) {
        return 0.0;
    }
    const double reached =
        efficiency * s / (s + constant_of(device, ASSAY_CALIB_ATTENTION_S_HALF, a->dtype));
    const double compute_s = flops / (device->peak_flops[a->dtype] * reached);
    const double width = assay_dtype_bytes(a->dtype);
    const double row_bytes = width * (queries * a->heads * 0.5 * (a->head_dim + v_dim(a)) +
                                      keys * a->kv_heads * (a->head_dim + v_dim(a))) +
                             LSE_BYTES * a->heads;
    const double memory_s = hbm_s(device, a->batch * s * row_bytes);
    return (compute_s > memory_s ? compute_s : memory_s) + constant(device, ASSAY_CALIB_LAUNCH_S);
}

static double unfused_s(const assay_device_t *device, const assay_attention_t *a) {
    const double width = assay_dtype_bytes(a->dtype);
    const assay_gemm_t scores = {.m = a->sequence,
                                 .n = a->sequence,
                                 .k = a->head_dim,
                                 .batch = a->batch * a->heads,
                                 .dtype = a->dtype,
                                 .bytes_a = width,
                                 .bytes_b = width,
                                 .bytes_c = width};
    const assay_gemm_t values = {.m = a->sequence,
                                 .n = v_dim(a),
                                 .k = a->sequence,
                                 .batch = a->batch * a->heads,
                                 .dtype = a->dtype,
                                 .bytes_a = width,
                                 .bytes_b = width,
                                 .bytes_c = width};
    const double score_bytes = a->batch * a->heads * a->sequence * a->sequence * width;
    return assay_gemm_s(device, &scores) + assay_stream_s(device, SCORE_PASSES * score_bytes) +
           assay_gemm_s(device, &values);
}

double assay_attention_forward_s(const assay_device_t *device, const assay_attention_t *a) {
    if (!a->fused) {
        return unfused_s(device, a);
    }
    return fused_s(device, a, assay_attention_forward_flops(a),
                   constant_of(device, ASSAY_CALIB_ATTENTION_FORWARD, a->dtype), 2.0, 1.0);
}

double assay_attention_backward_s(const assay_device_t *device, const assay_attention_t *a) {
    if (!a->fused) {
        return 2.0 * unfused_s(device, a);
    }
    return fused_s(device, a, FUSED_BACKWARD * assay_attention_forward_flops(a),
                   constant_of(device, ASSAY_CALIB_ATTENTION_BACKWARD, a->dtype), 4.0, 2.0);
}
