/* Lines with bands: money as the work proceeds, the distribution of a cost, a rate over a load. */
#include <math.h>

#include "report/charts.h"

#include "base/banned.h"

#define LEFT 44.0
#define TOP 26.0
#define RIGHT (ASSAY_CHART_WIDTH - 14.0)
#define BOTTOM (TOP + 260.0)
#define POINTS_MAX 512u
#define TABLE_ROWS 9u

typedef struct {
    const assay_chart_lines_t *of;
    uint32_t n_line;
    assay_scale_t x_unit, y_unit;
    const char *x_title, *y_title;
    assay_svg_scale_t x, y;
} plot_t;

static uint32_t points_of(const assay_chart_line_t *line) {
    return line->n < POINTS_MAX ? line->n : POINTS_MAX;
}

typedef struct {
    double min, max;
} extent_t;

static void reach(extent_t *extent, double value) { /* fmin and fmax ignore NAN */
    extent->min = fmin(extent->min, value);
    extent->max = fmax(extent->max, value);
}

/** Scale of one axis: linear ones begin at 0 unless something lies below or all is far above. */
static assay_svg_scale_t scale_of(const assay_chart_axis_t *axis, extent_t extent, double from,
                                  double to, bool from_zero) {
    if (!isfinite(extent.min) || !isfinite(extent.max)) {
        extent = (extent_t){axis->log ? 1.0 : 0.0, 1.0};
    }
    if (axis->log) {
        extent.min = fmax(extent.min, extent.max * 1e-9);
    } else if (from_zero) {
        extent.min = fmin(extent.min, 0.0);
    }
    if (!(extent.max > extent.min)) {
        extent.max = extent.min + (fabs(extent.min) > 0.0 ? fabs(extent.min) : 1.0);
    }
    return (assay_svg_scale_t){axis->log, extent.min, extent.max, from, to};
}

static void lay_out(assay_view_t *view, plot_t *plot) {
    const assay_chart_lines_t *lines = plot->of;
    extent_t x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    for (uint32_t i = 0; i < plot->n_line; i++) {
        const assay_chart_line_t *line = &lines->line[i];
        for (uint32_t k = 0; k < points_of(line); k++) {
            reach(&x, line->x[k]);
            reach(&y, line->y[k]);
            reach(&y, line->low ? line->low[k] : line->y[k]);
            reach(&y, line->high ? line->high[k] : line->y[k]);
        }
    }
    if (lines->y_max > 0.0) {
        reach(&y, lines->y_max);
    }
    plot->x_unit = assay_chart_unit(view, &lines->x, x.max, &plot->x_title);
    plot->y_unit = assay_chart_unit(view, &lines->y, y.max, &plot->y_title);
    x = (extent_t){x.min / plot->x_unit.one, x.max / plot->x_unit.one};
    y = (extent_t){y.min / plot->y_unit.one, y.max / plot->y_unit.one};
    plot->x = scale_of(&lines->x, x, LEFT, RIGHT, x.min < 0.25 * x.max);
    plot->y = scale_of(&lines->y, y, BOTTOM, TOP, true);
    assay_svg_nice(&plot->y.min, &plot->y.max, plot->y.log, 5);
}

static double map_x(const plot_t *plot, double value) {
    return assay_svg_map(&plot->x, value / plot->x_unit.one);
}

static double map_y(const plot_t *plot, double value) {
    return assay_svg_map(&plot->y, value / plot->y_unit.one);
}

static void draw_band(assay_view_t *view, assay_svg_t *svg, const plot_t *plot, uint32_t i) {
    const assay_chart_line_t *line = &plot->of->line[i];
    double x[2 * POINTS_MAX], y[2 * POINTS_MAX];
    const uint32_t n = points_of(line);
    for (uint32_t k = 0; k < n; k++) {
        x[k] = x[2 * n - 1 - k] = map_x(plot, line->x[k]);
        y[k] = map_y(plot, line->low[k]);
        y[2 * n - 1 - k] = map_y(plot, line->high[k]);
    }
    assay_svg_path(svg, x, y, 2 * n, true, assay_view_format(view, "band k%u", i));
}

static void draw_line(assay_view_t *view, assay_svg_t *svg, const plot_t *plot, uint32_t i) {
    const assay_chart_line_t *line = &plot->of->line[i];
    double x[POINTS_MAX], y[POINTS_MAX];
    const uint32_t n = points_of(line);
    for (uint32_t k = 0; k < n; k++) {
        x[k] = map_x(plot, line->x[k]);
        y[k] = map_y(plot, line->y[k]);
    }
    assay_svg_path(svg, x, y, n, false, assay_view_format(view, "line k%u", i));
    for (uint32_t k = 1; k < n; k++) { /* labels keep off */
        assay_svg_block(svg, x[k - 1], y[k - 1], x[k], y[k]);
    }
}

