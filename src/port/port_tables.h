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

#endif
