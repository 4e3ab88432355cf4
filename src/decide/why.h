/** Inside decide: what the answers to "why not" share. */
#ifndef ASSAY_DECIDE_WHY_H
#define ASSAY_DECIDE_WHY_H

#include "assay/why_not.h"
#include "decide/decision.h"

/** The index of id among machines. Errors: ASSAY_NOT_FOUND with the nearest id, ASSAY_MEMORY. */
assay_status_t decide_why_find(assay_arena_t *arena, const assay_resolved_t *resolved,
                               const char *id, uint32_t *out_index, assay_error_t *err);
/** Terms that differ, the largest difference first. */
void decide_why_terms(assay_why_not_t *out, const double usd[ASSAY_TERM_N],
                      const double choice_usd[ASSAY_TERM_N]);
/** "costs 1.2 MUSD, 20 % more than ...", or that it is the choice; of what has_cost. */
const char *decide_why_sentence(assay_decide_ctx_t *ctx, const assay_why_not_t *why);

#endif
