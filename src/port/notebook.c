/* Jupyter notebooks: the code of each cell as one Python text. jansson says whether the file is
   JSON at all; where the lines of the cells stand is found by a scan of our own, since it keeps no
   positions. */
#include <jansson.h>
#include <string.h>

#include "port/reading.h"

#include "base/banned.h"

typedef struct {
    const char *data;
    size_t size, at;
    uint32_t line;
} scan_t;

/* Over blanks, commas and colons; counts lines. */
static char peek(scan_t *s) {
    while (s->at < s->size && strchr(" \t\r\n,:", s->data[s->at])) {
        s->line += s->data[s->at] == '\n';
        s->at++;
    }
    return s->at < s->size ? s->data[s->at] : 0;
}

/* The string at s->at, decoded and appended to out (NULL: skipped). */
static void read_string(scan_t *s, assay_buf_t *out) {
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    for (s->at++; s->at < s->size && s->data[s->at] != '"'; s->at++) {
        const char c = s->data[s->at];
        if (c != '\\' || s->at + 1 >= s->size) {
            if (out) {
                assay_buf_add(out, &c, 1);
            }
            continue;
        }
        s->at++;
        const char *escape = s->data[s->at] ? strchr(escapes, s->data[s->at]) : NULL;
        const char meaning = escape ? meanings[escape - escapes] : '?'; /* \uXXXX: no code */
        if (out) {
            assay_buf_add(out, &meaning, 1);
        }
    }
    s->at += s->at < s->size;
}

static bool string_is(const scan_t *s, const char *word) {
    const size_t n = strlen(word);
    return s->size - s->at > n + 1 && memcmp(s->data + s->at + 1, word, n) == 0 &&
           s->data[s->at + 1 + n] == '"';
}

/* One value of any kind, with what is nested in it. */
static void skip_value(scan_t *s) {
    unsigned depth = 0;
    do {
        const char c = peek(s);
        if (c == 0 || (depth == 0 && (c == '}' || c == ']'))) {
            return;
        }
        if (c == '"') {
            read_string(s, NULL);
        } else if (c == '{' || c == '[') {
            depth++;
            s->at++;
        } else if (c == '}' || c == ']') {
            depth--;
            s->at++;
        } else {
            while (s->at < s->size && !strchr(" \t\r\n,:[]{}\"", s->data[s->at])) {
                s->at++; /* a number or a word */
            }
        }
    } while (depth);
}

/* The source of a cell and the file's line of each of its lines. */
typedef struct {
    assay_buf_t text;
    uint32_t *line_of;
    uint32_t n_line, capacity;
    assay_arena_t *arena;
} cell_t;

static void note_lines(cell_t *cell, size_t from, uint32_t line) {
    for (size_t i = from; i < cell->text.n; i++) {
        if (cell->text.data[i] != '\n') {
            continue;
        }
        if (cell->n_line == cell->capacity) {
            const uint32_t capacity = 2 * cell->capacity;
            uint32_t *grown = assay_arena_array(cell->arena, capacity, sizeof *grown);
            if (!grown) {
                cell->text.failed = true;
                return;
            }
            memcpy(grown, cell->line_of, cell->n_line * sizeof *grown);
            cell->line_of = grown;
            cell->capacity = capacity;
        }
        cell->line_of[cell->n_line++] = line;
    }
}

/* "source": a string, or a list of strings, one a line. */
static void read_source(scan_t *s, cell_t *cell) {
    const bool is_list = peek(s) == '[';
    s->at += is_list;
    for (char c; (c = peek(s)) == '"';) {
        const size_t from = cell->text.n;
        const uint32_t line = s->line;
        read_string(s, &cell->text);
        /* The line that this string goes on with: its newline closes the line it stands on. */
        cell->line_of[cell->n_line - 1] = line;
        note_lines(cell, from, line);
        if (!is_list) {
            return;
        }
    }
    s->at += is_list && s->at < s->size;
}

