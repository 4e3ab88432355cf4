/* Stacked bars: where the money, the time and the memory go. */
#include <math.h>

#include "report/charts.h"

#include "base/banned.h"

#define ROW_HEIGHT 40.0
#define BAR_HEIGHT 14.0
#define COLOURS 12u /* p0..p11 */

typedef struct {
    const assay_chart_bars_t *of;
    assay_scale_t scale;
    const char *title;                                      /* of the axis, with unit */
    bool drawn[ASSAY_CHART_PARTS], used[ASSAY_CHART_PARTS]; /* some bar has it, some table row */
} plot_t;

static double total_of(const assay_chart_bars_t *bars, uint32_t bar) {
    double sum = 0.0;
    for (uint32_t p = 0; p < bars->n_part; p++) {
        sum += bars->bar[bar].part[p];
    }
    return sum;
}

static const double *listed(const assay_chart_bar_t *bar) {
    return bar->listed ? bar->listed : bar->part;
}

/** From the least to the most that any bar, whisker or limit reaches; 0 is always inside. */
static void extent(const assay_chart_bars_t *bars, double *out_min, double *out_max) {
    double min = 0.0, max = 0.0;
    for (uint32_t b = 0; b < bars->n_bar; b++) {
        const assay_chart_bar_t *bar = &bars->bar[b];
        double below = 0.0, above = 0.0;
        for (uint32_t p = 0; p < bars->n_part; p++) {
            *(bar->part[p] < 0.0 ? &below : &above) += bar->part[p];
        }
        min = fmin(min, fmin(below, bar->low)); /* fmin and fmax ignore NAN */
        max = fmax(fmax(max, above), fmax(bar->high, bar->limit));
    }
    *out_min = min;
    *out_max = max > min ? max : min + 1.0;
}

static void find_used(plot_t *plot) {
    const assay_chart_bars_t *bars = plot->of;
    for (uint32_t p = 0; p < bars->n_part; p++) {
        for (uint32_t b = 0; b < bars->n_bar; b++) {
            plot->drawn[p] |= fabs(bars->bar[b].part[p]) > 0.0;
            plot->used[p] |= fabs(listed(&bars->bar[b])[p]) > 0.0;
        }
    }
}

static const char *total_text(assay_view_t *view, const plot_t *plot, uint32_t b) {
    const double one = plot->scale.one;
    const char *total = assay_view_cell(view, total_of(plot->of, b) / one);
    const assay_chart_bar_t *bar = &plot->of->bar[b];
    if (isfinite(bar->limit)) {
        return SAY(view, REPORT_CHART_OF_LIMIT, total, assay_view_cell(view, bar->limit / one),
                   plot->scale.unit);
    }
    if (isfinite(bar->low)) {
        return SAY(view, REPORT_CHART_WITH_RANGE, total, plot->scale.unit,
                   assay_view_range(view, bar->low, bar->high, one));
    }
    return SAY(view, REPORT_CHART_TOTAL, total, plot->scale.unit);
}

static void draw_whisker(assay_svg_t *svg, double low, double high, double y) {
    assay_svg_line(svg, low, y, high, y, "whisker");
    assay_svg_line(svg, low, y - 4.0, low, y + 4.0, "whisker");
    assay_svg_line(svg, high, y - 4.0, high, y + 4.0, "whisker");
}

static void draw_bar(assay_view_t *view, assay_svg_t *svg, const plot_t *plot, uint32_t b,
                     const assay_svg_scale_t *x, double top) {
    const assay_chart_bars_t *bars = plot->of;
    const assay_chart_bar_t *bar = &bars->bar[b];
    const char *total = total_text(view, plot, b);
    const double room = svg->width - assay_svg_text_width(total) - 12.0;
    assay_svg_text(
        svg, 2.0, top + 12.0, ASSAY_SVG_START, "name",
        assay_view_cut(view, bar->name, (size_t)(fmax(room, 40.0) / assay_svg_text_width("n"))));
    assay_svg_text(svg, svg->width - 2.0, top + 12.0, ASSAY_SVG_END, "total", total);
    const double y = top + 17.0, one = plot->scale.one;
    double below = 0.0, above = 0.0;
    for (uint32_t p = 0; p < bars->n_part; p++) {
        const double value = bar->part[p];
        if (!(fabs(value) > 0.0)) {
            continue;
        }
        double *from = value < 0.0 ? &below : &above;
        const double a = assay_svg_map(x, *from / one), c = assay_svg_map(x, (*from + value) / one);
        const char *css = bars->n_part == 1
                              ? assay_view_format(view, "bar k%u", b % ASSAY_CHART_SERIES)
                              : assay_view_format(view, "bar p%u", p % COLOURS);
        assay_svg_rect(svg, fmin(a, c), y, fabs(c - a), BAR_HEIGHT, css,
                       SAY(view, REPORT_CHART_PART, bars->part_name[p],
                           assay_view_number(view, value / one), plot->scale.unit));
        *from += value;
    }
    if (isfinite(bar->low)) {
        draw_whisker(svg, assay_svg_map(x, bar->low / one), assay_svg_map(x, bar->high / one),
                     y + BAR_HEIGHT / 2.0);
    }
    if (isfinite(bar->limit)) {
        const double at = assay_svg_map(x, bar->limit / one);
        assay_svg_line(svg, at, y - 1.0, at, y + BAR_HEIGHT + 1.0, "limit");
    }
}

