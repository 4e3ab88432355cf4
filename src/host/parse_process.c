/* What a process may and sees: device nodes, groups, limits, /dev/shm, environment, container. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

/* --- ls -l ----------------------------------------------------------------------------------- */

/* "crw-rw----" -> 0660. */
static bool read_mode(host_span_t word, uint32_t *out_mode) {
    static const char letter[] = "rwxrwxrwx";
    if (word.n < 10 || !strchr("cbd-lps", word.s[0])) {
        return false;
    }
    uint32_t mode = 0;
    for (size_t i = 0; i < 9; i++) {
        const char c = word.s[i + 1];
        if (c != '-' && c != letter[i] && !strchr("sStT", c)) {
            return false;
        }
        mode = mode << 1 | (c != '-' && c != 'S' && c != 'T');
    }
    *out_mode = mode;
    return true;
}

static assay_host_node_t *add_node(host_parse_t *parse, host_span_t path) {
    const char *copy = host_copy(parse, path);
    assay_host_node_t *node = copy ? host_add(parse, node) : NULL;
    if (node) {
        *node = (assay_host_node_t){.path = copy, .gid = -1, .at = host_here(parse)};
    }
    return node;
}

/* "ls: cannot access '/dev/kfd': No such file or directory" */
static void read_complaint(host_parse_t *parse, host_span_t line) {
    static const char *const missing[] = {"No such file", "nicht gefunden", "Aucun fichier",
                                          "No existe", "\xe6\xb2\xa1\xe6\x9c\x89"}; /* zh */
    const ptrdiff_t at = host_find(line, "/");
    bool is_missing = false;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        is_missing |= host_has(line, missing[i]);
    }
    if (at < 0 || !is_missing) {
        return;
    }
    host_span_t rest = {line.s + at, line.n - (size_t)at};
    const host_span_t path = host_cut(&rest, "':\" ");
    if (host_starts(path, "/sys/kernel/mm/memory_peers")) {
        host_set_number(parse, &parse->host->memory_peers, 0);
        return;
    }
    assay_host_node_t *node = add_node(parse, path);
    if (node) {
        node->missing = true;
    }
}

void host_parse_ls(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, last = {line.s, 0};
        uint32_t mode;
        double gid;
        if (host_starts(line, "ls: ") || host_has(line, "cannot access")) {
            read_complaint(parse, line);
            continue;
        }
        if (!read_mode(host_word(&rest), &mode)) {
            continue;
        }
        (void)host_word(&rest); /* links */
        const host_span_t owner = host_word(&rest), group = host_word(&rest);
        for (host_span_t word; (word = host_word(&rest)).n > 0;) {
            last = word;
        }
        assay_host_node_t *node = group.n > 0 && last.n > 0 ? add_node(parse, last) : NULL;
        if (node) {
            host_span_t after;
            node->mode = mode;
            node->owner = host_copy(parse, owner);
            node->group = host_copy(parse, group);
            if (host_number(group, &gid, &after) && after.n == 0) {
                node->gid = (int64_t)gid;
            }
        }
    }
}

/* --- id, groups ------------------------------------------------------------------------------ */

static void add_group(host_parse_t *parse, host_span_t name, double gid) {
    assay_host_group_t *group = host_add(parse, group);
    if (group) {
        *group = (assay_host_group_t){.name = name.n ? host_copy(parse, name) : NULL,
                                      .gid = gid >= 0 && gid < 4294967296.0 ? (int64_t)gid : -1,
                                      .at = host_here(parse)};
    }
}

/* "uid=1000(u) gid=1000(u) groups=1000(u),44(video)", "u : u video", "u sudo video". */
void host_parse_id(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        const ptrdiff_t list = host_find(line, "groups=");
        if (list >= 0 || host_starts(line, "uid=")) {
            /* Elsewhere the third value, whatever "groups" is called. */
            rest = list >= 0 ? (host_span_t){line.s + list + 7, line.n - (size_t)list - 7} : line;
            for (int i = 0; list < 0 && i < 3; i++) {
                (void)host_cut(&rest, "=");
            }
            for (host_span_t item; (item = host_cut(&rest, ", ")).n > 0;) {
                double gid;
                host_span_t name;
                if (host_number(item, &gid, &name)) {
                    (void)host_cut(&name, "(");
                    add_group(parse, host_cut(&name, ")"), gid);
                }
            }
            parse->host->groups_seen = true;
            return;
        }
        const ptrdiff_t colon = host_find(line, " : ");
        if (colon >= 0) {
            rest = (host_span_t){line.s + colon + 3, line.n - (size_t)colon - 3};
        }
        for (host_span_t word; (word = host_word(&rest)).n > 0;) {
            double gid;
            host_span_t after;
            const bool number = host_number(word, &gid, &after) && after.n == 0;
            add_group(parse, number ? (host_span_t){word.s, 0} : word, number ? gid : -1);
            parse->host->groups_seen = true;
        }
    }
}

/* --- limits, /dev/shm ------------------------------------------------------------------------ */

/* "max locked memory (kbytes, -l) 64", "Max locked memory  65536  65536  bytes": the soft limit
   stands first. */
