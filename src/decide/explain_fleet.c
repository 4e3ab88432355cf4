/* Fleets that serve: how many replicas of which layout, what they give, what a token costs. */
#include "decide/explain_tree.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

#define PLAN "assay/serve_plan.h"
#define SERVE DECIDE_SERVING
#define PER_MILLION 1e6

static const assay_serving_t *demand(const explain_t *e) {
    return e->serving->serving;
}

static bool is_loop(const explain_t *e) {
    return demand(e)->rate_per_s <= 0.0;
}

/* ---- what is asked ---- */

/* Requests a second of each model. */
static explained_t rate(explain_t *e) {
    const assay_serve_fleet_t *f = e->fleet;
    if (!is_loop(e)) {
        return explain_work(e, "requests a second", demand(e)->rate_per_s, "1/s", "rate");
    }
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "requests a second",
                                          f->rate_per_s * f->replicas, "1/s");
    explain_add(e, all, explain_model(e, "of a replica", f->rate_per_s, "1/s", PLAN));
    explain_add(e, all, explain_model(e, "replicas", f->replicas, "1", PLAN));
    return all;
}

static explained_t saturation(explain_t *e) {
    const assay_device_t *device = &e->machine->device;
    assay_explained_t *node = explain_model(
        e, "saturation_requests_per_s", e->fleet->saturation_per_s, "1/s", "assay/serve_step.h");
    const assay_dtype_t dtype = demand(e)->gemm_dtype;
    explain_add(e, node,
                explain_part(e, "peak of a device, dense", device->peak_flops[dtype], "FLOP/s",
                             &e->machine->accelerator->peak_flops[dtype]));
    explain_add(e, node,
                explain_part(e, "memory rate of a device", device->hbm_bytes_per_s, "B/s",
                             &e->machine->accelerator->hbm_bytes_per_s));
    explain_add(e, node,
                explain_work(e, "input_tokens", demand(e)->input_tokens, "1", "input_tokens"));
    explain_add(e, node,
                explain_work(e, "output_tokens", demand(e)->output_tokens, "1", "output_tokens"));
    return node;
}

/* ---- the way ---- */

static double tco_of(const explain_t *e, const assay_serve_fleet_t *fleet) {
    assay_serving_candidate_t candidate = *e->serving;
    candidate.fleet = fleet;
    fleet_t priced = fleet_of_serving(&candidate);
    fleet_price(&e->explainer->ctx, &priced);
    return priced.point.tco_usd;
}

static const char *way_text(explain_t *e, const assay_serve_way_t *way) {
    return explain_format(e, "tp=%u pp=%u ep=%u max_num_seqs=%u max_batch_tokens=%u",
                          way->layout.tp, way->layout.pp, way->layout.ep > 1 ? way->layout.ep : 1u,
                          way->max_sequences, way->token_budget);
}

static explained_t priced(explain_t *e, const char *which, const assay_serve_fleet_t *fleet,
                          double usd) {
    assay_explained_t *node = explain_model(e, which, usd, "USD", "assay/money.h");
    explain_say(node, "layout", way_text(e, &fleet->way), 0.0);
    explain_say(node, "replicas", NULL, fleet->replicas);
    return node;
}

/* Of the fleets that serve the one after e's, by cost. NULL: none. */
static const assay_serve_fleet_t *next_fleet(const explain_t *e, double *out_usd) {
    const assay_serve_fleets_t *fleets = &e->serving->fleets;
    const assay_serve_fleet_t *next = NULL;
    for (uint32_t i = 0; i < fleets->n_fleet; i++) {
        const assay_serve_fleet_t *f = &fleets->fleet[i];
        if (f == e->serving->fleet || f->verdict != ASSAY_SERVE_FLEET_FITS ||
            f->simulated != e->serving->fleet->simulated) {
            continue;
        }
        const double usd = tco_of(e, f);
        if (!next || usd < *out_usd) {
            next = f;
            *out_usd = usd;
        }
    }
    return next;
}

