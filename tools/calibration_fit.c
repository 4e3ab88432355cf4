/* Fits are searches over fixed grids of the least mean |ln(measured/predicted)|, one constant after
   the other until nothing improves: robust against outliers, and the same on every machine. */
#include "calibration_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/fabric_links.h"

#define LARGE_M 1024.0 /* GEMMs of training */
#define FLAT_M 128.0   /* GEMMs bound by memory: they tell launch and bandwidth */

/* --- statistics ------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double fit_quantile(double *value, uint32_t n, double share) {
    qsort(value, n, sizeof *value, ascending);
    const double at = share * (n - 1);
    const uint32_t low = (uint32_t)at;
    return low + 1 < n ? value[low] + (at - low) * (value[low + 1] - value[low]) : value[low];
}

/* --- devices and machines --------------------------------------------------------------------- */

bool fit_in_scope(const assay_accelerator_t *accelerator, const char *scope) {
    return strcmp(scope, "*") == 0 || strcmp(scope, accelerator->id) == 0 ||
           strcmp(scope, accelerator->arch) == 0 || strcmp(scope, accelerator->vendor) == 0;
}

assay_device_t fit_device(const assay_calibration_t *calibration,
                          const assay_accelerator_t *accelerator, const char *fabric_kind,
                          const char *network) {
    assay_device_t device = {.hbm_bytes_per_s = accelerator->hbm_bytes_per_s.v,
                             .compute_units = accelerator->compute_units};
    const char *scope[7];
    uint32_t n = 0;
    const char *const candidate[] = {network, accelerator->id, accelerator->arch, fabric_kind,
                                     accelerator->vendor};
    for (uint32_t i = 0; i < sizeof candidate / sizeof *candidate; i++) {
        if (candidate[i] != NULL && candidate[i][0] != '\0') {
            scope[n++] = candidate[i];
        }
    }
    scope[n] = NULL;
    for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
        device.peak_flops[dtype] = accelerator->peak_flops[dtype].v;
        for (int id = 0; id < ASSAY_CALIB_N; id++) {
            device.calib[id][dtype] = assay_calibration_get(calibration, (assay_calib_id_t)id,
                                                            scope, (assay_dtype_t)dtype)
                                          .v;
        }
    }
    return device;
}

assay_machine_t fit_machine(const assay_calibration_t *calibration, const collective_row_t *row) {
    assay_machine_t machine = {.nodes = row->nodes,
                               .devices_per_node = row->fabric->devices,
                               .devices = row->nodes * row->fabric->devices};
    assay_links_from_fabric(row->fabric, row->fabric->devices, &machine.links);
    machine.links.nic_bytes_per_s = row->nic_bytes_per_s;
    machine.device = fit_device(calibration, row->accelerator, row->fabric->kind, row->network);
    machine.n_way = assay_calibration_ways(calibration, row->accelerator->vendor,
                                           row->accelerator->arch, row->fabric->kind, machine.way);
    return machine;
}

double fit_gemm_error(const assay_device_t *device, const gemm_row_t *row) {
    double predicted_s = assay_gemm_s(device, &row->gemm);
    if (row->cast_kernels > 0) {
        predicted_s +=
            row->cast_kernels * assay_stream_s(device, row->cast_bytes / row->cast_kernels);
    }
    return log(row->elapsed_s / predicted_s);
}

double fit_collective_error(const assay_machine_t *machine, const collective_row_t *row) {
    return log(row->elapsed_s /
               assay_collective_s(machine, row->kind, row->bytes, row->ranks, row->stride));
}

void fit_set(assay_device_t *device, assay_calib_id_t id, double value) {
    for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
        device->calib[id][dtype] = value;
    }
}

/* --- search ----------------------------------------------------------------------------------- */

void fit_search(const void *problem, loss_t loss, knob_t *knob, uint32_t n) {
    double best = loss(problem, knob, n);
    for (bool better = true; better;) {
        better = false;
        for (uint32_t i = 0; i < n; i++) {
            double kept = knob[i].value;
            const int steps = (int)lround((knob[i].to - knob[i].from) / knob[i].step);
            for (int step = 0; step <= steps; step++) {
                knob[i].value = knob[i].from + step * knob[i].step;
                const double tried = loss(problem, knob, n);
                if (tried < best - 1e-9) {
                    best = tried;
                    kept = knob[i].value;
                    better = true;
                }
            }
            knob[i].value = kept;
        }
    }
}

