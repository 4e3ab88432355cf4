/* Two decisions side by side; the first decided again with one input of the second at a time. */
#include "assay/report_diff.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/run.h"

#include "base/banned.h"

#define BYTES_MAX ((size_t)16 << 20)
#define DEPTH_MAX 32
#define INPUTS_MAX 256u /* that differ */
#define REDONE_MAX 16u  /* that are decided again */
#define RESULT_BYTES ((size_t)64 << 20)

typedef struct {
    assay_arena_t *arena;
    json_t *root[2];
    assay_diff_t *out;
    uint32_t room; /* of out->input */
    bool failed;   /* the arena is full */
} work_t;

static const char *keep(work_t *work, const char *text) {
    const char *copy = text ? assay_arena_strdup(work->arena, text) : NULL;
    work->failed |= text && !copy;
    return copy;
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* A value as it is read, not as JSON writes it. */
static const char *value_text(work_t *work, const json_t *value) {
    if (!value) {
        return NULL;
    }
    if (json_is_string(value)) {
        return keep(work, json_string_value(value));
    }
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    const char *copy = keep(work, text ? text : "");
    free(text);
    return copy;
}

/* ---- candidates ---- */

static const json_t *find_candidate(const json_t *root, const char *id) {
    size_t i;
    const json_t *item;
    json_array_foreach(json_object_get(root, "candidates"), i, item) {
        const char *its = text_of(item, "id");
        if (its && strcmp(its, id) == 0) {
            return item;
        }
    }
    return NULL;
}

/* A training job costs what it costs; a service what it costs over the years. */
static double cost_of(const json_t *candidate) {
    const json_t *total = json_object_get(candidate, "cost_total_usd");
    return total ? json_number_value(total) : number_of(candidate, "tco_usd");
}

static void find_term(work_t *work, const json_t *a, const json_t *b, assay_diff_candidate_t *out) {
    const json_t *terms = json_object_get(a, "cost_terms_usd");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)terms, key, value) {
        const double by =
            number_of(json_object_get(b, "cost_terms_usd"), key) - json_number_value(value);
        if (fabs(by) > fabs(out->term_usd)) {
            out->term_usd = by;
            out->term = keep(work, key);
        }
    }
}

/* What comes out of a candidate in a second, and by which name. */
static const char *rate_of(work_t *work, const json_t *root, const json_t *candidate,
                           double *out_per_s) {
    static const char *const rate[] = {"tokens_per_s", "images_per_s", "output_tokens_per_s"};
    const json_t *samples = json_object_get(candidate, "samples_per_s");
    const char *sample = text_of(json_object_get(root, "question"), "sample");
    if (samples && sample) {
        *out_per_s = json_number_value(samples);
        return assay_arena_printf(work->arena, "%ss_per_s", sample);
    }
    const json_t *fleet = json_object_get(candidate, "fleet");
    for (size_t k = 0; k < sizeof rate / sizeof rate[0]; k++) {
        const json_t *at = json_object_get(candidate, rate[k]);
        at = at ? at : json_object_get(fleet, rate[k]);
        if (json_is_number(at)) {
            *out_per_s = json_number_value(at);
            return rate[k];
        }
    }
    return NULL;
}

static void add_candidates(work_t *work, int side) {
    size_t i;
    const json_t *item;
    json_array_foreach(json_object_get(work->root[side], "candidates"), i, item) {
        const char *id = text_of(item, "id");
        if (!id || (side == 1 && find_candidate(work->root[0], id))) {
            continue;
        }
        const json_t *both[2] = {find_candidate(work->root[0], id),
                                 find_candidate(work->root[1], id)};
        assay_diff_candidate_t *out = &work->out->candidate[work->out->n_candidate++];
        *out = (assay_diff_candidate_t){.id = keep(work, id)};
        for (int k = 0; k < 2; k++) {
            out->known[k] = both[k] && json_is_true(json_object_get(both[k], "fits"));
            out->usd[k] = cost_of(both[k]);
            const char *rate = rate_of(work, work->root[k], both[k], &out->per_s[k]);
            out->rate = rate ? rate : out->rate;
        }
        if (out->known[0] && out->known[1]) {
            find_term(work, both[0], both[1], out);
        }
    }
}