/* A cell by its magic: "%%bash" and the like, CUDA C for "%%cu" or a file of it, else Python, of
   which lines that begin with '!' or '%' are commands. */
static void read_code(port_sink_t *sink, port_text_t *code) {
    static const char *const scripts[] = {"%%bash", "%%sh", "%%script", NULL};
    static const char *const cuda[] = {"%%cu", "%%cuda", ".cu", NULL};
    size_t next;
    const size_t first = reading_line(code->data, 0, code->size, &next);
    if (code->data[0] == '%' && reading_contains_any(code->data, first, scripts)) {
        code->language = ASSAY_PORT_SHELL;
        port_read_shell(sink, code);
        return;
    }
    if (code->data[0] == '%' && reading_contains_any(code->data, first, cuda)) {
        const port_text_t source = {.path = code->path,
                                    .data = code->data + next,
                                    .size = code->size - next,
                                    .language = ASSAY_PORT_CUDA,
                                    .line = 1,
                                    .line_of = code->line_of + 1};
        port_read_c(sink, &source);
        return;
    }
    port_read_python(sink, code);
    const reading_t r = reading_begin(sink, code);
    for (size_t at = 0; at < code->size; at = next) {
        const size_t end = reading_line(code->data, at, code->size, &next);
        if (code->data[at] == '!' || code->data[at] == '%') {
            reading_shell(&r, at + 1, end, PORT_WHERE_SHELL | PORT_WHERE_FLAG);
        }
    }
}

static void read_cell(port_sink_t *sink, const port_text_t *text, scan_t *s) {
    enum { FIRST_LINES = 64 };
    cell_t cell = {.capacity = FIRST_LINES, .arena = port_sink_arena(sink)};
    cell.line_of = assay_arena_array(cell.arena, FIRST_LINES, sizeof *cell.line_of);
    if (!cell.line_of) {
        return;
    }
    cell.line_of[cell.n_line++] = s->line;
    assay_buf_init(&cell.text, text->size + 1);
    bool is_code = false;
    s->at++;
    for (char c; (c = peek(s)) == '"';) {
        const bool is_kind = string_is(s, "cell_type"), is_source = string_is(s, "source");
        read_string(s, NULL);
        c = peek(s);
        if (is_source && (c == '[' || c == '"')) {
            read_source(s, &cell);
        } else {
            is_code |= is_kind && c == '"' && string_is(s, "code");
            skip_value(s);
        }
    }
    s->at += s->at < s->size;
    /* In the arena, where no other cell will ever stand: lines are indexed by address. */
    const char *data = is_code && cell.text.n && !cell.text.failed
                           ? assay_arena_strndup(cell.arena, cell.text.data, cell.text.n)
                           : NULL;
    if (data) {
        port_text_t code = {.path = text->path,
                            .data = data,
                            .size = cell.text.n,
                            .language = ASSAY_PORT_PYTHON,
                            .line = 1,
                            .line_of = cell.line_of};
        read_code(sink, &code);
    }
    assay_buf_done(&cell.text);
}

void port_read_notebook(port_sink_t *sink, const port_text_t *text) {
    json_t *root = json_loadb(text->data, text->size, JSON_REJECT_DUPLICATES, NULL);
    const bool has_cells = json_is_array(json_object_get(root, "cells"));
    json_decref(root);
    if (!has_cells) {
        return;
    }
    scan_t s = {.data = text->data, .size = text->size, .line = text->line};
    s.at += peek(&s) == '{';
    for (char c; (c = peek(&s)) == '"';) {
        const bool is_cells = string_is(&s, "cells");
        read_string(&s, NULL);
        c = peek(&s);
        if (!is_cells || c != '[') {
            skip_value(&s);
            continue;
        }
        s.at++;
        while ((c = peek(&s)) != ']' && c != 0) {
            if (c == '{') {
                read_cell(sink, text, &s);
            } else {
                skip_value(&s);
            }
        }
        s.at += c == ']';
    }
}
