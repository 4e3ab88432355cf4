#include "ledger/json_table.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

#define MAX_COLUMNS 256u
#define MAX_ROWS (1u << 20)

/* The array itself, or the one array among an object's values. */
static const json_t *find_array(const json_t *root) {
    const json_t *found = json_is_array(root) ? root : NULL;
    for (void *i = json_is_object(root) ? json_object_iter((json_t *)root) : NULL; i && !found;
         i = json_object_iter_next((json_t *)root, i)) {
        found = json_is_array(json_object_iter_value(i)) ? json_object_iter_value(i) : NULL;
    }
    return found;
}

static assay_status_t add_columns(assay_arena_t *arena, const json_t *row, assay_csv_t *csv,
                                  const assay_place_t *at, assay_error_t *err) {
    for (void *i = json_object_iter((json_t *)row); i;
         i = json_object_iter_next((json_t *)row, i)) {
        const char *key = json_object_iter_key(i);
        if (assay_csv_column(csv, key) >= 0) {
            continue;
        }
        if (csv->n_columns == MAX_COLUMNS) {
            return assay_error_set(err, ASSAY_LIMIT, at, "more than %u different keys",
                                   MAX_COLUMNS);
        }
        csv->header[csv->n_columns] = assay_arena_strdup(arena, key);
        if (!csv->header[csv->n_columns++]) {
            return assay_error_memory(err, at);
        }
    }
    return ASSAY_OK;
}

static const char *cell_of(assay_arena_t *arena, const json_t *value) {
    char number[32];
    switch (value ? json_typeof(value) : JSON_NULL) {
    case JSON_NULL:
        return "";
    case JSON_STRING:
        return assay_arena_strdup(arena, json_string_value(value));
    case JSON_TRUE:
    case JSON_FALSE:
        return json_is_true(value) ? "true" : "false";
    case JSON_INTEGER:
    case JSON_REAL:
        assay_text_from_double(number, json_number_value(value));
        return assay_arena_strdup(arena, number);
    default: {
        char *text = json_dumps(value, JSON_COMPACT);
        const char *cell = text ? assay_arena_strdup(arena, text) : NULL;
        free(text);
        return cell;
    }
    }
}

static assay_status_t fill(assay_arena_t *arena, const json_t *array, assay_csv_t *csv,
                           assay_error_t *err) {
    const size_t n = json_array_size(array);
    const assay_place_t whole = {csv->file, 0, 0};
    if (n > MAX_ROWS) {
        return assay_error_set(err, ASSAY_LIMIT, &whole, "more than %u objects", MAX_ROWS);
    }
    for (size_t i = 0; i < n; i++) {
        const assay_place_t at = {csv->file, (uint32_t)i + 1, 0};
        const json_t *row = json_array_get(array, i);
        if (!json_is_object(row)) {
            return assay_error_set(err, ASSAY_INPUT, &at, "expected an object, one a price");
        }
        const assay_status_t status = add_columns(arena, row, csv, &at, err);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    csv->cell = assay_arena_array(arena, n * csv->n_columns, sizeof *csv->cell);
    csv->line = assay_arena_array(arena, n, sizeof *csv->line);
    if (!csv->cell || !csv->line) {
        return assay_error_memory(err, &whole);
    }
    for (size_t i = 0; i < n; i++) {
        csv->line[i] = (uint32_t)i + 1;
        for (uint32_t j = 0; j < csv->n_columns; j++) {
            const char *cell =
                cell_of(arena, json_object_get(json_array_get(array, i), csv->header[j]));
            if (!cell) {
                return assay_error_memory(err, &whole);
            }
            csv->cell[i * csv->n_columns + j] = cell;
        }
    }
    csv->n_rows = (uint32_t)n;
    return ASSAY_OK;
}

assay_status_t ledger_json_table(assay_arena_t *arena, const char *file, const char *data,
                                 size_t size, assay_csv_t *out_csv, assay_error_t *err) {
    json_error_t error;
    const assay_place_t at = {file, 0, 0};
    assay_csv_t csv = {.file = file};
    csv.header = assay_arena_array(arena, MAX_COLUMNS, sizeof *csv.header);
    if (!csv.header) {
        return assay_error_memory(err, &at);
    }
    json_t *root = json_loadb(data, size, 0, &error);
    if (!root) {
        const assay_place_t place = {file, error.line > 0 ? (uint32_t)error.line : 0,
                                     error.column > 0 ? (uint32_t)error.column : 0};
        return assay_error_set(err, ASSAY_INPUT, &place, "not JSON: %s", error.text);
    }
    const json_t *array = find_array(root);
    const assay_status_t status =
        array ? fill(arena, array, &csv, err)
              : assay_error_set(err, ASSAY_INPUT, &at, "expected an array of objects, one a price");
    json_decref(root);
    if (status == ASSAY_OK) {
        *out_csv = csv;
    }
    return status;
}
