/* Modes and settings of the host and its accelerators that cost speed or explain a figure. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

#define IS_SET(fact) (assay_host_known((fact).state) && (fact).v > 0)

static void level_forced(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (gpu->vendor != ASSAY_VENDOR_AMD || !gpu->perf_level.s) {
            continue;
        }
        const char *level = gpu->perf_level.s, *name = host_check_gpu_name(check, gpu);
        if (host_is_fold(host_span(level), "auto")) {
            host_check_good(check, &gpu->perf_level.at, "%s is at level auto", name);
        } else {
            const bool chosen = host_is_fold(host_span(level), "determinism") ||
                                host_is_fold(host_span(level), "perf_determinism");
            host_check_bad_as(check, chosen ? ASSAY_SEVERITY_INFO : ASSAY_SEVERITY_WARNING,
                              &gpu->perf_level.at, host_check_device(check, gpu),
                              "%s is at level %s", name, level);
        }
    }
}

static void second_die(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (gpu->vendor == ASSAY_VENDOR_AMD && assay_host_known(gpu->power_cap_w.state) &&
            gpu->power_cap_w.v == 0) {
            host_check_bad(check, &gpu->power_cap_w.at, host_check_device(check, gpu),
                           "%s shows a cap of 0 W", host_check_gpu_name(check, gpu));
        } else if (gpu->vendor == ASSAY_VENDOR_AMD && assay_host_known(gpu->power_cap_w.state)) {
            host_check_good(check, &gpu->power_cap_w.at, "%s has a sensor of its own",
                            host_check_gpu_name(check, gpu));
        }
    }
}

static void shared_pool(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!gpu->compute_partition.s || !gpu->memory_partition.s) {
            continue;
        }
        if (strcmp(gpu->compute_partition.s, "SPX") != 0 &&
            strcmp(gpu->memory_partition.s, "NPS1") == 0) {
            host_check_bad(check, &gpu->compute_partition.at, host_check_device(check, gpu),
                           "%s is in %s with NPS1", host_check_gpu_name(check, gpu),
                           gpu->compute_partition.s);
        } else {
            host_check_good(check, &gpu->compute_partition.at, "%s is in %s with %s",
                            host_check_gpu_name(check, gpu), gpu->compute_partition.s,
                            gpu->memory_partition.s);
        }
    }
}

static void partitioned(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!gpu->compute_partition.s) {
            continue;
        }
        if (strcmp(gpu->compute_partition.s, "SPX") == 0) {
            host_check_good(check, &gpu->compute_partition.at, "%s is whole",
                            host_check_gpu_name(check, gpu));
        } else {
            host_check_bad(check, &gpu->compute_partition.at, host_check_device(check, gpu),
                           "%s is in %s", host_check_gpu_name(check, gpu),
                           gpu->compute_partition.s);
        }
    }
}

/* Virtual functions of Instinct parts have ids of their own. */
static void virtual_function(host_check_t *check) {
    static const double id[] = {0x74b5, 0x74b6, 0x74b9, 0x74bd, 0x7410};
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const assay_host_number_t *own = &gpu->device_id;
        bool is_virtual = false;
        if (gpu->vendor != ASSAY_VENDOR_AMD || !assay_host_known(own->state)) {
            continue;
        }
        for (size_t k = 0; k < sizeof id / sizeof id[0]; k++) {
            is_virtual |= own->v == id[k];
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (is_virtual) {
            host_check_bad(check, &own->at, host_check_device(check, gpu),
                           "%s has device id 0x%04x", name, (unsigned)own->v);
        } else {
            host_check_good(check, &own->at, "%s is a physical function", name);
        }
    }
}

static void no_persistence(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!assay_host_known(gpu->persistence.state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (gpu->persistence.v > 0) {
            host_check_good(check, &gpu->persistence.at, "%s keeps its state", name);
        } else if (host_is_datacentre(gpu) == HOST_YES) {
            host_check_bad(check, &gpu->persistence.at, host_check_device(check, gpu),
                           "%s has persistence mode off", name);
        } else {
            host_check_unknown(check,
                               "%s has persistence mode off, and is not known as a "
                               "data-centre part",
                               name);
        }
    }
}

