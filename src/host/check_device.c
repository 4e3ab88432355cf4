/* Device nodes, and what a container keeps from them. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "assay/units.h"

#include "base/banned.h"

static bool in_group(const assay_host_t *host, const char *name, int64_t gid) {
    for (uint32_t i = 0; i < host->n_group; i++) {
        const assay_host_group_t *group = &host->group[i];
        if ((gid >= 0 && group->gid == gid) ||
            (name && group->name && strcmp(group->name, name) == 0)) {
            return true;
        }
    }
    return false;
}

static bool kfd_gives(const assay_host_t *host, int number) {
    return assay_host_known(host->kfd_errno.state) && host->kfd_errno.v == number;
}

static bool is_compute_node(const assay_host_node_t *node) {
    return strcmp(node->path, "/dev/kfd") == 0 || strncmp(node->path, "/dev/dri/renderD", 16) == 0;
}

/* --- nodes ----------------------------------------------------------------------------------- */

static void node_mode(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_node; i++) {
        const assay_host_node_t *node = &host->node[i];
        if (!is_compute_node(node) || node->missing) {
            continue;
        }
        const bool root_only = node->group && (strcmp(node->group, "root") == 0 || node->gid == 0);
        if ((node->mode & 0060) != 0060 || root_only) {
            host_check_bad(check, &node->at, node->path, "%s has mode %04o and group %s",
                           node->path, node->mode, node->group ? node->group : "unknown");
        } else {
            host_check_good(check, &node->at, "%s has mode %04o", node->path, node->mode);
        }
    }
}

static void open_to_all(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_node; i++) {
        const assay_host_node_t *node = &host->node[i];
        if (strcmp(node->path, "/dev/kfd") != 0 || node->missing) {
            continue;
        }
        if (node->mode & 0002) {
            host_check_bad(check, &node->at, node->path, "/dev/kfd has mode %04o", node->mode);
        } else {
            host_check_good(check, &node->at, "/dev/kfd has mode %04o", node->mode);
        }
    }
}

/* The process lacks the group that owns /dev/kfd. */
static void group_missing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_node_t *node = host_node_find(host, "/dev/kfd");
    const char *owner = node && node->group ? node->group : "render";
    const int64_t gid = node ? node->gid : -1;
    const bool known = host->groups_seen, member = known && in_group(host, owner, gid);
    if (kfd_gives(host, 0)) {
        host_check_good(check, &host->kfd_errno.at, "/dev/kfd opens");
    } else if (kfd_gives(host, EACCES)) {
        host_check_fill(check, "group", "%s", owner);
        host_check_bad(check, &host->kfd_errno.at, NULL, "opening /dev/kfd: permission denied");
        if (known && !member) {
            host_check_fill(check, "group", "%s", owner);
            host_check_bad(check, &host->group[0].at, NULL, "the process is not in group %s",
                           owner);
        }
    } else if (node && !node->missing && known && host->n_group > 0) {
        if (member || (node->mode & 0006) == 0006) {
            host_check_good(check, &host->group[0].at, "the process is in group %s", owner);
        } else if (!in_group(host, "root", 0)) {
            host_check_fill(check, "group", "%s", owner);
            host_check_bad(check, &host->group[0].at, NULL,
                           "the process is not in group %s, which owns /dev/kfd", owner);
        }
    }
}

/* What is left when neither a group nor a missing node explains it. */
static void open_fails(host_check_t *check) {
    static const struct {
        int number;
        const char *text;
    } row[] = {{EINVAL, "invalid argument: the driver's state, as after passing the GPU to a "
                        "virtual machine; no permission is missing"},
               {ENODEV, "no such device: the driver has no compute device"},
               {EBUSY, "busy: another process holds it alone"},
               {ENOMEM, "cannot allocate memory: a GPU that the driver does not take, or no "
                        "memory for it"}};
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *fact = &host->kfd_errno;
    uint32_t i = 0, k = 0;
    if (!assay_host_known(fact->state)) {
        return;
    }
    if (fact->v == 0) {
        host_check_good(check, &fact->at, "/dev/kfd opens");
        return;
    }
    if (fact->v == ENOMEM && (host_check_event(check, "kfd-unsupported", &i) ||
                              host_check_event(check, "kfd-atomics", &k))) {
        host_check_none(check, "the kernel log says why the GPU was refused");
        return;
    }
    for (size_t r = 0; r < sizeof row / sizeof row[0]; r++) {
        if (fact->v == row[r].number) {
            host_check_bad(check, &fact->at, NULL, "opening /dev/kfd: %s",
                           host_check_said(check, row[r].text));
            return;
        }
    }
    host_check_none(check, "opening /dev/kfd fails for a reason that another check names");
}

