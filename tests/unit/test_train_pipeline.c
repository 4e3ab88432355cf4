/* Closed forms of pipelines against the schedules themselves, run event by event. */
#include "assay_test.h"

#include <math.h>
#include <stdlib.h>

#include "assay/rng.h"
#include "train/pipeline.h"

#define MAX_STAGES 8
#define MAX_CHUNKS 4
#define MAX_MICRO 40
#define MAX_EVENTS (3 * MAX_MICRO * MAX_CHUNKS)

typedef enum { FORWARD, BACKWARD, WEIGHT } event_kind_t;
typedef struct {
    uint8_t kind;
    uint32_t micro, piece; /* piece: of the model, stage by stage and chunk after chunk */
} event_t;

typedef struct {
    uint32_t stages, chunks, micro;
    /* seconds of a piece; where backward is not split it holds both and weight is 0 */
    double second[3][MAX_STAGES * MAX_CHUNKS];
    event_t order[MAX_STAGES][MAX_EVENTS];
    uint32_t n[MAX_STAGES];
} schedule_t;

static void put(schedule_t *s, uint32_t stage, event_kind_t kind, uint32_t micro, uint32_t chunk) {
    assert_true(s->n[stage] < MAX_EVENTS);
    s->order[stage][s->n[stage]++] = (event_t){(uint8_t)kind, micro, chunk * s->stages + stage};
}

/* So many forwards, then one backward after each, then the rest; gradients of weights follow so
   many backwards later, or not on their own (delay above all). */
static void one_forward_one_backward(schedule_t *s, uint32_t stage, uint32_t ahead,
                                     uint32_t delay) {
    uint32_t forward = 0, weight = 0;
    for (; forward < ahead && forward < s->micro; forward++) {
        put(s, stage, FORWARD, forward, 0);
    }
    for (uint32_t backward = 0; backward < s->micro; backward++) {
        if (forward < s->micro) {
            put(s, stage, FORWARD, forward++, 0);
        }
        put(s, stage, BACKWARD, backward, 0);
        if (backward >= delay) {
            put(s, stage, WEIGHT, weight++, 0);
        }
    }
    while (delay < MAX_MICRO && weight < s->micro) {
        put(s, stage, WEIGHT, weight++, 0);
    }
}

/* Megatron-Core's get_schedule_table: the micro-batch and the chunk at a place of the order; groups
   of n micro-batches go through one chunk after the other, the last group has what is left. */
static uint32_t table_entry(const schedule_t *s, uint32_t n, uint32_t at, uint32_t *out_chunk) {
    const uint32_t first = at / (n * s->chunks) * n;
    const uint32_t own = s->micro - first < n ? s->micro - first : n;
    const uint32_t in = at - first * s->chunks;
    *out_chunk = in / own;
    return first + in % own;
}

/* Groups that Megatron-Core takes: at least as many micro-batches as stages, in the last too. */
static bool may_be_group(uint32_t n, uint32_t stages, uint32_t micro) {
    return n >= stages && n <= micro && (micro % n == 0 || micro % n >= stages);
}

/* Its get_pp_rank_microbatches: 2 (p - 1 - stage) + (v - 1) n forwards ahead. */
static void interleaved(schedule_t *s, uint32_t stage) {
    const uint32_t p = s->stages, v = s->chunks, total = s->micro * v;
    uint32_t n = p, forward = 0, chunk;
    while (!may_be_group(n, p, s->micro)) {
        n++;
    }
    assert_int_equal(assay_layout_group(p, s->micro), n);
    const uint32_t wanted = 2 * (p - 1 - stage) + (v - 1) * n;
    const uint32_t ahead = wanted < total ? wanted : total;
    for (; forward < ahead; forward++) {
        const uint32_t micro = table_entry(s, n, forward, &chunk);
        put(s, stage, FORWARD, micro, chunk);
    }
    for (uint32_t backward = 0; backward < total; backward++) {
        if (forward < total) {
            const uint32_t micro = table_entry(s, n, forward++, &chunk);
            put(s, stage, FORWARD, micro, chunk);
        }
        const uint32_t micro = table_entry(s, n, backward, &chunk);
        put(s, stage, BACKWARD, micro, v - 1 - chunk);
    }
}

