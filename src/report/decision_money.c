/* Terms, sensitivity and investment of a decision, as text and as JSON. */
#include <math.h>

#include "report/write.h"

#include "base/banned.h"

#define INPUTS_SHOWN 8u
#define MEASUREMENTS_SHOWN 3u
#define WORTH_SHOWN 0.01 /* of what knowing everything is worth */

#define TERM_MESSAGE(code, name, what) ASSAY_MSG_REPORT_TERM_##code,
static const assay_message_t term_message[ASSAY_TERM_N] = {ASSAY_TERM_LIST(TERM_MESSAGE)};

/* ---- terms ---- */

/** Choice and runner-up, in both views; NULL when nothing is chosen. */
assay_table_t *assay_decision_terms_table(assay_view_t *view, const assay_decision_t *decision) {
    if (decision->choice < 0) {
        return NULL;
    }
    const assay_money_result_t *point[2] = {&decision->candidate[decision->choice].point, NULL};
    uint32_t n = 1;
    if (decision->runner_up >= 0) {
        point[n++] = &decision->candidate[decision->runner_up].point;
    }
    double job_max = 0.0, tco_max = 0.0;
    for (uint32_t k = 0; k < n; k++) {
        job_max = fmax(job_max, point[k]->job_usd);
        tco_max = fmax(tco_max, point[k]->tco_usd);
    }
    const assay_scale_t job = assay_view_scale(view, ASSAY_SCALE_MONEY, job_max);
    const assay_scale_t tco = assay_view_scale(view, ASSAY_SCALE_MONEY, tco_max);
    static const assay_message_t name[2][2] = {
        {ASSAY_MSG_REPORT_COLUMN_JOB_CHOICE, ASSAY_MSG_REPORT_COLUMN_JOB_OTHER},
        {ASSAY_MSG_REPORT_COLUMN_TCO_CHOICE, ASSAY_MSG_REPORT_COLUMN_TCO_OTHER}};
    assay_table_t *table = assay_view_table(view, 1 + 2 * n);
    assay_table_column(table, 0, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_TERM), "", false);
    for (uint32_t k = 0; k < n; k++) {
        assay_table_column(table, 1 + k, assay_view_message(view, name[0][k]), job.unit, true);
        assay_table_column(table, 1 + n + k, assay_view_message(view, name[1][k]), tco.unit, true);
    }
    for (int t = 0; t < ASSAY_TERM_N; t++) {
        bool any = false;
        for (uint32_t k = 0; k < n; k++) {
            any |= fabs(point[k]->job_term_usd[t]) > 0.0 || fabs(point[k]->tco_term_usd[t]) > 0.0;
        }
        if (!any) {
            continue;
        }
        assay_table_row(table);
        assay_table_cell(table, 0,
                         assay_view_message(view, t == ASSAY_TERM_CAPEX
                                                      ? ASSAY_MSG_REPORT_TERM_CAPEX_GROSS
                                                      : term_message[t]));
        for (uint32_t k = 0; k < n; k++) {
            assay_table_cell(table, 1 + k,
                             assay_view_cell(view, point[k]->job_term_usd[t] / job.one));
            assay_table_cell(table, 1 + n + k,
                             assay_view_cell(view, point[k]->tco_term_usd[t] / tco.one));
        }
    }
    return table;
}

/* ---- sensitivity ---- */

/** An input's swing, the largest first; NULL without any. */
assay_table_t *assay_decision_inputs_table(assay_view_t *view, const assay_decision_t *decision) {
    const assay_sensitivity_t *s = decision->sensitivity;
    if (!s || s->n_input == 0) {
        return NULL;
    }
    double max = 0.0;
    for (uint32_t k = 0; k < s->n_input; k++) {
        max = fmax(max, fmax(fabs(s->input[k].low_usd), fabs(s->input[k].high_usd)));
    }
    const assay_scale_t scale = assay_view_scale(view, ASSAY_SCALE_MONEY, max);
    assay_table_t *table = assay_view_table(view, 6);
    assay_table_column(table, 0, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_INPUT), "",
                       false);
    assay_table_column(table, 1, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_INPUT_RANGE), "",
                       true);
    assay_table_column(table, 2, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_LEAD_LOW),
                       scale.unit, true);
    assay_table_column(table, 3, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_LEAD_HIGH),
                       scale.unit, true);
    assay_table_column(table, 4, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_EXPLAINS), "%",
                       true);
    assay_table_column(table, 5, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_WORTH),
                       scale.unit, true);
    for (uint32_t k = 0; k < s->n_input && k < INPUTS_SHOWN; k++) {
        const assay_input_t *input = &s->input[k];
        assay_table_row(table);
        const char *name = input->candidate
                               ? SAY(view, REPORT_INPUT_OF, input->name, input->candidate)
                               : input->name;
        assay_table_cell(table, 0, assay_view_cut(view, name, 44));
        assay_table_cell(table, 1, assay_view_range(view, input->low_x, input->high_x, 1.0));
        assay_table_cell(table, 2, assay_view_cell(view, input->low_usd / scale.one));
        assay_table_cell(table, 3, assay_view_cell(view, input->high_usd / scale.one));
        assay_table_cell(table, 4, assay_view_cell(view, 100.0 * input->first_order));
        assay_table_cell(table, 5, assay_view_cell(view, input->worth_usd / scale.one));
    }
    return table;
}

