#include "host/host_scrub.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "assay/text.h"

#include "base/banned.h"

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_hex(char c) {
    return isxdigit((unsigned char)c) != 0;
}

typedef struct {
    host_scrub_t *scrub;
    const char *s;
    size_t n;
    assay_buf_t out;
} pass_t;

static char at_or_0(const pass_t *pass, size_t at) {
    return at < pass->n ? pass->s[at] : '\0';
}

static size_t hex_run(const pass_t *pass, size_t at) {
    size_t n = 0;
    while (is_hex(at_or_0(pass, at + n))) {
        n++;
    }
    return n;
}

static void put(pass_t *pass, const char *text) {
    assay_buf_puts(&pass->out, text);
    pass->scrub->n_hidden++;
}

/* Groups of `width` hexadecimal digits with `separator` between, at `at`; *out_n: bytes. */
static uint32_t groups(const pass_t *pass, size_t at, size_t width, char separator, size_t *out_n) {
    uint32_t n = 0;
    size_t end = at;
    while (hex_run(pass, end) == width) {
        n++;
        *out_n = end + width - at;
        if (at_or_0(pass, end + width) != separator) {
            break;
        }
        end += width + 1;
    }
    return n;
}

static bool is_all_zero(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (is_hex(s[i]) && s[i] != '0') {
            return false;
        }
    }
    return true;
}

/* 8-4-4-4-12. */
static size_t uuid(pass_t *pass, size_t at) {
    static const size_t width[] = {8, 4, 4, 4, 12};
    size_t end = at;
    for (size_t i = 0; i < 5; i++) {
        if (hex_run(pass, end) != width[i] || (i < 4 && at_or_0(pass, end + width[i]) != '-')) {
            return 0;
        }
        end += width[i] + 1;
    }
    put(pass, "00000000-0000-0000-0000-000000000000");
    return end - 1 - at;
}

/* A hardware address: six groups of two and more. A PCI address has none of that form. */
static size_t hardware_address(pass_t *pass, size_t at) {
    size_t n = 0;
    const uint32_t count = groups(pass, at, 2, ':', &n);
    if (count < 6 || is_word(at_or_0(pass, at + n)) || is_all_zero(pass->s + at, n)) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        assay_buf_puts(&pass->out, i ? ":00" : "00");
    }
    pass->scrub->n_hidden++;
    return n;
}

/* A GID of eight groups, a GUID of four. Whether it is empty, local or mapped from IPv4 stays. */
static size_t port_address(pass_t *pass, size_t at) {
    size_t n = 0;
    const uint32_t count = groups(pass, at, 4, ':', &n);
    if ((count != 8 && count != 4) || is_all_zero(pass->s + at, n)) {
        return 0;
    }
    if (count == 4) {
        put(pass, "0000:0000:0000:0001");
        return n;
    }
    assay_buf_add(&pass->out, pass->s + at, 5);
    assay_buf_puts(&pass->out, "0000:0000:0000:0000:");
    assay_buf_puts(&pass->out, strncmp(pass->s + at + 25, "ffff", 4) == 0 ? "ffff" : "0000");
    put(pass, ":0000:0001");
    return n;
}

/* Four numbers to 255, not a version (1.2.3.4 behind a '-' or '.'); loopback stays. */
static size_t ipv4(pass_t *pass, size_t at) {
    const char before = at > 0 ? pass->s[at - 1] : ' ';
    size_t end = at;
    if (before == '-' || before == '.') {
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        unsigned value = 0;
        size_t digits = 0;
        while (isdigit((unsigned char)at_or_0(pass, end)) && digits < 4) {
            value = 10 * value + (unsigned)(pass->s[end++] - '0');
            digits++;
        }
        if (digits == 0 || digits > 3 || value > 255 || (i < 3 && at_or_0(pass, end++) != '.')) {
            return 0;
        }
    }
    if (is_word(at_or_0(pass, end)) || at_or_0(pass, end) == '.' || at_or_0(pass, end) == '-' ||
        strncmp(pass->s + at, "127.", 4) == 0 || strncmp(pass->s + at, "0.0.", 4) == 0 ||
        strncmp(pass->s + at, "255.", 4) == 0) {
        return 0;
    }
    put(pass, "192.0.2.1"); /* of RFC 5737: nobody's */
    return end - at;
}

/* fe80::1234: hexadecimal digits and colons with a double one. */
static size_t ipv6(pass_t *pass, size_t at) {
    size_t n = 0, digits = 0;
    bool two = false;
    while (is_hex(at_or_0(pass, at + n)) || at_or_0(pass, at + n) == ':') {
        two |= pass->s[at + n] == ':' && at_or_0(pass, at + n + 1) == ':';
        digits += pass->s[at + n] != ':';
        n++;
    }
    if (!two || digits < 5 || is_word(at_or_0(pass, at + n))) {
        return 0;
    }
    put(pass, "2001:db8::1"); /* of RFC 3849 */
    return n;
}

