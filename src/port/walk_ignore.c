/* .gitignore as gitignore(5) describes it: the last pattern that matches decides, inner folders
   before outer ones. */
#include <string.h>

#include "port/walk.h"

#include "base/banned.h"

enum { MAX_PATTERN = 1024 }; /* longer lines are no pattern anybody wrote */

typedef struct {
    const char *text; /* without '!', leading and trailing '/' */
    uint16_t n;
    bool negated, only_directory;
    bool anchored; /* holds a '/': against the path from the folder, else against the name */
} pattern_t;

struct walk_ignore {
    const walk_ignore_t *outer;
    size_t n_base;
    pattern_t *pattern;
    uint32_t n_pattern;
};

/* "[a-z]", "[!x]", "[]]" at pattern[0..n); sets *out_used. false when it is not closed. */
static bool match_set(const char *pattern, size_t n, char c, size_t *out_used, bool *out_in) {
    size_t i = 1;
    const bool negated = i < n && (pattern[i] == '!' || pattern[i] == '^');
    bool in = false;
    i += negated;
    for (const size_t first = i; i < n && (pattern[i] != ']' || i == first);) {
        if (pattern[i] == '\\' && i + 1 < n) {
            i++;
        }
        const unsigned char low = (unsigned char)pattern[i++];
        unsigned char high = low;
        if (i + 1 < n && pattern[i] == '-' && pattern[i + 1] != ']') {
            i++;
            if (pattern[i] == '\\' && i + 1 < n) {
                i++;
            }
            high = (unsigned char)pattern[i++];
        }
        in |= (unsigned char)c >= low && (unsigned char)c <= high;
    }
    *out_used = i + 1;
    *out_in = in != negated && c != '/';
    return i < n;
}

/* One character of the pattern against one of the text; sets *out_used. */
static bool match_one(const char *pattern, size_t n, char c, size_t *out_used) {
    bool in = false;
    switch (pattern[0]) {
    case '?':
        *out_used = 1;
        return c != '/';
    case '[':
        if (match_set(pattern, n, c, out_used, &in)) {
            return in;
        }
        break;
    case '\\':
        if (n > 1) {
            *out_used = 2;
            return pattern[1] == c;
        }
        break;
    default:
        break;
    }
    *out_used = 1;
    return pattern[0] == c;
}

/* Length of the two or more '*' that fill a whole component at pattern[p], with its '/'; or 0. */
static size_t deep_star(const char *pattern, size_t n, size_t p) {
    const size_t start = p;
    while (p < n && pattern[p] == '*') {
        p++;
    }
    if (p < start + 2 || (start > 0 && pattern[start - 1] != '/')) {
        return 0;
    }
    return p == n ? p - start : pattern[p] == '/' ? p - start + 1 : 0;
}

/* Two places to go back to: the last '*', which may not take a '/', and the last "**", which takes
   whole folders. Earlier ones need no second try, so the time is at most |text|^2 |pattern|. */
bool walk_match(const char *pattern, size_t n_pattern, const char *text) {
    const size_t n = strlen(text), none = (size_t)-1;
    size_t p = 0, t = 0, star_p = none, star_t = 0, deep_p = none, deep_t = 0;
    while (t < n || p < n_pattern) {
        const size_t deep = p < n_pattern ? deep_star(pattern, n_pattern, p) : 0;
        size_t used = 0;
        if (deep && p + deep == n_pattern && pattern[n_pattern - 1] == '*') {
            return t < n; /* all that is below */
        }
        if (deep) {
            p += deep;
            deep_p = p;
            deep_t = t;
            star_p = none;
            continue;
        }
        if (p < n_pattern && pattern[p] == '*') {
            while (p < n_pattern && pattern[p] == '*') {
                p++;
            }
            star_p = p;
            star_t = t;
            continue;
        }
        if (p < n_pattern && t < n && match_one(pattern + p, n_pattern - p, text[t], &used)) {
            p += used;
            t++;
            continue;
        }
        if (star_p != none && star_t < n && text[star_t] != '/') {
            p = star_p;
            t = ++star_t;
            continue;
        }
        const char *slash = deep_p != none ? memchr(text + deep_t, '/', n - deep_t) : NULL;
        if (!slash) {
            return false;
        }
        deep_t = (size_t)(slash - text) + 1;
        p = deep_p;
        t = deep_t;
        star_p = none;
    }
    return true;
}

/* One line into *out; false when it holds no pattern. */
static bool parse_line(const char *line, size_t n, pattern_t *out) {
    while (n && (line[n - 1] == '\r' || (line[n - 1] == ' ' && !(n > 1 && line[n - 2] == '\\')))) {
        n--;
    }
    if (n == 0 || line[0] == '#' || n > MAX_PATTERN) {
        return false;
    }
    *out = (pattern_t){.negated = line[0] == '!'};
    line += out->negated;
    n -= out->negated;
    if (n && line[n - 1] == '/') {
        out->only_directory = true;
        n--;
    }
    out->anchored = n && memchr(line, '/', n) != NULL;
    if (n && line[0] == '/') {
        line++;
        n--;
    }
    out->text = line;
    out->n = (uint16_t)n;
    return n > 0;
}

const walk_ignore_t *walk_ignore_parse(assay_arena_t *arena, const walk_ignore_t *outer,
                                       size_t n_base, const char *data, size_t size) {
    uint32_t n_line = 1;
    for (size_t i = 0; i < size; i++) {
        n_line += data[i] == '\n';
    }
    const char *text = assay_arena_strndup(arena, data, size);
    walk_ignore_t *ignore = assay_arena_alloc(arena, sizeof *ignore);
    pattern_t *pattern = assay_arena_array(arena, n_line, sizeof *pattern);
    if (!text || !ignore || !pattern) {
        return outer;
    }
    *ignore = (walk_ignore_t){.outer = outer, .n_base = n_base, .pattern = pattern};
    for (size_t i = 0; i < size;) {
        const char *end = memchr(text + i, '\n', size - i);
        const size_t n = end ? (size_t)(end - text) - i : size - i;
        ignore->n_pattern += parse_line(text + i, n, &pattern[ignore->n_pattern]);
        i += n + 1;
    }
    return ignore->n_pattern ? ignore : outer;
}

bool walk_ignored(const walk_ignore_t *ignore, const char *path, bool is_directory) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (; ignore; ignore = ignore->outer) {
        for (uint32_t i = ignore->n_pattern; i-- > 0;) {
            const pattern_t *p = &ignore->pattern[i];
            if ((!p->only_directory || is_directory) &&
                walk_match(p->text, p->n, p->anchored ? path + ignore->n_base : name)) {
                return !p->negated;
            }
        }
    }
    return false;
}
