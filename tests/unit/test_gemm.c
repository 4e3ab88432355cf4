/* Expected values are worked out in the comments from the cost of a tile,
   2 (m n + 8 (m + n)) (K + K0) operations on one unit of 100 TFLOPS/10 = 1e13/s. */
#include "assay_test.h"
#include "physics_fixture.h"

#include <math.h>

#define FAST_HBM 1e18 /* so that only computing counts */

static assay_gemm_t bf16(double m, double n, double k) {
    assay_gemm_t gemm = {.m = m,
                         .n = n,
                         .k = k,
                         .batch = 1,
                         .dtype = ASSAY_DT_BF16,
                         .bytes_a = 2,
                         .bytes_b = 2,
                         .bytes_c = 2};
    return gemm;
}

static double gemm_s(const assay_device_t *device, double m, double n, double k) {
    const assay_gemm_t gemm = bf16(m, n, k);
    return assay_gemm_s(device, &gemm);
}

static void test_one_wave(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    d.hbm_bytes_per_s = FAST_HBM;
    fixture_set(&d, ASSAY_CALIB_GEMM_EFFICIENCY, 0.8);
    fixture_set(&d, ASSAY_CALIB_GEMM_K0, 100);
    /* 256 x 128: 8 tiles of 64 x 64 fill 8 of 10 units once: (4096 + 8 x 128) x (900 + 100) =
       5.12e6; larger tiles cost more per unit, and so do they with K split: 128 x 128 in 4 parts
       18432 x (225 + 100) = 5.99e6, 64 x 128 in 2 parts 9728 x (450 + 100) = 5.35e6; 16 flat tiles
       need two waves, 2 x 3200 x 1000. 2 x 5.12e6 / (0.8 x 1e13) */
    assay_test_close(gemm_s(&d, 256, 128, 900), 1.28e-6, 1e-9, 0, "one wave");
}

static void test_waves(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    d.hbm_bytes_per_s = FAST_HBM;
    fixture_set(&d, ASSAY_CALIB_GEMM_K0, 100);
    /* 2560 x 1280: 100 tiles of 256 x 128 in 10 waves: 10 x (32768 + 3072) x 1000 = 3.584e8 */
    assay_test_close(gemm_s(&d, 2560, 1280, 900), 2 * 3.584e8 / 1e13, 1e-9, 0, "full waves");
    /* one row more: 110 of those would need 11 waves, 3.9424e8; 21 x 10 tiles of 128 x 128 need
       21 waves of (16384 + 2048) x 1000 = 3.87072e8, which is less */
    assay_test_close(gemm_s(&d, 2561, 1280, 900), 2 * 3.87072e8 / 1e13, 1e-9, 0, "one row more");
}

static void test_split_k(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    d.hbm_bytes_per_s = FAST_HBM;
    /* 64 x 64 x 4000: one tile on ten units; K in 4 parts: 5120 x 1000 (partial sums are free at
       that bandwidth). Flat tiles: 4 of 16 x 128 in 2 parts fill 8 units: 3200 x 2000 = 6.4e6 */
    assay_test_close(gemm_s(&d, 64, 64, 4000), 2 * 5.12e6 / 1e13, 1e-6, 0, "four parts");
    d.compute_units = 1;
    assay_test_close(gemm_s(&d, 64, 64, 4000), 2 * 5120.0 * 4000 / 1e14, 1e-6, 0, "one unit");
}

static void test_memory_bound(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    fixture_set(&d, ASSAY_CALIB_HBM_EFFICIENCY, 0.5);
    fixture_set(&d, ASSAY_CALIB_HBM_HALF_BYTES, 1e6);
    fixture_set(&d, ASSAY_CALIB_LAUNCH_S, 3e-6);
    /* 1 x 8192 x 8192: 2 x (8192 + 8192^2 + 8192) = 134,250,496 B, + 1e6, at 0.5e12/s */
    const double memory_s = (134250496.0 + 1e6) / 0.5e12;
    assay_test_close(gemm_s(&d, 1, 8192, 8192), memory_s + 3e-6, 1e-9, 0, "roofline");
    /* computing takes 64 tiles of 16 x 128 = 7 waves x 3200 x 8192 (2 x 1.83501e8 / 1e13 s); half
       of it shows when r = 0.5 */
    fixture_set(&d, ASSAY_CALIB_GEMM_SERIAL, 0.5);
    assay_test_close(gemm_s(&d, 1, 8192, 8192), memory_s + 3e-6 + 0.5 * 2 * 183500800.0 / 1e13,
                     1e-9, 0, "serial share");
}

