/* A search: the fastest layout, those that trade speed for memory, and why the rest was refused. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/write.h"

#include "base/banned.h"

static assay_table_t *pareto_table(assay_view_t *view, const assay_machine_t *machine,
                                   const assay_plan_t *plan) {
    assay_table_t *table = assay_view_table(view, ASSAY_VIEW_LAYOUT_COLUMNS + 4);
    const assay_scale_t step =
        assay_view_scale(view, ASSAY_SCALE_TIME, plan->pareto[plan->n_pareto - 1].step_s);
    const assay_scale_t rate = assay_view_scale(view, ASSAY_SCALE_COUNT, plan->best.tokens_per_s);
    const assay_scale_t memory =
        assay_view_scale(view, ASSAY_SCALE_BYTES, machine->device.hbm_bytes);
    const struct {
        assay_message_t name;
        const char *unit;
    } number[] = {{ASSAY_MSG_REPORT_COLUMN_STEP, step.unit},
                  {assay_view_rate_column(plan->best.sample), rate.unit},
                  {ASSAY_MSG_REPORT_COLUMN_MFU, "%"},
                  {ASSAY_MSG_REPORT_COLUMN_MEMORY, memory.unit}};
    uint32_t first = 0;
    assay_view_layout_columns(view, table, &first);
    for (uint32_t c = 0; c < 4; c++) {
        assay_table_column(table, ASSAY_VIEW_LAYOUT_COLUMNS + c,
                           assay_view_message(view, number[c].name), number[c].unit, true);
    }
    for (uint32_t i = 0; i < plan->n_pareto; i++) {
        const assay_estimate_t *estimate = &plan->pareto[i];
        assay_table_row(table);
        uint32_t at = 0;
        assay_view_layout_cells(view, table, &at, &estimate->layout);
        assay_table_cell(table, at++, assay_view_cell(view, estimate->step_s / step.one));
        assay_table_cell(table, at++, assay_view_cell(view, estimate->tokens_per_s / rate.one));
        assay_table_cell(table, at++, assay_view_cell(view, 100.0 * estimate->mfu));
        assay_table_cell(table, at++,
                         assay_view_cell(view, estimate->peak_total_bytes / memory.one));
    }
    return table;
}

/** Parts of a step and of the fullest device's memory side by side would need 100 columns: two
 * tables. */
static assay_table_t *parts_table(assay_view_t *view, const double *part, uint32_t n,
                                  const char *(*name)(uint32_t), assay_scale_kind_t kind,
                                  assay_message_t heading) {
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        sum += part[i];
    }
    const assay_scale_t scale = assay_view_scale(view, kind, sum);
    assay_table_t *table = assay_view_table(view, 3);
    assay_table_column(table, 0, assay_view_message(view, heading), "", false);
    assay_table_column(table, 1, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_AMOUNT),
                       scale.unit, true);
    assay_table_column(table, 2, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_SHARE), "%",
                       true);
    for (uint32_t i = 0; i < n; i++) {
        if (part[i] > 0.0) {
            assay_table_row(table);
            assay_table_cell(table, 0, assay_view_phrase(view, name(i)));
            assay_table_cell(table, 1, assay_view_cell(view, part[i] / scale.one));
            assay_table_cell(table, 2, assay_view_cell(view, 100.0 * part[i] / sum));
        }
    }
    return table;
}

static const char *time_name(uint32_t part) {
    return assay_time_part_name((assay_time_part_t)part);
}

static const char *memory_name(uint32_t part) {
    return assay_memory_part_name((assay_memory_part_t)part);
}

static assay_table_t *refusal_table(assay_view_t *view, const assay_plan_t *plan) {
    assay_table_t *table = assay_view_table(view, 2);
    assay_table_column(table, 0, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_LAYOUTS), "",
                       true);
    assay_table_column(table, 1, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_REFUSED), "",
                       false);
    for (int i = ASSAY_REJECT_NONE + 1; i < ASSAY_REJECT_N; i++) {
        const assay_refusal_t *refusal = &plan->refused[i];
        if (refusal->count > 0) {
            assay_table_row(table);
            assay_table_cellf(table, 0, "%" PRIu64, refusal->count);
            assay_table_cell(table, 1, assay_view_refusal(view, &refusal->nearest));
        }
    }
    return table;
}

