#include <unistd.h>

#include "cli/cli.h"

#include "assay/report_topology.h"

#include "base/banned.h"

static assay_status_t build(cli_t *cli, assay_topology_t **out_topology, assay_host_t **out_host) {
    const char *const *dir;
    uint32_t n_dir;
    const assay_host_rules_t *rules;
    assay_catalog_t *catalog = NULL;
    assay_status_t status = cli_data_dirs(cli, &dir, &n_dir);
    if (!status) {
        status = assay_host_rules_load(cli->arena, dir, n_dir, ASSAY_LANG_EN, &rules, &cli->err);
    }
    if (!status) {
        status = assay_catalog_load(cli->arena, dir, n_dir, &catalog, &cli->err);
    }
    if (!status) {
        status = cli_read_host(cli, rules, out_host);
    }
    return status ? status
                  : assay_topology_build(cli->arena, *out_host, catalog, cli->value[CLI_SYSTEM],
                                         cli->lang, out_topology, &cli->err);
}

static assay_status_t write_picture(cli_t *cli, const assay_topology_t *topology) {
    assay_buf_t svg;
    assay_buf_init(&svg, (size_t)16 << 20);
    assay_status_t status = assay_report_topology_svg(topology, &cli->report, &svg, &cli->err);
    if (!status) {
        status = assay_file_write(cli->value[CLI_SVG], svg.data, svg.n, &cli->err);
    }
    assay_buf_done(&svg);
    return status;
}

assay_status_t cli_run_topo(cli_t *cli) {
    assay_report_format_t format;
    assay_topology_t *topology = NULL;
    assay_host_t *host = NULL;
    assay_status_t status = cli_format(cli, &format);
    if (!status) {
        status = build(cli, &topology, &host);
    }
    if (!status && cli_has(cli, CLI_SVG)) {
        status = write_picture(cli, topology);
    }
    if (!status) {
        status = assay_report_topology(topology, format, &cli->report, &cli->out, &cli->err);
    }
    if (!status && host->live && topology->n_device == 0) {
        const char *text = assay_message(cli->lang, ASSAY_MSG_TOPO_NO_ACCELERATOR);
        return assay_error_set(&cli->err, ASSAY_UNAVAILABLE, NULL, "%s", text);
    }
    return status;
}
