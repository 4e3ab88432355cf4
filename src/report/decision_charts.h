/** The figures of a training decision. */
#ifndef ASSAY_REPORT_DECISION_CHARTS_H
#define ASSAY_REPORT_DECISION_CHARTS_H

#include "report/charts.h"

void assay_decision_chart_job(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_chart_tco(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_chart_step(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_chart_memory(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_chart_roofline(assay_view_t *view, const assay_decision_t *decision);
/** Layouts: step time against memory, the front of each candidate. */
void assay_decision_chart_pareto(assay_view_t *view, const assay_decision_t *decision);
/** Cost as the work proceeds, with break-even and p10-p90 band. */
void assay_decision_chart_spent(assay_view_t *view, const assay_decision_t *decision);
/** In how many of the samples the job costs at most so much. */
void assay_decision_chart_chance(assay_view_t *view, const assay_decision_t *decision);

/** Candidates that a chart shows: those that fit, the choice among them. Returns how many. */
uint32_t assay_decision_chart_candidates(const assay_decision_t *decision,
                                         uint32_t out_index[ASSAY_CHART_SERIES]);

#endif
