/* Load over time: a table of times and loads, sorted to a load-duration curve. */
#include "assay/load_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/csv.h"
#include "assay/day.h"
#include "assay/text.h"

#include "base/banned.h"

#define HOUR_S 3600.0
#define DAY_S 86400.0
#define FREQUENT_S 1800.0   /* rows nearer than that are averaged to hours */
#define MOST_STEP_S 90000.0 /* a day, with an hour for daylight saving */
#define MOST_STEPS (20u * 8784u)
#define LEAST_UNIX_S 946684800.0 /* 2000-01-01 */
#define MOST_UNIX_S 4102444800.0 /* 2100-01-01 */
#define SLACK 1.001              /* ratios of counters are above 1 by their last digits */

typedef struct {
    int index;
    uint8_t unit;
    const char *said_by; /* NULL: nobody yet, or who asks */
} column_t;

typedef struct {
    double at_s, load; /* NAN: missing */
    uint32_t row;
} sample_t;

typedef struct {
    assay_arena_t *arena;
    const assay_load_ask_t *ask;
    assay_csv_t csv;
    int time;
    column_t *column;
    uint32_t n_column;
    sample_t *sample; /* (csv.n_rows) */
    assay_error_t *err;
    assay_load_file_t *out;
} reader_t;

static assay_status_t refuse(const reader_t *reader, uint32_t row, const char *what,
                             const char *name, const char *cell, const char *next) {
    const assay_place_t at = assay_csv_place(&reader->csv, row);
    assay_error_set(reader->err, ASSAY_INPUT, &at, "column '%.60s': '%.40s' is %s", name, cell,
                    what);
    assay_error_next(reader->err, "%s", next);
    return ASSAY_INPUT;
}

/* ---- the table ---- */

/* Excel's first line "sep=;" names the separator; else it is a semicolon where the header has some
   and no comma. */
static char separator_of(const char **io_data, size_t *io_size, uint32_t *out_line) {
    const char *data = *io_data, *feed = memchr(data, '\n', *io_size);
    const size_t first = feed ? (size_t)(feed - data) : *io_size;
    *out_line = 1;
    if (first >= 5 && memcmp(data, "sep=", 4) == 0 && (data[4] == ',' || data[4] == ';')) {
        *io_data = feed ? feed + 1 : data + first;
        *io_size -= (size_t)(*io_data - data);
        *out_line = 2;
        return data[4];
    }
    bool quoted = false, semicolon = false, comma = false;
    for (size_t i = 0; i < first; i++) {
        quoted = quoted != (data[i] == '"');
        semicolon |= !quoted && data[i] == ';';
        comma |= !quoted && data[i] == ',';
    }
    return semicolon && !comma ? ';' : ',';
}

static assay_status_t read_table(reader_t *reader, const char *file, const char *data,
                                 size_t size) {
    uint32_t line;
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        data += 3;
        size -= 3;
    }
    while (size > 0 && (data[size - 1] == '\n' || data[size - 1] == '\r')) {
        size--; /* Grafana ends with a blank line */
    }
    const char separator = separator_of(&data, &size, &line);
    return assay_csv_parse_as(reader->arena, file, data, size, separator, line, &reader->csv,
                              reader->err);
}

/* ---- its columns ---- */

static int find_time(const assay_csv_t *csv) {
    static const char *const name[] = {"time", "timestamp", "date"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        for (uint32_t i = 0; i < csv->n_columns; i++) {
            if (assay_text_equal_fold(csv->header[i], name[k])) {
                return (int)i;
            }
        }
    }
    return 0;
}

/* What its name says; two that differ say nothing. */
static uint8_t unit_of(const assay_load_ask_t *ask, const char *name) {
    uint8_t unit = ASSAY_LOAD_UNSAID;
    for (uint32_t i = 0; i < ask->n_word; i++) {
        if (!strcasestr(name, ask->word[i].contains)) {
            continue;
        }
        if (unit != ASSAY_LOAD_UNSAID && unit != ask->word[i].unit) {
            return ASSAY_LOAD_UNSAID;
        }
        unit = ask->word[i].unit;
    }
    return unit;
}

