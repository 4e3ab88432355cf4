/* Between nodes: dma-buf, GIDs, interfaces, plugins, IMEX; and how fast collectives were. */
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_check.h"
#include "host/host_rules.h"

#include "base/banned.h"

/* --- the kernel's part ----------------------------------------------------------------------- */

static void no_dma_buf(host_check_t *check) {
    static const char *const needed[] = {"CONFIG_PCI_P2PDMA", "CONFIG_DMABUF_MOVE_NOTIFY",
                                         "CONFIG_HSA_AMD_P2P"};
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *asked = host_setting(host, "NCCL_DMABUF_ENABLE");
    const uint32_t n = host_has_vendor(host, ASSAY_VENDOR_AMD) == HOST_YES ? 3 : 2;
    uint32_t n_on = 0;
    bool any = false;
    if (host->env_seen && (!asked || strcmp(asked->value, "1") != 0)) {
        host_check_none(check, "NCCL_DMABUF_ENABLE=1 is not set");
        return;
    }
    for (uint32_t k = 0; asked && k < n; k++) {
        for (uint32_t i = 0; i < host->n_config; i++) {
            const assay_host_setting_t *config = &host->config[i];
            if (strcmp(config->name, needed[k]) != 0) {
                continue;
            }
            if (strcmp(config->value, "y") == 0 || strcmp(config->value, "m") == 0) {
                n_on++;
            } else {
                any = true;
                host_check_bad(check, &config->at, NULL, "%s is not set in the kernel", needed[k]);
            }
            break;
        }
    }
    if (!any && n_on == n) {
        host_check_good(check, &asked->at, "the kernel has all that dma-buf needs");
    }
}

/* --- addresses and interfaces ---------------------------------------------------------------- */

static bool is_v2(const assay_host_gid_t *gid) {
    return gid->type && (strstr(gid->type, "v2") || strstr(gid->type, "V2"));
}

static bool is_roce(const assay_host_t *host, const char *device) {
    for (uint32_t i = 0; i < host->n_port; i++) {
        if (strcmp(host->port[i].name, device) == 0 && host->port[i].layer) {
            return host_is_fold(host_span(host->port[i].layer), "ethernet");
        }
    }
    for (uint32_t i = 0; i < host->n_gid; i++) { /* types are of RoCE alone */
        if (strcmp(host->gid[i].device, device) == 0 && host->gid[i].type &&
            strstr(host->gid[i].type, "RoCE")) {
            return true;
        }
    }
    return false;
}

/* The GID that is chosen, or any, is one of RoCE v2. */
static void no_gid(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *chosen = host_setting(host, "NCCL_IB_GID_INDEX");
    const long index = chosen ? strtol(chosen->value, NULL, 10) : -1;
    for (uint32_t i = 0; i < host->n_gid; i++) {
        const char *device = host->gid[i].device;
        bool again = false, found = false;
        for (uint32_t k = 0; k < i && !again; k++) {
            again = strcmp(host->gid[k].device, device) == 0;
        }
        if (again || !is_roce(host, device)) {
            continue;
        }
        for (uint32_t k = i; k < host->n_gid && !found; k++) {
            const assay_host_gid_t *gid = &host->gid[k];
            found = strcmp(gid->device, device) == 0 && is_v2(gid) &&
                    (index < 0 || gid->index == (uint32_t)index);
        }
        if (found) {
            host_check_good(check, &host->gid[i].at, "%s has a GID of RoCE v2", device);
        } else if (index >= 0) {
            host_check_bad(check, &chosen->at, device,
                           "NCCL_IB_GID_INDEX=%ld, and %s has no GID of RoCE v2 there", index,
                           device);
        } else {
            host_check_bad(check, &host->gid[i].at, device, "%s has no GID of RoCE v2", device);
        }
    }
}

static bool is_local(const char *name) {
    static const char *const start[] = {"docker", "veth", "virbr", "br-", "cni", "flannel"};
    for (size_t i = 0; i < sizeof start / sizeof start[0]; i++) {
        if (strncmp(name, start[i], strlen(start[i])) == 0) {
            return true;
        }
    }
    return strcmp(name, "lo") == 0;
}

