/* Who wins, over two variables: cells by how much, the boundary with its band on top. Cells are of
   one size whatever the values, so that durations of 5 and of 500 days both can be read. */
#include <math.h>

#include "report/charts.h"

#include "base/banned.h"

#define LEFT 52.0
#define TOP 26.0
#define RIGHT (ASSAY_CHART_WIDTH - 6.0)
#define BOTTOM (TOP + 260.0)
#define SHADES 4
#define NUMBER_WIDTH 34.0 /* of a cell that has room for its figure */

typedef struct {
    const assay_chart_map_t *of;
    assay_scale_t x_unit, y_unit, value_unit;
    const char *x_title, *y_title, *value_title;
    double most; /* |value| */
} plot_t;

/** Where value lies among the cells' middles, in cells; NAN outside of the map. */
static double position(const double *middle, uint32_t n, double value) {
    if (!isfinite(value)) {
        return NAN;
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        const double a = middle[i], b = middle[i + 1];
        const bool last = i + 2 == n, first = i == 0;
        if ((value >= a || first) && (value <= b || last)) {
            const double at = i + (value - a) / (b - a);
            return at >= -0.5 && at <= n - 0.5 ? at + 0.5 : (double)NAN;
        }
    }
    return NAN;
}

static double map_x(const plot_t *plot, double cells) {
    return LEFT + (RIGHT - LEFT) * cells / plot->of->n_x;
}

static double map_y(const plot_t *plot, double cells) {
    return BOTTOM - (BOTTOM - TOP) * cells / plot->of->n_y;
}

/* What a cell without an amount is. */
enum { BOTH, POSITIVE_ALONE, NEGATIVE_ALONE, NEITHER, KINDS };
static const char *const kind_css[KINDS] = {"", "u1", "v1", "out"};

static int kind_of(double value) {
    return isfinite(value) ? BOTH
           : isnan(value)  ? NEITHER
           : value > 0.0   ? POSITIVE_ALONE
                           : NEGATIVE_ALONE;
}

static const char *kind_name(const assay_chart_map_t *map, int kind) {
    const char *const name[KINDS] = {"", map->positive_alone, map->negative_alone, map->neither};
    return name[kind];
}

static void draw_cells(assay_view_t *view, assay_svg_t *svg, const plot_t *plot) {
    const assay_chart_map_t *map = plot->of;
    const double width = (RIGHT - LEFT) / map->n_x, height = (BOTTOM - TOP) / map->n_y;
    for (uint32_t j = 0; j < map->n_y; j++) {
        for (uint32_t i = 0; i < map->n_x; i++) {
            const double value = map->cell[(size_t)j * map->n_x + i];
            const double x = map_x(plot, i), y = map_y(plot, j + 1.0);
            const int kind = kind_of(value);
            if (kind != BOTH) {
                assay_svg_rect(svg, x, y, width, height,
                               assay_view_format(view, "cell %s", kind_css[kind]),
                               kind_name(map, kind));
                assay_svg_hatch(svg, x, y, width, height);
                continue;
            }
            const double share = plot->most > 0.0 ? fabs(value) / plot->most : 0.0;
            const int shade = (int)fmin(SHADES, 1.0 + floor(share * SHADES));
            const char *amount = assay_view_number(view, value / plot->value_unit.one);
            assay_svg_rect(svg, x, y, width, height,
                           assay_view_format(view, "cell %c%d", value > 0.0 ? 'u' : 'v', shade),
                           SAY(view, REPORT_CHART_PART, value > 0.0 ? map->positive : map->negative,
                               amount, plot->value_unit.unit));
            if (width >= NUMBER_WIDTH && height >= 14.0) {
                assay_svg_text(svg, x + width / 2.0, y + height / 2.0 + 4.0, ASSAY_SVG_MIDDLE,
                               "figure", amount);
            }
        }
    }
}

/** The middles' values along an axis, as many as there is room for. */
static void draw_axes(assay_view_t *view, assay_svg_t *svg, const plot_t *plot) {
    const assay_chart_map_t *map = plot->of;
    const double width = (RIGHT - LEFT) / map->n_x;
    const uint32_t stride = (uint32_t)ceil(NUMBER_WIDTH / width);
    for (uint32_t i = 0; i < map->n_x; i += stride) {
        assay_svg_text(svg, map_x(plot, i + 0.5), BOTTOM + 14.0, ASSAY_SVG_MIDDLE, "tick",
                       assay_view_number(view, map->x_value[i] / plot->x_unit.one));
    }
    const uint32_t y_stride = map->n_y > 16 ? 2 : 1;
    for (uint32_t j = 0; j < map->n_y; j += y_stride) {
        assay_svg_text(svg, LEFT - 5.0, map_y(plot, j + 0.5) + 4.0, ASSAY_SVG_END, "tick",
                       assay_view_number(view, map->y_value[j] / plot->y_unit.one));
    }
    assay_svg_text(svg, (LEFT + RIGHT) / 2.0, BOTTOM + 30.0, ASSAY_SVG_MIDDLE, "title",
                   plot->x_title);
    assay_svg_text(svg, 2.0, TOP - 10.0, ASSAY_SVG_START, "title", plot->y_title);
}

