/* Which devices a process sees: what there is, what the launcher leaves, what the masks choose. */
#include <stdlib.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_rules.h"

#include "base/banned.h"

uint32_t host_mask_entries(const char *list) {
    uint32_t n = *list ? 1 : 0;
    for (; *list; list++) {
        n += *list == ',';
    }
    return n;
}

/* Larger than every number of the list: what a machine must have for the list to mean something. */
static uint32_t enough_for(const char *list) {
    uint32_t most = host_mask_entries(list);
    while (*list) {
        char *end;
        const unsigned long index = strtoul(list, &end, 10);
        if (end != list && index < HOST_VISIBLE_MAX && index + 1 > most) {
            most = (uint32_t)index + 1;
        }
        list += strcspn(list, ",");
        list += *list == ',';
    }
    return most;
}

static bool is_uuid(const char *entry) {
    return strncmp(entry, "GPU-", 4) == 0 || strncmp(entry, "MIG-", 4) == 0;
}

/* Chooses of what is visible by a list of numbers; an entry that is no number of them, or comes
   again, ends it. GPU-uuid entries count as one each: which one cannot be told. */
static void choose(const char *list, host_visible_t *visible) {
    const host_visible_t before = *visible;
    bool taken[HOST_VISIBLE_MAX] = {false};
    visible->n = 0;
    while (*list && visible->n < before.n) {
        char *end;
        list += strspn(list, " ");
        if (is_uuid(list)) {
            visible->named = false;
            visible->device[visible->n++] = 0;
        } else {
            const unsigned long index = strtoul(list, &end, 10);
            if (end == list || *list == '-' || index >= before.n || taken[index]) {
                break;
            }
            taken[index] = true;
            visible->device[visible->n++] = before.device[index];
        }
        list += strcspn(list, ",");
        list += *list == ',';
    }
}

host_visible_t host_visible(const char *rocr, const char *hip, const char *cuda, uint32_t n) {
    const char *second = hip ? hip : cuda;
    host_visible_t visible = {.known = n > 0 || rocr || second, .named = true};
    if (n == 0 && visible.known) {
        n = enough_for(rocr ? rocr : second);
    }
    visible.n = n < HOST_VISIBLE_MAX ? n : HOST_VISIBLE_MAX;
    for (uint32_t i = 0; i < visible.n; i++) {
        visible.device[i] = i;
    }
    if (rocr) {
        choose(rocr, &visible);
    }
    if (second) {
        choose(second, &visible);
    }
    return visible;
}

/* --- what there is --------------------------------------------------------------------------- */

uint32_t host_partition_devices(const assay_host_rules_t *rules, const assay_host_gpu_t *gpu,
                                const char *compute, const char *memory) {
    const host_table_t *table = &rules->partition;
    for (uint32_t i = 0; i < table->n; i++) {
        const char *const *cell = table->row[i].cell;
        if (host_is_part(gpu, cell[HOST_MODE_PART]) &&
            strcasecmp(cell[HOST_MODE_COMPUTE], compute) == 0 &&
            (!memory || strcasecmp(cell[HOST_MODE_MEMORY], memory) == 0)) {
            return (uint32_t)strtoul(cell[HOST_MODE_DEVICES], NULL, 10);
        }
    }
    return 0;
}

/* A tool lists packages or their partitions; only packages are multiplied. */
uint32_t host_device_count(const assay_host_rules_t *rules, const assay_host_t *host) {
    uint32_t n = 0;
    bool partitions = false;
    if (assay_host_known(host->kfd_gpus.state) && host->kfd_gpus.v > 0) {
        return (uint32_t)host->kfd_gpus.v;
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        partitions |= assay_host_known(gpu->partition.state) && gpu->partition.v > 0;
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        const uint32_t devices =
            gpu->compute_partition.s && !partitions
                ? host_partition_devices(rules, gpu, gpu->compute_partition.s, NULL)
                : 0;
        n += devices > 0 ? devices : 1;
    }
    if (n == 0 && assay_host_known(host->gpus_listed.state) && host->gpus_listed.v > 0 &&
        host->gpus_listed.v <= HOST_VISIBLE_MAX) {
        n = (uint32_t)host->gpus_listed.v;
    }
    return n;
}

