/* Networks that keep or halve their resolution: FLUX (diffusers, models/transformers/
   transformer_flux.py) and residual networks (torchvision, models/resnet.py). */
#include "catalog/image_build.h"

/* Weights of a norm without scale and shift are none. */
static void plain_norm(image_build_t *build, const char *name, double positions, double n) {
    image_stream(build, name, ASSAY_IMAGE_NORM, positions, n);
}

/* Two layers that make h numbers out of one description of the step or the text. */
static void embed(image_build_t *build, const char *name, double in, double h) {
    image_gemm(build, name, 1, in, h, IMAGE_BIAS);
    image_gemm(build, name, 1, h, h, IMAGE_BIAS);
}

/* Query, key and value, the first two with an RMSNorm of one head. */
static void flux_qkv(image_build_t *build, double positions, double h) {
    const double d = h / build->shape->heads;
    image_gemm(build, "qkv", positions, h, 3 * h, IMAGE_BIAS);
    image_add(build, "qk_norm", ASSAY_IMAGE_NORM, positions, 0, 2 * h)->params = 2 * d;
    image_stream(build, "rotary", ASSAY_IMAGE_ADD, positions, 2 * h);
}

/* Image and text have weights of their own and attend to each other. */
static void flux_double(image_build_t *build, double h, double ffn, const double stream[2]) {
    const double all = stream[0] + stream[1];
    for (int i = 0; i < 2; i++) {
        image_gemm(build, "modulation", 1, h, 6 * h, IMAGE_BIAS);
        plain_norm(build, "attention_norm", stream[i], h);
        flux_qkv(build, stream[i], h);
    }
    image_attention(build, ASSAY_IMAGE_SELF, all, all, h, build->shape->heads);
    for (int i = 0; i < 2; i++) {
        image_gemm(build, "attention_out", stream[i], h, h, IMAGE_BIAS);
        image_stream(build, "attention_residual", ASSAY_IMAGE_ADD, stream[i], h);
        plain_norm(build, "mlp_norm", stream[i], h);
        image_gemm(build, "mlp_up", stream[i], h, ffn, IMAGE_BIAS);
        image_stream(build, "mlp_activation", ASSAY_IMAGE_ACTIVATION, stream[i], ffn);
        image_gemm(build, "mlp_down", stream[i], ffn, h, IMAGE_BIAS);
        image_stream(build, "mlp_residual", ASSAY_IMAGE_ADD, stream[i], h);
    }
}

static void flux_single(image_build_t *build, double h, double ffn, double all) {
    image_gemm(build, "modulation", 1, h, 3 * h, IMAGE_BIAS);
    plain_norm(build, "norm", all, h);
    flux_qkv(build, all, h);
    image_gemm(build, "mlp_up", all, h, ffn, IMAGE_BIAS);
    image_stream(build, "mlp_activation", ASSAY_IMAGE_ACTIVATION, all, ffn);
    image_attention(build, ASSAY_IMAGE_SELF, all, all, h, build->shape->heads);
    image_gemm(build, "out", all, h + ffn, h, IMAGE_BIAS);
    image_stream(build, "residual", ASSAY_IMAGE_ADD, all, h);
}

void image_flux(image_build_t *build) {
    const assay_image_shape_t *shape = build->shape;
    const double h = shape->hidden, ffn = shape->ffn, patch = shape->patch;
    const double image = image_positions(build) / (patch * patch);
    const double stream[2] = {image, build->text};
    image_gemm(build, "image_in", image, shape->in_channels, h, IMAGE_BIAS);
    image_gemm(build, "text_in", build->text, shape->text_dim, h, IMAGE_BIAS);
    embed(build, "time_embedding", 256, h); /* sines of 256 frequencies */
    if (shape->guidance) {
        embed(build, "guidance_embedding", 256, h);
    }
    embed(build, "pooled_embedding", shape->pooled_dim, h);
    for (uint32_t i = 0; i < shape->layers && !build->full; i++) {
        flux_double(build, h, ffn, stream);
    }
    for (uint32_t i = 0; i < shape->single_layers && !build->full; i++) {
        flux_single(build, h, ffn, image + build->text);
    }
    image_gemm(build, "modulation", 1, h, 2 * h, IMAGE_BIAS);
    plain_norm(build, "norm_out", image, h);
    image_gemm(build, "image_out", image, h, shape->out_channels, IMAGE_BIAS);
}

static void conv_norm(image_build_t *build, const char *name, double kernel, double in,
                      double out) {
    image_conv(build, name, kernel, in, out, IMAGE_NO_BIAS);
    image_norm(build, "batch_norm", image_positions(build), out);
}

static void halve(image_build_t *build) {
    build->columns = (double)((uint32_t)(build->columns + 1) / 2);
    build->rows = (double)((uint32_t)(build->rows + 1) / 2);
}

/* Bottleneck, version 1.5: the convolution of 3 x 3 strides. */
static void bottleneck(image_build_t *build, double in, double width, bool stride, bool shortcut) {
    const double out = 4 * width;
    conv_norm(build, "conv1", 1, in, width);
    image_stream(build, "relu", ASSAY_IMAGE_ACTIVATION, image_positions(build), width);
    if (stride) {
        halve(build);
    }
    conv_norm(build, "conv2", 3, width, width);
    image_stream(build, "relu", ASSAY_IMAGE_ACTIVATION, image_positions(build), width);
    conv_norm(build, "conv3", 1, width, out);
    if (shortcut) {
        conv_norm(build, "shortcut", 1, in, out);
    }
    image_stream(build, "residual", ASSAY_IMAGE_ADD, image_positions(build), out);
    image_stream(build, "relu", ASSAY_IMAGE_ACTIVATION, image_positions(build), out);
}

void image_resnet(image_build_t *build) {
    const assay_image_shape_t *shape = build->shape;
    double in = shape->channels[0];
    halve(build);
    conv_norm(build, "conv_in", 7, shape->in_channels, in);
    image_stream(build, "relu", ASSAY_IMAGE_ACTIVATION, image_positions(build), in);
    halve(build);
    image_stream(build, "max_pool", ASSAY_IMAGE_ADD, image_positions(build), in);
    for (uint32_t i = 0; i < shape->levels; i++) {
        const double width = shape->channels[i];
        for (uint32_t j = 0; j < shape->blocks[i] && !build->full; j++) {
            bottleneck(build, in, width, i > 0 && j == 0, j == 0);
            in = 4 * width;
        }
    }
    image_stream(build, "average_pool", ASSAY_IMAGE_ADD, image_positions(build), in);
    image_gemm(build, "classes", 1, in, shape->classes, IMAGE_BIAS);
}
