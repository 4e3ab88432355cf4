#include "port/reading.h"

#include <string.h>

#include "base/banned.h"

#define N_OF(array) (sizeof(array) / sizeof *(array))

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || c == '.' || c == '+';
}

reading_t reading_begin(port_sink_t *sink, const port_text_t *text) {
    const reading_t r = {
        .sink = sink, .text = text, .packages = port_tables_packages(port_sink_tables(sink))};
    return r;
}

const char *reading_copy(const reading_t *r, size_t offset, size_t length) {
    const char *copy =
        assay_arena_strndup(port_sink_arena(r->sink), r->text->data + offset, length);
    return copy ? copy : "";
}

size_t reading_line(const char *data, size_t at, size_t end, size_t *out_next) {
    const char *newline = at < end ? memchr(data + at, '\n', end - at) : NULL;
    const size_t stop = newline ? (size_t)(newline - data) : end;
    *out_next = newline ? stop + 1 : end;
    return stop;
}

bool reading_contains(const char *data, size_t size, const char *word) {
    return size && memmem(data, size, word, strlen(word)) != NULL;
}

bool reading_contains_any(const char *data, size_t size, const char *const *words) {
    for (; *words; words++) {
        if (reading_contains(data, size, *words)) {
            return true;
        }
    }
    return false;
}

bool reading_word(const char *data, size_t *at, size_t end, size_t *out_begin, size_t *out_n) {
    size_t i = *at;
    for (;;) {
        while (i < end && !is_word(data[i])) {
            i++;
        }
        size_t begin = i;
        while (i < end && (is_word(data[i]) || (data[i] == ':' && i + 2 < end &&
                                                data[i + 1] == ':' && is_word(data[i + 2])))) {
            i += data[i] == ':' ? 2 : 1;
        }
        size_t stop = i;
        while (begin < stop && (data[begin] == '.' || data[begin] == '+')) {
            begin++;
        }
        while (stop > begin && (data[stop - 1] == '.' || data[stop - 1] == '-')) {
            stop--;
        }
        *at = i;
        if (stop > begin) {
            *out_begin = begin;
            *out_n = stop - begin;
            return true;
        }
        if (i >= end) {
            return false;
        }
    }
}

void reading_report(const reading_t *r, const port_term_t *term, size_t offset, size_t length) {
    const port_found_t found = {.rule = term->rule,
                                .offset = offset,
                                .length = length,
                                .api = reading_copy(r, offset, length),
                                .replacement = term->replacement[0] ? term->replacement : NULL,
                                .status = term->status[0] ? term->status : NULL,
                                .source = term->source[0] ? term->source : NULL,
                                .ported = r->ported};
    port_sink_report(r->sink, r->text, &found);
}

void reading_add(const reading_t *r, const char *rule, size_t offset, size_t length) {
    port_sink_add(r->sink, r->text, rule, offset, length, reading_copy(r, offset, length), NULL,
                  NULL, r->ported);
}

/* --- what is said to people ------------------------------------------------------------------ */

static bool word_in(const char *word, size_t n, const char *const *of) {
    for (; *of; of++) {
        if (strlen(*of) == n && memcmp(*of, word, n) == 0) {
            return true;
        }
    }
    return false;
}

/* Where the arguments of an echo end: at the command's end, or where another command's output is
   put in. */
static size_t echo_end(const char *data, size_t at, size_t end) {
    char quote = 0;
    for (; at < end && data[at] != '\n'; at++) {
        const char c = data[at];
        if (c == '`' || (c == '$' && at + 1 < end && data[at + 1] == '(')) {
            break;
        }
        if (c == '\\') {
            at++;
        } else if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (strchr(";|&>", c)) {
            break;
        }
    }
    return at < end ? at : end;
}

static size_t parenthesis_end(const char *data, size_t at, size_t end) {
    uint32_t depth = 1;
    for (; at < end && depth > 0; at++) {
        depth += data[at] == '(';
        depth -= data[at] == ')';
    }
    return at;
}

/* echo "...", rm -f ..., $(error ...), message(FATAL_ERROR ...): their words are no commands, no
   flags, and what is removed is not used. */
size_t reading_sentence_end(const char *data, size_t begin, size_t word, size_t n, size_t end) {
    static const char *const echoes[] = {"echo", "printf", "rm", "rmdir", NULL};
    static const char *const functions[] = {"error", "warning", "info", NULL};
    const size_t behind = word + n;
    if (word_in(data + word, n, echoes)) {
        return echo_end(data, behind, end);
    }
    if (word >= begin + 2 && data[word - 1] == '(' && data[word - 2] == '$' &&
        word_in(data + word, n, functions)) {
        return parenthesis_end(data, behind, end);
    }
    return n == 7 && strncasecmp(data + word, "message", n) == 0 && behind < end &&
                   data[behind] == '('
               ? parenthesis_end(data, behind + 1, end)
               : 0;
}

