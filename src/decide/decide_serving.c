/* Serving: every candidate's fleet, what it costs around the clock, and which is cheapest how
 * surely. */
#include "decide/decision.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define HOURS_PER_MONTH (ASSAY_HOURS_PER_YEAR / 12)

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nodes for `factor` times the replicas, in the layout of a fleet. */
static double nodes_for(const assay_serving_candidate_t *candidate, double replicas) {
    const assay_serve_fleet_t *fleet = candidate->fleet;
    const double per_replica = (double)fleet->layout.tp * fleet->layout.pp;
    const double per_node = candidate->machine->devices_per_node;
    return per_replica <= per_node ? ceil(replicas / floor(per_node / per_replica))
                                   : replicas * ceil(per_replica / per_node);
}

/* A case of a month of all hours, of as many nodes as the fleet takes. */
static void make_case(const assay_decide_ctx_t *ctx, assay_serving_candidate_t *io) {
    const assay_resolved_t *resolved = ctx->resolved;
    const assay_serve_fleet_t *fleet = io->fleet;
    const assay_money_spread_t spread = {ctx->settings.common_share.v, ctx->settings.power_p10.v,
                                         ctx->settings.power_p90.v,
                                         ctx->settings.level_correlation.v};
    const assay_workload_t month = {.tokens = HOURS_PER_MONTH * 3600, .epochs = 1};
    const assay_estimate_t estimate = {.tokens_per_s = 1,
                                       .device_w = fleet->device_w,
                                       .rel_p10 = fleet->rel_p10,
                                       .rel_p90 = fleet->rel_p90};
    assay_machine_t machine = *io->machine;
    assay_money_input_t money = resolved->money;
    machine.nodes = fleet->nodes;
    machine.devices = machine.nodes * machine.devices_per_node;
    money.utilisation = 1; /* it serves around the clock */
    assay_money_case(&money, &machine, &month, &estimate, &spread, &io->money_case);
    /* the drawn error of the steps changes how many replicas there are, not how long a month is */
    io->money_case.draw[ASSAY_DRAW_STEP_COMMON] = assay_dist_fixed(1);
    io->money_case.draw[ASSAY_DRAW_STEP_OWN] = assay_dist_fixed(1);
    assay_money_eval(&io->money_case, NULL, &io->point);
}

static void make_figures(assay_serving_candidate_t *io) {
    const assay_serve_fleet_t *fleet = io->fleet;
    io->month_usd = io->point.rate_usd_per_h * HOURS_PER_MONTH;
    const double usd_per_s = io->point.rate_usd_per_h / 3600;
    io->usd_per_million_output = 1e6 * usd_per_s / fleet->output_tokens_per_s;
    io->usd_per_million_input_apart =
        1e6 * usd_per_s * fleet->prefill_share / fleet->input_tokens_per_s;
    io->usd_per_million_output_apart =
        1e6 * usd_per_s * (1 - fleet->prefill_share) / fleet->output_tokens_per_s;
    const double wall_w = 1000 * io->point.energy_kwh / HOURS_PER_MONTH;
    io->tokens_per_s_per_w = wall_w > 0 ? fleet->output_tokens_per_s / wall_w : 0;
}

static assay_status_t plan_candidate(const assay_decide_ctx_t *ctx, uint32_t index,
                                     assay_serving_candidate_t *out, assay_error_t *err) {
    const assay_resolved_t *resolved = ctx->resolved;
    out->machine = &resolved->machine[index];
    out->serving = &resolved->serving[index];
    const assay_status_t status = assay_serve_fleet_search(
        ctx->arena, out->machine, out->serving, &resolved->pin[index], &out->fleets, err);
    if (status == ASSAY_OK && out->fleets.n_fleet > 0 &&
        out->fleets.fleet[0].verdict == ASSAY_SERVE_FLEET_FITS) {
        /* fewest nodes are paid for, not fewest devices */
        out->fleet = &out->fleets.fleet[0];
        for (uint32_t i = 1; i < out->fleets.n_fleet; i++) {
            const assay_serve_fleet_t *fleet = &out->fleets.fleet[i];
            if (fleet->verdict == ASSAY_SERVE_FLEET_FITS && fleet->nodes < out->fleet->nodes) {
                out->fleet = fleet;
            }
        }
        make_case(ctx, out);
        make_figures(out);
        return assay_decide_launch(ctx->arena, ctx->data_dir, ctx->n_data_dir, out, &out->launch,
                                   err);
    }
    return status;
}

