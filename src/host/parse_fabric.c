/* What tools print about RDMA devices, their addresses and firmware, and network interfaces. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

/* --- ibstat, ibstatus, ibv_devinfo ----------------------------------------------------------- */

/* "Active", "4: ACTIVE", "PORT_ACTIVE (4)" -> "ACTIVE". */
static const char *state_word(host_parse_t *parse, host_span_t value) {
    host_span_t key, rest = value;
    if (value.n > 0 && value.s[0] >= '0' && value.s[0] <= '9' &&
        host_key_value(value, ':', &key, &rest)) {
        value = rest;
    }
    host_span_t word = host_word(&value);
    if (host_starts(word, "PORT_")) {
        word = (host_span_t){word.s + 5, word.n - 5};
    }
    char *copy = assay_arena_strndup(parse->arena, word.s, word.n);
    parse->full |= copy == NULL;
    for (char *at = copy; at && *at; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    return copy;
}

static void keep(host_parse_t *parse, const char **text, host_span_t value) {
    if (!*text && !host_is_missing(value)) {
        *text = host_copy(parse, value);
    }
}

/* One "key: value" of a port, whichever of the three tools printed it. */
static void set_port(host_parse_t *parse, host_span_t key, host_span_t value,
                     assay_host_port_t *port) {
    double number;
    host_span_t rest;
    if (host_is_fold(key, "state")) {
        port->state = port->state ? port->state : state_word(parse, value);
    } else if (host_is_fold(key, "physical state") || host_is(key, "phys state") ||
               host_is(key, "phys_state")) {
        port->physical = port->physical ? port->physical : state_word(parse, value);
    } else if (host_is_fold(key, "link layer") || host_is(key, "link_layer")) {
        keep(parse, &port->layer, value);
    } else if (host_is_fold(key, "rate") && host_number(value, &number, &rest)) {
        host_set_number(parse, &port->bits_per_s, number * 1e9); /* "400", "400 Gb/sec (4X NDR)" */
    } else if (host_is(key, "active_mtu")) {
        host_set_quantity(parse, &port->mtu_bytes, host_word(&value), false);
    }
}

/* "CA 'mlx5_0'", "Infiniband device 'mlx5_0' port 1 status:" */
static host_span_t quoted(host_span_t text) {
    (void)host_cut(&text, "'");
    return host_cut(&text, "'");
}

void host_parse_ibstat(host_parse_t *parse) {
    host_span_t device = {"", 0}, firmware = {"", 0}, key, value;
    assay_host_port_t *port = NULL;
    for (host_span_t line; host_next_line(parse, &line);) {
        const host_span_t text = host_trim(line);
        const ptrdiff_t mark = host_find(text, " port ");
        double number;
        host_span_t rest;
        if (host_starts(text, "CA '")) {
            device = quoted(text);
            firmware = (host_span_t){"", 0};
            port = NULL;
        } else if (host_starts(text, "Infiniband device '") && mark >= 0 &&
                   host_number((host_span_t){text.s + mark + 6, text.n - (size_t)mark - 6}, &number,
                               &rest) &&
                   number >= 0 && number < 256) {
            port = host_port(parse, quoted(text), (uint32_t)number);
        } else if (host_starts(text, "Port ") && device.n > 0 &&
                   host_number((host_span_t){text.s + 5, text.n - 5}, &number, &rest) &&
                   host_is(rest, ":") && number >= 0 && number < 256) {
            port = host_port(parse, device, (uint32_t)number);
            if (port) {
                keep(parse, &port->firmware, firmware);
            }
        } else if (!host_key_value(text, ':', &key, &value)) {
            continue;
        } else if (host_is(key, "hca_id")) {
            device = value;
            firmware = (host_span_t){"", 0};
            port = NULL;
        } else if (host_is(key, "Firmware version") || host_is(key, "fw_ver")) {
            firmware = value;
        } else if (host_is(key, "port") && device.n > 0 && host_number(value, &number, &rest) &&
                   number >= 0 && number < 256) {
            port = host_port(parse, device, (uint32_t)number);
            if (port) {
                keep(parse, &port->firmware, firmware);
            }
        } else if (port) {
            set_port(parse, key, value, port);
        }
    }
}

/* "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev eth2" */
void host_parse_rdma_link(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, number_text, after;
        double number;
        if (!host_is(host_word(&rest), "link")) {
            continue;
        }
        number_text = host_word(&rest);
        const host_span_t device = host_cut(&number_text, "/");
        if (!host_number(number_text, &number, &after) || number < 0 || number > 255) {
            continue;
        }
        assay_host_port_t *port = host_port(parse, device, (uint32_t)number);
        for (host_span_t key; port && (key = host_word(&rest)).n > 0;) {
            const host_span_t value = host_word(&rest);
            if (host_is(key, "state")) {
                port->state = port->state ? port->state : state_word(parse, value);
            } else if (host_is(key, "physical_state")) {
                keep(parse, &port->physical, value);
            } else if (host_is(key, "netdev")) {
                keep(parse, &port->interface, value);
            }
        }
    }
}