/* Slurm's own list has the numbers of the whole node. */
const assay_host_setting_t *host_slurm_list(const assay_host_t *host) {
    const assay_host_setting_t *step = host_setting(host, "SLURM_STEP_GPUS");
    return step ? step : host_setting(host, "SLURM_JOB_GPUS");
}

static const char *value_of(const assay_host_t *host, const char *name) {
    const assay_host_setting_t *setting = host_setting(host, name);
    return setting ? setting->value : NULL;
}

/* Where a control group leaves the devices of the step alone, they are numbered from 0, and masks
   count those. Where Slurm sets a mask with the numbers of the node, there is no such group. What
   the machine itself counted is narrowed already. */
static void narrow_by_slurm(const assay_host_t *host, host_visible_t *visible) {
    static const char *const mask[] = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                       "CUDA_VISIBLE_DEVICES"};
    const assay_host_setting_t *list = host_slurm_list(host);
    if (!list || !*list->value || assay_host_known(host->kfd_gpus.state)) {
        return;
    }
    for (size_t i = 0; i < sizeof mask / sizeof mask[0]; i++) {
        const char *value = value_of(host, mask[i]);
        if (value && strcmp(value, list->value) == 0) {
            return;
        }
    }
    choose(list->value, visible);
}

/* --- for the report -------------------------------------------------------------------------- */

static bool add(assay_arena_t *arena, const char *name, const host_visible_t *visible,
                assay_diagnosis_t *out) {
    uint32_t *device = assay_arena_array(arena, visible->n + 1, sizeof *device);
    if (!device) {
        return false;
    }
    memcpy(device, visible->device, visible->n * sizeof *device);
    out->visible[out->n_visible++] = (assay_visible_t){.name = name,
                                                       .known = visible->known,
                                                       .device = device,
                                                       .n_device = visible->n,
                                                       .named = visible->named};
    return true;
}

host_visible_t host_visible_here(const assay_host_rules_t *rules, const assay_host_t *host) {
    const bool nvidia = host_has_vendor(host, ASSAY_VENDOR_NVIDIA) == HOST_YES &&
                        host_has_vendor(host, ASSAY_VENDOR_AMD) != HOST_YES;
    const char *rocr = nvidia ? NULL : value_of(host, "ROCR_VISIBLE_DEVICES"),
               *hip = nvidia ? NULL : value_of(host, "HIP_VISIBLE_DEVICES"),
               *cuda = value_of(host, "CUDA_VISIBLE_DEVICES");
    host_visible_t all = host_visible(NULL, NULL, NULL, host_device_count(rules, host));
    narrow_by_slurm(host, &all);
    host_visible_t visible = host_visible(rocr, hip, cuda, all.n);
    for (uint32_t i = 0; i < visible.n && all.n > 0; i++) {
        visible.device[i] = visible.device[i] < all.n ? all.device[visible.device[i]] : 0;
    }
    return visible;
}

bool host_visible_report(assay_arena_t *arena, const assay_host_rules_t *rules,
                         const assay_host_t *host, assay_diagnosis_t *out) {
    out->visible = assay_arena_array(arena, host->n_mask + 1, sizeof *out->visible);
    if (!out->visible) {
        return false;
    }
    const uint32_t n = host_device_count(rules, host);
    if (host->env_seen && n > 0) {
        const host_visible_t here = host_visible_here(rules, host);
        if (!add(arena, "", &here, out)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < host->n_mask; i++) {
        const assay_host_mask_t *mask = &host->mask[i];
        const host_visible_t one = host_visible(mask->rocr, mask->hip, mask->cuda, n);
        if (!add(arena, mask->name, &one, out)) {
            return false;
        }
    }
    return true;
}
