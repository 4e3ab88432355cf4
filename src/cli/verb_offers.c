#include <stdio.h>
#include <string.h>

#include "cli/catalog_print.h"

#include "assay/calibration.h"
#include "assay/offers.h"
#include "assay/units.h"

#include "base/banned.h"

#define SHOWN_OFFERS 25u

static const char *holds_word(uint8_t holds) {
    static const char *const word[] = {"", "yes", "no"};
    return word[holds];
}

static void offers_json(cli_t *cli, const assay_offers_t *offers) {
    assay_json_t json;
    assay_json_init(&json, &cli->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "order", offers->by_work ? "usd_per_eflop" : "usd_per_h");
    assay_json_number(&json, "weights_bytes", offers->weights_bytes);
    assay_json_count(&json, "models_per_host", offers->models_per_host);
    assay_json_count(&json, "not_suited", offers->n_not_suited);
    assay_json_count(&json, "of_unknown_parts", offers->n_unknown);
    assay_json_string(&json, "load_source", offers->load_source);
    assay_json_begin_array(&json, "offers");
    for (uint32_t i = 0; i < offers->n_offer; i++) {
        const assay_offer_t *offer = &offers->offer[i];
        const assay_price_t *price = offer->price;
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "id", price->id);
        assay_json_string(&json, "provider", price->provider);
        assay_json_string(&json, "sku", price->sku);
        assay_json_string(&json, "region", price->region);
        assay_json_string(&json, "accelerator", offer->part->id);
        assay_json_bool(&json, "variant_stated", offer->variant_stated);
        assay_json_count(&json, "count", price->count);
        assay_json_count(&json, "instances", offer->instances);
        assay_json_string(&json, "term", assay_offer_term_name((assay_offer_term_t)offer->term));
        assay_json_number(&json, "usd_per_h", offer->usd_per_h);
        assay_json_number(&json, "usd_per_eflop", offer->usd_per_eflop);
        assay_json_string(&json, "date", price->date);
        assay_json_count(&json, "age_days", offer->age_days);
        assay_json_number_if(&json, "ram_bytes", price->ram_bytes.known, price->ram_bytes.v);
        assay_json_number_if(&json, "nvme_bytes", price->nvme_bytes.known, price->nvme_bytes.v);
        assay_json_string(&json, "ram_holds", offer->ram ? holds_word(offer->ram) : NULL);
        assay_json_string(&json, "disk_holds", offer->disk ? holds_word(offer->disk) : NULL);
        assay_json_number(&json, "load_s", offer->load_s);
        assay_json_string(&json, "load_from", offer->from_disk ? "disk" : "network");
        assay_json_bool(&json, "imported", price->is_imported);
        assay_json_string(&json, "source", price->source);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

static void add_number(assay_table_t *table, uint32_t column, double value, int digits) {
    char text[32];
    assay_text_from_double_short(text, value, digits);
    assay_table_cell(table, column, text);
}

/** What the host has, with a mark where that is too little. */
static void add_size(assay_table_t *table, uint32_t column, const assay_fact_t *fact, double unit,
                     uint8_t holds) {
    char text[32];
    if (fact->known) {
        assay_text_from_double_short(text, fact->v / unit, 5);
        assay_table_cellf(table, column, "%s%s", text, holds == ASSAY_HOLDS_NO ? "!" : "");
    }
}

static void add_offer(assay_table_t *table, assay_lang_t lang, const assay_offers_t *offers,
                      const assay_offer_t *offer) {
    const assay_price_t *price = offer->price;
    assay_table_row(table);
    assay_table_cell(table, 0, price->id);
    assay_table_cellf(table, 1, "%s%s", offer->variant_stated ? "" : "~", offer->part->name);
    assay_table_cellf(table, 2, "%ux%u", offer->instances, price->count);
    assay_table_cell(table, 3,
                     assay_phrase(lang, assay_offer_term_name((assay_offer_term_t)offer->term)));
    add_number(table, 4, offer->usd_per_h, 4);
    if (offers->by_work) {
        add_number(table, 5, offer->usd_per_eflop, 3);
    } else {
        add_number(table, 5, offer->load_s, 3);
    }
    assay_table_cellf(table, 6, "%u", offer->age_days);
    add_size(table, 7, &price->ram_bytes, ASSAY_GIB_BYTES, offer->ram);
    add_size(table, 8, &price->nvme_bytes, 1e9, offer->disk);
}

static assay_status_t offers_table(cli_t *cli, const assay_offers_t *offers,
                                   assay_report_format_t format) {
    static const struct {
        assay_message_t name;
        bool right;
    } head[] = {{ASSAY_MSG_HEAD_OFFER, false}, {ASSAY_MSG_HEAD_ACCELERATOR, false},
                {ASSAY_MSG_HEAD_COUNT, true},  {ASSAY_MSG_HEAD_TERM, false},
                {ASSAY_MSG_HEAD_USD_H, true},  {ASSAY_MSG_HEAD_LOAD, true},
                {ASSAY_MSG_HEAD_AGE, true},    {ASSAY_MSG_HEAD_RAM, true},
                {ASSAY_MSG_HEAD_DISK, true}};
    const bool text = format == ASSAY_REPORT_TEXT;
    assay_table_t *table = assay_table_create(cli->arena, 9);
    for (uint32_t j = 0; j < 9; j++) {
        const bool work = j == 5 && offers->by_work;
        /* a program that reads columns finds the same names in every language */
        assay_table_column(table, j,
                           assay_message(text ? cli->lang : ASSAY_LANG_EN,
                                         work ? ASSAY_MSG_HEAD_USD_EF : head[j].name),
                           "", head[j].right);
    }
    assay_table_whole(table, 0);
    assay_table_whole(table, 1);
    assay_table_whole(table, 3);
    const uint32_t n_shown = text && offers->n_offer > SHOWN_OFFERS && !cli_has(cli, CLI_ALL)
                                 ? SHOWN_OFFERS
                                 : offers->n_offer;
    for (uint32_t i = 0; i < n_shown; i++) {
        add_offer(table, text ? cli->lang : ASSAY_LANG_EN, offers, &offers->offer[i]);
    }
    assay_table_print(table, cli_table_format(format), 100, &cli->out);
    if (!text) {
        return ASSAY_OK;
    }
    char number[5][32];
    snprintf(number[0], sizeof number[0], "%u", offers->n_offer - n_shown);
    snprintf(number[1], sizeof number[1], "%u", offers->n_not_suited);
    snprintf(number[2], sizeof number[2], "%u", offers->n_unknown);
    snprintf(number[4], sizeof number[4], "%u", offers->models_per_host);
    (void)assay_text_from_double_short(number[3], offers->weights_bytes / 1e9, 4);
    assay_buf_puts(&cli->out, "\n");
    if (n_shown < offers->n_offer) {
        cli_say(cli, ASSAY_MSG_CLI_SEARCH_MORE, (const char *const[]){number[0]}, 1);
    }
    cli_say(cli, offers->by_work ? ASSAY_MSG_CLI_OFFERS_WORK : ASSAY_MSG_CLI_OFFERS_HOURS,
            (const char *const[]){number[3], number[4]}, 2);
    cli_say(cli, ASSAY_MSG_CLI_OFFERS_COLUMNS, NULL, 0);
    cli_say(cli, ASSAY_MSG_CLI_OFFERS_REST, (const char *const[]){number[1], number[2]}, 2);
    return ASSAY_OK;
}

/** Keeps the offers of the terms that --term names. */
static assay_status_t filter_terms(cli_t *cli, assay_offers_t *offers) {
    static const char *const word[] = {"on-demand", "spot", "1y", "3y"};
    const char *wanted = cli->value[CLI_TERM];
    int term = 0;
    while (wanted && term < ASSAY_OFFER_TERM_N && strcmp(wanted, word[term]) != 0) {
        term++;
    }
    if (term == ASSAY_OFFER_TERM_N) {
        const char *near = assay_text_nearest(wanted, word, ASSAY_OFFER_TERM_N);
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--term: no terms \"%s\"", wanted);
        assay_error_next(&cli->err, near ? "did you mean %s?" : "one of on-demand, spot, 1y, 3y",
                         near ? near : "");
        return ASSAY_USAGE;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; wanted && i < offers->n_offer; i++) {
        if (offers->offer[i].term == term) {
            offers->offer[n++] = offers->offer[i];
        }
    }
    offers->n_offer = wanted ? n : offers->n_offer;
    return ASSAY_OK;
}

