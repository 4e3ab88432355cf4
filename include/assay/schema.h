/**
 * One table per struct says everything about a field: key, kind, unit, range, default, help, flag.
 * It drives reading (YAML, JSON, flags), error messages, --help, completion and the JSON Schema.
 */
#ifndef ASSAY_SCHEMA_H
#define ASSAY_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/dist.h"
#include "assay/node.h"
#include "assay/text.h"
#include "assay/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where a value came from. UNKNOWN is a state, never 0. */
typedef enum { ASSAY_UNKNOWN, ASSAY_DEFAULT, ASSAY_GIVEN } assay_origin_t;

typedef struct {
    double v;
    uint8_t origin;
    assay_place_t at;
    const assay_dist_t *dist; /* what it is drawn from, v its median; NULL: it is v */
} assay_number_t;
typedef struct {
    const char *s; /* NULL when unknown */
    uint8_t origin;
    assay_place_t at;
} assay_string_t;
typedef struct {
    int v; /* bool: 0/1; choice: index into choices */
    uint8_t origin;
    assay_place_t at;
} assay_choice_t;
typedef struct {
    void *item; /* (n) structs of the sub-schema, or assay_string_t for FIELD_STRINGS; NULL when n =
                   0 */
    uint32_t n;
    uint8_t origin;
    assay_place_t at;
} assay_list_t;

typedef enum {
    ASSAY_FIELD_NUMBER,  /* assay_number_t, dim and bare_scale say the unit */
    ASSAY_FIELD_STRING,  /* assay_string_t: one printable line; choices, if given, are all it may be
                          */
    ASSAY_FIELD_BOOL,    /* assay_choice_t, true|false only */
    ASSAY_FIELD_CHOICE,  /* assay_choice_t, one of choices (NULL-ended) */
    ASSAY_FIELD_STRINGS, /* assay_list_t of assay_string_t; a scalar is a comma list */
    ASSAY_FIELD_STRUCT,  /* sub-schema in place; its bool `present` is set when the key is there */
    ASSAY_FIELD_LIST,    /* assay_list_t of sub-schema structs */
    ASSAY_FIELD_NODE,    /* const assay_node_t *: scalar or mapping, the owner reads it itself
                            (sub, if given, is for the JSON Schema only) */
    ASSAY_FIELD_LATER /* no member: a key that only a later version reads; help says what this one
                         reads instead. Refused by name, and no part of the JSON Schema */
} assay_field_kind_t;

typedef struct assay_schema assay_schema_t;

typedef struct {
    const char *key;
    uint8_t kind;
    uint8_t dim; /* assay_dim_t */
    bool required;
    bool uncertain;           /* NUMBER: a distribution may stand in its place */
    double bare_scale;        /* NUMBER: see assay_units_parse */
    double min, max;          /* NUMBER: closed range, SI; LIST, STRINGS: least and most entries */
    size_t offset;            /* of the member in the struct */
    const char *default_text; /* parsed like user text; NULL = stays unknown */
    const char *flag;         /* command-line name without dashes; NULL = not a flag */
    const char *flag_alias;   /* second name; NULL = none */
    const char *help;         /* one line, no full stop */
    const char *const *choices;
    const assay_schema_t *sub;
} assay_field_t;

#define ASSAY_SCHEMA_MAX_FIELDS 64
#define ASSAY_SCHEMA_MAX_STRING 4096 /* bytes */

struct assay_schema {
    const char *name; /* for messages: "money" */
    const assay_field_t *field;
    uint32_t n_field; /* at most ASSAY_SCHEMA_MAX_FIELDS */
    size_t size;      /* of the struct */
    size_t present;   /* offset of its `bool present`, or SIZE_MAX */
    /** All-or-one rules that a table cannot say (exactly one of train|serve). NULL = none. */
    assay_status_t (*check)(const void *value, const assay_node_t *node, assay_error_t *err);
};

/**
 * Fills *out (schema->size bytes, zeroed by the callee) from node.
 * Unknown key: error with "did you mean". Wrong kind, unit, range: error at the value's place.
 * Defaults are filled with origin ASSAY_DEFAULT. node NULL = everything absent (defaults only).
 */
assay_status_t assay_schema_read(assay_arena_t *arena, const assay_schema_t *schema,
                                 const assay_node_t *node, void *out, assay_error_t *err);
/** Calls visit for every flag in the schema and below it; path as assay_node_set takes it. */
void assay_schema_flags(const assay_schema_t *schema,
                        void (*visit)(void *ctx, const assay_field_t *field, const char *path),
                        void *ctx);
/** JSON Schema (draft 2020-12) text of the schema. */
assay_status_t assay_schema_json(const assay_schema_t *schema, const char *title, assay_buf_t *out);
/** Markdown table of every key: path, value, default, flag, help. For docs and help. */
void assay_schema_markdown(const assay_schema_t *schema, assay_buf_t *out);

#ifdef __cplusplus
}
#endif
#endif