static void write_plan(assay_view_t *view, const assay_machine_t *machine,
                       const assay_plan_t *plan) {
    const char *const arg[] = {machine->id, assay_view_count(view, machine->devices),
                               assay_view_format(view, "%" PRIu64, plan->visited),
                               assay_view_format(view, "%" PRIu64, plan->legal)};
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "",
                    assay_view_sentence(view, ASSAY_MSG_REPORT_PLAN_VISITED, arg, 4));
    if (plan->found) {
        const char *layout = assay_view_layout(view, &plan->best.layout);
        const char *step = assay_view_quantity(view, plan->best.step_s, ASSAY_DIM_TIME);
        assay_text_wrap(
            view, ASSAY_STYLE_GOOD, "",
            SAY(view, REPORT_PLAN_BEST, layout, step, assay_view_basis(view, plan->best.basis)));
        if (plan->best.clock < 1.0) {
            assay_text_wrap(
                view, ASSAY_STYLE_PLAIN, "",
                SAY(view, REPORT_PLAN_CLOCK,
                    assay_view_quantity(view, machine->package_limit_w, ASSAY_DIM_POWER),
                    assay_view_percent(view, plan->best.clock)));
        }
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_PARETO));
        assay_text_table(view, plan->n_pareto ? pareto_table(view, machine, plan) : NULL, 0);
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_PARTS));
        assay_text_table(view,
                         parts_table(view, plan->best.time_s, ASSAY_TIME_N, time_name,
                                     ASSAY_SCALE_TIME, ASSAY_MSG_REPORT_COLUMN_TIME_PART),
                         0);
        assay_text_line(view);
        assay_text_table(view,
                         parts_table(view, plan->best.peak_bytes, ASSAY_MEMORY_N, memory_name,
                                     ASSAY_SCALE_BYTES, ASSAY_MSG_REPORT_COLUMN_MEMORY_PART),
                         0);
    } else {
        assay_text_wrap(view, ASSAY_STYLE_WARN, "", SAY(view, REPORT_NO_LAYOUT, machine->id));
    }
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_REFUSALS));
    assay_text_table(view, refusal_table(view, plan), 0);
}

void assay_plans_write_text(assay_view_t *view, const assay_plans_t *plans) {
    for (uint32_t i = 0; i < plans->n; i++) {
        if (i > 0) {
            assay_text_line(view);
        }
        write_plan(view, &plans->machine[i], &plans->plan[i]);
    }
}

void assay_plans_write_json(assay_view_t *view, const assay_plans_t *plans) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    if (!plans->many) {
        assay_json_plan(view, &json, NULL, plans->machine, plans->plan);
        return;
    }
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "candidates");
    for (uint32_t i = 0; i < plans->n; i++) {
        assay_json_plan(view, &json, NULL, &plans->machine[i], &plans->plan[i]);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

/** What the layouts that were found count. */
static const char *sample_of(const assay_plans_t *plans) {
    for (uint32_t p = 0; p < plans->n; p++) {
        if (plans->plan[p].found) {
            return plans->plan[p].best.sample;
        }
    }
    return NULL;
}

/** The best layout and the Pareto front, one row each. */
void assay_plans_write_csv(assay_view_t *view, const assay_plans_t *plans) {
    static const char *const name[] = {"candidate",
                                       "best",
                                       "tp",
                                       "pp",
                                       "vpp",
                                       "cp",
                                       "ep",
                                       "dp",
                                       "micro_batch",
                                       "n_micro",
                                       "zero",
                                       "recompute",
                                       "sequence_parallel",
                                       "step_time_s",
                                       "tokens_per_s",
                                       "mfu",
                                       "memory_bytes",
                                       "basis"};
    enum { N_COLUMN = sizeof name / sizeof name[0] };
    assay_table_t *table = assay_view_table(view, N_COLUMN);
    for (uint32_t c = 0; c < N_COLUMN; c++) {
        const bool rate = strcmp(name[c], assay_view_rate_key(NULL)) == 0;
        assay_table_column(table, c, rate ? assay_view_rate_key(sample_of(plans)) : name[c], "",
                           false);
    }
    for (uint32_t p = 0; p < plans->n; p++) {
        const assay_plan_t *plan = &plans->plan[p];
        for (uint32_t i = 0; i < plan->n_pareto; i++) {
            const assay_estimate_t *estimate = &plan->pareto[i];
            const assay_layout_t *l = &estimate->layout;
            const uint32_t count[] = {l->tp,
                                      l->pp,
                                      l->vpp,
                                      l->cp > 1 ? l->cp : 1u,
                                      l->ep > 1 ? l->ep : 1u,
                                      l->dp,
                                      l->micro_batch,
                                      l->n_micro,
                                      l->zero};
            const double number[] = {estimate->step_s, estimate->tokens_per_s, estimate->mfu,
                                     estimate->peak_total_bytes};
            uint32_t at = 0;
            assay_table_row(table);
            assay_table_cell(table, at++, plans->machine[p].id);
            assay_table_cell(table, at++, i == 0 ? "true" : "false");
            for (size_t k = 0; k < sizeof count / sizeof count[0]; k++) {
                assay_table_cellf(table, at++, "%u", count[k]);
            }
            assay_table_cell(table, at++, assay_view_recompute(l->recompute));
            assay_table_cell(table, at++, l->sequence_parallel ? "true" : "false");
            for (size_t k = 0; k < sizeof number / sizeof number[0]; k++) {
                assay_table_cell(table, at++, assay_view_count(view, number[k]));
            }
            assay_table_cell(table, at, assay_basis_name((assay_basis_t)estimate->basis));
        }
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}
