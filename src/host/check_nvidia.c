/* NVIDIA: drivers, fabric manager, Xid, memory repair, NVLink. */
#include <stdlib.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_rules.h"

#include "base/banned.h"

static void wrong_driver(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    static const char *const other[] = {"nouveau", "nova_core"};
    uint32_t i = 0, k = 0;
    const assay_host_event_t *bound = host_check_event(check, "nova-bound", &i),
                             *silent = host_check_event(check, "nvidia-no-driver", &k);
    if (bound) {
        host_check_fill(check, "module", "nova_core");
        host_check_bad(check, &bound->at, bound->device, "%s", bound->text);
        return;
    }
    for (uint32_t g = 0; g < host->n_gpu; g++) {
        const assay_host_gpu_t *gpu = &host->gpu[g];
        for (size_t m = 0; gpu->driver.s && m < sizeof other / sizeof other[0]; m++) {
            if (gpu->vendor == ASSAY_VENDOR_NVIDIA && strcmp(gpu->driver.s, other[m]) == 0) {
                host_check_fill(check, "module", "%s", other[m]);
                host_check_bad(check, &gpu->driver.at, host_check_device(check, gpu), "%s has %s",
                               host_check_gpu_name(check, gpu), other[m]);
            }
        }
    }
    for (size_t m = 0; m < sizeof other / sizeof other[0]; m++) {
        const assay_host_name_t *module = host_module_find(host, other[m]);
        if (module && silent && !host_module_find(host, "nvidia")) {
            host_check_fill(check, "module", "%s", other[m]);
            host_check_bad(check, &module->at, NULL, "%s is loaded, nvidia is not", other[m]);
            host_check_fill(check, "module", "%s", other[m]);
            host_check_bad(check, &silent->at, NULL, "%s", silent->text);
        }
    }
    const assay_host_name_t *module = host_module_find(host, "nvidia");
    if (module) {
        host_check_good(check, &module->at, "nvidia is loaded");
    }
}

static void library_mismatch(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t i = 0;
    const assay_host_event_t *event = host_check_event(check, "nvml-mismatch", &i);
    const bool both = host->nvml.s && host->nvidia_module.s;
    if (event || (both && strcmp(host->nvml.s, host->nvidia_module.s) != 0)) {
        if (event) {
            host_check_bad(check, &event->at, NULL, "%s", event->text);
        }
        if (both) {
            host_check_bad(check, &host->nvidia_module.at, NULL, "module %s, library %s",
                           host->nvidia_module.s, host->nvml.s);
        }
    } else if (both) {
        host_check_good(check, &host->nvml.at, "module and library are %s", host->nvml.s);
    }
}

/* NV links in a matrix without a bridge count, or a part with NVSwitch, need the fabric manager. */
static bool is_switched(const assay_host_t *host) {
    for (uint32_t i = 0; i < host->n_link; i++) {
        const char *type = host->link[i].type;
        if (type && (strcmp(type, "NV12") == 0 || strcmp(type, "NV18") == 0)) {
            return true;
        }
    }
    return false;
}

