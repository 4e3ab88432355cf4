/* Costs as trees: the flows of assay/money.h, spelled out. */
#include "decide/explain_tree.h"

#include <math.h>

#include "base/banned.h"

#define MODEL "assay/money.h"
#define JOB "job"

/* ---- inputs ---- */

static const char *fact_source(const assay_fact_t *fact) {
    return fact->known && fact->source ? fact->source : JOB;
}

static const char *draw_source(const explain_t *e, uint8_t draw) {
    const assay_money_input_t *money = &e->resolved->money;
    switch (draw) {
    case ASSAY_DRAW_ELECTRICITY:
        return fact_source(&money->electricity_usd_per_kwh);
    case ASSAY_DRAW_PUE:
        return fact_source(&money->pue);
    case ASSAY_DRAW_OPERATIONS:
        return fact_source(&money->ops_usd_per_year);
    case ASSAY_DRAW_LEVEL_1:
    case ASSAY_DRAW_LEVEL_2:
    case ASSAY_DRAW_LEVEL_3:
        return fact_source(&money->level_days[draw - ASSAY_DRAW_LEVEL_1]);
    case ASSAY_DRAW_RETROFIT:
        return fact_source(&e->machine->retrofit_usd_per_rack);
    case ASSAY_DRAW_CONTINGENCY:
        return fact_source(&money->contingency);
    default:
        return draw >= ASSAY_DRAW_OPTION ? fact_source(&money->option[draw - ASSAY_DRAW_OPTION])
                                         : MODEL;
    }
}

static const char *draw_unit(uint8_t draw) {
    switch (draw) {
    case ASSAY_DRAW_ELECTRICITY:
        return "USD/kWh";
    case ASSAY_DRAW_OPERATIONS:
        return "USD/year";
    case ASSAY_DRAW_LEVEL_1:
    case ASSAY_DRAW_LEVEL_2:
    case ASSAY_DRAW_LEVEL_3:
        return "person-day";
    case ASSAY_DRAW_RETROFIT:
        return "USD/rack";
    default:
        return draw < ASSAY_DRAW_OPTION ? "1" : "SI";
    }
}

/* A factor of 1 says nothing. */
static void add_factor(explain_t *e, assay_explained_t *product, uint8_t draw) {
    if (draw > ASSAY_DRAW_RESIDUAL || fabs(e->x[draw] - 1.0) > 0.0) {
        explain_add(product, explain_input(e, assay_draw_what((assay_draw_t)draw), e->x[draw],
                                           draw_unit(draw), draw_source(e, draw)));
    }
}

static explained_t nodes(explain_t *e) {
    return explain_input(e, "nodes", e->money_case->nodes, "1", JOB);
}

/* ---- hours ---- */

explained_t explain_hours(explain_t *e) {
    const assay_money_case_t *c = e->money_case;
    const double busy_h = e->point->hours * e->point->goodput;
    const bool samples = e->resolved->workload.net.sample != NULL;
    explained_t job;
    if (e->estimate && e->resolved->workload.tokens > 0.0 && !e->machine->measured_step_s.known) {
        assay_explained_t *per_h =
            explain_node(e, ASSAY_EXPLAIN_PRODUCT, samples ? "samples_per_h" : "tokens_per_h",
                         3600.0 * e->estimate->tokens_per_s, "1/h");
        explain_add(per_h, explain_tokens_per_s(e));
        explain_add(per_h, explain_input(e, "seconds an hour", 3600.0, "s/h", "definition"));
        job = explain_quotient(e, "job_h", c->job_h, "h",
                               explain_input(e, samples ? "samples" : "tokens",
                                             e->resolved->workload.tokens, "1", JOB),
                               per_h);
    } else {
        job = explain_input(e, "job_h", c->job_h, "h",
                            e->estimate ? "measured step" : "a month around the clock");
    }
    assay_explained_t *busy = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "useful hours", busy_h, "h");
    explain_add(busy, job);
    add_factor(e, busy, ASSAY_DRAW_STEP_COMMON);
    add_factor(e, busy, ASSAY_DRAW_STEP_OWN);
    return explain_quotient(e, "hours", e->point->hours, "h", busy,
                            e->point->stops > 0.0 ? explain_goodput(e)
                                                  : explain_input(e, "goodput", e->point->goodput,
                                                                  "1", "assay/goodput.h"));
}

