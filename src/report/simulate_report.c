/* What became of simulated requests. */
#include <math.h>

#include "report/write.h"

#include "base/banned.h"

typedef struct {
    const char *key, *name;
    const assay_sim_histogram_t *histogram;
} row_t;

enum { N_ROW = 5 };

static void rows_of(const assay_sim_result_t *result, row_t out[N_ROW]) {
    out[0] = (row_t){"ttft", "TTFT", &result->ttft};
    out[1] = (row_t){"tpot", "TPOT", &result->tpot};
    out[2] = (row_t){"itl", "ITL", &result->itl};
    out[3] = (row_t){"e2e", "E2E", &result->e2e};
    out[4] = (row_t){"queue", NULL, &result->queue};
}

static const double shares[] = {.5, .9, .95, .99, .999};
enum { N_SHARE = sizeof shares / sizeof shares[0] };

/* Fewer independent requests than that beyond a percentile do not support it. */
#define LEAST_BEYOND 10.0
/* Parts at the end whose mean is so much longer than that of parts in the middle: it grows. */
#define GROWTH 1.5

/* A trace is what it is; of drawn requests there could have been others. */
static double support_of(const assay_simulated_t *s) {
    return s->serving->traffic.trace ? (double)s->result->requests
                                     : assay_sim_independent(s->result);
}

static bool is_supported(double independent, double share) {
    return independent * (1 - share) >= LEAST_BEYOND;
}

static double parts_mean(const assay_sim_parts_t *parts, int from, int to) {
    double sum_s = 0, n = 0;
    for (int i = from; i < to; i++) {
        sum_s += parts->sum_s[i];
        n += (double)parts->n[i];
    }
    return n > 0 ? sum_s / n : 0;
}

static bool grows(const assay_sim_result_t *r) {
    const int eighth = ASSAY_SIM_PARTS / 8;
    const double middle_s = parts_mean(&r->parts, 3 * eighth, 5 * eighth);
    const double end_s = parts_mean(&r->parts, 7 * eighth, ASSAY_SIM_PARTS);
    return end_s > GROWTH * middle_s && assay_sim_independent(r) < 0.01 * (double)r->requests;
}

/* All that were sent, answered or not. */
static double asked_of(const assay_sim_result_t *r) {
    return (double)(r->requests + r->abandoned + r->lost + r->refused);
}

static double joules_per_token(const assay_simulated_t *s) {
    const double watts = assay_serve_simulated_w(s->machine, s->serving, s->fleet, s->result);
    return watts * s->fleet->devices * s->result->duration_s / (double)s->result->output_tokens;
}

static void write_rate(assay_view_t *view, const assay_serve_rate_t *rate) {
    if (!rate->found) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SIMULATE_NO_RATE, assay_view_number(view, rate->too_high_per_s)));
        return;
    }
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                    SAY(view, SIMULATE_RATE, assay_view_number(view, rate->rate_per_s),
                        assay_view_number(view, rate->too_high_per_s),
                        assay_view_count(view, (double)rate->requests),
                        assay_view_count(view, (double)rate->over),
                        assay_view_count(view, (double)rate->allowed)));
}

/* What only some simulations have. */
static void write_more(assay_view_t *view, const assay_simulated_t *s) {
    const assay_sim_result_t *r = s->result;
    const double prompts = (double)(r->cached_tokens + r->prefilled_tokens);
    if (r->cached_tokens > 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SIMULATE_CACHE,
                            assay_view_percent(view, (double)r->cached_tokens / prompts),
                            assay_view_count(view, (double)r->evicted_blocks)));
    }
    if (r->abandoned > 0) {
        assay_text_wrap(
            view, ASSAY_STYLE_PLAIN, "  ",
            SAY(view, SIMULATE_ABANDONED, assay_view_count(view, (double)r->abandoned),
                assay_view_quantity(view, s->serving->traffic.timeout_s, ASSAY_DIM_TIME),
                assay_view_count(view, (double)r->wasted_tokens)));
    }
    if (r->moved + r->lost > 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SIMULATE_LOST, assay_view_count(view, (double)r->moved),
                            assay_view_count(view, (double)r->lost)));
    }
    if (r->output_tokens > 0) {
        const double watts = assay_serve_simulated_w(s->machine, s->serving, s->fleet, r);
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SIMULATE_POWER, assay_view_number(view, watts),
                            assay_view_number(view, joules_per_token(s))));
    }
    const double independent = support_of(s);
    const bool drawn = !s->serving->traffic.trace;
    if (grows(r)) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", SAY(view, SIMULATE_GROWS, ""));
    } else if (drawn && !is_supported(independent, shares[N_SHARE - 1])) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SIMULATE_SUPPORT, assay_view_count(view, floor(independent))));
    }
    if (s->rate) {
        write_rate(view, s->rate);
    }
}

