#include <inttypes.h>
#include <string.h>

#include "report/topology_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_TOPO_##id)

const char *assay_topology_sentence(assay_view_t *view, const assay_topology_t *t) {
    const char *count = assay_view_count(view, t->n_device);
    if (t->catalog_only) {
        return SAY(view, TOPO_CATALOG, t->system->name, count, t->accelerator->name);
    }
    if (t->n_device == 0) {
        return SAY(view, TOPO_NONE, t->name);
    }
    const char *model = t->accelerator        ? t->accelerator->name
                        : *t->device[0].model ? t->device[0].model
                                              : TEXT(UNKNOWN_MODEL);
    if (!t->system) {
        return SAY(view, TOPO_UNKNOWN_SYSTEM, t->name, count, model);
    }
    return t->n_difference == 0 ? SAY(view, TOPO_AS_EXPECTED, t->name, count, model, t->system->id)
                                : SAY(view, TOPO_DIFFERS, t->name, count, model, t->system->id,
                                      assay_view_count(view, t->n_difference));
}

static bool known(const assay_host_number_t *fact) {
    return assay_host_known(fact->state);
}

const char *assay_topology_device_line(assay_view_t *view, const assay_topology_device_t *d) {
    const char *line = d->name;
    if (*d->bdf) {
        line = assay_view_format(view, "%s  %s", line, d->bdf);
    }
    if (*d->model) {
        line = assay_view_format(view, "%s  %s", line, d->model);
    }
    const assay_host_gpu_t *gpu = d->gpu;
    if (gpu && gpu->compute_partition.s) {
        line = assay_view_format(view, "%s %s%s%s", line, gpu->compute_partition.s,
                                 gpu->memory_partition.s ? "/" : "",
                                 assay_view_or_empty(gpu->memory_partition.s));
    }
    if (gpu && known(&gpu->vram_bytes)) {
        line = assay_view_format(view, "%s, %s", line,
                                 assay_view_quantity(view, gpu->vram_bytes.v, ASSAY_DIM_BYTES));
    }
    if (gpu && known(&gpu->pcie_width_max)) {
        line = assay_view_format(view, "%s, PCIe x%s", line,
                                 assay_view_count(view, gpu->pcie_width_max.v));
        if (known(&gpu->pcie_gt_s_max)) {
            line = assay_view_format(view, "%s %s GT/s", line,
                                     assay_view_number(view, gpu->pcie_gt_s_max.v));
        }
    }
    return line;
}

const char *assay_topology_nic_line(assay_view_t *view, const assay_topology_nic_t *nic) {
    const char *line = SAY(view, TOPO_NIC, nic->name);
    if (nic->bits_per_s > 0) {
        line = assay_view_format(view, "%s, %s Gbit/s", line,
                                 assay_view_number(view, nic->bits_per_s / 1e9));
    }
    return *nic->state ? assay_view_format(view, "%s, %s", line, nic->state) : line;
}

const char *assay_topology_numa_line(assay_view_t *view, const assay_topology_numa_t *numa) {
    const char *line = SAY(view, TOPO_NUMA, assay_view_format(view, "%" PRId64, numa->node));
    if (*numa->cpus) {
        line = SAY(view, TOPO_CPUS, line, numa->cpus);
    }
    return numa->bytes > 0
               ? assay_view_format(view, "%s, %s", line,
                                   assay_view_quantity(view, numa->bytes, ASSAY_DIM_BYTES))
               : line;
}

const char *assay_topology_cell(assay_view_t *view, const assay_topology_t *t, uint32_t a,
                                uint32_t b) {
    const assay_topology_link_t *link = &t->link[(size_t)a * t->n_device + b];
    if (a == b) {
        return ".";
    }
    switch ((assay_link_kind_t)link->kind) {
    case ASSAY_LINK_XGMI:
        return !link->direct_known ? "XGMI"
               : link->links > 0   ? assay_view_format(view, "X%u", link->links)
                                   : "-";
    case ASSAY_LINK_NVLINK:
        return assay_view_format(view, "NV%u", link->links);
    case ASSAY_LINK_PCIE:
        return link->type ? link->type : "PCIe";
    default:
        return t->catalog_only || link->direct_known ? "-" : "?";
    }
}

const char *assay_topology_difference(assay_view_t *view, const assay_topology_difference_t *d) {
    return SAY(view, TOPO_EXPECTED, d->expected, d->found);
}

const char *assay_topology_srun(assay_view_t *view, const assay_topology_t *t, bool masks) {
    const char *list = "";
    for (uint32_t i = 0; i < t->n_device; i++) {
        const char *cpus = t->device[i].cpus;
        const char *mask = masks ? assay_cpu_mask(view->arena, cpus) : NULL;
        const int64_t first = assay_cpu_first(cpus);
        if (first < 0 || (masks && !mask)) {
            return NULL;
        }
        list = masks ? assay_view_format(view, "%s%s%s", list, i ? "," : "", mask)
                     : assay_view_format(view, "%s%s%" PRId64, list, i ? "," : "", first);
    }
    return t->n_device == 0 ? NULL
                            : assay_view_format(view, "srun --ntasks-per-node=%u --cpu-bind=%s:%s",
                                                t->n_device, masks ? "mask_cpu" : "map_cpu", list);
}

/* --- the tree -------------------------------------------------------------------------------- */

static void put(assay_view_t *view, int depth, const char *text) {
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, assay_view_format(view, "%*s", 2 * depth, ""), text);
}

/* A command, to be typed again: never broken. */
static void put_command(assay_view_t *view, const char *lead, const char *command) {
    const uint32_t width = view->width;
    view->width = UINT32_MAX / 2;
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, lead, command);
    view->width = width;
}

