#include "assay_test.h"

#include "assay/serve_step.h"
#include "machine_fixture.h"

/* Two layers of width 1000, 10 heads of 100 of which 5 hold keys and values, FFN 4000 with gate,
   vocabulary 10000. Per layer: attention 1000 (10 + 5 + 5 + 10) 100 = 3e6, MLP 3 x 1000 x 4000 =
   12e6 parameters; head 1e7. */
static assay_model_t small_model(void) {
    return (assay_model_t){.id = "small",
                           .family = "test",
                           .layers = 2,
                           .hidden = 1000,
                           .heads = 10,
                           .kv_heads = 5,
                           .head_dim = 100,
                           .ffn = 4000,
                           .vocab = 10000,
                           .gated = true};
}

static assay_serve_setup_t setup_of(assay_model_t model, uint32_t tp) {
    return (assay_serve_setup_t){.model = model,
                                 .dtype = ASSAY_DT_BF16,
                                 .weight_bytes = 2,
                                 .kv_bytes = 2,
                                 .tp = tp,
                                 .pp = 1,
                                 .ep = 1};
}

static assay_serve_constants_t some_constants(void) {
    return (assay_serve_constants_t){.gemm = .5,
                                     .expert = 1,
                                     .weight_stream = .8,
                                     .kv_stream = .5,
                                     .head_stream = .1,
                                     .layer_s = 1e-5,
                                     .sequence_s = 2e-6,
                                     .reduce_s = 1e-5,
                                     .rel_p10 = 1,
                                     .rel_p90 = 1};
}

/* The A100 of the fixture: 2039 GB/s x .85 = 1.73315e12 bytes/s calibrated, 312e12 FLOP/s. */
#define RATE 1.73315e12

static void a_decode_step_is_the_sum_of_its_parts(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_constants_t constants = some_constants();
    const assay_serve_batch_t batch = {.decode = 4, .decode_context = 4000};
    assay_serve_step_t step;
    double part_s[ASSAY_SERVE_PART_N];
    assay_serve_prepare(&machine, &setup, &constants, &step);
    const double total_s = assay_serve_step_s(&step, &batch, part_s);

    /* Attention: 2 layers x 3e6 x 2 bytes = 12e6 bytes at .8 x RATE = 8.654762e-6 s; 4 tokens x
       12e6 FLOPs at .5 x 312e12 = 3.076923e-7 s, of which a tenth shows. MLP: 48e6 bytes, 4 x 48e6
       FLOPs. Head: 2e7 bytes, 4 x 2e7 FLOPs. */
    const double stream = .8 * RATE, compute = .5 * 312e12;
    const double linear_s = (12e6 + 48e6 + 2e7) / stream + .1 * 4 * (12e6 + 48e6 + 2e7) / compute;
    assay_test_close(part_s[ASSAY_SERVE_LINEAR], linear_s, 1e-9, 0, "linear");
    /* 2 layers x 2 x 5 heads x 100 x 2 bytes = 4000 bytes a token, at half of RATE */
    assay_test_close(part_s[ASSAY_SERVE_DECODE_ATTENTION], 4000 * 4000.0 / (.5 * RATE), 1e-9, 0,
                     "decode attention");
    assay_test_close(part_s[ASSAY_SERVE_HOST], 2 * 1e-5 + 4 * 2e-6, 1e-9, 0, "host");
    assay_test_close(part_s[ASSAY_SERVE_COMM], 0, 0, 1e-15, "no communication on one rank");
    double sum_s = 0;
    for (int i = 0; i < ASSAY_SERVE_PART_N; i++) {
        sum_s += part_s[i];
    }
    assay_test_close(total_s, sum_s, 1e-12, 0, "parts sum to the step");
    assay_test_close(step.weight_bytes, 2 * (30e6 + 2e7), 1e-9, 0, "weights with table and head");
    assay_test_close(step.kv_bytes_per_token, 4000, 1e-9, 0, "KV bytes of a token");
}

