/**
 * Explains a pasted out-of-memory log: which program, at which stage, which part, what it says of
 * sizes, and what to set. Sentences and causes are rows of data/oom_messages.csv.
 *
 * Test: tests/unit/test_oom_log.c. Thread-safe: yes.
 */
#ifndef ASSAY_OOM_LOG_H
#define ASSAY_OOM_LOG_H

#include "assay/arena.h"
#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name; /* "tried_bytes", "max_model_len" */
    double value;
} assay_oom_figure_t;

typedef struct {
    const char *set; /* "--max-model-len 37696", figures filled in */
    const char *why;
} assay_oom_fix_t;

#define ASSAY_OOM_FIGURE_MAX 24
#define ASSAY_OOM_FIX_MAX 6

typedef struct {
    const char *program, *part, *stage; /* "vllm", "kv_cache", "start" */
    const char *evidence;               /* the line that says so */
    uint32_t line;
    assay_oom_figure_t figure[ASSAY_OOM_FIGURE_MAX];
    uint32_t n_figure;
    assay_oom_fix_t fix[ASSAY_OOM_FIX_MAX];
    uint32_t n_fix;
    const char *sentence; /* what happened, in one sentence */
} assay_oom_t;

/**
 * data: text as pasted, any bytes. dir: folders with a user's tables. Errors: ASSAY_NOT_FOUND when
 * no row of the table speaks of any line; ASSAY_INPUT for a bad row of the table.
 */
assay_status_t assay_oom_read(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                              const char *data, size_t size, assay_oom_t *out, assay_error_t *err);
/** The figure, or otherwise. */
double assay_oom_figure(const assay_oom_t *oom, const char *name, double otherwise);

#ifdef __cplusplus
}
#endif
#endif
