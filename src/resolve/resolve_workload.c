#include <math.h>
#include <string.h>

#include "assay/model_file.h"
#include "resolve/resolve_context.h"

/* A relative path in a job file means "beside the job file"; on the command line, "here". */
const char *resolve_path(resolve_context_t *context, const char *path, const assay_place_t *at) {
    const char *file = context->job->file;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (path[0] == '/' || !slash || !at->file || strcmp(at->file, file) != 0) {
        return path;
    }
    return assay_arena_printf(context->arena, "%.*s/%s", (int)(slash - file), file, path);
}

const char *resolve_model_path(resolve_context_t *context, const assay_node_t *node) {
    return resolve_path(context, node->text, &node->at);
}

static assay_status_t model_from_file(resolve_context_t *context, const assay_node_t *node,
                                      assay_model_t *out) {
    const char *path = resolve_model_path(context, node);
    if (!path) {
        return resolve_no_memory(context);
    }
    assay_model_file_t file;
    assay_status_t status = assay_model_file_read(context->arena, path, &file, context->err);
    if (status == ASSAY_OK && !file.decoder) {
        assay_error_set(context->err, ASSAY_INPUT, &node->at, "'%s' is of kind '%s', not a decoder",
                        path, file.model.kind);
        assay_error_next(context->err, "give the config.json of a language model");
        return ASSAY_INPUT;
    }
    if (status != ASSAY_OK) {
        return status;
    }
    *out = file.model;
    context->checkpoint = file.checkpoint;
    for (uint32_t i = 0; i < file.notes.n && status == ASSAY_OK; i++) {
        status =
            resolve_note(context, ASSAY_NOTE_ASSUMPTION, out->id, NULL, path, file.notes.text[i]);
    }
    return status;
}

/* Inline shape: the names a config.json would use, in the catalog's words. */
typedef struct {
    assay_number_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab, params;
    assay_choice_t gated, tied_embeddings;
} shape_t;
#define SHAPE_FIELD(member, is_required, text)                              \
    {                                                                       \
        .key = #member, .kind = ASSAY_FIELD_NUMBER, .dim = ASSAY_DIM_COUNT, \
        .required = is_required, .bare_scale = 1.0, .min = 1.0, .max = 1e7, \
        .offset = offsetof(shape_t, member), .help = text                   \
    }
static const assay_field_t shape_field[] = {
    SHAPE_FIELD(layers, true, "transformer layers"),
    SHAPE_FIELD(hidden, true, "hidden width"),
    SHAPE_FIELD(heads, true, "attention heads"),
    SHAPE_FIELD(kv_heads, false, "key and value heads; default: heads"),
    SHAPE_FIELD(head_dim, false, "width of one head; default: hidden / heads"),
    SHAPE_FIELD(ffn, true, "feed-forward width"),
    SHAPE_FIELD(vocab, true, "vocabulary"),
    {.key = "params",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_COUNT,
     .bare_scale = 1.0,
     .min = 1.0,
     .max = 1e15,
     .offset = offsetof(shape_t, params),
     .help = "parameters in all, where the shape does not tell all of them"},
    {.key = "gated",
     .kind = ASSAY_FIELD_BOOL,
     .offset = offsetof(shape_t, gated),
     .default_text = "true",
     .help = "gate, up and down matrices instead of two"},
    {.key = "tied_embeddings",
     .kind = ASSAY_FIELD_BOOL,
     .offset = offsetof(shape_t, tied_embeddings),
     .default_text = "false",
     .help = "input and output share one matrix"},
};
static const assay_schema_t shape_schema = {
    .name = "model",
    .field = shape_field,
    .n_field = sizeof shape_field / sizeof shape_field[0],
    .size = sizeof(shape_t),
    .present = SIZE_MAX,
};

static uint32_t or_else(const assay_number_t *number, double fallback) {
    return (uint32_t)(number->origin == ASSAY_GIVEN ? number->v : fallback);
}

