#include "arena_fixture.h"
#include "assay_test.h"

#include "assay/model.h"
#include "assay/text.h"
#include "catalog/model_config.h"

static assay_model_t model;
static assay_error_t err;

static assay_status_t read_text(const char *text) {
    memset(&model, 0x5a, sizeof model);
    memset(&err, 0, sizeof err);
    return assay_model_read_hf(arena, "config.json", text, strlen(text), &model, &err);
}

static double count_of(const char *text) {
    assay_model_count_t count;
    assert_int_equal(read_text(text), ASSAY_OK);
    assay_model_count(&model, &count);
    return count.total;
}

/* Shapes as published with the weights; totals are those of the checkpoints (safetensors metadata
   and model cards on Hugging Face). */
static const char llama_2_70b[] =
    "{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\", \"hidden_size\": 8192,"
    " \"intermediate_size\": 28672, \"max_position_embeddings\": 4096,"
    " \"num_attention_heads\": 64, \"num_hidden_layers\": 80, \"num_key_value_heads\": 8,"
    " \"rms_norm_eps\": 1e-05, \"rope_scaling\": null, \"tie_word_embeddings\": false,"
    " \"vocab_size\": 32000}";
static const char mistral_7b[] =
    "{\"model_type\": \"mistral\", \"hidden_size\": 4096, \"intermediate_size\": 14336,"
    " \"num_attention_heads\": 32, \"num_hidden_layers\": 32, \"num_key_value_heads\": 8,"
    " \"sliding_window\": null, \"vocab_size\": 32768}";
static const char mixtral_8x7b[] =
    "{\"model_type\": \"mixtral\", \"hidden_size\": 4096, \"intermediate_size\": 14336,"
    " \"num_attention_heads\": 32, \"num_hidden_layers\": 32, \"num_key_value_heads\": 8,"
    " \"num_local_experts\": 8, \"num_experts_per_tok\": 2, \"vocab_size\": 32000}";
static const char qwen2_7b[] =
    "{\"model_type\": \"qwen2\", \"hidden_size\": 3584, \"intermediate_size\": 18944,"
    " \"num_attention_heads\": 28, \"num_hidden_layers\": 28, \"num_key_value_heads\": 4,"
    " \"sliding_window\": 131072, \"use_sliding_window\": false, \"vocab_size\": 152064}";
static const char qwen3_8b[] =
    "{\"model_type\": \"qwen3\", \"attention_bias\": false, \"hidden_size\": 4096,"
    " \"intermediate_size\": 12288, \"num_attention_heads\": 32, \"num_hidden_layers\": 36,"
    " \"num_key_value_heads\": 8, \"sliding_window\": null, \"vocab_size\": 151936}";
static const char gpt2[] =
    "{\"model_type\": \"gpt2\", \"n_embd\": 768, \"n_head\": 12, \"n_layer\": 12,"
    " \"n_positions\": 1024, \"vocab_size\": 50257}";
static const char gpt_neox_20b[] =
    "{\"model_type\": \"gpt_neox\", \"hidden_size\": 6144, \"intermediate_size\": 24576,"
    " \"num_attention_heads\": 64, \"num_hidden_layers\": 44, \"max_position_embeddings\": 2048,"
    " \"tie_word_embeddings\": false, \"vocab_size\": 50432}";

static void published_configs_give_published_counts(void **state) {
    (void)state;
    assay_test_close(count_of(llama_2_70b), 68976648192.0, 0, 0, "Llama-2-70B");
    assay_test_close(count_of(mistral_7b), 7248023552.0, 0, 0, "Mistral-7B-v0.3");
    assay_test_close(count_of(mixtral_8x7b), 46702792704.0, 0, 0, "Mixtral-8x7B");
    assay_test_close(count_of(qwen2_7b), 7615616512.0, 0, 0, "Qwen2-7B");
    assay_test_close(count_of(qwen3_8b), 8190735360.0, 0, 0, "Qwen3-8B");
    assay_test_close(count_of(gpt2), 124439808.0, 0, 0, "GPT-2");
    assay_test_close(count_of(gpt_neox_20b), 20554567680.0, 0, 0, "GPT-NeoX-20B");
}

static void the_shape_is_read(void **state) {
    (void)state;
    assert_int_equal(read_text(llama_2_70b), ASSAY_OK);
    assert_string_equal(model.kind, "decoder-LLM");
    assert_string_equal(model.family, "llama");
    assert_string_equal(model.id, "config.json");
    assert_int_equal(model.head_dim, 128);
    assert_int_equal(model.kv_heads, 8);
    assert_int_equal(model.max_position, 4096);
    assert_true(model.gated);
    assert_false(model.layer_norm);
    assert_int_equal(read_text(gpt2), ASSAY_OK);
    assert_int_equal(model.ffn, 4 * 768);
    assert_true(model.tied_embeddings);
    assert_true(model.learned_positions);
    assert_true(model.layer_norm);
}

