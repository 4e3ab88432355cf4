/**
 * Serving engines as data (data/engines.csv): what they do unless told otherwise.
 */
#ifndef ASSAY_SERVE_ENGINE_H
#define ASSAY_SERVE_ENGINE_H

#include "assay/catalog.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_HEAD_STREAM_ALWAYS 1e-9 /* for head_stream_above: one sequence is above it */

typedef struct {
    const char *id;   /* family and era: scope of its constants in data/calibration.csv */
    const char *name; /* "vllm" */
    const char *from_version, *to_version; /* from <= version < to; "" open */
    const char *vendor;                    /* "*" or the only one that it runs on */
    double memory_share;                   /* of the device's memory ... */
    bool share_of_free;    /* ... of what weights and activations leave, not of all of it */
    uint32_t block_tokens; /* of one KV block */
    uint32_t max_sequences, token_budget; /* of one step */
    double head_stream_above; /* sequences x query heads per device from which the decode kernel
                                 reads KV once per query head, on AMD; 0: never */
    bool head_stream_grouped; /* it does so with every model of grouped queries, on all parts */
    bool attention_on_one; /* ranks share out matrices only: keys, values, norms are on the first */
    bool reserves_whole; /* a sequence is let in when all it may grow to has room: none is evicted;
                            else when its prompt has */
    const char *source, *note;
} assay_serve_engine_t;

/** Errors: ASSAY_INPUT with file:line, ASSAY_IO. */
assay_status_t assay_serve_engines_load(assay_arena_t *arena, const assay_catalog_t *catalog,
                                        const assay_serve_engine_t **out_engine,
                                        uint32_t *out_n_engine, assay_error_t *err);
/** By id. NULL: none. */
const assay_serve_engine_t *assay_serve_engine_find(const assay_serve_engine_t *engine,
                                                    uint32_t n_engine, const char *id);

#ifdef __cplusplus
}
#endif
#endif
