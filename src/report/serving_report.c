/* A decision about serving: what fleets cost, how fast they answer, and what other layouts do. */
#include "report/write.h"

#include "assay/run.h"

#include "base/banned.h"

static const char *pair(assay_view_t *view, double a_s, double b_s) {
    return assay_view_format(view, "%s / %s", assay_view_quantity(view, a_s, ASSAY_DIM_TIME),
                             assay_view_quantity(view, b_s, ASSAY_DIM_TIME));
}

static const char *fleet_text(assay_view_t *view, const assay_serve_fleet_t *fleet) {
    const char *const arg[] = {
        assay_view_count(view, fleet->nodes), assay_view_count(view, fleet->replicas),
        assay_view_count(view, fleet->layout.tp), assay_view_count(view, fleet->layout.pp)};
    return assay_view_sentence(
        view, fleet->layout.pp > 1 ? ASSAY_MSG_SERVING_FLEET_STAGES : ASSAY_MSG_SERVING_FLEET, arg,
        4);
}

static void set_columns(assay_view_t *view, assay_table_t *table, const assay_message_t *name,
                        uint32_t n) {
    for (uint32_t c = 0; c < n; c++) {
        assay_table_column(table, c, assay_view_message(view, name[c]), "", c > 0);
    }
    assay_table_whole(table, 0);
}

static assay_message_t verdict_of(const assay_serve_fleet_t *fleet) {
    static const assay_message_t message[] = {
        [ASSAY_SERVE_FLEET_FITS] = ASSAY_MSG_SERVING_FITS,
        [ASSAY_SERVE_FLEET_LAYOUT] = ASSAY_MSG_SERVING_NO_LAYOUT,
        [ASSAY_SERVE_FLEET_MEMORY] = ASSAY_MSG_SERVING_NO_MEMORY,
        [ASSAY_SERVE_FLEET_LIMITS] = ASSAY_MSG_SERVING_NO_LIMITS,
        [ASSAY_SERVE_FLEET_NODES] = ASSAY_MSG_SERVING_NO_NODES};
    return message[fleet->verdict];
}

static void write_cost(assay_view_t *view, const assay_serving_decision_t *decision) {
    static const assay_message_t column[] = {
        ASSAY_MSG_REPORT_COLUMN_CANDIDATE, ASSAY_MSG_SERVING_COLUMN_FLEET,
        ASSAY_MSG_SERVING_COLUMN_MONTH,    ASSAY_MSG_SERVING_COLUMN_TCO,
        ASSAY_MSG_SERVING_COLUMN_OUTPUT,   ASSAY_MSG_SERVING_COLUMN_APART,
        ASSAY_MSG_SERVING_COLUMN_PER_W,    ASSAY_MSG_SERVING_COLUMN_CHEAPEST};
    enum { N_COLUMN = sizeof column / sizeof column[0] };
    assay_table_t *table = assay_view_table(view, N_COLUMN);
    set_columns(view, table, column, N_COLUMN);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        assay_table_row(table);
        assay_table_cell(table, 0, c->machine->id);
        if (!c->fleet) {
            assay_table_cell(table, 1,
                             c->fleets.n_fleet > 0
                                 ? assay_view_message(view, verdict_of(&c->fleets.fleet[0]))
                                 : "");
            continue;
        }
        assay_table_cell(table, 1, fleet_text(view, c->fleet));
        assay_table_cell(table, 2, assay_view_quantity(view, c->month_usd, ASSAY_DIM_MONEY));
        assay_table_cell(table, 3,
                         SAY(view, DECIDE_RANGE,
                             assay_view_quantity(view, c->tco_usd.p10, ASSAY_DIM_MONEY),
                             assay_view_quantity(view, c->tco_usd.p90, ASSAY_DIM_MONEY)));
        assay_table_cell(table, 4, assay_view_cell(view, c->usd_per_million_output));
        assay_table_cellf(table, 5, "%s, %s", assay_view_cell(view, c->usd_per_million_input_apart),
                          assay_view_cell(view, c->usd_per_million_output_apart));
        assay_table_cell(table, 6, assay_view_cell(view, c->tokens_per_s_per_w));
        assay_table_cell(table, 7,
                         c->p_best > 0.99   ? "> 99 %"
                         : c->p_best < 0.01 ? "< 1 %"
                                            : assay_view_percent(view, c->p_best));
    }
    assay_text_heading(view, SAY(view, SERVING_HEADING_COST,
                                 assay_view_number(view, decision->resolved->money.years)));
    assay_text_table(view, table, decision->choice >= 0 ? (uint32_t)decision->choice + 1 : 0);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        if (c->fleet && c->point.one_time_usd > 0) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                            SAY(view, SERVING_MOVING, c->machine->id,
                                assay_view_quantity(view, c->point.one_time_usd, ASSAY_DIM_MONEY)));
        }
    }
}

