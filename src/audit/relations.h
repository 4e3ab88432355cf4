/** Formulas with a name: data/audit_relations.csv. Private to audit. */
#ifndef AUDIT_RELATIONS_H
#define AUDIT_RELATIONS_H

#include "audit/judge.h"

typedef struct {
    const char *id, *formula, *about;
    const char *needs; /* "price: what an hour costs; rate: tokens a second" */
    bool has_least, has_most;
    double least, most;
    assay_place_t at;
} audit_relation_t;

typedef struct {
    audit_relation_t *row;
    uint32_t n;
} audit_relations_t;

/** Errors: ASSAY_INPUT (a row). */
assay_status_t audit_relations_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                    audit_relations_t *out, assay_error_t *err);
/** Errors: ASSAY_NOT_FOUND with the nearest name. */
assay_status_t audit_relation_find(const audit_relations_t *relations, assay_arena_t *arena,
                                   const char *id, const assay_place_t *at,
                                   const audit_relation_t **out, assay_error_t *err);
/** "rate (tokens a second)": what is missing when nobody says name. NULL: no input of it. */
const char *audit_relation_need(const audit_relation_t *relation, assay_arena_t *arena,
                                const char *name);

#endif
