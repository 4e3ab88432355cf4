#include <string.h>

#include "cli/catalog_model.h"
#include "cli/catalog_print.h"

#include "base/banned.h"

/** Sources in the order of their first use; a figure refers to one by number. */
typedef struct {
    const char *text[64];
    uint32_t n;
} sources_t;

static uint32_t source_number(sources_t *sources, const char *text) {
    for (uint32_t i = 0; i < sources->n; i++) {
        if (strcmp(sources->text[i], text) == 0) {
            return i + 1;
        }
    }
    if (sources->n < sizeof sources->text / sizeof *sources->text) {
        sources->text[sources->n++] = text;
    }
    return sources->n;
}

static void show_json(cli_t *cli, const assay_catalog_view_t *source, const void *row,
                      const char *note) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "table", source->name);
    assay_json_string(&json, "id", assay_catalog_view_id(source, row));
    assay_json_string(&json, "read_as", note);
    assay_json_begin_object(&json, "figures");
    for (uint32_t j = 1; j < source->n_column; j++) {
        const assay_column_t *column = &source->column[j];
        assay_cell_t value = assay_catalog_view_cell(column, row);
        if (column->kind != ASSAY_CELL_FACT || !value.known) {
            cli_cell_json(&json, column, &value);
            continue;
        }
        assay_json_begin_object(&json, column->key);
        assay_json_number(&json, "value", value.fact.v);
        assay_json_number(&json, "p10", value.fact.p10);
        assay_json_number(&json, "p90", value.fact.p90);
        assay_json_string(&json, "basis", assay_basis_name((assay_basis_t)value.fact.basis));
        assay_json_string(&json, "source", value.fact.source);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

/** One row of figure, value, unit, range, source. */
static void show_figure(assay_table_t *table, const assay_column_t *column,
                        const assay_cell_t *value, sources_t *sources, bool whole_source) {
    char text[32], low[32], high[32];
    assay_table_row(table);
    assay_table_cell(table, 0, column->key);
    if (!value->known) {
        assay_table_cell(table, 1, "unknown");
        return;
    }
    assay_table_cell(table, 1, cli_cell_text(column, value, text));
    assay_table_cell(table, 2, column->unit);
    if (column->kind != ASSAY_CELL_FACT) {
        return;
    }
    if (value->fact.p10 < value->fact.p90) {
        assay_cell_t p10 = *value, p90 = *value;
        p10.v = value->fact.p10;
        p90.v = value->fact.p90;
        assay_table_cellf(table, 3, "%s to %s", cli_cell_text(column, &p10, low),
                          cli_cell_text(column, &p90, high));
    }
    if (whole_source) {
        assay_table_cell(table, 4, value->fact.source);
    } else {
        assay_table_cellf(table, 4, "[%u]", source_number(sources, value->fact.source));
    }
}

static assay_status_t show_text(cli_t *cli, const assay_catalog_view_t *source, const void *row,
                                const char *note, assay_report_format_t format) {
    static const char *const title[] = {"figure", "value", "unit", "p10 to p90", "source"};
    const bool text = format == ASSAY_REPORT_TEXT;
    sources_t sources = {.n = 0};
    assay_buf_t below; /* texts too long for a cell */
    assay_table_t *table = assay_table_create(cli->arena, 5);
    if (!table) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t j = 0; j < 5; j++) {
        assay_table_column(table, j, title[j], "", false);
    }
    assay_buf_init(&below, 64u << 20);
    for (uint32_t j = 0; j < source->n_column; j++) {
        const assay_column_t *column = &source->column[j];
        assay_cell_t value = assay_catalog_view_cell(column, row);
        if (text && column->kind == ASSAY_CELL_DERIVED && column->show != ASSAY_SHOW_MAIN &&
            !cli_has(cli, CLI_VALUE)) {
            continue; /* follows from the others */
        }
        if (text && value.known && strcmp(column->key, "source") == 0) {
            source_number(&sources, value.text);
        } else if (text && value.text && assay_text_columns(value.text) > 40) {
            assay_buf_printf(&below, "%s:", column->key);
            cli_wrap(&below, value.text, strlen(column->key) + 1, 0);
        } else {
            show_figure(table, column, &value, &sources, !text);
        }
    }
    if (text && note) {
        cli_wrap(&cli->out, note, 0, 0);
    }
    assay_table_print(table, cli_table_format(format), 0, &cli->out);
    if (text) {
        assay_buf_add(&cli->out, "\n", 1);
        assay_buf_add(&cli->out, below.data, below.n);
        for (uint32_t i = 0; i < sources.n; i++) {
            assay_buf_printf(&cli->out, "[%u]", i + 1);
            cli_wrap(&cli->out, sources.text[i], 3, 0);
        }
    }
    cli->out.failed |= below.failed;
    assay_buf_done(&below);
    return ASSAY_OK;
}

assay_status_t cli_run_catalog_show(cli_t *cli) {
    assay_report_format_t format;
    assay_catalog_t *catalog;
    assay_status_t status = cli_format(cli, &format);
    if (!status && (cli->n_arg == 1) == cli_has(cli, CLI_CLAIMS)) {
        status = assay_error_set(&cli->err, ASSAY_USAGE, NULL,
                                 "catalog show needs one of ID and --claims");
        assay_error_next(&cli->err, "see \"assay help catalog show\"");
    }
    if (!status && cli->n_arg == 1 && assay_model_is_path(cli->arg[0])) {
        return cli_show_model_file(cli, cli->arg[0], format);
    }
    if (!status) {
        status = cli_catalog_load(cli, &catalog);
    }
    if (status) {
        return status;
    }
    if (cli_has(cli, CLI_CLAIMS)) {
        return cli_show_claims(cli, catalog, format);
    }
    assay_catalog_view_t view;
    const void *row;
    status = cli_catalog_find(cli, catalog, cli->arg[0], &view, &row);
    if (status) {
        return status;
    }
    const char *note =
        view.alias_kind ? assay_catalog_note(catalog, view.alias_kind, cli->arg[0]) : NULL;
    if (format == ASSAY_REPORT_JSON) {
        show_json(cli, &view, row, note);
        return ASSAY_OK;
    }
    status = show_text(cli, &view, row, note, format);
    if (!status && format == ASSAY_REPORT_TEXT) {
        cli_catalog_overlays(cli, catalog);
    }
    return status;
}