/* ---- assumptions ---- */

/* With that value; value NULL: with any. */
static const json_t *find_note(const json_t *root, const char *subject, const char *value) {
    size_t i;
    const json_t *item;
    json_array_foreach(json_object_get(root, "assumptions"), i, item) {
        const char *its = text_of(item, "subject"), *says = text_of(item, "value");
        if (its && strcmp(its, subject) == 0 && (!value || (says && strcmp(says, value) == 0))) {
            return item;
        }
    }
    return NULL;
}

static void add_notes(work_t *work, int side) {
    size_t i;
    const json_t *item;
    json_array_foreach(json_object_get(work->root[side], "assumptions"), i, item) {
        const char *subject = text_of(item, "subject"), *mine = text_of(item, "value");
        const json_t *other = subject ? find_note(work->root[1 - side], subject, NULL) : NULL;
        if (!subject || (side == 1 && other) ||
            (other && find_note(work->root[1 - side], subject, mine))) {
            continue;
        }
        assay_diff_note_t *out = &work->out->note[work->out->n_note++];
        *out = (assay_diff_note_t){.subject = keep(work, subject)};
        out->value[side] = keep(work, mine);
        out->value[1 - side] = keep(work, other ? text_of(other, "value") : NULL);
    }
}

/* ---- inputs ---- */

/* The name of a list's item: what tells it from the others, else its place. */
static const char *item_name(work_t *work, const json_t *item, size_t index) {
    const char *id = text_of(item, "id");
    id = id ? id : text_of(item, "system");
    return id ? keep(work, id) : assay_arena_printf(work->arena, "%zu", index);
}

static const json_t *find_item(work_t *work, const json_t *list, const char *name) {
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item) {
        const char *its = item_name(work, item, i);
        if (its && strcmp(its, name) == 0) {
            return item;
        }
    }
    return NULL;
}

static void add_input(work_t *work, const char *path, const json_t *a, const json_t *b) {
    if (work->out->n_input == work->room) {
        work->out->left_out++;
        return;
    }
    work->out->input[work->out->n_input++] =
        (assay_diff_input_t){.path = path, .value = {value_text(work, a), value_text(work, b)}};
}

/* All leaves in which two trees differ. Lists of scalars are leaves. */
static void compare(work_t *work, const char *path, const json_t *a, const json_t *b,
                    uint32_t depth) {
    const bool objects = json_is_object(a) && json_is_object(b);
    const bool lists = json_is_array(a) && json_is_array(b) &&
                       json_is_object(json_array_get(a, 0)) && json_is_object(json_array_get(b, 0));
    if (depth == DEPTH_MAX || (!objects && !lists)) {
        if (!a || !b || !json_equal((json_t *)a, (json_t *)b)) {
            add_input(work, path, a, b);
        }
        return;
    }
    for (int side = 0; side < 2; side++) {
        const json_t *mine = side ? b : a, *other = side ? a : b;
        const char *key;
        json_t *value;
        size_t i;
        json_object_foreach((json_t *)(objects ? mine : NULL), key, value) {
            const json_t *its = json_object_get(other, key);
            const char *name =
                assay_arena_printf(work->arena, "%s%s%s", path, path[0] ? "." : "", key);
            work->failed |= !name;
            if (name && (side == 0 || !its)) {
                compare(work, name, side ? its : value, side ? value : its, depth + 1);
            }
        }
        json_array_foreach(lists ? mine : NULL, i, value) {
            const char *item = item_name(work, value, i);
            const json_t *its = item ? find_item(work, other, item) : NULL;
            const char *name = item ? assay_arena_printf(work->arena, "%s[%s]", path, item) : NULL;
            work->failed |= !name;
            if (name && (side == 0 || !its)) {
                compare(work, name, side ? its : value, side ? value : its, depth + 1);
            }
        }
    }
}

/* The node at a path, and with make the way to it; *out_key: what is left of it. NULL: not there.
 */
