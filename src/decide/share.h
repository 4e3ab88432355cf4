/** Inside decide: the same job with another mix of compute and the rest. */
#ifndef ASSAY_DECIDE_SHARE_H
#define ASSAY_DECIDE_SHARE_H

#include "assay/layout.h"

/**
 * Factor of an estimate's step time when compute is the share x of the device's busy time on the
 * reference machine: compute grows by x / (its share there), the rest by (1 - x) / (1 - its share),
 * so that the reference's own step stays as long as it is. Bubble and host stay as they are.
 */
double decide_share_factor(const assay_estimate_t *estimate, const assay_estimate_t *reference,
                           double x);

#endif