void fit_add(derived_list_t *out, const char *scope, assay_dtype_t dtype, assay_calib_id_t id,
             double value, double p10, double p90, uint32_t rows, const char *method) {
    if (out->n < DERIVED_MAX) {
        out->item[out->n++] = (derived_t){.scope = scope,
                                          .dtype = dtype,
                                          .id = id,
                                          .value = value,
                                          .p10 = fmin(p10, value),
                                          .p90 = fmax(p90, value),
                                          .rows = rows,
                                          .method = method};
    }
}

/* --- GEMM and memory -------------------------------------------------------------------------- */

typedef struct {
    const gemm_row_t *row[ROWS_MAX];
    assay_device_t *device[ROWS_MAX]; /* of the row's accelerator */
    assay_device_t store[16];
    const assay_accelerator_t *owner[16];
    uint32_t n, n_store;
} gemm_problem_t;

static void gemm_select(gemm_problem_t *problem, const measured_t *measured,
                        const assay_calibration_t *calibration, const char *scope,
                        assay_dtype_t dtype) {
    problem->n = problem->n_store = 0;
    for (uint32_t i = 0; i < measured->n_gemm && problem->n < ROWS_MAX; i++) {
        const gemm_row_t *row = &measured->gemm[i];
        if (row->gemm.dtype != dtype || !fit_in_scope(row->accelerator, scope)) {
            continue;
        }
        uint32_t at = 0;
        while (at < problem->n_store && problem->owner[at] != row->accelerator) {
            at++;
        }
        if (at == problem->n_store) {
            if (at == sizeof problem->store / sizeof *problem->store) {
                continue;
            }
            problem->owner[at] = row->accelerator;
            problem->store[at] = fit_device(calibration, row->accelerator, NULL, NULL);
            problem->n_store++;
        }
        problem->row[problem->n] = row;
        problem->device[problem->n++] = &problem->store[at];
    }
}

static void gemm_apply(gemm_problem_t *problem, const knob_t *knob, uint32_t n) {
    for (uint32_t d = 0; d < problem->n_store; d++) {
        for (uint32_t i = 0; i < n; i++) {
            fit_set(&problem->store[d], knob[i].id, knob[i].value);
        }
    }
}

static double gemm_loss(const void *context, const knob_t *knob, uint32_t n) {
    gemm_problem_t *problem = (gemm_problem_t *)context;
    gemm_apply(problem, knob, n);
    double sum = 0.0;
    for (uint32_t i = 0; i < problem->n; i++) {
        sum += fabs(fit_gemm_error(problem->device[i], problem->row[i]));
    }
    return sum / problem->n;
}

/* The efficiency at which a row is predicted exactly. */
static double gemm_exact(gemm_problem_t *problem, uint32_t row, const knob_t *knob, uint32_t n) {
    knob_t trial[5];
    memcpy(trial, knob, n * sizeof *knob);
    double low = 0.01, high = 1.2;
    for (int halving = 0; halving < 30; halving++) {
        trial[0].value = 0.5 * (low + high);
        gemm_apply(problem, trial, n);
        if (fit_gemm_error(problem->device[row], problem->row[row]) > 0.0) {
            high = trial[0].value;
        } else {
            low = trial[0].value;
        }
    }
    return low;
}

/* Exact efficiencies of the large rows that are tuned, or not. Returns their number. */
static uint32_t gemm_exact_all(gemm_problem_t *problem, const knob_t *knob, uint32_t n, bool tuned,
                               double exact[ROWS_MAX]) {
    uint32_t rows = 0;
    for (uint32_t i = 0; i < problem->n; i++) {
        if (problem->row[i]->gemm.m >= LARGE_M && problem->row[i]->tuned == tuned) {
            exact[rows++] = gemm_exact(problem, i, knob, n);
        }
    }
    return rows;
}

