/* Buy, reserve, rent or spot over the job's load curve, as text and as JSON. */
#include <math.h>

#include "report/write.h"

#include "base/banned.h"

static const struct {
    assay_message_t say;
    const char *id; /* in JSON */
} supply_row[ASSAY_SUPPLY_N] = {
    [ASSAY_PRICING_ON_DEMAND] = {ASSAY_MSG_MIX_ON_DEMAND, "on_demand"},
    [ASSAY_PRICING_RESERVED_1Y] = {ASSAY_MSG_MIX_RESERVED_1Y, "reserved_1y"},
    [ASSAY_PRICING_RESERVED_3Y] = {ASSAY_MSG_MIX_RESERVED_3Y, "reserved_3y"},
    [ASSAY_PRICING_SPOT] = {ASSAY_MSG_MIX_SPOT, "spot"},
    [ASSAY_SUPPLY_OWNED] = {ASSAY_MSG_MIX_OWNED, "owned"},
};

static const char *name_of(const assay_view_t *view, int supply) {
    return assay_view_message(view, supply_row[supply].say);
}

static const char *hours_of(assay_view_t *view, double hours) {
    return assay_view_count(view, round(hours));
}

static double from_h(const assay_load_mix_t *mix, int supply) {
    for (uint32_t k = 0; k < mix->n_range; k++) {
        if (mix->range[k].supply == supply) {
            return mix->range[k].from_h;
        }
    }
    return (double)NAN;
}

static assay_table_t *mix_table(assay_view_t *view, const assay_mix_t *m) {
    const assay_load_mix_t *mix = &m->mix;
    double year = 0.0, all = 0.0;
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        if (m->cost[k].known) {
            year = fmax(year, m->cost[k].usd_per_year);
            all = fmax(all, mix->alone_usd[k]);
        }
    }
    const assay_scale_t node = assay_view_scale(view, ASSAY_SCALE_MONEY, year);
    const assay_scale_t hour = assay_view_scale(view, ASSAY_SCALE_MONEY, 1.0);
    const assay_scale_t cost = assay_view_scale(view, ASSAY_SCALE_MONEY, all);
    const assay_view_column_t column[] = {
        {ASSAY_MSG_MIX_COLUMN_SUPPLY, "", false},     {ASSAY_MSG_MIX_COLUMN_YEAR, node.unit, true},
        {ASSAY_MSG_MIX_COLUMN_HOUR, hour.unit, true}, {ASSAY_MSG_MIX_COLUMN_FROM, "h", true},
        {ASSAY_MSG_MIX_COLUMN_NODES, "", true},       {ASSAY_MSG_MIX_COLUMN_COST, cost.unit, true},
        {ASSAY_MSG_MIX_COLUMN_ALONE, cost.unit, true}};
    assay_table_t *table = assay_view_table_of(view, column, sizeof column / sizeof *column);
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        if (!m->cost[k].known) {
            continue;
        }
        const double from = from_h(mix, k);
        assay_table_row(table);
        assay_table_cell(table, 0, name_of(view, k));
        assay_table_cell(table, 1, assay_view_cell(view, m->cost[k].usd_per_year / node.one));
        assay_table_cell(table, 2, assay_view_cell(view, m->cost[k].usd_per_h / hour.one));
        assay_table_cell(table, 3, isnan(from) ? "-" : hours_of(view, from));
        assay_table_cell(table, 4, assay_view_number(view, mix->nodes[k]));
        assay_table_cell(table, 5, assay_view_cell(view, mix->usd_of[k] / cost.one));
        assay_table_cell(table, 6, assay_view_cell(view, mix->alone_usd[k] / cost.one));
    }
    return table;
}

static void write_sentence(assay_view_t *view, const assay_load_mix_t *mix) {
    const char *parts = NULL;
    int best = -1, used = 0;
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        if (!isnan(mix->alone_usd[k]) && (best < 0 || mix->alone_usd[k] < mix->alone_usd[best])) {
            best = k;
        }
        if (mix->nodes[k] > 0.0) {
            const char *part =
                SAY(view, MIX_PART, assay_view_number(view, mix->nodes[k]), name_of(view, k));
            parts = parts ? SAY(view, MIX_AND, parts, part) : part;
            used++;
        }
    }
    if (best < 0 || used == 0) {
        return;
    }
    const char *usd = assay_view_quantity(view, mix->usd, ASSAY_DIM_MONEY);
    assay_text_wrap(view, ASSAY_STYLE_GOOD, "  - ",
                    used == 1
                        ? SAY(view, MIX_ONE, name_of(view, best), usd)
                        : SAY(view, MIX_SENTENCE, parts, usd, name_of(view, best),
                              assay_view_quantity(view, mix->alone_usd[best], ASSAY_DIM_MONEY)));
}

