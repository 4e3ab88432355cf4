/* Texts that somebody sent: made clean, split where several outputs stand in one file, and handed
   to the parser that knows them. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/text.h"
#include "host/host_archive.h"

#include "base/banned.h"

/* Bytes of the escape sequence at text (ESC [ ... letter, ESC ] ... BEL, ESC letter); 0: none. */
static size_t escape_length(const char *text, size_t n) {
    if (n < 2 || text[0] != '\x1b') {
        return 0;
    }
    size_t at = 2;
    if (text[1] == '[') {
        while (at < n && (unsigned char)text[at] >= 0x20 && (unsigned char)text[at] < 0x40) {
            at++;
        }
        return at < n ? at + 1 : n;
    }
    if (text[1] == ']') {
        while (at < n && text[at] != '\a' && text[at] != '\x1b' && text[at] != '\n') {
            at++;
        }
        return at < n && text[at] == '\a' ? at + 1 : at;
    }
    return 2;
}

/* UTF-8 without byte-order mark, escape sequences, CR and NUL; bytes that are not UTF-8 become '?'.
   Every replacement is at most as long as what it replaces. */
char *host_clean(assay_arena_t *scratch, const char *data, size_t n, size_t *out_n) {
    char *text = assay_arena_array(scratch, n + 1, 1);
    if (!text) {
        return NULL;
    }
    size_t to = 0, from = n >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (from < n) {
        const size_t escape = escape_length(data + from, n - from);
        if (escape > 0) {
            from += escape;
        } else if (data[from] == '\r') { /* CR LF is a line's end; CR alone wrote it anew */
            from++;
            if (from >= n || data[from] != '\n') {
                text[to++] = '\n';
            }
        } else {
            text[to++] = data[from] ? data[from] : ' ';
            from++;
        }
    }
    for (size_t at = 0; at < to;) {
        const size_t bad = assay_text_utf8_bad(text + at, to - at);
        at += bad;
        if (at < to) {
            text[at++] = '?';
        }
    }
    text[to] = '\0';
    *out_n = to;
    return text;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const host_parse_row_t *host_parse_select(const assay_host_rules_t *rules, const char *name,
                                          host_span_t text) {
    const host_parse_row_t *by_name = NULL, *log = NULL;
    for (uint32_t i = 0; i < host_parse_table_n; i++) {
        const host_parse_row_t *row = &host_parse_table[i];
        const bool named =
            host_name_matches(row->names, base_name(name)) || host_name_matches(row->names, name);
        if (named && (row->flags & HOST_NAME_DECIDES)) {
            return row;
        }
        by_name = named && !by_name ? row : by_name;
        log = row->parse == host_parse_log ? row : log;
    }
    for (uint32_t i = 0; i < host_parse_table_n; i++) {
        if (host_parse_table[i].sniff && host_parse_table[i].sniff(text)) {
            return &host_parse_table[i];
        }
    }
    return by_name ? by_name : host_log_matches(rules, text) ? log : NULL;
}

/* --- several outputs in one text ------------------------------------------------------------- */

/* The command of "$ nvidia-smi -q", "root@host:~# lsmod", "+ cat /proc/cmdline", or the file of
   "==> /proc/cmdline <=="; n = 0: the line is none of these. */
static host_span_t command_of(host_span_t line) {
    static const char *const known[] = {
        "rocminfo",   "rocm-smi",   "amd-smi",     "rocm_agent_enumerator",
        "nvidia-smi", "lspci",      "lsmod",       "modinfo",
        "dmesg",      "journalctl", "cat",         "ls",
        "id",         "ulimit",     "env",         "printenv",
        "uname",      "df",         "numactl",     "lstopo",
        "lscpu",      "ibstat",     "ibv_devinfo", "docker",
        "systemctl",  "sysctl",     "dkms",        "nvcc",
        "pip",        "head",       "tail",        "ofed_info",
        "groups",     "stat",       "mount",       "free"};
    line = host_trim(line);
    if (host_starts(line, "==> ") && line.n > 8 && memcmp(line.s + line.n - 4, " <==", 4) == 0) {
        return host_trim((host_span_t){line.s + 4, line.n - 8});
    }
    host_span_t rest = line, word = host_word(&rest);
    while (word.n > 0 &&
           !(word.s[word.n - 1] == '$' || word.s[word.n - 1] == '#' || host_is(word, "+"))) {
        if (rest.n == 0 || word.s != line.s) {
            return (host_span_t){line.s, 0}; /* a prompt is one word, or two */
        }
        word = host_word(&rest);
    }
    rest = host_trim(rest);
    if (host_starts(rest, "sudo ")) {
        rest = host_trim((host_span_t){rest.s + 5, rest.n - 5});
    }
    host_span_t after = rest;
    const host_span_t program = host_word(&after);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (host_is(program, known[i])) {
            const bool shows =
                host_is(program, "cat") || host_is(program, "head") || host_is(program, "tail");
            return shows ? host_trim(after) : rest;
        }
    }
    return (host_span_t){line.s, 0};
}

