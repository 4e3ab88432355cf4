/* What the reports on a decision about images share: their tables, cell by cell, so that text,
   Markdown and pages show the same. */
#ifndef ASSAY_REPORT_IMAGE_VIEW_H
#define ASSAY_REPORT_IMAGE_VIEW_H

#include "report/write.h"

typedef struct {
    assay_message_t name;
    /* of a candidate that fits; the first column is of any */
    const char *(*cell)(assay_view_t *view, const assay_image_candidate_t *candidate);
} image_column_t;

typedef struct {
    const image_column_t *column;
    uint32_t n;
} image_columns_t;

image_columns_t image_cost_columns(void);
image_columns_t image_speed_columns(void);
const char *image_cost_heading(assay_view_t *view, const assay_image_decision_t *decision);
/** Why a candidate does not fit, and for whom: "a100: ..." */
const char *image_why_not(assay_view_t *view, const assay_image_candidate_t *candidate);
/** "sdxl, 1024 x 1024, 20 steps, 4 images a request, 1 request at a time" */
const char *image_job_line(assay_view_t *view, const assay_image_decision_t *decision);

#endif
