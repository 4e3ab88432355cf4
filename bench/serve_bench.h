/* The named benchmark workload: an 8B model on one H100 as vLLM runs it, Poisson at 70 % of
   saturation, lognormal lengths of mean 512 and 128 tokens. */
#ifndef SERVE_BENCH_H
#define SERVE_BENCH_H

#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/serve_plan.h"

typedef struct serve_bench serve_bench_t;

assay_status_t serve_bench_create(assay_arena_t *arena, serve_bench_t **out_bench,
                                  assay_error_t *err);
/** n steps of different batches; their sum, so that nothing is dropped. */
double serve_bench_steps(const serve_bench_t *bench, uint64_t n);
/** Simulates n requests; 0: failed. */
uint64_t serve_bench_requests(const serve_bench_t *bench, assay_arena_t *arena, uint64_t n);

/** The ways that a search of fleets judges, in closed form, for this model on nodes of H100. */
uint64_t serve_bench_search(const serve_bench_t *bench, assay_serve_fleets_t *out);

#endif
