/**
 * What is asked: the job file (YAML, JSON) or the same keys as flags. This layer reads and checks
 * form only; what ids mean and which defaults the catalog gives is decided in resolve.
 */
#ifndef ASSAY_JOB_H
#define ASSAY_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/money_option.h"
#include "assay/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ASSAY_RECOMPUTE_NONE,
    ASSAY_RECOMPUTE_SELECTIVE,
    ASSAY_RECOMPUTE_FULL,
    ASSAY_RECOMPUTE_N
} assay_recompute_t;

/* How a run keeps what it trains; the words are in job_schema.c, in this order. 0 is the default.
 */
typedef enum {
    ASSAY_OPTIMIZER_ADAM,
    ASSAY_OPTIMIZER_ADAM8BIT,
    ASSAY_OPTIMIZER_PAGED, /* Adam whose moments may leave for the host */
    ASSAY_OPTIMIZER_ADAFACTOR,
    ASSAY_OPTIMIZER_MUON,
    ASSAY_OPTIMIZER_SGD,
    ASSAY_OPTIMIZER_MOMENTUM, /* SGD with one momentum */
    ASSAY_OPTIMIZER_LAMB,     /* Adam with a step for each layer */
    ASSAY_OPTIMIZER_N
} assay_optimizer_t;
typedef enum {
    ASSAY_OFFLOAD_NONE,
    ASSAY_OFFLOAD_OPTIMIZER,
    ASSAY_OFFLOAD_ALL, /* weights too */
    ASSAY_OFFLOAD_N
} assay_offload_t;
typedef enum {
    ASSAY_LOSS_FP32,     /* logits in fp32 and their gradient beside them */
    ASSAY_LOSS_IN_PLACE, /* the gradient takes the place of the fp32 copy: Megatron-LM */
    ASSAY_LOSS_FUSED,    /* logits and gradient in 16 bit: flash-attn's kernel */
    ASSAY_LOSS_CHUNKED,  /* an eighth of the tokens at a time: torchtune */
    ASSAY_LOSS_N
} assay_loss_t;
typedef enum {
    ASSAY_METHOD_FULL,
    ASSAY_METHOD_LORA,
    ASSAY_METHOD_QLORA,
    ASSAY_METHOD_N
} assay_method_t;

/* How the devices that share out a sequence get at the others' keys and values. */
typedef enum {
    ASSAY_CP_RING,       /* they go round */
    ASSAY_CP_ALL_TO_ALL, /* heads are shared out instead (Ulysses) */
    ASSAY_CP_COMM_N
} assay_cp_comm_t;

/* Order in which a pipeline works. */
typedef enum {
    ASSAY_SCHEDULE_1F1B,      /* one forward, one backward; interleaved where vpp > 1 */
    ASSAY_SCHEDULE_ZB_H1,     /* gradients of weights fill the bubble */
    ASSAY_SCHEDULE_ZB_H2,     /* and twice the activations are held to fill the rest */
    ASSAY_SCHEDULE_DUALPIPE,  /* from both ends at once: each device holds two stages */
    ASSAY_SCHEDULE_DUALPIPEV, /* there and back: each device holds both halves of its stage */
    ASSAY_SCHEDULE_N
} assay_schedule_t;

/** Layout values that the user pins; unknown = the search chooses. */
typedef struct {
    bool present;
    assay_number_t tp, pp, vpp, dp, cp, ep, etp, micro_batch, zero, shard;
    assay_choice_t recompute;         /* assay_recompute_t */
    assay_choice_t sequence_parallel; /* bool */
    assay_choice_t cp_comm;           /* assay_cp_comm_t */
    assay_choice_t schedule;          /* assay_schedule_t; ASSAY_SCHEDULE_N: any */
} assay_job_layout_t;

typedef struct {
    bool present;
    const assay_node_t *model; /* scalar: catalog id or path; mapping: inline shape */
    assay_number_t dataset_tokens, dataset_samples, epochs, sequence, global_batch,
        global_batch_tokens;
    assay_number_t image_size; /* pixels of a side */
    assay_choice_t latents;    /* 0 computed, 1 cached: what frozen encoders say */
    assay_number_t sample_tokens, expert_imbalance;
    assay_number_t bucket_bytes;
    assay_choice_t expert_dispatch; /* 0 alltoall, 1 deepep */
    assay_choice_t expert_overlap;  /* bool */
    assay_string_t precision;
    assay_number_t deadline_s;
    assay_string_t framework;                /* "accelerate-1.2": whose rules of memory apply */
    assay_choice_t optimizer, offload, loss; /* assay_optimizer_t, assay_offload_t, assay_loss_t */
    assay_choice_t master_weights, fused_attention, offload_activations; /* bool */
    assay_choice_t gradient_dtype, moment_dtype;                         /* 0 fp32, 1 bf16 */
    /* fine-tuning only */
    assay_choice_t method; /* assay_method_t */
    assay_number_t lora_rank;
    assay_list_t lora_targets; /* of assay_string_t: attention, mlp, q_proj ... */
} assay_job_train_t;

