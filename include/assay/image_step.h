/**
 * How long a device works on a request for images, in closed form, from the list of operations of
 * each network. Pure; no allocation; no errors: resolve and score refuse what it does not cover.
 *
 * A request runs its stages one after the other (words, each denoising step, pixels). A pass of a
 * stage is as long as its operations:
 *   matrix     convolutions, as implicit GEMMs, and linear layers: assay_gemm_s
 *   attention  fused: max(FLOPs/rate, bytes/rate); not fused: two GEMMs, scores through memory
 *   stream     norms, activations, residuals, look-ups: bytes through memory
 *   launch     of each operation on the device
 * and, unless the program was captured (compiled, or a graph), no shorter than the host needs to
 * issue all of its operations.
 *
 * Guidance lets each step see the image with and without the text: a batch twice as large.
 *
 * Source: implicit GEMM as in NVIDIA's Convolutional Layers User's Guide (DU-09795), the rest as
 * assay/physics.h. Test: tests/unit/test_image_step.c. Thread-safe: yes.
 */
#ifndef ASSAY_IMAGE_STEP_H
#define ASSAY_IMAGE_STEP_H

#include "assay/image_work.h"
#include "assay/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an engine deviates from the device's rates: rows image_* of data/calibration.csv. */
typedef struct {
    double gemm;   /* rate of GEMMs and attention, over the calibrated one */
    double stream; /* the same of what passes through memory; above 1: kernels are fused */
    double op_s;   /* of an operation: its launch where the program is captured, else the
                      host's time to issue it */
    double rel_p10, rel_p90; /* interval of (true time)/(predicted time) */
    uint8_t basis;           /* worst of those that set the time */
} assay_image_constants_t;

/** As assay_resolve_image_engine has put them into the device. */
void assay_image_constants(const assay_device_t *device, assay_dtype_t dtype,
                           assay_image_constants_t *out);

typedef enum {
    ASSAY_IMAGE_MATRIX,
    ASSAY_IMAGE_ATTENTION,
    ASSAY_IMAGE_STREAM,
    ASSAY_IMAGE_LAUNCH,
    ASSAY_IMAGE_HOST, /* what the device waits for it */
    ASSAY_IMAGE_PART_N
} assay_image_part_t;
const char *assay_image_part_name(assay_image_part_t part);

/* One pass of a stage, at the device's calibrated rates. */
typedef struct {
    double part_s[ASSAY_IMAGE_HOST];
    double flops;          /* of matrix and attention */
    double bytes;          /* through memory, of matrix and stream */
    double n_call, passes; /* calls of the host for one pass */
} assay_image_pass_t;

/* A request that does not change with the constants. */
typedef struct {
    assay_image_pass_t pass[ASSAY_IMAGE_STAGE_MAX];
    uint32_t n_pass;
    double images;
    bool captured;
} assay_image_step_t;

/** images: of one request, worked on together, >= 1. */
void assay_image_prepare(const assay_device_t *device, const assay_image_work_t *work,
                         double images, assay_image_step_t *out);

/**
 * Seconds of one request. part_s and stage_s (ASSAY_IMAGE_STAGE_MAX) may be NULL; each sums to the
 * request.
 */
double assay_image_request_s(const assay_image_step_t *step,
                             const assay_image_constants_t *constants,
                             double part_s[ASSAY_IMAGE_PART_N], double *stage_s);
/** FLOPs of one request: 2 per multiply-add. */
double assay_image_request_flops(const assay_image_step_t *step);
/** Bytes of the weights of all stages, which stay on the device. */
double assay_image_weight_bytes(const assay_image_work_t *work);
/**
 * Bytes of activations: input and output of the largest operation, twice (the residual that waits,
 * a workspace of the kernel). An estimate: allocators and kernels differ.
 */
double assay_image_activation_bytes(const assay_image_work_t *work, double images);

#ifdef __cplusplus
}
#endif
#endif
