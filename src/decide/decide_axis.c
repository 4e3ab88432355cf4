#include "decide/decide_axis.h"

#include <math.h>
#include <string.h>

#include "assay/text.h"
#include "decide/share.h"

#include "base/banned.h"

#define LEVELS 3

bool decide_world_create(assay_arena_t *arena, const decide_game_t *game, decide_world_t *out) {
    *out = (decide_world_t){.game = game,
                            .side = assay_arena_array(arena, game->n, sizeof *out->side),
                            .fleets = assay_arena_alloc(arena, sizeof *out->fleets)};
    return out->side && out->fleets;
}

void decide_world_reset(decide_world_t *world) {
    for (uint32_t c = 0; c < world->game->n; c++) {
        if (world->game->player[c].fits) {
            decide_side_begin(&world->game->player[c], &world->side[c]);
        }
    }
}

/* ---- what is common ---- */

/* A drawn input is x at its central value: all its values move by the same factor, or where it is
   nothing now, by the same amount. */
static void set_draw(decide_world_t *world, assay_draw_t draw, double x) {
    for (uint32_t c = 0; c < world->game->n; c++) {
        if (world->game->player[c].fits) {
            const double now = world->game->player[c].money_case->central[draw];
            decide_side_t *side = &world->side[c];
            side->times[draw] *= now > 0.0 ? x / now : 1.0;
            side->plus[draw] += now > 0.0 ? 0.0 : x;
        }
    }
}

static bool no_owned(const decide_game_t *game, int32_t candidate) {
    (void)candidate;
    for (uint32_t c = 0; c < game->n; c++) {
        if (game->player[c].fits && game->player[c].money_case->owned) {
            return false;
        }
    }
    return true; /* rent holds the electricity, and idle hours are not paid */
}

/* ---- years ---- */

static double now_years(const decide_game_t *game, int32_t c) {
    (void)c;
    return game->ctx->resolved->money.years;
}
static void set_years(decide_world_t *world, int32_t c, double x) {
    (void)c;
    for (uint32_t k = 0; k < world->game->n; k++) {
        assay_money_set_years(&world->side[k].money_case, &world->game->ctx->resolved->money, x);
    }
}
/* Nothing is paid at the start: more years cost everyone more in the same ratio. */
static bool all_by_the_hour(const decide_game_t *game, int32_t c) {
    return no_owned(game, c) && game->mover < 0;
}

/* ---- prices ---- */

static double now_price(const decide_game_t *game, int32_t c) {
    const assay_money_case_t *money_case = game->player[c].money_case;
    return money_case->owned ? money_case->capex_usd : money_case->usd_per_h;
}
static void set_price(decide_world_t *world, int32_t c, double x) {
    assay_money_case_t *money_case = &world->side[c].money_case;
    *(money_case->owned ? &money_case->capex_usd : &money_case->usd_per_h) = x;
}
static bool is_rented(const decide_game_t *game, int32_t c) {
    return !game->player[c].money_case->owned;
}
static bool is_owned(const decide_game_t *game, int32_t c) {
    return game->player[c].money_case->owned;
}

/* ---- electricity, utilisation ---- */

static double now_electricity(const decide_game_t *game, int32_t c) {
    return game->player[c].money_case->central[ASSAY_DRAW_ELECTRICITY];
}
static void set_electricity(decide_world_t *world, int32_t c, double x) {
    (void)c;
    set_draw(world, ASSAY_DRAW_ELECTRICITY, x);
}

static double now_utilisation(const decide_game_t *game, int32_t c) {
    return game->player[c].money_case->utilisation;
}
static void set_utilisation(decide_world_t *world, int32_t c, double x) {
    (void)c;
    for (uint32_t k = 0; k < world->game->n; k++) {
        world->side[k].money_case.utilisation = x;
    }
}

/* ---- work of the move ---- */

static double now_migration(const decide_game_t *game, int32_t c) {
    (void)c;
    double days = 0.0;
    for (int k = 0; k < LEVELS && game->mover >= 0; k++) {
        days += game->player[game->mover].money_case->central[ASSAY_DRAW_LEVEL_1 + k];
    }
    return days;
}
/* All levels by one factor; work that does not exist yet goes to the first level. */
static void set_migration(decide_world_t *world, int32_t c, double x) {
    const double now = now_migration(world->game, c);
    for (uint32_t k = 0; k < world->game->n; k++) {
        for (int level = 0; level < LEVELS; level++) {
            world->side[k].times[ASSAY_DRAW_LEVEL_1 + level] *= now > 0.0 ? x / now : 0.0;
        }
        world->side[k].plus[ASSAY_DRAW_LEVEL_1] += now > 0.0 ? 0.0 : x;
    }
}
static bool nobody_moves(const decide_game_t *game, int32_t c) {
    (void)c;
    return game->mover < 0;
}

