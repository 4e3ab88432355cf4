/* Names of parts and refusals; which layouts are legal, and the numbers that decide. */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/train.h"
#include "machine_fixture.h"

static void every_code_has_a_name(void **state) {
    (void)state;
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        assert_non_null(assay_time_part_name((assay_time_part_t)i));
    }
    for (int i = 0; i < ASSAY_MEMORY_N; i++) {
        assert_non_null(assay_memory_part_name((assay_memory_part_t)i));
    }
    for (int i = 0; i < ASSAY_REJECT_N; i++) {
        assert_non_null(assay_reject_name((assay_reject_t)i));
        assert_non_null(assay_reject_sentence((assay_reject_t)i));
    }
    assert_string_equal(assay_time_part_name(ASSAY_TIME_PP_BUBBLE), "pp_bubble");
    assert_string_equal(assay_memory_part_name(ASSAY_MEMORY_GATHERED), "gathered_layers");
    assert_string_equal(assay_reject_name(ASSAY_REJECT_TP_NODE), "tp_node");
}

static assay_layout_t layout(uint16_t tp, uint16_t pp, uint16_t vpp, uint32_t dp,
                             uint32_t micro_batch, uint8_t zero) {
    return (assay_layout_t){
        .tp = tp, .pp = pp, .vpp = vpp, .dp = dp, .micro_batch = micro_batch, .zero = zero};
}

/* 64 A100 (8 nodes), LLaMA-65B: 80 layers, 64 heads, FFN 22016 = 2^9 x 43, batch 64. */
static void each_refusal_names_need_and_have(void **state) {
    (void)state;
    const struct {
        assay_layout_t layout;
        assay_reject_t reject;
        double need, have;
    } cases[] = {
        {layout(8, 8, 1, 1, 1, 0), ASSAY_REJECT_NONE, 0, 0},
        {layout(3, 1, 1, 1, 1, 0), ASSAY_REJECT_HEADS, 3, 64},
        {layout(64, 1, 1, 1, 1, 0), ASSAY_REJECT_TP_NODE, 64, 8},
        {layout(8, 24, 1, 1, 1, 0), ASSAY_REJECT_LAYERS, 24, 80},
        {layout(8, 8, 4, 1, 1, 0), ASSAY_REJECT_LAYERS, 32, 80},
        {layout(8, 4, 1, 1, 1, 0), ASSAY_REJECT_DEVICES, 32, 64},
        {layout(8, 16, 1, 1, 1, 0), ASSAY_REJECT_DEVICES, 128, 64},
        {layout(8, 1, 1, 8, 16, 0), ASSAY_REJECT_BATCH, 128, 64},
        {layout(8, 2, 1, 4, 3, 0), ASSAY_REJECT_BATCH, 12, 64},
        {layout(8, 1, 2, 8, 1, 0), ASSAY_REJECT_INTERLEAVE, 2, 1},
        {layout(8, 8, 2, 1, 16, 0), ASSAY_REJECT_INTERLEAVE, 8, 4},
        {layout(8, 8, 2, 1, 8, 0), ASSAY_REJECT_NONE, 0, 0},
        {layout(8, 8, 1, 1, 1, 2), ASSAY_REJECT_ZERO, 8, 1},
        {layout(8, 1, 1, 8, 1, 3), ASSAY_REJECT_NONE, 0, 0},
    };
    const assay_machine_t machine = fixture_a100(8);
    const assay_workload_t work = fixture_llama_65b(64);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double need = -1, have = -1;
        const assay_reject_t reject =
            assay_train_check(&machine, &work, &cases[i].layout, &need, &have);
        if (reject != cases[i].reject) {
            fail_msg("case %zu: %s, expected %s", i, assay_reject_name(reject),
                     assay_reject_name(cases[i].reject));
        }
        assay_test_close(need, cases[i].need, 0, 0, "need");
        assay_test_close(have, cases[i].have, 0, 0, "have");
    }
}

static void kv_heads_may_be_copied_but_not_split_unevenly(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t eight = layout(8, 1, 1, 1, 1, 0);
    double need, have;
    work.model.kv_heads = 4; /* two devices hold the same KV head */
    assert_int_equal(assay_train_check(&machine, &work, &eight, &need, &have), ASSAY_REJECT_NONE);
    work.model.heads = 48;
    work.model.kv_heads = 6;
    assert_int_equal(assay_train_check(&machine, &work, &eight, &need, &have), ASSAY_REJECT_HEADS);
    assay_test_close(have, 6, 0, 0, "the KV heads decide");
    work.model.ffn = 1004;
    work.model.kv_heads = 8;
    assert_int_equal(assay_train_check(&machine, &work, &eight, &need, &have), ASSAY_REJECT_WIDTH);
    assay_test_close(have, 1004, 0, 0, "FFN width");
}

