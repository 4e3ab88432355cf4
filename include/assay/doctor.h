/**
 * Is this host set up right, and if not, what one thing to do first? Checks are rows of
 * data/checks.csv; what follows from another finding is folded under it.
 */
#ifndef ASSAY_DOCTOR_H
#define ASSAY_DOCTOR_H

#include "assay/finding.h"
#include "assay/host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ASSAY_CHECK_BAD,
    ASSAY_CHECK_GOOD,
    ASSAY_CHECK_NOT_APPLICABLE, /* the host has nothing that it speaks of */
    ASSAY_CHECK_NOT_CHECKED,    /* not known: nothing was given that says so */
    ASSAY_CHECK_STATUS_N
} assay_check_status_t;
const char *assay_check_status_name(assay_check_status_t status);

/** A row of data/check_thresholds.csv: a number that a check compares with. */
typedef struct {
    const char *id; /* "PWR-003.low_share" */
    double value;
    const char *unit;   /* "1": a share or a count */
    const char *source; /* "ours" where ours */
} assay_check_threshold_t;

/** A row of data/checks.csv. Texts may hold {name} or {name|default} for what a check fills in. */
typedef struct {
    const char *id;    /* "KRN-006" */
    const char *title; /* what is wrong, one line */
    const char
        *applies; /* what the host must have: AMD, NVIDIA, accelerator, container, any host */
    const char *condition; /* when it is bad; numbers are rows of data/check_thresholds.csv */
    const char *cause;     /* why it matters */
    const char *fix;       /* least privilege; "" none */
    const char *verify;    /* how to see that it is right */
    const char *reads;     /* where the facts come from: files, commands */
    const char *source;    /* of the rule and its thresholds; "ours" where ours */
    const char *reference; /* further reading */
    const assay_check_threshold_t *threshold; /* (n_threshold) its numbers */
    uint32_t n_threshold;
    uint8_t severity; /* assay_severity_t; a finding may say less or more */
} assay_check_t;

/** All checks, by id. */
const assay_check_t *assay_host_rules_checks(const assay_host_rules_t *rules, uint32_t *out_n);
/** Case-insensitive; NULL: no such check. */
const assay_check_t *assay_host_rules_check(const assay_host_rules_t *rules, const char *id);
/** Fills err with the nearest id; always ASSAY_NOT_FOUND. */
assay_status_t assay_check_not_found(const assay_host_rules_t *rules, const char *word,
                                     assay_error_t *err);

typedef struct {
    const assay_check_t *check;
    uint8_t severity, status;
    const char *evidence; /* facts with file and line; why it is not known, or does not apply */
    const char *cause, *fix, *verify; /* the check's, filled in */
    const char *const *device;        /* (n_device) accelerators, NICs it is about */
    uint32_t n_device;
    assay_place_t at; /* of the first evidence */
    bool stated;      /* rests on the sender's note alone */
    int32_t root;     /* finding that it follows from; -1: none */
} assay_doctor_finding_t;

/** Devices that a process sees, after the launcher and the masks have chosen. */
typedef struct {
    const char *name;       /* of the case that somebody asks about; "" this process */
    const uint32_t *device; /* (n_device) numbers before any mask */
    uint32_t n_device;
    bool known; /* false: neither the devices nor a mask are known */
    bool named; /* false: a mask by UUID counts, and does not tell which */
} assay_visible_t;
/** Modes of partition that somebody asks for. */
typedef struct {
    const char *compute, *memory;
    bool known;       /* the part's modes are known */
    bool legal;       /* it has them */
    uint32_t devices; /* of all accelerators together, in these modes */
} assay_partition_answer_t;

typedef struct {
    assay_severity_t threshold;            /* findings at or above it count */
    const char *const *only, *const *skip; /* ids or their first parts ("NET") */
    uint32_t n_only, n_skip;
} assay_doctor_options_t;

typedef struct {
    const assay_host_t *host;
    /* Bad ones first, worst first, each followed by its consequences; then by status and id. */
    const assay_doctor_finding_t *finding;
    uint32_t n_finding;
    uint32_t n_status[ASSAY_CHECK_STATUS_N];
    uint32_t n_severity[ASSAY_SEVERITY_N]; /* of the bad ones */
    int32_t first;                         /* do this first; -1: nothing is wrong */
    bool reached;                          /* a bad one at or above the threshold */
    assay_visible_t *visible;              /* this process, then the cases that are asked about */
    uint32_t n_visible;
    assay_partition_answer_t *partition; /* in the order asked */
    uint32_t n_partition;
    assay_severity_t threshold;
} assay_diagnosis_t;

/**
 * Runs every check. Errors: ASSAY_NOT_FOUND when only or skip names no check, ASSAY_LIMIT.
 * The result does not depend on the order of the files.
 */
assay_status_t assay_doctor(assay_arena_t *arena, const assay_host_rules_t *rules,
                            const assay_host_t *host, const assay_doctor_options_t *options,
                            assay_diagnosis_t **out_diagnosis, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
