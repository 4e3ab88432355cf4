/* Costs as trees: the flows of assay/money.h, spelled out, and their sums by term. */
#include "decide/explain_tree.h"

#include <math.h>

#include "base/banned.h"

#define MODEL "assay/money.h"

/* ---- what a flow is of ---- */

static explained_t nodes(explain_t *e) {
    const double n = e->money_case->nodes;
    return e->serving || e->image
               ? explain_model(e, "nodes", n, "1",
                               e->serving ? "assay/serve_plan.h" : "assay/image_plan.h")
               : explain_key(e, "nodes", n, "1", "candidates[].nodes");
}

static explained_t price(explain_t *e) {
    const assay_money_case_t *c = e->money_case;
    return c->owned ? explain_fact(e, "price of a node", c->capex_usd, "USD",
                                   "candidates[].buy_usd", &e->machine->capex_usd)
                    : explain_fact(e, "rent of a node", c->usd_per_h, "USD/h",
                                   "candidates[].usd_per_h", &e->machine->usd_per_h);
}

static explained_t utilisation(explain_t *e, double u) {
    return !e->money_case->owned ? explain_constant(e, "rented for used hours alone", u, "1")
           : e->estimate || fabs(u - 1.0) > 0.0
               ? explain_key(e, "utilisation", u, "1", "money.utilisation")
               : explain_constant(e, "a fleet serves around the clock", u, "1");
}

static explained_t node_power(explain_t *e) {
    const double w = e->money_case->node_w;
    assay_explained_t *node = explain_model(e, "power of a node", w, "W", "assay/physics.h");
    if (e->machine->package_cap_w.known) {
        explain_add(e, node,
                    explain_part(e, "cap of an accelerator", e->machine->package_cap_w.v, "W",
                                 &e->machine->package_cap_w));
    }
    if (e->machine->host_w.known) {
        explain_add(e, node,
                    explain_fact(e, "host of a node", e->machine->host_w.v, "W",
                                 "candidates[].node_power_w", &e->machine->host_w));
    }
    return node;
}

static explained_t labour_day(explain_t *e) {
    return explain_key(e, "cost of a working day", e->money_case->labour_usd_per_day, "USD",
                       "migration.labour_usd_per_week");
}

static bool draws(const assay_cashflow_t *flow, uint8_t draw) {
    for (uint32_t k = 0; k < flow->n_draw; k++) {
        if (flow->draw[k] == draw) {
            return true;
        }
    }
    return false;
}

static bool draws_level(const assay_cashflow_t *flow) {
    return draws(flow, ASSAY_DRAW_LEVEL_1) || draws(flow, ASSAY_DRAW_LEVEL_2) ||
           draws(flow, ASSAY_DRAW_LEVEL_3);
}

static void add_capex(explain_t *e, assay_explained_t *product) {
    explain_add(e, product, nodes(e));
    explain_add(e, product, price(e));
}

static void add_kw(explain_t *e, assay_explained_t *product, bool nameplate) {
    const assay_money_case_t *c = e->money_case;
    explain_add(e, product, nodes(e));
    explain_add(e, product,
                nameplate && c->node_max_w > 0.0
                    ? explain_fact(e, "nameplate of a node", c->node_max_w, "W",
                                   "candidates[].node_power_w", &e->machine->node_nameplate_w)
                    : node_power(e));
    explain_add(e, product, explain_constant(e, "kilo", 1e-3, "kW/W"));
}

static void add_amount(explain_t *e, assay_explained_t *product, const assay_cashflow_t *flow) {
    explain_add(e, product, explain_model(e, "amount", flow->usd, "USD", MODEL));
}

