/* Where the verdict flips: one input at a time, the others at their central values. */
#include "decide/decide_axis.h"

#include <math.h>
#include <string.h>

#include "assay/flip.h"
#include "decide/nearest.h"

#include "base/banned.h"

#define LEAST_SERVED 0.01
#define LEAST_YEARS 0.1 /* of money.years */

typedef struct {
    decide_world_t world;
    const decide_axis_t *axis;
    int32_t candidate; /* whose the axis is; of a common one, whom `now` speaks of */
    int32_t wanted;    /* the verdict that is looked for; -1: any other one */
    double (*central)[ASSAY_DRAW_N];
} search_t;

static bool is_eligible(const search_t *s, uint32_t c, double hours) {
    const decide_player_t *player = &s->world.game->player[c];
    return player->fleet        ? !s->world.side[c].out
           : s->axis->other_job ? player->eligible
                                : assay_decide_meets_deadline(s->world.game->ctx, hours);
}

/* The verdict at x: the cheapest that can be the choice, or -1. What is of one candidate leaves the
   others as they are. */
static int32_t verdict_at(search_t *s, double x) {
    const decide_game_t *game = s->world.game;
    const int32_t only = s->axis->own ? s->candidate : -1;
    int32_t best = -1;
    double best_usd = 0.0;
    if (only < 0) {
        decide_world_reset(&s->world);
    } else {
        decide_side_begin(&game->player[only], &s->world.side[only]);
    }
    s->axis->set(&s->world, s->candidate, x);
    for (uint32_t c = 0; c < game->n; c++) {
        const decide_player_t *player = &game->player[c];
        if (!player->fits) {
            continue;
        }
        assay_money_result_t result = *player->point;
        if (only < 0 || only == (int32_t)c) {
            decide_side_eval(player, &s->world.side[c], s->central[c], &result);
        }
        const double usd = decide_cost(player, &result);
        if (is_eligible(s, c, result.hours) && (best < 0 || usd < best_usd)) {
            best = (int32_t)c;
            best_usd = usd;
        }
    }
    return best;
}

/* Whether the search has ended: another verdict, or the one that is wanted. */
static bool turned(void *search, double x) {
    search_t *s = search;
    const int32_t verdict = verdict_at(s, x);
    return s->wanted >= 0 ? verdict == s->wanted : verdict != s->world.game->choice;
}

void decide_axis_range(const assay_decide_settings_t *s, const decide_axis_t *axis, double now,
                       double *out_low, double *out_high) {
    const double factor = s->flip_factor.v, wide = s->flip_factor_wide.v;
    switch ((decide_range_t)axis->range) {
    case DECIDE_RANGE_UP:
        *out_low = 0.0;
        *out_high = now * factor;
        break;
    case DECIDE_RANGE_AROUND:
        *out_low = now / factor;
        *out_high = now * factor;
        break;
    case DECIDE_RANGE_WIDE:
        *out_low = now / wide;
        *out_high = now * wide;
        break;
    case DECIDE_RANGE_USE:
        *out_low = now / factor;
        *out_high = 1.0;
        break;
    case DECIDE_RANGE_SERVED:
        *out_low = LEAST_SERVED;
        *out_high = 1.0;
        break;
    case DECIDE_RANGE_YEARS:
        *out_low = fmax(LEAST_YEARS, now / factor);
        *out_high = fmin(ASSAY_YEARS_MAX, now * factor);
        break;
    case DECIDE_RANGE_SHARE:
        *out_low = 0.0;
        *out_high = 1.0;
        break;
    case DECIDE_RANGE_PRICE_OF:
        *out_low = 0.0;
        *out_high = now > 0.0 ? now * factor : s->flip_zero_usd_per_kwh.v;
        break;
    case DECIDE_RANGE_DAYS:
        *out_low = 0.0;
        *out_high = now > 0.0 ? now * wide : s->flip_zero_days.v;
        break;
    }
    *out_low = axis->dim == ASSAY_DIM_COUNT ? fmax(1.0, *out_low) : *out_low;
}

static const char *sentence_of(search_t *s, const assay_flip_t *flip, double low, double high) {
    const decide_game_t *game = s->world.game;
    assay_decide_ctx_t *ctx = game->ctx;
    const char *label = decide_axis_label(game, s->axis, s->candidate);
    const char *now = assay_decide_format(ctx, flip->now, flip->dim);
    if (!flip->has_flip) {
        const char *from = assay_decide_format(ctx, low, flip->dim);
        const char *to = assay_decide_format(ctx, high, flip->dim);
        return s->wanted >= 0
                   ? SAY(ctx, WHY_FLIP_NONE, label, now, from, to, decide_game_id(game, s->wanted))
                   : SAY(ctx, DECIDE_FLIP_NONE, label, now, from, to);
    }
    const char *at = assay_decide_format(ctx, flip->flip, flip->dim);
    const int32_t winner = verdict_at(s, flip->flip);
    if (winner < 0) {
        return game->work == DECIDE_TRAINING ? SAY(ctx, DECIDE_FLIP_NOBODY, label, now, at)
                                             : SAY(ctx, SERVING_FLIP_NOBODY, label, now, at);
    }
    return strcmp(now, at) == 0
               ? SAY(ctx, DECIDE_FLIP_HERE, label, now, decide_game_id(game, winner))
               : SAY(ctx, DECIDE_FLIP_AT, label, now, at, decide_game_id(game, winner));
}

