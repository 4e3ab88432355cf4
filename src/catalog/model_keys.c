#include "catalog/model_keys.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/text.h"

#include "base/banned.h"

#define SCRATCH_BYTES_MAX ((size_t)8 << 20)

enum { FAMILY, FIELD, KEY, ABSENT, NULLED, CLASS, N_COLUMN };

static const char *cell(const keys_t *keys, uint32_t row, int column) {
    return assay_csv_cell(&keys->csv, row, column);
}

assay_status_t keys_open(keys_t *keys) {
    static const char *const names[N_COLUMN] = {"family", "field", "key",
                                                "absent", "null",  "class"};
    keys->scratch = assay_arena_create(SCRATCH_BYTES_MAX);
    if (!keys->scratch) {
        return assay_error_memory(keys->err, &keys->at);
    }
    const assay_status_t status =
        assay_data_table(keys->scratch, "model_families.csv", NULL, 0, &keys->csv, keys->err);
    for (int i = 0; status == ASSAY_OK && i < N_COLUMN; i++) {
        if (assay_csv_column(&keys->csv, names[i]) != i) {
            return assay_error_set(keys->err, ASSAY_INTERNAL, &keys->at,
                                   "model_families.csv was not built in as it should be");
        }
    }
    return status;
}

void keys_close(keys_t *keys) {
    assay_arena_destroy(keys->scratch);
}

static uint32_t find_family(const keys_t *keys, const char *family, uint32_t *out_end) {
    uint32_t row = 0;
    while (row < keys->csv.n_rows && strcmp(cell(keys, row, FAMILY), family) != 0) {
        row++;
    }
    *out_end = row;
    while (*out_end < keys->csv.n_rows && strcmp(cell(keys, *out_end, FAMILY), family) == 0) {
        ++*out_end;
    }
    return row;
}

bool keys_choose(keys_t *keys, const char *family) {
    keys->n_like = 0;
    keys->family = family;
    while (*family && keys->n_like < KEYS_LIKE_MAX) {
        uint32_t end;
        const uint32_t row = find_family(keys, family, &end);
        if (row == end) {
            return false;
        }
        keys->first_row[keys->n_like] = row;
        keys->end_row[keys->n_like++] = end;
        family = cell(keys, row, ABSENT); /* the first row says what it is like */
    }
    assert(!*family);
    return keys->n_like > 0;
}

/* The row of the family, or of the nearest it is like, about a field; -1: none. */
static int64_t find_row(const keys_t *keys, const char *field) {
    for (uint32_t i = 0; i < keys->n_like; i++) {
        for (uint32_t row = keys->first_row[i]; row < keys->end_row[i]; row++) {
            if (strcmp(cell(keys, row, FIELD), field) == 0) {
                return row;
            }
        }
    }
    return -1;
}

const char *keys_text(const keys_t *keys, const char *field) {
    const int64_t row = find_row(keys, field);
    return row < 0 ? "" : cell(keys, (uint32_t)row, ABSENT);
}

const char **keys_families(const keys_t *keys, uint32_t *out_n) {
    const char **names = assay_arena_array(keys->scratch, keys->csv.n_rows, sizeof *names);
    *out_n = 0;
    for (uint32_t row = 0; names && row < keys->csv.n_rows; row++) {
        const char *name = cell(keys, row, FAMILY);
        const size_t n = strlen(name);
        const bool tower = n > 6 && strcmp(name + n - 6, "_tower") == 0;
        if (strcmp(cell(keys, row, FIELD), "like") == 0 && !tower && *name != '*') {
            names[(*out_n)++] = name;
        }
    }
    return names;
}

assay_status_t keys_note(const keys_t *keys, const char *format, ...) {
    assay_notes_t *notes = keys->notes;
    if (!notes || notes->n == ASSAY_NOTES_MAX) {
        return ASSAY_OK;
    }
    va_list args;
    va_start(args, format);
    const char *text = assay_arena_vprintf(keys->arena, format, args);
    va_end(args);
    if (!text) {
        return assay_error_memory(keys->err, &keys->at);
    }
    notes->text[notes->n++] = text;
    return ASSAY_OK;
}

