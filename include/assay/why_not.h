/**
 * Why one candidate is not the choice, and what would make it so: it does not fit, misses the
 * deadline, or costs more, and by which terms. Of the choice itself: what would take that away.
 *
 * Costs are those that decide: of the job where it trains, the TCO where it serves. Every flip
 * changes one input alone, searched as far as the flips of the decision are.
 */
#ifndef ASSAY_WHY_NOT_H
#define ASSAY_WHY_NOT_H

#include "assay/decide.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_WHY_LIST(X)  \
    X(CHOICE, "is_choice") \
    X(NO_FIT, "no_fit")    \
    X(LATE, "late")        \
    X(DEARER, "dearer")
typedef enum {
#define ASSAY_WHY_ENUM(code, name) ASSAY_WHY_##code,
    ASSAY_WHY_LIST(ASSAY_WHY_ENUM)
#undef ASSAY_WHY_ENUM
        ASSAY_WHY_N
} assay_why_t;

/** A cash-flow term that differs. */
typedef struct {
    uint8_t term;           /* assay_term_t */
    double usd, choice_usd; /* of the candidate; of the choice */
} assay_why_term_t;

typedef struct {
    const assay_resolved_t *resolved;
    const char *id, *choice; /* choice NULL: nothing is chosen */
    uint8_t reason;          /* assay_why_t */
    const char *sentence;
    const assay_layout_t *nearest; /* of training that does not fit; NULL else */
    bool has_cost;                 /* both amounts are known */
    double usd, choice_usd, p_best;
    assay_why_term_t term[ASSAY_TERM_N]; /* the largest difference first */
    uint32_t n_term;
    /* What would make it the choice; of the choice: what would make another one it. */
    assay_flip_t *flip;
    uint32_t n_flip;
} assay_why_not_t;

/** Errors: ASSAY_NOT_FOUND (no candidate of that id, did you mean), ASSAY_INPUT, ASSAY_MEMORY. */
assay_status_t assay_why_not(assay_arena_t *arena, const assay_decision_t *decision, const char *id,
                             const char *const *data_dir, uint32_t n_data_dir, assay_why_not_t *out,
                             assay_error_t *err);
assay_status_t assay_why_not_serving(assay_arena_t *arena, const assay_serving_decision_t *decision,
                                     const char *id, const char *const *data_dir,
                                     uint32_t n_data_dir, assay_why_not_t *out, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
