/* The level-1 rewrite as a list of edits; private to assay_port_rewrite and its tests. */
#ifndef PORT_REWRITE_H
#define PORT_REWRITE_H

#include "port/port_scan.h"

/* text in place of data[at .. at+n); n = 0: put in front of at. */
typedef struct {
    size_t at, n;
    const char *text;
} port_edit_t;

typedef struct {
    const port_tables_t *tables;
    const assay_port_options_t *options;
    const char *path, *data;
    size_t size;
    uint8_t language;
    assay_arena_t *arena; /* of edits */
    port_edit_t *edit;    /* in order, disjoint */
    uint32_t n_edit, capacity;
    bool failed; /* no memory */
} port_rewrite_t;

/** Fills rewrite->edit; false: no memory. */
bool port_rewrite_edits(port_rewrite_t *rewrite);
void port_rewrite_add(port_rewrite_t *rewrite, size_t at, size_t n, const char *text);
void port_rewrite_c(port_rewrite_t *rewrite);     /* C, C++, CUDA */
void port_rewrite_build(port_rewrite_t *rewrite); /* CMake, Make */

#endif
