/**
 * Exhaustive search. The space is cut into keys (tp, micro-batch, recompute, sequence parallel)
 * that share their layer times, and shapes (pp, interleave, ZeRO). Threads take whole keys; each
 * shape under a key costs one closed form. What a key reports (best, front, counts, nearest
 * refusals) is joined by value and then by the layout's own order, so the order of joining does not
 * matter.
 */
#include "assay/plan.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/job.h"
#include "assay/pool.h"
#include "assay/train.h"
#include "plan/plan_space.h"

/* Rounding of the bound, which is summed in another order than the step. */
#define BOUND_SLACK 1e-9

typedef struct {
    double step_s, peak_bytes;
    assay_layout_t layout;
} point_t;

typedef struct {
    uint64_t count;
    double ratio; /* need / have of the nearest */
    assay_layout_t layout;
} near_t;

typedef struct {
    uint64_t visited, legal;
    point_t *front; /* ascending step, descending memory: the first is the best */
    uint32_t n_front;
    point_t two[2]; /* (n_two) the best and the one after it */
    uint32_t n_two;
    near_t refused[ASSAY_REJECT_N];
} found_t;

typedef struct {
    const assay_machine_t *machine;
    const assay_workload_t *work;
    const assay_plan_options_t *options;
    plan_space_t space;
    found_t *found;       /* (n_key) */
    double *bound_s;      /* (n_key): no layout of the key is faster; NULL: all are looked at */
    uint32_t *order;      /* (n_key): of keys, ascending bounds */
    double best_s;        /* under the lock: of what fits so far */
    point_t *scratch;     /* (threads, n_shape) */
    pthread_mutex_t lock; /* over what follows and the caller's hooks */
    assay_arena_t *arena;
    uint64_t n_done;
    bool no_memory;
} search_t;

assay_plan_options_t assay_plan_defaults(void) {
    return (assay_plan_options_t){.pin = {.zero = -1,
                                          .recompute = -1,
                                          .sequence_parallel = -1,
                                          .cp_comm = -1,
                                          .schedule = ASSAY_SCHEDULE_1F1B}};
}

#define ORDER(field)                         \
    if (a->field != b->field) {              \
        return a->field < b->field ? -1 : 1; \
    }
static int compare_layouts(const assay_layout_t *a, const assay_layout_t *b) {
    ORDER(tp)
    ORDER(pp)
    ORDER(vpp)
    ORDER(schedule)
    ORDER(cp)
    ORDER(ep)
    ORDER(etp)
    ORDER(cp_comm)
    ORDER(dp)
    ORDER(micro_batch)
    ORDER(shard)
    ORDER(zero)
    ORDER(recompute)
    ORDER(sequence_parallel)
    return 0;
}
#undef ORDER

/* Adds a point to a front unless the front has one that is as good in both; drops those that it
   beats. Of equal points the smaller layout stays. Returns the new length. */
static uint32_t front_add(point_t *front, uint32_t n, const point_t *point) {
    uint32_t at = 0;
    while (at < n && front[at].step_s < point->step_s) {
        at++;
    }
    if (at > 0 && front[at - 1].peak_bytes <= point->peak_bytes) {
        return n;
    }
    if (at < n && front[at].step_s <= point->step_s) { /* equal steps */
        if (front[at].peak_bytes < point->peak_bytes ||
            (front[at].peak_bytes <= point->peak_bytes &&
             compare_layouts(&front[at].layout, &point->layout) < 0)) {
            return n;
        }
    }
    uint32_t end = at;
    while (end < n && front[end].peak_bytes >= point->peak_bytes) {
        end++;
    }
    memmove(&front[at + 1], &front[end], (n - end) * sizeof(*front));
    front[at] = *point;
    return n - (end - at) + 1;
}

/* Keeps the best two of all points, in order: step, memory, layout. */
static void two_add(point_t two[2], uint32_t *io_n, const point_t *point) {
    uint32_t at = *io_n;
    while (at > 0 && (point->step_s < two[at - 1].step_s ||
                      (point->step_s <= two[at - 1].step_s &&
                       (point->peak_bytes < two[at - 1].peak_bytes ||
                        (point->peak_bytes <= two[at - 1].peak_bytes &&
                         compare_layouts(&point->layout, &two[at - 1].layout) < 0))))) {
        at--;
    }
    if (at >= 2) {
        return;
    }
    if (at == 0) {
        two[1] = two[0];
    }
    two[at] = *point;
    *io_n = *io_n < 2 ? *io_n + 1 : 2;
}

