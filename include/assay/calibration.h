/**
 * How real machines deviate from their peaks: constants as data (data/calibration.csv), per
 * architecture, dtype, fabric. Each has basis, range, number of measured rows behind it, source.
 */
#ifndef ASSAY_CALIBRATION_H
#define ASSAY_CALIBRATION_H

#include "assay/catalog.h"
#include "assay/gemm_shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* name in the table, unit, what it is */
#define ASSAY_CALIB_LIST(X)                                                                     \
    X(GEMM_EFFICIENCY, "gemm_efficiency",                                                       \
      "share of dense peak, large shapes, before tile and wave loss")                           \
    X(GEMM_K0, "gemm_k0", "K at which prologue and epilogue cost as much as the K loop")        \
    X(GEMM_SERIAL, "gemm_serial",                                                               \
      "r: share of the shorter of compute and memory time that is not hidden")                  \
    X(ATTENTION_FORWARD, "attention_forward",                                                   \
      "share of dense peak of a fused attention forward, long sequence")                        \
    X(ATTENTION_BACKWARD, "attention_backward", "same, backward")                               \
    X(ATTENTION_S_HALF, "attention_s_half", "sequence at which attention reaches half of that") \
    X(HBM_EFFICIENCY, "hbm_efficiency", "share of peak HBM bandwidth of large streams")         \
    X(HBM_HALF_BYTES, "hbm_half_bytes", "bytes at which a stream reaches half of that")         \
    X(LAUNCH_S, "launch_s", "fixed cost of one kernel on the device, back to back")             \
    X(FABRIC_EFFICIENCY, "fabric_efficiency",                                                   \
      "bus bandwidth over min-cut of the in-node links, large messages")                        \
    X(FABRIC_SWITCH_GAIN, "fabric_switch_gain",                                                 \
      "rate of a reduction in the switch over what its protocol row says")                      \
    X(FABRIC_OWN_SHARE, "fabric_own_share",                                                     \
      "cost of a device's own part of the buffer over that of a part that travels")             \
    X(FABRIC_RAMP, "fabric_ramp",                                                               \
      "weight of sqrt(latency x transfer): slow growth of the rate with size")                  \
    X(FABRIC_START, "fabric_start", "base latency over that of the protocol's row")             \
    X(FABRIC_HOP, "fabric_hop", "latency of one step inside a node over that of the row")       \
    X(NETWORK_EFFICIENCY, "network_efficiency", "bus bandwidth over NIC rate, large messages")  \
    X(NETWORK_HOP, "network_hop", "latency of one step between nodes over that of the row")     \
    X(OVERLAP_DP, "overlap_dp", "share of the possible window in which gradient traffic hides") \
    X(OVERLAP_TP, "overlap_tp", "share of tensor-parallel traffic that hides behind GEMMs")     \
    X(OVERLAP_COST, "overlap_cost", "computing time lost per time of traffic behind it")        \
    X(RUN_GEMM, "run_gemm",                                                                     \
      "time of GEMMs in a long run (power limit, shared memory) over that alone - 1")           \
    X(RUN_ATTENTION, "run_attention", "same, of attention")                                     \
    X(RUN_STREAM, "run_stream",                                                                 \
      "same, of memory-bound operations: what the software does not fuse counts here")          \
    X(RUN_HOST_S, "run_host_s", "least time in which the host issues a layer of a micro-batch") \
    X(STEP_LOSS, "step_loss", "straggler and framework loss: measured over modelled step - 1")  \
    X(MEMORY_CONTEXT_BYTES, "memory_context_bytes", "device context and libraries, per device") \
    X(MEMORY_FRAGMENTATION, "memory_fragmentation", "reserved over allocated - 1")              \
    X(POWER_COMPUTE, "power_compute", "share of (cap - idle) at full GEMM rate")                \
    X(POWER_MEMORY, "power_memory", "share of (cap - idle) at full HBM rate")                   \
    X(IDLE_SHARE, "idle_share", "idle power over cap where the catalog has none")               \
    X(STEP_SIGMA, "step_sigma", "sigma of ln(measured/predicted) step time")                    \
    X(STEP_SIGMA_OPEN, "step_sigma_open",                                                       \
      "the same besides, of a run of which the layout is not known")                            \
    X(POWER_EXPONENT, "power_exponent",                                                         \
      "dynamic power goes with this power of the clock, while voltage falls with it")           \
    X(POWER_KNEE, "power_knee", "clock over the usual one below which voltage falls no more")   \
    X(HOST_LINK, "host_link", "share of the rate to the host that copies of pinned memory get") \
    X(HOST_UPDATE, "host_update",                                                               \
      "share of the host's memory rate at which its processors update parameters")              \
    X(SERVE_GEMM, "serve_gemm", "share of dense peak of a serving engine's linear operations")  \
    X(SERVE_EXPERT, "serve_expert", "share of serve_gemm that grouped GEMMs of experts reach")  \
    X(SERVE_WEIGHT_STREAM, "serve_weight_stream",                                               \
      "rate at which weights stream while serving, over hbm_efficiency")                        \
    X(SERVE_KV_STREAM, "serve_kv_stream",                                                       \
      "rate at which decode attention reads keys and values, over hbm_efficiency")              \
    X(SERVE_HEAD_STREAM, "serve_head_stream",                                                   \
      "share of peak HBM rate of a decode kernel that reads KV once per query head")            \
    X(SERVE_LAYER_S, "serve_layer_s", "launches and host of a serving step, per layer")         \
    X(SERVE_MOE_LAYER_S, "serve_moe_layer_s",                                                   \
      "more of it in a layer with experts: routing and, where the engine does, waiting for it") \
    X(SERVE_SEQUENCE_S, "serve_sequence_s", "host of a serving step, per sequence")             \
    X(SERVE_REDUCE_S, "serve_reduce_s", "latency of one small all-reduce while serving")        \
    X(SERVE_SIGMA, "serve_sigma", "sigma of ln(measured/predicted) serving time")               \
    X(IMAGE_GEMM, "image_gemm",                                                                 \
      "rate of convolutions, linear layers and attention on images, over the calibrated one")   \
    X(IMAGE_STREAM, "image_stream",                                                             \
      "rate of what passes through memory between them, over hbm_efficiency")                   \
    X(IMAGE_OP_S, "image_op_s", "host time of one operation of a network on images")            \
    X(IMAGE_SIGMA, "image_sigma", "sigma of ln(measured/predicted) time of images")