static void write_one(assay_view_t *view, const assay_simulated_t *s) {
    const assay_sim_result_t *r = s->result;
    row_t row[N_ROW];
    assay_table_t *table = assay_view_table(view, 2 + N_SHARE);
    assay_table_column(table, 0, assay_view_message(view, ASSAY_MSG_SIMULATE_COLUMN_WHAT), "",
                       false);
    assay_table_column(table, 1, assay_view_message(view, ASSAY_MSG_SIMULATE_COLUMN_MEAN), "",
                       true);
    for (uint32_t k = 0; k < N_SHARE; k++) {
        assay_table_column(table, 2 + k,
                           assay_view_format(view, "p%s", assay_view_number(view, 100 * shares[k])),
                           "", true);
    }
    rows_of(r, row);
    const double independent = support_of(s);
    for (int i = 0; i < N_ROW; i++) {
        assay_table_row(table);
        assay_table_cell(
            table, 0, row[i].name ? row[i].name : assay_view_message(view, ASSAY_MSG_HEAD_QUEUE));
        assay_table_cell(
            table, 1,
            assay_view_quantity(view, assay_sim_mean_s(row[i].histogram), ASSAY_DIM_TIME));
        for (uint32_t k = 0; k < N_SHARE; k++) {
            const double at_s = assay_sim_quantile_s(row[i].histogram, shares[k]);
            assay_table_cell(table, 2 + k,
                             is_supported(independent, shares[k])
                                 ? assay_view_quantity(view, at_s, ASSAY_DIM_TIME)
                                 : "-");
        }
    }
    assay_text_heading(
        view, SAY(view, SIMULATE_HEADING, s->machine->id,
                  assay_view_format(view, "%u x TP%u", s->fleet->replicas, s->fleet->way.layout.tp),
                  assay_view_count(view, (double)r->requests)));
    assay_text_table(view, table, 0);
    const double replicas = s->fleet->replicas;
    const double groups = replicas * s->fleet->way.layout.pp;
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                    SAY(view, SIMULATE_TOKENS,
                        assay_view_number(view, (double)r->requests / r->duration_s),
                        assay_view_number(view, (double)r->output_tokens / r->duration_s),
                        assay_view_percent(view, r->busy_s / (groups * r->duration_s)),
                        assay_view_number(view, r->kv_token_s / (replicas * r->duration_s)),
                        assay_view_number(view, s->fleet->memory.tokens)));
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                    SAY(view, SIMULATE_EVENTS, assay_view_count(view, (double)r->preemptions),
                        assay_view_count(view, (double)r->refused)));
    const assay_serving_t *serving = s->serving;
    if (serving->ttft_p99_s > 0 || serving->tpot_p99_s > 0 || serving->e2e_p99_s > 0) {
        assay_text_wrap(
            view, ASSAY_STYLE_PLAIN, "  ",
            SAY(view, SIMULATE_GOOD, assay_view_percent(view, (double)r->good / asked_of(r))));
    }
    write_more(view, s);
}

void assay_simulated_write_text(assay_view_t *view, const assay_simulated_list_t *list) {
    for (uint32_t i = 0; i < list->n; i++) {
        write_one(view, &list->item[i]);
    }
}

