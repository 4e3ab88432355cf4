/* The candidates side by side, as tables of text for the terminal and for Markdown. */
#include <math.h>

#include "report/write.h"

#include "base/banned.h"

/** The largest known value of a column decides its unit. */
static double column_max(const assay_decision_t *decision, size_t offset) {
    double max = 0.0;
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_figures_t f = assay_view_figures(decision, &decision->candidate[i]);
        const double value = *(const double *)(const void *)((const char *)&f + offset);
        max = isfinite(value) && value > max ? value : max;
    }
    return max;
}
#define SCALE(decision, kind, member) \
    assay_view_scale(view, (kind), column_max((decision), offsetof(assay_figures_t, member)))

static void column(assay_view_t *view, assay_table_t *table, uint32_t *at, assay_message_t name,
                   const char *unit, bool right) {
    assay_table_column(table, (*at)++, assay_view_message(view, name), unit, right);
}

/** Starts a candidate's row. Returns false when there is no more to say of it. */
static bool name_cell(assay_view_t *view, const assay_decision_t *decision, assay_table_t *table,
                      uint32_t i, uint32_t *at) {
    const char *mark = decision->choice < 0 ? "" : decision->choice == (int32_t)i ? "> " : "  ";
    assay_table_row(table);
    assay_table_cell(table, 0, assay_view_join(view, mark, decision->candidate[i].machine->id));
    *at = 1;
    return decision->candidate[i].fits;
}

const char *assay_decision_cost_heading(assay_view_t *view, const assay_decision_t *decision) {
    const assay_money_input_t *money = &decision->resolved->money;
    return SAY(view, REPORT_HEADING_COST, assay_view_years(view, money->years),
               assay_view_percent(view, money->discount_rate));
}

assay_table_t *assay_decision_cost_table(assay_view_t *view, const assay_decision_t *decision) {
    /* 100 columns hold one of the two: the cost of an epoch, or the range of the TCO. */
    const bool per_epoch = assay_view_has_epochs(decision);
    assay_table_t *table = assay_view_table(view, 7);
    const assay_scale_t job = SCALE(decision, ASSAY_SCALE_MONEY, job_usd);
    const assay_scale_t epoch = SCALE(decision, ASSAY_SCALE_MONEY, epoch_usd);
    const assay_scale_t tco = SCALE(decision, ASSAY_SCALE_MONEY, tco_usd);
    uint32_t at = 0;
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_CANDIDATE, "", false);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_JOB, job.unit, true);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_RANGE, "", true);
    if (per_epoch) {
        column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_EPOCH, epoch.unit, true);
    }
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_TCO, tco.unit, true);
    if (!per_epoch) {
        column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_RANGE, "", true);
    }
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_BEST, "%", true);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_DAYS, assay_view_phrase(view, "d"), true);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_figures_t f = assay_view_figures(decision, &decision->candidate[i]);
        if (!name_cell(view, decision, table, i, &at)) {
            continue;
        }
        assay_table_cell(table, at++, assay_view_cell(view, f.job_usd / job.one));
        assay_table_cell(table, at++,
                         assay_view_range(view, f.job_p10_usd, f.job_p90_usd, job.one));
        if (per_epoch) {
            assay_table_cell(table, at++, assay_view_cell(view, f.epoch_usd / epoch.one));
        }
        assay_table_cell(table, at++, assay_view_cell(view, f.tco_usd / tco.one));
        if (!per_epoch) {
            assay_table_cell(table, at++,
                             assay_view_range(view, f.tco_p10_usd, f.tco_p90_usd, tco.one));
        }
        assay_table_cell(table, at++, assay_view_p_best(view, decision, f.p_best));
        assay_table_cell(table, at++, assay_view_cell(view, f.days));
    }
    return table;
}

assay_table_t *assay_decision_speed_table(assay_view_t *view, const assay_decision_t *decision) {
    assay_table_t *table = assay_view_table(view, 8);
    const assay_scale_t step = SCALE(decision, ASSAY_SCALE_TIME, step_s);
    const assay_scale_t rate = SCALE(decision, ASSAY_SCALE_COUNT, tokens_per_s);
    const assay_scale_t energy = SCALE(decision, ASSAY_SCALE_ENERGY, energy_kwh);
    uint32_t at = 0;
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_CANDIDATE, "", false);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_STEP, step.unit, true);
    column(view, table, &at, assay_view_rate_column(decision->resolved->workload.net.sample),
           rate.unit, true);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_MFU, "%", true);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_ENERGY, energy.unit, true);
    column(view, table, &at, assay_view_energy_column(decision->resolved->workload.net.sample), "J",
           true);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_MEMORY, "%", true);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_BASIS, "", false);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_candidate_t *candidate = &decision->candidate[i];
        const assay_figures_t f = assay_view_figures(decision, candidate);
        if (!name_cell(view, decision, table, i, &at)) {
            continue;
        }
        assay_table_cell(table, at++, assay_view_cell(view, f.step_s / step.one));
        assay_table_cell(table, at++, assay_view_cell(view, f.tokens_per_s / rate.one));
        assay_table_cell(table, at++, assay_view_cell(view, 100.0 * f.mfu));
        assay_table_cell(table, at++, assay_view_cell(view, f.energy_kwh / energy.one));
        assay_table_cell(table, at++, assay_view_cell(view, f.token_j));
        assay_table_cell(table, at++,
                         assay_view_cell(view, 100.0 * f.memory_bytes / f.memory_has_bytes));
        assay_table_cell(table, at++,
                         candidate->fits ? assay_view_basis(view, candidate->plan.best.basis) : "");
    }
    return table;
}

assay_table_t *assay_decision_layout_table(assay_view_t *view, const assay_decision_t *decision) {
    assay_table_t *table = assay_view_table(view, 3 + ASSAY_VIEW_LAYOUT_COLUMNS);
    uint32_t at = 0;
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_CANDIDATE, "", false);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_NODES, "", true);
    column(view, table, &at, ASSAY_MSG_REPORT_COLUMN_DEVICES, "", true);
    assay_view_layout_columns(view, table, &at);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_candidate_t *candidate = &decision->candidate[i];
        const bool fits = name_cell(view, decision, table, i, &at);
        assay_table_cellf(table, at++, "%u", candidate->machine->nodes);
        assay_table_cellf(table, at++, "%u", candidate->machine->devices);
        if (fits) {
            assay_view_layout_cells(view, table, &at, &candidate->plan.best.layout);
        }
    }
    return table;
}
