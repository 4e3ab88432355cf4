/* Derives constants of data/calibration.csv from the rows of data/measured. */
#ifndef CALIBRATION_FIT_H
#define CALIBRATION_FIT_H

#include "assay/calibration.h"
#include "assay/physics.h"

/* One published GEMM. cast_*: kernels in front of it that turn its input into the GEMM's dtype and
   were timed with it. */
typedef struct {
    const char *id;
    const assay_accelerator_t *accelerator;
    assay_gemm_t gemm;
    double cast_bytes, cast_kernels;
    double elapsed_s;
    bool tuned; /* fastest kernel of a search over kernels: an upper envelope */
} gemm_row_t;

/* The best share of peak that a search over shapes found on a part. */
typedef struct {
    const assay_accelerator_t *accelerator;
    assay_dtype_t dtype;
    double share;
} best_row_t;

/* One published collective. */
typedef struct {
    const assay_accelerator_t *accelerator;
    const assay_fabric_t *fabric;
    const char *network; /* "" inside a node */
    double nic_bytes_per_s;
    assay_collective_t kind;
    double bytes, elapsed_s;
    uint32_t ranks, nodes, stride;
    const char *source;
} collective_row_t;

/* One published memory bandwidth, as a share of the peak. */
typedef struct {
    const assay_accelerator_t *accelerator;
    double share;
} stream_row_t;

typedef struct {
    gemm_row_t *gemm;
    uint32_t n_gemm;
    best_row_t *best;
    uint32_t n_best;
    collective_row_t *collective;
    uint32_t n_collective;
    stream_row_t *stream;
    uint32_t n_stream;
} measured_t;

/* A constant as derived: what the table should say. */
typedef struct {
    const char *scope;
    assay_dtype_t dtype; /* ASSAY_DT_N = any */
    assay_calib_id_t id;
    double value, p10, p90;
    uint32_t rows;
    const char *method;
} derived_t;

#define DERIVED_MAX 512
typedef struct {
    derived_t item[DERIVED_MAX];
    uint32_t n;
} derived_list_t;

/** Reads DIRECTORY/gemm.csv, collectives.csv and membw.csv; rows that cannot be used are left out.
 */
assay_status_t fit_read(assay_arena_t *arena, const assay_catalog_t *catalog, const char *directory,
                        measured_t *out, assay_error_t *err);

/** scope is the id, the architecture or the vendor of accelerator, or *. */
bool fit_in_scope(const assay_accelerator_t *accelerator, const char *scope);
/** A device with the calibration's constants for it. */
assay_device_t fit_device(const assay_calibration_t *calibration,
                          const assay_accelerator_t *accelerator, const char *fabric_kind,
                          const char *network);
/** A machine for one collective row. */
assay_machine_t fit_machine(const assay_calibration_t *calibration, const collective_row_t *row);
/** ln(measured/predicted) with that device or machine. */
double fit_gemm_error(const assay_device_t *device, const gemm_row_t *row);
double fit_collective_error(const assay_machine_t *machine, const collective_row_t *row);

void fit_gemm(const measured_t *measured, const assay_calibration_t *calibration, const char *scope,
              derived_list_t *out);
/** Parts with few shapes or only a best one: after fit_gemm of all scopes, whose results it uses.
 */
void fit_best(const measured_t *measured, const assay_calibration_t *calibration, const char *scope,
              derived_list_t *out);
/** A part that has a best shape alone, and parts of its die that have more (MI325X is an MI300X of
 * 1000 W): theirs, by the ratio of the best shares. After fit_best. */
void fit_sibling(const measured_t *measured, const char *scope, derived_list_t *out);
void fit_fabric(const measured_t *measured, const assay_calibration_t *calibration,
                const char *scope, derived_list_t *out);
void fit_network(const measured_t *measured, const assay_calibration_t *calibration,
                 const char *network, derived_list_t *out);

#define ROWS_MAX 4096
#define ROWS_MIN 4 /* fewer rows derive nothing */

/* A constant that is searched: from, from + step, ... to. */
typedef struct {
    assay_calib_id_t id;
    double from, step, to;
    double value;
} knob_t;
typedef double (*loss_t)(const void *problem, const knob_t *knob, uint32_t n);
/** Sets the values of the knobs to the least loss, one after the other until nothing improves. */
void fit_search(const void *problem, loss_t loss, knob_t *knob, uint32_t n);
/** The same value for every dtype. */
void fit_set(assay_device_t *device, assay_calib_id_t id, double value);
/** Appends a constant; its range is widened to hold the value. */
void fit_add(derived_list_t *out, const char *scope, assay_dtype_t dtype, assay_calib_id_t id,
             double value, double p10, double p90, uint32_t rows, const char *method);

/** share-quantile of value[0..n), sorted in place; linear between ranks. n > 0. */
double fit_quantile(double *value, uint32_t n, double share);

#endif
