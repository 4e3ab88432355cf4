#include "port/port_tables.h"

#include <assert.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/csv.h"
#include "port/c_words.h"
#include "port/port_hash.h"

#include "base/banned.h"

#define FILTER_BITS (UINT32_C(1) << 16)
#define MAX_API_ROWS (UINT16_MAX - 1)

/* Words and identifiers share one table of open addressing, at most half full. */
typedef struct {
    uint32_t hash;
    uint16_t api; /* row from 1; 0 = none */
    uint8_t word;
} slot_t;

struct port_tables {
    slot_t *slot;
    uint32_t mask;
    uint64_t filter[FILTER_BITS / 64]; /* most identifiers are nobody's: they stop here */
    port_api_t *api;
    uint32_t n_api;
    port_rule_t *rule;
    uint16_t *rule_slot;
    uint32_t n_rule, rule_mask;
    port_library_t *library;
    uint32_t n_library;
    const port_packages_t *packages;
    const port_target_t *target;
    uint32_t n_target;
};

static const char *const words[PORT_WORD_N] = {
#define WORD_TEXT(code, text) [PORT_WORD_##code] = text,
    PORT_WORD_LIST(WORD_TEXT)
#undef WORD_TEXT
};
static_assert(PORT_WORD_N <= 256, "a token keeps its word in a byte");

bool assay_port_rocm_parse(const char *text, uint32_t *out_rocm) {
    const char *dot = strchr(text, '.');
    uint64_t major, minor = 0;
    if (!assay_text_to_u64(text, dot ? (size_t)(dot - text) : strlen(text), &major) ||
        (dot && !assay_text_to_u64(dot + 1, strcspn(dot + 1, "."), &minor)) || major == 0 ||
        major > 600 || minor > 99) {
        return false;
    }
    *out_rocm = (uint32_t)(major * 100 + minor);
    return true;
}

/* --- reading the CSV files ------------------------------------------------------------------ */

#define MAX_COLUMNS 12u

/* Columns are found once a table, not once a cell: port_api.csv has 80,000 of them. */
typedef struct {
    const assay_csv_t *csv;
    const char *const *name;
    int index[MAX_COLUMNS]; /* of name[], in the file */
    uint32_t row;
    assay_error_t *err;
    assay_status_t status; /* the first cell that could not be read */
} row_t;

static row_t rows_of(const assay_csv_t *csv, const char *const *name, size_t n,
                     assay_error_t *err) {
    row_t row = {.csv = csv, .name = name, .err = err};
    assert(n <= MAX_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        row.index[i] = assay_csv_column(csv, name[i]);
        assert(row.index[i] >= 0);
    }
    return row;
}

static const char *row_text(const row_t *row, unsigned column) {
    return assay_csv_cell(row->csv, row->row, row->index[column]);
}

static uint8_t row_choice(row_t *row, unsigned column, const char *const *choice, size_t n) {
    const char *cell = row_text(row, column);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(cell, choice[i]) == 0) {
            return (uint8_t)i;
        }
    }
    if (row->status == ASSAY_OK) {
        const assay_place_t at = assay_csv_place(row->csv, row->row);
        row->status = assay_error_set(row->err, ASSAY_INPUT, &at, "column '%s': unknown value '%s'",
                                      row->name[column], cell);
        assay_error_next(row->err, "such as '%s'", choice[0]);
    }
    return 0;
}

/* A version such as 6.2; 0 when empty. */
static uint16_t row_version(row_t *row, unsigned column) {
    const char *cell = row_text(row, column);
    uint32_t version = 0;
    if (cell[0] && !assay_port_rocm_parse(cell, &version) && row->status == ASSAY_OK) {
        const assay_place_t at = assay_csv_place(row->csv, row->row);
        row->status = assay_error_set(row->err, ASSAY_INPUT, &at, "column '%s': '%s' is no version",
                                      row->name[column], cell);
        assay_error_next(row->err, "write it as 6.4");
    }
    return (uint16_t)version;
}

static const char *const kind_names[] = {"function", "type", "enum", "macro", "include"};
static const char *const status_names[] = {"supported", "deprecated", "experimental",
                                           "unsupported"};
static const char *const effect_names[] = {"silent", "compile", "slow", "note"};
static const char *const severity_names[] = {"critical", "error", "warning", "info", ""};
static const char *const level_names[] = {"", "1", "2", "3"};
static const char *const yes_names[] = {"no", "yes", ""};
#define N_OF(array) (sizeof(array) / sizeof *(array))