static explained_t way(explain_t *e) {
    const bool paid = strcmp(e->path->step[2].key, "fleet") == 0;
    const char *key = explain_last(e);
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SEARCH, key, e->path->value, "1");
    explain_say(node, "rule",
                paid ? "least TCO of the layouts that keep the limits"
                     : "of this layout the way that takes the most requests within the limits",
                0.0);
    explain_say(node, "compared", NULL,
                paid ? (double)e->serving->fleets.n_fleet : (double)e->serving->fleets.n_ways);
    if (!paid) {
        explain_add(
            e, node,
            explain_model(e, "requests_per_s_per_replica", e->fleet->rate_per_s, "1/s", PLAN));
        return node;
    }
    double usd = 0.0;
    const assay_serve_fleet_t *next = next_fleet(e, &usd);
    explain_add(e, node, priced(e, "tco_usd of it", e->fleet, e->point->tco_usd));
    explain_add(e, node, next ? priced(e, "tco_usd of the runner-up", next, usd) : NULL);
    return node;
}

/* ---- how many ---- */

static explained_t fewest(explain_t *e) {
    const char *key = explain_last(e);
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SEARCH, key, e->path->value, "1");
    explain_say(node, "rule", "the fewest that serve the demand within the limits", 0.0);
    explain_add(e, node,
                is_loop(e) ? explain_work(e, "requests at a time", demand(e)->concurrency, "1",
                                          "concurrency")
                           : rate(e));
    explain_add(e, node, explain_model(e, "of a replica", e->fleet->rate_per_s, "1/s", PLAN));
    return node;
}

static explained_t replicas(explain_t *e) {
    const assay_serve_fleet_t *f = e->fleet;
    const double of = demand(e)->rate_per_s / f->rate_per_s;
    const bool divided = f->prefill_replicas == 0 && !is_loop(e) &&
                         fabs(fmax(1.0, ceil(of - 1e-9)) - f->replicas) < 0.5;
    if (!divided) {
        return fewest(e);
    }
    assay_explained_t *whole = explain_node(e, ASSAY_EXPLAIN_CEILING, "replicas", f->replicas, "1");
    explain_add(e, whole,
                explain_quotient(
                    e, "of the demand", of, "1", rate(e),
                    explain_model(e, "requests_per_s_per_replica", f->rate_per_s, "1/s", PLAN)));
    return whole;
}

static double devices_of(const assay_serve_way_t *way) {
    return (double)way->layout.tp * way->layout.pp;
}

static explained_t group(explain_t *e, const char *name, double replicas,
                         const assay_serve_way_t *way) {
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, name, replicas * devices_of(way), "1");
    explain_add(e, all, explain_model(e, "replicas", replicas, "1", PLAN));
    explain_add(e, all, explain_model(e, "tp", way->layout.tp, "1", PLAN));
    explain_add(e, all, explain_model(e, "pp", way->layout.pp, "1", PLAN));
    return all;
}

/* Models that have devices of their own. */
static double copies_of(const explain_t *e) {
    return e->fleet->way.shared ? 1.0 : fmax(1.0, demand(e)->models_per_host);
}

static explained_t devices(explain_t *e) {
    const assay_serve_fleet_t *f = e->fleet;
    const double copies = copies_of(e);
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, "devices of a model", f->devices / copies, "1");
    explain_add(e, sum, group(e, "of all replicas", f->replicas, &f->way));
    if (f->prefill_replicas > 0) {
        explain_add(e, sum, group(e, "for prompts alone", f->prefill_replicas, &f->prefill_way));
    }
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "devices", f->devices, "1");
    explain_add(
        e, all,
        explain_work(e, "models that have devices of their own", copies, "1", "models_per_host"));
    explain_add(e, all, sum);
    return all;
}

