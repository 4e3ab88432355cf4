/* Lines, words, numbers with units and PCI addresses, as diagnostic tools print them. */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "assay/text.h"
#include "assay/units.h"
#include "host/host_parse.h"

#include "base/banned.h"

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool host_next_line(host_parse_t *parse, host_span_t *out_line) {
    host_span_t *rest = &parse->rest;
    if (rest->n == 0) {
        return false;
    }
    const char *end = memchr(rest->s, '\n', rest->n);
    const size_t n = end ? (size_t)(end - rest->s) : rest->n;
    *out_line = (host_span_t){rest->s, n};
    const size_t used = end ? n + 1 : n;
    rest->s += used;
    rest->n -= used;
    parse->line++;
    return true;
}

host_span_t host_span(const char *s) {
    return (host_span_t){s, strlen(s)};
}

host_span_t host_trim(host_span_t text) {
    while (text.n > 0 && is_space(text.s[0])) {
        text.s++;
        text.n--;
    }
    while (text.n > 0 && is_space(text.s[text.n - 1])) {
        text.n--;
    }
    return text;
}

size_t host_indent(host_span_t line) {
    size_t n = 0;
    while (n < line.n && (line.s[n] == ' ' || line.s[n] == '\t')) {
        n++;
    }
    return n;
}

bool host_is(host_span_t text, const char *word) {
    return strlen(word) == text.n && memcmp(text.s, word, text.n) == 0;
}

bool host_is_fold(host_span_t text, const char *word) {
    return strlen(word) == text.n && strncasecmp(text.s, word, text.n) == 0;
}

bool host_starts(host_span_t text, const char *prefix) {
    const size_t n = strlen(prefix);
    return n <= text.n && memcmp(text.s, prefix, n) == 0;
}

ptrdiff_t host_find(host_span_t text, const char *needle) {
    const char *at = text.n > 0 ? memmem(text.s, text.n, needle, strlen(needle)) : NULL;
    return at ? at - text.s : -1;
}

bool host_has(host_span_t text, const char *needle) {
    return host_find(text, needle) >= 0;
}

host_span_t host_word(host_span_t *rest) {
    *rest = host_trim(*rest);
    size_t n = 0;
    while (n < rest->n && !is_space(rest->s[n])) {
        n++;
    }
    const host_span_t word = {rest->s, n};
    rest->s += n;
    rest->n -= n;
    return word;
}

host_span_t host_cut(host_span_t *rest, const char *separators) {
    size_t n = 0;
    while (n < rest->n && !strchr(separators, rest->s[n])) {
        n++;
    }
    const host_span_t part = {rest->s, n};
    const size_t used = n < rest->n ? n + 1 : n;
    rest->s += used;
    rest->n -= used;
    return part;
}

bool host_key_value(host_span_t line, char separator, host_span_t *out_key,
                    host_span_t *out_value) {
    const char *at = line.n > 0 ? memchr(line.s, separator, line.n) : NULL;
    if (!at) {
        return false;
    }
    const size_t n = (size_t)(at - line.s);
    *out_key = host_trim((host_span_t){line.s, n});
    *out_value = host_trim((host_span_t){at + 1, line.n - n - 1});
    return true;
}

/* One pattern of [p, end) against the whole of name; * is any text. */
static bool matches_one(const char *p, const char *end, const char *name) {
    const char *star = NULL, *back = NULL;
    while (*name) {
        if (p < end && *p == '*') {
            star = ++p;
            back = name;
        } else if (p < end && tolower((unsigned char)*p) == tolower((unsigned char)*name)) {
            p++;
            name++;
        } else if (star) {
            p = star;
            name = ++back;
        } else {
            return false;
        }
    }
    while (p < end && *p == '*') {
        p++;
    }
    return p == end;
}

bool host_name_matches(const char *patterns, const char *name) {
    for (const char *p = patterns; *p;) {
        const char *end = strchr(p, '|');
        end = end ? end : p + strlen(p);
        if (matches_one(p, end, name)) {
            return true;
        }
        p = *end ? end + 1 : end;
    }
    return false;
}

bool host_is_missing(host_span_t text) {
    static const char *const word[] = {"",
                                       "-",
                                       "--",
                                       "n/a",
                                       "na",
                                       "none",
                                       "unknown",
                                       "[n/a]",
                                       "not supported",
                                       "[not supported]",
                                       "[unknown error]",
                                       "unknown error",
                                       "[insufficient permissions]",
                                       "[gpu is lost]",
                                       "[gpu requires reset]",
                                       "null",
                                       "<unset>"};
    text = host_trim(text);
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        if (host_is_fold(text, word[i])) {
            return true;
        }
    }
    return false;
}

