/* Masks of devices against each other and against launchers; modes of partition. */
#include <stdlib.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_rules.h"

#include "base/banned.h"

/* Ray takes HIP_VISIBLE_DEVICES alone since 2.45. */
static bool ray_refuses(host_check_t *check, const assay_host_setting_t *rocr) {
    const assay_host_setting_t *ray = host_package(host_check_host(check), "ray");
    if (!ray || host_version_compare(ray->value, "2.45") < 0) {
        return false;
    }
    host_check_fill(check, "keep", "HIP_VISIBLE_DEVICES");
    host_check_bad(check, &rocr->at, NULL,
                   "ROCR_VISIBLE_DEVICES=%s is set, and Ray %s refuses to start with it",
                   rocr->value, ray->value);
    return true;
}

/* "2 devices: 2, 3" */
static const char *listed(host_check_t *check, const host_visible_t *visible) {
    const char *text =
        host_check_printf(check, "%u device%s", visible->n, visible->n == 1 ? "" : "s");
    for (uint32_t i = 0; visible->named && i < visible->n; i++) {
        text = host_check_printf(check, "%s%s%u", text, i > 0 ? ", " : ": ", visible->device[i]);
    }
    return text;
}

/* ROCR's choice is numbered from 0: a second mask with the old numbers chooses less, or nothing. */
static bool masks_clash(host_check_t *check, const assay_place_t *at, const char *of,
                        const char *rocr, const char *name, const char *second,
                        const host_visible_t *visible) {
    if (!rocr || !second || visible->n >= host_mask_entries(second)) {
        return false;
    }
    host_check_fill(check, "keep", "%s", name);
    host_check_bad(check, at, NULL,
                   "%sROCR_VISIBLE_DEVICES=%s leaves %u and numbers them from 0; of these %s=%s "
                   "chooses %u",
                   of, rocr, host_mask_entries(rocr), name, second, visible->n);
    return true;
}

static void cases(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const uint32_t n = host_device_count(host_check_rules(check), host);
    for (uint32_t i = 0; i < host->n_mask; i++) {
        const assay_host_mask_t *mask = &host->mask[i];
        const host_visible_t visible = host_visible(mask->rocr, mask->hip, mask->cuda, n);
        const char *of = *mask->name ? host_check_printf(check, "case %s: ", mask->name) : "";
        if (!masks_clash(check, &mask->at, of, mask->rocr,
                         mask->hip ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES",
                         mask->hip ? mask->hip : mask->cuda, &visible)) {
            host_check_good(check, &mask->at, "%sa HIP process sees %s", of,
                            listed(check, &visible));
        }
    }
}

/* torchrun gives rank i of the node device i: more ranks than devices cannot be. */
static bool too_many_ranks(host_check_t *check, const host_visible_t *visible) {
    const assay_host_setting_t *size = host_setting(host_check_host(check), "LOCAL_WORLD_SIZE");
    const unsigned long ranks = size ? strtoul(size->value, NULL, 10) : 0;
    /* A launcher that gives each rank its own device leaves one. */
    if (!visible->known || visible->n <= 1 || ranks <= visible->n) {
        return false;
    }
    host_check_fill(check, "keep", "a mask with %lu devices", ranks);
    host_check_bad(check, &size->at, NULL, "LOCAL_WORLD_SIZE=%lu, and a process sees %s", ranks,
                   listed(check, visible));
    return true;
}

static void masks(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *rocr = host_setting(host, "ROCR_VISIBLE_DEVICES"),
                               *hip = host_setting(host, "HIP_VISIBLE_DEVICES"),
                               *cuda = host_setting(host, "CUDA_VISIBLE_DEVICES"),
                               *ordinal = host_setting(host, "GPU_DEVICE_ORDINAL"),
                               *slurm = host_slurm_list(host);
    const assay_host_setting_t *second = hip ? hip : cuda;
    cases(check);
    if (!host->env_seen || (rocr && ray_refuses(check, rocr))) {
        return;
    }
    const host_visible_t visible = host_visible_here(host_check_rules(check), host);
    if (too_many_ranks(check, &visible)) {
        return;
    }
    if (!rocr && !second && !slurm) {
        host_check_good(check, NULL, "no mask is set");
        return;
    }
    const assay_host_setting_t *shown = rocr ? rocr : second ? second : slurm;
    if (masks_clash(check, &shown->at, "", rocr ? rocr->value : NULL, second ? second->name : "",
                    second ? second->value : NULL, &visible)) {
        return;
    }
    if (hip && cuda && strcmp(hip->value, cuda->value) != 0) {
        host_check_bad(check, &hip->at, NULL,
                       "HIP_VISIBLE_DEVICES=%s and CUDA_VISIBLE_DEVICES=%s; "
                       "HIP programs take the first, others may take the second",
                       hip->value, cuda->value);
    } else if (ordinal && second && strcmp(ordinal->value, second->value) != 0) {
        host_check_bad(check, &ordinal->at, NULL, "GPU_DEVICE_ORDINAL=%s and %s=%s", ordinal->value,
                       second->name, second->value);
    } else {
        host_check_good(check, &shown->at, "a process sees %s", listed(check, &visible));
    }
}

