/* The question "does it fit": work of any kind, and machines of which only the memory counts. */
#include <stdlib.h>
#include <string.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

#define MAX_DEVICES (1u << 22)

/* "4x rtx-4090", "8xH100": how many of what. false: no such form. */
static bool split_count(const char *text, uint32_t *out_count, const char **out_name) {
    size_t n = 0;
    uint64_t count = 0;
    while (text[n] >= '0' && text[n] <= '9' && n < 7) {
        n++;
    }
    if (n == 0 || (text[n] != 'x' && text[n] != 'X') || !assay_text_to_u64(text, n, &count) ||
        count == 0 || count > MAX_DEVICES) {
        return false;
    }
    text += n + 1;
    text += *text == '-';
    text += strspn(text, " ");
    *out_count = (uint32_t)count;
    *out_name = text;
    return *text != '\0';
}

typedef struct {
    const assay_system_t *system; /* NULL: parts alone */
    const assay_accelerator_t *accelerator;
    uint32_t devices; /* of one node */
} place_t;

/* A system of the catalog, or so many of a part. */
static assay_status_t find_place(resolve_context_t *context, const assay_string_t *name,
                                 place_t *out) {
    const assay_catalog_t *catalog = context->catalog;
    const char *part = name->s, *note = assay_catalog_note(catalog, "system", name->s);
    uint32_t count = 1;
    *out = (place_t){0};
    if (assay_catalog_system(catalog, name->s, &name->at, &out->system, NULL) == ASSAY_OK) {
        out->accelerator = out->system->accelerator;
        out->devices = out->system->packages * out->accelerator->devices;
    } else {
        (void)split_count(name->s, &count, &part);
        note = assay_catalog_note(catalog, "accelerator", part);
        if (assay_catalog_accelerator(catalog, part, &name->at, &out->accelerator, NULL)) {
            return part != name->s ? assay_catalog_accelerator(catalog, part, &name->at,
                                                               &out->accelerator, context->err)
                                   : assay_catalog_system(catalog, name->s, &name->at, &out->system,
                                                          context->err);
        }
        out->devices = count;
    }
    if (!out->accelerator->hbm_bytes.known) {
        assay_error_set(context->err, ASSAY_INPUT, &name->at, "the memory size of %s is unknown",
                        out->accelerator->id);
        assay_error_next(context->err, "add it in an accelerators.csv and pass --data DIR");
        return ASSAY_INPUT;
    }
    return note ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, name->s, out->accelerator->id,
                               "aliases.csv", note)
                : ASSAY_OK;
}

static assay_status_t resolve_place(resolve_context_t *context,
                                    const assay_job_candidate_t *candidate, assay_dtype_t dtype,
                                    assay_machine_t *out, assay_layout_pin_t *out_pin) {
    place_t place;
    if (!candidate->system.s) {
        assay_error_set(context->err, ASSAY_INPUT, &context->job->at,
                        "a candidate names no system");
        assay_error_next(context->err, "add system, or give --on");
        return ASSAY_INPUT;
    }
    const assay_status_t status = find_place(context, &candidate->system, &place);
    if (status != ASSAY_OK) {
        return status;
    }
    const double nodes = candidate->nodes.v;
    const double devices =
        candidate->devices.origin == ASSAY_GIVEN ? candidate->devices.v : nodes * place.devices;
    if (devices > MAX_DEVICES) {
        return assay_error_set(context->err, ASSAY_LIMIT, &candidate->system.at,
                               "more than %u devices", MAX_DEVICES);
    }
    *out = (assay_machine_t){
        .id = candidate->id.s ? candidate->id.s
              : place.system  ? place.system->id
                              : candidate->system.s,
        .system = place.system,
        .nodes = (uint32_t)nodes,
        .devices = (uint32_t)devices,
    };
    resolve_fill_machine(context->calibration, place.accelerator,
                         place.system ? place.system->fabric : NULL, "ib", 0, 0, place.devices,
                         dtype, out);
    if (out->links.domain < place.devices) {
        out->links.domain = place.devices; /* speed aside, a node is one domain */
    }
    resolve_fill_pin(&candidate->layout, out_pin);
    return ASSAY_OK;
}

