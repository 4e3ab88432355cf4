/* What the verdict rests on: swings of inputs, worth of measurements, the choice over the years. */
#include "decide/explain_tree.h"

#include <string.h>

#include "base/banned.h"

#define ANY (DECIDE_TRAINING | DECIDE_SERVING | DECIDE_IMAGES)

/* ---- inputs ---- */

static const assay_input_t *input_of(const explain_t *e) {
    const assay_sensitivity_t *s = explain_study_of(e);
    const uint32_t i = e->path->step[2].index;
    return s && i < s->n_input ? &s->input[i] : NULL;
}

/* Whose distribution it is: of one that all share the choice's, or where that has none the next. */
static uint32_t whose(const explain_t *e, const assay_input_t *input) {
    const decide_game_t *game = &e->explainer->game;
    const bool fixed =
        decide_draw_of(&game->player[game->choice], (assay_draw_t)input->draw)->kind ==
        ASSAY_DIST_FIXED;
    return input->candidate                ? (uint32_t)explain_player(e, input->candidate)
           : fixed && game->runner_up >= 0 ? (uint32_t)game->runner_up
                                           : (uint32_t)game->choice;
}

static explained_t input_at(explain_t *e) {
    const assay_input_t *input = input_of(e);
    if (!input) {
        return NULL;
    }
    explained_t of = explain_drawn(e, whose(e, input), (assay_draw_t)input->draw);
    assay_explained_t *node =
        explain_model(e, explain_last(e), e->path->value, of ? of->unit : "1", "assay/dist.h");
    explain_say(node, "statistic",
                strcmp(explain_last(e), "p10") == 0 ? "quantile 0.1" : "quantile 0.9", 0.0);
    explain_add(e, node, of);
    return node;
}

/* Cost of a side with the input at a decile of its own distribution; what is not of that side
   leaves it as it is. */
static explained_t side_at(explain_t *e, const assay_input_t *input, int32_t c, double decile) {
    const decide_player_t *player = &e->explainer->game.player[c];
    const assay_draw_t draw = (assay_draw_t)input->draw;
    if (input->candidate && explain_player(e, input->candidate) != c) {
        return explain_cost(e, (uint32_t)c);
    }
    double x[ASSAY_DRAW_N];
    memcpy(x, e->explainer->central[c], sizeof x);
    x[draw] = assay_dist_quantile(decide_draw_of(player, draw), decile);
    if (assay_money_is_kept(draw)) {
        x[draw] = assay_money_keep_one(player->money_case, draw, x[draw]);
    }
    decide_side_begin(player, &e->explainer->world.side[c]);
    return explain_cost_at(e, (uint32_t)c, x);
}

static explained_t swing(explain_t *e) {
    const assay_input_t *input = input_of(e);
    const decide_game_t *game = &e->explainer->game;
    const char *key = explain_last(e);
    if (!input || game->runner_up < 0) {
        return NULL;
    }
    const double decile = strstr(key, "p10") ? 0.1 : 0.9;
    explained_t choice = side_at(e, input, game->choice, decile);
    if (strncmp(key, "cost_", 5) == 0) {
        return choice;
    }
    return explain_difference(e, key, e->path->value, "USD",
                              side_at(e, input, game->runner_up, decile), choice);
}

/* What is expanded in Hermite polynomials of one input over the points. */
static explained_t of_points(explain_t *e, const char *statistic, const char *of,
                             const char *unit) {
    assay_explained_t *node =
        explain_sample(e, explain_last(e), unit, statistic, of, explain_study_of(e)->points);
    explain_add_all_drawn(e, node);
    return node;
}

static explained_t first_order(explain_t *e) {
    const assay_input_t *input = input_of(e);
    assay_explained_t *node =
        input ? explain_sample(e, "first_order", "1",
                               "share of the variance that a cubic in the input's normal score "
                               "explains",
                               "cost of the runner-up less that of the choice",
                               explain_study_of(e)->points)
              : NULL;
    explain_add(e, node,
                input ? explain_drawn(e, whose(e, input), (assay_draw_t)input->draw) : NULL);
    return node;
}

static explained_t worth(explain_t *e) {
    return of_points(e, "mean",
                     "what choosing the cheapest by its mean costs more than choosing once this is "
                     "known",
                     "USD");
}

static explained_t perfect(explain_t *e) {
    return of_points(e, "mean",
                     "what the cheapest by its mean costs more than the cheapest of each point",
                     "USD");
}

