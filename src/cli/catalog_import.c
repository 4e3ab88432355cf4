#include <stdio.h>
#include <string.h>

#include "cli/catalog_print.h"

#include "assay/ledger.h"
#include "assay/price_import.h"

#include "base/banned.h"

#define IMPORT_BYTES_MAX ((size_t)256 << 20)

/** What an import found, and what the catalog's rules say of it. */
typedef struct {
    assay_price_import_t found;
    assay_catalog_check_t check;
} import_t;

static assay_status_t read_file(cli_t *cli, const char *const *dir, uint32_t n_dir,
                                import_t *import) {
    const assay_price_import_options_t options = {cli->value[CLI_PROVIDER], cli->value[CLI_DATE],
                                                  cli->value[CLI_SOURCE]};
    assay_catalog_t *catalog;
    char *data;
    size_t size;
    assay_status_t status =
        assay_file_read(cli->arena, cli->arg[0], IMPORT_BYTES_MAX, &data, &size, &cli->err);
    status = status ? status : assay_catalog_load(cli->arena, dir, n_dir, &catalog, &cli->err);
    status = status ? status
                    : assay_price_import(cli->arena, catalog, cli->arg[0], data, size, &options,
                                         &import->found, &cli->err);
    if (status) {
        return status;
    }
    const assay_catalog_extra_t extra = {"prices.csv", import->found.rows, ""};
    return assay_catalog_check(cli->arena, dir, n_dir, &extra, 1, &import->check, &cli->err);
}

/** Leaves the refused rows out; returns whether any is left. */
static void drop_refused(import_t *import) {
    assay_csv_t *rows = &import->found.rows;
    uint32_t n = 0;
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        bool refused = false;
        for (uint32_t i = 0; i < import->check.n_refused; i++) {
            refused |= import->check.refused_at[i].line == rows->line[row];
        }
        if (!refused) {
            memmove(rows->cell + (size_t)n * rows->n_columns,
                    rows->cell + (size_t)row * rows->n_columns,
                    rows->n_columns * sizeof *rows->cell);
            rows->line[n++] = rows->line[row];
        }
    }
    rows->n_rows = n;
}

static assay_status_t keep(cli_t *cli, const import_t *import, const char *path) {
    assay_ledger_t *ledger;
    assay_status_t status = assay_ledger_open(path, true, &ledger, &cli->err);
    if (!status) {
        status = assay_ledger_add_prices(ledger, &import->found.rows, &cli->err);
        assay_ledger_close(ledger);
    }
    return status;
}

static void import_json(cli_t *cli, const import_t *import, const char *path) {
    const assay_price_import_t *found = &import->found;
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "format", found->format);
    assay_json_count(&json, "rows", found->n_read);
    assay_json_count(&json, "offers", found->rows.n_rows);
    assay_json_count(&json, "of_no_single_board", found->n_family);
    assay_json_count(&json, "without_accelerator", found->n_without);
    assay_json_begin_array(&json, "unknown_accelerators");
    for (uint32_t i = 0; i < found->n_unknown; i++) {
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "name", found->unknown[i].name);
        assay_json_count(&json, "rows", found->unknown[i].rows);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "refused");
    for (uint32_t i = 0; i < import->check.n_refused; i++) {
        assay_json_string(&json, NULL, import->check.refused[i]);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "odd");
    for (uint32_t i = 0; i < import->check.catalog->n_warning; i++) {
        assay_json_string(&json, NULL, import->check.catalog->warning[i]);
    }
    assay_json_end(&json);
    assay_json_string(&json, "ledger", cli_has(cli, CLI_DRY_RUN) ? NULL : path);
    assay_json_end(&json);
}

