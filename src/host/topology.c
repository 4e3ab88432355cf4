/* The host's facts put together as a tree and a matrix of links. */
#include "host/topology_build.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_parse.h"

#include "base/banned.h"

const char *assay_link_kind_name(assay_link_kind_t kind) {
    static const char *const name[ASSAY_LINK_N] = {[ASSAY_LINK_UNKNOWN] = "unknown",
                                                   [ASSAY_LINK_XGMI] = "xgmi",
                                                   [ASSAY_LINK_NVLINK] = "nvlink",
                                                   [ASSAY_LINK_PCIE] = "pcie"};
    return name[kind];
}

static const char *or_empty(const char *text) {
    return text ? text : "";
}

static int64_t whole_or(const assay_host_number_t *fact, int64_t otherwise) {
    return assay_host_known(fact->state) && fact->v >= -1 && fact->v < 1e6 ? (int64_t)fact->v
                                                                           : otherwise;
}

/* --- devices --------------------------------------------------------------------------------- */

/* By the vendor's number where all have one, else by address. */
static int compare_gpus(const void *a, const void *b) {
    const assay_host_gpu_t *x = *(const assay_host_gpu_t *const *)a,
                           *y = *(const assay_host_gpu_t *const *)b;
    const int64_t i = whole_or(&x->index, -1), k = whole_or(&y->index, -1);
    if (x->vendor != y->vendor) {
        return x->vendor < y->vendor ? -1 : 1;
    }
    if (i != k && i >= 0 && k >= 0) {
        return i < k ? -1 : 1;
    }
    return strcmp(or_empty(x->bdf.s), or_empty(y->bdf.s));
}

/* AMD's and NVIDIA's. Where some have an address, one without is told twice: by a tool that
   prints none. */
static bool is_device(const assay_host_gpu_t *gpu, bool addressed) {
    return (gpu->vendor == ASSAY_VENDOR_AMD || gpu->vendor == ASSAY_VENDOR_NVIDIA) &&
           (gpu->bdf.s || !addressed);
}

static const assay_host_pci_t *pci_of(const assay_host_t *host, const char *bdf) {
    for (uint32_t i = 0; bdf && *bdf && i < host->n_pci; i++) {
        if (host->pci[i].bdf && strcmp(host->pci[i].bdf, bdf) == 0) {
            return &host->pci[i];
        }
    }
    return NULL;
}

static assay_status_t add_devices(topology_build_t *build) {
    const assay_host_t *host = build->host;
    assay_topology_t *t = build->topology;
    const assay_host_gpu_t **gpu = assay_arena_array(build->arena, host->n_gpu, sizeof *gpu);
    uint32_t n = 0;
    bool addressed = false;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        addressed |= host->gpu[i].bdf.s != NULL;
    }
    for (uint32_t i = 0; gpu && i < host->n_gpu; i++) {
        if (is_device(&host->gpu[i], addressed)) {
            gpu[n++] = &host->gpu[i];
        }
    }
    t->device = gpu ? assay_arena_array(build->arena, n, sizeof *t->device) : NULL;
    if (!t->device) {
        return assay_error_memory(build->err, NULL);
    }
    if (n > ASSAY_TOPOLOGY_MAX_DEVICES) {
        return assay_error_set(build->err, ASSAY_LIMIT, NULL, "more than %u accelerators",
                               ASSAY_TOPOLOGY_MAX_DEVICES);
    }
    if (n > 0) {
        qsort(gpu, n, sizeof *gpu, compare_gpus);
    }
    for (uint32_t i = 0; i < n; i++) {
        const assay_host_pci_t *pci = pci_of(host, gpu[i]->bdf.s);
        int64_t numa = whole_or(&gpu[i]->numa_node, -1);
        numa = numa < 0 && pci ? whole_or(&pci->numa_node, -1) : numa;
        t->device[i] = (assay_topology_device_t){
            .gpu = gpu[i],
            .name = assay_arena_printf(build->arena, "gpu %" PRId64, whole_or(&gpu[i]->index, i)),
            .bdf = or_empty(gpu[i]->bdf.s),
            .model = or_empty(gpu[i]->name.s),
            .numa = numa,
            .cpus = or_empty(gpu[i]->local_cpus.s),
            .bridge = "",
            .package = i};
        if (!t->device[i].name) {
            return assay_error_memory(build->err, NULL);
        }
    }
    t->n_device = n;
    return ASSAY_OK;
}

/* --- NICs ------------------------------------------------------------------------------------ */

static assay_topology_nic_t *nic_named(assay_topology_t *t, const char *name) {
    for (uint32_t i = 0; i < t->n_nic; i++) {
        if (strcmp(t->nic[i].name, name) == 0) {
            return &t->nic[i];
        }
    }
    return NULL;
}

