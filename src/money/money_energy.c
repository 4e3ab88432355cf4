/* Energy of what comes out, with its range. */
#include "assay/money.h"

#include <math.h>
#include <stddef.h>

#include "base/det_math.h"

#include "base/banned.h"

#define JOULES_PER_KWH 3.6e6

bool assay_money_token_energy(const assay_money_case_t *money_case,
                              const assay_money_result_t *point, assay_token_energy_t *out) {
    static const assay_draw_t factor[] = {ASSAY_DRAW_STEP_COMMON, ASSAY_DRAW_STEP_OWN,
                                          ASSAY_DRAW_POWER, ASSAY_DRAW_PUE};
    const assay_money_case_t *c = money_case;
    double middle = 0.0, below = 0.0, above = 0.0; /* logarithms; their squares */
    if (!(c->tokens > 0.0) || !(c->node_w > 0.0)) {
        return false;
    }
    for (size_t i = 0; i < sizeof factor / sizeof factor[0]; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            static const double quantile[] = {0.1, 0.5, 0.9};
            const double x = assay_dist_quantile(&c->draw[factor[i]], quantile[k]);
            at[k] = assay_det_log(assay_money_keep_one(c, factor[i], x));
        }
        middle += at[1] - assay_det_log(assay_money_keep_one(c, factor[i], c->central[factor[i]]));
        below += (at[1] - at[0]) * (at[1] - at[0]);
        above += (at[2] - at[1]) * (at[2] - at[1]);
    }
    const double packages = fmin(1.0, c->packages_w / c->node_w);
    const double pue = assay_money_keep_one(c, ASSAY_DRAW_PUE, c->central[ASSAY_DRAW_PUE]);
    out->v = point->energy_kwh * JOULES_PER_KWH / c->tokens;
    out->p10 = out->v * assay_det_exp(middle - sqrt(below));
    out->p90 = out->v * assay_det_exp(middle + sqrt(above));
    out->packages = out->v * packages / pue;
    out->host_share = 1.0 - packages;
    return true;
}