/* The nearest of the file's own keys, for one that is missing. */
static const char *nearest_key(const json_t *root, const char *name) {
    const char *best = NULL;
    for (void *i = json_object_iter((json_t *)root); i;
         i = json_object_iter_next((json_t *)root, i)) {
        const char *const pair[] = {best, json_object_iter_key(i)};
        best = assay_text_nearest(name, pair, 2);
    }
    return best;
}

assay_status_t keys_refuse_missing(const keys_t *keys, const char *name) {
    const char *near = nearest_key(keys->root, name);
    assay_error_set(keys->err, ASSAY_INPUT, &keys->at, "key '%s' is missing", name);
    if (near) {
        assay_error_next(keys->err, "is '%s' a misspelling of it?", near);
    } else {
        assay_error_next(keys->err, "give the config.json that belongs to the weights");
    }
    return ASSAY_INPUT;
}

const json_t *keys_find(const json_t *root, const char *path, size_t n) {
    while (root && n > 0) {
        const char *dot = memchr(path, '.', n);
        const size_t part = dot ? (size_t)(dot - path) : n;
        char name[64];
        assert(part < sizeof name); /* paths come from the table */
        memcpy(name, path, part);
        name[part] = '\0';
        root = json_object_get(root, name);
        path += dot ? part + 1 : part;
        n -= dot ? part + 1 : part;
    }
    return root;
}

/* Fields are read back as numbers, so that expressions can use them. */
static double get(const keys_field_t *field, const void *out) {
    const void *at = (const char *)out + field->offset;
    switch (field->kind) {
    case KEYS_BOOL:
        return *(const bool *)at;
    case KEYS_NUMBER:
        return *(const double *)at;
    default:
        return *(const uint32_t *)at;
    }
}

static void set(const keys_field_t *field, void *out, double value) {
    void *at = (char *)out + field->offset;
    switch (field->kind) {
    case KEYS_BOOL:
        *(bool *)at = value != 0;
        break;
    case KEYS_NUMBER:
        *(double *)at = value;
        break;
    default:
        *(uint32_t *)at = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
        break;
    }
}

typedef struct {
    const keys_field_t *fields;
    uint32_t n; /* those that have a value */
    const void *out;
} scope_t;

static double factor_value(const scope_t *scope, const char *text, size_t n) {
    double value;
    if (assay_text_to_double(text, n, &value)) {
        return value;
    }
    for (uint32_t i = 0; i < scope->n; i++) {
        if (strlen(scope->fields[i].name) == n && memcmp(scope->fields[i].name, text, n) == 0) {
            return get(&scope->fields[i], scope->out);
        }
    }
    assert(n == 3 || n == 2); /* ./dev data-check evaluates every row of the table */
    return n == 3 && memcmp(text, "yes", 3) == 0;
}

/* A sum of products of numbers and fields: "4*hidden", "hidden/heads". */
static double evaluate(const scope_t *scope, const char *text) {
    double sum = 0, product = 1;
    char before = '*';
    for (;;) {
        const size_t n = strcspn(text, "+*/");
        const double value = factor_value(scope, text, n);
        product = before == '/' ? (value > 0 ? product / value : 0) : product * value;
        before = text[n];
        if (before == '+' || before == '\0') {
            sum += product;
            product = 1;
        }
        if (before == '\0') {
            return sum;
        }
        text += n + 1;
    }
}

static assay_status_t refuse_value(const keys_t *keys, const char *key, const json_t *value,
                                   const char *expected) {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    assay_error_set(keys->err, ASSAY_INPUT, &keys->at, "key '%s': expected %s, found %.40s", key,
                    expected, text ? text : "something else");
    free(text);
    return ASSAY_INPUT;
}

