/* The table of measured matrix products: what is read, what a folder lays over, what is refused. */
#include "assay_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "assay/physics.h"
#include "assay/resolve.h"
#include "assay/text.h"

#define HEADER "id,time_us,bytes_in,bytes_out,rows,source\n"
#define H100 "nvidia-h100-sxm5-80g"

typedef struct {
    assay_arena_t *arena;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_error_t err;
} fixture_t;

static int setup(void **state) {
    static fixture_t fixture;
    fixture = (fixture_t){.arena = assay_arena_create(256u << 20)};
    *state = &fixture;
    return !fixture.arena ||
           assay_catalog_load(fixture.arena, NULL, 0, &fixture.catalog, &fixture.err) ||
           assay_calibration_load(fixture.arena, NULL, 0, &fixture.calibration, &fixture.err);
}

static int teardown(void **state) {
    fixture_t *f = *state;
    assay_arena_destroy(f->arena);
    return 0;
}

static assay_status_t load_over(fixture_t *f, const char *rows) {
    char dir[] = "/tmp/assay_shapes_XXXXXX", path[sizeof dir + 20], text[1024];
    const char *const dirs[] = {mkdtemp(dir)};
    assert_non_null(dirs[0]);
    (void)snprintf(path, sizeof path, "%s/gemm_shapes.csv", dir);
    (void)snprintf(text, sizeof text, HEADER "%s", rows);
    assert_int_equal(assay_file_write(path, text, strlen(text), NULL), ASSAY_OK);
    f->err = (assay_error_t){0};
    const assay_status_t status =
        assay_calibration_load(f->arena, dirs, 1, &f->calibration, &f->err);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(dir), 0);
    return status;
}

static assay_gemm_t product(const assay_gemm_shape_t *shape, assay_dtype_t dtype) {
    return (assay_gemm_t){.m = shape->m,
                          .n = shape->n,
                          .k = shape->k,
                          .batch = 1,
                          .dtype = dtype,
                          .bytes_a = shape->bytes_in,
                          .bytes_b = shape->bytes_in,
                          .bytes_c = shape->bytes_out};
}

static assay_machine_t machine_of(fixture_t *f, const char *id) {
    const assay_accelerator_t *part;
    assay_machine_t machine;
    assert_int_equal(assay_catalog_accelerator(f->catalog, id, NULL, &part, &f->err), ASSAY_OK);
    assert_int_equal(assay_resolve_machine(f->arena, f->catalog, f->calibration, part, NULL, NULL,
                                           0, 0, 8, ASSAY_DT_BF16, &machine, &f->err),
                     ASSAY_OK);
    return machine;
}

/* Each shape that ships is predicted as it was measured, and found where it is. */
static void test_builtin(void **state) {
    fixture_t *f = *state;
    const assay_machine_t machine = machine_of(f, H100);
    for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
        const assay_gemm_shapes_t *group = machine.device.gemm_shapes[dtype];
        assert_true((group != NULL) == (dtype == ASSAY_DT_BF16 || dtype == ASSAY_DT_FP8));
        for (uint32_t i = 0; group && i < group->n_shape; i++) {
            const assay_gemm_t gemm = product(&group->shape[i], (assay_dtype_t)dtype);
            const assay_gemm_shape_t *nearest;
            assay_test_close(assay_gemm_s(&machine.device, &gemm), group->shape[i].elapsed_s, 1e-9,
                             0, "as measured");
            assay_test_close(assay_gemm_support(&machine.device, &gemm, &nearest), 1, 0, 0, "all");
            assert_ptr_equal(nearest, &group->shape[i]);
        }
    }
    /* too few shapes of it were measured to say that they help */
    const assay_machine_t other = machine_of(f, "amd-mi250x-128g");
    assert_null(other.device.gemm_shapes[ASSAY_DT_BF16]);
}

static void test_user(void **state) {
    fixture_t *f = *state;
    assert_int_equal(load_over(f,
                               "amd-mi250x-128g/bf16/4096x4096x4096,1000,2,2,3,our own run\n" H100
                               "/bf16/4096x4096x4096,200,2,2,1,our own run\n"),
                     ASSAY_OK);
    const assay_machine_t mi250x = machine_of(f, "amd-mi250x-128g"), h100 = machine_of(f, H100);
    const assay_gemm_shape_t shape = {
        .m = 4096, .n = 4096, .k = 4096, .bytes_in = 2, .bytes_out = 2};
    const assay_gemm_t gemm = product(&shape, ASSAY_DT_BF16);
    assay_test_close(assay_gemm_s(&mi250x.device, &gemm), 1e-3, 1e-9, 0, "a part without shapes");
    assay_test_close(assay_gemm_s(&h100.device, &gemm), 200e-6, 1e-9, 0, "in place of ours");
    assert_int_equal(h100.device.gemm_shapes[ASSAY_DT_BF16]->n_shape, 96);
}

