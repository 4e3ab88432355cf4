/* A decision's figures that need no samples: bars, layouts, roofline. */
#include "report/decision_charts.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

uint32_t assay_decision_chart_candidates(const assay_decision_t *decision,
                                         uint32_t out_index[ASSAY_CHART_SERIES]) {
    uint32_t others = ASSAY_CHART_SERIES;
    others -= decision->choice >= 0 ? 1 : 0;
    others -= decision->runner_up >= 0 ? 1 : 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const bool must = (int32_t)i == decision->choice || (int32_t)i == decision->runner_up;
        if (decision->candidate[i].fits && (must || others > 0)) {
            others -= must ? 0 : 1;
            out_index[n++] = i;
        }
    }
    return n;
}

#define TERM_MESSAGE(code, name, what) ASSAY_MSG_REPORT_TERM_##code,
static const assay_message_t term_name[ASSAY_TERM_N] = {ASSAY_TERM_LIST(TERM_MESSAGE)};
#define TIME_MESSAGE(code, name) ASSAY_MSG_REPORT_TIME_##code,
static const assay_message_t time_name[ASSAY_TIME_N] = {ASSAY_TIME_LIST(TIME_MESSAGE)};
#define MEMORY_MESSAGE(code, name) ASSAY_MSG_REPORT_MEMORY_##code,
static const assay_message_t memory_name[ASSAY_MEMORY_N] = {ASSAY_MEMORY_LIST(MEMORY_MESSAGE)};
_Static_assert((int)ASSAY_TERM_N <= ASSAY_CHART_PARTS && (int)ASSAY_TIME_N <= ASSAY_CHART_PARTS &&
                   (int)ASSAY_MEMORY_N <= ASSAY_CHART_PARTS,
               "a bar holds every part");

typedef enum { BARS_JOB, BARS_TCO, BARS_STEP, BARS_MEMORY, BARS_N } bars_kind_t;

/** What servers bring back is taken off what they cost, so that a bar ends at its total. */
static const double *net_terms(assay_view_t *view, const double *term) {
    double *net = assay_arena_array(view->arena, ASSAY_TERM_N, sizeof *net);
    if (!net) {
        view->failed = true;
        return term;
    }
    memcpy(net, term, ASSAY_TERM_N * sizeof *net);
    net[ASSAY_TERM_CAPEX] += net[ASSAY_TERM_RESIDUAL];
    net[ASSAY_TERM_RESIDUAL] = 0.0;
    return net;
}

static assay_chart_bar_t bar_of(assay_view_t *view, bars_kind_t kind,
                                const assay_candidate_t *candidate) {
    const assay_estimate_t *best = &candidate->plan.best;
    assay_chart_bar_t bar = {.name = candidate->machine->id, .low = NAN, .high = NAN, .limit = NAN};
    switch (kind) {
    case BARS_JOB:
        bar.listed = candidate->point.job_term_usd;
        bar.part = net_terms(view, bar.listed);
        bar.low = candidate->job_usd.p10;
        bar.high = candidate->job_usd.p90;
        break;
    case BARS_TCO:
        bar.listed = candidate->point.tco_term_usd;
        bar.part = net_terms(view, bar.listed);
        bar.low = candidate->tco_usd.p10;
        bar.high = candidate->tco_usd.p90;
        break;
    case BARS_STEP:
        bar.part = best->time_s;
        bar.low = best->step_s * best->rel_p10;
        bar.high = best->step_s * best->rel_p90;
        break;
    default:
        bar.part = best->peak_bytes;
        bar.limit = candidate->machine->device.hbm_bytes;
        break;
    }
    return bar;
}

/** Names of the parts; listed: the table lists apart what a bar draws as one. */
static const char *const *part_names(assay_view_t *view, const assay_message_t *id, uint32_t n,
                                     bool is_listed) {
    const char **name = assay_arena_array(view->arena, n, sizeof *name);
    if (!name) {
        view->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        const bool gross = is_listed && id[i] == ASSAY_MSG_REPORT_TERM_CAPEX;
        name[i] = assay_view_message(view, gross ? ASSAY_MSG_REPORT_TERM_CAPEX_GROSS : id[i]);
    }
    return name;
}

static void draw_bars(assay_view_t *view, const assay_decision_t *decision, bars_kind_t kind) {
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
    const assay_money_input_t *money = &decision->resolved->money;
    const char *const arg[] = {assay_view_number(view, money->years),
                               assay_view_percent(view, money->discount_rate)};
    uint32_t index[ASSAY_CHART_SERIES];
    assay_chart_bar_t bar[ASSAY_CHART_SERIES];
    const uint32_t n = assay_decision_chart_candidates(decision, index);
    for (uint32_t i = 0; i < n; i++) {
        bar[i] = bar_of(view, kind, &decision->candidate[index[i]]);
    }
    const assay_chart_bars_t bars = {
        .chart = {row[kind].id, assay_view_message(view, row[kind].title),
                  assay_view_sentence(view, row[kind].takeaway, arg, 2)},
        .axis = {assay_view_message(view, row[kind].axis), row[kind].scale, NULL, false},
        .part_name = part_names(view, row[kind].part_name, row[kind].n_part, false),
        .listed_name = part_names(view, row[kind].part_name, row[kind].n_part, true),
        .n_part = row[kind].n_part,
        .bar = bar,
        .n_bar = n};
    if (bars.part_name && bars.listed_name) {
        assay_chart_bars(view, &bars);
    }
}

