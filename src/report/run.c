#include "assay/run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "assay/report.h"
#include "assay/report_memory.h"

#include "base/banned.h"

#define REQUEST_NAME "request"
#define ARENA_BYTES ((size_t)1 << 30)
#define DIRS_MAX 16

/* All that a verb needs. */
typedef struct {
    assay_arena_t *arena;
    const assay_resolved_t *resolved;
    const char *const *dir;
    uint32_t n_dir;
    const assay_hooks_t *hooks;
} run_t;

static assay_status_t run_serving(const run_t *run, assay_buf_t *out, assay_error_t *err) {
    assay_serving_decision_t *decision;
    assay_status_t status = assay_decide_serving(run->arena, run->resolved, run->dir, run->n_dir,
                                                 run->hooks, &decision, err);
    if (!status) {
        status = assay_report_serving(decision, ASSAY_REPORT_JSON, NULL, out, err);
    }
    return !status && decision->choice < 0 ? ASSAY_NO_FIT : status;
}

static assay_status_t run_images(const run_t *run, assay_buf_t *out, assay_error_t *err) {
    assay_image_decision_t *decision;
    assay_status_t status = assay_decide_images(run->arena, run->resolved, run->dir, run->n_dir,
                                                run->hooks, &decision, err);
    if (!status) {
        status = assay_report_images(decision, ASSAY_REPORT_JSON, NULL, out, err);
    }
    return !status && decision->choice < 0 ? ASSAY_NO_FIT : status;
}

/** ASSAY_NO_FIT comes with a result. */
static assay_status_t run_decide(const run_t *run, assay_buf_t *out, assay_error_t *err) {
    assay_decision_t *decision;
    assay_status_t status =
        assay_decide(run->arena, run->resolved, run->dir, run->n_dir, run->hooks, &decision, err);
    if (!status) {
        status = assay_report_decision(decision, ASSAY_REPORT_JSON, NULL, out, err);
    }
    if (!status && decision->choice < 0) {
        status = ASSAY_NO_FIT;
    }
    return status;
}

static assay_status_t run_search(const run_t *run, assay_buf_t *out, assay_error_t *err) {
    const assay_resolved_t *resolved = run->resolved;
    assay_plan_t *plan = assay_arena_array(run->arena, resolved->n_machine, sizeof *plan);
    bool found = false;
    if (!plan) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < resolved->n_machine; i++) {
        assay_plan_options_t options = assay_plan_defaults();
        options.pin = resolved->pin[i];
        options.hooks = run->hooks;
        const assay_status_t status = assay_plan_search(
            run->arena, &resolved->machine[i], &resolved->workload, &options, &plan[i], err);
        if (status) {
            return status;
        }
        found |= plan[i].found;
    }
    const assay_status_t status =
        assay_report_search(resolved, plan, ASSAY_REPORT_JSON, NULL, out, err);
    return !status && !found ? ASSAY_NO_FIT : status;
}

static assay_status_t run_memory(const run_t *run, assay_buf_t *out, assay_error_t *err) {
    assay_memory_t *memory;
    assay_status_t status = assay_memory(run->arena, run->resolved, &memory, err);
    if (!status) {
        status = assay_report_memory(memory, NULL, ASSAY_REPORT_JSON, NULL, out, err);
    }
    return !status && !memory->fits ? ASSAY_NO_FIT : status;
}

typedef struct {
    const char *name;
    assay_status_t (*resolve)(assay_arena_t *arena, const assay_job_t *job,
                              const assay_catalog_t *catalog,
                              const assay_calibration_t *calibration,
                              assay_resolved_t **out_resolved, assay_error_t *err);
    assay_status_t (*run)(const run_t *run, assay_buf_t *out, assay_error_t *err);
    assay_status_t (*serve)(const run_t *run, assay_buf_t *out, assay_error_t *err);
    assay_status_t (*images)(const run_t *run, assay_buf_t *out, assay_error_t *err);
} verb_t;

static const verb_t verbs[] = {
    {"decide", assay_resolve, run_decide, run_serving, run_images},
    {"search", assay_resolve, run_search, run_serving, run_images},
    {"memory", assay_resolve_memory, run_memory, run_memory, run_memory},
};
enum { N_VERB = sizeof verbs / sizeof verbs[0] };

typedef struct {
    const verb_t *verb;
    const json_t *job;
    const char *dir[DIRS_MAX];
    uint32_t n_dir;
    assay_lang_t lang;
} request_t;

static const assay_place_t nowhere = {REQUEST_NAME, 0, 0};

static assay_status_t read_verb(const json_t *value, request_t *request, assay_error_t *err) {
    const char *name[N_VERB];
    const char *text = json_string_value(value);
    for (size_t i = 0; i < N_VERB; i++) {
        name[i] = verbs[i].name;
        if (text && strcmp(text, name[i]) == 0) {
            request->verb = &verbs[i];
            return ASSAY_OK;
        }
    }
    const char *near = text ? assay_text_nearest(text, name, N_VERB) : NULL;
    assay_error_set(err, ASSAY_INPUT, &nowhere,
                    "verb: %s%s, expected \"decide\", \"search\" or \"memory\"",
                    text ? "no verb " : "not a string", text ? text : "");
    if (near) {
        assay_error_next(err, "did you mean \"%s\"?", near);
    }
    return ASSAY_INPUT;
}

static assay_status_t read_job(const json_t *value, request_t *request, assay_error_t *err) {
    if (!json_is_object(value)) {
        return assay_error_set(err, ASSAY_INPUT, &nowhere,
                               "job: not an object, expected the keys of a job file");
    }
    request->job = value;
    return ASSAY_OK;
}