/* What a file leaves out is what the family's configuration class says, not zero. */
static void families_have_their_own_defaults(void **state) {
    (void)state;
#define BASE(type)                                                                 \
    "{\"model_type\": \"" type "\", \"hidden_size\": 4096, \"vocab_size\": 32000," \
    " \"intermediate_size\": 14336, \"num_attention_heads\": 32,"                  \
    " \"num_hidden_layers\": 32"
    assert_int_equal(read_text(BASE("llama") "}"), ASSAY_OK);
    assert_int_equal(model.kv_heads, 32);
    assert_int_equal(model.sliding_window, 0);
    assert_int_equal(read_text(BASE("mistral") "}"), ASSAY_OK);
    assert_int_equal(model.kv_heads, 8);
    assert_int_equal(model.sliding_window, 4096);
    assert_int_equal(read_text(BASE("mistral") ", \"num_key_value_heads\": null,"
                                               " \"sliding_window\": null}"),
                     ASSAY_OK);
    assert_int_equal(model.kv_heads, 32);
    assert_int_equal(model.sliding_window, 0);
    assert_int_equal(read_text(BASE("qwen2") "}"), ASSAY_OK);
    assert_true(model.attn_bias);
    assert_false(model.out_bias);
    assert_int_equal(model.sliding_window, 0);
    assert_int_equal(read_text(BASE("qwen2") ", \"use_sliding_window\": true}"), ASSAY_OK);
    assert_int_equal(model.sliding_window, 4096);
    assert_int_equal(read_text(BASE("qwen3") "}"), ASSAY_OK);
    assert_true(model.qk_norm);
    assert_int_equal(model.head_dim, 128);
    assert_int_equal(read_text(BASE("llama") ", \"attention_bias\": true}"), ASSAY_OK);
    assert_true(model.attn_bias && model.out_bias && !model.mlp_bias);
    assert_int_equal(read_text(BASE("llama") ", \"head_dim\": 64}"), ASSAY_OK);
    assert_int_equal(model.head_dim, 64);
}

static const struct {
    const char *text, *what, *next;
} refused[] = {
    {"", "not JSON", "config.json"},
    {"[1, 2]", "expected a JSON object", ""},
    {"{\"model_type\": \"llama\", \"model_type\": \"llama\"}", "not JSON: duplicate", ""},
    {BASE("llama") ", \"x\": NaN}", "not JSON", ""},
    {BASE("llama") ", \"x\": 1e999}", "not JSON", ""},
    {"{\"hidden_size\": 1}", "key 'model_type' is missing", ""},
    {"{\"model_typ\": \"llama\"}", "key 'model_type' is missing", "'model_typ'"},
    {"{\"model_type\": 7}", "key 'model_type': expected a string", ""},
    {"{\"model_type\": \"lama\"}", "'lama' is not supported", "did you mean 'llama'?"},
    {"{\"model_type\": \"mamba2-hybrid\"}", "not supported", "llama, mistral"},
    {"{\"model_type\": \"llama\", \"num_hidden_layers\": 2, \"hiden_size\": 64}",
     "key 'hidden_size' is missing", "'hiden_size'"},
    {BASE("llama") ", \"layer_types\": [\"full_attention\"]}", "a list of 32", ""},
    {BASE("mistral") ", \"layer_types\": 3}", "a list of 32", ""},
    {"{\"model_type\": \"gpt_oss\", \"hidden_size\": 64, \"intermediate_size\": 64,"
     " \"num_attention_heads\": 8, \"num_hidden_layers\": 1, \"vocab_size\": 9,"
     " \"num_local_experts\": 4, \"layer_types\": [\"no_attention\"]}",
     "layer 0 is 'no_attention'", ""},
    {BASE("deepseek_v3") ", \"mlp_only_layers\": [3]}", "are not the first ones", "describe"},
    {BASE("opt") ", \"ffn_dim\": 9, \"word_embed_proj_dim\": 512}", "(512)", ""},
    {BASE("llama") ", \"head_dim\": \"128\"}", "key 'head_dim': expected a whole number", ""},
    {BASE("llama") ", \"head_dim\": 128.0}", "found 128.0", ""},
    {BASE("llama") ", \"head_dim\": 0}", "expected a whole number from 1 to 4096, found 0", ""},
    {BASE("llama") ", \"head_dim\": -1}", "found -1", ""},
    {BASE("llama") ", \"num_key_value_heads\": 4294967296}", "found 4294967296", ""},
    {BASE("llama") ", \"num_key_value_heads\": 7}", "32 heads do not divide among 7", ""},
    {BASE("llama") ", \"tie_word_embeddings\": \"no\"}", "expected true or false", ""},
    {BASE("bloom") ", \"n_embed\": 4095}", "'hidden_size' and 'n_embed' differ", "keep one"},
    {"{\"model_type\": \"llama\", \"hidden_size\": 100, \"vocab_size\": 9, \"intermediate_size\": "
     "9,"
     " \"num_attention_heads\": 7, \"num_hidden_layers\": 1}",
     "'head_dim' is missing, and hidden/heads is no whole number", "give head_dim"},
    {"{\"model_type\": \"llama\", \"hidden_size\": 64, \"vocab_size\": 9,"
     " \"num_attention_heads\": 4, \"num_hidden_layers\": 1}",
     "key 'intermediate_size' is missing", ""},
    {BASE("mixtral") ", \"num_local_experts\": 4, \"num_experts_per_tok\": 5}", "top_k", ""},
};

