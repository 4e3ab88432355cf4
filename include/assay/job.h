/**
 * What is asked: the job file (YAML, JSON) or the same keys as flags. This layer reads and checks
 * form only; what ids mean and which defaults the catalog gives is decided in resolve.
 */
#ifndef ASSAY_JOB_H
#define ASSAY_JOB_H

#include <stdbool.h>
#include <stdint.h>

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

/** Layout values that the user pins; unknown = the search chooses. */
typedef struct {
    bool present;
    assay_number_t tp, pp, vpp, dp, micro_batch, zero;
    assay_choice_t recompute;         /* assay_recompute_t */
    assay_choice_t sequence_parallel; /* bool */
} assay_job_layout_t;

typedef struct {
    bool present;
    const assay_node_t *model; /* scalar: catalog id or path; mapping: inline shape */
    assay_number_t dataset_tokens, epochs, sequence, global_batch, global_batch_tokens;
    assay_string_t precision;
    assay_number_t deadline_s;
} assay_job_train_t;

typedef struct {
    bool present;
    assay_job_train_t train;
} assay_job_workload_t;

typedef struct {
    bool present;
    assay_string_t kind;             /* ib, roce, slingshot, ethernet, efa, opa */
    assay_number_t bits_per_s, nics; /* of one NIC; per node */
} assay_job_network_t;

typedef struct {
    assay_string_t system; /* id of a server to own or a node to rent */
    assay_string_t id;     /* name in the output; unknown: resolve takes the system's id */
    assay_number_t nodes;
    assay_number_t buy_usd;   /* per node; owned */
    assay_number_t usd_per_h; /* per node; rented. Exactly one of the two may be given */
    assay_number_t node_power_w, nodes_per_rack, retrofit_usd_per_rack;
    assay_choice_t needs_migration; /* bool; default: vendor differs from migration.from's vendor */
    assay_job_network_t network;
    assay_job_layout_t layout;
} assay_job_candidate_t;

typedef struct {
    bool present;
    assay_string_t currency;
    assay_number_t years, discount_rate, electricity_usd_kwh, pue, utilisation, residual,
        contingency;
    assay_number_t ops_usd_per_year; /* staff and upkeep of the cluster, A14's labour_t */
    /* 0 cash_flow: capex at t = 0; 1 article: capex/(1+r)^t as printed */
    assay_choice_t tco_formula;
} assay_job_money_t;

typedef struct {
    bool present;
    assay_string_t from, to;
    assay_number_t level1_days, level2_days, level3_days; /* "2 pw"; SI person-days */
    assay_number_t labour_usd_per_week;
    assay_number_t training_h_per_engineer, engineers; /* A15: 80 h */
    assay_number_t debt_days_per_year;                 /* A15: 15 */
    assay_number_t hip_fit, cuda_only_share;           /* fractions; unknown stays unknown */
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
    bool present;
    assay_number_t samples, seed;
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
    const char *file; /* as given; NULL for flags only */
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
 * system ids and replaces the file's list; "nodes" sets it in every candidate.
 * Errors: as assay_node_parse and assay_schema_read; no workload; no candidates.
 */
assay_status_t assay_job_read(assay_arena_t *arena, const char *file, const char *data, size_t size,
                              const assay_job_flag_t *flag, uint32_t n_flag, assay_job_t **out_job,
                              assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
