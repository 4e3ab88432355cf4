/* One row a candidate, full precision, the unit in the column's name. Empty = does not serve it. */
#include <math.h>

#include "report/serving_view.h"
#include "report/study_view.h"

#include "base/banned.h"

enum { N_NUMBER = 24, N_FIRST = 6 };
static const char *const first_column[N_FIRST] = {"candidate", "accelerator", "choice",
                                                  "fits",      "fleet",       "weights"};
static const char *const number_column[N_NUMBER] = {"nodes",
                                                    "devices",
                                                    "replicas",
                                                    "prefill_replicas",
                                                    "requests_per_s_per_replica",
                                                    "month_usd",
                                                    "tco_usd",
                                                    "tco_p10_usd",
                                                    "tco_p90_usd",
                                                    "p_cheapest",
                                                    "usd_per_million_output_tokens",
                                                    "usd_per_million_input_tokens_apart",
                                                    "usd_per_million_cached_tokens_apart",
                                                    "usd_per_million_output_tokens_apart",
                                                    "output_tokens_per_s",
                                                    "output_tokens_per_s_per_device",
                                                    "output_tokens_per_s_per_user",
                                                    "output_tokens_per_s_per_w",
                                                    "ttft_p50_s",
                                                    "ttft_p99_s",
                                                    "tpot_p50_s",
                                                    "tpot_p99_s",
                                                    "e2e_p50_s",
                                                    "e2e_p99_s"};

static void numbers_of(const assay_serving_candidate_t *c, double out[N_NUMBER]) {
    const assay_serve_fleet_t *f = c->fleet;
    const double number[N_NUMBER] = {f->nodes,
                                     f->devices,
                                     f->replicas,
                                     f->prefill_replicas,
                                     f->rate_per_s,
                                     c->month_usd,
                                     c->point.tco_usd,
                                     c->tco_usd.p10,
                                     c->tco_usd.p90,
                                     c->p_best,
                                     c->usd_per_million_output,
                                     c->usd_per_million_input_apart,
                                     c->has_cached ? c->usd_per_million_cached_apart : (double)NAN,
                                     c->usd_per_million_output_apart,
                                     f->output_tokens_per_s,
                                     f->output_tokens_per_s_per_device,
                                     f->output_tokens_per_s_per_user,
                                     c->tokens_per_s_per_w,
                                     f->ttft.p50_s,
                                     f->ttft.p99_s,
                                     f->tpot.p50_s,
                                     f->tpot.p99_s,
                                     f->e2e.p50_s,
                                     f->e2e.p99_s};
    for (int i = 0; i < N_NUMBER; i++) {
        out[i] = number[i];
    }
}

void assay_serving_write_csv(assay_view_t *view, const assay_serving_decision_t *decision) {
    assay_table_t *table = assay_view_table(view, N_FIRST + N_NUMBER + ASSAY_STUDY_COLUMNS);
    const assay_study_t study = assay_study_of_serving(decision);
    for (uint32_t i = 0; i < N_FIRST; i++) {
        assay_table_column(table, i, first_column[i], "", false);
    }
    for (uint32_t i = 0; i < N_NUMBER; i++) {
        assay_table_column(table, N_FIRST + i, number_column[i], "", true);
    }
    assay_study_csv_columns(table, N_FIRST + N_NUMBER);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        assay_table_row(table);
        assay_table_cell(table, 0, c->machine->id);
        assay_table_cell(table, 1, c->machine->accelerator->id);
        assay_table_cell(table, 2, decision->choice == (int32_t)i ? "true" : "false");
        assay_table_cell(table, 3, c->fleet ? "true" : "false");
        if (!c->fleet) {
            continue;
        }
        double number[N_NUMBER];
        numbers_of(c, number);
        assay_table_cell(table, 4, assay_serving_fleet(view, c->fleet));
        assay_table_cell(table, 5, assay_serving_format(view, c->serving, c->fleet));
        for (uint32_t k = 0; k < N_NUMBER; k++) {
            char text[32] = "";
            if (isfinite(number[k])) {
                assay_text_from_double(text, number[k]);
            }
            assay_table_cell(table, N_FIRST + k, text);
        }
        if (decision->choice == (int32_t)i) {
            assay_study_csv_cells(view, table, N_FIRST + N_NUMBER, &study);
        }
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}
