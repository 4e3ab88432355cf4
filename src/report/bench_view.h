/** What the formats of a benchmark result share. */
#ifndef REPORT_BENCH_VIEW_H
#define REPORT_BENCH_VIEW_H

#include "assay/report_bench.h"
#include "report/write.h"

typedef struct {
    const assay_bench_t *bench;
    const assay_bench_run_t *run;
} assay_bench_view_t;

void assay_bench_write_text(assay_view_t *view, const assay_bench_view_t *of);
void assay_bench_write_json(assay_view_t *view, const assay_bench_view_t *of);
void assay_bench_write_csv(assay_view_t *view, const assay_bench_view_t *of);

/** A warning's sentence. */
const char *assay_bench_warning(assay_view_t *view, const assay_bench_warning_t *warning);
/** What the tool means by its words, one sentence. */
const char *assay_bench_definitions(assay_view_t *view, const assay_bench_result_t *result);

#endif
