/**
 * One step of a serving engine in closed form: prefill chunks and decoding sequences in one batch,
 * on the devices of one replica. Pure; no allocation; no errors: resolve and score refuse what it
 * does not cover.
 *
 * A step is as long as its operations:
 *   linear   per layer max(weights that are touched / memory rate, 2 parameters x tokens / rate),
 *            and a share of the shorter one that does not overlap; experts that no token visits are
 *            not read: E (1 - (1 - K/E)^tokens) of E are touched under uniform routing
 *   stream   norms, rotary, activations, residuals, and tokens on their way to experts and back,
 *            pass through memory; so does the state of linear attention, once in and once out
 *   decode   attention reads the keys and values of every sequence, or computes with them for
 *            longer than that (absorbed MLA does: all heads share one latent)
 *   prefill  attention computes tokens x context, in windows tokens x window
 *   comm     two all-reduces a layer over the tensor-parallel ranks; hidden states from stage to
 *            stage
 *   host     launches per layer, and work per sequence (sampling, scheduling, detokenising);
 *            without captured graphs a step is no shorter than its kernels take to be issued
 *
 * Experts on ranks of their own (ep > 1) wait for the busiest: its load is `imbalance` times the
 * mean.
 *
 * For a given composition the time is affine in the sum of the contexts of the decoding sequences,
 * so that the sum over many steps has a closed form; the simulator rests on that.
 *
 * Source: roofline per operation as in LLM-Viewer (arXiv 2402.16363) and aiconfigurator; distinct
 * experts from the birthday bound; KV traffic of paged attention from vllm-project/vllm v0.6
 * csrc/attention. Test: tests/unit/test_serve_step.c. Thread-safe: yes.
 */
#ifndef ASSAY_SERVE_STEP_H
#define ASSAY_SERVE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/machine.h"
#include "assay/model_ops.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How an engine deviates from the device's peaks: rows serve_* of data/calibration.csv. */
typedef struct {
    double gemm;             /* share of dense peak */
    double expert;           /* share of that which grouped GEMMs of experts reach */
    double weight_stream;    /* rate at which weights stream, over the device's calibrated rate */
    double kv_stream;        /* the same for keys and values while decoding */
    double head_stream;      /* share of peak where the kernel reads KV once per query head */
    double layer_s;          /* launches and host, per layer and step */
    double moe_layer_s;      /* more of it, per layer with experts */
    double sequence_s;       /* host, per decoding sequence and step */
    double reduce_s;         /* latency of one small all-reduce */
    double rel_p10, rel_p90; /* interval of (true time)/(predicted time) */
    uint8_t basis;           /* worst of those that set the step time */
} assay_serve_constants_t;

/** As assay_resolve_engine has put them into the device. */
void assay_serve_constants(const assay_device_t *device, assay_dtype_t dtype,
                           assay_serve_constants_t *out);

/* What is served and how, on one replica. */
typedef struct {
    assay_model_t model;
    assay_dtype_t dtype;   /* of the GEMMs */
    double weight_bytes;   /* of one parameter in the layers; embedding and head stay in 2 bytes */
    bool wide_attention;   /* attention's matrices stay in 16 bit, and are multiplied in it */
    double kv_bytes;       /* of one key or value element */
    uint32_t tp, pp, ep;   /* ranks; ep divides experts over tp x dp ranks, 1: experts follow tp */
    bool attention_on_one; /* ranks share out matrices only: keys, values, norms are on the first */
    bool attention_dp;     /* only experts are divided: each rank serves its own sequences */
    double imbalance;      /* load of the busiest of ep ranks over the mean; 0 is 1 */
    double issue_s;        /* host time of one kernel without captured graphs; 0: captured */
    bool same_routing; /* all tokens of a step visit the same experts: equal prompts, dummy weights
                        */
    double head_stream_above; /* sequences x query heads per device above which the engine's decode
                                 kernel reads KV once per query head; 0: never */
} assay_serve_setup_t;

typedef enum {
    ASSAY_SERVE_LINEAR,
    ASSAY_SERVE_STREAM,
    ASSAY_SERVE_DECODE_ATTENTION,
    ASSAY_SERVE_PREFILL_ATTENTION,
    ASSAY_SERVE_COMM,
    ASSAY_SERVE_HOST,
    ASSAY_SERVE_PART_N
} assay_serve_part_t;
const char *assay_serve_part_name(assay_serve_part_t part);

/* Linear operations that run one after the other, over all layers, per device. */
typedef struct {
    double bytes;        /* of weights that every step reads */
    double expert_bytes; /* of all routed experts */
    double flops;        /* per token */
    double expert_flops; /* the same, of grouped GEMMs */
    double experts;      /* 0: dense, or all are read */
    double ln_missed;    /* of the share of experts that one token does not visit */
    double imbalance;    /* of what expert_* is the mean of, on the busiest rank */
} assay_serve_linear_t;
#define ASSAY_SERVE_LINEAR_MAX 4

