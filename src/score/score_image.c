/* Rows of images, and of encoders that take a sequence at once: what they say becomes a request,
   the request a prediction. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/resolve.h"
#include "assay/text.h"
#include "score/score_parts.h"

#include "base/banned.h"

assay_status_t score_images_load(assay_arena_t *arena, score_context_t *io, assay_error_t *err) {
    const assay_status_t status =
        assay_image_engines_load(arena, io->catalog, &io->image_engine, &io->n_image_engine, err);
    return status ? status
                  : score_rules_load(arena, io->catalog, SCORE_IMAGE_RULES, &io->image_rules, err);
}

static const score_rule_t *find(const score_context_t *context, const score_row_t *row,
                                score_rule_id_t id) {
    return score_rule_find(&context->image_rules, id, row, NULL);
}

bool score_is_image(const score_context_t *context, const score_row_t *row) {
    return find(context, row, SCORE_RULE_IMAGE) != NULL;
}

/* Whole packages share the images out over their devices; else the row is about one device. */
static bool find_devices(const score_context_t *context, const score_row_t *row, score_image_t *out,
                         score_skip_t *out_skip) {
    const score_rule_t *part = find(context, row, SCORE_RULE_PART);
    const score_rule_t *engine = find(context, row, SCORE_RULE_ENGINE);
    uint32_t count;
    assay_error_t err;
    if (!part || !part->part) {
        return score_skip(out_skip, SCORE_REASON_ACCELERATOR, "%s",
                          row->text[SCORE_COLUMN_ACCELERATOR]);
    }
    out->engine = engine ? assay_image_engine_find(context->image_engine, context->n_image_engine,
                                                   engine->value)
                         : NULL;
    if (!out->engine) {
        return score_skip(out_skip, SCORE_REASON_ENGINE, "%s", row->text[SCORE_COLUMN_ENGINE]);
    }
    if (!score_row_count(row, SCORE_COLUMN_COUNT, &count)) {
        return score_skip(out_skip, SCORE_REASON_COUNT, "%s", row->text[SCORE_COLUMN_COUNT]);
    }
    const bool packages = find(context, row, SCORE_RULE_COUNTS) != NULL;
    out->devices = packages ? (double)count * part->part->devices : count;
    if (assay_resolve_machine(NULL, context->catalog, context->calibration, part->part, NULL, NULL,
                              0, 0, part->part->devices, out->work.dtype, &out->machine, &err)) {
        return score_skip(out_skip, SCORE_REASON_MACHINE, "%s", err.what);
    }
    return true;
}

static bool find_work(assay_arena_t *arena, const score_context_t *context, const score_row_t *row,
                      assay_dtype_t dtype, score_image_t *out, score_skip_t *out_skip) {
    const score_rule_t *model = find(context, row, SCORE_RULE_IMAGE);
    const score_rule_t *steps = find(context, row, SCORE_RULE_STEPS);
    assay_image_ask_t ask = {
        .model = model->value, .steps = steps ? steps->code : 0, .guided = -1, .dtype = dtype};
    assay_error_t err;
    /* an encoder of text: the length of the input is its width */
    (void)score_row_count(row, SCORE_COLUMN_INPUT, &ask.width);
    ask.height = ask.width ? 1 : 0;
    if (assay_image_work_make(arena, context->catalog, &ask, &out->work, &out->taken, &err)) {
        return score_skip(out_skip, SCORE_REASON_MODEL, "%s", err.what);
    }
    return true;
}

static bool find_batch(const score_context_t *context, const score_row_t *row, score_image_t *out,
                       score_skip_t *out_skip) {
    const score_rule_t *rule = find(context, row, SCORE_RULE_IMAGES);
    uint32_t batch;
    if (!score_row_count(row, SCORE_COLUMN_CONCURRENCY, &batch)) {
        if (!rule) {
            return score_skip(out_skip, SCORE_REASON_BATCH, "batch_or_concurrency");
        }
        out->images = rule->code;
        return true;
    }
    out->images = fmax(batch / out->devices, 1);
    return true;
}

