/* Mover against incumbent over two variables, one panel for each value of a third. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "base/det_math.h"
#include "decide/decide_axis.h"
#include "decide/share.h"

#include "base/banned.h"

#define SAMPLES 256u
#define PANELS 3u
#define SECONDS_PER_DAY 86400.0
/* The point of seed article A, A2. */
#define A2_SHARE 0.7
#define A2_DAYS 30.0
#define A2_FIT 0.8

double decide_share_factor(const assay_estimate_t *estimate, const assay_estimate_t *reference,
                           double x) {
    const double idle_s = estimate->time_s[ASSAY_TIME_PP_BUBBLE] +
                          estimate->time_s[ASSAY_TIME_OFFLOAD] + estimate->time_s[ASSAY_TIME_HOST];
    const double busy_s = fmax(0.0, estimate->step_s - idle_s);
    const double compute_s = busy_s * estimate->compute_share, rest_s = busy_s - compute_s;
    const double share = reference->compute_share;
    return (compute_s * x / share + rest_s * (1.0 - x) / (1.0 - share) + idle_s) / estimate->step_s;
}

enum { MOVER, INCUMBENT };
typedef struct {
    decide_world_t world;
    int32_t index[2];
} sides_t;

/* An axis as it was asked for, and whose it is. */
typedef struct {
    const decide_axis_t *axis;
    int32_t candidate;
} variable_t;

/* ---- variables ---- */

/* "run_days", "run_days=5:60", "usd_per_h:h100=1:3". Without a candidate: of the mover. */
static assay_status_t read_axis(const sides_t *w, const char *text, uint32_t n, variable_t *out,
                                assay_map_axis_t *axis, assay_error_t *err) {
    const decide_game_t *game = w->world.game;
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const assay_status_t status =
        decide_axis_find(game, text, length, w->index[MOVER], &out->axis, &out->candidate, err);
    if (status) {
        return status;
    }
    const decide_axis_t *v = out->axis;
    const double now = v->now(game, out->candidate);
    double low = v->relative ? v->low * now : v->low, high = v->relative ? v->high * now : v->high;
    const char *colon = equals ? strchr(equals, ':') : NULL;
    if (equals &&
        (!colon || !assay_text_to_double(equals + 1, (size_t)(colon - equals - 1), &low) ||
         !assay_text_to_double(colon + 1, strlen(colon + 1), &high) ||
         !(low >= v->least && low < high && high <= v->most))) {
        assay_error_set(err, ASSAY_INPUT, NULL, "'%s' is no range of a map", text);
        assay_error_next(err, "give %s=LOW:HIGH, from %g to %g", v->variable, v->least, v->most);
        return ASSAY_INPUT;
    }
    const char *name = assay_arena_strndup(game->ctx->arena, text, length);
    if (!name) {
        return assay_error_memory(err, NULL);
    }
    *axis = (assay_map_axis_t){.variable = name,
                               .label = decide_axis_label(game, v, out->candidate),
                               .dim = v->dim,
                               .n = n,
                               .now = now};
    for (uint32_t i = 0; i < n; i++) {
        const double at = n > 1 ? (double)i / (n - 1) : 0.5;
        axis->value[i] = v->log && low > 0.0 ? low * assay_det_exp(at * assay_det_log(high / low))
                                             : low + (high - low) * at;
    }
    return ASSAY_OK;
}

static void set(sides_t *w, const variable_t *v, double x) {
    v->axis->set(&w->world, v->candidate, x);
}

/* ---- cells ---- */

typedef struct {
    double (*x[2])[ASSAY_DRAW_N]; /* (n) drawn values of mover and incumbent */
    double central[2][ASSAY_DRAW_N];
    uint32_t n;
} samples_t;

static bool draw_samples(const sides_t *w, assay_arena_t *scratch, samples_t *out) {
    const decide_game_t *game = w->world.game;
    const uint32_t all = game->ctx->resolved->samples;
    out->n = all < SAMPLES ? all : SAMPLES;
    assay_draws_t *draws = assay_arena_alloc(scratch, sizeof *draws);
    for (int k = 0; k < 2; k++) {
        const decide_player_t *player = &game->player[w->index[k]];
        out->x[k] = assay_arena_array(scratch, out->n, sizeof *out->x[k]);
        if (!draws || !out->x[k]) {
            return false;
        }
        assay_decide_draws(game->ctx->resolved->seed, game->ctx->resolved->money.correlations,
                           (uint32_t)w->index[k], draws);
        decide_values(player, NULL, 0, out->central[k]);
        for (uint32_t i = 0; i < out->n; i++) {
            decide_values(player, draws, i, out->x[k][i]);
        }
    }
    return true;
}

