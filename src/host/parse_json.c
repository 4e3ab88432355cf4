/* JSON of tools: one tree, and the reader that knows its shape. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

host_span_t host_node_text(const assay_node_t *node) {
    return node && node->kind == ASSAY_NODE_SCALAR ? (host_span_t){node->text, node->n_text}
                                                   : (host_span_t){"", 0};
}

void host_node_place(host_parse_t *parse, const assay_node_t *node) {
    parse->line = parse->first + node->at.line;
}

/* Differences of two gpu_metrics samples, as {"table", "d_accumulation_counter", ...}. Absolute
   counters say nothing: at rest they equal the accumulation counter. */
bool host_read_metrics_delta(host_parse_t *parse, const assay_node_t *root) {
#define GPU(field) offsetof(assay_host_gpu_t, field)
    static const host_field_t field[] = {
        {"d_accumulation_counter", GPU(sample_ticks), HOST_NUMBER},
        {"d_prochot_residency_acc", GPU(prochot_ticks), HOST_NUMBER},
        {"d_ppt_residency_acc", GPU(power_ticks), HOST_NUMBER},
        {"d_socket_thm_residency_acc", GPU(thermal_ticks), HOST_NUMBER},
        {"d_vr_thm_residency_acc", GPU(vr_ticks), HOST_NUMBER},
        {"d_hbm_thm_residency_acc", GPU(hbm_ticks), HOST_NUMBER},
        {"d_pcie_replay_count", GPU(pcie_replays_new), HOST_NUMBER},
        {"power_w", GPU(power_w), HOST_NUMBER},
        {"power_cap_w", GPU(power_cap_w), HOST_NUMBER},
    };
    if (!assay_node_find(root, "d_accumulation_counter") &&
        !assay_node_find(root, "accumulation_counter")) {
        return false;
    }
    assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, -1, NULL);
    for (const assay_node_t *node = root->child; gpu && node; node = node->next) {
        /* Of several readings the last. */
        const assay_node_t *value = node->kind == ASSAY_NODE_SEQUENCE ? node->last : node;
        host_node_place(parse, node);
        if (value) {
            host_field_set(parse, field, sizeof field / sizeof field[0], host_span(node->key),
                           host_node_text(value), gpu);
        }
    }
    return true;
}

void host_parse_json(host_parse_t *parse) {
    static bool (*const reader[])(host_parse_t *, const assay_node_t *) = {
        host_read_amd_smi, host_read_rocm_smi,   host_read_docker_inspect, host_read_metrics_delta,
        host_read_masks,   host_read_partitions, host_read_lscpu};
    host_span_t text = parse->rest;
    while (text.n > 0 && text.s[0] != '{' && text.s[0] != '[') { /* warnings in front */
        host_span_t line;
        if (!host_next_line(parse, &line)) {
            break;
        }
        parse->first = parse->line;
        text = parse->rest;
    }
    assay_node_t *root;
    assay_error_t err;
    const assay_status_t status =
        assay_node_parse(parse->scratch, parse->file, text.s, text.n, &root, &err);
    if (status != ASSAY_OK) {
        parse->source->reason = assay_arena_strdup(parse->arena, err.what);
        return;
    }
    for (size_t i = 0; i < sizeof reader / sizeof reader[0]; i++) {
        if (reader[i](parse, root)) {
            return;
        }
    }
    parse->source->reason = "JSON of a shape that is not known";
}
