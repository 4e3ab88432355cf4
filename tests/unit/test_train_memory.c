/* Memory of a training step against counts by hand. */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/train.h"
#include "machine_fixture.h"

/* fixture_gpt by hand: h 2048, FFN 4h, L layers, V 51200, 1024 positions, LayerNorm, no biases, own
   head. Layer: attention 4 h^2, MLP 8 h^2, two norms of 2 h. */
#define H 2048.0
#define MATRICES (12 * H * H)
#define NORMS (4 * H)
#define TABLE (51200.0 * H)
#define POSITIONS (1024.0 * H)
#define FINAL_NORM (2 * H)

static assay_layout_t layout(uint16_t tp, uint16_t pp, uint16_t vpp, uint32_t dp, uint8_t zero,
                             uint8_t recompute, bool sequence_parallel) {
    return (assay_layout_t){.tp = tp,
                            .pp = pp,
                            .vpp = vpp,
                            .dp = dp,
                            .micro_batch = 1,
                            .zero = zero,
                            .recompute = recompute,
                            .sequence_parallel = sequence_parallel};
}

static assay_workload_t small_vocabulary(uint32_t layers, uint32_t global_batch) {
    assay_workload_t work = fixture_gpt(layers, global_batch);
    work.model.vocab = 512;
    assay_model_count(&work.model, &work.count);
    return work;
}

static assay_estimate_t estimate(uint32_t nodes, const assay_workload_t *work, assay_layout_t l) {
    const assay_machine_t machine = fixture_a100(nodes);
    assay_estimate_t e;
    assay_train_estimate(&machine, work, &l, &e);
    assert_true(e.reject == ASSAY_REJECT_NONE || e.reject == ASSAY_REJECT_MEMORY);
    return e;
}

static double sum(const double part[ASSAY_MEMORY_N]) {
    double total = 0;
    for (int i = 0; i < ASSAY_MEMORY_N; i++) {
        total += part[i];
    }
    return total;
}

/* Megatron's bytes per parameter: 18 without sharding, 6 + 12/D with its distributed optimizer
   (ZeRO-1); ZeRO-2 2 + 16/D (arXiv 1910.02054 with fp32 gradients); ZeRO-3 16/D (FSDP: weights,
   gradients and two moments in fp32). */
static void zero_stages_shard_as_published(void **state) {
    (void)state;
    const assay_workload_t work = fixture_gpt(4, 64);
    const double params = 4 * (MATRICES + NORMS) + 2 * TABLE + POSITIONS + FINAL_NORM;
    const double per_param[4] = {18, 6 + 12.0 / 8, 2 + 16.0 / 8, 16.0 / 8};
    for (uint8_t zero = 0; zero <= 3; zero++) {
        const assay_estimate_t e = estimate(1, &work, layout(1, 1, 1, 8, zero, 0, false));
        const double bytes = e.steady_bytes[ASSAY_MEMORY_WEIGHTS] +
                             e.steady_bytes[ASSAY_MEMORY_GRADIENTS] +
                             e.steady_bytes[ASSAY_MEMORY_OPTIMIZER];
        assay_test_close(bytes, per_param[zero] * params, 1e-12, 0, "weights, gradients, state");
    }
}

static void zero_3_gathers_two_layers_and_the_root(void **state) {
    (void)state;
    const assay_workload_t work = fixture_gpt(4, 64);
    const double layer = MATRICES + NORMS, root = 2 * TABLE + POSITIONS + FINAL_NORM;
    const assay_estimate_t three = estimate(1, &work, layout(1, 1, 1, 8, 3, 0, false));
    assay_test_close(three.peak_bytes[ASSAY_MEMORY_GATHERED], 2 * (2 * layer + root) + 4 * layer,
                     1e-12, 0, "two layers and the root in bf16, one gradient in fp32");
    /* ZeRO-2: one bucket of 40 million fp32 gradients */
    const assay_estimate_t two = estimate(1, &work, layout(1, 1, 1, 8, 2, 0, false));
    assay_test_close(two.peak_bytes[ASSAY_MEMORY_GATHERED], 4 * 40e6, 1e-12, 0, "bucket");
    const assay_estimate_t one = estimate(1, &work, layout(1, 1, 1, 8, 1, 0, false));
    assay_test_close(one.peak_bytes[ASSAY_MEMORY_GATHERED], 0, 0, 0, "nothing gathered");
}

