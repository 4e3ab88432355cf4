#ifndef ASSAY_REPORT_DIFF_VIEW_H
#define ASSAY_REPORT_DIFF_VIEW_H

#include "assay/report_diff.h"
#include "report/write.h"

void assay_diff_write_text(assay_view_t *view, const assay_diff_t *diff);
void assay_diff_write_json(assay_view_t *view, const assay_diff_t *diff);

#endif