static double now_fit(const decide_game_t *game, int32_t c) {
    (void)c;
    return game->ctx->resolved->money.reference_fit;
}
/* What does not fit is the work of the move. */
static void set_fit(decide_world_t *world, int32_t c, double x) {
    const double now = 1.0 - now_fit(world->game, c);
    for (uint32_t k = 0; k < world->game->n; k++) {
        for (int level = 0; level < LEVELS; level++) {
            world->side[k].times[ASSAY_DRAW_LEVEL_1 + level] *= (1.0 - x) / now;
        }
    }
}
static bool fit_is_nothing(const decide_game_t *game, int32_t c) {
    return game->mover < 0 || !(now_migration(game, c) > 0.0) || !(now_fit(game, c) < 1.0);
}

/* ---- time of the steps ---- */

static double now_one(const decide_game_t *game, int32_t c) {
    (void)game;
    (void)c;
    return 1.0;
}
static void set_step(decide_world_t *world, int32_t c, double x) {
    decide_side_t *side = &world->side[c];
    if (world->game->player[c].fleet) {
        side->slower *= x;
    } else {
        side->money_case.job_h *= x;
    }
}

/* ---- training ---- */

static void set_longer(decide_world_t *world, double factor) {
    for (uint32_t c = 0; c < world->game->n; c++) {
        world->side[c].money_case.job_h *= factor;
    }
}
static double now_run_s(const decide_game_t *game, int32_t c) {
    return game->player[c].point->hours * 3600.0;
}
static void set_run_s(decide_world_t *world, int32_t c, double x) {
    set_longer(world, x / now_run_s(world->game, c));
}
static double now_run_days(const decide_game_t *game, int32_t c) {
    return game->player[c].point->days;
}
static void set_run_days(decide_world_t *world, int32_t c, double x) {
    set_longer(world, x / now_run_days(world->game, c));
}

/* Of the machine whose step stays as long as it is, whatever the mix: the one that stays. */
static int32_t share_reference(const decide_game_t *game) {
    return game->incumbent >= 0 ? game->incumbent : game->runner_up;
}
static double now_share(const decide_game_t *game, int32_t c) {
    (void)c;
    const int32_t reference = share_reference(game);
    return reference < 0 ? 0.0 : game->player[reference].estimate->compute_share;
}
static void set_share(decide_world_t *world, int32_t c, double x) {
    (void)c;
    const decide_game_t *game = world->game;
    const assay_estimate_t *reference = game->player[share_reference(game)].estimate;
    for (uint32_t k = 0; k < game->n; k++) {
        if (game->player[k].fits) {
            world->side[k].money_case.job_h *=
                decide_share_factor(game->player[k].estimate, reference, x);
        }
    }
}
static bool share_is_nothing(const decide_game_t *game, int32_t c) {
    const double share = now_share(game, c);
    return game->mover < 0 || game->incumbent < 0 || !(share > 0.0 && share < 1.0);
}

/* ---- serving and images ---- */

static double now_rate(const decide_game_t *game, int32_t c) {
    return game->work == DECIDE_SERVING ? game->player[c].serving->serving->rate_per_s
                                        : game->ctx->resolved->image[c].rate_per_s;
}
static void set_rate(decide_world_t *world, int32_t c, double x) {
    for (uint32_t k = 0; k < world->game->n; k++) {
        world->side[k].slower *= x / now_rate(world->game, c);
    }
}
static bool no_rate(const decide_game_t *game, int32_t c) {
    return !(now_rate(game, c) > 0.0);
}

