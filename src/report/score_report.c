/* How far predictions are from measurements. */
#include <math.h>
#include <string.h>

#include "report/write.h"

#include "base/banned.h"

static void write_ranking(assay_json_t *json, const char *key,
                          const assay_score_ranking_t *ranking) {
    assay_json_begin_object(json, key);
    assay_json_string(json, "key", ranking->key);
    assay_json_count(json, "pairs", ranking->pairs);
    assay_json_number_if(json, "accuracy", ranking->pairs, ranking->accuracy);
    assay_json_number_if(json, "baseline_accuracy", ranking->pairs, ranking->baseline_accuracy);
}

static void write_rankings(assay_json_t *json, const assay_score_t *score) {
    write_ranking(json, "ranking", &score->ranking);
    write_ranking(json, "amd_nvidia", &score->ranking_amd_nvidia);
    assay_json_end(json);
    assay_json_begin_array(json, "by_pair");
    for (uint32_t i = 0; i < score->n_ranking_pair; i++) {
        write_ranking(json, NULL, &score->ranking_pair[i]);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_end(json);
}

static void write_group(assay_json_t *json, const assay_score_group_t *group) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "by", group->by);
    assay_json_string(json, "key", group->key);
    assay_json_count(json, "n", group->n);
    assay_json_number(json, "median_abs_rel_error", group->median_abs_rel_error);
    assay_json_number(json, "p90_abs_rel_error", group->p90_abs_rel_error);
    assay_json_number(json, "bias", group->bias);
    assay_json_number(json, "interval_coverage", group->interval_coverage);
    assay_json_end(json);
}

static void write_item(assay_json_t *json, const assay_score_item_t *item) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", item->id);
    assay_json_string(json, "source", item->source);
    assay_json_string(json, "accelerator", item->accelerator);
    assay_json_string(json, "metric", item->metric);
    assay_json_string(json, "unit", item->unit);
    assay_json_number(json, "measured", item->measured);
    if (item->skipped) {
        assay_json_string(json, "skipped", item->skipped);
        assay_json_string(json, "detail", item->skip_detail);
    } else {
        assay_json_number(json, "predicted", item->predicted);
        assay_json_number(json, "p10", item->p10);
        assay_json_number(json, "p90", item->p90);
        assay_json_string(json, "basis", assay_basis_name((assay_basis_t)item->basis));
        assay_json_number(json, "rel_error", item->rel_error);
        assay_json_bool(json, "does_not_fit", item->does_not_fit);
    }
    assay_json_end(json);
}

