/* The compute driver's topology below /sys/class/kfd: its nodes, their links, memory and caches,
   and who holds memory. */
#include <string.h>

#include "host/host_live.h"

#include "base/banned.h"

#define NODES "sys/class/kfd/kfd/topology/nodes"
#define PROCESSES "sys/class/kfd/kfd/proc"
#define NODES_MAX 256u
#define CACHES_READ 64u /* the first-level caches, hundreds of them, come before the others */

typedef struct {
    const char *bdf[NODES_MAX]; /* by node; NULL: a processor, or none */
} nodes_t;

/* Values of "name decimal" lines. */
static void read_values(host_live_t *live, const char *path, const char *const *name, size_t n,
                        double *value) {
    host_span_t text = host_live_text(live, path, NULL);
    for (size_t i = 0; i < n; i++) {
        value[i] = -1;
    }
    while (text.n > 0) {
        host_span_t rest = host_cut(&text, "\n"), after;
        const host_span_t key = host_word(&rest);
        for (size_t i = 0; i < n; i++) {
            if (host_is(key, name[i])) {
                (void)host_number(rest, &value[i], &after);
            }
        }
    }
}

static bool node_number(const char *name, uint32_t *out_node) {
    double number;
    host_span_t rest;
    if (!host_number(host_span(name), &number, &rest) || rest.n > 0 || number < 0 ||
        number >= NODES_MAX) {
        return false;
    }
    *out_node = (uint32_t)number;
    return true;
}

/* Banks: heap type 1 is device memory that the host sees, 2 that it does not. */
static void read_banks(host_live_t *live, const char *dir, const char *bdf) {
    static const char *const name[] = {"heap_type", "size_in_bytes"};
    uint32_t n;
    double sum = 0;
    const char **bank = host_live_list(live, host_live_path(live, "%s/mem_banks", dir), &n);
    for (uint32_t i = 0; i < n; i++) {
        double value[2];
        read_values(live, host_live_path(live, "%s/mem_banks/%s/properties", dir, bank[i]), name, 2,
                    value);
        sum += (value[0] == 1 || value[0] == 2) && value[1] > 0 ? value[1] : 0;
    }
    assay_host_gpu_t *gpu = host_gpu_find(live->parse->host, bdf);
    if (gpu && sum > 0) {
        host_live_at(live, host_live_path(live, "%s/mem_banks", dir));
        host_set_number(live->parse, &gpu->vram_bytes, sum);
    }
}

static void read_caches(host_live_t *live, const char *dir, const char *bdf) {
    static const char *const name[] = {"level", "size"};
    uint32_t n;
    double sum[4] = {0};
    (void)host_live_list(live, host_live_path(live, "%s/caches", dir), &n);
    for (uint32_t i = 0; i < n && i < CACHES_READ; i++) {
        double value[2];
        read_values(live, host_live_path(live, "%s/caches/%u/properties", dir, n - 1 - i), name, 2,
                    value);
        if (value[0] < 2 || value[0] > 3) {
            break;
        }
        sum[(size_t)value[0]] += value[1] > 0 ? value[1] * 1024 : 0;
    }
    assay_host_gpu_t *gpu = host_gpu_find(live->parse->host, bdf);
    host_live_at(live, host_live_path(live, "%s/caches", dir));
    if (gpu && sum[2] > 0) {
        host_set_number(live->parse, &gpu->l2_bytes, sum[2]);
    }
    if (gpu && sum[3] > 0) {
        host_set_number(live->parse, &gpu->l3_bytes, sum[3]);
    }
}

static const char *read_node(host_live_t *live, const char *name, uint32_t node) {
    host_parse_t *parse = live->parse;
    const char *dir = host_live_path(live, NODES "/%s", name);
    assay_host_number_t id = {0};
    parse->rest = host_live_text(live, host_live_path(live, "%s/properties", dir), NULL);
    const assay_host_gpu_t *made = host_kfd_node(parse);
    const char *bdf = made ? made->bdf.s : NULL;
    if (!bdf) {
        return NULL;
    }
    host_live_number(live, host_live_path(live, "%s/gpu_id", dir), 1, &id);
    assay_host_gpu_t *gpu = host_gpu_find(parse->host, bdf);
    if (gpu) {
        host_set_number(parse, &gpu->kfd_node, node);
        gpu->kfd_gpu_id = id;
    }
    read_banks(live, dir, bdf);
    read_caches(live, dir, bdf);
    return bdf;
}

