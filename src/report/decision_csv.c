/* One row a candidate, full precision, the unit in the column's name. Empty = unknown. */
#include <math.h>

#include "report/study_view.h"

#include "base/banned.h"

typedef struct {
    const char *name;
    size_t offset;      /* in assay_figures_t */
    const char *sample; /* its name where samples of a network are counted; NULL: the same */
} number_column_t;

static const number_column_t number_column[] = {
    {"step_time_s", offsetof(assay_figures_t, step_s), NULL},
    {"tokens_per_s", offsetof(assay_figures_t, tokens_per_s), "samples_per_s"},
    {"mfu", offsetof(assay_figures_t, mfu), NULL},
    {"device_w", offsetof(assay_figures_t, device_w), NULL},
    {"days", offsetof(assay_figures_t, days), NULL},
    {"energy_kwh", offsetof(assay_figures_t, energy_kwh), NULL},
    {"joules_per_token", offsetof(assay_figures_t, token_j), "joules_per_sample"},
    {"joules_per_token_accelerators", offsetof(assay_figures_t, token_packages_j),
     "joules_per_sample_accelerators"},
    {"cost_total_usd", offsetof(assay_figures_t, job_usd), NULL},
    {"cost_p10_usd", offsetof(assay_figures_t, job_p10_usd), NULL},
    {"cost_p90_usd", offsetof(assay_figures_t, job_p90_usd), NULL},
    {"cost_per_epoch_usd", offsetof(assay_figures_t, epoch_usd), NULL},
    {"tco_usd", offsetof(assay_figures_t, tco_usd), NULL},
    {"tco_p10_usd", offsetof(assay_figures_t, tco_p10_usd), NULL},
    {"tco_p90_usd", offsetof(assay_figures_t, tco_p90_usd), NULL},
    {"memory_bytes", offsetof(assay_figures_t, memory_bytes), NULL},
    {"memory_available_bytes", offsetof(assay_figures_t, memory_has_bytes), NULL},
    {"probability_cheapest", offsetof(assay_figures_t, p_best), NULL},
};
static const char *const layout_column[] = {"tp",
                                            "pp",
                                            "vpp",
                                            "cp",
                                            "ep",
                                            "dp",
                                            "micro_batch",
                                            "n_micro",
                                            "zero",
                                            "recompute",
                                            "sequence_parallel"};
static const char *const first_column[] = {"candidate", "choice", "fits",    "meets_deadline",
                                           "eligible",  "nodes",  "devices", "basis"};

enum {
    N_NUMBER = sizeof number_column / sizeof number_column[0],
    N_LAYOUT = sizeof layout_column / sizeof layout_column[0],
    N_FIRST = sizeof first_column / sizeof first_column[0]
};

static const char *flag(bool value) {
    return value ? "true" : "false";
}

static void write_layout(assay_table_t *table, uint32_t at, const assay_layout_t *layout) {
    const uint32_t number[] = {layout->tp,
                               layout->pp,
                               layout->vpp,
                               layout->cp > 1 ? layout->cp : 1u,
                               layout->ep > 1 ? layout->ep : 1u,
                               layout->dp,
                               layout->micro_batch,
                               layout->n_micro,
                               layout->zero};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        assay_table_cellf(table, at++, "%u", number[i]);
    }
    assay_table_cell(table, at++, assay_view_recompute(layout->recompute));
    assay_table_cell(table, at, flag(layout->sequence_parallel));
}

static void write_candidate(assay_view_t *view, assay_table_t *table,
                            const assay_decision_t *decision, uint32_t i) {
    const assay_candidate_t *candidate = &decision->candidate[i];
    const assay_figures_t figures = assay_view_figures(decision, candidate);
    uint32_t at = 0;
    assay_table_row(table);
    assay_table_cell(table, at++, candidate->machine->id);
    assay_table_cell(table, at++, flag(decision->choice == (int32_t)i));
    assay_table_cell(table, at++, flag(candidate->fits));
    assay_table_cell(table, at++, flag(candidate->fits && candidate->meets_deadline));
    assay_table_cell(table, at++, flag(candidate->eligible));
    assay_table_cellf(table, at++, "%u", candidate->machine->nodes);
    assay_table_cellf(table, at++, "%u", candidate->machine->devices);
    if (candidate->fits) {
        const assay_estimate_t *best = &candidate->plan.best;
        assay_table_cell(table, at, assay_basis_name((assay_basis_t)best->basis));
        write_layout(table, N_FIRST, &best->layout);
    }
    for (uint32_t c = 0; c < N_NUMBER; c++) {
        const double value =
            *(const double *)(const void *)((const char *)&figures + number_column[c].offset);
        if (isfinite(value)) {
            assay_table_cell(table, N_FIRST + N_LAYOUT + c, assay_view_count(view, value));
        }
    }
}

void assay_decision_write_csv(assay_view_t *view, const assay_decision_t *decision) {
    assay_table_t *table =
        assay_view_table(view, N_FIRST + N_LAYOUT + N_NUMBER + ASSAY_STUDY_COLUMNS);
    for (uint32_t c = 0; c < N_FIRST; c++) {
        assay_table_column(table, c, first_column[c], "", false);
    }
    for (uint32_t c = 0; c < N_LAYOUT; c++) {
        assay_table_column(table, N_FIRST + c, layout_column[c], "", false);
    }
    for (uint32_t c = 0; c < N_NUMBER; c++) {
        const char *sample =
            decision->resolved->workload.net.sample ? number_column[c].sample : NULL;
        assay_table_column(table, N_FIRST + N_LAYOUT + c, sample ? sample : number_column[c].name,
                           "", true);
    }
    const assay_study_t study = assay_study_of_decision(decision);
    assay_study_csv_columns(table, N_FIRST + N_LAYOUT + N_NUMBER);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        write_candidate(view, table, decision, i);
        if (decision->choice == (int32_t)i) {
            assay_study_csv_cells(view, table, N_FIRST + N_LAYOUT + N_NUMBER, &study);
        }
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}