/* Runs every stage through its order as soon as what it needs is there. span: of the stage that is
   longest from its begin to its end, else from the first begin to the last end. */
static double run_s(const schedule_t *s, bool span) {
    static double end[3][MAX_MICRO][MAX_STAGES * MAX_CHUNKS];
    const uint32_t pieces = s->stages * s->chunks;
    double now[MAX_STAGES] = {0}, begin[MAX_STAGES] = {0}, longest = 0;
    uint32_t at[MAX_STAGES] = {0};
    for (size_t i = 0; i < sizeof end / sizeof(double); i++) {
        (&end[0][0][0])[i] = -1;
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t k = 0; k < s->stages; k++) {
            while (at[k] < s->n[k]) {
                const event_t *e = &s->order[k][at[k]];
                const bool needs_next = e->kind == BACKWARD && e->piece < pieces - 1;
                const bool needs_before = e->kind == FORWARD && e->piece > 0;
                const double own = e->kind == BACKWARD ? end[FORWARD][e->micro][e->piece]
                                   : e->kind == WEIGHT ? end[BACKWARD][e->micro][e->piece]
                                                       : 0;
                const double other = needs_next     ? end[BACKWARD][e->micro][e->piece + 1]
                                     : needs_before ? end[FORWARD][e->micro][e->piece - 1]
                                                    : 0;
                if (own < 0 || other < 0) {
                    break;
                }
                const double start = fmax(now[k], fmax(own, other));
                begin[k] = at[k] == 0 ? start : begin[k];
                now[k] = start + s->second[e->kind][e->piece];
                end[e->kind][e->micro][e->piece] = now[k];
                at[k]++;
                moved = true;
            }
        }
    }
    for (uint32_t k = 0; k < s->stages; k++) {
        assert_int_equal(at[k], s->n[k]);
        longest = fmax(longest, now[k] - (span ? begin[k] : 0));
    }
    return longest;
}

/* One entry of a dual schedule: a direction forward, one backward, or both at once; a backward may
   leave its gradients of weights for later, where they run in order. */
#define NONE UINT8_MAX
typedef struct {
    uint8_t forward, backward; /* direction, or NONE; neither: gradients of weights */
    bool splits;
} dual_event_t;

typedef struct {
    uint32_t devices, micro; /* that see a micro-batch first; micro-batches in each direction */
    train_stage_s_t cell[MAX_STAGES][2];
    dual_event_t order[MAX_STAGES][8 * MAX_MICRO];
    uint32_t n[MAX_STAGES];
} dual_t;

static void put_dual(dual_t *d, uint32_t device, uint32_t times, uint8_t forward, uint8_t backward,
                     bool splits) {
    for (uint32_t i = 0; i < times; i++) {
        assert_true(d->n[device] < 8 * MAX_MICRO);
        d->order[device][d->n[device]++] = (dual_event_t){forward, backward, splits};
    }
}

/* The eight steps of DualPipe.step and DualPipeV.step (deepseek-ai/DualPipe), which are the same
   for a device of the first half and half of the micro-batches as for one of all and all of them.
 */