static json_t *walk(work_t *work, json_t *at, const char *path, const char **out_key,
                    size_t *out_item) {
    for (;;) {
        const size_t n = strcspn(path, ".[");
        const char *key = assay_arena_strndup(work->arena, path, n);
        if (!key) {
            work->failed = true;
            return NULL;
        }
        path += n;
        if (*path == '\0') {
            *out_key = key;
            return at;
        }
        json_t *next = json_object_get(at, key);
        if (*path == '[') {
            const size_t n_name = strcspn(path, "]");
            const char *name = assay_arena_strndup(work->arena, path + 1, n_name - 1);
            const json_t *item = name ? find_item(work, next, name) : NULL;
            path += n_name + (path[n_name] == ']');
            if (*path == '\0') { /* a whole item */
                size_t i = 0;
                while (i < json_array_size(next) && json_array_get(next, i) != item) {
                    i++;
                }
                *out_key = NULL;
                *out_item = i;
                return next;
            }
            next = (json_t *)item;
        } else if (!next) {
            next = json_object();
            if (!next || json_object_set_new(at, key, next)) {
                work->failed = true;
                return NULL;
            }
        }
        if (!next) {
            return NULL;
        }
        at = next;
        path += *path == '.';
    }
}

/* false: the job has no such place. */
static bool apply(work_t *work, json_t *job, const char *path, json_t *value) {
    const char *key;
    size_t item = 0;
    json_t *at = walk(work, job, path, &key, &item);
    if (!at) {
        return false;
    }
    if (key) {
        return value ? json_object_set(at, key, value) == 0 : json_object_del(at, key) == 0;
    }
    return value ? json_array_append(at, value) == 0 : json_array_remove(at, item) == 0;
}

/* What stands at a path; NULL: nothing. */
static json_t *value_at(work_t *work, json_t *job, const char *path) {
    const char *key;
    size_t item = 0;
    json_t *copy = json_deep_copy(job), *found = NULL;
    json_t *at = copy ? walk(work, copy, path, &key, &item) : NULL;
    if (at) {
        found = json_incref(key ? json_object_get(at, key) : json_array_get(at, item));
    }
    json_decref(copy);
    return found;
}

static void read_redone(work_t *work, const assay_buf_t *result, assay_diff_input_t *io) {
    json_t *root = json_loadb(result->data, result->n, 0, NULL);
    const char *first = work->out->choice[0], *second = work->out->choice[1];
    io->choice = keep(work, text_of(json_object_get(root, "verdict"), "choice"));
    const json_t *candidate = first ? find_candidate(root, first) : NULL;
    io->usd = candidate ? cost_of(candidate) : 0;
    io->redone = root != NULL;
    const bool changed =
        (first == NULL) != (second == NULL) || (first && second && strcmp(first, second) != 0);
    const bool as_second = io->choice && second ? strcmp(io->choice, second) == 0
                                                : io->choice == NULL && second == NULL;
    io->does_it = changed && as_second;
    json_decref(root);
}

static assay_status_t redo(work_t *work, assay_diff_input_t *io, const assay_hooks_t *hooks,
                           assay_error_t *err) {
    json_t *job = json_deep_copy(json_object_get(work->root[0], "job"));
    json_t *value = value_at(work, json_object_get(work->root[1], "job"), io->path);
    json_t *request = json_object();
    assay_status_t status = ASSAY_OK;
    if (job && request && apply(work, job, io->path, value) &&
        json_object_set_new(request, "verb", json_string("decide")) == 0 &&
        json_object_set(request, "job", job) == 0) {
        char *text = json_dumps(request, JSON_COMPACT | JSON_REAL_PRECISION(17));
        assay_buf_t result;
        assay_error_t refused = {0};
        assay_buf_init(&result, RESULT_BYTES);
        const assay_status_t done =
            text ? assay_run(text, strlen(text), hooks, &result, &refused) : ASSAY_MEMORY;
        if (done == ASSAY_CANCELLED || done == ASSAY_MEMORY) {
            status = assay_error_set(err, done, NULL, "stopped while deciding again");
        } else if (done == ASSAY_OK || done == ASSAY_NO_FIT) {
            read_redone(work, &result, io);
        } else {
            io->why_not = keep(work, refused.what);
        }
        assay_buf_done(&result);
        free(text);
    }
    json_decref(request);
    json_decref(value);
    json_decref(job);
    return status;
}

