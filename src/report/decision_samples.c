/* Figures of a decision over its samples: what has been spent when so much of the work is done, and
   how the cost of the whole is distributed. They are the samples that decide took. */
#include <math.h>

#include "report/decision_charts.h"

#include "base/banned.h"

#define POINTS 9           /* of the band, over the work; between them it is all but straight */
#define QUANTILES 39       /* of a distribution: 2.5 %, 5 % ... 97.5 % */
#define SAMPLES_MAX 10000u /* of those that decide took: the first */

typedef struct {
    double *one_time, *running; /* (n) USD of each sample */
    double *spent;              /* (n) room for one point */
    uint32_t n;
} samples_t;

static bool take_samples(assay_view_t *view, const assay_decision_t *decision, uint32_t index,
                         samples_t *out) {
    const assay_resolved_t *resolved = decision->resolved;
    const uint32_t n = resolved->samples < SAMPLES_MAX ? resolved->samples : SAMPLES_MAX;
    *out = (samples_t){assay_arena_array(view->arena, n + 1, sizeof(double)),
                       assay_arena_array(view->arena, n + 1, sizeof(double)),
                       assay_arena_array(view->arena, n + 1, sizeof(double)), n};
    if (!out->one_time || !out->running || !out->spent) {
        view->failed = true;
        return false;
    }
    const assay_money_case_t *money_case = &decision->candidate[index].money_case;
    assay_draws_t draws;
    assay_money_flows_t flows;
    assay_decide_draws(resolved->seed, resolved->money.correlations, index, &draws);
    assay_money_flows(money_case, &flows);
    for (uint32_t i = 0; i < n; i++) {
        double u[ASSAY_DRAW_N], x[ASSAY_DRAW_N];
        assay_money_result_t result;
        assay_decide_draw_of(&draws, i, u);
        assay_money_draw(money_case, u, x);
        assay_money_sum(&flows, x, &result);
        out->one_time[i] = result.one_time_usd;
        out->running[i] = result.job_usd - result.one_time_usd;
    }
    return n > 0;
}

/** What is spent at that share of the work, sorted. */
static assay_dist_t spent_at(const samples_t *samples, double share) {
    for (uint32_t i = 0; i < samples->n; i++) {
        samples->spent[i] = samples->one_time[i] + share * samples->running[i];
    }
    return assay_dist_of_sample(samples->spent, samples->n);
}

typedef struct {
    double x[POINTS], y[POINTS], low[POINTS], high[POINTS];
} curve_t;

/** Cost over the work up to share_max of it. */
static assay_chart_line_t spent_line(assay_view_t *view, const assay_decision_t *decision,
                                     uint32_t index, double share_max, curve_t *curve) {
    const assay_candidate_t *candidate = &decision->candidate[index];
    const assay_money_result_t *point = &candidate->point;
    samples_t samples;
    const bool has_band = take_samples(view, decision, index, &samples);
    for (uint32_t k = 0; k < POINTS; k++) {
        const double share = share_max * k / (POINTS - 1);
        curve->x[k] = share * decision->resolved->workload.tokens;
        curve->y[k] = point->one_time_usd + share * (point->job_usd - point->one_time_usd);
        if (has_band) {
            const assay_dist_t spent = spent_at(&samples, share);
            curve->low[k] = assay_dist_quantile(&spent, 0.1);
            curve->high[k] = assay_dist_quantile(&spent, 0.9);
        }
    }
    return (assay_chart_line_t){
        candidate->machine->id,        curve->x, curve->y, has_band ? curve->low : NULL,
        has_band ? curve->high : NULL, POINTS};
}

