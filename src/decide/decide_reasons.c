/* The verdict in one sentence, and what it rests on. */
#include "decide/decision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define TERMS_SHOWN 3
#define REASON_SHARE 0.005 /* terms that differ by less of the choice's cost are not told */
#define SAME_SPEED 0.005   /* less would print as 1.00 */

static void add_reason(assay_decide_ctx_t *ctx, const char *text, double usd) {
    ctx->out->reason[ctx->out->n_reason++] = (assay_reason_t){text, usd};
}

/* By how much a term of the choice is smaller. What is left of the hardware goes with its price. */
static double saving_usd(const assay_decision_t *decision, int term) {
    const double *choice = decision->candidate[decision->choice].point.job_term_usd;
    const double *other = decision->candidate[decision->runner_up].point.job_term_usd;
    switch (term) {
    case ASSAY_TERM_CAPEX:
        return other[ASSAY_TERM_CAPEX] + other[ASSAY_TERM_RESIDUAL] - choice[ASSAY_TERM_CAPEX] -
               choice[ASSAY_TERM_RESIDUAL];
    case ASSAY_TERM_RESIDUAL:
        return 0.0;
    default:
        return other[term] - choice[term];
    }
}

/* The largest differences of terms. */
static void add_terms(assay_decide_ctx_t *ctx) {
    const assay_decision_t *decision = ctx->out;
    const double least = REASON_SHARE * decision->candidate[decision->choice].point.job_usd;
    bool told[ASSAY_TERM_N] = {false};
    for (int shown = 0; shown < TERMS_SHOWN; shown++) {
        int largest = 0;
        double largest_usd = 0.0;
        for (int k = 0; k < ASSAY_TERM_N; k++) {
            const double usd = saving_usd(decision, k);
            if (!told[k] && fabs(usd) > fabs(largest_usd)) {
                largest = k;
                largest_usd = usd;
            }
        }
        if (fabs(largest_usd) <= least) {
            return;
        }
        told[largest] = true;
        const char *what = largest == ASSAY_TERM_CAPEX
                               ? SAY0(ctx, DECIDE_REASON_HARDWARE)
                               : assay_decide_phrase(ctx, assay_term_what((assay_term_t)largest));
        const char *usd = assay_decide_format(ctx, fabs(largest_usd), ASSAY_DIM_MONEY);
        const char *choice_id = assay_decide_id(ctx, decision->choice);
        const char *other_id = assay_decide_id(ctx, decision->runner_up);
        add_reason(ctx,
                   largest_usd > 0.0
                       ? SAY(ctx, DECIDE_REASON_SAVES, what, choice_id, usd, other_id)
                       : SAY(ctx, DECIDE_REASON_COSTS, what, choice_id, usd, other_id),
                   largest_usd);
    }
}

static void add_speed(assay_decide_ctx_t *ctx) {
    const assay_decision_t *decision = ctx->out;
    const char *choice_id = assay_decide_id(ctx, decision->choice);
    const char *other_id = assay_decide_id(ctx, decision->runner_up);
    const double ratio = decision->candidate[decision->runner_up].point.hours /
                         decision->candidate[decision->choice].point.hours;
    const char *text = fabs(ratio - 1.0) < SAME_SPEED
                           ? SAY(ctx, DECIDE_REASON_SAME_SPEED, choice_id, other_id)
                           : SAY(ctx, DECIDE_REASON_SPEED, choice_id,
                                 assay_decide_format(ctx, ratio, ASSAY_DIM_NUMBER), other_id);
    add_reason(ctx, text, 0.0);
}

static void add_basis(assay_decide_ctx_t *ctx, int32_t index) {
    const assay_candidate_t *candidate = &ctx->out->candidate[index];
    const assay_estimate_t *best = &candidate->plan.best;
    add_reason(ctx,
               SAY(ctx, DECIDE_REASON_BASIS, candidate->machine->id,
                   assay_decide_phrase(ctx, assay_basis_name((assay_basis_t)best->basis)),
                   assay_decide_format(ctx, best->rel_p10, ASSAY_DIM_NUMBER),
                   assay_decide_format(ctx, best->rel_p90, ASSAY_DIM_NUMBER)),
               0.0);
}

