/* Settings in texts of many kinds. A text is first taken apart into commands (comments away, lines
   that go on joined), then every name in a command is looked at with what stands around it. */
#include "host/env_read.h"

#include <ctype.h>
#include <string.h>

#include "base/banned.h"

#define NAME_MAX_BYTES 128

static bool is_name_start(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v';
}

static size_t skip_blank(const char *s, size_t at) {
    while (is_blank(s[at])) {
        at++;
    }
    return at;
}

/* Room for one more; NULL: a limit was reached. */
static void *grow(env_text_t *text, void *items, uint32_t n, uint32_t *capacity, size_t size) {
    if (n < *capacity) {
        return items;
    }
    const uint32_t more = *capacity ? 2 * *capacity : 64;
    void *grown = more > 2 * 65536u ? NULL : assay_arena_array(text->arena, more, size);
    if (!grown) {
        text->full = true;
        return NULL;
    }
    if (n > 0) {
        memcpy(grown, items, n * size);
    }
    *capacity = more;
    return grown;
}

void env_read_add(env_text_t *text, const env_setting_t *setting) {
    env_setting_t *all =
        grow(text, text->setting, text->n_setting, &text->setting_capacity, sizeof *all);
    if (all) {
        text->setting = all;
        text->setting[text->n_setting++] = *setting;
    }
}

/* --- commands -------------------------------------------------------------------------------- */

/* Length of the line at s without its comment. "#SBATCH" and "#PBS" are no comments. */
static size_t without_comment(const char *s, size_t n) {
    char quote = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\\' && quote != '\'') {
            i++;
        } else if (quote) {
            quote = s[i] == quote ? 0 : quote;
        } else if (s[i] == '"' || s[i] == '\'') {
            /* an apostrophe inside a word ("don't") opens nothing */
            quote = s[i] == '\'' && i > 0 && isalnum((unsigned char)s[i - 1]) ? 0 : s[i];
        } else if (s[i] == '#' && (i == 0 || is_blank(s[i - 1])) &&
                   strncmp(s + i, "#SBATCH", 7) != 0 && strncmp(s + i, "#PBS", 4) != 0 &&
                   strncmp(s + i, "#FLUX", 5) != 0) {
            return i;
        }
    }
    return n;
}

static void add_line(env_text_t *text, const char *s, uint32_t line) {
    env_line_t *all = grow(text, text->line, text->n_line, &text->line_capacity, sizeof *all);
    if (all) {
        text->line = all;
        text->line[text->n_line++] = (env_line_t){s, line};
    }
}

static void split(env_text_t *text, const char *data, size_t n) {
    char *command = assay_arena_array(text->arena, n + 2, 1);
    uint32_t line = 1, first = 1;
    size_t to = 0, start = 0;
    if (!command) {
        text->full = true;
        return;
    }
    for (size_t from = 0; from < n; line++) {
        const char *end = memchr(data + from, '\n', n - from);
        const size_t length = end ? (size_t)(end - data) - from : n - from;
        const size_t plain = without_comment(data + from, length);
        memcpy(command + to, data + from, plain);
        to += plain;
        from += length + 1;
        if (plain > 0 && command[to - 1] == '\\' && from < n) {
            command[to - 1] = '\v';
            continue;
        }
        command[to++] = '\0';
        if (to - start > 1) {
            add_line(text, command + start, first);
        }
        start = to;
        first = line + 1;
    }
    command[to] = '\0';
    if (to > start) {
        add_line(text, command + start, first);
    }
}

/* --- settings -------------------------------------------------------------------------------- */

typedef struct {
    env_text_t *text;
    const char *s;    /* the command */
    uint32_t pending; /* 1 + setting that waits for its value (name: X); 0: none */
    size_t pending_indent;
    bool calls;          /* the command names a function that sets variables */
    size_t placed;       /* byte of the command that .where is the place of */
    assay_place_t where; /* moves forward only */
} scan_t;

/* The place of byte `at` of the command, not in front of the last one asked for. */
static assay_place_t place(scan_t *scan, size_t at) {
    for (; scan->placed < at; scan->placed++) {
        scan->where.column++;
        if (scan->s[scan->placed] == '\v') {
            scan->where.line++;
            scan->where.column = 1;
        }
    }
    return scan->where;
}