/* One that cannot do the work costs more than any that can. */
static double cost_of(sides_t *w, int k, const double *x) {
    const decide_player_t *player = &w->world.game->player[w->index[k]];
    decide_side_t *side = &w->world.side[w->index[k]];
    assay_money_result_t result;
    decide_side_eval(player, side, x, &result);
    return side->out ? (double)INFINITY : decide_cost(player, &result);
}

static void evaluate(sides_t *w, const samples_t *samples, double *out_delta, double *out_p_mover) {
    const double mover = cost_of(w, MOVER, samples->central[MOVER]);
    const double incumbent = cost_of(w, INCUMBENT, samples->central[INCUMBENT]);
    *out_delta = incumbent - mover;
    *out_p_mover = isnan(*out_delta) ? (double)NAN : 0.0;
    for (uint32_t i = 0; i < samples->n && !isnan(*out_delta); i++) {
        *out_p_mover += cost_of(w, MOVER, samples->x[MOVER][i]) <
                                cost_of(w, INCUMBENT, samples->x[INCUMBENT][i])
                            ? 1.0 / samples->n
                            : 0.0;
    }
}

/* The first y at which p passes `level`, between two values of the axis; NAN = nowhere. p: (y),
   step apart. */
static double edge_at(const assay_map_axis_t *y, const double *p, size_t step, double level) {
    for (uint32_t i = 0; i + 1 < y->n; i++) {
        const double a = p[i * step] - level, b = p[(i + 1) * step] - level;
        if (!isnan(a) && !isnan(b) && (a < 0.0) != (b < 0.0)) {
            return y->value[i] + (y->value[i + 1] - y->value[i]) * a / (a - b);
        }
    }
    return (double)NAN;
}

static const char *sentence_of(sides_t *w, const variable_t v[3], const samples_t *samples,
                               const assay_map_t *map) {
    assay_decide_ctx_t *ctx = w->world.game->ctx;
    const double point[3] = {A2_DAYS, A2_FIT, A2_SHARE};
    static const char *const name[3] = {"run_days", "hip_fit", "compute_share"};
    bool all = true;
    decide_world_reset(&w->world);
    for (int k = 0; k < 3; k++) {
        bool found = false;
        for (int j = 0; j < 3; j++) {
            if (v[j].axis && strcmp(v[j].axis->variable, name[k]) == 0) {
                set(w, &v[j], point[k]);
                found = true;
            }
        }
        all &= found;
    }
    if (all) {
        double delta, p;
        evaluate(w, samples, &delta, &p);
        return SAY(ctx, DECIDE_MAP_A2, assay_decide_format(ctx, A2_SHARE, ASSAY_DIM_FRACTION),
                   assay_decide_format(ctx, A2_DAYS * SECONDS_PER_DAY, ASSAY_DIM_TIME),
                   assay_decide_format(ctx, A2_FIT, ASSAY_DIM_FRACTION), map->mover, map->incumbent,
                   assay_decide_probability(ctx, p));
    }
    const size_t n = (size_t)map->x.n * map->y.n * (map->panel.n ? map->panel.n : 1);
    enum { WON, LOST, MOVER_ALONE, INCUMBENT_ALONE, NEITHER, COUNTS };
    size_t count[COUNTS] = {0};
    for (size_t i = 0; i < n; i++) {
        const double delta = map->delta_usd[i];
        count[isnan(delta)      ? NEITHER
              : isfinite(delta) ? (delta > 0.0 ? WON : LOST)
              : delta > 0.0     ? MOVER_ALONE
                                : INCUMBENT_ALONE]++;
    }
    char of[COUNTS][24], cells[24];
    for (int k = 0; k < COUNTS; k++) {
        snprintf(of[k], sizeof of[k], "%zu", count[k]);
    }
    snprintf(cells, sizeof cells, "%zu", n);
    return count[WON] + count[LOST] < n
               ? SAY(ctx, DECIDE_MAP_OUT, map->x.label, map->y.label, map->mover, map->incumbent,
                     of[WON], cells, of[MOVER_ALONE], of[INCUMBENT_ALONE], of[NEITHER])
               : SAY(ctx, DECIDE_MAP, map->x.label, map->y.label, map->mover, map->incumbent,
                     of[WON], cells);
}