static void a_kernel_per_query_head_reads_more(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_constants_t constants = some_constants();
    assay_serve_batch_t batch = {.decode = 4, .decode_context = 4000};
    double part_s[ASSAY_SERVE_PART_N];
    assay_serve_step_t step;
    setup.head_stream_above = 40; /* 4 sequences x 10 heads are not above it, 5 are */
    assay_serve_prepare(&machine, &setup, &constants, &step);
    (void)assay_serve_step_s(&step, &batch, part_s);
    assay_test_close(part_s[ASSAY_SERVE_DECODE_ATTENTION], 4000 * 4000.0 / (.5 * RATE), 1e-9, 0,
                     "at the limit");
    batch.decode = 5;
    (void)assay_serve_step_s(&step, &batch, part_s);
    /* 10 heads instead of 5: 8000 bytes a token at a tenth of 2039 GB/s */
    assay_test_close(part_s[ASSAY_SERVE_DECODE_ATTENTION], 4000 * 8000.0 / (.1 * 2039e9), 1e-9, 0,
                     "above it");
}

static void ranks_divide_weights_and_heads(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_setup_t setup = setup_of(small_model(), 2);
    const assay_serve_constants_t constants = some_constants();
    assay_serve_step_t step;
    assay_serve_prepare(&machine, &setup, &constants, &step);
    /* 5 KV heads on 2 ranks: 3 each. Attention of a layer: q 5 heads, k and v 3 each, out 5 heads.
     */
    assay_test_close(step.kv_bytes_per_token, 2 * 2 * 3 * 100 * 2, 1e-9, 0, "KV heads");
    assay_test_close(step.linear[0].bytes, 2 * 1000 * (5 + 3 + 3 + 5) * 100 * 2, 1e-9, 0,
                     "attention weights");
    assay_test_close(step.reduce_s, 2 * 2 * 1e-5, 1e-9, 0, "two all-reduces a layer");
}

/* 8 experts of 3 x 1000 x 500, two of them visited. */
static void experts_are_read_as_tokens_visit_them(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_model_t model = small_model();
    model.experts = 8;
    model.top_k = 2;
    model.expert_ffn = 500;
    const assay_serve_setup_t setup = setup_of(model, 1);
    assay_serve_constants_t constants = assay_serve_unit();
    assay_serve_step_t step;
    double one_s[ASSAY_SERVE_PART_N], many_s[ASSAY_SERVE_PART_N];
    assay_serve_prepare(&machine, &setup, &constants, &step);
    step.serial = 0; /* streaming alone */
    step.flops_per_s = step.head_flops_per_s = 1e30;
    const assay_serve_batch_t one = {.decode = 1, .decode_context = 1};
    const assay_serve_batch_t many = {.decode = 3, .decode_context = 3};
    (void)assay_serve_step_s(&step, &one, one_s);
    (void)assay_serve_step_s(&step, &many, many_s);
    /* one token: 2 of 8; three: 8 (1 - (6/8)^3) = 4.625. 2 layers x 1.5e6 x 2 bytes each */
    assay_test_close(many_s[ASSAY_SERVE_LINEAR] - one_s[ASSAY_SERVE_LINEAR],
                     (4.625 - 2) * 2 * 1.5e6 * 2 / RATE, 1e-9, 0, "experts");
}

static void a_closed_loop_is_bound_by_the_cache(void **state) {
    (void)state;
    const assay_serve_load_t load = {
        .input_tokens = 900, .output_tokens = 200, .token_budget = 8192, .kv_tokens = 10000};
    /* midway through: 1000 tokens each */
    assay_test_close(assay_serve_concurrency(&load, 64), 10, 1e-12, 0, "cache");
    assay_test_close(assay_serve_concurrency(&load, 4), 4, 1e-12, 0, "as many as there are");

    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_constants_t constants = some_constants();
    assay_serve_step_t step;
    assay_serve_prepare(&machine, &setup, &constants, &step);
    const assay_serve_batch_t decode = {.decode = 4, .decode_context = 4 * 1000};
    const assay_serve_batch_t prefill = {
        .prefill_tokens = 3600, .prefill_pairs = 3600 * 450.0, .sampled = 4};
    const double busy_s =
        assay_serve_step_s(&step, &prefill, NULL) + 199 * assay_serve_step_s(&step, &decode, NULL);
    assay_test_close(assay_serve_closed_loop_per_s(&step, &load, 4), 4 / busy_s, 1e-12, 0,
                     "four at a time");
    assay_test_close(assay_serve_static_s(&step, &load, 4), busy_s, 1e-12, 0, "a static batch");
}