static double now_output(const decide_game_t *game, int32_t c) {
    return game->player[c].serving->serving->output_tokens;
}
/* Longer answers: the closed form says how many times the replicas each takes then. */
static void set_output(decide_world_t *world, int32_t c, double x) {
    (void)c;
    for (uint32_t k = 0; k < world->game->n; k++) {
        const assay_serving_candidate_t *candidate = world->game->player[k].serving;
        if (!world->game->player[k].fits) {
            continue;
        }
        const assay_serve_way_t *way = &candidate->fleet->way;
        const assay_layout_pin_t pin = {.tp = way->layout.tp, .pp = way->layout.pp};
        assay_serving_t serving = *candidate->serving, now;
        serving.open_budget = serving.open_sequences = serving.split = false;
        now = serving;
        serving.output_tokens = x;
        assay_serve_fleet_estimate(candidate->machine, &serving, &pin, world->fleets);
        const double then = world->fleets->fleet[0].rate_per_s;
        world->side[k].out |= world->fleets->fleet[0].verdict != ASSAY_SERVE_FLEET_FITS ||
                              serving.input_tokens + x > serving.max_model_len;
        assay_serve_fleet_estimate(candidate->machine, &now, &pin, world->fleets);
        world->side[k].slower *= then > 0.0 ? world->fleets->fleet[0].rate_per_s / then : 1.0;
    }
}

/* ---- the table ---- */

#define TRAIN DECIDE_TRAINING
#define FLEETS (DECIDE_SERVING | DECIDE_IMAGES)
#define ANY (TRAIN | FLEETS)

