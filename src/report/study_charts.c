/* Figures of what a decision's uncertainty rests on: tornado, what is paid over the years, maps. */
#include <string.h>

#include "report/charts.h"
#include "report/study_view.h"

#include "base/banned.h"

#define SWINGS_SHOWN 8u
#define MONTHS_PER_YEAR 12.0

void assay_study_chart_tornado(assay_view_t *view, const assay_study_t *study) {
    const assay_sensitivity_t *s = study->sensitivity;
    if (!s || s->n_input == 0 || !study->runner_up) {
        return;
    }
    assay_chart_swing_t swing[SWINGS_SHOWN];
    uint32_t n = 0;
    for (; n < s->n_input && n < SWINGS_SHOWN; n++) {
        const assay_input_t *input = &s->input[n];
        const char *name = assay_view_phrase(view, input->name);
        swing[n] = (assay_chart_swing_t){
            input->candidate ? SAY(view, REPORT_INPUT_OF, name, input->candidate) : name,
            assay_view_number(view, input->low_x), assay_view_number(view, input->high_x),
            input->low_usd, input->high_usd};
    }
    const assay_chart_tornado_t tornado = {
        .chart = {"chart-tornado", assay_view_message(view, ASSAY_MSG_REPORT_CHART_TORNADO),
                  SAY(view, REPORT_CHART_TORNADO_SAYS, study->choice, study->runner_up)},
        .axis = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_LEAD), ASSAY_SCALE_MONEY, NULL,
                 false},
        .base = study->lead_usd,
        .swing = swing,
        .n_swing = n};
    assay_chart_tornado(view, &tornado);
}

void assay_study_chart_years(assay_view_t *view, const assay_study_t *study) {
    const assay_sensitivity_t *s = study->sensitivity;
    if (!s || s->n_curve == 0 || s->n_month == 0) {
        return;
    }
    double *year = assay_arena_array(view->arena, (size_t)s->n_month + 1, sizeof *year);
    if (!year) {
        view->failed = true;
        return;
    }
    for (uint32_t m = 0; m <= s->n_month; m++) {
        year[m] = m / MONTHS_PER_YEAR;
    }
    assay_chart_line_t line[ASSAY_CHART_SERIES];
    uint32_t n = 0;
    for (; n < s->n_curve && n < ASSAY_CHART_SERIES; n++) {
        const assay_curve_t *curve = &s->curve[n];
        line[n] = (assay_chart_line_t){curve->candidate, year,           curve->p50_usd,
                                       curve->p10_usd,   curve->p90_usd, s->n_month + 1};
    }
    const assay_chart_lines_t lines = {
        .chart = {"chart-years", assay_view_message(view, ASSAY_MSG_REPORT_CHART_YEARS),
                  assay_view_message(view, ASSAY_MSG_REPORT_CHART_YEARS_SAYS)},
        .x = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_YEARS), ASSAY_SCALE_PLAIN,
              assay_view_phrase(view, "years"), false},
        .y = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_SPENT), ASSAY_SCALE_MONEY, NULL,
              false},
        .line = line,
        .n_line = n};
    assay_chart_lines(view, &lines);
}

/** What the variable is called. */
static const char *title_of(assay_view_t *view, const assay_map_axis_t *axis) {
    static const struct {
        const char *variable;
        assay_message_t name;
    } known[] = {{"run_days", ASSAY_MSG_DECIDE_FLIP_RUN},
                 {"hip_fit", ASSAY_MSG_DECIDE_ANSWER_HIP_FIT},
                 {"compute_share", ASSAY_MSG_DECIDE_ANSWER_COMPUTE_SHARE},
                 {"electricity_usd_kwh", ASSAY_MSG_DECIDE_FLIP_ELECTRICITY},
                 {"utilisation", ASSAY_MSG_DECIDE_FLIP_UTILISATION}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(axis->variable, known[i].variable) == 0) {
            return assay_view_message(view, known[i].name);
        }
    }
    return assay_view_phrase(view, axis->label);
}

