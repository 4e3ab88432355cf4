/* Where the cheapest fleet becomes another: one input at a time, the others at their central
 * values.
 */
#include <math.h>

#include "decide/fleet_money.h"
#include "decide/nearest.h"

#include "base/banned.h"

#define LOWEST_UTILISATION 0.01

typedef struct world world_t;

/* One input: how the cases change when it is x times (or at) where it stands. */
typedef struct {
    const char *variable, *label;
    assay_dim_t dim;
    void (*set)(const world_t *world, double x);
    int32_t candidate; /* -1: common */
    double now, low, high;
    const char *unit; /* NULL: the SI unit of dim */
} axis_t;

struct world {
    assay_decide_ctx_t *ctx;
    assay_serving_decision_t *out;
    const axis_t *axis;
    assay_money_case_t *money_case; /* (n_candidate), scratch */
    assay_serve_fleets_t *fleets;   /* scratch */
};

static void set_price(const world_t *world, double x) {
    assay_money_case_t *c = &world->money_case[world->axis->candidate];
    *(c->owned ? &c->capex_usd : &c->usd_per_h) = x;
}

/* So many times the replicas. */
static double nodes_at(const assay_serving_candidate_t *c, double factor) {
    const fleet_t fleet = fleet_of_serving(c);
    return fleet_nodes_for(&fleet, ceil(fleet.needed * factor - 1e-9));
}

static void set_rate(const world_t *world, double x) {
    for (uint32_t c = 0; c < world->out->n_candidate; c++) {
        const assay_serving_candidate_t *candidate = &world->out->candidate[c];
        if (candidate->fleet) {
            assay_money_set_nodes(&world->money_case[c], nodes_at(candidate, x / world->axis->now));
        }
    }
}

static void set_step(const world_t *world, double x) {
    const int32_t c = world->axis->candidate;
    assay_money_set_nodes(&world->money_case[c], nodes_at(&world->out->candidate[c], x));
}

static void set_utilisation(const world_t *world, double x) {
    for (uint32_t c = 0; c < world->out->n_candidate; c++) {
        world->money_case[c].utilisation = x;
    }
}

/* Longer answers: the closed form says how many nodes each takes then. */
static void set_output(const world_t *world, double x) {
    for (uint32_t c = 0; c < world->out->n_candidate; c++) {
        const assay_serving_candidate_t *candidate = &world->out->candidate[c];
        if (!candidate->fleet) {
            continue;
        }
        const assay_serve_way_t *way = &candidate->fleet->way;
        const assay_layout_pin_t pin = {.tp = way->layout.tp, .pp = way->layout.pp};
        assay_serving_t serving = *candidate->serving, now = serving;
        serving.output_tokens = x;
        now.open_budget = now.open_sequences = now.split = false;
        serving.open_budget = serving.open_sequences = serving.split = false;
        assay_serve_fleet_estimate(candidate->machine, &serving, &pin, world->fleets);
        const double then = world->fleets->fleet[0].rate_per_s;
        const bool fits = world->fleets->fleet[0].verdict == ASSAY_SERVE_FLEET_FITS;
        assay_serve_fleet_estimate(candidate->machine, &now, &pin, world->fleets);
        assay_money_set_nodes(&world->money_case[c],
                              fits ? nodes_at(candidate, world->fleets->fleet[0].rate_per_s / then)
                                   : 0);
    }
}

static int32_t verdict_at(const world_t *world, double x) {
    int32_t best = -1;
    double best_usd = 0;
    for (uint32_t c = 0; c < world->out->n_candidate; c++) {
        world->money_case[c] = world->out->candidate[c].money_case;
    }
    world->axis->set(world, x);
    for (uint32_t c = 0; c < world->out->n_candidate; c++) {
        assay_money_result_t result;
        if (!world->out->candidate[c].fleet || world->money_case[c].nodes <= 0) {
            continue;
        }
        assay_money_eval(&world->money_case[c], NULL, &result);
        if (best < 0 || result.tco_usd < best_usd) {
            best = (int32_t)c;
            best_usd = result.tco_usd;
        }
    }
    return best;
}

static bool turned(void *world_, double x) {
    const world_t *world = world_;
    return verdict_at(world, x) != world->out->choice;
}

