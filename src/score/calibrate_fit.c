/* Levenberg-Marquardt on the logarithms of the constants, with priors and a soft-L1 loss. */
#include "score/calibrate_fit.h"

#include <math.h>

#include "base/det_math.h"

#define NOISE 0.1 /* of ln(measured): what no model of few constants can know */
#define ITERATIONS 60
#define STEP 1e-4 /* of the numeric derivative */

static const struct {
    assay_calib_id_t constant;
    double prior, spread, least, most;
} fits[FIT_N] = {
#define FIT(code, constant, prior, spread, least, most) \
    {ASSAY_CALIB_##constant, prior, spread, least, most},
    FIT_LIST(FIT)
#undef FIT
};

fit_constants_t fit_priors(void) {
    fit_constants_t out;
    for (int i = 0; i < FIT_N; i++) {
        out.value[i] = fits[i].prior;
        out.spread[i] = fits[i].spread;
    }
    return out;
}

assay_calib_id_t fit_constant(fit_id_t id) {
    return fits[id].constant;
}

static double clamp(double x, double least, double most) {
    return x < least ? least : x > most ? most : x;
}

double fit_clamp(fit_id_t id, double value) {
    return clamp(value, fits[id].least, fits[id].most);
}

fit_id_t fit_gemm_of(assay_dtype_t dtype) {
    const double bytes = assay_dtype_bytes(dtype);
    return bytes >= 2 ? FIT_GEMM_16 : bytes >= 1 ? FIT_GEMM_8 : FIT_GEMM_4;
}

assay_serve_constants_t fit_apply(const fit_constants_t *constants, assay_dtype_t dtype) {
    const double *v = constants->value;
    return (assay_serve_constants_t){.gemm = v[fit_gemm_of(dtype)],
                                     .expert = v[FIT_EXPERT],
                                     .weight_stream = v[FIT_WEIGHT_STREAM],
                                     .kv_stream = v[FIT_KV_STREAM],
                                     .head_stream = v[FIT_HEAD_STREAM],
                                     .layer_s = v[FIT_LAYER_S],
                                     .moe_layer_s = v[FIT_MOE_LAYER_S],
                                     .sequence_s = v[FIT_SEQUENCE_S],
                                     .reduce_s = v[FIT_REDUCE_S],
                                     .rel_p10 = 1,
                                     .rel_p90 = 1};
}

double fit_ln_error(const fit_row_t *row, const fit_constants_t *constants) {
    const assay_serve_constants_t c = fit_apply(constants, row->of.setup.dtype);
    return assay_det_log(score_serving_value(&row->of, &c, row->measure) / row->measured);
}

/* Twice the loss, and its weight: a row far off pulls like a distance, not like a square. */
static double soft(double z, double *out_weight) {
    const double root = sqrt(1 + z * z);
    *out_weight = 1 / root;
    return 2 * (root - 1);
}

static double loss(const fit_row_t *const *row, uint32_t n, const fit_constants_t *prior,
                   const fit_constants_t *at) {
    double total = 0, weight;
    for (uint32_t i = 0; i < n; i++) {
        total += soft(fit_ln_error(row[i], at) / NOISE, &weight);
    }
    for (int k = 0; k < FIT_N; k++) {
        const double z = assay_det_log(at->value[k] / prior->value[k]) / prior->spread[k];
        total += z * z;
    }
    return total;
}

/* Solves (N + lambda diag N) x = g by Cholesky; N is symmetric and, with the priors, definite. */
static void solve(double normal[FIT_N][FIT_N], const double gradient[FIT_N], double lambda,
                  double out[FIT_N]) {
    double l[FIT_N][FIT_N];
    for (int i = 0; i < FIT_N; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = normal[i][j] * (i == j ? 1 + lambda : 1);
            for (int k = 0; k < j; k++) {
                sum -= l[i][k] * l[j][k];
            }
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    }
    for (int i = 0; i < FIT_N; i++) {
        out[i] = gradient[i];
        for (int k = 0; k < i; k++) {
            out[i] -= l[i][k] * out[k];
        }
        out[i] /= l[i][i];
    }
    for (int i = FIT_N - 1; i >= 0; i--) {
        for (int k = i + 1; k < FIT_N; k++) {
            out[i] -= l[k][i] * out[k];
        }
        out[i] /= l[i][i];
    }
}

/* Gauss-Newton's matrix and the gradient downhill. */
static void linearise(const fit_row_t *const *row, uint32_t n, const fit_constants_t *prior,
                      const fit_constants_t *at, double normal[FIT_N][FIT_N],
                      double gradient[FIT_N]) {
    for (int i = 0; i < FIT_N; i++) {
        const double tight = 1 / (prior->spread[i] * prior->spread[i]);
        for (int j = 0; j < FIT_N; j++) {
            normal[i][j] = i == j ? tight : 0;
        }
        gradient[i] = -assay_det_log(at->value[i] / prior->value[i]) * tight;
    }
    for (uint32_t r = 0; r < n; r++) {
        double slope[FIT_N], weight;
        const double z = fit_ln_error(row[r], at) / NOISE;
        (void)soft(z, &weight);
        for (int i = 0; i < FIT_N; i++) {
            fit_constants_t moved = *at;
            moved.value[i] *= 1 + STEP;
            slope[i] = (fit_ln_error(row[r], &moved) / NOISE - z) / STEP;
        }
        for (int i = 0; i < FIT_N; i++) {
            gradient[i] -= weight * z * slope[i];
            for (int j = 0; j < FIT_N; j++) {
                normal[i][j] += weight * slope[i] * slope[j];
            }
        }
    }
}

/* How far a constant can move before the loss rises by one, the others following. */
static void find_spread(double normal[FIT_N][FIT_N], fit_constants_t *io) {
    for (int i = 0; i < FIT_N; i++) {
        double unit[FIT_N] = {0}, column[FIT_N];
        unit[i] = 1;
        solve(normal, unit, 0, column);
        io->spread[i] = sqrt(column[i]);
    }
}

void fit_group(const fit_row_t *const *row, uint32_t n, const fit_constants_t *prior,
               fit_constants_t *out) {
    double normal[FIT_N][FIT_N], gradient[FIT_N], move[FIT_N];
    double lambda = 1e-2;
    *out = *prior;
    double now = loss(row, n, prior, out);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        linearise(row, n, prior, out, normal, gradient);
        bool better = false;
        while (!better && lambda < 1e6) {
            fit_constants_t next = *out;
            solve(normal, gradient, lambda, move);
            for (int i = 0; i < FIT_N; i++) {
                next.value[i] = fit_clamp((fit_id_t)i, next.value[i] * exp(clamp(move[i], -1, 1)));
            }
            const double then = loss(row, n, prior, &next);
            better = then < now;
            if (better) {
                const bool done = now - then < 1e-6 * (1 + now);
                *out = next;
                now = then;
                lambda *= 0.2;
                if (done) {
                    iteration = ITERATIONS;
                }
            } else {
                lambda *= 5;
            }
        }
        if (!better) {
            break;
        }
    }
    linearise(row, n, prior, out, normal, gradient);
    find_spread(normal, out);
}
