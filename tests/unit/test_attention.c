#include "assay_test.h"
#include "physics_fixture.h"

/* 2 sequences of 8 tokens, 4 heads of 16 */
static assay_attention_t small(void) {
    assay_attention_t a = {.batch = 2,
                           .sequence = 8,
                           .heads = 4,
                           .kv_heads = 4,
                           .head_dim = 16,
                           .v_head_dim = 16,
                           .fused = true,
                           .dtype = ASSAY_DT_BF16};
    return a;
}

static void test_flops(void **state) {
    (void)state;
    assay_attention_t a = small();
    /* 4 b a s^2 d = 4 x 2 x 4 x 64 x 16 */
    assay_test_close(assay_attention_forward_flops(&a), 32768, 1e-12, 0, "full");
    a.causal = true;
    assay_test_close(assay_attention_forward_flops(&a), 16384, 1e-12, 0, "causal half");
    a.window = 4; /* 8 x 4 - 4^2/2 = 24 pairs x 2 x 2 x 4 x (16 + 16) */
    assay_test_close(assay_attention_forward_flops(&a), 12288, 1e-12, 0, "causal window");
    a.window = 8; /* as wide as the sequence: no window */
    assay_test_close(assay_attention_forward_flops(&a), 16384, 1e-12, 0, "window = sequence");
    a.causal = false;
    a.window = 0;
    a.v_head_dim = 8; /* 2 b a s^2 (16 + 8) */
    assay_test_close(assay_attention_forward_flops(&a), 24576, 1e-12, 0, "narrow values");
    a.v_head_dim = 0; /* as the keys */
    assay_test_close(assay_attention_forward_flops(&a), 32768, 1e-12, 0, "default");
}

static void test_fused(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    d.hbm_bytes_per_s = 1e18;
    fixture_set(&d, ASSAY_CALIB_ATTENTION_FORWARD, 0.5);
    fixture_set(&d, ASSAY_CALIB_ATTENTION_BACKWARD, 0.4);
    fixture_set(&d, ASSAY_CALIB_ATTENTION_S_HALF, 8);
    const assay_attention_t a = small();
    /* 8 tokens reach half: 0.25 and 0.2 of 1e14 */
    assay_test_close(assay_attention_forward_s(&d, &a), 32768 / 0.25e14, 1e-12, 0, "forward");
    assay_test_close(assay_attention_backward_s(&d, &a), 2.5 * 32768 / 0.2e14, 1e-12, 0,
                     "backward");
}

static void test_fused_memory(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    d.peak_flops[ASSAY_DT_BF16] = 1e20;
    fixture_set(&d, ASSAY_CALIB_LAUNCH_S, 1e-6);
    assay_attention_t a = small();
    a.kv_heads = 1;
    /* q and o 2 x 2 x 8 x 4 x 16 x 2 B = 4096, k and v 2 x 2 x 8 x 1 x 16 x 2 B = 1024,
       log-sum-exp 2 x 8 x 4 x 4 B = 256: 5376 B at 1e12/s */
    assay_test_close(assay_attention_forward_s(&d, &a), 5376e-12 + 1e-6, 1e-12, 0, "forward");
    /* and dq, do, dk, dv: 8192 + 2048 + 256 */
    assay_test_close(assay_attention_backward_s(&d, &a), 10496e-12 + 1e-6, 1e-12, 0, "backward");
}

static void test_unfused(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    d.peak_flops[ASSAY_DT_BF16] = 1e20;
    assay_attention_t a = small();
    a.fused = false;
    /* scores: 2 x 4 x 64 x 2 B = 1024; q k^T moves 2 x 4 x 2 x (128 + 128 + 64) = 5120 B, four
       passes 4096 B, p v 2 x 4 x 2 x (64 + 128 + 128) = 5120 B; 14336 B at 1e12/s */
    assay_test_close(assay_attention_forward_s(&d, &a), 14336e-12, 1e-9, 0, "forward");
    assay_test_close(assay_attention_backward_s(&d, &a), 2 * 14336e-12, 1e-9, 0, "backward");
}

static void test_nothing_to_do(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    fixture_set(&d, ASSAY_CALIB_LAUNCH_S, 1e-6);
    for (int fused = 0; fused < 2; fused++) {
        assay_attention_t a = small();
        a.fused = fused != 0;
        a.batch = 0;
        assay_test_close(assay_attention_forward_s(&d, &a), 0, 0, 0, "forward");
        assay_test_close(assay_attention_backward_s(&d, &a), 0, 0, 0, "backward");
    }
}

static void test_properties(void **state) {
    (void)state;
    assay_device_t d = fixture_device();
    fixture_set(&d, ASSAY_CALIB_ATTENTION_S_HALF, 200);
    assay_device_t twice = d;
    twice.hbm_bytes_per_s *= 2;
    twice.peak_flops[ASSAY_DT_BF16] *= 2;
    for (double s = 64; s <= 65536; s *= 4) {
        for (int causal = 0; causal < 2; causal++) {
            assay_attention_t a = small();
            a.sequence = s;
            a.causal = causal != 0;
            const double t = assay_attention_forward_s(&d, &a);
            assert_true(assay_attention_backward_s(&d, &a) > t);
            assay_test_close(assay_attention_forward_s(&twice, &a), t / 2, 1e-12, 0, "scaling");
            a.batch *= 3;
            assay_test_close(assay_attention_forward_s(&d, &a), 3 * t, 1e-12, 0, "batch");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flops),         cmocka_unit_test(test_fused),
        cmocka_unit_test(test_fused_memory),  cmocka_unit_test(test_unfused),
        cmocka_unit_test(test_nothing_to_do), cmocka_unit_test(test_properties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
