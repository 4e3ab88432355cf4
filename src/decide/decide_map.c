/* Mover against incumbent over two variables, one panel for each value of a third. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "base/det_math.h"
#include "decide/decide_rows.h"
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

/* ---- variables ---- */

enum { MOVER, INCUMBENT };
typedef struct {
    assay_decide_ctx_t *ctx;
    int32_t index[2];
    assay_money_case_t money_case[2];
    double factor[2][ASSAY_DRAW_N]; /* of drawn values */
} world_t;

static const assay_estimate_t *best_of(const world_t *w, int k) {
    return &w->ctx->out->candidate[w->index[k]].plan.best;
}

static double now_days(const world_t *w) {
    return w->ctx->out->candidate[w->index[MOVER]].point.days;
}
static void set_days(world_t *w, double x) {
    const double factor = x / now_days(w);
    w->money_case[MOVER].job_h *= factor;
    w->money_case[INCUMBENT].job_h *= factor;
}

static double now_fit(const world_t *w) {
    return w->ctx->resolved->money.reference_fit;
}
static void set_fit(world_t *w, double x) {
    for (int k = 0; k < 3; k++) {
        w->factor[MOVER][ASSAY_DRAW_LEVEL_1 + k] *= (1.0 - x) / (1.0 - now_fit(w));
    }
}

static double now_share(const world_t *w) {
    return best_of(w, INCUMBENT)->compute_share;
}
static void set_share(world_t *w, double x) {
    for (int k = 0; k < 2; k++) {
        w->money_case[k].job_h *= decide_share_factor(best_of(w, k), best_of(w, INCUMBENT), x);
    }
}

static double now_electricity(const world_t *w) {
    return w->money_case[MOVER].central[ASSAY_DRAW_ELECTRICITY];
}
static void set_electricity(world_t *w, double x) {
    for (int k = 0; k < 2; k++) {
        const double now = w->money_case[k].central[ASSAY_DRAW_ELECTRICITY];
        w->factor[k][ASSAY_DRAW_ELECTRICITY] *= now > 0.0 ? x / now : 1.0;
    }
}

static double now_utilisation(const world_t *w) {
    return w->money_case[MOVER].utilisation;
}
static void set_utilisation(world_t *w, double x) {
    w->money_case[MOVER].utilisation = w->money_case[INCUMBENT].utilisation = x;
}

static double price_of(const assay_money_case_t *c) {
    return c->owned ? c->capex_usd : c->usd_per_h;
}
static void set_price(assay_money_case_t *c, double x) {
    *(c->owned ? &c->capex_usd : &c->usd_per_h) = x;
}
static double now_price(const world_t *w) {
    return price_of(&w->money_case[MOVER]);
}
static void set_mover_price(world_t *w, double x) {
    set_price(&w->money_case[MOVER], x);
}
static double now_other_price(const world_t *w) {
    return price_of(&w->money_case[INCUMBENT]);
}
static void set_other_price(world_t *w, double x) {
    set_price(&w->money_case[INCUMBENT], x);
}

static double now_step(const world_t *w) {
    (void)w;
    return 1.0;
}
static void set_step(world_t *w, double x) {
    w->money_case[MOVER].job_h *= x;
}

typedef struct {
    const char *name;
    assay_dim_t dim;
    double (*now)(const world_t *w);
    void (*set)(world_t *w, double x);
    double low, high;   /* of the axis; relative: times now */
    double least, most; /* that a user may ask for */
    bool relative, log;
} variable_t;
static const variable_t variable[] = {
    {"run_days", ASSAY_DIM_NUMBER, now_days, set_days, 2.0, 120.0, 1e-3, 1e5, false, true},
    {"hip_fit", ASSAY_DIM_FRACTION, now_fit, set_fit, 0.5, 1.0, 0.0, 1.0, false, false},
    {"compute_share", ASSAY_DIM_FRACTION, now_share, set_share, 0.5, 0.9, 0.01, 0.99, false, false},
    {"electricity_usd_kwh", ASSAY_DIM_MONEY_PER_KWH, now_electricity, set_electricity, 0.03, 0.4,
     1e-6, 10.0, false, false},
    {"utilisation", ASSAY_DIM_FRACTION, now_utilisation, set_utilisation, 0.1, 1.0, 0.001, 1.0,
     false, false},
    {"mover_price", ASSAY_DIM_MONEY, now_price, set_mover_price, 0.5, 2.0, 1e-6, 1e12, true, true},
    {"incumbent_price", ASSAY_DIM_MONEY, now_other_price, set_other_price, 0.5, 2.0, 1e-6, 1e12,
     true, true},
    {"step_time_factor", ASSAY_DIM_NUMBER, now_step, set_step, 0.5, 2.0, 1e-3, 1e3, false, true},
};
#define N_VARIABLE (sizeof variable / sizeof *variable)

