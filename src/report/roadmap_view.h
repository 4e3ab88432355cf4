#ifndef ASSAY_REPORT_ROADMAP_VIEW_H
#define ASSAY_REPORT_ROADMAP_VIEW_H

#include "assay/report_roadmap.h"
#include "report/write.h"

void assay_roadmap_write_text(assay_view_t *view, const assay_roadmap_t *map);
void assay_roadmap_write_markdown(assay_view_t *view, const assay_roadmap_t *map);
void assay_roadmap_write_csv(assay_view_t *view, const assay_roadmap_t *map);
void assay_roadmap_write_json(assay_view_t *view, const assay_roadmap_t *map);
void assay_roadmap_write_svg(assay_view_t *view, const assay_roadmap_t *map);

/** So many days after the start of the plan. */
const char *assay_roadmap_date(assay_view_t *view, const assay_roadmap_t *map, double days);
/** What a gate asks, with its figure. */
const char *assay_roadmap_gate(assay_view_t *view, const assay_roadmap_t *map,
                               const assay_gate_t *gate);

#endif
