#include "port/walk.h"
#include "assay/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"

#define ERRNO_TEXT(number) strerror_r((number), (char[128]){0}, 128)

enum { BINARY_PROBE_BYTES = 8192 };
#define DEFAULT_MAX_FILE_BYTES ((size_t)64 << 20)
#define HIGHEST_MAX_FILE_BYTES ((size_t)1 << 40) /* sums of sizes stay far from overflow */

static assay_status_t hand_out(walk_t *walk, const port_entry_t *entry) {
    const assay_hooks_t *hooks = walk->options->hooks;
    if (hooks && hooks->cancelled && hooks->cancelled(hooks->ctx)) {
        return assay_error_set(walk->err, ASSAY_CANCELLED, NULL, "stopped while reading %s",
                               walk->root);
    }
    if (walk->n_entry++ >= WALK_MAX_ENTRIES) {
        (void)assay_error_set(walk->err, ASSAY_LIMIT, NULL, "%s holds more than %u files",
                              walk->root, WALK_MAX_ENTRIES);
        assay_error_next(walk->err, "scan its folders one by one");
        return ASSAY_LIMIT;
    }
    return walk->visit(walk->ctx, entry);
}

assay_status_t walk_skip(walk_t *walk, const char *path, const char *reason) {
    const port_entry_t entry = {.path = path, .language = ASSAY_PORT_OTHER, .skipped = reason};
    return hand_out(walk, &entry);
}

assay_status_t walk_text(walk_t *walk, const char *path, const char *data, size_t size) {
    const size_t n_probe = size < BINARY_PROBE_BYTES ? size : BINARY_PROBE_BYTES;
    if (n_probe && memchr(data, 0, n_probe)) {
        return walk_skip(walk, path, WALK_BINARY);
    }
    const port_entry_t entry = {.path = path,
                                .language = (uint8_t)port_language(path, data, size),
                                .data = data,
                                .size = size};
    return entry.language == ASSAY_PORT_OTHER ? walk_skip(walk, path, WALK_OTHER)
                                              : hand_out(walk, &entry);
}

bool walk_reserve(walk_t *walk, size_t size) {
    if (size <= walk->capacity) {
        return true;
    }
    /* The old text is not needed: free before allocating keeps the peak at one file. */
    free(walk->buffer);
    walk->capacity = size < 1 << 16 ? 1 << 16 : size;
    walk->buffer = malloc(walk->capacity);
    walk->capacity = walk->buffer ? walk->capacity : 0;
    return walk->buffer != NULL;
}

const char *walk_path(walk_t *walk, const char *path, size_t n, bool *out_bad) {
    char *copy = assay_arena_strndup(walk->arena, path, n);
    *out_bad = false;
    if (!copy) {
        (void)assay_error_memory(walk->err, NULL);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)copy[i] < ' ' || copy[i] == 0x7f) {
            copy[i] = '?';
            *out_bad = true;
        }
    }
    for (size_t bad; (bad = assay_text_utf8_bad(copy, n)) < n;) {
        copy[bad] = '?';
        *out_bad = true;
    }
    return copy;
}

assay_status_t walk_file(walk_t *walk, const char *path, int fd) {
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return walk_skip(walk, path, WALK_UNREADABLE);
    }
    if ((uintmax_t)st.st_size > walk->max_file_bytes) {
        return walk_skip(walk, path, WALK_TOO_LARGE);
    }
    const size_t expected = (size_t)st.st_size;
    if (!walk_reserve(walk, expected + 1)) {
        return assay_error_memory(walk->err, NULL);
    }
    size_t size = 0;
    while (size < expected) { /* a file that grows meanwhile is read as it was */
        const ssize_t got = read(fd, walk->buffer + size, expected - size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return walk_skip(walk, path, WALK_UNREADABLE);
        }
        if (got == 0) {
            break;
        }
        size += (size_t)got;
    }
    return walk_text(walk, path, walk->buffer, size);
}

static assay_status_t walk_opened(walk_t *walk, const char *path, int fd) {
    struct stat st;
    const assay_place_t at = {.file = path};
    if (fstat(fd, &st) != 0) {
        return assay_error_set(walk->err, ASSAY_IO, &at, "cannot be read: %s", ERRNO_TEXT(errno));
    }
    if (S_ISDIR(st.st_mode)) {
        return walk_directory(walk, fd);
    }
    if (!S_ISREG(st.st_mode)) {
        (void)assay_error_set(walk->err, ASSAY_IO, &at, "is neither a folder nor a file");
        assay_error_next(walk->err, "name a folder, a file, an archive or FOLDER@REVISION");
        return ASSAY_IO;
    }
    if (assay_archive_is_named(path)) {
        return walk_archive(walk, fd);
    }
    bool bad = false;
    const char *name = walk_path(walk, path, strlen(path), &bad);
    return name ? walk_file(walk, name, fd) : ASSAY_LIMIT;
}

/* "DIR@REVISION": the first '@' behind which a folder's name ends; a revision may hold more. */
static bool split_revision(const char *path, char directory[WALK_MAX_PATH + 1],
                           const char **out_revision) {
    for (const char *mark = strchr(path, '@'); mark; mark = strchr(mark + 1, '@')) {
        const size_t n = (size_t)(mark - path);
        struct stat st;
        if (n == 0 || n > WALK_MAX_PATH) {
            continue;
        }
        memcpy(directory, path, n);
        directory[n] = 0;
        if (stat(directory, &st) == 0 && S_ISDIR(st.st_mode)) {
            *out_revision = mark + 1;
            return true;
        }
    }
    return false;
}

assay_status_t port_walk(assay_arena_t *arena, const char *path,
                         const assay_port_options_t *options,
                         assay_status_t (*visit)(void *ctx, const port_entry_t *entry), void *ctx,
                         assay_error_t *err) {
    walk_t walk = {.arena = arena,
                   .root = path,
                   .options = options,
                   .max_file_bytes = !options->max_file_bytes ? DEFAULT_MAX_FILE_BYTES
                                     : options->max_file_bytes < HIGHEST_MAX_FILE_BYTES
                                         ? options->max_file_bytes
                                         : HIGHEST_MAX_FILE_BYTES,
                   .visit = visit,
                   .ctx = ctx,
                   .err = err};
    /* O_NONBLOCK: a FIFO must not hang us. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int number = errno;
    char directory[WALK_MAX_PATH + 1];
    const char *revision = NULL;
    assay_status_t status;
    if (fd >= 0) {
        status = walk_opened(&walk, path, fd);
        (void)close(fd);
    } else if (split_revision(path, directory, &revision)) {
        status = walk_git(&walk, directory, revision);
    } else {
        const assay_place_t at = {.file = path};
        status = assay_error_set(err, ASSAY_IO, &at, "cannot be opened: %s", ERRNO_TEXT(number));
        assay_error_next(err, "name a folder, a file, an archive or FOLDER@REVISION");
    }
    free(walk.buffer);
    return status;
}
