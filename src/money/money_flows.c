/* Flows of cash of a case, and their sums: once with every term, or many samples at a time. */
#include "assay/money.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "assay/goodput.h"
#include "money/discount.h"

#include "base/banned.h"

#define MONTHS_PER_YEAR 12.0
#define DAYS_PER_YEAR 365.25
#define CALENDAR_DAYS_PER_WORKING_DAY (7.0 / 5.0)
#define GRAMS_PER_TONNE 1e6
#define TERABYTE 1e12
#define GIGABYTE 1e9
#define NETWORK_SHARE_MAX 0.9
#define OPTION(c, code) ((c)->central[ASSAY_DRAW_OF(code)])

/* Moving is paid once, whatever the machines do; the rest is what a node-hour costs. */
static bool is_moving(int term) {
    switch (term) {
    case ASSAY_TERM_MIGRATION_1:
    case ASSAY_TERM_MIGRATION_2:
    case ASSAY_TERM_MIGRATION_3:
    case ASSAY_TERM_TRAINING:
    case ASSAY_TERM_DEBT:
    case ASSAY_TERM_CONTINGENCY:
    case ASSAY_TERM_WAIT:
        return true;
    default:
        return false;
    }
}

/* ---- weights ---- */

/* What one USD of a flow costs in year k (0, 1, ...), before discounting. */
static void year_weights(const assay_money_case_t *c, int year, double out[ASSAY_WHEN_N]) {
    double prices = 1.0, rents = 1.0, work = 1.0;
    for (int k = 0; k < year; k++) {
        prices *= 1.0 + OPTION(c, INFLATION);
        rents *= 1.0 - OPTION(c, PRICE_DECLINE);
        work *= 1.0 + OPTION(c, GROWTH);
    }
    double used = c->utilisation * work;
    used = c->owned ? fmin(1.0, used) : used;
    memset(out, 0, ASSAY_WHEN_N * sizeof *out);
    out[ASSAY_WHEN_FIXED] = 1.0;
    out[ASSAY_WHEN_YEARLY] = out[ASSAY_WHEN_DEBT] = prices;
    out[ASSAY_WHEN_HOURLY] = ASSAY_HOURS_PER_YEAR * used * prices;
    out[ASSAY_WHEN_RENT] = ASSAY_HOURS_PER_YEAR * fmax(c->committed, used) * rents;
    out[ASSAY_WHEN_RUN] = out[ASSAY_WHEN_HOURLY];
}

void assay_money_year(const assay_money_flows_t *flows, int year, double out_weight[ASSAY_WHEN_N]) {
    year_weights(flows->money_case, year, out_weight);
}

static void sum_years(assay_money_flows_t *f) {
    const assay_money_case_t *c = f->money_case;
    double weight[ASSAY_WHEN_N], whole, discount = 1.0;
    const double part = modf(c->years, &whole);
    for (int year = 0; year < (int)whole; year++) {
        discount *= 1.0 / (1.0 + c->rate);
        year_weights(c, year, weight);
        for (int k = 0; k < ASSAY_WHEN_N; k++) {
            f->pv[k] += discount * weight[k];
        }
    }
    if (part > 0.0) {
        year_weights(c, (int)whole, weight);
        for (int k = 0; k < ASSAY_WHEN_N; k++) {
            f->pv[k] += part * f->end * weight[k];
        }
    }
    f->pv[ASSAY_WHEN_START] = f->pv[ASSAY_WHEN_ONCE] = 1.0;
    f->pv[ASSAY_WHEN_END] = f->end;
}

