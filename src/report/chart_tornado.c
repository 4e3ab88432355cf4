/* What each input moves the result from where it stands at central values. */
#include <math.h>

#include "report/charts.h"

#include "base/banned.h"

#define ROW_HEIGHT 34.0
#define BAR_HEIGHT 12.0

static void draw_swing(assay_view_t *view, assay_svg_t *svg, const assay_chart_tornado_t *tornado,
                       uint32_t i, const assay_svg_scale_t *x, const assay_scale_t *unit) {
    const assay_chart_swing_t *swing = &tornado->swing[i];
    const double top = ROW_HEIGHT * i, base = assay_svg_map(x, tornado->base / unit->one);
    const char *range = SAY(view, REPORT_CHART_SWING, swing->low_text, swing->high_text);
    const double room = svg->width - assay_svg_text_width(range) - 14.0;
    assay_svg_text(
        svg, 2.0, top + 12.0, ASSAY_SVG_START, "name",
        assay_view_cut(view, swing->name, (size_t)(fmax(room, 40.0) / assay_svg_text_width("n"))));
    assay_svg_text(svg, svg->width - 2.0, top + 12.0, ASSAY_SVG_END, "note", range);
    const double value[] = {swing->low, swing->high};
    static const char *const css[] = {"bar k0", "bar k1"};
    for (int side = 0; side < 2; side++) {
        const double at = assay_svg_map(x, value[side] / unit->one);
        assay_svg_rect(svg, fmin(at, base), top + 17.0, fabs(at - base), BAR_HEIGHT, css[side],
                       SAY(view, REPORT_CHART_PART, side ? swing->high_text : swing->low_text,
                           assay_view_number(view, value[side] / unit->one), unit->unit));
    }
}

static void draw_table(assay_view_t *view, const assay_chart_tornado_t *tornado,
                       const assay_scale_t *unit, const char *title) {
    assay_figure_table_begin(view);
    assay_html_printf(view->out,
                      "<tr><th scope=\"col\">%s</th><th scope=\"col\" class=\"n\">%s</th>"
                      "<th scope=\"col\" class=\"n\">%s</th><th scope=\"col\" class=\"n\">%s</th>"
                      "<th scope=\"col\" class=\"n\">%s</th></tr>\n",
                      assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_SUBJECT),
                      assay_view_message(view, ASSAY_MSG_REPORT_CHART_LOW), title,
                      assay_view_message(view, ASSAY_MSG_REPORT_CHART_HIGH), title);
    for (uint32_t i = 0; i < tornado->n_swing; i++) {
        const assay_chart_swing_t *swing = &tornado->swing[i];
        assay_html_printf(view->out,
                          "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td>"
                          "<td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
                          "</tr>\n",
                          swing->name, swing->low_text,
                          assay_view_cell(view, swing->low / unit->one), swing->high_text,
                          assay_view_cell(view, swing->high / unit->one));
    }
}

void assay_chart_tornado(assay_view_t *view, const assay_chart_tornado_t *tornado) {
    if (tornado->n_swing == 0) {
        return;
    }
    double min = tornado->base, max = tornado->base;
    for (uint32_t i = 0; i < tornado->n_swing; i++) {
        const assay_chart_swing_t *swing = &tornado->swing[i];
        min = fmin(min, fmin(swing->low, swing->high));
        max = fmax(max, fmax(swing->low, swing->high));
    }
    if (!(max > min)) {
        max = min + 1.0;
    }
    const char *title;
    const assay_scale_t unit =
        assay_chart_unit(view, &tornado->axis, fmax(fabs(min), fabs(max)), &title);
    assay_svg_scale_t x = {false, min / unit.one, max / unit.one, 16.0, ASSAY_CHART_WIDTH - 16.0};
    assay_svg_nice(&x.min, &x.max, false, 5);
    const assay_svg_key_t key[] = {
        {assay_view_message(view, ASSAY_MSG_REPORT_CHART_LOW), "k0", ASSAY_SVG_KEY_SQUARE},
        {assay_view_message(view, ASSAY_MSG_REPORT_CHART_HIGH), "k1", ASSAY_SVG_KEY_SQUARE}};
    const double bottom = ROW_HEIGHT * tornado->n_swing + 4.0;
    const double legend = assay_svg_legend(NULL, 2.0, 0.0, ASSAY_CHART_WIDTH - 4.0, key, 2);
    assay_svg_t svg;
    assay_figure_begin(view, &tornado->chart);
    assay_svg_begin(&svg, view->out, tornado->chart.id, ASSAY_CHART_WIDTH, bottom + 40.0 + legend,
                    tornado->chart.title, tornado->chart.takeaway);
    assay_svg_axis_x(&svg, &x, bottom, 0.0, title);
    for (uint32_t i = 0; i < tornado->n_swing; i++) {
        draw_swing(view, &svg, tornado, i, &x, &unit);
    }
    const double base = assay_svg_map(&x, tornado->base / unit.one);
    assay_svg_line(&svg, base, 15.0, base, bottom, "axis");
    assay_svg_legend(&svg, 2.0, bottom + 38.0, ASSAY_CHART_WIDTH - 4.0, key, 2);
    assay_svg_end(&svg);
    draw_table(view, tornado, &unit, title);
    assay_figure_end(view);
}
