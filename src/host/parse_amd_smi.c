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
};

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

void host_parse_amd_smi(host_parse_t *parse) {
    host_outline_t outline = {.depth = 0};
    assay_host_gpu_t *gpu = NULL;
    int64_t index = -1;
    for (host_span_t line, value; host_next_line(parse, &line);) {
        double number;
        host_span_t rest;
        if (!host_outline_line(&outline, line, &value)) {
            continue;
        }
        const host_span_t key = outline.key[outline.depth - 1];
        if (outline.depth == 1 && host_is(key, "GPU") && host_number(value, &number, &rest)) {
            finish(gpu);
            index = number >= 0 && number < 65536 ? (int64_t)number : -1;
            gpu = host_gpu(parse, ASSAY_VENDOR_AMD, index, NULL);
        } else if (gpu && host_is(key, "BDF")) {
            const char *bdf = host_bdf(parse, value);
            gpu = bdf ? host_gpu(parse, ASSAY_VENDOR_AMD, index, bdf) : gpu;
        } else if (gpu && value.n > 0) {
            set(parse, outline.path, value, gpu);
        }
    }
    finish(gpu);
}

/* {"value": 100, "unit": "%"} is one value, as is a scalar. Nested mappings make the path. */
static void read_node(host_parse_t *parse, const assay_node_t *node, const char *path,
                      assay_host_gpu_t *gpu) {
    const assay_node_t *number = assay_node_find(node, "value");
    host_node_place(parse, node);
    if (node->kind == ASSAY_NODE_SCALAR) {
        set(parse, path, host_node_text(node), gpu);
    } else if (number && number->kind == ASSAY_NODE_SCALAR) {
        const assay_node_t *unit = assay_node_find(node, "unit");
        const char *text = assay_arena_printf(parse->scratch, "%.*s %.*s", (int)number->n_text,
                                              number->text, unit ? (int)unit->n_text : 0,
                                              unit && unit->n_text ? unit->text : "");
        if (text) {
            host_node_place(parse, number);
            set(parse, path, host_span(text), gpu);
        }
    } else if (node->kind == ASSAY_NODE_MAPPING) {
        for (const assay_node_t *child = node->child; child; child = child->next) {
            const char *below =
                assay_arena_printf(parse->scratch, "%s%s%s", path, *path ? "." : "", child->key);
            if (below) {
                read_node(parse, child, below, gpu);
            }
        }
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
            read_node(parse, entry, "", gpu);
            finish(gpu);
        }
    }
    return true;
}
