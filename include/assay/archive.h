/**
 * Archives through libarchive, which is loaded when one is named: programs start without it.
 * Reading bears hostile ones: paths that leave the archive are told as such, links are passed over,
 * and what unpacks to far more than its own size is refused.
 */
#ifndef ASSAY_ARCHIVE_H
#define ASSAY_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "assay/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The name ends like that of an archive that can be read: .tar, .tar.gz, .tar.zst, .zip ... */
bool assay_archive_is_named(const char *path);

#define ASSAY_ARCHIVE_MAX_PATH 4095u

/* A regular file in an archive. */
typedef struct {
    const char *path; /* "a/b", without "./"; as it stands when it leaves the archive. Not checked
                         for UTF-8; valid during the call */
    bool escapes;     /* it leaves the archive, or is too long: not to be used as a path */
    uint64_t claimed_bytes; /* what the archive says of its size */
} assay_archive_member_t;

typedef struct {
    void *ctx;
    size_t max_file_bytes; /* larger members are not read */
    /** *out_want: whether the text is wanted. An error ends the reading. */
    assay_status_t (*look)(void *ctx, const assay_archive_member_t *member, bool *out_want);
    /**
     * The text of a member that was wanted: malloc'd, now the callee's. NULL: it is larger than
     * max_file_bytes, or broken.
     */
    assay_status_t (*take)(void *ctx, char *data, size_t size);
    const assay_hooks_t *hooks; /* NULL allowed */
} assay_archive_visitor_t;

/**
 * Calls look, and take, for every regular member in the order of the archive. fd is a regular file,
 * name its name in messages.
 * Errors: ASSAY_UNAVAILABLE without libarchive, ASSAY_INPUT when it is no archive or broken,
 * ASSAY_LIMIT for a bomb, ASSAY_CANCELLED, and what look and take return.
 */
assay_status_t assay_archive_read(int fd, const char *name, const assay_archive_visitor_t *visitor,
                                  assay_error_t *err);
/** The error of an archive that holds more than the caller takes. */
assay_status_t assay_archive_too_large(const char *name, const char *what, assay_error_t *err);

typedef struct {
    const char *path, *data;
    size_t n;
} assay_archive_file_t;

/**
 * Writes a tar archive, compressed when path ends in .zst, of regular files without owner and date:
 * the same files give the same bytes. As assay_file_write the old file or the whole new one stands.
 * Errors: ASSAY_UNAVAILABLE without libarchive (or its zstd), ASSAY_IO, ASSAY_MEMORY.
 */
assay_status_t assay_archive_write(const char *path, const assay_archive_file_t *file, uint32_t n,
                                   assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