static void test_batch(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    d.hbm_bytes_per_s = FAST_HBM;
    assay_gemm_t gemm = bf16(64, 64, 1000);
    gemm.batch = 30; /* 30 tiles of 64 x 64 in 3 waves: 3 x 5120 x 1000 */
    assay_test_close(assay_gemm_s(&d, &gemm), 2 * 1.536e7 / 1e13, 1e-9, 0, "batch");
}

static void test_nothing_to_do(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    fixture_set(&d, ASSAY_CALIB_LAUNCH_S, 1e-6);
    assay_test_close(gemm_s(&d, 0, 128, 128), 0, 0, 0, "m");
    assay_test_close(gemm_s(&d, 128, 0, 128), 0, 0, 0, "n");
    assay_test_close(gemm_s(&d, 128, 128, 0), 0, 0, 0, "k");
    assay_test_close(assay_stream_s(&d, 0), 0, 0, 0, "stream");
}

/* Sizes over which the properties are tried: small, odd, large. */
static const double size[] = {1, 17, 64, 200, 1024, 4096, 12289};
#define EACH_SIZE(x) for (size_t x = 0; x < sizeof size / sizeof *size; x++)

static void test_properties(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    fixture_set(&d, ASSAY_CALIB_GEMM_EFFICIENCY, 0.7);
    fixture_set(&d, ASSAY_CALIB_GEMM_K0, 128);
    fixture_set(&d, ASSAY_CALIB_GEMM_SERIAL, 0.3);
    d.compute_units = 108;
    assay_device_t wide = d, quick = d, both = d;
    wide.hbm_bytes_per_s *= 2;
    quick.peak_flops[ASSAY_DT_BF16] *= 2;
    both.hbm_bytes_per_s *= 2;
    both.peak_flops[ASSAY_DT_BF16] *= 2;
    EACH_SIZE(m) {
        EACH_SIZE(n) {
            EACH_SIZE(k) {
                const double t = gemm_s(&d, size[m], size[n], size[k]);
                assert_true(gemm_s(&wide, size[m], size[n], size[k]) < t);
                assert_true(gemm_s(&quick, size[m], size[n], size[k]) < t);
                assay_test_close(gemm_s(&both, size[m], size[n], size[k]), t / 2, 1e-12, 0,
                                 "twice the machine, half the time");
                assay_test_close(gemm_s(&d, size[n], size[m], size[k]), t, 1e-12, 0,
                                 "C transposed");
                /* never faster than the machine */
                assert_true(t >= 2 * size[m] * size[n] * size[k] / 1e14);
            }
        }
    }
}

/* --- measured shapes --- */

typedef struct {
    assay_arena_t *arena;
    assay_gemm_shape_t shape[2];
    assay_gemm_shapes_t group;
    double ratio[2];
    assay_device_t device;
} shapes_t;

/* 1024 x 1024 x 1024 took twice what the model says, 1024 x 1024 x 4096 1.4 times that. */
static void shapes_setup(shapes_t *s) {
    *s = (shapes_t){.arena = assay_arena_create(1u << 20), .device = fixture_device()};
    for (int i = 0; i < 2; i++) {
        const double k = i ? 4096 : 1024;
        s->shape[i] =
            (assay_gemm_shape_t){.m = 1024, .n = 1024, .k = k, .bytes_in = 2, .bytes_out = 2};
        s->shape[i].elapsed_s = gemm_s(&s->device, 1024, 1024, k) * (i ? 1.4 : 2.0);
    }
    s->group = (assay_gemm_shapes_t){
        .accelerator = "x", .dtype = ASSAY_DT_BF16, .shape = s->shape, .n_shape = 2};
    assert_int_equal(assay_gemm_shapes_index(s->arena, &s->group, NULL), ASSAY_OK);
    assay_gemm_ratios(&s->device, &s->group, s->ratio);
    s->device.gemm_shapes[ASSAY_DT_BF16] = &s->group;
    s->device.gemm_ratio[ASSAY_DT_BF16] = s->ratio;
}