static void add_deadline(assay_decide_ctx_t *ctx) {
    const assay_candidate_t *choice = &ctx->out->candidate[ctx->out->choice];
    const double deadline_s = ctx->resolved->workload.deadline_s;
    if (deadline_s > 0.0) {
        add_reason(ctx,
                   SAY(ctx, DECIDE_REASON_DEADLINE, choice->machine->id,
                       assay_decide_format(ctx, choice->point.hours * 3600.0, ASSAY_DIM_TIME),
                       assay_decide_format(ctx, deadline_s, ASSAY_DIM_TIME),
                       assay_decide_probability(ctx, choice->p_deadline)),
                   0.0);
    }
}

/* What stops cost a long run, and what its energy is. */
static void add_run(assay_decide_ctx_t *ctx) {
    const assay_candidate_t *choice = &ctx->out->candidate[ctx->out->choice];
    const assay_money_result_t *point = &choice->point;
    assay_token_energy_t energy;
    if (ctx->resolved->workload.tokens > 0.0 && point->stops > 0.0) {
        add_reason(ctx,
                   SAY(ctx, DECIDE_REASON_STOPS, choice->machine->id,
                       assay_decide_format(ctx, point->stops, ASSAY_DIM_NUMBER),
                       assay_decide_format(ctx, point->hours * 3600.0, ASSAY_DIM_TIME),
                       assay_decide_format(ctx, point->lost.stop_s, ASSAY_DIM_TIME),
                       assay_decide_format(ctx, point->lost.interval_s, ASSAY_DIM_TIME),
                       assay_decide_format(ctx, point->goodput, ASSAY_DIM_FRACTION)),
                   0.0);
    }
    if (assay_money_token_energy(&choice->money_case, point, &energy)) {
        add_reason(ctx,
                   SAY(ctx, DECIDE_REASON_TOKEN, choice->machine->id,
                       assay_decide_format(ctx, energy.v, ASSAY_DIM_NUMBER),
                       assay_decide_format(ctx, energy.p10, ASSAY_DIM_NUMBER),
                       assay_decide_format(ctx, energy.p90, ASSAY_DIM_NUMBER),
                       assay_decide_format(ctx, energy.packages, ASSAY_DIM_NUMBER),
                       assay_decide_format(ctx, energy.host_share, ASSAY_DIM_FRACTION)),
                   0.0);
    }
}

/* Why the others are out. */
static void add_excluded(assay_decide_ctx_t *ctx) {
    const assay_decision_t *decision = ctx->out;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        const assay_candidate_t *candidate = &decision->candidate[c];
        if (!candidate->fits) {
            add_reason(ctx, assay_decide_refusal(ctx, candidate), 0.0);
        } else if (!candidate->eligible) {
            add_reason(
                ctx,
                SAY(ctx, DECIDE_REASON_LATE, candidate->machine->id,
                    assay_decide_format(ctx, candidate->point.hours * 3600.0, ASSAY_DIM_TIME),
                    assay_decide_format(ctx, ctx->resolved->workload.deadline_s, ASSAY_DIM_TIME),
                    assay_decide_format(ctx, candidate->point.job_usd, ASSAY_DIM_MONEY)),
                0.0);
        }
    }
}

void assay_decide_reasons(assay_decide_ctx_t *ctx) {
    assay_decision_t *decision = ctx->out;
    decision->reason = assay_arena_array(
        ctx->arena, (size_t)decision->n_candidate + TERMS_SHOWN + 6, sizeof *decision->reason);
    if (!decision->reason) {
        ctx->failed = true;
        return;
    }
    if (decision->runner_up >= 0) {
        add_terms(ctx);
        add_speed(ctx);
    }
    if (decision->choice >= 0) {
        add_deadline(ctx);
        add_basis(ctx, decision->choice);
    }
    if (decision->runner_up >= 0) {
        add_basis(ctx, decision->runner_up);
    }
    if (decision->choice >= 0) {
        add_run(ctx);
    }
    add_excluded(ctx);
}