/* ---- samples ---- */

/* One sample of one candidate: the error of the steps moves the number of replicas. */
static void eval_sample(const assay_draws_t *draws, const assay_serving_candidate_t *candidate,
                        uint32_t sample, const assay_money_case_t *steps, double *out_tco_usd,
                        double *out_month_usd) {
    double u[ASSAY_DRAW_N];
    assay_money_result_t result;
    assay_money_case_t drawn = candidate->money_case;
    assay_decide_draw_of(draws, sample, u);
    const double slower =
        assay_dist_quantile(&steps->draw[ASSAY_DRAW_STEP_COMMON], u[ASSAY_DRAW_STEP_COMMON]) *
        assay_dist_quantile(&steps->draw[ASSAY_DRAW_STEP_OWN], u[ASSAY_DRAW_STEP_OWN]);
    const assay_serve_fleet_t *fleet = candidate->fleet;
    const double rate_per_s = candidate->serving->rate_per_s;
    /* a rate has room up to what a replica serves; a closed loop has none */
    const double needed = rate_per_s > 0 ? rate_per_s / fleet->rate_per_s : (double)fleet->replicas;
    assay_money_set_nodes(&drawn, nodes_for(candidate, ceil(needed * slower - 1e-9)));
    assay_money_eval(&drawn, u, &result);
    *out_tco_usd = result.tco_usd;
    *out_month_usd = result.rate_usd_per_h * HOURS_PER_MONTH;
}

static assay_spread_t spread_of(double *value, uint32_t n) {
    assay_spread_t out = {0};
    for (uint32_t i = 0; i < n; i++) {
        out.mean += value[i] / n;
    }
    qsort(value, n, sizeof *value, compare_doubles);
    const assay_dist_t dist = {.kind = ASSAY_DIST_EMPIRICAL, .sample = value, .n = n};
    out.p10 = assay_dist_quantile(&dist, .1);
    out.p50 = assay_dist_quantile(&dist, .5);
    out.p90 = assay_dist_quantile(&dist, .9);
    return out;
}

static assay_status_t sample_all(assay_decide_ctx_t *ctx, assay_serving_decision_t *io,
                                 assay_error_t *err) {
    const uint32_t n = ctx->resolved->samples;
    double *tco = assay_arena_array(ctx->arena, (size_t)n * io->n_candidate, sizeof *tco);
    double *month = assay_arena_array(ctx->arena, n, sizeof *month);
    if (!tco || !month) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t c = 0; c < io->n_candidate; c++) {
        assay_serving_candidate_t *candidate = &io->candidate[c];
        if (!candidate->fleet) {
            continue;
        }
        /* how the error is shared: as money shares that of a step */
        assay_money_case_t steps;
        const assay_workload_t work = {.tokens = 1, .epochs = 1};
        const assay_estimate_t estimate = {.tokens_per_s = 1,
                                           .rel_p10 = candidate->fleet->rel_p10,
                                           .rel_p90 = candidate->fleet->rel_p90};
        const assay_money_spread_t spread = {ctx->settings.common_share.v, 1, 1, 0};
        assay_money_case(&ctx->resolved->money, candidate->machine, &work, &estimate, &spread,
                         &steps);
        assay_draws_t draws;
        assay_decide_draws(ctx->resolved->seed, c, &draws);
        for (uint32_t i = 0; i < n; i++) {
            eval_sample(&draws, candidate, i, &steps, &tco[(size_t)c * n + i], &month[i]);
        }
        candidate->month_usd_spread = spread_of(month, n);
    }
    double regret = 0;
    for (uint32_t i = 0; i < n; i++) {
        double best = INFINITY;
        uint32_t ties = 0;
        for (uint32_t c = 0; c < io->n_candidate; c++) {
            if (io->candidate[c].fleet) {
                const double usd = tco[(size_t)c * n + i];
                ties = usd < best ? 1 : ties + !(usd > best);
                best = fmin(best, usd);
            }
        }
        for (uint32_t c = 0; c < io->n_candidate; c++) {
            if (io->candidate[c].fleet && !(tco[(size_t)c * n + i] > best)) {
                io->candidate[c].p_best += 1.0 / ties / n;
            }
        }
        regret += io->choice >= 0 ? (tco[(size_t)io->choice * n + i] - best) / n : 0;
    }
    io->regret_usd = regret;
    for (uint32_t c = 0; c < io->n_candidate; c++) {
        if (io->candidate[c].fleet) {
            io->candidate[c].tco_usd = spread_of(&tco[(size_t)c * n], n);
        }
    }
    return ASSAY_OK;
}

