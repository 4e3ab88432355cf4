/* Gauss-Newton on the logarithms of 1 + constant, by architecture, software and both, drawn towards
   priors that all share, with a soft-L1 loss. */
#include "score/step_fit.h"

#include <math.h>
#include <string.h>

#include "assay/train.h"
#include "base/det_math.h"

#define NOISE 0.05 /* of ln(measured): what no model of few constants can know */
#define ITERATIONS 40
#define ENOUGH 1e-3 /* largest change of a correction at which the fit has settled */
#define STEP 1e-3   /* of the numeric derivative */

static const struct {
    assay_calib_id_t constant;
    double prior, spread[3];
} fits[STEP_FIT_N] = {
#define FIT(code, constant, prior, arch, software, both) \
    {ASSAY_CALIB_##constant, prior, {arch, software, both}},
    STEP_FIT_LIST(FIT)
#undef FIT
};

/*
 * Attention kernels by their time. The table's constants are those of the newest kernel of an
 * architecture: FlashAttention-2 on Ampere (arXiv 2307.08691: twice as fast as the first one, which
 * Triton's is about as fast as), FlashAttention-3 on Hopper (arXiv 2407.08608: 1.5 to 2 times as
 * fast as the second).
 */
static const struct {
    const char *software, *arch; /* NULL: any */
    double times;
} kernels[] = {
    {"llm-foundry", "Hopper", 3.0}, {"llm-foundry", NULL, 2.0}, {"flash-attn", NULL, 1.5},
    {"internevo", NULL, 1.5},       {"fsdp", "Hopper", 1.75},
};

assay_calib_id_t step_constant_id(step_fit_id_t id) {
    return fits[id].constant;
}

/* Kernels that a script launches one by one: about 100 a layer, forward, backward and update, of 10
   us of Python and driver each (data/measured/training.csv TMI35: 12 layers more take 11 to 13 ms
   more, whatever their width). Others capture graphs, compile, or keep the device busy anyway. */
#define SCRIPT_HOST_S 1e-3
#define UNTUNED "eager"

bool step_is_tuned(const char *software) {
    return strcmp(software, UNTUNED) != 0;
}

step_class_t step_class(assay_dtype_t dtype) {
    return dtype == ASSAY_DT_FP8 ? STEP_8_BIT : dtype == ASSAY_DT_FP4 ? STEP_4_BIT : STEP_16_BIT;
}

double step_prior(step_fit_id_t id, const char *software, const char *arch) {
    if (id == STEP_HOST && software && !step_is_tuned(software)) {
        return SCRIPT_HOST_S;
    }
    for (size_t i = 0; id == STEP_ATTENTION && software && i < sizeof kernels / sizeof kernels[0];
         i++) {
        if (strcmp(kernels[i].software, software) == 0 &&
            (!kernels[i].arch || (arch && strcmp(kernels[i].arch, arch) == 0))) {
            return kernels[i].times - 1;
        }
    }
    return fits[id].prior;
}

/* A share is corrected as the time it makes, 1 + share; seconds themselves. */
static double corrected(step_fit_id_t id, double constant, double factor) {
    return id == STEP_HOST      ? constant * factor
           : id == STEP_OVERLAP ? fmax(0, (1 + constant) * factor - 1)
                                : (1 + constant) * factor - 1;
}

void step_constants(const step_model_t *model, const char *software, const char *arch,
                    const uint32_t at[3], double out[STEP_FIT_N]) {
    for (int id = 0; id < STEP_FIT_N; id++) {
        double x = 0;
        for (int level = 0; level < 3; level++) {
            x +=
                at[level] == UINT32_MAX ? 0 : model->x[(size_t)at[level] * STEP_FIT_N + (size_t)id];
        }
        out[id] = corrected((step_fit_id_t)id, step_prior((step_fit_id_t)id, software, arch),
                            assay_det_exp(x));
    }
}

void step_constants_set(const double constant[STEP_FIT_N], assay_dtype_t dtype,
                        assay_device_t *io_device) {
    for (int id = 0; id < STEP_FIT_N; id++) {
        io_device->calib[fits[id].constant][dtype] = constant[id];
    }
}

double step_error(step_row_t *row, const double constant[STEP_FIT_N]) {
    assay_estimate_t estimate;
    step_constants_set(constant, row->work.dtype, &row->machine.device);
    assay_train_estimate(&row->machine, &row->work, &row->layout, &estimate);
    return assay_det_log(estimate.step_s / row->measured_s);
}

/* A loss that grows like a distance, not like a square, and the weight of such a residual. */
static double soft_loss(double z) {
    return sqrt(1 + z * z) - 1;
}
static double soft_weight(double z) {
    return 1 / sqrt(1 + z * z);
}

/* Solves N x = g in place by Cholesky; N (n x n) is definite because of the priors. */
static void solve(double *normal, double *g, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = normal[i * n + j];
            for (size_t k = 0; k < j; k++) {
                sum -= normal[i * n + k] * normal[j * n + k];
            }
            normal[i * n + j] = i == j ? sqrt(sum) : sum / normal[j * n + j];
        }
        for (size_t k = 0; k < i; k++) {
            g[i] -= normal[i * n + k] * g[k];
        }
        g[i] /= normal[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) {
            g[i] -= normal[k * n + i] * g[k];
        }
        g[i] /= normal[i * n + i];
    }
}