/* Untuned rows give the value; tuned ones widen its range, or give it where there are no others. */
static void add_efficiency(gemm_problem_t *problem, const knob_t *knob, uint32_t n,
                           const char *scope, assay_dtype_t dtype, derived_list_t *out) {
    static double plain[ROWS_MAX], tuned[ROWS_MAX];
    const uint32_t n_plain = gemm_exact_all(problem, knob, n, false, plain);
    const uint32_t n_tuned = gemm_exact_all(problem, knob, n, true, tuned);
    const bool use_plain = n_plain >= ROWS_MIN;
    double *const value = use_plain ? plain : tuned;
    const uint32_t rows = use_plain ? n_plain : n_tuned;
    if (rows < ROWS_MIN) {
        return;
    }
    double p10 = fit_quantile(value, rows, 0.1), p90 = fit_quantile(value, rows, 0.9);
    if (use_plain && n_tuned >= ROWS_MIN) {
        const double middle = fit_quantile(tuned, n_tuned, 0.5);
        p10 = fmin(p10, middle);
        p90 = fmax(p90, middle);
    }
    fit_add(out, scope, dtype, ASSAY_CALIB_GEMM_EFFICIENCY, fit_quantile(value, rows, 0.5), p10,
            p90, rows,
            use_plain
                ? "median over shapes with M >= 1024 of the value that predicts the shape exactly"
                : "median over shapes with M >= 1024 of the value that predicts the shape "
                  "exactly; kernels chosen by a search, so an upper envelope");
}

static double stream_share(const measured_t *measured, const char *scope, double *p10, double *p90,
                           uint32_t *rows) {
    static double share[ROWS_MAX];
    *rows = 0;
    for (uint32_t i = 0; i < measured->n_stream; i++) {
        if (fit_in_scope(measured->stream[i].accelerator, scope)) {
            share[(*rows)++] = measured->stream[i].share;
        }
    }
    if (*rows < 3) {
        return 0.0;
    }
    *p10 = fit_quantile(share, *rows, 0.1);
    *p90 = fit_quantile(share, *rows, 0.9);
    return fit_quantile(share, *rows, 0.5);
}

static uint32_t flat_rows(const gemm_problem_t *problem) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < problem->n; i++) {
        n += problem->row[i]->gemm.m <= FLAT_M;
    }
    return n;
}

void fit_gemm(const measured_t *measured, const assay_calibration_t *calibration, const char *scope,
              derived_list_t *out) {
    static gemm_problem_t problem;
    /* the first dtype with flat rows fixes what all dtypes share: launch and memory */
    static const assay_dtype_t order[] = {ASSAY_DT_BF16, ASSAY_DT_FP8, ASSAY_DT_FP4, ASSAY_DT_INT8,
                                          ASSAY_DT_FP16};
    static const char method[] = "least mean |ln(measured/predicted)| of GEMM times";
    double p10, p90;
    uint32_t stream_rows;
    const double streams = stream_share(measured, scope, &p10, &p90, &stream_rows);
    if (streams > 0.0) {
        fit_add(out, scope, ASSAY_DT_N, ASSAY_CALIB_HBM_EFFICIENCY, streams, p10, p90, stream_rows,
                "median of measured over peak bandwidth of streaming kernels");
    }
    double launch_s = 0.0, memory = 0.0;
    for (uint32_t o = 0; o < sizeof order / sizeof *order; o++) {
        gemm_select(&problem, measured, calibration, scope, order[o]);
        if (problem.n < ROWS_MIN) {
            continue;
        }
        const assay_device_t *stored = &problem.store[0];
        knob_t knob[5] = {
            {ASSAY_CALIB_GEMM_EFFICIENCY, 0.2, 0.01, 1.1, 0.7},
            {ASSAY_CALIB_GEMM_K0, 0, 32, 512, 96},
            {ASSAY_CALIB_GEMM_SERIAL, 0, 0.05, 1, 0.2},
            {ASSAY_CALIB_LAUNCH_S, 0, 5e-7, 1e-5,
             memory > 0.0 ? launch_s : stored->calib[ASSAY_CALIB_LAUNCH_S][0]},
            {ASSAY_CALIB_HBM_EFFICIENCY, 0.5, 0.01, 0.95,
             memory > 0.0    ? memory
             : streams > 0.0 ? streams
                             : stored->calib[ASSAY_CALIB_HBM_EFFICIENCY][0]},
        };
        const bool first = memory <= 0.0 && flat_rows(&problem) >= ROWS_MIN;
        const uint32_t n_knob = !first ? 3 : streams > 0.0 ? 4 : 5;
        gemm_apply(&problem, knob, 5);
        fit_search(&problem, gemm_loss, knob, n_knob);
        if (first) {
            launch_s = knob[3].value;
            memory = knob[4].value;
            fit_add(out, scope, ASSAY_DT_N, ASSAY_CALIB_LAUNCH_S, launch_s, launch_s, launch_s,
                    problem.n, method);
            if (n_knob == 5) {
                fit_add(out, scope, ASSAY_DT_N, ASSAY_CALIB_HBM_EFFICIENCY, memory, memory, memory,
                        problem.n, method);
            }
        }
        add_efficiency(&problem, knob, 5, scope, order[o], out);
        for (uint32_t i = 1; i < 3; i++) {
            fit_add(out, scope, order[o], knob[i].id, knob[i].value, knob[i].value, knob[i].value,
                    problem.n, method);
        }
    }
}

