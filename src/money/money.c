#include "assay/money.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/det_math.h"

#include "base/banned.h"

static const char *const term_name[ASSAY_TERM_N] = {
#define TERM_NAME(code, name, what) [ASSAY_TERM_##code] = name,
    ASSAY_TERM_LIST(TERM_NAME)
#undef TERM_NAME
};
static const char *const term_what[ASSAY_TERM_N] = {
#define TERM_WHAT(code, name, what) [ASSAY_TERM_##code] = what,
    ASSAY_TERM_LIST(TERM_WHAT)
#undef TERM_WHAT
};
static const bool draw_common[ASSAY_DRAW_N] = {
#define DRAW_COMMON(code, name, common) [ASSAY_DRAW_##code] = common,
    ASSAY_DRAW_LIST(DRAW_COMMON)
#undef DRAW_COMMON
};

const char *assay_term_name(assay_term_t term) {
    assert(term < ASSAY_TERM_N);
    return term_name[term];
}

const char *assay_term_what(assay_term_t term) {
    assert(term < ASSAY_TERM_N);
    return term_what[term];
}

bool assay_draw_is_common(assay_draw_t draw) {
    assert(draw < ASSAY_DRAW_N);
    return draw_common[draw];
}

/* (1+r)^-n. Whole years by multiplication: the same on every machine, which pow() does not promise.
 */
static double discount(double rate, double years) {
    const double v = 1.0 / (1.0 + rate);
    double whole, result = 1.0;
    const double part = modf(years, &whole);
    for (int t = 0; t < (int)whole; t++) {
        result *= v;
    }
    return part > 0.0 ? result * assay_det_exp(part * assay_det_log(v)) : result;
}

double assay_money_annuity_factor(double rate, double years) {
    assert(rate >= 0.0 && years > 0.0 && years <= ASSAY_YEARS_MAX);
    const double v = 1.0 / (1.0 + rate);
    double whole, paid = 1.0, sum = 0.0;
    const double part = modf(years, &whole);
    for (int t = 0; t < (int)whole; t++) {
        paid *= v;
        sum += paid;
    }
    return part > 0.0 ? sum + part * discount(rate, years) : sum;
}

double assay_money_annuity(double capital, double residual, double rate, double years) {
    return (capital - residual * discount(rate, years)) / assay_money_annuity_factor(rate, years);
}

/* A central value with its p10..p90. The split lognormal keeps all three; the others are for ranges
   that leave the centre out, or touch zero, where only the range is kept. */
static assay_dist_t dist_of_range(double central, double p10, double p90) {
    if (!(p90 > p10)) {
        return assay_dist_fixed(central);
    }
    if (p10 > 0.0 && p10 <= central && central <= p90) {
        return assay_dist_lognormal_p10_p50_p90(p10, central, p90);
    }
    if (p10 > 0.0) {
        return assay_dist_lognormal_p10_p90(p10, p90);
    }
    const double tail = (p90 - p10) / 8.0; /* the middle 80 % of a uniform range */
    return assay_dist_uniform(fmax(0.0, p10 - tail), p90 + tail);
}

static void set_draw(assay_money_case_t *c, assay_draw_t draw, double central, double p10,
                     double p90) {
    c->draw[draw] = dist_of_range(central, p10, p90);
    c->central[draw] = central;
}

static void set_fact(assay_money_case_t *c, assay_draw_t draw, const assay_fact_t *fact) {
    if (fact->known) {
        set_draw(c, draw, fact->v, fact->p10, fact->p90);
    } else {
        set_draw(c, draw, 0.0, 0.0, 0.0);
    }
}

/* ln(step time) = prediction + shared error + own error; their variances add up to the whole. A
   bias (a range without 1 inside) is the machine's own. */
static void set_step(assay_money_case_t *c, const assay_estimate_t *estimate, double common_share) {
    const assay_dist_t whole = dist_of_range(1.0, estimate->rel_p10, estimate->rel_p90);
    assay_dist_t common = whole, own = whole;
    if (whole.kind != ASSAY_DIST_FIXED) {
        common.par[0] = 1.0;
        for (int k = 1; k < 3; k++) {
            common.par[k] *= sqrt(common_share);
            own.par[k] *= sqrt(1.0 - common_share);
        }
    }
    c->draw[ASSAY_DRAW_STEP_COMMON] = common;
    c->draw[ASSAY_DRAW_STEP_OWN] = own;
    c->central[ASSAY_DRAW_STEP_COMMON] = c->central[ASSAY_DRAW_STEP_OWN] = 1.0;
}

