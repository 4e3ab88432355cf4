/* What the amdgpu driver tells of one accelerator, in its directory of /sys. */
#include <string.h>
#include <time.h>

#include "host/host_live.h"

#include "base/banned.h"

#define SAMPLE_S 0.2 /* between two samples; the firmware counts every millisecond */
#define GPU(field) offsetof(assay_host_gpu_t, field)

static const struct {
    const char *name;
    size_t offset;
    double scale;
} attribute[] = {
    {"gpu_busy_percent", GPU(gfx_busy), 0.01},     {"mem_busy_percent", GPU(mem_busy), 0.01},
    {"mem_info_vram_total", GPU(vram_bytes), 1},   {"mem_info_vram_used", GPU(vram_used_bytes), 1},
    {"pcie_replay_count", GPU(pcie_replays), 1},   {"xgmi_error", GPU(xgmi_errors), 1},
    {"xgmi_hive_info/xgmi_hive_id", GPU(hive), 1},
};

/* Of its hwmon directory, in the kernel's units. */
static const struct {
    const char *name;
    size_t offset;
    double scale;
} sensor[] = {
    {"temp1_input", GPU(edge_c), 1e-3},
    {"temp2_input", GPU(hotspot_c), 1e-3},
    {"temp2_crit", GPU(hotspot_limit_c), 1e-3},
    {"temp3_input", GPU(mem_c), 1e-3},
    {"temp3_crit", GPU(mem_limit_c), 1e-3},
    {"power1_average", GPU(power_w), 1e-6},
    {"power1_input", GPU(power_w), 1e-6},
    {"power1_cap", GPU(power_cap_w), 1e-6},
    {"power1_cap_default", GPU(power_cap_default_w), 1e-6},
    {"power1_cap_max", GPU(power_cap_max_w), 1e-6},
    {"power1_cap_min", GPU(power_cap_min_w), 1e-6},
    {"freq1_input", GPU(gfx_hz), 1},
    {"freq2_input", GPU(mem_hz), 1},
    {"pwm1", GPU(fan), 1.0 / 255},
};

static const struct {
    const char *name;
    size_t offset;
} word[] = {
    {"current_compute_partition", GPU(compute_partition)},
    {"current_memory_partition", GPU(memory_partition)},
    {"power_dpm_force_performance_level", GPU(perf_level)},
    {"vbios_version", GPU(vbios)},
    {"fw_version/smc_fw_version", GPU(firmware)},
};

/* Levels of a clock: "0: 132Mhz", "1: 2100Mhz *"; the star marks the one that runs. */
static const struct {
    const char *name;
    size_t now, most, levels; /* levels 0: not kept */
} dpm[] = {
    {"pp_dpm_sclk", GPU(gfx_hz), GPU(gfx_hz_max), GPU(gfx_levels)},
    {"pp_dpm_mclk", GPU(mem_hz), GPU(mem_hz_max), GPU(mem_levels)},
    {"pp_dpm_fclk", GPU(fabric_hz), GPU(fabric_hz_max), 0},
};

static void *field(assay_host_gpu_t *gpu, size_t offset) {
    return (char *)gpu + offset;
}

static void read_sensors(host_live_t *live, const char *dir, assay_host_gpu_t *gpu) {
    uint32_t n;
    const char **name = host_live_list(live, host_live_path(live, "%s/hwmon", dir), &n);
    for (uint32_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizeof sensor / sizeof sensor[0]; k++) {
            host_live_number(live,
                             host_live_path(live, "%s/hwmon/%s/%s", dir, name[i], sensor[k].name),
                             sensor[k].scale, field(gpu, sensor[k].offset));
        }
    }
}

static void read_clocks(host_live_t *live, const char *dir, assay_host_gpu_t *gpu) {
    for (size_t i = 0; i < sizeof dpm / sizeof dpm[0]; i++) {
        host_span_t text =
            host_live_text(live, host_live_path(live, "%s/%s", dir, dpm[i].name), NULL);
        double most = 0;
        uint32_t n = 0;
        while (text.n > 0) {
            host_span_t key, value, rest;
            const host_span_t line = host_cut(&text, "\n");
            double mega;
            live->parse->line++;
            if (!host_key_value(line, ':', &key, &value) || !host_number(value, &mega, &rest) ||
                !host_starts(rest, "Mhz")) {
                continue;
            }
            n += !host_is(key, "S"); /* asleep: no level */
            most = mega > most ? mega : most;
            if (host_has(rest, "*")) {
                host_set_number(live->parse, field(gpu, dpm[i].now), mega * 1e6);
            }
        }
        if (n > 0) {
            host_set_number(live->parse, field(gpu, dpm[i].most), most * 1e6);
            if (dpm[i].levels) {
                host_set_number(live->parse, field(gpu, dpm[i].levels), n);
            }
        }
    }
}

