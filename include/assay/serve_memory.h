/**
 * Serving: what one device of a replica holds. Pure; no allocation.
 *
 * Weights by part of the checkpoint, each divided as the list of operations says (norms and what
 * MLA shares stay whole, KV heads repeat beyond their number, experts go over ep or tp devices);
 * cache by the engine's budget rule and in whole blocks; activations of one prefill step; what
 * sampling holds at once; captured graphs; context and libraries.
 *
 * Activations of a prefill step of T tokens, 16 bit (what vLLM's profile run measures: 2.02 GiB for
 * Qwen2.5-1.5B at T = 32768, where this gives 2.02):
 *   T (4 H + 3 F/tp)                dense: residual, normed, gate and up, their product
 *   T 4 H + min(T, chunk) K (3 Fe/tp + H)   experts: of each of K visits, and its output
 *
 * Source: vLLM worker.py (budget), fused_moe.py (caches of the experts). Test:
 * tests/unit/test_serve_memory.c. Thread-safe: yes.
 */
#ifndef ASSAY_SERVE_MEMORY_H
#define ASSAY_SERVE_MEMORY_H

#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_SERVING_PART_LIST(X)      \
    X(WEIGHTS, "weights")               \
    X(CONTEXT, "context_and_libraries") \
    X(KV, "kv_cache")                   \
    X(SAMPLING, "sampling")             \
    X(ACTIVATIONS, "activations")       \
    X(GRAPHS, "graphs")
typedef enum {
#define ASSAY_SERVING_PART_ENUM(code, name) ASSAY_SERVING_##code,
    ASSAY_SERVING_PART_LIST(ASSAY_SERVING_PART_ENUM)
#undef ASSAY_SERVING_PART_ENUM
        ASSAY_SERVING_PART_N
} assay_serving_part_t;
const char *assay_serving_part_name(assay_serving_part_t part);

typedef struct {
    assay_layout_t layout; /* tp, pp, dp, ep */
    /* Of the fullest device. KV: one sequence of the longest length, in whole blocks. SAMPLING: by
       how much it exceeds the activations, which are gone by then. */
    double bytes[ASSAY_SERVING_PART_N];
    double weight_part_bytes[ASSAY_PART_N]; /* they sum to the weights */
    double load_bytes;                      /* while the weights are loaded */
    double memory_bytes;                    /* that software can allocate; 0 = no device is given */
    double budget_bytes;                    /* the engine's share of it, all parts but graphs */
    /* cache of one device */
    double kv_bytes_per_token, block_bytes, kv_room_bytes;
    double kv_bytes_per_token_model; /* of the model, however it is divided */
    double blocks, blocks_needed;    /* in the room; of one sequence of the longest length */
    double short_bytes,
        short_model_bytes; /* of blocks that are missing: on the device; of the model */
    double tokens;         /* in the room */
    double longest;        /* sequence that fits, in whole blocks */
    double sequences;      /* of mean length, at the same time; 0 = no length is given */
    double need_bytes; /* smallest memory of the device with which it fits; 0 without a device */
    bool known;        /* fits says something: there is a device, or the engine's own count */
    bool fits;
    uint8_t limiting; /* assay_serving_part_t: the first, in their order, that finds no room */
} assay_serve_memory_t;

/** machine NULL: no device is given; the cache is judged by what the engine reports, if it does. */
void assay_serve_memory(const assay_machine_t *machine, const assay_serving_t *work,
                        const assay_layout_t *layout, assay_serve_memory_t *out);
/** tp divides the heads (KV heads or their multiple), pp does not exceed the layers. */
bool assay_serve_layout_fits(const assay_serving_t *work, const assay_layout_t *layout);

#ifdef __cplusplus
}
#endif
#endif
