/* Names of terms and inputs, and the arithmetic of interest. */
#include "assay/money.h"

#include <assert.h>
#include <math.h>

#include "base/det_math.h"
#include "money/discount.h"

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
static const struct {
    const char *what;
    bool common;
} draw_row[ASSAY_DRAW_N] = {
#define DRAW_ROW(code, name, what, is_common) [ASSAY_DRAW_##code] = {what, is_common},
    ASSAY_DRAW_LIST(DRAW_ROW)
#undef DRAW_ROW
#define OPTION_ROW(code, key, dim, scale, least, most, drawn, term, help) \
    [ASSAY_DRAW_OPTION + ASSAY_OPTION_##code] = {help, true},
        ASSAY_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
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
    return draw_row[draw].common;
}

const char *assay_draw_what(assay_draw_t draw) {
    assert(draw < ASSAY_DRAW_N);
    return draw_row[draw].what;
}

/* Whole years by multiplication: the same on every machine, which pow() does not promise. */
double money_discount(double rate, double years) {
    const double v = 1.0 / (1.0 + rate);
    double whole, result = 1.0;
    const double part = modf(years, &whole);
    for (int t = 0; t < (int)whole; t++) {
        result *= v;
    }
    return part > 0.0 ? result * assay_det_exp(part * assay_det_log(v)) : result;
}

double assay_money_growing_factor(double rate, double growth, double years) {
    assert(rate >= 0.0 && growth > -1.0 && years > 0.0 && years <= ASSAY_YEARS_MAX);
    const double v = 1.0 / (1.0 + rate);
    double whole, paid = 1.0, grown = 1.0, sum = 0.0;
    const double part = modf(years, &whole);
    for (int t = 0; t < (int)whole; t++) {
        paid *= v;
        sum += paid * grown;
        grown *= 1.0 + growth;
    }
    return part > 0.0 ? sum + part * grown * money_discount(rate, years) : sum;
}

double assay_money_annuity_factor(double rate, double years) {
    return assay_money_growing_factor(rate, 0.0, years);
}

double assay_money_annuity(double capital, double residual, double rate, double years) {
    return (capital - residual * money_discount(rate, years)) /
           assay_money_annuity_factor(rate, years);
}
