/* What the uncertainty of a decision rests on, and the choice as an investment: of any kind of
   work, as text, Markdown and columns of CSV. */
#include "report/study_view.h"

#include <math.h>

#include "base/banned.h"

#define INPUTS_SHOWN 8u
#define MEASUREMENTS_SHOWN 3u
#define WORTH_SHOWN 0.01 /* of what knowing everything is worth */
#define LEAST_USD 0.005  /* less is no difference: half a cent */
#define MONTHS_PER_YEAR 12.0

/* The ids of choice and runner-up, and the lead between their costs. */
#define STUDY_OF(decision, cost)                                                               \
    do {                                                                                       \
        const int32_t a = (decision)->choice, b = (decision)->runner_up;                       \
        out.sensitivity = (decision)->sensitivity;                                             \
        out.years = (decision)->resolved->money.years;                                         \
        out.choice = a >= 0 ? (decision)->candidate[a].machine->id : NULL;                     \
        out.runner_up = b >= 0 ? (decision)->candidate[b].machine->id : NULL;                  \
        out.lead_usd =                                                                         \
            b >= 0 ? (decision)->candidate[b].point.cost - (decision)->candidate[a].point.cost \
                   : 0.0;                                                                      \
    } while (0)

assay_study_t assay_study_of_decision(const assay_decision_t *decision) {
    assay_study_t out;
    STUDY_OF(decision, job_usd);
    return out;
}

assay_study_t assay_study_of_serving(const assay_serving_decision_t *decision) {
    assay_study_t out;
    STUDY_OF(decision, tco_usd);
    return out;
}

assay_study_t assay_study_of_images(const assay_image_decision_t *decision) {
    assay_study_t out;
    STUDY_OF(decision, tco_usd);
    return out;
}

/** An input's swing, the largest first; NULL without any. */
assay_table_t *assay_study_inputs_table(assay_view_t *view, const assay_study_t *study) {
    const assay_sensitivity_t *s = study->sensitivity;
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
const char *assay_study_investment(assay_view_t *view, const assay_study_t *study) {
    const assay_sensitivity_t *s = study->sensitivity;
    if (!s || !s->has_investment) {
        return NULL;
    }
    const assay_investment_t *i = &s->investment;
    const char *choice = study->choice, *other = study->runner_up;
    const char *years = assay_view_years(view, study->years);
    if (fabs(i->more_at_start_usd) < LEAST_USD) {
        return SAY(view, REPORT_INVEST_SAME, choice, other, years, money_of(view, i->npv_usd));
    }
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

const char *assay_study_crossing(assay_view_t *view, const assay_study_t *study) {
    const assay_sensitivity_t *s = study->sensitivity;
    if (!s || !s->has_investment) {
        return NULL;
    }
    const char *end = assay_view_percent(view, s->p_crossed[s->n_month]);
    uint32_t month = 0;
    while (month < s->n_month && s->p_crossed[month] < 0.5) {
        month++;
    }
    return month == 0 ? SAY(view, REPORT_CROSSED_START, study->choice, study->runner_up, end)
           : s->p_crossed[month] < 0.5
               ? SAY(view, REPORT_CROSSED_SELDOM, study->choice, study->runner_up, end)
               : SAY(view, REPORT_CROSSED, study->choice, study->runner_up,
                     years_of(view, month / MONTHS_PER_YEAR), end);
}

uint32_t assay_study_sentences(assay_view_t *view, const assay_study_t *study,
                               assay_study_line_t out[ASSAY_STUDY_LINES]) {
    const assay_sensitivity_t *s = study->sensitivity;
    uint32_t n = 0;
    if (!s || s->n_input == 0) {
        return 0;
    }
    out[n++] = (assay_study_line_t){SAY(view, REPORT_PERFECT, money_of(view, s->perfect_usd)),
                                    ASSAY_STYLE_PLAIN};
    for (uint32_t k = 0; k < s->n_measurement && k < MEASUREMENTS_SHOWN &&
                         s->measurement[k].worth_usd >= WORTH_SHOWN * s->perfect_usd;
         k++) {
        out[n++] =
            (assay_study_line_t){s->measurement[k].sentence,
                                 (int32_t)k == s->quick ? ASSAY_STYLE_GOOD : ASSAY_STYLE_PLAIN};
    }
    const char *line[] = {assay_study_investment(view, study), assay_study_crossing(view, study),
                          s->p_move_over > 0.0
                              ? SAY(view, REPORT_MOVE_OVER, money_of(view, s->move_budget_usd),
                                    assay_view_percent(view, s->p_move_over),
                                    money_of(view, s->move_over_usd))
                              : NULL};
    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        if (line[k]) {
            out[n++] = (assay_study_line_t){line[k], ASSAY_STYLE_PLAIN};
        }
    }
    for (uint32_t k = 0; k < s->n_map && n < ASSAY_STUDY_LINES; k++) {
        out[n++] = (assay_study_line_t){s->map[k].sentence, ASSAY_STYLE_PLAIN};
    }
    return n;
}

void assay_study_write_text(assay_view_t *view, const assay_study_t *study) {
    assay_study_line_t line[ASSAY_STUDY_LINES];
    assay_table_t *inputs = assay_study_inputs_table(view, study);
    if (inputs) {
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_INPUTS));
        assay_text_table(view, inputs, 0);
    }
    const uint32_t n = assay_study_sentences(view, study, line);
    for (uint32_t k = 0; k < n; k++) {
        assay_text_wrap(view, line[k].style, "  - ", line[k].text);
    }
}