static void write_latency(assay_view_t *view, const assay_serving_decision_t *decision) {
    static const assay_message_t column[] = {
        ASSAY_MSG_REPORT_COLUMN_CANDIDATE, ASSAY_MSG_SERVING_COLUMN_TTFT,
        ASSAY_MSG_SERVING_COLUMN_TPOT,     ASSAY_MSG_SERVING_COLUMN_E2E,
        ASSAY_MSG_SERVING_COLUMN_LOAD,     ASSAY_MSG_SERVING_COLUMN_PER_DEVICE,
        ASSAY_MSG_SERVING_COLUMN_PER_USER};
    enum { N_COLUMN = sizeof column / sizeof column[0] };
    assay_table_t *table = assay_view_table(view, N_COLUMN);
    set_columns(view, table, column, N_COLUMN);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serve_fleet_t *f = decision->candidate[i].fleet;
        if (f) {
            assay_table_row(table);
            assay_table_cell(table, 0, decision->candidate[i].machine->id);
            assay_table_cell(table, 1, pair(view, f->ttft.p50_s, f->ttft.p99_s));
            assay_table_cell(table, 2, pair(view, f->tpot.p50_s, f->tpot.p99_s));
            assay_table_cell(table, 3, pair(view, f->e2e.p50_s, f->e2e.p99_s));
            assay_table_cell(table, 4, assay_view_percent(view, f->load));
            assay_table_cell(table, 5, assay_view_cell(view, f->output_tokens_per_s_per_device));
            assay_table_cell(table, 6, assay_view_cell(view, f->output_tokens_per_s_per_user));
        }
    }
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_SERVING_HEADING_LATENCY));
    assay_text_table(view, table, 0);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serve_fleet_t *f = decision->candidate[i].fleet;
        if (f) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                            SAY(view, SERVING_BASIS, decision->candidate[i].machine->id,
                                assay_view_basis(view, f->basis),
                                assay_view_percent(view, f->rel_p10),
                                assay_view_percent(view, f->rel_p90)));
        }
    }
}

static void write_layouts(assay_view_t *view, const assay_serving_candidate_t *candidate) {
    static const assay_message_t column[] = {
        ASSAY_MSG_SERVING_COLUMN_FLEET,    ASSAY_MSG_REPORT_COLUMN_DEVICES,
        ASSAY_MSG_SERVING_COLUMN_RATE,     ASSAY_MSG_SERVING_COLUMN_TTFT,
        ASSAY_MSG_SERVING_COLUMN_TPOT,     ASSAY_MSG_SERVING_COLUMN_PER_DEVICE,
        ASSAY_MSG_SERVING_COLUMN_PER_USER, ASSAY_MSG_SERVING_COLUMN_VERDICT};
    enum { N_COLUMN = sizeof column / sizeof column[0] };
    assay_table_t *table = assay_view_table(view, N_COLUMN);
    set_columns(view, table, column, N_COLUMN);
    for (uint32_t i = 0; i < candidate->fleets.n_fleet; i++) {
        const assay_serve_fleet_t *f = &candidate->fleets.fleet[i];
        assay_table_row(table);
        if (f->replicas > 0) {
            assay_table_cell(table, 0, fleet_text(view, f));
            assay_table_cell(table, 1, assay_view_count(view, f->devices));
            assay_table_cell(table, 2, assay_view_cell(view, f->rate_per_s));
            assay_table_cell(table, 3, pair(view, f->ttft.p50_s, f->ttft.p99_s));
            assay_table_cell(table, 4, pair(view, f->tpot.p50_s, f->tpot.p99_s));
            assay_table_cell(table, 5, assay_view_cell(view, f->output_tokens_per_s_per_device));
            assay_table_cell(table, 6, assay_view_cell(view, f->output_tokens_per_s_per_user));
        } else {
            assay_table_cellf(table, 0, "TP%u PP%u", f->layout.tp, f->layout.pp);
        }
        assay_table_cell(table, 7, assay_view_message(view, verdict_of(f)));
    }
    assay_text_heading(view, SAY(view, SERVING_HEADING_LAYOUTS, candidate->machine->id));
    assay_text_table(view, table, candidate->fleet ? 1 : 0);
    if (candidate->launch) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SERVING_LAUNCH, candidate->launch));
    }
}

void assay_serving_write_text(assay_view_t *view, const assay_serving_decision_t *decision) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", decision->sentence);
    write_cost(view, decision);
    write_latency(view, decision);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        write_layouts(view, &decision->candidate[i]);
    }
    assay_text_warnings(view, decision->note, decision->n_note);
    assay_text_assumptions(view, decision->note, decision->n_note);
}

/* ---- JSON ---- */

