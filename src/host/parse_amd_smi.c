/* amd-smi static, metric, topology: text and JSON have the same names at the same depth. */
#include <string.h>

#include "assay/node.h"
#include "host/host_parse.h"

#include "base/banned.h"

#define GPU(field) offsetof(assay_host_gpu_t, field)

static const host_field_t field[] = {
    {"ASIC.MARKET_NAME", GPU(name), HOST_TEXT},
    {"ASIC.VENDOR_ID", GPU(vendor_id), HOST_NUMBER},
    {"ASIC.DEVICE_ID", GPU(device_id), HOST_NUMBER},
    {"ASIC.TARGET_GRAPHICS_VERSION", GPU(target), HOST_TEXT},
    {"ASIC.NUM_COMPUTE_UNITS", GPU(compute_units), HOST_NUMBER},
    {"BUS.MAX_PCIE_WIDTH", GPU(pcie_width_max), HOST_NUMBER},
    {"BUS.MAX_PCIE_SPEED", GPU(pcie_gt_s_max), HOST_NUMBER},
    {"DRIVER.NAME", GPU(driver), HOST_TEXT},
    {"PPT0.MAX_POWER_LIMIT", GPU(power_cap_max_w), HOST_NUMBER},
    {"PPT0.MIN_POWER_LIMIT", GPU(power_cap_min_w), HOST_NUMBER},
    {"PPT0.SOCKET_POWER_LIMIT", GPU(power_cap_w), HOST_NUMBER},
    {"LIMIT.MAX_POWER", GPU(power_cap_max_w), HOST_NUMBER},
    {"LIMIT.MIN_POWER", GPU(power_cap_min_w), HOST_NUMBER},
    {"LIMIT.SOCKET_POWER", GPU(power_cap_w), HOST_NUMBER},
    {"LIMIT.SLOWDOWN_HOTSPOT_TEMPERATURE", GPU(hotspot_limit_c), HOST_NUMBER},
    {"LIMIT.SLOWDOWN_VRAM_TEMPERATURE", GPU(mem_limit_c), HOST_NUMBER},
    {"RAS.POISON_SCHEMA", GPU(poison), HOST_FLAG},
    {"ECC_BLOCK_STATE.UMC", GPU(ecc_umc), HOST_FLAG},
    {"PARTITION.COMPUTE_PARTITION", GPU(compute_partition), HOST_TEXT},
    {"PARTITION.ACCELERATOR_PARTITION", GPU(compute_partition), HOST_TEXT},
    {"PARTITION.MEMORY_PARTITION", GPU(memory_partition), HOST_TEXT},
    {"NUMA.NODE", GPU(numa_node), HOST_NUMBER},
    {"VRAM.SIZE", GPU(vram_bytes), HOST_BINARY},
    {"USAGE.GFX_ACTIVITY", GPU(gfx_busy), HOST_PERCENT},
    {"USAGE.UMC_ACTIVITY", GPU(mem_busy), HOST_PERCENT},
    {"POWER.SOCKET_POWER", GPU(power_w), HOST_NUMBER},
    {"POWER.THROTTLE_STATUS", GPU(throttle), HOST_TEXT},
    {"GFX_0.CLK", GPU(gfx_hz), HOST_MEGA},
    {"GFX_0.MAX_CLK", GPU(gfx_hz_max), HOST_MEGA},
    {"GFX_0.CLK_LOCKED", GPU(clock_locked), HOST_FLAG},
    {"MEM_0.CLK", GPU(mem_hz), HOST_MEGA},
    {"MEM_0.MAX_CLK", GPU(mem_hz_max), HOST_MEGA},
    {"TEMPERATURE.EDGE", GPU(edge_c), HOST_NUMBER},
    {"TEMPERATURE.HOTSPOT", GPU(hotspot_c), HOST_NUMBER},
    {"TEMPERATURE.MEM", GPU(mem_c), HOST_NUMBER},
    {"PCIE.WIDTH", GPU(pcie_width), HOST_NUMBER},
    {"PCIE.SPEED", GPU(pcie_gt_s), HOST_NUMBER},
    {"PCIE.REPLAY_COUNT", GPU(pcie_replays), HOST_NUMBER},
    {"PCIE.L0_TO_RECOVERY_COUNT", GPU(pcie_recoveries), HOST_NUMBER},
    {"PCIE.NAK_SENT_COUNT", GPU(pcie_naks), HOST_NUMBER},
    {"ECC.TOTAL_CORRECTABLE_COUNT", GPU(ras_correctable), HOST_NUMBER},
    {"ECC.TOTAL_UNCORRECTABLE_COUNT", GPU(ras_uncorrectable), HOST_NUMBER},
    {"MEM_USAGE.TOTAL_VRAM", GPU(vram_bytes), HOST_BINARY},
    {"MEM_USAGE.USED_VRAM", GPU(vram_used_bytes), HOST_BINARY},
    {"PERF_LEVEL", GPU(perf_level), HOST_TEXT},
    {"IFWI.VERSION", GPU(vbios), HOST_TEXT},
    {"VBIOS.VERSION", GPU(vbios), HOST_TEXT},
    {"FAN.USAGE", GPU(fan), HOST_PERCENT},
    {"NODE_ID", GPU(kfd_node), HOST_NUMBER},
    {"KFD_ID", GPU(kfd_gpu_id), HOST_NUMBER},
    {"PARTITION_ID", GPU(partition), HOST_NUMBER},
    {"FCLK_0.CLK", GPU(fabric_hz), HOST_MEGA},
    {"FCLK_0.MAX_CLK", GPU(fabric_hz_max), HOST_MEGA},
    {"ECC.PCIE_REPLAY", GPU(pcie_replays), HOST_NUMBER},
};

