/* Bytes as quantization_config says them. The model: Llama of 2 layers, width 1024, MLP 4096,
   vocabulary 1000, untied. By part: table and head 1,024,000 each, attention 2 x 4 x 1024^2 =
   8,388,608, MLP 2 x 3 x 1024 x 4096 = 25,165,824, norms 5 x 1024 = 5120. */
#include "arena_fixture.h"
#include "assay_test.h"

#include <stdio.h>

#include "assay/model_file.h"

#define TABLE 1024000.0
#define ATTENTION 8388608.0
#define MLP 25165824.0
#define NORMS 5120.0
#define BODY (ATTENTION + MLP)
#define WIDE (2 * (2 * TABLE + NORMS)) /* what every scheme leaves in 16 bit */

static assay_model_file_t file;

static double bytes_of(const char *quantization) {
    char text[1024];
    assay_error_t err;
    snprintf(text, sizeof text,
             "{\"model_type\": \"llama\", \"hidden_size\": 1024, \"intermediate_size\": 4096,"
             " \"num_attention_heads\": 8, \"num_hidden_layers\": 2, \"vocab_size\": 1000,"
             " \"max_position_embeddings\": 9, \"torch_dtype\": \"bfloat16\"%s%s}",
             *quantization ? ", \"quantization_config\": " : "", quantization);
    if (assay_model_config_read(arena, "config.json", text, strlen(text), &file, &err) !=
        ASSAY_OK) {
        fail_msg("%s", err.what);
    }
    return file.checkpoint.total_bytes;
}

static void check(const char *quantization, double expected, const char *dtype) {
    assay_test_close(bytes_of(quantization), expected, 1e-12, 0, quantization);
    assert_string_equal(file.checkpoint.dtype, dtype);
    assert_int_equal(file.notes.n, 0);
}

static void schemes_have_their_bits_and_scales(void **state) {
    (void)state;
    check("", 2 * (2 * TABLE + BODY + NORMS), "bf16");
    /* an fp32 scale for each 128 x 128 */
    check("{\"quant_method\": \"fp8\", \"weight_block_size\": [128, 128]}",
          WIDE + BODY * (1 + 4.0 / 16384), "fp8");
    check("{\"quant_method\": \"fbgemm_fp8\", \"modules_to_not_convert\": []}", WIDE + BODY, "fp8");
    /* 4 bits, and a 16-bit scale and a 4-bit zero point for each 128 */
    check("{\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 128}",
          WIDE + BODY * (4 + 20.0 / 128) / 8, "int4");
    check("{\"quant_method\": \"gptq\", \"bits\": 8, \"group_size\": -1}", WIDE + BODY, "int4");
    check("{\"quant_method\": \"awq\", \"w_bit\": 4, \"q_group_size\": 64}",
          WIDE + BODY * (4 + 20.0 / 64) / 8, "int4");
    check("{\"quant_method\": \"compressed-tensors\", \"format\": \"pack-quantized\","
          " \"config_groups\": {\"group_0\": {\"weights\": {\"num_bits\": 4, \"group_size\": 32}}},"
          " \"ignore\": [\"lm_head\"]}",
          WIDE + BODY * (4 + 16.0 / 32) / 8, "int");
    check("{\"quant_method\": \"bitsandbytes\", \"load_in_8bit\": true}", WIDE + BODY, "int8");
    /* an fp32 scale for each 64; or 8 bits for each 64 and 32 for each 64 x 256 */
    check("{\"quant_method\": \"bitsandbytes\", \"load_in_4bit\": true}",
          WIDE + BODY * (4 + 32.0 / 64) / 8, "nf4");
    check("{\"quant_method\": \"bitsandbytes\", \"load_in_4bit\": true,"
          " \"bnb_4bit_use_double_quant\": true}",
          WIDE + BODY * (4 + 8.0 / 64 + 32.0 / (64 * 256)) / 8, "nf4");
    check("{\"quant_method\": \"modelopt\", \"quant_algo\": \"NVFP4\", \"ignore\": [\"lm_head\"]}",
          WIDE + BODY * (4 + 8.0 / 16) / 8, "nvfp4");
    check("{\"quant_algo\": \"FP8\", \"exclude_modules\": [\"lm_head\"]}", WIDE + BODY, "fp8");
}

/* dtype is that of most bytes. What stays: named whole, by layer, by pattern, by regular
 * expression. */
