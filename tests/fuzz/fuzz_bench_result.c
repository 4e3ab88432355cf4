/* Results of load generators: any bytes. What is known is finite and not negative. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay/bench_result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_figure(const assay_bench_figure_t *figure) {
    assert(!figure->known || (isfinite(figure->v) && figure->v >= 0));
    assert(!figure->bounded || (figure->low >= 0 && figure->high >= figure->low));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    char *text = malloc(size + 1);
    assay_bench_t bench;
    assay_error_t err = {0};
    assert(arena && text);
    memcpy(text, data, size);
    text[size] = '\0';
    const assay_status_t status =
        assay_bench_read(arena, NULL, 0, "result", text, size, &bench, &err);
    assert(status == ASSAY_OK || err.status == status);
    for (uint32_t i = 0; status == ASSAY_OK && i < bench.n_result; i++) {
        const assay_bench_result_t *result = &bench.result[i];
        for (int f = 0; f < ASSAY_BENCH_FIGURE_N; f++) {
            check_figure(&result->figure[f]);
        }
        for (int m = 0; m < ASSAY_BENCH_METRIC_N; m++) {
            for (int s = 0; s < ASSAY_BENCH_STAT_N; s++) {
                check_figure(&result->latency_s[m][s]);
            }
        }
        check_figure(&result->concurrency);
        check_figure(&result->output_tokens_per_s);
    }
    free(text);
    assay_arena_destroy(arena);
    return 0;
}
