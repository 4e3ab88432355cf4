/* What somebody asks about: masks of devices in several cases, modes of partition. JSON. */
#include "host/host_parse.h"

#include "base/banned.h"

#define ROCR "ROCR_VISIBLE_DEVICES"
#define HIP "HIP_VISIBLE_DEVICES"
#define CUDA "CUDA_VISIBLE_DEVICES"

static const char *copy_of(host_parse_t *parse, const assay_node_t *node) {
    return node ? host_copy(parse, host_node_text(node)) : NULL;
}

/* [{"name": "a", "ROCR_VISIBLE_DEVICES": "1"}, ...] */
bool host_read_masks(host_parse_t *parse, const assay_node_t *root) {
    bool any = false;
    for (const assay_node_t *item = root->child; item; item = item->next) {
        any |= assay_node_find(item, ROCR) || assay_node_find(item, HIP) ||
               assay_node_find(item, CUDA);
    }
    if (root->kind != ASSAY_NODE_SEQUENCE || !any) {
        return false;
    }
    for (const assay_node_t *item = root->child; item; item = item->next) {
        host_node_place(parse, item);
        assay_host_mask_t *mask = host_add(parse, mask);
        if (mask) {
            const char *name = copy_of(parse, assay_node_find(item, "name"));
            *mask = (assay_host_mask_t){.name = name ? name : "",
                                        .rocr = copy_of(parse, assay_node_find(item, ROCR)),
                                        .hip = copy_of(parse, assay_node_find(item, HIP)),
                                        .cuda = copy_of(parse, assay_node_find(item, CUDA)),
                                        .at = host_here(parse)};
        }
    }
    return true;
}

/* [{"compute": "SPX", "memory": "NPS1"}, ...] */
bool host_read_partitions(host_parse_t *parse, const assay_node_t *root) {
    if (root->kind != ASSAY_NODE_SEQUENCE || !root->child ||
        !assay_node_find(root->child, "compute") || !assay_node_find(root->child, "memory")) {
        return false;
    }
    for (const assay_node_t *item = root->child; item; item = item->next) {
        const char *compute = copy_of(parse, assay_node_find(item, "compute")),
                   *memory = copy_of(parse, assay_node_find(item, "memory"));
        host_node_place(parse, item);
        assay_host_partition_t *partition = compute && memory ? host_add(parse, partition) : NULL;
        if (partition) {
            *partition = (assay_host_partition_t){compute, memory, host_here(parse)};
        }
    }
    return true;
}
