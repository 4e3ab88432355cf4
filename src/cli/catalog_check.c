#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/catalog_print.h"

#include "base/banned.h"

static void check_json(cli_t *cli, const assay_catalog_check_t *check) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "refused");
    for (uint32_t i = 0; i < check->n_refused; i++) {
        assay_json_string(&json, NULL, check->refused[i]);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "odd");
    for (uint32_t i = 0; i < check->catalog->n_warning; i++) {
        assay_json_string(&json, NULL, check->catalog->warning[i]);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "changed");
    for (uint32_t i = 0; i < check->catalog->n_overlay; i++) {
        assay_json_string(&json, NULL, check->catalog->overlay[i]);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

static assay_status_t check_text(cli_t *cli, const assay_catalog_check_t *check) {
    char number[3][16];
    const char *const arg[] = {number[0], number[1], number[2]};
    const assay_table_name_t *name;
    uint32_t n, n_rows = 0;
    assay_status_t status = assay_catalog_view_names(cli->arena, &name, &n, &cli->err);
    for (uint32_t i = 0; i < n && !status; i++) {
        assay_catalog_view_t view;
        status =
            assay_catalog_view_open(cli->arena, check->catalog, name[i].name, &view, &cli->err);
        n_rows += status ? 0 : view.n_rows;
    }
    if (status) {
        return status;
    }
    cli_catalog_overlays(cli, check->catalog);
    for (uint32_t i = 0; i < check->n_refused; i++) {
        cli_wrap(&cli->out, check->refused[i], 0, 4);
    }
    for (uint32_t i = 0; i < check->catalog->n_warning; i++) {
        cli_say(cli, ASSAY_MSG_CLI_CHECK_ODD, &check->catalog->warning[i], 1);
    }
    snprintf(number[0], sizeof number[0], "%u", check->n_refused > 0 ? check->n_refused : n);
    snprintf(number[1], sizeof number[1], "%u", n_rows);
    snprintf(number[2], sizeof number[2], "%u", check->catalog->n_warning);
    cli_say(cli, check->n_refused > 0 ? ASSAY_MSG_CLI_CHECK_REFUSED : ASSAY_MSG_CLI_CHECK_FINE, arg,
            3);
    return ASSAY_OK;
}

assay_status_t cli_run_catalog_check(cli_t *cli) {
    assay_report_format_t format;
    const char *const *dir;
    uint32_t n_dir;
    assay_catalog_check_t check;
    assay_status_t status = cli_format(cli, &format);
    for (uint32_t i = 0; i < cli->n_arg && !status; i++) { /* folders as --data takes them */
        if (cli->n_data == CLI_MAX_DATA) {
            return assay_error_set(&cli->err, ASSAY_USAGE, NULL, "more than %d folders",
                                   CLI_MAX_DATA);
        }
        cli->data[cli->n_data++] = cli->arg[i];
    }
    status = status ? status : cli_data_dirs(cli, &dir, &n_dir);
    status =
        status ? status : assay_catalog_check(cli->arena, dir, n_dir, NULL, 0, &check, &cli->err);
    if (status) {
        return status;
    }
    if (format == ASSAY_REPORT_JSON) {
        check_json(cli, &check);
    } else {
        status = check_text(cli, &check);
    }
    return status ? status : check.n_refused > 0 ? ASSAY_FINDING : ASSAY_OK;
}

/** What stands in a folder of tables, for people. */
static const char *state_of(const char *path) {
    struct stat st;
    return stat(path, &st) != 0 ? "not there" : S_ISDIR(st.st_mode) ? "folder" : "file";
}

assay_status_t cli_run_catalog_path(cli_t *cli) {
    const char *const *dir;
    const char *ledger, *config;
    uint32_t n_dir;
    assay_report_format_t format;
    assay_json_t json;
    assay_status_t status = cli_format(cli, &format);
    status = status ? status : cli_data_dirs(cli, &dir, &n_dir);
    status = status ? status : cli_config_dir(cli, &config);
    status = status ? status : cli_ledger_path(cli, &ledger);
    assay_table_t *table = assay_table_create(cli->arena, 3);
    if (status || !table) {
        return status ? status : assay_error_memory(&cli->err, NULL);
    }
    static const char *const title[] = {"what", "where", "there"};
    for (uint32_t j = 0; j < 3; j++) {
        assay_table_column(table, j, title[j], "", false);
    }
    assay_table_whole(table, 1);
    const bool has_config = config && n_dir > 0 && strcmp(dir[0], config) == 0;
    assay_json_init(&json, &cli->out);
    if (format == ASSAY_REPORT_JSON) {
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "config", config);
        assay_json_begin_array(&json, "tables");
        for (uint32_t i = 0; i < n_dir; i++) {
            assay_json_string(&json, NULL, dir[i]);
        }
        assay_json_end(&json);
        assay_json_string(&json, "ledger", ledger);
        assay_json_end(&json);
        return ASSAY_OK;
    }
    const struct {
        const char *what, *where;
    } fixed[] = {{"configuration folder", config}, {"ledger of imported prices", ledger}};
    assay_table_row(table);
    assay_table_cell(table, 0, "tables");
    assay_table_cell(table, 1, "compiled into the program");
    assay_table_cell(table, 2, "yes");
    for (uint32_t i = 0; i < 2; i++) {
        if (i == 1) { /* what was named stands between the two */
            for (uint32_t j = has_config; j < n_dir; j++) {
                assay_table_row(table);
                assay_table_cell(table, 0, "named by ASSAY_DATA or --data");
                assay_table_cell(table, 1, dir[j]);
                assay_table_cell(table, 2, state_of(dir[j]));
            }
        }
        assay_table_row(table);
        assay_table_cell(table, 0, fixed[i].what);
        assay_table_cell(table, 1, fixed[i].where ? fixed[i].where : "neither HOME nor XDG set");
        assay_table_cell(table, 2, fixed[i].where ? state_of(fixed[i].where) : "");
    }
    assay_table_print(table, ASSAY_TABLE_TEXT, 100, &cli->out);
    return ASSAY_OK;
}
