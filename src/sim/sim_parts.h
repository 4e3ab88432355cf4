/**
 * Inside sim. A replica holds its requests in a pool; those that wait and those that run are lists.
 * Decoding sequences are not touched from step to step: what they hold follows from the number of
 * steps since they began to decode. With a draft each step gives each of them a number of tokens of
 * its own, so there they are visited.
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

/** Which of n, for request i. */
uint32_t sim_draw_replica(const assay_sim_load_t *load, uint64_t i, uint32_t n);
uint32_t sim_draw_prefix(const assay_sim_load_t *load, uint64_t i);
/** How many of the drafted tokens are accepted when request i knows so many. */
uint32_t sim_draw_accepted(const assay_sim_load_t *load, const assay_serve_draft_t *draft,
                           uint64_t i, uint32_t known);

/* ---- cost ---- */

int64_t sim_ticks_of(double s);
/** Of a step in ticks, and the seconds of it in which matrix units and memory are at their rate. */
int64_t sim_step_ticks(const assay_sim_cost_t *cost, const assay_serve_batch_t *batch,
                       double *out_compute_s, double *out_stream_s);

/* ---- blocks ---- */

#define SIM_NONE UINT32_MAX

/* A block that has a key, or a run of free blocks that have none. */
typedef struct {
    uint64_t key, count;
    uint32_t uses;           /* 0: it is free and in the queue */
    uint32_t next, previous; /* in the queue, the next to be taken first; unused: next unused */
    uint32_t chain;          /* the next of the same place in the table, older first */
} sim_block_t;

/* Blocks of one replica, the free ones in the order in which they are taken: as vLLM's block pool.
   Without caching only their number. */
typedef struct {
    bool caching, failed;
    uint64_t free, evicted;
    sim_block_t *block;
    uint32_t n_block, unused, first, last;
    uint32_t *table; /* (n_table, a power of two) */
    uint32_t n_table, n_keyed;
} sim_cache_t;

/** false: no memory. */
bool sim_cache_init(sim_cache_t *cache, uint64_t blocks, bool caching);
void sim_cache_done(sim_cache_t *cache);
/** The oldest block with a key, or SIM_NONE. */
uint32_t sim_cache_find(const sim_cache_t *cache, uint64_t key);
/** Takes n free blocks; those with keys lose them. */
void sim_cache_take(sim_cache_t *cache, uint64_t n);
/** One of the blocks taken now has a key and one user. SIM_NONE: no memory. */
uint32_t sim_cache_name(sim_cache_t *cache, uint64_t key);
/** One more user of a block. */
void sim_cache_use(sim_cache_t *cache, uint32_t block);
/** A free block with a key is taken and loses it. */
void sim_cache_use_unnamed(sim_cache_t *cache, uint32_t block);
/** One user less; without any it is free, the last to be taken. */
void sim_cache_leave(sim_cache_t *cache, uint32_t block);
/** n blocks without keys are free. */
void sim_cache_give(sim_cache_t *cache, uint64_t n);
/** A taken block without a key is free and has one. */
void sim_cache_give_named(sim_cache_t *cache, uint64_t key);

/* ---- replica ---- */

/* A request on its way to a replica. */
typedef struct {
    uint64_t id;
    int64_t arrival, scheduled, first_token, last_token; /* ticks; -1: not yet */
    uint32_t input, output, known;                       /* known: input + what was generated */
    uint32_t first_hash, n_hash;
    bool filled; /* its keys and values come with it */
} sim_request_t;

typedef struct {
    sim_request_t q;         /* known: tokens whose keys must be there before the next one */
    uint32_t computed;       /* of them, while it prefills */
    uint32_t blocks;         /* that it holds, while it prefills */
    uint64_t turn;           /* of its admission */
    uint64_t began;          /* decode step count of the replica when it began to decode */
    uint32_t next, previous; /* in the list that it is in */
    uint32_t finish_next, finish_previous; /* among those that end at the same step */
    uint32_t older, younger;               /* by arrival, when clients give up */
    uint32_t n_held, *held;                /* blocks of the prompt that others may use */
    int64_t sent;                          /* when its keys and values have arrived */
    bool runs, prefilling, decoding;       /* decoding: its next step gives a token */
    bool preempted;
} sim_sequence_t;

typedef struct {
    uint32_t first, last;
} sim_list_t;