static void say_unknown(cli_t *cli, const assay_price_import_t *found, const char *rows) {
    assay_buf_t names;
    assay_buf_init(&names, 1u << 16);
    for (uint32_t i = 0; i < found->n_unknown; i++) {
        assay_buf_printf(&names, "%s%s (%u)", i ? ", " : "", found->unknown[i].name,
                         found->unknown[i].rows);
    }
    cli_say(cli, ASSAY_MSG_CLI_IMPORT_UNKNOWN,
            (const char *const[]){rows, names.n ? names.data : ""}, 2);
    assay_buf_done(&names);
}

static void import_text(cli_t *cli, const import_t *import, const char *path) {
    const assay_price_import_t *found = &import->found;
    const uint32_t count[] = {found->n_read,    found->rows.n_rows,    found->n_family,
                              found->n_without, found->n_unknown_rows, import->check.n_refused};
    char text[6][16];
    for (size_t i = 0; i < 6; i++) {
        snprintf(text[i], sizeof text[i], "%u", count[i]);
    }
    cli_say(cli, ASSAY_MSG_CLI_IMPORT_READ,
            (const char *const[]){found->format, text[0], text[1], text[2]}, 4);
    if (found->n_without > 0) {
        cli_say(cli, ASSAY_MSG_CLI_IMPORT_WITHOUT, (const char *const[]){text[3]}, 1);
    }
    if (found->n_unknown > 0) {
        say_unknown(cli, found, text[4]);
    }
    if (import->check.n_refused > 0) {
        cli_say(cli, ASSAY_MSG_CLI_IMPORT_REFUSED, (const char *const[]){text[5]}, 1);
    }
    for (uint32_t i = 0; i < import->check.n_refused; i++) {
        assay_buf_puts(&cli->out, "  ");
        cli_wrap(&cli->out, import->check.refused[i], 2, 4);
    }
    for (uint32_t i = 0; i < import->check.catalog->n_warning; i++) {
        cli_say(cli, ASSAY_MSG_CLI_CHECK_ODD, &import->check.catalog->warning[i], 1);
    }
    if (cli_has(cli, CLI_DRY_RUN)) {
        cli_say(cli, ASSAY_MSG_CLI_IMPORT_DRY, NULL, 0);
    } else {
        cli_say(cli, ASSAY_MSG_CLI_IMPORT_KEPT, &path, 1);
    }
}

/** Wrong rows are an error, unless they may be left out or nothing is kept anyway. */
static assay_status_t refuse_rows(cli_t *cli, const import_t *import) {
    assay_error_set(&cli->err, ASSAY_INPUT, NULL, "%u rows cannot be right, nothing was kept; %s",
                    import->check.n_refused, import->check.refused[0]);
    assay_error_next(&cli->err, "--dry-run lists them, --skip-wrong takes the rest");
    return ASSAY_INPUT;
}

assay_status_t cli_run_catalog_import(cli_t *cli) {
    const char *const *dir;
    const char *path;
    uint32_t n_dir;
    import_t import;
    assay_report_format_t format;
    const bool dry = cli_has(cli, CLI_DRY_RUN);
    assay_status_t status = cli_format(cli, &format);
    status = status ? status : cli_data_dirs(cli, &dir, &n_dir);
    status = status ? status : cli_ledger_path(cli, &path);
    if (!status && (!path || strcmp(path, "none") == 0) && !dry) {
        status =
            assay_error_set(&cli->err, ASSAY_USAGE, NULL, "there is no ledger to keep them in");
        assay_error_next(&cli->err, "name one with --ledger FILE");
    }
    status = status ? status : read_file(cli, dir, n_dir, &import);
    if (!status && import.check.n_refused > 0 && !dry && !cli_has(cli, CLI_SKIP_WRONG)) {
        status = refuse_rows(cli, &import);
    }
    if (status) {
        return status;
    }
    drop_refused(&import);
    status = dry ? ASSAY_OK : keep(cli, &import, path);
    if (status) {
        return status;
    }
    if (format == ASSAY_REPORT_JSON) {
        import_json(cli, &import, path);
    } else {
        import_text(cli, &import, path);
    }
    return dry && import.check.n_refused > 0 ? ASSAY_FINDING : ASSAY_OK;
}
