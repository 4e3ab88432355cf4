#include "assay/arena.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif
#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define REDZONE_BYTES ((size_t)16) /* between two allocations, so that an overrun hits poison */
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define REDZONE_BYTES ((size_t)0)
#endif

#include "base/banned.h"

#define ALIGN_BYTES ((size_t)16)
#define FIRST_BLOCK_BYTES ((size_t)64 << 10)

typedef struct block {
    struct block *older;
    size_t capacity, used;
    _Alignas(ALIGN_BYTES) char data[];
} block_t;

struct assay_arena {
    size_t limit, used;
    block_t *newest;
};

static size_t min_size(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t max_size(size_t a, size_t b) {
    return a > b ? a : b;
}

assay_arena_t *assay_arena_create(size_t limit_bytes) {
    assay_arena_t *arena = calloc(1, sizeof *arena);
    if (arena) {
        arena->limit = limit_bytes;
    }
    return arena;
}

static void block_free(block_t *block) {
    ASAN_UNPOISON_MEMORY_REGION(block->data, block->capacity);
    free(block);
}

void assay_arena_destroy(assay_arena_t *arena) {
    if (!arena) {
        return;
    }
    for (block_t *block = arena->newest, *older; block; block = older) {
        older = block->older;
        block_free(block);
    }
    free(arena);
}

/* A block with room for at least take bytes. Blocks double, so there are few; but a block never
   reserves more than the limit leaves, so a small limit means little memory. */
static block_t *block_add(assay_arena_t *arena, size_t take) {
    const size_t grown = arena->newest ? 2 * arena->newest->capacity : FIRST_BLOCK_BYTES;
    const size_t capacity = max_size(take, min_size(grown, arena->limit - arena->used));
    if (capacity > SIZE_MAX / 2 - sizeof(block_t)) { /* so that doubling cannot overflow */
        return NULL;
    }
    block_t *block = calloc(1, sizeof *block + capacity);
    if (!block) {
        return NULL;
    }
    block->capacity = capacity;
    block->older = arena->newest;
    arena->newest = block;
    ASAN_POISON_MEMORY_REGION(block->data, capacity);
    return block;
}

void *assay_arena_alloc(assay_arena_t *arena, size_t bytes) {
    if (bytes > SIZE_MAX - 2 * ALIGN_BYTES) {
        return NULL;
    }
    const size_t rounded = (max_size(bytes, 1) + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
    if (rounded > arena->limit - arena->used) {
        return NULL;
    }
    const size_t take = rounded + REDZONE_BYTES;
    block_t *block = arena->newest;
    if (!block || take > block->capacity - block->used) {
        block = block_add(arena, take);
        if (!block) {
            return NULL;
        }
    }
    char *data = block->data + block->used;
    block->used += take;
    arena->used += rounded;
    ASAN_UNPOISON_MEMORY_REGION(data, bytes);
    return data; /* blocks start zeroed and assay_arena_reset clears what it keeps */
}

void *assay_arena_array(assay_arena_t *arena, size_t n, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? NULL : assay_arena_alloc(arena, bytes);
}

char *assay_arena_strndup(assay_arena_t *arena, const char *text, size_t n) {
    char *copy = n < SIZE_MAX ? assay_arena_alloc(arena, n + 1) : NULL;
    if (copy && n) {
        memcpy(copy, text, n);
    }
    return copy;
}

char *assay_arena_strdup(assay_arena_t *arena, const char *text) {
    return assay_arena_strndup(arena, text, strlen(text));
}

char *assay_arena_vprintf(assay_arena_t *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    char *text = n >= 0 ? assay_arena_alloc(arena, (size_t)n + 1) : NULL;
    if (text) {
        (void)vsnprintf(text, (size_t)n + 1, format, again);
    }
    va_end(again);
    return text;
}

char *assay_arena_printf(assay_arena_t *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = assay_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

size_t assay_arena_used(const assay_arena_t *arena) {
    return arena->used;
}

void assay_arena_reset(assay_arena_t *arena) {
    block_t *block = arena->newest;
    if (!block) {
        return;
    }
    while (block->older) {
        block_t *older = block->older;
        block_free(block);
        block = older;
    }
    ASAN_UNPOISON_MEMORY_REGION(block->data, block->capacity);
    memset(block->data, 0, block->used);
    ASAN_POISON_MEMORY_REGION(block->data, block->capacity);
    block->used = 0;
    arena->newest = block;
    arena->used = 0;
}
