/* What was measured, "step_time:8x-mi250x-oam=6.3 s": it takes the place of what the job says or
   the program predicts. */
#include <string.h>

#include "job/job_schema.h"

#include "assay/arena.h"

#include "base/banned.h"

#define FILE_BYTES ((size_t)1 << 20)
#define LINE_MAX_BYTES 1024

typedef struct {
    const char *key;
    assay_dim_t dim;
    double bare_scale, least, most;
    size_t offset;  /* of an assay_number_t, in the job or in a candidate */
    bool candidate; /* the key names one: "KEY:CANDIDATE" */
    uint8_t work;   /* of jobs that do this alone */
} measured_key_t;

enum { WORK_ANY, WORK_TRAIN, WORK_SERVE, WORK_IMAGE };
static const char *const work_name[] = {
    [WORK_TRAIN] = "train", [WORK_SERVE] = "serve", [WORK_IMAGE] = "make images"};

static uint8_t work_of(const assay_job_t *job) {
    return job->workload.serve.present   ? WORK_SERVE
           : job->workload.image.present ? WORK_IMAGE
                                         : WORK_TRAIN;
}

#define OF_JOB(name, member, dimension, least, most) \
    { name, ASSAY_DIM_##dimension, 1, least, most, offsetof(assay_job_t, member), false, WORK_ANY }
#define OF_CANDIDATE(name, member, dimension, least, most, work)                              \
    {                                                                                         \
        name, ASSAY_DIM_##dimension, 1, least, most, offsetof(assay_job_candidate_t, member), \
            true, WORK_##work                                                                 \
    }
static const measured_key_t measured_key[] = {
    OF_JOB("hip_fit", migration.hip_fit, FRACTION, 0, 1),
    OF_JOB("labour_usd_per_week", migration.labour_usd_per_week, MONEY_PER_WEEK, 0, 1e6),
    OF_JOB("electricity_usd_kwh", money.electricity_usd_kwh, MONEY_PER_KWH, 0, 10),
    OF_JOB("pue", money.pue, NUMBER, 1, 5),
    OF_JOB("residual", money.residual, FRACTION, 0, 1),
    OF_JOB("ops_usd_per_year", money.ops_usd_per_year, MONEY, 0, 1e12),
    OF_JOB("gpu_hours_per_stop", money.option[ASSAY_OPTION_MTBF], NUMBER, 1, 1e9),
    OF_CANDIDATE("step_time", measured.step_s, TIME, 1e-6, 1e6, TRAIN),
    OF_CANDIDATE("tokens_per_s", measured.tokens_per_s, NUMBER, 1e-3, 1e9, SERVE),
    OF_CANDIDATE("tpot", measured.tpot_s, TIME, 1e-6, 1e3, SERVE),
    OF_CANDIDATE("request_time", measured.request_s, TIME, 1e-6, 1e6, IMAGE),
    OF_CANDIDATE("node_power_w", measured.node_w, POWER, 1, 1e7, ANY),
    OF_CANDIDATE("price", buy_usd, MONEY, 0, 1e12, ANY),
    OF_CANDIDATE("price_per_h", usd_per_h, MONEY_PER_HOUR, 0, 1e6, ANY),
};
#define N_KEY (sizeof measured_key / sizeof *measured_key)

static assay_status_t refuse(const assay_place_t *at, assay_error_t *err, const char *what,
                             const char *given, const char *const *known, size_t n_known) {
    const char *near = assay_text_nearest(given, known, n_known);
    assay_error_set(err, ASSAY_INPUT, at, "no %s is called '%s'", what, given);
    if (n_known > 0) {
        assay_error_next(err, near ? "did you mean '%s'?" : "the first is '%s'",
                         near ? near : known[0]);
    }
    return ASSAY_INPUT;
}

static assay_status_t find_candidate(assay_arena_t *arena, assay_job_t *job, const char *name,
                                     const assay_place_t *at, assay_job_candidate_t **out,
                                     assay_error_t *err) {
    assay_job_candidate_t *candidate = job->candidates.item;
    const uint32_t n = job->candidates.n;
    const char **id = assay_arena_array(arena, n + 1, sizeof *id);
    if (!id) {
        return assay_error_memory(err, at);
    }
    for (uint32_t i = 0; i < n; i++) {
        id[i] = candidate[i].id.s       ? candidate[i].id.s
                : candidate[i].system.s ? candidate[i].system.s
                                        : "";
        if (assay_text_equal_fold(id[i], name)) {
            *out = &candidate[i];
            return ASSAY_OK;
        }
    }
    return refuse(at, err, "candidate", name, id, n);
}

/* "KEY=VALUE" or "KEY:CANDIDATE=VALUE". */
static assay_status_t take_one(assay_arena_t *arena, assay_job_t *job, const char *text,
                               const assay_place_t *at, assay_error_t *err) {
    const char *key_name[N_KEY];
    const char *equals = strchr(text, '=');
    char *name = assay_arena_strndup(arena, text, equals ? (size_t)(equals - text) : 0);
    if (!name) {
        return assay_error_memory(err, at);
    }
    if (!equals) {
        assay_error_set(err, ASSAY_INPUT, at, "'%s' is not what was measured", text);
        assay_error_next(err,
                         "give KEY=VALUE, such as hip_fit=0.9 or step_time:CANDIDATE=\"6.3 s\"");
        return ASSAY_INPUT;
    }
    char *colon = strchr(name, ':');
    if (colon) {
        *colon = '\0';
    }
    size_t k = 0;
    while (k < N_KEY && strcmp(measured_key[k].key, name) != 0) {
        key_name[k] = measured_key[k].key;
        k++;
    }
    if (k == N_KEY) {
        return refuse(at, err, "measured input", name, key_name, N_KEY);
    }
    const measured_key_t *key = &measured_key[k];
    char *base = (char *)job;
    if (key->work != WORK_ANY && key->work != work_of(job)) {
        const uint8_t work = work_of(job);
        size_t first = 0;
        while (measured_key[first].work != work) {
            first++;
        }
        assay_error_set(err, ASSAY_INPUT, at, "%s is measured of jobs that %s", name,
                        work_name[key->work]);
        assay_error_next(err, "give %s:CANDIDATE=VALUE", measured_key[first].key);
        return ASSAY_INPUT;
    }
    if (key->candidate != (colon != NULL)) {
        return assay_error_set(err, ASSAY_INPUT, at,
                               key->candidate ? "'%s' is of a candidate: give %s:CANDIDATE=VALUE"
                                              : "'%s' is of no candidate: give %s=VALUE",
                               name, name);
    }
    if (key->candidate) {
        assay_job_candidate_t *candidate = NULL;
        const assay_status_t status = find_candidate(arena, job, colon + 1, at, &candidate, err);
        if (status) {
            return status;
        }
        base = (char *)candidate;
    }
    double value;
    const char *number = equals + 1;
    const assay_status_t status =
        assay_units_parse(number, strlen(number), key->dim, key->bare_scale, at, &value, err);
    if (status) {
        return status;
    }
    if (!(value >= key->least && value <= key->most)) {
        return assay_error_set(err, ASSAY_INPUT, at, "%s is '%s', expected %s from %g to %g", name,
                               number, assay_dim_name(key->dim), key->least, key->most);
    }
    *(assay_number_t *)(void *)(base + key->offset) =
        (assay_number_t){.v = value, .origin = ASSAY_GIVEN, .at = *at};
    return ASSAY_OK;
}

/* One a line; empty lines and those that begin with # say nothing. */
static assay_status_t take_file(assay_arena_t *arena, assay_job_t *job, const char *path,
                                assay_error_t *err) {
    char *data;
    size_t size;
    assay_status_t status = assay_file_read(arena, path, FILE_BYTES, &data, &size, err);
    uint32_t line = 0;
    for (size_t at = 0; status == ASSAY_OK && at < size; line++) {
        const char *end = memchr(data + at, '\n', size - at);
        size_t n = end ? (size_t)(end - data) - at : size - at;
        const assay_place_t place = {path, line + 1, 1};
        const char *text = data + at;
        at += n + 1;
        while (n > 0 && (text[n - 1] == '\r' || text[n - 1] == ' ')) {
            n--;
        }
        if (n == 0 || *text == '#') {
            continue;
        }
        char *copy = n < LINE_MAX_BYTES ? assay_arena_strndup(arena, text, n) : NULL;
        if (!copy || strlen(copy) != n) {
            return assay_error_set(err, ASSAY_INPUT, &place, "the line is no measurement");
        }
        status = take_one(arena, job, copy, &place, err);
    }
    return status;
}

assay_status_t assay_job_take_measured(assay_arena_t *arena, assay_job_t *job, assay_error_t *err) {
    const assay_string_t *item = job->analysis.measured.item;
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; status == ASSAY_OK && i < job->analysis.measured.n; i++) {
        status = strchr(item[i].s, '=') ? take_one(arena, job, item[i].s, &item[i].at, err)
                                        : take_file(arena, job, item[i].s, err);
    }
    return status;
}