/* Adds a row to the normal equations: its residual, and the derivative by each constant, which is
   the same for the corrections of its three nodes. */
static void add_row(const step_model_t *model, step_row_t *row, size_t n, double *normal,
                    double *g) {
    double constant[STEP_FIT_N], slope[STEP_FIT_N];
    step_constants(model, row->software, row->part->arch, row->at, constant);
    const double error = step_error(row, constant);
    for (int id = 0; id < STEP_FIT_N; id++) {
        const double kept = constant[id];
        constant[id] = corrected((step_fit_id_t)id, kept, 1 + STEP);
        slope[id] = (step_error(row, constant) - error) / log1p(STEP);
        constant[id] = kept;
    }
    const double weight = row->weight * soft_weight(error / NOISE) / (NOISE * NOISE);
    for (int a = 0; a < 3; a++) {
        if (row->at[a] == UINT32_MAX) {
            continue;
        }
        for (int k = 0; k < STEP_FIT_N; k++) {
            const size_t i = (size_t)row->at[a] * STEP_FIT_N + (size_t)k;
            g[i] -= weight * slope[k] * error;
            for (int b = 0; b < 3 && row->at[b] != UINT32_MAX; b++) {
                for (int l = 0; l < STEP_FIT_N; l++) {
                    normal[i * n + (size_t)row->at[b] * STEP_FIT_N + (size_t)l] +=
                        weight * slope[k] * slope[l];
                }
            }
        }
    }
}

static double spread_of(const step_model_t *model, size_t i) {
    return fmax(1e-4, fits[i % STEP_FIT_N].spread[model->node[i / STEP_FIT_N].level]);
}

/* What the fit makes least: the loss of the rows, and how far corrections are from none. */
static double loss_of(const step_model_t *model, step_row_t *row, uint32_t n_row, const bool *use) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)model->n_node * STEP_FIT_N; i++) {
        const double z = model->x[i] / spread_of(model, i);
        sum += z * z / 2;
    }
    for (uint32_t i = 0; i < n_row; i++) {
        double constant[STEP_FIT_N];
        if (use[i]) {
            step_constants(model, row[i].software, row[i].part->arch, row[i].at, constant);
            sum += row[i].weight * soft_loss(step_error(&row[i], constant) / NOISE);
        }
    }
    return sum;
}

/* The Gauss-Newton step at x, into g. */
static void find_step(const step_model_t *model, step_row_t *row, uint32_t n_row, const bool *use,
                      double *normal, double *g) {
    const size_t n = (size_t)model->n_node * STEP_FIT_N;
    memset(normal, 0, n * n * sizeof *normal);
    for (size_t i = 0; i < n; i++) {
        const double spread = spread_of(model, i);
        normal[i * n + i] = 1 / (spread * spread);
        g[i] = -model->x[i] / (spread * spread);
    }
    for (uint32_t i = 0; i < n_row; i++) {
        if (use[i]) {
            add_row(model, &row[i], n, normal, g);
        }
    }
    solve(normal, g, n);
}

/* A time is the longer of two in many places, where it bends: a step that makes the loss no less
   goes too far, and half of it is tried. */
bool step_fit(assay_arena_t *scratch, step_row_t *row, uint32_t n_row, const bool *use,
              step_model_t *model) {
    const size_t n = (size_t)model->n_node * STEP_FIT_N;
    double *normal = assay_arena_array(scratch, n * n, sizeof *normal);
    double *g = assay_arena_array(scratch, n, sizeof *g);
    if (!normal || !g) {
        return false;
    }
    double loss = loss_of(model, row, n_row, use), change = 1;
    for (int iteration = 0; iteration < ITERATIONS && change > ENOUGH; iteration++) {
        double size = 1, now;
        find_step(model, row, n_row, use, normal, g);
        change = 0;
        for (size_t i = 0; i < n; i++) {
            change = fmax(change, fabs(g[i]));
            model->x[i] += g[i];
        }
        while ((now = loss_of(model, row, n_row, use)) > loss && size * change > ENOUGH) {
            size /= 2;
            for (size_t i = 0; i < n; i++) {
                model->x[i] -= size * g[i];
            }
        }
        loss = now;
        change *= size;
    }
    return true;
}