static void near_add(near_t *near, uint64_t count, double ratio, const assay_layout_t *layout) {
    if (near->count == 0 || ratio < near->ratio ||
        (ratio <= near->ratio && compare_layouts(layout, &near->layout) < 0)) {
        near->ratio = ratio;
        near->layout = *layout;
    }
    near->count += count;
}

static void tell_visitor(search_t *search, const assay_estimate_t *estimate) {
    pthread_mutex_lock(&search->lock);
    search->options->visit(search->options->visit_ctx, estimate);
    pthread_mutex_unlock(&search->lock);
}

/* Keeps a key's front and reports progress; once per key, so that the lock does not matter. */
static void finish_key(search_t *search, found_t *found, const point_t *front, uint32_t n_front) {
    const assay_hooks_t *hooks = search->options->hooks;
    pthread_mutex_lock(&search->lock);
    found->front = assay_arena_array(search->arena, n_front, sizeof(*front));
    if (found->front) {
        memcpy(found->front, front, n_front * sizeof(*front));
        found->n_front = n_front;
    } else {
        search->no_memory = true;
    }
    search->n_done++;
    if (hooks && hooks->progress) {
        hooks->progress(hooks->ctx, "search", search->n_done, search->space.n_key);
    }
    pthread_mutex_unlock(&search->lock);
}

/* Does this hold for every shape? */
static bool is_of_key(assay_reject_t reject) {
    return reject == ASSAY_REJECT_HEADS || reject == ASSAY_REJECT_WIDTH ||
           reject == ASSAY_REJECT_TP_NODE || reject == ASSAY_REJECT_SEQUENCE ||
           reject == ASSAY_REJECT_CONTEXT || reject == ASSAY_REJECT_WINDOW ||
           reject == ASSAY_REJECT_ROUTING;
}

/* Are all shapes of the key refused, for the same reason? Then the first is the nearest: it is the
   smallest of equals. With a visitor each is visited all the same. */
static bool refuse_key(const search_t *search, const plan_key_t *key, found_t *found) {
    const assay_layout_t layout = plan_space_layout(&search->space, key, &search->space.shape[0]);
    double need, have;
    const assay_reject_t reject =
        assay_train_check(search->machine, search->work, &layout, &need, &have);
    if (!is_of_key(reject) || search->options->visit) {
        return false;
    }
    found->visited = search->space.n_shape;
    near_add(&found->refused[reject], search->space.n_shape, need / have, &layout);
    return true;
}

/**
 * All devices together compute every layer of every micro-batch; a pipeline's slowest stage is no
 * faster than the mean of them, and nothing that is added is below 0. So the key alone bounds the
 * step, whatever pp and dp are.
 */
static void bound_one(void *ctx, size_t item, uint32_t worker) {
    search_t *search = ctx;
    const plan_key_t *key = &search->space.key[item];
    const assay_workload_t *work = search->work;
    const assay_layout_t layout = plan_space_layout(&search->space, key, &search->space.shape[0]);
    double need, have;
    (void)worker;
    search->bound_s[item] = HUGE_VAL;
    if (is_of_key(assay_train_check(search->machine, work, &layout, &need, &have))) {
        return;
    }
    assay_train_layer_t layer;
    assay_train_layer(search->machine, work, &layout, &layer);
    const double all_s = work->model.layers * (layer.layer_forward_s + layer.layer_backward_s) +
                         layer.embed_forward_s + layer.embed_backward_s + layer.head_forward_s +
                         layer.head_backward_s;
    const int schedule = search->options->pin.schedule;
    const bool hides =
        schedule < 0 || schedule == ASSAY_SCHEDULE_DUALPIPE || schedule == ASSAY_SCHEDULE_DUALPIPEV;
    const double hidden_s = hides ? work->model.layers * layer.layer_hidden_s : 0;
    const double pieces = (double)work->global_batch / key->micro_batch;
    const double lanes = (double)search->machine->devices / ((double)key->tp * key->cp);
    const double loss = search->machine->device.calib[ASSAY_CALIB_STEP_LOSS][work->dtype];
    search->bound_s[item] = pieces / lanes * (all_s - hidden_s) * (1 + loss) * (1 - BOUND_SLACK);
}

