/* Two hosts side by side, a difference a row. */
#include <math.h>
#include <string.h>

#include "report/doctor_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_COMPARE_##id)

static const char *sentence(assay_view_t *view, const assay_comparison_t *comparison) {
    const char *same = assay_view_count(view, comparison->n_same),
               *one = assay_view_count(view, comparison->n_one_side);
    return comparison->n_difference == 0
               ? SAY(view, COMPARE_SAME, comparison->a, comparison->b, same, one)
               : SAY(view, COMPARE_DIFFER, comparison->a, comparison->b,
                     assay_view_count(view, comparison->n_difference),
                     assay_view_count(view, comparison->n_worse), same, one);
}

/* "-12 %, worse", "worse", or nothing. */
static const char *change_of(assay_view_t *view, const assay_difference_t *difference) {
    const char *worse = difference->worse ? TEXT(WORSE) : "";
    return isnan(difference->change)
               ? worse
               : assay_view_format(view, "%+.1f %%%s%s", 100 * difference->change,
                                   *worse ? ", " : "", worse);
}

static assay_table_t *table_of(assay_view_t *view, const assay_comparison_t *comparison) {
    assay_table_t *table = assay_view_table(view, 5);
    assay_table_column(table, 0, TEXT(COLUMN_GROUP), "", false);
    assay_table_column(table, 1, TEXT(COLUMN_WHAT), "", false);
    assay_table_column(table, 2, TEXT(COLUMN_A), "", false);
    assay_table_column(table, 3, TEXT(COLUMN_B), "", false);
    assay_table_column(table, 4, TEXT(COLUMN_CHANGE), "", false);
    assay_table_whole(table, 0);
    assay_table_whole(table, 1);
    for (uint32_t i = 0; i < comparison->n_difference; i++) {
        const assay_difference_t *difference = &comparison->difference[i];
        assay_table_row(table);
        assay_table_cell(table, 0,
                         assay_view_phrase(view, assay_compare_group_name(
                                                     (assay_compare_group_t)difference->group)));
        assay_table_cell(table, 1, difference->what);
        assay_table_cell(table, 2, difference->a);
        assay_table_cell(table, 3, difference->b);
        assay_table_cell(table, 4, change_of(view, difference));
    }
    return table;
}

void assay_comparison_write_text(assay_view_t *view, const assay_comparison_t *comparison) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", sentence(view, comparison));
    if (comparison->n_difference > 0) {
        assay_text_line(view);
        assay_table_print(table_of(view, comparison), ASSAY_TABLE_TEXT, view->width, view->out);
    }
}

void assay_comparison_write_csv(assay_view_t *view, const assay_comparison_t *comparison) {
    assay_table_print(table_of(view, comparison), ASSAY_TABLE_CSV, 0, view->out);
}

void assay_comparison_write_markdown(assay_view_t *view, const assay_comparison_t *comparison) {
    assay_buf_puts(view->out, "# ");
    assay_markdown_text(view, sentence(view, comparison));
    assay_buf_puts(view->out, "\n\n");
    if (comparison->n_difference > 0) {
        assay_table_print(table_of(view, comparison), ASSAY_TABLE_MARKDOWN, 0, view->out);
    }
}

static void put_side(assay_json_t *json, const char *key, const char *value,
                     const assay_place_t *at) {
    assay_json_begin_object(json, key);
    assay_json_string(json, "value", value);
    assay_json_string(json, "file", at->file);
    assay_json_number_if(json, "line", at->line > 0, at->line);
    assay_json_end(json);
}

void assay_comparison_write_json(assay_view_t *view, const assay_comparison_t *comparison) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "a", comparison->a);
    assay_json_string(&json, "b", comparison->b);
    assay_json_begin_array(&json, "differences");
    for (uint32_t i = 0; i < comparison->n_difference; i++) {
        const assay_difference_t *difference = &comparison->difference[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "kind",
                          assay_compare_group_name((assay_compare_group_t)difference->group));
        assay_json_string(&json, "what", difference->what);
        put_side(&json, "a", difference->a, &difference->at_a);
        put_side(&json, "b", difference->b, &difference->at_b);
        assay_json_number_if(&json, "change", !isnan(difference->change), difference->change);
        assay_json_bool(&json, "worse", difference->worse);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_begin_object(&json, "summary");
    assay_json_string(&json, "sentence", sentence(view, comparison));
    assay_json_count(&json, "different", comparison->n_difference);
    assay_json_count(&json, "worse", comparison->n_worse);
    assay_json_count(&json, "same", comparison->n_same);
    assay_json_count(&json, "one_side", comparison->n_one_side);
    assay_json_end(&json);
    assay_json_end(&json);
}
