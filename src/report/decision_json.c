/* The contract with other programs: docs/json.md says what each member means. */
#include "report/study_view.h"

#include <math.h>
#include <string.h>

#include "assay/run.h"

#include "base/banned.h"

static void write_verdict(assay_json_t *json, const assay_decision_t *decision) {
    const bool chosen = decision->choice >= 0;
    assay_json_begin_object(json, "verdict");
    assay_json_string(json, "choice",
                      chosen ? decision->candidate[decision->choice].machine->id : NULL);
    assay_json_number_if(json, "probability", chosen, decision->probability);
    assay_json_number_if(json, "regret_usd", chosen, decision->regret_usd);
    assay_json_string(json, "sentence", decision->sentence);
    assay_json_string(
        json, "runner_up",
        decision->runner_up >= 0 ? decision->candidate[decision->runner_up].machine->id : NULL);
    double share;
    const assay_even_t even = assay_view_break_even(decision, &share);
    static const char *const even_name[ASSAY_EVEN_N] = {NULL, "after", "until", "always", "never"};
    assay_json_string(json, "break_even", even_name[even]);
    const assay_workload_t *work = &decision->resolved->workload;
    assay_json_number(json, work->net.sample ? "break_even_samples" : "break_even_tokens",
                      share * work->tokens);
    assay_json_end(json);
}

static void write_terms(assay_json_t *json, const char *key, const double usd[ASSAY_TERM_N],
                        bool known) {
    assay_json_begin_object(json, key);
    for (int i = 0; i < ASSAY_TERM_N; i++) {
        assay_json_number_if(json, assay_term_name((assay_term_t)i), known, usd[i]);
    }
    assay_json_end(json);
}

/** Members that only a candidate with a layout has; null without one. */
static void write_estimate(assay_json_t *json, const assay_workload_t *work,
                           const assay_candidate_t *candidate) {
    if (candidate->fits) {
        assay_json_layout(json, "layout", &candidate->plan.best.layout);
        assay_json_estimate(json, &candidate->plan.best);
        return;
    }
    const char *const absent[] = {"layout", "step_time_s",  assay_view_rate_key(work->net.sample),
                                  "mfu",    "memory_bytes", "basis"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        assay_json_string(json, absent[i], NULL);
    }
}

/* Energy of a token, or of a sample of a network. */
static const char *const energy_key[2][4] = {
    {"joules_per_token", "joules_per_token_p10", "joules_per_token_p90",
     "joules_per_token_accelerators"},
    {"joules_per_sample", "joules_per_sample_p10", "joules_per_sample_p90",
     "joules_per_sample_accelerators"}};

