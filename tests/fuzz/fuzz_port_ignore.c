/* .gitignore: the first line is a path, the rest are patterns. */
#include <stdint.h>
#include <string.h>

#include "port/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
    assay_arena_t *arena = assay_arena_create((size_t)4 << 20);
    const char *path =
        newline ? assay_arena_strndup(arena, (const char *)data, (size_t)(newline - data)) : NULL;
    if (path) {
        const size_t n = (size_t)(data + size - newline - 1);
        const walk_ignore_t *ignore =
            walk_ignore_parse(arena, NULL, 0, (const char *)newline + 1, n);
        (void)walk_ignored(ignore, path, false);
        (void)walk_ignored(ignore, path, true);
    }
    assay_arena_destroy(arena);
    return 0;
}
