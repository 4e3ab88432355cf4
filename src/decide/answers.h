/** The facts that rules ask about, with where each is from. */
#ifndef ASSAY_DECIDE_ANSWERS_H
#define ASSAY_DECIDE_ANSWERS_H

#include "decide/decision.h"

typedef struct {
    double v; /* may be INFINITY: a cost that nothing pays back */
    bool known;
    const char
        *text; /* "FLOPs utilisation (MFU): 41 % (predicted for 8x-a100)"; NULL when unknown */
} assay_decide_answer_t;

void assay_decide_answers(assay_decide_ctx_t *ctx, assay_decide_answer_t out[ASSAY_ANSWER_N]);
/** By its name in rules.csv. false: no such answer. */
bool assay_decide_answer_find(const char *name, assay_answer_id_t *out);
/** A threshold with its unit, in the units of the answer ("10", "d"; "true", ""). */
assay_status_t assay_decide_answer_threshold(assay_answer_id_t id, const char *number,
                                             const char *unit, const assay_place_t *at,
                                             double *out_value, assay_error_t *err);

#endif
