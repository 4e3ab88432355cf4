#include <string.h>

#include "cli/catalog_view.h"
#include "cli/cli.h"

#include "assay/json.h"
#include "assay/table.h"

/** A value for people, in the column's unit; "" when it is unknown. text: at least 32 bytes. */
static const char *value_text(const cli_column_t *column, const cli_value_t *value, char text[32]) {
    if (!value->known) {
        return "";
    }
    if (value->is_bool) {
        return value->v > 0.0 ? "yes" : "no";
    }
    if (!value->is_number) {
        return value->text;
    }
    if (column->kind == CLI_CELL_COUNT_OR_NONE && !(value->v > 0.0)) {
        return "none";
    }
    assay_text_from_double_short(text, value->v / (column->scale > 0.0 ? column->scale : 1.0), 6);
    return text;
}

/** A value for programs: SI. */
static const char *value_raw(const cli_value_t *value, char text[32]) {
    if (!value->known) {
        return "";
    }
    if (value->is_bool) {
        return value->v > 0.0 ? "true" : "false";
    }
    if (!value->is_number) {
        return value->text;
    }
    assay_text_from_double(text, value->v);
    return text;
}

static void add_json(assay_json_t *json, const char *key, const cli_value_t *value) {
    if (!value->known) {
        assay_json_string(json, key, NULL);
    } else if (value->is_bool) {
        assay_json_bool(json, key, value->v > 0.0);
    } else if (value->is_number) {
        assay_json_number(json, key, value->v);
    } else {
        assay_json_string(json, key, value->text);
    }
}

static assay_status_t load(cli_t *cli, assay_catalog_t **out_catalog) {
    const char *const *dir;
    uint32_t n_dir;
    assay_status_t status = cli_data_dirs(cli, &dir, &n_dir);
    return status ? status : assay_catalog_load(cli->arena, dir, n_dir, out_catalog, &cli->err);
}

static assay_table_format_t table_format(assay_report_format_t format) {
    return format == ASSAY_REPORT_CSV        ? ASSAY_TABLE_CSV
           : format == ASSAY_REPORT_MARKDOWN ? ASSAY_TABLE_MARKDOWN
                                             : ASSAY_TABLE_TEXT;
}

/** What a user's tables changed, below a text output. */
static void say_overlays(cli_t *cli, const assay_catalog_t *catalog) {
    for (uint32_t i = 0; i < catalog->n_overlay; i++) {
        cli_say(cli, ASSAY_MSG_CLI_OVERLAY, &catalog->overlay[i], 1);
    }
}

/* --- catalog list ------------------------------------------------------------------------------
 */

static assay_status_t list_tables(cli_t *cli, const assay_catalog_t *catalog,
                                  assay_report_format_t format) {
    if (format == ASSAY_REPORT_JSON) {
        assay_json_t json;
        assay_json_init(&json, &cli->out);
        assay_json_begin_object(&json, NULL);
        assay_json_begin_array(&json, "tables");
        for (uint32_t i = 0; i < cli_n_tables; i++) {
            assay_json_begin_object(&json, NULL);
            assay_json_string(&json, "name", cli_tables[i].name);
            assay_json_count(&json, "rows", cli_table_n_rows(&cli_tables[i], catalog));
            assay_json_string(&json, "holds", cli_tables[i].what);
            assay_json_end(&json);
        }
        assay_json_end(&json);
        assay_json_end(&json);
        return ASSAY_OK;
    }
    assay_table_t *table = assay_table_create(cli->arena, 3);
    if (!table) {
        return assay_error_memory(&cli->err, NULL);
    }
    assay_table_column(table, 0, "table", "", false);
    assay_table_column(table, 1, "rows", "", true);
    assay_table_column(table, 2, "holds", "", false);
    for (uint32_t i = 0; i < cli_n_tables; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, cli_tables[i].name);
        assay_table_cellf(table, 1, "%u", cli_table_n_rows(&cli_tables[i], catalog));
        assay_table_cell(table, 2, cli_tables[i].what);
    }
    assay_table_print(table, table_format(format), 100, &cli->out);
    return ASSAY_OK;
}

