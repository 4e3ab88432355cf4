/* Links in use: PCIe errors and settings, where NICs hang, XGMI. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

/* --- errors of PCIe links -------------------------------------------------------------------- */

/* A counter since boot does not say when: only a difference does, or very many. */
static void bad_signal(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double naks = host_check_threshold(check, "naks"),
                 errors = host_check_threshold(check, "errors");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const char *name = host_check_gpu_name(check, gpu), *device = host_check_device(check, gpu);
        if (assay_host_known(gpu->pcie_replays_new.state) && gpu->pcie_replays_new.v > 0) {
            host_check_bad(check, &gpu->pcie_replays_new.at, device,
                           "%s replayed %.0f packets between the samples", name,
                           gpu->pcie_replays_new.v);
        } else if (assay_host_known(gpu->pcie_naks.state) && gpu->pcie_naks.v > naks) {
            host_check_bad(check, &gpu->pcie_naks.at, device, "%s counts %.0f NAKs", name,
                           gpu->pcie_naks.v);
        } else if (assay_host_known(gpu->aer_correctable.state) &&
                   gpu->aer_correctable.v > errors) {
            host_check_bad_as(check, ASSAY_SEVERITY_INFO, &gpu->aer_correctable.at, device,
                              "%s counts %.0f correctable PCIe errors since boot", name,
                              gpu->aer_correctable.v);
        } else if (assay_host_known(gpu->pcie_replays.state) && gpu->pcie_replays.v > 0 &&
                   !assay_host_known(gpu->pcie_replays_new.state)) {
            host_check_unknown(check,
                               "%s replayed %.0f packets since boot; one reading does not "
                               "say when",
                               name, gpu->pcie_replays.v);
        } else if (assay_host_known(gpu->pcie_replays.state)) {
            host_check_good(check, &gpu->pcie_replays.at, "%s replays nothing", name);
        } else if (assay_host_known(gpu->pcie_naks.state)) {
            host_check_good(check, &gpu->pcie_naks.at, "%s counts %.0f NAKs", name,
                            gpu->pcie_naks.v);
        }
    }
}