assay_status_t cli_run_offers(cli_t *cli) {
    assay_report_format_t format;
    const char *const *dir;
    uint32_t n_dir;
    assay_job_t *job;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_offers_t *offers;
    assay_status_t status = cli_format(cli, &format);
    if (!status && cli->n_arg == 0 && cli->n_job_flag == 0) {
        status = assay_error_set(&cli->err, ASSAY_USAGE, NULL, "offers needs a job");
        assay_error_next(&cli->err, "give a file or a model; see \"assay help offers\"");
    }
    status = status ? status : cli_data_dirs(cli, &dir, &n_dir);
    status = status ? status : cli_catalog_with_ledger(cli, dir, n_dir, &catalog);
    status =
        status ? status : assay_calibration_load(cli->arena, dir, n_dir, &calibration, &cli->err);
    status = status ? status : cli_read_work(cli, &job);
    status =
        status ? status : assay_offers(cli->arena, job, catalog, calibration, &offers, &cli->err);
    status = status ? status : filter_terms(cli, offers);
    if (status) {
        return status;
    }
    if (format == ASSAY_REPORT_JSON) {
        offers_json(cli, offers);
    } else {
        status = offers_table(cli, offers, format);
        if (!status && format == ASSAY_REPORT_TEXT) {
            cli_catalog_overlays(cli, catalog);
        }
    }
    return status ? status : offers->n_offer > 0 ? ASSAY_OK : ASSAY_NO_FIT;
}
