#include <sys/stat.h>

#include "cli/cli.h"

#include "assay/score.h"

#include "base/banned.h"

#define MEASURED_BYTES ((size_t)64 << 20)

/** --data names the table of measurements; folders among them stay in cli->data and are overlays.
 */
static const char *take_measured(cli_t *cli) {
    const char *file = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < cli->n_data; i++) {
        struct stat st;
        if (stat(cli->data[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            cli->data[n++] = cli->data[i];
        } else {
            file = cli->data[i];
        }
    }
    cli->n_data = n;
    return file;
}

assay_status_t cli_run_score(cli_t *cli) {
    assay_report_format_t format;
    assay_status_t status = cli_format(cli, &format);
    if (status) {
        return status;
    }
    const char *file = take_measured(cli), *const * dir;
    if (!file) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "score needs a table of measurements");
        assay_error_next(&cli->err, "write --data data/measured/training.csv");
        return ASSAY_USAGE;
    }
    uint32_t n_dir;
    char *data;
    size_t size;
    assay_csv_t table;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_score_t *score;
    if ((status = assay_file_read(cli->arena, file, MEASURED_BYTES, &data, &size, &cli->err)) ||
        (status = assay_csv_parse(cli->arena, file, data, size, &table, &cli->err)) ||
        (status = cli_data_dirs(cli, &dir, &n_dir)) ||
        (status = assay_catalog_load(cli->arena, dir, n_dir, &catalog, &cli->err)) ||
        (status = assay_calibration_load(cli->arena, dir, n_dir, &calibration, &cli->err))) {
        return status;
    }
    cli_progress_start(cli);
    status = assay_score(cli->arena, catalog, calibration, &table, &cli->hooks, &score, &cli->err);
    if (status) {
        return status;
    }
    return assay_report_score(score, format, &cli->report, &cli->out, &cli->err);
}