/* 1 less what is lost to checkpoints, to stops, and to waiting for spot machines. */
explained_t explain_goodput(explain_t *e) {
    const assay_money_result_t *point = e->point;
    const double stops_per_s = point->stops / point->hours / 3600.0;
    const double stopped = stops_per_s * point->lost.stop_s;
    assay_explained_t *lost =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "less what stops cost", -stopped, "1");
    explain_add(lost, explain_input(e, "less", -1.0, "1", "definition"));
    explain_add(lost, explain_input(e, "stops a second", stops_per_s, "1/s",
                                    draw_source(e, ASSAY_DRAW_OF(MTBF))));
    explain_add(lost,
                explain_input(e, "what one costs", point->lost.stop_s, "s", "assay/goodput.h"));
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, "goodput", point->goodput, "1");
    explain_add(sum, explain_input(e, "all hours", 1.0, "1", "definition"));
    explain_add(sum, explain_input(e, "less writing checkpoints", -point->lost.checkpoint_share,
                                   "1", draw_source(e, ASSAY_DRAW_OF(CHECKPOINT))));
    explain_add(sum, lost);
    explain_add(sum, explain_input(e, "less waiting for machines",
                                   point->goodput - (1.0 - point->lost.checkpoint_share - stopped),
                                   "1", draw_source(e, ASSAY_DRAW_OF(SPOT_WAIT))));
    return sum;
}

explained_t explain_days(explain_t *e) {
    return explain_quotient(e, "days", e->point->days, "d", explain_hours(e),
                            explain_input(e, "hours a day", 24.0, "h/d", "definition"));
}

explained_t explain_energy(explain_t *e) {
    assay_explained_t *kwh =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "energy_kwh", e->point->energy_kwh, "kWh");
    explain_add(kwh, nodes(e));
    explain_add(kwh,
                explain_input(e, "power of a node", e->money_case->node_w, "W", "assay/physics.h"));
    explain_add(kwh, explain_input(e, "kilo", 1e-3, "kW/W", "definition"));
    add_factor(e, kwh, ASSAY_DRAW_POWER);
    add_factor(e, kwh, ASSAY_DRAW_PUE);
    explain_add(kwh, explain_hours(e));
    return kwh;
}

explained_t explain_joules_per_token(explain_t *e) {
    const double joules = 3.6e6 * e->point->energy_kwh;
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "energy", joules, "J");
    explain_add(all, explain_energy(e));
    explain_add(all, explain_input(e, "joules in a kWh", 3.6e6, "J/kWh", "definition"));
    return explain_quotient(e, "joules_per_token", joules / e->money_case->tokens, "J", all,
                            explain_input(e, "tokens", e->money_case->tokens, "1", JOB));
}

/* ---- flows ---- */

static bool is_priced(const assay_cashflow_t *flow) {
    return flow->term == ASSAY_TERM_CAPEX || flow->term == ASSAY_TERM_RESIDUAL ||
           flow->term == ASSAY_TERM_RENT;
}

