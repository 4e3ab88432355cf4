#include "assay/csv.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

#define MAX_COLUMNS 4096u
#define MAX_ROWS (4u << 20)
#define MAX_FIELD_BYTES ((size_t)1 << 20)

/* Reads text, a private copy that the cells point into. Every error sets status once. */
typedef struct {
    const char *file;
    char *text, *end, *at;
    char *line_start;
    uint32_t line;
    char separator;
    assay_status_t status;
    assay_error_t *err;
} reader_t;

/* What ended a field. */
typedef enum { END_FIELD, END_ROW, END_BAD } end_t;

static assay_place_t place_at(const reader_t *reader, const char *at) {
    return (assay_place_t){reader->file, reader->line, (uint32_t)(at - reader->line_start) + 1};
}

static end_t refuse(reader_t *reader, assay_place_t place, const char *what, const char *next) {
    reader->status = assay_error_set(reader->err, ASSAY_INPUT, &place, "%s", what);
    assay_error_next(reader->err, "%s", next);
    return END_BAD;
}

static end_t refuse_limit(reader_t *reader, assay_place_t place, size_t limit, const char *what) {
    reader->status =
        assay_error_set(reader->err, ASSAY_LIMIT, &place, "more than %zu %s", limit, what);
    assay_error_next(reader->err, "check that this is the right file, and its quotes");
    return END_BAD;
}

static void next_line(reader_t *reader) {
    reader->line++;
    reader->line_start = reader->at;
}

/* Bytes that no field may hold, before anything is split. */
static void check_bytes(reader_t *reader) {
    uint32_t code = 0;
    char *at = reader->text;
    while (at < reader->end) {
        const unsigned char c = (unsigned char)*at;
        bool printable = (c >= 0x20 && c < 0x7f) || c == '\t' || c == '\r' || c == '\n';
        const size_t length =
            printable ? 1 : assay_text_character(at, (size_t)(reader->end - at), &code, &printable);
        if (!printable) {
            break;
        }
        at += length;
    }
    if (at == reader->end) {
        return;
    }
    for (char *feed; (feed = memchr(reader->at, '\n', (size_t)(at - reader->at)));) {
        reader->at = feed + 1;
        next_line(reader);
    }
    const assay_place_t place = place_at(reader, at);
    if (code == 0) {
        refuse(reader, place, "a NUL byte", "save the table as plain UTF-8 text");
    } else if (assay_text_utf8_bad(at, (size_t)(reader->end - at)) == 0) {
        refuse(reader, place, "this is not UTF-8", "save the table as UTF-8");
    } else {
        char what[64];
        (void)snprintf(what, sizeof what, "U+%04X, which nobody sees", code);
        refuse(reader, place, what, "remove the character");
    }
}

/* Steps over a separator or a line end (LF, CR LF or the end of the text). */
static end_t read_end(reader_t *reader) {
    if (reader->at == reader->end) {
        return END_ROW;
    }
    if (*reader->at == reader->separator) {
        reader->at++;
        return END_FIELD;
    }
    if (*reader->at == '\r' && reader->end - reader->at > 1 && reader->at[1] == '\n') {
        reader->at++;
    }
    if (*reader->at == '\n') {
        reader->at++;
        next_line(reader);
        return END_ROW;
    }
    return END_BAD;
}

/* A quoted field from its opening quote; its bytes move down over the doubled quotes. */
static end_t read_quoted(reader_t *reader, char **out_cell, size_t *out_n) {
    const assay_place_t opening = place_at(reader, reader->at);
    char *write = *out_cell = ++reader->at;
    for (;;) {
        if (reader->at == reader->end) {
            return refuse(reader, opening, "the quote that opens here is never closed",
                          "close it; a quote inside a field is written twice");
        }
        const char c = *reader->at++;
        if (c == '"') {
            if (*reader->at != '"') { /* the text ends in a NUL */
                break;
            }
            reader->at++;
        }
        *write++ = c;
        if (c == '\n') {
            next_line(reader);
        }
    }
    const assay_place_t after = place_at(reader, reader->at);
    const end_t end = read_end(reader);
    *out_n = (size_t)(write - *out_cell);
    *write = '\0'; /* at the latest on the closing quote */
    return end == END_BAD ? refuse(reader, after, "text after a closing quote",
                                   "quote the whole field; a quote inside it is written twice")
                          : end;
}

