/**
 * One arena per run: everything that is parsed or computed lives in it and is freed with it.
 * The limit is hard: an allocation beyond it returns NULL, whatever the machine has.
 */
#ifndef ASSAY_ARENA_H
#define ASSAY_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_arena assay_arena_t;

/** limit_bytes: most bytes handed out in all, > 0. NULL when the machine has no memory. */
assay_arena_t *assay_arena_create(size_t limit_bytes);
/** NULL allowed. */
void assay_arena_destroy(assay_arena_t *arena);
/** Zeroed, 16-byte aligned; NULL beyond the limit. bytes 0 gives a valid pointer. */
void *assay_arena_alloc(assay_arena_t *arena, size_t bytes);
/** n * size with overflow check; else as above. */
void *assay_arena_array(assay_arena_t *arena, size_t n, size_t size);
/** Copy of n bytes plus a NUL. */
char *assay_arena_strndup(assay_arena_t *arena, const char *text, size_t n);
char *assay_arena_strdup(assay_arena_t *arena, const char *text);
/** Formatted string in the arena; NULL beyond the limit. */
char *assay_arena_printf(assay_arena_t *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *assay_arena_vprintf(assay_arena_t *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/** Bytes handed out so far. */
size_t assay_arena_used(const assay_arena_t *arena);
/** Frees everything handed out, keeps the first block. */
void assay_arena_reset(assay_arena_t *arena);

#ifdef __cplusplus
}
#endif
#endif