/* What the flow is of, before drawn inputs. */
static void add_usd(explain_t *e, assay_explained_t *product, const assay_cashflow_t *flow) {
    const assay_money_case_t *c = e->money_case;
    if (is_priced(flow)) {
        const assay_fact_t *price = c->owned ? &e->machine->capex_usd : &e->machine->usd_per_h;
        explain_add(product, nodes(e));
        explain_add(product, explain_input(e, c->owned ? "price of a node" : "rent of a node",
                                           c->owned ? c->capex_usd : c->usd_per_h,
                                           c->owned ? "USD" : "USD/h", fact_source(price)));
        if (flow->term == ASSAY_TERM_RESIDUAL) {
            explain_add(product,
                        explain_input(e, "less what is left", -c->residual, "1", "money.residual"));
        }
    } else if (flow->term == ASSAY_TERM_ENERGY) {
        explain_add(product, nodes(e));
        explain_add(product,
                    explain_input(e, "power of a node", c->node_w, "W", "assay/physics.h"));
        explain_add(product, explain_input(e, "kilo", 1e-3, "kW/W", "definition"));
    } else {
        explain_add(product, explain_input(e, "amount", flow->usd, "USD", MODEL));
    }
}

/* 1/(hours that a year is used for). */
static explained_t used_year(explain_t *e, double over, const char *what, const char *unit,
                             double value) {
    const assay_money_case_t *c = e->money_case;
    const double u = c->owned ? c->utilisation : 1.0;
    assay_explained_t *year =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "used hours a year", ASSAY_HOURS_PER_YEAR * u, "h");
    explain_add(year, explain_input(e, "hours a year", ASSAY_HOURS_PER_YEAR, "h", "definition"));
    explain_add(year, explain_input(e, "utilisation", u, "1", "money.utilisation"));
    return explain_quotient(e, "share for an hour", value, "1/h",
                            explain_input(e, what, over, unit, MODEL), year);
}

static explained_t per_hour(explain_t *e, const assay_cashflow_t *flow) {
    const assay_money_case_t *c = e->money_case;
    switch (flow->when) {
    case ASSAY_WHEN_START:
        return used_year(e, 1.0 / e->flows.factor, "annuity of one USD", "1/year", flow->job_per_h);
    case ASSAY_WHEN_END:
        return used_year(e, e->flows.end / e->flows.factor, "annuity of one USD at the end",
                         "1/year", flow->job_per_h);
    case ASSAY_WHEN_FIXED:
    case ASSAY_WHEN_YEARLY:
        return used_year(e, 1.0, "a year", "1", flow->job_per_h);
    case ASSAY_WHEN_RENT: {
        assay_explained_t *paid = explain_node(e, ASSAY_EXPLAIN_MAX, "paid share",
                                               fmax(c->committed, c->utilisation), "1");
        explain_add(paid, explain_input(e, "committed", c->committed, "1", JOB));
        explain_add(paid,
                    explain_input(e, "utilisation", c->utilisation, "1", "money.utilisation"));
        return explain_quotient(
            e, "paid over used", flow->job_per_h, "1", paid,
            explain_input(e, "utilisation", c->utilisation, "1", "money.utilisation"));
    }
    default:
        return explain_input(e, "share for an hour", flow->job_per_h, "1/h", MODEL);
    }
}

static double amount_of(const explain_t *e, const assay_cashflow_t *flow) {
    double amount = flow->usd;
    for (uint32_t k = 0; k < flow->n_draw; k++) {
        amount *= e->x[flow->draw[k]];
    }
    return amount;
}

static explained_t job_weight(explain_t *e, const assay_cashflow_t *flow) {
    const double by_h = flow->job_per_h * e->point->hours;
    assay_explained_t *most =
        explain_node(e, ASSAY_EXPLAIN_MAX, "weight", fmax(flow->job_least, by_h), "1");
    if (flow->job_least > 0.0 || !(flow->job_per_h > 0.0)) {
        explain_add(most, explain_input(e, "at least", flow->job_least, "1", MODEL));
    }
    if (flow->job_per_h > 0.0) {
        assay_explained_t *product =
            explain_node(e, ASSAY_EXPLAIN_PRODUCT, "weight of the run", by_h, "1");
        explain_add(product, per_hour(e, flow));
        explain_add(product, explain_hours(e));
        explain_add(most, product);
    }
    return most;
}