/* Owning against every other way. */
static void write_even(assay_view_t *view, const assay_mix_t *m) {
    const assay_supply_cost_t *owned = &m->cost[ASSAY_SUPPLY_OWNED];
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        const char *other = name_of(view, k);
        if (!m->cost[k].known) {
            assay_text_wrap(view, ASSAY_STYLE_WARN, "  - ", SAY(view, MIX_LEFT_OUT, other));
        } else if (owned->known && k != ASSAY_SUPPLY_OWNED) {
            const double h = assay_load_even_h(owned, &m->cost[k]);
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ",
                            isnan(h)  ? SAY(view, MIX_NEVER, other)
                            : h > 0.0 ? SAY(view, MIX_FROM, other, hours_of(view, h))
                                      : SAY(view, MIX_ALWAYS, other));
        }
    }
}

void assay_decision_write_mix(assay_view_t *view, const assay_decision_t *decision) {
    for (uint32_t i = 0; i < decision->n_mix; i++) {
        const assay_mix_t *m = &decision->mix[i];
        assay_text_heading(view, SAY(view, MIX_HEADING, m->machine->id));
        assay_text_table(view, mix_table(view, m), 0);
        write_sentence(view, &m->mix);
        write_even(view, m);
    }
}

/* ---- JSON ---- */

static void write_supply(assay_json_t *json, const assay_mix_t *m, int k) {
    const assay_load_mix_t *mix = &m->mix;
    const bool known = m->cost[k].known;
    const double from = from_h(mix, k);
    assay_json_begin_object(json, supply_row[k].id);
    assay_json_number_if(json, "usd_per_node_year", known, m->cost[k].usd_per_year);
    assay_json_number_if(json, "usd_per_node_h", known, m->cost[k].usd_per_h);
    assay_json_number_if(json, "cheapest_from_h", !isnan(from), from);
    assay_json_number(json, "nodes", mix->nodes[k]);
    assay_json_number(json, "node_h", mix->node_h_of[k]);
    assay_json_number(json, "usd_per_year", mix->usd_of[k]);
    assay_json_number_if(json, "alone_usd_per_year", known, mix->alone_usd[k]);
    assay_json_begin_object(json, "cheaper_from_h"); /* than these */
    for (int other = 0; other < ASSAY_SUPPLY_N; other++) {
        if (other != k && known && m->cost[other].known) {
            const double h = assay_load_even_h(&m->cost[k], &m->cost[other]);
            assay_json_number_if(json, supply_row[other].id, !isnan(h), h);
        }
    }
    assay_json_end(json);
    assay_json_end(json);
}

void assay_json_mix(assay_json_t *json, const assay_decision_t *decision) {
    if (!decision->mix) {
        return;
    }
    assay_json_begin_array(json, "mix");
    for (uint32_t i = 0; i < decision->n_mix; i++) {
        const assay_mix_t *m = &decision->mix[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "candidate", m->machine->id);
        assay_json_number(json, "peak_nodes", m->mix.peak_nodes);
        assay_json_number(json, "node_h_per_year", m->mix.node_h);
        assay_json_number(json, "usd_per_year", m->mix.usd);
        assay_json_begin_object(json, "ways");
        for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
            write_supply(json, m, k);
        }
        assay_json_end(json);
        assay_json_begin_array(json, "slices");
        for (uint32_t k = 0; k < m->n_slice; k++) {
            assay_json_begin_object(json, NULL);
            assay_json_string(json, "way", supply_row[m->slice[k].supply].id);
            assay_json_number(json, "nodes", m->slice[k].nodes);
            assay_json_number(json, "hours_per_year", m->slice[k].hours);
            assay_json_end(json);
        }
        assay_json_end(json);
        assay_json_end(json);
    }
    assay_json_end(json);
}
