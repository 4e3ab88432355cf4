/** Inside emit: what rows of emit.csv may name, and how a file is written. */
#ifndef EMIT_EMIT_PARTS_H
#define EMIT_EMIT_PARTS_H

#include "assay/emit.h"

/** Is the word of a condition true here? *out_known: there is such a word. */
bool emit_holds(const assay_emit_case_t *of, const char *word, size_t n, bool *out_known);
/** Appends the value of {name}; false: there is no such name. */
bool emit_value(const assay_emit_case_t *of, const char *name, size_t n, assay_buf_t *out);

/** The settings as the tool reads them. Errors: ASSAY_INPUT (bindings.csv), ASSAY_MEMORY. */
assay_status_t emit_write(assay_arena_t *arena, const assay_emit_case_t *of, const char *const *dir,
                          uint32_t n_dir, assay_emit_t *io, assay_error_t *err);

#endif