static void read_part(host_parse_t *parse, const char *name, host_span_t text, uint32_t line) {
    const host_parse_row_t *row = host_parse_select(parse->rules, name, text);
    if (parse->host->n_source == 0 || host_trim(text).n > 0 || row) {
        assay_host_source_t *source = host_add(parse, source);
        if (!source) {
            return;
        }
        *source = (assay_host_source_t){.file = parse->file,
                                        .parser = row ? row->name : NULL,
                                        .reason = row ? NULL : "nothing in it was recognised",
                                        .bytes = text.n,
                                        .stated = row && (row->flags & HOST_STATED)};
        if (row) {
            parse->source = source;
            parse->rest = text;
            parse->first = parse->line = line;
            parse->name = name;
            parse->stated = (row->flags & HOST_STATED) != 0;
            row->parse(parse);
        }
    }
}

void host_parse_text(host_parse_t *parse, const char *name, host_span_t text) {
    host_parse_t lines = {.rest = text};
    const char *part_name = name;
    host_span_t part = {text.s, 0}, line;
    uint32_t from = 0;
    bool split = false;
    if (host_starts(text, "#!")) { /* a script's comments look like commands of root */
        read_part(parse, name, text, 0);
        return;
    }
    while (host_next_line(&lines, &line)) {
        const host_span_t command = command_of(line);
        if (command.n == 0) {
            part.n = (size_t)(lines.rest.s - part.s);
            continue;
        }
        if (host_trim(part).n > 0) {
            read_part(parse, part_name, part, from);
        }
        const char *copy = host_copy(parse, command);
        if (!copy) {
            return;
        }
        split = true;
        part_name = copy;
        part = (host_span_t){lines.rest.s, 0};
        from = lines.line;
    }
    if (!split || host_trim(part).n > 0) {
        read_part(parse, part_name, part, from);
    }
}

/* --- files ----------------------------------------------------------------------------------- */

/* Raw and clean bytes of one file, and what its parser needs meanwhile. */
#define SCRATCH_BYTES (4 * ASSAY_HOST_MAX_FILE_BYTES)

#define SAMPLES_MAX 128

typedef struct {
    host_parse_t parse;
    struct {
        const char *bdf; /* whose; NULL: its number tells */
        double index;
        host_metrics_t metrics;
    } sample[SAMPLES_MAX]; /* of gpu_metrics, for differences with a second one */
    uint32_t n_sample, n_file;
    assay_error_t *err;
} reader_t;

static assay_status_t reader_start(assay_arena_t *arena, const assay_host_rules_t *rules,
                                   const char *name, reader_t *out_reader, assay_error_t *err) {
    assay_host_t *host = assay_arena_alloc(arena, sizeof *host);
    const char *copy = assay_arena_strdup(arena, name);
    if (!host || !copy) {
        return assay_error_memory(err, NULL);
    }
    assay_arena_t *scratch = assay_arena_create(SCRATCH_BYTES);
    if (!scratch) {
        return assay_error_set(err, ASSAY_MEMORY, NULL, "no memory");
    }
    host->name = copy;
    *out_reader = (reader_t){
        .parse = {.arena = arena, .scratch = scratch, .rules = rules, .host = host}, .err = err};
    return ASSAY_OK;
}

