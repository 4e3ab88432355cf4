/* Money of the seed job: samples of all its candidates, and single scenarios. */
#ifndef MONEY_BENCH_H
#define MONEY_BENCH_H

#include <stdint.h>

#include "assay/resolve.h"

typedef struct money_bench money_bench_t;

assay_status_t money_bench_create(assay_arena_t *arena, const assay_resolved_t *resolved,
                                  money_bench_t **out_bench, assay_error_t *err);
/** n samples, each of every candidate; their sum, so that nothing is dropped. */
double money_bench_samples(const money_bench_t *bench, uint64_t n);
/** n scenarios of one candidate from its inputs to all terms. */
double money_bench_scenarios(const money_bench_t *bench, uint64_t n);

#endif
