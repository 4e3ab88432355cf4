#include "assay/dist.h"

#include "assay/rng.h"
#include "assay_test.h"

/* NIST/SEMATECH and Abramowitz & Stegun table 26.5 give the round ones; all were computed from
   erfc with 40 digits by mpmath 1.3, at the double nearest to u. */
static void test_normal_quantile(void **state) {
    (void)state;
    static const struct {
        double u, z;
    } row[] = {
        {0.5, 0},
        {0.6, 0.25334710313579974132},
        {0.75, 0.6744897501960817432},
        {0.8413447460685429, 0.99999999999999990574},
        {0.9, 1.2815515655446005935},
        {0.925, 1.4395314709384562291}, /* where the formula changes */
        {0.075, -1.4395314709384559349},
        {0.95, 1.6448536269514722843},
        {0.975, 1.9599639845400538556},
        {0.99, 2.3263478740408407676},
        {0.995, 2.5758293035489004539},
        {0.999, 3.0902323061678132778},
        {0.9999, 3.7190164854557083867},
        {1e-6, -4.7534243088228989573},
        {1e-10, -6.3613409024040561991},
        {1e-16, -8.2220822161304356152},
        {1e-100, -21.273453560965324294},
        {1e-300, -37.047096299361199237},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_test_close(assay_normal_quantile(row[i].u), row[i].z, 1e-15, 0, "quantile");
    }
}

static void test_normal_cdf(void **state) {
    (void)state;
    static const struct {
        double z, p;
    } row[] = {
        {-38, 2.8854283600687843084e-316},
        {-37.5, 4.6053530095819548438e-308},
        {-30, 4.9067139271481870595e-198},
        {-10, 7.619853024160526066e-24},
        {-5, 2.8665157187919391167e-7},
        {-3, 0.0013498980316300945267},
        {-2.0000001, 0.022750126549083104627}, /* where the method changes */
        {-2, 0.0227501319481792072},
        {-1.9999999, 0.022750137347276401581},
        {-1, 0.15865525393145705141},
        {-0.5, 0.30853753872598689636},
        {0, 0.5},
        {0.25, 0.59870632568292372424},
        {1, 0.84134474606854294859},
        {1.96, 0.97500210485177956379},
        {2.5, 0.99379033467422386483},
        {5, 0.99999971334842812081},
        {8, 0.9999999999999993779},
        {41, 1},
        {-41, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_test_close(assay_normal_cdf(row[i].z), row[i].p, 2e-14, 1e-322, "cdf");
    }
}

static void test_quantile_undoes_cdf(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        const double u = assay_rng_uniform(5, 0, i), z = assay_normal_quantile(u);
        assay_test_close(assay_normal_cdf(z), u, 2e-14, 0, "cdf of quantile");
        assay_test_close(assay_normal_quantile(1 - u), -z, 0, 1e-9, "symmetry");
    }
}

static void test_fixed(void **state) {
    (void)state;
    const assay_dist_t dist = assay_dist_fixed(3.5);
    assay_test_close(assay_dist_quantile(&dist, 0.01), 3.5, 0, 0, "quantile");
    assay_test_close(assay_dist_mean(&dist), 3.5, 0, 0, "mean");
    assert_int_equal(dist.common, 0);
}

static void test_uniform(void **state) {
    (void)state;
    const assay_dist_t dist = assay_dist_uniform(2, 6);
    assay_test_close(assay_dist_quantile(&dist, 0.25), 3, 0, 0, "quarter of the way");
    assay_test_close(assay_dist_mean(&dist), 4, 0, 0, "mean");
}

/* Low 0, mode 2, high 8: F(2) = 2/8; F(x) = x^2/16 below, 1 - (8-x)^2/48 above.
   F(1) = 1/16; F(5) = 1 - 9/48 = 13/16. Mean (0 + 2 + 8)/3. */
static void test_triangular(void **state) {
    (void)state;
    const assay_dist_t dist = assay_dist_triangular(0, 2, 8);
    assay_test_close(assay_dist_quantile(&dist, 1.0 / 16), 1, 1e-15, 0, "below the mode");
    assay_test_close(assay_dist_quantile(&dist, 0.25), 2, 1e-15, 0, "the mode");
    assay_test_close(assay_dist_quantile(&dist, 13.0 / 16), 5, 1e-15, 0, "above the mode");
    assay_test_close(assay_dist_mean(&dist), 10.0 / 3, 1e-15, 0, "mean");
    const assay_dist_t left = assay_dist_triangular(0, 0, 1),
                       point = assay_dist_triangular(4, 4, 4);
    assay_test_close(assay_dist_quantile(&left, 0.75), 0.5, 1e-15, 0, "1 - sqrt(1/4)");
    assay_test_close(assay_dist_quantile(&point, 0.3), 4, 0, 0, "no width");
}

