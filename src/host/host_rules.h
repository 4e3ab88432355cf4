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

/* One environment variable. Several components may know one name: then several entries. */
typedef struct {
    const char *name, *component, *meaning, *values, *initial, *until, *effect, *source;
    const char *type;    /* what values it takes, as env_value_fits reads it; "" any */
    const char *gone;    /* "rocm 7.13": from this version on nothing reads it; "" not known */
    const char *instead; /* its new or real name; "" none */
    const char *quiet;   /* "A|B": values of which that check says nothing */
    const char *check;   /* that speaks of it when it is set; "" none */
    uint8_t severity;    /* of what it says */
} host_variable_t;

/* Rows of a table that checks compare a host with, as texts in the order of its columns. */
#define HOST_CELLS 4
typedef struct {
    const char *cell[HOST_CELLS];
} host_row_t;
typedef struct {
    const host_row_t *row;
    uint32_t n;
} host_table_t;
enum { HOST_KERNEL_ROCM, HOST_KERNEL_OS, HOST_KERNEL_RELEASE }; /* rocm_kernel */
enum { HOST_DRIVER_ROCM, HOST_DRIVER_VERSION };                 /* rocm_driver, by release */
enum { HOST_PART_TARGET, HOST_PART_FIRST };                     /* rocm_part */
enum { HOST_MODE_PART, HOST_MODE_COMPUTE, HOST_MODE_MEMORY, HOST_MODE_DEVICES }; /* partition */
enum { HOST_NORM_PART, HOST_NORM_OPERATION, HOST_NORM_RANKS, HOST_NORM_GB_S };   /* norm */

enum { HOST_XID_NUMBER, HOST_XID_SEVERITY, HOST_XID_MEANING, HOST_XID_ACTION }; /* xid */

struct assay_host_rules {
    assay_lang_t lang;          /* of the tables, and of what checks say */
    const assay_check_t *check; /* by id */
    uint32_t n_check;
    const host_cause_t *cause;
    uint32_t n_cause;
    const assay_check_threshold_t *threshold; /* by id */
    uint32_t n_threshold;
    const host_event_rule_t *event_rule;
    uint32_t n_event_rule;
    const host_variable_t *variable; /* by name */
    uint32_t n_variable;
    host_table_t rocm_kernel, rocm_driver, rocm_part, partition, norm, xid;
};

/** A row of data/check_thresholds.csv that is there: a missing one is a mistake of ours. */
double host_threshold_find(const assay_host_rules_t *rules, const char *id);
/** First entry of that name, or NULL. */
const host_variable_t *host_variable_find(const assay_host_rules_t *rules, const char *name);

#endif
