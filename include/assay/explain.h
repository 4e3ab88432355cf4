/**
 * Where a number of a decision is from: a tree of sums, products and quotients down to inputs with
 * their sources. Replayable: each value follows from its parts, to rounding, by the operation that
 * the node names; assay_explain_replay does it.
 *
 * Paths are those of the decision's JSON: candidates[ID].cost_total_usd. Covered are money (costs
 * of the job and of the years, their terms, hours, energy), and of a step time, rate, MFU and
 * memory. The parts of a step's time and memory are taken as the performance model gives them.
 */
#ifndef ASSAY_EXPLAIN_H
#define ASSAY_EXPLAIN_H

#include "assay/decide_image.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_EXPLAIN_LIST(X) \
    X(INPUT, "input")         \
    X(SUM, "sum")             \
    X(PRODUCT, "product")     \
    X(QUOTIENT, "quotient")   \
    X(MAX, "max")
typedef enum {
#define ASSAY_EXPLAIN_ENUM(code, name) ASSAY_EXPLAIN_##code,
    ASSAY_EXPLAIN_LIST(ASSAY_EXPLAIN_ENUM)
#undef ASSAY_EXPLAIN_ENUM
        ASSAY_EXPLAIN_N
} assay_explain_op_t;
const char *assay_explain_op_name(assay_explain_op_t op);

#define ASSAY_EXPLAIN_PARTS 64
typedef struct assay_explained {
    const char *name, *unit; /* unit "1": none */
    double value;            /* as the decision has it */
    uint8_t op;              /* assay_explain_op_t; a quotient has two parts */
    const char *source;      /* of an input; NULL else */
    const struct assay_explained *part[ASSAY_EXPLAIN_PARTS];
    uint32_t n_part;
} assay_explained_t;

/** The decision that is asked; one of the three is set. */
typedef struct {
    const assay_decision_t *training;
    const assay_serving_decision_t *serving;
    const assay_image_decision_t *images;
} assay_explain_of_t;

/** What it was decided from. */
const assay_resolved_t *assay_explain_resolved(const assay_explain_of_t *of);

/** Errors: ASSAY_NOT_FOUND (no such candidate or path: did you mean, and what there is),
    ASSAY_MEMORY. */
assay_status_t assay_explain(assay_arena_t *arena, const assay_explain_of_t *of, const char *path,
                             const assay_explained_t **out, assay_error_t *err);
/** Paths that are covered, of every candidate that fits. Errors: ASSAY_MEMORY. */
assay_status_t assay_explain_paths(assay_arena_t *arena, const assay_explain_of_t *of,
                                   const char *const **out_path, uint32_t *out_n,
                                   assay_error_t *err);
/** The value from the inputs alone, all the way up. */
double assay_explain_replay(const assay_explained_t *node);

#ifdef __cplusplus
}
#endif
#endif
