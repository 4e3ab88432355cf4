/* The search over ways to serve: closed form for all of them, simulation for the best few. */
#include "assay/serve_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/serve_fleet.h"
#include "plan/serve_split.h"

#include "base/banned.h"

#define MAX_STAGES 8u
#define SCRATCH_BYTES ((size_t)2 << 30) /* of one finalist's simulations */
#define FINALISTS 6u                    /* layouts that are simulated */
#define LEAST_SEQUENCES 8u              /* of a step, as searched */
#define BETTER 1.005 /* another budget than the engine's own has to be worth it */

typedef struct {
    const assay_machine_t *machine;
    const assay_serving_t *serving;
    const assay_layout_pin_t *pin;
    assay_serve_fleets_t *out;
    serve_split_t *split; /* NULL: all replicas do both */
} search_t;

/* ---- what nothing beats ---- */

/* Keeps the points that no other beats in both. The list is full: the one that is closest to its
   neighbour in what a user sees goes. */
static void add_pareto(assay_serve_fleets_t *out, const assay_serve_pareto_t *point) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->n_pareto; i++) {
        const assay_serve_pareto_t *old = &out->pareto[i];
        if (old->tokens_per_s_per_device >= point->tokens_per_s_per_device &&
            old->tokens_per_s_per_user >= point->tokens_per_s_per_user) {
            return;
        }
    }
    for (uint32_t i = 0; i < out->n_pareto; i++) {
        const assay_serve_pareto_t *old = &out->pareto[i];
        if (old->tokens_per_s_per_device > point->tokens_per_s_per_device ||
            old->tokens_per_s_per_user > point->tokens_per_s_per_user) {
            out->pareto[kept++] = *old;
        }
    }
    uint32_t at = kept;
    while (at > 0 && out->pareto[at - 1].tokens_per_s_per_user < point->tokens_per_s_per_user) {
        at--;
    }
    if (kept == ASSAY_SERVE_PARETO) {
        uint32_t closest = 1;
        for (uint32_t i = 1; i + 1 < kept; i++) {
            const assay_serve_pareto_t *p = out->pareto;
            closest =
                p[i - 1].tokens_per_s_per_user / p[i].tokens_per_s_per_user <
                        p[closest - 1].tokens_per_s_per_user / p[closest].tokens_per_s_per_user
                    ? i
                    : closest;
        }
        memmove(&out->pareto[closest], &out->pareto[closest + 1],
                (kept - closest - 1) * sizeof *out->pareto);
        kept--;
        at -= at > closest;
    }
    memmove(&out->pareto[at + 1], &out->pareto[at], (kept - at) * sizeof *out->pareto);
    out->pareto[at] = *point;
    out->n_pareto = kept + 1;
}

static void add_points(const serve_case_t *of, const assay_serve_way_t *way,
                       assay_serve_fleets_t *out) {
    const double devices = (double)way->layout.tp * way->layout.pp;
    for (double running = 1;; running *= 2) {
        serve_point_t point;
        serve_case_at(of, fmin(running, of->limit), &point);
        const assay_serve_pareto_t at = {.way = *way,
                                         .running = point.running,
                                         .tokens_per_s_per_device =
                                             point.rate_per_s * of->load.output_tokens / devices,
                                         .tokens_per_s_per_user = 1 / point.tpot.p50_s};
        add_pareto(out, &at);
        if (running >= of->limit) {
            break;
        }
    }
}

/* ---- one layout: its budgets and numbers of sequences ---- */

static bool has_room(uint8_t verdict) {
    return verdict != ASSAY_SERVE_FLEET_LAYOUT && verdict != ASSAY_SERVE_FLEET_MEMORY;
}

/* The way that serves the most on these devices within the limits, in io->way; the engine's own
   numbers come first. */