void host_parse_limits(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    const struct {
        const char *name;
        assay_host_number_t *fact;
    } row[] = {{"max locked memory", &host->locked_bytes},
               {"max open files", &host->files_limit},
               {"open files", &host->files_limit},
               {"max processes", &host->processes_limit},
               {"max user processes", &host->processes_limit}};
    for (host_span_t line; host_next_line(parse, &line);) {
        const host_span_t text = host_trim(line);
        for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
            const size_t n = strlen(row[i].name);
            if (text.n <= n || !host_is_fold((host_span_t){text.s, n}, row[i].name)) {
                continue;
            }
            host_span_t rest = {text.s + n, text.n - n}, after;
            double scale = 1, number;
            const ptrdiff_t close = host_find(rest, ")");
            if (close >= 0) { /* of a shell: kbytes */
                scale = host_has((host_span_t){rest.s, (size_t)close}, "kbytes") ? 1024 : 1;
                rest = (host_span_t){rest.s + close + 1, rest.n - (size_t)close - 1};
            }
            const host_span_t value = host_word(&rest);
            if (host_is(value, "unlimited")) {
                host_set_number(parse, row[i].fact, HUGE_VAL);
            } else if (host_number(value, &number, &after)) {
                host_set_number(parse, row[i].fact, number * scale);
            }
        }
    }
}

/* "Groups: 4 24 1000" and the effective one, what system calls are filtered, where it may run. */
void host_parse_status(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (!host_key_value(line, ':', &key, &value)) {
            continue;
        }
        if (host_is(key, "Seccomp")) {
            host_set_quantity(parse, &host->seccomp, value, false);
        } else if (host_is(key, "Cpus_allowed_list")) {
            host_set_text(parse, &host->cpus_allowed, value);
        } else if (host_is(key, "Groups") || host_is(key, "Gid")) {
            double gid;
            host_span_t rest;
            for (host_span_t word; (word = host_word(&value)).n > 0;) {
                if (host_number(word, &gid, &rest)) {
                    add_group(parse, (host_span_t){word.s, 0}, gid);
                }
            }
            host->groups_seen = true;
        }
    }
}

/* The line of /dev/shm; sizes in the unit of the heading ("1K-blocks"), or as "64M" of df -h. */
void host_parse_df(host_parse_t *parse) {
    double unit = 1024;
    for (host_span_t line; host_next_line(parse, &line);) {
        const host_span_t text = host_trim(line);
        if (host_has(text, "1M-blocks")) {
            unit = 1048576;
        } else if (host_has(text, "1B-blocks")) {
            unit = 1;
        }
        if (text.n < 8 || memcmp(text.s + text.n - 8, "/dev/shm", 8) != 0) {
            continue;
        }
        host_span_t rest = text;
        (void)host_word(&rest);
        host_span_t word[3];
        for (size_t i = 0; i < 3; i++) {
            word[i] = host_word(&rest);
        }
        assay_host_number_t *const fact[3] = {&parse->host->shm_bytes, NULL,
                                              &parse->host->shm_free_bytes};
        for (size_t i = 0; i < 3; i++) {
            double value;
            host_span_t after;
            char *size = assay_arena_strndup(parse->scratch, word[i].s, word[i].n);
            char *comma = size ? strchr(size, ',') : NULL;
            if (comma) { /* "1,5G" where that is a decimal point */
                *comma = '.';
            }
            if (!size || !fact[i] || !host_number(host_span(size), &value, &after)) {
                continue;
            }
            if (after.n == 0) {
                host_set_number(parse, fact[i], value * unit);
            } else {
                host_set_quantity(parse, fact[i], host_span(size), true);
            }
        }
    }
}

/* --- environment ----------------------------------------------------------------------------- */

bool host_is_env_name(host_span_t text) {
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.s[i];
        const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        if (!letter && !(i > 0 && c >= '0' && c <= '9')) {
            return false;
        }
    }
    return text.n > 0;
}

void host_env_add(host_parse_t *parse, host_span_t name, host_span_t value) {
    if (value.n >= 2 && (value.s[0] == '"' || value.s[0] == '\'') &&
        value.s[value.n - 1] == value.s[0]) {
        value = (host_span_t){value.s + 1, value.n - 2};
    }
    const char *name_copy = host_copy(parse, name), *value_copy = host_copy(parse, value);
    assay_host_setting_t *setting = name_copy && value_copy ? host_add(parse, env) : NULL;
    if (setting) {
        *setting = (assay_host_setting_t){name_copy, value_copy, host_here(parse)};
    }
}

void host_parse_env(host_parse_t *parse) {
    parse->host->env_seen = true;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t text = host_trim(line), name, value;
        if (host_starts(text, "export ")) {
            text = host_trim((host_span_t){text.s + 7, text.n - 7});
        } else if (host_starts(text, "declare -x ")) {
            text = host_trim((host_span_t){text.s + 11, text.n - 11});
        }
        if (host_key_value(text, '=', &name, &value) && host_is_env_name(name)) {
            host_env_add(parse, name, value);
        }
    }
}
