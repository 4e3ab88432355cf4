/* Why a candidate is not the choice, of a job that trains. */
#include "decide/why.h"

#include "decide/decide_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

#define LEAST_USD 0.005 /* less is no difference: half a cent */

assay_status_t decide_why_find(assay_arena_t *arena, const assay_resolved_t *resolved,
                               const char *id, uint32_t *out_index, assay_error_t *err) {
    const uint32_t n = resolved->n_machine;
    const char **name = assay_arena_array(arena, n + 1, sizeof *name);
    if (!name) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n; i++) {
        name[i] = resolved->machine[i].id;
        if (strcmp(name[i], id) == 0) {
            *out_index = i;
            return ASSAY_OK;
        }
    }
    assay_error_set(err, ASSAY_NOT_FOUND, NULL, "the job has no candidate '%s'", id);
    const char *near = assay_text_nearest(id, name, n);
    if (near || n > 0) {
        assay_error_next(err, near ? "did you mean '%s'?" : "'%s' is one", near ? near : name[0]);
    }
    return ASSAY_NOT_FOUND;
}

static int by_difference(const void *a, const void *b) {
    const assay_why_term_t *x = a, *y = b;
    const double dx = fabs(x->usd - x->choice_usd), dy = fabs(y->usd - y->choice_usd);
    return dx > dy ? -1 : dx < dy ? 1 : (int)x->term - (int)y->term;
}

void decide_why_terms(assay_why_not_t *out, const double usd[ASSAY_TERM_N],
                      const double choice_usd[ASSAY_TERM_N]) {
    for (uint8_t k = 0; k < ASSAY_TERM_N; k++) {
        if (fabs(usd[k] - choice_usd[k]) >= LEAST_USD) {
            out->term[out->n_term++] = (assay_why_term_t){k, usd[k], choice_usd[k]};
        }
    }
    qsort(out->term, out->n_term, sizeof out->term[0], by_difference);
}

const char *decide_why_sentence(assay_decide_ctx_t *ctx, const assay_why_not_t *why) {
    const char *usd = assay_decide_format(ctx, why->usd, ASSAY_DIM_MONEY);
    const char *sure = assay_decide_probability(ctx, why->p_best);
    if (why->reason == ASSAY_WHY_CHOICE) {
        return SAY(ctx, WHY_IS_CHOICE, why->id, usd, sure);
    }
    return SAY(ctx, WHY_DEARER, why->id, usd,
               assay_decide_format(ctx, why->usd - why->choice_usd, ASSAY_DIM_MONEY),
               assay_decide_format(ctx, why->usd / why->choice_usd - 1.0, ASSAY_DIM_FRACTION),
               why->choice, assay_decide_format(ctx, why->choice_usd, ASSAY_DIM_MONEY), sure);
}

static const char *late(assay_decide_ctx_t *ctx, const assay_candidate_t *candidate) {
    const double run_s = candidate->point.hours * 3600.0;
    const double deadline_s = ctx->resolved->workload.deadline_s;
    return SAY(ctx, WHY_LATE, candidate->machine->id,
               assay_decide_format(ctx, run_s, ASSAY_DIM_TIME),
               assay_decide_format(ctx, deadline_s, ASSAY_DIM_TIME),
               assay_decide_format(ctx, run_s / deadline_s, ASSAY_DIM_NUMBER));
}

static const assay_layout_t *nearest_layout(const assay_plan_t *plan) {
    const assay_refusal_t *memory = &plan->refused[ASSAY_REJECT_MEMORY];
    return memory->count > 0 ? &memory->nearest.layout : NULL;
}

assay_status_t assay_why_not(assay_arena_t *arena, const assay_decision_t *decision, const char *id,
                             const char *const *data_dir, uint32_t n_data_dir, assay_why_not_t *out,
                             assay_error_t *err) {
    assay_decide_ctx_t ctx = {.arena = arena, .resolved = decision->resolved};
    decide_game_t game;
    uint32_t index = 0;
    assay_status_t status = decide_why_find(arena, decision->resolved, id, &index, err);
    if (!status) {
        status = assay_decide_settings(arena, data_dir, n_data_dir, &ctx.settings, err);
    }
    if (status) {
        return status;
    }
    const assay_candidate_t *candidate = &decision->candidate[index];
    const assay_candidate_t *choice =
        decision->choice >= 0 ? &decision->candidate[decision->choice] : NULL;
    *out = (assay_why_not_t){.resolved = decision->resolved,
                             .id = candidate->machine->id,
                             .choice = choice ? choice->machine->id : NULL,
                             .reason = candidate == choice    ? ASSAY_WHY_CHOICE
                                       : !candidate->fits     ? ASSAY_WHY_NO_FIT
                                       : !candidate->eligible ? ASSAY_WHY_LATE
                                                              : ASSAY_WHY_DEARER,
                             .usd = candidate->point.job_usd,
                             .p_best = candidate->p_best};
    if (out->reason == ASSAY_WHY_NO_FIT) {
        out->sentence = assay_decide_refusal(&ctx, candidate);
        out->nearest = nearest_layout(&candidate->plan);
    } else {
        if (choice) {
            out->has_cost = true;
            out->choice_usd = choice->point.job_usd;
            decide_why_terms(out, candidate->point.job_term_usd, choice->point.job_term_usd);
        }
        out->flip = decision->flip;
        out->n_flip = decision->n_flip;
        if (out->reason != ASSAY_WHY_CHOICE) {
            status = decide_game_of_training(&ctx, decision, &game, err);
            status = status ? status
                            : decide_flips(&game, (int32_t)index, &out->flip, &out->n_flip, err);
            if (status) {
                return status;
            }
        }
        out->sentence =
            out->reason == ASSAY_WHY_LATE ? late(&ctx, candidate) : decide_why_sentence(&ctx, out);
    }
    return ctx.failed ? assay_error_memory(err, NULL) : ASSAY_OK;
}
