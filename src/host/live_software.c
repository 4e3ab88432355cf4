/* Software: modules and how they were built, trees of ROCm and CUDA side by side, libraries, and
   what frameworks were built for. Nothing is run. */
#include <string.h>

#include "host/host_live.h"

#include "base/banned.h"

#define NONE ((host_span_t){"", 0})

/* --- modules --------------------------------------------------------------------------------- */

static void read_parameters(host_live_t *live, const char *module) {
    uint32_t n;
    const char *dir = host_live_path(live, "sys/module/%s/parameters", module);
    const char **name = host_live_list(live, dir, &n);
    for (uint32_t i = 0; i < n; i++) {
        const host_span_t value =
            host_trim(host_live_text(live, host_live_path(live, "%s/%s", dir, name[i]), NULL));
        if (value.n > 0) {
            live->parse->line = 1;
            host_setting_add(live->parse, module_parameter,
                             host_span(host_live_path(live, "%s.%s", module, name[i])), value);
        }
    }
}

static void read_modules(host_live_t *live) {
    static const char *const of_interest[] = {"amdgpu", "nvidia", "nvidia_uvm", "nvidia_peermem"};
    assay_host_t *host = live->parse->host;
    host->modules_seen |= host_live_parse(live, "proc/modules", "lsmod", host_parse_lsmod);
    const host_span_t state = host_trim(host_live_text(live, "sys/module/amdgpu/initstate", NULL));
    if (state.n > 0) {
        live->parse->line = 1;
        host_set_number(live->parse, &host->amdgpu_live, host_is(state, "live"));
    }
    host_live_word(live, "sys/module/amdgpu/version", &host->amdgpu_version);
    for (size_t i = 0; i < sizeof of_interest / sizeof of_interest[0]; i++) {
        read_parameters(live, of_interest[i]);
    }
}

/* What modprobe would load: "updates/dkms/amdgpu.ko.zst: updates/dkms/amdttm.ko.zst ...". */
static void read_module_file(host_live_t *live) {
    assay_host_t *host = live->parse->host;
    if (!host->kernel.s) {
        return;
    }
    const char *dir = host_live_path(live, "lib/modules/%s", host->kernel.s);
    host_span_t text = host_live_bytes(live, host_live_path(live, "%s/modules.dep", dir), NULL);
    while (text.n > 0) {
        host_span_t line = host_cut(&text, "\n");
        const host_span_t file = host_cut(&line, ":");
        live->parse->line++;
        if (host_has(file, "/amdgpu.ko")) {
            host_set_text(live->parse, &host->amdgpu_file,
                          host_span(host_live_path(live, "/%s/%.*s", dir, (int)file.n, file.s)));
            return;
        }
    }
}

/* /var/lib/dkms/amdgpu/6.10.5/6.8.0-45-generic: built; a link kernel-6.8.0-45-generic-x86_64 beside
   the version: installed. */
static void read_dkms_module(host_live_t *live, const char *module) {
    const char *dir = host_live_path(live, "var/lib/dkms/%s", module);
    uint32_t n_version, n_kernel;
    const char **version = host_live_list(live, dir, &n_version);
    for (uint32_t i = 0; i < n_version; i++) {
        if (host_starts(host_span(version[i]), "kernel-")) {
            continue;
        }
        const char **kernel =
            host_live_list(live, host_live_path(live, "%s/%s", dir, version[i]), &n_kernel);
        bool any = false;
        for (uint32_t k = 0; k < n_kernel; k++) {
            if (kernel[k][0] < '0' || kernel[k][0] > '9') {
                continue; /* "source", "build" */
            }
            bool installed = false;
            for (uint32_t link = 0; link < n_version; link++) {
                installed |= host_starts(host_span(version[link]),
                                         host_live_path(live, "kernel-%s-", kernel[k]));
            }
            any = true;
            host_live_at(live, host_live_path(live, "%s/%s/%s", dir, version[i], kernel[k]));
            host_version_add(live->parse, HOST_DKMS, host_span(module), host_span(kernel[k]),
                             host_span(version[i]), host_span(installed ? "installed" : "built"));
        }
        if (!any) {
            host_live_at(live, host_live_path(live, "%s/%s", dir, version[i]));
            host_version_add(live->parse, HOST_DKMS, host_span(module), NONE, host_span(version[i]),
                             host_span("added"));
        }
    }
}