static assay_serve_step_t prepared(const assay_serve_setup_t *setup) {
    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_constants_t unit = assay_serve_unit();
    assay_serve_step_t step;
    assay_serve_prepare(&machine, setup, &unit, &step);
    return step;
}

/* MHA 10 KV heads, GQA 5, MQA 1: 2 layers x 2 x heads x 100 x 2 bytes a token; on 5 ranks MHA and
   GQA divide, the one head of MQA is on every rank. */
static void heads_that_share_keys_read_less(void **state) {
    (void)state;
    static const struct {
        uint32_t kv_heads;
        double one_bytes, five_bytes;
    } form[] = {{10, 8000, 1600}, {5, 4000, 800}, {1, 800, 800}};
    for (size_t i = 0; i < sizeof form / sizeof form[0]; i++) {
        assay_model_t model = small_model();
        model.kv_heads = form[i].kv_heads;
        const assay_serve_setup_t one = setup_of(model, 1), five = setup_of(model, 5);
        assay_test_close(prepared(&one).kv_bytes_per_token, form[i].one_bytes, 1e-12, 0, "one");
        assay_test_close(prepared(&five).kv_bytes_per_token, form[i].five_bytes, 1e-12, 0, "five");
        assay_test_close(prepared(&one).kv[0].read_s, form[i].one_bytes / RATE, 1e-12, 0, "read");
    }
}

/* Latent 512 + rope 64 of 2 bytes in 2 layers: 2304 bytes on each of 2 ranks; where each rank
   attends to its own half of the sequences it reads 1152 for a token of the batch. */
static void latent_keys_repeat_on_every_rank(void **state) {
    (void)state;
    assay_model_t model = small_model();
    model.kv_lora = 512;
    model.qk_rope = 64;
    model.qk_nope = 128;
    model.v_head_dim = 128;
    model.kv_heads = model.heads;
    assay_serve_setup_t setup = setup_of(model, 2);
    assay_test_close(prepared(&setup).kv_bytes_per_token, 2304, 1e-12, 0, "on every rank");
    /* absorbed: 2 FLOPs x 5 heads x (2 x 512 + 64) in 2 layers, at .6 of 312e12 */
    assay_test_close(prepared(&setup).kv[0].compute_s, 2 * 2 * 5 * 1088 / (.6 * 312e12), 1e-12, 0,
                     "decode FLOPs");
    /* scores over 128 + 64, values over 128: 2 x 5 heads x 320 in 2 layers */
    assay_test_close(prepared(&setup).attention_s_per_pair, 2 * 2 * 5 * 320 / (.6 * 312e12), 1e-12,
                     0, "prefill FLOPs of a pair");
    setup.attention_dp = true;
    assay_test_close(prepared(&setup).kv_bytes_per_token, 1152, 1e-12, 0, "of its own sequences");
}

/* One of two layers attends to 100 tokens back. 4 x 10 heads x 100 FLOPs a pair and layer. */
static void a_window_bounds_context_and_pairs(void **state) {
    (void)state;
    assay_model_t model = small_model();
    model.sliding_window = 100;
    model.full_layers = 1;
    const assay_serve_setup_t setup = setup_of(model, 1);
    const assay_serve_step_t step = prepared(&setup);
    double part_s[ASSAY_SERVE_PART_N];
    /* decode: 4 sequences of 1000: 4000 tokens in the one layer, 4 x 100 in the other, 2000 bytes
     */
    const assay_serve_batch_t decode = {.decode = 4, .decode_context = 4000};
    (void)assay_serve_step_s(&step, &decode, part_s);
    assay_test_close(part_s[ASSAY_SERVE_DECODE_ATTENTION], (4000 + 400) * 2000 / RATE, 1e-12, 0,
                     "decode");
    /* prefill: 1000 tokens, 500e3 pairs in the one layer, 1000 x 100 in the other */
    const assay_serve_batch_t prefill = {.prefill_tokens = 1000, .prefill_pairs = 500e3};
    (void)assay_serve_step_s(&step, &prefill, part_s);
    assay_test_close(part_s[ASSAY_SERVE_PREFILL_ATTENTION], (500e3 + 100e3) * 4000 / (.6 * 312e12),
                     1e-12, 0, "prefill");
    const assay_serve_batch_t brief = {.prefill_tokens = 100, .prefill_pairs = 5000};
    (void)assay_serve_step_s(&step, &brief, part_s);
    assay_test_close(part_s[ASSAY_SERVE_PREFILL_ATTENTION], 2 * 5000 * 4000.0 / (.6 * 312e12),
                     1e-12, 0, "shorter than the window");
}

