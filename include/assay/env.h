/**
 * Lint of environment settings and command lines: shell scripts, .env files, Dockerfiles, Slurm
 * and Kubernetes, docker and mpirun lines, a live environment. Says what nothing reads, what is for
 * debugging, what contradicts itself or the vendor's advice. Answers as the doctor does.
 */
#ifndef ASSAY_ENV_H
#define ASSAY_ENV_H

#include "assay/doctor.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The doctor's rules, and the tables of the lint. Loaded once, then const. */
typedef struct assay_env_rules assay_env_rules_t;

/** dir: overlays of data/, as the catalog's. Errors: ASSAY_INPUT, ASSAY_IO, ASSAY_LIMIT. */
assay_status_t assay_env_rules_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                    assay_lang_t lang, const assay_env_rules_t **out_rules,
                                    assay_error_t *err);
/** Every check that the lint can report, by id. */
const assay_check_t *assay_env_rules_checks(const assay_env_rules_t *rules, uint32_t *out_n);
/** Case-insensitive; NULL: the lint reports no such check. */
const assay_check_t *assay_env_rules_check(const assay_env_rules_t *rules, const char *id);

typedef struct {
    const char *target; /* code target of the part: gfx942, sm_90; NULL: not known */
    const char *part;   /* its name, for sentences; NULL with target */
    const char *rocm;   /* version, "7.0"; NULL: not known */
    const char *engine; /* vllm, megatron; NULL: not known */
    assay_severity_t threshold;
    const char *const *only, *const *skip; /* ids or their first parts */
    uint32_t n_only, n_skip;
} assay_env_options_t;

#define ASSAY_ENV_MAX_FILE_BYTES ((size_t)16 << 20)
#define ASSAY_ENV_MAX_SETTINGS 65536u

/**
 * Looks at texts, each by itself. Findings stand at file, line and column.
 * live: "NAME=value" entries ending with NULL, which are looked at as a text called "environment";
 *     NULL: none.
 * Errors: ASSAY_NOT_FOUND when only or skip names no check, ASSAY_INPUT for a version that is none,
 * ASSAY_LIMIT.
 */
assay_status_t assay_env_lint(assay_arena_t *arena, const assay_env_rules_t *rules,
                              const char *name, const assay_host_file_t *file, uint32_t n_file,
                              const char *const *live, const assay_env_options_t *options,
                              assay_diagnosis_t **out_diagnosis, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
