/* Archives through libarchive, which is loaded when one is named: the program starts without it. */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port/walk.h"

#include "base/banned.h"

/* Of libarchive 3 (archive.h, archive_entry.h), the part that is used. */
typedef struct archive archive_t;
typedef struct archive_entry archive_entry_t;
enum { ARCHIVE_EOF = 1, ARCHIVE_OK = 0, ARCHIVE_RETRY = -10, ARCHIVE_WARN = -20 };

typedef struct {
    void *handle;
    archive_t *(*read_new)(void);
    int (*read_free)(archive_t *);
    int (*support_tar)(archive_t *);
    int (*support_zip)(archive_t *);
    int (*support_gzip)(archive_t *);
    int (*support_xz)(archive_t *);
    int (*support_zstd)(archive_t *);
    int (*support_bzip2)(archive_t *);
    int (*set_options)(archive_t *, const char *);
    int (*open_fd)(archive_t *, int, size_t);
    int (*next_header)(archive_t *, archive_entry_t **);
    ssize_t (*read_data)(archive_t *, void *, size_t);
    const char *(*error_string)(archive_t *);
    const char *(*pathname)(archive_entry_t *);
    const char *(*pathname_utf8)(archive_entry_t *);
    const char *(*hardlink)(archive_entry_t *);
    mode_t (*filetype)(archive_entry_t *);
    int64_t (*size)(archive_entry_t *);
} library_t;

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
    {"archive_read_new", offsetof(library_t, read_new)},
    {"archive_read_free", offsetof(library_t, read_free)},
    {"archive_read_support_format_tar", offsetof(library_t, support_tar)},
    {"archive_read_support_format_zip", offsetof(library_t, support_zip)},
    {"archive_read_support_filter_gzip", offsetof(library_t, support_gzip)},
    {"archive_read_support_filter_xz", offsetof(library_t, support_xz)},
    {"archive_read_support_filter_zstd", offsetof(library_t, support_zstd)},
    {"archive_read_support_filter_bzip2", offsetof(library_t, support_bzip2)},
    {"archive_read_set_options", offsetof(library_t, set_options)},
    {"archive_read_open_fd", offsetof(library_t, open_fd)},
    {"archive_read_next_header", offsetof(library_t, next_header)},
    {"archive_read_data", offsetof(library_t, read_data)},
    {"archive_error_string", offsetof(library_t, error_string)},
    {"archive_entry_pathname", offsetof(library_t, pathname)},
    {"archive_entry_pathname_utf8", offsetof(library_t, pathname_utf8)},
    {"archive_entry_hardlink", offsetof(library_t, hardlink)},
    {"archive_entry_filetype", offsetof(library_t, filetype)},
    {"archive_entry_size", offsetof(library_t, size)},
};

/* Hostile archives: what is unpacked in all, how much more than the file itself (small archives of
   much white space are harmless), what is kept until it can be handed out in order. */
#define MAX_TOTAL_BYTES ((uint64_t)64 << 30)
#define MAX_RATIO 200u
#define RATIO_FROM_BYTES ((uint64_t)256 << 20)
#define MAX_KEPT_BYTES ((uint64_t)256 << 20)
enum { BLOCK_BYTES = 1 << 16 };

typedef struct {
    const char *path;
    const char *skipped;
    char *data; /* malloc */
    size_t size;
    uint32_t order;
} member_t;

typedef struct {
    walk_t *walk;
    library_t lib;
    archive_t *archive;
    uint64_t file_bytes, total_bytes, kept_bytes;
    member_t *member;
    uint32_t n, capacity;
} reader_t;

static const char *const suffixes[] = {".tar",  ".tar.gz",  ".tgz",  ".tar.xz", ".txz", ".tar.zst",
                                       ".tzst", ".tar.bz2", ".tbz2", ".zip",    ".whl"};

bool walk_is_archive(const char *path) {
    const size_t n = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t n_suffix = strlen(suffixes[i]);
        if (n > n_suffix && assay_text_equal_fold(path + n - n_suffix, suffixes[i])) {
            return true;
        }
    }
    return false;
}

static assay_status_t library_open(library_t *lib, assay_error_t *err) {
    lib->handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!lib->handle) {
        (void)assay_error_set(err, ASSAY_UNAVAILABLE, NULL,
                              "reading an archive needs libarchive (libarchive.so.13)");
        assay_error_next(err, "install libarchive13, or unpack the archive and scan the folder");
        return ASSAY_UNAVAILABLE;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(lib->handle, symbols[i].name);
        if (!address) {
            return assay_error_set(err, ASSAY_UNAVAILABLE, NULL, "libarchive lacks %s",
                                   symbols[i].name);
        }
        memcpy((char *)lib + symbols[i].offset, &address, sizeof address);
    }
    return ASSAY_OK;
}