static void link_retrains(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double many = host_check_threshold(check, "recoveries");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const assay_host_number_t *fact = &gpu->pcie_recoveries;
        if (!assay_host_known(fact->state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (fact->v > many) {
            host_check_bad(check, &fact->at, host_check_device(check, gpu),
                           "the link of %s went into recovery %.0f times since boot", name,
                           fact->v);
        } else {
            host_check_good(check, &fact->at, "the link of %s went into recovery %.0f times", name,
                            fact->v);
        }
    }
}

/* --- settings of NICs ------------------------------------------------------------------------ */

static void small_reads(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double least = host_check_threshold(check, "bytes");
    for (uint32_t i = 0; i < host->n_pci; i++) {
        const assay_host_pci_t *pci = &host->pci[i];
        const assay_host_number_t *fact = &pci->read_request_bytes;
        if (!host_is_fabric_nic(pci) || !assay_host_known(fact->state)) {
            continue;
        }
        if (fact->v < least) {
            host_check_bad(check, &fact->at, pci->bdf, "NIC %s asks for %.0f bytes at a time",
                           pci->bdf, fact->v);
        } else {
            host_check_good(check, &fact->at, "NIC %s asks for %.0f bytes at a time", pci->bdf,
                            fact->v);
        }
    }
}

/* Relaxed ordering: forced by the firmware, or for each memory key if the library asks for it. */
static void strict_order(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *asked = host_setting(host, "NCCL_IB_PCI_RELAXED_ORDERING");
    for (uint32_t i = 0; i < host->n_nic_setting; i++) {
        const assay_host_setting_t *setting = &host->nic_setting[i];
        if (strcmp(setting->name, "PCI_WR_ORDERING") != 0) {
            continue;
        }
        if (strstr(setting->value, "force_relax") || strcmp(setting->value, "1") == 0) {
            host_check_good(check, &setting->at, "the NIC relaxes the order of all writes");
        } else if (asked && strcmp(asked->value, "0") == 0) {
            host_check_bad(check, &setting->at, NULL,
                           "PCI_WR_ORDERING is %s, and NCCL_IB_PCI_RELAXED_ORDERING=0",
                           setting->value);
        } else {
            host_check_bad_as(check, ASSAY_SEVERITY_INFO, &setting->at, NULL,
                              "PCI_WR_ORDERING is %s: only memory keys that ask for it are relaxed",
                              setting->value);
        }
    }
}

/* Translation services of NICs and switches, where transfers to accelerators fail. */
static void translation(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t k = 0, m = 0;
    const bool trouble =
        host_check_event(check, "gdr-disabled", &k) || host_check_event(check, "io-page-fault", &m);
    for (uint32_t i = 0; i < host->n_pci; i++) {
        const assay_host_pci_t *pci = &host->pci[i];
        if (!assay_host_known(pci->ats.state) || !(pci->bridge || host_is_fabric_nic(pci))) {
            continue;
        }
        if (pci->ats.v > 0 && trouble) {
            host_check_bad(check, &pci->ats.at, pci->bdf,
                           "ATS is on at %s, and the log shows trouble with direct transfers",
                           pci->bdf);
        } else {
            host_check_good(
                check, &pci->ats.at, "ATS is %s at %s%s", pci->ats.v > 0 ? "on" : "off", pci->bdf,
                pci->ats.v > 0 ? host_check_said(check, ", and no transfer fails") : "");
        }
    }
}

/* --- which NIC is near ----------------------------------------------------------------------- */

static bool below(const assay_host_pci_t *bridge, const char *bdf) {
    const unsigned bus = host_bdf_bus(bdf);
    return bridge->bridge && bridge->bus_first > 0 && bus >= bridge->bus_first &&
           bus <= bridge->bus_last && strncmp(bridge->bdf, bdf, 4) == 0; /* the same domain */
}

/* A bridge that leads to both an accelerator and a NIC is a switch, or the port above one. */
static void no_shared_switch(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t n_nic = 0, n_gpu = 0, n_far = 0;
    const char *far = "";
    for (uint32_t i = 0; i < host->n_pci; i++) {
        n_nic += host_is_fabric_nic(&host->pci[i]);
    }
    for (uint32_t g = 0; g < host->n_gpu && n_nic > 0; g++) {
        const char *bdf = host->gpu[g].bdf.s;
        bool above = false, shared = false;
        for (uint32_t b = 0; bdf && b < host->n_pci; b++) {
            const assay_host_pci_t *bridge = &host->pci[b];
            if (!below(bridge, bdf)) {
                continue;
            }
            above = true;
            for (uint32_t i = 0; i < host->n_pci && !shared; i++) {
                shared = host_is_fabric_nic(&host->pci[i]) && below(bridge, host->pci[i].bdf);
            }
        }
        n_gpu += above;
        if (above && !shared) {
            far = host_check_printf(check, "%s%s%s", far, n_far++ ? ", " : "", bdf);
        }
    }
    if (n_gpu == 0) {
        return; /* no NIC, or the bridges are not shown */
    }
    if (n_far > 0) {
        host_check_bad(check, NULL, NULL, "no NIC is below the same switch as %s", far);
    } else {
        host_check_good(check, NULL, "each of %u accelerators shares a switch with a NIC", n_gpu);
    }
}

/* --- windows, XGMI --------------------------------------------------------------------------- */

static void no_realloc_off(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t i = 0;
    const assay_host_event_t *failed = host_check_event(check, "bar-no-space", &i);
    if (!host_part(host, "MI300")) {
        host_check_none(check, "the guide that asks for it is of MI300 hosts");
    } else if (!host->cmdline.s) {
        return;
    } else if (strstr(host->cmdline.s, "pci=realloc=off")) {
        host_check_good(check, &host->cmdline.at, "the boot line has pci=realloc=off");
    } else if (failed) {
        host_check_bad(check, &failed->at, NULL,
                       "a window was not placed, and the boot line has no pci=realloc=off");
    } else if (host->kernel_log_seen) {
        host_check_good(check, &host->cmdline.at, "all windows were placed without it");
    }
}

static void xgmi_down(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const assay_host_number_t *down = &gpu->xgmi_links_down, *errors = &gpu->xgmi_errors;
        const char *name = host_check_gpu_name(check, gpu), *device = host_check_device(check, gpu);
        if (assay_host_known(down->state) && down->v > 0) {
            host_check_bad(check, &down->at, device, "%s has %.0f XGMI links down", name, down->v);
        } else if (assay_host_known(errors->state) && errors->v > 0) {
            host_check_bad_as(check, ASSAY_SEVERITY_ERROR, &errors->at, device,
                              "%s reports errors of XGMI (%.0f)", name, errors->v);
        } else if (assay_host_known(down->state) || assay_host_known(errors->state)) {
            host_check_good(check, assay_host_known(down->state) ? &down->at : &errors->at,
                            "no XGMI link of %s is down", name);
        }
    }
}

static const host_check_row_t row[] = {
    {"KRN-005", no_realloc_off}, {"PCI-005", small_reads},   {"PCI-006", strict_order},
    {"PCI-007", bad_signal},     {"PCI-008", link_retrains}, {"PCI-009", no_shared_switch},
    {"PCI-010", translation},    {"XGM-002", xgmi_down},
};
const host_check_group_t host_checks_link = {row, sizeof row / sizeof row[0]};
