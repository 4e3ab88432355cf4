/* Who is how far from whom: the tables of amd-smi, rocm-smi and nvidia-smi, and lstopo's text. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

#define NAMES_MAX 128
#define LINKS_MAX (NAMES_MAX * (NAMES_MAX - 1) / 2) /* each cell is looked up among them */
#define TABLES_MAX 16

assay_host_link_t *host_link(host_parse_t *parse, const char *a, const char *b) {
    assay_host_t *host = parse->host;
    for (uint32_t i = 0; i < host->n_link; i++) {
        assay_host_link_t *link = &host->link[i];
        if ((strcmp(link->a, a) == 0 && strcmp(link->b, b) == 0) ||
            (strcmp(link->a, b) == 0 && strcmp(link->b, a) == 0)) {
            return link;
        }
    }
    assay_host_link_t *link = host->n_link < LINKS_MAX ? host_add(parse, link) : NULL;
    if (link) {
        *link = (assay_host_link_t){.a = a, .b = b, .at = host_here(parse)};
    }
    return link;
}

/* What a table of a matrix says: from its title. */
typedef enum { TABLE_NONE, TABLE_WEIGHT, TABLE_HOPS, TABLE_TYPE, TABLE_BANDWIDTH } table_t;

static table_t table_of(host_span_t line) {
    static const struct {
        const char *title;
        table_t table;
    } row[] = {{"WEIGHT TABLE", TABLE_WEIGHT},
               {"HOPS TABLE", TABLE_HOPS},
               {"LINK TYPE TABLE", TABLE_TYPE},
               {"NUMA BW TABLE", TABLE_BANDWIDTH},
               {"Weight between two GPUs", TABLE_WEIGHT},
               {"Hops between two GPUs", TABLE_HOPS},
               {"Link Type between two GPUs", TABLE_TYPE},
               {"Numa Bandwidth", TABLE_BANDWIDTH},
               {" TABLE:", TABLE_NONE},
               {"=====", TABLE_NONE}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (host_has(line, row[i].title)) {
            return row[i].table;
        }
    }
    return TABLE_NONE;
}

static void set_cell(host_parse_t *parse, table_t table, host_span_t value,
                     assay_host_link_t *link) {
    double number;
    host_span_t rest;
    if (table == TABLE_TYPE) {
        link->type = link->type ? link->type : host_copy(parse, value);
    } else if (!host_number(value, &number, &rest)) {
        return;
    } else if (table == TABLE_WEIGHT) {
        host_set_number(parse, &link->weight, number);
    } else if (table == TABLE_HOPS) {
        host_set_number(parse, &link->hops, number);
    } else if (table == TABLE_BANDWIDTH) { /* "min-max" in MB/s; what counts is the most */
        double most;
        if (host_starts(rest, "-") &&
            host_number((host_span_t){rest.s + 1, rest.n - 1}, &most, &rest)) {
            number = most;
        }
        host_set_number(parse, &link->bytes_per_s, number * 1e6);
    }
}

/* A name of a device in a heading or in front of a row, in one spelling. */
static const char *device_name(host_parse_t *parse, host_span_t word) {
    const char *bdf = host_bdf(parse, word);
    if (bdf) {
        host_gpu(parse, ASSAY_VENDOR_AMD, -1, bdf);
        return bdf;
    }
    double index;
    host_span_t rest;
    if (host_starts(word, "GPU") &&
        host_number((host_span_t){word.s + 3, word.n - 3}, &index, &rest) && rest.n == 0 &&
        index >= 0 && index < 65536) {
        host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, NULL);
        return host_copy(parse, word);
    }
    return NULL;
}

typedef struct {
    const char *name[NAMES_MAX];
    uint32_t n;
} names_t;

