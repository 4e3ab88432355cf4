/* What follows from what was taken: the kind of work, the model, the machines, the batch. */
#include <stdio.h>
#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

static const char *count(launch_t *launch, double value) {
    return assay_arena_printf(launch->arena, "%.0f", value);
}

static assay_status_t assume(launch_t *launch, const char *key, const char *value,
                             const char *text) {
    launch->file = NULL;
    return value ? launch_add(launch, ASSAY_LAUNCH_ASSUMED, key, value, NULL, 0, text)
                 : assay_error_memory(launch->err, NULL);
}

static assay_status_t missing(launch_t *launch, const char *key, const char *text) {
    launch->file = NULL;
    return launch_add(launch, ASSAY_LAUNCH_MISSING, key, NULL, NULL, 0, text);
}

static bool is_given(const launch_t *launch, const char *name) {
    for (uint32_t i = 0; i < launch->n_files; i++) {
        const char *slash = strrchr(launch->files[i].name, '/');
        const char *own = slash ? slash + 1 : launch->files[i].name;
        const char *other = strrchr(name, '/');
        if (strcmp(own, other ? other + 1 : name) == 0) {
            return true;
        }
    }
    return false;
}

/* Fine-tuning where adapters are asked for, or where only a trainer speaks and no pre-training
   program does. */
static const char *find_kind(const launch_t *launch) {
    const char *framework = launch_fact(launch, "@framework");
    const bool trains =
        framework && (strcmp(framework, "megatron") == 0 || strcmp(framework, "torchtitan") == 0);
    if (launch->serves) {
        return "serve";
    }
    return launch_value(launch, "work.method") || (launch->tunes && !trains) ? "finetune" : "train";
}

/* ---- model ---- */

static const char *const shape_key[] = {"model.layers", "model.hidden", "model.heads", "model.ffn",
                                        "model.vocab"};

static bool is_shape(const assay_launch_item_t *item) {
    return item->key && strncmp(item->key, "model.", 6) == 0 && item->state <= ASSAY_LAUNCH_ASSUMED;
}

static assay_status_t settle_model(launch_t *launch) {
    bool shape = false;
    const bool named = launch_value(launch, "work.model") != NULL;
    for (uint32_t i = 0; i < launch->n_item; i++) {
        shape = shape || is_shape(&launch->item[i]);
        if (named && is_shape(&launch->item[i])) {
            launch->item[i].state = ASSAY_LAUNCH_REPLACED;
            launch->item[i].text = "the model is named";
        }
    }
    if (named) {
        return ASSAY_OK;
    }
    const char *flavor = launch_fact(launch, "@model_flavor");
    const char *name = launch_fact(launch, "@model_name");
    if (name) {
        return assume(launch, "work.model",
                      assay_arena_printf(launch->arena, "%s%s%s", name, flavor ? "-" : "",
                                         flavor ? flavor : ""),
                      "name and flavour of torchtitan; a catalog id or a config.json is surer");
    }
    if (!shape) {
        return missing(launch, "work.model", "no file names the model");
    }
    assay_status_t status = ASSAY_OK;
    if (!launch_value(launch, "model.gated")) {
        status = assume(launch, "model.gated", "false", "without --swiglu");
    }
    if (status == ASSAY_OK && !launch_value(launch, "model.tied_embeddings")) {
        status = assume(launch, "model.tied_embeddings", "true",
                        "without --untie-embeddings-and-output-weights");
    }
    const double hidden = launch_number(launch, "model.hidden", 0);
    if (status == ASSAY_OK && !launch_value(launch, "model.ffn") && hidden > 0) {
        status = assume(launch, "model.ffn", count(launch, 4 * hidden), "Megatron-LM: 4 x hidden");
    }
    for (size_t i = 0; i < sizeof shape_key / sizeof shape_key[0] && status == ASSAY_OK; i++) {
        if (!launch_value(launch, shape_key[i])) {
            status = missing(launch, shape_key[i],
                             i == 4 ? "the tokenizer's, padded" : "no argument says it");
        }
    }
    return status;
}

/* ---- machines ---- */

/* "gpu:a100:8", "gpu:8" */
static assay_status_t settle_gres(launch_t *launch) {
    const char *gres = launch_fact(launch, "@gres"), *last;
    if (!gres || strncmp(gres, "gpu", 3) != 0 || !(last = strrchr(gres, ':'))) {
        return ASSAY_OK;
    }
    assay_status_t status = launch_set_fact(launch, "@gpus_per_node", last + 1);
    const char *part = gres + 4;
    if (status == ASSAY_OK && last > part) {
        status = launch_set_fact(launch, "@part",
                                 assay_arena_strndup(launch->arena, part, (size_t)(last - part)));
    }
    return status;
}