static assay_status_t reader_end(reader_t *reader, assay_status_t status, assay_host_t **out_host) {
    assay_arena_destroy(reader->parse.scratch);
    if (status == ASSAY_OK) {
        host_gpu_settle(reader->parse.host);
        host_pci_settle(reader->parse.host);
        *out_host = reader->parse.host;
    }
    return status;
}

/* The address in a path, or the number behind "card" or "gpu" in a name: whose table it is. */
static assay_host_gpu_t *owner_of(host_parse_t *parse, const char *name) {
    static const char *const word[] = {"card", "gpu", "gpu_metrics"};
    for (const char *at = name; *at; at++) {
        const char *bdf = at == name || at[-1] == '/' || at[-1] == '-' || at[-1] == '_'
                              ? host_bdf(parse, host_span(at))
                              : NULL;
        if (bdf) {
            return host_gpu(parse, ASSAY_VENDOR_AMD, -1, bdf);
        }
    }
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        for (const char *at = name; (at = strstr(at, word[i])); at++) {
            const char *digits = at + strlen(word[i]);
            double index;
            host_span_t rest;
            digits += *digits == '-' || *digits == '_' || *digits == '.';
            if (*digits >= '0' && *digits <= '9' && host_number(host_span(digits), &index, &rest) &&
                index < 65536) {
                return host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, NULL);
            }
        }
    }
    return host_gpu(parse, ASSAY_VENDOR_AMD, 0, NULL);
}

/* A binary table of the driver; two of one accelerator give the counters between them. */
static void read_metrics(reader_t *reader, const char *name, host_span_t bytes) {
    host_parse_t *parse = &reader->parse;
    assay_host_source_t *source = host_add(parse, source);
    host_metrics_t metrics;
    if (!source) {
        return;
    }
    *source = (assay_host_source_t){.file = parse->file, .parser = "gpu_metrics", .bytes = bytes.n};
    parse->source = source;
    parse->first = parse->line = 0;
    parse->stated = false;
    if (!host_metrics_decode(bytes, &metrics)) {
        source->reason = "a table of a revision or size that is not known";
        return;
    }
    assay_host_gpu_t *gpu = owner_of(parse, name);
    if (!gpu) {
        return;
    }
    host_metrics_set(parse, &metrics, gpu);
    const char *bdf = gpu->bdf.s;
    for (uint32_t i = 0; i < reader->n_sample; i++) {
        const host_metrics_t *other = &reader->sample[i].metrics;
        const char *whose = reader->sample[i].bdf;
        const bool same = bdf && whose ? strcmp(bdf, whose) == 0
                                       : !bdf && !whose && reader->sample[i].index == gpu->index.v;
        if (same) { /* names do not tell which was first */
            const bool later =
                metrics.value[HOST_METRIC_accumulation] >= other->value[HOST_METRIC_accumulation];
            host_metrics_set_delta(parse, later ? other : &metrics, later ? &metrics : other, 0,
                                   gpu);
            return;
        }
    }
    if (reader->n_sample < SAMPLES_MAX) {
        reader->sample[reader->n_sample].bdf = bdf;
        reader->sample[reader->n_sample].index = gpu->index.v;
        reader->sample[reader->n_sample++].metrics = metrics;
    }
}

static assay_status_t read_text(reader_t *reader, const char *name, const char *data, size_t n) {
    host_parse_t *parse = &reader->parse;
    const bool table = host_name_matches("*gpu_metrics*|*gpu-metrics*", name) &&
                       host_metrics_is((host_span_t){data, n});
    if (++reader->n_file > ASSAY_HOST_MAX_FILES) {
        return assay_error_set(reader->err, ASSAY_LIMIT, NULL, "more than %u files",
                               ASSAY_HOST_MAX_FILES);
    }
    size_t n_text = 0;
    const char *text = host_clean(parse->scratch, data, n, &n_text);
    parse->file = assay_arena_strdup(parse->arena, name);
    if (table && parse->file) {
        read_metrics(reader, name, (host_span_t){data, n});
    } else if (text && parse->file) {
        host_parse_text(parse, parse->file, (host_span_t){text, n_text});
    }
    const bool full = parse->full || !text || !parse->file;
    assay_arena_reset(parse->scratch);
    return full ? assay_error_memory(reader->err, NULL) : ASSAY_OK;
}