static void set_hardware(assay_money_case_t *c, const assay_machine_t *machine,
                         const assay_estimate_t *estimate) {
    c->owned = machine->capex_usd.known;
    c->moves = machine->needs_migration;
    c->nodes = machine->nodes;
    if (machine->retrofit_usd_per_rack.known) {
        const double per_rack = machine->nodes_per_rack > 0.0 ? machine->nodes_per_rack : 1.0;
        c->racks = ceil(c->nodes / per_rack);
    }
    c->node_w = estimate->device_w * machine->devices_per_node +
                (machine->host_w.known ? machine->host_w.v : 0.0);
    if (machine->node_nameplate_w.known) {
        c->node_max_w = machine->node_nameplate_w.v;
        c->node_w = fmin(c->node_w, c->node_max_w);
    }
    const assay_fact_t *price = c->owned ? &machine->capex_usd : &machine->usd_per_h;
    assert(price->known);
    *(c->owned ? &c->capex_usd : &c->usd_per_h) = price->v;
    if (price->v > 0.0) {
        set_draw(c, ASSAY_DRAW_PRICE, 1.0, price->p10 / price->v, price->p90 / price->v);
    } else {
        set_draw(c, ASSAY_DRAW_PRICE, 1.0, 1.0, 1.0);
    }
    set_fact(c, ASSAY_DRAW_RETROFIT, &machine->retrofit_usd_per_rack);
}

void assay_money_case(const assay_money_input_t *money, const assay_machine_t *machine,
                      const assay_workload_t *work, const assay_estimate_t *estimate,
                      const assay_money_spread_t *spread, assay_money_case_t *out_case) {
    assay_money_case_t *c = out_case;
    memset(c, 0, sizeof *c);
    set_step(c, estimate, spread->common_share);
    set_hardware(c, machine, estimate);
    set_draw(c, ASSAY_DRAW_POWER, 1.0, spread->power_p10, spread->power_p90);
    set_fact(c, ASSAY_DRAW_ELECTRICITY, &money->electricity_usd_per_kwh);
    set_fact(c, ASSAY_DRAW_PUE, &money->pue);
    set_fact(c, ASSAY_DRAW_OPERATIONS, &money->ops_usd_per_year);
    for (int k = 0; k < 3; k++) {
        set_fact(c, (assay_draw_t)(ASSAY_DRAW_LEVEL_1 + k), &money->level_days[k]);
    }
    set_fact(c, ASSAY_DRAW_CONTINGENCY, &money->contingency);
    const double job_s =
        work->tokens > 0.0 ? work->tokens / estimate->tokens_per_s : estimate->step_s;
    c->job_h = job_s / 3600.0;
    c->epochs = work->epochs > 0.0 ? work->epochs : 1.0;
    c->residual = money->residual;
    c->years = money->years;
    c->rate = money->discount_rate;
    c->utilisation = money->utilisation;
    c->labour_usd_per_day = money->labour_usd_per_day;
    c->training_days =
        money->training_h_per_engineer * money->engineers / ASSAY_LABOUR_HOURS_PER_DAY;
    c->debt_days_per_year = money->debt_days_per_year;
    c->formula = money->tco_formula;
}

static double sum_terms(const double term[ASSAY_TERM_N]) {
    double sum = 0.0;
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        sum += term[k];
    }
    return sum;
}

/* Labour of moving: the same in both views but for the debt. Returns the part paid at the start. */
static double add_moving(const assay_money_case_t *c, const double x[ASSAY_DRAW_N],
                         double term[ASSAY_TERM_N]) {
    double budget = c->training_days * c->labour_usd_per_day;
    term[ASSAY_TERM_TRAINING] = budget;
    for (int k = 0; k < 3; k++) {
        term[ASSAY_TERM_MIGRATION_1 + k] = x[ASSAY_DRAW_LEVEL_1 + k] * c->labour_usd_per_day;
        budget += term[ASSAY_TERM_MIGRATION_1 + k];
    }
    term[ASSAY_TERM_CONTINGENCY] = x[ASSAY_DRAW_CONTINGENCY] * budget;
    return budget + term[ASSAY_TERM_CONTINGENCY];
}

