/* The effort model's coefficients and what it reads off a scan; between effort*.c and their tests.
 */
#ifndef PORT_EFFORT_H
#define PORT_EFFORT_H

#include "port/port_scan.h"

/* Scalars of data/port_effort.csv, in the order of its rows: name, least, most. */
#define EFFORT_SCALAR_LIST(X)             \
    X(calendar_days_per_work_day, 1, 2)   \
    X(calendar_productive_share, 0.05, 1) \
    X(calendar_team, 1, 1000)             \
    X(credit_experience, 0.01, 1)         \
    X(credit_ported, 0, 1)                \
    X(debt_fork_days, 0, 1e4)             \
    X(debt_majors_per_year, 0, 12)        \
    X(debt_share_per_major, 0, 1)         \
    X(debt_shared_days, 0, 1e4)           \
    X(fit_api, 0, 1e3)                    \
    X(fit_kernel, 0, 1e3)                 \
    X(fit_package, 0, 1e3)                \
    X(level1_build_file_days, 0, 100)     \
    X(level1_fixed_days, 0, 1e3)          \
    X(level1_lines_per_day, 1, 1e5)       \
    X(level1_unsupported_days, 0, 100)    \
    X(level2_check_days, 0, 100)          \
    X(level2_repeat_exponent, 0, 1)       \
    X(level2_span_lines, 1, 1e4)          \
    X(level3_fixed_days, 0, 1e3)          \
    X(scan_sigma, 0.01, 3)                \
    X(team_junior_share, 0, 1)            \
    X(total_correlation, 0, 1)            \
    X(tree_large_lines, 1, 1e9)           \
    X(tree_small_lines, 0, 1e9)

/* Ranges: read as p10 and p90; value is the median. */
#define EFFORT_RANGE_LIST(X) \
    X(contingency_share)     \
    X(level1_prior_days)     \
    X(level2_prior_days)     \
    X(level3_prior_days) X(review_wait_days) X(training_days)

typedef struct {
    double value, low, high;
} effort_range_t;

/* What one finding costs: the row whose prefix of the rule's id is the longest. */
typedef enum { EFFORT_PER_KERNEL, EFFORT_PER_API } effort_per_t;
typedef struct {
    const char *prefix;
    double days;
    uint8_t per; /* effort_per_t */
} effort_rule_t;
/* Lines that a person edits, for one line with such a finding: by the rule's prefix; or, of a mere
   renaming, by the library or the header that is named. */
typedef struct {
    const char *name;
    double lines;
    bool renamed;
} effort_lines_t;

typedef struct {
#define EFFORT_FIELD(name, least, most) double name;
    EFFORT_SCALAR_LIST(EFFORT_FIELD)
#undef EFFORT_FIELD
#define EFFORT_FIELD(name) effort_range_t name;
    EFFORT_RANGE_LIST(EFFORT_FIELD)
#undef EFFORT_FIELD
    double package_days[4]; /* by port_api_status_t; unsupported: with a replacement */
    double package_none_days;
    effort_rule_t *rule, *replaced; /* replaced: where ROCm has a library in the tree's place */
    effort_lines_t *line;
    uint32_t n_rule, n_replaced, n_line;
    const char *const *note; /* every row as a sentence, for effort.assumption */
    uint32_t n_note;
} effort_table_t;

assay_status_t port_effort_table(assay_arena_t *arena, effort_table_t *out, assay_error_t *err);
/** Kernels of the rules that have a row "replaced." cost what that row says from now on. */
void port_effort_replace(effort_table_t *table);

/* What the scan says before the prior has its part; days are medians. */
typedef struct {
    double edited_lines; /* residual lines but those of build files, which are counted by file */
    uint64_t cuda_lines;
    double references, ready, ported, cuda_only; /* weighted by kind */
    double names, names_ported; /* API uses and packages alone: a kernel without guards is no less
                                   ported than one with them */
    uint32_t kernels, flagged;  /* flagged: kernels with a finding that costs days */
    uint32_t build_files;
    uint32_t unsupported, packages; /* distinct names at level 1, at level 3 */
    double residual_lines;
    double level_days[3];
    double credit; /* share of fixed work and prior that is left after what is ported already */
} effort_features_t;

/** Sets residual_lines of every file of the scan. Errors: ASSAY_LIMIT. */
assay_status_t port_effort_features(assay_arena_t *arena, const effort_table_t *table,
                                    assay_port_scan_t *scan, effort_features_t *out,
                                    assay_error_t *err);

#endif