/* One of two layers is linear: 4 value heads of 50 x 40 in fp32, convolution over 3 earlier inputs
   of 2 x 2 x 40 + 4 x 50 in 16 bit. */
static void linear_attention_moves_its_state(void **state) {
    (void)state;
    assay_model_t model = small_model();
    model.linear_key_heads = 2;
    model.linear_value_heads = 4;
    model.linear_key_dim = 40;
    model.linear_value_dim = 50;
    model.linear_conv = 4;
    model.full_layers = 1;
    const assay_serve_setup_t setup = setup_of(model, 1);
    const assay_serve_step_t step = prepared(&setup);
    const double state_bytes = 4 * 4 * 50 * 40 + 3 * (2 * 2 * 40 + 4 * 50) * 2;
    assay_test_close(step.state_s, 2 * state_bytes / RATE, 1e-12, 0, "in and out");
    assay_test_close(step.kv_bytes_per_token, 2000, 1e-12, 0, "keys of the full layer alone");
    assay_test_close(step.attention_s_per_pair, 4000 / (.6 * 312e12), 1e-12, 0,
                     "pairs of the full layer alone");
}

/* Bytes of 30e6 parameters in the layers; head and table stay in 16 bit. GEMM rates by type are the
   part's: fp4 weights that are multiplied in 16 bit (w4a16) only read less. */
static void narrow_weights_and_keys_are_read_faster(void **state) {
    (void)state;
    static const double bytes[] = {4, 2, 1, 0.5625, 0.5195};
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        assay_serve_setup_t setup = setup_of(small_model(), 1);
        setup.weight_bytes = bytes[i];
        setup.kv_bytes = bytes[i];
        const assay_serve_step_t step = prepared(&setup);
        assay_test_close(step.linear[0].bytes + step.linear[1].bytes, 30e6 * bytes[i], 1e-12, 0,
                         "weights");
        assay_test_close(step.kv[0].read_s, 2000 * bytes[i] / RATE, 1e-12, 0, "keys");
        assay_test_close(step.flops_per_s, 312e12, 1e-12, 0, "multiplied in 16 bit");
    }
    assay_machine_t machine = fixture_a100(1);
    machine.device.peak_flops[ASSAY_DT_FP8] = 624e12;
    assay_serve_setup_t setup = setup_of(small_model(), 1);
    setup.dtype = ASSAY_DT_FP8;
    setup.weight_bytes = 1;
    const assay_serve_constants_t unit = assay_serve_unit();
    assay_serve_step_t step;
    assay_serve_prepare(&machine, &setup, &unit, &step);
    assay_test_close(step.flops_per_s, 624e12, 1e-12, 0, "multiplied in 8 bit");
    assay_test_close(step.head_flops_per_s, 312e12, 1e-12, 0, "the head is not");
}