static void list_json(cli_t *cli, const cli_table_t *source, const assay_catalog_t *catalog) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "table", source->name);
    assay_json_begin_array(&json, "rows");
    for (uint32_t i = 0; i < cli_table_n_rows(source, catalog); i++) {
        assay_json_begin_object(&json, NULL);
        for (uint32_t j = 0; j < source->n_column; j++) {
            cli_value_t value =
                cli_row_value(&source->column[j], cli_table_row(source, catalog, i));
            add_json(&json, source->column[j].key, &value);
        }
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

/** Text and Markdown show the main columns in handy units, CSV all of them in SI. */
static assay_status_t list_rows(cli_t *cli, const cli_table_t *source,
                                const assay_catalog_t *catalog, assay_report_format_t format) {
    const bool raw = format == ASSAY_REPORT_CSV;
    const cli_column_t *column[64];
    uint32_t n = 0;
    for (uint32_t j = 0; j < source->n_column; j++) {
        if (raw || source->column[j].title) {
            column[n++] = &source->column[j];
        }
    }
    assay_table_t *table = assay_table_create(cli->arena, n);
    if (!table) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t j = 0; j < n; j++) {
        assay_table_column(table, j, raw ? column[j]->key : column[j]->title,
                           raw ? "" : column[j]->unit, column[j]->scale > 0.0);
    }
    assay_table_whole(table, 0); /* the id */
    for (uint32_t i = 0; i < cli_table_n_rows(source, catalog); i++) {
        assay_table_row(table);
        for (uint32_t j = 0; j < n; j++) {
            char text[32];
            cli_value_t value = cli_row_value(column[j], cli_table_row(source, catalog, i));
            assay_table_cell(table, j,
                             raw ? value_raw(&value, text) : value_text(column[j], &value, text));
        }
    }
    assay_table_print(table, table_format(format), 100, &cli->out);
    return ASSAY_OK;
}

assay_status_t cli_run_catalog_list(cli_t *cli) {
    assay_report_format_t format;
    assay_catalog_t *catalog;
    const char *name[16];
    assay_status_t status = cli_format(cli, &format);
    if (!status) {
        status = load(cli, &catalog);
    }
    if (status) {
        return status;
    }
    if (cli->n_arg == 0) {
        return list_tables(cli, catalog, format);
    }
    for (uint32_t i = 0; i < cli_n_tables; i++) {
        name[i] = cli_tables[i].name;
        if (strcmp(cli->arg[0], name[i]) != 0) {
            continue;
        }
        if (format == ASSAY_REPORT_JSON) {
            list_json(cli, &cli_tables[i], catalog);
            return ASSAY_OK;
        }
        status = list_rows(cli, &cli_tables[i], catalog, format);
        if (!status && format == ASSAY_REPORT_TEXT) {
            say_overlays(cli, catalog);
        }
        return status;
    }
    const char *near = assay_text_nearest(cli->arg[0], name, cli_n_tables);
    assay_error_set(&cli->err, ASSAY_NOT_FOUND, NULL, "the catalog has no table \"%s\"",
                    cli->arg[0]);
    if (near) {
        assay_error_next(&cli->err, "did you mean %s?", near);
    } else {
        assay_error_next(&cli->err, "\"assay catalog list\" names the tables");
    }
    return ASSAY_NOT_FOUND;
}

/* --- catalog show ------------------------------------------------------------------------------
 */

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

