/* The model of a row. */
#include "score/score_parts.h"

/* A shape column of the row, where it gives one: it wins over the catalog. */
static void override(const score_row_t *row, score_column_t column, uint32_t *io) {
    uint32_t value;
    if (score_row_count(row, column, &value)) {
        *io = value;
    }
}

/* A family lends its style; the sizes are the row's own. */
static void forget_sizes(assay_model_t *model) {
    model->layers = model->hidden = model->heads = model->kv_heads = model->ffn = 0;
    model->params_extra = model->params_published = 0;
    if (model->gated) {
        model->vocab = 0; /* differs from one llama to the next; gpt's is one tokenizer's */
    }
}

static const char *missing_size(const assay_model_t *model) {
    return !model->layers   ? "n_layers"
           : !model->hidden ? "hidden"
           : !model->heads  ? "heads"
           : !model->ffn    ? "ffn"
           : !model->vocab  ? "vocab"
                            : NULL;
}

bool score_model_make(const score_context_t *context, const score_row_t *row,
                      assay_model_t *out_model, score_skip_t *out_skip) {
    const char *name = row->text[SCORE_COLUMN_MODEL];
    const assay_model_t *known;
    uint32_t experts = 0;
    const score_rule_t *same = score_rule_find(&context->rules, SCORE_RULE_SHAPE, row, NULL);
    if (same) {
        *out_model = *same->model;
    } else if (assay_catalog_model(context->catalog, name, NULL, &known, NULL) == ASSAY_OK) {
        *out_model = *known;
    } else {
        const score_rule_t *rule = score_rule_find(&context->rules, SCORE_RULE_MODEL, row, NULL);
        if (!rule) {
            return score_skip(out_skip, SCORE_REASON_MODEL, "%s", row->text[SCORE_COLUMN_FAMILY]);
        }
        *out_model = *rule->model;
        forget_sizes(out_model);
    }
    assay_model_t *model = out_model;
    const uint32_t width = model->hidden, heads = model->heads, head_dim = model->head_dim;
    model->id = name;
    override(row, SCORE_COLUMN_LAYERS, &model->layers);
    override(row, SCORE_COLUMN_HIDDEN, &model->hidden);
    override(row, SCORE_COLUMN_HEADS, &model->heads);
    override(row, SCORE_COLUMN_KV_HEADS, &model->kv_heads);
    override(row, SCORE_COLUMN_FFN, &model->ffn);
    override(row, SCORE_COLUMN_VOCAB, &model->vocab);
    if (!model->kv_heads) {
        model->kv_heads = model->heads;
    }
    if (!model->ffn && !model->gated) {
        model->ffn = 4 * model->hidden; /* as GPT */
    }
    /* Of experts a row tells too little: how wide, in which layers. */
    if (score_row_count(row, SCORE_COLUMN_EXPERTS, &experts) && model->experts != experts) {
        return score_skip(out_skip, SCORE_REASON_SHAPE, "%u experts", experts);
    }
    const char *missing = missing_size(model);
    if (missing) {
        return score_skip(out_skip, SCORE_REASON_SHAPE, "%s", missing);
    }
    if (width == model->hidden && heads == model->heads) {
        model->head_dim = head_dim;
    } else if (model->hidden % model->heads == 0) {
        model->head_dim = model->hidden / model->heads;
    } else {
        return score_skip(out_skip, SCORE_REASON_SHAPE, "hidden %u does not divide by heads %u",
                          model->hidden, model->heads);
    }
    assay_error_t err;
    if (assay_model_check(model, NULL, &err)) {
        return score_skip(out_skip, SCORE_REASON_SHAPE, "%s", err.what);
    }
    return true;
}
