/** What the formats of an audit share. */
#ifndef REPORT_AUDIT_VIEW_H
#define REPORT_AUDIT_VIEW_H

#include "assay/report_audit.h"
#include "report/write.h"

void assay_audit_write_text(assay_view_t *view, const assay_audit_t *audit);
void assay_audit_write_json(assay_view_t *view, const assay_audit_t *audit);
void assay_audit_write_markdown(assay_view_t *view, const assay_audit_t *audit);

/** All sentences of a claim's evidence as one paragraph. */
const char *assay_audit_evidence(assay_view_t *view, const assay_audited_t *claim);
/** "not reproducible" */
const char *assay_audit_verdict(assay_view_t *view, uint8_t verdict);
/** How many of each. */
const char *assay_audit_summary(assay_view_t *view, const assay_audit_t *audit);
/** "MI350X, throughput", or the claim's words. */
const char *assay_audit_subject(assay_view_t *view, const assay_audited_t *claim);

#endif
