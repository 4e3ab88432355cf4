/* TOML 1.0 as far as configurations use it: tables, dotted keys, strings, numbers, booleans,
   arrays, inline tables. Dates are read as text. Arrays of tables are lists of mappings. */
#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

#define DEPTH_MAX 32u
#define NODES_MAX 8192u
#define STRING_BYTES ((size_t)8192)

typedef struct {
    assay_arena_t *arena;
    const char *data;
    size_t size, at;
    assay_place_t place; /* file and line */
    uint32_t n_node;
    assay_error_t *err;
} toml_t;

static char peek(const toml_t *toml) {
    return toml->at < toml->size ? toml->data[toml->at] : '\0';
}

static assay_status_t refuse(const toml_t *toml, const char *what) {
    assay_error_set(toml->err, ASSAY_INPUT, &toml->place, "not TOML: %s", what);
    assay_error_next(toml->err, "check the line");
    return ASSAY_INPUT;
}

static void skip_blanks(toml_t *toml) {
    while (peek(toml) == ' ' || peek(toml) == '\t') {
        toml->at++;
    }
}

/* Blanks, line ends and comments: between elements of an array. */
static void skip_space(toml_t *toml) {
    for (;;) {
        skip_blanks(toml);
        if (peek(toml) == '#') {
            while (toml->at < toml->size && peek(toml) != '\n') {
                toml->at++;
            }
        } else if (peek(toml) == '\n' || peek(toml) == '\r') {
            toml->place.line += peek(toml) == '\n';
            toml->at++;
        } else {
            return;
        }
    }
}

static assay_node_t *add(toml_t *toml, assay_node_t *parent, const char *key,
                         assay_node_kind_t kind) {
    return ++toml->n_node > NODES_MAX
               ? NULL
               : assay_node_add(toml->arena, parent, key, kind, &toml->place);
}

/* "..." with escapes, '...' as it is, and both with three quotes over several lines. */
static assay_status_t read_string(toml_t *toml, const char **out) {
    const char quote = peek(toml);
    const bool three = toml->at + 2 < toml->size && toml->data[toml->at + 1] == quote &&
                       toml->data[toml->at + 2] == quote;
    assay_buf_t text;
    assay_buf_init(&text, STRING_BYTES);
    toml->at += three ? 3 : 1;
    for (;;) {
        const char c = peek(toml);
        const bool closes = c == quote && (!three || (toml->at + 2 < toml->size &&
                                                      toml->data[toml->at + 1] == quote &&
                                                      toml->data[toml->at + 2] == quote));
        if (toml->at >= toml->size || (c == '\n' && !three) || text.failed) {
            assay_buf_done(&text);
            return refuse(toml, "a string does not end, or is too long");
        }
        if (closes) {
            break;
        }
        toml->place.line += c == '\n';
        if (c == '\\' && quote == '"' && toml->at + 1 < toml->size) {
            static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
            const char *escape = strchr(from, toml->data[++toml->at]);
            assay_buf_add(&text, escape && *escape ? &to[escape - from] : &toml->data[toml->at], 1);
        } else {
            assay_buf_add(&text, &c, 1);
        }
        toml->at++;
    }
    toml->at += three ? 3 : 1;
    *out = assay_arena_strndup(toml->arena, text.n ? text.data : "", text.n);
    assay_buf_done(&text);
    return *out ? ASSAY_OK : assay_error_memory(toml->err, &toml->place);
}

static bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

static assay_status_t read_key(toml_t *toml, const char **out) {
    skip_blanks(toml);
    if (peek(toml) == '"' || peek(toml) == '\'') {
        return read_string(toml, out);
    }
    const size_t start = toml->at;
    while (is_bare(peek(toml))) {
        toml->at++;
    }
    if (toml->at == start) {
        return refuse(toml, "expected a key");
    }
    *out = assay_arena_strndup(toml->arena, toml->data + start, toml->at - start);
    return *out ? ASSAY_OK : assay_error_memory(toml->err, &toml->place);
}

/* Steps along a.b.c from table; *out_key: the last name, whose table is *out_table. */
static assay_status_t read_path(toml_t *toml, assay_node_t *table, assay_node_t **out_table,
                                const char **out_key) {
    const char *key;
    assay_status_t status = read_key(toml, &key);
    for (uint32_t depth = 0; status == ASSAY_OK; depth++) {
        skip_blanks(toml);
        if (peek(toml) != '.') {
            *out_table = table;
            *out_key = key;
            return ASSAY_OK;
        }
        toml->at++;
        assay_node_t *next = assay_node_find(table, key);
        if (next && next->kind == ASSAY_NODE_SEQUENCE && next->last) {
            next = next->last; /* the table that was begun last */
        }
        next = next ? next : add(toml, table, key, ASSAY_NODE_MAPPING);
        if (!next || next->kind != ASSAY_NODE_MAPPING || depth > DEPTH_MAX) {
            return refuse(toml, "a key on the way is no table");
        }
        table = next;
        status = read_key(toml, &key);
    }
    return status;
}

static assay_status_t read_value(toml_t *toml, assay_node_t *parent, const char *key,
                                 uint32_t depth);

static assay_status_t read_pair(toml_t *toml, assay_node_t *table, uint32_t depth) {
    assay_node_t *parent;
    const char *key;
    assay_status_t status = read_path(toml, table, &parent, &key);
    if (status != ASSAY_OK) {
        return status;
    }
    if (peek(toml) != '=') {
        return refuse(toml, "expected '=' after a key");
    }
    if (assay_node_find(parent, key)) {
        return refuse(toml, "a key is given twice");
    }
    toml->at++;
    return read_value(toml, parent, key, depth);
}

