/**
 * Inside sim. A replica holds its requests in a pool; those that wait and those that run are lists.
 * Decoding sequences are not touched from step to step: what they hold follows from the number of
 * steps since they began to decode.
 */
#ifndef SIM_PARTS_H
#define SIM_PARTS_H

#include "assay/simulate.h"

/* ---- histograms ---- */

void sim_histogram_add(assay_sim_histogram_t *histogram, int64_t ticks, uint64_t times);
/** Values first, first + each, ... n of them, `times` each. */
void sim_histogram_add_row(assay_sim_histogram_t *histogram, int64_t first_ticks,
                           int64_t each_ticks, int64_t n, uint64_t times);
void sim_histogram_merge(assay_sim_histogram_t *into, const assay_sim_histogram_t *from);

/* ---- load ---- */

/** Replica of request i. */
uint32_t sim_route_random(const assay_sim_load_t *load, uint64_t i, uint32_t replicas);

/* ---- replica ---- */

#define SIM_NONE UINT32_MAX

typedef struct {
    uint64_t id;
    int64_t arrival, first_token, last_token; /* ticks; first_token -1: none yet */
    uint32_t input, output;                   /* tokens */
    uint32_t known;    /* tokens whose keys must be there before the next one: input + generated */
    uint32_t computed; /* of them, while it prefills */
    uint32_t blocks;   /* that it holds, while it prefills */
    uint64_t began;    /* decode step count of the replica when it began to decode */
    uint32_t next, previous;               /* in the list that it is in */
    uint32_t finish_next, finish_previous; /* among those that end at the same step */
    bool decoding, scheduled;
} sim_sequence_t;

typedef struct {
    uint32_t first, last;
} sim_list_t;

typedef struct {
    const assay_sim_cost_t *cost;
    const assay_sim_options_t *options;
    sim_sequence_t *sequence; /* pool */
    uint32_t n_pool, free_first;
    sim_list_t waiting, running; /* running: as admitted */
    uint32_t n_running, n_decoding;
    uint64_t n_waiting;
    uint64_t free_blocks;
    int64_t now;
    /* decoding sequences: */
    uint64_t decode_steps; /* taken so far */
    int64_t context;       /* sum of their known tokens */
    uint32_t *finish;      /* (ring) first that ends when decode_steps mod ring is the index */
    uint64_t *finish_bits; /* (ring / 64) which are not empty */
    uint32_t ring;         /* a power of two above the longest output */
    uint32_t *residue;     /* (block_tokens) how many need a block when decode_steps mod
                              block_tokens is the index */
    uint32_t n_prefilling;
    uint64_t next_id; /* of the next request of a closed loop ... */
    uint64_t last_id; /* ... and the first that is not sent any more */
    bool failed;      /* out of memory */
    assay_sim_result_t *result;
} sim_replica_t;

/** All memory is malloc'ed: it grows with what waits. false: none. */
bool sim_replica_init(sim_replica_t *replica, const assay_sim_cost_t *cost,
                      const assay_sim_options_t *options, assay_sim_result_t *result);
void sim_replica_destroy(sim_replica_t *replica);
/** Takes every step that starts before `until`. */
void sim_replica_run(sim_replica_t *replica, int64_t until);
/** A request arrives; the replica has run until then. */
void sim_replica_add(sim_replica_t *replica, uint64_t id, const assay_sim_request_t *request);

#endif
