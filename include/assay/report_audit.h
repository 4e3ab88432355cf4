/** Claims that were recomputed, for people and programs. */
#ifndef ASSAY_REPORT_AUDIT_H
#define ASSAY_REPORT_AUDIT_H

#include "assay/audit.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/** TEXT, JSON (docs/json.md), MARKDOWN. */
assay_status_t assay_report_audit(const assay_audit_t *audit, assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
