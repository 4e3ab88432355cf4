/**
 * How the catalog's tables are read: one description per column says where a cell goes, its unit
 * and its sane range. Private to catalog.
 */
#ifndef ASSAY_CATALOG_TABLE_H
#define ASSAY_CATALOG_TABLE_H

#include "assay/catalog.h"

typedef enum {
    COLUMN_TEXT,       /* const char *, "" when empty */
    COLUMN_CHOICE,     /* const char *, one of choices, "" when empty */
    COLUMN_DATE,       /* const char *, YYYY[-MM[-DD]] or YYYYQn; of a user's row not after today */
    COLUMN_DATE_AHEAD, /* the same, and may lie ahead */
    COLUMN_YES,        /* bool: yes, no; empty = no */
    COLUMN_COUNT,      /* uint32_t, 0 when empty */
    COLUMN_NUMBER,     /* double, 0 when empty */
    COLUMN_FACT,       /* assay_fact_t, unknown when empty; its source is the row's */
    COLUMN_CONFIDENCE, /* uint8_t, assay_confidence_t */
} catalog_column_kind_t;

typedef struct {
    const char *name;
    uint8_t kind;
    bool required;
    size_t offset;             /* in the row's struct */
    double scale;              /* to SI; of NUMBER and FACT */
    double min, max;           /* of the cell as written; of COUNT, NUMBER and FACT */
    const char *const *choice; /* NULL-ended */
} catalog_column_t;

/** What overlays did to the built-in tables, as sentences. */
typedef struct {
    const char **item;
    uint32_t n, capacity;
} catalog_log_t;

assay_status_t catalog_log_add(assay_arena_t *arena, catalog_log_t *log, const char *text,
                               assay_error_t *err);

/** How a user's tables are laid over: what is left out of them, and what they did. */
typedef struct {
    const assay_place_t *skip; /* rows that are left out; line 0: the whole file */
    uint32_t n_skip;
    const assay_catalog_extra_t *extra; /* laid below the directories' files */
    uint32_t n_extra;
    bool quiet; /* no line a row */
    catalog_log_t log;
} catalog_overlay_t;

/**
 * Built-in table name overlaid by the directories' files of that name. A row's key is its first
 * n_key cells; a later file's rows replace all earlier rows of their keys. overlay NULL: nothing is
 * left out or recorded.
 */
assay_status_t catalog_table_join(assay_arena_t *arena, const char *name, uint32_t n_key,
                                  const char *const *dir, uint32_t n_dir,
                                  catalog_overlay_t *overlay, assay_csv_t *out_csv,
                                  assay_error_t *err);
/** Errors: ASSAY_INPUT at the second of two rows with one key; an empty key. */
assay_status_t catalog_table_check_keys(assay_arena_t *arena, const assay_csv_t *csv,
                                        uint32_t n_key, assay_error_t *err);
/**
 * Reads every row into *out_rows (n_rows structs of row_size, zeroed first). today: YYYY-MM-DD, for
 * the dates of a user's rows.
 */
assay_status_t catalog_table_read(assay_arena_t *arena, const assay_csv_t *csv,
                                  const catalog_column_t *column, uint32_t n_column,
                                  size_t row_size, const char *today, void **out_rows,
                                  assay_error_t *err);
/** The row came with the program, not from a user's file. */
bool catalog_row_is_builtin(const assay_csv_t *csv, uint32_t row);

/* One loader per table; each reads what the ones before it have filled. */
typedef struct {
    assay_arena_t *arena;
    assay_catalog_t *catalog;
    struct catalog_index *index; /* of the tables that are loaded */
    const char *const *dir;
    uint32_t n_dir;
    assay_csv_t alias_csv; /* for messages of catalog_check_aliases */
    catalog_overlay_t overlay;
    catalog_log_t warning;
    const char *today; /* YYYY-MM-DD */
    assay_error_t *err;
} catalog_load_t;

assay_status_t catalog_load_accelerators(catalog_load_t *load);
assay_status_t catalog_load_aliases(catalog_load_t *load);
assay_status_t catalog_load_fabrics(catalog_load_t *load);
/** After the fabrics are indexed. */
assay_status_t catalog_load_fabric_pairs(catalog_load_t *load);
assay_status_t catalog_load_systems(catalog_load_t *load);
assay_status_t catalog_load_prices(catalog_load_t *load);
assay_status_t catalog_load_energy(catalog_load_t *load);
assay_status_t catalog_load_models(catalog_load_t *load);
assay_status_t catalog_load_claims(catalog_load_t *load);
/** After all others: every alias leads to a row. */
assay_status_t catalog_check_aliases(catalog_load_t *load);
/** A claim's field names a figure, of something that exists, in a unit that fits. */
assay_status_t catalog_claim_check_field(const catalog_load_t *load, const assay_claim_t *claim,
                                         const assay_place_t *at);

/** Joins, checks the keys of and reads one table: what every loader starts with. */
assay_status_t catalog_load_rows(catalog_load_t *load, const char *name, uint32_t n_key,
                                 const catalog_column_t *column, uint32_t n_column, size_t row_size,
                                 assay_csv_t *out_csv, void **out_rows);

/** "unknown KIND 'ID'", with the nearest id that is known. kind: as a table's rows are called. */
assay_status_t catalog_refuse_id(const catalog_load_t *load, const assay_place_t *at,
                                 const char *kind, const char *id);

/** Row by its exact id, no alias; NULL: none. kind: accelerator, fabric, system, model. */
const void *catalog_find(const assay_catalog_t *catalog, const char *kind, const char *id);
const assay_alias_t *catalog_find_alias(const assay_catalog_t *catalog, const char *kind,
                                        const char *id);

#endif
