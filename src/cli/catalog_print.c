#include <string.h>

#include "cli/catalog_print.h"

#include "base/banned.h"

const char *cli_cell_text(const assay_column_t *column, const assay_cell_t *cell, char text[32]) {
    if (!cell->known) {
        return "";
    }
    if (cell->is_bool) {
        return cell->v > 0.0 ? "yes" : "no";
    }
    if (!cell->is_number) {
        return cell->text;
    }
    if (column->kind == ASSAY_CELL_COUNT_OR_NONE && !(cell->v > 0.0)) {
        return "none";
    }
    /* a figure as its table has it, a quotient with the digits that mean something */
    assay_text_from_double_short(text, cell->v / (column->scale > 0.0 ? column->scale : 1.0),
                                 column->kind == ASSAY_CELL_DERIVED ? 4 : 6);
    return text;
}

const char *cli_cell_raw(const assay_column_t *column, const assay_cell_t *cell, char text[32]) {
    if (!cell->known) {
        return "";
    }
    if (cell->is_bool) {
        return cell->v > 0.0 ? "true" : "false";
    }
    if (!cell->is_number) {
        return cell->text;
    }
    assay_text_from_double(text, cell->v / assay_catalog_view_key_scale(column));
    return text;
}

void cli_cell_json(assay_json_t *json, const assay_column_t *column, const assay_cell_t *cell) {
    if (!cell->known) {
        assay_json_string(json, column->key, NULL);
    } else if (cell->is_bool) {
        assay_json_bool(json, column->key, cell->v > 0.0);
    } else if (cell->is_number) {
        assay_json_number(json, column->key, cell->v / assay_catalog_view_key_scale(column));
    } else {
        assay_json_string(json, column->key, cell->text);
    }
}

assay_status_t cli_catalog_load(cli_t *cli, assay_catalog_t **out_catalog) {
    const char *const *dir;
    uint32_t n_dir;
    assay_status_t status = cli_data_dirs(cli, &dir, &n_dir);
    return status ? status : cli_catalog_with_ledger(cli, dir, n_dir, out_catalog);
}

assay_table_format_t cli_table_format(assay_report_format_t format) {
    return format == ASSAY_REPORT_CSV        ? ASSAY_TABLE_CSV
           : format == ASSAY_REPORT_MARKDOWN ? ASSAY_TABLE_MARKDOWN
                                             : ASSAY_TABLE_TEXT;
}

void cli_catalog_overlays(cli_t *cli, const assay_catalog_t *catalog) {
    for (uint32_t i = 0; i < catalog->n_overlay; i++) {
        cli_say(cli, ASSAY_MSG_CLI_OVERLAY, &catalog->overlay[i], 1);
    }
}

/** The nearest id of any main table. */
static const char *nearest_id(cli_t *cli, const assay_catalog_t *catalog, const char *id) {
    const assay_table_name_t *name;
    const char *near = NULL;
    uint32_t n;
    if (assay_catalog_view_names(cli->arena, &name, &n, NULL)) {
        return NULL;
    }
    for (uint32_t i = 0; i < n && name[i].is_main; i++) {
        assay_catalog_view_t view;
        if (assay_catalog_view_open(cli->arena, catalog, name[i].name, &view, NULL)) {
            continue;
        }
        for (uint32_t j = 0; j < view.n_rows; j++) {
            const char *const pair[] = {
                near, assay_catalog_view_id(&view, assay_catalog_view_row(&view, j))};
            near = assay_text_nearest(id, pair, 2);
        }
    }
    return near;
}

assay_status_t cli_catalog_find(cli_t *cli, const assay_catalog_t *catalog, const char *id,
                                assay_catalog_view_t *out_view, const void **out_row) {
    const assay_status_t status =
        assay_catalog_view_find(cli->arena, catalog, id, out_view, out_row, &cli->err);
    if (status || *out_row) {
        return status;
    }
    const char *near = nearest_id(cli, catalog, id);
    assay_error_set(&cli->err, ASSAY_NOT_FOUND, NULL, "the catalog has no \"%s\"", id);
    if (near) {
        assay_error_next(&cli->err, "did you mean %s?", near);
    } else {
        assay_error_next(&cli->err, "\"assay catalog search %s\" looks for it in names and notes",
                         id);
    }
    return ASSAY_NOT_FOUND;
}