static bool names_nic(const char *name) {
    return strncmp(name, "NIC", 3) == 0 || strncmp(name, "mlx", 3) == 0;
}

/* RDMA devices, and those that only a matrix names. */
static assay_status_t add_nics(topology_build_t *build) {
    const assay_host_t *host = build->host;
    assay_topology_t *t = build->topology;
    t->nic = assay_arena_array(build->arena, (size_t)host->n_port + 2 * (size_t)host->n_link + 1,
                               sizeof *t->nic);
    if (!t->nic) {
        return assay_error_memory(build->err, NULL);
    }
    for (uint32_t i = 0; i < host->n_port && t->n_nic < ASSAY_TOPOLOGY_MAX_DEVICES; i++) {
        const assay_host_port_t *port = &host->port[i];
        if (!port->name || nic_named(t, port->name)) {
            continue;
        }
        t->nic[t->n_nic++] = (assay_topology_nic_t){
            .name = port->name,
            .bdf = "",
            .bridge = "",
            .numa = whole_or(&port->numa_node, -1),
            .bits_per_s = assay_host_known(port->bits_per_s.state) ? port->bits_per_s.v : 0,
            .state = or_empty(port->state)};
    }
    const bool only_matrix = t->n_nic == 0;
    for (uint32_t i = 0; only_matrix && i < host->n_link; i++) {
        const char *const end[] = {host->link[i].a, host->link[i].b};
        for (int k = 0; k < 2; k++) {
            if (names_nic(end[k]) && !nic_named(t, end[k]) &&
                t->n_nic < ASSAY_TOPOLOGY_MAX_DEVICES) {
                t->nic[t->n_nic++] = (assay_topology_nic_t){
                    .name = end[k], .bdf = "", .bridge = "", .numa = -1, .state = ""};
            }
        }
    }
    return ASSAY_OK;
}

/* --- PCIe switches --------------------------------------------------------------------------- */

/* The bridge with the fewest buses that holds the bus of bdf and at least one other endpoint. */
static const char *shared_bridge(const topology_build_t *build, const char *bdf) {
    const assay_topology_t *t = build->topology;
    uint32_t part[4], other[4];
    size_t n;
    const assay_host_pci_t *best = NULL;
    if (!host_bdf_parts(host_span(bdf), part, &n)) {
        return "";
    }
    for (uint32_t i = 0; i < build->host->n_pci; i++) {
        const assay_host_pci_t *bridge = &build->host->pci[i];
        uint32_t at[4], inside = 0;
        if (!bridge->bridge || bridge->bus_last == 0 || !bridge->bdf ||
            !host_bdf_parts(host_span(bridge->bdf), at, &n) || at[0] != part[0] ||
            part[1] < bridge->bus_first || part[1] > bridge->bus_last) {
            continue;
        }
        for (uint32_t k = 0; k < t->n_device; k++) {
            inside += host_bdf_parts(host_span(t->device[k].bdf), other, &n) &&
                      other[0] == part[0] && other[1] >= bridge->bus_first &&
                      other[1] <= bridge->bus_last;
        }
        if (inside > 1 &&
            (!best || bridge->bus_last - bridge->bus_first < best->bus_last - best->bus_first)) {
            best = bridge;
        }
    }
    return best ? best->bdf : "";
}

/* --- links ----------------------------------------------------------------------------------- */

/* A name of a matrix: an address, "0", "GPU0". -1: none of the devices. */
static int32_t device_named(const assay_topology_t *t, const char *name) {
    const char *digits = strncmp(name, "GPU", 3) == 0 ? name + 3 : name;
    uint64_t index;
    const bool number = assay_text_to_u64(digits, strlen(digits), &index);
    for (uint32_t i = 0; i < t->n_device; i++) {
        if ((number && whole_or(&t->device[i].gpu->index, i) == (int64_t)index) ||
            (*t->device[i].bdf && strcmp(t->device[i].bdf, name) == 0)) {
            return (int32_t)i;
        }
    }
    return -1;
}

/* The kernel takes 50 GB/s for a link of XGMI, 16 lanes at 25 GT/s, whatever the part
   (amdgpu_amdkfd_get_xgmi_bandwidth_mbytes); and a hop of XGMI weighs 15. */
#define XGMI_LINK_BYTES_PER_S 50e9
#define XGMI_HOP_WEIGHT 15