/* The refusal that came nearest: memory when any layout got that far, else the commonest. */
const char *assay_decide_refusal(assay_decide_ctx_t *ctx, const assay_candidate_t *candidate) {
    const assay_refusal_t *refused = candidate->plan.refused;
    int worst = ASSAY_REJECT_MEMORY;
    if (refused[worst].count == 0) {
        for (int k = 0; k < ASSAY_REJECT_N; k++) {
            worst = refused[k].count > refused[worst].count ? k : worst;
        }
    }
    if (refused[worst].count == 0) {
        return SAY(ctx, DECIDE_REFUSED_NO_LAYOUT, candidate->machine->id);
    }
    const assay_dim_t dim =
        assay_reject_is_memory((assay_reject_t)worst) ? ASSAY_DIM_MEMORY : ASSAY_DIM_COUNT;
    const assay_estimate_t *nearest = &refused[worst].nearest;
    return SAY(ctx, DECIDE_REFUSED, candidate->machine->id,
               assay_decide_phrase(ctx, assay_reject_sentence((assay_reject_t)worst)),
               assay_decide_format(ctx, nearest->need, dim),
               assay_decide_format(ctx, nearest->have, dim));
}

static const char *verdict_without_choice(assay_decide_ctx_t *ctx) {
    const assay_decision_t *decision = ctx->out;
    int32_t fastest = -1;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (decision->candidate[c].fits &&
            (fastest < 0 ||
             decision->candidate[c].point.hours < decision->candidate[fastest].point.hours)) {
            fastest = (int32_t)c;
        }
    }
    if (fastest < 0) {
        return decision->n_candidate == 0 ? SAY0(ctx, DECIDE_VERDICT_NO_CANDIDATE)
                                          : SAY(ctx, DECIDE_VERDICT_NOTHING_FITS,
                                                assay_decide_refusal(ctx, &decision->candidate[0]));
    }
    const double run_s = decision->candidate[fastest].point.hours * 3600.0;
    const double deadline_s = ctx->resolved->workload.deadline_s;
    return SAY(ctx, DECIDE_VERDICT_ALL_LATE, assay_decide_format(ctx, deadline_s, ASSAY_DIM_TIME),
               assay_decide_id(ctx, fastest), assay_decide_format(ctx, run_s, ASSAY_DIM_TIME),
               assay_decide_format(ctx, run_s / deadline_s, ASSAY_DIM_NUMBER));
}

static const char *verdict_alone(assay_decide_ctx_t *ctx) {
    const assay_decision_t *decision = ctx->out;
    const assay_candidate_t *choice = &decision->candidate[decision->choice];
    const char *usd = assay_decide_format(ctx, choice->point.job_usd, ASSAY_DIM_MONEY);
    const char *run = assay_decide_format(ctx, choice->point.hours * 3600.0, ASSAY_DIM_TIME);
    return decision->n_candidate == 1
               ? SAY(ctx, DECIDE_VERDICT_ONLY, choice->machine->id, usd, run)
               : SAY(ctx, DECIDE_VERDICT_ONLY_ELIGIBLE, choice->machine->id, usd, run);
}

void assay_decide_verdict(assay_decide_ctx_t *ctx) {
    assay_decision_t *decision = ctx->out;
    if (decision->choice < 0) {
        decision->sentence = verdict_without_choice(ctx);
        return;
    }
    if (decision->runner_up < 0) {
        decision->sentence = verdict_alone(ctx);
        return;
    }
    const assay_candidate_t *choice = &decision->candidate[decision->choice];
    const assay_candidate_t *other = &decision->candidate[decision->runner_up];
    const double saving = 1.0 - choice->point.job_usd / other->point.job_usd;
    const char *arg[] = {
        choice->machine->id,
        assay_decide_format(ctx, saving, ASSAY_DIM_FRACTION),
        other->machine->id,
        assay_decide_format(ctx, choice->point.job_usd, ASSAY_DIM_MONEY),
        assay_decide_format(ctx, other->point.job_usd, ASSAY_DIM_MONEY),
        assay_decide_probability(ctx, decision->probability),
        assay_decide_format(ctx, choice->point.hours * 3600.0, ASSAY_DIM_TIME),
        assay_decide_format(ctx, other->point.hours * 3600.0, ASSAY_DIM_TIME),
    };
    const bool close = decision->probability < ctx->settings.close_call.v;
    if (close && strcmp(arg[3], arg[4]) == 0) { /* as printed: "0 % cheaper" says nothing */
        decision->sentence =
            SAY(ctx, DECIDE_VERDICT_SAME, arg[0], arg[2], arg[3], arg[5], arg[6], arg[7]);
        return;
    }
    decision->sentence = assay_decide_say(
        ctx, close ? ASSAY_MSG_DECIDE_VERDICT_CLOSE : ASSAY_MSG_DECIDE_VERDICT_CHEAPER, arg,
        sizeof arg / sizeof *arg);
}