static void read_kernel(host_live_t *live) {
    uint32_t n;
    if (live->parse->host->kernel.s) {
        host_live_parse(live, host_live_path(live, "boot/config-%s", live->parse->host->kernel.s),
                        "kernel configuration", host_parse_kernel_config);
    }
    const char **name = host_live_list(live, "etc/modprobe.d", &n);
    for (uint32_t i = 0; i < n; i++) {
        host_live_parse(live, host_live_path(live, "etc/modprobe.d/%s", name[i]), "modprobe.d",
                        host_parse_modprobe);
    }
    name = host_live_list(live, "var/lib/dkms", &n);
    for (uint32_t i = 0; i < n; i++) {
        if (host_name_matches("amdgpu|nvidia|nvidia-*", name[i])) {
            read_dkms_module(live, name[i]);
        }
    }
}

/* --- trees ----------------------------------------------------------------------------------- */

/* "/opt/rocm" -> "/etc/alternatives/rocm" -> "/opt/rocm-6.3.1": the last name; NULL: no link. */
static const char *selected(host_live_t *live, const char *path) {
    host_span_t target = host_live_link(live, path);
    if (host_starts(target, "/etc/alternatives/")) {
        target =
            host_live_link(live, host_live_path(live, "%.*s", (int)target.n - 1, target.s + 1));
    }
    const char *slash = target.n > 0 ? memrchr(target.s, '/', target.n) : NULL;
    return target.n == 0 ? NULL
           : slash ? host_live_path(live, "%.*s", (int)(target.n - (size_t)(slash + 1 - target.s)),
                                    slash + 1)
                   : target.s;
}

/* The first number of a version file: "6.3.1-48", "CUDA Version 10.2.89", JSON of CUDA 11 on. */
static host_span_t read_version(host_live_t *live, const char *dir) {
    static const char *const file[] = {".info/version", "version.json", "version.txt"};
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        const host_span_t text =
            host_live_text(live, host_live_path(live, "%s/%s", dir, file[i]), NULL);
        size_t from = 0;
        while (from + 2 < text.n && !(text.s[from] >= '0' && text.s[from] <= '9' &&
                                      (text.s[from + 1] == '.' || text.s[from + 2] == '.'))) {
            from++;
        }
        size_t n = 0;
        while (from + n < text.n && strchr("0123456789.-", text.s[from + n])) {
            n++;
        }
        if (n > 0 && from + 2 < text.n) {
            live->parse->line = 1;
            return (host_span_t){text.s + from, n};
        }
    }
    return NONE;
}

/* Targets in the names of kernel files: "Kernels.so-000-gfx942.hsaco". */
static void read_kernels(host_live_t *live, const char *dir, const char *library) {
    uint32_t n;
    const char *path = host_live_path(live, "%s/%s/library", dir, library);
    const char **name = host_live_list(live, path, &n);
    const char *targets = "";
    for (uint32_t i = 0; i < n; i++) {
        const host_span_t all = host_span(name[i]);
        const ptrdiff_t at = host_find(all, "gfx");
        if (at < 0) {
            continue;
        }
        size_t length = 3;
        while ((size_t)at + length < all.n &&
               strchr("0123456789abcdef", all.s[(size_t)at + length])) {
            length++;
        }
        const char *target = host_live_path(live, " %.*s ", (int)length, all.s + at);
        if (length > 3 && !strstr(host_live_path(live, "%s ", targets), target)) {
            targets = host_live_path(live, "%s %.*s", targets, (int)length, all.s + at);
        }
    }
    if (*targets) {
        host_live_at(live, path);
        host_version_add(live->parse, HOST_LIBRARY, host_span(library), host_span(path), NONE,
                         host_span(targets + 1));
    }
}

