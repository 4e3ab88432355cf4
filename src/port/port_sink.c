#include "port/port_sink.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "port/port_hash.h"

#include "base/banned.h"

#define WORKER_BYTES ((size_t)1 << 30)
#define SCRATCH_BYTES ((size_t)1 << 30)
/* A chunk is large enough to go back to the system when it is freed: a merge then never holds all
   findings twice. */
#define CHUNK_FINDINGS 4096u

/* --- strings -------------------------------------------------------------------------------- */

struct port_strings {
    pthread_mutex_t mutex;
    assay_arena_t *arena;
    const char **slot;
    uint32_t n, mask;
    bool failed;
};

port_strings_t *port_strings_create(assay_arena_t *arena) {
    port_strings_t *strings = calloc(1, sizeof *strings);
    if (!strings) {
        return NULL;
    }
    strings->arena = arena;
    strings->mask = 1023;
    strings->slot = calloc(strings->mask + 1, sizeof *strings->slot);
    if (!strings->slot || pthread_mutex_init(&strings->mutex, NULL) != 0) {
        free(strings->slot);
        free(strings);
        return NULL;
    }
    return strings;
}

void port_strings_destroy(port_strings_t *strings) {
    if (strings) {
        (void)pthread_mutex_destroy(&strings->mutex);
        free(strings->slot);
        free(strings);
    }
}

static const char **string_slot(const char **slot, uint32_t mask, const char *text) {
    uint32_t at = port_hash(text, strlen(text)) & mask;
    while (slot[at] && strcmp(slot[at], text) != 0) {
        at = (at + 1) & mask;
    }
    return &slot[at];
}

static bool strings_grow(port_strings_t *strings) {
    const uint32_t mask = strings->mask * 2 + 1;
    const char **slot = calloc((size_t)mask + 1, sizeof *slot);
    if (!slot) {
        return false;
    }
    for (uint32_t i = 0; i <= strings->mask; i++) {
        if (strings->slot[i]) {
            *string_slot(slot, mask, strings->slot[i]) = strings->slot[i];
        }
    }
    free(strings->slot);
    strings->slot = slot;
    strings->mask = mask;
    return true;
}

static const char *intern(port_strings_t *strings, const char *text) {
    if (!text || !text[0]) {
        return "";
    }
    (void)pthread_mutex_lock(&strings->mutex);
    const char **slot = string_slot(strings->slot, strings->mask, text);
    if (!*slot) {
        *slot = assay_arena_strdup(strings->arena, text);
        strings->n += *slot != NULL;
    }
    const char *kept = *slot;
    if (strings->n > strings->mask / 2 && !strings_grow(strings)) {
        kept = NULL;
    }
    (void)pthread_mutex_unlock(&strings->mutex);
    return kept;
}

/* --- the sink ------------------------------------------------------------------------------- */

typedef struct chunk {
    struct chunk *next;
    uint32_t n;
    assay_port_finding_t item[CHUNK_FINDINGS];
    uint32_t guard[CHUNK_FINDINGS];
} chunk_t;

/* Where lines start in one text. An embedded source has its own beside its file's. */
typedef struct {
    const char *data;
    size_t size;
    uint32_t *start;
    uint32_t n;
} lines_t;

struct port_sink {
    const port_tables_t *tables;
    port_strings_t *strings;
    const assay_port_options_t *options;
    assay_port_file_t *file;
    assay_arena_t *arena, *scratch;
    chunk_t *first, *last;
    uint32_t n;
    chunk_t *file_chunk; /* where the findings of this file begin; NULL: at the first */
    uint32_t file_at;
    lines_t lines[2];
    uint32_t last_lines;
    port_token_t *token;
    uint32_t *match;
    uint32_t n_room;
    uint32_t guard;
    port_hashes_t told[PORT_TOLD_N];
    port_includes_t includes;
    uint32_t framework_files[PORT_FRAMEWORKS];
    bool framework_here[PORT_FRAMEWORKS];
    bool failed;
};

static void free_chunks(port_sink_t *sink) {
    while (sink->first) {
        chunk_t *chunk = sink->first;
        sink->first = chunk->next;
        free(chunk);
    }
    sink->last = sink->file_chunk = NULL;
    sink->n = sink->file_at = 0;
}

