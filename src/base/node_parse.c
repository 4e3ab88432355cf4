#include "assay/node.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "assay/text.h"

#include "base/banned.h"

/* A position that moves forward through the text. Columns count bytes here and code points in
   libyaml, so its index alone is used. */
typedef struct {
    size_t index, byte; /* code points and bytes before the position */
    size_t line_start;  /* byte */
    uint32_t line;
} cursor_t;

typedef struct {
    assay_arena_t *arena;
    const char *file, *data;
    size_t size;
    assay_error_t *err;
    yaml_parser_t yaml;
    cursor_t cursor;
    uint32_t n_nodes, n_documents;
    assay_node_t *root;
    assay_node_t *open[ASSAY_NODE_MAX_DEPTH]; /* collections around the next event */
    uint32_t depth;
    const char *key; /* of the mapping open[depth - 1], read but still without its value */
    assay_place_t key_at;
} reader_t;

static void cursor_step(cursor_t *cursor, const char *data, size_t size) {
    const bool newline = data[cursor->byte] == '\n';
    do {
        cursor->byte++;
    } while (cursor->byte < size && ((unsigned char)data[cursor->byte] & 0xc0) == 0x80);
    cursor->index++;
    if (newline) {
        cursor->line++;
        cursor->line_start = cursor->byte;
    }
}

static assay_place_t cursor_place(const cursor_t *cursor, const char *file) {
    return (assay_place_t){.file = file,
                           .line = cursor->line,
                           .column = (uint32_t)(cursor->byte - cursor->line_start) + 1};
}

/* Place of an event. Events come in the order of the text, so all calls together are one pass. */
static assay_place_t event_place(reader_t *reader, const yaml_mark_t *mark) {
    while (reader->cursor.index < mark->index && reader->cursor.byte < reader->size) {
        cursor_step(&reader->cursor, reader->data, reader->size);
    }
    return cursor_place(&reader->cursor, reader->file);
}

/* Once, for an error: the cursor at code point index, or at byte when that comes first. */
static cursor_t find_cursor(const reader_t *reader, size_t index, size_t byte) {
    cursor_t cursor = {.line = 1};
    while (cursor.index < index && cursor.byte < byte && cursor.byte < reader->size) {
        cursor_step(&cursor, reader->data, reader->size);
    }
    return cursor;
}

static assay_place_t byte_place(const reader_t *reader, size_t byte) {
    const cursor_t cursor = find_cursor(reader, SIZE_MAX, byte);
    return cursor_place(&cursor, reader->file);
}

static assay_status_t refuse(reader_t *reader, const assay_place_t *at, const char *what,
                             const char *next) {
    assay_error_set(reader->err, ASSAY_INPUT, at, "%s", what);
    assay_error_next(reader->err, "%s", next);
    return ASSAY_INPUT;
}

/* True when text[at..] starts with the string literal start. */
#define STARTS(text, n, at, start) \
    ((n) - (at) >= sizeof(start) - 1 && memcmp((text) + (at), (start), sizeof(start) - 1) == 0)

