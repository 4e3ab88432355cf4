/* What a decision's uncertainty rests on, as JSON. */
#include "report/study_view.h"

#include "base/banned.h"

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

void assay_json_study(assay_json_t *json, const assay_sensitivity_t *s) {
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
