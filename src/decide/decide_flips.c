/* Where the verdict flips: one input at a time, the others at their central values. */
#include "decide/decision.h"
#include "decide/nearest.h"
#include "decide/share.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

typedef struct flip_world flip_world_t;

/* One input: how the cases change when it is x, and where it may go. */
typedef struct {
    const char *variable;
    const char *label; /* as printed */
    assay_dim_t dim;
    void (*set)(flip_world_t *world, double x);
    int32_t candidate; /* -1 = common */
    double now, low, high;
    bool other_job; /* x asks of another job, whose deadline is as far away as this one's */
    bool idle;      /* no candidate's cost depends on it */
} flip_axis_t;

struct flip_world {
    assay_decide_ctx_t *ctx;
    const flip_axis_t *axis;
    assay_money_case_t *money_case; /* (n_candidate), scratch */
    int32_t wanted;                 /* the verdict that is looked for; -1: any other one */
};

static void set_purchase(flip_world_t *world, double x) {
    world->money_case[world->axis->candidate].capex_usd = x;
}

static void set_rent(flip_world_t *world, double x) {
    world->money_case[world->axis->candidate].usd_per_h = x;
}

static void set_step(flip_world_t *world, double x) {
    world->money_case[world->axis->candidate].job_h *= x;
}

static void set_run_length(flip_world_t *world, double x) {
    for (uint32_t c = 0; c < world->ctx->out->n_candidate; c++) {
        world->money_case[c].job_h *= x / world->axis->now;
    }
}

static void set_electricity(flip_world_t *world, double x) {
    for (uint32_t c = 0; c < world->ctx->out->n_candidate; c++) {
        world->money_case[c].central[ASSAY_DRAW_ELECTRICITY] = x;
    }
}

static void set_utilisation(flip_world_t *world, double x) {
    for (uint32_t c = 0; c < world->ctx->out->n_candidate; c++) {
        world->money_case[c].utilisation = x;
    }
}

/* All levels by one factor; work that does not exist yet goes to the first level. */
static void set_migration_days(flip_world_t *world, double x) {
    const double now = world->axis->now;
    for (uint32_t c = 0; c < world->ctx->out->n_candidate; c++) {
        double *central = world->money_case[c].central;
        for (int k = 0; k < 3; k++) {
            central[ASSAY_DRAW_LEVEL_1 + k] *= now > 0.0 ? x / now : 0.0;
        }
        central[ASSAY_DRAW_LEVEL_1] += now > 0.0 ? 0.0 : x;
    }
}

/* What does not fit is the work of the move. */
static void set_hip_fit(flip_world_t *world, double x) {
    const double now = 1.0 - world->axis->now;
    for (uint32_t c = 0; c < world->ctx->out->n_candidate; c++) {
        for (int k = 0; k < 3; k++) {
            world->money_case[c].central[ASSAY_DRAW_LEVEL_1 + k] *= (1.0 - x) / now;
        }
    }
}

static void set_compute_share(flip_world_t *world, double x) {
    const assay_decision_t *decision = world->ctx->out;
    const assay_candidate_t *reference = &decision->candidate[world->ctx->incumbent];
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (decision->candidate[c].fits) {
            world->money_case[c].job_h *=
                decide_share_factor(&decision->candidate[c].plan.best, &reference->plan.best, x);
        }
    }
}

static bool is_eligible(const flip_world_t *world, uint32_t c, double hours) {
    const assay_candidate_t *candidate = &world->ctx->out->candidate[c];
    return world->axis->other_job
               ? candidate->eligible
               : candidate->fits && assay_decide_meets_deadline(world->ctx, hours);
}

/* The verdict at x: the cheapest that fits and meets the deadline, or -1. What is of one candidate
   leaves the others as they are. */
static int32_t verdict_at(flip_world_t *world, double x) {
    const assay_decision_t *decision = world->ctx->out;
    const int32_t only = world->axis->candidate;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (only < 0 || only == (int32_t)c) {
            world->money_case[c] = decision->candidate[c].money_case;
        }
    }
    world->axis->set(world, x);
    int32_t best = -1;
    double best_usd = 0.0;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (!decision->candidate[c].fits) {
            continue;
        }
        assay_money_result_t result = decision->candidate[c].point;
        if (only < 0 || only == (int32_t)c) {
            assay_money_eval(&world->money_case[c], NULL, &result);
        }
        if (is_eligible(world, c, result.hours) && (best < 0 || result.job_usd < best_usd)) {
            best = (int32_t)c;
            best_usd = result.job_usd;
        }
    }
    return best;
}

