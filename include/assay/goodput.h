/**
 * What stops cost a job that runs on many devices at once: checkpoints, lost work, restarts.
 */
#ifndef ASSAY_GOODPUT_H
#define ASSAY_GOODPUT_H

#ifdef __cplusplus
extern "C" {
#endif

/** Where the rest of the time goes, and when to write a checkpoint. */
typedef struct {
    double interval_s;       /* between checkpoints, that wastes least; INFINITY without stops */
    double checkpoint_share; /* of the time: writing them */
    double stop_s;           /* that one stop costs: work done again, and the restart */
} assay_goodput_t;

/**
 * Useful share of a job's time, 0 < result <= 1.
 *
 * stops_per_h   of the whole job, >= 0: devices / (hours of one device between stops)  [1/h]
 * checkpoint_s  time of one checkpoint, > 0                                           [s]
 * restart_s     from the stop until the job runs again, >= 0                          [s]
 * out           NULL allowed: where the rest goes
 *
 * Source: J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart
 * dumps", FGCS 22 (2006) 303-312: wall time M e^(R/M) (e^((tau+delta)/M) - 1) T/tau at the
 * interval that he derives; for delta >= 2 M the interval is M. Young's first-order form
 * (CACM 17, 1974) is tau = sqrt(2 delta M). Allocates: no.
 */
double assay_goodput(double stops_per_h, double checkpoint_s, double restart_s,
                     assay_goodput_t *out);

#ifdef __cplusplus
}
#endif
#endif