/* Columns of --csv are the last names of the paths. */
static const host_field_t leaf[] = {
    {"market_name", GPU(name), HOST_TEXT},
    {"device_id", GPU(device_id), HOST_NUMBER},
    {"target_graphics_version", GPU(target), HOST_TEXT},
    {"num_compute_units", GPU(compute_units), HOST_NUMBER},
    {"max_pcie_width", GPU(pcie_width_max), HOST_NUMBER},
    {"max_pcie_speed", GPU(pcie_gt_s_max), HOST_NUMBER},
    {"slowdown_hotspot_temperature", GPU(hotspot_limit_c), HOST_NUMBER},
    {"slowdown_vram_temperature", GPU(mem_limit_c), HOST_NUMBER},
    {"gfx_activity", GPU(gfx_busy), HOST_PERCENT},
    {"umc_activity", GPU(mem_busy), HOST_PERCENT},
    {"socket_power", GPU(power_w), HOST_NUMBER},
    {"gfx_0_clk", GPU(gfx_hz), HOST_MEGA},
    {"gfx_0_max_clk", GPU(gfx_hz_max), HOST_MEGA},
    {"mem_0_clk", GPU(mem_hz), HOST_MEGA},
    {"mem_0_max_clk", GPU(mem_hz_max), HOST_MEGA},
    {"fclk_0_clk", GPU(fabric_hz), HOST_MEGA},
    {"edge", GPU(edge_c), HOST_NUMBER},
    {"hotspot", GPU(hotspot_c), HOST_NUMBER},
    {"mem", GPU(mem_c), HOST_NUMBER},
    {"throttle_status", GPU(throttle), HOST_TEXT},
    {"total_vram", GPU(vram_bytes), HOST_MEBI},
    {"used_vram", GPU(vram_used_bytes), HOST_MEBI},
    {"total_correctable_count", GPU(ras_correctable), HOST_NUMBER},
    {"total_uncorrectable_count", GPU(ras_uncorrectable), HOST_NUMBER},
    {"replay_count", GPU(pcie_replays), HOST_NUMBER},
    {"l0_to_recovery_count", GPU(pcie_recoveries), HOST_NUMBER},
};

bool host_amd_smi_set(host_parse_t *parse, host_span_t key, host_span_t value,
                      assay_host_gpu_t *gpu) {
    return host_field_set(parse, leaf, sizeof leaf / sizeof leaf[0], key, value, gpu);
}

static void set(host_parse_t *parse, const char *path, host_span_t value, assay_host_gpu_t *gpu) {
    host_field_set(parse, field, sizeof field / sizeof field[0], host_span(path), value, gpu);
}

/* "AMDSMI_DEV_PERF_LEVEL_AUTO" says "auto". */
static void finish(assay_host_gpu_t *gpu) {
    static const char prefix[] = "AMDSMI_DEV_PERF_LEVEL_";
    if (gpu && gpu->perf_level.s && strncmp(gpu->perf_level.s, prefix, sizeof prefix - 1) == 0) {
        gpu->perf_level.s += sizeof prefix - 1;
    }
}

/* What an outline holds besides facts of an accelerator: its firmware and its processes. */
typedef struct {
    host_span_t firmware;
    assay_host_process_t *process; /* the last */
} besides_t;

static void add_process(host_parse_t *parse, host_span_t name, besides_t *besides) {
    besides->process = host_add(parse, process);
    if (besides->process) {
        *besides->process =
            (assay_host_process_t){.pid = -1,
                                   .name = host_is_missing(name) ? "" : host_copy(parse, name),
                                   .at = host_here(parse)};
    }
}