static void set_weights(const assay_money_flows_t *f, assay_cashflow_t *flow) {
    const assay_money_case_t *c = f->money_case;
    const double whole_year_h = ASSAY_HOURS_PER_YEAR * (c->owned ? c->utilisation : 1.0);
    const double months = ceil(c->years * MONTHS_PER_YEAR);
    flow->tco = f->pv[flow->when];
    flow->tax = OPTION(c, INCOME_TAX);
    flow->first_month = 1;
    flow->months = (int16_t)months;
    switch ((assay_when_t)flow->when) {
    case ASSAY_WHEN_START:
        flow->job_per_h = 1.0 / f->factor / whole_year_h;
        flow->tax *= c->depreciation_pv;
        flow->first_month = flow->months = 0;
        return;
    case ASSAY_WHEN_END:
        flow->job_per_h = f->end / f->factor / whole_year_h;
        flow->first_month = (int16_t)months;
        flow->months = 1;
        return;
    case ASSAY_WHEN_ONCE:
        flow->job_least = 1.0;
        flow->first_month = flow->months = 0;
        return;
    case ASSAY_WHEN_FIXED:
    case ASSAY_WHEN_YEARLY:
        flow->job_per_h = 1.0 / whole_year_h;
        return;
    case ASSAY_WHEN_HOURLY:
        flow->job_per_h = 1.0;
        return;
    case ASSAY_WHEN_RENT:
        flow->job_per_h = fmax(c->committed, c->utilisation) / c->utilisation;
        return;
    case ASSAY_WHEN_RUN:
        flow->job_least = 1.0;
        flow->tco_times_h = flow->tco;
        flow->tco = 0.0;
        return;
    case ASSAY_WHEN_DEBT:
        flow->job_least = 1.0;
        flow->job_per_h = 1.0 / ASSAY_HOURS_PER_YEAR;
        return;
    case ASSAY_WHEN_N:
        break;
    }
    assert(false && "a flow of no known kind");
}

/* ---- flows ---- */

#define DRAWS(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static void add(assay_money_flows_t *f, assay_term_t term, assay_when_t when, double usd,
                const uint8_t *draw, size_t n_draw) {
    for (size_t k = 0; k < n_draw; k++) {
        const uint8_t kind = f->money_case->draw[draw[k]].kind;
        if (kind == ASSAY_DIST_FIXED && !(f->money_case->central[draw[k]] > 0.0)) {
            return; /* unknown, or nothing */
        }
    }
    if (!(usd > 0.0) && !(usd < 0.0)) {
        return;
    }
    assert(f->n_flow < ASSAY_FLOW_MAX && n_draw <= 4);
    assay_cashflow_t *flow = &f->flow[f->n_flow++];
    *flow = (assay_cashflow_t){
        .term = (uint8_t)term, .when = (uint8_t)when, .n_draw = (uint8_t)n_draw, .usd = usd};
    memcpy(flow->draw, draw, n_draw);
    set_weights(f, flow);
}

/* Ports of switches that one port of a node needs in a network without bottleneck: a fat tree of
   one, two or three levels holds radix, radix^2/2 or radix^3/4 nodes. */
static double switch_ports(double ports, double radix) {
    return ports <= radix ? 1.0 : ports <= radix * radix / 2.0 ? 3.0 : 5.0;
}

static void add_capital(assay_money_flows_t *f) {
    const assay_money_case_t *c = f->money_case;
    const double capex = c->nodes * c->capex_usd;
    add(f, ASSAY_TERM_CAPEX, ASSAY_WHEN_START, capex, DRAWS(ASSAY_DRAW_PRICE));
    add(f, ASSAY_TERM_RESIDUAL, ASSAY_WHEN_END, -c->residual * capex,
        DRAWS(ASSAY_DRAW_PRICE, ASSAY_DRAW_RESIDUAL));
    add(f, ASSAY_TERM_RETROFIT, ASSAY_WHEN_START, c->racks, DRAWS(ASSAY_DRAW_RETROFIT));
    add(f, ASSAY_TERM_RACK, ASSAY_WHEN_START, c->racks, DRAWS(ASSAY_DRAW_OF(RACK)));
    add(f, ASSAY_TERM_DUTY, ASSAY_WHEN_START, capex, DRAWS(ASSAY_DRAW_PRICE, ASSAY_DRAW_OF(DUTY)));
    add(f, ASSAY_TERM_SPARES, ASSAY_WHEN_START, capex * OPTION(c, SPARE_LEAD) / DAYS_PER_YEAR,
        DRAWS(ASSAY_DRAW_PRICE, ASSAY_DRAW_OF(FAILURES)));
    if (OPTION(c, NETWORK_PORT) > 0.0) {
        const double radix = OPTION(c, SWITCH_RADIX);
        add(f, ASSAY_TERM_NETWORK, ASSAY_WHEN_START, c->ports, DRAWS(ASSAY_DRAW_OF(NETWORK_PORT)));
        add(f, ASSAY_TERM_NETWORK, ASSAY_WHEN_START,
            c->ports * (radix > 0.0 ? switch_ports(c->ports, radix) : 1.0),
            DRAWS(ASSAY_DRAW_OF(SWITCH_PORT)));
    } else if (c->nodes > 1.0) {
        add(f, ASSAY_TERM_NETWORK, ASSAY_WHEN_START, capex,
            DRAWS(ASSAY_DRAW_PRICE, ASSAY_DRAW_OF(NETWORK_SHARE)));
    }
}

