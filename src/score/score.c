#include "assay/score.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "assay/pool.h"
#include "score/score_parts.h"

#include "base/banned.h"

/* A search over the layouts of ten thousand devices needs a few MiB. */
#define WORKER_BYTES ((size_t)256 << 20)

/* Room for what a row's item points to, until it is copied to the caller's arena. */
typedef struct {
    score_skip_t skip;
    char work_key[112];
} scratch_t;

typedef struct {
    score_context_t context;
    const assay_csv_t *data;
    score_columns_t columns;
    const assay_hooks_t *hooks;
    assay_arena_t **worker_arena; /* (threads) */
    assay_score_item_t *item;     /* (rows) */
    scratch_t *scratch;           /* (rows) */
    pthread_mutex_t lock;         /* over progress */
    uint64_t n_done;
} run_t;

/* 16, 8 or 4 bits count as one class; wider types by name. */
static const char *precision_class(assay_dtype_t dtype) {
    switch (dtype) {
    case ASSAY_DT_BF16:
    case ASSAY_DT_FP16:
        return "16-bit";
    case ASSAY_DT_FP8:
        return "8-bit";
    case ASSAY_DT_FP4:
        return "4-bit";
    default:
        return assay_dtype_name(dtype);
    }
}

static void write_work_key(const score_case_t *of, char *out, size_t n_out) {
    const assay_workload_t *work = &of->work;
    const assay_model_t *m = &work->model;
    const double tokens = (double)work->sequence * work->global_batch / of->machine.devices;
    int regime = 0; /* power of 4 */
    for (double least = 4; least <= tokens; least *= 4) {
        regime++;
    }
    snprintf(out, n_out, "L%u H%u A%u KV%u F%u S%u T4^%d %s", m->layers, m->hidden, m->heads,
             m->kv_heads, m->ffn, work->sequence, regime, precision_class(work->dtype));
}

static void fill_known(const score_context_t *context, const score_row_t *row,
                       const score_case_t *of, assay_score_item_t *out) {
    const assay_accelerator_t *part = of->machine.accelerator;
    out->id = row->text[SCORE_COLUMN_ID];
    out->source = out->id;
    out->accelerator = row->text[SCORE_COLUMN_ACCELERATOR];
    out->model_family = row->text[SCORE_COLUMN_FAMILY];
    out->stack = of->stack;
    out->searched = of->searched;
    const score_rule_t *precision = score_rule_find(&context->rules, SCORE_RULE_DTYPE, row, NULL);
    out->precision = precision ? assay_dtype_name((assay_dtype_t)precision->code) : NULL;
    (void)score_row_count(row, SCORE_COLUMN_COUNT, &out->devices);
    if (part) {
        out->group_accelerator = part->id;
        out->peak_bf16_flops = of->machine.device.peak_flops[ASSAY_DT_BF16];
        out->is_amd = strcmp(part->vendor, "AMD") == 0;
        out->is_nvidia = strcmp(part->vendor, "NVIDIA") == 0;
    }
}

static void fill_serving(const score_row_t *row, const score_serving_t *of,
                         assay_score_item_t *out) {
    const assay_accelerator_t *part = of->machine.accelerator;
    out->id = row->text[SCORE_COLUMN_ID];
    out->source = out->id;
    out->accelerator = row->text[SCORE_COLUMN_ACCELERATOR];
    out->model_family = of->setup.model.id ? of->setup.model.family : "";
    out->stack = of->engine ? of->engine->id : row->text[SCORE_COLUMN_ENGINE];
    out->precision = of->precision;
    (void)score_row_count(row, SCORE_COLUMN_COUNT, &out->devices);
    if (part) {
        out->group_accelerator = part->id;
        out->peak_bf16_flops = of->machine.device.peak_flops[ASSAY_DT_BF16];
        out->is_amd = strcmp(part->vendor, "AMD") == 0;
        out->is_nvidia = strcmp(part->vendor, "NVIDIA") == 0;
    }
}

static void run_serving_row(const run_t *run, assay_arena_t *arena, uint32_t at) {
    scratch_t *scratch = &run->scratch[at];
    assay_score_item_t *item = &run->item[at];
    score_row_t row;
    score_measured_t measured;
    score_serving_t of = {0};
    score_skip_t no_score = {0};
    score_row_read(run->data, &run->columns, at, &row);
    if (score_is_image(&run->context, &row)) {
        score_measured_read(run->data, &run->columns, at, &measured);
        score_image_row(arena, &run->context, &row, &measured, item, scratch->work_key,
                        sizeof scratch->work_key, &scratch->skip);
        return;
    }
    const bool made = score_serving_make(&run->context, &row, &of, &scratch->skip);
    score_measured_read(run->data, &run->columns, at, &measured);
    fill_serving(&row, &of, item);
    const bool scored = score_serving_join(arena, &run->context, &row, &measured, made ? &of : NULL,
                                           item, &no_score);
    if (made && scored) {
        snprintf(scratch->work_key, sizeof scratch->work_key,
                 "%s I%.0f O%.0f B%.0f D%u %.0f-bit %s", of.setup.model.id, of.load.input_tokens,
                 of.load.output_tokens, of.sequences, item->devices, of.weight_bits, item->metric);
    } else if (made) {
        scratch->skip = no_score;
    }
}

