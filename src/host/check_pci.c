/* PCI Express: width, rate, access control, windows. */
#include <stdlib.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "assay/units.h"

#include "base/banned.h"

static bool matters(const assay_host_pci_t *pci) {
    return host_pci_is_gpu(pci) || host_is_fabric_nic(pci);
}

/* Accelerators or fabric NICs below a bridge: by the buses behind it. */
static host_answer_t leads_to_accelerator(const assay_host_t *host,
                                          const assay_host_pci_t *bridge) {
    bool any = host->n_gpu > 0;
    for (uint32_t i = 0; i < host->n_pci; i++) {
        const assay_host_pci_t *pci = &host->pci[i];
        if (!matters(pci)) {
            continue;
        }
        any = true;
        const unsigned bus = host_bdf_bus(pci->bdf);
        if (bridge->bus_first > 0 && bus >= bridge->bus_first && bus <= bridge->bus_last) {
            return HOST_YES;
        }
    }
    return bridge->bus_first > 0 || (host->pci_seen && !any) ? HOST_NO : HOST_UNKNOWN;
}

/* Narrower than the device can: of an accelerator or what leads to it an error, else a remark. The
   maximum of an end says nothing where the other end is narrower, so a bridge with fewer lanes
   than the device above it is the limit, not a fault. */
static void narrow_link(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_pci; i++) {
        const assay_host_pci_t *pci = &host->pci[i];
        if (host_pci_is_gpu(pci) || !assay_host_known(pci->width.state) ||
            !assay_host_known(pci->width_max.state) || pci->width.v <= 0) {
            continue;
        }
        const bool above =
            host_is_fabric_nic(pci) || (pci->bridge && leads_to_accelerator(host, pci) == HOST_YES);
        if (pci->width.v < pci->width_max.v) {
            if (pci->bridge && !above) {
                continue; /* an empty or small device below: nothing to gain */
            }
            host_check_bad_as(
                check, above ? ASSAY_SEVERITY_ERROR : ASSAY_SEVERITY_INFO, &pci->width.at, pci->bdf,
                "%s runs x%.0f of x%.0f%s", pci->bdf, pci->width.v, pci->width_max.v,
                above ? "" : host_check_said(check, "; it is not on an accelerator's path"));
        }
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const char *name = host_check_gpu_name(check, gpu);
        if (!assay_host_known(gpu->pcie_width.state) ||
            !assay_host_known(gpu->pcie_width_max.state)) {
            continue;
        }
        if (gpu->pcie_width.v < gpu->pcie_width_max.v && gpu->pcie_width.v > 0) {
            host_check_bad(check, &gpu->pcie_width.at, host_check_device(check, gpu),
                           "%s runs x%.0f of x%.0f", name, gpu->pcie_width.v,
                           gpu->pcie_width_max.v);
        } else {
            host_check_good(check, &gpu->pcie_width.at, "%s runs x%.0f", name, gpu->pcie_width.v);
        }
    }
}

/* Links train down at rest: only a busy one tells. */
static void slow_link(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const char *name = host_check_gpu_name(check, gpu);
        if (!assay_host_known(gpu->pcie_gt_s.state) ||
            !assay_host_known(gpu->pcie_gt_s_max.state)) {
            continue;
        }
        if (gpu->pcie_gt_s.v >= gpu->pcie_gt_s_max.v) {
            host_check_good(check, &gpu->pcie_gt_s.at, "%s runs %.1f GT/s", name, gpu->pcie_gt_s.v);
        } else if (!assay_host_known(gpu->gfx_busy.state)) {
            host_check_unknown(check,
                               "%s runs %.1f of %.1f GT/s, which is normal at rest; whether "
                               "it was busy is not given",
                               name, gpu->pcie_gt_s.v, gpu->pcie_gt_s_max.v);
        } else if (gpu->gfx_busy.v > host_check_threshold(check, "busy")) {
            host_check_bad(check, &gpu->pcie_gt_s.at, host_check_device(check, gpu),
                           "%s runs %.1f of %.1f GT/s while busy", name, gpu->pcie_gt_s.v,
                           gpu->pcie_gt_s_max.v);
        } else {
            host_check_unknown(check, "%s is at rest, where links train down", name);
        }
    }
}

/* Traffic between root ports passes the root complex in any case. */
static bool is_root_port(const assay_host_t *host, const assay_host_pci_t *bridge) {
    for (uint32_t i = 0; i < host->n_pci; i++) {
        if (host->pci[i].subclass == 0x0600 &&
            host_bdf_bus(host->pci[i].bdf) == host_bdf_bus(bridge->bdf) &&
            strncmp(host->pci[i].bdf, bridge->bdf, 4) == 0) {
            return true;
        }
    }
    return false;
}

