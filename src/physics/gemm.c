/* Matrix multiplication: tile and wave quantisation (NVIDIA, Matrix Multiplication Background
   guide, DU-09799, sections 3.1 and 3.2) and a memory roofline, joined by calibrated constants; and
   what was measured of shapes close by. */
#include "assay/physics.h"

#include <math.h>
#include <string.h>

#include "physics/constants.h"

/*
 * Output tiles that kernels of the BLAS libraries use (cuBLASLt's list, 64x64 to 256x128; Tensile's
 * macro tiles are of the same sizes), and a flat one for few rows. A tile keeps a unit busy for
 *     2 (m n + border (m + n)) (K + K0)
 * operations: the border is what loading the operands costs, so that a small tile is slower than a
 * large one in proportion to its perimeter. Of 0, 4, 8, 16, 24 and 32 the border 8 gave the least
 * mean |ln(measured/predicted)| over the shapes of data/measured/gemm.csv on H100, H200, B200 and
 * MI300X (4 on A100); 256 x 256, 64 x 256 and more flat tiles changed it by less than 0.01 on
 * NVIDIA and AMD parts, so that one list serves all.
 */
#define BORDER 8.0
#define COST(m, n) ((m) * (n) + BORDER * ((m) + (n)))
#define TILES 8
/* Sides as reciprocals: of powers of two, so that a product with one is exact. */
static const double per_m[TILES] = {1. / 256, 1. / 128, 1. / 128, 1. / 64,
                                    1. / 128, 1. / 64,  1. / 16,  1. / 128};
static const double per_n[TILES] = {1. / 128, 1. / 256, 1. / 128, 1. / 128,
                                    1. / 64,  1. / 64,  1. / 128, 1. / 16};
static const double tile_cost[TILES] = {COST(256, 128), COST(128, 256), COST(128, 128),
                                        COST(64, 128),  COST(128, 64),  COST(64, 64),
                                        COST(16, 128),  COST(128, 16)};

/* K is split over several units when there are fewer tiles than units; at most this often. */
#define SPLIT_MAX 4.0
/* A partial sum is written and read once as fp32, in the last-level cache, at about twice the rate
   of HBM: it costs as much as this many bytes of HBM traffic. */
#define SPLIT_BYTES 4.0

/* What is rounded up is below 2^51, where adding and taking away 1.5 x 2^52 rounds to the nearest
   whole number: no branch, no call, several at a time. */
static inline double whole(double x) {
    const double nearest = x + 0x1.8p52 - 0x1.8p52;
    return nearest + (nearest < x ? 1.0 : 0.0);
}

/* Unit-operations/2 of the best tiling. ops_a_byte: operations of the device while it moves a byte.
 */
static double best_tiling(const assay_gemm_t *gemm, double units, double k0, double ops_a_byte) {
    const double per_unit = 1.0 / units, k = gemm->k;
    const double rows = whole(gemm->m), columns = whole(gemm->n), batch = gemm->batch;
    double tiles[TILES], cost[TILES];
    for (int i = 0; i < TILES; i++) {
        tiles[i] = whole(rows * per_m[i]) * whole(columns * per_n[i]) * batch;
        cost[i] = whole(tiles[i] * per_unit) * tile_cost[i] * (k + k0);
    }
    double best = INFINITY, fewest = INFINITY;
    for (int i = 0; i < TILES; i++) {
        best = cost[i] < best ? cost[i] : best;
        fewest = tiles[i] < fewest ? tiles[i] : fewest;
    }
    if (fewest * 2.0 > units) {
        return best;
    }
    /* what one partial sum over C costs */
    const double partial = SPLIT_BYTES * gemm->m * gemm->n * batch * ops_a_byte * per_unit / 2.0;
    for (int i = 0; i < TILES; i++) {
        for (double split = 2.0; split <= SPLIT_MAX && tiles[i] * split <= units; split *= 2.0) {
            const double split_cost = tile_cost[i] * (k / split + k0) + split * partial;
            best = split_cost < best ? split_cost : best;
        }
    }
    return best;
}

