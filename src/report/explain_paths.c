/* The numbers of a decision by their paths, as its JSON has them: what is written there can be
   asked about, and nothing else. */
#include <stdio.h>
#include <string.h>

#include "assay/json.h"
#include "assay/report_explain.h"

#include "base/banned.h"

#define JSON_BYTES ((size_t)ASSAY_NODE_MAX_BYTES)
#define PATH_BYTES 512u
#define LIST "--explain list prints every path"

/* ---- the JSON as a tree ---- */

static assay_status_t read_json(assay_arena_t *arena, const assay_explain_of_t *of,
                                assay_node_t **out, assay_error_t *err) {
    assay_buf_t json;
    assay_buf_init(&json, JSON_BYTES);
    assay_status_t status =
        of->training  ? assay_report_decision(of->training, ASSAY_REPORT_JSON, NULL, &json, err)
        : of->serving ? assay_report_serving(of->serving, ASSAY_REPORT_JSON, NULL, &json, err)
                      : assay_report_images(of->images, ASSAY_REPORT_JSON, NULL, &json, err);
    status = status ? status : assay_node_parse(arena, "decision", json.data, json.n, out, err);
    assay_buf_done(&json);
    return status;
}

static const char *text_at(const assay_node_t *object, const char *key) {
    const assay_node_t *member =
        object->kind == ASSAY_NODE_MAPPING ? assay_node_find(object, key) : NULL;
    return member && member->kind == ASSAY_NODE_SCALAR && member->quoted ? member->text : NULL;
}

/* What names an element of a list: "ID", "VARIABLE:CANDIDATE". false: nothing does. */
static bool own_label(const assay_node_t *element, char out[PATH_BYTES]) {
    static const char *const naming[] = {"id", "variable", "name", "reason"};
    const char *name = NULL, *candidate = text_at(element, "candidate");
    for (size_t k = 0; k < sizeof naming / sizeof naming[0] && !name; k++) {
        name = text_at(element, naming[k]);
    }
    const char *const part[2] = {name, candidate};
    size_t n = 0;
    for (int k = 0; k < 2; k++) {
        const size_t length = part[k] ? strlen(part[k]) : 0;
        if (n + length + 2 > PATH_BYTES) {
            return false;
        }
        if (length > 0 && n > 0) {
            out[n++] = ':';
        }
        memcpy(out + n, part[k] ? part[k] : "", length);
        n += length;
    }
    out[n] = '\0';
    return n > 0;
}

/* The same, where no other element of the list has it. */
static bool label_of(const assay_node_t *list, const assay_node_t *element, char out[PATH_BYTES]) {
    char other[PATH_BYTES];
    if (!own_label(element, out)) {
        return false;
    }
    for (const assay_node_t *child = list->child; child; child = child->next) {
        if (child != element && own_label(child, other) && strcmp(other, out) == 0) {
            return false;
        }
    }
    return true;
}

/* The path of a child, below that of its parent. NULL: the arena is full. */
static const char *child_path(assay_arena_t *arena, const assay_node_t *parent,
                              const assay_node_t *child, uint32_t index, const char *path) {
    char label[PATH_BYTES];
    return child->key ? assay_arena_printf(arena, "%s%s%s", path, *path ? "." : "", child->key)
           : label_of(parent, child, label)
               ? assay_arena_printf(arena, "%s[%s]", path, label)
               : assay_arena_printf(arena, "%s[%u]", path, (unsigned)index);
}

static bool is_number(const assay_node_t *node, double *out) {
    return node->kind == ASSAY_NODE_SCALAR && !node->quoted &&
           assay_text_to_double(node->text, node->n_text, out);
}

/* ---- all of them ---- */

typedef struct {
    assay_arena_t *arena;
    assay_explain_number_t *number; /* (room); NULL: they are counted */
    uint32_t n;
    bool failed;
} collect_t;

static void collect(collect_t *c, const assay_node_t *node, const assay_explain_path_t *at,
                    const char *path);

static void collect_child(collect_t *c, const assay_node_t *list, const assay_node_t *child,
                          uint32_t index, const assay_explain_path_t *at, const char *path) {
    assay_explain_path_t below = *at;
    if (below.n == ASSAY_EXPLAIN_DEPTH) {
        return;
    }
    below.step[below.n].key = child->key;
    below.step[below.n++].index = index;
    if (!c->number) { /* names are not needed to count */
        collect(c, child, &below, "");
        return;
    }
    const char *text = child_path(c->arena, list, child, index, path);
    c->failed |= !text;
    if (text) {
        collect(c, child, &below, text);
    }
}

static void collect(collect_t *c, const assay_node_t *node, const assay_explain_path_t *at,
                    const char *path) {
    double value;
    if (is_number(node, &value)) {
        if (c->number) {
            assay_explain_number_t *number = &c->number[c->n];
            *number = (assay_explain_number_t){path, *at};
            number->at.value = value;
        }
        c->n++;
        return;
    }
    uint32_t index = 0;
    for (const assay_node_t *child = node->child; child; child = child->next) {
        collect_child(c, node, child, index++, at, path);
    }
}

static assay_status_t collect_all(assay_arena_t *arena, const assay_node_t *root,
                                  assay_explain_number_t **out, uint32_t *out_n,
                                  assay_error_t *err) {
    const assay_explain_path_t top = {.n = 0};
    collect_t c = {.arena = arena};
    collect(&c, root, &top, "");
    c.number = assay_arena_array(arena, (size_t)c.n + 1, sizeof *c.number);
    c.n = 0;
    if (!c.number) {
        return assay_error_memory(err, NULL);
    }
    collect(&c, root, &top, "");
    *out = c.number;
    *out_n = c.n;
    return c.failed ? assay_error_memory(err, NULL) : ASSAY_OK;
}