static end_t read_plain(reader_t *reader, char **out_cell, size_t *out_n) {
    char *stop = reader->at;
    while (*stop != '\0' && *stop != reader->separator && *stop != '\n' && *stop != '\r' &&
           *stop != '"') {
        stop++;
    }
    *out_cell = reader->at;
    *out_n = (size_t)(stop - reader->at);
    reader->at = stop;
    const assay_place_t after = place_at(reader, stop);
    const end_t end = read_end(reader);
    if (end == END_BAD) {
        return *stop == '"' ? refuse(reader, after, "a quote within a field that is not quoted",
                                     "quote the whole field; a quote inside it is written twice")
                            : refuse(reader, after, "a carriage return without a line feed",
                                     "use LF or CR LF line ends");
    }
    *stop = '\0'; /* on the separator or line end that was stepped over */
    return end;
}

static end_t read_field(reader_t *reader, char **out_cell) {
    const assay_place_t start = place_at(reader, reader->at);
    size_t n = 0;
    const end_t end =
        *reader->at == '"' ? read_quoted(reader, out_cell, &n) : read_plain(reader, out_cell, &n);
    return end != END_BAD && n > MAX_FIELD_BYTES
               ? refuse_limit(reader, start, MAX_FIELD_BYTES, "bytes in one field")
               : end;
}

static bool is_repeated(char *const *name, uint32_t n, const char *candidate) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(name[i], candidate) == 0) {
            return true;
        }
    }
    return false;
}

static void read_header(reader_t *reader, assay_arena_t *arena, assay_csv_t *csv) {
    char *name[MAX_COLUMNS];
    uint32_t n = 0;
    if (reader->at == reader->end) {
        refuse(reader, place_at(reader, reader->at), "the table is empty",
               "start it with a header row");
        return;
    }
    for (end_t end = END_FIELD; end == END_FIELD; n++) {
        const assay_place_t start = place_at(reader, reader->at);
        if (n == MAX_COLUMNS) {
            refuse_limit(reader, start, MAX_COLUMNS, "columns");
            return;
        }
        end = read_field(reader, &name[n]);
        if (end == END_BAD) {
            return;
        }
        if (name[n][0] == '\0') {
            refuse(reader, start, "a column without a name", "name every column in the first row");
            return;
        }
        if (is_repeated(name, n, name[n])) {
            refuse(reader, start, "a column of this name was there before", "rename one of them");
            return;
        }
    }
    csv->n_columns = n;
    csv->header = assay_arena_array(arena, n, sizeof *csv->header);
    if (!csv->header) {
        reader->status = assay_error_memory(reader->err, &(assay_place_t){.file = reader->file});
        return;
    }
    memcpy(csv->header, name, n * sizeof *name);
}

/* A bound on the rows to come: no more than line ends, and each takes a byte for every column. */
static size_t rows_bound(const reader_t *reader, uint32_t n_columns) {
    const size_t by_size = (size_t)(reader->end - reader->at) / n_columns + 1;
    size_t lines = 1;
    for (const char *at = reader->at;
         (at = memchr(at, '\n', (size_t)(reader->end - at))) && lines < by_size; at++) {
        lines++;
    }
    return lines < by_size ? lines : by_size;
}

