/** The configuration that runs a layout: the file itself, or JSON with why each setting is there.
 */
#ifndef ASSAY_REPORT_EMIT_H
#define ASSAY_REPORT_EMIT_H

#include "assay/emit.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/** TEXT: the file. JSON: {tool, settings, text}. Errors: ASSAY_USAGE for another format. */
assay_status_t assay_report_emit(const assay_emit_t *emit, assay_report_format_t format,
                                 assay_buf_t *out, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
