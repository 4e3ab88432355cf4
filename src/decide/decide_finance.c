/* The choice over the years: what has been paid by when, when it has paid back, as an investment.
 */
#include "decide/decide_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/banned.h"

#define MONTHS_PER_YEAR 12.0
#define CURVES_MAX 8u
/* Sums of flows for the curves of one candidate, and at most and least so many samples a month. */
#define SUMS 16384u
#define SAMPLES_MOST 512u
#define SAMPLES_LEAST 32u

typedef struct {
    const decide_game_t *game;
    uint32_t n_month, n; /* n: samples */
    double *sorted;      /* (n) */
} years_t;

/* One sample: its values, and the nodes that it needs. */
typedef struct {
    double x[ASSAY_DRAW_N], nodes;
    uint32_t at; /* which sample */
} drawn_t;

static int by_nodes(const void *a, const void *b) {
    const drawn_t *x = a, *y = b;
    return (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

/* paid: (n_month + 1, n). Samples of as many nodes share what is built of them. */
static bool pay(const years_t *y, assay_arena_t *scratch, uint32_t index, double *paid) {
    const decide_player_t *player = &y->game->player[index];
    drawn_t *drawn = assay_arena_array(scratch, y->n, sizeof *drawn);
    assay_draws_t *draws = assay_arena_alloc(scratch, sizeof *draws);
    decide_side_t *side = assay_arena_alloc(scratch, sizeof *side);
    if (!drawn || !draws || !side) {
        return false;
    }
    assay_decide_draws(y->game->ctx->resolved->seed, y->game->ctx->resolved->money.correlations,
                       index, draws);
    for (uint32_t i = 0; i < y->n; i++) {
        decide_values(player, draws, i, drawn[i].x);
        drawn[i].nodes = decide_side_nodes(player, 1.0, drawn[i].x);
        drawn[i].at = i;
        if (player->fleet) { /* the nodes have them */
            drawn[i].x[ASSAY_DRAW_STEP_COMMON] = drawn[i].x[ASSAY_DRAW_STEP_OWN] = 1.0;
        }
    }
    qsort(drawn, y->n, sizeof *drawn, by_nodes);
    for (uint32_t month = 0; month <= y->n_month; month++) {
        assay_money_case_t until;
        assay_money_flows_t flows;
        decide_side_begin(player, side);
        for (uint32_t i = 0; i < y->n; i++) {
            assay_money_result_t result;
            if (i == 0 || drawn[i].nodes > drawn[i - 1].nodes) {
                if (player->fleet) {
                    assay_money_set_nodes(&side->money_case, drawn[i].nodes);
                }
                assay_money_paid(&side->money_case, month, &until, &flows);
            }
            assay_money_sum(&flows, drawn[i].x, &result);
            paid[(size_t)month * y->n + drawn[i].at] = result.tco_cash_flow_usd;
        }
    }
    return true;
}

static bool set_curve(const years_t *y, assay_arena_t *arena, const double *paid,
                      const char *candidate, assay_curve_t *out) {
    const uint32_t n = y->n_month + 1;
    double *usd = assay_arena_array(arena, 3 * (size_t)n, sizeof *usd);
    if (!usd) {
        return false;
    }
    *out = (assay_curve_t){candidate, usd, usd + n, usd + 2 * (size_t)n};
    for (uint32_t month = 0; month < n; month++) {
        for (uint32_t i = 0; i < y->n; i++) {
            y->sorted[i] = paid[(size_t)month * y->n + i];
        }
        const assay_dist_t dist = assay_dist_of_sample(y->sorted, y->n);
        out->p10_usd[month] = assay_dist_quantile(&dist, 0.1);
        out->p50_usd[month] = assay_dist_quantile(&dist, 0.5);
        out->p90_usd[month] = assay_dist_quantile(&dist, 0.9);
    }
    return true;
}

/* In how many samples the choice is the cheaper one from month m to the end. */
static void set_crossing(const years_t *y, const double *choice, const double *other,
                         double *out_p) {
    for (uint32_t month = 0; month <= y->n_month; month++) {
        out_p[month] = 0.0;
    }
    for (uint32_t i = 0; i < y->n; i++) {
        uint32_t month = y->n_month + 1;
        while (month > 0 &&
               choice[(size_t)(month - 1) * y->n + i] <= other[(size_t)(month - 1) * y->n + i]) {
            month--;
        }
        for (; month <= y->n_month; month++) {
            out_p[month] += 1.0 / y->n;
        }
    }
}

static bool set_curves(const decide_game_t *game, assay_arena_t *scratch, assay_sensitivity_t *io) {
    const assay_decide_ctx_t *ctx = game->ctx;
    years_t y = {.game = game,
                 .n_month = (uint32_t)ceil(ctx->resolved->money.years * MONTHS_PER_YEAR)};
    y.n = SUMS / (y.n_month + 1);
    y.n = y.n > SAMPLES_MOST ? SAMPLES_MOST : y.n < SAMPLES_LEAST ? SAMPLES_LEAST : y.n;
    y.n = y.n > ctx->resolved->samples ? ctx->resolved->samples : y.n;
    y.sorted = assay_arena_array(scratch, y.n, sizeof *y.sorted);
    io->n_month = y.n_month;
    io->curve_points = y.n;
    io->curve = assay_arena_array(ctx->arena, CURVES_MAX, sizeof *io->curve);
    io->p_crossed = assay_arena_array(ctx->arena, y.n_month + 1, sizeof *io->p_crossed);
    const double *kept[2] = {NULL, NULL}; /* of choice and runner-up */
    if (!y.sorted || !io->curve || !io->p_crossed) {
        return false;
    }
    for (uint32_t c = 0; c < game->n; c++) {
        const bool first = (int32_t)c == game->choice, second = (int32_t)c == game->runner_up;
        if (!game->player[c].fits || (!first && !second && io->n_curve + 2 >= CURVES_MAX)) {
            continue;
        }
        double *paid = assay_arena_array(scratch, ((size_t)y.n_month + 1) * y.n, sizeof *paid);
        if (!paid || !pay(&y, scratch, c, paid) ||
            !set_curve(&y, ctx->arena, paid, decide_game_id(game, (int32_t)c),
                       &io->curve[io->n_curve++])) {
            return false;
        }
        kept[0] = first ? paid : kept[0];
        kept[1] = second ? paid : kept[1];
    }
    if (kept[0] && kept[1]) {
        set_crossing(&y, kept[0], kept[1], io->p_crossed);
    }
    return true;
}

/* ---- investment ---- */

/* Years until what choosing costs more at the start has come back, payments of a year spread over
   it. */
static bool pays_back(const assay_series_t *choice, const assay_series_t *other, double rate,
                      double *out_years) {
    double open = 0.0, before = 0.0;
    for (uint32_t k = 0; k < choice->n; k++) {
        const assay_series_t one = {{choice->at_years[k]}, {choice->usd[k] - other->usd[k]}, 1};
        const double more = assay_money_present(&one, rate);
        if (open + more <= 0.0) {
            *out_years = k == 0 || !(open > 0.0)
                             ? (k == 0 ? 0.0 : before)
                             : before + (choice->at_years[k] - before) * open / -more;
            return true;
        }
        open += more;
        before = choice->at_years[k];
    }
    return false;
}

static void set_investment(const decide_game_t *game, assay_sensitivity_t *io) {
    const int32_t index[2] = {game->choice, game->runner_up};
    assay_series_t series[2];
    double usd[2];
    for (int k = 0; k < 2; k++) {
        const assay_money_case_t *c = game->player[index[k]].money_case;
        assay_money_flows_t flows;
        double x[ASSAY_DRAW_N];
        assay_money_flows(c, &flows);
        assay_money_draw(c, NULL, x);
        assay_money_series(&flows, x, &series[k]);
        usd[k] = assay_money_present(&series[k], c->rate);
    }
    assay_investment_t *out = &io->investment;
    const double rate = game->ctx->resolved->money.discount_rate;
    out->npv_usd = usd[1] - usd[0];
    out->more_at_start_usd = series[0].usd[0] - series[1].usd[0];
    out->has_payback = pays_back(&series[0], &series[1], 0.0, &out->payback_years);
    out->has_discounted_payback =
        pays_back(&series[0], &series[1], rate, &out->discounted_payback_years);
    out->has_irr =
        out->more_at_start_usd > 0.0 && assay_money_irr(&series[0], &series[1], &out->irr);
    io->has_investment = true;
}

/* ---- budget of the move ---- */

static double move_labour(const assay_money_case_t *c, const double *x) {
    const double days =
        c->training_days + x[ASSAY_DRAW_LEVEL_1] + x[ASSAY_DRAW_LEVEL_2] + x[ASSAY_DRAW_LEVEL_3];
    return days * c->labour_usd_per_day * x[ASSAY_DRAW_LABOUR];
}

/* How often, and by how much, the labour exceeds budget and contingency. */
static void set_move(const decide_game_t *game, assay_sensitivity_t *io) {
    if (game->mover < 0) {
        return;
    }
    const assay_decide_ctx_t *ctx = game->ctx;
    const assay_money_case_t *c = game->player[game->mover].money_case;
    const uint32_t n = ctx->resolved->samples < SUMS ? ctx->resolved->samples : SUMS;
    assay_draws_t draws;
    double x[ASSAY_DRAW_N], over = 0.0;
    uint32_t n_over = 0;
    assay_money_draw(c, NULL, x);
    io->move_points = n;
    io->move_budget_usd = move_labour(c, x);
    const double reserve = io->move_budget_usd * (1.0 + x[ASSAY_DRAW_CONTINGENCY]);
    assay_decide_draws(ctx->resolved->seed, ctx->resolved->money.correlations,
                       (uint32_t)game->mover, &draws);
    for (uint32_t i = 0; i < n; i++) {
        double u[ASSAY_DRAW_N];
        assay_decide_draw_of(&draws, i, u);
        assay_money_draw(c, u, x);
        const double usd = move_labour(c, x);
        if (usd > reserve) {
            n_over++;
            over += usd - reserve;
        }
    }
    io->p_move_over = (double)n_over / n;
    io->move_over_usd = n_over > 0 ? over / n_over : 0.0;
}

assay_status_t assay_decide_finance(const decide_game_t *game, assay_arena_t *scratch,
                                    assay_sensitivity_t *io, assay_error_t *err) {
    if (!set_curves(game, scratch, io)) {
        return assay_error_memory(err, NULL);
    }
    if (game->runner_up >= 0) {
        set_investment(game, io);
    }
    set_move(game, io);
    return ASSAY_OK;
}