typedef enum {
#define ASSAY_CALIB_ENUM(code, name, what) ASSAY_CALIB_##code,
    ASSAY_CALIB_LIST(ASSAY_CALIB_ENUM)
#undef ASSAY_CALIB_ENUM
        ASSAY_CALIB_N
} assay_calib_id_t;

const char *assay_calib_name(assay_calib_id_t id);
/** "s", "1", "B" ... as the table writes it. */
const char *assay_calib_unit(assay_calib_id_t id);

/* What a library of collectives lets data travel by, and how it marks that data has arrived;
   names as NCCL_DEBUG=INFO prints them. DIRECT: sends and receives to every peer at once. */
#define ASSAY_ALGORITHM_LIST(X) \
    X(RING, "ring")             \
    X(TREE, "tree") X(NVLS, "nvls") X(NVLS_TREE, "nvls-tree") X(PAT, "pat") X(DIRECT, "direct")
#define ASSAY_PROTOCOL_LIST(X) X(SIMPLE, "Simple") X(LL128, "LL128") X(LL, "LL")

typedef enum {
#define ASSAY_ALGORITHM_ENUM(code, name) ASSAY_ALGORITHM_##code,
    ASSAY_ALGORITHM_LIST(ASSAY_ALGORITHM_ENUM)
#undef ASSAY_ALGORITHM_ENUM
        ASSAY_ALGORITHM_N
} assay_algorithm_t;
typedef enum {
#define ASSAY_PROTOCOL_ENUM(code, name) ASSAY_PROTOCOL_##code,
    ASSAY_PROTOCOL_LIST(ASSAY_PROTOCOL_ENUM)
#undef ASSAY_PROTOCOL_ENUM
        ASSAY_PROTOCOL_N
} assay_protocol_t;
const char *assay_algorithm_name(assay_algorithm_t algorithm);
const char *assay_protocol_name(assay_protocol_t protocol);

/** One row of data/collective_protocols.csv that fits a machine. */
typedef struct {
    uint8_t algorithm, protocol;
    bool one_node, many_nodes;   /* which groups it serves */
    double base_s;               /* once */
    double hop_s, network_hop_s; /* each step inside a node, between nodes */
    double rate, network_rate;   /* of a plain copy's */
} assay_way_t;
#define ASSAY_WAYS_MAX 16u

typedef struct assay_calibration assay_calibration_t;

assay_status_t assay_calibration_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                      assay_calibration_t **out, assay_error_t *err);
/**
 * The constant for the most specific row that matches: scope is an accelerator id, an architecture
 * ("CDNA2"), a fabric kind ("full-mesh"), a network kind ("ib"), a vendor ("AMD"), then "*".
 * scope_list: most specific first, NULL-ended. dtype ASSAY_DT_N = any. The basis falls by one step
 * when a row of a wider scope is used. Never unknown: "*" has every constant (checked at load).
 */
assay_fact_t assay_calibration_get(const assay_calibration_t *calibration, assay_calib_id_t id,
                                   const char *const *scope_list, assay_dtype_t dtype);
/** What was measured of matrix products on a part in a dtype. NULL: nothing that helps. */
const assay_gemm_shapes_t *assay_calibration_gemm_shapes(const assay_calibration_t *calibration,
                                                         const char *accelerator,
                                                         assay_dtype_t dtype);

/**
 * The ways of a collective on parts of that vendor and architecture, joined by that kind of fabric
 * ("switch", ...): the first row of each algorithm and protocol that fits. Returns how many, at
 * least one of ring and direct (checked at load).
 */
uint32_t assay_calibration_ways(const assay_calibration_t *calibration, const char *vendor,
                                const char *arch, const char *fabric_kind,
                                assay_way_t out_way[ASSAY_WAYS_MAX]);
/** What the library of those ways is called: "nccl", "rccl", "other". */
const char *assay_calibration_library(const assay_calibration_t *calibration, const char *vendor);

#ifdef __cplusplus
}
#endif
#endif
