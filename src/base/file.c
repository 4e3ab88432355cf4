#include "assay/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"

/* strerror is not thread-safe; this one is, and the GNU form returns the text. */
#define ERRNO_TEXT(number) strerror_r((number), (char[128]){0}, 128)

static assay_place_t place_of(const char *path) {
    return (assay_place_t){.file = path[0] ? path : "\"\""};
}

static assay_status_t too_large(const assay_place_t *at, size_t max_bytes, assay_error_t *err) {
    (void)assay_error_set(err, ASSAY_LIMIT, at, "larger than the %zu bytes that are allowed",
                          max_bytes);
    assay_error_next(err, "check that this is the right file");
    return ASSAY_LIMIT;
}

/* Opens a regular file whose size is within max_bytes. O_NONBLOCK: a FIFO must not hang us. */
static assay_status_t open_regular(const char *path, size_t max_bytes, int *out_fd,
                                   assay_error_t *err) {
    const assay_place_t at = place_of(path);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        (void)assay_error_set(err, ASSAY_IO, &at, "cannot be opened: %s", ERRNO_TEXT(errno));
        assay_error_next(err, "check the name and the permissions");
        return ASSAY_IO;
    }
    struct stat st;
    assay_status_t status = ASSAY_OK;
    if (fstat(fd, &st) != 0) {
        status = assay_error_set(err, ASSAY_IO, &at, "cannot be read: %s", ERRNO_TEXT(errno));
    } else if (!S_ISREG(st.st_mode)) {
        status = assay_error_set(err, ASSAY_IO, &at, "is %s, not a regular file",
                                 S_ISDIR(st.st_mode)    ? "a directory"
                                 : S_ISFIFO(st.st_mode) ? "a FIFO"
                                                        : "a device or socket");
        assay_error_next(err, "name a file, or use - to read standard input");
    } else if ((uintmax_t)st.st_size > max_bytes) {
        status = too_large(&at, max_bytes, err);
    }
    if (status != ASSAY_OK) {
        (void)close(fd);
        return status;
    }
    *out_fd = fd;
    return ASSAY_OK;
}

/* All of fd, up to max_bytes: the size that was seen at the open is not relied on. */
static assay_status_t read_all(int fd, const assay_place_t *at, size_t max_bytes, assay_buf_t *buf,
                               assay_error_t *err) {
    for (;;) {
        char chunk[1 << 16];
        const ssize_t got = read(fd, chunk, sizeof chunk);
        if (got == 0) {
            return ASSAY_OK;
        }
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            return assay_error_set(err, ASSAY_IO, at, "cannot be read: %s", ERRNO_TEXT(errno));
        }
        if ((size_t)got > max_bytes - buf->n) {
            return too_large(at, max_bytes, err);
        }
        assay_buf_add(buf, chunk, (size_t)got);
        if (buf->failed) {
            return assay_error_set(err, ASSAY_MEMORY, at, "no memory to read it");
        }
    }
}