static int compare_files(const void *a, const void *b) {
    return strcmp(((const assay_host_file_t *)a)->name, ((const assay_host_file_t *)b)->name);
}

assay_status_t assay_host_read_files(assay_arena_t *arena, const assay_host_rules_t *rules,
                                     const char *name, const assay_host_file_t *file,
                                     uint32_t n_file, assay_host_t **out_host, assay_error_t *err) {
    reader_t reader;
    assay_status_t status = reader_start(arena, rules, name, &reader, err);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_host_file_t *sorted = assay_arena_array(arena, n_file, sizeof *sorted);
    if (!sorted) {
        status = assay_error_memory(err, NULL);
    } else if (n_file > 0) {
        memcpy(sorted, file, n_file * sizeof *sorted);
        qsort(sorted, n_file, sizeof *sorted, compare_files);
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < n_file; i++) {
        status = read_text(&reader, sorted[i].name, sorted[i].data, sorted[i].n);
    }
    return reader_end(&reader, status, out_host);
}

/* A file that was named, or found below a directory that was. */
static assay_status_t read_path(reader_t *reader, const char *path, const char *name, bool named) {
    char *data;
    size_t n;
    assay_error_t err;
    assay_status_t status =
        assay_file_read(reader->parse.scratch, path, ASSAY_HOST_MAX_FILE_BYTES, &data, &n, &err);
    if (status == ASSAY_OK) {
        return read_text(reader, name, data, n);
    }
    if (named) {
        if (reader->err) {
            *reader->err = err;
        }
        return status;
    }
    assay_host_source_t *source = host_add(&reader->parse, source);
    const char *file = assay_arena_strdup(reader->parse.arena, name);
    const char *reason = assay_arena_strdup(reader->parse.arena, err.what);
    if (reader->parse.full || !file || !reason) {
        return assay_error_memory(reader->err, NULL);
    }
    if (source) {
        *source = (assay_host_source_t){.file = file, .reason = reason};
    }
    return ASSAY_OK;
}

#define DEPTH_MAX 16

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in a directory in byte order, without those that begin with a dot. */
static assay_status_t list_names(reader_t *reader, const char *path, const char ***out_name,
                                 size_t *out_n) {
    const assay_place_t at = {path, 0, 0};
    DIR *dir = opendir(path);
    if (!dir) {
        return assay_error_set(reader->err, ASSAY_IO, &at, "cannot be read");
    }
    const char **name = assay_arena_array(reader->parse.arena, ASSAY_HOST_MAX_FILES, sizeof *name);
    size_t n = 0;
    assay_status_t status = name ? ASSAY_OK : assay_error_memory(reader->err, &at);
    for (struct dirent *entry; status == ASSAY_OK && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        if (n == ASSAY_HOST_MAX_FILES) {
            status = assay_error_set(reader->err, ASSAY_LIMIT, &at, "more than %u files",
                                     ASSAY_HOST_MAX_FILES);
            break;
        }
        name[n] = assay_arena_strdup(reader->parse.arena, entry->d_name);
        status = name[n++] ? ASSAY_OK : assay_error_memory(reader->err, &at);
    }
    (void)closedir(dir);
    if (status == ASSAY_OK) {
        qsort(name, n, sizeof *name, compare_names);
        *out_name = name;
        *out_n = n;
    }
    return status;
}

/* Directories of a copied root, which are read as such. */
static bool is_of_root(const char *name) {
    static const char *const of_root[] = {"proc", "sys", "dev", "etc", "run", "var"};
    for (size_t i = 0; i < sizeof of_root / sizeof of_root[0]; i++) {
        if (strcmp(name, of_root[i]) == 0) {
            return true;
        }
    }
    return false;
}