static const char *money_of(assay_view_t *view, double usd) {
    return assay_view_quantity(view, usd, ASSAY_DIM_MONEY);
}

static const char *years_of(assay_view_t *view, double years) {
    return assay_view_quantity(view, years * ASSAY_HOURS_PER_YEAR * 3600.0, ASSAY_DIM_TIME);
}

/** The choice as an investment against the runner-up; NULL without one. */
const char *assay_decision_investment(assay_view_t *view, const assay_decision_t *decision) {
    const assay_sensitivity_t *s = decision->sensitivity;
    if (!s || !s->has_investment) {
        return NULL;
    }
    const assay_investment_t *i = &s->investment;
    const char *choice = decision->candidate[decision->choice].machine->id;
    const char *other = decision->candidate[decision->runner_up].machine->id;
    const char *years = assay_view_number(view, decision->resolved->money.years);
    if (!(i->more_at_start_usd > 0.0)) {
        return SAY(view, REPORT_INVEST_LESS, choice, other, money_of(view, -i->more_at_start_usd),
                   years, money_of(view, i->npv_usd));
    }
    return i->has_discounted_payback
               ? SAY(view, REPORT_INVEST_PAYS, choice, other, money_of(view, i->more_at_start_usd),
                     years_of(view, i->discounted_payback_years), years, money_of(view, i->npv_usd),
                     i->has_irr ? assay_view_percent(view, i->irr)
                                : assay_view_message(view, ASSAY_MSG_REPORT_UNKNOWN))
               : SAY(view, REPORT_INVEST_LOSES, choice, other, money_of(view, i->more_at_start_usd),
                     years, money_of(view, -i->npv_usd));
}

void assay_decision_write_money(assay_view_t *view, const assay_decision_t *decision) {
    const assay_sensitivity_t *s = decision->sensitivity;
    assay_table_t *terms = assay_decision_terms_table(view, decision);
    if (terms) {
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_TERMS));
        assay_text_table(view, terms, 0);
    }
    assay_table_t *inputs = assay_decision_inputs_table(view, decision);
    if (!inputs) {
        return;
    }
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_INPUTS));
    assay_text_table(view, inputs, 0);
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ",
                    SAY(view, REPORT_PERFECT, money_of(view, s->perfect_usd)));
    for (uint32_t k = 0; k < s->n_measurement && k < MEASUREMENTS_SHOWN &&
                         s->measurement[k].worth_usd >= WORTH_SHOWN * s->perfect_usd;
         k++) {
        assay_text_wrap(view, (int32_t)k == s->quick ? ASSAY_STYLE_GOOD : ASSAY_STYLE_PLAIN, "  - ",
                        s->measurement[k].sentence);
    }
    const char *investment = assay_decision_investment(view, decision);
    if (investment) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ", investment);
    }
    if (s->p_move_over > 0.0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ",
                        SAY(view, REPORT_MOVE_OVER, money_of(view, s->move_budget_usd),
                            assay_view_percent(view, s->p_move_over),
                            money_of(view, s->move_over_usd)));
    }
    for (uint32_t k = 0; k < s->n_map; k++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ", s->map[k].sentence);
    }
}

/* ---- JSON ---- */

static void write_numbers(assay_json_t *json, const char *key, const double *x, size_t n) {
    assay_json_begin_array(json, key);
    for (size_t i = 0; i < n; i++) {
        assay_json_number(json, NULL, x[i]);
    }
    assay_json_end(json);
}

