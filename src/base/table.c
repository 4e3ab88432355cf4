#include "assay/table.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

#include "base/banned.h"

#define GAP 2u         /* between columns of text */
#define LEAST_WIDTH 8u /* a column is not cut below this */
#define MAX_COLUMNS 256u

typedef struct row {
    struct row *next;
    const char *cell[]; /* (n_columns), NULL = not set */
} row_t;

typedef struct {
    const char *title; /* "name [unit]" */
    bool right, whole;
} column_t;

struct assay_table {
    assay_arena_t *arena;
    uint32_t n_columns;
    bool failed;
    column_t *column; /* (n_columns) */
    row_t *first, *last;
};

assay_table_t *assay_table_create(assay_arena_t *arena, uint32_t n_columns) {
    assert(n_columns >= 1 && n_columns <= MAX_COLUMNS);
    assay_table_t *table = assay_arena_alloc(arena, sizeof *table);
    column_t *column = assay_arena_array(arena, n_columns, sizeof *column);
    if (!table || !column) {
        return NULL;
    }
    *table = (assay_table_t){.arena = arena, .n_columns = n_columns, .column = column};
    return table;
}

void assay_table_column(assay_table_t *table, uint32_t column, const char *name, const char *unit,
                        bool right) {
    if (!table) {
        return;
    }
    assert(column < table->n_columns);
    const char *title = unit[0] ? assay_arena_printf(table->arena, "%s [%s]", name, unit)
                                : assay_arena_strdup(table->arena, name);
    table->failed |= !title;
    table->column[column] = (column_t){title, right, false};
}

void assay_table_whole(assay_table_t *table, uint32_t column) {
    if (table) {
        assert(column < table->n_columns);
        table->column[column].whole = true;
    }
}

void assay_table_row(assay_table_t *table) {
    if (!table || table->failed) {
        return;
    }
    row_t *row =
        assay_arena_alloc(table->arena, sizeof *row + table->n_columns * sizeof row->cell[0]);
    if (!row) {
        table->failed = true;
        return;
    }
    *(table->last ? &table->last->next : &table->first) = row;
    table->last = row;
}

static void set_cell(assay_table_t *table, uint32_t column, const char *text) {
    assert(column < table->n_columns && table->last);
    table->failed |= !text;
    table->last->cell[column] = text;
}

void assay_table_cell(assay_table_t *table, uint32_t column, const char *text) {
    if (table && !table->failed) {
        set_cell(table, column, assay_arena_strdup(table->arena, text ? text : ""));
    }
}

void assay_table_cellf(assay_table_t *table, uint32_t column, const char *format, ...) {
    if (!table || table->failed) {
        return;
    }
    va_list args;
    va_start(args, format);
    set_cell(table, column, assay_arena_vprintf(table->arena, format, args));
    va_end(args);
}

static const char *title_of(const assay_table_t *table, uint32_t column) {
    const char *title = table->column[column].title;
    return title ? title : "";
}

static const char *cell_of(const row_t *row, uint32_t column) {
    return row->cell[column] ? row->cell[column] : "";
}

/* Width of each column of text, with left-aligned ones cut, the widest first, until the table
   fits the limit or none is left to cut. */
static void fit(const assay_table_t *table, size_t limit, size_t *width) {
    size_t total = (size_t)GAP * (table->n_columns - 1);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        width[i] = assay_text_columns(title_of(table, i));
        for (const row_t *row = table->first; row; row = row->next) {
            const size_t columns = assay_text_columns(cell_of(row, i));
            width[i] = columns > width[i] ? columns : width[i];
        }
        total += width[i];
    }
    while (limit && total > limit) {
        size_t *widest = NULL, second = LEAST_WIDTH;
        for (uint32_t i = 0; i < table->n_columns; i++) {
            if (table->column[i].right || table->column[i].whole || width[i] <= LEAST_WIDTH) {
                continue;
            }
            if (!widest || width[i] > *widest) {
                second = widest ? *widest : second;
                widest = &width[i];
            } else if (width[i] > second) {
                second = width[i];
            }
        }
        if (!widest) {
            return;
        }
        /* Down to the next widest at once; between equals one by one. */
        const size_t excess = total - limit, step = *widest > second ? *widest - second : 1;
        *widest -= excess < step ? excess : step;
        total -= excess < step ? excess : step;
    }
}

static void add_spaces(assay_buf_t *out, size_t n) {
    static const char space[] = "                ";
    for (; n > sizeof space - 1; n -= sizeof space - 1) {
        assay_buf_add(out, space, sizeof space - 1);
    }
    assay_buf_add(out, space, n);
}

/* Appends text up to room columns and returns how many it took. What is not printable is replaced,
   in as many columns. */
static size_t add_columns(assay_buf_t *out, const char *text, size_t room) {
    size_t used = 0;
    for (size_t at = 0, n = strlen(text); at < n;) {
        uint32_t code;
        bool printable;
        const size_t length = assay_text_character(text + at, n - at, &code, &printable);
        const size_t columns = assay_utf8_columns(code);
        if (used + columns > room) {
            break;
        }
        if (code < 0x20) {
            assay_buf_add(out, " ", 1);
        } else {
            assay_buf_add(out, printable ? text + at : "?", printable ? length : 1);
        }
        used += columns;
        at += length;
    }
    return used;
}

