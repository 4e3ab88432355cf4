/* Recomputes the constants of data/calibration.csv that come from data/measured, and compares:
     calibration_check [--print] [DIRECTORY]
   Prints what disagrees and how well physics predicts the measurements. --print writes the
   recomputed rows as CSV instead. Exit 0: all agree within the tolerance; 1: some do not; 2: input.
 */
#include "calibration_fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOLERANCE 0.02 /* the table holds three digits */
#define ARENA_BYTES ((size_t)1 << 30)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Parts by themselves, then those of an architecture and of a vendor together. */
static const char *const scopes[] = {"nvidia-a100-sxm4-80g",
                                     "nvidia-a100-pcie-80g",
                                     "nvidia-h100-sxm5-80g",
                                     "nvidia-h200-sxm-141g",
                                     "nvidia-gh200-96g",
                                     "nvidia-b200-sxm-180g",
                                     "nvidia-b300-sxm-270g",
                                     "nvidia-gb200-nvl72-186g",
                                     "nvidia-gb300-nvl72-279g",
                                     "amd-mi250-128g",
                                     "amd-mi250x-128g",
                                     "amd-mi300a-128g",
                                     "amd-mi300x-192g",
                                     "amd-mi350x-288g",
                                     "amd-mi355x-288g",
                                     "google-tpu-v6e",
                                     "google-tpu-v7",
                                     "Ampere GA100",
                                     "Hopper",
                                     "Blackwell",
                                     "Blackwell Ultra",
                                     "CDNA2",
                                     "CDNA3",
                                     "CDNA4",
                                     "NVIDIA",
                                     "AMD",
                                     "Google",
                                     "Intel"};
/* Parts of which one best shape was measured, and a sibling of the same die at length. */
static const char *const siblings[] = {"amd-mi325x-256g", "nvidia-gh200-144g"};
/* Parts whose fabric was measured; an architecture does not say which fabric a board has. */
static const char *const parts[] = {
    "nvidia-a100-sxm4-80g",    "nvidia-h100-sxm5-80g", "nvidia-h200-sxm-141g",
    "nvidia-b200-sxm-180g",    "nvidia-b300-sxm-270g", "nvidia-gb200-nvl72-186g",
    "nvidia-gb300-nvl72-279g", "nvidia-l40s-48g",      "nvidia-rtx-pro-6000-bse-96g",
    "amd-mi250x-128g",         "amd-mi300x-192g",      "amd-mi355x-288g"};
static const char *const fabrics[] = {"switch", "full-mesh", "partial-mesh", "pcie-tree"};
static const char *const networks[] = {"efa", "slingshot", "opa", "roce"};

static const char *const constant_name[ASSAY_CALIB_N] = {
#define NAME(code, name, what) name,
    ASSAY_CALIB_LIST(NAME)
#undef NAME
};

static const char *dtype_text(assay_dtype_t dtype) {
    return dtype == ASSAY_DT_N ? "*" : assay_dtype_name(dtype);
}

static void derive(const measured_t *measured, const assay_calibration_t *calibration,
                   derived_list_t *out) {
    for (size_t i = 0; i < COUNT(scopes); i++) {
        fit_gemm(measured, calibration, scopes[i], out);
    }
    for (size_t i = 0; i < COUNT(scopes); i++) {
        fit_best(measured, calibration, scopes[i], out);
    }
    for (size_t i = 0; i < COUNT(siblings); i++) {
        fit_sibling(measured, siblings[i], out);
    }
    for (size_t i = 0; i < COUNT(parts); i++) {
        fit_fabric(measured, calibration, parts[i], out);
    }
    for (size_t i = 0; i < COUNT(fabrics); i++) {
        fit_fabric(measured, calibration, fabrics[i], out);
    }
    for (size_t i = 0; i < COUNT(networks); i++) {
        fit_network(measured, calibration, networks[i], out);
    }
}

/* Rows that the table must hold, without basis, unit and source, which are written by hand. */
static void print(const derived_list_t *list) {
    for (uint32_t i = 0; i < list->n; i++) {
        const derived_t *d = &list->item[i];
        printf("%s,%s,%s,%.3g,%.3g,%.3g,%u,%s\n", d->scope, dtype_text(d->dtype),
               constant_name[d->id], d->value, d->p10, d->p90, d->rows, d->method);
    }
}

static uint32_t compare(const derived_list_t *list, const assay_calibration_t *calibration) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < list->n; i++) {
        const derived_t *d = &list->item[i];
        const char *const scope[] = {d->scope, NULL};
        const double stored = assay_calibration_get(calibration, d->id, scope, d->dtype).v;
        if (!(fabs(stored - d->value) <= TOLERANCE * fabs(d->value) + 1e-12)) {
            printf("%s %s %s: stored %.4g, recomputed %.4g from %u rows\n", d->scope,
                   dtype_text(d->dtype), constant_name[d->id], stored, d->value, d->rows);
            wrong++;
        }
    }
    return wrong;
}

/* --- how well physics predicts ---------------------------------------------------------------- */

#define ERRORS_MAX 8192