/* A value that is only known when it runs. */
static bool is_computed(const char *value, size_t n) {
    return memchr(value, '$', n) || memchr(value, '`', n) || (n > 1 && value[0] == '{');
}

static const char *copy_value(scan_t *scan, const char *value, size_t n) {
    if (is_computed(value, n)) {
        return NULL;
    }
    const char *copy = assay_arena_strndup(scan->text->arena, value, n);
    scan->text->full |= copy == NULL;
    return copy;
}

/* End of the quoted text that begins behind the quote at `at`. */
static size_t quoted_end(const char *s, size_t at) {
    const char quote = s[at++];
    while (s[at] && s[at] != quote) {
        at += s[at] == '\\' && quote == '"' && s[at + 1] ? 2 : 1;
    }
    return at;
}

static size_t bare_end(const char *s, size_t at, const char *ends) {
    uint32_t depth = 0;
    for (; s[at] && (depth > 0 || (!is_blank(s[at]) && !strchr(ends, s[at]))); at++) {
        depth += s[at] == '(' && at > 0 && s[at - 1] == '$';
        depth -= s[at] == ')' && depth > 0;
    }
    return at;
}

/* The value at `at`, quoted or up to one of `ends`; *out_end: behind it. */
static const char *value_at(scan_t *scan, size_t at, const char *ends, size_t *out_end) {
    const char *s = scan->s;
    if (s[at] == '"' || s[at] == '\'') {
        const size_t end = quoted_end(s, at);
        *out_end = s[end] ? end + 1 : end;
        const char *value = s[at] == '\''
                                ? assay_arena_strndup(scan->text->arena, s + at + 1, end - at - 1)
                                : copy_value(scan, s + at + 1, end - at - 1);
        return value;
    }
    *out_end = bare_end(s, at, ends);
    return copy_value(scan, s + at, *out_end - at);
}

static uint32_t add(scan_t *scan, size_t name_at, size_t n_name, const char *value) {
    char *name = assay_arena_strndup(scan->text->arena, scan->s + name_at, n_name);
    if (!name) {
        scan->text->full = true;
        return 0;
    }
    const env_setting_t setting = {name, value, place(scan, name_at)};
    env_read_add(scan->text, &setting);
    return scan->text->full ? 0 : scan->text->n_setting;
}

/* "name: NAME" and "value: x" of Kubernetes, in a line each or in one; true: it was one. */
static bool name_value_pair(scan_t *scan, size_t at, size_t n, size_t *io_at) {
    const char *s = scan->s;
    size_t from = at + n;
    from += s[from] == '"';
    if (s[from] != ':' || (s[from + 1] && !is_blank(s[from + 1]))) {
        return false;
    }
    from = skip_blank(s, from + 1);
    if (n == 4 && memcmp(s + at, "name", 4) == 0) {
        const size_t name = from + (s[from] == '"' || s[from] == '\'');
        size_t length = 0;
        while (is_name(s[name + length])) {
            length++;
        }
        scan->pending = length > 0 && isupper((unsigned char)s[name]) && length < NAME_MAX_BYTES
                            ? add(scan, name, length, NULL)
                            : 0;
        scan->pending_indent = at;
        *io_at = name + length;
        return true;
    }
    if (n == 5 && memcmp(s + at, "value", 5) == 0 && scan->pending > 0) {
        scan->text->setting[scan->pending - 1].value = value_at(scan, from, ",}]", io_at);
        scan->pending = 0;
        return true;
    }
    return false;
}

/* Nothing but blanks, "- " and a quote in front of the name. */
static bool begins_line(const char *s, size_t at) {
    for (size_t i = 0; i < at; i++) {
        if (!is_blank(s[i]) && s[i] != '-' && s[i] != '"' && s[i] != '\'') {
            return false;
        }
    }
    return true;
}

/* The word in front of `at`, blanks between: "ENV", "setenv". */
static bool follows_word(const char *s, size_t at, const char *word) {
    const size_t n = strlen(word);
    size_t end = at;
    while (end > 0 && is_blank(s[end - 1])) {
        end--;
    }
    return end < at && end >= n && memcmp(s + end - n, word, n) == 0 &&
           (end == n || is_blank(s[end - n - 1]));
}

