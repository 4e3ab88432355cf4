/* JUnit XML, as CI systems read it: one case a finding. Bad ones at or above the threshold fail,
   what is not known or does not apply is skipped. */
#include <string.h>

#include "report/doctor_view.h"
#include "report/svg.h"

#include "base/banned.h"

static bool fails(const assay_diagnosis_t *diagnosis, const assay_doctor_finding_t *finding) {
    return finding->status == ASSAY_CHECK_BAD && finding->severity <= diagnosis->threshold;
}

static bool is_skipped(const assay_doctor_finding_t *finding) {
    return finding->status == ASSAY_CHECK_NOT_CHECKED ||
           finding->status == ASSAY_CHECK_NOT_APPLICABLE;
}

static void put_case(assay_view_t *view, const assay_diagnosis_t *diagnosis,
                     const assay_doctor_finding_t *finding) {
    const char *severity = assay_severity_name((assay_severity_t)finding->severity);
    assay_html_printf(view->out, "  <testcase classname=\"assay.%s\" name=\"%s %s\"",
                      diagnosis->host->name, finding->check->id, finding->check->title);
    if (finding->at.file && finding->at.line > 0) {
        assay_html_printf(view->out, " file=\"%s\" line=\"%s\"", finding->at.file,
                          assay_view_format(view, "%u", finding->at.line));
    }
    if (finding->status == ASSAY_CHECK_GOOD) {
        assay_buf_puts(view->out, "/>\n");
        return;
    }
    assay_buf_puts(view->out, ">\n");
    if (is_skipped(finding)) {
        assay_html_printf(view->out, "    <skipped message=\"%s\"/>\n", finding->evidence);
    } else {
        const char *element = fails(diagnosis, finding) ? "failure" : "system-out";
        if (fails(diagnosis, finding)) {
            assay_html_printf(view->out, "    <failure type=\"%s\" message=\"%s\">", severity,
                              finding->check->title);
        } else {
            assay_html_printf(view->out, "    <system-out>%s: ", severity);
        }
        assay_html_printf(view->out, "%s\n%s: %s\n%s: %s\n%s: %s</%s>\n", finding->evidence,
                          assay_view_message(view, ASSAY_MSG_DOCTOR_WHY), finding->cause,
                          assay_view_message(view, ASSAY_MSG_DOCTOR_DO), finding->fix,
                          assay_view_message(view, ASSAY_MSG_DOCTOR_CHECK), finding->verify,
                          element);
    }
    assay_buf_puts(view->out, "  </testcase>\n");
}

void assay_doctor_write_junit(assay_view_t *view, const assay_diagnosis_t *diagnosis) {
    uint32_t n_failed = 0, n_skipped = 0;
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        n_failed += fails(diagnosis, &diagnosis->finding[i]);
        n_skipped += is_skipped(&diagnosis->finding[i]);
    }
    assay_buf_puts(view->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    assay_html_printf(
        view->out,
        "<testsuite name=\"%s\" tests=\"%s\" failures=\"%s\" errors=\"0\" skipped=\"%s\">\n",
        diagnosis->host->name, assay_view_format(view, "%u", diagnosis->n_finding),
        assay_view_format(view, "%u", n_failed), assay_view_format(view, "%u", n_skipped));
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        put_case(view, diagnosis, &diagnosis->finding[i]);
    }
    assay_buf_puts(view->out, "</testsuite>\n");
}