/* Directories beside each other, as /opt/rocm-6.1.0 and /opt/rocm-6.3.1. */
static void read_trees(host_live_t *live, const char *dir, const char *name, const char *kind,
                       assay_host_text_t *fact) {
    host_parse_t *parse = live->parse;
    uint32_t n, n_tree = 0;
    const char **entry = host_live_list(live, dir, &n);
    const char *chosen = selected(live, host_live_path(live, "%s/%s", dir, name));
    assay_host_text_t any = {0};
    for (uint32_t i = 0; i < n; i++) {
        const char *path = host_live_path(live, "%s/%s", dir, entry[i]);
        if (!host_starts(host_span(entry[i]), name) || host_live_link(live, path).n > 0) {
            continue;
        }
        const host_span_t version = read_version(live, path);
        if (version.n == 0) {
            continue; /* what an uninstalled version left behind */
        }
        const bool is_chosen =
            strcmp(entry[i], name) == 0 || (chosen && strcmp(entry[i], chosen) == 0);
        host_version_add(parse, HOST_TREE, host_span(kind),
                         host_span(host_live_path(live, "/%s", path)), version,
                         host_span(is_chosen ? "selected" : ""));
        if (is_chosen) {
            host_set_text(parse, fact, version);
        }
        any = (assay_host_text_t){0};
        host_set_text(parse, &any, version);
        n_tree++;
        if (strcmp(kind, "rocm") == 0) {
            read_kernels(live, host_live_path(live, "%s/lib", path), "rocblas");
            read_kernels(live, host_live_path(live, "%s/lib", path), "hipblaslt");
        }
    }
    if (n_tree == 1 && !assay_host_known(fact->state)) {
        *fact = any;
    }
}

/* "libcuda.so.1" -> "libcuda.so.550.54.15": the name carries the version. */
static void read_libraries(host_live_t *live) {
    static const char *const dir[] = {"usr/lib/x86_64-linux-gnu", "usr/lib64",
                                      "usr/lib/aarch64-linux-gnu"};
    static const char *const name[] = {"libnvidia-ml.so.1", "libcuda.so.1"};
    for (size_t d = 0; d < sizeof dir / sizeof dir[0]; d++) {
        for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
            const char *path = host_live_path(live, "%s/%s", dir[d], name[i]);
            const host_span_t target = host_live_link(live, path);
            const ptrdiff_t at = host_find(target, ".so.");
            if (at < 0) {
                continue;
            }
            const host_span_t version = {target.s + at + 4, target.n - (size_t)at - 4};
            host_live_at(live, path);
            host_version_add(live->parse, HOST_LIBRARY, host_span(name[i]),
                             host_span(host_live_path(live, "/%s", path)), version, NONE);
            if (i == 0) {
                host_set_text(live->parse, &live->parse->host->nvml, version);
            }
        }
    }
}

/* Directories that the loader looks into, in its order. */
static void read_loader(host_live_t *live) {
    uint32_t n;
    const char **name = host_live_list(live, "etc/ld.so.conf.d", &n);
    for (uint32_t i = 0; i < n; i++) {
        const char *path = host_live_path(live, "etc/ld.so.conf.d/%s", name[i]);
        host_span_t text = host_live_text(live, path, NULL);
        while (text.n > 0) {
            const host_span_t line = host_trim(host_cut(&text, "\n"));
            live->parse->line++;
            if (host_has(line, "rocm") || host_has(line, "cuda")) {
                host_version_add(live->parse, HOST_LIBRARY, host_span("ld.so.conf"), line, NONE,
                                 NONE);
            }
        }
    }
}

/* --- frameworks ------------------------------------------------------------------------------ */

/* "torch-2.4.1+rocm6.1.dist-info": a package and its version. */
static void read_packages(host_live_t *live, const char *dir) {
    static const char of_interest[] =
        "torch-*|torchvision-*|tensorflow*-*|jax*-*|vllm-*|sglang-*|triton*-*|pytorch_triton*-*|"
        "flash_attn-*|deepspeed-*|transformers-*|ray-*|bitsandbytes-*|xformers-*|onnxruntime*-*";
    static const char end[] = ".dist-info";
    uint32_t n;
    const char **name = host_live_list(live, dir, &n);
    for (uint32_t i = 0; i < n; i++) {
        host_span_t version = host_span(name[i]);
        if (version.n <= sizeof end || !host_name_matches("*.dist-info", name[i]) ||
            !host_name_matches(of_interest, name[i])) {
            continue;
        }
        version.n -= sizeof end - 1;
        const host_span_t package = host_cut(&version, "-");
        host_live_at(live, host_live_path(live, "%s/%s", dir, name[i]));
        host_setting_add(live->parse, package, package, version);
    }
}

