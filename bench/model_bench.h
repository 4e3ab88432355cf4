/** A checkpoint of 300 files, for measuring how fast their headers are read. */
#ifndef BENCH_MODEL_BENCH_H
#define BENCH_MODEL_BENCH_H

#include "assay/error.h"

/**
 * Makes an index and 300 files with the tensors of a dense model of 126 layers (their data is a
 * hole: it takes no room) in a new folder, and removes them again.
 */
assay_status_t model_bench_create(const char **out_index, assay_error_t *err);
void model_bench_destroy(void);

#endif
