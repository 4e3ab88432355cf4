/* Which reader a file is for. */
#include "assay/launch.h"

#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

#define TABLE "workload_args.csv"

const char *assay_launch_state_name(assay_launch_state_t state) {
    static const char *const name[ASSAY_LAUNCH_STATE_N] = {"taken",   "assumed", "replaced", "left",
                                                           "missing", "unknown", "unused"};
    return name[state];
}

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), n_end = strlen(end);
    return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

static bool has_key(const assay_node_t *root, const char *const *key) {
    for (; *key; key++) {
        if (assay_node_find(root, *key)) {
            return true;
        }
    }
    return false;
}

/* What a tree is, by keys that no other has. tool NULL: a model; "kubernetes": resources. */
static const struct {
    const char *tool;
    const char *const key[6];
} kinds[] = {
    {NULL, {"model_type", "architectures", "_class_name", NULL}},
    {"kubernetes", {"apiVersion", NULL}},
    {"accelerate", {"distributed_type", "compute_environment", "fsdp_config", NULL}},
    {"deepspeed",
     {"zero_optimization", "train_batch_size", "train_micro_batch_size_per_gpu",
      "gradient_accumulation_steps", NULL}},
    {"trtllm-options",
     {"kv_cache_config", "cuda_graph_config", "enable_attention_dp", "moe_config",
      "tensor_parallel_size", NULL}},
    {"transformers", {"base_model", "model_name_or_path", "finetuning_type", "adapter", NULL}},
};
#define N_KIND (sizeof kinds / sizeof kinds[0])

static assay_status_t refuse_file(launch_t *launch) {
    const assay_place_t at = {launch->file, 0, 0};
    assay_error_set(
        launch->err, ASSAY_INPUT, &at,
        "is no file that a job can be read from (a launch script, a model's config.json, "
        "DeepSpeed JSON, accelerate YAML, torchtitan TOML or Python, Kubernetes YAML)");
    assay_error_next(launch->err, "give the file that starts the work");
    return ASSAY_INPUT;
}

static assay_status_t read_root(launch_t *launch, const assay_node_t *root) {
    const assay_node_t *engine = assay_node_find(root, "build_config");
    if (root->kind == ASSAY_NODE_MAPPING && engine && assay_node_find(root, "pretrained_config")) {
        return launch_read_tree(launch, "trtllm-options", engine); /* of a compiled engine */
    }
    for (size_t i = 0; i < N_KIND && root->kind == ASSAY_NODE_MAPPING; i++) {
        if (!has_key(root, kinds[i].key)) {
            continue;
        }
        if (!kinds[i].tool) {
            return launch_add(launch, ASSAY_LAUNCH_TAKEN, "work.model", launch->file, "config.json",
                              0, NULL);
        }
        return strcmp(kinds[i].tool, "kubernetes") == 0
                   ? launch_read_kubernetes(launch, root)
                   : launch_read_tree(launch, kinds[i].tool, root);
    }
    return refuse_file(launch);
}

/* Documents of one YAML file stand apart by lines "---". */
static assay_status_t read_documents(launch_t *launch, const char *data, size_t size) {
    assay_status_t status = ASSAY_OK;
    for (size_t at = 0; at < size && status == ASSAY_OK;) {
        size_t end = at;
        while (end < size) {
            const char *line = memchr(data + end, '\n', size - end);
            const size_t next = line ? (size_t)(line - data) + 1 : size;
            end = next;
            if (size - next >= 3 && memcmp(data + next, "---", 3) == 0) {
                break;
            }
        }
        size_t start = at;
        if (end - start >= 3 && memcmp(data + start, "---", 3) == 0) {
            const char *line = memchr(data + start, '\n', end - start);
            start = line ? (size_t)(line - data) + 1 : end;
        }
        size_t blank = start;
        while (blank < end && strchr(" \t\r\n", data[blank])) {
            blank++;
        }
        assay_node_t *root;
        if (blank < end) {
            status = assay_node_parse(launch->arena, launch->file, data + start, end - start, &root,
                                      launch->err);
            if (status == ASSAY_OK) {
                status = read_root(launch, root);
            }
        }
        at = end;
    }
    return status;
}

static assay_status_t read_torchtitan(launch_t *launch, const char *data, size_t size, bool toml) {
    assay_node_t *root;
    assay_status_t status =
        toml ? launch_parse_toml(launch->arena, launch->file, data, size, &root, launch->err)
             : launch_parse_python(launch->arena, launch->file, data, size, &root, launch->err);
    if (status == ASSAY_OK) {
        status = launch_set_fact(launch, "@framework", "torchtitan");
    }
    return status == ASSAY_OK ? launch_read_tree(launch, "torchtitan", root) : status;
}

static assay_status_t read_file(launch_t *launch, const assay_launch_file_t *file) {
    static const char *const marks[] = {"torchtitan", "TrainingConfig", "ParallelismConfig"};
    launch->file = file->name;
    if (ends_with(file->name, ".toml")) {
        return read_torchtitan(launch, file->data, file->size, true);
    }
    if (ends_with(file->name, ".json") || ends_with(file->name, ".yaml") ||
        ends_with(file->name, ".yml")) {
        return read_documents(launch, file->data, file->size);
    }
    if (!ends_with(file->name, ".py")) {
        return launch_read_shell(launch, file->data, file->size);
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (memmem(file->data, file->size, marks[i], strlen(marks[i]))) {
            return read_torchtitan(launch, file->data, file->size, false);
        }
    }
    return refuse_file(launch);
}

static assay_status_t load_table(launch_t *launch, const char *const *dir, uint32_t n_dir) {
    const assay_status_t status =
        assay_data_table(launch->arena, TABLE, dir, n_dir, &launch->table, launch->err);
    if (status != ASSAY_OK) {
        return status;
    }
    launch->tool = assay_csv_column(&launch->table, "tool");
    launch->argument = assay_csv_column(&launch->table, "argument");
    launch->takes = assay_csv_column(&launch->table, "takes");
    launch->key = assay_csv_column(&launch->table, "key");
    launch->value = assay_csv_column(&launch->table, "value");
    launch->item = assay_arena_array(launch->arena, LAUNCH_ITEMS_MAX, sizeof *launch->item);
    return launch->item ? ASSAY_OK : assay_error_memory(launch->err, NULL);
}

assay_status_t assay_launch_read(assay_arena_t *arena, const assay_launch_file_t *file, uint32_t n,
                                 const char *on, const char *const *dir, uint32_t n_dir,
                                 assay_launch_t **out_launch, assay_error_t *err) {
    launch_t launch = {.arena = arena, .files = file, .n_files = n, .err = err};
    assay_status_t status = load_table(&launch, dir, n_dir);
    for (uint32_t i = 0; i < n && status == ASSAY_OK; i++) {
        status = read_file(&launch, &file[i]);
    }
    if (status == ASSAY_OK && launch.n_item == 0 && launch.n_fact == 0) {
        status = refuse_file(&launch);
    }
    assay_launch_t *out = assay_arena_alloc(arena, sizeof *out);
    if (status == ASSAY_OK && !out) {
        status = assay_error_memory(err, NULL);
    }
    if (status == ASSAY_OK) {
        status = launch_settle(&launch, on, out);
    }
    if (status == ASSAY_OK) {
        *out_launch = out;
    }
    return status;
}