/* Slurm's "a100:4" of --gpus-per-node. */
static assay_status_t settle_typed_count(launch_t *launch, const char *fact) {
    const char *text = launch_fact(launch, fact);
    const char *colon = text ? strchr(text, ':') : NULL;
    if (!colon) {
        return ASSAY_OK;
    }
    const assay_status_t status = launch_set_fact(
        launch, "@part", assay_arena_strndup(launch->arena, text, (size_t)(colon - text)));
    return status == ASSAY_OK ? launch_set_fact(launch, fact, colon + 1) : status;
}

/* Devices in all; 0 unknown. */
static double devices(const launch_t *launch) {
    const double nodes = launch_number(launch, "@nodes", 1);
    const double each = launch_number(launch, "@gpus_per_node", 0);
    return each > 0 ? nodes * each : launch_number(launch, "@gpus", 0);
}

static assay_status_t settle_machines(launch_t *launch, const char *on) {
    assay_status_t status = settle_gres(launch);
    if (status == ASSAY_OK) {
        status = settle_typed_count(launch, "@gpus_per_node");
    }
    if (status == ASSAY_OK) {
        status = settle_typed_count(launch, "@gpus");
    }
    const double nodes = launch_number(launch, "@nodes", 0), all = devices(launch);
    const char *part = launch_fact(launch, "@part");
    if (status == ASSAY_OK && nodes > 0) {
        status =
            assume(launch, "candidate.nodes", count(launch, nodes), "nodes that are asked for");
    }
    if (status != ASSAY_OK) {
        return status;
    }
    if (on) {
        return assume(launch, "candidate.system", on, "--on");
    }
    if (part && all > 0) {
        const double each = all / (nodes > 0 ? nodes : 1);
        return assume(launch, "candidate.system",
                      assay_arena_printf(launch->arena, "%.0fx %s", each, part),
                      "devices of one node; for memory alone, name a system for speed and cost");
    }
    return missing(launch, "candidate.system",
                   all > 0 ? assay_arena_printf(launch->arena,
                                                "no file says which part the %.0f devices are; "
                                                "give --on SYSTEM",
                                                all)
                           : "give --on SYSTEM");
}

/* ---- layout and batch ---- */

static assay_status_t settle_serving(launch_t *launch) {
    const double tp = launch_number(launch, "layout.tp", 1),
                 dp = launch_number(launch, "layout.dp", 1);
    assay_status_t status = ASSAY_OK;
    const char *engine = launch_fact(launch, "@engine");
    if (launch_fact(launch, "@ep_all")) {
        status = assume(launch, "layout.ep", count(launch, tp * dp),
                        "--enable-expert-parallel: over tensor x data parallel devices");
    }
    if (status == ASSAY_OK && launch_fact(launch, "@ep_tp")) {
        status = assume(launch, "layout.ep", count(launch, tp),
                        "experts over as many devices as tensor parallelism: the backend asks it");
    }
    if (status == ASSAY_OK && launch_fact(launch, "@dp_attention") && dp > 1 && tp >= dp) {
        if (!launch_value(launch, "layout.ep")) {
            status = assume(launch, "layout.ep", count(launch, tp), "experts over all devices");
        }
        if (status == ASSAY_OK) {
            status = assume(launch, "layout.tp", count(launch, tp / dp),
                            "attention of its own on each of dp groups: tp / dp");
        }
    }
    const double tokens = launch_number(launch, "@kv_tokens", 0);
    const double block = launch_number(launch, "work.block_tokens", 1);
    if (status == ASSAY_OK && tokens > 0) {
        status = assume(launch, "work.kv_blocks", count(launch, tokens / block),
                        "tokens that the cache may hold");
    }
    const char *version = launch_fact(launch, "@engine_version");
    if (status == ASSAY_OK && engine && version) {
        status = assume(launch, "work.engine",
                        assay_arena_printf(launch->arena, "%s-%s", engine, version),
                        "the version is the image's");
    } else if (status == ASSAY_OK && engine) {
        status = assume(launch, "work.engine", engine,
                        "without a version: as it is today; write vllm-0.6.3 for another");
    }
    return status;
}

static assay_status_t settle_sharding(launch_t *launch) {
    const char *framework = launch_fact(launch, "@framework");
    const bool titan = framework && strcmp(framework, "torchtitan") == 0;
    const double shard = launch_number(launch, "@dp_shard", 0);
    const char *text = launch_fact(launch, "@dp_shard");
    assay_status_t status = ASSAY_OK;
    if (titan && (shard != 1 || !text)) {
        status = assume(launch, "layout.zero", "3", "fully sharded over the data-parallel devices");
    }
    const char *weights = launch_fact(launch, "@weights_dtype");
    if (status == ASSAY_OK && weights && strcmp(weights, "bf16") == 0) {
        status = assume(launch, "work.master_weights", "false", "training.dtype is bfloat16");
        status = status ? status : assume(launch, "work.gradient_dtype", "bf16", "as the weights");
        status = status ? status : assume(launch, "work.moment_dtype", "bf16", "as the weights");
    }
    const char *converters = launch_fact(launch, "@converters");
    if (status == ASSAY_OK && converters && strstr(converters, "float8")) {
        status = assume(launch, "work.precision", "fp8", "model.converters");
    } else if (status == ASSAY_OK && converters && strstr(converters, "linear.mx")) {
        status = assume(launch, "work.precision", "mxfp8", "model.converters");
    }
    const double pieces = launch_number(launch, "@layers_per_virtual_stage", 0);
    const double layers = launch_number(launch, "model.layers", 0);
    const double pp = launch_number(launch, "layout.pp", 1);
    if (status == ASSAY_OK && pieces > 0 && layers >= pp * pieces) {
        status = assume(launch, "layout.vpp", count(launch, layers / pp / pieces),
                        "layers / pipeline stages / layers of a virtual stage");
    }
    if (status == ASSAY_OK && framework) {
        status = assume(launch, "work.framework", framework,
                        "its rules of memory; with a version: accelerate-1.2");
    }
    return status;
}

