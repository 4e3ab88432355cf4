/* Roofline (Williams, Waterman, Patterson, CACM 2009) of devices, with what runs on them. */
#include <math.h>

#include "report/charts.h"

#include "base/banned.h"

#define LEFT 44.0
#define TOP 26.0
#define BOTTOM (TOP + 280.0)
#define RIGHT (ASSAY_CHART_WIDTH - 14.0)
#define TERA 1e12

static bool has_point(const assay_chart_op_t *op) {
    return op->flops_per_byte > 0.0 && op->flops > 0.0 && isfinite(op->flops_per_byte) &&
           isfinite(op->flops);
}

/** What is drawn: every point, the ridges, and a little around. Scales in FLOP/byte, TFLOP/s. */
static void extent(const assay_chart_roofline_t *chart, assay_svg_scale_t *x,
                   assay_svg_scale_t *y) {
    double x_min = INFINITY, x_max = 0.0, y_min = INFINITY, y_max = 0.0;
    for (uint32_t r = 0; r < chart->n_roof; r++) {
        const double ridge = chart->roof[r].peak_flops / chart->roof[r].bytes_per_s;
        x_min = fmin(x_min, ridge / 4.0);
        x_max = fmax(x_max, ridge * 4.0);
        y_min = fmin(y_min, chart->roof[r].peak_flops / 4.0 / TERA);
        y_max = fmax(y_max, chart->roof[r].peak_flops * 1.5 / TERA);
    }
    for (uint32_t i = 0; i < chart->n_op; i++) {
        const assay_chart_op_t *op = &chart->op[i];
        if (has_point(op)) {
            x_min = fmin(x_min, op->flops_per_byte / 1.5);
            x_max = fmax(x_max, op->flops_per_byte * 1.5);
            y_min = fmin(y_min, op->flops / 1.5 / TERA);
            y_max = fmax(y_max, op->flops * 1.2 / TERA);
        }
    }
    *x = (assay_svg_scale_t){true, x_min, x_max, LEFT, RIGHT};
    *y = (assay_svg_scale_t){true, y_min, y_max, BOTTOM, TOP};
}

static void draw_roof(assay_view_t *view, assay_svg_t *svg, const assay_chart_roof_t *roof,
                      uint32_t r, const assay_svg_scale_t *x, const assay_svg_scale_t *y) {
    const double peak = roof->peak_flops / TERA, slope = roof->bytes_per_s / TERA;
    const double start = fmax(x->min, y->min / slope); /* where the slope enters */
    const double ridge = fmax(start, peak / slope);
    const double px[] = {assay_svg_map(x, start), assay_svg_map(x, ridge), x->to};
    const double py[] = {assay_svg_map(y, fmin(peak, slope * start)), assay_svg_map(y, peak),
                         assay_svg_map(y, peak)};
    assay_svg_path(svg, px, py, 3, false, assay_view_format(view, "line k%u", r));
    assay_svg_block(svg, px[0], py[0], px[1], py[1]);
    assay_svg_block(svg, px[1], py[1], px[2], py[2]);
}

static void draw_points(assay_view_t *view, assay_svg_t *svg, const assay_chart_roofline_t *chart,
                        const assay_svg_scale_t *x, const assay_svg_scale_t *y) {
    for (uint32_t i = 0; i < chart->n_op; i++) {
        const assay_chart_op_t *op = &chart->op[i];
        if (has_point(op) && op->roof < chart->n_roof) {
            assay_svg_mark(svg, assay_svg_map(x, op->flops_per_byte),
                           assay_svg_map(y, op->flops / TERA), op->roof,
                           assay_view_format(view, "mark k%u", op->roof),
                           SAY(view, REPORT_CHART_OP, chart->roof[op->roof].name, op->name,
                               assay_view_number(view, op->flops_per_byte),
                               assay_view_number(view, op->flops / TERA)));
        }
    }
    for (uint32_t i = 0; i < chart->n_op; i++) {
        const assay_chart_op_t *op = &chart->op[i];
        if (op->label && has_point(op)) {
            assay_svg_label(svg, assay_svg_map(x, op->flops_per_byte),
                            assay_svg_map(y, op->flops / TERA), "note", op->name);
        }
    }
}

