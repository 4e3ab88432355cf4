#include <string.h>

#include "cli/catalog_print.h"

#include "base/banned.h"

/** One figure of two rows. */
typedef struct {
    const char *table, *id;
    const assay_column_t *column;
    assay_cell_t cell[2];
} difference_t;

typedef struct {
    difference_t *item;
    uint32_t n, capacity;
} differences_t;

static bool cells_equal(const assay_cell_t *a, const assay_cell_t *b) {
    if (a->known != b->known || a->is_number != b->is_number) {
        return false;
    }
    return !a->known || (a->is_number || a->is_bool ? !(a->v < b->v) && !(a->v > b->v)
                                                    : strcmp(a->text, b->text) == 0);
}

static assay_status_t add(cli_t *cli, differences_t *list, const difference_t *item) {
    if (list->n == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 64;
        difference_t *larger = assay_arena_array(cli->arena, capacity, sizeof *larger);
        if (!larger) {
            return assay_error_memory(&cli->err, NULL);
        }
        if (list->n > 0) {
            memcpy(larger, list->item, list->n * sizeof *larger);
        }
        list->item = larger;
        list->capacity = capacity;
    }
    list->item[list->n++] = *item;
    return ASSAY_OK;
}

/** Figures in which two rows differ; row NULL: there is none. */
static assay_status_t compare(cli_t *cli, const assay_catalog_view_t *view, const void *left,
                              const void *right, differences_t *list) {
    assay_status_t status = ASSAY_OK;
    const char *id = assay_catalog_view_id(view, right ? right : left);
    for (uint32_t j = 0; j < view->n_column && !status; j++) {
        difference_t item = {view->name, id, &view->column[j], {{0}, {0}}};
        item.cell[0] = left ? assay_catalog_view_cell(item.column, left) : (assay_cell_t){0};
        item.cell[1] = right ? assay_catalog_view_cell(item.column, right) : (assay_cell_t){0};
        const bool derived = item.column->kind == ASSAY_CELL_DERIVED; /* follows from the others */
        if (!derived && !cells_equal(&item.cell[0], &item.cell[1])) {
            status = add(cli, list, &item);
        }
    }
    return status;
}

/** The row of a key in another view of the same table: its first cells up to one that differs. */
static const void *same_row(const assay_catalog_view_t *view, const char *id, const char *second) {
    for (uint32_t i = 0; i < view->n_rows; i++) {
        const void *row = assay_catalog_view_row(view, i);
        const assay_cell_t other = assay_catalog_view_cell(&view->column[1], row);
        if (strcmp(assay_catalog_view_id(view, row), id) == 0 &&
            (!second || (other.text && strcmp(other.text, second) == 0))) {
            return row;
        }
    }
    return NULL;
}

static assay_status_t compare_tables(cli_t *cli, const assay_catalog_view_t *built_in,
                                     const assay_catalog_view_t *own, differences_t *list) {
    /* claims of two sets may share an id, aliases of two kinds */
    const bool two_keys = strcmp(own->name, "claims") == 0 || strcmp(own->name, "aliases") == 0;
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; i < own->n_rows && !status; i++) {
        const void *row = assay_catalog_view_row(own, i);
        const assay_cell_t second = assay_catalog_view_cell(&own->column[1], row);
        status = compare(
            cli, own,
            same_row(built_in, assay_catalog_view_id(own, row), two_keys ? second.text : NULL), row,
            list);
    }
    return status;
}

static assay_status_t compare_catalogs(cli_t *cli, differences_t *list) {
    assay_catalog_t *built_in, *own;
    const assay_table_name_t *name;
    uint32_t n;
    assay_status_t status = cli_catalog_load(cli, &own);
    status = status ? status : assay_catalog_load(cli->arena, NULL, 0, &built_in, &cli->err);
    status = status ? status : assay_catalog_view_names(cli->arena, &name, &n, &cli->err);
    for (uint32_t i = 0; !status && i < n && name[i].is_main && own->n_overlay > 0; i++) {
        assay_catalog_view_t before, after;
        status = assay_catalog_view_open(cli->arena, built_in, name[i].name, &before, &cli->err);
        status = status ? status
                        : assay_catalog_view_open(cli->arena, own, name[i].name, &after, &cli->err);
        status = status ? status : compare_tables(cli, &before, &after, list);
    }
    return status;
}

