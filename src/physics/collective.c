/* Collectives on two tiers: the links inside a node (or scale-up domain) and the NICs. Costs after
   Thakur, Rabenseifner and Gropp (2005) and NCCL's src/graph/tuning.cc: steps x latency + bytes
   over the rate of the slowest link; ring and tree, whichever is faster. */
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

/* One tier of one algorithm: latency and transfer, seconds. */
typedef struct {
    double latency_s, transfer_s;
} cost_t;

/* n members, buffer of `bytes`, each can send at `rate`. Of the n parts n - 1 travel; the member's
   own part is copied, at the cost of `own` of a part that travels. */
static cost_t ring(double n, double bytes, double rate, double alpha_s, double passes, double own) {
    cost_t c = {0.0, 0.0};
    if (n > 1.0) {
        c.latency_s = passes * (n - 1.0) * alpha_s;
        c.transfer_s = passes * (n - 1.0 + own) / n * bytes / rate;
    }
    return c;
}
static cost_t tree(double n, double bytes, double rate, double alpha_s) {
    cost_t c = {2.0 * doublings(n) * alpha_s, n > 1.0 ? 2.0 * bytes / rate : 0.0};
    return c;
}

/* The two tiers work on different pieces of the buffer at the same time: latencies add, the slower
   transfer counts. The rate inside a node grows slowly with the size: a square-root term. */
static double joined_s(cost_t inside, cost_t across, double ramp) {
    const double inside_s = inside.transfer_s + ramp * sqrt(inside.latency_s * inside.transfer_s);
    return inside.latency_s + across.latency_s +
           (inside_s > across.transfer_s ? inside_s : across.transfer_s);
}

/* Rates and latencies of the two tiers, calibrated. */
typedef struct {
    double inside_rate, across_rate, inside_alpha_s, across_alpha_s, own, ramp;
} tiers_t;

static tiers_t tiers(const assay_machine_t *machine, spread_t s, uint32_t stride) {
    const assay_device_t *device = &machine->device;
    tiers_t t = {
        .inside_rate = s.members > 1 ? inside_bytes_per_s(&machine->links, s.members, stride) *
                                           constant(device, ASSAY_CALIB_FABRIC_EFFICIENCY)
                                     : HUGE_VAL,
        .across_rate = s.domains > 1.0 ? nic_share_bytes_per_s(machine) *
                                             constant(device, ASSAY_CALIB_NETWORK_EFFICIENCY)
                                       : HUGE_VAL,
        .inside_alpha_s = constant(device, ASSAY_CALIB_FABRIC_ALPHA_S),
        .across_alpha_s = constant(device, ASSAY_CALIB_NETWORK_ALPHA_S),
        .own = constant(device, ASSAY_CALIB_FABRIC_OWN_SHARE),
        .ramp = constant(device, ASSAY_CALIB_FABRIC_RAMP),
    };
    return t;
}

/* Reduce inside, all-reduce of each member's share across, gather inside; ring or tree on each. */
static double all_reduce_s(tiers_t t, spread_t s, double bytes) {
    const cost_t inside[] = {ring(s.inside, bytes, t.inside_rate, t.inside_alpha_s, 2.0, t.own),
                             tree(s.inside, bytes, t.inside_rate, t.inside_alpha_s)};
    const double share = bytes / s.inside;
    const cost_t across[] = {ring(s.domains, share, t.across_rate, t.across_alpha_s, 2.0, 0.0),
                             tree(s.domains, share, t.across_rate, t.across_alpha_s)};
    double best = HUGE_VAL;
    for (int i = 0; i < 2; i++) {
        for (int a = 0; a < 2; a++) {
            const double s_ia = joined_s(inside[i], across[a], t.ramp);
            best = s_ia < best ? s_ia : best;
        }
    }
    return best;
}

/* All-gather, or reduce-scatter: the same backwards. */
static double gather_s(tiers_t t, spread_t s, double bytes) {
    return joined_s(ring(s.inside, bytes, t.inside_rate, t.inside_alpha_s, 1.0, t.own),
                    ring(s.domains, bytes / s.inside, t.across_rate, t.across_alpha_s, 1.0, 0.0),
                    t.ramp);
}

/* Everybody sends bytes/ranks to everybody, all at once: latency grows with the doublings. */
static double all_to_all_s(tiers_t t, spread_t s, double bytes) {
    const double ranks = s.inside * s.domains;
    const cost_t inside = {doublings(s.inside) * t.inside_alpha_s,
                           bytes * (s.inside - 1.0) / ranks / t.inside_rate};
    const cost_t across = {doublings(s.domains) * t.across_alpha_s,
                           bytes * (ranks - s.inside) / ranks / t.across_rate};
    return joined_s(inside, across, t.ramp);
}

double assay_collective_s(const assay_machine_t *machine, assay_collective_t kind, double bytes,
                          uint32_t ranks, uint32_t stride) {
    if (ranks <= 1 || !(bytes > 0.0)) {
        return 0.0;
    }
    const spread_t s = spread(machine, ranks, stride);
    tiers_t t = tiers(machine, s, stride);
    const double launch_s = constant(&machine->device, ASSAY_CALIB_LAUNCH_S);
    switch (kind) {
    case ASSAY_COLL_ALL_REDUCE:
        t.inside_rate *= constant(&machine->device, ASSAY_CALIB_FABRIC_REDUCE_GAIN);
        return launch_s + all_reduce_s(t, s, bytes);
    case ASSAY_COLL_ALL_TO_ALL:
        return launch_s + all_to_all_s(t, s, bytes);
    default:
        return launch_s + gather_s(t, s, bytes);
    }
}

double assay_p2p_s(const assay_machine_t *machine, double bytes, uint32_t stride) {
    const assay_links_t *links = &machine->links;
    const assay_device_t *device = &machine->device;
    if (!(bytes > 0.0)) {
        return 0.0;
    }
    double slowest_s = 0.0;
    if (stride < links->domain) {
        double rate = links->kind == ASSAY_FABRIC_FULL_MESH ? links->pair_bytes_per_s
                                                            : links->device_bytes_per_s;
        if (links->has_cut && stride < ASSAY_PAIR_DEVICES) {
            rate = links->p2p_bytes_per_s[stride];
        }
        slowest_s = constant(device, ASSAY_CALIB_FABRIC_ALPHA_S) +
                    bytes / (rate * constant(device, ASSAY_CALIB_FABRIC_EFFICIENCY));
    }
    if (machine->devices > links->domain) {
        /* some neighbours are in different domains: `stride` of a node's devices send at once */
        const double senders =
            stride < machine->devices_per_node ? stride : machine->devices_per_node;
        const double across_s =
            constant(device, ASSAY_CALIB_NETWORK_ALPHA_S) +
            bytes * senders /
                (links->nic_bytes_per_s * constant(device, ASSAY_CALIB_NETWORK_EFFICIENCY));
        slowest_s = across_s > slowest_s ? across_s : slowest_s;
    }
    return constant(device, ASSAY_CALIB_LAUNCH_S) + slowest_s;
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