void assay_money_eval(const assay_money_case_t *money_case, const double *u,
                      assay_money_result_t *out) {
    const assay_money_case_t *c = money_case;
    double x[ASSAY_DRAW_N];
    for (int k = 0; k < ASSAY_DRAW_N; k++) {
        x[k] = u ? assay_dist_quantile(&c->draw[k], u[k]) : c->central[k];
    }
    memset(out, 0, sizeof *out);
    double *job = out->job_term_usd, *tco = out->tco_term_usd;

    const double hours = c->job_h * x[ASSAY_DRAW_STEP_COMMON] * x[ASSAY_DRAW_STEP_OWN];
    const double used_h = ASSAY_HOURS_PER_YEAR * c->utilisation; /* a year, of an owned node */
    const double years_charged = hours / (c->owned ? used_h : ASSAY_HOURS_PER_YEAR);
    const double factor = assay_money_annuity_factor(c->rate, c->years);
    const double end = discount(c->rate, c->years);
    const double node_w = c->node_w * x[ASSAY_DRAW_POWER];
    const double node_kw = (c->node_max_w > 0.0 ? fmin(node_w, c->node_max_w) : node_w) / 1000.0 *
                           fmax(1.0, x[ASSAY_DRAW_PUE]);

    double capex = 0.0;
    if (c->owned) {
        capex = c->nodes * c->capex_usd * x[ASSAY_DRAW_PRICE];
        const double energy_usd_per_h = node_kw * x[ASSAY_DRAW_ELECTRICITY] * c->nodes;
        tco[ASSAY_TERM_RESIDUAL] = -c->residual * capex * end;
        tco[ASSAY_TERM_RETROFIT] = c->racks * x[ASSAY_DRAW_RETROFIT];
        tco[ASSAY_TERM_ENERGY] = energy_usd_per_h * used_h * factor;
        job[ASSAY_TERM_CAPEX] = capex / factor * years_charged;
        job[ASSAY_TERM_RESIDUAL] = tco[ASSAY_TERM_RESIDUAL] / factor * years_charged;
        job[ASSAY_TERM_RETROFIT] = tco[ASSAY_TERM_RETROFIT] / factor * years_charged;
        job[ASSAY_TERM_ENERGY] = energy_usd_per_h * hours;
    } else {
        const double rent_usd_per_h = c->nodes * c->usd_per_h * x[ASSAY_DRAW_PRICE];
        tco[ASSAY_TERM_RENT] = rent_usd_per_h * used_h * factor;
        job[ASSAY_TERM_RENT] = rent_usd_per_h * hours;
    }
    tco[ASSAY_TERM_OPERATIONS] = x[ASSAY_DRAW_OPERATIONS] * factor;
    job[ASSAY_TERM_OPERATIONS] = x[ASSAY_DRAW_OPERATIONS] * years_charged;
    out->node_h_usd = sum_terms(job) / (hours * c->nodes);

    if (c->moves) {
        const double debt_usd_per_year = c->debt_days_per_year * c->labour_usd_per_day;
        out->one_time_usd = add_moving(c, x, job) + debt_usd_per_year;
        (void)add_moving(c, x, tco);
        tco[ASSAY_TERM_DEBT] = debt_usd_per_year * factor;
        job[ASSAY_TERM_DEBT] = debt_usd_per_year * fmax(1.0, hours / ASSAY_HOURS_PER_YEAR);
    }

    out->hours = hours;
    out->days = hours / 24.0;
    out->energy_kwh = node_kw * c->nodes * hours;
    out->job_usd = sum_terms(job);
    out->per_epoch_usd = out->job_usd / c->epochs;
    out->rate_usd_per_h = (out->job_usd - out->one_time_usd) / hours;
    tco[ASSAY_TERM_CAPEX] = capex * end;
    out->tco_article_usd = sum_terms(tco);
    tco[ASSAY_TERM_CAPEX] = capex;
    out->tco_cash_flow_usd = sum_terms(tco);
    out->tco_usd = out->tco_cash_flow_usd;
    if (c->formula == ASSAY_TCO_ARTICLE) {
        tco[ASSAY_TERM_CAPEX] = capex * end;
        out->tco_usd = out->tco_article_usd;
    }
}
