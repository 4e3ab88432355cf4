/* Which measured matrix products help to predict others, and whether data/gemm_shapes.csv holds
   those:
     gemm_shapes [--print] [DIRECTORY]
   Of each part and dtype with enough shapes: how far the model is off, and how far it is off when
   the other shapes correct it (one left out after the other). Where that helps, the table must hold
   the shapes of DIRECTORY/gemm.csv. --print writes the table instead. Exit 0: it does; 1: it does
   not; 2: input. */
#include "calibration_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BYTES ((size_t)1 << 30)
#define SHAPES_MIN 20 /* fewer say little about others */
#define HELPS 0.9     /* left out, the mean error must be below this share of the model's */
#define TOLERANCE 2e-3
#define ROWS_MAX 4096

typedef struct {
    assay_gemm_shapes_t shapes;
    double *ratio;
    double model, model_p90, left_out, left_out_p90; /* |ln(measured/predicted)|: mean, 90 % */
    bool helps;
} group_t;

/* Of one shape: what the kernels in front of it took is taken off. */
static double alone_s(const assay_device_t *device, const gemm_row_t *row) {
    const double before_s =
        row->cast_kernels > 0
            ? row->cast_kernels * assay_stream_s(device, row->cast_bytes / row->cast_kernels)
            : 0;
    return fmax(row->elapsed_s - before_s, 0.2 * row->elapsed_s);
}

static bool same(const assay_gemm_t *a, const assay_gemm_t *b) {
    return fabs(a->m - b->m) + fabs(a->n - b->n) + fabs(a->k - b->k) < 0.5;
}

/* Each shape once, with the median of its rows; of sizes of C's elements the first row's. */
static assay_status_t collect(assay_arena_t *arena, const measured_t *measured,
                              const assay_device_t *device, group_t *out, assay_error_t *err) {
    static const gemm_row_t *row[ROWS_MAX];
    static double elapsed_s[ROWS_MAX];
    static bool taken[ROWS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < measured->n_gemm && n < ROWS_MAX; i++) {
        const gemm_row_t *one = &measured->gemm[i];
        if (one->gemm.dtype == out->shapes.dtype &&
            strcmp(one->accelerator->id, out->shapes.accelerator) == 0) {
            taken[n] = false;
            row[n++] = one;
        }
    }
    assay_gemm_shape_t *shape = assay_arena_array(arena, n, sizeof *shape);
    if (!shape) {
        return assay_error_memory(err, NULL);
    }
    out->shapes.shape = shape;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t rows = 0;
        for (uint32_t j = i; j < n && !taken[i]; j++) {
            if (same(&row[i]->gemm, &row[j]->gemm)) {
                elapsed_s[rows++] = alone_s(device, row[j]);
                taken[j] = j > i;
            }
        }
        if (rows > 0) {
            const assay_gemm_t *gemm = &row[i]->gemm;
            shape[out->shapes.n_shape++] = (assay_gemm_shape_t){
                .m = gemm->m,
                .n = gemm->n,
                .k = gemm->k,
                .bytes_in = gemm->bytes_a,
                .bytes_out = gemm->bytes_c,
                .elapsed_s = fit_quantile(elapsed_s, rows, 0.5),
                .rows = rows,
                .source = assay_arena_printf(arena, "measured/gemm.csv %s%s", row[i]->id,
                                             rows > 1 ? " and others" : "")};
        }
    }
    return ASSAY_OK;
}

static assay_status_t judge(assay_arena_t *arena, const assay_device_t *device, group_t *io,
                            assay_error_t *err) {
    const uint32_t n = io->shapes.n_shape;
    const assay_status_t status = assay_gemm_shapes_index(arena, &io->shapes, err);
    io->ratio = assay_arena_array(arena, n, sizeof *io->ratio);
    double *model = assay_arena_array(arena, n, sizeof *model);
    double *left_out = assay_arena_array(arena, n, sizeof *left_out);
    if (status || !io->ratio || !model || !left_out) {
        return status ? status : assay_error_memory(err, NULL);
    }
    assay_gemm_ratios(device, &io->shapes, io->ratio);
    for (uint32_t i = 0; i < n; i++) {
        model[i] = fabs(log(io->ratio[i]));
        left_out[i] = fabs(log(io->ratio[i] / assay_gemm_ratio_without(&io->shapes, io->ratio, i)));
        io->model += model[i] / n;
        io->left_out += left_out[i] / n;
    }
    io->model_p90 = fit_quantile(model, n, 0.9);
    io->left_out_p90 = fit_quantile(left_out, n, 0.9);
    io->helps = io->left_out < HELPS * io->model;
    return ASSAY_OK;
}

