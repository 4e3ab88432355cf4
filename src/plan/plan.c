/**
 * Exhaustive search. The space is cut into keys (tp, micro-batch, recompute, sequence parallel)
 * that share their layer times, and shapes (pp, interleave, ZeRO). Threads take whole keys; each
 * shape under a key costs one closed form. What a key reports (best, front, counts, nearest
 * refusals) is joined by value and then by the layout's own order, so the order of joining does not
 * matter.
 */
#include "assay/plan.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "assay/job.h"
#include "assay/pool.h"
#include "assay/train.h"

/* Larger micro-batches only cost memory: the GEMMs of one sequence fill a device already. */
#define MAX_MICRO_BATCH 64
/* Each device of a split sequence has at least this many tokens: two pieces of the length at which
   attention still runs near its best rate. */
#define CP_TOKENS_MIN 4096u

typedef struct {
    uint16_t tp, cp, ep, etp;
    uint32_t micro_batch;
    uint8_t recompute, cp_comm;
    bool sequence_parallel;
} search_key_t;

typedef struct {
    uint16_t pp, vpp;
    uint8_t zero, schedule;
} shape_t;

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
    near_t refused[ASSAY_REJECT_N];
} found_t;

typedef struct {
    const assay_machine_t *machine;
    const assay_workload_t *work;
    const assay_plan_options_t *options;
    search_key_t *key;
    shape_t *shape;
    found_t *found; /* (n_key) */
    uint32_t n_key, n_shape;
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
    ORDER(dp)
    ORDER(micro_batch)
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

static void near_add(near_t *near, uint64_t count, double ratio, const assay_layout_t *layout) {
    if (near->count == 0 || ratio < near->ratio ||
        (ratio <= near->ratio && compare_layouts(layout, &near->layout) < 0)) {
        near->ratio = ratio;
        near->layout = *layout;
    }
    near->count += count;
}

static assay_layout_t make_layout(const search_t *search, const search_key_t *key,
                                  const shape_t *shape) {
    const uint32_t shards = (uint32_t)key->tp * key->cp * shape->pp,
                   devices = search->machine->devices;
    const uint32_t pinned = search->options->pin.dp;
    /* Where the shards do not divide the devices, the layout would need more of them. */
    const uint32_t dp = pinned ? pinned : devices / shards + (devices % shards != 0);
    return (assay_layout_t){.tp = key->tp,
                            .pp = shape->pp,
                            .vpp = shape->vpp,
                            .cp = key->cp,
                            .ep = key->ep,
                            .etp = key->etp,
                            .cp_comm = key->cp_comm,
                            .dp = dp,
                            .shard = search->options->pin.shard,
                            .micro_batch = key->micro_batch,
                            .zero = shape->zero,
                            .schedule = shape->schedule,
                            .recompute = key->recompute,
                            .sequence_parallel = key->sequence_parallel};
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
        hooks->progress(hooks->ctx, "search", search->n_done, search->n_key);
    }
    pthread_mutex_unlock(&search->lock);
}

/* Are all shapes of the key refused, for the same reason? Then the first is the nearest: it is the
   smallest of equals. With a visitor each is visited all the same. */
static bool refuse_key(const search_t *search, const search_key_t *key, found_t *found) {
    const assay_layout_t layout = make_layout(search, key, &search->shape[0]);
    double need, have;
    const assay_reject_t reject =
        assay_train_check(search->machine, search->work, &layout, &need, &have);
    const bool of_key = reject == ASSAY_REJECT_HEADS || reject == ASSAY_REJECT_WIDTH ||
                        reject == ASSAY_REJECT_TP_NODE || reject == ASSAY_REJECT_SEQUENCE ||
                        reject == ASSAY_REJECT_CONTEXT || reject == ASSAY_REJECT_WINDOW ||
                        reject == ASSAY_REJECT_ROUTING;
    if (!of_key || search->options->visit) {
        return false;
    }
    found->visited = search->n_shape;
    near_add(&found->refused[reject], search->n_shape, need / have, &layout);
    return true;
}