static assay_status_t read_array(toml_t *toml, assay_node_t *list, uint32_t depth) {
    assay_status_t status = ASSAY_OK;
    toml->at++;
    for (skip_space(toml); status == ASSAY_OK && peek(toml) != ']'; skip_space(toml)) {
        status = read_value(toml, list, NULL, depth);
        skip_space(toml);
        if (status == ASSAY_OK && peek(toml) == ',') {
            toml->at++;
        } else if (status == ASSAY_OK && peek(toml) != ']') {
            return refuse(toml, "expected ',' or ']'");
        }
    }
    toml->at++;
    return status;
}

static assay_status_t read_inline(toml_t *toml, assay_node_t *table, uint32_t depth) {
    assay_status_t status = ASSAY_OK;
    toml->at++;
    for (skip_space(toml); status == ASSAY_OK && peek(toml) != '}'; skip_space(toml)) {
        status = read_pair(toml, table, depth);
        skip_space(toml);
        if (status == ASSAY_OK && peek(toml) == ',') {
            toml->at++;
        } else if (status == ASSAY_OK && peek(toml) != '}') {
            return refuse(toml, "expected ',' or '}'");
        }
    }
    toml->at++;
    return status;
}

static assay_status_t read_value(toml_t *toml, assay_node_t *parent, const char *key,
                                 uint32_t depth) {
    skip_blanks(toml);
    const char c = peek(toml);
    const assay_node_kind_t kind = c == '['   ? ASSAY_NODE_SEQUENCE
                                   : c == '{' ? ASSAY_NODE_MAPPING
                                              : ASSAY_NODE_SCALAR;
    assay_node_t *node = depth < DEPTH_MAX ? add(toml, parent, key, kind) : NULL;
    if (!node) {
        return assay_error_set(toml->err, ASSAY_LIMIT, &toml->place,
                               "too deep, or too many values");
    }
    if (c == '[') {
        return read_array(toml, node, depth + 1);
    }
    if (c == '{') {
        return read_inline(toml, node, depth + 1);
    }
    assay_status_t status = ASSAY_OK;
    if (c == '"' || c == '\'') {
        node->quoted = true;
        status = read_string(toml, &node->text);
    } else {
        const size_t start = toml->at;
        while (toml->at < toml->size && !strchr(",]}#\r\n", peek(toml))) {
            toml->at++;
        }
        size_t n = toml->at - start;
        while (n > 0 && (toml->data[start + n - 1] == ' ' || toml->data[start + n - 1] == '\t')) {
            n--;
        }
        if (n == 0) {
            return refuse(toml, "a key has no value");
        }
        char *text = assay_arena_strndup(toml->arena, toml->data + start, n);
        size_t kept = 0; /* 1_000 */
        for (size_t i = 0; text && i < n; i++) {
            const bool between =
                text[i] == '_' && i > 0 && i + 1 < n && text[0] >= '0' && text[0] <= '9';
            text[kept] = text[i];
            kept += !between;
        }
        if (text) {
            text[kept] = '\0';
        }
        node->text = text;
    }
    if (status == ASSAY_OK && !node->text) {
        return assay_error_memory(toml->err, &toml->place);
    }
    node->n_text = status == ASSAY_OK ? strlen(node->text) : 0;
    return status;
}

/* [a.b] and [[a.b]] */
static assay_status_t read_header(toml_t *toml, assay_node_t *root, assay_node_t **out_table) {
    const bool list = toml->at + 1 < toml->size && toml->data[toml->at + 1] == '[';
    assay_node_t *parent;
    const char *key;
    toml->at += list ? 2 : 1;
    const assay_status_t status = read_path(toml, root, &parent, &key);
    if (status != ASSAY_OK) {
        return status;
    }
    if (peek(toml) != ']') {
        return refuse(toml, "expected ']'");
    }
    toml->at++;
    if (list && peek(toml) != ']') {
        return refuse(toml, "expected ']]'");
    }
    toml->at += list;
    assay_node_t *node = assay_node_find(parent, key);
    node = node ? node : add(toml, parent, key, list ? ASSAY_NODE_SEQUENCE : ASSAY_NODE_MAPPING);
    if (!node || node->kind != (list ? ASSAY_NODE_SEQUENCE : ASSAY_NODE_MAPPING)) {
        return refuse(toml, "a table is given twice, or there are too many");
    }
    *out_table = list ? add(toml, node, NULL, ASSAY_NODE_MAPPING) : node;
    return *out_table ? ASSAY_OK : assay_error_memory(toml->err, &toml->place);
}

assay_status_t launch_parse_toml(assay_arena_t *arena, const char *file, const char *data,
                                 size_t size, assay_node_t **out_root, assay_error_t *err) {
    toml_t toml = {.arena = arena, .data = data, .size = size, .place = {file, 1, 0}, .err = err};
    assay_node_t *root = assay_node_create(arena, file), *table = root;
    if (!root) {
        return assay_error_memory(err, &toml.place);
    }
    if (memchr(data, '\0', size) || assay_text_utf8_bad(data, size) < size) {
        return refuse(&toml, "bytes that are no text");
    }
    assay_status_t status = ASSAY_OK;
    for (skip_space(&toml); status == ASSAY_OK && toml.at < size; skip_space(&toml)) {
        status = peek(&toml) == '[' ? read_header(&toml, root, &table) : read_pair(&toml, table, 0);
        skip_blanks(&toml);
        if (status == ASSAY_OK && toml.at < size && !strchr("#\r\n", peek(&toml))) {
            status = refuse(&toml, "expected the end of the line");
        }
    }
    if (status == ASSAY_OK) {
        *out_root = root;
    }
    return status;
}
