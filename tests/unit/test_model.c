#include "resolve_fixture.h"

#include "assay/catalog.h"
#include "assay/text.h"

/* Parameters of the published checkpoints: safetensors totals and model cards on Hugging Face.
   BLOOM and GPT-NeoX: their model cards. 65B: 2 x 32000 x 8192 + 80 (4 x 8192^2 + 3 x 8192 x 22016
   + 2 x 8192) + 8192 by hand. */
static const struct {
    const char *id;
    double params;
} published[] = {
    {"llama-7b", 6738415616.0},
    {"llama-13b", 13015864320.0},
    {"llama-65b", 65285660672.0},
    {"llama-2-70b", 68976648192.0},
    {"llama-3-8b", 8030261248.0},
    {"llama-3.1-70b", 70553706496.0},
    {"llama-3.1-405b", 405853388800.0},
    {"mixtral-8x7b", 46702792704.0},
    {"qwen2.5-1.5b", 1543714304.0},
    {"qwen2.5-3b", 3085938688.0},
    {"qwen2.5-7b", 7615616512.0},
    {"qwen2.5-32b", 32763876352.0},
    {"qwen2.5-72b", 72706203648.0},
    {"qwen1.5-7b", 7721324544.0},
    {"qwen3-8b", 8190735360.0},
    {"gemma-2-2b", 2614341888.0},
    {"phi-2", 2779683840.0},
    {"phi-1.5", 1418270720.0},
    {"phi-3-mini-4k", 3821079552.0},
    {"bloom-176b", 176247271424.0},
    {"gpt-neox-20b", 20554567680.0},
    {"olmo-2-13b", 13716198400.0},
    {"gpt-oss-20b", 20914757184.0},
    {"gpt-oss-120b", 116829156672.0},
    {"deepseek-v2-lite", 15706484224.0},
    {"deepseek-v3", 671026419200.0},
};

static bool is_published(const char *id) {
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        if (strcmp(id, published[i].id) == 0) {
            return true;
        }
    }
    return false;
}

static void counts_match_published_checkpoints(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        assay_model_count_t count;
        assay_model_count(model_of(published[i].id), &count);
        assay_test_close(count.total, published[i].params, 0.0, 0.0, published[i].id);
    }
}

/* models.csv keeps the totals of an independent count, rounded to 0.1 million; it leaves out what
   params_extra holds. Where a checkpoint has settled the total, that count is not asked again. */
static void counts_match_the_independent_count(void **state) {
    (void)state;
    assay_csv_t csv;
    assert_int_equal(assay_data_table(arena, "models.csv", NULL, 0, &csv, NULL), ASSAY_OK);
    const int total = assay_csv_column(&csv, "params_computed_m");
    const int active = assay_csv_column(&csv, "params_active_computed_m");
    const int kv = assay_csv_column(&csv, "kv_bytes_per_token_bf16");
    uint32_t n = 0;
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        const assay_model_t *model = &catalog->model[row];
        if (strcmp(model->kind, "decoder-LLM") != 0) {
            continue;
        }
        const int column[] = {total, active, kv};
        double expected[3];
        for (int i = 0; i < 3; i++) {
            const char *cell = assay_csv_cell(&csv, row, column[i]);
            assert_true(assay_text_to_double(cell, strlen(cell), &expected[i]));
        }
        assay_model_count_t count;
        assay_model_count(model, &count);
        const double slack = 0.0501 + 1e-6 * model->params_extra;
        if (!is_published(model->id)) {
            assay_test_close(1e-6 * count.total, expected[0], 0.0, slack, model->id);
        }
        if (model->experts > 0) {
            assay_test_close(1e-6 * count.active, expected[1], 1e-6, slack, model->id);
        }
        assay_test_close(assay_model_kv_bytes_per_token(model, 2.0), expected[2], 0.0, 0.0,
                         model->id);
        n++;
    }
    assert_int_equal(n, 116);
}

static void parts_sum_to_the_total(void **state) {
    (void)state;
    for (uint32_t i = 0; i < catalog->n_model; i++) {
        const assay_model_t *model = &catalog->model[i];
        if (strcmp(model->kind, "decoder-LLM") != 0) {
            continue;
        }
        assay_model_count_t c;
        assay_model_count(model, &c);
        assert_int_equal(c.dense_layers + c.moe_layers, model->layers);
        const double norm = model->layer_norm ? 2.0 * model->hidden : model->hidden;
        const double sum = c.embedding + c.head + model->params_extra + norm +
                           model->layers * (c.attention_layer + c.norm_layer) +
                           c.dense_layers * c.mlp_layer + c.moe_layers * c.moe_layer;
        assay_test_close(sum, c.total, 1e-15, 0.0, model->id);
        assert_true(c.active <= c.total);
    }
}

