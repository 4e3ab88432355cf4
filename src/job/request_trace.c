/* Traces of requests: CSV with known columns, and JSON lines. */
#include "assay/request_trace.h"

#include <math.h>
#include <string.h>

#include "assay/day.h"
#include "assay/text.h"

#include "base/banned.h"

#define NS_PER_S 1e9
/* kvcache-ai/Mooncake FAST25-release/README.md: "each block has 512 tokens" */
#define MOONCAKE_BLOCK_TOKENS 512u
#define MAX_SPAN_S 4e9 /* fits nanoseconds */

typedef enum { TIME_NONE, TIME_DATE, TIME_S, TIME_MS } time_unit_t;

typedef struct {
    const char *format;
    const char *time, *input, *output;
    time_unit_t unit;
} layout_t;

/* The first whose columns are all there; one without its times may stand after it. */
static const layout_t layouts[] = {
    {"Azure", "TIMESTAMP", "ContextTokens", "GeneratedTokens", TIME_DATE},
    {"BurstGPT", "Timestamp", "Request tokens", "Response tokens", TIME_S},
    {"Vidur", "arrived_at", "num_prefill_tokens", "num_decode_tokens", TIME_S},
    {"Vidur", NULL, "num_prefill_tokens", "num_decode_tokens", TIME_NONE},
    {"assay", "arrival_s", "input_tokens", "output_tokens", TIME_S},
    {"assay", NULL, "input_tokens", "output_tokens", TIME_NONE},
};
enum { N_LAYOUT = sizeof layouts / sizeof layouts[0], MAX_COLUMNS = 64 };

/* ---- reading ---- */

typedef struct {
    const char *text;
    size_t n;
} slice_t;

typedef struct {
    assay_arena_t *arena;
    const char *file, *at, *end, *line_start;
    uint32_t line;
    assay_error_t *err;
    assay_request_trace_t *out;
    uint64_t capacity;
    uint32_t hash_capacity;
    double first_s, last_s; /* times of the first request and of the last row */
} reader_t;

static assay_status_t refuse(const reader_t *reader, const char *at, const char *what,
                             const slice_t *found, const char *next) {
    const assay_place_t place = {reader->file, reader->line,
                                 (uint32_t)(at - reader->line_start) + 1};
    if (found) {
        const int n = found->n < 40 ? (int)found->n : 40;
        assay_error_set(reader->err, ASSAY_INPUT, &place, "%s, found '%.*s'", what, n, found->text);
    } else {
        assay_error_set(reader->err, ASSAY_INPUT, &place, "%s", what);
    }
    assay_error_next(reader->err, "%s", next);
    return ASSAY_INPUT;
}

/* The next line without its end. */
static bool next_line(reader_t *reader, slice_t *out) {
    if (reader->at >= reader->end) {
        return false;
    }
    const char *line_end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    const char *stop = line_end ? line_end : reader->end;
    reader->line_start = reader->at;
    reader->line++;
    out->text = reader->at;
    out->n = (size_t)(stop - reader->at);
    out->n -= out->n > 0 && out->text[out->n - 1] == '\r';
    reader->at = line_end ? line_end + 1 : reader->end;
    return true;
}

/* Room for one more; an array of the arena is copied into one twice as long. */
static void *grown(reader_t *reader, const void *old, uint64_t n, size_t each) {
    void *more = n <= SIZE_MAX / 2 / each ? assay_arena_array(reader->arena, 2 * n, each) : NULL;
    if (more && old) {
        memcpy(more, old, n * each);
    }
    return more;
}

