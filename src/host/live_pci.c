/* PCI functions and accelerators of /sys. */
#include <stdio.h>
#include <string.h>

#include "host/host_live.h"

#include "base/banned.h"

#define DEVICES "sys/bus/pci/devices"

/* Attributes of the amdgpu driver in a device's directory. */
static const struct {
    const char *name;
    size_t offset;
    double scale;
} attribute[] = {
#define GPU(field) offsetof(assay_host_gpu_t, field)
    {"gpu_busy_percent", GPU(gfx_busy), 0.01},   {"mem_busy_percent", GPU(mem_busy), 0.01},
    {"mem_info_vram_total", GPU(vram_bytes), 1}, {"mem_info_vram_used", GPU(vram_used_bytes), 1},
    {"pcie_replay_count", GPU(pcie_replays), 1},
};

/* Of its hwmon directory, in the kernel's units. */
static const struct {
    const char *name;
    size_t offset;
    double scale;
} sensor[] = {
    {"temp1_input", GPU(edge_c), 1e-3},
    {"temp2_input", GPU(hotspot_c), 1e-3},
    {"temp2_crit", GPU(hotspot_limit_c), 1e-3},
    {"temp3_input", GPU(mem_c), 1e-3},
    {"temp3_crit", GPU(mem_limit_c), 1e-3},
    {"power1_average", GPU(power_w), 1e-6},
    {"power1_input", GPU(power_w), 1e-6},
    {"power1_cap", GPU(power_cap_w), 1e-6},
    {"power1_cap_default", GPU(power_cap_default_w), 1e-6},
    {"power1_cap_max", GPU(power_cap_max_w), 1e-6},
    {"power1_cap_min", GPU(power_cap_min_w), 1e-6},
    {"freq1_input", GPU(gfx_hz), 1},
    {"freq2_input", GPU(mem_hz), 1},
};

static void read_number(host_live_t *live, const char *dir, const char *name, double scale,
                        assay_host_number_t *fact) {
    char path[512];
    if (snprintf(path, sizeof path, "%s/%s", dir, name) < (int)sizeof path) {
        host_live_number(live, path, scale, fact);
    }
}

static void read_word(host_live_t *live, const char *dir, const char *name,
                      assay_host_text_t *fact) {
    char path[512];
    if (snprintf(path, sizeof path, "%s/%s", dir, name) < (int)sizeof path) {
        const host_span_t text = host_trim(host_live_text(live, path, NULL));
        live->parse->line = 1;
        host_set_text(live->parse, fact, text);
    }
}

static void read_sensors(host_live_t *live, const char *dir, assay_host_gpu_t *gpu) {
    char path[400];
    uint32_t n;
    (void)snprintf(path, sizeof path, "%s/hwmon", dir);
    const char **name = host_live_list(live, path, &n);
    for (uint32_t i = 0; i < n; i++) {
        (void)snprintf(path, sizeof path, "%s/hwmon/%s", dir, name[i]);
        for (size_t k = 0; k < sizeof sensor / sizeof sensor[0]; k++) {
            read_number(live, path, sensor[k].name, sensor[k].scale,
                        (void *)((char *)gpu + sensor[k].offset));
        }
    }
}

/* "ue: 0" and "ce: 0" of each block, added up. */
static void read_errors(host_live_t *live, const char *dir, assay_host_gpu_t *gpu) {
    char path[600];
    uint32_t n, n_read = 0;
    double sum[2] = {0};
    (void)snprintf(path, sizeof path, "%s/ras", dir);
    const char **name = host_live_list(live, path, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!host_name_matches("*_err_count", name[i])) {
            continue;
        }
        (void)snprintf(path, sizeof path, "%s/ras/%s", dir, name[i]);
        host_span_t text = host_live_text(live, path, NULL);
        n_read += text.n > 0;
        while (text.n > 0) {
            host_span_t key, value, line = host_cut(&text, "\n"), rest;
            double number;
            if (host_key_value(line, ':', &key, &value) && host_number(value, &number, &rest)) {
                sum[0] += host_is(key, "ue") ? number : 0;
                sum[1] += host_is(key, "ce") ? number : 0;
            }
        }
    }
    if (n_read > 0) {
        live->parse->line = 0;
        host_set_number(live->parse, &gpu->ras_uncorrectable, sum[0]);
        host_set_number(live->parse, &gpu->ras_correctable, sum[1]);
    }
}

static void read_gpu(host_live_t *live, const char *dir, const assay_host_pci_t *pci) {
    host_pci_gpu(live->parse, pci);
    assay_host_gpu_t *gpu = host_gpu_find(live->parse->host, pci->bdf);
    if (!gpu) {
        return;
    }
    for (size_t i = 0; i < sizeof attribute / sizeof attribute[0]; i++) {
        read_number(live, dir, attribute[i].name, attribute[i].scale,
                    (void *)((char *)gpu + attribute[i].offset));
    }
    read_word(live, dir, "current_compute_partition", &gpu->compute_partition);
    read_word(live, dir, "current_memory_partition", &gpu->memory_partition);
    read_word(live, dir, "power_dpm_force_performance_level", &gpu->perf_level);
    read_word(live, dir, "iommu_group/type", &live->parse->host->iommu);
    read_sensors(live, dir, gpu);
    read_errors(live, dir, gpu);
}

static void read_function(host_live_t *live, const char *address) {
    char dir[300], path[400];
    host_parse_t *parse = live->parse;
    assay_host_number_t vendor = {0}, device = {0}, class = {0};
    (void)snprintf(dir, sizeof dir, DEVICES "/%.64s", address);
    read_number(live, dir, "vendor", 1, &vendor);
    read_number(live, dir, "device", 1, &device);
    read_number(live, dir, "class", 1, &class);
    const char *bdf = host_bdf(parse, host_span(address));
    assay_host_pci_t *pci = bdf ? host_pci(parse, bdf) : NULL;
    if (!pci || vendor.v < 0 || vendor.v > 65535 || device.v < 0 || device.v > 65535 ||
        class.v < 0 || class.v > 0xffffff) {
        return;
    }
    pci->vendor_id = (uint32_t)vendor.v;
    pci->device_id = (uint32_t)device.v;
    pci->subclass = (uint32_t) class.v >> 8;
    pci->bridge = pci->subclass == 0x0604;
    (void)snprintf(path, sizeof path, "%s/driver", dir);
    pci->driver = host_live_link_name(live, path);
    if (!pci->bridge && !host_pci_is_gpu(pci) && pci->subclass >> 8 != 0x02) {
        return; /* discs and USB tell nothing */
    }
    read_number(live, dir, "current_link_width", 1, &pci->width);
    read_number(live, dir, "max_link_width", 1, &pci->width_max);
    read_number(live, dir, "current_link_speed", 1, &pci->gt_s);
    read_number(live, dir, "max_link_speed", 1, &pci->gt_s_max);
    read_number(live, dir, "numa_node", 1, &pci->numa_node);
    if (pci->bridge) {
        assay_host_number_t first = {0}, last = {0};
        read_number(live, dir, "secondary_bus_number", 1, &first);
        read_number(live, dir, "subordinate_bus_number", 1, &last);
        if (first.v > 0 && last.v >= first.v && last.v < 256) {
            pci->bus_first = (uint32_t)first.v;
            pci->bus_last = (uint32_t)last.v;
        }
    }
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
