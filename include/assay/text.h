/**
 * Text without locale: numbers, UTF-8, near names, a bounded growing buffer, whole files.
 */
#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The whole of text[0..n) is one finite decimal number (no hex, no nan/inf, no overflow, no
 * spaces).
 */
bool assay_text_to_double(const char *text, size_t n, double *out_value);
bool assay_text_to_u64(const char *text, size_t n, uint64_t *out_value);
/** Shortest text that reads back to the same double; '.' in every locale. Returns length. */
size_t assay_text_from_double(char out[32], double value);
/** digits significant digits with thousands grouping off, no exponent between 1e-4 and 1e15. */
size_t assay_text_from_double_short(char out[32], double value, int digits);

/** Offset of the first byte that is not valid UTF-8 (overlong, surrogate, > 10FFFF), or n. */
size_t assay_text_utf8_bad(const char *text, size_t n);
/**
 * Bytes of the character that text[0..n), n > 0, starts with, its code in *out_code.
 * *out_printable: it can be shown as it is. Not printable are bytes that are no UTF-8 (one at a
 * time, code FFFD), control characters, line separators, and what a reader does not see: marks that
 * reorder or hide the text around them.
 */
size_t assay_text_character(const char *text, size_t n, uint32_t *out_code, bool *out_printable);
/** A line may end between the two characters: after a space, and around Chinese ones, but not in
 * front of what closes or behind what opens. */
bool assay_text_may_break(uint32_t before, uint32_t after);
/** Columns on a terminal: code points, wide East Asian ones counted twice. */
size_t assay_text_columns(const char *text);

/** Edit distance with transposition, case-insensitive, limit at which counting stops. */
uint32_t assay_text_distance(const char *a, const char *b, uint32_t limit);
/**
 * Nearest of n names within a third of the length (at least 1), or NULL. names[i] may be NULL
 * (skipped).
 */
const char *assay_text_nearest(const char *text, const char *const *names, size_t n);
/**
 * Which of two versions is older, by their numbers: < 0 a, > 0 b, 0 neither. "1.2" is "1.2.0";
 * "x" is any number, so "0.x" is neither older nor newer than "0.8".
 */
int assay_text_version_order(const char *a, const char *b);
/** ASCII, case-insensitive. */
bool assay_text_equal_fold(const char *a, const char *b);

/**
 * Growing buffer with a maximum; after the maximum or on no memory, failed is set and appends do
 * nothing.
 */
typedef struct {
    char *data; /* NUL-terminated when n > 0 */
    size_t n, capacity, max;
    bool failed;
    size_t spool_bytes, spooled; /* 0 = all stays in data; bytes that lie in the file */
    int spool;                   /* that file, while spooled > 0 */
} assay_buf_t;

void assay_buf_init(assay_buf_t *buf, size_t max_bytes);
void assay_buf_done(assay_buf_t *buf);
/**
 * For a long output that is only appended to: from now on what is older than the last bytes, about
 * so many, lies in a nameless file of $TMPDIR, and data[0 .. n) is the rest. max counts both.
 */
void assay_buf_spool(assay_buf_t *buf, size_t bytes);
/** Hands out all bytes in order; false when take or reading the file fails (errno). */
bool assay_buf_each(const assay_buf_t *buf, bool (*take)(void *ctx, const char *data, size_t n),
                    void *ctx);
void assay_buf_add(assay_buf_t *buf, const char *text, size_t n);
void assay_buf_puts(assay_buf_t *buf, const char *text);
/** One word of a POSIX shell, quoted where it needs to be; control characters become blanks. */
void assay_buf_shell_word(assay_buf_t *buf, const char *word);
/** Appends text[0..n) with a '?' for every character that is not printable. */
void assay_buf_printable(assay_buf_t *buf, const char *text, size_t n);
void assay_buf_printf(assay_buf_t *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Reads a regular file (or "-" = stdin) of at most max_bytes into the arena, NUL-terminated.
 * Larger files are refused by size before they are read; directories, FIFOs and devices are
 * refused.
 */
assay_status_t assay_file_read(assay_arena_t *arena, const char *path, size_t max_bytes,
                               char **out_data, size_t *out_size, assay_error_t *err);
/**
 * Reads size bytes from offset of a regular file into out; *out_n is less at its end. The size of
 * the whole file is *out_file_size. What is not asked for is not read.
 */
assay_status_t assay_file_read_part(const char *path, uint64_t offset, size_t size, char *out,
                                    size_t *out_n, uint64_t *out_file_size, assay_error_t *err);
/**
 * Writes to a temporary file beside path and renames it: the old file or the whole new one, never
 * half.
 */
assay_status_t assay_file_write(const char *path, const char *data, size_t size,
                                assay_error_t *err);
/** The same with all that the buffer holds. */
assay_status_t assay_file_write_buf(const char *path, const assay_buf_t *buf, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