static assay_status_t add_request(reader_t *reader, double time_s, double input, double output) {
    assay_request_trace_t *out = reader->out;
    if (out->n + out->failed > 0 && time_s < reader->last_s) {
        return refuse(reader, reader->line_start, "the request came before the one above it", NULL,
                      "sort the rows by time");
    }
    reader->last_s = time_s;
    if (output < 1) {
        out->failed++;
        return ASSAY_OK;
    }
    if (out->n == reader->capacity) {
        assay_request_t *more = grown(
            reader, out->request, reader->capacity ? reader->capacity : 512, sizeof *out->request);
        if (!more) {
            return assay_error_memory(reader->err, NULL);
        }
        out->request = more;
        reader->capacity = reader->capacity ? 2 * reader->capacity : 1024;
    }
    reader->first_s = out->n == 0 ? time_s : reader->first_s;
    out->request[out->n++] =
        (assay_request_t){.arrival_ns = (int64_t)floor((time_s - reader->first_s) * NS_PER_S + 0.5),
                          .input_tokens = input < 1 ? 1 : (uint32_t)input,
                          .output_tokens = (uint32_t)output,
                          .first_hash = out->n_hash};
    out->input_mean += input;
    out->output_mean += output;
    return ASSAY_OK;
}

static assay_status_t read_tokens(const reader_t *reader, const slice_t *cell, double *out) {
    if (assay_text_to_double(cell->text, cell->n, out) && *out >= 0 &&
        *out <= ASSAY_REQUEST_TRACE_MAX_TOKENS) {
        *out = floor(*out);
        return ASSAY_OK;
    }
    return refuse(reader, cell->text, "expected a number of tokens, 0 to 8388608", cell,
                  "correct the row, or leave it out");
}

static assay_status_t read_seconds(const reader_t *reader, const slice_t *cell, double scale,
                                   double *out) {
    if (assay_text_to_double(cell->text, cell->n, out) && *out >= 0 && *out * scale <= MAX_SPAN_S) {
        *out *= scale;
        return ASSAY_OK;
    }
    return refuse(reader, cell->text, "expected a time as a number", cell,
                  "correct the row, or leave it out");
}

/* ---- CSV ---- */

/* Fields of a line; those beyond MAX_COLUMNS are left out. No field of these formats is quoted. */
static uint32_t split(const slice_t *line, slice_t *out) {
    const char *at = line->text, *end = line->text + line->n;
    uint32_t n = 0;
    while (n < MAX_COLUMNS) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        out[n++] = (slice_t){at, (size_t)((comma ? comma : end) - at)};
        if (!comma) {
            break;
        }
        at = comma + 1;
    }
    return n;
}

