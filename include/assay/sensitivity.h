/**
 * What the uncertainty of a decision rests on: each input's swing, share of the variance and worth,
 * what to measure first, when the costs cross, and maps of two variables. Amounts in USD; the cost
 * is that of the job where it trains, the TCO
 * where it serves or makes images. All arrays live in the arena of the decision.
 */
#ifndef ASSAY_SENSITIVITY_H
#define ASSAY_SENSITIVITY_H

#include "assay/money.h"
#include "assay/units.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One uncertain input of choice and runner-up. delta: cost of the runner-up less that of the
 * choice, so that the verdict flips where it is below 0.
 */
typedef struct {
    uint8_t draw;          /* assay_draw_t */
    const char *name;      /* "step time, this machine", in English */
    const char *candidate; /* id; NULL = shared by all */
    double low_x, high_x;  /* its 10th and 90th percentile; a factor around 1 or the value itself */
    double low_usd, high_usd;               /* delta there, all else at central values */
    double low_choice_usd, high_choice_usd; /* cost of the choice there */
    double first_order; /* share of the variance of delta that this input alone explains, 0..1 */
    double worth_usd;   /* expected saving by knowing it exactly before choosing (EVPPI) */
} assay_input_t;

/** Something that can be measured, and what that is worth before choosing. */
typedef struct {
    const char *id;        /* key of --measured: "hip_fit", "step_time" */
    const char *candidate; /* id; NULL = not of one machine */
    const char *how;       /* what to run */
    const char *sentence;
    double minutes;
    double worth_usd; /* of knowing all inputs that it settles */
} assay_measurement_t;

/** Cumulative discounted cost of owning or renting over the years, by month 0..n_month. */
typedef struct {
    const char *candidate;
    double *p10_usd, *p50_usd, *p90_usd; /* (n_month + 1) */
} assay_curve_t;

/** Choice against runner-up as an investment: what choosing costs more at the start, and brings. */
typedef struct {
    double
        npv_usd; /* present value of choosing it: tco of the runner-up less its own (cash flow) */
    double more_at_start_usd;                       /* < 0: it also costs less at the start */
    double payback_years, discounted_payback_years; /* 0 = at once; see has_ */
    double irr;
    bool has_payback, has_discounted_payback, has_irr;
} assay_investment_t;

#define ASSAY_MAP_POINTS 21 /* most values of an axis */
#define ASSAY_MAP_PANELS 5
typedef struct {
    const char *variable, *label;
    assay_dim_t dim;
    uint32_t n;
    double value[ASSAY_MAP_POINTS]; /* ascending */
    double now;                     /* where the job stands; NAN = unknown */
} assay_map_axis_t;

/** Mover against incumbent over two variables; a third one has one panel a value. */
typedef struct {
    assay_map_axis_t x, y, panel; /* panel.n = 0: one panel, no third variable */
    const char *mover, *incumbent;
    uint32_t points; /* samples of each cell */
    /* (panel, y, x) */
    double *delta_usd; /* cost of the incumbent less that of the mover at central values; where one
                          alone can do the work infinite, where none can NAN */
    double *p_mover;   /* probability that the mover is cheaper; NAN where none can */
    /* (panel, x): y at which the mover becomes cheaper in half, a tenth, nine tenths of the
       samples; NAN = nowhere between the ends of y */
    double *edge, *edge_p10, *edge_p90;
    const char *sentence;
} assay_map_t;

typedef struct {
    assay_input_t *input; /* the largest swing first */
    uint32_t n_input;
    double interaction; /* share of the variance that no input explains alone, 0..1 */
    double
        perfect_usd; /* worth of knowing everything: the expected regret of the cheapest in mean */
    assay_measurement_t *measurement; /* the most valuable first; none worth nothing */
    uint32_t n_measurement;
    int32_t quick;        /* the most valuable one of at most twenty minutes; -1 = none */
    assay_curve_t *curve; /* of candidates that fit */
    uint32_t n_curve, n_month;
    double *p_crossed; /* (n_month + 1) P(the choice has cost less in all than the runner-up by then
                          and stays cheaper to the end) */
    assay_investment_t investment;
    bool has_investment; /* there is a runner-up */
    /* How many of the samples each part looks at. */
    uint32_t points, curve_points, move_points;
    /* the move's labour against budget and contingency */
    double move_budget_usd, p_move_over, move_over_usd; /* over: mean excess where it is over */
    assay_map_t *map;
    uint32_t n_map;
} assay_sensitivity_t;

#ifdef __cplusplus
}
#endif
#endif
