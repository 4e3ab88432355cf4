/* Collectives on two tiers: the links inside a node (or scale-up domain) and the NICs. As the tuner
   of NCCL does (src/graph/tuning.cc), each algorithm in each protocol costs a start, its steps
   times their latency, and its bytes over the rate of the slower tier; the fastest is taken. */
#include "assay/physics.h"

#include <math.h>

#include "physics/constants.h"

/* How a group lies on the machine: `inside` members in each of `domains` domains. */
typedef struct {
    double inside, domains;
    uint32_t members; /* inside, rounded up: index of the min-cut table */
} spread_t;

static spread_t spread(const assay_machine_t *machine, uint32_t ranks, uint32_t stride) {
    const assay_links_t *links = &machine->links;
    const uint32_t domain = links->domain > 0 ? links->domain : 1;
    /* In a machine of one domain nobody is outside, even where the groups' stride does not divide
       it (first and last stage of four in 16 devices: 12). */
    const uint32_t fit = machine->devices <= domain ? ranks : stride < domain ? domain / stride : 1;
    const uint32_t members = ranks < fit ? ranks : fit;
    const uint32_t domains = (ranks + members - 1) / members;
    spread_t s = {.inside = (double)ranks / domains, .domains = domains, .members = members};
    return s;
}

/* What one member can send to the others of its group inside a domain, bytes/s. */
static double inside_bytes_per_s(const assay_links_t *links, uint32_t members, uint32_t stride) {
    if (links->has_cut && members <= ASSAY_PAIR_DEVICES && stride <= ASSAY_PAIR_DEVICES &&
        links->cut_bytes_per_s[members][stride] > 0.0) {
        return links->cut_bytes_per_s[members][stride];
    }
    if (links->has_cut && members == 2 && stride < ASSAY_PAIR_DEVICES) {
        return links->p2p_bytes_per_s[stride]; /* a pair that does not tile the node */
    }
    if (links->kind == ASSAY_FABRIC_FULL_MESH) {
        return links->pair_bytes_per_s * (members - 1);
    }
    return links->device_bytes_per_s;
}

/* Every device of a node takes part in some group at the same time: an equal share of the NICs. */
static double nic_share_bytes_per_s(const assay_machine_t *machine) {
    return machine->links.nic_bytes_per_s / machine->devices_per_node;
}

/* ceil(log2 n) */
static double doublings(double n) {
    double steps = 0.0;
    for (double reached = 1.0; reached < n; reached *= 2.0) {
        steps += 1.0;
    }
    return steps;
}

/* What an algorithm does with a buffer: steps one after the other, and how often the buffer passes
   the links of a member and the NICs that the members of a domain share. own: how much of the
   buffer a member copies from itself to itself. */
typedef struct {
    double hops, network_hops, inside, across, own;
} path_t;

/* Round all ranks, once to gather, twice to reduce. */
static path_t ring(assay_collective_t kind, spread_t s, double ranks) {
    const double passes = kind == ASSAY_COLL_ALL_REDUCE ? 2.0 : 1.0;
    const double network_hops = passes * (s.domains - 1.0);
    const double volume = passes * (ranks - 1.0) / ranks;
    return (path_t){.hops = passes * (ranks - 1.0) - network_hops,
                    .network_hops = network_hops,
                    .inside = s.inside > 1.0 ? volume : 0.0,
                    .across = s.domains > 1.0 ? volume : 0.0,
                    .own = kind == ASSAY_COLL_ALL_REDUCE ? 0.0 : 1.0 / ranks};
}

/* Two trees over the domains, each for half of the buffer: a domain is a leaf in one and has two
   below it in the other, so the buffer leaves it twice; of two domains each sends half up and half
   down. */
static double tree_across(spread_t s) {
    return s.domains > 2.0 ? 2.0 : s.domains > 1.0 ? 1.0 : 0.0;
}

/* Up a chain inside, up and down the trees between domains, down the chain. */
static path_t tree(assay_collective_t kind, spread_t s, double ranks) {
    (void)kind;
    (void)ranks;
    return (path_t){.hops = 2.0 * (s.inside - 1.0),
                    .network_hops = 2.0 * doublings(s.domains),
                    .inside = s.inside > 1.0 ? 2.0 : 0.0,
                    .across = tree_across(s)};
}

/* The switch reduces: a member reads its share of the sum, to which all send theirs, and writes it
   once for all. */
static path_t nvls(assay_collective_t kind, spread_t s, double ranks) {
    (void)s;
    const bool reduces = kind == ASSAY_COLL_ALL_REDUCE;
    return (path_t){.hops = 1.0,
                    .inside = (reduces ? ranks + 1.0 : ranks - 1.0) / ranks,
                    .own = reduces ? 0.0 : 1.0 / ranks};
}

