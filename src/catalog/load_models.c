#include <string.h>

#include "catalog/catalog_table.h"

#include "base/banned.h"

static const char *const kinds[] = {
    "decoder-LLM", "encoder", "vision-transformer", "diffusion-unet", "diffusion-transformer",
    "cnn",         NULL};
static const char *const biases[] = {"none", "qkv", "all", NULL};
static const char *const norms[] = {"RMSNorm", "LayerNorm", "BatchNorm", "GroupNorm", NULL};
static const char *const positions[] = {"rope", "learned", "alibi", "none", NULL};

typedef struct {
    assay_model_t model;
    const char *attn_bias, *norm, *position;
} model_row_t;

#define ROW_OFFSET(field) offsetof(model_row_t, field)
#define MODEL_OFFSET(field) offsetof(model_row_t, model.field)
#define COUNT(name, field, max) \
    { name, COLUMN_COUNT, false, MODEL_OFFSET(field), 1, 0, max, NULL }

static const catalog_column_t columns[] = {
    {.name = "id", .offset = MODEL_OFFSET(id), .required = true},
    {.name = "family", .offset = MODEL_OFFSET(family), .required = true},
    {"kind", COLUMN_CHOICE, true, MODEL_OFFSET(kind), 0, 0, 0, kinds},
    COUNT("layers", layers, 4096),
    COUNT("hidden", hidden, 1e6),
    COUNT("heads", heads, 4096),
    COUNT("kv_heads", kv_heads, 4096),
    COUNT("head_dim", head_dim, 4096),
    COUNT("ffn", ffn, 1e7),
    {"gated", COLUMN_YES, false, MODEL_OFFSET(gated), 0, 0, 0, NULL},
    COUNT("vocab", vocab, 1e7),
    {"tied_embeddings", COLUMN_YES, false, MODEL_OFFSET(tied_embeddings), 0, 0, 0, NULL},
    {"attn_bias", COLUMN_CHOICE, false, ROW_OFFSET(attn_bias), 0, 0, 0, biases},
    {"qk_norm", COLUMN_YES, false, MODEL_OFFSET(qk_norm), 0, 0, 0, NULL},
    {"norm", COLUMN_CHOICE, false, ROW_OFFSET(norm), 0, 0, 0, norms},
    COUNT("norms_per_layer", norms_per_layer, 8),
    {"position", COLUMN_CHOICE, false, ROW_OFFSET(position), 0, 0, 0, positions},
    COUNT("max_position", max_position, 1e9),
    COUNT("sliding_window", sliding_window, 1e9),
    COUNT("full_layers", full_layers, 4096),
    COUNT("experts", experts, 65536),
    COUNT("top_k", top_k, 65536),
    COUNT("expert_ffn", expert_ffn, 1e7),
    COUNT("shared_experts", shared_experts, 1024),
    COUNT("shared_ffn", shared_ffn, 1e7),
    COUNT("first_dense_layers", first_dense_layers, 4096),
    COUNT("moe_layer_step", moe_layer_step, 4096),
    COUNT("q_lora", q_lora, 1e6),
    COUNT("kv_lora", kv_lora, 1e6),
    COUNT("qk_nope", qk_nope, 4096),
    COUNT("qk_rope", qk_rope, 4096),
    COUNT("v_head_dim", v_head_dim, 4096),
    {"extra_params", COLUMN_NUMBER, false, MODEL_OFFSET(params_extra), 1, 0, 1e12, NULL},
    {"params_published_b", COLUMN_NUMBER, false, MODEL_OFFSET(params_published), 1e9, 0, 1e6, NULL},
    {.name = "weight_format", .offset = MODEL_OFFSET(weight_format)},
    {.name = "hf_id", .offset = MODEL_OFFSET(hf_id)},
    {.name = "source", .offset = MODEL_OFFSET(source), .required = true},
};

assay_status_t catalog_load_models(catalog_load_t *load) {
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        catalog_load_rows(load, "models.csv", 1, columns, sizeof columns / sizeof columns[0],
                          sizeof(model_row_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    const model_row_t *row = rows;
    assay_model_t *model = assay_arena_array(load->arena, csv.n_rows, sizeof *model);
    if (!model) {
        return assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        model[i] = row[i].model;
        model[i].mlp_bias = model[i].out_bias = strcmp(row[i].attn_bias, "all") == 0;
        model[i].attn_bias = model[i].mlp_bias || strcmp(row[i].attn_bias, "qkv") == 0;
        model[i].layer_norm = strcmp(row[i].norm, "LayerNorm") == 0;
        model[i].learned_positions = strcmp(row[i].position, "learned") == 0;
        const assay_place_t at = assay_csv_place(&csv, i);
        if (strcmp(model[i].kind, "decoder-LLM") == 0) {
            status = assay_model_check(&model[i], &at, load->err);
        }
        if (status != ASSAY_OK) {
            return status;
        }
    }
    load->catalog->model = model;
    load->catalog->n_model = csv.n_rows;
    return ASSAY_OK;
}
