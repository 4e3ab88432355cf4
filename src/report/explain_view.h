#ifndef ASSAY_REPORT_EXPLAIN_VIEW_H
#define ASSAY_REPORT_EXPLAIN_VIEW_H

#include "assay/report_explain.h"
#include "report/write.h"

void assay_why_not_write_text(assay_view_t *view, const assay_why_not_t *why);
void assay_why_not_write_json(assay_view_t *view, const assay_why_not_t *why);
void assay_flip_write_text(assay_view_t *view, const assay_flip_t *flip);
void assay_flip_write_json(assay_view_t *view, const assay_flip_t *flip);
void assay_explanation_write_text(assay_view_t *view, const assay_explanation_t *explanation);
void assay_explanation_write_json(assay_view_t *view, const assay_explanation_t *explanation);
void assay_explanations_write_text(assay_view_t *view, const assay_explanation_list_t *list);
void assay_explanations_write_json(assay_view_t *view, const assay_explanation_list_t *list);

#endif