/* The same inside each domain, trees between them. */
static path_t nvls_tree(assay_collective_t kind, spread_t s, double ranks) {
    (void)kind;
    (void)ranks;
    return (path_t){.hops = 1.0,
                    .network_hops = 2.0 * doublings(s.domains),
                    .inside = (s.inside + 1.0) / s.inside,
                    .across = tree_across(s)};
}

/* One rank a domain: doublings, with work for each rank. */
static path_t pat(assay_collective_t kind, spread_t s, double ranks) {
    (void)kind;
    return (path_t){
        .hops = ranks, .network_hops = doublings(s.domains), .across = (ranks - 1.0) / ranks};
}

/* A part of the buffer from everybody to everybody, all at once. */
static path_t direct(assay_collective_t kind, spread_t s, double ranks) {
    (void)kind;
    return (path_t){.hops = doublings(s.inside),
                    .network_hops = doublings(s.domains),
                    .inside = (s.inside - 1.0) / ranks,
                    .across = s.inside * (ranks - s.inside) / ranks,
                    .own = 1.0 / ranks};
}

/* Which collectives an algorithm can do, and how. alone: of groups with one rank a domain only;
   together: of groups with several. */
#define OF(kind) (1u << (kind))
static const struct {
    unsigned kinds;
    bool alone, together;
    path_t (*path)(assay_collective_t kind, spread_t s, double ranks);
} algorithm[ASSAY_ALGORITHM_N] = {
    [ASSAY_ALGORITHM_RING] = {OF(ASSAY_COLL_ALL_REDUCE) | OF(ASSAY_COLL_REDUCE_SCATTER) |
                                  OF(ASSAY_COLL_ALL_GATHER),
                              true, true, ring},
    [ASSAY_ALGORITHM_TREE] = {OF(ASSAY_COLL_ALL_REDUCE), true, true, tree},
    [ASSAY_ALGORITHM_NVLS] = {OF(ASSAY_COLL_ALL_REDUCE) | OF(ASSAY_COLL_REDUCE_SCATTER) |
                                  OF(ASSAY_COLL_ALL_GATHER),
                              false, true, nvls},
    [ASSAY_ALGORITHM_NVLS_TREE] = {OF(ASSAY_COLL_ALL_REDUCE), false, true, nvls_tree},
    [ASSAY_ALGORITHM_PAT] = {OF(ASSAY_COLL_REDUCE_SCATTER) | OF(ASSAY_COLL_ALL_GATHER), true, false,
                             pat},
    [ASSAY_ALGORITHM_DIRECT] = {OF(ASSAY_COLL_ALL_TO_ALL), true, true, direct},
};

/* Rates of the two tiers and what is calibrated of the rest. */
typedef struct {
    double s_per_byte, network_s_per_byte; /* of a member's links; of its domain's share of NICs */
    double start, hop, network_hop, own, ramp, switch_gain;
} tiers_t;

static tiers_t tiers(const assay_machine_t *machine, spread_t s, uint32_t stride) {
    const assay_device_t *device = &machine->device;
    tiers_t t = {
        .start = constant(device, ASSAY_CALIB_FABRIC_START),
        .hop = constant(device, ASSAY_CALIB_FABRIC_HOP),
        .network_hop = constant(device, ASSAY_CALIB_NETWORK_HOP),
        .own = constant(device, ASSAY_CALIB_FABRIC_OWN_SHARE),
        .ramp = constant(device, ASSAY_CALIB_FABRIC_RAMP),
        .switch_gain = constant(device, ASSAY_CALIB_FABRIC_SWITCH_GAIN),
    };
    if (s.members > 1) {
        t.s_per_byte = 1.0 / (inside_bytes_per_s(&machine->links, s.members, stride) *
                              constant(device, ASSAY_CALIB_FABRIC_EFFICIENCY));
    }
    if (s.domains > 1.0) {
        t.network_s_per_byte = 1.0 / (nic_share_bytes_per_s(machine) * s.inside *
                                      constant(device, ASSAY_CALIB_NETWORK_EFFICIENCY));
    }
    return t;
}

/* The two tiers work on different pieces of the buffer at the same time: latencies add, the slower
   transfer counts. Inside a node pieces are cut finer or coarser with the size of the buffer, which
   adds the square root of latency times transfer. HUGE_VAL as soon as it is not below `best`. */
static double way_s(const assay_way_t *way, const tiers_t *t, const path_t *path, double bytes,
                    double best) {
    const double latency_s = path->hops * way->hop_s * t->hop;
    double total_s = way->base_s * t->start + latency_s +
                     path->network_hops * way->network_hop_s * t->network_hop;
    const double gain =
        way->algorithm == ASSAY_ALGORITHM_NVLS || way->algorithm == ASSAY_ALGORITHM_NVLS_TREE
            ? t->switch_gain
            : 1.0;
    double inside_s = 0.0;
    if (path->inside > 0.0) {
        inside_s = bytes * (path->inside / gain + path->own * t->own) * t->s_per_byte / way->rate;
    }
    double across_s = 0.0;
    if (path->across > 0.0) {
        across_s = bytes * path->across * t->network_s_per_byte / way->network_rate;
    }
    if (!(total_s + (inside_s > across_s ? inside_s : across_s) < best)) {
        return HUGE_VAL;
    }
    inside_s += t->ramp * sqrt(latency_s * inside_s);
    total_s += inside_s > across_s ? inside_s : across_s;
    return total_s < best ? total_s : HUGE_VAL;
}

