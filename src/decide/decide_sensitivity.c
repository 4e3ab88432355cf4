/* Which input moves the decision, and what knowing it is worth. */
#include "decide/decide_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

/* Conditional means are expanded in Hermite polynomials of an input's normal score, orthonormal
   under it: E[f | z] = sum c_k h_k(z) with c_k = E[f h_k], which the samples give as plain means
   (Sudret, Reliability Engineering 93, 2008: polynomial chaos). The sum of c_k^2, k >= 1, is the
   variance that the input explains alone; the mean of the cheapest E[f | z], as Strong, Oakley and
   Brennan (Medical Decision Making 34, 2014) regress it, gives the worth of knowing the input. */
#define DEGREE 3
#define DECILES_LOW 0.1
#define DECILES_HIGH 0.9
#define QUICK_MINUTES 20.0
#define PLAYERS_MAX 8u
#define ROUNDING 1e-12
#define NOISE_SHARE 1e-3 /* of the variance: below it an input explains nothing */

static void hermite(double z, double out[DEGREE + 1]) {
    out[0] = 1.0;
    out[1] = z;
    out[2] = (z * z - 1.0) * M_SQRT1_2;
    out[3] = (z * z * z - 3.0 * z) * 0.40824829046386302; /* 1/sqrt(6) */
}

/* One input of one candidate, or one that all share. */
typedef struct {
    assay_draw_t draw;
    int32_t owner;       /* candidate; -1 = common */
    double *coefficient; /* (n of the game, DEGREE) of the cost that decides, without the mean */
    double *z;           /* (n): of the samples */
} factor_t;

typedef struct {
    const decide_game_t *game;
    assay_arena_t *scratch;
    factor_t *factor;
    uint32_t n_factor, n;   /* n: samples that are looked at */
    double *mean;           /* (n of the game) of the cost that decides */
    const uint32_t *played; /* (n_played) candidates that are looked at */
    uint32_t n_played;
    decide_side_t *side; /* room */
} study_t;

static bool is_drawn(const decide_player_t *player, int draw) {
    return decide_draw_of(player, (assay_draw_t)draw)->kind != ASSAY_DIST_FIXED;
}

/* Choice, runner-up, and the others that are cheapest most often: PLAYERS_MAX at most. */
static uint32_t find_players(const decide_game_t *game, uint32_t *out) {
    uint32_t n = 0;
    const int32_t first[2] = {game->choice, game->runner_up};
    for (int k = 0; k < 2 && first[k] >= 0; k++) {
        out[n++] = (uint32_t)first[k];
    }
    for (; n > 0 && n < PLAYERS_MAX; n++) {
        int32_t best = -1;
        for (uint32_t c = 0; c < game->n; c++) {
            bool known = !game->player[c].eligible;
            for (uint32_t k = 0; k < n; k++) {
                known |= out[k] == c;
            }
            if (!known && (best < 0 || game->player[c].p_best > game->player[best].p_best)) {
                best = (int32_t)c;
            }
        }
        if (best < 0) {
            break;
        }
        out[n] = (uint32_t)best;
    }
    return n;
}

/* ---- factors ---- */

static void add_factor(study_t *s, assay_draw_t draw, int32_t owner) {
    factor_t *f = &s->factor[s->n_factor++];
    *f = (factor_t){.draw = draw, .owner = owner};
}

/* Cost of a player at central values with one input at a decile of its own distribution: the shared
   error of the steps has a width of each machine's own. */
static double cost_at(const study_t *s, uint32_t index, assay_draw_t draw, double decile) {
    const decide_player_t *player = &s->game->player[index];
    double x[ASSAY_DRAW_N];
    assay_money_result_t result;
    decide_values(player, NULL, 0, x);
    x[draw] = assay_dist_quantile(decide_draw_of(player, draw), decile);
    if (assay_money_is_kept(draw)) {
        x[draw] = assay_money_keep_one(player->money_case, draw, x[draw]);
    }
    decide_side_begin(player, s->side);
    decide_side_eval(player, s->side, x, &result);
    return decide_cost(player, &result);
}