static void show_json(cli_t *cli, const cli_table_t *source, const void *row, const char *note) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "table", source->name);
    assay_json_string(&json, "id", cli_row_id(source, row));
    assay_json_string(&json, "read_as", note);
    assay_json_begin_object(&json, "figures");
    for (uint32_t j = 1; j < source->n_column; j++) {
        const cli_column_t *column = &source->column[j];
        cli_value_t value = cli_row_value(column, row);
        if (column->kind != CLI_CELL_FACT || !value.known) {
            add_json(&json, column->key, &value);
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
static void show_figure(assay_table_t *table, const cli_column_t *column, const cli_value_t *value,
                        sources_t *sources, bool whole_source) {
    char text[32], low[32], high[32];
    assay_table_row(table);
    assay_table_cell(table, 0, column->key);
    if (!value->known) {
        assay_table_cell(table, 1, "unknown");
        return;
    }
    assay_table_cell(table, 1, value_text(column, value, text));
    assay_table_cell(table, 2, column->unit);
    if (column->kind != CLI_CELL_FACT) {
        return;
    }
    if (value->fact.p10 < value->fact.p90) {
        cli_value_t p10 = *value, p90 = *value;
        p10.v = value->fact.p10;
        p90.v = value->fact.p90;
        assay_table_cellf(table, 3, "%s to %s", value_text(column, &p10, low),
                          value_text(column, &p90, high));
    }
    if (whole_source) {
        assay_table_cell(table, 4, value->fact.source);
    } else {
        assay_table_cellf(table, 4, "[%u]", source_number(sources, value->fact.source));
    }
}

static assay_status_t show_text(cli_t *cli, const cli_table_t *source, const void *row,
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
        const cli_column_t *column = &source->column[j];
        cli_value_t value = cli_row_value(column, row);
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
    assay_table_print(table, table_format(format), 0, &cli->out);
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

/** Finds the row an id or one of its other spellings names. */
static const void *find_row(const assay_catalog_t *catalog, const char *id,
                            const cli_table_t **out_table) {
    *out_table = NULL;
    for (uint32_t i = 0; i < cli_n_tables; i++) {
        for (uint32_t j = 0; j < cli_table_n_rows(&cli_tables[i], catalog); j++) {
            const void *row = cli_table_row(&cli_tables[i], catalog, j);
            if (strcmp(cli_row_id(&cli_tables[i], row), id) == 0) {
                *out_table = &cli_tables[i];
                return row;
            }
        }
    }
    const assay_accelerator_t *accelerator;
    const assay_system_t *server;
    const assay_model_t *model;
    const void *row = NULL;
    const char *table = NULL;
    if (!assay_catalog_accelerator(catalog, id, NULL, &accelerator, NULL)) {
        row = accelerator;
        table = "accelerators";
    } else if (!assay_catalog_system(catalog, id, NULL, &server, NULL)) {
        row = server;
        table = "systems";
    } else if (!assay_catalog_model(catalog, id, NULL, &model, NULL)) {
        row = model;
        table = "models";
    }
    for (uint32_t i = 0; row && i < cli_n_tables; i++) {
        if (strcmp(cli_tables[i].name, table) == 0) {
            *out_table = &cli_tables[i];
        }
    }
    return row;
}

static assay_status_t not_found(cli_t *cli, const assay_catalog_t *catalog) {
    const char *near = NULL;
    for (uint32_t i = 0; i < cli_n_tables && !near; i++) {
        uint32_t n = cli_table_n_rows(&cli_tables[i], catalog);
        const char **id = assay_arena_array(cli->arena, n, sizeof *id);
        for (uint32_t j = 0; id && j < n; j++) {
            id[j] = cli_row_id(&cli_tables[i], cli_table_row(&cli_tables[i], catalog, j));
        }
        near = id ? assay_text_nearest(cli->arg[0], id, n) : NULL;
    }
    assay_error_set(&cli->err, ASSAY_NOT_FOUND, NULL, "the catalog has no \"%s\"", cli->arg[0]);
    if (near) {
        assay_error_next(&cli->err, "did you mean %s?", near);
    } else {
        assay_error_next(&cli->err, "\"assay catalog list TABLE\" prints the ids");
    }
    return ASSAY_NOT_FOUND;
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
    if (!status) {
        status = load(cli, &catalog);
    }
    if (status) {
        return status;
    }
    if (cli_has(cli, CLI_CLAIMS)) {
        return cli_show_claims(cli, catalog, format);
    }
    const cli_table_t *table;
    const void *row = find_row(catalog, cli->arg[0], &table);
    if (!row) {
        return not_found(cli, catalog);
    }
    const char *note =
        table->alias_kind ? assay_catalog_note(catalog, table->alias_kind, cli->arg[0]) : NULL;
    if (format == ASSAY_REPORT_JSON) {
        show_json(cli, table, row, note);
        return ASSAY_OK;
    }
    status = show_text(cli, table, row, note, format);
    if (!status && format == ASSAY_REPORT_TEXT) {
        say_overlays(cli, catalog);
    }
    return status;
}
