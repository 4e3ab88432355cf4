#include "resolve_fixture.h"

#include "assay/catalog.h"
#include "assay/model_ops.h"

static const assay_model_op_t *op_of(const assay_model_op_t *op, uint32_t n, const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(op[i].name, name) == 0) {
            return &op[i];
        }
    }
    fail_msg("no operation '%s'", name);
    return NULL;
}

static void layers_of_all_kinds_sum_to_the_model(void **state) {
    (void)state;
    for (uint32_t i = 0; i < catalog->n_model; i++) {
        const assay_model_t *model = &catalog->model[i];
        if (strcmp(model->kind, "decoder-LLM") != 0) {
            continue;
        }
        assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
        const uint32_t n = assay_model_layer_kinds(model, kind);
        uint32_t layers = 0;
        for (uint32_t k = 0; k < n; k++) {
            layers += kind[k].layers;
        }
        assert_int_equal(layers, model->layers);
        double part[ASSAY_PART_N], sum = 0;
        assay_model_count_t count;
        assay_model_part_params(model, part);
        assay_model_count(model, &count);
        for (int p = 0; p < ASSAY_PART_N; p++) {
            assert_true(part[p] >= 0);
            sum += part[p];
        }
        assay_test_close(sum, count.total, 1e-15, 0, model->id);
    }
}

/* Gemma 3 27B: every sixth of 62 layers attends to all, so 10 do. Llama 4 Maverick: experts in
   every second layer. GPT-OSS: all layers have experts, half of them a window. */
static void kinds_follow_the_pattern(void **state) {
    (void)state;
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    assert_int_equal(assay_model_layer_kinds(model_of("gemma-3-27b"), kind), 2);
    assert_int_equal(kind[0].window, 1024);
    assert_int_equal(kind[0].layers, 52);
    assert_int_equal(kind[1].window, 0);
    assert_int_equal(kind[1].layers, 10);
    assert_int_equal(assay_model_layer_kinds(model_of("llama-4-maverick"), kind), 2);
    assert_int_equal(kind[0].layers, 24);
    assert_int_equal(assay_model_layer_kinds(model_of("gpt-oss-120b"), kind), 2);
    assert_true(kind[0].moe && kind[1].moe);
    assert_int_equal(kind[0].window, 128);
    assert_int_equal(kind[0].layers, 18);
    assert_int_equal(assay_model_layer_kinds(model_of("deepseek-v3"), kind), 2);
    assert_false(kind[0].moe);
    assert_int_equal(kind[0].layers, 3);
}

/* Llama 4 Maverick as its config.json says: of 48 layers each fourth attends to all, each second
   has experts, so no layer with full attention is dense: 24 dense with a window, 12 with experts
   and a window, 12 with experts and none. */
static void layers_that_differ_in_two_ways_are_told_apart(void **state) {
    (void)state;
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    assay_model_t model = *model_of("llama-4-maverick");
    model.sliding_window = 8192;
    model.full_layers = 12;
    assert_int_equal(assay_model_layer_kinds(&model, kind), 3);
    assert_true(!kind[0].moe && kind[0].window == 8192 && kind[0].layers == 24);
    assert_true(kind[1].moe && kind[1].window == 8192 && kind[1].layers == 12);
    assert_true(kind[2].moe && kind[2].window == 0 && kind[2].layers == 12);
    model.full_layers = 48; /* the same as none with a window */
    assert_int_equal(assay_model_layer_kinds(&model, kind), 2);
    assert_int_equal(kind[0].window, 0);
}

/* Llama-3-8B on 16 ranks: 32 query heads leave 2 a rank, 8 KV heads repeat: one key and one value
   each. qkv: (2 + 2) x 128 columns. */
static void kv_heads_repeat_where_ranks_exceed_them(void **state) {
    (void)state;
    const assay_model_t *model = model_of("llama-3-8b");
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    const uint32_t n_op = assay_model_ops(model, op);
    double k, n;
    assay_model_op_shape(model, op_of(op, n_op, "qkv"), 16, &k, &n);
    assay_test_close(k, 4096, 0, 0, "k");
    assay_test_close(n, 4 * 128, 0, 0, "n");
    assay_model_op_shape(model, op_of(op, n_op, "qkv"), 4, &k, &n);
    assay_test_close(n, (8 + 2 * 2) * 128, 0, 0, "n on 4");
    assay_model_op_shape(model, op_of(op, n_op, "mlp_down"), 4, &k, &n);
    assay_test_close(k, 14336 / 4, 0, 0, "k of a row");
    assay_model_op_shape(model, op_of(op, n_op, "head"), 4, &k, &n);
    assay_test_close(n, 128256 / 4, 0, 0, "n of the head");
    const assay_layer_kind_t kind = {.layers = 32};
    assay_test_close(assay_model_kv_elements(model, &kind, 1), 2 * 8 * 128, 0, 0, "KV on 1");
    assay_test_close(assay_model_kv_elements(model, &kind, 16), 2 * 128, 0, 0, "KV on 16");
}