/* The text in exactly width columns: padded, or cut with "..." at the end. */
static void add_fitted(assay_buf_t *out, const char *text, size_t width, bool right) {
    const size_t columns = assay_text_columns(text);
    if (columns > width) {
        const size_t used = add_columns(out, text, width - strlen("..."));
        assay_buf_puts(out, "...");
        add_spaces(out, width - strlen("...") - used); /* half of a wide character */
        return;
    }
    if (right) {
        add_spaces(out, width - columns);
    }
    (void)add_columns(out, text, width);
    if (!right) {
        add_spaces(out, width - columns);
    }
}

static void print_text_line(const assay_table_t *table, const row_t *row, const size_t *width,
                            assay_buf_t *out) {
    const size_t start = out->n;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        add_spaces(out, i ? GAP : 0);
        add_fitted(out, row ? cell_of(row, i) : title_of(table, i), width[i],
                   table->column[i].right);
    }
    while (out->n > start && out->data[out->n - 1] == ' ') {
        out->data[--out->n] = '\0';
    }
    assay_buf_puts(out, "\n");
}

static void print_text(const assay_table_t *table, uint32_t limit, assay_buf_t *out) {
    size_t width[MAX_COLUMNS];
    fit(table, limit, width);
    print_text_line(table, NULL, width, out);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        add_spaces(out, i ? GAP : 0);
        for (size_t k = 0; k < width[i]; k++) {
            assay_buf_add(out, "-", 1);
        }
    }
    assay_buf_puts(out, "\n");
    for (const row_t *row = table->first; row; row = row->next) {
        print_text_line(table, row, width, out);
    }
}

/* A spreadsheet would run it: =1+1, +1+1, -1+1, @SUM(1). */
static bool is_formula(const char *text) {
    double number;
    return *text != '\0' && text[1] != '\0' && strchr("=+-@\t\r", *text) &&
           !assay_text_to_double(text, strlen(text), &number);
}

/* RFC 4180: quoted when it holds a comma, a quote or a line end; quotes doubled. What a spreadsheet
   would take for a formula gets an apostrophe before it. */
static void add_csv(assay_buf_t *out, const char *text) {
    const bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    assay_buf_puts(out, quoted ? "\"" : "");
    assay_buf_puts(out, is_formula(text) ? "'" : "");
    while (*text) {
        const size_t n = strcspn(text, "\"\t\r\n");
        assay_buf_printable(out, text, n);
        text += n;
        if (*text) {
            assay_buf_add(out, text, 1);
            assay_buf_add(out, text, *text == '"');
            text++;
        }
    }
    assay_buf_puts(out, quoted ? "\"" : "");
}

static void print_csv_line(const assay_table_t *table, const row_t *row, assay_buf_t *out) {
    for (uint32_t i = 0; i < table->n_columns; i++) {
        assay_buf_puts(out, i ? "," : "");
        add_csv(out, row ? cell_of(row, i) : title_of(table, i));
    }
    assay_buf_puts(out, "\n");
}

/* Escapes what would end the cell or be taken as markup; a cell is one line. */
static void add_markdown(assay_buf_t *out, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, "\\|<*`]\t\r\n");
        assay_buf_printable(out, text, n);
        text += n;
        if (*text) {
            const bool space = (unsigned char)*text < 0x20;
            const bool plain = *text == ']' && text[1] != '('; /* no link without both */
            assay_buf_puts(out, space ? " " : plain ? "" : "\\");
            assay_buf_add(out, text, !space);
            text++;
        }
    }
}

static void print_markdown_line(const assay_table_t *table, const row_t *row, assay_buf_t *out) {
    for (uint32_t i = 0; i < table->n_columns; i++) {
        assay_buf_puts(out, i ? " | " : "| ");
        add_markdown(out, row ? cell_of(row, i) : title_of(table, i));
    }
    assay_buf_puts(out, " |\n");
}

void assay_table_print(const assay_table_t *table, assay_table_format_t format, uint32_t width,
                       assay_buf_t *out) {
    if (!table || table->failed) {
        out->failed = true;
        return;
    }
    if (format == ASSAY_TABLE_TEXT) {
        print_text(table, width, out);
        return;
    }
    void (*const print_line)(const assay_table_t *, const row_t *, assay_buf_t *) =
        format == ASSAY_TABLE_CSV ? print_csv_line : print_markdown_line;
    print_line(table, NULL, out);
    if (format == ASSAY_TABLE_MARKDOWN) {
        for (uint32_t i = 0; i < table->n_columns; i++) {
            assay_buf_puts(out, table->column[i].right ? "| ---: " : "| --- ");
        }
        assay_buf_puts(out, "|\n");
    }
    for (const row_t *row = table->first; row; row = row->next) {
        print_line(table, row, out);
    }
}

void assay_table_each(const assay_table_t *table, assay_table_cell_fn cell, void *ctx) {
    const row_t *row = NULL;
    for (uint32_t r = 0; table && (r == 0 || row); r++) {
        for (uint32_t i = 0; i < table->n_columns; i++) {
            cell(ctx, r, i, table->column[i].right, row ? cell_of(row, i) : title_of(table, i));
        }
        row = row ? row->next : table->first;
    }
}
