#include "assay/resolve.h"

#include <math.h>
#include <string.h>

#include "resolve/resolve_context.h"

assay_status_t resolve_no_memory(resolve_context_t *context) {
    return assay_error_set(context->err, ASSAY_MEMORY, NULL, "the memory limit was reached");
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* FNV-1a, folded to the number of buckets. */
static uint32_t hash_text(const char *text) {
    uint32_t hash = 2166136261u;
    for (; text && *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    }
    return (hash >> 16 ^ hash) % RESOLVE_NOTE_BUCKETS;
}

assay_status_t resolve_note(resolve_context_t *context, assay_note_kind_t kind, const char *subject,
                            const char *value, const char *source, const char *text) {
    const assay_lang_t lang = context->locale.lang;
    value = assay_phrase(lang, value);
    source = assay_phrase(lang, source);
    text = assay_phrase(lang, text);
    note_item_t **bucket = &context->bucket[hash_text(subject) ^ hash_text(text)];
    for (const note_item_t *item = *bucket; item; item = item->same_hash) {
        if (item->note.kind == kind && same_text(item->note.subject, subject) &&
            same_text(item->note.value, value) && same_text(item->note.text, text)) {
            return ASSAY_OK;
        }
    }
    note_item_t *item = assay_arena_alloc(context->arena, sizeof *item);
    if (!item) {
        return resolve_no_memory(context);
    }
    item->same_hash = *bucket;
    *bucket = item;
    item->note.kind = (uint8_t)kind;
    item->note.subject = subject;
    item->note.value = value;
    item->note.source = source;
    item->note.text = text;
    if (context->last) {
        context->last->next = item;
    } else {
        context->first = item;
    }
    context->last = item;
    context->n_note++;
    return ASSAY_OK;
}

const char *resolve_amount(resolve_context_t *context, double value, assay_dim_t dim) {
    char text[48];
    return assay_arena_strdup(context->arena,
                              assay_units_format_in(value, dim, &context->locale, text));
}

const char *resolve_with_range(resolve_context_t *context, const assay_fact_t *fact,
                               assay_dim_t dim) {
    char value[48], low[48], high[48];
    const assay_locale_t *locale = &context->locale;
    assay_units_format_in(fact->v, dim, locale, value);
    if (fact->p10 < fact->v || fact->p90 > fact->v) {
        assay_units_format_in(fact->p10, dim, locale, low);
        assay_units_format_in(fact->p90, dim, locale, high);
        char *unit = strchr(low, ' ');
        const char *high_unit = strchr(high, ' ');
        if (unit && high_unit && strcmp(unit, high_unit) == 0) {
            *unit = '\0'; /* said once */
        }
        return RESOLVE_SAY(context, WITH_RANGE, value, low, high);
    }
    return assay_arena_strdup(context->arena, value);
}

assay_status_t resolve_assume(resolve_context_t *context, const char *key, assay_dim_t dim,
                              const assay_fact_t *fact, const char *text) {
    const char *value = resolve_with_range(context, fact, dim);
    return value ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, key, value, fact->source, text)
                 : resolve_no_memory(context);
}

assay_fact_t resolve_given(const assay_number_t *number) {
    return number->dist ? assay_fact_of_dist(number->dist, "job")
                        : assay_fact_exact(number->v, "job");
}

assay_status_t resolve_number(resolve_context_t *context, const assay_number_t *number,
                              const char *key, assay_dim_t dim, assay_fact_t *out) {
    if (number->origin == ASSAY_GIVEN) {
        *out = resolve_given(number);
        return ASSAY_OK;
    }
    if (number->origin == ASSAY_DEFAULT) {
        *out = assay_fact_exact(number->v, "default of the job file");
    } else {
        const assay_status_t status = resolve_default(context, key, out);
        if (status != ASSAY_OK || !out->known) {
            return status;
        }
    }
    return resolve_assume(context, key, dim, out, NULL);
}

/* The notes as one array, warnings first: they matter most. */
assay_status_t resolve_collect_notes(resolve_context_t *context, assay_resolved_t *resolved) {
    resolved->note = assay_arena_array(context->arena, context->n_note, sizeof *resolved->note);
    if (!resolved->note) {
        return resolve_no_memory(context);
    }
    for (int kind = ASSAY_NOTE_WARNING; kind >= ASSAY_NOTE_ASSUMPTION; kind--) {
        for (const note_item_t *item = context->first; item; item = item->next) {
            if (item->note.kind == kind) {
                resolved->note[resolved->n_note++] = item->note;
            }
        }
    }
    return ASSAY_OK;
}