static double share_of(double part, double all) {
    return all > 0 ? part / all : 0;
}

static void json_rate(assay_json_t *json, const assay_serve_rate_t *rate) {
    assay_json_begin_object(json, "largest_rate");
    assay_json_number_if(json, "requests_per_s", rate->found, rate->rate_per_s);
    assay_json_number(json, "too_high_per_s", rate->too_high_per_s);
    assay_json_count(json, "requests", rate->requests);
    assay_json_count(json, "over", rate->over);
    assay_json_count(json, "allowed", rate->allowed);
    assay_json_number(json, "share", ASSAY_SERVE_RATE_SHARE);
    assay_json_number(json, "confidence", ASSAY_SERVE_RATE_CONFIDENCE);
    assay_json_number(json, "independent_requests", rate->independent);
    assay_json_count(json, "runs", rate->runs);
    assay_json_end(json);
}

void assay_simulated_write_json(assay_view_t *view, const assay_simulated_list_t *list) {
    static const char *const key[N_SHARE] = {"p50_s", "p90_s", "p95_s", "p99_s", "p999_s"};
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "candidates");
    for (uint32_t i = 0; i < list->n; i++) {
        const assay_simulated_t *s = &list->item[i];
        const assay_sim_result_t *r = s->result;
        row_t row[N_ROW];
        const double independent = support_of(s);
        rows_of(r, row);
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "id", s->machine->id);
        assay_json_count(&json, "replicas", s->fleet->replicas);
        assay_json_count(&json, "tp", s->fleet->way.layout.tp);
        assay_json_count(&json, "pp", s->fleet->way.layout.pp);
        assay_json_count(&json, "requests", r->requests);
        for (int k = 0; k < N_ROW; k++) {
            assay_json_begin_object(&json, row[k].key);
            assay_json_number(&json, "mean_s", assay_sim_mean_s(row[k].histogram));
            for (uint32_t q = 0; q < N_SHARE; q++) {
                assay_json_number_if(&json, key[q], is_supported(independent, shares[q]),
                                     assay_sim_quantile_s(row[k].histogram, shares[q]));
            }
            assay_json_end(&json);
        }
        assay_json_number(&json, "requests_per_s", (double)r->requests / r->duration_s);
        assay_json_number(&json, "output_tokens_per_s", (double)r->output_tokens / r->duration_s);
        assay_json_number(&json, "goodput_requests_per_s", (double)r->good / r->duration_s);
        assay_json_number(&json, "busy_share",
                          r->busy_s / (s->fleet->replicas * (double)s->fleet->way.layout.pp) /
                              r->duration_s);
        assay_json_count(&json, "preemptions", r->preemptions);
        assay_json_count(&json, "refused", r->refused);
        assay_json_count(&json, "abandoned", r->abandoned);
        assay_json_count(&json, "moved", r->moved);
        assay_json_count(&json, "lost", r->lost);
        assay_json_number(
            &json, "cached_share",
            share_of((double)r->cached_tokens, (double)(r->cached_tokens + r->prefilled_tokens)));
        assay_json_count(&json, "evicted_blocks", r->evicted_blocks);
        assay_json_count(&json, "peak_blocks", r->peak_blocks);
        assay_json_number(&json, "kv_tokens",
                          share_of(r->kv_token_s, s->fleet->replicas * r->duration_s));
        assay_json_count(&json, "wasted_tokens", r->wasted_tokens);
        assay_json_number(&json, "device_w",
                          assay_serve_simulated_w(s->machine, s->serving, s->fleet, r));
        assay_json_number_if(&json, "device_j_per_output_token", r->output_tokens > 0,
                             joules_per_token(s));
        assay_json_number(&json, "independent_requests", assay_sim_independent(r));
        assay_json_bool(&json, "queue_grows", grows(r));
        if (s->rate) {
            json_rate(&json, s->rate);
        }
        assay_json_count(&json, "steps", r->steps);
        assay_json_number(&json, "duration_s", r->duration_s);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}