/* DeepSeek-V3's latent (512 + 64) is on every rank. Mixtral's experts: 8 of 3 x 4096 x 14336. */
static void latents_and_experts_are_in_the_list(void **state) {
    (void)state;
    const assay_layer_kind_t kind = {.layers = 1};
    assay_test_close(assay_model_kv_elements(model_of("deepseek-v3"), &kind, 8), 576, 0, 0, "KV");
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    const uint32_t n = assay_model_ops(model_of("mixtral-8x7b"), op);
    const assay_model_op_t *up = op_of(op, n, "expert_up"), *down = op_of(op, n, "expert_down");
    assert_int_equal(up->kind, ASSAY_OP_GROUPED);
    assay_test_close(up->params + down->params, 8 * 3 * 4096.0 * 14336, 0, 0, "experts");
    assay_test_close(up->visited, 2, 0, 0, "top k");
}

/* Gemma 3 27B at 32,768 tokens: 10 layers keep all, 52 keep 1024; 2 x 16 heads x 128, 2 bytes.
   Qwen3-Next-80B: 12 of 48 layers keep 2 x 2 x 256 a token; the other 36 keep 32 x 128 x 128 in
   fp32 and 3 inputs of (2 x 16 + 32) x 128 for the convolution. */
static void windows_and_states_bound_what_is_kept(void **state) {
    (void)state;
    assay_test_close(assay_model_kv_bytes(model_of("gemma-3-27b"), 32768, 2, 1),
                     (10.0 * 32768 + 52.0 * 1024) * 2 * 16 * 128 * 2, 0, 0, "window");
    assay_model_t next = *model_of("qwen3-30b-a3b");
    next.layers = 48;
    next.full_layers = 12;
    next.kv_heads = 2;
    next.head_dim = 256;
    next.linear_key_heads = 16;
    next.linear_value_heads = 32;
    next.linear_key_dim = next.linear_value_dim = 128;
    next.linear_conv = 4;
    assay_test_close(assay_model_kv_bytes(&next, 1000, 2, 1),
                     12.0 * 1000 * 1024 * 2 + 36.0 * (4 * 32 * 128 * 128 + 3 * 64 * 128 * 2), 0, 0,
                     "state");
    assay_test_close(assay_model_kv_bytes(&next, 1000, 2, 2),
                     12.0 * 1000 * 512 * 2 + 18.0 * (4 * 32 * 128 * 128 + 3 * 64 * 128 * 2), 0, 0,
                     "state on 2");
}

/* Llama-2-7B: 2 x (32 x (4 x 4096^2 + 3 x 4096 x 11008) + 4096 x 32000) and, at 4096 tokens of
   context, 4 x 32 x 32 x 128 x 4096. */
static void forward_flops_match_a_hand_calculation(void **state) {
    (void)state;
    const double matrices = 32.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008) + 4096.0 * 32000;
    assay_test_close(assay_model_forward_flops_per_token(model_of("llama-2-7b"), 4096),
                     2 * matrices + 4.0 * 32 * 32 * 128 * 4096, 1e-15, 0, "forward");
}

/* Mistral-7B v0.1, 8192 tokens, window 4096: token i sees min(i, 4096): the mean is
   4096 - 4096^2 / (2 x 8192) = 3072 against 4096 without the window. */
static void a_window_cuts_the_attention_of_training(void **state) {
    (void)state;
    const assay_model_t *model = model_of("mistral-7b-v0.1");
    assay_model_t full = *model;
    full.sliding_window = 0;
    assay_test_close(assay_model_train_flops_per_token(&full, 8192, true) -
                         assay_model_train_flops_per_token(model, 8192, true),
                     12.0 * 32 * 32 * 128 * (4096 - 3072), 1e-12, 0, "causal");
    assay_test_close(assay_model_train_flops_per_token(&full, 4096, true),
                     assay_model_train_flops_per_token(model, 4096, true), 0, 0, "within");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_of_all_kinds_sum_to_the_model),
        cmocka_unit_test(kinds_follow_the_pattern),
        cmocka_unit_test(layers_that_differ_in_two_ways_are_told_apart),
        cmocka_unit_test(kv_heads_repeat_where_ranks_exceed_them),
        cmocka_unit_test(latents_and_experts_are_in_the_list),
        cmocka_unit_test(windows_and_states_bound_what_is_kept),
        cmocka_unit_test(forward_flops_match_a_hand_calculation),
        cmocka_unit_test(a_window_cuts_the_attention_of_training),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