assay_status_t resolve_note_overlays(resolve_context_t *context) {
    for (uint32_t i = 0; i < context->catalog->n_overlay; i++) {
        const assay_status_t status = resolve_note(context, ASSAY_NOTE_ASSUMPTION, "data", NULL,
                                                   "overlay", context->catalog->overlay[i]);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    return ASSAY_OK;
}

/* Two candidates with one name could not be told apart in any output. */
assay_status_t resolve_check_names(resolve_context_t *context, const assay_resolved_t *resolved) {
    const assay_job_candidate_t *candidate = context->job->candidates.item;
    for (uint32_t i = 0; i < resolved->n_machine; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(resolved->machine[i].id, resolved->machine[j].id) == 0) {
                const assay_place_t *at =
                    candidate[i].id.s ? &candidate[i].id.at : &candidate[i].system.at;
                assay_error_set(context->err, ASSAY_INPUT, at, "two candidates are called '%s'",
                                resolved->machine[i].id);
                assay_error_next(context->err, "give each its own id");
                return ASSAY_INPUT;
            }
        }
    }
    return ASSAY_OK;
}

/* Devices in part, and a job that compares nothing. */
static assay_status_t check_predicted(resolve_context_t *context) {
    const assay_job_candidate_t *candidate = context->job->candidates.item;
    for (uint32_t i = 0; i < context->job->candidates.n; i++) {
        if (candidate[i].devices.origin == ASSAY_GIVEN) {
            assay_error_set(context->err, ASSAY_INPUT, &candidate[i].devices.at,
                            "'devices' is for memory alone; speed and cost are of whole nodes");
            assay_error_next(context->err, "give nodes");
            return ASSAY_INPUT;
        }
    }
    if (context->job->candidates.n == 0) {
        assay_error_set(context->err, ASSAY_INPUT, &context->job->at,
                        "'candidates' is missing in 'job'");
        assay_error_next(context->err, "add candidates, or give --on");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

/* What an engine does by itself, and how fast it is, depends on the device: one for each machine.
 */
static assay_status_t resolve_servings_speed(resolve_context_t *context, assay_resolved_t *out) {
    const assay_job_serve_t *serve = &context->job->workload.serve;
    const assay_job_candidate_t *candidate = context->job->candidates.item;
    assay_status_t status = ASSAY_OK;
    out->serving = assay_arena_array(context->arena, out->n_machine, sizeof *out->serving);
    if (!out->serving) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < out->n_machine && status == ASSAY_OK; i++) {
        status = resolve_serving(context, serve, &out->machine[i], &out->serving[i]);
        if (status == ASSAY_OK) {
            status = resolve_serving_speed(context, serve, &candidate[i], &out->machine[i],
                                           &out->serving[i]);
        }
    }
    return status;
}

static assay_status_t resolve_images_speed(resolve_context_t *context,
                                           const assay_image_demand_t *image,
                                           assay_resolved_t *out) {
    const assay_job_candidate_t *candidate = context->job->candidates.item;
    assay_status_t status = ASSAY_OK;
    out->image = assay_arena_array(context->arena, out->n_machine, sizeof *out->image);
    if (!out->image) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < out->n_machine && status == ASSAY_OK; i++) {
        out->image[i] = *image;
        status = resolve_image_speed(context, &candidate[i], &out->machine[i], &out->image[i]);
    }
    return status;
}

/* Hours of accelerators that a training run takes at the peak rate of the fastest part: with any
   utilisation it is longer. */
static double least_package_h(const assay_resolved_t *resolved) {
    const assay_workload_t *work = &resolved->workload;
    double peak = 0.0;
    for (uint32_t i = 0; i < resolved->n_machine; i++) {
        const assay_machine_t *machine = &resolved->machine[i];
        peak = fmax(peak, machine->device.peak_flops[work->dtype] * machine->devices_per_package);
    }
    return peak > 0.0 ? work->tokens * work->causal_flops_per_token / peak / 3600.0 : 0.0;
}

