#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#include "assay/report_scan.h"

#include "base/banned.h"

#define PAGE_BYTES ((size_t)256 << 20)
#define BASELINE_BYTES ((size_t)256 << 20)

assay_status_t cli_port_options(cli_t *cli, assay_port_options_t *out) {
    *out = (assay_port_options_t){.target = cli->value[CLI_TARGET],
                                  .experienced = cli_has(cli, CLI_EXPERIENCED),
                                  .lang = cli->lang,
                                  .hooks = &cli->hooks};
    if (cli_has(cli, CLI_ROCM) && !assay_port_rocm_parse(cli->value[CLI_ROCM], &out->rocm)) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--rocm %s is no ROCm version",
                        cli->value[CLI_ROCM]);
        assay_error_next(&cli->err, "write it as 6.4");
        return ASSAY_USAGE;
    }
    if (cli_has(cli, CLI_TEAM)) {
        out->team = (uint32_t)strtoul(cli->value[CLI_TEAM], NULL, 10); /* checked when parsed */
    }
    return ASSAY_OK;
}

/* ASSAY_EFFECT_N when the flag is not given. */
static assay_status_t read_fail_on(cli_t *cli, uint32_t *out_effect) {
    const char *text = cli->value[CLI_FAIL_ON];
    *out_effect = 0;
    while (*out_effect < ASSAY_EFFECT_N &&
           !(text && strcmp(text, assay_effect_name((assay_effect_t)*out_effect)) == 0)) {
        (*out_effect)++;
    }
    if (text && *out_effect == ASSAY_EFFECT_N) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--fail-on has no effect \"%s\"", text);
        assay_error_next(&cli->err, "use silent, compile, slow or note");
        return ASSAY_USAGE;
    }
    return ASSAY_OK;
}

static assay_status_t apply_baseline(cli_t *cli, const uint64_t *fingerprint,
                                     assay_port_scan_t *scan) {
    const char *path = cli->value[CLI_BASELINE];
    char *data;
    size_t size;
    if (!path) {
        return ASSAY_OK;
    }
    const assay_status_t status =
        assay_file_read(cli->arena, path, BASELINE_BYTES, &data, &size, &cli->err);
    return status ? status
                  : assay_port_baseline_apply(cli->arena, path, data, size, fingerprint, scan,
                                              &cli->err);
}

static assay_status_t write_baseline(cli_t *cli, const uint64_t *fingerprint,
                                     const assay_port_scan_t *scan) {
    if (!cli_has(cli, CLI_WRITE_BASELINE)) {
        return ASSAY_OK;
    }
    assay_buf_t out;
    assay_buf_init(&out, BASELINE_BYTES);
    assay_port_baseline_write(scan, fingerprint, &out);
    const assay_status_t status =
        out.failed ? assay_error_memory(&cli->err, NULL)
                   : assay_file_write(cli->value[CLI_WRITE_BASELINE], out.data, out.n, &cli->err);
    assay_buf_done(&out);
    return status;
}

static assay_status_t write_html(cli_t *cli, const assay_port_scan_t *scan,
                                 const uint64_t *fingerprint, bool say) {
    if (!cli_has(cli, CLI_HTML)) {
        return ASSAY_OK;
    }
    assay_buf_t page;
    assay_buf_init(&page, PAGE_BYTES);
    assay_status_t status =
        assay_report_scan(scan, fingerprint, ASSAY_REPORT_HTML, &cli->report, &page, &cli->err);
    if (!status) {
        status = assay_file_write(cli->value[CLI_HTML], page.data, page.n, &cli->err);
    }
    assay_buf_done(&page);
    if (!status && say) {
        assay_buf_add(&cli->out, "\n", 1);
        cli_say(cli, ASSAY_MSG_CLI_REPORT_WRITTEN, &cli->value[CLI_HTML], 1);
    }
    return status;
}

static uint32_t count_as_bad(const assay_port_scan_t *scan, uint32_t effect) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        n += !scan->finding[i].known && scan->finding[i].effect <= effect;
    }
    return n;
}

static assay_status_t report(cli_t *cli, const assay_port_scan_t *scan, const uint64_t *fingerprint,
                             assay_report_format_t format, uint32_t fail_on) {
    assay_status_t status =
        assay_report_scan(scan, fingerprint, format, &cli->report, &cli->out, &cli->err);
    if (!status) {
        status = write_html(cli, scan, fingerprint, format == ASSAY_REPORT_TEXT);
    }
    if (!status) {
        status = write_baseline(cli, fingerprint, scan);
    }
    const uint32_t n = fail_on < ASSAY_EFFECT_N ? count_as_bad(scan, fail_on) : 0;
    if (status || n == 0) {
        return status;
    }
    if (format == ASSAY_REPORT_TEXT) {
        char count[16];
        snprintf(count, sizeof count, "%u", n);
        assay_buf_add(&cli->out, "\n", 1);
        cli_say(cli, ASSAY_MSG_SCAN_FAILED, (const char *const[]){cli->value[CLI_FAIL_ON], count},
                2);
    }
    return ASSAY_FINDING;
}

static assay_status_t check_summary(cli_t *cli) {
    cli->report.summary = cli_has(cli, CLI_SUMMARY);
    if (cli->report.summary && !cli_has(cli, CLI_JSON)) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--summary is of what --json prints");
        assay_error_next(&cli->err, "give --json too");
        return ASSAY_USAGE;
    }
    return ASSAY_OK;
}

/* The grammars stand beside an installed program, or where a source tree builds them. */
static assay_status_t open_deep(cli_t *cli, assay_port_deep_t **out_deep) {
    char program[4096];
    *out_deep = NULL;
    if (!cli_has(cli, CLI_DEEP)) {
        return ASSAY_OK;
    }
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash) {
        *slash = '\0';
    }
    const char *const dir[] = {
        assay_arena_printf(cli->arena, "%s/../" ASSAY_LIBDIR "/assay", program),
        assay_arena_printf(cli->arena, "%s/../deep", program)};
    return dir[0] && dir[1] ? assay_port_deep_open(dir, 2, out_deep, &cli->err)
                            : assay_error_memory(&cli->err, NULL);
}

assay_status_t cli_run_scan(cli_t *cli) {
    assay_report_format_t format;
    assay_port_options_t options;
    assay_port_scan_t *scan;
    assay_port_deep_t *deep = NULL;
    const uint64_t *fingerprint;
    uint32_t fail_on = ASSAY_EFFECT_N;
    assay_status_t status = cli_format(cli, &format);
    if (!status) {
        status = cli_port_options(cli, &options);
    }
    if (!status) {
        status = check_summary(cli);
    }
    if (!status) {
        status = read_fail_on(cli, &fail_on);
    }
    if (!status) {
        status = open_deep(cli, &deep);
    }
    if (status) {
        return status;
    }
    options.deep = deep;
    cli_progress_start(cli);
    status = assay_port_scan(cli->arena, cli->arg[0], &options, &scan, &cli->err);
    assay_port_deep_close(deep);
    if (!status) {
        status = assay_port_fingerprints(cli->arena, scan, &fingerprint, &cli->err);
    }
    if (!status) {
        status = apply_baseline(cli, fingerprint, scan);
    }
    return status ? status : report(cli, scan, fingerprint, format, fail_on);
}