const decide_axis_t decide_axis_table[] = {
    {.variable = "buy_usd",
     .work = ANY,
     .own = true,
     .listed = true,
     .dim = ASSAY_DIM_MONEY,
     .label = ASSAY_MSG_DECIDE_FLIP_PURCHASE,
     .range = DECIDE_RANGE_UP,
     .low = 0.5,
     .high = 2.0,
     .least = 1e-6,
     .most = 1e12,
     .relative = true,
     .log = true,
     .now = now_price,
     .set = set_price,
     .idle = is_rented},
    {.variable = "usd_per_h",
     .work = ANY,
     .own = true,
     .listed = true,
     .dim = ASSAY_DIM_MONEY_PER_HOUR,
     .label = ASSAY_MSG_DECIDE_FLIP_RENT,
     .range = DECIDE_RANGE_UP,
     .low = 0.5,
     .high = 2.0,
     .least = 1e-6,
     .most = 1e12,
     .relative = true,
     .log = true,
     .now = now_price,
     .set = set_price,
     .idle = is_owned},
    {.variable = "run_length",
     .work = TRAIN,
     .listed = true,
     .other_job = true,
     .dim = ASSAY_DIM_TIME,
     .label = ASSAY_MSG_DECIDE_FLIP_RUN,
     .range = DECIDE_RANGE_WIDE,
     .low = 0.1,
     .high = 10.0,
     .least = 60.0,
     .most = 1e10,
     .relative = true,
     .log = true,
     .now = now_run_s,
     .set = set_run_s},
    {.variable = "run_days",
     .work = TRAIN,
     .other_job = true,
     .dim = ASSAY_DIM_NUMBER,
     .unit = "d",
     .label = ASSAY_MSG_DECIDE_MAP_DAYS,
     .range = DECIDE_RANGE_WIDE,
     .low = 2.0,
     .high = 120.0,
     .least = 1e-3,
     .most = 1e5,
     .log = true,
     .now = now_run_days,
     .set = set_run_days},
    {.variable = "rate",
     .work = FLEETS,
     .listed = true,
     .dim = ASSAY_DIM_NUMBER,
     .unit = "1/s",
     .label = ASSAY_MSG_SERVING_FLIP_RATE,
     .range = DECIDE_RANGE_WIDE,
     .low = 0.1,
     .high = 10.0,
     .least = 1e-6,
     .most = 1e9,
     .relative = true,
     .log = true,
     .now = now_rate,
     .set = set_rate,
     .idle = no_rate},
    {.variable = "years",
     .work = TRAIN,
     .dim = ASSAY_DIM_NUMBER,
     .unit = "year",
     .label = ASSAY_MSG_DECIDE_FLIP_YEARS,
     .range = DECIDE_RANGE_YEARS,
     .low = 1.0,
     .high = 10.0,
     .least = 0.1,
     .most = ASSAY_YEARS_MAX,
     .now = now_years,
     .set = set_years,
     .idle = no_owned},
    {.variable = "years",
     .work = FLEETS,
     .listed = true,
     .dim = ASSAY_DIM_NUMBER,
     .unit = "year",
     .label = ASSAY_MSG_SERVING_FLIP_YEARS,
     .range = DECIDE_RANGE_YEARS,
     .low = 1.0,
     .high = 10.0,
     .least = 0.1,
     .most = ASSAY_YEARS_MAX,
     .now = now_years,
     .set = set_years,
     .idle = all_by_the_hour},
    {.variable = "electricity_usd_kwh",
     .work = ANY,
     .listed = true,
     .dim = ASSAY_DIM_MONEY_PER_KWH,
     .label = ASSAY_MSG_DECIDE_FLIP_ELECTRICITY,
     .range = DECIDE_RANGE_PRICE_OF,
     .low = 0.03,
     .high = 0.4,
     .least = 1e-6,
     .most = 10.0,
     .now = now_electricity,
     .set = set_electricity,
     .idle = no_owned},
    {.variable = "utilisation",
     .work = TRAIN,
     .listed = true,
     .dim = ASSAY_DIM_FRACTION,
     .label = ASSAY_MSG_DECIDE_FLIP_UTILISATION,
     .range = DECIDE_RANGE_USE,
     .low = 0.1,
     .high = 1.0,
     .least = 0.001,
     .most = 1.0,
     .now = now_utilisation,
     .set = set_utilisation,
     .idle = no_owned},
    {.variable = "utilisation",
     .work = FLEETS,
     .listed = true,
     .dim = ASSAY_DIM_FRACTION,
     .label = ASSAY_MSG_SERVING_FLIP_UTILISATION,
     .range = DECIDE_RANGE_SERVED,
     .low = 0.1,
     .high = 1.0,
     .least = 0.001,
     .most = 1.0,
     .now = now_utilisation,
     .set = set_utilisation,
     .idle = no_owned},
    {.variable = "step_time_factor",
     .work = TRAIN | DECIDE_SERVING,
     .own = true,
     .listed = true,
     .dim = ASSAY_DIM_NUMBER,
     .label = ASSAY_MSG_DECIDE_FLIP_STEP,
     .range = DECIDE_RANGE_AROUND,
     .low = 0.5,
     .high = 2.0,
     .least = 1e-3,
     .most = 1e3,
     .log = true,
     .now = now_one,
     .set = set_step},
    {.variable = "request_time_factor",
     .work = DECIDE_IMAGES,
     .own = true,
     .listed = true,
     .dim = ASSAY_DIM_NUMBER,
     .label = ASSAY_MSG_IMAGE_FLIP_REQUEST,
     .range = DECIDE_RANGE_AROUND,
     .low = 0.5,
     .high = 2.0,
     .least = 1e-3,
     .most = 1e3,
     .log = true,
     .now = now_one,
     .set = set_step},
    {.variable = "output_tokens",
     .work = DECIDE_SERVING,
     .listed = true,
     .dim = ASSAY_DIM_COUNT,
     .unit = "token",
     .label = ASSAY_MSG_SERVING_FLIP_OUTPUT,
     .range = DECIDE_RANGE_AROUND,
     .low = 0.25,
     .high = 4.0,
     .least = 1.0,
     .most = 1e8,
     .relative = true,
     .log = true,
     .now = now_output,
     .set = set_output,
     .idle = no_rate},
    {.variable = "migration_days",
     .work = ANY,
     .listed = true,
     .dim = ASSAY_DIM_LABOUR,
     .label = ASSAY_MSG_DECIDE_FLIP_MIGRATION,
     .range = DECIDE_RANGE_DAYS,
     .low = 0.1,
     .high = 10.0,
     .least = 1e-3,
     .most = 1e9,
     .relative = true,
     .log = true,
     .now = now_migration,
     .set = set_migration,
     .idle = nobody_moves},
    {.variable = "hip_fit",
     .work = ANY,
     .listed = true,
     .dim = ASSAY_DIM_FRACTION,
     .label = ASSAY_MSG_DECIDE_FLIP_FIT,
     .range = DECIDE_RANGE_SHARE,
     .low = 0.5,
     .high = 1.0,
     .least = 0.0,
     .most = 1.0,
     .now = now_fit,
     .set = set_fit,
     .idle = fit_is_nothing},
    {.variable = "compute_share",
     .work = TRAIN,
     .listed = true,
     .dim = ASSAY_DIM_FRACTION,
     .label = ASSAY_MSG_DECIDE_FLIP_SHARE,
     .range = DECIDE_RANGE_SHARE,
     .low = 0.5,
     .high = 0.9,
     .least = 0.01,
     .most = 0.99,
     .now = now_share,
     .set = set_share,
     .idle = share_is_nothing},
};
const uint32_t decide_axis_n = sizeof decide_axis_table / sizeof *decide_axis_table;

const char *decide_axis_label(const decide_game_t *game, const decide_axis_t *axis,
                              int32_t candidate) {
    const char *const id[] = {axis->own ? decide_game_id(game, candidate) : ""};
    return assay_decide_say(game->ctx, axis->label, id, 1);
}