static void a_wrong_config_is_refused_with_its_key(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        if (read_text(refused[i].text) != ASSAY_INPUT) {
            fail_msg("accepted: %s", refused[i].text);
        }
        if (!strstr(err.what, refused[i].what) || !strstr(err.next, refused[i].next)) {
            fail_msg("%s; %s: expected '%s'; '%s'", err.what, err.next, refused[i].what,
                     refused[i].next);
        }
        assert_string_equal(err.file, "config.json");
    }
}

static void json_errors_have_a_line(void **state) {
    (void)state;
    assert_int_equal(read_text("{\n  \"model_type\": \"llama\",\n  oops\n}"), ASSAY_INPUT);
    assert_int_equal(err.line, 3);
    assert_true(err.column > 0);
}

static void size_and_depth_are_bounded(void **state) {
    (void)state;
    static char deep[200000];
    memset(deep, '[', sizeof deep - 1);
    assert_int_equal(read_text(deep), ASSAY_INPUT);
    const size_t large = ((size_t)4 << 20) + 1; /* only its size is looked at */
    assert_int_equal(assay_model_read_hf(arena, "config.json", deep, large, &model, &err),
                     ASSAY_LIMIT);
    assay_arena_t *small = assay_arena_create(8);
    assert_int_equal(assay_model_read_hf(small, "config.json", gpt2, sizeof gpt2 - 1, &model, &err),
                     ASSAY_LIMIT);
    assay_arena_destroy(small);
}

static void the_output_is_written_on_success_only(void **state) {
    (void)state;
    assert_int_equal(read_text("{}"), ASSAY_INPUT);
    const unsigned char *bytes = (const unsigned char *)&model;
    for (size_t i = 0; i < sizeof model; i++) {
        assert_int_equal(bytes[i], 0x5a);
    }
}

/* A sum of products of numbers, "yes", "no" and fields. */
static bool is_expression(const char *text) {
    for (size_t n; *text; text += n + (text[n] != '\0')) {
        char factor[64];
        double value;
        n = strcspn(text, "+*/");
        if (n == 0 || n >= sizeof factor) {
            return false;
        }
        memcpy(factor, text, n);
        factor[n] = '\0';
        if (!assay_text_to_double(factor, n, &value) && strcmp(factor, "yes") != 0 &&
            strcmp(factor, "no") != 0 && !model_config_field(factor)) {
            return false;
        }
    }
    return true;
}

static void the_table_of_families_can_be_read(void **state) {
    (void)state;
    assay_arena_t *large = assay_arena_create((size_t)16 << 20);
    keys_t keys = {.arena = large, .err = &err};
    assert_int_equal(keys_open(&keys), ASSAY_OK);
    for (uint32_t row = 0; row < keys.csv.n_rows; row++) {
        const char *family = assay_csv_cell(&keys.csv, row, 0);
        const char *field = assay_csv_cell(&keys.csv, row, 1);
        const bool text =
            strcmp(field, "like") == 0 || strcmp(field, "text") == 0 || strcmp(field, "tower") == 0;
        if (!model_config_field(field)) {
            fail_msg("%s: no field '%s'", family, field);
        }
        const char *named = assay_csv_cell(&keys.csv, row, 3);
        if (text && *named && !keys_choose(&keys, named)) {
            fail_msg("%s: no family '%s'", family, named);
        }
        for (int column = 3; !text && column < 6; column++) {
            const char *expression = assay_csv_cell(&keys.csv, row, column);
            if (!is_expression(expression)) {
                fail_msg("%s %s: '%s'", family, field, expression);
            }
        }
        assert_true(keys_choose(&keys, family));
    }
    keys_close(&keys);
    assay_arena_destroy(large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_configs_give_published_counts),
        cmocka_unit_test(the_shape_is_read),
        cmocka_unit_test(families_have_their_own_defaults),
        cmocka_unit_test(a_wrong_config_is_refused_with_its_key),
        cmocka_unit_test(json_errors_have_a_line),
        cmocka_unit_test(size_and_depth_are_bounded),
        cmocka_unit_test(the_output_is_written_on_success_only),
        cmocka_unit_test(the_table_of_families_can_be_read),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
