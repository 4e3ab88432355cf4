/* data/defaults.csv: what counts where the job says nothing. */
#include <math.h>
#include <string.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

/* Every key and what it can be; as the job's keys of the same meaning are limited. */
static const struct {
    const char *key;
    double min, max;
    bool whole;
} limits[] = {
    {"train.sequence", 1, 1e8, true},
    {"train.global_batch_tokens", 1, 1e13, true},
    {"finetune.global_batch", 1, 1e9, true},
    {"network.bits_per_s", 1e6, 1e14, false},
    {"network.nics", 1, 1024, true},
    {"power.node_over_tdp", 1, 10, false},
    {"train.expert_imbalance", 1, 1e4, false},
    {"serve.eager_kernel_s", 1e-7, 1e-2, false},
    {"serve.expert_imbalance", 1, 1e4, false},
    {"money.years", 0.1, 50, false},
    {"money.discount_rate", 0, 1, false},
    {"money.electricity_usd_kwh", 0, 10, false},
    {"money.pue", 1, 5, false},
    {"money.utilisation", 1e-3, 1, false},
    {"money.residual", 0, 1, false},
    {"money.contingency", 0, 1, false},
    {"money.ops_usd_per_year", 0, 1e12, false},
    {"migration.level1", 0, 1e6, false},
    {"migration.level2", 0, 1e6, false},
    {"migration.level3", 0, 1e6, false},
    {"migration.labour_usd_per_week", 0, 1e6, false},
    {"migration.training_h_per_engineer", 0, 1e4, false},
    {"migration.engineers", 0, 1e5, true},
    {"migration.debt_days_per_year", 0, 1e5, false},
    {"migration.reference_fit", 0, 0.999, false},
    {"money.reserved_1y_discount", 0, 0.99, false},
    {"money.reserved_3y_discount", 0, 0.99, false},
    {"money.spot_over_on_demand", 0.01, 1, false},
/* clang-format off */
#define OPTION_LIMIT(code, name, dim, scale, least, most, drawn, term, help) \
    {"money." name, least, most, false},
    ASSAY_OPTION_LIST(OPTION_LIMIT)
#undef OPTION_LIMIT
    /* clang-format on */
};
#define N_LIMIT (sizeof limits / sizeof limits[0])

static assay_status_t refuse_key(const assay_place_t *at, const char *key, assay_error_t *err) {
    const char *name[N_LIMIT];
    for (size_t i = 0; i < N_LIMIT; i++) {
        name[i] = limits[i].key;
    }
    const char *near = assay_text_nearest(key, name, N_LIMIT);
    assay_error_set(err, ASSAY_INPUT, at, "there is no default '%s'", key);
    assay_error_next(err, near ? "did you mean '%s'?" : "the first is '%s'", near ? near : name[0]);
    return ASSAY_INPUT;
}

/* The cell's number; an empty one gives `otherwise`. False: no number, or not from min to max. */
static bool read_cell(const assay_csv_t *csv, uint32_t row, const char *column, size_t limit,
                      double otherwise, double *out_value) {
    const char *cell = assay_csv_cell(csv, row, assay_csv_column(csv, column));
    *out_value = otherwise;
    return (cell[0] == '\0' || assay_text_to_double(cell, strlen(cell), out_value)) &&
           *out_value >= limits[limit].min && *out_value <= limits[limit].max;
}

/* Value and range of a row; the range is the value where none is given. */
static assay_status_t read_row(const assay_csv_t *csv, uint32_t row, assay_fact_t *out,
                               assay_error_t *err) {
    const assay_place_t at = assay_csv_place(csv, row);
    const char *key = assay_csv_cell(csv, row, assay_csv_column(csv, "key"));
    size_t limit = 0;
    const size_t n = strcspn(key, "@"); /* a place may follow */
    while (limit < N_LIMIT &&
           (strlen(limits[limit].key) != n || strncmp(limits[limit].key, key, n) != 0)) {
        limit++;
    }
    if (limit == N_LIMIT) {
        return refuse_key(&at, key, err);
    }
    double value, low, high;
    if (!read_cell(csv, row, "value", limit, (double)NAN, &value) ||
        !read_cell(csv, row, "low", limit, value, &low) ||
        !read_cell(csv, row, "high", limit, value, &high) || low > value || high < value ||
        (limits[limit].whole && value > floor(value))) {
        assay_error_set(err, ASSAY_INPUT, &at,
                        "default %s needs %snumbers from %g to %g with low <= value <= high", key,
                        limits[limit].whole ? "whole " : "", limits[limit].min, limits[limit].max);
        assay_error_next(err, "check value, low and high; the unit is that of the built-in row");
        return ASSAY_INPUT;
    }
    *out = assay_fact_exact(value, assay_csv_cell(csv, row, assay_csv_column(csv, "source")));
    out->p10 = low;
    out->p90 = high;
    out->basis = ASSAY_BASIS_EXTRAPOLATED;
    return ASSAY_OK;
}

assay_status_t resolve_defaults(resolve_context_t *context) {
    const assay_catalog_t *catalog = context->catalog;
    assay_status_t status =
        assay_data_table_keyed(context->arena, "defaults.csv", catalog->dir, catalog->n_dir,
                               &context->defaults, context->err);
    assay_fact_t ignored;
    for (uint32_t row = 0; status == ASSAY_OK && row < context->defaults.n_rows; row++) {
        status = read_row(&context->defaults, row, &ignored, context->err);
    }
    return status;
}

assay_status_t resolve_default(resolve_context_t *context, const char *key, assay_fact_t *out) {
    const assay_csv_t *csv = &context->defaults;
    const int key_column = assay_csv_column(csv, "key");
    *out = assay_fact_unknown();
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        if (strcmp(assay_csv_cell(csv, row, key_column), key) == 0) {
            return read_row(csv, row, out, context->err);
        }
    }
    return ASSAY_OK;
}

/* What the place is part of: "US-OH" of USA, and as places.csv has it; NULL: nothing known. */
static assay_status_t find_whole(resolve_context_t *context, const char *place,
                                 const char **out_whole) {
    const assay_catalog_t *catalog = context->catalog;
    assay_csv_t table;
    *out_whole = strncmp(place, "US-", 3) == 0 || strcmp(place, "US") == 0 ? "USA" : NULL;
    const assay_status_t status = assay_data_table_keyed(context->arena, "places.csv", catalog->dir,
                                                         catalog->n_dir, &table, context->err);
    for (uint32_t row = 0; status == ASSAY_OK && row < table.n_rows; row++) {
        if (strcmp(assay_csv_cell(&table, row, assay_csv_column(&table, "place")), place) == 0) {
            *out_whole = assay_csv_cell(&table, row, assay_csv_column(&table, "part_of"));
        }
    }
    return status;
}

assay_status_t resolve_default_at(resolve_context_t *context, const char *key, const char *place,
                                  assay_fact_t *out) {
    const char *whole;
    assay_status_t status = find_whole(context, place, &whole);
    const char *const at[] = {place, whole, NULL};
    *out = assay_fact_unknown();
    for (size_t i = 0; status == ASSAY_OK && !out->known && at[i]; i++) {
        const char *there = assay_arena_printf(context->arena, "%s@%s", key, at[i]);
        status = there ? resolve_default(context, there, out) : resolve_no_memory(context);
    }
    return status == ASSAY_OK && !out->known ? resolve_default(context, key, out) : status;
}