static void modules_that_stay_are_in_16_bit(void **state) {
    (void)state;
#define FP8 "{\"quant_method\": \"fbgemm_fp8\", \"modules_to_not_convert\": "
    check(FP8 "[\"lm_head\", \"model.layers.*.self_attn\"]}", WIDE + 2 * ATTENTION + MLP, "fp8");
    check(FP8 "[\"model.layers.1.mlp.down_proj\", \"model.layers.1.mlp.up_proj\"]}",
          WIDE + ATTENTION + 1.5 * MLP, "bf16");
    check(FP8 "[\"model.layers.0*\"]}", WIDE + 1.5 * BODY, "bf16");
    check(FP8 "[\"re:.*self_attn.*\", \"re:.*mlp.*\"]}", WIDE + 2 * BODY, "bf16");
    /* ModelOpt quantises the head, unless it is told not to */
    check("{\"quant_algo\": \"FP8\"}", WIDE - TABLE + BODY, "fp8");
}

static void an_unknown_scheme_is_said(void **state) {
    (void)state;
    assay_test_close(bytes_of("{\"quant_method\": \"hqq\"}"), 2 * (2 * TABLE + BODY + NORMS), 0, 0,
                     "16 bit");
    assert_int_equal(file.notes.n, 1);
    assert_non_null(strstr(file.notes.text[0], "'hqq' is not known"));
}

static void tensors_belong_to_parts(void **state) {
    (void)state;
    static const struct {
        const char *name;
        assay_part_t part;
    } known[] = {
        {"model.embed_tokens.weight", ASSAY_PART_EMBEDDING},
        {"transformer.wte.weight", ASSAY_PART_EMBEDDING},
        {"token_embd.weight", ASSAY_PART_EMBEDDING},
        {"model.layers.3.self_attn.q_proj.weight", ASSAY_PART_ATTENTION},
        {"model.layers.3.self_attn.q_norm.weight", ASSAY_PART_ATTENTION},
        {"model.layers.3.linear_attn.in_proj_qkvz.weight", ASSAY_PART_ATTENTION},
        {"transformer.h.0.attn.c_attn.weight", ASSAY_PART_ATTENTION},
        {"blk.0.attn_output.weight", ASSAY_PART_ATTENTION},
        {"model.layers.3.mlp.gate_proj.weight", ASSAY_PART_MLP},
        {"transformer.h.0.mlp.dense_h_to_4h.weight", ASSAY_PART_MLP},
        {"blk.0.ffn_gate.weight", ASSAY_PART_MLP},
        {"model.layers.3.mlp.gate.weight", ASSAY_PART_ROUTER},
        {"model.layers.3.block_sparse_moe.gate.weight", ASSAY_PART_ROUTER},
        {"blk.0.ffn_gate_inp.weight", ASSAY_PART_ROUTER},
        {"model.layers.3.mlp.experts.7.up_proj.weight", ASSAY_PART_EXPERT},
        {"blk.0.ffn_up_exps.weight", ASSAY_PART_EXPERT},
        {"model.layers.3.mlp.shared_experts.up_proj.weight", ASSAY_PART_SHARED_EXPERT},
        {"model.layers.3.mlp.shared_expert_gate.weight", ASSAY_PART_SHARED_EXPERT},
        {"blk.0.ffn_up_shexp.weight", ASSAY_PART_SHARED_EXPERT},
        {"model.layers.3.input_layernorm.weight", ASSAY_PART_NORM},
        {"transformer.ln_f.weight", ASSAY_PART_NORM},
        {"blk.0.attn_norm.weight", ASSAY_PART_NORM},
        {"output_norm.weight", ASSAY_PART_NORM},
        {"lm_head.weight", ASSAY_PART_HEAD},
        {"output.weight", ASSAY_PART_HEAD},
        {"transformer.output_layer.weight", ASSAY_PART_HEAD},
        {"visual.blocks.0.attn.qkv.weight", ASSAY_PART_VISION},
        {"vision_tower.vision_model.encoder.layers.0.mlp.fc1.weight", ASSAY_PART_VISION},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (assay_part_of_tensor(known[i].name) != known[i].part) {
            fail_msg("%s is read as %s", known[i].name,
                     assay_part_name(assay_part_of_tensor(known[i].name)));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_have_their_bits_and_scales),
        cmocka_unit_test(modules_that_stay_are_in_16_bit),
        cmocka_unit_test(an_unknown_scheme_is_said),
        cmocka_unit_test(tensors_belong_to_parts),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