assay_status_t assay_file_read(assay_arena_t *arena, const char *path, size_t max_bytes,
                               char **out_data, size_t *out_size, assay_error_t *err) {
    const bool is_stdin = strcmp(path, "-") == 0;
    const assay_place_t at = place_of(is_stdin ? "standard input" : path);
    int fd = STDIN_FILENO;
    if (!is_stdin) {
        const assay_status_t status = open_regular(path, max_bytes, &fd, err);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    assay_buf_t buf;
    assay_buf_init(&buf, max_bytes);
    assay_status_t status = read_all(fd, &at, max_bytes, &buf, err);
    if (status == ASSAY_OK) {
        char *data = assay_arena_strndup(arena, buf.data, buf.n);
        if (data) {
            *out_data = data;
            *out_size = buf.n;
        } else {
            status = assay_error_memory(err, &at);
        }
    }
    assay_buf_done(&buf);
    if (!is_stdin) {
        (void)close(fd);
    }
    return status;
}

assay_status_t assay_file_read_part(const char *path, uint64_t offset, size_t size, char *out,
                                    size_t *out_n, uint64_t *out_file_size, assay_error_t *err) {
    const assay_place_t at = place_of(path);
    int fd;
    assay_status_t status = open_regular(path, SIZE_MAX, &fd, err);
    if (status != ASSAY_OK) {
        return status;
    }
    struct stat st;
    size_t n = 0;
    ssize_t got = fstat(fd, &st) == 0 && offset <= INT64_MAX ? 1 : -1;
    while (got > 0 && n < size) {
        got = pread(fd, out + n, size - n, (off_t)(offset + n));
        n += got > 0 ? (size_t)got : 0;
        got = got < 0 && errno == EINTR ? 1 : got;
    }
    if (got < 0) {
        status = assay_error_set(err, ASSAY_IO, &at, "cannot be read: %s", ERRNO_TEXT(errno));
    } else {
        *out_n = n;
        *out_file_size = (uint64_t)st.st_size;
    }
    (void)close(fd);
    return status;
}

static bool write_all(void *ctx, const char *data, size_t size) {
    const int *fd = ctx;
    while (size) {
        const ssize_t put = write(*fd, data, size);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        if (put > 0) {
            data += put;
            size -= (size_t)put;
        }
    }
    return true;
}

/* A new file beside path that nobody else has; its name in temporary: not longer than path's may
   be. mkostemp would make it 0600, while the result of a rename must have the mode the user's umask
   gives. */
static int open_temporary(const char *path, char temporary[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    const int n_folder = slash ? (int)(slash - path) + 1 : 0;
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        const int n = snprintf(temporary, PATH_MAX, "%.*s.assay.%ld.%u.tmp", n_folder, path,
                               (long)getpid(), attempt);
        if (n < 0 || n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/* Writes buf to temporary (open as fd, which is closed) and puts it in target's place. */
static bool write_and_rename(int fd, const char *temporary, const char *target,
                             const assay_buf_t *buf, const struct stat *old) {
    bool good = assay_buf_each(buf, write_all, &fd) &&
                (!old || fchmod(fd, old->st_mode & 07777) == 0) && fsync(fd) == 0;
    const int number = errno; /* the first failure's, not that of what cleans up */
    if (close(fd) != 0 && good) {
        return false;
    }
    if (!good) {
        errno = number;
        return false;
    }
    return rename(temporary, target) == 0;
}

assay_status_t assay_file_write_buf(const char *path, const assay_buf_t *buf, assay_error_t *err) {
    const assay_place_t at = place_of(path);
    struct stat st;
    const bool exists = stat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode)) {
        (void)assay_error_set(err, ASSAY_IO, &at, "exists and is not a regular file");
        assay_error_next(err, "name another file");
        return ASSAY_IO;
    }
    if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) { /* a rename would not ask */
        (void)assay_error_set(err, ASSAY_IO, &at, "cannot be written: %s", ERRNO_TEXT(errno));
        assay_error_next(err, "name another file, or make it writable");
        return ASSAY_IO;
    }
    /* A symbolic link stays one: what it names is replaced. */
    char *real = exists ? realpath(path, NULL) : NULL;
    const char *target = real ? real : path;
    char temporary[PATH_MAX];
    assay_status_t status = ASSAY_OK;
    const int fd = open_temporary(target, temporary);
    if (fd < 0) {
        status = assay_error_set(err, ASSAY_IO, &at, "cannot be written: %s", ERRNO_TEXT(errno));
        assay_error_next(err, "check that the folder exists and may be written");
    } else if (!write_and_rename(fd, temporary, target, buf, exists ? &st : NULL)) {
        status = assay_error_set(err, ASSAY_IO, &at, "cannot be written: %s", ERRNO_TEXT(errno));
        (void)unlink(temporary);
    }
    free(real);
    return status;
}

assay_status_t assay_file_write(const char *path, const char *data, size_t size,
                                assay_error_t *err) {
    /* never written to, so that it may look like one's own */
    const assay_buf_t view = {.data = (char *)(uintptr_t)data, .n = size, .max = size};
    return assay_file_write_buf(path, &view, err);
}