static double modelled_s(const assay_device_t *device, const assay_gemm_t *gemm) {
    const double m = gemm->m, n = gemm->n, k = gemm->k;
    const assay_dtype_t dtype = gemm->dtype;
    const double units = device->compute_units > 0 ? device->compute_units : 1.0;
    const double flops =
        device->peak_flops[dtype] * constant_of(device, ASSAY_CALIB_GEMM_EFFICIENCY, dtype);
    const double hbm_byte_s =
        1.0 / (device->hbm_bytes_per_s * constant(device, ASSAY_CALIB_HBM_EFFICIENCY));
    const double unit_s = 2.0 * units / flops; /* of two operations on one unit */
    const double compute_s =
        unit_s * best_tiling(gemm, units, constant_of(device, ASSAY_CALIB_GEMM_K0, dtype),
                             hbm_byte_s * flops);
    const double memory_s =
        hbm_byte_s *
        (gemm->batch * (gemm->bytes_a * m * k + gemm->bytes_b * k * n + gemm->bytes_c * m * n) +
         constant(device, ASSAY_CALIB_HBM_HALF_BYTES));
    const double longer = compute_s > memory_s ? compute_s : memory_s;
    const double shorter = compute_s > memory_s ? memory_s : compute_s;
    return longer + constant_of(device, ASSAY_CALIB_GEMM_SERIAL, dtype) * shorter +
           constant(device, ASSAY_CALIB_LAUNCH_S);
}

/* --- what was measured ------------------------------------------------------------------------ */

/* Beside the measured shapes the model itself has this weight, that of one 1.07 octaves away: where
   all are far, it is what remains. Of 0.1, 0.3, 1 and 3, and of reaches from 1 to 3 octaves, 0.1
   and 1.5 left the least error of a shape left out, 0.49 of the model's over all parts and dtypes;
   a reach of 1.25 leaves 0.51 with half the neighbours. */
#define MODEL_WEIGHT 0.1
/* A product as close as this, squared, is the measured one: its weight is all there is. */
#define SAME 1e-30f

/* log2 of M, N and K. */
typedef struct {
    double m, n, k;
} place_t;

static place_t place_of(const assay_gemm_t *gemm) {
    return (place_t){assay_gemm_log2(gemm->m), assay_gemm_log2(gemm->n), assay_gemm_log2(gemm->k)};
}

/* All shapes of a block at once; what is compared is all ones or zero. */
typedef float lanes_t __attribute__((vector_size(ASSAY_GEMM_BLOCK * sizeof(float))));
typedef int32_t mask_t __attribute__((vector_size(ASSAY_GEMM_BLOCK * sizeof(int32_t))));

typedef double wide_t __attribute__((vector_size(ASSAY_GEMM_BLOCK * sizeof(double))));

static inline lanes_t lanes(const float *x) {
    lanes_t out;
    memcpy(&out, x, sizeof out);
    return out;
}

static inline lanes_t at_least(lanes_t x, float least) {
    const lanes_t all = {least, least, least, least};
    const mask_t above = x > all;
    return (lanes_t)(((mask_t)x & above) | ((mask_t)all & ~above));
}

/* Of the shapes of a block: the squared distance over the reach u, and the weight (1 - u)^2 / u,
   which is 0 beyond the reach. */
typedef struct {
    lanes_t u, weight;
} apart_t;

static inline apart_t apart(const assay_gemm_block_t *block, float m, float n, float k) {
    const lanes_t dm = m - lanes(block->m), dn = n - lanes(block->n), dk = k - lanes(block->k);
    const lanes_t u = at_least(
        (dm * dm + dn * dn + dk * dk) * (float)(1.0 / (ASSAY_GEMM_REACH * ASSAY_GEMM_REACH)), SAME);
    const lanes_t left = at_least(1.0f - u, 0.0f);
    return (apart_t){u, left * left / u};
}

/* The shapes that reach into the cube of that place; n = 0 where there is none. */
typedef struct {
    const assay_gemm_block_t *block;
    uint32_t n;
} near_t;

static near_t near_of(const assay_gemm_shapes_t *group, place_t at) {
    /* what is below the first cube is far above the last, as an unsigned number */
    const uint32_t m = (uint32_t)((int32_t)(at.m * ASSAY_GEMM_CUBES) - group->low[0]);
    const uint32_t n = (uint32_t)((int32_t)(at.n * ASSAY_GEMM_CUBES) - group->low[1]);
    const uint32_t k = (uint32_t)((int32_t)(at.k * ASSAY_GEMM_CUBES) - group->low[2]);
    if (m >= group->n_cube[0] || n >= group->n_cube[1] || k >= group->n_cube[2]) {
        return (near_t){0};
    }
    const uint32_t cube = (m * group->n_cube[1] + n) * group->n_cube[2] + k;
    const uint32_t first = group->first[cube];
    return (near_t){group->near + first, group->first[cube + 1] - first};
}