/* Days of the move at what a day costs. */
static void add_days(explain_t *e, assay_explained_t *product, const assay_cashflow_t *flow) {
    const assay_money_case_t *c = e->money_case;
    if (flow->term == ASSAY_TERM_DEBT && !draws_level(flow)) {
        explain_add(e, product,
                    explain_key(e, "days a year", c->debt_days_per_year, "person-day",
                                "migration.debt_days_per_year"));
    } else if (!draws_level(flow)) {
        assay_explained_t *days = explain_node(e, ASSAY_EXPLAIN_QUOTIENT, "days of training",
                                               c->training_days, "person-day");
        assay_explained_t *hours = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "hours of training",
                                                c->training_days * ASSAY_LABOUR_HOURS_PER_DAY, "h");
        explain_add(e, hours,
                    explain_key(e, "hours for each engineer",
                                e->resolved->money.training_h_per_engineer, "h",
                                "migration.training_h_per_engineer"));
        explain_add(
            e, hours,
            explain_key(e, "engineers", e->resolved->money.engineers, "1", "migration.engineers"));
        explain_add(e, days, hours);
        explain_add(e, days,
                    explain_constant(e, "hours of a working day", ASSAY_LABOUR_HOURS_PER_DAY, "h"));
        explain_add(e, product, days);
    } else if (flow->term == ASSAY_TERM_DEBT) {
        explain_add(e, product,
                    explain_key(e, "debt over the work of the move",
                                e->money_case->central[ASSAY_DRAW_OF(DEBT_SHARE)], "1",
                                "money.debt_share"));
    }
    explain_add(e, product, labour_day(e));
}

/* What the flow is of, before drawn inputs. */
static void add_usd(explain_t *e, assay_explained_t *product, const assay_cashflow_t *flow) {
    const assay_money_case_t *c = e->money_case;
    switch ((assay_term_t)flow->term) {
    case ASSAY_TERM_CAPEX:
    case ASSAY_TERM_RENT:
    case ASSAY_TERM_SUPPORT:
    case ASSAY_TERM_DUTY:
    case ASSAY_TERM_PROPERTY_TAX:
        add_capex(e, product);
        return;
    case ASSAY_TERM_RESIDUAL:
        add_capex(e, product);
        explain_add(e, product,
                    explain_key(e, "less what is left", -c->residual, "1", "money.residual"));
        return;
    case ASSAY_TERM_NETWORK:
        if (draws(flow, ASSAY_DRAW_OF(NETWORK_SHARE))) {
            add_capex(e, product);
        } else {
            add_amount(e, product, flow);
        }
        return;
    case ASSAY_TERM_SPARES:
        if (flow->when == ASSAY_WHEN_START) {
            add_capex(e, product);
            explain_add(e, product,
                        explain_quotient(e, "kept for",
                                         c->central[ASSAY_DRAW_OF(SPARE_LEAD)] / 365.25, "year",
                                         explain_key(e, "days until a new one is there",
                                                     c->central[ASSAY_DRAW_OF(SPARE_LEAD)], "d",
                                                     "money.spare_lead_days"),
                                         explain_constant(e, "days a year", 365.25, "d")));
            return;
        }
        explain_add(e, product, explain_input(e, "accelerators", c->packages, "1", MODEL));
        return;
    case ASSAY_TERM_LICENCE:
        explain_add(e, product, explain_input(e, "accelerators", c->packages, "1", MODEL));
        return;
    case ASSAY_TERM_RETROFIT:
    case ASSAY_TERM_RACK:
        explain_add(e, product,
                    explain_key(e, "racks", c->racks, "1", "candidates[].nodes_per_rack"));
        return;
    case ASSAY_TERM_ENERGY:
        add_kw(e, product, false);
        return;
    case ASSAY_TERM_COLOCATION:
    case ASSAY_TERM_DEMAND:
        add_kw(e, product, true);
        explain_add(e, product, explain_constant(e, "months a year", 12.0, "1"));
        return;
    case ASSAY_TERM_MIGRATION_1:
    case ASSAY_TERM_MIGRATION_2:
    case ASSAY_TERM_MIGRATION_3:
    case ASSAY_TERM_TRAINING:
    case ASSAY_TERM_CONTINGENCY:
    case ASSAY_TERM_DEBT:
        add_days(e, product, flow);
        return;
    case ASSAY_TERM_OPERATIONS:
        return; /* the drawn input is the amount */
    default:
        add_amount(e, product, flow);
    }
}

/* A factor of 1 says nothing. */
static void add_factor(explain_t *e, assay_explained_t *product, uint8_t draw) {
    if (draw > ASSAY_DRAW_RESIDUAL || fabs(e->x[draw] - 1.0) > 0.0) {
        explain_add(e, product, explain_factor(e, draw));
    }
}

/* ---- hours ---- */