/* p10 = 2, p90 = 8: median 4, sigma = ln(4) / (2 z90) = 1.3862944 / 2.5631031 = 0.5408656 */
static void test_lognormal(void **state) {
    (void)state;
    const assay_dist_t dist = assay_dist_lognormal_p10_p90(2, 8);
    assay_test_close(dist.par[0], 4, 1e-15, 0, "median");
    assay_test_close(dist.par[1], 1.3862943611198906 / 2.5631031310892007, 1e-15, 0, "sigma");
    assay_test_close(assay_dist_quantile(&dist, 0.1), 2, 1e-14, 0, "p10");
    assay_test_close(assay_dist_quantile(&dist, 0.5), 4, 1e-14, 0, "p50");
    assay_test_close(assay_dist_quantile(&dist, 0.9), 8, 1e-14, 0, "p90");
    /* mean = median exp(sigma^2/2): 10 exp(0.02) */
    const assay_dist_t narrow = assay_dist_lognormal(10, 0.2);
    assay_test_close(assay_dist_mean(&narrow), 10.202013400267558, 1e-15, 0, "mean");
    const assay_dist_t point = assay_dist_lognormal_p10_p90(3, 3);
    assay_test_close(assay_dist_quantile(&point, 0.99), 3, 1e-15, 0, "no width");
}

/* p10 = 5, p50 = 8, p90 = 20: all three are kept, and halfway in z each side is its own lognormal:
   z = z90/2 gives 8 sqrt(20/8) = 12.649111, z = -z90/2 gives 8/sqrt(8/5) = 6.3245553 */
static void test_split_lognormal(void **state) {
    (void)state;
    const assay_dist_t dist = assay_dist_lognormal_p10_p50_p90(5, 8, 20);
    assay_test_close(assay_dist_quantile(&dist, 0.1), 5, 1e-14, 0, "p10");
    assay_test_close(assay_dist_quantile(&dist, 0.5), 8, 1e-14, 0, "p50");
    assay_test_close(assay_dist_quantile(&dist, 0.9), 20, 1e-14, 0, "p90");
    const double half = assay_normal_cdf(0.5 * 1.2815515655446004);
    assay_test_close(assay_dist_quantile(&dist, half), 12.649110640673518, 1e-12, 0, "above");
    assay_test_close(assay_dist_quantile(&dist, 1 - half), 6.3245553203367590, 1e-12, 0, "below");
    const assay_dist_t even = assay_dist_lognormal_p10_p50_p90(2, 4, 8);
    const assay_dist_t plain = assay_dist_lognormal_p10_p90(2, 8);
    assay_test_close(assay_dist_quantile(&even, 0.7), assay_dist_quantile(&plain, 0.7), 1e-14, 0,
                     "even sides are the plain lognormal");
    assay_test_close(assay_dist_mean(&even), assay_dist_mean(&plain), 1e-9, 0, "mean");
}

/* 1, 2, 4, 8 stand at u = 0, 1/3, 2/3, 1; the mean is the area below: (1.5 + 3 + 6)/3. */
static void test_empirical(void **state) {
    (void)state;
    double sample[] = {8, 1, 4, 2};
    const assay_dist_t dist = assay_dist_of_sample(sample, 4);
    assay_test_close(assay_dist_quantile(&dist, 0.5), 3, 1e-15, 0, "between the middle two");
    assay_test_close(assay_dist_quantile(&dist, 5.0 / 6), 6, 1e-15, 0, "between the last two");
    assay_test_close(assay_dist_quantile(&dist, 1 - 0x1p-53), 8, 1e-15, 0, "the last");
    assay_test_close(assay_dist_quantile(&dist, 0x1p-53), 1, 1e-15, 0, "the first");
    assay_test_close(assay_dist_mean(&dist), 3.5, 1e-15, 0, "mean");
    const assay_dist_t twice = assay_dist_scaled(&dist, 2.0);
    assay_test_close(assay_dist_quantile(&twice, 0.5), 6, 1e-15, 0, "twice");
    assay_test_close(assay_dist_mean(&twice), 7, 1e-15, 0, "twice");
    const assay_dist_t one = {.kind = ASSAY_DIST_EMPIRICAL, .sample = sample, .n = 1};
    assay_test_close(assay_dist_quantile(&one, 0.7), 1, 0, 0, "only sample");
    assay_test_close(assay_dist_mean(&one), 1, 0, 0, "only sample");
}

/* Every kind: the quantile never falls, and its average over u is the mean. */
static void test_quantiles_rise_and_average_to_the_mean(void **state) {
    (void)state;
    static const double sample[] = {-3, 0, 0, 1, 7, 7.5};
    const assay_dist_t dist[] = {
        assay_dist_fixed(2),
        assay_dist_uniform(-1, 5),
        assay_dist_triangular(-1, 0.5, 5),
        assay_dist_lognormal(3, 0.4),
        assay_dist_lognormal_p10_p50_p90(2, 3, 7),
        {.kind = ASSAY_DIST_EMPIRICAL, .sample = sample, .n = 6},
    };
    enum { N = 20000 };
    for (size_t k = 0; k < sizeof dist / sizeof dist[0]; k++) {
        double sum = 0, previous = -(double)INFINITY;
        for (int i = 0; i < N; i++) {
            const double x = assay_dist_quantile(&dist[k], (i + 0.5) / N);
            assert_true(x >= previous);
            previous = x;
            sum += x;
        }
        assay_test_close(sum / N, assay_dist_mean(&dist[k]), 1e-4, 1e-4, "average of quantiles");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal_quantile),
        cmocka_unit_test(test_normal_cdf),
        cmocka_unit_test(test_quantile_undoes_cdf),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_triangular),
        cmocka_unit_test(test_lognormal),
        cmocka_unit_test(test_split_lognormal),
        cmocka_unit_test(test_empirical),
        cmocka_unit_test(test_quantiles_rise_and_average_to_the_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