/* "mlx5_0  1  3  0000:...:ffff:0a00:0001  10.0.0.1  v2  eth2": the IPv4 column may be empty. */
void host_parse_gids(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, after;
        const host_span_t device = host_word(&rest), port = host_word(&rest),
                          index = host_word(&rest), address = host_word(&rest);
        double port_number, index_number;
        if (!host_number(port, &port_number, &after) || after.n > 0 || port_number < 0 ||
            port_number > 255 || !host_number(index, &index_number, &after) || after.n > 0 ||
            index_number < 0 || index_number > 65535 || !host_has(address, ":")) {
            continue;
        }
        host_span_t word = host_word(&rest);
        if (!host_starts(word, "v")) {
            word = host_word(&rest);
        }
        const char *type = host_is(word, "v2")   ? "RoCE v2"
                           : host_is(word, "v1") ? "IB/RoCE v1"
                                                 : NULL;
        const host_span_t interface = host_word(&rest);
        const char *device_copy = host_copy(parse, device), *shown = host_copy(parse, address);
        const char *interface_copy = interface.n ? host_copy(parse, interface) : NULL;
        assay_host_gid_t *gid = device_copy && shown ? host_add(parse, gid) : NULL;
        if (gid) {
            *gid = (assay_host_gid_t){.device = device_copy,
                                      .type = type,
                                      .address = shown,
                                      .interface = interface_copy,
                                      .port = (uint32_t)port_number,
                                      .index = (uint32_t)index_number,
                                      .at = host_here(parse)};
        }
    }
}

/* "        PCI_WR_ORDERING                             per_mkey(0)" of mlxconfig -d DEVICE query.
 */
void host_parse_mlxconfig(host_parse_t *parse) {
    bool inside = false;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        if (host_starts(host_trim(line), "Configurations:")) {
            inside = true;
            continue;
        }
        host_span_t name = host_word(&rest), value = host_word(&rest);
        if (host_is(name, "*")) { /* marks what differs from the default */
            name = value;
            value = host_word(&rest);
        }
        bool upper = name.n > 2;
        for (size_t i = 0; i < name.n; i++) {
            upper &= (name.s[i] >= 'A' && name.s[i] <= 'Z') || name.s[i] == '_' ||
                     (name.s[i] >= '0' && name.s[i] <= '9');
        }
        if (inside && upper && value.n > 0) {
            host_setting_add(parse, nic_setting, name, value);
        }
    }
}

/* --- ip, ethtool ----------------------------------------------------------------------------- */

/* "2: eth0@if3: <...> mtu 9000 qdisc mq state UP ...", and "    inet 10.0.0.1/24 ..." below it. */
void host_parse_ip(host_parse_t *parse) {
    assay_host_interface_t *interface = NULL;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, after, name;
        double number;
        if (host_indent(line) == 0) {
            if (!host_number(host_cut(&rest, ":"), &number, &after)) {
                continue;
            }
            name = host_trim(host_cut(&rest, ":"));
            name = host_cut(&name, "@");
            interface = name.n > 0 ? host_interface(parse, name) : NULL;
            for (host_span_t key; interface && (key = host_word(&rest)).n > 0;) {
                if (host_is(key, "mtu")) {
                    host_set_quantity(parse, &interface->mtu_bytes, host_word(&rest), false);
                } else if (host_is(key, "state") && !interface->state) {
                    char *state = assay_arena_strndup(parse->arena, rest.s + 1,
                                                      rest.n > 1 ? strcspn(rest.s + 1, " \n") : 0);
                    for (char *at = state; at && *at; at++) {
                        *at = (char)tolower((unsigned char)*at); /* as /sys has it */
                    }
                    interface->state = state;
                }
            }
        } else if (interface && host_is(host_word(&rest), "inet")) {
            keep(parse, &interface->address, host_word(&rest));
        }
    }
}

/* The interface that a command or a file's name speaks of: "ethtool -S eth2", "ethtool-eth2.txt".
 */
static host_span_t interface_of(const char *name) {
    host_span_t rest = host_span(name), word, last = {"", 0};
    const char *slash = strrchr(name, '/');
    rest = slash && !strchr(slash, ' ') ? host_span(slash + 1) : rest;
    const ptrdiff_t dot = host_find(rest, ".txt");
    rest.n = dot >= 0 ? (size_t)dot : rest.n;
    while (rest.n > 0) {
        word = host_cut(&rest, " -_");
        last = word.n > 1 ? word : last; /* not "S" of -S */
    }
    return host_is(last, "ethtool") ? (host_span_t){"", 0} : last;
}

