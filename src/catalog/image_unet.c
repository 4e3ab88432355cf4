/* U-Net and autoencoder of latent diffusion, as diffusers builds them (models/unets/
   unet_2d_condition.py, unet_2d_blocks.py; models/autoencoders/vae.py). */
#include "catalog/image_build.h"

/* Two convolutions around a residual; time: width of the embedding of the step, 0 = none. */
static void resnet_block(image_build_t *build, double in, double out, double time) {
    const double positions = image_positions(build);
    image_norm(build, "resnet_norm", positions, in);
    image_stream(build, "resnet_activation", ASSAY_IMAGE_ACTIVATION, positions, in);
    image_conv(build, "resnet_conv", 3, in, out, IMAGE_BIAS);
    if (time > 0) {
        image_gemm(build, "resnet_time", 1, time, out, IMAGE_BIAS);
    }
    image_norm(build, "resnet_norm", positions, out);
    image_stream(build, "resnet_activation", ASSAY_IMAGE_ACTIVATION, positions, out);
    image_conv(build, "resnet_conv", 3, out, out, IMAGE_BIAS);
    if (in > out || in < out) {
        image_conv(build, "resnet_shortcut", 1, in, out, IMAGE_BIAS);
    }
    image_stream(build, "resnet_residual", ASSAY_IMAGE_ADD, positions, out);
}

static void attention(image_build_t *build, double c, double heads, bool cross) {
    const double positions = image_positions(build);
    const double keys = cross ? build->text : positions;
    const double width = cross ? build->shape->text_dim : c;
    image_norm(build, "attention_norm", positions, c);
    image_gemm(build, "q", positions, c, c, IMAGE_NO_BIAS);
    image_gemm(build, "k", keys, width, c, IMAGE_NO_BIAS);
    image_gemm(build, "v", keys, width, c, IMAGE_NO_BIAS);
    image_attention(build, cross ? ASSAY_IMAGE_CROSS : ASSAY_IMAGE_SELF, positions, keys, c, heads);
    image_gemm(build, "attention_out", positions, c, c, IMAGE_BIAS);
    image_stream(build, "attention_residual", ASSAY_IMAGE_ADD, positions, c);
}

/* Into and out of a transformer: a linear layer, or a convolution of 1 x 1. */
static void project(image_build_t *build, const char *name, double c) {
    if (build->shape->linear_projection) {
        image_gemm(build, name, image_positions(build), c, c, IMAGE_BIAS);
    } else {
        image_conv(build, name, 1, c, c, IMAGE_BIAS);
    }
}

static void transformer(image_build_t *build, uint32_t level, uint32_t depth) {
    const double positions = image_positions(build), c = build->shape->channels[level];
    const uint32_t width = build->shape->head_dim[level];
    const double heads = width > 0 ? c / width : 0;
    if (depth == 0) {
        return;
    }
    image_norm(build, "transformer_norm", positions, c);
    project(build, "transformer_in", c);
    for (uint32_t i = 0; i < depth && !build->full; i++) {
        attention(build, c, heads, false);
        attention(build, c, heads, true);
        image_norm(build, "mlp_norm", positions, c);
        image_gemm(build, "mlp_up", positions, c, 8 * c, IMAGE_BIAS); /* half of it is the gate */
        image_stream(build, "mlp_activation", ASSAY_IMAGE_ACTIVATION, positions, 4 * c);
        image_gemm(build, "mlp_down", positions, 4 * c, c, IMAGE_BIAS);
        image_stream(build, "mlp_residual", ASSAY_IMAGE_ADD, positions, c);
    }
    project(build, "transformer_out", c);
    image_stream(build, "transformer_residual", ASSAY_IMAGE_ADD, positions, c);
}

static void scale(image_build_t *build, double factor) {
    build->columns *= factor;
    build->rows *= factor;
}

static void unet_down(image_build_t *build, double time) {
    const assay_image_shape_t *shape = build->shape;
    double in = shape->channels[0];
    for (uint32_t i = 0; i < shape->levels; i++) {
        const double out = shape->channels[i];
        for (uint32_t j = 0; j < shape->blocks[i]; j++) {
            resnet_block(build, in, out, time);
            transformer(build, i, shape->depth_down[i]);
            in = out;
        }
        if (i + 1 < shape->levels) {
            scale(build, 0.5);
            image_conv(build, "downsample", 3, out, out, IMAGE_BIAS);
        }
    }
}