/* What is asked: the kind of work, and what every machine shares of it. */
static assay_status_t resolve_work(resolve_context_t *context, assay_image_demand_t *out_image,
                                   assay_resolved_t *out) {
    const assay_job_t *job = context->job;
    if (job->workload.serve.present) {
        out->kind = ASSAY_WORK_SERVE;
        out->workload.dtype = ASSAY_DT_BF16;
        return ASSAY_OK;
    }
    if (job->workload.image.present) {
        out->kind = ASSAY_WORK_IMAGE;
        const assay_status_t status = resolve_image_work(context, out_image);
        out->workload.dtype = out_image->work.dtype;
        return status;
    }
    const bool tunes = job->workload.finetune.present;
    out->kind = tunes ? ASSAY_WORK_FINETUNE : ASSAY_WORK_TRAIN;
    return resolve_workload(context, tunes ? &job->workload.finetune : &job->workload.train,
                            &out->workload);
}

static void take_analysis(const resolve_context_t *context, assay_resolved_t *out) {
    const assay_job_t *job = context->job;
    out->locale = context->locale;
    out->name = job->name.s;
    out->prices = job->prices.s;
    out->document = job->document;
    out->samples = (uint32_t)job->analysis.samples.v;
    out->seed = (uint64_t)job->analysis.seed.v;
    for (uint32_t i = 0; i < job->analysis.map.n && i < 3; i++) {
        out->map[i] = ((const assay_string_t *)job->analysis.map.item)[i].s;
    }
}

static assay_status_t resolve_candidates(resolve_context_t *context,
                                         const assay_image_demand_t *image, assay_resolved_t *out) {
    const assay_job_candidate_t *candidate = context->job->candidates.item;
    out->n_machine = context->job->candidates.n;
    out->machine = assay_arena_array(context->arena, out->n_machine, sizeof *out->machine);
    out->pin = assay_arena_array(context->arena, out->n_machine, sizeof *out->pin);
    if (!out->machine || !out->pin) {
        return resolve_no_memory(context);
    }
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; i < out->n_machine && status == ASSAY_OK; i++) {
        assay_machine_t *machine = &out->machine[i];
        status = resolve_candidate(context, &candidate[i], &out->workload, machine, &out->pin[i]);
        context->owns |= status == ASSAY_OK && machine->capex_usd.known;
        context->rents |= status == ASSAY_OK && machine->usd_per_h.known;
    }
    if (status == ASSAY_OK && out->kind == ASSAY_WORK_SERVE) {
        status = resolve_servings_speed(context, out);
    }
    if (status == ASSAY_OK && out->kind == ASSAY_WORK_IMAGE) {
        status = resolve_images_speed(context, image, out);
    }
    status = status ? status : resolve_topology_used(context);
    return status ? status : resolve_check_names(context, out);
}

assay_status_t assay_resolve(assay_arena_t *arena, const assay_job_t *job,
                             const assay_catalog_t *catalog, const assay_calibration_t *calibration,
                             assay_resolved_t **out_resolved, assay_error_t *err) {
    resolve_context_t context = {.arena = arena,
                                 .job = job,
                                 .catalog = catalog,
                                 .calibration = calibration,
                                 .locale = {.lang = job->lang},
                                 .err = err};
    assay_resolved_t *out = assay_arena_alloc(arena, sizeof *out);
    if (!out) {
        return resolve_no_memory(&context);
    }
    assay_image_demand_t image = {0};
    assay_status_t status = check_predicted(&context);
    status = status ? status : resolve_defaults(&context);
    status = status ? status : resolve_currency(&context);
    status = status ? status : resolve_note_overlays(&context);
    status = status ? status : resolve_work(&context, &image, out);
    if (status != ASSAY_OK) {
        return status;
    }
    take_analysis(&context, out);
    status = resolve_candidates(&context, &image, out);
    if (status == ASSAY_OK) {
        context.package_h = least_package_h(out);
        status = resolve_money(&context, &out->money, &out->answers);
    }
    status = status ? status : resolve_correlations(&context, out);
    status = status ? status : resolve_load_curve(&context, out);
    status = status ? status : resolve_claims(&context, out->machine, out->n_machine);
    status = status ? status : resolve_collect_claims(&context, out);
    status = status ? status : resolve_collect_notes(&context, out);
    if (status == ASSAY_OK) {
        *out_resolved = out;
    }
    return status;
}