port_sink_t *port_sink_create(const port_tables_t *tables, port_strings_t *strings,
                              const assay_port_options_t *options) {
    port_sink_t *sink = calloc(1, sizeof *sink);
    if (!sink) {
        return NULL;
    }
    sink->tables = tables;
    sink->strings = strings;
    sink->options = options;
    sink->arena = assay_arena_create(WORKER_BYTES);
    sink->scratch = assay_arena_create(SCRATCH_BYTES);
    if (!sink->arena || !sink->scratch) {
        port_sink_destroy(sink);
        return NULL;
    }
    return sink;
}

void port_sink_destroy(port_sink_t *sink) {
    if (sink) {
        free_chunks(sink);
        assay_arena_destroy(sink->arena);
        assay_arena_destroy(sink->scratch);
        free(sink->token);
        free(sink->match);
        free(sink);
    }
}

void port_sink_begin(port_sink_t *sink, assay_port_file_t *file) {
    sink->file = file;
    sink->guard = 0;
    memset(sink->framework_here, 0, sizeof sink->framework_here);
    sink->file_chunk = sink->last;
    sink->file_at = sink->last ? sink->last->n : 0;
    assay_arena_reset(sink->scratch);
    memset(sink->lines, 0, sizeof sink->lines);
}

uint32_t port_sink_count(const port_sink_t *sink) {
    return sink->n;
}

void port_sink_copy(const port_sink_t *sink, assay_port_finding_t *out) {
    for (const chunk_t *chunk = sink->first; chunk; chunk = chunk->next) {
        memcpy(out, chunk->item, chunk->n * sizeof *out);
        out += chunk->n;
    }
}

uint32_t port_sink_move(port_sink_t *sink, assay_port_finding_t *out, uint32_t *out_guard) {
    const uint32_t n = sink->n;
    while (sink->first) {
        chunk_t *chunk = sink->first;
        memcpy(out, chunk->item, chunk->n * sizeof *out);
        memcpy(out_guard, chunk->guard, chunk->n * sizeof *out_guard);
        out += chunk->n;
        out_guard += chunk->n;
        sink->first = chunk->next;
        free(chunk);
    }
    sink->last = NULL;
    sink->n = 0;
    return n;
}

void port_sink_guard(port_sink_t *sink, uint32_t macro_hash) {
    sink->guard = macro_hash;
}

static void hashes_add(port_sink_t *sink, port_hashes_t *hashes, uint32_t hash) {
    if (hashes->n == hashes->capacity) {
        const uint32_t capacity = hashes->capacity ? 2 * hashes->capacity : 256;
        uint32_t *item = assay_arena_array(sink->arena, capacity, sizeof *item);
        if (!item) {
            sink->failed = true;
            return;
        }
        if (hashes->n) {
            memcpy(item, hashes->item, hashes->n * sizeof *item);
        }
        hashes->item = item;
        hashes->capacity = capacity;
    }
    hashes->item[hashes->n++] = hash;
}

void port_sink_tell(port_sink_t *sink, port_told_t what, uint32_t value) {
    hashes_add(sink, &sink->told[what], value);
}

void port_sink_include(port_sink_t *sink, uint32_t header) {
    port_includes_t *includes = &sink->includes;
    if (includes->n == includes->capacity) {
        const uint32_t capacity = includes->capacity ? 2 * includes->capacity : 256;
        port_include_t *item = assay_arena_array(sink->arena, capacity, sizeof *item);
        if (!item) {
            sink->failed = true;
            return;
        }
        if (includes->n) {
            memcpy(item, includes->item, includes->n * sizeof *item);
        }
        includes->item = item;
        includes->capacity = capacity;
    }
    includes->item[includes->n++] = (port_include_t){sink->file->path, header};
}

const port_includes_t *port_sink_includes(const port_sink_t *sink) {
    return &sink->includes;
}

const port_hashes_t *port_sink_told(const port_sink_t *sink) {
    return sink->told;
}

bool port_sink_failed(const port_sink_t *sink) {
    return sink->failed;
}

const port_tables_t *port_sink_tables(const port_sink_t *sink) {
    return sink->tables;
}

