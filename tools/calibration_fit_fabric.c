/* Constants of fabrics and networks, on top of what the table of protocols says. */
#include "calibration_fit.h"

#include <math.h>
#include <string.h>

#define LARGE_BYTES 6e7
/* What the libraries assume of themselves counts as so many rows: a part with few rows stays near
   it. */
#define PRIOR_ROWS 2.0

typedef struct {
    const collective_row_t *row[ROWS_MAX];
    assay_machine_t machine[ROWS_MAX];
    uint32_t n;
} problem_t;

static void apply(problem_t *problem, const knob_t *knob, uint32_t n) {
    for (uint32_t r = 0; r < problem->n; r++) {
        for (uint32_t i = 0; i < n; i++) {
            fit_set(&problem->machine[r].device, knob[i].id, knob[i].value);
        }
    }
}

/* Scales of the table's figures: 1 is the prior. */
static bool is_scale(assay_calib_id_t id) {
    return id == ASSAY_CALIB_FABRIC_START || id == ASSAY_CALIB_FABRIC_HOP ||
           id == ASSAY_CALIB_FABRIC_SWITCH_GAIN || id == ASSAY_CALIB_NETWORK_HOP;
}

static double loss(const void *context, const knob_t *knob, uint32_t n) {
    problem_t *problem = (problem_t *)context;
    apply(problem, knob, n);
    double sum = 0.0;
    for (uint32_t r = 0; r < problem->n; r++) {
        sum += fabs(fit_collective_error(&problem->machine[r], problem->row[r]));
    }
    for (uint32_t i = 0; i < n; i++) {
        sum += is_scale(knob[i].id) ? PRIOR_ROWS * fabs(log(knob[i].value)) : 0.0;
    }
    return sum / problem->n;
}

/* The first knob's value that predicts each large message exactly. */
static void rate_range(problem_t *problem, knob_t *knob, uint32_t n, double *p10, double *p50,
                       double *p90, uint32_t *rows) {
    static double exact[ROWS_MAX];
    *rows = 0;
    for (uint32_t r = 0; r < problem->n; r++) {
        if (problem->row[r]->bytes < LARGE_BYTES) {
            continue;
        }
        double low = 0.01, high = 1.2;
        for (int halving = 0; halving < 30; halving++) {
            knob[0].value = 0.5 * (low + high);
            for (uint32_t i = 0; i < n; i++) {
                fit_set(&problem->machine[r].device, knob[i].id, knob[i].value);
            }
            if (fit_collective_error(&problem->machine[r], problem->row[r]) > 0.0) {
                high = knob[0].value;
            } else {
                low = knob[0].value;
            }
        }
        exact[(*rows)++] = low;
    }
    if (*rows > 0) {
        *p10 = fit_quantile(exact, *rows, 0.1);
        *p50 = fit_quantile(exact, *rows, 0.5);
        *p90 = fit_quantile(exact, *rows, 0.9);
    }
}

/* Rows of several sizes can tell latency from rate. */
static uint32_t sizes(const problem_t *problem) {
    uint32_t n = 0;
    for (uint32_t r = 0; r < problem->n; r++) {
        uint32_t earlier = 0;
        while (earlier < r && fabs(problem->row[earlier]->bytes - problem->row[r]->bytes) > 1.0) {
            earlier++;
        }
        n += earlier == r;
    }
    return n;
}

static void select_rows(problem_t *problem, const measured_t *measured,
                        const assay_calibration_t *calibration, const char *scope, bool network) {
    problem->n = 0;
    for (uint32_t i = 0; i < measured->n_collective && problem->n < ROWS_MAX; i++) {
        const collective_row_t *row = &measured->collective[i];
        const bool across = row->network[0] != '\0';
        const bool wanted = network ? strcmp(row->network, scope) == 0
                                    : !across && (fit_in_scope(row->accelerator, scope) ||
                                                  strcmp(row->fabric->kind, scope) == 0);
        /* all-to-all is predicted, not fitted: nothing of the table is its alone */
        if (across == network && wanted && row->kind != ASSAY_COLL_ALL_TO_ALL) {
            problem->row[problem->n] = row;
            problem->machine[problem->n++] = fit_machine(calibration, row);
        }
    }
}

