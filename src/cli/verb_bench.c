#include "cli/cli.h"

#include <string.h>

#include "assay/bench_result.h"
#include "assay/physics.h"
#include "assay/report_bench.h"
#include "assay/resolve.h"

#include "base/banned.h"

/* What one file holds: results of load generators, or rows of collective tests. */
static assay_status_t read_file(cli_t *cli, const assay_host_rules_t *rules, const char *const *dir,
                                uint32_t n_dir, const char *name, assay_bench_t *out) {
    char *data;
    size_t size;
    assay_host_t *host;
    assay_status_t status =
        assay_file_read(cli->arena, name, ASSAY_BENCH_BYTES, &data, &size, &cli->err);
    if (status || !assay_bench_is_collective(data, size)) {
        return status ? status
                      : assay_bench_read(cli->arena, dir, n_dir, name, data, size, out, &cli->err);
    }
    const assay_host_file_t file = {name, data, size};
    status = assay_host_read_files(cli->arena, rules, name, &file, 1, &host, &cli->err);
    if (status) {
        return status;
    }
    assay_bench_collective_t *row = assay_arena_array(cli->arena, host->n_collective, sizeof *row);
    if (!row) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t i = 0; i < host->n_collective; i++) {
        const assay_host_collective_t *from = &host->collective[i];
        row[i] = (assay_bench_collective_t){.operation = from->operation,
                                            .ranks = from->ranks,
                                            .bytes = from->bytes,
                                            .time_s = from->time_s,
                                            .algorithm_bytes_per_s = from->algorithm_bytes_per_s,
                                            .bus_bytes_per_s = from->bus_bytes_per_s,
                                            .at = from->at};
    }
    *out = (assay_bench_t){.collective = row, .n_collective = host->n_collective};
    return ASSAY_OK;
}

/* All that the files hold, in their order. */
static assay_status_t read_files(cli_t *cli, const char *const *dir, uint32_t n_dir,
                                 assay_bench_t *out) {
    const assay_host_rules_t *rules;
    assay_bench_t *part = assay_arena_array(cli->arena, cli->n_arg, sizeof *part);
    uint32_t n_result = 0, n_row = 0;
    assay_status_t status =
        assay_host_rules_load(cli->arena, dir, n_dir, ASSAY_LANG_EN, &rules, &cli->err);
    if (status || !part) {
        return status ? status : assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t i = 0; i < cli->n_arg && !status; i++) {
        status = read_file(cli, rules, dir, n_dir, cli->arg[i], &part[i]);
        n_result += part[i].n_result;
        n_row += part[i].n_collective;
    }
    if (status) {
        return status;
    }
    assay_bench_collective_t *row = assay_arena_array(cli->arena, n_row, sizeof *row);
    *out = (assay_bench_t){.result = assay_arena_array(cli->arena, n_result, sizeof *out->result),
                           .collective = row};
    if (!row || !out->result) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t i = 0; i < cli->n_arg; i++) {
        for (uint32_t k = 0; k < part[i].n_result; k++) {
            out->result[out->n_result++] = part[i].result[k];
        }
        for (uint32_t k = 0; k < part[i].n_collective; k++) {
            row[out->n_collective++] = part[i].collective[k];
        }
    }
    return ASSAY_OK;
}

/* What the part that --gpu names should take, where the catalog has it and rows of as many devices
   fill its nodes; other rows stay as they are. */
static assay_status_t predict(cli_t *cli, const char *const *dir, uint32_t n_dir,
                              assay_bench_t *bench) {
    static const struct {
        const char *operation;
        assay_collective_t kind;
    } known[] = {{"all_reduce", ASSAY_COLL_ALL_REDUCE},
                 {"all_gather", ASSAY_COLL_ALL_GATHER},
                 {"reduce_scatter", ASSAY_COLL_REDUCE_SCATTER},
                 {"alltoall", ASSAY_COLL_ALL_TO_ALL}};
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    const assay_accelerator_t *part;
    assay_error_t none;
    if (!cli->value[CLI_GPU] || bench->n_collective == 0) {
        return ASSAY_OK;
    }
    assay_status_t status = assay_catalog_load(cli->arena, dir, n_dir, &catalog, &cli->err);
    status =
        status ? status : assay_calibration_load(cli->arena, dir, n_dir, &calibration, &cli->err);
    if (status || assay_catalog_accelerator(catalog, cli->value[CLI_GPU], NULL, &part, &none)) {
        return status; /* a name that the catalog does not know is allowed: it is only written on */
    }
    assay_bench_collective_t *row = assay_arena_array(cli->arena, bench->n_collective, sizeof *row);
    if (!row) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t i = 0; i < bench->n_collective; i++) {
        assay_machine_t machine;
        row[i] = bench->collective[i];
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            if (strcmp(known[k].operation, row[i].operation) != 0 || row[i].ranks < 2 ||
                assay_resolve_machine(NULL, catalog, calibration, part, NULL, NULL, 0, 0,
                                      row[i].ranks, ASSAY_DT_BF16, &machine, &none)) {
                continue;
            }
            const assay_collective_choice_t choice =
                assay_collective_choose(&machine, known[k].kind, row[i].bytes, row[i].ranks, 1);
            if (choice.way) {
                row[i].predicted_s = choice.elapsed_s;
                row[i].predicted_bus_bytes_per_s = assay_collective_bus_bytes_per_s(
                    &machine, known[k].kind, row[i].bytes, row[i].ranks, 1);
                row[i].algorithm = assay_algorithm_name((assay_algorithm_t)choice.way->algorithm);
                row[i].protocol = assay_protocol_name((assay_protocol_t)choice.way->protocol);
            }
        }
    }
    bench->collective = row;
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
        (status = predict(cli, dir, n_dir, &bench)) ||
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
