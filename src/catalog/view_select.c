#include <stdlib.h>
#include <string.h>

#include "assay/catalog_view.h"
#include "assay/text.h"

#include "base/banned.h"

#define MAX_SORT 8

/* What conditions can name: each column by its key in SI, and by its name in the column's unit. */
typedef struct {
    const assay_column_t *column;
    double scale; /* what the cell is divided by */
} named_t;

typedef struct {
    const named_t *named;
    const void *row;
} reading_t;

static assay_query_value_t read_cell(const void *reading, uint32_t column) {
    const reading_t *at = reading;
    const named_t *named = &at->named[column];
    const assay_cell_t cell = assay_catalog_view_cell(named->column, at->row);
    if (cell.is_bool) {
        return (assay_query_value_t){.known = cell.known, .text = cell.v > 0.0 ? "yes" : "no"};
    }
    return (assay_query_value_t){cell.known, cell.is_number, cell.v / named->scale, cell.text};
}

/* The SI unit of a key, so that quantities can be written after it as well. */
static const char *si_unit(const assay_column_t *column) {
    static const struct {
        const char *ends, *unit;
    } units[] = {{"_bytes_per_s", "B/s"}, {"_bits_per_s", "bit/s"}, {"_bytes", "B"}, {"_w", "W"},
                 {"_usd_per_h", "USD/h"}, {"_usd", "USD"}};
    const size_t n = strlen(column->key);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t n_end = strlen(units[i].ends);
        if (n >= n_end && strcmp(column->key + n - n_end, units[i].ends) == 0) {
            return units[i].unit;
        }
    }
    return strncmp(column->key, "peak_", 5) == 0 || strstr(column->key, "flops") ? "FLOPS" : "";
}

static assay_status_t name_columns(assay_arena_t *arena, const assay_catalog_view_t *view,
                                   named_t **out_named, assay_query_column_t **out_name,
                                   uint32_t *out_n, assay_error_t *err) {
    named_t *named = assay_arena_array(arena, 2 * (size_t)view->n_column, sizeof *named);
    assay_query_column_t *name = assay_arena_array(arena, 2 * (size_t)view->n_column, sizeof *name);
    uint32_t n = 0;
    if (!named || !name) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < view->n_column; i++) {
        const assay_column_t *column = &view->column[i];
        const double scale = assay_catalog_view_key_scale(column);
        named[n] = (named_t){column, scale};
        name[n++] = (assay_query_column_t){column->key, column->scale > 0.0,
                                           scale != 1.0 ? column->unit : si_unit(column), scale};
        if (column->name && strcmp(column->name, column->key) != 0) {
            named[n] = (named_t){column, column->scale};
            name[n++] = (assay_query_column_t){column->name, true, column->unit, column->scale};
        }
    }
    *out_named = named;
    *out_name = name;
    *out_n = n;
    return ASSAY_OK;
}

typedef struct {
    const assay_column_t *column;
    bool down;
} sort_key_t;

static assay_status_t parse_sort(const assay_catalog_view_t *view, const char *sort,
                                 sort_key_t *key, uint32_t *out_n, assay_error_t *err) {
    uint32_t n = 0;
    while (*sort) {
        char name[64];
        const size_t length = strcspn(sort, ",");
        const bool down = *sort == '-';
        const size_t n_name = length - down;
        const char *near = NULL;
        if (n == MAX_SORT || n_name == 0 || n_name >= sizeof name) {
            assay_error_set(err, ASSAY_USAGE, NULL, "--sort: '%s' is no list of columns", sort);
            assay_error_next(err, "write up to %d names joined by commas", MAX_SORT);
            return ASSAY_USAGE;
        }
        memcpy(name, sort + down, n_name);
        name[n_name] = '\0';
        key[n] = (sort_key_t){assay_catalog_view_column(view, name), down};
        for (uint32_t i = 0; !key[n].column && i < view->n_column; i++) {
            const char *const three[] = {near, view->column[i].key, view->column[i].name};
            near = assay_text_nearest(name, three, 3);
        }
        if (!key[n].column) {
            assay_error_set(err, ASSAY_USAGE, NULL, "--sort: no column '%s' in %s", name,
                            view->name);
            assay_error_next(err, near ? "did you mean '%s'?" : "'%s' is one",
                             near ? near : view->column[0].key);
            return ASSAY_USAGE;
        }
        n++;
        sort += length;
        sort += *sort == ',';
    }
    *out_n = n;
    return ASSAY_OK;
}

/* Rows with their cells read once. */
typedef struct {
    uint32_t row, n_key;
    const sort_key_t *key;
    assay_cell_t cell[MAX_SORT];
} sorted_t;

static int compare_cells(const assay_cell_t *a, const assay_cell_t *b) {
    if (a->is_number || a->is_bool) {
        return (a->v > b->v) - (a->v < b->v);
    }
    return assay_text_order(a->text, b->text);
}

static int compare_rows(const void *a, const void *b) {
    const sorted_t *left = a, *right = b;
    for (uint32_t i = 0; i < left->n_key; i++) {
        const assay_cell_t *l = &left->cell[i], *r = &right->cell[i];
        if (l->known != r->known) {
            return l->known ? -1 : 1;
        }
        const int order = l->known ? compare_cells(l, r) : 0;
        if (order != 0) {
            return left->key[i].down ? -order : order;
        }
    }
    return (left->row > right->row) - (left->row < right->row);
}

static assay_status_t sort_rows(assay_arena_t *arena, const assay_catalog_view_t *view,
                                const char *sort, uint32_t *row, uint32_t n, assay_error_t *err) {
    sort_key_t key[MAX_SORT];
    uint32_t n_key = 0;
    const assay_status_t status = parse_sort(view, sort, key, &n_key, err);
    sorted_t *sorted = status ? NULL : assay_arena_array(arena, n, sizeof *sorted);
    if (!sorted) {
        return status ? status : assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n; i++) {
        sorted[i].row = row[i];
        sorted[i].key = key;
        sorted[i].n_key = n_key;
        for (uint32_t j = 0; j < n_key; j++) {
            sorted[i].cell[j] =
                assay_catalog_view_cell(key[j].column, assay_catalog_view_row(view, row[i]));
        }
    }
    qsort(sorted, n, sizeof *sorted, compare_rows);
    for (uint32_t i = 0; i < n; i++) {
        row[i] = sorted[i].row;
    }
    return ASSAY_OK;
}

assay_status_t assay_catalog_view_select(assay_arena_t *arena, const assay_catalog_view_t *view,
                                         const char *where, const char *sort,
                                         const uint32_t **out_row, uint32_t *out_n,
                                         assay_error_t *err) {
    const assay_query_t *query = NULL;
    named_t *named = NULL;
    uint32_t *row = assay_arena_array(arena, view->n_rows, sizeof *row);
    uint32_t n = 0;
    if (!row) {
        return assay_error_memory(err, NULL);
    }
    if (where) {
        assay_query_column_t *name = NULL;
        uint32_t n_name = 0;
        assay_status_t status = name_columns(arena, view, &named, &name, &n_name, err);
        status = status ? status : assay_query_parse(arena, where, name, n_name, &query, err);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    for (uint32_t i = 0; i < view->n_rows; i++) {
        const reading_t reading = {named, assay_catalog_view_row(view, i)};
        if (!query || assay_query_holds(query, read_cell, &reading)) {
            row[n++] = i;
        }
    }
    *out_row = row;
    *out_n = n;
    return sort ? sort_rows(arena, view, sort, row, n, err) : ASSAY_OK;
}
