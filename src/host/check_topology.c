/* Where accelerators and NICs sit, and how they reach each other. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

#define NODES_MAX 64

static void uneven_nodes(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t count[NODES_MAX] = {0}, known = 0, used = 0, most = 0, least = UINT32_MAX;
    const assay_place_t *at = NULL;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_number_t *node = &host->gpu[i].numa_node;
        if (assay_host_known(node->state) && node->v >= 0 && node->v < NODES_MAX) {
            count[(size_t)node->v]++;
            known++;
            at = at ? at : &node->at;
        }
    }
    if (known < 2 || known < host->n_gpu) {
        return; /* an excerpt of the devices has no shape */
    }
    for (uint32_t i = 0; i < NODES_MAX; i++) {
        if (count[i] > 0) {
            used++;
            most = count[i] > most ? count[i] : most;
            least = count[i] < least ? count[i] : least;
        }
    }
    const bool one_of_two =
        used == 1 && assay_host_known(host->sockets.state) && host->sockets.v > 1 && known >= 4;
    if (most != least || one_of_two) {
        host_check_bad(check, at, NULL, "%u accelerators on %u NUMA node%s, from %u to %u each",
                       known, used, used > 1 ? "s" : "", least, most);
    } else {
        host_check_good(check, at, "%u accelerators on %u NUMA node%s, %u each", known, used,
                        used > 1 ? "s" : "", most);
    }
}

static void no_node(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const bool many = (assay_host_known(host->sockets.state) && host->sockets.v > 1) ||
                      (assay_host_known(host->numa_nodes.state) && host->numa_nodes.v > 1);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const char *name = host_check_gpu_name(check, gpu);
        if (!assay_host_known(gpu->numa_node.state)) {
            continue;
        }
        if (gpu->numa_node.v >= 0) {
            host_check_good(check, &gpu->numa_node.at, "%s is on node %.0f", name,
                            gpu->numa_node.v);
        } else if (many) {
            host_check_bad(check, &gpu->numa_node.at, host_check_device(check, gpu),
                           "%s has no NUMA node", name);
        } else {
            host_check_unknown(check, "%s has no NUMA node; the number of sockets is not given",
                               name);
        }
    }
}

/* --- nvidia-smi topo -m ---------------------------------------------------------------------- */

static bool names(const char *name, const char *kind) {
    return strncmp(name, kind, strlen(kind)) == 0;
}

/* SYS and NODE cross the processors' interconnect or the host bridges of a node. */
static bool is_far(const char *type) {
    return strcmp(type, "SYS") == 0 || strcmp(type, "NODE") == 0;
}

/* Accelerators of nvidia-smi's matrix without any NIC nearer than over the processors. */
static void far_nics(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_link_t *first = NULL;
    uint32_t n_far = 0, n_near = 0;
    const char *far = "";
    for (uint32_t g = 0; g < host->n_link; g++) {
        const char *gpu = host->link[g].a;
        bool seen = false, near = false, any = false;
        for (uint32_t k = 0; k < g && !seen; k++) { /* each accelerator once */
            seen = strcmp(host->link[k].a, gpu) == 0;
        }
        for (uint32_t k = 0; k < host->n_link && !seen && names(gpu, "GPU"); k++) {
            const assay_host_link_t *link = &host->link[k];
            if (strcmp(link->a, gpu) == 0 && link->type && !names(link->b, "GPU")) {
                any = true;
                near |= !is_far(link->type);
                first = first ? first : link;
            }
        }
        n_near += any && near;
        if (any && !near) {
            far = host_check_printf(check, "%s%s%s", far, n_far++ ? ", " : "", gpu);
        }
    }
    if (n_far > 0) {
        host_check_bad(check, &first->at, NULL, "no NIC is near %s", far);
    } else if (n_near > 0) {
        host_check_good(check, &first->at, "every accelerator has a near NIC");
    }
}

static void all_far(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_link_t *first = NULL;
    uint32_t n = 0, n_far = 0;
    for (uint32_t i = 0; i < host->n_link; i++) {
        const assay_host_link_t *link = &host->link[i];
        if (names(link->a, "GPU") && names(link->b, "GPU") && link->type &&
            strcmp(link->type, "XGMI") != 0 && strcmp(link->type, "PCIE") != 0) {
            first = first ? first : link;
            n++;
            n_far += is_far(link->type);
        }
    }
    if (n > 0 && n_far == n) {
        host_check_bad(check, &first->at, NULL, "all %u pairs are joined over the processors (%s)",
                       n, first->type);
    } else if (n > 0) {
        host_check_good(check, &first->at, "%u of %u pairs are nearer than the processors",
                        n - n_far, n);
    }
}

/* --- XGMI ------------------------------------------------------------------------------------ */

static bool is_type(const assay_host_link_t *link, const char *type) {
    return link->type && strcmp(link->type, type) == 0;
}

/* Names of the matrix, numbered; and who is joined to whom by XGMI, through others too. */
typedef struct {
    const char *name[NODES_MAX];
    uint32_t group[NODES_MAX]; /* smallest number of those that it reaches */
    uint32_t n;
} hives_t;

