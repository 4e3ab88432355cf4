#include "port/effort.h"

#include <stddef.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/csv.h"

#include "base/banned.h"

#define TABLE "port_effort.csv"

/* Keys are names with a dot after the first word: level1_fixed_days is the row level1.fixed_days.
 */
static const struct {
    const char *name;
    size_t offset;
    double least, most;
} scalar[] = {
#define SCALAR_ROW(name, least, most) {#name, offsetof(effort_table_t, name), least, most},
    EFFORT_SCALAR_LIST(SCALAR_ROW)
#undef SCALAR_ROW
};
static const struct {
    const char *name;
    size_t offset;
} range[] = {
#define RANGE_ROW(name) {#name, offsetof(effort_table_t, name)},
    EFFORT_RANGE_LIST(RANGE_ROW)
#undef RANGE_ROW
};
static const char *const package_key[] = {
    [PORT_SUPPORTED] = "package_supported",
    [PORT_DEPRECATED] = "package_deprecated",
    [PORT_EXPERIMENTAL] = "package_experimental",
    [PORT_UNSUPPORTED] = "package_unsupported",
};

static bool key_is(const char *key, const char *name) {
    const size_t group = strcspn(name, "_");
    return strncmp(key, name, group) == 0 && key[group] == '.' &&
           strcmp(key + group + 1, name + group + 1) == 0;
}

/* Row whose key is name, or the number of rows. */
static uint32_t find_row(const assay_csv_t *csv, int key_column, const char *name) {
    uint32_t row = 0;
    while (row < csv->n_rows && !key_is(assay_csv_cell(csv, row, key_column), name)) {
        row++;
    }
    return row;
}

static assay_status_t read_number(const assay_csv_t *csv, uint32_t row, const char *column,
                                  double least, double most, double *out, assay_error_t *err) {
    const char *text = assay_csv_cell(csv, row, assay_csv_column(csv, column));
    if (!assay_text_to_double(text, strlen(text), out) || *out < least || *out > most) {
        const assay_place_t at = assay_csv_place(csv, row);
        return assay_error_set(err, ASSAY_INPUT, &at,
                               "%s is \"%s\", expected a number from %g to %g", column, text, least,
                               most);
    }
    return ASSAY_OK;
}

static assay_status_t read_named(const assay_csv_t *csv, int key_column, const char *name,
                                 const char *column, double least, double most, double *out,
                                 assay_error_t *err) {
    const uint32_t row = find_row(csv, key_column, name);
    if (row == csv->n_rows) {
        const assay_place_t at = {csv->file, 0, 0};
        return assay_error_set(err, ASSAY_INPUT, &at, "no row for %s", name);
    }
    return read_number(csv, row, column, least, most, out, err);
}

static assay_status_t read_range(const assay_csv_t *csv, int key_column, const char *name,
                                 effort_range_t *out, assay_error_t *err) {
    assay_status_t status = read_named(csv, key_column, name, "low", 1e-6, 1e6, &out->low, err);
    if (!status) {
        status = read_named(csv, key_column, name, "value", out->low, 1e6, &out->value, err);
    }
    if (!status) {
        status = read_named(csv, key_column, name, "high", out->value, 1e6, &out->high, err);
    }
    return status;
}

static assay_status_t read_rule(const assay_csv_t *csv, uint32_t row, const char *prefix,
                                effort_rule_t *out, assay_error_t *err) {
    const char *unit = assay_csv_cell(csv, row, assay_csv_column(csv, "unit"));
    out->prefix = prefix;
    out->per = strcmp(unit, "days/name") == 0 ? EFFORT_PER_API : EFFORT_PER_KERNEL;
    return read_number(csv, row, "value", 0.0, 1e3, &out->days, err);
}

/* Rows "rule.PREFIX", "replaced.PREFIX", "lines.PREFIX" and "renamed.NAME": what a finding costs.
 */
