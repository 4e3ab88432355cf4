/* Why a candidate is not the choice, of a job that serves. */
#include "decide/decide_axis.h"
#include "decide/why.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

static const char *refusal(assay_decide_ctx_t *ctx, const assay_serving_candidate_t *candidate) {
    static const assay_message_t why[] = {[ASSAY_SERVE_FLEET_FITS] = ASSAY_MSG_SERVING_FITS,
                                          [ASSAY_SERVE_FLEET_LAYOUT] = ASSAY_MSG_SERVING_NO_LAYOUT,
                                          [ASSAY_SERVE_FLEET_MEMORY] = ASSAY_MSG_SERVING_NO_MEMORY,
                                          [ASSAY_SERVE_FLEET_LIMITS] = ASSAY_MSG_SERVING_NO_LIMITS,
                                          [ASSAY_SERVE_FLEET_NODES] = ASSAY_MSG_SERVING_NO_NODES};
    const char *id = candidate->machine->id;
    if (candidate->fleets.n_fleet == 0) {
        return SAY(ctx, DECIDE_REFUSED_NO_LAYOUT, id);
    }
    const assay_serve_fleet_t *fleet = &candidate->fleets.fleet[0];
    return SAY(ctx, WHY_NO_FLEET, id, assay_decide_say(ctx, why[fleet->verdict], NULL, 0),
               assay_decide_format(ctx, fleet->way.layout.tp, ASSAY_DIM_COUNT),
               assay_decide_format(ctx, fleet->way.layout.pp, ASSAY_DIM_COUNT));
}

assay_status_t assay_why_not_serving(assay_arena_t *arena, const assay_serving_decision_t *decision,
                                     const char *id, const char *const *data_dir,
                                     uint32_t n_data_dir, assay_why_not_t *out,
                                     assay_error_t *err) {
    assay_decide_ctx_t ctx = {.arena = arena, .resolved = decision->resolved};
    uint32_t index = 0;
    assay_status_t status = decide_why_find(arena, decision->resolved, id, &index, err);
    if (!status) {
        status = assay_decide_settings(arena, data_dir, n_data_dir, &ctx.settings, err);
    }
    if (status) {
        return status;
    }
    const assay_serving_candidate_t *candidate = &decision->candidate[index];
    *out = (assay_why_not_t){.resolved = decision->resolved,
                             .id = candidate->machine->id,
                             .usd = candidate->point.tco_usd,
                             .p_best = candidate->p_best};
    if (decision->choice >= 0) {
        out->choice = decision->candidate[decision->choice].machine->id;
    }
    if (!candidate->fleet) {
        out->reason = ASSAY_WHY_NO_FIT;
        out->sentence = refusal(&ctx, candidate);
    } else { /* so that one is chosen */
        const assay_serving_candidate_t *choice = &decision->candidate[decision->choice];
        out->reason = candidate == choice ? ASSAY_WHY_CHOICE : ASSAY_WHY_DEARER;
        out->has_cost = true;
        out->choice_usd = choice->point.tco_usd;
        decide_why_terms(out, candidate->point.tco_term_usd, choice->point.tco_term_usd);
        out->sentence = decide_why_sentence(&ctx, out);
        if (candidate == choice) {
            out->flip = decision->flip;
            out->n_flip = decision->n_flip;
            return ctx.failed ? assay_error_memory(err, NULL) : ASSAY_OK;
        }
        const assay_explain_of_t of = {.serving = decision};
        decide_game_t game;
        status = decide_game_of(&ctx, &of, &game, err);
        status =
            status ? status : decide_flips(&game, (int32_t)index, &out->flip, &out->n_flip, err);
        if (status) {
            return status;
        }
    }
    return ctx.failed ? assay_error_memory(err, NULL) : ASSAY_OK;
}
