/* What has been spent when so much of the work is done: the one-time cost of moving first, then the
   running cost. The band is the p10-p90 of the same samples that decide took. */
#include <math.h>
#include <stdlib.h>

#include "report/charts.h"

#include "base/banned.h"

#define POINTS 9           /* of the band, over the work; between them it is all but straight */
#define SAMPLES_MAX 10000u /* of those that decide took: the first */
#define LEFT 44.0
#define TOP 26.0
#define BOTTOM (TOP + 290.0)
#define RIGHT (ASSAY_CHART_WIDTH - 14.0)

typedef struct {
    const assay_candidate_t *candidate;
    bool has_band;
    double start_usd, end_usd;                /* central, at 0 and at share_max of the work */
    double low_usd[POINTS], high_usd[POINTS]; /* at share_max * i / (POINTS - 1) */
} curve_t;

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void fill_band(assay_view_t *view, const assay_resolved_t *resolved, uint32_t index,
                      double share_max, curve_t *curve) {
    const uint32_t n = resolved->samples < SAMPLES_MAX ? resolved->samples : SAMPLES_MAX;
    double *one_time = assay_arena_array(view->arena, n, sizeof *one_time);
    double *running = assay_arena_array(view->arena, n, sizeof *running);
    double *spent = assay_arena_array(view->arena, n, sizeof *spent);
    if (!one_time || !running || !spent || n == 0) {
        view->failed |= n > 0;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        double u[ASSAY_DRAW_N];
        assay_money_result_t result;
        assay_decide_draw(resolved->seed, index, i, u);
        assay_money_eval(&curve->candidate->money_case, u, &result);
        one_time[i] = result.one_time_usd;
        running[i] = result.job_usd - result.one_time_usd;
    }
    for (uint32_t k = 0; k < POINTS; k++) {
        const double share = share_max * k / (POINTS - 1);
        for (uint32_t i = 0; i < n; i++) {
            spent[i] = one_time[i] + share * running[i];
        }
        qsort(spent, n, sizeof *spent, compare_doubles);
        const assay_dist_t sorted = {.kind = ASSAY_DIST_EMPIRICAL, .sample = spent, .n = n};
        curve->low_usd[k] = assay_dist_quantile(&sorted, 0.1);
        curve->high_usd[k] = assay_dist_quantile(&sorted, 0.9);
    }
    curve->has_band = true;
}

static void fill_curve(assay_view_t *view, const assay_decision_t *decision, uint32_t index,
                       double share_max, curve_t *curve) {
    const assay_money_result_t *point = &decision->candidate[index].point;
    *curve = (curve_t){.candidate = &decision->candidate[index]};
    curve->start_usd = point->one_time_usd;
    curve->end_usd = point->one_time_usd + share_max * (point->job_usd - point->one_time_usd);
    if ((int32_t)index == decision->choice || (int32_t)index == decision->runner_up) {
        fill_band(view, decision->resolved, index, share_max, curve);
    }
}

typedef struct {
    const assay_decision_t *decision;
    const curve_t *curve;
    uint32_t n;
    double even_share, share_max; /* of the work: the crossing (NAN = none), where the axis ends */
    assay_scale_t work, money;
    const char *work_title, *money_title;
    assay_svg_scale_t x, y;
} plot_t;

static void draw_curves(assay_view_t *view, assay_svg_t *svg, const plot_t *plot) {
    const assay_svg_scale_t *x = &plot->x, *y = &plot->y;
    const double one = plot->money.one;
    for (uint32_t c = 0; c < plot->n; c++) {
        const curve_t *curve = &plot->curve[c];
        double px[2 * POINTS], py[2 * POINTS];
        for (uint32_t k = 0; k < POINTS; k++) {
            const uint32_t back = 2 * POINTS - 1 - k;
            px[k] = px[back] = x->from + (x->to - x->from) * k / (POINTS - 1);
            py[k] = assay_svg_map(y, curve->low_usd[k] / one);
            py[back] = assay_svg_map(y, curve->high_usd[k] / one);
        }
        if (curve->has_band) {
            assay_svg_path(svg, px, py, 2 * POINTS, true, assay_view_format(view, "band k%u", c));
        }
    }
    for (uint32_t c = 0; c < plot->n; c++) {
        assay_svg_line(svg, x->from, assay_svg_map(y, plot->curve[c].start_usd / one), x->to,
                       assay_svg_map(y, plot->curve[c].end_usd / one),
                       assay_view_format(view, "line k%u", c));
    }
}

/** The job's end where the axis goes beyond it, and the crossing. */
static void draw_marks(assay_view_t *view, assay_svg_t *svg, const plot_t *plot) {
    const assay_svg_scale_t *x = &plot->x, *y = &plot->y;
    const double job_px = (x->to - x->from) / plot->share_max;
    if (plot->share_max > 1.0) {
        const double end = x->from + job_px;
        assay_svg_line(svg, end, y->from, end, y->to, "limit");
        assay_svg_label(svg, end, y->to + 8.0, "note",
                        assay_view_message(view, ASSAY_MSG_REPORT_CHART_JOB_END));
    }
    if (plot->even_share <= plot->share_max) {
        const assay_decision_t *decision = plot->decision;
        const assay_money_result_t *point = &decision->candidate[decision->choice].point;
        const double running = point->job_usd - point->one_time_usd;
        const double usd = point->one_time_usd + plot->even_share * running;
        const double px = x->from + job_px * plot->even_share;
        const double py = assay_svg_map(y, usd / plot->money.one);
        const double tokens = plot->even_share * decision->resolved->workload.tokens;
        const char *label =
            SAY(view, REPORT_CHART_EVEN, assay_view_quantity(view, tokens, ASSAY_DIM_COUNT));
        assay_svg_line(svg, px, py, px, y->from, "limit");
        assay_svg_mark(svg, px, py, 0, "even", label);
        assay_svg_label(svg, px, py, "note", label);
    }
}

