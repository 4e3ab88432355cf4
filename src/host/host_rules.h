/** What data/ knows about hosts, in memory. */
#ifndef HOST_RULES_H
#define HOST_RULES_H

#include "assay/csv.h"
#include "assay/doctor.h"
#include "host/host_parse.h"

/* A piece of a log pattern: literal text, then what stands behind it. */
typedef enum {
    HOST_PIECE_END,
    HOST_PIECE_NUMBER,
    HOST_PIECE_WORD,
    HOST_PIECE_ANY
} host_piece_kind_t;
typedef struct {
    host_span_t literal;
    uint8_t kind;
} host_piece_t;
typedef struct {
    const char *event;
    const host_piece_t *piece;
    uint32_t n_piece;
} host_event_rule_t;

typedef struct {
    const char *consequence, *cause; /* ids of checks */
} host_cause_t;
typedef struct {
    const char *id; /* "PWR-003.low_share" */
    double value;
} host_threshold_t;

/* One environment variable. Several components may know one name: then several entries. */
typedef struct {
    const char *name, *component, *meaning, *values, *initial, *until, *effect, *source;
    const char *type;    /* what values it takes, as env_value_fits reads it; "" any */
    const char *gone;    /* "rocm 7.13": from this version on nothing reads it; "" not known */
    const char *instead; /* its new or real name; "" none */
    const char *check;   /* that speaks of it when it is set; "" none */
    uint8_t severity;    /* of what it says */
} host_variable_t;

struct assay_host_rules {
    const assay_check_t *check; /* by id */
    uint32_t n_check;
    const host_cause_t *cause;
    uint32_t n_cause;
    const host_threshold_t *threshold; /* by id */
    uint32_t n_threshold;
    const host_event_rule_t *event_rule;
    uint32_t n_event_rule;
    const host_variable_t *variable; /* by name */
    uint32_t n_variable;
};

/** First entry of that name, or NULL. */
const host_variable_t *host_variable_find(const assay_host_rules_t *rules, const char *name);

#endif
