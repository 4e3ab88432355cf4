/* Time of what dense layers do not have: experts, latent attention, windows, packed samples, split
   sequences. Every expected value lists the shapes by hand and asks physics for their time. */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/physics.h"
#include "assay/train.h"
#include "machine_fixture.h"

/* T tokens of a micro-batch */
#define TOKENS 4096.0

static assay_model_t experts_model(void) {
    return (assay_model_t){.id = "experts",
                           .kind = "decoder-LLM",
                           .layers = 8,
                           .hidden = 1024,
                           .heads = 16,
                           .kv_heads = 4,
                           .head_dim = 64,
                           .ffn = 4096,
                           .vocab = 32000,
                           .gated = true,
                           .experts = 16,
                           .top_k = 2,
                           .expert_ffn = 512};
}

static assay_model_t latent_model(void) {
    assay_model_t model = experts_model();
    model.experts = model.top_k = model.expert_ffn = 0;
    model.kv_heads = 16;
    model.q_lora = 384;
    model.kv_lora = 128;
    model.qk_nope = 64;
    model.qk_rope = 32;
    model.v_head_dim = 64;
    return model;
}

static assay_workload_t work_of(const assay_model_t *model) {
    return fixture_work(model, (uint32_t)TOKENS, 64);
}

static assay_layout_t layout_of(uint16_t tp, uint32_t dp) {
    return (assay_layout_t){
        .tp = tp, .pp = 1, .vpp = 1, .dp = dp, .micro_batch = 1, .sequence_parallel = tp > 1};
}

static assay_train_layer_t layer_of(const assay_machine_t *machine, const assay_workload_t *work,
                                    assay_layout_t layout) {
    assay_train_layer_t layer;
    double need, have;
    assert_int_equal(assay_train_check(machine, work, &layout, &need, &have), ASSAY_REJECT_NONE);
    assay_train_layer(machine, work, &layout, &layer);
    return layer;
}

/* Forward, gradient of the input, gradient of the weight (added in fp32). */
static double gemm_s(const assay_device_t *device, double m, double n, double k, double batch) {
    const assay_gemm_t three[] = {{m, n, k, batch, ASSAY_DT_BF16, 2, 2, 2},
                                  {m, k, n, batch, ASSAY_DT_BF16, 2, 2, 2},
                                  {k, n, m, batch, ASSAY_DT_BF16, 2, 2, 8}};
    double total_s = 0;
    for (int i = 0; i < 3; i++) {
        total_s += assay_gemm_s(device, &three[i]);
    }
    return total_s;
}

/* EP 8 of 8 devices: each holds 2 of the 16 experts; of 4096 tokens two copies each arrive, 4096 a
   local expert, a quarter more where the busiest has it. */
static void experts_are_grouped_products(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_model_t model = experts_model();
    assay_workload_t work = work_of(&model);
    assay_layout_t l = layout_of(1, 8);
    l.ep = 8;
    for (int i = 0; i < 2; i++) {
        work.expert_overload = .25 * i;
        const double rows = TOKENS * 2 / 2 * (1 + .25 * i);
        const double by_hand_s = gemm_s(&machine.device, TOKENS, 1024 + 2 * 256, 1024, 1) +
                                 gemm_s(&machine.device, TOKENS, 1024, 1024, 1) +
                                 gemm_s(&machine.device, TOKENS, 16, 1024, 1) +
                                 gemm_s(&machine.device, rows, 2 * 512, 1024, 2) +
                                 gemm_s(&machine.device, rows, 1024, 512, 2);
        assay_test_close(layer_of(&machine, &work, l).layer_s[ASSAY_TIME_GEMM], by_hand_s, 1e-12, 0,
                         "GEMM");
    }
}

/* Two all-to-alls forward, two backward, of T top_k h bf16 elements. On four nodes with copies made
   there, a token with 2 experts reaches 4 (1 - (3/4)^2) = 1.75 of them. */