/** The job's end where the axis goes beyond it, and the crossing. Returns how many. */
static uint32_t find_marks(assay_view_t *view, const assay_decision_t *decision, double even_share,
                           double share_max, assay_chart_mark_t mark[2]) {
    const double tokens = decision->resolved->workload.tokens;
    uint32_t n = 0;
    if (share_max > 1.0) {
        mark[n++] = (assay_chart_mark_t){assay_view_message(view, ASSAY_MSG_REPORT_CHART_JOB_END),
                                         tokens, NAN};
    }
    if (even_share <= share_max) {
        const assay_money_result_t *point = &decision->candidate[decision->choice].point;
        const double running = point->job_usd - point->one_time_usd;
        mark[n++] = (assay_chart_mark_t){
            SAY(view, REPORT_CHART_EVEN,
                assay_view_samples(view, decision->resolved->workload.net.sample,
                                   even_share * tokens)),
            even_share * tokens, point->one_time_usd + even_share * running};
    }
    return n;
}

void assay_decision_chart_spent(assay_view_t *view, const assay_decision_t *decision) {
    uint32_t index[ASSAY_CHART_SERIES];
    const uint32_t n = assay_decision_chart_candidates(decision, index);
    curve_t *curve = assay_arena_array(view->arena, n + 1, sizeof *curve);
    if (!curve || n == 0 || !assay_view_has_work(decision)) {
        view->failed |= !curve;
        return;
    }
    double even_share;
    assay_view_break_even(decision, &even_share);
    /* A crossing not far beyond the job's end is worth seeing. */
    const bool beyond = even_share > 1.0 && even_share <= 3.0;
    const double share_max = beyond ? 1.15 * even_share : 1.0;
    assay_chart_line_t line[ASSAY_CHART_SERIES];
    assay_chart_mark_t mark[2];
    for (uint32_t c = 0; c < n; c++) {
        line[c] = spent_line(view, decision, index[c], share_max, &curve[c]);
    }
    const assay_chart_lines_t lines = {
        .chart = {"chart-spent", assay_view_message(view, ASSAY_MSG_REPORT_CHART_CUMULATIVE),
                  assay_view_break_even_sentence(view, decision)},
        .x = {SAY(view, REPORT_AXIS_WORK,
                  assay_view_sample(view, decision->resolved->workload.net.sample, false)),
              ASSAY_SCALE_COUNT, NULL, false},
        .y = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_SPENT), ASSAY_SCALE_MONEY, NULL,
              false},
        .line = line,
        .n_line = n,
        .mark = mark,
        .n_mark = find_marks(view, decision, even_share, share_max, mark)};
    assay_chart_lines(view, &lines);
}

void assay_decision_chart_chance(assay_view_t *view, const assay_decision_t *decision) {
    uint32_t index[ASSAY_CHART_SERIES], n_line = 0;
    const uint32_t n = assay_decision_chart_candidates(decision, index);
    double *cost = assay_arena_array(view->arena, (size_t)n * QUANTILES + 1, sizeof *cost);
    double percent[QUANTILES];
    assay_chart_line_t line[ASSAY_CHART_SERIES];
    if (!cost || !assay_view_has_work(decision)) {
        view->failed |= !cost;
        return;
    }
    for (uint32_t q = 0; q < QUANTILES; q++) {
        percent[q] = 100.0 * (q + 1) / (QUANTILES + 1);
    }
    for (uint32_t c = 0; c < n; c++) {
        samples_t samples;
        if (!take_samples(view, decision, index[c], &samples)) {
            continue;
        }
        double *at = cost + (size_t)n_line * QUANTILES;
        const assay_dist_t spent = spent_at(&samples, 1.0);
        for (uint32_t q = 0; q < QUANTILES; q++) {
            at[q] = assay_dist_quantile(&spent, percent[q] / 100.0);
        }
        line[n_line++] = (assay_chart_line_t){
            decision->candidate[index[c]].machine->id, at, percent, NULL, NULL, QUANTILES};
    }
    const assay_chart_lines_t lines = {
        .chart = {"chart-chance", assay_view_message(view, ASSAY_MSG_REPORT_CHART_CHANCE),
                  assay_view_message(view, ASSAY_MSG_REPORT_CHART_CHANCE_SAYS)},
        .x = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_COST), ASSAY_SCALE_MONEY, NULL, false},
        .y = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_CHANCE), ASSAY_SCALE_PLAIN, "%",
              false},
        .y_max = 100.0,
        .line = line,
        .n_line = n_line};
    assay_chart_lines(view, &lines);
}
