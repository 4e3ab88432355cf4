/* Images: every candidate's fleet, what it costs around the clock, which is cheapest how surely,
   and where that flips. */
#include "assay/decide_image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/fleet_money.h"

#include "base/banned.h"

#define MAX_FLIPS 3
#define SLOWEST 16.0  /* how far a time is searched, times the prediction */
#define FINENESS 1.01 /* of that search */

static assay_status_t plan_candidate(const assay_decide_ctx_t *ctx, uint32_t index,
                                     assay_image_candidate_t *out, fleet_t *out_fleet,
                                     assay_error_t *err) {
    out->machine = &ctx->resolved->machine[index];
    out->demand = &ctx->resolved->image[index];
    const assay_image_fleet_t *fleet = &out->fleet;
    const assay_status_t status =
        assay_image_fleet(ctx->arena, out->machine, out->demand, &out->fleet, err);
    out->fits = status == ASSAY_OK && fleet->verdict == ASSAY_IMAGE_FLEET_FITS;
    *out_fleet = (fleet_t){.machine = out->machine, .fits = out->fits};
    if (!out->fits) {
        return status;
    }
    *out_fleet = (fleet_t){.machine = out->machine,
                           .fits = true,
                           .nodes = fleet->nodes,
                           .device_w = fleet->device_w,
                           .rel_p10 = fleet->rel_p10,
                           .rel_p90 = fleet->rel_p90,
                           .needed = fleet->needed,
                           .devices_per_replica = 1};
    fleet_price(ctx, out_fleet);
    out->money_case = out_fleet->money_case;
    out->point = out_fleet->point;
    const double usd_per_s = out->point.rate_usd_per_h / 3600;
    const double wall_w = 1000 * out->point.energy_kwh / ASSAY_HOURS_PER_MONTH;
    out->month_usd = out->point.rate_usd_per_h * ASSAY_HOURS_PER_MONTH;
    out->usd_per_1000 = 1000 * usd_per_s / fleet->images_per_s;
    out->usd_per_1000_busy = 1000 * usd_per_s / (fleet->images_per_s_per_device * fleet->devices);
    out->images_per_s_per_w = wall_w > 0 ? fleet->images_per_s / wall_w : 0;
    return ASSAY_OK;
}

/* ---- flips ---- */

static double tco_at_price(const fleet_t *fleet, double factor) {
    assay_money_result_t result;
    assay_money_case_t at = fleet->money_case;
    at.central[ASSAY_DRAW_PRICE] *= factor;
    assay_money_eval(&at, NULL, &result);
    return result.tco_usd;
}

/* TCO is affine in the price of a node: the price at which it is `usd`; below 0: none. */
static void flip_price(assay_decide_ctx_t *ctx, const assay_image_candidate_t *candidate,
                       const fleet_t *fleet, double usd, const char *other,
                       assay_image_decision_t *io) {
    const assay_money_case_t *money_case = &fleet->money_case;
    const double now = money_case->owned ? money_case->capex_usd : money_case->usd_per_h;
    const double slope = tco_at_price(fleet, 2) - tco_at_price(fleet, 1);
    const double factor = slope > 0 ? 1 + (usd - fleet->point.tco_usd) / slope : -1;
    const assay_dim_t dim = money_case->owned ? ASSAY_DIM_MONEY : ASSAY_DIM_MONEY_PER_HOUR;
    assay_flip_t *flip = &io->flip[io->n_flip++];
    *flip = (assay_flip_t){.variable = money_case->owned ? "buy_usd" : "usd_per_h",
                           .candidate = candidate->machine->id,
                           .dim = dim,
                           .now = now,
                           .flip = now * factor,
                           .has_flip = factor >= 0};
    const char *at = assay_decide_format(ctx, flip->has_flip ? flip->flip : 0, dim);
    const char *is = assay_decide_format(ctx, now, dim);
    const char *id = candidate->machine->id;
    flip->sentence = !flip->has_flip ? SAY(ctx, IMAGE_NO_FLIP_PRICE, id, is)
                     : factor > 1    ? SAY(ctx, IMAGE_FLIP_ABOVE, id, at, is, other)
                                     : SAY(ctx, IMAGE_FLIP_BELOW, id, at, is, other);
}

