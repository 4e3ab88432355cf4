/* libarchive 3 behind dlopen. */
#include "assay/archive.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/text.h"

#include "base/banned.h"

/* Of libarchive 3 (archive.h, archive_entry.h), the part that is used. */
typedef struct archive archive_t;
typedef struct archive_entry archive_entry_t;
typedef ssize_t (*write_callback_t)(archive_t *, void *, const void *, size_t);
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
    archive_t *(*write_new)(void);
    int (*write_free)(archive_t *);
    int (*write_close)(archive_t *);
    int (*write_zstd)(archive_t *);
    int (*write_pax)(archive_t *);
    int (*write_last_block)(archive_t *, int);
    int (*write_open)(archive_t *, void *, void *, write_callback_t, void *);
    int (*write_header)(archive_t *, archive_entry_t *);
    ssize_t (*write_data)(archive_t *, const void *, size_t);
    archive_entry_t *(*entry_new)(void);
    void (*entry_free)(archive_entry_t *);
    void (*set_pathname)(archive_entry_t *, const char *);
    void (*set_size)(archive_entry_t *, int64_t);
    void (*set_filetype)(archive_entry_t *, unsigned);
    void (*set_perm)(archive_entry_t *, mode_t);
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
    {"archive_write_new", offsetof(library_t, write_new)},
    {"archive_write_free", offsetof(library_t, write_free)},
    {"archive_write_close", offsetof(library_t, write_close)},
    {"archive_write_add_filter_zstd", offsetof(library_t, write_zstd)},
    {"archive_write_set_format_pax_restricted", offsetof(library_t, write_pax)},
    {"archive_write_set_bytes_in_last_block", offsetof(library_t, write_last_block)},
    {"archive_write_open", offsetof(library_t, write_open)},
    {"archive_write_header", offsetof(library_t, write_header)},
    {"archive_write_data", offsetof(library_t, write_data)},
    {"archive_entry_new", offsetof(library_t, entry_new)},
    {"archive_entry_free", offsetof(library_t, entry_free)},
    {"archive_entry_set_pathname", offsetof(library_t, set_pathname)},
    {"archive_entry_set_size", offsetof(library_t, set_size)},
    {"archive_entry_set_filetype", offsetof(library_t, set_filetype)},
    {"archive_entry_set_perm", offsetof(library_t, set_perm)},
};

/* Hostile archives: what is unpacked in all, and how much more than the file itself (small archives
   of much white space are harmless). */
#define MAX_TOTAL_BYTES ((uint64_t)64 << 30)
#define MAX_RATIO 200u
#define RATIO_FROM_BYTES ((uint64_t)256 << 20)
enum { BLOCK_BYTES = 1 << 16 };

bool assay_archive_is_named(const char *path) {
    static const char *const suffix[] = {".tar",  ".tar.gz",  ".tgz",  ".tar.xz",
                                         ".txz",  ".tar.zst", ".tzst", ".tar.bz2",
                                         ".tbz2", ".zip",     ".whl"};
    const size_t n = strlen(path);
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
        const size_t n_suffix = strlen(suffix[i]);
        if (n > n_suffix && assay_text_equal_fold(path + n - n_suffix, suffix[i])) {
            return true;
        }
    }
    return false;
}

static assay_status_t library_open(library_t *lib, assay_error_t *err) {
    lib->handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!lib->handle) {
        (void)assay_error_set(err, ASSAY_UNAVAILABLE, NULL,
                              "an archive needs libarchive (libarchive.so.13)");
        assay_error_next(err, "install libarchive13, or unpack the archive and name the folder");
        return ASSAY_UNAVAILABLE;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(lib->handle, symbols[i].name);
        if (!address) {
            (void)dlclose(lib->handle);
            return assay_error_set(err, ASSAY_UNAVAILABLE, NULL, "libarchive lacks %s",
                                   symbols[i].name);
        }
        memcpy((char *)lib + symbols[i].offset, &address, sizeof address);
    }
    return ASSAY_OK;
}