static void write_candidate(const assay_view_t *view, assay_json_t *json,
                            const assay_decision_t *decision, const assay_candidate_t *candidate) {
    const assay_machine_t *machine = candidate->machine;
    const assay_figures_t f = assay_view_figures(decision, candidate);
    const bool work = candidate->fits && assay_view_has_work(decision);
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", machine->id);
    assay_json_string(json, "system", machine->system ? machine->system->id : NULL);
    assay_json_string(json, "accelerator", machine->accelerator ? machine->accelerator->id : NULL);
    assay_json_count(json, "nodes", machine->nodes);
    assay_json_count(json, "devices", machine->devices);
    assay_json_bool(json, "owned", machine->capex_usd.known);
    assay_json_bool(json, "fits", candidate->fits);
    assay_json_bool(json, "meets_deadline", candidate->fits && candidate->meets_deadline);
    assay_json_bool(json, "eligible", candidate->eligible);
    write_estimate(json, &decision->resolved->workload, candidate);
    assay_json_number(json, "memory_available_bytes", machine->device.hbm_bytes);
    assay_json_number(json, "days", f.days);
    assay_json_number_if(json, "hours_p10", work, candidate->hours.p10);
    assay_json_number_if(json, "hours_p90", work, candidate->hours.p90);
    assay_json_number(json, "energy_kwh", f.energy_kwh);
    const double joules[] = {f.token_j, f.token_p10_j, f.token_p90_j, f.token_packages_j};
    for (size_t i = 0; i < sizeof joules / sizeof joules[0]; i++) {
        assay_json_number(json, energy_key[decision->resolved->workload.net.sample != NULL][i],
                          joules[i]);
    }
    assay_json_number(json, "host_power_share", f.host_share);
    assay_json_number(json, "cost_total_usd", f.job_usd);
    assay_json_number(json, "cost_p10_usd", f.job_p10_usd);
    assay_json_number(json, "cost_p90_usd", f.job_p90_usd);
    assay_json_number(json, "cost_per_epoch_usd", f.epoch_usd);
    write_terms(json, "cost_terms_usd", candidate->point.job_term_usd, work);
    assay_json_number_if(json, "one_time_usd", work, candidate->point.one_time_usd);
    assay_json_number_if(json, "rate_usd_per_h", work, candidate->point.rate_usd_per_h);
    assay_json_number_if(json, "node_h_usd", candidate->fits, candidate->point.node_h_usd);
    assay_json_number_if(json, "tco_annuity_usd_per_year", candidate->fits,
                         candidate->point.annuity_usd_per_year);
    const bool stops = candidate->fits && candidate->point.stops > 0.0;
    assay_json_number_if(json, "goodput", candidate->fits, candidate->point.goodput);
    assay_json_number_if(json, "stops", candidate->fits, candidate->point.stops);
    assay_json_number_if(json, "stop_cost_s", stops, candidate->point.lost.stop_s);
    assay_json_number_if(json, "checkpoint_interval_s", stops, candidate->point.lost.interval_s);
    assay_json_number_if(json, "checkpoint_share", stops, candidate->point.lost.checkpoint_share);
    assay_json_number_if(json, "carbon_kg", work && candidate->point.carbon_kg > 0.0,
                         candidate->point.carbon_kg);
    assay_json_number_if(json, "move_calendar_days", candidate->fits && machine->needs_migration,
                         candidate->point.move_days);
    assay_json_number(json, "tco_usd", f.tco_usd);
    assay_json_number(json, "tco_p10_usd", f.tco_p10_usd);
    assay_json_number(json, "tco_p90_usd", f.tco_p90_usd);
    assay_json_number_if(json, "tco_cash_flow_usd", candidate->fits,
                         candidate->point.tco_cash_flow_usd);
    assay_json_number_if(json, "tco_article_usd", candidate->fits,
                         candidate->point.tco_article_usd);
    write_terms(json, "tco_terms_usd", candidate->point.tco_term_usd, candidate->fits);
    assay_json_number(json, "probability_cheapest", f.p_best);
    assay_json_number(json, "p_cheapest", f.p_best);
    const bool deadline = work && decision->resolved->workload.deadline_s > 0.0;
    assay_json_number_if(json, "probability_deadline", deadline, candidate->p_deadline);
    assay_json_pareto(json, "pareto", &candidate->plan);
    assay_json_refusals(view, json, "refusals", &candidate->plan);
    assay_json_end(json);
}

