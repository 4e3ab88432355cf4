/* NVIDIA: drivers, fabric manager, Xid, memory repair, NVLink. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

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
                    host->nvidia_module.s ? host->nvidia_module.s : "of the driver");
    if (is_switched(host) && state->s && strstr(state->s, "inactive")) {
        host_check_bad_as(check, ASSAY_SEVERITY_ERROR, &state->at, NULL,
                          "the fabric manager is %s on a host with NVSwitch%s", state->s,
                          not_ready ? ", and CUDA says that the system is not yet initialized"
                                    : "");
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

typedef struct {
    double number;
    assay_severity_t severity;
    const char *meaning, *action;
} xid_t;

/* docs.nvidia.com/deploy/xid-errors; leptonai/gpud xid catalogue. The first four are faults of the
   program until it is cleared of them. */
static const xid_t xid_row[] = {
    {13, ASSAY_SEVERITY_WARNING, "graphics engine exception", "look at the program first"},
    {31, ASSAY_SEVERITY_WARNING, "memory page fault", "look at the program first"},
    {43, ASSAY_SEVERITY_WARNING, "stopped processing", "look at the program first"},
    {45, ASSAY_SEVERITY_WARNING, "preemptive cleanup, follows another", "look at what preceded"},
    {48, ASSAY_SEVERITY_CRITICAL, "double-bit ECC error", "drain, reset the GPU"},
    {63, ASSAY_SEVERITY_ERROR, "row remapping or page retirement recorded", "reset the GPU"},
    {64, ASSAY_SEVERITY_CRITICAL, "row remapping failed", "drain, return the GPU"},
    {74, ASSAY_SEVERITY_CRITICAL, "NVLink error", "check the link, reset the GPU"},
    {79, ASSAY_SEVERITY_CRITICAL, "fallen off the bus", "drain, power cycle"},
    {94, ASSAY_SEVERITY_ERROR, "contained ECC error", "restart the program, then reset the GPU"},
    {95, ASSAY_SEVERITY_CRITICAL, "uncontained ECC error", "drain, reset the node"},
    {119, ASSAY_SEVERITY_CRITICAL, "GSP does not answer", "drain, reset the GPU"},
    {120, ASSAY_SEVERITY_CRITICAL, "GSP error", "drain, reset the GPU"},
    {154, ASSAY_SEVERITY_CRITICAL, "recovery action changed", "do what the line names"},
};

static void xids(host_check_t *check) {
    uint32_t i = 0;
    for (const assay_host_event_t *event; (event = host_check_event(check, "xid", &i));) {
        const xid_t *xid = NULL;
        for (size_t k = 0; k < sizeof xid_row / sizeof xid_row[0]; k++) {
            xid = xid_row[k].number == event->number[0] ? &xid_row[k] : xid;
        }
        host_check_fill(check, "action", "%s", xid ? xid->action : "look it up");
        host_check_bad_as(check, xid ? xid->severity : ASSAY_SEVERITY_WARNING, &event->at,
                          event->device, "Xid %.0f of %s, %u times%s%s", event->number[0],
                          event->device, event->count, xid ? ": " : "", xid ? xid->meaning : "");
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
                        worn ? "drain, reset and return the GPU"
                             : "reset the GPU before the next job");
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
