/* Python: imports, torch and Triton idioms, commands in strings, CUDA C in strings. Its tokens are
   told apart here; CUDA C goes to the reader of C with the line where it stands. */
#include <string.h>

#include "port/reading.h"

#include "base/banned.h"

enum { MAX_STRING_TERMS = 4096, MAX_CHAIN = 16, MAX_SEEN = 64 };

typedef struct {
    reading_t r;
    const port_text_t *text;
    const port_package_t *seen[MAX_SEEN]; /* imported so far */
    unsigned n_seen;
    bool is_setup; /* lists requirements in strings */
    bool uses_triton;
    bool told_warps;
    bool asm_next;     /* the next string is inline assembly */
    size_t line_start; /* of the last part that was read on its own; its line from 0 */
    uint32_t line;
} python_t;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static size_t skip_blanks(const char *data, size_t at, size_t end) {
    while (at < end && (data[at] == ' ' || data[at] == '\t')) {
        at++;
    }
    return at;
}

static size_t skip_back(const char *data, size_t at) {
    while (at > 0 && (data[at - 1] == ' ' || data[at - 1] == '\t')) {
        at--;
    }
    return at;
}

/* --- strings -------------------------------------------------------------------------------- */

/* The end of the string whose first quote is at; *out_begin, *out_stop: what is in it. */
static size_t string_end(const char *data, size_t at, size_t end, size_t *out_begin,
                         size_t *out_stop) {
    const char quote = data[at];
    const bool triple = end - at >= 3 && data[at + 1] == quote && data[at + 2] == quote;
    size_t i = at + (triple ? 3 : 1);
    *out_begin = i;
    for (; i < end; i++) {
        if (data[i] == '\\') {
            i++;
        } else if (data[i] == quote &&
                   (!triple || (end - i >= 3 && data[i + 1] == quote && data[i + 2] == quote))) {
            *out_stop = i;
            return i + (triple ? 3 : 1);
        } else if (data[i] == '\n' && !triple) {
            break; /* not closed: the line ends it */
        }
    }
    *out_stop = i < end ? i : end;
    return *out_stop;
}

/* Part of the text as one of its own, at the line and column where it stands. Parts come in order,
   so lines are counted from the last one on. */
static port_text_t embedded(python_t *p, size_t begin, size_t end, uint8_t language) {
    const port_text_t *text = p->text;
    for (const char *at = text->data + p->line_start;
         (at = memchr(at, '\n', (size_t)(text->data + begin - at))) != NULL; at++) {
        p->line++;
        p->line_start = (size_t)(at - text->data) + 1;
    }
    const uint32_t line = p->line;
    const size_t start = p->line_start;
    const port_text_t part = {.path = text->path,
                              .data = text->data + begin,
                              .size = end - begin,
                              .language = language,
                              .line = text->line + line,
                              .column = (uint32_t)(begin - start) + 1 +
                                        (line == 0 && text->column ? text->column - 1 : 0),
                              .line_of = text->line_of ? text->line_of + line : NULL};
    return part;
}

/* print("..."), raise ValueError("..."), help="...": the string at is for people. Asked by the name
   before its parenthesis or its =. */
static bool is_message(const char *data, size_t string) {
    static const char *const calls[] = {"print",   "warn",        "warning",   "info", "debug",
                                        "error",   "fatal",       "critical",  "log",  "exit",
                                        "fail",    "skip",        "echo",      "help", "reason",
                                        "message", "description", "exception", NULL};
    size_t at = string;
    while (at > 0 && is_letter(data[at - 1])) { /* the prefix of the string: f, rb */
        at--;
    }
    while (at > 0 && strchr(" \t\r\n", data[at - 1])) {
        at--;
    }
    if (at == 0 || (data[at - 1] != '(' && data[at - 1] != '=')) {
        return false;
    }
    const size_t end = skip_back(data, at - 1);
    size_t begin = end;
    while (begin > 0 && (is_letter(data[begin - 1]) || is_digit(data[begin - 1]))) {
        begin--;
    }
    const size_t n = end - begin;
    for (const char *const *c = calls; *c; c++) {
        if (strlen(*c) == n && memcmp(data + begin, *c, n) == 0) {
            return true;
        }
    }
    return (n > 5 && memcmp(data + end - 5, "Error", 5) == 0) ||
           (n > 7 && memcmp(data + end - 7, "Warning", 7) == 0) ||
           (n >= 9 && memcmp(data + end - 9, "Exception", 9) == 0);
}

