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

/** The claim of a price about the same thing: what the others are divided by. */
static const assay_claim_t *price_of(const assay_catalog_t *catalog, const assay_claim_t *claim) {
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        const assay_claim_t *other = &catalog->claim[i];
        if (strcmp(other->set, claim->set) == 0 && strcmp(other->subject, claim->subject) == 0 &&
            (strstr(other->field, ":capex_usd") || strncmp(other->field, "price:", 6) == 0)) {
            return other;
        }
    }
    return NULL;
}

/** One claim a dollar: the article's figure over the article's price, the catalog's over its own.
 */
typedef struct {
    compared_t figure;
    double claimed, catalog; /* catalog 0: unknown */
    const char *of;          /* "1000 USD", "1 PFLOPS" */
} per_usd_t;

/** Watts are no good that a dollar buys: they stand over the fp16 rate of the same thing. */
static bool divide_watts(const assay_catalog_t *catalog, const assay_claim_t *claim,
                         per_usd_t *out) {
    compared_t rate;
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        const assay_claim_t *other = &catalog->claim[i];
        if (strcmp(other->set, claim->set) != 0 || strcmp(other->subject, claim->subject) != 0 ||
            strcmp(other->quantity, "FP16 rate") != 0 || strcmp(other->unit, "TFLOPS") != 0 ||
            !compare(catalog, other, &rate)) {
            continue;
        }
        out->claimed = claim->v / other->v * 1e3;
        out->catalog = out->figure.catalog / rate.catalog * 1e3;
        out->of = "1 PFLOPS";
        return true;
    }
    return false;
}

static bool divide(const assay_catalog_t *catalog, const assay_claim_t *claim, per_usd_t *out) {
    compared_t price;
    if (!compare(catalog, claim, &out->figure)) {
        return false;
    }
    if (strcmp(claim->unit, "W") == 0) {
        return divide_watts(catalog, claim, out);
    }
    const assay_claim_t *of = price_of(catalog, claim);
    if (!of || of == claim || !(of->v > 0.0)) {
        return false;
    }
    const bool hourly = strncmp(of->field, "price:", 6) == 0;
    const double usd = hourly ? 1.0 : 1e3;
    out->claimed = claim->v / of->v * usd;
    out->catalog = compare(catalog, of, &price) ? out->figure.catalog / price.catalog * usd : 0.0;
    out->of = hourly ? "1 USD/h" : "1000 USD";
    return true;
}

static void per_usd_json(cli_t *cli, const assay_catalog_t *catalog, const char *set) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "set", set);
    assay_json_begin_array(&json, "claims");
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        per_usd_t row;
        if (strcmp(catalog->claim[i].set, set) != 0 || !divide(catalog, &catalog->claim[i], &row)) {
            continue;
        }
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "id", row.figure.claim->id);
        assay_json_string(&json, "subject", row.figure.claim->subject);
        assay_json_string(&json, "quantity", row.figure.claim->quantity);
        assay_json_string(&json, "unit", row.figure.claim->unit);
        assay_json_string(&json, "for", row.of);
        assay_json_number(&json, "claimed", row.claimed);
        assay_json_number_if(&json, "catalog", row.catalog > 0.0, row.catalog);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

/** `catalog show --claims SET --value`: what a dollar buys, says the article and says the catalog.
 */
static assay_status_t show_per_usd(cli_t *cli, const assay_catalog_t *catalog, const char *set,
                                   assay_report_format_t format) {
    static const char *const title[] = {"id",      "subject", "quantity", "claimed",
                                        "catalog", "factor",  "unit",     "for"};
    if (format == ASSAY_REPORT_JSON) {
        per_usd_json(cli, catalog, set);
        return ASSAY_OK;
    }
    assay_table_t *table = assay_table_create(cli->arena, 8);
    for (uint32_t j = 0; j < 8; j++) {
        assay_table_column(table, j, title[j], "", j >= 3 && j < 6);
    }
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        per_usd_t row;
        if (strcmp(catalog->claim[i].set, set) != 0 || !divide(catalog, &catalog->claim[i], &row)) {
            continue;
        }
        const assay_claim_t *claim = row.figure.claim;
        const double number[] = {row.claimed, row.catalog,
                                 row.catalog > 0.0 ? row.claimed / row.catalog : 0.0};
        assay_table_row(table);
        assay_table_cell(table, 0, claim->id);
        assay_table_cell(table, 1, claim->subject);
        assay_table_cell(table, 2, claim->quantity);
        for (uint32_t j = 0; j < 3; j++) {
            char text[32];
            assay_text_from_double_short(text, number[j], 3);
            assay_table_cell(table, 3 + j, number[j] > 0.0 ? text : "");
        }
        assay_table_cell(table, 6, claim->unit);
        assay_table_cell(table, 7, row.of);
    }
    assay_table_print(table,
                      format == ASSAY_REPORT_CSV        ? ASSAY_TABLE_CSV
                      : format == ASSAY_REPORT_MARKDOWN ? ASSAY_TABLE_MARKDOWN
                                                        : ASSAY_TABLE_TEXT,
                      100, &cli->out);
    if (format == ASSAY_REPORT_TEXT) {
        assay_buf_puts(&cli->out, "\n");
        cli_say(cli, ASSAY_MSG_CLI_CLAIMS_PER_USD, NULL, 0);
    }
    return ASSAY_OK;
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
    if (cli_has(cli, CLI_VALUE)) {
        return show_per_usd(cli, catalog, set, format);
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