/* ---- the whole ---- */

static assay_status_t load(const assay_diff_side_t *side, json_t **out, assay_error_t *err) {
    const assay_place_t nowhere = {side->name, 0, 0};
    json_error_t error;
    if (side->size > BYTES_MAX) {
        return assay_error_set(err, ASSAY_LIMIT, &nowhere, "%zu bytes, at most %zu are read",
                               side->size, BYTES_MAX);
    }
    *out = json_loadb(side->data, side->size, JSON_REJECT_DUPLICATES, &error);
    if (!*out) {
        const assay_place_t at = {side->name, error.line > 0 ? (uint32_t)error.line : 0,
                                  error.column > 0 ? (uint32_t)error.column : 0};
        return assay_error_set(err, ASSAY_INPUT, &at, "not JSON: %s", error.text);
    }
    if (!json_is_object(json_object_get(*out, "verdict")) ||
        !json_is_array(json_object_get(*out, "candidates"))) {
        assay_error_set(err, ASSAY_INPUT, &nowhere,
                        "not a decision: it has no verdict and "
                        "candidates");
        assay_error_next(err, "make it with \"assay decide JOB --json -o FILE\"");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

static bool make_room(work_t *work) {
    size_t candidates = 1, notes = 1;
    for (int k = 0; k < 2; k++) {
        candidates += json_array_size(json_object_get(work->root[k], "candidates"));
        notes += json_array_size(json_object_get(work->root[k], "assumptions"));
    }
    assay_diff_t *out = work->out;
    out->candidate = assay_arena_array(work->arena, candidates, sizeof *out->candidate);
    out->note = assay_arena_array(work->arena, notes, sizeof *out->note);
    out->input = assay_arena_array(work->arena, INPUTS_MAX, sizeof *out->input);
    work->room = INPUTS_MAX;
    return out->candidate && out->note && out->input;
}

static assay_status_t compare_all(work_t *work, const assay_hooks_t *hooks, assay_error_t *err) {
    assay_diff_t *out = work->out;
    if (!make_room(work)) {
        return assay_error_memory(err, NULL);
    }
    const json_t *job[2];
    for (int k = 0; k < 2; k++) {
        const json_t *verdict = json_object_get(work->root[k], "verdict");
        out->choice[k] = keep(work, text_of(verdict, "choice"));
        out->probability[k] = number_of(verdict, "probability");
        out->version[k] = keep(work, text_of(work->root[k], "assay_version"));
        job[k] = json_object_get(work->root[k], "job");
        add_candidates(work, k);
        add_notes(work, k);
    }
    out->has_jobs = json_is_object(job[0]) && json_is_object(job[1]);
    if (out->has_jobs) {
        compare(work, "", job[0], job[1], 0);
    }
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; i < out->n_input && !status; i++) {
        if (i < REDONE_MAX) {
            status = redo(work, &out->input[i], hooks, err);
        } else {
            out->left_out++;
        }
    }
    return status ? status : work->failed ? assay_error_memory(err, NULL) : ASSAY_OK;
}

assay_status_t assay_diff(assay_arena_t *arena, const assay_diff_side_t side[2],
                          const assay_hooks_t *hooks, assay_diff_t **out, assay_error_t *err) {
    assay_diff_t *diff = assay_arena_alloc(arena, sizeof *diff);
    if (!diff) {
        return assay_error_memory(err, NULL);
    }
    *diff = (assay_diff_t){.name = {side[0].name, side[1].name}};
    work_t work = {.arena = arena, .out = diff};
    assay_status_t status = load(&side[0], &work.root[0], err);
    status = status ? status : load(&side[1], &work.root[1], err);
    status = status ? status : compare_all(&work, hooks, err);
    json_decref(work.root[0]);
    json_decref(work.root[1]);
    *out = diff;
    return status;
}
