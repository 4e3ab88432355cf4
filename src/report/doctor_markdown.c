/* A diagnosis as Markdown: for an issue or a ticket. */
#include <string.h>

#include "report/doctor_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_DOCTOR_##id)

static void put_item(assay_view_t *view, const char *indent, const char *word, const char *text) {
    if (*text) {
        assay_buf_printf(view->out, "%s- %s: ", indent, word);
        assay_markdown_text(view, text);
        assay_buf_puts(view->out, "\n");
    }
}

void assay_doctor_write_markdown(assay_view_t *view, const assay_diagnosis_t *diagnosis) {
    assay_buf_puts(view->out, "# ");
    assay_markdown_text(view, assay_doctor_sentence(view, diagnosis));
    assay_buf_puts(view->out, "\n\n");
    if (diagnosis->first >= 0) {
        const assay_doctor_finding_t *first = &diagnosis->finding[diagnosis->first];
        assay_buf_puts(view->out, "**");
        assay_markdown_text(view, SAY(view, DOCTOR_FIRST, first->check->id, first->check->title));
        assay_buf_puts(view->out, "**\n\n");
    }
    for (uint32_t i = 0; i < diagnosis->n_visible + diagnosis->n_partition; i++) {
        const uint32_t k = i - diagnosis->n_visible;
        assay_markdown_text(view, i < diagnosis->n_visible
                                      ? assay_doctor_visible(view, &diagnosis->visible[i])
                                      : assay_doctor_partition(view, &diagnosis->partition[k]));
        assay_buf_puts(view->out, "\n\n");
    }
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        const assay_doctor_finding_t *finding = &diagnosis->finding[i];
        if (finding->status != ASSAY_CHECK_BAD) {
            continue;
        }
        const bool folded = finding->root >= 0;
        assay_buf_printf(view->out, "%s- **%s** %s: ", folded ? "  " : "",
                         assay_severity_name((assay_severity_t)finding->severity),
                         finding->check->id);
        assay_markdown_text(view, folded ? SAY(view, DOCTOR_FOLLOWS, finding->check->title)
                                         : finding->check->title);
        assay_buf_puts(view->out, "\n");
        put_item(view, folded ? "    " : "  ", TEXT(SEEN), finding->evidence);
        if (!folded) {
            put_item(view, "  ", TEXT(WHY), finding->cause);
            put_item(view, "  ", TEXT(DO), finding->fix);
            put_item(view, "  ", TEXT(CHECK), finding->verify);
        }
    }
}