static bool reduces_in_switch(const problem_t *problem) {
    for (uint32_t i = 0; i < problem->machine[0].n_way; i++) {
        if (problem->machine[0].way[i].algorithm == ASSAY_ALGORITHM_NVLS) {
            return true;
        }
    }
    return false;
}

void fit_fabric(const measured_t *measured, const assay_calibration_t *calibration,
                const char *scope, derived_list_t *out) {
    static const char method[] = "least mean |ln(measured/predicted)| over all messages; two more "
                                 "rows' weight on 1";
    static problem_t problem;
    select_rows(&problem, measured, calibration, scope, false);
    if (problem.n < ROWS_MIN) {
        return;
    }
    const bool many = sizes(&problem) >= ROWS_MIN;
    const assay_device_t *stored = &problem.machine[0].device;
    knob_t knob[] = {
        {ASSAY_CALIB_FABRIC_EFFICIENCY, 0.05, 0.02, 1.15, 0.7},
        {ASSAY_CALIB_FABRIC_START, 0.2, 0.1, 3, 1},
        {ASSAY_CALIB_FABRIC_HOP, 0.2, 0.1, 3, 1},
        {ASSAY_CALIB_FABRIC_RAMP, 0, 0.25, 2, 0.5},
        {ASSAY_CALIB_FABRIC_OWN_SHARE, 0, 0.1, 1, 0.3},
        {ASSAY_CALIB_FABRIC_SWITCH_GAIN, 0.6, 0.05, 1.5, 1},
    };
    for (uint32_t i = 1; i < 6 && !many; i++) {
        knob[i].value = stored->calib[knob[i].id][0];
    }
    const uint32_t n = reduces_in_switch(&problem) ? 6 : 5;
    apply(&problem, knob, 6);
    fit_search(&problem, loss, knob, many ? n : 1);
    const double fitted = knob[0].value;
    double p10 = fitted, p50 = p10, p90 = p10;
    uint32_t large;
    rate_range(&problem, knob, n, &p10, &p50, &p90, &large);
    fit_add(out, scope, ASSAY_DT_N, ASSAY_CALIB_FABRIC_EFFICIENCY, many ? fitted : p50, p10, p90,
            large,
            many ? "least mean |ln(measured/predicted)| over all messages; range: the values that "
                   "predict each of 60 MB and more exactly"
                 : "median over messages of 60 MB and more of the value that predicts the time "
                   "exactly");
    for (uint32_t i = 1; many && i < n; i++) {
        fit_add(out, scope, ASSAY_DT_N, knob[i].id, knob[i].value, knob[i].value, knob[i].value,
                problem.n, method);
    }
}

void fit_network(const measured_t *measured, const assay_calibration_t *calibration,
                 const char *network, derived_list_t *out) {
    static problem_t problem;
    select_rows(&problem, measured, calibration, network, true);
    knob_t knob[] = {{ASSAY_CALIB_NETWORK_EFFICIENCY, 0.05, 0.01, 1.0, 0.7},
                     {ASSAY_CALIB_NETWORK_HOP, 0.2, 0.2, 20, 1}};
    if (problem.n == 0) {
        return;
    }
    const bool many = sizes(&problem) >= 8;
    if (!many) {
        knob[1].value = problem.machine[0].device.calib[ASSAY_CALIB_NETWORK_HOP][0];
    }
    apply(&problem, knob, 2);
    fit_search(&problem, loss, knob, many ? 2 : 1);
    double p10 = knob[0].value, p50 = p10, p90 = p10;
    uint32_t large;
    rate_range(&problem, knob, 2, &p10, &p50, &p90, &large);
    if (large < 3) {
        return;
    }
    fit_add(out, network, ASSAY_DT_N, ASSAY_CALIB_NETWORK_EFFICIENCY, p50, p10, p90, large,
            "median over messages of 60 MB and more of the value that predicts the time exactly");
    if (many) {
        fit_add(out, network, ASSAY_DT_N, ASSAY_CALIB_NETWORK_HOP, knob[1].value, knob[1].value,
                knob[1].value, problem.n,
                "least mean |ln(measured/predicted)| over all messages; two more rows' weight on "
                "1");
    }
}
