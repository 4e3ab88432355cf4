/**
 * Money: cash-flow terms of one candidate -> cost of the job, cost per epoch, TCO. Two stages:
 * build once (flat const struct), evaluate often (scalar, no allocation), so that sampling is
 * cheap.
 *
 * Two views, both from the same terms (A1..A16: the points of the seed article):
 * job   what this run costs: annuity per useful hour x hours (owned) or price x hours (rented),
 *       energy, and every one-time cost of moving in full (A2: the run has to amortise it);
 * tco   what the cluster costs over its `years`: capex/(1+r)^0 + sum_t (labour_t +
 * energy_t)/(1+r)^t, plus the one-time terms at t = 0 and the residual as income at t = years.
 *
 * term         job                                            tco
 * capex        C/a x hours/(h u)                              C at t = 0; article: C/(1+r)^years
 * residual     -(s C/(1+r)^years)/a x hours/(h u)             -s C/(1+r)^years
 * rent         USD/h x nodes x hours x max(c, u)/u            USD/h x nodes x h x max(c, u), yearly
 * energy       node_w/1000 x PUE x USD/kWh x nodes x hours    the same with h u hours, yearly
 * debt         person-days a year x labour x max(1, hours/h)  yearly
 * capital      as capex: retrofit, network, rack, duty, kept spares
 * yearly       USD a year x hours/(h u); rented: hours/h      yearly: operations, storage, facility
 *              (annuity over the building's life), colocation, demand, support, exchange of parts,
 *              licence, property tax
 * once         in full: migration, training, contingency, wait at t = 0; egress (tco: every run)
 * tax          -income tax x (costs as they fall, capital as it depreciates)
 *
 * C whole cluster; h = 8766 hours a year; u utilisation; c the share of the hours that is paid for
 * in any case (reserved); a = assay_money_annuity_factor(rate, years). Inflation, falling rents and
 * a growing workload raise and lower what later years of the tco cost. Readings that the article
 * leaves open, and ours:
 * - A14 prints hardware/(1+r)^t beside a sum over t. Its t is read as the horizon, t = years; only
 *   the servers are "hardware" (a retrofit is one-time work at t = 0).
 * - A15's debt accrues while the code lives on the second platform: a run pays at least one year.
 * - A15's contingency is a share "of the budget": of the labour budget of moving (levels 1-3 and
 *   training), since hardware has a quoted price and debt is a running cost.
 * - A rented node's price contains its electricity and is paid for used hours alone; the energy is
 *   still counted in kWh. Hours in which an owned node is not used cost no energy.
 * - Costs of a year fall due at its end; the last, partial year's share at the end of the term.
 */
#ifndef ASSAY_MONEY_H
#define ASSAY_MONEY_H

#include "assay/goodput.h"
#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/money_draw.h"
#include "assay/money_input.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every term: code, name in JSON, what it is. The names of money.terms are these. */
#define ASSAY_TERM_LIST(X)                                              \
    X(CAPEX, "capex", "servers and accelerators")                       \
    X(RESIDUAL, "residual", "residual value at the end")                \
    X(RETROFIT, "retrofit", "rack retrofit (A4)")                       \
    X(RENT, "rent", "rented node-hours")                                \
    X(ENERGY, "energy", "electricity with PUE")                         \
    X(OPERATIONS, "operations", "staff and upkeep")                     \
    X(MIGRATION_1, "migration_1", "migration level 1: interfaces (A6)") \
    X(MIGRATION_2, "migration_2", "migration level 2: kernels (A6)")    \
    X(MIGRATION_3, "migration_3", "migration level 3: ecosystem (A6)")  \
    X(TRAINING, "training", "training of engineers (A15)")              \
    X(DEBT, "debt", "technical debt (A15)")                             \
    X(CONTINGENCY, "contingency", "contingency (A15)")                  \
    X(NETWORK, "network", "network between the nodes")                  \
    X(STORAGE, "storage", "storage of the data")                        \
    X(RACK, "rack", "racks")                                            \
    X(FACILITY, "facility", "data centre, as capital per kW")           \
    X(COLOCATION, "colocation", "colocation, per kW and month")         \
    X(DEMAND, "demand", "demand charge of the grid")                    \
    X(SUPPORT, "support", "support contract")                           \
    X(SPARES, "spares", "spare parts and their exchange")               \
    X(LICENCE, "licence", "software licence per GPU")                   \
    X(DUTY, "duty", "import duty and sales tax")                        \
    X(PROPERTY_TAX, "property_tax", "property tax")                     \
    X(EGRESS, "egress", "data out of the cloud")                        \
    X(CARBON, "carbon", "price of carbon")                              \
    X(WAIT, "wait", "machines that wait for the move")                  \
    X(TAX, "tax", "income tax that the costs save")