assay_status_t assay_explain_numbers(assay_arena_t *arena, const assay_explain_of_t *of,
                                     assay_explain_number_t **out, uint32_t *out_n,
                                     assay_error_t *err) {
    assay_node_t *root;
    const assay_status_t status = read_json(arena, of, &root, err);
    return status ? status : collect_all(arena, root, out, out_n, err);
}

/* ---- one of them ---- */

/* Length of name where it is the next step of the path, as .name or as [name]; 0: it is not. */
static size_t step_length(const char *path, const char *name, bool dotted) {
    const size_t n = strlen(name);
    if (*path == '[' && strncmp(path + 1, name, n) == 0 && path[n + 1] == ']') {
        return n + 2;
    }
    const size_t dot = *path == '.';
    const char *end = path + dot + n;
    const bool is = dotted && n > 0 && strncmp(path + dot, name, n) == 0 &&
                    (*end == '.' || *end == '[' || *end == '\0');
    return is ? dot + n : 0;
}

/* The child that the path goes on to: of those that fit the one with the longest name. */
static const assay_node_t *next_step(const assay_node_t *node, const char **io_path,
                                     assay_explain_path_t *io_at) {
    const assay_node_t *found = NULL;
    size_t longest = 0;
    uint32_t index = 0;
    for (const assay_node_t *child = node->child; child; child = child->next, index++) {
        char label[PATH_BYTES], number[16];
        size_t length = 0;
        if (child->key) {
            length = step_length(*io_path, child->key, true);
        } else {
            (void)snprintf(number, sizeof number, "%u", (unsigned)index);
            length = step_length(*io_path, number, false);
            if (length == 0 && label_of(node, child, label)) {
                length = step_length(*io_path, label, false);
            }
        }
        if (length > longest) {
            longest = length;
            found = child;
            io_at->step[io_at->n].key = child->key;
            io_at->step[io_at->n].index = index;
        }
    }
    *io_path += longest;
    return found;
}

static bool is_below(const assay_explain_path_t *path, const assay_explain_path_t *above) {
    bool below = path->n > above->n;
    for (uint32_t k = 0; k < above->n && below; k++) {
        const char *a = path->step[k].key, *b = above->step[k].key;
        below =
            a && b ? strcmp(a, b) == 0 : !a && !b && path->step[k].index == above->step[k].index;
    }
    return below;
}

/* Where a path leads. */
typedef struct {
    assay_explain_number_t number;
    const assay_node_t *node; /* the last one that is there */
    const char *known, *rest; /* the path of that, as it is written; what follows */
} walk_t;

/* The nearest path, or where there is none the first number below what is known of it. */
static assay_status_t no_number(assay_arena_t *arena, const assay_node_t *root, const walk_t *walk,
                                assay_error_t *err) {
    const char *path = walk->number.path, *near = NULL, *below = NULL;
    const char *wanted = assay_arena_printf(arena, "%s%s", walk->known, walk->rest);
    assay_explain_number_t *number;
    uint32_t n;
    const assay_status_t status = collect_all(arena, root, &number, &n, err);
    const char **name = status ? NULL : assay_arena_array(arena, (size_t)n + 1, sizeof *name);
    if (!name || !wanted) {
        return status ? status : assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n; i++) {
        name[i] = number[i].path;
        below = !below && is_below(&number[i].at, &walk->number.at) ? name[i] : below;
    }
    if (*walk->rest) {
        near = assay_text_nearest(wanted, name, n);
        assay_error_set(err, ASSAY_NOT_FOUND, NULL, "there is no number at '%s'", path);
    } else if (walk->node->kind == ASSAY_NODE_SCALAR) {
        assay_error_set(err, ASSAY_NOT_FOUND, NULL, "'%s' is no number: %s", path,
                        walk->node->quoted ? "it is text" : walk->node->text);
    } else {
        assay_error_set(err, ASSAY_NOT_FOUND, NULL, "'%s' is no number, but holds some", path);
    }
    if (near || below) {
        assay_error_next(err, near ? "did you mean '%s'? " LIST : "there is '%s'; " LIST,
                         near ? near : below);
    } else {
        assay_error_next(err, LIST);
    }
    return ASSAY_NOT_FOUND;
}

assay_status_t assay_explain_number(assay_arena_t *arena, const assay_explain_of_t *of,
                                    const char *path, assay_explain_number_t *out,
                                    assay_error_t *err) {
    assay_node_t *root;
    const assay_status_t status = read_json(arena, of, &root, err);
    if (status) {
        return status;
    }
    walk_t walk = {.number = {.path = path}, .node = root, .known = "", .rest = path};
    assay_explain_path_t *at = &walk.number.at;
    while (*walk.rest && at->n < ASSAY_EXPLAIN_DEPTH) {
        const assay_node_t *next = next_step(walk.node, &walk.rest, at);
        if (!next) {
            break;
        }
        walk.known = child_path(arena, walk.node, next, at->step[at->n++].index, walk.known);
        walk.node = next;
        if (!walk.known) {
            return assay_error_memory(err, NULL);
        }
    }
    if (*walk.rest || !is_number(walk.node, &at->value)) {
        return no_number(arena, root, &walk, err);
    }
    *out = walk.number;
    return ASSAY_OK;
}
