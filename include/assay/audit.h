/**
 * What somebody claims, recomputed: from the claim's own figures, by a formula whose units are
 * checked by dimension, or from the catalog. A factor between claim and result is explained by the
 * slip of units that gives it, where one does.
 *
 * A claim is
 *   reproduced        within its rounding and its tolerance
 *   contradicted      the same figures, or the catalog, give something else
 *   not reproducible  something is missing that nobody states
 *   implausible       beyond a bound of physics or of what the catalog knows
 *
 * Test: tests/unit/test_audit.c. Thread-safe: yes.
 */
#ifndef ASSAY_AUDIT_H
#define ASSAY_AUDIT_H

#include "assay/arena.h"
#include "assay/catalog.h"
#include "assay/error.h"
#include "assay/message.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_VERDICT_LIST(X)               \
    X(REPRODUCED, "reproduced")             \
    X(CONTRADICTED, "contradicted")         \
    X(NOT_REPRODUCIBLE, "not_reproducible") \
    X(IMPLAUSIBLE, "implausible")
typedef enum {
#define ASSAY_VERDICT_ENUM(code, name) ASSAY_VERDICT_##code,
    ASSAY_VERDICT_LIST(ASSAY_VERDICT_ENUM)
#undef ASSAY_VERDICT_ENUM
        ASSAY_VERDICT_N
} assay_verdict_t;
const char *assay_verdict_name(assay_verdict_t verdict);

#define ASSAY_AUDIT_ARGS 6
#define ASSAY_AUDIT_SENTENCES 6

/** A sentence of the message table and what stands in it. */
typedef struct {
    assay_message_t id;
    const char *arg[ASSAY_AUDIT_ARGS];
    uint32_t n_arg;
} assay_audit_sentence_t;

typedef struct {
    const char *id, *subject, *text, *source; /* as the claim has them, "" = not said */
    const char *unit;                         /* of claimed and computed; "1" = a plain number */
    const char *formula; /* what it was computed with; NULL: it was not computed */
    const char *about;   /* what the relation says; "" = of none */
    bool has_claimed, has_computed, has_factor;
    double claimed_low, claimed_high; /* equal for a point */
    double computed_low, computed_high;
    double factor; /* claimed over computed, of the middles */
    uint8_t verdict;
    const char *slip;           /* id of the slip that explains the factor, or NULL */
    const char *counts;         /* "input+output": what a rate counts, as the slip shows; or NULL */
    bool peak_is_sparse;        /* a peak with 2:4 sparsity stands for the dense one */
    bool token_basis_differs;   /* tokens of input and output beside those of one of them */
    const char *const *missing; /* (n_missing) */
    uint32_t n_missing;
    assay_audit_sentence_t evidence[ASSAY_AUDIT_SENTENCES];
    uint32_t n_evidence;
} assay_audited_t;

typedef struct {
    const char *name;  /* of the set or the file */
    const char *about; /* "" = not said */
    assay_audited_t *claim;
    uint32_t n_claim;
    uint32_t n_verdict[ASSAY_VERDICT_N];
} assay_audit_t;

/**
 * A claims file (docs/audit.md): YAML or JSON. file names it in messages. dir: folders with a
 * user's audit_relations.csv. Errors: ASSAY_INPUT with file:line:column (syntax, unit, dimension,
 * unknown name, division by zero), ASSAY_NOT_FOUND (a catalog id), ASSAY_LIMIT.
 */
assay_status_t assay_audit_file(assay_arena_t *arena, const assay_catalog_t *catalog,
                                const char *const *dir, uint32_t n_dir, const char *file,
                                const char *data, size_t size, assay_audit_t **out_audit,
                                assay_error_t *err);
/**
 * A set of claims of the catalog ("seed-a"), by the rows of claim_checks.csv; a claim about a
 * figure of the catalog without a row is compared with it. Errors: ASSAY_NOT_FOUND (no such set),
 * ASSAY_INPUT (a row of the table).
 */
assay_status_t assay_audit_set(assay_arena_t *arena, const assay_catalog_t *catalog,
                               const char *const *dir, uint32_t n_dir, const char *set,
                               assay_audit_t **out_audit, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