/* An axis in the unit that people use, and the factor that its values take. */
static assay_chart_axis_t axis_of(assay_view_t *view, const assay_map_axis_t *axis,
                                  double *out_factor) {
    *out_factor = 1.0;
    assay_chart_axis_t out = {title_of(view, axis), ASSAY_SCALE_PLAIN, NULL, false};
    if (strcmp(axis->variable, "run_days") == 0) {
        out.unit = assay_view_phrase(view, "d");
        return out;
    }
    switch (axis->dim) {
    case ASSAY_DIM_FRACTION:
        *out_factor = 100.0;
        out.unit = "%";
        break;
    case ASSAY_DIM_MONEY:
    case ASSAY_DIM_MONEY_PER_HOUR:
    case ASSAY_DIM_MONEY_PER_KWH:
        out.kind = ASSAY_SCALE_MONEY;
        break;
    default:
        out.unit = "1";
        break;
    }
    return out;
}

static void scale_values(const double *from, uint32_t n, double factor, double *to) {
    for (uint32_t i = 0; i < n; i++) {
        to[i] = factor * from[i];
    }
}

/** One panel of a map. */
static void draw_panel(assay_view_t *view, const assay_map_t *map, uint32_t index, uint32_t panel) {
    const size_t cells = (size_t)map->x.n * map->y.n, columns = map->x.n;
    double x_factor, y_factor, x[ASSAY_MAP_POINTS], y[ASSAY_MAP_POINTS];
    double edge[ASSAY_MAP_POINTS], low[ASSAY_MAP_POINTS], high[ASSAY_MAP_POINTS];
    const assay_chart_axis_t x_axis = axis_of(view, &map->x, &x_factor);
    const assay_chart_axis_t y_axis = axis_of(view, &map->y, &y_factor);
    scale_values(map->x.value, map->x.n, x_factor, x);
    scale_values(map->y.value, map->y.n, y_factor, y);
    scale_values(map->edge + panel * columns, map->x.n, y_factor, edge);
    scale_values(map->edge_p10 + panel * columns, map->x.n, y_factor, low);
    scale_values(map->edge_p90 + panel * columns, map->x.n, y_factor, high);
    const char *title = assay_view_message(view, ASSAY_MSG_REPORT_CHART_MAP);
    if (map->panel.n > 0) {
        double factor;
        const assay_chart_axis_t axis = axis_of(view, &map->panel, &factor);
        title = SAY(view, REPORT_CHART_MAP_AT, axis.title,
                    assay_view_number(view, factor * map->panel.value[panel]),
                    assay_view_or_empty(axis.unit));
    }
    const assay_chart_map_t chart = {
        .chart = {assay_view_format(view, "chart-map-%u-%u", index, panel), title, map->sentence},
        .x = x_axis,
        .y = y_axis,
        .value = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_LEAD), ASSAY_SCALE_MONEY, NULL,
                  false},
        .n_x = map->x.n,
        .n_y = map->y.n,
        .x_value = x,
        .y_value = y,
        .cell = map->delta_usd + panel * cells,
        .positive = SAY(view, REPORT_CHART_MAP_WINS, map->mover),
        .negative = SAY(view, REPORT_CHART_MAP_WINS, map->incumbent),
        .positive_alone = SAY(view, REPORT_CHART_MAP_ALONE, map->mover),
        .negative_alone = SAY(view, REPORT_CHART_MAP_ALONE, map->incumbent),
        .neither = assay_view_message(view, ASSAY_MSG_REPORT_CHART_MAP_NEITHER),
        .edge = edge,
        .edge_low = low,
        .edge_high = high,
        .now_x = x_factor * map->x.now,
        .now_y = y_factor * map->y.now};
    assay_chart_map(view, &chart);
}

void assay_study_chart_maps(assay_view_t *view, const assay_study_t *study) {
    const assay_sensitivity_t *s = study->sensitivity;
    for (uint32_t k = 0; s && k < s->n_map; k++) {
        const uint32_t panels = s->map[k].panel.n ? s->map[k].panel.n : 1;
        for (uint32_t p = 0; p < panels; p++) {
            draw_panel(view, &s->map[k], k, p);
        }
    }
}