static void not_supported(host_check_t *check) {
    host_check_kernel_events(check, "kfd-unsupported");
}

static void no_atomics(host_check_t *check) {
    host_check_kernel_events(check, "kfd-atomics");
}

/* --- containers ------------------------------------------------------------------------------ */

static void node_not_passed(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_node_t *node = host_node_find(host, "/dev/kfd");
    if (kfd_gives(host, EPERM)) {
        host_check_bad(check, &host->kfd_errno.at, NULL,
                       "opening /dev/kfd: operation not permitted, as a device cgroup says");
    } else if (!host_in_container(host)) {
        host_check_unknown(check, "whether this is a container was not given");
    } else if (kfd_gives(host, ENOENT)) {
        host_check_bad(check, &host->kfd_errno.at, NULL, "/dev/kfd is not there");
    } else if (node && node->missing) {
        host_check_bad(check, &node->at, NULL, "/dev/kfd is not there");
    } else if (assay_host_known(host->kfd_errno.state)) {
        host_check_good(check, &host->kfd_errno.at, "/dev/kfd is there");
    } else if (node) {
        host_check_good(check, &node->at, "/dev/kfd is there");
    }
}

/* The node's group has another number, or no name, inside. */
static void gid_not_passed(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_node_t *node = host_node_find(host, "/dev/kfd");
    const int64_t gid = node ? node->gid : -1;
    const bool named = node && node->group && gid < 0;
    if (kfd_gives(host, 0)) {
        host_check_good(check, &host->kfd_errno.at, "/dev/kfd opens");
    } else if (!host->groups_seen || host->n_group == 0) {
        return;
    } else if (gid >= 0 && in_group(host, NULL, gid)) {
        host_check_good(check, &node->at, "the process is in group %lld", (long long)gid);
    } else if (gid > 0 && !(node->mode & 0002)) { /* a number: no name for it in the image */
        host_check_fill(check, "gid", "%lld", (long long)gid);
        host_check_bad(check, &node->at, NULL,
                       "/dev/kfd belongs to group %lld, which the process is not in",
                       (long long)gid);
    } else if (kfd_gives(host, EACCES) && !named && !in_group(host, "render", -1)) {
        host_check_bad(check, &host->group[0].at, NULL,
                       "in the container the process is not in the group that owns /dev/kfd");
    }
}

/* NCCL, RCCL and data loaders keep their buffers in /dev/shm. */
static void small_shm(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *size = &host->shm_bytes;
    const double per_gpu = host_check_threshold(check, "bytes_per_gpu");
    double gpus = host->n_gpu > 0 ? host->n_gpu : 1;
    if (assay_host_known(host->tensor_parallel.state) && host->n_gpu == 0) {
        gpus = host->tensor_parallel.v;
    }
    uint32_t i = 0;
    const assay_host_event_t *event = host_check_event(check, "shm-extend", &i);
    if (event) {
        host_check_bad(check, &event->at, NULL, "%s", event->text);
    }
    if (!assay_host_known(size->state)) {
        return;
    }
    if (size->v < per_gpu * gpus) {
        host_check_bad(check, &size->at, NULL, "/dev/shm has %.0f MiB for %.0f accelerator%s",
                       size->v / ASSAY_MIB_BYTES, gpus, gpus > 1 ? "s" : "");
    } else {
        host_check_good(check, &size->at, "/dev/shm has %.1f GiB", size->v / ASSAY_GIB_BYTES);
    }
}

static void locked_memory(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *limit = &host->locked_bytes;
    uint32_t i = 0;
    const assay_host_event_t *event = host_check_event(check, "verbs-no-memory", &i);
    if (!assay_host_known(limit->state)) {
        if (event) {
            host_check_unknown(check, "verbs lack memory; the limit of locked memory is not given");
        }
        return;
    }
    if (isinf(limit->v)) {
        host_check_good(check, &limit->at, "locked memory is not limited");
    } else if (event || host->n_port > 0) {
        host_check_bad(check, &limit->at, NULL, "locked memory is limited to %.0f KiB",
                       limit->v / 1024);
        if (event) {
            host_check_bad(check, &event->at, NULL, "%s", event->text);
        }
    } else {
        host_check_unknown(check, "the limit matters with RDMA devices, and none was seen");
    }
}

static const host_check_row_t row[] = {
    {"CNT-001", node_not_passed}, {"CNT-002", small_shm},  {"CNT-003", locked_memory},
    {"CNT-005", gid_not_passed},  {"DEV-002", node_mode},  {"DEV-004", group_missing},
    {"DEV-005", open_to_all},     {"DEV-006", open_fails}, {"DEV-007", not_supported},
    {"DEV-008", no_atomics},
};
const host_check_group_t host_checks_device = {row, sizeof row / sizeof row[0]};