static void dual_order(dual_t *d, uint32_t k) {
    const uint32_t later = d->devices - 1 - k;
    put_dual(d, k, 2 * later, 0, NONE, false);
    for (uint32_t i = 0; i <= k; i++) {
        put_dual(d, k, 1, 0, NONE, false);
        put_dual(d, k, 1, 1, NONE, false);
    }
    for (uint32_t i = 0; i < later; i++) {
        put_dual(d, k, 1, NONE, 1, true);
        put_dual(d, k, 1, NONE, NONE, false);
        put_dual(d, k, 1, 1, NONE, false);
    }
    for (uint32_t i = 0; i < d->micro - 2 * d->devices + k + 1; i++) {
        if (i == 0 && later == 0) { /* "not overlapped, to further reduce the bubble" */
            put_dual(d, k, 1, 0, NONE, false);
            put_dual(d, k, 1, NONE, 1, false);
        } else {
            put_dual(d, k, 1, 0, 1, false);
        }
        put_dual(d, k, 1, 1, 0, false);
    }
    for (uint32_t i = 0; i < later; i++) {
        put_dual(d, k, 1, NONE, 1, false);
        put_dual(d, k, 1, 1, 0, false);
    }
    for (uint32_t i = 0; i < 2 * (k + 1); i++) { /* the second half splits */
        put_dual(d, k, 1, NONE, i % 2 == 0, i >= k + 1);
    }
    for (uint32_t i = 0; i < later; i++) {
        put_dual(d, k, 1, NONE, NONE, false);
        put_dual(d, k, 1, NONE, 0, true);
    }
    put_dual(d, k, k + 1, NONE, NONE, false);
}

typedef struct {
    double now_s, weights_s[2 * MAX_MICRO]; /* put off */
    uint32_t at, done[2][2], n_weights, weight;
} dual_device_t;

/* Ends of what a direction needs: down the devices in 0, up in 1; the turn is on the last device,
   and there its mirror image sends what it has itself. -1: not yet. */
static double dual_needs(const dual_t *d, double (*end)[2][MAX_STAGES][MAX_MICRO], uint32_t k,
                         uint8_t pass, uint8_t direction, uint32_t micro) {
    const bool down = direction == (pass == FORWARD ? 0 : 1);
    if (down) {
        return k > 0             ? end[pass][direction][k - 1][micro]
               : pass == FORWARD ? 0
                                 : end[FORWARD][1][0][micro];
    }
    return k + 1 < d->devices ? end[pass][direction][k + 1][micro]
                              : end[pass][!direction][k][micro];
}

/* Runs the next entry of a device, if what it needs is there. */
static bool dual_runs(dual_t *d, double (*end)[2][MAX_STAGES][MAX_MICRO], dual_device_t *device,
                      uint32_t k) {
    const dual_event_t *e = &d->order[k][device->at];
    const uint8_t direction[2] = {e->forward, e->backward};
    double start_s = device->now_s, lasts_s = 0;
    for (uint8_t pass = FORWARD; pass <= BACKWARD; pass++) {
        if (direction[pass] == NONE) {
            continue;
        }
        const train_stage_s_t *cell = &d->cell[k][direction[pass]];
        const double ready_s =
            dual_needs(d, end, k, pass, direction[pass], device->done[pass][direction[pass]]);
        if (ready_s < 0) {
            return false;
        }
        start_s = fmax(start_s, ready_s);
        lasts_s +=
            pass == FORWARD ? cell->forward_s : cell->backward_s - (e->splits ? cell->weight_s : 0);
    }
    if (e->forward != NONE && e->backward != NONE) {
        lasts_s -= (d->cell[k][0].hidden_s + d->cell[k][1].hidden_s) / 2;
    } else if (e->forward == NONE && e->backward == NONE) {
        lasts_s = device->weights_s[device->weight++];
    }
    if (e->splits) {
        device->weights_s[device->n_weights++] = d->cell[k][e->backward].weight_s;
    }
    device->now_s = start_s + lasts_s;
    for (uint8_t pass = FORWARD; pass <= BACKWARD; pass++) {
        if (direction[pass] != NONE) {
            const uint32_t micro = device->done[pass][direction[pass]]++;
            end[pass][direction[pass]][k][micro] = device->now_s;
        }
    }
    device->at++;
    return true;
}

