#include <string.h>

#include "cli/cli.h"

#include "assay/report_diff.h"

#include "base/banned.h"

#define FILE_BYTES_MAX ((size_t)16 << 20)

assay_status_t cli_run_diff(cli_t *cli) {
    assay_report_format_t format;
    assay_diff_side_t side[2] = {{0}};
    assay_diff_t *diff;
    assay_status_t status = cli_format(cli, &format);
    for (uint32_t i = 0; i < 2 && !status; i++) {
        char *data;
        side[i].name = cli->arg[i];
        status = assay_file_read(cli->arena, cli->arg[i], FILE_BYTES_MAX, &data, &side[i].size,
                                 &cli->err);
        side[i].data = data;
    }
    if (status) {
        return status;
    }
    cli_progress_start(cli);
    status = assay_diff(cli->arena, side, &cli->hooks, &diff, &cli->err);
    return status ? status : assay_report_diff(diff, format, &cli->report, &cli->out, &cli->err);
}
