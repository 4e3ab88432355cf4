/* Loads the tables of data/ that the lint of environment settings stands on. */
#include "host/env_tables.h"

#include <stdlib.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/text.h"

#include "base/banned.h"

typedef struct {
    assay_arena_t *arena;
    const char *const *dir;
    uint32_t n_dir;
    assay_lang_t lang;
    assay_error_t *err;
} loader_t;

#define COLUMNS_MAX 9

/* A table whose rows are read into structs of const char * by position, and a severity. */
typedef struct {
    const char *file;
    const char *column[COLUMNS_MAX]; /* NULL-ended */
    size_t offset[COLUMNS_MAX];
    size_t row_size, severity; /* severity: offset; SIZE_MAX: the table has none */
} table_t;

static bool read_severity(const char *text, uint8_t *out) {
    for (int i = 0; i < ASSAY_SEVERITY_N; i++) {
        if (strcmp(text, assay_severity_name((assay_severity_t)i)) == 0) {
            *out = (uint8_t)i;
            return true;
        }
    }
    return false;
}

static assay_status_t read_row(const loader_t *load, const table_t *table, const assay_csv_t *csv,
                               uint32_t row, char *out) {
    for (int c = 0; c < COLUMNS_MAX && table->column[c]; c++) {
        const char *cell = assay_csv_cell(csv, row, assay_csv_column(csv, table->column[c]));
        memcpy(out + table->offset[c], &cell, sizeof cell);
    }
    const char *severity = assay_csv_cell(csv, row, assay_csv_column(csv, "severity"));
    if (table->severity != SIZE_MAX && !read_severity(severity, (uint8_t *)out + table->severity)) {
        const assay_place_t at = assay_csv_place(csv, row);
        assay_error_set(load->err, ASSAY_INPUT, &at, "unknown severity '%s'", severity);
        assay_error_next(load->err, "write critical, error, warning or info");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

static assay_status_t read_table(const loader_t *load, const table_t *table, void **out_rows,
                                 uint32_t *out_n) {
    assay_csv_t csv;
    assay_status_t status = assay_data_table_said(load->arena, load->lang, table->file, load->dir,
                                                  load->n_dir, &csv, load->err);
    for (int c = 0; status == ASSAY_OK && c < COLUMNS_MAX && table->column[c]; c++) {
        if (assay_csv_column(&csv, table->column[c]) < 0) {
            const assay_place_t at = {csv.file, 1, 0};
            status = assay_error_set(load->err, ASSAY_INPUT, &at, "column '%s' is missing",
                                     table->column[c]);
        }
    }
    if (status != ASSAY_OK) {
        return status;
    }
    char *rows = assay_arena_array(load->arena, csv.n_rows, table->row_size);
    if (!rows) {
        return assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < csv.n_rows; i++) {
        status = read_row(load, table, &csv, i, rows + i * table->row_size);
    }
    *out_rows = rows;
    *out_n = csv.n_rows;
    return status;
}

#define AT(type, member) offsetof(type, member)

static const table_t check_table = {
    .file = "env_checks.csv",
    .column = {"id", "title", "cause", "fix", "verify", "reads", "source", "reference"},
    .offset = {AT(assay_check_t, id), AT(assay_check_t, title), AT(assay_check_t, cause),
               AT(assay_check_t, fix), AT(assay_check_t, verify), AT(assay_check_t, reads),
               AT(assay_check_t, source), AT(assay_check_t, reference)},
    .row_size = sizeof(assay_check_t),
    .severity = AT(assay_check_t, severity)};
static const table_t conflict_table = {
    .file = "env_conflicts.csv",
    .column = {"first", "first_value", "second", "second_value", "why", "fix", "source"},
    .offset = {AT(env_conflict_t, first), AT(env_conflict_t, first_value),
               AT(env_conflict_t, second), AT(env_conflict_t, second_value),
               AT(env_conflict_t, why), AT(env_conflict_t, fix), AT(env_conflict_t, source)},
    .row_size = sizeof(env_conflict_t),
    .severity = AT(env_conflict_t, severity)};
static const table_t advice_table = {
    .file = "env_advice.csv",
    .column = {"name", "advice", "target", "engine", "why", "source"},
    .offset = {AT(env_advice_t, name), AT(env_advice_t, advice), AT(env_advice_t, target),
               AT(env_advice_t, engine), AT(env_advice_t, why), AT(env_advice_t, source)},
    .row_size = sizeof(env_advice_t),
    .severity = AT(env_advice_t, severity)};
static const table_t command_table = {
    .file = "env_commands.csv",
    .column = {"check", "pattern", "unless", "what", "fix", "source"},
    .offset = {AT(env_command_t, check), AT(env_command_t, pattern), AT(env_command_t, unless),
               AT(env_command_t, what), AT(env_command_t, fix), AT(env_command_t, source)},
    .row_size = sizeof(env_command_t),
    .severity = AT(env_command_t, severity)};

typedef struct {
    const char *kind, *text;
} name_row_t;
static const table_t name_table = {.file = "env_names.csv",
                                   .column = {"kind", "text"},
                                   .offset = {AT(name_row_t, kind), AT(name_row_t, text)},
                                   .row_size = sizeof(name_row_t),
                                   .severity = SIZE_MAX};

static assay_status_t load_names(const loader_t *load, assay_env_rules_t *rules) {
    static const char *const kind[] = {
        [ENV_NAME_PREFIX] = "prefix", [ENV_NAME_PART] = "part", [ENV_NAME_ORDINARY] = "ordinary"};
    void *rows = NULL;
    uint32_t n = 0;
    assay_status_t status = read_table(load, &name_table, &rows, &n);
    env_name_t *name = status ? NULL : assay_arena_array(load->arena, n, sizeof *name);
    if (!status && !name) {
        status = assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; !status && i < n; i++) {
        const name_row_t *row = &((const name_row_t *)rows)[i];
        uint8_t k = 0;
        while (k < sizeof kind / sizeof kind[0] && strcmp(kind[k], row->kind) != 0) {
            k++;
        }
        name[i] = (env_name_t){k, row->text};
        if (k == sizeof kind / sizeof kind[0]) {
            const assay_place_t at = {name_table.file, i + 2, 0};
            status =
                assay_error_set(load->err, ASSAY_INPUT, &at,
                                "unknown kind '%s': expected prefix, part or ordinary", row->kind);
        }
    }
    rules->name = name;
    rules->n_name = n;
    return status;
}

/* --- checks: those of the doctor that speak of variables, and the lint's own ------------------ */

static const char *const shared[] = {"ENV-001", "ENV-002", "ENV-003", "ENV-004",
                                     "ENV-005", "ENV-006", "SW-002"};

static int compare_checks(const void *a, const void *b) {
    return strcmp(((const assay_check_t *)a)->id, ((const assay_check_t *)b)->id);
}

static assay_status_t load_checks(const loader_t *load, assay_env_rules_t *rules) {
    enum { N_SHARED = sizeof shared / sizeof shared[0] };
    void *rows = NULL;
    uint32_t n = 0;
    assay_status_t status = read_table(load, &check_table, &rows, &n);
    assay_check_t *check =
        status ? NULL : assay_arena_array(load->arena, n + N_SHARED, sizeof *check);
    if (status || !check) {
        return status ? status : assay_error_memory(load->err, NULL);
    }
    memcpy(check, rows, n * sizeof *check);
    for (uint32_t i = 0; i < n; i++) { /* they speak of any text, and their titles say when */
        check[i].applies = check[i].condition = "";
    }
    for (size_t i = 0; i < N_SHARED; i++) {
        const assay_check_t *row = assay_host_rules_check(rules->host, shared[i]);
        if (row) {
            check[n++] = *row;
        }
    }
    qsort(check, n, sizeof *check, compare_checks);
    rules->check = check;
    rules->n_check = n;
    return ASSAY_OK;
}

assay_status_t assay_env_rules_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                    assay_lang_t lang, const assay_env_rules_t **out_rules,
                                    assay_error_t *err) {
    const loader_t load = {arena, dir, n_dir, lang, err};
    assay_env_rules_t *rules = assay_arena_alloc(arena, sizeof *rules);
    if (!rules) {
        return assay_error_memory(err, NULL);
    }
    void *conflict = NULL, *advice = NULL, *command = NULL;
    assay_status_t status = assay_host_rules_load(arena, dir, n_dir, lang, &rules->host, err);
    if (!status) {
        status = load_checks(&load, rules);
    }
    if (!status) {
        status = load_names(&load, rules);
    }
    if (!status) {
        status = read_table(&load, &conflict_table, &conflict, &rules->n_conflict);
    }
    if (!status) {
        status = read_table(&load, &advice_table, &advice, &rules->n_advice);
    }
    if (!status) {
        status = read_table(&load, &command_table, &command, &rules->n_command);
    }
    rules->conflict = conflict;
    rules->advice = advice;
    rules->command = command;
    *out_rules = rules;
    return status;
}

const assay_check_t *assay_env_rules_checks(const assay_env_rules_t *rules, uint32_t *out_n) {
    *out_n = rules->n_check;
    return rules->check;
}

const assay_check_t *assay_env_rules_check(const assay_env_rules_t *rules, const char *id) {
    for (uint32_t i = 0; i < rules->n_check; i++) {
        if (assay_text_equal_fold(rules->check[i].id, id)) {
            return &rules->check[i];
        }
    }
    return NULL;
}