/* "run_days" or "run_days=5:60". */
static assay_status_t read_axis(world_t *w, const char *text, uint32_t n, const variable_t **out,
                                assay_map_axis_t *axis, assay_error_t *err) {
    const char *name[N_VARIABLE], *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    size_t k = 0;
    while (k < N_VARIABLE &&
           (strlen(variable[k].name) != length || memcmp(variable[k].name, text, length) != 0)) {
        name[k] = variable[k].name;
        k++;
    }
    if (k == N_VARIABLE) {
        const char *near = assay_text_nearest(text, name, N_VARIABLE);
        assay_error_set(err, ASSAY_INPUT, NULL, "no variable of a map is called '%s'", text);
        assay_error_next(err, near ? "did you mean '%s'?" : "the first is '%s'",
                         near ? near : name[0]);
        return ASSAY_INPUT;
    }
    const variable_t *v = &variable[k];
    const double now = v->now(w);
    double low = v->relative ? v->low * now : v->low, high = v->relative ? v->high * now : v->high;
    const char *colon = equals ? strchr(equals, ':') : NULL;
    if (equals &&
        (!colon || !assay_text_to_double(equals + 1, (size_t)(colon - equals - 1), &low) ||
         !assay_text_to_double(colon + 1, strlen(colon + 1), &high) ||
         !(low >= v->least && low < high && high <= v->most))) {
        assay_error_set(err, ASSAY_INPUT, NULL, "'%s' is no range of a map", text);
        assay_error_next(err, "give %s=LOW:HIGH, from %g to %g", v->name, v->least, v->most);
        return ASSAY_INPUT;
    }
    *axis = (assay_map_axis_t){
        .variable = v->name, .label = v->name, .dim = v->dim, .n = n, .now = now};
    for (uint32_t i = 0; i < n; i++) {
        const double at = n > 1 ? (double)i / (n - 1) : 0.5;
        axis->value[i] = v->log && low > 0.0 ? low * assay_det_exp(at * assay_det_log(high / low))
                                             : low + (high - low) * at;
    }
    *out = v;
    return ASSAY_OK;
}

/* ---- cells ---- */

typedef struct {
    double (*x[2])[ASSAY_DRAW_N]; /* (n) drawn values of mover and incumbent */
    double central[2][ASSAY_DRAW_N];
    uint32_t n;
} samples_t;

static bool draw_samples(const world_t *w, assay_arena_t *scratch, samples_t *out) {
    const uint32_t all = w->ctx->resolved->samples;
    out->n = all < SAMPLES ? all : SAMPLES;
    assay_draws_t *draws = assay_arena_alloc(scratch, sizeof *draws);
    for (int k = 0; k < 2; k++) {
        out->x[k] = assay_arena_array(scratch, out->n, sizeof *out->x[k]);
        if (!draws || !out->x[k]) {
            return false;
        }
        assay_decide_draws(w->ctx->resolved->seed, w->ctx->resolved->money.correlations,
                           (uint32_t)w->index[k], draws);
        assay_money_draw(&w->money_case[k], NULL, out->central[k]);
        for (uint32_t i = 0; i < out->n; i++) {
            double u[ASSAY_DRAW_N];
            assay_decide_draw_of(draws, i, u);
            assay_money_draw(&w->money_case[k], u, out->x[k][i]);
        }
    }
    return true;
}

static double job_of(const world_t *w, int k, const assay_money_flows_t *flows, const double *x) {
    double scaled[ASSAY_DRAW_N];
    assay_money_result_t result;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        scaled[d] = x[d] * w->factor[k][d];
    }
    assay_money_sum(flows, scaled, &result);
    return result.job_usd;
}

static void evaluate(const world_t *w, const samples_t *samples, double *out_delta,
                     double *out_p_mover) {
    assay_money_flows_t flows[2];
    double usd[2];
    for (int k = 0; k < 2; k++) {
        assay_money_flows(&w->money_case[k], &flows[k]);
        usd[k] = job_of(w, k, &flows[k], samples->central[k]);
    }
    *out_delta = usd[INCUMBENT] - usd[MOVER];
    *out_p_mover = 0.0;
    for (uint32_t i = 0; i < samples->n; i++) {
        *out_p_mover += job_of(w, MOVER, &flows[MOVER], samples->x[MOVER][i]) <
                                job_of(w, INCUMBENT, &flows[INCUMBENT], samples->x[INCUMBENT][i])
                            ? 1.0 / samples->n
                            : 0.0;
    }
}

