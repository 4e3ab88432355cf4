/* What a container shows and forbids, and whether all devices have their nodes. */
#include <stdlib.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

static void calls_filtered(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *fact = &host->seccomp;
    if (!assay_host_known(fact->state)) {
        return;
    }
    if (!assay_host_known(host->container.state)) {
        host_check_unknown(check, "whether this is a container was not given");
    } else if (fact->v > 0) {
        host_check_bad(check, &fact->at, NULL, "a filter of system calls is in place");
    } else {
        host_check_good(check, &fact->at, "no filter of system calls");
    }
}

static bool has_word(const char *list, const char *word) {
    host_span_t rest = host_span(list);
    while (rest.n > 0) {
        if (host_is(host_trim(host_cut(&rest, ",")), word)) {
            return true;
        }
    }
    return false;
}

/* A device plugin may set void and pass the devices itself: where accelerators show, nothing is
   wrong. */
static void nothing_passed(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *visible = host_setting(host, "NVIDIA_VISIBLE_DEVICES"),
                               *able = host_setting(host, "NVIDIA_DRIVER_CAPABILITIES");
    const bool none = visible && (!*visible->value || strcmp(visible->value, "void") == 0 ||
                                  strcmp(visible->value, "none") == 0);
    if (!host->env_seen || host_has_vendor(host, ASSAY_VENDOR_AMD) == HOST_YES) {
        return;
    }
    if (none && host->n_gpu > 0) {
        host_check_good(check, &visible->at, "the devices were passed by other means");
    } else if (none) {
        host_check_bad(check, &visible->at, NULL, "NVIDIA_VISIBLE_DEVICES=%s", visible->value);
    } else if (able && !has_word(able->value, "all") && !has_word(able->value, "compute")) {
        host_check_bad(check, &able->at, NULL, "NVIDIA_DRIVER_CAPABILITIES=%s lacks compute",
                       able->value);
    } else if (able && !has_word(able->value, "all") && !has_word(able->value, "utility")) {
        host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &able->at, NULL,
                          "NVIDIA_DRIVER_CAPABILITIES=%s lacks utility: no nvidia-smi",
                          able->value);
    } else if (visible) {
        host_check_good(check, &visible->at, "NVIDIA_VISIBLE_DEVICES=%s", visible->value);
    }
}

/* Parts for compute: displays and the graphics of processors may have no compute node. */
static bool computes(const assay_host_t *host, const assay_host_pci_t *pci) {
    const assay_host_gpu_t *gpu = host_gpu_find(host, pci->bdf);
    return host_vendor(pci->vendor_id) == ASSAY_VENDOR_AMD &&
           (pci->subclass == 0x1200 ||
            (gpu && (host_is_datacentre(gpu) == HOST_YES || host_is_part(gpu, "MI"))));
}

static void counts_differ(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *kfd = &host->kfd_gpus, *render = &host->render_nodes;
    uint32_t on_bus = 0;
    for (uint32_t i = 0; i < host->n_pci; i++) {
        on_bus += computes(host, &host->pci[i]);
    }
    if (on_bus == 0 || !host->pci_seen) {
        return;
    }
    if (host_in_container(host)) {
        host_check_none(check, "a container need not have all of them");
        return;
    }
    if (assay_host_known(kfd->state) && kfd->v < on_bus) {
        host_check_bad(check, &kfd->at, NULL, "the compute driver has %.0f of %u accelerators",
                       kfd->v, on_bus);
    } else if (assay_host_known(kfd->state)) { /* more: partitions */
        host_check_good(check, &kfd->at, "the compute driver has all %u", on_bus);
    }
    if (assay_host_known(render->state) && render->v < on_bus) {
        host_check_bad(check, &render->at, NULL, "%.0f render nodes for %u accelerators", render->v,
                       on_bus);
    } else if (assay_host_known(render->state)) {
        host_check_good(check, &render->at, "%.0f render nodes", render->v);
    }
}

static const host_check_row_t row[] = {
    {"CNT-004", calls_filtered},
    {"CNT-006", nothing_passed},
    {"DEV-003", counts_differ},
};
const host_check_group_t host_checks_container = {row, sizeof row / sizeof row[0]};