static void fabric(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t i = 0, k = 0;
    const assay_host_event_t *nothing = host_check_event(check, "nothing-for-fabric-manager", &i),
                             *not_ready = host_check_event(check, "cuda-802", &k);
    const assay_host_text_t *state = &host->fabric_manager,
                            *version = &host->fabric_manager_version;
    if (nothing) {
        host_check_bad_as(check, ASSAY_SEVERITY_INFO, &nothing->at, NULL,
                          "the fabric manager has nothing to manage: there is no NVSwitch");
        return;
    }
    host_check_fill(check, "version", "%s",
                    host->nvidia_module.s ? host->nvidia_module.s
                                          : host_check_said(check, "of the driver"));
    if (is_switched(host) && state->s && strstr(state->s, "inactive")) {
        host_check_bad_as(check, ASSAY_SEVERITY_ERROR, &state->at, NULL,
                          "the fabric manager is %s on a host with NVSwitch%s", state->s,
                          host_check_said(check, not_ready
                                                     ? ", and CUDA says that the system is not yet "
                                                       "initialized"
                                                     : ""));
    }
    if (version->s && host->nvidia_module.s && strcmp(version->s, host->nvidia_module.s) != 0) {
        host_check_fill(check, "version", "%s", host->nvidia_module.s);
        host_check_bad_as(check, ASSAY_SEVERITY_ERROR, &version->at, NULL,
                          "the fabric manager is %s, the driver %s", version->s,
                          host->nvidia_module.s);
    }
    for (uint32_t g = 0; g < host->n_gpu; g++) {
        const assay_host_gpu_t *gpu = &host->gpu[g];
        if (gpu->fabric_state.s && strstr(gpu->fabric_state.s, "Completed")) {
            host_check_good(check, &gpu->fabric_state.at, "the fabric is completed");
        } else if (gpu->fabric_state.s && strstr(gpu->fabric_state.s, "In Progress")) {
            host_check_bad(check, &gpu->fabric_state.at, host_check_device(check, gpu),
                           "%s: fabric state %s", host_check_gpu_name(check, gpu),
                           gpu->fabric_state.s);
        }
    }
}

/* --- Xid ------------------------------------------------------------------------------------- */

/* The row of a number, or NULL. The first ones are faults of the program until it is cleared. */
static const host_row_t *find_xid(const assay_host_rules_t *rules, double number) {
    for (uint32_t i = 0; i < rules->xid.n; i++) {
        if ((double)strtoul(rules->xid.row[i].cell[HOST_XID_NUMBER], NULL, 10) == number) {
            return &rules->xid.row[i];
        }
    }
    return NULL;
}

static void xids(host_check_t *check) {
    uint32_t i = 0;
    for (const assay_host_event_t *event; (event = host_check_event(check, "xid", &i));) {
        const host_row_t *xid = find_xid(host_check_rules(check), event->number[0]);
        assay_severity_t severity = ASSAY_SEVERITY_WARNING;
        for (int s = 0; xid && s < ASSAY_SEVERITY_N; s++) {
            if (strcmp(assay_severity_name((assay_severity_t)s), xid->cell[HOST_XID_SEVERITY]) ==
                0) {
                severity = (assay_severity_t)s;
            }
        }
        host_check_fill(check, "action", "%s",
                        xid ? xid->cell[HOST_XID_ACTION] : host_check_said(check, "look it up"));
        host_check_bad_as(check, severity, &event->at, event->device,
                          "Xid %.0f of %s, %u time%s%s%s", event->number[0], event->device,
                          event->count, event->count == 1 ? "" : "s", xid ? ": " : "",
                          xid ? xid->cell[HOST_XID_MEANING] : "");
    }
    if (host_check_host(check)->kernel_log_seen) {
        host_check_good(check, NULL, "the kernel log has no Xid");
    }
}

static void gsp_hangs(host_check_t *check) {
    uint32_t i = 0;
    for (const assay_host_event_t *event; (event = host_check_event(check, "xid", &i));) {
        if (event->number[0] == 119 || event->number[0] == 120) {
            host_check_bad(check, &event->at, event->device, "%s", event->text);
        }
    }
    if (host_check_host(check)->kernel_log_seen) {
        host_check_good(check, NULL, "the kernel log has no Xid 119 or 120");
    }
}

static void off_bus(host_check_t *check) {
    host_check_kernel_events(check, "gpu-off-bus");
}

/* --- memory repair --------------------------------------------------------------------------- */

static bool is_set(const assay_host_number_t *fact) {
    return assay_host_known(fact->state) && fact->v > 0;
}