static double cost_now(const study_t *s, uint32_t index) {
    return decide_cost(&s->game->player[index], s->game->player[index].point);
}

/* Whether an input moves a player's cost: a rented node holds its electricity. Whole replicas may
   hide the error of a step at its deciles. */
static bool moves(const study_t *s, uint32_t index, int draw) {
    const bool step = draw == ASSAY_DRAW_STEP_COMMON || draw == ASSAY_DRAW_STEP_OWN;
    return is_drawn(&s->game->player[index], draw) &&
           (step || fabs(cost_at(s, index, (assay_draw_t)draw, DECILES_HIGH) -
                         cost_at(s, index, (assay_draw_t)draw, DECILES_LOW)) >
                        ROUNDING * cost_now(s, index));
}

static bool find_factors(study_t *s) {
    const decide_game_t *game = s->game;
    s->factor =
        assay_arena_array(s->scratch, (size_t)ASSAY_DRAW_N * (s->n_played + 1), sizeof *s->factor);
    if (!s->factor) {
        return false;
    }
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        bool shared = false;
        for (uint32_t k = 0; k < s->n_played; k++) {
            const uint32_t c = s->played[k];
            if (!moves(s, c, d)) {
                continue;
            }
            if (assay_draw_is_common((assay_draw_t)d)) {
                shared = true;
            } else {
                add_factor(s, (assay_draw_t)d, (int32_t)c);
            }
        }
        if (shared) {
            add_factor(s, (assay_draw_t)d, -1);
        }
    }
    for (uint32_t k = 0; k < s->n_factor; k++) {
        factor_t *f = &s->factor[k];
        f->z = assay_arena_array(s->scratch, s->n, sizeof *f->z);
        f->coefficient =
            assay_arena_array(s->scratch, (size_t)game->n * DEGREE, sizeof *f->coefficient);
        if (!f->z || !f->coefficient) {
            return false;
        }
    }
    return true;
}

static void expand(study_t *s) {
    const decide_game_t *game = s->game;
    for (uint32_t k = 0; k < s->n_played; k++) {
        const double *usd = game->player[s->played[k]].usd;
        double sum = 0.0;
        for (uint32_t i = 0; i < s->n; i++) {
            sum += usd[i];
        }
        s->mean[s->played[k]] = sum / s->n;
    }
    for (uint32_t f = 0; f < s->n_factor; f++) {
        factor_t *factor = &s->factor[f];
        memset(factor->coefficient, 0, (size_t)game->n * DEGREE * sizeof *factor->coefficient);
        decide_scores(game->ctx->resolved, factor->draw, factor->owner, s->n, factor->z);
        for (uint32_t i = 0; i < s->n; i++) {
            double h[DEGREE + 1];
            hermite(factor->z[i], h);
            for (uint32_t k = 0; k < s->n_played; k++) {
                const uint32_t c = s->played[k];
                const double off = (game->player[c].usd[i] - s->mean[c]) / s->n;
                for (int p = 0; p < DEGREE; p++) {
                    factor->coefficient[c * DEGREE + (uint32_t)p] += off * h[p + 1];
                }
            }
        }
    }
}

/* ---- worth ---- */

