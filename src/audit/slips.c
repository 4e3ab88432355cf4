/* Slips of units and of what is counted: the factors that they leave behind. */
#include <math.h>

#include "audit/judge.h"

#include "base/banned.h"

typedef enum {
    OF_ANY,
    OF_WORK_RATE, /* FLOP/s */
    OF_WORK,      /* FLOP in some power */
    OF_SHARE,     /* a plain number */
    OF_DATA_RATE,
    OF_RESULT_DATA, /* bytes, of a result */
} shape_t;

typedef struct {
    const char *id;
    double factor;
    bool both;      /* its inverse as well */
    uint32_t needs; /* what must have gone into the figures */
    shape_t shape;  /* of the claim */
    double within;  /* share, 0 = the claim's tolerance, doubled */
    assay_message_t message;
} slip_t;

#define GIB_OVER_GB (ASSAY_GIB_BYTES / 1e9)
#define TIB_OVER_TB (1024 * ASSAY_GIB_BYTES / 1e12)

/* The first of several that fit equally well is said. */
static const slip_t slips[] = {
    {"sparse_peak", 2, false, AUDIT_SAW_WORK, OF_WORK_RATE, 0, ASSAY_MSG_AUDIT_SLIP_SPARSE},
    {"sparse_peak", 0.5, false, AUDIT_SAW_WORK, OF_SHARE, 0, ASSAY_MSG_AUDIT_SLIP_SPARSE},
    {"multiply_adds", 0.5, false, AUDIT_SAW_WORK, OF_WORK, 0, ASSAY_MSG_AUDIT_SLIP_MAC},
    {"hours_as_seconds", 3600, true, AUDIT_SAW_TIME, OF_ANY, 0, ASSAY_MSG_AUDIT_SLIP_HOURS},
    {"hours_and_thousand", 3.6, true, AUDIT_SAW_TIME, OF_ANY, 0,
     ASSAY_MSG_AUDIT_SLIP_HOURS_THOUSAND},
    {"minutes", 60, true, AUDIT_SAW_TIME, OF_ANY, 0, ASSAY_MSG_AUDIT_SLIP_MINUTES},
    {"days", 24, true, AUDIT_SAW_TIME, OF_ANY, 0, ASSAY_MSG_AUDIT_SLIP_DAYS},
    {"thousand", 1e3, true, 0, OF_ANY, 0, ASSAY_MSG_AUDIT_SLIP_THOUSAND},
    {"million", 1e6, true, 0, OF_ANY, 0, ASSAY_MSG_AUDIT_SLIP_MILLION},
    {"billion", 1e9, true, 0, OF_ANY, 0, ASSAY_MSG_AUDIT_SLIP_BILLION},
    {"percent", 100, true, 0, OF_SHARE, 0, ASSAY_MSG_AUDIT_SLIP_PERCENT},
    {"bits", 8, true, AUDIT_SAW_DATA, OF_ANY, 0, ASSAY_MSG_AUDIT_SLIP_BITS},
    {"both_directions", 2, true, AUDIT_SAW_DATA, OF_DATA_RATE, 0, ASSAY_MSG_AUDIT_SLIP_DIRECTIONS},
    {"bytes_of_type", 2, true, AUDIT_SAW_DATA, OF_RESULT_DATA, 0.05, ASSAY_MSG_AUDIT_SLIP_TYPE},
    {"bytes_of_type", 4, true, AUDIT_SAW_DATA, OF_RESULT_DATA, 0.05, ASSAY_MSG_AUDIT_SLIP_TYPE},
    {"binary_size", GIB_OVER_GB, true, AUDIT_SAW_DATA, OF_ANY, 0.01, ASSAY_MSG_AUDIT_SLIP_BINARY},
    {"binary_size", TIB_OVER_TB, true, AUDIT_SAW_DATA, OF_ANY, 0.01, ASSAY_MSG_AUDIT_SLIP_BINARY},
};

static bool has_shape(const audit_factor_t *factor, shape_t shape) {
    const audit_dim_t *dim = &factor->dim;
    const int work = dim->power[ASSAY_BASE_WORK], data = dim->power[ASSAY_BASE_DATA],
              time = dim->power[ASSAY_BASE_TIME];
    const audit_dim_t none = {{0}};
    switch (shape) {
    case OF_WORK_RATE:
        return work == 1 && time == -1;
    case OF_WORK:
        return work != 0;
    case OF_SHARE:
        return audit_dim_equal(dim, &none);
    case OF_DATA_RATE:
        return data == 1 && time == -1;
    case OF_RESULT_DATA:
        return data == 1 && time == 0 && !factor->is_catalog;
    case OF_ANY:
        break;
    }
    return true;
}

/* How far factor is from what the slip leaves, as |ln|; HUGE_VAL: farther than it may be. */
static double distance(const audit_factor_t *factor, double slip, bool both, double within) {
    double off = fabs(log(factor->factor / slip));
    if (both) {
        off = fmin(off, fabs(log(factor->factor * slip)));
    }
    return off <= log1p(within > 0 ? within : 2 * factor->tolerance) ? off : HUGE_VAL;
}

bool audit_slip(const audit_factor_t *factor, assay_audited_t *out) {
    double best = HUGE_VAL, off;
    const slip_t *found = NULL;
    /* What the claim itself says about its devices and tokens goes before what could be. */
    if (factor->devices > 1 && (off = distance(factor, factor->devices, true, 0)) < HUGE_VAL) {
        static const slip_t devices = {.id = "devices", .message = ASSAY_MSG_AUDIT_SLIP_DEVICES};
        best = off;
        found = &devices;
    }
    if (factor->token_factor > 1 && (factor->saw & AUDIT_SAW_TOKEN) &&
        (off = distance(factor, factor->token_factor, true, 0)) < best) {
        static const slip_t tokens = {.id = "input_tokens", .message = ASSAY_MSG_AUDIT_SLIP_TOKENS};
        best = off;
        found = &tokens;
    }
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        const slip_t *slip = &slips[i];
        if ((factor->saw & slip->needs) == slip->needs && has_shape(factor, slip->shape) &&
            (off = distance(factor, slip->factor, slip->both, slip->within)) < best - 1e-12) {
            best = off;
            found = slip;
        }
    }
    if (!found) {
        return false;
    }
    out->slip = found->id;
    out->peak_is_sparse = found->message == ASSAY_MSG_AUDIT_SLIP_SPARSE;
    out->counts = found->message == ASSAY_MSG_AUDIT_SLIP_TOKENS ? "input+output" : NULL;
    audit_say(out, found->message, NULL, 0);
    return true;
}

#define LARGE_FACTOR 3.0

void audit_say_no_slip(assay_arena_t *arena, assay_audited_t *out) {
    if (out->has_factor && fabs(log(fabs(out->factor))) > log(LARGE_FACTOR)) {
        AUDIT_SAY(out, AUDIT_NO_SLIP, audit_factor_text(arena, out->factor));
    }
}
