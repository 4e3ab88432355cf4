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
 * retrofit     as capex, without residual                     at t = 0
 * rent         USD/h x nodes x hours                          USD/h x nodes x h u, yearly
 * energy       node_w/1000 x PUE x USD/kWh x nodes x hours    the same with h u hours, yearly
 * operations   USD a year x hours/(h u); rented: hours/h      yearly
 * migration    person-days x labour                           at t = 0
 * training     hours/8 x engineers x labour                   at t = 0
 * debt         person-days a year x labour x max(1, hours/h)  yearly
 * contingency  share x (migration + training)                 at t = 0
 *
 * C whole cluster; h = 8766 hours a year; u utilisation; a = assay_money_annuity_factor(rate,
 * years). Readings that the article leaves open, and ours:
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

#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/money_input.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    X(CONTINGENCY, "contingency", "contingency (A15)")
typedef enum {
#define ASSAY_TERM_ENUM(code, name, what) ASSAY_TERM_##code,
    ASSAY_TERM_LIST(ASSAY_TERM_ENUM)
#undef ASSAY_TERM_ENUM
        ASSAY_TERM_N
} assay_term_t;
const char *assay_term_name(assay_term_t term);
const char *assay_term_what(assay_term_t term);

/* Uncertain inputs: one uniform number each and sample. `common` ones are drawn once for all
   candidates. */
#define ASSAY_DRAW_LIST(X)                            \
    X(STEP_COMMON, "step time, shared physics", true) \
    X(STEP_OWN, "step time, this machine", false)     \
    X(PRICE, "purchase or hourly price", false)       \
    X(POWER, "power", false)                          \
    X(ELECTRICITY, "electricity price", true)         \
    X(PUE, "PUE", true)                               \
    X(OPERATIONS, "staff and upkeep", true)           \
    X(LEVEL_1, "migration level 1", true)             \
    X(LEVEL_2, "migration level 2", true)             \
    X(LEVEL_3, "migration level 3", true)             \
    X(RETROFIT, "retrofit", false)                    \
    X(CONTINGENCY, "contingency", true)
typedef enum {
#define ASSAY_DRAW_ENUM(code, name, common) ASSAY_DRAW_##code,
    ASSAY_DRAW_LIST(ASSAY_DRAW_ENUM)
#undef ASSAY_DRAW_ENUM
        ASSAY_DRAW_N
} assay_draw_t;
bool assay_draw_is_common(assay_draw_t draw);

/** What no fact carries: how errors are shared, and how far the power model can be off. */
typedef struct {
    double common_share; /* of the variance of ln(step time) that all candidates share, 0..1 */
    double power_p10, power_p90; /* of (true mean draw)/(modelled), 0 < p10 <= 1 <= p90 */
} assay_money_spread_t;

typedef struct {
    assay_dist_t draw[ASSAY_DRAW_N]; /* multiplicative for STEP_*, PRICE, POWER; absolute else */
    double central[ASSAY_DRAW_N];    /* of the same; their median unless a range leaves it out */
    bool owned, moves;               /* moves: pays the migration terms */
    double nodes, racks;             /* racks: whole */
    double job_h;                    /* at the predicted step time */
    double epochs;
    double node_w, node_max_w; /* mean draw of one node while training; its nameplate, 0 unknown */
    double capex_usd, usd_per_h; /* per node */
    double residual;             /* share of capex at the end */
    double years, rate, utilisation;
    double labour_usd_per_day, training_days, debt_days_per_year;
    uint8_t formula; /* assay_tco_formula_t */
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
    double rate_usd_per_h; /* (job_usd - one_time_usd)/hours, whole cluster */
} assay_money_result_t;

/**
 * Every value is finite and inside its domain (resolve checked it). Facts that are unknown count
 * nothing: operations, migration levels, retrofit, host power; resolve's notes say so. A rack of
 * unknown size is taken to hold one node. The draw of a node is at most its nameplate.
 */
void assay_money_case(const assay_money_input_t *money, const assay_machine_t *machine,
                      const assay_workload_t *work, const assay_estimate_t *estimate,
                      const assay_money_spread_t *spread, assay_money_case_t *out_case);
/** u: (ASSAY_DRAW_N) in (0,1). u NULL = every input at its central value. Allocates: no. */
void assay_money_eval(const assay_money_case_t *money_case, const double *u,
                      assay_money_result_t *out);
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

#ifdef __cplusplus
}
#endif
#endif