static assay_status_t read_data(const json_t *value, request_t *request, assay_error_t *err) {
    const size_t n = json_array_size(value);
    if (!json_is_array(value) || n > DIRS_MAX) {
        return assay_error_set(err, ASSAY_INPUT, &nowhere,
                               "data: expected a list of at most %d folders", DIRS_MAX);
    }
    for (size_t i = 0; i < n; i++) {
        const char *dir = json_string_value(json_array_get(value, i));
        if (!dir) {
            return assay_error_set(err, ASSAY_INPUT, &nowhere, "data: item %zu is not a string",
                                   i + 1);
        }
        request->dir[request->n_dir++] = dir;
    }
    return ASSAY_OK;
}

static assay_status_t read_lang(const json_t *value, request_t *request, assay_error_t *err) {
    const char *name = json_string_value(value);
    return name && assay_lang_read(name, &request->lang)
               ? ASSAY_OK
               : assay_error_set(err, ASSAY_INPUT, &nowhere, "lang: expected \"en\" or \"zh\"");
}

static assay_status_t read_request(json_t *root, request_t *request, assay_error_t *err) {
    static const struct {
        const char *key;
        assay_status_t (*read)(const json_t *value, request_t *request, assay_error_t *err);
    } field[] = {{"verb", read_verb}, {"job", read_job}, {"data", read_data}, {"lang", read_lang}};
    enum { N_FIELD = sizeof field / sizeof field[0] };
    if (!json_is_object(root)) {
        return assay_error_set(err, ASSAY_INPUT, &nowhere, "the request is not an object");
    }
    const char *name[N_FIELD];
    for (size_t i = 0; i < N_FIELD; i++) {
        name[i] = field[i].key;
    }
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value) {
        size_t i = 0;
        while (i < N_FIELD && strcmp(key, field[i].key) != 0) {
            i++;
        }
        if (i == N_FIELD) {
            const char *near = assay_text_nearest(key, name, N_FIELD);
            assay_error_set(err, ASSAY_INPUT, &nowhere,
                            "unknown key \"%s\", expected verb, job, data or lang", key);
            if (near) {
                assay_error_next(err, "did you mean \"%s\"?", near);
            }
            return ASSAY_INPUT;
        }
        const assay_status_t status = field[i].read(value, request, err);
        if (status) {
            return status;
        }
    }
    if (!request->verb || !request->job) {
        assay_error_set(err, ASSAY_INPUT, &nowhere, "key \"%s\" is missing",
                        request->verb ? "job" : "verb");
        assay_error_next(err, "write {\"verb\": \"decide\", \"job\": {...}}");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

/** Reads the job. Its lines are not the caller's: messages name the key only. */
static assay_status_t read_resolved(assay_arena_t *arena, const request_t *request,
                                    const assay_resolved_t **out_resolved, assay_error_t *err) {
    char *text = json_dumps(request->job, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text) {
        return assay_error_memory(err, &nowhere);
    }
    assay_job_t *job;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_resolved_t *resolved;
    assay_status_t status =
        assay_job_read(arena, REQUEST_NAME, text, strlen(text), NULL, 0, &job, err);
    free(text);
    if (!status) {
        job->lang = request->lang;
    }
    status =
        status ? status : assay_catalog_load(arena, request->dir, request->n_dir, &catalog, err);
    status = status
                 ? status
                 : assay_calibration_load(arena, request->dir, request->n_dir, &calibration, err);
    status =
        status ? status : request->verb->resolve(arena, job, catalog, calibration, &resolved, err);
    if (status && err && strcmp(err->file, REQUEST_NAME) == 0) {
        err->line = err->column = 0;
    }
    if (!status) {
        *out_resolved = resolved;
    }
    return status;
}

static assay_status_t run_request(assay_arena_t *arena, const request_t *request,
                                  const assay_hooks_t *hooks, assay_buf_t *out,
                                  assay_error_t *err) {
    run_t run = {arena, NULL, request->dir, request->n_dir, hooks};
    const assay_status_t status = read_resolved(arena, request, &run.resolved, err);
    if (status) {
        return status;
    }
    switch (run.resolved->kind) {
    case ASSAY_WORK_SERVE:
        return request->verb->serve(&run, out, err);
    case ASSAY_WORK_IMAGE:
        return request->verb->images(&run, out, err);
    default:
        return request->verb->run(&run, out, err);
    }
}

assay_status_t assay_run(const char *request, size_t n_request, const assay_hooks_t *hooks,
                         assay_buf_t *out, assay_error_t *err) {
    if (n_request > ASSAY_NODE_MAX_BYTES) {
        return assay_error_set(err, ASSAY_LIMIT, &nowhere,
                               "the request has %zu bytes, at most %u are read", n_request,
                               ASSAY_NODE_MAX_BYTES);
    }
    json_error_t error;
    json_t *root = json_loadb(request, n_request, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        const assay_place_t at = {REQUEST_NAME, error.line > 0 ? (uint32_t)error.line : 0,
                                  error.column > 0 ? (uint32_t)error.column : 0};
        return assay_error_set(err, ASSAY_INPUT, &at, "not JSON: %s", error.text);
    }
    request_t parsed = {0};
    assay_status_t status = read_request(root, &parsed, err);
    if (!status) {
        assay_arena_t *arena = assay_arena_create(ARENA_BYTES);
        status =
            arena ? run_request(arena, &parsed, hooks, out, err) : assay_error_memory(err, NULL);
        assay_arena_destroy(arena);
    }
    json_decref(root);
    return status;
}
