/* A decision about serving as tables of text, for the terminal, Markdown and pages. */
#include <math.h>

#include "report/serving_view.h"

#include "base/banned.h"

#define MESSAGE(id) assay_view_message(view, ASSAY_MSG_##id)
#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

static const char *way_text(assay_view_t *view, uint32_t replicas, const assay_serve_way_t *way) {
    const char *text = assay_view_format(view, "%u x TP%u", replicas, way->layout.tp);
    if (way->layout.pp > 1) {
        text = assay_view_format(view, "%s PP%u", text, way->layout.pp);
    }
    if (way->attention_dp) {
        text = assay_view_format(view, "%u x DP%u EP%u", replicas, way->layout.tp, way->layout.ep);
    }
    return way->shared ? assay_view_join(view, text, MESSAGE(SERVING_IN_TURNS)) : text;
}

const char *assay_serving_fleet(assay_view_t *view, const assay_serve_fleet_t *fleet) {
    const char *text = way_text(view, fleet->replicas, &fleet->way);
    if (fleet->prefill_replicas > 0) {
        text = SAY(view, SERVING_SPLIT, text,
                   way_text(view, fleet->prefill_replicas, &fleet->prefill_way));
    }
    return text;
}

const char *assay_serving_verdict(const assay_view_t *view, const assay_serve_fleet_t *fleet) {
    static const assay_message_t message[] = {
        [ASSAY_SERVE_FLEET_FITS] = ASSAY_MSG_SERVING_FITS,
        [ASSAY_SERVE_FLEET_LAYOUT] = ASSAY_MSG_SERVING_NO_LAYOUT,
        [ASSAY_SERVE_FLEET_MEMORY] = ASSAY_MSG_SERVING_NO_MEMORY,
        [ASSAY_SERVE_FLEET_LIMITS] = ASSAY_MSG_SERVING_NO_LIMITS,
        [ASSAY_SERVE_FLEET_NODES] = ASSAY_MSG_SERVING_NO_NODES};
    return fleet->verdict == ASSAY_SERVE_FLEET_FITS && !fleet->simulated
               ? MESSAGE(SERVING_ESTIMATED)
               : assay_view_message(view, message[fleet->verdict]);
}

const char *assay_serving_format(assay_view_t *view, const assay_serving_t *serving,
                                 const assay_serve_fleet_t *fleet) {
    if (fleet->way.format >= serving->n_format) {
        return "";
    }
    const assay_serve_format_t *format = &serving->format[fleet->way.format];
    return format->kv_bytes_each < 2 ? SAY(view, SERVING_FORMAT_KV, format->weights, format->kv)
                                     : format->weights;
}

const char *assay_serving_cost_heading(assay_view_t *view,
                                       const assay_serving_decision_t *decision) {
    return SAY(view, SERVING_HEADING_COST, assay_view_years(view, decision->resolved->money.years));
}

/* whole: ids in the first column are typed again. */
static assay_table_t *table_of(assay_view_t *view, const assay_message_t *name, uint32_t n,
                               bool whole) {
    assay_table_t *table = assay_view_table(view, n);
    for (uint32_t c = 0; c < n; c++) {
        assay_table_column(table, c, assay_view_priced(view, name[c]), "", c > 0);
    }
    if (whole) {
        assay_table_whole(table, 0);
    }
    return table;
}

static const char *pair(assay_view_t *view, double a_s, double b_s) {
    return assay_view_format(view, "%s / %s", assay_view_quantity(view, a_s, ASSAY_DIM_TIME),
                             assay_view_quantity(view, b_s, ASSAY_DIM_TIME));
}

assay_table_t *assay_serving_cost_table(assay_view_t *view,
                                        const assay_serving_decision_t *decision) {
    static const assay_message_t name[] = {
        ASSAY_MSG_REPORT_COLUMN_CANDIDATE, ASSAY_MSG_SERVING_COLUMN_NODES,
        ASSAY_MSG_SERVING_COLUMN_FLEET,    ASSAY_MSG_SERVING_COLUMN_MONTH,
        ASSAY_MSG_SERVING_COLUMN_TCO,      ASSAY_MSG_SERVING_COLUMN_CHEAPEST};
    assay_table_t *table = table_of(view, name, COUNT_OF(name), true);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        assay_table_row(table);
        assay_table_cell(table, 0, c->machine->id);
        if (!c->fleet) {
            assay_table_cell(
                table, 2,
                c->fleets.n_fleet > 0 ? assay_serving_verdict(view, &c->fleets.fleet[0]) : "");
            continue;
        }
        assay_table_cell(table, 1, assay_view_count(view, c->fleet->nodes));
        assay_table_cell(table, 2, assay_serving_fleet(view, c->fleet));
        assay_table_cell(table, 3, assay_view_quantity(view, c->month_usd, ASSAY_DIM_MONEY));
        assay_table_cell(table, 4,
                         SAY(view, DECIDE_RANGE,
                             assay_view_quantity(view, c->tco_usd.p10, ASSAY_DIM_MONEY),
                             assay_view_quantity(view, c->tco_usd.p90, ASSAY_DIM_MONEY)));
        assay_table_cell(table, 5, assay_view_chance(view, c->p_best));
    }
    return table;
}