static void tokens_travel_to_experts_and_back(void **state) {
    (void)state;
    const assay_machine_t one = fixture_a100(1), four = fixture_a100(4);
    assay_model_t model = experts_model();
    model.experts = 32;
    assay_workload_t work = work_of(&model);
    assay_layout_t l = layout_of(1, 8);
    const double bytes = TOKENS * 2 * 1024 * 2;
    l.ep = 8;
    assay_test_close(layer_of(&one, &work, l).layer_s[ASSAY_TIME_EP_COMM],
                     4 * assay_collective_s(&one, ASSAY_COLL_ALL_TO_ALL, bytes, 8, 1), 1e-12, 0,
                     "inside");
    l.dp = 32;
    l.ep = 32;
    const double plain_s = assay_collective_s(&four, ASSAY_COLL_ALL_TO_ALL, bytes, 32, 1);
    const double once_s = assay_collective_s(&four, ASSAY_COLL_ALL_TO_ALL, bytes * 1.75 / 2, 32, 1);
    assay_test_close(layer_of(&four, &work, l).layer_s[ASSAY_TIME_EP_COMM], 4 * plain_s, 1e-12, 0,
                     "across");
    work.expert_once = true;
    assay_test_close(layer_of(&four, &work, l).layer_s[ASSAY_TIME_EP_COMM], 4 * once_s, 1e-12, 0,
                     "once to a node");
    work.expert_overlap = true;
    assert_true(layer_of(&four, &work, l).layer_s[ASSAY_TIME_EP_COMM] < 4 * once_s);
}

/* TP 2, EP 4, ETP 2 on 8 devices: what comes to an expert is gathered by both halves of it and
   their sums are scattered, besides the exchange of T/2 top_k h elements over ranks 2 apart. An
   expert's halves are 256 wide and see both devices' tokens. */
static void experts_can_be_cut(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_model_t model = experts_model();
    const assay_workload_t work = work_of(&model);
    assay_layout_t l = layout_of(2, 4);
    const double bytes = TOKENS / 2 * 2 * 1024 * 2;
    l.ep = 4;
    l.etp = 2;
    const assay_train_layer_t cut = layer_of(&machine, &work, l);
    assay_test_close(
        cut.layer_s[ASSAY_TIME_EP_COMM],
        4 * assay_collective_s(&machine, ASSAY_COLL_ALL_TO_ALL, bytes, 4, 2) +
            2 * assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, 2 * bytes, 2, 1) +
            2 * assay_collective_s(&machine, ASSAY_COLL_REDUCE_SCATTER, 2 * bytes, 2, 1),
        1e-12, 0, "traffic");
    const double experts_s = gemm_s(&machine.device, 2 * TOKENS / 4, 512, 1024, 4) +
                             gemm_s(&machine.device, 2 * TOKENS / 4, 1024, 256, 4);
    l.etp = 1;
    l.ep = 8;
    const assay_train_layer_t whole = layer_of(&machine, &work, l);
    const double whole_s = gemm_s(&machine.device, TOKENS / 2, 1024, 1024, 2) +
                           gemm_s(&machine.device, TOKENS / 2, 1024, 512, 2);
    assay_test_close(cut.layer_s[ASSAY_TIME_GEMM] - whole.layer_s[ASSAY_TIME_GEMM],
                     experts_s - whole_s, 1e-9, 0, "products");
    assay_test_close(cut.expert_params, whole.expert_params, 1e-12, 0, "as many parameters");
}

/* A dense first layer of eight, and an expert all see beside the routed ones: means over layers. */
static void kinds_of_layers_are_averaged(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_model_t model = experts_model();
    model.first_dense_layers = 1;
    model.shared_experts = 1;
    const assay_workload_t work = work_of(&model);
    const double attention_s = gemm_s(&machine.device, TOKENS, 1024 + 2 * 256, 1024, 1) +
                               gemm_s(&machine.device, TOKENS, 1024, 1024, 1);
    const double dense_s = gemm_s(&machine.device, TOKENS, 2 * 4096, 1024, 1) +
                           gemm_s(&machine.device, TOKENS, 1024, 4096, 1);
    const double routed_s = gemm_s(&machine.device, TOKENS, 16, 1024, 1) +
                            gemm_s(&machine.device, TOKENS * 2 / 16, 2 * 512, 1024, 16) +
                            gemm_s(&machine.device, TOKENS * 2 / 16, 1024, 512, 16);
    const double shared_s = gemm_s(&machine.device, TOKENS, 2 * 512, 1024, 1) +
                            gemm_s(&machine.device, TOKENS, 1024, 512, 1);
    assay_test_close(layer_of(&machine, &work, layout_of(1, 8)).layer_s[ASSAY_TIME_GEMM],
                     attention_s + dense_s / 8 + (routed_s + shared_s) * 7 / 8, 1e-12, 0, "GEMM");
}

