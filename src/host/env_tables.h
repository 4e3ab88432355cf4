/** The tables of the lint in memory, and what they say of one name or value. */
#ifndef HOST_ENV_TABLES_H
#define HOST_ENV_TABLES_H

#include "assay/env.h"
#include "host/host_rules.h"

typedef struct {
    const char *first, *first_value, *second, *second_value, *why, *fix, *source;
    uint8_t severity;
} env_conflict_t;
typedef struct {
    const char *name, *advice, *target, *engine, *why, *source;
    uint8_t severity;
} env_advice_t;
typedef struct {
    const char *check, *pattern, *unless, *what, *fix, *source;
    uint8_t severity;
} env_command_t;
/* Which names are ours to judge. PREFIX: all below it are known; PART: only some are, so that a
   slip alone is one; ORDINARY: names that scripts have for themselves. */
typedef enum { ENV_NAME_PREFIX, ENV_NAME_PART, ENV_NAME_ORDINARY } env_name_kind_t;
typedef struct {
    uint8_t kind;
    const char *text;
} env_name_t;

struct assay_env_rules {
    const assay_host_rules_t *host;
    const assay_check_t *check; /* by id */
    uint32_t n_check;
    const env_conflict_t *conflict;
    uint32_t n_conflict;
    const env_advice_t *advice;
    uint32_t n_advice;
    const env_command_t *command;
    uint32_t n_command;
    const env_name_t *name;
    uint32_t n_name;
};

/** value is one that a type of data/envvars.csv takes: "flag", "flag01", "integer", "size",
 * "yesno", "devices", "version", "0..5", "A|B"; "" takes all. */
bool env_value_fits(const char *type, const char *value);
/** What such a type takes, for people; in the arena, NULL beyond its limit. */
const char *env_type_words(assay_arena_t *arena, assay_lang_t lang, const char *type);
/** Set to what it is without being set: as if it were not. */
bool env_value_is_quiet(const host_variable_t *variable, const char *value);
/** One of the words that switch off: 0, false, off, no, none, empty. */
bool env_value_is_off(const char *value);
/**
 * For a name that no row has: NULL when it may be anything. Else the known name that was meant, ""
 * when there is none near although all names below its prefix are known.
 */
const char *env_name_meant(const assay_env_rules_t *rules, const char *name);

#endif