static void put_row(assay_view_t *view, const plot_t *plot, const char *name, uint32_t part) {
    assay_html_printf(view->out, "<tr><th scope=\"row\">%s</th>", name);
    for (uint32_t b = 0; b < plot->of->n_bar; b++) {
        const double value =
            part < plot->of->n_part ? listed(&plot->of->bar[b])[part] : total_of(plot->of, b);
        assay_html_printf(view->out, "<td class=\"n\">%s</td>",
                          assay_view_cell(view, value / plot->scale.one));
    }
    assay_buf_puts(view->out, "</tr>\n");
}

static void draw_table(assay_view_t *view, const plot_t *plot) {
    const assay_chart_bars_t *bars = plot->of;
    assay_figure_table_begin(view);
    assay_html_printf(view->out, "<tr><th scope=\"col\">%s</th>", plot->title);
    for (uint32_t b = 0; b < bars->n_bar; b++) {
        assay_html_printf(view->out, "<th scope=\"col\" class=\"n\">%s</th>", bars->bar[b].name);
    }
    assay_buf_puts(view->out, "</tr>\n");
    for (uint32_t p = 0; p < bars->n_part; p++) {
        if (plot->used[p]) {
            put_row(view, plot, (bars->listed_name ? bars->listed_name : bars->part_name)[p], p);
        }
    }
    if (bars->n_part > 1) {
        put_row(view, plot, assay_view_message(view, ASSAY_MSG_REPORT_TOTAL), bars->n_part);
    }
}

void assay_chart_bars(assay_view_t *view, const assay_chart_bars_t *bars) {
    plot_t plot = {.of = bars};
    assay_svg_key_t key[ASSAY_CHART_PARTS];
    uint32_t n_key = 0;
    if (bars->n_bar == 0) {
        return;
    }
    find_used(&plot);
    for (uint32_t p = 0; p < bars->n_part && bars->n_part > 1; p++) {
        if (plot.drawn[p]) {
            key[n_key++] =
                (assay_svg_key_t){bars->part_name[p], assay_view_format(view, "p%u", p % COLOURS),
                                  ASSAY_SVG_KEY_SQUARE};
        }
    }
    double min, max;
    extent(bars, &min, &max);
    plot.scale = assay_chart_unit(view, &bars->axis, max, &plot.title);
    assay_svg_scale_t x = {false, min / plot.scale.one, max / plot.scale.one,
                           min < 0.0 ? 16.0 : 5.0, ASSAY_CHART_WIDTH - 14.0};
    assay_svg_nice(&x.min, &x.max, false, 5);
    const double bottom = ROW_HEIGHT * bars->n_bar + 4.0;
    const double legend = assay_svg_legend(NULL, 2.0, 0.0, ASSAY_CHART_WIDTH - 4.0, key, n_key);
    assay_figure_begin(view, &bars->chart);
    assay_svg_t svg;
    assay_svg_begin(&svg, view->out, bars->chart.id, ASSAY_CHART_WIDTH, bottom + 40.0 + legend,
                    bars->chart.title, bars->chart.takeaway);
    assay_svg_axis_x(&svg, &x, bottom, 0.0, plot.title);
    for (uint32_t b = 0; b < bars->n_bar; b++) {
        draw_bar(view, &svg, &plot, b, &x, ROW_HEIGHT * b);
    }
    assay_svg_legend(&svg, 2.0, bottom + 38.0, ASSAY_CHART_WIDTH - 4.0, key, n_key);
    assay_svg_end(&svg);
    draw_table(view, &plot);
    assay_figure_end(view);
}
