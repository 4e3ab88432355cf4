#include "assay/job.h"

#include <stddef.h>

/* Every key of a job. Ranges only refuse slips (a wrong unit, a zero too many) and keep what
   follows inside its types; what a value means is checked in resolve. Defaults here are of form
   only: figures with a source come from data/defaults.csv. */

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))
#define NO_PRESENT SIZE_MAX

#define MAX_CANDIDATES 64
#define MAX_NEEDS 64
#define MAX_CLAIM_SETS 16

#define NUMBER(name, type, member, dimension, scale, least, most)            \
    .key = (name), .kind = ASSAY_FIELD_NUMBER, .dim = ASSAY_DIM_##dimension, \
    .bare_scale = (scale), .min = (least), .max = (most), .offset = offsetof(type, member)
#define COUNT(name, type, member, least, most) NUMBER(name, type, member, COUNT, 1, least, most)
#define FRACTION(name, type, member) NUMBER(name, type, member, FRACTION, 1, 0, 1)
#define MONEY(name, type, member) NUMBER(name, type, member, MONEY, 1, 0, 1e12)
#define STRING(name, type, member) \
    .key = (name), .kind = ASSAY_FIELD_STRING, .offset = offsetof(type, member)
#define STRINGS(name, type, member, most) \
    .key = (name), .kind = ASSAY_FIELD_STRINGS, .max = (most), .offset = offsetof(type, member)
#define CHOICE(name, type, member, list) \
    .key = (name), .kind = ASSAY_FIELD_CHOICE, .choices = (list), .offset = offsetof(type, member)
#define BOOL(name, type, member) \
    .key = (name), .kind = ASSAY_FIELD_BOOL, .offset = offsetof(type, member)
#define STRUCT(name, type, member, schema) \
    .key = (name), .kind = ASSAY_FIELD_STRUCT, .sub = &(schema), .offset = offsetof(type, member)
#define LATER(name, what) .key = (name), .kind = ASSAY_FIELD_LATER, .help = (what)

#define SCHEMA(title, type, fields, present_offset, check_function)                            \
    {                                                                                          \
        .name = (title), .field = (fields), .n_field = COUNT_OF(fields), .size = sizeof(type), \
        .present = (present_offset), .check = (check_function)                                 \
    }

/* Flags (no line) come after the file. */
static bool is_later(const assay_place_t *a, const assay_place_t *b) {
    if ((a->line == 0) != (b->line == 0)) {
        return a->line == 0;
    }
    return a->line != b->line ? a->line > b->line : a->column > b->column;
}