bool score_image_make(assay_arena_t *arena, const score_context_t *context, const score_row_t *row,
                      score_image_t *out, score_skip_t *out_skip) {
    assay_dtype_t dtype;
    if (!assay_dtype_parse(row->text[SCORE_COLUMN_WEIGHTS], &dtype)) {
        return score_skip(out_skip, SCORE_REASON_PRECISION, "%s", row->text[SCORE_COLUMN_WEIGHTS]);
    }
    out->work.dtype = dtype;
    if (!find_devices(context, row, out, out_skip) ||
        !find_work(arena, context, row, dtype, out, out_skip) ||
        !find_batch(context, row, out, out_skip)) {
        return false;
    }
    out->work.captured = out->engine->captured;
    out->work.unfused = !out->engine->fused_attention;
    assay_image_prepare(&out->machine.device, &out->work, out->images, &out->step);
    return true;
}

bool score_image_measured(const score_context_t *context, const score_row_t *row,
                          const score_measured_t *measured, assay_score_item_t *io_item,
                          score_skip_t *out_skip) {
    const char *metric = measured->text[SCORE_COLUMN_METRIC - SCORE_COLUMN_N];
    const char *value = measured->text[SCORE_COLUMN_VALUE - SCORE_COLUMN_N];
    const bool sequences = strcmp(metric, "sequences_s") == 0;
    const score_rule_t *suspect =
        score_rule_find(&context->image_rules, SCORE_RULE_SUSPECT, row, measured);
    io_item->metric = metric;
    io_item->unit = sequences ? "sequences/s" : "images/s";
    if (!assay_text_to_double(value, strlen(value), &io_item->measured)) {
        io_item->measured = (double)NAN;
    }
    if (suspect) {
        return score_skip(out_skip, SCORE_REASON_SUSPECT, "%s", suspect->note);
    }
    if (!sequences && strcmp(metric, "images_s") != 0) {
        io_item->unit = "";
        return score_skip(out_skip, SCORE_REASON_METRIC, "%s", metric);
    }
    return io_item->measured > 0 || score_skip(out_skip, SCORE_REASON_VALUE, "%s", value);
}

double score_image_per_s(const score_image_t *of, const assay_image_constants_t *constants) {
    return of->images / assay_image_request_s(&of->step, constants, NULL, NULL);
}

static void fill_known(const score_row_t *row, const score_image_t *of, assay_score_item_t *out) {
    const assay_accelerator_t *part = of->machine.accelerator;
    out->id = row->text[SCORE_COLUMN_ID];
    out->source = out->id;
    out->accelerator = row->text[SCORE_COLUMN_ACCELERATOR];
    out->model_family = row->text[SCORE_COLUMN_MODEL];
    out->stack = of->engine ? of->engine->id : row->text[SCORE_COLUMN_ENGINE];
    out->precision = row->text[SCORE_COLUMN_WEIGHTS];
    (void)score_row_count(row, SCORE_COLUMN_COUNT, &out->devices);
    if (part) {
        out->group_accelerator = part->id;
        out->peak_bf16_flops = of->machine.device.peak_flops[ASSAY_DT_BF16];
        out->is_amd = strcmp(part->vendor, "AMD") == 0;
        out->is_nvidia = strcmp(part->vendor, "NVIDIA") == 0;
    }
}

void score_image_row(assay_arena_t *arena, const score_context_t *context, const score_row_t *row,
                     const score_measured_t *measured, assay_score_item_t *io_item, char *work_key,
                     size_t n_key, score_skip_t *out_skip) {
    score_image_t of = {0};
    const bool made = score_image_make(arena, context, row, &of, out_skip);
    score_skip_t no_score = {0};
    fill_known(row, &of, io_item);
    if (!score_image_measured(context, row, measured, io_item, &no_score)) {
        *out_skip = made ? no_score : *out_skip;
        return;
    }
    if (!made) {
        return;
    }
    assay_image_constants_t constants;
    assay_device_t device = of.machine.device;
    assay_resolve_image_engine(context->calibration, of.engine->id, of.machine.accelerator,
                               &device);
    assay_image_constants(&device, of.work.dtype, &constants);
    const double per_s = score_image_per_s(&of, &constants);
    io_item->predicted = per_s * of.devices;
    io_item->p10 = io_item->predicted / constants.rel_p90;
    io_item->p90 = io_item->predicted / constants.rel_p10;
    io_item->rel_error = io_item->predicted / io_item->measured - 1;
    io_item->basis = constants.basis;
    io_item->predicted_tokens_per_s_per_device = per_s;
    io_item->tokens_per_s_per_device = io_item->measured / of.devices;
    snprintf(work_key, n_key, "%s %ux%u S%u B%.0f %.0f-byte", of.taken.name, of.taken.width,
             of.taken.height, of.taken.steps, of.images, assay_dtype_bytes(of.work.dtype));
}
