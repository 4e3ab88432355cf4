/* What more than one check asks about a host. */
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

/* Kernel modules and drivers tell which vendor's parts are there, where nothing lists the parts. */
static bool has_module_of(const assay_host_t *host, assay_vendor_t vendor) {
    return host_module_find(host, vendor == ASSAY_VENDOR_AMD ? "amdgpu" : "nvidia") != NULL;
}

host_answer_t host_has_vendor(const assay_host_t *host, assay_vendor_t vendor) {
    uint32_t known = 0;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        if (host->gpu[i].vendor == vendor) {
            return HOST_YES;
        }
        known += host->gpu[i].vendor != ASSAY_VENDOR_UNKNOWN;
    }
    if (has_module_of(host, vendor)) {
        return HOST_UNKNOWN; /* it may be loaded for a display */
    }
    if (known > 0 && known == host->n_gpu) {
        return HOST_NO;
    }
    return host->pci_seen ? HOST_NO : HOST_UNKNOWN;
}

static host_answer_t has_amd(const assay_host_t *host) {
    return host_has_vendor(host, ASSAY_VENDOR_AMD);
}

static host_answer_t has_nvidia(const assay_host_t *host) {
    return host_has_vendor(host, ASSAY_VENDOR_NVIDIA);
}

static host_answer_t has_gpu(const assay_host_t *host) {
    return host->n_gpu > 0 ? HOST_YES : host->pci_seen ? HOST_NO : HOST_UNKNOWN;
}

static host_answer_t has_many_gpus(const assay_host_t *host) {
    return host->n_gpu > 1 ? HOST_YES : host->pci_seen ? HOST_NO : HOST_UNKNOWN;
}

static host_answer_t in_container(const assay_host_t *host) {
    if (!assay_host_known(host->container.state)) {
        return HOST_UNKNOWN;
    }
    return strcmp(host->container.s, "none") == 0 ? HOST_NO : HOST_YES;
}

static host_answer_t has_rdma(const assay_host_t *host) {
    return host->n_port > 0 ? HOST_YES : host->live ? HOST_NO : HOST_UNKNOWN;
}

const host_condition_t host_if_amd = {has_amd, "no AMD accelerator is here"};
const host_condition_t host_if_nvidia = {has_nvidia, "no NVIDIA accelerator is here"};
const host_condition_t host_if_gpu = {has_gpu, "no accelerator is here"};
const host_condition_t host_if_many_gpus = {has_many_gpus, "fewer than two accelerators are here"};
const host_condition_t host_if_container = {in_container, "this is no container"};
const host_condition_t host_if_rdma = {has_rdma, "no RDMA device is here"};

host_answer_t host_is_datacentre(const assay_host_gpu_t *gpu) {
    static const char *const yes[] = {"Instinct", "MI100", "MI2", "MI3",  "A100", "A30",  "A40",
                                      "H100",     "H200",  "H20", "H800", "B200", "B300", "GB200",
                                      "GB300",    "L40",   "L20", "A10",  "V100", "P100", "T4"};
    static const char *const no[] = {"Radeon", "GeForce", "RTX", "Quadro"};
    const assay_host_text_t *name = &gpu->name;
    for (size_t i = 0; name->s && i < sizeof no / sizeof no[0]; i++) {
        if (strstr(name->s, no[i]) && !strstr(name->s, "Instinct")) {
            return HOST_NO;
        }
    }
    for (size_t i = 0; name->s && i < sizeof yes / sizeof yes[0]; i++) {
        if (strstr(name->s, yes[i])) {
            return HOST_YES;
        }
    }
    static const char *const target[] = {"gfx908", "gfx90a", "gfx942", "gfx950"};
    for (size_t i = 0; gpu->target.s && i < sizeof target / sizeof target[0]; i++) {
        if (strcmp(gpu->target.s, target[i]) == 0) {
            return HOST_YES;
        }
    }
    return HOST_UNKNOWN;
}

host_answer_t host_has_amd_peers(const assay_host_t *host) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (gpu->vendor == ASSAY_VENDOR_AMD) {
            n += gpu->name.s && strstr(gpu->name.s, "MI250") ? 2 : 1; /* a package of two dies */
        }
    }
    return n > 1 ? HOST_YES : host->n_gpu > 0 ? HOST_NO : HOST_UNKNOWN;
}

const char *host_check_device(host_check_t *check, const assay_host_gpu_t *gpu) {
    return gpu->bdf.s ? gpu->bdf.s : host_check_gpu_name(check, gpu);
}

const char *host_check_gpu_name(host_check_t *check, const assay_host_gpu_t *gpu) {
    if (gpu->bdf.s && assay_host_known(gpu->index.state)) {
        return host_check_printf(check, "GPU %.0f (%s)", gpu->index.v, gpu->bdf.s);
    }
    if (gpu->bdf.s) {
        return host_check_printf(check, "GPU %s", gpu->bdf.s);
    }
    return assay_host_known(gpu->index.state) ? host_check_printf(check, "GPU %.0f", gpu->index.v)
                                              : "the GPU";
}

const assay_host_event_t *host_check_event(const host_check_t *check, const char *event,
                                           uint32_t *i) {
    const assay_host_t *host = host_check_host(check);
    while (*i < host->n_event) {
        const assay_host_event_t *found = &host->event[(*i)++];
        if (strcmp(found->event, event) == 0) {
            return found;
        }
    }
    return NULL;
}

bool host_check_events(host_check_t *check, const char *event) {
    bool any = false;
    uint32_t i = 0;
    for (const assay_host_event_t *found; (found = host_check_event(check, event, &i));) {
        any = true;
        host_check_bad(check, &found->at, found->device, "%s%s", found->text,
                       found->count > 1 ? host_check_printf(check, " (%u times)", found->count)
                                        : "");
    }
    return any;
}

void host_check_kernel_events(host_check_t *check, const char *event) {
    if (!host_check_events(check, event) && host_check_host(check)->kernel_log_seen) {
        host_check_good(check, NULL, "the kernel log has no such line");
    }
}
