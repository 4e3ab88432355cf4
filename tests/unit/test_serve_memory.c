/* Memory of serving against counts by hand and start-up logs of vLLM. */
#include "assay_test.h"

#include "assay/serve_memory.h"
#include "machine_fixture.h"

#define GIB 1073741824.0

/* What vLLM 0.6 does by itself on a device of 80 GiB, weights of 16 bit. */
static assay_serving_t serving(assay_model_t model) {
    assay_serving_t work = {.model = model,
                            .dtype = ASSAY_DT_BF16,
                            .kv_bytes_each = 2,
                            .max_model_len = 8192,
                            .max_batch_tokens = 8192,
                            .max_num_seqs = 256,
                            .models_per_host = 1,
                            .engine = "vllm 0.6",
                            .budget = ASSAY_BUDGET_TOTAL,
                            .utilisation = 0.9,
                            .visible_share = 1,
                            .sampler_bytes_per_logit = 40,
                            .block_tokens = 16,
                            .kv_blocks = -1,
                            .kv_memory_bytes = -1};
    assay_model_count(&work.model, &work.count);
    assay_model_part_params(&work.model, work.checkpoint.part_params);
    for (int i = 0; i < ASSAY_PART_N; i++) {
        work.checkpoint.part_bytes[i] = 2 * work.checkpoint.part_params[i];
        work.checkpoint.total_bytes += work.checkpoint.part_bytes[i];
    }
    return work;
}

static assay_model_t llama(uint32_t layers, uint32_t hidden, uint32_t heads, uint32_t kv_heads,
                           uint32_t ffn, uint32_t vocab) {
    return (assay_model_t){.id = "llama",
                           .kind = "decoder-LLM",
                           .layers = layers,
                           .hidden = hidden,
                           .heads = heads,
                           .kv_heads = kv_heads,
                           .head_dim = hidden / heads,
                           .ffn = ffn,
                           .vocab = vocab,
                           .gated = true,
                           .norms_per_layer = 2,
                           .max_position = 8192};
}

static assay_layout_t replica(uint16_t tp, uint16_t pp, uint32_t dp, uint16_t ep) {
    return (assay_layout_t){.tp = tp, .pp = pp, .vpp = 1, .dp = dp, .ep = ep, .micro_batch = 1};
}

static assay_serve_memory_t memory(const assay_machine_t *machine, const assay_serving_t *work,
                                   assay_layout_t layout) {
    assay_serve_memory_t out;
    assay_serve_memory(machine, work, &layout, &out);
    return out;
}

/* Llama-3-8B: a layer has h (h + 2 kv d) + h h of attention = 4096 x 6144 + 4096^2, 3 x 4096 x
   14336 of MLP and two norms; two tables of 128256 x 4096. With tp 2 all but the norms are halved.
   vLLM logs 14.96 and 7.48 GiB for the two (vllm-project/vllm#10511). */
static void weights_are_divided_but_norms_are_not(void **state) {
    (void)state;
    const assay_serving_t work = serving(llama(32, 4096, 32, 8, 14336, 128256));
    const double matrices =
        32 * (4096.0 * 6144 + 4096.0 * 4096 + 3 * 4096.0 * 14336) + 2 * 128256 * 4096.0;
    const double norms = 65 * 4096.0;
    const assay_serve_memory_t one = memory(NULL, &work, replica(1, 1, 1, 1));
    const assay_serve_memory_t two = memory(NULL, &work, replica(2, 1, 1, 1));
    assay_test_close(one.bytes[ASSAY_SERVING_WEIGHTS], 2 * (matrices + norms), 1e-12, 0, "tp 1");
    assay_test_close(two.bytes[ASSAY_SERVING_WEIGHTS], 2 * (matrices / 2 + norms), 1e-12, 0,
                     "tp 2");
    assay_test_close(one.bytes[ASSAY_SERVING_WEIGHTS] / GIB, 14.96, 0.001, 0, "logged, tp 1");
    assay_test_close(two.bytes[ASSAY_SERVING_WEIGHTS] / GIB, 7.48, 0.001, 0, "logged, tp 2");
}

/* With pp 2 the fuller stage has half the layers and one table; both stages are alike here. */
static void stages_hold_their_layers_and_one_table(void **state) {
    (void)state;
    const assay_serving_t work = serving(llama(32, 4096, 32, 8, 14336, 128256));
    const double layer = 4096.0 * 6144 + 4096.0 * 4096 + 3 * 4096.0 * 14336 + 2 * 4096;
    const assay_serve_memory_t out = memory(NULL, &work, replica(1, 2, 1, 1));
    /* the last stage has the final norm too */
    assay_test_close(out.bytes[ASSAY_SERVING_WEIGHTS], 2 * (16 * layer + 128256 * 4096.0 + 4096),
                     1e-12, 0, "pp 2");
    assay_test_close(out.kv_bytes_per_token, 16 * 2 * 8 * 128 * 2.0, 1e-12, 0, "cache of half");
}