void reading_terms(const reading_t *r, size_t begin, size_t end, unsigned where) {
    const char *data = r->text->data;
    size_t at = begin, word = 0, n = 0, next = 0, n_next = 0;
    bool more = reading_word(data, &at, end, &next, &n_next);
    while (more) {
        word = next;
        n = n_next;
        const size_t sentence = reading_sentence_end(data, begin, word, n, end);
        at = sentence ? sentence : at;
        more = reading_word(data, &at, end, &next, &n_next);
        const bool same_line = more && !memchr(data + word + n, '\n', next - word - n);
        const port_term_t *term =
            port_term_find(r->packages, where, data + word, n, data + next, same_line ? n_next : 0);
        if (term) {
            const bool pair = term->n_next > 0;
            reading_report(r, term, word, pair ? next + n_next - word : n);
        }
    }
}

/* --- lists of gfx targets ------------------------------------------------------------------- */

static const char *const arch_keys[] = {
    "--offload-arch",          "-offload-arch",     "--amdgpu-target", "PYTORCH_ROCM_ARCH",
    "CMAKE_HIP_ARCHITECTURES", "HIP_ARCHITECTURES", "AMDGPU_TARGETS",  "GPU_TARGETS",
    "HCC_AMDGPU_TARGET"};

typedef struct {
    size_t first, n_first; /* the key that opened the list */
    bool any, unknown, covered, is_flag;
} arch_list_t;

/* "gfx942", "gfx90a:xnack-", "gfx9-4-generic" against the target. */
static bool arch_covers(const char *arch, size_t n, const char *target) {
    const size_t n_target = strlen(target);
    static const char generic[] = "-generic";
    const size_t n_generic = sizeof generic - 1;
    if (n > n_generic && memcmp(arch + n - n_generic, generic, n_generic) == 0) {
        const char *dash = memchr(arch, '-', n);
        const size_t n_family = (size_t)(dash - arch); /* who is in a family is not decided here */
        return n_target > n_family && memcmp(arch, target, n_family) == 0;
    }
    return n == n_target && memcmp(arch, target, n) == 0;
}

/* What follows a key, up to the end of its value. */
static void read_archs(const char *data, size_t begin, size_t end, const char *target,
                       arch_list_t *list) {
    for (size_t at = begin; at < end;) {
        if (data[at] == '$' || data[at] == '@') {
            list->unknown = true;
        }
        if (!is_word(data[at])) {
            at++;
            continue;
        }
        size_t word, n;
        if (!reading_word(data, &at, end, &word, &n)) {
            return;
        }
        list->unknown |= n == 6 && memcmp(data + word, "native", 6) == 0;
        if (n > 3 && memcmp(data + word, "gfx", 3) == 0 && is_digit(data[word + 3])) {
            list->any = true;
            list->covered |= arch_covers(data + word, n, target);
        }
    }
}

/* End of a value: of a flag at a blank or quote; of a list at the line's, its bracket's or its
   command's end. */
static size_t value_end(const char *data, size_t at, size_t end, bool is_flag) {
    const char quote = at < end && (data[at] == '"' || data[at] == '\'') ? data[at] : 0;
    for (at += quote != 0; at < end && data[at] != '\n'; at++) {
        if (quote ? data[at] == quote
                  : data[at] == ')' || (is_flag && strchr(" \t\"'", data[at]) != NULL)) {
            break;
        }
    }
    return at;
}

static const char *arch_key(const char *word, size_t n) {
    for (size_t i = 0; i < N_OF(arch_keys); i++) {
        if (strlen(arch_keys[i]) == n && memcmp(arch_keys[i], word, n) == 0) {
            return arch_keys[i];
        }
    }
    return NULL;
}

void reading_offload_archs(const reading_t *r, size_t begin, size_t end) {
    const char *data = r->text->data, *target = port_sink_options(r->sink)->target;
    arch_list_t list = {0};
    if (!target || !reading_contains(data + begin, end - begin, "gfx")) {
        return;
    }
    for (size_t at = begin, word, n; reading_word(data, &at, end, &word, &n);) {
        const char *key = arch_key(data + word, n);
        if (!key) {
            continue;
        }
        const bool is_flag = key[0] == '-';
        while (at < end && strchr(" \t=:?+\"'", data[at]) && !(is_flag && data[at] == '"')) {
            at++; /* "KEY ?= gfx", "KEY=\"gfx", "--offload-arch gfx" */
        }
        const size_t stop = value_end(data, at, end, is_flag);
        const bool before = list.any;
        read_archs(data, at, stop, target, &list);
        if (!before && list.any) {
            list.first = word;
            list.n_first = stop - word;
            list.is_flag = is_flag;
        }
        at = stop;
    }
    if (!list.any || list.unknown || list.covered) {
        return;
    }
    const char *flag =
        assay_arena_printf(port_sink_arena(r->sink),
                           list.is_flag ? "--offload-arch=%s" : "add %s to the list", target);
    port_sink_add(r->sink, r->text, "offload-arch-missing", list.first, list.n_first,
                  reading_copy(r, list.first, list.n_first), flag, NULL, false);
}

