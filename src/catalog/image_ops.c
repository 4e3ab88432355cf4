#include "assay/image_ops.h"

#include <assert.h>
#include <string.h>

#include "catalog/image_build.h"

#include "base/banned.h"

assay_image_op_t *image_add(image_build_t *build, const char *name, assay_image_kind_t kind,
                            double positions, double k, double n) {
    build->full = build->full || build->n == ASSAY_IMAGE_OP_MAX;
    assay_image_op_t *op = &build->op[build->full ? build->n - 1 : build->n++];
    *op = (assay_image_op_t){.name = name,
                             .kind = (uint8_t)kind,
                             .positions = positions,
                             .k = k,
                             .n = n,
                             .groups = 1,
                             .window = 1};
    return op;
}

void image_conv(image_build_t *build, const char *name, double kernel, double in, double out,
                image_bias_t bias) {
    const double k = kernel * kernel * in;
    assay_image_op_t *op = image_add(build, name, ASSAY_IMAGE_CONV, image_positions(build), k, out);
    op->params = k * out + (bias ? out : 0);
    op->window = kernel * kernel;
}

void image_gemm(image_build_t *build, const char *name, double positions, double k, double n,
                image_bias_t bias) {
    image_add(build, name, ASSAY_IMAGE_GEMM, positions, k, n)->params = k * n + (bias ? n : 0);
}

void image_attention(image_build_t *build, assay_image_kind_t kind, double positions, double keys,
                     double n, double heads) {
    const char *name = kind == ASSAY_IMAGE_CROSS ? "cross_attention" : "self_attention";
    image_add(build, name, kind, positions, keys, n)->heads = heads;
}

void image_norm(image_build_t *build, const char *name, double positions, double n) {
    image_add(build, name, ASSAY_IMAGE_NORM, positions, 0, n)->params = 2 * n;
}

void image_stream(image_build_t *build, const char *name, assay_image_kind_t kind, double positions,
                  double n) {
    image_add(build, name, kind, positions, 0, n);
}

static const struct {
    void (*lay_out)(image_build_t *build);
    bool tokens; /* width is a number of tokens */
} nets[ASSAY_NET_N] = {
    [ASSAY_NET_UNET] = {image_unet, false}, [ASSAY_NET_FLUX] = {image_flux, false},
    [ASSAY_NET_VAE] = {image_vae, false},   [ASSAY_NET_RESNET] = {image_resnet, false},
    [ASSAY_NET_VIT] = {image_vit, false},   [ASSAY_NET_BERT] = {image_bert, true},
    [ASSAY_NET_CLIP] = {image_clip, true},  [ASSAY_NET_T5] = {image_t5, true},
};

/* Pixels that one position covers where they are fewest. */
static uint64_t coarsest(const assay_image_shape_t *shape) {
    const bool halves = shape->net == ASSAY_NET_UNET || shape->net == ASSAY_NET_VAE;
    const uint64_t patch = shape->patch > 0 ? shape->patch : 1;
    return shape->reduction * (halves ? UINT64_C(1) << (shape->levels - 1) : patch);
}

assay_status_t assay_image_ops(assay_arena_t *arena, const assay_image_shape_t *shape,
                               uint32_t width, uint32_t height, assay_image_net_t *out_net,
                               assay_error_t *err) {
    assert(shape->net < ASSAY_NET_N && shape->levels <= ASSAY_LEVEL_MAX);
    const uint64_t step = nets[shape->net].tokens ? 1 : coarsest(shape);
    if (width == 0 || height == 0 || width > 1 << 20 || height > 1 << 20 || width % step ||
        height % step) {
        return assay_error_set(err, ASSAY_INPUT, NULL,
                               "'%s' works on sizes that divide by %u, not on %u x %u", shape->id,
                               (unsigned)step, width, height);
    }
    if (nets[shape->net].tokens && shape->max_position > 0 && width > shape->max_position) {
        return assay_error_set(err, ASSAY_INPUT, NULL, "'%s' has %u positions, not %u", shape->id,
                               shape->max_position, width);
    }
    image_build_t build = {.shape = shape,
                           .op = assay_arena_array(arena, ASSAY_IMAGE_OP_MAX, sizeof *build.op),
                           .columns = (double)width / shape->reduction,
                           .rows = (double)height / shape->reduction,
                           .text = shape->text_tokens};
    if (!build.op) {
        return assay_error_memory(err, NULL);
    }
    nets[shape->net].lay_out(&build);
    if (build.full) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "'%s' has more than %d operations",
                               shape->id, ASSAY_IMAGE_OP_MAX);
    }
    *out_net = (assay_image_net_t){build.op, build.n, width, height, shape->text_tokens};
    return ASSAY_OK;
}

uint32_t assay_image_decoder(const assay_image_net_t *net) {
    uint32_t i = 0;
    while (i < net->n_op && strcmp(net->op[i].name, "decoder_in") != 0) {
        i++;
    }
    return i;
}

double assay_image_params(const assay_image_net_t *net) {
    double params = 0;
    for (uint32_t i = 0; i < net->n_op; i++) {
        params += net->op[i].params;
    }
    return params;
}

double assay_image_op_flops(const assay_image_op_t *op) {
    switch (op->kind) {
    case ASSAY_IMAGE_CONV:
    case ASSAY_IMAGE_GEMM:
        return 2 * op->positions * op->k * op->n * op->groups;
    case ASSAY_IMAGE_SELF:
    case ASSAY_IMAGE_CROSS:
        return 4 * op->positions * op->k * op->n; /* scores and values */
    default:
        return 0;
    }
}

double assay_image_flops(const assay_image_net_t *net, double out_flops[ASSAY_IMAGE_KIND_N]) {
    double sum = 0;
    memset(out_flops, 0, ASSAY_IMAGE_KIND_N * sizeof *out_flops);
    for (uint32_t i = 0; i < net->n_op; i++) {
        const double flops = assay_image_op_flops(&net->op[i]);
        out_flops[net->op[i].kind] += flops;
        sum += flops;
    }
    return sum;
}
