/* Lines of a log against the patterns of oom_messages.csv. */
#include "assay/oom_log.h"

#include <string.h>

#include "assay/catalog.h"
#include "assay/text.h"
#include "assay/units.h"

#include "base/banned.h"

#define TABLE "oom_messages.csv"
#define LINE_MAX ((size_t)4096) /* bytes of a line that are looked at */
#define NAME_MAX 32

enum { PROGRAM, PATTERN, PART, STAGE, WHEN, SENTENCE, FIXES, N_COLUMN };
static const char *const column_name[N_COLUMN] = {"program", "pattern",  "part", "stage",
                                                  "when",    "sentence", "fixes"};

typedef struct {
    assay_arena_t *arena;
    assay_csv_t csv;
    int column[N_COLUMN];
    assay_error_t *err;
} table_t;

static const char *cell(const table_t *table, uint32_t row, int column) {
    return assay_csv_cell(&table->csv, row, table->column[column]);
}

double assay_oom_figure(const assay_oom_t *oom, const char *name, double otherwise) {
    for (uint32_t i = 0; i < oom->n_figure; i++) {
        if (strcmp(oom->figure[i].name, name) == 0) {
            return oom->figure[i].value;
        }
    }
    return otherwise;
}

typedef struct {
    const char *name; /* in the pattern, n_name bytes */
    size_t n_name;
    double value;
} capture_t;
#define CAPTURE_MAX 8

/* The first of a figure counts: later lines repeat it for other ranks. */
static assay_status_t keep_figure(assay_arena_t *arena, assay_oom_t *oom, const capture_t *capture,
                                  assay_error_t *err) {
    for (uint32_t i = 0; i < oom->n_figure; i++) {
        const char *name = oom->figure[i].name;
        if (strlen(name) == capture->n_name && memcmp(name, capture->name, capture->n_name) == 0) {
            return ASSAY_OK;
        }
    }
    if (oom->n_figure == ASSAY_OOM_FIGURE_MAX) {
        return ASSAY_OK;
    }
    const char *name = assay_arena_strndup(arena, capture->name, capture->n_name);
    if (!name) {
        return assay_error_memory(err, NULL);
    }
    oom->figure[oom->n_figure++] = (assay_oom_figure_t){name, capture->value};
    return ASSAY_OK;
}

/* A number at text[0..n), thousands apart by commas; bytes where it is a size with its unit. */
static size_t read_figure(const char *text, size_t n, bool size, double *out_value) {
    char digits[32];
    size_t used = 0, kept = 0;
    while (used < n && kept + 1 < sizeof digits &&
           ((text[used] >= '0' && text[used] <= '9') || text[used] == '.' || text[used] == ',' ||
            (text[used] == '-' && used == 0))) {
        if (text[used] != ',') {
            digits[kept++] = text[used];
        }
        used++;
    }
    while (kept > 0 && digits[kept - 1] == '.') { /* the end of a sentence */
        kept--;
        used--;
    }
    if (kept == 0 || !assay_text_to_double(digits, kept, out_value)) {
        return 0;
    }
    if (!size) {
        return used;
    }
    size_t unit = used + (used < n && text[used] == ' ');
    const size_t start = unit;
    while (unit < n &&
           ((text[unit] >= 'A' && text[unit] <= 'Z') || (text[unit] >= 'a' && text[unit] <= 'z'))) {
        unit++;
    }
    double one;
    char word[48] = "1 ";
    if (unit == start || unit - start > 8) {
        return 0;
    }
    memcpy(word + 2, text + start, unit - start);
    if (assay_units_parse(word, strlen(word), ASSAY_DIM_BYTES, 0, NULL, &one, NULL) != ASSAY_OK) {
        return 0;
    }
    *out_value *= one;
    return unit;
}

typedef struct {
    capture_t capture[CAPTURE_MAX];
    uint32_t n;
} match_t;

/* pattern from here on against the start of text: literal bytes, {name}, {name:size}, and * for any
   bytes up to the next literal. */
