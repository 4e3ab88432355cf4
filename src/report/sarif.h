/** What the SARIF outputs share: SARIF 2.1.0 (OASIS), as code review tools read it. */
#ifndef ASSAY_REPORT_SARIF_H
#define ASSAY_REPORT_SARIF_H

#include "assay/finding.h"
#include "report/write.h"

/** From the start up to the list of rules, which is open; behind it assay_sarif_results. */
void assay_sarif_begin(assay_json_t *json);
/** Closes the rules and opens the results. */
void assay_sarif_results(assay_json_t *json);
void assay_sarif_end(assay_json_t *json);
/** {"text": text} under key. */
void assay_sarif_text(assay_json_t *json, const char *key, const char *text);
/** "error", "warning", "note". */
const char *assay_sarif_level(assay_severity_t severity);
/** A relative reference: what RFC 3986 reserves, and bytes above ASCII, as %XX. */
const char *assay_sarif_uri(assay_view_t *view, const char *path);

#endif
