/* Serving: model, weights, cache and what the engine does, from job, catalog and engine_memory.csv.
 */
#include <math.h>
#include <string.h>

#include "assay/weight_format.h"
#include "resolve/resolve_context.h"

#include "base/banned.h"

#define ENGINES "engine_memory.csv"
#define KV_FORMATS "kv_formats.csv"
#define DEFAULT_ENGINE "vllm"

/* ---- number formats of weights ---- */

static assay_status_t refuse_format(resolve_context_t *context, const assay_weight_format_t *known,
                                    uint32_t n, const char *format, const assay_place_t *at) {
    const char **name = assay_arena_array(context->arena, n, sizeof *name);
    if (!name) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < n; i++) {
        name[i] = known[i].name;
    }
    const char *near = assay_text_nearest(format, name, n);
    assay_error_set(context->err, ASSAY_INPUT, at, "unknown number format of weights '%s'", format);
    assay_error_next(context->err, near ? "did you mean %s?" : "such as bf16, fp8, int4", near);
    return ASSAY_INPUT;
}

assay_status_t resolve_checkpoint(resolve_context_t *context, const assay_model_t *model,
                                  const char *format, const assay_place_t *at,
                                  assay_checkpoint_t *out) {
    const assay_weight_format_t *known;
    uint32_t n;
    const assay_status_t status =
        assay_weight_formats_load(context->arena, context->catalog, &known, &n, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    const assay_weight_format_t *found = assay_weight_format_find(known, n, format);
    if (!found) {
        return refuse_format(context, known, n, format, at);
    }
    *out = (assay_checkpoint_t){.dtype = found->name, .source = "given"};
    assay_model_part_params(model, out->part_params);
    for (int i = 0; i < ASSAY_PART_N; i++) {
        const double bytes = found->wide[i] ? 2 : found->bytes_per_param;
        out->part_bytes[i] = out->part_params[i] * bytes;
        out->total_bytes += out->part_bytes[i];
    }
    return ASSAY_OK;
}

/* ---- engines ---- */

typedef struct {
    assay_csv_t csv;
    const char *name, *version; /* "" = the newest */
    int engine, since, before, key, value;
} engine_t;

static const char *engine_cell(const engine_t *engine, uint32_t row, int column) {
    return assay_csv_cell(&engine->csv, row, column);
}

/* The value of a key for this engine and version, else for every engine, else NULL. */
static const char *engine_value(const engine_t *engine, const char *key) {
    const char *found = NULL;
    for (uint32_t row = 0; row < engine->csv.n_rows; row++) {
        const char *name = engine_cell(engine, row, engine->engine);
        const bool own = strcmp(name, engine->name) == 0;
        if ((own || strcmp(name, "*") == 0) &&
            strcmp(engine_cell(engine, row, engine->key), key) == 0 &&
            resolve_in_versions(engine->version, engine_cell(engine, row, engine->since),
                                engine_cell(engine, row, engine->before))) {
            found = engine_cell(engine, row, engine->value);
            if (own) {
                break;
            }
        }
    }
    return found;
}

static double engine_number(const engine_t *engine, const char *key, double otherwise) {
    const char *text = engine_value(engine, key);
    double value;
    return text && assay_text_to_double(text, strlen(text), &value) ? value : otherwise;
}

static assay_status_t load_engine(resolve_context_t *context, const assay_string_t *given,
                                  engine_t *out) {
    const assay_catalog_t *catalog = context->catalog;
    *out = (engine_t){0};
    assay_status_t status = assay_data_table(context->arena, ENGINES, catalog->dir, catalog->n_dir,
                                             &out->csv, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    out->engine = assay_csv_column(&out->csv, "engine");
    out->since = assay_csv_column(&out->csv, "since");
    out->before = assay_csv_column(&out->csv, "before");
    out->key = assay_csv_column(&out->csv, "key");
    out->value = assay_csv_column(&out->csv, "value");
    out->name =
        resolve_split_version(context->arena, given->s ? given->s : DEFAULT_ENGINE, &out->version);
    if (!out->name) {
        return resolve_no_memory(context);
    }
    const char **name = assay_arena_array(context->arena, out->csv.n_rows, sizeof *name);
    if (!name) {
        return resolve_no_memory(context);
    }
    bool known = false;
    for (uint32_t row = 0; row < out->csv.n_rows; row++) {
        name[row] = engine_cell(out, row, out->engine);
        known = known || strcmp(name[row], out->name) == 0;
        name[row] = strcmp(name[row], "*") == 0 ? NULL : name[row];
    }
    if (!known) {
        const char *near = assay_text_nearest(out->name, name, out->csv.n_rows);
        assay_error_set(context->err, ASSAY_INPUT, &given->at, "unknown engine '%s'", given->s);
        assay_error_next(context->err, "did you mean %s?", near ? near : DEFAULT_ENGINE);
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

/* What an engine takes where the job does not say, and that it was taken. */
static assay_status_t pick(resolve_context_t *context, const engine_t *engine,
                           const assay_number_t *given, const char *subject, assay_dim_t dim,
                           double value, double *out) {
    if (given->origin == ASSAY_GIVEN) {
        *out = given->v;
        return ASSAY_OK;
    }
    *out = value;
    const char *copy = resolve_amount(context, value, dim);
    const char *source = engine->version[0]
                             ? RESOLVE_SAY(context, ENGINE_DOES, engine->name, engine->version)
                             : RESOLVE_SAY(context, ENGINE_DOES_NOW, engine->name);
    return copy && source
               ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, copy, source, NULL)
               : resolve_no_memory(context);
}

static void fill_engine(const engine_t *engine, const assay_job_serve_t *serve,
                        assay_serving_t *out) {
    static const char *const budget[] = {"total", "static", "free"};
    const char *word = engine_value(engine, "budget");
    for (uint8_t i = 0; word && i < 3; i++) {
        out->budget = strcmp(word, budget[i]) == 0 ? i : out->budget;
    }
    out->visible_share = engine_number(engine, "visible_share", 1);
    out->context_bytes = engine_number(engine, "context_bytes", 0);
    out->graph_bytes = serve->eager.v ? 0 : engine_number(engine, "graph_bytes", 0);
    out->sampler_bytes_per_logit = engine_number(engine, "sampler_bytes_per_logit", 0);
    out->expert_chunk_tokens = (uint32_t)engine_number(engine, "expert_chunk_tokens", 0);
    out->windows_cut = engine_number(engine, "windows_cut", 0) > 0;
    out->experts_over_dp = engine_number(engine, "experts_over_dp", 0) > 0;
    out->split = engine_number(engine, "disaggregates", 0) > 0;
}

/* A100s of any size take the smaller batch, as the engine does. */
static bool is_large(const engine_t *engine, const assay_machine_t *machine) {
    return machine &&
           machine->device.hbm_bytes >= engine_number(engine, "large_memory_bytes", 1e18) &&
           !strstr(machine->accelerator->id, "a100");
}

static assay_status_t fill_limits(resolve_context_t *context, const engine_t *engine,
                                  const assay_job_serve_t *serve, const assay_machine_t *machine,
                                  assay_serving_t *out) {
    const bool large = is_large(engine, machine);
    double value;
    assay_status_t status =
        pick(context, engine, &serve->gpu_memory_utilization, "serve.gpu_memory_utilization",
             ASSAY_DIM_FRACTION, engine_number(engine, "utilisation", 0.9), &out->utilisation);
    if (status == ASSAY_OK) {
        status = pick(context, engine, &serve->block_tokens, "serve.block_tokens", ASSAY_DIM_COUNT,
                      engine_number(engine, "block_tokens", 16), &value);
        out->block_tokens = (uint32_t)value;
    }
    const double above = engine_number(engine, "chunked_above_tokens", 1e18);
    out->chunked_prefill =
        serve->chunked_prefill.origin == ASSAY_GIVEN
            ? serve->chunked_prefill.v != 0
            : engine_number(engine, "chunked_prefill", 1) > 0 || out->max_model_len > above;
    double tokens = engine_number(engine, "max_batch_tokens", 2048);
    tokens = large ? engine_number(engine, "max_batch_tokens_large", tokens) : tokens;
    tokens = out->chunked_prefill ? tokens : fmax(tokens, out->max_model_len);
    if (status == ASSAY_OK) {
        status = pick(context, engine, &serve->max_batch_tokens, "serve.max_batch_tokens",
                      ASSAY_DIM_COUNT, tokens, &value);
        out->max_batch_tokens = (uint32_t)value;
        out->open_budget = out->chunked_prefill && serve->max_batch_tokens.origin != ASSAY_GIVEN;
    }
    double sequences = engine_number(engine, "max_num_seqs", 256);
    sequences = large ? engine_number(engine, "max_num_seqs_large", sequences) : sequences;
    if (status == ASSAY_OK) {
        status = pick(context, engine, &serve->max_num_seqs, "serve.max_num_seqs", ASSAY_DIM_COUNT,
                      sequences, &value);
        out->max_num_seqs = (uint32_t)value;
        out->open_sequences = serve->max_num_seqs.origin != ASSAY_GIVEN;
    }
    return status;
}

/* ---- lengths ---- */

static assay_status_t resolve_lengths(resolve_context_t *context, const assay_job_serve_t *serve,
                                      assay_serving_t *out) {
    const assay_status_t status = resolve_traffic(context, serve, out);
    out->concurrency = serve->concurrency.origin == ASSAY_GIVEN ? serve->concurrency.v : 0;
    if (status != ASSAY_OK || serve->max_model_len.origin == ASSAY_GIVEN) {
        out->max_model_len = (uint32_t)serve->max_model_len.v;
        return status;
    }
    if (out->model.max_position == 0) {
        assay_error_set(context->err, ASSAY_INPUT, &serve->model->at,
                        "the longest context of '%s' is not known", out->model.id);
        assay_error_next(context->err, "give workload.serve.max_model_len (--max-model-len)");
        return ASSAY_INPUT;
    }
    out->max_model_len = out->model.max_position;
    const char *value =
        RESOLVE_SAY(context, TOKENS, resolve_amount(context, out->max_model_len, ASSAY_DIM_COUNT));
    return value ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, "serve.max_model_len", value,
                                out->model.source, NULL)
                 : resolve_no_memory(context);
}

/* ---- the whole ---- */

static assay_status_t resolve_weights(resolve_context_t *context, const assay_job_serve_t *serve,
                                      assay_serving_t *out) {
    const assay_string_t *given = serve->precision.item;
    if (serve->precision.n > 0) {
        return resolve_checkpoint(context, &out->model, given[0].s, &given[0].at, &out->checkpoint);
    }
    if (context->checkpoint.total_bytes > 0) {
        out->checkpoint = context->checkpoint;
        return ASSAY_OK;
    }
    const char *published = out->model.weight_format;
    const bool known = published && *published;
    const char *format = known ? published : "bf16";
    assay_status_t status = resolve_note(context, ASSAY_NOTE_ASSUMPTION, "serve.precision", format,
                                         known ? "what the model is published in (models.csv)"
                                               : "neither the job nor the model says otherwise",
                                         NULL);
    if (status == ASSAY_OK) {
        status = resolve_checkpoint(context, &out->model, format, NULL, &out->checkpoint);
        out->checkpoint.source = known ? "as published" : "assumed";
    }
    return status;
}

assay_status_t resolve_kv_format(resolve_context_t *context, const assay_string_t *word,
                                 double *out_bytes_each) {
    const assay_catalog_t *catalog = context->catalog;
    assay_csv_t table;
    const assay_status_t status = assay_data_table_keyed(context->arena, KV_FORMATS, catalog->dir,
                                                         catalog->n_dir, &table, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    const char **name = assay_arena_array(context->arena, table.n_rows, sizeof *name);
    if (!name) {
        return resolve_no_memory(context);
    }
    for (uint32_t row = 0; row < table.n_rows; row++) {
        name[row] = assay_csv_cell(&table, row, assay_csv_column(&table, "format"));
        if (strcmp(word->s, name[row]) == 0) {
            const char *bytes =
                assay_csv_cell(&table, row, assay_csv_column(&table, "bytes_per_value"));
            return assay_text_to_double(bytes, strlen(bytes), out_bytes_each) && *out_bytes_each > 0
                       ? ASSAY_OK
                       : assay_csv_refuse(&table, row, "bytes_per_value", "bytes, such as 2",
                                          context->err);
        }
    }
    const char *near = assay_text_nearest(word->s, name, table.n_rows);
    assay_error_set(context->err, ASSAY_INPUT, &word->at,
                    "unknown number format of keys and values '%s'", word->s);
    assay_error_next(context->err, "did you mean %s?", near ? near : "fp8");
    return ASSAY_INPUT;
}

assay_status_t resolve_serving(resolve_context_t *context, const assay_job_serve_t *serve,
                               const assay_machine_t *machine, assay_serving_t *out) {
    engine_t engine;
    *out = (assay_serving_t){.dtype = ASSAY_DT_BF16};
    assay_status_t status = resolve_model(context, serve->model, &out->model);
    if (status == ASSAY_OK) {
        status = resolve_weights(context, serve, out);
    }
    if (status == ASSAY_OK) {
        const assay_string_t *given = serve->kv_precision.item;
        out->kv_bytes_each = 2;
        status = serve->kv_precision.n > 0
                     ? resolve_kv_format(context, &given[0], &out->kv_bytes_each)
                     : ASSAY_OK;
    }
    if (status == ASSAY_OK) {
        status = resolve_lengths(context, serve, out);
    }
    if (status == ASSAY_OK) {
        status = load_engine(context, &serve->engine, &engine);
    }
    if (status == ASSAY_OK) {
        fill_engine(&engine, serve, out);
        status = fill_limits(context, &engine, serve, machine, out);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    assay_model_count(&out->model, &out->count);
    out->engine = engine.version[0]
                      ? assay_arena_printf(context->arena, "%s %s", engine.name, engine.version)
                      : engine.name;
    out->models_per_host =
        serve->models_per_host.origin == ASSAY_GIVEN ? (uint32_t)serve->models_per_host.v : 1;
    out->kv_blocks = serve->kv_blocks.origin == ASSAY_GIVEN ? serve->kv_blocks.v : -1;
    out->kv_memory_bytes =
        serve->kv_memory_bytes.origin == ASSAY_GIVEN ? serve->kv_memory_bytes.v : -1;
    return out->engine ? ASSAY_OK : resolve_no_memory(context);
}