static assay_status_t model_inline(resolve_context_t *context, const assay_node_t *node,
                                   assay_model_t *out) {
    shape_t shape;
    const assay_status_t status =
        assay_schema_read(context->arena, &shape_schema, node, &shape, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    *out = (assay_model_t){
        .id = "inline",
        .family = "inline",
        .kind = "decoder-LLM",
        .source = "job",
        .layers = (uint32_t)shape.layers.v,
        .hidden = (uint32_t)shape.hidden.v,
        .heads = (uint32_t)shape.heads.v,
        .kv_heads = or_else(&shape.kv_heads, shape.heads.v),
        .head_dim = or_else(&shape.head_dim, floor(shape.hidden.v / shape.heads.v)),
        .ffn = (uint32_t)shape.ffn.v,
        .vocab = (uint32_t)shape.vocab.v,
        .gated = shape.gated.v != 0,
        .tied_embeddings = shape.tied_embeddings.v != 0,
    };
    if (shape.params.origin == ASSAY_GIVEN) {
        assay_model_count_t count;
        assay_model_count(out, &count);
        out->params_extra = fmax(0, shape.params.v - count.total);
    }
    return ASSAY_OK;
}

/* "meta-llama/Llama-3.1-8B": a name on Hugging Face that the catalog knows, or NULL. Tuned to
   follow instructions a model has the same shape. */
static const assay_model_t *find_published(const resolve_context_t *context, const char *name) {
    static const char *const tuned[] = {"", "-Instruct", "-Instruct-HF", "-Chat", "-it"};
    const size_t n = strlen(name);
    for (size_t i = 0; i < sizeof tuned / sizeof tuned[0] && strchr(name, '/'); i++) {
        const size_t k = strlen(tuned[i]);
        const char *plain = n > k && assay_text_equal_fold(name + n - k, tuned[i])
                                ? assay_arena_strndup(context->arena, name, n - k)
                                : NULL;
        const assay_model_t *model;
        if (plain && assay_catalog_model(context->catalog, plain, NULL, &model, NULL) == ASSAY_OK) {
            return model;
        }
    }
    return NULL;
}

assay_status_t resolve_model(resolve_context_t *context, const assay_node_t *node,
                             assay_model_t *out) {
    assay_status_t status;
    const assay_model_t *published =
        node->kind == ASSAY_NODE_SCALAR ? find_published(context, node->text) : NULL;
    if (published) {
        *out = *published;
        status = ASSAY_OK;
    } else if (node->kind == ASSAY_NODE_MAPPING) {
        status = model_inline(context, node, out);
    } else if (node->kind == ASSAY_NODE_SCALAR && assay_model_is_path(node->text)) {
        status = model_from_file(context, node, out);
    } else if (node->kind == ASSAY_NODE_SCALAR) {
        const assay_model_t *model;
        status = assay_catalog_model(context->catalog, node->text, &node->at, &model, context->err);
        if (status == ASSAY_OK) {
            *out = *model;
            const char *alias = assay_catalog_note(context->catalog, "model", node->text);
            status = alias ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, node->text, model->id,
                                          "aliases.csv", alias)
                           : ASSAY_OK;
        }
    } else {
        assay_error_set(context->err, ASSAY_INPUT, &node->at,
                        "expected a model: a catalog id, a path to a config.json, or a shape");
        assay_error_next(context->err, "'assay catalog list models' shows the ids");
        return ASSAY_INPUT;
    }
    return status == ASSAY_OK ? assay_model_check(out, &node->at, context->err) : status;
}

/* What the step model does not compute is refused, never approximated in silence. */
static assay_status_t check_predictable(resolve_context_t *context, const assay_node_t *node,
                                        const assay_model_t *model) {
    const char *what = NULL;
    if (strcmp(model->kind, "decoder-LLM") != 0) {
        what = model->kind;
    } else if (model->linear_value_heads > 0) {
        what = "linear attention";
    }
    if (!what) {
        return ASSAY_OK;
    }
    assay_error_set(context->err, ASSAY_INPUT, &node->at,
                    "training of '%s' (%s) is not predicted by this version, only decoders with "
                    "softmax attention and networks of image_models.csv",
                    model->id, what);
    assay_error_next(context->err, "'assay catalog list models' shows the ids, 'assay catalog "
                                   "list image_models' those of networks");
    return ASSAY_INPUT;
}