/* Whether the search has ended: another verdict, or the one that is wanted. */
static bool turned(void *world_, double x) {
    flip_world_t *world = world_;
    const int32_t verdict = verdict_at(world, x);
    return world->wanted >= 0 ? verdict == world->wanted : verdict != world->ctx->out->choice;
}

static void add_flip(flip_world_t *world, const flip_axis_t *axis) {
    assay_decide_ctx_t *ctx = world->ctx;
    world->axis = axis;
    assay_flip_t flip = {.variable = axis->variable,
                         .candidate =
                             axis->candidate < 0 ? NULL : assay_decide_id(ctx, axis->candidate),
                         .dim = axis->dim,
                         .now = axis->now};
    const char *now = assay_decide_format(ctx, axis->now, axis->dim);
    flip.has_flip = decide_nearest(turned, world, axis->now, axis->low, axis->high, &flip.flip);
    if (flip.has_flip) {
        const char *at = assay_decide_format(ctx, flip.flip, axis->dim);
        const int32_t winner = verdict_at(world, flip.flip);
        flip.sentence =
            winner < 0 ? SAY(ctx, DECIDE_FLIP_NOBODY, axis->label, now, at)
            : strcmp(now, at) == 0
                ? SAY(ctx, DECIDE_FLIP_HERE, axis->label, now, assay_decide_id(ctx, winner))
                : SAY(ctx, DECIDE_FLIP_AT, axis->label, now, at, assay_decide_id(ctx, winner));
    } else if (world->wanted >= 0) {
        flip.sentence = SAY(
            ctx, WHY_FLIP_NONE, axis->label, now, assay_decide_format(ctx, axis->low, axis->dim),
            assay_decide_format(ctx, axis->high, axis->dim), assay_decide_id(ctx, world->wanted));
    } else {
        flip.sentence = SAY(ctx, DECIDE_FLIP_NONE, axis->label, now,
                            assay_decide_format(ctx, axis->low, axis->dim),
                            assay_decide_format(ctx, axis->high, axis->dim));
    }
    ctx->out->flip[ctx->out->n_flip++] = flip;
}

static void add_price_flip(flip_world_t *world, int32_t index) {
    assay_decide_ctx_t *ctx = world->ctx;
    const assay_money_case_t *c = &ctx->out->candidate[index].money_case;
    const char *id = assay_decide_id(ctx, index);
    const double now = c->owned ? c->capex_usd : c->usd_per_h;
    const flip_axis_t axis = {.variable = c->owned ? "buy_usd" : "usd_per_h",
                              .label = c->owned ? SAY(ctx, DECIDE_FLIP_PURCHASE, id)
                                                : SAY(ctx, DECIDE_FLIP_RENT, id),
                              .dim = c->owned ? ASSAY_DIM_MONEY : ASSAY_DIM_MONEY_PER_HOUR,
                              .set = c->owned ? set_purchase : set_rent,
                              .candidate = index,
                              .now = now,
                              .high = now * ctx->settings.flip_factor.v};
    add_flip(world, &axis);
}

static double migration_days(const assay_money_case_t *c) {
    return c->central[ASSAY_DRAW_LEVEL_1] + c->central[ASSAY_DRAW_LEVEL_2] +
           c->central[ASSAY_DRAW_LEVEL_3];
}

static void add_axes(flip_world_t *world, const flip_axis_t *axes, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (!axes[k].idle) {
            add_flip(world, &axes[k]);
        }
    }
}

/* What is no single candidate's price. */
static void add_other_flips(flip_world_t *world) {
    assay_decide_ctx_t *ctx = world->ctx;
    const assay_decision_t *decision = ctx->out;
    const assay_decide_settings_t *s = &ctx->settings;
    const int32_t about = world->wanted >= 0 ? world->wanted : decision->choice;
    const assay_money_case_t *chosen = &decision->candidate[about].money_case;
    const double run_s = decision->candidate[about].point.hours * 3600.0;
    const double usd_per_kwh = chosen->central[ASSAY_DRAW_ELECTRICITY];
    const int32_t fast = world->wanted < 0 && ctx->mover >= 0 ? ctx->mover : about;
    bool any_owned = false; /* rent holds the electricity, and idle hours are not paid */
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        any_owned |= decision->candidate[c].fits && decision->candidate[c].money_case.owned;
    }
    const flip_axis_t axes[] = {
        {.variable = "run_length",
         .label = SAY0(ctx, DECIDE_FLIP_RUN),
         .dim = ASSAY_DIM_TIME,
         .set = set_run_length,
         .candidate = -1,
         .now = run_s,
         .low = run_s / s->flip_factor_wide.v,
         .high = run_s * s->flip_factor_wide.v,
         .other_job = true},
        {.variable = "electricity_usd_kwh",
         .label = SAY0(ctx, DECIDE_FLIP_ELECTRICITY),
         .dim = ASSAY_DIM_MONEY_PER_KWH,
         .set = set_electricity,
         .candidate = -1,
         .now = usd_per_kwh,
         .high = usd_per_kwh > 0.0 ? usd_per_kwh * s->flip_factor.v : s->flip_zero_usd_per_kwh.v,
         .idle = !any_owned},
        {.variable = "utilisation",
         .label = SAY0(ctx, DECIDE_FLIP_UTILISATION),
         .dim = ASSAY_DIM_FRACTION,
         .set = set_utilisation,
         .candidate = -1,
         .now = chosen->utilisation,
         .low = chosen->utilisation / s->flip_factor.v,
         .high = 1.0,
         .idle = !any_owned},
        {.variable = "step_time_factor",
         .label = SAY(ctx, DECIDE_FLIP_STEP, assay_decide_id(ctx, fast)),
         .dim = ASSAY_DIM_NUMBER,
         .set = set_step,
         .candidate = fast,
         .now = 1.0,
         .low = 1.0 / s->flip_factor.v,
         .high = s->flip_factor.v},
    };
    add_axes(world, axes, sizeof axes / sizeof *axes);
}