static assay_topology_link_t read_link(const assay_host_link_t *link) {
    assay_topology_link_t out = {.type = link->type};
    const char *type = or_empty(link->type);
    uint64_t n;
    if (strncmp(type, "NV", 2) == 0 && assay_text_to_u64(type + 2, strlen(type + 2), &n) &&
        n < 1024) {
        out.kind = ASSAY_LINK_NVLINK;
        out.links = (uint32_t)n;
        out.direct_known = true;
    } else if (strcmp(type, "XGMI") == 0) {
        out.kind = ASSAY_LINK_XGMI;
    } else if (*type) {
        out.kind = ASSAY_LINK_PCIE;
        out.direct_known = true;
    }
    if (assay_host_known(link->bytes_per_s.state) && out.kind != ASSAY_LINK_NVLINK) {
        out.bytes_per_s = link->bytes_per_s.v;
        if (out.kind != ASSAY_LINK_PCIE) { /* 0: no way of its own */
            out.links = (uint32_t)(link->bytes_per_s.v / XGMI_LINK_BYTES_PER_S + 0.5);
            out.kind = out.links > 0 ? ASSAY_LINK_XGMI : out.kind;
            out.direct_known = true;
        }
    } else if (out.kind == ASSAY_LINK_XGMI && assay_host_known(link->weight.state)) {
        /* More than one hop is no direct way; one hop is one, over an unknown number of links. */
        out.direct_known = link->weight.v > XGMI_HOP_WEIGHT;
    }
    return out;
}

static assay_status_t add_links(topology_build_t *build) {
    assay_topology_t *t = build->topology;
    const size_t n = t->n_device;
    t->link = assay_arena_array(build->arena, n * n, sizeof *t->link);
    t->nic_link = assay_arena_array(build->arena, n * t->n_nic, sizeof *t->nic_link);
    if (!t->link || !t->nic_link) {
        return assay_error_memory(build->err, NULL);
    }
    for (uint32_t i = 0; i < build->host->n_link; i++) {
        const assay_host_link_t *link = &build->host->link[i];
        const int32_t a = device_named(t, link->a), b = device_named(t, link->b);
        const assay_topology_link_t read = read_link(link);
        if (a >= 0 && b >= 0 && a != b) {
            *topology_link(t, (uint32_t)a, (uint32_t)b) = read;
            *topology_link(t, (uint32_t)b, (uint32_t)a) = read;
            t->any_link = true;
        } else if (a >= 0 || b >= 0) {
            const assay_topology_nic_t *nic = nic_named(t, a >= 0 ? link->b : link->a);
            const uint32_t device = (uint32_t)(a >= 0 ? a : b);
            if (nic) {
                t->nic_link[(size_t)device * t->n_nic + (uint32_t)(nic - t->nic)] = read;
            }
        }
    }
    return ASSAY_OK;
}

/* Nearness as the tools print it, nearest first. */
static int distance_of(const char *type) {
    static const char *const word[] = {"PIX", "PXB", "PHB", "NODE", "SYS"};
    for (int i = 0; type && i < (int)(sizeof word / sizeof word[0]); i++) {
        if (strcmp(type, word[i]) == 0) {
            return i;
        }
    }
    return -1;
}

int32_t assay_topology_near_nic(const assay_topology_t *t, uint32_t device) {
    const assay_topology_device_t *d = &t->device[device];
    int32_t best = -1;
    int least = 4; /* another socket is not near */
    for (uint32_t i = 0; i < t->n_nic; i++) {
        const assay_topology_nic_t *nic = &t->nic[i];
        const assay_topology_link_t *link =
            t->nic_link ? &t->nic_link[(size_t)device * t->n_nic + i] : NULL;
        int distance = link ? distance_of(link->type) : -1;
        if (distance < 0 && *nic->bridge && strcmp(nic->bridge, d->bridge) == 0) {
            distance = 1;
        }
        if (distance < 0 && nic->numa >= 0 && nic->numa == d->numa) {
            distance = 3;
        }
        if (distance >= 0 && distance < least) {
            least = distance;
            best = (int32_t)i;
        }
    }
    return best;
}

/* --- NUMA nodes ------------------------------------------------------------------------------ */

#define NUMA_MAX 1024u

static int compare_numa(const void *a, const void *b) {
    const assay_topology_numa_t *x = a, *y = b;
    return x->node < y->node ? -1 : x->node > y->node;
}

static assay_topology_numa_t *numa_of(const assay_topology_t *t, int64_t node) {
    for (uint32_t i = 0; i < t->n_numa; i++) {
        if (t->numa[i].node == node) {
            return &t->numa[i];
        }
    }
    return NULL;
}

static void see_numa(assay_topology_t *t, int64_t node) {
    if (node >= 0 && !numa_of(t, node)) {
        t->numa[t->n_numa++] = (assay_topology_numa_t){.node = node, .socket = -1, .cpus = ""};
    }
}