static explained_t interaction(explain_t *e) {
    const assay_sensitivity_t *s = explain_study_of(e);
    double alone = 1.0;
    if (e->explainer->game.runner_up < 0) {
        return explain_input(e, "interaction", s->interaction, "1", "there is nothing to compare");
    }
    assay_explained_t *rest = explain_node(e, ASSAY_EXPLAIN_SUM, "left by each alone", 1.0, "1");
    explain_add(e, rest, explain_constant(e, "all of the variance", 1.0, "1"));
    for (uint32_t k = 0; k < s->n_input; k++) {
        alone -= s->input[k].first_order;
        const char *of = s->input[k].candidate ? s->input[k].candidate : "";
        explain_add(
            e, rest,
            explain_model(e, EXPLAIN_SAY(e, LESS, explain_format(e, "%s %s", s->input[k].name, of)),
                          -s->input[k].first_order, "1", "assay/sensitivity.h"));
    }
    if (rest) {
        rest->value = alone;
    }
    assay_explained_t *most =
        explain_node(e, ASSAY_EXPLAIN_MAX, "interaction", s->interaction, "1");
    explain_add(e, most, explain_constant(e, "nothing", 0.0, "1"));
    explain_add(e, most, rest);
    return most;
}

static explained_t minutes(explain_t *e) {
    const assay_sensitivity_t *s = explain_study_of(e);
    const uint32_t i = e->path->step[2].index;
    return i < s->n_measurement
               ? explain_input(e, "minutes", s->measurement[i].minutes, "min",
                               explain_format(e, "measurements.csv, %s", s->measurement[i].id))
               : NULL;
}

/* ---- years ---- */

static explained_t paid(explain_t *e) {
    const assay_sensitivity_t *s = explain_study_of(e);
    const uint32_t i = e->path->step[2].index, month = e->path->step[4].index;
    if (i >= s->n_curve) {
        return NULL;
    }
    const char *key = explain_last(e);
    const char *statistic = strstr(key, "p10")   ? "quantile 0.1"
                            : strstr(key, "p50") ? "quantile 0.5"
                                                 : "quantile 0.9";
    const int32_t c = explain_player(e, s->curve[i].candidate);
    assay_explained_t *node = explain_sample(
        e, key, "USD", statistic,
        EXPLAIN_SAY(e, PAID_BY, s->curve[i].candidate, explain_format(e, "%u", (unsigned)month)),
        s->curve_points);
    explain_add_drawn(e, node, (uint32_t)c, NULL);
    return node;
}

static explained_t crossed(explain_t *e) {
    assay_explained_t *node = explain_sample(
        e, "p_crossed_by_month", "1", "share of the points",
        EXPLAIN_SAY(e, CROSSED_BY, explain_format(e, "%u", (unsigned)e->path->step[2].index)),
        explain_study_of(e)->curve_points);
    explain_add_all_drawn(e, node);
    return node;
}

static bool series_of(const explain_t *e, int32_t c, assay_series_t *out) {
    explain_t of = *e;
    if (c < 0 || !explain_open(&of, (uint32_t)c)) {
        return false;
    }
    assay_money_series(&of.flows, of.x, out);
    return true;
}

/* Payments of choice less those of the runner-up, year by year; their present value at a rate. */
static assay_explained_t *payments(explain_t *e, const char *name, double rate, double *out_usd) {
    assay_series_t a, b;
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, name, 0.0, "USD");
    if (!series_of(e, e->explainer->game.choice, &a) ||
        !series_of(e, e->explainer->game.runner_up, &b)) {
        return NULL;
    }
    *out_usd = 0.0;
    for (uint32_t k = 0; k < a.n; k++) {
        const assay_series_t one = {{a.at_years[k]}, {a.usd[k] - b.usd[k]}, 1};
        const double usd = assay_money_present(&one, rate);
        *out_usd += usd;
        explain_add(
            e, sum,
            explain_model(e, EXPLAIN_SAY(e, AT_YEAR, explain_format(e, "%.10g", a.at_years[k])),
                          usd, "USD", "assay/money.h"));
    }
    if (sum) {
        sum->value = *out_usd;
    }
    return sum;
}

static explained_t npv(explain_t *e) {
    explained_t side[2] = {NULL, NULL};
    const int32_t index[2] = {e->explainer->game.runner_up, e->explainer->game.choice};
    for (int k = 0; k < 2; k++) {
        explain_t of = *e;
        (void)explain_open(&of, (uint32_t)index[k]);
        side[k] = explain_terms(&of, of.machine->id, of.point->tco_cash_flow_usd, true, false);
        e->failed |= of.failed;
    }
    return explain_difference(e, "npv_usd", e->path->value, "USD", side[0], side[1]);
}

static explained_t at_start(explain_t *e) {
    assay_series_t series[2];
    const int32_t index[2] = {e->explainer->game.choice, e->explainer->game.runner_up};
    explained_t side[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        if (series_of(e, index[k], &series[k])) {
            side[k] = explain_model(
                e, EXPLAIN_SAY(e, AT_START, decide_game_id(&e->explainer->game, index[k])),
                series[k].usd[0], "USD", "assay/money.h");
        }
    }
    return explain_difference(e, "more_at_start_usd", e->path->value, "USD", side[0], side[1]);
}

