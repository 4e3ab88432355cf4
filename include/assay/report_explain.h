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

/** A number of a decision's JSON: candidates[ID].cost_terms_usd.energy, flips[3].flip. An element
   of a list stands by what names it there, else by its number from 0. */
typedef struct {
    const char *path;
    assay_explain_path_t at;
} assay_explain_number_t;
/** All of them, in the order of the JSON. Errors: ASSAY_MEMORY, ASSAY_LIMIT. */
assay_status_t assay_explain_numbers(assay_arena_t *arena, const assay_explain_of_t *of,
                                     assay_explain_number_t **out, uint32_t *out_n,
                                     assay_error_t *err);
/** The one at a path; elements of lists by name or number, and keys in brackets as well.
    Errors: ASSAY_NOT_FOUND (no such path, no number there: did you mean), as above. */
assay_status_t assay_explain_number(assay_arena_t *arena, const assay_explain_of_t *of,
                                    const char *path, assay_explain_number_t *out,
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
/** What can be asked: path, value and unit of each; of the nodes no part is read. As above. */
typedef struct {
    const assay_explanation_t *item; /* (n) */
    uint32_t n;
} assay_explanation_list_t;
assay_status_t assay_report_explanations(const assay_explanation_list_t *list,
                                         assay_report_format_t format,
                                         const assay_report_options_t *options, assay_buf_t *out,
                                         assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