typedef struct {
    const assay_sim_cost_t *cost;
    const assay_sim_options_t *options;
    const assay_sim_policy_t *policy;
    uint32_t index;
    sim_sequence_t *sequence; /* pool */
    uint32_t n_pool, free_first;
    sim_list_t waiting, running; /* running: as admitted */
    sim_list_t ages;             /* by arrival */
    uint32_t n_running, n_decoding;
    uint64_t admitted; /* so far */
    uint64_t n_waiting;
    sim_cache_t cache;
    int64_t now, ended; /* ended: the last step */
    int64_t timeout;    /* ticks; 0: none */
    int64_t dies;       /* steps that end later are lost */
    /* decoding sequences: */
    uint64_t decode_steps; /* taken so far */
    int64_t context;       /* sum of their known tokens */
    uint32_t *finish;      /* (ring) first that ends when decode_steps mod ring is the index */
    uint64_t *finish_bits; /* (ring / 64) which are not empty */
    uint32_t ring;         /* a power of two above the longest output */
    uint32_t *residue;     /* (block_tokens) how many need a block when decode_steps mod
                              block_tokens is the index */
    uint32_t n_prefilling;
    uint64_t prefilling_tokens; /* that prompts under way have in the cache */
    uint64_t parked;            /* blocks of those of a static batch that have ended */
    bool fresh;                 /* such a batch has not decoded yet */
    uint64_t next_id;           /* of the next request of a closed loop ... */
    uint64_t last_id;           /* ... and the first that is not sent any more */
    bool failed;                /* out of memory */
    /* of prefill alone: */
    sim_list_t sending;
    int64_t link_free; /* ticks */
    void (*hand_off)(void *ctx, const sim_request_t *request, int64_t at);
    void *ctx;
    assay_sim_result_t *result;
} sim_replica_t;

/** All memory is malloc'ed: it grows with what waits. false: none. */
bool sim_replica_init(sim_replica_t *replica, uint32_t index, const assay_sim_cost_t *cost,
                      const assay_sim_policy_t *policy, const assay_sim_options_t *options,
                      assay_sim_result_t *result);
void sim_replica_destroy(sim_replica_t *replica);
/** Takes every step that starts before `until`. */
void sim_replica_run(sim_replica_t *replica, int64_t until);
/** A request arrives; the replica has run until then. false: it is refused. */
bool sim_replica_add(sim_replica_t *replica, const sim_request_t *request, int64_t at);
/** All its requests, those that run first, are told to `take`; the cache is empty, its clock at
    `back`. */
void sim_replica_lose(sim_replica_t *replica, int64_t back,
                      void (*take)(void *ctx, const sim_request_t *request), void *ctx);
/** Leading blocks of a prompt that its cache holds. */
uint32_t sim_replica_prefix(const sim_replica_t *replica, const sim_request_t *request);

/* ---- parts of a replica ---- */

void sim_list_append(sim_replica_t *r, sim_list_t *list, uint32_t at);
void sim_list_prepend(sim_replica_t *r, sim_list_t *list, uint32_t at);
void sim_list_remove(sim_replica_t *r, sim_list_t *list, uint32_t at);

uint32_t sim_blocks_for(const sim_replica_t *r, uint32_t tokens);
/** Tokens that a sequence knows now. */
uint32_t sim_known_now(const sim_replica_t *r, const sim_sequence_t *s);
/** Blocks that it holds now. */
uint32_t sim_blocks_now(const sim_replica_t *r, const sim_sequence_t *s);
void sim_begin_decoding(sim_replica_t *r, uint32_t at);
/** Leaves the sums; what it knows becomes what it is. */
void sim_end_decoding(sim_replica_t *r, uint32_t at);
/** Decode steps until the next sequence ends; there is one. */
int64_t sim_steps_to_finish(const sim_replica_t *r);
/** Decode steps for which there are blocks, at most `most`; *out_taken: blocks that they take. */
int64_t sim_steps_in_blocks(const sim_replica_t *r, int64_t most, uint64_t *out_taken);
/** Sequences whose last step was taken end. */
void sim_finish_due(sim_replica_t *r);
/** Up to `most` decode steps, which take `blocks`, until the first that lasts to `until`. */
void sim_decode_many(sim_replica_t *r, int64_t most, uint64_t blocks, int64_t until);

/* What a waiting request would begin with. */
typedef struct {
    uint32_t tokens;  /* that its first step works on */
    uint32_t found;   /* blocks in the cache, of them ... */
    uint32_t revived; /* ... those that are free */
    uint32_t taken;   /* blocks besides */
} sim_start_t;
/** false: not now. */
bool sim_can_start(const sim_replica_t *r, const sim_sequence_t *s, uint32_t budget,
                   sim_start_t *out);
/** Its blocks are its own: those found are used, the others taken. */
void sim_start(sim_replica_t *r, sim_sequence_t *s, const sim_start_t *start);
/** Blocks of its prompt that are full now are named. */
void sim_hold(sim_replica_t *r, sim_sequence_t *s);
/** All its blocks are free; those of one that comes back keep what they hold. */
void sim_release(sim_replica_t *r, sim_sequence_t *s, bool comes_back);

void sim_finish(sim_replica_t *r, uint32_t at);
/** A prompt that ran is done here; its blocks are free when its keys and values are elsewhere. */
void sim_send(sim_replica_t *r, uint32_t at);
/** The step that starts now, while it holds its blocks. */
void sim_note_step(sim_replica_t *r, const assay_serve_batch_t *batch, int64_t ticks, int64_t steps,
                   double compute_s, double stream_s);
/** One step. false: nothing can run. */
bool sim_take_turn(sim_replica_t *r);

#endif