static void add_site(assay_money_flows_t *f) {
    const assay_money_case_t *c = f->money_case;
    const double capex = c->nodes * c->capex_usd;
    const double reserved_kw =
        c->nodes * (c->node_max_w > 0.0 ? c->node_max_w : c->node_w) / 1000.0;
    const double building_years = OPTION(c, FACILITY_YEARS);
    if (OPTION(c, FACILITY) > 0.0) {
        assert(building_years > 0.0);
        add(f, ASSAY_TERM_FACILITY, ASSAY_WHEN_FIXED,
            reserved_kw / assay_money_annuity_factor(c->rate, building_years),
            DRAWS(ASSAY_DRAW_OF(FACILITY)));
    }
    add(f, ASSAY_TERM_COLOCATION, ASSAY_WHEN_YEARLY, reserved_kw * MONTHS_PER_YEAR,
        DRAWS(ASSAY_DRAW_OF(COLOCATION)));
    add(f, ASSAY_TERM_ENERGY, ASSAY_WHEN_HOURLY, c->nodes * c->node_w / 1000.0,
        DRAWS(ASSAY_DRAW_POWER, ASSAY_DRAW_PUE, ASSAY_DRAW_ELECTRICITY));
    add(f, ASSAY_TERM_DEMAND, ASSAY_WHEN_YEARLY, reserved_kw * MONTHS_PER_YEAR,
        DRAWS(ASSAY_DRAW_PUE, ASSAY_DRAW_OF(DEMAND)));
    add(f, ASSAY_TERM_SUPPORT, ASSAY_WHEN_YEARLY, capex,
        DRAWS(ASSAY_DRAW_PRICE, ASSAY_DRAW_OF(SUPPORT)));
    add(f, ASSAY_TERM_SPARES, ASSAY_WHEN_YEARLY, c->packages,
        DRAWS(ASSAY_DRAW_OF(FAILURES), ASSAY_DRAW_OF(RMA)));
    add(f, ASSAY_TERM_PROPERTY_TAX, ASSAY_WHEN_FIXED, capex,
        DRAWS(ASSAY_DRAW_PRICE, ASSAY_DRAW_OF(PROPERTY_TAX)));
}

/* Owned or rented. */
static void add_both(assay_money_flows_t *f) {
    const assay_money_case_t *c = f->money_case;
    const double kw = c->nodes * c->node_w / 1000.0;
    add(f, ASSAY_TERM_OPERATIONS, ASSAY_WHEN_YEARLY, 1.0, DRAWS(ASSAY_DRAW_OPERATIONS));
    add(f, ASSAY_TERM_STORAGE, ASSAY_WHEN_YEARLY, OPTION(c, STORED) / TERABYTE * MONTHS_PER_YEAR,
        DRAWS(ASSAY_DRAW_OF(STORAGE)));
    if (c->licensed) {
        add(f, ASSAY_TERM_LICENCE, ASSAY_WHEN_YEARLY, c->packages, DRAWS(ASSAY_DRAW_OF(LICENCE)));
    }
    add(f, ASSAY_TERM_CARBON, ASSAY_WHEN_HOURLY, kw / GRAMS_PER_TONNE,
        DRAWS(ASSAY_DRAW_POWER, ASSAY_DRAW_PUE, ASSAY_DRAW_OF(INTENSITY),
              ASSAY_DRAW_OF(CARBON_PRICE)));
}

