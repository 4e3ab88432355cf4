/* What became of simulated requests. */
#include "report/write.h"

#include "base/banned.h"

typedef struct {
    const char *key, *name;
    const assay_sim_histogram_t *histogram;
} row_t;

enum { N_ROW = 5 };

static void rows_of(const assay_sim_result_t *result, row_t out[N_ROW]) {
    out[0] = (row_t){"ttft", "TTFT", &result->ttft};
    out[1] = (row_t){"tpot", "TPOT", &result->tpot};
    out[2] = (row_t){"itl", "ITL", &result->itl};
    out[3] = (row_t){"e2e", "E2E", &result->e2e};
    out[4] = (row_t){"queue", "queue", &result->queue};
}

static const double shares[] = {.5, .9, .95, .99, .999};
enum { N_SHARE = sizeof shares / sizeof shares[0] };

static void write_one(assay_view_t *view, const assay_simulated_t *s) {
    const assay_sim_result_t *r = s->result;
    row_t row[N_ROW];
    assay_table_t *table = assay_view_table(view, 2 + N_SHARE);
    assay_table_column(table, 0, assay_view_message(view, ASSAY_MSG_SIMULATE_COLUMN_WHAT), "",
                       false);
    assay_table_column(table, 1, assay_view_message(view, ASSAY_MSG_SIMULATE_COLUMN_MEAN), "",
                       true);
    for (uint32_t k = 0; k < N_SHARE; k++) {
        assay_table_column(table, 2 + k,
                           assay_view_format(view, "p%s", assay_view_number(view, 100 * shares[k])),
                           "", true);
    }
    rows_of(r, row);
    for (int i = 0; i < N_ROW; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, row[i].name);
        assay_table_cell(
            table, 1,
            assay_view_quantity(view, assay_sim_mean_s(row[i].histogram), ASSAY_DIM_TIME));
        for (uint32_t k = 0; k < N_SHARE; k++) {
            assay_table_cell(table, 2 + k,
                             assay_view_quantity(view,
                                                 assay_sim_quantile_s(row[i].histogram, shares[k]),
                                                 ASSAY_DIM_TIME));
        }
    }
    assay_text_heading(
        view, SAY(view, SIMULATE_HEADING, s->machine->id,
                  assay_view_format(view, "%u x TP%u", s->fleet->replicas, s->fleet->layout.tp),
                  assay_view_count(view, (double)r->requests)));
    assay_text_table(view, table, 0);
    const double replicas = s->fleet->replicas;
    const double groups = replicas * s->fleet->layout.pp;
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                    SAY(view, SIMULATE_TOKENS,
                        assay_view_number(view, (double)r->requests / r->duration_s),
                        assay_view_number(view, (double)r->output_tokens / r->duration_s),
                        assay_view_percent(view, r->busy_s / (groups * r->duration_s)),
                        assay_view_number(view, r->kv_token_s / (replicas * r->duration_s)),
                        assay_view_number(view, s->fleet->memory.tokens)));
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                    SAY(view, SIMULATE_EVENTS, assay_view_count(view, (double)r->preemptions),
                        assay_view_count(view, (double)r->refused)));
    const assay_serving_t *serving = s->serving;
    if (serving->ttft_p99_s > 0 || serving->tpot_p99_s > 0 || serving->e2e_p99_s > 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SIMULATE_GOOD,
                            assay_view_percent(view, (double)r->good / (double)r->requests)));
    }
}

void assay_simulated_write_text(assay_view_t *view, const assay_simulated_list_t *list) {
    for (uint32_t i = 0; i < list->n; i++) {
        write_one(view, &list->item[i]);
    }
}

void assay_simulated_write_json(assay_view_t *view, const assay_simulated_list_t *list) {
    static const char *const key[N_SHARE] = {"p50_s", "p90_s", "p95_s", "p99_s", "p999_s"};
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "candidates");
    for (uint32_t i = 0; i < list->n; i++) {
        const assay_simulated_t *s = &list->item[i];
        const assay_sim_result_t *r = s->result;
        row_t row[N_ROW];
        rows_of(r, row);
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "id", s->machine->id);
        assay_json_count(&json, "replicas", s->fleet->replicas);
        assay_json_count(&json, "tp", s->fleet->layout.tp);
        assay_json_count(&json, "pp", s->fleet->layout.pp);
        assay_json_count(&json, "requests", r->requests);
        for (int k = 0; k < N_ROW; k++) {
            assay_json_begin_object(&json, row[k].key);
            assay_json_number(&json, "mean_s", assay_sim_mean_s(row[k].histogram));
            for (uint32_t q = 0; q < N_SHARE; q++) {
                assay_json_number(&json, key[q], assay_sim_quantile_s(row[k].histogram, shares[q]));
            }
            assay_json_end(&json);
        }
        assay_json_number(&json, "requests_per_s", (double)r->requests / r->duration_s);
        assay_json_number(&json, "output_tokens_per_s", (double)r->output_tokens / r->duration_s);
        assay_json_number(&json, "goodput_requests_per_s", (double)r->good / r->duration_s);
        assay_json_number(&json, "busy_share",
                          r->busy_s / (s->fleet->replicas * (double)s->fleet->layout.pp) /
                              r->duration_s);
        assay_json_count(&json, "preemptions", r->preemptions);
        assay_json_count(&json, "refused", r->refused);
        assay_json_count(&json, "steps", r->steps);
        assay_json_number(&json, "duration_s", r->duration_s);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}
