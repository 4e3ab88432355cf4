/* nvidia-smi in its forms, and the version of the loaded module. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

#define GPU(field) offsetof(assay_host_gpu_t, field)

/* Paths of nvidia-smi -q; older and newer drivers name some things differently. */
static const host_field_t field[] = {
    {"Product Name", GPU(name), HOST_TEXT},
    {"Persistence Mode", GPU(persistence), HOST_FLAG},
    {"MIG Mode.Current", GPU(mig), HOST_FLAG},
    {"MIG Mode.Pending", GPU(mig_pending), HOST_FLAG},
    {"Fabric.State", GPU(fabric_state), HOST_TEXT},
    {"Link Width.Current", GPU(pcie_width), HOST_NUMBER},
    {"Link Width.Max", GPU(pcie_width_max), HOST_NUMBER},
    {"Replays Since Reset", GPU(pcie_replays), HOST_NUMBER},
    {"FB Memory Usage.Total", GPU(vram_bytes), HOST_BINARY},
    {"FB Memory Usage.Used", GPU(vram_used_bytes), HOST_BINARY},
    {"Utilization.Gpu", GPU(gfx_busy), HOST_PERCENT},
    {"Utilization.Memory", GPU(mem_busy), HOST_PERCENT},
    {"Retired Pages.Single Bit ECC", GPU(retired_single), HOST_NUMBER},
    {"Retired Pages.Double Bit ECC", GPU(retired_double), HOST_NUMBER},
    {"Retired Pages.Pending Page Blacklist", GPU(retired_pending), HOST_FLAG},
    {"Retired Pages.Pending", GPU(retired_pending), HOST_FLAG},
    {"Remapped Rows.Correctable Error", GPU(remapped_correctable), HOST_NUMBER},
    {"Remapped Rows.Uncorrectable Error", GPU(remapped_uncorrectable), HOST_NUMBER},
    {"Remapped Rows.Pending", GPU(remapped_pending), HOST_FLAG},
    {"Remapped Rows.Remapping Failure Occurred", GPU(remapped_failed), HOST_FLAG},
    {"GPU Current Temp", GPU(hotspot_c), HOST_NUMBER},
    {"GPU Slowdown Temp", GPU(hotspot_limit_c), HOST_NUMBER},
    {"Memory Current Temp", GPU(mem_c), HOST_NUMBER},
    {"Power Draw", GPU(power_w), HOST_NUMBER},
    {"Instantaneous Power Draw", GPU(power_w), HOST_NUMBER},
    {"Current Power Limit", GPU(power_cap_w), HOST_NUMBER},
    {"Power Limit", GPU(power_cap_w), HOST_NUMBER},
    {"Default Power Limit", GPU(power_cap_default_w), HOST_NUMBER},
    {"Max Power Limit", GPU(power_cap_max_w), HOST_NUMBER},
    {"Min Power Limit", GPU(power_cap_min_w), HOST_NUMBER},
    {"SW Power Cap", GPU(slow_power), HOST_FLAG},
    {"HW Thermal Slowdown", GPU(slow_thermal), HOST_FLAG},
    {"SW Thermal Slowdown", GPU(slow_thermal_soft), HOST_FLAG},
    {"HW Power Brake Slowdown", GPU(slow_brake), HOST_FLAG},
    {"Default Applications Clocks.Graphics", GPU(gfx_hz_default), HOST_MEGA},
    {"Applications Clocks.Graphics", GPU(gfx_hz_lock), HOST_MEGA},
    {"Max Clocks.SM", GPU(gfx_hz_max), HOST_MEGA},
    {"Clocks.SM", GPU(gfx_hz), HOST_MEGA},
};

void host_set_pcie_generation(host_parse_t *parse, assay_host_number_t *fact, double generation) {
    static const double rate[] = {0, 2.5, 5, 8, 16, 32, 64, 128};
    if (generation >= 1 && generation < (double)(sizeof rate / sizeof rate[0])) {
        host_set_number(parse, fact, rate[(size_t)generation]);
    }
}

/* "PCIe Generation / Current: 4" */
static bool set_generation(host_parse_t *parse, const host_outline_t *outline, host_span_t value,
                           assay_host_gpu_t *gpu) {
    double generation;
    host_span_t rest;
    if (outline->depth < 2 || !host_is(outline->key[outline->depth - 2], "PCIe Generation")) {
        return false;
    }
    const host_span_t key = outline->key[outline->depth - 1];
    if ((host_is(key, "Current") || host_is(key, "Max")) &&
        host_number(value, &generation, &rest)) {
        host_set_pcie_generation(parse, host_is(key, "Max") ? &gpu->pcie_gt_s_max : &gpu->pcie_gt_s,
                                 generation);
    }
    return true;
}