/* Each block going up takes what the one going down at its place gave, and one more. */
static void unet_up(image_build_t *build, double time) {
    const assay_image_shape_t *shape = build->shape;
    double in = shape->channels[shape->levels - 1];
    for (uint32_t i = shape->levels; i-- > 0;) {
        const double out = shape->channels[i], below = shape->channels[i > 0 ? i - 1 : 0];
        for (uint32_t j = 0; j <= shape->blocks[i]; j++) {
            const double skip = j < shape->blocks[i] ? out : below;
            image_stream(build, "concatenate", ASSAY_IMAGE_ADD, image_positions(build), in + skip);
            resnet_block(build, in + skip, out, time);
            transformer(build, i, shape->depth_up[i]);
            in = out;
        }
        if (i > 0) {
            scale(build, 2);
            image_conv(build, "upsample", 3, out, out, IMAGE_BIAS);
        }
    }
}

void image_unet(image_build_t *build) {
    const assay_image_shape_t *shape = build->shape;
    const double first = shape->channels[0], time = 4 * first;
    const double last = shape->channels[shape->levels - 1];
    image_gemm(build, "time_embedding", 1, first, time, IMAGE_BIAS);
    image_gemm(build, "time_embedding", 1, time, time, IMAGE_BIAS);
    if (shape->added_dim > 0) {
        image_gemm(build, "added_embedding", 1, shape->added_dim, time, IMAGE_BIAS);
        image_gemm(build, "added_embedding", 1, time, time, IMAGE_BIAS);
    }
    image_conv(build, "conv_in", 3, shape->in_channels, first, IMAGE_BIAS);
    unet_down(build, time);
    resnet_block(build, last, last, time);
    transformer(build, shape->levels - 1, shape->depth_middle);
    resnet_block(build, last, last, time);
    unet_up(build, time);
    image_norm(build, "norm_out", image_positions(build), first);
    image_stream(build, "activation_out", ASSAY_IMAGE_ACTIVATION, image_positions(build), first);
    image_conv(build, "conv_out", 3, first, shape->out_channels, IMAGE_BIAS);
}

/* Attention of one head in the middle of the autoencoder, all four matrices with biases. */
static void vae_middle(image_build_t *build, double c) {
    const double positions = image_positions(build);
    resnet_block(build, c, c, 0);
    image_norm(build, "attention_norm", positions, c);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"q", "k", "v"};
        image_gemm(build, names[i], positions, c, c, IMAGE_BIAS);
    }
    image_attention(build, ASSAY_IMAGE_SELF, positions, positions, c, 1);
    image_gemm(build, "attention_out", positions, c, c, IMAGE_BIAS);
    image_stream(build, "attention_residual", ASSAY_IMAGE_ADD, positions, c);
    resnet_block(build, c, c, 0);
}

static void vae_end(image_build_t *build, double c, double out) {
    image_norm(build, "norm_out", image_positions(build), c);
    image_stream(build, "activation_out", ASSAY_IMAGE_ACTIVATION, image_positions(build), c);
    image_conv(build, "conv_out", 3, c, out, IMAGE_BIAS);
}

/* Encoder, then decoder; its first operation is "decoder_in". */
void image_vae(image_build_t *build) {
    const assay_image_shape_t *shape = build->shape;
    const uint32_t n = shape->levels;
    const double latent = shape->hidden, last = shape->channels[n - 1];
    double in = shape->channels[0];
    image_conv(build, "encoder_in", 3, shape->in_channels, in, IMAGE_BIAS);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < shape->blocks[i]; j++) {
            resnet_block(build, in, shape->channels[i], 0);
            in = shape->channels[i];
        }
        if (i + 1 < n) {
            scale(build, 0.5);
            image_conv(build, "downsample", 3, in, in, IMAGE_BIAS);
        }
    }
    vae_middle(build, last);
    vae_end(build, last, 2 * latent);
    if (shape->linear_projection) {
        image_conv(build, "quantise", 1, 2 * latent, 2 * latent, IMAGE_BIAS);
    }

    const bool projected = shape->linear_projection;
    image_conv(build, "decoder_in", projected ? 1 : 3, latent, projected ? latent : last,
               IMAGE_BIAS);
    if (projected) {
        image_conv(build, "decoder_conv_in", 3, latent, last, IMAGE_BIAS);
    }
    vae_middle(build, last);
    in = last;
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = 0; j <= shape->blocks[i]; j++) {
            resnet_block(build, in, shape->channels[i], 0);
            in = shape->channels[i];
        }
        if (i > 0) {
            scale(build, 2);
            image_conv(build, "upsample", 3, in, in, IMAGE_BIAS);
        }
    }
    vae_end(build, shape->channels[0], shape->out_channels);
}
