/* Which part and system of the catalog this is, in what it differs, and where processes belong. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_parse.h"
#include "host/topology_build.h"

#include "base/banned.h"

/* --- recognising ----------------------------------------------------------------------------- */

/* "74a1 74b5" holds the device number. */
static bool lists_device(const char *devices, uint32_t device) {
    while (*devices) {
        char *end;
        if (strtoul(devices, &end, 16) == device) {
            return true;
        }
        devices = *end ? end + 1 : end;
    }
    return false;
}

static const assay_accelerator_t *accelerator_with_id(const assay_catalog_t *catalog,
                                                      const char *id) {
    for (uint32_t i = 0; i < catalog->n_accelerator; i++) {
        if (strcmp(catalog->accelerator[i].id, id) == 0) {
            return &catalog->accelerator[i];
        }
    }
    return NULL;
}

/* By PCI device number, then by the name that the vendor's tools print. */
static assay_status_t part_of(topology_build_t *build, const assay_host_gpu_t *gpu,
                              const assay_accelerator_t **out) {
    enum { ACCELERATOR, DEVICES, NAME, N };
    static const char *const column[N] = {"accelerator", "devices", "name"};
    assay_csv_t csv;
    int at[N];
    const assay_status_t status =
        assay_data_table(build->arena, "device_names.csv", build->catalog->dir,
                         build->catalog->n_dir, &csv, build->err);
    if (status) {
        return status;
    }
    for (int c = 0; c < N; c++) {
        at[c] = assay_csv_column(&csv, column[c]);
    }
    const uint32_t device = assay_host_known(gpu->device_id.state) && gpu->device_id.v > 0
                                ? (uint32_t)gpu->device_id.v
                                : 0;
    const char *id = NULL;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const bool by_number = device && lists_device(assay_csv_cell(&csv, i, at[DEVICES]), device);
        const char *name = assay_csv_cell(&csv, i, at[NAME]);
        if (by_number || (!id && gpu->name.s && *name && host_name_matches(name, gpu->name.s))) {
            id = assay_csv_cell(&csv, i, at[ACCELERATOR]);
            if (by_number) {
                break;
            }
        }
    }
    *out = id ? accelerator_with_id(build->catalog, id) : NULL;
    return ASSAY_OK;
}

/* The system with this part whose number of devices is nearest; the first of equal ones. */
static const assay_system_t *system_of(const assay_catalog_t *catalog,
                                       const assay_accelerator_t *accelerator, uint32_t n_device) {
    const assay_system_t *best = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < catalog->n_system; i++) {
        const assay_system_t *system = &catalog->system[i];
        if (system->accelerator != accelerator || system->is_claim || !system->fabric) {
            continue;
        }
        const uint32_t n = system->packages * accelerator->devices;
        if (n >= n_device && n - n_device < least) { /* one that has lost some, never one grown */
            least = n - n_device;
            best = system;
        }
    }
    return best;
}

/* A host of which nothing is known but what the catalog has of its system. */
static assay_status_t from_catalog(topology_build_t *build) {
    assay_topology_t *t = build->topology;
    const assay_accelerator_t *part = t->system->accelerator;
    const assay_fabric_t *fabric = t->fabric;
    const uint32_t n = t->system->packages * part->devices;
    if (n > ASSAY_TOPOLOGY_MAX_DEVICES) {
        return assay_error_set(build->err, ASSAY_LIMIT, NULL, "more than %u accelerators",
                               ASSAY_TOPOLOGY_MAX_DEVICES);
    }
    t->catalog_only = true;
    t->name = t->system->name;
    t->device = assay_arena_array(build->arena, n, sizeof *t->device);
    t->link = assay_arena_array(build->arena, (size_t)n * n, sizeof *t->link);
    t->nic_link = NULL;
    t->n_nic = t->n_numa = 0;
    if (!t->device || !t->link) {
        return assay_error_memory(build->err, NULL);
    }
    t->n_device = n;
    for (uint32_t i = 0; i < n; i++) {
        t->device[i] =
            (assay_topology_device_t){.name = assay_arena_printf(build->arena, "gpu %u", i),
                                      .bdf = "",
                                      .model = part->name,
                                      .numa = -1,
                                      .cpus = "",
                                      .bridge = "",
                                      .package = i / part->devices};
        if (!t->device[i].name) {
            return assay_error_memory(build->err, NULL);
        }
    }
    const bool amd = strcmp(part->vendor, "AMD") == 0;
    for (uint32_t i = 0; fabric && i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            const double rate = fabric->pair && n == fabric->devices ? fabric->pair[i * n + k] : 0;
            const bool switched = strcmp(fabric->kind, "switch") == 0;
            const bool all = switched || strcmp(fabric->kind, "full-mesh") == 0;
            const double link_rate =
                fabric->pair_bytes_per_s.known ? fabric->pair_bytes_per_s.v : 0;
            assay_topology_link_t *link = topology_link(t, i, k);
            link->direct_known = true;
            if (i == k || (!all && !(rate > 0))) {
                continue;
            }
            link->kind = amd ? ASSAY_LINK_XGMI : ASSAY_LINK_NVLINK;
            link->bytes_per_s = rate > 0   ? rate
                                : switched ? fabric->device_bytes_per_s.v
                                           : link_rate;
            link->links = rate > 0 && link_rate > 0 ? (uint32_t)(rate / link_rate + 0.5)
                          : fabric->links > 0       ? fabric->links
                                                    : 1;
            t->any_link = true;
        }
    }
    return ASSAY_OK;
}