static double dual_run_s(dual_t *d) {
    static double end[2][2][MAX_STAGES][MAX_MICRO];
    dual_device_t device[MAX_STAGES] = {0};
    double longest_s = 0;
    for (size_t i = 0; i < sizeof end / sizeof(double); i++) {
        (&end[0][0][0][0])[i] = -1;
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t k = 0; k < d->devices; k++) {
            while (device[k].at < d->n[k] && dual_runs(d, end, &device[k], k)) {
                moved = true;
            }
        }
    }
    for (uint32_t k = 0; k < d->devices; k++) {
        assert_int_equal(device[k].at, d->n[k]);
        assert_int_equal(device[k].weight, device[k].n_weights);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(device[k].done[i / 2][i % 2], d->micro);
        }
        longest_s = fmax(longest_s, device[k].now_s);
    }
    return longest_s;
}

/* The model's ends are both on the first device; embed and head: what they do more than another
   piece of the model. */
typedef struct {
    uint32_t stages, micro;
    bool there_and_back; /* DualPipeV */
    train_stage_s_t piece, embed, head;
} dual_case_t;

static double dual_reference_s(const dual_case_t *of) {
    static dual_t d;
    memset(&d, 0, sizeof d);
    d.devices = of->there_and_back ? of->stages : of->stages / 2;
    d.micro = of->there_and_back ? of->micro : of->micro / 2;
    for (uint32_t k = 0; k < d.devices; k++) {
        d.cell[k][0] = k == 0 ? of->embed : of->piece;
        d.cell[k][1] = k == 0 ? of->head : of->piece;
        dual_order(&d, k);
    }
    return dual_run_s(&d);
}

/* Of both pieces of a device, what the mean micro-batch takes: of DualPipe it goes through one. */
static train_stage_s_t dual_stage(const dual_case_t *of, const train_stage_s_t *a,
                                  const train_stage_s_t *b) {
    const double by = of->there_and_back ? 1 : .5;
    return (train_stage_s_t){by * (a->forward_s + b->forward_s),
                             by * (a->backward_s + b->backward_s), by * (a->weight_s + b->weight_s),
                             by * (a->hidden_s + b->hidden_s)};
}

static train_pipeline_t dual_pipeline(const dual_case_t *of) {
    const train_stage_s_t ends = dual_stage(of, &of->embed, &of->head);
    const train_stage_s_t middle = dual_stage(of, &of->piece, &of->piece);
    return (train_pipeline_t){.stages = of->stages,
                              .interleave = 1,
                              .micro = of->micro,
                              .schedule = of->there_and_back ? ASSAY_SCHEDULE_DUALPIPEV
                                                             : ASSAY_SCHEDULE_DUALPIPE,
                              .first = ends,
                              .middle = middle,
                              .last = of->there_and_back ? middle : ends};
}

static const train_stage_s_t *stage_of(const train_pipeline_t *p, uint32_t k) {
    return k == 0 ? &p->first : k == p->stages - 1 ? &p->last : &p->middle;
}

