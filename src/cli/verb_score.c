#include <sys/stat.h>

#include "cli/cli.h"

#include "assay/calibrate.h"
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

/* What score and calibrate read. */
typedef struct {
    assay_report_format_t format;
    assay_csv_t table;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
} input_t;

static assay_status_t read_input(cli_t *cli, const char *verb, const char *example, input_t *out) {
    assay_status_t status = cli_format(cli, &out->format);
    if (status) {
        return status;
    }
    const char *file = take_measured(cli), *const * dir;
    if (!file) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "%s needs a table of measurements", verb);
        assay_error_next(&cli->err, "write --data %s", example);
        return ASSAY_USAGE;
    }
    uint32_t n_dir;
    char *data;
    size_t size;
    if ((status = assay_file_read(cli->arena, file, MEASURED_BYTES, &data, &size, &cli->err)) ||
        (status = assay_csv_parse(cli->arena, file, data, size, &out->table, &cli->err)) ||
        (status = cli_data_dirs(cli, &dir, &n_dir)) ||
        (status = assay_catalog_load(cli->arena, dir, n_dir, &out->catalog, &cli->err)) ||
        (status = assay_calibration_load(cli->arena, dir, n_dir, &out->calibration, &cli->err))) {
        return status;
    }
    cli_progress_start(cli);
    return ASSAY_OK;
}

assay_status_t cli_run_score(cli_t *cli) {
    input_t in;
    assay_score_t *score;
    assay_status_t status = read_input(cli, "score", "data/measured/training.csv", &in);
    if (!status) {
        status = assay_score(cli->arena, in.catalog, in.calibration, &in.table, &cli->hooks, &score,
                             &cli->err);
    }
    return status ? status
                  : assay_report_score(score, in.format, &cli->report, &cli->out, &cli->err);
}

assay_status_t cli_run_calibrate(cli_t *cli) {
    input_t in;
    assay_calibrate_t *fit;
    assay_status_t status = read_input(cli, "calibrate", "data/measured/inference.csv", &in);
    if (!status) {
        status = assay_calibrate(cli->arena, in.catalog, in.calibration, &in.table, &cli->hooks,
                                 &fit, &cli->err);
    }
    return status ? status
                  : assay_report_calibrate(fit, in.format, &cli->report, &cli->out, &cli->err);
}