static assay_status_t compare_ids(cli_t *cli, differences_t *list) {
    assay_catalog_t *catalog;
    assay_catalog_view_t view[2];
    const void *row[2];
    assay_status_t status = cli_catalog_load(cli, &catalog);
    for (uint32_t i = 0; i < 2 && !status; i++) {
        status = cli_catalog_find(cli, catalog, cli->arg[i], &view[i], &row[i]);
    }
    if (!status && view[0].column != view[1].column) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "%s is one of %s, %s one of %s", cli->arg[0],
                        view[0].name, cli->arg[1], view[1].name);
        assay_error_next(&cli->err, "name two rows of one table");
        return ASSAY_USAGE;
    }
    return status ? status : compare(cli, &view[0], row[0], row[1], list);
}

static void diff_json(cli_t *cli, const differences_t *list, const char *const title[2]) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "differences");
    for (uint32_t i = 0; i < list->n; i++) {
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "table", list->item[i].table);
        assay_json_string(&json, "id", list->item[i].id);
        assay_json_string(&json, "figure", list->item[i].column->key);
        for (uint32_t k = 0; k < 2; k++) {
            assay_column_t named = *list->item[i].column;
            named.key = title[k];
            cli_cell_json(&json, &named, &list->item[i].cell[k]);
        }
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

static void diff_table(cli_t *cli, const differences_t *list, const char *const title[2],
                       assay_report_format_t format, bool ids) {
    const bool raw = format == ASSAY_REPORT_CSV;
    assay_table_t *table = assay_table_create(cli->arena, 6);
    const char *const head[] = {
        ids ? "table" : "id", "figure", title[0], title[1], "unit", "factor"};
    for (uint32_t j = 0; j < 6; j++) {
        assay_table_column(table, j, head[j], "", j == 5);
    }
    assay_table_whole(table, 1);
    for (uint32_t i = 0; i < list->n; i++) {
        const difference_t *item = &list->item[i];
        assay_table_row(table);
        assay_table_cell(table, 0, ids ? item->table : item->id);
        assay_table_cell(table, 1, item->column->key);
        for (uint32_t k = 0; k < 2; k++) {
            char text[32];
            assay_table_cell(table, 2 + k,
                             !item->cell[k].known ? "unknown"
                             : raw                ? cli_cell_raw(item->column, &item->cell[k], text)
                                   : cli_cell_text(item->column, &item->cell[k], text));
        }
        assay_table_cell(table, 4, raw ? "" : item->column->unit);
        if (item->cell[0].known && item->cell[1].known && item->cell[0].is_number &&
            item->cell[0].v > 0.0) {
            char text[32];
            assay_text_from_double_short(text, item->cell[1].v / item->cell[0].v, 3);
            assay_table_cell(table, 5, text);
        }
    }
    assay_table_print(table, cli_table_format(format), 100, &cli->out);
}

assay_status_t cli_run_catalog_diff(cli_t *cli) {
    assay_report_format_t format;
    differences_t list = {0};
    const bool ids = cli->n_arg == 2;
    const char *const title[] = {ids ? cli->arg[0] : "built_in", ids ? cli->arg[1] : "yours"};
    assay_status_t status = cli_format(cli, &format);
    if (!status && cli->n_arg == 1) {
        status =
            assay_error_set(&cli->err, ASSAY_USAGE, NULL, "catalog diff needs two ids or none");
        assay_error_next(&cli->err, "see \"assay help catalog diff\"");
    }
    status = status ? status : ids ? compare_ids(cli, &list) : compare_catalogs(cli, &list);
    if (status) {
        return status;
    }
    if (format == ASSAY_REPORT_JSON) {
        diff_json(cli, &list, ids ? (const char *const[]){"left", "right"} : title);
        return ASSAY_OK;
    }
    const bool text = format == ASSAY_REPORT_TEXT;
    if (text && list.n == 0) {
        cli_say(cli, ASSAY_MSG_CLI_DIFF_SAME, NULL, 0);
        return ASSAY_OK;
    }
    diff_table(cli, &list, title, format, ids);
    if (text) {
        assay_buf_puts(&cli->out, "\n");
        cli_say(cli, ASSAY_MSG_CLI_DIFF_FACTOR, NULL, 0);
    }
    return ASSAY_OK;
}
