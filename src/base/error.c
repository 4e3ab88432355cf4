#include "assay/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

/* Makes text one printable line in place: a file name could forge a second line or hide what it
   says. cut: it ends where the buffer ended, perhaps within a character, which is dropped. */
static void make_printable(char *text, bool cut) {
    size_t n = strlen(text), to = 0;
    for (size_t from = 0; from < n;) {
        uint32_t code;
        bool printable;
        const size_t length = assay_text_character(text + from, n - from, &code, &printable);
        if (cut && n - from < 4 && length == 1 && (unsigned char)text[from] >= 0xc2) {
            break;
        }
        if (printable) {
            memmove(text + to, text + from, length);
            to += length;
        } else {
            text[to++] = '?';
        }
        from += length;
    }
    text[to] = '\0';
}

__attribute__((format(printf, 3, 0))) static void
format_printable(char *out, size_t n_out, const char *format, va_list args) {
    const int n = vsnprintf(out, n_out, format, args);
    if (n < 0) {
        out[0] = '\0';
        return;
    }
    make_printable(out, (size_t)n >= n_out);
}

__attribute__((format(printf, 3, 4))) static void print_printable(char *out, size_t n_out,
                                                                  const char *format, ...) {
    va_list args;
    va_start(args, format);
    format_printable(out, n_out, format, args);
    va_end(args);
}

assay_status_t assay_error_set(assay_error_t *err, assay_status_t status, const assay_place_t *at,
                               const char *format, ...) {
    if (!err) {
        return status;
    }
    /* Built aside: the arguments may be parts of *err. */
    assay_error_t made = {.status = status};
    if (at) {
        made.line = at->line;
        made.column = at->column;
        print_printable(made.file, sizeof made.file, "%s", at->file ? at->file : "");
    }
    va_list args;
    va_start(args, format);
    format_printable(made.what, sizeof made.what, format, args);
    va_end(args);
    *err = made;
    return status;
}

void assay_error_next(assay_error_t *err, const char *format, ...) {
    if (!err) {
        return;
    }
    char next[sizeof err->next];
    va_list args;
    va_start(args, format);
    format_printable(next, sizeof next, format, args);
    va_end(args);
    memcpy(err->next, next, sizeof next);
}

assay_status_t assay_error_memory(assay_error_t *err, const assay_place_t *at) {
    (void)assay_error_set(err, ASSAY_LIMIT, at, "this needs more memory than a run may use");
    assay_error_next(err, "make the input smaller");
    return ASSAY_LIMIT;
}

char *assay_error_line(const assay_error_t *err, char *out, uint32_t n_out) {
    if (n_out == 0) {
        return out;
    }
    if (!err || err->status == ASSAY_OK) {
        out[0] = '\0';
        return out;
    }
    char place[sizeof err->file + 32] = "";
    if (err->file[0] && err->line && err->column) {
        print_printable(place, sizeof place, "%s:%u:%u: ", err->file, err->line, err->column);
    } else if (err->file[0] && err->line) {
        print_printable(place, sizeof place, "%s:%u: ", err->file, err->line);
    } else if (err->file[0]) {
        print_printable(place, sizeof place, "%s: ", err->file);
    }
    print_printable(out, n_out, "%s%s%s%s", place,
                    err->what[0] ? err->what : assay_status_sentence(err->status),
                    err->next[0] ? "; " : "", err->next);
    return out;
}
