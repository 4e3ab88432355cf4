#include "assay/text.h"

#include <limits.h>
#include <string.h>

#include "base/utf8.h"

#include "base/banned.h"

size_t assay_utf8_decode(const char *text, size_t n, uint32_t *out_code) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    if (n == 0) {
        return 0;
    }
    if (byte[0] < 0x80) {
        *out_code = byte[0];
        return 1;
    }
    const size_t length = byte[0] < 0xc2   ? 0
                          : byte[0] < 0xe0 ? 2
                          : byte[0] < 0xf0 ? 3
                          : byte[0] < 0xf5 ? 4
                                           : 0;
    if (length == 0 || length > n) {
        return 0;
    }
    uint32_t code = byte[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte[i] & 0x3fu);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        return 0;
    }
    *out_code = code;
    return length;
}

size_t assay_text_character(const char *text, size_t n, uint32_t *out_code, bool *out_printable) {
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x0000, 0x001f}, {0x007f, 0x009f}, {0x00ad, 0x00ad}, {0x061c, 0x061c},
        {0x180e, 0x180e}, {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},
        {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
    };
    const size_t length = assay_utf8_decode(text, n, out_code);
    if (length == 0) {
        *out_code = 0xfffd;
        *out_printable = false;
        return 1;
    }
    *out_printable = true;
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        *out_printable &= *out_code < hidden[i].first || *out_code > hidden[i].last;
    }
    return length;
}

size_t assay_text_utf8_bad(const char *text, size_t n) {
    for (size_t at = 0; at < n;) {
        uint32_t code;
        const size_t length = assay_utf8_decode(text + at, n - at, &code);
        if (length == 0) {
            return at;
        }
        at += length;
    }
    return n;
}

/* Unicode East Asian Width W and F, in the coarse ranges of Markus Kuhn's wcwidth (2007), plus the
   emoji blocks, which terminals draw wide as well. */
uint32_t assay_utf8_columns(uint32_t code) {
    static const struct {
        uint32_t first, last;
    } range[] = {
        {0x1100, 0x115f},   {0x2329, 0x232a},   {0x2e80, 0x303e},   {0x3040, 0xa4cf},
        {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},   {0xfe30, 0xfe6f},
        {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff},
        {0x20000, 0x2fffd}, {0x30000, 0x3fffd},
    };
    for (size_t i = 0; code >= range[0].first && i < sizeof range / sizeof range[0]; i++) {
        if (code >= range[i].first && code <= range[i].last) {
            return 2;
        }
    }
    return 1;
}

size_t assay_text_columns(const char *text) {
    size_t columns = 0;
    for (size_t at = 0, n = strlen(text); at < n;) {
        uint32_t code = 0;
        const size_t length = assay_utf8_decode(text + at, n - at, &code);
        columns += assay_utf8_columns(code);
        at += length ? length : 1;
    }
    return columns;
}

/* Chinese and what is set like it: its characters are words of their own. */
static bool is_wide(uint32_t code) {
    return code >= 0x2e80 && code < 0xffe0;
}

bool assay_text_may_break(uint32_t before, uint32_t after) {
    static const uint32_t opens[] = {0xff08, 0x201c, 0x300a};
    static const uint32_t closes[] = {0xff0c, 0x3002, 0xff1b, 0xff1a, 0x3001,
                                      0xff09, 0x201d, 0x300b, 0xff1f, '%'};
    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        if (before == opens[i]) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof closes / sizeof closes[0]; i++) {
        if (after == closes[i]) {
            return false;
        }
    }
    return before == ' ' || is_wide(before) || is_wide(after);
}

static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool assay_text_equal_fold(const char *a, const char *b) {
    size_t i = 0;
    while (a[i] && fold(a[i]) == fold(b[i])) {
        i++;
    }
    return fold(a[i]) == fold(b[i]);
}

static uint32_t min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Names longer than this (after what they share at both ends is taken off) are never near. */
#define DISTANCE_MAX 64

/* Optimal string alignment: insert, delete, replace, swap neighbours, each 1. Three rows of the
   usual table; a row whose least entry reaches the limit ends it. */
uint32_t assay_text_distance(const char *a, const char *b, uint32_t limit) {
    size_t n_a = strlen(a), n_b = strlen(b);
    while (n_a && n_b && fold(*a) == fold(*b)) {
        a++, b++, n_a--, n_b--;
    }
    while (n_a && n_b && fold(a[n_a - 1]) == fold(b[n_b - 1])) {
        n_a--, n_b--;
    }
    const size_t apart = n_a > n_b ? n_a - n_b : n_b - n_a;
    if (apart >= limit || n_a > DISTANCE_MAX || n_b > DISTANCE_MAX) {
        return limit;
    }
    uint32_t row[3][DISTANCE_MAX + 1];
    for (uint32_t j = 0; j <= n_b; j++) {
        row[0][j] = j;
    }
    for (size_t i = 1; i <= n_a; i++) {
        uint32_t *now = row[i % 3];
        const uint32_t *before = row[(i + 2) % 3], *two_before = row[(i + 1) % 3];
        uint32_t least = now[0] = (uint32_t)i;
        for (size_t j = 1; j <= n_b; j++) {
            const bool same = fold(a[i - 1]) == fold(b[j - 1]);
            now[j] = min_u32(before[j - 1] + !same, min_u32(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1])) {
                now[j] = min_u32(now[j], two_before[j - 2] + 1);
            }
            least = min_u32(least, now[j]);
        }
        if (least >= limit) {
            return limit;
        }
    }
    return min_u32(row[n_a % 3][n_b], limit);
}

const char *assay_text_nearest(const char *text, const char *const *names, size_t n) {
    const size_t third = strlen(text) / 3;
    uint32_t limit = third < 1 ? 2 : third >= DISTANCE_MAX ? DISTANCE_MAX : (uint32_t)third + 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < n && limit > 0; i++) {
        const uint32_t distance = names[i] ? assay_text_distance(text, names[i], limit) : limit;
        if (distance < limit) {
            nearest = names[i];
            limit = distance; /* only a nearer one replaces it */
        }
    }
    return nearest;
}

/* The number at *text and what follows its dot; *out_any: an "x" stands there. */
static unsigned long version_part(const char **text, bool *out_any) {
    unsigned long value = 0;
    *out_any = **text == 'x' || **text == 'X';
    while (**text && **text != '.') {
        const char c = **text;
        if (c >= '0' && c <= '9' && value < ULONG_MAX / 16) {
            value = value * 10 + (unsigned long)(c - '0');
        } else if (c < '0' || c > '9') { /* "3rc1": what follows a number is not ordered */
            *text += strcspn(*text, ".");
            break;
        }
        (*text)++;
    }
    *text += **text == '.';
    return value;
}

int assay_text_version_order(const char *a, const char *b) {
    while (*a || *b) {
        bool any_a, any_b;
        const unsigned long part_a = version_part(&a, &any_a), part_b = version_part(&b, &any_b);
        if (any_a || any_b) {
            return 0;
        }
        if (part_a != part_b) {
            return part_a < part_b ? -1 : 1;
        }
    }
    return 0;
}