void assay_score_write_json(assay_view_t *view, const assay_score_t *score) {
    const bool any = score->predicted > 0;
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_count(&json, "rows", score->rows);
    assay_json_count(&json, "predicted", score->predicted);
    assay_json_count(&json, "skipped", score->skipped);
    assay_json_count(&json, "does_not_fit", score->does_not_fit);
    assay_json_number_if(&json, "median_abs_rel_error", any, score->median_abs_rel_error);
    assay_json_number_if(&json, "p90_abs_rel_error", any, score->p90_abs_rel_error);
    assay_json_number_if(&json, "macro_median_by_source", any, score->macro_median_by_source);
    assay_json_number_if(&json, "macro_p90_by_source", any, score->macro_p90_by_source);
    assay_json_number_if(&json, "bias", any, score->bias);
    assay_json_number_if(&json, "interval_coverage", any, score->interval_coverage);
    assay_json_number_if(&json, "interval_score", any, score->interval_score);
    assay_json_number_if(&json, "interval_score_constant", any, score->interval_score_constant);
    write_rankings(&json, score);
    assay_json_begin_array(&json, "groups");
    for (uint32_t i = 0; i < score->n_group; i++) {
        write_group(&json, &score->group[i]);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "items");
    for (uint32_t i = 0; i < score->n_item; i++) {
        write_item(&json, &score->item[i]);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

void assay_score_write_csv(assay_view_t *view, const assay_score_t *score) {
    static const char *const name[] = {"id",   "source",    "accelerator", "metric",
                                       "unit", "measured",  "predicted",   "p10",
                                       "p90",  "rel_error", "basis",       "skipped"};
    enum { N_COLUMN = sizeof name / sizeof name[0] };
    assay_table_t *table = assay_view_table(view, N_COLUMN);
    for (uint32_t c = 0; c < N_COLUMN; c++) {
        assay_table_column(table, c, name[c], "", false);
    }
    for (uint32_t i = 0; i < score->n_item; i++) {
        const assay_score_item_t *item = &score->item[i];
        const char *const text[] = {item->id, item->source, item->accelerator, item->metric,
                                    item->unit};
        const double number[] = {item->measured, item->predicted, item->p10, item->p90,
                                 item->rel_error};
        uint32_t at = 0;
        assay_table_row(table);
        for (size_t k = 0; k < sizeof text / sizeof text[0]; k++) {
            assay_table_cell(table, at++, text[k]);
        }
        for (size_t k = 0; k < sizeof number / sizeof number[0]; k++, at++) {
            if (isfinite(number[k]) && (k == 0 || !item->skipped)) {
                assay_table_cell(table, at, assay_view_count(view, number[k]));
            }
        }
        assay_table_cell(table, at++,
                         item->skipped ? "" : assay_basis_name((assay_basis_t)item->basis));
        assay_table_cell(table, at, item->skipped);
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}

static assay_table_t *group_table(assay_view_t *view, const assay_score_t *score) {
    static const assay_view_column_t column[] = {{ASSAY_MSG_REPORT_COLUMN_BY, "", false},
                                                 {ASSAY_MSG_REPORT_COLUMN_GROUP, "", false},
                                                 {ASSAY_MSG_REPORT_COLUMN_ROWS, "", true},
                                                 {ASSAY_MSG_REPORT_COLUMN_MEDIAN_ERROR, "%", true},
                                                 {ASSAY_MSG_REPORT_COLUMN_P90_ERROR, "%", true},
                                                 {ASSAY_MSG_REPORT_COLUMN_BIAS, "ln", true},
                                                 {ASSAY_MSG_REPORT_COLUMN_COVERAGE, "%", true}};
    enum { N_COLUMN = sizeof column / sizeof column[0] };
    assay_table_t *table = assay_view_table_of(view, column, N_COLUMN);
    assay_table_whole(table, 0);
    assay_table_whole(table, 1);
    for (uint32_t i = 0; i < score->n_group; i++) {
        const assay_score_group_t *group = &score->group[i];
        assay_table_row(table);
        assay_table_cell(table, 0, assay_view_phrase(view, group->by));
        assay_table_cell(table, 1, group->key);
        assay_table_cellf(table, 2, "%u", group->n);
        assay_table_cell(table, 3, assay_view_cell(view, 100.0 * group->median_abs_rel_error));
        assay_table_cell(table, 4, assay_view_cell(view, 100.0 * group->p90_abs_rel_error));
        assay_table_cell(table, 5, assay_view_cell(view, group->bias));
        assay_table_cell(table, 6, assay_view_cell(view, 100.0 * group->interval_coverage));
    }
    return table;
}

/** Reasons with their counts. */
static assay_table_t *skipped_table(assay_view_t *view, const assay_score_t *score) {
    assay_table_t *table = assay_view_table(view, 2);
    assay_table_column(table, 0, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_ROWS), "", true);
    assay_table_column(table, 1, assay_view_message(view, ASSAY_MSG_REPORT_COLUMN_SKIPPED), "",
                       false);
    for (uint32_t i = 0; i < score->n_skip; i++) {
        assay_table_row(table);
        assay_table_cellf(table, 0, "%u", score->skip[i].n);
        assay_table_cell(table, 1, assay_view_phrase(view, score->skip[i].reason));
    }
    return table;
}

static const char *ranking_text(assay_view_t *view, const assay_score_ranking_t *ranking,
                                const char *key) {
    return SAY(view, REPORT_SCORE_RANKING, key, assay_view_count(view, ranking->pairs),
               assay_view_percent(view, ranking->accuracy),
               assay_view_percent(view, ranking->baseline_accuracy));
}

void assay_score_write_text(assay_view_t *view, const assay_score_t *score) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "",
                    SAY(view, REPORT_SCORE_ROWS, assay_view_count(view, score->rows),
                        assay_view_count(view, score->predicted),
                        assay_view_count(view, score->skipped)));
    if (score->predicted > 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        SAY(view, REPORT_SCORE_ERROR,
                            assay_view_percent(view, score->median_abs_rel_error),
                            assay_view_percent(view, score->p90_abs_rel_error),
                            assay_view_percent(view, score->macro_median_by_source),
                            assay_view_number(view, score->bias)));
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        SAY(view, REPORT_SCORE_INTERVAL,
                            assay_view_percent(view, score->interval_coverage),
                            assay_view_number(view, score->interval_score),
                            assay_view_number(view, score->interval_score_constant)));
        if (score->does_not_fit > 0) {
            assay_text_wrap(
                view, ASSAY_STYLE_PLAIN, "",
                SAY(view, REPORT_SCORE_DOES_NOT_FIT, assay_view_count(view, score->does_not_fit)));
        }
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_GROUPS));
        assay_text_table(view, group_table(view, score), 0);
    }
    if (score->ranking.pairs > 0) {
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_RANKING));
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", ranking_text(view, &score->ranking, "all"));
    }
    if (score->ranking_amd_nvidia.pairs > 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        ranking_text(view, &score->ranking_amd_nvidia, "AMD-NVIDIA"));
    }
    for (uint32_t i = 0; i < score->n_ranking_pair; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        ranking_text(view, &score->ranking_pair[i], score->ranking_pair[i].key));
    }
    if (score->skipped > 0) {
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_SKIPPED));
        assay_text_table(view, skipped_table(view, score), 0);
    }
}
