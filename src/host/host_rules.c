/* Loads the tables of data/ that the doctor stands on. */
#include "host/host_rules.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/text.h"
#include "host/host_check.h"

#include "base/banned.h"

typedef struct {
    assay_arena_t *arena;
    const char *const *dir;
    uint32_t n_dir;
    assay_lang_t lang;
    assay_error_t *err;
} loader_t;

/* The columns of a table by name, in the order of `name`; a missing one is an error. */
static assay_status_t columns(const assay_csv_t *csv, const char *const *name, int *column,
                              uint32_t n, assay_error_t *err) {
    for (uint32_t i = 0; i < n; i++) {
        column[i] = assay_csv_column(csv, name[i]);
        if (column[i] < 0) {
            const assay_place_t at = {csv->file, 1, 0};
            return assay_error_set(err, ASSAY_INPUT, &at, "column '%s' is missing", name[i]);
        }
    }
    return ASSAY_OK;
}

/* One table: opens it, finds its columns, makes room for its rows. */
static assay_status_t open_table(const loader_t *load, const char *file, const char *const *name,
                                 int *column, uint32_t n_column, size_t row_size,
                                 assay_csv_t *out_csv, void **out_rows) {
    assay_status_t status = assay_data_table_said(load->arena, load->lang, file, load->dir,
                                                  load->n_dir, out_csv, load->err);
    if (status == ASSAY_OK) {
        status = columns(out_csv, name, column, n_column, load->err);
    }
    if (status == ASSAY_OK) {
        *out_rows = assay_arena_array(load->arena, out_csv->n_rows, row_size);
        status = *out_rows ? ASSAY_OK : assay_error_memory(load->err, NULL);
    }
    return status;
}

/* --- check_thresholds.csv -------------------------------------------------------------------- */

static int compare_thresholds(const void *a, const void *b) {
    return strcmp(((const assay_check_threshold_t *)a)->id,
                  ((const assay_check_threshold_t *)b)->id);
}

