/* Images: every candidate's fleet, what it costs around the clock, which is cheapest how surely,
   and where that flips. */
#include "assay/decide_image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/fleet_money.h"

#include "base/banned.h"

fleet_t fleet_of_image(const assay_image_candidate_t *candidate) {
    const assay_image_fleet_t *fleet = &candidate->fleet;
    if (!candidate->fits) {
        return (fleet_t){.machine = candidate->machine};
    }
    return (fleet_t){
        .machine = candidate->machine,
        .fits = true,
        .nodes = fleet->nodes,
        .device_w = fleet->device_w,
        .rel_p10 = fleet->rel_p10,
        .rel_p90 = fleet->rel_p90,
        .part = {fleet_part(
            fleet->needed,
            candidate->demand->rate_per_s * fleet->request_s / ASSAY_IMAGE_USUAL_LOAD, 1, 1)},
        .n_part = 1,
        .money_case = candidate->money_case,
        .point = candidate->point,
        .p_best = candidate->p_best};
}

static assay_status_t plan_candidate(const assay_decide_ctx_t *ctx, uint32_t index,
                                     assay_image_candidate_t *out, fleet_t *out_fleet,
                                     assay_error_t *err) {
    out->machine = &ctx->resolved->machine[index];
    out->demand = &ctx->resolved->image[index];
    const assay_image_fleet_t *fleet = &out->fleet;
    const assay_status_t status =
        assay_image_fleet(ctx->arena, out->machine, out->demand, &out->fleet, err);
    out->fits = status == ASSAY_OK && fleet->verdict == ASSAY_IMAGE_FLEET_FITS;
    *out_fleet = fleet_of_image(out);
    if (!out->fits) {
        return status;
    }
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
    fleet_verdict_t found;
    assay_status_t status =
        out && candidate && fleet
            ? assay_decide_settings(arena, data_dir, n_data_dir, &ctx.settings, err)
            : assay_error_memory(err, NULL);
    if (status) {
        return status;
    }
    memset(candidate, 0, n * sizeof *candidate);
    *out = (assay_image_decision_t){.resolved = resolved, .candidate = candidate, .n_candidate = n};
    status = plan_all(&ctx, out, fleet, err);
    status = status ? status : fleet_decide(&ctx, fleet, n, NULL, &found, err);
    if (status) {
        return status;
    }
    out->choice = found.choice;
    out->runner_up = found.runner_up;
    out->regret_usd = found.regret_usd;
    out->sensitivity = found.sensitivity;
    out->flip = found.flip;
    out->n_flip = found.n_flip;
    for (uint32_t i = 0; i < n; i++) {
        candidate[i].tco_usd = fleet[i].tco_usd;
        candidate[i].month_usd_spread = fleet[i].month_usd;
        candidate[i].p_best = fleet[i].p_best;
    }
    out->probability = out->choice >= 0 ? candidate[out->choice].p_best : 0;
    out->sentence = verdict(&ctx, out);
    if (!note_claims(&ctx, out) || ctx.failed) {
        return assay_error_memory(err, NULL);
    }
    *out_decision = out;
    return ASSAY_OK;
}