/* What makes the move of the code dearer or cheaper. */
static void add_migration_flips(flip_world_t *world) {
    assay_decide_ctx_t *ctx = world->ctx;
    const assay_decision_t *decision = ctx->out;
    const assay_decide_settings_t *s = &ctx->settings;
    const double days =
        ctx->mover < 0 ? 0.0 : migration_days(&decision->candidate[ctx->mover].money_case);
    const double fit = ctx->resolved->money.reference_fit;
    const double share =
        ctx->incumbent < 0 ? 0.0 : decision->candidate[ctx->incumbent].plan.best.compute_share;
    const flip_axis_t axes[] = {
        {.variable = "migration_days",
         .label = SAY0(ctx, DECIDE_FLIP_MIGRATION),
         .dim = ASSAY_DIM_LABOUR,
         .set = set_migration_days,
         .candidate = -1,
         .now = days,
         .high = days > 0.0 ? days * s->flip_factor_wide.v : s->flip_zero_days.v,
         .idle = ctx->mover < 0},
        {.variable = "hip_fit",
         .label = SAY0(ctx, DECIDE_FLIP_FIT),
         .dim = ASSAY_DIM_FRACTION,
         .set = set_hip_fit,
         .candidate = -1,
         .now = fit,
         .high = 1.0,
         .idle = ctx->mover < 0 || !(days > 0.0) || !(fit < 1.0)},
        {.variable = "compute_share",
         .label = SAY0(ctx, DECIDE_FLIP_SHARE),
         .dim = ASSAY_DIM_FRACTION,
         .set = set_compute_share,
         .candidate = -1,
         .now = share,
         .high = 1.0,
         .idle = ctx->mover < 0 || ctx->incumbent < 0 || !(share > 0.0 && share < 1.0)},
    };
    add_axes(world, axes, sizeof axes / sizeof *axes);
}

/* Room for the flips; false: the arena is full. */
static bool begin(assay_decide_ctx_t *ctx, int32_t wanted, flip_world_t *out_world) {
    const uint32_t n = ctx->out->n_candidate;
    *out_world = (flip_world_t){.ctx = ctx,
                                .money_case =
                                    assay_arena_array(ctx->arena, n, sizeof *out_world->money_case),
                                .wanted = wanted};
    ctx->out->flip = assay_arena_array(ctx->arena, n + 7, sizeof *ctx->out->flip);
    ctx->failed |= !out_world->money_case || !ctx->out->flip;
    return !ctx->failed;
}

void assay_decide_flips(assay_decide_ctx_t *ctx) {
    assay_decision_t *decision = ctx->out;
    uint32_t n_fit = 0;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        n_fit += decision->candidate[c].fits;
    }
    flip_world_t world;
    if (decision->choice < 0 || n_fit < 2 || !begin(ctx, -1, &world)) {
        return;
    }
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (decision->candidate[c].fits) {
            add_price_flip(&world, (int32_t)c);
        }
    }
    add_other_flips(&world);
    add_migration_flips(&world);
}

void assay_decide_flips_to(assay_decide_ctx_t *ctx, int32_t wanted) {
    flip_world_t world;
    if (!begin(ctx, wanted, &world)) {
        return;
    }
    add_price_flip(&world, wanted);
    if (ctx->out->choice >= 0) {
        add_price_flip(&world, ctx->out->choice);
    }
    add_other_flips(&world);
    add_migration_flips(&world);
}
