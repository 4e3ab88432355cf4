/* RDMA devices with their ports and addresses, and network interfaces. */
#include <string.h>

#include "host/host_live.h"

#include "base/banned.h"

#define RDMA "sys/class/infiniband"
#define NET "sys/class/net"
#define GIDS_MAX 256u /* of a port; most of a table are empty */

/* "4: ACTIVE" -> "ACTIVE". */
static const char *read_state(host_live_t *live, const char *path) {
    const host_span_t text = host_trim(host_live_text(live, path, NULL));
    host_span_t key, state;
    return host_key_value(text, ':', &key, &state) ? host_copy(live->parse, state) : NULL;
}

static const char *read_text(host_live_t *live, const char *path) {
    const host_span_t text = host_trim(host_live_text(live, path, NULL));
    return text.n > 0 ? host_copy(live->parse, text) : NULL;
}

static void read_counters(host_live_t *live, const char *dir, assay_host_port_t *port) {
    const struct {
        const char *name;
        assay_host_number_t *fact;
    } count[] = {{"counters/link_downed", &port->link_downed},
                 {"counters/symbol_error", &port->symbol_errors},
                 {"hw_counters/out_of_buffer", &port->discards},
                 {"counters/port_xmit_discards", &port->discards},
                 {"hw_counters/rx_prio3_pause", &port->pauses}};
    for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
        host_live_number(live, host_live_path(live, "%s/%s", dir, count[i].name), 1, count[i].fact);
    }
}

/* Entries of a port's table that hold an address. */
static void read_gids(host_live_t *live, const char *dir, const assay_host_port_t *port) {
    host_parse_t *parse = live->parse;
    const char *device = port->name;
    const uint32_t number = port->port;
    uint32_t n;
    const char **name = host_live_list(live, host_live_path(live, "%s/gids", dir), &n);
    for (uint32_t i = 0; i < n && i < GIDS_MAX; i++) {
        double index;
        host_span_t rest;
        const host_span_t address =
            host_trim(host_live_text(live, host_live_path(live, "%s/gids/%s", dir, name[i]), NULL));
        if (address.n == 0 || host_starts(address, "0000:0000:0000:0000:0000:0000:0000:0000") ||
            host_starts(address, "fe80:0000:0000:0000:0000:0000:0000:0000") ||
            !host_number(host_span(name[i]), &index, &rest) || index < 0 || index >= 65536) {
            continue;
        }
        const char *shown = host_copy(parse, address);
        const char *type =
            read_text(live, host_live_path(live, "%s/gid_attrs/types/%s", dir, name[i]));
        const char *interface =
            read_text(live, host_live_path(live, "%s/gid_attrs/ndevs/%s", dir, name[i]));
        assay_host_gid_t *gid = host_add(parse, gid);
        if (gid) {
            *gid = (assay_host_gid_t){.device = device,
                                      .type = type,
                                      .address = shown,
                                      .interface = interface,
                                      .port = number,
                                      .index = (uint32_t)index,
                                      .at = host_here(parse)};
        }
    }
}

static void read_port(host_live_t *live, const char *device, const char *number_name) {
    host_parse_t *parse = live->parse;
    const char *dir = host_live_path(live, RDMA "/%s/ports/%s", device, number_name);
    double number, rate;
    host_span_t rest;
    if (!host_number(host_span(number_name), &number, &rest) || number < 0 || number > 255) {
        return;
    }
    host_live_at(live, host_live_path(live, "%s/state", dir));
    parse->line = 1;
    assay_host_port_t *port = host_port(parse, host_span(device), (uint32_t)number);
    if (!port) {
        return;
    }
    port->state = read_state(live, host_live_path(live, "%s/state", dir));
    port->physical = read_state(live, host_live_path(live, "%s/phys_state", dir));
    port->layer = read_text(live, host_live_path(live, "%s/link_layer", dir));
    port->interface = read_text(live, host_live_path(live, "%s/gid_attrs/ndevs/0", dir));
    port->firmware = read_text(live, host_live_path(live, RDMA "/%s/fw_ver", device));
    port->bdf = host_live_link_name(live, host_live_path(live, RDMA "/%s/device", device));
    host_live_number(live, host_live_path(live, RDMA "/%s/device/numa_node", device), 1,
                     &port->numa_node);
    if (port->interface) { /* of RoCE; InfiniBand's is in no file */
        host_live_number(live, host_live_path(live, NET "/%s/mtu", port->interface), 1,
                         &port->mtu_bytes);
    }
    read_counters(live, dir, port);
    const host_span_t text = host_live_text(live, host_live_path(live, "%s/rate", dir), NULL);
    parse->line = 1;
    if (host_number(text, &rate, &rest)) { /* "400 Gb/sec (4X NDR)" */
        host_set_number(parse, &port->bits_per_s, rate * 1e9);
    }
    read_gids(live, dir, port);
}

static void read_interface(host_live_t *live, const char *name) {
    host_parse_t *parse = live->parse;
    const char *dir = host_live_path(live, NET "/%s", name);
    host_live_at(live, dir);
    assay_host_interface_t *interface = host_interface(parse, host_span(name));
    if (!interface) {
        return;
    }
    interface->state = read_text(live, host_live_path(live, "%s/operstate", dir));
    interface->bdf = host_live_link_name(live, host_live_path(live, "%s/device", dir));
    host_live_number(live, host_live_path(live, "%s/mtu", dir), 1, &interface->mtu_bytes);
    host_live_number(live, host_live_path(live, "%s/device/numa_node", dir), 1,
                     &interface->numa_node);
    const host_span_t text = host_live_text(live, host_live_path(live, "%s/speed", dir), NULL);
    double megabits;
    host_span_t rest;
    if (host_number(text, &megabits, &rest) && megabits > 0) { /* -1: no link */
        parse->line = 1;
        host_set_number(parse, &interface->bits_per_s, megabits * 1e6);
    }
}

void host_live_network(host_live_t *live) {
    host_parse_t *parse = live->parse;
    uint32_t n_device, n_port, n;
    const char **device = host_live_list(live, RDMA, &n_device);
    for (uint32_t i = 0; i < n_device; i++) {
        const char **port =
            host_live_list(live, host_live_path(live, RDMA "/%s/ports", device[i]), &n_port);
        for (uint32_t k = 0; k < n_port; k++) {
            read_port(live, device[i], port[k]);
        }
    }
    if (n_device > 0) {
        (void)host_live_list(live, "sys/kernel/mm/memory_peers", &n);
        host_live_at(live, "sys/kernel/mm/memory_peers");
        host_set_number(parse, &parse->host->memory_peers, n > 0);
    }
    const char **name = host_live_list(live, NET, &n);
    for (uint32_t i = 0; i < n; i++) {
        read_interface(live, name[i]);
    }
}
