/* The operating system: boot line, modules, settings, and what the sender says. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

#define MODULES_OF_A_WHOLE_LIST 20 /* a server has above a hundred */

void host_parse_cmdline(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        if (host_trim(line).n > 0) {
            host_set_text(parse, &parse->host->cmdline, line);
            return;
        }
    }
}

/* lsmod ("Module Size Used by") and /proc/modules: the name is the first word of each line. */
void host_parse_lsmod(host_parse_t *parse) {
    uint32_t n = 0;
    bool headed = false;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        const host_span_t name = host_word(&rest), size = host_word(&rest);
        double bytes;
        host_span_t after;
        headed |= host_is(name, "Module") && host_is(size, "Size");
        if (name.n == 0 || !host_number(size, &bytes, &after) || after.n > 0) {
            continue;
        }
        const char *copy = host_copy(parse, name);
        assay_host_name_t *module = copy ? host_add(parse, module) : NULL;
        if (module) {
            *module = (assay_host_name_t){copy, host_here(parse), parse->stated};
        }
        n++;
        if (host_is(name, "amdgpu")) {
            host_set_number(parse, &parse->host->amdgpu_live, 1);
        }
    }
    /* A whole list is long, or has a heading; an excerpt of a few lines says nothing of others. */
    parse->host->modules_seen |= n >= MODULES_OF_A_WHOLE_LIST || headed;
}

static void set_sysctl(host_parse_t *parse, host_span_t name, host_span_t value) {
    double number;
    host_span_t rest;
    if (host_has(name, "numa_balancing") && !host_has(name, "numa_balancing_") &&
        !host_has(name, "rate") && host_number(value, &number, &rest)) {
        host_set_number(parse, &parse->host->numa_balancing, number);
    }
}

/* A file of /proc/sys holds one value; the output of sysctl holds "kernel.numa_balancing = 1". */
void host_parse_sysctl(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (host_key_value(line, '=', &key, &value)) {
            set_sysctl(parse, key, value);
        } else if (host_trim(line).n > 0) {
            set_sysctl(parse, host_span(parse->name), host_trim(line));
        }
    }
}

/* A count in front of a part's name: "4xMI100", "8x MI300X", "two MI100"; 1 when there is none. */
static uint32_t count_before(host_span_t text) {
    static const char *const word[] = {"two", "three", "four", "five", "six", "seven", "eight"};
    while (text.n > 0 && (text.s[text.n - 1] == ' ' || text.s[text.n - 1] == 'x')) {
        text.n--;
    }
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        const size_t n = strlen(word[i]);
        if (text.n >= n && host_is_fold((host_span_t){text.s + text.n - n, n}, word[i])) {
            return (uint32_t)i + 2;
        }
    }
    const char digit = text.n > 0 ? text.s[text.n - 1] : '1';
    const bool alone = text.n < 2 || text.s[text.n - 2] < '0' || text.s[text.n - 2] > '9';
    return alone && digit >= '1' && digit <= '8' ? (uint32_t)(digit - '0') : 1;
}

/* Accelerators that the sender speaks of: "MI250X", "8x MI300X". host_gpu_settle drops them where
   something measured lists others. */
static void read_parts(host_parse_t *parse, host_span_t line) {
    for (host_span_t rest = line;;) {
        const ptrdiff_t at = host_find(rest, "MI");
        if (at < 0) {
            return;
        }
        const host_span_t before = {line.s, (size_t)(rest.s + at - line.s)};
        rest = (host_span_t){rest.s + at, rest.n - (size_t)at};
        size_t n = 2;
        while (n < rest.n && rest.s[n] >= '0' && rest.s[n] <= '9') {
            n++;
        }
        const bool digits = n >= 4;
        n += n < rest.n && (rest.s[n] == 'X' || rest.s[n] == 'A') ? 1 : 0;
        if (digits) {
            const uint32_t count = count_before(before);
            for (uint32_t i = 0; i < count; i++) {
                assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, i, NULL);
                if (gpu) {
                    host_set_text(parse, &gpu->name, (host_span_t){rest.s, n});
                }
            }
        }
        rest = (host_span_t){rest.s + n, rest.n - n};
    }
}

/* "container=docker" lines and free text, of which a few words are understood. */
void host_parse_note(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (host_key_value(line, '=', &key, &value) && host_is(key, "container")) {
            host_set_text(parse, &host->container, value);
        }
        const ptrdiff_t devices = host_find(line, " HIP devices");
        if (devices > 0) { /* "8 HIP devices, indices 0-7" */
            host_set_quantity(parse, &host->gpus_listed, (host_span_t){line.s, (size_t)devices},
                              false);
        }
        read_parts(parse, line);
    }
}
