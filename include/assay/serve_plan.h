/**
 * How many replicas of which layout serve a demand within its limits, on one kind of machine.
 *
 * Ways to serve: tensor parallelism of a power of two in a scale-up domain, pipelines, for models
 * with experts attention on every rank beside shared experts; the number formats that the job
 * allows; token budgets and numbers of sequences, where the job leaves them open; replicas that do
 * all, or some for prompts and some for answers. All are judged in closed form: when so many
 * sequences are under way, how long a token, a prompt and its queue take, and so the largest rate
 * that keeps the limits. Without limits it is 0.9 of saturation: beyond, queues grow faster than
 * anyone plans for.
 *
 * Of each layout the best way, of layouts those that need the fewest nodes and devices, are
 * simulated: requests at shares of the saturated rate, and the largest share whose percentiles keep
 * the limits is taken. A demand of so many requests at a time is a closed loop: the fewest replicas
 * that hold them and keep the limits, their clients simulated.
 *
 * Prompts and answers apart (x replicas of R_p requests/s, y of R_d): rate = min(.90 x R_p,
 * .92 y R_d); keys and values go to the other side over the links of the node, or over its NICs
 * where the two do not share one, layer by layer while the prompt is worked on. Its percentiles are
 * the closed form's.
 *
 * models_per_host models either take turns on the same devices (memory and time divided), or have
 * devices of their own; the rate is that of each.
 *
 * Requests are alike (the means of the job) and arrive as a Poisson process where a rate is given.
 * Percentiles are of ASSAY_SERVE_FLEET_REQUESTS of them.
 *
 * Source: rates matched with .90 and .92 as in ai-dynamo/aiconfigurator. Test:
 * tests/unit/test_serve_plan.c. Thread-safe: yes.
 */
#ifndef ASSAY_SERVE_PLAN_H
#define ASSAY_SERVE_PLAN_H

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/machine.h"
#include "assay/serve_memory.h"
#include "assay/serve_step.h"
#include "assay/simulate.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_SERVE_FLEET_REQUESTS 12000u

typedef struct {
    double p50_s, p90_s, p99_s;
} assay_percentiles_t;

typedef enum {
    ASSAY_SERVE_FLEET_FITS,
    ASSAY_SERVE_FLEET_LAYOUT, /* heads or layers do not divide */
    ASSAY_SERVE_FLEET_MEMORY, /* weights or the longest sequence find no room */
    ASSAY_SERVE_FLEET_LIMITS, /* a lone request is slower than a limit */
    ASSAY_SERVE_FLEET_NODES   /* more nodes than the candidate has */
} assay_serve_fleet_verdict_t;

/** One way to serve. */
typedef struct {
    assay_layout_t layout; /* tp, pp, ep; dp: replicas */
    bool attention_dp;     /* the tp ranks attend to sequences of their own and share experts */
    bool shared;           /* several models take turns on the same devices */
    uint32_t max_sequences, token_budget; /* of a step; of each rank with attention_dp */
    uint32_t format;                      /* of serving->format */
} assay_serve_way_t;

typedef struct {
    assay_serve_way_t way;
    uint8_t verdict; /* assay_serve_fleet_verdict_t; beyond LIMITS all below is filled */
    bool simulated;  /* percentiles and rate; else the closed form's */
    assay_serve_memory_t memory;         /* tokens: of all ranks of a replica */
    double saturation_per_s, rate_per_s; /* requests/s of one replica: at most; within the limits */
    uint32_t replicas, devices, nodes;   /* replicas: of each model; that decode */
    /* Prompts on replicas of their own; 0: all replicas do both. */
    uint32_t prefill_replicas;
    assay_serve_way_t prefill_way;
    double transfer_s; /* of keys and values of a prompt, not hidden behind its prefill */
    double load;       /* share of saturation at which a replica runs */
    assay_percentiles_t ttft, tpot, itl, e2e;
    double input_tokens_per_s, output_tokens_per_s; /* of the fleet at the demanded rate */
    double output_tokens_per_s_per_device, output_tokens_per_s_per_user;
    double prefill_share; /* of the time of a saturated replica that prompts take */
    double cached_share;  /* of that, what attending to the cached part of prompts takes */
    double busy;          /* share of the time in which a replica steps */
    double device_w;
    double rel_p10, rel_p90; /* interval of (true time)/(predicted time) */
    uint8_t basis;
} assay_serve_fleet_t;

/* A way at some number of sequences: what a device gives, and what a user sees. */
typedef struct {
    assay_serve_way_t way;
    double running; /* sequences under way */
    double tokens_per_s_per_device, tokens_per_s_per_user;
} assay_serve_pareto_t;

