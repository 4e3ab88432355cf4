/* The choice over the years: what has been paid by when, when it has paid back, as an investment.
 */
#include "decide/decide_rows.h"

#include <math.h>

#include "base/banned.h"

#define MONTHS_PER_YEAR 12.0
#define CURVES_MAX 8u
/* Sums of flows for the curves of one candidate, and at most and least so many samples a month. */
#define SUMS 16384u
#define SAMPLES_MOST 512u
#define SAMPLES_LEAST 32u

typedef struct {
    const assay_decide_ctx_t *ctx;
    uint32_t n_month, n; /* n: samples */
    double *sorted;      /* (n) */
} years_t;

/* paid: (n_month + 1, n) */
static bool pay(const years_t *y, assay_arena_t *scratch, uint32_t index, double *paid) {
    const assay_money_case_t *c = &y->ctx->out->candidate[index].money_case;
    double(*x)[ASSAY_DRAW_N] = assay_arena_array(scratch, y->n, sizeof *x);
    assay_draws_t *draws = assay_arena_alloc(scratch, sizeof *draws);
    if (!x || !draws) {
        return false;
    }
    assay_decide_draws(y->ctx->resolved->seed, y->ctx->resolved->money.correlations, index, draws);
    for (uint32_t i = 0; i < y->n; i++) {
        double u[ASSAY_DRAW_N];
        assay_decide_draw_of(draws, i, u);
        assay_money_draw(c, u, x[i]);
    }
    for (uint32_t month = 0; month <= y->n_month; month++) {
        assay_money_case_t until;
        assay_money_flows_t flows;
        assay_money_result_t result;
        assay_money_paid(c, month, &until, &flows);
        for (uint32_t i = 0; i < y->n; i++) {
            assay_money_sum(&flows, x[i], &result);
            paid[(size_t)month * y->n + i] = result.tco_cash_flow_usd;
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

static bool set_curves(assay_decide_ctx_t *ctx, assay_arena_t *scratch, assay_sensitivity_t *io) {
    const assay_decision_t *decision = ctx->out;
    years_t y = {.ctx = ctx,
                 .n_month = (uint32_t)ceil(ctx->resolved->money.years * MONTHS_PER_YEAR)};
    y.n = SUMS / (y.n_month + 1);
    y.n = y.n > SAMPLES_MOST ? SAMPLES_MOST : y.n < SAMPLES_LEAST ? SAMPLES_LEAST : y.n;
    y.n = y.n > ctx->resolved->samples ? ctx->resolved->samples : y.n;
    y.sorted = assay_arena_array(scratch, y.n, sizeof *y.sorted);
    io->n_month = y.n_month;
    io->curve = assay_arena_array(ctx->arena, CURVES_MAX, sizeof *io->curve);
    io->p_crossed = assay_arena_array(ctx->arena, y.n_month + 1, sizeof *io->p_crossed);
    const double *kept[2] = {NULL, NULL}; /* of choice and runner-up */
    if (!y.sorted || !io->curve || !io->p_crossed) {
        return false;
    }
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        const bool first = (int32_t)c == decision->choice,
                   second = (int32_t)c == decision->runner_up;
        if (!decision->candidate[c].fits || (!first && !second && io->n_curve + 2 >= CURVES_MAX)) {
            continue;
        }
        double *paid = assay_arena_array(scratch, ((size_t)y.n_month + 1) * y.n, sizeof *paid);
        if (!paid || !pay(&y, scratch, c, paid) ||
            !set_curve(&y, ctx->arena, paid, decision->candidate[c].machine->id,
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

static void set_investment(const assay_decide_ctx_t *ctx, assay_sensitivity_t *io) {
    const assay_decision_t *decision = ctx->out;
    const int32_t index[2] = {decision->choice, decision->runner_up};
    assay_series_t series[2];
    double usd[2];
    for (int k = 0; k < 2; k++) {
        const assay_money_case_t *c = &decision->candidate[index[k]].money_case;
        assay_money_flows_t flows;
        double x[ASSAY_DRAW_N];
        assay_money_flows(c, &flows);
        assay_money_draw(c, NULL, x);
        assay_money_series(&flows, x, &series[k]);
        usd[k] = assay_money_present(&series[k], c->rate);
    }
    assay_investment_t *out = &io->investment;
    const double rate = ctx->resolved->money.discount_rate;
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
static void set_move(const assay_decide_ctx_t *ctx, assay_sensitivity_t *io) {
    if (ctx->mover < 0) {
        return;
    }
    const assay_money_case_t *c = &ctx->out->candidate[ctx->mover].money_case;
    const uint32_t n = ctx->resolved->samples < SUMS ? ctx->resolved->samples : SUMS;
    assay_draws_t draws;
    double x[ASSAY_DRAW_N], over = 0.0;
    uint32_t n_over = 0;
    assay_money_draw(c, NULL, x);
    io->move_budget_usd = move_labour(c, x);
    const double reserve = io->move_budget_usd * (1.0 + x[ASSAY_DRAW_CONTINGENCY]);
    assay_decide_draws(ctx->resolved->seed, ctx->resolved->money.correlations, (uint32_t)ctx->mover,
                       &draws);
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

assay_status_t assay_decide_finance(assay_decide_ctx_t *ctx, assay_arena_t *scratch,
                                    assay_sensitivity_t *io, assay_error_t *err) {
    if (!set_curves(ctx, scratch, io)) {
        return assay_error_memory(err, NULL);
    }
    if (ctx->out->runner_up >= 0) {
        set_investment(ctx, io);
    }
    set_move(ctx, io);
    return ASSAY_OK;
}
