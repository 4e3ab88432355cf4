/** Hosts in archives: snapshots, copies of /proc and /sys, and texts. */
#ifndef HOST_ARCHIVE_H
#define HOST_ARCHIVE_H

#include "host/host_live.h"

/* What reads one text that is no part of a root. */
typedef struct {
    assay_status_t (*read)(void *ctx, const char *name, const char *data, size_t n);
    void *ctx;
} host_text_reader_t;

/**
 * Reads everything in the archive at path as if it lay in a folder. Errors: as assay_archive_read;
 * ASSAY_IO; ASSAY_LIMIT.
 */
assay_status_t host_archive_read(host_parse_t *parse, const char *path,
                                 const host_text_reader_t *text, assay_error_t *err);
/** The same of a folder that a snapshot was unpacked into. */
assay_status_t host_archive_read_folder(host_parse_t *parse, const char *path,
                                        const host_text_reader_t *text, assay_error_t *err);
/** dir holds the index of a snapshot. */
bool host_archive_is_unpacked(const char *dir);

#endif
