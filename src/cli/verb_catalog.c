#include <stdio.h>
#include <string.h>

#include "cli/catalog_print.h"

#include "base/banned.h"

#define MAX_SHOWN 256u
#define OTHER_SHOWN 8u /* columns of a table that nobody chose columns for */

static assay_status_t list_tables(cli_t *cli, const assay_catalog_t *catalog,
                                  assay_report_format_t format) {
    const assay_table_name_t *name;
    assay_json_t json;
    uint32_t n;
    assay_table_t *table = assay_table_create(cli->arena, 3);
    assay_status_t status = assay_catalog_view_names(cli->arena, &name, &n, &cli->err);
    if (status || !table) {
        return status ? status : assay_error_memory(&cli->err, NULL);
    }
    assay_table_column(table, 0, "table", "", false);
    assay_table_column(table, 1, "rows", "", true);
    assay_table_column(table, 2, "holds", "", false);
    assay_json_init(&json, &cli->out);
    if (format == ASSAY_REPORT_JSON) {
        assay_json_begin_object(&json, NULL);
        assay_json_begin_array(&json, "tables");
    }
    for (uint32_t i = 0; i < n && !status; i++) {
        assay_catalog_view_t view;
        status = assay_catalog_view_open(cli->arena, catalog, name[i].name, &view, &cli->err);
        if (!status && format == ASSAY_REPORT_JSON) {
            assay_json_begin_object(&json, NULL);
            assay_json_string(&json, "name", view.name);
            assay_json_count(&json, "rows", view.n_rows);
            assay_json_string(&json, "holds", view.what);
            assay_json_end(&json);
        } else if (!status) {
            assay_table_row(table);
            assay_table_cell(table, 0, view.name);
            assay_table_cellf(table, 1, "%u", view.n_rows);
            assay_table_cell(table, 2, view.what);
        }
    }
    if (format == ASSAY_REPORT_JSON) {
        assay_json_end(&json);
        assay_json_end(&json);
    } else {
        assay_table_print(table, cli_table_format(format), 100, &cli->out);
    }
    return status;
}

/** The rows that are asked for, and their columns. */
typedef struct {
    const assay_catalog_view_t *view;
    const uint32_t *row;
    uint32_t n_row, n_column;
    const assay_column_t *column[MAX_SHOWN];
} listing_t;

static void list_json(cli_t *cli, const listing_t *listing) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "table", listing->view->name);
    assay_json_begin_array(&json, "rows");
    for (uint32_t i = 0; i < listing->n_row; i++) {
        assay_json_begin_object(&json, NULL);
        for (uint32_t j = 0; j < listing->n_column; j++) {
            const assay_cell_t cell = assay_catalog_view_cell(
                listing->column[j], assay_catalog_view_row(listing->view, listing->row[i]));
            cli_cell_json(&json, listing->column[j], &cell);
        }
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

/** Text and Markdown in handy units, CSV in those that the keys name. */
static assay_status_t list_table(cli_t *cli, const listing_t *listing,
                                 assay_report_format_t format) {
    const bool raw = format == ASSAY_REPORT_CSV;
    assay_table_t *table = assay_table_create(cli->arena, listing->n_column);
    if (!table) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t j = 0; j < listing->n_column; j++) {
        const assay_column_t *column = listing->column[j];
        assay_table_column(table, j, raw || !column->title ? column->key : column->title,
                           raw ? "" : column->unit, column->scale > 0.0);
        if (j == 0 || strcmp(column->key, "date") == 0) {
            assay_table_whole(table, j); /* to be typed again, and of one width */
        }
    }
    for (uint32_t i = 0; i < listing->n_row; i++) {
        assay_table_row(table);
        for (uint32_t j = 0; j < listing->n_column; j++) {
            char text[32];
            const assay_cell_t cell = assay_catalog_view_cell(
                listing->column[j], assay_catalog_view_row(listing->view, listing->row[i]));
            assay_table_cell(table, j,
                             raw ? cli_cell_raw(listing->column[j], &cell, text)
                                 : cli_cell_text(listing->column[j], &cell, text));
        }
    }
    assay_table_print(table, cli_table_format(format), 100, &cli->out);
    return ASSAY_OK;
}

