/**
 * A number with a range and a dimension, and the unit that it is written in. Private to audit.
 */
#ifndef AUDIT_QUANTITY_H
#define AUDIT_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/units.h"

/** The bases of units, and tokens. Things that are merely counted have no dimension. */
enum { AUDIT_TOKEN = ASSAY_BASE_N, AUDIT_DIM_N };

#define AUDIT_POWER_MAX 9 /* of a base, either sign */

typedef struct {
    int8_t power[AUDIT_DIM_N];
} audit_dim_t;

/** What went into a value: which slips can be behind a factor. */
enum {
    AUDIT_SAW_DATA = 1u << 0,
    AUDIT_SAW_TIME = 1u << 1,
    AUDIT_SAW_WORK = 1u << 2,
    AUDIT_SAW_TOKEN = 1u << 3,
    AUDIT_SAW_ENERGY = 1u << 4,
    AUDIT_SAW_PERCENT = 1u << 5,
    /* which tokens a figure counts */
    AUDIT_COUNTS_INPUT = 1u << 6,
    AUDIT_COUNTS_OUTPUT = 1u << 7,
    AUDIT_COUNTS_BOTH = 1u << 8,
    AUDIT_COUNTS = AUDIT_COUNTS_INPUT | AUDIT_COUNTS_OUTPUT | AUDIT_COUNTS_BOTH,
};

typedef struct {
    double low, high; /* SI; equal for a point */
    audit_dim_t dim;
    uint32_t saw;
} audit_value_t;

#define AUDIT_UNIT_MAX 64

/** A product of unit words: "USD/Mtoken", "kWh", "token/s/W". */
typedef struct {
    audit_dim_t dim;
    double times, over; /* SI value of one: times / over */
    uint32_t saw;
    double devices; /* a word for devices or nodes stands in it: so many of 1 (k: 1000); else 0 */
} audit_unit_t;

/**
 * Reads the longest unit that text[0..n) starts with: WORD[^K] { (*|/|per) WORD[^K] }. Returns its
 * length, 0 when text does not start with a unit word.
 */
size_t audit_unit_read(const char *text, size_t n, audit_unit_t *out);
bool audit_dim_equal(const audit_dim_t *a, const audit_dim_t *b);
/** a * b^sign; false: beyond AUDIT_POWER_MAX. */
bool audit_dim_multiply(const audit_dim_t *a, const audit_dim_t *b, int sign, audit_dim_t *out);
/** "USD/token", "1" for a plain number. */
const char *audit_dim_text(assay_arena_t *arena, const audit_dim_t *dim);
/** What the catalog's dimension is; *out_scale: SI value of one of its units. */
audit_dim_t audit_dim_of(assay_dim_t dim, double *out_scale);
/** "780 token/s", "12 to 16 week": value is in that unit. NULL once the arena is full. */
const char *audit_text_of(assay_arena_t *arena, double low, double high, const char *unit);

#endif