static void read_site(host_live_t *live, const char *dir) {
    read_packages(live, dir);
    if (host_live_parse(live, host_live_path(live, "%s/torch/version.py", dir), "torch version",
                        host_parse_torch)) {
        const char *library = host_live_path(live, "%s/torch/lib", dir);
        read_kernels(live, library, "rocblas");
        read_kernels(live, library, "hipblaslt");
    }
}

/* Where Python keeps packages: below each prefix, for each of its versions. */
static void read_frameworks(host_live_t *live) {
    static const char *const usual[] = {"usr", "usr/local", "opt/conda", "opt/venv",
                                        "opt/conda/envs/py_3.10"};
    static const char *const named[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
    const char *prefix[sizeof usual / sizeof usual[0] + sizeof named / sizeof named[0]];
    uint32_t n_prefix = 0, n;
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        const char *path = host_env_find(live->parse->host, named[i]);
        if (path && path[0] == '/') {
            prefix[n_prefix++] = path + 1;
        }
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        prefix[n_prefix++] = usual[i];
    }
    for (uint32_t i = 0; i < n_prefix; i++) {
        const char *lib = host_live_path(live, "%s/lib", prefix[i]);
        const char **name = host_live_list(live, lib, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (host_name_matches("python3*", name[k])) {
                read_site(live, host_live_path(live, "%s/%s/site-packages", lib, name[k]));
                read_site(live, host_live_path(live, "%s/%s/dist-packages", lib, name[k]));
            }
        }
    }
}

/* A framework's own kernels tell its targets, else those of the system's library. */
static void set_targets(host_live_t *live) {
    assay_host_t *host = live->parse->host;
    for (uint32_t i = host->n_library; i-- > 0;) {
        const assay_host_version_t *library = &host->library[i];
        if (strcmp(library->kind, "rocblas") == 0 && library->state &&
            (!host->framework.s || strstr(library->path, "/torch/"))) {
            live->parse->file = library->at.file;
            live->parse->line = 0;
            host_set_text(live->parse, &host->build_targets, host_span(library->state));
            return;
        }
    }
}

static void read_nvidia(host_live_t *live) {
    uint32_t n;
    static const char gpus[] = "proc/driver/nvidia/gpus";
    host_live_parse(live, "proc/driver/nvidia/version", "nvidia module", host_parse_nvidia_module);
    const char **name = host_live_list(live, gpus, &n);
    for (uint32_t i = 0; i < n; i++) {
        const char *bdf = host_bdf(live->parse, host_span(name[i]));
        host_span_t text =
            host_live_text(live, host_live_path(live, "%s/%s/information", gpus, name[i]), NULL);
        assay_host_gpu_t *gpu = bdf ? host_gpu(live->parse, ASSAY_VENDOR_NVIDIA, -1, bdf) : NULL;
        while (gpu && text.n > 0) {
            host_span_t key, value;
            live->parse->line++;
            if (host_key_value(host_cut(&text, "\n"), ':', &key, &value)) {
                if (host_is(key, "Model")) {
                    host_set_text(live->parse, &gpu->name, value);
                } else if (host_is(key, "GPU Firmware") && !host_is_missing(value)) {
                    host_set_text(live->parse, &gpu->firmware, value);
                } else if (host_is(key, "Video BIOS") && !host_has(value, "?")) {
                    host_set_text(live->parse, &gpu->vbios, value);
                }
            }
        }
    }
}

/* Libraries that the processes on accelerators have mapped; of other users' they are not told. */
static void read_maps(host_live_t *live) {
    host_parse_t *parse = live->parse;
    assay_host_t *host = parse->host;
    for (uint32_t i = 0; i < host->n_process; i++) {
        const long long pid = (long long)host->process[i].pid;
        const uint32_t first = host->n_library;
        host_live_parse(live, host_live_path(live, "proc/%lld/maps", pid), "maps", host_parse_maps);
        for (uint32_t k = first; k < host->n_library; k++) {
            host->library[k].pid = host->process[i].pid;
        }
    }
}

void host_live_software(host_live_t *live) {
    assay_host_t *host = live->parse->host;
    read_modules(live);
    read_module_file(live);
    read_kernel(live);
    read_nvidia(live);
    read_trees(live, "opt", "rocm", "rocm", &host->rocm);
    read_trees(live, "usr/local", "cuda", "cuda", &host->cuda_toolkit);
    read_libraries(live);
    read_loader(live);
    read_maps(live);
    read_frameworks(live);
    set_targets(live);
}