static void search_one(void *ctx, size_t item, uint32_t worker) {
    search_t *search = ctx;
    const search_key_t *key = &search->key[item];
    found_t *found = &search->found[item];
    point_t *front = &search->scratch[(size_t)worker * search->n_shape];
    uint32_t n_front = 0;
    assay_train_layer_t layer;
    bool has_layer = false;

    const uint32_t n_shape = refuse_key(search, key, found) ? 0 : search->n_shape;
    for (uint32_t i = 0; i < n_shape; i++) {
        const assay_layout_t layout = make_layout(search, key, &search->shape[i]);
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

/* Divisors of n up to most, ascending, or the pinned value alone. NULL: no memory. */
static uint32_t *candidates(assay_arena_t *arena, uint32_t pinned, uint32_t n, uint32_t most,
                            uint32_t *out_n) {
    uint32_t count = 0;
    for (uint32_t i = 1; i <= n && i <= most; i++) {
        count += n % i == 0;
    }
    uint32_t *value = assay_arena_array(arena, count + 1, sizeof(*value));
    if (!value) {
        return NULL;
    }
    *out_n = 0;
    if (pinned) {
        value[(*out_n)++] = pinned;
        return value;
    }
    for (uint32_t i = 1; i <= n && i <= most; i++) {
        if (n % i == 0) {
            value[(*out_n)++] = i;
        }
    }
    return value;
}

/* The range of a small choice: [first, last], or the pinned value. */
static void choice(int pinned, int most, int *out_first, int *out_last) {
    *out_first = pinned >= 0 ? pinned : 0;
    *out_last = pinned >= 0 ? pinned : most;
}

/* Degrees that a search tries, or what is pinned. */
typedef struct {
    const uint32_t *tp, *cp, *ep, *micro_batch;
    uint32_t n_tp, n_cp, n_ep, n_micro_batch;
} degrees_t;

/* Powers of two up to most, or the pinned value alone. NULL: no memory. */
static uint32_t *powers(assay_arena_t *arena, uint32_t pinned, uint32_t most, uint32_t *out_n) {
    uint32_t *value = assay_arena_array(arena, 33, sizeof(*value));
    *out_n = 0;
    for (uint32_t i = 1; value && !pinned && i <= most && i; i *= 2) {
        value[(*out_n)++] = i;
    }
    if (value && pinned) {
        value[(*out_n)++] = pinned;
    }
    return value;
}

static bool make_degrees(search_t *search, degrees_t *out) {
    const assay_layout_pin_t *pin = &search->options->pin;
    const assay_model_t *model = &search->work->model;
    const uint32_t devices = search->machine->devices, sequence = search->work->sequence;
    const uint32_t most = devices < UINT16_MAX ? devices : UINT16_MAX;
    /* Splitting what one device takes at once is tried where sequences are long. */
    const uint32_t pieces = sequence / CP_TOKENS_MIN;
    const uint32_t expert_most = model->experts < most ? model->experts : most;
    out->tp = candidates(search->arena, pin->tp, model->heads, most, &out->n_tp);
    out->cp = powers(search->arena, pin->cp, pieces < most ? pieces | 1 : most, &out->n_cp);
    out->ep = model->experts
                  ? candidates(search->arena, pin->ep, model->experts, expert_most, &out->n_ep)
                  : powers(search->arena, pin->ep, 1, &out->n_ep);
    out->micro_batch = candidates(search->arena, pin->micro_batch, search->work->global_batch,
                                  MAX_MICRO_BATCH, &out->n_micro_batch);
    return out->tp && out->cp && out->ep && out->micro_batch;
}

/* Keys of one (tp, cp, ep, etp): micro-batches, recompute, sequence parallelism, exchange. */
static void add_keys(search_t *search, const degrees_t *degrees, const search_key_t *of) {
    const assay_layout_pin_t *pin = &search->options->pin;
    int recompute_first, recompute_last, sp_first, sp_last, comm_first, comm_last;
    choice(pin->recompute, ASSAY_RECOMPUTE_N - 1, &recompute_first, &recompute_last);
    choice(pin->sequence_parallel, of->tp > 1, &sp_first, &sp_last); /* nothing to split at 1 */
    choice(pin->cp_comm, of->cp > 1 ? ASSAY_CP_COMM_N - 1 : 0, &comm_first, &comm_last);
    for (uint32_t j = 0; j < degrees->n_micro_batch; j++) {
        for (int recompute = recompute_first; recompute <= recompute_last; recompute++) {
            for (int sp = sp_first; sp <= sp_last; sp++) {
                for (int comm = comm_first; comm <= comm_last; comm++) {
                    search_key_t *key = &search->key[search->n_key++];
                    *key = *of;
                    key->micro_batch = degrees->micro_batch[j];
                    key->recompute = (uint8_t)recompute;
                    key->cp_comm = (uint8_t)comm;
                    key->sequence_parallel = sp != 0;
                }
            }
        }
    }
}

static bool make_keys(search_t *search) {
    const assay_layout_pin_t *pin = &search->options->pin;
    degrees_t degrees;
    if (!make_degrees(search, &degrees)) {
        return false;
    }
    const size_t n_most = (size_t)degrees.n_tp * degrees.n_cp * degrees.n_ep * 2 *
                          degrees.n_micro_batch * ASSAY_RECOMPUTE_N * 2 * ASSAY_CP_COMM_N;
    search->key = assay_arena_array(search->arena, n_most, sizeof(*search->key));
    if (!search->key) {
        return false;
    }
    for (uint32_t i = 0; i < degrees.n_tp; i++) {
        const uint16_t tp = (uint16_t)degrees.tp[i];
        /* Experts are cut as the rest is, or whole. */
        const uint16_t etp[2] = {pin->etp ? pin->etp : tp, 1};
        const int n_etp = !pin->etp && tp > 1 && search->work->model.experts ? 2 : 1;
        for (uint32_t c = 0; c < degrees.n_cp; c++) {
            for (uint32_t e = 0; e < degrees.n_ep; e++) {
                for (int t = 0; t < n_etp; t++) {
                    const search_key_t key = {.tp = tp,
                                              .cp = (uint16_t)degrees.cp[c],
                                              .ep = (uint16_t)degrees.ep[e],
                                              .etp = etp[t]};
                    add_keys(search, &degrees, &key);
                }
            }
        }
    }
    return true;
}

static bool make_shapes(search_t *search) {
    const assay_layout_pin_t *pin = &search->options->pin;
    const uint32_t devices = search->machine->devices, layers = search->work->model.layers;
    const uint32_t most = devices < UINT16_MAX ? devices : UINT16_MAX;
    uint32_t n_pp, n_divisors;
    const uint32_t *pp = candidates(search->arena, pin->pp, layers, most, &n_pp);
    if (!pp || !candidates(search->arena, 0, layers, UINT16_MAX, &n_divisors)) {
        return false;
    }
    search->shape = assay_arena_array(
        search->arena, (size_t)n_pp * n_divisors * 4 * ASSAY_SCHEDULE_N, sizeof(*search->shape));
    if (!search->shape) {
        return false;
    }
    for (uint32_t i = 0; i < n_pp; i++) {
        int zero_first, zero_last; /* sharded gradients and weights do without a pipeline */
        choice(pin->zero, pp[i] == 1 ? 3 : 1, &zero_first, &zero_last);
        /* Interleave splits a stage's layers; there is nothing to interleave in one stage. */
        const uint32_t slots = layers % pp[i] == 0 ? layers : layers + 2; /* tables as layers */
        const uint32_t stage = pp[i] > 1 && slots % pp[i] == 0 ? slots / pp[i] : 1;
        uint32_t n_vpp;
        const uint32_t *vpp = candidates(search->arena, pin->vpp, stage, UINT16_MAX, &n_vpp);
        if (!vpp) {
            return false;
        }
        for (uint32_t j = 0; j < n_vpp; j++) {
            for (int zero = zero_first; zero <= zero_last; zero++) {
                /* Zero bubbles are of plain pipelines. */
                const bool plain = pp[i] > 1 && vpp[j] == 1;
                int first, last;
                choice(pin->schedule, plain ? ASSAY_SCHEDULE_N - 1 : 0, &first, &last);
                for (int schedule = first; schedule <= last; schedule++) {
                    search->shape[search->n_shape++] = (shape_t){(uint16_t)pp[i], (uint16_t)vpp[j],
                                                                 (uint8_t)zero, (uint8_t)schedule};
                }
            }
        }
    }
    return true;
}

/* Joins what the keys found and fills in the full estimates. */
static bool join(search_t *search, assay_plan_t *out_plan) {
    size_t n_points = 0;
    for (uint32_t i = 0; i < search->n_key; i++) {
        n_points += search->found[i].n_front;
    }
    point_t *front = assay_arena_array(search->arena, n_points, sizeof(*front));
    if (!front) {
        return false;
    }
    near_t refused[ASSAY_REJECT_N] = {0};
    uint32_t n_front = 0;
    for (uint32_t i = 0; i < search->n_key; i++) {
        const found_t *found = &search->found[i];
        out_plan->visited += found->visited;
        out_plan->legal += found->legal;
        for (uint32_t j = 0; j < found->n_front; j++) {
            n_front = front_add(front, n_front, &found->front[j]);
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
    for (int i = 0; i < ASSAY_REJECT_N; i++) {
        out_plan->refused[i].count = refused[i].count;
        if (refused[i].count) {
            assay_train_estimate(search->machine, search->work, &refused[i].layout,
                                 &out_plan->refused[i].nearest);
        }
    }
    return true;
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

assay_status_t assay_plan_search(assay_arena_t *arena, const assay_machine_t *machine,
                                 const assay_workload_t *work, const assay_plan_options_t *options,
                                 assay_plan_t *out_plan, assay_error_t *err) {
    const double start_s = now_s();
    const uint32_t threads = options->threads ? options->threads : assay_pool_threads();
    search_t search = {.machine = machine, .work = work, .options = options, .arena = arena};
    assay_status_t status = ASSAY_OK;
    assay_plan_t plan = {0};

    if (!make_keys(&search) || !make_shapes(&search)) {
        goto no_memory;
    }
    search.found = assay_arena_array(arena, search.n_key, sizeof(*search.found));
    search.scratch =
        assay_arena_array(arena, (size_t)threads * search.n_shape, sizeof(*search.scratch));
    if (!search.found || !search.scratch) {
        goto no_memory;
    }
    pthread_mutex_init(&search.lock, NULL);
    status = assay_pool_for(threads, search.n_key, search_one, &search, options->hooks);
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
    plan.wall_s = now_s() - start_s;
    *out_plan = plan;
    return ASSAY_OK;

no_memory:
    return assay_error_set(err, ASSAY_MEMORY, NULL,
                           "the search over layouts needs more memory than allowed");
}
