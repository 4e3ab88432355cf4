/** Results of load generators, for people and programs. */
#ifndef ASSAY_REPORT_BENCH_H
#define ASSAY_REPORT_BENCH_H

#include "assay/bench_result.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the user says of the runs; NULL: not said. For CSV. */
typedef struct {
    const char *accelerator, *engine;
} assay_bench_run_t;

/** TEXT, JSON (docs/json.md), CSV: rows as data/measured/inference.csv has them. */
assay_status_t assay_report_bench(const assay_bench_t *bench, const assay_bench_run_t *run,
                                  assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