static bool matches_here(const char *pattern, const char *text, size_t n, match_t *match) {
    size_t at = 0;
    while (*pattern) {
        if (*pattern == '*') {
            for (pattern++; at <= n; at++) {
                const uint32_t kept = match->n;
                if (matches_here(pattern, text + at, n - at, match)) {
                    return true;
                }
                match->n = kept;
            }
            return false;
        }
        const char *end = *pattern == '{' ? strchr(pattern, '}') : NULL;
        if (!end) {
            if (at >= n || text[at] != *pattern) {
                return false;
            }
            at++;
            pattern++;
            continue;
        }
        const char *colon = memchr(pattern, ':', (size_t)(end - pattern));
        const size_t length = (size_t)((colon ? colon : end) - pattern) - 1;
        double value;
        const size_t used = read_figure(text + at, n - at, colon != NULL, &value);
        if (used == 0 || match->n == CAPTURE_MAX) {
            return false;
        }
        match->capture[match->n++] = (capture_t){pattern + 1, length, value};
        at += used;
        pattern = end + 1;
    }
    return true;
}

static bool matches(const char *pattern, const char *line, size_t n, match_t *match) {
    const char first = pattern[0];
    for (size_t at = 0; at < n; at++) {
        match->n = 0;
        if (line[at] == first && matches_here(pattern, line + at, n - at, match)) {
            return true;
        }
    }
    return false;
}

/* "a>b" of two figures; "" always holds. Unknown figures do not. */
static bool holds(const assay_oom_t *oom, const char *when) {
    char name[NAME_MAX];
    const char *sign = strchr(when, '>');
    if (!sign || (size_t)(sign - when) >= sizeof name) {
        return when[0] == '\0';
    }
    memcpy(name, when, (size_t)(sign - when));
    name[sign - when] = '\0';
    const double left = assay_oom_figure(oom, name, -1),
                 right = assay_oom_figure(oom, sign + 1, -1);
    return left >= 0 && right >= 0 && left > right;
}

/* The template with {name} as a number and {name:size} with its unit. */
static const char *fill_in(assay_arena_t *arena, const assay_oom_t *oom, const char *text,
                           size_t n) {
    assay_buf_t out;
    assay_buf_init(&out, 4096);
    for (size_t i = 0; i < n; i++) {
        const char *end = text[i] == '{' ? memchr(text + i, '}', n - i) : NULL;
        if (!end) {
            assay_buf_add(&out, text + i, 1);
            continue;
        }
        char name[NAME_MAX] = "", number[48];
        const char *colon = memchr(text + i, ':', (size_t)(end - text) - i);
        const size_t length = (size_t)((colon ? colon : end) - text) - i - 1;
        memcpy(name, text + i + 1, length < sizeof name ? length : sizeof name - 1);
        const double value = assay_oom_figure(oom, name, -1);
        if (value < 0) {
            assay_buf_puts(&out, "?");
        } else if (colon) {
            assay_buf_puts(&out, assay_units_format(value, ASSAY_DIM_MEMORY, number));
        } else {
            assay_buf_printf(&out, "%.0f", value);
        }
        i = (size_t)(end - text);
    }
    const char *copy = assay_arena_strndup(arena, out.n ? out.data : "", out.n);
    assay_buf_done(&out);
    return copy;
}

/* "set|why;set|why" */
static assay_status_t read_fixes(const table_t *table, const char *text, assay_oom_t *io) {
    while (*text && io->n_fix < ASSAY_OOM_FIX_MAX) {
        const size_t whole = strcspn(text, ";");
        const char *bar = memchr(text, '|', whole);
        const size_t n_set = bar ? (size_t)(bar - text) : whole;
        assay_oom_fix_t *fix = &io->fix[io->n_fix++];
        fix->set = fill_in(table->arena, io, text, n_set);
        fix->why = bar ? fill_in(table->arena, io, bar + 1, whole - n_set - 1) : "";
        if (!fix->set || !fix->why) {
            return assay_error_memory(table->err, NULL);
        }
        text += whole + (text[whole] == ';');
    }
    return ASSAY_OK;
}