static void repair(host_check_t *check, const assay_host_gpu_t *gpu, double many_double,
                   double many_pages) {
    const char *name = host_check_gpu_name(check, gpu), *device = host_check_device(check, gpu);
    const double pages = gpu->retired_single.v + gpu->retired_double.v;
    if (is_set(&gpu->remapped_failed)) {
        host_check_fill(check, "action", "drain and return the GPU");
        host_check_bad(check, &gpu->remapped_failed.at, device, "%s: a row could not be remapped",
                       name);
    } else if (is_set(&gpu->remapped_pending)) {
        host_check_bad_as(check, ASSAY_SEVERITY_ERROR, &gpu->remapped_pending.at, device,
                          "%s: a row remapping is pending (%.0f uncorrectable)", name,
                          gpu->remapped_uncorrectable.v);
    } else if (is_set(&gpu->retired_pending)) {
        const bool worn = gpu->retired_double.v >= many_double;
        host_check_fill(check, "action", "%s",
                        worn ? host_check_said(check, "drain, reset and return the GPU")
                             : host_check_said(check, "reset the GPU before the next job"));
        host_check_bad_as(
            check, worn ? ASSAY_SEVERITY_CRITICAL : ASSAY_SEVERITY_ERROR, &gpu->retired_pending.at,
            device,
            "%s: a page retirement is pending; %.0f pages for single-bit and %.0f for "
            "double-bit errors",
            name, gpu->retired_single.v, gpu->retired_double.v);
    } else if (pages >= many_pages) {
        host_check_fill(check, "action", "watch it, plan a return");
        host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &gpu->retired_double.at, device,
                          "%s: %.0f pages are retired, none pending", name, pages);
    } else if (assay_host_known(gpu->retired_double.state) ||
               assay_host_known(gpu->remapped_pending.state)) {
        host_check_good(check,
                        assay_host_known(gpu->retired_double.state) ? &gpu->retired_double.at
                                                                    : &gpu->remapped_pending.at,
                        "%s: nothing is pending", name);
    }
}

static void memory_repair(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double many_double = host_check_threshold(check, "double_pages"),
                 many_pages = host_check_threshold(check, "pages");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        if (host->gpu[i].vendor == ASSAY_VENDOR_NVIDIA) {
            repair(check, &host->gpu[i], many_double, many_pages);
        }
    }
}

/* --- NVLink ---------------------------------------------------------------------------------- */

static void nvlinks(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    double most = 0, fastest = 0;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        most = gpu->nvlinks_up.v > most ? gpu->nvlinks_up.v : most;
        fastest = gpu->nvlink_bytes_per_s.v > fastest ? gpu->nvlink_bytes_per_s.v : fastest;
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!assay_host_known(gpu->nvlinks_up.state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (most == 0) {
            host_check_unknown(check, "no accelerator shows a link that is up");
        } else if (gpu->nvlinks_up.v < most || gpu->nvlinks_down.v > 0) {
            host_check_bad(check, &gpu->nvlinks_up.at, host_check_device(check, gpu),
                           "%s has %.0f links up, others %.0f", name, gpu->nvlinks_up.v, most);
        } else if (gpu->nvlink_bytes_per_s.v < fastest) {
            host_check_bad(check, &gpu->nvlink_bytes_per_s.at, host_check_device(check, gpu),
                           "%s has a link of %.1f GB/s, others %.1f", name,
                           gpu->nvlink_bytes_per_s.v / 1e9, fastest / 1e9);
        } else {
            host_check_good(check, &gpu->nvlinks_up.at, "%s has %.0f links up", name,
                            gpu->nvlinks_up.v);
        }
    }
}

static const host_check_row_t row[] = {
    {"NVD-002", wrong_driver}, {"NVD-003", library_mismatch}, {"NVD-004", fabric},
    {"NVD-005", xids},         {"NVD-008", nvlinks},          {"NVD-009", memory_repair},
    {"NVD-010", off_bus},      {"NVD-016", gsp_hangs},
};
const host_check_group_t host_checks_nvidia = {row, sizeof row / sizeof row[0]};
