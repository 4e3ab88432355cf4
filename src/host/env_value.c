/* What values a variable takes, and whether a name can be one that exists. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host/env_tables.h"

#include "base/banned.h"

static bool is_one_of(const char *value, const char *const *word, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (assay_text_equal_fold(value, word[i])) {
            return true;
        }
    }
    return false;
}

static bool is_word_of_yes_or_no(const char *value) {
    static const char *const word[] = {"true", "false", "yes", "no", "on", "off", "y", "n"};
    return is_one_of(value, word, sizeof word / sizeof word[0]);
}

bool env_value_is_off(const char *value) {
    static const char *const word[] = {"", "0", "false", "off", "no", "n", "none"};
    return is_one_of(value, word, sizeof word / sizeof word[0]);
}

/* Decimal or 0x, with a sign; rest: what follows. */
static bool read_integer(const char *value, long long *out, const char **out_rest) {
    char *end;
    if (!*value || isspace((unsigned char)*value)) {
        return false;
    }
    *out = strtoll(value, &end, 0);
    *out_rest = end;
    return end != value;
}

static bool fits_range(const char *type, const char *value) {
    char *end;
    const char *rest;
    long long number;
    const long long low = strtoll(type, &end, 10), high = strtoll(end + 2, NULL, 10);
    return read_integer(value, &number, &rest) && !*rest && number >= low && number <= high;
}

/* One of "A|B|C"; a list of them may be separated by commas, and "^A" says without. */
static bool fits_words(const char *type, const char *value) {
    for (const char *word = type; *word;) {
        const size_t n = strcspn(word, "|");
        if (strlen(value) == n && strncasecmp(word, value, n) == 0) {
            return true;
        }
        word += n + (word[n] == '|');
    }
    return false;
}

/* 2.4.2: three numbers. */
static bool fits_version(const char *value) {
    uint32_t parts = 0;
    for (; isdigit((unsigned char)*value) && parts < 3; parts++) {
        value += strspn(value, "0123456789");
        value += *value == '.' && parts < 2;
    }
    return parts == 3 && !*value;
}

/* 0,1,2 or unique ids; a range is none. */
static bool fits_devices(const char *value) {
    for (const char *item = value; *item;) {
        const size_t n = strcspn(item, ",");
        const size_t digits = strspn(item, "-0123456789 ");
        const bool number = n > 0 && digits >= n && !memchr(item + 1, '-', n - 1);
        const bool id = strncmp(item, "GPU-", 4) == 0 || strncmp(item, "MIG-", 4) == 0;
        if (!number && !id) {
            return false;
        }
        item += n + (item[n] == ',');
    }
    return true;
}

bool env_value_fits(const char *type, const char *value) {
    const char *rest = "";
    long long number = 0;
    const bool integer = read_integer(value, &number, &rest) && !*rest;
    if (!*type || !*value) {
        return true;
    }
    if (strcmp(type, "flag") == 0 || strcmp(type, "flag01") == 0) {
        return (integer && number >= -2 && number <= 1) ||
               (type[4] == '\0' && is_word_of_yes_or_no(value));
    }
    if (strcmp(type, "integer") == 0) {
        return integer;
    }
    if (strcmp(type, "size") == 0) {
        return isdigit((unsigned char)*value) != 0;
    }
    if (strcmp(type, "yesno") == 0) {
        return integer || is_word_of_yes_or_no(value);
    }
    if (strcmp(type, "devices") == 0) {
        return fits_devices(value);
    }
    if (strcmp(type, "version") == 0) {
        return fits_version(value);
    }
    return strstr(type, "..") ? fits_range(type, value) : fits_words(type, value);
}

const char *env_type_words(assay_arena_t *arena, assay_lang_t lang, const char *type) {
    static const struct {
        const char *type, *words;
    } row[] = {{"flag", "0 or 1"},
               {"flag01", "0 or 1, and no word"},
               {"integer", "a whole number"},
               {"size", "a number, perhaps with a unit"},
               {"yesno", "y or n"},
               {"devices", "numbers with commas between, such as 0,1; no ranges"},
               {"version", "major.minor.step, such as 9.4.2"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (strcmp(type, row[i].type) == 0) {
            return assay_phrase(lang, row[i].words);
        }
    }
    if (!strchr(type, '|')) {
        return type;
    }
    const char *words = "";
    for (const char *word = type; *word && words;) {
        const size_t n = strcspn(word, "|");
        words = assay_arena_printf(arena, "%s%s%.*s", words,
                                   *words ? ", " : assay_phrase(lang, "one of "), (int)n, word);
        word += n + (word[n] == '|');
    }
    return words;
}

/* A variable whose default is on says something with 0; one that is off by default does not, nor
   does one with a value that its row calls quiet. */
bool env_value_is_quiet(const host_variable_t *variable, const char *value) {
    if (!*value || strcmp(value, variable->initial) == 0 || fits_words(variable->quiet, value)) {
        return true;
    }
    const bool on = variable->initial[0] == '1' || strncasecmp(variable->initial, "true", 4) == 0 ||
                    strncasecmp(variable->initial, "on", 3) == 0 ||
                    strcmp(variable->values, "0") == 0;
    return !on && env_value_is_off(value);
}

/* --- names ----------------------------------------------------------------------------------- */

static bool starts(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool has_prefix(const assay_env_rules_t *rules, const char *name, env_name_kind_t kind) {
    for (uint32_t i = 0; i < rules->n_name; i++) {
        const env_name_t *row = &rules->name[i];
        if (row->kind == kind && (kind == ENV_NAME_ORDINARY ? host_name_matches(row->text, name)
                                                            : starts(name, row->text))) {
            return true;
        }
    }
    return false;
}

/* Names that differ in a number alone are different things, as are those that end otherwise. */
static bool same_but_for_digits(const char *a, const char *b) {
    while (*a && *b) {
        if (*a != *b && !(isdigit((unsigned char)*a) && isdigit((unsigned char)*b))) {
            return false;
        }
        a++;
        b++;
    }
    return *a == *b;
}

#define SLIP_MAX 2 /* letters that a slip of the pen changes */

static const char *nearest(const assay_host_rules_t *rules, const char *name) {
    const char *best = NULL;
    uint32_t least = SLIP_MAX + 1;
    for (uint32_t i = 0; i < rules->n_variable; i++) {
        const host_variable_t *variable = &rules->variable[i];
        if (strcmp(variable->component, "none") == 0) {
            continue;
        }
        const uint32_t distance = assay_text_distance(name, variable->name, least);
        if (distance < least && !same_but_for_digits(name, variable->name)) {
            least = distance;
            best = variable->name;
        }
    }
    return best;
}

const char *env_name_meant(const assay_env_rules_t *rules, const char *name) {
    const bool whole = has_prefix(rules, name, ENV_NAME_PREFIX);
    if ((!whole && !has_prefix(rules, name, ENV_NAME_PART)) ||
        has_prefix(rules, name, ENV_NAME_ORDINARY)) {
        return NULL;
    }
    const char *near = nearest(rules->host, name);
    return near ? near : whole ? "" : NULL;
}