/* Moving. The whole of it falls on the run that is asked about. */
static void add_moving(assay_money_flows_t *f) {
    const assay_money_case_t *c = f->money_case;
    const double day = c->labour_usd_per_day;
    const double capital_per_day =
        c->nodes * c->capex_usd / f->factor / DAYS_PER_YEAR * CALENDAR_DAYS_PER_WORKING_DAY;
    const bool waits = c->owned && c->machines_wait && c->engineers > 0.0;
    add(f, ASSAY_TERM_TRAINING, ASSAY_WHEN_ONCE, c->training_days * day, DRAWS(ASSAY_DRAW_LABOUR));
    add(f, ASSAY_TERM_CONTINGENCY, ASSAY_WHEN_ONCE, c->training_days * day,
        DRAWS(ASSAY_DRAW_CONTINGENCY, ASSAY_DRAW_LABOUR));
    for (uint8_t k = 0; k < 3; k++) {
        const uint8_t level = (uint8_t)(ASSAY_DRAW_LEVEL_1 + k);
        add(f, (assay_term_t)(ASSAY_TERM_MIGRATION_1 + k), ASSAY_WHEN_ONCE, day,
            DRAWS(level, ASSAY_DRAW_LABOUR));
        add(f, ASSAY_TERM_CONTINGENCY, ASSAY_WHEN_ONCE, day,
            DRAWS(ASSAY_DRAW_CONTINGENCY, level, ASSAY_DRAW_LABOUR));
        if (waits) {
            add(f, ASSAY_TERM_WAIT, ASSAY_WHEN_ONCE, capital_per_day / c->engineers,
                DRAWS(ASSAY_DRAW_PRICE, level));
        }
        if (OPTION(c, DEBT_SHARE) > 0.0) {
            add(f, ASSAY_TERM_DEBT, ASSAY_WHEN_DEBT, OPTION(c, DEBT_SHARE) * day,
                DRAWS(level, ASSAY_DRAW_LABOUR));
        }
    }
    if (waits) {
        add(f, ASSAY_TERM_WAIT, ASSAY_WHEN_ONCE, capital_per_day * OPTION(c, REVIEW_WAIT),
            DRAWS(ASSAY_DRAW_PRICE));
    }
    if (!(OPTION(c, DEBT_SHARE) > 0.0)) {
        add(f, ASSAY_TERM_DEBT, ASSAY_WHEN_DEBT, c->debt_days_per_year * day,
            DRAWS(ASSAY_DRAW_LABOUR));
    }
}

void assay_money_flows(const assay_money_case_t *money_case, assay_money_flows_t *out_flows) {
    const assay_money_case_t *c = money_case;
    assay_money_flows_t *f = out_flows;
    f->money_case = c;
    f->n_flow = 0;
    f->factor = assay_money_annuity_factor(c->rate, c->years);
    f->end = money_discount(c->rate, c->years);
    memset(f->pv, 0, sizeof f->pv);
    sum_years(f);
    if (c->owned) {
        add_capital(f);
        add_site(f);
    } else {
        add(f, ASSAY_TERM_RENT, ASSAY_WHEN_RENT, c->nodes * c->usd_per_h, DRAWS(ASSAY_DRAW_PRICE));
        add(f, ASSAY_TERM_EGRESS, ASSAY_WHEN_RUN, OPTION(c, EGRESS_BYTES) / GIGABYTE,
            DRAWS(ASSAY_DRAW_OF(EGRESS)));
    }
    add_both(f);
    if (c->moves) {
        add_moving(f);
    }
}

/* ---- sums ---- */

bool assay_money_is_kept(assay_draw_t draw) {
    return draw == ASSAY_DRAW_PUE || draw == ASSAY_DRAW_POWER ||
           (int)draw == ASSAY_DRAW_OF(NETWORK_SHARE);
}

double assay_money_keep_one(const assay_money_case_t *money_case, assay_draw_t draw, double x) {
    const assay_money_case_t *c = money_case;
    switch ((int)draw) {
    case ASSAY_DRAW_PUE:
        return fmax(1.0, x);
    case ASSAY_DRAW_POWER:
        return c->node_max_w > 0.0 && c->node_w > 0.0 ? fmin(x, c->node_max_w / c->node_w) : x;
    case ASSAY_DRAW_OF(NETWORK_SHARE): {
        const double share = fmin(x, NETWORK_SHARE_MAX);
        return share / (1.0 - share);
    }
    default:
        return x;
    }
}

void assay_money_draw(const assay_money_case_t *money_case, const double *u,
                      double out_x[ASSAY_DRAW_N]) {
    const assay_money_case_t *c = money_case;
    for (int k = 0; k < ASSAY_DRAW_N; k++) {
        const double x = u ? assay_dist_quantile(&c->draw[k], u[k]) : c->central[k];
        out_x[k] = assay_money_keep_one(c, (assay_draw_t)k, x);
    }
}