/* How much slower than predicted the choice may be. */
static void flip_time(assay_decide_ctx_t *ctx, const fleet_t *choice, double usd,
                      const char *winner, assay_image_decision_t *io) {
    assay_flip_t *flip = &io->flip[io->n_flip++];
    *flip = (assay_flip_t){.variable = "request_time_factor",
                           .candidate = choice->machine->id,
                           .dim = ASSAY_DIM_NUMBER,
                           .now = 1};
    for (double factor = 1; factor <= SLOWEST && !flip->has_flip; factor *= FINENESS) {
        assay_money_result_t result;
        assay_money_case_t at = choice->money_case;
        assay_money_set_nodes(&at, fleet_nodes_for(choice, ceil(choice->needed * factor - 1e-9)));
        assay_money_eval(&at, NULL, &result);
        flip->has_flip = result.tco_usd > usd;
        flip->flip = factor;
    }
    char times[16];
    snprintf(times, sizeof times, "%.2f", flip->flip);
    flip->sentence = flip->has_flip ? SAY(ctx, IMAGE_FLIP_TIME, choice->machine->id, times, winner)
                                    : SAY0(ctx, IMAGE_NO_FLIP_TIME);
}

static void find_flips(assay_decide_ctx_t *ctx, const fleet_t *fleet, assay_image_decision_t *io) {
    if (io->runner_up < 0) {
        return;
    }
    const fleet_t *best = &fleet[io->choice], *next = &fleet[io->runner_up];
    const char *next_id = next->machine->id;
    flip_price(ctx, &io->candidate[io->choice], best, next->point.tco_usd, next_id, io);
    flip_price(ctx, &io->candidate[io->runner_up], next, best->point.tco_usd, best->machine->id,
               io);
    flip_time(ctx, best, next->point.tco_usd, next_id, io);
}

/* ---- verdict and notes ---- */

static const char *verdict(assay_decide_ctx_t *ctx, const assay_image_decision_t *decision) {
    if (decision->choice < 0) {
        return SAY0(ctx, IMAGE_NOTHING_FITS);
    }
    const assay_image_candidate_t *best = &decision->candidate[decision->choice];
    char nodes[16];
    snprintf(nodes, sizeof nodes, "%u", best->fleet.nodes);
    const char *month = assay_decide_format(ctx, best->month_usd, ASSAY_DIM_MONEY);
    const char *usd = assay_decide_format(ctx, best->usd_per_1000, ASSAY_DIM_MONEY);
    if (decision->runner_up < 0) {
        return SAY(ctx, IMAGE_ONLY, best->machine->id, nodes, month, usd);
    }
    const assay_image_candidate_t *next = &decision->candidate[decision->runner_up];
    char more[32];
    snprintf(more, sizeof more, "%.1f", 100 * (next->point.tco_usd / best->point.tco_usd - 1));
    return SAY(ctx, IMAGE_VERDICT, best->machine->id, nodes, month, usd, next->machine->id, more,
               assay_decide_probability(ctx, decision->probability));
}

