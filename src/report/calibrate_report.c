/* Fitted constants and the errors of what was left out. */
#include "assay/calibrate.h"
#include "report/write.h"

#include "base/banned.h"

static const char *dtype_of(const assay_calibrate_row_t *row) {
    return row->dtype == ASSAY_DT_N ? "*" : assay_dtype_name(row->dtype);
}

/** As data/calibration.csv has them. */
void assay_calibrate_write_csv(assay_view_t *view, const assay_calibrate_t *fit) {
    static const char *const name[] = {"scope", "dtype", "constant", "value",  "p10",   "p90",
                                       "basis", "rows",  "unit",     "source", "method"};
    enum { N_COLUMN = sizeof name / sizeof name[0] };
    assay_table_t *table = assay_view_table(view, N_COLUMN);
    for (uint32_t c = 0; c < N_COLUMN; c++) {
        assay_table_column(table, c, name[c], "", false);
    }
    for (uint32_t i = 0; i < fit->n_row; i++) {
        const assay_calibrate_row_t *row = &fit->row[i];
        assay_table_row(table);
        assay_table_cell(table, 0, row->scope);
        assay_table_cell(table, 1, dtype_of(row));
        assay_table_cell(table, 2, assay_calib_name(row->constant));
        assay_table_cellf(table, 3, "%.3g", row->value);
        assay_table_cellf(table, 4, "%.3g", row->p10);
        assay_table_cellf(table, 5, "%.3g", row->p90);
        assay_table_cell(table, 6, assay_basis_name(row->basis));
        assay_table_cellf(table, 7, "%u", row->rows);
        assay_table_cell(table, 8, assay_calib_unit(row->constant));
        assay_table_cell(table, 9, fit->file);
        assay_table_cell(table, 10, row->method);
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}

void assay_calibrate_write_json(assay_view_t *view, const assay_calibrate_t *fit) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "errors");
    for (uint32_t i = 0; i < fit->n_error; i++) {
        const assay_calibrate_error_t *error = &fit->error[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "left_out", error->left_out);
        assay_json_string(&json, "engine", error->engine);
        assay_json_string(&json, "accelerator", error->accelerator);
        assay_json_count(&json, "rows", error->rows);
        assay_json_number(&json, "median_abs_rel_error", error->median);
        assay_json_number(&json, "p90_abs_rel_error", error->p90);
        assay_json_number(&json, "roofline_median_abs_rel_error", error->roofline_median);
        assay_json_number(&json, "interval_coverage", error->coverage);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "constants");
    for (uint32_t i = 0; i < fit->n_row; i++) {
        const assay_calibrate_row_t *row = &fit->row[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "scope", row->scope);
        assay_json_string(&json, "dtype", dtype_of(row));
        assay_json_string(&json, "constant", assay_calib_name(row->constant));
        assay_json_number(&json, "value", row->value);
        assay_json_number(&json, "p10", row->p10);
        assay_json_number(&json, "p90", row->p90);
        assay_json_string(&json, "unit", assay_calib_unit(row->constant));
        assay_json_string(&json, "basis", assay_basis_name(row->basis));
        assay_json_count(&json, "rows", row->rows);
        assay_json_string(&json, "method", row->method);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

void assay_calibrate_write_text(assay_view_t *view, const assay_calibrate_t *fit) {
    static const assay_view_column_t column[] = {{ASSAY_MSG_REPORT_COLUMN_LEFT_OUT, "", false},
                                                 {ASSAY_MSG_REPORT_COLUMN_ENGINE, "", false},
                                                 {ASSAY_MSG_REPORT_COLUMN_ACCELERATOR, "", false},
                                                 {ASSAY_MSG_REPORT_COLUMN_ROWS, "", true},
                                                 {ASSAY_MSG_REPORT_COLUMN_MEDIAN, "%", true},
                                                 {ASSAY_MSG_REPORT_COLUMN_P90, "%", true},
                                                 {ASSAY_MSG_REPORT_COLUMN_COVERAGE, "%", true},
                                                 {ASSAY_MSG_REPORT_COLUMN_ROOFLINE, "%", true}};
    enum { N_COLUMN = sizeof column / sizeof column[0] };
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                    SAY(view, REPORT_CALIBRATE, assay_view_count(view, fit->n_row), fit->file));
    assay_table_t *table = assay_view_table_of(view, column, N_COLUMN);
    assay_table_whole(table, 0);
    assay_table_whole(table, 1);
    assay_table_whole(table, 2);
    for (uint32_t i = 0; i < fit->n_error; i++) {
        const assay_calibrate_error_t *error = &fit->error[i];
        assay_table_row(table);
        assay_table_cell(table, 0, assay_view_phrase(view, error->left_out));
        assay_table_cell(table, 1, assay_view_phrase(view, error->engine));
        assay_table_cell(table, 2, error->accelerator);
        assay_table_cellf(table, 3, "%u", error->rows);
        assay_table_cell(table, 4, assay_view_cell(view, 100.0 * error->median));
        assay_table_cell(table, 5, assay_view_cell(view, 100.0 * error->p90));
        assay_table_cellf(table, 6, "%.0f", 100.0 * error->coverage);
        assay_table_cell(table, 7, assay_view_cell(view, 100.0 * error->roofline_median));
    }
    assay_text_table(view, table, 0);
}