/* Useful share of the hours: stops, preemptions, and waiting for spot machines. */
static double goodput(const assay_money_case_t *c, const double *x, double *out_stops_per_h,
                      assay_goodput_t *out) {
    double stops_per_h = 0.0, share = 1.0;
    if (x[ASSAY_DRAW_OF(MTBF)] > 0.0) {
        stops_per_h = c->packages / x[ASSAY_DRAW_OF(MTBF)];
    }
    if (c->spot) {
        stops_per_h += x[ASSAY_DRAW_OF(PREEMPTIONS)];
        share = 1.0 - fmin(x[ASSAY_DRAW_OF(SPOT_WAIT)], 0.95);
    }
    if (stops_per_h > 0.0) {
        share *= assay_goodput(stops_per_h, OPTION(c, CHECKPOINT), OPTION(c, RESTART), out);
    }
    if (out_stops_per_h) {
        *out_stops_per_h = stops_per_h;
    }
    return share;
}

static double sum_terms(const double term[ASSAY_TERM_N]) {
    double sum = 0.0;
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        sum += term[k];
    }
    return sum;
}

static double amount_of(const assay_cashflow_t *flow, const double *x) {
    double amount = flow->usd;
    for (uint32_t k = 0; k < flow->n_draw; k++) {
        amount *= x[flow->draw[k]];
    }
    return amount;
}

static void add_totals(const assay_money_flows_t *f, assay_money_result_t *out) {
    const assay_money_case_t *c = f->money_case;
    double *tco = out->tco_term_usd, node = 0.0;
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        node += is_moving(k) || k == ASSAY_TERM_EGRESS ? 0.0 : out->job_term_usd[k];
    }
    out->node_h_usd = node / (out->hours * c->nodes);
    out->job_usd = sum_terms(out->job_term_usd);
    out->per_epoch_usd = out->job_usd / c->epochs;
    out->rate_usd_per_h = (out->job_usd - out->one_time_usd) / out->hours;
    const double capex = tco[ASSAY_TERM_CAPEX];
    out->tco_cash_flow_usd = sum_terms(tco);
    tco[ASSAY_TERM_CAPEX] = capex * f->end;
    out->tco_article_usd = sum_terms(tco);
    const bool article = c->formula == ASSAY_TCO_ARTICLE;
    tco[ASSAY_TERM_CAPEX] = article ? capex * f->end : capex;
    out->tco_usd = article ? out->tco_article_usd : out->tco_cash_flow_usd;
    out->annuity_usd_per_year = out->tco_usd / f->factor;
}

void assay_money_sum(const assay_money_flows_t *flows, const double *x, assay_money_result_t *out) {
    const assay_money_flows_t *f = flows;
    const assay_money_case_t *c = f->money_case;
    memset(out, 0, sizeof *out);
    double stops_per_h;
    out->goodput = goodput(c, x, &stops_per_h, &out->lost);
    out->hours = c->job_h * x[ASSAY_DRAW_STEP_COMMON] * x[ASSAY_DRAW_STEP_OWN] / out->goodput;
    out->stops = stops_per_h * out->hours;
    out->days = out->hours / 24.0;
    for (uint32_t k = 0; k < f->n_flow; k++) {
        const assay_cashflow_t *flow = &f->flow[k];
        const double amount = amount_of(flow, x);
        const double job = amount * fmax(flow->job_least, flow->job_per_h * out->hours);
        const double tco = amount * (flow->tco + flow->tco_times_h / out->hours);
        out->job_term_usd[flow->term] += job;
        out->tco_term_usd[flow->term] += tco;
        out->job_term_usd[ASSAY_TERM_TAX] -= flow->tax * job;
        out->tco_term_usd[ASSAY_TERM_TAX] -= flow->tax * tco;
        if (is_moving(flow->term)) {
            out->one_time_usd += amount * flow->job_least * (1.0 - flow->tax);
        }
    }
    const double node_kw = c->node_w / 1000.0 * x[ASSAY_DRAW_POWER] * x[ASSAY_DRAW_PUE];
    const double years = out->hours / ASSAY_HOURS_PER_YEAR / c->years;
    out->energy_kwh = node_kw * c->nodes * out->hours;
    out->carbon_kg = out->energy_kwh * x[ASSAY_DRAW_OF(INTENSITY)] / 1000.0 +
                     c->nodes * OPTION(c, EMBODIED) * years;
    for (int k = 0; k < 3 && c->moves; k++) {
        out->move_days += x[ASSAY_DRAW_LEVEL_1 + k] / fmax(1.0, c->engineers);
    }
    if (c->moves) {
        out->move_days += OPTION(c, REVIEW_WAIT);
        out->move_days *= CALENDAR_DAYS_PER_WORKING_DAY;
    }
    add_totals(f, out);
}