/* --- reading --------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    const assay_archive_visitor_t *visitor;
    library_t lib;
    archive_t *archive;
    uint64_t file_bytes, total_bytes;
    assay_error_t *err;
} reader_t;

static assay_status_t archive_broken(reader_t *r) {
    const assay_place_t at = {.file = r->name};
    const char *why = r->lib.error_string(r->archive);
    (void)assay_error_set(r->err, ASSAY_INPUT, &at, "cannot be read as an archive: %s",
                          why ? why : "unknown reason");
    assay_error_next(r->err, "check that the file is whole, or unpack it and name the folder");
    return ASSAY_INPUT;
}

assay_status_t assay_archive_too_large(const char *name, const char *what, assay_error_t *err) {
    const assay_place_t at = {.file = name};
    (void)assay_error_set(err, ASSAY_LIMIT, &at, "%s", what);
    assay_error_next(err, "unpack it where there is room and name the folder");
    return ASSAY_LIMIT;
}

/* A filter that libarchive would leave to another program is not asked for again. */
static assay_status_t archive_open(reader_t *r, int fd) {
    library_t *lib = &r->lib;
    r->archive = lib->read_new();
    if (!r->archive) {
        return assay_error_memory(r->err, NULL);
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
    return p[0] != 0 && strlen(p) <= ASSAY_ARCHIVE_MAX_PATH;
}

/* Unpacked so far against what the file can honestly hold. */
static assay_status_t count_unpacked(reader_t *r, uint64_t bytes) {
    r->total_bytes += bytes < MAX_TOTAL_BYTES ? bytes : MAX_TOTAL_BYTES;
    if (r->total_bytes > MAX_TOTAL_BYTES ||
        (r->total_bytes > RATIO_FROM_BYTES && r->total_bytes / MAX_RATIO > r->file_bytes)) {
        return assay_archive_too_large(r->name,
                                       "unpacks to far more than its own size, as an archive made "
                                       "to fill a disk would",
                                       r->err);
    }
    return ASSAY_OK;
}

/* The current member's text, at most max_file_bytes; NULL *out_data: it is larger or broken. */
static assay_status_t read_member(reader_t *r, uint64_t claimed, char **out_data,
                                  size_t *out_size) {
    const size_t max = r->visitor->max_file_bytes;
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
    return assay_error_memory(r->err, NULL);
}

static assay_status_t take_member(reader_t *r, archive_entry_t *entry) {
    const assay_archive_visitor_t *visitor = r->visitor;
    const char *name = r->lib.pathname_utf8(entry);
    name = name ? name : r->lib.pathname(entry);
    const mode_t type = r->lib.filetype(entry);
    const int64_t claimed = r->lib.size(entry);
    if ((type != S_IFREG && type != 0) || r->lib.hardlink(entry) || !name) {
        return ASSAY_OK; /* a link's target is in the archive itself, or is none of our business */
    }
    const char *inner = name;
    const bool escapes = !inner_path(&inner);
    const assay_archive_member_t member = {.path = escapes ? name : inner,
                                           .escapes = escapes,
                                           .claimed_bytes = claimed > 0 ? (uint64_t)claimed : 0};
    bool want = false;
    assay_status_t status = visitor->look(visitor->ctx, &member, &want);
    if (status == ASSAY_OK && !want) {
        /* What is skipped is unpacked by libarchive all the same: it counts. */
        return count_unpacked(r, member.claimed_bytes);
    }
    char *data = NULL;
    size_t size = 0;
    if (status == ASSAY_OK && member.claimed_bytes <= visitor->max_file_bytes) {
        status = read_member(r, member.claimed_bytes, &data, &size);
    } else if (status == ASSAY_OK) {
        status = count_unpacked(r, member.claimed_bytes);
    }
    return status == ASSAY_OK ? visitor->take(visitor->ctx, data, size) : status;
}

static assay_status_t read_members(reader_t *r) {
    const assay_hooks_t *hooks = r->visitor->hooks;
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
            return assay_error_set(r->err, ASSAY_CANCELLED, NULL, "stopped while reading %s",
                                   r->name);
        }
        const assay_status_t status = take_member(r, entry);
        if (status != ASSAY_OK) {
            return status;
        }
    }
}

