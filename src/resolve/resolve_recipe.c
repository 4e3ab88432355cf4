/* How a training run keeps its state: what the job says, then what its framework does. */
#include <string.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

#define TABLE "framework_rules.csv"

enum { FRAMEWORK, SINCE, BEFORE, WHEN, EFFECT, VALUE, TEXT, SOURCE, N_COLUMN };
static const char *const column_name[N_COLUMN] = {"framework", "since", "before", "when",
                                                  "effect",    "value", "text",   "source"};

typedef struct {
    const assay_csv_t *csv;
    uint32_t row;
    int column[N_COLUMN];
} rule_t;

static const char *cell(const rule_t *rule, int column) {
    return assay_csv_cell(rule->csv, rule->row, rule->column[column]);
}

/* "accelerate-fsdp2-1.13": name, and version "" where none is given. */
const char *resolve_split_version(assay_arena_t *arena, const char *text,
                                  const char **out_version) {
    const char *dash = strrchr(text, '-');
    const bool versioned = dash && ((dash[1] >= '0' && dash[1] <= '9') || dash[1] == 'x');
    *out_version = versioned ? dash + 1 : "";
    return versioned ? assay_arena_strndup(arena, text, (size_t)(dash - text)) : text;
}

/* Without a version the newest counts. */
bool resolve_in_versions(const char *version, const char *since, const char *before) {
    if (version[0] == '\0') {
        return before[0] == '\0';
    }
    return (since[0] == '\0' || assay_text_version_order(version, since) >= 0) &&
           (before[0] == '\0' || assay_text_version_order(version, before) < 0);
}

static const char *const loss_word[ASSAY_LOSS_N] = {"fp32", "in_place", "fused", "chunked"};

static assay_status_t refuse_rule(const rule_t *rule, const char *what, assay_error_t *err) {
    const assay_place_t at = assay_csv_place(rule->csv, rule->row);
    return assay_error_set(err, ASSAY_INPUT, &at, "%s '%s' is not known", what,
                           cell(rule, strcmp(what, "value") == 0 ? VALUE : EFFECT));
}

/* What the job says itself wins over the framework's habit. */
static assay_status_t apply(resolve_context_t *context, const rule_t *rule,
                            const assay_job_train_t *train, assay_recipe_t *io_recipe) {
    const char *effect = cell(rule, EFFECT), *value = cell(rule, VALUE);
    double number = 0;
    if (strcmp(effect, "note") == 0) {
        return ASSAY_OK;
    }
    if (strcmp(effect, "loss") == 0) {
        for (int i = 0; i < ASSAY_LOSS_N; i++) {
            if (strcmp(value, loss_word[i]) == 0) {
                io_recipe->loss = train->loss.origin == ASSAY_GIVEN ? io_recipe->loss : (uint8_t)i;
                return ASSAY_OK;
            }
        }
        return refuse_rule(rule, "value", context->err);
    }
    if (strcmp(effect, "software") == 0) {
        io_recipe->software = value;
        return ASSAY_OK;
    }
    if (!assay_text_to_double(value, strlen(value), &number)) {
        return refuse_rule(rule, "value", context->err);
    }
    if (strcmp(effect, "wrap_bytes_each") == 0) {
        io_recipe->wrap_bytes_each = number;
    } else if (strcmp(effect, "load_bytes_each") == 0) {
        io_recipe->load_bytes_each = number;
    } else if (strcmp(effect, "fp32_weights") == 0) {
        io_recipe->no_master = train->master_weights.origin == ASSAY_GIVEN && io_recipe->no_master;
    } else if (strcmp(effect, "bf16_gradients") == 0) {
        if (train->gradient_dtype.origin != ASSAY_GIVEN) {
            io_recipe->bf16_gradients = number > 0;
        }
    } else if (strcmp(effect, "bf16_reduce") == 0) {
        io_recipe->bf16_reduce = number > 0;
    } else if (strcmp(effect, "recompute_stops") == 0) {
        io_recipe->recompute_stops = number > 0;
    } else if (strcmp(effect, "pure_bf16") == 0) {
        io_recipe->no_master = io_recipe->bf16_gradients = io_recipe->bf16_moments = number > 0;
    } else {
        return refuse_rule(rule, "effect", context->err);
    }
    return ASSAY_OK;
}