static assay_status_t take(const keys_t *keys, const keys_field_t *field, const char *key,
                           bool inverted, const json_t *value, void *out) {
    char expected[64];
    if (field->kind == KEYS_BOOL) {
        if (!json_is_boolean(value)) {
            return refuse_value(keys, key, value, "true or false");
        }
        set(field, out, json_is_true(value) != inverted);
        return ASSAY_OK;
    }
    if (field->kind == KEYS_LENGTH) {
        if (!json_is_array(value) || json_array_size(value) > field->max) {
            return refuse_value(keys, key, value, "a list");
        }
        set(field, out, (double)json_array_size(value));
        return ASSAY_OK;
    }
    if (!json_is_integer(value) || json_integer_value(value) < field->min ||
        json_integer_value(value) > field->max) {
        snprintf(expected, sizeof expected, "a whole number from %u to %u", field->min, field->max);
        return refuse_value(keys, key, value, expected);
    }
    set(field, out, (double)json_integer_value(value));
    return ASSAY_OK;
}

/* The value of the first of several names for the same; they must not contradict each other. */
static assay_status_t find_value(const keys_t *keys, const char *names, const char **out_key,
                                 bool *out_inverted, const json_t **out_value) {
    *out_value = NULL;
    *out_key = NULL;
    *out_inverted = false;
    for (size_t n; *names; names += n + (names[n] == ' ')) {
        n = strcspn(names, " ");
        const bool inverted = *names == '!';
        const json_t *value = keys_find(keys->root, names + inverted, n - inverted);
        if (*out_value && value && !json_equal(*out_value, value)) {
            assay_error_set(keys->err, ASSAY_INPUT, &keys->at, "keys '%s' and '%.*s' differ",
                            *out_key, (int)(n - inverted), names + inverted);
            assay_error_next(keys->err, "they mean the same; keep one");
            return ASSAY_INPUT;
        }
        if (!*out_key || (value && !*out_value)) {
            *out_key = assay_arena_strndup(keys->scratch, names + inverted, n - inverted);
            *out_inverted = inverted;
            *out_value = value;
        }
        if (!*out_key) {
            return assay_error_memory(keys->err, &keys->at);
        }
    }
    return ASSAY_OK;
}

static assay_status_t read_field(const keys_t *keys, uint32_t row, const keys_field_t *field,
                                 const scope_t *scope, void *out) {
    const char *key;
    bool inverted;
    const json_t *value;
    const assay_status_t status = find_value(keys, cell(keys, row, KEY), &key, &inverted, &value);
    if (status != ASSAY_OK) {
        return status;
    }
    if (key && !value && keys->outer && strcmp(field->name, "tied_embeddings") == 0) {
        value = json_object_get(keys->outer, key); /* said of the whole model */
    }
    if (value && !json_is_null(value)) {
        return take(keys, field, key, inverted, value, out);
    }
    const char *absent = cell(keys, row, ABSENT), *nulled = cell(keys, row, NULLED);
    const char *text = value && *nulled ? nulled : absent;
    if (!*text && keys->outer) {
        text = cell(keys, row, CLASS); /* text_config holds what differs from the class */
    }
    if (!*text) {
        assert(key);
        return keys_refuse_missing(keys, key);
    }
    const double result = evaluate(scope, text);
    if (field->kind == KEYS_COUNT && field->min > 0 && result > floor(result)) {
        assay_error_set(keys->err, ASSAY_INPUT, &keys->at,
                        "key '%s' is missing, and %s is no whole number", key ? key : field->name,
                        text);
        assay_error_next(keys->err, "give %s", key ? key : field->name);
        return ASSAY_INPUT;
    }
    set(field, out, result);
    /* Worth telling: a number of the class, not what follows from others or a plain "no". */
    const bool number = *text >= '1' && *text <= '9' && !strpbrk(text, "+*/");
    return key && number && !field->quiet
               ? keys_note(keys, "%s %s (default of %s)", key, text, keys->family)
               : ASSAY_OK;
}

assay_status_t keys_read(const keys_t *keys, const keys_field_t *fields, uint32_t n, void *out) {
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; status == ASSAY_OK && i < n; i++) {
        const scope_t scope = {fields, i, out};
        const int64_t row = find_row(keys, fields[i].name);
        if (row >= 0) {
            status = read_field(keys, (uint32_t)row, &fields[i], &scope, out);
        }
    }
    return status;
}