/* Two of 8 experts a token, on 4 ranks; the busiest has half more than the mean to do. */
static void the_busiest_rank_sets_the_time(void **state) {
    (void)state;
    assay_model_t model = small_model();
    model.experts = 8;
    model.top_k = 2;
    model.expert_ffn = 500;
    assay_serve_setup_t setup = setup_of(model, 4);
    setup.ep = 4;
    assay_serve_step_t even = prepared(&setup);
    setup.imbalance = 1.5;
    assay_serve_step_t uneven = prepared(&setup);
    even.serial = uneven.serial = 0;
    const assay_serve_batch_t one = {.decode = 1, .decode_context = 1};
    const assay_serve_batch_t many = {.decode = 1e5, .decode_context = 1e5};
    double even_s[ASSAY_SERVE_PART_N], uneven_s[ASSAY_SERVE_PART_N];
    (void)assay_serve_step_s(&even, &one, even_s);
    (void)assay_serve_step_s(&uneven, &one, uneven_s);
    /* one token reads: 2 of 8 experts, 2 layers x 8 x 1.5e6 x 2 bytes on 4 ranks */
    assay_test_close(uneven_s[ASSAY_SERVE_LINEAR] - even_s[ASSAY_SERVE_LINEAR],
                     .5 * .25 * 2 * 8 * 1.5e6 * 2 / 4 / RATE, 1e-9, 0, "read");
    (void)assay_serve_step_s(&even, &many, even_s);
    (void)assay_serve_step_s(&uneven, &many, uneven_s);
    /* many compute: 2 layers x 2 x 2 visits x 1.5e6 FLOPs on 4 ranks */
    assay_test_close(uneven_s[ASSAY_SERVE_LINEAR] - even_s[ASSAY_SERVE_LINEAR],
                     .5 * 1e5 * 2 * 2 * 2 * 1.5e6 / 4 / 312e12, 1e-9, 0, "computed");
}

/* A layer: two norms, qkv, rotary, attention and its cache, out, up, activation, down: 10; outside:
   table, norm, head. 23 kernels of 50 us are longer than the step on the device, of which 2 x 10 us
   are its launches from a graph. */
static void kernels_that_are_not_captured_are_issued_one_by_one(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_constants_t constants = some_constants();
    const assay_serve_batch_t few = {.decode = 4, .decode_context = 4000};
    const assay_serve_batch_t many = {.prefill_tokens = 1e6};
    double captured_s[ASSAY_SERVE_PART_N], eager_s[ASSAY_SERVE_PART_N];
    assay_serve_step_t step;
    assay_serve_prepare(&machine, &setup, &constants, &step);
    (void)assay_serve_step_s(&step, &few, captured_s);
    setup.issue_s = 50e-6;
    assay_serve_prepare(&machine, &setup, &constants, &step);
    (void)assay_serve_step_s(&step, &few, eager_s);
    assay_test_close(eager_s[ASSAY_SERVE_HOST] - captured_s[ASSAY_SERVE_HOST],
                     23 * 50e-6 - captured_s[ASSAY_SERVE_LINEAR] - captured_s[ASSAY_SERVE_STREAM] -
                         2 * 10e-6,
                     1e-9, 0, "waits for the host");
    (void)assay_serve_step_s(&step, &many, eager_s);
    assay_test_close(eager_s[ASSAY_SERVE_HOST], 2 * 10e-6, 1e-9, 0, "issued ahead");
}

/* Two stages in a node: one hop of 1000 x 2 bytes at .8 x 300e9 bytes/s, 2 us, and a launch of 3
 * us. */
static void stages_pass_hidden_states_on(void **state) {
    (void)state;
    assay_serve_setup_t setup = setup_of(small_model(), 1);
    setup.pp = 2;
    const assay_serve_step_t step = prepared(&setup);
    assay_test_close(step.hop_s, 2e-6 + 3e-6, 1e-6, 0, "latency and launch");
    assay_test_close(step.comm_s_per_token, 2000 / (.8 * 300e9), 1e-6, 0, "transfer");
    assay_test_close(step.kv_bytes_per_token, 2000, 1e-12, 0, "half of the layers a device");
}

/* The head is multiplied with the last token of a prompt and every token of an answer, not with the
   rest of the prompt. Sampling is host time of the same rows. */
