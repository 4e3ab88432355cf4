#include "assay/schema.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "base/schema_read.h"

#include "base/banned.h"

typedef schema_read_t read_t;
typedef assay_status_t (*read_field_t)(const read_t *read, const assay_field_t *field,
                                       const assay_node_t *node, void *member);

#define SHOWN_BYTES 60

/* What stands there, for messages: "a list", "'0.5 x'". Returns out. */
static const char *describe(const assay_node_t *node, char out[SHOWN_BYTES + 8]) {
    if (node->kind != ASSAY_NODE_SCALAR) {
        return node->kind == ASSAY_NODE_SEQUENCE ? "a list" : "a mapping";
    }
    size_t n = node->n_text;
    if (n > SHOWN_BYTES) {
        n = SHOWN_BYTES;
        while (n && ((unsigned char)node->text[n] & 0xc0) == 0x80) { /* not within a character */
            n--;
        }
    }
    snprintf(out, SHOWN_BYTES + 8, "'%.*s%s'", (int)n, node->text, n < node->n_text ? "..." : "");
    return out;
}

/* "a:", "a: null" and "a: ~": somebody began to write and did not end. */
static bool is_blank(const assay_node_t *node) {
    static const char *const null[] = {"~", "null", "Null", "NULL"};
    if (node->kind != ASSAY_NODE_SCALAR || node->n_text == 0) {
        return node->kind == ASSAY_NODE_SCALAR;
    }
    for (size_t i = 0; !node->quoted && i < sizeof null / sizeof *null; i++) {
        if (strcmp(node->text, null[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* "none, selective or full". Returns out. */
static const char *join_choices(const char *const *choices, char *out, size_t n_out) {
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; choices[i] && n < n_out; i++) {
        const char *between = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        n += (size_t)snprintf(out + n, n_out - n, "%s%s", between, choices[i]);
    }
    return out;
}

/* What a kind of value is called, and how it is written. NUMBER and texts with choices have their
   own words. */
static const struct {
    const char *name, *example;
} kind_words[] = {
    [ASSAY_FIELD_STRING] = {"a text", "a text, in quotes if it holds any of : # [ ] { } ,"},
    [ASSAY_FIELD_BOOL] = {"true or false", "true or false"},
    [ASSAY_FIELD_STRINGS] = {"a list of texts", "[a, b]"},
    [ASSAY_FIELD_STRUCT] = {"a mapping of keys", "its keys below it, as 'key: value' lines"},
    [ASSAY_FIELD_LIST] = {"a list", "its entries below it, each starting with '- '"},
    [ASSAY_FIELD_NODE] = {"a text or a mapping of keys", "an id, a path or a mapping of keys"},
};

/* A value of the wrong kind. */
static assay_status_t refuse(const read_t *read, const assay_field_t *field,
                             const assay_node_t *node) {
    char choices[160], shown[SHOWN_BYTES + 8];
    const char *name = kind_words[field->kind].name, *example = kind_words[field->kind].example;
    if (field->kind == ASSAY_FIELD_NUMBER) {
        name = assay_dim_name(field->dim);
        example = assay_dim_example(field->dim);
    } else if (field->choices) {
        name = example = join_choices(field->choices, choices, sizeof choices);
    }
    if (is_blank(node)) {
        assay_error_set(read->err, ASSAY_INPUT, &node->at, "'%s' has no value", field->key);
        assay_error_next(read->err, "write %s, or remove the key", example);
        return ASSAY_INPUT;
    }
    assay_error_set(read->err, ASSAY_INPUT, &node->at, "'%s' must be %s, not %s", field->key, name,
                    describe(node, shown));
    assay_error_next(read->err, "write %s", example);
    return ASSAY_INPUT;
}

static bool is_text(const assay_node_t *node) {
    return node->kind == ASSAY_NODE_SCALAR && !is_blank(node);
}

static assay_status_t check_range(const read_t *read, const assay_field_t *field,
                                  const assay_node_t *node, double value) {
    if (value >= field->min && value <= field->max) {
        return ASSAY_OK;
    }
    char low[48], high[48], shown[SHOWN_BYTES + 8];
    assay_units_format(field->min, field->dim, low);
    assay_units_format(field->max, field->dim, high);
    if (field->min >= field->max) {
        assay_error_set(read->err, ASSAY_INPUT, &node->at, "'%s' must be %s, not %s", field->key,
                        low, describe(node, shown));
        assay_error_next(read->err, "write %s: %s", field->key, low);
        return ASSAY_INPUT;
    }
    assay_error_set(read->err, ASSAY_INPUT, &node->at, "'%s' must be from %s to %s, not %s",
                    field->key, low, high, describe(node, shown));
    assay_error_next(read->err, "correct the value or its unit");
    return ASSAY_INPUT;
}

assay_status_t schema_read_value(const read_t *read, const assay_field_t *field,
                                 const assay_node_t *node, double *out_value) {
    double value = 0;
    if (!is_text(node)) {
        return refuse(read, field, node);
    }
    if (node->quoted && assay_text_to_double(node->text, node->n_text, &value)) {
        assay_error_set(read->err, ASSAY_INPUT, &node->at, "'%s' is a number in quotes",
                        field->key);
        assay_error_next(read->err, "remove the quotes: %s", node->text);
        return ASSAY_INPUT;
    }
    assay_status_t status = assay_units_parse(node->text, node->n_text, field->dim,
                                              field->bare_scale, &node->at, &value, read->err);
    if (status == ASSAY_OK) {
        status = check_range(read, field, node, value);
    }
    *out_value = value;
    return status;
}

static assay_status_t read_number(const read_t *read, const assay_field_t *field,
                                  const assay_node_t *node, void *member) {
    assay_number_t *number = member;
    if (field->uncertain && node->kind != ASSAY_NODE_SCALAR) {
        return schema_read_dist(read, field, node, number);
    }
    const assay_status_t status = schema_read_value(read, field, node, &number->v);
    number->origin = status == ASSAY_OK ? ASSAY_GIVEN : ASSAY_UNKNOWN;
    number->at = node->at;
    return status;
}

/* Index of the node's text in choices, or -1. */
static int find_choice(const assay_field_t *field, const assay_node_t *node) {
    for (int i = 0; field->choices[i]; i++) {
        if (strcmp(field->choices[i], node->text) == 0) {
            return i;
        }
    }
    return -1;
}

static assay_status_t refuse_choice(const read_t *read, const assay_field_t *field,
                                    const assay_node_t *node) {
    size_t n = 0;
    while (field->choices[n]) {
        n++;
    }
    const char *near = assay_text_nearest(node->text, field->choices, n);
    (void)refuse(read, field, node);
    if (near) {
        assay_error_next(read->err, "did you mean '%s'?", near);
    }
    return ASSAY_INPUT;
}

static assay_status_t read_choice(const read_t *read, const assay_field_t *field,
                                  const assay_node_t *node, void *member) {
    if (!is_text(node)) {
        return refuse(read, field, node);
    }
    const int choice = find_choice(field, node);
    if (choice < 0) {
        return refuse_choice(read, field, node);
    }
    *(assay_choice_t *)member = (assay_choice_t){choice, ASSAY_GIVEN, node->at};
    return ASSAY_OK;
}

/* yes, no, on, off, True and quoted words are not guessed at: what a bool is differs between YAML
   versions. */
static assay_status_t read_bool(const read_t *read, const assay_field_t *field,
                                const assay_node_t *node, void *member) {
    if (!is_text(node)) {
        return refuse(read, field, node);
    }
    const bool is_true = strcmp(node->text, "true") == 0;
    if (!is_true && strcmp(node->text, "false") != 0) {
        return refuse(read, field, node);
    }
    if (node->quoted) {
        assay_error_set(read->err, ASSAY_INPUT, &node->at, "'%s' is true or false in quotes",
                        field->key);
        assay_error_next(read->err, "remove the quotes: %s", node->text);
        return ASSAY_INPUT;
    }
    *(assay_choice_t *)member = (assay_choice_t){is_true, ASSAY_GIVEN, node->at};
    return ASSAY_OK;
}

/* Texts are printed on terminals and in tables, so they are one line without control characters. */
static assay_status_t check_text(const read_t *read, const assay_field_t *field,
                                 const assay_place_t *at, const char *text, size_t n) {
    if (n > ASSAY_SCHEMA_MAX_STRING) {
        assay_error_set(read->err, ASSAY_LIMIT, at, "'%s' is longer than %d bytes", field->key,
                        ASSAY_SCHEMA_MAX_STRING);
        assay_error_next(read->err, "shorten it");
        return ASSAY_LIMIT;
    }
    for (size_t i = 0; i < n;) {
        uint32_t code;
        bool printable;
        i += assay_text_character(text + i, n - i, &code, &printable);
        if (!printable) {
            assay_error_set(read->err, ASSAY_INPUT, at,
                            "'%s' holds a line break or a control character (U+%04X)", field->key,
                            code);
            assay_error_next(read->err, "write it as one line of text");
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

static assay_status_t read_string(const read_t *read, const assay_field_t *field,
                                  const assay_node_t *node, void *member) {
    if (!is_text(node)) {
        return refuse(read, field, node);
    }
    if (field->choices && find_choice(field, node) < 0) {
        return refuse_choice(read, field, node);
    }
    const assay_status_t status = check_text(read, field, &node->at, node->text, node->n_text);
    if (status == ASSAY_OK) {
        *(assay_string_t *)member = (assay_string_t){node->text, ASSAY_GIVEN, node->at};
    }
    return status;
}

/* Room for one item for each child of a sequence. */
static assay_status_t list_create(const read_t *read, const assay_field_t *field,
                                  const assay_node_t *node, size_t size, assay_list_t *out_list) {
    if (node->n < field->min) {
        assay_error_set(read->err, ASSAY_INPUT, &node->at,
                        "'%s' has %u entries, at least %.0f needed", field->key, node->n,
                        field->min);
        assay_error_next(read->err, "add an entry");
        return ASSAY_INPUT;
    }
    if (node->n > field->max) {
        assay_error_set(read->err, ASSAY_LIMIT, &node->at,
                        "'%s' has %u entries, at most %.0f allowed", field->key, node->n,
                        field->max);
        assay_error_next(read->err, "remove some");
        return ASSAY_LIMIT;
    }
    void *item = node->n ? assay_arena_array(read->arena, node->n, size) : NULL;
    if (node->n && !item) {
        return assay_error_memory(read->err, &node->at);
    }
    *out_list = (assay_list_t){item, node->n, ASSAY_GIVEN, node->at};
    return ASSAY_OK;
}

static assay_status_t read_strings(const read_t *read, const assay_field_t *field,
                                   const assay_node_t *node, void *member) {
    assay_node_t *split = NULL;
    assay_status_t status = ASSAY_OK;
    if (is_text(node)) { /* "tensorrt, nccl": a flag, or a line without brackets */
        status = assay_node_split(read->arena, node, &split, read->err);
        node = split;
    } else if (node->kind != ASSAY_NODE_SEQUENCE) {
        status = refuse(read, field, node);
    }
    assay_list_t *list = member;
    if (status == ASSAY_OK) {
        status = list_create(read, field, node, sizeof(assay_string_t), list);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    assay_string_t *item = list->item;
    for (const assay_node_t *child = node->child; status == ASSAY_OK && child;
         child = child->next) {
        status = read_string(read, field, child, item++);
    }
    return status;
}

static assay_status_t read_struct(const read_t *read, const assay_field_t *field,
                                  const assay_node_t *node, void *member) {
    if (node->kind != ASSAY_NODE_MAPPING) {
        return refuse(read, field, node);
    }
    return assay_schema_read(read->arena, field->sub, node, member, read->err);
}

/* "- a100" where "- {system: a100}" is meant. */
static assay_status_t refuse_entry(const read_t *read, const assay_field_t *field,
                                   const assay_node_t *node) {
    char shown[SHOWN_BYTES + 8];
    assay_error_set(read->err, ASSAY_INPUT, &node->at,
                    "an entry of '%s' must be a mapping of keys, not %s", field->key,
                    describe(node, shown));
    assay_error_next(read->err, "write {%s: ...}, with a space after the colon",
                     field->sub->field[0].key);
    return ASSAY_INPUT;
}

static assay_status_t read_list(const read_t *read, const assay_field_t *field,
                                const assay_node_t *node, void *member) {
    if (node->kind != ASSAY_NODE_SEQUENCE) {
        return refuse(read, field, node);
    }
    assay_list_t *list = member;
    const size_t size = field->sub->size;
    assay_status_t status = list_create(read, field, node, size, list);
    char *item = list->item;
    for (const assay_node_t *child = node->child; status == ASSAY_OK && child;
         child = child->next) {
        status = child->kind == ASSAY_NODE_MAPPING
                     ? assay_schema_read(read->arena, field->sub, child, item, read->err)
                     : refuse_entry(read, field, child);
        item += size;
    }
    return status;
}

static assay_status_t read_node(const read_t *read, const assay_field_t *field,
                                const assay_node_t *node, void *member) {
    if (node->kind == ASSAY_NODE_SEQUENCE || is_blank(node)) {
        return refuse(read, field, node);
    }
    if (node->kind == ASSAY_NODE_SCALAR) {
        const assay_status_t status = check_text(read, field, &node->at, node->text, node->n_text);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    *(const assay_node_t **)member = node;
    return ASSAY_OK;
}

static const read_field_t read_field[] = {
    [ASSAY_FIELD_NUMBER] = read_number,   [ASSAY_FIELD_STRING] = read_string,
    [ASSAY_FIELD_BOOL] = read_bool,       [ASSAY_FIELD_CHOICE] = read_choice,
    [ASSAY_FIELD_STRINGS] = read_strings, [ASSAY_FIELD_STRUCT] = read_struct,
    [ASSAY_FIELD_LIST] = read_list,       [ASSAY_FIELD_NODE] = read_node,
};

static void mark_default(const assay_field_t *field, void *member) {
    switch ((assay_field_kind_t)field->kind) {
    case ASSAY_FIELD_NUMBER:
        ((assay_number_t *)member)->origin = ASSAY_DEFAULT;
        break;
    case ASSAY_FIELD_STRING:
        ((assay_string_t *)member)->origin = ASSAY_DEFAULT;
        break;
    case ASSAY_FIELD_BOOL:
    case ASSAY_FIELD_CHOICE:
        ((assay_choice_t *)member)->origin = ASSAY_DEFAULT;
        break;
    default:
        assert(false && "this kind of field has no default text");
        break;
    }
}

/* The field is not in the document. */
static assay_status_t read_absent(const read_t *read, const assay_field_t *field, void *member) {
    if (field->kind == ASSAY_FIELD_STRUCT) {
        return assay_schema_read(read->arena, field->sub, NULL, member, read->err);
    }
    if (!field->default_text) {
        return ASSAY_OK;
    }
    const assay_node_t node = {.kind = ASSAY_NODE_SCALAR,
                               .text = field->default_text,
                               .n_text = strlen(field->default_text)};
    const assay_status_t status = read_field[field->kind](read, field, &node, member);
    assert(status == ASSAY_OK && "a default of the table is wrong");
    mark_default(field, member);
    return status;
}

/* Names the first key below field that must be there: "workload.train.model", and its flag. */
static const assay_field_t *find_required(const assay_field_t *field, char *path, size_t n_path) {
    size_t n = (size_t)snprintf(path, n_path, "%s", field->key);
    while (field->kind == ASSAY_FIELD_STRUCT) {
        const assay_field_t *inner = NULL;
        for (uint32_t i = 0; i < field->sub->n_field && !inner; i++) {
            inner = field->sub->field[i].required ? &field->sub->field[i] : NULL;
        }
        if (!inner && field->sub->field[0].kind == ASSAY_FIELD_STRUCT) {
            inner = &field->sub->field[0]; /* one of several kinds: the first stands for them */
        }
        if (!inner || n >= n_path) {
            break;
        }
        n += (size_t)snprintf(path + n, n_path - n, ".%s", inner->key);
        field = inner;
    }
    return field;
}

static assay_status_t refuse_missing(const read_t *read, const assay_schema_t *schema,
                                     const assay_field_t *field, const assay_node_t *node) {
    char path[128];
    const assay_field_t *leaf = find_required(field, path, sizeof path);
    assay_error_set(read->err, ASSAY_INPUT, &node->at, "'%s' is missing in '%s'", field->key,
                    schema->name);
    if (leaf->flag) {
        assay_error_next(read->err, "add %s, or give --%s", path, leaf->flag);
    } else {
        assay_error_next(read->err, "add %s", path);
    }
    return ASSAY_INPUT;
}

static const assay_field_t *find_field(const assay_schema_t *schema, const char *key) {
    for (uint32_t i = 0; i < schema->n_field; i++) {
        if (strcmp(schema->field[i].key, key) == 0) {
            return &schema->field[i];
        }
    }
    return NULL;
}

static assay_status_t refuse_key(const read_t *read, const assay_schema_t *schema,
                                 const assay_node_t *child) {
    const char *key[ASSAY_SCHEMA_MAX_FIELDS];
    char known[240] = "";
    size_t n = 0;
    for (uint32_t i = 0; i < schema->n_field; i++) {
        const bool later = schema->field[i].kind == ASSAY_FIELD_LATER;
        key[i] = later ? NULL : schema->field[i].key;
        if (key[i] && n < sizeof known) {
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", key[i]);
        }
    }
    const bool is_short = strlen(child->key) < 3; /* near to everything */
    const char *near = is_short ? NULL : assay_text_nearest(child->key, key, schema->n_field);
    for (uint32_t i = 0; i < schema->n_field && !near && !is_short; i++) { /* a flag's name */
        const char *alias[] = {schema->field[i].flag, schema->field[i].flag_alias};
        near = assay_text_nearest(child->key, alias, 2) ? key[i] : NULL;
    }
    assay_error_set(read->err, ASSAY_INPUT, &child->key_at, "unknown key '%.80s' in '%s'",
                    child->key, schema->name);
    if (near) {
        assay_error_next(read->err, "did you mean '%s'?", near);
    } else if (is_blank(child) && child->key[0] >= '0' && child->key[0] <= '9') {
        /* {power_w: 3,6 kW} and {buy_usd: 128,000}: the comma ends the value */
        assay_error_next(read->err, "write 3.6 with a point, and 128000 without a comma");
    } else {
        assay_error_next(read->err, "known keys: %s", known);
    }
    return ASSAY_INPUT;
}

static assay_status_t check_keys(const read_t *read, const assay_schema_t *schema,
                                 const assay_node_t *node) {
    if (node->kind != ASSAY_NODE_MAPPING) {
        char shown[SHOWN_BYTES + 8];
        assay_error_set(read->err, ASSAY_INPUT, &node->at, "'%s' must be a mapping of keys, not %s",
                        schema->name, describe(node, shown));
        assay_error_next(read->err, "write 'key: value', with a space after the colon");
        return ASSAY_INPUT;
    }
    for (const assay_node_t *child = node->child; child; child = child->next) {
        const assay_field_t *field = find_field(schema, child->key);
        if (!field) {
            return refuse_key(read, schema, child);
        }
        if (field->kind == ASSAY_FIELD_LATER) {
            assay_error_set(read->err, ASSAY_INPUT, &child->key_at,
                            "'%s' is not supported by this version", field->key);
            assay_error_next(read->err, "%s", field->help);
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

assay_status_t assay_schema_read(assay_arena_t *arena, const assay_schema_t *schema,
                                 const assay_node_t *node, void *out, assay_error_t *err) {
    assert(schema->n_field <= ASSAY_SCHEMA_MAX_FIELDS);
    const read_t read = {arena, err};
    memset(out, 0, schema->size);
    if (node) {
        const assay_status_t status = check_keys(&read, schema, node);
        if (status != ASSAY_OK) {
            return status;
        }
        if (schema->present != SIZE_MAX) {
            *(bool *)((char *)out + schema->present) = true;
        }
    }
    for (uint32_t i = 0; i < schema->n_field; i++) {
        const assay_field_t *field = &schema->field[i];
        void *member = (char *)out + field->offset;
        const assay_node_t *child = node ? assay_node_find(node, field->key) : NULL;
        assay_status_t status = ASSAY_OK;
        if (child) {
            status = read_field[field->kind](&read, field, child, member);
        } else if (node && field->required) {
            status = refuse_missing(&read, schema, field, node);
        } else {
            status = read_absent(&read, field, member);
        }
        if (status != ASSAY_OK) {
            return status;
        }
    }
    return node && schema->check ? schema->check(out, node, err) : ASSAY_OK;
}