/* ---- by name ---- */

static assay_status_t no_variable(const decide_game_t *game, const char *text, assay_error_t *err) {
    const char *name[sizeof decide_axis_table / sizeof *decide_axis_table];
    uint32_t n = 0;
    assay_buf_t list;
    assay_buf_init(&list, 4096);
    for (uint32_t k = 0; k < decide_axis_n; k++) {
        if (decide_axis_table[k].work & game->work) {
            name[n++] = decide_axis_table[k].variable;
            assay_buf_printf(&list, "%s%s", list.n ? ", " : "", decide_axis_table[k].variable);
        }
    }
    const char *near = assay_text_nearest(text, name, n);
    assay_error_set(err, ASSAY_NOT_FOUND, NULL, "no variable of this job is called '%s'", text);
    if (near) {
        assay_error_next(err, "did you mean '%s'?", near);
    } else {
        assay_error_next(err, "there are %s", list.n ? list.data : "none");
    }
    assay_buf_done(&list);
    return ASSAY_NOT_FOUND;
}

static assay_status_t no_candidate(const decide_game_t *game, const char *id, assay_error_t *err) {
    const char **name = assay_arena_array(game->ctx->arena, game->n + 1, sizeof *name);
    if (!name) {
        return assay_error_memory(err, NULL);
    }
    uint32_t n = 0;
    for (uint32_t c = 0; c < game->n; c++) {
        if (game->player[c].fits) {
            name[n++] = game->player[c].machine->id;
        }
    }
    const char *near = assay_text_nearest(id, name, n);
    assay_error_set(err, ASSAY_NOT_FOUND, NULL, "no candidate that fits is called '%s'", id);
    if (n > 0) {
        assay_error_next(err, near ? "did you mean '%s'?" : "'%s' is one", near ? near : name[0]);
    }
    return ASSAY_NOT_FOUND;
}

/* Whose price a map of two sides is about. */
static const char *side_name(const decide_game_t *game, const char *name, int32_t *io_about) {
    static const char mover[] = "mover_price", incumbent[] = "incumbent_price";
    const bool moves = strcmp(name, mover) == 0;
    if (!moves && strcmp(name, incumbent) != 0) {
        return name;
    }
    const int32_t side = moves ? game->mover : game->incumbent;
    const int32_t instead = moves ? game->choice : game->runner_up;
    *io_about = game->mover >= 0 && game->incumbent >= 0 ? side : instead;
    return game->player[*io_about].money_case->owned ? "buy_usd" : "usd_per_h";
}

assay_status_t decide_axis_find(const decide_game_t *game, const char *text, size_t n,
                                int32_t about, const decide_axis_t **out, int32_t *out_candidate,
                                assay_error_t *err) {
    const char *colon = memchr(text, ':', n);
    const size_t n_name = colon ? (size_t)(colon - text) : n;
    const char *given = assay_arena_strndup(game->ctx->arena, text, n_name);
    const char *id = colon ? assay_arena_strndup(game->ctx->arena, colon + 1, n - n_name - 1) : "";
    if (!given || !id) {
        return assay_error_memory(err, NULL);
    }
    const char *name = side_name(game, given, &about);
    uint32_t k = 0;
    while (k < decide_axis_n && (strcmp(decide_axis_table[k].variable, name) != 0 ||
                                 !(decide_axis_table[k].work & game->work))) {
        k++;
    }
    if (k == decide_axis_n) {
        return no_variable(game, given, err);
    }
    const decide_axis_t *axis = &decide_axis_table[k];
    for (uint32_t c = 0; colon && axis->own; c++) {
        if (c == game->n) {
            return no_candidate(game, id, err);
        }
        if (game->player[c].fits && strcmp(game->player[c].machine->id, id) == 0) {
            about = (int32_t)c;
            break;
        }
    }
    if (colon && !axis->own) {
        assay_error_set(err, ASSAY_INPUT, NULL, "%s is of all candidates, not of %s", name, id);
        assay_error_next(err, "write %s alone", name);
        return ASSAY_INPUT;
    }
    if (axis->idle && axis->idle(game, about)) {
        assay_error_set(err, ASSAY_INPUT, NULL, "%s moves no cost of %s", name,
                        axis->own ? decide_game_id(game, about) : "this job");
        assay_error_next(err, "ask for a variable that the costs depend on");
        return ASSAY_INPUT;
    }
    *out = axis;
    *out_candidate = about;
    return ASSAY_OK;
}