static double reference_s(const train_pipeline_t *p) {
    static schedule_t s;
    memset(&s, 0, sizeof s);
    s.stages = p->stages;
    s.chunks = p->interleave;
    s.micro = p->micro;
    const bool split = p->schedule != ASSAY_SCHEDULE_1F1B;
    for (uint32_t k = 0; k < p->stages; k++) {
        const train_stage_s_t *stage = stage_of(p, k);
        for (uint32_t c = 0; c < s.chunks; c++) {
            const uint32_t piece = c * p->stages + k;
            s.second[FORWARD][piece] = stage->forward_s / s.chunks;
            s.second[BACKWARD][piece] =
                (stage->backward_s - (split ? stage->weight_s : 0)) / s.chunks;
            s.second[WEIGHT][piece] = stage->weight_s / s.chunks;
            if (s.chunks > 1) { /* the ends are in the first piece and in the last one */
                const bool end = piece == 0 || piece == s.chunks * p->stages - 1;
                const double others = end ? s.chunks - 1.0 : 0;
                s.second[FORWARD][piece] =
                    (end ? stage->forward_s : p->piece.forward_s) - others * p->piece.forward_s;
                s.second[BACKWARD][piece] =
                    (end ? stage->backward_s : p->piece.backward_s) - others * p->piece.backward_s;
            }
        }
        const uint32_t later = p->stages - 1 - k;
        switch (p->schedule) {
        case ASSAY_SCHEDULE_ZB_H1:
            one_forward_one_backward(&s, k, later, k);
            break;
        case ASSAY_SCHEDULE_ZB_H2:
            one_forward_one_backward(&s, k, 2 * later, 2 * k);
            break;
        default:
            if (s.chunks > 1) {
                interleaved(&s, k);
            } else {
                one_forward_one_backward(&s, k, later, UINT32_MAX);
            }
        }
    }
    return run_s(&s, p->schedule == ASSAY_SCHEDULE_ZB_H2);
}

typedef struct {
    uint64_t stream, counter;
} draws_t;

static double between(draws_t *draws, double low, double high) {
    return low + (high - low) * assay_rng_uniform(1, draws->stream, draws->counter++);
}

static train_stage_s_t random_stage(draws_t *draws) {
    train_stage_s_t stage = {.forward_s = between(draws, .1, 2),
                             .weight_s = between(draws, .01, 2)};
    stage.backward_s = stage.weight_s + between(draws, .1, 2);
    return stage;
}

static void check(const train_pipeline_t *p, double low, double high, uint32_t at) {
    const double by_event_s = reference_s(p), closed_s = train_pipeline_s(p);
    if (closed_s < low * by_event_s * (1 - 1e-9) || closed_s > high * by_event_s * (1 + 1e-9)) {
        fail_msg("case %u: schedule %u, p %u, v %u, m %u: %.9g s by events, %.9g s closed", at,
                 p->schedule, p->stages, p->interleave, p->micro, by_event_s, closed_s);
    }
}

/* Any stages, any number of micro-batches, fewer than stages too. */
static void plain_pipelines_are_exact(void **state) {
    (void)state;
    draws_t draws = {1, 0};
    for (uint32_t i = 0; i < 10000; i++) {
        const train_pipeline_t p = {.stages = 1 + (uint32_t)between(&draws, 0, MAX_STAGES),
                                    .interleave = 1,
                                    .micro = 1 + (uint32_t)between(&draws, 0, 20),
                                    .first = random_stage(&draws),
                                    .middle = random_stage(&draws),
                                    .last = random_stage(&draws)};
        check(&p, 1, 1, i);
    }
}

static train_stage_s_t piece_of(const train_stage_s_t *stage, uint32_t pieces) {
    return (train_stage_s_t){.forward_s = stage->forward_s / pieces,
                             .backward_s = stage->backward_s / pieces};
}

static void equal_stages_are_exact(void **state) {
    (void)state;
    draws_t draws = {2, 0};
    for (uint32_t i = 0; i < 10000; i++) {
        train_pipeline_t p = {.stages = 2 + (uint32_t)between(&draws, 0, MAX_STAGES - 1),
                              .interleave = 1,
                              .schedule = (uint8_t)(i % (ASSAY_SCHEDULE_ZB_H2 + 1))};
        p.first = p.middle = p.last = random_stage(&draws);
        const uint32_t least = p.schedule == ASSAY_SCHEDULE_ZB_H2 ? 2 * p.stages - 1 : p.stages;
        p.micro = least + (uint32_t)between(&draws, 0, 20);
        if (p.schedule == ASSAY_SCHEDULE_1F1B) {
            p.interleave = 1 + (uint32_t)between(&draws, 0, MAX_CHUNKS);
            p.piece = piece_of(&p.middle, p.interleave);
        }
        check(&p, 1, 1, i);
    }
}

