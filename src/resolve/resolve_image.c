/* Work on images: networks laid out, engine and its constants, demand. */
#include <string.h>

#include "assay/image_engine.h"
#include "assay/text.h"
#include "resolve/resolve_context.h"

#include "base/banned.h"

static double given(const assay_number_t *number) {
    return number->origin == ASSAY_GIVEN ? number->v : 0;
}

static assay_status_t assume(resolve_context_t *context, const char *key, const char *value,
                             const char *source) {
    return value ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, key, value, source, NULL)
                 : resolve_no_memory(context);
}

static assay_status_t read_dtype(resolve_context_t *context, const assay_string_t *precision,
                                 assay_dtype_t *out) {
    if (!assay_dtype_parse(precision->s, out)) {
        assay_error_set(context->err, ASSAY_INPUT, &precision->at, "unknown precision '%s'",
                        precision->s);
        assay_error_next(context->err, "expected fp16, bf16, fp8, int8, tf32 or fp32");
        return ASSAY_INPUT;
    }
    return precision->origin == ASSAY_DEFAULT
               ? assume(context, "image.precision", precision->s, "default of the job file")
               : ASSAY_OK;
}

/* Sizes and steps that the job does not give, as they were taken. */
static assay_status_t note_taken(resolve_context_t *context, const assay_job_image_t *image,
                                 const assay_image_taken_t *taken) {
    assay_status_t status = ASSAY_OK;
    if (image->width.origin != ASSAY_GIVEN || image->height.origin != ASSAY_GIVEN) {
        status = assume(context, "image.size",
                        assay_arena_printf(context->arena, "%u x %u", taken->width, taken->height),
                        taken->source);
    }
    if (!status && taken->pipeline && image->steps.origin != ASSAY_GIVEN) {
        status = assume(context, "image.steps",
                        assay_arena_printf(context->arena, "%u", taken->steps), taken->source);
    }
    if (!status && taken->pipeline && image->guidance.origin != ASSAY_GIVEN) {
        status = assume(context, "image.guidance", taken->guided ? "cfg" : "none", taken->source);
    }
    return status;
}

assay_status_t resolve_image_work(resolve_context_t *context, assay_image_demand_t *out) {
    const assay_job_image_t *image = &context->job->workload.image;
    assay_image_ask_t ask = {
        .model = image->model.s,
        .width = (uint32_t)given(&image->width),
        .height = (uint32_t)given(&image->height),
        .steps = (uint32_t)given(&image->steps),
        .guided = image->guidance.origin == ASSAY_GIVEN ? image->guidance.v != 0 : -1};
    *out = (assay_image_demand_t){.images = image->images.v,
                                  .rate_per_s = given(&image->rate_per_s),
                                  .concurrency = given(&image->concurrency),
                                  .latency_p99_s = given(&image->slo.latency_p99_s)};
    assay_status_t status = read_dtype(context, &image->precision, &ask.dtype);
    if (!status) {
        status = assay_image_work_make(context->arena, context->catalog, &ask, &out->work,
                                       &out->taken, context->err);
        if (status && context->err && context->err->line == 0) {
            assay_error_t found = *context->err;
            assay_error_set(context->err, status, &image->model.at, "%s", found.what);
            if (found.next[0]) {
                assay_error_next(context->err, "%s", found.next);
            }
        }
    }
    if (!status) {
        status = note_taken(context, image, &out->taken);
    }
    if (!status && out->rate_per_s <= 0 && out->concurrency <= 0) {
        out->concurrency = 1;
        status = assume(context, "image.concurrency", "1", "one request at a time");
    }
    return status;
}

/* The row of a name and version; without a name the first that runs on the vendor's parts. */
static const assay_image_engine_t *pick(const assay_image_engine_t *engine, uint32_t n,
                                        const char *name, const char *version, const char *vendor) {
    for (uint32_t i = 0; i < n; i++) {
        const bool runs =
            strcmp(engine[i].vendor, vendor) == 0 || strcmp(engine[i].vendor, "*") == 0;
        if (runs && (!name || (strcmp(engine[i].name, name) == 0 &&
                               resolve_in_versions(version, engine[i].from_version,
                                                   engine[i].to_version)))) {
            return &engine[i];
        }
    }
    return NULL;
}

