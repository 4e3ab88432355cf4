/* Configurations that are trees: their scalars by path, and the few of Kubernetes that count. */
#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

#define PATH_BYTES 256u

typedef struct {
    launch_t *launch;
    const char *tool;
    char path[PATH_BYTES];
} walk_t;

/* A list of scalars as "a,b". */
static const char *join(launch_t *launch, const assay_node_t *list) {
    const char *text = "";
    for (const assay_node_t *item = list->child; item && text; item = item->next) {
        if (item->kind == ASSAY_NODE_SCALAR) {
            text =
                text[0] ? assay_arena_printf(launch->arena, "%s,%s", text, item->text) : item->text;
        }
        if (text && strlen(text) > 1024) {
            return text;
        }
    }
    return text;
}

static assay_status_t walk(walk_t *of, const assay_node_t *node, size_t n_path) {
    assay_status_t status = ASSAY_OK;
    for (const assay_node_t *child = node->child; child && status == ASSAY_OK;
         child = child->next) {
        const size_t n_key = strlen(child->key);
        if (n_path + n_key + 2 > PATH_BYTES) {
            continue;
        }
        memcpy(of->path + n_path, child->key, n_key + 1);
        if (child->kind == ASSAY_NODE_MAPPING) {
            of->path[n_path + n_key] = '.';
            status = walk(of, child, n_path + n_key + 1);
            continue;
        }
        const bool list = child->kind == ASSAY_NODE_SEQUENCE;
        const char *value = list ? join(of->launch, child) : child->text;
        const char *name = assay_arena_strdup(of->launch->arena, of->path);
        if (!value || !name) {
            return assay_error_memory(of->launch->err, &child->at);
        }
        status = launch_take(of->launch, of->tool, name, value, child->at.line);
    }
    return status;
}

assay_status_t launch_read_tree(launch_t *launch, const char *tool, const assay_node_t *root) {
    walk_t of = {.launch = launch, .tool = tool};
    return root->kind == ASSAY_NODE_MAPPING ? walk(&of, root, 0) : ASSAY_OK;
}

/* ---- Kubernetes ---- */

static const assay_node_t *scalar(const assay_node_t *mapping, const char *key) {
    const assay_node_t *node =
        mapping && mapping->kind == ASSAY_NODE_MAPPING ? assay_node_find(mapping, key) : NULL;
    return node && node->kind == ASSAY_NODE_SCALAR ? node : NULL;
}

/* What a product label or a resource means: the part's name in the catalog. */
static const struct {
    const char *label, *part;
} labels[] = {
    {"NVIDIA-H100-80GB-HBM3", "h100"},
    {"nvidia-h100-80gb", "h100"},
    {"nvidia-h100-mega-80gb", "h100"},
    {"NVIDIA-H200", "h200"},
    {"nvidia-h200-141gb", "h200"},
    {"NVIDIA-A100-SXM4-80GB", "a100-80g"},
    {"nvidia-a100-80gb", "a100-80g"},
    {"NVIDIA-A100-SXM4-40GB", "a100-40g"},
    {"nvidia-tesla-a100", "a100-40g"},
    {"NVIDIA-B200", "b200"},
    {"nvidia-b200", "b200"},
    {"NVIDIA-L40S", "l40s"},
    {"AMD_Instinct_MI300X_OAM", "mi300x"},
    {"AMD_Instinct_MI325X_OAM", "mi325x"},
    {"MI300X", "mi300x"},
    {"MI250X", "mi250x"},
};

static assay_status_t take_label(launch_t *launch, const assay_node_t *node) {
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if (assay_text_equal_fold(node->text, labels[i].label)) {
            return launch_set_fact(launch, "@part", labels[i].part);
        }
    }
    return ASSAY_OK;
}