/* Expected saving by knowing the inputs that `use` names before choosing, of main effects. */
static double worth_of(const study_t *s, const bool *use) {
    double best_mean = INFINITY, known = 0.0;
    uint32_t used[ASSAY_DRAW_N * (PLAYERS_MAX + 1)] = {0}, n_used = 0;
    for (uint32_t k = 0; k < s->n_played; k++) {
        best_mean = fmin(best_mean, s->mean[s->played[k]]);
    }
    for (uint32_t f = 0; f < s->n_factor; f++) {
        if (use[f]) {
            used[n_used++] = f;
        }
    }
    for (uint32_t i = 0; i < s->n; i++) {
        double usd[PLAYERS_MAX], best = INFINITY;
        for (uint32_t k = 0; k < s->n_played; k++) {
            usd[k] = s->mean[s->played[k]];
        }
        for (uint32_t f = 0; f < n_used; f++) {
            const factor_t *factor = &s->factor[used[f]];
            double h[DEGREE + 1];
            hermite(factor->z[i], h);
            for (uint32_t k = 0; k < s->n_played; k++) {
                const double *c = &factor->coefficient[s->played[k] * DEGREE];
                usd[k] += c[0] * h[1] + c[1] * h[2] + c[2] * h[3];
            }
        }
        for (uint32_t k = 0; k < s->n_played; k++) {
            best = fmin(best, usd[k]);
        }
        known += best / s->n;
    }
    return fmax(0.0, best_mean - known);
}

/* Share of the variance of choice against runner-up that a factor explains alone. */
static double explained(const study_t *s, const factor_t *f, double variance) {
    const decide_game_t *game = s->game;
    const uint32_t a = (uint32_t)game->choice, b = (uint32_t)game->runner_up;
    double sum = 0.0;
    for (uint32_t p = 0; p < DEGREE; p++) {
        const double c = f->coefficient[b * DEGREE + p] - f->coefficient[a * DEGREE + p];
        sum += c * c;
    }
    const double share = variance > 0.0 ? sum / variance : 0.0;
    return share < NOISE_SHARE ? 0.0 : fmin(1.0, share);
}

static double variance_of_delta(const study_t *s) {
    const decide_game_t *game = s->game;
    const double *a = game->player[game->choice].usd, *b = game->player[game->runner_up].usd;
    const double mean = s->mean[game->runner_up] - s->mean[game->choice];
    double sum = 0.0;
    for (uint32_t i = 0; i < s->n; i++) {
        const double off = b[i] - a[i] - mean;
        sum += off * off;
    }
    return sum / s->n;
}

/* ---- swings ---- */

/* What is not of that player leaves it as it is. */
static double cost_with(const study_t *s, const factor_t *f, uint32_t index, double decile) {
    return f->owner < 0 || f->owner == (int32_t)index ? cost_at(s, index, f->draw, decile)
                                                      : cost_now(s, index);
}

static void swing(const study_t *s, const factor_t *f, assay_input_t *out) {
    const decide_game_t *game = s->game;
    const uint32_t a = (uint32_t)game->choice, b = (uint32_t)game->runner_up;
    const uint32_t of = f->owner >= 0                         ? (uint32_t)f->owner
                        : is_drawn(&game->player[a], f->draw) ? a
                                                              : b;
    const assay_dist_t *dist = decide_draw_of(&game->player[of], f->draw);
    out->low_x = assay_dist_quantile(dist, DECILES_LOW);
    out->high_x = assay_dist_quantile(dist, DECILES_HIGH);
    out->low_choice_usd = cost_with(s, f, a, DECILES_LOW);
    out->high_choice_usd = cost_with(s, f, a, DECILES_HIGH);
    out->low_usd = cost_with(s, f, b, DECILES_LOW) - out->low_choice_usd;
    out->high_usd = cost_with(s, f, b, DECILES_HIGH) - out->high_choice_usd;
}

static int by_swing(const void *a, const void *b) {
    const assay_input_t *x = a, *y = b;
    const double sx = fabs(x->high_usd - x->low_usd), sy = fabs(y->high_usd - y->low_usd);
    return (sx < sy) - (sx > sy);
}