/* 2 x L x KV/tp x d x 2 B; beyond tp = KV each device still holds one head. */
static void kv_heads_repeat_beyond_their_number(void **state) {
    (void)state;
    const assay_serving_t work = serving(llama(80, 8192, 64, 8, 28672, 128256));
    const double model = 2 * 80 * 8 * 128 * 2.0;
    assay_test_close(memory(NULL, &work, replica(1, 1, 1, 1)).kv_bytes_per_token, model, 1e-12, 0,
                     "tp 1");
    assay_test_close(memory(NULL, &work, replica(8, 1, 1, 1)).kv_bytes_per_token, model / 8, 1e-12,
                     0, "tp 8");
    const assay_serve_memory_t out = memory(NULL, &work, replica(16, 1, 1, 1));
    assay_test_close(out.kv_bytes_per_token, model / 8, 1e-12, 0, "tp 16");
    assay_test_close(out.kv_bytes_per_token_model, model, 1e-12, 0, "of the model");
}

/* DeepSeek-V3: 512 + 64 elements a layer, on every device whatever tp: 61 x 576 x 2 B. */
static void latent_caches_are_whole_on_every_device(void **state) {
    (void)state;
    assay_model_t model = llama(61, 7168, 128, 128, 18432, 129280);
    model.head_dim = 128;
    model.q_lora = 1536;
    model.kv_lora = 512;
    model.qk_nope = 128;
    model.qk_rope = 64;
    model.v_head_dim = 128;
    const assay_serving_t work = serving(model);
    for (uint16_t tp = 1; tp <= 8; tp = (uint16_t)(2 * tp)) {
        assay_test_close(memory(NULL, &work, replica(tp, 1, 1, 1)).kv_bytes_per_token,
                         61 * 576 * 2.0, 1e-12, 0, "MLA");
    }
}

/* PyTorch's activation peak in start-up logs of vLLM. Qwen2.5-1.5B, 32768 tokens at once: 2.02 GiB;
   Llama-3-8B, 8192 tokens, where sampling of 256 sequences is more: 1.26 GiB
   (vllm-project/vllm#10511). */
static void activations_are_what_engines_log(void **state) {
    (void)state;
    assay_serving_t work = serving(llama(28, 1536, 12, 2, 8960, 151936));
    work.max_batch_tokens = 32768;
    assay_serve_memory_t out = memory(NULL, &work, replica(1, 1, 1, 1));
    assay_test_close(out.bytes[ASSAY_SERVING_ACTIVATIONS] + out.bytes[ASSAY_SERVING_SAMPLING],
                     2.02 * GIB, 0.02, 0, "Qwen2.5-1.5B");
    work = serving(llama(32, 4096, 32, 8, 14336, 128256));
    out = memory(NULL, &work, replica(1, 1, 1, 1));
    assay_test_close(out.bytes[ASSAY_SERVING_ACTIVATIONS] + out.bytes[ASSAY_SERVING_SAMPLING],
                     1.26 * GIB, 0.05, 0, "Llama-3-8B");
}

static assay_serving_t mixture(void) {
    assay_model_t model = llama(32, 4096, 32, 8, 14336, 32000);
    model.experts = 8;
    model.top_k = 2;
    model.expert_ffn = 14336;
    return serving(model);
}

/* 8 experts of 3 x 4096 x 14336 in each of 32 layers. */
static void experts_go_over_ep_or_over_the_group(void **state) {
    (void)state;
    assay_serving_t work = mixture();
    const double experts = 2 * 32 * 8 * 3 * 4096.0 * 14336;
    assay_serve_memory_t out = memory(NULL, &work, replica(1, 1, 8, 8));
    assay_test_close(out.weight_part_bytes[ASSAY_PART_EXPERT], experts / 8, 1e-12, 0, "ep 8");
    out = memory(NULL, &work, replica(4, 1, 1, 1));
    assay_test_close(out.weight_part_bytes[ASSAY_PART_EXPERT], experts / 4, 1e-12, 0, "tp 4");
    out = memory(NULL, &work, replica(1, 1, 8, 1));
    assay_test_close(out.weight_part_bytes[ASSAY_PART_EXPERT], experts, 1e-12, 0, "replicas");
    work.experts_over_dp = true;
    out = memory(NULL, &work, replica(1, 1, 8, 1));
    assay_test_close(out.weight_part_bytes[ASSAY_PART_EXPERT], experts / 8, 1e-12, 0, "one group");
}