static assay_status_t load_thresholds(const loader_t *load, assay_host_rules_t *rules) {
    static const char *const name[] = {"id", "value", "unit", "source"};
    int column[4];
    assay_csv_t csv;
    void *rows;
    assay_status_t status = open_table(load, "check_thresholds.csv", name, column, 4,
                                       sizeof(assay_check_threshold_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_check_threshold_t *threshold = rows;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const char *value = assay_csv_cell(&csv, i, column[1]);
        threshold[i].id = assay_csv_cell(&csv, i, column[0]);
        threshold[i].unit = assay_csv_cell(&csv, i, column[2]);
        threshold[i].source = assay_csv_cell(&csv, i, column[3]);
        if (!assay_text_to_double(value, strlen(value), &threshold[i].value)) {
            const assay_place_t at = assay_csv_place(&csv, i);
            return assay_error_set(load->err, ASSAY_INPUT, &at, "'%s' is not a number", value);
        }
    }
    qsort(threshold, csv.n_rows, sizeof *threshold, compare_thresholds);
    rules->threshold = threshold;
    rules->n_threshold = csv.n_rows;
    return ASSAY_OK;
}

double host_threshold_find(const assay_host_rules_t *rules, const char *id) {
    for (uint32_t i = 0; i < rules->n_threshold; i++) {
        if (strcmp(rules->threshold[i].id, id) == 0) {
            return rules->threshold[i].value;
        }
    }
    assert(false && "every threshold that is asked for has a row");
    return 0.0;
}

/* Those whose id is the check's, a dot and a name; they stand one after the other. */
static void find_thresholds(const assay_host_rules_t *rules, assay_check_t *check) {
    const size_t n = strlen(check->id);
    for (uint32_t i = 0; i < rules->n_threshold; i++) {
        const char *id = rules->threshold[i].id;
        if (strncmp(id, check->id, n) == 0 && id[n] == '.') {
            check->threshold = check->threshold ? check->threshold : &rules->threshold[i];
            check->n_threshold++;
        }
    }
}

/* --- checks.csv ------------------------------------------------------------------------------ */

static int compare_checks(const void *a, const void *b) {
    return strcmp(((const assay_check_t *)a)->id, ((const assay_check_t *)b)->id);
}

static bool read_severity(const char *text, uint8_t *out) {
    for (int i = 0; i < ASSAY_SEVERITY_N; i++) {
        if (strcmp(text, assay_severity_name((assay_severity_t)i)) == 0) {
            *out = (uint8_t)i;
            return true;
        }
    }
    return false;
}

static assay_status_t load_checks(const loader_t *load, assay_host_rules_t *rules) {
    enum {
        ID,
        SEVERITY,
        APPLIES,
        TITLE,
        CONDITION,
        CAUSE,
        FIX,
        VERIFY,
        READS,
        SOURCE,
        REFERENCE,
        N
    };
    static const char *const name[N] = {"id",        "severity", "applies",  "title",
                                        "condition", "cause",    "fix",      "verify",
                                        "reads",     "source",   "reference"};
    int column[N];
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        open_table(load, "checks.csv", name, column, N, sizeof(assay_check_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_check_t *check = rows;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const char *cell[N];
        for (int c = 0; c < N; c++) {
            cell[c] = assay_csv_cell(&csv, i, column[c]);
        }
        check[i] = (assay_check_t){.id = cell[ID],
                                   .applies = cell[APPLIES],
                                   .title = cell[TITLE],
                                   .condition = cell[CONDITION],
                                   .cause = cell[CAUSE],
                                   .fix = cell[FIX],
                                   .verify = cell[VERIFY],
                                   .reads = cell[READS],
                                   .source = cell[SOURCE],
                                   .reference = cell[REFERENCE]};
        find_thresholds(rules, &check[i]);
        if (!read_severity(cell[SEVERITY], &check[i].severity)) {
            const assay_place_t at = assay_csv_place(&csv, i);
            assay_error_set(load->err, ASSAY_INPUT, &at, "unknown severity '%s'", cell[SEVERITY]);
            assay_error_next(load->err, "write critical, error, warning or info");
            return ASSAY_INPUT;
        }
        if (!host_condition_find(cell[APPLIES])) {
            const assay_place_t at = assay_csv_place(&csv, i);
            assay_error_set(load->err, ASSAY_INPUT, &at, "unknown condition '%s'", cell[APPLIES]);
            assay_error_next(load->err, "write AMD, NVIDIA, accelerator, accelerators, container, "
                                        "RDMA or any host");
            return ASSAY_INPUT;
        }
    }
    qsort(check, csv.n_rows, sizeof *check, compare_checks);
    rules->check = check;
    rules->n_check = csv.n_rows;
    return ASSAY_OK;
}

const assay_check_t *assay_host_rules_checks(const assay_host_rules_t *rules, uint32_t *out_n) {
    *out_n = rules->n_check;
    return rules->check;
}

const assay_check_t *assay_host_rules_check(const assay_host_rules_t *rules, const char *id) {
    for (uint32_t i = 0; i < rules->n_check; i++) {
        if (assay_text_equal_fold(rules->check[i].id, id)) {
            return &rules->check[i];
        }
    }
    return NULL;
}

/* --- check_causes.csv ------------------------------------------------------------------------ */

static assay_status_t load_causes(const loader_t *load, assay_host_rules_t *rules) {
    static const char *const name[] = {"consequence", "cause"};
    int column[2];
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        open_table(load, "check_causes.csv", name, column, 2, sizeof(host_cause_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    host_cause_t *cause = rows;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        for (int c = 0; c < 2; c++) {
            const char *id = assay_csv_cell(&csv, i, column[c]);
            const assay_check_t *check = assay_host_rules_check(rules, id);
            if (!check) {
                const assay_place_t at = assay_csv_place(&csv, i);
                return assay_error_set(load->err, ASSAY_INPUT, &at, "unknown check '%s'", id);
            }
            *(c == 0 ? &cause[i].consequence : &cause[i].cause) = check->id;
        }
    }
    rules->cause = cause;
    rules->n_cause = csv.n_rows;
    return ASSAY_OK;
}

/* --- log_events.csv -------------------------------------------------------------------------- */

/* Bytes of the mark at text, 0: none. */
static size_t read_mark(const char *text, uint8_t *out_kind) {
    static const struct {
        const char *mark;
        uint8_t kind;
    } mark[] = {{"{n}", HOST_PIECE_NUMBER}, {"{w}", HOST_PIECE_WORD}, {"*", HOST_PIECE_ANY}};
    for (size_t i = 0; i < sizeof mark / sizeof mark[0]; i++) {
        const size_t n = strlen(mark[i].mark);
        if (strncmp(text, mark[i].mark, n) == 0) {
            *out_kind = mark[i].kind;
            return n;
        }
    }
    return 0;
}

/* "Xid (PCI:{w}): {n}*RPC": literals with what stands behind each. */
static const host_piece_t *read_pattern(assay_arena_t *arena, const char *text, uint32_t *out_n) {
    host_piece_t *piece = assay_arena_array(arena, strlen(text) + 1, sizeof *piece);
    uint32_t n = 0;
    for (const char *from = text, *at = text; piece;) {
        uint8_t kind = HOST_PIECE_END;
        const size_t length = read_mark(at, &kind);
        if (*at && length == 0) {
            at++;
            continue;
        }
        piece[n++] = (host_piece_t){{from, (size_t)(at - from)}, kind};
        if (!*at) {
            break;
        }
        from = at += length;
    }
    *out_n = n;
    return piece;
}

static assay_status_t load_events(const loader_t *load, assay_host_rules_t *rules) {
    static const char *const name[] = {"event", "pattern"};
    int column[2];
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        open_table(load, "log_events.csv", name, column, 2, sizeof(host_event_rule_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    host_event_rule_t *rule = rows;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        rule[i].event = assay_csv_cell(&csv, i, column[0]);
        rule[i].piece =
            read_pattern(load->arena, assay_csv_cell(&csv, i, column[1]), &rule[i].n_piece);
        if (!rule[i].piece) {
            return assay_error_memory(load->err, NULL);
        }
        if (rule[i].piece[0].literal.n < 4) {
            const assay_place_t at = assay_csv_place(&csv, i);
            return assay_error_set(load->err, ASSAY_INPUT, &at,
                                   "a pattern starts with at least 4 letters of plain text");
        }
    }
    rules->event_rule = rule;
    rules->n_event_rule = csv.n_rows;
    return ASSAY_OK;
}

/* --- envvars.csv ----------------------------------------------------------------------------- */

static int compare_variables(const void *a, const void *b) {
    const host_variable_t *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->component, y->component);
}

const host_variable_t *host_variable_find(const assay_host_rules_t *rules, const char *name) {
    uint32_t low = 0, high = rules->n_variable;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (strcmp(rules->variable[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < rules->n_variable && strcmp(rules->variable[low].name, name) == 0;
    return found ? &rules->variable[low] : NULL;
}

static assay_status_t load_variables(const loader_t *load, assay_host_rules_t *rules) {
    enum {
        NAME,
        COMPONENT,
        MEANING,
        VALUES,
        TYPE,
        DEFAULT,
        UNTIL,
        GONE,
        INSTEAD,
        EFFECT,
        QUIET,
        CHECK,
        SEVERITY,
        SOURCE,
        N
    };
    static const char *const name[N] = {"name",    "component", "meaning",  "values",  "type",
                                        "default", "until",     "gone",     "instead", "effect",
                                        "quiet",   "check",     "severity", "source"};
    int column[N];
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        open_table(load, "envvars.csv", name, column, N, sizeof(host_variable_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    host_variable_t *variable = rows;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const char *cell[N];
        for (int c = 0; c < N; c++) {
            cell[c] = assay_csv_cell(&csv, i, column[c]);
        }
        variable[i] = (host_variable_t){.name = cell[NAME],
                                        .component = cell[COMPONENT],
                                        .meaning = cell[MEANING],
                                        .values = cell[VALUES],
                                        .initial = cell[DEFAULT],
                                        .until = cell[UNTIL],
                                        .effect = cell[EFFECT],
                                        .source = cell[SOURCE],
                                        .type = cell[TYPE],
                                        .gone = cell[GONE],
                                        .instead = cell[INSTEAD],
                                        .quiet = cell[QUIET],
                                        .check = cell[CHECK],
                                        .severity = ASSAY_SEVERITY_INFO};
        if (*cell[CHECK] && !read_severity(cell[SEVERITY], &variable[i].severity)) {
            const assay_place_t at = assay_csv_place(&csv, i);
            return assay_error_set(load->err, ASSAY_INPUT, &at, "unknown severity '%s'",
                                   cell[SEVERITY]);
        }
    }
    qsort(variable, csv.n_rows, sizeof *variable, compare_variables);
    rules->variable = variable;
    rules->n_variable = csv.n_rows;
    return ASSAY_OK;
}

/* --- tables that checks compare with --------------------------------------------------------- */

static assay_status_t load_table(const loader_t *load, const char *file, const char *const *name,
                                 uint32_t n_column, host_table_t *out_table) {
    int column[HOST_CELLS];
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        open_table(load, file, name, column, n_column, sizeof(host_row_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    host_row_t *row = rows;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        for (uint32_t c = 0; c < n_column; c++) {
            row[i].cell[c] = assay_csv_cell(&csv, i, column[c]);
        }
    }
    *out_table = (host_table_t){row, csv.n_rows};
    return ASSAY_OK;
}

static assay_status_t load_tables(const loader_t *load, assay_host_rules_t *rules) {
    const struct {
        const char *file, *name[HOST_CELLS];
        uint32_t n;
        host_table_t *table;
    } table[] = {
        {"rocm_kernels.csv", {"rocm", "distribution", "kernel"}, 3, &rules->rocm_kernel},
        {"rocm_drivers.csv", {"rocm", "driver"}, 2, &rules->rocm_driver},
        {"rocm_parts.csv", {"target", "first_rocm"}, 2, &rules->rocm_part},
        {"partitions.csv", {"part", "compute", "memory", "devices"}, 4, &rules->partition},
        {"collective_norms.csv", {"part", "operation", "ranks", "bus_gb_s"}, 4, &rules->norm},
        {"xids.csv", {"xid", "severity", "meaning", "action"}, 4, &rules->xid},
    };
    assay_status_t status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < sizeof table / sizeof table[0]; i++) {
        status = load_table(load, table[i].file, table[i].name, table[i].n, table[i].table);
    }
    return status;
}

assay_status_t assay_host_rules_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                     assay_lang_t lang, const assay_host_rules_t **out_rules,
                                     assay_error_t *err) {
    static assay_status_t (*const part[])(const loader_t *, assay_host_rules_t *) = {
        load_thresholds, load_checks, load_causes, load_events, load_variables, load_tables};
    const loader_t load = {arena, dir, n_dir, lang, err};
    assay_host_rules_t *rules = assay_arena_alloc(arena, sizeof *rules);
    if (!rules) {
        return assay_error_memory(err, NULL);
    }
    rules->lang = lang;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        const assay_status_t status = part[i](&load, rules);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    *out_rules = rules;
    return ASSAY_OK;
}
