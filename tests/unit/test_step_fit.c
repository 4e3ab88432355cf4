/* The fit of the constants of a training step: what was put in comes out, few rows tell little, a
   step's time follows its constants. */
#include <math.h>
#include <string.h>

#include "assay/train.h"
#include "assay_test.h"
#include "machine_fixture.h"
#include "score/step_fit.h"

#define N_ROW 48

static assay_workload_t work_of(uint32_t layers, uint32_t hidden, uint32_t sequence) {
    assay_workload_t work = {.sequence = sequence, .global_batch = 64, .dtype = ASSAY_DT_BF16};
    work.model = (assay_model_t){.id = "test",
                                 .layers = layers,
                                 .hidden = hidden,
                                 .heads = hidden / 128,
                                 .kv_heads = hidden / 128,
                                 .head_dim = 128,
                                 .ffn = 4 * hidden,
                                 .vocab = 32000};
    assay_model_count(&work.model, &work.count);
    work.model_flops_per_token = assay_model_train_flops_per_token(&work.model, sequence, false);
    work.causal_flops_per_token = assay_model_train_flops_per_token(&work.model, sequence, true);
    return work;
}

/* Eight A100 with models of several widths and lengths, each measured by the model itself with
   these constants. */
static void make_rows(step_row_t row[N_ROW], const assay_accelerator_t *part,
                      const double constant[STEP_FIT_N]) {
    static const uint32_t hidden[] = {1024, 2048, 4096}, sequence[] = {512, 2048, 8192, 32768};
    for (uint32_t i = 0; i < N_ROW; i++) {
        row[i] = (step_row_t){
            .machine = fixture_a100(1),
            .work = work_of(4 + 4 * (i % 4), hidden[i % 3], sequence[i / 3 % 4]),
            .layout =
                {.tp = 1, .pp = 1, .vpp = 1, .dp = 8, .micro_batch = 1, .zero = i % 2 ? 3 : 1},
            .part = part,
            .source = "TEST",
            .software = "test",
            .measured_s = 1,
            .weight = 1,
            .at = {0, 1, 2},
        };
        row[i].measured_s = exp(step_error(&row[i], constant));
    }
}

static void test_recovers(void **state) {
    (void)state;
    static const assay_accelerator_t part = {.id = "a100", .arch = "Ampere GA100"};
    static const step_node_t node[] = {
        {.level = STEP_LEVEL_ARCH, .arch = "Ampere GA100"},
        {.level = STEP_LEVEL_SOFTWARE, .software = "test"},
        {.level = STEP_LEVEL_BOTH, .arch = "Ampere GA100", .software = "test"}};
    const double truth[STEP_FIT_N] = {[STEP_GEMM] = 0.30,
                                      [STEP_ATTENTION] = 0.60,
                                      [STEP_STREAM] = 0.50,
                                      [STEP_OVERLAP] = 0.10,
                                      [STEP_LOSS] = 0.02};
    static step_row_t row[N_ROW];
    bool use[N_ROW];
    double x[3 * STEP_FIT_N] = {0}, found[STEP_FIT_N];
    step_model_t model = {node, 3, x};
    make_rows(row, &part, truth);
    for (int i = 0; i < N_ROW; i++) {
        use[i] = true;
    }
    assay_arena_t *arena = assay_arena_create((size_t)1 << 24);
    assert_true(step_fit(arena, row, N_ROW, use, &model));
    step_constants(&model, "test", part.arch, row[0].at, found);
    for (int i = 0; i < N_ROW; i++) {
        assert_true(fabs(step_error(&row[i], found)) < 0.02);
    }
    assay_test_close(1 + found[STEP_GEMM], 1.30, 0.03, 0, "GEMMs");
    assay_test_close(1 + found[STEP_ATTENTION], 1.60, 0.05, 0, "attention");
    /* Without rows there is nothing but the prior. */
    memset(x, 0, sizeof x);
    memset(use, 0, sizeof use);
    assert_true(step_fit(arena, row, N_ROW, use, &model));
    step_constants(&model, "test", part.arch, row[0].at, found);
    for (int id = 0; id < STEP_FIT_N; id++) {
        assay_test_close(found[id], step_prior((step_fit_id_t)id, "test", part.arch), 0, 1e-12,
                         "prior");
    }
    assay_arena_destroy(arena);
}

