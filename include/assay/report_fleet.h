/** Many hosts: what the doctor says of each, and who is not like the others. */
#ifndef ASSAY_REPORT_FLEET_H
#define ASSAY_REPORT_FLEET_H

#include "assay/fleet.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/** TEXT, JSON, CSV and MARKDOWN (the hosts alone). Errors: ASSAY_USAGE, ASSAY_MEMORY. */
assay_status_t assay_report_fleet(const assay_fleet_t *fleet, assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
