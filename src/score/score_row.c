/* The columns of a measurement table, kept apart: those of a prediction, and what was measured. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "score/score_parts.h"

#include "base/banned.h"

const char *score_column_name(score_column_t column) {
#define NAME(code, name) name,
    static const char *const names[SCORE_ALL_N] = {SCORE_COLUMN_LIST(NAME)
                                                       SCORE_MEASURED_LIST(NAME)};
#undef NAME
    return names[column];
}

/* Without these nothing can be said about any row; the others may be missing. */
static const score_column_t required[] = {SCORE_COLUMN_ID,     SCORE_COLUMN_ACCELERATOR,
                                          SCORE_COLUMN_COUNT,  SCORE_COLUMN_MODEL,
                                          SCORE_COLUMN_METRIC, SCORE_COLUMN_VALUE};

assay_status_t score_columns_find(const assay_csv_t *data, score_columns_t *out,
                                  assay_error_t *err) {
    for (int i = 0; i < SCORE_ALL_N; i++) {
        out->column[i] = assay_csv_column(data, score_column_name((score_column_t)i));
    }
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        if (out->column[required[i]] < 0) {
            const assay_place_t at = {data->file, 1, 0};
            assay_error_set(err, ASSAY_INPUT, &at,
                            "no table of measurements: the column '%s' is missing",
                            score_column_name(required[i]));
            assay_error_next(err, "data/measured/README.md describes the columns");
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

bool score_is_serving(const score_columns_t *columns) {
    return columns->column[SCORE_COLUMN_ENGINE] >= 0;
}

void score_row_read(const assay_csv_t *data, const score_columns_t *columns, uint32_t row,
                    score_row_t *out) {
    for (int i = 0; i < SCORE_COLUMN_N; i++) {
        out->text[i] = assay_csv_cell(data, row, columns->column[i]);
    }
}

void score_measured_read(const assay_csv_t *data, const score_columns_t *columns, uint32_t row,
                         score_measured_t *out) {
    for (int i = SCORE_COLUMN_N; i < SCORE_ALL_N; i++) {
        out->text[i - SCORE_COLUMN_N] = assay_csv_cell(data, row, columns->column[i]);
    }
}

bool score_row_count(const score_row_t *row, score_column_t column, uint32_t *out) {
    const char *text = row->text[column];
    uint64_t value;
    if (!assay_text_to_u64(text, strlen(text), &value) || value == 0 || value > UINT32_MAX) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

const char *score_reason_sentence(score_reason_t reason) {
#define SENTENCE(code, sentence) sentence,
    static const char *const sentences[SCORE_REASON_N] = {SCORE_REASON_LIST(SENTENCE)};
#undef SENTENCE
    return sentences[reason];
}

bool score_skip(score_skip_t *out, score_reason_t reason, const char *format, ...) {
    va_list args;
    va_start(args, format);
    out->reason = (uint8_t)reason;
    vsnprintf(out->detail, sizeof out->detail, format, args);
    va_end(args);
    return false;
}
