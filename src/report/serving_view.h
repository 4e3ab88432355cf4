/** Tables and words of a decision about serving that several formats show. */
#ifndef ASSAY_REPORT_SERVING_VIEW_H
#define ASSAY_REPORT_SERVING_VIEW_H

#include "report/view.h"

/** "6 x TP1", "2 x TP8, attention on each rank + 1 x TP4 for prompts". */
const char *assay_serving_fleet(assay_view_t *view, const assay_serve_fleet_t *fleet);
const char *assay_serving_verdict(const assay_view_t *view, const assay_serve_fleet_t *fleet);
/** "bf16, fp8 keys". */
const char *assay_serving_format(assay_view_t *view, const assay_serving_t *serving,
                                 const assay_serve_fleet_t *fleet);
const char *assay_serving_cost_heading(assay_view_t *view,
                                       const assay_serving_decision_t *decision);
/* NULL once the arena is full, which the table functions bear. */
assay_table_t *assay_serving_cost_table(assay_view_t *view,
                                        const assay_serving_decision_t *decision);
assay_table_t *assay_serving_price_table(assay_view_t *view,
                                         const assay_serving_decision_t *decision);
assay_table_t *assay_serving_latency_table(assay_view_t *view,
                                           const assay_serving_decision_t *decision);
assay_table_t *assay_serving_layout_table(assay_view_t *view,
                                          const assay_serving_candidate_t *candidate);
assay_table_t *assay_serving_claim_table(assay_view_t *view,
                                         const assay_serving_decision_t *decision);

#endif