static void reset(world_t *w) {
    for (int k = 0; k < 2; k++) {
        w->money_case[k] = w->ctx->out->candidate[w->index[k]].money_case;
        for (int d = 0; d < ASSAY_DRAW_N; d++) {
            w->factor[k][d] = 1.0;
        }
    }
}

/* The first y at which p passes `level`, between two values of the axis; NAN = nowhere. p: (y),
   step apart. */
static double edge_at(const assay_map_axis_t *y, const double *p, size_t step, double level) {
    for (uint32_t i = 0; i + 1 < y->n; i++) {
        const double a = p[i * step] - level, b = p[(i + 1) * step] - level;
        if ((a < 0.0) != (b < 0.0)) {
            return y->value[i] + (y->value[i + 1] - y->value[i]) * a / (a - b);
        }
    }
    return (double)NAN;
}

static const char *sentence_of(world_t *w, const variable_t *const v[3], const samples_t *samples,
                               const assay_map_t *map) {
    assay_decide_ctx_t *ctx = w->ctx;
    const double point[3] = {A2_DAYS, A2_FIT, A2_SHARE};
    static const char *const name[3] = {"run_days", "hip_fit", "compute_share"};
    bool all = true;
    reset(w);
    for (int k = 0; k < 3; k++) {
        bool found = false;
        for (int j = 0; j < 3; j++) {
            if (v[j] && strcmp(v[j]->name, name[k]) == 0) {
                v[j]->set(w, point[k]);
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
    uint32_t won = 0;
    for (size_t i = 0; i < n; i++) {
        won += map->delta_usd[i] > 0.0;
    }
    char of[2][16];
    snprintf(of[0], sizeof of[0], "%u", won);
    snprintf(of[1], sizeof of[1], "%zu", n);
    return SAY(ctx, DECIDE_MAP, map->x.label, map->y.label, map->mover, map->incumbent, of[0],
               of[1]);
}

static bool fill(world_t *w, const variable_t *const v[3], const samples_t *samples,
                 assay_map_t *map) {
    const size_t panels = map->panel.n ? map->panel.n : 1;
    const size_t columns = map->x.n, cells = columns * map->y.n;
    double *room =
        assay_arena_array(w->ctx->arena, 2 * panels * cells + 3 * panels * columns, sizeof *room);
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
                reset(w);
                v[0]->set(w, map->x.value[x]);
                v[1]->set(w, map->y.value[y]);
                if (v[2]) {
                    v[2]->set(w, map->panel.value[panel]);
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

assay_status_t assay_decide_map(assay_decide_ctx_t *ctx, assay_arena_t *scratch,
                                assay_sensitivity_t *io, assay_error_t *err) {
    const char *const *text = ctx->resolved->map;
    const variable_t *v[3] = {NULL};
    if (!text[0]) {
        return ASSAY_OK;
    }
    if (!text[1]) {
        assay_error_set(err, ASSAY_INPUT, NULL, "a map is of two or three variables");
        assay_error_next(err,
                         "give --map run_days,hip_fit or --map run_days,hip_fit,compute_share");
        return ASSAY_INPUT;
    }
    if (ctx->mover < 0 || ctx->incumbent < 0) {
        assay_error_set(err, ASSAY_INPUT, NULL,
                        "a map compares a candidate that moves with one that stays");
        assay_error_next(err, "give candidates of which one needs migration and one does not");
        return ASSAY_INPUT;
    }
    world_t *w = assay_arena_alloc(scratch, sizeof *w);
    assay_map_t *map = assay_arena_alloc(ctx->arena, sizeof *map);
    samples_t samples;
    if (!w || !map) {
        return assay_error_memory(err, NULL);
    }
    memset(map, 0, sizeof *map);
    *w = (world_t){.ctx = ctx, .index = {ctx->mover, ctx->incumbent}};
    reset(w);
    assay_status_t status = read_axis(w, text[0], ASSAY_MAP_POINTS, &v[0], &map->x, err);
    if (!status) {
        status = read_axis(w, text[1], ASSAY_MAP_POINTS, &v[1], &map->y, err);
    }
    if (!status && text[2]) {
        status = read_axis(w, text[2], PANELS, &v[2], &map->panel, err);
    }
    if (status) {
        return status;
    }
    map->mover = assay_decide_id(ctx, ctx->mover);
    map->incumbent = assay_decide_id(ctx, ctx->incumbent);
    if (!draw_samples(w, scratch, &samples) || !fill(w, v, &samples, map)) {
        return assay_error_memory(err, NULL);
    }
    map->sentence = sentence_of(w, v, &samples, map);
    io->map = map;
    io->n_map = 1;
    return ASSAY_OK;
}
