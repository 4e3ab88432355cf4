#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

#include "assay/archive.h"
#include "assay/report_topology.h"

#include "base/banned.h"

#define TOPOLOGY_MAX_BYTES ((size_t)16 << 20)

static bool is_folder(const char *path) {
    struct stat st;
    return path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/** A folder of ours below $xdg, or below HOME where that is not set; NULL without both. */
static assay_status_t base_dir(cli_t *cli, const char *xdg, const char *below_home,
                               const char **out_dir) {
    const char *base = getenv(xdg), *home = getenv("HOME");
    *out_dir = NULL;
    if (base && base[0] == '/') {
        *out_dir = assay_arena_printf(cli->arena, "%s/assay", base);
    } else if (home && home[0] == '/') {
        *out_dir = assay_arena_printf(cli->arena, "%s/%s/assay", home, below_home);
    } else {
        return ASSAY_OK;
    }
    return *out_dir ? ASSAY_OK : assay_error_memory(&cli->err, NULL);
}

assay_status_t cli_config_dir(cli_t *cli, const char **out_dir) {
    return base_dir(cli, "XDG_CONFIG_HOME", ".config", out_dir);
}

assay_status_t cli_ledger_path(cli_t *cli, const char **out_path) {
    const char *dir;
    if (cli_has(cli, CLI_LEDGER)) {
        *out_path = cli->value[CLI_LEDGER];
        return ASSAY_OK;
    }
    const assay_status_t status = base_dir(cli, "XDG_DATA_HOME", ".local/share", &dir);
    *out_path = dir ? assay_arena_printf(cli->arena, "%s/ledger.db", dir) : NULL;
    return dir && !*out_path ? assay_error_memory(&cli->err, NULL) : status;
}

assay_status_t cli_data_dirs(cli_t *cli, const char *const **out_dir, uint32_t *out_n) {
    const char **dir = assay_arena_array(cli->arena, CLI_MAX_DATA + 2, sizeof *dir);
    const char *from_environment = getenv("ASSAY_DATA"), *config;
    if (!dir) {
        return assay_error_memory(&cli->err, NULL);
    }
    assay_status_t status = cli_config_dir(cli, &config);
    if (status) {
        return status;
    }
    uint32_t n = 0;
    if (is_folder(config)) {
        dir[n++] = config;
    }
    if (from_environment && from_environment[0]) {
        dir[n++] = from_environment;
    }
    for (uint32_t i = 0; i < cli->n_data; i++) {
        dir[n++] = cli->data[i];
    }
    for (uint32_t i = dir[0] == config; i < n && !status; i++) {
        status = assay_data_folder_check(dir[i], &cli->err);
    }
    *out_dir = dir;
    *out_n = n;
    return status;
}

/** The job of the file and the flags. */
static assay_status_t read_job(cli_t *cli, assay_job_t **out_job) {
    const char *path = cli->n_arg ? cli->arg[0] : NULL;
    char *data = NULL;
    size_t size = 0;
    if (!path && cli->n_job_flag == 0) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "%s needs a job", cli->verb->name);
        assay_error_next(&cli->err, "give a file, or flags as in \"assay help %s\"",
                         cli->verb->name);
        return ASSAY_USAGE;
    }
    if (path) {
        assay_status_t status =
            assay_file_read(cli->arena, path, ASSAY_NODE_MAX_BYTES, &data, &size, &cli->err);
        if (status) {
            return status;
        }
    }
    const assay_status_t status = assay_job_read(cli->arena, path, data, size, cli->job_flag,
                                                 cli->n_job_flag, out_job, &cli->err);
    if (!status) {
        (*out_job)->lang = cli->lang;
        (*out_job)->unpriced = cli->verb->run == cli_run_search &&
                               !(*out_job)->workload.serve.present &&
                               !(*out_job)->workload.image.present; /* fleets are ranked by cost */
    }
    return status;
}

/* A host's folder or archive as the job's topology: made here, for resolve knows no hosts. */
static assay_status_t make_topology(cli_t *cli, const cli_input_t *input, assay_job_t *job) {
    const char *path = job->topology.s;
    if (!path || (!is_folder(path) && !assay_archive_is_named(path))) {
        return ASSAY_OK;
    }
    const assay_host_rules_t *rules;
    assay_host_t *host;
    assay_topology_t *topology;
    assay_buf_t json;
    assay_buf_init(&json, TOPOLOGY_MAX_BYTES);
    assay_status_t status = assay_host_rules_load(cli->arena, input->dir, input->n_dir,
                                                  ASSAY_LANG_EN, &rules, &cli->err);
    if (!status) {
        status = assay_host_read_capture(cli->arena, rules, &path, 1, &host, &cli->err);
    }
    if (!status) {
        status = assay_topology_build(cli->arena, host, input->catalog, NULL, ASSAY_LANG_EN,
                                      &topology, &cli->err);
    }
    if (!status) {
        status = assay_report_topology(topology, ASSAY_REPORT_JSON, &cli->report, &json, &cli->err);
    }
    if (!status) {
        job->topology_text = assay_arena_strndup(cli->arena, json.data, json.n);
        status = job->topology_text ? ASSAY_OK : assay_error_memory(&cli->err, NULL);
    }
    assay_buf_done(&json);
    return status;
}

assay_status_t cli_read(cli_t *cli, cli_input_t *out) {
    *out = (cli_input_t){0};
    assay_job_t *job;
    assay_status_t status = read_job(cli, &job);
    if (!status) {
        status = cli_data_dirs(cli, &out->dir, &out->n_dir);
    }
    if (!status) {
        status = cli_catalog_with_ledger(cli, out->dir, out->n_dir, &out->catalog);
    }
    if (!status) {
        status =
            assay_calibration_load(cli->arena, out->dir, out->n_dir, &out->calibration, &cli->err);
    }
    if (!status) {
        status = make_topology(cli, out, job);
    }
    if (!status) {
        status = assay_resolve(cli->arena, job, out->catalog, out->calibration, &out->resolved,
                               &cli->err);
    }
    return status;
}