void assay_study_write_markdown(assay_view_t *view, const assay_study_t *study) {
    assay_study_line_t line[ASSAY_STUDY_LINES];
    assay_table_t *inputs = assay_study_inputs_table(view, study);
    if (!inputs) {
        return;
    }
    assay_buf_puts(view->out, "\n## ");
    assay_markdown_text(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_INPUTS));
    assay_buf_puts(view->out, "\n\n");
    assay_table_print(inputs, ASSAY_TABLE_MARKDOWN, 0, view->out);
    assay_buf_puts(view->out, "\n");
    const uint32_t n = assay_study_sentences(view, study, line);
    for (uint32_t k = 0; k < n; k++) {
        assay_buf_puts(view->out, "- ");
        assay_markdown_text(view, line[k].text);
        assay_buf_puts(view->out, "\n");
    }
}

/* ---- CSV: of the choice, against the runner-up ---- */

static const char *const csv_column[ASSAY_STUDY_COLUMNS] = {
    "lead_npv_usd", "more_at_start_usd", "payback_years", "discounted_payback_years",
    "irr",          "p_crossed"};

void assay_study_csv_columns(assay_table_t *table, uint32_t at) {
    for (uint32_t k = 0; k < ASSAY_STUDY_COLUMNS; k++) {
        assay_table_column(table, at + k, csv_column[k], "", true);
    }
}

void assay_study_csv_cells(assay_view_t *view, assay_table_t *table, uint32_t at,
                           const assay_study_t *study) {
    const assay_sensitivity_t *s = study->sensitivity;
    if (!s || !s->has_investment) {
        return;
    }
    const assay_investment_t *i = &s->investment;
    const struct {
        bool has;
        double value;
    } cell[ASSAY_STUDY_COLUMNS] = {{true, i->npv_usd},
                                   {true, i->more_at_start_usd},
                                   {i->has_payback, i->payback_years},
                                   {i->has_discounted_payback, i->discounted_payback_years},
                                   {i->has_irr, i->irr},
                                   {true, s->p_crossed[s->n_month]}};
    for (uint32_t k = 0; k < ASSAY_STUDY_COLUMNS; k++) {
        if (cell[k].has) {
            assay_table_cell(table, at + k, assay_view_count(view, cell[k].value));
        }
    }
}
