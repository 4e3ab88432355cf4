#include "assay/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/banned.h"

void assay_json_init(assay_json_t *json, assay_buf_t *out) {
    *json = (assay_json_t){.out = out};
}

static void newline(assay_json_t *json) {
    assay_buf_add(json->out, "\n", 1);
    for (uint32_t i = 0; i < json->depth; i++) {
        assay_buf_add(json->out, "  ", 2);
    }
}

/** Quote, backslash and what is not printable are escaped; the rest stands as it is. */
static void quoted(assay_buf_t *out, const char *text, size_t n) {
    size_t from = 0, length;
    assay_buf_add(out, "\"", 1);
    for (size_t at = 0; at < n; at += length) {
        uint32_t code;
        bool printable;
        length = assay_text_character(text + at, n - at, &code, &printable);
        const bool marked = code == '"' || code == '\\';
        if (printable && !marked) {
            continue;
        }
        assay_buf_add(out, text + from, at - from);
        from = at + length;
        if (marked) {
            assay_buf_printf(out, "\\%c", (char)code);
        } else if (code < 0x10000) {
            assay_buf_printf(out, "\\u%04x", code);
        } else {
            code -= 0x10000;
            assay_buf_printf(out, "\\u%04x\\u%04x", 0xd800 | code >> 10, 0xdc00 | (code & 0x3ff));
        }
    }
    assay_buf_add(out, text + from, n - from);
    assay_buf_add(out, "\"", 1);
}

/** What stands before every value: comma, line, key. */
static void lead(assay_json_t *json, const char *key) {
    if (json->depth == 0) {
        return;
    }
    const uint64_t bit = UINT64_C(1) << json->depth;
    assert(!key == !!(json->is_array & bit));
    if (json->has_item & bit) {
        assay_buf_add(json->out, ",", 1);
    }
    json->has_item |= bit;
    newline(json);
    if (key) {
        quoted(json->out, key, strlen(key));
        assay_buf_add(json->out, ": ", 2);
    }
}

static void begin(assay_json_t *json, const char *key, bool array) {
    lead(json, key);
    assay_buf_add(json->out, array ? "[" : "{", 1);
    json->depth++;
    assert(json->depth < 64);
    const uint64_t bit = UINT64_C(1) << json->depth;
    json->has_item &= ~bit;
    json->is_array = array ? json->is_array | bit : json->is_array & ~bit;
}

void assay_json_begin_object(assay_json_t *json, const char *key) {
    begin(json, key, false);
}

void assay_json_begin_array(assay_json_t *json, const char *key) {
    begin(json, key, true);
}

void assay_json_end(assay_json_t *json) {
    assert(json->depth > 0);
    const uint64_t bit = UINT64_C(1) << json->depth;
    json->depth--;
    if (json->has_item & bit) {
        newline(json);
    }
    assay_buf_add(json->out, json->is_array & bit ? "]" : "}", 1);
    if (json->depth == 0) {
        assay_buf_add(json->out, "\n", 1);
    }
}

void assay_json_number(assay_json_t *json, const char *key, double value) {
    lead(json, key);
    if (!isfinite(value)) {
        assay_buf_puts(json->out, "null");
        return;
    }
    char text[32];
    assay_buf_add(json->out, text, assay_text_from_double(text, value));
}

void assay_json_number_if(assay_json_t *json, const char *key, bool known, double value) {
    if (known) {
        assay_json_number(json, key, value);
    } else {
        assay_json_string(json, key, NULL);
    }
}

void assay_json_count(assay_json_t *json, const char *key, uint64_t value) {
    lead(json, key);
    assay_buf_printf(json->out, "%" PRIu64, value);
}

void assay_json_bool(assay_json_t *json, const char *key, bool value) {
    lead(json, key);
    assay_buf_puts(json->out, value ? "true" : "false");
}

void assay_json_string(assay_json_t *json, const char *key, const char *text) {
    lead(json, key);
    if (text) {
        quoted(json->out, text, strlen(text));
    } else {
        assay_buf_puts(json->out, "null");
    }
}