static void tell_progress(run_t *run) {
    const assay_hooks_t *hooks = run->hooks;
    if (!hooks || !hooks->progress) {
        return;
    }
    pthread_mutex_lock(&run->lock);
    hooks->progress(hooks->ctx, "score", ++run->n_done, run->data->n_rows);
    pthread_mutex_unlock(&run->lock);
}

static void run_row(void *ctx, size_t index, uint32_t worker) {
    run_t *run = ctx;
    const uint32_t at = (uint32_t)index;
    scratch_t *scratch = &run->scratch[at];
    assay_score_item_t *item = &run->item[at];
    score_row_t row;
    score_case_t of = {0};
    assay_estimate_t estimate;

    if (run->context.engine) {
        assay_arena_reset(run->worker_arena[worker]);
        run_serving_row(run, run->worker_arena[worker], at);
        tell_progress(run);
        return;
    }
    score_row_read(run->data, &run->columns, at, &row);
    assay_arena_reset(run->worker_arena[worker]);
    const bool predicted =
        score_case_make(run->worker_arena[worker], &run->context, &row, &of, &scratch->skip) &&
        score_predict(run->worker_arena[worker], &of, &estimate, &scratch->skip);

    /* From here on the prediction stands; what was measured is read. */
    score_measured_t measured;
    score_skip_t no_score = {0};
    score_measured_read(run->data, &run->columns, at, &measured);
    fill_known(&run->context, &row, &of, item);
    const bool scored = score_join(&run->context, &row, &measured, &of,
                                   predicted ? &estimate : NULL, item, &no_score);
    if (predicted && scored) {
        write_work_key(&of, scratch->work_key, sizeof scratch->work_key);
    } else if (predicted) {
        scratch->skip = no_score;
    }
    tell_progress(run);
}

/* "TBLOM" of "TBLOM-0001": rows of one publication. */
static const char *source_of(assay_arena_t *arena, const char *id) {
    return assay_arena_strndup(arena, id, strcspn(id, "-"));
}

static bool keep_texts(assay_arena_t *arena, const run_t *run, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const scratch_t *scratch = &run->scratch[i];
        assay_score_item_t *item = &run->item[i];
        item->source = source_of(arena, item->id);
        item->skipped = score_reason_sentence((score_reason_t)scratch->skip.reason);
        item->skip_detail = assay_arena_strdup(arena, scratch->skip.detail);
        item->work_key = item->skipped ? NULL : assay_arena_strdup(arena, scratch->work_key);
        if (!item->source || !item->skip_detail || (!item->skipped && !item->work_key)) {
            return false;
        }
    }
    return true;
}

static assay_status_t run_rows(assay_arena_t *arena, run_t *run, assay_error_t *err) {
    const uint32_t threads = assay_pool_threads();
    assay_status_t status = ASSAY_OK;
    uint32_t n_arena = 0;
    run->worker_arena = assay_arena_array(arena, threads, sizeof *run->worker_arena);
    run->item = assay_arena_array(arena, run->data->n_rows, sizeof *run->item);
    run->scratch = assay_arena_array(arena, run->data->n_rows, sizeof *run->scratch);
    if (!run->worker_arena || !run->item || !run->scratch) {
        return assay_error_memory(err, NULL);
    }
    while (n_arena < threads && (run->worker_arena[n_arena] = assay_arena_create(WORKER_BYTES))) {
        n_arena++;
    }
    if (n_arena == 0) {
        return assay_error_set(err, ASSAY_MEMORY, NULL, "no memory to score");
    }
    pthread_mutex_init(&run->lock, NULL);
    status = assay_pool_for(n_arena, run->data->n_rows, run_row, run, run->hooks);
    pthread_mutex_destroy(&run->lock);
    while (n_arena > 0) {
        assay_arena_destroy(run->worker_arena[--n_arena]);
    }
    if (status) {
        return assay_error_set(err, status, NULL, "scoring was stopped");
    }
    return keep_texts(arena, run, run->data->n_rows) ? ASSAY_OK : assay_error_memory(err, NULL);
}

assay_status_t assay_score(assay_arena_t *arena, const assay_catalog_t *catalog,
                           const assay_calibration_t *calibration, const assay_csv_t *data,
                           const assay_hooks_t *hooks, assay_score_t **out_score,
                           assay_error_t *err) {
    run_t run = {
        .context = {.catalog = catalog, .calibration = calibration}, .data = data, .hooks = hooks};
    assay_score_t *score = assay_arena_alloc(arena, sizeof *score);
    if (!score) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = score_columns_find(data, &run.columns, err);
    if (!status) {
        status =
            score_is_serving(&run.columns)
                ? score_serving_tables(arena, &run.context, err)
                : score_rules_load(arena, catalog, SCORE_TRAINING_RULES, &run.context.rules, err);
    }
    if (!status) {
        status = run_rows(arena, &run, err);
    }
    if (!status) {
        score->item = run.item;
        score->n_item = score->rows = data->n_rows;
        status = score_summarise(arena, score, err);
    }
    if (!status) {
        status = score_rank(arena, score, err);
    }
    if (!status) {
        *out_score = score;
    }
    return status;
}