static assay_status_t resolve_sequence(resolve_context_t *context, const assay_job_train_t *train,
                                       assay_workload_t *work) {
    const double longest = (double)work->model.max_position;
    if (train->sequence.origin == ASSAY_GIVEN) {
        work->sequence = (uint32_t)train->sequence.v;
        if (longest > 0 && train->sequence.v > longest) {
            const char *text =
                RESOLVE_SAY(context, SEQUENCE_LONG,
                            resolve_amount(context, longest, ASSAY_DIM_COUNT), work->model.id);
            return text ? resolve_note(context, ASSAY_NOTE_WARNING, "train.sequence", NULL, "job",
                                       text)
                        : resolve_no_memory(context);
        }
        return ASSAY_OK;
    }
    assay_fact_t sequence;
    const assay_status_t status = resolve_default(context, "train.sequence", &sequence);
    if (status != ASSAY_OK) {
        return status;
    }
    if (longest <= 0 && !sequence.known) {
        assay_error_set(context->err, ASSAY_INPUT, &train->model->at,
                        "the sequence length of '%s' is not known", work->model.id);
        assay_error_next(context->err, "give workload.train.sequence (--sequence)");
        return ASSAY_INPUT;
    }
    /* Pre-training rarely uses the longest context a model reaches after extension. */
    const bool own = longest > 0 && (!sequence.known || longest <= sequence.v);
    work->sequence = (uint32_t)(own ? longest : sequence.v);
    const char *value =
        RESOLVE_SAY(context, TOKENS, resolve_amount(context, work->sequence, ASSAY_DIM_COUNT));
    return value ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, "train.sequence", value,
                                own ? work->model.source : sequence.source, NULL)
                 : resolve_no_memory(context);
}

/* A window that no sequence exceeds cuts nothing off: that is full attention. */
static void drop_idle_window(assay_workload_t *work) {
    if (work->sequence <= work->model.sliding_window) {
        work->model.sliding_window = 0;
    }
}

/* How long packed samples are, and how unevenly tokens go to experts. */
static assay_status_t resolve_load(resolve_context_t *context, const assay_job_train_t *train,
                                   assay_workload_t *work) {
    work->sample = train->sample_tokens.origin == ASSAY_GIVEN ? train->sample_tokens.v : 0;
    if (work->model.experts == 0) {
        return ASSAY_OK;
    }
    work->expert_once = train->expert_dispatch.v == 1;
    work->expert_overlap = train->expert_overlap.origin == ASSAY_GIVEN && train->expert_overlap.v;
    assay_fact_t imbalance;
    const assay_status_t status = resolve_number(
        context, &train->expert_imbalance, "train.expert_imbalance", ASSAY_DIM_NUMBER, &imbalance);
    work->expert_overload = status == ASSAY_OK && imbalance.known ? imbalance.v - 1 : 0;
    return status;
}

/* Of one sequence; a network of operations counts samples instead, of so many tokens. */
static uint32_t tokens_of(const assay_workload_t *work) {
    return work->net.sample ? work->net.width : work->sequence;
}

#define MAX_SEQUENCES 1e9 /* of a step, as global_batch allows */

static assay_status_t resolve_batch(resolve_context_t *context, const assay_job_train_t *train,
                                    assay_workload_t *work) {
    const bool tunes = train == &context->job->workload.finetune;
    assay_status_t status = ASSAY_OK;
    if (train->global_batch.origin == ASSAY_GIVEN ||
        (tunes && train->global_batch_tokens.origin != ASSAY_GIVEN)) {
        assay_fact_t sequences;
        status = resolve_number(context, &train->global_batch,
                                tunes ? "finetune.global_batch" : "train.global_batch",
                                ASSAY_DIM_COUNT, &sequences);
        work->global_batch = status == ASSAY_OK ? (uint32_t)sequences.v : 0;
        return status;
    }
    if (work->net.sample && train->global_batch_tokens.origin != ASSAY_GIVEN) {
        return resolve_net_batch(context, train, work);
    }
    assay_fact_t tokens;
    status = resolve_number(context, &train->global_batch_tokens, "train.global_batch_tokens",
                            ASSAY_DIM_COUNT, &tokens);
    if (status != ASSAY_OK) {
        return status;
    }
    const uint32_t each = tokens_of(work);
    const double sequences = tokens.known ? floor(tokens.v / each) : 0.0;
    if (sequences < 1.0 || sequences > MAX_SEQUENCES) {
        assay_error_set(context->err, ASSAY_INPUT,
                        train->global_batch_tokens.origin == ASSAY_GIVEN
                            ? &train->global_batch_tokens.at
                            : &train->model->at,
                        "the global batch must hold 1 to 1e9 sequences of %u tokens", each);
        assay_error_next(context->err, "give workload.train.global_batch in sequences");
        return ASSAY_INPUT;
    }
    work->global_batch = (uint32_t)sequences;
    if (fabs(sequences * each - tokens.v) > 0.5) {
        const char *value = RESOLVE_SAY(
            context, SEQUENCES, resolve_amount(context, work->global_batch, ASSAY_DIM_COUNT));
        return value ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, "train.global_batch", value,
                                    "global_batch_tokens / sequence, rounded down", NULL)
                     : resolve_no_memory(context);
    }
    return ASSAY_OK;
}