static explained_t years_weight(explain_t *e, const assay_cashflow_t *flow) {
    const double run = flow->tco_times_h / e->point->hours;
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, "weight of the years", flow->tco + run, "1");
    explain_add(sum, explain_input(e, "present value of one", flow->tco, "1", MODEL));
    if (flow->tco_times_h > 0.0) {
        explain_add(
            sum, explain_quotient(e, "runs", run, "1",
                                  explain_input(e, "present hours", flow->tco_times_h, "h", MODEL),
                                  explain_hours(e)));
    }
    return sum;
}

static double flow_value(const explain_t *e, const assay_cashflow_t *flow, bool years) {
    const double hours = e->point->hours;
    return amount_of(e, flow) * (years ? flow->tco + flow->tco_times_h / hours
                                       : fmax(flow->job_least, flow->job_per_h * hours));
}

static assay_explained_t *flow_node(explain_t *e, const assay_cashflow_t *flow, bool years,
                                    double factor) {
    assay_explained_t *product =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, assay_term_what((assay_term_t)flow->term),
                     flow_value(e, flow, years) * factor, "USD");
    add_usd(e, product, flow);
    for (uint32_t k = 0; k < flow->n_draw; k++) {
        add_factor(e, product, flow->draw[k]);
    }
    explain_add(product, years ? years_weight(e, flow) : job_weight(e, flow));
    return product;
}

bool explain_has_term(const explain_t *e, assay_term_t term) {
    for (uint32_t k = 0; k < e->flows.n_flow; k++) {
        const assay_cashflow_t *flow = &e->flows.flow[k];
        if (flow->term == term || (term == ASSAY_TERM_TAX && flow->tax > 0.0)) {
            return true;
        }
    }
    return false;
}

explained_t explain_term(explain_t *e, assay_term_t term, bool years) {
    const double *value = years ? e->point->tco_term_usd : e->point->job_term_usd;
    const bool article =
        years && term == ASSAY_TERM_CAPEX && e->money_case->formula == ASSAY_TCO_ARTICLE;
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, assay_term_name(term), value[term], "USD");
    for (uint32_t k = 0; k < e->flows.n_flow; k++) {
        const assay_cashflow_t *flow = &e->flows.flow[k];
        if (flow->term == term) {
            assay_explained_t *node = flow_node(e, flow, years, article ? e->flows.end : 1.0);
            if (article) {
                explain_add(
                    node, explain_input(e, "discount to the end (A14)", e->flows.end, "1", MODEL));
            }
            explain_add(sum, node);
        } else if (term == ASSAY_TERM_TAX && flow->tax > 0.0) {
            assay_explained_t *node = flow_node(e, flow, years, -flow->tax);
            explain_add(node, explain_input(e, "less the tax on it", -flow->tax, "1", MODEL));
            explain_add(sum, node);
        }
    }
    return sum;
}

static explained_t all_terms(explain_t *e, const char *name, double value, bool years) {
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, name, value, "USD");
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        if (explain_has_term(e, (assay_term_t)k)) {
            explain_add(sum, explain_term(e, (assay_term_t)k, years));
        }
    }
    return sum;
}

explained_t explain_job(explain_t *e) {
    return all_terms(e, "cost_total_usd", e->point->job_usd, false);
}

explained_t explain_epoch(explain_t *e) {
    return explain_quotient(e, "cost_per_epoch_usd", e->point->per_epoch_usd, "USD", explain_job(e),
                            explain_input(e, "epochs", e->money_case->epochs, "1", JOB));
}

explained_t explain_tco(explain_t *e) {
    return all_terms(e, "tco_usd", e->point->tco_usd, true);
}

explained_t explain_rate(explain_t *e) {
    assay_explained_t *running = explain_node(e, ASSAY_EXPLAIN_SUM, "running cost",
                                              e->point->job_usd - e->point->one_time_usd, "USD");
    explain_add(running, explain_job(e));
    explain_add(running,
                explain_input(e, "less what is paid once", -e->point->one_time_usd, "USD", MODEL));
    return explain_quotient(e, "rate_usd_per_h", e->point->rate_usd_per_h, "USD/h", running,
                            explain_hours(e));
}