static void add_flip(world_t *world, const axis_t *axis) {
    assay_decide_ctx_t *ctx = world->ctx;
    world->axis = axis;
    assay_flip_t flip = {.variable = axis->variable,
                         .candidate = axis->candidate < 0
                                          ? NULL
                                          : world->out->candidate[axis->candidate].machine->id,
                         .dim = axis->dim,
                         .unit = axis->unit,
                         .now = axis->now};
    const char *now = assay_decide_format(ctx, axis->now, axis->dim);
    flip.has_flip = decide_nearest(turned, world, axis->now, axis->low, axis->high, &flip.flip);
    if (flip.has_flip) {
        const int32_t winner = verdict_at(world, flip.flip);
        const char *at = assay_decide_format(ctx, flip.flip, axis->dim);
        flip.sentence = winner < 0 ? SAY(ctx, SERVING_FLIP_NOBODY, axis->label, now, at)
                                   : SAY(ctx, DECIDE_FLIP_AT, axis->label, now, at,
                                         world->out->candidate[winner].machine->id);
    } else {
        flip.sentence = SAY(ctx, DECIDE_FLIP_NONE, axis->label, now,
                            assay_decide_format(ctx, axis->low, axis->dim),
                            assay_decide_format(ctx, axis->high, axis->dim));
    }
    world->out->flip[world->out->n_flip++] = flip;
}

static void add_price_flip(world_t *world, int32_t index) {
    assay_decide_ctx_t *ctx = world->ctx;
    const assay_serving_candidate_t *candidate = &world->out->candidate[index];
    const bool owned = candidate->money_case.owned;
    const char *id = candidate->machine->id;
    const double now = owned ? candidate->money_case.capex_usd : candidate->money_case.usd_per_h;
    const axis_t axis = {.variable = owned ? "buy_usd" : "usd_per_h",
                         .label = owned ? SAY(ctx, DECIDE_FLIP_PURCHASE, id)
                                        : SAY(ctx, DECIDE_FLIP_RENT, id),
                         .dim = owned ? ASSAY_DIM_MONEY : ASSAY_DIM_MONEY_PER_HOUR,
                         .set = set_price,
                         .candidate = index,
                         .now = now,
                         .low = now / ctx->settings.flip_factor.v,
                         .high = now * ctx->settings.flip_factor.v};
    if (now > 0) {
        add_flip(world, &axis);
    }
}

static void add_other_flips(world_t *world) {
    assay_decide_ctx_t *ctx = world->ctx;
    const assay_serving_candidate_t *chosen = &world->out->candidate[world->out->choice];
    const double factor = ctx->settings.flip_factor.v, wide = ctx->settings.flip_factor_wide.v;
    const double rate_per_s = chosen->serving->rate_per_s;
    const double output = chosen->serving->output_tokens;
    bool any_owned = false; /* hours without use are not paid for where nodes are rented */
    for (uint32_t c = 0; c < world->out->n_candidate; c++) {
        any_owned |= world->out->candidate[c].fleet && world->out->candidate[c].money_case.owned;
    }
    const struct {
        axis_t axis;
        bool idle;
    } row[] = {{{"rate", SAY0(ctx, SERVING_FLIP_RATE), ASSAY_DIM_NUMBER, set_rate, -1, rate_per_s,
                 rate_per_s / wide, rate_per_s * wide, "1/s"},
                rate_per_s <= 0},
               {{"step_time_factor", SAY(ctx, DECIDE_FLIP_STEP, chosen->machine->id),
                 ASSAY_DIM_NUMBER, set_step, world->out->choice, 1, 1 / factor, factor, NULL},
                false},
               {{"utilisation", SAY0(ctx, SERVING_FLIP_UTILISATION), ASSAY_DIM_FRACTION,
                 set_utilisation, -1, 1, LOWEST_UTILISATION, 1, NULL},
                !any_owned},
               {{"output_tokens", SAY0(ctx, SERVING_FLIP_OUTPUT), ASSAY_DIM_COUNT, set_output, -1,
                 output, fmax(1, output / factor), output * factor, "token"},
                rate_per_s <= 0}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (!row[i].idle) {
            add_flip(world, &row[i].axis);
        }
    }
}

void assay_decide_serving_flips(assay_decide_ctx_t *ctx, assay_serving_decision_t *io) {
    uint32_t n_fit = 0;
    for (uint32_t c = 0; c < io->n_candidate; c++) {
        n_fit += io->candidate[c].fleet != NULL;
    }
    if (io->choice < 0 || n_fit < 2) {
        return;
    }
    world_t world = {.ctx = ctx, .out = io};
    world.money_case = assay_arena_array(ctx->arena, io->n_candidate, sizeof *world.money_case);
    world.fleets = assay_arena_alloc(ctx->arena, sizeof *world.fleets);
    io->flip = assay_arena_array(ctx->arena, n_fit + 4, sizeof *io->flip);
    if (!world.money_case || !world.fleets || !io->flip) {
        ctx->failed = true;
        return;
    }
    for (uint32_t c = 0; c < io->n_candidate; c++) {
        if (io->candidate[c].fleet) {
            add_price_flip(&world, (int32_t)c);
        }
    }
    add_other_flips(&world);
}