/* What an editor leaves behind at the start of a file. */
static assay_status_t check_encoding(reader_t *reader) {
    const assay_place_t start = {.file = reader->file, .line = 1, .column = 1};
    const char *data = reader->data;
    const size_t size = reader->size;
    if (STARTS(data, size, 0, "\xef\xbb\xbf")) {
        return refuse(reader, &start, "the file starts with a byte-order mark",
                      "save it as UTF-8 without byte-order mark");
    }
    if (STARTS(data, size, 0, "\xff\xfe") || STARTS(data, size, 0, "\xfe\xff")) {
        return refuse(reader, &start, "the file is UTF-16", "save it as UTF-8");
    }
    const size_t bad = assay_text_utf8_bad(data, size);
    if (bad < size) {
        const assay_place_t at = byte_place(reader, bad);
        assay_error_set(reader->err, ASSAY_INPUT, &at, "the byte 0x%02X is not UTF-8 text",
                        (unsigned)(unsigned char)data[bad]);
        assay_error_next(reader->err, "save the file as UTF-8");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

/* Line ends other than LF, and %TAG lines: libyaml compares each of them with all before it, which
   takes minutes for 4 MiB. What other characters are not allowed libyaml says itself. */
static assay_status_t check_lines(reader_t *reader) {
    static const struct {
        const char *sequence, *what, *next;
    } line_end[] = {
        {"\r", "this line ends in a carriage return (CRLF)", "save the file with LF line ends"},
        {"\xc2\x85", "this line ends in U+0085", "save the file with LF line ends"},
        {"\xe2\x80\xa8", "this line ends in U+2028", "save the file with LF line ends"},
        {"\xe2\x80\xa9", "this line ends in U+2029", "save the file with LF line ends"},
    };
    const char *data = reader->data;
    const size_t size = reader->size;
    for (size_t i = 0; i < sizeof line_end / sizeof *line_end; i++) {
        const char *sequence = line_end[i].sequence;
        const char *found = memmem(data, size, sequence, strlen(sequence));
        if (found) {
            const assay_place_t at = byte_place(reader, (size_t)(found - data));
            return refuse(reader, &at, line_end[i].what, line_end[i].next);
        }
    }
    for (size_t start = 0; start < size;) {
        if (STARTS(data, size, start, "%TAG")) {
            const assay_place_t at = byte_place(reader, start);
            return refuse(reader, &at, "tags are not supported", "remove the %TAG line");
        }
        const char *newline = memchr(data + start, '\n', size - start);
        start = newline ? (size_t)(newline - data) + 1 : size;
    }
    return ASSAY_OK;
}

/* libyaml's sentences in our words. A row whose `opens` is set names the line where the open
   collection, key or quote began. */
static const struct {
    const char *problem, *what, *next;
    bool opens;
} problem_table[] = {
    {"found character that cannot start any token", "this character cannot start a value",
     "put the text in quotes", false},
    {"mapping values are not allowed in this context", "a ':' is not expected here",
     "give every key its own line, aligned with its neighbours, or quote a text that holds ': '",
     false},
    {"did not find expected key", "expected a key aligned with the keys above",
     "correct the indentation", true},
    {"could not find expected ':'", "expected ':' and a space after a key", "write 'key: value'",
     true},
    {"found unexpected end of stream", "a quote is not closed", "add the closing quote", true},
    {"found unexpected document indicator", "a quote is not closed", "add the closing quote", true},
    {"did not find expected ',' or ']'", "expected ',' or ']'",
     "separate the entries by ',' and close the list with ']'", true},
    {"did not find expected ',' or '}'", "expected ',' or '}'",
     "separate the keys by ',' and close the mapping with '}'", true},
    {"did not find expected '-' indicator", "expected '- ' aligned with the entries above",
     "correct the indentation", true},
    {"block sequence entries are not allowed in this context", "a list cannot start here",
     "start it in the line below its key, or write [a, b]", false},
    {"mapping keys are not allowed in this context", "a key cannot start here",
     "start it in a line of its own", false},
    {"found unknown escape character", "unknown escape in a text in double quotes",
     "write \\\\ for a backslash, or use single quotes", true},
    {"found invalid Unicode character escape code",
     "\\u with half a surrogate pair, or beyond Unicode", "write the character itself", true},
    {"did not find expected hexdecimal number", "expected hexadecimal digits after the backslash",
     "write \\\\ for a backslash, or use single quotes", true},
    {"did not find expected node content", "expected a value here",
     "write a value, or remove the sign before it", false},
    {"did not find expected <document start>", "this does not belong to the keys above",
     "indent all top-level keys alike, and keep one document a file", false},
    {"found undefined tag handle", "tags (!) are not supported",
     "remove the tag, or quote a text that starts with !", false},
    {"found unknown directive name", "a line that starts with '%' is a directive", "remove it",
     false},
    {"found incompatible YAML document", "not a YAML version that is known here",
     "remove the %YAML line", false},
};

/* The first tab of the white space that starts the line of byte, or NULL. */
static const char *indenting_tab(const reader_t *reader, const cursor_t *cursor) {
    const char *line = reader->data + cursor->line_start;
    const size_t n = reader->size - cursor->line_start;
    size_t blank = 0;
    while (blank < n && (line[blank] == ' ' || line[blank] == '\t')) {
        blank++;
    }
    return memchr(line, '\t', blank);
}

static assay_status_t refuse_yaml(reader_t *reader) {
    const yaml_parser_t *yaml = &reader->yaml;
    if (yaml->error == YAML_MEMORY_ERROR) {
        return assay_error_memory(reader->err, NULL);
    }
    const char *problem = yaml->problem ? yaml->problem : "";
    if (yaml->error == YAML_READER_ERROR) {
        const assay_place_t at = byte_place(reader, yaml->problem_offset);
        assay_error_set(reader->err, ASSAY_INPUT, &at, "control character U+%04X",
                        (unsigned)yaml->problem_value);
        assay_error_next(reader->err, "remove it");
        return ASSAY_INPUT;
    }
    const cursor_t cursor = find_cursor(reader, yaml->problem_mark.index, SIZE_MAX);
    assay_place_t at = cursor_place(&cursor, reader->file);
    const char *tab = yaml->flow_level == 0 ? indenting_tab(reader, &cursor) : NULL;
    if (tab) {
        at.column = (uint32_t)(tab - (reader->data + cursor.line_start)) + 1;
        return refuse(reader, &at, "a tab indents this line", "indent with spaces");
    }
    for (size_t i = 0; i < sizeof problem_table / sizeof *problem_table; i++) {
        if (strcmp(problem_table[i].problem, problem) != 0) {
            continue;
        }
        (void)refuse(reader, &at, problem_table[i].what, problem_table[i].next);
        const cursor_t opened = find_cursor(reader, yaml->context_mark.index, SIZE_MAX);
        if (problem_table[i].opens && yaml->context && opened.line != cursor.line) {
            assay_error_set(reader->err, ASSAY_INPUT, &at, "%s (it began in line %u)",
                            problem_table[i].what, opened.line);
            assay_error_next(reader->err, "%s", problem_table[i].next);
        }
        return ASSAY_INPUT;
    }
    assay_error_set(reader->err, ASSAY_INPUT, &at, "not YAML: %s", problem);
    assay_error_next(reader->err, "correct the line");
    return ASSAY_INPUT;
}

static int compare_keys(const void *a, const void *b) {
    const assay_node_t *x = *(assay_node_t *const *)a, *y = *(assay_node_t *const *)b;
    const int order = strcmp(x->key, y->key);
    if (order != 0) {
        return order;
    }
    if (x->key_at.line != y->key_at.line) {
        return x->key_at.line < y->key_at.line ? -1 : 1;
    }
    return (x->key_at.column > y->key_at.column) - (x->key_at.column < y->key_at.column);
}

/* Sorted, so that a mapping with very many keys costs n log n. */
static assay_status_t check_duplicates(reader_t *reader, const assay_node_t *mapping) {
    if (mapping->n < 2) {
        return ASSAY_OK;
    }
    assay_node_t **sorted = assay_arena_array(reader->arena, mapping->n, sizeof(assay_node_t *));
    if (!sorted) {
        return assay_error_memory(reader->err, &mapping->at);
    }
    uint32_t n = 0;
    for (assay_node_t *child = mapping->child; child; child = child->next) {
        sorted[n++] = child;
    }
    qsort(sorted, n, sizeof *sorted, compare_keys);
    for (uint32_t i = 1; i < n; i++) {
        const assay_node_t *first = sorted[i - 1], *again = sorted[i];
        if (strcmp(first->key, again->key) == 0) {
            assay_error_set(reader->err, ASSAY_INPUT, &again->key_at,
                            "the key '%s' is given twice, first in line %u", again->key,
                            first->key_at.line);
            assay_error_next(reader->err, "remove one of the two");
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

/* A copy of libyaml's text in the arena. */
static assay_status_t copy_text(reader_t *reader, const yaml_event_t *event,
                                const assay_place_t *at, const char **out_text, size_t *out_n) {
    const char *text = (const char *)event->data.scalar.value;
    const size_t n = event->data.scalar.length;
    if (memchr(text, '\0', n)) { /* written as \0 between double quotes */
        return refuse(reader, at, "this text holds a NUL character", "remove it");
    }
    *out_text = assay_arena_strndup(reader->arena, text, n);
    *out_n = n;
    return *out_text ? ASSAY_OK : assay_error_memory(reader->err, at);
}

static assay_status_t read_key(reader_t *reader, const yaml_event_t *event,
                               const assay_place_t *at) {
    if (event->type != YAML_SCALAR_EVENT) {
        return refuse(reader, at, "a key cannot be a list or a mapping", "write 'key: value'");
    }
    size_t n = 0;
    const assay_status_t status = copy_text(reader, event, at, &reader->key, &n);
    if (status == ASSAY_OK && n == 0) {
        return refuse(reader, at, "the key is empty", "write 'key: value'");
    }
    reader->key_at = *at;
    return status;
}

/* A scalar, or the start of a list or a mapping. */
static assay_status_t read_node(reader_t *reader, const yaml_event_t *event,
                                assay_node_kind_t kind) {
    const assay_place_t at = event_place(reader, &event->start_mark);
    assay_node_t *parent = reader->depth ? reader->open[reader->depth - 1] : NULL;
    if (parent && parent->kind == ASSAY_NODE_MAPPING && !reader->key) {
        return read_key(reader, event, &at);
    }
    if (++reader->n_nodes > ASSAY_NODE_MAX_NODES) {
        assay_error_set(reader->err, ASSAY_LIMIT, &at, "more than %d values", ASSAY_NODE_MAX_NODES);
        assay_error_next(reader->err, "make the document smaller");
        return ASSAY_LIMIT;
    }
    assay_node_t *node = NULL;
    if (parent) {
        node = assay_node_add(reader->arena, parent, reader->key, kind, &at);
    } else {
        node = reader->root = assay_node_create(reader->arena, reader->file);
    }
    if (!node) {
        return assay_error_memory(reader->err, &at);
    }
    node->kind = (uint8_t)kind;
    node->at = at;
    node->key_at = reader->key ? reader->key_at : at;
    reader->key = NULL;
    if (kind == ASSAY_NODE_SCALAR) {
        node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        return copy_text(reader, event, &at, &node->text, &node->n_text);
    }
    if (reader->depth == ASSAY_NODE_MAX_DEPTH) {
        assay_error_set(reader->err, ASSAY_LIMIT, &at, "nested deeper than %d levels",
                        ASSAY_NODE_MAX_DEPTH);
        assay_error_next(reader->err, "remove the outer brackets");
        return ASSAY_LIMIT;
    }
    reader->open[reader->depth++] = node;
    return ASSAY_OK;
}

static assay_status_t close_collection(reader_t *reader) {
    const assay_node_t *node = reader->open[--reader->depth];
    return node->kind == ASSAY_NODE_MAPPING ? check_duplicates(reader, node) : ASSAY_OK;
}

static const yaml_char_t *event_anchor(const yaml_event_t *event) {
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor;
    case YAML_ALIAS_EVENT:
        return event->data.alias.anchor;
    default:
        return NULL;
    }
}

static const yaml_char_t *event_tag(const yaml_event_t *event) {
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.tag;
    default:
        return NULL;
    }
}

static assay_status_t read_event(reader_t *reader, const yaml_event_t *event) {
    if (event_anchor(event)) {
        const assay_place_t at = event_place(reader, &event->start_mark);
        return refuse(reader, &at, "anchors (&) and aliases (*) are not supported",
                      "write the value out, or quote a text that starts with & or *");
    }
    if (event_tag(event)) {
        const assay_place_t at = event_place(reader, &event->start_mark);
        return refuse(reader, &at, "tags (!) are not supported",
                      "remove the tag, or quote a text that starts with !");
    }
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++reader->n_documents > 1) {
            const assay_place_t at = event_place(reader, &event->start_mark);
            return refuse(reader, &at, "a second document starts here", "keep one document a file");
        }
        return ASSAY_OK;
    case YAML_SCALAR_EVENT:
        return read_node(reader, event, ASSAY_NODE_SCALAR);
    case YAML_SEQUENCE_START_EVENT:
        return read_node(reader, event, ASSAY_NODE_SEQUENCE);
    case YAML_MAPPING_START_EVENT:
        return read_node(reader, event, ASSAY_NODE_MAPPING);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_collection(reader);
    default:
        return ASSAY_OK;
    }
}

static assay_status_t read_events(reader_t *reader) {
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->yaml, &event)) {
            return refuse_yaml(reader);
        }
        more = event.type != YAML_STREAM_END_EVENT;
        const assay_status_t status = read_event(reader, &event);
        yaml_event_delete(&event);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    const assay_node_t *root = reader->root;
    if (!root || (root->kind == ASSAY_NODE_SCALAR && !root->quoted && root->n_text == 0)) {
        const assay_place_t at = {.file = reader->file, .line = 1, .column = 1};
        return refuse(reader, &at, "the document is empty", "write its keys as 'key: value' lines");
    }
    return ASSAY_OK;
}

