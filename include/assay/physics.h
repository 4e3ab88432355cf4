/**
 * Pure functions on resolved structs: seconds, bytes, watts. No allocation, no errors, no globals.
 * Equations: gemm after NVIDIA's Matrix Multiplication Background guide (tile and wave
 * quantisation); collectives after Thakur et al. and NCCL's cost model; attention after
 * FlashAttention-2.
 */
#ifndef ASSAY_PHYSICS_H
#define ASSAY_PHYSICS_H

#include "assay/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* C = A B: A (M,K), B (K,N), `batch` of them; bytes_* of one element of A, B, C */
typedef struct {
    double m, n, k, batch;
    assay_dtype_t dtype;
    double bytes_a, bytes_b, bytes_c;
} assay_gemm_t;
/**
 * Seconds of one GEMM, launch included. 0 when m, n or k is 0. Where the device has measured shapes
 * within reach, the model's time is corrected by what those took; at such a shape it is what was
 * measured, far from all of them the model's.
 */
double assay_gemm_s(const assay_device_t *device, const assay_gemm_t *gemm);
/** Share of that time that rests on measured shapes, 0..1, and the nearest of them, or NULL. */
double assay_gemm_support(const assay_device_t *device, const assay_gemm_t *gemm,
                          const assay_gemm_shape_t **out_nearest);
/** What the other shapes say of the ratio at that one: how good they are at it. */
double assay_gemm_ratio_without(const assay_gemm_shapes_t *shapes, const double *ratio,
                                uint32_t index);
/** Measured over modelled time of each shape, as assay_device_t has it. out_ratio: (shapes). */
void assay_gemm_ratios(const assay_device_t *device, const assay_gemm_shapes_t *shapes,
                       double *out_ratio);

/* batch B sequences of S tokens, A heads and KV kv-heads on this device, head dim D */
typedef struct {
    double batch, sequence, heads, kv_heads, head_dim, v_head_dim;
    double window; /* 0 = full */
    bool causal, fused;
    assay_dtype_t dtype;
} assay_attention_t;
double assay_attention_forward_s(const assay_device_t *device, const assay_attention_t *attention);
double assay_attention_backward_s(const assay_device_t *device, const assay_attention_t *attention);
/** FLOPs of the forward pass (2 GEMMs), causal half included when causal. */
double assay_attention_forward_flops(const assay_attention_t *attention);

/** One memory-bound kernel that moves bytes. 0 when bytes is 0. */
double assay_stream_s(const assay_device_t *device, double bytes);

typedef enum {
    ASSAY_COLL_ALL_REDUCE,
    ASSAY_COLL_REDUCE_SCATTER,
    ASSAY_COLL_ALL_GATHER,
    ASSAY_COLL_ALL_TO_ALL,
    ASSAY_COLL_N
} assay_collective_t;
/**
 * ranks devices, `stride` apart in device order (TP: stride 1; DP: stride TP or TP x PP ...).
 * Concurrent groups of the same kind share links and NICs; the function accounts for that: all
 * devices of the job are assumed to be in some such group at the same time.
 * bytes: full buffer S (all-gather: the gathered result). Hierarchical across nodes. 0 for ranks 1.
 */
double assay_collective_s(const assay_machine_t *machine, assay_collective_t kind, double bytes,
                          uint32_t ranks, uint32_t stride);
/** The same, and by which algorithm and protocol of the machine: NULL where nothing is sent. */
typedef struct {
    double elapsed_s;
    const assay_way_t *way;
} assay_collective_choice_t;
assay_collective_choice_t assay_collective_choose(const assay_machine_t *machine,
                                                  assay_collective_t kind, double bytes,
                                                  uint32_t ranks, uint32_t stride);
/** Point to point between devices `stride` apart (pipeline neighbours). */
double assay_p2p_s(const assay_machine_t *machine, double bytes, uint32_t stride);
/** Bus bandwidth of that collective, bytes/s (nccl-tests' definition), for comparison with logs. */
double assay_collective_bus_bytes_per_s(const assay_machine_t *machine, assay_collective_t kind,
                                        double bytes, uint32_t ranks, uint32_t stride);

/** Mean watts of one package at utilisations of its matrix units and memory, 0..1; capped. */
double assay_package_w(const assay_machine_t *machine, double matrix_utilisation,
                       double memory_utilisation, assay_dtype_t dtype);
/**
 * The same where the matrix units run at `clock`, 0..1, of the clock that they have under the usual
 * cap; at 1 equal to it. Their share falls with clock^exponent as long as voltage falls too, below
 * the knee in proportion to the clock; memory keeps its own.
 */
double assay_package_at_clock_w(const assay_machine_t *machine, double matrix_utilisation,
                                double memory_utilisation, assay_dtype_t dtype, double clock);
/** Power of matrix units at a clock over that at 1, and the clock for a power; both 0..1. */
double assay_clock_power(const assay_device_t *device, double clock, double exponent);
double assay_power_clock(const assay_device_t *device, double power, double exponent);

#ifdef __cplusplus
}
#endif
#endif
