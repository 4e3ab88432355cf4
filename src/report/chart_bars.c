/* Stacked bars, one a candidate: where the money, the time and the memory go. */
#include <math.h>
#include <string.h>

#include "report/charts.h"

#include "base/banned.h"

#define PARTS_MAX 16
#define ROW_HEIGHT 40.0
#define BAR_HEIGHT 14.0

typedef struct {
    const char *id, *title, *takeaway, *axis;
    assay_scale_t scale;
    uint32_t n_part;
    const assay_message_t *part_name;
    bool drawn[PARTS_MAX], used[PARTS_MAX]; /* some bar has it, some row of the table */
    uint32_t n_bar;
    const char *bar_name[ASSAY_CHART_CANDIDATES];
    double part[ASSAY_CHART_CANDIDATES][PARTS_MAX];                   /* as drawn */
    const double *listed[ASSAY_CHART_CANDIDATES];                     /* (n_part) as in the table */
    double low[ASSAY_CHART_CANDIDATES], high[ASSAY_CHART_CANDIDATES]; /* p10, p90; NAN = none */
    double limit[ASSAY_CHART_CANDIDATES];                             /* NAN = none */
} bars_t;

static double total_of(const bars_t *bars, uint32_t bar) {
    double sum = 0.0;
    for (uint32_t p = 0; p < bars->n_part; p++) {
        sum += bars->part[bar][p];
    }
    return sum;
}

/** From the least to the most that any bar, whisker or limit reaches; 0 is always inside. */
static void extent(const bars_t *bars, double *out_min, double *out_max) {
    double min = 0.0, max = 0.0;
    for (uint32_t b = 0; b < bars->n_bar; b++) {
        double below = 0.0, above = 0.0;
        for (uint32_t p = 0; p < bars->n_part; p++) {
            *(bars->part[b][p] < 0.0 ? &below : &above) += bars->part[b][p];
        }
        min = fmin(min, below);
        max = fmax(fmax(max, above), fmax(bars->high[b], bars->limit[b]));
    }
    *out_min = min;
    *out_max = max > min ? max : min + 1.0;
}

static void find_used(bars_t *bars) {
    for (uint32_t p = 0; p < bars->n_part; p++) {
        for (uint32_t b = 0; b < bars->n_bar; b++) {
            bars->drawn[p] |= fabs(bars->part[b][p]) > 0.0;
            bars->used[p] |= fabs(bars->listed[b][p]) > 0.0;
        }
    }
}

static const char *total_text(assay_view_t *view, const bars_t *bars, uint32_t bar) {
    const double one = bars->scale.one;
    const char *total = assay_view_cell(view, total_of(bars, bar) / one);
    if (isfinite(bars->limit[bar])) {
        return SAY(view, REPORT_CHART_OF_LIMIT, total,
                   assay_view_cell(view, bars->limit[bar] / one), bars->scale.unit);
    }
    if (isfinite(bars->low[bar])) {
        return SAY(view, REPORT_CHART_WITH_RANGE, total, bars->scale.unit,
                   assay_view_range(view, bars->low[bar], bars->high[bar], one));
    }
    return SAY(view, REPORT_CHART_TOTAL, total, bars->scale.unit);
}

static void draw_bar(assay_view_t *view, assay_svg_t *svg, const bars_t *bars, uint32_t bar,
                     const assay_svg_scale_t *x, double top) {
    const char *total = total_text(view, bars, bar);
    const double room = svg->width - assay_svg_text_width(total) - 12.0;
    assay_svg_text(
        svg, 2.0, top + 12.0, ASSAY_SVG_START, "name",
        assay_view_cut(view, bars->bar_name[bar], (size_t)(room / assay_svg_text_width("n"))));
    assay_svg_text(svg, svg->width - 2.0, top + 12.0, ASSAY_SVG_END, "total", total);
    const double y = top + 17.0, middle = y + BAR_HEIGHT / 2.0, one = bars->scale.one;
    double below = 0.0, above = 0.0;
    for (uint32_t p = 0; p < bars->n_part; p++) {
        const double value = bars->part[bar][p];
        if (!(fabs(value) > 0.0)) {
            continue;
        }
        double *from = value < 0.0 ? &below : &above;
        const double a = assay_svg_map(x, *from / one), b = assay_svg_map(x, (*from + value) / one);
        const char *css = assay_view_format(view, "bar p%u", p);
        const char *tooltip =
            SAY(view, REPORT_CHART_PART, assay_view_message(view, bars->part_name[p]),
                assay_view_number(view, value / one), bars->scale.unit);
        assay_svg_rect(svg, fmin(a, b), y, fabs(b - a), BAR_HEIGHT, css, tooltip);
        *from += value;
    }
    if (isfinite(bars->low[bar])) {
        const double low = assay_svg_map(x, bars->low[bar] / one);
        const double high = assay_svg_map(x, bars->high[bar] / one);
        assay_svg_line(svg, low, middle, high, middle, "whisker");
        assay_svg_line(svg, low, middle - 4.0, low, middle + 4.0, "whisker");
        assay_svg_line(svg, high, middle - 4.0, high, middle + 4.0, "whisker");
    }
    if (isfinite(bars->limit[bar])) {
        const double at = assay_svg_map(x, bars->limit[bar] / one);
        assay_svg_line(svg, at, y - 1.0, at, y + BAR_HEIGHT + 1.0, "limit");
    }
}

