/* Keys of training and fine-tuning. */
#include "job/job_schema.h"

static assay_status_t check_train(const void *value, const assay_node_t *node, assay_error_t *err) {
    (void)node;
    const assay_job_train_t *train = value;
    const assay_status_t status = assay_job_refuse_both(
        "dataset_tokens", &train->dataset_tokens, "dataset_samples", &train->dataset_samples, err);
    return status ? status
                  : assay_job_refuse_both("global_batch", &train->global_batch,
                                          "global_batch_tokens", &train->global_batch_tokens, err);
}

static const char *const optimizer_names[] = {"adam", "adam8bit", "paged", "adafactor", "muon",
                                              "sgd",  "momentum", "lamb",  NULL};
static const char *const dispatch_names[] = {"alltoall", "deepep", NULL};
static const char *const latents_names[] = {"computed", "cached", NULL};
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
        {COUNT("dataset_samples", assay_job_train_t, dataset_samples, 1, 1e15),                    \
         .flag = "dataset-samples",                                                                \
         .help = "the same in images or sequences; give one of the two"},                          \
        {NUMBER("epochs", assay_job_train_t, epochs, NUMBER, 1, 1e-3, 1e6), .default_text = "1",   \
         .flag = "epochs", .help = "passes over the data"},                                        \
        {COUNT("sequence", assay_job_train_t, sequence, 1, 1e8), .flag = "sequence",               \
         .help = "tokens of one sequence"},                                                        \
        {COUNT("image_size", assay_job_train_t, image_size, 1, 65536), .flag = "image-size",       \
         .help = "networks on images: pixels of a side"},                                          \
        {CHOICE("latents", assay_job_train_t, latents, latents_names), .flag = "latents",          \
         .help = "what frozen encoders say of text and image: each step, or kept before the run"}, \
        {COUNT("global_batch", assay_job_train_t, global_batch, 1, 1e9), .flag = "global-batch",   \
         .help = "sequences, or images, of one optimizer step, over all devices"},                 \
        {COUNT("global_batch_tokens", assay_job_train_t, global_batch_tokens, 1, 1e13),            \
         .flag = "global-batch-tokens", .help = "the same in tokens; give one of the two"},        \
        {NUMBER("bucket", assay_job_train_t, bucket_bytes, BYTES, 1, 1e3, 1e12), .flag = "bucket", \
         .help = "gradients that are sent at once (DDP's bucket_cap_mb); each waits its latency"}, \
        {COUNT("sample_tokens", assay_job_train_t, sample_tokens, 1, 1e8),                         \
         .flag = "sample-tokens",                                                                  \
         .help = "packed sequences: tokens of a sample, mean over tokens; it attends to itself"},  \
        {NUMBER("expert_imbalance", assay_job_train_t, expert_imbalance, NUMBER, 1, 1, 1e4),       \
         .flag = "expert-imbalance",                                                               \
         .help = "tokens of the busiest device's experts over an even share"},                     \
        {CHOICE("expert_dispatch", assay_job_train_t, expert_dispatch, dispatch_names),            \
         .flag = "expert-dispatch",                                                                \
         .help = "how tokens reach experts: a copy for each, or once for each node (DeepEP)"},     \
        {BOOL("expert_overlap", assay_job_train_t, expert_overlap), .flag = "expert-overlap",      \
         .help = "tokens travel to experts while another micro-batch computes"},                   \
        {STRING("precision", assay_job_train_t, precision), .default_text = "bf16",                \
         .flag = "precision",                                                                      \
         .help =                                                                                   \
             "number format of the matrix products: bf16, fp16, fp8, fp8-ocp, mxfp4, nvfp4 ..."},  \
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
        {BOOL("offload_activations", assay_job_train_t, offload_activations),                      \
         .flag = "offload-activations",                                                            \
         .help = "what is kept for the backward pass waits in the memory of the host"},            \
        {CHOICE("loss", assay_job_train_t, loss, loss_names), .flag = "loss",                      \
         .help = "how logits and their gradient are kept"},                                        \
        {BOOL("fused_attention", assay_job_train_t, fused_attention), .flag = "fused-attention",   \
         .help = "the attention kernel keeps no scores (FlashAttention and its like)"},
static const assay_field_t train_field[] = {TRAIN_ROWS};
const assay_schema_t assay_job_train_schema = SCHEMA(
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
const assay_schema_t assay_job_finetune_schema =
    SCHEMA("finetune", assay_job_train_t, finetune_field, offsetof(assay_job_train_t, present),
           check_train);
