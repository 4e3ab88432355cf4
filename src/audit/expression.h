/**
 * A small calculator over quantities: 3.2 USD/h / (780 token/s), capex / (rent - run), with units
 * checked by dimension. Private to audit.
 *
 *   sum      product { (+|-) product }         product  power { (*|/) power }
 *   power    [-] item [^K]                     item     NUMBER [UNIT] | NAME | 'CATALOG FIGURE'
 *                                                       | FUNCTION ( sum {, sum} ) | ( sum )
 *
 * A figure in quotes is one of the catalog, or a prediction (predictions.h).
 * Functions: min, max, abs, sqrt, ceil; low, mid, high of a quantity that is a range. range(a, b)
 * spans both. A unit belongs to
 * the number before it; a name that is a unit's is refused where names are given. Ranges follow
 * interval arithmetic: every name is taken to vary on its own.
 */
#ifndef AUDIT_EXPRESSION_H
#define AUDIT_EXPRESSION_H

#include "assay/catalog.h"
#include "audit/predictions.h"
#include "audit/quantity.h"

typedef struct audit_scope audit_scope_t;

/** What names mean, and what was met while expressions were evaluated. */
struct audit_scope {
    assay_arena_t *arena;
    const assay_catalog_t *catalog;
    audit_predictions_t *predictions;
    /**
     * Value of a name. *out_known false: it is a quantity that nobody states, *out_missing says
     * what. Errors: ASSAY_NOT_FOUND, ASSAY_INPUT.
     */
    assay_status_t (*find)(void *ctx, audit_scope_t *scope, const char *name,
                           const assay_place_t *at, audit_value_t *out, bool *out_known,
                           const char **out_missing, assay_error_t *err);
    void *ctx;
    uint32_t depth; /* of names within names */
    const char *missing[16];
    uint32_t n_missing;
    double devices; /* a count of devices or nodes that was met, 0 = none */
};

#define AUDIT_EXPRESSION_BYTES 1024
#define AUDIT_EXPRESSION_DEPTH 32
#define AUDIT_NAME_DEPTH 32

/**
 * Value of text, which stands at `at` (columns count on from there). *out_known is false when a
 * quantity in it is missing; scope->missing lists them, and *out holds nothing.
 * Errors: ASSAY_INPUT with the column: syntax, dimensions that do not go together, division by
 * zero, a result that is no number; ASSAY_LIMIT: too long or too deep; what scope->find returns.
 */
assay_status_t audit_expression(audit_scope_t *scope, const char *text, const assay_place_t *at,
                                audit_value_t *out, bool *out_known, assay_error_t *err);
/** Adds what is missing once. */
void audit_scope_missing(audit_scope_t *scope, const char *what);
/** Length of the name that text starts with; 0: none. Letters, digits, '_' and '.'. */
size_t audit_name_length(const char *text, size_t n);
/**
 * A literal "0.00018 USD/token", "640 GiB", "21 %": its value, the text of its unit ("1" without
 * one), and half a unit of its last digit over the number: what rounding can have hidden.
 */
assay_status_t audit_literal(assay_arena_t *arena, const char *text, const assay_place_t *at,
                             audit_value_t *out, audit_unit_t *out_unit, const char **out_text,
                             double *out_rounding, assay_error_t *err);

#endif