typedef enum {
#define ASSAY_TERM_ENUM(code, name, what) ASSAY_TERM_##code,
    ASSAY_TERM_LIST(ASSAY_TERM_ENUM)
#undef ASSAY_TERM_ENUM
        ASSAY_TERM_N
} assay_term_t;
const char *assay_term_name(assay_term_t term);
const char *assay_term_what(assay_term_t term);

bool assay_draw_is_common(assay_draw_t draw);
const char *assay_draw_what(assay_draw_t draw);

/** What no fact carries: how errors are shared, and how far the power model can be off. */
typedef struct {
    double common_share; /* of the variance of ln(step time) that all candidates share, 0..1 */
    double power_p10, power_p90; /* of (true mean draw)/(modelled), 0 < p10 <= 1 <= p90 */
} assay_money_spread_t;

typedef struct {
    assay_dist_t draw[ASSAY_DRAW_N]; /* factors up to RESIDUAL, values else */
    double central[ASSAY_DRAW_N];    /* of the same; their median unless a range leaves it out */
    bool owned, moves;               /* moves: pays the migration terms */
    double nodes, racks;             /* racks: whole */
    double job_h;                    /* at the predicted step time */
    double epochs;
    double node_w, node_max_w; /* mean draw of one node while training; its nameplate, 0 unknown */
    double packages_w;         /* of node_w: its accelerators */
    double tokens;             /* that job_h are for; 0: what comes out is no token */
    double capex_usd, usd_per_h; /* per node */
    double residual;             /* share of capex at the end */
    double years, rate, utilisation;
    double labour_usd_per_day, training_days, debt_days_per_year;
    uint8_t formula; /* assay_tco_formula_t */
    /* All below: 0 = not asked for. */
    double packages, ports; /* accelerators as bought and network ports of the whole cluster */
    double committed;       /* share of the hours that is paid for in any case, 0..1 */
    double engineers;       /* who work on the move */
    bool spot, licensed, machines_wait;
    double depreciation_pv; /* present value of what a USD of capital writes off */
} assay_money_case_t;

#define ASSAY_YEARS_MAX 50          /* as the job file allows */
#define ASSAY_HOURS_PER_YEAR 8766.0 /* 365.25 days */
#define ASSAY_LABOUR_HOURS_PER_DAY 8.0
typedef struct {
    double hours, days;
    double job_usd, per_epoch_usd;
    double job_term_usd[ASSAY_TERM_N];         /* sum = job_usd */
    double tco_usd;                            /* by the case's formula */
    double tco_cash_flow_usd, tco_article_usd; /* both forms */
    double tco_term_usd[ASSAY_TERM_N];         /* present values; sum = tco_usd */
    double node_h_usd;   /* a useful node-hour: annuity with retrofit or rent, energy, operations */
    double energy_kwh;   /* of the job, PUE included */
    double one_time_usd; /* moving: migration, training, debt of the first year, contingency */
    double rate_usd_per_h;       /* (job_usd - one_time_usd)/hours, whole cluster */
    double goodput;              /* useful share of the hours, 1 where stops are not counted */
    double stops;                /* expected in the hours */
    assay_goodput_t lost;        /* where the rest of them goes */
    double carbon_kg;            /* of the job: electricity and making the machines; 0: not known */
    double move_days;            /* calendar days of the move */
    double annuity_usd_per_year; /* tco_usd spread over the years */
} assay_money_result_t;