static assay_status_t read_rules(assay_arena_t *arena, const assay_csv_t *csv, int key_column,
                                 effort_table_t *out, assay_error_t *err) {
    out->rule = assay_arena_array(arena, csv->n_rows, sizeof *out->rule);
    out->replaced = assay_arena_array(arena, csv->n_rows, sizeof *out->replaced);
    out->line = assay_arena_array(arena, csv->n_rows, sizeof *out->line);
    if (!out->rule || !out->replaced || !out->line) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        const char *key = assay_csv_cell(csv, row, key_column);
        assay_status_t status = ASSAY_OK;
        if (strncmp(key, "rule.", 5) == 0) {
            status = read_rule(csv, row, key + 5, &out->rule[out->n_rule++], err);
        } else if (strncmp(key, "replaced.", 9) == 0) {
            status = read_rule(csv, row, key + 9, &out->replaced[out->n_replaced++], err);
        } else if (strncmp(key, "lines.", 6) == 0 || strncmp(key, "renamed.", 8) == 0) {
            effort_lines_t *line = &out->line[out->n_line++];
            line->renamed = key[0] == 'r';
            line->name = strchr(key, '.') + 1;
            status = read_number(csv, row, "value", 0.0, 1e3, &line->lines, err);
        }
        if (status) {
            return status;
        }
    }
    return ASSAY_OK;
}

void port_effort_replace(effort_table_t *table) {
    for (uint32_t i = 0; i < table->n_replaced; i++) {
        for (uint32_t k = 0; k < table->n_rule; k++) {
            if (strcmp(table->rule[k].prefix, table->replaced[i].prefix) == 0) {
                table->rule[k].days = table->replaced[i].days;
            }
        }
    }
}

static assay_status_t write_notes(assay_arena_t *arena, const assay_csv_t *csv, int key_column,
                                  effort_table_t *out, assay_error_t *err) {
    const char **note = assay_arena_array(arena, csv->n_rows, sizeof *note);
    if (!note) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        const char *unit = assay_csv_cell(csv, row, assay_csv_column(csv, "unit"));
        note[row] = assay_arena_printf(
            arena, "%s = %s%s%s (%s)", assay_csv_cell(csv, row, key_column),
            assay_csv_cell(csv, row, assay_csv_column(csv, "value")), *unit ? " " : "", unit,
            assay_csv_cell(csv, row, assay_csv_column(csv, "source")));
        if (!note[row]) {
            return assay_error_memory(err, NULL);
        }
    }
    out->note = note;
    out->n_note = csv->n_rows;
    return ASSAY_OK;
}

assay_status_t port_effort_table(assay_arena_t *arena, effort_table_t *out, assay_error_t *err) {
    assay_csv_t csv;
    *out = (effort_table_t){0};
    assay_status_t status = assay_data_table(arena, TABLE, NULL, 0, &csv, err);
    const int key_column = status ? -1 : assay_csv_column(&csv, "key");
    for (size_t i = 0; !status && i < sizeof scalar / sizeof *scalar; i++) {
        double *value = (double *)(void *)((char *)out + scalar[i].offset);
        status = read_named(&csv, key_column, scalar[i].name, "value", scalar[i].least,
                            scalar[i].most, value, err);
    }
    for (size_t i = 0; !status && i < sizeof range / sizeof *range; i++) {
        effort_range_t *value = (effort_range_t *)(void *)((char *)out + range[i].offset);
        status = read_range(&csv, key_column, range[i].name, value, err);
    }
    for (size_t i = 0; !status && i < sizeof package_key / sizeof *package_key; i++) {
        status = read_named(&csv, key_column, package_key[i], "value", 0.0, 1e3,
                            &out->package_days[i], err);
    }
    if (!status) {
        status = read_named(&csv, key_column, "package_none", "value", 0.0, 1e3,
                            &out->package_none_days, err);
    }
    if (!status) {
        status = read_rules(arena, &csv, key_column, out, err);
    }
    if (!status) {
        status = write_notes(arena, &csv, key_column, out, err);
    }
    return status;
}
