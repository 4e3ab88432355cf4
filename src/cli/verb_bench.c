#include <string.h>

#include "cli/cli.h"

#include "assay/bench_result.h"
#include "assay/report_bench.h"

#include "base/banned.h"

/* All results of all files, in their order. */
static assay_status_t read_files(cli_t *cli, const char *const *dir, uint32_t n_dir,
                                 assay_bench_t *out) {
    assay_bench_t *part = assay_arena_array(cli->arena, cli->n_arg, sizeof *part);
    uint32_t n = 0;
    if (!part) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t i = 0; i < cli->n_arg; i++) {
        char *data;
        size_t size;
        assay_status_t status =
            assay_file_read(cli->arena, cli->arg[i], ASSAY_BENCH_BYTES, &data, &size, &cli->err);
        if (status || (status = assay_bench_read(cli->arena, dir, n_dir, cli->arg[i], data, size,
                                                 &part[i], &cli->err))) {
            return status;
        }
        n += part[i].n_result;
    }
    *out = (assay_bench_t){assay_arena_array(cli->arena, n, sizeof *out->result), 0};
    if (!out->result) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t i = 0; i < cli->n_arg; i++) {
        memcpy(&out->result[out->n_result], part[i].result, part[i].n_result * sizeof *out->result);
        out->n_result += part[i].n_result;
    }
    return ASSAY_OK;
}

assay_status_t cli_run_bench(cli_t *cli) {
    assay_report_format_t format;
    const char *const *dir;
    uint32_t n_dir;
    assay_bench_t bench;
    const assay_bench_run_t run = {cli->value[CLI_GPU], cli->value[CLI_ENGINE]};
    assay_status_t status = cli_format(cli, &format);
    if (status || (status = cli_data_dirs(cli, &dir, &n_dir)) ||
        (status = read_files(cli, dir, n_dir, &bench)) ||
        (status = assay_report_bench(&bench, &run, format, &cli->report, &cli->out, &cli->err))) {
        return status;
    }
    for (uint32_t i = 0; i < bench.n_result; i++) {
        for (uint32_t k = 0; k < bench.result[i].n_check; k++) {
            if (!bench.result[i].check[k].agrees) {
                return ASSAY_FINDING;
            }
        }
    }
    return ASSAY_OK;
}
