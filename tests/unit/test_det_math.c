#include "base/det_math.h"

#include <float.h>
#include <stdlib.h>

#include "assay/rng.h"
#include "assay_test.h"

/* Distance from a reference of more precision, in units of the last place of the result. */
static double ulps(double value, long double reference) {
    const double near = (double)reference;
    const double ulp = nextafter(fabs(near), (double)INFINITY) - fabs(near);
    return (double)(fabsl((long double)value - reference) / (long double)ulp);
}

/* The C library's long double functions are the independent implementation. */
static void test_exp_within_one_ulp(void **state) {
    (void)state;
    double worst = 0, worst_small = 0;
    for (uint64_t i = 0; i < 200000; i++) {
        const double u = assay_rng_uniform(1, 1, i);
        const double x = -708 + u * (709.7 + 708), small = (u - 0.5) * 2;
        worst = fmax(worst, ulps(assay_det_exp(x), expl((long double)x)));
        worst_small = fmax(worst_small, ulps(assay_det_exp(small), expl((long double)small)));
    }
    if (worst >= 1 || worst_small >= 1) {
        fail_msg("worst error %.3f ulp, near zero %.3f ulp", worst, worst_small);
    }
}

static void test_log_within_one_ulp(void **state) {
    (void)state;
    double worst = 0, worst_near_one = 0;
    for (uint64_t i = 0; i < 200000; i++) {
        const double u = assay_rng_uniform(1, 2, i);
        const double x = (double)expl(-744.0L + (long double)u * 1453), near = 0.5 + u;
        worst = fmax(worst, ulps(assay_det_log(x), logl((long double)x)));
        worst_near_one = fmax(worst_near_one, ulps(assay_det_log(near), logl((long double)near)));
    }
    if (worst >= 1 || worst_near_one >= 1) {
        fail_msg("worst error %.3f ulp, near one %.3f ulp", worst, worst_near_one);
    }
}

static void test_exact_points(void **state) {
    (void)state;
    assert_true(assay_det_exp(0) == 1);
    assert_true(assay_det_exp(-0.0) == 1);
    assert_true(assay_det_log(1) == 0);
    /* OEIS A001113 and A002162, rounded to double */
    assay_test_close(assay_det_exp(1), 2.718281828459045235, 0, 4.5e-16, "e");
    assay_test_close(assay_det_log(2), 0.693147180559945309, 0, 1.2e-16, "ln 2");
    assay_test_close(assay_det_log(10), 2.302585092994045684, 0, 4.5e-16, "ln 10");
    for (int k = -1022; k <= 1023; k++) {
        assay_test_close(assay_det_log(ldexp(1, k)), k * 0.693147180559945309, 2.3e-16, 0,
                         "ln 2^k");
    }
}

static void test_ends_of_the_range(void **state) {
    (void)state;
    const double inf = (double)INFINITY;
    assert_true(assay_det_exp(inf) == inf);
    assert_true(assay_det_exp(710) == inf);
    assert_true(assay_det_exp(709.782712893384) <= DBL_MAX ||
                assay_det_exp(709.782712893384) == inf);
    assert_true(assay_det_exp(709.78) < inf);
    assert_true(assay_det_exp(-inf) == 0);
    assert_true(assay_det_exp(-746) == 0);
    assay_test_close(assay_det_exp(-745), DBL_TRUE_MIN, 0, 0, "least subnormal");
    assay_test_close(assay_det_exp(-720), (double)expl(-720), 0, DBL_TRUE_MIN, "subnormal");
    assert_true(isnan(assay_det_exp((double)NAN)));
    assert_true(assay_det_log(0) == -inf);
    assert_true(assay_det_log(-0.0) == -inf);
    assert_true(assay_det_log(inf) == inf);
    assert_true(isnan(assay_det_log(-1)));
    assert_true(isnan(assay_det_log(-inf)));
    assert_true(isnan(assay_det_log((double)NAN)));
    assay_test_close(assay_det_log(DBL_MAX), 709.782712893383973, 2e-16, 0, "ln of the largest");
    assay_test_close(assay_det_log(DBL_TRUE_MIN), -744.440071921381262, 2e-16, 0,
                     "ln of the least");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp_within_one_ulp),
        cmocka_unit_test(test_log_within_one_ulp),
        cmocka_unit_test(test_exact_points),
        cmocka_unit_test(test_ends_of_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
