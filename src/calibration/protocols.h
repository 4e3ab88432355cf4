/* data/collective_protocols.csv: what libraries of collectives assume of their own algorithms. */
#ifndef CALIBRATION_PROTOCOLS_H
#define CALIBRATION_PROTOCOLS_H

#include "assay/calibration.h"

/* One row. arch and fabric: words joined by |, * any. */
typedef struct {
    const char *library, *vendor, *arch, *fabric;
    assay_way_t way;
} protocol_row_t;

typedef struct {
    protocol_row_t *row;
    uint32_t n;
} protocols_t;

/** Refuses a row with an unknown word or number, and a table that leaves a vendor without a way. */
assay_status_t protocols_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                              protocols_t *out, assay_error_t *err);
uint32_t protocols_select(const protocols_t *protocols, const char *vendor, const char *arch,
                          const char *fabric, assay_way_t out_way[ASSAY_WAYS_MAX]);
const char *protocols_library(const protocols_t *protocols, const char *vendor);

#endif
