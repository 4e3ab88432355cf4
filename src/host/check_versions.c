/* Versions that must fit each other: kernel, driver, ROCm, CUDA, firmware, libraries, builds. */
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_check.h"
#include "host/host_rules.h"

#include "base/banned.h"

/* --- ROCm, distribution, kernel, accelerator ------------------------------------------------- */

/* IDs of os-release, as the vendor's lists name them. */
static const char *distribution_of(const char *id) {
    static const struct {
        const char *id, *name;
    } row[] = {{"ubuntu", "Ubuntu"},  {"rhel", "RHEL"}, {"rocky", "RHEL"},
               {"almalinux", "RHEL"}, {"sles", "SLES"}, {"ol", "Oracle Linux"},
               {"debian", "Debian"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (strcmp(row[i].id, id) == 0) {
            return row[i].name;
        }
    }
    return NULL;
}

/* "SLES 15 SP6" and VERSION_ID 15.6; "Ubuntu 22.04.5" and 22.04. */
static bool is_distribution(const char *listed, const char *name, const char *version) {
    const size_t n = strlen(name);
    char plain[32];
    size_t used = 0;
    if (strncmp(listed, name, n) != 0 || listed[n] != ' ') {
        return false;
    }
    for (const char *c = listed + n + 1; *c && used + 1 < sizeof plain; c++) {
        if (strncmp(c, " SP", 3) == 0) {
            plain[used++] = '.';
            c += 2;
        } else {
            plain[used++] = *c;
        }
    }
    plain[used] = '\0';
    return host_version_compare(plain, version) == 0;
}

/* Whether "5.15 GA; 6.8 HWE (not MI300X)" lists this kernel for these accelerators. */
static bool lists_kernel(const assay_host_t *host, const char *list, const char *kernel) {
    const bool mi300x = host_part(host, "MI300X") != NULL;
    host_span_t rest = host_span(list);
    while (rest.n > 0) {
        const host_span_t item = host_trim(host_cut(&rest, ";"));
        char version[16] = "";
        const size_t n = item.n < sizeof version - 1 ? item.n : sizeof version - 1;
        memcpy(version, item.s, n);
        version[strspn(version, "0123456789.")] = '\0';
        char *minor = strchr(version, '.'), *patch = minor ? strchr(minor + 1, '.') : NULL;
        if (patch) {
            *patch = '\0'; /* patch levels move within a series */
        }
        const bool other =
            mi300x ? host_has(item, "(not MI300X)") : host_has(item, "(MI300X only)");
        if (*version && !other && host_version_compare(version, kernel) == 0) {
            return true;
        }
    }
    return false;
}

/* An accelerator that this ROCm does not know yet. */
static bool is_too_new(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const host_table_t *part = &host_check_rules(check)->rocm_part;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        for (uint32_t k = 0; gpu->target.s && k < part->n; k++) {
            const char *first = part->row[k].cell[HOST_PART_FIRST];
            if (*first && strcmp(part->row[k].cell[HOST_PART_TARGET], gpu->target.s) == 0) {
                if (host_version_compare(host->rocm.s, first) < 0) {
                    host_check_bad_as(check, ASSAY_SEVERITY_ERROR, &host->rocm.at,
                                      host_check_device(check, gpu),
                                      "ROCm %s does not know %s, which came with ROCm %s",
                                      host->rocm.s, gpu->target.s, first);
                    return true;
                }
                break; /* the first part of a target is the oldest */
            }
        }
    }
    return false;
}

static void not_on_list(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const host_table_t *table = &host_check_rules(check)->rocm_kernel;
    const char *name = host->os.s ? distribution_of(host->os.s) : NULL;
    const char *kernels = "";
    bool series = false, listed = false;
    if (!host->rocm.s || is_too_new(check)) {
        return;
    }
    if (host_in_container(host)) {
        host_check_unknown(check,
                           "a container shows its own distribution beside the host's kernel");
        return;
    }
    if (!host->kernel.s || !host->os.s || !host->os_version.s) {
        return;
    }
    if (!name) {
        host_check_unknown(check, "our table has no kernels of %s", host->os.s);
        return;
    }
    for (uint32_t i = 0; i < table->n; i++) {
        const char *const *cell = table->row[i].cell;
        if (host_version_compare(cell[HOST_KERNEL_ROCM], host->rocm.s) != 0) {
            continue;
        }
        series = true;
        if (is_distribution(cell[HOST_KERNEL_OS], name, host->os_version.s)) {
            listed |= lists_kernel(host, cell[HOST_KERNEL_RELEASE], host->kernel.s);
            kernels = cell[HOST_KERNEL_RELEASE];
        }
    }
    if (!series) {
        host_check_unknown(check, "the kernels that ROCm %s lists are not in our table",
                           host->rocm.s);
    } else if (listed) {
        host_check_good(check, &host->kernel.at, "ROCm %s lists %s %s with kernel %s", host->rocm.s,
                        host->os.s, host->os_version.s, host->kernel.s);
    } else {
        host_check_bad(check, &host->kernel.at, NULL, "ROCm %s lists %s %s%s%s, and not kernel %s",
                       host->rocm.s, host->os.s, host->os_version.s,
                       host_check_said(check, *kernels ? " with " : " not at all"), kernels,
                       host->kernel.s);
    }
}