/* ---- verdict ---- */

static void choose(assay_serving_decision_t *io) {
    io->choice = io->runner_up = -1;
    for (uint32_t c = 0; c < io->n_candidate; c++) {
        const assay_serving_candidate_t *candidate = &io->candidate[c];
        if (!candidate->fleet) {
            continue;
        }
        const double usd = candidate->point.tco_usd;
        if (io->choice < 0 || usd < io->candidate[io->choice].point.tco_usd) {
            io->runner_up = io->choice;
            io->choice = (int32_t)c;
        } else if (io->runner_up < 0 || usd < io->candidate[io->runner_up].point.tco_usd) {
            io->runner_up = (int32_t)c;
        }
    }
}

static const char *verdict(assay_decide_ctx_t *ctx, const assay_serving_decision_t *decision) {
    if (decision->choice < 0) {
        return SAY0(ctx, SERVING_NOTHING_FITS);
    }
    const assay_serving_candidate_t *best = &decision->candidate[decision->choice];
    char nodes[16];
    snprintf(nodes, sizeof nodes, "%u", best->fleet->nodes);
    const char *month = assay_decide_format(ctx, best->month_usd, ASSAY_DIM_MONEY);
    if (decision->runner_up < 0) {
        return SAY(ctx, SERVING_ONLY, best->machine->id, nodes, month);
    }
    const assay_serving_candidate_t *next = &decision->candidate[decision->runner_up];
    char more[32];
    snprintf(more, sizeof more, "%.1f", 100 * (next->point.tco_usd / best->point.tco_usd - 1));
    return SAY(ctx, SERVING_VERDICT, best->machine->id, nodes, month, next->machine->id, more,
               assay_decide_probability(ctx, decision->probability));
}

assay_status_t assay_decide_serving(assay_arena_t *arena, const assay_resolved_t *resolved,
                                    const char *const *data_dir, uint32_t n_data_dir,
                                    const assay_hooks_t *hooks,
                                    assay_serving_decision_t **out_decision, assay_error_t *err) {
    assay_decide_ctx_t ctx = {.arena = arena,
                              .resolved = resolved,
                              .data_dir = data_dir,
                              .n_data_dir = n_data_dir,
                              .hooks = hooks};
    assay_serving_decision_t *out = assay_arena_alloc(arena, sizeof *out);
    assay_status_t status =
        out ? assay_decide_settings(arena, data_dir, n_data_dir, &ctx.settings, err)
            : assay_error_memory(err, NULL);
    if (status) {
        return status;
    }
    *out = (assay_serving_decision_t){.resolved = resolved,
                                      .n_candidate = resolved->n_machine,
                                      .note = resolved->note,
                                      .n_note = resolved->n_note};
    out->candidate = assay_arena_array(arena, out->n_candidate, sizeof *out->candidate);
    if (!out->candidate) {
        return assay_error_memory(err, NULL);
    }
    memset(out->candidate, 0, out->n_candidate * sizeof *out->candidate);
    for (uint32_t i = 0; i < out->n_candidate && status == ASSAY_OK; i++) {
        status = plan_candidate(&ctx, i, &out->candidate[i], err);
        if (status == ASSAY_OK && hooks && hooks->progress) {
            hooks->progress(hooks->ctx, "candidates", i + 1, out->n_candidate);
        }
    }
    if (status == ASSAY_OK) {
        choose(out);
        status = sample_all(&ctx, out, err);
    }
    if (status == ASSAY_OK) {
        out->probability = out->choice >= 0 ? out->candidate[out->choice].p_best : 0;
        out->sentence = verdict(&ctx, out);
        *out_decision = out;
    }
    return status == ASSAY_OK && ctx.failed ? assay_error_memory(err, NULL) : status;
}
