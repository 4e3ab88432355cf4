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

/* Megatron-LM's order: groups of as many micro-batches as stages through one chunk after the other;
   2 (p - 1 - stage) + (v - 1) p forwards ahead. */
static void interleaved(schedule_t *s, uint32_t stage) {
    const uint32_t p = s->stages, v = s->chunks, total = s->micro * v;
    const uint32_t ahead = 2 * (p - 1 - stage) + (v - 1) * p;
    uint32_t forward = 0;
    for (uint32_t i = 0; i < total + (ahead < total ? ahead : total); i++) {
        const bool first_part = i < ahead && i < total;
        const uint32_t backward = i - (ahead < total ? ahead : total);
        if (first_part || forward < total) {
            const uint32_t at = forward++, group = at / (p * v), in = at % (p * v);
            put(s, stage, FORWARD, group * p + in % p, in / p);
        }
        if (!first_part) {
            const uint32_t group = backward / (p * v), in = backward % (p * v);
            put(s, stage, BACKWARD, group * p + in % p, v - 1 - in / p);
        }
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

static void equal_stages_are_exact(void **state) {
    (void)state;
    draws_t draws = {2, 0};
    for (uint32_t i = 0; i < 10000; i++) {
        train_pipeline_t p = {.stages = 2 + (uint32_t)between(&draws, 0, MAX_STAGES - 1),
                              .interleave = 1,
                              .schedule = (uint8_t)(i % ASSAY_SCHEDULE_N)};
        p.first = p.middle = p.last = random_stage(&draws);
        const uint32_t least = p.schedule == ASSAY_SCHEDULE_ZB_H2 ? 2 * p.stages - 1 : p.stages;
        p.micro = least + (uint32_t)between(&draws, 0, 20);
        if (p.schedule == ASSAY_SCHEDULE_1F1B) {
            p.interleave = 1 + (uint32_t)between(&draws, 0, MAX_CHUNKS);
            p.micro = p.stages * (1 + (uint32_t)between(&draws, 0, 5));
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
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_pipelines_are_exact),
        cmocka_unit_test(equal_stages_are_exact),
        cmocka_unit_test(uneven_stages_are_close),
        cmocka_unit_test(one_micro_batch_goes_down_and_up),
        cmocka_unit_test(stages_hold_what_is_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
