/** The formats of a fleet. */
#ifndef ASSAY_REPORT_FLEET_VIEW_H
#define ASSAY_REPORT_FLEET_VIEW_H

#include "assay/report_fleet.h"
#include "report/write.h"

void assay_fleet_write_text(assay_view_t *view, const assay_fleet_t *fleet);
void assay_fleet_write_json(assay_view_t *view, const assay_fleet_t *fleet);
void assay_fleet_write_csv(assay_view_t *view, const assay_fleet_t *fleet);
void assay_fleet_write_markdown(assay_view_t *view, const assay_fleet_t *fleet);

#endif
