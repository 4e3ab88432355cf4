/** Claims of the catalog, one by one. Private to audit. */
#ifndef AUDIT_CLAIM_SET_H
#define AUDIT_CLAIM_SET_H

#include "audit/judge.h"

typedef struct audit_set audit_set_t;

/** What claims of the set are held against. Errors: as assay_audit_set. */
assay_status_t audit_set_open(assay_arena_t *arena, const assay_catalog_t *catalog,
                              const char *const *dir, uint32_t n_dir, const char *name,
                              audit_set_t **out_set, assay_error_t *err);
/** A claim, with the others as the catalog has them. Errors: as assay_audit_set. */
assay_status_t audit_set_judge(audit_set_t *set, const assay_claim_t *claim, assay_audited_t *out,
                               assay_error_t *err);

#endif
