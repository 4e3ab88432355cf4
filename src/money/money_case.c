/* One candidate's inputs, from what resolve and the prediction say. */
#include "assay/money.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "assay/text.h"
#include "assay/train.h"
#include "money/discount.h"

#include "base/banned.h"

static const bool option_drawn[ASSAY_OPTION_N] = {
#define OPTION_DRAWN(code, key, dim, scale, least, most, drawn, term, help) \
    [ASSAY_OPTION_##code] = drawn,
    ASSAY_OPTION_LIST(OPTION_DRAWN)
#undef OPTION_DRAWN
};

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
    if (!fact->known) {
        set_draw(c, draw, 0.0, 0.0, 0.0);
        return;
    }
    set_draw(c, draw, fact->v, fact->p10, fact->p90);
    if (fact->dist) {
        c->draw[draw] = *fact->dist;
    }
}

/* A factor around 1 with the range of v between p10 and p90 (0: none), or with its distribution,
   which may be of other units. */
static void set_factor(assay_money_case_t *c, assay_draw_t draw, double v, double p10, double p90,
                       const assay_dist_t *dist) {
    const double median = dist ? assay_dist_quantile(dist, 0.5) : 0.0;
    if (v > 0.0 && p10 > 0.0 && p90 > 0.0) {
        set_draw(c, draw, 1.0, p10 / v, p90 / v);
    } else {
        set_draw(c, draw, 1.0, 1.0, 1.0);
    }
    if (median > 0.0) {
        c->draw[draw] = assay_dist_scaled(dist, 1.0 / median);
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
    c->racks = ceil(c->nodes / (machine->nodes_per_rack > 0.0 ? machine->nodes_per_rack : 1.0));
    c->packages = c->nodes * machine->packages_per_node;
    c->ports = machine->nodes > 1 ? c->nodes * machine->links.nics : 0.0;
    c->licensed =
        machine->accelerator && assay_text_equal_fold(machine->accelerator->vendor, "nvidia");
    c->packages_w = estimate->device_w * machine->devices_per_node;
    c->node_w = c->packages_w + (machine->host_w.known ? machine->host_w.v : 0.0);
    if (machine->node_nameplate_w.known) {
        c->node_max_w = machine->node_nameplate_w.v;
        c->node_w = fmin(c->node_w, c->node_max_w);
    }
    c->spot = machine->pricing == ASSAY_PRICING_SPOT;
    c->committed = machine->committed;
    const assay_fact_t *price = c->owned ? &machine->capex_usd : &machine->usd_per_h;
    assert(price->known);
    *(c->owned ? &c->capex_usd : &c->usd_per_h) = price->v;
    set_factor(c, ASSAY_DRAW_PRICE, price->v, price->p10, price->p90, price->dist);
    set_fact(c, ASSAY_DRAW_RETROFIT, &machine->retrofit_usd_per_rack);
}

/* The same share is lost every year. */
static double declining_share(const assay_money_input_t *money, double t) {
    return money->residual > 0.0 ? money_discount(1.0 / money->residual - 1.0, t / money->years)
                                 : 0.0;
}

double assay_money_residual(const assay_money_input_t *money, double years) {
    const assay_fact_t *life = &money->option[ASSAY_OPTION_LIFE];
    const double *share = money->value_share;
    double whole;
    const double part = modf(years, &whole);
    const int year = (int)whole;
    if (money->residual_given) {
        return money->residual;
    }
    switch ((assay_depreciation_t)money->depreciation) {
    case ASSAY_DEPRECIATION_STRAIGHT:
        return life->known ? fmax(0.0, 1.0 - years / life->v) : 0.0;
    case ASSAY_DEPRECIATION_PLATEAU:
    case ASSAY_DEPRECIATION_MARKET: /* at one rate between two whole years */
        return part > 0.0 ? share[year] * money_discount(share[year] / share[year + 1] - 1.0, part)
                          : share[year];
    case ASSAY_DEPRECIATION_DECLINING:
    case ASSAY_DEPRECIATION_N:
        break;
    }
    return declining_share(money, years);
}

/* What is left of a USD after t years, for tax. */
static double book_share(const assay_money_input_t *money, double t) {
    const assay_fact_t *life = &money->option[ASSAY_OPTION_LIFE];
    switch ((assay_depreciation_t)money->depreciation) {
    case ASSAY_DEPRECIATION_STRAIGHT:
        return life->known ? fmax(0.0, 1.0 - t / life->v) : fmax(0.0, 1.0 - t / money->years);
    case ASSAY_DEPRECIATION_PLATEAU:
    case ASSAY_DEPRECIATION_MARKET:
        return fmin(1.0, money->value_share[(int)ceil(t)]);
    case ASSAY_DEPRECIATION_DECLINING:
    case ASSAY_DEPRECIATION_N:
        break;
    }
    return declining_share(money, t);
}

static double depreciation_pv(const assay_money_input_t *money) {
    double pv = 0.0, before = 1.0;
    for (int t = 1; t <= (int)ceil(money->years); t++) {
        const double at = fmin(t, money->years);
        const double left =
            at < money->years ? book_share(money, at) : 0.0; /* the rest at the end */
        pv += (before - left) * money_discount(money->discount_rate, at);
        before = left;
    }
    return pv;
}

void assay_money_case(const assay_money_input_t *money, const assay_machine_t *machine,
                      const assay_workload_t *work, const assay_estimate_t *estimate,
                      const assay_money_spread_t *spread, assay_money_case_t *out_case) {
    assay_money_case_t *c = out_case;
    memset(c, 0, sizeof *c);
    set_step(c, estimate, spread->common_share);
    set_hardware(c, machine, estimate);
    set_draw(c, ASSAY_DRAW_POWER, 1.0, spread->power_p10, spread->power_p90);
    set_factor(c, ASSAY_DRAW_LABOUR, money->labour_usd_per_day, money->labour_p10,
               money->labour_p90, money->labour_dist);
    set_factor(c, ASSAY_DRAW_RESIDUAL, money->residual, money->residual_p10, money->residual_p90,
               money->residual_dist);
    set_fact(c, ASSAY_DRAW_ELECTRICITY, &money->electricity_usd_per_kwh);
    set_fact(c, ASSAY_DRAW_PUE, &money->pue);
    set_fact(c, ASSAY_DRAW_OPERATIONS, &money->ops_usd_per_year);
    for (int k = 0; k < 3; k++) {
        set_fact(c, (assay_draw_t)(ASSAY_DRAW_LEVEL_1 + k), &money->level_days[k]);
    }
    set_fact(c, ASSAY_DRAW_CONTINGENCY, &money->contingency);
    for (int k = 0; k < ASSAY_OPTION_N; k++) {
        const assay_draw_t draw = (assay_draw_t)(ASSAY_DRAW_OPTION + k);
        set_fact(c, draw, &money->option[k]);
        if (!option_drawn[k]) {
            c->draw[draw] = assay_dist_fixed(c->central[draw]);
        }
    }
    const assay_fact_t *rate = &money->option[ASSAY_OPTION_CHECKPOINT_RATE];
    if (rate->known) {
        const double checkpoint_s = fmax(1e-3, assay_train_checkpoint_bytes(work) / rate->v);
        set_draw(c, ASSAY_DRAW_OF(CHECKPOINT), checkpoint_s, checkpoint_s, checkpoint_s);
    }
    c->tokens = work->tokens > 0.0 ? work->tokens : (double)work->global_batch * work->sequence;
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
    c->engineers = money->engineers;
    c->machines_wait = money->machines_wait;
    c->formula = money->tco_formula;
    if (money->option[ASSAY_OPTION_INCOME_TAX].known) {
        c->depreciation_pv = depreciation_pv(money);
    }
}

void assay_money_set_years(assay_money_case_t *io_case, const assay_money_input_t *money,
                           double years) {
    assay_money_input_t over = *money;
    over.residual = assay_money_residual(money, years);
    over.years = years;
    io_case->years = years;
    io_case->residual = over.residual;
    if (money->option[ASSAY_OPTION_INCOME_TAX].known) {
        io_case->depreciation_pv = depreciation_pv(&over);
    }
}

void assay_money_set_nodes(assay_money_case_t *io_case, double nodes) {
    assay_money_case_t *c = io_case;
    const double factor = nodes / c->nodes;
    c->racks = ceil(c->racks * factor);
    c->packages *= factor;
    c->ports *= factor;
    c->nodes = nodes;
}
