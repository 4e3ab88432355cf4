/* Keyword arguments of nested calls in a Python file, as torchtitan's configurations are written:
       return Trainer.Config(training=TrainingConfig(steps=5, max_context_length=8192))
   gives training.steps and training.max_context_length. Nothing is evaluated. */
#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

#define DEPTH_MAX 32u
#define NODES_MAX 4096u

typedef struct {
    assay_arena_t *arena;
    const char *data;
    size_t size, at;
    assay_place_t place;
    uint32_t n_node;
    assay_error_t *err;
} python_t;

static char peek(const python_t *python) {
    return python->at < python->size ? python->data[python->at] : '\0';
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void step(python_t *python) {
    python->place.line += peek(python) == '\n';
    python->at++;
}

/* Behind a string of one or three quotes, or at the end. */
static void skip_string(python_t *python) {
    const char quote = peek(python);
    const bool three = python->at + 2 < python->size && python->data[python->at + 1] == quote &&
                       python->data[python->at + 2] == quote;
    python->at += three ? 3 : 1;
    while (python->at < python->size) {
        if (peek(python) == '\\') {
            step(python);
        } else if (peek(python) == quote && (!three || (python->at + 2 < python->size &&
                                                        python->data[python->at + 1] == quote &&
                                                        python->data[python->at + 2] == quote))) {
            python->at += three ? 3 : 1;
            return;
        } else if (peek(python) == '\n' && !three) {
            return;
        }
        if (python->at < python->size) {
            step(python);
        }
    }
}

static void skip_space(python_t *python) {
    while (python->at < python->size) {
        const char c = peek(python);
        if (c == '#') {
            while (python->at < python->size && peek(python) != '\n') {
                python->at++;
            }
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\') {
            step(python);
        } else {
            return;
        }
    }
}

/* A name, perhaps dotted, at the reader; its length, the reader behind it. */
static size_t read_name(python_t *python, const char **out) {
    *out = python->data + python->at;
    const size_t start = python->at;
    while (is_name(peek(python)) || peek(python) == '.') {
        python->at++;
    }
    return python->at - start;
}

static assay_status_t read_call(python_t *python, assay_node_t *table, uint32_t depth);

static assay_node_t *add(python_t *python, assay_node_t *table, const char *key, size_t n,
                         assay_node_kind_t kind) {
    const char *copy = assay_arena_strndup(python->arena, key, n);
    if (!copy || ++python->n_node > NODES_MAX) {
        return NULL;
    }
    assay_node_t *old = assay_node_find(table, copy);
    if (old && old->kind != kind) { /* the later one counts */
        old->kind = (uint8_t)kind;
        old->child = old->last = NULL;
        old->n = 0;
    }
    return old ? old : assay_node_add(python->arena, table, copy, kind, &python->place);
}

/* The text up to the next comma or bracket that closes. */
static assay_status_t read_plain(python_t *python, assay_node_t *table, const char *key,
                                 size_t n_key) {
    const size_t start = python->at;
    uint32_t depth = 0;
    while (python->at < python->size) {
        const char c = peek(python);
        if (c == '"' || c == '\'') {
            skip_string(python);
            continue;
        }
        if (depth == 0 && (c == ',' || c == ')' || c == ']' || c == '}' || c == '\n' || c == '#')) {
            break;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
        step(python);
    }
    size_t first = start, end = python->at;
    while (end > first && (python->data[end - 1] == ' ' || python->data[end - 1] == '\r')) {
        end--;
    }
    const char quote = end > first + 1 ? python->data[first] : '\0';
    if ((quote == '"' || quote == '\'') && python->data[end - 1] == quote) {
        first++;
        end--;
    }
    assay_node_t *node = add(python, table, key, n_key, ASSAY_NODE_SCALAR);
    const char *text = assay_arena_strndup(python->arena, python->data + first, end - first);
    if (!node || !text) {
        return assay_error_set(python->err, ASSAY_LIMIT, &python->place, "too many values");
    }
    node->text = text;
    node->n_text = end - first;
    return ASSAY_OK;
}

static assay_status_t read_argument(python_t *python, assay_node_t *table, uint32_t depth) {
    const char *name, *call;
    const size_t start = python->at, n = read_name(python, &name);
    const size_t after = python->at;
    const uint32_t line = python->place.line;
    skip_space(python);
    const bool keyword = n > 0 && peek(python) == '=' && python->at + 1 < python->size &&
                         python->data[python->at + 1] != '=' && !memchr(name, '.', n);
    if (keyword) {
        python->at++;
        skip_space(python);
        const size_t value = python->at;
        const size_t n_call = read_name(python, &call);
        if (n_call > 0 && peek(python) == '(') {
            assay_node_t *inner = add(python, table, name, n, ASSAY_NODE_MAPPING);
            return inner ? read_call(python, inner, depth + 1)
                         : assay_error_set(python->err, ASSAY_LIMIT, &python->place,
                                           "too many values");
        }
        python->at = value;
        return read_plain(python, table, name, n);
    }
    if (n > 0 && peek(python) == '(') { /* a call as it stands: its arguments are read in place */
        return read_call(python, table, depth + 1);
    }
    python->at = after > start ? after : start;
    python->place.line = after > start ? line : python->place.line;
    if (python->at == start) {
        if (peek(python) == '"' || peek(python) == '\'') {
            skip_string(python);
        } else {
            step(python);
        }
    }
    return ASSAY_OK;
}

/* At "(": every argument up to the parenthesis that closes. */
static assay_status_t read_call(python_t *python, assay_node_t *table, uint32_t depth) {
    if (depth > DEPTH_MAX) {
        return assay_error_set(python->err, ASSAY_LIMIT, &python->place, "calls are too deep");
    }
    assay_status_t status = ASSAY_OK;
    python->at++;
    for (skip_space(python); status == ASSAY_OK && python->at < python->size && peek(python) != ')';
         skip_space(python)) {
        if (peek(python) == ',') {
            python->at++;
        } else {
            status = read_argument(python, table, depth);
        }
    }
    python->at += python->at < python->size;
    return status;
}

assay_status_t launch_parse_python(assay_arena_t *arena, const char *file, const char *data,
                                   size_t size, assay_node_t **out_root, assay_error_t *err) {
    python_t python = {
        .arena = arena, .data = data, .size = size, .place = {file, 1, 0}, .err = err};
    assay_node_t *root = assay_node_create(arena, file);
    if (!root) {
        return assay_error_memory(err, &python.place);
    }
    if (memchr(data, '\0', size) || assay_text_utf8_bad(data, size) < size) {
        return assay_error_set(err, ASSAY_INPUT, &python.place, "bytes that are no text");
    }
    assay_status_t status = ASSAY_OK;
    for (skip_space(&python); status == ASSAY_OK && python.at < size; skip_space(&python)) {
        status = read_argument(&python, root, 0);
    }
    if (status == ASSAY_OK) {
        *out_root = root;
    }
    return status;
}