assay_status_t topology_recognise(topology_build_t *build, const char *system) {
    assay_topology_t *t = build->topology;
    assay_status_t status = ASSAY_OK;
    if (system) {
        const assay_place_t at = {.file = "--system"};
        status = assay_catalog_system(build->catalog, system, &at, &t->system, build->err);
        t->accelerator = status ? NULL : t->system->accelerator;
    } else if (t->n_device > 0) {
        status = part_of(build, t->device[0].gpu, &t->accelerator);
        t->system = t->accelerator ? system_of(build->catalog, t->accelerator, t->n_device) : NULL;
    }
    if (status) {
        return status;
    }
    t->fabric = t->system ? t->system->fabric : NULL;
    for (uint32_t i = 0; t->accelerator && i < t->n_device; i++) {
        t->device[i].package = i / t->accelerator->devices;
    }
    return t->n_device == 0 && t->system ? from_catalog(build) : ASSAY_OK;
}

/* --- comparing ------------------------------------------------------------------------------- */

#define DIFFERENCES_MAX 64u

/* In the language of the answer: the format's phrase takes the same arguments. */
__attribute__((format(printf, 2, 3))) static const char *say(const topology_build_t *build,
                                                             const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = assay_arena_vprintf(build->arena, assay_phrase(build->lang, format), args);
    va_end(args);
    return text;
}

__attribute__((format(printf, 4, 5))) static void differs(topology_build_t *build,
                                                          assay_topology_what_t what,
                                                          const char *expected, const char *format,
                                                          ...) {
    assay_topology_t *t = build->topology;
    va_list args;
    if (t->n_difference == DIFFERENCES_MAX) {
        return;
    }
    va_start(args, format);
    const char *found = assay_arena_vprintf(build->arena, assay_phrase(build->lang, format), args);
    va_end(args);
    t->difference[t->n_difference++] =
        (assay_topology_difference_t){(uint8_t)what, expected ? expected : "", found ? found : ""};
}

/* Links of the pair that the catalog expects; 0: none. */
static uint32_t expected_links(const assay_topology_t *t, uint32_t i, uint32_t k) {
    const assay_fabric_t *fabric = t->fabric;
    if (fabric->pair && t->n_device == fabric->devices) {
        const double rate = fabric->pair[(size_t)i * fabric->devices + k];
        const double one = fabric->pair_bytes_per_s.known ? fabric->pair_bytes_per_s.v : rate;
        return rate > 0 && one > 0 ? (uint32_t)(rate / one + 0.5) : 0;
    }
    const bool joined =
        strcmp(fabric->kind, "switch") == 0 || strcmp(fabric->kind, "full-mesh") == 0;
    return !joined ? 0 : fabric->links > 0 ? fabric->links : 1;
}

static void compare_links(topology_build_t *build) {
    assay_topology_t *t = build->topology;
    for (uint32_t i = 0; t->any_link && i < t->n_device; i++) {
        for (uint32_t k = i + 1; k < t->n_device; k++) {
            const assay_topology_link_t *link = topology_link(t, i, k);
            const uint32_t expected = expected_links(t, i, k);
            const bool joined = link->kind == ASSAY_LINK_XGMI || link->kind == ASSAY_LINK_NVLINK;
            if (expected == 0 || link->kind == ASSAY_LINK_UNKNOWN) {
                continue;
            }
            const char *pair = say(build, "%u link%s between %s and %s", expected,
                                   expected == 1 ? "" : "s", t->device[i].name, t->device[k].name);
            if (!joined || (link->direct_known && link->links == 0)) {
                differs(build, ASSAY_TOPOLOGY_LINK, pair, "%s",
                        link->type ? link->type : assay_phrase(build->lang, "no direct link"));
            } else if (link->direct_known && link->links < expected) {
                differs(build, ASSAY_TOPOLOGY_LINKS, pair, "%u", link->links);
            }
        }
    }
}