/* Embedding and head make the first stage up to a seventh and the last up to half longer. */
static void uneven_stages_are_close(void **state) {
    (void)state;
    draws_t draws = {3, 0};
    for (uint32_t i = 0; i < 3000; i++) {
        const double forward_s = between(&draws, .5, 1),
                     weight_s = forward_s * between(&draws, .6, 1.1);
        const double input_s = forward_s * between(&draws, .9, 1.5);
        const double embed = between(&draws, 0, .15), head = between(&draws, 0, .5);
        train_pipeline_t p = {.stages = 2 + (uint32_t)between(&draws, 0, MAX_STAGES - 1),
                              .interleave = 1,
                              .schedule = (uint8_t)(ASSAY_SCHEDULE_ZB_H1 + i % 2),
                              .first = {(1 + embed) * forward_s,
                                        input_s + weight_s + .5 * embed * forward_s, weight_s},
                              .middle = {forward_s, input_s + weight_s, weight_s},
                              .last = {(1 + head) * forward_s,
                                       input_s + weight_s + 2 * head * forward_s,
                                       weight_s + head * forward_s}};
        p.micro = 2 * p.stages + (uint32_t)between(&draws, 0, 20);
        check(&p, 1, p.schedule == ASSAY_SCHEDULE_ZB_H1 ? 1.05 : 1.1, i);
    }
}

/* Shape of a dual case: stages, micro-batches, direction. */
static dual_case_t random_dual(draws_t *draws) {
    dual_case_t of = {.there_and_back = between(draws, 0, 1) < .5};
    const uint32_t devices = 1 + (uint32_t)between(draws, 0, MAX_STAGES);
    if (of.there_and_back) {
        of.stages = devices < 2 ? 2 : devices;
        of.micro = 2 * of.stages + (uint32_t)between(draws, 0, 20);
    } else {
        of.stages = 2 * devices;
        of.micro = 2 * of.stages + 2 * (uint32_t)between(draws, 0, 20);
    }
    return of;
}

static void check_dual(const dual_case_t *of, double high, uint32_t at) {
    const train_pipeline_t p = dual_pipeline(of);
    const double by_event_s = dual_reference_s(of), closed_s = train_pipeline_s(&p);
    if (closed_s < by_event_s * (1 - 1e-9) || closed_s > high * by_event_s * (1 + 1e-9)) {
        fail_msg("case %u: schedule %u, p %u, m %u: %.9g s by events, %.9g s closed", at,
                 p.schedule, p.stages, p.micro, by_event_s, closed_s);
    }
}

static void dual_pipelines_of_equal_stages_are_exact(void **state) {
    (void)state;
    draws_t draws = {4, 0};
    for (uint32_t i = 0; i < 10000; i++) {
        dual_case_t of = random_dual(&draws);
        of.piece = random_stage(&draws);
        of.piece.hidden_s = between(&draws, 0, 1) * fmin(of.piece.forward_s, of.piece.backward_s);
        of.embed = of.head = of.piece;
        check_dual(&of, 1, i);
    }
}

/* As uneven_stages_are_close has them. */
static void dual_pipelines_of_uneven_stages_are_close(void **state) {
    (void)state;
    draws_t draws = {5, 0};
    for (uint32_t i = 0; i < 10000; i++) {
        dual_case_t of = random_dual(&draws);
        const double forward_s = between(&draws, .5, 1),
                     weight_s = forward_s * between(&draws, .6, 1.1),
                     input_s = forward_s * between(&draws, .9, 1.5),
                     hidden_s = forward_s * between(&draws, 0, .5);
        const double embed = between(&draws, 0, .15), head = between(&draws, 0, .5);
        of.piece = (train_stage_s_t){forward_s, input_s + weight_s, weight_s, hidden_s};
        of.embed = of.head = of.piece;
        of.embed.forward_s += embed * forward_s;
        of.embed.backward_s += .5 * embed * forward_s;
        of.head.forward_s += head * forward_s;
        of.head.backward_s += 2 * head * forward_s;
        of.head.weight_s += head * forward_s;
        check_dual(&of, 1.13, i);
    }
}