/*
 * The mean of measured over modelled time at the shapes within reach, each with the weight
 *     (1 - u)^2 / u,  u = (distance / reach)^2
 * (Franke and Little's form of Shepard's method): without bound at the shape, so that what was
 * measured comes out, zero at the end of the reach, so that nothing jumps as a shape comes within
 * it. Nothing depends on how fast the machine is: a faster one is faster at each shape.
 */
static double measured_ratio(const assay_gemm_shapes_t *group, const double *ratio, place_t at) {
    const near_t near = near_of(group, at);
    const float m = (float)at.m, n = (float)at.n, k = (float)at.k;
    wide_t sum = {MODEL_WEIGHT}, weight = {MODEL_WEIGHT};
    for (uint32_t b = 0; b < near.n; b++) {
        const assay_gemm_block_t *block = &near.block[b];
        const wide_t w = __builtin_convertvector(apart(block, m, n, k).weight, wide_t);
        weight += w;
        sum += w * (wide_t){ratio[block->shape[0]], ratio[block->shape[1]], ratio[block->shape[2]],
                            ratio[block->shape[3]]};
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) /
           ((weight[0] + weight[1]) + (weight[2] + weight[3]));
}

/* Shapes were measured one product at a time. */
static const assay_gemm_shapes_t *shapes_for(const assay_device_t *device,
                                             const assay_gemm_t *gemm) {
    const bool single = gemm->batch >= 1.0 && gemm->batch <= 1.0;
    return single && gemm->m >= 1.0 && gemm->n >= 1.0 && gemm->k >= 1.0
               ? device->gemm_shapes[gemm->dtype]
               : NULL;
}

double assay_gemm_s(const assay_device_t *device, const assay_gemm_t *gemm) {
    if (!(gemm->m > 0.0 && gemm->n > 0.0 && gemm->k > 0.0 && gemm->batch > 0.0)) {
        return 0.0;
    }
    const assay_gemm_shapes_t *group = shapes_for(device, gemm);
    const double model_s = modelled_s(device, gemm);
    return group ? model_s * measured_ratio(group, device->gemm_ratio[gemm->dtype], place_of(gemm))
                 : model_s;
}

double assay_gemm_support(const assay_device_t *device, const assay_gemm_t *gemm,
                          const assay_gemm_shape_t **out_nearest) {
    const assay_gemm_shapes_t *group = shapes_for(device, gemm);
    double weight = MODEL_WEIGHT, nearest = 1.0;
    *out_nearest = NULL;
    if (!group) {
        return 0.0;
    }
    const place_t at = place_of(gemm);
    const near_t near = near_of(group, at);
    for (uint32_t b = 0; b < near.n; b++) {
        const apart_t of = apart(&near.block[b], (float)at.m, (float)at.n, (float)at.k);
        for (int i = 0; i < ASSAY_GEMM_BLOCK; i++) {
            weight += (double)of.weight[i];
            if ((double)of.u[i] < nearest) {
                nearest = (double)of.u[i];
                *out_nearest = &group->shape[near.block[b].shape[i]];
            }
        }
    }
    return 1.0 - MODEL_WEIGHT / weight;
}

double assay_gemm_ratio_without(const assay_gemm_shapes_t *group, const double *ratio,
                                uint32_t index) {
    const place_t at = {group->at[index][0], group->at[index][1], group->at[index][2]};
    const near_t near = near_of(group, at);
    double sum = MODEL_WEIGHT, weight = MODEL_WEIGHT;
    for (uint32_t b = 0; b < near.n; b++) {
        const apart_t of = apart(&near.block[b], (float)at.m, (float)at.n, (float)at.k);
        for (int i = 0; i < ASSAY_GEMM_BLOCK; i++) {
            const uint32_t shape = near.block[b].shape[i];
            weight += shape != index ? (double)of.weight[i] : 0.0;
            sum += shape != index ? (double)of.weight[i] * ratio[shape] : 0.0;
        }
    }
    return sum / weight;
}

void assay_gemm_ratios(const assay_device_t *device, const assay_gemm_shapes_t *group,
                       double *out_ratio) {
    for (uint32_t i = 0; i < group->n_shape; i++) {
        const assay_gemm_shape_t *shape = &group->shape[i];
        const assay_gemm_t gemm = {.m = shape->m,
                                   .n = shape->n,
                                   .k = shape->k,
                                   .batch = 1.0,
                                   .dtype = group->dtype,
                                   .bytes_a = shape->bytes_in,
                                   .bytes_b = shape->bytes_in,
                                   .bytes_c = shape->bytes_out};
        out_ratio[i] = shape->elapsed_s / modelled_s(device, &gemm);
    }
}
