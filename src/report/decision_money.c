/* The cost terms of a decision that trains, and its study, as text. */
#include <math.h>

#include "report/study_view.h"

#include "base/banned.h"

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

void assay_decision_write_money(assay_view_t *view, const assay_decision_t *decision) {
    assay_table_t *terms = assay_decision_terms_table(view, decision);
    if (terms) {
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_TERMS));
        assay_text_table(view, terms, 0);
    }
    const assay_study_t study = assay_study_of_decision(decision);
    assay_study_write_text(view, &study);
}
