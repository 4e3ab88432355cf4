/* What only the C reader needs of the tables: lookups by a hash that is there already. */
#ifndef PORT_TABLES_H
#define PORT_TABLES_H

#include "port/port_scan.h"

/** Words of the language that the rules look for (c_words.h), 1..255; 0 = none. *out_api: row of
 * the API table from 1, 0 = none. */
uint8_t port_word_find(const port_tables_t *tables, uint32_t hash, const char *text, size_t n,
                       uint16_t *out_api);
/** Row from 1 of what port_api_find gave. */
uint16_t port_api_index(const port_tables_t *tables, const port_api_t *api);
/** index from 1. */
const port_api_t *port_api_row(const port_tables_t *tables, uint16_t index);

/* One row of data/port_targets.csv. */
typedef struct {
    const char *target;     /* gfx name, or how it begins */
    uint32_t wave;          /* lanes */
    uint32_t lds_bytes;     /* of a block */
    uint32_t lds_banks;     /* of 4 bytes */
    uint32_t registers;     /* of 4 bytes that a lane has with one wave on its SIMD */
    uint32_t registers_max; /* that a wave may use */
    uint32_t waves;         /* a SIMD */
} port_target_t;
assay_status_t port_targets_load(assay_arena_t *arena, const port_target_t **out_target,
                                 uint32_t *out_n, assay_error_t *err);
/** The row with the longest beginning of name; the first one when none fits. n > 0. */
const port_target_t *port_target_find(const port_target_t *target, uint32_t n, const char *name);
/** Of all rows that were loaded. */
const port_target_t *port_tables_target(const port_tables_t *tables, const char *name);

#endif