static assay_status_t read_tree(reader_t *reader, const char *path, const char *prefix,
                                uint32_t depth) {
    const char **name = NULL;
    size_t n = 0;
    const bool root = host_live_is_root(path);
    if (!root && host_tree_read(&reader->parse, path)) { /* software, not a capture */
        return reader->parse.full ? assay_error_memory(reader->err, NULL) : ASSAY_OK;
    }
    assay_status_t status = list_names(reader, path, &name, &n);
    if (status == ASSAY_OK && root) {
        reader->parse.stated = false;
        status = host_live_read(&reader->parse, path, HOST_ROOT_COPY, reader->err);
    }
    for (size_t i = 0; status == ASSAY_OK && i < n; i++) {
        assay_arena_t *arena = reader->parse.arena;
        const char *below = assay_arena_printf(arena, "%s/%s", path, name[i]);
        const char *shown = assay_arena_printf(arena, "%s%s", prefix, name[i]);
        const char *deeper = assay_arena_printf(arena, "%s%s/", prefix, name[i]);
        struct stat st;
        if (!below || !shown || !deeper) {
            status = assay_error_memory(reader->err, NULL);
        } else if (lstat(below, &st) != 0) {
            continue; /* gone meanwhile */
        } else if (S_ISREG(st.st_mode)) {
            status = read_path(reader, below, shown, false);
        } else if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX && !(root && is_of_root(name[i]))) {
            status = read_tree(reader, below, deeper, depth + 1);
        }
    }
    return status;
}

static assay_status_t read_member(void *ctx, const char *name, const char *data, size_t n) {
    return read_text(ctx, name, data, n);
}

/* One path that was named. */
static assay_status_t read_named(reader_t *reader, const char *path) {
    const host_text_reader_t text = {read_member, reader};
    struct stat st;
    if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        return host_archive_is_unpacked(path)
                   ? host_archive_read_folder(&reader->parse, path, &text, reader->err)
                   : read_tree(reader, path, "", 0);
    }
    return assay_archive_is_named(path)
               ? host_archive_read(&reader->parse, path, &text, reader->err)
               : read_path(reader, path, base_name(path), true);
}

assay_status_t assay_host_read_capture(assay_arena_t *arena, const assay_host_rules_t *rules,
                                       const char *const *path, uint32_t n_path,
                                       assay_host_t **out_host, assay_error_t *err) {
    reader_t reader;
    assay_status_t status = reader_start(arena, rules, n_path ? path[0] : "", &reader, err);
    if (status != ASSAY_OK) {
        return status;
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < n_path; i++) {
        status = read_named(&reader, path[i]);
    }
    return reader_end(&reader, status, out_host);
}

assay_status_t host_read_live(assay_arena_t *arena, const assay_host_rules_t *rules,
                              const char *root, const char *const *environment, host_tape_t *record,
                              assay_host_t **out_host, assay_error_t *err) {
    reader_t reader;
    assay_status_t status = reader_start(arena, rules, "this machine", &reader, err);
    if (status != ASSAY_OK) {
        return status;
    }
    host_parse_t *parse = &reader.parse;
    parse->host->live = true;
    parse->file = "environment";
    parse->line = 0;
    for (; status == ASSAY_OK && environment && *environment; environment++) {
        host_span_t name, value;
        parse->host->env_seen = true;
        if (host_key_value(host_span(*environment), '=', &name, &value)) {
            host_env_add(parse, name, value);
        }
    }
    if (status == ASSAY_OK && parse->full) {
        status = assay_error_memory(err, NULL);
    }
    if (status == ASSAY_OK) {
        status = host_live_record(
            parse, root, strcmp(root, "/") == 0 ? HOST_ROOT_OWN : HOST_ROOT_MOUNT, record, err);
    }
    return reader_end(&reader, status, out_host);
}

assay_status_t assay_host_read_live(assay_arena_t *arena, const assay_host_rules_t *rules,
                                    const char *root, const char *const *environment,
                                    assay_host_t **out_host, assay_error_t *err) {
    return host_read_live(arena, rules, root, environment, NULL, out_host, err);
}