/* true: the value was one of those. */
static bool set_besides(host_parse_t *parse, host_span_t key, host_span_t path, host_span_t value,
                        const char *bdf, besides_t *besides) {
    double number;
    host_span_t rest;
    const bool of_process = host_has(path, "PROCESS_INFO") || host_has(path, "process_info");
    if (host_is_fold(key, "FW_ID")) {
        besides->firmware = value;
    } else if (host_is_fold(key, "FW_VERSION") && besides->firmware.n > 0) {
        host_version_add(parse, HOST_FIRMWARE, besides->firmware, host_span(bdf ? bdf : ""), value,
                         (host_span_t){"", 0});
        besides->firmware.n = 0;
    } else if (of_process && host_is_fold(key, "NAME")) {
        add_process(parse, value, besides);
    } else if (of_process && besides->process && host_is_fold(key, "PID") &&
               host_number(value, &number, &rest) && number >= 0 && number <= 4194304) {
        besides->process->pid = (int64_t)number;
    } else if (of_process && besides->process && host_is_fold(key, "VRAM_MEM")) {
        host_set_quantity(parse, &besides->process->vram_bytes, value, true);
    } else if (host_has(path, "DRIVER.VERSION") || host_has(path, "driver.version")) {
        host_set_text(parse, &parse->host->amdgpu_version, value);
    } else {
        return of_process;
    }
    return true;
}

void host_parse_amd_smi(host_parse_t *parse) {
    host_outline_t outline = {.depth = 0};
    besides_t besides = {.firmware = {"", 0}};
    assay_host_gpu_t *gpu = NULL;
    int64_t index = -1;
    for (host_span_t line, value; host_next_line(parse, &line);) {
        double number;
        host_span_t rest;
        if (!host_outline_line(&outline, line, &value)) {
            continue;
        }
        const host_span_t key = outline.key[outline.depth - 1];
        if (outline.depth == 1) {
            finish(gpu);
            gpu = NULL;
        }
        if (outline.depth == 1 && host_is(key, "GPU") && host_number(value, &number, &rest)) {
            index = number >= 0 && number < 65536 ? (int64_t)number : -1;
            gpu = host_gpu(parse, ASSAY_VENDOR_AMD, index, NULL);
        } else if (gpu && host_is(key, "BDF")) {
            const char *bdf = host_bdf(parse, value);
            gpu = bdf ? host_gpu(parse, ASSAY_VENDOR_AMD, index, bdf) : gpu;
        } else if (gpu && value.n > 0 &&
                   !set_besides(parse, key, host_span(outline.path), value, gpu->bdf.s, &besides)) {
            set(parse, outline.path, value, gpu);
        }
    }
    finish(gpu);
}

/* {"value": 100, "unit": "%"} is one value, as is a scalar. Nested mappings make the path. */
static void read_node(host_parse_t *parse, const assay_node_t *node, const char *path,
                      assay_host_gpu_t *gpu, besides_t *besides) {
    const assay_node_t *number = assay_node_find(node, "value");
    const char *value = NULL;
    host_node_place(parse, node);
    if (node->kind == ASSAY_NODE_SCALAR) {
        value = assay_arena_strndup(parse->scratch, node->text, node->n_text);
    } else if (number && number->kind == ASSAY_NODE_SCALAR) {
        const assay_node_t *unit = assay_node_find(node, "unit");
        host_node_place(parse, number);
        value = assay_arena_printf(parse->scratch, "%.*s %.*s", (int)number->n_text, number->text,
                                   unit ? (int)unit->n_text : 0,
                                   unit && unit->n_text ? unit->text : "");
    } else {
        for (const assay_node_t *child = node->child; child; child = child->next) {
            const char *below =
                assay_arena_printf(parse->scratch, "%s%s%s", path, *path && child->key ? "." : "",
                                   child->key ? child->key : "");
            if (below) {
                read_node(parse, child, below, gpu, besides);
            }
        }
    }
    const char *dot = strrchr(path, '.');
    if (value && *path &&
        !set_besides(parse, host_span(dot ? dot + 1 : path), host_span(path), host_span(value),
                     gpu->bdf.s, besides)) {
        set(parse, path, host_span(value), gpu);
    }
}

bool host_read_amd_smi(host_parse_t *parse, const assay_node_t *root) {
    const assay_node_t *list =
        root->kind == ASSAY_NODE_MAPPING ? assay_node_find(root, "gpu_data") : root;
    if (!list || list->kind != ASSAY_NODE_SEQUENCE || !list->child ||
        !assay_node_find(list->child, "gpu")) {
        return false;
    }
    for (const assay_node_t *entry = list->child; entry; entry = entry->next) {
        const assay_node_t *number = assay_node_find(entry, "gpu"),
                           *bus = assay_node_find(entry, "bus"),
                           *address =
                               bus ? assay_node_find(bus, "bdf") : assay_node_find(entry, "bdf");
        double index;
        host_span_t rest;
        if (!host_number(host_node_text(number), &index, &rest) || index < 0 || index > 65535) {
            continue;
        }
        host_node_place(parse, number);
        const char *bdf = host_bdf(parse, host_node_text(address));
        assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, bdf);
        if (gpu) {
            besides_t besides = {.firmware = {"", 0}};
            read_node(parse, entry, "", gpu, &besides);
            finish(gpu);
        }
    }
    return true;
}