/* "x" in y, "x" == y, y != "x": the string is asked for, not listed. */
static bool is_compared(const char *data, size_t quote, size_t behind, size_t size) {
    static const char *const tests[] = {"in ", "not in ", "==", "!=", NULL};
    const size_t at = skip_blanks(data, behind, size), before = skip_back(data, quote);
    for (const char *const *t = tests; *t; t++) {
        const size_t n = strlen(*t);
        if (at < size && size - at > n && memcmp(data + at, *t, n) == 0) {
            return true;
        }
    }
    return before > 1 && data[before - 1] == '=' &&
           (data[before - 2] == '=' || data[before - 2] == '!');
}

/* A program, variable or library that a string names: as its first word or the end of a path. What
   stands in the middle of a sentence is prose; a key of a table ("nvcc": [...]) is torch's. */
static void read_command(python_t *p, size_t begin, size_t end) {
    const char *data = p->text->data;
    const size_t behind = skip_blanks(data, end + 1, p->text->size);
    const bool is_key = behind < p->text->size && data[behind] == ':';
    for (size_t at = begin, word, n; !is_key && reading_word(data, &at, end, &word, &n);) {
        const port_term_t *term =
            word == begin || data[word - 1] == '/'
                ? port_term_find(p->r.packages, PORT_WHERE_STRING, data + word, n, "", 0)
                : NULL;
        if (term) {
            reading_report(&p->r, term, word, n);
        }
    }
}

/* quote: where the string itself begins. */
static void read_string(python_t *p, size_t quote, size_t begin, size_t end) {
    static const char *const cuda[] = {"__global__",     "__device__", "#include <cuda",
                                       "cuda_runtime.h", "threadIdx",  NULL};
    const char *data = p->text->data;
    if (p->asm_next) {
        p->asm_next = false;
        port_ptx_range(p->r.sink, p->text, begin, end - begin, false, p->r.ported);
        return;
    }
    const bool has_lines = end > begin && memchr(data + begin, '\n', end - begin) != NULL;
    if (has_lines && reading_contains_any(data + begin, end - begin, cuda)) {
        const port_text_t part = embedded(p, begin, end, ASSAY_PORT_CUDA);
        port_read_c(p->r.sink, &part);
        return;
    }
    if (end - begin > MAX_STRING_TERMS || has_lines) {
        return; /* a text for people */
    }
    if (end > begin && data[begin] == '-') {
        reading_terms(&p->r, begin, end, PORT_WHERE_FLAG);
    } else if (!is_message(data, quote)) {
        read_command(p, begin, end);
    }
    if (p->is_setup && !is_compared(data, quote, end + 1, p->text->size)) {
        reading_requirement(&p->r, begin, end);
    }
}

/* --- names ---------------------------------------------------------------------------------- */

/* The number that a "name = 32" or "name: 32" gives, -1 when it is none or more follows. */
static long assigned_number(const char *data, size_t at, size_t end) {
    at = skip_blanks(data, at, end);
    if (at >= end || (data[at] != '=' && data[at] != ':') ||
        (at + 1 < end && data[at + 1] == '=')) {
        return -1;
    }
    at = skip_blanks(data, at + 1, end);
    long value = 0;
    const size_t first = at;
    for (; at < end && is_digit(data[at]) && value < 100000; at++) {
        value = 10 * value + (data[at] - '0');
    }
    return at > first && !(at < end && (is_letter(data[at]) || data[at] == '.')) ? value : -1;
}

static bool name_is(const char *name, size_t n, const char *word) {
    return strlen(word) == n && strncasecmp(name, word, n) == 0;
}

static void read_constant(python_t *p, size_t begin, size_t end) {
    static const char *const warp[] = {"warp_size", "warpsize", "threads_per_warp",
                                       "num_threads_per_warp", NULL};
    const char *data = p->text->data;
    for (const char *const *w = warp; *w; w++) {
        if (name_is(data + begin, end - begin, *w) &&
            assigned_number(data, end, p->text->size) == 32) {
            reading_add(&p->r, "python-warp-32", begin, end - begin);
        }
    }
    if (p->uses_triton && !p->told_warps && name_is(data + begin, end - begin, "num_warps") &&
        assigned_number(data, end, p->text->size) > 0) {
        p->told_warps = true; /* once a file: its tuning table has many */
        reading_add(&p->r, "triton-retune", begin, end - begin);
    }
}