static bool fill(sides_t *w, const variable_t v[3], const samples_t *samples, assay_map_t *map) {
    const size_t panels = map->panel.n ? map->panel.n : 1;
    const size_t columns = map->x.n, cells = columns * map->y.n;
    double *room = assay_arena_array(w->world.game->ctx->arena,
                                     2 * panels * cells + 3 * panels * columns, sizeof *room);
    if (!room) {
        return false;
    }
    map->delta_usd = room;
    map->p_mover = room + panels * cells;
    map->edge = map->p_mover + panels * cells;
    map->edge_p10 = map->edge + panels * columns;
    map->edge_p90 = map->edge_p10 + panels * columns;
    for (size_t panel = 0; panel < panels; panel++) {
        for (size_t y = 0; y < map->y.n; y++) {
            for (size_t x = 0; x < columns; x++) {
                const size_t at = panel * cells + y * columns + x;
                decide_world_reset(&w->world);
                set(w, &v[0], map->x.value[x]);
                set(w, &v[1], map->y.value[y]);
                if (v[2].axis) {
                    set(w, &v[2], map->panel.value[panel]);
                }
                evaluate(w, samples, &map->delta_usd[at], &map->p_mover[at]);
            }
        }
        for (size_t x = 0; x < columns; x++) {
            const double *p = &map->p_mover[panel * cells + x];
            map->edge[panel * columns + x] = edge_at(&map->y, p, columns, 0.5);
            map->edge_p10[panel * columns + x] = edge_at(&map->y, p, columns, 0.1);
            map->edge_p90[panel * columns + x] = edge_at(&map->y, p, columns, 0.9);
        }
    }
    return true;
}

/* Who is compared: a candidate that moves with one that stays, else the choice with the next. */
static assay_status_t find_sides(const decide_game_t *game, sides_t *out, assay_error_t *err) {
    const bool moves = game->mover >= 0 && game->incumbent >= 0;
    out->index[MOVER] = moves ? game->mover : game->choice;
    out->index[INCUMBENT] = moves ? game->incumbent : game->runner_up;
    if (out->index[MOVER] < 0 || out->index[INCUMBENT] < 0) {
        assay_error_set(err, ASSAY_INPUT, NULL, "a map compares two candidates that fit");
        assay_error_next(err, "give a candidate more, or leave the map out");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

assay_status_t assay_decide_map(const decide_game_t *game, assay_arena_t *scratch,
                                assay_sensitivity_t *io, assay_error_t *err) {
    const char *const *text = game->ctx->resolved->map;
    variable_t v[3] = {{NULL, 0}};
    sides_t w;
    if (!text[0]) {
        return ASSAY_OK;
    }
    if (!text[1]) {
        assay_error_set(err, ASSAY_INPUT, NULL, "a map is of two or three variables");
        assay_error_next(err,
                         "give --map run_days,hip_fit or --map run_days,hip_fit,compute_share");
        return ASSAY_INPUT;
    }
    assay_status_t status = find_sides(game, &w, err);
    if (status) {
        return status;
    }
    assay_map_t *map = assay_arena_alloc(game->ctx->arena, sizeof *map);
    samples_t samples;
    if (!map || !decide_world_create(scratch, game, &w.world)) {
        return assay_error_memory(err, NULL);
    }
    memset(map, 0, sizeof *map);
    status = read_axis(&w, text[0], ASSAY_MAP_POINTS, &v[0], &map->x, err);
    if (!status) {
        status = read_axis(&w, text[1], ASSAY_MAP_POINTS, &v[1], &map->y, err);
    }
    if (!status && text[2]) {
        status = read_axis(&w, text[2], PANELS, &v[2], &map->panel, err);
    }
    if (status) {
        return status;
    }
    map->mover = decide_game_id(game, w.index[MOVER]);
    map->incumbent = decide_game_id(game, w.index[INCUMBENT]);
    if (!draw_samples(&w, scratch, &samples) || !fill(&w, v, &samples, map)) {
        return assay_error_memory(err, NULL);
    }
    map->points = samples.n;
    map->sentence = sentence_of(&w, v, &samples, map);
    io->map = map;
    io->n_map = 1;
    return ASSAY_OK;
}
