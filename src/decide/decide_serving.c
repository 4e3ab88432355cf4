/* Serving: every candidate's fleet, what it costs around the clock, and which is cheapest how
 * surely. */
#include "decide/fleet_money.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

fleet_t fleet_of_serving(const assay_serving_candidate_t *candidate) {
    const assay_serve_fleet_t *fleet = candidate->fleet;
    if (!fleet) {
        return (fleet_t){.machine = candidate->machine};
    }
    const assay_layout_t *layout = &fleet->way.layout, *prefill = &fleet->prefill_way.layout;
    const double models = fmax(1, candidate->serving->models_per_host);
    const double copies = fleet->way.shared ? 1 : models;
    fleet_t out = {.machine = candidate->machine,
                   .fits = true,
                   .nodes = fleet->nodes,
                   .device_w = fleet->device_w,
                   .rel_p10 = fleet->rel_p10,
                   .rel_p90 = fleet->rel_p90,
                   .money_case = candidate->money_case,
                   .point = candidate->point,
                   .p_best = candidate->p_best};
    /* a rate is divided by what a replica serves; a closed loop is searched */
    const double exact = candidate->serving->rate_per_s / fleet->rate_per_s;
    out.part[out.n_part++] =
        fleet_part(fleet->replicas, exact, copies, (double)layout->tp * layout->pp);
    if (fleet->prefill_replicas > 0) {
        out.part[out.n_part++] =
            fleet_part(fleet->prefill_replicas, exact / fleet->replicas * fleet->prefill_replicas,
                       copies, (double)prefill->tp * prefill->pp);
    }
    return out;
}

/* A case of a month of all hours, of as many nodes as the fleet takes. */
static void make_case(const assay_decide_ctx_t *ctx, assay_serving_candidate_t *io) {
    fleet_t fleet = fleet_of_serving(io);
    fleet_price(ctx, &fleet);
    io->money_case = fleet.money_case;
    io->point = fleet.point;
}

/* Cost by the time that each takes: prompts, of them what attends to a cached part, and answers. */
static void make_figures(assay_serving_candidate_t *io) {
    const assay_serve_fleet_t *fleet = io->fleet;
    const assay_serving_t *serving = io->serving;
    io->month_usd = io->point.rate_usd_per_h * ASSAY_HOURS_PER_MONTH;
    const double usd_per_s = io->point.rate_usd_per_h / 3600;
    const double prompt_usd_per_s = usd_per_s * fleet->prefill_share;
    const double cached_per_s =
        fleet->input_tokens_per_s * serving->cached_tokens / serving->input_tokens;
    io->has_cached = cached_per_s > 0;
    io->usd_per_million_output = 1e6 * usd_per_s / fleet->output_tokens_per_s;
    io->usd_per_million_input_apart = 1e6 * prompt_usd_per_s * (1 - fleet->cached_share) /
                                      (fleet->input_tokens_per_s - cached_per_s);
    io->usd_per_million_cached_apart =
        io->has_cached ? 1e6 * prompt_usd_per_s * fleet->cached_share / cached_per_s : 0;
    io->usd_per_million_output_apart =
        1e6 * (usd_per_s - prompt_usd_per_s) / fleet->output_tokens_per_s;
    const double wall_w = 1000 * io->point.energy_kwh / ASSAY_HOURS_PER_MONTH;
    io->tokens_per_s_per_w = wall_w > 0 ? fleet->output_tokens_per_s / wall_w : 0;
}

/* The cheapest of the fleets that serve; estimates count where nothing was simulated. */
static void choose_fleet(const assay_decide_ctx_t *ctx, assay_serving_candidate_t *io) {
    const assay_serve_fleets_t *fleets = &io->fleets;
    const bool simulated = fleets->n_fleet > 0 && fleets->fleet[0].simulated;
    const assay_serve_fleet_t *best = NULL;
    double best_usd = 0;
    for (uint32_t i = 0; i < fleets->n_fleet; i++) {
        io->fleet = &fleets->fleet[i];
        if (io->fleet->verdict == ASSAY_SERVE_FLEET_FITS && io->fleet->simulated == simulated) {
            make_case(ctx, io);
            if (!best || io->point.tco_usd < best_usd) {
                best = io->fleet;
                best_usd = io->point.tco_usd;
            }
        }
    }
    io->fleet = best;
    if (best) {
        make_case(ctx, io);
        make_figures(io);
    }
}

static assay_status_t search(const assay_decide_ctx_t *ctx, const assay_layout_pin_t *pin,
                             assay_serving_candidate_t *io, assay_error_t *err) {
    const assay_status_t status =
        assay_serve_fleet_search(io->machine, io->serving, pin, &io->fleets, err);
    if (status == ASSAY_OK) {
        choose_fleet(ctx, io);
    }
    return status;
}

/* How many times as long as now steps take, so that the fleet shows what was measured. */
static double measured_over(const assay_serving_candidate_t *c) {
    const assay_machine_t *machine = c->machine;
    return machine->measured_tokens_per_s.known
               ? c->fleet->rate_per_s * c->serving->output_tokens / machine->measured_tokens_per_s.v
           : machine->measured_tpot_s.known ? machine->measured_tpot_s.v / c->fleet->tpot.p50_s
                                            : 1;
}

