#include "catalog/catalog_table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

typedef struct {
    const catalog_column_t *column;
    const char *cell;
    assay_place_t at;
    const char *source; /* of the row */
    const char *today;  /* NULL: a built-in row, which no clock can make wrong */
} cell_t;

static assay_status_t refuse(const cell_t *cell, assay_error_t *err, const char *expected) {
    assay_error_set(err, ASSAY_INPUT, &cell->at, "column '%s': '%s' is not %s", cell->column->name,
                    cell->cell, expected);
    return ASSAY_INPUT;
}

static assay_status_t parse_number(const cell_t *cell, double *out_value, assay_error_t *err) {
    const catalog_column_t *column = cell->column;
    if (!assay_text_to_double(cell->cell, strlen(cell->cell), out_value)) {
        return refuse(cell, err, "a number");
    }
    if (*out_value < column->min || *out_value > column->max) {
        char low[32], high[32];
        assay_text_from_double(low, column->min);
        assay_text_from_double(high, column->max);
        assay_error_set(err, ASSAY_INPUT, &cell->at,
                        "column '%s': %s is out of range, expected %s to %s", column->name,
                        cell->cell, low, high);
        assay_error_next(err, "check the unit in the column's name");
        return ASSAY_INPUT;
    }
    if (column->kind == COLUMN_COUNT && *out_value != floor(*out_value)) {
        return refuse(cell, err, "a whole number");
    }
    return ASSAY_OK;
}

static bool is_digits(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    return true;
}

/* Two digits within 01..max. */
static bool is_part(const char *text, int max) {
    const int value = is_digits(text, 2) ? (text[0] - '0') * 10 + text[1] - '0' : 0;
    return value >= 1 && value <= max;
}

static bool is_date(const char *text) {
    const size_t n = strlen(text);
    if (n < 4 || !is_digits(text, 4)) {
        return false;
    }
    switch (n) {
    case 4:
        return true;
    case 6:
        return text[4] == 'Q' && text[5] >= '1' && text[5] <= '4';
    case 7:
        return text[4] == '-' && is_part(text + 5, 12);
    case 10:
        return text[4] == '-' && is_part(text + 5, 12) && text[7] == '-' && is_part(text + 8, 31);
    default:
        return false;
    }
}

/* First day of what a date names, YYYY-MM-DD. */
static void first_day(const char *date, char out[11]) {
    const size_t n = strlen(date);
    memcpy(out, "0000-01-01", 11);
    memcpy(out, date, n == 6 ? 4 : n);
    if (n == 6) { /* quarters begin in months 1, 4, 7, 10 */
        const int month = 3 * (date[5] - '1') + 1;
        out[5] = (char)('0' + month / 10);
        out[6] = (char)('0' + month % 10);
    }
}