const assay_port_options_t *port_sink_options(const port_sink_t *sink) {
    return sink->options;
}

assay_port_file_t *port_sink_file(port_sink_t *sink) {
    return sink->file;
}

assay_arena_t *port_sink_arena(port_sink_t *sink) {
    return sink->arena;
}

assay_arena_t *port_sink_scratch(port_sink_t *sink) {
    return sink->scratch;
}

port_token_t *port_sink_tokens(port_sink_t *sink, uint32_t n, uint32_t **out_match) {
    if (n > sink->n_room) {
        free(sink->token);
        free(sink->match);
        sink->token = calloc(n, sizeof *sink->token);
        sink->match = calloc(n, sizeof *sink->match);
        sink->n_room = sink->token && sink->match ? n : 0;
        if (!sink->n_room) {
            sink->failed = true;
            return NULL;
        }
    }
    *out_match = sink->match;
    return sink->token;
}

void port_sink_reference_of(port_sink_t *sink, assay_port_reference_t kind,
                            port_reference_t reference, bool ported) {
    assay_port_references_t *count = &sink->file->references[kind];
    count->all++;
    if (ported) {
        count->ported++;
    } else if (reference == PORT_REFERENCE_READY) {
        count->ready++;
    } else if (reference == PORT_REFERENCE_CUDA_ONLY) {
        count->cuda_only++;
    }
}

void port_sink_reference(port_sink_t *sink, port_reference_t reference, bool ported) {
    port_sink_reference_of(sink, ASSAY_PORT_REFERENCE_API, reference, ported);
}

void port_sink_framework(port_sink_t *sink, unsigned index) {
    assert(index < PORT_FRAMEWORKS);
    sink->framework_files[index] += !sink->framework_here[index];
    sink->framework_here[index] = true;
}

uint32_t port_sink_framework_files(const port_sink_t *sink, unsigned index) {
    return sink->framework_files[index];
}

/* Index of where the lines of text start. NULL: no memory. */
static const lines_t *lines_of(port_sink_t *sink, const port_text_t *text) {
    for (uint32_t i = 0; i < 2; i++) {
        if (sink->lines[i].data == text->data && sink->lines[i].size == text->size) {
            sink->last_lines = i;
            return &sink->lines[i];
        }
    }
    const char *const end = text->data + text->size;
    size_t n = 1;
    for (const char *at = text->data; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        n++;
    }
    uint32_t *start = assay_arena_array(sink->scratch, n, sizeof *start);
    if (!start) {
        return NULL;
    }
    uint32_t line = 0;
    start[line++] = 0;
    for (const char *at = text->data; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        start[line++] = (uint32_t)(at + 1 - text->data);
    }
    sink->last_lines = !sink->last_lines;
    sink->lines[sink->last_lines] = (lines_t){text->data, text->size, start, line};
    return &sink->lines[sink->last_lines];
}

#define KEPT_BYTES 200u

