/* PCI functions of /sys, and the accelerators among them. */
#include <string.h>

#include "host/host_live.h"

#include "base/banned.h"

#define DEVICES "sys/bus/pci/devices"

static void read_number(host_live_t *live, const char *dir, const char *name,
                        assay_host_number_t *fact) {
    host_live_number(live, host_live_path(live, "%s/%s", dir, name), 1, fact);
}

/* "DRIVER=amdgpu", "PCI_CLASS=120000", "PCI_ID=1002:74A1": one file instead of four. */
static void read_identity(host_live_t *live, const char *dir, assay_host_pci_t *pci) {
    host_span_t text = host_live_text(live, host_live_path(live, "%s/uevent", dir), NULL);
    unsigned class = 0, vendor = 0, device = 0;
    while (text.n > 0) {
        host_span_t key, value, line = host_cut(&text, "\n");
        if (!host_key_value(line, '=', &key, &value)) {
            continue;
        }
        if (host_is(key, "DRIVER")) {
            pci->driver = host_copy(live->parse, value);
        } else if (host_is(key, "PCI_CLASS")) {
            (void)host_hex(value, &class);
        } else if (host_is(key, "PCI_ID") && host_hex(host_cut(&value, ":"), &vendor)) {
            (void)host_hex(value, &device);
        }
    }
    if (vendor == 0) { /* a copy without it */
        assay_host_number_t fact[3] = {0};
        read_number(live, dir, "class", &fact[0]);
        read_number(live, dir, "vendor", &fact[1]);
        read_number(live, dir, "device", &fact[2]);
        class = fact[0].v >= 0 && fact[0].v <= 0xffffff ? (unsigned)fact[0].v : 0;
        vendor = fact[1].v >= 0 && fact[1].v <= 0xffff ? (unsigned)fact[1].v : 0;
        device = fact[2].v >= 0 && fact[2].v <= 0xffff ? (unsigned)fact[2].v : 0;
    }
    if (!pci->driver) {
        pci->driver = host_live_link_name(live, host_live_path(live, "%s/driver", dir));
    }
    pci->vendor_id = vendor & 0xffff;
    pci->device_id = device & 0xffff;
    pci->subclass = class >> 8 & 0xffff;
    pci->bridge = pci->subclass == 0x0604;
}

/* "../../../devices/pci0000:00/0000:00:01.1/0000:01:00.0": the one in front of the last. */
static const char *parent_of(host_live_t *live, const char *dir) {
    host_span_t target = host_live_link(live, dir);
    const char *last = target.n > 0 ? memrchr(target.s, '/', target.n) : NULL;
    target.n = last ? (size_t)(last - target.s) : 0;
    const char *before = target.n > 0 ? memrchr(target.s, '/', target.n) : NULL;
    return before ? host_bdf(live->parse,
                             (host_span_t){before + 1, target.n - (size_t)(before + 1 - target.s)})
                  : NULL;
}

/* "TOTAL_ERR_COR 12" behind a line for each kind. */
static void read_aer(host_live_t *live, const char *dir, const char *name, const char *total,
                     assay_host_number_t *fact) {
    host_span_t text = host_live_text(live, host_live_path(live, "%s/%s", dir, name), NULL);
    while (text.n > 0) {
        host_span_t rest = host_cut(&text, "\n"), after;
        double n;
        live->parse->line++;
        if (host_is(host_word(&rest), total) && host_number(rest, &n, &after)) {
            host_set_number(live->parse, fact, n);
        }
    }
}

/* The largest of the lines "0x... first 0x... last 0x... flags". */
static void read_windows(host_live_t *live, const char *dir, assay_host_pci_t *pci) {
    host_span_t text = host_live_text(live, host_live_path(live, "%s/resource", dir), NULL);
    double most = 0;
    while (text.n > 0) {
        host_span_t rest = host_cut(&text, "\n"), after;
        double first, last;
        if (host_number(host_word(&rest), &first, &after) &&
            host_number(host_word(&rest), &last, &after) && last > first &&
            last - first + 1 > most) {
            most = last - first + 1;
        }
    }
    if (most > 0) {
        host_set_number(live->parse, &pci->bar_bytes, most);
    }
}

static void read_gpu(host_live_t *live, const char *dir, const assay_host_pci_t *pci) {
    assay_host_t *host = live->parse->host;
    host_live_at(live, dir);
    host_pci_gpu(live->parse, pci);
    assay_host_gpu_t *gpu = host_gpu_find(host, pci->bdf);
    if (gpu) {
        host_live_word(live, host_live_path(live, "%s/local_cpulist", dir), &gpu->local_cpus);
        host_live_word(live, host_live_path(live, "%s/iommu_group/type", dir), &host->iommu);
        if (gpu->vendor == ASSAY_VENDOR_AMD) {
            host_live_amdgpu(live, dir, gpu);
        }
    }
}

/* Reading the link of a device that sleeps would wake it. */
static bool is_asleep(host_live_t *live, const char *dir) {
    return host_starts(
        host_live_text(live, host_live_path(live, "%s/power/runtime_status", dir), NULL),
        "suspended");
}

static void read_link(host_live_t *live, const char *dir, assay_host_pci_t *pci) {
    read_number(live, dir, "numa_node", &pci->numa_node);
    if (is_asleep(live, dir)) {
        return;
    }
    read_number(live, dir, "current_link_width", &pci->width);
    read_number(live, dir, "max_link_width", &pci->width_max);
    read_number(live, dir, "current_link_speed", &pci->gt_s);
    read_number(live, dir, "max_link_speed", &pci->gt_s_max);
    read_aer(live, dir, "aer_dev_correctable", "TOTAL_ERR_COR", &pci->aer_correctable);
    read_aer(live, dir, "aer_dev_fatal", "TOTAL_ERR_FATAL", &pci->aer_uncorrectable);
    const host_span_t config = host_live_bytes(live, host_live_path(live, "%s/config", dir), NULL);
    host_pci_config(live->parse, config, pci);
}

static void read_function(host_live_t *live, const char *address) {
    host_parse_t *parse = live->parse;
    const char *dir = host_live_path(live, DEVICES "/%s", address);
    const char *bdf = host_bdf(parse, host_span(address));
    host_live_at(live, dir);
    assay_host_pci_t *pci = bdf ? host_pci(parse, bdf) : NULL;
    if (!pci) {
        return;
    }
    read_identity(live, dir, pci);
    pci->parent = parent_of(live, dir);
    if (!pci->bridge && !host_pci_is_gpu(pci) && pci->subclass >> 8 != 0x02) {
        return; /* discs and USB tell nothing */
    }
    read_link(live, dir, pci);
    if (pci->bridge) {
        assay_host_number_t first = {0}, last = {0};
        read_number(live, dir, "secondary_bus_number", &first);
        read_number(live, dir, "subordinate_bus_number", &last);
        if (first.v > 0 && last.v >= first.v && last.v < 256) {
            pci->bus_first = (uint32_t)first.v;
            pci->bus_last = (uint32_t)last.v;
        }
        return;
    }
    read_windows(live, dir, pci);
    assay_host_text_t iommu = {0};
    host_live_word(live, host_live_path(live, "%s/iommu_group/type", dir), &iommu);
    pci->iommu = iommu.s;
    if (host_pci_is_gpu(pci)) {
        read_gpu(live, dir, pci);
    }
}

void host_live_pci(host_live_t *live) {
    uint32_t n;
    const char **name = host_live_list(live, DEVICES, &n);
    for (uint32_t i = 0; i < n; i++) {
        read_function(live, name[i]);
    }
    live->parse->host->pci_seen |= name != NULL;
}
