/**
 * Money: cash-flow terms of one candidate -> cost of the job, cost per epoch, TCO. Two stages: build
 * once (flat const struct), evaluate often (scalar, no allocation), so that sampling is cheap.
 *
 * Two views, both from the same terms:
 * job   what this run costs: annuity per useful hour x hours (owned) or price x hours (rented),
 *       energy, and every one-time cost of moving in full (A2: the run has to amortise it);
 * tco   what the cluster costs over its `years`: capex/(1+r)^0 + sum_t (labour_t + energy_t)/(1+r)^t,
 *       plus the one-time terms. The article's literal form (A14 as printed) discounts the hardware too.
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

#define ASSAY_TERM_LIST(X)                                                                         \
    X(CAPEX, "capex", "servers and accelerators")                                                  \
    X(RESIDUAL, "residual", "residual value at the end")                                           \
    X(RETROFIT, "retrofit", "rack retrofit (A4)")                                                  \
    X(RENT, "rent", "rented node-hours")                                                           \
    X(ENERGY, "energy", "electricity with PUE")                                                    \
    X(OPERATIONS, "operations", "staff and upkeep")                                                \
    X(MIGRATION_1, "migration_1", "migration level 1: interfaces (A6)")                            \
    X(MIGRATION_2, "migration_2", "migration level 2: kernels (A6)")                               \
    X(MIGRATION_3, "migration_3", "migration level 3: ecosystem (A6)")                             \
    X(TRAINING, "training", "training of engineers (A15)")                                         \
    X(DEBT, "debt", "technical debt (A15)")                                                        \
    X(CONTINGENCY, "contingency", "contingency (A15)")
typedef enum {
#define ASSAY_TERM_ENUM(code, name, what) ASSAY_TERM_##code,
    ASSAY_TERM_LIST(ASSAY_TERM_ENUM)
#undef ASSAY_TERM_ENUM
        ASSAY_TERM_N
} assay_term_t;
const char *assay_term_name(assay_term_t term);
const char *assay_term_what(assay_term_t term);

/* Uncertain inputs: one uniform number each and sample. `common` ones are drawn once for all candidates. */
#define ASSAY_DRAW_LIST(X)                                                                         \
    X(STEP_COMMON, "step time, shared physics", true)                                              \
    X(STEP_OWN, "step time, this machine", false)                                                  \
    X(PRICE, "purchase or hourly price", false)                                                    \
    X(POWER, "power", false)                                                                       \
    X(ELECTRICITY, "electricity price", true)                                                      \
    X(PUE, "PUE", true)                                                                            \
    X(OPERATIONS, "staff and upkeep", true)                                                        \
    X(LEVEL_1, "migration level 1", true)                                                          \
    X(LEVEL_2, "migration level 2", true)                                                          \
    X(LEVEL_3, "migration level 3", true)                                                          \
    X(RETROFIT, "retrofit", false)                                                                 \
    X(CONTINGENCY, "contingency", true)
typedef enum {
#define ASSAY_DRAW_ENUM(code, name, common) ASSAY_DRAW_##code,
    ASSAY_DRAW_LIST(ASSAY_DRAW_ENUM)
#undef ASSAY_DRAW_ENUM
        ASSAY_DRAW_N
} assay_draw_t;
const char *assay_draw_name(assay_draw_t draw);
bool assay_draw_is_common(assay_draw_t draw);

typedef struct {
    assay_dist_t draw[ASSAY_DRAW_N]; /* multiplicative for STEP_*, PRICE, POWER; absolute else */
    bool owned, moves;               /* moves: pays the migration terms */
    double nodes, racks;             /* racks: whole */
    double job_h;                    /* at the predicted step time */
    double epochs;
    double node_w;                   /* mean draw of one node while training */
    double capex_usd, usd_per_h;     /* per node */
    double residual;                 /* share of capex at the end */
    double years, rate, utilisation;
    double labour_usd_per_day, training_days, debt_days_per_year;
    uint8_t formula;
} assay_money_case_t;

#define ASSAY_YEARS_MAX 30
typedef struct {
    double hours, days;
    double job_usd, per_epoch_usd;
    double job_term_usd[ASSAY_TERM_N]; /* sum = job_usd */
    double tco_usd;                    /* by the case's formula */
    double tco_cash_flow_usd, tco_article_usd; /* both forms */
    double tco_term_usd[ASSAY_TERM_N]; /* present values; sum = tco_usd */
    double node_h_usd;                 /* per useful node-hour: annuity (or rent), energy, operations */
    double energy_kwh;                 /* of the job, PUE included */
    double one_time_usd;               /* moving: migration, training, debt of the first year, contingency */
    double rate_usd_per_h;             /* all that grows with the job's hours, whole cluster */
} assay_money_result_t;

/** Every value is finite and inside its domain (resolve checked it). */
void assay_money_case(const assay_money_input_t *money, const assay_machine_t *machine,
                      const assay_workload_t *work, const assay_estimate_t *estimate,
                      assay_money_case_t *out_case);
/** u: (ASSAY_DRAW_N) in (0,1). u NULL = every input at its central value. */
void assay_money_eval(const assay_money_case_t *money_case, const double *u,
                      assay_money_result_t *out);
/** Yearly payment on capital c with residual s after n years at rate r; r = 0 is straight line. */
double assay_money_annuity(double capital, double residual, double rate, double years);
/** Present value of 1 a year for n years (whole, end of year). */
double assay_money_annuity_factor(double rate, double years);

#ifdef __cplusplus
}
#endif
#endif