static bool sets_next_word(const char *s, size_t at) {
    static const char *const word[] = {"ENV", "setenv", "-genv", "-env", "pushenv"};
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        if (follows_word(s, at, word[i])) {
            return true;
        }
    }
    return false;
}

/* NAME in quotes: a key of JSON or Python; at is behind the name. */
static bool quoted_key(scan_t *scan, size_t name, size_t n, size_t *io_at) {
    const char *s = scan->s;
    size_t at = name + n + 1;
    at += s[at] == ']';
    at = skip_blank(s, at);
    const bool call = scan->calls && s[at] == ',' && name >= 2 && s[name - 2] == '(';
    if (!call && !(s[at] == ':' || (s[at] == '=' && s[at + 1] != '='))) {
        return false;
    }
    at = skip_blank(s, at + 1);
    const bool literal = s[at] == '"' || s[at] == '\'' || isdigit((unsigned char)s[at]);
    const char *value = value_at(scan, at, ",})", io_at);
    (void)add(scan, name, n, literal ? value : NULL);
    return true;
}

/* What a name at `at` of length n is; moves *io_at behind what was read. */
static void look_at_name(scan_t *scan, size_t at, size_t n, bool in_export, size_t *io_at) {
    const char *s = scan->s;
    const char before = at > 0 ? s[at - 1] : ' ';
    const size_t after = at + n;
    *io_at = after;
    if (name_value_pair(scan, at, n, io_at) || n >= NAME_MAX_BYTES ||
        !isupper((unsigned char)s[at]) || (before && strchr("-$.{/%", before))) {
        return;
    }
    if (s[after] == '=' && s[after + 1] != '=') {
        const char *ends = in_export ? ",;&|)\"'" : ";&|)\"'";
        (void)add(scan, at, n, value_at(scan, after + 1, ends, io_at));
    } else if ((before == '"' || before == '\'') && s[after] == before) {
        (void)quoted_key(scan, at, n, io_at);
    } else if (s[after] == ':' && (is_blank(s[after + 1]) || !s[after + 1]) && begins_line(s, at)) {
        (void)add(scan, at, n, value_at(scan, skip_blank(s, after + 1), "", io_at));
    } else if (is_blank(s[after]) && sets_next_word(s, at)) {
        (void)add(scan, at, n, value_at(scan, skip_blank(s, after), "", io_at));
    }
}

/* Text for people is no setting, unless it is written to a file. */
static bool only_says(const char *s) {
    s += skip_blank(s, 0);
    return (strncmp(s, "echo ", 5) == 0 || strncmp(s, "printf ", 7) == 0) && !strchr(s, '>');
}

static void scan_line(scan_t *scan) {
    const char *s = scan->s;
    const size_t indent = skip_blank(s, 0);
    if (scan->pending > 0 && s[indent] == '-' && indent <= scan->pending_indent) {
        scan->pending = 0; /* the next entry of the list */
    }
    if (only_says(s)) {
        return;
    }
    bool in_export = false;
    for (size_t at = 0; s[at];) {
        if (is_blank(s[at])) {
            in_export = false;
        }
        if (strncmp(s + at, "--export=", 9) == 0) {
            in_export = true;
            at += 9;
            continue;
        }
        if (!is_name_start(s[at]) || (at > 0 && is_name(s[at - 1]))) {
            at++;
            continue;
        }
        size_t n = 0;
        while (is_name(s[at + n])) {
            n++;
        }
        look_at_name(scan, at, n, in_export, &at);
    }
}

void env_read(env_text_t *text, const char *data, size_t n) {
    scan_t scan = {.text = text};
    const uint32_t first = text->n_line;
    split(text, data, n);
    for (uint32_t i = first; i < text->n_line && !text->full; i++) {
        scan.s = text->line[i].text;
        scan.calls = strstr(scan.s, "environ") || strstr(scan.s, "setenv");
        scan.placed = 0;
        scan.where = (assay_place_t){text->file, text->line[i].line, 1};
        scan_line(&scan);
    }
}
