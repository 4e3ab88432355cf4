/* Device memory: who holds it, how it is allocated; and what a profile says of the lanes. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "assay/units.h"

#include "base/banned.h"

/* In use, and of no process that is known. */
static void unexplained(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double most = host_check_threshold(check, "bytes");
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!assay_host_known(gpu->vram_used_bytes.state) ||
            !assay_host_known(gpu->vram_process_bytes.state)) {
            continue;
        }
        const char *name = host_check_gpu_name(check, gpu);
        const double rest = gpu->vram_used_bytes.v - gpu->vram_process_bytes.v;
        if (rest > most) {
            host_check_bad(check, &gpu->vram_used_bytes.at, host_check_device(check, gpu),
                           "%s has %.1f GiB in use, its processes hold %.1f", name,
                           gpu->vram_used_bytes.v / ASSAY_GIB_BYTES,
                           gpu->vram_process_bytes.v / ASSAY_GIB_BYTES);
        } else {
            host_check_good(check, &gpu->vram_used_bytes.at, "%s: processes explain what is in use",
                            name);
        }
    }
}

/* What the allocator held and could not give, as a share of what it held. */
static void fragmented(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double most = host_check_threshold(check, "share");
    for (uint32_t i = 0; i < host->n_oom; i++) {
        const assay_host_oom_t *oom = &host->oom[i];
        if (!assay_host_known(oom->allocated_bytes.state) ||
            !assay_host_known(oom->reserved_bytes.state)) {
            continue;
        }
        const double held = oom->allocated_bytes.v + oom->reserved_bytes.v;
        const double share = held > 0 ? oom->reserved_bytes.v / held : 0;
        if (share > most) {
            host_check_bad(check, &oom->at, NULL,
                           "out of memory with %.2f of %.2f GiB reserved and not allocated: "
                           "%.0f %% fragmentation",
                           oom->reserved_bytes.v / ASSAY_GIB_BYTES, held / ASSAY_GIB_BYTES,
                           100 * share);
        } else {
            host_check_good(check, &oom->at,
                            "out of memory with %.0f %% fragmentation: the memory is really full",
                            100 * share);
        }
    }
}

/* --- unified memory, allocators -------------------------------------------------------------- */

/* Targets whose accesses can fault and be tried again; the others use managed memory in place. */
static bool can_retry(const char *target) {
    static const char *const can[] = {"gfx90a", "gfx942", "gfx950"};
    for (size_t i = 0; i < sizeof can / sizeof can[0]; i++) {
        if (strcmp(target, can[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void unified_memory(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *asked = host_setting(host, "HSA_XNACK");
    if (!host->env_seen) {
        return;
    }
    if (!asked || strcmp(asked->value, "1") != 0) {
        host_check_good(check, NULL, "HSA_XNACK=1 is not set: nothing relies on page faults");
        return;
    }
    for (uint32_t i = 0; i < host->n_module_parameter; i++) {
        const assay_host_setting_t *parameter = &host->module_parameter[i];
        if (strcmp(parameter->name, "amdgpu.noretry") == 0 && strcmp(parameter->value, "1") == 0) {
            host_check_bad(check, &parameter->at, NULL, "HSA_XNACK=1, and amdgpu has noretry=1");
            return;
        }
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const char *target = host->gpu[i].target.s;
        if (target && !can_retry(target)) {
            host_check_bad(check, &asked->at, host_check_device(check, &host->gpu[i]),
                           "HSA_XNACK=1, and %s cannot retry after a page fault", target);
        } else if (target) {
            host_check_good(check, &asked->at, "HSA_XNACK=1 on %s", target);
        }
    }
}

/* Options of PyTorch's own allocator, which the stream-ordered one ignores. */
static void allocator_options(host_check_t *check) {
    static const char *const variable[] = {"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF",
                                           "PYTORCH_HIP_ALLOC_CONF"};
    static const char *const native[] = {"max_split_size_mb", "expandable_segments",
                                         "garbage_collection_threshold",
                                         "roundup_power2_divisions"};
    const assay_host_t *host = host_check_host(check);
    for (size_t v = 0; v < sizeof variable / sizeof variable[0]; v++) {
        const assay_host_setting_t *setting = host_setting(host, variable[v]);
        if (!setting || !strstr(setting->value, "MallocAsync")) {
            continue;
        }
        for (size_t k = 0; k < sizeof native / sizeof native[0]; k++) {
            if (strstr(setting->value, native[k])) {
                host_check_fill(check, "option", "%s", native[k]);
                host_check_bad(check, &setting->at, NULL, "%s=%s", setting->name, setting->value);
                return;
            }
        }
    }
    if (host->env_seen) {
        host_check_good(check, NULL, "no option of the other allocator is set");
    }
}

/* --- lanes ----------------------------------------------------------------------------------- */

/* VALUBusy of rocprof: the share of time in which vector instructions run. */
static void lanes(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double low = host_check_threshold(check, "low"),
                 high = host_check_threshold(check, "high");
    for (uint32_t i = 0; i < host->n_profile; i++) {
        const assay_host_profile_t *profile = &host->profile[i];
        if (strcmp(profile->table, "counter") != 0 || strcmp(profile->name, "VALUBusy") != 0) {
            continue;
        }
        if (profile->share < low) {
            host_check_fill(check, "meaning",
                            "low: lanes wait for memory, for other kernels or for the host; look "
                            "at MemUnitBusy, occupancy and launch gaps");
            host_check_bad(check, &profile->at, NULL, "vector units are busy %.0f %% of the time",
                           100 * profile->share);
        } else if (profile->share > high) {
            host_check_fill(check, "meaning",
                            "high: vector instructions are the limit; move work to the matrix "
                            "units or do less of it");
            host_check_bad(check, &profile->at, NULL, "vector units are busy %.0f %% of the time",
                           100 * profile->share);
        } else {
            host_check_good(check, &profile->at, "vector units are busy %.0f %% of the time",
                            100 * profile->share);
        }
    }
}

static const host_check_row_t row[] = {
    {"MEM-001", unexplained},       {"MEM-003", fragmented}, {"MEM-008", unified_memory},
    {"MEM-009", allocator_options}, {"PRF-002", lanes},
};
const host_check_group_t host_checks_memory = {row, sizeof row / sizeof row[0]};