static int compare_bounds(const void *a, const void *b, void *ctx) {
    const double *bound_s = ctx;
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return bound_s[i] < bound_s[j] ? -1 : bound_s[i] > bound_s[j] ? 1 : (i > j) - (i < j);
}

/* Takes the step of a key's best, if it has one; does the bound of this key leave it out? */
static bool is_bound(search_t *search, size_t item, double step_s) {
    pthread_mutex_lock(&search->lock);
    search->best_s = fmin(search->best_s, step_s);
    const bool out = search->bound_s[item] > search->best_s;
    pthread_mutex_unlock(&search->lock);
    return out;
}

static void search_key(search_t *search, size_t item, uint32_t worker);

static void search_one(void *ctx, size_t item, uint32_t worker) {
    search_t *search = ctx;
    if (!search->bound_s) {
        search_key(search, item, worker);
        return;
    }
    const uint32_t at = search->order[item];
    if (!is_bound(search, at, HUGE_VAL)) {
        search_key(search, at, worker);
        const found_t *found = &search->found[at];
        (void)is_bound(search, at, found->n_front ? found->front[0].step_s : HUGE_VAL);
    }
}

static void search_key(search_t *search, size_t item, uint32_t worker) {
    const plan_key_t *key = &search->space.key[item];
    found_t *found = &search->found[item];
    point_t *front = &search->scratch[(size_t)worker * search->space.n_shape];
    uint32_t n_front = 0;
    assay_train_layer_t layer;
    bool has_layer = false;

    const uint32_t n_shape = refuse_key(search, key, found) ? 0 : search->space.n_shape;
    for (uint32_t i = 0; i < n_shape; i++) {
        const assay_layout_t layout =
            plan_space_layout(&search->space, key, &search->space.shape[i]);
        assay_estimate_t estimate;
        double need, have;
        const assay_reject_t reject =
            assay_train_check(search->machine, search->work, &layout, &need, &have);
        if (reject == ASSAY_REJECT_NONE && !has_layer) {
            assay_train_layer(search->machine, search->work, &layout, &layer);
            has_layer = true;
        }
        if (reject == ASSAY_REJECT_NONE) {
            assay_train_estimate_with(search->machine, search->work, &layout, &layer, &estimate);
        } else {
            estimate = (assay_estimate_t){
                .layout = layout, .reject = (uint8_t)reject, .need = need, .have = have};
        }
        found->visited++;
        if (estimate.reject == ASSAY_REJECT_NONE) {
            const point_t point = {estimate.step_s, estimate.peak_total_bytes, estimate.layout};
            found->legal++;
            n_front = front_add(front, n_front, &point);
            two_add(found->two, &found->n_two, &point);
        } else {
            near_add(&found->refused[estimate.reject], 1, estimate.need / estimate.have,
                     &estimate.layout);
        }
        if (search->options->visit) {
            tell_visitor(search, &estimate);
        }
    }
    finish_key(search, found, front, n_front);
}

/* Joins what the keys found and fills in the full estimates. */
static bool join(search_t *search, assay_plan_t *out_plan) {
    size_t n_points = 0;
    for (uint32_t i = 0; i < search->space.n_key; i++) {
        n_points += search->found[i].n_front;
    }
    point_t *front = assay_arena_array(search->arena, n_points, sizeof(*front));
    if (!front) {
        return false;
    }
    near_t refused[ASSAY_REJECT_N] = {0};
    point_t two[2] = {0};
    uint32_t n_front = 0, n_two = 0;
    for (uint32_t i = 0; i < search->space.n_key; i++) {
        const found_t *found = &search->found[i];
        out_plan->visited += found->visited;
        out_plan->legal += found->legal;
        for (uint32_t j = 0; j < found->n_front; j++) {
            n_front = front_add(front, n_front, &found->front[j]);
        }
        for (uint32_t j = 0; j < found->n_two; j++) {
            two_add(two, &n_two, &found->two[j]);
        }
        for (int j = 0; j < ASSAY_REJECT_N; j++) {
            if (found->refused[j].count) {
                near_add(&refused[j], found->refused[j].count, found->refused[j].ratio,
                         &found->refused[j].layout);
            }
        }
    }
    out_plan->pareto = assay_arena_array(search->arena, n_front, sizeof(*out_plan->pareto));
    if (!out_plan->pareto) {
        return false;
    }
    out_plan->n_pareto = n_front;
    for (uint32_t i = 0; i < n_front; i++) {
        assay_train_estimate(search->machine, search->work, &front[i].layout, &out_plan->pareto[i]);
    }
    out_plan->found = n_front > 0;
    if (out_plan->found) {
        out_plan->best = out_plan->pareto[0];
    }
    out_plan->has_next = n_two > 1;
    if (out_plan->has_next) {
        assay_train_estimate(search->machine, search->work, &two[1].layout, &out_plan->next);
    }
    for (int i = 0; i < ASSAY_REJECT_N; i++) {
        out_plan->refused[i].count = refused[i].count;
        if (refused[i].count) {
            assay_train_estimate(search->machine, search->work, &refused[i].layout,
                                 &out_plan->refused[i].nearest);
        }
    }
    return true;
}

