#include <stdio.h>
#include <string.h>

#include "cli/catalog_print.h"
#include "cli/cli.h"

#include "assay/json.h"
#include "assay/table.h"

#include "base/banned.h"

/** The claim beside the catalog: factor = claimed over catalog. */
typedef struct {
    const assay_claim_t *claim;
    double catalog, factor;
} compared_t;

static bool compare(const assay_catalog_t *catalog, const assay_claim_t *claim, compared_t *out) {
    *out = (compared_t){.claim = claim};
    if (!claim->has_value || !assay_catalog_claim_compare(catalog, claim, &out->catalog) ||
        !(out->catalog > 0.0)) {
        return false;
    }
    out->factor = claim->v / out->catalog;
    return true;
}

static void claims_json(cli_t *cli, const assay_catalog_t *catalog, const char *set) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "set", set);
    assay_json_begin_array(&json, "claims");
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        const assay_claim_t *claim = &catalog->claim[i];
        compared_t row;
        if (strcmp(claim->set, set) != 0) {
            continue;
        }
        bool known = compare(catalog, claim, &row);
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "id", claim->id);
        assay_json_string(&json, "subject", claim->subject);
        assay_json_string(&json, "quantity", claim->quantity);
        assay_json_string(&json, "unit", claim->unit);
        if (claim->has_value) {
            assay_json_number(&json, "claimed", claim->v);
        } else {
            assay_json_string(&json, "claimed", NULL);
        }
        if (known) {
            assay_json_number(&json, "catalog", row.catalog);
            assay_json_number(&json, "factor", row.factor);
        } else {
            assay_json_string(&json, "catalog", NULL);
        }
        assay_json_string(&json, "field", claim->field);
        assay_json_string(&json, "text", claim->text);
        assay_json_string(&json, "source", claim->source);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

static void add_compared(assay_table_t *table, const compared_t *row) {
    const double number[] = {row->claim->v, row->catalog, row->factor};
    const int digits[] = {6, 4, 3};
    assay_table_row(table);
    assay_table_cell(table, 0, row->claim->id);
    assay_table_cell(table, 1, row->claim->subject);
    assay_table_cell(table, 2, row->claim->quantity);
    for (uint32_t j = 0; j < 3; j++) {
        char text[32];
        assay_text_from_double_short(text, number[j], digits[j]);
        assay_table_cell(table, 3 + j, text);
    }
    assay_table_cell(table, 6, strcmp(row->claim->unit, "1") == 0 ? "" : row->claim->unit);
}

assay_status_t cli_show_claims(cli_t *cli, const assay_catalog_t *catalog,
                               assay_report_format_t format) {
    static const char *const title[] = {"id",      "subject", "quantity", "claimed",
                                        "catalog", "factor",  "unit"};
    const char *set = cli->value[CLI_CLAIMS], *known[16] = {0};
    uint32_t n_known = 0, n_rest = 0;
    bool found = false;
    assay_table_t *table = assay_table_create(cli->arena, 7);
    if (!table) {
        return assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t j = 0; j < 7; j++) {
        assay_table_column(table, j, title[j], "", j >= 3 && j < 6);
    }
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        const assay_claim_t *claim = &catalog->claim[i];
        compared_t row;
        if (strcmp(claim->set, set) == 0) {
            found = true;
            if (compare(catalog, claim, &row)) {
                add_compared(table, &row);
            } else {
                n_rest++;
            }
        } else if (n_known < 16 && (!n_known || strcmp(known[n_known - 1], claim->set) != 0)) {
            known[n_known++] = claim->set;
        }
    }
    if (!found) {
        const char *near = assay_text_nearest(set, known, n_known);
        assay_error_set(&cli->err, ASSAY_NOT_FOUND, NULL, "no set of claims \"%s\"", set);
        assay_error_next(&cli->err, near ? "did you mean %s?" : "there is %s",
                         near ? near : known[0]);
        return ASSAY_NOT_FOUND;
    }
    if (format == ASSAY_REPORT_JSON) {
        claims_json(cli, catalog, set);
        return ASSAY_OK;
    }
    assay_table_print(table,
                      format == ASSAY_REPORT_CSV        ? ASSAY_TABLE_CSV
                      : format == ASSAY_REPORT_MARKDOWN ? ASSAY_TABLE_MARKDOWN
                                                        : ASSAY_TABLE_TEXT,
                      100, &cli->out);
    if (format == ASSAY_REPORT_TEXT) {
        char rest[16];
        snprintf(rest, sizeof rest, "%u", n_rest);
        assay_buf_add(&cli->out, "\n", 1);
        cli_say(cli, ASSAY_MSG_CLI_CLAIMS_FACTOR, NULL, 0);
        cli_say(cli, ASSAY_MSG_CLI_CLAIMS_REST, (const char *const[]){rest}, 1);
    }
    return ASSAY_OK;
}