/** The table lists apart what a bar draws as one. */
static assay_message_t listed_name(assay_message_t drawn) {
    return drawn == ASSAY_MSG_REPORT_TERM_CAPEX ? ASSAY_MSG_REPORT_TERM_CAPEX_GROSS : drawn;
}

static void draw_table(assay_view_t *view, const bars_t *bars) {
    assay_buf_t *out = view->out;
    assay_figure_table_begin(view);
    assay_html_printf(out, "<tr><th scope=\"col\">%s</th>", bars->axis);
    for (uint32_t b = 0; b < bars->n_bar; b++) {
        assay_html_printf(out, "<th scope=\"col\" class=\"n\">%s</th>", bars->bar_name[b]);
    }
    assay_buf_puts(out, "</tr>\n");
    for (uint32_t p = 0; p < bars->n_part; p++) {
        if (!bars->used[p]) {
            continue;
        }
        assay_html_printf(out, "<tr><th scope=\"row\">%s</th>",
                          assay_view_message(view, listed_name(bars->part_name[p])));
        for (uint32_t b = 0; b < bars->n_bar; b++) {
            assay_html_printf(out, "<td class=\"n\">%s</td>",
                              assay_view_cell(view, bars->listed[b][p] / bars->scale.one));
        }
        assay_buf_puts(out, "</tr>\n");
    }
    assay_html_printf(out, "<tr class=\"sum\"><th scope=\"row\">%s</th>",
                      assay_view_message(view, ASSAY_MSG_REPORT_TOTAL));
    for (uint32_t b = 0; b < bars->n_bar; b++) {
        assay_html_printf(out, "<td class=\"n\">%s</td>",
                          assay_view_cell(view, total_of(bars, b) / bars->scale.one));
    }
    assay_buf_puts(out, "</tr>\n");
}

static void draw(assay_view_t *view, bars_t *bars) {
    assay_svg_key_t key[PARTS_MAX];
    uint32_t n_key = 0;
    find_used(bars);
    for (uint32_t p = 0; p < bars->n_part; p++) {
        if (bars->drawn[p]) {
            key[n_key++] =
                (assay_svg_key_t){assay_view_message(view, bars->part_name[p]),
                                  assay_view_format(view, "p%u", p), ASSAY_SVG_KEY_SQUARE};
        }
    }
    double min, max;
    extent(bars, &min, &max);
    assay_svg_scale_t x = {false, min / bars->scale.one, max / bars->scale.one,
                           min < 0.0 ? 16.0 : 5.0, ASSAY_CHART_WIDTH - 14.0};
    assay_svg_nice(&x.min, &x.max, false, 5);
    const double bottom = ROW_HEIGHT * bars->n_bar + 4.0;
    const double legend = assay_svg_legend(NULL, 2.0, 0.0, ASSAY_CHART_WIDTH - 4.0, key, n_key);
    assay_figure_begin(view, bars->title, bars->takeaway);
    assay_svg_t svg;
    assay_svg_begin(&svg, view->out, bars->id, ASSAY_CHART_WIDTH, bottom + 40.0 + legend,
                    bars->title, bars->takeaway);
    assay_svg_axis_x(&svg, &x, bottom, 0.0, bars->axis);
    for (uint32_t b = 0; b < bars->n_bar; b++) {
        draw_bar(view, &svg, bars, b, &x, ROW_HEIGHT * b);
    }
    assay_svg_legend(&svg, 2.0, bottom + 38.0, ASSAY_CHART_WIDTH - 4.0, key, n_key);
    assay_svg_end(&svg);
    draw_table(view, bars);
    assay_figure_end(view);
}

#define TERM_MESSAGE(code, name, what) ASSAY_MSG_REPORT_TERM_##code,
static const assay_message_t term_name[ASSAY_TERM_N] = {ASSAY_TERM_LIST(TERM_MESSAGE)};
#define TIME_MESSAGE(code, name) ASSAY_MSG_REPORT_TIME_##code,
static const assay_message_t time_name[ASSAY_TIME_N] = {ASSAY_TIME_LIST(TIME_MESSAGE)};
#define MEMORY_MESSAGE(code, name) ASSAY_MSG_REPORT_MEMORY_##code,
static const assay_message_t memory_name[ASSAY_MEMORY_N] = {ASSAY_MEMORY_LIST(MEMORY_MESSAGE)};
_Static_assert((int)ASSAY_TERM_N <= PARTS_MAX && (int)ASSAY_TIME_N <= PARTS_MAX &&
                   (int)ASSAY_MEMORY_N <= PARTS_MAX,
               "every part has a colour");

