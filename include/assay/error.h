/**
 * What went wrong, where, and what the user does next. Filled once, by the function that knows the
 * cause; everybody else hands the status on. Fixed size: reporting an error never allocates.
 */
#ifndef ASSAY_ERROR_H
#define ASSAY_ERROR_H

#include <stdint.h>

#include "assay/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A position in an input. file NULL or line 0: not known. Columns count from 1, in bytes. */
typedef struct {
    const char *file;
    uint32_t line, column;
} assay_place_t;

typedef struct {
    assay_status_t status;
    char file[256];
    uint32_t line, column;
    char what[400]; /* what is wrong and what was expected, no full stop */
    char next[300]; /* what to do, imperative, no full stop; may be empty */
} assay_error_t;

/**
 * Fills *err (NULL allowed) and returns status, so that callers write `return
 * assay_error_set(...)`. at may be NULL. The text is cut at the buffer's end, at a UTF-8 boundary;
 * control characters from user input are replaced by '?', so the result is always one printable
 * line.
 */
assay_status_t assay_error_set(assay_error_t *err, assay_status_t status, const assay_place_t *at,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));
/** Adds the next step to an error that was just set. err NULL allowed. */
void assay_error_next(assay_error_t *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/**
 * For an arena that gave NULL: fills *err with ASSAY_LIMIT and the sentence for it, and returns
 * it.
 */
assay_status_t assay_error_memory(assay_error_t *err, const assay_place_t *at);
/** One line: "file:line:column: what; next". Returns out. */
char *assay_error_line(const assay_error_t *err, char *out, uint32_t n_out);

#ifdef __cplusplus
}
#endif
#endif
