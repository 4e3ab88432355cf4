/* Shared by the unit tests: cmocka, and a comparison of doubles that keeps their precision
   (cmocka's assert_float_equal casts to float). */
#ifndef ASSAY_TEST_H
#define ASSAY_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** |actual - expected| <= atol + rtol |expected|; a NaN never passes. */
#define assay_test_close(actual, expected, rtol, atol, what)                       \
    do {                                                                           \
        const double actual_ = (actual), expected_ = (expected);                   \
        if (!(fabs(actual_ - expected_) <= (atol) + (rtol)*fabs(expected_))) {     \
            fail_msg("%s: got %.17g, expected %.17g", (what), actual_, expected_); \
        }                                                                          \
    } while (0)

#endif
