/** What the formats of a diagnosis share. */
#ifndef ASSAY_REPORT_DOCTOR_VIEW_H
#define ASSAY_REPORT_DOCTOR_VIEW_H

#include "assay/report_doctor.h"
#include "report/write.h"

/** How many findings of which severity, of how many checks, in one sentence. */
const char *assay_doctor_sentence(assay_view_t *view, const assay_diagnosis_t *diagnosis);
/** Ids of the checks with that status, separated by blanks. */
const char *assay_doctor_ids(assay_view_t *view, const assay_diagnosis_t *diagnosis,
                             assay_check_status_t status);
/** Which devices a process sees; whether two modes of partition go together: one sentence each. */
const char *assay_doctor_visible(assay_view_t *view, const assay_visible_t *visible);
const char *assay_doctor_partition(assay_view_t *view, const assay_partition_answer_t *answer);
/** A text of a check for those who have no host: {name|default} reads default, {name} "NAME". */
const char *assay_doctor_plain(assay_view_t *view, const char *text);

typedef struct {
    const assay_check_t *check; /* (n) */
    uint32_t n;
} assay_checks_t;

void assay_doctor_write_text(assay_view_t *view, const assay_diagnosis_t *diagnosis);
void assay_doctor_write_json(assay_view_t *view, const assay_diagnosis_t *diagnosis);
void assay_doctor_write_markdown(assay_view_t *view, const assay_diagnosis_t *diagnosis);
void assay_doctor_write_sarif(assay_view_t *view, const assay_diagnosis_t *diagnosis);
void assay_doctor_write_junit(assay_view_t *view, const assay_diagnosis_t *diagnosis);
void assay_checks_write_text(assay_view_t *view, const assay_checks_t *checks);
void assay_checks_write_json(assay_view_t *view, const assay_checks_t *checks);
void assay_checks_write_csv(assay_view_t *view, const assay_checks_t *checks);
void assay_checks_write_markdown(assay_view_t *view, const assay_checks_t *checks);
void assay_check_write_text(assay_view_t *view, const assay_checks_t *checks);
void assay_check_write_json(assay_view_t *view, const assay_checks_t *checks);
void assay_comparison_write_text(assay_view_t *view, const assay_comparison_t *comparison);
void assay_comparison_write_json(assay_view_t *view, const assay_comparison_t *comparison);
void assay_comparison_write_csv(assay_view_t *view, const assay_comparison_t *comparison);
void assay_comparison_write_markdown(assay_view_t *view, const assay_comparison_t *comparison);

#endif
