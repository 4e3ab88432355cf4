/* Keys of serving. */
#include "job/job_schema.h"

static assay_status_t check_serve(const void *value, const assay_node_t *node, assay_error_t *err) {
    (void)node;
    const assay_job_serve_t *serve = value;
    const assay_status_t status =
        assay_job_refuse_both("rate", &serve->rate_per_s, "concurrency", &serve->concurrency, err);
    return status ? status
                  : assay_job_refuse_both("kv_blocks", &serve->kv_blocks, "kv_memory",
                                          &serve->kv_memory_bytes, err);
}

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

static const assay_field_t speculation_field[] = {
    {COUNT("tokens", assay_job_speculation_t, tokens, 1, 32), .required = true,
     .help = "tokens that a draft proposes for each step"},
    {FRACTION("acceptance", assay_job_speculation_t, acceptance), .required = true,
     .help = "share of them that is accepted when those before are"},
    {FRACTION("draft_share", assay_job_speculation_t, draft_share), .required = true,
     .help = "time of a step of the draft over one of the model; of a layer of MTP: 1 over layers"},
};
static const assay_schema_t speculation_schema =
    SCHEMA("speculation", assay_job_speculation_t, speculation_field,
           offsetof(assay_job_speculation_t, present), NULL);

#define MAX_FORMATS 4
#define NODE(name, member) \
    .key = (name), .kind = ASSAY_FIELD_NODE, .offset = offsetof(assay_job_serve_t, member)
static const assay_field_t serve_field[] = {
    {NODE("model", model), .required = true,
     .help = "catalog id, path of a config.json, a GGUF file or a folder with weights, or a shape"},
    {NODE("input_tokens", input_tokens), .flag = "input-tokens",
     .help = "tokens of a prompt: a number, {mean, cv, max}, {median, sigma, max}, {low, high}, or "
             "a file of lengths"},
    {NODE("output_tokens", output_tokens), .flag = "output-tokens",
     .help = "tokens of an answer: as of a prompt"},
    {NUMBER("rate", assay_job_serve_t, rate_per_s, NUMBER, 1, 1e-6, 1e9), .flag = "rate",
     .help = "requests a second"},
    {COUNT("concurrency", assay_job_serve_t, concurrency, 1, 1e7), .flag = "concurrency",
     .help = "requests at the same time; not together with rate"},
    {STRUCT("slo", assay_job_serve_t, slo, slo_schema), .help = "what users may have to wait"},
    {STRUCT("traffic", assay_job_serve_t, traffic, assay_job_traffic_schema),
     .help = "how requests come, and what goes wrong, where they are simulated"},
    {STRINGS("precision", assay_job_serve_t, precision, MAX_FORMATS),
     .help = "number format of the weights, or several to choose from; without it that of the "
             "checkpoint"},
    {STRINGS("kv_precision", assay_job_serve_t, kv_precision, MAX_FORMATS), .flag = "kv-precision",
     .help = "number format of keys and values, or several; without it that of the activations"},
    {STRING("engine", assay_job_serve_t, engine), .flag = "engine",
     .help = "what serves it, with its version: vllm-0.6.3, sglang-0.4, trtllm-1.0"},
    {FRACTION("prefix_share", assay_job_serve_t, prefix_share), .flag = "prefix-share",
     .help = "share of a prompt that other requests have too"},
    {COUNT("models_per_host", assay_job_serve_t, models_per_host, 1, 1024),
     .flag = "models-per-host",
     .help = "models of this kind on the devices of one host, each with the demand"},
    {NUMBER("expert_imbalance", assay_job_serve_t, expert_imbalance, NUMBER, 1, 1, 1000),
     .help = "load of the busiest of devices that share experts, over the mean"},
    {STRUCT("speculation", assay_job_serve_t, speculation, speculation_schema),
     .help = "a draft proposes tokens, one step of the model verifies them"},
    {BOOL("disaggregate", assay_job_serve_t, disaggregate),
     .help = "prompts may have replicas of their own; without it where the engine can"},
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
const assay_schema_t assay_job_serve_schema = SCHEMA(
    "serve", assay_job_serve_t, serve_field, offsetof(assay_job_serve_t, present), check_serve);