#define ROUNDS 10
#define NEAR 0.005

/* A rate within limits falls faster than steps slow down: the factor is enclosed and halved. What
   is left between the two is settled by the count of replicas. */
static assay_status_t approach_rate(const assay_decide_ctx_t *ctx, const assay_layout_pin_t *pin,
                                    assay_serving_t *serving, assay_serving_candidate_t *io,
                                    assay_error_t *err) {
    double fits = serving->slower, too_fast = 0, too_slow = (double)INFINITY;
    double over = measured_over(io);
    assay_status_t status = ASSAY_OK;
    for (int i = 0; i < ROUNDS && status == ASSAY_OK && (i == 0 || fabs(over - 1) >= NEAR); i++) {
        *(over > 1 ? &too_fast : &too_slow) = serving->slower;
        serving->slower =
            too_fast > 0 && isfinite(too_slow) ? sqrt(too_fast * too_slow) : serving->slower * over;
        status = search(ctx, pin, io, err);
        over = io->fleet ? measured_over(io) : 0; /* none keeps the limits: too slow */
        fits = io->fleet ? serving->slower : fits;
    }
    if (status == ASSAY_OK && !io->fleet) {
        serving->slower = fits;
        status = search(ctx, pin, io, err);
    }
    for (uint32_t i = 0; i < io->fleets.n_fleet; i++) {
        assay_serve_fleet_recount(io->machine, serving,
                                  io->machine->measured_tokens_per_s.v / serving->output_tokens,
                                  &io->fleets.fleet[i]);
    }
    choose_fleet(ctx, io);
    return status;
}

/* What was measured on a replica of the layout that the prediction chose: all its steps take
   longer, or less, by one factor. A TPOT is of the load at which it was predicted. */
static assay_status_t take_measured(const assay_decide_ctx_t *ctx, assay_serving_candidate_t *io,
                                    assay_error_t *err) {
    const bool rate = io->machine->measured_tokens_per_s.known;
    if (!io->fleet || (!rate && !io->machine->measured_tpot_s.known)) {
        return ASSAY_OK;
    }
    assay_serving_t *serving = assay_arena_alloc(ctx->arena, sizeof *serving);
    if (!serving) {
        return assay_error_memory(err, NULL);
    }
    const assay_layout_pin_t pin = {.tp = io->fleet->way.layout.tp, .pp = io->fleet->way.layout.pp};
    *serving = *io->serving;
    serving->slower = 1;
    io->serving = serving;
    if (rate) {
        return approach_rate(ctx, &pin, serving, io, err);
    }
    serving->slower = measured_over(io);
    return search(ctx, &pin, io, err);
}

static assay_status_t plan_candidate(const assay_decide_ctx_t *ctx, uint32_t index,
                                     assay_serving_candidate_t *out, assay_error_t *err) {
    const assay_resolved_t *resolved = ctx->resolved;
    out->machine = &resolved->machine[index];
    out->serving = &resolved->serving[index];
    assay_status_t status = search(ctx, &resolved->pin[index], out, err);
    status = status ? status : take_measured(ctx, out, err);
    if (status != ASSAY_OK) {
        return status;
    }
    return out->fleet ? assay_decide_launch(ctx->arena, ctx->data_dir, ctx->n_data_dir, out,
                                            &out->launch, err)
                      : ASSAY_OK;
}

/* The choice, how sure it is, on what that rests. */
static assay_status_t choose(assay_decide_ctx_t *ctx, assay_serving_decision_t *io,
                             assay_error_t *err) {
    fleet_t *fleet = assay_arena_array(ctx->arena, io->n_candidate, sizeof *fleet);
    fleet_verdict_t found;
    if (!fleet) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t c = 0; c < io->n_candidate; c++) {
        fleet[c] = fleet_of_serving(&io->candidate[c]);
    }
    const assay_status_t status =
        fleet_decide(ctx, fleet, io->n_candidate, io->candidate, &found, err);
    if (status) {
        return status;
    }
    for (uint32_t c = 0; c < io->n_candidate; c++) {
        io->candidate[c].tco_usd = fleet[c].tco_usd;
        io->candidate[c].month_usd_spread = fleet[c].month_usd;
        io->candidate[c].p_best = fleet[c].p_best;
    }
    io->choice = found.choice;
    io->runner_up = found.runner_up;
    io->regret_usd = found.regret_usd;
    io->sensitivity = found.sensitivity;
    io->flip = found.flip;
    io->n_flip = found.n_flip;
    return ASSAY_OK;
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
        status = choose(&ctx, out, err);
    }
    if (status == ASSAY_OK) {
        out->probability = out->choice >= 0 ? out->candidate[out->choice].p_best : 0;
        out->sentence = verdict(&ctx, out);
        status = assay_decide_serving_claims(&ctx, out, err);
    }
    if (status == ASSAY_OK) {
        *out_decision = out;
    }
    return status == ASSAY_OK && ctx.failed ? assay_error_memory(err, NULL) : status;
}
