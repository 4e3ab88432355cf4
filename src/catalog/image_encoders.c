/* Encoders: of images (torchvision, models/vision_transformer.py) and of text (transformers,
   models/bert/modeling_bert.py, models/clip/modeling_clip.py, models/t5/modeling_t5.py). */
#include "catalog/image_build.h"

/* One layer of a vision transformer, of BERT or of CLIP: biases everywhere, two norms. */
static void encoder_layer(image_build_t *build, double tokens) {
    const double h = build->shape->hidden, ffn = build->shape->ffn;
    image_norm(build, "attention_norm", tokens, h);
    image_gemm(build, "qkv", tokens, h, 3 * h, IMAGE_BIAS);
    image_attention(build, ASSAY_IMAGE_SELF, tokens, tokens, h, build->shape->heads);
    image_gemm(build, "attention_out", tokens, h, h, IMAGE_BIAS);
    image_stream(build, "attention_residual", ASSAY_IMAGE_ADD, tokens, h);
    image_norm(build, "mlp_norm", tokens, h);
    image_gemm(build, "mlp_up", tokens, h, ffn, IMAGE_BIAS);
    image_stream(build, "mlp_activation", ASSAY_IMAGE_ACTIVATION, tokens, ffn);
    image_gemm(build, "mlp_down", tokens, ffn, h, IMAGE_BIAS);
    image_stream(build, "mlp_residual", ASSAY_IMAGE_ADD, tokens, h);
}

void image_vit(image_build_t *build) {
    const assay_image_shape_t *shape = build->shape;
    const double h = shape->hidden, patch = shape->patch;
    build->columns /= patch;
    build->rows /= patch;
    const double tokens = image_positions(build) + 1; /* and that of the class */
    const double made_for =
        (double)(shape->width / shape->patch) * (shape->height / shape->patch) + 1;
    image_conv(build, "patches", patch, shape->in_channels, h, IMAGE_BIAS);
    image_add(build, "positions", ASSAY_IMAGE_GATHER, tokens, 0, h)->params = (made_for + 1) * h;
    for (uint32_t i = 0; i < shape->layers && !build->full; i++) {
        encoder_layer(build, tokens);
    }
    image_norm(build, "norm_out", tokens, h);
    if (shape->classes > 0) {
        image_gemm(build, "classes", 1, h, shape->classes, IMAGE_BIAS);
    }
}

void image_bert(image_build_t *build) {
    const assay_image_shape_t *shape = build->shape;
    const double h = shape->hidden, tokens = image_positions(build);
    image_add(build, "embedding", ASSAY_IMAGE_GATHER, tokens, 0, h)->params =
        (shape->vocab + (double)shape->max_position + shape->classes) * h;
    image_norm(build, "embedding_norm", tokens, h);
    for (uint32_t i = 0; i < shape->layers && !build->full; i++) {
        encoder_layer(build, tokens);
    }
    image_gemm(build, "pooler", 1, h, h, IMAGE_BIAS);
}

void image_clip(image_build_t *build) {
    const assay_image_shape_t *shape = build->shape;
    const double h = shape->hidden, tokens = image_positions(build);
    image_add(build, "embedding", ASSAY_IMAGE_GATHER, tokens, 0, h)->params =
        ((double)shape->vocab + shape->max_position) * h;
    for (uint32_t i = 0; i < shape->layers && !build->full; i++) {
        encoder_layer(build, tokens);
    }
    image_norm(build, "norm_out", tokens, h);
    if (shape->pooled_dim > 0) {
        image_gemm(build, "projection", 1, h, shape->pooled_dim, IMAGE_NO_BIAS);
    }
}

/* Scale alone. */
static void rms_norm(image_build_t *build, const char *name, double tokens, double h) {
    image_add(build, name, ASSAY_IMAGE_NORM, tokens, 0, h)->params = h;
}

/* Version 1.1: no biases, a gate beside the first matrix of the MLP. Its buckets of distances are
   one table of the first layer. */
void image_t5(image_build_t *build) {
    enum { BUCKETS = 32 };
    const assay_image_shape_t *shape = build->shape;
    const double h = shape->hidden, ffn = shape->ffn, tokens = image_positions(build);
    image_add(build, "embedding", ASSAY_IMAGE_GATHER, tokens, 0, h)->params = shape->vocab * h;
    image_add(build, "distances", ASSAY_IMAGE_GATHER, tokens, 0, shape->heads)->params =
        (double)BUCKETS * shape->heads;
    for (uint32_t i = 0; i < shape->layers && !build->full; i++) {
        rms_norm(build, "attention_norm", tokens, h);
        image_gemm(build, "qkv", tokens, h, 3 * h, IMAGE_NO_BIAS);
        image_attention(build, ASSAY_IMAGE_SELF, tokens, tokens, h, shape->heads);
        image_gemm(build, "attention_out", tokens, h, h, IMAGE_NO_BIAS);
        image_stream(build, "attention_residual", ASSAY_IMAGE_ADD, tokens, h);
        rms_norm(build, "mlp_norm", tokens, h);
        image_gemm(build, "mlp_up", tokens, h, 2 * ffn, IMAGE_NO_BIAS);
        image_stream(build, "mlp_activation", ASSAY_IMAGE_ACTIVATION, tokens, ffn);
        image_gemm(build, "mlp_down", tokens, ffn, h, IMAGE_NO_BIAS);
        image_stream(build, "mlp_residual", ASSAY_IMAGE_ADD, tokens, h);
    }
    rms_norm(build, "norm_out", tokens, h);
}