/* Hours of the job at the step that counts. */
static explained_t job_hours(explain_t *e) {
    const assay_workload_t *work = &e->resolved->workload;
    const assay_fact_t *measured = &e->machine->measured_step_s;
    const double job_h = e->money_case->job_h;
    if (!e->estimate) {
        return explain_quotient(e, "hours a month", job_h, "h",
                                explain_constant(e, "hours a year", ASSAY_HOURS_PER_YEAR, "h"),
                                explain_constant(e, "months a year", 12.0, "1"));
    }
    if (e->was && fabs(job_h - e->was->job_h) > 0.0) {
        return explain_input(e, "hours of the job", job_h, "h", "moved");
    }
    const double step_s = measured->known ? measured->v : e->estimate->step_s;
    explained_t step = measured->known ? explain_key(e, "measured step", step_s, "s",
                                                     "candidates[].measured.step_time")
                                       : explain_step(e);
    if (!(work->tokens > 0.0)) {
        return explain_quotient(e, "hours of a step", job_h, "h", step,
                                explain_constant(e, "seconds an hour", 3600.0, "s/h"));
    }
    const bool samples = work->net.sample != NULL;
    const double tokens = (double)work->global_batch * work->sequence;
    assay_explained_t *batch = explain_node(
        e, ASSAY_EXPLAIN_PRODUCT, samples ? "samples a step" : "tokens a step", tokens, "1");
    explain_add(e, batch, explain_work(e, "global_batch", work->global_batch, "1", "global_batch"));
    if (!samples) {
        explain_add(e, batch, explain_work(e, "sequence", work->sequence, "1", "sequence"));
    }
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "seconds of the job", job_h * 3600.0, "s");
    explain_add(e, all,
                explain_quotient(e, "steps", work->tokens / tokens, "1", explain_tokens(e), batch));
    explain_add(e, all, step);
    return explain_quotient(e, "hours of the job", job_h, "h", all,
                            explain_constant(e, "seconds an hour", 3600.0, "s/h"));
}

explained_t explain_hours(explain_t *e) {
    const double busy_h = e->point->hours * e->point->goodput;
    assay_explained_t *busy = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "useful hours", busy_h, "h");
    explain_add(e, busy, job_hours(e));
    add_factor(e, busy, ASSAY_DRAW_STEP_COMMON);
    add_factor(e, busy, ASSAY_DRAW_STEP_OWN);
    return explain_quotient(e, "hours", e->point->hours, "h", busy, explain_goodput(e));
}

/* 1 less what is lost to checkpoints, to stops, and to waiting for spot machines. */
explained_t explain_goodput(explain_t *e) {
    const assay_money_result_t *point = e->point;
    if (!(point->stops > 0.0)) {
        return explain_model(e, "goodput", point->goodput, "1", "assay/goodput.h");
    }
    const double stops_per_s = point->stops / point->hours / 3600.0;
    const double stopped = stops_per_s * point->lost.stop_s;
    assay_explained_t *lost =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "less what stops cost", -stopped, "1");
    explain_add(e, lost, explain_constant(e, "less", -1.0, "1"));
    explain_add(e, lost,
                explain_fact(e, "stops a second", stops_per_s, "1/s", "money.gpu_hours_per_stop",
                             &e->resolved->money.option[ASSAY_OPTION_MTBF]));
    explain_add(e, lost,
                explain_model(e, "what one costs", point->lost.stop_s, "s", "assay/goodput.h"));
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, "goodput", point->goodput, "1");
    explain_add(e, sum, explain_constant(e, "all hours", 1.0, "1"));
    explain_add(e, sum,
                explain_fact(e, "less writing checkpoints", -point->lost.checkpoint_share, "1",
                             "money.checkpoint_s",
                             &e->resolved->money.option[ASSAY_OPTION_CHECKPOINT]));
    explain_add(e, sum, lost);
    explain_add(e, sum,
                explain_fact(e, "less waiting for machines",
                             point->goodput - (1.0 - point->lost.checkpoint_share - stopped), "1",
                             "money.spot_wait_share",
                             &e->resolved->money.option[ASSAY_OPTION_SPOT_WAIT]));
    return sum;
}

explained_t explain_energy(explain_t *e) {
    assay_explained_t *kwh =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "energy", e->point->energy_kwh, "kWh");
    add_kw(e, kwh, false);
    add_factor(e, kwh, ASSAY_DRAW_POWER);
    add_factor(e, kwh, ASSAY_DRAW_PUE);
    explain_add(e, kwh, explain_hours(e));
    return kwh;
}

/* ---- weights ---- */