static assay_flip_t find_flip(search_t *s, const decide_axis_t *axis, int32_t candidate) {
    const decide_game_t *game = s->world.game;
    double low = 0.0, high = 0.0;
    s->axis = axis;
    s->candidate = candidate;
    assay_flip_t flip = {.variable = axis->variable,
                         .candidate = axis->own ? decide_game_id(game, candidate) : NULL,
                         .dim = axis->dim,
                         .unit = axis->unit,
                         .now = axis->now(game, candidate)};
    decide_axis_range(&game->ctx->settings, axis, flip.now, &low, &high);
    flip.has_flip = decide_nearest(turned, s, flip.now, low, high, &flip.flip);
    flip.sentence = sentence_of(s, &flip, low, high);
    return flip;
}

static bool begin(const decide_game_t *game, int32_t wanted, search_t *out) {
    assay_arena_t *arena = game->ctx->arena;
    *out = (search_t){.wanted = wanted,
                      .central = assay_arena_array(arena, game->n, sizeof *out->central)};
    if (!out->central || !decide_world_create(arena, game, &out->world)) {
        return false;
    }
    for (uint32_t c = 0; c < game->n; c++) {
        if (game->player[c].fits) {
            decide_values(&game->player[c], NULL, 0, out->central[c]);
        }
    }
    return true;
}

/* Whose speed is asked about: of a job that trains the one that moves, else the choice or the one
   that is wanted. */
static int32_t whose(const decide_game_t *game, int32_t wanted) {
    return wanted >= 0                                         ? wanted
           : game->work == DECIDE_TRAINING && game->mover >= 0 ? game->mover
                                                               : game->choice;
}

/* Prices: of everyone, or of the two that are compared. */
static bool price_is_asked(const decide_game_t *game, int32_t wanted, int32_t c) {
    return game->player[c].fits && (wanted < 0 || c == wanted || c == game->choice);
}

static bool is_price(const decide_axis_t *axis) {
    return axis->range == DECIDE_RANGE_UP;
}

assay_status_t decide_flips(const decide_game_t *game, int32_t wanted, assay_flip_t **out_flip,
                            uint32_t *out_n, assay_error_t *err) {
    search_t s;
    uint32_t n_fit = 0, n = 0;
    for (uint32_t c = 0; c < game->n; c++) {
        n_fit += game->player[c].fits;
    }
    *out_flip = NULL;
    *out_n = 0;
    if (wanted < 0 && (game->choice < 0 || n_fit < 2)) {
        return ASSAY_OK;
    }
    assay_flip_t *flip =
        assay_arena_array(game->ctx->arena, game->n + (size_t)decide_axis_n, sizeof *flip);
    if (!flip || !begin(game, wanted, &s)) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < game->n; i++) { /* the one that is wanted before the choice */
        const int32_t c = wanted < 0 || i >= 2 ? (int32_t)i : i == 0 ? wanted : game->choice;
        for (uint32_t k = 0; k < decide_axis_n && c >= 0 && (wanted < 0 || i < 2); k++) {
            const decide_axis_t *axis = &decide_axis_table[k];
            if (is_price(axis) && price_is_asked(game, wanted, c) && !axis->idle(game, c) &&
                axis->now(game, c) > 0.0) {
                flip[n++] = find_flip(&s, axis, c);
            }
        }
    }
    const int32_t about = wanted >= 0 ? wanted : game->choice;
    for (uint32_t k = 0; k < decide_axis_n; k++) {
        const decide_axis_t *axis = &decide_axis_table[k];
        const int32_t c = axis->own ? whose(game, wanted) : about;
        if (!is_price(axis) && axis->listed && (axis->work & game->work) &&
            !(axis->idle && axis->idle(game, c))) {
            flip[n++] = find_flip(&s, axis, c);
        }
    }
    *out_flip = flip;
    *out_n = n;
    return ASSAY_OK;
}

assay_status_t assay_flip_of(assay_arena_t *arena, const assay_explain_of_t *of,
                             const char *variable, const char *const *data_dir, uint32_t n_data_dir,
                             assay_flip_t *out, assay_error_t *err) {
    assay_decide_ctx_t ctx = {.arena = arena, .resolved = assay_explain_resolved(of)};
    decide_game_t game;
    assay_status_t status = assay_decide_settings(arena, data_dir, n_data_dir, &ctx.settings, err);
    status = status ? status : decide_game_of(&ctx, of, &game, err);
    if (status) {
        return status;
    }
    if (game.choice < 0 || game.runner_up < 0) {
        assay_error_set(err, ASSAY_INPUT, NULL,
                        "nothing flips: there are no two candidates that "
                        "can do the job");
        assay_error_next(err, "give a candidate more");
        return ASSAY_INPUT;
    }
    const decide_axis_t *axis;
    int32_t candidate;
    search_t s;
    status = decide_axis_find(&game, variable, strlen(variable), whose(&game, -1), &axis,
                              &candidate, err);
    if (!status) {
        status = begin(&game, -1, &s) ? ASSAY_OK : assay_error_memory(err, NULL);
    }
    if (!status) {
        *out = find_flip(&s, axis, axis->own ? candidate : game.choice);
        status = ctx.failed ? assay_error_memory(err, NULL) : ASSAY_OK;
    }
    return status;
}
