/**
 * The list of operations of a network that works on images (or, as BERT, on a whole sequence at
 * once): U-Net, diffusion transformer, autoencoder, residual network, vision transformer, encoder
 * of text. Counts and the step models of images walk it. A convolution is an implicit GEMM:
 * positions x (kernel x kernel x channels in) times channels out.
 *
 * Units: parameters, FLOPs (2 per multiply-add); one image (or sequence), one forward pass.
 */
#ifndef ASSAY_IMAGE_OPS_H
#define ASSAY_IMAGE_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ASSAY_IMAGE_CONV,  /* positions of the output; k = kernel area x channels in of a group */
    ASSAY_IMAGE_GEMM,  /* linear layer on each position */
    ASSAY_IMAGE_SELF,  /* attention among the positions */
    ASSAY_IMAGE_CROSS, /* attention of the positions to others: the text */
    ASSAY_IMAGE_NORM,  /* streams from here on: n elements at each position */
    ASSAY_IMAGE_ACTIVATION,
    ASSAY_IMAGE_ADD,    /* residual, concatenation, resampling */
    ASSAY_IMAGE_GATHER, /* tables: embeddings of words and positions */
    ASSAY_IMAGE_KIND_N
} assay_image_kind_t;

typedef struct {
    const char *name;
    uint8_t kind;
    double positions; /* rows of the GEMM, queries of attention, positions of a stream */
    double k, n;      /* GEMM; attention: k keys, n = heads x head_dim; streams: n elements */
    double groups;    /* GEMMs alike side by side (grouped convolution); else 1 */
    double window;    /* positions of the input that one of the output sees (kernel area); else 1 */
    double heads;     /* attention; 0: not known */
    double params;    /* weights, biases, scales */
} assay_image_op_t;

typedef struct {
    assay_image_op_t *op;
    uint32_t n_op;
    uint32_t width, height, text_tokens; /* what it was laid out for */
} assay_image_net_t;

typedef enum {
    ASSAY_NET_UNET,
    ASSAY_NET_FLUX,
    ASSAY_NET_VAE,
    ASSAY_NET_RESNET,
    ASSAY_NET_VIT,
    ASSAY_NET_BERT,
    ASSAY_NET_CLIP, /* its encoder of text */
    ASSAY_NET_T5,   /* the encoder alone */
    ASSAY_NET_N
} assay_net_t;

#define ASSAY_LEVEL_MAX 8
/* Hyper-parameters. Levels: resolutions of a U-Net, an autoencoder or a residual network. */
typedef struct {
    const char *id, *source;
    uint8_t net;            /* assay_net_t */
    uint32_t width, height; /* pixels it was made for */
    uint32_t reduction; /* pixels of one of its positions before the first level: 8 in a latent */
    uint32_t in_channels, out_channels;
    uint32_t levels, channels[ASSAY_LEVEL_MAX];
    uint32_t blocks[ASSAY_LEVEL_MAX]; /* of a level */
    /* U-Net: transformer layers of each block going down, in the middle and going up, and width of
       a head; 0 = no attention */
    uint32_t depth_down[ASSAY_LEVEL_MAX], depth_up[ASSAY_LEVEL_MAX], depth_middle;
    uint32_t head_dim[ASSAY_LEVEL_MAX];
    bool linear_projection; /* of its transformers, instead of a convolution of 1 x 1 */
    uint32_t added_dim;     /* U-Net: width of what is added to the time (text, sizes); 0 = none */
    /* pooled_dim: of the text where it is told at once; CLIP: of the projection, 0 = none */
    uint32_t text_dim, text_tokens, pooled_dim;
    /* transformers */
    /* hidden: of an autoencoder, channels of the latent */
    uint32_t layers, single_layers, hidden, heads, ffn, patch, classes, vocab, max_position;
    bool guidance;
} assay_image_shape_t;

#define ASSAY_IMAGE_OP_MAX 4096
/**
 * Lays the network out for an image of width x height pixels (encoders of text: width tokens,
 * height 1).
 * Errors: ASSAY_INPUT when the size does not divide, ASSAY_LIMIT for more than ASSAY_IMAGE_OP_MAX
 * operations.
 */
assay_status_t assay_image_ops(assay_arena_t *arena, const assay_image_shape_t *shape,
                               uint32_t width, uint32_t height, assay_image_net_t *out_net,
                               assay_error_t *err);
double assay_image_op_flops(const assay_image_op_t *op);
double assay_image_params(const assay_image_net_t *net);
/** FLOPs of one forward pass, by kind; streams are 0. Returns the sum. */
double assay_image_flops(const assay_image_net_t *net, double out_flops[ASSAY_IMAGE_KIND_N]);
/** First operation of an autoencoder's decoder; n_op where there is none. */
uint32_t assay_image_decoder(const assay_image_net_t *net);
/**
 * A config.json of diffusers (U-Net, FLUX transformer, autoencoder), of ViT or of BERT.
 * Errors: ASSAY_INPUT with file and key.
 */
assay_status_t assay_image_read(assay_arena_t *arena, const char *file, const char *data,
                                size_t size, assay_image_shape_t *out_shape, assay_error_t *err);
/**
 * A network of data/image_models.csv, with dir's rows laid over: "resnet-50", "sdxl-unet", or with
 * another size "sdxl-unet@512x512".
 * Errors: ASSAY_NOT_FOUND with the nearest name; ASSAY_INPUT with the row of a table.
 */
assay_status_t assay_image_find(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                const char *id, assay_image_shape_t *out_shape, assay_error_t *err);

/* What makes an image out of words: a row of data/image_pipelines.csv. */
#define ASSAY_IMAGE_ENCODER_MAX 4
typedef struct {
    const char *id, *name, *source;
    const char *denoiser, *decoder; /* networks; decoder: an autoencoder */
    const char *encoder[ASSAY_IMAGE_ENCODER_MAX];
    uint32_t n_encoder;
    uint32_t width, height, steps; /* unless a job says otherwise */
    bool guided;                   /* each step sees the image with and without the text */
} assay_image_pipeline_t;

/**
 * "sdxl", or with another size "sdxl@768x768".
 * Errors: ASSAY_NOT_FOUND with the nearest name; ASSAY_INPUT with the row of a table.
 */
assay_status_t assay_image_pipeline_find(assay_arena_t *arena, const char *const *dir,
                                         uint32_t n_dir, const char *id,
                                         assay_image_pipeline_t *out, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