static void write_percentiles(assay_json_t *json, const char *key, const assay_percentiles_t *p) {
    assay_json_begin_object(json, key);
    assay_json_number(json, "p50_s", p->p50_s);
    assay_json_number(json, "p90_s", p->p90_s);
    assay_json_number(json, "p99_s", p->p99_s);
    assay_json_end(json);
}

static void write_fleet(assay_json_t *json, const char *key, const assay_serve_fleet_t *f) {
    static const char *const verdict[] = {"fits", "layout", "memory", "limits", "nodes"};
    assay_json_begin_object(json, key);
    assay_json_count(json, "tp", f->layout.tp);
    assay_json_count(json, "pp", f->layout.pp);
    assay_json_string(json, "verdict", verdict[f->verdict]);
    if (f->replicas > 0) {
        assay_json_count(json, "replicas", f->replicas);
        assay_json_count(json, "devices", f->devices);
        assay_json_count(json, "nodes", f->nodes);
        assay_json_number(json, "saturation_requests_per_s", f->saturation_per_s);
        assay_json_number(json, "requests_per_s_per_replica", f->rate_per_s);
        assay_json_number(json, "load", f->load);
        write_percentiles(json, "ttft", &f->ttft);
        write_percentiles(json, "tpot", &f->tpot);
        write_percentiles(json, "itl", &f->itl);
        write_percentiles(json, "e2e", &f->e2e);
        assay_json_number(json, "output_tokens_per_s", f->output_tokens_per_s);
        assay_json_number(json, "output_tokens_per_s_per_device",
                          f->output_tokens_per_s_per_device);
        assay_json_number(json, "output_tokens_per_s_per_user", f->output_tokens_per_s_per_user);
        assay_json_number(json, "kv_tokens", f->memory.tokens);
        assay_json_number(json, "device_w", f->device_w);
        assay_json_number(json, "rel_p10", f->rel_p10);
        assay_json_number(json, "rel_p90", f->rel_p90);
        assay_json_string(json, "basis", assay_basis_name((assay_basis_t)f->basis));
    }
    assay_json_end(json);
}

static void write_candidate(assay_json_t *json, const assay_serving_candidate_t *c) {
    const bool fits = c->fleet != NULL;
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", c->machine->id);
    assay_json_string(json, "accelerator", c->machine->accelerator->id);
    assay_json_bool(json, "fits", fits);
    if (fits) {
        write_fleet(json, "fleet", c->fleet);
    }
    assay_json_number_if(json, "month_usd", fits, c->month_usd);
    assay_json_number_if(json, "one_time_usd", fits, c->point.one_time_usd);
    assay_json_number_if(json, "usd_per_million_output_tokens", fits, c->usd_per_million_output);
    assay_json_number_if(json, "usd_per_million_input_tokens_apart", fits,
                         c->usd_per_million_input_apart);
    assay_json_number_if(json, "usd_per_million_output_tokens_apart", fits,
                         c->usd_per_million_output_apart);
    assay_json_number_if(json, "output_tokens_per_s_per_w", fits, c->tokens_per_s_per_w);
    assay_json_number_if(json, "energy_kwh_per_month", fits, c->point.energy_kwh);
    assay_json_number_if(json, "tco_usd", fits, c->point.tco_usd);
    assay_json_number_if(json, "tco_p10_usd", fits, c->tco_usd.p10);
    assay_json_number_if(json, "tco_p90_usd", fits, c->tco_usd.p90);
    assay_json_number_if(json, "p_cheapest", fits, c->p_best);
    assay_json_string(json, "launch", c->launch);
    assay_json_begin_array(json, "layouts");
    for (uint32_t i = 0; i < c->fleets.n_fleet; i++) {
        write_fleet(json, NULL, &c->fleets.fleet[i]);
    }
    assay_json_end(json);
    assay_json_end(json);
}

void assay_serving_write_json(assay_view_t *view, const assay_serving_decision_t *decision) {
    const bool chosen = decision->choice >= 0;
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_object(&json, "verdict");
    assay_json_string(&json, "choice",
                      chosen ? decision->candidate[decision->choice].machine->id : NULL);
    assay_json_number_if(&json, "probability", chosen, decision->probability);
    assay_json_number_if(&json, "regret_usd", chosen, decision->regret_usd);
    assay_json_string(&json, "sentence", decision->sentence);
    assay_json_end(&json);
    assay_json_begin_array(&json, "candidates");
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        write_candidate(&json, &decision->candidate[i]);
    }
    assay_json_end(&json);
    assay_json_notes(&json, "assumptions", decision->note, decision->n_note, ASSAY_NOTE_ASSUMPTION);
    assay_json_notes(&json, "warnings", decision->note, decision->n_note, ASSAY_NOTE_WARNING);
    assay_json_job(&json, decision->resolved->document);
    assay_json_string(&json, "assay_version", assay_version());
    assay_json_end(&json);
}
