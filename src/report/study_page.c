/* The study of a decision's uncertainty on a page, and the tables that pages share. */
#include "report/decision_page.h"

#include "base/banned.h"

static void put_table_cell(void *ctx, uint32_t row, uint32_t column, bool right, const char *text) {
    assay_buf_t *out = ctx;
    const char *css = right ? " class=\"n\"" : "";
    if (column == 0) {
        assay_buf_puts(out, row == 0   ? "<thead><tr>"
                            : row == 1 ? "</tr></thead>\n<tbody><tr>"
                                       : "</tr>\n<tr>");
    }
    const char *tag = row == 0 || column == 0 ? "th" : "td";
    const char *scope = row == 0 ? " scope=\"col\"" : column == 0 ? " scope=\"row\"" : "";
    assay_buf_printf(out, "<%s%s%s>", tag, scope, css);
    assay_html_escape(out, text);
    assay_buf_printf(out, "</%s>", tag);
}

void assay_page_table(assay_view_t *view, const char *heading, const assay_table_t *table) {
    if (table) {
        assay_page_heading(view, heading);
        assay_html_printf(view->out,
                          "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
                          "aria-label=\"%s\"><table class=\"plain\">\n",
                          heading);
        assay_table_each(table, put_table_cell, view->out);
        assay_buf_puts(view->out, "</tr></tbody></table></div>\n");
    }
}

void assay_page_study(assay_view_t *view, const assay_study_t *study) {
    const assay_sensitivity_t *s = study->sensitivity;
    assay_page_table(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_INPUTS),
                     assay_study_inputs_table(view, study));
    if (!s || s->n_input == 0) {
        return;
    }
    const char *perfect =
        SAY(view, REPORT_PERFECT, assay_view_quantity(view, s->perfect_usd, ASSAY_DIM_MONEY));
    assay_html_printf(view->out, "<ul>\n<li>%s</li>\n", perfect);
    for (uint32_t i = 0; i < s->n_measurement; i++) {
        assay_html_printf(view->out, "<li>%s</li>\n", s->measurement[i].sentence);
    }
    assay_buf_puts(view->out, "</ul>\n<div class=\"figures\">\n");
    assay_study_chart_years(view, study);
    assay_study_chart_maps(view, study);
    assay_buf_puts(view->out, "</div>\n");
}

void assay_page_investment(assay_view_t *view, const assay_study_t *study) {
    const char *const line[] = {assay_study_investment(view, study),
                                assay_study_crossing(view, study)};
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        if (line[i]) {
            assay_html_printf(view->out, "<li>%s</li>\n", line[i]);
        }
    }
}
