/** Inside base: what reading a field needs, and a number that may be a distribution. */
#ifndef ASSAY_BASE_SCHEMA_READ_H
#define ASSAY_BASE_SCHEMA_READ_H

#include "assay/schema.h"

typedef struct {
    assay_arena_t *arena;
    assay_error_t *err;
} schema_read_t;

/** One number with its unit, in the field's range. */
assay_status_t schema_read_value(const schema_read_t *read, const assay_field_t *field,
                                 const assay_node_t *node, double *out_value);
/** "[2.1, 2.4]" or "{dist: triangular, low: 2, mode: 3, high: 5}" in place of a number. */
assay_status_t schema_read_dist(const schema_read_t *read, const assay_field_t *field,
                                const assay_node_t *node, assay_number_t *out);

#define SCHEMA_DIST_VALUES_MAX 4096u
#define SCHEMA_DIST_OPTIONAL "p50"
/* Forms of a distribution: name, its keys in the order of their values, which rise. */
#define SCHEMA_DIST_LIST(X)                \
    X("fixed", "value", NULL, NULL)        \
    X("range", "low", "high", NULL)        \
    X("triangular", "low", "mode", "high") \
    X("lognormal", "p10", "p50", "p90")    \
    X("empirical", "values", NULL, NULL)

#endif