/* --- packages ------------------------------------------------------------------------------- */

static const struct {
    const char *rule, *status;
} package_rule[PORT_PACKAGE_STATUS_N] = {
    [PORT_PACKAGE_NATIVE] = {"package-native", "supported"},
    [PORT_PACKAGE_PARTIAL] = {"package-partial", "experimental"},
    [PORT_PACKAGE_FORK] = {"package-fork", "experimental"},
    [PORT_PACKAGE_REPLACEMENT] = {"package-replacement", "unsupported"},
    [PORT_PACKAGE_NONE] = {"package-none", "unsupported"},
    [PORT_PACKAGE_DROP] = {"package-drop", "supported"},
    [PORT_PACKAGE_UNKNOWN] = {"package-unknown", ""},
};

/* What is listed for frameworks; false: the package is none. */
static bool report_framework(const reading_t *r, const port_package_t *package, size_t offset,
                             size_t length, bool imported) {
    const assay_port_options_t *options = port_sink_options(r->sink);
    bool known = false;
    const port_framework_t *row = port_framework_find(r->packages, package->id, options, &known);
    if (!known || (row && imported)) {
        return known;
    }
    const port_found_t found = {
        .rule = row ? "framework-ready" : "framework-not-listed",
        .offset = offset,
        .length = length,
        .api = package->id,
        .replacement = row ? assay_arena_printf(port_sink_arena(r->sink), "%s %s: %s", row->name,
                                                row->versions, row->how)
                           : NULL,
        .status = row ? "supported" : "experimental",
        .source = row ? row->source : NULL,
        .ported = r->ported,
    };
    port_sink_report(r->sink, r->text, &found);
    return true;
}

void reading_package(const reading_t *r, const port_package_t *package, size_t offset,
                     size_t length, bool imported) {
    const bool ready = port_package_ready(package);
    const unsigned framework = port_framework_number(r->packages, package->id);
    const bool is_framework = framework < PORT_FRAMEWORKS;
    if (is_framework) {
        port_sink_framework(r->sink, framework);
    }
    port_sink_reference_of(r->sink, ASSAY_PORT_REFERENCE_PACKAGE,
                           ready                                  ? PORT_REFERENCE_READY
                           : package->status == PORT_PACKAGE_NONE ? PORT_REFERENCE_CUDA_ONLY
                                                                  : PORT_REFERENCE_WORK,
                           r->ported);
    if (ready && report_framework(r, package, offset, length, imported)) {
        return;
    }
    /* What only has to be imported works; that a framework needs another build or package is said
       where it is installed. */
    const char *rule = package_rule[package->status].rule;
    if (rule && !(imported && (package->status == PORT_PACKAGE_NATIVE || is_framework))) {
        const port_found_t found = {.rule = rule,
                                    .offset = offset,
                                    .length = length,
                                    .api = package->id,
                                    .replacement =
                                        package->replacement[0] ? package->replacement : NULL,
                                    .status = package_rule[package->status].status,
                                    .source = package->source,
                                    .ported = r->ported};
        port_sink_report(r->sink, r->text, &found);
    }
}

/* Offset of "cuNNN" behind mark ("+cu121", "whl/cu121"), its length in *out_n; end when none. */
static size_t find_cuda_tag(const char *data, size_t begin, size_t end, const char *mark,
                            size_t *out_n) {
    const size_t n_mark = strlen(mark);
    for (const char *p = begin < end ? data + begin : NULL;
         p && (p = memmem(p, (size_t)(data + end - p), mark, n_mark)); p++) {
        size_t at = (size_t)(p - data) + n_mark, n = 0;
        while (at + n < end && is_digit(data[at + n])) {
            n++;
        }
        if (n >= 2) {
            *out_n = n + 2; /* with "cu" */
            return at - 2;
        }
    }
    return end;
}

static bool report_cuda_wheel(const reading_t *r, size_t begin, size_t end) {
    static const char *const marks[] = {"+cu", "/cu", "=cu", "_cu"};
    for (size_t i = 0; i < N_OF(marks); i++) {
        size_t n = 0;
        const size_t at = find_cuda_tag(r->text->data, begin, end, marks[i], &n);
        if (at < end) {
            reading_add(r, "package-cuda-wheel", at, n);
            return true;
        }
    }
    return false;
}