/* deepseek-ai/DualPipe README: bubble (p/2 - 1)(F&B + B - 3W). Of 8 stages and 20 micro-batches
   with F = 1, B = 2.2, W = .6 and nothing saved, each device works 20 x 3.2 = 64; 3 x (3.2 + 2.2
   - 1.8) = 10.8, of which the first forward is no wait: 9.8. */
static void dual_pipe_waits_as_published(void **state) {
    (void)state;
    const train_stage_s_t stage = {1, 2.2, .6, 0};
    const train_pipeline_t p = {.stages = 8,
                                .interleave = 1,
                                .micro = 20,
                                .schedule = ASSAY_SCHEDULE_DUALPIPE,
                                .first = stage,
                                .middle = stage,
                                .last = stage};
    assay_test_close(train_pipeline_s(&p), 64 + 9.8, 1e-12, 0, "DualPipe");
    /* rank 0 of 4: 12 - 11 + 8 + 1 pairs, steps 4 and 5 of the source with h = 4 */
    assay_test_close(train_pipeline_pairs(&p), 2 * (20 / 2 - 8 + 1) + 3, 1e-12, 0, "pairs");
}

/* So many seconds more of both ends, by their share of a piece; head: its backward is twice its
   forward. */
static train_pipeline_t interleaved_case(draws_t *draws, uint32_t least_stages, double embed,
                                         double head, double first_layers, double last_layers) {
    const double forward_s = between(draws, .5, 1),
                 backward_s = forward_s * between(draws, 1.5, 2.6);
    train_pipeline_t p = {.stages = least_stages +
                                    (uint32_t)between(draws, 0, MAX_STAGES + 1 - least_stages),
                          .interleave = 2 + (uint32_t)between(draws, 0, MAX_CHUNKS - 1),
                          .piece = {.forward_s = forward_s, .backward_s = backward_s}};
    p.middle.forward_s = p.interleave * forward_s;
    p.middle.backward_s = p.interleave * backward_s;
    p.first = p.last = p.middle;
    p.first.forward_s += (embed + first_layers - 1) * forward_s;
    p.first.backward_s += .5 * embed * forward_s + (first_layers - 1) * backward_s;
    p.last.forward_s += head * forward_s + (last_layers - 1) * forward_s;
    p.last.backward_s += 2 * head * forward_s + (last_layers - 1) * backward_s;
    p.micro = p.stages + (uint32_t)between(draws, 0, 20);
    return p;
}

/* Embedding and head beside pieces of as many layers, in groups of Megatron-Core. */
static void tables_beside_interleaved_stages_are_close(void **state) {
    (void)state;
    draws_t draws = {6, 0};
    for (uint32_t i = 0; i < 3000; i++) {
        const double embed = between(&draws, 0, .6), head = between(&draws, 0, 2);
        const train_pipeline_t p = interleaved_case(&draws, 2, embed, head, 1, 1);
        check(&p, .99, 1.01, i);
    }
}

/* Ends with fewer layers, none at all in the last piece too. */
static void short_ends_of_interleaved_stages_are_close(void **state) {
    (void)state;
    draws_t draws = {7, 0};
    for (uint32_t i = 0; i < 3000; i++) {
        const double embed = between(&draws, 0, .15), head = between(&draws, 0, .8);
        const double first = between(&draws, 0, 1) < .5 ? 1 : between(&draws, .5, 1);
        const double last = between(&draws, 0, 1) < .1 ? 0 : between(&draws, 0, 1);
        const uint32_t least = i % 2 ? 2 : 3;
        const train_pipeline_t p = interleaved_case(&draws, least, embed, head, first, last);
        check(&p, p.stages == 2 ? .95 : .98, 1.02, i);
    }
}