/* Whole nodes for so many replicas, which do not straddle nodes where one holds them. */
static explained_t nodes_for(explain_t *e, double replicas, double size) {
    const double per_node = e->machine->devices_per_node;
    const double nodes = assay_serve_nodes(e->machine, replicas, size);
    explained_t count = explain_model(e, "replicas", replicas, "1", PLAN);
    explained_t of_node = explain_input(e, "devices of a node", per_node, "1",
                                        EXPLAIN_SAY(e, CATALOG, e->machine->accelerator->id));
    explained_t of_replica = explain_model(e, "devices of a replica", size, "1", PLAN);
    assay_explained_t *whole;
    if (size > per_node) {
        assay_explained_t *each = explain_node(e, ASSAY_EXPLAIN_CEILING, "nodes of a replica",
                                               ceil(size / per_node), "1");
        explain_add(e, each,
                    explain_quotient(e, "of a node", size / per_node, "1", of_replica, of_node));
        whole = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "nodes", nodes, "1");
        explain_add(e, whole, count);
        explain_add(e, whole, each);
        return whole;
    }
    assay_explained_t *in_node =
        explain_model(e, "replicas in a node", floor(per_node / size), "1", PLAN);
    explain_add(e, in_node, of_node);
    explain_add(e, in_node, of_replica);
    whole = explain_node(e, ASSAY_EXPLAIN_CEILING, "nodes", nodes, "1");
    explain_add(
        e, whole,
        explain_quotient(e, "of a node", replicas / floor(per_node / size), "1", count, in_node));
    return whole;
}

static explained_t nodes(explain_t *e) {
    const assay_serve_fleet_t *f = e->fleet;
    const double one = devices_of(&f->way), other = devices_of(&f->prefill_way);
    const double copies = copies_of(e), prompts = copies * f->prefill_replicas;
    if (f->prefill_replicas == 0 || fabs(one - other) < 1.0) {
        return nodes_for(e, copies * f->replicas + prompts, one);
    }
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, "nodes", f->nodes, "1");
    explain_add(e, sum, nodes_for(e, copies * f->replicas, one));
    explain_add(e, sum, nodes_for(e, prompts, other));
    return sum;
}

/* ---- how fast ---- */

/* What may take how long; where nothing may, what is planned for all the same. */
static void add_limits(explain_t *e, assay_explained_t *node) {
    const assay_serving_t *serving = demand(e);
    const struct {
        const char *name, *key;
        double s;
    } limit[] = {{"limit of ttft, p99", "slo.ttft_p99", serving->ttft_p99_s},
                 {"limit of tpot, p99", "slo.tpot_p99", serving->tpot_p99_s},
                 {"limit of itl, p99", "slo.itl_p99", serving->itl_p99_s},
                 {"limit of e2e, p99", "slo.e2e_p99", serving->e2e_p99_s}};
    for (size_t k = 0; k < sizeof limit / sizeof limit[0]; k++) {
        if (limit[k].s > 0.0) {
            explain_add(e, node, explain_work(e, limit[k].name, limit[k].s, "s", limit[k].key));
        }
    }
    explain_add(e, node, explain_input(e, "most, without limits", 0.9, "1", PLAN));
}

static explained_t of_replica(explain_t *e) {
    const assay_serve_fleet_t *f = e->fleet;
    if (is_loop(e) && demand(e)->concurrency > 0.0) {
        assay_explained_t *node = explain_model(e, "requests_per_s_per_replica", f->rate_per_s,
                                                "1/s", "assay/simulate.h");
        explain_add(
            e, node,
            explain_work(e, "requests at a time", demand(e)->concurrency, "1", "concurrency"));
        return node;
    }
    const double share = f->rate_per_s / f->saturation_per_s;
    assay_explained_t *load = explain_node(e, ASSAY_EXPLAIN_SEARCH, "load", share, "1");
    explain_say(load, "rule",
                "the largest whose percentiles keep the limits, by bisection; at most "
                "0.9 of saturation",
                0.0);
    explain_say(load, "compared", NULL, f->simulated ? 8.0 : 1.0);
    add_limits(e, load);
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "requests_per_s_per_replica", f->rate_per_s, "1/s");
    explain_add(e, all, saturation(e));
    explain_add(e, all, load);
    return all;
}

static explained_t load(explain_t *e) {
    const assay_serve_fleet_t *f = e->fleet;
    assay_explained_t *most = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "saturation of all",
                                           f->replicas * f->saturation_per_s, "1/s");
    explain_add(e, most, explain_model(e, "replicas", f->replicas, "1", PLAN));
    explain_add(e, most, saturation(e));
    return explain_quotient(e, "load", f->load, "1", rate(e), most);
}

