/* A request for images in closed form. */
#include "assay/image_step.h"

#include <assert.h>

#include "assay/dist.h"
#include "assay/physics.h"

/* What is not a matrix product is in 16 bit, or in 32 where the products are. */
#define HALF_BYTES 2.0

/* What a host calls more for attention without a fused kernel: products of queries, keys and values
   one by one, scaling, mask, softmax, product with the values (transformers, modeling_bert.py). */
#define UNFUSED_CALLS 6

const char *assay_image_part_name(assay_image_part_t part) {
    static const char *const name[ASSAY_IMAGE_PART_N] = {"matrix", "attention", "stream", "launch",
                                                         "host"};
    return name[part];
}

void assay_image_constants(const assay_device_t *device, assay_dtype_t dtype,
                           assay_image_constants_t *out) {
    const assay_dist_t error =
        assay_dist_lognormal(1, device->calib[ASSAY_CALIB_IMAGE_SIGMA][dtype]);
    *out = (assay_image_constants_t){
        .gemm = device->calib[ASSAY_CALIB_IMAGE_GEMM][dtype],
        .stream = device->calib[ASSAY_CALIB_IMAGE_STREAM][dtype],
        .op_s = device->calib[ASSAY_CALIB_IMAGE_OP_S][dtype],
        .rel_p10 = assay_dist_quantile(&error, .1),
        .rel_p90 = assay_dist_quantile(&error, .9),
        .basis = device->image_basis[dtype],
    };
}

/* Types of one stage: of its GEMMs, and of what passes between them. */
typedef struct {
    assay_dtype_t gemm, wide;
    double gemm_bytes, wide_bytes;
} types_t;

static types_t types_of(const assay_image_work_t *work, const assay_image_stage_t *stage) {
    const bool full = work->dtype == ASSAY_DT_FP32 || work->dtype == ASSAY_DT_TF32;
    const assay_dtype_t wide = full || work->dtype == ASSAY_DT_FP16 ? work->dtype : ASSAY_DT_BF16;
    const assay_dtype_t gemm = stage->narrow ? work->dtype : wide;
    return (types_t){gemm, wide, assay_dtype_bytes(gemm), full ? 4 : HALF_BYTES};
}

/* Passes over the elements of a stream: a norm reads and writes, a residual reads two. */
static double passes_of(uint8_t kind) {
    return kind == ASSAY_IMAGE_ADD ? 3 : 2;
}

static void add_matrix(const assay_device_t *device, const types_t *types,
                       const assay_image_op_t *op, double batch, double launch_s,
                       assay_image_pass_t *io) {
    /* a window of the input is read once, not once for each of its positions */
    const assay_gemm_t gemm = {.m = batch * op->positions,
                               .n = op->n,
                               .k = op->k,
                               .batch = op->groups,
                               .dtype = types->gemm,
                               .bytes_a = types->gemm_bytes / op->window,
                               .bytes_b = types->gemm_bytes,
                               .bytes_c = types->wide_bytes};
    io->part_s[ASSAY_IMAGE_MATRIX] += assay_gemm_s(device, &gemm) - launch_s;
    io->bytes += op->groups * (gemm.bytes_a * gemm.m * gemm.k + gemm.bytes_b * gemm.k * gemm.n +
                               gemm.bytes_c * gemm.m * gemm.n);
}

/* Between positions and keys of different number; fused, heads do not matter. */
static double fused_s(const assay_device_t *device, const types_t *types,
                      const assay_image_op_t *op, double batch, double launch_s) {
    const double reached = device->calib[ASSAY_CALIB_ATTENTION_FORWARD][types->wide] * op->k /
                           (op->k + device->calib[ASSAY_CALIB_ATTENTION_S_HALF][types->wide]);
    const double compute_s =
        batch * assay_image_op_flops(op) / (device->peak_flops[types->wide] * reached);
    const double bytes = 2 * batch * op->n * (op->positions + op->k) * types->wide_bytes;
    const double memory_s = assay_stream_s(device, bytes) - launch_s;
    return compute_s > memory_s ? compute_s : memory_s;
}

static void add_attention(const assay_device_t *device, const types_t *types, bool unfused,
                          const assay_image_op_t *op, double batch, double launch_s,
                          assay_image_pass_t *io) {
    if (!unfused || !(op->heads > 0) || op->kind != ASSAY_IMAGE_SELF) {
        io->part_s[ASSAY_IMAGE_ATTENTION] += fused_s(device, types, op, batch, launch_s);
        return;
    }
    const assay_attention_t attention = {.batch = batch,
                                         .sequence = op->positions,
                                         .heads = op->heads,
                                         .kv_heads = op->heads,
                                         .head_dim = op->n / op->heads,
                                         .dtype = types->wide};
    io->n_call += UNFUSED_CALLS;
    /* one launch of the three kernels is counted as any operation's */
    io->part_s[ASSAY_IMAGE_ATTENTION] += assay_attention_forward_s(device, &attention) - launch_s;
}

