/* Why a candidate is not the choice, of a job that serves. */
#include "decide/fleet_money.h"
#include "decide/nearest.h"
#include "decide/why.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

typedef struct why_world why_world_t;

/* One input; of one candidate, or (-1) of all. */
typedef struct {
    const char *variable, *label;
    assay_dim_t dim;
    int32_t candidate;
    double now, low, high;
    void (*set)(fleet_t *fleet, double x);
} why_axis_t;

struct why_world {
    const fleet_t *fleet; /* (n) as decided */
    uint32_t n;
    int32_t choice, wanted;
    const why_axis_t *axis;
};

static void set_price(fleet_t *fleet, double x) {
    assay_money_case_t *c = &fleet->money_case;
    *(c->owned ? &c->capex_usd : &c->usd_per_h) = x;
}

static void set_electricity(fleet_t *fleet, double x) {
    fleet->money_case.central[ASSAY_DRAW_ELECTRICITY] = x;
}

/* Slower steps need more replicas, whole ones. */
static void set_step(fleet_t *fleet, double x) {
    assay_money_set_nodes(&fleet->money_case,
                          fleet_nodes_for(fleet, ceil(fleet->needed * x - 1e-9)));
}

static int32_t verdict_at(const why_world_t *world, double x) {
    int32_t best = -1;
    double best_usd = 0.0;
    for (uint32_t c = 0; c < world->n; c++) {
        fleet_t fleet = world->fleet[c];
        const bool changed = world->axis->candidate < 0 || world->axis->candidate == (int32_t)c;
        if (!fleet.fits) {
            continue;
        }
        if (changed) {
            world->axis->set(&fleet, x);
            assay_money_eval(&fleet.money_case, NULL, &fleet.point);
        }
        if (best < 0 || fleet.point.tco_usd < best_usd) {
            best = (int32_t)c;
            best_usd = fleet.point.tco_usd;
        }
    }
    return best;
}

static bool turned(void *world_, double x) {
    const why_world_t *world = world_;
    return verdict_at(world, x) == world->wanted;
}

static void add_flip(assay_decide_ctx_t *ctx, why_world_t *world, const why_axis_t *axis,
                     assay_why_not_t *out) {
    const assay_machine_t *machine = ctx->resolved->machine;
    assay_flip_t flip = {.variable = axis->variable,
                         .candidate = axis->candidate < 0 ? NULL : machine[axis->candidate].id,
                         .dim = axis->dim,
                         .now = axis->now};
    world->axis = axis;
    flip.has_flip = decide_nearest(turned, world, axis->now, axis->low, axis->high, &flip.flip);
    const char *now = assay_decide_format(ctx, axis->now, axis->dim);
    const char *low = assay_decide_format(ctx, axis->low, axis->dim);
    const char *high = assay_decide_format(ctx, axis->high, axis->dim);
    const char *wanted = machine[world->wanted].id;
    flip.sentence = flip.has_flip ? SAY(ctx, DECIDE_FLIP_AT, axis->label, now,
                                        assay_decide_format(ctx, flip.flip, axis->dim), wanted)
                                  : SAY(ctx, WHY_FLIP_NONE, axis->label, now, low, high, wanted);
    out->flip[out->n_flip++] = flip;
}

static why_axis_t price_axis(assay_decide_ctx_t *ctx, const why_world_t *world, int32_t index) {
    const assay_money_case_t *c = &world->fleet[index].money_case;
    const char *id = world->fleet[index].machine->id;
    const double now = c->owned ? c->capex_usd : c->usd_per_h;
    return (why_axis_t){.variable = c->owned ? "buy_usd" : "usd_per_h",
                        .label = c->owned ? SAY(ctx, DECIDE_FLIP_PURCHASE, id)
                                          : SAY(ctx, DECIDE_FLIP_RENT, id),
                        .dim = c->owned ? ASSAY_DIM_MONEY : ASSAY_DIM_MONEY_PER_HOUR,
                        .candidate = index,
                        .now = now,
                        .high = now * ctx->settings.flip_factor.v,
                        .set = set_price};
}

static void add_flips(assay_decide_ctx_t *ctx, why_world_t *world, assay_why_not_t *out) {
    const int32_t about = world->wanted;
    const double factor = ctx->settings.flip_factor.v;
    const double usd_per_kwh = world->fleet[about].money_case.central[ASSAY_DRAW_ELECTRICITY];
    const why_axis_t own = price_axis(ctx, world, about);
    const why_axis_t step = {.variable = "step_time_factor",
                             .label = SAY(ctx, DECIDE_FLIP_STEP, world->fleet[about].machine->id),
                             .dim = ASSAY_DIM_NUMBER,
                             .candidate = about,
                             .now = 1.0,
                             .low = 1.0 / factor,
                             .high = factor,
                             .set = set_step};
    const why_axis_t electricity = {
        .variable = "electricity_usd_kwh",
        .label = SAY0(ctx, DECIDE_FLIP_ELECTRICITY),
        .dim = ASSAY_DIM_MONEY_PER_KWH,
        .candidate = -1,
        .now = usd_per_kwh,
        .high = usd_per_kwh > 0.0 ? usd_per_kwh * factor : ctx->settings.flip_zero_usd_per_kwh.v,
        .set = set_electricity};
    bool any_owned = false; /* rent holds the electricity */
    for (uint32_t c = 0; c < world->n; c++) {
        any_owned |= world->fleet[c].fits && world->fleet[c].money_case.owned;
    }
    add_flip(ctx, world, &own, out);
    add_flip(ctx, world, &step, out);
    const why_axis_t other = price_axis(ctx, world, world->choice);
    add_flip(ctx, world, &other, out);
    if (any_owned) {
        add_flip(ctx, world, &electricity, out);
    }
}

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
    enum { FLIPS_MAX = 4 };
    const assay_serving_candidate_t *candidate = &decision->candidate[index];
    fleet_t *fleet = assay_arena_array(arena, decision->n_candidate, sizeof *fleet);
    assay_flip_t *flip = assay_arena_array(arena, FLIPS_MAX, sizeof *flip);
    if (!fleet || !flip) {
        return assay_error_memory(err, NULL);
    }
    *out = (assay_why_not_t){.resolved = decision->resolved,
                             .id = candidate->machine->id,
                             .flip = flip,
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
        for (uint32_t c = 0; c < decision->n_candidate; c++) {
            fleet[c] = fleet_of_serving(&decision->candidate[c]);
        }
        why_world_t world = {.fleet = fleet,
                             .n = decision->n_candidate,
                             .choice = decision->choice,
                             .wanted = (int32_t)index};
        add_flips(&ctx, &world, out);
    }
    return ctx.failed ? assay_error_memory(err, NULL) : ASSAY_OK;
}
