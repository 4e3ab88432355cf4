#include "decide/fleet_money.h"

#include <math.h>

#include "base/banned.h"

double fleet_nodes_for(const fleet_t *fleet, double replicas) {
    const double per_node = fleet->machine->devices_per_node;
    const double per_replica = fleet->devices_per_replica;
    return per_replica <= per_node ? ceil(replicas / floor(per_node / per_replica))
                                   : replicas * ceil(per_replica / per_node);
}

void fleet_price(const assay_decide_ctx_t *ctx, fleet_t *io) {
    const assay_money_spread_t spread = {ctx->settings.common_share.v, ctx->settings.power_p10.v,
                                         ctx->settings.power_p90.v};
    const assay_workload_t month = {.tokens = ASSAY_HOURS_PER_MONTH * 3600, .epochs = 1};
    const assay_estimate_t estimate = {.tokens_per_s = 1,
                                       .device_w = io->device_w,
                                       .rel_p10 = io->rel_p10,
                                       .rel_p90 = io->rel_p90};
    assay_machine_t machine = *io->machine;
    assay_money_input_t money = ctx->resolved->money;
    machine.nodes = (uint32_t)io->nodes;
    machine.devices = machine.nodes * machine.devices_per_node;
    money.utilisation = 1; /* it serves around the clock */
    assay_money_case(&money, &machine, &month, &estimate, &spread, &io->money_case);
    /* the drawn error of the steps changes how many replicas there are, not how long a month is */
    io->money_case.draw[ASSAY_DRAW_STEP_COMMON] = assay_dist_fixed(1);
    io->money_case.draw[ASSAY_DRAW_STEP_OWN] = assay_dist_fixed(1);
    assay_money_eval(&io->money_case, NULL, &io->point);
}

void fleet_choose(const fleet_t *fleet, uint32_t n, int32_t *out_choice, int32_t *out_runner_up) {
    int32_t choice = -1, runner_up = -1;
    for (uint32_t c = 0; c < n; c++) {
        if (!fleet[c].fits) {
            continue;
        }
        const double usd = fleet[c].point.tco_usd;
        if (choice < 0 || usd < fleet[choice].point.tco_usd) {
            runner_up = choice;
            choice = (int32_t)c;
        } else if (runner_up < 0 || usd < fleet[runner_up].point.tco_usd) {
            runner_up = (int32_t)c;
        }
    }
    *out_choice = choice;
    *out_runner_up = runner_up;
}

/* ---- samples ---- */

/* One sample of one candidate. */
static void eval_sample(const assay_draws_t *draws, const fleet_t *fleet, uint32_t sample,
                        const assay_money_case_t *steps, double *out_tco_usd,
                        double *out_month_usd) {
    double u[ASSAY_DRAW_N];
    assay_money_result_t result;
    assay_money_case_t drawn = fleet->money_case;
    assay_decide_draw_of(draws, sample, u);
    const double slower =
        assay_dist_quantile(&steps->draw[ASSAY_DRAW_STEP_COMMON], u[ASSAY_DRAW_STEP_COMMON]) *
        assay_dist_quantile(&steps->draw[ASSAY_DRAW_STEP_OWN], u[ASSAY_DRAW_STEP_OWN]);
    assay_money_set_nodes(&drawn, fleet_nodes_for(fleet, ceil(fleet->needed * slower - 1e-9)));
    assay_money_eval(&drawn, u, &result);
    *out_tco_usd = result.tco_usd;
    *out_month_usd = result.rate_usd_per_h * ASSAY_HOURS_PER_MONTH;
}

static assay_spread_t spread_of(double *value, uint32_t n) {
    assay_spread_t out = {0};
    for (uint32_t i = 0; i < n; i++) {
        out.mean += value[i] / n;
    }
    const assay_dist_t dist = assay_dist_of_sample(value, n);
    out.p10 = assay_dist_quantile(&dist, .1);
    out.p50 = assay_dist_quantile(&dist, .5);
    out.p90 = assay_dist_quantile(&dist, .9);
    return out;
}

/* How the error is shared: as money shares that of a step. */
static void error_of(const assay_decide_ctx_t *ctx, const fleet_t *fleet,
                     assay_money_case_t *out_steps) {
    const assay_workload_t work = {.tokens = 1, .epochs = 1};
    const assay_estimate_t estimate = {
        .tokens_per_s = 1, .rel_p10 = fleet->rel_p10, .rel_p90 = fleet->rel_p90};
    const assay_money_spread_t spread = {ctx->settings.common_share.v, 1, 1};
    assay_money_case(&ctx->resolved->money, fleet->machine, &work, &estimate, &spread, out_steps);
}

assay_status_t fleet_sample(const assay_decide_ctx_t *ctx, fleet_t *fleet, uint32_t n,
                            int32_t choice, double *out_regret_usd, assay_error_t *err) {
    const uint32_t samples = ctx->resolved->samples;
    double *tco = assay_arena_array(ctx->arena, (size_t)samples * n, sizeof *tco);
    double *month = assay_arena_array(ctx->arena, samples, sizeof *month);
    if (!tco || !month) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t c = 0; c < n; c++) {
        if (fleet[c].fits) {
            assay_money_case_t steps;
            assay_draws_t draws;
            error_of(ctx, &fleet[c], &steps);
            assay_decide_draws(ctx->resolved->seed, ctx->resolved->money.correlations, c, &draws);
            for (uint32_t i = 0; i < samples; i++) {
                eval_sample(&draws, &fleet[c], i, &steps, &tco[(size_t)c * samples + i], &month[i]);
            }
            fleet[c].month_usd = spread_of(month, samples);
        }
    }
    double regret = 0;
    for (uint32_t i = 0; i < samples; i++) {
        double best = INFINITY;
        uint32_t ties = 0;
        for (uint32_t c = 0; c < n; c++) {
            if (fleet[c].fits) {
                const double usd = tco[(size_t)c * samples + i];
                ties = usd < best ? 1 : ties + !(usd > best);
                best = fmin(best, usd);
            }
        }
        for (uint32_t c = 0; c < n; c++) {
            if (fleet[c].fits && !(tco[(size_t)c * samples + i] > best)) {
                fleet[c].p_best += 1.0 / ties / samples;
            }
        }
        regret += choice >= 0 ? (tco[(size_t)choice * samples + i] - best) / samples : 0;
    }
    *out_regret_usd = regret;
    for (uint32_t c = 0; c < n; c++) {
        if (fleet[c].fits) {
            fleet[c].tco_usd = spread_of(&tco[(size_t)c * samples], samples);
        }
    }
    return ASSAY_OK;
}