/* "@triton.jit", "@cuda.jit" of numba. */
static void read_decorator(python_t *p, size_t begin, size_t end) {
    static const char *const kernels[] = {"triton.jit", "cuda.jit", "numba.cuda.jit", NULL};
    for (const char *const *k = kernels; *k; k++) {
        if (name_is(p->text->data + begin, end - begin, *k)) {
            port_sink_file(p->r.sink)->kernels++;
            port_sink_reference_of(p->r.sink, ASSAY_PORT_REFERENCE_KERNEL, PORT_REFERENCE_READY,
                                   p->r.ported);
            return;
        }
    }
}

/* A chain "a.b.c": terms begin at any of its names and may be several names long. */
static void read_chain(python_t *p, const size_t *name, unsigned n_names, size_t end) {
    enum { LONGEST_TERM = 4 };
    const char *data = p->text->data;
    for (unsigned i = 0; i < n_names; i++) {
        for (unsigned n = LONGEST_TERM; n >= 1; n--) {
            if (i + n > n_names) {
                continue;
            }
            const size_t stop = i + n < n_names ? name[i + n] - 1 : end;
            const port_term_t *term = port_term_find(p->r.packages, PORT_WHERE_PYTHON,
                                                     data + name[i], stop - name[i], "", 0);
            if (term) {
                reading_report(&p->r, term, name[i], stop - name[i]);
                p->asm_next = strcmp(term->rule, "triton-inline-asm") == 0;
                i += n - 1;
                break;
            }
        }
    }
}

/* A name or a chain of names at; returns its end. */
static size_t read_names(python_t *p, size_t at) {
    const char *data = p->text->data;
    const size_t size = p->text->size, begin = at;
    size_t name[MAX_CHAIN];
    unsigned n = 0;
    for (;;) {
        if (n < MAX_CHAIN) {
            name[n++] = at;
        }
        while (at < size && (is_letter(data[at]) || is_digit(data[at]))) {
            at++;
        }
        if (n == MAX_CHAIN || at + 1 >= size || data[at] != '.' || !is_letter(data[at + 1])) {
            break;
        }
        at++;
    }
    read_chain(p, name, n, at);
    read_constant(p, name[n - 1], at);
    if (begin > 0 && data[begin - 1] == '@') {
        read_decorator(p, begin, at);
    }
    return at;
}

/* --- imports -------------------------------------------------------------------------------- */

static void import_module(python_t *p, const char *module, size_t n, size_t offset, size_t length) {
    const port_package_t *package = port_module_find(p->r.packages, module, n);
    for (unsigned i = 0; package && i < p->n_seen; i++) {
        if (p->seen[i] == package) {
            return;
        }
    }
    if (package) {
        if (p->n_seen < MAX_SEEN) {
            p->seen[p->n_seen++] = package;
        }
        reading_package(&p->r, package, offset, length, true);
    }
}

static size_t dotted_end(const char *data, size_t at, size_t end) {
    while (at < end && (is_letter(data[at]) || is_digit(data[at]) || data[at] == '.')) {
        at++;
    }
    return at;
}

/* "import a.b as c, d" */
static void read_import(python_t *p, size_t at, size_t end) {
    const char *data = p->text->data;
    while (at < end) {
        at = skip_blanks(data, at, end);
        const size_t begin = at;
        at = dotted_end(data, at, end);
        if (at > begin) {
            import_module(p, data + begin, at - begin, begin, at - begin);
        }
        const char *comma = memchr(data + at, ',', end - at);
        at = comma ? (size_t)(comma - data) + 1 : end;
    }
}