static assay_status_t resolve_precision(resolve_context_t *context, const assay_string_t *precision,
                                        assay_workload_t *work) {
    if (!assay_dtype_parse(precision->s, &work->dtype)) {
        return resolve_number_format(context, precision, work);
    }
    if (precision->origin == ASSAY_DEFAULT) {
        return resolve_note(context, ASSAY_NOTE_ASSUMPTION, "train.precision", precision->s,
                            "default of the job file", NULL);
    }
    return ASSAY_OK;
}

/* The model: a network of operations, or a decoder; then how it is kept and how long its samples
   are. */
static assay_status_t resolve_shape(resolve_context_t *context, const assay_job_train_t *train,
                                    assay_workload_t *out) {
    assay_status_t status = resolve_net(context, train, out);
    const bool decoder = !out->net.sample;
    if (status == ASSAY_OK && decoder) {
        status = resolve_model(context, train->model, &out->model);
    }
    if (status == ASSAY_OK) {
        status = resolve_net_keys(context, train, out);
    }
    if (status == ASSAY_OK) {
        status = resolve_precision(context, &train->precision, out);
    }
    if (status == ASSAY_OK) {
        status = resolve_recipe(context, train, out);
    }
    if (status == ASSAY_OK && decoder) {
        status = resolve_sequence(context, train, out);
    }
    if (status == ASSAY_OK && decoder) {
        assay_model_count(&out->model, &out->count);
        return resolve_load(context, train, out);
    }
    return status == ASSAY_OK ? resolve_net_recipe(context, train, out) : status;
}

assay_status_t resolve_training(resolve_context_t *context, const assay_job_train_t *train,
                                assay_workload_t *out) {
    const assay_status_t status = resolve_shape(context, train, out);
    out->global_batch =
        train->global_batch.origin == ASSAY_GIVEN ? (uint32_t)train->global_batch.v : 0;
    return status;
}

/* Weights that stand still get no gradient: two of the three products of each remain. What the
   adapters compute themselves, below a hundredth, is not counted. Attention is as it was. */
void assay_resolve_flops(assay_workload_t *io) {
    const assay_model_t *model = &io->model;
    /* a packed sample attends to itself alone */
    const double attended = io->sample > 0 && io->sample < io->sequence ? io->sample : io->sequence;
    io->model_flops_per_token = assay_model_train_flops_per_token(model, attended, false);
    io->causal_flops_per_token = assay_model_train_flops_per_token(model, attended, true);
    if (io->recipe.method != ASSAY_METHOD_FULL) {
        const double matrices = assay_model_train_flops_per_token(model, 0, true);
        const double head = 6.0 * model->hidden * model->vocab;
        io->tuned_forward_flops_per_token = (io->causal_flops_per_token - head) / 3;
        io->model_flops_per_token -= matrices / 3;
        io->causal_flops_per_token -= matrices / 3;
    }
}

assay_status_t resolve_workload(resolve_context_t *context, const assay_job_train_t *train,
                                assay_workload_t *out) {
    assay_status_t status = resolve_shape(context, train, out);
    const bool decoder = !out->net.sample;
    if (status == ASSAY_OK && decoder) {
        status = check_predictable(context, train->model, &out->model);
    }
    if (status == ASSAY_OK) {
        status = resolve_batch(context, train, out);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    out->epochs = train->epochs.v;
    out->tokens_per_epoch = train->dataset_samples.origin == ASSAY_GIVEN
                                ? train->dataset_samples.v * out->sequence
                            : decoder ? train->dataset_tokens.v
                                      : train->dataset_tokens.v / tokens_of(out);
    out->tokens = out->tokens_per_epoch * out->epochs;
    out->deadline_s = train->deadline_s.origin == ASSAY_GIVEN ? train->deadline_s.v : 0.0;
    if (decoder) {
        drop_idle_window(out);
        assay_resolve_flops(out);
    }
    return ASSAY_OK;
}
