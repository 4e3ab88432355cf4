/* What was asked: the job's keys, the question, the currency, claims of articles; and the mix of
   ways to have the nodes over the job's load curve. */
#include "decide/explain_tree.h"

#include <string.h>

#include "base/banned.h"

#define TRAIN DECIDE_TRAINING
#define ANY (DECIDE_TRAINING | DECIDE_SERVING | DECIDE_IMAGES)

/* ---- the job ---- */

static explained_t question(explain_t *e) {
    static const struct {
        const char *name, *key, *unit;
    } of_work[] = {{"epochs", "epochs", "1"},
                   {"sequence", "sequence", "1"},
                   {"global_batch", "global_batch", "1"},
                   {"width", "image_size", "pixel"},
                   {"height", "image_size", "pixel"},
                   {"deadline_s", "deadline", "s"}},
      of_job[] = {{"years", "money.years", "year"},
                  {"samples", "analysis.samples", "1"},
                  {"seed", "analysis.seed", "1"}};
    const char *name = explain_last(e);
    const bool samples = e->resolved->workload.net.sample != NULL;
    if (strcmp(name, "parameters") == 0) {
        const assay_model_t *model = &e->resolved->workload.model;
        assay_explained_t *node = explain_model(
            e, name, e->path->value, "1", samples ? "assay/train_net.h" : "assay/model_ops.h");
        explain_say(node, "of", model->id, 0.0);
        return node;
    }
    if (strcmp(name, "tokens") == 0 || strcmp(name, "samples_trained") == 0) {
        return explain_tokens(e);
    }
    for (size_t k = 0; k < sizeof of_work / sizeof of_work[0]; k++) {
        if (strcmp(name, of_work[k].name) == 0) {
            return explain_work(e, name, e->path->value, of_work[k].unit, of_work[k].key);
        }
    }
    for (size_t k = 0; k < sizeof of_job / sizeof of_job[0]; k++) {
        if (strcmp(name, of_job[k].name) == 0) {
            return explain_key(e, name, e->path->value, of_job[k].unit, of_job[k].key);
        }
    }
    return NULL;
}

static explained_t currency(explain_t *e) {
    const assay_money_input_t *money = &e->resolved->money;
    return money->fx_source && strcmp(money->fx_source, "job") != 0
               ? explain_input(e, "rate", e->path->value, "1/USD", money->fx_source)
               : explain_key(e, "rate", e->path->value, "1/USD", "money.currency_per_usd");
}

/* ---- claims of articles ---- */

static explained_t claim(explain_t *e) {
    const assay_serving_decision_t *decision = e->explainer->of.serving;
    const uint32_t i = e->path->step[1].index;
    if (i >= decision->n_claim) {
        return NULL;
    }
    const assay_serving_claim_t *c = &decision->claim[i];
    const char *unit = c->claim->unit ? c->claim->unit : "1", *key = explain_last(e);
    explained_t claimed = explain_input(
        e, "claimed", c->claim->v, unit,
        explain_format(e, "claims.csv, %s %s: %s", c->claim->set, c->claim->id, c->claim->source));
    assay_explained_t *predicted =
        explain_model(e, "predicted", c->predicted, unit, "assay/serve_plan.h");
    explain_say(predicted, "rule", explain_format(e, "claim_serving.csv: %s", c->source), 0.0);
    return strcmp(key, "claimed") == 0 ? claimed
           : strcmp(key, "predicted") == 0
               ? predicted
               : explain_quotient(e, "factor", c->factor, "1", claimed, predicted);
}

/* ---- ways to have the nodes ---- */

static const assay_mix_t *mix_of(const explain_t *e) {
    const assay_decision_t *decision = e->explainer->of.training;
    const uint32_t i = e->path->step[1].index;
    return i < decision->n_mix ? &decision->mix[i] : NULL;
}

/* The supply that a key of the JSON names; -1: none. */
static int supply_of(const char *key) {
    static const char *const name[ASSAY_SUPPLY_N] = {[ASSAY_PRICING_ON_DEMAND] = "on_demand",
                                                     [ASSAY_PRICING_RESERVED_1Y] = "reserved_1y",
                                                     [ASSAY_PRICING_RESERVED_3Y] = "reserved_3y",
                                                     [ASSAY_PRICING_SPOT] = "spot",
                                                     [ASSAY_SUPPLY_OWNED] = "owned"};
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        if (strcmp(name[k], key) == 0) {
            return k;
        }
    }
    return -1;
}

static explained_t way_cost(explain_t *e, const assay_mix_t *m, int k, bool by_year) {
    const assay_fact_t *usd = &e->resolved->supply[m->machine - e->resolved->machine].usd[k];
    const char *name = by_year ? "usd_per_node_year" : "usd_per_node_h";
    assay_explained_t *node =
        explain_model(e, name, by_year ? m->cost[k].usd_per_year : m->cost[k].usd_per_h,
                      by_year ? "USD/year" : "USD/h", "assay/load_curve.h");
    explain_add(e, node,
                explain_input(e, k == ASSAY_SUPPLY_OWNED ? "price of a node" : "rent of a node",
                              usd->v, k == ASSAY_SUPPLY_OWNED ? "USD" : "USD/h",
                              usd->source ? usd->source : "job"));
    return node;
}