/* The line from its first byte that is no white space, as reports show it. NULL: no memory. */
static const char *keep_line(port_sink_t *sink, const port_text_t *text, const lines_t *lines,
                             uint32_t line, uint32_t *out_first) {
    char kept[KEPT_BYTES + 1];
    const char *at = text->data + lines->start[line];
    const char *const end =
        line + 1 < lines->n ? text->data + lines->start[line + 1] - 1 : text->data + text->size;
    const char *const first = at;
    while (at < end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    size_t n = (size_t)(end - at) < KEPT_BYTES ? (size_t)(end - at) : KEPT_BYTES;
    if (n < (size_t)(end - at)) { /* not within a character */
        while (n > 0 && ((unsigned char)at[n] & 0xc0) == 0x80) {
            n--;
        }
    }
    while (n > 0 && (unsigned char)at[n - 1] <= ' ') {
        n--;
    }
    memcpy(kept, at, n);
    kept[n] = '\0'; /* a NUL within ends it too */
    *out_first = (uint32_t)(at - first);
    return intern(sink->strings, kept);
}

/* Fills the finding's place and line. */
static bool place(port_sink_t *sink, const port_text_t *text, size_t offset,
                  assay_port_finding_t *out) {
    const lines_t *lines = lines_of(sink, text);
    if (!lines) {
        return false;
    }
    uint32_t low = 0, high = lines->n; /* the line is in [low, high) */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (lines->start[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const uint32_t before = low == 0 && text->column > 0 ? text->column - 1 : 0;
    out->at = (assay_place_t){text->path, text->line_of ? text->line_of[low] : text->line + low,
                              (uint32_t)(offset - lines->start[low]) + 1 + before};
    out->text = keep_line(sink, text, lines, low, &out->text_column);
    out->text_column += 1 + before;
    return out->text != NULL;
}

static assay_port_finding_t *new_finding(port_sink_t *sink) {
    if (!sink->last || sink->last->n == CHUNK_FINDINGS) {
        chunk_t *chunk = malloc(sizeof *chunk);
        if (!chunk) {
            return NULL;
        }
        chunk->next = NULL;
        chunk->n = 0;
        if (sink->last) {
            sink->last->next = chunk;
        } else {
            sink->first = chunk;
        }
        sink->last = chunk;
    }
    sink->n++;
    sink->last->guard[sink->last->n] = sink->guard;
    return &sink->last->item[sink->last->n++];
}

/* The rule spoke on that line of this file. */
static bool is_told(const port_sink_t *sink, const char *rule, uint32_t line) {
    uint32_t i = sink->file_at;
    for (const chunk_t *chunk = sink->file_chunk ? sink->file_chunk : sink->first; chunk;
         chunk = chunk->next, i = 0) {
        for (; i < chunk->n; i++) {
            if (chunk->item[i].at.line == line && strcmp(chunk->item[i].rule, rule) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* The rule's own text lives as long as the tables, and so as the result. */
static const char *given(port_sink_t *sink, const char *text, const char *otherwise) {
    return text && text[0] ? intern(sink->strings, text) : otherwise;
}

/* Of an identifier or a header; "" when it belongs to none. */
static const char *library_of(const port_tables_t *tables, const char *api) {
    const size_t n = api ? strlen(api) : 0;
    const port_api_t *known = n > 0 ? port_api_find(tables, api, n) : NULL;
    const port_library_t *library = n > 0 && !known ? port_library_find(tables, api, n) : NULL;
    return known ? known->library : library ? library->component : "";
}

void port_sink_report(port_sink_t *sink, const port_text_t *text, const port_found_t *found) {
    const port_rule_t *rule = port_rule_find(sink->tables, found->rule);
    assert(rule && found->offset <= text->size);
    if (found->ported || !rule || !port_rule_applies(rule, sink->options)) {
        return;
    }
    assay_port_finding_t placed;
    const char *library = found->library ? found->library : library_of(sink->tables, found->api);
    const char *api = intern(sink->strings, found->api);
    const char *replacement = given(sink, found->replacement, rule->replacement);
    const char *status = intern(sink->strings, found->status);
    const char *message = given(sink, found->message, rule->message);
    const char *source = given(sink, found->source, rule->source);
    const bool good = api && replacement && status && message && source &&
                      place(sink, text, found->offset, &placed);
    if (good && found->deep && is_told(sink, rule->id, placed.at.line)) {
        return;
    }
    assay_port_finding_t *finding = good ? new_finding(sink) : NULL;
    if (!finding) {
        sink->failed = true;
        return;
    }
    *finding = (assay_port_finding_t){
        .rule = rule->id,
        .api = api,
        .replacement = replacement,
        .status = status,
        .message = message,
        .source = source,
        .library = library,
        .text = placed.text,
        .text_column = placed.text_column,
        .at = placed.at,
        .length = found->length < UINT32_MAX ? (uint32_t)found->length : UINT32_MAX,
        .effect = rule->effect,
        .severity = rule->severity,
        .level = rule->level,
        .heuristic = rule->heuristic,
        .deep = found->deep,
    };
    sink->file->finding[rule->effect]++;
}

void port_sink_add(port_sink_t *sink, const port_text_t *text, const char *rule, size_t offset,
                   size_t length, const char *api, const char *replacement, const char *status,
                   bool ported) {
    const port_found_t found = {.rule = rule,
                                .offset = offset,
                                .length = length,
                                .api = api,
                                .replacement = replacement,
                                .status = status,
                                .ported = ported};
    port_sink_report(sink, text, &found);
}
