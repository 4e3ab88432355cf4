#include <string.h>

#include "cli/cli.h"

#include "assay/ledger.h"

#include "base/banned.h"

/** The ledger's prices, when there is a ledger; *out_n 0: there is none, or no price in it. */
static assay_status_t read_ledger(cli_t *cli, assay_catalog_extra_t *out_extra, uint32_t *out_n) {
    const char *path;
    assay_ledger_t *ledger;
    *out_n = 0;
    assay_status_t status = cli_ledger_path(cli, &path);
    if (status || !path || strcmp(path, "none") == 0) {
        return status;
    }
    status = assay_ledger_open(path, false, &ledger, &cli->err);
    if (status == ASSAY_NOT_FOUND && !cli_has(cli, CLI_LEDGER)) {
        cli->err = (assay_error_t){0}; /* nothing was ever imported */
        return ASSAY_OK;
    }
    if (status) {
        return status;
    }
    *out_extra = (assay_catalog_extra_t){.table = "prices.csv"};
    status = assay_ledger_prices(ledger, cli->arena, &out_extra->csv, &cli->err);
    assay_ledger_close(ledger);
    const assay_csv_t *rows = &out_extra->csv;
    if (status || rows->n_rows == 0) {
        return status;
    }
    const int date = assay_csv_column(rows, "date");
    const char *first = assay_csv_cell(rows, 0, date), *last = first;
    for (uint32_t i = 1; i < rows->n_rows; i++) {
        const char *seen = assay_csv_cell(rows, i, date);
        first = strcmp(seen, first) < 0 ? seen : first;
        last = strcmp(seen, last) > 0 ? seen : last;
    }
    out_extra->what = assay_arena_printf(
        cli->arena, "prices.csv: %u imported offers, seen %s to %s, laid over from %s",
        rows->n_rows, first, last, path);
    *out_n = 1;
    return out_extra->what ? ASSAY_OK : assay_error_memory(&cli->err, NULL);
}

assay_status_t cli_catalog_with_ledger(cli_t *cli, const char *const *dir, uint32_t n_dir,
                                       assay_catalog_t **out_catalog) {
    assay_catalog_extra_t extra;
    uint32_t n_extra;
    const assay_status_t status = read_ledger(cli, &extra, &n_extra);
    return status ? status
                  : assay_catalog_load_extra(cli->arena, dir, n_dir, &extra, n_extra, out_catalog,
                                             &cli->err);
}