/* What an article says of the same request beside the prediction. */
static bool note_claims(assay_decide_ctx_t *ctx, assay_image_decision_t *io) {
    const uint32_t most = ctx->resolved->n_note + io->n_candidate;
    io->note = assay_arena_array(ctx->arena, most + 1, sizeof *io->note);
    if (!io->note) {
        return false;
    }
    for (uint32_t i = 0; i < io->n_candidate; i++) {
        const assay_image_candidate_t *c = &io->candidate[i];
        const assay_image_fleet_t *fleet = &c->fleet;
        if (!c->demand->claim) {
            continue;
        }
        char share[16], factor[16];
        const double peak_share = fleet->flops_share * fleet->request_s / c->demand->claim_s;
        snprintf(share, sizeof share, "%.0f", 100 * peak_share);
        snprintf(factor, sizeof factor, "%.2f", c->demand->claim_s / fleet->request_s);
        const bool inside = c->demand->claim_s >= fleet->request_s * fleet->rel_p10 &&
                            c->demand->claim_s <= fleet->request_s * fleet->rel_p90;
        const char *const says = assay_decide_format(ctx, c->demand->claim_s, ASSAY_DIM_TIME);
        const char *const ours = assay_decide_format(ctx, fleet->request_s, ASSAY_DIM_TIME);
        const char *const low =
            assay_decide_format(ctx, fleet->request_s * fleet->rel_p10, ASSAY_DIM_TIME);
        const char *const high =
            assay_decide_format(ctx, fleet->request_s * fleet->rel_p90, ASSAY_DIM_TIME);
        io->note[io->n_note++] =
            (assay_note_t){.kind = ASSAY_NOTE_WARNING,
                           .subject = c->demand->claim,
                           .source = c->demand->claim_source,
                           .text = inside ? SAY(ctx, IMAGE_CLAIM_INSIDE, c->machine->id, says, ours,
                                                low, high, share)
                                          : SAY(ctx, IMAGE_CLAIM_OUTSIDE, c->machine->id, says,
                                                ours, low, high, share, factor)};
    }
    if (ctx->resolved->n_note > 0) {
        memcpy(io->note + io->n_note, ctx->resolved->note,
               ctx->resolved->n_note * sizeof *io->note);
    }
    io->n_note += ctx->resolved->n_note;
    return true;
}

static assay_status_t plan_all(assay_decide_ctx_t *ctx, assay_image_decision_t *io, fleet_t *fleet,
                               assay_error_t *err) {
    const assay_hooks_t *hooks = ctx->hooks;
    for (uint32_t i = 0; i < io->n_candidate; i++) {
        const assay_status_t status = plan_candidate(ctx, i, &io->candidate[i], &fleet[i], err);
        if (status) {
            return status;
        }
        if (hooks && hooks->progress) {
            hooks->progress(hooks->ctx, "candidates", i + 1, io->n_candidate);
        }
    }
    return ASSAY_OK;
}

assay_status_t assay_decide_images(assay_arena_t *arena, const assay_resolved_t *resolved,
                                   const char *const *data_dir, uint32_t n_data_dir,
                                   const assay_hooks_t *hooks,
                                   assay_image_decision_t **out_decision, assay_error_t *err) {
    assay_decide_ctx_t ctx = {.arena = arena,
                              .resolved = resolved,
                              .data_dir = data_dir,
                              .n_data_dir = n_data_dir,
                              .hooks = hooks};
    const uint32_t n = resolved->n_machine;
    assay_image_decision_t *out = assay_arena_alloc(arena, sizeof *out);
    assay_image_candidate_t *candidate = assay_arena_array(arena, n, sizeof *candidate);
    fleet_t *fleet = assay_arena_array(arena, n, sizeof *fleet);
    assay_flip_t *flip = assay_arena_array(arena, MAX_FLIPS, sizeof *flip);
    assay_status_t status =
        out && candidate && fleet && flip
            ? assay_decide_settings(arena, data_dir, n_data_dir, &ctx.settings, err)
            : assay_error_memory(err, NULL);
    if (status) {
        return status;
    }
    memset(candidate, 0, n * sizeof *candidate);
    *out = (assay_image_decision_t){
        .resolved = resolved, .candidate = candidate, .n_candidate = n, .flip = flip};
    status = plan_all(&ctx, out, fleet, err);
    if (!status) {
        fleet_choose(fleet, n, &out->choice, &out->runner_up);
        status = fleet_sample(&ctx, fleet, n, out->choice, &out->regret_usd, err);
    }
    if (status) {
        return status;
    }
    for (uint32_t i = 0; i < n; i++) {
        candidate[i].tco_usd = fleet[i].tco_usd;
        candidate[i].month_usd_spread = fleet[i].month_usd;
        candidate[i].p_best = fleet[i].p_best;
    }
    out->probability = out->choice >= 0 ? candidate[out->choice].p_best : 0;
    find_flips(&ctx, fleet, out);
    out->sentence = verdict(&ctx, out);
    if (!note_claims(&ctx, out) || ctx.failed) {
        return assay_error_memory(err, NULL);
    }
    *out_decision = out;
    return ASSAY_OK;
}