#define ASSAY_SERVE_FLEET_LAYOUTS 48
#define ASSAY_SERVE_PARETO 64
typedef struct {
    assay_serve_fleet_t fleet[ASSAY_SERVE_FLEET_LAYOUTS]; /* simulated ones first, fewest devices
                                        first, then the faster; those that do not fit last */
    uint32_t n_fleet;
    assay_serve_pareto_t pareto[ASSAY_SERVE_PARETO]; /* nothing beats them in both; the most for a
                                                        user first */
    uint32_t n_pareto;
    uint64_t n_ways; /* that the closed form judged */
} assay_serve_fleets_t;

/**
 * machine: its nodes are the most that there are, unless serving->open_nodes. rate_per_s 0 in
 * serving: one replica at USUAL_LOAD, unless serving names a concurrency. Errors: ASSAY_LIMIT,
 * ASSAY_MEMORY.
 */
assay_status_t assay_serve_fleet_search(const assay_machine_t *machine,
                                        const assay_serving_t *serving,
                                        const assay_layout_pin_t *pin, assay_serve_fleets_t *out,
                                        assay_error_t *err);

/**
 * Replicas that serve rate_per_s each, in place of those that the search found: measured. Of fleets
 * that fit a demanded rate, prompts and answers together; others stay.
 */
void assay_serve_fleet_recount(const assay_machine_t *machine, const assay_serving_t *serving,
                               double rate_per_s, assay_serve_fleet_t *io);
/** Whole nodes for so many replicas, which do not straddle nodes where one holds them. */
double assay_serve_nodes(const assay_machine_t *machine, double replicas,
                         double devices_per_replica);

/* How a fleet is simulated. */
typedef struct {
    uint64_t requests; /* 0: all of the trace */
    double rate_per_s; /* 0: what serving demands, or what the fleet takes */
    const assay_hooks_t *hooks;
    /* as of assay_sim_options_t */
    void (*finished)(void *ctx, const assay_sim_done_t *request);
    void (*stepped)(void *ctx, const assay_sim_event_t *event);
    void *ctx;
} assay_serve_run_t;

/**
 * The closed form alone, of every layout its best way: no finalist is simulated. Errors: none.
 */
void assay_serve_fleet_estimate(const assay_machine_t *machine, const assay_serving_t *serving,
                                const assay_layout_pin_t *pin, assay_serve_fleets_t *out);

/**
 * Simulates all replicas of a fleet behind a router, under the traffic that serving speaks of: its
 * lengths, arrivals or trace, prefixes, time-outs, loss of a replica. Errors: ASSAY_LIMIT,
 * ASSAY_MEMORY, ASSAY_CANCELLED.
 */
assay_status_t assay_serve_fleet_simulate(assay_arena_t *arena, const assay_machine_t *machine,
                                          const assay_serving_t *serving,
                                          const assay_serve_fleet_t *fleet,
                                          const assay_serve_run_t *run, assay_sim_result_t *out,
                                          assay_error_t *err);
/* The largest rate within the limits of TTFT, TPOT and E2E, by the rule of MLPerf's server
   scenario: of the requests of a run so few are slower that with this confidence 99 in 100 are not.
 */
#define ASSAY_SERVE_RATE_SHARE 0.99
#define ASSAY_SERVE_RATE_CONFIDENCE 0.99
typedef struct {
    bool found;                 /* else even the lowest rate that was tried is too high */
    double rate_per_s;          /* the largest that keeps them ... */
    double too_high_per_s;      /* ... and the smallest that does not, of those tried; 0: none */
    uint64_t requests, allowed; /* of a run; that may be slower */
    uint64_t over;              /* that were, of the limit that most were over */
    double independent;         /* requests that those of the run are worth */
    uint32_t runs;
} assay_serve_rate_t;
/**
 * Bisects the rate to 1 %; run->requests are the fewest of a run. *out_result: of the run at that
 * rate. Errors: ASSAY_INPUT without any of the limits, or with so few requests that none may be
 * slower; as assay_serve_fleet_simulate.
 */
assay_status_t assay_serve_fleet_find_rate(const assay_machine_t *machine,
                                           const assay_serving_t *serving,
                                           const assay_serve_fleet_t *fleet,
                                           const assay_serve_run_t *run, assay_serve_rate_t *out,
                                           assay_sim_result_t *out_result, assay_error_t *err);
/** Mean watts of a device of the fleet while that was simulated. */
double assay_serve_simulated_w(const assay_machine_t *machine, const assay_serving_t *serving,
                               const assay_serve_fleet_t *fleet, const assay_sim_result_t *result);

#ifdef __cplusplus
}
#endif
#endif