/* --- partitions ------------------------------------------------------------------------------ */

/* The accelerator whose modes the table knows, or NULL. */
static const assay_host_gpu_t *partitionable(const assay_host_rules_t *rules,
                                             const assay_host_t *host) {
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        if (host_partition_devices(rules, &host->gpu[i], "SPX", NULL) > 0) {
            return &host->gpu[i];
        }
    }
    return NULL;
}

bool host_partition_report(assay_arena_t *arena, const assay_host_rules_t *rules,
                           const assay_host_t *host, assay_diagnosis_t *out) {
    const assay_host_gpu_t *gpu = partitionable(rules, host);
    out->partition = assay_arena_array(arena, host->n_partition + 1, sizeof *out->partition);
    if (!out->partition) {
        return false;
    }
    for (uint32_t i = 0; i < host->n_partition; i++) {
        const assay_host_partition_t *asked = &host->partition[i];
        const uint32_t devices =
            gpu ? host_partition_devices(rules, gpu, asked->compute, asked->memory) : 0;
        out->partition[i] = (assay_partition_answer_t){.compute = asked->compute,
                                                       .memory = asked->memory,
                                                       .known = gpu != NULL,
                                                       .legal = devices > 0,
                                                       .devices = devices * host->n_gpu};
    }
    out->n_partition = host->n_partition;
    return true;
}

/* Modes that are asked for, or that a tool shows, and that the part does not have together. */
static void illegal_modes(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_rules_t *rules = host_check_rules(check);
    const assay_host_gpu_t *part = partitionable(rules, host);
    if (!part) {
        host_check_unknown(check, "no accelerator whose modes are in our table");
        return;
    }
    for (uint32_t i = 0; i < host->n_partition; i++) {
        const assay_host_partition_t *asked = &host->partition[i];
        const uint32_t devices = host_partition_devices(rules, part, asked->compute, asked->memory);
        if (devices > 0) {
            host_check_good(check, &asked->at, "%s with %s: %u devices", asked->compute,
                            asked->memory, devices * host->n_gpu);
        } else {
            host_check_bad(check, &asked->at, NULL, "%s with %s is not a mode of %s",
                           asked->compute, asked->memory, part->name.s ? part->name.s : "it");
        }
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const char *compute = gpu->compute_partition.s, *memory = gpu->memory_partition.s;
        if (!compute || !memory || host_partition_devices(rules, gpu, "SPX", NULL) == 0) {
            continue;
        }
        if (host_partition_devices(rules, gpu, compute, memory) > 0) {
            host_check_good(check, &gpu->compute_partition.at, "%s is in %s with %s",
                            host_check_gpu_name(check, gpu), compute, memory);
        } else {
            host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &gpu->compute_partition.at,
                              host_check_device(check, gpu), "%s shows %s with %s",
                              host_check_gpu_name(check, gpu), compute, memory);
        }
    }
}

/* --- what the vendor's guide sets for PyTorch ------------------------------------------------- */

static void pytorch_settings(host_check_t *check) {
    static const struct {
        const char *name, *value;
    } advised[] = {{"GPU_MAX_HW_QUEUES", "2"}, {"TORCH_NCCL_HIGH_PRIORITY", "1"}};
    const assay_host_t *host = host_check_host(check);
    const bool torch = host_package(host, "torch") || host->framework.s;
    const char *missing = "";
    if (!host_part(host, "MI300")) {
        host_check_none(check, "the guide is of MI300 hosts");
        return;
    }
    if (!torch || !host->env_seen) {
        return;
    }
    for (size_t i = 0; i < sizeof advised / sizeof advised[0]; i++) {
        if (!host_setting(host, advised[i].name)) {
            missing = host_check_printf(check, "%s%s%s=%s", missing, *missing ? ", " : "",
                                        advised[i].name, advised[i].value);
        }
    }
    if (*missing && host->n_gpu > 1) {
        host_check_fill(check, "settings", "%s", missing);
        host_check_bad(check, NULL, NULL, "not set: %s", missing);
    } else {
        host_check_good(check, NULL, "the guide's settings for training are there");
    }
}

static const host_check_row_t row[] = {
    {"ENV-003", masks},
    {"ENV-010", pytorch_settings},
    {"PRT-002", illegal_modes},
};
const host_check_group_t host_checks_masks = {row, sizeof row / sizeof row[0]};
