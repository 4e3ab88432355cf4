/* Reading numbers from a JSON object by data/model_families.csv: which key holds a field, and what
   the field is when the key is absent, null or left out because the family's class has it. */
#ifndef CATALOG_MODEL_KEYS_H
#define CATALOG_MODEL_KEYS_H

#include <jansson.h>

#include "assay/csv.h"
#include "assay/model_file.h"

typedef enum {
    KEYS_COUNT,  /* uint32_t */
    KEYS_LENGTH, /* uint32_t: how many elements a list has */
    KEYS_BOOL,
    KEYS_NUMBER /* double */
} keys_kind_t;

typedef struct {
    const char *name; /* in column `field` */
    size_t offset;
    keys_kind_t kind;
    uint32_t min, max; /* counts: that a file may say */
    bool quiet;        /* its default is of no interest to people */
} keys_field_t;

#define KEYS_LIKE_MAX 8
typedef struct {
    assay_arena_t *arena;   /* of what stays: notes, names */
    assay_arena_t *scratch; /* of the table */
    assay_error_t *err;
    assay_place_t at;    /* the file; JSON values do not know their line */
    const json_t *root;  /* what is read */
    const json_t *outer; /* the object around it, NULL: root is the file */
    assay_csv_t csv;
    const char *family;
    uint32_t first_row[KEYS_LIKE_MAX], end_row[KEYS_LIKE_MAX], n_like;
    assay_notes_t *notes; /* what was assumed; NULL: not asked */
} keys_t;

/** Loads the table. keys->arena, err and at are set. To be closed. */
assay_status_t keys_open(keys_t *keys);
void keys_close(keys_t *keys);
/** Chooses a family and those it is like. false: no such family. */
bool keys_choose(keys_t *keys, const char *family);
/** The cell `absent` of a family's row, "" when there is none: its text model, its tower. */
const char *keys_text(const keys_t *keys, const char *field);
/** NULL-terminated list of families that can stand in model_type, in scratch. */
const char **keys_families(const keys_t *keys, uint32_t *out_n);
/** Fills the fields of `out` in order; an expression may use those before. */
assay_status_t keys_read(const keys_t *keys, const keys_field_t *fields, uint32_t n, void *out);
/** The value at a dotted path. NULL: absent. */
const json_t *keys_find(const json_t *root, const char *path, size_t n);
assay_status_t keys_refuse_missing(const keys_t *keys, const char *name);
/** Remembers an assumption, printf-like. */
assay_status_t keys_note(const keys_t *keys, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
