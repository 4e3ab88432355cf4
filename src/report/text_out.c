/* Lines of plain text: every byte that reaches a terminal passes through put_line. */
#include <stdlib.h>
#include <string.h>

#include "report/write.h"

#include "base/banned.h"

static void put_line(assay_view_t *view, assay_style_t style, const char *text, size_t n) {
    static const char *const on[ASSAY_STYLE_N] = {"", "\x1b[1m", "\x1b[32m", "\x1b[33m"};
    const bool paint = view->colour && *on[style] && n > 0;
    assay_buf_puts(view->out, paint ? on[style] : "");
    assay_buf_printable(view->out, text, n);
    assay_buf_puts(view->out, paint ? "\x1b[0m\n" : "\n");
}

/** Bytes of the longest start of text[0..n) that is at most `columns` wide; at least one character.
 */
static size_t fit(const char *text, size_t n, size_t columns) {
    size_t used = 0, at = 0;
    while (at < n) {
        char one[8] = {0};
        size_t bytes = 1;
        while (at + bytes < n && bytes < 4 && ((unsigned char)text[at + bytes] & 0xc0) == 0x80) {
            bytes++;
        }
        memcpy(one, text + at, bytes);
        used += assay_text_columns(one);
        if (used > columns && at > 0) {
            break;
        }
        at += bytes;
    }
    return at;
}

/** The last place in text[0..limit], limit < n, where a line may end; 0 = none. */
static size_t last_break(const char *text, size_t n, size_t limit) {
    size_t last = 0;
    uint32_t before = 0;
    for (size_t at = 0; at <= limit && at < n;) {
        uint32_t code;
        bool printable;
        const size_t length = assay_text_character(text + at, n - at, &code, &printable);
        if (at > 0 && assay_text_may_break(before, code)) {
            last = at;
        }
        before = code;
        at += length;
    }
    return last;
}

void assay_text_wrap(assay_view_t *view, assay_style_t style, const char *lead, const char *text) {
    const size_t indent = assay_text_columns(lead);
    const size_t room = view->width > indent + 20 ? view->width - indent : 20;
    const char *start = lead;
    size_t left = strlen(text);
    do {
        size_t n = fit(text, left, room), next = n;
        if (n < left && text[n] != ' ') {
            const size_t space = last_break(text, left, n);
            n = next = space > 0 ? space : n;
        }
        while (next < left && text[next] == ' ') {
            next++;
        }
        while (n > 0 && text[n - 1] == ' ') {
            n--;
        }
        const char *line =
            start ? assay_arena_printf(view->arena, "%s%.*s", start, (int)n, text)
                  : assay_arena_printf(view->arena, "%*s%.*s", (int)indent, "", (int)n, text);
        if (!line) {
            view->failed = true;
            return;
        }
        put_line(view, style, line, strlen(line));
        start = NULL;
        text += next;
        left -= next;
    } while (left > 0);
}

void assay_text_line(assay_view_t *view) {
    put_line(view, ASSAY_STYLE_PLAIN, "", 0);
}

void assay_text_heading(assay_view_t *view, const char *text) {
    assay_text_line(view);
    put_line(view, ASSAY_STYLE_BOLD, text, strlen(text));
}

void assay_text_table(assay_view_t *view, const assay_table_t *table, uint32_t row) {
    assay_buf_t buf;
    assay_buf_init(&buf, 64u << 20);
    assay_table_print(table, ASSAY_TABLE_TEXT, view->width - 2, &buf);
    view->failed |= buf.failed;
    const char *end = buf.data ? buf.data + buf.n : NULL;
    uint32_t i = 0;
    for (const char *line = buf.data; line && line < end; i++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        const char *indented = assay_arena_printf(view->arena, "  %.*s", (int)(stop - line), line);
        if (!indented) {
            view->failed = true;
            break;
        }
        put_line(view,
                 i == 0            ? ASSAY_STYLE_BOLD
                 : row && i == row ? ASSAY_STYLE_GOOD
                                   : ASSAY_STYLE_PLAIN,
                 indented, strlen(indented));
        line = stop + 1;
    }
    assay_buf_done(&buf);
}