static assay_status_t archive_broken(reader_t *r) {
    const assay_place_t at = {.file = r->walk->root};
    const char *why = r->lib.error_string(r->archive);
    (void)assay_error_set(r->walk->err, ASSAY_INPUT, &at, "cannot be read as an archive: %s",
                          why ? why : "unknown reason");
    assay_error_next(r->walk->err,
                     "check that the file is whole, or unpack it and scan the folder");
    return ASSAY_INPUT;
}

static assay_status_t archive_too_large(reader_t *r, const char *what) {
    const assay_place_t at = {.file = r->walk->root};
    (void)assay_error_set(r->walk->err, ASSAY_LIMIT, &at, "%s", what);
    assay_error_next(r->walk->err, "unpack it where there is room and scan the folder");
    return ASSAY_LIMIT;
}

/* A filter that libarchive would leave to another program is not asked for again. */
static assay_status_t archive_open(reader_t *r, int fd) {
    library_t *lib = &r->lib;
    r->archive = lib->read_new();
    if (!r->archive) {
        return assay_error_memory(r->walk->err, NULL);
    }
    int (*const supports[])(archive_t *) = {lib->support_tar,  lib->support_zip,
                                            lib->support_gzip, lib->support_xz,
                                            lib->support_zstd, lib->support_bzip2};
    for (size_t i = 0; i < sizeof supports / sizeof *supports; i++) {
        if (supports[i](r->archive) != ARCHIVE_OK) {
            return archive_broken(r);
        }
    }
    /* Names as they stand in the archive, whatever the locale. */
    (void)lib->set_options(r->archive, "hdrcharset=UTF-8");
    return lib->open_fd(r->archive, fd, BLOCK_BYTES) == ARCHIVE_OK ? ASSAY_OK : archive_broken(r);
}

/* "./a/b" -> "a/b"; false for a path that leaves the archive. */
static bool inner_path(const char **path) {
    const char *p = *path;
    if (p[0] == '/' || strchr(p, '\\')) {
        return false;
    }
    while (p[0] == '.' && p[1] == '/') {
        p += 2;
    }
    *path = p;
    for (const char *part = p; part;) {
        if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == 0)) {
            return false;
        }
        part = strchr(part, '/');
        part = part ? part + 1 : NULL;
    }
    return p[0] != 0 && strlen(p) <= WALK_MAX_PATH;
}

static assay_status_t keep(reader_t *r, const char *path, const char *skipped, char *data,
                           size_t size) {
    if (r->n == r->capacity) {
        const uint32_t capacity = r->capacity ? 2 * r->capacity : 256;
        member_t *grown = capacity > 2 * WALK_MAX_ENTRIES
                              ? NULL
                              : reallocarray(r->member, capacity, sizeof *grown);
        if (!grown) {
            free(data);
            return assay_error_memory(r->walk->err, NULL);
        }
        r->member = grown;
        r->capacity = capacity;
    }
    r->member[r->n] = (member_t){path, skipped, data, size, r->n};
    r->n++;
    return ASSAY_OK;
}

/* Unpacked so far against what the file can honestly hold. */
static assay_status_t count_unpacked(reader_t *r, uint64_t bytes) {
    r->total_bytes += bytes < MAX_TOTAL_BYTES ? bytes : MAX_TOTAL_BYTES;
    if (r->total_bytes > MAX_TOTAL_BYTES ||
        (r->total_bytes > RATIO_FROM_BYTES && r->total_bytes / MAX_RATIO > r->file_bytes)) {
        return archive_too_large(r, "unpacks to far more than its own size, as an archive made "
                                    "to fill a disk would");
    }
    return ASSAY_OK;
}

/* The current member's text, at most max_file_bytes; NULL *out_data: it is larger or broken. */
static assay_status_t read_member(reader_t *r, uint64_t claimed, char **out_data,
                                  size_t *out_size) {
    const size_t max = r->walk->max_file_bytes;
    size_t capacity = claimed < max ? (size_t)claimed + 1 : BLOCK_BYTES, size = 0;
    char *data = malloc(capacity);
    while (data) {
        const ssize_t got = r->lib.read_data(r->archive, data + size, capacity - size);
        if (got == ARCHIVE_RETRY) {
            continue;
        }
        if (got == 0) {
            *out_data = data;
            *out_size = size;
            return ASSAY_OK;
        }
        size += got > 0 ? (size_t)got : 0;
        const assay_status_t status = got > 0 ? count_unpacked(r, (uint64_t)got) : ASSAY_OK;
        if (status != ASSAY_OK || got < 0 || size > max) {
            free(data);
            return status;
        }
        if (size == capacity) {
            capacity = 2 * capacity < max + 1 ? 2 * capacity : max + 1;
            char *grown = realloc(data, capacity);
            if (!grown) {
                free(data);
            }
            data = grown;
        }
    }
    return assay_error_memory(r->walk->err, NULL);
}

