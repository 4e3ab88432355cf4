/* A decision about serving as JSON. */
#include "assay/run.h"
#include "report/study_view.h"

#include "base/banned.h"

static void write_percentiles(assay_json_t *json, const char *key, const assay_percentiles_t *p) {
    assay_json_begin_object(json, key);
    assay_json_number(json, "p50_s", p->p50_s);
    assay_json_number(json, "p90_s", p->p90_s);
    assay_json_number(json, "p99_s", p->p99_s);
    assay_json_end(json);
}

static void write_way(assay_json_t *json, const assay_serving_t *serving,
                      const assay_serve_way_t *way) {
    assay_json_count(json, "tp", way->layout.tp);
    assay_json_count(json, "pp", way->layout.pp);
    assay_json_count(json, "ep", way->layout.ep > 1 ? way->layout.ep : 1);
    assay_json_bool(json, "attention_dp", way->attention_dp);
    assay_json_bool(json, "in_turns", way->shared);
    assay_json_count(json, "max_num_seqs", way->max_sequences);
    assay_json_count(json, "max_batch_tokens", way->token_budget);
    if (way->format < serving->n_format) {
        assay_json_string(json, "weights", serving->format[way->format].weights);
        assay_json_string(json, "kv", serving->format[way->format].kv);
    }
}

static void write_fleet(assay_json_t *json, const char *key, const assay_serving_t *serving,
                        const assay_serve_fleet_t *f) {
    static const char *const verdict[] = {"fits", "layout", "memory", "limits", "nodes"};
    assay_json_begin_object(json, key);
    write_way(json, serving, &f->way);
    assay_json_string(json, "verdict", verdict[f->verdict]);
    assay_json_bool(json, "simulated", f->simulated);
    if (f->replicas > 0) {
        assay_json_count(json, "replicas", f->replicas);
        assay_json_count(json, "prefill_replicas", f->prefill_replicas);
        if (f->prefill_replicas > 0) {
            assay_json_begin_object(json, "prefill");
            write_way(json, serving, &f->prefill_way);
            assay_json_number(json, "kv_transfer_s", f->transfer_s);
            assay_json_end(json);
        }
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
        write_fleet(json, "fleet", c->serving, c->fleet);
        /* layouts stand by the number of their devices */
        write_fleet(json, "smallest_fleet", c->serving, &c->fleets.fleet[0]);
    }
    assay_json_number_if(json, "month_usd", fits, c->month_usd);
    assay_json_number_if(json, "one_time_usd", fits, c->point.one_time_usd);
    assay_json_number_if(json, "usd_per_million_output_tokens", fits, c->usd_per_million_output);
    assay_json_number_if(json, "usd_per_million_input_tokens_apart", fits,
                         c->usd_per_million_input_apart);
    assay_json_number_if(json, "usd_per_million_cached_tokens_apart", fits && c->has_cached,
                         c->usd_per_million_cached_apart);
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
        write_fleet(json, NULL, c->serving, &c->fleets.fleet[i]);
    }
    assay_json_end(json);
    assay_json_begin_array(json, "pareto");
    for (uint32_t i = 0; i < c->fleets.n_pareto; i++) {
        const assay_serve_pareto_t *p = &c->fleets.pareto[i];
        assay_json_begin_object(json, NULL);
        write_way(json, c->serving, &p->way);
        assay_json_number(json, "running", p->running);
        assay_json_number(json, "output_tokens_per_s_per_device", p->tokens_per_s_per_device);
        assay_json_number(json, "output_tokens_per_s_per_user", p->tokens_per_s_per_user);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_count(json, "ways_judged", c->fleets.n_ways);
    assay_json_end(json);
}

static void write_claims(assay_json_t *json, const assay_serving_decision_t *decision) {
    assay_json_begin_array(json, "claims");
    for (uint32_t i = 0; i < decision->n_claim; i++) {
        const assay_serving_claim_t *claim = &decision->claim[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "set", claim->claim->set);
        assay_json_string(json, "id", claim->claim->id);
        assay_json_string(json, "candidate", claim->candidate);
        assay_json_number(json, "claimed", claim->claim->v);
        assay_json_number(json, "predicted", claim->predicted);
        assay_json_string(json, "unit", claim->claim->unit);
        assay_json_number(json, "factor", claim->factor);
        assay_json_end(json);
    }
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
    assay_json_flips(&json, decision->flip, decision->n_flip);
    assay_json_study(&json, decision->sensitivity);
    write_claims(&json, decision);
    assay_json_notes(&json, "assumptions", decision->note, decision->n_note, ASSAY_NOTE_ASSUMPTION);
    assay_json_notes(&json, "warnings", decision->note, decision->n_note, ASSAY_NOTE_WARNING);
    assay_json_job(&json, decision->resolved->document);
    assay_json_string(&json, "assay_version", assay_version());
    assay_json_end(&json);
}