assay_table_t *assay_serving_price_table(assay_view_t *view,
                                         const assay_serving_decision_t *decision) {
    static const assay_message_t name[] = {
        ASSAY_MSG_REPORT_COLUMN_CANDIDATE,  ASSAY_MSG_SERVING_COLUMN_OUTPUT,
        ASSAY_MSG_SERVING_COLUMN_INPUT,     ASSAY_MSG_SERVING_COLUMN_CACHED,
        ASSAY_MSG_SERVING_COLUMN_APART,     ASSAY_MSG_SERVING_COLUMN_PER_W,
        ASSAY_MSG_SERVING_COLUMN_PER_DEVICE};
    assay_table_t *table = table_of(view, name, COUNT_OF(name), true);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        if (c->fleet) {
            assay_table_row(table);
            assay_table_cell(table, 0, c->machine->id);
            assay_table_cell(table, 1, assay_view_amount(view, c->usd_per_million_output));
            assay_table_cell(table, 2, assay_view_amount(view, c->usd_per_million_input_apart));
            assay_table_cell(
                table, 3,
                c->has_cached ? assay_view_amount(view, c->usd_per_million_cached_apart) : "-");
            assay_table_cell(table, 4, assay_view_amount(view, c->usd_per_million_output_apart));
            assay_table_cell(table, 5, assay_view_cell(view, c->tokens_per_s_per_w));
            assay_table_cell(table, 6,
                             assay_view_cell(view, c->fleet->output_tokens_per_s_per_device));
        }
    }
    return table;
}

assay_table_t *assay_serving_latency_table(assay_view_t *view,
                                           const assay_serving_decision_t *decision) {
    static const assay_message_t name[] = {
        ASSAY_MSG_REPORT_COLUMN_CANDIDATE, ASSAY_MSG_SERVING_COLUMN_TTFT,
        ASSAY_MSG_SERVING_COLUMN_TPOT,     ASSAY_MSG_SERVING_COLUMN_E2E,
        ASSAY_MSG_SERVING_COLUMN_LOAD,     ASSAY_MSG_SERVING_COLUMN_PER_USER};
    assay_table_t *table = table_of(view, name, COUNT_OF(name), true);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serve_fleet_t *f = decision->candidate[i].fleet;
        if (f) {
            assay_table_row(table);
            assay_table_cell(table, 0, decision->candidate[i].machine->id);
            assay_table_cell(table, 1, pair(view, f->ttft.p50_s, f->ttft.p99_s));
            assay_table_cell(table, 2, pair(view, f->tpot.p50_s, f->tpot.p99_s));
            assay_table_cell(table, 3, pair(view, f->e2e.p50_s, f->e2e.p99_s));
            assay_table_cell(table, 4, assay_view_percent(view, f->load));
            assay_table_cell(table, 5, assay_view_cell(view, f->output_tokens_per_s_per_user));
        }
    }
    return table;
}

assay_table_t *assay_serving_layout_table(assay_view_t *view,
                                          const assay_serving_candidate_t *candidate) {
    static const assay_message_t name[] = {
        ASSAY_MSG_SERVING_COLUMN_FLEET,    ASSAY_MSG_REPORT_COLUMN_DEVICES,
        ASSAY_MSG_SERVING_COLUMN_WEIGHTS,  ASSAY_MSG_SERVING_COLUMN_RATE,
        ASSAY_MSG_SERVING_COLUMN_TTFT_99,  ASSAY_MSG_SERVING_COLUMN_TPOT_99,
        ASSAY_MSG_SERVING_COLUMN_PER_USER, ASSAY_MSG_SERVING_COLUMN_VERDICT};
    assay_table_t *table = table_of(view, name, COUNT_OF(name), false);
    for (uint32_t i = 0; i < candidate->fleets.n_fleet; i++) {
        const assay_serve_fleet_t *f = &candidate->fleets.fleet[i];
        assay_table_row(table);
        assay_table_cell(
            table, 0, f->replicas > 0 ? assay_serving_fleet(view, f) : way_text(view, 1, &f->way));
        assay_table_cell(table, 2, assay_serving_format(view, candidate->serving, f));
        assay_table_cell(table, 7, assay_serving_verdict(view, f));
        if (f->replicas > 0) {
            assay_table_cell(table, 1, assay_view_count(view, f->devices));
            assay_table_cell(table, 3, assay_view_cell(view, f->rate_per_s));
            assay_table_cell(table, 4, assay_view_quantity(view, f->ttft.p99_s, ASSAY_DIM_TIME));
            assay_table_cell(table, 5, assay_view_quantity(view, f->tpot.p99_s, ASSAY_DIM_TIME));
            assay_table_cell(table, 6, assay_view_cell(view, f->output_tokens_per_s_per_user));
        }
    }
    return table;
}

assay_table_t *assay_serving_claim_table(assay_view_t *view,
                                         const assay_serving_decision_t *decision) {
    static const assay_message_t name[] = {
        ASSAY_MSG_SERVING_COLUMN_CLAIM, ASSAY_MSG_SERVING_COLUMN_ARTICLE,
        ASSAY_MSG_SERVING_COLUMN_HERE, ASSAY_MSG_SERVING_COLUMN_UNIT,
        ASSAY_MSG_SERVING_COLUMN_FACTOR};
    assay_table_t *table = table_of(view, name, COUNT_OF(name), false);
    for (uint32_t i = 0; i < decision->n_claim; i++) {
        const assay_serving_claim_t *claim = &decision->claim[i];
        assay_table_row(table);
        assay_table_cell(table, 0,
                         SAY(view, SERVING_CLAIM, claim->claim->id,
                             assay_view_phrase(view, claim->claim->subject),
                             assay_view_phrase(view, claim->claim->quantity)));
        assay_table_cell(table, 1, assay_view_number(view, claim->claim->v));
        assay_table_cell(table, 2, assay_view_number(view, claim->predicted));
        assay_table_cell(table, 3, claim->claim->unit);
        assay_table_cell(table, 4, assay_view_number(view, claim->factor));
    }
    return table;
}
