/* What finance asks: payments by year, net present value, internal rate of return. */
#include "assay/money.h"

#include <assert.h>
#include <math.h>

#include "base/det_math.h"
#include "money/discount.h"

#include "base/banned.h"

#define RATE_LEAST (-0.99)
#define RATE_MOST 100.0
#define BISECTIONS 200
#define MONTHS_PER_YEAR 12.0

/* A case of one year that stands `year` years into the future tells what that year costs: its
   present value at rate 0. */
static void add_year(const assay_money_flows_t *flows, const double *x, int year, double share,
                     double at_years, assay_series_t *out) {
    assay_money_flows_t one = *flows;
    assay_money_result_t result;
    assay_money_year(flows, year, one.pv);
    for (uint32_t k = 0; k < one.n_flow; k++) {
        assay_cashflow_t *flow = &one.flow[k];
        const double weight = share * one.pv[flow->when];
        flow->tco = flow->when == ASSAY_WHEN_RUN ? 0.0 : weight;
        flow->tco_times_h = flow->when == ASSAY_WHEN_RUN ? weight : 0.0;
    }
    assay_money_sum(&one, x, &result);
    out->at_years[out->n] = at_years;
    out->usd[out->n++] = result.tco_cash_flow_usd;
}

/* What falls due at the start (when 1) or the end (when -1), undiscounted. */
static void add_once(const assay_money_flows_t *flows, const double *x, bool end, double at_years,
                     assay_series_t *out) {
    assay_money_flows_t one = *flows;
    assay_money_result_t result;
    for (uint32_t k = 0; k < one.n_flow; k++) {
        assay_cashflow_t *flow = &one.flow[k];
        const bool now = end ? flow->when == ASSAY_WHEN_END
                             : flow->when == ASSAY_WHEN_START || flow->when == ASSAY_WHEN_ONCE;
        flow->tco = now ? 1.0 : 0.0;
        flow->tco_times_h = 0.0;
    }
    assay_money_sum(&one, x, &result);
    out->at_years[out->n] = at_years;
    out->usd[out->n++] = result.tco_cash_flow_usd;
}

void assay_money_series(const assay_money_flows_t *flows, const double *x,
                        assay_series_t *out_series) {
    const double years = flows->money_case->years;
    double whole;
    const double part = modf(years, &whole);
    out_series->n = 0;
    add_once(flows, x, false, 0.0, out_series);
    for (int year = 0; year < (int)whole; year++) {
        add_year(flows, x, year, 1.0, year + 1.0, out_series);
    }
    if (part > 0.0) {
        add_year(flows, x, (int)whole, part, years, out_series);
    }
    const uint32_t last = out_series->n - 1;
    add_once(flows, x, true, years, out_series);
    out_series->usd[last] += out_series->usd[last + 1];
    out_series->n = last + 1;
}

double assay_money_present(const assay_series_t *series, double rate) {
    assert(rate > -1.0);
    double sum = 0.0;
    for (uint32_t k = 0; k < series->n; k++) {
        sum += series->usd[k] * money_discount(rate, series->at_years[k]);
    }
    return sum;
}

bool assay_money_irr(const assay_series_t *a, const assay_series_t *b, double *out_rate) {
    assert(a->n == b->n);
    assay_series_t more = *a;
    uint32_t changes = 0;
    int sign = 0;
    for (uint32_t k = 0; k < more.n; k++) {
        more.usd[k] -= b->usd[k];
        const int now = (more.usd[k] > 0.0) - (more.usd[k] < 0.0);
        changes += now != 0 && sign != 0 && now != sign;
        sign = now != 0 ? now : sign;
    }
    double low = RATE_LEAST, high = RATE_MOST;
    const double at_low = assay_money_present(&more, low);
    const double at_high = assay_money_present(&more, high);
    if (changes != 1 || !(at_low * at_high < 0.0)) {
        return false;
    }
    for (int k = 0; k < BISECTIONS && high - low > 1e-15 * (1.0 + fabs(low)); k++) {
        const double middle = 0.5 * (low + high);
        if (assay_money_present(&more, middle) * at_low > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *out_rate = 0.5 * (low + high);
    return true;
}

void assay_money_paid(const assay_money_case_t *money_case, uint32_t month,
                      assay_money_case_t *until, assay_money_flows_t *out_flows) {
    *until = *money_case;
    if (month > 0) {
        until->years = fmin(until->years, month / MONTHS_PER_YEAR);
    }
    assay_money_flows(until, out_flows);
    for (uint32_t k = 0; k < out_flows->n_flow; k++) {
        assay_cashflow_t *flow = &out_flows->flow[k];
        const bool at_start = flow->when == ASSAY_WHEN_START || flow->when == ASSAY_WHEN_ONCE;
        if (flow->when == ASSAY_WHEN_END || (month == 0 && !at_start)) {
            flow->tco = flow->tco_times_h = 0.0;
        }
    }
}