void assay_json_flips(assay_json_t *json, const assay_flip_t *flips, uint32_t n_flip) {
    assay_json_begin_array(json, "flips");
    for (uint32_t i = 0; i < n_flip; i++) {
        const assay_flip_t *flip = &flips[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "variable", flip->variable);
        assay_json_string(json, "candidate", flip->candidate);
        assay_json_string(json, "unit", flip->unit ? flip->unit : assay_dim_unit(flip->dim));
        assay_json_number(json, "now", flip->now);
        assay_json_number_if(json, "flip", flip->has_flip, flip->flip);
        assay_json_string(json, "sentence", flip->sentence);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void write_reasons(assay_json_t *json, const assay_decision_t *decision) {
    assay_json_begin_array(json, "reasons");
    for (uint32_t i = 0; i < decision->n_reason; i++) {
        const double usd = decision->reason[i].usd;
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "text", decision->reason[i].text);
        assay_json_number_if(json, "usd", fabs(usd) > 0.0, usd);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void write_rules(assay_json_t *json, const assay_decision_t *decision) {
    static const char *const state[] = {
        [ASSAY_RULE_YES] = "yes", [ASSAY_RULE_NO] = "no", [ASSAY_RULE_UNKNOWN] = "unknown"};
    assay_json_begin_array(json, "rules");
    for (uint32_t i = 0; i < decision->n_rule; i++) {
        const assay_rule_t *rule = &decision->rule[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "id", rule->id);
        assay_json_string(json, "group", rule->group);
        assay_json_string(json, "text", rule->text);
        assay_json_string(json, "state", state[rule->state]);
        assay_json_number_if(json, "value", rule->has_value, rule->value);
        assay_json_number(json, "threshold", rule->threshold);
        assay_json_string(json, "evidence", rule->evidence);
        assay_json_bool(json, "favours_move", rule->favours_move);
        assay_json_string(json, "source", rule->source);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_begin_object(json, "rules_verdict");
    assay_json_string(json, "sentence", decision->rules_sentence);
    assay_json_bool(json, "decided", decision->rules_decided);
    assay_json_bool(json, "agree", decision->rules_agree);
    assay_json_end(json);
}

void assay_json_notes(assay_json_t *json, const char *key, const assay_note_t *notes,
                      uint32_t n_note, assay_note_kind_t kind) {
    assay_json_begin_array(json, key);
    for (uint32_t i = 0; i < n_note; i++) {
        const assay_note_t *note = &notes[i];
        if (note->kind != kind) {
            continue;
        }
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "subject", note->subject);
        assay_json_string(json, "value", note->value);
        assay_json_string(json, "source", note->source);
        assay_json_string(json, "text", note->text);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void write_fx(assay_json_t *json, const assay_money_input_t *money) {
    assay_json_begin_object(json, "fx");
    assay_json_string(json, "currency", money->currency);
    assay_json_number_if(json, "rate", money->currency_per_usd > 0.0, money->currency_per_usd);
    assay_json_string(json, "date", money->fx_date);
    assay_json_string(json, "source", money->fx_source);
    assay_json_end(json);
}

/** What was asked, as far as the answer depends on it: no file names, no time of day. */
static void write_question(assay_json_t *json, const assay_resolved_t *resolved) {
    const assay_workload_t *work = &resolved->workload;
    assay_json_begin_object(json, "question");
    assay_json_string(json, "model", work->model.id);
    assay_json_number(json, "parameters", work->count.total);
    assay_json_number_if(json, work->net.sample ? "samples_trained" : "tokens", work->tokens > 0.0,
                         work->tokens);
    assay_json_number(json, "epochs", work->epochs);
    assay_json_sample(json, work);
    assay_json_count(json, "global_batch", work->global_batch);
    assay_json_string(json, "precision", assay_dtype_name(work->dtype));
    assay_json_number_if(json, "deadline_s", work->deadline_s > 0.0, work->deadline_s);
    assay_json_number(json, "years", resolved->money.years);
    assay_json_string(json, "tco_formula",
                      resolved->money.tco_formula == ASSAY_TCO_ARTICLE ? "article" : "cash_flow");
    assay_json_string(json, "prices", resolved->prices);
    assay_json_count(json, "samples", resolved->samples);
    assay_json_count(json, "seed", resolved->seed);
    assay_json_end(json);
}

void assay_decision_write_json(assay_view_t *view, const assay_decision_t *decision) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    write_verdict(&json, decision);
    assay_json_begin_array(&json, "candidates");
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        write_candidate(view, &json, decision, &decision->candidate[i]);
    }
    assay_json_end(&json);
    assay_json_flips(&json, decision->flip, decision->n_flip);
    write_reasons(&json, decision);
    write_rules(&json, decision);
    assay_json_notes(&json, "assumptions", decision->note, decision->n_note, ASSAY_NOTE_ASSUMPTION);
    assay_json_notes(&json, "warnings", decision->note, decision->n_note, ASSAY_NOTE_WARNING);
    assay_json_study(&json, decision->sensitivity);
    assay_json_mix(&json, decision);
    write_fx(&json, &decision->resolved->money);
    write_question(&json, decision->resolved);
    assay_json_job(&json, decision->resolved->document);
    assay_json_string(&json, "assay_version", assay_version());
    assay_json_end(&json);
}
