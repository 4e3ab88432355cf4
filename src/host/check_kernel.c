/* Kernel, modules, boot line, IOMMU. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

/* Whether an option with this text is a word of the boot line. */
static bool boots_with(const assay_host_t *host, const char *option) {
    host_span_t rest = host_span(host->cmdline.s ? host->cmdline.s : "");
    for (host_span_t word; (word = host_word(&rest)).n > 0;) {
        if (host_is(word, option)) {
            return true;
        }
    }
    return false;
}

/* "modprobe.blacklist=nouveau,amdgpu" or the old "rdblacklist=". */
static bool boots_without_module(const assay_host_t *host, const char *module) {
    host_span_t rest = host_span(host->cmdline.s ? host->cmdline.s : "");
    for (host_span_t word; (word = host_word(&rest)).n > 0;) {
        host_span_t key, list;
        if (host_key_value(word, '=', &key, &list) &&
            (host_is(key, "modprobe.blacklist") || host_is(key, "module_blacklist") ||
             host_is(key, "rd.driver.blacklist"))) {
            while (list.n > 0) {
                if (host_is(host_cut(&list, ","), module)) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void module_loaded(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_name_t *module = host_module_find(host, "amdgpu");
    const assay_host_number_t *live = &host->amdgpu_live;
    if (module || (assay_host_known(live->state) && live->v > 0)) {
        host_check_good(check, module ? &module->at : &live->at, "amdgpu is loaded");
        return;
    }
    if (host_has_vendor(host, ASSAY_VENDOR_AMD) != HOST_YES) {
        host_check_unknown(check, "no list shows an AMD accelerator");
    } else if (assay_host_known(live->state)) {
        host_check_bad(check, &live->at, NULL, "amdgpu is not loaded");
    } else if (host->modules_seen) {
        host_check_bad(check, NULL, NULL, "the list of modules has no amdgpu");
    }
}

static void numa_balancing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *fact = &host->numa_balancing;
    uint32_t i = 0;
    const assay_host_event_t *event = host_check_event(check, "numa-balancing", &i);
    if (assay_host_known(fact->state)) {
        host_check_rests_on(check, fact->state);
        if (fact->v > 0) {
            host_check_bad(check, &fact->at, NULL, "kernel.numa_balancing = %.0f", fact->v);
        } else {
            host_check_good(check, &fact->at, "kernel.numa_balancing = 0");
        }
    } else if (event) {
        host_check_bad(check, &event->at, NULL, "%s", event->text);
    }
}

static void blacklisted(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    if (!assay_host_known(host->cmdline.state)) {
        return;
    }
    const bool loaded = host_module_find(host, "amdgpu") != NULL ||
                        (assay_host_known(host->amdgpu_live.state) && host->amdgpu_live.v > 0);
    const bool listed = boots_without_module(host, "amdgpu"), plain = boots_with(host, "nomodeset");
    if (!listed && !plain) {
        host_check_good(check, &host->cmdline.at, "the boot line does not keep amdgpu away");
    } else if (loaded) { /* some guides blacklist it at boot and load it later */
        host_check_good(check, &host->cmdline.at, "kept away at boot, and loaded since");
    } else if (host_has_vendor(host, ASSAY_VENDOR_AMD) != HOST_YES) {
        host_check_unknown(check, "no list shows an AMD accelerator");
    } else if (listed || host->modules_seen) {
        host_check_fill(check, "option", "%s", listed ? "modprobe.blacklist=amdgpu" : "nomodeset");
        host_check_bad(check, &host->cmdline.at, NULL, "the boot line has %s",
                       listed ? host_check_said(check, "amdgpu on its module blacklist")
                              : "nomodeset");
    }
}

static void init_failed(host_check_t *check) {
    host_check_kernel_events(check, "amdgpu-init-failed");
}

/* --- IOMMU ----------------------------------------------------------------------------------- */

/* What the boot line says of it; NULL: nothing. */
static const char *iommu_by_boot_line(const assay_host_t *host) {
    static const struct {
        const char *option, *text;
    } row[] = {{"iommu=pt", "the boot line has iommu=pt"},
               {"iommu.passthrough=1", "the boot line has iommu.passthrough=1"},
               {"iommu=off", "the boot line switches the IOMMU off"},
               {"amd_iommu=off", "the boot line switches the IOMMU off"},
               {"intel_iommu=off", "the boot line switches the IOMMU off"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (boots_with(host, row[i].option)) {
            return row[i].text;
        }
    }
    return NULL;
}

/* Pass-through as the kernel's default: RCCL's warning is wrong then. */
static bool passes_by_default(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t i = 0;
    const assay_host_event_t *event = host_check_event(check, "iommu-passthrough", &i);
    if (event) {
        host_check_good(check, &event->at, "%s", event->text);
        return true;
    }
    for (uint32_t k = 0; k < host->n_config; k++) {
        const assay_host_setting_t *config = &host->config[k];
        if (strcmp(config->name, "CONFIG_IOMMU_DEFAULT_PASSTHROUGH") == 0 &&
            strcmp(config->value, "y") == 0) {
            host_check_good(check, &config->at, "pass-through is the kernel's default");
            return true;
        }
    }
    return false;
}

/* The type of the groups decides. Without it a missing option says nothing by itself: the IOMMU may
   be off, or pass-through the default. RCCL's warning, or a log that shows it on, makes it bad. */
static void iommu_passthrough(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_text_t *line = &host->cmdline;
    const assay_host_number_t *groups = &host->iommu_groups;
    uint32_t i = 0, k = 0;
    const assay_host_event_t *warning = host_check_event(check, "iommu-pt-missing", &i),
                             *on = host_check_event(check, "iommu-translated", &k);
    const bool peers = host_has_amd_peers(host) == HOST_YES;
    const char *by_boot_line = iommu_by_boot_line(host);
    if (host->iommu.s && strcmp(host->iommu.s, "identity") == 0) {
        host_check_good(check, &host->iommu.at, "the accelerators' IOMMU groups are identity");
    } else if (assay_host_known(groups->state) && groups->v == 0) {
        host_check_good(check, &groups->at, "there are no IOMMU groups: it is off");
    } else if (host_has_amd_peers(host) == HOST_NO) {
        host_check_none(check, "no two AMD accelerators that copy to each other");
    } else if (host->iommu.s && peers) {
        host_check_bad(check, &host->iommu.at, NULL, "IOMMU groups of type %s", host->iommu.s);
    } else if (host->iommu.s || passes_by_default(check)) {
        return;
    } else if (by_boot_line) {
        host_check_good(check, &line->at, "%s", host_check_said(check, by_boot_line));
    } else if (warning || (on && peers)) {
        const assay_host_event_t *event = warning ? warning : on;
        if (line->s) {
            host_check_bad(check, &line->at, NULL, "the boot line has no iommu=pt");
        }
        host_check_bad(check, &event->at, NULL, "%s", event->text);
    } else if (line->s && peers) {
        host_check_bad_as(check, ASSAY_SEVERITY_INFO, &line->at, NULL,
                          "the boot line has no iommu=pt; whether the IOMMU is on, and in which "
                          "mode, is not given");
    }
}

static bool is_accelerator_or_nic(const assay_host_t *host, const char *bdf) {
    if (host_gpu_find(host, bdf)) {
        return true;
    }
    for (uint32_t i = 0; i < host->n_pci; i++) {
        if (strcmp(host->pci[i].bdf, bdf) == 0) {
            return host_pci_is_gpu(&host->pci[i]) || host->pci[i].subclass == 0x0207;
        }
    }
    return false;
}

/* Drivers name their device in their own lines: an address that amdgpu speaks of is a GPU's. */
static void page_faults(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    uint32_t i = 0, k = 0;
    for (const assay_host_event_t *event; (event = host_check_event(check, "io-page-fault", &i));) {
        if (*event->device && is_accelerator_or_nic(host, event->device)) {
            host_check_bad(check, &event->at, event->device,
                           "blocked access of accelerator or NIC "
                           "%s, %u times",
                           event->device, event->count);
        } else {
            host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &event->at, event->device,
                              "blocked access of %s, %u times; not known as accelerator or NIC",
                              *event->device ? event->device : host_check_said(check, "a device"),
                              event->count);
        }
    }
    for (const assay_host_event_t *event;
         (event = host_check_event(check, "iommu-overflow", &k));) {
        host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &event->at, NULL, "%s", event->text);
    }
    if (host->kernel_log_seen) {
        host_check_good(check, NULL, "the kernel log has no such line");
    }
}

static const host_check_row_t row[] = {
    {"IOM-001", iommu_passthrough}, {"IOM-002", page_faults}, {"KRN-002", module_loaded},
    {"KRN-006", numa_balancing},    {"KRN-007", blacklisted}, {"KRN-008", init_failed},
};
const host_check_group_t host_checks_kernel = {row, sizeof row / sizeof row[0]};