static void draw_marks(assay_svg_t *svg, const plot_t *plot) {
    for (uint32_t i = 0; i < plot->of->n_mark; i++) {
        const assay_chart_mark_t *mark = &plot->of->mark[i];
        const double x = map_x(plot, mark->x);
        if (!(x >= plot->x.from - 0.5 && x <= plot->x.to + 0.5)) {
            continue;
        }
        if (isnan(mark->y)) {
            assay_svg_line(svg, x, plot->y.from, x, plot->y.to, "limit");
            assay_svg_label(svg, x, plot->y.to + 8.0, "note", mark->label);
        } else {
            const double y = map_y(plot, mark->y);
            assay_svg_line(svg, x, y, x, plot->y.from, "limit");
            assay_svg_mark(svg, x, y, 0, "even", mark->label);
            assay_svg_label(svg, x, y, "note", mark->label);
        }
    }
}

static void put_cell(assay_view_t *view, const plot_t *plot, const assay_chart_line_t *line,
                     uint32_t k) {
    assay_html_printf(view->out, "<td class=\"n\">%s",
                      assay_view_cell(view, line->y[k] / plot->y_unit.one));
    if (line->low) {
        assay_html_printf(view->out, " (%s)",
                          assay_view_range(view, line->low[k], line->high[k], plot->y_unit.one));
    }
    assay_buf_puts(view->out, "</td>");
}

/** By x where the lines share theirs, by y where they share that (quantiles). */
static void draw_table(assay_view_t *view, const plot_t *plot) {
    const assay_chart_line_t *line = plot->of->line;
    const bool by_y = plot->n_line > 1 && line[0].x != line[1].x && line[0].y == line[1].y;
    const uint32_t n = points_of(&line[0]);
    const uint32_t stride = n > TABLE_ROWS ? (n - 1) / (TABLE_ROWS - 1) : 1;
    assay_figure_table_begin(view);
    assay_html_printf(view->out, "<tr><th scope=\"col\">%s</th>",
                      by_y ? plot->y_title : plot->x_title);
    for (uint32_t i = 0; i < plot->n_line; i++) {
        assay_html_printf(view->out, "<th scope=\"col\" class=\"n\">%s<br>%s</th>", line[i].name,
                          by_y ? plot->x_title : plot->y_title);
    }
    assay_buf_puts(view->out, "</tr>\n");
    for (uint32_t k = 0; k < n; k += stride) {
        const double head =
            by_y ? line[0].y[k] / plot->y_unit.one : line[0].x[k] / plot->x_unit.one;
        assay_html_printf(view->out, "<tr><th scope=\"row\">%s</th>",
                          assay_view_number(view, head));
        for (uint32_t i = 0; i < plot->n_line; i++) {
            if (k >= line[i].n) {
                assay_buf_puts(view->out, "<td></td>");
            } else if (by_y) {
                assay_html_printf(view->out, "<td class=\"n\">%s</td>",
                                  assay_view_cell(view, line[i].x[k] / plot->x_unit.one));
            } else {
                put_cell(view, plot, &line[i], k);
            }
        }
        assay_buf_puts(view->out, "</tr>\n");
    }
}

void assay_chart_lines(assay_view_t *view, const assay_chart_lines_t *lines) {
    plot_t plot = {.of = lines,
                   .n_line =
                       lines->n_line < ASSAY_CHART_SERIES ? lines->n_line : ASSAY_CHART_SERIES};
    const char *name[ASSAY_CHART_SERIES];
    assay_svg_key_t key[ASSAY_CHART_SERIES];
    if (plot.n_line == 0) {
        return;
    }
    lay_out(view, &plot);
    for (uint32_t i = 0; i < plot.n_line; i++) {
        name[i] = lines->line[i].name;
    }
    assay_chart_keys(view, name, plot.n_line, ASSAY_SVG_KEY_LINE, key);
    const double legend = assay_svg_legend(NULL, LEFT, 0.0, RIGHT - LEFT, key, plot.n_line);
    assay_svg_t svg;
    assay_figure_begin(view, &lines->chart);
    assay_svg_begin(&svg, view->out, lines->chart.id, ASSAY_CHART_WIDTH, BOTTOM + 40.0 + legend,
                    lines->chart.title, lines->chart.takeaway);
    assay_svg_axis_x(&svg, &plot.x, BOTTOM, TOP, plot.x_title);
    assay_svg_axis_y(&svg, &plot.y, LEFT, RIGHT, plot.y_title);
    for (uint32_t i = 0; i < plot.n_line; i++) {
        if (lines->line[i].low) {
            draw_band(view, &svg, &plot, i);
        }
    }
    for (uint32_t i = 0; i < plot.n_line; i++) {
        draw_line(view, &svg, &plot, i);
    }
    draw_marks(&svg, &plot);
    assay_svg_legend(&svg, LEFT, BOTTOM + 38.0, RIGHT - LEFT, key, plot.n_line);
    assay_svg_end(&svg);
    draw_table(view, &plot);
    assay_figure_end(view);
}
