#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#include "assay/env.h"
#include "assay/report_doctor.h"

#include "base/banned.h"

static assay_status_t explain(cli_t *cli, const assay_env_rules_t *rules,
                              assay_report_format_t format) {
    const char *id = cli->value[CLI_EXPLAIN];
    const assay_check_t *check = assay_env_rules_check(rules, id);
    if (!check) {
        assay_error_set(&cli->err, ASSAY_NOT_FOUND, NULL, "no check is called '%s'", id);
        assay_error_next(&cli->err, "list them with assay env --list");
        return ASSAY_NOT_FOUND;
    }
    return assay_report_check(check, format, &cli->report, &cli->out, &cli->err);
}

/* A target as it is, or that of a part of the catalog. */
static assay_status_t read_part(cli_t *cli, const char *const *dir, uint32_t n_dir,
                                assay_env_options_t *options) {
    const char *text = cli->value[CLI_GPU];
    if (!text || strncmp(text, "gfx", 3) == 0 || strncmp(text, "sm_", 3) == 0) {
        options->target = options->part = text;
        return ASSAY_OK;
    }
    const assay_place_t at = {.file = "--gpu"};
    const assay_accelerator_t *part = NULL;
    assay_catalog_t *catalog;
    assay_status_t status = assay_catalog_load(cli->arena, dir, n_dir, &catalog, &cli->err);
    if (!status) {
        status = assay_catalog_accelerator(catalog, text, &at, &part, &cli->err);
    }
    if (!status && part) {
        options->target = part->target;
        options->part = part->name;
    }
    return status;
}

/* The words behind "--" as one text; what holds a blank is put in quotes. */
static assay_status_t command_line(cli_t *cli, assay_host_file_t *out) {
    assay_buf_t text;
    assay_buf_init(&text, ASSAY_ENV_MAX_FILE_BYTES);
    for (uint32_t i = cli->n_before_end; i < cli->n_arg; i++) {
        const char *word = cli->arg[i], *equals = strchr(word, '=');
        const bool quote = strpbrk(word, " \t\n\"#") && !strchr(word, '\'');
        const size_t plain = quote && equals ? (size_t)(equals - word) + 1 : 0;
        assay_buf_puts(&text, i > cli->n_before_end ? " " : "");
        assay_buf_add(&text, word, plain);
        assay_buf_puts(&text, quote ? "'" : "");
        assay_buf_puts(&text, word + plain);
        assay_buf_puts(&text, quote ? "'" : "");
    }
    const char *copy = text.failed ? NULL : assay_arena_strndup(cli->arena, text.data, text.n);
    *out = (assay_host_file_t){assay_message(cli->lang, ASSAY_MSG_HEAD_COMMAND_LINE), copy, text.n};
    assay_buf_done(&text);
    return copy ? ASSAY_OK : assay_error_memory(&cli->err, NULL);
}

static assay_status_t read_texts(cli_t *cli, assay_host_file_t **out_file, uint32_t *out_n) {
    assay_host_file_t *file = assay_arena_array(cli->arena, cli->n_arg + 1, sizeof *file);
    uint32_t n = 0;
    assay_status_t status = file ? ASSAY_OK : assay_error_memory(&cli->err, NULL);
    for (; !status && n < cli->n_before_end; n++) {
        char *data = NULL;
        size_t size = 0;
        status = assay_file_read(cli->arena, cli->arg[n], ASSAY_ENV_MAX_FILE_BYTES, &data, &size,
                                 &cli->err);
        const bool standard_input = strcmp(cli->arg[n], "-") == 0;
        file[n] = (assay_host_file_t){
            standard_input ? assay_message(cli->lang, ASSAY_MSG_HEAD_STANDARD_INPUT) : cli->arg[n],
            data, size};
    }
    if (!status && cli->n_arg > cli->n_before_end) {
        status = command_line(cli, &file[n++]);
    }
    *out_file = file;
    *out_n = n;
    return status;
}

static assay_status_t lint(cli_t *cli, const assay_env_rules_t *rules, const char *const *dir,
                           uint32_t n_dir, assay_report_format_t format) {
    assay_env_options_t options = {.rocm = cli->value[CLI_RUNS_ROCM],
                                   .engine = cli->value[CLI_ENGINE]};
    assay_host_file_t *file = NULL;
    uint32_t n_file = 0;
    assay_diagnosis_t *diagnosis = NULL;
    assay_status_t status = cli_read_threshold(cli, &options.threshold);
    if (!status) {
        status = cli_read_words(cli, CLI_ONLY, &options.only, &options.n_only);
    }
    if (!status) {
        status = cli_read_words(cli, CLI_SKIP, &options.skip, &options.n_skip);
    }
    if (!status) {
        status = read_part(cli, dir, n_dir, &options);
    }
    if (!status) {
        status = read_texts(cli, &file, &n_file);
    }
    if (!status) {
        const char *name = n_file == 0   ? "this environment"
                           : n_file == 1 ? file[0].name
                                         : assay_arena_printf(cli->arena, "%u files", n_file);
        status = assay_env_lint(cli->arena, rules, name ? name : "", file, n_file,
                                n_file ? NULL : (const char *const *)environ, &options, &diagnosis,
                                &cli->err);
    }
    if (!status) {
        status = assay_report_doctor(diagnosis, format, &cli->report, &cli->out, &cli->err);
    }
    return status ? status : diagnosis && diagnosis->reached ? ASSAY_FINDING : ASSAY_OK;
}

assay_status_t cli_run_env(cli_t *cli) {
    assay_report_format_t format;
    const char *const *dir;
    uint32_t n_dir;
    const assay_env_rules_t *rules;
    assay_status_t status = cli_format(cli, &format);
    if (!status) {
        status = cli_data_dirs(cli, &dir, &n_dir);
    }
    if (!status) {
        status = assay_env_rules_load(cli->arena, dir, n_dir, cli->lang, &rules, &cli->err);
    }
    if (status) {
        return status;
    }
    if (cli_has(cli, CLI_EXPLAIN)) {
        return explain(cli, rules, format);
    }
    if (cli_has(cli, CLI_LIST)) {
        uint32_t n;
        const assay_check_t *check = assay_env_rules_checks(rules, &n);
        return assay_report_checks(check, n, format, &cli->report, &cli->out, &cli->err);
    }
    return lint(cli, rules, dir, n_dir, format);
}