static assay_status_t refuse_engine(resolve_context_t *context, const assay_machine_t *machine,
                                    const assay_image_engine_t *engine, uint32_t n) {
    const assay_string_t *given_engine = &context->job->workload.image.engine;
    const char **names = assay_arena_array(context->arena, n, sizeof *names);
    if (!names) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < n; i++) {
        names[i] = engine[i].name;
    }
    const char *near = assay_text_nearest(given_engine->s, names, n);
    assay_error_set(context->err, ASSAY_INPUT, &given_engine->at,
                    "engine '%s' runs no images on %s that this version knows", given_engine->s,
                    machine->accelerator->vendor);
    assay_error_next(context->err,
                     near ? "did you mean '%s'?" : "data/image_engines.csv has them%s",
                     near ? near : "");
    return ASSAY_INPUT;
}

/* data/image_claims.csv: which request on which part a claim of an article is about. */
static assay_status_t find_claim(resolve_context_t *context, const assay_machine_t *machine,
                                 assay_image_demand_t *io) {
    const assay_list_t *sets = &context->job->claims;
    assay_csv_t csv;
    const assay_status_t status =
        assay_data_table(context->arena, "image_claims.csv", context->catalog->dir,
                         context->catalog->n_dir, &csv, context->err);
    if (status || sets->n == 0) {
        return status;
    }
    const struct {
        const char *column;
        double value;
    } same[] = {{"width", io->taken.width},
                {"height", io->taken.height},
                {"steps", io->taken.steps},
                {"images", io->images}};
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        const char *set = assay_csv_cell(&csv, row, assay_csv_column(&csv, "set"));
        bool fits = false;
        for (uint32_t i = 0; i < sets->n; i++) {
            fits |= strcmp(((const assay_string_t *)sets->item)[i].s, set) == 0;
        }
        fits =
            fits &&
            strcmp(assay_csv_cell(&csv, row, assay_csv_column(&csv, "accelerator")),
                   machine->accelerator->id) == 0 &&
            strcmp(assay_csv_cell(&csv, row, assay_csv_column(&csv, "model")), io->taken.name) == 0;
        for (size_t i = 0; fits && i < sizeof same / sizeof same[0]; i++) {
            const char *text = assay_csv_cell(&csv, row, assay_csv_column(&csv, same[i].column));
            uint64_t value = 0;
            fits = assay_text_to_u64(text, strlen(text), &value) &&
                   !((double)value < same[i].value || (double)value > same[i].value);
        }
        const assay_claim_t *claim =
            fits ? assay_catalog_claim(context->catalog, set,
                                       assay_csv_cell(&csv, row, assay_csv_column(&csv, "claim")))
                 : NULL;
        if (claim) {
            io->claim_s = claim->v;
            io->claim = assay_arena_printf(context->arena, "%s %s", claim->set, claim->id);
            io->claim_source = claim->source;
            return io->claim ? ASSAY_OK : resolve_no_memory(context);
        }
    }
    return ASSAY_OK;
}

assay_status_t resolve_image_speed(resolve_context_t *context,
                                   const assay_job_candidate_t *candidate, assay_machine_t *machine,
                                   assay_image_demand_t *io) {
    const assay_string_t *wanted = &context->job->workload.image.engine;
    const assay_image_engine_t *engine;
    uint32_t n;
    const char *version = "", *name = NULL;
    assay_status_t status =
        assay_image_engines_load(context->arena, context->catalog, &engine, &n, context->err);
    if (!status && wanted->s) {
        name = resolve_split_version(context->arena, wanted->s, &version);
        status = name ? ASSAY_OK : resolve_no_memory(context);
    }
    if (status) {
        return status;
    }
    const assay_image_engine_t *row = pick(engine, n, name, version, machine->accelerator->vendor);
    if (!row) {
        return refuse_engine(context, machine, engine, n);
    }
    io->engine = row->id;
    io->work.captured = row->captured;
    io->work.unfused = !row->fused_attention;
    io->open_nodes = candidate->nodes.origin != ASSAY_GIVEN;
    assay_resolve_image_engine(context->calibration, row->id, machine->accelerator,
                               &machine->device);
    if (!name) {
        status = assume(context, assay_arena_printf(context->arena, "%s image.engine", machine->id),
                        row->id, "first of image_engines.csv that runs there");
    }
    return status ? status : find_claim(context, machine, io);
}
