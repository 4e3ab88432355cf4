/* What more than one check asks about a host. */
#include <stdio.h>
#include <stdlib.h>
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

const host_condition_t *host_condition_find(const char *name) {
    static const host_condition_t row[] = {
        {"any host", NULL, ""},
        {"AMD", has_amd, "no AMD accelerator is here"},
        {"NVIDIA", has_nvidia, "no NVIDIA accelerator is here"},
        {"accelerator", has_gpu, "no accelerator is here"},
        {"accelerators", has_many_gpus, "fewer than two accelerators are here"},
        {"container", in_container, "this is no container"},
        {"RDMA", has_rdma, "no RDMA device is here"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (strcmp(row[i].name, name) == 0) {
            return &row[i];
        }
    }
    return NULL;
}

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

/* --- versions, settings, parts ---------------------------------------------------------------- */

int host_version_compare(const char *a, const char *b) {
    while (*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9') {
        char *end_a, *end_b;
        const unsigned long x = strtoul(a, &end_a, 10), y = strtoul(b, &end_b, 10);
        if (x != y) {
            return x < y ? -1 : 1;
        }
        a = end_a + (*end_a == '.');
        b = end_b + (*end_b == '.');
    }
    return 0;
}

static const assay_host_setting_t *find(const assay_host_setting_t *setting, uint32_t n,
                                        const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(setting[i].name, name) == 0) {
            return &setting[i];
        }
    }
    return NULL;
}

const assay_host_setting_t *host_package(const assay_host_t *host, const char *name) {
    return find(host->package, host->n_package, name);
}

const assay_host_setting_t *host_setting(const assay_host_t *host, const char *name) {
    return find(host->env, host->n_env, name);
}

bool host_in_container(const assay_host_t *host) {
    return assay_host_known(host->container.state) && strcmp(host->container.s, "none") != 0;
}

unsigned host_bdf_bus(const char *bdf) {
    uint32_t part[4];
    size_t n;
    return host_bdf_parts(host_span(bdf), part, &n) ? part[1] : 0;
}

bool host_is_fabric_nic(const assay_host_pci_t *pci) {
    return pci->subclass == 0x0207 || (pci->vendor_id == 0x15b3 && pci->subclass >> 8 == 0x02);
}

/* PCI ids of the parts whose names tools may not print; kernel drivers/gpu/drm/amd/amdgpu. */
bool host_is_part(const assay_host_gpu_t *gpu, const char *name) {
    static const struct {
        const char *name;
        unsigned id;
    } row[] = {{"MI210", 0x740f},  {"MI250", 0x740c},  {"MI250X", 0x7408},
               {"MI300A", 0x74a0}, {"MI300X", 0x74a1}, {"MI300X", 0x74b5},
               {"MI325X", 0x74a5}, {"MI350X", 0x75a0}, {"MI355X", 0x75a3}};
    if (gpu->name.s) {
        return strstr(gpu->name.s, name) != NULL;
    }
    for (size_t i = 0; assay_host_known(gpu->device_id.state) && i < sizeof row / sizeof row[0];
         i++) {
        if (gpu->vendor == ASSAY_VENDOR_AMD && gpu->device_id.v == row[i].id) {
            return strncmp(row[i].name, name, strlen(name)) == 0;
        }
    }
    return false;
}

const assay_host_gpu_t *host_part(const assay_host_t *host, const char *name) {
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        if (host_is_part(&host->gpu[i], name)) {
            return &host->gpu[i];
        }
    }
    return NULL;
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
                                              : host_check_said(check, "the GPU");
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