/* What a search for the best alone found, without what depends on the order of the keys. */
static void keep_best(const search_t *search, assay_plan_t *io_plan) {
    const assay_plan_t best = {.found = true,
                               .best = io_plan->best,
                               .pareto = io_plan->pareto,
                               .n_pareto = 1,
                               .visited = (uint64_t)search->space.n_key * search->space.n_shape};
    *io_plan = best;
}

/* false: no memory. */
static bool make_bounds(search_t *search, uint32_t threads, assay_status_t *out_status) {
    const uint32_t n = search->space.n_key;
    search->bound_s = assay_arena_array(search->arena, n, sizeof(*search->bound_s));
    search->order = assay_arena_array(search->arena, n, sizeof(*search->order));
    if (!search->bound_s || !search->order) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        search->order[i] = i;
    }
    *out_status = assay_pool_for(threads, n, bound_one, search, search->options->hooks);
    qsort_r(search->order, n, sizeof(*search->order), compare_bounds, search->bound_s);
    return true;
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static assay_status_t refuse_above_peak(const assay_machine_t *machine,
                                        const assay_workload_t *work, double hfu,
                                        assay_error_t *err) {
    assay_error_set(err, ASSAY_INPUT, NULL, "%s would compute at %.0f %% of its dense %s peak",
                    machine->id, 100.0 * hfu, assay_dtype_name(work->dtype));
    assay_error_next(err,
                     "mend the calibration.csv or accelerators.csv that --data lays over ours");
    return ASSAY_INPUT;
}

assay_status_t assay_plan_search(assay_arena_t *arena, const assay_machine_t *machine,
                                 const assay_workload_t *work, const assay_plan_options_t *options,
                                 assay_plan_t *out_plan, assay_error_t *err) {
    const double start_s = now_s();
    const uint32_t threads = options->threads ? options->threads : assay_pool_threads();
    search_t search = {
        .machine = machine, .work = work, .options = options, .arena = arena, .best_s = HUGE_VAL};
    assay_status_t status = ASSAY_OK;
    assay_plan_t plan = {0};

    if (!plan_space_make(arena, machine, work, options, &search.space)) {
        goto no_memory;
    }
    search.found = assay_arena_array(arena, search.space.n_key, sizeof(*search.found));
    search.scratch =
        assay_arena_array(arena, (size_t)threads * search.space.n_shape, sizeof(*search.scratch));
    if (!search.found || !search.scratch) {
        goto no_memory;
    }
    if (options->best_only && !make_bounds(&search, threads, &status)) {
        goto no_memory;
    }
    pthread_mutex_init(&search.lock, NULL);
    status = status
                 ? status
                 : assay_pool_for(threads, search.space.n_key, search_one, &search, options->hooks);
    pthread_mutex_destroy(&search.lock);
    if (status == ASSAY_CANCELLED) {
        return assay_error_set(err, status, NULL, "the search over layouts was stopped");
    }
    if (status) {
        return assay_error_set(err, status, NULL, "the search over layouts could not start");
    }
    if (search.no_memory || !join(&search, &plan)) {
        goto no_memory;
    }
    if (options->best_only && plan.found) {
        keep_best(&search, &plan);
    }
    plan.wall_s = now_s() - start_s;
    if (plan.found && plan.best.hfu > 1) { /* peaks are dense: no run is above them */
        return refuse_above_peak(machine, work, plan.best.hfu, err);
    }
    *out_plan = plan;
    return ASSAY_OK;

no_memory:
    return assay_error_set(err, ASSAY_MEMORY, NULL,
                           "the search over layouts needs more memory than allowed");
}
