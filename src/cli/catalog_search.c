#include <stdio.h>

#include "cli/catalog_print.h"

#include "base/banned.h"

#define SHOWN_HITS 30u

static void search_json(cli_t *cli, const assay_hit_t *hit, uint32_t n) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "hits");
    for (uint32_t i = 0; i < n; i++) {
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "table", hit[i].table);
        assay_json_string(&json, "id", hit[i].id);
        assay_json_string(&json, "text", hit[i].text);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

assay_status_t cli_run_catalog_search(cli_t *cli) {
    assay_report_format_t format;
    assay_catalog_t *catalog;
    assay_hit_t *hit;
    uint32_t n;
    assay_status_t status = cli_format(cli, &format);
    status = status ? status : cli_catalog_load(cli, &catalog);
    status = status ? status
                    : assay_catalog_view_search(cli->arena, catalog, cli->arg, cli->n_arg, &hit, &n,
                                                &cli->err);
    if (status) {
        return status;
    }
    if (format == ASSAY_REPORT_JSON) {
        search_json(cli, hit, n);
        return ASSAY_OK;
    }
    const bool text = format == ASSAY_REPORT_TEXT;
    if (text && n == 0) {
        cli_say(cli, ASSAY_MSG_CLI_SEARCH_NOTHING, NULL, 0);
        return ASSAY_OK;
    }
    const uint32_t n_shown = text && n > SHOWN_HITS && !cli_has(cli, CLI_ALL) ? SHOWN_HITS : n;
    assay_table_t *table = assay_table_create(cli->arena, 3);
    assay_table_column(table, 0, "table", "", false);
    assay_table_column(table, 1, "id", "", false);
    assay_table_column(table, 2, "what", "", false);
    assay_table_whole(table, 1);
    for (uint32_t i = 0; i < n_shown; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, hit[i].table);
        assay_table_cell(table, 1, hit[i].id);
        assay_table_cell(table, 2, hit[i].text);
    }
    assay_table_print(table, cli_table_format(format), 100, &cli->out);
    if (n_shown < n) {
        char more[16];
        snprintf(more, sizeof more, "%u", n - n_shown);
        assay_buf_puts(&cli->out, "\n");
        cli_say(cli, ASSAY_MSG_CLI_SEARCH_MORE, (const char *const[]){more}, 1);
    }
    return ASSAY_OK;
}
