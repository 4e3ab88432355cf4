#include "assay/goodput.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "base/det_math.h"

#include "base/banned.h"

/* Beyond this many checkpoints' worth of stops nothing gets done; e^x stays finite. */
#define EXPONENT_MAX 700.0

double assay_goodput(double stops_per_h, double checkpoint_s, double restart_s,
                     assay_goodput_t *out) {
    assert(stops_per_h >= 0.0 && checkpoint_s > 0.0 && restart_s >= 0.0);
    const double mean_s = stops_per_h > 0.0 ? 3600.0 / stops_per_h : (double)INFINITY;
    if (!isfinite(mean_s)) {
        if (out) {
            *out = (assay_goodput_t){.interval_s = (double)INFINITY, .stop_s = restart_s};
        }
        return 1.0;
    }
    const double x = checkpoint_s / (2.0 * mean_s);
    const double interval_s =
        x < 1.0 ? sqrt(2.0 * checkpoint_s * mean_s) * (1.0 + sqrt(x) / 3.0 + x / 9.0) - checkpoint_s
                : mean_s;
    const double exponent = (interval_s + checkpoint_s) / mean_s;
    const double useful =
        exponent > EXPONENT_MAX || restart_s / mean_s > EXPONENT_MAX
            ? assay_det_exp(-EXPONENT_MAX)
            : interval_s / mean_s /
                  (assay_det_exp(restart_s / mean_s) * (assay_det_exp(exponent) - 1.0));
    if (out) {
        const double writing = useful * checkpoint_s / interval_s;
        *out = (assay_goodput_t){.interval_s = interval_s,
                                 .checkpoint_share = writing,
                                 .stop_s = (1.0 - useful - writing) * mean_s};
    }
    return useful;
}