static void write_inputs(assay_json_t *json, const assay_sensitivity_t *s) {
    assay_json_begin_array(json, "inputs");
    for (uint32_t k = 0; k < s->n_input; k++) {
        const assay_input_t *input = &s->input[k];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "name", input->name);
        assay_json_string(json, "candidate", input->candidate);
        assay_json_number(json, "p10", input->low_x);
        assay_json_number(json, "p90", input->high_x);
        assay_json_number(json, "lead_at_p10_usd", input->low_usd);
        assay_json_number(json, "lead_at_p90_usd", input->high_usd);
        assay_json_number(json, "cost_at_p10_usd", input->low_choice_usd);
        assay_json_number(json, "cost_at_p90_usd", input->high_choice_usd);
        assay_json_number(json, "first_order", input->first_order);
        assay_json_number(json, "worth_usd", input->worth_usd);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_number(json, "interaction", s->interaction);
    assay_json_number(json, "perfect_information_usd", s->perfect_usd);
    assay_json_begin_array(json, "measurements");
    for (uint32_t k = 0; k < s->n_measurement; k++) {
        const assay_measurement_t *m = &s->measurement[k];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "id", m->id);
        assay_json_string(json, "candidate", m->candidate);
        assay_json_number(json, "minutes", m->minutes);
        assay_json_number(json, "worth_usd", m->worth_usd);
        assay_json_bool(json, "first", (int32_t)k == s->quick);
        assay_json_string(json, "how", m->how);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void write_axis(assay_json_t *json, const char *key, const assay_map_axis_t *axis) {
    assay_json_begin_object(json, key);
    assay_json_string(json, "variable", axis->variable);
    assay_json_number(json, "now", axis->now);
    write_numbers(json, "values", axis->value, axis->n);
    assay_json_end(json);
}

static void write_map(assay_json_t *json, const assay_map_t *map) {
    const size_t panels = map->panel.n ? map->panel.n : 1;
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "mover", map->mover);
    assay_json_string(json, "incumbent", map->incumbent);
    write_axis(json, "x", &map->x);
    write_axis(json, "y", &map->y);
    if (map->panel.n) {
        write_axis(json, "panel", &map->panel);
    }
    write_numbers(json, "lead_usd", map->delta_usd, panels * map->x.n * map->y.n);
    write_numbers(json, "p_mover", map->p_mover, panels * map->x.n * map->y.n);
    write_numbers(json, "edge", map->edge, panels * map->x.n);
    write_numbers(json, "edge_p10", map->edge_p10, panels * map->x.n);
    write_numbers(json, "edge_p90", map->edge_p90, panels * map->x.n);
    assay_json_string(json, "sentence", map->sentence);
    assay_json_end(json);
}

static void write_years(assay_json_t *json, const assay_sensitivity_t *s) {
    const size_t n = (size_t)s->n_month + 1;
    assay_json_begin_array(json, "paid_by_month");
    for (uint32_t k = 0; k < s->n_curve; k++) {
        const assay_curve_t *curve = &s->curve[k];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "candidate", curve->candidate);
        write_numbers(json, "p10_usd", curve->p10_usd, n);
        write_numbers(json, "p50_usd", curve->p50_usd, n);
        write_numbers(json, "p90_usd", curve->p90_usd, n);
        assay_json_end(json);
    }
    assay_json_end(json);
    write_numbers(json, "p_crossed_by_month", s->p_crossed, s->has_investment ? n : 0);
    const assay_investment_t *i = &s->investment;
    const bool has = s->has_investment;
    assay_json_begin_object(json, "investment");
    assay_json_number_if(json, "npv_usd", has, i->npv_usd);
    assay_json_number_if(json, "more_at_start_usd", has, i->more_at_start_usd);
    assay_json_number_if(json, "payback_years", has && i->has_payback, i->payback_years);
    assay_json_number_if(json, "discounted_payback_years", has && i->has_discounted_payback,
                         i->discounted_payback_years);
    assay_json_number_if(json, "irr", has && i->has_irr, i->irr);
    assay_json_end(json);
    assay_json_begin_object(json, "move");
    const bool moves = s->move_budget_usd > 0.0;
    assay_json_number_if(json, "budget_usd", moves, s->move_budget_usd);
    assay_json_number_if(json, "p_over_contingency", moves, s->p_move_over);
    assay_json_number_if(json, "mean_excess_usd", moves, s->move_over_usd);
    assay_json_end(json);
}

void assay_json_sensitivity(assay_json_t *json, const assay_decision_t *decision) {
    const assay_sensitivity_t *s = decision->sensitivity;
    if (!s) {
        assay_json_string(json, "sensitivity", NULL);
        return;
    }
    assay_json_begin_object(json, "sensitivity");
    write_inputs(json, s);
    write_years(json, s);
    assay_json_begin_array(json, "maps");
    for (uint32_t k = 0; k < s->n_map; k++) {
        write_map(json, &s->map[k]);
    }
    assay_json_end(json);
    assay_json_end(json);
}