static void add_pass(const assay_device_t *device, const assay_image_work_t *work,
                     const assay_image_stage_t *stage, double images, assay_image_pass_t *out) {
    const types_t types = types_of(work, stage);
    const double batch = images * stage->copies;
    const double launch_s = device->calib[ASSAY_CALIB_LAUNCH_S][ASSAY_DT_BF16];
    *out = (assay_image_pass_t){.n_call = stage->n_op, .passes = stage->passes};
    for (uint32_t i = 0; i < stage->n_op; i++) {
        const assay_image_op_t *op = &stage->op[i];
        switch (op->kind) {
        case ASSAY_IMAGE_CONV:
        case ASSAY_IMAGE_GEMM:
            add_matrix(device, &types, op, batch, launch_s, out);
            break;
        case ASSAY_IMAGE_SELF:
        case ASSAY_IMAGE_CROSS:
            add_attention(device, &types, work->unfused, op, batch, launch_s, out);
            break;
        default: {
            const double bytes =
                passes_of(op->kind) * batch * op->positions * op->n * types.wide_bytes;
            out->part_s[ASSAY_IMAGE_STREAM] += assay_stream_s(device, bytes) - launch_s;
            out->bytes += bytes;
        }
        }
        out->flops += batch * assay_image_op_flops(op);
    }
    out->part_s[ASSAY_IMAGE_LAUNCH] = stage->n_op * launch_s;
}

void assay_image_prepare(const assay_device_t *device, const assay_image_work_t *work,
                         double images, assay_image_step_t *out) {
    assert(work->n_stage <= ASSAY_IMAGE_STAGE_MAX);
    *out =
        (assay_image_step_t){.n_pass = work->n_stage, .images = images, .captured = work->captured};
    for (uint32_t i = 0; i < work->n_stage; i++) {
        add_pass(device, work, &work->stage[i], images, &out->pass[i]);
    }
}

double assay_image_request_s(const assay_image_step_t *step,
                             const assay_image_constants_t *constants,
                             double part_s[ASSAY_IMAGE_PART_N], double *stage_s) {
    double sum[ASSAY_IMAGE_PART_N] = {0}, all = 0;
    for (uint32_t i = 0; i < step->n_pass; i++) {
        const assay_image_pass_t *pass = &step->pass[i];
        const double call_s = pass->n_call * constants->op_s;
        const double part[ASSAY_IMAGE_HOST] = {
            [ASSAY_IMAGE_MATRIX] = pass->part_s[ASSAY_IMAGE_MATRIX] / constants->gemm,
            [ASSAY_IMAGE_ATTENTION] = pass->part_s[ASSAY_IMAGE_ATTENTION] / constants->gemm,
            [ASSAY_IMAGE_STREAM] = pass->part_s[ASSAY_IMAGE_STREAM] / constants->stream,
            [ASSAY_IMAGE_LAUNCH] = step->captured ? call_s : pass->part_s[ASSAY_IMAGE_LAUNCH]};
        double device_s = 0;
        for (int p = 0; p < ASSAY_IMAGE_HOST; p++) {
            device_s += part[p];
            sum[p] += pass->passes * part[p];
        }
        const double waits_s = call_s > device_s ? call_s - device_s : 0;
        const double total_s = pass->passes * (device_s + waits_s);
        sum[ASSAY_IMAGE_HOST] += pass->passes * waits_s;
        all += total_s;
        if (stage_s) {
            stage_s[i] = total_s;
        }
    }
    for (int p = 0; part_s && p < ASSAY_IMAGE_PART_N; p++) {
        part_s[p] = sum[p];
    }
    return all;
}

double assay_image_request_flops(const assay_image_step_t *step) {
    double flops = 0;
    for (uint32_t i = 0; i < step->n_pass; i++) {
        flops += step->pass[i].passes * step->pass[i].flops;
    }
    return flops;
}

double assay_image_weight_bytes(const assay_image_work_t *work) {
    double bytes = 0;
    for (uint32_t i = 0; i < work->n_stage; i++) {
        bytes += work->stage[i].params * types_of(work, &work->stage[i]).gemm_bytes;
    }
    return bytes;
}

double assay_image_activation_bytes(const assay_image_work_t *work, double images) {
    double most = 0;
    for (uint32_t i = 0; i < work->n_stage; i++) {
        const assay_image_stage_t *stage = &work->stage[i];
        const double width = types_of(work, stage).wide_bytes * images * stage->copies;
        for (uint32_t j = 0; j < stage->n_op; j++) {
            const assay_image_op_t *op = &stage->op[j];
            const bool matrix = op->kind == ASSAY_IMAGE_CONV || op->kind == ASSAY_IMAGE_GEMM;
            const double in = matrix ? op->k / op->window : op->n;
            const double bytes = 2 * width * op->positions * (in + op->n);
            most = bytes > most ? bytes : most;
        }
    }
    return most;
}