/* A constant makes a step longer, never shorter, and by no more than itself. */
static void test_constants_lengthen(void **state) {
    (void)state;
    static const assay_accelerator_t part = {.id = "a100", .arch = "Ampere GA100"};
    static const double none[STEP_FIT_N];
    static step_row_t row[N_ROW];
    make_rows(row, &part, none);
    for (int i = 0; i < N_ROW; i++) {
        for (int id = 0; id < STEP_FIT_N; id++) {
            double constant[STEP_FIT_N] = {0};
            constant[id] = id == STEP_HOST ? 1e-7 : 0.5;
            const double longer = step_error(&row[i], constant);
            assert_true(longer >= -1e-12);
            assert_true(longer <= log(1.5) + 1e-12);
        }
    }
}

/* 16 layers of which the host issues one in 1 s, once a micro-batch of 8: 128 s, however fast the
   device is. */
static void test_host_bound(void **state) {
    (void)state;
    static const assay_accelerator_t part = {.id = "a100", .arch = "Ampere GA100"};
    static const double none[STEP_FIT_N];
    double constant[STEP_FIT_N] = {[STEP_HOST] = 1};
    static step_row_t row[N_ROW];
    make_rows(row, &part, none);
    assert_int_equal(row[3].work.model.layers, 16);
    row[3].measured_s = 1;
    assay_test_close(exp(step_error(&row[3], constant)), 128, 1e-9, 0, "host");
}

/* Not repeating the last product of a layer saves its time: W2 of a plain layer is a third of the
   24 h^2 of its four products. */
static void test_recompute_stops(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    assay_workload_t work = work_of(8, 4096, 2048);
    const assay_layout_t layout = {.tp = 1,
                                   .pp = 1,
                                   .vpp = 1,
                                   .dp = 8,
                                   .micro_batch = 1,
                                   .zero = 1,
                                   .recompute = ASSAY_RECOMPUTE_FULL};
    assay_train_layer_t whole, stops;
    assay_train_layer(&machine, &work, &layout, &whole);
    work.recipe.recompute_stops = true;
    assay_train_layer(&machine, &work, &layout, &stops);
    const double left_s = whole.layer_s[ASSAY_TIME_RECOMPUTE] - stops.layer_s[ASSAY_TIME_RECOMPUTE];
    const double forward_s = whole.layer_s[ASSAY_TIME_GEMM] / 3; /* about: backward takes twice */
    assert_true(left_s > 0.25 * forward_s && left_s < 0.42 * forward_s);
    assay_test_close(whole.layer_forward_s, stops.layer_forward_s, 0, 0, "forward");
}

/* Gradients that are sent in 16 bit take half the time between nodes, and as much memory. */
static void test_gradients_in_16_bit(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(16);
    assay_workload_t work = work_of(16, 4096, 2048);
    const assay_layout_t layout = {
        .tp = 1, .pp = 1, .vpp = 1, .dp = 128, .micro_batch = 1, .zero = 0};
    assay_estimate_t wide, narrow;
    work.global_batch = 128;
    assay_train_estimate(&machine, &work, &layout, &wide);
    work.recipe.bf16_reduce = true;
    assay_train_estimate(&machine, &work, &layout, &narrow);
    assert_true(narrow.time_s[ASSAY_TIME_DP_COMM] < wide.time_s[ASSAY_TIME_DP_COMM]);
    assay_test_close(narrow.peak_bytes[ASSAY_MEMORY_GRADIENTS],
                     wide.peak_bytes[ASSAY_MEMORY_GRADIENTS], 0, 0, "kept in fp32");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers),
        cmocka_unit_test(test_constants_lengthen),
        cmocka_unit_test(test_host_bound),
        cmocka_unit_test(test_recompute_stops),
        cmocka_unit_test(test_gradients_in_16_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