/* Queries and keys are 64 + 32 wide, values 64; every head has its own. */
static void latent_attention_expands_for_every_head(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_model_t model = latent_model();
    const assay_workload_t work = work_of(&model);
    const assay_attention_t attention = {.batch = 1,
                                         .sequence = TOKENS,
                                         .heads = 8,
                                         .kv_heads = 8,
                                         .head_dim = 96,
                                         .v_head_dim = 64,
                                         .causal = true,
                                         .fused = true,
                                         .dtype = ASSAY_DT_BF16};
    const assay_train_layer_t layer = layer_of(&machine, &work, layout_of(2, 4));
    assay_test_close(layer.layer_s[ASSAY_TIME_ATTENTION],
                     assay_attention_forward_s(&machine.device, &attention) +
                         assay_attention_backward_s(&machine.device, &attention),
                     1e-12, 0, "attention");
    /* down projections run on a device's own half of the tokens, the rest on its half of heads */
    const double by_hand_s = gemm_s(&machine.device, TOKENS / 2, 384, 1024, 1) +
                             gemm_s(&machine.device, TOKENS / 2, 128 + 32, 1024, 1) +
                             gemm_s(&machine.device, TOKENS, 8 * 96, 384, 1) +
                             gemm_s(&machine.device, TOKENS, 8 * 128, 128, 1) +
                             gemm_s(&machine.device, TOKENS, 1024, 8 * 64, 1) +
                             gemm_s(&machine.device, TOKENS, 4096, 1024, 1) +
                             gemm_s(&machine.device, TOKENS, 1024, 2048, 1);
    assay_test_close(layer.layer_s[ASSAY_TIME_GEMM], by_hand_s, 1e-12, 0, "GEMM");
}

/* Every second layer sees 512 tokens back, the others all. */
static void windows_cut_attention(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_model_t model = experts_model();
    model.experts = 0;
    model.sliding_window = 512;
    model.full_layers = 4;
    const assay_workload_t work = work_of(&model);
    assay_attention_t attention = {.batch = 1,
                                   .sequence = TOKENS,
                                   .heads = 16,
                                   .kv_heads = 4,
                                   .head_dim = 64,
                                   .v_head_dim = 64,
                                   .causal = true,
                                   .fused = true,
                                   .dtype = ASSAY_DT_BF16};
    double mean_s = 0;
    for (int i = 0; i < 2; i++) {
        attention.window = 512 * i;
        mean_s += .5 * (assay_attention_forward_s(&machine.device, &attention) +
                        assay_attention_backward_s(&machine.device, &attention));
    }
    assay_test_close(layer_of(&machine, &work, layout_of(1, 8)).layer_s[ASSAY_TIME_ATTENTION],
                     mean_s, 1e-12, 0, "attention");
}

/* Eight samples of 512 tokens in a sequence: a batch of eight short ones. */
static void packed_samples_see_themselves(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_model_t model = experts_model();
    model.experts = 0;
    assay_workload_t work = work_of(&model);
    const double whole_s = layer_of(&machine, &work, layout_of(1, 8)).layer_s[ASSAY_TIME_ATTENTION];
    const assay_attention_t attention = {.batch = 8,
                                         .sequence = 512,
                                         .heads = 16,
                                         .kv_heads = 4,
                                         .head_dim = 64,
                                         .v_head_dim = 64,
                                         .causal = true,
                                         .fused = true,
                                         .dtype = ASSAY_DT_BF16};
    work.sample = 512;
    const double packed_s =
        layer_of(&machine, &work, layout_of(1, 8)).layer_s[ASSAY_TIME_ATTENTION];
    assay_test_close(packed_s,
                     assay_attention_forward_s(&machine.device, &attention) +
                         assay_attention_backward_s(&machine.device, &attention),
                     1e-12, 0, "attention");
    assert_true(packed_s < whole_s);
}

/* Four devices, 1024 tokens each: four turns as costly as one causal piece of 1024; keys and values
   of 4 heads x 64 go round three times. Nothing of their way shows where a turn takes longer. */