static bool above_one(const assay_host_t *host, const char *name) {
    const assay_host_setting_t *setting = host_setting(host, name);
    return setting && strtol(setting->value, NULL, 10) > 1;
}

/* An interface that other nodes cannot reach. On one node it does no harm. */
static void wrong_interface(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *setting = host_setting(host, "NCCL_SOCKET_IFNAME");
    const assay_host_text_t *used = &host->collective_interface;
    const bool nodes = above_one(host, "SLURM_NNODES") || above_one(host, "SLURM_JOB_NUM_NODES") ||
                       above_one(host, "NNODES");
    const assay_severity_t severity = nodes ? ASSAY_SEVERITY_ERROR : ASSAY_SEVERITY_INFO;
    const char *where = host_check_said(check, nodes ? ", which other nodes cannot reach"
                                                     : ", which other nodes could not reach");
    if (used->s && is_local(used->s)) {
        host_check_bad_as(check, severity, &used->at, NULL, "the log uses interface %s%s", used->s,
                          where);
    } else if (setting && *setting->value != '^' &&
               is_local(setting->value + (*setting->value == '='))) {
        host_check_bad_as(check, severity, &setting->at, NULL, "NCCL_SOCKET_IFNAME=%s%s",
                          setting->value, where);
    } else if (used->s) {
        host_check_good(check, &used->at, "the log uses interface %s", used->s);
    } else if (setting) {
        host_check_good(check, &setting->at, "NCCL_SOCKET_IFNAME=%s", setting->value);
    } else if (host->env_seen) {
        host_check_good(check, NULL, "no interface is forced");
    }
}

/* The interface of a port, as its tool or its GIDs say; NULL: not known. */
static const char *interface_of(const assay_host_t *host, const assay_host_port_t *port) {
    for (uint32_t i = 0; !port->interface && i < host->n_gid; i++) {
        const assay_host_gid_t *gid = &host->gid[i];
        if (gid->interface && strcmp(gid->device, port->name) == 0 && gid->port == port->port) {
            return gid->interface;
        }
    }
    return port->interface;
}

/* MTU of the interface below a RoCE device; discards that a counter shows are of unknown age. */
static void small_mtu(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double least = host_check_threshold(check, "mtu_bytes");
    for (uint32_t i = 0; i < host->n_port; i++) {
        const assay_host_port_t *port = &host->port[i];
        if (!is_roce(host, port->name)) {
            continue;
        }
        const assay_host_number_t *mtu = NULL;
        const char *interface = interface_of(host, port);
        for (uint32_t k = 0; interface && k < host->n_interface; k++) {
            if (strcmp(host->interface[k].name, interface) == 0) {
                mtu = &host->interface[k].mtu_bytes;
            }
        }
        if (mtu && assay_host_known(mtu->state) && mtu->v < least) {
            host_check_bad(check, &mtu->at, port->name, "%s (%s) has an MTU of %.0f", port->name,
                           interface, mtu->v);
        } else if (assay_host_known(port->discards.state) && port->discards.v > 0) {
            host_check_bad_as(check, ASSAY_SEVERITY_INFO, &port->discards.at, port->name,
                              "%s discarded %.0f packets; one reading does not say when",
                              port->name, port->discards.v);
        } else if (mtu && assay_host_known(mtu->state)) {
            host_check_good(check, &mtu->at, "%s has an MTU of %.0f", port->name, mtu->v);
        }
    }
}

/* --- plugins and services -------------------------------------------------------------------- */

/* That no plugin is found is normal, unless one was asked for. */
static void plugin_missing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_text_t *loaded = &host->net_plugin;
    const assay_host_setting_t *asked = host_setting(host, "NCCL_NET_PLUGIN");
    const bool wanted = asked && *asked->value && strcmp(asked->value, "none") != 0;
    if (!loaded->s) {
        return;
    }
    if (strcmp(loaded->s, "none") != 0) {
        host_check_good(check, &loaded->at, "the network plugin %s was loaded", loaded->s);
    } else if (wanted) {
        host_check_bad(check, &loaded->at, NULL, "NCCL_NET_PLUGIN=%s, and no plugin was found",
                       asked->value);
    } else {
        host_check_good(check, &loaded->at, "no plugin, and none was asked for");
    }
}