static assay_status_t refuse_framework(resolve_context_t *context, const assay_csv_t *csv,
                                       const assay_string_t *given, const char *name) {
    const char **known = assay_arena_array(context->arena, csv->n_rows, sizeof *known);
    if (!known) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < csv->n_rows; i++) {
        known[i] = assay_csv_cell(csv, i, assay_csv_column(csv, column_name[FRAMEWORK]));
    }
    const char *near = assay_text_nearest(name, known, csv->n_rows);
    assay_error_set(context->err, ASSAY_INPUT, &given->at, "unknown framework '%s'", name);
    assay_error_next(context->err, near ? "did you mean %s?" : "such as %s; or leave it out",
                     near ? near : known[0]);
    return ASSAY_INPUT;
}

/* "zero3" speaks of jobs in which some candidate may be sharded so. */
static bool concerns(const assay_job_t *job, const char *when) {
    static const char prefix[] = "zero";
    const assay_job_candidate_t *candidate = job->candidates.item;
    if (strncmp(when, prefix, sizeof prefix - 1) != 0) {
        return true;
    }
    const int stage = when[sizeof prefix - 1] - '0';
    for (uint32_t i = 0; i < job->candidates.n; i++) {
        const assay_number_t *zero = &candidate[i].layout.zero;
        if (zero->origin != ASSAY_GIVEN || (int)zero->v == stage) {
            return true;
        }
    }
    return job->candidates.n == 0;
}