/* Keys and values of layers that are alike. */
typedef struct {
    double read_s, head_read_s; /* per token of context: read once, or once per query head */
    double compute_s;           /* per token of context */
    double pair_s;              /* prefill: per (token, earlier token) */
    double window;              /* tokens; 0: all */
} assay_serve_kv_t;

/* All of a setup that does not change from step to step. */
typedef struct {
    assay_serve_linear_t linear[ASSAY_SERVE_LINEAR_MAX];
    assay_serve_kv_t kv[ASSAY_LAYER_KIND_MAX];
    uint32_t n_linear, n_kv;
    double weight_bytes_per_s, flops_per_s, expert_share, serial;
    double head_bytes, head_flops, head_flops_per_s; /* LM head, on sampled rows */
    double query_heads, head_stream_above;
    double stream_s_per_token;
    double state_s;              /* of linear attention, per decoding sequence */
    double attention_s_per_pair; /* prefill, per (token, earlier token), layers without a window */
    double layers, moe_layers;
    double reduces; /* small all-reduces; 0 on one rank */
    double reduce_s, comm_s_per_token;
    double hop_s;   /* latency from stage to stage, of all hops */
    double issue_s; /* to issue all kernels of a step one by one; 0: captured */
    double layer_s, sequence_s;
    double weight_bytes;       /* of all weights on one device */
    double kv_bytes_per_token; /* on one device, a token that no window has left behind */
    double pipeline;           /* stages */
    double schedulers;         /* that share the sequences: ranks that attend to their own */
} assay_serve_step_t;

/**
 * machine: one replica's devices (tp x pp). Every constant but head_stream_above only scales parts
 * of the result, so that assay_serve_scale of a step prepared with assay_serve_unit() is the same.
 */
void assay_serve_prepare(const assay_machine_t *machine, const assay_serve_setup_t *setup,
                         const assay_serve_constants_t *constants, assay_serve_step_t *out);

/** Constants of a device and engine that reach every calibrated rate and cost nothing else: 1, 0 s.
 */
assay_serve_constants_t assay_serve_unit(void);
/** The step with other constants than those of assay_serve_unit(), with which it was prepared. */
void assay_serve_scale(const assay_serve_step_t *unit, const assay_serve_constants_t *constants,
                       assay_serve_step_t *out);

/* What one step holds. */
typedef struct {
    double prefill_tokens; /* of all chunks */
    double prefill_pairs;  /* sum over chunks of tokens x (context before + half the chunk) */
    double sampled;        /* chunks that end a prompt */
    double decode;         /* sequences */
    double decode_context; /* sum of their contexts, tokens */
} assay_serve_batch_t;

/** Seconds of one step; part_s may be NULL, else its parts, which sum to the step. */
double assay_serve_step_s(const assay_serve_step_t *step, const assay_serve_batch_t *batch,
                          double part_s[ASSAY_SERVE_PART_N]);

/* ---- steady states ---- */

/**
 * Mean tokens that a step of a sequence gives, (1 - r^(g+1)) / (1 - r) for g proposed ones that are
 * accepted with probability r (Leviathan et al., arXiv 2211.17192, eq. 1).
 */
double assay_serve_draft_gain(const assay_serve_draft_t *draft);

/* Requests that are alike: means of input and output length. */
typedef struct {
    double input_tokens, output_tokens;
    double cached_tokens; /* of the input, found in the cache; all requests share one copy */
    double token_budget;  /* prefill tokens of one step */
    double kv_tokens;     /* capacity of the KV cache of one replica */
    bool reserves_whole;  /* a sequence takes room for all its tokens when it starts */
    assay_serve_draft_t draft;
} assay_serve_load_t;

/** Sequences that run at the same time when `wanted` are there: the KV cache may hold fewer. */
double assay_serve_concurrency(const assay_serve_load_t *load, double wanted);
/** Seconds between two tokens of each of n sequences midway through their outputs. */
double assay_serve_decode_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                            double n);
/** Seconds of the prefill of n prompts alone, in chunks of the token budget. */
double assay_serve_prefill_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                             double n);
/** n prompts start together and all are decoded to their end; seconds until the last token. */
double assay_serve_static_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                            double n);
/**
 * `requests` that are alike are there at once and at most n of them run together: they go in waves,
 * the last of which may be smaller. Seconds until the last token.
 */
double assay_serve_offline_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                             double requests, double n);
/** Requests/s when n are always there (a closed loop, or n = the engine's limit: saturation). */
double assay_serve_closed_loop_per_s(const assay_serve_step_t *step, const assay_serve_load_t *load,
                                     double n);

#ifdef __cplusplus
}
#endif
#endif
