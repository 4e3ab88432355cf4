/* The scanner on a mixed tree that is made up in memory: one core, warm. */
#ifndef SCAN_BENCH_H
#define SCAN_BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/arena.h"
#include "assay/error.h"

typedef struct scan_bench scan_bench_t;

/** Lives in the arena; the same tree every time. */
assay_status_t scan_bench_create(assay_arena_t *arena, scan_bench_t **out_bench,
                                 assay_error_t *err);
size_t scan_bench_bytes(const scan_bench_t *bench);
/** Of the CUDA files, which the lexical pass reads. */
size_t scan_bench_lexical_bytes(const scan_bench_t *bench);
/** One pass over the tree; false: no memory. */
bool scan_bench_lexical(scan_bench_t *bench);
bool scan_bench_whole(scan_bench_t *bench);

#endif
