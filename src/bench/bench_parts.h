/** The readers of one file. Private to bench. */
#ifndef BENCH_BENCH_PARTS_H
#define BENCH_BENCH_PARTS_H

#include <jansson.h>

#include "assay/bench_result.h"
#include "assay/csv.h"

/** A name of the tool's for a figure: the row of a table. */
typedef struct {
    const char *tool, *key;
    int figure, metric; /* one of them, the other -1 */
    double scale;
} bench_key_t;

typedef struct {
    assay_arena_t *arena;
    const char *file, *data;
    size_t size;
    bench_key_t *key;
    uint32_t n_key;
    assay_bench_result_t *result;
    uint32_t n_result, capacity;
    assay_error_t *err;
} bench_t;

assay_status_t bench_keys_load(bench_t *bench, const char *const *dir, uint32_t n_dir);
/** A new result; NULL: too many, or no memory, and err says so. */
assay_bench_result_t *bench_add(bench_t *bench, assay_bench_tool_t tool, uint32_t line);
/** Sets a figure; what is not finite, or negative, stays unknown. */
void bench_set(assay_bench_figure_t *figure, double value);
/** Index of a word of statistics ("mean", "avg", "median", "p99"), or -1. */
int bench_stat(const char *word, size_t n);

/** What llama-bench says of one test: prompt tokens, generated tokens, tokens a second. */
void bench_llama(const bench_t *bench, assay_bench_result_t *result, double prompt, double gen,
                 double tokens_per_s);

/* One a format; each adds what it finds. */
assay_status_t bench_read_text(bench_t *bench);
assay_status_t bench_read_object(bench_t *bench, const json_t *object, uint32_t line);
assay_status_t bench_read_llama_csv(bench_t *bench);
assay_status_t bench_read_llama_markdown(bench_t *bench);
assay_status_t bench_read_stream(bench_t *bench);
assay_status_t bench_read_prometheus(bench_t *bench);

/** Rates, Little's law, what agrees and what to mind. */
void bench_judge(assay_arena_t *arena, assay_bench_result_t *result);

/** The next line of text[0..*io_n): *io_text moves behind it. false at the end. */
bool bench_line(const char **io_text, size_t *io_n, const char **out_line, size_t *out_n);

#endif
