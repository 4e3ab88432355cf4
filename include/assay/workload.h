/** Resolved work: what one step computes and how much of it there is. Const after resolve. */
#ifndef ASSAY_WORKLOAD_H
#define ASSAY_WORKLOAD_H

#include "assay/catalog.h"
#include "assay/dist.h"
#include "assay/job.h" /* how a run keeps its state */
#include "assay/model_ops.h"
#include "assay/request_trace.h"
#include "assay/train_net.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a run keeps what it trains. All zero: Megatron's mixed-precision Adam on every weight. */
typedef struct {
    uint8_t optimizer, offload, loss, method; /* assay_optimizer_t ... assay_method_t */
    double operand_bytes; /* of an element that a GEMM reads, with its share of the scales of a
                             number format (mxfp8); 0: that of the plain type */
    const char *format;   /* the number format by its name ("mxfp8"); NULL: the plain type */
    const char *software; /* whose measured constants speak ("megatron"); NULL: nobody's */
    bool no_master;       /* no fp32 copy of narrower weights */
    bool bf16_gradients;  /* kept in 16 bit, else in fp32 */
    bool bf16_moments;
    bool bf16_reduce;      /* sent in 16 bit, however they are kept */
    bool host_activations; /* what is kept for backward waits in the memory of the host */
    bool recompute_stops;  /* full recompute ends at what backward needs: a layer's last GEMM is not
                              repeated (torch.utils.checkpoint without reentry) */
    uint32_t recompute_layers; /* that full recompute repeats (Megatron's block method); 0: all */
    double bucket_bytes;       /* of gradients that are sent at once; 0 = as the framework has it */
    double load_bytes_each, wrap_bytes_each; /* of each parameter of the whole model, on each device
                                                while it loads and wraps; 0 = its share alone */
    uint32_t lora_rank;
    bool lora_attention, lora_mlp; /* matrices with an adapter */
} assay_recipe_t;

typedef struct {
    assay_model_t model;
    assay_model_count_t count;
    assay_recipe_t recipe;
    /* Instead of a decoder: a network that is trained as a whole. model is then as many layers as
       it has blocks, all alike and not to be cut, and its samples take the place of tokens:
       sequence is 1. */
    assay_train_net_t net;
    uint32_t sequence;      /* tokens */
    uint32_t global_batch;  /* sequences a step */
    assay_dtype_t dtype;    /* of the GEMMs */
    bool unfused_attention; /* scores go through memory: software without a fused kernel */
    double sample;          /* packed samples: tokens of one, weighted by tokens; 0 = not packed */
    double expert_overload; /* tokens of the busiest device's experts over an even share, - 1 */
    bool expert_once; /* a token goes to a node once, whatever experts it visits there (DeepEP) */
    bool expert_overlap; /* traffic of experts hides behind another micro-batch */
    double tokens;       /* dataset tokens x epochs; 0 = one step is asked */
    double tokens_per_epoch, epochs;
    double deadline_s;                    /* 0 = none */
    double model_flops_per_token;         /* PaLM convention, full attention */
    double causal_flops_per_token;        /* causal attention; MFU uses it */
    double tuned_forward_flops_per_token; /* adapters: of the layers, causal */
} assay_workload_t;

/**
 * The work of training a network: its sizes, its recipe's optimizer, FLOPs; its model is the layers
 * of a decoder that has as many as the network has blocks. Batch and data are the caller's.
 */
void assay_train_workload(const assay_train_net_t *net, assay_workload_t *io);

/** What an engine does with memory; figures of data/engine_memory.csv for its version. */
typedef enum {
    ASSAY_BUDGET_TOTAL,  /* weights, activations and cache: a share of all memory (vLLM) */
    ASSAY_BUDGET_STATIC, /* weights and cache: a share of all memory (SGLang) */
    ASSAY_BUDGET_FREE    /* cache: a share of what weights and activations leave (TensorRT-LLM) */
} assay_budget_t;

/** How requests come, where they are simulated. */
typedef struct {
    assay_dist_t input, output;         /* tokens */
    const assay_request_trace_t *trace; /* instead of drawn ones; NULL: none */
    uint8_t arrival, router;            /* assay_arrival_t, assay_router_t */
    double cv;                          /* of gaps, gamma only */
    double prefix_share;
    uint32_t prefixes;
    bool prefix_caching, static_batches;
    double timeout_s;              /* 0 = nobody gives up */
    double loss_at_s, loss_back_s; /* of a replica; 0 = none is lost; it does not come back */
    uint32_t loss_replica;
} assay_serve_traffic_t;

/** Number formats of weights and of keys and values. */
typedef struct {
    const char *weights, *kv; /* as the job says */
    assay_checkpoint_t checkpoint;
    assay_dtype_t gemm_dtype;
    double kv_bytes_each;
} assay_serve_format_t;

/** Speculative decoding: a draft proposes tokens, one step of the model verifies them. */
typedef struct {
    double tokens;     /* proposed a step; 0: none */
    double acceptance; /* probability that a token is accepted when those before it are, 0..1 */
    double step_share; /* time of one step of the draft, over a decode step of the model */
} assay_serve_draft_t;

/** Resolved serving: what is held in memory, and for how many tokens. Const after resolve. */
typedef struct {
    assay_model_t model;
    assay_model_count_t count;
    assay_checkpoint_t checkpoint;
    assay_dtype_t dtype;                /* of activations */
    double kv_bytes_each;               /* of one element of the cache */
    double input_tokens, output_tokens; /* mean; 0 = not said */
    double concurrency;                 /* 0 = not said */
    assay_serve_traffic_t traffic;
    uint32_t max_model_len, max_batch_tokens, max_num_seqs, models_per_host;
    const char *engine;   /* "vllm 0.6.3" */
    uint8_t budget;       /* assay_budget_t */
    double utilisation;   /* the share it is of */
    double visible_share; /* of the memory on the label, what software can allocate */
    double context_bytes, graph_bytes;
    double sampler_bytes_per_logit;
    uint32_t block_tokens,
        expert_chunk_tokens; /* chunk: tokens of one pass of the experts; 0 = all */
    bool chunked_prefill, windows_cut, experts_over_dp;
    double kv_blocks, kv_memory_bytes; /* as the engine reports; below 0 = not said */
    /* what is asked of its speed */
    assay_dtype_t gemm_dtype;                            /* of the layers' GEMMs on this machine */
    double rate_per_s;                                   /* requests; 0 = not said */
    double ttft_p99_s, tpot_p99_s, itl_p99_s, e2e_p99_s; /* limits; 0 = none */
    double head_stream_above;                            /* of data/engines.csv, on this machine */
    bool reserves_whole, attention_on_one;               /* the same */
    double cached_tokens; /* of a prompt, that others have too and the cache holds */
    double
        expert_imbalance; /* load of the busiest of the ranks that share experts, over the mean */
    double issue_s;       /* host time of a kernel without captured graphs; 0: captured */
    assay_serve_draft_t draft;
    /* What the job allows, the first as in checkpoint, gemm_dtype and kv_bytes_each. */
    const assay_serve_format_t *format;
    uint32_t n_format;
    bool open_sequences, open_budget; /* max_num_seqs, max_batch_tokens: the job does not say */
    bool split;                       /* prompts may be worked on by replicas of their own */
    const char *constants;            /* row of data/engines.csv whose constants speak */
    bool open_nodes;                  /* the job does not say how many there are */
    double slower; /* steps take so many times as long as predicted: measured; 0: not measured */
} assay_serving_t;

#ifdef __cplusplus
}
#endif
#endif