static int find(const slice_t *cell, uint32_t n, const char *name) {
    for (uint32_t i = 0; name && i < n; i++) {
        if (cell[i].n == strlen(name) && memcmp(cell[i].text, name, cell[i].n) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static assay_status_t read_time(const reader_t *reader, const slice_t *cell, time_unit_t unit,
                                double *out_s) {
    if (unit != TIME_DATE) {
        return read_seconds(reader, cell, unit == TIME_MS ? 1e-3 : 1, out_s);
    }
    /* a zone is the same for all rows, and only differences count */
    return assay_time_parse(cell->text, cell->n, out_s)
               ? ASSAY_OK
               : refuse(reader, cell->text, "expected a date such as 2023-11-16 18:15:46.68", cell,
                        "correct the row, or leave it out");
}

static assay_status_t parse_csv(reader_t *reader) {
    slice_t line = {reader->at, 0}, cell[MAX_COLUMNS];
    const layout_t *layout = NULL;
    int time = -1, input = -1, output = -1;
    (void)next_line(reader, &line);
    uint32_t n = split(&line, cell);
    for (int i = 0; i < N_LAYOUT && !layout; i++) {
        time = find(cell, n, layouts[i].time);
        input = find(cell, n, layouts[i].input);
        output = find(cell, n, layouts[i].output);
        layout = (time >= 0 || !layouts[i].time) && input >= 0 && output >= 0 ? &layouts[i] : NULL;
    }
    if (!layout) {
        return refuse(reader, line.text, "the columns are of no known trace of requests", &line,
                      "name the columns arrival_s, input_tokens, output_tokens");
    }
    const int most =
        time > input ? (time > output ? time : output) : (input > output ? input : output);
    reader->out->format = layout->format;
    reader->out->timed = layout->unit != TIME_NONE;
    assay_status_t status = ASSAY_OK;
    while (!status && next_line(reader, &line)) {
        double at_s = 0, tokens[2];
        if (line.n == 0) {
            continue;
        }
        n = split(&line, cell);
        if ((int)n <= most) {
            return refuse(reader, line.text + line.n, "the row ends before its last column", NULL,
                          "correct the row, or leave it out");
        }
        status = layout->unit ? read_time(reader, &cell[time], layout->unit, &at_s) : ASSAY_OK;
        status = status ? status : read_tokens(reader, &cell[input], &tokens[0]);
        status = status ? status : read_tokens(reader, &cell[output], &tokens[1]);
        status = status ? status : add_request(reader, at_s, tokens[0], tokens[1]);
    }
    return status;
}

/* ---- JSON lines ---- */

typedef struct {
    const char *at, *end;
} cursor_t;

static void skip_blanks(cursor_t *cursor) {
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t')) {
        cursor->at++;
    }
}

static bool take(cursor_t *cursor, char what) {
    skip_blanks(cursor);
    return cursor->at < cursor->end && *cursor->at == what && cursor->at++;
}

/* Up to the end of a value that is no list and no object; text in quotes with them. */
static slice_t take_scalar(cursor_t *cursor) {
    skip_blanks(cursor);
    slice_t out = {cursor->at, 0};
    bool quoted = false;
    while (cursor->at < cursor->end && (quoted || !strchr(",]} \t:", *cursor->at))) {
        quoted = quoted != (*cursor->at == '"');
        cursor->at += quoted && *cursor->at == '\\' && cursor->at + 1 < cursor->end ? 2 : 1;
    }
    out.n = (size_t)(cursor->at - out.text);
    return out;
}

static assay_status_t read_hashes(reader_t *reader, cursor_t *cursor) {
    assay_request_trace_t *out = reader->out;
    const char *next = "write \"hash_ids\": [0, 1, 2]";
    if (!take(cursor, '[')) {
        return refuse(reader, cursor->at, "expected a list of numbers", NULL, next);
    }
    if (take(cursor, ']')) {
        return ASSAY_OK;
    }
    do {
        uint64_t id;
        const slice_t number = take_scalar(cursor);
        if (!assay_text_to_u64(number.text, number.n, &id) || id >= UINT32_MAX) {
            return refuse(reader, number.text, "expected a whole number below 4294967295", &number,
                          next);
        }
        if (out->n_hash == reader->hash_capacity) {
            const uint32_t n = reader->hash_capacity ? reader->hash_capacity : 2048;
            uint32_t *more =
                n < UINT32_MAX / 2 ? grown(reader, out->hash, n, sizeof *out->hash) : NULL;
            if (!more) {
                return assay_error_memory(reader->err, NULL);
            }
            out->hash = more;
            reader->hash_capacity = 2 * n;
        }
        out->hash[out->n_hash++] = (uint32_t)id;
    } while (take(cursor, ','));
    return take(cursor, ']') ? ASSAY_OK
                             : refuse(reader, cursor->at, "expected ']' or ','", NULL, next);
}

/* One object; members besides the known ones are single values. */
static assay_status_t parse_object(reader_t *reader, const slice_t *line) {
    static const char *const key[] = {"\"timestamp\"", "\"input_length\"", "\"output_length\""};
    cursor_t cursor = {line->text, line->text + line->n};
    double value[3] = {0};
    bool given[3] = {false};
    const uint32_t first_hash = reader->out->n_hash;
    const char *next = "write {\"timestamp\": 0, \"input_length\": 512, \"output_length\": 128, "
                       "\"hash_ids\": [0]}";
    assay_status_t status = ASSAY_OK;
    if (!take(&cursor, '{')) {
        return refuse(reader, cursor.at, "expected an object", NULL, next);
    }
    do {
        const slice_t name = take_scalar(&cursor);
        if (name.n < 2 || !take(&cursor, ':')) {
            return refuse(reader, name.text, "expected a name and ':'", NULL, next);
        }
        if (name.n == 10 && memcmp(name.text, "\"hash_ids\"", 10) == 0) {
            status = read_hashes(reader, &cursor);
            continue;
        }
        const slice_t scalar = take_scalar(&cursor);
        for (int i = 0; i < 3 && !status; i++) {
            if (name.n == strlen(key[i]) && memcmp(name.text, key[i], name.n) == 0) {
                given[i] = true;
                status = i == 0 ? read_seconds(reader, &scalar, 1e-3, &value[0])
                                : read_tokens(reader, &scalar, &value[i]);
            }
        }
    } while (!status && take(&cursor, ','));
    if (!status && (!take(&cursor, '}') || (skip_blanks(&cursor), cursor.at != cursor.end))) {
        return refuse(reader, cursor.at, "expected '}' or ','", NULL, next);
    }
    for (int i = 0; i < 3 && !status; i++) {
        if (!given[i]) {
            const slice_t missing = {key[i], strlen(key[i])};
            return refuse(reader, line->text, "a member is missing", &missing, next);
        }
    }
    const uint64_t before = reader->out->n;
    const uint32_t n_hash = reader->out->n_hash - first_hash;
    status = status ? status : add_request(reader, value[0], value[1], value[2]);
    if (!status && reader->out->n > before) {
        reader->out->request[before].first_hash = first_hash;
        reader->out->request[before].n_hash = n_hash;
    }
    return status;
}

static assay_status_t parse_lines(reader_t *reader) {
    slice_t line;
    assay_status_t status = ASSAY_OK;
    reader->out->format = "Mooncake";
    reader->out->hash_tokens = MOONCAKE_BLOCK_TOKENS;
    reader->out->timed = true;
    while (!status && next_line(reader, &line)) {
        status = line.n > 0 ? parse_object(reader, &line) : ASSAY_OK;
    }
    return status;
}

/* ---- the whole ---- */

assay_status_t assay_request_trace_parse(assay_arena_t *arena, const char *file, const char *data,
                                         size_t size, assay_request_trace_t *out,
                                         assay_error_t *err) {
    static const char mark[] = "\xef\xbb\xbf";
    assay_request_trace_t trace = {.file = file};
    reader_t reader = {.arena = arena,
                       .file = file,
                       .at = data,
                       .end = data + size,
                       .line_start = data,
                       .err = err,
                       .out = &trace};
    if (size >= 3 && memcmp(data, mark, 3) == 0) {
        reader.at += 3;
    }
    const bool lines = reader.at < reader.end && *reader.at == '{';
    const assay_status_t status = lines ? parse_lines(&reader) : parse_csv(&reader);
    if (status) {
        return status;
    }
    if (trace.n == 0) {
        reader.line_start = reader.end;
        return refuse(&reader, reader.end, "no request was answered", NULL,
                      "give a trace with at least one row");
    }
    trace.span_s = (double)trace.request[trace.n - 1].arrival_ns / NS_PER_S;
    trace.input_mean /= (double)trace.n;
    trace.output_mean /= (double)trace.n;
    *out = trace;
    return ASSAY_OK;
}

assay_status_t assay_request_trace_read(assay_arena_t *arena, const char *path,
                                        assay_request_trace_t *out, assay_error_t *err) {
    char *data;
    size_t size;
    const assay_status_t status =
        assay_file_read(arena, path, ASSAY_REQUEST_TRACE_MAX_BYTES, &data, &size, err);
    return status ? status : assay_request_trace_parse(arena, path, data, size, out, err);
}
