/* Points of several series, with the front of each that no other point beats. */
#include <math.h>

#include "report/charts.h"

#include "base/banned.h"

#define LEFT 44.0
#define TOP 26.0
#define RIGHT (ASSAY_CHART_WIDTH - 14.0)
#define BOTTOM (TOP + 260.0)
#define FRONT_MAX 256u

typedef struct {
    const assay_chart_points_t *of;
    uint32_t n_series;
    assay_scale_t x_unit, y_unit;
    const char *x_title, *y_title;
    assay_svg_scale_t x, y;
} plot_t;

static bool is_shown(const plot_t *plot, const assay_chart_point_t *point) {
    return point->series < plot->n_series && isfinite(point->x) && isfinite(point->y) &&
           (!plot->of->x.log || point->x > 0.0) && (!plot->of->y.log || point->y > 0.0);
}

/** A little more than the points take, so that no mark lies on the frame. */
static assay_svg_scale_t scale_of(const assay_chart_axis_t *axis, double min, double max,
                                  double from, double to) {
    if (axis->log) {
        return (assay_svg_scale_t){true, min / 1.25, max * 1.25, from, to};
    }
    min = fmin(min, min < 0.5 * max ? 0.0 : min - 0.1 * (max - min));
    max += max > min ? 0.06 * (max - min) : 1.0;
    return (assay_svg_scale_t){false, min, max, from, to};
}

static bool lay_out(assay_view_t *view, plot_t *plot) {
    const assay_chart_points_t *points = plot->of;
    double x_min = INFINITY, x_max = -INFINITY, y_min = INFINITY, y_max = -INFINITY;
    for (uint32_t i = 0; i < points->n_point; i++) {
        const assay_chart_point_t *point = &points->point[i];
        if (is_shown(plot, point)) {
            x_min = fmin(x_min, point->x);
            x_max = fmax(x_max, point->x);
            y_min = fmin(y_min, point->y);
            y_max = fmax(y_max, point->y);
        }
    }
    if (!(x_min <= x_max)) {
        return false;
    }
    plot->x_unit = assay_chart_unit(view, &points->x, x_max, &plot->x_title);
    plot->y_unit = assay_chart_unit(view, &points->y, y_max, &plot->y_title);
    plot->x = scale_of(&points->x, x_min / plot->x_unit.one, x_max / plot->x_unit.one, LEFT, RIGHT);
    plot->y = scale_of(&points->y, y_min / plot->y_unit.one, y_max / plot->y_unit.one, BOTTOM, TOP);
    return true;
}

static double map_x(const plot_t *plot, double value) {
    return assay_svg_map(&plot->x, value / plot->x_unit.one);
}

static double map_y(const plot_t *plot, double value) {
    return assay_svg_map(&plot->y, value / plot->y_unit.one);
}

static void draw_front(assay_view_t *view, assay_svg_t *svg, const plot_t *plot, uint32_t series) {
    double x[FRONT_MAX], y[FRONT_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < plot->of->n_point && n < FRONT_MAX; i++) {
        const assay_chart_point_t *point = &plot->of->point[i];
        if (point->series == series && point->front && is_shown(plot, point)) {
            const double px = map_x(plot, point->x);
            uint32_t at = n++;
            for (; at > 0 && x[at - 1] > px; at--) { /* in the order of x */
                x[at] = x[at - 1];
                y[at] = y[at - 1];
            }
            x[at] = px;
            y[at] = map_y(plot, point->y);
        }
    }
    if (n > 1) {
        assay_svg_path(svg, x, y, n, false, assay_view_format(view, "line thin k%u", series));
    }
}

static const char *point_text(assay_view_t *view, const plot_t *plot,
                              const assay_chart_point_t *point) {
    return SAY(view, REPORT_CHART_POINT, plot->of->series[point->series], point->name,
               assay_view_number(view, point->x / plot->x_unit.one), plot->x_unit.unit,
               assay_view_number(view, point->y / plot->y_unit.one), plot->y_unit.unit);
}

static void draw_points(assay_view_t *view, assay_svg_t *svg, const plot_t *plot) {
    for (uint32_t i = 0; i < plot->of->n_point; i++) {
        const assay_chart_point_t *point = &plot->of->point[i];
        if (is_shown(plot, point)) {
            assay_svg_mark(
                svg, map_x(plot, point->x), map_y(plot, point->y), point->series,
                assay_view_format(view, "mark k%u%s", point->series, point->front ? "" : " pale"),
                point_text(view, plot, point));
        }
    }
    for (uint32_t i = 0; i < plot->of->n_point; i++) {
        const assay_chart_point_t *point = &plot->of->point[i];
        if (point->label && is_shown(plot, point)) {
            assay_svg_label(svg, map_x(plot, point->x), map_y(plot, point->y), "note", point->name);
        }
    }
}

static void draw_table(assay_view_t *view, const plot_t *plot) {
    assay_figure_table_begin(view);
    assay_html_printf(view->out,
                      "<tr><th scope=\"col\">%s</th><th scope=\"col\">%s</th>"
                      "<th scope=\"col\" class=\"n\">%s</th><th scope=\"col\" class=\"n\">%s</th>"
                      "</tr>\n",
                      assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_CANDIDATE),
                      assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_SUBJECT), plot->x_title,
                      plot->y_title);
    for (uint32_t i = 0; i < plot->of->n_point; i++) {
        const assay_chart_point_t *point = &plot->of->point[i];
        if (is_shown(plot, point) && point->front) {
            assay_html_printf(view->out,
                              "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"n\">%s</td>"
                              "<td class=\"n\">%s</td></tr>\n",
                              plot->of->series[point->series], point->name,
                              assay_view_cell(view, point->x / plot->x_unit.one),
                              assay_view_cell(view, point->y / plot->y_unit.one));
        }
    }
}

void assay_chart_points(assay_view_t *view, const assay_chart_points_t *points) {
    plot_t plot = {.of = points,
                   .n_series = points->n_series < ASSAY_CHART_SERIES ? points->n_series
                                                                     : ASSAY_CHART_SERIES};
    assay_svg_key_t key[ASSAY_CHART_SERIES];
    if (!lay_out(view, &plot)) {
        return;
    }
    assay_chart_keys(view, points->series, plot.n_series, 0, key);
    const double legend = assay_svg_legend(NULL, LEFT, 0.0, RIGHT - LEFT, key, plot.n_series);
    assay_svg_t svg;
    assay_figure_begin(view, &points->chart);
    assay_svg_begin(&svg, view->out, points->chart.id, ASSAY_CHART_WIDTH, BOTTOM + 40.0 + legend,
                    points->chart.title, points->chart.takeaway);
    assay_svg_axis_x(&svg, &plot.x, BOTTOM, TOP, plot.x_title);
    assay_svg_axis_y(&svg, &plot.y, LEFT, RIGHT, plot.y_title);
    for (uint32_t s = 0; s < plot.n_series; s++) {
        draw_front(view, &svg, &plot, s);
    }
    draw_points(view, &svg, &plot);
    assay_svg_legend(&svg, LEFT, BOTTOM + 38.0, RIGHT - LEFT, key, plot.n_series);
    assay_svg_end(&svg);
    draw_table(view, &plot);
    assay_figure_end(view);
}
