#include "cli/cli.h"

#include "assay/report_launch.h"

#include "base/banned.h"

#define FILE_BYTES_MAX ((size_t)4 << 20)

assay_status_t cli_run_job_from(cli_t *cli) {
    assay_launch_file_t file[ASSAY_LAUNCH_FILES_MAX];
    assay_report_format_t format;
    const char *const *dir;
    uint32_t n_dir;
    assay_launch_t *launch;
    assay_status_t status = cli_format(cli, &format);
    if (!status && cli->n_arg > ASSAY_LAUNCH_FILES_MAX) {
        status = assay_error_set(&cli->err, ASSAY_LIMIT, NULL, "more than %u files",
                                 ASSAY_LAUNCH_FILES_MAX);
    }
    if (!status) {
        status = cli_data_dirs(cli, &dir, &n_dir);
    }
    for (uint32_t i = 0; i < cli->n_arg && !status; i++) {
        char *data;
        file[i].name = cli->arg[i];
        status = assay_file_read(cli->arena, cli->arg[i], FILE_BYTES_MAX, &data, &file[i].size,
                                 &cli->err);
        file[i].data = data;
    }
    if (!status) {
        status = assay_launch_read(cli->arena, file, cli->n_arg, cli->value[CLI_ON], dir, n_dir,
                                   &launch, &cli->err);
    }
    return status ? status : assay_report_launch(launch, format, &cli->out, &cli->err);
}
