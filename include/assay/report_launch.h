/** A job read from what people start their work with: the job file, or JSON. */
#ifndef ASSAY_REPORT_LAUNCH_H
#define ASSAY_REPORT_LAUNCH_H

#include "assay/launch.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/** TEXT: the job file. JSON: {kind, job, items}. Errors: ASSAY_USAGE for another format. */
assay_status_t assay_report_launch(const assay_launch_t *launch, assay_report_format_t format,
                                   assay_buf_t *out, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