void assay_decision_chart_job(assay_view_t *view, const assay_decision_t *decision) {
    draw_bars(view, decision, BARS_JOB);
}

void assay_decision_chart_tco(assay_view_t *view, const assay_decision_t *decision) {
    draw_bars(view, decision, BARS_TCO);
}

void assay_decision_chart_step(assay_view_t *view, const assay_decision_t *decision) {
    draw_bars(view, decision, BARS_STEP);
}

void assay_decision_chart_memory(assay_view_t *view, const assay_decision_t *decision) {
    draw_bars(view, decision, BARS_MEMORY);
}

void assay_decision_chart_pareto(assay_view_t *view, const assay_decision_t *decision) {
    uint32_t index[ASSAY_CHART_SERIES], n_point = 0;
    const uint32_t n = assay_decision_chart_candidates(decision, index);
    for (uint32_t c = 0; c < n; c++) {
        n_point += decision->candidate[index[c]].plan.n_pareto;
    }
    assay_chart_point_t *point = assay_arena_array(view->arena, n_point + 1, sizeof *point);
    const char *name[ASSAY_CHART_SERIES];
    if (!point || n_point == 0) {
        view->failed |= !point;
        return;
    }
    n_point = 0;
    for (uint32_t c = 0; c < n; c++) {
        const assay_plan_t *plan = &decision->candidate[index[c]].plan;
        name[c] = decision->candidate[index[c]].machine->id;
        for (uint32_t i = 0; i < plan->n_pareto; i++) {
            const assay_estimate_t *estimate = &plan->pareto[i];
            point[n_point++] = (assay_chart_point_t){assay_view_layout(view, &estimate->layout),
                                                     estimate->peak_total_bytes,
                                                     estimate->step_s,
                                                     c,
                                                     true,
                                                     false};
        }
    }
    const assay_chart_points_t points = {
        .chart = {"chart-pareto", assay_view_message(view, ASSAY_MSG_REPORT_CHART_PARETO),
                  assay_view_message(view, ASSAY_MSG_REPORT_CHART_PARETO_SAYS)},
        .x = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_MEMORY), ASSAY_SCALE_BYTES, NULL,
              false},
        .y = {assay_view_message(view, ASSAY_MSG_REPORT_AXIS_TIME), ASSAY_SCALE_TIME, NULL, false},
        .series = name,
        .n_series = n,
        .point = point,
        .n_point = n_point};
    assay_chart_points(view, &points);
}

void assay_decision_chart_roofline(assay_view_t *view, const assay_decision_t *decision) {
    uint32_t index[ASSAY_CHART_SERIES];
    const uint32_t n_index = assay_decision_chart_candidates(decision, index);
    const assay_dtype_t dtype = decision->resolved->workload.dtype;
    assay_chart_roof_t roof[ASSAY_CHART_SERIES];
    assay_chart_op_t op[ASSAY_CHART_SERIES * ASSAY_OP_MAX];
    uint32_t n = 0, n_op = 0;
    for (uint32_t i = 0; i < n_index; i++) {
        const assay_candidate_t *candidate = &decision->candidate[index[i]];
        const assay_device_t *device = &candidate->machine->device;
        const bool choice = (int32_t)index[i] == decision->choice || decision->choice < 0;
        if (!(device->peak_flops[dtype] > 0.0 && device->hbm_bytes_per_s > 0.0)) {
            continue;
        }
        roof[n] = (assay_chart_roof_t){candidate->machine->id, device->peak_flops[dtype],
                                       device->hbm_bytes_per_s};
        for (uint32_t k = 0; k < candidate->n_op; k++) {
            const assay_op_t *o = &candidate->op[k];
            const char *basis = assay_view_phrase(view, assay_basis_name((assay_basis_t)o->basis));
            op[n_op++] = (assay_chart_op_t){
                assay_view_phrase(view, o->name),
                n,
                o->flops / o->bytes,
                o->flops / o->time_s,
                choice,
                o->basis == ASSAY_BASIS_MEASURED && o->nearest
                    ? assay_view_format(view, "%s: %s", basis, o->nearest->source)
                    : basis};
        }
        n++;
    }
    const assay_chart_roofline_t chart = {
        .chart = {"chart-roofline", assay_view_message(view, ASSAY_MSG_REPORT_CHART_ROOFLINE),
                  SAY(view, REPORT_CHART_ROOFLINE_SAYS, assay_dtype_name(dtype))},
        .roof = roof,
        .n_roof = n,
        .op = op,
        .n_op = n_op};
    assay_chart_roofline(view, &chart);
}