static void print_errors(const char *what, const char *key, double *error, uint32_t n) {
    if (n > 0) {
        const double median = fit_quantile(error, n, 0.5);
        printf("%-11s %-44s %5u rows  median |error| %5.1f %%  p90 %6.1f %%\n", what, key, n,
               100.0 * median, 100.0 * fit_quantile(error, n, 0.9));
    }
}

static double relative(double log_error) {
    return fabs(expm1(-log_error));
}

static void report_gemm(const measured_t *measured, const assay_catalog_t *catalog,
                        const assay_calibration_t *calibration, double min_m) {
    static double error[ERRORS_MAX];
    for (uint32_t a = 0; a < catalog->n_accelerator; a++) {
        const assay_accelerator_t *accelerator = &catalog->accelerator[a];
        const assay_device_t device = fit_device(calibration, accelerator, NULL, NULL);
        for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
            uint32_t n = 0;
            for (uint32_t i = 0; i < measured->n_gemm && n < ERRORS_MAX; i++) {
                const gemm_row_t *row = &measured->gemm[i];
                if (row->accelerator == accelerator && (int)row->gemm.dtype == dtype &&
                    row->gemm.m >= min_m) {
                    error[n++] = relative(fit_gemm_error(&device, row));
                }
            }
            char key[96];
            (void)snprintf(key, sizeof key, "%s %s", accelerator->id,
                           assay_dtype_name((assay_dtype_t)dtype));
            print_errors(min_m > 0.0 ? "gemm large" : "gemm", key, error, n);
        }
    }
}

static void report_collectives(const measured_t *measured, const assay_catalog_t *catalog,
                               const assay_calibration_t *calibration) {
    static double error[ERRORS_MAX];
    for (uint32_t f = 0; f < catalog->n_fabric; f++) {
        for (int across = 0; across < 2; across++) {
            for (int reduces = 0; reduces < 2; reduces++) {
                uint32_t n = 0;
                for (uint32_t i = 0; i < measured->n_collective && n < ERRORS_MAX; i++) {
                    const collective_row_t *row = &measured->collective[i];
                    if (row->fabric != &catalog->fabric[f] || (row->nodes > 1) != across ||
                        (row->kind == ASSAY_COLL_ALL_REDUCE) != reduces || row->bytes < 1e6) {
                        continue;
                    }
                    const assay_machine_t machine = fit_machine(calibration, row);
                    error[n++] = relative(fit_collective_error(&machine, row));
                }
                char key[96];
                (void)snprintf(key, sizeof key, "%s%s, 1 MB and more", catalog->fabric[f].id,
                               across ? " across nodes" : "");
                print_errors(reduces ? "all-reduce" : "others", key, error, n);
            }
        }
    }
}

static void report_streams(const measured_t *measured, const assay_catalog_t *catalog,
                           const assay_calibration_t *calibration) {
    for (uint32_t a = 0; a < catalog->n_accelerator; a++) {
        static double error[ERRORS_MAX];
        const assay_device_t device = fit_device(calibration, &catalog->accelerator[a], NULL, NULL);
        uint32_t n = 0;
        for (uint32_t i = 0; i < measured->n_stream && n < ERRORS_MAX; i++) {
            if (measured->stream[i].accelerator == &catalog->accelerator[a]) {
                error[n++] = fabs(device.calib[ASSAY_CALIB_HBM_EFFICIENCY][ASSAY_DT_BF16] /
                                      measured->stream[i].share -
                                  1.0);
            }
        }
        print_errors("memory", catalog->accelerator[a].id, error, n);
    }
}

int main(int argc, char **argv) {
    const bool printing = argc > 1 && strcmp(argv[1], "--print") == 0;
    const char *directory = argc > 1 + printing ? argv[1 + printing] : "data/measured";
    static derived_list_t derived;
    assay_error_t err = {0};
    assay_catalog_t *catalog = NULL;
    assay_calibration_t *calibration = NULL;
    measured_t measured = {0};
    int code = 0;
    assay_arena_t *arena = assay_arena_create(ARENA_BYTES);
    if (arena == NULL || assay_catalog_load(arena, NULL, 0, &catalog, &err) != ASSAY_OK ||
        assay_calibration_load(arena, NULL, 0, &calibration, &err) != ASSAY_OK ||
        fit_read(arena, catalog, directory, &measured, &err) != ASSAY_OK) {
        char line[1024];
        fprintf(stderr, "calibration_check: %s\n", assay_error_line(&err, line, sizeof line));
        code = 2;
    } else {
        derive(&measured, calibration, &derived);
        if (printing) {
            print(&derived);
        } else {
            report_gemm(&measured, catalog, calibration, 0.0);
            report_gemm(&measured, catalog, calibration, 1024.0);
            report_collectives(&measured, catalog, calibration);
            report_streams(&measured, catalog, calibration);
            const uint32_t wrong = compare(&derived, calibration);
            printf("%u constants recomputed, %u differ\n", derived.n, wrong);
            code = wrong > 0;
        }
    }
    assay_arena_destroy(arena);
    return code;
}