typedef enum { BARS_JOB, BARS_TCO, BARS_STEP, BARS_MEMORY, BARS_N } bars_kind_t;

/** One candidate's parts, range and limit for that chart. */
static void fill_bar(bars_t *bars, bars_kind_t kind, const assay_candidate_t *candidate) {
    const assay_estimate_t *best = &candidate->plan.best;
    const uint32_t b = bars->n_bar++;
    const double *const listed[BARS_N] = {[BARS_JOB] = candidate->point.job_term_usd,
                                          [BARS_TCO] = candidate->point.tco_term_usd,
                                          [BARS_STEP] = best->time_s,
                                          [BARS_MEMORY] = best->peak_bytes};
    const double range[BARS_N][2] = {
        [BARS_JOB] = {candidate->job_usd.p10, candidate->job_usd.p90},
        [BARS_TCO] = {candidate->tco_usd.p10, candidate->tco_usd.p90},
        [BARS_STEP] = {best->step_s * best->rel_p10, best->step_s * best->rel_p90},
        [BARS_MEMORY] = {(double)NAN, (double)NAN}};
    bars->bar_name[b] = candidate->machine->id;
    bars->listed[b] = listed[kind];
    memcpy(bars->part[b], listed[kind], bars->n_part * sizeof bars->part[b][0]);
    if (kind == BARS_JOB || kind == BARS_TCO) {
        /* A bar that ends at its total: what servers bring back is taken off what they cost. */
        bars->part[b][ASSAY_TERM_CAPEX] += bars->part[b][ASSAY_TERM_RESIDUAL];
        bars->part[b][ASSAY_TERM_RESIDUAL] = 0.0;
    }
    bars->low[b] = range[kind][0];
    bars->high[b] = range[kind][1];
    bars->limit[b] = kind == BARS_MEMORY ? candidate->machine->device.hbm_bytes : (double)NAN;
}

static void chart(assay_view_t *view, const assay_decision_t *decision, bars_kind_t kind) {
    static const struct {
        const char *id;
        assay_message_t title, takeaway, axis;
        assay_scale_kind_t scale;
        uint32_t n_part;
        const assay_message_t *part_name;
    } row[BARS_N] = {
        [BARS_JOB] = {"chart-job", ASSAY_MSG_REPORT_CHART_JOB, ASSAY_MSG_REPORT_CHART_JOB_SAYS,
                      ASSAY_MSG_REPORT_AXIS_COST, ASSAY_SCALE_MONEY, ASSAY_TERM_N, term_name},
        [BARS_TCO] = {"chart-tco", ASSAY_MSG_REPORT_CHART_TCO, ASSAY_MSG_REPORT_CHART_TCO_SAYS,
                      ASSAY_MSG_REPORT_AXIS_COST, ASSAY_SCALE_MONEY, ASSAY_TERM_N, term_name},
        [BARS_STEP] = {"chart-step", ASSAY_MSG_REPORT_CHART_STEP, ASSAY_MSG_REPORT_CHART_STEP_SAYS,
                       ASSAY_MSG_REPORT_AXIS_TIME, ASSAY_SCALE_TIME, ASSAY_TIME_N, time_name},
        [BARS_MEMORY] = {"chart-memory", ASSAY_MSG_REPORT_CHART_MEMORY,
                         ASSAY_MSG_REPORT_CHART_MEMORY_SAYS, ASSAY_MSG_REPORT_AXIS_MEMORY,
                         ASSAY_SCALE_BYTES, ASSAY_MEMORY_N, memory_name}};
    bars_t bars = {.id = row[kind].id,
                   .title = assay_view_message(view, row[kind].title),
                   .n_part = row[kind].n_part,
                   .part_name = row[kind].part_name};
    uint32_t index[ASSAY_CHART_CANDIDATES];
    const uint32_t n = assay_chart_candidates(decision, index);
    for (uint32_t i = 0; i < n; i++) {
        fill_bar(&bars, kind, &decision->candidate[index[i]]);
    }
    double min, max;
    extent(&bars, &min, &max);
    bars.scale = assay_view_scale(row[kind].scale, max);
    bars.axis =
        SAY(view, REPORT_AXIS_UNIT, assay_view_message(view, row[kind].axis), bars.scale.unit);
    const assay_money_input_t *money = &decision->resolved->money;
    const char *const arg[] = {assay_view_number(view, money->years),
                               assay_view_percent(view, money->discount_rate)};
    bars.takeaway = assay_view_sentence(view, row[kind].takeaway, arg, 2);
    draw(view, &bars);
}

void assay_chart_job_cost(assay_view_t *view, const assay_decision_t *decision) {
    chart(view, decision, BARS_JOB);
}

void assay_chart_tco(assay_view_t *view, const assay_decision_t *decision) {
    chart(view, decision, BARS_TCO);
}

void assay_chart_step(assay_view_t *view, const assay_decision_t *decision) {
    chart(view, decision, BARS_STEP);
}

void assay_chart_memory(assay_view_t *view, const assay_decision_t *decision) {
    chart(view, decision, BARS_MEMORY);
}