static void draw_table(assay_view_t *view, const plot_t *plot) {
    assay_buf_t *out = view->out;
    assay_figure_table_begin(view);
    assay_html_printf(out, "<tr><th scope=\"col\">%s</th>", plot->work_title);
    for (uint32_t c = 0; c < plot->n; c++) {
        assay_html_printf(out, "<th scope=\"col\" class=\"n\">%s<br>%s</th>",
                          plot->curve[c].candidate->machine->id, plot->money_title);
    }
    assay_buf_puts(out, "</tr>\n");
    for (uint32_t k = 0; k < POINTS; k += 2) {
        const double at = (double)k / (POINTS - 1);
        assay_html_printf(out, "<tr><th scope=\"row\">%s</th>",
                          assay_view_cell(view, at * plot->x.max));
        for (uint32_t c = 0; c < plot->n; c++) {
            const curve_t *curve = &plot->curve[c];
            const double usd = curve->start_usd + at * (curve->end_usd - curve->start_usd);
            assay_html_printf(out, "<td class=\"n\">%s",
                              assay_view_cell(view, usd / plot->money.one));
            if (curve->has_band) {
                assay_html_printf(
                    out, " (%s)",
                    assay_view_range(view, curve->low_usd[k], curve->high_usd[k], plot->money.one));
            }
            assay_buf_puts(out, "</td>");
        }
        assay_buf_puts(out, "</tr>\n");
    }
}

/** Units, titles and axes. */
static void lay_out(assay_view_t *view, plot_t *plot) {
    const double tokens = plot->share_max * plot->decision->resolved->workload.tokens;
    double max = 0.0;
    for (uint32_t c = 0; c < plot->n; c++) {
        max = fmax(max, plot->curve[c].end_usd);
        max = fmax(max, plot->curve[c].high_usd[POINTS - 1]); /* 0 without a band */
    }
    plot->work = assay_view_scale(ASSAY_SCALE_COUNT, tokens);
    plot->money = assay_view_scale(ASSAY_SCALE_MONEY, max);
    const char *work = assay_view_message(view, ASSAY_MSG_REPORT_AXIS_WORK);
    plot->work_title = *plot->work.unit ? SAY(view, REPORT_AXIS_UNIT, work, plot->work.unit) : work;
    plot->money_title =
        SAY(view, REPORT_AXIS_UNIT, assay_view_message(view, ASSAY_MSG_REPORT_AXIS_SPENT),
            plot->money.unit);
    plot->x = (assay_svg_scale_t){false, 0.0, tokens / plot->work.one, LEFT, RIGHT};
    plot->y = (assay_svg_scale_t){false, 0.0, max > 0.0 ? max / plot->money.one : 1.0, BOTTOM, TOP};
    assay_svg_nice(&plot->y.min, &plot->y.max, false, 5);
}

static void draw(assay_view_t *view, const plot_t *plot) {
    const char *title = assay_view_message(view, ASSAY_MSG_REPORT_CHART_CUMULATIVE);
    const char *takeaway = assay_view_break_even_sentence(view, plot->decision);
    assay_svg_key_t key[ASSAY_CHART_CANDIDATES];
    for (uint32_t c = 0; c < plot->n; c++) {
        key[c] = (assay_svg_key_t){
            assay_view_cut(view, plot->curve[c].candidate->machine->id, ASSAY_CHART_NAME),
            assay_view_format(view, "k%u", c), ASSAY_SVG_KEY_LINE};
    }
    const double legend = assay_svg_legend(NULL, LEFT, 0.0, RIGHT - LEFT, key, plot->n);
    assay_svg_t svg;
    assay_figure_begin(view, title, takeaway);
    assay_svg_begin(&svg, view->out, "chart-cumulative", ASSAY_CHART_WIDTH, BOTTOM + 40.0 + legend,
                    title, takeaway);
    assay_svg_axis_x(&svg, &plot->x, BOTTOM, TOP, plot->work_title);
    assay_svg_axis_y(&svg, &plot->y, LEFT, RIGHT, plot->money_title);
    draw_curves(view, &svg, plot);
    draw_marks(view, &svg, plot);
    assay_svg_legend(&svg, LEFT, BOTTOM + 38.0, RIGHT - LEFT, key, plot->n);
    assay_svg_end(&svg);
    draw_table(view, plot);
    assay_figure_end(view);
}

void assay_chart_cumulative(assay_view_t *view, const assay_decision_t *decision) {
    uint32_t index[ASSAY_CHART_CANDIDATES];
    plot_t plot = {.decision = decision, .n = assay_chart_candidates(decision, index)};
    if (plot.n == 0 || !assay_view_has_work(decision)) {
        return;
    }
    assay_view_break_even(decision, &plot.even_share);
    /* A crossing not far beyond the job's end is worth seeing. */
    const bool beyond = plot.even_share > 1.0 && plot.even_share <= 3.0;
    plot.share_max = beyond ? 1.15 * plot.even_share : 1.0;
    curve_t *curve = assay_arena_array(view->arena, plot.n, sizeof *curve);
    if (!curve) {
        view->failed = true;
        return;
    }
    for (uint32_t c = 0; c < plot.n; c++) {
        fill_curve(view, decision, index[c], plot.share_max, &curve[c]);
    }
    plot.curve = curve;
    lay_out(view, &plot);
    draw(view, &plot);
}
