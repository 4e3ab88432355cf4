#include <stdbool.h>

#include "assay/sobol.h"
#include "assay_test.h"

/* GSL 2.7.1, gsl_qrng_sobol with 8 dimensions, its 10th and 1000th point:
     gsl_qrng *q = gsl_qrng_alloc(gsl_qrng_sobol, 8);
     for (int i = 1; i <= 1000; i++) gsl_qrng_get(q, v);
   GSL starts from the direction numbers of Bratley and Fox (ACM TOMS 14, 1988), given here. */
static void test_same_points_as_gsl(void **state) {
    (void)state;
    static const assay_sobol_poly_t poly[8] = {
        {0, 0, {0}},       {1, 0, {1}},          {2, 1, {1, 1}},       {3, 1, {1, 3, 7}},
        {3, 2, {1, 1, 5}}, {4, 1, {1, 3, 1, 1}}, {4, 4, {1, 1, 3, 7}}, {5, 2, {1, 3, 3, 9, 9}}};
    static const double tenth[8] = {0.9375, 0.0625, 0.5625, 0.9375, 0.3125, 0.4375, 0.8125, 0.6875};
    static const double thousandth[8] = {0.2197265625, 0.0966796875, 0.5478515625, 0.4580078125,
                                         0.3349609375, 0.6591796875, 0.0205078125, 0.6416015625};
    for (int d = 0; d < 8; d++) {
        uint32_t v[ASSAY_SOBOL_BITS];
        assay_sobol_directions(d == 0 ? NULL : &poly[d], v);
        assay_test_close(assay_sobol_point(v, 10) * 0x1p-32, tenth[d], 0.0, 0.0, "10th");
        assay_test_close(assay_sobol_point(v, 1000) * 0x1p-32, thousandth[d], 0.0, 0.0, "1000th");
    }
}

/* lgruen/sobol@0227291, single-precision: its sample() takes i in natural order, so i ^ (i >> 1).
 */
static void test_joe_kuo_points(void **state) {
    (void)state;
    static const uint32_t index[6] = {1, 2, 3, 10, 1000, 65535};
    static const struct {
        uint32_t dim, point[6];
    } row[] = {
        {1, {0x80000000, 0x40000000, 0xc0000000, 0x10000000, 0x18c00000, 0xffff0000}},
        {2, {0x80000000, 0x40000000, 0xc0000000, 0xb0000000, 0x84c00000, 0x90550000}},
        {9, {0x80000000, 0xc0000000, 0x40000000, 0x90000000, 0x11c00000, 0x29f50000}},
        {63, {0x80000000, 0xc0000000, 0x40000000, 0x70000000, 0x72400000, 0x4bdf0000}},
        {127, {0x80000000, 0x40000000, 0xc0000000, 0x50000000, 0x8b400000, 0x3d8d0000}},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        uint32_t v[ASSAY_SOBOL_BITS];
        assay_sobol_dimension(row[r].dim, v);
        for (int k = 0; k < 6; k++) {
            assert_int_equal(assay_sobol_point(v, index[k]), row[r].point[k]);
        }
    }
}

/* The first 2^k points of a dimension have one in each 2^-k: what makes them quasi-random. */
static void test_every_dimension_is_stratified(void **state) {
    (void)state;
    for (uint32_t dim = 0; dim < ASSAY_SOBOL_DIMS; dim++) {
        bool seen[1024] = {false};
        uint32_t v[ASSAY_SOBOL_BITS];
        assay_sobol_dimension(dim, v);
        for (uint32_t i = 0; i < 1024; i++) {
            const uint32_t cell = assay_sobol_point(v, i) >> 22;
            assert_false(seen[cell]);
            seen[cell] = true;
        }
    }
}

static void test_a_shift_stays_inside(void **state) {
    (void)state;
    assert_true(assay_sobol_uniform(0, 0) > 0.0);
    assert_true(assay_sobol_uniform(0xffffffff, 0) < 1.0);
    assay_test_close(assay_sobol_uniform(0x80000000, 0x80000000), 0x1p-33, 0.0, 0.0, "xor");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_points_as_gsl),
        cmocka_unit_test(test_joe_kuo_points),
        cmocka_unit_test(test_every_dimension_is_stratified),
        cmocka_unit_test(test_a_shift_stays_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
