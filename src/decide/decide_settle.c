#include "decide/decide_axis.h"

#include "base/banned.h"

bool assay_decide_meets_deadline(const assay_decide_ctx_t *ctx, double hours) {
    const double deadline_s = ctx->resolved->workload.deadline_s;
    return deadline_s <= 0.0 || hours * 3600.0 <= deadline_s;
}

/* The cheaper at central values of `best` (-1 = none yet) and c; ties: the first. */
static int32_t cheaper(const assay_decision_t *decision, int32_t best, uint32_t c) {
    const assay_candidate_t *candidate = decision->candidate;
    return best < 0 || candidate[c].point.job_usd < candidate[best].point.job_usd ? (int32_t)c
                                                                                  : best;
}

static int32_t cheapest_eligible(const assay_decision_t *decision, int32_t except) {
    int32_t best = -1;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (decision->candidate[c].eligible && (int32_t)c != except) {
            best = cheaper(decision, best, c);
        }
    }
    return best;
}

/* Of the candidates that fit, whatever the deadline. */
static int32_t cheapest_side(const assay_decision_t *decision, bool moves) {
    int32_t best = -1;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (decision->candidate[c].fits && decision->candidate[c].money_case.moves == moves) {
            best = cheaper(decision, best, c);
        }
    }
    return best;
}

void assay_decide_sides(assay_decide_ctx_t *ctx) {
    ctx->mover = cheapest_side(ctx->out, true);
    ctx->incumbent = cheapest_side(ctx->out, false);
}

/* What was measured takes the place of what was predicted. */
static assay_estimate_t measured(const assay_machine_t *machine, const assay_estimate_t *best) {
    assay_estimate_t out = *best;
    if (machine->measured_step_s.known) {
        out.tokens_per_s *= out.step_s / machine->measured_step_s.v;
        out.step_s = machine->measured_step_s.v;
        out.rel_p10 = out.rel_p90 = 1.0;
    }
    return out;
}

static void value_candidate(const assay_decide_ctx_t *ctx, assay_candidate_t *candidate) {
    candidate->fits = candidate->plan.found;
    if (!candidate->fits) {
        return;
    }
    const assay_decide_settings_t *settings = &ctx->settings;
    const assay_money_spread_t spread = {settings->common_share.v, settings->power_p10.v,
                                         settings->power_p90.v};
    const assay_estimate_t best = measured(candidate->machine, &candidate->plan.best);
    assay_money_case(&ctx->resolved->money, candidate->machine, &ctx->resolved->workload, &best,
                     &spread, &candidate->money_case);
    if (candidate->machine->measured_node_w.known) {
        candidate->money_case.node_w = candidate->machine->measured_node_w.v;
        candidate->money_case.draw[ASSAY_DRAW_POWER] = assay_dist_fixed(1.0);
    }
    assay_money_eval(&candidate->money_case, NULL, &candidate->point);
    candidate->days = candidate->point.days;
    candidate->meets_deadline = assay_decide_meets_deadline(ctx, candidate->point.hours);
    candidate->eligible = candidate->meets_deadline;
}

assay_status_t assay_decide_settle(assay_decide_ctx_t *ctx, assay_candidate_t *candidate,
                                   uint32_t n, uint32_t threads, assay_decision_t **out_decision,
                                   assay_error_t *err) {
    assay_decision_t *decision = assay_arena_alloc(ctx->arena, sizeof *decision);
    if (!decision) {
        return assay_error_memory(err, NULL);
    }
    decision->resolved = ctx->resolved;
    decision->candidate = candidate;
    decision->n_candidate = n;
    ctx->out = decision;
    for (uint32_t c = 0; c < n; c++) {
        value_candidate(ctx, &candidate[c]);
    }
    decision->choice = cheapest_eligible(decision, -1);
    decision->runner_up = decision->choice < 0 ? -1 : cheapest_eligible(decision, decision->choice);
    assay_decide_sides(ctx);

    assay_status_t status = assay_decide_sample(ctx, threads, err);
    if (status) {
        return status;
    }
    decision->probability = decision->choice < 0 ? 0.0 : candidate[decision->choice].p_best;
    status = assay_decide_rules(ctx, err);
    if (status) {
        return status;
    }
    assay_decide_mix(ctx);
    decide_game_t game;
    status = decide_game_of_training(ctx, decision, &game, err);
    status = status ? status : decide_flips(&game, -1, &decision->flip, &decision->n_flip, err);
    if (status) {
        return status;
    }
    assay_decide_reasons(ctx);
    assay_decide_verdict(ctx);
    assay_decide_notes(ctx);
    if (ctx->failed) {
        return assay_error_memory(err, NULL);
    }
    *out_decision = decision;
    return ASSAY_OK;
}