/* Two ways to say one thing: the later of the two is the mistake. */
static assay_status_t refuse_both(const char *a_key, const assay_number_t *a, const char *b_key,
                                  const assay_number_t *b, assay_error_t *err) {
    if (a->origin != ASSAY_GIVEN || b->origin != ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    assay_error_set(err, ASSAY_INPUT, is_later(&a->at, &b->at) ? &a->at : &b->at,
                    "both '%s' and '%s' are given", a_key, b_key);
    assay_error_next(err, "keep one of the two");
    return ASSAY_INPUT;
}

static assay_status_t check_train(const void *value, const assay_node_t *node, assay_error_t *err) {
    (void)node;
    const assay_job_train_t *train = value;
    return refuse_both("global_batch", &train->global_batch, "global_batch_tokens",
                       &train->global_batch_tokens, err);
}

static assay_status_t check_candidate(const void *value, const assay_node_t *node,
                                      assay_error_t *err) {
    (void)node;
    const assay_job_candidate_t *candidate = value;
    return refuse_both("buy_usd", &candidate->buy_usd, "usd_per_h", &candidate->usd_per_h, err);
}

/* Exactly one kind of work. */
static assay_status_t check_workload(const void *value, const assay_node_t *node,
                                     assay_error_t *err) {
    const assay_job_workload_t *work = value;
    const int n = work->train.present + work->finetune.present + work->serve.present;
    if (n == 1) {
        return ASSAY_OK;
    }
    assay_error_set(err, ASSAY_INPUT, &node->at,
                    n ? "'workload' has more than one kind of work"
                      : "'workload' has no kind of work; expected train, finetune or serve");
    assay_error_next(err, n ? "write a job for each" : "add workload.train.model, or give --model");
    return ASSAY_INPUT;
}

static assay_status_t check_serve(const void *value, const assay_node_t *node, assay_error_t *err) {
    (void)node;
    const assay_job_serve_t *serve = value;
    const assay_status_t status =
        refuse_both("rate", &serve->rate_per_s, "concurrency", &serve->concurrency, err);
    return status ? status
                  : refuse_both("kv_blocks", &serve->kv_blocks, "kv_memory",
                                &serve->kv_memory_bytes, err);
}

static const char *const optimizer_names[] = {"adam", "adam8bit", "paged", "adafactor",
                                              "muon", "sgd",      NULL};
static const char *const offload_names[] = {"none", "optimizer", "all", NULL};
static const char *const loss_names[] = {"fp32", "in_place", "fused", "chunked", NULL};
static const char *const method_names[] = {"full", "lora", "qlora", NULL};
static const char *const state_names[] = {"fp32", "bf16", NULL};

#define MAX_LORA_TARGETS 32

/* What training from scratch and fine-tuning share. */
#define TRAIN_ROWS                                                                                 \
    {.key = "model",                                                                               \
     .kind = ASSAY_FIELD_NODE,                                                                     \
     .required = true,                                                                             \
     .offset = offsetof(assay_job_train_t, model),                                                 \
     .flag = "model",                                                                              \
     .help =                                                                                       \
         "catalog id, path of a config.json, a GGUF file or a folder with weights, or a shape"},   \
        {COUNT("dataset_tokens", assay_job_train_t, dataset_tokens, 1, 1e18), .flag = "tokens",    \
         .flag_alias = "dataset-tokens",                                                           \
         .help = "tokens of one epoch; without it one step is answered"},                          \
        {NUMBER("epochs", assay_job_train_t, epochs, NUMBER, 1, 1e-3, 1e6), .default_text = "1",   \
         .flag = "epochs", .help = "passes over the data"},                                        \
        {COUNT("sequence", assay_job_train_t, sequence, 1, 1e8), .flag = "sequence",               \
         .help = "tokens of one sequence"},                                                        \
        {COUNT("global_batch", assay_job_train_t, global_batch, 1, 1e9), .flag = "global-batch",   \
         .help = "sequences of one optimizer step, over all devices"},                             \
        {COUNT("global_batch_tokens", assay_job_train_t, global_batch_tokens, 1, 1e13),            \
         .flag = "global-batch-tokens", .help = "the same in tokens; give one of the two"},        \
        {STRING("precision", assay_job_train_t, precision), .default_text = "bf16",                \
         .flag = "precision",                                                                      \
         .help = "number format of the matrix products: bf16, fp16, fp8, tf32, fp32"},             \
        {NUMBER("deadline", assay_job_train_t, deadline_s, TIME, 0, 1, 3.2e9), .flag = "deadline", \
         .help = "longest time the run may take"},                                                 \
        {STRING("framework", assay_job_train_t, framework), .flag = "framework",                   \
         .help = "what runs it, with its version (accelerate-1.2): its rules of memory apply"},    \
        {CHOICE("optimizer", assay_job_train_t, optimizer, optimizer_names), .flag = "optimizer",  \
         .help = "what updates the weights; paged: moments may leave for the host"},               \
        {BOOL("master_weights", assay_job_train_t, master_weights), .flag = "master-weights",      \
         .help = "keep an fp32 copy of weights that are narrower"},                                \
        {CHOICE("gradient_dtype", assay_job_train_t, gradient_dtype, state_names),                 \
         .flag = "gradient-dtype", .help = "number format in which gradients are kept"},           \
        {CHOICE("moment_dtype", assay_job_train_t, moment_dtype, state_names),                     \
         .flag = "moment-dtype", .help = "number format of the optimizer's moments"},              \
        {CHOICE("offload", assay_job_train_t, offload, offload_names), .flag = "offload",          \
         .help = "what is kept in the memory of the host"},                                        \
        {CHOICE("loss", assay_job_train_t, loss, loss_names), .flag = "loss",                      \
         .help = "how logits and their gradient are kept"},                                        \
        {BOOL("fused_attention", assay_job_train_t, fused_attention), .flag = "fused-attention",   \
         .help = "the attention kernel keeps no scores (FlashAttention and its like)"},
static const assay_field_t train_field[] = {TRAIN_ROWS};
static const assay_schema_t train_schema = SCHEMA(
    "train", assay_job_train_t, train_field, offsetof(assay_job_train_t, present), check_train);

static const assay_field_t finetune_field[] = {
    TRAIN_ROWS{CHOICE("method", assay_job_train_t, method, method_names), .flag = "method",
               .help =
                   "what is trained: every weight, adapters, or adapters over weights in 4 bit"},
    {COUNT("lora_rank", assay_job_train_t, lora_rank, 1, 65536), .flag = "lora-rank",
     .help = "rank of the adapters"},
    {STRINGS("lora_targets", assay_job_train_t, lora_targets, MAX_LORA_TARGETS),
     .flag = "lora-targets",
     .help = "matrices with an adapter: attention, mlp, or names such as q_proj"},
};
static const assay_schema_t finetune_schema =
    SCHEMA("finetune", assay_job_train_t, finetune_field, offsetof(assay_job_train_t, present),
           check_train);

static const assay_field_t slo_field[] = {
    {NUMBER("ttft_p99", assay_job_slo_t, ttft_p99_s, TIME, 0, 1e-6, 1e6), .flag = "ttft-p99",
     .help = "time to the first token, of 99 in 100 requests"},
    {NUMBER("tpot_p99", assay_job_slo_t, tpot_p99_s, TIME, 0, 1e-6, 1e6), .flag = "tpot-p99",
     .help = "mean time of a later token of a request"},
    {NUMBER("itl_p99", assay_job_slo_t, itl_p99_s, TIME, 0, 1e-6, 1e6), .flag = "itl-p99",
     .help = "time between two tokens"},
    {NUMBER("e2e_p99", assay_job_slo_t, e2e_p99_s, TIME, 0, 1e-6, 1e6), .flag = "e2e-p99",
     .help = "time of a whole request"},
};
static const assay_schema_t slo_schema =
    SCHEMA("slo", assay_job_slo_t, slo_field, offsetof(assay_job_slo_t, present), NULL);

#define NODE(name, member) \
    .key = (name), .kind = ASSAY_FIELD_NODE, .offset = offsetof(assay_job_serve_t, member)
static const assay_field_t serve_field[] = {
    {NODE("model", model), .required = true,
     .help = "catalog id, path of a config.json, a GGUF file or a folder with weights, or a shape"},
    {NODE("input_tokens", input_tokens), .flag = "input-tokens",
     .help = "tokens of a prompt: a number, {mean, max}, or a trace file"},
    {NODE("output_tokens", output_tokens), .flag = "output-tokens",
     .help = "tokens of an answer: a number, {mean, max}, or a trace file"},
    {NUMBER("rate", assay_job_serve_t, rate_per_s, NUMBER, 1, 1e-6, 1e9), .flag = "rate",
     .help = "requests a second"},
    {COUNT("concurrency", assay_job_serve_t, concurrency, 1, 1e7), .flag = "concurrency",
     .help = "requests at the same time; not together with rate"},
    {STRUCT("slo", assay_job_serve_t, slo, slo_schema), .help = "what users may have to wait"},
    {STRING("precision", assay_job_serve_t, precision),
     .help = "number format of the weights; without it that of the checkpoint"},
    {STRING("kv_precision", assay_job_serve_t, kv_precision), .flag = "kv-precision",
     .help = "number format of keys and values; without it that of the activations"},
    {STRING("engine", assay_job_serve_t, engine), .flag = "engine",
     .help = "what serves it, with its version: vllm-0.6.3, sglang-0.4, trtllm-1.0"},
    {FRACTION("prefix_share", assay_job_serve_t, prefix_share), .flag = "prefix-share",
     .help = "share of a prompt that other requests have too"},
    {COUNT("models_per_host", assay_job_serve_t, models_per_host, 1, 1024),
     .flag = "models-per-host", .help = "models of this kind on the devices of one host"},
    {COUNT("max_model_len", assay_job_serve_t, max_model_len, 1, 1e8), .flag = "max-model-len",
     .help = "longest sequence, prompt and answer; without it that of the model"},
    {COUNT("max_batch_tokens", assay_job_serve_t, max_batch_tokens, 1, 1e8),
     .flag = "max-batch-tokens", .help = "tokens of one step; without it as the engine does"},
    {COUNT("max_num_seqs", assay_job_serve_t, max_num_seqs, 1, 1e6), .flag = "max-num-seqs",
     .help = "sequences of one step; without it as the engine does"},
    {NUMBER("gpu_memory_utilization", assay_job_serve_t, gpu_memory_utilization, FRACTION, 1, 0.01,
            1),
     .flag = "gpu-memory-utilization", .help = "share of the memory that the engine may use"},
    {BOOL("chunked_prefill", assay_job_serve_t, chunked_prefill), .flag = "chunked-prefill",
     .help = "prompts are worked on in pieces"},
    {BOOL("eager", assay_job_serve_t, eager), .flag = "eager", .help = "no captured graphs"},
    {COUNT("block_tokens", assay_job_serve_t, block_tokens, 1, 65536), .flag = "block-tokens",
     .help = "tokens of one block of the cache; without it as the engine does"},
    {COUNT("kv_blocks", assay_job_serve_t, kv_blocks, 0, 1e12), .flag = "kv-blocks",
     .help = "blocks of the cache that the engine reports, instead of the prediction"},
    {NUMBER("kv_memory", assay_job_serve_t, kv_memory_bytes, BYTES, 0, 0, 1e15),
     .flag = "kv-memory", .help = "memory for the cache of one device that the engine reports"},
};
static const assay_schema_t serve_schema = SCHEMA(
    "serve", assay_job_serve_t, serve_field, offsetof(assay_job_serve_t, present), check_serve);

static const assay_field_t workload_field[] = {
    {STRUCT("train", assay_job_workload_t, train, train_schema),
     .help = "train a model from scratch"},
    {STRUCT("finetune", assay_job_workload_t, finetune, finetune_schema),
     .help = "train a model further, or adapters to it"},
    {STRUCT("serve", assay_job_workload_t, serve, serve_schema), .help = "answer requests"},
    {LATER("image", "remove it: this version has train, finetune and serve")},
};
static const assay_schema_t workload_schema =
    SCHEMA("workload", assay_job_workload_t, workload_field,
           offsetof(assay_job_workload_t, present), check_workload);

static const char *const network_kinds[] = {"ib",  "roce", "slingshot", "ethernet",
                                            "efa", "opa",  NULL};
static const assay_field_t network_field[] = {
    {STRING("kind", assay_job_network_t, kind), .choices = network_kinds, .flag = "network",
     .help = "network between the nodes"},
    {NUMBER("gbit_s", assay_job_network_t, bits_per_s, BITS_PER_S, 1e9, 1e6, 1e14),
     .flag = "gbit-s", .help = "rate of one NIC, one direction, in Gbit/s"},
    {COUNT("nics", assay_job_network_t, nics, 1, 1024), .flag = "nics", .help = "NICs of one node"},
};
static const assay_schema_t network_schema = SCHEMA("network", assay_job_network_t, network_field,
                                                    offsetof(assay_job_network_t, present), NULL);

static const char *const recompute_names[] = {"none", "selective", "full", NULL};
static const assay_field_t layout_field[] = {
    {COUNT("tp", assay_job_layout_t, tp, 1, 4096), .flag = "tp", .help = "tensor parallel degree"},
    {COUNT("pp", assay_job_layout_t, pp, 1, 4096), .flag = "pp", .help = "pipeline stages"},
    {COUNT("vpp", assay_job_layout_t, vpp, 1, 4096), .flag = "vpp",
     .help = "pieces of a stage (interleaved pipeline); 1 = plain"},
    {COUNT("dp", assay_job_layout_t, dp, 1, 1e7), .flag = "dp", .help = "data parallel degree"},
    {COUNT("ep", assay_job_layout_t, ep, 1, 4096), .flag = "ep",
     .help = "devices that share out the experts of a layer"},
    {COUNT("micro_batch", assay_job_layout_t, micro_batch, 1, 1e6), .flag = "micro-batch",
     .help = "sequences a device works on at once"},
    {COUNT("zero", assay_job_layout_t, zero, 0, 3), .flag = "zero",
     .help = "ZeRO stage: what data parallel devices share out"},
    {CHOICE("recompute", assay_job_layout_t, recompute, recompute_names), .flag = "recompute",
     .help = "activations that are computed again in the backward pass"},
    {BOOL("sequence_parallel", assay_job_layout_t, sequence_parallel), .flag = "sequence-parallel",
     .help = "share out norms along the sequence as well"},
};
static const assay_schema_t layout_schema =
    SCHEMA("layout", assay_job_layout_t, layout_field, offsetof(assay_job_layout_t, present), NULL);

static const assay_field_t candidate_field[] = {
    {STRING("system", assay_job_candidate_t, system),
     .help = "catalog id of a server to own or a node to rent; memory takes 4x PART as well"},
    {STRING("id", assay_job_candidate_t, id),
     .help = "name in the answer; without it the system's"},
    {COUNT("nodes", assay_job_candidate_t, nodes, 1, 1e6), .default_text = "1", .flag = "nodes",
     .help = "number of nodes"},
    {COUNT("devices", assay_job_candidate_t, devices, 1, 1e7), .flag = "devices",
     .help = "devices in use, for memory alone; without it all that the nodes have"},
    {MONEY("buy_usd", assay_job_candidate_t, buy_usd), .help = "purchase price of one node in USD"},
    {NUMBER("usd_per_h", assay_job_candidate_t, usd_per_h, MONEY_PER_HOUR, 1, 0, 1e6),
     .help = "rent of one node in USD/h; not together with buy_usd"},
    {NUMBER("node_power_w", assay_job_candidate_t, node_power_w, POWER, 1, 1, 1e7),
     .help = "nameplate power of one node in W"},
    {NUMBER("nodes_per_rack", assay_job_candidate_t, nodes_per_rack, NUMBER, 1, 1e-2, 1e3),
     .help = "nodes in one rack"},
    {MONEY("retrofit_usd_per_rack", assay_job_candidate_t, retrofit_usd_per_rack),
     .help = "cooling and feeds that a rack needs for it, in USD"},
    {BOOL("needs_migration", assay_job_candidate_t, needs_migration),
     .help = "the code must move to it; without it: the vendor is not the one of migration.from"},
    {STRUCT("network", assay_job_candidate_t, network, network_schema),
     .help = "network between its nodes; without it the catalog's"},
    {STRUCT("layout", assay_job_candidate_t, layout, layout_schema),
     .help = "values that are pinned; the search chooses the others"},
};
static const assay_schema_t candidate_schema =
    SCHEMA("candidates", assay_job_candidate_t, candidate_field, NO_PRESENT, check_candidate);

static const char *const currency_names[] = {"USD", NULL};
static const char *const formula_names[] = {"cash_flow", "article", NULL};
static const assay_field_t money_field[] = {
    {STRING("currency", assay_job_money_t, currency), .choices = currency_names,
     .default_text = "USD", .help = "currency of all amounts"},
    {NUMBER("years", assay_job_money_t, years, NUMBER, 1, 0.1, 50), .flag = "years",
     .help = "years that are counted"},
    {FRACTION("discount_rate", assay_job_money_t, discount_rate), .flag = "discount-rate",
     .help = "cost of money a year"},
    {NUMBER("electricity_usd_kwh", assay_job_money_t, electricity_usd_kwh, MONEY_PER_KWH, 1, 0, 10),
     .flag = "electricity", .help = "price of electricity in USD/kWh"},
    {NUMBER("pue", assay_job_money_t, pue, NUMBER, 1, 1, 5), .flag = "pue",
     .help = "power of the whole site over power of the machines"},
    {NUMBER("utilisation", assay_job_money_t, utilisation, FRACTION, 1, 1e-3, 1),
     .flag = "utilisation", .help = "share of the hours in which owned machines do work"},
    {FRACTION("residual", assay_job_money_t, residual), .flag = "residual",
     .help = "share of the purchase price that is left at the end"},
    {FRACTION("contingency", assay_job_money_t, contingency), .flag = "contingency",
     .help = "reserve on top of the cost of the move"},
    {MONEY("ops_usd_per_year", assay_job_money_t, ops_usd_per_year), .flag = "ops-usd-per-year",
     .help = "staff and upkeep of the cluster in USD a year"},
    {CHOICE("tco_formula", assay_job_money_t, tco_formula, formula_names),
     .default_text = "cash_flow", .flag = "tco-formula",
     .help = "cash_flow: pay for machines at the start; article: as its formula prints it"},
};
static const assay_schema_t money_schema =
    SCHEMA("money", assay_job_money_t, money_field, offsetof(assay_job_money_t, present), NULL);

/* The three levels lie side by side in the migration; `levels` reads them in place. */
#define LEVEL(name, member)                                                                   \
    .key = (name), .kind = ASSAY_FIELD_NUMBER, .dim = ASSAY_DIM_LABOUR, .min = 0, .max = 1e6, \
    .offset =                                                                                 \
        offsetof(assay_job_migration_t, member) - offsetof(assay_job_migration_t, level1_days)
static const assay_field_t level_field[] = {
    {LEVEL("1", level1_days), .flag = "level1", .help = "replace interfaces"},
    {LEVEL("2", level2_days), .flag = "level2", .help = "optimise kernels"},
    {LEVEL("3", level3_days), .flag = "level3", .help = "libraries, profilers, communication"},
};
static const assay_schema_t level_schema = {
    .name = "levels",
    .field = level_field,
    .n_field = COUNT_OF(level_field),
    .size = offsetof(assay_job_migration_t, level3_days) + sizeof(assay_number_t) -
            offsetof(assay_job_migration_t, level1_days),
    .present = NO_PRESENT,
};

static const char *const platform_names[] = {"cuda", "hip", NULL};
static const assay_field_t migration_field[] = {
    {STRING("from", assay_job_migration_t, from), .choices = platform_names,
     .help = "what the code is written for; without it cuda"},
    {STRING("to", assay_job_migration_t, to), .choices = platform_names,
     .help = "what it moves to where a candidate needs that"},
    {STRUCT("levels", assay_job_migration_t, level1_days, level_schema),
     .help = "work of the move by level"},
    {NUMBER("labour_usd_per_week", assay_job_migration_t, labour_usd_per_week, MONEY_PER_WEEK, 1, 0,
            1e6),
     .flag = "labour-usd-per-week", .help = "cost of one engineer in USD a week"},
    {NUMBER("training_h_per_engineer", assay_job_migration_t, training_h_per_engineer, NUMBER, 1, 0,
            1e4),
     .flag = "training-h", .help = "hours of training for each engineer"},
    {COUNT("engineers", assay_job_migration_t, engineers, 0, 1e5), .flag = "engineers",
     .help = "engineers who are trained"},
    {NUMBER("debt_days_per_year", assay_job_migration_t, debt_days_per_year, LABOUR, 1, 0, 1e5),
     .flag = "debt-days", .help = "person-days a year that staying behind the ecosystem costs"},
    {FRACTION("hip_fit", assay_job_migration_t, hip_fit), .flag = "hip-fit",
     .help = "share of the device-facing code that is ready for ROCm"},
    {FRACTION("cuda_only_share", assay_job_migration_t, cuda_only_share), .flag = "cuda-only-share",
     .help = "share of the features without any ROCm form"},
    {STRING("scan", assay_job_migration_t, scan), .flag = "scan",
     .help = "result of a scan (JSON) that gives levels, fit and share"},
};
static const assay_schema_t migration_schema =
    SCHEMA("migration", assay_job_migration_t, migration_field,
           offsetof(assay_job_migration_t, present), NULL);

static const assay_field_t team_field[] = {
    {COUNT("rocm_debuggers", assay_job_team_t, rocm_debuggers, 0, 1e6), .flag = "rocm-debuggers",
     .help = "people who know ROCm debugging"},
    {MONEY("hardware_budget_usd", assay_job_team_t, hardware_budget_usd), .flag = "hardware-budget",
     .help = "what may be spent on machines in USD"},
    {BOOL("hip_ci", assay_job_team_t, hip_ci), .flag = "hip-ci", .help = "CI checks the HIP build"},
    {BOOL("notebook_prototyping", assay_job_team_t, notebook_prototyping),
     .flag = "notebook-prototyping", .help = "the work is research in notebooks"},
    {STRINGS("needs", assay_job_team_t, needs, MAX_NEEDS), .flag = "needs",
     .help = "what the work cannot do without, such as tensorrt"},
};
static const assay_schema_t team_schema =
    SCHEMA("team", assay_job_team_t, team_field, offsetof(assay_job_team_t, present), NULL);

static const assay_field_t data_field[] = {
    {NUMBER("raw_bytes", assay_job_data_t, raw_bytes, BYTES, 1, 0, 1e21), .flag = "raw-bytes",
     .help = "raw data that the training set is made from"},
};
static const assay_schema_t data_schema =
    SCHEMA("data", assay_job_data_t, data_field, offsetof(assay_job_data_t, present), NULL);

static const assay_field_t analysis_field[] = {
    {COUNT("samples", assay_job_analysis_t, samples, 1, 1e7), .default_text = "4096",
     .flag = "samples", .help = "draws of the uncertain inputs"},
    {COUNT("seed", assay_job_analysis_t, seed, 0, 9007199254740991.0), .default_text = "1",
     .flag = "seed", .help = "seed of the draws; the same seed gives the same answer"},
};
static const assay_schema_t analysis_schema =
    SCHEMA("analysis", assay_job_analysis_t, analysis_field,
           offsetof(assay_job_analysis_t, present), NULL);

static const assay_field_t job_field[] = {
    {NUMBER("assay", assay_job_t, version, NUMBER, 1, 1, 1), .default_text = "1",
     .help = "version of the job format"},
    {STRING("name", assay_job_t, name), .flag = "name", .help = "title of the answer"},
    {STRING("prices", assay_job_t, prices), .default_text = "catalog", .flag = "prices",
     .help = "catalog, or a claim set such as seed-a, whose prices are used where it has one"},
    {STRINGS("claims", assay_job_t, claims, MAX_CLAIM_SETS), .flag = "claims",
     .help = "claim sets that are held against the catalog, such as seed-a"},
    {STRUCT("workload", assay_job_t, workload, workload_schema), .required = true,
     .help = "the work, one kind"},
    {.key = "candidates",
     .kind = ASSAY_FIELD_LIST,
     .min = 1,
     .max = MAX_CANDIDATES,
     .offset = offsetof(assay_job_t, candidates),
     .flag = "on",
     .flag_alias = "candidates",
     .help = "machines that are compared; as a flag: comma list of systems",
     .sub = &candidate_schema},
    {STRING("topology", assay_job_t, topology), .flag = "topology",
     .help = "how a node is wired, as assay topo --json says; as a flag a snapshot or folder too"},
    {STRUCT("money", assay_job_t, money, money_schema), .help = "how money is counted"},
    {STRUCT("migration", assay_job_t, migration, migration_schema),
     .help = "moving the code to another platform"},
    {STRUCT("team", assay_job_t, team, team_schema), .help = "facts that the rules ask about"},
    {STRUCT("data", assay_job_t, data, data_schema), .help = "the data behind the work"},
    {STRUCT("analysis", assay_job_t, analysis, analysis_schema),
     .help = "how uncertainty is sampled"},
};
const assay_schema_t assay_job_schema = SCHEMA("job", assay_job_t, job_field, NO_PRESENT, NULL);