static assay_status_t read_date(const cell_t *cell, assay_error_t *err) {
    char day[11];
    if (!is_date(cell->cell)) {
        return refuse(cell, err, "a date: YYYY, YYYY-MM, YYYY-MM-DD or YYYYQn");
    }
    first_day(cell->cell, day);
    if (cell->today && cell->column->kind == COLUMN_DATE && strcmp(day, cell->today) > 0) {
        assay_error_set(err, ASSAY_INPUT, &cell->at, "column '%s': %s lies ahead, today is %s",
                        cell->column->name, cell->cell, cell->today);
        assay_error_next(err, "say when it was seen");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

static const struct {
    const char *name;
    assay_confidence_t confidence;
} confidences[] = {
    {"low", ASSAY_CONFIDENCE_LOW},
    {"medium", ASSAY_CONFIDENCE_MEDIUM},
    {"medium-high", ASSAY_CONFIDENCE_MEDIUM},
    {"high", ASSAY_CONFIDENCE_HIGH},
};

static assay_status_t read_confidence(const cell_t *cell, uint8_t *out, assay_error_t *err) {
    for (size_t i = 0; i < sizeof confidences / sizeof confidences[0]; i++) {
        if (strcmp(cell->cell, confidences[i].name) == 0) {
            *out = (uint8_t)confidences[i].confidence;
            return ASSAY_OK;
        }
    }
    return refuse(cell, err, "low, medium, medium-high or high");
}

static assay_status_t check_choice(const cell_t *cell, assay_error_t *err) {
    size_t n = 0;
    for (const char *const *choice = cell->column->choice; choice[n]; n++) {
        if (strcmp(choice[n], cell->cell) == 0) {
            return ASSAY_OK;
        }
    }
    const char *near = assay_text_nearest(cell->cell, cell->column->choice, n);
    assay_error_set(err, ASSAY_INPUT, &cell->at, "column '%s': unknown value '%s'",
                    cell->column->name, cell->cell);
    assay_error_next(err, near ? "did you mean '%s'?" : "such as '%s'",
                     near ? near : cell->column->choice[0]);
    return ASSAY_INPUT;
}

static assay_status_t read_cell(const cell_t *cell, void *row, assay_error_t *err) {
    const catalog_column_t *column = cell->column;
    void *to = (char *)row + column->offset;
    const bool empty = cell->cell[0] == '\0';
    double value = 0.0;
    if (empty && column->required) {
        return assay_error_set(err, ASSAY_INPUT, &cell->at, "column '%s' is empty", column->name);
    }
    switch (column->kind) {
    case COLUMN_TEXT:
        *(const char **)to = cell->cell;
        return ASSAY_OK;
    case COLUMN_DATE:
    case COLUMN_DATE_AHEAD:
        *(const char **)to = cell->cell;
        return empty ? ASSAY_OK : read_date(cell, err);
    case COLUMN_CHOICE:
        *(const char **)to = cell->cell;
        return empty ? ASSAY_OK : check_choice(cell, err);
    default:
        break;
    }
    if (empty) { /* the row is zeroed: unknown, 0, no */
        return ASSAY_OK;
    }
    switch (column->kind) {
    case COLUMN_CONFIDENCE:
        return read_confidence(cell, to, err);
    case COLUMN_YES:
        *(bool *)to = strcmp(cell->cell, "yes") == 0;
        return *(bool *)to || strcmp(cell->cell, "no") == 0 ? ASSAY_OK
                                                            : refuse(cell, err, "yes or no");
    default:
        break;
    }
    const assay_status_t status = parse_number(cell, &value, err);
    if (status != ASSAY_OK) {
        return status;
    }
    if (column->kind == COLUMN_COUNT) {
        *(uint32_t *)to = (uint32_t)value;
    } else if (column->kind == COLUMN_NUMBER) {
        *(double *)to = value * column->scale;
    } else {
        *(assay_fact_t *)to = assay_fact_exact(value * column->scale, cell->source);
    }
    return ASSAY_OK;
}

assay_status_t catalog_table_read(assay_arena_t *arena, const assay_csv_t *csv,
                                  const catalog_column_t *column, uint32_t n_column,
                                  size_t row_size, const char *today, void **out_rows,
                                  assay_error_t *err) {
    char *rows = assay_arena_array(arena, csv->n_rows, row_size);
    int *index = assay_arena_array(arena, n_column, sizeof *index);
    if (!rows || !index) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n_column; i++) {
        index[i] = assay_csv_column(csv, column[i].name);
        assert(index[i] >= 0);
    }
    const int source = assay_csv_column(csv, "source");
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        for (uint32_t i = 0; i < n_column; i++) {
            const cell_t cell = {&column[i], assay_csv_cell(csv, row, index[i]),
                                 assay_csv_place(csv, row), assay_csv_cell(csv, row, source),
                                 catalog_row_is_builtin(csv, row) ? NULL : today};
            const assay_status_t status = read_cell(&cell, rows + row * row_size, err);
            if (status != ASSAY_OK) {
                return status;
            }
        }
    }
    *out_rows = rows;
    return ASSAY_OK;
}

bool catalog_row_is_builtin(const assay_csv_t *csv, uint32_t row) {
    return !csv->row_file || csv->row_file[row] == csv->file;
}
