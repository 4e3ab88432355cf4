/* The table of measured matrix products: what is read, what a folder lays over, what is refused. */
#include "assay/physics.h"
#include "resolve_fixture.h"

#define HEADER "id,time_us,bytes_in,bytes_out,rows,source\n"
#define H100 "nvidia-h100-sxm5-80g"

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

/* Each shape that ships is predicted as it was measured, and found where it is. */
static void test_builtin(void **state) {
    (void)state;
    const assay_machine_t machine = machine_of(H100, 8);
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
    const assay_machine_t other = machine_of("amd-mi250x-128g", 8);
    assert_null(other.device.gemm_shapes[ASSAY_DT_BF16]);
}

static void test_user(void **state) {
    (void)state;
    assay_calibration_t *const shipped = calibration;
    assay_error_t err;
    assert_int_equal(
        calibration_over("gemm_shapes.csv",
                         HEADER "amd-mi250x-128g/bf16/4096x4096x4096,1000,2,2,3,our own run\n" H100
                                "/bf16/4096x4096x4096,200,2,2,1,our own run\n",
                         &calibration, &err),
        ASSAY_OK);
    const assay_machine_t mi250x = machine_of("amd-mi250x-128g", 8), h100 = machine_of(H100, 8);
    calibration = shipped;
    const assay_gemm_shape_t shape = {
        .m = 4096, .n = 4096, .k = 4096, .bytes_in = 2, .bytes_out = 2};
    const assay_gemm_t gemm = product(&shape, ASSAY_DT_BF16);
    assay_test_close(assay_gemm_s(&mi250x.device, &gemm), 1e-3, 1e-9, 0, "a part without shapes");
    assay_test_close(assay_gemm_s(&h100.device, &gemm), 200e-6, 1e-9, 0, "in place of ours");
    assert_int_equal(h100.device.gemm_shapes[ASSAY_DT_BF16]->n_shape, 96);
}

static void test_refused(void **state) {
    (void)state;
    static const bad_rows_t bad[] = {
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
    calibration_refuses("gemm_shapes.csv", HEADER, bad, sizeof bad / sizeof *bad);
}

/* Two parts, shapes wherever: every cube knows exactly the shapes that reach into it. */
static void test_cubes(void **state) {
    (void)state;
    static const double size[] = {1, 3, 64, 100, 4096, 5000, 1e9};
    assay_gemm_shape_t shape[27];
    uint32_t n = 0;
    for (int i = 0; i < 27; i++) {
        shape[n++] = (assay_gemm_shape_t){
            .m = size[i % 3 * 2], .n = size[i / 3 % 3 * 3], .k = size[i / 9 * 2 + 1]};
    }
    assay_gemm_shapes_t group = {
        .accelerator = "x", .dtype = ASSAY_DT_BF16, .shape = shape, .n_shape = n};
    assert_int_equal(assay_gemm_shapes_index(arena, &group, NULL), ASSAY_OK);
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
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