void host_parse_matrix(host_parse_t *parse) {
    names_t head = {.n = 0};
    table_t table = TABLE_NONE;
    uint32_t n_table = 0, n_row = 0;
    for (host_span_t line; n_table <= TABLES_MAX && host_next_line(parse, &line);) {
        if (host_has(line, "TABLE") || host_has(line, "between two GPUs") ||
            host_has(line, "=====") || host_has(line, "Numa Bandwidth")) {
            table = table_of(line);
            head.n = 0;
            continue;
        }
        host_span_t rest = line;
        const bool is_head = host_indent(line) > 0;
        host_span_t word = host_word(&rest);
        if (table == TABLE_NONE || word.n == 0) {
            continue;
        }
        if (is_head) {
            head.n = n_row = 0;
            n_table++;
            for (; word.n > 0 && head.n < NAMES_MAX; word = host_word(&rest)) {
                const char *name = device_name(parse, word);
                if (name) {
                    head.name[head.n++] = name;
                }
            }
            continue;
        }
        const char *a = n_row++ < head.n ? device_name(parse, word) : NULL;
        for (uint32_t i = 0; a && i < head.n; i++) {
            const host_span_t value = host_word(&rest);
            if (strcmp(a, head.name[i]) != 0 && value.n > 0) {
                assay_host_link_t *link = host_link(parse, a, head.name[i]);
                if (link) {
                    set_cell(parse, table, value, link);
                }
            }
        }
    }
}

/* --- nvidia-smi topo -m ---------------------------------------------------------------------- */

static bool is_topo_name(host_span_t word) {
    return host_starts(word, "GPU") || host_starts(word, "NIC") || host_starts(word, "mlx5_") ||
           host_starts(word, "bnxt_re");
}

/* The affinities behind the matrix: processors, NUMA node. */
static void read_affinity(host_parse_t *parse, const char *name, host_span_t rest) {
    double index, node;
    host_span_t after;
    const host_span_t word = host_span(name);
    if (!host_starts(word, "GPU") ||
        !host_number((host_span_t){word.s + 3, word.n - 3}, &index, &after)) {
        return;
    }
    assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_NVIDIA, (int64_t)index, NULL);
    (void)host_word(&rest);
    const host_span_t numa = host_word(&rest);
    if (gpu && host_number(numa, &node, &after) && after.n == 0) {
        host_set_number(parse, &gpu->numa_node, node);
    }
}

void host_parse_nvidia_topo(host_parse_t *parse) {
    names_t head = {.n = 0};
    uint32_t n_row = 0;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        host_span_t word = host_word(&rest);
        if (!is_topo_name(word)) {
            continue;
        }
        if (host_indent(line) > 0 && head.n == 0) {
            for (; is_topo_name(word) && head.n < NAMES_MAX; word = host_word(&rest)) {
                /* "GPU NUMA ID" is a heading of its own */
                if (word.n > 3) {
                    const char *name = host_copy(parse, word);
                    if (!name) {
                        return;
                    }
                    head.name[head.n++] = name;
                }
            }
            continue;
        }
        const char *a = n_row++ < head.n ? host_copy(parse, word) : NULL;
        for (uint32_t i = 0; a && i < head.n; i++) {
            const host_span_t value = host_word(&rest);
            if (value.n == 0 || host_is(value, "X") || strcmp(a, head.name[i]) == 0) {
                continue;
            }
            assay_host_link_t *link = host_link(parse, a, head.name[i]);
            if (link && !link->type) {
                link->type = host_copy(parse, value);
            }
        }
        if (a && head.n > 0) {
            read_affinity(parse, a, rest);
        }
    }
}

/* --- lstopo, text ---------------------------------------------------------------------------- */

/* "PCI L#3 (busid=0000:3f:00.0 id=1002:66a1 class=0380(Display) link=15.00GB/s)" */
void host_parse_lstopo(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        const ptrdiff_t bus = host_find(line, "busid="), id = host_find(line, " id="),
                        class = host_find(line, "class=");
        if (bus < 0 || id < 0 || class < 0) {
            continue;
        }
        const host_span_t at = {line.s + bus + 6, line.n - (size_t)bus - 6};
        const char *bdf = host_bdf(parse, at);
        unsigned vendor, device, kind;
        host_span_t ids = {line.s + id + 4, line.n - (size_t)id - 4};
        host_span_t classes = {line.s + class + 6, line.n - (size_t) class - 6};
        if (!bdf || !host_hex(host_cut(&ids, ":"), &vendor) || ids.n < 4 ||
            !host_hex((host_span_t){ids.s, 4}, &device) || classes.n < 4 ||
            !host_hex((host_span_t){classes.s, 4}, &kind)) {
            continue;
        }
        assay_host_pci_t *pci = host_pci(parse, bdf);
        if (pci) {
            pci->vendor_id = vendor;
            pci->device_id = device;
            pci->subclass = kind;
            pci->bridge = kind == 0x0604;
        }
        host_pci_gpu(parse, pci);
    }
}
