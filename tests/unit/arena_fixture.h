/* One arena for all tests of a program. */
#ifndef ARENA_FIXTURE_H
#define ARENA_FIXTURE_H

#include "assay/arena.h"

static assay_arena_t *arena;

static inline int arena_set_up(void **state) {
    (void)state;
    arena = assay_arena_create((size_t)1 << 30);
    return arena ? 0 : -1;
}

static inline int arena_tear_down(void **state) {
    (void)state;
    assay_arena_destroy(arena);
    return 0;
}

#endif