static void draw_table(assay_view_t *view, const assay_chart_roofline_t *chart) {
    static const assay_message_t column[] = {
        ASSAY_MSG_REPORT_COLUMN_CANDIDATE, ASSAY_MSG_REPORT_COLUMN_OPERATION,
        ASSAY_MSG_REPORT_AXIS_INTENSITY,   ASSAY_MSG_REPORT_AXIS_FLOPS,
        ASSAY_MSG_REPORT_COLUMN_OF_ROOF,   ASSAY_MSG_REPORT_COLUMN_BASIS};
    assay_buf_t *out = view->out;
    assay_figure_table_begin(view);
    assay_buf_puts(out, "<tr>");
    for (uint32_t i = 0; i < sizeof column / sizeof column[0]; i++) {
        assay_html_printf(out, "<th scope=\"col\" class=\"%s\">%s</th>", i < 2 || i > 4 ? "" : "n",
                          assay_view_message(view, column[i]));
    }
    assay_buf_puts(out, "</tr>\n");
    for (uint32_t i = 0; i < chart->n_op; i++) {
        const assay_chart_op_t *op = &chart->op[i];
        if (!has_point(op) || op->roof >= chart->n_roof) {
            continue;
        }
        const assay_chart_roof_t *roof = &chart->roof[op->roof];
        const double top = fmin(roof->peak_flops, roof->bytes_per_s * op->flops_per_byte);
        assay_html_printf(out,
                          "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"n\">%s</td>"
                          "<td class=\"n\">%s</td><td class=\"n\">%s</td><td>%s</td></tr>\n",
                          roof->name, op->name, assay_view_number(view, op->flops_per_byte),
                          assay_view_number(view, op->flops / TERA),
                          assay_view_percent(view, op->flops / top), op->basis);
    }
}

void assay_chart_roofline(assay_view_t *view, const assay_chart_roofline_t *chart) {
    const char *name[ASSAY_CHART_SERIES];
    assay_svg_key_t key[ASSAY_CHART_SERIES];
    if (chart->n_roof == 0 || chart->n_roof > ASSAY_CHART_SERIES) {
        return;
    }
    for (uint32_t r = 0; r < chart->n_roof; r++) {
        name[r] = chart->roof[r].name;
    }
    assay_chart_keys(view, name, chart->n_roof, 0, key);
    assay_svg_scale_t x, y;
    extent(chart, &x, &y);
    const double legend = assay_svg_legend(NULL, LEFT, 0.0, RIGHT - LEFT, key, chart->n_roof);
    assay_svg_t svg;
    assay_figure_begin(view, &chart->chart);
    assay_svg_begin(&svg, view->out, chart->chart.id, ASSAY_CHART_WIDTH, BOTTOM + 40.0 + legend,
                    chart->chart.title, chart->chart.takeaway);
    assay_svg_axis_x(&svg, &x, BOTTOM, TOP,
                     assay_view_message(view, ASSAY_MSG_REPORT_AXIS_INTENSITY));
    assay_svg_axis_y(&svg, &y, LEFT, RIGHT, assay_view_message(view, ASSAY_MSG_REPORT_AXIS_FLOPS));
    for (uint32_t r = 0; r < chart->n_roof; r++) {
        draw_roof(view, &svg, &chart->roof[r], r, &x, &y);
    }
    draw_points(view, &svg, chart, &x, &y);
    assay_svg_legend(&svg, LEFT, BOTTOM + 38.0, RIGHT - LEFT, key, chart->n_roof);
    assay_svg_end(&svg);
    draw_table(view, chart);
    assay_figure_end(view);
}