/* "from a.b import c as d, e": the module a.b, and a.b.c in case that is one with a row. */
static void read_from(python_t *p, size_t begin, size_t end) {
    enum { MAX_MODULE = 120 };
    const char *data = p->text->data;
    char module[MAX_MODULE];
    begin = skip_blanks(data, begin, end);
    const size_t stop = dotted_end(data, begin, end), n = stop - begin;
    if (n == 0 || data[begin] == '.' || n >= MAX_MODULE / 2) {
        return; /* a module of the tree itself */
    }
    memcpy(module, data + begin, n);
    module[n] = '.';
    const char *word = memmem(data + stop, end - stop, "import", 6);
    for (size_t at = word ? (size_t)(word - data) + 6 : end; at < end;) {
        while (at < end && (data[at] == ' ' || data[at] == '(' || data[at] == '\t')) {
            at++;
        }
        const size_t n_name = dotted_end(data, at, end) - at;
        if (n_name && n_name < MAX_MODULE / 2) {
            memcpy(module + n + 1, data + at, n_name);
            import_module(p, module, n + 1 + n_name, begin, n);
        }
        const char *comma = memchr(data + at, ',', end - at);
        at = comma ? (size_t)(comma - data) + 1 : end;
    }
    import_module(p, data + begin, n, begin, n);
}

/* A statement that starts at: an import is read as a whole. */
static void read_statement(python_t *p, size_t at) {
    const char *data = p->text->data;
    size_t next;
    const size_t end = reading_line(data, at, p->text->size, &next);
    if (end - at > 7 && memcmp(data + at, "import ", 7) == 0) {
        read_import(p, at + 7, end);
    } else if (end - at > 5 && memcmp(data + at, "from ", 5) == 0) {
        read_from(p, at + 5, end);
    }
}

/* --- the text ------------------------------------------------------------------------------- */

static bool is_string_prefix(const char *data, size_t begin, size_t end) {
    if (end - begin > 2) {
        return false;
    }
    for (size_t i = begin; i < end; i++) {
        if (!strchr("rRbBfFuU", data[i])) {
            return false;
        }
    }
    return true;
}

/* A name, or the prefix of a string; returns where to go on. */
static size_t read_word(python_t *p, size_t at) {
    const char *data = p->text->data;
    const size_t size = p->text->size;
    size_t end = at;
    while (end < size && (is_letter(data[end]) || is_digit(data[end]))) {
        end++;
    }
    if (end < size && (data[end] == '"' || data[end] == '\'') && is_string_prefix(data, at, end)) {
        return end;
    }
    return read_names(p, at);
}

static void read_tokens(python_t *p) {
    const char *data = p->text->data;
    const size_t size = p->text->size;
    bool statement = true; /* nothing of it was seen */
    unsigned brackets = 0;
    for (size_t i = 0; i < size;) {
        const char c = data[i];
        if (c == '\n' || c == ';') {
            statement = statement || brackets == 0;
            i++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            i++;
        } else if (c == '#') {
            size_t next;
            i = reading_line(data, i, size, &next);
        } else if (c == '\\') {
            i += 2; /* the line goes on */
        } else if (c == '"' || c == '\'') {
            const size_t quote = i;
            size_t begin, stop;
            i = string_end(data, i, size, &begin, &stop);
            if (!statement) { /* a statement that begins with a string is documentation */
                read_string(p, quote, begin, stop);
            }
        } else if (is_letter(c)) {
            if (statement) {
                read_statement(p, i);
            }
            const size_t end = read_word(p, i);
            statement = statement && end < size && (data[end] == '"' || data[end] == '\'') &&
                        is_string_prefix(data, i, end);
            i = end;
        } else if (is_digit(c)) {
            while (i < size && (is_letter(data[i]) || is_digit(data[i]) || data[i] == '.')) {
                i++;
            }
            statement = false;
        } else {
            brackets += c == '(' || c == '[' || c == '{';
            brackets -= brackets && (c == ')' || c == ']' || c == '}');
            statement = false;
            i++;
        }
    }
}

void port_read_python(port_sink_t *sink, const port_text_t *text) {
    static const char *const hip[] = {"version.hip", "ROCM_HOME",    "is_rocm",  "is_hip", "IS_HIP",
                                      "IS_ROCM",     "ROCM_VERSION", "use_rocm", NULL};
    static const char *const setup[] = {"install_requires", "setup_requires", "extras_require",
                                        NULL};
    python_t p = {.r = reading_begin(sink, text), .text = text};
    p.r.ported = reading_contains_any(text->data, text->size, hip);
    p.is_setup = reading_contains_any(text->data, text->size, setup);
    p.uses_triton = reading_contains(text->data, text->size, "triton");
    read_tokens(&p);
    reading_offload_archs(&p.r, 0, text->size);
}