/* --- driver and user space ------------------------------------------------------------------- */

static void driver_too_far(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const host_table_t *table = &host_check_rules(check)->rocm_driver;
    int of_driver = -1, of_rocm = -1;
    if (!host->amdgpu_version.s || !host->rocm.s) {
        return;
    }
    for (uint32_t i = 0; i < table->n; i++) {
        const char *const *cell = table->row[i].cell;
        if (host_version_compare(cell[HOST_DRIVER_VERSION], host->amdgpu_version.s) == 0) {
            of_driver = (int)i;
        }
        if (host_version_compare(cell[HOST_DRIVER_ROCM], host->rocm.s) == 0) {
            of_rocm = (int)i;
        }
    }
    if (of_driver < 0 || of_rocm < 0) {
        host_check_unknown(check,
                           "which release driver %s belongs to is not in our table, or ROCm "
                           "%s is not",
                           host->amdgpu_version.s, host->rocm.s);
        return;
    }
    const char *release = table->row[of_driver].cell[HOST_DRIVER_ROCM];
    if (abs(of_driver - of_rocm) > host_check_threshold(check, "releases")) {
        host_check_fill(check, "older", "%s",
                        of_driver < of_rocm ? host_check_said(check, "driver")
                                            : host_check_said(check, "user space"));
        host_check_bad(check, &host->amdgpu_version.at, NULL,
                       "driver %s is of ROCm %s, and the user space is %s: %d releases apart",
                       host->amdgpu_version.s, release, host->rocm.s, abs(of_driver - of_rocm));
    } else {
        host_check_good(check, &host->amdgpu_version.at, "driver %s (ROCm %s) with ROCm %s",
                        host->amdgpu_version.s, release, host->rocm.s);
    }
}

/* DKMS has a module for this kernel, or should have. */
static void dkms_not_used(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_text_t *file = &host->amdgpu_file;
    const assay_host_version_t *first = NULL;
    bool built = false;
    for (uint32_t i = 0; i < host->n_dkms; i++) {
        const assay_host_version_t *module = &host->dkms[i];
        if (strcmp(module->kind, "amdgpu") != 0) {
            continue;
        }
        first = first ? first : module;
        built |= module->path && host->kernel.s && strcmp(module->path, host->kernel.s) == 0 &&
                 module->state && strncmp(module->state, "installed", 9) == 0;
    }
    if (!first) {
        return;
    }
    if (host->kernel.s && !built) {
        host_check_bad(check, &first->at, NULL, "DKMS has amdgpu %s, and none for kernel %s",
                       first->version ? first->version : "", host->kernel.s);
    } else if (file->s && !strstr(file->s, "dkms") && !strstr(file->s, "/extra/") &&
               !strstr(file->s, "/updates/")) {
        host_check_bad(check, &file->at, NULL, "DKMS has amdgpu, and %s is what loads", file->s);
    } else if (built) {
        host_check_good(check, &first->at, "DKMS has amdgpu for kernel %s", host->kernel.s);
    }
}

static void cuda_too_new(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_text_t *driver = &host->cuda_driver, *toolkit = &host->cuda_toolkit;
    if (!driver->s || !toolkit->s) {
        return;
    }
    const long most = strtol(driver->s, NULL, 10), wanted = strtol(toolkit->s, NULL, 10);
    if (wanted > most) {
        host_check_bad(check, &toolkit->at, NULL,
                       "toolkit %s, and the driver takes CUDA %s at most", toolkit->s, driver->s);
    } else { /* within a major version newer toolkits run on older drivers */
        host_check_good(check, &toolkit->at, "toolkit %s, driver CUDA %s", toolkit->s, driver->s);
    }
}