/* "ue: 0" and "ce: 0" of each block, added up; the retired pages, a line each. */
static void read_errors(host_live_t *live, const char *dir, assay_host_gpu_t *gpu) {
    host_parse_t *parse = live->parse;
    uint32_t n, n_read = 0;
    double sum[2] = {0};
    const char *ras = host_live_path(live, "%s/ras", dir);
    const char **name = host_live_list(live, ras, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!host_name_matches("*_err_count", name[i])) {
            continue;
        }
        host_span_t text = host_live_text(live, host_live_path(live, "%s/%s", ras, name[i]), NULL);
        n_read += text.n > 0;
        while (text.n > 0) {
            host_span_t key, value, line = host_cut(&text, "\n"), rest;
            double number;
            if (host_key_value(line, ':', &key, &value) && host_number(value, &number, &rest)) {
                sum[0] += host_is(key, "ue") ? number : 0;
                sum[1] += host_is(key, "ce") ? number : 0;
            }
        }
        if (host_is(host_span(name[i]), "umc_err_count")) {
            host_set_number(parse, &gpu->ecc_umc, 1); /* the block counts: it corrects */
        }
    }
    if (n_read > 0) {
        host_live_at(live, ras);
        host_set_number(parse, &gpu->ras_uncorrectable, sum[0]);
        host_set_number(parse, &gpu->ras_correctable, sum[1]);
    }
    const char *pages = host_live_path(live, "%s/gpu_vram_bad_pages", ras);
    if (host_live_exists(live, pages)) {
        host_span_t text = host_live_text(live, pages, NULL);
        uint32_t n_page = 0;
        while (text.n > 0) {
            n_page += host_starts(host_cut(&text, "\n"), "0x");
        }
        host_live_at(live, pages);
        host_set_number(parse, &gpu->bad_pages, n_page);
    }
}

/* "smc_fw_version" holds the version of block smc. */
static void read_firmware(host_live_t *live, const char *dir, const assay_host_gpu_t *gpu) {
    static const char end[] = "_fw_version";
    uint32_t n;
    const char **name = host_live_list(live, host_live_path(live, "%s/fw_version", dir), &n);
    for (uint32_t i = 0; i < n; i++) {
        const host_span_t all = host_span(name[i]);
        assay_host_text_t version = {0};
        if (all.n <= sizeof end - 1 || !host_name_matches("*_fw_version", name[i])) {
            continue;
        }
        host_live_word(live, host_live_path(live, "%s/fw_version/%s", dir, name[i]), &version);
        if (version.s) {
            host_version_add(live->parse, HOST_FIRMWARE,
                             (host_span_t){all.s, all.n - (sizeof end - 1)},
                             host_span(gpu->bdf.s ? gpu->bdf.s : ""), host_span(version.s),
                             (host_span_t){"", 0});
        }
    }
}

/* Counters need two samples: what they count since the driver was loaded says nothing. */
static void read_metrics(host_live_t *live, const char *dir, assay_host_gpu_t *gpu) {
    const char *path = host_live_path(live, "%s/gpu_metrics", dir);
    const host_span_t bytes = host_live_bytes(live, path, NULL);
    host_metrics_t metrics;
    assay_host_source_t *source = bytes.n > 0 ? host_add(live->parse, source) : NULL;
    if (!source) {
        return;
    }
    *source =
        (assay_host_source_t){.file = live->parse->file, .parser = "gpu_metrics", .bytes = bytes.n};
    if (!host_metrics_decode(bytes, &metrics)) {
        source->reason = "a table of a revision or size that is not known";
        return;
    }
    host_metrics_set(live->parse, &metrics, gpu);
    host_sample_t *sample =
        host_grow(live->parse, (void **)&live->sample, &live->n_sample, sizeof *sample);
    const char *kept = assay_arena_strdup(live->parse->arena, path);
    if (sample && kept) {
        *sample = (host_sample_t){
            .bdf = gpu->bdf.s, .path = kept, .metrics = metrics, .at_s = host_live_now_s()};
    }
}

void host_live_amdgpu_again(host_live_t *live) {
    const bool copy = live->kind == HOST_ROOT_COPY;
    const double wait_s = live->n_sample > 0 && !copy
                              ? live->sample[live->n_sample - 1].at_s + SAMPLE_S - host_live_now_s()
                              : 0;
    if (wait_s > 0) {
        (void)nanosleep(&(struct timespec){.tv_nsec = (long)(wait_s * 1e9)}, NULL);
    }
    for (uint32_t i = 0; i < live->n_sample; i++) {
        const host_sample_t *sample = &live->sample[i];
        const char *path = copy ? host_live_path(live, "%s_later", sample->path) : sample->path;
        const host_span_t bytes = host_live_bytes(live, path, NULL);
        const double seconds = copy ? 0 : host_live_now_s() - sample->at_s;
        assay_host_gpu_t *gpu = host_gpu_find(live->parse->host, sample->bdf);
        host_metrics_t metrics;
        if (gpu && host_metrics_decode(bytes, &metrics)) {
            host_metrics_set_delta(live->parse, &sample->metrics, &metrics, seconds, gpu);
        }
    }
}

void host_live_amdgpu(host_live_t *live, const char *dir, assay_host_gpu_t *gpu) {
    host_live_word(live, host_live_path(live, "%s/power/runtime_status", dir), &gpu->runtime);
    if (gpu->runtime.s && strcmp(gpu->runtime.s, "suspended") == 0) {
        return; /* reading its sensors would wake it */
    }
    for (size_t i = 0; i < sizeof attribute / sizeof attribute[0]; i++) {
        host_live_number(live, host_live_path(live, "%s/%s", dir, attribute[i].name),
                         attribute[i].scale, field(gpu, attribute[i].offset));
    }
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        host_live_word(live, host_live_path(live, "%s/%s", dir, word[i].name),
                       field(gpu, word[i].offset));
    }
    read_sensors(live, dir, gpu);
    read_clocks(live, dir, gpu);
    read_errors(live, dir, gpu);
    read_firmware(live, dir, gpu);
    read_metrics(live, dir, gpu);
}