static void test_refused(void **state) {
    fixture_t *f = *state;
    static const struct {
        const char *row, *what;
    } bad[] = {
        {"x/bf16/4096x4096,1,2,2,1,me\n", "id is 'x/bf16/4096x4096', expected PART/DTYPE/MxNxK"},
        {"x/bf16/4096x4096x,1,2,2,1,me\n", "id is"},
        {"x/bf16/1x1x1x1,1,2,2,1,me\n", "id is"},
        {"x/bf17/1x1x1,1,2,2,1,me\n", "id is"},
        {"/bf16/1x1x1,1,2,2,1,me\n", "id is"},
        {"x/bf16/0x1x1,1,2,2,1,me\n", "id is"},
        {"x/bf16/1x1x1e300,1,2,2,1,me\n", "id is"},
        {"x/bf16/1x1x1,0,2,2,1,me\n", "time_us is '0', expected microseconds of one product"},
        {"x/bf16/1x1x1,nan,2,2,1,me\n", "time_us is"},
        {"x/bf16/1x1x1,1,0,2,1,me\n", "bytes_in is"},
        {"x/bf16/1x1x1,1,2,99,1,me\n", "bytes_out is"},
        {"x/bf16/1x1x1,1,2,2,0,me\n", "rows is"},
        {"x/bf16/1x1x1,1,2,2,1,\n", "source is"},
        {"x/bf16/1x1x1,1,2,2,1,me\nx/bf16/1x1x1,1,2,2,1,me\n", "is given twice"},
        {"x/bf16/1x1x1,1,2,2,1,me\nx/bf16/1.0x1x1,1,2,2,1,me\n", "written in another way"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(load_over(f, bad[i].row), ASSAY_INPUT);
        if (!strstr(f->err.what, bad[i].what)) {
            fail_msg("'%s' is not about '%s'", f->err.what, bad[i].what);
        }
        assert_true(f->err.line >= 2);
    }
}

/* Two parts, shapes wherever: every cube knows exactly the shapes that reach into it. */
static void test_cubes(void **state) {
    fixture_t *f = *state;
    static const double size[] = {1, 3, 64, 100, 4096, 5000, 1e9};
    assay_gemm_shape_t shape[27];
    uint32_t n = 0;
    for (int i = 0; i < 27; i++) {
        shape[n++] = (assay_gemm_shape_t){
            .m = size[i % 3 * 2], .n = size[i / 3 % 3 * 3], .k = size[i / 9 * 2 + 1]};
    }
    assay_gemm_shapes_t group = {
        .accelerator = "x", .dtype = ASSAY_DT_BF16, .shape = shape, .n_shape = n};
    assert_int_equal(assay_gemm_shapes_index(f->arena, &group, &f->err), ASSAY_OK);
    double ratio[27];
    for (uint32_t i = 0; i < n; i++) {
        ratio[i] = 1 + i;
    }
    assay_device_t device = {.hbm_bytes_per_s = 1e12, .compute_units = 10};
    device.peak_flops[ASSAY_DT_BF16] = 1e14;
    for (int id = 0; id < ASSAY_CALIB_N; id++) {
        device.calib[id][ASSAY_DT_BF16] = 1;
    }
    assay_device_t with = device;
    with.gemm_shapes[ASSAY_DT_BF16] = &group;
    with.gemm_ratio[ASSAY_DT_BF16] = ratio;
    for (uint32_t i = 0; i < n; i++) {
        for (double off = 1; off < 3; off += .21) {
            const double at[3] = {shape[i].m * off, shape[i].n * (4 - off), shape[i].k * off};
            /* the sum over all of them, without cubes */
            double weight = 0.1, sum = 0.1;
            for (uint32_t j = 0; j < n; j++) {
                const double x = assay_gemm_log2(at[0]) - assay_gemm_log2(shape[j].m);
                const double y = assay_gemm_log2(at[1]) - assay_gemm_log2(shape[j].n);
                const double z = assay_gemm_log2(at[2]) - assay_gemm_log2(shape[j].k);
                const double u = (x * x + y * y + z * z) / (1.25 * 1.25);
                weight += u < 1 ? (1 - u) * (1 - u) / u : 0;
                sum += u < 1 ? (1 - u) * (1 - u) / u * ratio[j] : 0;
            }
            const assay_gemm_t gemm = {.m = at[0],
                                       .n = at[1],
                                       .k = at[2],
                                       .batch = 1,
                                       .dtype = ASSAY_DT_BF16,
                                       .bytes_a = 2,
                                       .bytes_b = 2,
                                       .bytes_c = 2};
            assay_test_close(assay_gemm_s(&with, &gemm) / assay_gemm_s(&device, &gemm),
                             sum / weight, 1e-9, 0, "all shapes");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtin),
        cmocka_unit_test(test_user),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_cubes),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