static uint32_t number_of(hives_t *hives, const char *name) {
    for (uint32_t i = 0; i < hives->n; i++) {
        if (strcmp(hives->name[i], name) == 0) {
            return i;
        }
    }
    if (hives->n == NODES_MAX) {
        return NODES_MAX;
    }
    hives->name[hives->n] = name;
    hives->group[hives->n] = hives->n;
    return hives->n++;
}

static hives_t find_hives(const assay_host_t *host) {
    hives_t hives = {.n = 0};
    for (uint32_t i = 0; i < host->n_link; i++) {
        const uint32_t a = number_of(&hives, host->link[i].a),
                       b = number_of(&hives, host->link[i].b);
        if (a == NODES_MAX || b == NODES_MAX || !is_type(&host->link[i], "XGMI")) {
            continue;
        }
        const uint32_t from = hives.group[a] > hives.group[b] ? hives.group[a] : hives.group[b];
        const uint32_t to = hives.group[a] < hives.group[b] ? hives.group[a] : hives.group[b];
        for (uint32_t k = 0; k < hives.n; k++) {
            hives.group[k] = hives.group[k] == from ? to : hives.group[k];
        }
    }
    return hives;
}

static uint32_t size_of(const hives_t *hives, uint32_t group) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < hives->n; i++) {
        n += hives->group[i] == group;
    }
    return n;
}

/* Drivers show every pair of a hive as XGMI, also where the way leads over another device. So a
   pair of one hive that is not, or a device that is left out of an otherwise whole hive, is a link
   that is down. Two hives of equal size are two bridges. */
static void xgmi_missing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    hives_t hives = find_hives(host);
    uint32_t n_xgmi = 0, most = 0;
    const assay_host_link_t *first = NULL;
    for (uint32_t i = 0; i < host->n_link; i++) {
        n_xgmi += is_type(&host->link[i], "XGMI");
        first = first ? first : is_type(&host->link[i], "XGMI") ? &host->link[i] : NULL;
    }
    if (n_xgmi == 0) {
        return;
    }
    for (uint32_t i = 0; i < hives.n; i++) {
        const uint32_t size = size_of(&hives, hives.group[i]);
        most = size > most ? size : most;
    }
    bool bad = false;
    for (uint32_t i = 0; i < host->n_link; i++) {
        const assay_host_link_t *link = &host->link[i];
        const uint32_t a = number_of(&hives, link->a), b = number_of(&hives, link->b);
        if (a == NODES_MAX || b == NODES_MAX || !is_type(link, "PCIE")) {
            continue;
        }
        const uint32_t size_a = size_of(&hives, hives.group[a]),
                       size_b = size_of(&hives, hives.group[b]);
        if (hives.group[a] == hives.group[b] || size_a != size_b) {
            bad = true;
            host_check_bad(check, &link->at, size_a < size_b ? link->a : link->b,
                           "%s and %s are joined by PCIe, others of %u by XGMI", link->a, link->b,
                           most);
        }
    }
    if (!bad) {
        host_check_good(check, &first->at, "%u pairs are joined by XGMI", n_xgmi);
    }
}

/* hops = 1 for every pair, while their bandwidths differ: it does not count links. */
static void hops_misread(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_link_t *first = NULL;
    double least = 0, most = 0;
    uint32_t n = 0;
    bool all_one = true;
    for (uint32_t i = 0; i < host->n_link; i++) {
        const assay_host_link_t *link = &host->link[i];
        if (!assay_host_known(link->hops.state) || !assay_host_known(link->bytes_per_s.state)) {
            continue;
        }
        all_one &= link->hops.v == 1;
        least = n == 0 || link->bytes_per_s.v < least ? link->bytes_per_s.v : least;
        most = link->bytes_per_s.v > most ? link->bytes_per_s.v : most;
        first = first ? first : link;
        n++;
    }
    if (n > 1 && all_one && least < most) {
        host_check_bad(check, &first->hops.at, NULL,
                       "every pair has hops 1, and bandwidths from %.0f to %.0f GB/s", least / 1e9,
                       most / 1e9);
    } else if (n > 0) {
        host_check_good(check, &first->hops.at, "hops and bandwidths agree");
    }
}

static void all_pcie(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_link_t *first = NULL;
    uint32_t n_pcie = 0, n = 0;
    for (uint32_t i = 0; i < host->n_link; i++) {
        const bool pcie = is_type(&host->link[i], "PCIE");
        if (pcie || is_type(&host->link[i], "XGMI")) {
            first = first ? first : &host->link[i];
            n_pcie += pcie;
            n++;
        }
    }
    if (n > 0 && n_pcie == n) {
        host_check_bad(check, &first->at, NULL, "all %u pairs are joined by PCIe", n);
    } else if (n > 0) {
        host_check_good(check, &first->at, "%u of %u pairs are joined by XGMI", n - n_pcie, n);
    }
}

static const host_check_row_t row[] = {
    {"NUM-001", uneven_nodes}, {"NUM-002", no_node},      {"NUM-003", far_nics},
    {"NVD-007", all_far},      {"XGM-001", xgmi_missing}, {"XGM-003", hops_misread},
    {"XGM-004", all_pcie},
};
const host_check_group_t host_checks_topology = {row, sizeof row / sizeof row[0]};