static bool is_one_of(const char *word, size_t n, const char *const name[HOST_SCRUB_NAMES]) {
    for (size_t i = 0; i < HOST_SCRUB_NAMES && name[i]; i++) {
        if (strlen(name[i]) == n && strncasecmp(name[i], word, n) == 0) {
            return true;
        }
    }
    return false;
}

/* A word with '-' and '.' in it, as names of hosts have; without, as names of users. */
static size_t name(pass_t *pass, size_t at) {
    size_t n = 0;
    while (is_word(at_or_0(pass, at + n)) || at_or_0(pass, at + n) == '-' ||
           at_or_0(pass, at + n) == '.') {
        n++;
    }
    for (; n > 0; n--) { /* "node1.site.org" is node1 too */
        const char after = at_or_0(pass, at + n);
        if (is_word(after)) {
            continue;
        }
        if (is_one_of(pass->s + at, n, pass->scrub->host)) {
            put(pass, "host");
            return n;
        }
        if (is_one_of(pass->s + at, n, pass->scrub->user)) {
            put(pass, "user");
            return n;
        }
    }
    return 0;
}

static size_t home(pass_t *pass, size_t at) {
    static const char folder[] = "/home/";
    const size_t n_folder = sizeof folder - 1;
    if (pass->n - at <= n_folder || strncmp(pass->s + at, folder, n_folder) != 0) {
        return 0;
    }
    size_t n = 0;
    while (is_word(at_or_0(pass, at + n_folder + n)) || at_or_0(pass, at + n_folder + n) == '-' ||
           at_or_0(pass, at + n_folder + n) == '.') {
        n++;
    }
    if (n == 0) {
        return 0;
    }
    put(pass, "/home/user");
    return n_folder + n;
}

/* "serial", "uuid" and the like: the long words with digits behind them, to the end of the line. */
static size_t keyed(pass_t *pass, size_t at) {
    static const char *const key[] = {"serial", "uuid", "unique", "guid", "asset"};
    size_t n_key = 0;
    for (size_t i = 0; i < sizeof key / sizeof key[0] && n_key == 0; i++) {
        const size_t n = strlen(key[i]);
        n_key = pass->n - at > n && strncasecmp(pass->s + at, key[i], n) == 0 ? n : 0;
    }
    if (n_key == 0) {
        return 0;
    }
    size_t end = at + n_key;
    assay_buf_add(&pass->out, pass->s + at, n_key);
    while (end < pass->n && pass->s[end] != '\n') {
        size_t n = 0;
        bool digit = false;
        while (is_word(at_or_0(pass, end + n)) || at_or_0(pass, end + n) == '-') {
            digit |= isdigit((unsigned char)pass->s[end + n]) != 0;
            n++;
        }
        if (n >= 6 && digit) {
            put(pass, "0");
        } else {
            n = n ? n : 1;
            assay_buf_add(&pass->out, pass->s + end, n);
        }
        end += n;
    }
    return end - at;
}

const char *host_scrub(host_scrub_t *scrub, assay_arena_t *arena, const char *text, size_t n,
                       bool keys, size_t *out_n) {
    static size_t (*const rule[])(pass_t *, size_t) = {
        uuid, hardware_address, port_address, ipv4, ipv6, name};
    pass_t pass = {scrub, text, n, {0}};
    if (memchr(text, '\0', n)) {
        *out_n = n;
        return assay_arena_strndup(arena, text, n);
    }
    assay_buf_init(&pass.out, 2 * n + 4096);
    for (size_t at = 0; at < n;) {
        const bool start = is_word(text[at]) && (at == 0 || !is_word(text[at - 1]));
        size_t done = text[at] == '/' ? home(&pass, at) : 0;
        done = done || !keys ? done : keyed(&pass, at);
        for (size_t i = 0; start && done == 0 && i < sizeof rule / sizeof rule[0]; i++) {
            done = rule[i](&pass, at);
        }
        if (done == 0) {
            assay_buf_add(&pass.out, text + at, 1);
            done = 1;
        }
        at += done;
    }
    *out_n = pass.out.n;
    const char *copy =
        pass.out.failed ? NULL
                        : assay_arena_strndup(arena, pass.out.n ? pass.out.data : "", pass.out.n);
    assay_buf_done(&pass.out);
    return copy;
}

#define CONFIG_EXTENDED 0x100u
#define CAPABILITY_SERIAL 3u

void host_scrub_config(host_scrub_t *scrub, char *config, size_t n) {
    size_t at = CONFIG_EXTENDED;
    for (int step = 0; step < 64 && at >= CONFIG_EXTENDED && at + 12 <= n; step++) {
        const unsigned char *c = (const unsigned char *)config + at;
        const uint32_t head =
            c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
        if ((head & 0xffff) == CAPABILITY_SERIAL) {
            memset(config + at + 4, 0, 8);
            scrub->n_hidden++;
        }
        at = head >> 20;
    }
}
