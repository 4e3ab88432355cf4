/**
 * One scan of a CUDA tree, several outputs: text (100 columns), JSON (design section 7),
 * SARIF 2.1.0 for code review, and one self-contained HTML page.
 */
#ifndef ASSAY_REPORT_SCAN_H
#define ASSAY_REPORT_SCAN_H

#include "assay/port.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * TEXT, JSON, SARIF, HTML. fingerprint: (n_finding), from assay_port_fingerprints. Findings of a
 * baseline are counted, and left out of lists; JSON and SARIF mark them.
 * Errors: ASSAY_USAGE for another format, ASSAY_MEMORY.
 */
assay_status_t assay_report_scan(const assay_port_scan_t *scan, const uint64_t *fingerprint,
                                 assay_report_format_t format,
                                 const assay_report_options_t *options, assay_buf_t *out,
                                 assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