/* "12" < "3.1"? By numbers between dots; what is no number ends the comparison. */
static bool version_before(const char *a, size_t n_a, const char *b) {
    const char *end = a + n_a;
    while (*b) {
        unsigned long x = 0, y = 0;
        for (; a < end && is_digit(*a) && x < 100000; a++) {
            x = 10 * x + (unsigned long)(*a - '0');
        }
        for (; is_digit(*b) && y < 100000; b++) {
            y = 10 * y + (unsigned long)(*b - '0');
        }
        if (x != y) {
            return x < y;
        }
        a += a < end && *a == '.';
        if (*b != '.') {
            return false;
        }
        b++;
    }
    return false;
}

/* "cu12", "cuda12x": the CUDA that a build is for. */
static bool is_cuda_suffix(const char *text, size_t n) {
    const size_t at = n > 4 && memcmp(text, "cuda", 4) == 0 ? 4 : 2;
    return n > at && memcmp(text, "cu", 2) == 0 && is_digit(text[at]);
}

/* By its name; "name-cu12" is a build of name; other "nvidia-..." are NVIDIA's. */
static const port_package_t *find_package(const reading_t *r, const char *name, size_t n) {
    const port_package_t *package = port_package_find(r->packages, name, n);
    const char *dash = memrchr(name, '-', n);
    if (!package && dash && is_cuda_suffix(dash + 1, (size_t)(name + n - dash - 1))) {
        package = port_package_find(r->packages, name, (size_t)(dash - name));
    }
    if (!package && n > 7 && memcmp(name, "nvidia-", 7) == 0) {
        package = port_package_find(r->packages, "nvidia-other", 12);
    }
    return package;
}

static size_t skip_blanks(const char *data, size_t at, size_t end) {
    while (at < end && (data[at] == ' ' || data[at] == '\t')) {
        at++;
    }
    return at;
}

/* "==1.2.3" behind the name: older than the first version that runs on ROCm? */
static void check_pin(const reading_t *r, const port_package_t *package, size_t at, size_t end) {
    const char *data = r->text->data;
    at = skip_blanks(data, at, end);
    size_t n = 0;
    while (at + n < end && data[at + n] == '=') {
        n++;
    }
    if (n == 0 || !package->since[0]) {
        return;
    }
    at = skip_blanks(data, at + n, end);
    for (n = 0; at + n < end && (is_digit(data[at + n]) || data[at + n] == '.');) {
        n++;
    }
    if (n && version_before(data + at, n, package->since)) {
        const port_found_t found = {.rule = "package-too-old",
                                    .offset = at,
                                    .length = n,
                                    .api = package->id,
                                    .replacement =
                                        assay_arena_printf(port_sink_arena(r->sink), "%s >= %s",
                                                           package->id, package->since),
                                    .source = package->source,
                                    .ported = r->ported};
        port_sink_report(r->sink, r->text, &found);
    }
}

void reading_requirement(const reading_t *r, size_t begin, size_t end) {
    const char *data = r->text->data;
    begin = skip_blanks(data, begin, end);
    const size_t name = begin;
    size_t at = begin;
    while (at < end && is_word(data[at]) && data[at] != '+') {
        at++;
    }
    const size_t n = at - name;
    const bool is_option = n && data[name] == '-';
    const bool is_address = at < end && strchr(":/+@", data[at]) != NULL;
    const bool cuda_wheel = n && report_cuda_wheel(r, begin, end);
    if (is_option || is_address || n == 0) {
        return;
    }
    const port_package_t *package = find_package(r, data + name, n);
    if (!package) {
        return;
    }
    reading_package(r, package, name, n, false);
    at = skip_blanks(data, at, end);
    if (at < end && data[at] == '[') {
        const char *close = memchr(data + at, ']', end - at);
        const size_t stop = close ? (size_t)(close - data) + 1 : end;
        if (!cuda_wheel && reading_contains(data + at, stop - at, "cuda")) {
            reading_add(r, "package-cuda-wheel", name, stop - name);
        }
        at = stop;
    }
    check_pin(r, package, at, end);
}

void reading_install(const reading_t *r, size_t begin, size_t end) {
    const char *data = r->text->data;
    for (size_t at = begin; at < end;) {
        while (at < end && strchr(" \t\"'\\\n\r", data[at])) {
            at++;
        }
        const size_t word = at;
        while (at < end && !strchr(" \t\"'\n\r", data[at])) {
            at++;
        }
        if (at > word) {
            reading_requirement(r, word, at);
        }
    }
}
