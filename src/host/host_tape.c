#include "host/host_tape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/text.h"
#include "host/host_parse.h"

#include "base/banned.h"

#define TAPE_BYTES_MAX ((size_t)256 << 20)

static host_tape_entry_t *grow(host_tape_t *tape) {
    if (tape->n == tape->capacity) {
        const uint32_t capacity = tape->capacity ? 2 * tape->capacity : 1024;
        host_tape_entry_t *more = capacity > 2 * HOST_TAPE_MAX_ENTRIES
                                      ? NULL
                                      : assay_arena_array(tape->arena, capacity, sizeof *more);
        if (!more) {
            tape->full = true;
            return NULL;
        }
        if (tape->n > 0) {
            memcpy(more, tape->entry, tape->n * sizeof *more);
        }
        tape->entry = more;
        tape->capacity = capacity;
    }
    return &tape->entry[tape->n++];
}

static bool was_read(const host_tape_t *tape, const char *path) {
    for (uint32_t i = 0; i < tape->n; i++) {
        if (tape->entry[i].kind == HOST_READ_FILE && strcmp(tape->entry[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

void host_tape_record(host_tape_t *tape, host_request_kind_t kind, const char *path,
                      const host_reply_t *reply, const char *data) {
    static const char metrics[] = "/gpu_metrics";
    const size_t n = strlen(path), n_metrics = sizeof metrics - 1;
    /* The tables of counters alone are read twice on purpose. */
    const bool again = kind == HOST_READ_FILE && n > n_metrics &&
                       strcmp(path + n - n_metrics, metrics) == 0 && was_read(tape, path);
    const char *name = assay_arena_printf(tape->arena, "%s%s", path, again ? "_later" : "");
    const size_t bytes = reply->error ? 0 : reply->n;
    const char *copy = assay_arena_strndup(tape->arena, bytes ? data : "", bytes);
    host_tape_entry_t *entry = name && copy ? grow(tape) : NULL;
    if (entry) {
        *entry = (host_tape_entry_t){name, (uint8_t)kind, *reply, copy};
        entry->reply.n = bytes;
    }
    tape->full |= entry == NULL;
}

/* A question that was asked twice has been answered alike, or nearly: either will do. */
static int compare_entries(const void *a, const void *b) {
    const host_tape_entry_t *x = a, *y = b;
    return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : strcmp(x->path, y->path);
}

void host_tape_sort(host_tape_t *tape) {
    if (tape->n > 0) {
        qsort(tape->entry, tape->n, sizeof *tape->entry, compare_entries);
    }
}

host_reply_t host_tape_play(const host_tape_t *tape, host_request_kind_t kind, const char *path,
                            const char **out_data) {
    const host_tape_entry_t key = {.path = path, .kind = (uint8_t)kind};
    const host_tape_entry_t *entry =
        tape->n > 0 ? bsearch(&key, tape->entry, tape->n, sizeof *tape->entry, compare_entries)
                    : NULL;
    *out_data = entry ? entry->data : "";
    return entry ? entry->reply : (host_reply_t){.error = ENOENT};
}

/* --- as text --------------------------------------------------------------------------------- */

static const char letter[HOST_REQUEST_N + 1] = {
    [HOST_READ_FILE] = 'F', [HOST_READ_LIST] = 'L',  [HOST_READ_LINK] = 'K',
    [HOST_READ_STAT] = 'S', [HOST_READ_SPACE] = 'V', [HOST_TRY_OPEN] = 'O'};

/* Names and links may hold anything but NUL: what would break a line ends the entry. */
static bool is_plain(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\n' || text[i] == '\t') {
            return false;
        }
    }
    return true;
}

static void add_list(assay_buf_t *out, const host_tape_entry_t *entry) {
    for (size_t i = 0; i < entry->reply.n; i += strlen(entry->data + i) + 1) {
        if (is_plain(entry->data + i, strlen(entry->data + i))) {
            assay_buf_printf(out, "\t%s", entry->data + i);
        }
    }
}

const char *host_tape_index(const host_tape_t *tape, size_t *out_n) {
    assay_buf_t out;
    assay_buf_init(&out, TAPE_BYTES_MAX);
    for (uint32_t i = 0; i < tape->n; i++) {
        const host_tape_entry_t *entry = &tape->entry[i];
        const host_reply_t *reply = &entry->reply;
        if (!is_plain(entry->path, strlen(entry->path))) {
            continue;
        }
        assay_buf_printf(&out, "%c\t%" PRId32 "\t%s", letter[entry->kind], reply->error,
                         entry->path);
        if (entry->kind == HOST_READ_LIST) {
            add_list(&out, entry);
        } else if (entry->kind == HOST_READ_LINK && is_plain(entry->data, entry->reply.n)) {
            assay_buf_printf(&out, "\t%.*s", (int)entry->reply.n, entry->data);
        } else if (entry->kind == HOST_READ_STAT) {
            assay_buf_printf(&out, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64, reply->mode,
                             reply->uid, reply->gid, reply->number[0]);
        } else if (entry->kind == HOST_READ_SPACE) {
            assay_buf_printf(&out, "\t%" PRIu64 "\t%" PRIu64, reply->number[0], reply->number[1]);
        }
        assay_buf_add(&out, "\n", 1);
    }
    const char *text =
        out.failed ? NULL : assay_arena_strndup(tape->arena, out.n ? out.data : "", out.n);
    *out_n = out.n;
    assay_buf_done(&out);
    return text;
}

static int compare_files(const void *a, const void *b) {
    return strcmp(((const assay_archive_file_t *)a)->path, ((const assay_archive_file_t *)b)->path);
}

/* file: by path. */
static const assay_archive_file_t *file_at(const assay_archive_file_t *file, uint32_t n,
                                           const char *path) {
    const assay_archive_file_t key = {path, NULL, 0};
    return n > 0 ? bsearch(&key, file, n, sizeof *file, compare_files) : NULL;
}

static uint64_t next_number(host_span_t *rest) {
    const host_span_t word = host_cut(rest, "\t");
    uint64_t number;
    return assay_text_to_u64(word.s, word.n, &number) ? number : 0;
}

static void read_list(host_tape_t *tape, host_span_t rest, host_tape_entry_t *entry) {
    char *names = assay_arena_array(tape->arena, rest.n + 1, 1);
    if (!names) {
        tape->full = true;
        return;
    }
    for (size_t i = 0; i < rest.n; i++) {
        names[i] = rest.s[i] == '\t' ? '\0' : rest.s[i];
    }
    entry->data = names;
    entry->reply.n = rest.n > 0 ? rest.n + 1 : 0;
}

static void read_line(host_tape_t *tape, const assay_archive_file_t *file, uint32_t n_file,
                      const char *prefix, host_span_t line) {
    host_span_t rest = line;
    const host_span_t kind = host_cut(&rest, "\t"), error = host_cut(&rest, "\t"),
                      path = host_cut(&rest, "\t");
    uint64_t number;
    const char *mark = kind.n == 1 ? strchr(letter, kind.s[0]) : NULL;
    if (!mark || !*mark || path.n == 0 || !assay_text_to_u64(error.s, error.n, &number) ||
        number > 4096) {
        return;
    }
    host_tape_entry_t entry = {.path = assay_arena_strndup(tape->arena, path.s, path.n),
                               .kind = (uint8_t)(mark - letter),
                               .reply = {.error = (int32_t)number},
                               .data = ""};
    if (!entry.path) {
        tape->full = true;
        return;
    }
    if (entry.kind == HOST_READ_FILE && number == 0) {
        const char *name =
            assay_arena_printf(tape->arena, "%s" HOST_TAPE_ROOT "%s", prefix, entry.path);
        const assay_archive_file_t *found = name ? file_at(file, n_file, name) : NULL;
        entry.data = found ? found->data : "";
        entry.reply.n = found ? found->n : 0;
    } else if (entry.kind == HOST_READ_LIST) {
        read_list(tape, rest, &entry);
    } else if (entry.kind == HOST_READ_LINK) {
        entry.data = assay_arena_strndup(tape->arena, rest.s, rest.n);
        entry.reply.n = rest.n;
    } else if (entry.kind == HOST_READ_STAT) {
        entry.reply.mode = (uint32_t)next_number(&rest);
        entry.reply.uid = (uint32_t)next_number(&rest);
        entry.reply.gid = (uint32_t)next_number(&rest);
        entry.reply.number[0] = next_number(&rest);
    } else if (entry.kind == HOST_READ_SPACE) {
        entry.reply.number[0] = next_number(&rest);
        entry.reply.number[1] = next_number(&rest);
    }
    host_tape_entry_t *place = entry.data ? grow(tape) : NULL;
    tape->full |= place == NULL;
    if (place) {
        *place = entry;
    }
}

void host_tape_read(host_tape_t *tape, const assay_archive_file_t *file, uint32_t n_file,
                    const char *prefix, const char *index, size_t n_index) {
    host_parse_t lines = {.rest = {index, n_index}};
    tape->machine = true;
    for (host_span_t line; !tape->full && host_next_line(&lines, &line);) {
        read_line(tape, file, n_file, prefix, line);
    }
    host_tape_sort(tape);
}

/* --- of a copied root ------------------------------------------------------------------------ */

static void add(host_tape_t *tape, host_request_kind_t kind, const char *path, uint32_t mode,
                const char *data, size_t n) {
    host_tape_entry_t *entry = path && data ? grow(tape) : NULL;
    tape->full |= entry == NULL;
    if (entry) {
        *entry = (host_tape_entry_t){path, (uint8_t)kind, {.mode = mode, .n = n}, data};
    }
}

/* Names right below the folder file[first].path[0..n_folder), which ends with '/'; the files are in
   the order of their paths. */
static void add_folder(host_tape_t *tape, const assay_archive_file_t *file, uint32_t n_file,
                       uint32_t first, size_t n_folder, size_t n_prefix) {
    const char *folder = file[first].path;
    assay_buf_t names;
    assay_buf_init(&names, TAPE_BYTES_MAX);
    const char *last = NULL;
    size_t n_last = 0;
    for (uint32_t i = first; i < n_file && strncmp(file[i].path, folder, n_folder) == 0; i++) {
        const char *name = file[i].path + n_folder;
        const size_t n = strcspn(name, "/");
        if (!last || n != n_last || memcmp(name, last, n) != 0) {
            assay_buf_add(&names, name, n);
            assay_buf_add(&names, "", 1);
            last = name;
            n_last = n;
        }
    }
    const char *path = assay_arena_strndup(tape->arena, folder + n_prefix, n_folder - n_prefix - 1);
    const char *copy =
        names.failed ? NULL : assay_arena_strndup(tape->arena, names.n ? names.data : "", names.n);
    add(tape, HOST_READ_LIST, path, 0, copy, names.n);
    add(tape, HOST_READ_STAT, path, S_IFDIR | 0755, "", 0);
    assay_buf_done(&names);
}

void host_tape_of_copy(host_tape_t *tape, const assay_archive_file_t *file, uint32_t n_file,
                       const char *prefix) {
    const size_t n_prefix = strlen(prefix);
    for (uint32_t i = 0; i < n_file && !tape->full; i++) {
        const char *path = file[i].path;
        if (strncmp(path, prefix, n_prefix) != 0) {
            continue;
        }
        add(tape, HOST_READ_FILE, path + n_prefix, 0, file[i].data, file[i].n);
        add(tape, HOST_READ_STAT, path + n_prefix, S_IFREG | 0644, "", 0);
        /* Every folder on the way that the file in front of it is not in. */
        const char *before = i > 0 ? file[i - 1].path : "";
        for (size_t at = n_prefix; path[at]; at++) {
            if (path[at] == '/' && strncmp(path, before, at + 1) != 0) {
                add_folder(tape, file, n_file, i, at + 1, n_prefix);
            }
        }
    }
    host_tape_sort(tape);
}
