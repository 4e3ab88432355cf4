/* Errors of memory and links, resets, hangs, processes that hold memory. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "assay/units.h"

#include "base/banned.h"

static void uncorrectable(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!assay_host_known(gpu->ras_uncorrectable.state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        if (gpu->ras_uncorrectable.v > 0) {
            host_check_bad(check, &gpu->ras_uncorrectable.at, host_check_device(check, gpu),
                           "%s counts %.0f uncorrectable errors", name, gpu->ras_uncorrectable.v);
        } else {
            host_check_good(check, &gpu->ras_uncorrectable.at, "%s counts none", name);
        }
    }
}

static void bad_pages(host_check_t *check) {
    uint32_t i = 0;
    for (const assay_host_event_t *event;
         (event = host_check_event(check, "bad-pages-threshold", &i));) {
        host_check_bad(check, &event->at, event->device, "%.0f bad pages, threshold %.0f",
                       event->number[0], event->number[1]);
    }
    if (host_check_host(check)->kernel_log_seen) {
        host_check_good(check, NULL, "the kernel log has no such line");
    }
}

static void poison(host_check_t *check) {
    host_check_kernel_events(check, "poison");
}

/* UMC is the memory controller. Its state off beside poison handling on contradicts itself: the
   tool does not know. */
static void ecc_off(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (gpu->vendor != ASSAY_VENDOR_AMD || !assay_host_known(gpu->ecc_umc.state) ||
            host_is_datacentre(gpu) == HOST_NO) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        const bool poison_on = assay_host_known(gpu->poison.state) && gpu->poison.v > 0;
        if (gpu->ecc_umc.v > 0) {
            host_check_good(check, &gpu->ecc_umc.at, "%s corrects its memory", name);
        } else {
            host_check_bad_as(check, poison_on ? ASSAY_SEVERITY_INFO : ASSAY_SEVERITY_WARNING,
                              &gpu->ecc_umc.at, host_check_device(check, gpu),
                              poison_on ? "%s shows ECC of its memory off and poison handling on, "
                                          "which cannot both be: not known"
                                        : "%s shows ECC of its memory off",
                              name);
        }
    }
}

/* Errors that firmware reports: bad when they name an accelerator. */
static void firmware_errors(host_check_t *check) {
    uint32_t i = 0, k = 0;
    const assay_host_event_t *of_amd = host_check_event(check, "apei-amd", &i);
    for (const assay_host_event_t *event; (event = host_check_event(check, "apei", &k));) {
        if (of_amd) {
            host_check_bad(check, &event->at, NULL, "%s", event->text);
            host_check_bad(check, &of_amd->at, NULL, "%s", of_amd->text);
        } else {
            host_check_unknown(check, "firmware reports an error of a device that is not AMD's, or "
                                      "that the log does not name");
            return;
        }
    }
    if (host_check_host(check)->kernel_log_seen) {
        host_check_good(check, NULL, "the kernel log has no such line");
    }
}

static void oversubscribed(host_check_t *check) {
    host_check_kernel_events(check, "runlist-oversubscribed");
}

static void hang(host_check_t *check) {
    const bool timeout = host_check_events(check, "ring-timeout");
    if (!timeout) {
        host_check_kernel_events(check, "gpu-reset");
    } else {
        host_check_events(check, "gpu-reset");
    }
}

static void preemption_hang(host_check_t *check) {
    host_check_kernel_events(check, "qcm-timeout");
}

/* Processes that hold the driver and no memory: monitors do, and it is benign. */
static void idle_process(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_process; i++) {
        const assay_host_process_t *process = &host->process[i];
        if (!assay_host_known(process->vram_bytes.state)) {
            continue;
        }
        if (process->vram_bytes.v == 0) {
            host_check_bad(check, &process->at, NULL, "process %lld (%s) uses no device memory",
                           (long long)process->pid, process->name);
        } else {
            host_check_good(check, &process->at, "process %lld uses %.0f MiB",
                            (long long)process->pid, process->vram_bytes.v / ASSAY_MIB_BYTES);
        }
    }
}

static const host_check_row_t row[] = {
    {"MEM-002", idle_process},   {"RAS-001", uncorrectable}, {"RAS-003", bad_pages},
    {"RAS-004", poison},         {"RAS-005", ecc_off},       {"RAS-006", firmware_errors},
    {"SCH-001", oversubscribed}, {"SCH-002", hang},          {"SCH-003", preemption_hang},
};
const host_check_group_t host_checks_reliability = {row, sizeof row / sizeof row[0]};
