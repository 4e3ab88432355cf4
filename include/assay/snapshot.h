/**
 * One host as a file: everything that `assay doctor` reads on it, and what the usual tools print,
 * for somebody who cannot log in. Reads only, needs no root, takes less than five seconds.
 */
#ifndef ASSAY_SNAPSHOT_H
#define ASSAY_SNAPSHOT_H

#include "assay/host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *root;               /* "/", or another root */
    const char *const *environment; /* "NAME=value" ending with NULL, or NULL: not known */
    bool keep_names;                /* names, serials, unique ids and addresses stay */
    bool no_commands;               /* files alone */
} assay_snapshot_options_t;

typedef struct {
    uint32_t n_file;           /* in the archive */
    uint32_t n_command;        /* that printed something */
    uint32_t n_hidden;         /* names and numbers that were replaced */
    const char *const *denied; /* (n_denied) what root would add, first ones */
    uint32_t n_denied, n_denied_all;
    const char *const *late; /* (n_late) commands that did not end in time */
    uint32_t n_late;
} assay_snapshot_t;

/**
 * Writes path, a tar archive compressed when its name ends in .zst. Errors: as assay_archive_write,
 * ASSAY_LIMIT.
 */
assay_status_t assay_snapshot_write(assay_arena_t *arena, const assay_host_rules_t *rules,
                                    const char *path, const assay_snapshot_options_t *options,
                                    assay_snapshot_t *out, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