/* tp 4, pp 2: norms and positions are whole on each device; the first stage has the table, the
   last the head. With 512 words the logits are small and the first stage is the fullest. */
static void tensor_and_pipeline_split_the_parameters(void **state) {
    (void)state;
    const assay_workload_t work = small_vocabulary(4, 64);
    const double params = 2 * (MATRICES / 4 + NORMS) + 512 * H / 4 + POSITIONS;
    const assay_estimate_t e =
        estimate(1, &work, layout(4, 2, 1, 1, 0, ASSAY_RECOMPUTE_NONE, true));
    assay_test_close(e.steady_bytes[ASSAY_MEMORY_WEIGHTS], 2 * params, 1e-12, 0, "weights");
}

/* A tied table is one matrix on one stage, two copies on two. */
/* 6 layers on 4 stages, embedding and head counted as one each: 1, 2, 2, 1. With a table of a
   twelfth of a layer the second stage holds most. */
static void tables_take_the_place_of_layers(void **state) {
    (void)state;
    const assay_workload_t work = small_vocabulary(6, 64);
    const assay_estimate_t e = estimate(1, &work, layout(1, 4, 1, 2, 0, 0, false));
    assay_test_close(e.steady_bytes[ASSAY_MEMORY_WEIGHTS], 2 * 2 * (MATRICES + NORMS), 1e-12, 0,
                     "weights of the second stage");
}

static void tied_embeddings_are_copied_by_the_last_stage(void **state) {
    (void)state;
    assay_workload_t work = fixture_gpt(4, 64);
    work.model.tied_embeddings = true;
    assay_model_count(&work.model, &work.count);
    const assay_estimate_t one = estimate(1, &work, layout(8, 1, 1, 1, 0, 0, true));
    assay_test_close(one.steady_bytes[ASSAY_MEMORY_WEIGHTS],
                     2 * (4 * (MATRICES / 8 + NORMS) + TABLE / 8 + POSITIONS + FINAL_NORM), 1e-12,
                     0, "one stage");
    work.model.vocab *= 64; /* logits make the last stage the fullest */
    assay_model_count(&work.model, &work.count);
    const assay_estimate_t two = estimate(1, &work, layout(4, 2, 1, 1, 0, 0, true));
    assay_test_close(two.steady_bytes[ASSAY_MEMORY_WEIGHTS],
                     2 * (2 * (MATRICES / 4 + NORMS) + 64 * TABLE / 4 + FINAL_NORM), 1e-12, 0,
                     "last of two stages");
}

/* Fewer KV heads than tp: each device keeps one whole head. LLaMA-like, 2 KV heads of 128, tp 8:
   Q and out 2 h^2/8, K and V 2 h 128 each device, not /4 of that. */
static void kv_heads_are_copied(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_workload_t work = fixture_gpt(4, 64);
    work.model.kv_heads = 2;
    assay_model_count(&work.model, &work.count);
    const assay_layout_t l = layout(8, 1, 1, 1, 0, 0, true);
    assay_train_layer_t layer;
    assay_train_layer(&machine, &work, &l, &layer);
    assay_test_close(layer.layer_params, 2 * H * H / 8 + 2 * H * 128 + 8 * H * H / 8 + NORMS, 1e-12,
                     0, "parameters of a layer on one device");
}

/* arXiv 2205.05198, table 2, for FFN 4h and h = A d, minus two dropout masks of s b h bytes (these
   models train without) and minus the score matrices 5 a s^2 b (flash keeps 4 bytes a row):
   no sequence parallelism s b h (8 + 24/t), with it s b h 32/t, full recompute 2 s b h. */