/* What an amount is of, and so when it falls due. */
typedef enum {
    ASSAY_WHEN_START,  /* capital, at t = 0 */
    ASSAY_WHEN_END,    /* income at t = years */
    ASSAY_WHEN_ONCE,   /* at t = 0, all of it on this run */
    ASSAY_WHEN_FIXED,  /* at the end of every year, the same amount */
    ASSAY_WHEN_YEARLY, /* the same, with inflation */
    ASSAY_WHEN_HOURLY, /* of every hour that is used; due yearly, with inflation */
    ASSAY_WHEN_RENT,   /* of every hour that is used or committed; due yearly, with falling rents */
    ASSAY_WHEN_RUN,    /* of every run; due yearly, with inflation */
    ASSAY_WHEN_DEBT,   /* yearly, with inflation; of a run one year at least */
    ASSAY_WHEN_N
} assay_when_t;

/* One flow of cash: usd x the drawn inputs it names, which falls due as `when` says. The weights
   follow from that: job usd = amount x max(job_least, job_per_h x hours), tco usd = amount x
   (tco + tco_times_h / hours); income tax gives back the share `tax` of both. */
typedef struct {
    uint8_t term, when, n_draw;
    uint8_t draw[4];             /* assay_draw_t */
    int16_t first_month, months; /* in which it falls due */
    double usd;                  /* of the cluster: once, a year, an hour, a run */
    double job_least, job_per_h, tco, tco_times_h, tax;
} assay_cashflow_t;

#define ASSAY_FLOW_MAX 48
/** A case made ready: built once, evaluated often. */
typedef struct {
    const assay_money_case_t *money_case;
    assay_cashflow_t flow[ASSAY_FLOW_MAX];
    uint32_t n_flow;
    double factor, end;      /* annuity factor and discount of the years */
    double pv[ASSAY_WHEN_N]; /* present value of one USD a year, an hour, ... over the years */
} assay_money_flows_t;
void assay_money_flows(const assay_money_case_t *money_case, assay_money_flows_t *out_flows);
/** What one USD of a flow costs in year 0, 1, ..., undiscounted, by `when`. */
void assay_money_year(const assay_money_flows_t *flows, int year, double out_weight[ASSAY_WHEN_N]);
/** As assay_money_eval, of flows built before. x: (ASSAY_DRAW_N) drawn values; see
    assay_money_draw. */
void assay_money_sum(const assay_money_flows_t *flows, const double *x, assay_money_result_t *out);
/** Keeps a drawn value where it can be: PUE >= 1, power <= nameplate; the network's share of the
    cluster becomes its ratio to the servers. Once for each value. */
double assay_money_keep_one(const assay_money_case_t *money_case, assay_draw_t draw, double x);
/** Whether that can change a value. */
bool assay_money_is_kept(assay_draw_t draw);
/** The drawn values at u (NULL: central), kept. */
void assay_money_draw(const assay_money_case_t *money_case, const double *u,
                      double out_x[ASSAY_DRAW_N]);

/**
 * Every value is finite and inside its domain (resolve checked it). Facts that are unknown count
 * nothing: operations, migration levels, retrofit, host power; resolve's notes say so. A rack of
 * unknown size is taken to hold one node. The draw of a node is at most its nameplate.
 */
void assay_money_case(const assay_money_input_t *money, const assay_machine_t *machine,
                      const assay_workload_t *work, const assay_estimate_t *estimate,
                      const assay_money_spread_t *spread, assay_money_case_t *out_case);
/** The same cluster with another number of nodes. */
void assay_money_set_nodes(assay_money_case_t *io_case, double nodes);
/** The same over another number of years, above 0 up to ASSAY_YEARS_MAX, with what is left of the
    machines then; how far that can be off stays. money: what the case was made of. */
