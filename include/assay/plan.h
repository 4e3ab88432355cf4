/**
 * Search over layouts: the best one, the Pareto front of speed against memory, and why the rest was
 * refused.
 *
 * The space: tp among the divisors of the heads, pp among those of the layers or of two more than
 * them (both up to the number of devices) or, of the devices, those that leave the ends alone short
 * (assay_layout_split), interleave of a stage's layers likewise, micro-batch of the
 * global batch (up to 64, of networks 1024); cp among powers of two that leave a device 4096
 * tokens, as a ring and as an exchange; ep among the divisors of the experts, each cut as tp says
 * or whole; dp = devices / (tp cp pp) rounded up, ZeRO 0..3 without a pipeline and 0..1 with one,
 * every recompute, sequence parallelism off and, where tp > 1, on. A pinned value replaces its
 * list, legal or not.
 */
#ifndef ASSAY_PLAN_H
#define ASSAY_PLAN_H

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/hooks.h"
#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t count;
    assay_estimate_t nearest; /* of the refused layouts the one with the smallest need/have */
} assay_refusal_t;

typedef struct {
    bool found;
    assay_estimate_t best; /* valid when found: least step_s, then least memory, then layout */
    assay_estimate_t next; /* the one that comes after it, where there is one that was looked at */
    bool has_next;         /* false with best_only */
    assay_estimate_t *pareto; /* ascending step_s, descending peak memory */
    uint32_t n_pareto;
    uint64_t visited, legal; /* visited = legal + all that was refused */
    assay_refusal_t refused[ASSAY_REJECT_N];
    double wall_s;
} assay_plan_t;

typedef struct {
    assay_layout_pin_t pin;
    uint32_t threads; /* 0 = all */
    /* The whole space: sequences split down to 256 tokens a device, and ZeRO's shards in 1, 2, 4
       ... groups, each with its copy (hybrid sharding). */
    bool whole;
    /**
     * The best layout alone, certified: keys whose layouts cannot be faster than one that fits are
     * left out. No front, no refusals; visited counts the space, legal is 0. Where nothing fits,
     * the search is as without.
     */
    bool best_only;
    const assay_hooks_t *hooks;
    /**
     * Called for every layout visited, refused ones included, in no fixed order but one at a time.
     * NULL: none.
     */
    void (*visit)(void *ctx, const assay_estimate_t *estimate);
    void *visit_ctx;
} assay_plan_options_t;

/** No pins at all. */
assay_plan_options_t assay_plan_defaults(void);
/** The result does not depend on the number of threads. Errors: ASSAY_CANCELLED, ASSAY_MEMORY. */
assay_status_t assay_plan_search(assay_arena_t *arena, const assay_machine_t *machine,
                                 const assay_workload_t *work, const assay_plan_options_t *options,
                                 assay_plan_t *out_plan, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
