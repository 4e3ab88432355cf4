#include "decide/decide_axis.h"

#include <math.h>

#include "base/banned.h"

static double whole_replicas(double needed) {
    return fmax(1, ceil(needed - 1e-9)); /* 1e-9: of rounding, as the plans have it */
}

fleet_part_t fleet_part(uint32_t count, double exact, double copies, double devices) {
    const bool rounded = exact > 0 && fabs(whole_replicas(exact) - count) < 0.5;
    return (fleet_part_t){rounded ? exact : count - 0.5, copies, devices};
}

/* Parts of one size fill nodes together. */
double fleet_nodes_at(const fleet_t *fleet, double slower) {
    double nodes = 0, together = 0;
    for (uint32_t i = 0; i < fleet->n_part; i++) {
        const fleet_part_t *part = &fleet->part[i];
        const bool last = i + 1 == fleet->n_part || fabs(part[1].devices - part->devices) > 0;
        together += part->copies * whole_replicas(part->needed * slower);
        if (last) {
            nodes += assay_serve_nodes(fleet->machine, together, part->devices);
            together = 0;
        }
    }
    return nodes;
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
    if (io->machine->measured_node_w.known) {
        io->money_case.node_w = io->machine->measured_node_w.v;
        io->money_case.draw[ASSAY_DRAW_POWER] = assay_dist_fixed(1);
    }
    assay_money_eval(&io->money_case, NULL, &io->point);
}

/* The error is shared as money shares that of a step. */
void fleet_errors(const assay_decide_ctx_t *ctx, fleet_t *io) {
    if (!io->fits) {
        return;
    }
    const assay_workload_t work = {.tokens = 1, .epochs = 1};
    const assay_estimate_t estimate = {
        .tokens_per_s = 1, .rel_p10 = io->rel_p10, .rel_p90 = io->rel_p90};
    const assay_money_spread_t spread = {ctx->settings.common_share.v, 1, 1};
    assay_money_case_t steps;
    assay_money_case(&ctx->resolved->money, io->machine, &work, &estimate, &spread, &steps);
    io->step_common = steps.draw[ASSAY_DRAW_STEP_COMMON];
    io->step_own = steps.draw[ASSAY_DRAW_STEP_OWN];
}

/* ---- samples ---- */

#define SCRATCH_BYTES ((size_t)2 << 30)

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

/* TCO and month of every sample of one player. */
static bool sample_one(const decide_game_t *game, assay_arena_t *scratch, uint32_t c, double *tco,
                       double *month) {
    const assay_resolved_t *resolved = game->ctx->resolved;
    const decide_player_t *player = &game->player[c];
    decide_side_t *side = assay_arena_alloc(scratch, sizeof *side);
    assay_draws_t *draws = assay_arena_alloc(scratch, sizeof *draws);
    if (!side || !draws) {
        return false;
    }
    assay_decide_draws(resolved->seed, resolved->money.correlations, c, draws);
    decide_side_begin(player, side);
    for (uint32_t i = 0; i < resolved->samples; i++) {
        double x[ASSAY_DRAW_N];
        assay_money_result_t result;
        decide_values(player, draws, i, x);
        decide_side_eval(player, side, x, &result);
        tco[i] = result.tco_usd;
        month[i] = result.rate_usd_per_h * ASSAY_HOURS_PER_MONTH;
    }
    return true;
}

/* In how many of the samples each is cheapest, ties shared; returns the regret of the choice. */
static double count_best(const decide_game_t *game, fleet_t *fleet) {
    const uint32_t samples = game->ctx->resolved->samples;
    double regret = 0;
    for (uint32_t i = 0; i < samples; i++) {
        double best = INFINITY;
        uint32_t ties = 0;
        for (uint32_t c = 0; c < game->n; c++) {
            if (fleet[c].fits) {
                const double usd = game->player[c].usd[i];
                ties = usd < best ? 1 : ties + !(usd > best);
                best = fmin(best, usd);
            }
        }
        for (uint32_t c = 0; c < game->n; c++) {
            if (fleet[c].fits && !(game->player[c].usd[i] > best)) {
                fleet[c].p_best += 1.0 / ties / samples;
            }
        }
        regret += game->choice >= 0 ? (game->player[game->choice].usd[i] - best) / samples : 0;
    }
    return regret;
}

static assay_status_t sample_with(decide_game_t *game, assay_arena_t *scratch, fleet_t *fleet,
                                  fleet_verdict_t *out, assay_error_t *err) {
    const uint32_t samples = game->ctx->resolved->samples;
    double *month = assay_arena_array(scratch, samples, sizeof *month);
    double **tco = assay_arena_array(scratch, game->n, sizeof *tco);
    bool room = month && tco;
    for (uint32_t c = 0; c < game->n && room; c++) {
        tco[c] = fleet[c].fits ? assay_arena_array(scratch, samples, sizeof *tco[c]) : NULL;
        if (fleet[c].fits) {
            room = tco[c] && sample_one(game, scratch, c, tco[c], month);
            game->player[c].usd = tco[c];
        }
        if (fleet[c].fits && room) {
            fleet[c].month_usd = spread_of(month, samples);
        }
    }
    if (!room) {
        return assay_error_memory(err, NULL);
    }
    out->regret_usd = count_best(game, fleet);
    for (uint32_t c = 0; c < game->n; c++) {
        game->player[c].p_best = fleet[c].p_best;
    }
    const assay_status_t status = /* before the samples lose their order */
        assay_decide_sensitivity(game, scratch, &out->sensitivity, err);
    for (uint32_t c = 0; c < game->n && !status; c++) {
        if (fleet[c].fits) {
            fleet[c].tco_usd = spread_of(tco[c], samples);
        }
    }
    return status;
}

assay_status_t fleet_decide(assay_decide_ctx_t *ctx, fleet_t *fleet, uint32_t n,
                            const assay_serving_candidate_t *serving, fleet_verdict_t *out,
                            assay_error_t *err) {
    decide_game_t game;
    for (uint32_t c = 0; c < n; c++) {
        fleet_errors(ctx, &fleet[c]);
    }
    assay_status_t status = decide_game_of_fleets(ctx, fleet, n, serving, &game, err);
    if (status) {
        return status;
    }
    *out = (fleet_verdict_t){.choice = game.choice, .runner_up = game.runner_up};
    assay_arena_t *scratch = assay_arena_create(SCRATCH_BYTES);
    status = scratch ? sample_with(&game, scratch, fleet, out, err) : assay_error_memory(err, NULL);
    assay_arena_destroy(scratch);
    return status ? status : decide_flips(&game, -1, &out->flip, &out->n_flip, err);
}
