/* Roofline (Williams, Waterman, Patterson, CACM 2009) of one device, with the operations of a
 * layer. */
#include <math.h>

#include "report/charts.h"

#include "base/banned.h"

#define LEFT 44.0
#define TOP 26.0
#define BOTTOM (TOP + 280.0)
#define RIGHT (ASSAY_CHART_WIDTH - 14.0)

typedef struct {
    const assay_candidate_t *candidate;
    double peak, bandwidth; /* TFLOP/s, TB/s */
} roof_t;

static bool has_point(const assay_op_t *op) {
    return op->flops > 0.0 && op->bytes > 0.0 && op->time_s > 0.0;
}

static double intensity(const assay_op_t *op) {
    return op->flops / op->bytes;
}

/** TFLOP/s. */
static double rate(const assay_op_t *op) {
    return op->flops / op->time_s / 1e12;
}

/** What is drawn: every point, the ridges, and a little around. x, y: scales in FLOP/byte, TFLOP/s.
 */
static void extent(const roof_t *roof, uint32_t n, assay_svg_scale_t *x, assay_svg_scale_t *y) {
    double x_min = INFINITY, x_max = 0.0, y_min = INFINITY, y_max = 0.0;
    for (uint32_t c = 0; c < n; c++) {
        const double ridge = roof[c].peak / roof[c].bandwidth;
        x_min = fmin(x_min, ridge / 4.0);
        x_max = fmax(x_max, ridge * 4.0);
        y_min = fmin(y_min, roof[c].peak / 4.0);
        y_max = fmax(y_max, roof[c].peak * 1.5);
        for (uint32_t i = 0; i < roof[c].candidate->n_op; i++) {
            const assay_op_t *op = &roof[c].candidate->op[i];
            if (has_point(op)) {
                x_min = fmin(x_min, intensity(op) / 1.5);
                x_max = fmax(x_max, intensity(op) * 1.5);
                y_min = fmin(y_min, rate(op) / 1.5);
                y_max = fmax(y_max, rate(op) * 1.2);
            }
        }
    }
    *x = (assay_svg_scale_t){true, x_min, x_max, LEFT, RIGHT};
    *y = (assay_svg_scale_t){true, y_min, y_max, BOTTOM, TOP};
}

static void draw_roof(assay_view_t *view, assay_svg_t *svg, const roof_t *roof, uint32_t c,
                      const assay_svg_scale_t *x, const assay_svg_scale_t *y) {
    const double start = fmax(x->min, y->min / roof->bandwidth); /* where the slope enters */
    const double ridge = fmax(start, roof->peak / roof->bandwidth);
    const double px[] = {assay_svg_map(x, start), assay_svg_map(x, ridge), x->to};
    const double py[] = {assay_svg_map(y, fmin(roof->peak, roof->bandwidth * start)),
                         assay_svg_map(y, roof->peak), assay_svg_map(y, roof->peak)};
    assay_svg_path(svg, px, py, 3, false, assay_view_format(view, "line k%u", c));
    assay_svg_block(svg, px[0], py[0], px[1], py[1]);
    assay_svg_block(svg, px[1], py[1], px[2], py[2]);
}

static const char *op_text(assay_view_t *view, const roof_t *roof, const assay_op_t *op) {
    return SAY(view, REPORT_CHART_OP, roof->candidate->machine->id, op->name,
               assay_view_number(view, intensity(op)), assay_view_number(view, rate(op)));
}

static void draw_points(assay_view_t *view, assay_svg_t *svg, const roof_t *roof, uint32_t n,
                        const assay_svg_scale_t *x, const assay_svg_scale_t *y) {
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t i = 0; i < roof[c].candidate->n_op; i++) {
            const assay_op_t *op = &roof[c].candidate->op[i];
            if (has_point(op)) {
                assay_svg_mark(svg, assay_svg_map(x, intensity(op)), assay_svg_map(y, rate(op)), c,
                               assay_view_format(view, "mark k%u", c), op_text(view, &roof[c], op));
            }
        }
    }
}

static void draw_labels(assay_svg_t *svg, const roof_t *roof, const assay_svg_scale_t *x,
                        const assay_svg_scale_t *y) {
    for (uint32_t i = 0; i < roof->candidate->n_op; i++) {
        const assay_op_t *op = &roof->candidate->op[i];
        if (has_point(op)) {
            assay_svg_label(svg, assay_svg_map(x, intensity(op)), assay_svg_map(y, rate(op)),
                            "note", op->name);
        }
    }
}