static void keys_go_round_a_ring(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    assay_model_t model = experts_model();
    model.experts = 0;
    const assay_workload_t work = work_of(&model);
    assay_layout_t l = layout_of(1, 2);
    const assay_attention_t turn = {.batch = 1,
                                    .sequence = TOKENS / 4,
                                    .heads = 16,
                                    .kv_heads = 4,
                                    .head_dim = 64,
                                    .v_head_dim = 64,
                                    .causal = true,
                                    .fused = true,
                                    .dtype = ASSAY_DT_BF16};
    l.cp = 4;
    const double forward_s = assay_attention_forward_s(&machine.device, &turn);
    const double backward_s = assay_attention_backward_s(&machine.device, &turn);
    assay_test_close(layer_of(&machine, &work, l).layer_s[ASSAY_TIME_ATTENTION],
                     4 * (forward_s + backward_s), 1e-12, 0, "attention");
    /* pairs: 4 x (s/4)^2/2 of each device, s^2/2 of four */
    assay_test_close(4 * 4 * assay_attention_forward_flops(&turn),
                     4.0 * 16 * 64 * TOKENS * TOKENS / 2, 1e-12, 0, "FLOPs");
    machine.links.device_bytes_per_s = machine.links.pair_bytes_per_s = 1e9;
    const double bytes = TOKENS / 4 * 4 * 128 * 2;
    const double way_s = assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, 4 * bytes, 4, 1) / 3;
    assay_test_close(layer_of(&machine, &work, l).layer_s[ASSAY_TIME_CP_COMM],
                     3 * (way_s - forward_s) + 3 * (2 * way_s - backward_s), 1e-12, 0, "shown");
    machine.links.device_bytes_per_s = machine.links.pair_bytes_per_s = 1e15;
    for (int i = 0; i < ASSAY_DT_N; i++) {
        machine.device.calib[ASSAY_CALIB_FABRIC_HOP][i] = 0;
        machine.device.calib[ASSAY_CALIB_FABRIC_START][i] = 0;
    }
    assay_test_close(layer_of(&machine, &work, l).layer_s[ASSAY_TIME_CP_COMM], 0, 0, 0, "hidden");
}

/* Heads in exchange: whole sequences of 16/4 heads and one of keys; queries, keys and values go in,
   the output comes out, and their gradients the other way. */
static void heads_are_exchanged(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_model_t model = experts_model();
    model.experts = 0;
    const assay_workload_t work = work_of(&model);
    assay_layout_t l = layout_of(1, 2);
    l.cp = 4;
    l.cp_comm = ASSAY_CP_ALL_TO_ALL;
    const double q_bytes = TOKENS * 4 * 64 * 2, kv_bytes = TOKENS * 1 * 128 * 2;
    assay_test_close(
        layer_of(&machine, &work, l).layer_s[ASSAY_TIME_CP_COMM],
        2 * (assay_collective_s(&machine, ASSAY_COLL_ALL_TO_ALL, q_bytes + kv_bytes, 4, 1) +
             assay_collective_s(&machine, ASSAY_COLL_ALL_TO_ALL, q_bytes, 4, 1)),
        1e-12, 0, "exchange");
}

/* Devices that share out sequences hold the same weights: 2 x 4 of them sum gradients; in groups of
   4 they scatter there and sum over the 2 groups. */
static void copies_sum_their_gradients(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    assay_model_t model = experts_model();
    model.experts = 0;
    const assay_workload_t work = work_of(&model);
    assay_layout_t l = layout_of(1, 2);
    l.cp = 4;
    assay_estimate_t e;
    machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 0;
    const assay_train_layer_t layer = layer_of(&machine, &work, l);
    const double params = 8 * layer.layer_params + layer.embed_params + layer.head_params;
    assay_train_estimate(&machine, &work, &l, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM],
                     assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, 4 * params, 8, 1), 1e-12,
                     0, "all of them");
    l.zero = 1;
    l.shard = 4;
    assay_train_estimate(&machine, &work, &l, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM],
                     assay_collective_s(&machine, ASSAY_COLL_REDUCE_SCATTER, 4 * params, 4, 1) +
                         assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, params, 2, 4) +
                         assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, 2 * params, 4, 1),
                     1e-12, 0, "in groups");
    assay_test_close(e.time_s[ASSAY_TIME_OPTIMIZER],
                     assay_stream_s(&machine.device, 4 * params + 42 * params / 4), 1e-12, 0,
                     "a quarter updated");
}

