/**
 * Where a decision flips in one variable that is asked for, the others at their central values. The
 * decision's own flips are those that it shows unasked.
 */
#ifndef ASSAY_FLIP_H
#define ASSAY_FLIP_H

#include "assay/explain.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * variable: "electricity_usd_kwh", or of one candidate "buy_usd:ID"; without ID the one that moves
 * of a job that trains, else the choice. Errors: ASSAY_NOT_FOUND (no such variable or candidate,
 * did you mean), ASSAY_INPUT (the costs do not depend on it, nothing to compare, a user's table),
 * ASSAY_MEMORY.
 */
assay_status_t assay_flip_of(assay_arena_t *arena, const assay_explain_of_t *of,
                             const char *variable, const char *const *data_dir, uint32_t n_data_dir,
                             assay_flip_t *out, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
