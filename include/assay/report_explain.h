/** The answers to "why not this one" and "where is this number from". */
#ifndef ASSAY_REPORT_EXPLAIN_H
#define ASSAY_REPORT_EXPLAIN_H

#include "assay/explain.h"
#include "assay/flip.h"
#include "assay/report.h"
#include "assay/why_not.h"

#ifdef __cplusplus
extern "C" {
#endif

/** TEXT, JSON. Errors: ASSAY_USAGE for another, ASSAY_MEMORY. */
assay_status_t assay_report_why_not(const assay_why_not_t *why, assay_report_format_t format,
                                    const assay_report_options_t *options, assay_buf_t *out,
                                    assay_error_t *err);

/** TEXT, JSON. Errors: ASSAY_USAGE for another, ASSAY_MEMORY. */
assay_status_t assay_report_flip(const assay_flip_t *flip, assay_report_format_t format,
                                 const assay_report_options_t *options, assay_buf_t *out,
                                 assay_error_t *err);

typedef struct {
    const char *path;
    const assay_explained_t *node;
} assay_explanation_t;
/** TEXT, JSON. Errors: ASSAY_USAGE for another, ASSAY_MEMORY. */
assay_status_t assay_report_explanation(const assay_explanation_t *explanation,
                                        assay_report_format_t format,
                                        const assay_report_options_t *options, assay_buf_t *out,
                                        assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