static assay_status_t apply_framework(resolve_context_t *context, const assay_job_train_t *train,
                                      assay_recipe_t *io_recipe) {
    const assay_catalog_t *catalog = context->catalog;
    const char *version;
    assay_csv_t csv;
    assay_status_t status =
        assay_data_table(context->arena, TABLE, catalog->dir, catalog->n_dir, &csv, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    const char *name = resolve_split_version(context->arena, train->framework.s, &version);
    if (!name) {
        return resolve_no_memory(context);
    }
    rule_t rule = {.csv = &csv};
    for (int i = 0; i < N_COLUMN; i++) {
        rule.column[i] = assay_csv_column(&csv, column_name[i]);
    }
    bool known = false;
    for (; rule.row < csv.n_rows && status == ASSAY_OK; rule.row++) {
        if (!assay_text_equal_fold(cell(&rule, FRAMEWORK), name)) {
            continue;
        }
        known = true;
        if (!resolve_in_versions(version, cell(&rule, SINCE), cell(&rule, BEFORE)) ||
            !concerns(context->job, cell(&rule, WHEN))) {
            continue;
        }
        status = apply(context, &rule, train, io_recipe);
        if (status == ASSAY_OK) {
            status = resolve_note(context, ASSAY_NOTE_ASSUMPTION, train->framework.s, NULL,
                                  cell(&rule, SOURCE), cell(&rule, TEXT));
        }
    }
    return status == ASSAY_OK && !known ? refuse_framework(context, &csv, &train->framework, name)
                                        : status;
}

/* Which matrices a word of lora_targets means: the names of Hugging Face's modules. */
static const struct {
    const char *word;
    bool attention, mlp;
} target[] = {
    {"attention", true, false},    {"mlp", false, true},
    {"all", true, true},           {"all-linear", true, true},
    {"q_proj", true, false},       {"k_proj", true, false},
    {"v_proj", true, false},       {"o_proj", true, false},
    {"qkv_proj", true, false},     {"query_key_value", true, false},
    {"c_attn", true, false},       {"gate_proj", false, true},
    {"up_proj", false, true},      {"down_proj", false, true},
    {"gate_up_proj", false, true}, {"fc1", false, true},
    {"fc2", false, true},          {"linear_qkv", true, false},
    {"linear_proj", true, false},  {"linear_fc1", false, true},
    {"linear_fc2", false, true},
};
#define N_TARGET (sizeof target / sizeof target[0])

static assay_status_t read_targets(resolve_context_t *context, const assay_list_t *list,
                                   assay_recipe_t *out) {
    const assay_string_t *word = list->item;
    for (uint32_t i = 0; i < list->n; i++) {
        size_t j = 0;
        while (j < N_TARGET && strcmp(target[j].word, word[i].s) != 0) {
            j++;
        }
        if (j == N_TARGET) {
            const char *name[N_TARGET];
            for (j = 0; j < N_TARGET; j++) {
                name[j] = target[j].word;
            }
            const char *near = assay_text_nearest(word[i].s, name, N_TARGET);
            assay_error_set(context->err, ASSAY_INPUT, &word[i].at,
                            "unknown target of adapters '%s'", word[i].s);
            assay_error_next(context->err, "did you mean %s?", near ? near : name[0]);
            return ASSAY_INPUT;
        }
        out->lora_attention |= target[j].attention;
        out->lora_mlp |= target[j].mlp;
    }
    return ASSAY_OK;
}

#define LORA_RANK 8

static assay_status_t read_adapters(resolve_context_t *context, const assay_job_train_t *train,
                                    assay_recipe_t *out) {
    assay_status_t status = read_targets(context, &train->lora_targets, out);
    if (status != ASSAY_OK || out->method == ASSAY_METHOD_FULL) {
        return status;
    }
    out->lora_rank =
        train->lora_rank.origin == ASSAY_GIVEN ? (uint32_t)train->lora_rank.v : LORA_RANK;
    if (train->lora_rank.origin != ASSAY_GIVEN) {
        status = resolve_note(context, ASSAY_NOTE_ASSUMPTION, "finetune.lora_rank", "8",
                              "huggingface/peft LoraConfig r", NULL);
    }
    if (status == ASSAY_OK && train->lora_targets.n == 0) {
        out->lora_attention = true;
        status = resolve_note(context, ASSAY_NOTE_ASSUMPTION, "finetune.lora_targets", "attention",
                              "huggingface/peft: query and value by default; all four are counted",
                              NULL);
    }
    return status;
}

assay_status_t resolve_recipe(resolve_context_t *context, const assay_job_train_t *train,
                              assay_workload_t *out) {
    const bool half = out->dtype >= ASSAY_DT_FP16; /* narrower than its master copy */
    assay_recipe_t recipe = {
        .operand_bytes = out->recipe.operand_bytes, /* the precision's, as format */
        .format = out->recipe.format,
        .optimizer = (uint8_t)train->optimizer.v,
        .offload = (uint8_t)train->offload.v,
        .loss = (uint8_t)train->loss.v,
        .host_activations = train->offload_activations.v != 0,
        .method = (uint8_t)train->method.v,
        .no_master =
            half && train->master_weights.origin == ASSAY_GIVEN && !train->master_weights.v,
        .bf16_gradients = half && train->gradient_dtype.v == 1,
        .bf16_moments = train->moment_dtype.v == 1,
        .bucket_bytes = train->bucket_bytes.origin == ASSAY_GIVEN ? train->bucket_bytes.v : 0,
    };
    out->unfused_attention =
        train->fused_attention.origin == ASSAY_GIVEN && !train->fused_attention.v;
    assay_status_t status = read_adapters(context, train, &recipe);
    if (status == ASSAY_OK && recipe.optimizer == ASSAY_OPTIMIZER_PAGED) {
        status =
            resolve_note(context, ASSAY_NOTE_ASSUMPTION, "optimizer", "paged",
                         "bitsandbytes docs/source/optimizers.mdx",
                         "moments lie in managed memory and leave for the host when the device "
                         "is full: none are counted on the device");
    }
    if (status == ASSAY_OK && train->framework.s) {
        status = apply_framework(context, train, &recipe);
    }
    out->recipe = recipe;
    return status;
}