static void draw_edge(assay_svg_t *svg, const plot_t *plot, const double *edge, const char *css) {
    double x[ASSAY_CHART_MAP], y[ASSAY_CHART_MAP];
    uint32_t n = 0;
    for (uint32_t i = 0; edge && i < plot->of->n_x; i++) {
        const double at = position(plot->of->y_value, plot->of->n_y, edge[i]);
        if (isfinite(at)) {
            x[n] = map_x(plot, i + 0.5);
            y[n++] = map_y(plot, at);
        }
        if (n > 0 && (!isfinite(at) || i + 1 == plot->of->n_x)) { /* a piece ends */
            if (n > 1) {
                assay_svg_path(svg, x, y, n, false, css);
            }
            n = 0;
        }
    }
}

static void draw_table(assay_view_t *view, const plot_t *plot) {
    const assay_chart_map_t *map = plot->of;
    assay_figure_table_begin(view);
    assay_html_printf(
        view->out, "<tr><th scope=\"col\">%s</th>",
        SAY(view, REPORT_CHART_MAP_CORNER, plot->value_title, plot->y_title, plot->x_title));
    for (uint32_t i = 0; i < map->n_x; i++) {
        assay_html_printf(view->out, "<th scope=\"col\" class=\"n\">%s</th>",
                          assay_view_number(view, map->x_value[i] / plot->x_unit.one));
    }
    assay_buf_puts(view->out, "</tr>\n");
    for (uint32_t j = map->n_y; j-- > 0;) {
        assay_html_printf(view->out, "<tr><th scope=\"row\">%s</th>",
                          assay_view_number(view, map->y_value[j] / plot->y_unit.one));
        for (uint32_t i = 0; i < map->n_x; i++) {
            const double value = map->cell[(size_t)j * map->n_x + i];
            const int kind = kind_of(value);
            assay_html_printf(view->out, "<td class=\"n\">%s</td>",
                              kind == BOTH ? assay_view_number(view, value / plot->value_unit.one)
                                           : kind_name(map, kind));
        }
        assay_buf_puts(view->out, "</tr>\n");
    }
}

enum { KEYS = 7 }; /* of a legend, at most */

static uint32_t legend_of(assay_view_t *view, const assay_chart_map_t *map,
                          assay_svg_key_t key[KEYS]) {
    uint32_t n = 0;
    key[n++] = (assay_svg_key_t){assay_view_cut(view, map->positive, ASSAY_CHART_NAME), "u3",
                                 ASSAY_SVG_KEY_SQUARE};
    key[n++] = (assay_svg_key_t){assay_view_cut(view, map->negative, ASSAY_CHART_NAME), "v3",
                                 ASSAY_SVG_KEY_SQUARE};
    for (int kind = POSITIVE_ALONE; kind < KINDS; kind++) {
        bool any = false;
        for (uint32_t i = 0; i < map->n_x * map->n_y; i++) {
            any |= kind_of(map->cell[i]) == kind;
        }
        if (any) {
            key[n++] =
                (assay_svg_key_t){assay_view_cut(view, kind_name(map, kind), ASSAY_CHART_NAME),
                                  kind_css[kind], ASSAY_SVG_KEY_HATCH};
        }
    }
    if (map->edge) {
        key[n++] = (assay_svg_key_t){assay_view_message(view, ASSAY_MSG_REPORT_CHART_EDGE), "edge",
                                     ASSAY_SVG_KEY_LINE};
    }
    if (map->edge_low) {
        key[n++] = (assay_svg_key_t){assay_view_message(view, ASSAY_MSG_REPORT_CHART_EDGE_BAND),
                                     "edge-band", ASSAY_SVG_KEY_LINE};
    }
    return n;
}

void assay_chart_map(assay_view_t *view, const assay_chart_map_t *map) {
    if (map->n_x < 2 || map->n_y < 2 || map->n_x > ASSAY_CHART_MAP || map->n_y > ASSAY_CHART_MAP) {
        return;
    }
    plot_t plot = {.of = map};
    for (uint32_t i = 0; i < map->n_x * map->n_y; i++) {
        plot.most = isfinite(map->cell[i]) ? fmax(plot.most, fabs(map->cell[i])) : plot.most;
    }
    plot.x_unit = assay_chart_unit(view, &map->x, map->x_value[map->n_x - 1], &plot.x_title);
    plot.y_unit = assay_chart_unit(view, &map->y, map->y_value[map->n_y - 1], &plot.y_title);
    plot.value_unit = assay_chart_unit(view, &map->value, plot.most, &plot.value_title);
    assay_svg_key_t key[KEYS];
    const uint32_t n_key = legend_of(view, map, key);
    const double legend = assay_svg_legend(NULL, LEFT, 0.0, RIGHT - LEFT, key, n_key);
    assay_svg_t svg;
    assay_figure_begin(view, &map->chart);
    assay_svg_begin(&svg, view->out, map->chart.id, ASSAY_CHART_WIDTH, BOTTOM + 40.0 + legend,
                    map->chart.title, map->chart.takeaway);
    draw_cells(view, &svg, &plot);
    draw_axes(view, &svg, &plot);
    draw_edge(&svg, &plot, map->edge_low, "line edge-band");
    draw_edge(&svg, &plot, map->edge_high, "line edge-band");
    draw_edge(&svg, &plot, map->edge, "line edge");
    const double x = map_x(&plot, position(map->x_value, map->n_x, map->now_x));
    const double y = map_y(&plot, position(map->y_value, map->n_y, map->now_y));
    if (isfinite(x) && isfinite(y)) {
        assay_svg_mark(&svg, x, y, 0, "even", assay_view_message(view, ASSAY_MSG_REPORT_CHART_NOW));
    }
    assay_svg_legend(&svg, LEFT, BOTTOM + 38.0, RIGHT - LEFT, key, n_key);
    assay_svg_end(&svg);
    draw_table(view, &plot);
    assay_figure_end(view);
}
