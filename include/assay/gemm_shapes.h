/**
 * Matrix products that somebody measured (data/gemm_shapes.csv, and what a user lays over it):
 * where a product is close to one of them, what that took stands in for the model (physics.h).
 */
#ifndef ASSAY_GEMM_SHAPES_H
#define ASSAY_GEMM_SHAPES_H

#include "assay/catalog.h"
#include "assay/csv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C (M,N) = A (M,K) B (K,N), once; bytes_in of one element of A and B, bytes_out of C */
typedef struct {
    double m, n, k, bytes_in, bytes_out;
    double elapsed_s; /* of the product alone, launch included */
    uint32_t rows;    /* measurements of this shape, of which elapsed_s is the middle */
    const char *source;
    assay_place_t at;
} assay_gemm_shape_t;

/* A shape speaks for products within so many octaves, in the space of log2 (M, N, K). */
#define ASSAY_GEMM_REACH 1.25
/* That space is cut into cubes, so many an octave each way. */
#define ASSAY_GEMM_CUBES 2

/* Shapes side by side, so that one instruction is for all of them; log2 as floats: a product at the
   very place of a shape stays there. */
#define ASSAY_GEMM_BLOCK 4
typedef struct {
    float m[ASSAY_GEMM_BLOCK], n[ASSAY_GEMM_BLOCK], k[ASSAY_GEMM_BLOCK];
    uint32_t shape[ASSAY_GEMM_BLOCK];
} assay_gemm_block_t;

/** The shapes of one part in one dtype. */
typedef struct {
    const char *accelerator;
    assay_dtype_t dtype;
    const assay_gemm_shape_t *shape; /* (n_shape) */
    uint32_t n_shape;
    const double (*at)[3]; /* (n_shape) log2 of m, n, k as assay_gemm_log2 has it */
    /* Cubes know the shapes that reach into them, by blocks; what is left of the last block is out
       of reach of everything. */
    int32_t low[3];        /* the first cube's place */
    uint32_t n_cube[3];    /* cubes each way */
    const uint32_t *first; /* (cubes + 1) block of a cube: K fastest, then N */
    const assay_gemm_block_t *near;
} assay_gemm_shapes_t;

/**
 * log2 of x > 0, linear between powers of two, where it is exact: as good a measure of distance,
 * continuous, the same everywhere, and no more than the bits of the number.
 */
static inline double assay_gemm_log2(double x) {
    union {
        double x;
        int64_t bits;
    } number = {x};
    return (double)number.bits * 0x1p-52 - 1023.0;
}

/** Fills at and the cubes of a group whose shapes are there. Errors: ASSAY_LIMIT (too many). */
assay_status_t assay_gemm_shapes_index(assay_arena_t *arena, assay_gemm_shapes_t *io,
                                       assay_error_t *err);
/**
 * The shapes of a table, by part and dtype. Errors: ASSAY_INPUT (no number, no such dtype, a shape
 * twice, a time that is none), ASSAY_LIMIT (shapes of a part).
 */
assay_status_t assay_gemm_shapes_read(assay_arena_t *arena, const assay_csv_t *csv,
                                      const assay_gemm_shapes_t **out, uint32_t *out_n,
                                      assay_error_t *err);
/** Reads gemm_shapes.csv, built in and of each directory, whose rows replace those of the same id.
 */
assay_status_t assay_gemm_shapes_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                      const assay_gemm_shapes_t **out, uint32_t *out_n,
                                      assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
