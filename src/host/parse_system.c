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

/* "container=docker" lines and free text, of which only a few words are understood. */
void host_parse_note(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (host_key_value(line, '=', &key, &value) && host_is(key, "container")) {
            host_set_text(parse, &host->container, value);
        }
        host_log_line(parse, line);
    }
}
