/** The page's figures: caption with what to see, drawing, and the numbers behind it as a table. */
#ifndef ASSAY_REPORT_CHARTS_H
#define ASSAY_REPORT_CHARTS_H

#include "report/svg.h"
#include "report/view.h"

#define ASSAY_CHART_CANDIDATES 8 /* that a chart can show apart; the tables show all */
#define ASSAY_CHART_WIDTH 470.0
#define ASSAY_CHART_NAME 44 /* columns of a name in a legend */

void assay_chart_job_cost(assay_view_t *view, const assay_decision_t *decision);
void assay_chart_tco(assay_view_t *view, const assay_decision_t *decision);
/** Cost as the work proceeds, with break-even and p10-p90 band. */
void assay_chart_cumulative(assay_view_t *view, const assay_decision_t *decision);
void assay_chart_step(assay_view_t *view, const assay_decision_t *decision);
void assay_chart_memory(assay_view_t *view, const assay_decision_t *decision);
void assay_chart_roofline(assay_view_t *view, const assay_decision_t *decision);

/* Around every drawing. */
void assay_figure_begin(assay_view_t *view, const char *title, const char *takeaway);
void assay_figure_table_begin(assay_view_t *view);
void assay_figure_end(assay_view_t *view); /* ends the table as well */
/** Candidates that a chart shows: those that fit, the choice among them. Returns how many. */
uint32_t assay_chart_candidates(const assay_decision_t *decision,
                                uint32_t out_index[ASSAY_CHART_CANDIDATES]);

#endif
