/* Fine-tuning: adapters beside weights that stand still, whole or in 4 bit. Shapes listed by hand.
 */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/physics.h"
#include "assay/train.h"
#include "machine_fixture.h"

#define RANK 16.0
#define TOKENS 2048.0
#define H 8192.0
#define F 22016.0

static assay_workload_t tuned(uint8_t method, bool mlp) {
    assay_workload_t work = fixture_llama_65b(64);
    work.recipe.method = method;
    work.recipe.lora_rank = (uint32_t)RANK;
    work.recipe.lora_attention = true;
    work.recipe.lora_mlp = mlp;
    return work;
}

static double product_s(const assay_device_t *device, double m, double n, double k, double batch,
                        double c_bytes) {
    const assay_gemm_t gemm = {m, n, k, batch, ASSAY_DT_BF16, 2, 2, c_bytes};
    return assay_gemm_s(device, &gemm);
}

/* Forward and the gradient of the input alone. */
static double frozen_s(const assay_device_t *device, double n, double k) {
    return product_s(device, TOKENS, n, k, 1, 2) + product_s(device, TOKENS, k, n, 1, 2);
}

/* All three products of each of `joined` pairs of thin matrices. */
static double adapter_s(const assay_device_t *device, double n, double k, double joined) {
    return product_s(device, TOKENS, RANK, k, joined, 2) +
           product_s(device, TOKENS, k, RANK, joined, 2) +
           product_s(device, k, RANK, TOKENS, joined, 8) +
           product_s(device, TOKENS, n / joined, RANK, joined, 2) +
           product_s(device, TOKENS, RANK, n / joined, joined, 2) +
           product_s(device, RANK, n / joined, TOKENS, joined, 8);
}

static void frozen_weights_get_no_gradient(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_device_t *device = &machine.device;
    const assay_layout_t l = {.tp = 1, .pp = 1, .vpp = 1, .dp = 8, .micro_batch = 1};
    const assay_workload_t attention = tuned(ASSAY_METHOD_LORA, false);
    const assay_workload_t all = tuned(ASSAY_METHOD_LORA, true);
    const double base_s = frozen_s(device, 3 * H, H) + frozen_s(device, H, H) +
                          frozen_s(device, 2 * F, H) + frozen_s(device, H, F);
    const double attention_s = adapter_s(device, 3 * H, H, 3) + adapter_s(device, H, H, 1);
    const double mlp_s = adapter_s(device, 2 * F, H, 2) + adapter_s(device, H, F, 1);
    assay_train_layer_t layer;
    assay_train_layer(&machine, &attention, &l, &layer);
    assay_test_close(layer.layer_s[ASSAY_TIME_GEMM], base_s + attention_s, 1e-12, 0, "attention");
    assay_test_close(layer.head_s[ASSAY_TIME_GEMM], frozen_s(device, 32000, H), 1e-12, 0, "head");
    /* query, key, value and output: 4 pairs, RANK x (in + out) each */
    assay_test_close(layer.adapter_params, RANK * 4 * 2 * H, 1e-12, 0, "adapters");
    assay_train_layer(&machine, &all, &l, &layer);
    assay_test_close(layer.layer_s[ASSAY_TIME_GEMM], base_s + attention_s + mlp_s, 1e-12, 0, "all");
    assay_test_close(layer.adapter_params, RANK * (4 * 2 * H + 3 * (H + F)), 1e-12, 0, "and MLP");
}

/* Each product's weight is written out before it is used, forward and backward: (4.127/8 + 2) bytes
   of each of its parameters. */
static void weights_in_4_bit_are_written_out(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_layout_t l = {.tp = 1, .pp = 1, .vpp = 1, .dp = 8, .micro_batch = 1};
    const assay_workload_t lora = tuned(ASSAY_METHOD_LORA, false);
    const assay_workload_t qlora = tuned(ASSAY_METHOD_QLORA, false);
    const double params[] = {3 * H * H, H * H, 2 * F * H, F * H};
    assay_train_layer_t plain, packed;
    double more_s = 0;
    assay_train_layer(&machine, &lora, &l, &plain);
    assay_train_layer(&machine, &qlora, &l, &packed);
    for (int i = 0; i < 4; i++) {
        more_s += 2 * assay_stream_s(&machine.device, params[i] * (4.127 / 8 + 2));
    }
    assay_test_close(packed.layer_s[ASSAY_TIME_MEMORY_BOUND] -
                         plain.layer_s[ASSAY_TIME_MEMORY_BOUND],
                     more_s, 1e-12, 0, "written out");
    assay_test_close(packed.layer_s[ASSAY_TIME_GEMM], plain.layer_s[ASSAY_TIME_GEMM], 0, 0, "GEMM");
}

/* Gradients of 80 layers' adapters, in fp32, of which nothing hides; Adam over them alone: 4 reads
   and writes of the gradient, both moments and the fp32 weight read and written. */
static void only_adapters_travel_and_step(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    assay_layout_t l = {.tp = 1, .pp = 1, .vpp = 1, .dp = 8, .micro_batch = 1};
    const assay_workload_t work = tuned(ASSAY_METHOD_LORA, false);
    const double params = 80 * RANK * 4 * 2 * H;
    assay_estimate_t e;
    machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 0;
    assay_train_estimate(&machine, &work, &l, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM],
                     assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, 4 * params, 8, 1), 1e-12,
                     0, "gradients");
    assay_test_close(e.time_s[ASSAY_TIME_OPTIMIZER],
                     assay_stream_s(&machine.device, params * (4 + 4 * 4 + 2 * 8 + 2 * 4)), 1e-12,
                     0, "optimizer");
    /* Shards of the frozen weights are gathered, forward and backward; adapters are reduced. */
    l.zero = 3;
    assay_train_estimate(&machine, &work, &l, &e);
    assay_train_layer_t layer;
    assay_train_layer(&machine, &work, &l, &layer);
    const double root = layer.embed_params + layer.head_params;
    const double layer_s =
        2 * assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, 2 * layer.layer_params, 8, 1) +
        assay_collective_s(&machine, ASSAY_COLL_REDUCE_SCATTER, 4 * params / 80, 8, 1);
    assay_test_close(
        e.time_s[ASSAY_TIME_DP_COMM],
        8 * (80 * layer_s + assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, 2 * root, 8, 1)),
        1e-12, 0, "ZeRO-3");
}

static void adapters_take_less_than_all(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(8);
    const assay_layout_t l = {.tp = 8,
                              .pp = 2,
                              .vpp = 1,
                              .dp = 4,
                              .micro_batch = 1,
                              .recompute = ASSAY_RECOMPUTE_FULL,
                              .sequence_parallel = true};
    const assay_workload_t full = fixture_llama_65b(64);
    const assay_workload_t lora = tuned(ASSAY_METHOD_LORA, false);
    const assay_workload_t qlora = tuned(ASSAY_METHOD_QLORA, false);
    assay_estimate_t e[3];
    assay_train_estimate(&machine, &full, &l, &e[0]);
    assay_train_estimate(&machine, &lora, &l, &e[1]);
    assay_train_estimate(&machine, &qlora, &l, &e[2]);
    assert_true(e[1].step_s < e[2].step_s && e[2].step_s < e[0].step_s);
    assert_true(e[2].peak_total_bytes < e[1].peak_total_bytes &&
                e[1].peak_total_bytes < e[0].peak_total_bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frozen_weights_get_no_gradient),
        cmocka_unit_test(weights_in_4_bit_are_written_out),
        cmocka_unit_test(only_adapters_travel_and_step),
        cmocka_unit_test(adapters_take_less_than_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