static void print_rows(const group_t *group) {
    for (uint32_t i = 0; i < group->shapes.n_shape; i++) {
        const assay_gemm_shape_t *shape = &group->shapes.shape[i];
        printf("%s/%s/%.0fx%.0fx%.0f,%.4g,%.4g,%.4g,%u,%s\n", group->shapes.accelerator,
               assay_dtype_name(group->shapes.dtype), shape->m, shape->n, shape->k,
               shape->elapsed_s * 1e6, shape->bytes_in, shape->bytes_out, shape->rows,
               shape->source);
    }
}

/* Shapes that the table does not hold as they are here, and those that it holds besides. */
static uint32_t differing(const group_t *group, const assay_gemm_shapes_t *table) {
    const uint32_t n = group->helps ? group->shapes.n_shape : 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < n && table; i++) {
        const assay_gemm_shape_t *one = &group->shapes.shape[i];
        for (uint32_t j = 0; j < table->n_shape; j++) {
            const assay_gemm_shape_t *other = &table->shape[j];
            found +=
                fabs(one->m - other->m) + fabs(one->n - other->n) + fabs(one->k - other->k) < 0.5 &&
                fabs(other->elapsed_s / one->elapsed_s - 1) < TOLERANCE;
        }
    }
    return n - found + (table ? table->n_shape - found : 0);
}

static void report(const group_t *group) {
    printf("%-24s %-5s %5u shapes  model %5.1f %% (p90 %5.1f)  corrected, left out %5.1f %% "
           "(p90 %5.1f)  %s\n",
           group->shapes.accelerator, assay_dtype_name(group->shapes.dtype), group->shapes.n_shape,
           100 * group->model, 100 * group->model_p90, 100 * group->left_out,
           100 * group->left_out_p90, group->helps ? "used" : "not used");
}

static assay_status_t run(assay_arena_t *arena, const char *directory, bool printing,
                          uint32_t *out_wrong, assay_error_t *err) {
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    measured_t measured;
    assay_status_t status = assay_catalog_load(arena, NULL, 0, &catalog, err);
    status = status ? status : assay_calibration_load(arena, NULL, 0, &calibration, err);
    status = status ? status : fit_read(arena, catalog, directory, &measured, err);
    *out_wrong = 0;
    for (uint32_t a = 0; !status && a < catalog->n_accelerator; a++) {
        const assay_device_t device = fit_device(calibration, &catalog->accelerator[a], NULL, NULL);
        for (int dtype = 0; !status && dtype < ASSAY_DT_N; dtype++) {
            group_t group = {.shapes = {.accelerator = catalog->accelerator[a].id,
                                        .dtype = (assay_dtype_t)dtype}};
            status = collect(arena, &measured, &device, &group, err);
            if (!status && group.shapes.n_shape >= SHAPES_MIN) {
                status = judge(arena, &device, &group, err);
            }
            if (status) {
                break;
            }
            if (!printing && group.shapes.n_shape >= SHAPES_MIN) {
                report(&group);
            } else if (printing && group.helps) {
                print_rows(&group);
            }
            *out_wrong +=
                differing(&group, assay_calibration_gemm_shapes(
                                      calibration, group.shapes.accelerator, group.shapes.dtype));
        }
    }
    return status;
}

int main(int argc, char **argv) {
    const bool printing = argc > 1 && strcmp(argv[1], "--print") == 0;
    assay_error_t err = {0};
    uint32_t wrong = 0;
    assay_arena_t *arena = assay_arena_create(ARENA_BYTES);
    if (printing) {
        puts("id,time_us,bytes_in,bytes_out,rows,source");
    }
    if (!arena || run(arena, argc > 1 + printing ? argv[1 + printing] : "data/measured", printing,
                      &wrong, &err)) {
        char line[1024];
        fprintf(stderr, "gemm_shapes: %s\n", assay_error_line(&err, line, sizeof line));
        assay_arena_destroy(arena);
        return 2;
    }
    if (!printing) {
        printf("%s\n", wrong ? "data/gemm_shapes.csv holds other shapes; gemm_shapes --print "
                               "writes it"
                             : "data/gemm_shapes.csv holds the shapes of what is used");
    }
    assay_arena_destroy(arena);
    return wrong && !printing;
}