/* Room of the three rules, from parts that the test itself adds up. */
static void budgets_are_by_engine(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_serving_t work = serving(llama(32, 4096, 32, 8, 14336, 128256));
    const double all = machine.device.hbm_bytes;
    work.context_bytes = 1e9;
    work.graph_bytes = 2e9;
    assay_serve_memory_t out = memory(&machine, &work, replica(1, 1, 1, 1));
    const double weights = out.bytes[ASSAY_SERVING_WEIGHTS];
    const double working = out.bytes[ASSAY_SERVING_ACTIVATIONS] + out.bytes[ASSAY_SERVING_SAMPLING];
    assay_test_close(out.kv_room_bytes, 0.9 * all - weights - working - 1e9, 1e-12, 0, "total");
    assay_test_close(out.blocks, floor(out.kv_room_bytes / out.block_bytes), 0, 0, "whole blocks");
    assay_test_close(out.tokens, 16 * out.blocks, 0, 0, "tokens");
    work.budget = ASSAY_BUDGET_STATIC;
    out = memory(&machine, &work, replica(1, 1, 1, 1));
    assay_test_close(out.kv_room_bytes, 0.9 * all - weights, 1e-12, 0, "static");
    work.budget = ASSAY_BUDGET_FREE;
    out = memory(&machine, &work, replica(1, 1, 1, 1));
    assay_test_close(out.kv_room_bytes, 0.9 * (all - weights - working - 1e9), 1e-12, 0, "free");
    assert_true(out.fits);
}

/* The smallest memory is one with which it fits, and a little less is not. */
static void what_is_needed_is_the_border(void **state) {
    (void)state;
    for (uint8_t budget = 0; budget < 3; budget++) {
        assay_machine_t machine = fixture_a100(1);
        assay_serving_t work = serving(llama(32, 4096, 32, 8, 14336, 128256));
        work.budget = budget;
        work.graph_bytes = 1e9;
        machine.device.hbm_bytes =
            memory(&machine, &work, replica(1, 1, 1, 1)).need_bytes * (1 + 1e-9);
        assert_true(memory(&machine, &work, replica(1, 1, 1, 1)).fits);
        machine.device.hbm_bytes *= 0.999;
        assert_false(memory(&machine, &work, replica(1, 1, 1, 1)).fits);
    }
}

/* OpenRLHF#336: 378 blocks of 16 tokens are 6048; 8192 need 512. */
static void reported_blocks_replace_the_prediction(void **state) {
    (void)state;
    assay_serving_t work = serving(llama(80, 8192, 64, 8, 28672, 128256));
    work.kv_blocks = 378;
    const assay_serve_memory_t out = memory(NULL, &work, replica(8, 1, 1, 1));
    assert_true(out.known && !out.fits);
    assay_test_close(out.tokens, 6048, 0, 0, "tokens");
    assay_test_close(out.blocks_needed, 512, 0, 0, "needed");
    assay_test_close(out.short_bytes, 134 * 16 * 327680.0 / 8, 1e-12, 0, "of one device");
    assay_test_close(out.short_model_bytes, 134 * 16 * 327680.0, 1e-12, 0, "of the model");
    assert_int_equal(out.limiting, ASSAY_SERVING_KV);
}

/* One layer in two looks back 1024 tokens only: half the cache of 8192 tokens is cut to an eighth.
 */
static void windows_are_cut_where_the_engine_does(void **state) {
    (void)state;
    assay_model_t model = llama(32, 4096, 32, 8, 14336, 128256);
    model.sliding_window = 1024;
    model.full_layers = 16;
    assay_serving_t work = serving(model);
    const double full = 8192 * 2 * 32 * 8 * 128 * 2.0;
    assay_test_close(memory(NULL, &work, replica(1, 1, 1, 1)).bytes[ASSAY_SERVING_KV], full, 1e-12,
                     0, "not cut");
    work.windows_cut = true;
    assay_test_close(memory(NULL, &work, replica(1, 1, 1, 1)).bytes[ASSAY_SERVING_KV],
                     full / 2 + full / 16, 1e-12, 0, "cut");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_divided_but_norms_are_not),
        cmocka_unit_test(stages_hold_their_layers_and_one_table),
        cmocka_unit_test(kv_heads_repeat_beyond_their_number),
        cmocka_unit_test(latent_caches_are_whole_on_every_device),
        cmocka_unit_test(activations_are_what_engines_log),
        cmocka_unit_test(experts_go_over_ep_or_over_the_group),
        cmocka_unit_test(budgets_are_by_engine),
        cmocka_unit_test(what_is_needed_is_the_border),
        cmocka_unit_test(reported_blocks_replace_the_prediction),
        cmocka_unit_test(windows_are_cut_where_the_engine_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