static void activations_follow_korthikanti(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = fixture_gpt(4, 64);
    const double sbh = 1024 * H, t = 4, lse = 4 * 16 / t * 1024;
    const struct {
        uint8_t recompute;
        bool sequence_parallel;
        double bytes;
    } cases[] = {
        {ASSAY_RECOMPUTE_NONE, false, sbh * (8 + 24 / t) + lse},
        {ASSAY_RECOMPUTE_NONE, true, sbh * 32 / t + lse},
        /* outputs of two norms (2 x 2 s b h) and of the activation function (8 s b h) go */
        {ASSAY_RECOMPUTE_SELECTIVE, true, sbh * 20 / t + lse},
        {ASSAY_RECOMPUTE_FULL, false, 2 * sbh},
        {ASSAY_RECOMPUTE_FULL, true, 2 * sbh / t},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const assay_layout_t l =
            layout(4, 2, 1, 1, 0, cases[i].recompute, cases[i].sequence_parallel);
        assay_train_layer_t layer;
        assay_train_layer(&machine, &work, &l, &layer);
        assay_test_close(layer.stored_bytes, cases[i].bytes, 1e-12, 0, "stored of one layer");
    }
}

/* LLaMA-65B, b 1, s 2048, tp 8 with sequence parallelism, bytes per token and device:
   2 (4 h + 3 h + h + 3 f)/8 + 4 a/8 = 2 (8 x 8192 + 3 x 22016)/8 + 32 = 32928. */
static void gated_layers_keep_three_ffn_tensors(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t l = layout(8, 1, 1, 1, 0, ASSAY_RECOMPUTE_NONE, true);
    assay_train_layer_t layer;
    assay_train_layer(&machine, &work, &l, &layer);
    assay_test_close(layer.stored_bytes, 2048 * 32928.0, 1e-12, 0, "stored");
}

/* 16 layers, pp 4. 1F1B: the first stage holds 4 micro-batches of 4 layers; v = 2: 16 x (1 + 3/8)
   layers (arXiv 2104.04473, 2205.05198); never more micro-batches than there are. */
static void first_stage_holds_the_warm_up(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const struct {
        uint16_t vpp;
        uint32_t global_batch;
        double layers;
    } cases[] = {{1, 64, 16}, {2, 64, 22}, {4, 64, 19}, {1, 8, 4}, {1, 16, 8}, {2, 32, 16}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const assay_workload_t work = small_vocabulary(16, cases[i].global_batch);
        const assay_layout_t l = layout(1, 4, cases[i].vpp, 8, 0, ASSAY_RECOMPUTE_FULL, false);
        assay_train_layer_t layer;
        assay_estimate_t e;
        assay_train_layer(&machine, &work, &l, &layer);
        assay_train_estimate_with(&machine, &work, &l, &layer, &e);
        assay_test_close(e.peak_bytes[ASSAY_MEMORY_ACTIVATIONS],
                         cases[i].layers * layer.stored_bytes + layer.working_bytes, 1e-12, 0,
                         "activations");
        assay_test_close(e.peak_bytes[ASSAY_MEMORY_LOGITS], 0, 0, 0, "no head on that stage");
    }
}

/* One device: at the loss all layers are stored and the logits stand (fp32 and gradient, 8 s b V);
   8 x 1024 x 51200 bytes are more than one layer needs to run backward. */
