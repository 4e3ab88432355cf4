/**
 * Resolved machines: numbers only, validated, const. Physics reads these and nothing else.
 */
#ifndef ASSAY_MACHINE_H
#define ASSAY_MACHINE_H

#include "assay/calibration.h"
#include "assay/catalog.h"
#include "assay/gemm_shapes.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One device as software sees it (a GCD of an MI250X, a whole MI300X). */
typedef struct {
    double peak_flops[ASSAY_DT_N]; /* dense; 0 = the part lacks this type (resolve refuses it) */
    double vector_flops;           /* fp32 */
    double hbm_bytes, hbm_bytes_per_s, llc_bytes;
    uint32_t compute_units;
    double calib[ASSAY_CALIB_N][ASSAY_DT_N]; /* by constant and dtype */
    uint8_t serve_basis[ASSAY_DT_N]; /* of the serve_* constants, where an engine is resolved */
    uint8_t image_basis[ASSAY_DT_N]; /* the same of the image_* constants */
    const assay_gemm_shapes_t *gemm_shapes[ASSAY_DT_N]; /* that were measured; NULL: none */
    const double *gemm_ratio[ASSAY_DT_N]; /* (shapes) measured over modelled time of each */
    uint8_t basis; /* worst of those that set the step time (at the job's dtype) */
} assay_device_t;

#define ASSAY_PAIR_DEVICES 16 /* nodes with a pair matrix have at most this many devices */

/**
 * Links. All rates one direction, bytes/s.
 * in-node bandwidth of a group of n devices at stride s: min-cut of its link graph (the most that
 * edge-disjoint rings can carry, by Edmonds' theorem); uniform fabrics in closed form.
 */
typedef struct {
    uint8_t kind;    /* assay_fabric_kind_t */
    uint32_t domain; /* devices joined by the in-node fabric (8, 16, 72) */
    double device_bytes_per_s, pair_bytes_per_s, package_bytes_per_s;
    bool has_cut; /* cut[][] is filled (pair matrix) */
    double cut_bytes_per_s[ASSAY_PAIR_DEVICES + 1][ASSAY_PAIR_DEVICES + 1]; /* [n][stride] */
    /* [distance]: worst neighbour pair at that stride */
    double p2p_bytes_per_s[ASSAY_PAIR_DEVICES];
    double nic_bytes_per_s; /* all NICs of one node */
    uint32_t nics;
} assay_links_t;

typedef enum {
    ASSAY_FABRIC_NONE, /* single device */
    ASSAY_FABRIC_SWITCH,
    ASSAY_FABRIC_FULL_MESH,
    ASSAY_FABRIC_PARTIAL_MESH,
    ASSAY_FABRIC_PCIE,
    ASSAY_FABRIC_N
} assay_fabric_kind_t;

/** How a rented node is paid for. */
typedef enum {
    ASSAY_PRICING_ON_DEMAND,
    ASSAY_PRICING_RESERVED_1Y,
    ASSAY_PRICING_RESERVED_3Y,
    ASSAY_PRICING_SPOT,
    ASSAY_PRICING_N
} assay_pricing_t;

/** How a node can be had: rented under each kind of pricing, or bought. */
enum { ASSAY_SUPPLY_OWNED = ASSAY_PRICING_N, ASSAY_SUPPLY_N };
typedef struct {
    assay_fact_t usd[ASSAY_SUPPLY_N]; /* a node-hour; bought: a node */
} assay_supply_t;

typedef struct {
    const char *id; /* candidate id */
    const assay_system_t *system;
    const assay_accelerator_t *accelerator;
    uint32_t nodes, packages_per_node, devices_per_package, devices_per_node, devices;
    assay_device_t device;
    assay_links_t links;
    uint32_t n_way; /* of collectives: algorithm and protocol */
    assay_way_t way[ASSAY_WAYS_MAX];
    assay_fact_t package_cap_w, package_idle_w; /* per package */
    assay_fact_t host_w;                        /* per node without packages */
    /* A lower cap of a package, that the job sets; 0 = none. Training alone. */
    double package_limit_w;
    assay_fact_t clock_exponent; /* of power over clock; known where there is a lower cap */
    /* Training that keeps its state in the host, else unknown. As copies of pinned memory reach it,
       one direction of one device; as updates reach it, all memory of a node. */
    assay_fact_t host_link_bytes_per_s, host_update_bytes_per_s;
    assay_fact_t host_bytes; /* of one node; unknown: taken to be enough */
    assay_fact_t node_nameplate_w;
    assay_fact_t capex_usd; /* per node; unknown when rented */
    assay_fact_t usd_per_h; /* per node; unknown when owned */
    uint8_t pricing;        /* assay_pricing_t, of usd_per_h */
    double committed;       /* share of the hours that is paid for in any case, 0..1 */
    assay_fact_t measured_step_s, measured_node_w;       /* replace the prediction */
    assay_fact_t measured_tokens_per_s, measured_tpot_s; /* the same of a replica that serves */
    assay_fact_t measured_request_s;                     /* and of a request for images */
    double nodes_per_rack;                               /* 0 = unknown */
    assay_fact_t retrofit_usd_per_rack;
    bool needs_migration;
} assay_machine_t;

#ifdef __cplusplus
}
#endif
#endif