assay_collective_choice_t assay_collective_choose(const assay_machine_t *machine,
                                                  assay_collective_t kind, double bytes,
                                                  uint32_t ranks, uint32_t stride) {
    assay_collective_choice_t best = {.elapsed_s = 0.0, .way = NULL};
    if (ranks <= 1 || !(bytes > 0.0)) {
        return best;
    }
    const spread_t s = spread(machine, ranks, stride);
    const tiers_t t = tiers(machine, s, stride);
    const bool alone = s.members <= 1, many = s.domains > 1.0;
    int known = ASSAY_ALGORITHM_N; /* rows of an algorithm stand together */
    path_t path = {0};
    best.elapsed_s = HUGE_VAL;
    for (uint32_t i = 0; i < machine->n_way; i++) {
        const assay_way_t *way = &machine->way[i];
        if (!(algorithm[way->algorithm].kinds & OF(kind)) ||
            !(alone ? algorithm[way->algorithm].alone : algorithm[way->algorithm].together) ||
            !(many ? way->many_nodes : way->one_node)) {
            continue;
        }
        if (known != way->algorithm) {
            path = algorithm[way->algorithm].path(kind, s, ranks);
            known = way->algorithm;
        }
        const double elapsed_s = way_s(way, &t, &path, bytes, best.elapsed_s);
        if (elapsed_s < best.elapsed_s) {
            best = (assay_collective_choice_t){.elapsed_s = elapsed_s, .way = way};
        }
    }
    return best;
}

double assay_collective_s(const assay_machine_t *machine, assay_collective_t kind, double bytes,
                          uint32_t ranks, uint32_t stride) {
    return assay_collective_choose(machine, kind, bytes, ranks, stride).elapsed_s;
}

/* One send and the receive that waits for it: the protocol that is faster. */
double assay_p2p_s(const assay_machine_t *machine, double bytes, uint32_t stride) {
    const assay_links_t *links = &machine->links;
    const assay_device_t *device = &machine->device;
    if (!(bytes > 0.0)) {
        return 0.0;
    }
    double inside_s = 0.0, across_s = 0.0;
    const bool inside = stride<links->domain, across = machine->devices> links->domain;
    if (inside) {
        double rate = links->kind == ASSAY_FABRIC_FULL_MESH ? links->pair_bytes_per_s
                                                            : links->device_bytes_per_s;
        if (links->has_cut && stride < ASSAY_PAIR_DEVICES) {
            rate = links->p2p_bytes_per_s[stride];
        }
        inside_s = bytes / (rate * constant(device, ASSAY_CALIB_FABRIC_EFFICIENCY));
    }
    if (across) {
        /* some neighbours are in different domains: `stride` of a node's devices send at once */
        const double senders =
            stride < machine->devices_per_node ? stride : machine->devices_per_node;
        across_s = bytes * senders /
                   (links->nic_bytes_per_s * constant(device, ASSAY_CALIB_NETWORK_EFFICIENCY));
    }
    double best_s = HUGE_VAL;
    for (uint32_t i = 0; i < machine->n_way; i++) {
        const assay_way_t *way = &machine->way[i];
        if (way->algorithm != ASSAY_ALGORITHM_DIRECT) {
            continue;
        }
        const double in_s =
            inside ? way->hop_s * constant(device, ASSAY_CALIB_FABRIC_HOP) + inside_s / way->rate
                   : 0.0;
        const double out_s = across
                                 ? way->network_hop_s * constant(device, ASSAY_CALIB_NETWORK_HOP) +
                                       across_s / way->network_rate
                                 : 0.0;
        const double total_s = way->base_s * constant(device, ASSAY_CALIB_FABRIC_START) +
                               (in_s > out_s ? in_s : out_s);
        best_s = total_s < best_s ? total_s : best_s;
    }
    return best_s;
}

double assay_collective_bus_bytes_per_s(const assay_machine_t *machine, assay_collective_t kind,
                                        double bytes, uint32_t ranks, uint32_t stride) {
    const double elapsed_s = assay_collective_s(machine, kind, bytes, ranks, stride);
    if (!(elapsed_s > 0.0)) {
        return 0.0;
    }
    const double passes = kind == ASSAY_COLL_ALL_REDUCE ? 2.0 : 1.0;
    return passes * (ranks - 1.0) / ranks * bytes / elapsed_s;
}