static assay_status_t settle_batch(launch_t *launch) {
    const double sequence = launch_number(launch, "work.sequence", 0);
    const double tokens = launch_number(launch, "@micro_batch_tokens", 0);
    assay_status_t status = ASSAY_OK;
    if (tokens > 0 && sequence > 0 && tokens >= sequence) {
        status = assume(launch, "layout.micro_batch", count(launch, tokens / sequence),
                        "tokens of a micro-batch / sequence");
    }
    const double micro = launch_number(launch, "layout.micro_batch", 0), all = devices(launch);
    const double shards = launch_number(launch, "layout.tp", 1) *
                          launch_number(launch, "layout.pp", 1) *
                          launch_number(launch, "layout.cp", 1);
    const double accumulation = launch_number(launch, "@accumulation", 1);
    const bool said = launch_value(launch, "work.global_batch") ||
                      launch_value(launch, "work.global_batch_tokens");
    if (status == ASSAY_OK && !said && micro > 0 && all >= shards) {
        status =
            assume(launch, "work.global_batch", count(launch, micro * accumulation * all / shards),
                   "micro-batch x accumulation x data-parallel devices");
    }
    const double batch = launch_number(launch, "work.global_batch", 0);
    const double steps = launch_number(launch, "@steps", 0);
    const double samples = launch_number(launch, "@samples", steps * batch);
    if (status == ASSAY_OK && samples > 0 && sequence > 0) {
        status = assume(launch, "work.dataset_tokens", count(launch, samples * sequence),
                        "steps x global batch x sequence");
    }
    return status;
}

/* Slurm's time: "90", "1:30:00", "2-12:00:00", "2-12"; minutes where it is one number. */
static assay_status_t settle_deadline(launch_t *launch) {
    const char *text = launch_fact(launch, "@deadline");
    double part[4] = {0}, days = 0;
    int n = 0;
    if (!text || launch->serves) {
        return ASSAY_OK;
    }
    const char *dash = strchr(text, '-'), *at = dash ? dash + 1 : text;
    if (dash && !assay_text_to_double(text, (size_t)(dash - text), &days)) {
        return ASSAY_OK;
    }
    while (*at && n < 3) {
        const size_t length = strcspn(at, ":");
        if (!assay_text_to_double(at, length, &part[n++])) {
            return ASSAY_OK;
        }
        at += length + (at[length] == ':');
    }
    const double seconds = dash     ? 86400 * days + 3600 * part[0] + 60 * part[1] + part[2]
                           : n == 3 ? 3600 * part[0] + 60 * part[1] + part[2]
                                    : 60 * part[0] + part[1];
    return seconds >= 1 && seconds < 3e9
               ? assume(launch, "work.deadline",
                        assay_arena_printf(launch->arena, "%.0f s", seconds),
                        "the job's time limit")
               : ASSAY_OK;
}

static assay_status_t note_configs(launch_t *launch) {
    const char *config = launch_fact(launch, "@config");
    if (!config || !strchr(config, '.') || is_given(launch, config)) {
        return ASSAY_OK;
    }
    return missing(
        launch, NULL,
        assay_arena_printf(launch->arena, "the launch line reads %s: give it too", config));
}

static assay_status_t settle_name(launch_t *launch) {
    const char *name = launch_fact(launch, "@name");
    return name && name[0] ? assume(launch, "name", name, "of the job or the deployment")
                           : ASSAY_OK;
}

assay_status_t launch_settle(launch_t *launch, const char *on, assay_launch_t *out) {
    const char *kind = find_kind(launch);
    assay_status_t status = settle_name(launch);
    if (status == ASSAY_OK) {
        status = settle_model(launch);
    }
    if (status == ASSAY_OK) {
        status = launch->serves ? settle_serving(launch) : settle_sharding(launch);
    }
    if (status == ASSAY_OK) {
        status = settle_machines(launch, on);
    }
    if (status == ASSAY_OK && !launch->serves) {
        status = settle_batch(launch);
    }
    if (status == ASSAY_OK) {
        status = settle_deadline(launch);
    }
    if (status == ASSAY_OK) {
        status = note_configs(launch);
    }
    *out = (assay_launch_t){kind, launch->item, launch->n_item};
    return status;
}
