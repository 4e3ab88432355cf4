/* What is around every drawing. */
#include "report/charts.h"

#include "base/banned.h"

void assay_figure_begin(assay_view_t *view, const assay_chart_t *chart) {
    assay_html_printf(view->out, "<figure>\n<figcaption><b>%s</b> %s</figcaption>\n", chart->title,
                      chart->takeaway);
}

void assay_figure_table_begin(assay_view_t *view) {
    assay_html_printf(view->out, "<details><summary>%s</summary>\n<table>\n",
                      assay_view_message(view, ASSAY_MSG_REPORT_AS_TABLE));
}

void assay_figure_end(assay_view_t *view) {
    assay_buf_puts(view->out, "</table>\n</details>\n</figure>\n");
}

assay_scale_t assay_chart_unit(assay_view_t *view, const assay_chart_axis_t *axis, double max,
                               const char **out_title) {
    assay_scale_t scale = assay_view_scale(view, axis->kind, max);
    scale.unit = axis->kind == ASSAY_SCALE_PLAIN && axis->unit ? axis->unit : scale.unit;
    *out_title = *scale.unit ? SAY(view, REPORT_AXIS_UNIT, axis->title, scale.unit) : axis->title;
    return scale;
}

void assay_chart_keys(assay_view_t *view, const char *const *name, uint32_t n, int shape,
                      assay_svg_key_t *out_key) {
    for (uint32_t i = 0; i < n; i++) {
        out_key[i] = (assay_svg_key_t){assay_view_cut(view, name[i], ASSAY_CHART_NAME),
                                       assay_view_format(view, "k%u", i), shape ? shape : (int)i};
    }
}