static explained_t percentile(explain_t *e) {
    const char *key = explain_last(e); /* "p50_s" */
    const char *of = e->path->step[e->path->n - 2].key;
    const char *statistic = strncmp(key, "p50", 3) == 0   ? "quantile 0.5"
                            : strncmp(key, "p90", 3) == 0 ? "quantile 0.9"
                                                          : "quantile 0.99";
    if (!e->fleet->simulated) {
        assay_explained_t *node = explain_model(e, of, e->path->value, "s", PLAN);
        explain_say(node, "statistic", statistic, 0.0);
        explain_add(e, node, load(e));
        return node;
    }
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SAMPLE, of, e->path->value, "s");
    explain_say(node, "statistic", statistic, 0.0);
    explain_say(node, "of", EXPLAIN_SAY(e, OF_REQUESTS, of), 0.0);
    explain_say(node, "points", NULL, ASSAY_SERVE_FLEET_REQUESTS);
    explain_say(node, "sequence",
                is_loop(e) ? "clients of a closed loop; assay/simulate.h"
                           : "arrivals of a Poisson process; assay/simulate.h",
                0.0);
    explain_say(node, "seed", NULL, 1.0);
    explain_say(node, "command", explain_command(e), 0.0);
    explain_add(e, node, rate(e));
    explain_add(e, node,
                explain_work(e, "input_tokens", demand(e)->input_tokens, "1", "input_tokens"));
    explain_add(e, node,
                explain_work(e, "output_tokens", demand(e)->output_tokens, "1", "output_tokens"));
    return node;
}

static explained_t output(explain_t *e) {
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "output_tokens_per_s",
                                          e->fleet->output_tokens_per_s, "1/s");
    explain_add(e, all, rate(e));
    explain_add(e, all,
                explain_work(e, "output_tokens", demand(e)->output_tokens, "1", "output_tokens"));
    explain_add(
        e, all,
        explain_work(e, "models", fmax(1.0, demand(e)->models_per_host), "1", "models_per_host"));
    return all;
}

static explained_t per_device(explain_t *e) {
    return explain_quotient(e, "output_tokens_per_s_per_device",
                            e->fleet->output_tokens_per_s_per_device, "1/s", output(e), devices(e));
}

static explained_t per_user(explain_t *e) {
    return explain_quotient(e, "output_tokens_per_s_per_user",
                            e->fleet->output_tokens_per_s_per_user, "1/s",
                            explain_constant(e, "one token", 1.0, "1"),
                            explain_model(e, "tpot.p50_s", e->fleet->tpot.p50_s, "s",
                                          e->fleet->simulated ? "assay/simulate.h" : PLAN));
}

/* What the closed form says, with what it reads. */
static explained_t cache(explain_t *e) {
    assay_explained_t *node =
        explain_model(e, "kv_tokens", e->fleet->memory.tokens, "1", "assay/serve_memory.h");
    explain_add(e, node,
                explain_part(e, "memory of a device", e->machine->device.hbm_bytes, "B",
                             &e->machine->accelerator->hbm_bytes));
    explain_add(e, node,
                explain_model(e, "bytes of a token", e->fleet->memory.kv_bytes_per_token, "B",
                              "assay/serve_memory.h"));
    return node;
}

static explained_t device_power(explain_t *e) {
    assay_explained_t *node =
        explain_model(e, "device_w", e->fleet->device_w, "W", "assay/physics.h");
    explain_add(e, node, explain_model(e, "busy", e->fleet->busy, "1", PLAN));
    if (e->machine->package_cap_w.known) {
        explain_add(e, node,
                    explain_part(e, "cap of an accelerator", e->machine->package_cap_w.v, "W",
                                 &e->machine->package_cap_w));
    }
    return node;
}

static explained_t interval(explain_t *e) {
    return explain_interval(e, ASSAY_CALIB_SERVE_SIGMA, demand(e)->gemm_dtype,
                            "assay/serve_step.h");
}

static explained_t transfer(explain_t *e) {
    return explain_model(e, "kv_transfer_s", e->fleet->transfer_s, "s", PLAN);
}