static explained_t present_value(explain_t *e, const char *name, double value) {
    assay_explained_t *node = explain_model(e, name, value, "1", MODEL);
    explain_add(e, node,
                explain_key(e, "discount rate", e->money_case->rate, "1", "money.discount_rate"));
    explain_add(e, node, explain_key(e, "years", e->money_case->years, "year", "money.years"));
    return node;
}

/* 1/(hours that a year is used for). */
static explained_t used_year(explain_t *e, double over, const char *what, double value) {
    const assay_money_case_t *c = e->money_case;
    const double u = c->owned ? c->utilisation : 1.0;
    assay_explained_t *year =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "used hours a year", ASSAY_HOURS_PER_YEAR * u, "h");
    explain_add(e, year, explain_constant(e, "hours a year", ASSAY_HOURS_PER_YEAR, "h"));
    explain_add(e, year, utilisation(e, u));
    return explain_quotient(e, "share for an hour", value, "1/h", present_value(e, what, over),
                            year);
}

static explained_t per_hour(explain_t *e, const assay_cashflow_t *flow) {
    const assay_money_case_t *c = e->money_case;
    switch (flow->when) {
    case ASSAY_WHEN_START:
        return used_year(e, 1.0 / e->flows.factor, "annuity of one USD", flow->job_per_h);
    case ASSAY_WHEN_END:
        return used_year(e, e->flows.end / e->flows.factor, "annuity of one USD at the end",
                         flow->job_per_h);
    case ASSAY_WHEN_FIXED:
    case ASSAY_WHEN_YEARLY:
        return used_year(e, 1.0, "a year", flow->job_per_h);
    case ASSAY_WHEN_RENT: {
        assay_explained_t *paid = explain_node(e, ASSAY_EXPLAIN_MAX, "paid share",
                                               fmax(c->committed, c->utilisation), "1");
        explain_add(e, paid,
                    explain_key(e, "committed", c->committed, "1", "candidates[].committed"));
        explain_add(e, paid,
                    explain_key(e, "utilisation", c->utilisation, "1", "money.utilisation"));
        return explain_quotient(
            e, "paid over used", flow->job_per_h, "1", paid,
            explain_key(e, "utilisation", c->utilisation, "1", "money.utilisation"));
    }
    default:
        return explain_model(e, "share for an hour", flow->job_per_h, "1/h", MODEL);
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
        explain_add(e, most, explain_model(e, "at least", flow->job_least, "1", MODEL));
    }
    if (flow->job_per_h > 0.0) {
        assay_explained_t *product =
            explain_node(e, ASSAY_EXPLAIN_PRODUCT, "weight of the run", by_h, "1");
        explain_add(e, product, per_hour(e, flow));
        explain_add(e, product, explain_hours(e));
        explain_add(e, most, product);
    }
    return most;
}

static explained_t years_weight(explain_t *e, const assay_cashflow_t *flow) {
    const double run = flow->tco_times_h / e->point->hours;
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, "weight of the years", flow->tco + run, "1");
    explain_add(e, sum, present_value(e, "present value of one", flow->tco));
    if (flow->tco_times_h > 0.0) {
        explain_add(e, sum,
                    explain_quotient(e, "runs", run, "1",
                                     present_value(e, "present hours", flow->tco_times_h),
                                     explain_hours(e)));
    }
    return sum;
}

static double flow_value(const explain_t *e, const assay_cashflow_t *flow, bool years) {
    const double hours = e->point->hours;
    return amount_of(e, flow) * (years ? flow->tco + flow->tco_times_h / hours
                                       : fmax(flow->job_least, flow->job_per_h * hours));
}

/* Without its weight. */
static assay_explained_t *amount_node(explain_t *e, const assay_cashflow_t *flow, double value) {
    assay_explained_t *product = explain_node(
        e, ASSAY_EXPLAIN_PRODUCT, assay_term_what((assay_term_t)flow->term), value, "USD");
    add_usd(e, product, flow);
    for (uint32_t k = 0; k < flow->n_draw; k++) {
        add_factor(e, product, flow->draw[k]);
    }
    return product;
}

static assay_explained_t *flow_node(explain_t *e, const assay_cashflow_t *flow, bool years,
                                    double factor) {
    assay_explained_t *product = amount_node(e, flow, flow_value(e, flow, years) * factor);
    explain_add(e, product, years ? years_weight(e, flow) : job_weight(e, flow));
    return product;
}