typedef struct {
    bool present;
    assay_number_t ttft_p99_s, tpot_p99_s, itl_p99_s, e2e_p99_s;
} assay_job_slo_t;

/* A replica stops, and may serve again. */
typedef struct {
    bool present;
    assay_number_t at_s, replica, back_s;
} assay_job_loss_t;

/* How requests come and what goes wrong; for "assay simulate". */
typedef struct {
    bool present;
    assay_string_t trace;   /* a file of times and lengths */
    assay_choice_t arrival; /* assay_arrival_t */
    assay_number_t cv;      /* of gaps */
    assay_choice_t router;  /* assay_router_t */
    assay_number_t prefixes, timeout_s;
    assay_choice_t prefix_caching, static_batches; /* bool */
    assay_job_loss_t loss;
} assay_job_traffic_t;

typedef struct {
    bool present;
    assay_number_t tokens, acceptance, draft_share;
} assay_job_speculation_t;

typedef struct {
    bool present;
    const assay_node_t *model; /* as of training */
    /* number, {mean, cv, max}, {median, sigma, max}, {low, high, max}, or a file */
    const assay_node_t *input_tokens, *output_tokens;
    assay_job_traffic_t traffic;
    assay_number_t rate_per_s, concurrency; /* one of the two */
    assay_job_slo_t slo;
    assay_list_t precision, kv_precision; /* of assay_string_t: of weights; of keys and values; the
                                             search takes one of several */
    assay_string_t engine;                /* "vllm-0.6.3" */
    assay_number_t prefix_share, models_per_host, expert_imbalance;
    assay_job_speculation_t speculation;
    assay_choice_t disaggregate; /* bool: prompts may be worked on by replicas of their own */
    assay_number_t max_model_len, max_batch_tokens, max_num_seqs, gpu_memory_utilization;
    assay_choice_t chunked_prefill, eager; /* bool */
    assay_number_t block_tokens;
    /* What the engine itself reports; each replaces its prediction. */
    assay_number_t kv_blocks, kv_memory_bytes;
} assay_job_serve_t;

typedef struct {
    bool present;
    assay_number_t latency_p99_s;
} assay_job_image_slo_t;

typedef struct {
    bool present;
    assay_string_t model; /* a pipeline or a network on images */
    assay_number_t width, height, steps;
    assay_choice_t guidance;                /* 0 none, 1 cfg */
    assay_number_t images;                  /* of one request */
    assay_number_t rate_per_s, concurrency; /* one of the two */
    assay_job_image_slo_t slo;
    assay_string_t precision, engine;
} assay_job_image_t;

/* One of the four is there. */
typedef struct {
    bool present;
    assay_job_train_t train, finetune;
    assay_job_serve_t serve;
    assay_job_image_t image;
} assay_job_workload_t;

typedef struct {
    bool present;
    assay_string_t kind;             /* ib, roce, slingshot, ethernet, efa, opa */
    assay_number_t bits_per_s, nics; /* of one NIC; per node */
} assay_job_network_t;

/** What was measured on a candidate; each replaces its prediction. */
typedef struct {
    bool present;
    assay_number_t step_s, node_w;
    assay_number_t tokens_per_s, tpot_s; /* of a replica that serves */
    assay_number_t request_s;            /* of images, on one device */
} assay_job_measured_t;

typedef struct {
    assay_string_t system; /* id of a server to own or a node to rent */
    assay_string_t id;     /* name in the output; unknown: resolve takes the system's id */
    assay_number_t nodes;
    assay_number_t devices;   /* in all; unknown: all that the nodes have */
    assay_number_t buy_usd;   /* per node; owned */
    assay_number_t usd_per_h; /* per node; rented. Exactly one of the two may be given */
    assay_number_t node_power_w, nodes_per_rack, retrofit_usd_per_rack;
    assay_number_t power_cap_w; /* of a package; below what it is built for */
    /* of one device, one direction; of a node */
    assay_number_t host_link_bytes_per_s, host_memory_bytes_per_s, host_bytes;
    assay_choice_t needs_migration; /* bool; default: vendor differs from migration.from's vendor */
    assay_job_network_t network;
    assay_string_t collectives; /* library: nccl, rccl, rccl-ib, openmpi-ucx */
    assay_job_layout_t layout;
    assay_choice_t pricing;   /* assay_pricing_t, rented */
    assay_number_t committed; /* share of the hours that is paid for in any case */
    assay_job_measured_t measured;
} assay_job_candidate_t;