static void judge_layout(const search_t *search, serve_case_t *of, assay_serve_fleet_t *io) {
    static const uint32_t budgets[] = {0, 512, 2048, 4096, 8192, 16384};
    const assay_serving_t *serving = search->serving;
    serve_case_t best_case = {0};
    serve_point_t best = {0};
    uint8_t verdict = ASSAY_SERVE_FLEET_MEMORY;
    const size_t n_budget = serving->open_budget ? sizeof budgets / sizeof budgets[0] : 1;
    for (size_t b = 0; b < n_budget; b++) {
        assay_serve_way_t way = io->way;
        way.token_budget = budgets[b] ? budgets[b] : serving->max_batch_tokens;
        if (b > 0 && way.token_budget == serving->max_batch_tokens) {
            continue;
        }
        for (uint32_t n = serving->max_num_seqs; n > 0; n /= 2) {
            way.max_sequences = n;
            search->out->n_ways++;
            const uint8_t bound = serve_case_bound(search->machine, &way, of);
            if (bound == ASSAY_SERVE_FLEET_FITS) {
                verdict = verdict == ASSAY_SERVE_FLEET_MEMORY ? ASSAY_SERVE_FLEET_LIMITS : verdict;
                if (b == 0 && (n == serving->max_num_seqs || search->out->n_pareto == 0)) {
                    add_points(of, &way, search->out);
                }
                serve_point_t point;
                if (serve_case_best(of, &point) && (verdict != ASSAY_SERVE_FLEET_FITS ||
                                                    point.rate_per_s > BETTER * best.rate_per_s)) {
                    verdict = ASSAY_SERVE_FLEET_FITS;
                    best = point;
                    best_case = *of;
                    io->way = way;
                }
            }
            if (!serving->open_sequences || n / 2 < LEAST_SEQUENCES) {
                break;
            }
        }
    }
    io->verdict = verdict;
    if (verdict == ASSAY_SERVE_FLEET_FITS) {
        serve_fleet_estimate(search->machine, serving, &best_case, &best, io);
    } else if (verdict == ASSAY_SERVE_FLEET_LIMITS) {
        io->way.max_sequences = serving->max_num_seqs; /* the simulation has the last word */
        io->way.token_budget = serving->max_batch_tokens;
    } else {
        io->memory = of->memory;
    }
}

static bool pinned_out(const assay_layout_pin_t *pin, const assay_layout_t *layout) {
    return (pin->tp && pin->tp != layout->tp) || (pin->pp && pin->pp != layout->pp) ||
           (pin->ep && pin->ep != (layout->ep > 1 ? layout->ep : 1));
}

static int compare_fleets(const void *a, const void *b);

/* A place for another layout: the list is full, the worst so far goes if it is worse. */
static void keep(assay_serve_fleets_t *out, const assay_serve_fleet_t *fleet) {
    if (out->n_fleet < ASSAY_SERVE_FLEET_LAYOUTS) {
        out->fleet[out->n_fleet++] = *fleet;
        return;
    }
    uint32_t worst = 0;
    for (uint32_t i = 1; i < out->n_fleet; i++) {
        worst = compare_fleets(&out->fleet[i], &out->fleet[worst]) > 0 ? i : worst;
    }
    if (compare_fleets(fleet, &out->fleet[worst]) < 0) {
        out->fleet[worst] = *fleet;
    }
}

static void try_way(const search_t *search, const assay_serve_way_t *way) {
    const assay_serving_t *serving = search->serving;
    assay_serve_fleet_t fleet = {.way = *way};
    serve_case_t of;
    if (pinned_out(search->pin, &way->layout)) {
        return;
    }
    fleet.way.max_sequences = serving->max_num_seqs;
    fleet.way.token_budget = serving->max_batch_tokens;
    fleet.verdict = serve_case_prepare(search->machine, serving, way, &of);
    if (fleet.verdict == ASSAY_SERVE_FLEET_FITS) {
        judge_layout(search, &of, &fleet);
    }
    keep(search->out, &fleet);
    if (search->split && fleet.verdict == ASSAY_SERVE_FLEET_FITS &&
        serve_case_bound(search->machine, &fleet.way, &of) == ASSAY_SERVE_FLEET_FITS) {
        serve_split_add(&of, &fleet.way, search->split);
    }
}

/* Plain, with experts on ranks of their own, and with attention on each rank. */
static void try_kinds(const search_t *search, uint32_t tp, uint32_t pp, uint32_t format,
                      bool shared) {
    const assay_model_t *model = &search->serving->model;
    assay_serve_way_t way = {.layout = {.tp = (uint16_t)tp, .pp = (uint16_t)pp, .vpp = 1, .dp = 1},
                             .format = format,
                             .shared = shared};
    try_way(search, &way);
    if (model->experts > 1 && tp > 1 && pp == 1 && model->experts % tp == 0) {
        way.layout.ep = (uint16_t)tp;
        way.attention_dp = true;
        try_way(search, &way);
    }
}

static void try_formats(const search_t *search, uint32_t tp, uint32_t pp) {
    const assay_serving_t *serving = search->serving;
    const uint32_t formats = serving->n_format > 0 ? serving->n_format : 1;
    for (uint32_t format = 0; format < formats; format++) {
        try_kinds(search, tp, pp, format, false);
        if (serving->models_per_host > 1) {
            try_kinds(search, tp, pp, format, true);
        }
    }
}

static bool any_room(const assay_serve_fleets_t *fleets) {
    for (uint32_t i = 0; i < fleets->n_fleet; i++) {
        if (has_room(fleets->fleet[i].verdict)) {
            return true;
        }
    }
    return false;
}