/* ---- terms ---- */

static const bool is_moving[ASSAY_TERM_N] = {
    [ASSAY_TERM_MIGRATION_1] = true, [ASSAY_TERM_MIGRATION_2] = true,
    [ASSAY_TERM_MIGRATION_3] = true, [ASSAY_TERM_TRAINING] = true,
    [ASSAY_TERM_DEBT] = true,        [ASSAY_TERM_CONTINGENCY] = true,
    [ASSAY_TERM_WAIT] = true};

/* Of a term without flows: why it costs nothing. */
static explained_t nothing(explain_t *e, assay_term_t term) {
    const char *name = assay_term_name(term);
    const bool of_rent = term == ASSAY_TERM_RENT || term == ASSAY_TERM_EGRESS;
    const bool of_both = term == ASSAY_TERM_OPERATIONS || term == ASSAY_TERM_STORAGE ||
                         term == ASSAY_TERM_LICENCE || term == ASSAY_TERM_CARBON ||
                         term == ASSAY_TERM_TAX;
    return is_moving[term] ? explain_key(e, name, 0.0, "USD", "candidates[].needs_migration")
           : e->money_case->owned && of_rent ? explain_constant(e, name, 0.0, "USD")
           : !e->money_case->owned && !of_rent && !of_both
               ? explain_input(e, name, 0.0, "USD", "the rent holds it")
               : explain_key(e, name, 0.0, "USD", explain_format(e, "money.terms.%s", name));
}

static bool has_term(const explain_t *e, assay_term_t term) {
    for (uint32_t k = 0; k < e->flows.n_flow; k++) {
        const assay_cashflow_t *flow = &e->flows.flow[k];
        if (flow->term == term || (term == ASSAY_TERM_TAX && flow->tax > 0.0)) {
            return true;
        }
    }
    return false;
}

explained_t explain_term_of(explain_t *e, assay_term_t term, bool years, bool article) {
    const double *value = years ? e->point->tco_term_usd : e->point->job_term_usd;
    const bool discounted = years && article && term == ASSAY_TERM_CAPEX;
    const bool as_summed = e->money_case->formula == ASSAY_TCO_ARTICLE;
    double usd = value[term];
    if (years && term == ASSAY_TERM_CAPEX && as_summed != article) {
        usd = article ? usd * e->flows.end : usd / e->flows.end;
    }
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, assay_term_name(term), usd, "USD");
    for (uint32_t k = 0; k < e->flows.n_flow; k++) {
        const assay_cashflow_t *flow = &e->flows.flow[k];
        if (flow->term == term) {
            assay_explained_t *node = flow_node(e, flow, years, discounted ? e->flows.end : 1.0);
            if (discounted) {
                explain_add(e, node, present_value(e, "discount to the end (A14)", e->flows.end));
            }
            explain_add(e, sum, node);
        } else if (term == ASSAY_TERM_TAX && flow->tax > 0.0) {
            assay_explained_t *node = flow_node(e, flow, years, -flow->tax);
            explain_add(e, node,
                        explain_key(e, "less the tax on it", -flow->tax, "1", "money.income_tax"));
            explain_add(e, sum, node);
        }
    }
    return sum && sum->n_part == 0 ? nothing(e, term) : sum;
}

explained_t explain_terms(explain_t *e, const char *name, double value, bool years, bool article) {
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, name, value, "USD");
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        if (has_term(e, (assay_term_t)k)) {
            explain_add(e, sum, explain_term_of(e, (assay_term_t)k, years, article));
        }
    }
    return sum;
}

/* What is paid once, whatever the machines do. */
explained_t explain_once(explain_t *e) {
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, "paid once", e->point->one_time_usd, "USD");
    for (uint32_t k = 0; k < e->flows.n_flow; k++) {
        const assay_cashflow_t *flow = &e->flows.flow[k];
        if (!is_moving[flow->term]) {
            continue;
        }
        const double weight = flow->job_least * (1.0 - flow->tax);
        assay_explained_t *node = amount_node(e, flow, amount_of(e, flow) * weight);
        explain_add(e, node, explain_model(e, "after tax", weight, "1", MODEL));
        explain_add(e, sum, node);
    }
    return sum && sum->n_part == 0
               ? explain_key(e, "paid once", 0.0, "USD", "candidates[].needs_migration")
               : sum;
}
