/** One claim and what it is held against. Private to audit. */
#ifndef AUDIT_JUDGE_H
#define AUDIT_JUDGE_H

#include "assay/audit.h"
#include "audit/expression.h"

typedef enum {
    AUDIT_EQUALS,   /* the expression gives the figure */
    AUDIT_AT_LEAST, /* the figure is not less than it */
    AUDIT_AT_MOST,
    AUDIT_CATALOG, /* the expression names a figure of the catalog */
    AUDIT_COUNT,   /* the expression is of one thing, and the claim does not say of how many */
    AUDIT_BETWEEN, /* the expression spans what conditions allow that the claim does not state */
    AUDIT_HOLDS,   /* a rule without a figure: the expression is what it says to be above 0 */
    AUDIT_ARCH,    /* the expression names an accelerator, the claim its architecture */
    AUDIT_NOTHING, /* why is in lack */
    AUDIT_CHECK_N
} audit_check_t;

typedef struct {
    const char *id, *subject, *text, *source;
    assay_place_t at;
    bool has_claimed;
    audit_value_t claimed; /* SI */
    audit_unit_t unit;
    const char *unit_text;
    double rounding; /* share that rounding of what is printed can hide */
    audit_check_t check;
    const char *expression; /* NULL with AUDIT_NOTHING */
    const char *formula;    /* as shown; NULL: the expression */
    assay_place_t expression_at;
    double tolerance;
    bool partial;             /* of the terms of a sum some are not stated */
    bool has_least, has_most; /* bounds of claim and result, plain numbers */
    double least, most;
    const char *what; /* the expression in words, or "" */
    const char
        *open; /* what is not stated; COUNT: of what; BETWEEN, HOLDS: the conditions; or "" */
    const char *about;                  /* of the relation, or "" */
    assay_message_t lack;               /* AUDIT_NOTHING */
    double input_tokens, output_tokens; /* of a request; 0 = not said */
} audit_claim_t;

#define AUDIT_TOLERANCE 0.05 /* figures in prose have two digits */

/** scope->missing is emptied first. Errors: as audit_expression. */
assay_status_t audit_judge(audit_scope_t *scope, const audit_claim_t *claim, assay_audited_t *out,
                           assay_error_t *err);
void audit_say(assay_audited_t *out, assay_message_t id, const char *const *arg, uint32_t n_arg);
#define AUDIT_SAY(out, id, ...)                                          \
    audit_say((out), ASSAY_MSG_##id, (const char *const[]){__VA_ARGS__}, \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* slips.c */
typedef struct {
    double factor; /* claimed over computed, > 0 */
    double tolerance;
    audit_dim_t dim; /* of the claim */
    uint32_t saw;
    double devices, token_factor; /* 0 = not known */
    bool is_catalog;              /* a figure of the catalog, not a result of several */
} audit_factor_t;
/** Sets slip, counts and peak_is_sparse and says so, when one slip gives the factor. */
bool audit_slip(const audit_factor_t *factor, assay_audited_t *out);
/** That none does, of a factor so large that one would be expected. */
void audit_say_no_slip(assay_arena_t *arena, assay_audited_t *out);

/* judge_catalog.c */
assay_status_t audit_judge_catalog(audit_scope_t *scope, const audit_claim_t *claim,
                                   assay_audited_t *out, assay_error_t *err);
/** Whether a and b agree within share of b. */
bool audit_near(double a, double b, double share);
/** factor and has_factor from claimed and computed. */
void audit_set_factor(assay_audited_t *out);
/** "1.9": a factor for people, above 1; of a smaller one its inverse. */
const char *audit_factor_text(assay_arena_t *arena, double factor);

#endif
