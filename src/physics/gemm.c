/* Matrix multiplication: tile and wave quantisation (NVIDIA, Matrix Multiplication Background
   guide, DU-09799, sections 3.1 and 3.2) and a memory roofline, joined by calibrated constants. */
#include "assay/physics.h"

#include <math.h>

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
static const struct {
    unsigned log2_m, log2_n;
    double cost;
} tile[] = {
    {8, 7, COST(256, 128)}, {7, 8, COST(128, 256)}, {7, 7, COST(128, 128)}, {6, 7, COST(64, 128)},
    {7, 6, COST(128, 64)},  {6, 6, COST(64, 64)},   {4, 7, COST(16, 128)},  {7, 4, COST(128, 16)},
};

/* K is split over several units when there are fewer tiles than units; at most this often. */
#define SPLIT_MAX 4.0
/* A partial sum is written and read once as fp32, in the last-level cache, at about twice the rate
   of HBM: it costs as much as this many bytes of HBM traffic. */
#define SPLIT_BYTES 4.0

/* Sizes are below 2^53; far cheaper than the library's ceil(). */
static inline uint64_t whole(double x) {
    const uint64_t floor = (uint64_t)(int64_t)x;
    return floor + ((double)(int64_t)floor < x);
}

static inline uint64_t blocks(uint64_t size, unsigned log2_block) {
    return (size + ((uint64_t)1 << log2_block) - 1) >> log2_block;
}

/* Unit-operations/2 of the best tiling; partial is what one partial sum over C costs. */
static double best_tiling(double m, double n, double k, double batch, double units, double k0,
                          double partial) {
    const double per_unit = 1.0 / units;
    const uint64_t rows = whole(m), columns = whole(n);
    double best = INFINITY;
    for (size_t i = 0; i < sizeof tile / sizeof *tile; i++) {
        const double tiles =
            (double)(int64_t)(blocks(rows, tile[i].log2_m) * blocks(columns, tile[i].log2_n)) *
            batch;
        const double waves = (double)(int64_t)whole(tiles * per_unit);
        const double cost = waves * tile[i].cost * (k + k0);
        best = cost < best ? cost : best;
        for (double split = 2.0; split <= SPLIT_MAX && tiles * split <= units; split *= 2.0) {
            const double split_cost = tile[i].cost * (k / split + k0) + split * partial;
            best = split_cost < best ? split_cost : best;
        }
    }
    return best;
}

double assay_gemm_s(const assay_device_t *device, const assay_gemm_t *gemm) {
    const double m = gemm->m, n = gemm->n, k = gemm->k, batch = gemm->batch;
    if (!(m > 0.0 && n > 0.0 && k > 0.0 && batch > 0.0)) {
        return 0.0;
    }
    const assay_dtype_t dtype = gemm->dtype;
    const double units = device->compute_units > 0 ? device->compute_units : 1.0;
    const double unit_flops =
        device->peak_flops[dtype] * constant_of(device, ASSAY_CALIB_GEMM_EFFICIENCY, dtype) / units;
    const double hbm_byte_s =
        1.0 / (device->hbm_bytes_per_s * constant(device, ASSAY_CALIB_HBM_EFFICIENCY));
    const double partial = SPLIT_BYTES * m * n * batch * hbm_byte_s * unit_flops / 2.0;
    const double compute_s = 2.0 / unit_flops *
                             best_tiling(m, n, k, batch, units,
                                         constant_of(device, ASSAY_CALIB_GEMM_K0, dtype), partial);
    const double memory_s = hbm_s(
        device, batch * (gemm->bytes_a * m * k + gemm->bytes_b * k * n + gemm->bytes_c * m * n));
    const double longer = compute_s > memory_s ? compute_s : memory_s;
    const double shorter = compute_s > memory_s ? memory_s : compute_s;
    return longer + constant_of(device, ASSAY_CALIB_GEMM_SERIAL, dtype) * shorter +
           constant(device, ASSAY_CALIB_LAUNCH_S);
}
