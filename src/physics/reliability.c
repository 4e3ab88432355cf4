/* What failures and checkpoints leave of a long run. J. W. Young, CACM 17 (1974) 530; J. T. Daly,
   Future Generation Computer Systems 22 (2006) 303, equations 20 (interval) and 13 (run time). */
#include "assay/physics.h"

#include <math.h>

#include "physics/constants.h"

assay_reliability_t assay_reliability(const assay_machine_t *machine) {
    return (assay_reliability_t){.devices = machine->devices,
                                 .failures_per_device_s =
                                     constant(&machine->device, ASSAY_CALIB_FAILURE_RATE),
                                 .write_s = constant(&machine->device, ASSAY_CALIB_CHECKPOINT_S),
                                 .restart_s = constant(&machine->device, ASSAY_CALIB_RESTART_S)};
}

double assay_checkpoint_interval_s(double write_s, double mtbf_s) {
    if (!(write_s > 0.0)) {
        return 0.0;
    }
    if (!(write_s < 2.0 * mtbf_s)) {
        return mtbf_s;
    }
    const double x = sqrt(write_s / (2.0 * mtbf_s));
    return sqrt(2.0 * write_s * mtbf_s) * (1.0 + x / 3.0 + x * x / 9.0) - write_s;
}

double assay_goodput_share(const assay_reliability_t *of) {
    if (!(of->failures_per_device_s > 0.0)) {
        const double interval_s = of->interval_s;
        return interval_s > 0.0 ? interval_s / (interval_s + of->write_s) : 1.0;
    }
    const double mtbf_s = 1.0 / (of->failures_per_device_s * of->devices);
    const double interval_s =
        of->interval_s > 0.0 ? of->interval_s : assay_checkpoint_interval_s(of->write_s, mtbf_s);
    if (!(interval_s > 0.0)) { /* checkpoints cost nothing: only restarts do */
        return exp(-of->restart_s / mtbf_s);
    }
    /* Failures come as a Poisson process, also while a checkpoint is written or a restart runs:
       each piece of work takes M e^(R/M) (e^((tau + delta)/M) - 1). */
    const double took_s =
        mtbf_s * exp(of->restart_s / mtbf_s) * expm1((interval_s + of->write_s) / mtbf_s);
    return interval_s / took_s;
}