/* Access control services send peer traffic through the root complex: bad at the ports of switches
   on the way between accelerators and NICs, and wanted where virtual machines get devices. */
static void access_control(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    if (host->hypervisor.s && strcmp(host->hypervisor.s, "none") != 0) {
        host_check_none(check, "in a virtual machine the host's bridges are not shown");
        return;
    }
    for (uint32_t i = 0; i < host->n_pci; i++) {
        const assay_host_pci_t *pci = &host->pci[i];
        if (!pci->bridge || !assay_host_known(pci->acs_valid.state)) {
            continue;
        }
        const bool redirects = pci->acs_request.v > 0 || pci->acs_complete.v > 0;
        if (!redirects && !(pci->acs_valid.v > 0)) {
            host_check_good(check, &pci->acs_valid.at, "access control is off at %s", pci->bdf);
            continue;
        }
        const host_answer_t leads = leads_to_accelerator(host, pci);
        if (leads == HOST_NO) {
            host_check_good(check, &pci->acs_valid.at, "%s leads to no accelerator", pci->bdf);
        } else if (leads == HOST_YES && !redirects) {
            host_check_bad_as(check, ASSAY_SEVERITY_INFO, &pci->acs_valid.at, pci->bdf,
                              "%s checks sources, and redirects nothing", pci->bdf);
        } else if (leads == HOST_YES && is_root_port(host, pci)) {
            host_check_bad_as(check, ASSAY_SEVERITY_INFO, &pci->acs_valid.at, pci->bdf,
                              "root port %s redirects peer traffic, which passes the root complex "
                              "in any case",
                              pci->bdf);
        } else {
            host_check_bad(
                check, &pci->acs_valid.at, pci->bdf,
                "access control is on at bridge %s"
                "%s%s",
                pci->bdf, redirects ? host_check_said(check, ", which redirects peer traffic") : "",
                leads == HOST_UNKNOWN ? host_check_said(check, " (what is below it is not shown)")
                                      : "");
        }
    }
}

/* Windows 6 and above are the ROM and those of virtual functions, which need not be placed. */
#define LAST_WINDOW 5

static bool placed_later(const assay_host_t *host, const assay_host_event_t *failed) {
    for (uint32_t i = 0; i < host->n_event; i++) {
        const assay_host_event_t *event = &host->event[i];
        if (strcmp(event->event, "bar-assigned") == 0 && event->at.file == failed->at.file &&
            event->at.line > failed->at.line && strcmp(event->device, failed->device) == 0 &&
            event->number[0] == failed->number[0]) {
            return true;
        }
    }
    return false;
}

static void no_window(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double large = host_check_threshold(check, "large_bytes");
    uint32_t i = 0;
    for (const assay_host_event_t *event; (event = host_check_event(check, "bar-no-space", &i));) {
        const double bytes = event->n_number > 1 ? event->number[1] : 0;
        if (event->n_number == 0 || placed_later(host, event)) {
            continue;
        }
        const bool own = event->number[0] <= LAST_WINDOW;
        const bool gpu = strstr(event->text, "amdgpu") || strstr(event->text, "nvidia") ||
                         host_gpu_find(host, event->device);
        host_check_fill(check, "device", "%s", event->device);
        host_check_bad_as(
            check, own && (gpu || bytes >= large) ? ASSAY_SEVERITY_WARNING : ASSAY_SEVERITY_INFO,
            &event->at, event->device, "window %.0f of %s (%.0f MiB) was not placed%s",
            event->number[0], event->device, bytes / ASSAY_MIB_BYTES,
            gpu ? "" : host_check_said(check, "; not known as an accelerator"));
    }
    for (uint32_t g = 0; g < host->n_gpu; g++) {
        const assay_host_gpu_t *gpu = &host->gpu[g];
        const assay_host_number_t *bar = &gpu->bar_bytes, *vram = &gpu->vram_bytes;
        if (host_is_datacentre(gpu) != HOST_YES || gpu->vendor != ASSAY_VENDOR_AMD ||
            !assay_host_known(bar->state) || !assay_host_known(vram->state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (bar->v < vram->v) {
            host_check_bad(check, &bar->at, host_check_device(check, gpu),
                           "the largest window of %s has %.0f MiB, its memory %.0f", name,
                           bar->v / ASSAY_MIB_BYTES, vram->v / ASSAY_MIB_BYTES);
        } else {
            host_check_good(check, &bar->at, "the window of %s holds all its memory", name);
        }
    }
    if (host->kernel_log_seen) {
        host_check_good(check, NULL, "the kernel log places every window");
    }
}

static const host_check_row_t row[] = {
    {"PCI-001", narrow_link},
    {"PCI-002", slow_link},
    {"PCI-003", access_control},
    {"PCI-004", no_window},
};
const host_check_group_t host_checks_pci = {row, sizeof row / sizeof row[0]};