void assay_money_eval(const assay_money_case_t *money_case, const double *u,
                      assay_money_result_t *out) {
    assay_money_flows_t flows;
    double x[ASSAY_DRAW_N];
    assay_money_flows(money_case, &flows);
    assay_money_draw(money_case, u, x);
    assay_money_sum(&flows, x, out);
}

/* ---- many at once ---- */

static void batch_hours(const assay_money_case_t *c, const double *const x[ASSAY_DRAW_N],
                        const double central[ASSAY_DRAW_N], uint32_t n, double *hours) {
    const bool stops = c->spot || x[ASSAY_DRAW_OF(MTBF)];
    const double fixed = c->job_h / (stops ? 1.0 : goodput(c, central, NULL, NULL));
    const double *common = x[ASSAY_DRAW_STEP_COMMON], *own = x[ASSAY_DRAW_STEP_OWN];
    for (uint32_t i = 0; i < n; i++) {
        hours[i] = fixed * (common ? common[i] : central[ASSAY_DRAW_STEP_COMMON]) *
                   (own ? own[i] : central[ASSAY_DRAW_STEP_OWN]);
    }
    for (uint32_t i = 0; i < n && stops; i++) {
        double one[ASSAY_DRAW_N];
        static const int used[] = {ASSAY_DRAW_OF(MTBF), ASSAY_DRAW_OF(PREEMPTIONS),
                                   ASSAY_DRAW_OF(SPOT_WAIT)};
        for (size_t k = 0; k < sizeof used / sizeof *used; k++) {
            one[used[k]] = x[used[k]] ? x[used[k]][i] : central[used[k]];
        }
        hours[i] /= goodput(c, one, NULL, NULL);
    }
}

void assay_money_batch(const assay_money_flows_t *flows, const double *const x[ASSAY_DRAW_N],
                       uint32_t n, double *out_job_usd, double *out_tco_usd, double *out_hours) {
    const assay_money_flows_t *f = flows;
    double central[ASSAY_DRAW_N], amount[ASSAY_BATCH];
    assert(n <= ASSAY_BATCH);
    assay_money_draw(f->money_case, NULL, central);
    batch_hours(f->money_case, x, central, n, out_hours);
    double job_fixed = 0.0, tco_fixed = 0.0, per_h_fixed = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        out_job_usd[i] = out_tco_usd[i] = 0.0;
    }
    const bool article = f->money_case->formula == ASSAY_TCO_ARTICLE;
    for (uint32_t k = 0; k < f->n_flow; k++) {
        const assay_cashflow_t *flow = &f->flow[k];
        const double *drawn[4];
        uint32_t n_drawn = 0;
        double usd = flow->usd * (1.0 - flow->tax);
        for (uint32_t d = 0; d < flow->n_draw; d++) {
            const double *values = x[flow->draw[d]];
            if (values) {
                drawn[n_drawn++] = values;
            } else {
                usd *= central[flow->draw[d]];
            }
        }
        double tco = flow->tco;
        if (article && flow->term == ASSAY_TERM_CAPEX) {
            tco *= (f->end - flow->tax) / (1.0 - flow->tax);
        }
        const double least = flow->job_least, per_h = flow->job_per_h, per_run = flow->tco_times_h;
        const bool both = least > 0.0 && per_h > 0.0;
        if (n_drawn == 0 && !both && !(per_run > 0.0)) {
            job_fixed += usd * least;
            per_h_fixed += usd * per_h;
            tco_fixed += usd * tco;
            continue;
        }
        for (uint32_t i = 0; i < n; i++) {
            amount[i] = usd;
        }
        for (uint32_t d = 0; d < n_drawn; d++) {
            const double *values = drawn[d];
            for (uint32_t i = 0; i < n; i++) {
                amount[i] *= values[i];
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            const double by_h = per_h * out_hours[i];
            out_job_usd[i] += amount[i] * (by_h > least ? by_h : least);
            out_tco_usd[i] += amount[i] * tco;
        }
        for (uint32_t i = 0; i < n && per_run > 0.0; i++) {
            out_tco_usd[i] += amount[i] * per_run / out_hours[i];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        out_job_usd[i] += job_fixed + per_h_fixed * out_hours[i];
        out_tco_usd[i] += tco_fixed;
    }
}