assay_status_t assay_archive_read(int fd, const char *name, const assay_archive_visitor_t *visitor,
                                  assay_error_t *err) {
    reader_t r = {.name = name, .visitor = visitor, .err = err};
    struct stat st;
    r.file_bytes = fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
    assay_status_t status = library_open(&r.lib, err);
    if (status != ASSAY_OK) {
        return status;
    }
    status = archive_open(&r, fd);
    if (status == ASSAY_OK) {
        status = read_members(&r);
    }
    if (r.archive) {
        (void)r.lib.read_free(r.archive);
    }
    (void)dlclose(r.lib.handle);
    return status;
}

/* --- writing --------------------------------------------------------------------------------- */

#define ARCHIVE_MAX_BYTES ((size_t)1 << 30)

static ssize_t append(archive_t *archive, void *ctx, const void *data, size_t n) {
    assay_buf_t *out = ctx;
    (void)archive;
    assay_buf_add(out, data, n);
    return out->failed ? -1 : (ssize_t)n;
}

static bool write_file(const library_t *lib, archive_t *archive, const assay_archive_file_t *file) {
    archive_entry_t *entry = lib->entry_new();
    if (!entry) {
        return false;
    }
    lib->set_pathname(entry, file->path);
    lib->set_size(entry, (int64_t)file->n);
    lib->set_filetype(entry, S_IFREG);
    lib->set_perm(entry, 0644);
    bool ok = lib->write_header(archive, entry) == ARCHIVE_OK;
    for (size_t done = 0; ok && done < file->n;) {
        const ssize_t n = lib->write_data(archive, file->data + done, file->n - done);
        ok = n > 0;
        done += n > 0 ? (size_t)n : 0;
    }
    lib->entry_free(entry);
    return ok;
}

static assay_status_t write_all(const library_t *lib, const char *path,
                                const assay_archive_file_t *file, uint32_t n, assay_buf_t *out,
                                assay_error_t *err) {
    const assay_place_t at = {.file = path};
    const size_t length = strlen(path);
    const bool zstd = length > 4 && assay_text_equal_fold(path + length - 4, ".zst");
    archive_t *archive = lib->write_new();
    if (!archive) {
        return assay_error_memory(err, &at);
    }
    bool ok = (!zstd || lib->write_zstd(archive) == ARCHIVE_OK) &&
              lib->write_pax(archive) == ARCHIVE_OK &&
              lib->write_last_block(archive, 1) == ARCHIVE_OK && /* zeros behind zstd are no zstd */
              lib->write_open(archive, out, NULL, append, NULL) == ARCHIVE_OK;
    for (uint32_t i = 0; ok && i < n; i++) {
        ok = write_file(lib, archive, &file[i]);
    }
    ok = ok && lib->write_close(archive) == ARCHIVE_OK && !out->failed;
    if (!ok) {
        const char *why = lib->error_string(archive);
        (void)assay_error_set(err, ASSAY_UNAVAILABLE, &at, "cannot be written as an archive: %s",
                              why ? why : "unknown reason");
    }
    (void)lib->write_free(archive);
    return ok ? ASSAY_OK : ASSAY_UNAVAILABLE;
}

assay_status_t assay_archive_write(const char *path, const assay_archive_file_t *file, uint32_t n,
                                   assay_error_t *err) {
    library_t lib;
    assay_buf_t out;
    assay_status_t status = library_open(&lib, err);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_buf_init(&out, ARCHIVE_MAX_BYTES);
    status = write_all(&lib, path, file, n, &out, err);
    (void)dlclose(lib.handle);
    if (status == ASSAY_OK) {
        status = assay_file_write(path, out.data, out.n, err);
    }
    assay_buf_done(&out);
    return status;
}