/* --- several versions side by side ----------------------------------------------------------- */

/* Major version of the ROCm tree that a path is in: "/opt/rocm-6.2.4/lib"; 0: none. */
static long rocm_major(const char *path) {
    const char *at = strstr(path, "/rocm-");
    return at ? strtol(at + 6, NULL, 10) : 0;
}

static void mixed_trees(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *path = host_setting(host, "LD_LIBRARY_PATH");
    bool any = false;
    for (uint32_t i = 0; i < host->n_library; i++) {
        const assay_host_version_t *library = &host->library[i];
        const long major = library->path ? rocm_major(library->path) : 0;
        for (uint32_t k = 0; major > 0 && k < i; k++) {
            const assay_host_version_t *other = &host->library[k];
            const long second = other->path ? rocm_major(other->path) : 0;
            if (library->pid >= 0 && library->pid == other->pid && second > 0 && second != major) {
                host_check_bad(check, &library->at, NULL, "process %lld has mapped %s and %s",
                               (long long)library->pid, other->path, library->path);
                return;
            }
        }
        any |= major > 0;
    }
    if (path) {
        long first = 0;
        host_span_t rest = host_span(path->value);
        while (rest.n > 0) {
            const host_span_t entry = host_cut(&rest, ":");
            const long major = rocm_major(host_check_printf(check, "%.*s", (int)entry.n, entry.s));
            if (first > 0 && major > 0 && major != first) {
                host_check_bad(check, &path->at, NULL, "LD_LIBRARY_PATH=%s holds ROCm %ld and %ld",
                               path->value, first, major);
                return;
            }
            first = first ? first : major;
        }
    }
    if (any || host->env_seen) {
        host_check_good(check, path ? &path->at : NULL, "one major version of ROCm is in use");
    }
}

/* Blocks of firmware that differ between equal accelerators. A tool that shows no addresses lists
   each block once a device. */
static void mixed_firmware(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    bool any = false, bad = false;
    for (uint32_t i = 0; i < host->n_firmware; i++) {
        const assay_host_version_t *one = &host->firmware[i];
        const char *path = one->path ? one->path : "";
        for (uint32_t k = 0; one->version && k < i; k++) {
            const assay_host_version_t *other = &host->firmware[k];
            const bool same = *path && other->path && strcmp(path, other->path) == 0;
            if (!other->version || same || strcmp(one->kind, other->kind) != 0) {
                continue;
            }
            any = true;
            if (strcmp(one->version, other->version) != 0) {
                bad = true;
                host_check_bad(check, &one->at, path, "%s is %s%s%s, and %s on another", one->kind,
                               one->version, *path ? host_check_said(check, " on ") : "", path,
                               other->version);
            }
            break; /* with the first of its kind */
        }
    }
    const assay_host_gpu_t *first = NULL;
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!gpu->vbios.s || !gpu->name.s) {
            continue;
        }
        if (first && first->name.s && strcmp(first->name.s, gpu->name.s) == 0) {
            any = true;
            if (strcmp(first->vbios.s, gpu->vbios.s) != 0) {
                bad = true;
                host_check_bad(check, &gpu->vbios.at, host_check_device(check, gpu),
                               "VBIOS is %s on %s and %s on %s", first->vbios.s,
                               host_check_gpu_name(check, first), gpu->vbios.s,
                               host_check_gpu_name(check, gpu));
            }
        }
        first = first ? first : gpu;
    }
    if (any && !bad) {
        host_check_good(check, host->n_firmware ? &host->firmware[0].at : &first->vbios.at,
                        "all accelerators have the same firmware");
    }
}

static void mixed_ranks(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_rank_t *first = NULL;
    for (uint32_t i = 0; i < host->n_rank; i++) {
        const assay_host_rank_t *rank = &host->rank[i];
        if (!rank->version) {
            continue;
        }
        if (first && strcmp(first->at.file, rank->at.file) == 0 &&
            strcmp(first->version, rank->version) != 0) {
            host_check_bad(check, &rank->at, NULL, "one rank has %s, another %s", first->version,
                           rank->version);
            return;
        }
        first = first ? first : rank;
    }
    if (first) {
        host_check_good(check, &first->at, "all ranks that say so have %s", first->version);
    }
}

/* --- builds and tools ------------------------------------------------------------------------ */