enum {
    API_NAME,
    API_KIND,
    API_LIBRARY,
    API_HIP,
    API_STATUS,
    API_HIP_ADDED,
    API_HIP_REMOVED,
    API_CUDA_REMOVED,
    API_SOURCE,
    API_N
};
static const char *const api_columns[API_N] = {
    [API_NAME] = "name",
    [API_KIND] = "kind",
    [API_LIBRARY] = "library",
    [API_HIP] = "hip",
    [API_STATUS] = "status",
    [API_HIP_ADDED] = "hip_added",
    [API_HIP_REMOVED] = "hip_removed",
    [API_CUDA_REMOVED] = "cuda_removed",
    [API_SOURCE] = "source",
};

static assay_status_t load_api(assay_arena_t *arena, port_tables_t *tables, assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status = assay_data_table(arena, "port_api.csv", NULL, 0, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    if (csv.n_rows > MAX_API_ROWS) {
        const assay_place_t at = {csv.file, 0, 0};
        return assay_error_set(err, ASSAY_LIMIT, &at, "more than %u rows", MAX_API_ROWS);
    }
    tables->api = assay_arena_array(arena, csv.n_rows, sizeof *tables->api);
    if (!tables->api) {
        return assay_error_memory(err, NULL);
    }
    tables->n_api = csv.n_rows;
    row_t row = rows_of(&csv, api_columns, API_N, err);
    for (uint32_t i = 0; i < csv.n_rows && status == ASSAY_OK; i++) {
        row.row = i;
        tables->api[i] = (port_api_t){
            .name = row_text(&row, API_NAME),
            .hip = row_text(&row, API_HIP),
            .library = row_text(&row, API_LIBRARY),
            .source = row_text(&row, API_SOURCE),
            .kind = row_choice(&row, API_KIND, kind_names, N_OF(kind_names)),
            .status = row_choice(&row, API_STATUS, status_names, N_OF(status_names)),
            .hip_added = row_version(&row, API_HIP_ADDED),
            .hip_removed = row_version(&row, API_HIP_REMOVED),
            .cuda_removed = row_version(&row, API_CUDA_REMOVED),
        };
        status = row.status;
    }
    return status;
}

enum {
    RULE_ID,
    RULE_MESSAGE,
    RULE_REPLACEMENT,
    RULE_SOURCE,
    RULE_TARGET,
    RULE_EFFECT,
    RULE_SEVERITY,
    RULE_LEVEL,
    RULE_ROCM_FROM,
    RULE_ROCM_TO,
    RULE_HEURISTIC,
    RULE_N
};
static const char *const rule_columns[RULE_N] = {
    [RULE_ID] = "id",
    [RULE_MESSAGE] = "message",
    [RULE_REPLACEMENT] = "replacement",
    [RULE_SOURCE] = "source",
    [RULE_TARGET] = "target",
    [RULE_EFFECT] = "effect",
    [RULE_SEVERITY] = "severity",
    [RULE_LEVEL] = "level",
    [RULE_ROCM_FROM] = "rocm_from",
    [RULE_ROCM_TO] = "rocm_to",
    [RULE_HEURISTIC] = "heuristic",
};

static assay_status_t load_rules(assay_arena_t *arena, assay_lang_t lang, port_tables_t *tables,
                                 assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status =
        assay_data_table_said(arena, lang, "port_rules.csv", NULL, 0, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    tables->rule = assay_arena_array(arena, csv.n_rows, sizeof *tables->rule);
    if (!tables->rule) {
        return assay_error_memory(err, NULL);
    }
    tables->n_rule = csv.n_rows;
    row_t row = rows_of(&csv, rule_columns, RULE_N, err);
    for (uint32_t i = 0; i < csv.n_rows && status == ASSAY_OK; i++) {
        row.row = i;
        port_rule_t *rule = &tables->rule[i];
        *rule = (port_rule_t){
            .id = row_text(&row, RULE_ID),
            .message = row_text(&row, RULE_MESSAGE),
            .replacement = row_text(&row, RULE_REPLACEMENT),
            .source = row_text(&row, RULE_SOURCE),
            .target = row_text(&row, RULE_TARGET),
            .effect = row_choice(&row, RULE_EFFECT, effect_names, N_OF(effect_names)),
            .severity = row_choice(&row, RULE_SEVERITY, severity_names, N_OF(severity_names)),
            .level = row_choice(&row, RULE_LEVEL, level_names, N_OF(level_names)),
            .rocm_from = row_version(&row, RULE_ROCM_FROM),
            .rocm_to = row_version(&row, RULE_ROCM_TO),
            .heuristic = row_choice(&row, RULE_HEURISTIC, yes_names, N_OF(yes_names)) == 1,
        };
        if (rule->severity >= ASSAY_SEVERITY_N) {
            rule->severity = (uint8_t)assay_severity_of((assay_effect_t)rule->effect);
        }
        status = row.status;
    }
    return status;
}

enum {
    LIBRARY_TRIGGER,
    LIBRARY_COMPONENT,
    LIBRARY_REPLACEMENT,
    LIBRARY_NOTE,
    LIBRARY_SOURCE,
    LIBRARY_RULE,
    LIBRARY_SINCE,
    LIBRARY_N
};
static const char *const library_columns[LIBRARY_N] = {
    [LIBRARY_TRIGGER] = "trigger",
    [LIBRARY_COMPONENT] = "component",
    [LIBRARY_REPLACEMENT] = "replacement",
    [LIBRARY_NOTE] = "note",
    [LIBRARY_SOURCE] = "source",
    [LIBRARY_RULE] = "rule",
    [LIBRARY_SINCE] = "since",
};

static assay_status_t load_libraries(assay_arena_t *arena, port_tables_t *tables,
                                     assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status = assay_data_table(arena, "port_libraries.csv", NULL, 0, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    tables->library = assay_arena_array(arena, csv.n_rows, sizeof *tables->library);
    if (!tables->library) {
        return assay_error_memory(err, NULL);
    }
    tables->n_library = csv.n_rows;
    row_t row = rows_of(&csv, library_columns, LIBRARY_N, err);
    for (uint32_t i = 0; i < csv.n_rows && status == ASSAY_OK; i++) {
        row.row = i;
        tables->library[i] = (port_library_t){
            .trigger = row_text(&row, LIBRARY_TRIGGER),
            .component = row_text(&row, LIBRARY_COMPONENT),
            .replacement = row_text(&row, LIBRARY_REPLACEMENT),
            .note = row_text(&row, LIBRARY_NOTE),
            .source = row_text(&row, LIBRARY_SOURCE),
            .rule = row_text(&row, LIBRARY_RULE),
            .since = row_version(&row, LIBRARY_SINCE),
        };
        status = row.status;
    }
    return status;
}

/* --- finding -------------------------------------------------------------------------------- */

static slot_t *slot_for(const port_tables_t *tables, uint32_t hash, const char *text, size_t n) {
    for (uint32_t i = hash & tables->mask;; i = (i + 1) & tables->mask) {
        slot_t *slot = &tables->slot[i];
        if (!slot->word && !slot->api) {
            return slot;
        }
        const char *name = slot->word ? words[slot->word] : tables->api[slot->api - 1].name;
        if (slot->hash == hash && strncmp(name, text, n) == 0 && name[n] == '\0') {
            return slot;
        }
    }
}

static slot_t *slot_add(port_tables_t *tables, const char *text) {
    const size_t n = strlen(text);
    const uint32_t hash = port_hash(text, n);
    slot_t *slot = slot_for(tables, hash, text, n);
    slot->hash = hash;
    tables->filter[hash % FILTER_BITS / 64] |= UINT64_C(1) << hash % 64;
    return slot;
}

static uint32_t power_of_two(uint32_t least) {
    uint32_t size = 1;
    while (size < least) {
        size *= 2;
    }
    return size;
}

static assay_status_t index_all(assay_arena_t *arena, port_tables_t *tables, assay_error_t *err) {
    const uint32_t n_slot = power_of_two(2 * (tables->n_api + PORT_WORD_N));
    const uint32_t n_rule_slot = power_of_two(2 * (tables->n_rule + 1));
    tables->slot = assay_arena_array(arena, n_slot, sizeof *tables->slot);
    tables->rule_slot = assay_arena_array(arena, n_rule_slot, sizeof *tables->rule_slot);
    if (!tables->slot || !tables->rule_slot) {
        return assay_error_memory(err, NULL);
    }
    tables->mask = n_slot - 1;
    tables->rule_mask = n_rule_slot - 1;
    for (unsigned word = 1; word < PORT_WORD_N; word++) {
        slot_add(tables, words[word])->word = (uint8_t)word;
    }
    for (uint32_t i = 0; i < tables->n_api; i++) {
        slot_add(tables, tables->api[i].name)->api = (uint16_t)(i + 1);
    }
    for (uint32_t i = 0; i < tables->n_rule; i++) {
        uint32_t at = port_hash(tables->rule[i].id, strlen(tables->rule[i].id));
        while (tables->rule_slot[at & tables->rule_mask]) {
            at++;
        }
        tables->rule_slot[at & tables->rule_mask] = (uint16_t)(i + 1);
    }
    return ASSAY_OK;
}

assay_status_t port_tables_load(assay_arena_t *arena, assay_lang_t lang,
                                const port_tables_t **out_tables, assay_error_t *err) {
    port_tables_t *tables = assay_arena_alloc(arena, sizeof *tables);
    if (!tables) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = load_api(arena, tables, err);
    if (status == ASSAY_OK) {
        status = load_rules(arena, lang, tables, err);
    }
    if (status == ASSAY_OK) {
        status = load_libraries(arena, tables, err);
    }
    if (status == ASSAY_OK) {
        status = port_packages_load(arena, lang, &tables->packages, err);
    }
    if (status == ASSAY_OK) {
        status = port_targets_load(arena, &tables->target, &tables->n_target, err);
    }
    if (status == ASSAY_OK) {
        status = index_all(arena, tables, err);
    }
    if (status == ASSAY_OK) {
        *out_tables = tables;
    }
    return status;
}

const port_packages_t *port_tables_packages(const port_tables_t *tables) {
    return tables->packages;
}

const port_target_t *port_tables_target(const port_tables_t *tables, const char *name) {
    return port_target_find(tables->target, tables->n_target, name);
}

uint8_t port_word_find(const port_tables_t *tables, uint32_t hash, const char *text, size_t n,
                       uint16_t *out_api) {
    *out_api = 0;
    if (!(tables->filter[hash % FILTER_BITS / 64] >> hash % 64 & 1)) {
        return 0;
    }
    const slot_t *slot = slot_for(tables, hash, text, n);
    *out_api = slot->api;
    return slot->word;
}

uint16_t port_api_index(const port_tables_t *tables, const port_api_t *api) {
    return (uint16_t)(api - tables->api + 1);
}

const port_api_t *port_api_row(const port_tables_t *tables, uint16_t index) {
    assert(index > 0 && index <= tables->n_api);
    return &tables->api[index - 1];
}

const port_api_t *port_api_find(const port_tables_t *tables, const char *text, size_t n) {
    uint16_t api;
    (void)port_word_find(tables, port_hash(text, n), text, n, &api);
    return api ? port_api_row(tables, api) : NULL;
}

const port_rule_t *port_rule_find(const port_tables_t *tables, const char *id) {
    for (uint32_t at = port_hash(id, strlen(id));; at++) {
        const uint16_t index = tables->rule_slot[at & tables->rule_mask];
        if (index == 0) {
            return NULL;
        }
        if (strcmp(tables->rule[index - 1].id, id) == 0) {
            return &tables->rule[index - 1];
        }
    }
}

const port_library_t *port_library_find(const port_tables_t *tables, const char *path, size_t n) {
    for (uint32_t i = 0; i < tables->n_library; i++) {
        const char *trigger = tables->library[i].trigger;
        size_t length = strlen(trigger);
        const char last = length > 0 ? trigger[length - 1] : '\0';
        const bool is_start = last == '/' || last == '*';
        length -= last == '*';
        if (n >= length && (is_start || n == length) && memcmp(path, trigger, length) == 0) {
            return &tables->library[i];
        }
    }
    return NULL;
}

/* --- which rules speak ---------------------------------------------------------------------- */

static bool is_wave64(const char *target) {
    return strncmp(target, "gfx9", 4) == 0;
}

static bool target_is(const char *target, const char *item, size_t n) {
    if (n == 6 && memcmp(item, "wave64", 6) == 0) {
        return is_wave64(target);
    }
    if (n == 6 && memcmp(item, "wave32", 6) == 0) {
        return !is_wave64(target);
    }
    return strncmp(target, item, n) == 0;
}

bool port_rule_applies(const port_rule_t *rule, const assay_port_options_t *options) {
    if ((rule->rocm_from && options->rocm < rule->rocm_from) ||
        (rule->rocm_to && options->rocm >= rule->rocm_to)) {
        return false;
    }
    const bool negated = rule->target[0] == '!';
    const char *item = rule->target + negated;
    if (!item[0]) {
        return true;
    }
    for (;;) {
        const size_t n = strcspn(item, "|");
        if (target_is(options->target, item, n)) {
            return !negated;
        }
        if (!item[n]) {
            return negated;
        }
        item += n + 1;
    }
}
