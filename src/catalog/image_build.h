/* Laying out a network for a size of image, shared by the kinds of network. */
#ifndef CATALOG_IMAGE_BUILD_H
#define CATALOG_IMAGE_BUILD_H

#include "assay/image_ops.h"

typedef struct {
    const assay_image_shape_t *shape;
    assay_image_op_t *op; /* ASSAY_IMAGE_OP_MAX of them */
    uint32_t n;
    bool full;            /* there were more */
    double columns, rows; /* of the positions at this point */
    double text;          /* tokens of the text beside */
} image_build_t;

typedef enum { IMAGE_NO_BIAS, IMAGE_BIAS } image_bias_t;

static inline double image_positions(const image_build_t *build) {
    return build->columns * build->rows;
}

assay_image_op_t *image_add(image_build_t *build, const char *name, assay_image_kind_t kind,
                            double positions, double k, double n);
/** A square convolution; its output has the positions of this point. */
void image_conv(image_build_t *build, const char *name, double kernel, double in, double out,
                image_bias_t bias);
void image_gemm(image_build_t *build, const char *name, double positions, double k, double n,
                image_bias_t bias);
/** n: heads x their width; heads 0: not known. */
void image_attention(image_build_t *build, assay_image_kind_t kind, double positions, double keys,
                     double n, double heads);
/** Scale and shift of n channels. */
void image_norm(image_build_t *build, const char *name, double positions, double n);
void image_stream(image_build_t *build, const char *name, assay_image_kind_t kind, double positions,
                  double n);

/** "512x768", as after the @ of an id: the size at the end wins over the row's. */
bool image_size_parse(const char *at, uint32_t *out_width, uint32_t *out_height);

void image_unet(image_build_t *build);
void image_vae(image_build_t *build);
void image_flux(image_build_t *build);
void image_resnet(image_build_t *build);
void image_vit(image_build_t *build);
void image_bert(image_build_t *build);
void image_clip(image_build_t *build);
void image_t5(image_build_t *build);

#endif