/* What is behind one switch, or behind none (""), of a NUMA node. */
static void write_behind(assay_view_t *view, const assay_topology_t *t, int64_t numa,
                         const char *bridge, int depth) {
    for (uint32_t i = 0; i < t->n_device; i++) {
        if (t->device[i].numa == numa && strcmp(t->device[i].bridge, bridge) == 0) {
            put(view, depth, assay_topology_device_line(view, &t->device[i]));
        }
    }
    for (uint32_t i = 0; i < t->n_nic; i++) {
        if (t->nic[i].numa == numa && strcmp(t->nic[i].bridge, bridge) == 0) {
            put(view, depth, assay_topology_nic_line(view, &t->nic[i]));
        }
    }
}

static bool is_first_behind(const assay_topology_t *t, uint32_t device) {
    for (uint32_t i = 0; i < device; i++) {
        if (t->device[i].numa == t->device[device].numa &&
            strcmp(t->device[i].bridge, t->device[device].bridge) == 0) {
            return false;
        }
    }
    return true;
}

static void write_numa(assay_view_t *view, const assay_topology_t *t, int64_t numa, int depth) {
    for (uint32_t i = 0; i < t->n_device; i++) {
        const assay_topology_device_t *d = &t->device[i];
        if (d->numa == numa && *d->bridge && is_first_behind(t, i)) {
            put(view, depth, SAY(view, TOPO_SWITCH, d->bridge));
            write_behind(view, t, numa, d->bridge, depth + 1);
        }
    }
    write_behind(view, t, numa, "", depth);
}

static void write_tree(assay_view_t *view, const assay_topology_t *t) {
    int64_t socket = -1;
    assay_text_heading(view, TEXT(HEADING_TREE));
    for (uint32_t i = 0; i < t->n_numa; i++) {
        const assay_topology_numa_t *numa = &t->numa[i];
        const int depth = numa->socket >= 0 ? 2 : 1;
        if (numa->socket >= 0 && numa->socket != socket) {
            socket = numa->socket;
            put(view, 1, SAY(view, TOPO_SOCKET, assay_view_format(view, "%" PRId64, socket)));
        }
        put(view, depth, assay_topology_numa_line(view, numa));
        write_numa(view, t, numa->node, depth + 1);
    }
    bool any = false;
    for (uint32_t i = 0; i < t->n_device; i++) {
        any |= t->device[i].numa < 0;
    }
    for (uint32_t i = 0; i < t->n_nic; i++) {
        any |= t->nic[i].numa < 0;
    }
    if (any) {
        put(view, 1, t->catalog_only ? TEXT(DEVICES) : TEXT(NO_NUMA));
        write_numa(view, t, -1, 2);
    }
}

/* --- links and bindings ---------------------------------------------------------------------- */

#define MATRIX_MAX 16u /* columns that fit a line */

static void write_matrix(assay_view_t *view, const assay_topology_t *t) {
    if (!t->any_link || t->n_device > MATRIX_MAX) {
        return;
    }
    assay_table_t *table = assay_view_table(view, t->n_device + 1);
    assay_text_heading(view, TEXT(HEADING_LINKS));
    assay_table_column(table, 0, "", "", false);
    for (uint32_t i = 0; i < t->n_device; i++) {
        assay_table_column(table, i + 1, t->device[i].name + 4, "", true);
    }
    for (uint32_t i = 0; i < t->n_device; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, t->device[i].name);
        for (uint32_t k = 0; k < t->n_device; k++) {
            assay_table_cell(table, k + 1, assay_topology_cell(view, t, i, k));
        }
    }
    assay_text_table(view, table, 0);
    put(view, 1, TEXT(LEGEND));
}

static void write_near_nics(assay_view_t *view, const assay_topology_t *t) {
    for (uint32_t i = 0; i < t->n_device; i++) {
        const int32_t nic = assay_topology_near_nic(t, i);
        if (nic >= 0) {
            put(view, 1, SAY(view, TOPO_NEAR, t->device[i].name, t->nic[nic].name));
        }
    }
}

static void write_bindings(assay_view_t *view, const assay_topology_t *t) {
    bool any = false;
    for (uint32_t i = 0; i < t->n_device; i++) {
        const assay_topology_device_t *d = &t->device[i];
        if (!*d->cpus && d->numa < 0) {
            continue;
        }
        if (!any) {
            assay_text_heading(view, TEXT(HEADING_BIND));
            any = true;
        }
        if (d->numa >= 0) {
            put_command(view, assay_view_format(view, "  %-7s", d->name),
                        assay_view_format(view,
                                          "numactl --cpunodebind=%" PRId64 " --membind=%" PRId64,
                                          d->numa, d->numa));
        }
        if (*d->cpus) {
            put_command(view, assay_view_format(view, "  %-7s", d->numa < 0 ? d->name : ""),
                        assay_view_format(view, "taskset -c %s", d->cpus));
        }
    }
    const char *const all[] = {assay_topology_srun(view, t, false),
                               assay_topology_srun(view, t, true)};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i]) {
            put_command(view, "  ", all[i]);
        }
    }
    if (t->bind_source && any) {
        put(view, 1, SAY(view, TOPO_BIND_SOURCE, t->bind_source));
    }
}

void assay_topology_write_text(assay_view_t *view, const assay_topology_t *t) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", assay_topology_sentence(view, t));
    for (uint32_t i = 0; i < t->n_difference; i++) {
        assay_text_wrap(view, ASSAY_STYLE_WARN, "  ",
                        assay_topology_difference(view, &t->difference[i]));
    }
    if (t->n_device > 0 || t->n_numa > 0) {
        write_tree(view, t);
        write_matrix(view, t);
        write_near_nics(view, t);
        write_bindings(view, t);
    }
}
