/* RDMA, GPU-direct, what collective libraries and their tests say. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

/* Peer memory: a module that registers with the RDMA stack, or dma-buf. */
static void no_gpu_direct(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *peers = &host->memory_peers;
    const assay_host_name_t *module = host_module_find(host, "nvidia_peermem");
    const bool in_tree = host->amdgpu_file.s && strstr(host->amdgpu_file.s, "/kernel/drivers/");
    uint32_t i = 0;
    bool any = false;
    for (const assay_host_event_t *event; (event = host_check_event(check, "gdr-disabled", &i));) {
        any = true;
        host_check_bad(
            check, &event->at, NULL, "%s%s", event->text,
            host_check_said(check, module ? ", although nvidia_peermem is loaded: an older NCCL "
                                            "looks where newer RDMA stacks no longer "
                                            "register"
                                          : ""));
    }
    if (any) {
        return;
    }
    if (assay_host_known(peers->state) && peers->v > 0) {
        host_check_good(check, &peers->at, "a peer-memory client is registered");
    } else if (assay_host_known(peers->state) && (module || in_tree)) {
        host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &peers->at, NULL,
                          "/sys/kernel/mm/memory_peers has no client");
        if (module) {
            host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &module->at, NULL,
                              "nvidia_peermem is loaded and not registered");
        } else {
            host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &host->amdgpu_file.at, NULL,
                              "amdgpu is the kernel's own, which offers no client");
        }
    } else if (assay_host_known(peers->state)) {
        host_check_unknown(check, "no peer-memory client; which driver is loaded is not given");
    }
}

static void sockets_between_nodes(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t i = 0, k = 0, m = 0;
    const assay_host_event_t *socket = host_check_event(check, "socket-transport", &i),
                             *verbs = host_check_event(check, "verbs-library-missing", &k),
                             *ib = host_check_event(check, "ib-transport", &m);
    if (ib) {
        host_check_good(check, &ib->at, "%s", ib->text);
    } else if (socket && (host->n_port > 0 || verbs)) {
        host_check_bad(check, &socket->at, NULL, "%s", socket->text);
    } else if (socket) {
        host_check_unknown(check, "sockets are used, and no RDMA device was seen");
    }
}

static void no_verbs_library(host_check_t *check) {
    uint32_t i = 0;
    const assay_host_event_t *ib = host_check_event(check, "ib-transport", &i);
    if (!host_check_events(check, "verbs-library-missing") && ib) {
        host_check_good(check, &ib->at, "%s", ib->text);
    }
}

static void link_flaps(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double ceiling = host_check_threshold(check, "ceiling");
    for (uint32_t i = 0; i < host->n_port; i++) {
        const assay_host_port_t *port = &host->port[i];
        if (!assay_host_known(port->link_downed.state)) {
            continue;
        }
        if (port->link_downed.v >= ceiling) {
            host_check_bad(check, &port->link_downed.at, port->name,
                           "%s: link_downed is %.0f, the end of an 8-bit counter", port->name,
                           port->link_downed.v);
        } else if (port->link_downed.v > 0) {
            host_check_bad_as(
                check, ASSAY_SEVERITY_INFO, &port->link_downed.at, port->name,
                "%s: link_downed is %.0f since the counters were cleared; one reading "
                "does not say when",
                port->name, port->link_downed.v);
        } else {
            host_check_good(check, &port->link_downed.at, "%s: link_downed is 0", port->name);
        }
    }
}

/* --- collectives ----------------------------------------------------------------------------- */

static void ranks_missing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_communicator; i++) {
        const assay_host_communicator_t *communicator = &host->communicator[i];
        const char *status = communicator->status ? communicator->status : "";
        if (communicator->ranks < communicator->expected || strcmp(status, "INCOMPLETE") == 0) {
            const char *missing = communicator->missing ? communicator->missing : "";
            const char *gpu = strstr(missing, "GPU ");
            const char *device = NULL;
            if (gpu) {
                const size_t n = 4 + strspn(gpu + 4, "0123456789");
                device = host_check_printf(check, "%.*s", (int)n, gpu);
            }
            host_check_bad(check, &communicator->at, device, "%u of %u ranks answer (%s)%s%s",
                           communicator->ranks, communicator->expected, status,
                           *missing ? ": " : "", missing);
        } else {
            host_check_good(check, &communicator->at, "all %u ranks answer", communicator->ranks);
        }
    }
}

static void one_rank(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_collective; i++) {
        const assay_host_collective_t *row = &host->collective[i];
        if (row->ranks == 1) {
            host_check_bad(check, &row->at, NULL, "one rank, so the bus bandwidth is 0");
            return;
        }
        if (row->ranks > 1) {
            host_check_good(check, &row->at, "%u ranks", row->ranks);
        }
    }
}

static const host_check_row_t row[] = {
    {"COL-001", ranks_missing},         {"COL-003", one_rank},         {"NET-001", no_gpu_direct},
    {"NET-003", sockets_between_nodes}, {"NET-004", no_verbs_library}, {"NET-006", link_flaps},
};
const host_check_group_t host_checks_network = {row, sizeof row / sizeof row[0]};
