/**
 * A parsed YAML or JSON document as a tree that remembers where each scalar stood. JSON is a subset
 * of YAML, so one reader (libyaml) serves both. Hostile input is bounded: size, depth, node count;
 * anchors, aliases, tags and several documents are refused.
 */
#ifndef ASSAY_NODE_H
#define ASSAY_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ASSAY_NODE_SCALAR, ASSAY_NODE_SEQUENCE, ASSAY_NODE_MAPPING } assay_node_kind_t;

typedef struct assay_node {
    uint8_t kind;
    bool quoted;      /* a quoted scalar is text, never a bare number or a bool */
    assay_place_t at; /* file, line, column; a flag's name is its file */
    const char *key;  /* of a mapping's child, else NULL */
    assay_place_t key_at;
    const char *text; /* scalar */
    size_t n_text;
    struct assay_node *child, *last, *next;
    uint32_t n; /* children */
} assay_node_t;

#define ASSAY_NODE_MAX_BYTES (4u << 20)
#define ASSAY_NODE_MAX_DEPTH 64
#define ASSAY_NODE_MAX_NODES 200000

/**
 * Parses data[0..size) into a tree in the arena. file names the input in messages.
 * Errors (ASSAY_INPUT, ASSAY_LIMIT with file:line:column and a next step): syntax, tab indentation,
 * byte-order mark, CR line ends, bad UTF-8, NUL, duplicate key (both lines named), depth, size,
 * anchors and aliases, second document, empty document.
 */
assay_status_t assay_node_parse(assay_arena_t *arena, const char *file, const char *data,
                                size_t size, assay_node_t **out_root, assay_error_t *err);
/** Child of a mapping by key, or NULL. */
assay_node_t *assay_node_find(const assay_node_t *mapping, const char *key);
/**
 * New empty mapping, as if an empty file of that name had been read. NULL beyond the arena's
 * limit.
 */
assay_node_t *assay_node_create(assay_arena_t *arena, const char *file);
/**
 * New empty node at the end of a mapping (key given, not there yet) or of a sequence (key NULL).
 * key and at->file are kept, not copied. NULL beyond the arena's limit.
 */
assay_node_t *assay_node_add(assay_arena_t *arena, assay_node_t *parent, const char *key,
                             assay_node_kind_t kind, const assay_place_t *at);
/**
 * Sets root.path = text as a plain scalar at place at ("workload.train.sequence"; a component
 * "candidates[]" means in every element; there may be none). Creates the mappings on the way;
 * replaces what was there. text is copied, at->file is not.
 * Errors: ASSAY_INPUT when a component on the way is not a mapping (or not a list, for "[]"), or
 * text is not UTF-8.
 */
assay_status_t assay_node_set(assay_arena_t *arena, assay_node_t *root, const char *path,
                              const char *text, const assay_place_t *at, assay_error_t *err);
/**
 * The comma list "a, b" of a scalar as a new sequence of plain scalars, all at the scalar's place.
 * Errors: ASSAY_INPUT when an entry is empty.
 */
assay_status_t assay_node_split(assay_arena_t *arena, const assay_node_t *scalar,
                                assay_node_t **out_list, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