static void logits_count_at_the_loss(void **state) {
    (void)state;
    const assay_workload_t work = fixture_gpt(4, 64);
    const assay_estimate_t e =
        estimate(1, &work, layout(1, 1, 1, 8, 3, ASSAY_RECOMPUTE_FULL, false));
    assay_test_close(e.peak_bytes[ASSAY_MEMORY_LOGITS], 8.0 * 1024 * 51200, 1e-12, 0, "logits");
    assay_test_close(e.peak_bytes[ASSAY_MEMORY_ACTIVATIONS], (4 * 2 + 2 * 2) * 1024 * H, 1e-12, 0,
                     "four layer inputs, input and output of the final norm");
    /* With a small vocabulary the worst moment is a layer's backward. */
    const assay_workload_t small = small_vocabulary(4, 64);
    const assay_estimate_t s =
        estimate(1, &small, layout(1, 1, 1, 8, 3, ASSAY_RECOMPUTE_FULL, false));
    assay_test_close(s.peak_bytes[ASSAY_MEMORY_LOGITS], 0, 0, 0, "logits are gone");
    /* Four inputs; one layer's 32 s b h and log-sum-exp come back less its input; gradient of the
       FFN tensor (8 s b h) and MLP input with its gradient (4 s b h). */
    assay_test_close(s.peak_bytes[ASSAY_MEMORY_ACTIVATIONS],
                     (4 * 2 + 32 - 2 + 8 + 4) * 1024 * H + 4 * 16 * 1024, 1e-12, 0, "activations");
}

static void parts_sum_and_nothing_is_negative(void **state) {
    (void)state;
    const assay_workload_t work = fixture_llama_65b(1024);
    for (uint8_t zero = 0; zero <= 3; zero++) {
        for (uint8_t recompute = 0; recompute < ASSAY_RECOMPUTE_N; recompute++) {
            const uint16_t pp = zero > 1 ? 1 : 8;
            const assay_estimate_t e =
                estimate(16, &work, layout(8, pp, 1, 16u / pp, zero, recompute, true));
            assay_test_close(sum(e.peak_bytes), e.peak_total_bytes, 1e-14, 0, "peak");
            assay_test_close(sum(e.steady_bytes), e.steady_total_bytes, 1e-14, 0, "steady");
            assert_true(e.steady_total_bytes <= e.peak_total_bytes);
            for (int i = 0; i < ASSAY_MEMORY_N; i++) {
                assert_true(e.peak_bytes[i] >= 0 && e.steady_bytes[i] >= 0);
            }
            assay_test_close(e.peak_bytes[ASSAY_MEMORY_CONTEXT], 2e9, 0, 0, "context");
            assay_test_close(e.peak_bytes[ASSAY_MEMORY_FRAGMENTATION],
                             .05 / 1.05 * (e.peak_total_bytes - 2e9), 1e-12, 0, "fragmentation");
        }
    }
}

/* 65.3e9 parameters x 18 bytes cannot lie on 8 devices of 80 GB. */
static void what_does_not_fit_is_refused_with_numbers(void **state) {
    (void)state;
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_estimate_t e =
        estimate(1, &work, layout(8, 1, 1, 1, 0, ASSAY_RECOMPUTE_FULL, true));
    assert_int_equal(e.reject, ASSAY_REJECT_MEMORY);
    assay_test_close(e.have, 80e9, 0, 0, "have");
    assay_test_close(e.need, e.peak_total_bytes, 0, 0, "need");
    assert_true(e.need > 18 * 65.2e9 / 8);
    assert_true(e.step_s > 0); /* still says how fast it would be */
}