static void draw_table(assay_view_t *view, const roof_t *roof, uint32_t n) {
    static const assay_message_t column[] = {
        ASSAY_MSG_REPORT_COLUMN_CANDIDATE, ASSAY_MSG_REPORT_COLUMN_OPERATION,
        ASSAY_MSG_REPORT_AXIS_INTENSITY, ASSAY_MSG_REPORT_AXIS_FLOPS,
        ASSAY_MSG_REPORT_COLUMN_OF_ROOF};
    assay_buf_t *out = view->out;
    assay_figure_table_begin(view);
    assay_buf_puts(out, "<tr>");
    for (uint32_t i = 0; i < sizeof column / sizeof column[0]; i++) {
        assay_html_printf(out, "<th scope=\"col\" class=\"%s\">%s</th>", i < 2 ? "" : "n",
                          assay_view_message(view, column[i]));
    }
    assay_buf_puts(out, "</tr>\n");
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t i = 0; i < roof[c].candidate->n_op; i++) {
            const assay_op_t *op = &roof[c].candidate->op[i];
            if (!has_point(op)) {
                continue;
            }
            const double top = fmin(roof[c].peak, roof[c].bandwidth * intensity(op));
            assay_html_printf(
                out,
                "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"n\">%s</td>"
                "<td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n",
                roof[c].candidate->machine->id, op->name, assay_view_number(view, intensity(op)),
                assay_view_number(view, rate(op)), assay_view_percent(view, rate(op) / top));
        }
    }
}

void assay_chart_roofline(assay_view_t *view, const assay_decision_t *decision) {
    uint32_t index[ASSAY_CHART_CANDIDATES];
    const uint32_t n_index = assay_chart_candidates(decision, index);
    const assay_dtype_t dtype = decision->resolved->workload.dtype;
    roof_t roof[ASSAY_CHART_CANDIDATES];
    assay_svg_key_t key[ASSAY_CHART_CANDIDATES];
    uint32_t n = 0, choice = 0;
    for (uint32_t i = 0; i < n_index; i++) {
        const assay_candidate_t *candidate = &decision->candidate[index[i]];
        const assay_device_t *device = &candidate->machine->device;
        if (device->peak_flops[dtype] > 0.0 && device->hbm_bytes_per_s > 0.0) {
            choice = (int32_t)index[i] == decision->choice ? n : choice;
            roof[n] = (roof_t){candidate, device->peak_flops[dtype] / 1e12,
                               device->hbm_bytes_per_s / 1e12};
            key[n] =
                (assay_svg_key_t){assay_view_cut(view, candidate->machine->id, ASSAY_CHART_NAME),
                                  assay_view_format(view, "k%u", n), (int)n};
            n++;
        }
    }
    if (n == 0) {
        return;
    }
    assay_svg_scale_t x, y;
    extent(roof, n, &x, &y);
    const char *title = assay_view_message(view, ASSAY_MSG_REPORT_CHART_ROOFLINE);
    const char *takeaway = SAY(view, REPORT_CHART_ROOFLINE_SAYS, assay_dtype_name(dtype));
    const double legend = assay_svg_legend(NULL, LEFT, 0.0, RIGHT - LEFT, key, n);
    assay_svg_t svg;
    assay_figure_begin(view, title, takeaway);
    assay_svg_begin(&svg, view->out, "chart-roofline", ASSAY_CHART_WIDTH, BOTTOM + 40.0 + legend,
                    title, takeaway);
    assay_svg_axis_x(&svg, &x, BOTTOM, TOP,
                     assay_view_message(view, ASSAY_MSG_REPORT_AXIS_INTENSITY));
    assay_svg_axis_y(&svg, &y, LEFT, RIGHT, assay_view_message(view, ASSAY_MSG_REPORT_AXIS_FLOPS));
    for (uint32_t c = 0; c < n; c++) {
        draw_roof(view, &svg, &roof[c], c, &x, &y);
    }
    draw_points(view, &svg, roof, n, &x, &y);
    draw_labels(&svg, &roof[choice], &x, &y);
    assay_svg_legend(&svg, LEFT, BOTTOM + 38.0, RIGHT - LEFT, key, n);
    assay_svg_end(&svg);
    draw_table(view, roof, n);
    assay_figure_end(view);
}
