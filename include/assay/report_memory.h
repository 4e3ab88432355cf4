/** What fits, as text and as JSON. */
#ifndef ASSAY_REPORT_MEMORY_H
#define ASSAY_REPORT_MEMORY_H

#include "assay/memory.h"
#include "assay/oom_log.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/** TEXT, JSON. Errors: ASSAY_USAGE for another format, ASSAY_MEMORY. log NULL: none was given. */
assay_status_t assay_report_memory(const assay_memory_t *memory, const assay_oom_t *log,
                                   assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
