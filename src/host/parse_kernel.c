/* How the kernel and its modules were built and are loaded; which libraries a process has. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

/* Options that decide about transfers between devices. */
static const char config_of_interest[] =
    "CONFIG_PCI_P2PDMA|CONFIG_DMABUF_MOVE_NOTIFY|CONFIG_DMA_SHARED_BUFFER|CONFIG_HSA_AMD|"
    "CONFIG_HSA_AMD_P2P|CONFIG_HSA_AMD_SVM|CONFIG_DRM_AMDGPU|CONFIG_IOMMU_DEFAULT_*|"
    "CONFIG_AMD_IOMMU|CONFIG_INTEL_IOMMU*|CONFIG_IRQ_REMAP|CONFIG_X86_X2APIC|CONFIG_ZONE_DEVICE|"
    "CONFIG_NUMA_BALANCING*|CONFIG_TRANSPARENT_HUGEPAGE*";

/* "CONFIG_HSA_AMD=y", "# CONFIG_HSA_AMD_P2P is not set". */
void host_parse_kernel_config(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, name, value;
        if (host_starts(line, "# CONFIG_") && host_has(line, " is not set")) {
            (void)host_word(&rest);
            name = host_word(&rest);
            value = host_span("n");
        } else if (!host_starts(line, "CONFIG_") || !host_key_value(line, '=', &name, &value)) {
            continue;
        }
        const char *copy = assay_arena_strndup(parse->scratch, name.s, name.n);
        if (copy && host_name_matches(config_of_interest, copy)) {
            host_setting_add(parse, config, name, value);
        }
    }
}

/* "blacklist amdgpu", "options amdgpu noretry=0 sched_policy=1" of /etc/modprobe.d. */
void host_parse_modprobe(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        const host_span_t word = host_word(&rest), module = host_word(&rest);
        const bool of_gpu = host_starts(module, "amdgpu") || host_starts(module, "nvidia") ||
                            host_starts(module, "nouveau") || host_starts(module, "nova");
        if (!of_gpu) {
            continue;
        }
        if (host_is(word, "blacklist")) {
            host_setting_add(parse, config, host_span("blacklist"), module);
        } else if (host_is(word, "options")) {
            for (host_span_t option; (option = host_word(&rest)).n > 0;) {
                host_span_t key, value;
                const char *name =
                    host_key_value(option, '=', &key, &value)
                        ? assay_arena_printf(parse->scratch, "options %.*s.%.*s", (int)module.n,
                                             module.s, (int)key.n, key.s)
                        : NULL;
                if (name) {
                    host_setting_add(parse, config, host_span(name), value);
                }
            }
        }
    }
}

/* "amdgpu/6.10.5-2109964.22.04, 6.8.0-45-generic, x86_64: installed"; older: "amdgpu, 5.18.13,
   5.15.0-25-generic, x86_64: installed"; without a kernel: "amdgpu/6.10.5: added". */
void host_parse_dkms(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t state, rest;
        if (!host_key_value(line, ':', &rest, &state) || state.n == 0) {
            continue;
        }
        host_span_t version = host_trim(host_cut(&rest, ","));
        const host_span_t module = host_cut(&version, "/");
        if (version.n == 0) {
            version = host_trim(host_cut(&rest, ","));
        }
        const host_span_t kernel = host_trim(host_cut(&rest, ","));
        if (host_starts(module, "amdgpu") || host_starts(module, "nvidia")) {
            host_version_add(parse, HOST_DKMS, module, kernel, version,
                             host_word(&state)); /* "installed (WARNING! ...)" */
        }
    }
}

/* --- libraries ------------------------------------------------------------------------------- */

/* The version behind "rocm-" or "cuda-" in a path, or behind ".so.". */
static host_span_t version_in(host_span_t path) {
    static const char *const mark[] = {"/rocm-", "/cuda-", ".so."};
    for (size_t i = 0; i < sizeof mark / sizeof mark[0]; i++) {
        const ptrdiff_t at = host_find(path, mark[i]);
        if (at >= 0) {
            const size_t from = (size_t)at + strlen(mark[i]);
            size_t n = 0;
            while (from + n < path.n && strchr("0123456789.", path.s[from + n])) {
                n++;
            }
            if (n > 0) {
                return (host_span_t){path.s + from, n};
            }
        }
    }
    return (host_span_t){"", 0};
}

/* Lines of /proc/PID/maps and of ldd end with, or hold, the path of a library. */
void host_parse_maps(host_parse_t *parse) {
    static const char of_interest[] =
        "*libamdhip64*|*libhsa-runtime64*|*librccl*|*libnccl*|*libcudart*|*libcuda.so*|"
        "*libnvidia-ml*|*librocblas*|*libhipblaslt*|*libMIOpen*|*libtorch_hip*|*libtorch_cuda*|"
        "*libamd_smi*|*librocm_smi*";
    for (host_span_t line; host_next_line(parse, &line);) {
        const ptrdiff_t at = host_find(line, "/");
        if (at < 0) {
            continue;
        }
        host_span_t rest = {line.s + at, line.n - (size_t)at};
        const host_span_t path = host_word(&rest);
        const char *slash = memrchr(path.s, '/', path.n);
        const host_span_t name = {slash + 1, path.n - (size_t)(slash + 1 - path.s)};
        const char *copy = assay_arena_strndup(parse->scratch, name.s, name.n);
        if (copy && host_name_matches(of_interest, copy)) {
            host_version_add(parse, HOST_LIBRARY, name, path, version_in(path),
                             host_span("mapped"));
        }
    }
}

/* --- builds ---------------------------------------------------------------------------------- */

/* torch/version.py: __version__ = '2.4.1+rocm6.1', hip: Optional[str] = '6.1.40091-a8dbc0c19'. */
void host_parse_torch(host_parse_t *parse) {
    host_span_t version = {"", 0}, tool = {"", 0};
    const char *kind = "";
    uint32_t at = 1;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t name, value;
        if (!host_key_value(line, '=', &name, &value) || value.n < 2 ||
            (value.s[0] != '\'' && value.s[0] != '"')) {
            continue;
        }
        value = (host_span_t){value.s + 1, value.n - 2};
        name = host_cut(&name, ": ");
        if (host_is(name, "__version__")) {
            version = value;
            at = parse->line;
        } else if (host_is(name, "hip") || host_is(name, "cuda")) {
            tool = value;
            kind = host_is(name, "hip") ? "HIP" : "CUDA";
        }
    }
    const char *text =
        version.n > 0 ? assay_arena_printf(parse->scratch, "torch %.*s", (int)version.n, version.s)
                      : NULL;
    if (!text) {
        return;
    }
    parse->line = at;
    host_set_text(parse, &parse->host->framework, host_span(text));
    const char *state =
        assay_arena_printf(parse->scratch, "%s%s%.*s", kind, *kind ? " " : "", (int)tool.n, tool.s);
    if (state) {
        host_version_add(parse, HOST_TREE, host_span("torch"), host_span(parse->file), version,
                         host_span(state));
    }
}