typedef struct {
    assay_number_t share, load; /* share unknown: the utilisation */
} assay_job_load_t;

/* Loads over time as a file; see assay/load_file.h. */
typedef struct {
    bool present;
    assay_string_t path;
    assay_choice_t unit;  /* 0 percent, 1 fraction */
    assay_number_t full;  /* the amount that means all; instead of a unit */
    assay_list_t columns; /* of assay_string_t */
} assay_job_load_file_t;

typedef struct {
    bool present;
    assay_string_t currency;
    assay_number_t years, discount_rate, electricity_usd_kwh, pue, utilisation, residual,
        contingency;
    assay_number_t ops_usd_per_year; /* staff and upkeep of the cluster, A14's labour_t */
    /* 0 cash_flow: capex at t = 0; 1 article: capex/(1+r)^t as printed */
    assay_choice_t tco_formula;
    assay_number_t currency_per_usd;
    assay_list_t terms; /* of assay_string_t: counted at their default */
    assay_string_t site;
    assay_choice_t depreciation; /* assay_depreciation_t */
    assay_list_t load_curve;     /* of assay_job_load_t */
    assay_job_load_file_t load_file;
    assay_number_t option[ASSAY_OPTION_N];
} assay_job_money_t;

typedef struct {
    bool present;
    assay_string_t from, to;
    assay_number_t level1_days, level2_days, level3_days; /* "2 pw"; SI person-days */
    assay_number_t labour_usd_per_week;
    assay_number_t training_h_per_engineer, engineers; /* A15: 80 h */
    assay_number_t debt_days_per_year;                 /* A15: 15 */
    assay_number_t hip_fit, cuda_only_share;           /* fractions; unknown stays unknown */
    assay_choice_t machines_wait;                      /* bool */
    assay_string_t scan;                               /* result of a port scan (JSON) */
} assay_job_migration_t;

typedef struct {
    bool present;
    assay_number_t rocm_debuggers, hardware_budget_usd;
    assay_choice_t hip_ci, notebook_prototyping; /* bool */
    assay_list_t needs;                          /* of assay_string_t: tensorrt, ... */
} assay_job_team_t;

typedef struct {
    bool present;
    assay_number_t raw_bytes;
} assay_job_data_t;

typedef struct {
    assay_string_t of, with; /* uncertain inputs: electricity_usd_kwh, price:CANDIDATE */
    assay_number_t rho;
} assay_job_correlation_t;

typedef struct {
    bool present;
    assay_number_t samples, seed;
    assay_list_t measured, map; /* of assay_string_t */
    assay_list_t correlations;  /* of assay_job_correlation_t */
} assay_job_analysis_t;

typedef struct {
    assay_number_t version; /* key "assay", 1 */
    assay_string_t name;
    assay_string_t prices; /* "catalog" or a claim set ("seed-a") */
    assay_list_t claims;   /* of assay_string_t: claim sets to hold against the catalog */
    assay_job_workload_t workload;
    assay_list_t candidates; /* of assay_job_candidate_t */
    assay_job_money_t money;
    assay_job_migration_t migration;
    assay_job_team_t team;
    assay_job_data_t data;
    assay_job_analysis_t analysis;
    assay_string_t topology; /* JSON of a topology: its links replace the catalog's */
    /* Its text where it was made meanwhile, of a host's archive or folder; NULL: read topology. */
    const char *topology_text;
    bool unpriced; /* nothing about money is asked: a candidate may have no price; no key either */
    assay_lang_t lang;            /* of what is said about the job; no key, the reader's choice */
    const assay_node_t *document; /* all of it, flags laid over */
    const char *file;             /* as given; NULL for flags only */
    assay_place_t at;             /* where it begins */
} assay_job_t;

/** The schema table of assay_job_t: drives reading, flags, help, errors, JSON Schema. */
extern const assay_schema_t assay_job_schema;

typedef struct {
    const char *path; /* as assay_schema_flags names it */
    const char *value;
    const char *flag; /* "--tokens", for messages */
} assay_job_flag_t;

/**
 * Reads data (NULL = no file) and lays the flags over it. A flag "candidates" takes a comma list of
 * system ids and replaces the file's list; where the file's only candidate names no system, it is
 * the pattern of all of them. "nodes" sets it in every candidate. A flag of workload.train reaches
 * the same key of the kind of work that the file, or another flag, speaks of.
 * Errors: as assay_node_parse and assay_schema_read; no workload; no candidates.
 */
assay_status_t assay_job_read(assay_arena_t *arena, const char *file, const char *data, size_t size,
                              const assay_job_flag_t *flag, uint32_t n_flag, assay_job_t **out_job,
                              assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
