/* Tables of names that tools print, and indented outlines: what most text formats share. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "host/host_parse.h"

#include "assay/units.h"

#include "base/banned.h"

/* key is the table's, or a path that ends with it after a dot. */
static bool ends_with(host_span_t key, const char *name) {
    const size_t n = strlen(name);
    if (n > key.n || strncasecmp(key.s + key.n - n, name, n) != 0) {
        return false;
    }
    return n == key.n || key.s[key.n - n - 1] == '.';
}

/* A bare number of these tools has the unit that its heading tells. */
static void set_scaled(host_parse_t *parse, assay_host_number_t *fact, host_span_t value,
                       double scale) {
    double number;
    host_span_t rest;
    if (host_number(value, &number, &rest) && host_trim(rest).n == 0) {
        host_set_number(parse, fact, number * scale);
    } else {
        host_set_quantity(parse, fact, value, true);
    }
}

bool host_field_set(host_parse_t *parse, const host_field_t *table, size_t n, host_span_t key,
                    host_span_t value, assay_host_gpu_t *gpu) {
    for (size_t i = 0; i < n; i++) {
        if (!ends_with(key, table[i].key)) {
            continue;
        }
        void *fact = (char *)gpu + table[i].offset;
        switch ((host_field_kind_t)table[i].kind) {
        case HOST_TEXT:
            if (host_is_missing(value)) {
                host_set_unknown_text(parse, fact, ASSAY_HOST_UNSUPPORTED);
            } else {
                host_set_text(parse, fact, value);
            }
            break;
        case HOST_NUMBER:
        case HOST_BINARY:
            host_set_quantity(parse, fact, value, table[i].kind == HOST_BINARY);
            break;
        case HOST_FLAG:
            host_set_flag(parse, fact, value);
            break;
        case HOST_PERCENT:
            set_scaled(parse, fact, value, 0.01);
            break;
        case HOST_MEGA:
            set_scaled(parse, fact, value, 1e6);
            break;
        case HOST_MEBI:
            set_scaled(parse, fact, value, ASSAY_MIB_BYTES);
            break;
        }
        return true;
    }
    return false;
}

/* Makes key the innermost entry of its indentation. */
static bool push(host_outline_t *outline, size_t indent, host_span_t key) {
    while (outline->depth > 0 && outline->indent[outline->depth - 1] >= indent) {
        outline->depth--;
    }
    if (outline->depth == HOST_OUTLINE_DEPTH) {
        return false;
    }
    outline->indent[outline->depth] = indent;
    outline->key[outline->depth++] = key;
    return true;
}

bool host_outline_line(host_outline_t *outline, host_span_t line, host_span_t *out_value) {
    const size_t indent = host_indent(line);
    host_span_t key, value;
    if (indent == line.n || !host_key_value(line, ':', &key, &value) || key.n == 0 ||
        !push(outline, indent, key)) {
        return false;
    }
    size_t used = 0;
    for (uint32_t i = 0; i < outline->depth && used < sizeof outline->path; i++) {
        const int n = snprintf(outline->path + used, sizeof outline->path - used, "%s%.*s",
                               i > 0 ? "." : "", (int)outline->key[i].n, outline->key[i].s);
        used += n > 0 ? (size_t)n : 0;
    }
    *out_value = value;
    return true;
}

void host_outline_heading(host_outline_t *outline, host_span_t line) {
    (void)push(outline, host_indent(line), host_trim(line));
}