static void add_column(reader_t *reader, int index) {
    const assay_load_ask_t *ask = reader->ask;
    const char *name = reader->csv.header[index];
    column_t *column = &reader->column[reader->n_column++];
    *column = (column_t){.index = index, .unit = ask->unit};
    if (ask->unit == ASSAY_LOAD_UNSAID) {
        column->unit = unit_of(ask, name);
        column->said_by = column->unit == ASSAY_LOAD_UNSAID ? NULL : name;
    }
}

static assay_status_t no_column(const reader_t *reader, const char *name) {
    const assay_csv_t *csv = &reader->csv;
    const char *near = assay_text_nearest(name, csv->header, csv->n_columns);
    assay_error_set(reader->err, ASSAY_INPUT, &(assay_place_t){csv->file, 1, 0},
                    "no column of loads is called '%.60s'", name);
    assay_error_next(reader->err, near ? "did you mean '%.60s'?" : "the last is '%.60s'",
                     near ? near : csv->header[csv->n_columns - 1]);
    return ASSAY_INPUT;
}

static assay_status_t find_columns(reader_t *reader) {
    const assay_load_ask_t *ask = reader->ask;
    const assay_csv_t *csv = &reader->csv;
    reader->time = find_time(csv);
    reader->column =
        assay_arena_array(reader->arena, csv->n_columns + ask->n_column, sizeof *reader->column);
    if (!reader->column) {
        return assay_error_memory(reader->err, NULL);
    }
    for (uint32_t i = 0; i < ask->n_column; i++) {
        const int index = assay_csv_column(csv, ask->column[i]);
        if (index < 0 || index == reader->time) {
            return no_column(reader, ask->column[i]);
        }
        add_column(reader, index);
    }
    for (uint32_t i = 0; i < csv->n_columns && ask->n_column == 0; i++) {
        if ((int)i != reader->time) {
            add_column(reader, (int)i);
        }
    }
    if (reader->n_column == 0) {
        assay_error_set(reader->err, ASSAY_INPUT, &(assay_place_t){csv->file, 1, 0},
                        "the only column is that of the time");
        assay_error_next(reader->err, "give a table of times and loads");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

/* ---- its cells ---- */

/* A number of seconds, milli-, micro- or nanoseconds: only one of them lies within the years. */
static bool read_time(const char *cell, double *out_s) {
    const size_t n = strlen(cell);
    if (!assay_text_to_double(cell, n, out_s)) {
        return assay_time_parse(cell, n, out_s) && *out_s >= LEAST_UNIX_S && *out_s < MOST_UNIX_S;
    }
    for (double per_s = 1; per_s <= 1e9; per_s *= 1e3) {
        const double at_s = *out_s / per_s;
        if (at_s >= LEAST_UNIX_S && at_s < MOST_UNIX_S) {
            *out_s = at_s;
            return true;
        }
    }
    return false;
}

static bool is_missing(const char *cell) {
    static const char *const word[] = {"", "nan", "null", "undefined", "na", "n/a", "-"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        if (assay_text_equal_fold(cell, word[i])) {
            return true;
        }
    }
    return false;
}

/* A % behind the number, as "formatted data" has it, says what the column is in. */
static bool take_percent(const reader_t *reader, column_t *column, const char *cell, size_t *io_n) {
    size_t n = *io_n;
    if (n == 0 || cell[n - 1] != '%') {
        return true;
    }
    for (n--; n > 0 && cell[n - 1] == ' '; n--) {
    }
    *io_n = n;
    if (reader->ask->unit == ASSAY_LOAD_UNSAID) {
        column->unit = ASSAY_LOAD_PERCENT;
        column->said_by = NULL;
    }
    return column->unit == ASSAY_LOAD_PERCENT;
}

/* *out: NAN where the cell is empty; of AMOUNT not yet over the full amount. */
static assay_status_t read_load(const reader_t *reader, uint32_t row, column_t *column,
                                double *out) {
    const char *name = reader->csv.header[column->index];
    const char *cell = assay_csv_cell(&reader->csv, row, column->index);
    size_t n = strlen(cell);
    *out = (double)NAN;
    if (is_missing(cell)) {
        return ASSAY_OK;
    }
    if (!take_percent(reader, column, cell, &n)) {
        return refuse(reader, row, "in percent, which is not what was asked for", name, cell,
                      "give the unit percent, or leave it out");
    }
    if (!assay_text_to_double(cell, n, out)) {
        return refuse(reader, row, "no number", name, cell,
                      "correct the row, or name the columns of loads (load_file.columns)");
    }
    if (column->unit == ASSAY_LOAD_UNSAID) {
        assay_error_set(reader->err, ASSAY_INPUT, &(assay_place_t){reader->csv.file, 1, 0},
                        "column '%.60s' does not say whether 1 is 1 %% or all", name);
        assay_error_next(reader->err,
                         "give load_file.unit: percent or fraction, or load_file.full: "
                         "the amount that means all");
        return ASSAY_INPUT;
    }
    const double all = column->unit == ASSAY_LOAD_PERCENT    ? 100.0
                       : column->unit == ASSAY_LOAD_FRACTION ? 1.0
                                                             : (double)INFINITY;
    if (!(*out >= 0.0 && *out <= all * SLACK)) {
        return refuse(reader, row,
                      all > 1.0 ? "no load: below 0 or above 100 %" : "no load: below 0 or above 1",
                      name, cell,
                      "correct the row or the unit; leave the cell empty where unknown");
    }
    *out = isfinite(all) ? fmin(1.0, *out / all) : *out;
    return ASSAY_OK;
}

/* The mean of what is there; of amounts the sum, where all are. */
static assay_status_t read_row(reader_t *reader, uint32_t row) {
    const bool amount = reader->ask->unit == ASSAY_LOAD_AMOUNT;
    sample_t *sample = &reader->sample[row];
    const char *time = assay_csv_cell(&reader->csv, row, reader->time);
    double sum = 0.0;
    uint32_t n = 0;
    *sample = (sample_t){.row = row, .load = (double)NAN};
    if (!read_time(time, &sample->at_s)) {
        return refuse(reader, row, "no time from 2000 to 2100", reader->csv.header[reader->time],
                      time, "write 2026-01-31T13:00:00Z, or seconds or milliseconds since 1970");
    }
    for (uint32_t i = 0; i < reader->n_column; i++) {
        double load;
        const assay_status_t status = read_load(reader, row, &reader->column[i], &load);
        if (status) {
            return status;
        }
        sum += isnan(load) ? 0.0 : load;
        n += isnan(load) ? 0 : 1;
    }
    reader->out->cells += reader->n_column;
    reader->out->missing += reader->n_column - n;
    if (n == 0 || (amount && n < reader->n_column)) {
        return ASSAY_OK;
    }
    sample->load = amount ? sum / reader->ask->full : sum / n;
    if (sample->load > SLACK) {
        const assay_place_t at = assay_csv_place(&reader->csv, row);
        assay_error_set(reader->err, ASSAY_INPUT, &at, "%g is more than the %g that mean all", sum,
                        reader->ask->full);
        assay_error_next(reader->err, "correct load_file.full or the row");
        return ASSAY_INPUT;
    }
    sample->load = fmin(1.0, sample->load);
    return ASSAY_OK;
}

/* ---- to a curve ---- */

static int by_time(const void *a, const void *b) {
    const sample_t *x = a, *y = b;
    return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

static int rising(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int falling(const void *a, const void *b) {
    return rising(b, a);
}

/* The median of what lies between two rows. */
static assay_status_t find_step(const reader_t *reader, double *out_s) {
    const uint32_t n = reader->csv.n_rows;
    double *gap = assay_arena_array(reader->arena, n, sizeof *gap);
    if (!gap) {
        return assay_error_memory(reader->err, NULL);
    }
    for (uint32_t i = 1; i < n; i++) {
        const sample_t *before = &reader->sample[i - 1], *after = &reader->sample[i];
        gap[i - 1] = after->at_s - before->at_s;
        if (!(gap[i - 1] > 0.0)) {
            const uint32_t later = before->row > after->row ? before->row : after->row;
            return refuse(reader, later, "the time of another row",
                          reader->csv.header[reader->time],
                          assay_csv_cell(&reader->csv, later, reader->time),
                          "join the series by time, one row each; export in UTC where clocks were "
                          "set back");
        }
    }
    qsort(gap, n - 1, sizeof *gap, rising);
    *out_s = gap[(n - 2) / 2];
    return ASSAY_OK;
}

static assay_status_t make_curve(reader_t *reader) {
    assay_load_file_t *out = reader->out;
    const sample_t *sample = reader->sample;
    const uint32_t n = reader->csv.n_rows;
    double usual_s = 0.0;
    const assay_status_t status = find_step(reader, &usual_s);
    if (status) {
        return status;
    }
    const bool hours = usual_s < FREQUENT_S;
    out->first_s = sample[0].at_s;
    out->last_s = sample[n - 1].at_s;
    out->step_s = hours ? HOUR_S : usual_s;
    const double origin_s =
        hours ? floor(out->first_s / HOUR_S) * HOUR_S : out->first_s - 0.5 * usual_s;
    const double steps = floor((out->last_s - origin_s) / out->step_s) + 1.0;
    if (usual_s > MOST_STEP_S || steps > MOST_STEPS) {
        assay_error_set(reader->err, ASSAY_INPUT, &(assay_place_t){out->file, 0, 0},
                        "rows are %g h apart over %g d; a curve takes a day and 20 years",
                        usual_s / HOUR_S, (out->last_s - out->first_s) / DAY_S);
        assay_error_next(reader->err, "give the load by the hour, of a year");
        return ASSAY_INPUT;
    }
    out->n_step = (uint32_t)steps;
    out->load = assay_arena_array(reader->arena, out->n_step, sizeof *out->load);
    if (!out->load) {
        return assay_error_memory(reader->err, NULL);
    }
    for (uint32_t i = 0; i < n;) { /* rows of one step */
        const double step = floor((sample[i].at_s - origin_s) / out->step_s);
        double sum = 0.0;
        uint32_t there = 0;
        for (; i < n && !(floor((sample[i].at_s - origin_s) / out->step_s) > step); i++) {
            sum += isnan(sample[i].load) ? 0.0 : sample[i].load;
            there += isnan(sample[i].load) ? 0 : 1;
        }
        if (there > 0) {
            out->load[out->n++] = sum / there;
            out->mean += sum / there;
        }
    }
    out->mean /= out->n > 0 ? out->n : 1;
    qsort(out->load, out->n, sizeof *out->load, falling);
    return ASSAY_OK;
}

assay_status_t assay_load_file_parse(assay_arena_t *arena, const char *file, const char *data,
                                     size_t size, const assay_load_ask_t *ask,
                                     assay_load_file_t *out, assay_error_t *err) {
    assay_load_file_t load = {.file = file};
    reader_t reader = {.arena = arena, .ask = ask, .err = err, .out = &load};
    assay_status_t status = read_table(&reader, file, data, size);
    status = status ? status : find_columns(&reader);
    if (status) {
        return status;
    }
    const uint32_t n = reader.csv.n_rows;
    reader.sample = assay_arena_array(arena, n + 1, sizeof *reader.sample);
    if (!reader.sample) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < n && !status; row++) {
        status = read_row(&reader, row);
    }
    if (status) {
        return status;
    }
    load.columns = reader.n_column;
    load.unit = reader.column[0].unit;
    load.said_by = reader.column[0].said_by;
    if (n < 2 || load.missing == load.cells) {
        assay_error_set(err, ASSAY_INPUT, &(assay_place_t){file, 0, 0},
                        n < 2 ? "a curve needs two rows" : "no row has a load");
        assay_error_next(err, "give times and loads of a year, by the hour");
        return ASSAY_INPUT;
    }
    qsort(reader.sample, n, sizeof *reader.sample, by_time);
    status = make_curve(&reader);
    if (status == ASSAY_OK && load.n == 0) {
        assay_error_set(err, ASSAY_INPUT, &(assay_place_t){file, 0, 0},
                        "no row has all of its amounts");
        assay_error_next(err, "name the columns that are filled (load_file.columns)");
        status = ASSAY_INPUT;
    }
    if (status == ASSAY_OK) {
        *out = load;
    }
    return status;
}

assay_status_t assay_load_file_read(assay_arena_t *arena, const char *path,
                                    const assay_load_ask_t *ask, assay_load_file_t *out,
                                    assay_error_t *err) {
    char *data;
    size_t size;
    const assay_status_t status =
        assay_file_read(arena, path, ASSAY_LOAD_FILE_MAX_BYTES, &data, &size, err);
    return status ? status : assay_load_file_parse(arena, path, data, size, ask, out, err);
}