static void the_head_works_on_sampled_rows(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_constants_t constants = some_constants();
    assay_serve_step_t step;
    double none_s[ASSAY_SERVE_PART_N], some_s[ASSAY_SERVE_PART_N];
    assay_serve_prepare(&machine, &setup, &constants, &step);
    const assay_serve_batch_t none = {.prefill_tokens = 8192},
                              some = {.prefill_tokens = 8192, .sampled = 3};
    (void)assay_serve_step_s(&step, &none, none_s);
    (void)assay_serve_step_s(&step, &some, some_s);
    /* 2e7 bytes at .8 x RATE; a tenth of 3 x 2e7 FLOPs at half of 312e12 shows */
    assay_test_close(some_s[ASSAY_SERVE_LINEAR] - none_s[ASSAY_SERVE_LINEAR],
                     2e7 / (.8 * RATE) + .1 * 3 * 2e7 / (.5 * 312e12), 1e-9, 0, "head");
    assay_test_close(some_s[ASSAY_SERVE_HOST] - none_s[ASSAY_SERVE_HOST], 3 * 2e-6, 1e-9, 0,
                     "sampling");
}

/* A quarter is cached: 900 of 1200 tokens attend to 300 and to each other. */
static void a_cached_prefix_is_neither_computed_nor_held_twice(void **state) {
    (void)state;
    const assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_step_t step = prepared(&setup);
    const assay_serve_load_t load = {.input_tokens = 1200,
                                     .output_tokens = 200,
                                     .cached_tokens = 300,
                                     .token_budget = 8192,
                                     .kv_tokens = 10300};
    const assay_serve_batch_t prefill = {
        .prefill_tokens = 900, .prefill_pairs = 900 * (300 + 450.0), .sampled = 1};
    assay_test_close(assay_serve_prefill_s(&step, &load, 1),
                     assay_serve_step_s(&step, &prefill, NULL), 1e-12, 0, "prefill");
    /* (10300 - 300) / (900 + 100) */
    assay_test_close(assay_serve_concurrency(&load, 64), 10, 1e-12, 0, "one copy of the prefix");
}

/* Two tokens proposed, .5 accepted each: 1 + .5 + .25 a step. The draft takes a fifth of a step,
   twice. */
static void drafts_give_several_tokens_a_step(void **state) {
    (void)state;
    const assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_step_t step = prepared(&setup);
    assay_serve_load_t load = {.input_tokens = 900, .output_tokens = 200};
    const double plain_s = assay_serve_decode_s(&step, &load, 4);
    load.draft = (assay_serve_draft_t){.tokens = 2, .acceptance = .5, .step_share = .2};
    assay_test_close(assay_serve_draft_gain(&load.draft), 1.75, 1e-12, 0, "gain");
    const assay_serve_batch_t verify = {.decode = 4,
                                        .decode_context = 4000,
                                        .prefill_tokens = 8,
                                        .prefill_pairs = 8000,
                                        .sampled = 8};
    assay_test_close(assay_serve_decode_s(&step, &load, 4),
                     (assay_serve_step_s(&step, &verify, NULL) + 2 * .2 * plain_s) / 1.75, 1e-12, 0,
                     "time of a token");
    assert_true(assay_serve_decode_s(&step, &load, 4) < plain_s); /* few sequences: worth it */
}

/* More bandwidth, more FLOP/s, fewer tokens: never slower. */
/* At 1000 tokens of cache sequences of 100 and 50 tokens run 1000 / 125 = 8 at a time, or where all
   that one may grow to is kept free 1000 / 150 = 6 and two thirds. */
static void sequences_reserve_what_the_engine_says(void **state) {
    (void)state;
    assay_serve_load_t load = {.input_tokens = 100, .output_tokens = 50, .kv_tokens = 1000};
    assay_test_close(assay_serve_concurrency(&load, 100), 8, 1e-12, 0, "grows");
    load.reserves_whole = true;
    assay_test_close(assay_serve_concurrency(&load, 100), 1000 / 150.0, 1e-12, 0, "reserved");
    assay_test_close(assay_serve_concurrency(&load, 3), 3, 1e-12, 0, "fewer are wanted");
}