static assay_status_t resolve_places(resolve_context_t *context, assay_dtype_t dtype,
                                     assay_resolved_t *out) {
    const assay_job_candidate_t *candidate = context->job->candidates.item;
    assay_status_t status = ASSAY_OK;
    out->n_machine = context->job->candidates.n;
    out->machine = assay_arena_array(context->arena, out->n_machine, sizeof *out->machine);
    out->pin = assay_arena_array(context->arena, out->n_machine + 1, sizeof *out->pin);
    if (!out->machine || !out->pin) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < out->n_machine && status == ASSAY_OK; i++) {
        status = resolve_place(context, &candidate[i], dtype, &out->machine[i], &out->pin[i]);
        status = status
                     ? status
                     : resolve_net_pin(context, &candidate[i].layout, &out->workload, &out->pin[i]);
    }
    return status == ASSAY_OK ? resolve_check_names(context, out) : status;
}

/* What an engine does by itself depends on the device: one for each machine. */
static assay_status_t resolve_servings(resolve_context_t *context, assay_resolved_t *out) {
    assay_status_t status = resolve_places(context, ASSAY_DT_BF16, out);
    const uint32_t n = out->n_machine ? out->n_machine : 1;
    out->serving = assay_arena_array(context->arena, n, sizeof *out->serving);
    if (!out->serving) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < n && status == ASSAY_OK; i++) {
        status = resolve_serving(context, &context->job->workload.serve,
                                 out->n_machine ? &out->machine[i] : NULL, &out->serving[i]);
    }
    return status;
}

static assay_status_t resolve_work(resolve_context_t *context, assay_resolved_t *out) {
    const assay_job_workload_t *work = &context->job->workload;
    if (work->serve.present) {
        out->kind = ASSAY_WORK_SERVE;
        return resolve_servings(context, out);
    }
    if (work->image.present) {
        assay_error_set(context->err, ASSAY_UNAVAILABLE, &work->image.model.at,
                        "the memory of images is not broken down by this version");
        assay_error_next(context->err, "\"assay decide\" says whether they fit");
        return ASSAY_UNAVAILABLE;
    }
    out->kind = work->finetune.present ? ASSAY_WORK_FINETUNE : ASSAY_WORK_TRAIN;
    const assay_status_t status = resolve_training(
        context, work->finetune.present ? &work->finetune : &work->train, &out->workload);
    return status ? status : resolve_places(context, out->workload.dtype, out);
}

assay_status_t assay_resolve_memory(assay_arena_t *arena, const assay_job_t *job,
                                    const assay_catalog_t *catalog,
                                    const assay_calibration_t *calibration,
                                    assay_resolved_t **out_resolved, assay_error_t *err) {
    resolve_context_t context = {.arena = arena,
                                 .job = job,
                                 .catalog = catalog,
                                 .calibration = calibration,
                                 .locale = {.lang = job->lang},
                                 .err = err};
    assay_resolved_t *resolved = assay_arena_alloc(arena, sizeof *resolved);
    if (!resolved) {
        return resolve_no_memory(&context);
    }
    resolved->locale = context.locale;
    resolved->name = job->name.s;
    assay_status_t status = resolve_defaults(&context);
    if (status == ASSAY_OK) {
        status = resolve_note_overlays(&context);
    }
    if (status == ASSAY_OK) {
        status = resolve_work(&context, resolved);
    }
    if (status == ASSAY_OK) {
        status = resolve_collect_notes(&context, resolved);
    }
    if (status == ASSAY_OK) {
        *out_resolved = resolved;
    }
    return status;
}
