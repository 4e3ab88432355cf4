/* The estimate of a case. */
#include <math.h>

#include "assay/dist.h"
#include "assay/plan.h"
#include "score/score_parts.h"

/* The source chose a layout that it does not tell: the search's is another, as a rule. */
static void widen(const score_case_t *of, assay_estimate_t *io) {
    const assay_device_t *device = &of->machine.device;
    const double sigma = device->calib[ASSAY_CALIB_STEP_SIGMA][of->work.dtype];
    const double open = device->calib[ASSAY_CALIB_STEP_SIGMA_OPEN][of->work.dtype];
    const assay_dist_t error = assay_dist_lognormal(1, sqrt(sigma * sigma + open * open));
    if (of->searched) {
        io->rel_p10 = assay_dist_quantile(&error, .1);
        io->rel_p90 = assay_dist_quantile(&error, .9);
    }
}

bool score_predict(assay_arena_t *arena, const score_case_t *of, assay_estimate_t *out,
                   score_skip_t *out_skip) {
    assay_plan_options_t options = assay_plan_defaults();
    assay_plan_t plan;
    assay_error_t err;
    options.pin = of->pin;
    options.threads = 1; /* rows are the parallel loop */
    if (assay_plan_search(arena, &of->machine, &of->work, &options, &plan, &err)) {
        return score_skip(out_skip, SCORE_REASON_REFUSED, "%s", err.what);
    }
    const assay_refusal_t *refused = plan.refused;
    if (plan.found) {
        *out = plan.best;
        widen(of, out);
        return true;
    }
    if (refused[ASSAY_REJECT_MEMORY].count > 0) {
        *out = refused[ASSAY_REJECT_MEMORY].nearest;
        widen(of, out);
        return true;
    }
    int most = ASSAY_REJECT_NONE + 1;
    for (int i = most; i < ASSAY_REJECT_N; i++) {
        most = refused[i].count > refused[most].count ? i : most;
    }
    const assay_estimate_t *nearest = &refused[most].nearest;
    return score_skip(out_skip, SCORE_REASON_REFUSED, "%s: %.0f, %.0f",
                      assay_reject_sentence((assay_reject_t)most), nearest->need, nearest->have);
}