/* Narrow types change the GEMMs, not what is kept: bf16 weights, fp32 gradients and master copy. */
static void fp8_keeps_bf16_weights(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(2);
    assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t l = layout(8, 2, 1, 1, 0, ASSAY_RECOMPUTE_NONE, true);
    assay_estimate_t wide, narrow;
    machine.device.peak_flops[ASSAY_DT_FP8] = 624e12;
    assay_train_estimate(&machine, &work, &l, &wide);
    work.dtype = ASSAY_DT_FP8;
    assay_train_estimate(&machine, &work, &l, &narrow);
    for (int i = 0; i < ASSAY_MEMORY_N; i++) {
        assay_test_close(narrow.peak_bytes[i], wide.peak_bytes[i], 1e-14, 0,
                         assay_memory_part_name((assay_memory_part_t)i));
    }
    assert_true(narrow.time_s[ASSAY_TIME_GEMM] < wide.time_s[ASSAY_TIME_GEMM]);
    assert_true(narrow.time_s[ASSAY_TIME_MEMORY_BOUND] > wide.time_s[ASSAY_TIME_MEMORY_BOUND]);
    work.dtype = ASSAY_DT_FP32; /* its own master copy: 4 + 4 + 8 */
    assay_train_estimate(&machine, &work, &l, &wide);
    assay_test_close(wide.steady_bytes[ASSAY_MEMORY_OPTIMIZER],
                     2 * wide.steady_bytes[ASSAY_MEMORY_WEIGHTS], 1e-14, 0, "fp32");
}

/* The recipes of huggingface/blog#2245 on one device: mixed precision with bf16 gradients 16 B a
   parameter, everything in bf16 8 B; moments of 8 bit 2 B and a scale of 4 B for each 256; no
   moments at all with SGD, or where they page to the host. */
static void recipes_change_bytes(void **state) {
    (void)state;
    const double params = 4 * (MATRICES + NORMS) + 2 * TABLE + POSITIONS + FINAL_NORM;
    const struct {
        assay_recipe_t recipe;
        double each;
    } row[] = {
        {{0}, 18},
        {{.bf16_gradients = true}, 16},
        {{.no_master = true, .bf16_gradients = true, .bf16_moments = true}, 8},
        {{.optimizer = ASSAY_OPTIMIZER_ADAM8BIT}, 2 + 4 + 4 + 2 + 2 * 4.0 / 256},
        {{.optimizer = ASSAY_OPTIMIZER_SGD}, 2 + 4 + 4},
        {{.optimizer = ASSAY_OPTIMIZER_PAGED}, 2 + 4 + 4},
        {{.offload = ASSAY_OFFLOAD_OPTIMIZER}, 2 + 4},
        {{.offload = ASSAY_OFFLOAD_ALL}, 4},
    };
    const assay_layout_t l = layout(1, 1, 1, 1, 0, ASSAY_RECOMPUTE_NONE, false);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_workload_t work = fixture_gpt(4, 64);
        assay_estimate_t e;
        work.recipe = row[i].recipe;
        assay_train_memory(NULL, &work, &l, &e);
        assay_test_close(e.steady_total_bytes, row[i].each * params, 1e-12, 0, "recipe");
    }
}

/* One momentum for the matrices of layers (norms are counted with them), Adam's two for the rest.
 */
static void muon_leaves_tables_to_adam(void **state) {
    (void)state;
    const double layers = 4 * (MATRICES + NORMS), rest = 2 * TABLE + POSITIONS + FINAL_NORM;
    const assay_layout_t l = layout(1, 1, 1, 1, 0, ASSAY_RECOMPUTE_NONE, false);
    assay_workload_t work = fixture_gpt(4, 64);
    assay_estimate_t e;
    work.recipe.optimizer = ASSAY_OPTIMIZER_MUON;
    assay_train_memory(NULL, &work, &l, &e);
    assay_test_close(e.steady_total_bytes, (2 + 4 + 4 + 4) * layers + (2 + 4 + 4 + 8) * rest, 1e-12,
                     0, "muon");
}

/* Rank 16 on query, key, value and output: 16 (2 (h + h) + 2 (h + h)) a layer, 4 + 4 + 8 B each;
   the weights below take 2 B, or 4.127 bit in the matrices of layers. */