static bool fill_inputs(study_t *s, assay_sensitivity_t *out) {
    const decide_game_t *game = s->game;
    bool *use = assay_arena_array(s->scratch, s->n_factor, sizeof *use);
    out->input = assay_arena_array(game->ctx->arena, s->n_factor, sizeof *out->input);
    if (!use || !out->input) {
        return false;
    }
    const double variance = variance_of_delta(s);
    double alone = 0.0;
    for (uint32_t f = 0; f < s->n_factor; f++) {
        const factor_t *factor = &s->factor[f];
        if (factor->owner >= 0 && factor->owner != game->choice &&
            factor->owner != game->runner_up) {
            continue;
        }
        assay_input_t *input = &out->input[out->n_input++];
        *input = (assay_input_t){
            .draw = (uint8_t)factor->draw,
            .name = assay_decide_phrase(game->ctx, assay_draw_what(factor->draw)),
            .candidate = factor->owner < 0 ? NULL : decide_game_id(game, factor->owner)};
        swing(s, factor, input);
        input->first_order = explained(s, factor, variance);
        alone += input->first_order;
        memset(use, 0, s->n_factor * sizeof *use);
        use[f] = true;
        input->worth_usd = worth_of(s, use);
    }
    out->interaction = fmax(0.0, 1.0 - alone);
    qsort(out->input, out->n_input, sizeof *out->input, by_swing);
    return true;
}

/* ---- what to measure ---- */