/* Ten requests, four at a time: waves of 4, 4 and 2. */
static void an_offline_run_goes_in_waves(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_constants_t constants = some_constants();
    const assay_serve_load_t load = {
        .input_tokens = 100, .output_tokens = 11, .token_budget = 1000, .kv_tokens = 1e9};
    assay_serve_step_t step;
    assay_serve_prepare(&machine, &setup, &constants, &step);
    const assay_serve_batch_t four = {.decode = 4, .decode_context = 4 * 105.5};
    const assay_serve_batch_t two = {.decode = 2, .decode_context = 2 * 105.5};
    const double expected_s =
        assay_serve_prefill_s(&step, &load, 10) +
        10 * (2 * assay_serve_step_s(&step, &four, NULL) + assay_serve_step_s(&step, &two, NULL));
    assay_test_close(assay_serve_offline_s(&step, &load, 10, 4), expected_s, 1e-12, 0, "waves");
    assay_test_close(assay_serve_offline_s(&step, &load, 3, 4),
                     assay_serve_static_s(&step, &load, 3), 1e-12, 0, "one wave is a batch");
}

/* One sequence on two stages passes both: as long as on one device and the way between them (2 us
   and a launch of 3, 2000 bytes at .8 x 300e9 bytes/s), not half of it. */
static void a_pipeline_does_not_split_a_sequence(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_constants_t constants = some_constants();
    assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_load_t load = {
        .input_tokens = 1, .output_tokens = 1001, .token_budget = 1000, .kv_tokens = 1e9};
    assay_serve_step_t one, two;
    assay_serve_prepare(&machine, &setup, &constants, &one);
    setup.pp = 2;
    assay_serve_prepare(&machine, &setup, &constants, &two);
    const double prefill_s = assay_serve_prefill_s(&one, &load, 1);
    const double hop_s = 2e-6 + 3e-6 + 2000 / (.8 * 300e9);
    assay_test_close(assay_serve_static_s(&two, &load, 1) - (prefill_s + hop_s) / 2,
                     assay_serve_static_s(&one, &load, 1) - prefill_s + 1000 * hop_s, 1e-9, 0,
                     "decode");
}

/* Two ranks that attend to their own sequences: every rank reads all of attention and MLP, 2 layers
   x 15e6 x 2 bytes, and the head; it computes for half of the tokens, and there is no reduction. */
static void ranks_that_attend_alone_share_sequences(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(2);
    const assay_serve_constants_t constants = some_constants();
    assay_serve_setup_t setup = setup_of(small_model(), 2);
    setup.attention_dp = true;
    assay_serve_step_t step;
    double part_s[ASSAY_SERVE_PART_N];
    const assay_serve_batch_t batch = {.decode = 4, .decode_context = 4000};
    assay_serve_prepare(&machine, &setup, &constants, &step);
    (void)assay_serve_step_s(&step, &batch, part_s);
    const double stream = .8 * RATE, compute = .5 * 312e12;
    assay_test_close(part_s[ASSAY_SERVE_LINEAR],
                     8e7 / stream + .1 * 4 * (60e6 / 2 + 2e7 / 2) / compute, 1e-9, 0, "linear");
    assay_test_close(part_s[ASSAY_SERVE_DECODE_ATTENTION], 4000 * 4000.0 / 2 / (.5 * RATE), 1e-9, 0,
                     "each reads the cache of its own sequences");
    assay_test_close(part_s[ASSAY_SERVE_HOST], 2 * 1e-5 + 4 / 2 * 2e-6, 1e-9, 0, "host");
    assay_test_close(step.weight_bytes, 2 * (30e6 + 2e7), 1e-9, 0, "weights of each");
}

/* Matrices on two ranks, the cache on the first: half the weights, all of the 4000 bytes a token.
 */
