/** Parts of a decision's page. */
#ifndef ASSAY_REPORT_DECISION_PAGE_H
#define ASSAY_REPORT_DECISION_PAGE_H

#include "report/decision_charts.h"
#include "report/page.h"
#include "report/study_view.h"

/** The first sheet: what a meeting needs. */
void assay_decision_write_sheet(assay_view_t *view, const assay_decision_t *decision,
                                const char *title);

/** Under a heading; nothing where table is NULL. */
void assay_page_table(assay_view_t *view, const char *heading, const assay_table_t *table);
/** What the uncertainty rests on: inputs, what to measure, investment, curves, maps. */
void assay_page_study(assay_view_t *view, const assay_study_t *study);
/** Items of a list: the choice as an investment, and when it has cost less. */
void assay_page_investment(assay_view_t *view, const assay_study_t *study);

void assay_page_heading(assay_view_t *view, const char *text);
/** Where a value is from. A citation stays in the language it is written in, and says so. */
void assay_page_source(assay_view_t *view, const char *source, const char *css);
typedef struct {
    assay_message_t name;
    const char *unit; /* "" = none */
    bool hidden;
} assay_page_column_t;
/** Heading and begin of a table of candidates: those columns behind the candidate's own. */
void assay_page_columns(assay_view_t *view, const char *heading, const assay_page_column_t *column,
                        uint32_t n);
/** Begins a candidate's row and leaves its first cell open: "</th>" is to follow. */
void assay_page_candidate(assay_view_t *view, const assay_decision_t *decision, uint32_t i);
/** A cell with a number and, if more is not "", what stands below it. */
void assay_page_number(assay_view_t *view, const char *value, const char *more);

#endif
