/** The study of a decision's uncertainty, of any kind of work, for every format. */
#ifndef ASSAY_REPORT_STUDY_VIEW_H
#define ASSAY_REPORT_STUDY_VIEW_H

#include "report/write.h"

typedef struct {
    const assay_sensitivity_t *sensitivity; /* NULL: nothing fits */
    const char *choice, *runner_up;         /* ids; NULL: none */
    double lead_usd; /* at central values: cost of the runner-up less that of the choice */
    double years;
} assay_study_t;
assay_study_t assay_study_of_decision(const assay_decision_t *decision);
assay_study_t assay_study_of_serving(const assay_serving_decision_t *decision);
assay_study_t assay_study_of_images(const assay_image_decision_t *decision);

/** Each input's swing, the largest first; NULL without any. */
assay_table_t *assay_study_inputs_table(assay_view_t *view, const assay_study_t *study);
/** The choice as an investment; NULL without a runner-up. */
const char *assay_study_investment(assay_view_t *view, const assay_study_t *study);
/** From when on it has cost less in all, how often; NULL as above. */
const char *assay_study_crossing(assay_view_t *view, const assay_study_t *study);

#define ASSAY_STUDY_LINES 12
typedef struct {
    const char *text;
    assay_style_t style;
} assay_study_line_t;
/** What there is to say: worth of knowing, what to measure, investment, crossing, the move, maps.
 */
uint32_t assay_study_sentences(assay_view_t *view, const assay_study_t *study,
                               assay_study_line_t out[ASSAY_STUDY_LINES]);

void assay_study_write_text(assay_view_t *view, const assay_study_t *study);
void assay_study_write_markdown(assay_view_t *view, const assay_study_t *study);
/** Columns of a table with a row a candidate; only the choice has cells. */
#define ASSAY_STUDY_COLUMNS 6
void assay_study_csv_columns(assay_table_t *table, uint32_t at);
void assay_study_csv_cells(assay_view_t *view, assay_table_t *table, uint32_t at,
                           const assay_study_t *study);
/** Member "sensitivity" of the enclosing object; null where nothing fits. */
void assay_json_study(assay_json_t *json, const assay_sensitivity_t *sensitivity);

/* Figures of a page. */
void assay_study_chart_tornado(assay_view_t *view, const assay_study_t *study);
/** What owning or renting has cost up to then. */
void assay_study_chart_years(assay_view_t *view, const assay_study_t *study);
/** Every panel of every map: who is cheaper over two variables, and the boundary. */
void assay_study_chart_maps(assay_view_t *view, const assay_study_t *study);

#endif