/* What so many nodes and node-hours cost one way. */
static explained_t way_usd(explain_t *e, const assay_mix_t *m, int k, double nodes, double node_h,
                           double usd) {
    assay_explained_t *year = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "by the year",
                                           nodes * m->cost[k].usd_per_year, "USD");
    assay_explained_t *hour =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "by the hour", node_h * m->cost[k].usd_per_h, "USD");
    explain_add(e, year, explain_model(e, "nodes", nodes, "1", "assay/load_curve.h"));
    explain_add(e, year, way_cost(e, m, k, true));
    explain_add(e, hour, explain_model(e, "node-hours", node_h, "h", "assay/load_curve.h"));
    explain_add(e, hour, way_cost(e, m, k, false));
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, explain_last(e), usd, "USD/year");
    explain_add(e, sum, year);
    explain_add(e, sum, hour);
    return sum;
}

/* Hours in use from which one way costs less than another. */
static explained_t even(explain_t *e, const assay_mix_t *m, int k, int other) {
    const assay_supply_cost_t *a = &m->cost[k], *b = &m->cost[other];
    explained_t more =
        explain_difference(e, "dearer to have", a->usd_per_year - b->usd_per_year, "USD/year",
                           way_cost(e, m, k, true), way_cost(e, m, other, true));
    explained_t less = explain_difference(e, "cheaper to use", b->usd_per_h - a->usd_per_h, "USD/h",
                                          way_cost(e, m, other, false), way_cost(e, m, k, false));
    if (a->usd_per_year > b->usd_per_year) {
        return explain_quotient(e, explain_last(e), e->path->value, "h", more, less);
    }
    assay_explained_t *node =
        explain_model(e, explain_last(e), e->path->value, "h", "assay/load_curve.h");
    explain_say(node, "rule", "no dearer to have: it is ahead from the start", 0.0);
    explain_add(e, node, more);
    explain_add(e, node, less);
    return node;
}

/* Slices of the load curve that a way serves, one of them, or all. */
static explained_t slices(explain_t *e, const char *unit) {
    assay_explained_t *node =
        explain_model(e, explain_last(e), e->path->value, unit, "assay/load_curve.h");
    const assay_node_t *money = assay_node_find(e->resolved->document, "money");
    const bool file = money && assay_node_find(money, "load_file");
    for (uint32_t i = 0; i < e->resolved->money.n_load && i < 8; i++) {
        const assay_load_step_t *step = &e->resolved->money.load[i];
        explain_add(e, node,
                    explain_key(e, EXPLAIN_SAY(e, LOAD_IN, explain_format(e, "%.10g", step->share)),
                                step->load, "1", file ? "money.load_file" : "money.load_curve"));
    }
    return node;
}

static explained_t mix(explain_t *e) {
    const assay_mix_t *m = mix_of(e);
    const char *key = explain_last(e);
    if (!m) {
        return NULL;
    }
    if (strcmp(key, "usd_per_year") != 0) {
        return slices(e, explain_unit(key));
    }
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, key, m->mix.usd, "USD/year");
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        if (m->mix.nodes[k] > 0.0) {
            explain_add(e, sum,
                        way_usd(e, m, k, m->mix.nodes[k], m->mix.node_h_of[k], m->mix.usd_of[k]));
        }
    }
    return sum;
}

static explained_t mix_way(explain_t *e) {
    const assay_mix_t *m = mix_of(e);
    const int k = supply_of(e->path->step[3].key ? e->path->step[3].key : "");
    const char *key = e->path->step[4].key;
    if (!m || k < 0) {
        return NULL;
    }
    if (strcmp(key, "cheaper_from_h") == 0) {
        const int other = supply_of(explain_last(e));
        return other < 0 ? NULL : even(e, m, k, other);
    }
    if (strcmp(key, "usd_per_node_year") == 0 || strcmp(key, "usd_per_node_h") == 0) {
        return way_cost(e, m, k, strcmp(key, "usd_per_node_year") == 0);
    }
    if (strcmp(key, "usd_per_year") == 0) {
        return way_usd(e, m, k, m->mix.nodes[k], m->mix.node_h_of[k], m->mix.usd_of[k]);
    }
    if (strcmp(key, "alone_usd_per_year") == 0) {
        return way_usd(e, m, k, m->mix.peak_nodes, m->mix.node_h, m->mix.alone_usd[k]);
    }
    return slices(e, explain_unit(key));
}

const explain_row_t explain_asked_row[] = {
    {"job.**", ANY, explain_job_key}, {"question.*", TRAIN, question},
    {"fx.rate", TRAIN, currency},     {"claims.*.*", DECIDE_SERVING, claim},
    {"mix.*.*", TRAIN, mix},          {"mix.*.ways.*.**", TRAIN, mix_way},
    {"mix.*.slices.*.*", TRAIN, mix},
};
const size_t explain_asked_n = sizeof explain_asked_row / sizeof explain_asked_row[0];
