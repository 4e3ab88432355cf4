/**
 * How one host is wired: sockets, NUMA nodes, PCIe switches, accelerators, their links, NICs; what
 * the catalog expects of such a system; and how to bind processes to it.
 */
#ifndef ASSAY_TOPOLOGY_H
#define ASSAY_TOPOLOGY_H

#include "assay/catalog.h"
#include "assay/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_TOPOLOGY_MAX_DEVICES 256u

typedef enum {
    ASSAY_LINK_UNKNOWN,
    ASSAY_LINK_XGMI,
    ASSAY_LINK_NVLINK,
    ASSAY_LINK_PCIE, /* through PCIe or the CPUs */
    ASSAY_LINK_N
} assay_link_kind_t;
const char *assay_link_kind_name(assay_link_kind_t kind);

/* Between two devices, or a device and a NIC. */
typedef struct {
    uint8_t kind;       /* assay_link_kind_t */
    const char *type;   /* as the tool prints it: XGMI, NV12, PXB, SYS; NULL: not known */
    uint32_t links;     /* that join the two directly; 0: none, or not known */
    bool direct_known;  /* links says whether there is a direct way */
    double bytes_per_s; /* as the tool says, one direction; 0: not known */
} assay_topology_link_t;

typedef struct {
    const assay_host_gpu_t *gpu; /* NULL: only the catalog says that it is there */
    const char *name;            /* "gpu 0" */
    const char *bdf, *model;     /* "" not known */
    int64_t numa;                /* -1: not known */
    const char *cpus;            /* that are near, as 0-47,96-143; "" not known */
    const char *bridge;          /* PCIe switch that it shares with others; "" none, or not known */
    uint32_t package;            /* module that it is a part of */
} assay_topology_device_t;

typedef struct {
    const char *name, *bdf, *bridge; /* "" not known */
    int64_t numa;                    /* -1: not known */
    double bits_per_s;               /* 0: not known */
    const char *state;               /* "" not known */
} assay_topology_nic_t;

typedef struct {
    int64_t node, socket; /* socket -1: not known */
    const char *cpus;     /* "" not known */
    double bytes;         /* 0: not known */
} assay_topology_numa_t;

/* One thing in which the host is not what the catalog expects. */
typedef enum {
    ASSAY_TOPOLOGY_COUNT,   /* fewer or more devices */
    ASSAY_TOPOLOGY_LINK,    /* a pair without the link that it should have */
    ASSAY_TOPOLOGY_LINKS,   /* a device with fewer links than it should have */
    ASSAY_TOPOLOGY_NICS,    /* fewer NICs */
    ASSAY_TOPOLOGY_SOCKETS, /* devices that are not spread evenly over the sockets */
    ASSAY_TOPOLOGY_N
} assay_topology_what_t;
typedef struct {
    uint8_t what;
    const char *expected, *found; /* for people */
} assay_topology_difference_t;

typedef struct {
    const char *name;                       /* of the host, or of the system */
    const assay_accelerator_t *accelerator; /* NULL: not recognised */
    const assay_system_t *system;           /* that it is compared with; NULL: none fits */
    const assay_fabric_t *fabric;           /* of system */
    bool catalog_only;                      /* nothing was found: all of it is the catalog's */
    uint32_t sockets;                       /* 0: not known */
    assay_topology_numa_t *numa;
    uint32_t n_numa;
    assay_topology_device_t *device; /* in the order of the vendor's tools */
    uint32_t n_device;
    assay_topology_nic_t *nic;
    uint32_t n_nic;
    assay_topology_link_t *link;     /* (n_device, n_device), symmetric */
    assay_topology_link_t *nic_link; /* (n_device, n_nic) */
    bool any_link;                   /* something was said about links between devices */
    assay_topology_difference_t *difference;
    uint32_t n_difference;
    const char *bind_source; /* where the CPUs of the bindings are from; NULL: the host itself */
} assay_topology_t;

/**
 * What the host's facts say. system: id of the system that it should be; NULL: the first of the
 * catalog with these devices. A host without accelerators and with a system gives the catalog's
 * picture of it. lang: of the differences.
 * dir: overlays of data/. Errors: ASSAY_NOT_FOUND for system, ASSAY_LIMIT, ASSAY_INPUT.
 */
assay_status_t assay_topology_build(assay_arena_t *arena, const assay_host_t *host,
                                    const assay_catalog_t *catalog, const char *system,
                                    assay_lang_t lang, assay_topology_t **out_topology,
                                    assay_error_t *err);

/** "0-3,8" as a hexadecimal mask without 0x; in the arena. NULL: no list, or beyond 4096 CPUs. */
const char *assay_cpu_mask(assay_arena_t *arena, const char *cpus);
/** First CPU of such a list; -1: none. */
int64_t assay_cpu_first(const char *cpus);
/** The NIC nearest to a device; -1: not known. */
int32_t assay_topology_near_nic(const assay_topology_t *topology, uint32_t device);

#ifdef __cplusplus
}
#endif
#endif
