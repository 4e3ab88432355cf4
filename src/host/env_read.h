/** Where a text sets environment variables, and what command lines it holds. */
#ifndef HOST_ENV_READ_H
#define HOST_ENV_READ_H

#include "assay/host.h"

typedef struct {
    const char *name;
    const char *value; /* NULL: only known when it runs ("$X", a secret) */
    assay_place_t at;
} env_setting_t;

/* One command, with what follows a backslash at the end of a line. */
typedef struct {
    const char *text; /* '\v' stands where a line went on */
    uint32_t line;    /* of its start, from 1 */
} env_line_t;

typedef struct {
    assay_arena_t *arena;
    const char *file;
    env_setting_t *setting;
    uint32_t n_setting, setting_capacity;
    env_line_t *line;
    uint32_t n_line, line_capacity;
    bool full; /* a limit was reached */
} env_text_t;

/**
 * Reads a clean text (UTF-8, no CR). One grammar serves all formats: NAME=value as shells, .env
 * files, ENV, --export, -e and -x write it; NAME: value and name/value pairs of YAML and JSON;
 * "ENV NAME value", "setenv NAME value"; os.environ["NAME"] = "value". Comments are left out.
 */
void env_read(env_text_t *text, const char *data, size_t n);
/** Adds one setting, as read; copies nothing. */
void env_read_add(env_text_t *text, const env_setting_t *setting);

#endif
