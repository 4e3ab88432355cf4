#include "resolve/fabric_links.h"

#include <math.h>
#include <string.h>

enum { N = ASSAY_PAIR_DEVICES };

/* Directed rates between devices: symmetric, 0 = none. */
typedef double graph_t[N][N];

static assay_fabric_kind_t kind_of(const char *name) {
    static const struct {
        const char *name;
        assay_fabric_kind_t kind;
    } known[] = {
        {"switch", ASSAY_FABRIC_SWITCH},
        {"full-mesh", ASSAY_FABRIC_FULL_MESH},
        {"partial-mesh", ASSAY_FABRIC_PARTIAL_MESH},
        {"pcie-tree", ASSAY_FABRIC_PCIE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (name != NULL && strcmp(name, known[i].name) == 0) {
            return known[i].kind;
        }
    }
    return ASSAY_FABRIC_NONE;
}

/* Rate of the way with the fewest links between every two devices, the widest of these, divided by
   its links (Floyd and Warshall on the pair (links, width)). */
static void route(graph_t link, uint32_t n, graph_t out_routed) {
    uint32_t hops[N][N];
    graph_t width;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            hops[i][j] = link[i][j] > 0.0 ? 1 : 2 * N;
            width[i][j] = link[i][j];
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n; j++) {
                const uint32_t way = hops[i][k] + hops[k][j];
                const double narrowest = fmin(width[i][k], width[k][j]);
                if (way < hops[i][j] || (way == hops[i][j] && narrowest > width[i][j])) {
                    hops[i][j] = way;
                    width[i][j] = narrowest;
                }
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            out_routed[i][j] = width[i][j] / hops[i][j];
        }
    }
}

/* Stoer and Wagner (1997): global minimum cut of w[0..n)[0..n); destroys w. */
static double min_cut(graph_t w, uint32_t n) {
    double best = INFINITY;
    for (uint32_t left = n; left > 1; left--) {
        double weight[N] = {0};
        bool added[N] = {false};
        uint32_t last = 0, previous = 0;
        for (uint32_t step = 0; step < left; step++) {
            previous = last;
            last = 0;
            for (uint32_t i = 1; i < left; i++) {
                if (!added[i] && (added[last] || weight[i] > weight[last])) {
                    last = i;
                }
            }
            added[last] = true;
            if (step + 1 < left) {
                for (uint32_t i = 0; i < left; i++) {
                    weight[i] += w[last][i];
                }
            }
        }
        best = fmin(best, weight[last]);
        /* merge last into previous, then move the final row into last's place */
        for (uint32_t i = 0; i < left; i++) {
            w[previous][i] += w[last][i];
            w[i][previous] = w[previous][i];
        }
        w[previous][previous] = 0.0;
        for (uint32_t i = 0; i < left; i++) {
            w[last][i] = w[left - 1][i];
            w[i][last] = w[i][left - 1];
        }
        w[last][last] = 0.0;
    }
    return best;
}

/* Members reachable from the first one over the group's own links. */
static uint32_t connected(graph_t w, uint32_t n, bool out_reached[N]) {
    memset(out_reached, 0, N * sizeof *out_reached);
    uint32_t queue[N] = {0}, count = 1;
    out_reached[0] = true;
    for (uint32_t head = 0; head < count; head++) {
        for (uint32_t i = 0; i < n; i++) {
            if (!out_reached[i] && w[queue[head]][i] > 0.0) {
                out_reached[i] = true;
                queue[count++] = i;
            }
        }
    }
    return count;
}

/* Min-cut of the group first, first + stride, ... */
static double group_cut(graph_t link, graph_t routed, uint32_t first, uint32_t n, uint32_t stride) {
    graph_t w;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            w[i][j] = i == j ? 0.0 : link[first + i * stride][first + j * stride];
        }
    }
    bool reached[N];
    if (connected(w, n, reached) < n) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t best = 0;
            for (uint32_t j = 1; j < n && !reached[i]; j++) {
                if (reached[j] && routed[first + i * stride][first + j * stride] >
                                      routed[first + i * stride][first + best * stride]) {
                    best = j;
                }
            }
            if (!reached[i]) {
                w[i][best] = w[best][i] = routed[first + i * stride][first + best * stride];
            }
        }
    }
    return min_cut(w, n);
}

static void fill_cuts(graph_t link, uint32_t devices, assay_links_t *out_links) {
    graph_t routed;
    route(link, devices, routed);
    for (uint32_t stride = 1; stride < devices; stride++) {
        double worst = INFINITY;
        for (uint32_t i = 0; i + stride < devices; i++) {
            worst = fmin(worst, routed[i][i + stride]);
        }
        out_links->p2p_bytes_per_s[stride] = worst;
        for (uint32_t n = 2; n * stride <= devices; n++) {
            double cut = INFINITY;
            for (uint32_t block = 0; block + n * stride <= devices; block += n * stride) {
                for (uint32_t offset = 0; offset < stride; offset++) {
                    cut = fmin(cut, group_cut(link, routed, block + offset, n, stride));
                }
            }
            out_links->cut_bytes_per_s[n][stride] = cut;
        }
    }
    out_links->has_cut = true;
}

void assay_links_from_fabric(const assay_fabric_t *fabric, uint32_t devices_per_node,
                             assay_links_t *out_links) {
    memset(out_links, 0, sizeof *out_links);
    out_links->domain = devices_per_node;
    if (fabric == NULL) {
        return;
    }
    out_links->kind = (uint8_t)(devices_per_node > 1 ? kind_of(fabric->kind) : ASSAY_FABRIC_NONE);
    if (out_links->kind == ASSAY_FABRIC_SWITCH || out_links->kind == ASSAY_FABRIC_PARTIAL_MESH) {
        /* a rack behind one switch, a torus: the domain is larger than the node */
        out_links->domain =
            fabric->scaleup_devices > devices_per_node ? fabric->scaleup_devices : devices_per_node;
    }
    out_links->device_bytes_per_s = fabric->device_bytes_per_s.v;
    out_links->pair_bytes_per_s = fabric->pair_bytes_per_s.v;
    if (out_links->kind == ASSAY_FABRIC_FULL_MESH && !fabric->pair_bytes_per_s.known &&
        fabric->devices > 1) {
        /* a link to each of the others, alike */
        out_links->pair_bytes_per_s = fabric->device_bytes_per_s.v / (fabric->devices - 1);
    }
    out_links->package_bytes_per_s = fabric->package_bytes_per_s.v;
    out_links->nics = fabric->nics;
    out_links->nic_bytes_per_s = fabric->nics * fabric->nic_bits_per_s.v / 8.0;
    if (fabric->pair == NULL || devices_per_node < 2 || devices_per_node > fabric->devices ||
        devices_per_node > N) {
        return;
    }
    graph_t link;
    for (uint32_t i = 0; i < devices_per_node; i++) {
        for (uint32_t j = 0; j < devices_per_node; j++) {
            link[i][j] = fabric->pair[(size_t)i * fabric->devices + j];
        }
    }
    fill_cuts(link, devices_per_node, out_links);
}

bool assay_links_known(const assay_links_t *links, uint32_t devices_per_node) {
    if (devices_per_node < 2) {
        return true;
    }
    for (uint32_t apart = 1; links->has_cut && apart < devices_per_node; apart++) {
        if (!(links->p2p_bytes_per_s[apart] > 0.0)) {
            return false;
        }
    }
    return links->kind == ASSAY_FABRIC_FULL_MESH ? links->pair_bytes_per_s > 0.0
                                                 : links->device_bytes_per_s > 0.0;
}