/* Links to processors are left out: the PCI tree tells of them. */
static void read_links(host_live_t *live, const char *list, uint32_t from, const nodes_t *nodes) {
    enum { TYPE, TO, WEIGHT, MAX, N };
    static const char *const name[N] = {"type", "node_to", "weight", "max_bandwidth"};
    host_parse_t *parse = live->parse;
    uint32_t n;
    const char *dir = host_live_path(live, NODES "/%u/%s", from, list);
    const char **link_name = host_live_list(live, dir, &n);
    for (uint32_t i = 0; i < n; i++) {
        double value[N];
        const char *path = host_live_path(live, "%s/%s/properties", dir, link_name[i]);
        read_values(live, path, name, N, value);
        const uint32_t to = value[TO] >= 0 && value[TO] < NODES_MAX ? (uint32_t)value[TO] : from;
        if (to == from || !nodes->bdf[to]) {
            continue;
        }
        host_live_at(live, path);
        assay_host_link_t *link = host_link(parse, nodes->bdf[from], nodes->bdf[to]);
        if (!link) {
            return;
        }
        if (!link->type) {
            link->type = value[TYPE] == 11 ? "XGMI" : value[TYPE] == 2 ? "PCIE" : NULL;
        }
        if (value[WEIGHT] >= 0) {
            host_set_number(parse, &link->weight, value[WEIGHT]);
        }
        if (value[MAX] > 0) {
            host_set_number(parse, &link->bytes_per_s, value[MAX] * 1e6);
        }
    }
}

/* vram_<gpu_id> of each process that uses the driver. */
static void read_process(host_live_t *live, const char *pid_name) {
    host_parse_t *parse = live->parse;
    assay_host_t *host = parse->host;
    const char *dir = host_live_path(live, PROCESSES "/%s", pid_name);
    uint32_t n, n_gpu = 0;
    double pid, sum = 0;
    host_span_t rest;
    const char **name = host_live_list(live, dir, &n);
    if (!host_number(host_span(pid_name), &pid, &rest) || rest.n > 0) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        double id, bytes;
        if (!host_starts(host_span(name[i]), "vram_") ||
            !host_number(host_span(name[i] + 5), &id, &rest)) {
            continue;
        }
        const host_span_t text =
            host_live_text(live, host_live_path(live, "%s/%s", dir, name[i]), NULL);
        if (!host_number(text, &bytes, &rest)) {
            continue;
        }
        n_gpu++;
        sum += bytes;
        for (uint32_t g = 0; g < host->n_gpu; g++) {
            assay_host_number_t *used = &host->gpu[g].vram_process_bytes;
            if (assay_host_known(host->gpu[g].kfd_gpu_id.state) &&
                host->gpu[g].kfd_gpu_id.v == id) {
                const double before = assay_host_known(used->state) ? used->v : 0;
                *used = (assay_host_number_t){0};
                host_set_number(parse, used, before + bytes);
            }
        }
    }
    const host_span_t comm =
        host_trim(host_live_text(live, host_live_path(live, "proc/%s/comm", pid_name), NULL));
    host_live_at(live, dir);
    assay_host_process_t *process = host_add(parse, process);
    if (process) {
        *process = (assay_host_process_t){
            .pid = (int64_t)pid, .name = host_copy(parse, comm), .at = host_here(parse)};
        host_set_number(parse, &process->vram_bytes, sum);
        host_set_number(parse, &process->gpus, n_gpu);
    }
}

void host_live_kfd(host_live_t *live) {
    host_parse_t *parse = live->parse;
    nodes_t nodes = {{NULL}};
    uint32_t n, node, n_gpu = 0;
    const char **name = host_live_list(live, NODES, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (node_number(name[i], &node)) {
            nodes.bdf[node] = read_node(live, name[i], node);
            n_gpu += nodes.bdf[node] != NULL;
        }
    }
    if (name) {
        host_live_at(live, NODES);
        host_set_number(parse, &parse->host->kfd_gpus, n_gpu);
    }
    for (node = 0; node < NODES_MAX; node++) {
        if (nodes.bdf[node]) {
            read_links(live, "io_links", node, &nodes);
            read_links(live, "p2p_links", node, &nodes);
        }
    }
    name = host_live_list(live, PROCESSES, &n);
    for (uint32_t i = 0; i < n; i++) {
        read_process(live, name[i]);
    }
}
