/* What is around every drawing. */
#include "report/charts.h"

#include "base/banned.h"

void assay_figure_begin(assay_view_t *view, const char *title, const char *takeaway) {
    assay_html_printf(view->out, "<figure>\n<figcaption><b>%s</b> %s</figcaption>\n", title,
                      takeaway);
}

void assay_figure_table_begin(assay_view_t *view) {
    assay_html_printf(view->out, "<details><summary>%s</summary>\n<table>\n",
                      assay_view_message(view, ASSAY_MSG_REPORT_AS_TABLE));
}

void assay_figure_end(assay_view_t *view) {
    assay_buf_puts(view->out, "</table>\n</details>\n</figure>\n");
}

uint32_t assay_chart_candidates(const assay_decision_t *decision,
                                uint32_t out_index[ASSAY_CHART_CANDIDATES]) {
    uint32_t others = ASSAY_CHART_CANDIDATES;
    others -= decision->choice >= 0 ? 1 : 0;
    others -= decision->runner_up >= 0 ? 1 : 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const bool must = (int32_t)i == decision->choice || (int32_t)i == decision->runner_up;
        if (decision->candidate[i].fits && (must || others > 0)) {
            others -= must ? 0 : 1;
            out_index[n++] = i;
        }
    }
    return n;
}