static bool settles(const char *list, assay_draw_t draw) {
    static const char *const code[ASSAY_DRAW_N] = {
#define DRAW_CODE(name, key, what, common) [ASSAY_DRAW_##name] = #name,
        ASSAY_DRAW_LIST(DRAW_CODE)
#undef DRAW_CODE
#define OPTION_CODE(name, key, dim, scale, least, most, drawn, term, help) \
    [ASSAY_DRAW_OPTION + ASSAY_OPTION_##name] = #name,
            ASSAY_OPTION_LIST(OPTION_CODE)
#undef OPTION_CODE
    };
    const size_t n = strlen(code[draw]);
    for (const char *at = list; (at = strstr(at, code[draw])); at += n) {
        const bool begins = at == list || at[-1] == ' ';
        if (begins && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static void add_measurement(study_t *s, assay_sensitivity_t *out, const assay_csv_t *table,
                            uint32_t row, int32_t owner, bool *use) {
    const char *list = assay_csv_cell(table, row, assay_csv_column(table, "settles"));
    const char *minutes = assay_csv_cell(table, row, assay_csv_column(table, "minutes"));
    bool any = false;
    for (uint32_t f = 0; f < s->n_factor; f++) {
        const factor_t *factor = &s->factor[f];
        use[f] = settles(list, factor->draw) && (factor->owner < 0 || factor->owner == owner);
        any |= use[f] && (owner < 0 || factor->owner == owner);
    }
    assay_measurement_t m = {
        .id = assay_csv_cell(table, row, assay_csv_column(table, "id")),
        .candidate = owner < 0 ? NULL : decide_game_id(s->game, owner),
        .how = assay_decide_phrase(s->game->ctx,
                                   assay_csv_cell(table, row, assay_csv_column(table, "how")))};
    if (!any || !assay_text_to_double(minutes, strlen(minutes), &m.minutes)) {
        return;
    }
    m.worth_usd = worth_of(s, use);
    if (m.worth_usd > 0.0) {
        m.sentence =
            m.candidate
                ? SAY(s->game->ctx, DECIDE_MEASURE_OF, m.id, m.candidate,
                      assay_decide_format(s->game->ctx, m.worth_usd, ASSAY_DIM_MONEY), m.how)
                : SAY(s->game->ctx, DECIDE_MEASURE, m.id,
                      assay_decide_format(s->game->ctx, m.worth_usd, ASSAY_DIM_MONEY), m.how);
        out->measurement[out->n_measurement++] = m;
    }
}

static int by_worth(const void *a, const void *b) {
    const double x = ((const assay_measurement_t *)a)->worth_usd;
    const double y = ((const assay_measurement_t *)b)->worth_usd;
    return (x < y) - (x > y);
}

static const char *work_name(const decide_game_t *game) {
    return game->work == DECIDE_TRAINING  ? "train"
           : game->work == DECIDE_SERVING ? "serve"
                                          : "image";
}

static assay_status_t fill_measurements(study_t *s, assay_sensitivity_t *out, assay_error_t *err) {
    assay_decide_ctx_t *ctx = s->game->ctx;
    assay_csv_t table;
    bool *use = assay_arena_array(s->scratch, s->n_factor, sizeof *use);
    const assay_status_t status = assay_data_table_keyed(
        ctx->arena, "measurements.csv", ctx->data_dir, ctx->n_data_dir, &table, err);
    if (status) {
        return status;
    }
    out->quick = -1;
    out->measurement = assay_arena_array(ctx->arena, (size_t)table.n_rows * (s->n_played + 1),
                                         sizeof *out->measurement);
    if (!use || !out->measurement) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < table.n_rows; row++) {
        const char *work = assay_csv_cell(&table, row, assay_csv_column(&table, "work"));
        if (strcmp(work, "any") != 0 && strcmp(work, work_name(s->game)) != 0) {
            continue;
        }
        const char *own = assay_csv_cell(&table, row, assay_csv_column(&table, "own"));
        if (strcmp(own, "yes") != 0) {
            add_measurement(s, out, &table, row, -1, use);
            continue;
        }
        for (uint32_t k = 0; k < s->n_played; k++) {
            add_measurement(s, out, &table, row, (int32_t)s->played[k], use);
        }
    }
    qsort(out->measurement, out->n_measurement, sizeof *out->measurement, by_worth);
    for (uint32_t k = 0; k < out->n_measurement && out->quick < 0; k++) {
        out->quick = out->measurement[k].minutes <= QUICK_MINUTES ? (int32_t)k : -1;
    }
    return ASSAY_OK;
}

/* Worth of knowing everything: what the cheapest in the mean costs more than the cheapest of each
   sample. */
static double perfect(const study_t *s) {
    double best_mean = INFINITY, known = 0.0;
    for (uint32_t k = 0; k < s->n_played; k++) {
        best_mean = fmin(best_mean, s->mean[s->played[k]]);
    }
    for (uint32_t i = 0; i < s->n; i++) {
        double best = INFINITY;
        for (uint32_t k = 0; k < s->n_played; k++) {
            best = fmin(best, s->game->player[s->played[k]].usd[i]);
        }
        known += best / s->n;
    }
    return fmax(0.0, best_mean - known);
}

assay_status_t assay_decide_sensitivity(decide_game_t *game, assay_arena_t *scratch,
                                        const assay_sensitivity_t **out_sensitivity,
                                        assay_error_t *err) {
    enum { SAMPLES_MAX = 16384 }; /* of those that were drawn; more change no digit that is shown */
    const uint32_t samples = game->ctx->resolved->samples;
    assay_sensitivity_t *out = assay_arena_alloc(game->ctx->arena, sizeof *out);
    uint32_t *played = assay_arena_array(scratch, PLAYERS_MAX, sizeof *played);
    study_t s = {.game = game,
                 .scratch = scratch,
                 .n = samples < SAMPLES_MAX ? samples : SAMPLES_MAX,
                 .mean = assay_arena_array(scratch, game->n, sizeof(double)),
                 .played = played,
                 .side = assay_arena_alloc(scratch, sizeof(decide_side_t))};
    if (!out || !played || !s.mean || !s.side) {
        return assay_error_memory(err, NULL);
    }
    memset(out, 0, sizeof *out);
    out->quick = -1;
    out->points = s.n;
    s.n_played = find_players(game, played);
    if (game->runner_up >= 0) {
        if (!find_factors(&s)) {
            return assay_error_memory(err, NULL);
        }
        expand(&s);
        out->perfect_usd = perfect(&s);
        if (!fill_inputs(&s, out)) {
            return assay_error_memory(err, NULL);
        }
        const assay_status_t status = fill_measurements(&s, out, err);
        if (status) {
            return status;
        }
    }
    assay_status_t status = assay_decide_finance(game, scratch, out, err);
    if (status == ASSAY_OK) {
        status = assay_decide_map(game, scratch, out, err);
    }
    *out_sensitivity = out;
    return status;
}