void host_parse_nvidia_q(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    host_outline_t outline = {.depth = 0};
    assay_host_gpu_t *gpu = NULL;
    int64_t index = -1;
    for (host_span_t line, value; host_next_line(parse, &line);) {
        const host_span_t text = host_trim(line);
        host_span_t after = {text.s + 4, text.n > 4 ? text.n - 4 : 0};
        const char *bdf = host_starts(text, "GPU ") ? host_bdf(parse, after) : NULL;
        if (bdf) { /* in the order of the tool's numbers */
            gpu = host_gpu(parse, ASSAY_VENDOR_NVIDIA, ++index, bdf);
            outline.depth = 0;
            continue;
        }
        if (!host_outline_line(&outline, line, &value)) {
            /* a heading without a colon: "    Remapped Rows" */
            if (text.n > 0 && !host_has(text, "===")) {
                host_outline_heading(&outline, line);
            }
            continue;
        }
        const host_span_t key = outline.key[outline.depth - 1];
        if (host_is(key, "Timestamp")) {
            continue; /* of the whole log: no accelerator is meant */
        }
        if (host_is(key, "Driver Version")) {
            host_set_text(parse, &host->nvidia_module, value);
        } else if (host_is(key, "CUDA Version")) {
            host_set_text(parse, &host->cuda_driver, value);
        } else if (host_is(key, "Attached GPUs")) {
            host_set_quantity(parse, &host->gpus_listed, value, false);
        } else if (value.n > 0) {
            gpu = gpu ? gpu : host_gpu(parse, ASSAY_VENDOR_NVIDIA, index = 0, NULL); /* excerpt */
            if (gpu && !set_generation(parse, &outline, value, gpu)) {
                host_field_set(parse, field, sizeof field / sizeof field[0],
                               host_span(outline.path), value, gpu);
            }
        }
    }
}

/* --- nvidia-smi -L, nvidia-smi nvlink --status ----------------------------------------------- */

static void end_links(host_parse_t *parse, assay_host_gpu_t *gpu, double up, double down) {
    if (gpu && up + down > 0) {
        host_set_number(parse, &gpu->nvlinks_up, up);
        host_set_number(parse, &gpu->nvlinks_down, down);
    }
}

void host_parse_nvidia_list(host_parse_t *parse) {
    assay_host_gpu_t *gpu = NULL;
    double up = 0, down = 0;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t text = host_trim(line), rest;
        double number;
        if (host_starts(text, "GPU ") &&
            host_number((host_span_t){text.s + 4, text.n - 4}, &number, &rest) &&
            host_starts(rest, ":") && number >= 0 && number < 65536) {
            end_links(parse, gpu, up, down);
            up = down = 0;
            gpu = host_gpu(parse, ASSAY_VENDOR_NVIDIA, (int64_t)number, NULL);
            rest = host_trim((host_span_t){rest.s + 1, rest.n - 1});
            const ptrdiff_t uuid = host_find(rest, "(UUID");
            if (gpu) {
                host_set_text(parse, &gpu->name,
                              (host_span_t){rest.s, uuid >= 0 ? (size_t)uuid : rest.n});
            }
        } else if (gpu && host_starts(text, "Link ")) {
            const ptrdiff_t colon = host_find(text, ": ");
            if (colon < 0) {
                continue;
            }
            const host_span_t value = {text.s + colon + 2, text.n - (size_t)colon - 2};
            double rate;
            if (host_quantity(value, false, &rate)) {
                up++;
                if (!assay_host_known(gpu->nvlink_bytes_per_s.state) ||
                    rate < gpu->nvlink_bytes_per_s.v) {
                    gpu->nvlink_bytes_per_s.state = ASSAY_HOST_UNSEEN;
                    host_set_number(parse, &gpu->nvlink_bytes_per_s, rate);
                }
            } else if (host_has(value, "inactive")) {
                down++;
            }
        } else if (gpu && host_has(text, "all links are inactive")) {
            host_set_number(parse, &gpu->nvlinks_up, 0);
        }
    }
    end_links(parse, gpu, up, down);
}

/* --- the table, or why there is none --------------------------------------------------------- */

static void set_after(host_parse_t *parse, host_span_t line, const char *key,
                      assay_host_text_t *fact) {
    const ptrdiff_t at = host_find(line, key);
    if (at >= 0) {
        host_span_t rest = {line.s + at + strlen(key), line.n - (size_t)at - strlen(key)};
        const host_span_t word = host_word(&rest);
        if (!host_is_missing(word)) {
            host_set_text(parse, fact, word);
        }
    }
}

void host_parse_nvidia_smi(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    for (host_span_t line; host_next_line(parse, &line);) {
        set_after(parse, line, "Driver Version: ", &host->nvidia_module);
        set_after(parse, line, "CUDA Version: ", &host->cuda_driver);
        set_after(parse, line, "NVML library version: ", &host->nvml);
        if (host_has(line, "NVIDIA-SMI has failed") ||
            host_has(line, "Failed to initialize NVML") ||
            host_has(line, "No devices were found")) {
            host_set_text(parse, &host->nvidia_smi_error, line);
        }
        host_log_line(parse, line);
    }
}

/* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.173.02  Wed ..." */
void host_parse_nvidia_module(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        const ptrdiff_t at = host_find(line, "Kernel Module");
        if (!host_starts(line, "NVRM version:") || at < 0) {
            continue;
        }
        host_span_t rest = {line.s + at + 13, line.n - (size_t)at - 13};
        for (host_span_t word; (word = host_word(&rest)).n > 0;) {
            if (word.s[0] >= '0' && word.s[0] <= '9' && host_has(word, ".")) {
                host_set_text(parse, &parse->host->nvidia_module, word);
                break;
            }
        }
    }
}