/* Powers of two of tensor parallelism within a domain; stages where they alone do not hold it. */
static void try_layouts(const search_t *search) {
    const assay_machine_t *machine = search->machine;
    const assay_layout_pin_t *pin = search->pin;
    const uint32_t domain =
        machine->links.domain ? machine->links.domain : machine->devices_per_node;
    for (uint32_t stages = 1; stages <= MAX_STAGES; stages *= 2) {
        const uint32_t pp = pin->pp ? pin->pp : stages;
        if (pin->pp || !any_room(search->out)) {
            for (uint32_t tp = 1; tp <= domain; tp *= 2) {
                try_formats(search, tp, pp);
            }
        }
        if (pin->pp) {
            break;
        }
    }
    if (search->out->n_fleet == 0) { /* pinned to what is no power of two */
        try_formats(search, pin->tp ? pin->tp : 1, pin->pp ? pin->pp : 1);
    }
}

/* ---- the order of fleets, and the finalists ---- */

static int compare_doubles(double a, double b) {
    return (a > b) - (a < b);
}

static int compare_fleets(const void *a, const void *b) {
    const assay_serve_fleet_t *x = a, *y = b;
    if (x->verdict != y->verdict) {
        return x->verdict < y->verdict ? -1 : 1;
    }
    if (x->simulated != y->simulated) {
        return x->simulated ? -1 : 1;
    }
    if (x->devices != y->devices) {
        return x->devices < y->devices ? -1 : 1;
    }
    const int slower = compare_doubles(x->tpot.p50_s, y->tpot.p50_s);
    if (slower != 0) {
        return slower;
    }
    const assay_serve_way_t *v = &x->way, *w = &y->way;
    return compare_doubles(v->layout.tp * 1e9 + v->layout.pp * 1e6 + v->attention_dp * 1e3 +
                               v->format * 2.0 + v->shared,
                           w->layout.tp * 1e9 + w->layout.pp * 1e6 + w->attention_dp * 1e3 +
                               w->format * 2.0 + w->shared);
}

static void sort(assay_serve_fleets_t *io) {
    qsort(io->fleet, io->n_fleet, sizeof *io->fleet, compare_fleets);
}

void assay_serve_fleet_estimate(const assay_machine_t *machine, const assay_serving_t *serving,
                                const assay_layout_pin_t *pin, assay_serve_fleets_t *out) {
    serve_side_t side[SERVE_SPLIT_SIDES];
    serve_split_t split = {side, 0};
    const assay_serve_traffic_t *traffic = &serving->traffic;
    const bool may_split = serving->split && serving->rate_per_s > 0 &&
                           serving->models_per_host <= 1 && traffic->loss_at_s <= 0 &&
                           !traffic->static_batches; /* what is not simulated together */
    const search_t search = {machine, serving, pin, out, may_split ? &split : NULL};
    const uint32_t formats = serving->n_format > 0 ? serving->n_format : 1;
    out->n_fleet = out->n_pareto = 0;
    out->n_ways = 0;
    try_layouts(&search);
    for (uint32_t format = 0; format < formats && may_split; format++) {
        assay_serve_fleet_t fleet;
        if (serve_split_best(machine, &split, format, &fleet)) {
            keep(out, &fleet);
        }
    }
    sort(out);
}

/* Fewest nodes are paid for; the closed form decides who is looked at, the simulation who wins. */
static bool is_finalist(const assay_serve_fleets_t *fleets, uint32_t at) {
    const assay_serve_fleet_t *fleet = &fleets->fleet[at];
    uint32_t before = 0;
    if (!has_room(fleet->verdict) || fleet->prefill_replicas > 0) {
        return fleet->prefill_replicas > 0;
    }
    for (uint32_t i = 0; i < fleets->n_fleet; i++) {
        const assay_serve_fleet_t *other = &fleets->fleet[i];
        before += i != at && other->prefill_replicas == 0 && has_room(other->verdict) &&
                  (other->verdict < fleet->verdict ||
                   (other->verdict == fleet->verdict &&
                    (other->nodes < fleet->nodes || (other->nodes == fleet->nodes && i < at))));
    }
    return before < FINALISTS;
}

assay_status_t assay_serve_fleet_search(const assay_machine_t *machine,
                                        const assay_serving_t *serving,
                                        const assay_layout_pin_t *pin, assay_serve_fleets_t *out,
                                        assay_error_t *err) {
    bool finalist[ASSAY_SERVE_FLEET_LAYOUTS];
    assay_status_t status = ASSAY_OK;
    assay_serve_fleet_estimate(machine, serving, pin, out);
    for (uint32_t i = 0; i < out->n_fleet; i++) {
        finalist[i] = is_finalist(out, i);
    }
    assay_arena_t *scratch = assay_arena_create(SCRATCH_BYTES);
    if (!scratch) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < out->n_fleet && status == ASSAY_OK; i++) {
        if (finalist[i]) {
            status = serve_fleet_judge(scratch, machine, serving, &out->fleet[i], err);
            assay_arena_reset(scratch);
        }
    }
    assay_arena_destroy(scratch);
    sort(out);
    return status;
}