/* Of 8 devices with EP 4 two hold the same expert, four apart; all hold the rest. */
static void fewer_devices_hold_an_expert(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    const assay_model_t model = experts_model();
    const assay_workload_t work = work_of(&model);
    assay_layout_t l = layout_of(1, 8);
    assay_estimate_t e;
    l.ep = 4;
    machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 0;
    const assay_train_layer_t layer = layer_of(&machine, &work, l);
    const double experts = 8 * 4 * 3 * 1024 * 512.0;
    const double rest = 8 * layer.layer_params - experts + layer.embed_params + layer.head_params;
    assay_test_close(8 * layer.expert_params, experts, 1e-12, 0, "4 of 16 experts");
    assay_train_estimate(&machine, &work, &l, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM],
                     assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, 4 * rest, 8, 1) +
                         assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, 4 * experts, 2, 4),
                     1e-12, 0, "gradients");
}

static void combinations_that_do_not_work(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const assay_model_t model = experts_model();
    assay_model_t windowed = model, dense = model;
    windowed.sliding_window = 512;
    windowed.experts = dense.experts = 0;
    const struct {
        const assay_model_t *model;
        assay_layout_t layout;
        assay_reject_t reject;
        double need, have;
    } cases[] = {
        {&model, {.tp = 1, .dp = 32, .ep = 3}, ASSAY_REJECT_EXPERTS, 3, 16},
        {&model, {.tp = 1, .dp = 32, .ep = 16}, ASSAY_REJECT_NONE, 0, 0},
        {&model, {.tp = 2, .dp = 16, .ep = 16, .sequence_parallel = true}, ASSAY_REJECT_NONE, 0, 0},
        {&model, {.tp = 2, .dp = 16}, ASSAY_REJECT_ROUTING, 2, 1},
        {&model,
         {.tp = 2, .dp = 16, .etp = 4, .sequence_parallel = true},
         ASSAY_REJECT_ROUTING,
         4,
         2},
        {&model, {.tp = 1, .dp = 4, .pp = 8, .ep = 8}, ASSAY_REJECT_EXPERTS, 8, 4},
        {&dense, {.tp = 1, .dp = 32, .ep = 2}, ASSAY_REJECT_EXPERTS, 2, 1},
        {&dense, {.tp = 1, .cp = 3, .dp = 8}, ASSAY_REJECT_CONTEXT, 6, 4096},
        {&dense, {.tp = 2, .cp = 16, .dp = 1, .cp_comm = 1}, ASSAY_REJECT_CONTEXT, 32, 16},
        {&dense, {.tp = 1, .cp = 16, .dp = 2, .cp_comm = 1}, ASSAY_REJECT_NONE, 0, 0},
        {&dense, {.tp = 1, .cp = 4, .dp = 4}, ASSAY_REJECT_DEVICES, 16, 32},
        {&windowed, {.tp = 1, .cp = 4, .dp = 8}, ASSAY_REJECT_WINDOW, 4, 1},
        {&windowed, {.tp = 1, .cp = 4, .dp = 8, .cp_comm = 1}, ASSAY_REJECT_NONE, 0, 0},
        {&dense, {.tp = 1, .dp = 32, .zero = 3, .shard = 5}, ASSAY_REJECT_SHARD, 5, 32},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const assay_workload_t work = work_of(cases[i].model);
        assay_layout_t layout = cases[i].layout;
        double need, have;
        layout.vpp = 1;
        layout.micro_batch = 1;
        layout.pp = (uint16_t)(layout.pp ? layout.pp : 1);
        const assay_reject_t reject = assay_train_check(&machine, &work, &layout, &need, &have);
        if (reject != cases[i].reject || need > cases[i].need || need < cases[i].need ||
            have > cases[i].have || have < cases[i].have) {
            fail_msg("case %zu: %s, %g of %g", i, assay_reject_name(reject), need, have);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(experts_are_grouped_products),
        cmocka_unit_test(tokens_travel_to_experts_and_back),
        cmocka_unit_test(experts_can_be_cut),
        cmocka_unit_test(kinds_of_layers_are_averaged),
        cmocka_unit_test(latent_attention_expands_for_every_head),
        cmocka_unit_test(windows_cut_attention),
        cmocka_unit_test(packed_samples_see_themselves),
        cmocka_unit_test(keys_go_round_a_ring),
        cmocka_unit_test(heads_are_exchanged),
        cmocka_unit_test(copies_sum_their_gradients),
        cmocka_unit_test(fewer_devices_hold_an_expert),
        cmocka_unit_test(combinations_that_do_not_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