/* ---- fleets of a candidate ---- */

static const explain_row_t fleet_row[] = {
    {"tp", SERVE, way},
    {"pp", SERVE, way},
    {"ep", SERVE, way},
    {"max_num_seqs", SERVE, way},
    {"max_batch_tokens", SERVE, way},
    {"replicas", SERVE, replicas},
    {"prefill_replicas", SERVE, fewest},
    {"prefill.kv_transfer_s", SERVE, transfer},
    {"prefill.*", SERVE, way},
    {"devices", SERVE, devices},
    {"nodes", SERVE, nodes},
    {"saturation_requests_per_s", SERVE, saturation},
    {"requests_per_s_per_replica", SERVE, of_replica},
    {"load", SERVE, load},
    {"ttft.*", SERVE, percentile},
    {"tpot.*", SERVE, percentile},
    {"itl.*", SERVE, percentile},
    {"e2e.*", SERVE, percentile},
    {"output_tokens_per_s", SERVE, output},
    {"output_tokens_per_s_per_device", SERVE, per_device},
    {"output_tokens_per_s_per_user", SERVE, per_user},
    {"kv_tokens", SERVE, cache},
    {"device_w", SERVE, device_power},
    {"rel_p10", SERVE, interval},
    {"rel_p90", SERVE, interval},
};

static explained_t fleet_at(explain_t *e, const assay_serve_fleet_t *fleet, uint32_t depth) {
    e->fleet = fleet;
    return explain_match(e, fleet_row, sizeof fleet_row / sizeof fleet_row[0], depth);
}

static explained_t paid_fleet(explain_t *e) {
    return fleet_at(e, e->serving->fleet, 3);
}

static explained_t smallest_fleet(explain_t *e) {
    return fleet_at(e, &e->serving->fleets.fleet[0], 3);
}

static explained_t layout(explain_t *e) {
    const uint32_t i = e->path->step[3].index;
    return i < e->serving->fleets.n_fleet ? fleet_at(e, &e->serving->fleets.fleet[i], 4) : NULL;
}

static explained_t front(explain_t *e) {
    static const char *const given[] = {"running", "output_tokens_per_s_per_device",
                                        "output_tokens_per_s_per_user"};
    const uint32_t i = e->path->step[3].index;
    if (i >= e->serving->fleets.n_pareto) {
        return NULL;
    }
    const assay_serve_pareto_t *p = &e->serving->fleets.pareto[i];
    const char *key = explain_last(e);
    for (size_t k = 0; k < sizeof given / sizeof given[0]; k++) {
        if (strcmp(key, given[k]) == 0) {
            assay_explained_t *node =
                explain_model(e, key, e->path->value, explain_unit(key), "assay/serve_step.h");
            explain_say(node, "layout", way_text(e, &p->way), 0.0);
            explain_add(e, node, explain_model(e, "running", p->running, "1", PLAN));
            return node;
        }
    }
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SEARCH, key, e->path->value, "1");
    explain_say(node, "rule", "no other way gives a device and a user as much", 0.0);
    explain_say(node, "compared", NULL, (double)e->serving->fleets.n_ways);
    explain_add(e, node,
                explain_model(e, "output_tokens_per_s_per_device", p->tokens_per_s_per_device,
                              "1/s", "assay/serve_step.h"));
    explain_add(e, node,
                explain_model(e, "output_tokens_per_s_per_user", p->tokens_per_s_per_user, "1/s",
                              "assay/serve_step.h"));
    return node;
}

static explained_t ways(explain_t *e) {
    assay_explained_t *node =
        explain_node(e, ASSAY_EXPLAIN_SEARCH, "ways_judged", e->path->value, "1");
    explain_say(node, "rule",
                "layouts, formats, token budgets and numbers of sequences that the "
                "job leaves open",
                0.0);
    explain_say(node, "compared", NULL, e->path->value);
    explain_add(e, node, explain_model(e, "layouts", e->serving->fleets.n_fleet, "1", PLAN));
    return node;
}

/* ---- what it costs ---- */

