/* What the walks over a directory, an archive and a git revision share. Private to port_walk. */
#ifndef PORT_WALK_H
#define PORT_WALK_H

#include "port/port_scan.h"

typedef struct {
    assay_arena_t *arena;
    const char *root; /* as the user wrote it */
    const assay_port_options_t *options;
    size_t max_file_bytes;
    assay_status_t (*visit)(void *ctx, const port_entry_t *entry);
    void *ctx;
    assay_error_t *err;
    char *buffer; /* of the file being read; grows, freed at the end */
    size_t capacity;
    uint32_t n_entry;
} walk_t;

#define WALK_MAX_ENTRIES 4000000u
#define WALK_MAX_PATH 4095u

/* Reasons for which a file is listed but not read. */
#define WALK_BINARY "binary"
#define WALK_TOO_LARGE "larger than the limit for one file"
#define WALK_UNREADABLE "cannot be read"
#define WALK_OTHER ASSAY_PORT_OTHER_KIND
#define WALK_BAD_NAME "name is not printable UTF-8"
#define WALK_ESCAPE "path leaves the archive"
#define WALK_ABSENT "not in this copy of the repository"
#define WALK_TOO_DEEP "folders nested too deep"

/** Hands out one file's text, or why it is not one. path lives in the arena. */
assay_status_t walk_text(walk_t *walk, const char *path, const char *data, size_t size);
assay_status_t walk_skip(walk_t *walk, const char *path, const char *reason);
/** At least size bytes in walk->buffer; false without memory. */
bool walk_reserve(walk_t *walk, size_t size);
/** Copies path into the arena; when it is not printable UTF-8 the bad bytes become '?' and
 * *out_bad is set. NULL beyond the arena's limit. */
const char *walk_path(walk_t *walk, const char *path, size_t n, bool *out_bad);

assay_status_t walk_directory(walk_t *walk, int fd);
/** fd is a regular file; closed by the caller. */
assay_status_t walk_file(walk_t *walk, const char *path, int fd);
assay_status_t walk_archive(walk_t *walk, int fd);
assay_status_t walk_git(walk_t *walk, const char *directory, const char *revision);

/* The patterns of one .gitignore; inner folders point to outer ones. */
typedef struct walk_ignore walk_ignore_t;
/** n_base: length of the folder's path with its '/', 0 for the root. Returns outer when the text
 * holds no pattern or the arena is full. */
const walk_ignore_t *walk_ignore_parse(assay_arena_t *arena, const walk_ignore_t *outer,
                                       size_t n_base, const char *data, size_t size);
/** path relative to the root. NULL ignores nothing. Folders above it are not ignored. */
bool walk_ignored(const walk_ignore_t *ignore, const char *path, bool is_directory);
/** pattern as in gitignore(5): '*' and '?' stay within a folder, '**' does not. */
bool walk_match(const char *pattern, size_t n_pattern, const char *text);

/** false: the name alone tells that the file is of no language that is read. */
bool port_language_possible(const char *path);

#endif