/* The same number of devices at every socket, where all sockets are known. */
static void compare_sockets(topology_build_t *build) {
    assay_topology_t *t = build->topology;
    uint32_t count[16] = {0}, n = 0;
    for (uint32_t i = 0; i < t->n_device; i++) {
        for (uint32_t k = 0; k < t->n_numa; k++) {
            const assay_topology_numa_t *numa = &t->numa[k];
            if (numa->node == t->device[i].numa && numa->socket >= 0 && numa->socket < 16) {
                count[numa->socket]++;
                n++;
            }
        }
    }
    if (t->sockets < 2 || t->sockets > 16 || n != t->n_device || t->n_device % t->sockets != 0) {
        return;
    }
    for (uint32_t s = 0; s < t->sockets; s++) {
        if (count[s] != t->n_device / t->sockets) {
            differs(build, ASSAY_TOPOLOGY_SOCKETS,
                    say(build, "%u accelerators at each of %u sockets", t->n_device / t->sockets,
                        t->sockets),
                    "%u at socket %u", count[s], s);
            return;
        }
    }
}

assay_status_t topology_compare(topology_build_t *build) {
    assay_topology_t *t = build->topology;
    t->difference = assay_arena_array(build->arena, DIFFERENCES_MAX, sizeof *t->difference);
    if (!t->difference) {
        return assay_error_memory(build->err, NULL);
    }
    if (t->catalog_only) {
        return ASSAY_OK;
    }
    compare_sockets(build);
    if (!t->system) {
        return ASSAY_OK;
    }
    const uint32_t n = t->system->packages * t->accelerator->devices;
    if (n != t->n_device) {
        differs(build, ASSAY_TOPOLOGY_COUNT, say(build, "%u accelerators", n), "%u", t->n_device);
    }
    if (t->fabric) {
        compare_links(build);
    }
    if (t->fabric && t->fabric->nics > 0 && t->n_nic > 0 && t->n_nic < t->fabric->nics) {
        differs(build, ASSAY_TOPOLOGY_NICS, say(build, "%u NICs", t->fabric->nics), "%u", t->n_nic);
    }
    return ASSAY_OK;
}

/* --- binding --------------------------------------------------------------------------------- */

/* The NUMA nodes that the devices lie at, where the host told none. */
static assay_status_t add_bound_nodes(topology_build_t *build) {
    assay_topology_t *t = build->topology;
    int64_t last = -1;
    t->numa = assay_arena_array(build->arena, t->n_device, sizeof *t->numa);
    if (!t->numa) {
        return assay_error_memory(build->err, NULL);
    }
    for (;;) {
        int64_t next = INT64_MAX;
        for (uint32_t i = 0; i < t->n_device; i++) {
            const int64_t numa = t->device[i].numa;
            next = numa > last && numa < next ? numa : next;
        }
        if (next == INT64_MAX) {
            return ASSAY_OK;
        }
        t->numa[t->n_numa++] = (assay_topology_numa_t){.node = next, .socket = -1, .cpus = ""};
        last = next;
    }
}

assay_status_t topology_bind(topology_build_t *build) {
    enum { FABRIC, DEVICE, CPUS, NUMA, SOURCE, N };
    static const char *const column[N] = {"fabric", "device", "cpus", "numa", "source"};
    assay_topology_t *t = build->topology;
    assay_csv_t csv;
    int at[N];
    bool known = false;
    for (uint32_t i = 0; i < t->n_device; i++) {
        known |= *t->device[i].cpus != '\0';
    }
    if (known || !t->fabric || t->n_device != t->fabric->devices) {
        return ASSAY_OK;
    }
    const assay_status_t status = assay_data_table(
        build->arena, "bindings.csv", build->catalog->dir, build->catalog->n_dir, &csv, build->err);
    if (status) {
        return status;
    }
    for (int c = 0; c < N; c++) {
        at[c] = assay_csv_column(&csv, column[c]);
    }
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        uint64_t device, numa;
        const char *number = assay_csv_cell(&csv, i, at[DEVICE]),
                   *node = assay_csv_cell(&csv, i, at[NUMA]);
        if (strcmp(assay_csv_cell(&csv, i, at[FABRIC]), t->fabric->id) == 0 &&
            assay_text_to_u64(number, strlen(number), &device) && device < t->n_device) {
            t->device[device].cpus = assay_csv_cell(&csv, i, at[CPUS]);
            t->bind_source = assay_csv_cell(&csv, i, at[SOURCE]);
            if (t->device[device].numa < 0 && assay_text_to_u64(node, strlen(node), &numa)) {
                t->device[device].numa = (int64_t)numa;
            }
        }
    }
    return t->n_numa == 0 ? add_bound_nodes(build) : ASSAY_OK;
}
