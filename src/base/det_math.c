#include "base/det_math.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/banned.h"

/* ln 2 in two parts; the first has 36 bits, so that k times it is exact for every |k| < 2^17. */
#define LN2_HIGH 0x1.62e42fefap-1
#define LN2_LOW 0x1.cf79abc9e3b39p-40
#define INV_LN2 0x1.71547652b82fep+0

static double power_of_two(int k) { /* -1022 <= k <= 1023 */
    const uint64_t bits = (uint64_t)(k + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* x = k ln 2 + r with |r| <= ln 2 / 2, then the Taylor series of e^r: its term 14 is below
   2^-57 (0.3466^14 / 14! = 4.1e-18). What r lost to rounding is put back to first order. */
double assay_det_exp(double x) {
    if (!(x < 709.782712893384)) { /* ln(DBL_MAX), or NaN */
        return x > 709.0 ? (double)INFINITY : x;
    }
    if (x < -745.1332191019412) { /* ln of half the least subnormal */
        return 0;
    }
    const double k = (x * INV_LN2 + 0x1.8p52) - 0x1.8p52; /* nearest whole number */
    const double high = x - k * LN2_HIGH, low = k * LN2_LOW;
    const double r = high - low, lost = (high - r) - low;
    /* 1/2! + r/3! + ... + r^11/13!, even and odd powers apart: two short chains, not one long. */
    const double r2 = r * r;
    double even = 1.0 / 479001600, odd = 1.0 / 6227020800;
    static const double inverse_factorial[][2] = {
        {1.0 / 3628800, 1.0 / 39916800}, {1.0 / 40320, 1.0 / 362880}, {1.0 / 720, 1.0 / 5040},
        {1.0 / 24, 1.0 / 120},           {1.0 / 2, 1.0 / 6},
    };
    for (unsigned i = 0; i < 5; i++) {
        even = even * r2 + inverse_factorial[i][0];
        odd = odd * r2 + inverse_factorial[i][1];
    }
    const double value = 1 + (r + (r2 * (even + r * odd) + lost));
    /* In two steps: 2^1024 and subnormal powers have no normal double. */
    const int whole = (int)k, half = whole / 2;
    return value * power_of_two(half) * power_of_two(whole - half);
}

/* Within +-700 neither end of the range is near: the same steps without a branch, so that the
   compiler takes several at once. 2^k is (k + 1023) << 52, which the low bits of k + 1.5 2^52 hold.
 */
void assay_det_exps(double *x, uint32_t n) {
    bool far = false;
    for (uint32_t i = 0; i < n; i++) {
        far |= !(x[i] < 700 && x[i] > -700);
    }
    for (uint32_t i = 0; i < n && far; i++) {
        x[i] = assay_det_exp(x[i]);
    }
    for (uint32_t i = 0; i < n && !far; i++) {
        const double shifted = x[i] * INV_LN2 + 0x1.8p52, k = shifted - 0x1.8p52;
        const double high = x[i] - k * LN2_HIGH, low = k * LN2_LOW;
        const double r = high - low, lost = (high - r) - low, r2 = r * r;
        double even = 1.0 / 479001600, odd = 1.0 / 6227020800;
        even = even * r2 + 1.0 / 3628800;
        odd = odd * r2 + 1.0 / 39916800;
        even = even * r2 + 1.0 / 40320;
        odd = odd * r2 + 1.0 / 362880;
        even = even * r2 + 1.0 / 720;
        odd = odd * r2 + 1.0 / 5040;
        even = even * r2 + 1.0 / 24;
        odd = odd * r2 + 1.0 / 120;
        even = even * r2 + 1.0 / 2;
        odd = odd * r2 + 1.0 / 6;
        uint64_t bits;
        double power;
        memcpy(&bits, &shifted, sizeof bits);
        bits = (bits + 1023) << 52;
        memcpy(&power, &bits, sizeof power);
        x[i] = (1 + (r + (r2 * (even + r * odd) + lost))) * power;
    }
}

/* x = 2^k m with m in [sqrt(1/2), sqrt(2)), f = m - 1, s = f / (2 + f):
   ln m = 2 atanh s = f - s (f - R) with R = 2 s^2/3 + 2 s^4/5 + ...; |s| < 0.1716, so the first
   term left out, 2 s^24/25, is below 2^-64. Written as f - (f^2/2 - s (f^2/2 + R)), which loses
   least. */
double assay_det_log(double x) {
    if (!(x > 0) || x > 0x1.fffffffffffffp1023) {
        return x < 0 ? (double)NAN : x > 0 ? x : x == 0 ? -(double)INFINITY : x;
    }
    int k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    k += (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x3ff0000000000000);
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 0x1.6a09e667f3bcdp0) {
        m *= 0.5;
        k++;
    }
    const double f = m - 1, s = f / (2 + f), s2 = s * s, s4 = s2 * s2, half_f2 = 0.5 * f * f;
    double first = 2.0 / 23, second = 2.0 / 21; /* every other term each, as in exp */
    for (int n = 19; n >= 3; n -= 4) {
        first = first * s4 + 2.0 / n;
    }
    for (int n = 17; n >= 5; n -= 4) {
        second = second * s4 + 2.0 / n;
    }
    const double sum = s2 * (first + s2 * second);
    return k * LN2_HIGH - ((half_f2 - (s * (half_f2 + sum) + k * LN2_LOW)) - f);
}
