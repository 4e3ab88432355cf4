/** The plan of a move in every format. */
#ifndef ASSAY_REPORT_ROADMAP_H
#define ASSAY_REPORT_ROADMAP_H

#include "assay/report.h"
#include "assay/roadmap.h"

#ifdef __cplusplus
extern "C" {
#endif

/** TEXT, JSON, CSV, MARKDOWN. Errors: ASSAY_USAGE for another, ASSAY_MEMORY. */
assay_status_t assay_report_roadmap(const assay_roadmap_t *map, assay_report_format_t format,
                                    const assay_report_options_t *options, assay_buf_t *out,
                                    assay_error_t *err);
/** The phases over time, one SVG file that stands alone. */
assay_status_t assay_report_roadmap_svg(const assay_roadmap_t *map,
                                        const assay_report_options_t *options, assay_buf_t *out,
                                        assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