/* Devices of a container's limits: nvidia.com/gpu, amd.com/gpu. */
static assay_status_t take_limits(launch_t *launch, const assay_node_t *limits) {
    assay_status_t status = ASSAY_OK;
    for (const assay_node_t *one = limits->child; one && status == ASSAY_OK; one = one->next) {
        if (one->kind != ASSAY_NODE_SCALAR || !one->key) {
            continue;
        }
        if (strcmp(one->key, "nvidia.com/gpu") == 0 || strcmp(one->key, "amd.com/gpu") == 0) {
            status = launch_set_fact(launch, "@gpus_per_node", one->text);
            if (status == ASSAY_OK) {
                status = launch_add(launch, ASSAY_LAUNCH_UNUSED, "@gpus_per_node", one->text,
                                    one->key, one->at.line, "see what follows from it");
            }
        } else if (strncmp(one->key, "nvidia.com/mig-", 15) == 0) {
            status = launch_add(launch, ASSAY_LAUNCH_LEFT, NULL, one->text, one->key, one->at.line,
                                "a slice of a device is not in the catalog");
        }
    }
    return status;
}

/* command and args of a container are the words of a launch line. */
static assay_status_t take_words(launch_t *launch, const assay_node_t *container) {
    static const char *const key[] = {"command", "args"};
    uint32_t n = 0, line[256] = {0};
    const char *word[256] = {NULL};
    for (size_t i = 0; i < 2; i++) {
        const assay_node_t *list = assay_node_find(container, key[i]);
        const bool is_list = list && list->kind == ASSAY_NODE_SEQUENCE;
        for (const assay_node_t *one = is_list ? list->child : NULL; one && n < 256;
             one = one->next) {
            if (one->kind == ASSAY_NODE_SCALAR) {
                line[n] = one->at.line;
                word[n++] = one->text;
            }
        }
    }
    /* sh -c "the whole line" */
    if (n >= 2 && strcmp(word[n - 2], "-c") == 0) {
        return launch_read_shell(launch, word[n - 1], strlen(word[n - 1]));
    }
    const assay_node_t *image = scalar(container, "image");
    const char *tag = image ? strrchr(image->text, ':') : NULL;
    if (tag && tag[1] == 'v' && tag[2] >= '0' && tag[2] <= '9') {
        const assay_status_t status = launch_set_fact(launch, "@engine_version", tag + 2);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    if (n > 0 && word[0][0] == '-' && image && strstr(image->text, "vllm")) {
        memmove(word + 1, word, (n < 255 ? n : 255) * sizeof *word);
        memmove(line + 1, line, (n < 255 ? n : 255) * sizeof *line);
        word[0] = "vllm.entrypoints.openai.api_server"; /* what the image starts by itself */
        n += n < 256;
    }
    return n > 0 ? launch_read_words(launch, word, line, n) : ASSAY_OK;
}

static assay_status_t visit(launch_t *launch, const assay_node_t *node) {
    assay_status_t status = ASSAY_OK;
    for (const assay_node_t *child = node->child; child && status == ASSAY_OK;
         child = child->next) {
        if (child->kind == ASSAY_NODE_SCALAR) {
            const bool product = child->key && (strstr(child->key, "gpu.product") ||
                                                strstr(child->key, "gke-accelerator"));
            const bool replicas = child->key && (strcmp(child->key, "replicas") == 0 ||
                                                 strcmp(child->key, "parallelism") == 0);
            status = product    ? take_label(launch, child)
                     : replicas ? launch_set_fact(launch, "@nodes", child->text)
                                : ASSAY_OK;
            continue;
        }
        if (child->key && strcmp(child->key, "limits") == 0 && child->kind == ASSAY_NODE_MAPPING) {
            status = take_limits(launch, child);
            continue;
        }
        if (child->kind == ASSAY_NODE_MAPPING && assay_node_find(child, "image")) {
            status = take_words(launch, child);
        }
        if (status == ASSAY_OK) {
            status = visit(launch, child);
        }
    }
    return status;
}

assay_status_t launch_read_kubernetes(launch_t *launch, const assay_node_t *root) {
    const assay_node_t *metadata = assay_node_find(root, "metadata");
    const assay_node_t *name = scalar(metadata, "name");
    assay_status_t status = name ? launch_set_fact(launch, "@name", name->text) : ASSAY_OK;
    return status == ASSAY_OK ? visit(launch, root) : status;
}