static void no_imex(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_gpu_t *part = host_part(host, "GB200");
    const assay_host_number_t *channels = &host->imex_channels;
    part = part ? part : host_part(host, "GB300");
    if (!part && host->n_gpu > 0) {
        host_check_none(check, "no accelerator here shares NVLink with other nodes");
        return;
    }
    for (uint32_t i = 0; part && i < host->n_service; i++) {
        const assay_host_service_t *service = &host->service[i];
        if (!strstr(service->name, "imex") || !service->state) {
            continue;
        }
        if (strncmp(service->state, "active", 6) == 0) {
            host_check_good(check, &service->at, "nvidia-imex is %s", service->state);
        } else {
            host_check_bad(check, &service->at, NULL, "nvidia-imex is %s", service->state);
        }
    }
    if (part && assay_host_known(channels->state)) {
        if (channels->v > 0) {
            host_check_good(check, &channels->at, "%.0f IMEX channels", channels->v);
        } else {
            host_check_bad(check, &channels->at, NULL, "there is no IMEX channel in /dev");
        }
    }
}

/* --- speed of collectives -------------------------------------------------------------------- */

/* PCIe cards of the same name have other links. */
static bool is_module(const assay_host_gpu_t *gpu) {
    return gpu->name.s && !strstr(gpu->name.s, "PCI") && !strstr(gpu->name.s, "NVL");
}

static double norm_of(host_check_t *check, const char *operation, uint32_t ranks) {
    const assay_host_t *host = host_check_host(check);
    const host_table_t *norm = &host_check_rules(check)->norm;
    for (uint32_t i = 0; i < norm->n; i++) {
        const char *const *cell = norm->row[i].cell;
        const assay_host_gpu_t *part = host_part(host, cell[HOST_NORM_PART]);
        double value;
        if (part && is_module(part) && strcmp(cell[HOST_NORM_OPERATION], operation) == 0 &&
            strtoul(cell[HOST_NORM_RANKS], NULL, 10) == ranks &&
            assay_text_to_double(cell[HOST_NORM_GB_S], strlen(cell[HOST_NORM_GB_S]), &value)) {
            return value * 1e9;
        }
    }
    return 0;
}

/* The best row of each operation at sizes where bandwidth counts. */
static void slow_collective(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double share = host_check_threshold(check, "share"),
                 least = host_check_threshold(check, "bytes");
    bool small = false;
    for (uint32_t i = 0; i < host->n_collective; i++) {
        const assay_host_collective_t *row = &host->collective[i], *best = row;
        bool first = true;
        small |= row->bytes < least;
        for (uint32_t k = 0; k < host->n_collective; k++) {
            const assay_host_collective_t *other = &host->collective[k];
            if (other->bytes < least || other->ranks != row->ranks ||
                strcmp(other->operation, row->operation) != 0) {
                continue;
            }
            first &= k >= i;
            best = other->bus_bytes_per_s > best->bus_bytes_per_s ? other : best;
        }
        if (!first || best->bytes < least || best->ranks < 2) {
            continue;
        }
        const double norm = norm_of(check, best->operation, best->ranks);
        if (norm <= 0) {
            host_check_unknown(check,
                               "there is no measured norm for %s on %u of these accelerators",
                               best->operation, best->ranks);
        } else if (best->bus_bytes_per_s < share * norm) {
            host_check_bad(check, &best->at, NULL,
                           "%s on %u reaches %.1f GB/s bus bandwidth, others measured %.0f",
                           best->operation, best->ranks, best->bus_bytes_per_s / 1e9, norm / 1e9);
        } else {
            host_check_good(check, &best->at, "%s on %u reaches %.0f GB/s, others measured %.0f",
                            best->operation, best->ranks, best->bus_bytes_per_s / 1e9, norm / 1e9);
        }
    }
    if (small) {
        host_check_unknown(check, "messages below %.0f MiB do not show bandwidth", least / 1048576);
    }
}

static const host_check_row_t row[] = {
    {"COL-002", slow_collective}, {"NET-002", no_dma_buf}, {"NET-007", no_gid},
    {"NET-008", wrong_interface}, {"NET-009", small_mtu},  {"NVD-015", no_imex},
    {"SW-006", plugin_missing},
};
const host_check_group_t host_checks_fabric = {row, sizeof row / sizeof row[0]};