/* What was derived for a scope, or -1. */
static double derived_value(const derived_list_t *list, const char *scope, assay_dtype_t dtype,
                            assay_calib_id_t id) {
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->item[i].id == id && list->item[i].dtype == dtype &&
            strcmp(list->item[i].scope, scope) == 0) {
            return list->item[i].value;
        }
    }
    return -1.0;
}

/* Parts of which both many shapes and the best one are known, in bf16: how the efficiency relates
   to the best share of peak, and the other constants. Medians; false: too few parts. */
static bool typical_part(const measured_t *measured, const derived_list_t *list, double *out_ratio,
                         knob_t knob[3]) {
    static double ratio[ROWS_MAX], k0[ROWS_MAX], serial[ROWS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < measured->n_best; i++) {
        const best_row_t *best = &measured->best[i];
        const char *id = best->accelerator->id;
        const double many = derived_value(list, id, ASSAY_DT_BF16, ASSAY_CALIB_GEMM_EFFICIENCY);
        const double part_k0 = derived_value(list, id, ASSAY_DT_BF16, ASSAY_CALIB_GEMM_K0);
        if (best->dtype == ASSAY_DT_BF16 && many > 0.0 && part_k0 >= 0.0) {
            ratio[n] = many / best->share;
            k0[n] = part_k0;
            serial[n++] = derived_value(list, id, ASSAY_DT_BF16, ASSAY_CALIB_GEMM_SERIAL);
        }
    }
    if (n < ROWS_MIN) {
        return false;
    }
    *out_ratio = fit_quantile(ratio, n, 0.5);
    knob[0] = (knob_t){.id = ASSAY_CALIB_GEMM_EFFICIENCY};
    knob[1] = (knob_t){.id = ASSAY_CALIB_GEMM_K0, .value = fit_quantile(k0, n, 0.5)};
    knob[2] = (knob_t){.id = ASSAY_CALIB_GEMM_SERIAL, .value = fit_quantile(serial, n, 0.5)};
    return true;
}

void fit_best(const measured_t *measured, const assay_calibration_t *calibration, const char *scope,
              derived_list_t *out) {
    static const assay_dtype_t order[] = {ASSAY_DT_BF16, ASSAY_DT_FP8};
    static gemm_problem_t problem;
    static double figure[ROWS_MAX];
    double ratio;
    knob_t knob[3];
    if (!typical_part(measured, out, &ratio, knob)) {
        return;
    }
    for (uint32_t o = 0; o < sizeof order / sizeof *order; o++) {
        if (derived_value(out, scope, order[o], ASSAY_CALIB_GEMM_EFFICIENCY) > 0.0) {
            continue;
        }
        uint32_t n = 0;
        for (uint32_t i = 0; i < measured->n_best; i++) {
            if (measured->best[i].dtype == order[o] &&
                fit_in_scope(measured->best[i].accelerator, scope)) {
                figure[n++] = measured->best[i].share * ratio;
            }
        }
        gemm_select(&problem, measured, calibration, scope, order[o]);
        for (uint32_t i = 0; i < problem.n; i++) {
            figure[n++] = gemm_exact(&problem, i, knob, 3);
        }
        if (n < 2) { /* never one */
            continue;
        }
        const double low = fit_quantile(figure, n, 0.1), high = fit_quantile(figure, n, 0.9);
        fit_add(
            out, scope, order[o], ASSAY_CALIB_GEMM_EFFICIENCY, fit_quantile(figure, n, 0.5), low,
            high, n,
            "median of the few shapes' exact values and of best-of-search shares times the median "
            "ratio of the two on the parts that have both");
        for (uint32_t i = 1; i < 3; i++) {
            fit_add(out, scope, order[o], knob[i].id, knob[i].value, knob[i].value, knob[i].value,
                    n, "median of the parts whose best-of-search shares are used");
        }
    }
}