/* Megatron-Core, model_parallel_config.py: 5 micro-batches on 2 stages lie in groups of 3 and 2. */
static void groups_are_those_of_megatron(void **state) {
    (void)state;
    assert_int_equal(assay_layout_group(2, 5), 3);
    assert_int_equal(assay_layout_group(4, 8), 4);
    assert_int_equal(assay_layout_group(4, 6), 6);  /* 4 + 2 and 5 + 1 leave too few */
    assert_int_equal(assay_layout_group(4, 13), 7); /* 7 + 6 */
    for (uint32_t p = 1; p <= 16; p++) {
        for (uint32_t m = p; m <= 300; m++) {
            assert_true(may_be_group(assay_layout_group(p, m), p, m));
        }
    }
}

/* GPipe's figure: of one micro-batch there is nothing to overlap. */
static void one_micro_batch_goes_down_and_up(void **state) {
    (void)state;
    const train_pipeline_t p = {.stages = 4,
                                .interleave = 1,
                                .micro = 1,
                                .first = {1, 2, 1},
                                .middle = {2, 3, 1},
                                .last = {3, 5, 2}};
    assay_test_close(train_pipeline_s(&p), 3 + 2 * 5 + 8, 1e-12, 0, "down and up");
}

/* Activations of so many micro-batches: 1F1B 4, 3, 2, 1; both halves of the zero bubble the same on
   every stage; never more than there are. */
static void stages_hold_what_is_under_way(void **state) {
    (void)state;
    assay_layout_t l = {.pp = 4, .vpp = 1};
    for (uint32_t k = 0; k < 4; k++) {
        l.schedule = ASSAY_SCHEDULE_1F1B;
        assay_test_close(train_pipeline_chunks(&l, 16, k), 4 - k, 0, 0, "1F1B");
        l.schedule = ASSAY_SCHEDULE_ZB_H1;
        assay_test_close(train_pipeline_chunks(&l, 16, k), 4, 0, 0, "H1");
        l.schedule = ASSAY_SCHEDULE_ZB_H2;
        assay_test_close(train_pipeline_chunks(&l, 16, k), 7, 0, 0, "H2");
        assay_test_close(train_pipeline_chunks(&l, 2, k), 2, 0, 0, "of two");
        l.schedule = ASSAY_SCHEDULE_DUALPIPE;
        assay_test_close(train_pipeline_chunks(&l, 16, k), 5, 0, 0, "DualPipe, p + 1");
        l.schedule = ASSAY_SCHEDULE_DUALPIPEV; /* 9 halves */
        assay_test_close(train_pipeline_chunks(&l, 16, k), 4.5, 0, 0, "DualPipeV");
    }
    /* 13 micro-batches in groups of 7: 7 of the first chunk, then 2 x 3, then one */
    const assay_layout_t uneven = {.pp = 4, .vpp = 2};
    assay_test_close(train_pipeline_chunks(&uneven, 13, 0), 7 + 2 * 3 + 1, 0, 0, "uneven");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_pipelines_are_exact),
        cmocka_unit_test(equal_stages_are_exact),
        cmocka_unit_test(uneven_stages_are_close),
        cmocka_unit_test(tables_beside_interleaved_stages_are_close),
        cmocka_unit_test(short_ends_of_interleaved_stages_are_close),
        cmocka_unit_test(groups_are_those_of_megatron),
        cmocka_unit_test(dual_pipelines_of_equal_stages_are_exact),
        cmocka_unit_test(dual_pipelines_of_uneven_stages_are_close),
        cmocka_unit_test(dual_pipe_waits_as_published),
        cmocka_unit_test(one_micro_batch_goes_down_and_up),
        cmocka_unit_test(stages_hold_what_is_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