static void experts_sit_in_the_layers_the_shape_says(void **state) {
    (void)state;
    assay_model_count_t count;
    assay_model_count(model_of("deepseek-v3"), &count); /* 61 layers, the first 3 dense */
    assert_int_equal(count.moe_layers, 58);
    assay_model_count(model_of("llama-4-maverick"), &count); /* every second of 48 */
    assert_int_equal(count.moe_layers, 24);
    assay_model_count(model_of("llama-2-7b"), &count);
    assert_int_equal(count.moe_layers, 0);
}

/* Llama-2-7B by hand: body 6738415616 - 2 x 32000 x 4096 = 6476271616; 6 body + 6 x 4096 x 32000
   = 39644061696; attention 12 x 32 x 32 x 128 x 4096 = 6442450944. */
static void train_flops_match_a_hand_calculation(void **state) {
    (void)state;
    const assay_model_t *model = model_of("llama-2-7b");
    assay_test_close(assay_model_train_flops_per_token(model, 4096, false),
                     39644061696.0 + 6442450944.0, 1e-15, 0.0, "full");
    assay_test_close(assay_model_train_flops_per_token(model, 4096, true),
                     39644061696.0 + 3221225472.0, 1e-15, 0.0, "causal");
    assay_test_close(assay_model_train_flops_per_token(model, 0, false), 39644061696.0, 1e-15, 0.0,
                     "no attention");
}

/* GPT-3 175B: arXiv 2104.04473 eq. 3 with the recompute left out,
   72 L H^2 (1 + s/(6H) + V/(12 L H)) a token; it leaves out biases and norms (below 0.1 %). */
static void train_flops_match_the_megatron_formula(void **state) {
    (void)state;
    const assay_model_t *model = model_of("gpt3-175b");
    const double L = 96, H = 12288, s = 2048, V = 50257;
    const double expected = 72.0 * L * H * H * (1.0 + s / (6.0 * H) + V / (12.0 * L * H));
    assay_test_close(assay_model_train_flops_per_token(model, s, false), expected, 1e-3, 0.0,
                     "gpt3");
}

/* DeepSeek-V3: 61 layers of 512 latent and 64 rotary values, 2 bytes each. */
static void latent_attention_keeps_only_the_latent(void **state) {
    (void)state;
    assay_test_close(assay_model_kv_bytes_per_token(model_of("deepseek-v3"), 2.0),
                     61.0 * (512 + 64) * 2, 0.0, 0.0, "kv");
}

static void check_names_the_field(void **state) {
    (void)state;
    const assay_model_t good = *model_of("llama-2-7b");
    const assay_model_t moe = *model_of("mixtral-8x7b");
    const assay_model_t mla = *model_of("deepseek-v3");
    const assay_place_t at = {"job.yaml", 3, 5};
    assay_error_t err;
    assert_int_equal(assay_model_check(&good, &at, &err), ASSAY_OK);
    assay_model_t bad[7];
    for (int i = 0; i < 7; i++) {
        bad[i] = i < 4 ? good : i < 6 ? moe : mla;
    }
    bad[0].layers = 0;
    bad[1].hidden = 1u << 21;
    bad[2].kv_heads = 7;
    bad[3].learned_positions = true;
    bad[3].max_position = 0;
    bad[4].top_k = 9;
    bad[5].expert_ffn = 0;
    bad[6].v_head_dim = 0;
    static const char *const word[] = {"layers", "hidden",     "kv_heads",  "max_position",
                                       "top_k",  "expert_ffn", "v_head_dim"};
    for (int i = 0; i < 7; i++) {
        assert_int_equal(assay_model_check(&bad[i], &at, &err), ASSAY_INPUT);
        assert_non_null(strstr(err.what, word[i]));
        assert_string_equal(err.file, "job.yaml");
        assert_int_equal(err.line, 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_match_published_checkpoints),
        cmocka_unit_test(counts_match_the_independent_count),
        cmocka_unit_test(parts_sum_to_the_total),
        cmocka_unit_test(experts_sit_in_the_layers_the_shape_says),
        cmocka_unit_test(train_flops_match_a_hand_calculation),
        cmocka_unit_test(train_flops_match_the_megatron_formula),
        cmocka_unit_test(latent_attention_keeps_only_the_latent),
        cmocka_unit_test(check_names_the_field),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