typedef struct {
    const char *text;
    size_t n;
    uint32_t number; /* 0 = the pattern was not seen */
} seen_t;

static assay_status_t scan_lines(const table_t *table, const char *data, size_t size, seen_t *seen,
                                 assay_oom_t *io) {
    uint32_t number = 0;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(data + at, '\n', size - at);
        const size_t whole = end ? (size_t)(end - (data + at)) : size - at;
        const size_t n = whole < LINE_MAX ? whole : LINE_MAX;
        number++;
        for (uint32_t row = 0; row < table->csv.n_rows; row++) {
            match_t match;
            if (!matches(cell(table, row, PATTERN), data + at, n, &match)) {
                continue;
            }
            for (uint32_t i = 0; i < match.n; i++) {
                const assay_status_t status =
                    keep_figure(table->arena, io, &match.capture[i], table->err);
                if (status != ASSAY_OK) {
                    return status;
                }
            }
            if (seen[row].number == 0) {
                seen[row] = (seen_t){data + at, n, number};
            }
        }
        at += whole + 1;
    }
    return ASSAY_OK;
}

static assay_status_t load(const char *const *dir, uint32_t n_dir, table_t *io) {
    const assay_status_t status = assay_data_table(io->arena, TABLE, dir, n_dir, &io->csv, io->err);
    for (int i = 0; status == ASSAY_OK && i < N_COLUMN; i++) {
        io->column[i] = assay_csv_column(&io->csv, column_name[i]);
    }
    for (uint32_t row = 0; status == ASSAY_OK && row < io->csv.n_rows; row++) {
        if (cell(io, row, PATTERN)[0] == '\0' || cell(io, row, PATTERN)[0] == '*' ||
            cell(io, row, PATTERN)[0] == '{') {
            const assay_place_t at = assay_csv_place(&io->csv, row);
            return assay_error_set(io->err, ASSAY_INPUT, &at, "a pattern begins with text");
        }
    }
    return status;
}

assay_status_t assay_oom_read(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                              const char *data, size_t size, assay_oom_t *out, assay_error_t *err) {
    table_t table = {.arena = arena, .err = err};
    assay_status_t status = load(dir, n_dir, &table);
    seen_t *seen =
        status == ASSAY_OK ? assay_arena_array(arena, table.csv.n_rows, sizeof *seen) : NULL;
    if (status != ASSAY_OK || !seen) {
        return status != ASSAY_OK ? status : assay_error_memory(err, NULL);
    }
    *out = (assay_oom_t){0};
    status = scan_lines(&table, data, size, seen, out);
    uint32_t row = 0; /* the table's order is from what says most to what says least */
    while (row < table.csv.n_rows && (!seen[row].number || cell(&table, row, PART)[0] == '\0' ||
                                      !holds(out, cell(&table, row, WHEN)))) {
        row++;
    }
    if (status != ASSAY_OK || row == table.csv.n_rows) {
        if (status == ASSAY_OK) {
            status = assay_error_set(err, ASSAY_NOT_FOUND, NULL,
                                     "no line of the log is a known message of missing memory");
            assay_error_next(err, "paste it from the first \"out of memory\" or \"KV cache\" on");
        }
        return status;
    }
    const char *sentence = cell(&table, row, SENTENCE);
    out->program = cell(&table, row, PROGRAM);
    out->part = cell(&table, row, PART);
    out->stage = cell(&table, row, STAGE);
    out->line = seen[row].number;
    out->evidence =
        assay_arena_strndup(arena, seen[row].text, seen[row].n < 300 ? seen[row].n : 300);
    out->sentence = fill_in(arena, out, sentence, strlen(sentence));
    return out->evidence && out->sentence ? read_fixes(&table, cell(&table, row, FIXES), out)
                                          : assay_error_memory(err, NULL);
}