static void sequence_parallelism_needs_tensor_parallelism(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_workload_t work = fixture_llama_65b(64);
    assay_layout_t l = layout(1, 1, 1, 8, 1, 0);
    double need, have;
    l.sequence_parallel = true;
    assert_int_equal(assay_train_check(&machine, &work, &l, &need, &have), ASSAY_REJECT_SEQUENCE);
    assay_test_close(need, 2, 0, 0, "tp at least");
    l.tp = 8;
    l.dp = 1;
    assert_int_equal(assay_train_check(&machine, &work, &l, &need, &have), ASSAY_REJECT_NONE);
    work.sequence = 2047;
    assert_int_equal(assay_train_check(&machine, &work, &l, &need, &have), ASSAY_REJECT_SEQUENCE);
    assay_test_close(have, 2047, 0, 0, "sequence");
}

static void tensor_parallel_groups_tile_a_domain(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_mi250x(2); /* domain of 8 devices, 16 in all */
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t eight = layout(8, 1, 1, 2, 1, 0), sixteen = layout(16, 1, 1, 1, 1, 0);
    double need, have;
    assert_int_equal(assay_train_check(&machine, &work, &eight, &need, &have), ASSAY_REJECT_NONE);
    assert_int_equal(assay_train_check(&machine, &work, &sixteen, &need, &have),
                     ASSAY_REJECT_TP_NODE);
    assay_machine_t odd = fixture_a100(2);
    odd.links.domain = 6; /* neighbours of four would straddle two domains */
    const assay_layout_t four = layout(4, 1, 1, 4, 1, 0);
    assert_int_equal(assay_train_check(&odd, &work, &four, &need, &have), ASSAY_REJECT_TP_NODE);
    odd.devices = 4; /* a part of one domain */
    const assay_layout_t alone = layout(4, 1, 1, 1, 1, 0);
    assert_int_equal(assay_train_check(&odd, &work, &alone, &need, &have), ASSAY_REJECT_NONE);
}

/* NVIDIA-NeMo/Megatron-Bridge, layouts of DeepSeek-V3 ("Et*4|(t*4|)*14tmL", "Et|(tt|)*30mL"), of
   Moonlight and, with 126 layers, of Llama 3.1 405B; 80 layers on 24 pieces of 4 would leave out
   more than two pieces hold. */
static void layers_lie_as_published(void **state) {
    (void)state;
    static const struct {
        uint32_t layers, chunks;
        bool fits;
        assay_split_t split;
    } cases[] = {
        {61, 16, true, {4, 0, 3}}, {61, 8, true, {8, 0, 3}},   {61, 32, true, {2, 1, 2}},
        {27, 4, true, {7, 0, 1}},  {126, 8, true, {16, 1, 1}}, {80, 8, true, {10, 0, 0}},
        {80, 24, false, {0}},
    };
    assay_split_t split;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(assay_layout_split(cases[i].layers, cases[i].chunks, &split),
                         cases[i].fits);
        if (cases[i].fits) {
            assert_memory_equal(&split, &cases[i].split, sizeof split);
        }
    }
    for (uint32_t layers = 1; layers < 100; layers++) {
        for (uint32_t chunks = 1; chunks < 100; chunks++) {
            if (assay_layout_split(layers, chunks, &split)) {
                assert_int_equal(split.layers * chunks,
                                 layers + split.first_less + split.last_less);
                assert_true(split.last_less <= split.layers && split.first_less <= split.layers);
            }
        }
    }
}

static void a_refused_layout_has_no_times(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(8);
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t l = layout(8, 24, 1, 1, 1, 0);
    assay_estimate_t e;
    assay_train_estimate(&machine, &work, &l, &e);
    assert_int_equal(e.reject, ASSAY_REJECT_LAYERS);
    assay_test_close(e.need, 24, 0, 0, "need");
    assay_test_close(e.step_s, 0, 0, 0, "step");
    assay_test_close(e.peak_total_bytes, 0, 0, 0, "peak");
    assert_int_equal(e.layout.n_micro, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_a_name),
        cmocka_unit_test(each_refusal_names_need_and_have),
        cmocka_unit_test(kv_heads_may_be_copied_but_not_split_unevenly),
        cmocka_unit_test(sequence_parallelism_needs_tensor_parallelism),
        cmocka_unit_test(tensor_parallel_groups_tile_a_domain),
        cmocka_unit_test(layers_lie_as_published),
        cmocka_unit_test(a_refused_layout_has_no_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
