#include <string.h>

#include "assay/text.h"
#include "catalog/builtin.h"
#include "catalog/catalog_columns.h"

#include "base/banned.h"

/* What the other tables of data/ hold. */
static const struct {
    const char *name, *what;
} others[] = {
    {"price_history", "what clouds and shops asked in the past, per package"},
    {"rocm", "releases of ROCm: date, targets, distributions, PyTorch"},
    {"rocm_parts", "which releases of ROCm list a part"},
    {"rocm_kernels", "kernels that a series of ROCm was tested with"},
    {"cuda", "CUDA toolkits: least driver, first and last sm"},
    {"fabric_pairs", "links between the devices of irregular fabrics"},
    {"known_errors", "wrong figures that circulate, and the right ones"},
    {"arch_rates", "operations of a compute unit in one clock"},
    {"memory_types", "width and rates of memory generations"},
    {"load_rates", "how fast weights are read from disk and network"},
    {"defaults", "what a job does not say"},
    {"calibration", "how real machines deviate from their peaks"},
    {"rules", "the article's rules about moving to HIP"},
    {"envvars", "environment variables of the software stacks"},
    {"checks", "what the doctor looks at"},
};

/* The name of a file without its ending, when no main table shows it. */
static const char *other_name(assay_arena_t *arena, const char *file) {
    const size_t n = strlen(file) - strlen(".csv");
    for (uint32_t i = 0; i < catalog_n_main_tables; i++) {
        if (strlen(catalog_main_tables[i].name) == n &&
            memcmp(catalog_main_tables[i].name, file, n) == 0) {
            return NULL;
        }
    }
    return assay_arena_strndup(arena, file, n);
}

static const char *what_of(const char *name) {
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(others[i].name, name) == 0) {
            return others[i].what;
        }
    }
    return "";
}

assay_status_t assay_catalog_view_names(assay_arena_t *arena, const assay_table_name_t **out_name,
                                        uint32_t *out_n, assay_error_t *err) {
    uint32_t n_most = catalog_n_main_tables, n = 0;
    for (const assay_builtin_t *table = assay_builtin; table->name; table++) {
        n_most++;
    }
    assay_table_name_t *name = assay_arena_array(arena, n_most, sizeof *name);
    if (!name) {
        return assay_error_memory(err, NULL);
    }
    for (; n < catalog_n_main_tables; n++) {
        name[n] =
            (assay_table_name_t){catalog_main_tables[n].name, catalog_main_tables[n].what, true};
    }
    for (const assay_builtin_t *table = assay_builtin; table->name; table++) {
        const char *other = other_name(arena, table->name);
        if (other) {
            name[n++] = (assay_table_name_t){other, what_of(other), false};
        }
    }
    *out_name = name;
    *out_n = n;
    return ASSAY_OK;
}

static assay_catalog_view_t open_main(const catalog_main_table_t *table,
                                      const assay_catalog_t *catalog) {
    const char *base = (const char *)catalog;
    return (assay_catalog_view_t){
        .name = table->name,
        .what = table->what,
        .column = table->column,
        .n_column = table->n_column,
        .rows = *(const void *const *)(const void *)(base + table->rows_offset),
        .row_size = table->row_size,
        .n_rows = *(const uint32_t *)(const void *)(base + table->n_offset),
        .alias_kind = table->alias_kind,
        .is_main = true,
    };
}

/* A column counts when every cell is a number and none of them is a version: 7.2 is below 7.14. */
static bool is_numeric(const assay_csv_t *csv, uint32_t column) {
    static const char *const version[] = {"version", "rocm", "driver", "since", "until", "removed"};
    bool any = false;
    for (size_t i = 0; i < sizeof version / sizeof *version; i++) {
        if (strstr(csv->header[column], version[i])) {
            return false;
        }
    }
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        const char *cell = assay_csv_cell(csv, row, (int)column);
        double v;
        if (cell[0] && !assay_text_to_double(cell, strlen(cell), &v)) {
            return false;
        }
        any |= cell[0] != '\0';
    }
    return any;
}

/* The cells of a file are pointers in rows already: a row is one of them. */
static assay_status_t open_other(assay_arena_t *arena, const assay_catalog_t *catalog,
                                 const assay_table_name_t *name, assay_catalog_view_t *out_view,
                                 assay_error_t *err) {
    assay_csv_t csv;
    const char *file = assay_arena_printf(arena, "%s.csv", name->name);
    if (!file) {
        return assay_error_memory(err, NULL);
    }
    const assay_status_t status =
        assay_data_table(arena, file, catalog->dir, catalog->n_dir, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_column_t *column = assay_arena_array(arena, csv.n_columns, sizeof *column);
    if (!column) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_columns; i++) {
        const bool numeric = is_numeric(&csv, i);
        column[i] = (assay_column_t){.key = csv.header[i],
                                     .title = csv.header[i],
                                     .unit = "",
                                     .scale = numeric ? 1 : 0,
                                     .kind = numeric ? ASSAY_CELL_PLAIN : ASSAY_CELL_TEXT,
                                     .show = ASSAY_SHOW_MAIN,
                                     .offset = i * sizeof(const char *)};
    }
    *out_view = (assay_catalog_view_t){.name = name->name,
                                       .what = name->what,
                                       .column = column,
                                       .n_column = csv.n_columns,
                                       .rows = csv.cell,
                                       .row_size = csv.n_columns * sizeof(const char *),
                                       .n_rows = csv.n_rows};
    return ASSAY_OK;
}

assay_status_t assay_catalog_view_open(assay_arena_t *arena, const assay_catalog_t *catalog,
                                       const char *name, assay_catalog_view_t *out_view,
                                       assay_error_t *err) {
    const assay_table_name_t *known;
    const char *near = NULL;
    uint32_t n;
    for (uint32_t i = 0; i < catalog_n_main_tables; i++) {
        if (strcmp(catalog_main_tables[i].name, name) == 0) {
            *out_view = open_main(&catalog_main_tables[i], catalog);
            return ASSAY_OK;
        }
    }
    const assay_status_t status = assay_catalog_view_names(arena, &known, &n, err);
    if (status != ASSAY_OK) {
        return status;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return open_other(arena, catalog, &known[i], out_view, err);
        }
        const char *const pair[] = {near, known[i].name};
        near = assay_text_nearest(name, pair, 2);
    }
    assay_error_set(err, ASSAY_NOT_FOUND, NULL, "the catalog has no table \"%s\"", name);
    if (near) {
        assay_error_next(err, "did you mean %s?", near);
    } else {
        assay_error_next(err, "\"assay catalog list\" names the tables");
    }
    return ASSAY_NOT_FOUND;
}

const void *assay_catalog_view_row(const assay_catalog_view_t *view, uint32_t row) {
    return (const char *)view->rows + (size_t)row * view->row_size;
}

const char *assay_catalog_view_id(const assay_catalog_view_t *view, const void *row) {
    return *(const char *const *)(const void *)((const char *)row + view->column[0].offset);
}

const assay_column_t *assay_catalog_view_column(const assay_catalog_view_t *view,
                                                const char *name) {
    for (uint32_t i = 0; i < view->n_column; i++) {
        const assay_column_t *column = &view->column[i];
        if (assay_text_equal_fold(column->key, name) ||
            (column->name && assay_text_equal_fold(column->name, name))) {
            return column;
        }
    }
    return NULL;
}

double assay_catalog_view_key_scale(const assay_column_t *column) {
    return column->kind == ASSAY_CELL_DERIVED && !column->name && column->scale > 0.0
               ? column->scale
               : 1.0;
}