/* The best share of a part in a dtype, else in bf16; 0 where neither was looked for. */
static double best_share(const measured_t *measured, const assay_accelerator_t *part,
                         assay_dtype_t dtype) {
    double share[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < measured->n_best; i++) {
        const best_row_t *best = &measured->best[i];
        if (best->accelerator == part && (best->dtype == dtype || best->dtype == ASSAY_DT_BF16)) {
            share[best->dtype == dtype] = best->share;
        }
    }
    return share[1] > 0.0 ? share[1] : share[0];
}

static const assay_accelerator_t *part_of_best(const measured_t *measured, const char *id) {
    for (uint32_t i = 0; i < measured->n_best; i++) {
        if (strcmp(measured->best[i].accelerator->id, id) == 0) {
            return measured->best[i].accelerator;
        }
    }
    return NULL;
}

/* Units and architecture tell the die. */
static bool same_die(const assay_accelerator_t *a, const assay_accelerator_t *b) {
    return a != b && a->compute_units == b->compute_units && strcmp(a->arch, b->arch) == 0;
}

void fit_sibling(const measured_t *measured, const char *scope, derived_list_t *out) {
    const assay_accelerator_t *part = part_of_best(measured, scope);
    for (int d = 0; part && d < ASSAY_DT_N; d++) {
        const assay_dtype_t dtype = (assay_dtype_t)d;
        if (derived_value(out, scope, dtype, ASSAY_CALIB_GEMM_EFFICIENCY) > 0.0) {
            continue;
        }
        double figure[DERIVED_MAX], plain[DERIVED_MAX], k0[DERIVED_MAX], serial[DERIVED_MAX];
        uint32_t n = 0;
        for (uint32_t i = 0; i < out->n; i++) {
            const derived_t *d_i = &out->item[i];
            const assay_accelerator_t *other =
                d_i->id == ASSAY_CALIB_GEMM_EFFICIENCY && d_i->dtype == dtype
                    ? part_of_best(measured, d_i->scope)
                    : NULL;
            if (other && same_die(part, other)) {
                const double share = best_share(measured, part, dtype);
                const double others = best_share(measured, other, dtype);
                plain[n] = d_i->value;
                figure[n] = others > 0.0 ? d_i->value * share / others : d_i->value;
                k0[n] = derived_value(out, other->id, dtype, ASSAY_CALIB_GEMM_K0);
                serial[n++] = derived_value(out, other->id, dtype, ASSAY_CALIB_GEMM_SERIAL);
            }
        }
        if (n == 0) {
            continue;
        }
        const double value = fit_quantile(figure, n, 0.5);
        const double apart = fabs(log(value / fit_quantile(plain, n, 0.5)));
        fit_add(out, scope, dtype, ASSAY_CALIB_GEMM_EFFICIENCY, value, value * exp(-apart),
                value * exp(apart), n,
                "of the parts of the same die, times the ratio of the best-of-search shares: the "
                "power limit differs");
        const struct {
            assay_calib_id_t id;
            double *of;
        } same[] = {{ASSAY_CALIB_GEMM_K0, k0}, {ASSAY_CALIB_GEMM_SERIAL, serial}};
        for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
            const double middle = fit_quantile(same[i].of, n, 0.5);
            fit_add(out, scope, dtype, same[i].id, middle, middle, middle, n,
                    "median of the parts of the same die");
        }
    }
}