static void adapters_leave_the_weights_still(void **state) {
    (void)state;
    const double layers = 4 * (MATRICES + NORMS), rest = 2 * TABLE + POSITIONS + FINAL_NORM;
    const double adapters = 4 * 16 * 8 * H;
    const assay_layout_t l = layout(1, 1, 1, 1, 0, ASSAY_RECOMPUTE_NONE, false);
    assay_workload_t work = fixture_gpt(4, 64);
    assay_estimate_t e;
    work.recipe =
        (assay_recipe_t){.method = ASSAY_METHOD_LORA, .lora_rank = 16, .lora_attention = true};
    assay_train_memory(NULL, &work, &l, &e);
    assay_test_close(e.steady_total_bytes, 2 * (layers + rest) + 16 * adapters, 1e-12, 0, "lora");
    work.recipe.method = ASSAY_METHOD_QLORA;
    assay_train_memory(NULL, &work, &l, &e);
    assay_test_close(e.steady_total_bytes, 4.127 / 8 * layers + 2 * rest + 16 * adapters, 1e-12, 0,
                     "qlora");
}

/* tokens x V: 8 B in fp32, 6 in place, 4 fused, 1 in eight pieces. */
static void the_loss_keeps_its_logits_so(void **state) {
    (void)state;
    static const double each[ASSAY_LOSS_N] = {8, 6, 4, 1};
    const assay_layout_t l = layout(1, 1, 1, 1, 0, ASSAY_RECOMPUTE_FULL, false);
    for (uint8_t loss = 0; loss < ASSAY_LOSS_N; loss++) {
        assay_workload_t work = fixture_gpt(1, 64);
        assay_train_layer_t layer;
        const assay_machine_t machine = fixture_a100(1);
        work.recipe.loss = loss;
        assay_train_layer(&machine, &work, &l, &layer);
        assay_test_close(layer.logits_bytes, each[loss] * work.sequence * 51200.0, 1e-12, 0,
                         "loss");
    }
}

/* 8 experts of two 2048 x 8192 matrices, on 4 devices: a quarter of them on each, their optimizer
   state over no others when dp = 4. */
static void experts_lie_on_ep_devices(void **state) {
    (void)state;
    assay_workload_t work = fixture_gpt(2, 64);
    assay_estimate_t e;
    work.model.experts = 8;
    work.model.top_k = 2;
    work.model.expert_ffn = 8192;
    assay_model_count(&work.model, &work.count);
    const double experts = 2 * 8 * 2 * H * 8192, rest = work.count.total - experts;
    assay_layout_t l = layout(1, 1, 1, 4, 1, ASSAY_RECOMPUTE_NONE, false);
    l.ep = 4;
    assay_train_memory(NULL, &work, &l, &e);
    assay_test_close(e.steady_bytes[ASSAY_MEMORY_WEIGHTS], 2 * (experts / 4 + rest), 1e-12, 0,
                     "weights");
    assay_test_close(e.steady_bytes[ASSAY_MEMORY_OPTIMIZER], 12 * (experts / 4 + rest / 4), 1e-12,
                     0, "optimizer");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_stages_shard_as_published),
        cmocka_unit_test(zero_3_gathers_two_layers_and_the_root),
        cmocka_unit_test(tensor_and_pipeline_split_the_parameters),
        cmocka_unit_test(tables_take_the_place_of_layers),
        cmocka_unit_test(tied_embeddings_are_copied_by_the_last_stage),
        cmocka_unit_test(kv_heads_are_copied),
        cmocka_unit_test(activations_follow_korthikanti),
        cmocka_unit_test(gated_layers_keep_three_ffn_tensors),
        cmocka_unit_test(first_stage_holds_the_warm_up),
        cmocka_unit_test(logits_count_at_the_loss),
        cmocka_unit_test(parts_sum_and_nothing_is_negative),
        cmocka_unit_test(what_does_not_fit_is_refused_with_numbers),
        cmocka_unit_test(fp8_keeps_bf16_weights),
        cmocka_unit_test(recipes_change_bytes),
        cmocka_unit_test(muon_leaves_tables_to_adam),
        cmocka_unit_test(adapters_leave_the_weights_still),
        cmocka_unit_test(the_loss_keeps_its_logits_so),
        cmocka_unit_test(experts_lie_on_ep_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