/* Counters of ethtool -S: what was dropped, and how often the other side asked to wait. */
static void set_counter(host_parse_t *parse, host_span_t key, double value, double *discards,
                        double *pauses) {
    static const char dropped[] = "rx_discards_phy|tx_discards_phy|rx_out_of_buffer|"
                                  "rx_prio*_discards|rx_discard_pkts*|rx_dropped";
    static const char paused[] = "rx_prio*_pause|rx_pause_ctrl_phy|rx_pfc_ena_frames_pri*|"
                                 "rx_pause_frames";
    const char *name = assay_arena_strndup(parse->scratch, key.s, key.n);
    if (name && host_name_matches(dropped, name)) {
        *discards += value;
    } else if (name && host_name_matches(paused, name)) {
        *pauses += value;
    }
}

static assay_host_port_t *port_of(host_parse_t *parse, host_span_t interface) {
    for (uint32_t i = 0; i < parse->host->n_port; i++) {
        const char *name = parse->host->port[i].interface;
        if (name && host_is(interface, name)) {
            return &parse->host->port[i];
        }
    }
    assay_host_port_t *port = host_port(parse, interface, 1);
    if (port) {
        port->interface = port->name;
        port->layer = port->layer ? port->layer : "Ethernet";
    }
    return port;
}

void host_parse_ethtool(host_parse_t *parse) {
    host_span_t name = interface_of(parse->name), key, value, rest;
    double discards = 0, pauses = 0, number;
    bool counters = false;
    for (host_span_t line; host_next_line(parse, &line);) {
        const host_span_t text = host_trim(line);
        if (host_starts(text, "NIC statistics")) {
            counters = true;
        } else if (host_starts(text, "Settings for ")) {
            name = (host_span_t){text.s + 13, text.n - 13};
            name = host_cut(&name, ":");
        } else if (!host_key_value(text, ':', &key, &value)) {
            continue;
        } else if (counters && host_number(value, &number, &rest)) {
            set_counter(parse, key, number, &discards, &pauses);
        } else if (name.n > 0 && host_is(key, "Speed") && host_number(value, &number, &rest) &&
                   host_starts(rest, "Mb/s")) {
            assay_host_interface_t *interface = host_interface(parse, name);
            if (interface) {
                host_set_number(parse, &interface->bits_per_s, number * 1e6);
            }
        }
    }
    assay_host_port_t *port = counters && name.n > 0 ? port_of(parse, name) : NULL;
    if (port) {
        host_set_number(parse, &port->discards, discards);
        host_set_number(parse, &port->pauses, pauses);
    }
}

/* --- numactl --------------------------------------------------------------------------------- */

/* "0 1 2 3 8" -> "0-3,8", as /sys prints it. */
static const char *ranges_of(host_parse_t *parse, host_span_t words) {
    const char *text = "";
    double first = -1, last = -1, cpu;
    host_span_t rest;
    for (bool more = true; more && text;) {
        const host_span_t word = host_word(&words);
        more = host_number(word, &cpu, &rest) && rest.n == 0;
        if (more && first >= 0 && cpu == last + 1) {
            last = cpu;
            continue;
        }
        if (first >= 0) {
            text = first < last ? assay_arena_printf(parse->arena, "%s%s%.0f-%.0f", text,
                                                     *text ? "," : "", first, last)
                                : assay_arena_printf(parse->arena, "%s%s%.0f", text,
                                                     *text ? "," : "", first);
        }
        first = last = more ? cpu : -1;
    }
    parse->full |= text == NULL;
    return text && *text ? text : NULL;
}

/* numactl -H ("node 0 cpus: 0 1 2", "node 0 size: 515614 MB") and -s ("policy: default"). */
void host_parse_numactl(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    uint32_t n_with_cpus = 0;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value, rest;
        double node;
        if (!host_key_value(line, ':', &key, &value)) {
            continue;
        }
        if (host_is(key, "policy")) {
            host_set_text(parse, &host->numa_policy, value);
        } else if (host_is(key, "physcpubind")) {
            const char *ranges = ranges_of(parse, value);
            if (ranges) {
                host_set_text(parse, &host->cpus_allowed, host_span(ranges));
            }
        }
        if (!host_starts(key, "node ") ||
            !host_number((host_span_t){key.s + 5, key.n - 5}, &node, &rest) || node < 0 ||
            node > 65535) {
            continue;
        }
        rest = host_trim(rest);
        assay_host_numa_t *numa = rest.n > 0 ? host_numa(parse, (int64_t)node) : NULL;
        if (!numa) {
            continue;
        }
        if (host_is(rest, "cpus")) {
            n_with_cpus += value.n > 0;
            numa->cpus = numa->cpus ? numa->cpus : ranges_of(parse, value);
        } else if (host_is(rest, "size")) {
            host_set_quantity(parse, &numa->bytes, value, true);
        } else if (host_is(rest, "free")) {
            host_set_quantity(parse, &numa->free_bytes, value, true);
        }
    }
    if (n_with_cpus > 0) {
        host_set_number(parse, &host->numa_nodes, n_with_cpus);
    }
}