static void attention_may_stay_on_one_rank(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(2);
    const assay_serve_constants_t constants = some_constants();
    assay_serve_setup_t setup = setup_of(small_model(), 2);
    setup.attention_on_one = true;
    assay_serve_step_t step;
    double part_s[ASSAY_SERVE_PART_N];
    const assay_serve_batch_t batch = {.decode = 4, .decode_context = 4000};
    assay_serve_prepare(&machine, &setup, &constants, &step);
    (void)assay_serve_step_s(&step, &batch, part_s);
    assay_test_close(part_s[ASSAY_SERVE_DECODE_ATTENTION], 4000 * 4000.0 / (.5 * RATE), 1e-9, 0,
                     "decode attention");
    const double linear_s = part_s[ASSAY_SERVE_LINEAR];
    setup.attention_on_one = false;
    assay_serve_prepare(&machine, &setup, &constants, &step);
    (void)assay_serve_step_s(&step, &batch, part_s);
    assay_test_close(linear_s, part_s[ASSAY_SERVE_LINEAR], 1e-12, 0, "matrices are shared out");
}

/* Weights of 4 bit with attention in 16: 12e6 bytes of attention and 2 x 12e6 x .5 of the MLP. */
static void attention_may_stay_wide(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_serve_constants_t constants = some_constants();
    assay_serve_setup_t setup = setup_of(small_model(), 1);
    setup.weight_bytes = .5;
    setup.wide_attention = true;
    assay_serve_step_t step;
    assay_serve_prepare(&machine, &setup, &constants, &step);
    assay_test_close(step.weight_bytes, 12e6 + 12e6 + 2 * 2e7, 1e-9, 0, "weights");
}

static void more_of_anything_is_never_slower(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    const assay_serve_setup_t setup = setup_of(small_model(), 1);
    const assay_serve_constants_t constants = some_constants();
    for (double n = 1; n < 5000; n *= 3) {
        const assay_serve_batch_t batch = {.prefill_tokens = n,
                                           .prefill_pairs = n * n / 2,
                                           .sampled = 1,
                                           .decode = n,
                                           .decode_context = 700 * n};
        assay_serve_step_t slow, fast;
        machine.device.hbm_bytes_per_s = 1e12;
        machine.device.peak_flops[ASSAY_DT_BF16] = 1e14;
        assay_serve_prepare(&machine, &setup, &constants, &slow);
        machine.device.hbm_bytes_per_s = 2e12;
        assay_serve_prepare(&machine, &setup, &constants, &fast);
        assert_true(assay_serve_step_s(&fast, &batch, NULL) <=
                    assay_serve_step_s(&slow, &batch, NULL));
        machine.device.peak_flops[ASSAY_DT_BF16] = 3e14;
        assay_serve_prepare(&machine, &setup, &constants, &slow);
        assert_true(assay_serve_step_s(&slow, &batch, NULL) <=
                    assay_serve_step_s(&fast, &batch, NULL));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decode_step_is_the_sum_of_its_parts),
        cmocka_unit_test(a_kernel_per_query_head_reads_more),
        cmocka_unit_test(ranks_divide_weights_and_heads),
        cmocka_unit_test(experts_are_read_as_tokens_visit_them),
        cmocka_unit_test(a_closed_loop_is_bound_by_the_cache),
        cmocka_unit_test(sequences_reserve_what_the_engine_says),
        cmocka_unit_test(an_offline_run_goes_in_waves),
        cmocka_unit_test(a_pipeline_does_not_split_a_sequence),
        cmocka_unit_test(ranks_that_attend_alone_share_sequences),
        cmocka_unit_test(attention_may_stay_on_one_rank),
        cmocka_unit_test(attention_may_stay_wide),
        cmocka_unit_test(heads_that_share_keys_read_less),
        cmocka_unit_test(latent_keys_repeat_on_every_rank),
        cmocka_unit_test(a_window_bounds_context_and_pairs),
        cmocka_unit_test(linear_attention_moves_its_state),
        cmocka_unit_test(narrow_weights_and_keys_are_read_faster),
        cmocka_unit_test(the_busiest_rank_sets_the_time),
        cmocka_unit_test(kernels_that_are_not_captured_are_issued_one_by_one),
        cmocka_unit_test(stages_pass_hidden_states_on),
        cmocka_unit_test(the_head_works_on_sampled_rows),
        cmocka_unit_test(a_cached_prefix_is_neither_computed_nor_held_twice),
        cmocka_unit_test(drafts_give_several_tokens_a_step),
        cmocka_unit_test(more_of_anything_is_never_slower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