static void mig_half_done(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!assay_host_known(gpu->mig.state) || !assay_host_known(gpu->mig_pending.state)) {
            continue;
        }
        if (gpu->mig.v != gpu->mig_pending.v) {
            host_check_bad(check, &gpu->mig_pending.at, host_check_device(check, gpu),
                           "%s has MIG mode %s, and %s after a reset",
                           host_check_gpu_name(check, gpu), gpu->mig.v > 0 ? "on" : "off",
                           gpu->mig_pending.v > 0 ? "on" : "off");
        } else {
            host_check_good(check, &gpu->mig.at, "%s has no MIG change pending",
                            host_check_gpu_name(check, gpu));
        }
    }
}

/* Fewer devices than the same machine's bus shows. */
static void fewer_than_bus(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t on_bus = 0;
    const assay_host_pci_t *first = NULL;
    for (uint32_t i = 0; i < host->n_pci; i++) {
        const assay_host_pci_t *pci = &host->pci[i];
        if (host_pci_is_gpu(pci) && host_vendor(pci->vendor_id) == ASSAY_VENDOR_NVIDIA) {
            on_bus++;
            first = first ? first : pci;
        }
    }
    if (on_bus == 0 || !assay_host_known(host->gpus_listed.state)) {
        return;
    }
    if (host->gpus_listed.v < on_bus) {
        host_check_bad(check, &host->gpus_listed.at, NULL, "nvidia-smi lists %.0f of %u on the bus",
                       host->gpus_listed.v, on_bus);
    } else {
        host_check_good(check, &host->gpus_listed.at, "nvidia-smi lists all %u", on_bus);
    }
}

static void expected_missing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t on_bus = 0;
    for (uint32_t i = 0; i < host->n_pci; i++) {
        on_bus += host_pci_is_gpu(&host->pci[i]);
    }
    if (!assay_host_known(host->gpus_expected.state) || !host->pci_seen || on_bus == 0) {
        return; /* partitions are not on the bus, and an excerpt does not show all of it */
    }
    if (on_bus < host->gpus_expected.v && host->gpus_expected.v <= 16) {
        host_check_bad(check, &host->gpus_expected.at, NULL,
                       "%u of %.0f accelerators are on the bus", on_bus, host->gpus_expected.v);
    } else {
        host_check_good(check, &host->gpus_expected.at, "%u accelerators are on the bus", on_bus);
    }
}

static void node_missing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_node_t *node = host_node_find(host, "/dev/kfd");
    const bool inside =
        assay_host_known(host->container.state) && strcmp(host->container.s, "none") != 0;
    if (inside) {
        host_check_none(check, "in a container another check says what was not passed");
    } else if (node && node->missing && IS_SET(host->amdgpu_live)) {
        host_check_bad(check, &node->at, NULL, "amdgpu is loaded, and /dev/kfd is not there");
    } else if (node && !node->missing) {
        host_check_good(check, &node->at, "/dev/kfd is there");
    }
}

static void port_down(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    double fastest = 0;
    for (uint32_t i = 0; i < host->n_port; i++) {
        const double rate = host->port[i].bits_per_s.v;
        fastest = rate > fastest ? rate : fastest;
    }
    for (uint32_t i = 0; i < host->n_port; i++) {
        const assay_host_port_t *port = &host->port[i];
        if (!port->state) {
            continue;
        }
        const bool active = host_is_fold(host_span(port->state), "active");
        if (active && port->bits_per_s.v >= fastest) {
            host_check_good(check, &port->at, "%s is active", port->name);
        } else if (active) { /* a slower one may be meant for storage or management */
            host_check_bad_as(check, ASSAY_SEVERITY_INFO, &port->at, port->name,
                              "%s runs %.0f Gbit/s, others %.0f", port->name,
                              port->bits_per_s.v / 1e9, fastest / 1e9);
        } else {
            host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &port->at, port->name, "%s is %s",
                              port->name, port->state);
        }
    }
}

static void peermem_race(host_check_t *check) {
    host_check_kernel_events(check, "peermem-invalid-context");
}

static const host_check_row_t row[] = {
    {"DEV-001", node_missing},   {"DEV-009", expected_missing}, {"MEM-006", shared_pool},
    {"NET-005", port_down},      {"NVD-001", no_persistence},   {"NVD-006", mig_half_done},
    {"NVD-012", fewer_than_bus}, {"NVD-013", peermem_race},     {"PRT-001", partitioned},
    {"PWR-004", second_die},     {"PWR-005", level_forced},     {"VRT-001", virtual_function},
};
const host_check_group_t host_checks_settings = {row, sizeof row / sizeof row[0]};