static bool hex_number(host_span_t text, double *out_value, host_span_t *out_rest) {
    uint64_t value = 0;
    size_t n = 2;
    for (; n < text.n && isxdigit((unsigned char)text.s[n]); n++) {
        if (value >> 60) {
            return false;
        }
        const char c = (char)tolower((unsigned char)text.s[n]);
        value = value * 16 + (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    if (n == 2) {
        return false;
    }
    *out_value = (double)value;
    *out_rest = (host_span_t){text.s + n, text.n - n};
    return true;
}

bool host_number(host_span_t text, double *out_value, host_span_t *out_rest) {
    text = host_trim(text);
    if (text.n > 2 && text.s[0] == '0' && (text.s[1] == 'x' || text.s[1] == 'X')) {
        return hex_number(text, out_value, out_rest);
    }
    size_t n = text.n > 0 && (text.s[0] == '-' || text.s[0] == '+') ? 1 : 0;
    const size_t sign = n;
    while (n < text.n && is_digit(text.s[n])) {
        n++;
    }
    if (n == sign) {
        return false;
    }
    if (n + 1 < text.n && text.s[n] == '.' && is_digit(text.s[n + 1])) {
        n++;
        while (n < text.n && is_digit(text.s[n])) {
            n++;
        }
    }
    /* An exponent only where digits follow: "12E" is a number and a letter. */
    size_t e = n;
    if (e < text.n && (text.s[e] == 'e' || text.s[e] == 'E')) {
        e++;
        e += e < text.n && (text.s[e] == '-' || text.s[e] == '+') ? 1 : 0;
        if (e < text.n && is_digit(text.s[e])) {
            while (e < text.n && is_digit(text.s[e])) {
                e++;
            }
            n = e;
        }
    }
    const size_t from = text.s[0] == '+' ? 1 : 0;
    double value;
    if (!assay_text_to_double(text.s + from, n - from, &value)) {
        return false;
    }
    *out_value = value;
    *out_rest = (host_span_t){text.s + n, text.n - n};
    return true;
}

bool host_quantity(host_span_t text, bool binary, double *out_value) {
    /* GT/s stays: its number is what every tool prints. MT/s is its thousandth. */
    static const struct {
        const char *unit;
        double scale;
    } row[] = {{"", 1},
               {"w", 1},
               {"mw", 1e-3},
               {"uw", 1e-6},
               {"c", 1},
               {"\xc2\xb0"
                "c",
                1},
               {"\xc2\xb0", 1},
               {"hz", 1},
               {"khz", 1e3},
               {"mhz", 1e6},
               {"ghz", 1e9},
               {"%", 0.01},
               {"gt/s", 1},
               {"gt/s pcie", 1},
               {"mt/s", 1e-3},
               {"gb/s", 1e9},
               {"mb/s", 1e6},
               {"gb/sec", 1.25e8},
               {"gbit/s", 1.25e8},
               {"mbps", 1.25e5},
               {"b", 1},
               {"bytes", 1},
               {"kib", 1024.0},
               {"mib", ASSAY_MIB_BYTES},
               {"gib", ASSAY_GIB_BYTES},
               {"tib", 1099511627776.0},
               {"x", 1},
               {"s", 1},
               {"ms", 1e-3},
               {"us", 1e-6},
               {"ns", 1e-9},
               {"j", 1}};
    static const struct {
        const char *unit;
        double decimal, binary;
    } size[] = {{"kb", 1e3, 1024.0},          {"mb", 1e6, ASSAY_MIB_BYTES},
                {"gb", 1e9, ASSAY_GIB_BYTES}, {"tb", 1e12, 1099511627776.0},
                {"k", 1e3, 1024.0},           {"m", 1e6, ASSAY_MIB_BYTES},
                {"g", 1e9, ASSAY_GIB_BYTES},  {"t", 1e12, 1099511627776.0}};
    double value;
    host_span_t unit;
    if (!host_number(text, &value, &unit)) {
        return false;
    }
    unit = host_trim(unit);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (host_is_fold(unit, row[i].unit)) {
            *out_value = value * row[i].scale;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        if (host_is_fold(unit, size[i].unit)) {
            *out_value = value * (binary ? size[i].binary : size[i].decimal);
            return true;
        }
    }
    return false;
}

/* Hexadecimal digits at text[*at], at most 8. */
static bool hex_part(host_span_t text, size_t *at, size_t *out_digits, uint32_t *out_value) {
    size_t n = 0;
    uint32_t value = 0;
    while (*at < text.n && n < 8 && isxdigit((unsigned char)text.s[*at])) {
        const char c = (char)tolower((unsigned char)text.s[*at]);
        value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        (*at)++;
        n++;
    }
    *out_digits = n;
    *out_value = value;
    return n > 0;
}

bool host_bdf_parts(host_span_t text, uint32_t part[4], size_t *out_n) {
    size_t at = host_starts(text, "PCI:") ? 4 : 0;
    uint32_t value[3] = {0};
    size_t digits[3] = {0}, n = 0;
    for (; n < 3; n++) {
        if (!hex_part(text, &at, &digits[n], &value[n])) {
            return false;
        }
        if (n == 2 || at >= text.n || text.s[at] != ':') {
            n++;
            break;
        }
        at++;
    }
    const bool domain = n == 3; /* domain:bus:device or bus:device */
    if (n < 2 || digits[n - 1] != 2 || digits[n - 2] != 2 || (domain && digits[0] < 4)) {
        return false;
    }
    part[0] = domain ? value[0] : 0;
    part[1] = value[n - 2];
    part[2] = value[n - 1];
    part[3] = 0;
    if (at + 1 < text.n && text.s[at] == '.' && text.s[at + 1] >= '0' && text.s[at + 1] <= '7') {
        part[3] = (uint32_t)(text.s[at + 1] - '0');
        at += 2;
    } else if (!domain) {
        return false; /* "12:34" alone is a time of day */
    }
    if (part[2] > 0x1f || (at < text.n && isalnum((unsigned char)text.s[at]))) {
        return false;
    }
    *out_n = at;
    return true;
}

const char *host_bdf(host_parse_t *parse, host_span_t text) {
    uint32_t part[4];
    size_t n;
    if (!host_bdf_parts(host_trim(text), part, &n)) {
        return NULL;
    }
    const char *bdf =
        assay_arena_printf(parse->arena, "%04x:%02x:%02x.%x", part[0], part[1], part[2], part[3]);
    parse->full |= bdf == NULL;
    return bdf;
}