static explained_t usd_per_s(explain_t *e) {
    return explain_quotient(e, "cost of a second", e->point->rate_usd_per_h / 3600.0, "USD/s",
                            explain_rate(e), explain_constant(e, "seconds an hour", 3600.0, "s/h"));
}

/* A million of what comes at a rate, at so much a second. */
static explained_t per_million(explain_t *e, double value, explained_t cost, explained_t per_s) {
    assay_explained_t *many = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "cost times a million",
                                           PER_MILLION * (cost ? cost->value : 0.0), "USD/s");
    explain_add(e, many, explain_constant(e, "a million", PER_MILLION, "1"));
    explain_add(e, many, cost);
    return explain_quotient(e, explain_last(e), value, "USD", many, per_s);
}

static explained_t per_million_output(explain_t *e) {
    return per_million(e, e->serving->usd_per_million_output, usd_per_s(e), output(e));
}

/* Cost by the time that prompts take, of it what attends to cached input (or does not). */
static explained_t prompts(explain_t *e) {
    const double usd = e->point->rate_usd_per_h / 3600.0 * e->fleet->prefill_share;
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "cost of prompts", usd, "USD/s");
    explain_add(e, all, usd_per_s(e));
    explain_add(e, all, explain_model(e, "prefill share", e->fleet->prefill_share, "1", PLAN));
    return all;
}

static explained_t input_rate(explain_t *e, double tokens) {
    const double rate_per_s = e->fleet->input_tokens_per_s / demand(e)->input_tokens;
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "tokens a second", rate_per_s * tokens, "1/s");
    explain_add(e, all, explain_model(e, "requests a second", rate_per_s, "1/s", PLAN));
    explain_add(e, all, explain_work(e, "tokens of a prompt", tokens, "1", "input_tokens"));
    return all;
}

static explained_t per_million_prompts(explain_t *e, double value, double share, double tokens) {
    assay_explained_t *cost =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "cost of them",
                     e->point->rate_usd_per_h / 3600.0 * e->fleet->prefill_share * share, "USD/s");
    explain_add(e, cost, prompts(e));
    explain_add(e, cost, explain_model(e, "share of the prompts' time", share, "1", PLAN));
    return per_million(e, value, cost, input_rate(e, tokens));
}

static explained_t per_million_input(explain_t *e) {
    return per_million_prompts(e, e->serving->usd_per_million_input_apart,
                               1.0 - e->fleet->cached_share,
                               demand(e)->input_tokens - demand(e)->cached_tokens);
}

static explained_t per_million_cached(explain_t *e) {
    return per_million_prompts(e, e->serving->usd_per_million_cached_apart, e->fleet->cached_share,
                               demand(e)->cached_tokens);
}

static explained_t per_million_apart(explain_t *e) {
    const double all = e->point->rate_usd_per_h / 3600.0;
    return per_million(e, e->serving->usd_per_million_output_apart,
                       explain_difference(e, "cost of answers",
                                          all * (1.0 - e->fleet->prefill_share), "USD/s",
                                          usd_per_s(e), prompts(e)),
                       output(e));
}

static explained_t per_watt(explain_t *e) {
    return explain_per_watt(e, e->serving->tokens_per_s_per_w, output(e));
}

const explain_row_t explain_fleet_row[] = {
    {"candidates.*.fleet.**", SERVE, paid_fleet},
    {"candidates.*.smallest_fleet.**", SERVE, smallest_fleet},
    {"candidates.*.layouts.**", SERVE, layout},
    {"candidates.*.pareto.**", SERVE, front},
    {"candidates.*.ways_judged", SERVE, ways},
    {"candidates.*.month_usd", SERVE | DECIDE_IMAGES, explain_month},
    {"candidates.*.usd_per_million_output_tokens", SERVE, per_million_output},
    {"candidates.*.usd_per_million_input_tokens_apart", SERVE, per_million_input},
    {"candidates.*.usd_per_million_cached_tokens_apart", SERVE, per_million_cached},
    {"candidates.*.usd_per_million_output_tokens_apart", SERVE, per_million_apart},
    {"candidates.*.output_tokens_per_s_per_w", SERVE, per_watt},
};
const size_t explain_fleet_n = sizeof explain_fleet_row / sizeof explain_fleet_row[0];
