#include "assay/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/banned.h"

void assay_buf_init(assay_buf_t *buf, size_t max_bytes) {
    *buf = (assay_buf_t){.max = max_bytes};
}

void assay_buf_done(assay_buf_t *buf) {
    if (buf->spooled > 0) {
        (void)close(buf->spool);
    }
    free(buf->data);
    *buf = (assay_buf_t){.max = buf->max};
}

void assay_buf_spool(assay_buf_t *buf, size_t bytes) {
    buf->spool_bytes = bytes;
}

/* A file without a name, gone when it is closed; -1 when there can be none. */
static int open_nameless(void) {
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    folder = folder && folder[0] ? folder : "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    const int n = fd < 0 ? snprintf(path, sizeof path, "%s/assay.XXXXXX", folder) : -1;
    if (n > 0 && n < PATH_MAX) { /* a file system that has none */
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0) {
            (void)unlink(path);
        }
    }
    return fd;
}

/* Moves data to the file. Where that cannot be, all stays in memory, as without. */
static void spool(assay_buf_t *buf) {
    if (buf->spooled == 0) {
        buf->spool = open_nameless();
    }
    for (size_t done = 0; buf->spool >= 0 && done < buf->n;) {
        const ssize_t put =
            pwrite(buf->spool, buf->data + done, buf->n - done, (off_t)(buf->spooled + done));
        if (put < 0 && errno != EINTR) {
            buf->spool_bytes = 0;
            if (buf->spooled == 0) {
                (void)close(buf->spool);
            }
            return;
        }
        done += put > 0 ? (size_t)put : 0;
    }
    if (buf->spool < 0) {
        buf->spool_bytes = 0;
        return;
    }
    buf->spooled += buf->n;
    buf->n = 0;
}

bool assay_buf_each(const assay_buf_t *buf, bool (*take)(void *ctx, const char *data, size_t n),
                    void *ctx) {
    char part[16384];
    for (size_t at = 0; at < buf->spooled;) {
        const size_t left = buf->spooled - at;
        const ssize_t got =
            pread(buf->spool, part, left < sizeof part ? left : sizeof part, (off_t)at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0 || !take(ctx, part, (size_t)got)) {
            return false;
        }
        at += (size_t)got;
    }
    return buf->n == 0 || take(ctx, buf->data, buf->n);
}

/* Room for n more bytes and the NUL, or failed. */
static bool buf_reserve(assay_buf_t *buf, size_t n) {
    if (!buf->failed && buf->spool_bytes > 0 && buf->n >= buf->spool_bytes) {
        spool(buf);
    }
    if (buf->failed || n > buf->max - buf->n - buf->spooled || buf->n + n == SIZE_MAX) {
        buf->failed = true;
        return false;
    }
    const size_t need = buf->n + n + 1;
    if (need <= buf->capacity) {
        return true;
    }
    size_t capacity = buf->capacity <= SIZE_MAX / 2 ? 2 * buf->capacity : SIZE_MAX;
    capacity = capacity < 256 ? 256 : capacity;
    capacity = capacity > buf->max && buf->max < SIZE_MAX ? buf->max + 1 : capacity;
    capacity = capacity < need ? need : capacity;
    char *data = realloc(buf->data, capacity);
    if (!data) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->capacity = capacity;
    return true;
}

void assay_buf_add(assay_buf_t *buf, const char *text, size_t n) {
    if (n == 0 || !buf_reserve(buf, n)) {
        return;
    }
    memcpy(buf->data + buf->n, text, n);
    buf->n += n;
    buf->data[buf->n] = '\0';
}

void assay_buf_puts(assay_buf_t *buf, const char *text) {
    assay_buf_add(buf, text, strlen(text));
}

void assay_buf_shell_word(assay_buf_t *buf, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._-/:=+@%,";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        assay_buf_puts(buf, word);
        return;
    }
    assay_buf_puts(buf, "'");
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            assay_buf_puts(buf, "'\\''");
        } else {
            assay_buf_add(buf, (unsigned char)*c < 0x20 ? " " : c, 1);
        }
    }
    assay_buf_puts(buf, "'");
}

void assay_buf_printable(assay_buf_t *buf, const char *text, size_t n) {
    size_t from = 0;
    for (size_t at = 0; at < n;) {
        uint32_t code;
        bool printable;
        const size_t length = assay_text_character(text + at, n - at, &code, &printable);
        if (!printable) {
            assay_buf_add(buf, text + from, at - from);
            assay_buf_add(buf, "?", 1);
            from = at + length;
        }
        at += length;
    }
    assay_buf_add(buf, text + from, n - from);
}

void assay_buf_printf(assay_buf_t *buf, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const size_t room = buf->failed ? 0 : buf->capacity - buf->n;
    const int n = vsnprintf(room ? buf->data + buf->n : NULL, room, format, args);
    if (n < 0) {
        buf->failed = true;
    } else if (n > 0 && (size_t)n < room && (size_t)n <= buf->max - buf->n - buf->spooled) {
        buf->n += (size_t)n;
    } else if (n > 0) {
        if (room) {
            buf->data[buf->n] = '\0'; /* take back what did not fit */
        }
        if (buf_reserve(buf, (size_t)n)) {
            buf->n += (size_t)vsnprintf(buf->data + buf->n, (size_t)n + 1, format, again);
        }
    }
    va_end(again);
    va_end(args);
}
