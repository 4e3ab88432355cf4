#include "assay/node.h"

#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

assay_node_t *assay_node_find(const assay_node_t *mapping, const char *key) {
    if (mapping->kind != ASSAY_NODE_MAPPING) {
        return NULL;
    }
    for (assay_node_t *child = mapping->child; child; child = child->next) {
        if (strcmp(child->key, key) == 0) {
            return child;
        }
    }
    return NULL;
}

assay_node_t *assay_node_create(assay_arena_t *arena, const char *file) {
    assay_node_t *node = assay_arena_alloc(arena, sizeof *node);
    if (node) {
        *node = (assay_node_t){.kind = ASSAY_NODE_MAPPING, .at = {.file = file}};
    }
    return node;
}

assay_node_t *assay_node_add(assay_arena_t *arena, assay_node_t *parent, const char *key,
                             assay_node_kind_t kind, const assay_place_t *at) {
    assay_node_t *node = assay_arena_alloc(arena, sizeof *node);
    if (!node) {
        return NULL;
    }
    *node = (assay_node_t){.kind = (uint8_t)kind, .at = *at, .key = key, .key_at = *at, .text = ""};
    if (parent->last) {
        parent->last->next = node;
    } else {
        parent->child = node;
    }
    parent->last = node;
    parent->n++;
    return node;
}

/* Makes node the plain scalar text, whatever it was; its place among its siblings stays. */
static assay_status_t become_scalar(assay_arena_t *arena, assay_node_t *node, const char *text,
                                    const assay_place_t *at, assay_error_t *err) {
    const size_t n = strlen(text);
    if (assay_text_utf8_bad(text, n) < n) {
        assay_error_set(err, ASSAY_INPUT, at, "the value is not UTF-8");
        assay_error_next(err, "give it in a UTF-8 locale");
        return ASSAY_INPUT;
    }
    const char *copy = assay_arena_strndup(arena, text, n);
    if (!copy) {
        return assay_error_memory(err, at);
    }
    node->kind = ASSAY_NODE_SCALAR;
    node->quoted = false;
    node->at = *at;
    node->text = copy;
    node->n_text = n;
    node->child = node->last = NULL;
    node->n = 0;
    return ASSAY_OK;
}

/* The key path[0..n) in the arena. */
static assay_node_t *add_key(assay_arena_t *arena, assay_node_t *parent, const char *path, size_t n,
                             const assay_place_t *at) {
    char *key = assay_arena_strndup(arena, path, n);
    return key ? assay_node_add(arena, parent, key, ASSAY_NODE_MAPPING, at) : NULL;
}

static assay_node_t *find_key(const assay_node_t *mapping, const char *path, size_t n) {
    for (assay_node_t *child = mapping->child; child; child = child->next) {
        if (strncmp(child->key, path, n) == 0 && child->key[n] == '\0') {
            return child;
        }
    }
    return NULL;
}

/* Recursion is as deep as path has components; paths come from schema tables, not from users. */
assay_status_t assay_node_set(assay_arena_t *arena, assay_node_t *root, const char *path,
                              const char *text, const assay_place_t *at, assay_error_t *err) {
    if (root->kind != ASSAY_NODE_MAPPING) {
        assay_error_set(err, ASSAY_INPUT, &root->at, "expected a mapping of keys here");
        assay_error_next(err, "write 'key: value' lines, so that %s can set %s", at->file, path);
        return ASSAY_INPUT;
    }
    const size_t n = strcspn(path, ".["); /* "candidates[].nodes" */
    const bool each = path[n] == '[';
    const char *rest = path + n + (each ? 2 : 0);
    assay_node_t *child = find_key(root, path, n);
    if (each) {
        if (child && child->kind != ASSAY_NODE_SEQUENCE) {
            assay_error_set(err, ASSAY_INPUT, &child->at, "expected a list for '%s'", child->key);
            assay_error_next(err, "start each entry with '- '");
            return ASSAY_INPUT;
        }
        for (assay_node_t *item = child ? child->child : NULL; item; item = item->next) {
            const assay_status_t status = assay_node_set(arena, item, rest + 1, text, at, err);
            if (status != ASSAY_OK) {
                return status;
            }
        }
        return ASSAY_OK;
    }
    if (!child && !(child = add_key(arena, root, path, n, at))) {
        return assay_error_memory(err, at);
    }
    if (*rest == '.') {
        return assay_node_set(arena, child, rest + 1, text, at, err);
    }
    return become_scalar(arena, child, text, at, err);
}

assay_status_t assay_node_split(assay_arena_t *arena, const assay_node_t *scalar,
                                assay_node_t **out_list, assay_error_t *err) {
    assay_node_t *list = assay_node_create(arena, scalar->at.file);
    if (!list) {
        return assay_error_memory(err, &scalar->at);
    }
    list->kind = ASSAY_NODE_SEQUENCE;
    list->at = scalar->at;
    const char *text = scalar->text;
    for (bool more = true; more;) {
        const char *end = text + strcspn(text, ",");
        const char *next = end;
        more = *end == ',';
        text += strspn(text, " ");
        while (end > text && end[-1] == ' ') {
            end--;
        }
        if (end <= text) {
            assay_error_set(err, ASSAY_INPUT, &scalar->at, "an entry of the comma list is empty");
            assay_error_next(err, "write a,b");
            return ASSAY_INPUT;
        }
        const char *entry = assay_arena_strndup(arena, text, (size_t)(end - text));
        assay_node_t *item =
            entry ? assay_node_add(arena, list, NULL, ASSAY_NODE_SCALAR, &scalar->at) : NULL;
        if (!item) {
            return assay_error_memory(err, &scalar->at);
        }
        item->text = entry;
        item->n_text = (size_t)(end - text);
        text = next + more;
    }
    *out_list = list;
    return ASSAY_OK;
}