static void read_row(reader_t *reader, uint32_t n_columns, const char **out_cell) {
    const assay_place_t row = place_at(reader, reader->at);
    uint32_t n = 0;
    for (end_t end = END_FIELD; end == END_FIELD; n++) {
        const assay_place_t start = place_at(reader, reader->at);
        if (n == n_columns) {
            reader->status = assay_error_set(reader->err, ASSAY_INPUT, &start,
                                             "more fields than the header's %u", n_columns);
            assay_error_next(reader->err, "quote fields that hold a separator");
            return;
        }
        char *cell = NULL;
        end = read_field(reader, &cell);
        if (end == END_BAD) {
            return;
        }
        out_cell[n] = cell;
    }
    if (n == 1 && n_columns > 1 && out_cell[0][0] == '\0') {
        refuse(reader, row, "a blank line", "remove it");
    } else if (n < n_columns) {
        reader->status = assay_error_set(reader->err, ASSAY_INPUT, &row,
                                         "%u fields, while the header has %u", n, n_columns);
        assay_error_next(reader->err, "add the missing fields, empty where there is no value");
    }
}

static void read_rows(reader_t *reader, assay_arena_t *arena, assay_csv_t *csv) {
    const size_t bound = rows_bound(reader, csv->n_columns);
    const size_t room = bound < MAX_ROWS ? bound : MAX_ROWS;
    csv->cell = assay_arena_array(arena, room * csv->n_columns, sizeof *csv->cell);
    csv->line = assay_arena_array(arena, room, sizeof *csv->line);
    if (!csv->cell || !csv->line) {
        reader->status = assay_error_memory(reader->err, &(assay_place_t){.file = reader->file});
        return;
    }
    for (; reader->at < reader->end && reader->status == ASSAY_OK; csv->n_rows++) {
        if (csv->n_rows == MAX_ROWS) {
            refuse_limit(reader, place_at(reader, reader->at), MAX_ROWS, "rows");
            return;
        }
        csv->line[csv->n_rows] = reader->line;
        read_row(reader, csv->n_columns, csv->cell + (size_t)csv->n_rows * csv->n_columns);
    }
}

assay_status_t assay_csv_parse(assay_arena_t *arena, const char *file, const char *data,
                               size_t size, assay_csv_t *out_csv, assay_error_t *err) {
    return assay_csv_parse_as(arena, file, data, size, ',', 1, out_csv, err);
}

assay_status_t assay_csv_parse_as(assay_arena_t *arena, const char *file, const char *data,
                                  size_t size, char separator, uint32_t line, assay_csv_t *out_csv,
                                  assay_error_t *err) {
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        data += 3;
        size -= 3;
    }
    assay_csv_t csv = {.file = assay_arena_strdup(arena, file)};
    char *text = assay_arena_strndup(arena, data, size);
    if (!csv.file || !text) {
        return assay_error_memory(err, &(assay_place_t){.file = file});
    }
    reader_t reader = {.file = csv.file,
                       .text = text,
                       .end = text + size,
                       .at = text,
                       .line_start = text,
                       .line = line,
                       .separator = separator,
                       .err = err};
    check_bytes(&reader);
    if (reader.status == ASSAY_OK) {
        read_header(&reader, arena, &csv);
    }
    if (reader.status == ASSAY_OK) {
        read_rows(&reader, arena, &csv);
    }
    if (reader.status == ASSAY_OK) {
        *out_csv = csv;
    }
    return reader.status;
}

int assay_csv_column(const assay_csv_t *csv, const char *name) {
    for (uint32_t i = 0; i < csv->n_columns; i++) {
        if (strcmp(csv->header[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

const char *assay_csv_cell(const assay_csv_t *csv, uint32_t row, int column) {
    assert(row < csv->n_rows && column < (int)csv->n_columns);
    return column < 0 ? "" : csv->cell[(size_t)row * csv->n_columns + (size_t)column];
}

assay_status_t assay_csv_refuse(const assay_csv_t *csv, uint32_t row, const char *column,
                                const char *expected, assay_error_t *err) {
    const assay_place_t at = assay_csv_place(csv, row);
    assay_error_set(err, ASSAY_INPUT, &at, "%s is '%s', expected %s", column,
                    assay_csv_cell(csv, row, assay_csv_column(csv, column)), expected);
    assay_error_next(err, "correct the row; data/README.md describes the table");
    return ASSAY_INPUT;
}