void assay_money_set_years(assay_money_case_t *io_case, const assay_money_input_t *money,
                           double years);
/** Share of the price that is left after so many years, by the job's figure or depreciation. */
double assay_money_residual(const assay_money_input_t *money, double years);
/** u: (ASSAY_DRAW_N) in (0,1). u NULL = every input at its central value. Allocates: no. */
void assay_money_eval(const assay_money_case_t *money_case, const double *u,
                      assay_money_result_t *out);
/** Energy of a token, J, in 8 of 10 cases from p10 to p90. */
typedef struct {
    double v, p10, p90; /* at the meter: hosts, PUE and the hours that stops cost are in it */
    double packages;    /* of v before PUE, what the accelerators draw */
    double host_share;  /* of a node's draw, what is not theirs */
} assay_token_energy_t;
/**
 * point: the case's result at central values; v x tokens is its energy_kwh. The range joins those
 * of step time, power and PUE, independent of each other, in squares of logarithms. False: what
 * comes out is no token.
 */
bool assay_money_token_energy(const assay_money_case_t *money_case,
                              const assay_money_result_t *point, assay_token_energy_t *out);

/**
 * Yearly payment on capital with a residual after n years at rate r >= 0: (C - S/(1+r)^n)/a, which
 * for whole n is (C - S/(1+r)^n) r/(1 - (1+r)^-n); r = 0 is straight line. So payment x a = C -
 * S/(1+r)^n.
 */
double assay_money_annuity(double capital, double residual, double rate, double years);
/**
 * a: present value of 1 a year for years > 0, paid at the end of each year; a last partial year f
 * pays f at the end of the term: sum_{t=1..floor(n)} (1+r)^-t + f (1+r)^-n.
 */
double assay_money_annuity_factor(double rate, double years);

/** a with payments that grow by `growth` a year (-1 < growth): sum (1+g)^(t-1) (1+r)^-t. */
double assay_money_growing_factor(double rate, double growth, double years);

/* ---- what finance asks: amounts by year ---- */

#define ASSAY_SERIES_MAX (ASSAY_YEARS_MAX + 2)
/** One payment: when, and how much (cost > 0, income < 0); undiscounted. */
typedef struct {
    double at_years[ASSAY_SERIES_MAX], usd[ASSAY_SERIES_MAX];
    uint32_t n;
} assay_series_t;
/** The payments whose present value at the case's rate is tco_cash_flow_usd. */
void assay_money_series(const assay_money_flows_t *flows, const double *x,
                        assay_series_t *out_series);
/** sum usd (1+rate)^-t, rate > -1. */
double assay_money_present(const assay_series_t *series, double rate);
/**
 * The rate at which spending `a` instead of `b` (both of the same times) is worth nothing: the root
 * of present(a) = present(b) between -0.99 and 100. False: no root there, or the sign of the
 * difference changes more than once over time, so that there may be several.
 */
bool assay_money_irr(const assay_series_t *a, const assay_series_t *b, double *out_rate);
/** Flows of which assay_money_sum's tco_cash_flow_usd is the present value of what has been paid by
    the end of month m, the residual at the end left out. until: room for a case, outlives them. */
void assay_money_paid(const assay_money_case_t *money_case, uint32_t month,
                      assay_money_case_t *until, assay_money_flows_t *out_flows);

/* ---- many samples at once ---- */

#define ASSAY_BATCH 256u
/** x: (ASSAY_DRAW_N) pointers to `n` <= ASSAY_BATCH values; NULL = central. out: (n) each. Sums in
    another order than assay_money_sum: equal to rounding. */
void assay_money_batch(const assay_money_flows_t *flows, const double *const x[ASSAY_DRAW_N],
                       uint32_t n, double *out_job_usd, double *out_tco_usd, double *out_hours);

#ifdef __cplusplus
}
#endif
#endif