static explained_t investment_root(explain_t *e) {
    const char *key = explain_last(e);
    const bool irr = strcmp(key, "irr") == 0, discounted = strstr(key, "discounted") != NULL;
    const double rate = irr ? e->path->value : discounted ? e->resolved->money.discount_rate : 0.0;
    double usd = 0.0;
    assay_explained_t *of = payments(
        e, irr ? "present value at that rate" : "payments of the choice less the runner-up's", rate,
        &usd);
    assay_explained_t *node =
        explain_node(e, ASSAY_EXPLAIN_ROOT, key, e->path->value, irr ? "1" : "year");
    explain_say(node, "function",
                irr ? "present value of the choice's payments less the runner-up's"
                    : "what the choice has cost more than the runner-up so far, payments of a year "
                      "spread over it",
                0.0);
    explain_say(node, "variable", irr ? "rate of interest" : "years", 0.0);
    explain_say(node, "low", NULL, irr ? -0.99 : 0.0);
    explain_say(node, "high", NULL, irr ? 100.0 : e->resolved->money.years);
    if (irr) {
        explain_say(node, "at_root", NULL, usd);
    }
    explain_add(e, node, of);
    return node;
}

/* ---- the move ---- */

static explained_t budget(explain_t *e) {
    const int32_t mover = e->explainer->game.mover;
    explain_t of = *e;
    if (mover < 0 || !explain_open(&of, (uint32_t)mover)) {
        return NULL;
    }
    const assay_money_case_t *c = of.money_case;
    double days = c->training_days;
    assay_explained_t *sum =
        explain_node(&of, ASSAY_EXPLAIN_SUM, "days of the move", days, "person-day");
    explain_add(&of, sum,
                explain_key(&of, "training", c->training_days, "person-day",
                            "migration.training_h_per_engineer"));
    for (uint8_t k = ASSAY_DRAW_LEVEL_1; k <= ASSAY_DRAW_LEVEL_3; k++) {
        days += of.x[k];
        explain_add(&of, sum, explain_factor(&of, k));
    }
    if (sum) {
        sum->value = days;
    }
    assay_explained_t *all =
        explain_node(&of, ASSAY_EXPLAIN_PRODUCT, "budget_usd", e->path->value, "USD");
    explain_add(&of, all, sum);
    explain_add(&of, all,
                explain_key(&of, "cost of a working day", c->labour_usd_per_day, "USD",
                            "migration.labour_usd_per_week"));
    explain_add(&of, all, explain_factor(&of, ASSAY_DRAW_LABOUR));
    e->failed |= of.failed;
    return all;
}

static explained_t over_budget(explain_t *e) {
    const bool share = strcmp(explain_last(e), "p_over_contingency") == 0;
    const int32_t mover = e->explainer->game.mover;
    assay_explained_t *node =
        explain_sample(e, explain_last(e), share ? "1" : "USD",
                       share ? "share of the points" : "mean of the points where it is over",
                       share ? "labour of the move is over budget and contingency"
                             : "labour of the move less budget and contingency",
                       explain_study_of(e)->move_points);
    for (int d = ASSAY_DRAW_LABOUR; d <= ASSAY_DRAW_LEVEL_3 && mover >= 0; d++) {
        if (d == ASSAY_DRAW_LABOUR || d >= ASSAY_DRAW_LEVEL_1) {
            explain_add(e, node, explain_drawn(e, (uint32_t)mover, (assay_draw_t)d));
        }
    }
    return node;
}

const explain_row_t explain_study_row[] = {
    {"sensitivity.inputs.*.p10", ANY, input_at},
    {"sensitivity.inputs.*.p90", ANY, input_at},
    {"sensitivity.inputs.*.lead_at_p10_usd", ANY, swing},
    {"sensitivity.inputs.*.lead_at_p90_usd", ANY, swing},
    {"sensitivity.inputs.*.cost_at_p10_usd", ANY, swing},
    {"sensitivity.inputs.*.cost_at_p90_usd", ANY, swing},
    {"sensitivity.inputs.*.first_order", ANY, first_order},
    {"sensitivity.inputs.*.worth_usd", ANY, worth},
    {"sensitivity.interaction", ANY, interaction},
    {"sensitivity.perfect_information_usd", ANY, perfect},
    {"sensitivity.measurements.*.minutes", ANY, minutes},
    {"sensitivity.measurements.*.worth_usd", ANY, worth},
    {"sensitivity.paid_by_month.*.*.*", ANY, paid},
    {"sensitivity.p_crossed_by_month.*", ANY, crossed},
    {"sensitivity.investment.npv_usd", ANY, npv},
    {"sensitivity.investment.more_at_start_usd", ANY, at_start},
    {"sensitivity.investment.payback_years", ANY, investment_root},
    {"sensitivity.investment.discounted_payback_years", ANY, investment_root},
    {"sensitivity.investment.irr", ANY, investment_root},
    {"sensitivity.move.budget_usd", ANY, budget},
    {"sensitivity.move.p_over_contingency", ANY, over_budget},
    {"sensitivity.move.mean_excess_usd", ANY, over_budget},
};
const size_t explain_study_n = sizeof explain_study_row / sizeof explain_study_row[0];