static assay_status_t take_member(reader_t *r, archive_entry_t *entry) {
    const char *name = r->lib.pathname_utf8(entry);
    name = name ? name : r->lib.pathname(entry);
    const mode_t type = r->lib.filetype(entry);
    const int64_t claimed = r->lib.size(entry);
    if ((type != S_IFREG && type != 0) || r->lib.hardlink(entry) || !name) {
        return ASSAY_OK; /* a link's target is in the archive itself, or is none of our business */
    }
    const char *inner = name;
    const bool escapes = !inner_path(&inner);
    bool bad = false;
    const char *path = walk_path(r->walk, escapes ? name : inner,
                                 strnlen(escapes ? name : inner, WALK_MAX_PATH), &bad);
    const char *skipped = escapes                                  ? WALK_ESCAPE
                          : bad                                    ? WALK_BAD_NAME
                          : !path || !port_language_possible(path) ? WALK_OTHER
                          : claimed > 0 && (uint64_t)claimed > r->walk->max_file_bytes
                              ? WALK_TOO_LARGE
                              : NULL;
    if (!path) {
        return ASSAY_LIMIT;
    }
    char *data = NULL;
    size_t size = 0;
    /* What is skipped is unpacked by libarchive all the same: it counts. */
    assay_status_t status = skipped
                                ? count_unpacked(r, claimed > 0 ? (uint64_t)claimed : 0)
                                : read_member(r, claimed > 0 ? (uint64_t)claimed : 0, &data, &size);
    if (status != ASSAY_OK) {
        return status;
    }
    if (!skipped && !data) {
        skipped = WALK_UNREADABLE;
    }
    r->kept_bytes += size;
    if (r->kept_bytes > MAX_KEPT_BYTES) {
        free(data);
        return archive_too_large(r, "holds more than 256 MiB of sources");
    }
    return keep(r, path, skipped, data, size);
}

static assay_status_t read_members(reader_t *r) {
    const assay_hooks_t *hooks = r->walk->options->hooks;
    for (;;) {
        archive_entry_t *entry = NULL;
        const int result = r->lib.next_header(r->archive, &entry);
        if (result == ARCHIVE_EOF) {
            return ASSAY_OK;
        }
        if (result == ARCHIVE_RETRY) {
            continue;
        }
        if (result < ARCHIVE_WARN) {
            return archive_broken(r);
        }
        if (hooks && hooks->cancelled && hooks->cancelled(hooks->ctx)) {
            return assay_error_set(r->walk->err, ASSAY_CANCELLED, NULL, "stopped while reading %s",
                                   r->walk->root);
        }
        const assay_status_t status = take_member(r, entry);
        if (status != ASSAY_OK) {
            return status;
        }
    }
}

static int compare_members(const void *a, const void *b) {
    const member_t *x = a, *y = b;
    const int order = strcmp(x->path, y->path);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

/* In path order; of several members with one path the last counts, as when unpacking. */
static assay_status_t hand_out_members(reader_t *r) {
    assay_status_t status = ASSAY_OK;
    if (r->n) {
        qsort(r->member, r->n, sizeof *r->member, compare_members);
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < r->n; i++) {
        const member_t *m = &r->member[i];
        if (i + 1 < r->n && strcmp(m->path, m[1].path) == 0) {
            continue;
        }
        status = m->skipped ? walk_skip(r->walk, m->path, m->skipped)
                            : walk_text(r->walk, m->path, m->data, m->size);
    }
    return status;
}

assay_status_t walk_archive(walk_t *walk, int fd) {
    reader_t r = {.walk = walk};
    struct stat st;
    r.file_bytes = fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    assay_status_t status = library_open(&r.lib, walk->err);
    if (status == ASSAY_OK) {
        status = archive_open(&r, fd);
    }
    if (status == ASSAY_OK) {
        status = read_members(&r);
    }
    if (r.archive) {
        (void)r.lib.read_free(r.archive);
    }
    if (r.lib.handle) {
        (void)dlclose(r.lib.handle);
    }
    if (status == ASSAY_OK) {
        status = hand_out_members(&r);
    }
    for (uint32_t i = 0; i < r.n; i++) {
        free(r.member[i].data);
    }
    free(r.member);
    return status;
}
