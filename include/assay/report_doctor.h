/**
 * What the doctor says about one host, and the lint about settings, several outputs: text (100
 * columns), JSON (docs/json.md), Markdown for an issue, SARIF 2.1.0 for code review, JUnit XML for
 * CI (one case a finding; those below the threshold pass).
 */
#ifndef ASSAY_REPORT_DOCTOR_H
#define ASSAY_REPORT_DOCTOR_H

#include "assay/doctor.h"
#include "assay/host_compare.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * TEXT, JSON, MARKDOWN, SARIF, JUNIT. Errors: ASSAY_USAGE for another format, ASSAY_MEMORY.
 */
assay_status_t assay_report_doctor(const assay_diagnosis_t *diagnosis, assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err);
/** All checks, one a row. TEXT, JSON, CSV, MARKDOWN. */
assay_status_t assay_report_checks(const assay_check_t *check, uint32_t n,
                                   assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err);
/** One check, everything that is known of it. TEXT, JSON. */
assay_status_t assay_report_check(const assay_check_t *check, assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err);
/** What differs between two hosts. TEXT, JSON, CSV, MARKDOWN. */
assay_status_t assay_report_comparison(const assay_comparison_t *comparison,
                                       assay_report_format_t format,
                                       const assay_report_options_t *options, assay_buf_t *out,
                                       assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