static void test_measured_shapes(void **state) {
    (void)state;
    shapes_t s;
    const assay_device_t model = fixture_device();
    const assay_gemm_shape_t *nearest;
    shapes_setup(&s);
    assay_test_close(gemm_s(&s.device, 1024, 1024, 1024), s.shape[0].elapsed_s, 1e-12, 0, "a hit");
    assay_test_close(gemm_s(&s.device, 1024, 1024, 4096), s.shape[1].elapsed_s, 1e-12, 0, "a hit");
    /* K of 2048 is an octave from both: u = (1/1.25)^2 = 0.64, each weighs 0.36^2 / 0.64 = 0.2025,
       the model 0.1: (0.1 + 0.2025 x (2 + 1.4)) / (0.1 + 0.405). Weights are floats. */
    const double between = (0.1 + 0.2025 * 3.4) / 0.505;
    assay_test_close(gemm_s(&s.device, 1024, 1024, 2048),
                     between * gemm_s(&model, 1024, 1024, 2048), 1e-7, 0, "between");
    const assay_gemm_t half_way = bf16(1024, 1024, 2048), far = bf16(1024, 1024, 65536);
    assay_test_close(assay_gemm_support(&s.device, &half_way, &nearest), 1 - 0.1 / 0.505, 1e-7, 0,
                     "support");
    assert_ptr_equal(nearest, &s.shape[0]);
    /* two octaves and more away nothing was measured */
    assay_test_close(gemm_s(&s.device, 1024, 1024, 65536), gemm_s(&model, 1024, 1024, 65536), 0, 0,
                     "far");
    assay_test_close(assay_gemm_support(&s.device, &far, &nearest), 0, 0, 0, "none");
    assert_null(nearest);
    /* the other one, two octaves away, does not reach the first */
    assay_test_close(assay_gemm_ratio_without(&s.group, s.ratio, 0), 1, 0, 0, "left out");
    /* several at once were not measured */
    assay_gemm_t batch = bf16(1024, 1024, 1024);
    batch.batch = 2;
    assay_test_close(assay_gemm_s(&s.device, &batch), assay_gemm_s(&model, &batch), 0, 0, "batch");
    assay_test_close(gemm_s(&s.device, 0, 1024, 1024), 0, 0, 0, "nothing to do");
    assay_arena_destroy(s.arena);
}

/* Along lines through the shapes and beside them, over the borders of cubes and of the reach. */
static void test_measured_is_continuous(void **state) {
    (void)state;
    shapes_t s;
    shapes_setup(&s);
    assay_device_t wide = s.device;
    const assay_device_t model = fixture_device();
    wide.hbm_bytes_per_s *= 2;
    for (double n = 1024; n < 1500; n += 237) {
        double before = 0;
        for (double k = 200; k < 30000; k *= 1.001) {
            const double ratio = gemm_s(&s.device, 1024, n, k) / gemm_s(&model, 1024, n, k);
            assert_true(before <= 0 || fabs(ratio - before) < 0.01);
            assert_true(ratio >= 1 && ratio <= 2 + 1e-12);
            assert_true(gemm_s(&wide, 1024, n, k) <= gemm_s(&s.device, 1024, n, k));
            before = ratio;
        }
    }
    assay_arena_destroy(s.arena);
}

static void test_stream(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    fixture_set(&d, ASSAY_CALIB_HBM_EFFICIENCY, 0.8);
    fixture_set(&d, ASSAY_CALIB_HBM_HALF_BYTES, 2e6);
    /* at the half size the rate is half of 0.8 TB/s: 2e6 B take 5 us */
    assay_test_close(assay_stream_s(&d, 2e6), 5e-6, 1e-12, 0, "half size");
    fixture_set(&d, ASSAY_CALIB_LAUNCH_S, 3e-6);
    assay_test_close(assay_stream_s(&d, 2e6), 8e-6, 1e-12, 0, "launch");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_wave),        cmocka_unit_test(test_waves),
        cmocka_unit_test(test_split_k),         cmocka_unit_test(test_memory_bound),
        cmocka_unit_test(test_batch),           cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_properties),      cmocka_unit_test(test_stream),
        cmocka_unit_test(test_measured_shapes), cmocka_unit_test(test_measured_is_continuous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
