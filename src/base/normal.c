#include "assay/dist.h"

#include <assert.h>
#include <math.h>

#include "base/det_math.h"

#include "base/banned.h"

/* Numerator and denominator of one rational function, constant term first. */
typedef struct {
    double above[8], below[8];
} rational_t;

static double rational_at(const rational_t *rational, double x) {
    double above = 0, below = 0;
    for (int i = 7; i >= 0; i--) {
        above = above * x + rational->above[i];
        below = below * x + rational->below[i];
    }
    return above / below;
}

/* Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988) 477-484: relative error 1e-16.
   One rational function for |u - 1/2| <= 0.425, two for the tails. */
static const rational_t centre = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3},
};
static const rational_t tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9},
};
static const rational_t far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15},
};

double assay_normal_quantile(double u) {
    assert(u > 0 && u < 1);
    const double q = u - 0.5;
    if (fabs(q) <= 0.425) {
        return q * rational_at(&centre, 0.180625 - q * q);
    }
    const double r = sqrt(-assay_det_log(q < 0 ? u : 1 - u));
    const double z = r <= 5 ? rational_at(&tail, r - 1.6) : rational_at(&far_tail, r - 5);
    return q < 0 ? -z : z;
}

void assay_normal_quantiles(const double *u, uint32_t n, double *out_z) {
    /* The centre first and for all, which is most of them and one plain loop; then the tails. */
    for (uint32_t i = 0; i < n; i++) {
        const double q = u[i] - 0.5, x = 0.180625 - q * q;
        double above = 0, below = 0;
        for (int k = 7; k >= 0; k--) {
            above = above * x + centre.above[k];
            below = below * x + centre.below[k];
        }
        out_z[i] = q * (above / below);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (fabs(u[i] - 0.5) > 0.425) {
            out_z[i] = assay_normal_quantile(u[i]);
        }
    }
}

/* Standard normal density. z is split so that the squares stay exact where they are large: near
   z = 38 a rounded z^2/2 alone would cost 400 ulp. */
static double density(double z) {
    const double coarse = trunc(z * 16) / 16, rest = (z - coarse) * (z + coarse);
    return 0.3989422804014326779 * assay_det_exp(-0.5 * coarse * coarse) *
           assay_det_exp(-0.5 * rest);
}

/* Up to 2: Phi(z) = 1/2 + density(z) (z + z^3/3 + z^5/(3 5) + ...), all terms of one sign
   (Marsaglia, J. Statistical Software 11(4), 2004). Beyond: Laplace's continued fraction of the
   tail, 1/(z + 1/(z + 2/(z + 3/...))), whose 100th convergent is exact to double from 2 on.
   Relative error below 2e-14, worst just above -2, where the series' sum nearly cancels the 1/2. */
double assay_normal_cdf(double z) {
    const double x = fabs(z);
    if (x < 2) {
        double sum = z, term = z;
        for (int n = 3; fabs(term) > 1e-17 * fabs(sum); n += 2) {
            term *= z * z / n;
            sum += term;
        }
        return 0.5 + density(z) * sum;
    }
    if (x > 40) { /* below the least double */
        return z < 0 ? 0 : 1;
    }
    double fraction = x;
    for (int n = 100; n >= 1; n--) {
        fraction = x + n / fraction;
    }
    const double upper = density(x) / fraction;
    return z < 0 ? upper : 1 - upper;
}