/* Packages that are made for one platform, and the same for the other. */
static void other_packages(host_check_t *check) {
    static const struct {
        const char *name;
        assay_vendor_t vendor;
        const char *instead;
    } row[] = {{"onnxruntime-gpu", ASSAY_VENDOR_NVIDIA, "onnxruntime-rocm or onnxruntime-migraphx"},
               {"jax-cuda12-plugin", ASSAY_VENDOR_NVIDIA, "the ROCm plugin of jax"},
               {"cupy-cuda12x", ASSAY_VENDOR_NVIDIA, "a ROCm build of cupy"},
               {"tensorflow-rocm", ASSAY_VENDOR_AMD, "tensorflow"},
               {"onnxruntime-rocm", ASSAY_VENDOR_AMD, "onnxruntime-gpu"}};
    const assay_host_t *host = host_check_host(check);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_host_setting_t *package = host_package(host, row[i].name);
        const assay_vendor_t other =
            row[i].vendor == ASSAY_VENDOR_AMD ? ASSAY_VENDOR_NVIDIA : ASSAY_VENDOR_AMD;
        if (package && host_has_vendor(host, other) == HOST_YES &&
            host_has_vendor(host, row[i].vendor) != HOST_YES) {
            host_check_fill(check, "platform", "these accelerators: %s",
                            host_check_said(check, row[i].instead));
            host_check_bad_as(check, ASSAY_SEVERITY_WARNING, &package->at, NULL,
                              "%s %s is made for %s's accelerators", package->name, package->value,
                              row[i].vendor == ASSAY_VENDOR_AMD ? "AMD" : "NVIDIA");
        }
    }
}

/* A wheel of PyTorch says which platform it is for: 2.6.0+rocm6.2.4, 2.6.0+cu124. */
static void other_build(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_setting_t *torch = host_package(host, "torch");
    const char *version = torch ? torch->value : host->framework.s, *local;
    const assay_place_t *at = torch ? &torch->at : &host->framework.at;
    other_packages(check);
    if (!version || !(local = strchr(version, '+'))) {
        return;
    }
    const bool amd = host_has_vendor(host, ASSAY_VENDOR_AMD) == HOST_YES,
               nvidia = host_has_vendor(host, ASSAY_VENDOR_NVIDIA) == HOST_YES;
    const bool rocm = strncmp(local, "+rocm", 5) == 0, cuda = strncmp(local, "+cu", 3) == 0,
               cpu = strncmp(local, "+cpu", 4) == 0;
    if (cpu || (amd && !nvidia && cuda) || (nvidia && !amd && rocm)) {
        host_check_fill(check, "platform", "%s", amd ? "ROCm" : "CUDA");
        host_check_bad(check, at, NULL, "PyTorch %s is built for %s, and the accelerators are %s",
                       version,
                       cpu    ? host_check_said(check, "processors alone")
                       : rocm ? "ROCm"
                              : "CUDA",
                       amd ? "AMD's" : "NVIDIA's");
    } else if (rocm && host->rocm.s &&
               strtol(local + 5, NULL, 10) > strtol(host->rocm.s, NULL, 10)) {
        host_check_fill(check, "platform", "ROCm %s", host->rocm.s);
        host_check_bad_as(check, ASSAY_SEVERITY_INFO, at, NULL,
                          "PyTorch %s brings a newer ROCm than the %s that is installed", version,
                          host->rocm.s);
    } else if (amd || nvidia) {
        host_check_good(check, at, "PyTorch is %s", version);
    }
}

static void old_tool(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    for (uint32_t i = 0; i < host->n_command; i++) {
        const assay_host_command_t *command = &host->command[i];
        if (strcmp(command->program, "rocm-smi") == 0) {
            host_check_bad(check, &command->at, NULL, "%s", command->line);
            return;
        }
    }
    if (host->n_command > 0) {
        host_check_good(check, &host->command[0].at, "no command calls rocm-smi");
    }
}

static const host_check_row_t row[] = {
    {"KRN-001", not_on_list},  {"KRN-003", driver_too_far}, {"KRN-004", dkms_not_used},
    {"NVD-017", cuda_too_new}, {"SW-004", mixed_trees},     {"SW-005", mixed_firmware},
    {"SW-007", mixed_ranks},   {"SW-008", old_tool},        {"SW-010", other_build},
};
const host_check_group_t host_checks_versions = {row, sizeof row / sizeof row[0]};