/** The columns that --columns names. */
static assay_status_t named_columns(cli_t *cli, listing_t *listing) {
    for (const char *at = cli->value[CLI_COLUMNS]; *at;) {
        char name[64];
        const size_t n = strcspn(at, ",");
        const char *near = NULL;
        if (n == 0 || n >= sizeof name || listing->n_column == MAX_SHOWN) {
            assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--columns: '%s' is no list of columns",
                            at);
            assay_error_next(&cli->err, "write names joined by commas; --csv prints all of them");
            return ASSAY_USAGE;
        }
        memcpy(name, at, n);
        name[n] = '\0';
        const assay_column_t *column = assay_catalog_view_column(listing->view, name);
        for (uint32_t i = 0; !column && i < listing->view->n_column; i++) {
            const char *const pair[] = {near, listing->view->column[i].key};
            near = assay_text_nearest(name, pair, 2);
        }
        if (!column) {
            assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--columns: no column '%s' in %s", name,
                            listing->view->name);
            assay_error_next(&cli->err, near ? "did you mean '%s'?" : "'%s' is one",
                             near ? near : listing->view->column[0].key);
            return ASSAY_USAGE;
        }
        listing->column[listing->n_column++] = column;
        at += n;
        at += *at == ',';
    }
    return ASSAY_OK;
}

static bool is_shown(const cli_t *cli, const listing_t *listing, const assay_column_t *column,
                     assay_report_format_t format) {
    if (format == ASSAY_REPORT_CSV || format == ASSAY_REPORT_JSON) {
        return true;
    }
    if (!listing->view->is_main) {
        return listing->n_column < OTHER_SHOWN && strcmp(column->key, "source") != 0 &&
               strcmp(column->key, "confidence") != 0;
    }
    if (cli_has(cli, CLI_VALUE)) {
        return column == listing->view->column || column->show == ASSAY_SHOW_VALUE;
    }
    return column->show == ASSAY_SHOW_MAIN && column->title;
}

static assay_status_t choose_columns(cli_t *cli, assay_report_format_t format, listing_t *listing) {
    if (cli_has(cli, CLI_COLUMNS)) {
        return named_columns(cli, listing);
    }
    bool any_value = false;
    for (uint32_t j = 0; j < listing->view->n_column && listing->n_column < MAX_SHOWN; j++) {
        any_value |= listing->view->column[j].show == ASSAY_SHOW_VALUE;
        if (is_shown(cli, listing, &listing->view->column[j], format)) {
            listing->column[listing->n_column++] = &listing->view->column[j];
        }
    }
    if (cli_has(cli, CLI_VALUE) && !any_value) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--value: nothing of %s has a price",
                        listing->view->name);
        assay_error_next(&cli->err, "give it with accelerators, systems or prices");
        return ASSAY_USAGE;
    }
    return ASSAY_OK;
}

assay_status_t cli_run_catalog_list(cli_t *cli) {
    assay_report_format_t format;
    assay_catalog_t *catalog;
    assay_catalog_view_t view;
    listing_t listing = {.view = &view};
    assay_status_t status = cli_format(cli, &format);
    status = status ? status : cli_catalog_load(cli, &catalog);
    if (!status && cli->n_arg == 0) {
        return list_tables(cli, catalog, format);
    }
    status = status ? status
                    : assay_catalog_view_open(cli->arena, catalog, cli->arg[0], &view, &cli->err);
    status = status ? status : choose_columns(cli, format, &listing);
    status = status ? status
                    : assay_catalog_view_select(cli->arena, &view, cli->value[CLI_WHERE],
                                                cli->value[CLI_SORT], &listing.row, &listing.n_row,
                                                &cli->err);
    if (status || format == ASSAY_REPORT_JSON) {
        if (!status) {
            list_json(cli, &listing);
        }
        return status;
    }
    status = list_table(cli, &listing, format);
    if (!status && format == ASSAY_REPORT_TEXT) {
        if (cli_has(cli, CLI_WHERE)) {
            char of[2][16];
            snprintf(of[0], sizeof of[0], "%u", listing.n_row);
            snprintf(of[1], sizeof of[1], "%u", view.n_rows);
            assay_buf_puts(&cli->out, "\n");
            cli_say(cli, ASSAY_MSG_CLI_ROWS_OF, (const char *const[]){of[0], of[1], view.name}, 3);
        }
        if (cli_has(cli, CLI_VALUE)) {
            cli_say(cli, ASSAY_MSG_CLI_VALUE_OF,
                    (const char *const[]){strcmp(view.name, "prices") == 0 ? "1 USD an hour"
                                                                           : "1000 USD"},
                    1);
        }
        cli_catalog_overlays(cli, catalog);
    }
    return status;
}