assay_status_t assay_node_parse(assay_arena_t *arena, const char *file, const char *data,
                                size_t size, assay_node_t **out_root, assay_error_t *err) {
    const char *name = assay_arena_strdup(arena, file ? file : "");
    if (!name) {
        return assay_error_memory(err, NULL);
    }
    reader_t reader = {.arena = arena,
                       .file = name,
                       .data = data,
                       .size = size,
                       .err = err,
                       .cursor = {.line = 1}};
    if (size > ASSAY_NODE_MAX_BYTES) {
        const assay_place_t whole = {.file = name};
        assay_error_set(err, ASSAY_LIMIT, &whole, "%zu bytes are more than the %u allowed", size,
                        ASSAY_NODE_MAX_BYTES);
        assay_error_next(err, "make the document smaller");
        return ASSAY_LIMIT;
    }
    assay_status_t status = check_encoding(&reader);
    if (status == ASSAY_OK) {
        status = check_lines(&reader);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    if (!yaml_parser_initialize(&reader.yaml)) {
        return assay_error_memory(err, NULL);
    }
    yaml_parser_set_encoding(&reader.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.yaml, (const unsigned char *)data, size);
    status = read_events(&reader);
    yaml_parser_delete(&reader.yaml);
    if (status == ASSAY_OK) {
        *out_root = reader.root;
    }
    return status;
}
