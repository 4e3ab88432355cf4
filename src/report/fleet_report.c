#include <string.h>

#include "report/fleet_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_FLEET_##id)

static bool is_fine(const assay_fleet_host_t *host) {
    return !host->unread && !host->first;
}

static const char *sentence(assay_view_t *view, const assay_fleet_t *fleet) {
    uint32_t n_fine = 0;
    for (uint32_t i = 0; i < fleet->n_host; i++) {
        n_fine += is_fine(&fleet->host[i]);
    }
    return SAY(view, FLEET_SENTENCE, fleet->name, assay_view_count(view, fleet->n_host),
               assay_view_count(view, n_fine), assay_view_count(view, fleet->n_reached),
               assay_severity_name(fleet->threshold), assay_view_count(view, fleet->n_unread));
}

/* all: those without a finding as well. */
static assay_table_t *hosts_table(assay_view_t *view, const assay_fleet_t *fleet, bool all) {
    assay_table_t *table = assay_view_table(view, 6);
    assay_table_column(table, 0, TEXT(COLUMN_HOST), "", false);
    for (uint32_t s = 0; s < ASSAY_SEVERITY_INFO; s++) {
        assay_table_column(table, s + 1, assay_severity_name((assay_severity_t)s), "", true);
    }
    assay_table_column(table, 4, TEXT(COLUMN_GPUS), "", true);
    assay_table_column(table, 5, TEXT(COLUMN_FIRST), "", false);
    assay_table_whole(table, 0);
    for (uint32_t i = 0; i < fleet->n_host; i++) {
        const assay_fleet_host_t *host = &fleet->host[i];
        if (!all && is_fine(host)) {
            continue;
        }
        assay_table_row(table);
        assay_table_cell(table, 0, host->name);
        for (uint32_t s = 0; !host->unread && s < ASSAY_SEVERITY_INFO; s++) {
            assay_table_cellf(table, s + 1, "%u", host->n_severity[s]);
        }
        if (!host->unread) {
            assay_table_cellf(table, 4, "%u", host->n_gpu);
        }
        assay_table_cell(table, 5,
                         host->unread ? SAY(view, FLEET_UNREAD, host->unread)
                         : host->first
                             ? assay_view_format(view, "%s %s", host->first->id, host->first->title)
                             : "");
    }
    return table;
}

#define NAMES_MAX 8u /* hosts that are named of one outlier; the others are counted */

/* All hosts with one value of one fact; *io_at moves behind them. */
static void write_outliers(assay_view_t *view, const assay_fleet_t *fleet, uint32_t *io_at) {
    const assay_fleet_outlier_t *first = &fleet->outlier[*io_at];
    const char *names = "";
    uint32_t n = 0;
    while (*io_at < fleet->n_outlier) {
        const assay_fleet_outlier_t *outlier = &fleet->outlier[*io_at];
        if (strcmp(outlier->what, first->what) != 0 || strcmp(outlier->value, first->value) != 0) {
            break;
        }
        if (n < NAMES_MAX) {
            names = assay_view_format(view, "%s%s%s", names, n ? ", " : "",
                                      fleet->host[outlier->host].name);
        }
        n++;
        (*io_at)++;
    }
    if (n > NAMES_MAX) {
        names = SAY(view, FLEET_MORE, names, assay_view_count(view, n - NAMES_MAX));
    }
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                    SAY(view, FLEET_OUTLIER, first->what, first->value, names, first->usual,
                        assay_view_count(view, first->n_usual),
                        assay_view_count(view, first->n_known)));
}

void assay_fleet_write_text(assay_view_t *view, const assay_fleet_t *fleet) {
    bool any = false;
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", sentence(view, fleet));
    for (uint32_t i = 0; i < fleet->n_host; i++) {
        any |= !is_fine(&fleet->host[i]);
    }
    if (any) {
        assay_text_heading(view, TEXT(HEADING_HOSTS));
        assay_text_table(view, hosts_table(view, fleet, false), 0);
    }
    if (fleet->n_outlier > 0) {
        assay_text_heading(view, TEXT(HEADING_OUTLIERS));
        for (uint32_t i = 0; i < fleet->n_outlier;) {
            write_outliers(view, fleet, &i);
        }
    }
}

void assay_fleet_write_csv(assay_view_t *view, const assay_fleet_t *fleet) {
    assay_table_print(hosts_table(view, fleet, true), ASSAY_TABLE_CSV, 0, view->out);
}

void assay_fleet_write_markdown(assay_view_t *view, const assay_fleet_t *fleet) {
    assay_table_print(hosts_table(view, fleet, true), ASSAY_TABLE_MARKDOWN, 0, view->out);
}

static void put_host(assay_json_t *json, const assay_fleet_host_t *host) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "host", host->name);
    assay_json_string(json, "unread", host->unread);
    for (int s = 0; s < ASSAY_SEVERITY_N; s++) {
        assay_json_count(json, assay_severity_name((assay_severity_t)s), host->n_severity[s]);
    }
    assay_json_count(json, "accelerators", host->n_gpu);
    assay_json_bool(json, "threshold_reached", host->reached);
    if (host->first) {
        assay_json_begin_object(json, "first");
        assay_json_string(json, "id", host->first->id);
        assay_json_string(json, "title", host->first->title);
        assay_json_end(json);
    } else {
        assay_json_string(json, "first", NULL);
    }
    assay_json_end(json);
}

void assay_fleet_write_json(assay_view_t *view, const assay_fleet_t *fleet) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "fleet", fleet->name);
    assay_json_begin_array(&json, "hosts");
    for (uint32_t i = 0; i < fleet->n_host; i++) {
        put_host(&json, &fleet->host[i]);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "outliers");
    for (uint32_t i = 0; i < fleet->n_outlier; i++) {
        const assay_fleet_outlier_t *outlier = &fleet->outlier[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "host", fleet->host[outlier->host].name);
        assay_json_string(&json, "what", outlier->what);
        assay_json_string(&json, "value", outlier->value);
        assay_json_string(&json, "usual", outlier->usual);
        assay_json_count(&json, "usual_count", outlier->n_usual);
        assay_json_count(&json, "known_count", outlier->n_known);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_begin_object(&json, "summary");
    assay_json_string(&json, "sentence", sentence(view, fleet));
    assay_json_count(&json, "hosts", fleet->n_host);
    assay_json_count(&json, "hosts_reached", fleet->n_reached);
    assay_json_count(&json, "hosts_unread", fleet->n_unread);
    assay_json_string(&json, "threshold", assay_severity_name(fleet->threshold));
    assay_json_end(&json);
    assay_json_end(&json);
}