static assay_status_t add_numa(topology_build_t *build) {
    const assay_host_t *host = build->host;
    assay_topology_t *t = build->topology;
    t->sockets = (uint32_t)whole_or(&host->sockets, 0);
    t->numa = assay_arena_array(build->arena, (size_t)host->n_numa + t->n_device + t->n_nic + 1,
                                sizeof *t->numa);
    if (!t->numa) {
        return assay_error_memory(build->err, NULL);
    }
    for (uint32_t i = 0; i < host->n_numa && i < NUMA_MAX; i++) {
        see_numa(t, host->numa[i].node);
        assay_topology_numa_t *numa = numa_of(t, host->numa[i].node);
        if (numa) {
            numa->cpus = or_empty(host->numa[i].cpus);
            numa->bytes = assay_host_known(host->numa[i].bytes.state) ? host->numa[i].bytes.v : 0;
        }
    }
    for (uint32_t i = 0; i < t->n_device; i++) {
        see_numa(t, t->device[i].numa);
    }
    for (uint32_t i = 0; i < t->n_nic; i++) {
        see_numa(t, t->nic[i].numa);
    }
    qsort(t->numa, t->n_numa, sizeof *t->numa, compare_numa);
    /* Nodes with processors are numbered socket by socket. */
    const int64_t nodes = whole_or(&host->numa_nodes, (int64_t)host->n_numa);
    for (uint32_t i = 0; i < t->n_numa; i++) {
        if (t->sockets > 0 && nodes > 0 && nodes % t->sockets == 0 && t->numa[i].node < nodes) {
            t->numa[i].socket = t->numa[i].node * t->sockets / nodes;
        }
    }
    for (uint32_t i = 0; i < t->n_device; i++) {
        const assay_topology_numa_t *numa = numa_of(t, t->device[i].numa);
        if (!*t->device[i].cpus && numa) {
            t->device[i].cpus = numa->cpus;
        }
    }
    return ASSAY_OK;
}

/* --- lists of CPUs --------------------------------------------------------------------------- */

#define CPUS_MAX 4096u

/* Sets the CPUs of "0-3,8" in words of 4 bits, lowest first; false: it is no such list. */
static bool set_cpus(const char *cpus, uint8_t nibble[CPUS_MAX / 4], uint32_t *out_first) {
    bool any = false;
    *out_first = CPUS_MAX;
    while (*cpus) {
        char *end;
        if (!isdigit((unsigned char)*cpus)) {
            return false;
        }
        const unsigned long first = strtoul(cpus, &end, 10);
        unsigned long last = first;
        if (*end == '-') {
            if (!isdigit((unsigned char)end[1])) {
                return false;
            }
            last = strtoul(end + 1, &end, 10);
        }
        if (last < first || last >= CPUS_MAX || (*end && *end != ',')) {
            return false;
        }
        for (unsigned long cpu = first; cpu <= last; cpu++) {
            nibble[cpu / 4] |= (uint8_t)(1u << cpu % 4);
        }
        *out_first = first < *out_first ? (uint32_t)first : *out_first;
        any = true;
        cpus = *end ? end + 1 : end;
    }
    return any;
}

const char *assay_cpu_mask(assay_arena_t *arena, const char *cpus) {
    uint8_t nibble[CPUS_MAX / 4] = {0};
    char text[CPUS_MAX / 4 + 1];
    uint32_t first, top = CPUS_MAX / 4, n = 0;
    if (!set_cpus(cpus, nibble, &first)) {
        return NULL;
    }
    while (nibble[top - 1] == 0) {
        top--;
    }
    while (top > 0) {
        text[n++] = "0123456789abcdef"[nibble[--top]];
    }
    return assay_arena_strndup(arena, text, n);
}

int64_t assay_cpu_first(const char *cpus) {
    uint8_t nibble[CPUS_MAX / 4] = {0};
    uint32_t first;
    return set_cpus(cpus, nibble, &first) ? (int64_t)first : -1;
}

/* --- all of it ------------------------------------------------------------------------------- */

assay_status_t assay_topology_build(assay_arena_t *arena, const assay_host_t *host,
                                    const assay_catalog_t *catalog, const char *system,
                                    assay_lang_t lang, assay_topology_t **out_topology,
                                    assay_error_t *err) {
    assay_topology_t *t = assay_arena_alloc(arena, sizeof *t);
    topology_build_t build = {arena, host, catalog, t, lang, err};
    if (!t) {
        return assay_error_memory(err, NULL);
    }
    t->name = host->name;
    static assay_status_t (*const part[])(topology_build_t *) = {add_devices, add_nics, add_numa,
                                                                 add_links};
    assay_status_t status = ASSAY_OK;
    for (size_t i = 0; !status && i < sizeof part / sizeof part[0]; i++) {
        status = part[i](&build);
    }
    for (uint32_t i = 0; !status && i < t->n_device; i++) {
        t->device[i].bridge = shared_bridge(&build, t->device[i].bdf);
    }
    if (!status) {
        status = topology_recognise(&build, system);
    }
    if (!status) {
        status = topology_compare(&build);
    }
    if (!status) {
        status = topology_bind(&build);
    }
    *out_topology = t;
    return status;
}
