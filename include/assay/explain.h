/**
 * Where a number of a decision is from: a tree of formulas down to what was given, what a table
 * says, what a closed form of the performance model predicts, and what was found by sampling, by
 * searching, or as a root. Any number of the decision's JSON can be asked about; a path says which.
 *
 * Replayable: the value of a formula follows from those of its parts, to rounding;
 * assay_explain_replay does it. The other kinds say how to repeat them: a sample names its points,
 * their sequence and seed, what is drawn, the statistic and the command; a root its function,
 * variable and bracket; a search what was compared, by what, and the two that came first.
 */
#ifndef ASSAY_EXPLAIN_H
#define ASSAY_EXPLAIN_H

#include "assay/decide_image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Code, name in JSON. From SUM on: formulas of their parts. */
#define ASSAY_EXPLAIN_LIST(X) \
    X(INPUT, "input")         \
    X(DRAWN, "drawn")         \
    X(MODEL, "model")         \
    X(SAMPLE, "sample")       \
    X(ROOT, "root")           \
    X(SEARCH, "search")       \
    X(SUM, "sum")             \
    X(PRODUCT, "product")     \
    X(QUOTIENT, "quotient")   \
    X(MAX, "max")             \
    X(MIN, "min")             \
    X(CEILING, "ceiling")
typedef enum {
#define ASSAY_EXPLAIN_ENUM(code, name) ASSAY_EXPLAIN_##code,
    ASSAY_EXPLAIN_LIST(ASSAY_EXPLAIN_ENUM)
#undef ASSAY_EXPLAIN_ENUM
        ASSAY_EXPLAIN_N
} assay_explain_op_t;
const char *assay_explain_op_name(assay_explain_op_t op);
static inline bool assay_explain_is_formula(uint8_t op) {
    return op >= ASSAY_EXPLAIN_SUM;
}

/** What a node says besides: a text, or where that is NULL a number. */
typedef struct {
    const char *key, *text;
    double number;
} assay_explain_detail_t;

#define ASSAY_EXPLAIN_DETAILS 12
typedef struct assay_explained {
    const char *name, *unit; /* unit "1": none */
    double value;            /* as the decision has it */
    uint8_t op;              /* assay_explain_op_t; a quotient has two parts, a ceiling one */
    const char *source; /* INPUT, DRAWN: where it stands; MODEL: the header that says how; else NULL
                         */
    const struct assay_explained **part;
    uint32_t n_part;
    /* DRAWN: distribution, p10, p90. SAMPLE: statistic, of, points, sequence, seed, command. ROOT:
       function, variable, low, high, at_root. SEARCH: rule, compared. */
    assay_explain_detail_t detail[ASSAY_EXPLAIN_DETAILS];
    uint32_t n_detail;
} assay_explained_t;

/** The decision that is asked; one of the three is set. */
typedef struct {
    const assay_decision_t *training;
    const assay_serving_decision_t *serving;
    const assay_image_decision_t *images;
} assay_explain_of_t;

/** What it was decided from. */
const assay_resolved_t *assay_explain_resolved(const assay_explain_of_t *of);

/** Where a number stands in the decision's JSON. */
#define ASSAY_EXPLAIN_DEPTH 16
typedef struct {
    struct {
        const char *key; /* of an object; NULL: of a list */
        uint32_t index;  /* of a list, from 0 */
    } step[ASSAY_EXPLAIN_DEPTH];
    uint32_t n;
    double value; /* of the number */
} assay_explain_path_t;

typedef struct assay_explainer assay_explainer_t;
/** The decision, its job and arena outlive it. dir: as of assay_decide. Errors: ASSAY_INPUT (a
    user's table), ASSAY_MEMORY. */
assay_status_t assay_explainer_create(assay_arena_t *arena, const assay_explain_of_t *of,
                                      const char *const *dir, uint32_t n_dir,
                                      assay_explainer_t **out, assay_error_t *err);
/**
 * The tree of one number, in that arena. Errors: ASSAY_NOT_FOUND (nothing explains the path),
 * ASSAY_MEMORY.
 */
assay_status_t assay_explain(assay_explainer_t *explainer, assay_arena_t *arena,
                             const assay_explain_path_t *path, const assay_explained_t **out,
                             assay_error_t *err);
/** The value from what is no formula alone, all the way up. */
double assay_explain_replay(const assay_explained_t *node);

#ifdef __cplusplus
}
#endif
#endif
